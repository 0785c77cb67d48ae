"""Put the address of the repository into what a release is built from.

    python publish/release.py ADDRESS TAG
    python publish/release.py ADDRESS TAG --recipe dist/deadheat-X.tar.gz

The repository does not state where it is hosted, because clones and forks are elsewhere. Before the
distributions are built, the first form writes the address into the metadata and CITATION.cff, and
makes the links of README, which the package index shows, absolute. Afterwards the second one gives
conda's recipe the archive, its hash, the address and its maintainer, the owner of the repository.
Both change the checkout of the release workflow; nothing of it is committed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Links and pictures that lead to a file of the repository.
_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<path>[^)\s]+)\)")
#: The line of setup.cfg after which the addresses go.
_LAST = "license_files = LICENSE\n"
_INDEX = "https://pypi.org/packages/source/d/deadheat"


def main() -> None:
    """Read the command line and change the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="of the repository, such as https://github.com/OWNER/NAME")
    parser.add_argument("tag", help="v and the version")
    parser.add_argument("--recipe", type=Path, metavar="ARCHIVE", help="the source distribution")
    options = parser.parse_args()
    version = runpy.run_path(str(ROOT / "scoring_program" / "core" / "version.py"))["__version__"]
    if options.tag != f"v{version}":
        parser.error(f"the tag is {options.tag}, and the version is {version}")
    if options.recipe is None:
        _change("setup.cfg", _LAST, _LAST + _metadata(options.address))
        _change("CITATION.cff", "\nlicense:", f"\nrepository-code: {options.address}\nlicense:")
        readme = ROOT / "README.md"
        text = absolute(readme.read_text(encoding="utf-8"), options.address, options.tag)
        readme.write_text(text, encoding="utf-8")
    else:
        digest = hashlib.sha256(options.recipe.read_bytes()).hexdigest()
        source = f"url: {_INDEX}/{options.recipe.name}\n  sha256: {digest}"
        _change("publish/conda/meta.yaml", "path: ../..", source)
        owner = options.address.split("/")[-2]
        about = f"\nabout:\n  home: {options.address}"
        _change("publish/conda/meta.yaml", "\nabout:", about)
        with (ROOT / "publish" / "conda" / "meta.yaml").open("a", encoding="utf-8") as recipe:
            recipe.write(f"\nextra:\n  recipe-maintainers:\n    - {owner}\n")


def absolute(text: str, address: str, tag: str) -> str:
    """Return a text in Markdown whose links to files lead to those of a tag."""

    def moved(found: re.Match[str]) -> str:
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}[{found['text']}]({address}/{kind}/{tag}/{found['path']})"

    return _LINK.sub(moved, text)


def _metadata(address: str) -> str:
    return (
        f"url = {address}\n"
        "project_urls =\n"
        f"    Documentation = {address}/tree/HEAD/docs\n"
        f"    Changelog = {address}/blob/HEAD/CHANGELOG.md\n"
        f"    Issues = {address}/issues\n"
    )


def _change(name: str, old: str, new: str) -> None:
    """Replace the one place of a file; raises ValueError if there is none or more."""
    path = ROOT / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{name} holds {text.count(old)} times: {old}")
    path.write_text(text.replace(old, new), encoding="utf-8")


if __name__ == "__main__":
    main()
