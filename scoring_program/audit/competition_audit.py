"""The organizer's audit of a finished competition, and of each of its parts.

A part is the only gold, a task, or the private rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core import catalogs
from ..core.errors import OrganizerError
from ..pipeline import EvaluatedCompetition
from ..report.assemble import views_of
from ..report.results_json import prizes_record
from ..report.sections import on_prizes
from .answers import AuditedPart, regrade
from .certificate import certificates, withdrawal
from .copies import copies, identical
from .page import SCHEMA_VERSION, AuditResult, Outcome, Page, report
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


# Long because its sentences stand where they are chosen.
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
    competition = evaluation.competition
    language = catalogs.load(findings.settings.language, findings.kind)
    ranking = findings.evidence[0]
    whole = Page.from_evidence(ranking, language)
    several = len(evaluation.resampled) > 1
    asked: list[tuple[AuditedPart, Page, list[Outcome]]] = []
    for resampled, evidence in zip(evaluation.resampled, evaluation.of_parts, strict=True):
        part = AuditedPart(resampled, evidence, findings.settings, competition.teams)
        suffix = f"-{len(asked) + 1}" if several else ""
        page = Page.from_evidence(evidence, language, resampled.part.name, suffix)
        field = part.decisive
        ceiling = None
        if field is not None:
            ceiling = ceilings(part.scorer, field, part.order, resampled.design, findings.settings)
        outcomes = [
            withdrawal(page, part),
            certificates(page, part),
            classes(page, part, ceiling),
            copies(page, part),
            answers_of_examples(page, part, ceiling),
        ]
        asked.append((part, page, outcomes))
    of_whole = [
        identical(whole, competition),
        ranking_schemes(whole, evaluation),
        public_leaderboard(whole, findings, public),
    ]
    if regraded is not None:
        of_whole.append(regrade(evaluation, regraded, language))
    outcomes = [*(outcome for _, _, of_part in asked for outcome in of_part), *of_whole]
    leader = ranking.names[ranking.scores.leader]
    # It may not be known how few changes would change the order.
    unknown = language.say(
        "{leader} leads. By this metric the audit cannot say how many wrong labels would change "
        "that."
        if asked[0][0].rivals
        else "{leader} leads; there is no rival that could draw level.",
        leader=leader,
    )
    verdict = next(filter(None, (outcome.verdict for outcome in outcomes)), unknown)
    secret = language.say(
        "The audit holds gold labels and single predictions. Do not publish it."
        if any(part.has_gold for part, _, _ in asked)
        else "The audit holds the scores of single units. Do not publish it."
    )
    told_of_prizes = " ".join(on_prizes.sentences(views_of(findings, language)[0]))
    notes = [secret, told_of_prizes, *dict.fromkeys(_left_out(*asked_part) for asked_part in asked)]
    answers = [finding for outcome in outcomes for finding in outcome.findings]
    if findings.public is not None:
        # The private rows are the first part, and decide alone: public ones leave nothing to do.
        decisive = "", asked[0][1].title
        answers = [
            replace(finding, look=finding.look and finding.part in decisive) for finding in answers
        ]
    answers.sort(key=lambda finding: _PLACES[finding.key])
    contents = [{"part": page.title, **_content(of_part)} for _, page, of_part in asked]
    content = {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "leader": leader,
        "prizes": prizes_record(findings, ranking),
        **contents[0],
        **_content(of_whole),
        **({"parts": contents} if several else {}),
    }
    return report(findings, language, verdict, notes, answers, content)


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


def _left_out(part: AuditedPart, page: Page, outcomes: Sequence[Outcome]) -> str:
    """Return what the page cannot say of a part, and why; empty if there is nothing."""
    if part.answers is not None and "withdrawal" not in _content(outcomes):
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
