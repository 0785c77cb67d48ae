"""The packed bundle, on the platforms' own terms.

The environments are made with pip once and kept in the user's cache; the first run takes minutes.
So what needs one is left to the full run.
"""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle import program
from scoring_program.bundle.archive import pack
from scoring_program.bundle.build import build, flat
from scoring_program.bundle.description import PYTHONS
from scoring_program.commands import new
from scoring_program.core.errors import OrganizerError
from tests.bundle.test_starter import PACKED
from tests.platform import unpackers, worker
from tests.platform.environments import IMAGE, OWN, environment
from tests.sweeps import swept

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE, FIELD = "example/sample_solution", "example/input/res"


#: Bytes of a bundle for the platforms' own image, without extras.
LARGEST = 2_000_000


def unpacked(name: str = "competition.yaml", *, for_codalab: bool) -> dict[str, bytes]:
    try:
        content = build(REPOSITORY / name, for_codalab=for_codalab, rehearsed=False)
    except OrganizerError as error:
        pytest.skip(f"the wheels that the image lacks are not to be had: {error}")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def bundle() -> dict[str, bytes]:
    return unpacked(for_codalab=False)


@pytest.fixture(scope="module")
def organizers() -> dict[str, bytes]:
    return unpacked("organizers.yaml", for_codalab=False)


@pytest.fixture(scope="module")
def image() -> Path:
    return environment("3.12", IMAGE)


def score(root: Path, bundle: dict[str, bytes], upload: str, python: Path) -> worker.Finished:
    return worker.run(
        root,
        bundle["scoring_program.zip"],
        bundle["reference_data_0.zip"],
        pack(flat(REPOSITORY / upload)),
        python,
    )


def check(finished: worker.Finished, document: dict[str, Any]) -> dict[str, float]:
    """Check what both platforms ask of a run and return its scores."""
    assert (finished.status, finished.stderr) == (0, "")
    output = finished.output
    scores = {key: float(value) for key, value in worker.codabench_scores(output).items()}
    assert worker.codalab_scores(output) == pytest.approx(scores, abs=1e-9)
    primary = document["leaderboards"][0]["columns"][0]["key"]
    assert primary in scores
    assert [path.name for path in output.rglob("*.html")] == ["detailed_results.html"]
    assert not (output / "metadata").exists()
    assert not list(output.rglob(".*"))
    return scores


@pytest.mark.parametrize("name", swept(["competition.yaml", "organizers.yaml"]))
def test_unpackers_take_the_bundles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "THIS_PYTHON", "3.12")
    # So that there is bytecode.
    monkeypatch.setattr(program, "interpreter", lambda python: [sys.executable])
    content = unpacked(name, for_codalab=False)
    assert sum(map(len, content.values())) <= LARGEST
    packed = zipfile.ZipFile(io.BytesIO(content["scoring_program.zip"])).namelist()
    assert any(member.endswith(".pyc") for member in packed)
    one = unpackers.codabench(content)
    other = unpackers.codalab(unpacked(name, for_codalab=True))
    assert one["title"] == other["title"]
    assert [phase["name"] for phase in one["phases"]] == [
        phase["label"] for phase in other["phases"].values()
    ]
    keys = [column["key"] for column in one["leaderboards"][0]["columns"]]
    assert keys == list(other["leaderboard"]["columns"])


@pytest.mark.full
def test_image_lacks_what_the_bundle_carries(image: Path) -> None:
    for name in ("jinja2", "markupsafe"):
        done = subprocess.run([image, "-c", f"import {name}"], capture_output=True, check=False)
        assert b"ModuleNotFoundError" in done.stderr


@pytest.mark.full
def test_evaluation_phase_on_the_image(
    tmp_path: Path, bundle: dict[str, bytes], image: Path
) -> None:
    document = yaml.safe_load(bundle["competition.yaml"])
    scores = check(score(tmp_path, bundle, SAMPLE, image), document)
    columns = {column["key"] for column in document["leaderboards"][0]["columns"]}
    assert columns <= scores.keys()
    assert scores["rank"] == 11
    assert scores["n_teams"] == 11


@pytest.mark.full
@pytest.mark.parametrize("kind", PACKED)
def test_a_competition_of_each_kind_on_the_image(tmp_path: Path, image: Path, kind: str) -> None:
    folder = tmp_path / kind
    assert new.main([str(folder), "--kind", kind]) == 0
    found = unpacked(str(folder / "competition.yaml"), for_codalab=False)
    sample = folder / new.SAMPLE
    finished = score(tmp_path, found, str(sample if sample.is_dir() else folder / "res"), image)
    document = yaml.safe_load(found["competition.yaml"])
    columns = {column["key"] for column in document["leaderboards"][0]["columns"]}
    assert columns <= check(finished, document).keys()


