"""MkDocs' hooks: the pages and parts of pages that are not written by hand below docs/.

Six things happen while the site is built. Texts of the repository's root (README, SECURITY, …)
become pages. The notebook is run and becomes a page. A comment such as
``<!-- generated: settings -->`` becomes a table read from the program. Formulas become MathML,
which browsers draw without a script. The gallery is made by running the program, and the home page
shows one of its pages, live.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))  # mkdocs is a program of its own and does not look here

from docs.generate import gallery, notebook, reference, simulations, size  # noqa: E402

#: Page of the site → the file of the root that it shows.
ROOT_PAGES = {
    "index.md": "README.md",
    "security.md": "SECURITY.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
#: Files of the root that stay as they are.
ROOT_FILES = ("CITATION.cff",)
#: The picture of the page on the home page, and what the site shows in its place: the page itself.
_PICTURE = re.compile(r"!\[[^]]*\]\(images/detailed_results\.png\)")
_LIVE = """<iframe class="result" src="gallery/example.html" title="The example"></iframe>

[Open this page](gallery/example.html), or see [more of them](gallery.md)."""
#: The home page has the width of a page of results.
_WIDE = "---\nhide: [navigation, toc]\n---\n\n"
#: What a comment ``<!-- generated: NAME -->`` becomes.
PARTS: dict[str, Callable[[], str]] = {
    "settings": reference.settings,
    "metrics": reference.metrics,
    "commands": reference.commands,
    "kinds": reference.kinds,
    "gallery": gallery.overview,
    "simulations": simulations.simulations,
    "size": size.size,
}

#: A link from a page below docs/ to a file of the root, which is right in the repository.
_ROOT_LINK = re.compile(
    r"\]\((?P<up>(?:\.\./)*)\.\./(?P<file>" + "|".join(map(re.escape, ROOT_PAGES.values())) + ")"
)
_PART = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
#: What goes on in an item of a list; Python's Markdown wants four spaces.
_LIST = re.compile(r"^ {3}(?=\S)", re.MULTILINE)
_DISPLAYED = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"\$`([^`]+)`\$")
#: Stands for a formula until Markdown has become HTML; nobody writes these characters.
_PLACE = "\ue000{}\ue001"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that are not below docs/."""
    for page, source in ROOT_PAGES.items():
        wide = _WIDE if page == "index.md" else ""
        files.append(File.generated(config, page, content=wide + moved(read(source))))
    files.append(File.generated(config, "notebook.md", content=notebook.page()))
    for name, content in {**gallery.pages(), **{name: read(name) for name in ROOT_FILES}}.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put in the generated parts, follow links to the root, hide the formulas from Markdown."""
    formulas: list[str] = []

    def hidden(found: re.Match[str]) -> str:
        display = "block" if found.re is _DISPLAYED else "inline"
        formulas.append(convert(found[1].strip(), display=display))
        return _PLACE.format(len(formulas) - 1)

    if page.file.src_uri not in ROOT_PAGES:
        page_of = {source: name for name, source in ROOT_PAGES.items()}
        markdown = _ROOT_LINK.sub(
            lambda found: f"]({found['up']}{page_of[found['file']]}", markdown
        )
    if page.file.src_uri == "index.md":
        markdown = _PICTURE.sub(_LIVE, markdown)
    markdown = _PART.sub(lambda found: PARTS[found[1]](), markdown)
    markdown = _INLINE.sub(hidden, _DISPLAYED.sub(hidden, markdown))
    page.meta["formulas"] = formulas
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the formulas in."""
    for number, formula in enumerate(page.meta["formulas"]):
        html = html.replace(_PLACE.format(number), formula)
    return html


def read(name: str) -> str:
    """Return a text of the repository's root."""
    return (REPOSITORY / name).read_text(encoding="utf-8")


def moved(text: str) -> str:
    """Return a text of the root as it has to be among the pages of docs/: its links, its lists."""
    site = {source: page for page, source in ROOT_PAGES.items()}

    def relinked(found: re.Match[str]) -> str:
        return f"]({site.get(found[1], found[1].removeprefix('docs/'))}"

    return _LIST.sub("    ", _LINK.sub(relinked, text))
