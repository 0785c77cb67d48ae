"""The command ``deadheat audit``: its outputs, and that no scoring run writes any of them."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from scoring_program.audit import certificate
from scoring_program.commands.audit import main
from scoring_program.core.catalogs import load
from tests.competitions import EXAMPLE, Folder, numeric, write_csv
from tests.sweeps import swept


@pytest.fixture(autouse=True)
def _few_noisy_golds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw few: what they show is tested where the certificates are."""
    monkeypatch.setattr(certificate, "DRAWS", 20)


def _audit(folder: Folder, *options: str) -> dict[str, Any]:
    output = folder.root / "audit"
    assert main([str(folder.input), "-o", str(output), *options]) == 0
    written = (output / "audit.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(written, parse_constant=pytest.fail)
    return content


def test_the_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, n=200, teams=[f"Team {k}" for k in range(6)]).write()
    content = _audit(folder)
    assert content["schema_version"] == 2
    assert content["leader"] == "Team 0"
    assert {"certificate", "examples", "oracle", "majority", "confusion", "near_copies", "schemes",
            "optimism"} <= set(content)  # fmt: skip
    examples = content["examples"]
    assert sorted(item["id"] for item in examples) == folder.ids
    names = {path.name for path in (tmp_path / "audit").iterdir()}
    assert names == {"audit.html", "audit.json", "tables", "figures"}
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "holds gold labels" in page
    assert '<footer><p><a href="#signature">Made by Deadheat' in page
    assert 'id="signature"' in page
    for path in (tmp_path / "audit" / "tables").iterdir():
        assert path.name.startswith("gold_") or path.name == "all.tex"
        if path.suffix in (".md", ".tex") and path.name != "all.tex":
            assert "holds gold labels" in path.read_text(encoding="utf-8"), path
    for path in (tmp_path / "audit" / "figures").iterdir():
        assert path.name.startswith("gold_")
    assert "holds gold labels" in capsys.readouterr().out


def test_figures_in_other_formats(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    folder = Folder(tmp_path, n=120, teams=[f"Team {k}" for k in range(6)]).write("figures: [png]")
    figures = tmp_path / "audit" / "figures"
    begins = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    for options, formats in ((), {".svg", ".png"}), (("--figures", "pdf"), {".svg", ".pdf"}):
        _audit(folder, *options)
        drawn = {path.stem for path in figures.glob("*.svg")}
        assert drawn
        assert {path.name for path in figures.iterdir()} == {
            f"{name}{suffix}" for name in drawn for suffix in formats
        }
        for path in figures.iterdir():
            assert path.read_bytes().startswith(begins[path.suffix])


@pytest.mark.parametrize("plan", [(), ("--plan",)])
def test_the_library_for_other_formats_is_asked_for_first(
    tmp_path: Path,
    plan: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "vl_convert" else find(name)
    )
    folder = Folder(tmp_path).write()
    output = tmp_path / "audit"
    assert main([str(folder.input), "-o", str(output), "--figures", "[pdf, png]", *plan]) == 2
    told = capsys.readouterr()
    assert 'pip install ".[figures]"' in told.err
    assert "entries on" not in told.out  # nothing was scored
    assert not output.exists()


def test_an_unknown_format_of_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path).write()
    options = [str(folder.input), "-o", str(tmp_path / "audit")]
    assert main([*options, "--figures", "eps"]) == 2
    assert "option --figures: figures: expected one of pdf, png" in capsys.readouterr().err


def test_a_scoring_run_writes_nothing_of_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write()
    folder.run()
    written = {path.name for path in folder.output.rglob("*")}
    assert not written & {"audit.html", "audit.json", "organizer"}
    texts = "".join(
        path.read_text(encoding="utf-8") for path in folder.output.rglob("*") if path.is_file()
    )
    assert not any(identity in texts for identity in folder.ids)


