"""The sections of the page that plans a competition."""

from __future__ import annotations

from collections.abc import Iterator

from ..report.language import Language
from ..report.sections.section import Passage, Section
from ..report.tables import ResultTable, TableColumn, cell
from .plan import POWER
from .plan_audit import SMALL_CLASS, PlanAudit


def plan_sections(part: PlanAudit, language: Language) -> Iterator[Section]:
    """Yield the sections of one part."""
    suffix = f"-{part.name}" if part.name else ""
    title = f" · {part.name}" if part.name else ""
    yield _sizes(part, language, suffix, title)
    yield _checks(part, language, suffix, title)


def _sizes(part: PlanAudit, language: Language, suffix: str, title: str) -> Section:
    say, numerals = language.say, language.numerals
    rows = []
    for size in part.sizes:
        needed, enough = say("audit.plan.too_many"), ""
        if size.examples is not None:
            needed = numerals.count(size.examples)
            enough = say("audit.plan.yes" if size.examples <= part.units else "audit.plan.no")
        difference = numerals.fixed(size.difference, part.decimals)
        rows.append((cell(difference, size.difference), cell(needed, size.examples), cell(enough)))
    table = ResultTable(
        name=f"examples_needed{suffix}",
        caption=say(
            "audit.plan.sizes",
            power=numerals.percent(POWER),
            entries=numerals.count(part.entries),
            metric=language.metric(part.metric.label),
        ),
        columns=(
            TableColumn(("difference",), say("audit.plan.difference"), numeric=True),
            TableColumn(("examples",), say("audit.plan.examples"), numeric=True),
            TableColumn(("enough",), say("audit.plan.enough", n=numerals.count(part.units))),
        ),
        rows=tuple(rows),
        note=say("audit.plan.paired" if part.paired else "audit.plan.independent"),
    )
    separable = say(
        "audit.plan.separable", difference=numerals.fixed(part.separable, part.decimals)
    )
    passage = Passage((separable,), caption=table.caption, table=table, note=table.note)
    heading = say("audit.plan.heading") + title
    return Section(f"audit-sizes{suffix}", heading, passage, tables=(table,))


def _checks(part: PlanAudit, language: Language, suffix: str, title: str) -> Section:
    say, numerals = language.say, language.numerals
    lines = []
    if part.small_classes:
        listed = language.listed(
            [f"{label} ({numerals.count(size)})" for label, size in part.small_classes.items()]
        )
        lines.append(say("audit.plan.small", classes=listed, least=numerals.count(SMALL_CLASS)))
    if part.undefined:
        lines.append(
            say(
                "audit.plan.undefined",
                undefined=numerals.count(part.undefined),
                resamples=numerals.count(part.resamples),
            )
        )
    if part.repetitions:
        contradicting = sum(len(item.labels) > 1 for item in part.repetitions)
        lines.append(
            say(
                "audit.plan.repetitions",
                count=numerals.count(len(part.repetitions)),
                contradicting=numerals.count(contradicting),
            )
        )
    lines += [
        say("audit.plan.overlap", file=name, count=numerals.count(count))
        for name, count in part.overlaps.items()
        if count
    ]
    if not lines:
        lines.append(say("audit.plan.clean"))
    lines += list(language.strings["audit"]["plan"]["checklist"])
    heading = say("audit.plan.checks") + title
    return Section(f"audit-checks{suffix}", heading, Passage(tuple(lines)))
