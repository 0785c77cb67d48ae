"""The paired bootstrap: every entry and every metric on the same resampled rows, part by part.

`plan_resamples` says how many resamples there is time for, and `resample_parts` draws them.
Slices of the test set are the examples that share a value of a column, such as a language.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..core.arrays import Ints
from ..core.errors import MetricError, SettingsError
from ..core.phrases import Phrase
from ..data.competition import Competition, Part, Unscored
from ..metrics.metric import Evaluated
from ..metrics.statistics import WORTH_PROCESSES
from ..scoring.scorer import Replicates, ScoredMetric, Scorer, leave_out
from ..scoring.scorers import FEWEST, FunctionScorer, OrderedScorer
from ..settings.model import Settings
from .design import Counts, Design, DistinctRows, generator_of_chunk, kept_counts
from .task_queue import ONE_WORKER, ResamplingJob, Resources, run

#: Resamples per task for metrics that call a Python function: at most so many, and so many tasks.
_CALLED = 16
_TASKS = 10
#: How many arrays of the size of all replicates scoring holds at a time, and of those of one metric
#: its inference.
_SCORING_COPIES = 2
_INFERENCE_COPIES = 8
#: The backends whose workers share memory with this process.
_LOCAL = ("threads", "processes")
#: Draws, times the passes over them, from which a run is long enough to fork processes.
_FORKED = 15_000_000
#: The same, and half as much again for every 25 scores (entries times metrics), from which a second
#: worker pays off. To fork one takes 0.05 s of processor time, later page faults included.
_SHARED = 25_000_000


def resample(
    scorers: Sequence[Scorer],
    design: Design,
    resamples: int,
    seed: int,
    *,
    deciding: Sequence[Sequence[int] | None] = (),
    resources: Resources = ONE_WORKER,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Replicates, ...]:
    """Score every scorer's entries on the same resamples; one Replicates for each scorer.

    ``deciding`` holds for each scorer the rows of the entries whose scores decide which resamples
    count (`Replicates.from_scored`); None for all.
    ``deadline`` is a time.monotonic() after which no further resamples begin; all scorers then keep
    the same first ones. ``progress`` is called with the resamples done and wanted.

    Raises
    ------
    SettingsError
        The replicates need more memory than ``resources`` allows, or the backend does not exist.
    MetricError, SubmissionError
        An organizer's function fails; the message names the resample.
    """
    drawable = [scorer for scorer in scorers if scorer.can_be_drawn]
    parts = list(dict.fromkeys(part for scorer in drawable for part in scorer.parts))
    # The replicates of every metric's entries and their copies must fit.
    runs = [part.m for part in parts]
    memory = resources.memory
    rows = _SCORING_COPIES * sum(runs) + _INFERENCE_COPIES * max(runs, default=0)
    needed_memory = resamples * rows * np.dtype(np.float64).itemsize
    if needed_memory > memory:
        raise SettingsError(
            f"resamples: the replicates need {needed_memory / 2**30:.1f} GiB, but 'memory' allows "
            f"only {memory / 2**30:.1f} GiB; lower 'resamples', or raise 'memory' on a larger "
            "machine"
        )
    called = [part for part in parts if isinstance(part, FunctionScorer)]
    direct = [part for part in parts if not isinstance(part, FunctionScorer)]
    of_scorers: dict[Scorer, Evaluated] = {}
    drawn = resamples
    for group, python in ((direct, False), (called, True)):
        if not group:
            continue
        job = ResamplingJob(group, design, resamples, seed)
        job_resources = _fitting(resources, job, python)
        if job_resources.backend in _LOCAL:
            job.kept_counts = resources.kept_counts
        tasks = job.tasks(max(1, min(_CALLED, resamples // _TASKS)) if python else job.step)
        scored, done = run(job, tasks, job_resources, deadline=deadline, progress=progress)
        of_scorers.update(zip(group, scored, strict=True))
        drawn = min(drawn, done)
    of_rows = deciding or [None] * len(scorers)
    return tuple(_replicates(scorers, of_rows, of_scorers, drawn))


def _replicates(
    scorers: Sequence[Scorer],
    deciding: Sequence[Sequence[int] | None],
    of_parts: Mapping[Scorer, Evaluated],
    drawn: int,
) -> Iterator[Replicates]:
    """Yield the replicates of every scorer from those of its parts; see `resample`."""
    for scorer, rows in zip(scorers, deciding, strict=True):
        if scorer.can_be_drawn:
            combined = scorer.combine([of_parts[part] for part in scorer.parts])
            yield Replicates.from_scored(combined, drawn, rows)
        else:
            yield Replicates.of_none(scorer.m, drawn)


def iterate_counts(
    design: Design, resamples: int, seed: int, *, of_units: bool = False
) -> Iterator[Counts]:
    """Yield the counts that `resample` scores, some resamples at a time, [R, n].

    With ``of_units``, yield how often the units are drawn on the same resamples, [R, N].
    """
    job = ResamplingJob((), design, resamples, seed)
    for task in job.tasks(job.step):
        if of_units and design.units is not None:
            yield design.draw_units(generator_of_chunk(seed, task.start // job.rows), len(task))
        else:
            yield job.counts(task)


def _fitting(resources: Resources, job: ResamplingJob, python: bool) -> Resources:
    """Return the workers of a job, and its backend if the settings leave that to the program.

    Python functions hold the interpreter's lock, and may have started threads that a fork would
    lose, so they get new processes. Short runs end before a fork pays off. Long runs were 1.3 to
    1.8 times as fast in forked processes as in threads. A run may end before a second worker has
    saved what its start costs; calls of functions were timed on the whole test set. Each worker
    holds a chunk's counts, also as floats.
    """
    backend = resources.backend
    scorers = job.scorers
    # How many counts are read, which tells how long a run takes: metrics that sort the examples
    # pass over all of them once per entry.
    passes = 1 + sum(scorer.m for scorer in scorers if isinstance(scorer, OrderedScorer))
    passes *= job.design.n * job.resamples
    if python and backend in ("auto", "threads"):
        backend = "loky"
    elif backend == "auto":
        backend = "processes" if passes >= _FORKED else "threads"
    called = [scorer for scorer in scorers if isinstance(scorer, FunctionScorer)]
    seconds = job.resamples * sum(scorer.observation.seconds * scorer.m for scorer in called)
    work = passes * (1 + sum(scorer.m for scorer in scorers) / 50)
    is_short = seconds < WORTH_PROCESSES if called else work < _SHARED
    room = resources.memory // (4 * job.step * job.design.n + (64 << 20))
    alone = resources.backend == "auto" and is_short
    workers = 1 if alone else max(1, min(resources.workers, room))
    return replace(resources, workers=workers, backend=backend)


# Parts --------------------------------------------------------------------------------------------


#: A slice of fewer units has scores, but no inference.
FEWEST_UNITS = 30
#: A column with more values holds no slices.
_MOST_VALUES = 100


@dataclass(frozen=True, eq=False)
class Slice:
    """The examples with one value in a column of the reference data; an empty cell is no value.

    ``rows`` [n] are their numbers in the part, ``units`` [N] those of their units in its design.
    ``design`` is that of the slice alone. ``metrics`` are the part's; None if it has no
    meaning here.
    """

    column: str
    value: str
    rows: Ints
    units: Ints
    design: Design
    metrics: Sequence[ScoredMetric | None] = ()

    @property
    def is_drawn(self) -> bool:
        """Whether the slice is large enough to be resampled."""
        return self.units.size >= FEWEST_UNITS

    def take(self, metrics: Sequence[ScoredMetric]) -> Slice:
        """Return the slice with the part's metrics on its rows."""
        successors: dict[Scorer, Scorer] = {}
        metrics_on_rows: list[ScoredMetric | None] = []
        for item in metrics:
            try:
                metrics_on_rows.append(item.take(self.rows, successors))
            except MetricError:
                metrics_on_rows.append(None)
        return replace(self, metrics=metrics_on_rows)


