"""What people send instead of predictions and beside them, by extension, and what to send."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from ..core.phrases import Phrase, joined
from .files import LAST_VERSION, DataFile
from .formats import EXTENSIONS

_ARCHIVES = frozenset(
    (".rar", ".7z", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".zst")
)
_SPREADSHEETS = frozenset((".xlsx", ".xls", ".xlsm", ".ods", ".numbers"))
_TABLES = frozenset((".mat", ".rds"))
_CODE = frozenset(
    (".py", ".ipynb", ".r", ".rmd", ".jl", ".java", ".c", ".cc", ".cpp", ".h", ".js", ".ts", ".sh",
     ".bat", ".ps1", ".m", ".go", ".rs", ".rb", ".pl", ".scala", ".sql", ".yaml", ".yml", ".toml",
     ".ini", ".cfg", ".css")
)  # fmt: skip
_MODELS = frozenset(
    (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".h5", ".keras", ".ckpt", ".safetensors",
     ".onnx", ".bin", ".model")
)  # fmt: skip
_DOCUMENTS = frozenset(
    (".pdf", ".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".odp", ".key", ".md", ".html",
     ".htm", ".tex", ".bib", ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp",
     ".svg", ".eps", ".ico", ".mp3", ".mp4", ".wav", ".webm")
)  # fmt: skip
_REMEDIES = {
    _ARCHIVES: Phrase(
        "the only archives that can be read are .zip files: send a .zip, or the file itself"
    ),
    _SPREADSHEETS: Phrase("a spreadsheet cannot be read: save the sheet as CSV"),
    _TABLES: Phrase("save the predictions as CSV"),
    _CODE: Phrase("this is program code: run it, and send the predictions that it writes"),
    _MODELS: Phrase(
        "a model cannot be scored: send the predictions that it makes for the test set"
    ),
    _DOCUMENTS: Phrase("a document cannot be scored: send the predictions"),
}
#: Files at the top that may hold a team's predictions, but cannot be read.
UNREAD = _ARCHIVES | _SPREADSHEETS | _TABLES | _MODELS
_CHECKSUMS = frozenset((".md5", ".sha1", ".sha256", ".sig", ".asc"))


def is_companion(name: str) -> bool:
    """Whether a file of this name lies beside submissions and is none: a copy, a picture, code."""
    other = PurePosixPath(name).suffix.lower() in _CODE | _DOCUMENTS | _CHECKSUMS
    return other or LAST_VERSION.fullmatch(name) is not None


def may_be_predictions(file: DataFile) -> bool:
    """Whether a file may be a submission although its name does not say so: ``team.dat``."""
    if file.is_data or file.is_empty or file.lists_failures:
        return False
    return not (is_companion(file.path.name) or file.path.suffix.lower() in UNREAD)


def remedy(found: Sequence[DataFile]) -> Phrase:
    """Return which files can be read, and what to do instead of sending these, for a message."""
    extensions = {file.path.suffix.lower() for file in found}
    remedies = [text for unread, text in _REMEDIES.items() if extensions & unread]
    expected = Phrase("expected one of {extensions}", extensions=", ".join(EXTENSIONS))
    return joined([expected, *remedies], "; ")
