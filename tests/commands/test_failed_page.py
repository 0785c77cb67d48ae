"""An upload that cannot be scored has a page with the words of the log, and no scores."""

from __future__ import annotations

import html
import re
import shutil

import pytest

from tests.competitions import Folder, write_csv

SETTINGS = "title: Offense & stance\nmetrics: [accuracy_score]\nresamples: 100\n"


def failed(folder: Folder, settings: str = SETTINGS) -> None:
    """Make the only upload one that cannot be scored."""
    folder.write(settings)
    shutil.rmtree(folder.input / "res")
    labels = ["<b>z</b>", *folder.teams["One"][1:-1]]
    write_csv(folder.input / "res" / "p.csv", {"id": folder.ids[:-1], "label": labels})


def page_of(folder: Folder) -> str:
    return (folder.output / "detailed_results.html").read_text(encoding="utf-8")


def problems_on(page: str) -> str:
    found = re.search(r'<p class="problems">(.*?)</p>', page, re.S)
    assert found is not None
    return html.unescape(found[1])


def test_the_page_has_the_words_of_the_log(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    failed(folder)
    assert folder.run() == 1
    first, _, told = capsys.readouterr().err.rstrip("\n").partition("\n")
    assert "1 missing id" in told
    assert "<b>z</b>" in told
    page = page_of(folder)
    assert page.startswith("<!DOCTYPE html>")
    assert problems_on(page) == told
    assert f'<p class="says">{first}</p>' in page
    assert "<h1>Offense &amp; stance</h1>" in page
    assert "<b>" not in page
    assert "default-src 'none'" in page
    assert [path.name for path in folder.output.iterdir()] == ["detailed_results.html"]


def test_the_page_speaks_the_language_of_the_competition(folder: Folder) -> None:
    failed(folder, f"{SETTINGS}language: es\n")
    assert folder.run() == 1
    assert '<p class="says">El envío no puede calificarse:</p>' in page_of(folder)
    assert "falta" in problems_on(page_of(folder))


def test_scores_of_an_earlier_run_stay_with_their_own_page(folder: Folder) -> None:
    folder.write(SETTINGS)
    assert folder.run() == 0
    before = page_of(folder)
    failed(folder)
    assert folder.run() == 1
    assert page_of(folder) == before
    assert folder.scores()


def test_the_next_run_replaces_the_page(folder: Folder) -> None:
    failed(folder)
    assert folder.run() == folder.run() == 1
    folder.write(SETTINGS)
    assert folder.run() == 0
    assert "problems" not in page_of(folder)
    assert folder.scores()


def test_errors_of_the_organizer_and_of_all_teams_have_no_page(folder: Folder) -> None:
    failed(folder)
    assert folder.run("--tie-rule", "none", "--rank-by", "nothing") == 2
    assert not folder.output.exists()
    for team in ("One", "Two", "Three"):
        folder.team(team, {"id": folder.ids, "label": ["z"] * len(folder.ids)})
    (folder.input / "res" / "p.csv").unlink()
    assert folder.run() == 1
    assert not folder.output.exists()
