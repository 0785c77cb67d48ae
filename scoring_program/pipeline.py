"""The whole job, step by step: read → align → score → resample → infer → render → write."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring_program import __version__, meanrank, render, results, settings
from scoring_program.analysis import Floats, MetricAnalysis
from scoring_program.competition import Competition, Part
from scoring_program.errors import MetricError, SettingsError, SubmissionError
from scoring_program.gather import duration, gather
from scoring_program.infer import analyse
from scoring_program.metrics import Metric
from scoring_program.read.reference import FIELD
from scoring_program.render import MetricInput, PageInput, Report
from scoring_program.resample import Design, Replicates, resample
from scoring_program.score import Scorer
from scoring_program.select import select
from scoring_program.settings import Settings
from scoring_program.signature import signature
from scoring_program.write import write

#: Seconds that a metric's inference takes for each pair of entries and resample, and inference and
#: page take for each pair, on a slow machine: what a time budget has to leave for them.
_FOR_PAIR_AND_RESAMPLE, _FOR_PAIR = 40e-9, 200e-6
#: Share of the time budget that is left for everything else.
_SHARE_FOR_THE_REST = 0.1
_WITHHELD = "Submissions in the packed field that cannot be scored and were left out: {}."
#: Resamples that are drawn whatever the time budget says.
_FEWEST = 100


@dataclass(frozen=True, eq=False)
class _Drawn:
    """One part of the competition and its bootstrap."""

    part: Part
    scorers: Sequence[Scorer]
    design: Design
    replicates: Sequence[Replicates]  # of each scorer


@dataclass(frozen=True)
class _Plan:
    """How many resamples are drawn at most, and how long that may take from ``begun`` on."""

    resamples: int
    begun: float
    seconds: float

    def deadline(self, share: float) -> float | None:
        """Return when this share of the time is over."""
        return None if math.isinf(self.seconds) else self.begun + share * self.seconds


def run(
    source: Path,
    destination: Path,
    *,
    adjust: Callable[[Settings], Settings] = lambda loaded: loaded,
    log: Callable[[str], None] = lambda line: None,
    confide: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Score the competition in ``source`` (ref/ and res/) and write everything to ``destination``.

    ``adjust`` completes the settings that were read; ``log`` is given whole lines, ``confide``
    those that only the organizer may read, ``progress`` the resamples drawn and their total.

    Raises
    ------
    PhotofinishError
        With a message for whoever can mend the input; nothing has been written then.
    """
    started = time.monotonic()
    competition, chosen = gather(source, adjust)
    for note in competition.notes:
        log(note)
    competition, scorers = select(competition, chosen)
    if competition.withheld:
        competition = _noted(competition, _WITHHELD.format(len(competition.withheld)), log)
        for item in competition.withheld:
            confide(f"ref/{FIELD}: [{item.name}] {item.reason}")
    examples = ", ".join(f"{part.gold.n} {part.name}".strip() for part in competition.parts)
    log(f"{len(competition.names)} entries on {examples} examples.")
    plan = _plan(competition, chosen, started)
    drawn = [
        _drawn(part, bound, k, competition, chosen, plan, progress)
        for k, (part, bound) in enumerate(zip(competition.parts, scorers, strict=True))
    ]
    if early := _stopped_early(drawn, chosen):
        competition = _noted(competition, early, log)
    metrics = [
        _metric_input(scorer.metric, _analysed(competition, scorer, replicates, of, chosen))
        for of in drawn
        for scorer, replicates in zip(of.scorers, of.replicates, strict=True)
    ]
    if competition.has_tasks and competition.form != "single":
        competition = _noted(competition, meanrank.CAUTION, log)
        metrics.insert(0, _mean_rank(competition, drawn, chosen))
    page = _page_input(competition, chosen, metrics, drawn)
    for metric in page.metrics:
        for warning in metric.analysis.warnings:
            log(f"Warning ({warning.level}), {metric.label}: {warning.message}")
    report = render.build(page)
    write(destination, _files(page, report, chosen, duration(source)))
    for key, value in page.signature.items():
        log(f"{key}: {value}")
    log(report.verdict)


