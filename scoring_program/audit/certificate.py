"""How few changes of the gold would change the order: of labels, or examples withdrawn.

The regrade certificate counts wrong gold labels.

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

Where the gold holds no labels, or the metric does not read
them, an example whose gold is wrong can still be withdrawn. So for the leader and a rival this is
the smallest number of examples without which the rival is level or ahead (Broderick, Giordano and
Meager 2021, "An automatic finite-sample robustness metric").

Of a metric that is one mean over the examples (or its root), the examples that help the leader most
are withdrawn first, until the sum of the differences is gone: no other choice needs fewer. Other
metrics are scored again without the k examples of the largest influence, k = 1, 2, …. That is an
upper bound of the smallest number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..core.cells import grouped
from ..core.phrases import ngettext_noop
from ..metrics import Metric
from ..scoring.scorer import Scorer
from ..scoring.scorers import FunctionScorer, SumsScorer
from .answers import Answers, AuditedPart, bound_again, oriented
from .page import Finding, Json, Outcome, Page

#: A change of a label: from the gold's, where the leader and the rival give these, to a new one.
LabelChange = tuple[int, int, int, int]
#: How often each is made.
Moves = Mapping[LabelChange, int]
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
SHARES = (0.01, 0.02, 0.05)
DRAWS = 200
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


#: How many labels must be wrong, None if this is not known, and those to choose from.
Certificate = tuple[int | None, tuple[SuspectLabel, ...]]


def is_exact(metric: Metric) -> bool:
    """Whether no other choice of labels needs fewer changes."""
    return metric.function in _ACCURACIES and not metric.params


def certificate(scorer: Scorer, field: Answers, leader: int, rival: int) -> Certificate:
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
    changes = max(0, -(-behind // 2), behind - int(np.count_nonzero(helps)))
    cells = zip(field.gold[helps].tolist(), field.predicted[rival][helps].tolist(), strict=True)
    moves = Counter((gold, gold, answer, answer) for gold, answer in cells)
    # Each of them helps alike, so those that most others contradict are counted.
    return changes, tuple(
        replace(suspect, counted=place < changes)
        for place, suspect in enumerate(_suspects(field, leader, rival, moves))
    )


def _suspects(field: Answers, leader: int, rival: int, moves: Moves) -> tuple[SuspectLabel, ...]:
    """Return the examples of the cells that the moves concern, as often as each move is made.

    Where several moves concern a cell, the labels that help are dealt out from the most frequent
    one on.
    """
    ours = field.predicted[leader]
    theirs = field.predicted[rival]
    answered = ~(field.absent[leader] | field.absent[rival])
    other_answers = np.delete(field.predicted, [leader, rival], axis=0)
    other_answers[np.delete(field.absent, [leader, rival], axis=0)] = -1
    suspects: list[SuspectLabel] = []
    moves_of_cells = grouped((move[:3], (times, move[3])) for move, times in sorted(moves.items()))
    for (gold, leader_label, rival_label), cell_moves in moves_of_cells.items():
        left = np.flatnonzero(
            answered & (field.gold == gold) & (ours == leader_label) & (theirs == rival_label)
        )
        for place, (times, new) in enumerate(sorted(cell_moves, reverse=True), start=1):
            count = (other_answers[:, left] == new).sum(axis=0)
            order = np.argsort(-count, kind="stable")
            taken = order if place == len(cell_moves) else order[:times]
            labels = str(field.labels[gold]), str(field.labels[new])
            suspects += [
                SuspectLabel(int(left[row]), *labels, int(count[row]), counted=rank < times)
                for rank, row in enumerate(taken)
            ]
            left = np.delete(left, taken)
    return tuple(sorted(suspects, key=lambda s: (-s.contradicting, s.example)))


def _greedy(scorer: Scorer, field: Answers, leader: int, rival: int) -> Moves | None:
    """Return how often each change is made; None if too many are needed, or if none helps."""
    cells = LabelCells(scorer, field, leader, rival)
    counts = cells.counts.copy()
    movable = cells.movable.copy()
    change_counts: dict[LabelChange, int] = {}
    behind = float(cells.behind(counts)[0])
    while behind > _LEVEL:
        moves = np.flatnonzero(movable[cells.sources] > 0)
        gains = behind - cells.behind(counts, moves)
        chosen = _chosen(gains, cells.sources[moves], movable, behind)
        if not chosen or sum(change_counts.values()) + sum(chosen.values()) > MOST_CHANGES:
            return None
        for place, times in chosen.items():
            source = cells.sources[moves[place]]
            target = cells.targets[moves[place]]
            movable[source] -= times
            counts[source] -= times
            counts[target] += times
            gold, leader_label, rival_label = cells.labels[:, source].tolist()
            change = (gold, leader_label, rival_label, int(cells.labels[0, target]))
            change_counts[change] = change_counts.get(change, 0) + times
        behind = float(cells.behind(counts)[0])
    return change_counts


def _chosen(gains: Floats, sources: Ints, movable: Ints, behind: float) -> dict[int, int]:
    """Return how often to make which of the moves at once: the best one, or a share of the way.

    Far from level, several times the same move and, among many cells, several moves save most of
    the time and loosen the bound by little.
    """
    chosen: dict[int, int] = {}
    left = _STRIDE * behind
    used = set()
    most = 1 + len(gains) // _CELLS_PER_MOVE
    for place in np.argsort(-np.nan_to_num(gains, nan=-np.inf), kind="stable").tolist():
        gain = float(gains[place])
        source = int(sources[place])
        if not gain > _LEVEL or (chosen and gain > left) or len(chosen) >= most:
            break
        if source not in used:
            times = min(int(movable[source]), max(1, int(left / gain)))
            chosen[place] = times
            used.add(source)
            left -= times * gain
    return chosen


class LabelCells:
    """Examples counted by their gold label and two entries' labels, which decide the two scores.

    Examples with the same three labels are exchangeable. So a change of a gold label is a move of
    one example from a cell to another that may help the rival, and the scores after it follow from
    the sums of the statistics. The metric must be one that `reads_labels`.

    ``labels`` [3, cells] are the gold's, the leader's and the rival's labels as numbers, and
    ``counts`` [cells] the examples. Move k changes an example of the cell ``sources[k]`` into one
    of the cell ``targets[k]``. Examples are moved once, and only if both have answered them:
    ``movable`` [cells] counts those.
    """

    def __init__(self, scorer: Scorer, field: Answers, leader: int, rival: int) -> None:
        rows = np.stack([field.gold, field.predicted[leader], field.predicted[rival]])
        triples, triple_of_row = np.unique(rows, axis=1, return_inverse=True)
        triple_of_row = triple_of_row.reshape(-1)
        answered = ~(field.absent[leader] | field.absent[rival])
        movable = np.bincount(triple_of_row[answered], minlength=triples.shape[1])
        # Only examples on which the two differ are moved.
        starts = np.flatnonzero((triples[1] != triples[2]) & (movable > 0))
        sources = starts
        new = triples[2, starts]
        classes = np.arange(len(field.labels))
        if len(classes) <= _FEW_LABELS:
            sources = np.repeat(starts, len(classes))
            new = np.tile(classes, len(starts))
        changed = triples[0, sources] != new
        sources = sources[changed]
        new = new[changed]
        moved = np.stack([new, *triples[1:, sources]])
        self.labels, place = np.unique(np.hstack([triples, moved]), axis=1, return_inverse=True)
        place = place.reshape(-1)
        first = place[: triples.shape[1]]
        self.targets = place[triples.shape[1] :]
        self.sources = first[sources]
        self.counts, self.movable = np.zeros((2, self.labels.shape[1]), np.intp)
        self.counts[first] = np.bincount(triple_of_row, minlength=len(first))
        self.movable[first] = movable
        texts = [field.texts(row) for row in self.labels]
        self.scorer = bound_again(scorer, texts[0], texts[1:], ("leader", "rival"))  # of the cells

    @cached_property
    def _columns(self) -> list[tuple[Floats, Floats]]:
        """The statistics of the cells by each part of the metric, and what each move adds to them.

        [m·K, cells] and [m·K, moves]; empty where the metric's function is called.
        """
        sums = [part.sums for part in self.scorer.parts if isinstance(part, SumsScorer)]
        statistics = [np.array(columns.flat(), np.float64) for columns in sums]
        if len(statistics) < len(self.scorer.parts):
            return []
        return [
            (columns, columns[:, self.targets] - columns[:, self.sources]) for columns in statistics
        ]

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


def leader_stays(
    scorer: Scorer, field: Answers, leader_runs: Sequence[int], rivals: Sequence[int], seed: int
) -> Mapping[float, float]:
    """Return share of noise → share of noisy golds under which the leader still has the best score.

    Each label is replaced with the given probability by one of the other labels, all equally
    likely. ``leader_runs`` are the leader and the other runs of its team, ``rivals`` the entries
    that may take the lead. A leader that a rival draws level with stays the leader.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x6E6F697365,)))
    entries = [*leader_runs, *rivals]
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
            stayed += bool(np.nanmax(scores[: len(leader_runs)]) >= np.nanmax(scores))
        stays[share] = stayed / DRAWS
    return stays


