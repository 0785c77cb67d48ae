"""A file that cannot be read is named, with the place and what was expected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.data.source import read_input
from tests.competitions import told
from tests.reading.variants import TEAMS, archive, as_json, case, npy, npz, rows_of, table

_ROWS = rows_of(TEAMS["One"])
_RECORDS = [{"id": key, "label": label} for key, label in _ROWS]

#: name → file name, content, what the message says.
BROKEN: dict[str, tuple[str, bytes, str]] = {
    "empty": ("p.csv", b"", r"p\.csv: the file is empty; expected one row per example"),
    "blank": ("p.csv", b"\n \n", "the file is empty"),
    "empty cells": ("p.csv", b",,\n,,\n", "the file is empty"),
    "rows of other widths": ("p.csv", b"id,label\nt1\nt2,a,b\n", "2 rows of the wrong width"),
    "decimal commas": ("p.csv", b"id,label\nt1,0,5\n", "write the decimal point as '.'"),
    "XML": (
        "p.txt",
        b'<?xml version="1.0"?>\n<a>\n' + b"<b/>\n" * 10,
        r"is XML; write CSV or JSON \(",
    ),
    "XML without a declaration": ("p.xml", b'<a id="1">\n' + b"<b/>\n" * 10 + b"</a>\n", "is XML;"),
    "empty text": ("p.txt", b" \n", "the file is empty"),
    "empty JSON": ("p.json", b"", "the file is empty"),
    "empty list": ("p.json", b"[]", "the file is empty"),
    "empty matrix": ("p.predict", b"\n", "the file is empty"),
    "header only": ("p.csv", b"id,label\n", "line 1: there is a header but no row"),
    "spreadsheet": ("p.csv", archive({"xl/workbook.xml": b""}), "an Excel spreadsheet; save the"),
    "archive": (
        "p.csv",
        archive({"p.csv": b""}),
        r"a zip archive; call it \.zip, or",
    ),
    "old spreadsheet": ("p.csv", b"\xd0\xcf\x11\xe0", "an old spreadsheet; save the predictions"),
    "Parquet": ("p.csv", b"PAR1....", "a Parquet file; call it .parquet, or save it as CSV"),
    "gzip": ("p.csv", b"\x1f\x8b\x08", r"a gzip archive; call it \.csv\.gz if it holds CSV"),
    "RAR": ("p.csv", b"Rar!\x1a\x07\x01\0", r"a RAR archive; send a \.zip, or the file itself"),
    "7z": ("p.csv", b"7z\xbc\xaf\x27\x1c", r"a 7z archive; send a \.zip, or the file itself"),
    "xz": ("p.csv", b"\xfd7zXZ\0", r"an xz archive; send a \.zip, or the file itself"),
    **{
        f"{extension} by name": (
            f"p{extension}",
            b"",
            r"\.zip files: send a \.zip, or the file",
        )
        for extension in (".tar.gz", ".csv.bz2", ".rar", ".7z", ".TGZ")
    },
    "pickle": ("p.npy", b"\x80\x04\x95\x00", "a Python pickle"),
    "spreadsheet by name": ("p.xlsx", b"PK\x03\x04", r"no predictions file among p\.xlsx.*save"),
    "Latin-1": ("p.csv", "id,label\nt1,año\n".encode("latin-1"), "line 2: the text is not UTF-8"),
    "NUL": ("p.csv", b"id,label\nt1,\0\n", "line 2: the text holds a NUL character"),
    "ragged": ("p.csv", table(_ROWS) + b"t13,a,b\n", "line 14: 3 cells found, 2 expected"),
    "huge cell": ("p.csv", b"id,label\nt1," + b"a" * 200_000, "line 2: field larger than"),
    "wrong count": ("p.txt", b"a\n" * 11, r"p\.txt: 11 rows, 12 expected\n.*line 11 is the last"),
    "unnamed columns": ("p.csv", b"1,2,3\n" * 12, "3 columns have no names"),
    "repeated column": ("p.csv", table(_ROWS, header=("label", "label")), "two columns are called"),
    "not JSON": (
        "p.json",
        b'[{"id": "t1",\n "label" "a"}]',
        r"line 2: this is not valid JSON \(.* at column 10\); expected a list of records",
    ),
    "open text in JSON": (
        "p.json",
        b'[{"id": "t1", "label": "a}]',
        r"line 1: this is not valid JSON \(Unterminated string starting at column 24\)",
    ),
    "a bracket too many in JSON": (
        "p.json",
        b'[\n{"id": "t1"}\n]\n]',
        r"line 4: this is not valid JSON \(Extra data at column 1\); expected a list of records",
    ),
    "JSON number": ("p.json", b"3", "expected a list of records"),
    "deep JSON": ("p.json", b"[" * 100_000, "p.json"),
    "nested JSON": ("p.json", as_json([{"id": "t1", "label": ["a"]}]), "record 1: 'label' holds"),
    "JSON key twice": (
        "p.json",
        b'[{"id": "t1", "id": "t2"}]',
        "one object has the key 'id' twice",
    ),
    "JSON key twice, decomposed": (
        "p.json",
        b'[{"\\u00f1": 1, "n\\u0303": 2}]',
        "twice; keep one of them",
    ),
    "a JSON key like the path of another one": (
        "p.json",
        b'[{"id": "t1", "label": "cat", "x.label": "cow", "x": {"label": "dog"}}]',
        "record 1: the key 'x.label' stands twice, once in an object inside the record; keep one",
    ),
    "JSON null": ("p.json", as_json([*_RECORDS[1:], {"id": "t1", "label": None}]), "empty value"),
    "JSON columns differ": ("p.json", as_json({"id": [1, 2], "label": ["a"]}), "'id' 2, 'label' 1"),
    "bad line of JSON Lines": (
        "p.jsonl",
        b'{"id": "t1"}\n{\n',
        r"line 2: this is not valid JSON \(.* at column 2\); expected one record per line",
    ),
    "bad line of JSON Lines by another name": (
        "p.json",
        b'{"id": "t1"}\n{"id',
        r"line 2: this is not valid JSON \(.* at column 2\); expected one record per line",
    ),
    "nested JSON Lines": (
        "p.jsonl",
        b'{"id": "t1", "label": ["a"]}\n',
        "line 1: 'label' holds a nested value; expected one record per line",
    ),
    "objects": ("p.npy", npy(np.array(["a", None], dtype=object)), "'|O'"),
    "objects in npz": ("p.npz", npz(x=np.array(["a", None], dtype=object)), "'|O'"),
    "complex": ("p.npy", npy(np.zeros(12, complex)), "'<c16'"),
    "cube": ("p.npy", npy(np.zeros((2, 2, 2))), "expected numbers or texts of shape"),
    "cut short": ("p.npy", npy(TEAMS["One"])[:-3], "not a complete .npy array"),
    "numbers cut short": ("p.npy", npy(np.zeros(12))[:-3], "not a complete .npy array"),
    "an array without rows": ("p.npy", npy(np.zeros(0)), "the file is empty; expected one row"),
    "numbers that are no characters": (
        "p.npy",
        npy(np.array(["zab"] * 12)).replace("z".encode("utf-32-le"), b"\0\0\x11\0"),
        "not a complete .npy array",
    ),
    "numbers that are no characters, the other bytes first": (
        "p.npy",
        npy(np.array(["zab"] * 12, ">U3")).replace("z".encode("utf-32-be"), b"\xff" * 4),
        "not a complete .npy array",
    ),
    "longdouble": (
        "p.npy",
        npy(np.zeros(24)).replace(b"<f8", b"<f16").replace(b" \n", b"\n"),
        "the array has type '<f16' and shape",
    ),
    "no array": ("p.npy", b"text", "not a complete .npy array"),
    "half a description": ("p.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr'", "not a complete .npy"),
    "npz with nothing": ("p.npz", archive({"readme": b""}), "the file holds no array"),
    "npz of lengths": ("p.npz", npz(id=["t1"], label=["a", "b"]), "'id' 1, 'label' 2"),
    "npz that is none": ("p.npz", b"PK\x03\x04", r"not a readable \.npz file"),
    "zip that is none": ("p.zip", b"PK\x03\x04", "not a readable zip archive"),
    "empty zip": ("p.zip", archive({}), "the archive holds no data"),
    "zip of a read-me": ("p.zip", archive({"README.md": b"x"}), "the archive holds no data"),
    "zips in zips": (
        "p.zip",
        archive({"a.zip": archive({"b.zip": archive({"c.zip": archive({"p.csv": b""})})})}),
        "deeper than the limit of 3",
    ),
    "two files": ("p.zip", archive({"a.csv": b"", "b.csv": b""}), "holds 2 data files"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_message_names_the_file_and_the_remedy(tmp_path: Path, name: str) -> None:
    file, content, message = BROKEN[name]
    settings = "metrics: [accuracy_score]\nlayout: single\n"
    folder = case({file: content}, settings=settings).write(tmp_path)
    with pytest.raises(SubmissionError, match=message):
        read_input(folder, lambda settings: settings)


def _flagged(content: bytes, flag: int) -> bytes:
    """Return an archive of one member with these flags in both of its headers."""
    changed = bytearray(content)
    changed[content.index(b"PK\x03\x04") + 6] = flag
    changed[content.index(b"PK\x01\x02") + 8] = flag
    return bytes(changed)


_ARCHIVE = archive({"p.csv": table(_ROWS)})
_DAMAGED = _ARCHIVE[:40] + bytes([_ARCHIVE[40] ^ 255]) + _ARCHIVE[41:]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("p.zip", _ARCHIVE[:-30], "p.zip: this is not a readable zip archive; pack it again"),
        ("p.zip", b"id,label", "p.zip: this is not a readable zip archive; pack it again"),
        (
            "p.zip",
            _flagged(_ARCHIVE, 1),
            "p.zip: p.csv: the file is protected by a password; pack it again without one",
        ),
        (
            "p.zip",
            _DAMAGED,
            "p.zip: p.csv: the file is damaged and cannot be unpacked; pack it again",
        ),
        (
            "p.npz",
            _ARCHIVE[:-30],
            "p.npz: this is not a readable .npz file; save it with numpy.savez",
        ),
    ],
)
def test_messages_about_archives_quote_no_library(
    tmp_path: Path, file: str, content: bytes, message: str
) -> None:
    """What a library says differs between versions, and may quote what lies in the archive."""
    settings = "metrics: [accuracy_score]\nlayout: single\n"
    with pytest.raises(SubmissionError) as caught:
        read_input(case({file: content}, settings=settings).write(tmp_path), lambda found: found)
    assert str(caught.value) == message


def test_unusable_team_does_not_stop_the_others(tmp_path: Path) -> None:
    good = table(_ROWS)
    files = {
        "One.csv": good,
        "Two/p.csv": good,
        "Three/p.xlsx": b"PK",
        "Four/x.csv": b"",
        "n.pdf": b"",
    }
    (tmp_path / "res" / "Five").mkdir(parents=True)
    competition, _ = read_input(case(files).write(tmp_path), lambda settings: settings)
    assert competition.names == ("One", "Two")
    reasons = {item.name: item.reason for item in competition.unusable}
    assert sorted(reasons) == ["Five", "Four", "Three"]
    assert "no predictions file among Three/p.xlsx" in reasons["Three"]
    assert "the folder holds no data" in reasons["Five"]
    assert "Not read as predictions: n.pdf." in told(competition.notes)


def test_line_numbers_count_blank_lines_and_lines_inside_quotes(tmp_path: Path) -> None:
    text = 'id,label,note\n\nt1,a,"two\nlines"\n,,\nt2,x,\n,y,\n'
    folder = case({"p.csv": text.encode()}).write(tmp_path)
    with pytest.raises(SubmissionError) as caught:
        read_input(folder, lambda settings: settings)
    assert "line 6, column 'label': found 'x'" in str(caught.value)
    assert "line 7: the id is empty; fill it in" in str(caught.value)
