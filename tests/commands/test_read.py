"""How files are read is shown, kept in the settings, and then carried out without a guess."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from scoring_program.api.how_read import HowRead
from scoring_program.commands import read, score
from tests.competitions import EXAMPLE
from tests.sweeps import thinned

N = 40
IDS = [f"t{number:02}" for number in range(N)]
LABELS = ["yes" if number % 3 else "no" for number in range(N)]
FLAGS = ["1" if number % 3 else "0" for number in range(N)]
NUMBERS = [f"{number * 7 % 31}.5" for number in range(N)]
FEW = ["--resamples", "100", "--workers", "1"]


def written(folder: Path, columns: dict[str, list[str]]) -> None:
    """Write a CSV file of named columns."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    rows = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
    folder.write_text("\n".join(rows) + "\n", encoding="utf-8")


def moved(cells: list[str], step: int) -> list[str]:
    """Return cells of which every fifth is another one."""
    return [cells[(i + step) % N] if i % 5 == 0 else cell for i, cell in enumerate(cells)]


def scores_of(step: int) -> list[str]:
    """Return scores between 0 and 1, mostly higher where the flag is 1."""
    return [f"{0.2 + 0.5 * int(f) + (i * step % 7) / 25:.3f}" for i, f in enumerate(FLAGS)]


def cut(scores: list[str]) -> list[str]:
    """Return the labels that a threshold makes of scores."""
    return ["1" if float(score) >= 0.8 else "0" for score in scores]


Columns = dict[str, list[str]]
#: Kind of rows → settings, the gold's columns, and those of the n-th team.
ROWS: Mapping[str, tuple[str, Columns, Callable[[int], Columns]]] = {
    "labels": ("metrics: [accuracy_score]", {"id": IDS, "label": LABELS},
               lambda n: {"id": IDS, "verdict": moved(LABELS, n)}),
    "numbers": ("metrics: [mean_absolute_error]", {"id": IDS, "price": NUMBERS},
                lambda n: {"id": IDS, "guess": moved(NUMBERS, n)}),
    "scores": ("metrics: [roc_auc_score]", {"id": IDS, "label": FLAGS},
               lambda n: {"id": IDS, "p": scores_of(n + 1)}),
    "probabilities": (
        "metrics: [{log_loss: {pos_label: 'yes'}}]", {"id": IDS, "label": LABELS},
        lambda n: {"id": IDS, "no": [f"{1 - float(p):.3f}" for p in scores_of(n + 1)],
                   "yes": scores_of(n + 1)},
    ),
    "labels and scores": (
        "metrics: [accuracy_score, roc_auc_score]", {"id": IDS, "label": FLAGS},
        lambda n: {"id": IDS, "label": cut(scores_of(n + 1)), "p": scores_of(n + 1)},
    ),
    "several targets": (
        "metrics: [{name: a, function: mean_absolute_error, column: calm},"
        " {name: b, function: mean_absolute_error, column: joy}]",
        {"id": IDS, "calm": NUMBERS, "joy": NUMBERS[::-1]},
        lambda n: {"id": IDS, "calm": moved(NUMBERS, n), "joy": moved(NUMBERS[::-1], n)},
    ),
    "position": ("metrics: [accuracy_score]", {"label": LABELS},
                 lambda n: {"label": moved(LABELS, n)}),
    "a key of two columns": (
        "metrics: [accuracy_score]",
        {"user": [i[:2] for i in IDS], "item": [i[2:] for i in IDS], "label": LABELS},
        lambda n: {"user": [i[:2] for i in IDS], "item": [i[2:] for i in IDS],
                   "label": moved(LABELS, n)},
    ),
}  # fmt: skip


def made(folder: Path, kind: str) -> Path:
    """Write the INPUT of a kind of rows, with three teams."""
    settings, gold, team = ROWS[kind]
    written(folder / "ref" / "gold.csv", gold)
    (folder / "ref" / "scoring.yaml").write_text(f"# Ours.\n{settings}\n", encoding="utf-8")
    for number in (1, 2, 3):
        written(folder / "res" / f"team{number}.csv", team(number))
    return folder


def scored(folder: Path, output: Path) -> bytes:
    assert score.main([str(folder), str(output), *FEW]) == 0
    return (output / "scores.txt").read_bytes()


@pytest.mark.parametrize("kind", thinned(ROWS, 2))
def test_a_frozen_run_is_the_run_that_was_frozen(kind: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "in", kind)
    before = scored(folder, tmp_path / "before")
    assert read.main([str(folder), "--freeze"]) == 0
    stated = yaml.safe_load((folder / "ref" / "scoring.yaml").read_text(encoding="utf-8"))
    assert {"reference", "submissions"} <= stated.keys()
    assert scored(folder, tmp_path / "after") == before


def test_the_example_is_scored_alike(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "in"))
    before = scored(folder, tmp_path / "before")
    assert read.main([str(folder), "--freeze"]) == 0
    assert scored(folder, tmp_path / "after") == before


def test_how_files_are_read_is_shown_with_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path, "labels")
    text = (folder / "ref" / "scoring.yaml").read_bytes()
    assert read.main([str(folder)]) == 0
    told = capsys.readouterr().out
    assert "prediction  verdict (proven: no other column fits)" in told
    assert (
        "  submissions: {columns: {id: id, prediction: verdict}, header: true, join: key}" in told
    )
    assert (folder / "ref" / "scoring.yaml").read_bytes() == text


