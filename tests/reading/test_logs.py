"""Logs of evaluations are scored as their tools write them, one file or folder a system.

The files are made here in the tools' forms: lm-evaluation-harness 0.4 (``--log_samples``),
inspect_ai (``.eval`` and ``.json`` of version 2), HELM (``per_instance_stats.json`` of a run),
Every Eval Ever (instance_level_eval.schema.json), EvalPlus (``_eval_results.json``), LiveCodeBench
(``_eval_all.json``, lcb_runner/evaluation/compute_scores.py), SWE-bench (the harness's report, and
``leaderboards.json`` of its website).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import scoring_program as dh
from scoring_program.commands.score import main

N = 30
SYSTEMS = ("big", "small")
#: Which of the questions each system answers correctly.
RIGHT = {"big": [q % 5 != 0 for q in range(N)], "small": [q % 3 != 0 for q in range(N)]}
SCORES = {system: sum(right) / N for system, right in RIGHT.items()}

Files = dict[str, str | bytes]


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def lm_eval(system: str) -> Files:
    records = [
        {
            "doc_id": q, "doc": {"topic": f"t{q // 3}"}, "target": "x", "resps": [],
            "filter": name, "metrics": ["exact_match"],
            "exact_match": float(right and name == "strict-match"),
        }
        for q, right in enumerate(RIGHT[system])
        for name in ("strict-match", "flexible-extract")
    ]  # fmt: skip
    folder = f"out/org__{system}"
    return {f"{folder}/samples_gsm8k_2025-01-02T03-04-05.678.jsonl": lines(records),
            f"{folder}/results_2025-01-02T03-04-05.678.json": '{"results": {}}'}  # fmt: skip


def inspect_samples(system: str) -> list[dict[str, Any]]:
    return [
        {"id": f"q{q}", "epoch": epoch, "metadata": {"topic": f"t{q // 3}"},
         "scores": {"match": {"value": "C" if right else "I"}}}
        for q, right in enumerate(RIGHT[system])
        for epoch in (1, 2)
    ]  # fmt: skip


def inspect_json(system: str) -> Files:
    log = {"version": 2, "status": "success", "eval": {"task": "arith", "model": f"org/{system}"},
           "samples": inspect_samples(system)}  # fmt: skip
    return {f"logs/2025_arith_{system}.json": json.dumps(log)}


def inspect_eval(system: str) -> Files:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        header = {"version": 2, "eval": {"task": "arith", "model": f"org/{system}"}}
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("_journal/start.json", "{}")
        for sample in inspect_samples(system):
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    return {f"logs/2025_arith_{system}.eval": stream.getvalue()}


def helm(system: str) -> Files:
    def of(q: int, right: bool) -> dict[str, Any]:
        values = {"exact_match": float(right), "num_prompt_tokens": 10.0, "inference_runtime": 1.5}
        stats = [{"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value}
                 for name, value in values.items()]  # fmt: skip
        return {"instance_id": f"id{q}", "train_trial_index": 0, "stats": stats}

    records = [of(q, right) for q, right in enumerate(RIGHT[system])]
    run = f"runs/v1/mmlu:subject=anatomy,method=joint,model=org_{system}"
    return {f"{run}/per_instance_stats.json": json.dumps(records),
            f"{run}/run_spec.json": "{}", f"{run}/stats.json": "[]"}  # fmt: skip


def every_eval_ever(system: str) -> Files:
    records = [
        {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": f"org/{system}",
         "evaluation_name": "GSM8K", "sample_id": f"q{q}",
         "evaluation": {"score": float(right), "is_correct": right}}
        for q, right in enumerate(RIGHT[system])
    ]  # fmt: skip
    return {f"data/{system}_samples.jsonl": lines(records)}


def evalplus(system: str) -> Files:
    evaluated = {
        f"HumanEval/{q}": [
            {"task_id": f"HumanEval/{q}", "base_status": "pass" if right or q % 2 else "fail",
             "plus_status": "fail" if q % 2 and not right else "pass"}
        ]
        for q, right in enumerate(RIGHT[system])
    }  # fmt: skip
    name = f"humaneval/{system}_vllm_temp_0.0_eval_results.json"
    return {name: json.dumps({"date": "2025", "hash": "x", "eval": evaluated})}


def livecodebench(system: str) -> Files:
    records = [
        {"question_id": f"abc{q}", "difficulty": "hard", "graded_list": [right, right],
         "pass@1": float(right)}
        for q, right in enumerate(RIGHT[system])
    ]  # fmt: skip
    return {f"{system}/Scenario.codegeneration_2_0.2_eval_all.json": json.dumps(records)}


def swe_bench(system: str) -> Files:
    resolved = [f"django-{q}" for q, right in enumerate(RIGHT[system]) if right]
    submitted = [*resolved, "django-0"] if system == "big" else resolved
    report = {"total_instances": N, "submitted_ids": submitted, "resolved_ids": resolved,
              "unresolved_ids": ["django-0"], "schema_version": 2}  # fmt: skip
    return {f"{system}.run1.json": json.dumps(report)}


def swe_results(system: str) -> Files:
    """Return what the leaderboard's repository holds; one total is of a larger test set."""
    resolved = [f"django-{q}" for q, right in enumerate(RIGHT[system]) if right]
    results = {"no_generation": ["django-0"], "no_logs": [], "resolved": resolved}
    total = N - 10 if system == "big" else 2284
    by_repo = {"django/django": {"resolved": len(resolved), "total": total},
               "psf/requests": {"resolved": 0, "total": 10}}  # fmt: skip
    folder = f"20250101_{system}/results"
    return {f"{folder}/results.json": json.dumps(results),
            f"{folder}/resolved_by_repo.json": json.dumps(by_repo),
            f"20250101_{system}/all_preds.jsonl": lines([{"instance_id": "django-0"}])}  # fmt: skip