def _noted(competition: Competition, note: str, log: Callable[[str], None]) -> Competition:
    """Say a thing in the log and on the page."""
    log(note)
    return replace(competition, notes=(*competition.notes, note))


def _stopped_early(drawn: Sequence[_Drawn], chosen: Settings) -> str:
    """Return how many resamples were drawn, where time did not allow all of them."""
    used = min(len(r.values) + r.undefined for of in drawn for r in of.replicates)
    if used >= chosen.resamples:
        return ""
    return f"Time budget: {used:,} of {chosen.resamples:,} resamples were drawn."


def _drawn(
    part: Part,
    scorers: Sequence[Scorer],
    number: int,
    competition: Competition,
    chosen: Settings,
    plan: _Plan,
    progress: Callable[[int, int], None] | None,
) -> _Drawn:
    """Draw the bootstrap of one part: the same resamples where parts have the same examples."""
    count = len(competition.parts)
    seed = chosen.seed
    ids = part.gold.ids
    if number and (ids is None or ids != competition.parts[0].gold.ids):
        seed = int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])
    design = _design(part, chosen)
    try:
        replicates = resample(
            scorers,
            design,
            plan.resamples,
            seed,
            workers=chosen.workers,
            backend=chosen.backend,
            scheduler=chosen.scheduler,
            memory=int(chosen.memory * 2**30),
            merge_rows=count == 1,
            deadline=plan.deadline((number + 1) / count),
            progress=progress
            and (lambda done, total: progress(number * total + done, count * total)),
        )
    except SubmissionError as error:
        # No participant can mend it: all predictions were accepted on the whole test set.
        raise MetricError(f"{error}; let it score resampled examples too") from error
    return _Drawn(part, scorers, design, replicates)


def _design(part: Part, chosen: Settings) -> Design:
    """Return what is resampled: rows or whole groups, freely or within strata.

    Raises
    ------
    SettingsError
        There is one group or one stratum only, or a group lies in several strata.
    """
    n = part.gold.n
    units = strata = None
    if chosen.group is not None:
        units = _codes(part, chosen, "group")
    if chosen.stratify is not None:
        strata = _codes(part, chosen, "stratify")
        if units is not None:
            row_of = np.unique(units, return_index=True)[1]
            if (strata != strata[row_of][units]).any():
                raise SettingsError(
                    f"{chosen.where('stratify')}: a group of {chosen.group!r} lies in several "
                    f"strata of {chosen.stratify!r}; choose strata that hold whole groups"
                )
            strata = strata[row_of]
    return Design(n, units, strata)


def _codes(part: Part, chosen: Settings, key: str) -> NDArray[np.intp]:
    """Return the numbers 0, 1, … of a design column's values, [n]."""
    name = getattr(chosen, key)
    values, codes = np.unique(np.array(part.gold.columns[name]), return_inverse=True)
    if len(values) < 2:
        raise SettingsError(
            f"{chosen.where(key)}: the column {name!r} holds one value only; "
            "name a column with at least two, or leave the setting out"
        )
    return codes


def _plan(competition: Competition, chosen: Settings, started: float) -> _Plan:
    """Plan for inference, which takes time for every resample drawn, to end in the time budget.

    At most half of the time that is left goes to inference.
    """
    now = time.monotonic()
    if chosen.time_budget is None:
        return _Plan(chosen.resamples, now, math.inf)
    entries = len(competition.names)
    metrics = sum(len(part.metrics) for part in competition.parts)
    pairs = metrics * entries * (entries - 1) / 2
    rest = _FOR_PAIR * pairs + _SHARE_FOR_THE_REST * chosen.time_budget
    left = max(started + chosen.time_budget - rest - now, 0.0)
    a_resample = _FOR_PAIR_AND_RESAMPLE * pairs
    resamples = chosen.resamples
    if resamples * a_resample > left / 2:
        resamples = max(int(left / 2 / a_resample), _FEWEST)
    return _Plan(resamples, now, left - resamples * a_resample)


