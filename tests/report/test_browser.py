"""Every form of the page in a real Chromium: layout, accessibility, silence, sandboxes."""

from __future__ import annotations

import functools
import http.server
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.core.catalogs import languages
from scoring_program.core.legible import legible
from tests.report import browser, made
from tests.report.kinds import KINDS

pytest.importorskip("selenium", reason="the browser tests need selenium")
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
pytest.importorskip("axe_selenium_python", reason="the browser tests need axe-selenium-python")
pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "-")

WIDTHS, SCHEMES = (360, 768, 1440), ("light", "dark")
#: The page with everything on it, and the comparison, in every language: name of the page → code.
EVERYTHING = {f"everything_in_{code}": code for code in languages()}
COMPARED = {f"compared_in_{code}": code for code in languages()}
FORMS = (*made.FORMS, *EVERYTHING, *COMPARED)
#: Pages of which the first screen of a phone is looked at: all with a ranking.
FIRST_SCREENS = [name for name in (*KINDS, *made.FORMS) if name != "scores_only"]


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser.chromium() as driver:
        yield driver


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    contents = {name: render.page(render.build(form())) for name, form in made.FORMS.items()}
    contents["always_dark"] = render.page(
        render.build(made.result(settings={"color_scheme": "dark"}))
    )
    everything = made.spanish()
    for name, code in EVERYTHING.items():
        contents[name] = render.page(render.build(made.with_settings(everything, language=code)))
    contents |= {name: made.compared(code) for name, code in COMPARED.items()}
    paths = {}
    for name, content in contents.items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(content, encoding="utf-8")
    return paths


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_well_laid_out_accessible_and_silent(
    driver: Any, pages: dict[str, Path], tmp_path: Path, form: str
) -> None:
    problems, alone, colours = [], {}, set()
    driver.get(pages[form].as_uri())
    browser.unfold(driver)
    for width, scheme in itertools.product(WIDTHS, SCHEMES):
        browser.look(driver, width, scheme)
        alone[width, scheme] = driver.execute_script(browser.LOOKS)
        coloured = alone[width, scheme][1]
        # What has the colours of a smaller width has its contrast, and type that is no smaller.
        found = browser.axe(driver, contrast=coloured not in colours)
        colours.add(coloured)
        found += [*driver.execute_script(browser.LAYOUT), *driver.get_log("browser")]
        problems += [f"{width} px, {scheme}: {problem}" for problem in found]
    framed = tmp_path / "frame.html"
    framed.write_text(
        "<!DOCTYPE html><html><body style='margin:0'><iframe style='border:0;width:100%' "
        f"height=900 sandbox src='{pages[form].as_uri()}'></iframe>",
        encoding="utf-8",
    )
    driver.get(framed.as_uri())
    driver.switch_to.frame(0)
    browser.unfold(driver)
    for width, scheme in alone:
        browser.look(driver, width, scheme)
        found = [*driver.execute_script(browser.LAYOUT), *driver.get_log("browser")]
        if driver.execute_script(browser.LOOKS) != alone[width, scheme]:
            found.append("it looks unlike the page alone")
        problems += [f"{width} px, {scheme}, framed: {problem}" for problem in found]
    assert not problems


@pytest.mark.parametrize("sandbox", ["", "allow-scripts"])
def test_a_sandboxed_frame_shows_the_same_pixels(
    driver: Any, pages: dict[str, Path], tmp_path: Path, sandbox: str
) -> None:
    browser.show(driver, pages["hostile"], 768, "dark")
    alone = driver.get_screenshot_as_png()
    frame = tmp_path / "frame.html"
    frame.write_text(
        "<!DOCTYPE html><html><body style='margin:0'><iframe style='border:0;display:block' "
        f"width=768 height=900 sandbox='{sandbox}' src='{pages['hostile'].as_uri()}'></iframe>",
        encoding="utf-8",
    )
    browser.show(driver, frame, 768, "dark")
    # The frame may be painted a moment after the page around it has been loaded.
    deadline = time.monotonic() + 10
    while (framed := driver.get_screenshot_as_png()) != alone and time.monotonic() < deadline:
        time.sleep(0.1)
    assert framed == alone
    assert not driver.get_log("browser")


