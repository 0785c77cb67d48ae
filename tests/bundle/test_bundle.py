"""The bundle: complete, deterministic, and refused for every reason that a platform has."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle import description, frozen, kit, rehearsal
from scoring_program.bundle.archive import pack
from scoring_program.bundle.build import _reference, build, flat
from scoring_program.commands import new
from scoring_program.commands.bundle import main
from scoring_program.core.errors import OrganizerError, SettingsError
from scoring_program.settings import loading
from scoring_program.settings.checks import keys_of
from tests.bundle.made import ROWS, Change, edited, members, put
from tests.platform import unpackers
from tests.sweeps import swept

START = date(2026, 1, 1)
REPOSITORY = Path(__file__).resolve().parents[2]
#: The bundle command where the image lacks nothing, so that no wheel is needed.
_COMMAND = """\
import sys
from scoring_program.bundle import program
from scoring_program.commands.bundle import main
from tests.bundle.made import NOTHING_CARRIED
program.IMAGES["codalab/codalab-legacy:py312"] = NOTHING_CARRIED
sys.exit(main())
"""

#: What only this program asks for, or what the platform cannot know of the files.
REFUSED: dict[str, tuple[Change, str]] = {
    "image of text": (put("image", value="example/pages/terms.md"), "not a PNG, JPEG or GIF"),
    "image folder": (put("image", value="example"), "example is a folder; expected a file"),
    "page of bytes": (put("pages", 0, "file", value="example/pages/logo.png"), "not UTF-8 text"),
    "misspelt key": (put("deadheet", value={}), "unknown key 'deadheet'; did you mean 'deadheat'"),
    "a list for a mapping": (put("tasks", 0, value=[1]), r"tasks\[0\]: expected lines of the form"),
    "a mapping for a list": (put("phases", value={"a": 1}), "phases: expected a list"),
    "reference is a file": (
        put("tasks", 0, "reference_data", value="example/input/ref/gold.csv"),
        "gold.csv is neither a folder nor a zip archive",
    ),
    "field": (put("tasks", 0, "deadheat", "field", value="x"), "field: there is no file x"),
    "rehearsal": (
        put("tasks", 1, "deadheat", "rehearsal", value="x"),
        "rehearsal: there is no file x",
    ),
    "own key": (put("tasks", 0, "deadheat", "fields", value="x"), "unknown key 'fields'"),
    "own setting": (
        put("tasks", 0, "deadheat", "settings", value={"layout": "x"}),
        "layout: expected one of",
    ),
    "days without a sign": (put("phases", 0, "end", value="90 days"), "end: expected a date"),
    "days that are none": (put("phases", 0, "end", value="+9.5 days"), "end: expected a date"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_built(folder: Path, name: str) -> None:
    change, message = REFUSED[name]
    with pytest.raises(SettingsError, match=message):
        build(edited(folder, change), rehearsed=False)


def nodes(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of every value in a document, lists and mappings included."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, item in items:
        yield (*place, key)
        yield from nodes(item, (*place, key))


#: What stands where something else is expected.
WRONG: tuple[Any, ...] = (
    [], [1], {}, {"a": 1}, 7, -1, 1.5, float("nan"), None, True, False, "", " ", "x", "\0",
    ["x"], [None], [[]], [{}], 10**30,
)  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param((..., 7), id="short"),
        pytest.param((..., *WRONG), id="full", marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize(
    "top", yaml.safe_load((REPOSITORY / "competition.yaml").read_text(encoding="utf-8"))
)
def test_any_value_gone_or_of_another_kind(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    top: str,
    wrong: tuple[Any, ...],
) -> None:
    """Each is taken, and then by the platform too, or refused with a reason and nothing written."""
    path = folder / "competition.yaml"
    right = yaml.safe_load(path.read_text(encoding="utf-8"))
    keys = [column["key"] for column in right["leaderboards"][0]["columns"]]
    changed: dict[str, Any] = {}
    read = loading.read_yaml

    def read_yaml(file: Path, *, aliases: bool = False) -> tuple[Any, Any]:
        return (None, changed["document"]) if file == path else read(file, aliases=aliases)

    monkeypatch.setattr(description, "read_yaml", read_yaml)
    monkeypatch.setattr("scoring_program.bundle.program.files", lambda *needed: {})
    done = rehearsal.RehearsalResult(dict.fromkeys(keys, 0.0), {"f1_score": True}, ())
    monkeypatch.setattr("scoring_program.bundle.build.rehearse", lambda *args: done)
    full = len(wrong) > 2
    if not full:  # the search for leaks takes half of the time
        monkeypatch.setattr("scoring_program.bundle.leaks.problems", lambda *args: ())
    output = folder / "made.zip"
    statuses = []
    places = [(top,), *nodes(right[top], (top,))]
    for place in places if full else places[::12]:
        for value in wrong:
            changed["document"] = copy.deepcopy(right)
            parent = changed["document"]
            for key in place[:-1]:
                parent = parent[key]
            if value is ...:
                del parent[place[-1]]
            else:
                parent[place[-1]] = value
            for dialect in ([], ["--codalab"]):
                status = main(["--competition", str(path), "-o", str(output), *dialect])
                said = capsys.readouterr().err
                assert status in (0, 2), (place, value, said)
                assert (status == 0) == output.exists(), (place, value)
                statuses.append(status)
                if status:
                    assert "competition.yaml: " in said, (place, value, said)
                    # Named by its place, or by what it was needed for elsewhere.
                    assert top.rstrip("s") in said, (place, value, said)
                    break  # what Codabench refuses, CodaLab does too
                unpack = unpackers.codalab if dialect else unpackers.codabench
                unpack(members(output.read_bytes()))
                output.unlink()
    assert 2 in statuses or top == "description" or not full
    assert sorted(item.name for item in folder.iterdir()) == ["competition.yaml", "example"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metrics: [f1_score\n", "not valid YAML"),
        ("- a\n", "expected lines of the form 'key: value'"),
        ("7\n", "expected lines of the form 'key: value'"),
        ("metrics: {a: 1, b: 2}\n", "write a metric as"),
        ("seed: 1\nseed: 2\n", "'seed' appears twice"),
        ("metrics:\n  - f1_score: {average: macro, average: micro}\n", "'average' appears twice"),
        ("resample: 1000\n", "did you mean 'resamples'"),
        ("resamples: [1]\n", "expected a whole number"),
        ("title: \xff\n", "save it as UTF-8"),
        ("layout: single\n", "'layout' is also set"),
        ("seed: &a 1\nworkers: *a\n", "aliases"),
    ],
)
def test_broken_settings_in_the_reference_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    text: str, message: str,
) -> None:  # fmt: skip
    (folder / "example" / "input" / "ref" / "scoring.yaml").write_bytes(text.encode("latin-1"))
    monkeypatch.chdir(folder)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "competition.yaml: " in said
    assert r"tasks[0]" in said
    assert "scoring.yaml" in said
    assert not (folder / "bundle.zip").exists()


def test_logs_and_tables_of_scores_need_no_platform(tmp_path: Path) -> None:
    assert new.main([str(tmp_path / "mine")]) == 0
    gold = next((tmp_path / "mine/ref").glob("gold.*"))
    gold.rename(tmp_path / gold.name)
    with pytest.raises(OrganizerError, match="compare them on your own machine"):
        build(tmp_path / "mine/competition.yaml")


def test_settings_by_another_name_are_not_passed_over(folder: Path) -> None:
    path = folder / "example" / "input" / "ref" / "scoring.yaml"
    path.rename(path.with_suffix(".yml"))
    with pytest.raises(SettingsError, match=r"must be in scoring\.yaml; rename scoring\.yml"):
        build(folder / "competition.yaml", rehearsed=False)


@pytest.mark.parametrize(
    "text",
    swept(
        [
            "{seed: 7, metrics: [accuracy_score]}",
            "seed: 7\nmetrics: [accuracy_score]\n...\n",
            "---\nseed: 7\nmetrics:\n- accuracy_score",
            "# ours\n--- # still ours\n{seed: 7,\n metrics: [accuracy_score]}\n...",
            '{"seed": 7, "metrics": ["accuracy_score"]}',
        ],
        fast=2,
    ),
)
def test_settings_in_any_style_are_completed(folder: Path, text: str) -> None:
    reference = folder / "example" / "input" / "ref"
    (reference / "scoring.yaml").write_text("\ufeff" + text, encoding="utf-8")
    path = edited(folder, put("tasks", 0, "deadheat", "settings", "seed", value=None))
    found = members(build(path, rehearsed=False))
    packed = members(found["reference_data_0.zip"])["scoring.yaml"]
    (reference / "scoring.yaml").write_bytes(packed)
    chosen = loading.load(reference / "scoring.yaml")
    assert (chosen.seed, chosen.layout, chosen.time_budget) == (7, "single", 300)
    assert [spec.name for spec in chosen.metrics] == ["accuracy_score"]


def test_settings_keep_what_they_say(folder: Path) -> None:
    text = "labels: [yes, 'no', 2021-01-01, ü, 7]\ntitle: 'on: off'\ntime_budget: 9\nseed: 0x10\n"
    reference = folder / "example" / "input" / "ref"
    (reference / "scoring.yaml").write_text(text, encoding="utf-8")
    before = loading.load(reference / "scoring.yaml")
    settings = put("tasks", 0, "deadheat", "settings", value={})
    of = description.load(edited(folder, settings), START)
    packed = _reference(of, of.document["tasks"][0], 1)["scoring.yaml"]
    (reference / "scoring.yaml").write_bytes(packed)
    assert loading.load(reference / "scoring.yaml") == loading.update(
        before, {"layout": "single", "color_scheme": "light", "participants": "score"}, {}
    )


def test_all_problems_are_told_together(folder: Path) -> None:
    path = edited(
        folder, lambda document: [document.pop(key) for key in ("title", "image", "terms")]
    )
    with pytest.raises(SettingsError) as caught:
        description.load(path, START)
    assert str(caught.value).count("  - ") == 3


def test_empty_page_is_refused(folder: Path) -> None:
    (folder / "example" / "pages" / "overview.md").write_text("")
    with pytest.raises(SettingsError, match=r"overview\.md is empty"):
        description.load(folder / "competition.yaml", START)


@pytest.mark.parametrize("text", ["- a", "a: [", "", "a: &b 1\nc: *b\n", "a: 1\na: 2\n"])
def test_unreadable_competition(tmp_path: Path, text: str) -> None:
    path = tmp_path / "competition.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"competition\.yaml"):
        description.load(path, START)


def test_setting_in_two_places(folder: Path) -> None:
    path = edited(folder, put("tasks", 0, "deadheat", "settings", value={"title": "x"}))
    with pytest.raises(SettingsError, match="'title' is also set in the reference data"):
        build(path, rehearsed=False)


@pytest.mark.full
def test_leaderboard_key_that_is_never_written(folder: Path) -> None:
    path = edited(folder, put("leaderboards", 0, "columns", 3, "key", value="precision"))
    with pytest.raises(SettingsError, match="the program does not write 'precision'"):
        build(path)


def test_primary_key_that_one_phase_does_not_write(folder: Path) -> None:
    path = edited(folder, put("leaderboards", 0, "columns", 0, "key", value="p_value"))
    with pytest.raises(SettingsError, match="the program does not write 'p_value'"):
        build(path)


@pytest.fixture
def regression(folder: Path) -> Path:
    """A competition by two errors, its leaderboard sorted as the example's."""
    (folder / "ref").mkdir()
    gold = [f"e{k},{k + 1}.5" for k in range(20)]
    (folder / "ref" / "gold.csv").write_text("\n".join(["id,label", *gold]))
    (folder / "ref" / "scoring.yaml").write_text(
        "resamples: 100\nmetrics:\n  - {name: rmsle, function: root_mean_squared_log_error}\n"
        "  - mean_absolute_error\n"
    )
    (folder / "res").mkdir()
    predictions = [f"e{k},{k + 2}" for k in range(20)]
    (folder / "res" / "p.csv").write_text("\n".join(["id,label", *predictions]))

    def change(document: dict[str, Any]) -> None:
        del document["tasks"][1], document["phases"][1]
        document["tasks"][0]["reference_data"] = "ref"
        document["solutions"][0]["path"] = "res"
        keys = ("rmsle", "rmsle_ci_low", "rmsle_ci_high", "mean_absolute_error", "n_examples")
        del document["tasks"][0]["deadheat"], document["leaderboards"][0]["columns"][len(keys) :]
        for column, key in zip(document["leaderboards"][0]["columns"], keys, strict=True):
            column["key"] = key

    return edited(folder, change)