def slices_of(part: Part, design: Design, settings: Settings) -> list[Slice]:
    """Return the slices of a part, by column in the order of the settings and then by value.

    Raises
    ------
    SettingsError
        A column holds what is predicted, only one value, or too many values.
    """
    slices: list[Slice] = []
    for column in dict.fromkeys(settings.slices):
        if any(target.column == column for target in part.expected.targets):
            # The results within slices of correct answers would tell much of them.
            raise SettingsError(
                f"{settings.where('slices')}: the column {column!r} holds what is predicted; "
                "choose another column (the audit shows the results of each class)"
            )
        values = np.array(part.gold.columns[column], dtype=np.str_)
        names = [str(name) for name in np.unique(values) if name]
        if not 2 <= len(names) <= _MOST_VALUES:
            raise SettingsError(
                f"{settings.where('slices')}: the column {column!r} holds {len(names)} value(s); "
                f"choose a column with 2 to {_MOST_VALUES} values"
            )
        slices += [_slice(column, name, np.flatnonzero(values == name), design) for name in names]
    return slices


def _slice(column: str, value: str, rows: Ints, design: Design) -> Slice:
    units = rows
    numbers = None
    if design.units is not None:
        units, numbers = np.unique(design.units[rows], return_inverse=True)
    strata = None if design.strata is None else design.strata[units]
    return Slice(column, value, rows, units, Design(rows.size, numbers, strata))


