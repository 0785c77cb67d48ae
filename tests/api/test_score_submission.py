"""One upload from Python, and the functions of the how-to, as the platforms call them."""

from __future__ import annotations

import json
import os
import re
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import scoring_program as dh
from tests.competitions import EXAMPLE, REPOSITORY
from tests.docs.blocks import blocks

SAMPLE = REPOSITORY / "example" / "sample_solution" / "predictions.csv"
PAGE = REPOSITORY / "docs" / "how-to" / "other-platforms.md"


def of_page(title: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the code of the page with this title."""
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(rf'```python title="{title}"\n(.*?)```', text, flags=re.DOTALL)
    monkeypatch.setitem(sys.modules, "deadheat", dh)
    module: dict[str, Any] = {}
    exec(code, module)
    return module


def test_it_is_what_the_command_writes(tmp_path: Path) -> None:
    ref, res = EXAMPLE / "ref", EXAMPLE / "res"
    one = dh.score_submission(ref, SAMPLE, resamples=100)
    (tmp_path / "ref").symlink_to(ref)
    (tmp_path / "res").symlink_to(SAMPLE.parent)
    result = dh.score(tmp_path, tmp_path / "out", layout="single", resamples=100)
    written = (tmp_path / "out" / "scores.txt").read_text().splitlines()
    for line in written:
        key, value = line.split(": ")
        assert one.pop(key) == pytest.approx(float(value), abs=1e-9)
    for name in result:
        error = one.pop(f"{name}_standard_error")
        assert error == pytest.approx(result[name].ranking[0].standard_error)
    assert one == {}
    beside = dh.score_submission(ref, SAMPLE, res, resamples=100)
    assert beside["rank"] == beside["n_teams"] == 11


def test_errors_are_for_whom_they_concern(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,label\nt0001,offensive\n")
    with pytest.raises(dh.SubmissionError, match="2181 missing ids"):
        dh.score_submission(EXAMPLE / "ref", tmp_path / "p.csv")
    with pytest.raises(dh.OrganizerError, match="there is no such file or folder"):
        dh.score_submission(tmp_path / "gold.csv", SAMPLE)


def test_where_the_settings_state_the_reading_it_is_followed(tmp_path: Path) -> None:
    reference = tmp_path / "ref"
    reference.mkdir()
    gold = "".join(f"t{i},{i % 2}\n" for i in range(20))
    (reference / "gold.csv").write_text(f"id,label\n{gold}")
    upload = tmp_path / "p.csv"
    upload.write_text(f"id,mine\n{gold}")
    settings: dict[str, Any] = {"metrics": ["accuracy_score"], "resamples": 100}
    assert dh.score_submission(reference, upload, **settings)["accuracy_score"] == 1
    (reference / "scoring.yaml").write_text(
        "reference: {file: gold.csv, columns: {id: id, answer: label}, header: true}\n"
        "submissions: {columns: {id: id, prediction: label}, header: true, join: key}\n"
    )
    with pytest.raises(dh.SubmissionError, match="there is no column 'label'; write a header"):
        dh.score_submission(reference, upload, **settings)


def test_what_the_gold_leaves_open_is_asked(tmp_path: Path) -> None:
    reference = tmp_path / "ref"
    reference.mkdir()
    rows = "".join(f"t{i},{'ab'[i % 2]},{'xy'[i % 3 % 2]}\n" for i in range(20))
    (reference / "gold.csv").write_text(f"id,one,other\n{rows}")
    upload = tmp_path / "p.csv"
    upload.write_text("id,mine\n" + "".join(f"t{i},{'ab'[i % 2]}\n" for i in range(20)))
    with pytest.raises(dh.OrganizerError, match=r"reference: \{columns: \{answer: one\}\}"):
        dh.score_submission(reference, upload, metrics=["accuracy_score"], resamples=100)


def test_links_in_an_upload_are_not_followed(tmp_path: Path) -> None:
    """Followed, one to the gold would be a perfect submission; the reference's own are."""
    gold = EXAMPLE / "ref" / "gold.csv"
    for name in ("upload", "ref"):
        (tmp_path / name).mkdir()
    (tmp_path / "upload" / "predictions.csv").symlink_to(gold)
    with pytest.raises(dh.SubmissionError, match="this is a symbolic link; send the file itself"):
        dh.score_submission(EXAMPLE / "ref", tmp_path / "upload")
    (tmp_path / "ref" / "gold.csv").symlink_to(gold)
    (tmp_path / "mine.csv").symlink_to(SAMPLE)  # as in Hugging Face's cache
    scores = dh.score_submission(tmp_path / "ref", tmp_path / "mine.csv", resamples=100)
    assert scores["n_examples"] == 2182


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for name in ("upload", "ref"):
        (tmp_path / name).mkdir()
        os.mkfifo(tmp_path / name / "pipe")
    with pytest.raises(dh.SubmissionError, match="pipe: this is neither a file nor a folder"):
        dh.score_submission(EXAMPLE / "ref", tmp_path / "upload")
    with pytest.raises(dh.OrganizerError, match=r"ref: cannot be copied: .*pipe"):
        dh.score_submission(tmp_path / "ref", SAMPLE)


@pytest.mark.parametrize("name", ["submissions", "submissions.zip"])
def test_a_reference_with_a_field_takes_no_other(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(dh.OrganizerError, match=f"field: the reference holds '{name}' too"):
        dh.score_submission(tmp_path, SAMPLE, EXAMPLE / "res")


def test_evalai(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remote worker sends the result, of which the server checks the split and each number."""
    monkeypatch.chdir(EXAMPLE)
    evaluate = of_page("remote_challenge_evaluation/evaluate.py", monkeypatch)["evaluate"]
    sent = json.dumps(evaluate(str(SAMPLE), "test")["result"])
    public = []
    for part in json.loads(sent):
        assert part.get("split") == "test_split"
        for label, value in part.get("accuracies").items():
            assert label in ("f1_score", "f1_score_ci_low", "f1_score_ci_high")
            assert isinstance(value, (float, int))
        if part.get("show_to_participant", False):
            public.append(part["accuracies"])
    (shown,) = public
    assert shown["f1_score_ci_low"] < shown["f1_score"] < shown["f1_score_ci_high"]
    with pytest.raises(dh.SubmissionError, match=r"no predictions file among scoring\.yaml"):
        evaluate(str(EXAMPLE / "ref" / "scoring.yaml"), "test")


def test_hugging_face(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner takes dictionaries with the same keys for both parts."""
    files = tmp_path / "dataset"
    (files / "submissions").mkdir(parents=True)
    rows = [f"{k},{'ab'[k % 2]},{'public' if k < 20 else 'private'}" for k in range(60)]
    (files / "solution.csv").write_text("\n".join(["id,label,split", *rows]))
    mine = [f"{k},{'a' if k % 20 == 1 else 'ab'[k % 2]}" for k in range(60)]
    (files / "submissions" / "t-1.csv").write_text("\n".join(["id,label", *mine]))
    hub = types.ModuleType("huggingface_hub")
    hub.hf_hub_download = lambda *, filename, **_: str(files / filename)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    compute = of_page("huggingface/metric.py", monkeypatch)["compute"]
    params = SimpleNamespace(competition_id="me/c", token="", team_id="t", submission_id="1")
    found = compute(params)
    assert found == {
        "public_score": {"accuracy": pytest.approx(19 / 20)},
        "private_score": {"accuracy": pytest.approx(38 / 40)},
    }


def test_hugging_face_ranks_by_a_key_that_is_returned() -> None:
    """Their leaderboard looks for the scoring metric in both parts, and fails without it."""
    files = {block.file: block.text for block in blocks("docs/how-to/other-platforms.md")}
    configuration = json.loads(files["huggingface/conf.json"])
    assert configuration["EVAL_METRIC"] == "custom"
    assert configuration["EVAL_HIGHER_IS_BETTER"] in (0, 1)
    returned = f'{{"{configuration["SCORING_METRIC"]}": scores['
    assert files["huggingface/metric.py"].count(returned) == 2


def test_grand_challenge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform reads JSON below the output folder, and a leaderboard's score by its path."""
    evaluate = of_page("grand_challenge/evaluate.py", monkeypatch)["evaluate"]
    evaluate(str(SAMPLE), str(EXAMPLE / "ref"), str(tmp_path))
    written = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))
    assert 0 < written["aggregates"]["f1_score_standard_error"] < written["aggregates"]["f1_score"]


def test_aicrowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run instantiates the class with the gold, and wants both scores; exceptions are shown."""
    evaluator = of_page("aicrowd/evaluator.py", monkeypatch)["AIcrowdEvaluator"](
        str(EXAMPLE / "ref"), round=1
    )
    payload = {
        "submission_file_path": str(SAMPLE),
        "aicrowd_submission_id": 1234,
        "aicrowd_participant_id": 1234,
    }
    result = evaluator._evaluate(payload, {})
    assert 0 < result["score"] < 1
    assert 0 < result["score_secondary"] < 1
    (tmp_path / "p.csv").write_text("id,label\nt0001,offensive\n")
    with pytest.raises(Exception, match="2181 missing ids"):
        evaluator._evaluate({**payload, "submission_file_path": str(tmp_path / "p.csv")})


def test_tira(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server splits what the evaluator wrote, the only file, into keys and numbers."""
    evaluate = of_page("tira/evaluator.py", monkeypatch)["evaluate"]
    evaluate(str(SAMPLE.parent), str(EXAMPLE / "ref"), str(tmp_path))
    (written,) = tmp_path.iterdir()
    assert written.name == "evaluation.prototext"
    measures: dict[str, float] = {}
    for measure in written.read_text().replace("measure{", "measure {").split("measure {")[1:]:
        lines = [line.split(":") for line in measure.split("\n") if ":" in line]
        assert all(len(line) == 2 for line in lines)
        found = {key.strip(): value.split('"')[1] for key, value in lines}
        measures[found["key"]] = float(found["value"])
    low, high = measures["f1_score_ci_low"], measures["f1_score_ci_high"]
    assert low < measures["f1_score"] < high