def certificates(page: Page, part: AuditedPart) -> Outcome:
    """Say how many wrong labels would change the order, and how often random errors do."""
    field = part.decisive
    if field is None:
        return Outcome({} if part.labels is None else {"certificate": [], "leader_stays": {}})
    exact = is_exact(part.scorer.metric)
    certificate_of = {
        rival: certificate(part.scorer, field, part.order[0], rival) for rival in part.near
    }
    seed = part.settings.seed
    stays = leader_stays(part.scorer, field, part.leader_runs, part.rivals[:_BEST], seed)
    rows = [
        _content(part, rival, of_rival, exact=exact) for rival, of_rival in certificate_of.items()
    ]
    of_noise = {f"{share:g}": stayed for share, stayed in stays.items()}
    content = {"certificate": rows, "leader_stays": of_noise}
    if not rows:
        return Outcome(content)

    def sentence(row: Json) -> tuple[str, str]:
        is_fewest = exact or row["changes"] == 1  # they are not level without any change
        return _ALL_LABELS if is_fewest and row["changes"] == row["candidates"] else _LABELS

    verdict = page.strongest(rows, "changes", sentence, leader=part.leader)
    first = _how_many(page, part.leader, rows, stays)
    return Outcome(content, (first, *_to_look_at(page, part, certificate_of)), verdict)


