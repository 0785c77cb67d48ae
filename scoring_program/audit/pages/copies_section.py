"""The section on entries that are the same or nearly the same, and which entries err alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...core.phrases import Language, gettext_noop
from ...document.blocks import Picture, ResultTable, TableColumn, cell, passage
from ...document.figures.grids import GridLabels, matrix
from ...document.figures.scatter import AxisOfScatter, Plotted, scatter
from ...document.marks import Drawing, Heading, Key
from ...document.shortening import shortened, told_apart
from ..competition_audit import Audit
from ..near_copies import ErrorPair
from ..part_audit import AnswerAudit
from .finding import (
    Finding,
    PageOfPart,
    count_cell,
    listed,
    pages_of_parts,
    section,
)

#: Shared errors / errors of either entry, from which a cell of the map gets the next shade.
_SHADES = (0.25, 0.5, 0.75, 0.9)
#: Entries on the map of errors.
_MAPPED = 60
#: Pairs that the first screen names, that the picture names, and that the table lists.
_NAMED, _LABELED, _LISTED = 3, 10, 1000
#: Letters of each name of a pair in the picture, which has room for two names and " · ".
_LETTERS = 10
#: Of pairs without a label, one is drawn in each cell of a grid with so many rows and columns.
_GRID = 100
#: What the shapes of pairs mean.
_LEGEND = {
    "leader": gettext_noop("far outside the spread of all pairs"),
    "reference": gettext_noop("yardstick"),
    "behind": gettext_noop("other pairs"),
}


def copies(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield the identical entries, and the pairs of each part by the errors that they share."""
    if audit.identical:
        yield _identical(audit, language)
    for page in pages_of_parts(audit, language):
        if page.part.answers is not None:
            yield _near_copies(page, page.part.answers)


def _identical(audit: Audit, language: Language) -> Finding:
    paragraphs = tuple(
        language.say(
            "The files of {entries} are identical."
            if item.files
            else "The predictions of {entries} are identical; their files differ.",
            entries=language.listed(item.names),
        )
        for item in audit.identical
    )
    heading = language.say("Identical submissions")
    brief = " ".join(paragraphs[:3])
    return Finding(section("identical", heading, passage(paragraphs)), brief, look=True)


def _near_copies(page: PageOfPart, audited: AnswerAudit) -> Finding:
    pairs, far = audited.pairs.pairs, audited.pairs.far_outside
    figures: list[Drawing] = [_map(page, audited)] if len(audited.answers.names) > 2 else []
    yardstick = _yardstick(page, audited)
    if not pairs or not pairs[0].shared:
        nothing = page.say("No two teams give the same wrong answer.")
        blocks = passage((nothing, *yardstick), pictures=_pictures(figures))
        return page.finding("copies", blocks, nothing)
    brief, meaning = (
        _brief(page, audited),
        page.say(
            "The same model, the same training data, joint work and a file that was passed on all "
            "look like this; the numbers cannot tell them apart."
        ),
    )
    paragraphs = [brief, *yardstick, meaning]
    if len(pairs) > 1:
        paragraphs.insert(1, _spread(page, audited))
        figures.insert(0, _picture(page, audited))
    table = _table(page, audited)
    blocks = listed(table, page.language, paragraphs, _pictures(figures))
    return page.finding("copies", blocks, f"{brief} {meaning}", look=bool(far))


def _pictures(figures: Iterable[Drawing]) -> list[Picture]:
    return [Picture(figure.heading.id, figure) for figure in figures]


def _brief(page: PageOfPart, audited: AnswerAudit) -> str:
    """Return which pairs lie far outside or is the closest, and how many errors the next shares."""
    pairs, far = audited.pairs.pairs, audited.pairs.far_outside
    said = [_said(page, audited, pair) for pair in (far[:_NAMED] or pairs[:1])]
    if len(far) > _NAMED:
        said.append("…")
    if len(pairs) == 1:
        return page.say("{pairs}. There is no other pair to compare it with.", pairs=said[0])
    following = pairs[max(len(far), 1)]
    return page.say(
        "Far outside the spread of all pairs: {pairs}. The next closest pair shares {shared} of "
        "{either}."
        if far
        else (
            "No pair lies far outside the spread of all pairs. In the closest one, {pairs}; the "
            "next closest pair shares {shared} of {either}."
        ),
        pairs="; ".join(said),
        shared=page.count(following.shared),
        either=page.count(following.either),
    )


def _said(page: PageOfPart, audited: AnswerAudit, pair: ErrorPair) -> str:
    entries = page.language.listed([audited.answers.names[entry] for entry in pair.entries])
    shared = page.count(pair.shared)
    return page.language.say(
        "{entries} share {shared} of the {count:n} error that either makes",
        "{entries} share {shared} of the {count:n} errors that either makes",
        count=pair.either,
        entries=entries,
        shared=shared,
    )


def _spread(page: PageOfPart, audited: AnswerAudit) -> str:
    found, percent = audited.pairs, page.language.numerals.percent
    low, high = map(percent, found.quartiles)
    return page.say(
        "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
        "makes. A pair lies far outside if it shares more than {fence}: the upper number plus "
        "three times the distance between the two."
        if found.fence < 1
        else (
            "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
            "makes. This spread is so wide that no pair can lie far outside."
        ),
        pairs=page.count(len(found.pairs)),
        low=low,
        high=high,
        fence=percent(found.fence),
    )


