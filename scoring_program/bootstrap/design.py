"""What is drawn with replacement, and how often: examples or whole groups, within strata or not.

Examples may belong to two columns of groups that are *crossed*, as preferences belong to prompts
and to judges. Then the groups of both are drawn independently, and an example counts as often as
its two groups were drawn, multiplied (Owen 2007, "The pigeonhole bootstrap", Annals of Applied
Statistics 1). The variance of a mean is not understated; the part that is due to single examples
counts up to three times. The groups of both columns are the units, and the columns their strata.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence  # before processes fork: loaded once
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints, chunks
from ..core.errors import ReferenceDataError, SettingsError
from ..core.grouping import Grouping
from ..core.pool import shared_zeros
from ..data.competition import Part
from ..metrics.sums import scattered, smallest
from ..scoring.scorer import Scorer
from ..settings.model import Settings

#: The kind of examples whose groups may be crossed; see `Gold.kind`.
_CROSSED = "battles"


class Design:
    """What is drawn with replacement: rows, or the units 0 … N−1 that rows belong to.

    ``units`` [n] gives each row's unit (a group that is drawn whole), or [2, n] those of both
    columns of crossed groups, which are their strata; None if every row is a unit. ``strata`` [N]
    gives each unit's stratum; each resample draws as many units from a stratum as it holds.
    ``sizes`` [n] says how many equal rows each row stands for (`DistinctRows`); None if it stands
    for itself. ``outer`` is the design of larger sets of rows that are drawn first, and ``within``
    [n] the set of each row, ascending; None if rows are drawn at once.
    """

    def __init__(
        self,
        n: int,
        units: Ints | None = None,
        strata: Ints | None = None,
        sizes: Ints | None = None,
        outer: Design | None = None,
        within: Ints | None = None,
    ) -> None:
        self.n = n
        self.units = units
        self.strata = strata
        self.sizes = sizes
        self.outer = outer
        self.within = within
        self.grouping = Grouping(n, units, sizes)
        # Numbers of examples, and of units, N.
        self.examples = self.grouping.examples
        self.size = self.grouping.size
        # A type for the draws of a row: no row is drawn more often than there are rows.
        self.type = np.dtype(np.uint8) if sizes is None else np.min_scalar_type(self.examples)
        self.is_crossed = units is not None and units.ndim > 1  # every row belongs to two groups
        # The number of groups, and G* = (Σ n_g)² / Σ n_g² of their sizes n_g; None if rows are
        # drawn. Uneven groups count for less than their number: that of the rows in the largest
        # decides. Of crossed groups, the column that counts for fewer groups decides.
        self.groups: int | None = None
        self.effective_groups: float | None = None
        # The numbers [N] of a row of each unit, which is drawn as often; not of crossed groups.
        self.unit_rows: Ints | slice = slice(None)
        if units is not None:
            columns = [
                np.unique(groups, return_index=True, return_counts=True)
                for groups in np.atleast_2d(units)
            ]
            _, self.unit_rows, group_sizes = min(columns, key=lambda column: _effective(column[2]))
            self.groups = group_sizes.size
            self.effective_groups = _effective(group_sizes)

    @property
    def drawn_first(self) -> Design:
        """What is drawn first: the larger sets of rows if there are any."""
        return self if self.outer is None else self.outer

    @cached_property
    def _inner(self) -> SetsWithin | RowsWithin:
        assert self.outer is not None
        assert self.within is not None
        if self.sizes is None:
            return RowsWithin(self.within)
        return SetsWithin(self.within, self.sizes)

    def draw_within(self, rng: np.random.Generator, counts: Counts) -> Counts:
        """Draw how often each row occurs, [R, n], given the counts of its larger sets."""
        return self._inner.draw(rng, counts).astype(self.type, copy=False)

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each row occurs in each resample, [resamples, n]."""
        counts = self.draw_units(rng, resamples)
        if self.units is not None and self.is_crossed:
            first, second = self.units
            return np.multiply(counts[:, first], counts[:, second], dtype=np.uint16)
        return self.grouping.to_rows(counts)

    def draw_units(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each unit occurs in each resample, [resamples, N]."""
        if self.outer is not None:
            return self.draw_within(rng, self.outer.draw_units(rng, resamples))
        if self.strata is None:
            return self._drawn(rng, np.arange(self.size), resamples)
        counts = np.empty((resamples, self.size), self.type)
        for stratum in np.unique(self.strata):
            members = np.flatnonzero(self.strata == stratum)
            counts[:, members] = self._drawn(rng, members, resamples)
        return counts

    def _drawn(self, rng: np.random.Generator, members: Ints, resamples: int) -> Counts:
        if self.sizes is None:
            return draw_counts(rng, members.size, resamples)
        sizes = self.sizes[members]
        if are_nearly_rows(sizes):
            return SmallSets(sizes).draw(rng, resamples)
        return draw_set_counts(rng, sizes, resamples).astype(self.type)


def _effective(sizes: Ints) -> float:
    """Return how many groups of equal size count for as much as groups of these sizes."""
    return float(sizes.sum(dtype=np.float64) ** 2 / np.square(sizes, dtype=np.float64).sum())


def design_of(part: Part, settings: Settings) -> Design:
    """Return the design of a part: rows or whole groups, with or without strata.

    Raises
    ------
    ReferenceDataError
        A group or a stratum is missing.
    SettingsError
        There is only one group or one stratum, a stratum holds only one unit, or a group belongs to
        several strata; or groups are crossed where that has no meaning.
    """
    n = part.gold.n
    units = strata = None
    if part.gold.sizes is not None:
        return Design(n, sizes=part.gold.sizes)
    if isinstance(settings.group, tuple):
        return _crossed(part, settings, settings.group)
    if settings.group is not None:
        units = _codes(part, settings, "group", settings.group)
    if settings.stratify is not None:
        strata = _codes(part, settings, "stratify", settings.stratify)
        if units is not None:
            row_of = np.unique(units, return_index=True)[1]
            if (strata != strata[row_of][units]).any():
                raise SettingsError(
                    f"{settings.where('stratify')}: a group of {settings.group!r} belongs to "
                    f"several strata of {settings.stratify!r}; choose strata that hold whole groups"
                )
            strata = strata[row_of]
        _refuse_lonely_units(strata, settings)
    if part.people is not None:  # what people scored, and the rest, are resampled apart
        strata = (~part.people.judged).astype(np.intp)
        if units is not None:
            strata = strata[np.unique(units, return_index=True)[1]]
    return Design(n, units, strata)


def _refuse_lonely_units(strata: Ints, settings: Settings) -> None:
    """Raise SettingsError if a unit is alone in its stratum: no resample can do without it.

    Its variance cannot be estimated, so that the usual remedy is to join strata (Lumley 2010,
    Complex Surveys, section 2.4).
    """
    lonely = int((np.bincount(strata) == 1).sum())
    if not lonely:
        return
    units = "examples" if settings.group is None else "groups"
    raise SettingsError(
        f"{settings.where('stratify')}: in {lonely} of {strata.max() + 1} strata of "
        f"{settings.stratify!r} there is only one of the {units}, so that every resample holds it "
        f"once; join strata until each has at least two {units}, or leave the setting out"
    )


def _crossed(part: Part, settings: Settings, columns: tuple[str, ...]) -> Design:
    """Return the design of two columns of groups that are drawn independently."""
    if part.gold.kind != _CROSSED:
        raise SettingsError(
            f"{settings.where('group')}: two columns are for preferences, and {part.gold.file} "
            "holds none; name one column"
        )
    for key in ("stratify", "slices", "tests"):
        if getattr(settings, key):
            raise SettingsError(
                f"{settings.where(key)}: there are no {key} where 'group' names two columns; "
                "remove one of the two settings"
            )
    first, second = (_codes(part, settings, "group", name) for name in columns)
    groups_of_first = int(first.max()) + 1
    groups_of_second = int(second.max()) + 1
    units = np.array([first, second + groups_of_first])
    strata = np.repeat([0, 1], [groups_of_first, groups_of_second])
    return Design(part.gold.n, units, strata)


def _codes(part: Part, settings: Settings, key: str, name: str) -> Ints:
    """Return the numbers 0, 1, … of a design column's values, [n]."""
    if (place := part.gold.empty_place(name)) is not None:
        raise ReferenceDataError(
            f"{part.gold.file}: {place}: column {name!r} is empty; give every row a value"
        )
    values, codes = np.unique(np.array(part.gold.columns[name]), return_inverse=True)
    if len(values) < 2:
        raise SettingsError(
            f"{settings.where(key)}: the column {name!r} holds only one value; "
            "choose a column with at least two values, or leave the setting out"
        )
    return codes


# Counts -------------------------------------------------------------------------------------------

# How often each row is drawn in a bootstrap resample: exact multinomial counts, fast.
#
# A resample of n rows drawn with replacement is fully described by its counts, which follow
# Multinomial(n, (1/n, …, 1/n)). Given their total, independent Poisson counts are multinomial, so
# Poisson counts with a rate slightly below one, completed by single uniform draws up to n, have
# exactly that distribution; resamples whose total exceeds n are drawn again. One random byte
# decides nearly every Poisson count, so this is cheaper than drawing n row numbers.


DrawCounts = NDArray[np.uint8]
#: Draws of rows, or of sets of them.
Counts: TypeAlias = NDArray[np.unsignedinteger[Any]]

#: Random bytes handled at a time: small enough to stay in a core's cache.
_SLICE = 1 << 18
#: The Poisson rate is this many standard deviations of the total below one draw per row, so that
#: fewer than 1% of the totals exceed n.
_MARGIN = 2.5
#: The sets of so many rows are listed row by row. To look one up takes a tenth of a search.
_LISTED = 1 << 24
#: A set of more rows is drawn at once: its count is Poisson, too, and no longer takes a byte.
_MOST_IN_SET = 32
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
    if n <= _LISTED:
        set_of_row = np.repeat(np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), sizes)
        sets = set_of_row[rows].astype(np.intp)
    else:
        sets = np.searchsorted(np.cumsum(sizes), rows, side="right")
    sets += np.repeat(np.arange(resamples) * sizes.size, missing)
    counts += np.bincount(sets, minlength=counts.size).reshape(counts.shape)
    return counts


