"""The audit as files: a page, tables and audit.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core import catalogs
from ..core.phrases import Language, gettext_noop, ngettext_noop
from ..core.version import __version__
from ..document.blocks import Document, Link, Links
from ..document.html import framed, page
from ..document.take_away import tables
from ..inference.planning import POWER
from ..report.assemble import converted
from ..report.findings import Findings
from ..report.sections.account import signed
from ..report.write import write
from . import certificate, copies, regrade, right_answers, schemes, withdrawal
from .certificate import Certificate
from .competition_audit import Audit, PartAudit
from .finding import SCHEMA_VERSION, Finding, Page
from .plan import PlanAudit, plan_content, plan_sections
from .regrade import Regrade
from .withdrawal import Withdrawal

#: What an audit may leave in its folder.
_OUTPUTS = ("audit.html", "audit.json", "tables", "figures")
#: How many wrong labels, or withdrawn examples, draw a rival level.
_LABELS = ngettext_noop(
    "{count:n} wrong gold label would be enough to put {rival} level with {leader}.",
    "{count:n} wrong gold labels would be enough to put {rival} level with {leader}.",
)
_ALL_LABELS = ngettext_noop(
    "If the one label on which they differ so is wrong, {rival} draws level with {leader}.",
    "If all {count:n} of these labels are wrong, {rival} draws level with {leader}.",
)
_WITHDRAWN = ngettext_noop(
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
    "Without {count:n} of the {examples}, {rival} draws level with {leader}.",
)
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


@dataclass(frozen=True, repr=False)
class AuditResult:
    """An audit, or the plan of a competition. Keep it from participants: it may hold the gold.

    ``verdict`` is the most important finding in one sentence, ``summary`` has also what to look at
    again, a line each, and ``secret`` says what the audit holds that only the organizer may see.
    """

    verdict: str
    summary: str
    secret: str
    files: Mapping[str, str | bytes]  # path → content

    def __repr__(self) -> str:
        return f"<AuditResult: {self.verdict}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the content of audit.json."""
        content: dict[str, Any] = json.loads(self.files["audit.json"])
        return content

    def save(self, folder: str | Path) -> None:
        """Write audit.html, audit.json, tables and figures to a folder.

        Raises
        ------
        OrganizerError
            The folder cannot be written; it is left as it was.
        """
        write(Path(folder), self.files, outputs=_OUTPUTS)


def audit_report(audit: Audit, regraded: Regrade | None = None) -> AuditResult:
    """Return the audit of a finished competition, with what changed labels change.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    language = catalogs.load(audit.findings.settings.language, audit.findings.kind)
    secret = language.say(
        "The audit holds gold labels and single predictions. Do not publish it."
        if any(one.part.has_gold for one in audit.parts)
        else "The audit holds the scores of single units. Do not publish it."
    )
    notes = [secret, *dict.fromkeys(_left_out(one, language) for one in audit.parts)]
    findings, content = _findings(audit, regraded, language), _content(audit, regraded)
    return _report(audit.findings, language, _verdict(audit, language), notes, findings, content)


def _findings(audit: Audit, regraded: Regrade | None, language: Language) -> Iterator[Finding]:
    """Yield the sections in the order of the page."""
    ranking = audit.findings.evidence[0]
    whole = Page.from_evidence(ranking, language)
    if regraded is not None:
        after = Page.from_evidence(regraded.findings.evidence[0], language)
        yield regrade.regrade_section(after, regraded)
    pages = []
    for number, one in enumerate(audit.parts, start=1):
        suffix = f"-{number}" if len(audit.parts) > 1 else ""
        pages.append((Page.from_evidence(one.part.evidence, language, one.part.name, suffix), one))
    for own, one in pages:
        yield from certificate.certificate_section(own, one.part, one.certificates, one.stays)
    for own, one in pages:
        yield from certificate.suspect_section(own, one.part, one.certificates)
    for own, one in pages:
        yield from withdrawal.withdrawal_sections(own, one.part, one.withdrawals)
    yield from copies.identical_section(whole, audit.identical)
    for own, one in pages:
        yield from copies.copy_section(own, one.pairs)
    for own, one in pages:
        if one.part.answers is not None and one.examples is not None:
            answers = one.part.answers
            yield from right_answers.example_section(own, answers, one.examples, one.ceilings)
    yield from schemes.scheme_section(whole, ranking, audit.schemes, audit.gains)
    yield from schemes.optimism_section(whole, ranking.question.confidence, audit.optimism)
    for own, one in pages:
        names, order = one.part.evidence.names, one.part.evidence.scores.order.tolist()
        if one.part.labels is not None and one.recalls is not None:
            yield from right_answers.class_section(own, one.part.labels, one.recalls, order)
        if one.right is not None:
            yield right_answers.slice_section(own, names, one.slices, one.right.others, order)


def _content(audit: Audit, regraded: Regrade | None) -> dict[str, Any]:
    """Return audit.json: the ranking part at the top, all of them in "parts" if there are several.

    Entries are named, and the ids of examples are those of the reference data.
    """
    names, parts = audit.names, list(map(_content_of_part, audit.parts))
    content = {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "leader": names[audit.findings.evidence[0].scores.leader],
        **parts[0],
        "identical": [
            {"entries": list(entries), "files": files} for entries, files in audit.identical
        ],
        **schemes.scheme_content(names, audit.schemes, audit.gains),
        "optimism": audit.optimism,
    }
    if regraded is not None:
        content["regraded"] = regrade.regrade_content(regraded)
    if len(parts) > 1:
        content["parts"] = parts
    return content


def _content_of_part(one: PartAudit) -> dict[str, Any]:
    part = one.part
    content: dict[str, Any] = {"part": part.name}
    if one.withdrawals:
        content |= withdrawal.withdrawal_content(part, one.withdrawals)
    if part.labels is not None and one.recalls is not None:
        content |= certificate.certificate_content(part, one.certificates, one.stays)
        content |= one.ceilings or {"oracle": None, "majority": None}
        content |= right_answers.class_content(part.labels, one.recalls)
    if part.answers is not None and one.pairs is not None:
        content |= copies.copy_content(one.pairs)
        names, right = part.answers.names, one.right
        content["slices"] = (
            right_answers.slice_content(names, one.slices, right.others) if right else []
        )
        if one.examples is not None:
            content |= right_answers.example_content(part.answers, one.examples)
    return content


def plan_report(parts: Sequence[PlanAudit], findings: Findings) -> AuditResult:
    """Return the plan of a competition.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    language = catalogs.load(findings.settings.language, findings.kind)
    part = parts[0]
    examples = language.examples(
        part.kind, part.n, findings.settings.group_name, part.groups, in_sentence=True
    )
    verdict = language.say(
        "The test set of {examples} separates two entries that are {difference} apart ({metric}) "
        "with an average power of {power}.",
        difference=language.numerals.fixed(part.separable, part.decimals),
        metric=language.metric(part.metric.label),
        examples=examples,
        power=language.numerals.percent(POWER),
    )
    secret = language.say("The audit holds gold labels and single predictions. Do not publish it.")
    sections = plan_sections(parts, language)
    return _report(findings, language, verdict, [secret], sections, plan_content(parts))


