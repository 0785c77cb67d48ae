"""What a run says beforehand of the time that a metric's function takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.bootstrap import resample
from tests.competitions import Folder, write_csv


@pytest.mark.parametrize(("slices", "minutes"), [("", 2), ("slices: [site]\n", 7)])
def test_the_slices_take_time_too(
    slices: str,
    minutes: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of three slices and all examples, each calls the function on every resample."""
    monkeypatch.setattr(resample, "_seconds_of_calls", lambda _: 0.1)
    folder = Folder(tmp_path, n=600).write()
    sites = [f"site{number % 3}" for number in range(len(folder.ids))]
    gold = {"id": folder.ids, "label": folder.labels, "site": sites}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    folder.settings(f"metrics: [accuracy]\nresamples: 1000\nworkers: 1\n{slices}")
    assert folder.run() == 0
    assert f"which will take about {minutes} min (workers: 1)" in capsys.readouterr().out
