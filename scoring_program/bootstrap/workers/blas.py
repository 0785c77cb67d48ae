"""One thread for the matrix products of each worker."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit matrix products to one thread per worker, so that threads do not multiply."""
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        yield
        return
    # The search for the libraries is slow; the command sets the variable before it loads NumPy.
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield
