"""The paired bootstrap: every entry and every metric on the same resampled rows.

Resamples are drawn in chunks of a fixed shape; chunk c always comes from the c-th child of the
seed, whoever computes it. So results depend on the seed and the data, never on the number of
workers, the backend or the memory allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError
from ..metrics.sums import Product
from ..scoring.function_scorer import FunctionScorer
from ..scoring.ordered_scorer import OrderedScorer
from ..scoring.scorer import Scored, Scorer
from ..scoring.sums_scorer import SumsScorer
from .counts import Counts, draw_counts, stream
from .workers import Task, run

__all__ = ["Design", "Replicates", "draw_counts", "iterate_counts", "resample"]

#: Draws in a chunk: the counts of so many fit a core's cache, and share the cost of Python's steps.
_DRAWS = 750_000
#: Fewest resamples in a chunk, or matrix products turn slow; most, for the sake of progress.
_FEWEST, _MOST = 20, 512
#: Draws beyond which a chunk holds fewer resamples than that.
_LARGEST = 200_000_000
#: Resamples that a function is called on at a time.
_CALLED = 16
#: Arrays as large as the replicates that scoring and inference hold at a time.
_COPIES = 5
#: Draws, counted in every pass over them, from which a run is long enough to fork processes.
_FORKED = 15_000_000
#: Default bound of the memory that resampling takes beside the data, in bytes.
MEMORY = 2 << 30


@dataclass(frozen=True, eq=False)
class Design:
    """What is drawn with replacement: rows, or the units 0 … N−1 that rows belong to.

    ``units`` [n] gives each row's unit (a group that is drawn whole); None where every row is its
    own. ``strata`` [N] gives each unit's stratum; as many units are drawn from each stratum as it
    holds.
    """

    n: int
    units: Ints | None = None
    strata: Ints | None = None

    @property
    def size(self) -> int:
        """Number N of units."""
        return self.n if self.units is None else int(self.units.max()) + 1

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Draw how often each row occurs in each resample; uint8 [resamples, n]."""
        if self.strata is None:
            counts = draw_counts(rng, self.size, resamples)
        else:
            counts = np.empty((resamples, self.size), np.uint8)
            for stratum in np.unique(self.strata):
                members = np.flatnonzero(self.strata == stratum)
                counts[:, members] = draw_counts(rng, members.size, resamples)
        return counts if self.units is None else counts[:, self.units]


@dataclass(frozen=True, eq=False)
class Replicates:
    """Scores of m entries on the resamples on which every entry has one; values [B_used, m].

    ``undefined`` counts the resamples left out because the metric has no value for some entry, and
    ``defined`` [B] marks the others among all that were drawn, None where all are used;
    ``zero_divisions`` [m] those among the rest on which a ``zero_division`` value stands for each
    entry, None where there are none.
    """

    values: Floats
    undefined: int
    zero_divisions: Ints | None = None
    defined: Bools | None = None


def resample(
    scorers: Sequence[Scorer],
    design: Design,
    resamples: int,
    seed: int,
    *,
    workers: int = 1,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int = MEMORY,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Replicates, ...]:
    """Score every scorer's entries on the same resamples; one Replicates for each scorer.

    ``deadline`` is a time.monotonic() after which no further resamples are begun; all scorers then
    keep the same first ones. ``progress`` is called with the resamples done and wanted. Raises
    MetricError, or SubmissionError, where an organizer's function fails, naming the resample.
    """
    leaves = list(dict.fromkeys(part for scorer in scorers for part in scorer.parts))
    _check_memory(resamples * sum(leaf.m for leaf in leaves), memory)
    called = [leaf for leaf in leaves if isinstance(leaf, FunctionScorer)]
    direct = [leaf for leaf in leaves if not isinstance(leaf, FunctionScorer)]
    found: dict[Scorer, Scored] = {}
    used = resamples
    for group, python in ((direct, False), (called, True)):
        if not group:
            continue
        work = Work(group, design, resamples, seed)
        step = _CALLED if python else work.rows
        scored, done = run(
            work,
            work.tasks(step),
            workers=_affordable(workers, work, memory),
            backend=_backend(backend, work, python),
            scheduler=scheduler,
            deadline=deadline,
            progress=progress,
        )
        found.update(zip(group, scored, strict=True))
        used = min(used, done)
    return tuple(_kept(scorer, found, used) for scorer in scorers)


def iterate_counts(design: Design, resamples: int, seed: int) -> Iterator[Counts]:
    """Yield the counts that `resample` scores, chunk by chunk, uint8 [R, n]."""
    work = Work((), design, resamples, seed)
    for chunk, task in enumerate(work.tasks(work.rows)):
        yield design.draw(stream(seed, chunk), task.size)