@dataclass(frozen=True, eq=False)
class ResampledPart:
    """One part of the competition and its bootstrap."""

    part: Part
    metrics: Sequence[ScoredMetric]
    design: Design
    seed: int
    wanted: int  # resamples, of which as many were drawn as time allowed
    slices: Sequence[Slice] = ()
    unscored: tuple[Unscored, ...] = ()  # entries without a score on some resamples
    kept_counts: Counts | None = None  # how often units, or sets that are `distinct`, are drawn
    distinct: DistinctRows | None = None  # which are drawn instead of rows

    @property
    def resamples(self) -> int:
        """Number of resamples drawn, including those on which a metric is undefined."""
        return min(item.replicates.drawn for item in self.metrics)

    def unit_counts(self, replicates: Replicates) -> Iterator[Counts]:
        """Yield how often each unit is drawn, [R, N], on the resamples of some replicates."""
        for numbers, counts in self._drawn(replicates):
            if self.distinct is None:
                yield counts
            else:
                yield self.distinct.of_units(counts, numbers.tolist(), self.seed)

    def set_counts(self, replicates: Replicates) -> Iterator[Counts]:
        """Yield how often each of the sets that are `distinct` is drawn, [R, K]."""
        return (counts for _, counts in self._drawn(replicates))

    def _drawn(self, replicates: Replicates) -> Iterator[tuple[Ints, Counts]]:
        """Yield numbers of resamples and their draws, [R, N or K]; those not kept again."""
        used = np.arange(replicates.drawn)
        if replicates.defined is not None:
            used = used[replicates.defined[: used.size]]
        # Every resample draws units, and all that come before one that was scored were scored.
        draws = self.kept_counts
        if draws is not None and draws[replicates.drawn - 1].any():
            yield used, draws[: replicates.drawn] if replicates.defined is None else draws[used]
            return
        design = self.design if self.distinct is None else self.distinct.design(self.design)
        first = 0
        for counts in iterate_counts(design, self.wanted, self.seed, of_units=True):
            numbers = used[(first <= used) & (used < first + len(counts))]
            if numbers.size:
                yield numbers, counts[numbers - first]
            first += len(counts)


# Long because it is one thought: what is scored, what is drawn, until when, and what comes of it.
def resample_parts(
    competition: Competition,
    scored: Sequence[Sequence[ScoredMetric]],
    designs: Sequence[Design],
    settings: Settings,
    plan: Plan,
    progress: Callable[[int, int], None],
) -> list[ResampledPart]:
    """Resample every part; parts with the same examples share their resamples.

    ``scored`` and ``designs`` belong to the parts. ``progress`` counts the resamples of all parts.
    See `resample` for the errors.
    """
    parts_resampled = []
    for number in range(len(competition.parts)):
        of_part = scored[number]
        resampled = _resample_part(
            competition, number, of_part, designs[number], settings, plan, progress
        )
        parts_resampled.append(_without_unscored(resampled))
    return parts_resampled


