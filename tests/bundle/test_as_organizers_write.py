"""What competition.yaml files of public repositories hold, and the example does not."""

from __future__ import annotations

import shutil
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle import description
from scoring_program.bundle.archive import pack, tree
from scoring_program.bundle.build import build
from scoring_program.core.errors import OrganizerError, SettingsError
from tests.bundle.made import Change, edited, members, put

START = date(2026, 1, 1)


def notes(path: Path) -> str:
    """Return what the organizer is told of a competition.yaml that is taken."""
    return "\n".join(description.load(path, START).notes)


def test_keys_that_codabench_does_not_read_are_left_out(folder: Path) -> None:
    edited(folder, put("has_registration", value=True))
    edited(folder, put("tasks", 0, "is_public", value=False))
    path = edited(folder, put("phases", 1, "color", value="green"))
    assert notes(path) == (
        "Left out, because Codabench does not read it: tasks[0].is_public, phases[1].color, "
        "has_registration."
    )
    packed = yaml.safe_load(members(build(path, rehearsed=False))["competition.yaml"])
    assert "has_registration" not in packed
    assert "is_public" not in packed["tasks"][0]


def test_the_form_of_codalab_is_told_in_one_sentence(folder: Path) -> None:
    document = {"title": "T", "html": {"terms": "terms.html"}, "phases": {1: {"phasenumber": 1}}}
    path = folder / "competition.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        description.load(path, START)
    assert "this is the form of CodaLab 1.5; write it in the form of Codabench" in str(
        refused.value
    )
    assert "\n" not in str(refused.value)


def test_what_has_a_default_is_set(folder: Path) -> None:
    edited(folder, put("docker_image", value=None))
    edited(folder, put("enable_detailed_results", value=None))
    edited(folder, put("leaderboards", 0, "columns", 0, "sorting", value=None))
    edited(folder, put("leaderboards", 0, "columns", 0, "precision", value=None))
    path = edited(folder, put("phases", 0, "index", value=None))
    edited(folder, put("phases", 1, "index", value=None))
    told = notes(path)
    assert "docker_image: is not set; the bundle names codalab/codalab-legacy:py312" in told
    assert "enable_detailed_results: is not set; the bundle says true" in told
    packed = yaml.safe_load(members(build(path, rehearsed=False))["competition.yaml"])
    assert packed["docker_image"] == "codalab/codalab-legacy:py312"
    assert packed["enable_detailed_results"] is True
    column = packed["leaderboards"][0]["columns"][0]
    assert (column["sorting"], column["precision"]) == ("desc", 2)
    assert [phase["index"] for phase in packed["phases"]] == [0, 1]


def test_what_is_empty_counts_as_missing(folder: Path) -> None:
    edited(folder, put("tasks", 0, "description", value=""))
    path = edited(folder, put("phases", 0, "starting_kit", value=" "))
    packed = yaml.safe_load(members(build(path, rehearsed=False))["competition.yaml"])
    assert "description" not in packed["tasks"][0]
    assert "starting_kit" not in packed["phases"][0]


def test_a_default_image_has_the_python_that_is_stated(folder: Path) -> None:
    edited(folder, put("docker_image", value=None))
    stated = {"python": "3.11", "image_holds": "nothing"}
    path = edited(folder, put("deadheat", value=stated))
    with pytest.raises(SettingsError, match="docker_image: is missing; name the image"):
        description.load(path, START)


