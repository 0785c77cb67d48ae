"""NumPy's ``.npy`` and ``.npz`` files, without arrays of Python objects, whose pickle runs code.

NumPy is imported where such a file is read, because a starting kit works without it.
"""

from __future__ import annotations

import io
import math
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import SubmissionError, listed, quoted
from .. import limits
from ..table import Table, empty_file_error, from_columns, matrix_header, too_many_cells_error
from .kind import Content

#: Of NumPy's kinds of elements those that are numbers or texts, and the sizes of numbers.
_KINDS = "biufUS"
_LARGEST = 8
#: What an array holds, [c][n].
_Columns = list[list[object]]


def read_npy(content: Content) -> Table:
    """Read an array of shape [n] (labels or values) or [n, c] (one column per class).

    Raises
    ------
    SubmissionError
        It is not an array of numbers or texts, has another shape, or is incomplete.
    """
    return _table([("label", _columns(content.data, content))], content)


def read_npz(content: Content) -> Table:
    """Read arrays of equal length. Their names are the columns' names.

    Raises
    ------
    SubmissionError
        See `read_npy`; or the lengths of the arrays differ.
    """
    file = content.file
    try:
        with zipfile.ZipFile(io.BytesIO(content.data)) as archive:
            members = [item for item in archive.infolist() if item.filename.endswith(".npy")]
            limits.Tally(limits.DEFAULT).add(len(members), members)
            arrays = []
            cells = 0
            for item in members:
                array = _columns(archive.read(item), content)
                cells += len(array) * len(array[0])
                if cells > limits.MOST_CELLS:
                    raise too_many_cells_error(file)
                arrays.append((item.filename[: -len(".npy")], array))
    except SubmissionError:
        raise
    except limits.LimitExceeded as error:
        refusal = content.refusal("{file}: {limit}; send only the predictions", limit=error.limit)
        raise refusal from error
    except limits.UNREADABLE as error:
        raise content.refusal(
            "{file}: this is not a readable .npz file; save it with numpy.savez"
        ) from error
    if not arrays:
        raise content.refusal(
            "{file}: the file holds no array; save the predictions with numpy.savez"
        )
    lengths = {name: len(array[0]) for name, array in arrays}
    if len(set(lengths.values())) > 1:
        raise content.refusal(
            "{file}: the arrays have different lengths ({counts}); give every array one value "
            "per example",
            counts=listed(f"{quoted(name)} {length}" for name, length in lengths.items()),
        )
    return _table(arrays if len(arrays) > 1 else [("label", arrays[0][1])], content)


def _table(arrays: Sequence[tuple[str, _Columns]], content: Content) -> Table:
    header: list[str] = []
    for name, array in arrays:
        header.extend([name] if len(array) == 1 else matrix_header(len(array)))
    if len(set(header)) < len(header):
        raise content.refusal(
            "{file}: several columns have one name; save arrays of shape [n] under different names"
        )
    columns = (column for _, array in arrays for column in array)
    return replace(from_columns(content.file, columns, header), one_hot=len(arrays) == 1)


def _columns(data: bytes, content: Content) -> _Columns:
    """Return the columns of a ``.npy`` file. No header makes room for more than the bytes hold."""
    try:
        import numpy as np
    except ImportError:
        raise content.refusal("{file}: without NumPy this file cannot be read; send CSV") from None
    malformed = content.refusal(
        "{file}: this is not a complete .npy array; save it with numpy.save"
    )
    stream = io.BytesIO(data)
    try:
        form = np.lib.format
        is_first = form.read_magic(stream) == (1, 0)
        read_header = form.read_array_header_1_0 if is_first else form.read_array_header_2_0
        shape, by_column, dtype = read_header(stream)
    except Exception as error:  # whatever its parser stumbles over
        raise malformed from error
    if 0 in shape:
        raise empty_file_error(content.file)
    usable = dtype.kind in _KINDS and (dtype.kind in "US" or dtype.itemsize <= _LARGEST)
    if not usable or not 1 <= len(shape) <= 2:
        raise content.refusal(
            "{file}: the array has type {type} and shape {shape}; expected numbers or "
            "texts of shape [n] or [n, classes], without Python objects; convert it with "
            "astype(str) or astype(float)",
            type=repr(np.lib.format.dtype_to_descr(dtype)),
            shape=str(shape),
        )
    size = math.prod(shape)
    bytes_left = len(data) - stream.tell()
    if not dtype.itemsize or size * dtype.itemsize > bytes_left or min(shape) < 0:
        raise malformed
    if size > limits.MOST_CELLS:
        raise too_many_cells_error(content.file)
    start = stream.tell()
    array = np.frombuffer(data, dtype, size, start)
    array = array.reshape(shape, order="F" if by_column else "C").reshape(shape[0], -1).T
    if dtype.kind == "U" and _has_no_character(data[start:][: size * dtype.itemsize], dtype):
        raise malformed
    try:
        texts = np.char.decode(array, "utf-8") if dtype.kind == "S" else array
        columns: _Columns = texts.tolist()
    except (ValueError, SystemError) as error:  # the bytes are no characters
        raise malformed from error
    return columns


def _has_no_character(texts: bytes, dtype: Any) -> bool:
    """Whether one of the numbers of characters is of none: NumPy makes broken texts of them."""
    import numpy as np

    codes = np.frombuffer(texts, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
    return bool((codes > sys.maxunicode).any())