def _resample_part(
    competition: Competition,
    number: int,
    scored: Sequence[ScoredMetric],
    design: Design,
    settings: Settings,
    plan: Plan,
    progress: Callable[[int, int], None],
) -> ResampledPart:
    """Resample the part of this ``number``, counted from 0."""
    part = competition.parts[number]
    count = len(competition.parts)
    ids = [each_part.gold.ids for each_part in competition.parts]
    seed = _seed_of(ids, number, settings.seed)
    slices = [part_slice.take(scored) for part_slice in slices_of(part, design, settings)]
    metrics = [*scored, *_metrics_of_slices(slices)]
    scorers = [item.runs for item in metrics]
    competing = [_competing(item, competition, settings) for item in metrics]
    distinct = None
    if not _needs_every_unit(part, competition):
        distinct = DistinctRows.from_design(scorers, design, settings, competing)
    drawn = design
    drawn_scorers = scorers
    if distinct is not None:
        drawn = distinct.design(design)
        of_sets = distinct.take(scorers)
        drawn_scorers = [of_sets[scorer] for scorer in scorers]
    kept_draws = kept_counts(drawn, plan.resamples, settings, count)
    memory = int(settings.memory * 2**30)
    score = partial(
        resample,
        drawn_scorers,
        drawn,
        seed=seed,
        resources=Resources(
            settings.workers, settings.backend, settings.scheduler, memory, kept_counts=kept_draws
        ),
        deciding=[
            _deciding(item, rows, competition.focus)
            for item, rows in zip(metrics, competing, strict=True)
        ],
        progress=_share_of(progress, number, count),
    )
    wanted = plan.resamples
    replicates = score(wanted, deadline=plan.deadline((number + 1) / count))
    if min(item.drawn for item in replicates) < plan.fewest:  # the deadline had already passed
        wanted = plan.fewest
        replicates = score(wanted)
    drawn_of = dict(zip(scorers, replicates, strict=True))
    return ResampledPart(
        part,
        [_drawn(item, drawn_of) for item in scored],
        design,
        seed,
        wanted,
        [_drawn_slice(part_slice, drawn_of) for part_slice in slices],
        kept_counts=kept_draws,
        distinct=distinct,
    )


def _metrics_of_slices(slices: Sequence[Slice]) -> Iterator[ScoredMetric]:
    """Yield the metrics on every slice that is large enough to be resampled."""
    for part_slice in slices:
        if part_slice.is_drawn:
            yield from filter(None, part_slice.metrics)


def _needs_every_unit(part: Part, competition: Competition) -> bool:
    """Whether units are drawn one by one, even if some are equal.

    Parts with the same examples share their resamples, so these must be of examples. Columns of
    costs on units tell equal ones apart.
    """
    ids = [each_part.gold.ids for each_part in competition.parts]
    shared = part.gold.ids is not None and ids.count(part.gold.ids) > 1
    return shared or part.costs is not None


def _competing(item: ScoredMetric, competition: Competition, settings: Settings) -> list[int]:
    """Return the rows of the entries that are no baselines, and of their teams' further runs."""
    names = competition.names
    of_rows = [names[entry] for entry in (*item.entries, *item.behind)]
    return [row for row, name in enumerate(of_rows) if name not in settings.baselines]


def _deciding(item: ScoredMetric, competing: Sequence[int], focus: int | None) -> list[int]:
    """Return the rows that decide which resamples count: the entry in focus, or all that compete.

    If the metric scores baselines only, they do.
    """
    if focus is not None:
        return [item.entries.index(focus)]
    entries = range(len(item.entries))
    return [row for row in competing if row in entries] or [*entries]


def _drawn(item: ScoredMetric, drawn_of: Mapping[Scorer, Replicates]) -> ScoredMetric:
    """Return a metric with its replicates, without the further runs that lack a score on some."""
    drawn = drawn_of.get(item.runs)
    item = replace(item, drawn=drawn)
    lacking = {} if drawn is None else drawn.lacking
    further_runs = [run for run in item.rows_of_further_runs if run[0] not in lacking]
    if len(further_runs) == len(item.further_runs):
        return item
    entries = dict(enumerate(item.entries))
    names = item.runs.names
    rows = [*entries, *(row for row, _, _ in further_runs)]
    return item.keep(entries, [names[row] for row in rows], further_runs)


def _drawn_slice(part_slice: Slice, drawn_of: Mapping[Scorer, Replicates]) -> Slice:
    """Return a slice whose metrics have their replicates."""
    metrics = [item and _drawn(item, drawn_of) for item in part_slice.metrics]
    return replace(part_slice, metrics=metrics)