@pytest.mark.parametrize("dialect", swept([[], ["--codalab"]]))
def test_errors_must_not_be_sorted_with_the_largest_on_top(
    regression: Path, capsys: pytest.CaptureFixture[str], dialect: list[str]
) -> None:
    output = regression.with_name("made.zip")
    command = ["--competition", str(regression), "-o", str(output), *dialect]
    assert main(command) == 2
    told = [line for line in capsys.readouterr().err.splitlines() if "leaderboards: " in line]
    sorting = "sorting: is desc, which puts the greatest value on top; must be asc, because"
    assert told == [
        f"  - leaderboards: '{key}': {sorting} smaller values of '{metric}' are better"
        for key, metric in (
            ("rmsle", "rmsle"),
            ("rmsle_ci_low", "rmsle"),
            ("rmsle_ci_high", "rmsle"),
            ("mean_absolute_error", "mean_absolute_error"),
        )
    ]
    assert not output.exists()

    def change(document: dict[str, Any]) -> None:
        for column in document["leaderboards"][0]["columns"][:4]:
            column["sorting"] = "asc"

    edited(regression.parent, change)
    assert main(command) == 0
    assert output.exists()


def columns_of(*sortings: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"index": index, "key": key, "sorting": sorting}
        for index, (key, sorting) in enumerate(sortings)
    ]


