"""How sure a score is: a 95 % interval from pairs of games whose two halves are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist, fmean

CONFIDENCE = 0.95


def score_interval(pairs: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval for the expected score, 0 to 1, from the mean scores of independent pairs (or lone games).

    Two games with the same armies share their luck, so the pair is the unit. Two imagined pairs, one won and one lost,
    are added (Agresti and Coull's remedy, The American Statistician 52, 1998, here with the variance of the pairs
    themselves): without them a match of even results, or a clean sweep, would claim to be certain. (0, 1) for no pair.

    >>> low, high = score_interval([1.0] * 50)
    >>> round(low, 2), high
    (0.94, 1.0)
    """
    if not pairs:
        return 0.0, 1.0
    seen = [*pairs, 0.0, 1.0]
    mean = fmean(seen)
    spread = sum((score - mean) ** 2 for score in seen) / (len(seen) - 1)
    reach: float = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * (spread / len(seen)) ** 0.5
    return max(0.0, mean - reach), min(1.0, mean + reach)