@pytest.mark.parametrize("metric", ["accuracy_score", "f1_score: {average: macro}"])
def test_regraded_labels(tmp_path: Path, metric: str) -> None:
    folder = Folder(tmp_path, n=120).write(f"metrics:\n  - {metric}\n")
    before = _audit(folder)
    first = before["certificate"][0]
    chosen = first["smallest_set"]
    assert len(chosen) == first["changes"]
    columns = {key: [item[key] for item in chosen] for key in ("id", "label")}
    write_csv(tmp_path / "regraded.csv", columns)
    _audit(folder, "--regraded", str(tmp_path / "regraded.csv"))
    table = (tmp_path / "audit" / "tables" / "gold_regraded.csv").read_text(encoding="utf-8")
    moves = {line.split(",")[0]: line.split(",")[1:3] for line in table.splitlines()[1:]}
    assert moves[first["rival"]][1] == "1"


@pytest.mark.parametrize(
    ("rows", "expected"),
    swept(
        [
            ({"id": ["nobody"], "label": ["a"]}, "1 unknown id, nobody; every id has to be"),
            ({"id": ["x001"], "label": ["z"]}, "found 'z', expected one of 'a', 'b', 'c'"),
            ({"id": ["x001"], "lable": ["a"]}, "no column that is scored; expected 'label'"),
            ({"id": ["x001"]}, "no column that is scored; expected 'label'"),
        ],
        fast=2,
    ),
)
def test_regraded_labels_that_do_not_fit(
    tmp_path: Path,
    rows: dict[str, list[str]],
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path).write()
    write_csv(tmp_path / "regraded.csv", rows)
    options = [str(folder.input), "-o", str(tmp_path / "audit")]
    assert main([*options, "--regraded", str(tmp_path / "regraded.csv")]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "audit").exists()


def test_errors_within_slices(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=200).write("metrics: [accuracy_score]\nslices: [source]\n")
    source = ["forum" if k % 3 else "news" for k in range(200)]
    gold = {"id": folder.ids, "label": folder.labels, "source": source}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    content = _audit(folder)
    for one in content["slices"]:
        rows = [k for k in range(200) if source[k] == one["value"]]
        assert (one["column"], one["n"]) == ("source", len(rows))
        for entry in one["entries"]:
            predicted = folder.teams[entry["entry"]]
            errors = sum(predicted[k] != folder.labels[k] for k in rows)
            assert entry["errors"] == errors
            assert entry["error_rate"] == pytest.approx(errors / len(rows))
            assert entry["ci"][0] < entry["error_rate"] < entry["ci"][1]
    left_out = {item["name"] for item in content["schemes"] if item["kind"] == "without_slice"}
    assert left_out == {"source: forum", "source: news"}
    table = (tmp_path / "audit" / "tables" / "gold_errors_per_slice.csv").read_text(
        encoding="utf-8"
    )
    assert table.startswith("entry,column,value,examples,errors,low,high\n")


def test_nobody_is_first_without_a_slice_that_alone_has_a_class(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write("metrics: [roc_auc_score]\nslices: [source]\n")
    n = len(folder.ids)
    source = ["news" if k % 4 == 0 else "forum" for k in range(n)]
    columns: dict[str, Sequence[Any]] = {"id": folder.ids, "label": [k % 2 for k in range(n)]}
    write_csv(folder.input / "ref" / "gold.csv", columns | {"source": source})
    for place, team in enumerate(folder.teams, 3):
        scores = [k % 2 + k % place for k in range(n)]
        write_csv(folder.input / "res" / f"{team}.csv", {"id": folder.ids, "score": scores})
    schemes = _audit(folder)["schemes"]
    left_out = [item["name"] for item in schemes if item["kind"] == "without_slice"]
    assert left_out == ["source: news"]  # none without the forum: all the rest are of class 0


def test_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, n=200, teams=["Baseline", "Majority"]).write()
    write_csv(tmp_path / "train.csv", {"id": ["t1"], "label": ["a"]})
    content = _audit(folder, "--plan", "--entries", "20", "--other", str(tmp_path / "train.csv"))
    (part,) = content["plan"]
    assert part["n"] == 200
    assert part["entries"] == 20
    assert part["paired"] is True
    assert part["constant"] == []
    sizes = [item["examples"] for item in part["examples_needed"]]
    assert sizes == sorted(sizes, reverse=True)
    assert "two serious baselines" not in capsys.readouterr().out


