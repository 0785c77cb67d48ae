"""The sections of the page that plans a competition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...report.language import Language
from ...report.sections.section import Passage
from ...report.tables import ResultTable, TableColumn, cell
from ..plan import POWER
from ..plan_audit import SMALL_CLASS, PlanAudit
from .finding import Finding, section


def plan_sections(parts: Sequence[PlanAudit], language: Language) -> Iterator[Finding]:
    """Yield the sections of every part, and a checklist."""
    for number, part in enumerate(parts, start=1):
        suffix = f"-{number}" if len(parts) > 1 else ""
        title = f" · {part.name}" if part.name else ""
        yield _sizes(part, language, suffix, title)
        yield _checks(part, language, suffix, title)
    lines = tuple(language.strings["audit"]["plan"]["checklist"])
    heading, brief = language.say("audit.plan.before"), language.say("audit.plan.before_brief")
    yield Finding(section("before", heading, Passage(lines), None), brief)


def _sizes(part: PlanAudit, language: Language, suffix: str, title: str) -> Finding:
    say, numerals = language.say, language.numerals
    rows = []
    for size in part.sizes:
        needed, enough = say("audit.plan.too_many"), say("audit.no")
        if size.examples is not None:
            needed = numerals.count(size.examples)
            enough = say("audit.yes" if size.examples <= part.n else "audit.no")
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
            TableColumn(("enough",), say("audit.plan.enough", n=numerals.count(part.n))),
        ),
        rows=tuple(rows),
        note=say("audit.plan.paired" if part.paired else "audit.plan.independent"),
    )
    separable = say(
        "audit.plan.separable",
        n=numerals.count(part.n),
        difference=numerals.fixed(part.separable, part.decimals),
    )
    passage = Passage((separable,), caption=table.caption, table=table, note=table.note)
    heading = say("audit.plan.heading") + title
    return Finding(section(f"sizes{suffix}", heading, passage, table), separable)


def _checks(part: PlanAudit, language: Language, suffix: str, title: str) -> Finding:
    found = list(_defects(part, language))
    lines = found or [language.say("audit.plan.clean")]
    if not part.inputs:
        lines.append(language.say("audit.plan.no_inputs"))
    heading = language.say("audit.plan.checks") + title
    passage = Passage(tuple(lines))
    brief = " ".join(lines[:2])
    return Finding(section(f"checks{suffix}", heading, passage, None), brief, look=bool(found))


def _defects(part: PlanAudit, language: Language) -> Iterator[str]:
    """Yield what is wrong with the test set."""
    say, numerals = language.say, language.numerals
    if part.small_classes:
        listed = language.listed(
            [f"{label} ({numerals.count(size)})" for label, size in part.small_classes.items()]
        )
        yield say("audit.plan.small", classes=listed, least=numerals.count(SMALL_CLASS))
    if part.undefined:
        yield say(
            "audit.plan.undefined",
            undefined=numerals.count(part.undefined),
            resamples=numerals.count(part.resamples),
        )
    if part.repetitions:
        contradicting = sum(len(item.labels) > 1 for item in part.repetitions)
        yield say(
            "audit.plan.repetitions",
            count=numerals.count(len(part.repetitions)),
            contradicting=numerals.count(contradicting),
        )
    for name, count in part.overlaps.items():
        if count:
            yield say("audit.plan.overlap", file=name, count=numerals.count(count))
