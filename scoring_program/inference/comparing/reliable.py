"""Which comparisons are reliable, and what judges the others alone (algorithm D, families).

The families of B, C and D hold reliable pairs only. So the odd examples of a third entry decide
nothing about two others, and a pair about which the data say nothing takes no confidence from the
other pairs. A pair is reliable if, in this order,

- the metric is defined on every resample;
- the two differ on at least `FEW` examples, lying in at least so many groups where whole groups are
  resampled (`scoring.diagnostics.ComparedAnswers`), or in all groups of a kind that has fewer where
  two kinds cross;
- its standard error is above 0;
- it is not heavy-tailed (`comparisons`).

Any other pair is judged alone, one entry being shown better where the p-value is below
α / (2(m − 1)), m entries being able to win:

- one with heavy tails, or whose difference no resample changes: by rule D′ (`behind_outright`);
- one that differs on fewer examples: by McNemar's exact one-sided test, where scores are right or
  wrong and rows are resampled; else not at all;
- one without a score on every resample: not at all.

The family of entry i has the level α_i = α(1 − u_i / (2(m − 1))), u_i being the number of its
rivals that are judged alone by a test that can act. So all tests about i together have the level α.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from ...core.arrays import Array, Bools, Floats, Ints, chunks
from ...core.grouping import Grouping
from ...core.phrases import Phrase
from ...core.rounding import negligible
from ...metrics import without_formulas
from ...scoring.diagnostics import ComparedAnswers
from ..basis import Basis, MetricScores
from ..evidence import Caution
from ..normal import CROSSED

#: Fewer examples, or groups, on which two entries differ tell nothing about resamples.
FEW = 10
#: Why a pair is in no family; the number of a reason is its place. The first is that of all others.
RELIABLE, UNDEFINED, FEW_DIFFER, CONSTANT, HEAVY_TAILED = range(5)
#: Numbers of answers that are compared at once.
_AT_ONCE = 2**19
#: The fewest examples that are looked at before all are.
_FEWEST = 64


@dataclass(frozen=True, eq=False)
class Reliability:
    """Which pairs of k runs are reliable; every matrix [k, k] but ``only`` is symmetric.

    What the tests of single pairs show is `Reliability.shown`.
    """

    family: Bools  # pairs that are reliable; False on the diagonal and for runs of one team
    why: Ints  # `RELIABLE`, or why not
    acts: Bools  # pairs that are judged alone, by a test that can act
    level: float  # α / (2(m − 1)): a pair judged alone is shown where p is below
    alpha: Floats  # [k] α_i, the level of each run's family of those above it
    # How many examples the first alone gets right, where McNemar's test may judge; −1 in pairs with
    # an entry whose score is no share of right ones, and None if all are such.
    only: Ints | None

    @classmethod
    def from_basis(cls, basis: Basis, errors: Floats, tasks: int = 1) -> Reliability:
        """Judge the pairs of all runs of a basis; ``errors`` [k, k] are their standard errors.

        If ``tasks`` decide together, each takes its share of the level of single pairs.
        """
        scores = basis.scores
        field = basis.field
        theta = basis.bootstrap.theta
        level = level_alone(basis, tasks)
        equal = np.abs(theta[:, None] - theta) <= negligible(theta[:, None], theta)
        why = np.where(basis.heavy_tailed, HEAVY_TAILED, RELIABLE)
        why[errors == 0] = CONSTANT
        only = _only(scores.answers) if scores.groups is None else None
        if scores.answers:
            if only is None or (only < 0).any():
                normal = scores.normal
                crossed = normal is not None and normal.source == CROSSED
                differing = np.minimum.reduce(differences(scores.answers, crossed=crossed))
            else:
                differing = only + only.T
            why[differing < FEW] = FEW_DIFFER
        if scores.replicates.undefined:
            why[:] = UNDEFINED
        acts = np.zeros_like(field.rivals)
        if can_act(basis, tasks):
            acts = (why == CONSTANT) & ~equal
            if not beside_few_groups(basis):
                acts |= why == HEAVY_TAILED
        if only is not None:
            acts |= (why == FEW_DIFFER) & (only >= 0) & (0.5 ** np.abs(only + only.T) < level)
        acts &= field.rivals
        able = field.competing
        alone = np.count_nonzero(acts[:, able], axis=1)
        alpha = np.where(able, basis.question.alpha - alone * level, basis.question.alpha)
        return cls(field.rivals & (why == RELIABLE), why, acts, level, alpha, only)

    def shown(self, basis: Basis) -> tuple[Bools, Bools]:
        """Return which pairs (better, worse) single tests show, [k, k]: rule D′, and McNemar's."""
        judged = self.acts & ((self.why == CONSTANT) | (self.why == HEAVY_TAILED))
        by_counting = behind_outright(basis, judged, self.level)
        by_mcnemar = np.zeros_like(judged)
        if self.only is not None:
            for i, j in np.argwhere(self.acts & (self.why == FEW_DIFFER)):
                by_mcnemar[i, j] = mcnemar(int(self.only[i, j]), int(self.only[j, i])) < self.level
        return by_counting, by_mcnemar