def multi_swe_results(system: str) -> Files:
    """Return what Multi-SWE-bench's repository holds: a report whose list is called "resolved"."""
    resolved = [f"django-{q}" for q, right in enumerate(RIGHT[system]) if right]
    report = {"total_instances": N, "resolved_instances": len(resolved), "submitted_ids": resolved,
              "resolved": resolved, "unresolved_ids": [], "error_ids": []}  # fmt: skip
    return {f"20250101_{system}/results/results.json": json.dumps(report),
            f"20250101_{system}/all_preds.jsonl": lines([{"instance_id": "django-0"}])}  # fmt: skip


def swe_reports(system: str) -> Files:
    return {
        f"run1/{system}/django-{q}/report.json": json.dumps(
            {f"django-{q}": {"patch_exists": True, "resolved": right, "tests_status": {}}}
        )
        for q, right in enumerate(RIGHT[system])
        if right or q < N - 3
    }


def swe_website(system: str) -> Files:
    details = {
        f"django-{q}": {"resolved": right, "cost": 0.5} for q, right in enumerate(RIGHT[system])
    }
    result = {"name": "M", "folder": f"20250101_{system}", "resolved": 100 * SCORES[system] + 0.1}
    entries = [result | {"per_instance_details": details}, {"name": "other", "folder": "2024_x"}]
    boards = [{"name": name, "results": entries} for name in ("bash-only", "Verified")]
    return {f"{system}_leaderboards.json": json.dumps({"leaderboards": boards})}


MAKERS = (
    lm_eval, inspect_json, inspect_eval, helm, every_eval_ever, evalplus, livecodebench, swe_bench,
    swe_results, multi_swe_results, swe_reports, swe_website,
)  # fmt: skip


def written(folder: Path, make: Callable[[str], Files], settings: str = "") -> Path:
    for system in SYSTEMS:
        for name, content in make(system).items():
            path = folder / "in/res" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "in/ref").mkdir()
    (folder / "in/ref/scoring.yaml").write_text(f"resamples: 100\n{settings}")
    return folder / "in"


def scores(folder: Path) -> Mapping[str, float]:
    """Return the score of every system by the first metric."""
    result = dh.score(folder, None)
    return {
        next(system for system in SYSTEMS if system in row.entry): row.score
        for row in result[next(iter(result))].ranking
    }


@pytest.mark.parametrize("make", MAKERS)
def test_logs_give_the_tools_own_scores(tmp_path: Path, make: Callable[[str], Files]) -> None:
    assert scores(written(tmp_path, make)) == pytest.approx(SCORES)