def test_a_plan_asks_for_two_serious_baselines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that gives every example the same answer would about double the number."""
    folder = Folder(tmp_path, n=200, teams=["Second", "First"]).write()
    (serious,) = _audit(folder, "--plan")["plan"]
    assert "two serious baselines" not in capsys.readouterr().out
    folder.team("Majority", {"id": folder.ids, "label": ["a"] * 200})
    (three,) = _audit(folder, "--plan")["plan"]
    assert three == {**serious, "constant": ["Majority"]}
    assert "two serious baselines" not in capsys.readouterr().out
    shutil.rmtree(folder.input / "res" / "First")
    (one,) = _audit(folder, "--plan")["plan"]
    assert (one["paired"], one["constant"]) == (False, ["Majority"])
    said = capsys.readouterr().out
    assert "Put two serious baselines into res/ that differ" in said
    assert "one answer for every example says little about how entries differ: Majority." in said
    shutil.rmtree(folder.input / "res" / "Majority")
    (alone,) = _audit(folder, "--plan")["plan"]
    assert alone["examples_needed"] == one["examples_needed"]
    said = capsys.readouterr().out
    assert "Put two serious baselines into res/ that differ" in said
    assert "one answer for every example" not in said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "The test set of 20 documents (60 sentences) separates two entries that are "),
        ("es", "El conjunto de prueba de 20 documentos (60 oraciones) separa a dos participantes "),
        ("pt", "O conjunto de teste de 20 documentos (60 sentenças) separa duas submissões "),
    ],
)
def test_a_plan_counts_examples_by_the_name_of_their_kind(
    tmp_path: Path, code: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is needed are sentences, too, although whole documents are drawn."""
    for file, wrong in (("ref/gold", 0), ("res/One/tags", 3), ("res/Two/tags", 4)):
        tags = ["O" if wrong and k % wrong == 0 else "B-X" for k in range(60)]
        lines = [
            ("-DOCSTART- O\n\n" if k % 3 == 0 else "") + f"a {tag}\n" for k, tag in enumerate(tags)
        ]
        path = tmp_path / "input" / f"{file}.conll"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    folder = Folder(tmp_path)
    folder.settings(f"group: document\nlanguage: {code}\nresamples: 100\n")
    (part,) = _audit(folder, "--plan")["plan"]
    assert part["n"] == 60
    assert said in capsys.readouterr().out
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert not re.search("(?<!for )example|ejemplo|exemplo", page, re.IGNORECASE)


def test_optimism_from_two_runs(tmp_path: Path) -> None:
    public = Folder(tmp_path / "public", n=80).write()
    public.run()
    private = Folder(tmp_path / "private", n=150).write()
    content = _audit(private, "--public", str(public.output))
    optimism = content["optimism"]
    assert {item["entry"] for item in optimism} == set(private.teams)
    for item in optimism:
        assert item["difference"] == pytest.approx(item["public"] - item["private"])
        assert item["ci"][0] < item["difference"] < item["ci"][1]


