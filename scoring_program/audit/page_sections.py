"""The sections of the audit's page: labels, examples, errors, copies, schemes and optimism.

Each function takes the audit and the language and yields sections; none where it has nothing to
say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..report import build
from ..report import drawing as draw
from ..report.language import Language
from ..report.numbers import decimals_for
from ..report.sections.section import Passage, Section
from ..report.tables import Cell, CellValue, ResultTable, TableColumn, cell
from .certificate import Certificate, SuspectLabel
from .competition_audit import Audit
from .part_audit import LabelAudit, PartAudit
from .regraded import Regrade
from .shares_right import SharesRight

#: Rows that a table of the page shows; the files hold all.
SHOWN = 30
#: Shared errors / errors of either entry, from which a cell of the map gets the next shade.
_SHADES = (0.25, 0.5, 0.75, 0.9)
#: Entries on the map of errors.
_MAPPED = 60


def _label_parts(audit: Audit) -> Iterator[tuple[PartAudit, LabelAudit, str]]:
    """Yield the parts with labels, and what their ids and headings end in."""
    for number, part in enumerate(audit.parts):
        if part.labels is not None:
            yield part, part.labels, f"-{number + 1}" if len(audit.parts) > 1 else ""


def _heading(language: Language, key: str, part: PartAudit) -> str:
    heading = language.say(f"audit.{key}.heading")
    return f"{heading} · {part.name}" if part.name else heading


def _column(language: Language, key: str, *, numeric: bool = False) -> TableColumn:
    return TableColumn((key.rpartition(".")[2],), language.say(f"audit.{key}"), numeric)


def _listed(table: ResultTable, language: Language, paragraphs: Sequence[str] = ()) -> Passage:
    """Return a passage with the first rows of a table, which says where the others are."""
    note = ""
    if len(table.rows) > SHOWN:
        count = language.numerals.count
        note = language.say(
            "audit.cut",
            shown=count(SHOWN),
            total=count(len(table.rows)),
            file=f"tables/gold_{table.name}.csv",
        )
    shown = replace(table, rows=table.rows[:SHOWN])
    return Passage(tuple(paragraphs), caption=table.caption, table=shown, note=note)


def _section(key: str, heading: str, table: ResultTable | None, passage: Passage) -> Section:
    tables = () if table is None else (table,)
    figures = {figure.id: figure for figure in passage.figures}
    return Section(f"audit-{key}", heading, passage, tables=tables, figures=figures)


def _count(language: Language, number: int) -> Cell:
    return cell(language.numerals.count(number), number)


def _number(language: Language, value: float, decimals: int, *, signed: bool = False) -> Cell:
    text = language.numerals.fixed(value, decimals, signed=signed)
    return cell(text, value if np.isfinite(value) else None)


def _interval_cell(language: Language, low: float, high: float, decimals: int) -> Cell:
    values: tuple[CellValue, CellValue] = (low, high)
    return Cell(language.numerals.interval(low, high, decimals), values)


def certificates(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield how many wrong labels would change the order, and how often random errors do."""
    say = language.say
    for part, labels, suffix in _label_parts(audit):
        if not labels.certificates:
            continue
        names = labels.field.names
        table = ResultTable(
            name=f"certificate{suffix}",
            caption=say("audit.certificate.caption", leader=names[labels.leader]),
            columns=(
                TableColumn(("entry",), say("audit.certificate.rival")),
                _column(language, "certificate.changes", numeric=True),
                _column(language, "certificate.candidates", numeric=True),
                _column(language, "certificate.kind"),
            ),
            rows=tuple(
                (
                    cell(names[item.rival]),
                    _changes(item, language),
                    _count(language, item.candidates),
                    cell(say(f"audit.certificate.{'exact' if item.exact else 'at_most'}")),
                )
                for item in labels.certificates
            ),
        )
        noise = [
            say(
                "audit.noise.line",
                share=language.numerals.exact_percent(share),
                stays=language.numerals.percent(stays),
            )
            for share, stays in labels.stays.items()
        ]
        passage = Passage(
            caption=table.caption,
            table=table,
            note=" ".join([say("audit.noise.caption"), *noise]),
        )
        yield _section(
            f"certificate{suffix}", _heading(language, "certificate", part), table, passage
        )


def _changes(item: Certificate, language: Language) -> Cell:
    if item.changes is None:
        return cell(language.say("audit.certificate.none"), None)
    return _count(language, item.changes)


