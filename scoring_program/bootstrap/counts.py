"""How often each row is drawn in a bootstrap resample: exact multinomial counts, fast.

A resample of n rows drawn with replacement is fully described by its counts, which follow
Multinomial(n, (1/n, …, 1/n)). Given their total, independent Poisson counts are multinomial, so
Poisson counts with a rate slightly below one, completed by single uniform draws up to n, have
exactly that distribution; resamples whose total exceeds n are drawn again. One random byte decides
nearly every Poisson count, so this is cheaper than drawing n row numbers.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence  # before processes fork: loaded once
from numpy.typing import NDArray

from ..core.arrays import Floats, Ints

DrawCounts = NDArray[np.uint8]
#: Draws of rows, or of sets of them.
Counts: TypeAlias = NDArray[np.unsignedinteger[Any]]

#: Random bytes handled at a time: small enough to stay in a core's cache.
_SLICE = 1 << 18
#: The Poisson rate is this many standard deviations of the total below one draw per row, so that
#: fewer than 1% of the totals exceed n.
_MARGIN = 2.5
#: Poisson probabilities beyond this count are below 1e-40 for rates up to one.
_LARGEST = 40


def generator_of_chunk(seed: int, *chunk: int) -> Generator:
    """Return the generator of one chunk: the chunk-th child of the seed, in any worker."""
    return Generator(SFC64(SeedSequence(seed, spawn_key=chunk)))


def draw_counts(rng: Generator, n: int, resamples: int) -> DrawCounts:
    """Draw how often each of n rows occurs in n draws with replacement; uint8 [resamples, n].

    Every row of the result follows Multinomial(n, 1/n) exactly (to the rounding of a double).
    Counts above 255 would need a probability below 1e-500 and cannot be represented.
    """
    probabilities = _poisson(max(0.0, 1.0 - _MARGIN / math.sqrt(n)))
    counts = np.empty((resamples, n), np.uint8)
    _fill(rng, probabilities, counts.reshape(-1))
    # NumPy adds bytes faster if the type of the sum is smaller. To overflow 16 bits, a total would
    # have to be twice its mean, 180 standard deviations away.
    narrow = np.uint16 if n < 1 << 15 else np.uint32
    totals = counts.sum(axis=1, dtype=narrow).astype(np.int64)
    excess = np.flatnonzero(totals > n)
    while excess.size:
        again = np.empty((excess.size, n), np.uint8)
        _fill(rng, probabilities, again.reshape(-1))
        counts[excess] = again
        totals[excess] = again.sum(axis=1, dtype=np.int64)
        excess = excess[totals[excess] > n]
    missing = n - totals
    rows = np.repeat(np.arange(resamples, dtype=np.int64) * n, missing)
    rows += rng.integers(0, n, size=rows.size)
    # Without the array's own type for the scalar, np.add.at is forty times slower.
    np.add.at(counts.reshape(-1), rows, np.uint8(1))
    return counts


def draw_set_counts(rng: Generator, sizes: Ints, resamples: int) -> Ints:
    """Draw how often each of K sets of rows occurs in n draws of rows; int64 [resamples, K].

    ``sizes`` [K] of the sets add up to n. Every row of the result follows
    Multinomial(n, sizes / n), drawn like `draw_counts`: by Poisson counts that are completed.
    """
    n = int(sizes.sum())
    rates = max(0.0, 1.0 - _MARGIN / math.sqrt(n)) * sizes
    counts = rng.poisson(rates, (resamples, sizes.size))
    totals = counts.sum(axis=1)
    excess = np.flatnonzero(totals > n)
    while excess.size:
        counts[excess] = rng.poisson(rates, (excess.size, sizes.size))
        totals[excess] = counts[excess].sum(axis=1)
        excess = excess[totals[excess] > n]
    missing = n - totals
    if sizes.size < math.sqrt(n):  # so many rows are missing that to draw them would take longer
        counts += rng.multinomial(missing, sizes / n)
        return counts
    rows = rng.integers(0, n, size=int(missing.sum()))
    sets = np.searchsorted(np.cumsum(sizes), rows, side="right")
    sets += np.repeat(np.arange(resamples) * sizes.size, missing)
    counts += np.bincount(sets, minlength=counts.size).reshape(counts.shape)
    return counts


def _poisson(rate: float) -> Floats:
    """Return a Poisson distribution's probabilities of 0, 1, …, until they are negligible."""
    probabilities = [math.exp(-rate)]
    for k in range(1, _LARGEST):
        probabilities.append(probabilities[-1] * rate / k)
    return np.array(probabilities) / math.fsum(probabilities)


def _fill(rng: Generator, probabilities: Floats, out: DrawCounts) -> None:
    """Fill ``out`` with independent values k = 0, 1, …, each with its probability.

    Of the 256 values of a random byte, ⌊256·p_k⌋ stand for k. If one of the few remaining values
    comes up, another draw with the remaining probabilities decides. One comparison per value
    replaces a table look-up.
    """
    scaled = 256.0 * probabilities
    owned = np.floor(scaled)
    # Python integers, because with NumPy integers the bytes would be compared as 64-bit numbers.
    ends = [int(end) for end in np.cumsum(owned)]
    undecided = ends[-1]
    remaining = scaled - owned
    flags = np.empty(min(_SLICE, out.size), np.bool_)
    asking = []
    for first in range(0, out.size, _SLICE):
        part = out[first : first + _SLICE]
        flag = flags[: part.size]
        words = rng.integers(0, 1 << 64, size=-(-part.size // 8), dtype=np.uint64)
        octets = words.view(np.uint8)[: part.size]
        np.greater_equal(octets, ends[0], out=part.view(np.bool_))
        for end in ends[1:]:
            if end == undecided:
                break
            np.greater_equal(octets, end, out=flag)
            np.add(part, flag.view(np.uint8), out=part)
        if undecided < 256:
            np.greater_equal(octets, undecided, out=flag)
            asking.append(np.flatnonzero(flag) + first)
    again = np.concatenate(asking) if asking else np.empty(0, np.intp)
    if again.size:
        values = np.empty(again.size, np.uint8)
        _fill(rng, remaining / remaining.sum(), values)
        out[again] = values
