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
    text, bibtex = (block.text for block in made.content(report, "citation").blocks)
    assert text.startswith("Offense & stance, IberLEF, 2021-09-21. Scored with Deadheat")
    assert text.endswith("https://example.org/offense")
    assert "title = {{Offense \\& stance}}" in bibtex
    assert "author = {{IberLEF}}" in bibtex
    assert "year = {2021}" in bibtex
    assert "doi = {10.1007/978-3-031-33783-3_9}" in bibtex
    page = render.page(report)
    assert "IberLEF · 2021-09-21" in page
    assert '<a href="https://example.org/offense">' in page


def test_the_citation_leaves_out_what_the_settings_do_not_say() -> None:
    bibtex = made.words(made.built(made.result()), "citation").partition("@misc")[2]
    assert "author" not in bibtex.split("}")[0]
    assert "year = {}" not in bibtex
    assert made.content(render.build(made.result(settings={"title": ""})), "citation") is None
