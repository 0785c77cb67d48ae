"""The audit as files: a page, tables and audit.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...core import catalogs
from ...core.phrases import Language, gettext_noop, ngettext_noop
from ...core.version import __version__
from ...document.blocks import Document, Link, Links
from ...document.html import page
from ...document.standalone import framed
from ...document.take_away import tables
from ...inference.planning import POWER
from ...report.conversion import converted
from ...report.findings import Findings
from ..competition_audit import Audit
from ..part_audit import PartAudit
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
#: How many wrong labels draw a rival level.
_VERDICT = {
    "verdict": ngettext_noop(
        "{count:n} wrong gold label of {candidates} would be enough to put {rival} level with "
        "{leader}.",
        "{count:n} wrong gold labels of {candidates} would be enough to put {rival} level with "
        "{leader}.",
    ),
    "verdict_all": ngettext_noop(
        "If the one label on which they differ so is wrong, {rival} draws level with {leader}.",
        "If all {count:n} of these labels are wrong, {rival} draws level with {leader}.",
    ),
    "verdict_at_most": ngettext_noop(
        "{count:n} wrong gold label of {candidates} would be enough to put {rival} level with "
        "{leader}.",
        "{count:n} wrong gold labels of {candidates} would be enough to put {rival} level with "
        "{leader}.",
    ),
}
_WITHDRAWN = {
    "verdict_withdrawn": ngettext_noop(
        "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
        "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
    ),
    "verdict_withdrawn_at_most": ngettext_noop(
        "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
        "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
    ),
}
#: What a page cannot say, and why.
_LEFT_OUT = {
    "answers": gettext_noop(
        "{Things} here have no single correct answer, so the page says nothing about right and "
        "wrong answers, confusion and shared errors."
    ),
    "scores": gettext_noop(
        "A table of scores holds no correct answers, so the page says nothing about right and "
        "wrong answers, confusion and shared errors."
    ),
    "labels": gettext_noop(
        "The ranking metric does not read single labels, so the audit counts {things} to withdraw, "
        "not labels to change."
    ),
}


@dataclass(frozen=True)
class AuditReport:
    """The page of an audit; its verdict and what to look at, for the terminal; what is secret."""

    document: Document
    text: str
    secret: str  # what it holds that nobody else may see


def audit_report(audit: Audit, regrade: Regrade | None = None) -> AuditReport:
    """Return the page of a finished competition's audit, with what changed labels change."""
    settings = audit.findings.settings
    language = catalogs.load(settings.language, audit.findings.kind)
    findings = [finding for make in SECTIONS for finding in make(audit, language)]
    if regrade is not None:
        findings.insert(0, regraded(regrade, language))
    has_gold = any(part.has_gold for part in audit.parts)
    secret = language.say(
        "The audit holds gold labels and single predictions. Do not publish it."
        if has_gold
        else "The audit holds the scores of single units. Do not publish it."
    )
    notes = [secret, *dict.fromkeys(_left_out(part, language) for part in audit.parts)]
    return _report(settings.title, _verdict(audit, language), notes, findings, language)


def plan_report(parts: Sequence[PlanAudit], findings: Findings) -> AuditReport:
    """Return the page that plans a competition."""
    settings = findings.settings
    language = catalogs.load(settings.language, findings.kind)
    part = parts[0]
    examples = language.examples(part.kind, part.n, settings.group, part.groups, in_sentence=True)
    verdict = language.say(
        "The test set of {examples} separates two entries that are {difference} apart ({metric}) "
        "with an average power of {power}.",
        difference=language.numerals.fixed(part.separable, part.decimals),
        metric=language.metric(part.metric.label),
        examples=examples,
        power=language.numerals.percent(POWER),
    )
    secret = language.say("The audit holds gold labels and single predictions. Do not publish it.")
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
    document = report.document
    # The names of the files say it, too, because a CSV has no room for a caption.
    made = [
        replace(table, name=f"gold_{table.name}", note=f"{table.note} {report.secret}".strip())
        for table in document.tables
    ]
    source = f"{document.title} · {document.made_by}"
    drawn = {
        f"gold_{name}.svg": framed(figure, source) for name, figure in document.figures.items()
    }
    return {
        "audit.html": page(document),
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
    say, found = language.say, list(findings)
    brief = tuple(
        Link(item.section.id, item.section.heading, (say("look again"),) * item.look, item.brief)
        for item in found
    )
    document = Document(
        language=language,
        overline=say("Audit for the organizer"),
        title=title or say("Audit of the competition"),
        verdict=verdict,
        consequence=tuple(filter(None, notes)),
        blocks=(
            Links(brief, "brief", say("What the audit found")),
            *(item.section for item in found),
        ),
        made_by=say("Made by Deadheat {version}", version=__version__).strip(),
        contains_gold=True,
    )
    text = "\n".join([verdict, *(item.brief for item in found if item.look)])
    return AuditReport(document, text, notes[0])


def _left_out(part: PartAudit, language: Language) -> str:
    """Return what the page cannot say of a part, and why; empty if there is nothing."""
    if part.answers is not None and not part.withdrawals:
        return ""
    key = "labels" if part.answers is not None else "answers" if part.has_gold else "scores"
    said = language.say(_LEFT_OUT[key])
    return f"{part.name}: {said}" if part.name else said


def _verdict(audit: Audit, language: Language) -> str:
    """Return the strongest certificate: the rival that the fewest wrong labels bring level."""
    for part in audit.parts:
        sentence = _of_labels(part, language) or _of_examples(part, language)
        if sentence:
            return f"{part.name}: {sentence}" if part.name else sentence
    leader = audit.names[audit.findings.evidence[0].scores.leader]
    return language.say(
        "{leader} leads. By this metric the audit cannot say how many wrong labels would change "
        "that."
        if audit.parts[0].rivals.others
        else "{leader} leads; there is no rival that could draw level.",
        leader=leader,
    )


def _of_labels(part: PartAudit, language: Language) -> str:
    certificates = part.labels.certificates if part.labels is not None else ()
    known = [item for item in certificates if item.changes is not None]
    if not known:
        return ""
    least = min(known, key=lambda item: item.changes or 0)
    names = part.evidence.names
    who = {"rival": names[least.rival], "leader": names[part.rivals.leader]}
    if not least.changes:
        return language.say("{rival} is level with {leader} as the labels are.", **who)
    exact = least.exact or least.changes == 1  # they are not level without any change
    key = "verdict" if exact else "verdict_at_most"
    if exact and least.changes == least.candidates:
        key = "verdict_all"
    candidates = language.numerals.count(least.candidates)
    return language.say(*_VERDICT[key], count=least.changes, candidates=candidates, **who)


def _of_examples(part: PartAudit, language: Language) -> str:
    known = [item for item in part.withdrawals if item.examples is not None]
    if not known:
        return ""
    least = min(known, key=lambda item: len(item.examples or ()))
    names = part.evidence.names
    who = {"rival": names[least.rival], "leader": names[part.rivals.leader]}
    if not least.examples:
        return language.say("{rival} is level with {leader} as the labels are.", **who)
    key = "verdict_withdrawn" if least.exact else "verdict_withdrawn_at_most"
    examples = language.examples(part.kind, len(part.ids))
    return language.say(*_WITHDRAWN[key], count=len(least.examples), examples=examples, **who)
