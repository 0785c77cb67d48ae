"""Every form of the page in a real Chromium: layout, accessibility, silence, sandboxes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring_program import compare, render
from scoring_program.render import comparison
from tests.render import browser, made

pytest.importorskip("selenium", reason="the browser tests need selenium")
pytest.importorskip("axe_selenium_python", reason="the browser tests need axe-selenium-python")
pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "-")

WIDTHS = (360, 768, 1440)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser.chromium() as driver:
        yield driver


def compared() -> str:
    measures = {"m": 5, "possible_comparisons": 10, "cv_percent": 10.0, "ppi_percent": 19.0}
    titles = ("VaxxStance Spanish", made.HOSTILE[0], "long " * 30)
    competitions = [
        compare.Competition(title, "f1", {**measures, "cv_percent": 10.0 + place})
        for place, title in enumerate(titles)
    ]
    report = comparison.build(competitions, compare.closest(competitions), version="0.1.0")
    return comparison.files(report)["comparison.html"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    paths = {}
    for name, form in made.FORMS.items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(render.page(render.build(form())), encoding="utf-8")
    paths["compared"] = folder / "compared.html"
    paths["compared"].write_text(compared(), encoding="utf-8")
    return paths


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("form", [*made.FORMS, "compared"])
def test_every_form_is_well_laid_out_accessible_and_silent(
    driver: Any, pages: dict[str, Path], form: str, scheme: str
) -> None:
    problems = []
    for width in WIDTHS:
        browser.show(driver, pages[form], width, scheme)
        browser.unfold(driver)
        problems += [f"{width} px: {problem}" for problem in driver.execute_script(browser.LAYOUT)]
        problems += [f"{width} px: {violation}" for violation in browser.axe(driver)]
        problems += [f"{width} px: {entry}" for entry in driver.get_log("browser")]
    assert not problems


@pytest.mark.parametrize("sandbox", ["", "allow-scripts"])
@pytest.mark.parametrize(
    ("form", "width", "scheme"),
    [("teams", 1440, "light"), ("hostile", 1440, "light"), ("field", 360, "dark")],
)
def test_a_sandboxed_frame_shows_the_same(
    driver: Any,
    pages: dict[str, Path],
    tmp_path: Path,
    form: str,
    width: int,
    scheme: str,
    sandbox: str,
) -> None:
    browser.show(driver, pages[form], width, scheme)
    alone = driver.get_screenshot_as_png()
    frame = tmp_path / "frame.html"
    frame.write_text(
        "<!DOCTYPE html><html><body style='margin:0'><iframe style='border:0;display:block' "
        f"width={width} height=900 sandbox='{sandbox}' src='{pages[form].as_uri()}'></iframe>",
        encoding="utf-8",
    )
    browser.show(driver, frame, width, scheme)
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


@pytest.mark.parametrize("form", ["teams", "long_names", "eight_metrics"])
def test_nothing_is_cut_on_paper(driver: Any, pages: dict[str, Path], form: str) -> None:
    # A4 within the margins of the style sheet, at 96 px an inch.
    width = round((210 - 2 * 15) / 25.4 * 96)
    browser.show(driver, pages[form], width, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wide = driver.execute_script(
        """
        return [...document.querySelectorAll('table, .figure')]
          .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .map(e => (e.closest('section') || e).id + ' ' + e.getBoundingClientRect().right);
        """
    )
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert wide == []


def test_nothing_executes(driver: Any, pages: dict[str, Path]) -> None:
    browser.show(driver, pages["hostile"], 1440, "light")
    assert (
        driver.execute_script("return document.querySelectorAll('script, img, iframe').length") == 0
    )
    names = driver.execute_script(
        "return [...document.querySelectorAll('.ranking tbody .name bdi')].map(e => e.textContent)"
    )
    assert names == list(made.HOSTILE)
    assert driver.title.startswith('<img src=x onerror="alert(1)"> & friends')


@pytest.mark.parametrize("width", WIDTHS)
def test_pixels_stand_where_the_numbers_say(
    driver: Any, pages: dict[str, Path], width: int
) -> None:
    browser.show(driver, pages["teams"], width, "light")
    for table in ("ranking", "differences"):
        ticks, rows = driver.execute_script(
            """
            const table = document.querySelector('#metric-1-' + arguments[0] + ' table');
            const number = text => Number(text.replace('−', '-'));
            const box = e => e.getBoundingClientRect();
            const ticks = [...table.querySelectorAll('thead .tick')].map(
              e => [number(e.textContent), (box(e).left + box(e).right) / 2]);
            const rows = [...table.querySelectorAll('tbody tr')].map(row => {
              const bar = box(row.querySelector('.bar'));
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


def test_a_phone_can_be_driven_by_keyboard(driver: Any, pages: dict[str, Path]) -> None:
    browser.show(driver, pages["teams"], 360, "light")
    unreachable = driver.execute_script(
        "return [...document.querySelectorAll('.scroller')].filter(e => e.tabIndex !== 0).length"
    )
    assert unreachable == 0
