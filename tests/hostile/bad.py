"""Bad inputs by kind: what each is, the exit status it must end with and what the message says.

``python -m tests.hostile.bad`` prints the README's table; test_bad_inputs.py tries them all.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import pickle
import struct
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tests.competitions import write_csv
from tests.hostile.trap import A, B, C, Trap

Spoil = Callable[[Trap], object]


@dataclass(frozen=True)
class Bad:
    """One bad input: how it comes about, and what must become of it."""

    kind: str
    name: str
    spoil: Spoil
    status: int
    says: tuple[str, ...] = ()

    @property
    def shows_own_cells(self) -> bool:
        """Whether the message quotes cells of the submission that happen to be labels."""
        return self.name in ("a quote that never ends", "ids and labels exchanged")


# -- rows and cells, in every format ---------------------------------------------------------------

#: What is done to ids and labels, the status and what is said of it in formats with ids.
ROWS: dict[str, tuple[Callable[[list[str], list[str]], tuple[list[str], list[str]]], str]] = {
    "rows left out": (lambda ids, labels: (ids[3:], labels[3:]), "3 missing ids"),
    "a row twice": (lambda ids, labels: ([*ids, ids[4]], [*labels, labels[4]]), "1 duplicate ids"),
    "a row too many": (lambda ids, labels: ([*ids, "new"], [*labels, labels[0]]), "1 extra ids"),
    "an id misspelt": (lambda ids, labels: (["X000", *ids[1:]], labels), "1 missing ids"),
    "an empty id": (lambda ids, labels: (["", *ids[1:]], labels), "1 missing ids"),
    "an unknown label": (lambda ids, labels: (ids, ["zebra", *labels[1:]]), "'zebra'"),
    "a label in capitals": (lambda ids, labels: (ids, ["ZEBRA", *labels[1:]]), "'ZEBRA'"),
    "an empty label": (lambda ids, labels: (ids, ["", *labels[1:]]), "empty cells"),
    "a number for a label": (lambda ids, labels: (ids, ["3.5", *labels[1:]]), "unknown labels"),
    "a not-a-number label": (lambda ids, labels: (ids, ["nan", *labels[1:]]), "'nan'"),
    "all rows left out": (lambda ids, labels: ([], []), "predictions."),
}


def _delimited(delimiter: str, encoding: str = "utf-8", newline: str = "\n", header: bool = True):
    def encode(ids: list[str], labels: list[str]) -> bytes:
        rows = [f"{i}{delimiter}{label}" for i, label in zip(ids, labels, strict=True)]
        head = [f"id{delimiter}label"] if header else []
        return "".join(row + newline for row in [*head, *rows]).encode(encoding)

    return encode


def _records(ids: list[str], labels: list[str]) -> list[dict[str, str]]:
    return [{"id": i, "label": label} for i, label in zip(ids, labels, strict=True)]


#: Formats that carry ids: file name → how ids and labels become bytes.
WITH_IDS: dict[str, Callable[[list[str], list[str]], bytes]] = {
    "predictions.csv": _delimited(","),
    "semicolons/predictions.csv": _delimited(";"),
    "bars/predictions.csv": _delimited("|"),
    "predictions.tsv": _delimited("\t"),
    "utf16/predictions.csv": _delimited(",", "utf-16"),
    "excel/predictions.csv": _delimited(",", "utf-8-sig", "\r\n"),
    "headless/predictions.csv": _delimited(",", header=False),
    "predictions.json": lambda ids, labels: json.dumps(_records(ids, labels)).encode(),
    "predictions.jsonl": lambda ids, labels: "".join(
        json.dumps(record) + "\n" for record in _records(ids, labels)
    ).encode(),
    "pyevall/predictions.json": lambda ids, labels: json.dumps(
        [
            {"test_case": "task", "id": i, "value": label}
            for i, label in zip(ids, labels, strict=True)
        ]
    ).encode(),
}


def _in_every_format() -> Iterator[Bad]:
    for file, encode in WITH_IDS.items():
        for name, (change, says) in ROWS.items():

            def spoil(trap: Trap, encode=encode, change=change, file=file) -> None:
                trap.upload(encode(*change(trap.ids, trap.teams["One"])), file)

            if "headless" in file and name in ("an id misspelt", "an empty id"):
                says = "29 rows, 30 expected"  # the first row looks like a header then
            kind = "labels" if "label" in name else "rows and ids"
            yield Bad(
                f"{kind}, in each of {len(WITH_IDS)} formats", f"{file}: {name}", spoil, 1, (says,)
            )


# -- numbers ---------------------------------------------------------------------------------------

_NOT_NUMBERS = {
    "nan": "NaN", "infinity": "inf", "minus infinity": "-Infinity", "overflow": "1e999",
    "just too large": "1e10", "empty": "", "blank": "   ", "text": "n/a", "decimal comma": "0,5",
    "thousands": "1.000,5", "digit separators": "1_000", "hexadecimal": "0x1F",
    "two points": "1.2.3",
    "complex": "1+2j", "a percentage": "50%", "a unit": "3 km", "a formula": "=1+1",
    "full-width digits": "１.５e400", "a boolean": "True", "a list": "[1]",
    "four thousand digits": "9" * 4000, "a fraction": "1/2",
}  # fmt: skip


def _numbers() -> Iterator[Bad]:
    for name, cell in _NOT_NUMBERS.items():

        def spoil(trap: Trap, cell=cell) -> None:
            trap.numeric()
            trap.submit({"id": trap.ids, "label": [*trap.teams["One"][:-1], cell]})

        yield Bad("numbers", name, spoil, 1, ("line 31", "predictions.csv"))


# -- files of text ---------------------------------------------------------------------------------


def _upload(
    content: Callable[[Trap], str | bytes] | str | bytes, name: str = "predictions.csv"
) -> Spoil:
    return lambda trap: trap.upload(content(trap) if callable(content) else content, name)


def _labelled(label: str, row: int = 4) -> Spoil:
    """Replace the label of one row of the CSV."""

    def spoil(trap: Trap) -> None:
        labels = list(trap.teams["One"])
        labels[row] = label
        trap.upload(_delimited(",")(trap.ids, labels))

    return spoil


def _text() -> Iterator[Bad]:
    kind = "text files and encodings"
    cases: dict[str, tuple[Spoil, tuple[str, ...]]] = {
        "no bytes": (_upload(""), ("is empty",)),
        "blank lines only": (_upload("\n\n\n"), ("is empty",)),
        "a byte-order mark only": (_upload(b"\xef\xbb\xbf"), ("is empty",)),
        "header only": (_upload("id,label\n"), ("no rows",)),
        "Latin-1": (
            _upload(lambda t: t.csv().replace("x005", "niño").encode("latin-1")),
            ("UTF-8",),
        ),
        "UTF-8 with one broken byte": (
            _upload(lambda t: t.csv().encode()[:-20] + b"\xff\xfe" + t.csv().encode()[-20:]),
            ("UTF-8", "line"),
        ),
        "UTF-16 cut in half a character": (
            _upload(lambda t: t.csv().encode("utf-16")[:-1]),
            ("predictions.csv",),
        ),
        "UTF-32": (_upload(lambda t: t.csv().encode("utf-32")), ("predictions.csv",)),
        "UTF-16 without a mark, one byte lost": (
            _upload(lambda t: t.csv().encode("utf-16-le")[1:]),
            ("predictions.csv",),
        ),
        "NUL characters": (_upload(lambda t: t.csv() + "x\0y,z\n"), ("NUL", "line 32")),
        "two encodings in one file": (
            _upload(lambda t: t.csv().encode() + "x1,å\n".encode("latin-1")),
            ("UTF-8", "line 32"),
        ),
        "random bytes": (_upload(bytes(range(256)) * 40), ("predictions.csv",)),
        "a PNG renamed": (_upload(b"\x89PNG\r\n\x1a\n" + bytes(500)), ("predictions.csv",)),
        "an Excel workbook renamed": (
            _upload(lambda t: zipped({"xl/a.xml": "<a/>"})),
            ("predictions.csv",),
        ),
        "HTML saved from a login page": (
            _upload("<!DOCTYPE html>\n<html><title>Sign in</title></html>\n"),
            ("predictions.csv",),
        ),
        "gzip renamed": (_upload(b"\x1f\x8b\x08\0" + bytes(100)), ("predictions.csv",)),
        "a row too short": (
            _upload(lambda t: t.csv().replace(f"x004,{t.teams['One'][4]}", "x004")),
            ("line 6", "1 cells found"),
        ),
        "a row too long": (
            _upload(lambda t: t.csv().replace("x004,", "x004,more,")),
            ("line 6", "3 cells found"),
        ),
        "two delimiters mixed": (_upload(lambda t: t.csv().replace("x004,", "x004;")), ("line 6",)),
        "two columns of one name": (
            _upload(lambda t: t.csv().replace("id,label", "label,label")),
            ("two columns",),
        ),
        "columns of no known name": (
            _upload(lambda t: t.csv().replace("id,label", "foo,bar")),
            ("predictions.csv",),
        ),
        "the label column missing": (
            _upload(lambda t: "id\n" + "\n".join(t.ids)),
            ("predictions.csv",),
        ),
        "a quote that never ends": (
            _upload(lambda t: t.csv().replace("x004,", 'x004,"')),
            ("predictions.csv",),
        ),
        "a quote that ends nowhere in a large file": (
            _upload(lambda t: 'id,label\nx000,"' + "y\n" * 200_000),
            ("predictions.csv",),
        ),
        "a field of a million characters": (
            _upload(lambda t: t.csv().replace("x004", "x" * 1_000_000)),
            ("predictions.csv",),
        ),
        "an unknown label of 100,000 characters": (
            _labelled("y" * 100_000),
            ("unknown labels", "…"),
        ),
        "a thousand columns": (
            _upload(lambda t: ",".join(map(str, range(1000))) + "\n" + "a," * 999 + "a\n"),
            ("predictions.csv",),
        ),
        "a hundred thousand rows too many": (
            _upload(lambda t: t.csv() + "".join(f"y{i},a\n" for i in range(100_000))),
            ("100000 extra ids", "more"),
        ),
        "vertical tabs and form feeds": (
            _upload(lambda t: t.csv().replace("\n", "\x0b")),
            ("predictions.csv",),
        ),
        "control characters in a label": (
            _labelled("\x1b[31mred\x07", 4),
            ("unknown labels",),
        ),
        "a right-to-left override in a label": (
            _labelled("\u202eevil", 4),
            ("unknown labels",),
        ),
        "a look-alike of a label": (
            _labelled("quоkkаgold", 0),
            ("unknown labels",),
        ),
        "markup in a label": (
            _labelled("<script>alert(1)</script>", 4),
            ("unknown labels",),
        ),
        "a template in a label": (
            _labelled("{{ 7 * 7 }}{% raw %}", 4),
            ("{{ 7 * 7 }}",),
        ),
        "a format string in a label": (
            _labelled("{0.__class__}%s%n", 4),
            ("%s%n",),
        ),
        "a sentence": (_upload("Please find our predictions attached.\n"), ("predictions.csv",)),
        "ids and labels exchanged": (
            _upload(
                lambda t: (
                    "id,label\n"
                    + "".join(f"{b},{a}\n" for a, b in zip(t.ids, t.teams["One"], strict=True))
                )
            ),
            ("predictions.csv",),
        ),
        "a pivoted table": (
            _upload(lambda t: ",".join(t.ids) + "\n" + ",".join(t.teams["One"]) + "\n"),
            ("predictions.csv",),
        ),
        "one label a line, one line short": (
            _upload(lambda t: "\n".join(t.teams["One"][1:]), "predictions.txt"),
            ("29", "30"),
        ),
        "one label a line, one line long": (
            _upload(lambda t: "\n".join([*t.teams["One"], C]), "predictions.txt"),
            ("31", "30"),
        ),
        "one label a line, one unknown": (
            _upload(lambda t: "\n".join(["zebra", *t.teams["One"][1:]]), "predictions.txt"),
            ("'zebra'",),
        ),
        "an AutoML matrix of the wrong height": (
            _upload("1 0 0\n0 1 0\n", "task_test.predict"),
            ("task_test.predict",),
        ),
        "an AutoML matrix with a word": (
            _upload(lambda t: "1 0 0\n" * 29 + "one 0 0\n", "task_test.predict"),
            ("task_test.predict",),
        ),
    }
    for name, (spoil, says) in cases.items():
        yield Bad(kind, name, spoil, 1, says)


# -- JSON ------------------------------------------------------------------------------------------


def _json() -> Iterator[Bad]:
    cases: dict[str, str | bytes] = {
        "not JSON": "predictions = [1]",
        "cut short": '[{"id": "x000", "label": "a"}, {"id"',
        "a number": "3",
        "a text": '"a"',
        "null": "null",
        "an empty list": "[]",
        "an empty object": "{}",
        "a list of lists": '[["x000", "a"]]',
        "a list of nulls": "[null, null]",
        "records of different keys": '[{"id": "x000", "label": "a"}, {"key": "x001"}]',
        "a nested value": '[{"id": "x000", "label": {"a": 1}}]',
        "a list as a value": '[{"id": "x000", "label": ["a"]}]',
        "null as a value": '[{"id": "x000", "label": null}]',
        "NaN": '[{"id": "x000", "label": NaN}]',
        "1e999": '[{"id": "x000", "label": 1e999}]',
        "a key twice": '[{"id": "x000", "id": "x001", "label": "a"}]',
        "an integer of 10,000 digits": '[{"id": "x000", "label": ' + "9" * 10_000 + "}]",
        "nested 100,000 deep": "[" * 100_000 + "]" * 100_000,
        "objects nested 100,000 deep": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "a lone surrogate": '[{"id": "x000", "label": "\\ud800"}]',
        "a NUL escape": '[{"id": "x\\u0000", "label": "a"}]',
        "two documents": '[{"id": "x000", "label": "a"}]\n[{"id": "x001", "label": "a"}]',
        "a trailing comma": '[{"id": "x000", "label": "a"},]',
        "comments": '// predictions\n[{"id": "x000", "label": "a"}]',
        "single quotes": "[{'id': 'x000', 'label': 'a'}]",
        "no bytes": "",
        "Latin-1": b'[{"id": "x000", "label": "\xe9"}]',
    }
    for name, content in cases.items():
        yield Bad("JSON", name, _upload(content, "predictions.json"), 1, ("predictions.json",))
        if name not in ("not JSON", "two documents"):
            yield Bad(
                "JSON Lines", name, _upload(content, "predictions.jsonl"), 1, ("predictions.jsonl",)
            )


# -- NumPy -----------------------------------------------------------------------------------------


def _npy(array: np.ndarray, **options: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


class _Exploding:
    """Unpickled, it would write a file."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("pwned",)