def tried(*written: str, **directions: bool) -> rehearsal.RehearsalResult:
    keys = (key for metric in directions for key in keys_of(metric))
    return rehearsal.RehearsalResult(dict.fromkeys([*keys, *written], 0.0), directions, ())


def of_columns(columns: list[dict[str, Any]], *done: rehearsal.RehearsalResult) -> list[str]:
    return list(rehearsal.misleading_columns([{"columns": columns}], done))


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("f1", "desc"),
        ("f1_ci_low", "desc"),
        ("f1_ci_high", "desc"),
        ("mae", "asc"),
        ("mae_ci_low", "asc"),
        ("mae_ci_high", "asc"),
        ("rank", "asc"),
        ("difference_from_leader", "asc"),
        ("distance_from_best", "asc"),
        ("tied_with_leader", "desc"),
        ("p_value", None),
        ("duration", None),
        ("n_teams", None),
        ("mae.Timen", None),
    ],
)
def test_sorting_that_each_key_needs(key: str, right: str | None) -> None:
    field = (
        "rank", "tied_with_leader", "distance_from_best", "difference_from_leader", "p_value"
    )  # fmt: skip
    done = tried(*field, "duration", "n_teams", "mae.Timen", f1=True, mae=False)
    for sorting in ("asc", "desc"):
        said = of_columns(columns_of((key, sorting)), done)
        assert len(said) == (right not in (None, sorting)), said
        assert all(f"{key!r}: sorting: is {sorting}" in line for line in said)
        assert all(f"must be {right}, because" in line for line in said)