def mcnemar(only_first: int, only_second: int) -> float:
    """Return McNemar's exact one-sided p that the first of two entries is better.

    The arguments count the examples that only one of them gets right.
    """
    n = only_first + only_second
    outcomes: int = sum(math.comb(n, k) for k in range(only_first, n + 1))
    return float(outcomes / 2**n)


def _only(tests: Sequence[ComparedAnswers]) -> Ints | None:
    """Return how many examples the first of two entries alone gets right, [k, k]."""
    if len(tests) != 1 or (right := tests[0].right) is None:
        return None
    sizes = tests[0].grouping.sizes
    only = np.zeros((right.shape[1], right.shape[1]), np.intp)
    for rows in chunks(len(right)):  # few enough to be counted in single precision
        ours: Array = right[rows].astype(np.float32 if sizes is None else np.float64)
        counted: Array = ours if sizes is None else sizes[rows, None] * ours
        only += np.rint(counted.T @ (1 - ours)).astype(np.intp)
    lacking = ~tests[0].have_right
    only[lacking[:, None] | lacking] = -1
    return only


def differences(tests: Sequence[ComparedAnswers], *, crossed: bool = False) -> tuple[Ints, Ints]:
    """Return on how many examples two entries differ, [k, k], and in how many groups they lie.

    The numbers are those in all test sets together, or lower ones that are `FEW` or more. Where
    rows are resampled, every example is a group. Where variances of ``crossed`` groups are added
    up, the t distribution allows for few groups of a kind: those that a kind lacks to `FEW` count.
    """
    looked = [_strided(answers) for answers in tests]
    count = partial(_of_every_pair, crossed=crossed)
    counts = [count(answers, rows) for answers, rows in zip(tests, looked, strict=True)]
    examples, groups = (np.sum(numbers, axis=0) for numbers in zip(*counts, strict=True))
    if any(rows.step != 1 for rows in looked):
        few = np.triu(np.minimum(examples, groups) < FEW, 1)
        for i, j in np.argwhere(few):
            pair = [int(i), int(j)]
            every = slice(None)
            exact = np.sum([count(answers.keep(pair), every) for answers in tests], axis=0)
            examples[i, j], groups[i, j] = examples[j, i], groups[j, i] = exact[:, 0, 1]
    return examples, groups