def test_nothing_is_known_of_the_optimism_of_mean_ranks(tmp_path: Path) -> None:
    folders = {}
    for part, n in (("public", 40), ("private", 60)):
        folder = folders[part] = Folder(tmp_path / part)
        folder.write("overall: mean_rank\nresamples: 100\n")
        (folder.input / "ref" / "gold.csv").unlink()
        for task in ("one", "two"):
            ids = [f"{task}{i}" for i in range(n)]
            write_csv(folder.input / "ref" / f"{task}.csv", {"id": ids, "label": [0, 1] * (n // 2)})
            for place, team in enumerate(("Ana", "Ben"), 3):
                answers = [i % 2 if i % place else 0 for i in range(n)]
                path = folder.input / "res" / team / f"{task}.csv"
                write_csv(path, {"id": ids, "label": answers})
    folders["public"].run()
    content = _audit(folders["private"], "--public", str(folders["public"].output))
    assert [item["ci"] for item in content["optimism"]] == [None, None]


def test_a_single_submission_has_no_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path, teams=()).write()
    write_csv(folder.input / "res" / "predictions.csv", {"id": folder.ids, "label": folder.labels})
    assert main([str(folder.input), "-o", str(tmp_path / "audit")]) == 2
    assert "put every team's submission into res/" in capsys.readouterr().err


def test_many_schemes_that_disagree_are_not_all_named(tmp_path: Path) -> None:
    """Ana finds every 1, and takes every other example for one, too."""
    folder = Folder(tmp_path, n=40)
    folder.labels = [1] * 10 + [0] * 30
    folder.teams = {"Ana": [1] * 40, "Ben": [1] * 9 + [0] * 31}
    others = ["accuracy_score", "f1_score", "precision_score", "jaccard_score"]
    folder.write(f"metrics: [recall_score, {', '.join(others)}]\nresamples: 100\n")
    _audit(folder)
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "5 of 5 other ranking schemes have others on top, for example: " in page
    assert "accuracy (Ben); " in page
    assert "If the one label on which they differ so is wrong, Ben draws level with Ana." in page


def test_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(EXAMPLE), "-o", str(tmp_path / "audit")]) == 0
    assert "enough to put CIMATMTYGTO level with NLPCIC" in capsys.readouterr().out


@pytest.mark.parametrize("code", swept(["en", "es", "pt"]))
def test_an_audit_of_scores_speaks_of_no_gold(
    folder: Folder, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    scores = {"case": range(20), "a": [0.5, 0.6] * 10, "b": [0.5, 0.5] * 9 + [0.9, 0.8]}
    write_csv(folder.input / "res" / "scores.csv", scores)
    folder.settings(f"resamples: 100\nlanguage: {code}\ngreater_is_better: true\n")
    content = _audit(folder)
    assert content["withdrawal"]
    secret, left_out = map(
        load(code).say,
        (
            "The audit holds the scores of single units. Do not publish it.",
            "A table of scores holds no correct answers, so the page says nothing about right and "
            "wrong answers, confusion and shared errors.",
        ),
    )
    said = capsys.readouterr().out
    page = (folder.root / "audit" / "audit.html").read_text(encoding="utf-8")
    # The signature has a hash of all inputs.
    body = page[page.index("<body") : page.index('id="signature"')]
    for text in (secret, left_out):
        assert text in body
    assert secret in said
    for word in ("gold label", "their gold", "referencia", "referência"):
        assert word not in f"{said}{body}"


def test_a_table_of_scores_has_other_aggregations(folder: Folder) -> None:
    scores = {"case": range(9), "steady": [0.5] * 9, "peaks": [0.49] * 6 + [2.0] * 3}
    write_csv(folder.input / "res" / "scores.csv", scores)
    folder.settings("resamples: 100\ngreater_is_better: true\n")
    content = _audit(folder)
    found = {item["name"]: item["top"] for item in content["schemes"]}
    assert found["mean score"] == ["peaks"]
    assert found["mean score, median"] == ["steady"]
    assert found["mean score, mean rank"] == ["steady"]
    assert found["mean score, wins"] == ["peaks", "steady"]
    assert "mean score, mean" not in found


def test_another_column_of_scores_hides_no_aggregation(tmp_path: Path) -> None:
    scores = [
        f"{case},{name},{k},{case % 5 + k}" for case in range(9) for k, name in enumerate("ab")
    ]
    table = "\n".join(["case,system,dice,error", *scores]) + "\n"
    for folder in ("ref", "res"):
        (tmp_path / "input" / folder).mkdir(parents=True)
    (tmp_path / "input/res/long.csv").write_text(table)
    (tmp_path / "input/ref/scoring.yaml").write_text(
        "resamples: 100\nmetrics:\n"
        "- {name: dice, function: mean_score, greater_is_better: true}\n"
        "- {name: error, function: median_score, greater_is_better: false}\n"
    )
    assert main([str(tmp_path / "input"), "-o", str(tmp_path / "audit")]) == 0
    content = json.loads((tmp_path / "audit" / "audit.json").read_text())
    found = {item["name"] for item in content["schemes"]}
    assert {"dice, median", "dice, mean rank", "dice, wins"} <= found


def test_entries_that_are_level_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, teams=("One", "Two"))
    folder.teams["Two"] = list(folder.teams["One"])
    _audit(folder.write("metrics: [accuracy_score]\n"))
    assert "Two is level with One as the labels are." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("perfect", "entries", "expected"),
    [(False, "1", "at least two entries"), (True, "5", "put a baseline with some errors")],
)
def test_plans_that_cannot_be_made(
    tmp_path: Path,
    perfect: bool,
    entries: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path, teams=("One", "Two"))
    if perfect:
        folder.teams = dict.fromkeys(folder.teams, folder.labels)
    folder.write()
    options = [str(folder.input), "-o", str(tmp_path / "audit"), "--plan", "--entries", entries]
    assert main(options) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "audit").exists()


