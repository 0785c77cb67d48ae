"""Nothing that a platform shows holds the gold, a rival's submission or a rehearsal."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.api.public import score
from scoring_program.bundle.archive import pack
from scoring_program.bundle.build import build
from scoring_program.core.errors import SettingsError
from tests.bundle.made import ROWS, edited, members, put
from tests.reading.variants import npy, npz
from tests.sweeps import swept, thinned

#: Stands in the gold, in every submission, and in the names of the field and the rehearsals.
CANARY = b"canary"
#: What a platform keeps for the container of a scoring run, by the key of the task that names it.
HIDDEN = ("reference_data", "scoring_program")


def unfolded(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file and all that lies in it, as whoever downloads it can unpack it."""
    yield name, content
    if zipfile.is_zipfile(io.BytesIO(content)):
        for inside, found in members(content).items():
            yield from unfolded(f"{name}/{inside}", found)


def with_canary(files: dict[str, bytes]) -> list[str]:
    return [
        inside
        for name, content in files.items()
        for inside, found in unfolded(name, content)
        if CANARY in inside.encode() or CANARY in found
    ]


@pytest.fixture
def competition(folder: Path) -> Path:
    """The example, its negative label replaced by the canary, and its teams named after it."""
    data = folder / "example" / "input"
    for path in data.rglob("*.csv"):
        path.write_bytes(path.read_bytes().replace(b"non-offensive", CANARY))
    settings = data / "ref" / "scoring.yaml"
    # Labels that the settings list are public.
    settings.write_bytes(settings.read_bytes().replace(b"labels: [offensive, non-offensive]", b""))
    for team in list((data / "res").iterdir()):
        (team / "predictions.csv").rename(team / "canary.csv")
        team.rename(team.with_name(f"canary {team.name}"))
    (folder / "rehearsal").mkdir()
    gold = (data / "ref" / "gold.csv").read_bytes()
    (folder / "rehearsal" / "canary.csv").write_bytes(gold)

    def change(document: dict[str, Any]) -> None:
        del document["solutions"]
        document["tasks"][0]["deadheat"]["rehearsal"] = "rehearsal"
        document["phases"][1]["starting_kit"] = document["phases"][0]["starting_kit"]
        document["phases"][0]["public_data"] = "example/pages"

    return edited(folder, change)


@pytest.mark.parametrize(
    ("for_codalab", "rehearsed"), swept([(False, False), (False, True), (True, True)])
)
def test_no_canary_outside_the_scoring_container(
    competition: Path, for_codalab: bool, rehearsed: bool
) -> None:
    lines: list[str] = []
    content = build(competition, for_codalab=for_codalab, rehearsed=rehearsed, log=lines.append)
    found = members(content)
    document = yaml.safe_load(found["competition.yaml"])
    holders = document["phases"].values() if for_codalab else document["tasks"]
    hidden = {name: found.pop(name) for name in {item[key] for item in holders for key in HIDDEN}}
    assert {name.partition("_0")[0].partition("_1")[0] for name in hidden} == {
        "reference_data",
        "scoring_program.zip",
    }
    assert with_canary({name: hidden[name] for name in hidden if "reference" in name})
    assert "competition.yaml" in found
    assert "starting_kit_0.zip" in found
    assert "public_data_0.zip" in found
    assert with_canary(found) == []
    packed = [name for member, content in found.items() for name, _ in unfolded(member, content)]
    assert [name for name in packed if "audit" in name] == []
    assert sum("tried on" in line for line in lines) == (2 if rehearsed else 0)


def test_the_guard_notices() -> None:
    assert with_canary({"a.zip": pack({"b.zip": pack({"c": b"a canary"})})}) != []
    assert with_canary({"a.zip": pack({"canary.csv": b""})}) != []
    assert with_canary({"a.pyz": b"#!/usr/bin/env python3\n" + pack({"c": CANARY})}) != []
    assert with_canary({"a.zip": pack({"c": b"a parrot"})}) == []


def _gold(folder: Path) -> list[str]:
    return (folder / "example/input/ref/gold.csv").read_text().splitlines()


def _rival_as_solution(folder: Path, document: dict[str, Any]) -> None:
    document["solutions"][0]["path"] = "example/input/res/Timen"


