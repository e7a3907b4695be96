"""The border: who may ask, from where, how much and how often; and the headers that every answer carries.

A plain ASGI layer round the whole application, so that no route, error page or file can be reached without it.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from secure import (
    ContentSecurityPolicy,
    CrossOriginOpenerPolicy,
    CrossOriginResourcePolicy,
    CustomHeader,
    PermissionsPolicy,
    ReferrerPolicy,
    Secure,
    XContentTypeOptions,
    XFrameOptions,
)

from flagfall.errors import BadMessage, FlagfallError, NotAllowed, NotFound
from flagfall.server.nature import Nature
from flagfall.server.problems import MEDIA_TYPE, problem_of
from flagfall.server.rates import Buckets, Rate
from flagfall.wire.bodies import BODY_BYTES
from flagfall.wire.messages import write

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_SECONDS = 10
DEEPEST = 16
"""More brackets than any message of ours has: what nests deeper is not read at all."""
WRITING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
WRITING_COSTS = 3
"""What changes something, or makes an army, counts as so many questions."""
ASKS = Rate(per_second=20, burst=150)
OPENS = Rate(per_second=2, burst=30)
MOST_LINES = 200
"""Sockets that one address may hold open: a school behind one address has as many, a flood has more."""
_ORIGIN = re.compile(r"https?://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
HOUSEHOLD_BITS = 64
LONGEST_ADDRESS = 64

HEADERS: dict[str, str] = {
    name.lower(): value
    for name, value in Secure(
        csp=ContentSecurityPolicy()
        .default_src("'self'")
        .script_src("'self'")
        .style_src("'self'")
        .img_src("'self'")
        .connect_src("'self'")
        .object_src("'none'")
        .base_uri("'none'")
        .form_action("'none'")
        .frame_ancestors("'none'"),
        coop=CrossOriginOpenerPolicy().same_origin(),
        corp=CrossOriginResourcePolicy().same_origin(),
        permissions=PermissionsPolicy().geolocation("()").camera("()").microphone("()"),
        referrer=ReferrerPolicy().no_referrer(),
        xcto=XContentTypeOptions().nosniff(),
        xfo=XFrameOptions().deny(),
        custom=[CustomHeader("Cross-Origin-Embedder-Policy", "require-corp")],
    ).headers.items()
}


@dataclass(frozen=True, slots=True)
class Border:
    """What this server answers to.

    hosts: values of `Host` that mean this server. addresses: whether any address of a machine means it too, at this
    port; a name that was bent to point here (DNS rebinding) is no address. asks: HTTP requests to the interface, by
    address of the asker. opens: sockets, likewise. lines: sockets that an address may hold at a time. A page may speak
    to the server if it came from the very host, or from `origin`, where people find a server behind a proxy.
    """

    hosts: frozenset[str]
    addresses: int | None = None
    asks: Rate = ASKS
    opens: Rate = OPENS
    lines: int = MOST_LINES
    origin: str | None = None

    @staticmethod
    def local(port: int, *names: str) -> Border:
        """The border of a server on the loopback address, and of one that goes by other names as well."""
        return Border(frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]", *names)))

    def behind(self, origin: str) -> Border:
        """This border with the address at which people find the server. Raises BadMessage `bad_origin`."""
        plain = origin.lower().removesuffix("/")
        if not _ORIGIN.fullmatch(plain):
            raise BadMessage("an origin is a scheme and a host, as in https://games.example.org", code="bad_origin")
        return replace(self, origin=plain)

    def welcomes(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may speak to this server at this `Host`.

        At its public name only the public origin may: a page of the same name without encryption is somebody else's.
        """
        return origin == self.origin or (origin == f"http://{host}" and not self._public(host))

    def _public(self, host: str) -> bool:
        return self.origin is not None and host == self.origin.partition("://")[2]

    def knows(self, host: str) -> bool:
        """Whether a `Host` means this server."""
        if host in self.hosts or self._public(host):
            return True
        name, _, port = host.rpartition(":")
        if self.addresses is None or port != str(self.addresses):
            return False
        try:
            ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True