def test_computed_column_is_sorted_as_what_it_is_made_of() -> None:
    made = {"computation": "avg", "computation_indexes": [1, 2]}
    columns = columns_of(("f1", "desc"), ("mae", "asc"), ("mse", "asc"))
    columns[0] |= made  # its key is a metric's, its values are not
    done = tried(f1=True, mae=False, mse=False)
    assert of_columns(columns, done) == [
        "leaderboards: 'f1': sorting: is desc, which puts the greatest value on top; must be asc, "
        "because it is the avg of 'mae', 'mse', which must be asc too"
    ]
    columns[0]["sorting"] = "asc"
    assert of_columns(columns, done) == []


@pytest.mark.parametrize("sorting", ["asc", "desc"])
@pytest.mark.parametrize("indexes", [[], [1, 2], [1, 3], [3], [4], [7]])
def test_computed_column_that_has_no_best_end(sorting: str, indexes: list[int]) -> None:
    columns = columns_of(
        ("all", sorting), ("f1", "desc"), ("mae", "asc"), ("n_teams", "asc"), ("more", "asc")
    )
    columns[0] |= {"computation": "sum", "computation_indexes": indexes}
    columns[4] |= {"computation": "sum", "computation_indexes": [3]}
    assert of_columns(columns, tried("n_teams", f1=True, mae=False)) == []
    del columns[0]["computation_indexes"]
    assert of_columns(columns, tried("n_teams", f1=True, mae=False)) == []


@pytest.mark.parametrize("sorting", ["asc", "desc"])
def test_metric_with_another_direction_in_each_task(sorting: str) -> None:
    (said,) = of_columns(columns_of(("score", sorting)), tried(score=True), tried(score=False))
    assert "'score': sorting: neither order fits" in said
    assert "greater values of 'score' are better in one task" in said


def test_keys_that_the_program_does_write_are_listed() -> None:
    columns = columns_of(("f1", "desc"), ("recal", "desc"))
    assert of_columns(columns, tried("n_teams", f1=True, recall=True)) == [
        "leaderboards: the program does not write 'recal'; use one of f1, f1_ci_low, f1_ci_high, "
        "recall, recall_ci_low, recall_ci_high, n_teams; did you mean 'recall'?"
    ]
    (said,) = of_columns(columns, tried(*(f"key{k}" for k in range(25)), f1=True))
    assert "use one of f1, f1_ci_low, f1_ci_high, key0, " in said
    assert "key16, … and 8 more. Write the name of the metric" in said


def test_a_distance_without_an_upper_limit_is_no_missing_column() -> None:
    """The sample solution may lack it, and other submissions have it; it cannot rank."""
    done = tried("n_teams", "rank", f1=True)
    columns = columns_of(("f1", "desc"), ("distance_from_best", "asc"))
    assert of_columns(columns, done) == []
    columns[1]["sorting"] = "desc"
    assert "must be asc" in of_columns(columns, done)[0]
    (said,) = of_columns(columns_of(("distance_from_best", "asc")), done)
    assert "does not write 'distance_from_best'" in said


def test_first_column_is_told_the_keys_of_all_tasks() -> None:
    both = tried("n_teams", "rank", f1=True), tried("n_teams", f1=True)
    assert of_columns(columns_of(("rank", "desc")), *both) == [
        "leaderboards: the program does not write 'rank' for every task, which the first column "
        "needs; use one of f1, f1_ci_low, f1_ci_high, n_teams"
    ]
    assert of_columns(columns_of(("f1", "desc"), ("rank", "asc")), *both) == []


@pytest.mark.as_platforms_do
def test_program_that_fails_on_the_solution(folder: Path) -> None:
    (folder / "example" / "sample_solution" / "predictions.csv").write_text("id,label\nt1,x\n")
    with pytest.raises(OrganizerError, match="fails on the packed submission") as caught:
        build(folder / "competition.yaml")
    assert "exit status 1" in str(caught.value)
    assert "1 extra id" in str(caught.value)


@pytest.mark.full
def test_unusable_members_of_the_field_are_told_to_the_organizer(folder: Path) -> None:
    path = folder / "example" / "input" / "res" / "Timen" / "predictions.csv"
    path.write_text("id,label\nt1,x\n")
    lines: list[str] = []
    build(folder / "competition.yaml", log=lines.append)
    told = "\n".join(lines)
    # In the field of the first task, and in the bulk download of the second.
    assert told.count(": 1 unusable submission:\n[Timen] ") == 2
    assert told.count("id 't1' is not in the test set") == 2


