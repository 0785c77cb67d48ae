"""Adding any one entry changes no other entry's score or resamples, and removes no other entry."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from tests.competitions import Folder, numeric
from tests.hostile.uploads import UPLOADS, Hostile, hostile

SETTINGS = "metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 200\n"
#: Its place in the order of the entries is between the others.
NAME = "Puck"
#: A metric in Kaggle's manner, whose message repeats what the participant wrote.
KAGGLE = """
class ParticipantVisibleError(Exception):
    pass

def score(solution, submission, row_id_column_name):
    wrong = [x for x in submission["label"] if x not in "abc"]
    if wrong:
        raise ParticipantVisibleError(f"no label: {wrong[0]}")
    return float((solution["label"].values == submission["label"].values).mean())
"""
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


@pytest.mark.parametrize("tie_rule", ["max_t", "holm", "interval"])
def test_an_enormous_number_buys_no_tie_and_moves_nobody(folder: Folder, tie_rule: str) -> None:
    folder.write(f"metrics: [mean_absolute_error]\nresamples: 200\ntie_rule: {tie_rule}\n")
    numeric(folder)
    assert folder.run() == 0
    honest = said(folder)
    rng = np.random.default_rng(3)
    guesses = [*map(str, rng.uniform(0, 3, len(folder.ids) - 1)), "1e6"]
    folder.team(NAME, {"id": folder.ids, "y": guesses})
    assert folder.run() == 0
    assert {key: row for key, row in said(folder).items() if NAME not in key} == honest
    (metric,) = folder.results()["metrics"]
    last = metric["entries"][-1]
    assert (last["entry"], last["tied_with_leader"], last["rank_range"]) == (NAME, False, [4, 4])


def test_the_text_of_an_error_for_participants_is_shown_escaped_and_cut(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write(
        "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"
        "resamples: 200\n"
    )
    (folder.input / "ref" / "my_metric.py").write_text(KAGGLE)
    assert folder.run() == 0
    honest = said(folder)
    capsys.readouterr()
    labels = ["\x1b[31m\u202e" + "c" * 10**5, *folder.teams["One"][1:]]
    folder.team(NAME, {"id": folder.ids, "label": labels})
    assert folder.run() == 0
    assert said(folder) == honest
    out, err = capsys.readouterr()
    (reason,) = [item["reason"] for item in folder.results()["unusable"]]
    for text in (out + err, reason):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert len(text) < 5000


def test_a_function_is_all_that_a_new_one_needs() -> None:
    @hostile(usable=True)
    def another(team: Path, rows: object) -> None:
        """Write nothing."""

    assert UPLOADS.pop() == Hostile("another", another, usable=True)