def test_a_suite_of_helm_is_models_on_scenarios(tmp_path: Path) -> None:
    def make(system: str) -> Files:
        held = next(content for name, content in helm(system).items() if "per_instance" in name)
        runs = (f"{task}:model=org_{system}" for task in ("arithmetic", "grammar"))
        tables = {"groups/json/core.json": "[]", "eval_cache/answers.sqlite": "", "runs.json": "[]"}
        return tables | {f"{run}/per_instance_stats.json": held for run in runs}

    result = dh.score(written(tmp_path, make), None)
    assert {row.entry for row in result[next(iter(result))].ranking} == {
        f"org_{system}" for system in SYSTEMS
    }
    assert {key.partition("_")[0] for key in result} >= {"arithmetic", "grammar"}


def test_folders_of_tasks_are_no_systems(tmp_path: Path) -> None:
    def make(system: str) -> Files:
        return {
            f"{task}_{system}/samples.jsonl": str(content).replace("GSM8K", task)
            for task in ("GSM8K", "MATH")
            for content in every_eval_ever(system).values()
        }

    result = dh.score(written(tmp_path, make), None)
    assert {row.entry for row in result[next(iter(result))].ranking} == {
        f"org/{system}" for system in SYSTEMS
    }


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_any_other_log_is_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    def make(system: str) -> Files:
        answers = enumerate(RIGHT[system])
        if form == "csv":
            return {f"{system}.csv": "q,topic,right\n" + "".join(
                f"{q},t{q // 3},{'CI'[not right]}\n" for q, right in answers
            )}  # fmt: skip
        return {f"{system}/run.jsonl": lines([
            {"doc": {"q": q, "topic": f"t{q // 3}"}, "all": {"right": right}, "steps": [1]}
            for q, right in answers
        ])}  # fmt: skip

    names = ("q", "topic", "right") if form == "csv" else ("doc.q", "doc.topic", "all.right")
    columns = dict(zip(("unit", "topic", "accuracy"), names, strict=True))
    settings = f"submissions: {json.dumps({'columns': columns})}\ngroup: topic\n"
    folder = written(tmp_path, make, settings)
    assert scores(folder) == pytest.approx(SCORES)
    path = folder / "ref/scoring.yaml"
    path.write_text(f"{settings}unit: q\n")
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "'submissions' says what is a unit" in capsys.readouterr().err
    path.write_text(settings.replace(f', "accuracy": "{names[2]}"', ""))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "names a unit and no score" in capsys.readouterr().err
    columns = {"unit": names[0], "accuracy": names[1]}
    path.write_text(f"submissions: {json.dumps({'columns': columns})}\n")
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "accuracy is 't0'; a score is a number" in capsys.readouterr().err


def test_an_empty_score_of_a_described_log_follows_the_setting_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(system: str) -> Files:
        answers = [{"q": q, "right": right} for q, right in enumerate(RIGHT[system])]
        return {f"{system}.jsonl": lines([{"q": 0, "right": None}, *answers[1:]])}

    settings = "submissions: {columns: {unit: q, accuracy: right}}\n"
    folder = written(tmp_path, make, settings)
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "1 missing score" in (said := capsys.readouterr().err)
    assert "say with 'missing' how a missing score counts" in said
    for policy, n in (("drop_unit", N - 1), ("judged", N - 1), ("worst", N)):
        (folder / "ref/scoring.yaml").write_text(f"resamples: 100\n{settings}missing: {policy}\n")
        right = {name: sum(RIGHT[name][1:]) / n for name in SYSTEMS}
        assert scores(folder) == pytest.approx(right)


def test_an_unknown_number_of_instances_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "do not say how many instances there are"
    assert main([str(written(tmp_path / "reports", swe_reports)), str(tmp_path / "out")]) == 0
    assert said in capsys.readouterr().out
    assert main([str(written(tmp_path / "results", swe_results)), str(tmp_path / "out")]) == 0
    assert said not in capsys.readouterr().out


