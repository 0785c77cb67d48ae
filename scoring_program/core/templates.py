"""Finds the templates and the catalogs of the languages, and makes templates ready to use."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .legible import legible

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment

_PACKAGE = Path(__file__).resolve().parents[1]
#: Folder of the templates that holds them as Python modules, which whoever packs the program adds.
COMPILED = "compiled"
#: File in it: the version of Jinja2 that made them, which no other version can use.
MADE_BY = "made_by.txt"


def templates_folder() -> Path:
    """Return the folder: inside the installed package, or next to it in the repository."""
    installed = _PACKAGE / "templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"


def environment() -> Environment:
    """Return the templates' environment: everything escaped, anything undefined an error.

    Templates that were compiled before are used if this version of Jinja2 would compile them so.
    """
    from jinja2 import ChoiceLoader, FileSystemLoader, ModuleLoader

    folder = templates_folder()
    source = FileSystemLoader(folder)
    made_by = folder / COMPILED / MADE_BY
    usable = made_by.is_file() and made_by.read_text(encoding="ascii") == _version()
    return _loading(ChoiceLoader([ModuleLoader(folder / COMPILED), source]) if usable else source)


def environment_of_texts() -> Environment:
    """Return an environment for files that are no pages, of which nothing is escaped."""
    return _loading(None, escaped=False)


def _loading(loader: BaseLoader | None, *, escaped: bool = True) -> Environment:
    from jinja2 import Environment, StrictUndefined

    return Environment(
        loader=loader,
        autoescape=escaped,
        finalize=_finalized if escaped else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def _finalized(value: Any) -> Any:
    """Return what a template writes: texts, which may be others', with every character visible."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return legible(value) if is_text else value


@cache
def compiled() -> Mapping[str, bytes]:
    """Return the files of `COMPILED`. Compiling in every run takes longer than reading the data."""
    from jinja2 import FileSystemLoader

    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        _loading(FileSystemLoader(templates_folder())).compile_templates(
            folder, zip=None, ignore_errors=False, filter_func=_is_of_a_page
        )
        modules = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return {**modules, MADE_BY: _version().encode()}


def _is_of_a_page(name: str) -> bool:
    return name.endswith(".j2") and "/" not in name


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("jinja2")
    except metadata.PackageNotFoundError:  # an image may hold a package without its metadata
        return "unknown"