def _without_unscored(resampled: ResampledPart) -> ResampledPart:
    """Leave out the entries that a metric cannot score on some resamples, with the reasons."""
    metrics = resampled.metrics
    unscored: list[Unscored] = []
    failed: dict[str, set[int]] = {}
    for item in metrics:
        lacking = item.replicates.lacking
        failed[item.metric.name] = {item.entries[row] for row in lacking}
        for row, count in lacking.items():
            reason = Phrase(
                "metric {metric} has a value on the whole test set, but none on {number} of "
                "{drawn} resamples",
                metric=repr(item.metric.name_in_messages),
                number=count,
                drawn=item.replicates.drawn,
            )
            unscored.append(Unscored(item.entries[row], item.metric.label, reason))
    if unscored:
        metrics = tuple(leave_out(metrics, failed))
    return replace(resampled, metrics=metrics, unscored=tuple(unscored))


def _seed_of(ids: Sequence[Sequence[str] | None], number: int, seed: int) -> int:
    """Return a part's seed: that of the first part with the same examples."""
    first = number if ids[number] is None else ids.index(ids[number])
    if first == 0:
        return seed
    return int(np.random.SeedSequence([seed, first]).generate_state(1, np.uint64)[0])


def _share_of(
    progress: Callable[[int, int], None], number: int, count: int
) -> Callable[[int, int], None]:
    """Return a function that reports the progress of one of ``count`` parts as that of all."""
    return lambda done, total: progress(number * total + done, count * total)


# Time budget --------------------------------------------------------------------------------------

# The time budget: how many resamples to draw, and until when, so that the run ends in time.


#: The fewest resamples that are drawn where calls of functions exceed the time budget.
_FEWEST_CALLED = 20
#: Seconds that a slow machine needs for inference, per metric, pair of entries and resample; and
#: for inference and the page together, per metric and pair.
_FOR_PAIR_AND_RESAMPLE = 40e-9
_FOR_PAIR = 200e-6
#: Share of the time budget that is reserved for everything else.
_SHARE_FOR_THE_REST = 0.1
#: Swaps per timing of the randomization test, and the number of timings.
_TIMED = 8
_TRIALS = 3


@dataclass(frozen=True)
class Plan:
    """The largest number of resamples, and the seconds for them, counted from ``begun``.

    At least ``fewest`` are drawn.
    """

    resamples: int
    begun: float
    seconds: float
    fewest: int = FEWEST

    def deadline(self, share: float) -> float | None:
        """Return the time.monotonic() at which this share of the time is over; None for never."""
        if self.resamples <= self.fewest or math.isinf(self.seconds):
            return None
        return self.begun + share * self.seconds


def plan_resamples(
    competition: Competition,
    scored: Sequence[Sequence[ScoredMetric]],
    designs: Sequence[Design],
    settings: Settings,
    started: float,
) -> Plan:
    """Plan the number of resamples so that enough of the time budget remains for inference.

    The budget counts from ``started``. ``scored`` and ``designs`` belong to the parts. Inference
    gets at most half of the remaining time.

    Raises
    ------
    SettingsError
        Functions that are called on every resample take too long even for the fewest resamples.
    """
    now = time.monotonic()
    if settings.time_budget is None:
        return Plan(settings.resamples, now, math.inf)
    entries = len(competition.names)
    metrics = sum(len(part.metrics) for part in competition.parts)
    # Further runs of the entries' teams are compared like entries.
    further_runs = [len(item.further_runs) for items in scored for item in items]
    compared = entries + max(further_runs, default=0)
    pairs = metrics * compared * (compared - 1) / 2
    seconds_per_resample = _FOR_PAIR_AND_RESAMPLE * pairs
    if "randomization" in settings.tests and entries > 1:
        seconds_per_resample += (entries - 1) * sum(
            _seconds_per_swap(item.scorer, design)
            for metrics, design in zip(scored, designs, strict=True)
            for item in metrics
            if len(item.entries) > 1
        )
    now = time.monotonic()
    seconds_for_pages = _FOR_PAIR * pairs + _SHARE_FOR_THE_REST * settings.time_budget
    left = started + settings.time_budget - seconds_for_pages - now
    calls = _seconds_of_calls(scored) / min(settings.workers, os.cpu_count() or 1)
    fewest = FEWEST
    if calls and calls * FEWEST > left:
        fewest = _FEWEST_CALLED
        if calls * fewest > max(left, _SHARE_FOR_THE_REST * settings.time_budget):
            raise SettingsError(
                f"{settings.where('time_budget')}: calling the metrics' functions on one resample "
                f"takes {calls:.1f} s, so {_FEWEST_CALLED} resamples, the fewest that say "
                f"anything, would take {_FEWEST_CALLED * calls:.0f} s, but {max(left, 0.0):.0f} s "
                "are left; allow more time or, much better, give the metric 'statistics', which "
                "are counted once: see docs/how-to/own-metric"
            )
    if left <= 0:
        return Plan(fewest, now, 0.0, fewest)
    resamples = settings.resamples
    if resamples * calls > left:
        resamples = max(int(left / calls), fewest)
    if resamples * seconds_per_resample > left / 2:
        resamples = max(int(left / 2 / seconds_per_resample), fewest)
    return Plan(resamples, now, max(left - resamples * seconds_per_resample, 0.0), fewest)


