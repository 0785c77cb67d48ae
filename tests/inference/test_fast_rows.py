"""Rows that are combined fast: where their memory begins, and NumPy's buffer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from scoring_program.inference.comparing.draws import LINE, aligned, without_copies


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(1,), (3, LINE), (7, 5 * LINE), (2, 13)])
def test_memory_begins_with_a_line_of_the_cache(shape: tuple[int, ...], dtype: type) -> None:
    found = aligned(shape, dtype, -np.inf)
    assert found.shape == shape
    assert found.dtype == dtype
    assert found.flags.c_contiguous
    assert found.ctypes.data % LINE == 0
    assert (found == -np.inf).all()


@pytest.mark.parametrize("length", [1, 40, 488, 100_000])
def test_the_buffer_is_shorter_than_a_row(length: int) -> None:
    with without_copies(length):
        assert 16 <= np.getbufsize() <= max(length, 16)


def test_an_error_leaves_the_buffer_as_it_was() -> None:
    before = np.getbufsize()
    with pytest.raises(ZeroDivisionError), without_copies(40):
        raise ZeroDivisionError
    assert np.getbufsize() == before


def test_other_threads_keep_their_buffers() -> None:
    before = np.getbufsize()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(np.getbufsize).result() == before
        with without_copies(40):
            assert np.getbufsize() != before
            assert pool.submit(np.getbufsize).result() == before