def _numbers(folder: Folder) -> None:
    numeric(folder.write())


def _spans(folder: Folder) -> None:
    for side, rows in (("ref/gold", 3), ("res/One", 3), ("res/Two", 2)):
        ids, starts, ends = "abc"[:rows], range(rows), range(3, 3 + rows)
        columns = {"id": ids, "start": starts, "end": ends, "type": "XXX"[:rows]}
        write_csv(folder.input / f"{side}.csv", columns)


@pytest.mark.parametrize(
    ("write", "corrected", "changed"),
    [
        (_numbers, {"id": ["x000", "x001"], "y": [0.5, 0.25]}, "2 examples"),
        (_spans, {"id": ["c"], "start": [7], "end": [9], "type": ["X"]}, "1 document"),
    ],
)
def test_regraded_numbers_and_spans(
    tmp_path: Path,
    write: Callable[[Folder], None],
    corrected: dict[str, list[Any]],
    changed: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path)
    write(folder)
    write_csv(tmp_path / "regraded.csv", corrected)
    content = _audit(folder, "--regraded", str(tmp_path / "regraded.csv"))
    assert content["regraded"]["changed"] == len(corrected["id"])
    moves = {item["entry"]: item["score"] for item in content["regraded"]["entries"]}
    assert moves["One"][0] != moves["One"][1]
    assert f"The gold of {changed} change" in capsys.readouterr().out