@pytest.mark.full
def test_organizers_phase_on_the_image(
    tmp_path: Path, organizers: dict[str, bytes], image: Path
) -> None:
    finished = score(tmp_path, organizers, FIELD, image)
    document = yaml.safe_load(organizers["competition.yaml"])
    scores = check(finished, document)
    columns = {column["key"] for column in document["leaderboards"][0]["columns"]}
    assert columns <= scores.keys()
    assert scores["n_teams"] == 10
    assert scores["n_tied_with_leader"] == 2
    assert "Layout: teams, 10 found." in finished.stdout


@pytest.mark.full
def test_codalab_bundle_on_the_image(tmp_path: Path, bundle: dict[str, bytes], image: Path) -> None:
    members = unpacked(for_codalab=True)
    document = yaml.safe_load(members["competition.yaml"])
    phase = document["phases"][1]
    finished = worker.run_on_codalab(
        tmp_path,
        members[phase["scoring_program"]],
        members[phase["reference_data"]],
        bundle["solution_0.zip"],
        image,
    )
    assert finished.status == 0
    scores = worker.codalab_scores(finished.output)
    assert document["leaderboard"]["columns"].keys() <= scores.keys()
    assert scores["n_teams"] == 11
    assert (finished.output / "detailed_results.html").stat().st_size > 0


@pytest.mark.full
def test_unusable_submission_fails_without_scores(
    tmp_path: Path, bundle: dict[str, bytes], image: Path
) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("predictions.csv", "id,label\nt0001,offensive\n")
    finished = worker.run(
        tmp_path,
        bundle["scoring_program.zip"],
        bundle["reference_data_0.zip"],
        stream.getvalue(),
        image,
    )
    assert finished.status == 1
    assert "2181 missing ids" in finished.stderr
    # The page says what the log says.
    assert [path.name for path in finished.output.iterdir()] == ["detailed_results.html"]


@pytest.mark.full
def test_what_a_participant_uploads(tmp_path: Path, bundle: dict[str, bytes], image: Path) -> None:
    """The worker opens a zip and nothing else; the starting kit makes one."""
    kit = tmp_path / "kit"
    zipfile.ZipFile(io.BytesIO(bundle["starting_kit_0.zip"])).extractall(kit)
    predictions = kit / "predictions.csv"
    sample = REPOSITORY / "example" / "sample_solution" / "predictions.csv"
    predictions.write_bytes(sample.read_bytes())
    packed = bundle["scoring_program.zip"], bundle["reference_data_0.zip"]
    with pytest.raises(zipfile.BadZipFile):
        worker.run(tmp_path / "bare", *packed, predictions.read_bytes(), image)
    command = [str(image), "check.pyz", predictions.name]
    done = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=True)
    assert "Upload submission.zip" in done.stdout
    upload = (kit / "submission.zip").read_bytes()
    finished = worker.run(tmp_path / "zipped", *packed, upload, image)
    assert check(finished, yaml.safe_load(bundle["competition.yaml"]))["rank"] == 11


@pytest.mark.full
@pytest.mark.parametrize("version", PYTHONS)
def test_an_image_that_holds_nothing(tmp_path: Path, version: str) -> None:
    folder = tmp_path / "mine"
    assert new.main([str(folder)]) == 0
    path = folder / "competition.yaml"
    text = path.read_text(encoding="utf-8")
    stated = f'docker_image: me/mine\ndeadheat: {{python: "{version}", image_holds: nothing}}'
    path.write_text(text.replace("docker_image: codalab/codalab-legacy:py312", stated))
    finished = score(
        tmp_path, unpacked(str(path), for_codalab=False), str(folder / new.SAMPLE),
        environment(version, ()),
    )  # fmt: skip
    assert (finished.status, finished.stderr) == (0, "")
    assert worker.codabench_scores(finished.output)["rank"] == 3


@pytest.mark.full
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.13"])
def test_same_program_on_other_pythons(
    tmp_path: Path, organizers: dict[str, bytes], version: str
) -> None:
    python = environment(version, OWN)
    finished = score(tmp_path, organizers, FIELD, python)
    scores = check(finished, yaml.safe_load(organizers["competition.yaml"]))
    assert scores["n_tied_with_leader"] == 2
