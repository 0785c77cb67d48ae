"""Divides a bootstrap into tasks that any worker can compute.

Resamples are drawn in chunks of a fixed shape. Chunk c always comes from the c-th child of the
seed, in any worker. So results depend on the seed and the data, never on the number of
workers, the backend or the memory allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.arrays import Ints
from ..metrics.sums import Product
from ..scoring.scorer import Scored, Scorer
from ..scoring.scorers import FunctionScorer, SumsScorer
from .counts import Counts, generator_of_chunk
from .design import Design
from .distinct_rows import KeptCounts

#: Draws in a chunk: few enough to fit a core's cache, many enough to make Python's overhead small.
_DRAWS = 750_000
#: Fewest resamples in a chunk, to keep matrix products fast; most, to report progress often.
_FEWEST, _MOST = 20, 512
#: Draws beyond which a chunk may hold fewer resamples than ``_FEWEST``.
_LARGEST = 200_000_000


@dataclass(frozen=True)
class Task:
    """A range of resamples within one chunk: numbers ``first`` … ``first + size − 1``."""

    chunk: int
    first: int
    size: int


class _Subset:
    """The scorers of the same rows of the test set: their places in the job."""

    def __init__(self, rows: Ints | None, places: Sequence[int], scorers: Sequence[Scorer]) -> None:
        self._rows = rows
        self._scorers = {place: scorers[place] for place in places}
        sums = [scorer for scorer in self._scorers.values() if isinstance(scorer, SumsScorer)]
        # One product for all metrics, so that shared columns, such as an entry's labels, are summed
        # once.
        columns = [column for scorer in sums for column in scorer.sums.flat()]
        self._product = Product(columns) if sums else None

    def score(self, counts: Counts, number: int) -> Iterator[tuple[int, Scored]]:
        """Yield each scorer's place and its scores under the counts [R, n] of all rows.

        The first of the resamples has the ``number``.
        """
        if self._rows is not None:
            counts = counts[:, self._rows]
        sums = None if self._product is None else self._product(counts)
        first = 0
        for place, scorer in self._scorers.items():
            if isinstance(scorer, SumsScorer):
                assert sums is not None
                size = len(scorer.sums.flat())
                yield place, scorer.finish(sums[first : first + size], counts)
                first += size
            elif isinstance(scorer, FunctionScorer):
                yield place, scorer.replicate_from(counts, number)
            else:
                yield place, scorer.replicate(counts)


class ResamplingJob:
    """Everything that a worker needs to score any range of resamples."""

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
        self.kept: KeptCounts | None = None  # where the draws are put from now on
        few = max(1, min(_FEWEST, _LARGEST // design.n))
        self.rows = min(_MOST, max(few, _DRAWS // design.n))
        subsets = {id(scorer.rows): scorer.rows for scorer in self.scorers}
        numbers = {key: place for place, key in enumerate(subsets)}
        of_scorers = [numbers[id(scorer.rows)] for scorer in self.scorers]
        self._subsets = [
            _Subset(rows, [k for k, own in enumerate(of_scorers) if own == place], self.scorers)
            for place, rows in enumerate(subsets.values())
        ]
        self._latest: tuple[int, Counts] | None = None

    def tasks(self, step: int) -> list[Task]:
        """Divide the resamples into ranges of at most ``step``, each within one chunk."""
        tasks = []
        for chunk, start in enumerate(range(0, self.resamples, self.rows)):
            size = min(self.rows, self.resamples - start)
            tasks += [Task(chunk, start + k, min(step, size - k)) for k in range(0, size, step)]
        return tasks

    def counts(self, task: Task) -> Counts:
        """Return the counts of a task's resamples, [task.size, n]."""
        latest = self._latest
        if latest is None or latest[0] != task.chunk:
            start = task.chunk * self.rows
            size = min(self.rows, self.resamples - start)
            latest = (task.chunk, self.design.draw(generator_of_chunk(self.seed, task.chunk), size))
            # The tasks of a function use few resamples of a chunk each: keep it for the next task.
            self._latest = latest if task.size < size else None
        first = task.first - task.chunk * self.rows
        return latest[1][first : first + task.size]

    def shapes(self) -> list[int]:
        """Return the number of entries of each scorer."""
        return [scorer.m for scorer in self.scorers]

    def __call__(self, task: Task) -> list[Scored]:
        """Score the resamples of a task with every scorer."""
        counts = self.counts(task)
        if self.kept is not None:
            self.kept.put(task.first, counts)
        results: dict[int, Scored] = {}
        for subset in self._subsets:
            results.update(subset.score(counts, task.first))
        return [results[place] for place in range(len(self.scorers))]

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_latest": None}