def test_the_checks_see_what_is_wrong(driver: Any, tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    page.write_text(
        "<!DOCTYPE html><html><body><p style='position:absolute;left:9px;top:9px'>one</p>"
        "<p style='position:absolute;left:9px;top:9px'>other</p><img src='data:,'>"
        "<p style='width:2000px'>wide</p><p style='color:#ddd'>pale</p></body></html>",
        encoding="utf-8",
    )
    browser.show(driver, page, 360, "light")
    found = " ".join(driver.execute_script(browser.LAYOUT))
    assert "sideways" in found
    assert "overlapping" in found
    violations = " ".join(browser.axe(driver))
    assert "image-alt" in violations
    assert "color-contrast" in violations


@pytest.mark.parametrize("form", [*FORMS, "always_dark"])
def test_on_paper_nothing_is_cut_or_dark(driver: Any, pages: dict[str, Path], form: str) -> None:
    # A4 within the margins of the style sheet, at 96 px an inch; a reader with a dark screen.
    width, height = (round(millimetres / 25.4 * 96) for millimetres in (210 - 2 * 15, 297 - 2 * 15))
    browser.show(driver, pages[form], width, "dark")
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
    problems = driver.execute_script(browser.PAPER, height)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert problems == []


def test_on_paper_long_names_make_no_table_wider(driver: Any, tmp_path: Path) -> None:
    findings = KINDS["scores made elsewhere"]()
    names = tuple(f"20250902_orchestrator_of_some_model-{name}" for name in findings.names)
    evidence = tuple(replace(one, names=names) for one in findings.evidence)
    page = tmp_path / "page.html"
    long = replace(findings, names=names, evidence=evidence)
    page.write_text(render.page(render.build(long)), encoding="utf-8")
    width, height = (round(millimetres / 25.4 * 96) for millimetres in (210 - 2 * 15, 297 - 2 * 15))
    browser.show(driver, page, width, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    problems = driver.execute_script(browser.PAPER, height)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert problems == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_competition_is_well_laid_out(driver: Any, tmp_path: Path, kind: str) -> None:
    """Folded as it opens, at the widths of the contact sheet and where rows turn into cards."""
    page = tmp_path / "page.html"
    content = render.page(render.build(KINDS[kind]()))
    page.write_text(content, encoding="utf-8")
    problems = []
    for width in (360, 599, 600, 768, 1024, 1440):
        browser.show(driver, page, width, "light")
        problems += [f"{width} px: {problem}" for problem in driver.execute_script(browser.LAYOUT)]
    assert not problems
    assert len(content.encode()) < 1.5e6


@pytest.mark.parametrize(
    ("kind", "selector", "most"),
    [
        ("40 teams, 5 metrics", "footer", 12000),
        ("ten teams", "#ranking tbody", 900),
        ("ten teams", "#paper", 3.25 * 900),  # its text has three paragraphs
    ],
)
def test_a_page_is_short(
    driver: Any, tmp_path: Path, kind: str, selector: str, most: float
) -> None:
    page = tmp_path / "page.html"
    page.write_text(render.page(render.build(KINDS[kind]())), encoding="utf-8")
    browser.show(driver, page, 1280, "light")
    bottom = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"
    assert driver.execute_script(bottom, selector) <= most


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_color_scheme_for_everybody(driver: Any, tmp_path: Path, scheme: str) -> None:
    """Whatever the reader's device asks, it looks as it does where the device asks for this."""
    paths = {}
    for setting in ("auto", scheme):
        paths[setting] = tmp_path / f"{setting}.html"
        content = render.page(render.build(made.result(settings={"color_scheme": setting})))
        paths[setting].write_text(content, encoding="utf-8")
    browser.show(driver, paths["auto"], 768, scheme)
    looks, pixels = driver.execute_script(browser.LOOKS), driver.get_screenshot_as_png()
    for asked in SCHEMES:
        browser.show(driver, paths[scheme], 768, asked)
        assert driver.execute_script(browser.LOOKS) == looks, asked
        assert driver.get_screenshot_as_png() == pixels, asked


@pytest.mark.parametrize("form", ["two", "hostile", "tasks", "slices", "long_names"])
def test_no_figure_that_stands_alone_cuts_its_text(driver: Any, tmp_path: Path, form: str) -> None:
    for name, svg in render.figures(render.build(made.FORMS[form]())).items():
        path = tmp_path / name
        path.write_text(svg, encoding="utf-8")
        browser.show(driver, path, 1440, "dark", height=1600)
        cut = driver.execute_script(
            """
            const frame = document.documentElement.getBoundingClientRect();
            return [...document.querySelectorAll('text')].filter(text => {
              const box = text.getBoundingClientRect();
              return box.left < frame.left - 1 || box.right > frame.right + 1 ||
                     box.top < frame.top - 2 || box.bottom > frame.bottom + 2;
            }).map(text => text.textContent);
            """
        )
        assert cut == [], name


def test_every_name_in_a_picture_of_the_page_shows(driver: Any, pages: dict[str, Path]) -> None:
    for form, picture in (("teams", "trade-off"), ("tasks", "task-ranks")):
        driver.get(pages[form].as_uri())
        browser.unfold(driver)
        # Of the drawings for wide and narrow screens, one shows.
        widths = driver.execute_script(
            f"return [...document.querySelectorAll('#{picture} svg')]"
            ".filter(drawing => drawing.getBoundingClientRect().width > 0)"
            ".flatMap(drawing => [...drawing.querySelectorAll('text')])"
            ".map(text => text.getBoundingClientRect().width)"
        )
        assert len(widths) > 10
        assert min(widths) > 0


def test_nothing_executes(driver: Any, pages: dict[str, Path]) -> None:
    browser.show(driver, pages["hostile"], 1440, "light")
    assert (
        driver.execute_script("return document.querySelectorAll('script, img, iframe').length") == 0
    )
    names = driver.execute_script(
        "return [...document.querySelectorAll('.ranking tbody .name bdi')].map(e => e.textContent)"
    )
    # Of a very long name the beginning is shown.
    assert len(names) == len(made.HOSTILE)
    isolates = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
    for found, name in zip(names, made.HOSTILE, strict=True):
        shown = found.translate(isolates)
        line = " ".join(legible(name).split())
        assert shown == line or (len(line) > 60 and line.startswith(shown.rstrip("…")))
    assert driver.title.startswith('<img src=x onerror="alert(1)"> & friends')


@pytest.mark.parametrize("width", WIDTHS)
def test_pixels_stand_where_the_numbers_say(
    driver: Any, pages: dict[str, Path], width: int
) -> None:
    browser.show(driver, pages["teams"], width, "light")
    driver.execute_script("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    for table in ("#metric-1-scores table", "#metric-1-differences table"):
        ticks, rows = driver.execute_script(
            """
            const table = document.querySelector(arguments[0]);
            const plot = '.plot';
            const number = text => Number(text.replace('−', '-'));
            const box = e => e.getBoundingClientRect();
            const ticks = [...table.querySelectorAll('thead ' + plot + ' .tick')].map(
              e => [number(e.textContent), (box(e).left + box(e).right) / 2]);
            const rows = [...table.querySelectorAll('tbody tr:not(.card)')].map(row => {
              const bar = box(row.querySelector(plot + ' .bar'));
              const ends = row.querySelector('.interval').textContent.match(/[−\\d.]+/g);
              return [...ends.map(number), bar.left, bar.right];
            });
            return [ticks, rows];
            """,
            table,
        )
        (first, start), (last, end) = ticks[0], ticks[-1]
        pixels = (end - start) / (last - first)
        for low, high, left, right in rows:
            assert left == pytest.approx(start + (low - first) * pixels, abs=1.5)
            assert right == pytest.approx(start + (high - first) * pixels, abs=1.5)


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    page = tmp_path / "crowd.html"
    page.write_text(render.page(render.build(KINDS["large field"]())), encoding="utf-8")
    return page


def tab_to(driver: Any, selector: str) -> None:
    """Press the tab key until it reaches an element."""
    for _ in range(60):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.execute_script("return document.activeElement.matches(arguments[0])", selector):
            return
    raise AssertionError(f"the tab key does not reach {selector}")


def shown(driver: Any, selector: str) -> int:
    """Return how many of the elements are visible."""
    every = "[...document.querySelectorAll(arguments[0])]"
    visible = "e.checkVisibility() && e.getBoundingClientRect().height > 0"
    return int(driver.execute_script(f"return {every}.filter(e => {visible}).length", selector))


ROWS = "#ranking tbody tr:not(.card)"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_team_finds_its_card_by_keyboard(driver: Any, crowd: Path, width: int) -> None:
    browser.show(driver, crowd, width, "light")
    assert shown(driver, ".index a") == 0
    tab_to(driver, "#find > summary")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.axe(driver, contrast=width == WIDTHS[0]) == []
    assert driver.execute_script(browser.LAYOUT) == []
    tab_to(driver, "a[href='#entry-team_10']")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert shown(driver, ".card") == shown(driver, "#entry-team_10 + .card") == 1
    top = "return document.querySelector(':target').getBoundingClientRect().top"
    assert 0 <= driver.execute_script(top) < 900
    uncovered = (
        "const name = document.querySelector(':target .name bdi').getBoundingClientRect();"
        "const seen = document.elementFromPoint(name.left + 2, name.top + name.height / 2);"
        "return seen.closest('tr').matches(':target')"
    )
    assert driver.execute_script(uncovered), "the head of the table covers the name"
    tab_to(driver, "a[href='#unusable-broken']")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert shown(driver, "#unusable-broken:target") == 1


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as platforms do: in a sandbox, a file cannot follow its own links."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Silent, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def framed(driver: Any, page: Path, sandbox: str | None, width: int = 1440) -> None:
    """Open a page in a frame, as platforms do."""
    frame, limits = page.with_name("frame.html"), "" if sandbox is None else f"sandbox='{sandbox}'"
    frame.write_text(
        "<!DOCTYPE html><html><body style='margin:0'><iframe style='border:0;width:100%' "
        f"height=900 {limits} src='{page.name}'></iframe>",
        encoding="utf-8",
    )
    with served(page.parent) as address:
        browser.look(driver, width, "light")
        driver.get(f"{address}/{frame.name}")
    driver.switch_to.frame(0)


@pytest.mark.parametrize("sandbox", [None, "", "allow-scripts"])
def test_a_reader_chooses_rows_by_keyboard(driver: Any, crowd: Path, sandbox: str | None) -> None:
    """In the frames of both platforms, and in a stricter one."""
    framed(driver, crowd, sandbox)
    tab_to(driver, "#show-first")
    assert shown(driver, ROWS) == 15  # the possible winners and the next ten
    driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert shown(driver, ROWS) == 40
    driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert shown(driver, ROWS) == 5
    # Whoever is looked for shows.
    browser.unfold(driver)
    driver.find_element("css selector", "a[href='#entry-team_10']").click()
    assert shown(driver, ROWS) == 6
    assert shown(driver, ".card") == 1
    driver.find_element("id", "show-winners").send_keys(Keys.ARROW_RIGHT)
    assert shown(driver, ROWS) == 37


def test_a_phone_shows_cases_and_ranking_schemes_without_scrolling(
    driver: Any, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(render.page(render.build(KINDS["scores made elsewhere"]())), encoding="utf-8")
    browser.show(driver, page, 390, "light")
    browser.unfold(driver)
    assert driver.execute_script(browser.LAYOUT) == []
    wider = "return [...document.querySelectorAll('#schemes *')].filter("
    wider += "e => e.getBoundingClientRect().right > innerWidth + 1).length"
    assert driver.execute_script(wider) == 0


def test_a_heading_of_the_table_of_all_metrics_opens_the_ranking_by_its_metric(
    driver: Any, tmp_path: Path
) -> None:
    """It is the sorted view."""
    page = tmp_path / "page.html"
    page.write_text(render.page(render.build(KINDS["ten teams"]())), encoding="utf-8")
    browser.show(driver, page, 360, "light")
    assert browser.axe(driver) == []
    for metric in (2, 3):
        assert shown(driver, f"#metric-{metric} .ranking") == 0
        link = driver.find_element("css selector", f"a[href='#metric-{metric}-ranking']")
        link.send_keys(Keys.ENTER)
        assert shown(driver, f"#metric-{metric} .ranking") == 1
        box = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
        assert 0 <= driver.execute_script(box, f"#metric-{metric} > summary") < 900


def test_paper_shows_every_row(driver: Any, crowd: Path) -> None:
    browser.show(driver, crowd, 680, "light")
    driver.execute_script("document.querySelector('#show-winners').click()")
    assert shown(driver, ROWS) == 5
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert shown(driver, ROWS) == 40
    assert shown(driver, ".find, .show") == 0
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_on_a_phone_numbers_have_headings(driver: Any, pages: dict[str, Path]) -> None:
    """Above the scores and the places, in the same columns."""
    ends = """
        const cell = name => document.querySelector(`#ranking ${name}`).getBoundingClientRect();
        return ['score', 'range'].map(name =>
            [Math.round(cell(`th.${name}`).right), Math.round(cell(`td.${name}`).right),
             cell(`th.${name}`).height > 10]);
    """
    for width in (360, 390, 768):
        browser.show(driver, pages["teams"], width, "light")
        for heading, number, is_visible in driver.execute_script(ends):
            assert abs(heading - number) <= 1
            assert is_visible


@pytest.mark.parametrize("label", ["Correctness", "exact match (SQuAD)"])
def test_on_a_phone_no_word_of_a_heading_is_broken(driver: Any, tmp_path: Path, label: str) -> None:
    findings = made.result(metrics=1)
    (evidence,) = findings.evidence
    named = replace(evidence, metric=replace(evidence.metric, label=label))
    page = tmp_path / "page.html"
    report = render.build(replace(findings, evidence=(named,)))
    page.write_text(render.page(report), encoding="utf-8")
    browser.show(driver, page, 390, "light")
    lines_of_words = driver.execute_script("""
        const walker = document.createTreeWalker(
            document.querySelector('#ranking th.score'), NodeFilter.SHOW_TEXT);
        const lines = {};
        for (let node; (node = walker.nextNode());)
            for (const word of node.data.matchAll(/\\S+/g)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                lines[word[0]] = range.getClientRects().length;
            }
        return lines;
    """)
    assert lines_of_words == dict.fromkeys(label.split(), 1)


def test_on_a_phone_the_name_of_a_column_breaks_after_a_joint_and_no_score_breaks(
    driver: Any, tmp_path: Path
) -> None:
    findings = made.result((1203.0, 1.211, 1.203), names=made.TEAMS[:3], metrics=1)
    (evidence,) = findings.evidence
    named = replace(evidence, metric=replace(evidence.metric, label="average_precision"))
    page = tmp_path / "page.html"
    page.write_text(
        render.page(render.build(replace(findings, evidence=(named,)))), encoding="utf-8"
    )
    browser.show(driver, page, 390, "light")
    heading = driver.execute_script(
        "const text = document.querySelector('#ranking th.score').childNodes;"
        "return [...text].filter(node => node.nodeType === 3).map(node => {"
        "  const range = document.createRange(); range.selectNodeContents(node);"
        "  return [node.data, range.getClientRects().length]; });"
    )
    assert heading == [["average_", 1], ["precision", 1]]
    lines = driver.execute_script(
        "return [...document.querySelectorAll('#ranking td.score')].map(cell => {"
        "  const range = document.createRange(); range.selectNodeContents(cell);"
        "  return new Set([...range.getClientRects()].map(box => box.top)).size; });"
    )
    assert lines == [1, 1, 1]


def test_a_note_beside_a_heading_breaks_between_its_items(
    driver: Any, pages: dict[str, Path]
) -> None:
    browser.show(driver, pages["teams"], 390, "light")
    items = driver.execute_script(
        "return [...document.querySelectorAll('#ranking h2 small span')].map("
        "item => [item.textContent, item.getClientRects().length]);"
    )
    assert [lines for _, lines in items] == [1] * len(items)
    assert items[1][0] == "ranking metric ·"


@pytest.mark.parametrize("form", FIRST_SCREENS)
def test_the_first_screen_of_a_phone_shows_the_first_three_rows(
    driver: Any, tmp_path: Path, form: str
) -> None:
    findings = (KINDS.get(form) or made.FORMS[form])()
    page = tmp_path / "page.html"
    page.write_text(render.page(render.build(findings)), encoding="utf-8")
    browser.show(driver, page, 390, "light", height=844)
    ends = driver.execute_script(
        "return [...document.querySelectorAll('#ranking tbody > tr:not(.card)')].slice(0, 3)"
        ".map(row => row.getBoundingClientRect().bottom)"
    )
    assert ends
    assert max(ends) <= 844


def test_a_shake_up_has_one_line_an_entry_on_a_phone(driver: Any, pages: dict[str, Path]) -> None:
    rows = (
        "return [...document.querySelectorAll('#shake_up tbody tr')].map(row => row.offsetHeight)"
    )
    browser.show(driver, pages["usage"], 390, "light", height=844)
    assert max(driver.execute_script(rows)) <= 48
    shown = "return [...document.querySelectorAll('#shake_up tr:first-child > *')]"
    visible = f"{shown}.filter(cell => cell.checkVisibility()).length"
    assert driver.execute_script(visible) == 2 * 4


def test_a_phone_can_be_driven_by_keyboard(driver: Any, pages: dict[str, Path]) -> None:
    browser.show(driver, pages["teams"], 360, "light")
    unreachable = driver.execute_script(
        "return [...document.querySelectorAll('.scroller')]"
        ".filter(e => e.tabIndex !== 0 && !e.querySelector('a')).length"
    )
    assert unreachable == 0


@pytest.fixture(scope="module")
def interactive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("interactive") / "interactive.html"
    findings = made.with_settings(KINDS["large field"](), interactive=True)
    page.write_text(render.page(render.build(findings)), encoding="utf-8")
    return page


def test_where_scripts_are_forbidden_the_script_is_absent(driver: Any, interactive: Path) -> None:
    framed(driver, interactive, "")
    assert driver.find_elements("css selector", ".by-script, .two-entries") == []
    assert shown(driver, ROWS) == 15


@pytest.mark.parametrize("sandbox", [None, "allow-scripts"])
def test_a_reader_compares_searches_and_sorts(
    driver: Any, interactive: Path, sandbox: str | None
) -> None:
    """By keyboard, in the frames of both platforms."""
    framed(driver, interactive, sandbox)
    text = "return document.querySelector(arguments[0]).textContent"
    names = (
        "return [...document.querySelectorAll('#ranking tbody tr:not(.card) .name bdi')]"
        ".filter(e => e.checkVisibility()).map(e => e.textContent)"
    )
    before = driver.execute_script(names)
    tab_to(driver, "input[type=search]")
    driver.switch_to.active_element.send_keys("TEAM 1")
    found = driver.execute_script(names)
    assert found
    assert all("team 1" in name for name in found)
    assert driver.execute_script(text, ".by-script [role=status]") == (
        f"Entries found: {len(found)} of 40"
    )
    driver.switch_to.active_element.send_keys(Keys.CONTROL, "a")
    driver.switch_to.active_element.send_keys(Keys.DELETE)
    every = driver.execute_script(names)
    assert every[: len(before)] == before
    assert len(every) == 40
    tab_to(driver, ".by-script select")
    driver.switch_to.active_element.send_keys("Entry")
    assert driver.find_element("css selector", "#ranking th[aria-sort=ascending]").text == "Entry"
    ascending = driver.execute_script(names)
    assert ascending != every
    tab_to(driver, ".by-script button")
    driver.switch_to.active_element.send_keys(Keys.SPACE)
    assert driver.execute_script(names) == ascending[::-1]
    cards = "return [...document.querySelectorAll('#ranking .card')].every("
    assert driver.execute_script(f"{cards}e => e.previousElementSibling.id.startsWith('entry-'))")
    tab_to(driver, ".two-entries label:last-child select")
    said = driver.execute_script(text, ".two-entries [aria-live]")
    driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert driver.execute_script(text, ".two-entries [aria-live]") != said
    # A server without an icon is no fault of the page.
    assert not [line for line in driver.get_log("browser") if "favicon" not in line["message"]]


def test_the_sentence_on_a_pair_is_that_of_the_table_of_pairs(driver: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for form in ("teams", "hostile"):
        findings = made.with_settings(made.FORMS[form](), interactive=True)
        page.write_text(render.page(render.build(findings)), encoding="utf-8")
        browser.show(driver, page, 390, "light")
        titles = driver.execute_script(
            "return [...document.querySelectorAll('#metric-1-pairs td[title]')].map(e => e.title)"
        )
        said = driver.execute_script(
            """
            const [one, other] = document.querySelectorAll('.two-entries select');
            const said = [];
            for (one.value = 0; other.options[one.value * 1 + 1]; one.value = one.value * 1 + 1)
              for (let second = one.value * 1 + 1; second < other.options.length; second++) {
                other.value = second;
                other.dispatchEvent(new Event('change'));
                said.push(document.querySelectorAll('.two-entries [aria-live] p')[1].textContent);
              }
            return said;
            """
        )
        assert sorted(said) == sorted(titles)
        assert not driver.get_log("browser")


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_the_script_s_controls_are_accessible_and_have_room(
    driver: Any, interactive: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    """Hostile names on a phone, many on a large screen; axe takes most of the seconds."""
    page = interactive
    if width == 390:
        page = tmp_path / "hostile.html"
        findings = made.with_settings(made.hostile(), interactive=True)
        page.write_text(render.page(render.build(findings)), encoding="utf-8")
    browser.show(driver, page, width, scheme)
    assert shown(driver, ".by-script, .two-entries") >= 2
    assert browser.axe(driver) == []
    assert driver.execute_script(browser.LAYOUT) == []