def _analysed(
    competition: Competition,
    scorer: Scorer,
    replicates: Replicates,
    drawn: _Drawn,
    chosen: Settings,
) -> MetricAnalysis:
    design, in_field = drawn.design, competition.form != "single"

    def randomized(i: int, j: int, swap: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        return scorer.randomized(i, j, swap if design.units is None else swap[:, design.units])

    return analyse(
        scorer.metric,
        scorer.observed,
        replicates,
        names=competition.names,
        n=design.n,
        units=None if design.units is None else design.size,
        confidence=chosen.confidence,
        interval=chosen.interval,
        tie_rule=chosen.tie_rule,
        baselines=chosen.baselines if in_field else (),
        reference=chosen.reference_entry if in_field else None,
        evidence=scorer.evidence,
        jackknife=lambda: scorer.jackknife(design.units),
        tests=_tests(drawn.part, scorer, chosen),
        randomized=randomized,
        seed=chosen.seed,
    )


def _tests(part: Part, scorer: Scorer, chosen: Settings) -> tuple[str, ...]:
    """Return the tests asked for that this metric takes part in.

    McNemar's is for accuracy; where no metric is, it stays, and inference says that it cannot
    apply.
    """
    functions = [metric.function for metric in part.metrics]
    if scorer.metric.function != "accuracy_score" and "accuracy_score" in functions:
        return tuple(test for test in chosen.tests if test != "mcnemar")
    return chosen.tests


def _mean_rank(competition: Competition, drawn: Sequence[_Drawn], chosen: Settings) -> MetricInput:
    """Return the mean rank over the tasks and its analysis; the smallest task sets its caution."""
    ranking = [of.scorers[0] for of in drawn]
    metric = meanrank.metric([scorer.metric for scorer in ranking], len(competition.names))
    smallest = min((of.design for of in drawn), key=lambda design: design.size)
    in_field = competition.form != "single"
    analysis = analyse(
        metric,
        meanrank.observed(ranking),
        meanrank.replicated(ranking, [of.replicates[0] for of in drawn]),
        names=competition.names,
        n=smallest.n,
        units=None if smallest.units is None else smallest.size,
        confidence=chosen.confidence,
        # A rank has no smooth dependence on single examples, which the acceleration needs.
        interval="percentile" if chosen.interval == "bca" else chosen.interval,
        tie_rule=chosen.tie_rule,
        baselines=chosen.baselines if in_field else (),
        reference=chosen.reference_entry if in_field else None,
        seed=chosen.seed,
    )
    return _metric_input(metric, analysis)


def _metric_input(metric: Metric, analysis: MetricAnalysis) -> MetricInput:
    return MetricInput(
        analysis=analysis,
        label=metric.label,
        definition=metric.definition,
        ideal=metric.ideal,
        low=metric.low,
        high=metric.high,
    )


def _page_input(
    competition: Competition,
    chosen: Settings,
    metrics: Sequence[MetricInput],
    drawn: Sequence[_Drawn],
) -> PageInput:
    design = drawn[0].design
    test_sets = {of.part.gold.ids or of.part.name: of.design.n for of in drawn}
    return PageInput(
        title=chosen.title,
        n=sum(test_sets.values()) if competition.has_tasks else design.n,
        entries=competition.names,
        metrics=tuple(metrics),
        form=competition.form,
        focus=competition.focus,
        unusable=competition.unusable,
        runs=competition.runs,
        runs_policy=chosen.runs,
        notes=competition.notes,
        signature=signature(competition, chosen, [metric.analysis for metric in metrics]),
        language=chosen.language,
        version=__version__,
        group=chosen.group,
        groups=None if design.units is None else design.size,
        stratify=chosen.stratify,
        # The private part's metrics come first, then as many of the public part.
        public=len(metrics) // 2 if competition.split_by_usage else None,
    )


def _files(
    page: PageInput, report: Report, chosen: Settings, elapsed: float | None
) -> dict[str, str]:
    """Return everything that is written: path below OUTPUT → text."""
    flat = results.scores(page, elapsed)
    return {
        "detailed_results.html": render.page(report),
        "results.json": results.results_json(page, settings.as_dict(chosen)),
        **{f"tables/{name}": text for name, text in render.tables(report).items()},
        **{f"figures/{name}": text for name, text in render.figures(report).items()},
        "scores.json": results.scores_json(flat),
        "scores.txt": results.scores_txt(flat),
    }