def _header(text: str, body: bytes = b"") -> bytes:
    """Return an .npy file whose header claims what it likes."""
    head = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body


def _numpy() -> Iterator[Bad]:
    cases: dict[str, Callable[[Trap], bytes]] = {
        "pickled objects": lambda t: _npy(np.array([_Exploding()] * 30), allow_pickle=True),
        "an object array of texts": lambda t: _npy(
            np.array(t.teams["One"], object), allow_pickle=True
        ),
        "a bare pickle": lambda t: pickle.dumps(_Exploding()),
        "too few rows": lambda t: _npy(np.array(t.teams["One"][:20])),
        "too many dimensions": lambda t: _npy(np.zeros((30, 2, 2))),
        "no dimension": lambda t: _npy(np.array(1.0)),
        "no rows": lambda t: _npy(np.zeros(0)),
        "unknown labels": lambda t: _npy(np.array(["zebra"] * 30)),
        "complex numbers": lambda t: _npy(np.zeros(30, complex)),
        "dates": lambda t: _npy(np.zeros(30, "datetime64[D]")),
        "records": lambda t: _npy(np.zeros(30, [("id", "i4"), ("z", "V3")])),
        "cut short": lambda t: _npy(np.array(t.teams["One"]))[:-9],
        "cut within its header": lambda t: _npy(np.array(t.teams["One"]))[:40],
        "nothing but the magic bytes": lambda t: b"\x93NUMPY",
        "an unknown version": lambda t: b"\x93NUMPY\x09\x00" + bytes(200),
        "a header that claims 10^18 rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000,), }"
        ),
        "a header that claims 10^30 rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (10**30,), }".replace(
                "10**30", "1" + "0" * 30
            )
        ),
        "a header that claims negative rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-30,), }", bytes(240)
        ),
        "a header with code": lambda t: _header("__import__('os').mkdir('pwned')"),
        "a header of nested brackets": lambda t: _header("(" * 110),
        "texts of a gigabyte each": lambda t: _header(
            "{'descr': '<U250000000', 'fortran_order': False, 'shape': (30,), }"
        ),
        "random bytes": lambda t: bytes(range(256)),
        "no bytes": lambda t: b"",
    }
    for name, content in cases.items():
        yield Bad(
            "NumPy arrays", name, _upload(content, "predictions.npy"), 1, ("predictions.npy",)
        )
    archives: dict[str, Callable[[Trap], bytes]] = {
        "pickled objects": lambda t: zipped({"y.npy": cases["pickled objects"](t)}),
        "two arrays": lambda t: zipped({"y.npy": _npy(np.zeros(30)), "z.npy": _npy(np.zeros(29))}),
        "no array": lambda t: zipped({}),
        "not an archive": lambda t: b"PK nothing",
        "an array of other rows": lambda t: zipped({"y.npy": _npy(np.array(t.teams["One"][:9]))}),
        "a bomb": lambda t: zipped({"y.npy": _npy(np.zeros(30)) + bytes(80_000_000)}),
        "a name that climbs": lambda t: zipped({"../y.npy": cases["unknown labels"](t)}),
        "a text in it": lambda t: zipped({"y.npy": b"label\n"}),
    }
    for name, content in archives.items():
        yield Bad(
            "NumPy arrays",
            f"npz: {name}",
            _upload(content, "predictions.npz"),
            1,
            ("predictions.npz",),
        )


