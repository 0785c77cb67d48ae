"""The audit as files: a page, tables and audit.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...core.version import __version__
from ...inference.findings import Findings
from ...report import language as languages
from ...report.conversion import converted
from ...report.language import Language
from ...report.markup import html
from ...report.standalone import svg
from ...report.tables import tables
from ..competition_audit import Audit
from ..part_audit import PartAudit
from ..plan import POWER
from ..plan_audit import PlanAudit
from ..regraded import Regrade
from .certificate_section import certificates, suspects
from .content import audit_content, plan_content
from .copies_section import copies
from .errors_section import errors
from .examples_section import examples
from .finding import Finding
from .optimism_section import optimism
from .plan_sections import plan_sections
from .regraded_section import regraded
from .schemes_section import schemes
from .withdrawal_section import withdrawn

#: What an audit may leave in its folder.
OUTPUTS = ("audit.html", "audit.json", "tables", "figures")
#: In the order of the page.
SECTIONS = (certificates, suspects, withdrawn, copies, examples, schemes, optimism, errors)


@dataclass(frozen=True)
class AuditReport:
    """Everything on the page of an audit."""

    language: Language
    title: str
    verdict: str
    consequence: tuple[str, ...]
    findings: tuple[Finding, ...]
    secret: str  # what it holds that nobody else may see
    made_by: str

    @property
    def text(self) -> str:
        """The verdict and what to look at, for the terminal."""
        return "\n".join([self.verdict, *(item.brief for item in self.findings if item.look)])


def audit_report(audit: Audit, regrade: Regrade | None = None) -> AuditReport:
    """Return the page of a finished competition's audit, with what changed labels change."""
    settings = audit.findings.settings
    language = languages.load(settings.language, audit.findings.kind)
    findings = [finding for make in SECTIONS for finding in make(audit, language)]
    if regrade is not None:
        findings.insert(0, regraded(regrade, language))
    has_gold = any(part.has_gold for part in audit.parts)
    secret = language.say(f"audit.{'secret' if has_gold else 'secret_scores'}")
    notes = [secret, *dict.fromkeys(_left_out(part, language) for part in audit.parts)]
    return _report(settings.title, _verdict(audit, language), notes, findings, language)


def plan_report(parts: Sequence[PlanAudit], findings: Findings) -> AuditReport:
    """Return the page that plans a competition."""
    settings = findings.settings
    language = languages.load(settings.language, findings.kind)
    part = parts[0]
    examples = language.examples(part.kind, part.n, settings.group, part.groups, in_sentence=True)
    verdict = language.say(
        "audit.plan.verdict",
        difference=language.numerals.fixed(part.separable, part.decimals),
        metric=language.metric(part.metric.label),
        examples=examples,
        power=language.numerals.percent(POWER),
    )
    secret = language.say("audit.secret")
    return _report(settings.title, verdict, [secret], plan_sections(parts, language), language)


def audit_files(
    audit: Audit, report: AuditReport, regrade: Regrade | None = None
) -> dict[str, str | bytes]:
    """Return path → content of all files of an audit, its figures in the formats of the settings.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    return _files(report, audit_content(audit, regrade), audit.findings.settings.figures)


def plan_files(
    parts: Sequence[PlanAudit], report: AuditReport, formats: Sequence[str]
) -> dict[str, str | bytes]:
    """Return path → content of all files of a plan, its figures in ``formats`` beside SVG.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    return _files(report, plan_content(parts), formats)


def _files(report: AuditReport, content: object, formats: Sequence[str]) -> dict[str, str | bytes]:
    sections = [finding.section for finding in report.findings]
    # The names of the files say it, too, because a CSV has no room for a caption.
    made = [
        replace(table, name=f"gold_{table.name}", note=f"{table.note} {report.secret}".strip())
        for section in sections
        for table in section.tables
    ]
    drawn = {
        f"gold_{name}.svg": svg(figure, f"{report.title} · {report.made_by}")
        for section in sections
        for name, figure in section.figures.items()
    }
    return {
        "audit.html": html("audit.html.j2", report, report.language),
        "audit.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        **{f"tables/{name}": text for name, text in tables(made).items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": picture for name, picture in converted(drawn, formats)},
    }


def _report(
    title: str,
    verdict: str,
    notes: Sequence[str],
    findings: Iterable[Finding],
    language: Language,
) -> AuditReport:
    return AuditReport(
        language=language,
        title=title or language.say("audit.title"),
        verdict=verdict,
        consequence=tuple(filter(None, notes)),
        findings=tuple(findings),
        secret=notes[0],
        made_by=language.say("page.made_by", version=__version__).strip(),
    )


def _left_out(part: PartAudit, language: Language) -> str:
    """Return what the page cannot say of a part, and why; empty if there is nothing."""
    if part.answers is not None and not part.withdrawals:
        return ""
    key = "labels" if part.answers is not None else "answers" if part.has_gold else "scores"
    said = language.say(f"audit.left_out.{key}")
    return f"{part.name}: {said}" if part.name else said


def _verdict(audit: Audit, language: Language) -> str:
    """Return the strongest certificate: the rival that the fewest wrong labels bring level."""
    for part in audit.parts:
        sentence = _of_labels(part, language) or _of_examples(part, language)
        if sentence:
            return f"{part.name}: {sentence}" if part.name else sentence
    leader = audit.names[audit.findings.analyses[0].leader]
    key = "verdict_without" if audit.parts[0].rivals.others else "verdict_alone"
    return language.say(f"audit.{key}", leader=leader)


def _of_labels(part: PartAudit, language: Language) -> str:
    certificates = part.labels.certificates if part.labels is not None else ()
    known = [item for item in certificates if item.changes is not None]
    if not known:
        return ""
    least = min(known, key=lambda item: item.changes or 0)
    names = part.analysis.names
    who = {"rival": names[least.rival], "leader": names[part.rivals.leader]}
    if not least.changes:
        return language.say("audit.level", **who)
    exact = least.exact or least.changes == 1  # they are not level without any change
    key = "verdict" if exact else "verdict_at_most"
    if exact and least.changes == least.candidates:
        key = "verdict_all"
    candidates = language.numerals.count(least.candidates)
    return language.count(f"audit.{key}", least.changes, candidates=candidates, **who)


def _of_examples(part: PartAudit, language: Language) -> str:
    known = [item for item in part.withdrawals if item.examples is not None]
    if not known:
        return ""
    least = min(known, key=lambda item: len(item.examples or ()))
    names = part.analysis.names
    who = {"rival": names[least.rival], "leader": names[part.rivals.leader]}
    if not least.examples:
        return language.say("audit.level", **who)
    key = "verdict_withdrawn" if least.exact else "verdict_withdrawn_at_most"
    examples = language.count(f"kinds.{part.kind}", len(part.ids))
    return language.count(f"audit.{key}", len(least.examples), examples=examples, **who)
