"""The page as a file: valid, self-contained, harmless, small."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from scoring_program import report as render
from scoring_program.document.html import items_of
from scoring_program.document.shortening import isolated, told_apart
from scoring_program.report.view import IN_SENTENCE
from tests.report import made
from tests.sweeps import thinned

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: render.page(made.built(form())) for name, form in made.FORMS.items()}


@pytest.mark.parametrize("form", thinned(made.FORMS, every=2))
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
    addresses = set(re.findall(r"https?://[^\s\"&;…<]+", page))
    assert addresses <= {
        "http://www.w3.org/2000/svg",
        *("http://example.org", "http://exam"),  # a hostile name, and what is left where it is cut
        "https://pypi.org/project/deadheat/},",  # the program, in BibTeX
    }
    assert not re.search(r"url\(|@import", page)


def test_hostile_names_are_text(pages: dict[str, str]) -> None:
    page = pages["hostile"]
    cells = re.findall(
        r'<th scope="row" role="rowheader" class="name">.*?<a href="#entry-[^"]*"><bdi>(.*?)</bdi>',
        page,
        re.S,
    )
    shown = [html.unescape(cell) for cell in cells[: len(made.HOSTILE)]]
    assert shown == [isolated(name) for name in told_apart(made.HOSTILE, IN_SENTENCE)]
    # The card has what the row cuts.
    full = [
        html.unescape(name) for name in re.findall(r"<dt>Full name</dt><dd>(.*?)</dd>", page, re.S)
    ]
    assert full == [isolated(made.HOSTILE[i]) for i in (1, 6)]
    assert "{{ 7*7 }}" in page
    assert page.count("<style>") == page.count("</style>") == 1


def test_names_with_hyphens_are_not_broken_on_the_first_screen() -> None:
    names = ("DeepSPIN-2", "max & co-b", "a-name-that-is-much-longer-than-a-phone-has-room")
    page = render.page(render.build(made.result((0.715, 0.714, 0.713), names, metrics=1)))
    first_screen = page[page.index('<p class="says">') : page.index('id="ranking"')]
    assert first_screen.count('<span class="whole">DeepSPIN-2</span>') == 2
    assert first_screen.count('max &amp; <span class="whole">co-b</span>') == 2
    assert first_screen.count(names[2]) == 2
    assert f">{names[2]}" not in first_screen


def test_a_subtitle_is_in_items_and_a_heading_breaks_after_joints(pages: dict[str, str]) -> None:
    assert "<small><span>F1 ·</span> <span>ranking metric ·</span> <span>" in pages["teams"]
    assert items_of("F1 · a b") == ["F1 ·", "a b"]
    findings = made.result(metrics=1)
    (evidence,) = findings.evidence
    named = replace(evidence, metric=replace(evidence.metric, label="average_<precision>"))
    page = render.page(render.build(replace(findings, evidence=(named,))))
    assert ">average_<wbr>&lt;precision&gt;</th>" in page


@pytest.mark.parametrize("length", ["short", "full"])
def test_paper_shows_what_is_folded_away_on_request_only(length: str) -> None:
    page = render.page(render.build(made.result(settings={"print": length})))
    assert ("::details-content" in page) == (length == "full")


@pytest.mark.parametrize("form", made.FORMS)
def test_the_keyboard_stops_at_a_table_or_at_its_links(pages: dict[str, str], form: str) -> None:
    scrollers = re.findall(r'<div class="scroller".*?</div>\n', pages[form], re.S)
    assert len(scrollers) == pages[form].count('class="scroller"') > 0
    for scroller in scrollers:
        if "</dl>" not in scroller:
            assert ('tabindex="0"' in scroller) == ('<a href="#' not in scroller)


def test_the_foot_of_every_printed_page_says_what_made_it(pages: dict[str, str]) -> None:
    """A footer of its own would stand alone on a last page."""
    for content in pages.values():
        paper = content[content.index("@page") : content.index("</style>")]
        (made_by,) = re.findall("<footer><p>(?:<a [^>]*>)?(.*?)(?:</a>)?</p></footer>", content)
        assert f'@bottom-left {{ content: "{made_by}"' in paper
        assert re.search(r"\bnav, footer, [^{]*\{ display: none; \}", paper)


def test_every_heading_is_said_once_in_a_section() -> None:
    page = render.page(made.built(made.teams()))
    labels = re.findall(r'role="region" aria-label="([^"]+)"', page)
    assert len(labels) == len(set(labels))


def test_pictures_say_in_words_who_is_tied() -> None:
    report = made.built(made.teams())
    assert (
        "but CIMATMTYGTO and DCCDINFOTEC may be as good or better."
        in report.figures["intervals"].description
    )


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


@pytest.mark.full
def test_the_size_of_a_large_field() -> None:
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


def test_the_footer_leads_to_what_made_the_page() -> None:
    for form in ("teams", "scores_only"):
        page = render.page(made.built(made.FORMS[form]()))
        assert re.search('<footer><p><a href="#signature">Made by Deadheat [^<]+</a></p>', page)
        assert 'id="signature"' in page
    compared = made.compared("en")
    assert '<footer><p><a href="#how">Made by Deadheat' in compared
    assert 'id="how"' in compared