def _content(part: AuditedPart, rival: int, of_rival: Certificate, *, exact: bool) -> Json:
    """Return what audit.json says of the labels that draw a rival level."""
    changes, suspects = of_rival
    smallest_set = [
        {"id": part.ids[suspect.example], "label": suspect.new}
        for suspect in suspects
        if suspect.counted
    ]
    return {
        "rival": part.evidence.names[rival],
        "changes": changes,
        "exact": exact,
        "candidates": len(suspects),
        "examples": [part.ids[suspect.example] for suspect in suspects],
        "smallest_set": smallest_set,
    }


def _how_many(
    page: Page, leader: str, rows: Sequence[Json], stays: Mapping[float, float]
) -> Finding:
    """Return how many wrong labels change the order, and how often the leader ``stays`` ahead."""
    say = page.say
    caption = say(
        "The fewest gold labels that, changed, draw each rival level with {leader}, and the "
        "number of labels to choose from.",
        leader=leader,
    )
    columns = (
        page.words("entry", say("Rival"), itemgetter("rival")),
        page.fewest("changes", say("Labels that must be wrong"), "changes"),
        page.counts("candidates", say("Labels to choose from"), itemgetter("candidates")),
    )
    table = page.table("certificate", caption, rows, columns)
    numerals = page.language.numerals
    noise = [
        say(
            "with {share} wrong labels in {stays} of the draws",
            share=numerals.exact_percent(share),
            stays=numerals.percent(stayed),
        )
        for share, stayed in stays.items()
    ]
    brief = say(
        "If labels are wrong at random, {leader} stays ahead {draws}.",
        leader=leader,
        draws=page.language.listed(noise),
    )
    how = say(
        "Each label is replaced with this probability by one of the others, all equally likely."
    )
    heading = say("How many wrong labels would change the order?")
    look = stays[min(stays)] < _FIRM
    paragraphs = [f"{brief} {how}"]
    return page.finding("certificate", heading, brief, paragraphs, table, whole=True, look=look)