def test_an_absent_prediction_stays_wrong_after_regrading(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write("metrics: [accuracy_score]\nmissing: wrong\n")
    ids, labels = folder.ids[10:], folder.teams["Three"][10:]
    folder.team("Three", {"id": ids, "label": labels})
    for label in "abc":
        write_csv(tmp_path / "new.csv", {"id": folder.ids[:10], "label": [label] * 10})
        content = _audit(folder, "--regraded", str(tmp_path / "new.csv"))
        moved = {item["entry"]: item["score"][1] for item in content["regraded"]["entries"]}
        right = sum(folder.labels[k] == folder.teams["Three"][k] for k in range(10, 60))
        assert moved.get("Three", right / 60) == pytest.approx(right / 60)
    (three,) = (item for item in content["certificate"] if item["rival"] == "Three")
    assert not {*three["examples"]} & {*folder.ids[:10]}


def test_regraded_labels_need_no_group(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write("metrics: [accuracy_score]\ngroup: user\nslices: [source]\n")
    design = {"user": [f"u{k // 3}" for k in range(60)], "source": ["news", "forum"] * 30}
    gold = {"id": folder.ids, "label": folder.labels, **design}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    other = "b" if folder.labels[0] == "a" else "a"
    write_csv(tmp_path / "regraded.csv", {"id": folder.ids[:1], "label": [other]})
    content = _audit(folder, "--regraded", str(tmp_path / "regraded.csv"))
    assert content["regraded"]["changed"] == 1


def test_runs_of_the_leaders_team_are_no_rivals(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write("metrics: [accuracy_score]\nruns: all\n")
    (folder.input / "res" / "One" / "predictions.csv").rename(folder.input / "res/One/first.csv")
    labels = ["c", *folder.teams["One"][1:]]
    write_csv(folder.input / "res/One/second.csv", {"id": folder.ids, "label": labels})
    content = _audit(folder)
    assert content["leader"].startswith("One/")
    assert {item["rival"] for item in content["certificate"]} == {"Two", "Three"}


def test_a_baseline_is_no_rival(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = "metrics: [accuracy_score]\nbaselines: [{}]\n"
    folder = Folder(tmp_path).write(settings.format("One"))
    content = _audit(folder)
    assert "One" not in {content["leader"], *(item["rival"] for item in content["certificate"])}
    assert not any("One" in scheme["top"] for scheme in content["schemes"])
    folder.settings(settings.format("One, Two"))
    assert _audit(folder)["certificate"] == []
    assert "Three leads; there is no rival" in capsys.readouterr().out


def test_names_and_labels_are_text(tmp_path: Path) -> None:
    folder = Folder(tmp_path, teams=())
    spelled = {"a": "<b>bold", "b": "مرحبا", "c": "=1+1"}
    names = ("清华大学", "فريق", "🚀", "<script>alert(1)<", "=cmd|' C'!A0", "{{ 7 * 7 }}")
    folder.teams = {name: [spelled[x] for x in folder.labels] for name in names}
    for place, labels in enumerate(folder.teams.values()):
        labels[: 2 * place] = [spelled["a"]] * (2 * place)
    folder.labels = [spelled[label] for label in folder.labels]
    content = _audit(folder.write())
    assert content["confusion"]["labels"] == sorted(spelled.values())
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<b>bold" not in page
    assert "{{ 7 * 7 }}" in page
    assert all(name in page for name in names[:3])


@pytest.mark.parametrize(
    ("teams", "settings", "expected"),
    [
        (("Nobody",), "metrics: [accuracy_score]", "none of its entries is in res/"),
        (("One", "Two"), "metrics: [zero_one_loss]", "the private ranking is by accuracy_score"),
    ],
)
def test_public_results_of_something_else(
    tmp_path: Path,
    teams: tuple[str, ...],
    settings: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    public = Folder(tmp_path / "public", teams=(*teams, "Other")).write(f"{settings}\n")
    public.run()
    private = Folder(tmp_path).write("metrics: [accuracy_score]\n")
    options = [str(private.input), "-o", str(tmp_path / "audit"), "--public", str(public.output)]
    assert main(options) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--plan", "--regraded", "new.csv"),
        ("--plan", "--public", "results.json"),
        ("--entries", "5"),
        ("--other", "train.csv"),
    ],
)
def test_options_that_would_be_ignored_are_refused(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["input", "-o", "audit", *options])
    assert "--entries and --other for --plan" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["res/audit", "ref", "ref/../res/audit"])
def test_the_audit_never_lies_where_the_next_run_reads(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path).write()
    assert main([str(folder.input), "-o", str(folder.input / place)]) == 2
    assert "the next run would read the outputs" in capsys.readouterr().err
    assert not list(folder.input.rglob("audit*"))


def test_a_plan_needs_a_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, teams=()).write()
    assert main([str(folder.input), "-o", str(tmp_path / "audit"), "--plan"]) == 2
    assert "a plan needs two serious baselines" in capsys.readouterr().err


def test_other_files_in_the_folder_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path).write()
    (tmp_path / "audit" / "tables").mkdir(parents=True)
    (tmp_path / "audit" / "mine.txt").write_text("mine")
    (tmp_path / "audit" / "tables" / "gold_old.csv").write_text("old")
    assert main([str(folder.input), "-o", str(tmp_path / "audit")]) == 2
    assert "tables: a run would replace this folder, which no run has made" in (
        capsys.readouterr().err
    )
    assert (tmp_path / "audit" / "tables" / "gold_old.csv").read_text() == "old"
    (tmp_path / "audit" / "audit.json").write_text("{}")  # of an earlier audit
    _audit(folder)
    assert (tmp_path / "audit" / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "audit" / "tables" / "gold_old.csv").exists()


