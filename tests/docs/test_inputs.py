"""The reference says what each command does with each input; here it is tried on one of each."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pytest
from pyarrow import parquet  # type: ignore[import-untyped,unused-ignore]

import scoring_program as dh
from scoring_program.bundle import kit
from scoring_program.bundle.build import build
from scoring_program.commands import audit, new, score
from scoring_program.core.errors import OrganizerError
from tests.competitions import REPOSITORY
from tests.sweeps import swept

GOLD = {f"t{i}": "ab"[i % 2] for i in range(24)}
SENT = {
    team: {name: label if i % wrong else "a" for i, (name, label) in enumerate(GOLD.items())}
    for team, wrong in (("north", 7), ("south", 3))
}
READER = """
def read(path):
    with open(path) as lines:
        return dict(line.split() for line in lines)
def counts(gold, sent):
    return gold == sent, 1
def share(sums):
    return sums[0] / sums[1]
"""
OWN = "reader: own.py:read\nkit_reader: true\nmetrics: [{name: share, statistics: own.py:counts, "


def lines(labels: Mapping[str, str], between: str, header: str = "") -> str:
    return header + "".join(f"{name}{between}{label}\n" for name, label in labels.items())


def competition(between: str, header: str, settings: str, suffix: str) -> dict[str, str]:
    sent = {f"res/{team}.{suffix}": lines(of, between, header) for team, of in SENT.items()}
    gold = {f"ref/gold.{suffix}": lines(GOLD, between, header)}
    return {**gold, **sent, "ref/scoring.yaml": f"resamples: 100\n{settings}"}


def parquet_of(labels: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pa.table({"id": [*labels], "label": [*labels.values()]}), stream)
    return stream.getvalue()


def table(named: str, cells: Mapping[str, Mapping[str, str]], settings: str) -> dict[str, str]:
    rows = [",".join(["id", *cells])]
    rows += [",".join([name, *(column[name] for column in cells.values())]) for name in GOLD]
    return {f"res/{named}.csv": "\n".join(rows), "ref/scoring.yaml": f"resamples: 100\n{settings}"}


SCORES = {team: {n: str(int(of[n] == GOLD[n])) for n in GOLD} for team, of in SENT.items()}
LOGS = {
    f"res/{team}.run.json": json.dumps(
        {"total_instances": 24, "submitted_ids": [*GOLD],
         "resolved_ids": [name for name in GOLD if of[name] == "1"]}
    )
    for team, of in SCORES.items()
}  # fmt: skip
DESCRIBED = "{columns: [id, label], separator: '|', header: false}"
#: How a row of the table begins → the files of such a competition.
INPUTS: dict[str, Mapping[str, str | bytes]] = {
    "correct answers": competition(",", "id,label\n", "metrics: [accuracy_score]\n", "csv"),
    "the same in files that the settings": competition(
        "|", "", f"reference: {DESCRIBED}\nsubmissions: {DESCRIBED}\n", "dat"
    ),
    "the same for a [reader": competition(
        " ", "", f"{OWN}function: own.py:share, greater_is_better: true}}]\n", "txt"
    )
    | {"ref/own.py": READER},
    "a table of predictions": table("all", {"y": GOLD, **SENT}, "layout: wide\n"),
    "a table of scores": table(
        "all", SCORES, "layout: wide\nmetrics: [{name: right, function: mean_score, "
        "greater_is_better: true}]\n"
    ),
    "[preferences]": {
        "res/votes.csv": "left,right,winner\n" + "north,south,left\nsouth,north,right\n" * 20
        + "north,south,right\n" * 5,
        "ref/scoring.yaml": "resamples: 100\n",
    },
    "[logs]": LOGS | {"ref/scoring.yaml": "resamples: 100\n"},
    "Parquet": {
        "ref/gold.parquet": parquet_of(GOLD),
        **{f"res/{team}.parquet": parquet_of(of) for team, of in SENT.items()},
        "ref/scoring.yaml": "resamples: 100\nmetrics: [accuracy_score]\n",
    },
    "folders of [Parquet parts]": {
        "ref/gold/part-0.parquet": parquet_of(GOLD),
        **{f"res/{team}/part-0.parquet": parquet_of(of) for team, of in SENT.items()},
        "ref/scoring.yaml": "resamples: 100\nmetrics: [accuracy_score]\nformat: parquet\n",
    },
}  # fmt: skip
#: What is said of what needs no platform.
NO_PLATFORM = (
    "logs of evaluations, tables of scores and preferences need no platform",
    "folders of Parquet parts need no platform",
)


def rows() -> dict[str, list[str]]:
    """Return the rows of the table by how they begin."""
    page = (REPOSITORY / "docs/reference/input.md").read_text(encoding="utf-8")
    below = page.partition("What each command does with these inputs:")[2].strip().splitlines()
    found = [line.strip("| ").split(" | ") for line in below[2 : below.index("")]]
    return {next(key for key in INPUTS if row[0].startswith(key)): row for row in found}


def test_every_row_is_tried() -> None:
    assert rows().keys() == INPUTS.keys()


@pytest.mark.parametrize("key", swept(INPUTS, fast=3))
def test_commands_do_what_the_reference_says(
    tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, scored, checked, bundled, audited, python = rows()[key]
    kind = "scores" if key.startswith("a table") else new.USUAL
    given = {name: content for name, content in new.files(kind).items()
             if not name.startswith(("ref/", "res/", "sample_solution/"))}  # fmt: skip
    given |= {
        name: held if isinstance(held, bytes) else held.encode()
        for name, held in INPUTS[key].items()
    }
    given["competition.yaml"] = given["competition.yaml"].replace(
        b"solutions:\n  - {index: 0, tasks: [0], path: sample_solution}\n", b""
    )
    for name, content in given.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    out = tmp_path / "out"
    refused = scored.startswith("refuses")
    assert refused or scored.split()[0] in ("scores", "reads", "calls", "compares")
    assert score.main([str(tmp_path), str(out)]) == (2 if refused else 0)
    assert has_checker(tmp_path / "ref") == (checked not in ("no", "refuse them"))
    assert packs(tmp_path / "competition.yaml") == (not bundled.startswith("no"))
    assert audited.startswith("refuses") == refused
    assert audit.main([str(tmp_path), "-o", str(tmp_path / "audit")]) == (2 if refused else 0)
    capsys.readouterr()
    names = [word for word in python.replace("`", " ").split() if hasattr(dh, word)]
    assert names
    if "score" in names and not refused:
        assert dh.score(tmp_path, None).leader.startswith("north")


def has_checker(reference: Path) -> bool:
    try:
        return "check.pyz" in kit.files(reference)
    except OrganizerError as error:
        if not any(said in str(error) for said in NO_PLATFORM):
            raise
        return False


def packs(description: Path) -> bool:
    try:
        return bool(build(description, rehearsed=False))
    except OrganizerError as error:
        if not any(said in str(error) for said in NO_PLATFORM):
            raise
        return False
