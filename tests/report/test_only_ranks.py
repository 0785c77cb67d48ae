"""Where a mean rank ranks, no text speaks of intervals, distances or ends of ranges of its own."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

from scoring_program import read_results
from scoring_program.commands.score import main
from tests.competitions import write_csv
from tests.sweeps import swept
from tests.words import longest_part, sentences

LANGUAGES = ("en", "es", "pt")


def scored(folder: Path, settings: str = "", n: int = 120, third: float = 0.5) -> Path:
    """Score three tasks and five entries, the third one best in two tasks; return the output."""
    rng = np.random.default_rng(2)
    for task in range(3):
        gold = rng.normal(size=n)
        users = (np.arange(n) % 4).tolist()
        columns = {"id": range(n), "label": gold.tolist(), "user": users}
        write_csv(folder / "input" / "ref" / f"task{task}.csv", columns)
        for k in range(5):
            size = third if k == 2 and task else 1 + k
            own = {"id": range(n), "label": (gold + size * rng.normal(size=n)).tolist()}
            write_csv(folder / "input" / "res" / f"T{k}" / f"task{task}.csv", own)
    text = f"metrics: [mean_absolute_error]\noverall: mean_rank\nresamples: 400\n{settings}"
    (folder / "input" / "ref" / "scoring.yaml").write_text(text)
    assert main([str(folder / "input"), str(folder / "output")]) == 0
    return folder / "output"


def page_of(output: Path) -> str:
    return html.unescape((output / "detailed_results.html").read_text(encoding="utf-8"))


def ranking_of(output: Path) -> str:
    """Return the section of the page with the ranking by the mean rank."""
    page = page_of(output)
    start = page.index('id="ranking"')
    return page[start : page.index("</section>", start)]


def words(code: str, begin: str) -> str:
    """Return the longest part of the one sentence that begins so, in a language."""
    (sentence,) = {item.one for item in sentences("report") if item.one.startswith(begin)}
    return longest_part(sentence, code)


@pytest.mark.parametrize("code", swept(LANGUAGES))
def test_no_text_speaks_of_what_a_mean_rank_lacks(tmp_path: Path, code: str) -> None:
    output = scored(tmp_path, f"language: {code}\n")
    page, ranking = page_of(output), ranking_of(output)
    assert words(code, "The card of a") in ranking
    assert words(code, "No entry is truly further behind the best than t") not in ranking
    assert 'class="interval"' not in ranking
    assert words(code, "Each panel shows one metric with {confidence} intervals (") in page
    assert words(code, "The mean ran") in page
    assert words(code, "A truly best") in page
    with_intervals = longest_part("{metric} of every entry, with intervals", code)
    scores = longest_part("{metric} of every entry", code)
    for name in ("intervals", "overview_mean_rank"):
        figure = (output / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert scores in figure
        assert with_intervals not in figure
        assert "–" not in figure
    of_task = (output / "figures" / "intervals_task0_mean_absolute_error.svg").read_text()
    assert with_intervals in of_task
    figure = (output / "figures" / "rank_ranges.svg").read_text(encoding="utf-8")
    assert words(code, "Places by {metric}, f") in figure
    table = (output / "tables" / "ranking.md").read_text(encoding="utf-8")
    assert words(code, "Ranking by {metric},") in table.splitlines()[0]


@pytest.mark.parametrize("code", swept(LANGUAGES))
def test_beside_a_reference_the_ranges_are_those_of_the_test_of_all_tasks(
    tmp_path: Path, code: str
) -> None:
    output = scored(tmp_path, f"language: {code}\nreference_entry: T2\n")
    ranking, of_task = ranking_of(output), words(code, "Places fol")
    assert words(code, "Places and") in ranking
    assert of_task not in ranking


@pytest.mark.parametrize(("group", "weak"), [("", False), ("group: user\n", True)])
def test_serious_cautions_of_the_tasks_weaken_the_mean_rank(
    tmp_path: Path, group: str, weak: bool
) -> None:
    output = scored(tmp_path, group)
    assert ("95% confidence" in ranking_of(output)) != weak
    latex = read_results(output)["mean_rank"].to_latex()
    assert latex == (output / "tables" / "ranking.tex").read_text(encoding="utf-8")
    assert (r"95\% confidence" in latex) != weak


def test_without_an_interval_the_ends_in_the_score_table_are_the_score(tmp_path: Path) -> None:
    """Both platforms need a number in every column."""
    flat = json.loads((scored(tmp_path) / "scores.json").read_text())
    assert flat["mean_rank_ci_low"] == flat["mean_rank_ci_high"] == flat["mean_rank"]
    assert not [key for key in flat if key.startswith("distance_from_best")]


def test_a_mean_rank_claims_the_same_in_csv_json_and_on_the_page(tmp_path: Path) -> None:
    """Who may be the best, and no last place: "≥ 2" is not "2 to 5"."""
    output = scored(tmp_path)
    with (output / "tables" / "ranking.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    entries = json.loads((output / "results.json").read_text(encoding="utf-8"))["metrics"][0]
    read = read_results(output / "results.json").ranking
    for row, entry, shown in zip(rows, entries["entries"], read, strict=True):
        low, high = entry["rank_range"]
        assert (row["rank_low"], row["rank_high"], high) == (str(low), "", None)
        assert entry["rank_set"] is None
        assert (shown.rank_low, shown.rank_high) == (low, None)
        assert f">≥ {low}</td>" in ranking_of(output)


def test_an_anonymous_team_that_decides_is_not_named(tmp_path: Path) -> None:
    output = scored(tmp_path, "anonymize: true\n", third=0.9)
    (caution,) = [
        row["message"]
        for row in json.loads((output / "results.json").read_text())["warnings"]
        if row["code"] == "leader_depends"
    ]
    assert re.search(r"Team \d without Team \d", caution)
    assert not re.search(r"T\d", page_of(output))
