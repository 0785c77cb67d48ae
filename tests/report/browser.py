"""A real headless Chromium, and what is looked at in it."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: Debian's browser and driver.
CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)

#: Finds text that lies on other text or on a mark, text cut off by its box, columns too narrow for
#: words, marks outside their figure, and boxes outside the window.
#: What a scroller has scrolled away is neither; text for screen readers only is left out.
LAYOUT = r"""
const problems = [];
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width)
  problems.push('the page scrolls sideways: ' + document.documentElement.scrollWidth);
const hidden = e => e.closest('.unseen, .skip, [hidden]') || (e.closest('details:not([open])')
  && !e.closest('summary')) || getComputedStyle(e).clipPath !== 'none' || !e.checkVisibility();
const short = e => e.textContent.trim().replace(/\s+/g, ' ').slice(0, 40);
const boxes = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  if (!node.data.trim()) continue;
  const element = node.parentElement;
  if (element.closest('title, desc, style') || hidden(element) ||
      element.closest('th') && hidden(element.closest('th'))) continue;
  const scroller = element.closest('.scroller');
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const rect of range.getClientRects()) {
    if (rect.width < 1) continue;
    if (!scroller && (rect.left < -1 || rect.right > width + 1))
      problems.push('outside the window: ' + short(element));
    if (scroller) {
      const left = rect.left - scroller.getBoundingClientRect().left + scroller.scrollLeft;
      if (left < -1 || left + rect.width > scroller.scrollWidth + 1)
        problems.push('cut off in its scroller: ' + short(element));
    }
    const figure = element.closest('.figure');
    if (figure) {
      const frame = figure.getBoundingClientRect();
      if (rect.left < frame.left - 1 || rect.right > frame.right + 1 ||
          rect.top < frame.top - 2 || rect.bottom > frame.bottom + 2)
        problems.push('cut off by its figure: ' + short(element));
    }
    boxes.push({node, top: rect.top + .2 * rect.height, bottom: rect.bottom - .2 * rect.height,
                left: rect.left + 1, right: rect.right - 1, text: short(element)});
  }
}
for (const mark of document.querySelectorAll('.flag, .strip use[x], .figure .mark')) {
  if (hidden(mark)) continue;
  const rect = mark.getBoundingClientRect();
  boxes.push({node: null, top: rect.top, bottom: rect.bottom, left: rect.left + 1,
              right: rect.right - 1, text: 'a mark'});
}
for (const mark of document.querySelectorAll('.figure svg :is(rect, line, path, circle, use)')) {
  const frame = mark.closest('.figure').getBoundingClientRect();
  const rect = mark.getBoundingClientRect();
  if (!mark.closest('defs, clipPath, symbol') && !hidden(mark) && (rect.left < frame.left - 2 ||
      rect.right > frame.right + 2 || rect.top < frame.top - 2 || rect.bottom > frame.bottom + 2))
    problems.push('a mark outside its figure: ' + short(mark.closest('.figure')));
}
boxes.sort((a, b) => a.top - b.top);
for (let i = 0; i < boxes.length; i++)
  for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom; j++)
    if (boxes[i].node !== boxes[j].node && boxes[i].left < boxes[j].right &&
        boxes[j].left < boxes[i].right)
      problems.push(`overlapping: "${boxes[i].text}" and "${boxes[j].text}"`);