def are_nearly_rows(sizes: Ints) -> bool:
    """Whether sets of rows are so many that their rows are drawn instead; see `SmallSets`.

    It depends on numbers of rows and sets alone. A set's own draw takes as long as those of _COST
    rows, so it is worth less where sets are smaller on average. Few sets are drawn in a moment.
    """
    return sizes.size >= _FEW_ROWS and int(sizes.sum()) < _COST * sizes.size


class SmallSets:
    """Draws how often each of K sets of rows occurs, of which most hold a few rows.

    A set's count is the sum of those of its rows, which are drawn as `draw_counts` does; the sum of
    Poisson counts is one, so a set of more rows than ``_MOST_IN_SET`` is drawn at once. The rows of
    sets of one size lie side by side, the first row of each set, then the second, …, so that whole
    stretches are added up.
    """

    def __init__(self, sizes: Ints) -> None:
        self._order = np.argsort(sizes, kind="stable")
        self._sizes = sizes[self._order]
        self._n = int(sizes.sum())
        # Where the sets of each size end among the ordered sets, and their rows among the rows.
        self._numbers = np.bincount(np.minimum(self._sizes, _MOST_IN_SET + 1))
        self._small = int(self._numbers[: _MOST_IN_SET + 1].sum())
        self._rows = int(self._sizes[: self._small].sum())
        self._large = self._sizes[self._small :]
        self._ends_of_large = self._rows + np.cumsum(self._large)

    def draw(self, rng: Generator, resamples: int) -> Counts:
        """Return counts [resamples, K], whose rows follow Multinomial(n, sizes / n) exactly."""
        rate = max(0.0, 1.0 - _MARGIN / math.sqrt(self._n))
        counts = self._poisson_counts(rng, rate, resamples)
        totals = counts.sum(axis=1, dtype=np.int64)
        excess = np.flatnonzero(totals > self._n)
        while excess.size:
            counts[excess] = self._poisson_counts(rng, rate, excess.size)
            totals[excess] = counts[excess].sum(axis=1, dtype=np.int64)
            excess = excess[totals[excess] > self._n]
        missing = self._n - totals
        sets = self._sets_of(rng.integers(0, self._n, size=int(missing.sum())))
        sets += np.repeat(np.arange(resamples) * self._sizes.size, missing)
        np.add.at(counts.reshape(-1), sets, counts.dtype.type(1))
        in_place = np.empty_like(counts)
        in_place[:, self._order] = counts
        return in_place

    def _poisson_counts(self, rng: Generator, rate: float, resamples: int) -> Counts:
        """Return independent Poisson counts of the ordered sets, [resamples, K]."""
        # A larger count has a probability below 1e-50; so it is for sets of up to 32 rows and 255.
        most = 4 * int(self._large[-1]) + 256 if self._large.size else 255
        counts = np.empty((resamples, self._sizes.size), np.min_scalar_type(most))
        of_rows = np.empty((resamples, self._rows), np.uint8)
        _fill(rng, _poisson(rate), of_rows.reshape(-1))
        first_set = first_row = 0
        for size, number in enumerate(self._numbers[: _MOST_IN_SET + 1].tolist()):
            of_sets = counts[:, first_set : first_set + number]
            of_sets[...] = of_rows[:, first_row : first_row + number]
            for row in range(1, size):
                start = first_row + row * number
                of_sets += of_rows[:, start : start + number]
            first_set += number
            first_row += size * number
        drawn_at_once = rng.poisson(rate * self._large, (resamples, self._large.size))
        counts[:, self._small :] = drawn_at_once
        return counts

    def _sets_of(self, rows: Ints) -> Ints:
        """Return the place among the ordered sets of each of some rows."""
        numbers = self._numbers[: _MOST_IN_SET + 1]
        ends = np.cumsum(numbers * np.arange(numbers.size))
        size = np.searchsorted(ends, rows, side="right")
        sets = self._small + np.searchsorted(self._ends_of_large, rows, side="right")
        is_small = size < numbers.size
        size = size[is_small]
        first_row = (ends - numbers * np.arange(numbers.size))[size]
        first_set = (np.cumsum(numbers) - numbers)[size]
        sets[is_small] = first_set + (rows[is_small] - first_row) % numbers[size]
        return sets