def test_regraded_labels_are_those_of_the_task_that_the_file_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path, teams=()).write("metrics: [accuracy_score]\noverall: mean\n")
    (folder.input / "ref" / "gold.csv").unlink()
    turned = folder.labels[1:] + folder.labels[:1]
    for task, labels in (("first", folder.labels), ("second", turned)):
        write_csv(folder.input / f"ref/{task}.csv", {"id": folder.ids, "label": labels})
        for team in ("North", "South"):
            write_csv(
                folder.input / f"res/{team}/{task}.csv", {"id": folder.ids, "label": folder.labels}
            )
    unchanged = folder.input / "ref" / "first.csv"
    assert _audit(folder, "--regraded", str(unchanged))["regraded"]["changed"] == 0
    (tmp_path / "new.csv").write_bytes(unchanged.read_bytes())
    options = ["-o", str(tmp_path / "again"), "--regraded", str(tmp_path / "new.csv")]
    assert main([str(folder.input), *options]) == 2
    assert "its ids are in the tasks first, second; call the file like" in capsys.readouterr().err


def test_weights_of_tasks(tmp_path: Path) -> None:
    folder = Folder(tmp_path, teams=()).write("metrics: [accuracy_score]\noverall: mean\n")
    (folder.input / "ref" / "gold.csv").unlink()
    for task, right in (("first", {"North": 59, "South": 50}), ("second", {"North": 20})):
        write_csv(folder.input / f"ref/{task}.csv", {"id": folder.ids, "label": folder.labels})
        for team in ("North", "South"):
            wrong = [
                label if k < right.get(team, 25) else "abca"["abc".index(label) + 1]
                for k, label in enumerate(folder.labels)
            ]
            write_csv(folder.input / f"res/{team}/{task}.csv", {"id": folder.ids, "label": wrong})
    content = _audit(folder)
    top = {(item["kind"], item["name"]): item["top"] for item in content["schemes"]}
    assert top["without_task", "first"] == ["South"]
    assert top["without_task", "second"] == ["North"]
    assert top["double_task", "second"] == ["South"]
    assert not [name for kind, name in top if kind == "mean_rank" and "over tasks" in name]
    assert [part["part"] for part in content["parts"]] == ["first", "second"]


def test_a_pair_far_outside_is_said_first_in_numbers_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path, n=300, teams=("One", "Two", "Three", "Four", "Five", "Six"))
    copied = list(folder.teams["Six"])
    copied[0] = "a" if copied[0] != "a" else "b"
    folder.teams["One"] = copied
    content = _audit(folder.write())
    [pair] = content["near_copies"]
    wrong = [
        {row for row, label in enumerate(folder.teams[name]) if label != folder.labels[row]}
        for name in pair["entries"]
    ]
    shared = sum(folder.teams["One"][row] == folder.teams["Six"][row] for row in wrong[0])
    assert set(pair) == {"entries", "shared_errors", "errors", "next_closest"}
    assert set(pair["entries"]) == {"One", "Six"}
    assert pair["shared_errors"] == shared
    assert pair["errors"] == [len(wrong[0]), len(wrong[1])]
    assert 0 < pair["next_closest"] < shared
    assert content["identical"] == []
    printed = capsys.readouterr().out
    either = sum(pair["errors"]) - shared
    assert f"One and Six share {shared} of the {either} errors that either makes" in printed
    assert f"The next closest pair shares {pair['next_closest']} of" in printed
    assert "the numbers cannot tell them apart." in printed


def test_teams_that_share_no_error_make_no_pair(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=40, teams=("One", "Two"))
    for team, row in (("One", 0), ("Two", 1)):
        given = list(folder.labels)
        given[row] = "b" if given[row] == "a" else "a"
        folder.teams[team] = given
    content = _audit(folder.write())
    assert content["near_copies"] == []
    assert content["spread"]["pairs"] == 1
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "No two teams give the same wrong answer." in page


