"""The draws of several tasks as those of one, in which only pairs of one task are rivals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Floats, Ints
from .draws import Chosen, Draws, ResampledErrors


def stacked(tasks: Sequence[Draws]) -> Draws:
    """Return the draws of k runs in T tasks, on the same number of resamples, as those of T·k."""
    return Draws(
        _on_diagonal([task.statistics for task in tasks]),
        np.concatenate([task.deviations.astype(np.float64) * task.unit for task in tasks]),
        _on_diagonal([task.errors for task in tasks]),
        _on_diagonal([task.rivals for task in tasks]),
        _OfTasks.of(tasks),
    )


@dataclass(frozen=True, eq=False)
class _OfTasks:
    """The resampled standard errors of tasks (`draws.ResampledErrors`), task after task."""

    reason: str
    errors: Floats
    row: Ints
    sources: Sequence[ResampledErrors]
    starts: Ints  # the first row of each of the sources, and the number of all rows

    @classmethod
    def of(cls, tasks: Sequence[Draws]) -> _OfTasks | None:
        """Put the standard errors of tasks together; None if no task has resampled ones."""
        found = [task.resampled if task.studentized else None for task in tasks]
        sources = [own for own in found if own is not None]
        if not sources:
            return None
        errors, rows, starts = [], [], [0]
        for task, own in zip(tasks, found, strict=True):
            if own is None:
                errors.append(task.errors)
                rows.append(np.full(task.errors.shape, -1, np.intp))
                continue
            errors.append(own.errors)
            rows.append(np.where(own.row >= 0, own.row + starts[-1], -1))
            starts.append(int(rows[-1].max()) + 1)
        row = _on_diagonal(rows, elsewhere=-1)
        return cls(sources[0].reason, _on_diagonal(errors), row, sources, np.array(starts))

    def ratios(self, rows: Chosen, resamples: Chosen) -> NDArray[np.float32]:
        """Return se / se* [rows, b] of some pairs on some resamples."""
        numbers = np.arange(self.starts[-1])[rows]
        source = np.searchsorted(self.starts, numbers, side="right") - 1
        parts = [
            self.sources[own].ratios(numbers[source == own] - self.starts[own], resamples)
            for own in (np.unique(source) if source.size else [0])
        ]
        together = np.concatenate(parts)
        order = np.argsort(source, kind="stable")
        return together if len(parts) == 1 else together[np.argsort(order)]


def _on_diagonal(blocks: Sequence[Array], elsewhere: int = 0) -> Array:
    """Return a matrix with these blocks [k, k] on its diagonal."""
    size = len(blocks[0])
    matrix = np.full((size * len(blocks),) * 2, elsewhere, blocks[0].dtype)
    for place, block in enumerate(blocks):
        own = slice(place * size, (place + 1) * size)
        matrix[own, own] = block
    return matrix