# -- archives --------------------------------------------------------------------------------------


def zipped(members: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of these members, names taken as they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name) if name.endswith("/") else name, content)
    return stream.getvalue()


def _link(target: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        member = zipfile.ZipInfo("predictions.csv")
        member.create_system = 3
        member.external_attr = 0o120777 << 16
        archive.writestr(member, target)
    return stream.getvalue()


def _device(trap: Trap) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        member = zipfile.ZipInfo("predictions.csv")
        member.create_system = 3
        member.external_attr = 0o020666 << 16
        archive.writestr(member, trap.csv())
    return stream.getvalue()


def _twice(trap: Trap) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("predictions.csv", trap.csv())
        archive.writestr("predictions.csv", trap.csv().replace(A, B))
    return stream.getvalue()


def _patched(content: bytes, flag: bytes = b"PK\x03\x04", offset: int = 6, value: int = 1) -> bytes:
    """Return an archive with a byte of every local and central header changed."""
    data = bytearray(content)
    for magic, place in ((b"PK\x03\x04", offset), (b"PK\x01\x02", offset + 2)):
        at = data.find(magic)
        while at >= 0:
            data[at + place] = value
            at = data.find(magic, at + 4)
    return bytes(data)


def _nested(content: bytes, depth: int) -> bytes:
    for level in range(depth):
        content = zipped({f"level{level}.zip": content})
    return content


def _archives() -> Iterator[Bad]:
    kind = "archives"

    def ok(t: Trap) -> bytes:
        return zipped({"predictions.csv": t.csv()})

    cases: dict[str, tuple[Callable[[Trap], bytes], int, tuple[str, ...]]] = {
        "no bytes": (lambda t: b"", 1, ("upload.zip",)),
        "not an archive": (lambda t: t.csv().encode(), 1, ("upload.zip",)),
        "no members": (lambda t: zipped({}), 1, ("empty",)),
        "folders only": (lambda t: zipped({"a/": "", "a/b/": ""}), 1, ("empty",)),
        "system files only": (
            lambda t: zipped({"__MACOSX/._p.csv": "x", ".DS_Store": "x"}),
            1,
            ("empty",),
        ),
        "cut short": (lambda t: ok(t)[:-30], 1, ("upload.zip",)),
        "cut in the middle": (lambda t: ok(t)[: len(ok(t)) // 2], 1, ("upload.zip",)),
        "a flipped byte in the data": (
            lambda t: ok(t)[:60] + bytes([ok(t)[60] ^ 255]) + ok(t)[61:],
            1,
            ("cannot be unpacked",),
        ),
        "encrypted": (lambda t: _patched(ok(t)), 1, ("password",)),
        "an unknown compression": (
            lambda t: _patched(ok(t), offset=8, value=77),
            1,
            ("upload.zip",),
        ),
        "a bomb by ratio": (
            lambda t: zipped({"predictions.csv": bytes(50_000_000)}),
            1,
            ("limit",),
        ),
        "a bomb of 60 members": (
            lambda t: zipped({f"{i}.csv": bytes(1_000_000) for i in range(60)}),
            1,
            ("limit",),
        ),
        "more members than the limit": (
            lambda t: (
                t.settings("most_files: 500\n") or zipped({f"{i}.csv": "" for i in range(501)})
            ),
            1,
            ("more than 500 files",),
        ),
        "five thousand empty members": (
            lambda t: zipped({f"{i}.csv": "" for i in range(5000)}),
            1,
            ("0 usable",),
        ),
        "archives of archives of archives": (
            lambda t: (
                t.settings("most_files: 500\n")
                or zipped(
                    {f"{i}.zip": zipped({f"{j}.csv": "" for j in range(30)}) for i in range(30)}
                )
            ),
            1,
            ("more than 500 files",),
        ),
        "a name of 60,000 spaces": (
            lambda t: zipped({" " * 60_000 + ".csv": t.csv()}),
            1,
            ("longer than",),
        ),
        "a bomb that lies about its size": (
            lambda t: _lying(zipped({"predictions.csv": b"id,label\n" + b"x" * 60_000_000})),
            1,
            ("upload.zip",),
        ),
        "an archive in an archive in … 30 deep": (
            lambda t: _nested(ok(t), 30),
            1,
            ("archives inside archives",),
        ),
        "a symbolic link to the gold": (lambda t: _link(str(t.ref / "gold.csv")), 1, ("link",)),
        "a symbolic link to /etc/passwd": (lambda t: _link("/etc/passwd"), 1, ("link",)),
        "a device": (_device, 1, ("link",)),
        "a member twice": (_twice, 1, ("twice",)),
        "a member's name in two letter cases": (
            lambda t: zipped({"predictions.csv": t.csv(), "Predictions.csv": t.csv()}),
            0,
            (),
        ),
        "two data files, one of them broken": (
            lambda t: zipped({"a.csv": t.csv(), "b.csv": "x"}),
            1,
            ("at least two",),
        ),
        "a name that climbs": (lambda t: zipped({"../../ref/labels.csv": t.csv()}), 1, ("name",)),
        "an absolute name": (lambda t: zipped({"/etc/passwd.csv": t.csv()}), 1, ("name",)),
        "a drive letter": (lambda t: zipped({"C:\\predictions.csv": t.csv()}), 1, ("name",)),
        "a name that climbs with backslashes": (
            lambda t: zipped({"..\\..\\labels.csv": t.csv()}),
            1,
            ("name",),
        ),
        "no data file": (
            lambda t: zipped({"model.bin": "x", "train.sh": "rm -rf /"}),
            1,
            ("no predictions file",),
        ),
        "a program beside a broken file": (
            lambda t: zipped(
                {"predictions.csv": "x", "my_metric.py": "import os; os.mkdir('pwned')"}
            ),
            1,
            ("predictions",),
        ),
        "junk before the archive": (lambda t: b"#!/bin/sh\n" + ok(t), 0, ()),
        "junk after the archive": (lambda t: ok(t) + b"junk", 0, ()),
        "settings in the upload": (
            lambda t: zipped({"predictions.csv": t.csv(), "scoring.yaml": "metrics: [f1_score]"}),
            0,
            (),
        ),
        "a program in the upload": (
            lambda t: zipped(
                {
                    "predictions.csv": t.csv(),
                    "my_metric.py": "import os; os.mkdir('pwned')",
                    "sitecustomize.py": "import os; os.mkdir('pwned')",
                }
            ),
            0,
            (),
        ),
        "a wrapping folder and system files": (
            lambda t: zipped(
                {"a/b/predictions.csv": t.csv(), "__MACOSX/a/b/._predictions.csv": "x"}
            ),
            0,
            (),
        ),
    }
    for name, (content, status, says) in cases.items():
        yield Bad(kind, name, _upload(content, "upload.zip"), status, says)


def _lying(content: bytes) -> bytes:
    """Return an archive whose headers say that its member unfolds to 100 bytes."""
    data = bytearray(content)
    for magic, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(magic)
        data[at + offset : at + offset + 4] = struct.pack("<I", 100)
    return bytes(data)


# -- files, folders and names ----------------------------------------------------------------------


def _fifo(trap: Trap) -> None:
    trap.upload("", "other.bin")
    os.mkfifo(trap.res / "predictions.csv")


def _symlink(target: Callable[[Trap], str]) -> Spoil:
    def spoil(trap: Trap) -> None:
        trap.upload("", "empty.bin")
        (trap.res / "predictions.csv").symlink_to(target(trap))

    return spoil


def _files() -> Iterator[Bad]:
    kind = "files and folders"
    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "no submission": (lambda t: t.res.joinpath("predictions.csv").unlink(), 1, ("empty",)),
        "no folder res": (
            lambda t: [p.unlink() for p in t.res.iterdir()] and t.res.rmdir(),
            1,
            ("empty",),
        ),
        "two data files": (
            lambda t: t.put("res/b.csv", t.csv()) and t.settings("layout: single\n"),
            1,
            ("2 data files",),
        ),
        "a PDF": (_upload(b"%PDF-1.7", "paper.pdf"), 1, ("no predictions file",)),
        "a program": (_upload("import os; os.mkdir('pwned')", "main.py"), 1, ("empty",)),
        "a README": (_upload("# Hello", "README.md"), 1, ("empty",)),
        "hidden files only": (_upload("x", ".predictions.csv"), 1, ("empty",)),
        "a folder called predictions.csv": (
            _upload("x", "predictions.csv/inner.bin"),
            1,
            ("no predictions file",),
        ),
        "folders nested 60 deep": (
            lambda t: t.upload(t.csv(), "d/" * 60 + "predictions.csv"),
            0,
            (),
        ),
        "a FIFO": (_fifo, 1, ("predictions.csv",)),
        "a symbolic link to the gold": (_symlink(lambda t: "../ref/gold.csv"), 1, ("link",)),
        "a symbolic link to a device": (_symlink(lambda t: "/dev/zero"), 1, ("link",)),
        "a symbolic link to itself": (_symlink(lambda t: "predictions.csv"), 1, ("link",)),
        "a symbolic link to nowhere": (_symlink(lambda t: "nowhere"), 1, ("link",)),
        "a link from a folder to its parent": (
            lambda t: (t.res / "loop").symlink_to(".."),
            1,
            ("link",),
        ),
        "a bomb as the platform's metadata": (
            lambda t: t.put("res/metadata", _yaml_bomb("elapsedTime")),
            0,
            (),
        ),
        "a FIFO as the platform's metadata": (lambda t: os.mkfifo(t.res / "metadata"), 0, ()),
        "metadata nested deep": (lambda t: t.put("res/metadata", "[" * 50_000), 0, ()),
        "an infinite duration": (lambda t: t.put("res/metadata", "elapsedTime: .inf\n"), 0, ()),
        "a duration of 5000 digits": (
            lambda t: t.put("res/metadata", "elapsedTime: " + "9" * 5000),
            0,
            (),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad(kind, name, spoil, status, says)


def _yaml_bomb(key: str) -> str:
    levels = "abcdefghijklmnopqrst"
    lines = [f"a: &a {{{', '.join(f'k{i}: 1' for i in range(9))}}}"]
    for last, this in itertools.pairwise(levels):
        lines.append(f"{this}: &{this} {{<<: [{', '.join([f'*{last}'] * 9)}]}}")
    return "\n".join([*lines, f"{key}: *{levels[-1]}\n"])


_NAMES = {
    "right-to-left override": "\u202egnitaehc",
    "an unclosed isolate": "\u2066team",
    "a Cyrillic look-alike": "Оne",
    "a zero-width space": "One\u200b",
    "composed and decomposed": "Ｏne",
    "a formula": "=HYPERLINK(1)",
    "a command": "@SUM(1+1)*cmd|' -C calc'!A0",
    "a minus": "-2+3",
    "a tab": "One\tTwo",
    "a line break": "One\nTwo",
    "an escape sequence": "\x1b[2J\x1b[31mOne",
    "a carriage return": "One\rTwo",
    "a backspace": "One\b\b\bTwo",
    "markup": "<img src=x onerror=alert(1)>",
    "an attribute": '" onmouseover="alert(1)',
    "a template": "{{ 7 * 7 }}{% for x in y %}",
    "LaTeX": "\\input{etc}$_^%&#~{}",
    "Markdown": "|[x](javascript:alert(1))|`",
    "a YAML key": "a: 1",
    "a number": "1e5",
    "only punctuation": "???",
    "only emoji": "🦝🦝",
    "a percent sign": "%s%n%d",
    "a long name": "n" * 200,
    "a space in front": " One",
    "a dot at the end": "One.",
    "a slug that is taken": "one two",
    "invalid UTF-8": os.fsdecode(b"team\xff\xfe"),
    "a name of the program's": "submission",
    "a reserved word": "null",
    "Arabic": "فريق",
    "a device of Windows": "CON",
}


def _names() -> Iterator[Bad]:
    for name, team in _NAMES.items():

        def spoil(trap: Trap, team=team) -> None:
            trap.several()
            trap.team(team, {"id": trap.ids, "label": trap.teams["Two"]})
            trap.team("one_two", {"id": trap.ids, "label": trap.teams["Two"]})

        yield Bad("names of teams and files", name, spoil, 0)

        def broken(trap: Trap, team=team) -> None:
            trap.upload("id,label\nx000,zebra\n", f"{team}.csv")

        yield Bad(
            "names of teams and files", f"{name}, of a broken file", broken, 1, ("29 missing ids",)
        )


# -- the organizer's files -------------------------------------------------------------------------


def _gold(content: Callable[[Trap], str | bytes] | str | bytes, name: str = "gold.csv") -> Spoil:
    def spoil(trap: Trap) -> None:
        (trap.ref / "gold.csv").unlink()
        trap.put(f"ref/{name}", content(trap) if callable(content) else content)

    return spoil


def _reference() -> Iterator[Bad]:
    def rows(trap: Trap, last: str) -> str:
        return (
            "id,label\n"
            + "".join(f"{i},{b}\n" for i, b in zip(trap.ids, trap.labels, strict=True))
            + last
        )

    cases: dict[str, tuple[Spoil, tuple[str, ...]]] = {
        "missing": (lambda t: (t.ref / "gold.csv").unlink(), ("gold",)),
        "no bytes": (_gold(""), ("gold.csv", "empty")),
        "header only": (_gold("id,label\n"), ("gold.csv",)),
        "two files of one name": (
            lambda t: t.put("ref/gold.tsv", rows(t, "")),
            ("would be gold files of one",),
        ),
        "an id twice": (_gold(lambda t: rows(t, f"x003,{A}\n")), ("line 32", "line 5", "unique")),
        "an empty id": (_gold(lambda t: rows(t, f",{A}\n")), ("line 32", "id is empty")),
        "an empty label": (_gold(lambda t: rows(t, "x9,\n")), ("line 32", "empty")),
        "a row too short": (_gold(lambda t: rows(t, f"{A}\n")), ("line 32",)),
        "a row too long": (_gold(lambda t: rows(t, f"x9,{A},{B}\n")), ("line 32",)),
        "two columns of one name": (
            _gold(lambda t: rows(t, "").replace("id,label", "label,label")),
            ("two columns",),
        ),
        "a column without a name": (
            _gold(lambda t: rows(t, "").replace("id,label", ",label")),
            ("line 1",),
        ),
        "ids only": (_gold(lambda t: "id\n" + "\n".join(t.ids)), ("gold.csv",)),
        "another encoding": (
            _gold(lambda t: rows(t, "ñ,x\n").encode("latin-1")),
            ("UTF-8", "line 32"),
        ),
        "a NUL character": (_gold(lambda t: rows(t, "\0,x\n")), ("NUL",)),
        "no text": (_gold(bytes(range(256))), ("gold.csv",)),
        "an archive that is none": (_gold(b"PK", "gold.zip"), ("gold",)),
        "numbers where one is missing": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, "x9,\n")),
            ("line 32",),
        ),
        "numbers where one is infinite": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, "x9,inf\n")),
            ("line 32",),
        ),
        "numbers where one is a word": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, f"x9,{A}\n")),
            ("line 32",),
        ),
        "one class for a metric that needs two": (
            lambda t: [
                t.put("ref/gold.csv", rows(t, "").replace(B, A).replace(C, A)),
                t.submit({"id": t.ids, "label": [A] * 30}),
                t.settings("metrics: [{f1_score: {pos_label: 7}}]\n"),
            ],
            ("settings' labels",),
        ),
        "a label that the settings lack": (
            lambda t: t.settings("metrics: [accuracy_score]\nlabels: [cat, dog]\n"),
            ("not listed",),
        ),
        "a broken packed field": (
            lambda t: t.put("ref/submissions/Rival.csv", f"id,label\nx000,{A}\n"),
            ("ref/submissions",),
        ),
        "an archive in the packed field that is none": (
            lambda t: t.put("ref/submissions/Rival.zip", b"PK"),
            ("ref/submissions",),
        ),
        "JSON nested deep": (_gold("[" * 100_000, "gold.json"), ("gold.json",)),
        "an array of objects": (
            _gold(lambda t: _npy(np.array([_Exploding()] * 30), allow_pickle=True), "gold.npy"),
            ("gold.npy",),
        ),
    }
    for name, (spoil, says) in cases.items():
        yield Bad("reference data", name, spoil, 2, says)


