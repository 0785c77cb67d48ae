"""Divides a bootstrap into tasks that any worker can compute.

Resamples are drawn in chunks of a fixed shape. Chunk c always comes from the c-th child of the
seed, in any worker. So results depend on the seed and the data, never on the number of
workers, the backend or the memory allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..metrics.sums import Product
from ..scoring.function_scorer import FunctionScorer
from ..scoring.scorer import Scored, Scorer
from ..scoring.sums_scorer import SumsScorer
from .counts import DrawCounts, generator_of_chunk
from .design import Design

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
        few = max(1, min(_FEWEST, _LARGEST // design.n))
        self.rows = min(_MOST, max(few, _DRAWS // design.n))
        sums = [scorer for scorer in self.scorers if isinstance(scorer, SumsScorer)]
        # One product for all metrics, so that shared columns, such as an entry's labels, are summed
        # once.
        self._product = (
            Product([column for scorer in sums for column in scorer.sums.flat()]) if sums else None
        )
        self._latest: tuple[int, DrawCounts] | None = None

    def tasks(self, step: int) -> list[Task]:
        """Divide the resamples into ranges of at most ``step``, each within one chunk."""
        tasks = []
        for chunk, start in enumerate(range(0, self.resamples, self.rows)):
            size = min(self.rows, self.resamples - start)
            tasks += [Task(chunk, start + k, min(step, size - k)) for k in range(0, size, step)]
        return tasks

    def counts(self, task: Task) -> DrawCounts:
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
        return {**self.__dict__, "_latest": None}
