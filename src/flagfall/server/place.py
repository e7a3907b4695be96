"""Where a server for other people stands: its address, its proxy, the operator's port, how it leaves."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any, cast

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from flagfall.errors import BadMessage
from flagfall.server.security import App

LOOPBACK = "127.0.0.1"
MOST_FILES = 65_536


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server for other people stands.

    origin: where people find it, if that is a proxy. proxies: addresses and networks whose word is taken for who asks;
    the constructor raises BadMessage `bad_proxy` for what is neither. metrics: a port of the loopback address, 0 for
    any free one. drain_s: how long it goes on after it was asked to stop, while `/ready` turns people away. processes:
    how many serve together.
    """

    host: str = LOOPBACK
    port: int = 8765
    origin: str | None = None
    proxies: tuple[str, ...] = ()
    metrics: int | None = None
    drain_s: float = 0.0
    processes: int = 1

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            try:
                ip_network(proxy)
            except ValueError:
                raise BadMessage("a proxy is an address or a network, as in 10.0.0.0/8", code="bad_proxy") from None

    def behind(self, app: App) -> App:
        """The application as it is asked through these proxies: the asker is who they say, not they themselves."""
        return cast(App, ProxyHeadersMiddleware(cast(Any, app), list(self.proxies))) if self.proxies else app

    def listens(self, port: int) -> str:
        """The address of the port that was got."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{port}/"


def most_files() -> None:
    """Let this process hold as many sockets as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
