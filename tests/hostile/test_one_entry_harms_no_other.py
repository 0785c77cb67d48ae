"""Adding any one entry changes no other entry's score or resamples, and removes no other entry."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.competitions import Folder
from tests.hostile.uploads import UPLOADS, Hostile, hostile

SETTINGS = "metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 200\n"
#: Its place in the order of the entries is between the others.
NAME = "Puck"
#: Seconds that an upload may add to a run of a small test set, on a busy machine.
LONGEST = 30


@cache
def without() -> dict[str, Any]:
    """Return what is said of the entries of the competition without the hostile one."""
    with TemporaryDirectory() as root:
        folder = Folder(Path(root)).write(SETTINGS)
        assert folder.run() == 0
        return said(folder)


def said(folder: Folder) -> dict[str, Any]:
    """Return what depends on an entry's own predictions and the resamples alone."""
    return {
        f"{metric['name']}: {row['entry']}": [row[key] for key in ("score", "mean", "ci")]
        for metric in folder.results()["metrics"]
        for row in metric["entries"]
    }


@pytest.mark.parametrize("upload", UPLOADS, ids=lambda upload: upload.name)
def test_one_entry_harms_no_other(
    folder: Folder, capsys: pytest.CaptureFixture[str], upload: Hostile
) -> None:
    folder.write(SETTINGS)
    honest = {"id": folder.ids, "label": folder.teams["One"]}
    upload.write(folder.input / "res" / NAME, honest)
    begun = time.monotonic()
    assert folder.run() == 0, capsys.readouterr().err
    assert time.monotonic() - begun < LONGEST
    found = said(folder)
    assert {key: row for key, row in found.items() if NAME not in key} == without()
    entries = {entry for entry in found if NAME in entry}
    assert bool(entries) == upload.usable
    if not upload.usable:
        (reason,) = [item["reason"] for item in folder.results()["unusable"]]
        assert NAME in reason or NAME in capsys.readouterr().err


def test_a_function_is_all_that_a_new_one_needs() -> None:
    @hostile(usable=True)
    def another(team: Path, rows: object) -> None:
        """Write nothing."""

    assert UPLOADS.pop() == Hostile("another", another, usable=True)