def _yardstick(page: PageOfPart, audited: AnswerAudit) -> tuple[str, ...]:
    """Return the overlap of the yardstick's pairs, and how many pairs share as large a part."""
    known = audited.pairs.yardstick
    if not known:
        return ()
    pairs = "; ".join(_said(page, audited, pair) for pair in known)
    reached = sum(pair.share >= known[0].share for pair in audited.pairs.pairs)
    counted = page.language.say(
        "{count:n} other pair shares as large a part as the closest of them, or a larger one.",
        "{count:n} other pairs share as large a part as the closest of them, or a larger one.",
        count=reached,
    )
    return (
        page.say(
            "The yardstick, pairs that the organizer knows to be alike: {pairs}. {reached}",
            pairs=pairs,
            reached=counted,
        ),
    )


def _table(page: PageOfPart, audited: AnswerAudit) -> ResultTable:
    language, names = page.language, audited.answers.names
    return page.table(
        "near_copies",
        page.say(
            "Pairs of different teams, the closest first, {most} at most. An error is a wrong "
            "answer; two entries share it if both give the same wrong answer to the same {thing}.",
            most=page.count(_LISTED),
        ),
        (
            TableColumn(("entry",), page.say("Entry")),
            TableColumn(("second",), language.say("Other entry")),
            TableColumn(("shared_errors",), language.say("Shared errors"), numeric=True),
            TableColumn(("either",), language.say("Errors that either entry makes"), numeric=True),
            TableColumn(("share",), language.say("Share of them that both make"), numeric=True),
            TableColumn(("errors",), language.say("Errors of each"), numeric=True),
        ),
        [
            (
                cell(names[pair.entries[0]]),
                cell(names[pair.entries[1]]),
                count_cell(language, pair.shared),
                count_cell(language, pair.either),
                cell(language.numerals.percent(pair.share), pair.share),
                cell(" / ".join(map(page.count, pair.errors))),
            )
            for pair in audited.pairs.pairs[:_LISTED]
        ],
    )


def _picture(page: PageOfPart, audited: AnswerAudit) -> Drawing:
    """Draw all pairs by the errors that either makes and the share of them that both make."""
    numerals, found = page.language.numerals, audited.pairs
    named = [*found.far_outside[:_LABELED], *found.yardstick] or found.pairs[:1]
    labeled = {pair.entries for pair in named}
    widest = max(pair.either for pair in (*found.pairs, *found.yardstick))
    names = told_apart(audited.answers.names, _LETTERS)
    drawn: list[Plotted] = []
    taken: set[tuple[int, int]] = set()
    for shape, pairs in _kinds(audited):
        for pair in pairs:
            place = (round(_GRID * pair.either / widest), round(_GRID * pair.share))
            if place in taken and pair.entries not in labeled:
                continue
            taken.add(place)
            drawn.append(
                Plotted(
                    " · ".join(names[entry] for entry in pair.entries),
                    (np.nan, pair.either, np.nan),
                    (np.nan, pair.share, np.nan),
                    shape,
                    labeled=pair.entries in labeled,
                    front=False,
                    title=_said(page, audited, pair),
                )
            )
    keys = [Key(shape, page.say(_LEGEND[shape])) for shape, pairs in _kinds(audited) if pairs]
    return scatter(
        Heading(
            f"near_copies{page.suffix}",
            page.say("How many errors each pair shares"),
            _spread(page, audited),
            tuple(keys),
        ),
        AxisOfScatter(page.say("Errors that either entry makes"), True, numerals.fixed),
        AxisOfScatter(
            page.say("Share of them that both make"),
            True,
            lambda value, _: numerals.exact_percent(value),
        ),
        drawn,
    )


def _kinds(audited: AnswerAudit) -> tuple[tuple[str, tuple[ErrorPair, ...]], ...]:
    """Return the pairs by the shape that they have in the picture, those to see first."""
    found = audited.pairs
    far = found.far_outside
    return ("leader", far), ("reference", found.yardstick), ("behind", found.pairs[len(far) :])


def _map(page: PageOfPart, audited: AnswerAudit) -> Drawing:
    """Draw which entries make the same errors, similar ones side by side."""
    order = list(audited.clustered)[:_MAPPED]
    similarity = audited.similarity[np.ix_(order, order)]
    classes = np.sum([similarity >= shade for shade in _SHADES], axis=0)
    np.fill_diagonal(classes, 0)
    names = [shortened(audited.answers.names[entry], 17) for entry in order]
    percent = page.language.numerals.percent
    legend = [
        page.say("{share} or more of the errors are shared", share=percent(shade))
        for shade in _SHADES
    ]
    few = len(order) <= 30
    places = [str(place + 1) for place in range(len(order))]
    return matrix(
        Heading(
            f"alike{page.suffix}",
            page.say("Which entries make the same errors"),
            page.say(
                "Shared errors as a share of the errors of either entry; similar entries stand "
                "side by side."
            ),
        ),
        classes,
        GridLabels(names if few else places, places, page.say("Entries in the same order"), legend),
        few=few,
    )