def _to_look_at(
    page: Page, part: AuditedPart, certificate_of: dict[int, Certificate]
) -> Iterator[Finding]:
    """Yield the gold labels to look at again: those that most entries contradict come first."""
    helped: dict[tuple[int, str], tuple[SuspectLabel, tuple[str, ...]]] = {}
    for rival in part.deciding([*certificate_of]):
        for suspect in certificate_of[rival][1]:
            key = (suspect.example, suspect.new)
            rivals = helped[key][1] if key in helped else ()
            helped[key] = (suspect, (*rivals, part.evidence.names[rival]))
    if not helped:
        return
    rows = sorted(helped.values(), key=lambda row: (-row[0].contradicting, row[0].example))
    say = page.say
    caption = say(
        "{Things} whose gold label decides between the leader and another possible winner, "
        "or else the next entry. Those that the most other entries contradict come first. Look "
        "at all of them in the same way, whomever they help."
        if part.names_winners
        else "{Things} whose gold label decides between the leader and an entry tied with it, "
        "or else the next entry. Those that the most other entries contradict come first. Look "
        "at all of them in the same way, whomever they help."
    )
    columns = (
        page.words("id", say("{Thing}"), lambda row: part.ids[row[0].example]),
        page.words("gold", say("Gold label"), lambda row: row[0].gold),
        page.words("answer", say("Label that would help"), lambda row: row[0].new),
        page.counts(
            "contradicting", say("Other entries that give it"), lambda row: row[0].contradicting
        ),
        page.words("rivals", say("Helps"), lambda row: page.language.joined(row[1])),
    )
    table = page.table("labels_to_check", caption, rows, columns)
    other_entries = max(1, len(part.evidence.names) - 2)
    most = sum(2 * suspect.contradicting > other_entries for suspect, _ in rows)
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
    brief = page.where_to_begin(brief, len(rows))
    yield page.finding("suspects", say("Labels to look at again"), brief, table=table, look=True)


# Withdrawal ---------------------------------------------------------------------------------------


#: Most examples that are withdrawn; a rival that needs more is far behind.
MOST_WITHDRAWN = 1000
#: Resamples that an influence may take, see `Scorer.influence`.
_MOST_EVALUATIONS = 20_000
#: Numbers of withdrawn examples that are scored at once.
_AT_ONCE = 50
#: How many of the examples draw a rival level.
_LEVEL_WITHOUT = ngettext_noop(
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
)
#: How few examples hold the order, if their number is exact; and if fewer may do.
_FEWEST_WITHDRAWN = ngettext_noop(
    "{leader} stays ahead of all rivals only as long as none of the {examples} is withdrawn.",
    "{leader} stays ahead of all rivals as long as fewer than {count:n} of the {examples} are "
    "withdrawn.",
)
_ENOUGH_WITHDRAWN = ngettext_noop(
    "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead alone.",
    "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead alone.",
)


def withdrawals(
    scorer: Scorer, names: Sequence[str], leader: int, rivals: Sequence[int]
) -> tuple[Mapping[int, tuple[int, ...] | None], bool]:
    """Return rival → the examples to withdraw, and whether no other choice needs fewer.

    Those that help the leader most come first; None if more than `MOST_WITHDRAWN` are needed, or if
    there is no such set. Leader and rivals number ``names``. There is none at all where the
    organizer's function would have to be called for each set of examples, or where examples have no
    influence on the score, as on a median.
    """
    if not rivals or any(isinstance(part, FunctionScorer) for part in scorer.parts):
        return {}, False
    chosen = [names[entry] for entry in (leader, *rivals)]
    chosen_scorer = scorer.keep([scorer.names.index(name) for name in chosen], chosen)
    places = dict(zip(rivals, range(1, len(chosen)), strict=True))
    sums = _single_sums(chosen_scorer)
    if sums is not None:
        return {rival: _of_means(sums[0], sums[place]) for rival, place in places.items()}, True
    influence = chosen_scorer.influence(None, _MOST_EVALUATIONS)
    if influence is None:
        return {}, False
    higher = oriented(chosen_scorer.metric, influence)
    return {
        rival: _of_influence(chosen_scorer, higher, place) for rival, place in places.items()
    }, False


def _single_sums(scorer: Scorer) -> Floats | None:
    """Return what each example counts, [m, n], if the score is a mean of that or its root.

    The other one of two statistics must be the same number for all examples and entries, such as
    the count of the example itself. An organizer's function of one sum may be anything.
    """
    if not isinstance(scorer, SumsScorer) or scorer.metric.call or scorer.sums.shape[1] != 2:
        return None
    statistics = np.array(scorer.sums.columns, np.float64)  # [m, 2, n]
    first = statistics[:, 0]
    second = statistics[:, 1]
    if np.ptp(second) == 0:
        return np.asarray(first)
    if np.ptp(first) == 0:
        return np.asarray(second)
    return None


