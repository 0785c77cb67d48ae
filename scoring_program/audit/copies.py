"""Which entries are the same or err alike: what was seen, without a probability.

A probability would need a model of how many errors two entries share that were built apart. Two
honest teams that use the same model or the same training data share far more than independent
ones, and no data of a competition tell how many. So the pairs are compared with each other, and
with pairs that the organizer knows to be alike.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.cells import grouped
from ..core.phrases import gettext_noop
from ..data.competition import Competition
from ..data.joining.submission import Entry
from ..document.blocks import Picture
from ..document.figures.forest import scatter
from ..document.figures.grids import matrix
from ..document.marks import Drawing, Key, Plotted
from ..document.take_away import ResultTable
from .answers import Answers, AuditedPart
from .page import Outcome, Page

#: The numbers of two entries each.
EntryPairs = Iterable[tuple[int, int]]
#: Tukey's outer fence, in distances between the quartiles: what lies above it is far outside
#: (Exploratory Data Analysis, 1977, section 2D).
FAR_OUTSIDE = 3.0
#: Shared errors / errors of either entry, from which a cell of the map gets the next shade.
_SHADES = (0.25, 0.5, 0.75, 0.9)
#: Entries on the map of errors.
_MAPPED = 60
#: Pairs that the first screen names, that the picture names, and that the table lists.
_NAMED = 3
_LABELED = 10
_LISTED = 1000
#: Of pairs without a label, one is drawn in each cell of a grid with so many rows and columns.
_GRID = 100
#: What the shapes of pairs mean.
_LEGEND = {
    "leader": gettext_noop("far outside the spread of all pairs"),
    "reference": gettext_noop("yardstick"),
    "behind": gettext_noop("other pairs"),
}


@dataclass(frozen=True)
class ErrorPair:
    """Two entries, on how many examples they give the same wrong answer, and the errors of each."""

    entries: tuple[int, int]
    shared: int
    errors: tuple[int, int]

    @property
    def either(self) -> int:
        """The number of different errors that the two make: one that they share counts once."""
        return sum(self.errors) - self.shared

    @property
    def share(self) -> float:
        """Shared errors as a share of those that either makes (Jaccard)."""
        return self.shared / self.either


class ErrorPairs:
    """The pairs of a field, and those of the yardstick, the closest first; who errs like whom."""

    def __init__(self, answers: Answers, pairs: EntryPairs, yardstick: EntryPairs = ()) -> None:
        shared = shared_errors(answers)
        self.names = answers.names  # of the entries, [m]
        self.pairs = closest_first(shared, pairs)
        self.yardstick = closest_first(shared, yardstick)
        self.similarity = error_similarity(shared)  # [m, m]

    @cached_property
    def quartiles(self) -> tuple[float, float]:
        """Between which shares the middle half of the field's pairs lies; raises without pairs."""
        low, high = np.percentile([pair.share for pair in self.pairs], (25, 75))
        return float(low), float(high)

    @property
    def fence(self) -> float:
        """The share above which a pair lies far outside the field's spread; if 1 or more, none."""
        low, high = self.quartiles
        return high + FAR_OUTSIDE * (high - low)

    @cached_property
    def far_outside(self) -> tuple[ErrorPair, ...]:
        """The pairs that lie far outside the field's spread; none where there is only one."""
        return tuple(pair for pair in self.pairs if self.fence < pair.share)

    @cached_property
    def clustered(self) -> Sequence[int]:
        """The entries in an order that puts similar ones side by side."""
        return clustered_order(self.similarity)


