"""How many examples would have to be withdrawn for a rival to draw level with the leader.

The regrade certificate changes labels. Where the gold holds no labels, or the metric does not read
them, an example whose gold is wrong can still be withdrawn. So for the leader and a rival this is
the smallest number of examples without which the rival is level or ahead (Broderick, Giordano and
Meager 2021, "An automatic finite-sample robustness metric").

Of a metric that is one mean over the examples (or its root), the examples that help the leader most
are withdrawn first, until the sum of the differences is gone: no other choice needs fewer. Other
metrics are scored again without the k examples of the largest influence, k = 1, 2, …. That is an
upper bound of the smallest number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..core.cells import grouped
from ..core.phrases import ngettext_noop
from ..scoring.scorer import Scorer
from ..scoring.scorers import FunctionScorer, SumsScorer
from .answer_field import AuditedPart
from .page import Finding, Outcome, Page
from .regrade import oriented

#: Most examples that are withdrawn; a rival that needs more is far behind.
MOST_WITHDRAWN = 1000
#: Resamples that an influence may take, see `Scorer.influence`.
_MOST_EVALUATIONS = 20_000
#: Scores that differ by less are level.
_LEVEL = 1e-12
#: Numbers of withdrawn examples that are scored at once.
_AT_ONCE = 50
#: How many of the examples draw a rival level.
_LEVEL_WITHOUT = ngettext_noop(
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
)
#: How few examples hold the order; whether their number is exact.
_WITHDRAWN = {
    True: ngettext_noop(
        "{leader} stays ahead of all rivals only as long as none of the {examples} is withdrawn.",
        "{leader} stays ahead of all rivals as long as fewer than {count:n} of the {examples} are "
        "withdrawn.",
    ),
    False: ngettext_noop(
        "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead "
        "alone.",
        "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead "
        "alone.",
    ),
}


#: Rival → the examples without which it draws level, the most helpful to the leader first; None if
#: more than `MOST_WITHDRAWN` are needed, or if there is no such set.
Withdrawals = Mapping[int, tuple[int, ...] | None]


def withdrawals(
    scorer: Scorer, names: Sequence[str], leader: int, rivals: Sequence[int]
) -> tuple[Withdrawals, bool]:
    """Return the withdrawal of each rival, and whether no other choice needs fewer examples.

    Leader and rivals number ``names``. There is none at all where the organizer's function would
    have to be called for each set of examples, or where examples have no influence on the score, as
    on a median.
    """
    if not rivals or any(isinstance(part, FunctionScorer) for part in scorer.parts):
        return {}, False
    chosen = [names[entry] for entry in (leader, *rivals)]
    kept = scorer.keep([scorer.names.index(name) for name in chosen], chosen)
    places = dict(zip(rivals, range(1, len(chosen)), strict=True))
    if (counted := _single_sums(kept)) is not None:
        return {one: _of_means(counted[0], counted[place]) for one, place in places.items()}, True
    if (influence := kept.influence(None, _MOST_EVALUATIONS)) is None:
        return {}, False
    higher = oriented(kept.metric, influence)
    return {one: _of_influence(kept, higher, place) for one, place in places.items()}, False


def _single_sums(scorer: Scorer) -> Floats | None:
    """Return what each example counts, [m, n], if the score is a mean of that or its root.

    The other one of two statistics must be the same number for all examples and entries, such as
    the count of the example itself. An organizer's function of one sum may be anything.
    """
    if not isinstance(scorer, SumsScorer) or scorer.metric.call or scorer.sums.shape[1] != 2:
        return None
    statistics = np.array(scorer.sums.columns, np.float64)  # [m, 2, n]
    constant = [np.ptp(statistics[:, column]) == 0 for column in (0, 1)]
    if not any(constant):
        return None
    return np.asarray(statistics[:, 0 if constant[1] else 1])


def _of_means(leader: Array, rival: Array) -> tuple[int, ...] | None:
    """Return the examples to withdraw where a score is the mean of what examples count, [n] each.

    Whether more or less is better follows from the leader's being ahead.
    """
    helps = leader - rival
    helps = helps * np.sign(helps.sum())
    order = np.argsort(-helps, kind="stable")
    left = helps.sum() - np.concatenate([[0.0], np.cumsum(helps[order])])
    fewest = int(np.flatnonzero(left <= _LEVEL * np.abs(helps).sum())[0])
    return _first(order, fewest)


def _of_influence(scorer: Scorer, influence: Floats, rival: int) -> tuple[int, ...] | None:
    """Return the examples to withdraw, by the influence [n, m]; the leader is the first entry."""
    helps = influence[:, 0] - influence[:, rival]
    order = np.argsort(-helps, kind="stable")
    most = min(MOST_WITHDRAWN, scorer.n - 1, int(np.count_nonzero(helps > 0)))
    pair = scorer.keep([0, rival], [scorer.names[0], scorer.names[rival]])
    place = np.empty(scorer.n, np.intp)
    place[order] = np.arange(scorer.n)
    for first in range(0, most + 1, _AT_ONCE):
        sizes = np.arange(first, min(first + _AT_ONCE, most + 1))
        counts = (place >= sizes[:, None]).astype(np.uint8)
        scores = oriented(pair.metric, pair.replicate(counts).values)
        level = np.flatnonzero(scores[:, 0] - scores[:, 1] <= _LEVEL)
        if level.size:
            return _first(order, int(sizes[level[0]]))
    return None


def _first(order: Ints, size: int) -> tuple[int, ...] | None:
    if size > min(MOST_WITHDRAWN, len(order) - 1):
        return None
    return tuple(order[:size].tolist())


def withdrawal(page: Page, part: AuditedPart) -> Outcome:
    """Say how few examples hold the order, where no labels do, and which to look at again."""
    names, leader = part.evidence.names, part.leader
    if part.decisive is not None:
        return Outcome()
    found, exact = withdrawals(part.scorer, names, part.order[0], part.near)
    if not found:
        return Outcome()
    say, examples = page.say, page.language.examples(part.kind, len(part.ids))
    items = [
        {
            "rival": names[rival],
            "fewest": None if rows is None else len(rows),
            "exact": exact,
            "examples": [part.ids[row] for row in rows or ()],
        }
        for rival, rows in found.items()
    ]
    table = page.table(
        "withdrawal",
        say(
            "The fewest {things} that, withdrawn because their gold is wrong, draw each rival "
            "level with {leader}."
            if part.has_gold
            else (
                "The fewest units that, withdrawn because their scores are wrong, draw each rival "
                "level with {leader}."
            ),
            leader=leader,
        ),
        items,
        [
            page.words("entry", say("Rival"), itemgetter("rival")),
            page.fewest("examples", say("{Things} to withdraw"), "fewest"),
        ],
    )
    brief = say("No small set of {things} decides whether {leader} stays ahead.", leader=leader)
    if known := [len(rows) for rows in found.values() if rows is not None]:
        brief = say(*_WITHDRAWN[exact], count=min(known), examples=examples, leader=leader)
    heading = say("How many {things} hold the order?")
    findings = [page.finding("withdrawal", heading, brief, table=table)]
    rivals = grouped(
        (row, names[rival]) for rival in part.deciding([*found]) for row in found[rival] or ()
    )
    if rivals:
        findings.append(_to_check(page, part, rivals))
    said = {"leader": leader, "examples": examples}
    verdict = page.strongest(items, "fewest", lambda _: _LEVEL_WITHOUT, **said)
    return Outcome({"withdrawal": items}, findings, verdict)


def _to_check(page: Page, part: AuditedPart, rivals: Mapping[int, Sequence[str]]) -> Finding:
    """Return the examples that hold the lead, with the rivals that they hold it over."""
    say, answers = page.say, part.answers
    columns = [page.words("id", say("{Thing}"), lambda row: part.ids[row[0]])]
    if answers is not None:
        columns.append(page.words("gold", say("Gold"), lambda row: answers.correct[row[0]]))
    helped = say("Helps the leader against")
    columns.append(page.words("names", helped, lambda row: page.language.joined(row[1])))
    table = page.table(
        "examples_to_check",
        say(
            "Without these {things}, another possible winner, or else the next entry, draws "
            "level. Those that help the leader against the most rivals come first, then those that "
            "help it most."
        ),
        sorted(rivals.items(), key=lambda item: -len(item[1])),
        columns,
    )
    brief = say(
        "{count:n} {thing} decides between the first entries.",
        "{count:n} {things} decide between the first entries.",
        count=len(rivals),
    )
    heading = say("{Things} to look at again")
    return page.finding("to_check", heading, brief, table=table, look=True)
