"""The page's one script: what it reads, what allows it, and who is refused it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.core.errors import SettingsError
from scoring_program.core.phrases import Language
from scoring_program.report.assemble import views_of
from scoring_program.report.findings import Findings
from scoring_program.report.sections.interactive import read_by_script
from scoring_program.settings import loading
from tests.report import made

_DATA = re.compile(r'<script type="application/json" id="interactive">(.*?)</script>\n', re.DOTALL)
_SCRIPT = re.compile(r"<script>(.*?)</script>\n", re.DOTALL)
_ALLOWED = re.compile(r"script-src '(sha256-[^']+)'; ")


def page_of(findings: Findings) -> str:
    return render.page(render.build(made.with_settings(findings, interactive=True)))


def data_of(page: str) -> dict[str, Any]:
    (data,) = _DATA.findall(page)
    found: dict[str, Any] = json.loads(data)
    return found


@pytest.mark.parametrize("form", ["teams", "hostile", "tasks", "one_team"])
def test_the_script_its_data_and_its_hash_are_all_that_changes(form: str) -> None:
    page = page_of(made.FORMS[form]())
    without = _ALLOWED.sub("", _SCRIPT.sub("", _DATA.sub("", page)), count=1)
    assert without == render.page(made.built(made.FORMS[form]()))


def test_the_hash_is_that_of_the_very_bytes() -> None:
    page = page_of(made.teams())
    (script,), (allowed,) = _SCRIPT.findall(page), _ALLOWED.findall(html.unescape(page))
    digest = hashlib.sha256(script.encode()).digest()
    assert allowed == f"sha256-{base64.b64encode(digest).decode()}"
    assert page.count("<script") == page.count("</script>") == 2
    assert len(script.splitlines()) < 150


def test_no_name_ends_the_data() -> None:
    page = page_of(made.hostile())
    (data,) = _DATA.findall(page)
    assert not re.search(r"[<>&\u2028\u2029]", data)
    names = [name.strip("\u2066\u2067\u2068\u2069") for name in data_of(page)["pairs"]["names"]]
    assert '"><script>alert(1)</script>' in names
    assert "</style><svg onload=alert(1)>" in names
    assert page.count("<script") == 2


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_what_is_said_of_a_pair_is_what_the_table_of_pairs_says(language: str) -> None:
    findings = made.with_settings(made.baselines(), language=language)
    report = render.build(made.with_settings(findings, interactive=True))
    pairs = data_of(render.page(report))["pairs"]
    (table,) = (table for table in report.tables if table.name == "pairwise")
    titles = {item.title for row in table.rows for item in row if item.title}
    said = set()
    for better, worse, kind, difference, p, _ in pairs["among"]:
        names = {"better": pairs["names"][better], "worse": pairs["names"][worse]}
        said.add(pairs["said"][kind][1].format(**names, difference=difference, p=p))
    assert said == titles


def test_what_is_said_of_a_pair_is_what_the_cards_say() -> None:
    evidence = made.teams().evidence[0]
    pairs = data_of(page_of(made.teams()))["pairs"]
    assert len(pairs["among"]) == 45
    order = evidence.scores.order
    for better, worse, kind, *_ in pairs["among"]:
        assert (kind >= 2) == evidence.standing.better[order[better], order[worse]]
    assert "not separate" in pairs["said"][0][0]
    assert "shown to be better" in pairs["said"][2][0]


def test_nothing_is_shown_of_a_pair_where_confidence_is_withdrawn() -> None:
    weak = made.spanish()  # with a serious caution
    rule = made.result(settings={"tie_rule": "none"})
    for findings in (made.with_settings(weak, language="en"), rule):
        for sentence, _ in data_of(page_of(findings))["pairs"]["said"][2:]:
            assert sentence.endswith("but without a stated confidence.")


def test_of_a_large_field_the_pairs_with_the_leader_are_there() -> None:
    few = data_of(page_of(made.result(*made.graded(100), resamples=50)))["pairs"]
    assert len(few["among"]) == 100 * 99 // 2
    assert few["firsts"] == few["seconds"]
    many = data_of(page_of(made.result(*made.graded(101), resamples=50)))["pairs"]
    assert len(many["among"]) == 100
    assert all(0 in pair[:2] for pair in many["among"])
    assert many["firsts"] == [0]
    assert "the pairs with the leader only" in many["note"]


def test_rows_are_ordered_by_what_machines_read() -> None:
    ranking, metrics = data_of(page_of(made.teams()))["tables"]
    orders = {column["heading"]: column["order"] for column in ranking["columns"]}
    assert orders["Rank"] == list(range(10))
    names = sorted(made.TEAMS, key=str.casefold)
    assert [made.TEAMS[place] for place in orders["Entry"]] == names
    recall = next(column for column in metrics["columns"] if column["heading"] == "recall")
    table = next(table for table in made.built(made.teams()).tables if table.name == "all_metrics")
    scores = [table.rows[place][recall["column"]].values[0] for place in recall["order"]]
    assert scores == sorted(scores, reverse=True)
    assert not recall["ascending"]


def test_where_there_are_no_pairs_none_can_be_chosen() -> None:
    assert data_of(page_of(made.one_team()))["pairs"] is None
    assert data_of(page_of(made.one_team()))["tables"] == []
    one = made.teams()
    ranked = replace(one, evidence=(replace(one.evidence[0], pairs=None),))  # as by a mean rank
    assert read_by_script(views_of(ranked, Language()))["pairs"] is None


def test_a_participant_of_rounded_scores_gets_no_script(tmp_path: Path) -> None:
    path = tmp_path / "scoring.yaml"
    path.write_text("participants: score\ninteractive: true\n", encoding="utf-8")
    settings = loading.load(path)
    with pytest.raises(SettingsError, match=r"scoring\.yaml, line 2: interactive: .*remove one"):
        loading.check_together(settings)
    assert "<script" not in page_of(made.scores_only())
