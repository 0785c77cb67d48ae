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
    LONG_IDS,
    ROWS,
    Mistake,
    constant,
    csv,
    numbers,
)
from tests.reading.variants import archive, npy, npz


def labels(written: Callable[[str], str]) -> bytes:
    return csv([(key, written(label)) for key, label in ROWS])


def ids(written: Callable[[str], str]) -> bytes:
    return csv([(written(key), label) for key, label in ROWS])


def lines(records: Sequence[Mapping[str, str]]) -> Mapping[str, bytes]:
    return {"p.jsonl": "\n".join(map(json.dumps, records)).encode()}


_RECORDS = [{"id": key, "label": label} for key, label in ROWS]
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
    "lines in quotes": Mistake(
        _QUOTED.replace(b"tw0", b"dev"), ("Every line is in quotes", "remove the quotes")
    ),
    # data frames, arrays and models
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
        ("9 empty values", "line 17", "a prediction is missing here: add it"),
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
    "another delimiter below the header": Mistake(
        b"id,label\n" + csv(ROWS, "", "\t"),
        ("line 2: 1 cell found, 2 expected", "by the delimiter of the first line"),
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
    "gzip": Mistake(gzip.compress(GOOD), ("the content is a gzip archive", "call it .csv.gz")),
    "half a gzip": Mistake({"p.csv.gz": gzip.compress(GOOD)[:-9]}, ("p.csv.gz", "pack it again")),
    "half an archive": Mistake(
        {"s.zip": archive({"p.csv": GOOD})[:60]}, ("s.zip", "not a readable zip archive", "again")
    ),
    "an empty archive": Mistake({"s.zip": archive({})}, ("s.zip", "add the predictions file")),
    "an archive in an archive": Mistake(
        {"s.zip": archive({"p.rar": b"Rar!"})}, ("s/p.rar", "the only archives", "send a .zip")
    ),
    # what else happens on the way to a file
    "ids alone": Mistake(
        {"p.json": json.dumps(IDS).encode()},
        ("24 unknown labels, on every row", "record 1", "'tw001'", "write a label beside each"),
    ),
    "ids alone in a table": Mistake(
        "\n".join(["id", *IDS]).encode(),
        ("line 1: there is no column 'label' among 'id'", "a header such as 'id,label'"),
    ),
    "labels for ids": Mistake(
        csv([(label, label) for label in LABELS]),
        ("line 2: id 'hate'", "such as 'tw001' and 'tw002'"),
    ),
    "another delimiter in one row": Mistake(
        csv(ROWS[:5]) + b"tw006;spam\n" + csv(ROWS[6:], ""),
        ("line 7: 1 cell found, 2 expected", "by the delimiter of the first line"),
    ),
    "a line of a log": Mistake(
        csv(ROWS[:3]) + b"Epoch 1/10: loss 0.3\n" + csv(ROWS[3:], ""),
        ("line 5: 1 cell found, 2 expected", "remove lines that are not rows"),
    ),
    "two headers": Mistake(
        b"id,label\n" + GOOD, ("line 2: id 'id' is not in the test set", "Remove the rows")
    ),
    "a table on its side": Mistake(
        f"id,{','.join(IDS)}\nlabel,{','.join(LABELS)}\n".encode(),
        ("line 2: id 'label'", "The ids stand beside each other: write one row for each example"),
    ),
    "an empty id": Mistake(
        csv([("" if key == "tw005" else key, label) for key, label in ROWS]),
        ("line 6: the id is empty; fill it in", "'tw005' has no row"),
    ),
    "a record without an id": Mistake(
        {"p.json": json.dumps([{"label": "hate"}, *_RECORDS[1:]]).encode()},
        ("record 1: the id is empty; fill it in", "'tw001' has no row"),
    ),
    "formulas around ids": Mistake(
        ids('="{}"'.format), ("line 2: id '=\"tw001\"' is not", "did you mean 'tw001'?")
    ),
    "thousands in ids": Mistake(
        csv([(f'"{int(key):,}"', label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        ("'1,234,567,890,123' is not", "did you mean '1234567890123'?"), "long ids",
    ),
    "zeros behind ids": Mistake(
        csv([(f"{key}.00", label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        ("line 2: id '1234567890123.00'", "write the ids alone"), "long ids",
    ),
    "a sign before ids": Mistake(
        ids("#{}".format), ("line 2: id '#tw001'", "holds more than an id", "write the ids alone")
    ),
    "addresses for ids": Mistake(
        ids("https://example.org/{}".format), ("line 2", "did you mean 'tw001'?", "Write every id")
    ),
    "plurals": Mistake(
        labels("{}s".format), ("line 2, column 'label': found 'hates'", "as the training data")
    ),
    "one slip": Mistake(
        csv([*ROWS[:-1], ("tw024", "spma")]),
        ("1 unknown label", "line 25", "found 'spma'", "in the same spelling"),
    ),
    "refusals of a language model": Mistake(
        labels(lambda label: "I cannot answer this." if label == "hate" else label),
        ("8 unknown labels", "line 2", "found 'I cannot answer this.'", "one of the labels"),
    ),
    "confidence beside labels": Mistake(
        labels("{}: 0.93".format), ("found 'hate: 0.93'", "Write one label alone on every row")
    ),
    "several predictions": Mistake(
        csv([(key, f"{label},spam") for key, label in ROWS], "id,first,second"),
        ("line 1: there is no column 'label' among 'id', 'first', 'second'", "rename the one"),
    ),
    "null": Mistake(
        {"p.json": json.dumps([{"id": key, "label": None} for key in IDS]).encode()},
        ("24 empty values, on every row", "record 1", "write one label on every row"),
    ),
    "commas between lines of JSON": Mistake(
        {"p.jsonl": ",\n".join(map(json.dumps, _RECORDS)).encode()},
        ("line 1: this is not valid JSON", "one record per line", "remove the comma after it"),
    ),
    "a list as lines of JSON": Mistake(
        {"p.jsonl": json.dumps(_RECORDS, indent=1).encode()},
        ("line 1: this is not valid JSON", "one record per line", "or call the file .json"),
    ),
    "half of the last record": Mistake(
        {"p.jsonl": "\n".join(map(json.dumps, _RECORDS)).encode()[:-5]},
        ("line 24: this is not valid JSON (Unterminated string", "one record per line"),
    ),
    "a text in JSON": Mistake(
        {"p.json": b'"hate"'}, ("p.json: expected a list of records such as", "or a mapping")
    ),
    "an array of one number": Mistake(
        {"p.npy": npy(np.array(3))}, ("p.npy: the array has", "shape ()", "of shape [n]")
    ),
    "an array of three dimensions": Mistake(
        {"p.npy": npy(np.zeros((24, 3, 2)))}, ("shape (24, 3, 2)", "[n] or [n, classes]")
    ),
    "ids in an array": Mistake(
        {"p.npz": npz(id=list(IDS))}, ("p.npz: 24 unknown labels", "row 1", "a label beside each")
    ),
    "UTF-32": Mistake(
        GOOD.decode().encode("utf-32"), ("line 1: the text holds a NUL character", "as UTF-8 text")
    ),
    "YAML": Mistake({"p.yaml": b"tw001: hate\n"}, ("among p.yaml: expected one of .csv",)),
    # numbers
    "ranges": Mistake(numbers("{0}-{0}".format), ("'0.5-0.5'", "a number such as 0.5"), "numbers"),
    "dates for numbers": Mistake(
        constant("2024-01-02", "id,score"),
        ("line 2, column 'score': found '2024-01-02'", "write a number such as 0.5"), "numbers",
    ),
    "errors beside numbers": Mistake(
        numbers("{} \u00b1 0.1".format), ("line 2", "0.1', expected", "such as 0.5"), "numbers"
    ),
    "a dash for minus": Mistake(
        numbers("\u2212{}".format), ("line 2", "is not an ASCII character"), "numbers"
    ),
    "currencies": Mistake(numbers("${}".format), ("found '$0.5'", "such as 0.5"), "numbers"),
    "truth for numbers": Mistake(
        constant("True", "id,score"), ("line 2", "'True'", "not for labels or texts"), "numbers"
    ),
    "names of types": Mistake(
        numbers("np.float64({})".format), ("'np.float64(0.5)'", "such as 0.5"), "numbers"
    ),
    # probabilities
    "lists for columns": Mistake(
        constant('"[0.2, 0.3, 0.5]"', "id,label"),
        ("line 2", "found '[0.2, 0.3, 0.5]'", "each of these numbers into a column of its own"),
        "probabilities",
    ),
    "a gap among probabilities": Mistake(
        constant("0.5,,0.5", _CLASSES),
        ("line 2, column 'neutral': found ''", "a prediction is missing here: add it"),
        "probabilities",
    ),
    "words for probabilities": Mistake(
        constant("high,low,low", _CLASSES),
        ("line 2, column 'hate': found 'high'", "one for each class, not for labels or texts"),
        "probabilities",
    ),
    "a class too many": Mistake(
        constant("0.2,0.2,0.2,0.4", f"{_CLASSES},other"),
        ("column 'other' may be of a class, but", "list all labels in"), "probabilities",
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