def test_a_stated_score_that_the_answers_do_not_give_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, swe_website)
    assert main([str(folder), str(tmp_path / "out")]) == 0
    assert "states" not in capsys.readouterr().out
    path = folder / "res/big_leaderboards.json"
    path.write_text(path.read_text().replace('"resolved": 80.1', '"resolved": 52.8'))
    assert main([str(folder), str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "The log of 20250101_big states 52.8%, but its instances give 80%." in printed
    assert "because the log holds none of their instances: 2024_x." in printed


def test_a_submission_of_the_website_has_one_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, swe_website)
    path = folder / "res/big_leaderboards.json"
    boards = json.loads(path.read_text())
    details = boards["leaderboards"][1]["results"][0]["per_instance_details"]
    details["django-0"]["resolved"] = not details["django-0"]["resolved"]
    path.write_text(json.dumps(boards))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "'20250101_big' has two results that differ" in capsys.readouterr().err


@pytest.mark.parametrize("fault", [{}, {"folder": None}, {"folder": ["x"]}, {"folder": 3}])
def test_a_result_of_the_website_without_a_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: dict[str, Any]
) -> None:
    folder = written(tmp_path, swe_website)
    path = folder / "res/big_leaderboards.json"
    boards = json.loads(path.read_text())
    boards["leaderboards"][0]["results"].append({"name": "other", "resolved": 3} | fault)
    path.write_text(json.dumps(boards))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    said = "is no name of a folder" if fault else "it has no 'folder'"
    assert said in capsys.readouterr().err


def test_names_of_systems_are_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, every_eval_ever)
    path = next((folder / "res").rglob("*.jsonl"))
    records = [json.loads(line) | {"model_id": 3} for line in path.read_text().splitlines()]
    path.write_text(lines(records))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "'3' is no name of a system" in capsys.readouterr().err


def test_a_report_that_counts_otherwise_than_it_lists_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, swe_bench)
    path = next((folder / "res").rglob("*big*.json"))
    report = json.loads(path.read_text())
    path.write_text(json.dumps(report | {"resolved_instances": len(report["resolved_ids"])}))
    assert main([str(folder), str(tmp_path / "out")]) == 0
    path.write_text(json.dumps(report | {"resolved_instances": 3}))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    said = f"'resolved_instances' is 3, but {len(report['resolved_ids'])} are listed"
    assert said in capsys.readouterr().err


def test_a_score_that_an_answer_lacks_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(system: str) -> Files:
        samples = inspect_samples(system)
        for sample in samples:
            sample["scores"]["length"] = {"value": 7.5}
        del samples[3]["scores"]["match"]
        log = {"status": "success", "eval": {"task": "t", "model": system}, "samples": samples}
        return {f"{system}.json": json.dumps(log)}

    assert main([str(written(tmp_path, make)), str(tmp_path / "out")]) == 0
    assert "Not compared, because some answers lack it: match." in capsys.readouterr().out


def test_an_archive_of_a_run_that_did_not_end_is_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, inspect_eval)
    with zipfile.ZipFile(folder / "res/logs/third.eval", "w") as archive:
        archive.writestr("_journal/start.json", '{"eval": {"task": "arith", "model": "third"}}')
        archive.writestr("samples/q0_epoch_1.json", json.dumps(inspect_samples("big")[0]))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "logs/third.eval" in capsys.readouterr().err


