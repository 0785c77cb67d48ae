"""Who is right where: on single examples, in each class, in each slice; and what is confused.

Shares of right answers have intervals that hold for all entries and classes, or slices, at once;
those of a baseline for its own.
How far the field as a whole could get, an oracle over entries tells, and the majority vote.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..bootstrap.design import Design, DrawCounts
from ..bootstrap.resample import Slice, iterate_counts, resample
from ..core.arrays import Bools, Floats, Ints
from ..document.take_away import CellValue, ResultTable, TableColumn, cell
from ..inference.analyze import analyze
from ..inference.basis import MetricScores
from ..inference.evidence import Question
from ..inference.slice_evidence import CellScores, families_of, simultaneous_intervals
from ..report.view import FilledColumn
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .answers import Answers, AuditedPart, bound_again
from .page import Finding, Json, Outcome, Page

#: How often each gold label (the first number) meets each given one (the second).
Confusion = Sequence[tuple[int, int, int]]
#: Classes of which the page shows a whole table of confusion.
_FEW_CLASSES = 12
#: The most frequent errors that a table of many classes lists.
_MOST_PAIRS = 1000
#: Resamples for the intervals of classes and slices.
_RESAMPLES = 2000
#: The fewest of them, and the most shares on resamples that are held at once.
_FEWEST_RESAMPLES = 300
_HELD = 40_000_000
#: Decimals of shares.
_DECIMALS = 3


def differing(right: Bools) -> tuple[dict[int, int], dict[int, int]]:
    """Return example → the only entry that is ``right`` [m, n], and → the only one that is not."""
    counts = right.sum(axis=0)
    only = np.flatnonzero(counts == 1)
    but = np.flatnonzero(counts == len(right) - 1)
    if len(right) == 2:
        but = but[:0]  # they are the same
    only_right = right[:, only].argmax(axis=0)
    only_wrong = right[:, but].argmin(axis=0)
    return (
        dict(zip(only.tolist(), only_right.tolist(), strict=True)),
        dict(zip(but.tolist(), only_wrong.tolist(), strict=True)),
    )


#: The share of right, or wrong, predictions of each entry in each part of the examples, and the low
#: and the high end of its interval, [3, m, k]. A part that some resample does not draw, or on which
#: an entry's share never varies, has no interval there (nan).
Shares = Floats


def shares_right(
    field: Answers,
    parts: Sequence[Ints],
    counts: Iterable[DrawCounts],
    confidence: float,
    baselines: Sequence[int] = (),
) -> Shares:
    """Return shares with intervals that cover all m × k true shares at once.

    Each of the ``baselines``, numbers of entries, has intervals that cover its own k shares.
    ``parts`` are the numbers of the examples in each, and ``counts`` [R, n] say how often resamples
    draw the examples. See `inference.slice_evidence` for the method.
    """
    right = [field.right[:, rows].T.astype(np.float32) for rows in parts]
    drawn: list[list[Floats]] = [[] for _ in parts]
    for block in counts:
        for right_of_part, rows, shares_of_part in zip(right, parts, drawn, strict=True):
            weights = block[:, rows].astype(np.float32)
            with np.errstate(invalid="ignore"):
                shares = (weights @ right_of_part) / weights.sum(axis=1, keepdims=True)
            shares_of_part.append(shares.astype(np.float64))
    families = families_of(np.arange(len(field.names)), baselines)
    cells = []
    filled = []  # the parts that have examples, by number
    for number, (right_of_part, rows, shares_of_part) in enumerate(
        zip(right, parts, drawn, strict=True)
    ):
        if rows.size:
            score = right_of_part.mean(axis=0, dtype=np.float64)
            values = np.concatenate(shares_of_part)
            cells.append(CellScores(score, values, rows.size, families=families))
            filled.append(number)
    ends = simultaneous_intervals(cells, (0.0, 1.0), confidence)
    result = np.full((3, len(field.names), len(parts)), np.nan)
    for number, scores, (low, high) in zip(filled, cells, ends, strict=True):
        result[:, :, number] = scores.score, low, high
    return result


def _on_resamples(part: AuditedPart, answers: Answers, rows: Sequence[Ints]) -> Shares:
    """Return the shares of right answers in parts of the examples, on the run's first resamples."""
    settings = part.settings
    design = part.resampled.design
    # Baselines do not count: the others have the same resamples beside them.
    most = max(_FEWEST_RESAMPLES, _HELD // (len(rows) * len(part.order)))
    counts = iterate_counts(design, min(_RESAMPLES, settings.resamples, most), settings.seed)
    baselines = part.evidence.scores.baselines
    return shares_right(answers, rows, counts, settings.confidence, baselines)


def confusion(field: Answers, entries: Sequence[int]) -> list[tuple[int, int, int]]:
    """Count how often gold labels meet given ones, as (gold, given, count) of those that occur.

    Labels are numbers. What is absent is not given.
    """
    chosen = list(entries)
    cells = (field.gold * len(field.labels) + field.predicted[chosen])[~field.absent[chosen]]
    pairs, counts = np.unique(cells, return_counts=True)
    columns = (*np.divmod(pairs, len(field.labels)), counts)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def ceilings(
    scorer: Scorer, field: Answers, order: Sequence[int], design: Design, settings: Settings
) -> dict[str, Any]:
    """Score the oracle and the majority vote; ``order`` numbers the entries, best first.

    Returns what audit.json says of them: the difference is how far the vote is ahead of the leader,
    in the metric's own units, with its paired interval and two-sided p-value.
    """
    leader = order[0]
    # An oracle over entries gives the gold where any entry has it, and else what the leader gives:
    # that bounds what any choice among the entries' answers can reach under accuracy.
    oracle = np.where(field.right.any(axis=0), field.gold, field.predicted[leader])
    labels = [field.predicted[leader], _majority(field, order), oracle]
    names = (field.names[leader], "majority", "oracle")
    bound = bound_again(scorer, field.texts(field.gold), list(map(field.texts, labels)), names)
    (replicates,) = resample([bound], design, settings.resamples, settings.seed)
    scores = MetricScores(
        bound.metric, names, bound.observed, replicates, n=design.n, groups=design.groups
    )
    # The leader is not chosen among the three, so its comparison with the vote is two-sided.
    question = Question(settings.confidence, reference_entry=names[0])
    against = analyze(scores, question).differences
    assert against is not None  # only a mean rank has none
    return {
        "oracle": float(bound.observed[2]),
        "majority": {
            "score": float(bound.observed[1]),
            "difference": -float(against.observed[1]),
            "ci": [-float(against.high[1]), -float(against.low[1])],
            "p_two_sided": float(against.p_two_sided[1]),
        },
    }


def _majority(field: Answers, order: Sequence[int]) -> Ints:
    """Return the label [n] that most entries give; of equally frequent ones, the best entry's."""
    rows = np.arange(len(field.gold))
    votes = np.zeros((len(field.labels), len(rows)), np.intp)
    for codes, absent in zip(field.predicted, field.absent, strict=True):
        votes[codes, rows] += ~absent
    most = votes.max(axis=0)
    chosen = np.full(len(rows), -1, np.intp)
    for entry in order:
        codes = field.predicted[entry]
        decides = (chosen < 0) & (votes[codes, rows] == most)
        chosen[decides] = codes[decides]
    return chosen


def answers_of_examples(page: Page, part: AuditedPart, ceiling: Json | None) -> Outcome:
    """Say which examples decide, on which the field or one entry is wrong, and who errs where.

    ``ceiling`` is that of `ceilings`.
    """
    answers = part.answers
    if answers is None or not answers.gradable:
        return Outcome({} if answers is None else {"slices": []})
    in_slices, errs = _slices(page, part, answers)
    able = _able_to_win(part)
    winners = answers.right[able].sum(axis=0)
    separating = int(np.count_nonzero((winners > 0) & (winners < len(able))))
    right = zip(answers.ids, answers.right.sum(axis=0).tolist(), strict=True)
    content = {
        "slices": in_slices,
        "examples": [{"id": identity, "entries_right": number} for identity, number in right],
        "separating": separating,
    }
    return Outcome(content, [_examples(page, part, answers, separating, ceiling), *errs])


def _able_to_win(part: AuditedPart) -> list[int]:
    """Return the possible winners or, under other tie rules, who is tied with the leader."""
    return [entry for entry in part.order if part.evidence.verdict.possible_winners[entry]]


def _examples(
    page: Page, part: AuditedPart, answers: Answers, separating: int, ceiling: Json | None
) -> Finding:
    """Return how many examples tell the possible winners apart, and which say more of the gold."""
    say = page.say
    right = answers.right.sum(axis=0).tolist()
    only_one, all_but_one = differing(answers.right)
    nobody = [row for row, number in enumerate(right) if not number]
    deciding = _deciding(page, part, separating, len(right))
    hard = say(
        "Entries that are right: none on {nobody}, only one on {one}, all but one on {but_one} of "
        "the {n} {things}."
        if len(answers.names) > 2
        else "Entries that are right: none on {nobody}, only one on {one} of the {n} {things}.",
        n=page.count(len(right)),
        nobody=page.count(len(nobody)),
        one=page.count(len(only_one)),
        but_one=page.count(len(all_but_one)),
    )
    paragraphs = [deciding, hard]
    if ceiling is not None:
        paragraphs.append(_ceilings(page, ceiling))
    brief = deciding
    if nobody:
        doubtful = say(
            "No entry gets {count:n} {thing} right: its gold may be wrong.",
            "No entry gets {count:n} {things} right: their gold may be wrong.",
            count=len(nobody),
        )
        brief = f"{doubtful} {deciding}"
    differs = {row: answers.names[e] for row, e in {**only_one, **all_but_one}.items()}
    table = _table_of_examples(page, answers, right, differs)
    heading = say("Which {things} decide?")
    listed = table if table.rows else None
    return page.finding("examples", heading, brief, paragraphs, listed, look=bool(nobody))


def _deciding(page: Page, part: AuditedPart, separating: int, n: int) -> str:
    """Say how many of the n examples tell apart who may win or, under other rules, who is tied."""
    if len(_able_to_win(part)) <= 1:
        return page.say(
            "Only one entry is a possible winner, so no {thing} tells possible winners apart."
            if part.names_winners
            else "No entry is tied with the leader, so no {thing} tells tied entries apart."
        )
    return page.say(
        "{separating} of {n} {things} ({share}) tell the possible winners apart; on the "
        "others they are all right or all wrong."
        if part.names_winners
        else "{separating} of {n} {things} ({share}) tell the leader and those tied with it "
        "apart; on the others they are all right or all wrong.",
        separating=page.count(separating),
        n=page.count(n),
        share=page.language.numerals.percent(separating / n),
    )


def _table_of_examples(
    page: Page, answers: Answers, right: Sequence[int], differs: Mapping[int, str]
) -> ResultTable:
    """Return the examples that nobody gets ``right``, or on which one entry ``differs``."""
    say = page.say
    columns = (
        page.words("id", say("{Thing}"), answers.ids.__getitem__),
        page.words("gold", say("Gold"), answers.correct.__getitem__),
        page.counts("entries_right", say("Entries that are right"), right.__getitem__),
        page.words("differs", say("The entry that differs"), lambda row: differs.get(row, "")),
    )
    caption = say("{Things} that no entry, one entry or all but one entry get right")
    nobody = {row for row, number in enumerate(right) if not number}
    hardest = sorted({*nobody, *differs}, key=lambda row: (right[row], row))
    return page.table("examples", caption, hardest, columns)


def _ceilings(page: Page, ceilings: Json) -> str:
    numerals = page.language.numerals
    decimals = page.decimals
    vote = ceilings["majority"]
    low, high = vote["ci"]
    return page.say(
        "An oracle that picks the right entry for each {thing} scores {oracle}. The majority vote "
        "scores {majority}, a difference of {difference} from the leader ({level} interval "
        "{interval}; two-sided p-value {p}).",
        oracle=numerals.fixed(ceilings["oracle"], decimals),
        majority=numerals.fixed(vote["score"], decimals),
        difference=numerals.fixed(vote["difference"], decimals, signed=True),
        level=page.level,
        interval=numerals.interval(low, high, decimals),
        p=numerals.p(vote["p_two_sided"]),
    )


def classes(page: Page, part: AuditedPart, ceiling: Json | None) -> Outcome:
    """Say which labels are confused, and how well each class is found.

    ``ceiling`` is that of `ceilings`, which audit.json holds beside the confusion.
    """
    field = part.labels
    if field is None:
        return Outcome()
    names = [str(label) for label in field.labels]
    order = part.evidence.scores.order.tolist()
    confusion_of = {entry: confusion(field, [entry]) for entry in range(len(field.names))}
    sizes = [np.flatnonzero(field.gold == code) for code in range(len(field.labels))]
    recalls = _on_resamples(part, field, sizes)
    findings = [_recalls(page, field, recalls, [rows.size for rows in sizes], order)]
    of_all = confusion(field, order)
    if any(gold != answer for gold, answer, _ in of_all):
        of_entries = _confusion_of_entries(page, field, confusion_of, order)
        findings = [_confusion(page, of_all, names), of_entries, *findings]
    recall_content = []
    for code, label in enumerate(names):
        entries = [
            {"entry": name, **_share_content("recall", recalls, entry, code)}
            for entry, name in enumerate(field.names)
        ]
        recall_content.append({"label": label, "n": sizes[code].size, "entries": entries})
    content = {
        **(ceiling or {"oracle": None, "majority": None}),
        "confusion": {
            "labels": names,
            "entries": {field.names[entry]: rows for entry, rows in confusion_of.items()},
        },
        "classes": recall_content,
    }
    return Outcome(content, findings)


def _confusion(page: Page, counts: Confusion, names: Sequence[str]) -> Finding:
    """Return the confusion over the field: all of it, or the most frequent of many labels."""
    wrong = sorted((pair for pair in counts if pair[0] != pair[1]), key=lambda pair: -pair[2])
    gold, answer, most = wrong[0]
    brief = page.say(
        "Most often, entries give {given} where the gold is {gold}: {share} of all errors.",
        gold=names[gold],
        given=names[answer],
        share=page.language.numerals.percent(most / sum(count for _, _, count in wrong)),
    )
    columns = [
        page.words("gold", page.say("Gold label"), lambda pair: names[pair[0]]),
        page.words("given", page.say("Label given"), lambda pair: names[pair[1]]),
        page.counts("count", page.say("How often"), lambda pair: pair[2]),
    ]
    caption = page.say("The most frequent errors of all entries")
    table = page.table("confusion", caption, wrong[:_MOST_PAIRS], columns)
    if len(names) <= _FEW_CLASSES:
        table = _confusion_table(page, counts, names)
    return page.finding("errors", page.say("Which labels are confused?"), brief, [brief], table)


def _confusion_table(page: Page, counts: Confusion, names: Sequence[str]) -> ResultTable:
    """Return the share of each given label where the gold has a label."""
    labels = range(len(names))
    total = np.zeros((len(names), len(names)))
    for gold, label, count in counts:
        total[gold, label] = count
    shares = (total / np.maximum(total.sum(axis=1, keepdims=True), 1)).tolist()
    percent = page.language.numerals.percent

    def label_column(label: int) -> FilledColumn:
        return page.written(names[label], names[label], lambda gold: shares[gold][label], percent)

    caption = page.say(
        "Each row: the share of the predictions, over all entries, that give each label where the "
        "gold has this one."
    )
    gold_label = page.words("gold", page.say("Gold label"), names.__getitem__)
    return page.table("confusion", caption, labels, (gold_label, *map(label_column, labels)))


def _confusion_of_entries(
    page: Page, field: Answers, confusion_of: Mapping[int, Confusion], order: Sequence[int]
) -> Finding:
    """Return the most frequent confusion of each entry; the file counts all of them."""
    say = page.say
    entries = field.names
    names = list(map(str, field.labels))
    pairs: dict[int, list[tuple[str, str, int]]] = {}
    worst: dict[int, tuple[str, str, int]] = {}
    errors: dict[int, int] = {}
    for entry in order:
        pairs[entry] = [
            (names[gold], names[answer], count) for gold, answer, count in confusion_of[entry]
        ]
        wrong = [pair for pair in pairs[entry] if pair[0] != pair[1]]
        # Of equally frequent ones, the first.
        worst[entry] = max(wrong, key=lambda pair: pair[2], default=("", "", 0))
        errors[entry] = sum(count for _, _, count in wrong)
    caption = say(
        "The most frequent confusion of each entry, best entry first; the CSV file counts all "
        "of them"
    )
    columns = (
        page.words("entry", say("Entry"), entries.__getitem__),
        page.words("gold", say("Gold label"), lambda entry: worst[entry][0]),
        page.words("given", say("Label given"), lambda entry: worst[entry][1]),
        page.counts("count", say("How often"), lambda entry: worst[entry][2]),
        page.counts("errors", say("All errors"), errors.__getitem__),
    )
    table = page.table("confusion_of_entries", caption, order, columns)
    records: list[tuple[CellValue, ...]] = [("entry", "gold", "given", "count")]
    for entry in order:
        records += [(entries[entry], *pair) for pair in pairs[entry]]
    table = replace(table, records=tuple(zip(*records, strict=True)))
    brief = say(
        "{same} of {entries} entries have the same most frequent confusion as the leader.",
        same=page.count(sum(worst[entry][:2] == worst[order[0]][:2] for entry in order)),
        entries=page.count(len(order)),
    )
    return page.finding("confused", say("What does each entry confuse?"), brief, table=table)


def _recalls(
    page: Page, field: Answers, recalls: Shares, sizes: Sequence[int], order: Sequence[int]
) -> Finding:
    """Return the recall of every entry in every class of these ``sizes``."""
    say = page.say
    names = list(map(str, field.labels))
    present = np.flatnonzero(sizes).tolist()
    worst = present[int(np.nanmean(recalls[0][:, present], axis=0).argmin())]
    brief = say(
        "The class that is found worst is {label}: recall {recall} on average over the entries.",
        label=names[worst],
        recall=page.language.numerals.percent(float(recalls[0, :, worst].mean())),
    )
    caption = say(
        "Recall of each entry in each class. The intervals hold for all entries and classes "
        "at once, with {level} confidence.",
        level=page.level,
    )
    columns = (
        page.words("entry", say("Entry"), lambda pair: field.names[pair[0]]),
        page.words("label", say("Class"), lambda pair: names[pair[1]]),
        page.counts("examples", say("{Things}"), lambda pair: sizes[pair[1]]),
        *_share(page, "recall", say("Recall"), recalls),
    )
    table = page.table(
        "recall_per_class", caption, [(entry, code) for entry in order for code in present], columns
    )
    return page.finding("classes", say("How well is each class found?"), brief, table=table)


def _slices(page: Page, part: AuditedPart, answers: Answers) -> tuple[list[Json], list[Finding]]:
    """Return what audit.json says of the errors of every entry in every slice, and the section."""
    slices = part.resampled.slices
    if not slices:
        return [], []
    say = page.say
    names = answers.names
    order = part.evidence.scores.order.tolist()
    # Of wrong answers, the ends change places.
    wrong = 1 - _on_resamples(part, answers, [part_slice.rows for part_slice in slices])[[0, 2, 1]]
    sizes = [part_slice.rows.size for part_slice in slices]
    called = [f"{part_slice.column}: {part_slice.value}" for part_slice in slices]
    column = TableColumn(("column", "value"), say("Slice"))
    caption = say(
        "Share of wrong predictions of each entry in each slice. The intervals hold for all "
        "entries and slices at once, with {level} confidence.",
        level=page.level,
    )
    columns = (
        page.words("entry", say("Entry"), lambda pair: names[pair[0]]),
        (
            column,
            lambda pair: cell(
                called[pair[1]],
                slices[pair[1]].column,
                slices[pair[1]].value,
            ),
        ),
        page.counts("examples", say("{Things}"), lambda pair: sizes[pair[1]]),
        *_share(page, "errors", say("Share of errors"), wrong),
    )
    cells = [(entry, place) for entry in order for place in range(len(slices))]
    table = page.table("errors_per_slice", caption, cells, columns)
    worst = int(wrong[0].mean(axis=0).argmax())
    brief = say(
        "Entries err most in {slice}: on {share} of its {things} on average.",
        slice=called[worst],
        share=page.language.numerals.percent(float(wrong[0, :, worst].mean())),
    )
    content = _content_of_slices(slices, names, wrong)
    return content, [page.finding("slices", say("Who errs in which slice?"), brief, table=table)]


def _content_of_slices(slices: Sequence[Slice], names: Sequence[str], wrong: Shares) -> list[Json]:
    """Return what audit.json says of the share of ``wrong`` answers in every slice."""
    content: list[Json] = []
    for place, part_slice in enumerate(slices):
        n = part_slice.rows.size
        entries = []
        for entry, name in enumerate(names):
            rate = _share_content("error_rate", wrong, entry, place)
            errors = round(wrong[0, entry, place] * n)
            entries.append({"entry": name, "errors": errors, **rate})
        of_slice = {
            "column": part_slice.column,
            "value": part_slice.value,
            "n": n,
            "entries": entries,
        }
        content.append(of_slice)
    return content


def _share(page: Page, key: str, heading: str, shares: Shares) -> list[FilledColumn]:
    """Return the shares at (entry, part) and their intervals."""
    interval = page.say("Simultaneous interval")
    return [
        page.numbers(key, heading, lambda pair: float(shares[0][pair]), _DECIMALS),
        page.intervals(interval, lambda pair: (shares[1][pair], shares[2][pair]), _DECIMALS),
    ]


def _share_content(key: str, shares: Shares, entry: int, part: int) -> dict[str, Any]:
    """Return a share and its interval; what is not finite is nothing."""
    ends = shares[:, entry, part].tolist()
    share, low, high = (end if math.isfinite(end) else None for end in ends)
    return {key: share, "ci": [low, high]}
