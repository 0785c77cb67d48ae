"""Nothing that a platform shows holds the gold, a rival's submission or a rehearsal."""

from __future__ import annotations

import io
import shutil
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
from tests.bundle.made import edited, members, put

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


@pytest.mark.parametrize("for_codalab", [False, True])
def test_no_canary_outside_the_scoring_container(competition: Path, for_codalab: bool) -> None:
    lines: list[str] = []
    found = members(build(competition, for_codalab=for_codalab, log=lines.append))
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
    assert sum("tried on" in line for line in lines) == 2


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


@pytest.mark.parametrize("name", LEAKS)
def test_leaks_are_refused(folder: Path, name: str) -> None:
    leak, message = LEAKS[name]
    path = edited(folder, lambda document: leak(folder, document))
    with pytest.raises(SettingsError, match=message):
        build(path, rehearsed=False)


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


def test_no_bundle_holds_the_audit(competition: Path) -> None:
    packed = unfolded("bundle.zip", build(competition))
    assert [name for name, _ in packed if "audit" in name] == []


@pytest.mark.parametrize("place", ["example/pages", "example/starting_kit", "example/input/ref"])
def test_an_audit_is_never_packed(folder: Path, place: str) -> None:
    """Wherever the organizer has left it, also where participants would not see it."""
    path = edited(folder, put("phases", 0, "public_data", value="example/pages"))
    score(folder / "example" / "input", resamples=100).audit().save(folder / "audit")
    shutil.copy(folder / "audit" / "audit.html", folder / place)
    with pytest.raises(SettingsError, match=r"audit\.html: it is the organizer's audit"):
        build(path, rehearsed=False)