def identical_entries(competition: Competition) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Return the entries with the same predictions in all parts, and whether their files are equal.

    At least two teams are in each group; groups and names are in the order of the entries.
    """
    predictions: dict[str, tuple[tuple[str, str], ...]] = defaultdict(tuple)
    files: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for part in competition.parts:
        for entry in filter(None, part.entries):
            predictions[entry.name] += ((part.name, _digest(entry)),)
            files[entry.name] += (entry.sha256,)
    groups = []
    alike = grouped((content, name) for name, content in predictions.items())
    for names in alike.values():
        teams = {competition.teams.get(name, name) for name in names}
        different_files = {files[name] for name in names}
        if len(teams) > 1:
            groups.append((tuple(names), len(different_files) == 1))
    return tuple(groups)


def _digest(entry: Entry) -> str:
    """Return a hash of what an entry predicts; one of its columns if no target is read."""
    digest = hashlib.sha256()
    for target, array in entry.predictions.items():
        digest.update(repr((target.column, target.kind, array.tolist())).encode())
    for name, texts in sorted(entry.columns.items()):
        digest.update(repr((name, list(texts))).encode())
    return digest.hexdigest()


def shared_errors(answers: Answers) -> Ints:
    """Return the number of examples on which two entries give the same wrong answer, [m, m].

    The diagonal holds each entry's errors.
    """
    from scipy.sparse import csr_array

    m, n = answers.predicted.shape
    entry, row = np.nonzero(answers.wrong)
    codes = int(max(answers.gold.max(), answers.predicted.max())) + 1
    _, cell = np.unique(row * codes + answers.predicted[entry, row], return_inverse=True)
    ones = np.ones(len(entry), np.int32)
    wrong_answers = csr_array((ones, (entry, cell.reshape(-1))), shape=(m, max(1, m * n)))
    return np.asarray((wrong_answers @ wrong_answers.T).toarray(), np.intp)


def closest_first(shared: Ints, pairs: EntryPairs) -> tuple[ErrorPair, ...]:
    """Return those of the ``pairs`` that make errors; ``shared`` [m, m] as of `shared_errors`."""
    errors = np.diag(shared).tolist()
    listed = [
        ErrorPair((i, j), int(shared[i, j]), (errors[i], errors[j]))
        for i, j in pairs
        if errors[i] or errors[j]
    ]
    return tuple(sorted(listed, key=lambda pair: (-pair.share, -pair.shared, pair.entries)))


def error_similarity(shared: Ints) -> Floats:
    """Return shared errors / errors of either entry (Jaccard) of all pairs, [m, m]; 1 if none."""
    errors = np.diag(shared)
    either = errors[:, None] + errors[None, :] - shared
    return np.where(either > 0, shared / np.maximum(either, 1), 1.0)


def clustered_order(similarity: Floats) -> Sequence[int]:
    """Return the entries in an order that puts similar ones side by side (average linkage)."""
    if len(similarity) < 3:
        return range(len(similarity))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distances = squareform(1 - similarity, checks=False)
    leaves: list[int] = leaves_list(linkage(distances, "average", optimal_ordering=True)).tolist()
    return leaves


def identical(page: Page, competition: Competition) -> Outcome:
    """Say which entries are identical."""
    groups = identical_entries(competition)
    content = {"identical": [{"entries": list(names), "files": files} for names, files in groups]}
    if not groups:
        return Outcome(content)
    paragraphs = [
        page.say(
            "The files of {entries} are identical."
            if files
            else "The predictions of {entries} are identical; their files differ.",
            entries=page.language.listed(names),
        )
        for names, files in groups
    ]
    heading = page.say("Identical submissions")
    brief = " ".join(paragraphs[:3])
    return Outcome(content, [page.finding("identical", heading, brief, paragraphs, look=True)])


def copies(page: Page, part: AuditedPart) -> Outcome:
    """Say which pairs of different teams share most errors."""
    if part.answers is None:
        return Outcome()
    field = _pairs_of(part, part.answers)
    pairs = field.pairs
    far = field.far_outside
    figures = [_map(page, field)] if len(field.names) > 2 else []
    brief = page.say("No two teams give the same wrong answer.")
    paragraphs = [brief, *_yardstick(page, field)]
    table = None
    if pairs and pairs[0].shared:
        meaning = page.say(
            "The same model, the same training data, joint work and a file that was passed on all "
            "look like this; the numbers cannot tell them apart."
        )
        paragraphs = [_brief(page, field), *paragraphs[1:], meaning]
        brief = f"{paragraphs[0]} {meaning}"
        table = _table(page, field)
        if len(pairs) > 1:
            paragraphs.insert(1, _spread(page, field))
            figures.insert(0, _picture(page, field))
    pictures = [Picture(figure.id, figure) for figure in figures]
    heading = page.say("Nearly the same submissions")
    look = bool(far)
    finding = page.finding("copies", heading, brief, paragraphs, table, pictures, look=look)
    return Outcome(_content(field), [finding])


def _pairs_of(part: AuditedPart, answers: Answers) -> ErrorPairs:
    """Return the pairs of different teams: two runs of a team, or two baselines, may be alike."""
    settings = part.settings
    entries = {name: entry for entry, name in enumerate(answers.names)}
    baselines = {entries[name] for name in settings.baselines if name in entries}
    apart = [
        (i, j)
        for i, j in combinations(range(len(entries)), 2)
        if part.teams[i] != part.teams[j] and not {i, j} <= baselines
    ]
    of_task = [pair for pair in settings.yardstick if {*pair} <= {*entries}]
    return ErrorPairs(
        answers, apart, [(entries[first], entries[second]) for first, second in of_task]
    )


def _brief(page: Page, field: ErrorPairs) -> str:
    """Return which pairs lie far outside or is the closest, and how many errors the next shares."""
    pairs = field.pairs
    far = field.far_outside
    sentences = [_sharing(page, field, pair) for pair in (far[:_NAMED] or pairs[:1])]
    if len(far) > _NAMED:
        sentences.append("…")
    if len(pairs) == 1:
        return page.say("{pairs}. There is no other pair to compare it with.", pairs=sentences[0])
    following = pairs[max(len(far), 1)]
    return page.say(
        "Far outside the spread of all pairs: {pairs}. The next closest pair shares {shared} of "
        "{either}."
        if far
        else "No pair lies far outside the spread of all pairs. In the closest one, {pairs}; the "
        "next closest pair shares {shared} of {either}.",
        pairs="; ".join(sentences),
        shared=page.count(following.shared),
        either=page.count(following.either),
    )


def _sharing(page: Page, field: ErrorPairs, pair: ErrorPair) -> str:
    return page.say(
        "{entries} share {shared} of the {count:n} error that either makes",
        "{entries} share {shared} of the {count:n} errors that either makes",
        count=pair.either,
        entries=page.language.listed([field.names[entry] for entry in pair.entries]),
        shared=page.count(pair.shared),
    )


def _spread(page: Page, field: ErrorPairs) -> str:
    percent = page.language.numerals.percent
    low, high = map(percent, field.quartiles)
    return page.say(
        "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
        "makes. A pair lies far outside if it shares more than {fence}: the upper number plus "
        "three times the distance between the two."
        if field.fence < 1
        else "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
        "makes. This spread is so wide that no pair can lie far outside.",
        pairs=page.count(len(field.pairs)),
        low=low,
        high=high,
        fence=percent(field.fence),
    )


def _yardstick(page: Page, field: ErrorPairs) -> Iterator[str]:
    """Say how much the yardstick's pairs share, and how many pairs share as large a part."""
    alike = field.yardstick
    if not alike:
        return
    pairs = "; ".join(_sharing(page, field, pair) for pair in alike)
    counted = page.say(
        "{count:n} other pair shares as large a part as the closest of them, or a larger one.",
        "{count:n} other pairs share as large a part as the closest of them, or a larger one.",
        count=sum(pair.share >= alike[0].share for pair in field.pairs),
    )
    yield page.say(
        "The yardstick, pairs that the organizer knows to be alike: {pairs}. {reached}",
        pairs=pairs,
        reached=counted,
    )


