"""The regrade certificate: how many wrong gold labels would change the order.

For the leader and a rival it is the smallest number of gold labels that, changed, draw the rival
level with the leader or put it ahead. Under accuracy, changing an example that only the leader gets
right to the rival's label moves the difference by 2/n, and no change moves it further: ⌈d/2⌉
changes are needed and suffice, where d is the difference in correct examples. There are at least d
examples that only the leader gets right. Where the rival sent no answer to some of them, a change
there moves the difference by 1/n only. With c examples that the rival did answer, max(⌈d/2⌉, d − c)
changes are needed and suffice.

For other metrics of labels the changes are chosen one by one, each the one that helps the rival
most. That is an upper bound of the smallest number. Only examples on which the two entries differ,
and that both have answered, are changed; examples on which they agree might help, too. Of examples
that are exchangeable for the scores (see `LabelCells`), those are changed whose gold most other
entries contradict.

How firm the lead is where labels are wrong at random, wherever they are, `leader_stays` tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.cells import grouped
from ..core.phrases import ngettext_noop
from ..metrics import Metric
from ..scoring.scorer import Scorer
from ..scoring.scorers import SumsScorer
from .answer_field import AuditedPart, LabelField
from .page import Finding, Outcome, Page
from .regrade import bound_again, oriented

#: A change of a label: from the gold's, where the leader and the rival give these, to a new one.
LabelChange = tuple[int, int, int, int]
#: Metrics that follow from the number of correct labels, without parameters.
_ACCURACIES = ("accuracy_score", "zero_one_loss")
#: Scores that differ by less are level.
_LEVEL = 1e-12
#: Most changes that are looked for; a rival that needs more is far behind.
MOST_CHANGES = 1000
#: Share of the way to level that changes may go at once.
_STRIDE = 0.25
#: For so many possible moves, one more is made at once.
_CELLS_PER_MOVE = 40
#: With more labels than this, a changed label becomes the rival's, not any other one.
_FEW_LABELS = 12
#: Shares of labels that are wrong at random, and how many such golds are drawn for each.
SHARES, DRAWS = (0.01, 0.02, 0.05), 200
#: The best rivals, of which one may take the lead where labels are wrong.
_BEST = 20
#: If the leader stays in fewer of the draws with the least noise, its lead hangs on few labels.
_FIRM = 0.95


#: How many wrong labels draw a rival level; and where these are all that could.
_LABELS = ngettext_noop(
    "{count:n} wrong gold label would be enough to put {rival} level with {leader}.",
    "{count:n} wrong gold labels would be enough to put {rival} level with {leader}.",
)
_ALL_LABELS = ngettext_noop(
    "If the one label on which they differ so is wrong, {rival} draws level with {leader}.",
    "If all {count:n} of these labels are wrong, {rival} draws level with {leader}.",
)


@dataclass(frozen=True)
class SuspectLabel:
    """A gold label to look at again.

    ``new`` is the label that would help the rival, which ``contradicting`` other entries give, too.
    ``counted`` says whether it is one of those that together draw the rival level.
    """

    example: int
    gold: str
    new: str
    contradicting: int
    counted: bool


def is_exact(metric: Metric) -> bool:
    """Whether no other choice of labels needs fewer changes."""
    return metric.function in _ACCURACIES and not metric.params


def certificate(
    scorer: Scorer, field: LabelField, leader: int, rival: int
) -> tuple[int | None, tuple[SuspectLabel, ...]]:
    """Return how many labels must be wrong for a rival to draw level, and those to choose from.

    The number is None if more than `MOST_CHANGES` are needed, or if no change helps. The labels are
    in the order in which to look at them, and changing those that are counted draws the rival
    level. The metric must be one that `reads_labels`.
    """
    if not is_exact(scorer.metric):
        chosen = _greedy(scorer, field, leader, rival)
        changes = None if chosen is None else sum(chosen.values())
        return changes, _suspects(field, leader, rival, chosen or {})
    behind = int(field.right[leader].sum() - field.right[rival].sum())
    helps = field.right[leader] & field.wrong[rival]
    half = -(-behind // 2)
    changes = max(0, half, behind - int(np.count_nonzero(helps)))
    cells = zip(field.gold[helps].tolist(), field.predicted[rival][helps].tolist(), strict=True)
    moves = Counter((gold, gold, answer, answer) for gold, answer in cells)
    # Each of them helps alike, so those that most others contradict are counted.
    return changes, tuple(
        replace(suspect, counted=place < changes)
        for place, suspect in enumerate(_suspects(field, leader, rival, moves))
    )


def _suspects(
    field: LabelField, leader: int, rival: int, moves: Mapping[LabelChange, int]
) -> tuple[SuspectLabel, ...]:
    """Return the examples of the cells that the moves concern, as often as each move is made.

    Where several moves concern a cell, the labels that help are dealt out from the most frequent
    one on.
    """
    ours, theirs = field.predicted[leader], field.predicted[rival]
    answered = ~(field.absent[leader] | field.absent[rival])
    others = np.delete(field.predicted, [leader, rival], axis=0)
    others[np.delete(field.absent, [leader, rival], axis=0)] = -1
    suspects: list[SuspectLabel] = []
    of_cells = grouped((move[:3], (times, move[3])) for move, times in sorted(moves.items()))
    for (gold, own, answer), made in of_cells.items():
        cell = answered & (field.gold == gold) & (ours == own) & (theirs == answer)
        left = np.flatnonzero(cell)
        for place, (times, new) in enumerate(sorted(made, reverse=True), start=1):
            count = (others[:, left] == new).sum(axis=0)
            order = np.argsort(-count, kind="stable")
            taken = order if place == len(made) else order[:times]
            labels = str(field.labels[gold]), str(field.labels[new])
            suspects += [
                SuspectLabel(int(left[row]), *labels, int(count[row]), counted=rank < times)
                for rank, row in enumerate(taken)
            ]
            left = np.delete(left, taken)
    return tuple(sorted(suspects, key=lambda s: (-s.contradicting, s.example)))


def _greedy(
    scorer: Scorer, field: LabelField, leader: int, rival: int
) -> dict[LabelChange, int] | None:
    """Return how often each change is made; None if too many are needed, or if none helps."""
    cells = LabelCells.from_scorer(scorer, field, leader, rival)
    counts, movable = cells.counts.copy(), cells.movable.copy()
    made: dict[LabelChange, int] = {}
    behind = float(cells.behind(counts)[0])
    while behind > _LEVEL:
        moves = np.flatnonzero(movable[cells.sources] > 0)
        gains = behind - cells.behind(counts, moves)
        chosen = _chosen(gains, cells.sources[moves], movable, behind)
        if not chosen or sum(made.values()) + sum(chosen.values()) > MOST_CHANGES:
            return None
        for place, times in chosen.items():
            source, target = cells.sources[moves[place]], cells.targets[moves[place]]
            movable[source] -= times
            counts[source] -= times
            counts[target] += times
            gold, own, answer = cells.labels[:, source].tolist()
            change = (gold, own, answer, int(cells.labels[0, target]))
            made[change] = made.get(change, 0) + times
        behind = float(cells.behind(counts)[0])
    return made


def _chosen(gains: Floats, sources: Ints, movable: Ints, behind: float) -> dict[int, int]:
    """Return how often to make which of the moves at once: the best one, or a share of the way.

    Far from level, several times the same move and, among many cells, several moves save most of
    the time and loosen the bound by little.
    """
    chosen: dict[int, int] = {}
    left, used = _STRIDE * behind, set()
    most = 1 + len(gains) // _CELLS_PER_MOVE
    for place in np.argsort(-np.nan_to_num(gains, nan=-np.inf), kind="stable").tolist():
        gain, source = float(gains[place]), int(sources[place])
        if not gain > _LEVEL or (chosen and gain > left) or len(chosen) >= most:
            break
        if source not in used:
            times = min(int(movable[source]), max(1, int(left / gain)))
            chosen[place] = times
            used.add(source)
            left -= times * gain
    return chosen


@dataclass(frozen=True, eq=False)
class LabelCells:
    """Examples counted by their gold label and two entries' labels, which decide the two scores.

    Examples with the same three labels are exchangeable. So a change of a gold label is a move of
    one example from a cell to another that may help the rival, and the scores after it follow from
    the sums of the statistics.

    ``labels`` [3, cells] are the gold's, the leader's and the rival's labels as numbers. Move k
    changes an example of the cell ``sources[k]`` into one of the cell ``targets[k]``. Examples are
    moved once, and only if both have answered them: ``movable`` [cells] counts those.
    """

    scorer: Scorer  # of the cells as rows
    labels: Ints
    counts: Ints  # [cells]
    movable: Ints
    sources: Ints
    targets: Ints

    @classmethod
    def from_scorer(cls, scorer: Scorer, field: LabelField, leader: int, rival: int) -> LabelCells:
        """Count the examples of a field; the metric must be one that `reads_labels`."""
        rows = np.stack([field.gold, field.predicted[leader], field.predicted[rival]])
        found, of_row = np.unique(rows, axis=1, return_inverse=True)
        of_row = of_row.reshape(-1)
        answered = ~(field.absent[leader] | field.absent[rival])
        movable = np.bincount(of_row[answered], minlength=found.shape[1])
        sources, new = _moves(found, movable, len(field.labels))
        moved = np.stack([new, *found[1:, sources]])
        labels, place = np.unique(np.hstack([found, moved]), axis=1, return_inverse=True)
        place = place.reshape(-1)
        first, targets = place[: found.shape[1]], place[found.shape[1] :]
        counts = np.zeros((2, labels.shape[1]), np.intp)
        counts[0, first], counts[1, first] = np.bincount(of_row, minlength=len(first)), movable
        texts = [field.texts(row) for row in labels]
        bound = bound_again(scorer, texts[0], texts[1:], ("leader", "rival"))
        return cls(bound, labels, counts[0], counts[1], first[sources], targets)

    @cached_property
    def _columns(self) -> list[tuple[Floats, Floats]]:
        """The statistics of the cells by each part of the metric, and what each move adds to them.

        [m·K, cells] and [m·K, moves]; empty where the metric's function is called.
        """
        sums = [part.sums for part in self.scorer.parts if isinstance(part, SumsScorer)]
        flat = [np.array(one.flat(), np.float64) for one in sums]
        differences = [(one, one[:, self.targets] - one[:, self.sources]) for one in flat]
        return differences if len(differences) == len(self.scorer.parts) else []

    def behind(self, counts: Ints, moves: Ints | None = None) -> Floats:
        """Return how far the rival is behind after each of the moves, or without any."""
        parts = []
        for part, (columns, changes) in zip(self.scorer.parts, self._columns, strict=False):
            assert isinstance(part, SumsScorer)
            total = (columns @ counts)[:, None]
            after = total if moves is None else total + changes[:, moves]
            parts.append(part.sums.finish_flat(after).transposed)
        if not parts:  # the metric's function is called
            drawn = np.repeat(counts[None], 1 if moves is None else len(moves), axis=0)
            if moves is not None:
                steps = np.arange(len(moves))
                drawn[steps, self.sources[moves]] -= 1
                drawn[steps, self.targets[moves]] += 1
            parts = [part.replicate(drawn) for part in self.scorer.parts]
        values = oriented(self.scorer.metric, self.scorer.combine(parts).values)
        return np.asarray(values[:, 0] - values[:, 1])


def _moves(labels: Ints, movable: Ints, classes: int) -> tuple[Ints, Ints]:
    """Return the cells that moves start from, and the new gold labels.

    ``labels`` [3, cells] are the gold's, the leader's and the rival's. Only examples on which the
    two differ are moved.
    """
    gold, ours, theirs = labels
    starts = np.flatnonzero((ours != theirs) & (movable > 0))
    if classes <= _FEW_LABELS:
        sources, new = np.repeat(starts, classes), np.tile(np.arange(classes), len(starts))
    else:
        sources, new = starts, theirs[starts]
    changed = gold[sources] != new
    return sources[changed], new[changed]


def leader_stays(
    scorer: Scorer, field: LabelField, own: Sequence[int], rivals: Sequence[int], seed: int
) -> Mapping[float, float]:
    """Return share of noise → share of noisy golds under which the leader still has the best score.

    Each label is replaced with the given probability by one of the other labels, all equally
    likely. ``own`` are the leader and the other runs of its team, ``rivals`` the entries that may
    take the lead. A leader that a rival draws level with stays the leader.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x6E6F697365,)))
    entries = [*own, *rivals]
    names = [field.names[entry] for entry in entries]
    classes = len(field.labels)
    stays = {}
    for share in SHARES:
        stayed = 0
        for _ in range(DRAWS):
            wrong = rng.random(len(field.gold)) < share
            shift = rng.integers(1, classes, len(field.gold)) if classes > 1 else 0
            noisy = np.where(wrong, (field.gold + shift) % classes, field.gold)
            predictions = [field.answers_to(noisy, entry) for entry in entries]
            again = bound_again(scorer, field.texts(noisy), predictions, names)
            scores = oriented(scorer.metric, again.observation.values)
            stayed += bool(np.nanmax(scores[: len(own)]) >= np.nanmax(scores))
        stays[share] = stayed / DRAWS
    return stays


