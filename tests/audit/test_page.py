"""The audit's page: it begins with what to do; a list has ten lines at most."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring_program.audit.page import TO_DO, Page
from scoring_program.commands.audit import main
from scoring_program.core import catalogs
from scoring_program.core.catalogs import load
from scoring_program.document.blocks import every
from scoring_program.document.take_away import ResultTable, TableColumn, cell
from tests.competitions import REPOSITORY, Folder, write_csv

AUDIT = REPOSITORY / "scoring_program" / "audit"


@pytest.mark.parametrize(("count", "said"), [(10, "They decide."), (1154, "They decide. Begin")])
def test_a_long_list_says_where_to_begin(count: int, said: str) -> None:
    page = Page(catalogs.load("en"), decimals=3)
    assert page.where_to_begin("They decide.", count).startswith(said)
    assert ("first 10" in page.where_to_begin("They decide.", count)) == (count > 10)


def test_a_list_of_the_page_has_ten_lines() -> None:
    page = Page(catalogs.load("en"), decimals=3)
    rows = tuple((cell(str(number)),) for number in range(40))
    table = ResultTable("labels", "Labels.", (TableColumn(("id",), "Example"),), rows)
    finding = page.finding("labels", "Labels", "Forty.", table=table)
    (shown,) = every(finding.section.blocks, ResultTable)
    assert len(list(shown.page_rows)) == 10


def lists_of(page: str) -> dict[str, list[str]]:
    """Return the lists of links that a page begins with: heading → the first line of each item."""
    lists = re.findall(r'<nav[^>]*aria-label="([^"]+)"[^>]*>(.*?)</nav>', page, re.S)
    return {heading: re.findall(r"<a [^>]*>(.*?)</a>", body, re.S) for heading, body in lists}


@pytest.mark.parametrize("code", ["en", "es", "pt"])
def test_the_page_begins_with_what_to_do(folder: Folder, tmp_path: Path, code: str) -> None:
    """A line for each question, ten at most; only the private rows, which decide, leave a task."""
    folder.write(f"resamples: 200\nlanguage: {code}\n")
    usage = ["Public" if row % 3 == 0 else "Private" for row in range(len(folder.ids))]
    gold = {"id": folder.ids, "label": folder.labels, "Usage": usage}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    assert main([str(folder.input), "-o", str(tmp_path / "audit")]) == 0
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    say = load(code).say
    lists = lists_of(page)
    assert list(lists)[:2] == [say("What to do"), say("What else the audit found")]
    tasks = lists[say("What to do")]
    assert any(say(TO_DO["suspects"]) in task for task in tasks)
    assert "public" not in page[page.index('id="audit-to-do"') : page.index('id="audit-found"')]
    assert {len(lines) <= 10 for lines in lists.values()} == {True}
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", page, re.S)
    assert headings.count(say("How many wrong labels would change the order?")) == 1
    assert len(headings) == len(set(headings))
    # The rows that decide stand open, and the others are folded below the same heading.
    assert re.search(r"<h3[^>]*>private</h3>", page)
    assert '<span class="heading">public</span>' in page


def test_every_finding_to_look_at_says_what_to_do() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in AUDIT.glob("*.py"))
    looked_at = re.findall(r'finding\(\s*"(\w+)"(?:[^()]|\([^()]*\))*look=', written)
    assert len(looked_at) > 8
    assert {key for key in looked_at if key not in TO_DO} == set()