def _strided(answers: ComparedAnswers) -> slice:
    """Return rows that tell most pairs apart: all, or so few that they are compared at once."""
    if answers.grouping.sizes is not None:
        return slice(None, None, 1)
    columns: list[Array] = []
    for layer in answers.layers:
        columns += layer.answers
        columns += chain.from_iterable(layer.counts or ())
    cells = sum(int(np.prod(column.shape[1:])) for column in columns)
    return slice(None, None, max(1, min(answers.n * cells // _AT_ONCE, answers.n // _FEWEST)))


def _of_every_pair(answers: ComparedAnswers, rows: slice, *, crossed: bool) -> tuple[Ints, Ints]:
    """Return the numbers of examples and of groups among some rows, [k, k] each."""
    lacking = _lacking(answers.grouping, crossed=crossed)
    size = len(answers.layers[0].answers)
    examples = np.zeros((size, size), np.intp)
    groups = np.zeros((size, size), np.intp)
    grouping = answers.grouping.take(rows)
    # Of every layer, the answers and, if there are any, the counts of the rows: [k, b, K] each.
    stacks = []
    for layer in answers.layers:
        stack = [_together([answer[rows] for answer in layer.answers])]
        if layer.counts is not None:
            stack.append(_together([_side_by_side(columns, rows) for columns in layer.counts]))
        stacks.append(stack)
    for i in range(size - 1):
        differ = np.zeros((size - i - 1, len(stacks[0][0][0])), np.bool_)
        for stack in stacks:
            # Its counts, if it has any, must differ, too.
            differ |= np.logical_and.reduce([_unequal(cells[i], cells[i + 1 :]) for cells in stack])
        counted = _counted(differ, grouping, lacking)
        for numbers, of_pairs in zip((examples, groups), counted, strict=True):
            numbers[i, i + 1 :] = numbers[i + 1 :, i] = of_pairs
    return examples, groups


def _lacking(grouping: Grouping, *, crossed: bool) -> Ints:
    """Return how many groups of each of the kinds [1] or [2] lack to `FEW`; 0 unless ``crossed``.

    Rows that are resampled themselves are of no kind.
    """
    if grouping.units is None:
        return np.zeros(0, np.intp)
    of_kinds = np.ptp(grouping.columns, axis=1) + 1
    return np.maximum(FEW - of_kinds, 0) if crossed else np.zeros_like(of_kinds)


def _side_by_side(columns: Sequence[Array], rows: slice) -> Array:
    """Return some rows of K columns, [b, K]."""
    return np.stack([column[rows] for column in columns], axis=1)


def _counted(differ: Bools, grouping: Grouping, lacking: Ints) -> tuple[Ints, Ints]:
    """Return how many examples of ``differ`` [k, b] are marked, in how many groups, [k] each.

    Of groups that are crossed, the fewer count; to those of each kind come the ``lacking`` ones.
    """
    examples = grouping.tally(differ.T)
    if grouping.units is None:
        return examples, examples
    of_columns = []
    for groups, more in zip(grouping.columns, lacking.tolist(), strict=True):
        order = np.argsort(groups, kind="stable")
        starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
        hit = np.logical_or.reduceat(differ[:, order], starts, axis=1)
        of_columns.append(np.count_nonzero(hit, axis=1) + more)
    return examples, np.minimum.reduce(of_columns)


def _together(arrays: Sequence[Array]) -> Array:
    """Stack arrays [b] or [b, K]; one that lacks columns differs from the others there."""
    cells = [array.reshape(len(array), -1) for array in arrays]
    width = max(array.shape[1] for array in cells)
    if any(array.shape[1] < width for array in cells):
        lacking = [np.full((len(array), width - array.shape[1]), None) for array in cells]
        cells = [np.hstack([array, none]) for array, none in zip(cells, lacking, strict=True)]
    return np.stack(cells)


def _unequal(first: Array, following: Array) -> Bools:
    """Return on which rows [k, b] some cell differs; ``first`` [b, K], ``following`` [k, b, K]."""
    unequal = np.asarray(first != following, np.bool_)
    if first.dtype.kind == "f":
        with np.errstate(invalid="ignore", over="ignore"):
            # On a unit on which one of the two was not judged (nan), they do not differ. Numbers
            # so far apart that their difference is infinite differ.
            unequal &= np.abs(first - following) > negligible(first, following)
    return unequal[:, :, 0] if unequal.shape[2] == 1 else np.asarray(unequal.any(axis=2))


# Outright -----------------------------------------------------------------------------------------

# Which entries are behind another one although errors of enormous size hide it (rule D′).
#
# One enormous error inflates the standard error of every difference from its entry. T collapses,
# and Holm's correction calls the entry tied, although it is behind on every resample. Algorithm D
# takes such pairs, which are heavy-tailed, out of its families. So j also counts as shown better
# than i where i reaches j on so few resamples that (1 + #{δ*_ji ≤ 0}) / (B + 1) < α / (2(m − 1)),
# and the difference has heavy tails or does not vary.
#
# Beside few groups it does not act on heavy tails: an entry may be ahead in every group by
# chance. With it, `max_t` keeps a truly best entry in .86 of simulated competitions of 6 groups
# (check 28).
#
# Where T tasks decide together, every task takes its share of the level: the m − 1 rivals of an
# entry in T tasks are one family, and the limit is α / (2T(m − 1)). With it, a best entry is kept
# in .98 of simulated competitions of 4 or 8 tasks with log-normal errors; with α / (2(m − 1)) in
# each task, in .95 and .93 (checks 11, log-normal errors).


#: Beside a smaller effective number of groups, the rule does not act on heavy tails.
FEW_GROUPS = 20
#: Numbers of differences in memory at once: 32 megabytes.
_DRAWN_AT_ONCE = 2**22


def level_alone(basis: Basis, tasks: int = 1) -> float:
    """Return α / (2T(m − 1)), m being the number of entries that can win."""
    return basis.question.alpha / (
        2 * tasks * max(int(np.count_nonzero(basis.field.competing)) - 1, 1)
    )


def can_act(basis: Basis, tasks: int = 1) -> bool:
    """Whether the resamples are enough for the smallest p-value, 1 / (B + 1)."""
    return basis.bootstrap.resamples >= _needed(basis, tasks)


def _needed(basis: Basis, tasks: int) -> int:
    """Return the fewest resamples B with 1 / (B + 1) below the level."""
    return math.floor(round(1 / level_alone(basis, tasks), 6))


def beside_few_groups(basis: Basis) -> bool:
    """Whether groups are resampled, and too few of them count."""
    groups = basis.scores.groups_in_effect
    return groups is not None and groups < FEW_GROUPS


def needed_resamples(basis: Basis, tasks: int = 1) -> int | None:
    """Return the resamples that the rule needs; None if it can act, or has nothing to act on."""
    among = np.ix_(basis.field.competing, basis.field.competing)
    concerned = not beside_few_groups(basis) and basis.heavy_tailed[among].any()
    return None if can_act(basis, tasks) or not concerned else _needed(basis, tasks)


def behind_outright(basis: Basis, judged: Bools, level: float) -> Bools:
    """Return [m, m], indexed (better, worse): pairs in which the worse one is behind outright.

    Only the pairs that ``judged`` [m, m] marks are looked at, and p has to be below the ``level``.
    """
    bootstrap = basis.bootstrap
    behind = np.zeros_like(judged)
    ahead = bootstrap.theta[:, None] > bootstrap.theta[None, :]
    better, worse = np.nonzero(judged & ahead)
    tolerance = negligible(bootstrap.theta[better], bootstrap.theta[worse])
    most = round(level * (bootstrap.resamples + 1), 9)
    step = max(1, _DRAWN_AT_ONCE // bootstrap.resamples)
    for start in range(0, better.size, step):
        pairs = slice(start, start + step)
        drawn = bootstrap.differences(better[pairs], worse[pairs])
        behind[better[pairs], worse[pairs]] = 1 + drawn.at_most(tolerance[pairs]) < most
    return behind


# Shared units -------------------------------------------------------------------------------------


# A mean over the judged units compares two entries well where both were judged on most of them: a
# hard unit then lowers both.
#: Of fewer units, intervals and p-values are approximate.
FEW_EXAMPLES = 100


def shared_units(tests: Sequence[ComparedAnswers]) -> Ints | None:
    """Return on how many units two entries were both judged, [m, m], and each with itself.

    None if every entry was judged on every unit of the test sets.
    """
    shared: Ints | None = None
    complete = True
    for answers in tests:
        judged = _judged(answers)
        complete &= bool(judged.all())
        in_common = np.rint(judged.astype(np.float32) @ judged.T.astype(np.float32)).astype(np.intp)
        shared = in_common if shared is None else shared + in_common
    return None if complete else shared


def _judged(answers: ComparedAnswers) -> Bools:
    """Return on which units every entry was judged, [m, n]: on those where it has all numbers."""
    judged = np.ones((len(answers.layers[0].answers), answers.n), np.bool_)
    for layer in answers.layers:
        for entry, answer in enumerate(layer.answers):
            judged[entry] &= ~np.isnan(answer.reshape(answers.n, -1)).any(axis=1)
    return judged


def about_sharing(scores: MetricScores) -> Iterator[Caution]:
    """Warn about entries that share few units, or were judged on few."""
    if not all(metric.of_scores for metric in without_formulas([scores.metric])):
        return
    shared = shared_units(scores.answers)
    if shared is None or len(shared) != len(scores.names):
        return
    names = scores.names
    judged = np.diag(shared)
    first, second = np.triu_indices(len(judged), 1)
    together = shared[first, second]
    most = np.maximum(judged[first], judged[second])
    share = together / np.maximum(most, 1)
    if (half := share < 0.5).any():
        least = int(share.argmin())
        message = Phrase(
            "{count:n} pair of entries shares less than half of the units on which one of them was "
            "judged: {first} and {second} share {shared:n} of {units:n}. Their difference is "
            "partly one between units. It means something only if chance decided who was judged "
            "where.",
            "{count:n} pairs of entries share less than half of the units on which one of them was "
            "judged: {first} and {second} share {shared:n} of {units:n}. Their difference is "
            "partly one between units. It means something only if chance decided who was judged "
            "where.",
            count=int(np.count_nonzero(half)),
            first=names[first[least]],
            second=names[second[least]],
            shared=int(together[least]),
            units=int(most[least]),
        )
        yield Caution("amber", "few_shared_units", int(np.count_nonzero(half)), message)
    if (apart := together < FEW).any():
        least = int(together.argmin())
        message = Phrase(
            "{count:n} pair of entries shares fewer than {limit:n} units, so max-T does not "
            "compare the two: {first} and {second} share {shared:n}.",
            "{count:n} pairs of entries share fewer than {limit:n} units, so max-T does not "
            "compare the two: {first} and {second} share {shared:n}.",
            count=int(np.count_nonzero(apart)),
            limit=FEW,
            first=names[first[least]],
            second=names[second[least]],
            shared=int(together[least]),
        )
        yield Caution("amber", "not_compared", int(np.count_nonzero(apart)), message)
    # Of few units in all, or of few that people scored, another caution tells.
    units = scores.n if scores.people is None else scores.people
    if (few := judged < FEW_EXAMPLES).any() and units >= FEW_EXAMPLES:
        message = Phrase(
            "{entries} was judged on fewer than {limit:n} units ({least:n}): its interval and "
            "p-values are approximate.",
            "{entries} were judged on fewer than {limit:n} units (as few as {least:n}): "
            "their intervals and p-values are approximate.",
            count=int(np.count_nonzero(few)),
            entries=tuple(name for name, is_few in zip(names, few, strict=True) if is_few),
            limit=FEW_EXAMPLES,
            least=int(judged.min()),
        )
        yield Caution("amber", "few_judged_units", int(judged.min()), message)