def _settings() -> Iterator[Bad]:
    cases: dict[str, tuple[str | bytes, str]] = {
        "an unknown key": ("resample: 5\n", "did you mean 'resamples'"),
        "a key twice": ("seed: 1\nseed: 2\n", "twice"),
        "not YAML": ("metrics: [f1_score\n", "not valid YAML"),
        "tabs": ("metrics:\n\t- f1_score\n", "not valid YAML"),
        "a list": ("- f1_score\n", "line 1"),
        "a text": ("f1_score\n", "line 1"),
        "Latin-1": ("title: ñ\n".encode("latin-1"), "UTF-8"),
        "control characters": ("title: \x07\n", "not valid YAML"),
        "a tag that runs code": (
            "title: !!python/object/apply:os.mkdir [pwned]\n",
            "not valid YAML",
        ),
        "an unknown tag": ("title: !secret x\n", "not valid YAML"),
        "an alias bomb": (_yaml_bomb("title"), "alias"),
        "an alias bomb of lists": ("a: &a [1,1]\nb: &b [*a,*a]\ntitle: *b\n", "alias"),
        "a document that holds itself": ("title: &a [*a]\n", "alias"),
        "nested 10,000 deep": ("title: " + "[" * 10_000, "not valid YAML"),
        "two documents": ("seed: 1\n---\nseed: 2\n", "not valid YAML"),
        "a key that is a list": ("? [a]\n: 1\n", "scoring.yaml"),
        "a date that does not exist": ("title: 2021-99-99\n", "scoring.yaml"),
        "an integer of 10,000 digits": ("seed: " + "9" * 10_000 + "\n", "scoring.yaml"),
        "resamples as text": ("resamples: many\n", "whole number"),
        "too few resamples": ("resamples: 5\n", "at least 100"),
        "a negative seed": ("seed: -1\n", "seed"),
        "confidence 1": ("confidence: 1\n", "confidence"),
        "confidence as a percentage": ("confidence: 95\n", "confidence"),
        "confidence nan": ("confidence: .nan\n", "confidence"),
        "an unknown interval": ("interval: bc\n", "did you mean 'bca'"),
        "an unknown tie rule": ("tie_rule: holms\n", "did you mean 'holm'"),
        "a title that is a list": ("title: [a]\n", "title"),
        "a budget of no time": ("time_budget: 0\n", "time_budget"),
        "a budget that is infinite": ("time_budget: .inf\n", "time_budget"),
        "no memory": ("memory: 0\n", "memory"),
        "no workers": ("workers: 0\n", "workers"),
        "half a worker": ("workers: 1.5\n", "workers"),
        "one label": ("labels: [a]\n", "labels"),
        "a label twice": ("labels: [a, a]\n", "labels"),
        "an unknown group": ("group: author\n", "no column 'author'"),
        "an unknown id column": ("id_column: key\n", "no column 'key'"),
        "a ranking metric that is none": ("rank_by: f1\n", "no metric 'f1'"),
        "a backend that is none": ("backend: cloud\n", "backend"),
        "no metrics": ("metrics: []\n", "at least one metric"),
        "a metric that is none": ("metrics: [f1_scor]\n", "did you mean 'f1_score'"),
        "a metric that is a number": ("metrics: [3]\n", "a metric is written"),
        "a parameter that is none": (
            "metrics: [{f1_score: {averages: macro}}]\n",
            "did you mean 'average'",
        ),
        "a parameter's value that is none": (
            "metrics: [{f1_score: {average: makro}}]\n",
            "average",
        ),
        "a parameter of the wrong type": ("metrics: [{f1_score: {average: [macro]}}]\n", "average"),
        "labels that are numbers": (
            "metrics: [{f1_score: {average: macro, labels: [1, 2]}}]\n",
            "labels",
        ),
        "labels of two types": (
            "metrics: [{f1_score: {average: macro, labels: [1, b]}}]\n",
            "labels",
        ),
        "a positive label that the data lack": (
            "metrics: [{f1_score: {average: macro, pos_label: zebra}}]\nlabels: [x, y]\n",
            "not listed",
        ),
        "zero_division that is none": (
            "metrics: [{f1_score: {average: macro, zero_division: maybe}}]\n",
            "zero_division",
        ),
        "binary where there are three": ("metrics: [f1_score]\n", "average"),
        "numbers where there are labels": ("metrics: [mean_absolute_error]\n", "number"),
        "two metrics of one name": ("metrics: [accuracy_score, accuracy_score]\n", "two metrics"),
        "a metric's name too long": (
            "metrics: [{name: " + "a" * 37 + ", function: accuracy_score}]\n",
            "36",
        ),
        "a metric's name with a colon": (
            'metrics: [{name: "a:b", function: accuracy_score}]\n',
            "scores.txt",
        ),
        "a metric's name that YAML reads otherwise": (
            "metrics: [{name: 'null', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that is a number": (
            "metrics: [{name: '1', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that is a merge": (
            "metrics: [{name: '<<', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that another key has": (
            "metrics: [{name: n_examples, function: accuracy_score}]\n",
            "n_examples",
        ),
        "function and formula": (
            "metrics: [{name: a, function: accuracy_score, formula: '1'}]\n",
            "either",
        ),
        "sample weights": ("metrics: [{accuracy_score: {sample_weight: [1]}}]\n", "sample_weight"),
        "a formula that is code": (
            "metrics: [accuracy_score, {name: a, formula: __import__('os').mkdir('pwned')}]\n",
            "formula",
        ),
        "a formula that names nothing": (
            "metrics: [{name: a, formula: 1 + 1}]\n",
            "names no metric",
        ),
        "a formula that names itself": (
            "metrics: [{name: a, formula: a + 1}]\n",
            "defined by itself",
        ),
        "a formula that names another": ("metrics: [{name: a, formula: b + 1}]\n", "not a metric"),
        "a formula nested deep": (
            "metrics: [accuracy_score, {name: a, formula: '"
            + "(" * 5000
            + "accuracy_score"
            + ")" * 5000
            + "'}]\n",
            "formula",
        ),
        "a formula of a power tower": (
            "metrics: [accuracy_score, {name: a, formula: 'accuracy_score + 9**9**9**9'}]\n",
            "undefined",
        ),
        "a formula that divides by zero": (
            "metrics: [{name: b, function: accuracy_score}, {name: a, formula: 'b / (b - b)'}]\n"
            "rank_by: a\n",
            "undefined",
        ),
    }
    for name, (text, says) in cases.items():
        yield Bad(
            "settings", name, lambda t, text=text: t.put("ref/scoring.yaml", text), 2, (says,)
        )


_METRIC = "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"


def _metrics() -> Iterator[Bad]:
    signature = "def score(y_true, y_pred):\n"
    cases: dict[str, tuple[str, str]] = {
        "no file": ("", "no file"),
        "no such function": ("def scores(y_true, y_pred): ...\n", "did you mean 'scores'"),
        "a syntax error": ("def score(:\n", "SyntaxError"),
        "an import that fails": ("import nowhere_to_be_found\n", "ModuleNotFoundError"),
        "an import that exits": ("raise SystemExit(0)\n", "SystemExit"),
        "an import that prints and fails": (
            f"print('{A}')\nraise ValueError('{A}')\n",
            "ValueError",
        ),
        "an exception that tells the gold": (
            signature + "    raise ValueError(list(y_true))\n",
            "ValueError",
        ),
        "an exception whose text fails": (
            "class E(Exception):\n    def __str__(self):\n        raise KeyError\n"
            + signature
            + "    raise E\n",
            "E in",
        ),
        "an exit with success": (signature + "    raise SystemExit(0)\n", "SystemExit"),
        "exit()": (signature + "    import sys; sys.exit(0)\n", "SystemExit"),
        "an assertion that tells the gold": (
            signature + "    assert False, list(y_true)\n",
            "AssertionError",
        ),
        "a result that is gold": (signature + "    return y_true[0]\n", "must return one number"),
        "a list": (signature + "    return [1, 2]\n", "must return one number"),
        "None": (signature + "    return None\n", "must return one number"),
        "NaN": (signature + "    return float('nan')\n", "finite"),
        "infinity": (signature + "    return float('inf')\n", "finite"),
        "a text": (signature + "    return '0.5'\n", "must return one number"),
        "a complex number": (signature + "    return 1j\n", "must return one number"),
        "a change of its arguments": (
            signature + "    y_true[0] = y_pred[0]\n    return 1.0\n",
            "must not change its arguments",
        ),
        "an endless recursion": (
            signature + "    return score(y_true, y_pred)\n",
            "RecursionError",
        ),
        "an error on a resample only": (
            signature + "    return 1.0 if len(set(map(str, y_true))) > 2 else y_true[99]\n",
            "",
        ),
        "too few arguments": ("def score(y_true): return 1.0\n", "TypeError"),
        "not a function": ("score = 3\n", "no function"),
        "a kind that is none": ("kind = 'words'\n" + signature + "    return 1.0\n", "kind"),
        "a direction that is none": (
            "greater_is_better = 'yes'\n" + signature + "    return 1.0\n",
            "greater_is_better",
        ),
    }
    for name, (code, says) in cases.items():

        def spoil(trap: Trap, code=code) -> None:
            trap.settings(_METRIC)
            if code:
                trap.put("ref/my_metric.py", code)

        status = 0 if name == "an error on a resample only" else 2
        yield Bad("an organizer's own metric", name, spoil, status, (says,))
    outside = {
        "above": "../my_metric.py:score",
        "in the upload": "../res/my_metric.py:score",
        "by an absolute name": "/tmp/my_metric.py:score",
        "in the packed field": "submissions/my_metric.py:score",
    }
    for name, place in outside.items():

        def spoil(trap: Trap, place=place) -> None:
            code = "import os; os.mkdir('pwned')\n" + signature + "    return 1.0\n"
            trap.settings(_METRIC.replace("my_metric.py:score", place))
            for folder in ("", "res/", "ref/submissions/"):
                trap.put(f"{folder}my_metric.py", code)

        yield Bad("an organizer's own metric", f"a file {name}", spoil, 2, ("beside the settings",))


def _wide() -> Iterator[Bad]:
    def table(trap: Trap) -> dict[str, list[str]]:
        (trap.ref / "gold.csv").unlink()
        trap.submit({})
        return {"id": trap.ids, "y": trap.labels, **trap.teams}

    def write(change: Callable[[dict[str, list[str]]], object]) -> Spoil:
        def spoil(trap: Trap) -> None:
            columns = table(trap)
            change(columns)
            write_csv(trap.res / "predictions.csv", columns)

        return spoil

    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "no gold column": (write(lambda c: c.pop("y")), 2, ("gold",)),
        "no team": (write(lambda c: [c.pop(k) for k in ("One", "Two", "Three")]), 2, ("gold",)),
        "one team": (write(lambda c: [c.pop(k) for k in ("One", "Two")]), 1, ("at least two",)),
        "an empty gold cell": (write(lambda c: c["y"].__setitem__(3, "")), 2, ("line 5",)),
        "an unknown label": (write(lambda c: c["One"].__setitem__(3, "zebra")), 0, ()),
        "an id twice": (
            write(lambda c: c.__setitem__("id", ["x000", *c["id"][:-1]])),
            2,
            ("unique",),
        ),
        "a team without a name": (
            write(lambda c: c.__setitem__("", c["One"])),
            2,
            ("without a name",),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad("a table with a column a team", name, spoil, status, says)


def _teams() -> Iterator[Bad]:
    def write(change: Spoil) -> Spoil:
        return lambda trap: (
            trap.several(),
            trap.res.joinpath("predictions.csv").unlink(missing_ok=True),
            change(trap),
        )

    def broken(team: str) -> Spoil:
        return lambda trap: trap.team(team, {"id": trap.ids, "label": ["zebra"] * 30})

    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "one unusable": (write(broken("One")), 0, ()),
        "all but one unusable": (
            write(lambda t: (broken("One")(t), broken("Two")(t))),
            1,
            ("at least two",),
        ),
        "all unusable": (write(lambda t: [broken(team)(t) for team in t.teams]), 1, ("0 usable",)),
        "one unusable, strict": (
            write(lambda t: (broken("One")(t), t.settings("strict: true\n"))),
            1,
            ("'strict'",),
        ),
        "one an archive that is none": (write(lambda t: t.put("res/Four.zip", b"PK")), 0, ()),
        "one a bomb": (
            write(lambda t: t.put("res/Four.zip", zipped({"p.csv": bytes(50_000_000)}))),
            0,
            (),
        ),
        "one an empty folder": (write(lambda t: (t.res / "Four").mkdir()), 0, ()),
        "one a FIFO": (write(lambda t: os.mkfifo(t.res / "Four.csv")), 0, ()),
        "one a link to another's": (
            write(lambda t: (t.res / "Four.csv").symlink_to("One/predictions.csv")),
            0,
            (),
        ),
        "one a link to another's folder": (
            write(lambda t: (t.res / "Four").symlink_to("One")),
            0,
            (),
        ),
        "one with another's gold canary as id": (
            write(lambda t: t.team("Four", {"id": ["x"], "label": ["y"]})),
            0,
            (),
        ),
        "a baseline that is none": (
            write(lambda t: t.settings("baselines: [Thre]\n")),
            2,
            ("did you mean 'Three'",),
        ),
        "a reference entry that is none": (
            write(lambda t: t.settings("reference_entry: Nobody\n")),
            2,
            ("reference_entry",),
        ),
        "nothing but baselines": (
            write(lambda t: t.settings("baselines: [One, Two, Three]\n")),
            2,
            ("baselines",),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad("several teams", name, spoil, status, says)


BAD = tuple(
    bad
    for group in (
        _in_every_format,
        _numbers,
        _text,
        _json,
        _numpy,
        _archives,
        _files,
        _names,
        _wide,
        _teams,
        _reference,
        _settings,
        _metrics,
    )
    for bad in group()
)


def table() -> str:
    """Return the README's table: bad inputs by kind with the number tried."""
    counts = Counter(bad.kind for bad in BAD)
    rows = [f"| {kind} | {count} |" for kind, count in counts.items()]
    return "\n".join(["| bad inputs | tried |", "|---|---:|", *rows, f"| all | {len(BAD)} |"])


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
