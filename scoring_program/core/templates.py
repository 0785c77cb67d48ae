"""Finds the templates and the catalogs of the languages."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def templates_folder() -> Path:
    """Return the folder: inside the installed package, or next to it in the repository."""
    installed = _PACKAGE / "templates"
    return installed if installed.is_dir() else _PACKAGE.parent / "templates"
