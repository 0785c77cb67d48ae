"""Layouts and file formats by small generators: every one holds the same little competition."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

N = 12
IDS = [f"t{i}" for i in range(1, N + 1)]  # t10 sorts before t2: not the order of the file
GOLD = list("aababbabaaba")
TEAMS = {
    "One": list("aababbabaabb"),
    "Two": list("aabbabbbaaba"),
    "Three": list("abbabbbbbbba"),
}
SCORES = {
    team: sum(p == g for p, g in zip(labels, GOLD, strict=True)) / N
    for team, labels in TEAMS.items()
}

Rows = Sequence[tuple[str, str]]
Writer = Callable[[Rows], bytes]


def rows_of(labels: Sequence[str]) -> Rows:
    return list(zip(IDS, labels, strict=True))


def table(
    rows: Iterable[Sequence[str]],
    *,
    delimiter: str = ",",
    header: Sequence[str] | None = ("id", "label"),
    end: str = "\n",
    quote: bool = False,
    encoding: str = "utf-8",
    before: str = "",
) -> bytes:
    lines = [*([header] if header else []), *rows]
    cell = '"{}"'.format if quote else str
    text = before + "".join(delimiter.join(map(cell, line)) + end for line in lines)
    return text.encode(encoding)


def records(rows: Rows, **extra: Any) -> list[dict[str, Any]]:
    return [{"id": key, "label": label, **extra} for key, label in rows]


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def as_lines(values: Iterable[Any]) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def npy(array: Any, *, version: tuple[int, int] = (1, 0)) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), version=version)
    return stream.getvalue()


def npz(*, compressed: bool = False, **arrays: Any) -> bytes:
    stream = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(stream, **arrays)
    return stream.getvalue()


def archive(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for name, content in members.items():
            opened.writestr(zipfile.ZipInfo(name), content)  # the same bytes each time
    return stream.getvalue()


def shuffled(rows: Rows) -> Rows:
    return [*rows[5:], *reversed(rows[:5])]


def labels(rows: Rows) -> list[str]:
    return [label for _, label in rows]


def one_hot(rows: Rows) -> list[list[float]]:
    """The probability of a, and of b."""
    return [[0.75, 0.25] if label == "a" else [0.375, 0.625] for _, label in rows]


def spreadsheet(rows: Rows) -> bytes:
    """Empty cells beside and below the table."""
    lines = [("id", "label", "", ""), *((*row, "", "") for row in rows), *[("",) * 4] * 30]
    return "".join(";".join(line) + "\r\n" for line in lines).encode("utf-8-sig")


def indexed(rows: Rows, header: Sequence[str], *, ids: bool = True) -> bytes:
    """A data frame with its index."""
    lines = [(str(i), *row) if ids else (str(i), row[1]) for i, row in enumerate(rows)]
    return table(lines, header=header)


#: File formats of one submission: name → (extension, writer).
FORMATS: dict[str, tuple[str, Writer]] = {
    "csv": (".csv", table),
    "upper-case extension": (".CSV", table),
    "other order": (".csv", lambda rows: table(shuffled(rows))),
    "header in capitals": (".csv", lambda rows: table(rows, header=("ID", "Label"))),
    "prediction as name": (".csv", lambda rows: table(rows, header=("id", "prediction"))),
    "unknown name": (".csv", lambda rows: table(rows, header=("id", "my_system_7"))),
    "columns swapped": (
        ".csv",
        lambda rows: table([(label, key) for key, label in rows], header=("label", "id")),
    ),
    "further column": (
        ".csv",
        lambda rows: table(
            [(k, v, "0.5") for k, v in rows],
            header=("id", "label", "confidence"),
        ),
    ),
    "index column of a data frame": (
        ".csv",
        lambda rows: table(
            [(str(i), k, v) for i, (k, v) in enumerate(rows)],
            header=("index", "id", "label"),
        ),
    ),
    "nameless index of a data frame": (".csv", lambda rows: indexed(rows, ("", "id", "label"))),
    "index that was read as a column": (
        ".csv",
        lambda rows: indexed(rows, ("Unnamed: 0", "id", "label")),
    ),
    "index and no ids": (".csv", lambda rows: indexed(rows, ("", "label"), ids=False)),
    "nameless series": (".csv", lambda rows: indexed(rows, ("", "0"), ids=False)),
    "series by id": (".csv", lambda rows: table(shuffled(rows), header=("", "0"))),
    "truth beside the prediction": (
        ".csv",
        lambda rows: table(
            [(k, g, v) for (k, v), g in zip(rows, GOLD, strict=True)],
            header=("id", "label", "prediction"),
        ),
    ),
    "empty cells around the table": (".csv", spreadsheet),
    "commas at the end of rows": (
        ".csv",
        lambda rows: table(rows, end=",\n").replace(b"label,", b"label"),
    ),
    "ids of another name": (
        ".csv",
        lambda rows: table(shuffled(rows), header=("tweet", "label")),
    ),
    "line ends mixed": (
        ".csv",
        lambda rows: table(rows[:4]) + table(rows[4:], header=None, end="\r\n"),
    ),
    "no header": (".csv", lambda rows: table(rows, header=None)),
    "no ids": (".csv", lambda rows: "".join(f"{v}\n" for v in ["label", *labels(rows)]).encode()),
    "no ids, no header": (".csv", lambda rows: "".join(f"{v}\n" for v in labels(rows)).encode()),
    "semicolons": (".csv", lambda rows: table(rows, delimiter=";")),
    "semicolons, no header": (".csv", lambda rows: table(rows, delimiter=";", header=None)),
    "bars": (".csv", lambda rows: table(rows, delimiter="|")),
    "tabs": (".tsv", lambda rows: table(rows, delimiter="\t")),
    "tabs as .csv": (".csv", lambda rows: table(rows, delimiter="\t")),
    "commas as .tsv": (".tsv", table),
    "tab extension": (".tab", lambda rows: table(rows, delimiter="\t")),
    "sep line": (".csv", lambda rows: table(rows, delimiter=";", before="sep=;\r\n", end="\r\n")),
    "quotes": (".csv", lambda rows: table(rows, quote=True)),
    "byte-order mark": (".csv", lambda rows: table(rows, encoding="utf-8-sig")),
    "Windows line ends": (".csv", lambda rows: table(rows, end="\r\n")),
    "old Mac line ends": (".csv", lambda rows: table(rows, end="\r")),
    "UTF-16": (".csv", lambda rows: table(rows, encoding="utf-16")),
    "UTF-16 without mark": (".csv", lambda rows: table(rows, encoding="utf-16-le")),
    "UTF-16 big-endian": (".csv", lambda rows: table(rows, encoding="utf-16-be")),
    "blank lines": (".csv", lambda rows: table(rows, end="\n\n")),
    "blank first line": (".csv", lambda rows: table(rows, before="\n")),
    "spaces after commas": (".csv", lambda rows: table(rows, delimiter=", ")),
    "no last line end": (".csv", lambda rows: table(rows).rstrip()),
    "one label a line": (".txt", lambda rows: "\n".join(labels(rows)).encode()),
    "one label a line, CRLF": (".txt", lambda rows: "\r\n".join(labels(rows)).encode()),
    "table as .txt": (".txt", table),
    "tabs as .txt": (".txt", lambda rows: table(rows, delimiter="\t", header=None)),
    "JSON records": (".json", lambda rows: as_json(records(rows))),
    "JSON, further keys": (".json", lambda rows: as_json(records(rows, note="x", weight=1.5))),
    "JSON labels": (".json", lambda rows: as_json(labels(rows))),
    "JSON mapping": (".json", lambda rows: as_json(dict(shuffled(rows)))),
    "JSON mapping of records": (
        ".json",
        lambda rows: as_json({key: {"label": label} for key, label in rows}),
    ),
    "JSON columns": (".json", lambda rows: as_json({"id": IDS, "label": labels(rows)})),
    "JSON wrapped records": (".json", lambda rows: as_json({"predictions": records(rows)})),
    "JSON records beside facts": (
        ".json",
        lambda rows: as_json({"team": "A", "run": 1, "data": {"predictions": records(rows)}}),
    ),
    "JSON mapping in a wrapper": (
        ".json",
        lambda rows: as_json({"predictions": dict(shuffled(rows))}),
    ),
    "JSON of a data frame": (
        ".json",
        lambda rows: as_json(
            {
                name: {str(i): row[k] for i, row in enumerate(shuffled(rows))}
                for k, name in enumerate(("id", "label"))
            }
        ),
    ),
    "JSON with mark": (".json", lambda rows: b"\xef\xbb\xbf" + as_json(records(rows))),
    "JSON as .txt": (".txt", lambda rows: as_json(records(rows))),
    "JSON distributions": (
        ".json",
        lambda rows: as_json(
            [
                {"id": key, "value": dict(zip("ab", row, strict=True))}
                for (key, _), row in zip(rows, one_hot(rows), strict=True)
            ]
        ),
    ),
    "JSON Lines": (".jsonl", lambda rows: as_lines(records(shuffled(rows)))),
    "JSON Lines, blank lines": (
        ".jsonl",
        lambda rows: as_lines(records(rows)).replace(b"\n", b"\r\n\r\n"),
    ),
    "JSON Lines of labels": (".ndjson", lambda rows: as_lines(labels(rows))),
    "JSON Lines as .json": (".json", lambda rows: as_lines(records(rows))),
    "JSON Lines as .csv": (".csv", lambda rows: as_lines(records(rows))),
    "PyEvALL": (
        ".json",
        lambda rows: as_json(
            [{"test_case": "EXIST2025", "id": key, "value": value} for key, value in rows]
        ),
    ),
    "npy": (".npy", lambda rows: npy(labels(rows))),
    "npy of bytes": (".npy", lambda rows: npy(np.array(labels(rows), dtype="S3"))),
    "npy, big-endian": (".npy", lambda rows: npy(np.array(labels(rows), dtype=">U2"))),
    "npy, version 2": (".npy", lambda rows: npy(labels(rows), version=(2, 0))),
    "npy, a column": (".npy", lambda rows: npy([[label] for label in labels(rows)])),
    "npy as .csv": (".csv", lambda rows: npy(labels(rows))),
    "npz": (".npz", lambda rows: npz(id=IDS, label=labels(rows))),
    "npz, compressed": (".npz", lambda rows: npz(compressed=True, id=IDS, label=labels(rows))),
    "npz of one array": (".npz", lambda rows: npz(arr_0=labels(rows))),
    "a column a class": (
        ".csv",
        lambda rows: table(
            [(key, *map(str, row)) for (key, _), row in zip(rows, one_hot(rows), strict=True)],
            header=("id", "a", "b"),
        ),
    ),
}

#: Formats that hold numbers only; the labels are 0 and 1.
NUMERIC: dict[str, tuple[str, Writer]] = {
    "AutoML labels": (".predict", lambda rows: "\n".join(labels(rows)).encode()),
    "AutoML matrix": (
        ".predict",
        lambda rows: "".join(f"{1 - int(v)}.0 {v}.0 \n" for v in labels(rows)).encode(),
    ),
    "floats": (".csv", lambda rows: table([(k, f"{v}.0") for k, v in rows])),
    "booleans as spreadsheets write them": (
        ".csv",
        lambda rows: table([(k, "TRUE" if v == "1" else "FALSE") for k, v in rows]),
    ),
    "JSON numbers": (".json", lambda rows: as_json(list(map(int, labels(rows))))),
    "JSON booleans": (
        ".json",
        lambda rows: as_json([{"id": k, "label": v == "1"} for k, v in rows]),
    ),
    **{
        f"npy {kind}": (
            ".npy",
            lambda rows, kind=kind: npy(np.array(labels(rows), dtype="i8").astype(kind)),  # type: ignore[misc]
        )
        for kind in ("?", "i1", "u2", "<i4", ">i8", "f2", "<f4", ">f8")
    },
    "npy, a column a class": (
        ".npy",
        lambda rows: npy([[1 - int(v), int(v)] for v in labels(rows)]),
    ),
    "npy, Fortran order": (
        ".npy",
        lambda rows: npy(np.asfortranarray([[1 - int(v), int(v)] for v in labels(rows)])),
    ),
}


def every(form: Callable[[str], str], content: Writer = table) -> dict[str, bytes]:
    """A file for every team, called as ``form`` says."""
    return {form(team): content(rows_of(found)) for team, found in TEAMS.items()}


def zipped(form: Callable[[str], str], members: Callable[[str, bytes], dict[str, bytes]]) -> Any:
    return {name: archive(members(name, content)) for name, content in every(form).items()}


def _bulk(team: str) -> str:
    number = 100 + list(TEAMS).index(team)
    return f"{number}_{team}_PhaseId7_2024-05-01_30-11_predictions"


_JUNK = {"__MACOSX/._predictions.csv": b"\0", ".DS_Store": b"\0", "README.md": b"#"}
_ONE = table(rows_of(TEAMS["One"]))

#: Layouts of INPUT/res with every team: name → path → content.
LAYOUTS: dict[str, dict[str, bytes]] = {
    "folders": every("{}/predictions.csv".format),
    "folders in a folder": every("{}/run/final/predictions.csv".format),
    "files": every("{}.csv".format),
    "files in a wrapping folder": every("everybody/{}.csv".format),
    "folders in a wrapping folder": every("a/b/{}/predictions.csv".format),
    "zips": zipped("{}.zip".format, lambda _, content: {"predictions.csv": content}),
    "zips with a wrapping folder": zipped(
        "{}.zip".format, lambda _, content: {"final/predictions.csv": content}
    ),
    "zips with junk": zipped("{}.zip".format, lambda _, content: {"x.csv": content, **_JUNK}),
    "zips made by Windows": zipped("{}.zip".format, lambda _, content: {"a\\b.csv": content}),
    "zips in folders": zipped("{}/upload.zip".format, lambda _, content: {"p.csv": content}),
    "one zip of folders": {"all.zip": archive(every("{}/predictions.csv".format))},
    "one zip of zips": {
        "all.zip": archive(zipped("{}.zip".format, lambda _, content: {"predictions.csv": content}))
    },
    "Codabench": zipped(
        lambda team: _bulk(team) + ".zip", lambda _, content: {"predictions.csv": content}
    ),
    "Codabench in one zip": {
        "bulk_submissions.zip": archive(
            {
                "failed.txt": b"none",
                **zipped(
                    lambda team: _bulk(team) + ".zip", lambda _, content: {"w/p.csv": content}
                ),
            }
        )
    },
    "Codabench results": zipped(
        lambda team: f"res_{_bulk(team)}.zip",
        lambda _, content: {"p.csv": content, "failed.txt": b""},
    ),
    "CodaLab users": zipped(
        lambda team: f"{team} - 3 submission.zip", lambda _, content: {"p.csv": content}
    ),
    "CodaLab teams": zipped(
        lambda team: f"Team {team}  - 3 submission.zip", lambda _, content: {"p.csv": content}
    ),
    "with junk": {**every("{}.csv".format), **_JUNK, "metadata": b"x: 1", "Thumbs.db": b""},
    "with a sample": {**every("{}.csv".format), "sample_submission.csv": _ONE},
    "with folders of code": {
        **every("{}/p.csv".format),
        "One/src/train.py": b"",
        "Two/code.zip": archive({"a.py": b""}),
    },
    "with code": {**every("{}/p.csv".format), "One/train.py": b"", "Two/notes.pdf": b"%PDF"},
    "formats mixed": {
        "One.csv": table(rows_of(TEAMS["One"])),
        "Two.json": as_json(records(rows_of(TEAMS["Two"]))),
        "Three.npy": npy(TEAMS["Three"]),
    },
}


@dataclass(frozen=True)
class Case:
    """One competition on disk and the settings it needs."""

    files: dict[str, bytes]
    settings: str = ""
    scores: dict[str, float] = field(default_factory=lambda: SCORES)

    def write(self, folder: Path) -> Path:
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (folder / "ref").mkdir(exist_ok=True)
        if self.settings:
            (folder / "ref" / "scoring.yaml").write_text(self.settings)
        return folder


ACCURACY = "metrics: [accuracy_score]\n"


def case(
    res: dict[str, bytes],
    *,
    gold: dict[str, bytes] | None = None,
    settings: str = ACCURACY,
    scores: dict[str, float] | None = None,
) -> Case:
    gold = {"gold.csv": table(rows_of(GOLD))} if gold is None else gold
    files = {f"ref/{name}": content for name, content in gold.items()}
    files |= {f"res/{name}": content for name, content in res.items()}
    return Case(files, settings, SCORES if scores is None else scores)


def as_numbers(found: Sequence[str]) -> Rows:
    return rows_of([str(int(label == "b")) for label in found])


def numeric(extension: str, writer: Writer, gold: dict[str, bytes] | None = None) -> Case:
    res = {f"{team}{extension}": writer(as_numbers(found)) for team, found in TEAMS.items()}
    return case(res, gold=gold or {"gold.csv": table(as_numbers(GOLD))})


def _gold(extension: str, writer: Writer) -> Case:
    return case(every("{}.csv".format), gold={f"gold{extension}": writer(rows_of(GOLD))})


def _wide(name: str = "y", settings: str = ACCURACY) -> Case:
    header = [name, *TEAMS]
    rows = zip(GOLD, *TEAMS.values(), strict=True)
    content = table(list(rows), header=header)
    return case({"table.csv": content}, gold={}, settings=settings)


#: Every layout and format: name → competition.
CASES: dict[str, Case] = {
    **{f"layout: {name}": case(res) for name, res in LAYOUTS.items()},
    "layout: Codabench files": case(
        every(lambda team: _bulk(team) + ".csv"), settings=f"{ACCURACY}bare_files: accept\n"
    ),
    **{
        f"submissions: {name}": case(every(lambda team, e=e: team + e, writer))  # type: ignore[misc]
        for name, (e, writer) in FORMATS.items()
    },
    **{f"numbers: {name}": numeric(*how) for name, how in NUMERIC.items()},
    **{
        f"gold: {name}": _gold(*FORMATS[name])
        for name in (
            "csv",
            "other order",
            "no header",
            "semicolons",
            "tabs",
            "quotes",
            "byte-order mark",
            "UTF-16",
            "table as .txt",
            "JSON records",
            "JSON mapping",
            "JSON Lines",
            "PyEvALL",
            "npz",
        )
    },
    "gold: AutoML": numeric(
        *NUMERIC["AutoML labels"],
        gold={"task.solution": NUMERIC["AutoML labels"][1](as_numbers(GOLD))},
    ),
    "gold: AutoML one-hot": numeric(
        *NUMERIC["AutoML matrix"],
        gold={"task.solution": NUMERIC["AutoML matrix"][1](as_numbers(GOLD))},
    ),
    "gold: zipped": case(
        every("{}.csv".format), gold={"ref.zip": archive({"gold.csv": table(rows_of(GOLD))})}
    ),
    "gold: beside a sample": case(
        every("{}.csv".format),
        gold={"solution.csv": table(rows_of(GOLD)), "sample_submission.csv": _ONE},
    ),
    "wide": _wide(),
    "wide, no settings": _wide(settings=""),
    "wide, named gold": _wide(
        "Klasse", "metrics: [{name: acc, function: accuracy_score, column: Klasse}]\n"
    ),
    "gold: ids of another name": case(
        every("{}.csv".format, lambda rows: table(shuffled(rows), header=("file", "label"))),
        gold={"gold.csv": table(rows_of(GOLD), header=("file", "label"))},
    ),
    "gold: ids and target of other names": case(
        every("{}.csv".format, lambda rows: table(shuffled(rows), header=("file", "mood"))),
        gold={"gold.csv": table(rows_of(GOLD), header=("file", "mood"))},
    ),
    "gold: empty cells around the table": _gold(".csv", spreadsheet),
    "gold: decomposed accents": case(
        every(
            "{}.csv".format,
            lambda rows: table([(f"ni\u00f1o{k}", f"{v}\u00e9") for k, v in rows]),
        ),
        gold={"gold.csv": table([(f"nin\u0303o{k}", f"{v}e\u0301") for k, v in rows_of(GOLD)])},
    ),
    "gold: composed accents": case(
        every(
            "{}.json".format,
            lambda rows: as_json(records([(f"nin\u0303o{k}", f"{v}e\u0301") for k, v in rows])),
        ),
        gold={"gold.csv": table([(f"ni\u00f1o{k}", f"{v}\u00e9") for k, v in rows_of(GOLD)])},
    ),
    "gold: True and False": case(
        {f"{team}.csv": table(as_numbers(found)) for team, found in TEAMS.items()},
        gold={"gold.csv": table([(k, str(v == "1")) for k, v in as_numbers(GOLD)])},
    ),
    "pattern": case(
        every("{}_run1.csv".format), settings=ACCURACY + "name_pattern: '{team}_run{run}'\n"
    ),
    "pattern with prefix": case(
        every("task1-{}.csv".format), settings=ACCURACY + "name_pattern: 'task1-{team}'\n"
    ),
    "format told": case(
        every("{}.txt".format, lambda rows: table(rows, delimiter=" , ")),
        settings=ACCURACY + "format: csv\n",
    ),
    "several columns": case(
        every(
            "{}.csv".format,
            lambda rows: table(
                [(k, "z", v) for k, v in rows],
                header=("id", "other", "stance"),
            ),
        ),
        gold={
            "gold.csv": table(
                [(k, "z", v) for k, v in rows_of(GOLD)],
                header=("id", "other", "stance"),
            )
        },
        settings="metrics: [{name: acc, function: accuracy_score, column: stance}]\n",
    ),
}