def test_before_the_first_upload_it_says_what_participants_are_to_send(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path / "in", "a key of two columns")
    shutil.move(folder / "res", tmp_path / "res")
    words = "Participants are to send predictions in label, joined by user_id, item."
    gold = folder / "ref" / "gold.csv"
    gold.write_text(gold.read_text(encoding="utf-8").replace("user", "user_id"), encoding="utf-8")
    assert read.main([str(folder)]) == 0
    assert words in capsys.readouterr().out
    (folder / "res").mkdir()
    assert read.main([str(folder), "--freeze"]) == 0
    told = capsys.readouterr().out
    assert words in told
    assert "submissions: {columns: {id: [user_id, item], prediction: label}" in told


def test_what_stands_in_the_settings_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path, "labels")
    path = folder / "ref" / "scoring.yaml"
    before = path.read_text(encoding="utf-8")
    assert read.main([str(folder), "--freeze"]) == 0
    once = path.read_text(encoding="utf-8")
    assert once.startswith(before)
    assert read.main([str(folder), "--freeze"]) == 0
    assert path.read_text(encoding="utf-8") == once
    assert "ref/scoring.yaml states it already." in capsys.readouterr().out


def stating_a_part(tmp_path: Path) -> tuple[Path, Path]:
    """Return a competition and its settings, which state a part of what is read."""
    folder = made(tmp_path, "labels")
    path = folder / "ref" / "scoring.yaml"
    with path.open("a", encoding="utf-8") as stream:
        stream.write("submissions: {columns: {prediction: verdict}}  # ours\n")
    return folder, path


def test_lines_end_as_they_did(tmp_path: Path) -> None:
    folder, path = stating_a_part(tmp_path)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8", newline="\r\n")
    assert read.main([str(folder), "--freeze"]) == 0
    content = path.read_bytes()
    assert b"join: key}  # ours\r\n" in content
    assert content.count(b"\n") == content.count(b"\r\n")


def test_a_key_that_differs_is_shown_and_not_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, path = stating_a_part(tmp_path)
    before = path.read_text(encoding="utf-8")
    columns = {"id": "id", "prediction": "guess"}
    read_otherwise = {"reference": {"header": True}, "submissions": {"columns": columns}}
    monkeypatch.setattr(HowRead, "frozen", read_otherwise)
    assert read.main([str(folder), "--freeze"]) == 2
    after = path.read_text(encoding="utf-8")
    assert after == f"{before}reference: {{header: true}}\n"
    told = capsys.readouterr().err
    assert "  submissions: {columns: {id: id, prediction: guess}}" in told


def test_a_key_that_states_a_part_is_completed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, path = stating_a_part(tmp_path)
    before = path.read_text(encoding="utf-8")
    assert read.main([str(folder), "--freeze"]) == 0
    assert (
        "\n  submissions: {columns: {id: id}, header: true, join: key}" in capsys.readouterr().out
    )
    line = (
        "submissions: {columns: {prediction: verdict, id: id}, header: true, join: key}  # ours\n"
    )
    after = path.read_text(encoding="utf-8")
    assert line in after
    assert after.replace(
        line, "submissions: {columns: {prediction: verdict}}  # ours\n"
    ).startswith(before)
    assert read.main([str(folder), "--freeze"]) == 0
    assert path.read_text(encoding="utf-8") == after


def test_what_is_open_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = made(tmp_path, "numbers")
    for number in (1, 2, 3):
        columns = {"id": IDS, "a": moved(NUMBERS, number), "b": moved(NUMBERS, number + 4)}
        written(folder / "res" / f"team{number}.csv", columns)
    assert read.main([str(folder)]) == 2
    told = capsys.readouterr().err
    assert "  submissions: {columns: {prediction: a}}  # " in told
    assert "  submissions: {columns: {prediction: b}}  # " in told


@pytest.mark.parametrize(
    ("kind", "columns", "reason"),
    [
        ("labels", {"id": IDS, "label": LABELS}, "there is no column 'verdict'"),
        ("labels", {"a": IDS, "b": LABELS}, "write a header such as 'id,verdict'"),
        ("labels", {"id": IDS, "verdict": ["yes"] * N, "other": LABELS},
         "column 'verdict' is constant, and 'other' may hold the prediction"),
        ("scores", {"id": IDS, "p": scores_of(2), "label": LABELS},
         None),
        ("scores", {"id": IDS, "p": ["0.9", "0.6"] * (N // 2), "label": FLAGS}, None),
        ("scores", {"id": IDS, "p": [f"{0.5 + i % 9 / 20}" for i in range(N)], "label": FLAGS},
         "column 'p' may say how sure the label in 'label' is"),
    ],
)  # fmt: skip
def test_an_upload_is_read_by_the_stated_names_alone(
    kind: str,
    columns: dict[str, list[str]],
    reason: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = made(tmp_path / "in", kind)
    assert read.main([str(folder), "--freeze"]) == 0
    shutil.rmtree(folder / "res")
    written(folder / "res" / "upload.csv", columns)
    capsys.readouterr()
    status = score.main([str(folder), str(tmp_path / "out"), *FEW])
    assert status == (0 if reason is None else 1)
    if reason is not None:
        assert reason in capsys.readouterr().err


def test_further_columns_are_listed_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path / "in", "labels")
    assert read.main([str(folder), "--freeze"]) == 0
    shutil.rmtree(folder / "res")
    columns = {"id": IDS, "verdict": moved(LABELS, 1), "runtime": NUMBERS}
    written(folder / "res" / "upload.csv", columns)
    capsys.readouterr()
    assert score.main([str(folder), str(tmp_path / "out"), *FEW]) == 0
    assert "predictions in verdict. Not read: 'runtime'" in capsys.readouterr().out
    path = folder / "ref" / "scoring.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("join: key}", "join: key, others: error}"), encoding="utf-8")
    assert score.main([str(folder), str(tmp_path / "strict"), *FEW]) == 1
    assert "'runtime' is not asked for; leave it out" in capsys.readouterr().err
