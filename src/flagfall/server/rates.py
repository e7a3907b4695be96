"""How often somebody may ask: token buckets with the clock handed in, a bounded number of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second on average, and so many at once."""

    per_second: float
    burst: float


class Bucket:
    """One asker's allowance: it fills with time and every request takes from it."""

    __slots__ = ("_held", "_rate", "_since_ms")

    def __init__(self, rate: Rate, ticks_ms: int) -> None:
        self._rate, self._held, self._since_ms = rate, rate.burst, ticks_ms

    def take(self, cost: float, ticks_ms: int) -> bool:
        """Take `cost` if there is as much, else nothing."""
        passed = max(0, ticks_ms - self._since_ms)
        self._held = min(self._rate.burst, self._held + passed * self._rate.per_second / 1000)
        self._since_ms = max(ticks_ms, self._since_ms)
        if self._held < cost:
            return False
        self._held -= cost
        return True


class Buckets:
    """Allowances by address, the longest unused forgotten first."""

    def __init__(self, rate: Rate, ticks_ms: Callable[[], int], most: int = 10_000) -> None:
        self._rate, self._ticks_ms, self._most = rate, ticks_ms, most
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str, cost: float = 1) -> bool:
        """Take `cost` from somebody's allowance if there is as much."""
        ticks_ms = self._ticks_ms()
        bucket = self._held.get(who)
        if bucket is None:
            bucket = self._held[who] = Bucket(self._rate, ticks_ms)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        else:
            self._held.move_to_end(who)
        return bucket.take(cost, ticks_ms)