class Work:
    """What a worker needs to score any range of resamples: the scorers, the design and the seed."""

    def __init__(
        self,
        scorers: Sequence[Scorer],
        design: Design,
        resamples: int,
        seed: int,
    ) -> None:
        self.scorers = tuple(scorers)
        self.design = design
        self.resamples = resamples
        self.seed = seed
        few = max(1, min(_FEWEST, _LARGEST // design.n))
        self.rows = min(_MOST, max(few, _DRAWS // design.n))
        sums = [scorer for scorer in self.scorers if isinstance(scorer, SumsScorer)]
        # One product serves all metrics: it sums what they share, such as an entry's labels, once.
        self._product = Product([c for s in sums for c in s.sums.flat()]) if sums else None
        self._drawn: tuple[int, Counts] | None = None

    def tasks(self, step: int) -> list[Task]:
        """Cut the resamples into ranges of at most ``step`` that each lie within one chunk."""
        tasks = []
        for chunk, start in enumerate(range(0, self.resamples, self.rows)):
            size = min(self.rows, self.resamples - start)
            tasks += [Task(chunk, start + k, min(step, size - k)) for k in range(0, size, step)]
        return tasks

    def counts(self, task: Task) -> Counts:
        """Return the counts of a task's resamples, [task.size, n]."""
        drawn = self._drawn
        if drawn is None or drawn[0] != task.chunk:
            start = task.chunk * self.rows
            size = min(self.rows, self.resamples - start)
            drawn = (task.chunk, self.design.draw(stream(self.seed, task.chunk), size))
            # A function's tasks take few resamples of a chunk each: keep it for the next one.
            self._drawn = drawn if task.size < size else None
        first = task.first - task.chunk * self.rows
        return drawn[1][first : first + task.size]

    def shapes(self) -> list[int]:
        """Return the number of entries of each scorer."""
        return [scorer.m for scorer in self.scorers]

    def __call__(self, task: Task) -> list[Scored]:
        """Score the resamples of a task with every scorer."""
        counts = self.counts(task)
        sums = self._product(counts) if self._product is not None else None
        first = 0
        results = []
        for scorer in self.scorers:
            if isinstance(scorer, SumsScorer):
                assert sums is not None
                size = len(scorer.sums.flat())
                results.append(scorer.finish(sums[first : first + size], counts))
                first += size
            elif isinstance(scorer, FunctionScorer):
                results.append(scorer.replicate_from(counts, task.first))
            else:
                results.append(scorer.replicate(counts))
        return results

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_drawn": None}


def _check_memory(scores: int, memory: int) -> None:
    """Raise SettingsError where so many replicates and what is made of them exceed the memory."""
    needed = scores * np.dtype(np.float64).itemsize * _COPIES
    if needed > memory:
        raise SettingsError(
            f"resamples: the replicates need {needed / 2**30:.1f} GiB, and 'memory' allows "
            f"{memory / 2**30:.1f} GiB; lower 'resamples', or raise 'memory' where there is more"
        )


def _backend(backend: str, work: Work, python: bool) -> str:
    """Choose who works where the settings leave it to us ("auto").

    Functions of Python hold the interpreter's lock, and may have started threads that a fork would
    lose: they get fresh processes. Short runs are over before a fork pays, and long ones measured
    1.3 to 1.8 times faster in forked processes than in threads.
    """
    if backend != "auto":
        return "loky" if python and backend == "threads" else backend
    if python:
        return "loky"
    # Metrics of order go through all counts once more for each entry.
    passes = 1 + sum(scorer.m for scorer in work.scorers if isinstance(scorer, OrderedScorer))
    return "processes" if passes * work.design.n * work.resamples >= _FORKED else "threads"


def _affordable(workers: int, work: Work, memory: int) -> int:
    """Return how many workers fit the memory: each holds a chunk's counts and their floats."""
    chunk = work.rows * work.design.n
    return max(1, min(workers, memory // (4 * chunk + (64 << 20))))


def _kept(scorer: Scorer, found: dict[Scorer, Scored], used: int) -> Replicates:
    scored = scorer.combine([found[part] for part in scorer.parts])
    values, undefined = scored.values[:used], scored.undefined[:used]
    if not undefined.any():
        return Replicates(values, 0)
    defined: Bools = np.logical_not(np.isnan(values).any(axis=1))
    left_out = len(values) - int(np.count_nonzero(defined))
    zero_divisions = np.count_nonzero(undefined[defined], axis=0)
    return Replicates(
        values[defined] if left_out else values,
        left_out,
        zero_divisions if zero_divisions.any() else None,
        defined if left_out else None,
    )