def note_on_time(planned: Plan, used: int, settings: Settings) -> Phrase | None:
    """Return the note that time did not allow all resamples, or None if it did."""
    if used >= settings.resamples:
        return None
    if used < FEWEST:
        return Phrase(
            "Time budget: a metric's function is called on every resample, so there was time for "
            "{drawn:n} of {wanted:n} resamples only. Intervals and ranks are rough, and no "
            "p-value can be below {least:n}. Allow more time, or give the metric 'statistics', "
            "which are counted once.",
            drawn=used,
            wanted=settings.resamples,
            least=round(1 / (used + 1), 3),
        )
    return Phrase(
        "Time budget: almost nothing was left after the input had been read. Only {drawn:n} of "
        "{wanted:n} resamples were drawn, which is too few for exact intervals and p-values. Allow "
        "more time."
        if planned.seconds == 0
        else "Time budget: {drawn:n} of {wanted:n} resamples were drawn.",
        drawn=used,
        wanted=settings.resamples,
    )


def told_of_calls(
    competition: Competition,
    planned: Plan,
    scored: Sequence[Sequence[ScoredMetric]],
    designs: Sequence[Design],
    settings: Settings,
) -> Phrase | None:
    """Say how long calls of functions will take, and what shortens it; None if not long.

    A function is called on every slice, too. A call with fewer rows is hardly shorter.
    """
    seconds = 0.0
    for part, of_part, design in zip(competition.parts, scored, designs, strict=True):
        slices = [item for item in slices_of(part, design, settings) if item.is_drawn]
        seconds += (1 + len(slices)) * _seconds_of_calls([of_part])
    workers = min(settings.workers, os.cpu_count() or 1)
    minutes = seconds * planned.resamples / workers / 60
    if minutes < 1:
        return None
    return Phrase(
        "A metric's function is called on each of {resamples:n} resamples, which will take about "
        "{minutes:n} min (workers: {workers:n}). It would be shorter with 'statistics' of the "
        "metric, which are counted once, with more 'workers' or with fewer 'resamples'.",
        resamples=planned.resamples,
        minutes=round(minutes),
        workers=workers,
    )


def _seconds_of_calls(scored: Sequence[Sequence[ScoredMetric]]) -> float:
    """Return the seconds that one worker needs to call all functions on one resample."""
    called = {part for items in scored for item in items for part in item.runs.parts}
    return sum(part.observation.seconds * part.m for part in called)


def _seconds_per_swap(scorer: Scorer, design: Design) -> float:
    """Return the seconds that one swap of the predictions of two entries takes."""
    rng = np.random.default_rng(0)
    times = []
    for _ in range(_TRIALS):
        begun = time.monotonic()
        swap = rng.integers(0, 2, size=(_TIMED, design.size), dtype=np.bool_)
        scorer.randomized(0, 1, design.grouping.to_rows(swap))
        times.append((time.monotonic() - begun) / _TIMED)
    return min(times)  # other programs may have interrupted some timings
