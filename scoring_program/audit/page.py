"""The audit as files: a page, tables and audit.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..core.version import __version__
from ..report import language as languages
from ..report.language import Language
from ..report.markup import html
from ..report.sections.section import Section
from ..report.standalone import svg
from ..report.tables import tables
from .competition_audit import Audit
from .content import audit_content, plan_content
from .page_sections import SECTIONS, regraded_section
from .plan_audit import PlanAudit
from .plan_sections import plan_sections
from .regraded import Regrade

#: What an audit may leave in its folder.
OUTPUTS = ("audit.html", "audit.json", "tables", "figures")


@dataclass(frozen=True)
class AuditReport:
    """Everything on the page of an audit."""

    language: Language
    title: str
    verdict: str
    consequence: tuple[str, ...]
    sections: tuple[Section, ...]
    made_by: str

    @property
    def text(self) -> str:
        """The verdict and what follows from it, for the terminal."""
        return "\n".join([self.verdict, *self.consequence])


def audit_report(audit: Audit, regrade: Regrade | None = None) -> AuditReport:
    """Return the page of a finished competition's audit, with what changed labels change."""
    settings = audit.findings.settings
    language = languages.load(settings.language)
    sections = [section for make in SECTIONS for section in make(audit, language)]
    if regrade is not None:
        sections.insert(0, regraded_section(regrade, language))
    notes = [language.say("audit.secret")]
    if any(part.labels is None for part in audit.parts):
        notes.append(language.say("audit.no_labels"))
    return _report(settings.title, _verdict(audit, language), notes, sections, language)


def plan_report(parts: Sequence[PlanAudit], title: str, code: str) -> AuditReport:
    """Return the page that plans a competition."""
    language = languages.load(code)
    sections = [section for part in parts for section in plan_sections(part, language)]
    part = parts[0]
    verdict = language.say(
        "audit.plan.verdict",
        difference=language.numerals.fixed(part.separable, part.decimals),
        metric=language.metric(part.metric.label),
        units=language.numerals.count(part.units),
    )
    return _report(title, verdict, [language.say("audit.secret")], sections, language)


def audit_files(audit: Audit, report: AuditReport) -> dict[str, str]:
    """Return path → text of all files of an audit."""
    return _files(report, audit_content(audit))


def plan_files(parts: Sequence[PlanAudit], report: AuditReport) -> dict[str, str]:
    """Return path → text of all files of a plan."""
    return _files(report, plan_content(parts))


def _files(report: AuditReport, content: object) -> dict[str, str]:
    secret = report.language.say("audit.secret")
    # The names of the files say it, too, because a CSV has no room for a caption.
    made = [
        replace(table, name=f"gold_{table.name}", note=f"{table.note} {secret}".strip())
        for section in report.sections
        for table in section.tables
    ]
    figures = {
        name: figure for section in report.sections for name, figure in section.figures.items()
    }
    return {
        "audit.html": html("audit.html.j2", report, report.language),
        "audit.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        **{f"tables/{name}": text for name, text in tables(made).items()},
        **{
            f"figures/gold_{name}.svg": svg(figure, f"{report.title} · {report.made_by}")
            for name, figure in figures.items()
        },
    }


def _report(
    title: str,
    verdict: str,
    consequence: Iterable[str],
    sections: Iterable[Section],
    language: Language,
) -> AuditReport:
    return AuditReport(
        language=language,
        title=title or language.say("audit.title"),
        verdict=verdict,
        consequence=tuple(consequence),
        sections=tuple(sections),
        made_by=language.say("page.made_by", version=__version__).strip(),
    )


def _verdict(audit: Audit, language: Language) -> str:
    """Return the strongest certificate: the rival that the fewest wrong labels bring level."""
    say, count = language.say, language.numerals.count
    for part in audit.parts:
        if part.labels is None:
            continue
        known = [item for item in part.labels.certificates if item.changes is not None]
        if known:
            least = min(known, key=lambda item: (item.changes, item.rival))
            names = part.labels.field.names
            if not least.changes:
                level = {"rival": names[least.rival], "leader": names[part.labels.leader]}
                return say("audit.level", **level)
            sentence = language.count(
                "audit.verdict",
                least.changes,
                candidates=count(least.candidates),
                rival=names[least.rival],
                leader=names[part.labels.leader],
            )
            return f"{part.name}: {sentence}" if part.name else sentence
    leader = audit.findings.analyses[0].leader
    return say("audit.verdict_without", leader=audit.names[leader])
