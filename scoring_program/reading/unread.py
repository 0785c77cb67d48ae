"""What people send instead of predictions, by extension, and what to send."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.phrases import Phrase, joined
from .files import DataFile
from .formats import EXTENSIONS

_ARCHIVES = frozenset(
    (".rar", ".7z", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".zst")
)
_REMEDIES = {
    _ARCHIVES: Phrase(
        "the only archives that can be read are .zip files: send a .zip, or the file itself"
    ),
    frozenset((".xlsx", ".xls", ".ods", ".numbers")): Phrase(
        "a spreadsheet cannot be read: save the sheet as CSV"
    ),
    frozenset((".parquet", ".feather", ".arrow", ".mat", ".rds")): Phrase(
        "save the predictions as CSV"
    ),
    frozenset(
        (".py", ".ipynb", ".r", ".rmd", ".jl", ".java", ".c", ".cpp", ".js", ".sh", ".m")
    ): Phrase("this is program code: run it, and send the predictions that it writes"),
    frozenset(
        (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".h5", ".keras", ".ckpt", ".safetensors",
         ".onnx", ".bin", ".model")
    ): Phrase("a model cannot be scored: send the predictions that it makes for the test set"),
    frozenset((".pdf", ".doc", ".docx", ".odt", ".md", ".html", ".png", ".jpg")): Phrase(
        "a document cannot be scored: send the predictions"
    ),
}  # fmt: skip
#: Files at the top that may hold a team's predictions, but cannot be read.
UNREAD = _ARCHIVES | {".xlsx", ".xls", ".ods", ".parquet", ".pkl", ".pickle"}


def remedy(found: Sequence[DataFile]) -> Phrase:
    """Return which files can be read, and what to do instead of sending these, for a message."""
    extensions = {file.path.suffix.lower() for file in found}
    remedies = [text for unread, text in _REMEDIES.items() if extensions & unread]
    expected = Phrase("expected one of {extensions}", extensions=", ".join(EXTENSIONS))
    return joined([expected, *remedies], "; ")
