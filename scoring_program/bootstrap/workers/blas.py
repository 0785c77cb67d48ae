"""One thread for the matrix products of each worker."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep the matrix products of each worker to one thread: two levels must not multiply."""
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        yield
        return
    # Looking for the libraries takes a while; the command sets the variable before NumPy is loaded.
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield
