"""The page as a file: valid, self-contained, harmless, small."""

from __future__ import annotations

import html
import re

import pytest

from scoring_program import report as render
from tests.report import made

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: render.page(render.build(form())) for name, form in made.FORMS.items()}


@pytest.mark.parametrize("form", made.FORMS)
def test_it_is_valid_html(pages: dict[str, str], form: str) -> None:
    html5lib = pytest.importorskip("html5lib", reason="the validity test needs html5lib")
    parser = html5lib.HTMLParser(strict=True)
    parser.parse(pages[form])
    ids = re.findall(r'\sid="([^"]+)"', pages[form])
    assert len(ids) == len(set(ids))
    for name in re.findall(r'href="#([^"]+)"|aria-labelledby="([^"]+)"', pages[form]):
        assert set(" ".join(name).split()) <= set(ids)


@pytest.mark.parametrize("form", made.FORMS)
def test_tables_have_names_and_rows_of_one_width(pages: dict[str, str], form: str) -> None:
    tables = re.findall(r"<table([^>]*)>(.*?)</table>", pages[form], re.S)
    assert tables
    for attributes, content in tables:
        assert re.search(r'aria-label="[^"]+"', attributes)
        widths = {
            sum(int(span or 1) for span in re.findall(r'<t[hd]\b(?:[^>]*colspan="(\d+)")?', row))
            for row in re.findall(r"<tr\b.*?</tr>", content, re.S)
        }
        assert len(widths) == 1, (attributes, widths)
        assert all("scope=" in head for head in re.findall(r"<th\b[^>]*>", content))


@pytest.mark.parametrize("form", made.FORMS)
def test_it_needs_and_runs_nothing(pages: dict[str, str], form: str) -> None:
    page = pages[form]
    assert f'content="{POLICY}"' in page
    assert page.index(POLICY) < page.index("<style>") < page.index("<body>")
    assert not re.search(r"<(script|img|iframe|link|object|embed|form)\b", page)
    assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', page))
    # The name space of SVG is a name, not an address that is loaded.
    addresses = set(re.findall(r"https?://[^\s\"&;]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://example.org"}  # a hostile name
    assert not re.search(r"url\(|@import", page)


def test_hostile_names_are_text(pages: dict[str, str]) -> None:
    page = pages["hostile"]
    cells = re.findall(
        r'<th scope="row" role="rowheader" class="name">.*?<a href="#entry-[^"]*"><bdi>(.*?)</bdi>',
        page,
        re.S,
    )
    assert [html.unescape(cell) for cell in cells[: len(made.HOSTILE)]] == list(made.HOSTILE)
    assert "{{ 7*7 }}" in page
    assert page.count("<style>") == page.count("</style>") == 1


@pytest.mark.parametrize("scheme", ["auto", "light", "dark"])
def test_the_page_tells_the_browser_its_color_scheme(scheme: str) -> None:
    page = render.page(render.build(made.result(settings={"color_scheme": scheme})))
    said = {"auto": "light dark"}.get(scheme, scheme)
    assert f'<meta name="color-scheme" content="{said}">' in page
    assert f"color-scheme: {said};" in page
    assert ("prefers-color-scheme" in page) == (scheme == "auto")


def test_sizes(pages: dict[str, str]) -> None:
    assert len(pages["teams"].encode()) < 1_000_000
    assert len(pages["many"].encode()) < 5_000_000
    scores, names = made.graded(134)
    three = render.page(render.build(made.result(scores, names, metrics=3)))
    assert len(three.encode()) < 5_000_000


def test_the_same_report_gives_the_same_bytes() -> None:
    first, second = render.build(made.teams()), render.build(made.teams())
    assert render.page(first) == render.page(second)
    assert render.tables(first.tables) == render.tables(second.tables)
    assert render.figures(first) == render.figures(second)


def test_templates_compute_nothing() -> None:
    from scoring_program.core.templates import templates_folder

    for path in templates_folder().glob("*.j2"):
        text = path.read_text(encoding="utf-8")
        for expression in re.findall(r"\{\{(.*?)\}\}|\{%(.*?)%\}", text, re.S):
            code = re.sub(r'"[^"]*"|\'[^\']*\'', "", "".join(expression)).strip("-")
            assert not re.search(r"[*/+]| - |\bround\b|\bformat\b|\bsum\b", code), (path, code)
