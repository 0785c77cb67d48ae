"""The packed bundle, on the platforms' own terms.

The environments are made with pip once and kept in the user's cache; the first run takes minutes.
So what needs one is left to the full run.
"""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle.build import build
from scoring_program.core.errors import OrganizerError
from tests.platform import unpackers, worker
from tests.platform.environments import IMAGE, OWN, environment

REPOSITORY = Path(__file__).resolve().parents[2]


def unpacked(*, for_codalab: bool) -> dict[str, bytes]:
    try:
        content = build(REPOSITORY / "competition.yaml", for_codalab=for_codalab, rehearsed=False)
    except OrganizerError as error:
        pytest.skip(f"the wheels that the image lacks are not to be had: {error}")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def bundle() -> dict[str, bytes]:
    return unpacked(for_codalab=False)


@pytest.fixture(scope="module")
def image() -> Path:
    return environment("3.12", IMAGE)


def score(root: Path, bundle: dict[str, bytes], python: Path, task: int) -> worker.Finished:
    return worker.run(
        root,
        bundle["scoring_program.zip"],
        bundle[f"reference_data_{task}.zip"],
        bundle[f"solution_{task}.zip"],
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


def test_unpackers_take_the_bundles(bundle: dict[str, bytes]) -> None:
    one = unpackers.codabench(bundle)
    other = unpackers.codalab(unpacked(for_codalab=True))
    assert one["title"] == other["title"]
    assert [phase["name"] for phase in one["phases"]] == [
        phase["label"] for phase in other["phases"].values()
    ]
    keys = [column["key"] for column in one["leaderboards"][0]["columns"]]
    assert keys == list(other["leaderboard"]["columns"])


@pytest.mark.full
def test_image_lacks_what_the_bundle_carries(image: Path) -> None:
    for name in ("jinja2", "markupsafe", "statsmodels", "patsy", "tqdm"):
        done = subprocess.run([image, "-c", f"import {name}"], capture_output=True, check=False)
        assert b"ModuleNotFoundError" in done.stderr


@pytest.mark.full
def test_evaluation_phase_on_the_image(
    tmp_path: Path, bundle: dict[str, bytes], image: Path
) -> None:
    document = yaml.safe_load(bundle["competition.yaml"])
    scores = check(score(tmp_path, bundle, image, 0), document)
    columns = {column["key"] for column in document["leaderboards"][0]["columns"]}
    assert columns <= scores.keys()
    assert scores["rank"] == 11
    assert scores["n_teams"] == 11


@pytest.mark.full
def test_organizers_phase_on_the_image(
    tmp_path: Path, bundle: dict[str, bytes], image: Path
) -> None:
    finished = score(tmp_path, bundle, image, 1)
    scores = check(finished, yaml.safe_load(bundle["competition.yaml"]))
    assert scores["n_teams"] == 10
    assert scores["n_tied_with_leader"] == 2
    assert "Layout: teams, 10 found." in finished.stdout


@pytest.mark.full
def test_codalab_bundle_on_the_image(tmp_path: Path, bundle: dict[str, bytes], image: Path) -> None:
    members = unpacked(for_codalab=True)
    document = yaml.safe_load(members["competition.yaml"])
    phase = document["phases"][1]
    finished = worker.run(
        tmp_path,
        members[phase["scoring_program"]],
        members[phase["reference_data"]],
        bundle["solution_0.zip"],
        image,
    )
    assert finished.status == 0
    assert (
        document["leaderboard"]["columns"].keys() <= worker.codalab_scores(finished.output).keys()
    )


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
    assert not any(finished.output.iterdir())


@pytest.mark.full
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.13"])
def test_same_program_on_other_pythons(
    tmp_path: Path, bundle: dict[str, bytes], version: str
) -> None:
    python = environment(version, OWN)
    finished = score(tmp_path, bundle, python, 1)
    scores = check(finished, yaml.safe_load(bundle["competition.yaml"]))
    assert scores["n_tied_with_leader"] == 2
