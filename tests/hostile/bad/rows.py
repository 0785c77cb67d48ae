"""Rows and cells: what may be wrong with them in every format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.hostile.bad.case import Bad
from tests.hostile.bad.makers import delimited
from tests.hostile.trap import Trap

#: What is done to ids and labels, the status and what is said of it in formats with ids.
ROWS: dict[str, tuple[Callable[[list[str], list[str]], tuple[list[str], list[str]]], str]] = {
    "rows left out": (lambda ids, labels: (ids[3:], labels[3:]), "3 missing ids"),
    "a row twice": (lambda ids, labels: ([*ids, ids[4]], [*labels, labels[4]]), "1 duplicate id"),
    "a row too many": (lambda ids, labels: ([*ids, "new"], [*labels, labels[0]]), "1 extra id"),
    "an id misspelt": (lambda ids, labels: (["X000", *ids[1:]], labels), "1 missing id"),
    "an empty id": (lambda ids, labels: (["", *ids[1:]], labels), "1 missing id"),
    "an unknown label": (lambda ids, labels: (ids, ["zebra", *labels[1:]]), "'zebra'"),
    "a label in capitals": (lambda ids, labels: (ids, ["ZEBRA", *labels[1:]]), "'ZEBRA'"),
    "an empty label": (lambda ids, labels: (ids, ["", *labels[1:]]), "1 empty value"),
    "a number for a label": (lambda ids, labels: (ids, ["3.5", *labels[1:]]), "1 unknown label"),
    "a not-a-number label": (lambda ids, labels: (ids, ["nan", *labels[1:]]), "'nan'"),
    "all rows left out": (lambda ids, labels: ([], []), "predictions."),
}


def _records(ids: list[str], labels: list[str]) -> list[dict[str, str]]:
    return [{"id": i, "label": label} for i, label in zip(ids, labels, strict=True)]


#: Formats that carry ids: file name → how ids and labels become bytes.
WITH_IDS: dict[str, Callable[[list[str], list[str]], bytes]] = {
    "predictions.csv": delimited(","),
    "semicolons/predictions.csv": delimited(";"),
    "bars/predictions.csv": delimited("|"),
    "predictions.tsv": delimited("\t"),
    "utf16/predictions.csv": delimited(",", "utf-16"),
    "excel/predictions.csv": delimited(",", "utf-8-sig", "\r\n"),
    "headless/predictions.csv": delimited(",", header=False),
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

            def spoil(
                trap: Trap, encode: Any = encode, change: Any = change, file: str = file
            ) -> None:
                trap.upload(encode(*change(trap.ids, trap.teams["One"])), file)

            kind = "labels" if "label" in name else "rows and ids"
            yield Bad(
                f"{kind}, in each of {len(WITH_IDS)} formats", f"{file}: {name}", spoil, 1, (says,)
            )


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

        def spoil(trap: Trap, cell: str = cell) -> None:
            trap.numeric()
            trap.submit({"id": trap.ids, "label": [*trap.teams["One"][:-1], cell]})

        yield Bad("numbers", name, spoil, 1, ("line 31", "predictions.csv"))


def cases() -> Iterator[Bad]:
    """Yield them all."""
    yield from _in_every_format()
    yield from _numbers()
