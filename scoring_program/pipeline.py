"""A complete run, step by step: read → align → score → resample → infer → render → write.

A run without the gold (`collect`) only checks and accepts an upload, which is scored later,
elsewhere. The bundle command writes INPUT/ref of such a task: one file with the rules for
submissions, which tells no more than a starting kit does.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from . import report as render
from .bootstrap.design import design_of
from .bootstrap.resample import (
    ResampledPart,
    note_on_time,
    plan_resamples,
    resample_parts,
    told_of_calls,
)
from .core.bounds import one_blas_thread
from .core.errors import MetricError, OrganizerError, SubmissionError
from .core.executor import Executor
from .core.phrases import ENGLISH, Phrase
from .core.pool import check_cluster
from .data.competition import Competition
from .data.joining.checker_rules import WITHOUT_GOLD, as_rules
from .data.source import duration, read_input, time_limit_of
from .document.html import Document
from .document.message_page import failed_page, received_page
from .inference.evidence import Evidence, Question
from .inference.infer import infer
from .metrics import without_formulas
from .metrics.statistics import Counting, OnceOverAll
from .reading.formats.kind import ROWS, UNITS
from .reading.reference import FIELD
from .recognize.reading_record import Reading
from .report.assemble import files, no_picture_because, require_formats
from .report.findings import Findings, signature
from .report.scores import scores_json, scores_txt
from .report.write import write
from .scoring.diagnostics import solved_by_all_and_none
from .scoring.score_entries import score_entries
from .scoring.scorer import ScoredMetric
from .settings.model import Settings

#: Files of OUTPUT that only a run with scores leaves.
_SCORES = "scores.txt", "scores.json", "results.json"


def _ignore(*_: object) -> None:
    """Report to nobody."""


@dataclass(frozen=True)
class Hooks:
    """Functions that a run reports to.

    ``log`` gets whole lines, and ``log_for_organizer`` lines that only the organizer may read.
    ``progress`` gets what is being done, how much of it is done, and the total: "predictions" whose
    statistics are counted, "resamples" that are drawn, "metrics" that are analyzed, "outputs" that
    are written. The time budget counts from ``started``, a time.monotonic(). ``place_of`` returns
    what messages call a setting that the caller gives.
    """

    log: Callable[[str], None] = _ignore
    log_for_organizer: Callable[[str], None] = _ignore
    progress: Callable[[str, int, int], None] = _ignore
    started: float = field(default_factory=time.monotonic)
    place_of: Callable[[str], str] = lambda key: "argument"


@dataclass(frozen=True, eq=False)
class EvaluatedCompetition:
    """The findings of a run, and the competition and resampled scores that they come from.

    ``record`` is results.json if it was written, of many entries a great part of a run's work.
    """

    findings: Findings
    competition: Competition
    resampled: Sequence[ResampledPart]
    record: str | bytes | None = None

    @property
    def of_parts(self) -> list[Evidence]:
        """The evidence about the first metric of every part."""
        evidence = list(self.findings.evidence)
        of_part = []
        if self.competition.has_tasks:
            evidence = [of_metric for of_metric in evidence if of_metric.task is not None]
        for part in self.resampled:
            of_part.append(evidence[0])
            evidence = evidence[len(part.metrics) :]
        return of_part


def run(
    source: Path,
    destination: Path | None = None,
    adjust: Callable[[Settings], Settings] = lambda loaded: loaded,
    hooks: Hooks | None = None,
) -> tuple[EvaluatedCompetition, Document]:
    """Score the competition in ``source`` (ref/ and res/) and write everything to ``destination``.

    ``adjust`` changes the settings that were read. The returned report is the page as data.
    Without a destination, nothing is written.

    Raises
    ------
    DeadheatError
        With a message for whoever can fix the input. No scores have been written then; of one
        upload that cannot be scored, there is a page that says so.
    """
    hooks = hooks or Hooks()
    if destination is not None:
        check_apart(source, destination)

    with _told_on_a_page(destination) as told:

        def checked(loaded: Settings) -> Settings:
            settings = adjust(loaded)
            told.language = settings.language
            told.title = settings.title
            check_cluster(settings.backend, settings.scheduler)  # before all is read
            return settings

        competition, settings = read_input(source, checked, hooks.started)  # reads and aligns
        told.form = competition.form
        elapsed = duration(source)
        for reading in _shown_readings(competition, settings).values():
            _tell(reading.lines(participants_read=True), hooks)
        _tell(competition.notes, hooks)
        evaluation = evaluate(competition, settings, hooks)
    findings = replace(evaluation.findings, duration=elapsed)
    if findings.form == "teams":
        _tell([Phrase("Uploads: {account}.", account=findings.account)], hooks)
    hooks.progress("outputs", 0, 1)
    report = render.build(findings)
    record = None
    if destination is not None:
        contents = files(findings, report)
        write(destination, contents)
        record = contents.get("results.json")
    hooks.progress("outputs", 1, 1)
    return replace(evaluation, findings=findings, record=record), report


@dataclass
class _Upload:
    """What a run knows of an upload when it fails; ``form`` is that of the input."""

    language: str = "en"
    title: str = ""
    form: str = ""


@contextlib.contextmanager
def _told_on_a_page(destination: Path | None) -> Iterator[_Upload]:
    """Write a page that says why an upload cannot be scored, in the words of the log.

    A participant sees the page where a platform shows it, and may not find the log. Of all teams
    there is none: their organizer has the terminal. Scores of an earlier run stay as they are.
    """
    upload = _Upload()
    try:
        yield upload
    except SubmissionError as error:
        has_scores = destination is None or any((destination / name).exists() for name in _SCORES)
        if destination is not None and not has_scores and upload.form != "teams":
            page = failed_page(upload.title, upload.language, error.reason)
            with contextlib.suppress(OrganizerError):  # the upload's own error is told
                write(destination, {"detailed_results.html": page})
        raise


@one_blas_thread()
def evaluate(
    competition: Competition, settings: Settings, hooks: Hooks | None = None
) -> EvaluatedCompetition:
    """Score the entries of a competition, resample its examples and analyze the scores.

    Raises
    ------
    DeadheatError
        With a message for whoever can fix the input.
    """
    hooks = hooks or Hooks()
    require_formats(settings.figures)  # before hours of work
    check_cluster(settings.backend, settings.scheduler)
    question = Question.from_settings(settings)
    competition, scored = _score(competition, settings, hooks)
    if reason := no_picture_because(settings):
        hooks.log(reason)
    try:
        competition, resampled = _resample(competition, scored, settings, hooks)
        analyzed = partial(hooks.progress, "metrics")
        evidence = infer(competition, resampled, question, executor_of(settings), analyzed)
        wanted = competition.overall if competition.form != "single" else ()
        if wanted and wanted[0].name not in {of_metric.metric.name for of_metric in evidence}:
            note = Phrase(
                "No two teams have a score in every task that {metric} needs, so there is no "
                "overall ranking; the page ranks by {first_metric}.",
                metric=wanted[0].label,
                first_metric=evidence[0].metric.label,
            )
            competition = _noted(competition, note, hooks)
    except SubmissionError as error:
        # No participant can fix it: all predictions were accepted on the whole test set.
        raise MetricError(
            f"{error}; change the metric so that it can score resamples too"
        ) from error
    findings = _findings(competition, settings, resampled, evidence)
    return EvaluatedCompetition(findings, competition, resampled)


def executor_of(settings: Settings) -> Executor:
    """Return who carries out the parts of inference, as the settings allow."""
    return Executor(
        memory=int(settings.memory * 2**30),
        time_is_limited=settings.time_budget is not None,
        workers=settings.workers,
        forks=settings.backend in ("auto", "processes"),
    )


def _score(
    competition: Competition, settings: Settings, hooks: Hooks
) -> tuple[Competition, Sequence[Sequence[ScoredMetric]]]:
    """Score every entry by every metric; the returned competition holds the compared entries."""
    told = len(competition.notes)
    count = sum(
        metric.statistics is not None
        for part in competition.parts
        for metric in without_formulas(part.metrics)
    )
    progress = OnceOverAll(count, partial(hooks.progress, "predictions"))
    counting = Counting(settings.workers, progress, time_limit_of(settings, hooks.started))
    competition, scored = score_entries(competition, settings, counting)
    progress.finish()
    _tell(competition.notes[told:], hooks)
    if competition.withheld:
        note = Phrase(
            "Submissions of the packed field that cannot be scored were left out: {submissions:n}.",
            submissions=len(competition.withheld),
        )
        competition = _noted(competition, note, hooks)
        for item in competition.withheld:
            hooks.log_for_organizer(f"ref/{FIELD}: [{item.name}] {item.reason}")
    group = settings.group_name
    examples = ", ".join(
        ENGLISH.examples(part.gold.kind, part.gold.examples, group, part.gold.groups(group))
        + (part.name and f" ({part.name})")
        for part in competition.parts
    )
    entries = "1 entry" if len(competition.names) == 1 else f"{len(competition.names)} entries"
    hooks.log(f"{entries} on {examples}.")
    for note in _solved(competition, scored):
        competition = _noted(competition, note, hooks)
    return competition, scored


def _solved(competition: Competition, scored: Sequence[Sequence[ScoredMetric]]) -> Iterator[Phrase]:
    """Yield how many units of logs and tables of scores all systems solve, or none, by part."""
    for part, metrics in zip(competition.parts, scored, strict=True):
        if part.gold.kind != UNITS or not metrics:
            continue
        counts = solved_by_all_and_none(metrics[0].scorer.answers)
        if counts is None or not any(counts):
            continue
        by_all, by_none = counts
        note = Phrase(
            "By {metric}, every system solves {all:n} of {count:n} units, and none solves "
            "{none:n}. These units separate no two systems.",
            metric=metrics[0].metric.label,
            all=by_all,
            none=by_none,
            count=part.gold.examples,
        )
        yield Phrase("{part}: {note}", part=part.name, note=note) if part.name else note


def _resample(
    competition: Competition,
    scored: Sequence[Sequence[ScoredMetric]],
    settings: Settings,
    hooks: Hooks,
) -> tuple[Competition, Sequence[ResampledPart]]:
    """Score all entries on the resamples of every part, as many as the time budget allows."""
    designs = [design_of(part, settings) for part in competition.parts]
    plan = plan_resamples(competition, scored, designs, settings, hooks.started)
    if wait := told_of_calls(competition, plan, scored, designs, settings):
        _tell([wait], hooks)
    drawn = partial(hooks.progress, "resamples")
    resampled = resample_parts(competition, scored, designs, settings, plan, drawn)
    if competition.focus is None:
        unscored = (item for part in resampled for item in part.unscored)
        competition = replace(competition, unscored=(*competition.unscored, *unscored))
    if early := note_on_time(plan, min(part.resamples for part in resampled), settings):
        competition = _noted(competition, early, hooks)
    return competition, resampled


def _findings(
    competition: Competition,
    settings: Settings,
    resampled: Sequence[ResampledPart],
    evidence: tuple[Evidence, ...],
) -> Findings:
    design = resampled[0].design
    kinds = {part.part.gold.kind for part in resampled}
    examples = design.examples
    if competition.has_tasks:
        of_test_sets = {p.part.gold.ids or p.part.name: p.design.examples for p in resampled}
        examples = sum(of_test_sets.values())
    if settings.shows_scores_only(competition.form):
        # Cautions name rivals, and their numbers tell about the gold.
        evidence = tuple(replace(of_metric, cautions=()) for of_metric in evidence)
    return Findings(
        settings=settings,
        form=competition.form,
        names=competition.names,
        n=examples,
        evidence=evidence,
        signature=signature(competition, settings, evidence),
        focus=competition.focus,
        groups=design.groups,
        # The private part's metrics come first, then as many of the public part.
        public=len(evidence) // 2 if competition.split_by_usage else None,
        unusable=competition.unusable,
        unscored={
            (competition.names[item.entry], item.where): item.reason
            for item in competition.unscored
        },
        uncompared=competition.uncompared,
        left_aside=competition.left_aside,
        averaged=competition.averaged,
        runs=competition.runs,
        teams={} if settings.anonymize else competition.teams,
        notes=competition.notes,
        readings=_shown_readings(competition, settings),
        kind=kinds.pop() if len(kinds) == 1 else ROWS,
    )


def _shown_readings(competition: Competition, settings: Settings) -> Mapping[str, Reading]:
    """Return what the files mean, by task; names of columns may tell who is anonymous."""
    if not settings.anonymize or competition.form != "teams":
        return competition.readings
    return {task: reading.without_rare_names() for task, reading in competition.readings.items()}


def _noted(competition: Competition, note: Phrase, hooks: Hooks) -> Competition:
    """Log a note and return the competition with it."""
    _tell([note], hooks)
    return replace(competition, notes=(*competition.notes, note))


def _tell(notes: Sequence[Phrase], hooks: Hooks) -> None:
    for note in notes:
        hooks.log(ENGLISH.say(note))


def check_apart(source: Path, destination: Path) -> None:
    """Refuse to write into a file, or where the next run would read; raise OrganizerError."""
    above = (path for path in (destination, *destination.parents) if path.exists())
    standing = next(above, Path())
    if not standing.is_dir():
        raise OrganizerError(f"{standing}: this is a file; choose a folder as OUTPUT")
    output = Path(os.path.realpath(destination))
    for name in ("ref", "res"):
        if output.is_relative_to(os.path.realpath(source / name)):
            raise OrganizerError(
                f"{destination}: the next run would read the outputs as files of INPUT/{name}; "
                "choose another folder as OUTPUT"
            )


# Without the gold ---------------------------------------------------------------------------------


def collect(source: Path, output: Path, log: Callable[[str], None]) -> None:
    """Check the upload in ``source`` and write that it was received: scores and a page.

    Raises
    ------
    SubmissionError
        The upload could not be scored, with every reason that shows without the gold.
    """
    from .data.joining.format_check import check  # few runs need it

    document = json.loads((source / "ref" / WITHOUT_GOLD).read_text(encoding="utf-8"))
    rules = as_rules(document["rules"])
    with _told_on_a_page(output) as told:
        told.language = document["language"]
        told.title = document["title"]
        checked = check(source / "res", rules)
    log(checked.message)
    scores = {"accepted": 1.0, "n_examples": float(checked.n)}
    page = received_page(document["title"], document["language"], checked.n, checked.unchecked)
    write(
        output,
        {
            "detailed_results.html": page,
            "scores.json": scores_json(scores),
            "scores.txt": scores_txt(scores),
        },
    )
    log("Received, not scored.")
