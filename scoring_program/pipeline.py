"""The whole job, step by step: read → align → score → resample → infer → render → write."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from . import __version__
from . import report as render
from .alignment.competition import Competition, Uncompared
from .alignment.source import duration, gather
from .bootstrap import draw as bootstrap
from .bootstrap import time_budget as budget
from .bootstrap.draw import Drawn
from .core.errors import MetricError, OrganizerError, SubmissionError
from .core.notes import Note
from .inference.analyses import conclude
from .inference.analysis import MetricAnalysis
from .metrics import Metric
from .reading.reference import FIELD
from .report import MetricInput, PageInput, Report, language, results
from .report.signature import signature
from .report.write import write
from .scoring.entries import select
from .settings import model as settings
from .settings.model import Settings


def run(
    source: Path,
    destination: Path,
    *,
    started: float | None = None,
    adjust: Callable[[Settings], Settings] = lambda loaded: loaded,
    log: Callable[[str], None] = lambda line: None,
    confide: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Score the competition in ``source`` (ref/ and res/) and write everything to ``destination``.

    ``started`` is the time.monotonic() from which the time budget counts, if not from now;
    ``adjust`` completes the settings that were read; ``log`` is given whole lines, ``confide``
    those that only the organizer may read, ``progress`` the resamples drawn and their total.

    Raises
    ------
    DeadheatError
        With a message for whoever can mend the input; nothing has been written then.
    """
    started = time.monotonic() if started is None else started
    _check_apart(source, destination)
    say = language.load(language.OF_THE_LOG).tell
    competition, chosen = gather(source, adjust)
    elapsed = duration(source)
    for note in competition.notes:
        log(say(note))
    noted = len(competition.notes)
    competition, scorers = select(competition, chosen)
    for note in competition.notes[noted:]:
        log(say(note))
    if competition.withheld:
        withheld = Note("notes.withheld", {"submissions": len(competition.withheld)})
        log(say(withheld))
        competition = _noted(competition, withheld)
        for item in competition.withheld:
            confide(f"ref/{FIELD}: [{item.name}] {item.reason}")
    examples = ", ".join(f"{part.gold.n} {part.name}".strip() for part in competition.parts)
    entries = "1 entry" if len(competition.names) == 1 else f"{len(competition.names)} entries"
    log(f"{entries} on {examples} example{'' if examples == '1' else 's'}.")
    designs = [bootstrap.design(part, chosen) for part in competition.parts]
    try:
        plan = budget.plan(competition, scorers, designs, chosen, started)
        drawn = bootstrap.draw(competition, scorers, designs, chosen, plan, progress)
        if early := budget.note(plan, min(of.used for of in drawn), chosen):
            log(say(early))
            competition = _noted(competition, early)
        concluded = conclude(competition, drawn, chosen)
    except SubmissionError as error:
        # No participant can mend it: all predictions were accepted on the whole test set.
        raise MetricError(f"{error}; let it score resampled examples too") from error
    page = _page_input(competition, chosen, concluded, drawn)
    for metric in page.metrics:
        for warning in metric.analysis.warnings:
            log(f"Warning ({warning.level}), {metric.label}: {say(warning.note)}")
    report = render.build(page)
    write(destination, _files(page, report, chosen, elapsed, competition.uncompared))
    for key, value in page.signature.items():
        log(f"{key}: {value}")
    log(report.verdict)


def _check_apart(source: Path, destination: Path) -> None:
    """Refuse to write where the next run would read."""
    output = Path(os.path.realpath(destination))
    for name in ("ref", "res"):
        if output.is_relative_to(os.path.realpath(source / name)):
            raise OrganizerError(
                f"{destination}: the next run would take the outputs for files of INPUT/{name}; "
                "name another folder as OUTPUT"
            )


def _noted(competition: Competition, note: Note) -> Competition:
    return replace(competition, notes=(*competition.notes, note))


def _page_input(
    competition: Competition,
    chosen: Settings,
    concluded: Sequence[tuple[Metric, MetricAnalysis]],
    drawn: Sequence[Drawn],
) -> PageInput:
    design = drawn[0].design
    test_sets = {of.part.gold.ids or of.part.name: of.design.n for of in drawn}
    return PageInput(
        title=chosen.title,
        n=sum(test_sets.values()) if competition.has_tasks else design.n,
        entries=competition.names,
        metrics=tuple(_metric_input(metric, analysis) for metric, analysis in concluded),
        form=competition.form,
        focus=competition.focus,
        unusable=competition.unusable,
        runs=competition.runs,
        runs_policy=chosen.runs,
        notes=competition.notes,
        signature=signature(competition, chosen, [analysis for _, analysis in concluded]),
        language=chosen.language,
        color_scheme=chosen.color_scheme,
        version=__version__,
        group=chosen.group,
        groups=None if design.units is None else design.size,
        stratify=chosen.stratify,
        # The private part's metrics come first, then as many of the public part.
        public=len(concluded) // 2 if competition.split_by_usage else None,
    )


def _metric_input(metric: Metric, analysis: MetricAnalysis) -> MetricInput:
    return MetricInput(
        analysis=analysis,
        label=metric.label,
        definition=metric.definition,
        ideal=metric.ideal,
        low=metric.low,
        high=metric.high,
    )


def _files(
    page: PageInput,
    report: Report,
    chosen: Settings,
    elapsed: float | None,
    uncompared: Sequence[Uncompared],
) -> dict[str, str]:
    """Return everything that is written: path below OUTPUT → text."""
    flat = results.scores(page, elapsed, uncompared)
    return {
        "detailed_results.html": render.page(report),
        "results.json": results.results_json(page, settings.as_dict(chosen), uncompared),
        **{f"tables/{name}": text for name, text in render.tables(report.tables).items()},
        **{f"figures/{name}": text for name, text in render.figures(report).items()},
        "scores.json": results.scores_json(flat),
        "scores.txt": results.scores_txt(flat),
    }
