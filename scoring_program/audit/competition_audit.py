"""The organizer's audit of a finished competition, and of each of its parts.

A part is the only gold, a task, or the private rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core import catalogs
from ..core.errors import OrganizerError
from ..core.phrases import Language
from ..pipeline import EvaluatedCompetition
from ..report.assemble import views_of
from ..report.results_json import prizes_record
from ..report.sections import on_prizes
from .answers import AuditedPart, regrade
from .certificate import certificates, withdrawal
from .copies import copies, identical
from .page import SCHEMA_VERSION, AuditResult, Finding, Outcome, Page, report
from .right_answers import answers_of_examples, ceilings, classes
from .schemes import PublicScores, public_leaderboard, ranking_schemes

#: The order of the page, after what to look at again; those on one line come part by part.
_ORDER = (
    ("regraded",),
    ("certificate",),
    ("suspects",),
    ("withdrawal", "to_check"),
    ("identical",),
    ("copies",),
    ("examples",),
    ("schemes",),
    ("optimism",),
    ("errors", "confused", "classes", "slices"),
)
_PLACES = {key: place for place, keys in enumerate(_ORDER) for key in keys}


@dataclass(frozen=True)
class AskedPart:
    """A part of the competition, its words, and the outcomes of the questions about it."""

    part: AuditedPart
    page: Page
    outcomes: Sequence[Outcome]


def audit(
    evaluation: EvaluatedCompetition,
    public: PublicScores | None = None,
    regraded: Path | None = None,
) -> AuditResult:
    """Audit a competition in which every team's submission was scored.

    ``public`` maps entries to their score on other, public examples and its standard error; by
    default on the rows that the reference data call public. The file ``regraded`` holds changed
    labels.

    Raises
    ------
    OrganizerError
        There is only a single submission, or teams are scored by the mean over several; the changed
        labels do not fit (see `regrade`), or the library that converts figures is not installed.
    """
    _check_submissions(evaluation)
    findings = evaluation.findings
    language = catalogs.load(findings.settings.language, findings.kind)
    asked = list(_ask(evaluation, language))
    of_whole = _ask_of_whole(evaluation, language, public, regraded)
    outcomes = [outcome for asked_part in asked for outcome in asked_part.outcomes]
    outcomes += of_whole
    # It may not be known how few changes would change the order.
    verdicts = filter(None, (outcome.verdict for outcome in outcomes))
    verdict = next(verdicts, None) or _verdict_of_none(evaluation, asked[0].part, language)
    return report(
        findings,
        language,
        verdict,
        _notes(evaluation, asked, language),
        _in_order_of_page(outcomes, evaluation, asked[0].page),
        _record(evaluation, asked, of_whole),
    )


def _ask(evaluation: EvaluatedCompetition, language: Language) -> Iterator[AskedPart]:
    """Ask what is asked of every part."""
    settings = evaluation.findings.settings
    several = len(evaluation.resampled) > 1
    of_parts = zip(evaluation.resampled, evaluation.of_parts, strict=True)
    for number, (resampled, evidence) in enumerate(of_parts, 1):
        part = AuditedPart(resampled, evidence, settings, evaluation.competition.teams)
        suffix = f"-{number}" if several else ""
        page = Page.from_evidence(evidence, language, resampled.part.name, suffix)
        field = part.decisive
        ceiling = None
        if field is not None:
            ceiling = ceilings(part.scorer, field, part.order, resampled.design, settings)
        outcomes = (
            withdrawal(page, part),
            certificates(page, part),
            classes(page, part, ceiling),
            copies(page, part),
            answers_of_examples(page, part, ceiling),
        )
        yield AskedPart(part, page, outcomes)


def _ask_of_whole(
    evaluation: EvaluatedCompetition,
    language: Language,
    public: PublicScores | None,
    regraded: Path | None,
) -> list[Outcome]:
    """Ask what is asked of the competition as a whole."""
    findings = evaluation.findings
    page = Page.from_evidence(findings.evidence[0], language)
    outcomes = [
        identical(page, evaluation.competition),
        ranking_schemes(page, evaluation),
        public_leaderboard(page, findings, public),
    ]
    if regraded is not None:
        outcomes.append(regrade(evaluation, regraded, language))
    return outcomes


def _verdict_of_none(
    evaluation: EvaluatedCompetition, part: AuditedPart, language: Language
) -> str:
    """Return what can be said where no question has told what would change the order."""
    return language.say(
        "{leader} leads. By this metric the audit cannot say how many wrong labels would change "
        "that."
        if part.rivals
        else "{leader} leads; there is no rival that could draw level.",
        leader=_leader(evaluation),
    )


def _leader(evaluation: EvaluatedCompetition) -> str:
    ranking = evaluation.findings.evidence[0]
    return ranking.names[ranking.scores.leader]


def _notes(
    evaluation: EvaluatedCompetition, asked: Sequence[AskedPart], language: Language
) -> list[str]:
    """Return what stands below the verdict: a warning, the prizes, and what is left out."""
    secret = language.say(
        "The audit holds gold labels and single predictions. Do not publish it."
        if any(asked_part.part.has_gold for asked_part in asked)
        else "The audit holds the scores of single units. Do not publish it."
    )
    view = views_of(evaluation.findings, language)[0]
    told_of_prizes = " ".join(on_prizes.sentences(view))
    return [secret, told_of_prizes, *dict.fromkeys(map(_left_out, asked))]


def _in_order_of_page(
    outcomes: Sequence[Outcome], evaluation: EvaluatedCompetition, first: Page
) -> list[Finding]:
    """Return the findings in the order of the page.

    The private rows are the ``first`` part, and decide alone: public ones leave nothing to do.
    """
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    if evaluation.findings.public is not None:
        decisive = ("", first.title)
        findings = [
            replace(finding, look=finding.look and finding.part in decisive) for finding in findings
        ]
    return sorted(findings, key=lambda finding: _PLACES[finding.key])


def _record(
    evaluation: EvaluatedCompetition, asked: Sequence[AskedPart], of_whole: Sequence[Outcome]
) -> dict[str, Any]:
    """Return the content of audit.json."""
    parts = [{"part": item.page.title, **_content(item.outcomes)} for item in asked]
    findings = evaluation.findings
    return {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "leader": _leader(evaluation),
        "prizes": prizes_record(findings, findings.evidence[0]),
        **parts[0],
        **_content(of_whole),
        **({"parts": parts} if len(parts) > 1 else {}),
    }


def _check_submissions(evaluation: EvaluatedCompetition) -> None:
    """Raise OrganizerError if not every entry is one submission of a team."""
    findings = evaluation.findings
    if evaluation.competition.form != "teams":
        raise OrganizerError(
            "the audit compares the submissions of all teams, but res/ holds a single one; "
            "put every team's submission into res/"
        )
    if findings.settings.runs == "mean" and any(count > 1 for count in findings.runs.values()):
        raise OrganizerError(
            f"{findings.settings.where('runs')}: the audit looks at single submissions, but with "
            "'mean' a team has several; choose 'best', 'last' or 'all' for the audit"
        )


def _content(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what audit.json says of questions."""
    return {key: value for outcome in outcomes for key, value in outcome.content.items()}


def _left_out(asked: AskedPart) -> str:
    """Return what the page cannot say of a part, and why; empty if there is nothing."""
    part = asked.part
    page = asked.page
    if part.answers is not None and "withdrawal" not in _content(asked.outcomes):
        return ""
    if part.answers is not None:
        reason = page.say(
            "The ranking metric does not read single labels, so the audit counts {things} to "
            "withdraw, not labels to change."
        )
    elif part.has_gold:
        reason = page.say(
            "{Things} here have no single correct answer, so the page says nothing about right and "
            "wrong answers, confusion and shared errors."
        )
    else:
        reason = page.say(
            "A table of scores holds no correct answers, so the page says nothing about right and "
            "wrong answers, confusion and shared errors."
        )
    return f"{page.title}: {reason}" if page.title else reason
