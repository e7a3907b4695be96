#!/usr/bin/env bash
# Debian packages that the tests drive: a browser and a database server. Installs what is missing when it may; says so when it may not.
set -euo pipefail

need=()
if [[ -z ${FLAGFALL_CHROMIUM:-} ]] && ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then
  need+=(chromium)
fi
if ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && ! command -v initdb >/dev/null; then
  need+=(postgresql)
fi
((${#need[@]})) || exit 0

if command -v apt-get >/dev/null && [[ $(id -u) == 0 ]]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
else
  echo "missing: ${need[*]} (tests that need them are skipped; install them to run everything)" >&2
fi