def _rival_saved_again(folder: Path, document: dict[str, Any]) -> None:
    rows = (folder / "example/input/res/Timen/predictions.csv").read_text().splitlines()
    saved = "\r\n".join('"' + row.replace(",", '";"') + '"' for row in rows)
    (folder / "example/sample_solution/predictions.csv").write_text(saved)


def _rehearsal_as_solution(folder: Path, document: dict[str, Any]) -> None:
    document["tasks"][0]["deadheat"]["rehearsal"] = "example/sample_solution/predictions.csv"


def _gold_in_another_order(folder: Path, document: dict[str, Any]) -> None:
    rows = "\r\n".join(reversed(_gold(folder)))
    (folder / "example/starting_kit/README.txt").write_text(rows)


def _gold_in_an_archive(folder: Path, document: dict[str, Any]) -> None:
    rows = "\n".join([*_gold(folder), "x1,offensive"])
    (folder / "data.zip").write_bytes(pack({"a/more.zip": pack({"all.txt": rows.encode()})}))
    document["phases"][0]["public_data"] = "data.zip"


def _gold_on_a_page(folder: Path, document: dict[str, Any]) -> None:
    with (folder / "example/pages/data.md").open("a") as stream:
        stream.write("\n".join(["", *_gold(folder)]))


def _gold_as_input(folder: Path, document: dict[str, Any]) -> None:
    document["tasks"][1]["input_data"] = "example/input/ref"


def _labels_by_position(folder: Path, document: dict[str, Any]) -> None:
    labels = "\n".join(row.partition(",")[2] for row in _gold(folder))
    (folder / "example/input/ref/gold.csv").write_text(labels)
    (folder / "example/starting_kit/labels.txt").write_text(labels)


LEAKS: dict[str, tuple[Callable[[Path, dict[str, Any]], None], str]] = {
    "a rival's submission as a solution": (
        _rival_as_solution,
        r"solution_0\.zip/predictions\.csv: .* holds Timen/predictions\.csv \(field of task 0\)",
    ),
    "a rival's submission, saved by another program": (
        _rival_saved_again,
        r"solution_0\.zip/predictions\.csv: .* holds Timen/predictions\.csv \(field of task 0\)",
    ),
    "a rehearsal as a solution": (
        _rehearsal_as_solution,
        r"solution_0\.zip/predictions\.csv: .* holds predictions\.csv \(rehearsal of task 0\)",
    ),
    "the gold in another order": (
        _gold_in_another_order,
        r"starting_kit_0\.zip/README\.txt: .* holds gold\.csv \(gold of task 0\)",
    ),
    "the gold in an archive": (
        _gold_in_an_archive,
        r"public_data_0\.zip/a/more\.zip/all\.txt: .* holds gold\.csv",
    ),
    "the gold on a page": (_gold_on_a_page, r"pages/2\.md: .* holds gold\.csv"),
    "the gold as input data": (_gold_as_input, r"input_data_1\.zip/gold\.csv: .* holds gold\.csv"),
    "labels by position": (
        _labels_by_position,
        r"starting_kit_0\.zip/labels\.txt: .* holds gold\.csv",
    ),
}


@pytest.mark.parametrize("name", thinned(LEAKS, 2))
def test_leaks_are_refused(folder: Path, name: str) -> None:
    leak, message = LEAKS[name]
    path = edited(folder, lambda document: leak(folder, document))
    with pytest.raises(SettingsError, match=message):
        build(path, rehearsed=False)


def _sheet(rows: list[list[str]]) -> bytes:
    """Return a workbook of Excel, with the first column as shared strings."""
    ids = "".join(f"<si><t>{row[0]}</t></si>" for row in rows)
    lines = "".join(
        f'<row><c t="s"><v>{number}</v></c><c t="inlineStr"><is><t>{row[1]}</t></is></c></row>'
        for number, row in enumerate(rows)
    )
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return pack(
        {
            "xl/workbook.xml": b"<workbook/>",
            "xl/sharedStrings.xml": f"<sst {space}>{ids}</sst>".encode(),
            "xl/worksheets/sheet1.xml": (
                f"<worksheet {space}><sheetData>{lines}</sheetData></worksheet>".encode()
            ),
        }
    )


def _lines(rows: list[list[str]], delimiter: str = ",") -> bytes:
    return "".join(f"{delimiter.join(row)}\n" for row in rows).encode()