def test_bundle_is_complete_and_deterministic(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "competition.yaml"
    lines: list[str] = []
    content = build(path, start=START, log=lines.append)
    for module in ("build", "kit"):  # nothing packed before is taken
        monkeypatch.setattr(f"scoring_program.bundle.{module}.pack", pack)
    assert content == build(path, start=START, rehearsed=False)
    found = members(content)
    document = yaml.safe_load(found["competition.yaml"])
    named = [document["image"], document["terms"], *(page["file"] for page in document["pages"])]
    named += [
        task[key] for task in document["tasks"] for key in ("scoring_program", "reference_data")
    ]
    named += [solution["path"] for solution in document["solutions"]]
    named += [document["phases"][0]["starting_kit"]]
    assert {*named, "competition.yaml"} == set(found)
    assert "deadheat" not in document["tasks"][0]
    assert [line.partition(":")[0] for line in lines[:6]] == [
        "Phase 'Evaluation'", "Phase 'For the organizers'", "Program",
        "Participants send for task 0",
        "Task 0 tried on example/sample_solution", "Task 1 tried on example/input/res",
    ]  # fmt: skip


def test_reference_data_hold_field_settings_and_time_budget(folder: Path) -> None:
    found = members(build(folder / "competition.yaml", rehearsed=False))
    one, all_ = (members(found[f"reference_data_{k}.zip"]) for k in (0, 1))
    assert set(one) == {"gold.csv", "scoring.yaml", "submissions.zip"}
    assert set(all_) == {"gold.csv", "scoring.yaml"}
    settings = yaml.safe_load(one["scoring.yaml"])
    assert (settings["layout"], settings["time_budget"]) == ("single", 300)
    assert settings["color_scheme"] == "light"
    assert yaml.safe_load(all_["scoring.yaml"])["layout"] == "auto"


def test_a_bundle_states_how_files_are_read_and_says_what_participants_send(folder: Path) -> None:
    settings_file = folder / "example" / "input" / "ref" / "scoring.yaml"
    before = settings_file.read_bytes() if settings_file.exists() else None
    lines: list[str] = []
    found = members(build(folder / "competition.yaml", rehearsed=False, log=lines.append))
    for task in (0, 1):
        packed = members(found[f"reference_data_{task}.zip"])
        stated = yaml.safe_load(packed["scoring.yaml"])
        columns = {"id": "id", "answer": "label"}
        assert stated["reference"] == {"file": "gold.csv", "columns": columns, "header": True}
        columns = {"id": "id", "prediction": "label"}
        assert stated["submissions"] == {"columns": columns, "header": True, "join": "key"}
    assert "Participants send for task 0: `id` and `label`." in lines
    assert (settings_file.read_bytes() if settings_file.exists() else None) == before


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ("{metrics: [roc_auc_score: {pos_label: 'yes'}]}", "`id` and `score`: the score of *yes*."),
        ("{metrics: [accuracy_score]}", "`id` and `label`."),
        (
            "{metrics: [log_loss: {pos_label: 'yes'}]}",
            "`id`, `no` and `yes`: the probability of each class.",
        ),
    ],
)
def test_without_uploads_participants_are_asked_for_these(
    tmp_path: Path, settings: str, asked: str
) -> None:
    rows = "".join(f"t{i},{'yes' if i % 3 else 'no'}\n" for i in range(20))
    reference = {"gold.csv": f"id,label\n{rows}".encode(), "scoring.yaml": settings.encode()}
    stated = {**yaml.safe_load(settings), **frozen.stated_settings(pack(reference), [])}
    (tmp_path / "gold.csv").write_bytes(reference["gold.csv"])
    (tmp_path / "scoring.yaml").write_text(yaml.safe_dump(stated), encoding="utf-8")
    assert frozen.asked_for(kit.tasks_of(tmp_path)) == [asked]


def test_a_bundle_writes_no_figures_that_its_program_cannot_convert_and_no_script(
    folder: Path,
) -> None:
    chosen = {"figures": ["pdf"], "interactive": True, "runs": "last"}
    path = edited(folder, put("tasks", 0, "deadheat", "settings", value=chosen))
    found = members(build(path, rehearsed=False))
    settings = yaml.safe_load(members(found["reference_data_0.zip"])["scoring.yaml"])
    assert not {"figures", "interactive"} & settings.keys()
    assert settings["runs"] == "last"
    program = members(found["scoring_program.zip"])
    assert not any(name.endswith(".js") for name in program)


def test_an_upload_is_one_submission_unless_the_settings_say_otherwise(folder: Path) -> None:
    edited(folder, put("tasks", 0, "deadheat", "settings", value={}))
    path = edited(folder, put("tasks", 1, "deadheat", "settings", value={"runs": "last"}))
    found = members(build(path, rehearsed=False))
    for k in (0, 1):
        packed = members(found[f"reference_data_{k}.zip"])
        assert yaml.safe_load(packed["scoring.yaml"])["layout"] == "single"
    with pytest.raises(OrganizerError, match=r"remove the others\n.*'layout: teams'"):
        build(path)


