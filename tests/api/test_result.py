"""`Result`: a mapping of metrics, what it shows, what it writes, and what is read from a file."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import scoring_program as dh
from tests.api import data
from tests.competitions import EXAMPLE, Folder
from tests.data.test_tasks import tasks_case

METRICS = ["accuracy", "neg_mean_absolute_error"]


@pytest.fixture(scope="module")
def result() -> dh.Result:
    y_true, predictions = data.labels()
    several = {**predictions, "always 0": np.zeros(data.N, int)}
    return dh.compare(y_true, several, METRICS, resamples=300, baselines=["always 0"])


def test_it_is_a_mapping_of_metrics_in_their_order(result: dh.Result) -> None:
    assert isinstance(result, Mapping)
    assert list(result) == ["accuracy", "mean_absolute_error"]
    assert len(result) == 2
    assert "accuracy" in result
    assert "recall" not in result
    assert all(found.name == name for name, found in result.items())
    assert result["neg_mean_absolute_error"] is result["mean_absolute_error"]
    with pytest.raises(KeyError, match="there is no metric 'acuracy'; did you mean 'accuracy'"):
        result["acuracy"]


def test_it_speaks_of_the_ranking_metric(result: dh.Result) -> None:
    first = result["accuracy"]
    assert result.leader == first.leader == "A"
    assert result.tied == first.tied
    assert "A" not in result.tied
    assert result.entries == tuple(row.entry for row in first.ranking)
    assert repr(result) == f"<Result of 3 entries on 90 examples: {result.verdict}>"
    assert repr(first).startswith("<MetricResult accuracy: A leads")
    assert result.unusable == {}


def test_who_may_win_is_known_without_a_page_and_without_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of many entries, these are most of the work, and few callers look at them."""
    y_true, predictions = data.labels()
    result = dh.compare(y_true, predictions, ["accuracy", "f1_macro"], resamples=200)

    def unexpected(*_: object, **__: object) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr("scoring_program.api.result.build", unexpected)
        patched.setattr("scoring_program.report.results_json.pairs_of", unexpected)
        winners = result.possible_winners
        verdict = result.verdict
        answers = (result.leader, result.ranking[0].entry, result.entries, result.record)
    content = result.to_dict()
    assert content["metrics"][0]["verdict"]["possible_winners"] == [*winners]
    assert content["verdict"] == verdict == result._report.verdict
    assert answers[:2] == (answers[2][0], answers[2][0])
    assert len(content["metrics"][1]["pairs"]) == len(result["f1_macro"].pairs) > 0


