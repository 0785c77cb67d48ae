"""Files beside predictions: left aside if they cannot be predictions, unusable if broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring_program.commands.score import main

_ROWS = range(24)
_GOLD = "id,label\n" + "".join(f"x{i},{'ab'[i % 2]}\n" for i in _ROWS)
_SENT = "id,label\n" + "".join(f"x{i},{'abb'[i % 3]}\n" for i in _ROWS)
_NOTES = "We used a linear model.\n"


def _results(folder: Path, files: dict[str, str]) -> dict[str, object]:
    for name, text in files.items():
        path = folder / "input" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert main([str(folder / "input"), str(folder / "output"), "--resamples", "100"]) == 0
    results = json.loads((folder / "output" / "results.json").read_text(encoding="utf-8"))
    entries = sorted(entry["entry"] for entry in results["metrics"][0]["entries"])
    return {"entries": entries, "unusable": sorted(one["entry"] for one in results["unusable"])}


@pytest.mark.parametrize("name", ["narrative.txt", "metadata.json", "setup.json", "params.csv"])
def test_a_file_with_nothing_of_the_test_set_is_left_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    companions = {
        "narrative.txt": _NOTES,
        "metadata.json": '{"elapsed": 3.2}',
        "setup.json": '[{"layers": [{"of": [1, 2]}]}, 3]',
        "params.csv": "rate,epochs\n0.1,7\n",
    }
    files = {f"res/{team}/prediction.csv": _SENT for team in ("north", "south")}
    files |= {f"res/{team}/{name}": companions[name] for team in ("north", "south")}
    assert _results(tmp_path, {"ref/gold.csv": _GOLD, **files}) == {
        "entries": ["north", "south"], "unusable": [],
    }  # fmt: skip
    assert f"Not read as predictions: north/{name}, south/{name}." in capsys.readouterr().out


@pytest.mark.parametrize(
    "broken",
    [
        _SENT.replace("x", "y"),  # ids of another set
        "id,label\n",
        "key,label\nq1,a\n",
        "q1,a\n",
        '"x1,a\nx2,b\n',
        "x1 a\nx2 b\n",
    ],
)
def test_a_broken_run_is_no_companion(tmp_path: Path, broken: str) -> None:
    files = {"ref/gold.csv": _GOLD, "res/south.csv": _SENT}
    files |= {"res/north/run1.csv": _SENT, "res/north/run2.csv": broken}
    assert _results(tmp_path, files) == {
        "entries": ["north/run1", "south"], "unusable": ["north/run2"],
    }  # fmt: skip


@pytest.mark.parametrize("rows", [len(_ROWS), 9])
def test_the_training_data_are_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: int
) -> None:
    given = "id,label\n" + "".join(f"y{i},a\n" for i in range(rows))
    files = {f"res/{team}/test.csv": _SENT for team in ("north", "south")}
    files["res/north/train.csv"] = given
    assert _results(tmp_path, {"ref/gold.csv": _GOLD, **files}) == {
        "entries": ["north", "south"], "unusable": [],
    }  # fmt: skip
    assert "Not read as predictions: north/train.csv." in capsys.readouterr().out


def test_a_run_that_is_called_like_given_data_holds_ids_of_the_test_set(tmp_path: Path) -> None:
    files = {f"res/south/{name}.csv": _SENT for name in ("test", "train")}
    assert _results(tmp_path, {"ref/gold.csv": _GOLD, "res/north.csv": _SENT, **files}) == {
        "entries": ["north", "south/test", "south/train"], "unusable": [],
    }  # fmt: skip


@pytest.mark.parametrize("others", [(), ("east",)])
def test_a_file_for_another_task_that_most_teams_send_is_left_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], others: tuple[str, ...]
) -> None:
    files = {"ref/gold.csv": _GOLD} | {f"res/{team}/only.csv": _SENT for team in others}
    for team in ("north", "south"):
        files |= {
            f"res/{team}/first.csv": _SENT,
            f"res/{team}/second.csv": "id,label\ny1,a\ny2,b\n",
        }
    assert _results(tmp_path, files) == {
        "entries": sorted(["north", "south", *others]), "unusable": [],
    }  # fmt: skip
    told = "Not read as predictions: north/second.csv, south/second.csv."
    assert told in capsys.readouterr().out


def test_a_file_that_one_team_can_join_is_for_this_task(tmp_path: Path) -> None:
    files = {"ref/gold.csv": _GOLD, "res/east/first.csv": _SENT, "res/east/second.csv": _SENT}
    for team in ("north", "south"):
        files |= {
            f"res/{team}/first.csv": _SENT,
            f"res/{team}/second.csv": "id,label\ny1,a\ny2,b\n",
        }
    assert _results(tmp_path, files) == {
        "entries": ["east/first", "east/second", "north/first", "south/first"],
        "unusable": ["north/second", "south/second"],
    }


def test_texts_have_companions_too(tmp_path: Path) -> None:
    gold = "id,reference\n" + "".join(f"x{i},it is {i}\n" for i in _ROWS)
    sent = gold.replace("reference", "prediction").replace("is 7", "was 7")
    files = {f"res/{team}/prediction.csv": sent for team in ("north", "south")}
    files |= {f"res/{team}/narrative.txt": _NOTES for team in ("north", "south")}
    settings = {"ref/scoring.yaml": "metrics: [exact_match]\n"}
    assert _results(tmp_path, {"ref/gold.csv": gold, **settings, **files}) == {
        "entries": ["north", "south"], "unusable": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    "settings", ["other_tasks: [second]", "submissions: {leave_aside: [second.csv]}"]
)
@pytest.mark.parametrize("tasks", [["gold"], ["first", "third"]])
def test_files_that_settings_name_are_left_aside(
    tmp_path: Path, settings: str, tasks: list[str]
) -> None:
    names = ["first"] if len(tasks) == 1 else tasks
    files = {"ref/scoring.yaml": f"metrics: [accuracy]\n{settings}\n"}
    files |= {f"ref/{task}.csv": _GOLD.replace("x", task[0]) for task in tasks}
    for team in ("north", "south"):
        for task, name in zip(tasks, names, strict=True):
            files[f"res/{team}/{name}.csv"] = _SENT.replace("x", task[0])
        files[f"res/{team}/second.csv"] = _SENT
    files["res/east/second.csv"] = _SENT
    found = _results(tmp_path, files)
    assert found == {"entries": ["north", "south"], "unusable": ["east"]}


@pytest.mark.parametrize(
    "settings",
    ["other_tasks: [narrative, sceond]", "submissions: {leave_aside: [narrative.txt, sceond.csv]}"],
)
@pytest.mark.parametrize("hidden", ["true", "false"])
def test_the_log_tells_once_which_names_no_upload_has(
    tmp_path: Path, settings: str, hidden: str
) -> None:
    files = {
        "ref/gold.csv": _GOLD,
        "ref/scoring.yaml": f"metrics: [accuracy]\nanonymize: {hidden}\n{settings}\n",
    }
    for team in ("north", "south"):
        files[f"res/{team}/answers.csv"] = _SENT
    files["res/north/narrative.txt"] = _NOTES
    _results(tmp_path, files)
    results = json.loads((tmp_path / "output" / "results.json").read_text(encoding="utf-8"))
    (told,) = [note for note in results["notes"] if "which the settings leave aside" in note]
    assert "'sceond" in told
    assert "narrative" not in told


def test_the_author_of_a_single_upload_is_told_nothing_of_it(tmp_path: Path) -> None:
    files = {
        "ref/gold.csv": _GOLD,
        "ref/scoring.yaml": "metrics: [accuracy]\nother_tasks: [second]\n",
        "res/answers.csv": _SENT,
    }
    _results(tmp_path, files)
    text = (tmp_path / "output" / "results.json").read_text(encoding="utf-8")
    assert "which the settings leave aside" not in text
