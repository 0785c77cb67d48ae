"""The audit's page: a list has ten lines at most, and says where to begin."""

from __future__ import annotations

import pytest

from scoring_program.audit.page import Page
from scoring_program.core import catalogs
from scoring_program.document.blocks import every
from scoring_program.document.take_away import ResultTable, TableColumn, cell


@pytest.mark.parametrize(("count", "said"), [(10, "They decide."), (1154, "They decide. Begin")])
def test_a_long_list_says_where_to_begin(count: int, said: str) -> None:
    page = Page(catalogs.load("en"), decimals=3)
    assert page.where_to_begin("They decide.", count).startswith(said)
    assert ("first 10" in page.where_to_begin("They decide.", count)) == (count > 10)


def test_a_list_of_the_page_has_ten_lines() -> None:
    page = Page(catalogs.load("en"), decimals=3)
    rows = tuple((cell(str(number)),) for number in range(40))
    table = ResultTable("labels", "Labels.", (TableColumn(("id",), "Example"),), rows)
    _, section = page.finding("labels", "Labels", "Forty.", table=table)
    (shown,) = every(section.blocks, ResultTable)
    assert len(list(shown.page_rows)) == 10
