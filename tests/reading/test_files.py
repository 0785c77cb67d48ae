"""What lies in folders and archives, each of it once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring_program.commands.score import main
from scoring_program.core.errors import SubmissionError
from scoring_program.reading import files
from tests.competitions import read_scores
from tests.reading.variants import archive


def lay(folder: Path, contents: dict[str, bytes]) -> list[str]:
    """Write files and return the paths that are found."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return [str(file.path) for file in files.walk(folder)]


INNER = archive({"p.csv": b"1", "plot.png": b"2"})
DAMAGED = INNER[:-30]


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ({"A/p.csv": b"1", "A.zip": archive({"p.csv": b"1"})}, ["A/p.csv"]),
        ({"w/A/p.csv": b"1", "w/A.zip": archive({"p.csv": b"1"})}, ["w/A/p.csv"]),
        ({"A/p.csv": b"1", "A.zip": archive({"p.csv": b"2"})}, ["A/p.csv", "A/p.csv"]),
        ({"A/p.csv": b"1", "B.zip": archive({"p.csv": b"1"})}, ["A/p.csv", "B/p.csv"]),
        ({"A/p.csv": b"1", "A.zip": archive({"q.csv": b"1"})}, ["A/p.csv"]),
        ({"A/p.csv": b"1", "A.zip": b"no archive"}, ["A/p.csv", "A"]),
        ({"A/B.zip": INNER, "A.zip": archive({"B.zip": INNER})}, ["A/B/p.csv", "A/B/plot.png"]),
        ({"A/B.zip": DAMAGED, "A.zip": archive({"B.zip": DAMAGED})}, ["A/B"]),
        ({"w.zip": archive({"A.zip": INNER, "A/p.csv": b"1"})}, ["w/A/plot.png", "w/A/p.csv"]),
        ({"A.zip": archive({"A/p.csv": b"1", "b.csv": b"1"})}, ["A/A/p.csv", "A/b.csv"]),
    ],
)  # fmt: skip
def test_an_archive_beside_its_folder(
    tmp_path: Path, contents: dict[str, bytes], expected: list[str]
) -> None:
    assert sorted(lay(tmp_path, contents)) == sorted(expected)


def test_an_empty_archive_beside_its_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    assert lay(tmp_path, {"A.zip": archive({})}) == ["A"]
    (file,) = files.walk(tmp_path)
    with pytest.raises(SubmissionError, match="the folder holds no data"):
        file.read()


def test_what_a_platform_leaves_beside_the_data_is_passed_over(tmp_path: Path) -> None:
    names = ("metadata", "detailed_results.html", "team_names_and_members.txt")
    assert lay(tmp_path, {**dict.fromkeys(names, b""), "p.csv": b""}) == ["p.csv"]


RUN = b"303 Q0 FT921-7107 1 14.5 t\n303\tQ0\tLA04-9\t2\t-1e-3\tt\n"
CONLL = b"& O\r\nOslo B-LOC\r\n\r\n-DOCSTART- O\r\nNo O\r\n"


@pytest.mark.parametrize(
    ("contents", "data"),
    [
        ({"input.bm25": RUN, "input.dense": RUN}, ["input.bm25", "input.dense"]),
        ({"qrels.robust03": b"303 0 FBIS3-1 0\n303 0 FBIS3-2 1\n"}, ["qrels.robust03"]),
        ({"east": CONLL, "west.txt": CONLL, "south.txt": CONLL}, ["east", "south.txt", "west.txt"]),
        ({"A/run1": RUN, "B/run1": RUN, "B/notes": b"We tried BM25.\n" * 9}, ["A/run1", "B/run1"]),
        ({"gold.conll": CONLL, "gold.conll.bak": CONLL}, ["gold.conll"]),
        ({"east": CONLL, "east~": CONLL, "west": CONLL, "west.orig": CONLL}, ["east", "west"]),
        ({"log": b"epoch 1 0.5\n" * 9, "model.bin": bytes(range(256))}, []),
        ({"one_line": RUN.split(b"\n")[0], "empty": b""}, []),
    ],
)
def test_files_of_unusual_names_are_data_if_they_begin_like_data(
    tmp_path: Path, contents: dict[str, bytes], data: list[str]
) -> None:
    lay(tmp_path, contents)
    assert [str(file.path) for file in files.walk(tmp_path) if file.is_data] == data


def test_runs_of_trec_are_scored_by_the_names_that_trec_gives_them(tmp_path: Path) -> None:
    qrels = "".join(f"{query} 0 d{k} {k % 3}\n" for query in range(300, 330) for k in range(5))
    for team, sign in (("up", 1), ("down", -1)):
        ranked = [(4 - r if sign > 0 else r, r) for r in range(5)]
        lines = (f"{q} Q0 d{k} {r} {sign * k} {team}\n" for q in range(300, 330) for k, r in ranked)
        lay(tmp_path / "input" / "res", {f"input.{team}": "".join(lines).encode()})
    lay(tmp_path / "input" / "ref", {"qrels.robust03": qrels.encode()})
    assert main([str(tmp_path / "input"), str(tmp_path / "output"), "--resamples", "200"]) == 0
    scores = read_scores((tmp_path / "output" / "scores.txt").read_text(encoding="utf-8"))
    assert scores["n_teams"] == 2
    assert scores["AP.input.up"] != scores["AP.input.down"]
    tagged = b"".join(f"{q} Q0 d1 1 9.5 our best run\n".encode() for q in range(300, 330))
    lay(tmp_path / "input" / "res", {"input.c": tagged})
    assert main([str(tmp_path / "input"), str(tmp_path / "again"), "--resamples", "200"]) == 0
    (unusable,) = json.loads((tmp_path / "again" / "results.json").read_text())["unusable"]
    assert unusable["entry"] == "input.c"
    assert "line 1: 8 columns found, 6 expected" in unusable["reason"]
    assert "Write the tag of the run, the last column, as one word." in unusable["reason"]
