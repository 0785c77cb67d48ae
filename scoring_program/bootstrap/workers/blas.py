"""One thread for the matrix products of each worker."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit matrix products to one thread per worker, so that threads do not multiply.

    More threads are up to ten times slower on a machine with other work. The variables of the
    environment tell nothing here: they count only if they were set before NumPy was loaded.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield
