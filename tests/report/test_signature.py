"""The signature says what a library's metric depends on, and comparisons heed it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scoring_program as dh
from scoring_program.commands import compare

SHORT = ["the cat sat", "dogs bark loud"] * 10
FOUND = {"A": SHORT, "B": SHORT[::-1]}


@pytest.mark.parametrize(
    ("metric", "wanted"),
    [
        ("bleu", "bleu() nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:"),
        ({"bleu": {"tokenize": "char"}}, "bleu(tokenize=char) nrefs:2|case:mixed|eff:no|tok:char|"),
        ("rougeL", "rougeL(use_stemmer=False, nrefs=2, rouge_score="),
        ("token_f1", "token_f1()"),
    ],
)
def test_references_case_tokenizer_and_version_are_in_it(metric: object, wanted: str) -> None:
    gold = [(text, f"{text} there") for text in SHORT]
    result = dh.compare(gold, FOUND, metric, resamples=100)  # type: ignore[arg-type]
    found = result.signature[f"metric {next(iter(result))}"]
    assert found.startswith(wanted)
    assert found in str(result.signature)


def test_numbers_of_references_may_vary() -> None:
    gold = [(text,) * (1 + (place > 3)) for place, text in enumerate(SHORT)]
    result = dh.compare(gold, FOUND, ["bleu", "rouge1"], resamples=100)
    assert "nrefs:var|" in result.signature["metric bleu"]
    assert "nrefs=var" in result.signature["metric rouge1"]
    assert {"sacrebleu", "rouge_score"} <= result.signature.keys()


@pytest.mark.parametrize("metric", ["bleu", "rouge1", "word_error_rate", "AP"])
def test_results_by_other_versions_are_not_compared(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = {f"q{i}": {"d1": 1, "d2": 0} for i in range(20)}
    run = {query: {"d1": 2.0, "d2": 1.0} for query in judged}
    runs = {"A": run, "B": {**run, "q0": {"d1": 1.0, "d2": 2.0}}}
    gold, found = (judged, runs) if metric == "AP" else (SHORT, FOUND)
    result = dh.compare(gold, found, metric, resamples=100)
    for name in ("one", "other"):
        result.save(tmp_path / name)
    paths = [str(tmp_path / name) for name in ("one", "other")]
    assert compare.main([*paths, "-o", str(tmp_path / "same")]) == 0
    assert "differ" not in capsys.readouterr().out
    file = tmp_path / "other" / "results.json"
    content = json.loads(file.read_text("utf-8"))
    own = content["signature"][f"metric {metric}"]
    older = re.sub(r"\d+\.\d+\.\d+", "1.0", own)
    assert older != own
    content["signature"][f"metric {metric}"] = older
    file.write_text(json.dumps(content), "utf-8")
    assert compare.main([*paths, "-o", str(tmp_path / "differ")]) == 0
    said = capsys.readouterr().out.splitlines()
    why = f"The metrics differ ({own} and {older}), so their scores and the distances"
    assert [line for line in said if line.startswith(why)]
    assert said[1] in (tmp_path / "differ" / "comparison.html").read_text("utf-8")
    one, other = map(dh.read_results, paths)
    assert one.incomparable_with(other) in said
    assert one.incomparable_with(result) == ""
    with pytest.raises(dh.OrganizerError, match="there is no metric 'chrf'"):
        one.incomparable_with(other, "chrf")