def _report(
    audited: Findings,
    language: Language,
    verdict: str,
    notes: Sequence[str],
    findings: Iterable[Finding],
    content: object,
) -> AuditResult:
    # What the organizer has something to do about comes first.
    ordered = sorted(findings, key=lambda item: not item.look)
    say, secret, settings = language.say, notes[0], audited.settings
    brief = tuple(
        Link(item.section.id, item.section.heading, (say("look again"),) * item.look, item.brief)
        for item in ordered
    )
    document = Document(
        language=language,
        overline=say("Audit for the organizer"),
        title=settings.title or say("Audit of the competition"),
        verdict=verdict,
        consequence=tuple(filter(None, notes)),
        blocks=(
            Links(brief, "brief", say("What the audit found")),
            *(item.section for item in ordered),
            signed(audited, language),
        ),
        made_by=say("Made by Deadheat {version}", version=__version__).strip(),
        contains_gold=True,
    )
    # The names of the files say it, too, because a CSV has no room for a caption.
    made = [
        replace(table, name=f"gold_{table.name}", note=f"{table.note} {secret}".strip())
        for table in document.tables
    ]
    source = f"{document.title} · {document.made_by}"
    drawn = {
        f"gold_{name}.svg": framed(figure, source) for name, figure in document.figures.items()
    }
    files: dict[str, str | bytes] = {
        "audit.html": page(document),
        "audit.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        **{f"tables/{name}": text for name, text in tables(made).items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": picture for name, picture in converted(drawn, settings.figures)},
    }
    summary = "\n".join([verdict, *(item.brief for item in ordered if item.look)])
    return AuditResult(verdict, summary, secret, files)


def _left_out(one: PartAudit, language: Language) -> str:
    """Return what the page cannot say of a part, and why; empty if there is nothing."""
    part = one.part
    if part.answers is not None and not one.withdrawals:
        return ""
    key = "labels" if part.answers is not None else "answers" if part.has_gold else "scores"
    said = language.say(_LEFT_OUT[key])
    return f"{part.name}: {said}" if part.name else said


def _verdict(audit: Audit, language: Language) -> str:
    """Return the strongest certificate: the rival that the fewest wrong labels bring level."""
    for one in audit.parts:
        if sentence := _strongest(one, language):
            return f"{one.part.name}: {sentence}" if one.part.name else sentence
    leader = audit.names[audit.findings.evidence[0].scores.leader]
    return language.say(
        "{leader} leads. By this metric the audit cannot say how many wrong labels would change "
        "that."
        if audit.parts[0].part.others
        else "{leader} leads; there is no rival that could draw level.",
        leader=leader,
    )


def _strongest(one: PartAudit, language: Language) -> str:
    """Return what the fewest changes do to the order; empty if no number was found."""
    strongest: list[tuple[int, Certificate | Withdrawal]] = [
        (item.changes, item) for item in one.certificates if item.changes is not None
    ] or [(item.fewest, item) for item in one.withdrawals if item.fewest is not None]
    if not strongest:
        return ""
    fewest, least = min(strongest, key=lambda item: item[0])
    who = {"rival": one.part.evidence.names[least.rival], "leader": one.part.leader}
    if not fewest:
        return language.say("{rival} is level with {leader} as the labels are.", **who)
    if isinstance(least, Certificate):
        exact = least.exact or fewest == 1  # they are not level without any change
        sentence = _ALL_LABELS if exact and fewest == least.candidates else _LABELS
        return language.say(*sentence, count=fewest, **who)
    examples = language.examples(one.part.kind, len(one.part.ids))
    return language.say(*_WITHDRAWN, count=fewest, examples=examples, **who)