def _of_means(leader: Array, rival: Array) -> tuple[int, ...] | None:
    """Return the examples to withdraw where a score is the mean of what examples count, [n] each.

    Whether more or less is better follows from the leader's being ahead.
    """
    helps = leader - rival
    helps = helps * np.sign(helps.sum())
    order = np.argsort(-helps, kind="stable")
    left = helps.sum() - np.concatenate([[0.0], np.cumsum(helps[order])])
    return _first(order, int(np.flatnonzero(left <= _LEVEL * np.abs(helps).sum())[0]))


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
    return None if size > min(MOST_WITHDRAWN, len(order) - 1) else tuple(order[:size].tolist())


def withdrawal(page: Page, part: AuditedPart) -> Outcome:
    """Say how few examples hold the order, where no labels do, and which to look at again."""
    names = part.evidence.names
    leader = part.leader
    if part.decisive is not None:
        return Outcome()
    withdrawn, exact = withdrawals(part.scorer, names, part.order[0], part.near)
    if not withdrawn:
        return Outcome()
    say = page.say
    examples = page.language.examples(part.kind, len(part.ids))
    items = []
    for rival, rows in withdrawn.items():
        item = {
            "rival": names[rival],
            "fewest": None if rows is None else len(rows),
            "exact": exact,
            "examples": [part.ids[row] for row in rows or ()],
        }
        items.append(item)
    caption = say(
        "The fewest {things} that, withdrawn because their gold is wrong, draw each rival "
        "level with {leader}."
        if part.has_gold
        else "The fewest units that, withdrawn because their scores are wrong, draw each rival "
        "level with {leader}.",
        leader=leader,
    )
    columns = (
        page.words("entry", say("Rival"), itemgetter("rival")),
        page.fewest("examples", say("{Things} to withdraw"), "fewest"),
    )
    table = page.table("withdrawal", caption, items, columns)
    brief = say("No small set of {things} decides whether {leader} stays ahead.", leader=leader)
    sizes = [len(rows) for rows in withdrawn.values() if rows is not None]
    if sizes:
        sentence = _FEWEST_WITHDRAWN if exact else _ENOUGH_WITHDRAWN
        brief = say(*sentence, count=min(sizes), examples=examples, leader=leader)
    heading = say("How many {things} hold the order?")
    findings = [page.finding("withdrawal", heading, brief, table=table)]
    rivals = grouped(
        (row, names[rival])
        for rival in part.deciding([*withdrawn])
        for row in withdrawn[rival] or ()
    )
    if rivals:
        findings.append(_to_check(page, part, rivals))
    values = {"leader": leader, "examples": examples}
    verdict = page.strongest(items, "fewest", lambda _: _LEVEL_WITHOUT, **values)
    return Outcome({"withdrawal": items}, findings, verdict)


def _to_check(page: Page, part: AuditedPart, rivals: Mapping[int, Sequence[str]]) -> Finding:
    """Return the examples that hold the lead, with the rivals that they hold it over."""
    say = page.say
    answers = part.answers
    columns = [page.words("id", say("{Thing}"), lambda row: part.ids[row[0]])]
    if answers is not None:
        columns.append(page.words("gold", say("Gold"), lambda row: answers.correct[row[0]]))
    helped = say("Helps the leader against")
    columns.append(page.words("names", helped, lambda row: page.language.joined(row[1])))
    caption = say(
        "Without these {things}, another possible winner, or else the next entry, draws level. "
        "Those that help the leader against the most rivals come first, then those that help it "
        "most."
        if part.names_winners
        else "Without these {things}, an entry tied with the leader, or else the next entry, draws "
        "level. Those that help the leader against the most rivals come first, then those that "
        "help it most."
    )
    rows = sorted(rivals.items(), key=lambda item: -len(item[1]))
    table = page.table("examples_to_check", caption, rows, columns)
    brief = say(
        "{count:n} {thing} decides between the first entries.",
        "{count:n} {things} decide between the first entries.",
        count=len(rivals),
    )
    brief = page.where_to_begin(brief, len(rows))
    return page.finding("to_check", say("{Things} to look at again"), brief, table=table, look=True)
