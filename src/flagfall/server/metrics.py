"""The operator's numbers at a port of their own on the loopback address, in the form that Prometheus reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate

from prometheus_client import GCCollector, PlatformCollector, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector, CollectorRegistry

from flagfall.errors import NotAllowed
from flagfall.server.counts import EDGES_S, Counts, Times

LOOPBACK = "127.0.0.1"
LAG_EVERY_S = 0.25


class Gathered(Collector):
    """The counts of one server in the library's words, read when somebody asks.

    rooms: how many games are in memory. ready: whether the law can be used.
    """

    def __init__(self, counts: Counts, rooms: Callable[[], int], ready: Callable[[], bool]) -> None:
        self._counts, self._rooms, self._ready = counts, rooms, ready

    def collect(self) -> Iterator[Metric]:
        """Every number with its name and what it means."""
        counts = self._counts
        yield GaugeMetricFamily("flagfall_ready", "Whether the law can be used.", float(self._ready()))
        yield GaugeMetricFamily("flagfall_rooms", "Games in memory.", self._rooms())
        yield GaugeMetricFamily("flagfall_sockets", "Open sockets.", counts.sockets)
        yield _by("flagfall_games_laid", "Games laid, by who sits opposite.", "against", counts.laid)
        yield _by("flagfall_deeds", "What people asked over sockets.", "deed", counts.deeds)
        yield _by("flagfall_refusals", "What was refused over sockets, by code.", "code", counts.refusals)
        yield CounterMetricFamily("flagfall_store_events", "Events written.", counts.written)
        yield _spans("flagfall_store_commit_seconds", "One transaction of the store.", counts.commit)
        yield _spans("flagfall_deed_seconds", "From a frame to its answer.", counts.deed)
        yield _spans("flagfall_loop_lag_seconds", "How late the event loop wakes a sleeper.", counts.lag)


def _by(name: str, about: str, label: str, numbers: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, about, labels=[label])
    for word, number in sorted(dict(numbers).items()):
        family.add_metric([word], number)
    return family


def _spans(name: str, about: str, times: Times) -> Metric:
    held = tuple(times.held)
    edges = [*(str(edge) for edge in EDGES_S), "+Inf"]
    return HistogramMetricFamily(
        name, about, buckets=list(zip(edges, accumulate(held), strict=True)), sum_value=times.sum_s
    )


@contextmanager
def told(port: int, gathered: Gathered) -> Iterator[int]:
    """Answer at a port of the loopback address, 0 for any, until the block ends. Raises NotAllowed `port_taken`.

    Behind a proxy everybody's questions come from the proxy's address, so the numbers are not at the players' port.
    """
    registry = CollectorRegistry()
    registry.register(gathered)
    for make in (ProcessCollector, PlatformCollector, GCCollector):
        make(registry=registry)
    try:
        server, thread = start_http_server(port, addr=LOOPBACK, registry=registry)
    except OSError:
        raise NotAllowed("another program listens at the port for metrics", code="port_taken") from None
    try:
        yield int(server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def feel_lag(counts: Counts) -> None:
    """Measure for ever how late the loop wakes a task."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        counts.lag.add(max(0.0, loop.time() - due))