def test_the_yardstick_stands_beside_the_pairs_of_teams(tmp_path: Path) -> None:
    teams = ("One", "Two", "Three", "Four", "seed 1", "seed 2")
    folder = Folder(tmp_path, n=200, teams=teams)
    folder.teams["seed 2"] = [*folder.teams["seed 1"][:190], *folder.teams["seed 2"][190:]]
    settings = "metrics: [accuracy_score]\nbaselines: [seed 1, seed 2]\n"
    without = _audit(folder.write(settings))
    content = _audit(folder.write(f"{settings}yardstick: [[seed 1, seed 2]]\n"))
    [known] = content["yardstick"]
    assert known["entries"] == ["seed 1", "seed 2"]
    assert known["shared_errors"] > content["near_copies"][0]["shared_errors"]
    # Baselines are the organizer's own, so they are compared with teams only.
    assert content["spread"]["pairs"] == 6 * 5 / 2 - 1
    assert without["yardstick"] == []
    assert {key: content[key] for key in ("near_copies", "spread")} == {
        key: without[key] for key in ("near_copies", "spread")
    }
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "The yardstick, pairs that the organizer knows to be alike: seed 1 and seed 2 " in page
    assert "0 other pairs share as large a part as the closest of them" in page
    drawn = (tmp_path / "audit" / "figures" / "gold_near_copies.svg").read_text(encoding="utf-8")
    assert "seed 1 · seed 2" in drawn


def test_a_yardstick_is_a_pair_of_baselines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "baselines: [seed 1]\nyardstick: {}\n"
    for yardstick, said in (
        ("[[seed 1, seed 2]]", "expected pairs of baselines; found 'seed 2'"),
        ("[seed 1, seed 2]", "expected pairs of two different names, such as [[seed 1, seed 2]]"),
        ("[[seed 1, seed 1]]", "expected pairs of two different names"),
    ):
        folder = Folder(tmp_path).write(settings.format(yardstick))
        assert main([str(folder.input), "-o", str(tmp_path / "audit")]) == 2
        assert f"scoring.yaml, line 2: yardstick: {said}" in capsys.readouterr().err


def test_identical_predictions_in_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path).write()
    folder.team("Two", {"id": folder.ids[::-1], "label": folder.teams["One"][::-1]})
    assert _audit(folder)["identical"] == [{"entries": ["One", "Two"], "files": False}]
    assert "predictions of One and Two are identical; their files" in capsys.readouterr().out


def test_open_answers_are_identical_only_if_they_are(tmp_path: Path) -> None:
    folder = Folder(tmp_path, teams=()).write("labels: any\nmetrics: [accuracy_score]\n")
    wrong = dict(zip("ABC", (["bonn"], ["x", "y"], ["bonn"]), strict=True))
    for team, texts in wrong.items():
        own = [texts[i % len(texts)] if i % 4 else one for i, one in enumerate(folder.labels)]
        folder.team(team, {"id": folder.ids, "label": own})
    assert [one["entries"] for one in _audit(folder)["identical"]] == [["A", "C"]]


def test_what_is_said_of_one_task_names_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=60, teams=()).write(
        "metrics:\n- {name: hits, function: accuracy_score, task: topic}\n"
        "- {name: error, function: mean_absolute_error, task: size}\n"
    )
    (folder.input / "ref" / "gold.csv").unlink()
    sizes = [float(number) for number in range(60)]
    write_csv(folder.input / "ref/topic.csv", {"id": folder.ids, "label": folder.labels})
    write_csv(folder.input / "ref/size.csv", {"id": folder.ids, "label": sizes})
    for team, wrong in (("North", 0), ("South", 20)):
        answers = [*folder.labels[wrong:], *folder.labels[:wrong]]
        write_csv(folder.input / f"res/{team}/topic.csv", {"id": folder.ids, "label": answers})
        guesses = [1.1 * size + wrong for size in sizes]
        write_csv(folder.input / f"res/{team}/size.csv", {"id": folder.ids, "label": guesses})
    _audit(folder)
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "size: Examples here have no single correct answer" in page
    assert "No entry gets 0 examples right" not in page