def test_the_log_says_what_was_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, inspect_eval, "group: metadata.topic\n")
    assert main([str(folder), str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "Logs of inspect_ai; higher scores are better." in shown
    assert "org/big" in shown
    result = json.loads((tmp_path / "out/results.json").read_text())
    assert result["n"] == N


def test_suites_become_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def suite(system: str) -> Files:
        def task(name: str, metric: str) -> Files:
            records = [
                {"doc_id": q, "target": "x", "metrics": [metric], metric: float(right)}
                for q, right in enumerate(RIGHT[system])
            ]
            return {f"{system}/samples_{name}_2025-01-02T03-04-05.678.jsonl": lines(records)}

        return {**task("arc", "acc"), **task("gsm8k", "exact_match")}

    folder = written(tmp_path, suite, "overall: mean\n")
    assert main([str(folder), str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "Each task is scored by its first metric: acc (arc), exact_match (gsm8k)." in shown
    first = json.loads((tmp_path / "out/results.json").read_text())["metrics"][0]
    assert {entry["entry"]: entry["score"] for entry in first["entries"]} == pytest.approx(SCORES)


def test_a_system_that_lacks_answers_follows_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, every_eval_ever)
    path = folder / "res/data/small_samples.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    assert main([str(folder), str(tmp_path / "out")]) == 2
    assert "unit 'q0': no line" in capsys.readouterr().err
    (folder / "ref/scoring.yaml").write_text("resamples: 100\nmissing: drop_unit\n")
    assert main([str(folder), str(tmp_path / "out")]) == 0


@pytest.mark.parametrize(
    ("others", "settings", "message"),
    [
        (evalplus, "", "logs of several tools"),
        (None, "group: doc.language\n", "have no 'doc.language' for some answers"),
        (None, "unit: doc_id\n", "leave 'doc_id' out"),
    ],
)
def test_refusals(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    others: Callable[[str], Files] | None,
    settings: str,
    message: str,
) -> None:
    def make(system: str) -> Files:
        return lm_eval(system) | (others(system) if others else {})

    assert main([str(written(tmp_path, make, settings)), str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "name", "content"),
    [
        (lm_eval, "out/org__third/results_2025-01-02T03-04-05.678.json", "{}"),
        (lm_eval, "out/org__big/samples_arc_2025-01-02T03-04-05.678.jsonl", '{"doc_id": 0, "tar'),
        (inspect_eval, "logs/third.eval", "PK"),
        (livecodebench, "third/Scenario.codegeneration_1_0.2_eval_all.json", "[]"),
        (helm, "runs/v1/mmlu:subject=anatomy,method=joint,model=third/run_spec.json", "{}"),
    ],
)
def test_no_system_is_passed_over(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[str], Files],
    name: str,
    content: str,
) -> None:
    folder = written(tmp_path, make)
    (folder / "res" / name).parent.mkdir(exist_ok=True)
    (folder / "res" / name).write_text(content)
    assert main([str(folder), str(tmp_path / "out")]) == 2
    shown = capsys.readouterr().err
    assert name in shown or name.rpartition("/")[0] in shown
    assert "let the tool write them again" in shown


def swe_report(resolved: str, unresolved: str, **more: Any) -> str:
    report = {"total_instances": 4, "submitted_ids": [*resolved, *unresolved],
              "resolved_ids": [*resolved], "unresolved_ids": [*unresolved]}  # fmt: skip
    return json.dumps(report | more)


def swe_part(resolved: Any) -> str:
    return json.dumps({"a": {"patch_exists": True, "resolved": resolved}})


LM = '{"doc_id": 1, "target": "x", "metrics": ["acc"], "acc": 1.0}'
INSPECT = '{"eval": {"task": "t", "model": "m"}, "samples": [%s]}'
DESCRIBED = "submissions: {columns: {unit: q, score: all}}\n"


@pytest.mark.parametrize(
    ("name", "content", "good", "messages"),
    [
        ("A/2.json", swe_report("", "abcd"), swe_report("abc", "d"),
         ["A/2.json and A/x.json", "score given twice: 'A' on 'a'"]),
        ("A/2.json", swe_report("ab", "cd"), swe_report("ab", "cd"), ["score given twice"]),
        ("A/2.json", swe_part(False), swe_report("ab", "cd"), ["score given twice"]),
        ("B.json", swe_report("ab", "ac"), "", ["B.json: a stands in 'resolved_ids' and in"]),
        ("B.json", swe_report("ab", "", total_instances=2), swe_report("ab", "cd"),
         ["B.json of 2; ", ".json of 4", "score every system on the same instances"]),
        ("B.json", swe_report("ab", "cd"), swe_report("ef", ""), ["have no instance in common"]),
        ("B.json", swe_report("ab", "ce"), swe_report("ab", "cd"), ["the logs name 5"]),
        ("B.json", swe_report("a", "", total_instances="many"), "",
         ["B.json: 'total_instances': the number of instances is 'many', not a whole number"]),
        ("B.json", swe_report("a", "", total_instances=10**6), "", ["'1000000', not a whole"]),
        ("B.json", swe_report("a", "", unresolved_ids=[["b"]]), "",
         ["B.json: 'unresolved_ids': not a record"]),
        ("B.json", swe_part(7), "", ["B.json: 'a': 'resolved' is '7', not true or false"]),
        ("B.json", swe_part(None), "", ["'resolved' is 'None', not true or false"]),
        ("B/samples_t.jsonl", LM + '\n{"target": 1}', "",
         ["B/samples_t.jsonl: record 2: not a record of lm-", "it has no 'doc_id'"]),
        ("B/samples_t.jsonl", LM + "\n[1]", "", ["record 2: not a record of lm-"]),
        ("B/samples_t.jsonl", LM + "\n" + LM, "",
         ["B/samples_t.jsonl: records 1 and 2 are both of the doc_id 1; let the tool write"]),
        ("B.json", '{"status": "error", "eval": {"task": "t"}}', "",
         ["B.json (error): it holds no answers, so that the system would not be compared"]),
        ("B.json", INSPECT % "", "", ["B.json: it holds no answers"]),
        ("B.json", '{"eval": {"H/0": [{"plus_status": "pass"}], "H/1": []}}', "",
         ["B.json: 'H/1': it has no answer; let the tool write"]),
        ("B.json", '{"eval": {}}', "", ["B.json: it holds no answers"]),
        ("B.json", INSPECT % '{"id": 1}, {"scores": {}}', "", ["B.json: record 2", "no 'id'"]),
        ("B.json", INSPECT % '{"id": 1, "scores": {"m": "C"}}', "", ["B.json: record 1: not a"]),
        ("B.json", '{"status": "success", "eval": {"task": "t"}, "samples": 7}', "",
         ["B.json: not a record of inspect_ai; let the tool write"]),
        ("B.json", '{"eval": "x"}', "", ["B.json: not a record of EvalPlus; let the tool write"]),
        ("B.json", '[{"question_id": "1", "graded_list": null}]', "", ["B.json: record 1: not a"]),
        ("B.json", '{"eval": {"H/0": [{}], "H/1": [7]}}', "", ["B.json: 'H/1': not a record"]),
        ("B.jsonl", '{"q": 1, "all": {"right": 1}}\n', DESCRIBED,
         ["B.jsonl: score: a record has an object or a list there"]),
    ],
)  # fmt: skip
def test_malformed_and_contradicting_logs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: str,
    good: str,
    messages: list[str],
) -> None:
    res = written(tmp_path, lambda _: {name: content}, good if good == DESCRIBED else "") / "res"
    if good not in ("", DESCRIBED):
        of_other = {"C/x.json": swe_report("ab", "cd")} if name.startswith("A") else {}
        for file, text in {"A/x.json": good, **of_other}.items():
            (res / file).parent.mkdir(exist_ok=True)
            (res / file).write_text(text)
    assert main([str(tmp_path / "in"), str(tmp_path / "out")]) == 2
    shown = capsys.readouterr().err
    assert [message for message in messages if message not in shown] == []


def samples(metric: str, scores: Sequence[object], filter: str = "none", **more: Any) -> str:
    records = [
        {"doc_id": q, "target": "x", "filter": filter, "metrics": [metric], metric: score, **more}
        for q, score in enumerate(scores)
    ]
    return lines(records)


def ran(tmp_path: Path, **logs: str) -> int:
    for system, text in logs.items():
        path = (
            tmp_path / "in" / "res" / f"org__{system}" / "samples_t_2025-01-02T03-04-05.678.jsonl"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return main([str(tmp_path / "in"), str(tmp_path / "out"), "--resamples", "100"])


def test_a_name_says_that_lower_is_better_also_in_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(tmp_path, big=samples("wer", [0.1, 0.2] * 8), small=samples("wer", [0.6] * 16)) == 0
    shown = capsys.readouterr().out
    assert "Logs of lm-evaluation-harness.\n" in shown
    assert "org__big is first (wer" in shown


def test_perplexities_are_pairs_whose_mean_is_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [[-10.5, 4], [-3.25, 2]] * 8
    alone = samples("word_perplexity", pairs)
    assert ran(tmp_path, big=alone, small=alone) == 2
    told = capsys.readouterr().err
    assert "hold no score that all answers have in the task 't'. Of 'word_perplexity'" in told
    assert "such as a likelihood and a length, whose mean over answers is no such score" in told
    records = map(json.loads, samples("acc", [1.0, 0] * 8).splitlines())
    both = [
        {**record, "word_perplexity": pair, "metrics": ["acc", "word_perplexity"]}
        for record, pair in zip(records, pairs, strict=True)
    ]
    assert ran(tmp_path, big=lines(both), small=lines(both)) == 0
    told = capsys.readouterr().out
    assert "share first place (acc 0.5000)" in told
    assert "whose mean over answers is no such score: word_perplexity." in told


@pytest.mark.parametrize("name", ["word_perplexity", "edit_distance", "error_rate"])
def test_what_may_be_bad_has_no_direction_in_logs(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(tmp_path, big=samples(name, [3.0, 2] * 8), small=samples(name, [9.0] * 16)) == 2
    assert f"is a higher score better in '{name}'?" in capsys.readouterr().err


def test_percentages_beside_fractions_in_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = {"big": samples("acc", [100.0, 0] * 8), "small": samples("acc", [1.0, 1, 1, 0] * 4)}
    assert ran(tmp_path, **logs) == 2
    assert "found both fractions and percentages" in capsys.readouterr().err


def test_other_filters_are_other_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (samples("exact_match", [1.0, 0] * 8, name) for name in ("strict", "flexible"))
    assert ran(tmp_path, big=one, small=other) == 2
    assert "hold no score that all answers have" in capsys.readouterr().err
    assert ran(tmp_path, big=one, small=one) == 0
    assert "share first place (exact_match 0.5000)" in capsys.readouterr().out
    unsaid = [{**json.loads(line), "filter": None} for line in one.splitlines()]
    assert ran(tmp_path, big=samples("exact_match", [1.0, 0] * 8), small=lines(unsaid)) == 0


def test_other_questions_of_the_same_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (samples("acc", [1.0, 0] * 8, doc_hash=of) for of in ("aa", "bb"))
    assert ran(tmp_path, big=one, small=other) == 2
    assert "0 of t is another question for org__small than for org__big, as the doc_hash" in (
        capsys.readouterr().err.replace("'", "")
    )


def changed(maker: Callable[[str], Files], old: str, new: str) -> Callable[[str], Files]:
    """Return what makes logs of which the first ``old`` text of one system is another."""

    def make(system: str) -> Files:
        files = maker(system)
        return {
            name: text.replace(old, new, 1) if system == "big" and isinstance(text, str) else text
            for name, text in files.items()
        }

    return make


@pytest.mark.parametrize(
    ("maker", "old", "new", "message"),
    [
        (
            lm_eval, '"doc_id": 3,', '"doc_id": 3, "doc_id": 4,',
            r"samples_gsm8k_\S+\.jsonl: one object has the key 'doc_id' twice; let the tool write",
        ),
        (
            inspect_json, '"status": "success"', '"status": "x", "status": "success"',
            r"2025_arith_big\.json: one object has the key 'status' twice",
        ),
        (
            lm_eval, '"exact_match": 1.0', f'"exact_match": {10**400}',
            r"found 'inf', expected a finite number below 1e\+10",
        ),
    ],
)  # fmt: skip
def test_keys_that_stand_twice_and_numbers_too_large_for_a_float(
    maker: Callable[[str], Files], old: str, new: str, message: str, tmp_path: Path
) -> None:
    folder = written(tmp_path, changed(maker, old, new))
    with pytest.raises(dh.OrganizerError, match=message):
        dh.score(folder, None)


@pytest.mark.parametrize("header", ["[]", "7", "null", '"x"'])
def test_an_archive_whose_header_is_no_object(header: str, tmp_path: Path) -> None:
    def make(system: str) -> Files:
        files = inspect_eval(system)
        if system == "big":
            stream = io.BytesIO()
            with zipfile.ZipFile(stream, "w") as archive:
                archive.writestr("header.json", header)
                archive.writestr("samples/1.json", '{"id": 1}')
            files = {name: stream.getvalue() for name in files}
        return files

    with pytest.raises(dh.OrganizerError, match=r"empty or cut short.*2025_arith_big\.eval"):
        dh.score(written(tmp_path, make), None)


def test_other_files_beside_logs_may_have_a_key_twice(tmp_path: Path) -> None:
    def make(system: str) -> Files:
        return {**lm_eval(system), f"out/org__{system}/config.json": '{"a": 1, "a": 2}'}

    assert dh.score(written(tmp_path, make), None, resamples=100).leader == "org__big"