class SetsWithin:
    """Draws how often each of K sets of rows occurs, given the counts of larger sets of them.

    ``within`` [K] are the larger sets, ascending, and ``sizes`` [K] the numbers of rows. A larger
    set's count is divided between two halves of its sets, whose share of it is binomial, then
    theirs between their halves, and so on: so the counts are multinomial.
    """

    def __init__(self, within: Ints, sizes: Ints) -> None:
        self._size = sizes.size
        self._starts = _starts(within)
        before = np.concatenate([[0], np.cumsum(sizes)])
        #: The first sets of halves that are divided at once, and the first half's share of rows.
        self._divisions: list[tuple[Ints, Ints, Floats]] = []
        first = self._starts
        last = np.append(first[1:], self._size)
        while (last - first > 1).any():
            several = last - first > 1
            first = first[several]
            last = last[several]
            middle = (first + last) // 2
            of_both = before[last] - before[first]
            self._divisions.append((first, middle, (before[middle] - before[first]) / of_both))
            first = np.concatenate([first, middle])
            last = np.concatenate([middle, last])

    def draw(self, rng: Generator, counts: Counts) -> Ints:
        """Return the counts [R, K] of the sets, of which those of the larger ones are given."""
        drawn = np.zeros((len(counts), self._size), np.int64)
        drawn[:, self._starts] = counts
        for first, middle, share in self._divisions:
            of_both = drawn[:, first]
            of_first = rng.binomial(of_both, share)
            drawn[:, first] = of_first
            drawn[:, middle] = of_both - of_first
        return drawn