def test_one_entry_more_is_as_good_as_all_at_once() -> None:
    y_true, predictions = data.labels()
    (first, *_), last = predictions.items(), ("C", np.roll(y_true, 1))
    small = dh.compare(y_true, dict([first]), METRICS, resamples=200, groups=y_true // 2)
    grown = small.add("B", predictions["B"]).add(*last)
    whole = dh.compare(
        y_true, {**predictions, "C": last[1]}, METRICS, resamples=200, groups=y_true // 2
    )
    assert grown.to_dict() == whole.to_dict()
    assert small.entries == ("A",)
    with pytest.raises(dh.DeadheatError, match="there is an entry 'B' already; give another name"):
        grown.add("B", y_true)
    scores = {"x": [0.1, 0.4, 0.2, 0.7], "y": [0.3, 0.5, 0.2, 0.9]}
    found = dh.compare_scores(scores, greater_is_better=True).add("z", [0.2, 0.2, 0.2, 0.2])
    assert set(found.entries) == {"x", "y", "z"}


def test_what_comes_from_files_takes_no_entry_more(result: dh.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "out")
    for found in (dh.read_results(tmp_path / "out"), dh.score(EXAMPLE, resamples=100)):
        with pytest.raises(dh.DeadheatError, match=r"add\(\) needs the arrays that were compared"):
            found.add("Z", [])


def test_a_signature_is_a_mapping_and_a_line(result: dh.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "out")
    signature = dh.read_results(tmp_path / "out").signature
    assert signature["resamples"] == "300"
    line = str(signature)
    assert line == str(result.signature)
    assert line.startswith(f"deadheat:{dh.__version__}|seed:0|resamples:300|confidence:0.95|")
    assert line.endswith(f"|ref:{signature['sha256 of the reference data'][:12]}")
    assert "sha256" not in line


def test_rankings_of_all_metrics_are_one_frame(result: dh.Result) -> None:
    frame = result.to_frame()
    assert list(frame["metric"]) == ["accuracy"] * 3 + ["mean_absolute_error"] * 3
    assert list(frame["entry"][:3]) == [row.entry for row in result.ranking]
    one = result["accuracy"].to_frame()
    assert list(one["score"]) == list(frame["score"][:3])


def test_a_page_without_a_path_is_returned(result: dh.Result, tmp_path: Path) -> None:
    assert result.to_html() == result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == result.to_html()


def test_names_of_metrics_are_completed(result: dh.Result) -> None:
    assert result._ipython_key_completions_() == ["accuracy", "mean_absolute_error"]


def test_progress_and_log_go_where_a_caller_wants(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    y_true, predictions = data.labels()
    told: list[tuple[str, int, int]] = []
    with caplog.at_level("INFO", "deadheat"):
        dh.compare(y_true, predictions, METRICS, resamples=200, progress=lambda *a: told.append(a))
    assert told[-1] == ("metrics", 2, 2)
    assert ("resamples", 200, 200) in told
    assert caplog.messages == ["2 entries on 90 examples."]
    assert capsys.readouterr() == ("", "")
    dh.compare(y_true, predictions, METRICS, resamples=200, progress=True)
    assert "resamples" in capsys.readouterr().err


def test_progress_counts_up_once_over_all_metrics() -> None:
    texts = [f"the cat sat on mat {place}" for place in range(300)]
    found = {"A": texts, "B": texts[::-1]}
    told: list[tuple[str, int, int]] = []
    metrics = ["token_f1", "exact_match", "bleu"]
    dh.compare(texts, found, metrics, resamples=100, progress=lambda *now: told.append(now))
    for what in ("predictions", "resamples", "metrics"):
        counts = [(done, total) for named, done, total in told if named == what]
        assert counts == sorted(set(counts))
        assert len({total for _, total in counts}) == 1
        assert counts[-1][0] == counts[-1][1]
    assert told[0][2] == 3 * 600


def test_a_mean_rank_has_ranks_and_ties_and_nothing_else(tmp_path: Path) -> None:
    made = tasks_case("metrics: [accuracy_score]\noverall: mean_rank\nresamples: 200\n")
    overall, *of_tasks = dh.score(made.write(tmp_path), None).values()
    assert set(overall.tied) < {row.entry for row in overall.ranking}
    for row in overall.ranking:
        assert row.rank_low in (1, 2)
        assert row.rank_high is None
        assert np.isfinite([row.rank, row.score]).all()
        assert np.isnan([row.low, row.high, row.standard_error, row.distance_from_best]).all()
    assert not overall.differences
    assert not overall.pairs
    assert np.isnan(overall.ranking.to_frame()["low"]).all()
    for found in of_tasks:
        assert np.isfinite([row.low for row in found.ranking]).all()


def test_tables_hold_frozen_rows(result: dh.Result) -> None:
    found = result["accuracy"]
    tables = (found.ranking, found.differences, found.pairs, found.competitiveness)
    assert [len(table) for table in tables[:3]] == [3, 2, 3]
    for table in tables:
        assert isinstance(table, tuple)
        frame = table.to_frame()
        assert isinstance(frame, pd.DataFrame)
        assert len(frame) == len(table)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(table[0], dataclasses.fields(table[0])[0].name, "other")
    assert list(found.ranking.to_frame()["entry"]) == list(result.entries)
    adjusted = [name for name in found.differences.to_frame() if name.startswith("p_adjusted_")]
    assert adjusted == ["p_adjusted_bonferroni", "p_adjusted_holm", "p_adjusted_fdr_bh"]
    (baseline,) = (row for row in found.ranking if row.baseline)
    assert not baseline.tied_with_leader


def test_differences_are_positive_where_the_leader_is_better(result: dh.Result) -> None:
    for found in result.values():
        score = {row.entry: row.score for row in found.ranking}
        sign = 1 if found.greater_is_better else -1
        for row in found.differences:
            ahead = sign * (score[found.leader] - score[row.entry])
            assert row.observed == pytest.approx(ahead)
            assert row.observed > 0
            assert row.low <= row.observed <= row.high
        for pair in found.pairs:
            assert pair.observed == pytest.approx(sign * (score[pair.better] - score[pair.worse]))


def test_pandas_is_named_where_it_is_missing(
    result: dh.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(dh.DeadheatError, match="pip install pandas"):
        result["accuracy"].ranking.to_frame()


def test_nobody_can_change_what_it_holds(result: dh.Result) -> None:
    before = result.verdict
    copied = result.to_dict()
    copied["verdict"] = "other"
    copied["metrics"].clear()
    assert result.verdict == before
    assert len(result) == 2
    with pytest.raises(TypeError):
        result["accuracy"] = result["accuracy"]  # type: ignore[index]


def test_what_is_saved_is_what_it_holds(result: dh.Result, tmp_path: Path) -> None:
    output = tmp_path / "output"
    result.save(output)
    names = {"scores.txt", "scores.json", "detailed_results.html", "results.json", "tables"}
    assert names <= {path.name for path in output.iterdir()}
    assert json.loads((output / "results.json").read_text()) == result.to_dict()
    result.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_bytes()
    assert page == (output / "detailed_results.html").read_bytes()
    with pytest.raises(dh.OrganizerError, match=r"the page cannot be written \(No such file"):
        result.to_html(tmp_path / "missing" / "page.html")


def test_an_earlier_run_is_read_as_it_was(result: dh.Result, tmp_path: Path) -> None:
    result.save(tmp_path)
    for path in (tmp_path, tmp_path / "results.json", str(tmp_path)):
        read = dh.read_results(path)
        assert read.to_dict() == result.to_dict()
        assert repr(read) == repr(result)
        assert read.signature == result.signature
        assert read.warnings == result.warnings
        for name, found in result.items():
            # A baseline's distance from the best is nan, which is unequal to itself.
            assert repr(read[name].ranking) == repr(found.ranking)
            assert repr(read[name].differences) == repr(found.differences)
            assert repr(read[name].pairs) == repr(found.pairs)
            assert repr(read[name].competitiveness) == repr(found.competitiveness)
    assert read.verdict in read._repr_html_()
    assert read._repr_html_() == result._repr_html_()
    assert read.to_latex() == result.to_latex()
    for write in (read.to_html, read.save):
        with pytest.raises(
            dh.DeadheatError, match=r"read from results\.json, which holds no page; run"
        ):
            write(tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_what_is_no_result_is_the_organizers(tmp_path: Path) -> None:
    with pytest.raises(dh.OrganizerError, match="cannot be read"):
        dh.read_results(tmp_path / "nothing")
    (tmp_path / "results.json").write_text("{")
    with pytest.raises(dh.OrganizerError, match="not valid JSON"):
        dh.read_results(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"title"', '"verdict": "x", "title"', "one object has the key 'verdict' twice"),
        ('"rank":1', '"rank":NaN', "not valid JSON"),
        ('"rank":1', '"rank":1.5', r"metrics\[0\]\.entries\[0\]\.rank .* a whole number; score"),
        ('"rank":1', f'"rank":{10**400}', r"entries\[0\]\.rank is missing or malformed"),
        ('"rank":1', '"place":1', r"entries\[0\]\.rank is missing or malformed: expected this key"),
        ('"rule": "max_t"', '"rule": "x"', r"verdict\.rule .*: expected one of bonferroni, "),
        ('"baseline":false', '"baseline":0', r"baseline .*: expected true or false"),
        ('"runs": {', '"runs": {"a": "\\u001b",', r"runs\['a'\] .*: expected a whole number"),
    ],
)
def test_a_result_of_another_form_is_the_organizers(
    result: dh.Result, tmp_path: Path, old: str, new: str, message: str
) -> None:
    result.save(tmp_path)
    text = (tmp_path / "results.json").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "results.json").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(dh.OrganizerError, match=message):
        dh.read_results(tmp_path)


def test_a_folder_is_scored_as_by_the_command(folder: Folder) -> None:
    folder.write("metrics: accuracy_score\nresamples: 300\n")
    folder.team("Four", {"id": folder.ids, "label": ["zebra"] * len(folder.ids)})
    assert folder.run("--seed", "3") == 0
    told: list[str] = []
    found = dh.score(folder.input, folder.root / "own", hooks=dh.Hooks(log=told.append), seed=3)
    assert "3 entries on 60 examples." in told
    assert found.to_dict() == folder.results()
    assert {path.name for path in folder.output.iterdir()} == {
        path.name for path in (folder.root / "own").iterdir()
    }
    assert list(found.unusable) == ["Four"]
    assert "zebra" in found.unusable["Four"]
    other = dh.score(folder.input, metrics="f1_macro")
    assert list(other) == ["f1_macro"]
    with pytest.raises(dh.OrganizerError, match="unknown key 'resample'; did you mean"):
        dh.score(folder.input, resample=3)  # type: ignore[call-arg]
    with pytest.raises(
        dh.OrganizerError, match="nowhere: there is no such folder; name the folder that"
    ):
        dh.score(folder.root / "nowhere")


class Tags(HTMLParser):
    """Collects the tags and attributes of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "a\u202eb")


def test_a_notebook_shows_hostile_names_as_text() -> None:
    y_true, predictions = data.labels()
    named = dict.fromkeys(HOSTILE, predictions["B"])
    html = dh.compare(y_true, {**named, "A": predictions["A"]}, "accuracy", resamples=100)
    shown = Tags()
    shown.feed(html._repr_html_())
    allowed = {"div", "p", "strong", "img", "table", "thead", "tbody", "tr", "th", "td"}
    assert shown.tags == allowed
    assert shown.attributes <= {"style", "scope", "src", "alt"}
    for name in HOSTILE[:3]:
        assert name in shown.text
    assert "a<U+202E>b" in shown.text
    assert re.findall(r'src="(.{26})', html._repr_html_()) == ["data:image/svg+xml;base64,"]


def test_a_notebook_shows_red_warnings() -> None:
    predictions = {"a": [0.9, 0.8, 0.9, 0.8, 0.7], "b": [0.9, 0.8, 0.8, 0.8, 0.7]}
    result = dh.compare([1.0, 1.0, 1.0, 1.0, 1.0], predictions, "max_error", resamples=100)
    red = [warning.message for warning in result.warnings if warning.level == "red"]
    assert red
    shown = Tags()
    shown.feed(result._repr_html_())
    assert all(f"Serious caution: {message}" in shown.text for message in red)


def test_a_figure_is_the_file_of_the_same_name(tmp_path: Path) -> None:
    result = dh.compare([0, 1] * 30, {"A": [0, 1] * 30, "B": [0, 0] * 30}, resamples=200)
    result.save(tmp_path)
    for width in ("column", "page"):
        drawn = result.figure("photo_finish", width=width)
        assert drawn == (tmp_path / "figures" / f"photo_finish_{width}.svg").read_text("utf-8")
    assert "<svg" in result.figure("card")
    with pytest.raises(KeyError, match="no figure 'photo'"):
        result.figure("photo")
