"""What people send by mistake, and what the message must say: where, what was found, the remedy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tests.reading.variants import archive

#: 24 examples with one of three labels each, or with a number each, and with long ids.
IDS = tuple(f"tw{number:03d}" for number in range(1, 25))
LABELS = ("hate", "neutral", "spam") * 8
NUMBERS = tuple(round(0.5 + 0.37 * i, 2) for i in range(24))
LONG_IDS = tuple(str(1234567890123 + 7 * i) for i in range(24))
ROWS = list(zip(IDS, LABELS, strict=True))


def csv(rows: Iterable[tuple[object, object]], header: str = "id,label", sep: str = ",") -> bytes:
    lines = [header.replace(",", sep)] if header else []
    lines += [sep.join(map(str, row)) for row in rows]
    return "".join(f"{line}\n" for line in lines).encode()


def numbers(written: Callable[[float], str], sep: str = ",") -> bytes:
    pairs = zip(IDS, NUMBERS, strict=True)
    return csv([(key, written(value)) for key, value in pairs], "id,score", sep)


def constant(cells: str, header: str) -> bytes:
    return csv([(key, cells) for key in IDS], header)


@dataclass(frozen=True)
class Mistake:
    """The file or files that were sent, the parts of the message, and the reference data."""

    sent: bytes | Mapping[str, bytes]
    says: tuple[str, ...]
    gold: str = "labels"  # or "numbers", "probabilities", "long ids", "tasks"

    @property
    def files(self) -> Mapping[str, bytes]:
        return {"predictions.csv": self.sent} if isinstance(self.sent, bytes) else self.sent


GOOD = csv(ROWS)
_OFFICE = {
    "an Excel spreadsheet": archive({"[Content_Types].xml": b"", "xl/workbook.xml": b""}),
    "an OpenDocument spreadsheet": archive(
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}
    ),
    "a spreadsheet of Apple Numbers": archive({"Index/Document.iwa": b""}),
}
_JSON = [{"id": key, "label": label} for key, label in ROWS]

MISTAKES: dict[str, Mistake] = {
    # ids
    "development set": Mistake(
        csv([(f"dev{k}", "hate") for k in range(100)]),
        ("100 of 100 ids", "line 2: id 'dev0'", "training or development", "such as 'tw001'"),
    ),
    "half of the development set": Mistake(
        csv([*ROWS[:12], *((f"dev{k}", "hate") for k in range(12))]),
        ("12 extra ids", "12 missing ids", "Remove the rows", "Add a row for every example"),
    ),
    "ids in scientific notation": Mistake(
        csv([(f"{float(key):.2E}", label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        ("line 2: id '1.23E+12'", "A spreadsheet has rounded the ids", "formatted as text"),
        "long ids",
    ),
    "ids with zeros at the end": Mistake(
        csv([(f"{key[:-3]}000", label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        ("A spreadsheet has rounded the ids", "copy them"),
        "long ids",
    ),
    "ids as floats": Mistake(
        csv([(f"{key}.0", label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        ("24 extra ids, on every row", "did you mean '1234567890123'?", "as the test set does"),
        "long ids",
    ),
    "ids with folders": Mistake(
        csv([(f"data/test/{key}.txt", label) for key, label in ROWS]),
        ("did you mean 'tw001'?", "… and 22 more", "Write every id as the test set does."),
    ),
    "ids in capitals": Mistake(
        csv([(key.upper(), label) for key, label in ROWS]), ("line 2: id 'TW001'", "'tw001'?")
    ),
    "ids without zeros": Mistake(
        csv([(f"tw{k}", label) for k, label in enumerate(LABELS, 1)]), ("did you mean 'tw001'?",)
    ),
    "one id missing": Mistake(
        csv(ROWS[:-1]), ("1 missing id", "'tw024' has no row", "Add a row for every example")
    ),
    "most ids missing": Mistake(csv(ROWS[:5]), ("19 missing ids\n", "… and 9 more", "Add a row")),
    "every id twice": Mistake(
        csv(ROWS + ROWS), ("line 26: id 'tw001' was already on line 2", "Keep one row for each id")
    ),
    # labels
    "labels in other letters": Mistake(
        csv([(key, label.title()) for key, label in ROWS]),
        ("24 unknown labels, on every row", "found 'Hate'", " more like it)", "capital letters"),
    ),
    "labels in quotes": Mistake(
        csv([(key, f"'{label}'") for key, label in ROWS]), ("brackets or spaces only", "line 3")
    ),
    "numbers of classes": Mistake(
        csv([(key, k % 3) for k, key in enumerate(IDS)]), ("numbers of classes: write the labels",)
    ),
    "probabilities for labels": Mistake(
        csv([(key, 0.7 + k / 100) for k, key in enumerate(IDS)]),
        ("found '0.7'", "scores or probabilities: write the label that you predict"),
    ),
    "labels of another task": Mistake(
        constant("favor", "id,label"), ("on every row", "found 'favor'", "another task")
    ),
    "no labels": Mistake(
        constant("", "id,label"), ("24 empty values, on every row", "write one label on every row")
    ),
    "two labels missing": Mistake(
        csv([*ROWS[:-2], ("tw023", "nan"), ("tw024", "")]),
        ("line 24", "found 'nan'", "line 25", "1 empty value", "missing here: add it"),
    ),
    # columns
    "texts with commas": Mistake(
        constant("hate,because", "id,label"),
        ("line 2: 3 cells found, 2 expected", "on every row", "quote texts that hold the"),
    ),
    "a ragged row among other problems": Mistake(
        csv([*ROWS[:-3], ("tw022", "hat"), ("tw023", "spam,1"), ("zz", "spam")]),
        ("line 24: 3 cells", "line 25: id 'zz'", "line 23", "'hat'", "same columns", "Remove the"),
    ),
    "several separators between the columns": Mistake(
        "".join(f"{key}{' :='[k % 3]}{x}\n" for k, (key, x) in enumerate(ROWS)).encode(),
        ("The rows begin with ids, but no delimiter", "put a comma or a tab between", "'id,label'"),
    ),
    "a line too few without ids": Mistake(
        {"p.txt": "\n".join(LABELS[1:]).encode()},
        ("p.txt: 23 rows, 24 expected", "line 23 is the last", "one row per example"),
    ),
    # numbers
    "decimal commas between semicolons": Mistake(
        numbers(lambda x: str(x).replace(".", ","), ";"),
        ("found '0,5'", "on every row", "write the decimal point as '.'"),
        "numbers",
    ),
    "decimal commas between commas": Mistake(
        numbers(lambda x: str(x).replace(".", ",")), ("3 cells found", "decimal point"), "numbers"
    ),
    "percentages": Mistake(numbers("{}%".format), ("'0.5%'", "without '%'"), "numbers"),
    "tensors": Mistake(numbers("tensor({})".format), ("'tensor(0.5)'", ".item()"), "numbers"),
    "lists of one": Mistake(numbers("[{}]".format), ("'[0.5]'", "without brackets"), "numbers"),
    "numbers missing": Mistake(
        numbers(lambda x: "nan"), ("on every row", "a prediction is missing here"), "numbers"
    ),
    "labels for numbers": Mistake(
        GOOD, ("found 'hate'", "the task asks for numbers, not for labels"), "numbers"
    ),
    "infinity": Mistake(
        numbers(lambda x: "inf" if x > 9 else str(x)), ("line 25", "replace infinity"), "numbers"
    ),
    "too large": Mistake(
        numbers(lambda x: "1e12" if x > 9 else str(x)), ("below 1e+10", "scale"), "numbers"
    ),
    # probabilities
    "logits": Mistake(
        constant("-1.3,2.2,0.5", "id,hate,neutral,spam"),
        ("outside [0, 1], on every row", "found -1.3, 2.2, 0.5", "apply softmax"),
        "probabilities",
    ),
    "sums below 1": Mistake(
        constant("0.1,0.2,0.5", "id,hate,neutral,spam"),
        ("line 2", "the sum is 0.8", "Divide each row by its sum"),
        "probabilities",
    ),
    "a class too few": Mistake(
        constant("0.3,0.7", "id,hate,spam"),
        ("line 1", "'id', 'hate', 'spam'", "no column for each class"),
        "probabilities",
    ),
    "columns without names": Mistake(
        constant("0.1,0.2,0.7", ""), ("line 1: 4 columns have no names",), "probabilities"
    ),
    # files
    "program code": Mistake(
        {"main.py": b"print(1)"}, ("main.py", "program code: run it, and send the predictions")
    ),
    "program code in an archive": Mistake(
        {"s.zip": archive({"main.py": b"", "model.pkl": b""})}, ("s/main.py", "program code")
    ),
    "a notebook": Mistake({"a.ipynb": b"{}"}, ("a.ipynb", "program code: run it")),
    "a notebook by another name": Mistake(
        b'{"cells": [], "nbformat": 4}', ("the content is a notebook", "run it and send")
    ),
    "a model": Mistake({"model.pt": b"x"}, ("model.pt", "send the predictions that it makes")),
    "a web page": Mistake(b"<!DOCTYPE html><html>", ("a web page", "download the file again")),
    "a Git LFS pointer": Mistake(
        b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", ("Git LFS", "git lfs pull")
    ),
    **{
        kind: Mistake(content, (f"predictions.csv: the content is {kind}", "save the sheet as CSV"))
        for kind, content in _OFFICE.items()
    },
    "a spreadsheet": Mistake({"p.xlsx": b"PK"}, ("p.xlsx", "save the sheet as CSV")),
    "an archive called CSV": Mistake(archive({"p.csv": GOOD}), ("a zip archive", "call it .zip")),
    "a RAR archive": Mistake({"a.rar": b"Rar!"}, ("a.rar", "send a .zip")),
    "a document": Mistake({"report.pdf": b"%PDF"}, ("report.pdf", "send the predictions")),
    "Parquet": Mistake({"p.parquet": b"PAR1"}, ("p.parquet", "Parquet, Arrow", "as CSV")),
    "two files": Mistake({"a.csv": GOOD, "b.csv": GOOD}, ("(a.csv, b.csv)", "remove the others")),
    "nothing": Mistake(b"", ("predictions.csv: the file is empty", "one row per example")),
    "a header alone": Mistake(b"id,label\n", ("line 1", "a header but no row", "add one row")),
    "another encoding": Mistake(
        "id,label\ntw001,año\n".encode("latin-1"), ("line 2", "not UTF-8", "save the file as CSV")
    ),
    "an open quote": Mistake(
        b'id,label\ntw001,"hate\n' + csv(ROWS[1:], ""), ("line 2", "never closed", "close it")
    ),
    "single quotes in JSON": Mistake(
        {"p.json": str(_JSON).encode()}, ("line 1", "double quotes, as json.dump does")
    ),
    "a comma too many in JSON": Mistake(
        {"p.json": b'[{"id": "tw001", "label": "hate"},]'}, ("line 1", "remove the comma before")
    ),
    "a comma too many in an object of JSON": Mistake(
        {"p.json": b'[{"id": "tw001",\n"label": "hate",\n}]'}, ("line 2", "remove the comma before")
    ),
    "lists in JSON": Mistake(
        {"p.json": json.dumps([{"id": i, "label": [x]} for i, x in ROWS]).encode()},
        ("record 1: 'label' holds a nested value", '"label": "a"'),
    ),
    "columns of other lengths in JSON": Mistake(
        {"p.json": b'{"id": ["tw001"], "label": ["hate", "spam"]}'},
        ("'id' 1, 'label' 2", "give every column one value per row"),
    ),
    # tasks
    "one task only": Mistake(
        {"mood.csv": GOOD}, ("no predictions for the task 'stance'", "called stance.csv"),
        "tasks",
    ),
    "a file without a task": Mistake(
        {"x.csv": GOOD}, ("x.csv: the name states no task", "one of mood, stance"), "tasks"
    ),
}  # fmt: skip

#: What people fear to be a mistake, and is none.
NO_MISTAKES: dict[str, Mapping[str, bytes]] = {
    "a name like a read-me's": {"readme_predictions.csv": GOOD, "README.md": b"#"},
    "the delimiter in a text": {"p.txt": b"sep=;\n" + csv(ROWS, sep=";")},
    "a blank last line": {"p.txt": csv(ROWS[:12]) + csv(ROWS[12:], "") + b" \n"},
    "a short text with a blank line": {"p.txt": csv(ROWS) + b"\n \n"},
    "tabs in a text": {"p.txt": csv(ROWS, sep="\t")},
    "spaces between the columns": {"p.csv": csv(ROWS, sep=" ")},
    "UTF-16": {"p.csv": GOOD.decode().encode("utf-16")},
    "no header": {"p.csv": csv(ROWS, "")},
    "an index": {"p.csv": csv([(f"{k},{i}", x) for k, (i, x) in enumerate(ROWS)], ",id,label")},
    "columns swapped": {"p.csv": csv([(label, key) for key, label in ROWS])},
    "columns swapped, no header": {"p.csv": csv([(label, key) for key, label in ROWS], "")},
    "row numbers in front": {"p.csv": csv(enumerate(LABELS))},
    "names that say nothing": {"p.csv": csv(ROWS, "tweet,offensive")},
    "names in another language": {"p.csv": csv(ROWS, "identificador,etiqueta")},
    "a folder in an archive": {
        "s.zip": archive({"s/p.csv": GOOD, "__MACOSX/s/._p.csv": b"\0", "s/.DS_Store": b""})
    },
    "program code beside the predictions": {"p.csv": GOOD, "main.py": b"print(1)"},
}
