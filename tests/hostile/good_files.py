"""A good file of labels in every format that can be read, from the registry of formats.

The mutants, the fuzzer and the test that one entry harms no other take them from here. A format
that is in the registry and not here fails `tests.hostile.test_one_entry_harms_no_other`.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from scoring_program.reading.formats import FORMATS
from scoring_program.settings.model import FILE_FORMATS
from tests.hostile.bad.makers import zipped
from tests.hostile.kinds import KINDS

#: Ids and labels, which are whole numbers, become bytes.
Encode = Callable[[Sequence[str], Sequence[int]], bytes]


@dataclass(frozen=True)
class GoodFile:
    """How labels are written in a format; ``file`` is its path inside the upload.

    The parts of Parquet are of submissions and of the gold, ``parts``.
    """

    form: str
    file: str
    encode: Encode
    package: str | None = None
    parts: bool = False

    @property
    def can_be_read(self) -> bool:
        """Whether the library that reads it is installed, and takes the NumPy that is."""
        if self.package is None:
            return True
        try:
            importlib.import_module(self.package)
        except ImportError:
            return False
        return True


def _delimited(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    rows = (f"{key},{label}\n" for key, label in zip(ids, labels, strict=True))
    return ("id,label\n" + "".join(rows)).encode()


def _lines(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    return "".join(f"{label}\n" for label in labels).encode()


def _records(ids: Sequence[str], labels: Sequence[int]) -> list[dict[str, Any]]:
    return [{"id": key, "label": label} for key, label in zip(ids, labels, strict=True)]


def _json(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    return json.dumps(_records(ids, labels)).encode()


def _json_lines(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in _records(ids, labels)).encode()


def _npy(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array(labels))
    return stream.getvalue()


def _npz(ids: Sequence[str], labels: Sequence[int]) -> bytes:
    return zipped({"y.npy": _npy(ids, labels)})


def _arrow(ids: Sequence[str], labels: Sequence[int], *, parquet: bool) -> bytes:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]
    import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]

    table, stream = pyarrow.table({"id": [*ids], "label": [*labels]}), io.BytesIO()
    if parquet:
        pyarrow.parquet.write_table(table, stream)
    else:
        with pyarrow.ipc.new_file(stream, table.schema) as writer:
            writer.write_table(table)
    return stream.getvalue()


_PARQUET = partial(_arrow, parquet=True)
#: What tests call a file → how it is written.
GOOD: Mapping[str, GoodFile] = {
    "csv": GoodFile("csv", "p.csv", _delimited),
    "lines": GoodFile("lines", "p.txt", _lines),
    "json": GoodFile("json", "p.json", _json),
    "jsonl": GoodFile("jsonl", "p.jsonl", _json_lines),
    "matrix": GoodFile("matrix", "p.predict", _lines),
    "npy": GoodFile("npy", "p.npy", _npy),
    "npz": GoodFile("npz", "p.npz", _npz),
    "one Parquet file": GoodFile("arrow", "p.parquet", _PARQUET, "pyarrow"),
    "one Arrow file": GoodFile("arrow", "p.arrow", partial(_arrow, parquet=False), "pyarrow"),
    "Parquet parts": GoodFile("parquet", "part-0.parquet", _PARQUET, "pyarrow", parts=True),
}


def unknown() -> set[str]:
    """Return the formats of the registry and of the settings of which there is no good file here.

    Formats of another kind of data than rows have good files in `tests.hostile.kinds`.
    """
    known = {good.form for good in GOOD.values()}
    suffixes = {PurePosixPath(case.file).suffix for case in KINDS.values()}
    of_kinds = {name for name, item in FORMATS.items() if suffixes & {*item.extensions}}
    return {*FILE_FORMATS} - known - of_kinds - {"auto"}
