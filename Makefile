# Two commands need no reading: `make play` opens a game in the browser, `make test` runs every check. Each sets itself up,
# given python3 with pip, make and git. What they install is locked by hash in requirements/ and frontend/package-lock.json.
SHELL := bash
VENV := .venv
PY := $(VENV)/bin/python
UV := UV_SYSTEM_CERTS=1 UV_PYTHON_DOWNLOADS=never .tools/bin/uv
LOCKED := $(UV) pip install --quiet --python $(VENV) --require-hashes --no-build-isolation -r
COMPILE := $(UV) pip compile --quiet --universal --generate-hashes --no-annotate --no-header --no-emit-find-links $(UP)
# The folder of a suitable Node (from PATH, or the locked one in the environment) goes in front for one command line.
WITH_NODE := PATH="$$($(PY) hatch_build.py node):$$PATH"
SPREAD := $(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal
PAGE := $(wildcard frontend/package.json)
.DEFAULT_GOAL := help
.PHONY: help play test check check-python check-page setup setup-dev page system-deps bench soak lock house clean

help: ## list these commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

play: setup ## set up, then open a game against the machine (ARGS="--port 9000 --level 5")
	$(VENV)/bin/flagfall play $(ARGS)

# The tests are spread over the cores, the browser's in a run of their own: their event loop bars all others from its
# process. 5 is the answer of a run that ARGS left nothing to do; one of the two may have that.
test: system-deps check ## set up, then run every check and test (ARGS="-k belief")
	@$(SPREAD) -m "not browser and not soak" $(ARGS); first=$$?; [ $$first = 0 ] || [ $$first = 5 ] || exit $$first; \
	$(SPREAD) -m "browser and not soak" $(ARGS); second=$$?; [ $$second = 0 ] || [ $$second-$$first = 5-0 ]

check: check-python check-page ## format, lint, types, walls, spelling, and the page's own checks

check-python: setup-dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/codespell

check-page: setup-dev
ifneq ($(PAGE),)
	$(WITH_NODE) npm --prefix frontend run --silent check
endif

# Bytecode is written here even where the environment tells Python not to: each start would compile the package again.
setup: $(VENV)/.run page ## install what running needs
	@$(PY) -m compileall -q src/flagfall

setup-dev: setup $(VENV)/.dev ## install what checks and tests need as well

system-deps: ## Debian packages that the browser tests drive
	tools/system-deps.sh

page: $(VENV)/.run # build the page when its sources changed
	@$(PY) hatch_build.py page

bench: setup ## measure the compiled law
	$(VENV)/bin/flagfall bench law

soak: setup-dev system-deps ## the long runs: properties, load, learning curves
	HYPOTHESIS_PROFILE=soak $(PY) -m pytest -m soak --timeout=0 $(ARGS)

lock: | .tools/bin/uv ## pin every dependency anew where pyproject.toml changed (UP=--upgrade for all)
	$(COMPILE) requirements/uv.in -o requirements/uv.txt
	$(COMPILE) requirements/build.in -o requirements/build.txt
	$(COMPILE) requirements/node.in -o requirements/node.txt
	$(COMPILE) pyproject.toml -o requirements/run.txt
	$(COMPILE) pyproject.toml --group dev -c requirements/run.txt -o requirements/test.txt
ifneq ($(PAGE),)
	cd frontend && npm install --package-lock-only
endif

house: $(VENV)/.dev ## write HOUSE.md's list of files anew
	$(PY) tools/house.py

clean: ## remove everything that was installed or built here
	rm -rf $(VENV) .tools .cache dist build frontend/node_modules src/flagfall/server/static

# pip's --target needs no venv module and no permission to touch the system's Python.
.tools/bin/uv: requirements/uv.txt
	python3 -m pip install --quiet --disable-pip-version-check --no-warn-script-location --root-user-action=ignore \
		--require-hashes --upgrade --target .tools -r requirements/uv.txt
	touch $@

$(PY): | .tools/bin/uv
	$(UV) venv --quiet --allow-existing --python python3 $(VENV)

# Build backends and Node come from locks too, so the editable install that builds the page resolves nothing by itself.
$(VENV)/.run: requirements/build.txt requirements/node.txt requirements/run.txt pyproject.toml hatch_build.py | $(PY)
	$(LOCKED) requirements/build.txt
	$(PY) hatch_build.py node >/dev/null 2>&1 || $(LOCKED) requirements/node.txt
	$(LOCKED) requirements/run.txt --compile-bytecode
	$(UV) pip install --quiet --python $(VENV) --no-build-isolation --no-deps -e .
	touch $@

$(VENV)/.dev: requirements/test.txt $(VENV)/.run
	$(LOCKED) requirements/test.txt
	touch $@