def certificates(page: Page, part: AuditedPart) -> Outcome:
    """Say how many wrong labels would change the order, and how often random errors do."""
    say, names, leader, field = page.say, part.evidence.names, part.leader, part.decisive
    if field is None:
        return Outcome({} if part.labels is None else {"certificate": [], "leader_stays": {}})
    exact, seed = is_exact(part.scorer.metric), part.settings.seed
    found = {rival: certificate(part.scorer, field, part.order[0], rival) for rival in part.near}
    stays = leader_stays(part.scorer, field, part.own, part.others[:_BEST], seed)
    rows = [
        {
            "rival": names[rival],
            "changes": changes,
            "exact": exact,
            "candidates": len(suspects),
            "examples": [part.ids[suspect.example] for suspect in suspects],
            "smallest_set": [
                {"id": part.ids[suspect.example], "label": suspect.new}
                for suspect in suspects
                if suspect.counted
            ],
        }
        for rival, (changes, suspects) in found.items()
    ]
    of_noise = {f"{share:g}": stayed for share, stayed in stays.items()}
    content = {"certificate": rows, "leader_stays": of_noise}
    if not rows:
        return Outcome(content)
    table = page.table(
        "certificate",
        say(
            "The fewest gold labels that, changed, draw each rival level with {leader}, and the "
            "number of labels to choose from.",
            leader=leader,
        ),
        rows,
        [
            page.words("entry", say("Rival"), itemgetter("rival")),
            page.fewest("changes", say("Labels that must be wrong"), "changes"),
            page.counts("candidates", say("Labels to choose from"), itemgetter("candidates")),
        ],
    )
    brief = _brief(page, leader, stays)
    how = say(
        "Each label is replaced with this probability by one of the others, all equally likely."
    )
    heading, look = say("How many wrong labels would change the order?"), stays[min(stays)] < _FIRM
    said = [f"{brief} {how}"]
    first = page.finding("certificate", heading, brief, said, table, whole=True, look=look)

    def sentence(row: Mapping[str, Any]) -> tuple[str, str]:
        known = exact or row["changes"] == 1  # they are not level without any change
        return _ALL_LABELS if known and row["changes"] == row["candidates"] else _LABELS

    verdict = page.strongest(rows, "changes", sentence, leader=leader)
    return Outcome(content, (first, *_to_look_at(page, part, found)), verdict)


