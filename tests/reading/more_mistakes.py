"""More of what people send by mistake: from spreadsheets, models, language models and services."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tests.reading.mistakes import (
    GOOD,
    IDS,
    LABELS,
    ROWS,
    Mistake,
    constant,
    csv,
    numbers,
)
from tests.reading.variants import archive, npy


def labels(written: Callable[[str], str]) -> bytes:
    return csv([(key, written(label)) for key, label in ROWS])


def ids(written: Callable[[str], str]) -> bytes:
    return csv([(written(key), label) for key, label in ROWS])


def lines(records: Sequence[Mapping[str, str]]) -> Mapping[str, bytes]:
    return {"p.jsonl": "\n".join(map(json.dumps, records)).encode()}


_CLASSES = "id,hate,neutral,spam"
_QUOTED = "".join(f'"{line}"\n' for line in GOOD.decode().splitlines()).encode()
_REPLY = b'{"detail": "Authentication credentials were not provided."}'
_TABLE = "".join(f"| {key} | {label} |\n" for key, label in ROWS).encode()

MORE: dict[str, Mistake] = {
    # spreadsheets
    "formulas that fail": Mistake(
        labels(lambda label: "#N/A" if label == "spam" else label),
        ("8 unknown labels", "line 4", "'#N/A'", "a spreadsheet's formula: write the prediction"),
    ),
    "formulas that fail on every row": Mistake(
        constant("#NAME?", "id,label"), ("errors of a spreadsheet's formulas: write the labels",)
    ),
    "numbers of formulas that fail": Mistake(
        numbers(lambda x: "#DIV/0!" if x > 8 else str(x)),
        ("line 23", "'#DIV/0!'", "error of a spreadsheet's formula"), "numbers",
    ),
    "dates for labels": Mistake(
        constant("02-Jan", "id,label"), ("has made dates of the labels", "formatted as text")
    ),
    "thousands": Mistake(
        numbers(lambda x: f'"{x * 1000:,.2f}"'),
        ("'1,240.00'", "without a separator of thousands"), "numbers",
    ),
    "units": Mistake(numbers("{} kg".format), ("'0.5 kg'", "without a unit"), "numbers"),
    "fractions": Mistake(constant("1/3", "id,score"), ("'1/3'", "a number such as 0.5"), "numbers"),
    "apostrophes before ids": Mistake(ids("'{}".format), ("did you mean 'tw001'?", "every id as")),
    "a line of totals": Mistake(
        csv([*ROWS, ("Total", 24)]), ("line 26: id 'Total'", "Remove the rows")
    ),
    "lines in quotes": Mistake(_QUOTED, ("Every line is in quotes", "remove the quotes")),
    # data frames, arrays and models
    "no name but 0": Mistake(
        {"p.csv": csv([(label, "") for label in LABELS], "0,").replace(b",", b"")},
        ("25 rows, 24 expected", "If line 1 is a header, call it 'label'"),
    ),
    "the first row taken as a header": Mistake(csv(ROWS[1:]), ("'tw001' has no row", "Add a row")),
    "a header in the middle": Mistake(
        csv(ROWS[:12]) + csv(ROWS[12:]), ("line 14: id 'id' is not", "Remove the rows")
    ),
    "names of a model": Mistake(
        csv([(key, f"LABEL_{k % 3}") for k, key in enumerate(IDS)]),
        ("found 'LABEL_0'", "a model's names of classes: write the labels that they stand for"),
    ),
    "lists of one label": Mistake(labels("['{}']".format), ("\"['hate']\"", "brackets or spaces")),
    "bytes": Mistake(labels("b'{}'".format), ("\"b'hate'\"", "quotes, brackets or spaces only")),
    "scores of classes for labels": Mistake(
        {"p.npy": npy(np.ones((24, 3)))},
        ("p.npy: row 1", "'0', '1', '2'", "save one label for each example"),
    ),
    "an array of objects": Mistake(
        {"p.npy": npy(np.array(LABELS, object))}, ("type '|O'", "convert it with astype(str)")
    ),
    "an array too short": Mistake(
        {"p.npy": npy(np.array(LABELS[:22]))}, ("22 rows, 24 expected", "one row per example")
    ),
    "a crash half way": Mistake(
        csv([(key, label if k < 15 else "") for k, (key, label) in enumerate(ROWS)]),
        ("9 empty cells", "line 17", "a prediction is missing here: add it"),
    ),
    "folds of an ensemble": Mistake(
        {"s.zip": archive({"fold1.csv": GOOD, "fold2.csv": GOOD})},
        ("2 data files (fold1.csv, fold2.csv)", "remove the others"),
    ),
    # language models
    "a sentence around the label": Mistake(
        labels("The label is: {}.".format), ("found 'The label is: hate.'", "one label alone")
    ),
    "several labels": Mistake(constant('"hate, spam"', "id,label"), ("one label alone on every",)),
    "Markdown's fences": Mistake(b"```csv\n" + GOOD + b"```\n", ("the lines that begin with ```",)),
    "a table in Markdown": Mistake(
        b"| id | label |\n|---|---|\n" + _TABLE, ("line 2: id '---'", "Remove the rows")
    ),
    "look-alike letters": Mistake(
        labels(lambda label: label.replace("a", "\u0430")), ("is not an ASCII character",)
    ),
    # columns and keys
    "names in another language": Mistake(
        csv(ROWS, "identificador,etiqueta"),
        ("line 1", "'identificador', 'etiqueta'", "a header such as 'id,label'"),
    ),
    "keys of their own": Mistake(
        lines([{"tweet": key, "stance": label} for key, label in ROWS]),
        ("line 1", "'tweet', 'stance'", "predictions 'label', and the one of the ids 'id'"),
    ),
    "another delimiter below the header": Mistake(
        b"id,label\n" + csv(ROWS, "", "\t"),
        ("line 2: 1 cells found, 2 expected", "by the delimiter of the first line"),
    ),
    "the inputs": Mistake(
        csv([(key, "this is a text") for key in IDS], "id,text"),
        ("column 'text': found 'this is a text'", "another column", "the task's labels"),
    ),
    "columns of one name": Mistake(
        csv([(key, f"{label},x") for key, label in ROWS], "id,label,label"),
        ("line 1: two columns are called 'label'; rename one",),
    ),
    # ids
    "the training set": Mistake(
        csv([(f"tw{number}", "hate") for number in range(100, 300)]),
        ("200 of 200 ids", "line 2: id 'tw100'", "training or development set"),
    ),
    "the training set, too": Mistake(
        csv([*ROWS, *((f"tr{k}", "hate") for k in range(50))]),
        ("50 extra ids", "line 26: id 'tr0'", "… and 40 more", "Remove the rows"),
    ),
    "spaces in ids": Mistake(
        ids(lambda key: f"{key[:2]} {key[2:]}"), ("id 'tw 001'", "did you mean 'tw001'?")
    ),
    "more than ids": Mistake(
        ids("{}-en".format), ("'tw001-en' holds more than an id", "write the ids alone")
    ),
    # probabilities
    "percentages for probabilities": Mistake(
        constant("70,20,10", _CLASSES),
        ("line 2", "found 70, 20, 10", "divide percentages by 100"), "probabilities",
    ),
    "other names of classes": Mistake(
        constant("0.7,0.2,0.1", _CLASSES.replace(",", ",prob_")),
        ("no column for each class", "'prob_hate'", "like its label"), "probabilities",
    ),
    "labels for probabilities": Mistake(
        GOOD, ("line 2", "found 'hate'", "numbers, one for each class, not for labels"),
        "probabilities",
    ),
    "probabilities without a number": Mistake(
        {"p.json": json.dumps([{"id": key, "score": float("nan")} for key in IDS]).encode()},
        ("record 1", "found 'NaN'", "a prediction is missing here: add it"), "numbers",
    ),
    # files
    "a reply": Mistake(_REPLY, ("a web service's reply", "download the file again")),
    "a reply in JSON": Mistake({"p.json": _REPLY}, ("p.json", "a web service's reply")),
    "gzip": Mistake(gzip.compress(GOOD), ("the content is a gzip archive", "send a .zip")),
    "gzip by its name": Mistake({"p.csv.gz": gzip.compress(GOOD)}, ("p.csv.gz", "send a .zip")),
    "half an archive": Mistake(
        {"s.zip": archive({"p.csv": GOOD})[:60]}, ("s.zip", "not a readable zip archive", "again")
    ),
    "an empty archive": Mistake({"s.zip": archive({})}, ("s.zip", "add the predictions file")),
    "an archive in an archive": Mistake(
        {"s.zip": archive({"p.rar": b"Rar!"})}, ("s/p.rar", "the only archives", "send a .zip")
    ),
    # tasks
    "a misspelled task": Mistake(
        {"stances.csv": GOOD, "mood.csv": GOOD},
        ("(mood.csv, stances.csv)", "called like it: mood, stance", "rename"), "tasks",
    ),
    "the file of another task": Mistake(
        {"stance.csv": GOOD, "mood.csv": csv([(f"m{k}", "hate") for k in range(24)])},
        ("mood.csv: 24 of 24 ids", "line 2: id 'm0'"), "tasks",
    ),
}  # fmt: skip
