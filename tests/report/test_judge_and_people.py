"""The section on a judge beside people: its sentence, table and picture, and what repeats it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.inference.judge_and_people import JudgeAndPeople
from scoring_program.report.findings import Findings
from tests.report import made
from tests.report.drawn import entries, marks, place

SENTENCE = (
    "People judged 200 of 2,000 units. The judge's scores are corrected by how far the two are "
    "apart (weight 0.62), which is worth about 290 human judgments."
)


def changed(**fields: Any) -> Findings:
    """Return the page with other facts about judge and people."""
    page = made.judge_and_people()
    (evidence,) = page.evidence
    assert evidence.people is not None
    return replace(page, evidence=(replace(evidence, people=replace(evidence.people, **fields)),))


def people_of(page: Findings) -> JudgeAndPeople:
    people = page.evidence[0].people
    assert people is not None
    return people


def test_page_terminal_and_paper_say_what_people_add() -> None:
    report = made.built(made.judge_and_people())
    assert made.words(report, "people").startswith(SENTENCE)
    assert report.finish[-1] == SENTENCE
    method = report.texts["paper.md"]
    assert "People scored 200 of the 2,000 units, drawn at random" in method
    assert r"~\cite{angelopoulos2023}" in report.texts["paper.tex"]
    assert "@article{angelopoulos2023," in report.texts["paper.bib"]
    assert "Prediction-powered inference" in render.page(report)


def test_nothing_speaks_of_people_where_there_are_none() -> None:
    report = made.built(made.teams())
    assert made.content(report, "people") is None
    assert "angelopoulos" not in "".join(report.texts.values()).lower()
    assert "prediction-powered" not in render.page(report).lower()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "Las personas juzgaron 200 de 2000 unidades."),
        ("pt", "As pessoas julgaram 200 de 2.000 unidades."),
    ],
)
def test_other_languages_say_it_too(language: str, sentence: str) -> None:
    page = made.with_settings(made.judge_and_people(), language=language)
    assert made.words(render.build(page), "people").startswith(sentence)


def test_a_judge_without_weight_or_worth_is_said_to_add_nothing() -> None:
    useless = made.words(render.build(changed(weight=0.0, worth=200.0)), "people")
    assert "(weight 0), so people's scores alone count." in useless
    assert "worth" not in useless
    constant = made.words(render.build(changed(worth=None)), "people")
    assert "(weight 0.62). The judge alone" in constant


def test_the_page_names_whom_the_judge_alone_puts_first() -> None:
    words = made.words(made.built(made.judge_and_people()), "people")
    assert "The judge alone puts babel first." in words
    agreeing = changed(judge=np.array([0.9, 0.8, 0.7, 0.6]))
    assert "The judge alone" not in made.words(render.build(agreeing), "people")


def test_the_table_has_both_means_and_how_far_they_are_apart() -> None:
    page = made.judge_and_people()
    people = people_of(page)
    rows = made.rows(made.built(page), "judge_and_people")
    first = rows[0]
    assert first["entry"].text == "atlas"
    assert first["people"].values == pytest.approx((4.23, 4.11, 4.35))
    assert first["judge_on_judged"].values == pytest.approx((0.70,))
    assert first["apart"].values == pytest.approx((0.70 - 4.23,))
    assert [row["judge"].values[0] for row in rows] == pytest.approx(people.judge.tolist())


def test_the_picture_has_a_mark_for_each_entry_in_the_order_of_both_means() -> None:
    report = made.built(made.judge_and_people())
    (drawn,) = made.pictures(report, "people")
    places = [place(one) for one in entries(drawn)]
    assert len(places) == 4
    lowest = max(places, key=lambda at: at[1])
    assert lowest == min(places)  # delta is last by both
    assert not marks(drawn, "rule")  # no mean is the same by both: their scales differ
    assert "equal" not in {key.mark for key in drawn.legend}
    assert "atlas: people 4.23" in drawn.description


def test_a_line_shows_where_both_say_the_same() -> None:
    same = changed(judge_on_judged=np.array([4.3, 4.0, 3.7, 3.0]))
    (drawn,) = made.pictures(render.build(same), "people")
    assert len(marks(drawn, "rule")) == 1
    assert "equal" in {key.mark for key in drawn.legend}


def test_the_plan_says_that_people_judge_as_large_a_share() -> None:
    page = made.judge_and_people()
    close = (4.21, 4.2, 3.62, 3.1)
    evidence = made.evidence(
        page.evidence[0].metric, close, page.names, page.settings, n=2000, error=0.03
    )
    planned = replace(page, evidence=(replace(evidence, people=people_of(page)),))
    words = made.words(render.build(planned), "planning")
    assert "as large a share of more units as of these (10%)" in words