def _tar(name: str, content: bytes) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        item = tarfile.TarInfo(name)
        item.size = len(content)
        archive.addfile(item, io.BytesIO(content))
    return written.getvalue()


def _forms(rows: list[list[str]]) -> dict[str, bytes]:
    """Return the labels of a gold (rows of id and label, without header) in many forms."""
    ids, labels = map(list, zip(*rows, strict=True))
    head = ["id", "label"]
    with_texts = [[id, f'"a text, of {id}"', label] for id, label in rows]
    records = [{"text": "x", "label": label, "id": id} for id, label in rows]
    classes = sorted(set(labels))
    one_hot = [[id, *(str(int(label == name)) for name in classes)] for id, label in rows]
    slips = [[id, classes[0] if k % 150 == 0 else label] for k, (id, label) in enumerate(rows)]
    return {
        "texts.csv": _lines([["id", "text", "label"], *with_texts]),
        "no_header.csv": _lines(with_texts),
        "swapped.csv": _lines([["label", "id"], *([label, id] for id, label in rows)]),
        "capitals.csv": _lines([head, *([id, label.upper()] for id, label in rows)]),
        "words.txt": _lines([head, *rows], "  "),
        "utf16.csv": _lines([head, *with_texts]).decode().encode("utf-16"),
        "page.md": b"# Data\n\n"
        + b"".join(b"| %s | x | %s |\n" % (i.encode(), x.encode()) for i, x in rows),
        "some.csv": _lines([head, *rows[100:130]]),
        "slips.csv": _lines([head, *slips]),
        "one_hot.csv": _lines([["id", *classes], *one_hot]),
        "records.json": json.dumps(records).encode(),
        "mapping.json": json.dumps(dict(rows)).encode(),
        "lines.jsonl": b"\n".join(json.dumps(record).encode() for record in records),
        "zipped.csv.gz": gzip.compress(_lines(with_texts)),
        "zipped.csv.xz": lzma.compress(_lines(with_texts)),
        "zipped.csv.bz2": bz2.compress(_lines(with_texts)),
        "bundle.tar.gz": _tar("gold.csv", _lines(with_texts)),
        "nested.zip": pack({"a.csv": _lines(with_texts)}),
        "labels.npy": npy(labels),
        "columns.npz": npz(id=ids, label=labels),
        "book.xlsx": _sheet([head, *rows]),
        "labels.txt": "\n".join(labels).encode(),
        "labels.csv": "\n".join(["label", *labels]).encode(),
        "mapping.yaml": b"".join(f"{id}: {label}\n".encode() for id, label in rows),
        "columns.json": json.dumps({"label": dict(rows)}).encode(),
        "mapping.py": f"GOLD = {dict(rows)!r}".encode(),
        "page.html": "".join(
            f"<tr><td>{id}</td><td>{label}</td></tr>" for id, label in rows
        ).encode(),
        "column.csv": _lines([["text", "label"], *(["x", label] for label in labels)]),
    }


def test_the_gold_is_recognized_in_any_form(folder: Path) -> None:
    rows = [line.split(",") for line in _gold(folder)[1:]]
    forms = _forms(rows)
    for name, content in forms.items():
        (folder / "example/starting_kit" / name).write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        build(folder / "competition.yaml", rehearsed=False)
    message = str(caught.value)
    assert [name for name in forms if f"starting_kit_0.zip/{name}" not in message] == []
    assert (
        f"starting_kit_0.zip/texts.csv: participants can read it, and its column 3 holds {ROWS} of "
        f"{ROWS} labels of gold.csv (gold of task 0); leave it out"
    ) in message
    assert (
        f"labels.npy: participants can read it, and its column 'label' holds {ROWS} of {ROWS} "
        "labels of gold.csv (gold of task 0), in their order; leave it out"
    ) in message


def test_better_labels_than_those_of_the_best_packed_submission_are_refused(folder: Path) -> None:
    rows = [line.split(",") for line in _gold(folder)[1:]]
    guess = {"offensive": "non-offensive", "non-offensive": "offensive"}
    kit = folder / "example/starting_kit"
    for name, every in (("better.csv", 20), ("worse.csv", 3)):
        sent = [[id, guess[x] if k % every == 0 else x] for k, (id, x) in enumerate(rows)]
        (kit / name).write_bytes(_lines([["id", "label"], *sent]))
    with pytest.raises(SettingsError) as caught:
        build(folder / "competition.yaml", rehearsed=False)
    message = str(caught.value)
    assert (
        "better.csv: participants can read it, and its column 2 holds 285 of 300 labels of "
        "gold.csv (gold of task 0), more than the best packed submission has right; leave it out"
    ) in message
    assert "worse.csv" not in message