@pytest.mark.full
def test_other_faults_of_a_rehearsal_are_no_question_of_the_layout(folder: Path) -> None:
    path = edited(folder, put("tasks", 1, "deadheat", "settings", value={"runs": "last"}))
    (folder / "example" / "sample_solution" / "predictions.csv").write_text("label\nmaybe\n")
    with pytest.raises(OrganizerError, match="there is no column 'id'") as caught:
        build(path)
    assert "layout" not in str(caught.value)


def test_starting_kit_holds_checker_and_ids(folder: Path) -> None:
    found = members(
        members(build(folder / "competition.yaml", rehearsed=False))["starting_kit_0.zip"]
    )
    assert set(found) == {"README.md", "check.pyz", "test_ids.csv"}
    assert found["test_ids.csv"].count(b"\n") == 1 + ROWS
    assert b"offensive" not in found["test_ids.csv"]


def test_program_has_no_metadata_in_a_folder_and_nothing_for_organizers(folder: Path) -> None:
    found = members(
        members(build(folder / "competition.yaml", rehearsed=False))["scoring_program.zip"]
    )
    assert found["metadata"] == found["metadata.yaml"]
    assert yaml.safe_load(found["metadata"])["command"].startswith("python3 $program/")
    for name in found:
        assert name.rpartition("/")[2] not in ("metadata", "metadata.yaml") or "/" not in name
        assert not name.startswith("scoring_program/bundle")
    assert "scoring_program/templates/document.html.j2" in found


def test_nothing_lies_in_folders_of_what_the_worker_unpacks(tmp_path: Path) -> None:
    (tmp_path / "A" / "deep").mkdir(parents=True)
    (tmp_path / "A" / "deep" / "p.csv").write_text("x")
    (tmp_path / "B.csv").write_text("y")
    (tmp_path / ".DS_Store").write_text("z")
    found = flat(tmp_path)
    assert set(found) == {"A.zip", "B.csv"}
    assert members(found["A.zip"]) == {"deep/p.csv": b"x"}
    assert flat(tmp_path / "B.csv") == {"B.csv": b"y"}


def test_archive_does_not_depend_on_order_or_time() -> None:
    assert pack({"a": b"1", "b": b"2"}) == pack({"b": b"2", "a": b"1"})


def test_codalab_bundle(folder: Path) -> None:
    found = members(build(folder / "competition.yaml", for_codalab=True, rehearsed=False))
    document = yaml.safe_load(found["competition.yaml"])
    assert document["competition_docker_image"] == "codalab/codalab-legacy:py312"
    assert document["html"] == {
        "terms": "terms.html", "overview": "page1.html", "evaluation": "page2.html",
        "data": "page3.html",
    }  # fmt: skip
    assert set(document["phases"]) == {1, 2}
    for phase in document["phases"].values():
        assert {phase["scoring_program"], phase["reference_data"]} <= set(found)
    group = document["leaderboard"]["leaderboards"]["RESULTS"]
    columns = document["leaderboard"]["columns"]
    assert all(column["leaderboard"] == group for column in columns.values())
    assert columns["f1_score"]["rank"] == 1
    assert set(document["html"].values()) | {"image.png"} <= set(found)
    assert not any(name.startswith(("pages/", "solution")) for name in found)


def test_codalab_gets_html(folder: Path) -> None:
    page = folder / "example" / "pages" / "data.md"
    page.write_text(
        "# Data\n\n`a` < **b**\n\n```\nid,label\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    page.with_name("terms.html").write_text("<p>as it *is*</p>")
    path = edited(folder, put("terms", value="example/pages/terms.html"))
    found = members(build(path, for_codalab=True, rehearsed=False))
    assert found["terms.html"] == b"<p>as it *is*</p>"
    shown = found["page3.html"].decode()
    for part in (
        "<h1>Data</h1>", "<code>a</code> &lt; <strong>b</strong>", "<pre><code>id,label", "<table>"
    ):  # fmt: skip
        assert part in shown
    assert (
        "```" not in b"".join(content for name, content in found.items() if "page" in name).decode()
    )


def test_markdown_without_the_package_that_reads_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "markdown", None)
    path = folder / "competition.yaml"
    build(path, rehearsed=False)
    remedy = r'terms\.md is Markdown; to convert it, pip install "\.\[bundle\]", or write'
    with pytest.raises(SettingsError, match=remedy):
        build(path, for_codalab=True, rehearsed=False)

    def written_as_html(document: dict[str, Any]) -> None:
        page = folder / "example" / "pages" / "page.html"
        page.write_text("<p>as it is</p>")
        document["terms"] = "example/pages/page.html"
        for item in document["pages"]:
            item["file"] = "example/pages/page.html"

    build(edited(folder, written_as_html), for_codalab=True, rehearsed=False)


