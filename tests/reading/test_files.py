"""What lies in folders and archives, each of it once."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.reading import files
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