def suspects(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield the gold labels to look at again, in that order."""
    say = language.say
    for part, labels, suffix in _label_parts(audit):
        winners = part.analysis.tied_with_leader
        close = [item for item in labels.certificates if winners[item.rival]]
        close = close or list(labels.certificates[:1])
        rows: dict[tuple[int, str], tuple[SuspectLabel, tuple[str, ...]]] = {}
        for item in close:
            for suspect in item.suspects:
                key = (suspect.example, suspect.rival)
                rivals = rows[key][1] if key in rows else ()
                rows[key] = (suspect, (*rivals, labels.field.names[item.rival]))
        if not rows:
            continue
        ordered = sorted(rows.values(), key=lambda r: (-r[0].contradicting, r[0].example))
        table = ResultTable(
            name=f"labels_to_check{suffix}",
            caption=say("audit.suspects.caption"),
            columns=(
                _column(language, "suspects.id"),
                _column(language, "suspects.gold"),
                _column(language, "suspects.answer"),
                _column(language, "suspects.contradicting", numeric=True),
                _column(language, "suspects.rivals"),
            ),
            rows=tuple(
                (
                    cell(labels.field.ids[suspect.example]),
                    cell(suspect.gold),
                    cell(suspect.rival),
                    _count(language, suspect.contradicting),
                    cell(", ".join(rivals)),
                )
                for suspect, rivals in ordered
            ),
        )
        heading = _heading(language, "suspects", part)
        yield _section(f"suspects{suffix}", heading, table, _listed(table, language))


def examples(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield how many examples decide, and which are too hard for all entries."""
    say, numerals = language.say, language.numerals
    for part, labels, suffix in _label_parts(audit):
        found, field = labels.examples, labels.field
        n = len(field.ids)
        paragraphs = [
            say(
                "audit.examples.separating",
                separating=numerals.count(found.separating),
                n=numerals.count(n),
                share=numerals.percent(found.separating / n),
            ),
            say(
                "audit.examples.hard",
                nobody=numerals.count(len(found.nobody)),
                one=numerals.count(len(found.only_one)),
            ),
        ]
        if labels.ceilings is not None:
            ceilings = labels.ceilings
            decimals = _decimals(part)
            paragraphs.append(
                say(
                    "audit.examples.ceilings",
                    oracle=numerals.fixed(ceilings.oracle, decimals),
                    majority=numerals.fixed(ceilings.majority, decimals),
                    difference=numerals.fixed(ceilings.difference, decimals, signed=True),
                    interval=numerals.interval(ceilings.low, ceilings.high, decimals),
                    p=numerals.p(ceilings.p_value),
                )
            )
        only = dict(found.only_one)
        hardest = sorted([*found.nobody, *only], key=lambda row: (found.entries_right[row], row))
        table = ResultTable(
            name=f"examples{suffix}",
            caption=say("audit.examples.caption"),
            columns=(
                _column(language, "examples.id"),
                _column(language, "examples.gold"),
                _column(language, "examples.entries_right", numeric=True),
                _column(language, "examples.right"),
            ),
            rows=tuple(
                (
                    cell(field.ids[row]),
                    cell(str(field.labels[field.gold[row]])),
                    _count(language, int(found.entries_right[row])),
                    cell(field.names[only[row]] if row in only else ""),
                )
                for row in hardest
            ),
        )
        heading = _heading(language, "examples", part)
        if hardest:
            listed = _listed(table, language, paragraphs)
            yield _section(f"examples{suffix}", heading, table, listed)
        else:
            yield _section(f"examples{suffix}", heading, None, Passage(tuple(paragraphs)))


def _decimals(part: PartAudit) -> int:
    return decimals_for(part.analysis.standard_error.tolist())


def errors(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield which labels are confused, each class's recall, and which entries err alike."""
    for part, labels, suffix in _label_parts(audit):
        heading = _heading(language, "errors", part)
        confused = _confusion_table(labels, language, suffix)
        passage = Passage(
            caption=confused.caption, table=confused, figures=(_map(labels, language, suffix),)
        )
        yield _section(f"errors{suffix}", heading, confused, passage)
        recalls = _recall_table(part, labels, language, suffix)
        yield _section(
            f"classes{suffix}",
            _heading(language, "classes", part),
            recalls,
            _listed(recalls, language),
        )
        if labels.right is not None:
            slices = _slice_table(part, labels, labels.right, language, suffix)
            yield _section(
                f"slices{suffix}",
                _heading(language, "slices", part),
                slices,
                _listed(slices, language),
            )


def _confusion_table(labels: LabelAudit, language: Language, suffix: str) -> ResultTable:
    names = [str(label) for label in labels.field.labels]
    total = labels.confusion.sum(axis=0)
    shares = total / np.maximum(total.sum(axis=1, keepdims=True), 1)
    return ResultTable(
        name=f"confusion{suffix}",
        caption=language.say("audit.errors.caption"),
        columns=(
            _column(language, "errors.gold"),
            *(TableColumn((name,), name, numeric=True) for name in names),
        ),
        rows=tuple(
            (
                cell(name),
                *(cell(language.numerals.percent(share), float(share)) for share in row),
            )
            for name, row in zip(names, shares.tolist(), strict=True)
        ),
    )


def _recall_table(
    part: PartAudit, labels: LabelAudit, language: Language, suffix: str
) -> ResultTable:
    found, field = labels.recalls, labels.field
    order = part.analysis.order.tolist()
    return ResultTable(
        name=f"recall_per_class{suffix}",
        caption=language.say(
            "audit.classes.caption",
            level=language.numerals.exact_percent(part.analysis.confidence),
        ),
        columns=(
            TableColumn(("entry",), language.say("audit.classes.entry")),
            _column(language, "classes.label"),
            _column(language, "classes.examples", numeric=True),
            _column(language, "classes.recall", numeric=True),
            TableColumn(("low", "high"), language.say("audit.classes.interval"), numeric=True),
        ),
        rows=tuple(
            (
                cell(field.names[entry]),
                cell(str(label)),
                _count(language, int(found.sizes[code])),
                _number(language, float(found.share[entry, code]), 3),
                _interval_cell(
                    language, float(found.low[entry, code]), float(found.high[entry, code]), 3
                ),
            )
            for entry in order
            for code, label in enumerate(field.labels)
            if found.sizes[code]
        ),
    )


def _slice_table(
    part: PartAudit, labels: LabelAudit, right: SharesRight, language: Language, suffix: str
) -> ResultTable:
    """Return the share of errors of every entry in every slice."""
    level = language.numerals.exact_percent(part.analysis.confidence)
    low, high = 1 - right.high, 1 - right.low
    return ResultTable(
        name=f"errors_per_slice{suffix}",
        caption=language.say("audit.slices.caption", level=level),
        columns=(
            TableColumn(("entry",), language.say("audit.slices.entry")),
            TableColumn(("column", "value"), language.say("audit.slices.slice")),
            _column(language, "slices.examples", numeric=True),
            _column(language, "slices.errors", numeric=True),
            TableColumn(("low", "high"), language.say("audit.slices.interval"), numeric=True),
        ),
        rows=tuple(
            (
                cell(labels.field.names[entry]),
                cell(f"{one.column}: {one.value}", one.column, one.value),
                _count(language, int(right.sizes[place])),
                _number(language, float(1 - right.share[entry, place]), 3),
                _interval_cell(language, float(low[entry, place]), float(high[entry, place]), 3),
            )
            for entry in part.analysis.order.tolist()
            for place, one in enumerate(labels.slices)
        ),
    )


def _map(labels: LabelAudit, language: Language, suffix: str) -> draw.Matrix:
    """Draw which entries make the same errors, similar ones side by side."""
    order = list(labels.clustered)[:_MAPPED]
    similarity = labels.similarity[np.ix_(order, order)]
    classes = np.sum([similarity >= shade for shade in _SHADES], axis=0)
    np.fill_diagonal(classes, 0)
    names = [draw.shortened(labels.field.names[entry], 17) for entry in order]
    say = language.say
    percent = language.numerals.percent
    legend = [say("audit.errors.from", share=percent(shade)) for shade in _SHADES]
    few = len(order) <= 30
    places = [str(place + 1) for place in range(len(order))]
    return draw.matrix(
        draw.Heading(
            f"alike{suffix}", say("audit.errors.map"), say("audit.errors.map_description")
        ),
        classes,
        draw.GridLabels(names if few else places, places, say("audit.errors.column"), legend),
        few=few,
    )


def copies(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield the near-copies and the identical files."""
    say = language.say
    for part, labels, suffix in _label_parts(audit):
        field = labels.field
        paragraphs = [
            say("audit.copies.identical", entries=language.listed(names))
            for names in audit.identical
        ]
        if not labels.copies:
            paragraphs.append(say("audit.copies.none"))
        table = ResultTable(
            name=f"near_copies{suffix}",
            caption=say("audit.copies.caption"),
            columns=(
                _column(language, "copies.first"),
                _column(language, "copies.second"),
                _column(language, "copies.shared_errors", numeric=True),
                _column(language, "copies.expected", numeric=True),
                _column(language, "copies.errors", numeric=True),
                _column(language, "copies.p", numeric=True),
            ),
            rows=tuple(
                (
                    cell(field.names[item.entries[0]]),
                    cell(field.names[item.entries[1]]),
                    _count(language, item.shared_errors),
                    _number(language, item.expected, 1),
                    cell(" / ".join(map(language.numerals.count, item.errors))),
                    cell(language.numerals.p(item.p_value), item.p_value),
                )
                for item in labels.copies
            ),
        )
        shown = table if labels.copies else None
        passage = Passage(tuple(paragraphs), caption=table.caption if shown else "", table=shown)
        yield _section(f"copies{suffix}", _heading(language, "copies", part), shown, passage)


def schemes(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield who stands on top under other ranking schemes, and who gains where."""
    say, names = language.say, audit.names
    first = audit.schemes[0].top
    same = sum(scheme.top == first for scheme in audit.schemes if scheme.kind != "tie_rule")
    ranked = sum(scheme.kind != "tie_rule" for scheme in audit.schemes)
    table = ResultTable(
        name="schemes",
        caption=say("audit.schemes.caption"),
        columns=(
            _column(language, "schemes.kind"),
            _column(language, "schemes.name"),
            _column(language, "schemes.top"),
        ),
        rows=tuple(
            (
                cell(say(f"audit.schemes.{scheme.kind}")),
                cell(scheme.name),
                cell(", ".join(names[entry] for entry in sorted(scheme.top))),
            )
            for scheme in audit.schemes
        ),
    )
    paragraphs = [
        say(
            "audit.schemes.same",
            same=language.numerals.count(same),
            total=language.numerals.count(ranked),
        )
    ]
    paragraphs += [
        say(
            "audit.schemes.gain",
            entry=names[gain.entry],
            rank=gain.rank,
            best=gain.best,
            best_in=gain.best_in,
            worst=gain.worst,
            worst_in=gain.worst_in,
        )
        for gain in audit.gains[:5]
    ]
    passage = Passage(tuple(paragraphs), caption=table.caption, table=table)
    yield _section("schemes", say("audit.schemes.heading"), table, passage)


def optimism(audit: Audit, language: Language) -> Iterator[Section]:
    """Yield how much better the entries look in public."""
    if not audit.optimism:
        return
    say = language.say
    decimals = decimals_for(audit.findings.analyses[0].standard_error.tolist())
    table = ResultTable(
        name="optimism",
        caption=say("audit.optimism.caption"),
        columns=(
            TableColumn(("entry",), say("audit.optimism.entry")),
            _column(language, "optimism.public", numeric=True),
            _column(language, "optimism.private", numeric=True),
            _column(language, "optimism.difference", numeric=True),
            TableColumn(("low", "high"), say("audit.optimism.interval"), numeric=True),
            _column(language, "optimism.submissions", numeric=True),
            _column(language, "optimism.expected", numeric=True),
        ),
        rows=tuple(
            (
                cell(item.entry),
                _number(language, item.public, decimals),
                _number(language, item.private, decimals),
                _number(language, item.difference, decimals, signed=True),
                _interval_cell(language, item.low, item.high, decimals),
                cell("", None) if item.submissions is None else _count(language, item.submissions),
                cell("", None)
                if item.expected is None
                else _number(language, item.expected, decimals, signed=True),
            )
            for item in audit.optimism
        ),
    )
    passage = Passage(caption=table.caption, table=table)
    yield _section("optimism", say("audit.optimism.heading"), table, passage)


def regraded_section(regrade: Regrade, language: Language) -> Section:
    """Return what changed labels change."""
    say = language.say
    changes = language.numerals.count(regrade.changed)
    verdict = build(regrade.findings).verdict
    if not regrade.moves:
        passage = Passage((say("audit.regraded.nothing", changes=changes),))
        return _section("regraded", say("audit.regraded.heading"), None, passage)
    decimals = decimals_for(regrade.findings.analyses[0].standard_error.tolist())
    table = ResultTable(
        name="regraded",
        caption=say("audit.regraded.caption", changes=changes),
        columns=(
            TableColumn(("entry",), say("audit.regraded.entry")),
            _column(language, "regraded.before", numeric=True),
            _column(language, "regraded.after", numeric=True),
            _column(language, "regraded.score_before", numeric=True),
            _column(language, "regraded.score_after", numeric=True),
        ),
        rows=tuple(
            (
                cell(move.entry),
                *(_count(language, rank) for rank in move.rank),
                *(_number(language, score, decimals) for score in move.score),
            )
            for move in regrade.moves
        ),
    )
    paragraphs = (say("audit.regraded.verdict", verdict=verdict),)
    passage = Passage(paragraphs, caption=table.caption, table=table)
    return _section("regraded", say("audit.regraded.heading"), table, passage)


#: In the order of the page.
SECTIONS: Sequence[Callable[[Audit, Language], Iterator[Section]]] = (
    certificates,
    suspects,
    examples,
    errors,
    copies,
    schemes,
    optimism,
)
