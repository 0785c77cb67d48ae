"""Memory that forked processes share."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from ..core.arrays import Array


def shared_zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """Return zeros in memory that forked processes share."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, max(size, 1)), dtype, count=int(np.prod(shape))).reshape(
        shape
    )
