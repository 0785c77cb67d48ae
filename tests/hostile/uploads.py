"""Hostile uploads: each is a function that writes one beside honest ones.

A function takes the folder that a team's upload may fill, INPUT/res/TEAM, and honest rows; it may
write TEAM.zip instead. To add one, write it and decorate it with `hostile`:
`test_one_entry_harms_no_other` tries every one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.bad.makers import zipped

#: The honest columns of a file: ids and labels.
Rows = Mapping[str, Sequence[str]]
Write = Callable[[Path, Rows], object]


@dataclass(frozen=True)
class Hostile:
    """One hostile upload; ``usable`` says whether it competes nevertheless."""

    name: str
    write: Write
    usable: bool


UPLOADS: list[Hostile] = []


def hostile(*, usable: bool = False) -> Callable[[Write], Write]:
    """Add a function to the list of hostile uploads."""

    def add(write: Write) -> Write:
        UPLOADS.append(Hostile(write.__name__, write, usable))
        return write

    return add


def put(team: Path, content: bytes | str, name: str = "predictions.csv") -> None:
    """Write one file of the upload."""
    team.mkdir(exist_ok=True)
    (team / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def put_archive(team: Path, content: bytes) -> None:
    """Write the upload as an archive."""
    team.with_name(f"{team.name}.zip").write_bytes(content)


@hostile()
def archive_that_unpacks_to_far_more(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({"predictions.csv": b"id,label\n" + b"x000,a\n" * 10**6 * 12}))


@hostile()
def archives_that_list_a_million_files(team: Path, rows: Rows) -> None:
    many = zipped({f"{k}.csv": "" for k in range(9000)})
    put_archive(team, zipped({f"{k}.zip": many for k in range(111)}))


@hostile()
def archive_of_more_files_than_fit(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({f"{k}.csv": "" for k in range(10_001)}))


@hostile()
def file_far_larger_than_the_test_set(team: Path, rows: Rows) -> None:
    put(team, b"id,label\n" + b"x000,a\n" * 10**6 * 3)


@hostile()
def millions_of_rows(team: Path, rows: Rows) -> None:
    put(team, b"id,label\n" + b"ab,cd\n" * 1_300_000)


@hostile()
def millions_of_columns(team: Path, rows: Rows) -> None:
    put(team, b"ab," * 2_600_000)


@hostile()
def millions_of_empty_lists(team: Path, rows: Rows) -> None:
    put(team, b"[" + b"[]," * 2_600_000 + b"[]]", "predictions.json")


@hostile()
def records_of_different_keys(team: Path, rows: Rows) -> None:
    records = b",".join(b'{"k%d":1}' % k for k in range(100_000))
    put(team, b"[" + records + b"]", "predictions.json")


@hostile()
def endless_nesting(team: Path, rows: Rows) -> None:
    put(team, b'{"a":' * 1_000_000, "predictions.json")


@hostile()
def a_text_that_fills_the_file(team: Path, rows: Rows) -> None:
    put(team, b'id,label\nx000,"' + b"\xf0\x9f\x98\x80" * 1_900_000)


@hostile()
def accents_without_end(team: Path, rows: Rows) -> None:
    put(team, "id,label\nx000,a" + "\u0301\u0323" * 1_500_000)
