"""Times that end with an event, and times that are censored, from the files to the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.competitions import Folder, write_csv
from tests.metrics.test_concordance import naive

_METRIC = "{name: c, function: concordance_index, column: time}"


def survival(root: Path, settings: str, died: list[str] | None = None) -> Folder:
    """Return a competition of times, whose column ``died`` says which end with an event."""
    folder = Folder(root).write(f"{settings}\n")
    rng = np.random.default_rng(3)
    times = np.round(rng.gamma(2.0, 3.0, len(folder.ids)), 1)
    cells = died or [f"{i % 3 > 0:d}" for i, _ in enumerate(folder.ids)]
    gold = {"id": folder.ids, "died": cells, "time": times.tolist()}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    for team in folder.teams:
        predicted = times + rng.normal(0.0, 3.0, len(times))
        folder.team(team, {"id": folder.ids, "lasts": np.round(predicted, 3).tolist()})
    return folder


def expected(folder: Folder, team: str) -> float:
    """Return Harrell's C, counted pair by pair."""
    gold = (folder.input / "ref" / "gold.csv").read_text(encoding="utf-8").split()[1:]
    sent = (folder.input / "res" / team / "predictions.csv").read_text(encoding="utf-8").split()[1:]
    _, died, times = zip(*(line.split(",") for line in gold), strict=True)
    predicted = [float(line.split(",")[1]) for line in sent]
    events = [cell.casefold() in ("1", "1.0", "true") for cell in died]
    return naive([*map(float, times)], predicted, events)


@pytest.mark.parametrize("words", [("1", "0"), ("1.0", "0.0"), ("True", "False")])
def test_the_settings_say_which_times_end_with_an_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str]
) -> None:
    died = [words[i % 3 == 0] for i in range(60)]
    settings = f"reference: {{event: died}}\nmetrics: [{_METRIC}]"
    folder = survival(tmp_path, settings, died)
    assert folder.run("--resamples", "100") == 0
    results = folder.results()
    (metric,) = results["metrics"]
    for entry in metric["entries"]:
        assert entry["score"] == pytest.approx(expected(folder, entry["entry"]), abs=1e-9)
    assert metric["definition"].endswith("of time, events in died")
    assert "ignores censoring" not in capsys.readouterr().out


def test_the_column_of_events_is_no_answer(tmp_path: Path) -> None:
    """Then the times are the only answers, and nothing has to name them."""
    folder = survival(tmp_path, "reference: {event: died}\nmetrics: [concordance_index]")
    assert folder.run("--resamples", "100") == 0
    scores = {of["entry"]: of["score"] for of in folder.results()["metrics"][0]["entries"]}
    assert scores["One"] == pytest.approx(expected(folder, "One"), abs=1e-9)


def test_a_formula_reads_the_events_too(tmp_path: Path) -> None:
    """Risks are higher where times are shorter."""
    folder = survival(
        tmp_path,
        "reference: {event: died}\n"
        "metrics:\n"
        "  - {name: order, function: concordance_index, column: time, show: false}\n"
        "  - {name: c, formula: 1 - order, greater_is_better: true}",
    )
    assert folder.run("--resamples", "100") == 0
    scores = {of["entry"]: of["score"] for of in folder.results()["metrics"][0]["entries"]}
    assert scores["Two"] == pytest.approx(1 - expected(folder, "Two"), abs=1e-9)


def test_public_and_private_rows_keep_their_events(tmp_path: Path) -> None:
    folder = survival(tmp_path, f"reference: {{event: died}}\nmetrics: [{_METRIC}]")
    path = folder.input / "ref" / "gold.csv"
    lines = path.read_text(encoding="utf-8").split()
    usage = ["Usage", *(("Public", "Private")[i % 2] for i, _ in enumerate(folder.ids))]
    rows = [f"{line},{part}" for line, part in zip(lines, usage, strict=True)]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert folder.run("--resamples", "100") == 0


def test_without_events_the_page_says_that_censoring_is_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the column is called does not matter."""
    folder = survival(tmp_path, f"metrics: [{_METRIC}]")
    assert folder.run("--resamples", "100") == 0
    note = (
        "c ignores censoring: every time counts as that of an event. If the column 'died' says "
        "which times are, state it in the settings: 'reference: {event: died}'."
    )
    assert note in capsys.readouterr().out
    assert note in folder.results()["notes"]


@pytest.mark.parametrize(
    ("settings", "died"),
    [
        (f"metrics: [{_METRIC}]\nslices: died", None),
        (f"metrics: [{_METRIC}]", ["1"] * 60),
        (f"metrics: [{_METRIC}]", [f"{i % 4}" for i in range(60)]),
        ("metrics: [{function: mean_absolute_error, column: time}]", None),
    ],
)
def test_a_column_that_says_something_else_is_no_column_of_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: str, died: list[str] | None
) -> None:
    assert survival(tmp_path, settings, died).run("--resamples", "100") == 0
    assert "ignores censoring" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "died", "says"),
    [
        ("dead", None, "scoring.yaml, line 1: reference: gold.csv has no column 'dead'"),
        (
            "died",
            ["1", "0", "unknown"] * 20,
            "line 4: column 'died' does not say whether",
        ),
        ("died", ["1", "", "0"] * 20, "line 3: column 'died' does not say whether"),
        ("died", ["0"] * 60, "holds no event, so concordance has no value"),
    ],
)
def test_events_that_say_nothing_are_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    died: list[str] | None,
    says: str,
) -> None:
    stated = f"reference: {{event: {settings}}}\nmetrics: [{_METRIC}]"
    assert survival(tmp_path, stated, died).run("--resamples", "100") == 2
    assert says in capsys.readouterr().err
