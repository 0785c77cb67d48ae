"""How to cite: what the settings say, as text and as BibTeX."""

from __future__ import annotations

from scoring_program import report as render
from tests.report import made

ABOUT = {
    "title": "Offense & stance",
    "host": "IberLEF",
    "date": "2021-09-21",
    "url": "https://example.org/offense",
}


def test_the_page_and_the_citation_name_host_date_and_address() -> None:
    report = render.build(made.result(settings=ABOUT))
    cited = made.content(report, "citation")
    assert cited.text.startswith("Offense & stance, IberLEF, 2021-09-21. Scored with Deadheat")
    assert cited.text.endswith("https://example.org/offense")
    assert "title = {{Offense \\& stance}}" in cited.bibtex
    assert "author = {{IberLEF}}" in cited.bibtex
    assert "year = {2021}" in cited.bibtex
    assert "doi = {10.1007/978-3-031-33783-3_9}" in cited.bibtex
    page = render.page(report)
    assert "IberLEF · 2021-09-21" in page
    assert '<a href="https://example.org/offense">' in page


def test_the_citation_leaves_out_what_the_settings_do_not_say() -> None:
    cited = made.content(render.build(made.result()), "citation")
    assert "author" not in cited.bibtex.split("}")[0]
    assert "year = {}" not in cited.bibtex
    assert made.content(render.build(made.result(settings={"title": ""})), "citation") is None
