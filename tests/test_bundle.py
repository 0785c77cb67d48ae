"""The bundle: complete, deterministic, and refused for every reason that a platform has."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle import codalab, description, images, program, rehearsal
from scoring_program.bundle.__main__ import main
from scoring_program.bundle.archive import pack, tree
from scoring_program.bundle.build import build, flat
from scoring_program.errors import OrganizerError, SettingsError

REPOSITORY = Path(__file__).resolve().parents[1]
_IMAGE = images.Image("3.12", "any", ())


@pytest.fixture(autouse=True)
def _nothing_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs the tests holds the packages, so that no wheel is needed."""
    monkeypatch.setitem(images.IMAGES, "codalab/codalab-legacy:py312", _IMAGE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what competition.yaml names."""
    shutil.copytree(REPOSITORY / "example", tmp_path / "example")
    shutil.copy(REPOSITORY / "competition.yaml", tmp_path)
    return tmp_path


def edited(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    path = folder / "competition.yaml"
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return path


def members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put(*keys: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for key in keys[:-1]:
            place = place[key]
        if value is None:
            del place[keys[-1]]
        else:
            place[keys[-1]] = value

    return change


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "version": (put("version", value=1), "version: must be 2"),
    "title": (put("title", value=" "), "title: is missing"),
    "image": (put("image", value=None), "image: is missing"),
    "image file": (put("image", value="x.png"), r"image: there is no file x\.png"),
    "image folder": (put("image", value="example"), "example is a folder, expected a file"),
    "unknown image": (put("docker_image", value="codalab/codalab-legacy:py313"), "did you mean"),
    "terms": (put("terms", value=None), "terms: is missing"),
    "detailed results": (put("enable_detailed_results", value=False), "nobody sees the page"),
    "no pages": (put("pages", value=[]), "pages: at least one is needed"),
    "page title": (put("pages", 0, "title", value=""), r"pages\[0\]: title: is missing"),
    "page file": (put("pages", 1, "file", value="x.md"), r"pages\[1\]: file: there is no file"),
    "no tasks": (put("tasks", value=[]), "tasks: at least one is needed"),
    "task index": (put("tasks", 0, "index", value=None), r"tasks\[0\]: index: is missing"),
    "task index twice": (put("tasks", 1, "index", value=0), r"tasks\[1\]: index: 0 is taken"),
    "task name": (put("tasks", 0, "name", value=""), r"tasks\[0\]: name: is missing"),
    "program": (put("tasks", 0, "scoring_program", value="x"), "scoring_program: must be"),
    "reference": (put("tasks", 0, "reference_data", value="x"), "reference_data: there is no"),
    "field": (put("tasks", 0, "photofinish", "field", value="x"), "field: there is no file x"),
    "own key": (put("tasks", 0, "photofinish", "fields", value="x"), "unknown key 'fields'"),
    "own setting": (
        put("tasks", 0, "photofinish", "settings", value={"layout": "x"}),
        "layout: expected one of",
    ),
    "solution": (put("solutions", 0, "path", value="x"), r"solutions\[0\]: path: there is no"),
    "solution's task": (put("solutions", 0, "tasks", value=[7]), "there is no task with index 7"),
    "untried task": (put("solutions", 1, "tasks", value=[0]), "task 1 has none"),
    "no phases": (put("phases", value=[]), "phases: at least one is needed"),
    "phase's task": (put("phases", 0, "tasks", value=[]), r"phases\[0\]: tasks: at least one"),
    "phase start": (put("phases", 0, "start", value="soon"), "start: expected a date"),
    "phase end": (put("phases", 0, "end", value=None), "because a phase comes after it"),
    "phase order": (put("phases", 1, "start", value="2026-02-01"), "has not ended then"),
    "phase ends early": (put("phases", 0, "end", value="2025-01-01"), "must come after start"),
    "no leaderboard": (put("leaderboards", value=[]), "leaderboards: at least one is needed"),
    "rule": (put("leaderboards", 0, "submission_rule", value="Best"), "submission_rule: expected"),
    "no columns": (put("leaderboards", 0, "columns", value=[]), "columns: at least one is needed"),
    "long key": (put("leaderboards", 0, "columns", 0, "key", value="k" * 37), "37 characters"),
    "long title": (put("leaderboards", 0, "columns", 0, "title", value="k" * 37), "37 characters"),
    "key twice": (put("leaderboards", 0, "columns", 0, "key", value="rank"), "'rank' is taken"),
    "precision": (put("leaderboards", 0, "columns", 2, "precision", value=None), "decimals"),
    "sorting": (put("leaderboards", 0, "columns", 2, "sorting", value="up"), "asc or desc"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_platform_would_refuse(folder: Path, name: str) -> None:
    change, message = REFUSED[name]
    with pytest.raises(SettingsError, match=message):
        build(edited(folder, change), rehearsed=False)


def test_all_problems_are_told_together(folder: Path) -> None:
    path = edited(
        folder, lambda document: [document.pop(key) for key in ("title", "image", "terms")]
    )
    with pytest.raises(SettingsError) as caught:
        description.load(path)
    assert str(caught.value).count("  - ") == 3


def test_empty_page_is_refused(folder: Path) -> None:
    (folder / "example" / "pages" / "overview.md").write_text("")
    with pytest.raises(SettingsError, match=r"overview\.md is empty"):
        description.load(folder / "competition.yaml")


@pytest.mark.parametrize("text", ["- a", "a: [", ""])
def test_unreadable_competition(tmp_path: Path, text: str) -> None:
    path = tmp_path / "competition.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"competition\.yaml"):
        description.load(path)


def test_setting_in_two_places(folder: Path) -> None:
    path = edited(folder, put("tasks", 0, "photofinish", "settings", value={"title": "x"}))
    with pytest.raises(SettingsError, match="'title' is also set in the reference data"):
        build(path, rehearsed=False)


def test_leaderboard_key_that_is_never_written(folder: Path) -> None:
    path = edited(folder, put("leaderboards", 0, "columns", 3, "key", value="precision"))
    with pytest.raises(SettingsError, match="the program does not write 'precision'"):
        build(path)


def test_primary_key_that_one_phase_does_not_write(folder: Path) -> None:
    path = edited(folder, put("leaderboards", 0, "columns", 0, "key", value="p_value"))
    with pytest.raises(SettingsError, match="the program does not write 'p_value'"):
        build(path)


def test_program_that_fails_on_the_solution(folder: Path) -> None:
    (folder / "example" / "sample_solution" / "predictions.csv").write_text("id,label\nt1,x\n")
    with pytest.raises(OrganizerError, match="fails on the packed solution") as caught:
        build(folder / "competition.yaml")
    assert "exit status 1" in str(caught.value)
    assert "1 extra ids" in str(caught.value)


def test_bundle_is_complete_and_deterministic(folder: Path) -> None:
    path = folder / "competition.yaml"
    lines: list[str] = []
    content = build(path, log=lines.append)
    assert content == build(path, rehearsed=False)
    found = members(content)
    document = yaml.safe_load(found["competition.yaml"])
    named = [document["image"], document["terms"], *(page["file"] for page in document["pages"])]
    named += [
        task[key] for task in document["tasks"] for key in ("scoring_program", "reference_data")
    ]
    named += [solution["path"] for solution in document["solutions"]]
    named += [document["phases"][0]["starting_kit"]]
    assert {*named, "competition.yaml"} == set(found)
    assert "photofinish" not in document["tasks"][0]
    assert [line.partition(":")[0] for line in lines] == [
        "Program", "Task 0 tried on solution_0.zip", "Task 1 tried on solution_1.zip"
    ]  # fmt: skip


def test_reference_data_hold_field_settings_and_time_budget(folder: Path) -> None:
    found = members(build(folder / "competition.yaml", rehearsed=False))
    one, all_ = (members(found[f"reference_data_{k}.zip"]) for k in (0, 1))
    assert set(one) == {"gold.csv", "scoring.yaml", "submissions.zip"}
    assert set(all_) == {"gold.csv", "scoring.yaml"}
    settings = yaml.safe_load(one["scoring.yaml"])
    assert (settings["layout"], settings["time_budget"]) == ("single", 300)
    assert yaml.safe_load(all_["scoring.yaml"])["layout"] == "teams"


def test_starting_kit_holds_checker_and_ids(folder: Path) -> None:
    found = members(
        members(build(folder / "competition.yaml", rehearsed=False))["starting_kit_0.zip"]
    )
    assert set(found) == {"README.md", "check.pyz", "test_ids.csv"}
    assert found["test_ids.csv"].count(b"\n") == 2183
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
    assert "scoring_program/templates/page.html.j2" in found


def test_nothing_lies_in_folders_of_what_the_worker_unpacks(tmp_path: Path) -> None:
    (tmp_path / "A" / "deep").mkdir(parents=True)
    (tmp_path / "A" / "deep" / "p.csv").write_text("x")
    (tmp_path / "B.csv").write_text("y")
    (tmp_path / ".DS_Store").write_text("z")
    found = flat(tmp_path)
    assert set(found) == {"A.zip", "B.csv"}
    assert members(found["A.zip"]) == {"deep/p.csv": b"x"}
    assert flat(tmp_path / "B.csv") == {"B.csv": b"y"}


def test_worker_moves_the_first_folder_up(tmp_path: Path) -> None:
    rehearsal.unpack(pack({"a/x": b"", "b/y": b""}), tmp_path / "res", "input/res")
    assert sorted(tree(tmp_path / "res")) == ["b/y", "x"]
    rehearsal.unpack(pack({"a/metadata": b"", "a/x": b""}), tmp_path / "one", "program")
    assert sorted(tree(tmp_path / "one")) == ["metadata", "x"]
    rehearsal.unpack(pack({"metadata": b"", "a/x": b""}), tmp_path / "two", "program")
    assert sorted(tree(tmp_path / "two")) == ["a/x", "metadata"]


def test_archive_does_not_depend_on_order_or_time() -> None:
    assert pack({"a": b"1", "b": b"2"}) == pack({"b": b"2", "a": b"1"})


def test_codalab_bundle(folder: Path) -> None:
    found = members(build(folder / "competition.yaml", for_codalab=True, rehearsed=False))
    document = yaml.safe_load(found["competition.yaml"])
    assert document["competition_docker_image"] == "codalab/codalab-legacy:py312"
    assert document["html"] == {
        "overview": "overview.html", "evaluation": "evaluation.html", "terms": "terms.html"
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


def test_codalab_shows_markdown_as_text() -> None:
    files: dict[str, bytes] = {}
    codalab._html(files, {"a.md": b"a < b", "b.html": b"<p>"}, "a.md", "p1")
    codalab._html(files, {"b.html": b"<p>"}, "b.html", "p2")
    assert files == {
        "p1.html": b'<div style="white-space: pre-wrap">a &lt; b</div>\n',
        "p2.html": b"<p>",
    }


def wheel(folder: Path, name: str) -> None:
    content = {"pkg/__init__.py": b"", "pkg/tests/test_a.py": b"", "pkg-1.dist-info/RECORD": b""}
    (folder / name).write_bytes(pack(content))


def test_wheels_are_carried_without_their_tests(tmp_path: Path) -> None:
    wheel(tmp_path, "pkg-1.0-py3-none-any.whl")
    wheel(tmp_path, "fast-2-cp312-cp312-manylinux2014_x86_64.whl")
    wheel(tmp_path, "fast-2-cp311-cp311-manylinux2014_x86_64.whl")
    image = images.Image("3.12", "any", ("pkg==1.0", "fast==2"))
    assert [path.name[:10] for path in program.fetched(image, tmp_path)] == [
        "pkg-1.0-py",
        "fast-2-cp3",
    ]
    found = [name for name in program.files(image, tmp_path) if name.startswith("carried/")]
    assert found == ["carried/pkg/__init__.py"]


def test_missing_wheel_that_cannot_be_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    image = images.Image("3.12", "manylinux2014_x86_64", ("no-such-package==1",))
    with pytest.raises(OrganizerError, match=r"cannot be downloaded .* --wheels"):
        program.files(image, tmp_path)


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