def test_aliases_are_written_out(folder: Path) -> None:
    path = folder / "competition.yaml"
    text = path.read_text(encoding="utf-8")
    aliased = text.replace("  end: +90 days\n", "  end: &end +90 days\n", 1)
    aliased = aliased.replace("  name: For the organizers\n", "  name: *end\n", 1)
    assert aliased.count("*end") == 1
    path.write_text(aliased, encoding="utf-8")
    assert description.load(path, START).document["phases"][1]["name"] == "+90 days"
    assert "*" not in members(build(path, rehearsed=False))["competition.yaml"].decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("&a [*a]", "stands within the value that it names"),
        ("{a: &a [1, 1], b: &b [*a, *a], c: [*b, *b]}", ""),
        (
            "[&a [1, 1, 1, 1, 1, 1, 1, 1], &b [*a, *a, *a, *a, *a, *a, *a, *a], "
            "&c [*b, *b, *b, *b, *b, *b, *b, *b], &d [*c, *c, *c, *c, *c, *c, *c, *c], "
            "[*d, *d, *d, *d, *d, *d, *d, *d]]",
            "expand to more than 10000 values",
        ),
    ],
)
def test_aliases_that_would_fill_the_memory(folder: Path, text: str, message: str) -> None:
    path = folder / "competition.yaml"
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"more: {text}\n")
    if not message:
        assert "more" in notes(path)
        return
    with pytest.raises(SettingsError, match=message):
        description.load(path, START)


def test_reference_data_in_a_zip(folder: Path) -> None:
    of_folder = members(build(folder / "competition.yaml", rehearsed=False))
    reference = folder / "example/input/ref"
    (folder / "ref.zip").write_bytes(pack(tree(reference)))
    edited(folder, put("tasks", 1, "reference_data", value="ref.zip"))
    path = edited(folder, put("tasks", 0, "reference_data", value="ref.zip"))
    shutil.rmtree(reference)
    assert members(build(path, rehearsed=False)) == of_folder


def test_an_empty_zip_of_reference_data(folder: Path) -> None:
    (folder / "ref.zip").write_bytes(pack({}))
    path = edited(folder, put("tasks", 0, "reference_data", value="ref.zip"))
    with pytest.raises(SettingsError, match=r"the archive ref\.zip is empty"):
        description.load(path, START)


def test_a_seed_cannot_be_kept_in_a_zip(folder: Path) -> None:
    (folder / "ref.zip").write_bytes(pack(tree(folder / "example/input/ref")))
    edited(folder, put("tasks", 0, "deadheat", "settings", "seed", value=None))
    path = edited(folder, put("tasks", 0, "reference_data", value="ref.zip"))
    before = (folder / "ref.zip").read_bytes()
    lines: list[str] = []
    build(path, keep_seed=True, rehearsed=False, log=lines.append)
    assert any("copy 'seed' from scoring.yaml in reference_data_0.zip" in line for line in lines)
    assert (folder / "ref.zip").read_bytes() == before


@pytest.mark.parametrize("name", ["theirs/", "theirs.zip"])
def test_another_scoring_program_is_replaced_and_not_needed(folder: Path, name: str) -> None:
    edited(folder, put("tasks", 1, "scoring_program", value="scoring_program/"))
    path = edited(folder, put("tasks", 0, "scoring_program", value=name))
    assert notes(path) == f"tasks[0]: scoring_program: Deadheat is packed in place of {name}"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put("tasks", 0, "reference_data", value="theirs.zip"), "tasks[0]: reference_data"),
        (put("solutions", 0, "path", value="theirs.zip"), "solutions[0]: path"),
    ],
)
def test_the_folder_of_an_archive_that_is_not_packed_yet_is_named(
    folder: Path, change: Change, place: str
) -> None:
    (folder / "theirs").mkdir()
    with pytest.raises(SettingsError) as refused:
        description.load(edited(folder, change), START)
    assert place in str(refused.value)
    assert "theirs.zip; there is a folder theirs: name it instead" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2-1-2026", datetime(2026, 2, 1)),
        ("12-31-2026", datetime(2026, 12, 31)),
        ("31-12-2026", datetime(2026, 12, 31)),
        ("1/2/2026 13:30:00", datetime(2026, 1, 2, 13, 30)),
        ("2026-1-2", datetime(2026, 1, 2)),
        ("2024-11-1 00:00:00+00:00", datetime(2024, 11, 1)),
        ("2026-03-25 6:00", datetime(2026, 3, 25, 6)),
        ("3/25/2026 6:00:30", datetime(2026, 3, 25, 6, 0, 30)),
        ("2026-03-25 26:00", None),
        ("31-31-2026", None),
        ("2-1-26", None),
    ],
)
def test_dates_as_codabench_reads_them(text: str, moment: datetime | None) -> None:
    assert description.moment(text) == moment