def _table(page: Page, field: ErrorPairs) -> ResultTable:
    share = page.say("Share of them that both make")
    errors = page.say("Errors of each")
    caption = page.say(
        "Pairs of different teams, the closest first, {most} at most. An error is a wrong "
        "answer; two entries share it if both give the same wrong answer to the same {thing}.",
        most=page.count(_LISTED),
    )
    columns = (
        page.words("entry", page.say("Entry"), lambda pair: field.names[pair.entries[0]]),
        page.words("second", page.say("Other entry"), lambda pair: field.names[pair.entries[1]]),
        page.counts("shared_errors", page.say("Shared errors"), lambda pair: pair.shared),
        page.counts("either", page.say("Errors that either entry makes"), lambda pair: pair.either),
        page.written("share", share, lambda pair: pair.share, page.language.numerals.percent),
        page.words(
            "errors", errors, lambda pair: " / ".join(map(page.count, pair.errors)), numeric=True
        ),
    )
    return page.table("near_copies", caption, field.pairs[:_LISTED], columns)


def _picture(page: Page, field: ErrorPairs) -> Drawing:
    """Draw all pairs by the errors that either makes and the share of them that both make."""
    numerals = page.language.numerals
    named = [*field.far_outside[:_LABELED], *field.yardstick] or field.pairs[:1]
    labeled = {pair.entries for pair in named}
    widest = max(pair.either for pair in (*field.pairs, *field.yardstick))
    drawn: list[Plotted] = []
    taken: set[tuple[int, int]] = set()
    far = field.far_outside  # the pairs by their shape, those to see first
    kinds = {"leader": far, "reference": field.yardstick, "behind": field.pairs[len(far) :]}
    for shape, pairs in kinds.items():
        for pair in pairs:
            place = (round(_GRID * pair.either / widest), round(_GRID * pair.share))
            if place in taken and pair.entries not in labeled:
                continue
            taken.add(place)
            name = " · ".join(field.names[e] for e in pair.entries)
            sentence = (_sharing(page, field, pair),)
            spans = (np.nan, pair.either, np.nan), (np.nan, pair.share, np.nan)
            drawn.append(Plotted(name, spans, shape, sentence, focus=pair.entries in labeled))
    keys = [Key(shape, page.say(_LEGEND[shape])) for shape, pairs in kinds.items() if pairs]
    title = page.say("How many errors each pair shares")
    heading = Drawing(f"near_copies{page.suffix}", title, _spread(page, field), tuple(keys))
    across = (page.say("Errors that either entry makes"), True, numerals.fixed)
    up = (page.say("Share of them that both make"), True, lambda x, _: numerals.exact_percent(x))
    return scatter(heading, across, up, drawn)