@pytest.mark.parametrize(
    ("rule", "forced", "best"),
    swept([("Force_Best", True, True), ("Force_Last", True, False), ("Add", False, False)]),
)
def test_codalab_follows_the_rule_of_the_leaderboard(
    folder: Path, rule: str, forced: bool, best: bool
) -> None:
    path = edited(folder, put("leaderboards", 0, "submission_rule", value=rule))
    found = unpackers.codalab(members(build(path, for_codalab=True, rehearsed=False)))
    assert found["force_submission_to_leaderboard"] is forced
    assert found["disallow_leaderboard_modifying"] is forced
    assert [
        phase["force_best_submission_to_leaderboard"] for phase in found["phases"].values()
    ] == [best for _ in found["phases"]]


@pytest.mark.parametrize("rule", ["Force_Latest_Multiple", "Add_And_Delete_Multiple"])
def test_codalab_shows_one_submission_of_each_participant(folder: Path, rule: str) -> None:
    path = edited(folder, put("leaderboards", 0, "submission_rule", value=rule))
    build(path, rehearsed=False)
    with pytest.raises(SettingsError, match=f"{rule}: CodaLab shows one submission of each"):
        build(path, for_codalab=True, rehearsed=False)


@pytest.mark.parametrize("keys", [("phases", 0, "hide_output"), ("leaderboards", 0, "hidden")])
def test_codalab_hides_results_in_one_way(folder: Path, keys: tuple[str | int, ...]) -> None:
    path = folder / "competition.yaml"
    modes = []
    for value in (False, True):
        edited(folder, put(*keys, value=value))
        found = unpackers.codalab(members(build(path, for_codalab=True, rehearsed=False)))
        modes.append(found["phases"][1]["leaderboard_management_mode"])
    assert modes == ["default", "hide_results"]


