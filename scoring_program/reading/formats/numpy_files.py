"""NumPy's ``.npy`` and ``.npz`` files, read without NumPy and without pickle.

The format (numpy.lib.format) is a line of text that describes the array, followed by the elements.
Arrays of Python objects are refused: they need pickle, which could run code.
"""

from __future__ import annotations

import ast
import io
import math
import re
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.errors import SubmissionError, listed, quoted
from ...core.phrases import Phrase
from .. import limits
from ..table import (
    ROW,
    Table,
    empty_file_error,
    from_columns,
    matrix_header,
    too_many_cells_error,
)

_MAGIC = b"\x93NUMPY"
_LONGEST_DESCRIPTION = 10_000  # as numpy.load has it
_TYPE = re.compile(r"(?P<order>[<>|=])(?P<kind>[biufUS])(?P<size>\d+)")
#: NumPy's kinds and sizes of numbers → the struct module's letters.
_LETTERS = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip


@dataclass(frozen=True)
class _Array:
    shape: tuple[int, ...]
    columns: Sequence[Sequence[object]]  # [c][n]


def read_npy(content: bytes, file: str) -> Table:
    """Read an array of shape [n] (labels or values) or [n, c] (one column per class).

    Raises
    ------
    SubmissionError
        It is not an array of numbers or texts, has another shape, or is incomplete.
    """
    return _table([("label", _array(content, file))], file)


def read_npz(content: bytes, file: str) -> Table:
    """Read arrays of equal length. Their names are the columns' names.

    Raises
    ------
    SubmissionError
        See `read_npy`; or the lengths of the arrays differ.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [item for item in archive.infolist() if item.filename.endswith(".npy")]
            limits.Tally(limits.DEFAULT).add(len(members), members)
            arrays, cells = [], 0
            for item in members:
                array = _array(archive.read(item), file)
                cells += math.prod(array.shape)
                if cells > limits.MOST_CELLS:
                    raise too_many_cells_error(file)
                arrays.append((item.filename[: -len(".npy")], array))
    except SubmissionError:
        raise
    except limits.LimitExceeded as error:
        raise SubmissionError(
            Phrase("{file}: {limit}; send only the predictions", file=file, limit=error.limit)
        ) from error
    except limits.UNREADABLE as error:
        raise SubmissionError(
            Phrase(
                "{file}: this is not a readable .npz file ({error}); save it with numpy.savez",
                file=file,
                error=str(error),
            )
        ) from error
    if not arrays:
        raise SubmissionError(
            Phrase(
                "{file}: the file holds no array; save the predictions with numpy.savez", file=file
            )
        )
    lengths = {name: array.shape[0] for name, array in arrays}
    if len(set(lengths.values())) > 1:
        counts = listed(f"{quoted(name)} {length}" for name, length in lengths.items())
        raise SubmissionError(
            Phrase(
                "{file}: the arrays have different lengths ({counts}); give every array one value "
                "per example",
                file=file,
                counts=counts,
            )
        )
    if len(arrays) == 1:
        arrays = [("label", arrays[0][1])]
    return _table(arrays, file)


def _table(arrays: Sequence[tuple[str, _Array]], file: str) -> Table:
    header: list[str] = []
    for name, array in arrays:
        width = len(array.columns)
        header.extend([name] if width == 1 else matrix_header(width))
    if len(set(header)) < len(header):
        raise SubmissionError(
            Phrase(
                "{file}: several columns have one name; save arrays of shape [n] under different "
                "names",
                file=file,
            )
        )
    columns = (column for _, array in arrays for column in array.columns)
    table = from_columns(file, columns, header, ROW)
    return replace(table, one_hot=len(arrays) == 1)


def _array(content: bytes, file: str) -> _Array:
    """Parse one ``.npy`` file."""
    malformed = SubmissionError(
        Phrase("{file}: this is not a complete .npy array; save it with numpy.save", file=file)
    )
    try:
        if not content.startswith(_MAGIC):
            raise malformed
        wide = content[6] > 1  # version 1 gives the length of the description in two bytes
        start = 12 if wide else 10
        (length,) = struct.unpack_from("<I" if wide else "<H", content, 8)
        if length > _LONGEST_DESCRIPTION:
            raise malformed
        described = ast.literal_eval(content[start : start + length].decode("utf-8"))
        kind, shape = described["descr"], tuple(described["shape"])
        by_column = described["fortran_order"]
        order = _TYPE.fullmatch(kind) if isinstance(kind, str) else None
        if order is not None and order["kind"] not in "US" and kind[1:] not in _LETTERS:
            order = None  # such as longdouble, which differs between machines
        if not all(type(size) is int and size >= 0 for size in shape):
            raise malformed
        if 0 in shape:
            raise empty_file_error(file)
        if order is None or not 1 <= len(shape) <= 2:
            raise SubmissionError(
                Phrase(
                    "{file}: the array has type {type} and shape {shape}; expected numbers or "
                    "texts of shape [n] or [n, classes], without Python objects; convert it with "
                    "astype(str) or astype(float)",
                    file=file,
                    type=repr(kind),
                    shape=str(shape),
                )
            )
        data = memoryview(content)[start + length :]
        if math.prod(shape) > limits.MOST_CELLS:
            raise malformed if math.prod(shape) > len(data) else too_many_cells_error(file)
        values = _values(data, order, math.prod(shape))
    except SubmissionError:
        raise
    except (
        LookupError, TypeError, ValueError, SyntaxError, struct.error, RecursionError, MemoryError,
    ) as error:  # fmt: skip
        raise malformed from error
    n, width = shape[0], 1 if len(shape) == 1 else shape[1]
    if by_column:
        return _Array(shape, [values[i * n : (i + 1) * n] for i in range(width)])
    return _Array(shape, [values[i::width] for i in range(width)])


def _values(data: memoryview, order: re.Match[str], count: int) -> Sequence[object]:
    """Return ``count`` elements; raise ValueError or struct.error if there are fewer."""
    kind, size = order["kind"], int(order["size"])
    if kind in "US":
        width = 4 * size if kind == "U" else size
        if not width:
            raise ValueError("texts of no characters")
        if len(data) < count * width:
            raise ValueError("cut short")
        codec = ("utf-32-be" if order["order"] == ">" else "utf-32-le") if kind == "U" else "utf-8"
        cells = (bytes(data[i * width : (i + 1) * width]).decode(codec) for i in range(count))
        return [cell.rstrip("\0") for cell in cells]
    byte_order = ">" if order["order"] == ">" else "<"
    return struct.unpack_from(f"{byte_order}{count}{_LETTERS[kind + str(size)]}", data)