for (const cell of document.querySelectorAll('th, td')) {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const box = range.getBoundingClientRect();
  if (!hidden(cell) && box.width < 60 && box.height > 80) problems.push('squeezed: ' + short(cell));
}
for (const element of document.body.querySelectorAll('*')) {
  const style = getComputedStyle(element);
  if (!hidden(element) && !element.closest('svg, .scroller') && style.overflowX !== 'visible' &&
      element.scrollWidth > element.clientWidth + 1) problems.push('cut off: ' + short(element));
}
return problems.slice(0, 10);
"""

#: Where every element stands and what it looks like, the same for a page alone and in a frame; and
#: everything that the contrast of a text depends on but its size.
LOOKS = r"""
const elements = [...document.querySelectorAll('body, body *')];
return [
  elements.map(element => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    return [element.tagName, box.x + scrollX, box.y + scrollY, box.width, box.height,
            style.fontSize].join(' ');
  }).join('\n'),
  elements.map(element => {
    const style = getComputedStyle(element);
    return [style.color, style.backgroundColor, style.fill, style.stroke, style.opacity,
            style.clipPath, element.checkVisibility()].join(' ');
  }).join('\n'),
];
"""

#: Finds what is wider than the paper, figures higher than a page, and dark ground.
PAPER = r"""
const problems = [], page = arguments[0], paper = document.documentElement.clientWidth;
const short = e => (e.closest('section') || e).id + ' ' + e.tagName;
for (const element of document.querySelectorAll('table, .figure, p, dl, h1')) {
  const box = element.getBoundingClientRect();
  if (box.right > paper + 1) problems.push('wider than the paper: ' + short(element));
  if (element.matches('.figure') && box.height > page)
    problems.push('higher than a page: ' + short(element));
}
for (const element of document.querySelectorAll('body, body *')) {
  const [red, green, blue, alpha = 1] = getComputedStyle(element).backgroundColor
    .match(/[\d.]+/g).map(Number);
  if (alpha > 0 && .2126 * red + .7152 * green + .0722 * blue < 128)
    problems.push('dark ground: ' + short(element));
}
return problems.slice(0, 10);
"""


def missing() -> str:
    """Return why there is no browser to test with, or an empty string."""
    for path in (CHROMIUM, DRIVER):
        if shutil.which(path) is None:
            return f"no {path} on this machine (Debian: apt install chromium chromium-driver)"
    return ""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a Chromium with a profile of its own; quit it and forget the profile afterwards."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    profile = tempfile.mkdtemp(prefix="deadheat-chromium-")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def show(driver: Any, page: Path, width: int, scheme: str, height: int = 900) -> None:
    """Open a page in a window of this width and colour scheme."""
    look(driver, width, scheme, height)
    driver.get(page.as_uri())


def look(driver: Any, width: int, scheme: str, height: int = 900) -> None:
    """Give the window this width and colour scheme, and wait for the page or frame to follow."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme_feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme_feature]})
    # A sandboxed frame has a process of its own, which learns of it a moment later.
    follows = "return innerWidth === arguments[0] && matchMedia(arguments[1]).matches"
    deadline = time.monotonic() + 10
    while not driver.execute_script(follows, width, f"(prefers-color-scheme: {scheme})"):
        assert time.monotonic() < deadline, f"the page did not become {width} px wide and {scheme}"
        time.sleep(0.02)


def unfold(driver: Any) -> None:
    """Open every fold of the page."""
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true;")


def axe(driver: Any, *, contrast: bool = True) -> list[str]:
    """Return axe-core's violations of WCAG 2.2 A and AA on the page that is open.

    Contrast takes most of the time, and is left out on request.
    """
    import axe_selenium_python

    if not driver.execute_script("return 'axe' in window"):
        folder = Path(axe_selenium_python.__file__).parent
        (script,) = folder.glob("node_modules/axe-core/axe.min.js")
        driver.execute_script(script.read_text(encoding="utf-8"))
        driver.set_script_timeout(120)
    found = driver.execute_async_script(
        """
        const done = arguments[arguments.length - 1];
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
        const rules = {'color-contrast': {enabled: arguments[0]}};
        const options = {runOnly: {type: 'tag', values: tags}, rules, resultTypes: ['violations']};
        axe.run(document, options)
          .then(r => done(r.violations), e => done([{id: 'axe', nodes: [{html: String(e)}]}]));
        """,
        contrast,
    )
    return [
        f"{violation['id']}: {node.get('failureSummary', '')} {node['html'][:200]}"
        for violation in found
        for node in violation["nodes"][:3]
    ]