def _map(page: Page, field: ErrorPairs) -> Drawing:
    """Draw which entries make the same errors, similar ones side by side."""
    order = list(field.clustered)[:_MAPPED]
    similarity = field.similarity[np.ix_(order, order)]
    classes = np.sum([similarity >= shade for shade in _SHADES], axis=0)
    np.fill_diagonal(classes, 0)
    names = [field.names[entry] for entry in order]
    percent = page.language.numerals.percent
    legend = [
        page.say("{share} or more of the errors are shared", share=percent(shade))
        for shade in _SHADES
    ]
    about = page.say(
        "Shared errors as a share of the errors of either entry; similar entries stand "
        "side by side."
    )
    return matrix(
        Drawing(f"alike{page.suffix}", page.say("Which entries make the same errors"), about),
        classes,
        [str(place + 1) for place in range(len(order))],
        page.say("Entries in the same order"),
        legend,
        names=names if len(order) <= 30 else (),
    )


def _content(field: ErrorPairs) -> dict[str, Any]:
    """Return what audit.json says: the closest pair or those far outside, spread and yardstick.

    ``next_closest`` is the number of errors that the next pair shares.
    """
    names = field.names
    pairs = field.pairs
    order = list(field.clustered)

    def seen(pair: ErrorPair) -> dict[str, Any]:
        return {
            "entries": [names[entry] for entry in pair.entries],
            "shared_errors": pair.shared,
            "errors": pair.errors,
        }

    # All pairs far outside share errors, and the closest one may share none.
    named = len(field.far_outside) or sum(pair.shared > 0 for pair in pairs[:1])
    following = [*(pair.shared for pair in pairs[1 : named + 1]), None]
    return {
        "error_similarity": {
            "entries": [names[entry] for entry in order],
            "values": field.similarity[np.ix_(order, order)].round(6).tolist(),
        },
        "near_copies": [
            {**seen(pair), "next_closest": shared}
            for pair, shared in zip(pairs[:named], following, strict=False)
        ],
        "spread": None
        if not pairs
        else {"pairs": len(pairs), "middle_half": field.quartiles, "far_above": field.fence},
        "yardstick": [seen(pair) for pair in field.yardstick],
    }