def test_codalab_has_no_word_for_it(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        board = document["leaderboards"][0]
        board["columns"][2] |= {"computation": "avg", "computation_indexes": [0]}
        document["leaderboards"].append(
            copy.deepcopy({**board, "key": "RESULTS", "columns": board["columns"][:1]})
        )

    path = edited(folder, change)
    build(path, rehearsed=False)
    with pytest.raises(SettingsError) as caught:
        build(path, for_codalab=True, rehearsed=False)
    said = str(caught.value)
    assert (
        "'f1_score_ci_low': computation: CodaLab computes columns from ranks, not from scores; "
        "make it a metric with 'formula:'"
    ) in said
    for name in ("RESULTS", "f1_score", "Results"):
        assert f"leaderboards: {name!r} is used 2 times; CodaLab needs different names" in said


def test_codalab_has_no_room_for_it(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        del document["pages"][1:]
        document["title"] = "t" * 101
        document["phases"][1]["name"] = "n" * 51

    path = edited(folder, change)
    build(path, rehearsed=False)
    with pytest.raises(SettingsError) as caught:
        build(path, for_codalab=True, rehearsed=False)
    said = str(caught.value)
    for tab in ("Evaluation", "Data"):
        assert f"pages: CodaLab needs a page for its tab {tab!r}; give a page this title" in said
    assert "its tab 'Overview'" not in said
    assert "title: 101 characters, but CodaLab stores at most 100" in said
    assert "phases[1]: name: 51 characters, but CodaLab stores at most 50" in said


@pytest.mark.parametrize(
    ("said", "meant"),
    swept(
        [
            ("2026-01-01", "2026-01-01 00:00:00"),
            ("2026-01-01 12:30:00", "2026-01-01 12:30:00"),
            ("2026-01-01T12:30:00+05:30", "2026-01-01 07:00:00"),
            ("'2026-01-01T12:30:00Z'", "2026-01-01 12:30:00"),
            ("'2026-01-01 12:30'", "2026-01-01 12:30:00"),
        ],
        fast=2,
    ),
)
def test_hours_reach_the_platforms(folder: Path, said: str, meant: str) -> None:
    path = folder / "competition.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("start: +0 days", f"start: {said}"), encoding="utf-8")
    found = [
        members(build(path, start=START, for_codalab=k, rehearsed=False)) for k in (False, True)
    ]
    one, other = (yaml.safe_load(content["competition.yaml"]) for content in found)
    assert one["phases"][0]["start"] == meant  # a text
    assert other["phases"][1]["start_date"] == datetime.fromisoformat(meant)


def test_codalab_keeps_every_page_and_the_end(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        document["pages"] += [
            dict(document["pages"][0]),
            {**document["pages"][0], "title": "Премии"},
        ]
        document["pages"].append({**document["pages"][0], "title": "terms"})
        document["phases"][1]["end"] = "2027-06-01"

    content = build(edited(folder, change), start=START, for_codalab=True, rehearsed=False)
    document = yaml.safe_load(members(content)["competition.yaml"])
    titles = ["terms", "overview", "evaluation", "data", "Overview (4)", "Премии", "terms (6)"]
    assert list(document["html"]) == titles
    assert len(set(document["html"].values())) == len(titles)
    assert document["end_date"] == datetime(2027, 6, 1)


def moved(folder: Path, name: str, to: str) -> str:
    (folder / to).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(folder / name, folder / to)
    return to


@pytest.mark.full
def test_names_of_any_script_and_with_spaces(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        document["title"] = "Обнаружение 😀 ‮מבחן: 'on' #1"
        document["pages"].append({**document["pages"][1], "title": "概要"})
        document["image"] = moved(folder, "example/pages/logo.png", "my files/lo go é.PNG")
        document["pages"][0]["file"] = moved(
            folder, "example/pages/overview.md", "my files/概要.md"
        )
        for task in document["tasks"]:
            task["reference_data"] = "my files/réf data"
        moved(folder, "example/input/ref", "my files/réf data")
        document["solutions"][0]["path"] = moved(folder, "example/sample_solution", "ein Ordner/ü")

    for for_codalab in (False, True):
        path = folder / "competition.yaml"
        content = build(
            edited(folder, change) if not for_codalab else path, for_codalab=for_codalab
        )
        found = members(content)
        document = yaml.safe_load(found["competition.yaml"])
        assert document["title"] == "Обнаружение 😀 ‮מבחן: 'on' #1"
        assert document["image"] == "image.PNG"
        assert all(name.isascii() for name in found)


def test_no_kit_and_further_files(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "run.py").write_text("")
    (folder / "data.zip").write_bytes(pack({"a/x": b""}))

    def change(document: dict[str, Any]) -> None:
        del document["phases"][0]["starting_kit"]
        document["phases"][0]["public_data"] = "data.zip"
        document["tasks"][0] |= {"ingestion_program": "more", "input_data": "data.zip"}
        document["queue"] = None

    path = edited(folder, change)
    for for_codalab in (False, True):
        found = members(build(path, for_codalab=for_codalab, rehearsed=False))
        document = yaml.safe_load(found["competition.yaml"])
        assert "queue" not in document
        assert "starting_kit_0.zip" not in found
        assert set(members(found["ingestion_program_0.zip"])) == {"run.py"}
        for name in ("input_data_0.zip", "public_data_0.zip"):
            assert found[name] == (folder / "data.zip").read_bytes()


def test_starting_kit_follows_the_packed_settings(folder: Path) -> None:
    path = edited(folder, put("tasks", 0, "deadheat", "settings", "missing", value="wrong"))
    kit = members(members(build(path, rehearsed=False))["starting_kit_0.zip"])
    (folder / "check.pyz").write_bytes(kit["check.pyz"])
    (folder / "p.csv").write_text("id,label\nt0001,offensive\n")
    command = [sys.executable, str(folder / "check.pyz"), str(folder / "p.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"a prediction for 1 of {ROWS} examples. The others count as wrong." in done.stdout


def test_field_in_two_places(folder: Path) -> None:
    shutil.copytree(folder / "example" / "input" / "res", folder / "example/input/ref/submissions")
    with pytest.raises(SettingsError, match="the reference data hold 'submissions' too"):
        description.load(folder / "competition.yaml", START)


def test_archive_beside_the_folder_of_its_name(folder: Path) -> None:
    (folder / "example" / "input" / "res" / "Timen.zip").write_bytes(b"")
    with pytest.raises(OrganizerError, match=r"Timen\.zip exists, and a folder"):
        build(folder / "competition.yaml", rehearsed=False)


def test_name_that_is_no_text(folder: Path) -> None:
    name = os.fsencode(folder / "example" / "input" / "ref") + b"/\xff.txt"
    try:
        with open(name, "w"):
            pass
    except OSError:
        pytest.skip("this file system takes no such name")
    with pytest.raises(OrganizerError, match="is not UTF-8 text; rename it"):
        build(folder / "competition.yaml", rehearsed=False)


def test_failed_write_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    monkeypatch.setattr("scoring_program.bundle.build.build", lambda *args, **options: b"zip")

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as stream:
            stream.write(content[:1])
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["-o", "o.zip"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("output", ["example", "nowhere/o.zip"])
def test_output_that_cannot_be(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    assert main(["-o", output]) == 2
    assert f"{output}: with -o, name a file in a folder that exists" in capsys.readouterr().err
    assert sorted(folder.rglob("*")) == before


@pytest.mark.full
def test_bytes_depend_on_nothing_else(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither on the clock, its zone, the umask, the working directory, nor on hashes."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    made = []
    for zone, umask, seed, cwd, language in (
        ("UTC", 0o022, "1", folder, "C.UTF-8"),
        ("Asia/Kathmandu", 0o077, "2", elsewhere, "C"),
    ):
        output = elsewhere / f"{seed}.zip"
        command = [sys.executable, "-c", _COMMAND, "-o", str(output)]
        command += ["--competition", str(folder / "competition.yaml")]
        command += ["--start", "2026-01-01"]
        done = subprocess.run(
            command,
            cwd=cwd,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "PYTHONHASHSEED": seed,
                "TZ": zone,
                "LC_ALL": language,
            },
            umask=umask,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert "ready to upload." in done.stdout
        made.append(output.read_bytes())
    assert made[0] == made[1]


def test_command_writes_the_bundle(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["-o", "made.zip"]) == 0
    assert "made.zip: " in capsys.readouterr().out
    assert zipfile.is_zipfile(folder / "made.zip")
    (folder / "competition.yaml").unlink()
    assert main([]) == 2
    assert not (folder / "bundle.zip").exists()