class RowsWithin:
    """Draws how often each of n rows occurs, given the counts of sets of them.

    ``within`` [n] are the sets, ascending. Within a set, all rows are drawn alike.
    """

    def __init__(self, within: Ints) -> None:
        self._n = within.size
        self._starts = _starts(within)
        self._sizes = np.diff(self._starts, append=within.size)

    def draw(self, rng: Generator, counts: Counts) -> DrawCounts:
        """Return the counts [R, n] of the rows, of which those of the sets are given."""
        of_rows = np.empty((len(counts), self._n), np.uint8)
        for row, drawn in zip(of_rows, counts, strict=True):
            places = rng.random(int(drawn.sum(dtype=np.int64)))
            places *= np.repeat(self._sizes, drawn)
            rows = np.repeat(self._starts, drawn) + places.astype(np.intp)
            row[:] = np.bincount(rows, minlength=self._n)
        return of_rows


def _starts(within: Ints) -> Ints:
    """Return the first place of each of the sets ``within``, ascending, that places lie in."""
    return np.flatnonzero(np.diff(within, prepend=-1))


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


# Distinct rows ------------------------------------------------------------------------------------

# Rows that no metric tells apart: only how often all of them together are drawn matters.
#
# Where entries predict a few labels, most rows have equals: with the same outcomes of every entry
# by every metric. How often each distinct row is drawn is multinomial, too, and takes no longer to
# draw for a million rows than for a thousand. The draws may be kept for the inference that weights
# the units by them.