def test_what_tells_no_labels(folder: Path) -> None:
    """Ids and texts, a template to fill in, training data with the same ids, a few examples, codes.

    Codes stand for labels in the gold's own order, and nothing says which code is which label: the
    classes of other data may look the same.
    """
    rows = [line.split(",") for line in _gold(folder)[1:]]
    labels = [label for _, label in rows]
    train = [[id, labels[(7 * k + 3) % len(labels)]] for k, (id, _) in enumerate(rows)]
    kit = folder / "example/starting_kit"
    (kit / "test.csv").write_bytes(_lines([["id", "text"], *([id, f"x {id}"] for id, _ in rows)]))
    (kit / "template.csv").write_bytes(
        _lines([["id", "label"], *([id, "non-offensive"] for id, _ in rows)])
    )
    (kit / "train.csv").write_bytes(_lines([["id", "label"], *train]))
    codes = [[id, str(int(label == "offensive"))] for id, label in rows]
    (kit / "codes.csv").write_bytes(_lines([["id", "label"], *codes]))
    (kit / "examples.csv").write_bytes(_lines([["id", "label"], *rows[:19]]))
    assert build(folder / "competition.yaml", rehearsed=False)


def test_solution_of_a_task_for_all_teams_is_refused(folder: Path) -> None:
    path = edited(folder, put("solutions", 0, "tasks", value=[1]))
    refusal = (
        r"solutions\[0\]: .* all teams; name the folder under 'deadheat: rehearsal' of the task"
    )
    with pytest.raises(SettingsError, match=refusal):
        build(path, rehearsed=False)


def test_what_is_no_leak(folder: Path) -> None:
    """Rows of a short submission that a page shows as well, an archive that is locked, settings."""
    rival = folder / "example/input/res/Timen/predictions.csv"
    rival.write_text("id,label\nt0001,non-offensive\nt0002,offensive\n")
    locked = bytearray(pack({"a.csv": b"id,label\n"}))
    for at in (locked.index(b"PK\x03\x04") + 6, locked.index(b"PK\x01\x02") + 8):
        locked[at] |= 1
    (folder / "example/starting_kit/locked.zip").write_bytes(locked)
    (folder / "example/starting_kit/empty.csv").write_bytes(b"")
    (folder / "example/input/res/aomar/predictions.csv").write_bytes(b"\n")
    settings = (folder / "example/input/ref/scoring.yaml").read_bytes()
    (folder / "example/starting_kit/scoring.yaml").write_bytes(settings)
    found = members(build(folder / "competition.yaml", rehearsed=False))
    assert {"locked.zip", "scoring.yaml"} <= members(found["starting_kit_0.zip"]).keys()


@pytest.mark.parametrize(
    "place",
    [
        "example/pages",
        *(
            pytest.param(place, marks=pytest.mark.full)
            for place in ("example/starting_kit", "example/input/ref")
        ),
    ],
)
def test_an_audit_is_never_packed(folder: Path, place: str) -> None:
    """Wherever the organizer has left it, also where participants would not see it."""
    path = edited(folder, put("phases", 0, "public_data", value="example/pages"))
    score(folder / "example" / "input", resamples=100).audit().save(folder / "audit")
    shutil.copy(folder / "audit" / "audit.html", folder / place)
    table = "gold_recall_per_class.csv"
    if place != "example/input/ref":  # there, it would be the gold of a task
        shutil.copy(folder / "audit" / "tables" / table, folder / place)
        shutil.copy(folder / "audit" / "tables" / "gold_examples.csv", folder / place / "more.csv")
    with pytest.raises(SettingsError, match=r"audit\.html: it is the organizer's audit") as caught:
        build(path, rehearsed=False)
    for name in (table, "more.csv"):
        told = f"{name}: it is the organizer's audit" in str(caught.value)
        assert told == (place != "example/input/ref")