class Guard:
    """The ASGI layer that keeps the border."""

    def __init__(self, app: App, border: Border, nature: Nature) -> None:
        self._app, self._border = app, border
        self._asks = Buckets(border.asks, nature.ticks_ms)
        self._opens = Buckets(border.opens, nature.ticks_ms)
        self._lines: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a socket through, or refuse it with a problem."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = _address(scope)
        try:
            self._check_place(scope)
            if self._lines[who] >= self._border.lines or not self._opens.take(who):
                raise _too_fast()
        except FlagfallError:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        self._lines[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._lines[who] -= 1
            if not self._lines[who]:
                del self._lines[who]

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_headers(message.get("headers", ()))
            await send(message)

        try:
            self._check_place(scope)
            writing = scope["method"] in WRITING
            if scope["path"].startswith("/api/") and not self._asks.take(
                _address(scope), WRITING_COSTS if writing else 1
            ):
                raise _too_fast()
            if writing:
                receive = await _checked_body(scope, receive)
        except FlagfallError as error:
            await _refuse(error, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _check_place(self, scope: Scope) -> None:
        """Refuse other hosts (DNS rebinding), other pages (forged requests) and crooked paths.

        Raises NotAllowed, NotFound `no_address`.
        """
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self._border.knows(hosts[0].lower()):
            raise NotAllowed("this server does not go by that name", code="foreign_host")
        origins = _values(scope, b"origin")
        if origins and not (len(origins) == 1 and self._border.welcomes(origins[0], hosts[0].lower())):
            raise NotAllowed("another site's page may not speak to this server", code="foreign_origin")
        # The router would straighten such a path and find a route that the checks by path have not seen.
        if not is_straight(scope["path"]):
            raise NotFound("the interface has no such address", code="no_address")
        # Browsers that leave Origin out of a same-site GET still say where it comes from.
        fetch_site = _values(scope, b"sec-fetch-site")
        api = scope["path"].startswith("/api/")
        if api and not origins and any(site not in ("same-origin", "none") for site in fetch_site):
            raise NotAllowed("another site's page may not speak to this server", code="foreign_origin")


def is_straight(path: str) -> bool:
    """Whether a path, percent signs undone, has but one spelling: rooted, no backslash, no empty or dot segment."""
    first, *others = path.split("/")
    inner = others[:-1] if others[-1:] == [""] else others
    return first == "" and "\\" not in path and not {"", ".", ".."} & set(inner) and others != []


def _too_fast() -> NotAllowed:
    return NotAllowed("too many requests; wait a moment", code="too_fast")


def _address(scope: Scope) -> str:
    """Who asks, for counting: an address, of the newer kind the network that one household gets whole."""
    client = scope.get("client")
    said = str(client[0])[:LONGEST_ADDRESS] if client else ""
    if ":" not in said:
        return said
    try:
        found = ip_address(said.partition("%")[0])
    except ValueError:
        return said
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((found, HOUSEHOLD_BITS), strict=False))
    return said


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _with_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    kept = [(bytes(name).lower(), bytes(value)) for name, value in headers]
    there = {name for name, _ in kept}
    if b"cache-control" not in there:
        kept.append((b"cache-control", b"no-store"))
    return kept + [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in there]


async def _checked_body(scope: Scope, receive: Receive) -> Receive:
    """Read the whole body within its limits and hand it on as one piece. Raises BadMessage."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise BadMessage("the message ended early")
                body += message.get("body", b"")
                if len(body) > BODY_BYTES:
                    raise BadMessage("the message is too long", code="too_long", limit=BODY_BYTES)
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        raise BadMessage("the message came too slowly", code="too_slow") from None
    kinds = _values(scope, b"content-type")
    if body and (len(kinds) != 1 or kinds[0].partition(";")[0].strip().lower() != "application/json"):
        raise BadMessage("messages to this server are JSON", code="not_json")
    if body.count(b"[") + body.count(b"{") > DEEPEST:
        raise BadMessage("the message nests too deep", code="too_deep")
    whole: Message | None = {"type": "http.request", "body": bytes(body), "more_body": False}

    async def replay() -> Message:
        nonlocal whole
        if whole is not None:
            message, whole = whole, None
            return message
        return await receive()

    return replay


async def _refuse(error: FlagfallError, send: Send) -> None:
    problem = problem_of(error)
    body = write(problem)
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    if problem.code == "too_long":
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
