"""Hostile uploads: each is a function that writes one beside honest ones.

A function takes the folder that a team's upload may fill, INPUT/res/TEAM, and honest rows; it may
write TEAM.zip instead. To add one, write it and decorate it with `hostile`:
`test_one_entry_harms_no_other` tries every one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hostile.bad.makers import zipped

#: The honest columns of a file: ids and labels.
Rows = Mapping[str, Sequence[str]]
Write = Callable[[Path, Rows], object]


@dataclass(frozen=True)
class Hostile:
    """One hostile upload; ``usable`` says whether it competes nevertheless.

    What is ``large`` takes a second or so to write and to read as far as the limits.
    """

    name: str
    write: Write
    usable: bool
    large: bool = False


UPLOADS: list[Hostile] = []


def hostile(*, usable: bool = False, large: bool = False) -> Callable[[Write], Write]:
    """Add a function to the list of hostile uploads."""

    def add(write: Write) -> Write:
        UPLOADS.append(Hostile(write.__name__, write, usable, large))
        return write

    return add


def put(team: Path, content: bytes | str, name: str = "predictions.csv") -> None:
    """Write one file of the upload."""
    team.mkdir(exist_ok=True)
    (team / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def put_archive(team: Path, content: bytes) -> None:
    """Write the upload as an archive."""
    team.with_name(f"{team.name}.zip").write_bytes(content)


@hostile(large=True)
def archive_that_unpacks_to_far_more(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({"predictions.csv": b"id,label\n" + b"x000,a\n" * 10**6 * 12}))


@hostile(large=True)
def archives_that_list_a_million_files(team: Path, rows: Rows) -> None:
    many = zipped({f"{k}.csv": "" for k in range(9000)})
    put_archive(team, zipped({f"{k}.zip": many for k in range(111)}))


@hostile()
def archive_of_more_files_than_fit(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({f"{k}.csv": "" for k in range(10_001)}))


@hostile()
def file_far_larger_than_the_test_set(team: Path, rows: Rows) -> None:
    put(team, b"id,label\n" + b"x000,a\n" * 10**6 * 3)


@hostile(large=True)
def millions_of_rows(team: Path, rows: Rows) -> None:
    put(team, b"id,label\n" + b"ab,cd\n" * 1_300_000)


@hostile(large=True)
def millions_of_columns(team: Path, rows: Rows) -> None:
    put(team, b"ab," * 2_600_000)


@hostile(large=True)
def millions_of_empty_lists(team: Path, rows: Rows) -> None:
    put(team, b"[" + b"[]," * 2_600_000 + b"[]]", "predictions.json")


@hostile(large=True)
def records_of_different_keys(team: Path, rows: Rows) -> None:
    records = b",".join(b'{"k%d":1}' % k for k in range(100_000))
    put(team, b"[" + records + b"]", "predictions.json")


@hostile()
def endless_nesting(team: Path, rows: Rows) -> None:
    put(team, b'{"a":' * 1_000_000, "predictions.json")


@hostile(large=True)
def a_text_that_fills_the_file(team: Path, rows: Rows) -> None:
    put(team, b'id,label\nx000,"' + b"\xf0\x9f\x98\x80" * 1_900_000)


@hostile(large=True)
def accents_without_end(team: Path, rows: Rows) -> None:
    put(team, "id,label\nx000,a" + "\u0301\u0323" * 1_500_000)


def csv_of(rows: Rows) -> str:
    """Return honest rows as a file."""
    lines = map(",".join, zip(*rows.values(), strict=True))
    return "\n".join([",".join(rows), *lines, ""])


def records_of(rows: Rows) -> list[dict[str, Any]]:
    """Return honest rows as records of JSON."""
    return [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]


def changed(rows: Rows, label: str) -> Rows:
    """Return honest rows with another label in the first one."""
    return {**rows, "label": [label, *rows["label"][1:]]}


@hostile()
def a_cell_of_a_megabyte(team: Path, rows: Rows) -> None:
    put(team, csv_of(changed(rows, "a" * 10**6)))


@hostile()
def a_cell_that_is_a_program(team: Path, rows: Rows) -> None:
    put(team, csv_of(changed(rows, "<script>alert(1)</script>{{ 7 * 7 }}")))


@hostile()
def a_cell_that_turns_the_text_around(team: Path, rows: Rows) -> None:
    put(team, csv_of(changed(rows, "\u202eb\x1b[31ma\u2066")))


@hostile()
def a_number_of_a_thousand_digits(team: Path, rows: Rows) -> None:
    put(team, csv_of(changed(rows, "9" * 1000)))


@hostile(usable=True)
def a_second_label_in_an_inner_object(team: Path, rows: Rows) -> None:
    first, *others = records_of(rows)
    put(team, json.dumps([{**first, "x": {"label": "b"}}, *others]), "predictions.json")


@hostile()
def a_key_twice_in_a_record(team: Path, rows: Rows) -> None:
    text = json.dumps(records_of(rows)).replace('"label"', '"label": "b", "label"', 1)
    put(team, text, "predictions.json")


@hostile()
def a_key_of_half_a_character(team: Path, rows: Rows) -> None:
    text = json.dumps(records_of(rows)).replace('"label"', '"\\ud800": "b", "label"', 1)
    put(team, text, "predictions.json")


@hostile()
def a_label_of_half_a_character(team: Path, rows: Rows) -> None:
    put(team, json.dumps(records_of(changed(rows, "\ud800"))), "predictions.json")


@hostile()
def no_number_in_place_of_a_label(team: Path, rows: Rows) -> None:
    text = json.dumps(records_of(changed(rows, "?"))).replace('"?"', "NaN")
    put(team, text, "predictions.json")


@hostile()
def an_id_that_looks_like_another(team: Path, rows: Rows) -> None:
    ids = ["\u0445000", *rows["id"][1:]]  # CYRILLIC SMALL LETTER HA
    put(team, csv_of({**rows, "id": ids}))


@hostile()
def a_name_that_leads_out_of_the_archive(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({"../One/predictions.csv": csv_of(rows)}))


@hostile(usable=True)
def a_name_that_founds_a_team(team: Path, rows: Rows) -> None:
    put(team, csv_of(rows), "9_One_PhaseId9_2026-01-01_00-00_x.csv")


@hostile(usable=True)
def a_name_of_markup(team: Path, rows: Rows) -> None:
    put(team, csv_of(rows), "<img src=x onerror=alert(1)>{{ 7 * 7 }}.csv")
    put(team, csv_of(rows), "\u202evsc.\x1b[31m\u3164.csv")


@hostile(usable=True)
def names_of_the_organizers_files(team: Path, rows: Rows) -> None:
    put(team, csv_of(rows))
    put(team, "metrics: [recall_score]\nresamples: 7\n", "scoring.yaml")
    put(team, "One\nTwo\n", "failed.txt")
    put(team, "raise SystemExit(3)\n", "my_metric.py")


@hostile(usable=True)
def the_platforms_metadata(team: Path, rows: Rows) -> None:
    put(team, csv_of(rows))
    forged = "elapsedTime: 0.001\nexitCode: 0\ningestionElapsedTime: null\ningestionExitCode: 0\n"
    put(team, forged, "metadata")
    put(team, forged + "command: rm -rf $output\n", "metadata.yaml")


@hostile()
def an_id_of_three_million_letters(team: Path, rows: Rows) -> None:
    """A few kilobytes as an archive."""
    records = records_of({**rows, "id": ["z" * 3_000_000, *rows["id"][1:]]})[:1]
    put_archive(team, zipped({"predictions.json": json.dumps(records)}))


@hostile()
def ids_as_long_as_fields_may_be(team: Path, rows: Rows) -> None:
    put(team, csv_of({**rows, "id": [f"{'z' * 60_000}{name}" for name in rows["id"]]}))


@hostile()
def labels_of_endless_words(team: Path, rows: Rows) -> None:
    labels = [f"{'q ' * 30_000}{k}" for k in range(len(rows["id"]))]
    put(team, csv_of({**rows, "label": labels}))


@hostile(large=True)
def a_hundred_thousand_columns(team: Path, rows: Rows) -> None:
    columns = {f"c{k}": ["0"] * 10 for k in range(100_000)}
    put(team, csv_of({"id": rows["id"][:10], **columns}))


@hostile(large=True)
def thousands_of_runs(team: Path, rows: Rows) -> None:
    put_archive(team, zipped({f"{k}.csv": csv_of(rows) for k in range(6000)}))


@hostile(large=True)
def more_files_in_folders_than_fit(team: Path, rows: Rows) -> None:
    for k in range(101):
        (team / f"{k}").mkdir(parents=True)
        for number in range(100):
            (team / f"{k}" / f"{number}").touch()
    put(team, csv_of(rows))