def _brief(page: Page, leader: str, stays: Mapping[float, float]) -> str:
    """Say how often the leader stays ahead, share of noise → share of draws."""
    noise = [
        page.say(
            "with {share} wrong labels in {stays} of the draws",
            share=page.language.numerals.exact_percent(share),
            stays=page.language.numerals.percent(stayed),
        )
        for share, stayed in stays.items()
    ]
    return page.say(
        "If labels are wrong at random, {leader} stays ahead {draws}.",
        leader=leader,
        draws=page.language.listed(noise),
    )


def _to_look_at(
    page: Page, part: AuditedPart, found: Mapping[int, tuple[int | None, Sequence[SuspectLabel]]]
) -> Iterator[Finding]:
    """Yield the gold labels to look at again: those that most entries contradict come first."""
    names, ids = part.evidence.names, part.ids
    helped: dict[tuple[int, str], tuple[SuspectLabel, tuple[str, ...]]] = {}
    for rival in part.deciding([*found]):
        for suspect in found[rival][1]:
            key = (suspect.example, suspect.new)
            rivals = helped[key][1] if key in helped else ()
            helped[key] = (suspect, (*rivals, names[rival]))
    if not helped:
        return
    rows = sorted(helped.values(), key=lambda row: (-row[0].contradicting, row[0].example))
    say = page.say
    table = page.table(
        "labels_to_check",
        say(
            "{Things} whose gold label decides between the leader and another possible winner, "
            "or else the next entry. Those that the most other entries contradict come first. Look "
            "at all of them in the same way, whomever they help."
        ),
        rows,
        [
            page.words("id", say("{Thing}"), lambda row: ids[row[0].example]),
            page.words("gold", say("Gold label"), lambda row: row[0].gold),
            page.words("answer", say("Label that would help"), lambda row: row[0].new),
            page.counts(
                "contradicting", say("Other entries that give it"), lambda row: row[0].contradicting
            ),
            page.words("rivals", say("Helps"), lambda row: page.language.joined(row[1])),
        ],
    )
    others = max(1, len(names) - 2)
    most = sum(2 * suspect.contradicting > others for suspect, _ in rows)
    brief = say(
        "{count:n} label decides between the first entries.",
        "{count:n} labels decide between the first entries.",
        count=len(rows),
    )
    if most:
        contradicted = say(
            "Most other entries contradict {count:n} of them.",
            "Most other entries contradict {count:n} of them.",
            count=most,
        )
        brief = f"{brief} {contradicted}"
    heading = say("Labels to look at again")
    yield page.finding("suspects", heading, brief, table=table, look=True)