#: To draw the count of a distinct row takes as long as to draw those of so many rows, and fewer
#: rows are drawn in a moment anyway.
_COST = 32
_FEW_ROWS = 20_000
#: The same where draws are studentized, which takes far longer, and as long for each distinct row.
_COST_OF_STUDENTIZED = 3
#: The most statistics of all rows that are compared, and the most numbers in a table of them.
_MOST = 2**28
_TABLE = 2**22
#: The largest number that stands for the values of a row.
_LARGEST_CODE = 2**62
#: The most bytes of draws that are kept if the settings ask for what uses them, and if not.
_MOST_KEPT = 2**28
_FEW_KEPT = 2**22


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The K sets of N rows within which all are equal.

    A baseline tells more rows apart. It must not change the draws of the others, so the sets of
    rows that are equal for those are drawn first, ``outer``, and these within them; None if there
    is no baseline.
    """

    sets: Array  # [N] the set of each row, 0 … K−1, in the least bytes
    first: Ints  # [K] the first row of each set
    sizes: Ints  # [K] numbers of rows
    outer: DistinctRows | None = None

    @classmethod
    def from_design(
        cls,
        scorers: Sequence[Scorer],
        design: Design,
        settings: Settings,
        competing: Sequence[Sequence[int]] | None = None,
    ) -> DistinctRows | None:
        """Return the sets of rows that have the same statistics in every metric, and one stratum.

        ``competing`` are the rows of each scorer's entries that are no baselines; None for all.
        None if slices or groups need the draws of every row, if the sets are too many to pay off,
        and if some scores are not functions of sums of whole numbers over all rows. The choice
        depends on the data of the competing entries, never on a measured time. Where baselines have
        too many sets, or other numbers, each row is a set of its own.
        """
        studentized = settings.studentized == "always"
        cost = _COST_OF_STUDENTIZED if studentized else _COST
        few = design.n < _FEW_ROWS and not studentized and design.sizes is None
        if few or settings.slices or design.units is not None:
            return None
        if any(part.rows is not None for scorer in scorers for part in scorer.parts):
            return None
        every = [range(scorer.m) for scorer in scorers]
        chosen = every if competing is None else competing
        baselines = [
            sorted({*rows}.difference(rows_of_competing))
            for rows, rows_of_competing in zip(every, chosen, strict=True)
        ]
        of_competing = _statistics(scorers, chosen)
        of_baselines = _statistics(scorers, baselines)
        if not of_competing or of_baselines is None:
            return None
        strata = [] if design.strata is None else [design.strata]
        most = design.n // cost if design.sizes is None else design.n
        outer = _told_apart([*strata, *of_competing], most)
        if outer is None:
            return None
        sets = cls._of(outer, design)
        if not any(baselines):
            return sets
        finer = _told_apart([outer, *of_baselines], most)
        if finer is not None:
            of_all = cls._of(finer, design)
            return sets if of_all.size == sets.size else replace(of_all, outer=sets)
        order = np.argsort(outer, kind="stable")
        numbers = np.empty(design.n, np.min_scalar_type(design.n))
        numbers[order] = np.arange(design.n)
        sizes = np.ones(design.n, np.intp) if design.sizes is None else design.sizes[order]
        return cls(numbers, order, sizes, sets)

    @classmethod
    def _of(cls, sets: Array, design: Design) -> DistinctRows:
        """Return the sets that rows with the same number are in."""
        size = int(sets.max()) + 1
        sizes = np.zeros(size, np.intp)
        for some in chunks(sets.size, size):
            of_rows = None if design.sizes is None else design.sizes[some]
            sizes += np.bincount(sets[some], of_rows, size).astype(np.intp)
        first = np.empty(size, np.intp)
        for some in reversed([*chunks(sets.size)]):
            rows = np.arange(some.start, min(some.stop, sets.size))
            first[sets[some][::-1]] = rows[::-1]  # of one set, the last assignment stays
        return cls(sets, first, sizes)

    @property
    def size(self) -> int:
        """Number K of sets."""
        return self.sizes.size

    @property
    def grouping(self) -> Grouping:
        """How many rows each set stands for."""
        return Grouping(self.size, sizes=self.sizes)

    def share(self, values: Floats) -> bool:
        """Whether the rows of each set have the same values [N, m]."""
        return np.array_equal(values[self.first][self.sets], values)

    def design(self, of_rows: Design) -> Design:
        """Return what is drawn instead of rows: the sets, each with its size."""
        strata = None if of_rows.strata is None else of_rows.strata[self.first]
        if self.outer is None:
            return Design(self.size, strata=strata, sizes=self.sizes)
        are_rows = self.size == self.sets.size and of_rows.sizes is None
        sizes = None if are_rows else self.sizes
        outer = self.outer.design(of_rows)
        return Design(self.size, strata=strata, sizes=sizes, outer=outer, within=self.within)

    @property
    def within(self) -> Ints:
        """The larger set [K] that each set lies in, ascending."""
        assert self.outer is not None
        return np.asarray(self.outer.sets[self.first], np.intp)

    def of_outer(self, counts: Counts) -> Counts:
        """Return how often the larger sets are drawn, given the draws [R, K] of these."""
        starts = _starts(self.within)
        return np.asarray(np.add.reduceat(counts, starts, axis=1, dtype=np.uint32))

    def take(self, scorers: Sequence[Scorer]) -> dict[Scorer, Scorer]:
        """Return what scores the draws of sets, for each scorer of the draws of rows."""
        of_sets: dict[Scorer, Scorer] = {}
        for scorer in scorers:
            scorer.take(self.first, of_sets)
        for scorer_of_sets in of_sets.values():
            scorer_of_sets.rows = None
        return of_sets

    def of_units(self, counts: Counts, numbers: Sequence[int], seed: int) -> DrawCounts:
        """Return how often each row is drawn, [R, N], given the draws [R, K] of sets.

        ``numbers`` [R] are those of the resamples. Within a set, all rows are drawn alike.
        """
        order = np.argsort(self.sets, kind="stable")
        starts = np.cumsum(self.sizes) - self.sizes
        counts_of_rows = np.empty((len(counts), self.sets.size), np.uint8)
        for row, number, drawn in zip(counts_of_rows, numbers, counts, strict=True):
            rng = generator_of_chunk(seed, number, 1)
            places = np.repeat(starts, drawn) + rng.integers(0, np.repeat(self.sizes, drawn))
            row[order] = np.bincount(places, minlength=self.sets.size)
        return counts_of_rows


def kept_counts(design: Design, resamples: int, settings: Settings, parts: int) -> Counts | None:
    """Return memory [B, N or K] for the draws of one of several parts; None if they are not kept.

    They are those of each unit, or each set of equal rows. To draw them again takes as long as to
    score most metrics, once for every metric and slice, so they are kept where they are few, or
    sure to be used. Only workers on this machine fill it in: forked processes share the memory.
    """
    used = settings.studentized == "always" or bool(settings.slices)
    most = min(_MOST_KEPT, int(settings.memory * 2**30) // 8) // parts if used else _FEW_KEPT
    needed = design.size * resamples * design.type.itemsize
    if settings.studentized == "never" or needed > most or design.is_crossed:
        return None
    if design.sizes is None:
        return shared_zeros((resamples, design.size), design.type)
    # They are later multiplied set by set.
    return shared_zeros((design.size, resamples), design.type).T


def _statistics(scorers: Sequence[Scorer], entries: Sequence[Sequence[int]]) -> list[Array] | None:
    """Return what scores of some entries of each scorer know of rows, [n] each, all different.

    None if some scores are no functions of counts of rows.
    """
    columns: dict[int, Array] = {}
    for scorer, rows in zip(scorers, entries, strict=True):
        of_scorer = scorer.columns_of(rows)
        if of_scorer is None:
            return None
        columns.update((id(column), column) for column in of_scorer)
    return list(columns.values())


def _told_apart(columns: Sequence[Array], most: int) -> Array | None:
    """Return the number of each row's values in the columns [n], as `_numbered`.

    None if they are no whole numbers, too many to be compared, or have more than ``most`` values.
    """
    if len(columns) * len(columns[0]) > _MOST:
        return None
    if any(scattered(column) is not None for column in columns):
        return None
    whole = [smallest(column) for column in columns if (column[:64] % 1 == 0).all()]
    if len(whole) < len(columns) or any(column.dtype.kind == "f" for column in whole):
        return None
    return _numbered(whole, most)


def _numbered(columns: Sequence[Array], most: int) -> Array | None:
    """Return the number of each row's values, 0 … K−1 in their order; None if K exceeds ``most``.

    Numbers of what the columns so far hold are combined with the next one, and only now and then
    made the smallest possible. So nothing is sorted unless there are millions of sets, or a
    column's values lie far apart.
    """
    codes: Array = np.zeros(len(columns[0]), np.uint8)
    size = 1
    for column in columns:
        low = int(column.min())
        width = int(column.max()) - low + 1
        if size * width > (_TABLE if size <= _TABLE else _LARGEST_CODE):
            codes, size = _smallest(codes, size)
            if size > most:
                return None
        size = size * width
        combined = np.empty(codes.size, np.min_scalar_type(size - 1))
        for some in chunks(codes.size):
            above = column[some].astype(np.int64) - low
            combined[some] = codes[some].astype(np.int64) * width + above
        codes = combined
    codes, size = _smallest(codes, size)
    return codes if size <= most else None


def _smallest(codes: Array, size: int) -> tuple[Array, int]:
    """Number codes below ``size`` without gaps, in their order; return also how many there are."""
    if size > _TABLE:
        values, codes = np.unique(codes, return_inverse=True)
        return codes.astype(np.min_scalar_type(values.size - 1)), values.size
    occurs = np.zeros(size, np.bool_)
    for some in chunks(codes.size):
        occurs[codes[some]] = True
    count = int(np.count_nonzero(occurs))
    numbers = np.cumsum(occurs) - 1
    numbered = np.empty(codes.size, np.min_scalar_type(count - 1))
    for some in chunks(codes.size):
        numbered[some] = numbers[codes[some]]
    return numbered, count
