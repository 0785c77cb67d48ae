"""The section on entries that are the same or nearly the same, and which entries err alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.phrases import gettext_noop
from ...document.blocks import Picture, ResultTable, TableColumn, cell
from ...document.figures.grids import GridLabels, matrix
from ...document.figures.scatter import AxisOfScatter, Plotted, scatter
from ...document.marks import Drawing, Heading, Key
from ...document.shortening import shortened, told_apart
from ..competition_audit import AnswerAudit, Audit, PartAudit
from ..copies import ErrorPair
from .finding import Finding, Page

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


def identical(page: Page, audit: Audit) -> Iterator[Finding]:
    """Yield the identical entries."""
    paragraphs = [
        page.say(
            "The files of {entries} are identical."
            if item.files
            else "The predictions of {entries} are identical; their files differ.",
            entries=page.language.listed(item.names),
        )
        for item in audit.identical
    ]
    if paragraphs:
        heading, brief = page.say("Identical submissions"), " ".join(paragraphs[:3])
        yield page.finding("identical", heading, brief, paragraphs, look=True)


def copies(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield the pairs of a part by the errors that they share."""
    audited = part.answers
    if audited is None:
        return
    pairs, far = audited.pairs.pairs, audited.pairs.far_outside
    figures: list[Drawing] = [_map(page, audited)] if len(audited.answers.names) > 2 else []
    brief = page.say("No two teams give the same wrong answer.")
    paragraphs, table = [brief, *_yardstick(page, audited)], None
    if pairs and pairs[0].shared:
        meaning = page.say(
            "The same model, the same training data, joint work and a file that was passed on all "
            "look like this; the numbers cannot tell them apart."
        )
        paragraphs = [_brief(page, audited), *paragraphs[1:], meaning]
        brief, table = f"{paragraphs[0]} {meaning}", _table(page, audited)
        if len(pairs) > 1:
            paragraphs.insert(1, _spread(page, audited))
            figures.insert(0, _picture(page, audited))
    pictures = [Picture(figure.heading.id, figure) for figure in figures]
    heading, look = page.say("Nearly the same submissions"), bool(far)
    yield page.finding("copies", heading, brief, paragraphs, table, pictures, look=look)


def _brief(page: Page, audited: AnswerAudit) -> str:
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


def _said(page: Page, audited: AnswerAudit, pair: ErrorPair) -> str:
    entries = page.language.listed([audited.answers.names[entry] for entry in pair.entries])
    shared = page.count(pair.shared)
    return page.say(
        "{entries} share {shared} of the {count:n} error that either makes",
        "{entries} share {shared} of the {count:n} errors that either makes",
        count=pair.either,
        entries=entries,
        shared=shared,
    )


def _spread(page: Page, audited: AnswerAudit) -> str:
    pairs, percent = audited.pairs, page.language.numerals.percent
    low, high = map(percent, pairs.quartiles)
    return page.say(
        "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
        "makes. A pair lies far outside if it shares more than {fence}: the upper number plus "
        "three times the distance between the two."
        if pairs.fence < 1
        else (
            "Half of the {pairs} pairs share from {low} to {high} of the errors that either entry "
            "makes. This spread is so wide that no pair can lie far outside."
        ),
        pairs=page.count(len(pairs.pairs)),
        low=low,
        high=high,
        fence=percent(pairs.fence),
    )


def _yardstick(page: Page, audited: AnswerAudit) -> tuple[str, ...]:
    """Return the overlap of the yardstick's pairs, and how many pairs share as large a part."""
    known = audited.pairs.yardstick
    if not known:
        return ()
    pairs = "; ".join(_said(page, audited, pair) for pair in known)
    reached = sum(pair.share >= known[0].share for pair in audited.pairs.pairs)
    counted = page.say(
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


def _table(page: Page, audited: AnswerAudit) -> ResultTable:
    say, names, percent = page.say, audited.answers.names, page.language.numerals.percent
    share = TableColumn(("share",), say("Share of them that both make"), numeric=True)
    errors = TableColumn(("errors",), say("Errors of each"), numeric=True)
    return page.table(
        "near_copies",
        say(
            "Pairs of different teams, the closest first, {most} at most. An error is a wrong "
            "answer; two entries share it if both give the same wrong answer to the same {thing}.",
            most=page.count(_LISTED),
        ),
        audited.pairs.pairs[:_LISTED],
        [
            page.words("entry", say("Entry"), lambda pair: names[pair.entries[0]]),
            page.words("second", say("Other entry"), lambda pair: names[pair.entries[1]]),
            page.counts("shared_errors", say("Shared errors"), lambda pair: pair.shared),
            page.counts("either", say("Errors that either entry makes"), lambda pair: pair.either),
            (share, lambda pair: cell(percent(pair.share), pair.share)),
            (errors, lambda pair: cell(" / ".join(map(page.count, pair.errors)))),
        ],
    )


def _picture(page: Page, audited: AnswerAudit) -> Drawing:
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
    pairs = audited.pairs
    far = pairs.far_outside
    return ("leader", far), ("reference", pairs.yardstick), ("behind", pairs.pairs[len(far) :])


def _map(page: Page, audited: AnswerAudit) -> Drawing:
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