def _takes_code(folder: Path, rehearsal: str | None) -> Path:
    """Give the first task an ingestion program, and a solution that is code."""
    for name, text in {"ingestion/run.py": "print(1)\n", "code/model.py": "print(2)\n"}.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
    edited(folder, put("tasks", 0, "ingestion_program", value="ingestion"))
    edited(folder, put("tasks", 0, "deadheat", "rehearsal", value=rehearsal))
    return edited(folder, put("solutions", 0, "path", value="code"))


@pytest.mark.full
def test_code_is_rehearsed_with_the_predictions_that_are_named(folder: Path) -> None:
    shutil.copytree(folder / "example/sample_solution", folder / "ours")
    path = _takes_code(folder, "ours")
    columns = ("leaderboards", 0, "columns")
    edited(folder, put(*columns, 1, "key", value="duration"))
    lines: list[str] = []
    build(path, log=lines.append)
    tried = [line.partition(": ")[0] for line in lines if "tried" in line]
    assert tried == ["Task 0 tried on ours", "Task 1 tried on example/input/res"]
    edited(folder, put("tasks", 0, "ingestion_program", value=None))
    edited(folder, put("solutions", value=[]))
    with pytest.raises(SettingsError, match="does not write 'duration'"):
        build(path)


def test_predictions_that_a_starting_kit_shows_are_no_secret(folder: Path) -> None:
    shutil.copytree(folder / "example/sample_solution", folder / "example/starting_kit/sample")
    path = _takes_code(folder, "example/starting_kit/sample")
    build(path)
    shutil.copytree(folder / "example/sample_solution", folder / "ours")
    edited(folder, put("tasks", 0, "deadheat", "rehearsal", value="ours"))
    with pytest.raises(SettingsError, match="rehearsal of task 0"):
        build(path)


def test_code_without_predictions_is_not_tried(folder: Path) -> None:
    edited(folder, put("tasks", 0, "deadheat", "rehearsal", value="code"))
    path = _takes_code(folder, None)
    lines: list[str] = []
    build(path, log=lines.append)
    (untried,) = (line for line in lines if "were not tried" in line)
    assert "name predictions, as the ingestion program leaves them," in untried


def test_a_failed_rehearsal_names_its_task_and_submission(folder: Path) -> None:
    (folder / "code").mkdir()
    (folder / "code/model.py").write_text("print(2)\n", encoding="utf-8")
    path = edited(folder, put("solutions", value=[]))
    edited(folder, put("tasks", 0, "deadheat", "rehearsal", value="code"))
    with pytest.raises(OrganizerError, match=r"\ATask 0 tried on code: the packed program fails"):
        build(path)


def _columns(*keys: str) -> list[dict[str, Any]]:
    return [
        {"index": index, "key": key, "title": key, "sorting": "desc", "precision": 2}
        for index, key in enumerate(keys)
    ]


def test_a_key_of_a_leaderboard_is_answered_with_the_line_to_write(folder: Path) -> None:
    columns = _columns("set1_score", "precision_score", "recall_score")
    path = edited(folder, put("leaderboards", 0, "columns", value=columns))
    with pytest.raises(SettingsError) as refused:
        build(path)
    told = str(refused.value)
    assert "If this column shows 'f1_score', write 'key: f1_score' in it; or keep its key" in told
    assert "write 'metrics: [{name: set1_score, function: f1_score}]' in scoring.yaml" in told


def test_no_metric_is_offered_to_a_column_that_may_show_another(folder: Path) -> None:
    columns = _columns("set1_score", "other_score")
    path = edited(folder, put("leaderboards", 0, "columns", value=columns))
    with pytest.raises(SettingsError) as refused:
        build(path)
    told = str(refused.value)
    assert "[{name: set1_score, function: FUNCTION}]" in told
    assert "[{name: other_score, function: FUNCTION}]" in told
    assert "If this column" not in told
