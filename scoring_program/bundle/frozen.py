"""The Reading in a bundle: what files mean is decided here, and stated in the settings it packs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..data.freezing_readings import frozen_settings
from ..data.source import readings_of_reference
from ..reading.formats import FORMATS, KINDS
from ..reading.formats.kind import ROWS
from ..recognize.expected import Expected, SentColumns, SentPrediction, Target
from .rehearsal import unpack

#: Kind of prediction → what its column holds; labels and numbers need no word.
_SCORES = ("scores", "probabilities")
#: Formats without names → what a file of each is.
_FORMS = {
    "lines": "a line for each example",
    "matrix": "a line of zeros and ones for each example",
}


def stated_settings(reference: bytes, uploads: Sequence[bytes]) -> dict[str, Any]:
    """Return the keys of scoring.yaml that state what packed reference data and uploads mean.

    The platform then recognizes nothing. There are none of what a reader of the organizer reads,
    nor of tasks whose files have different columns, because one statement is for all.

    Raises
    ------
    OrganizerError
        Gold or settings are wrong; or what the gold means is an open question.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as name:
        folder = Path(name)
        unpack(reference, folder / "ref")
        folders = []
        for number, upload in enumerate(uploads):
            folders.append(folder / f"res_{number}")
            unpack(upload, folders[-1])
        readings, settings = readings_of_reference(folder / "ref", folders)
        return frozen_settings(readings, settings, alike_only=True)


def asked_for(tasks: Mapping[str, Expected]) -> list[str]:
    """Return what participants are asked to send: names of columns, without reasons."""
    sentences = []
    for task, expected in tasks.items():
        if expected.sent is None:
            continue
        sent = expected.sent
        described = _format_of(sent) if sent.form else _columns(sent)
        if expected.kind in KINDS and KINDS[expected.kind].lists_ids and not sent.form:
            described = f"ids under the key {described}"
        sentence = f"{task}: {described}" if len(tasks) > 1 else described
        is_of_rows = expected.kind == ROWS
        if not sent.ids and (is_of_rows or expected.ids is None):
            sentence += ", in the order of the test set"
        if not (sent.header or sent.form):
            sentence += ", without a header"
        sentences.append(f"{sentence}.")
    return list(dict.fromkeys(sentences))


def _format_of(sent: SentColumns) -> str:
    """Return what a file is whose format says which column is which."""
    if sent.form in _FORMS:
        return _FORMS[sent.form]
    numbers = f", whose third column holds each {sent.holds}" if sent.holds else ""
    return f"a file in the format {FORMATS[sent.form].label}{numbers}"


def _columns(sent: SentColumns) -> str:
    """Return the columns; where it needs saying, what they hold."""
    names = [_called(name) for name in (*sent.ids, *sent.beside)]
    meanings = []
    for target, prediction in sent.predictions.items():
        columns = [_called(name) for name in prediction.columns.values()]
        names.extend(columns)
        if meaning := _meaning(target, prediction):
            meanings.append((_all_of(columns), meaning))
    every = _all_of(dict.fromkeys(names))
    if not meanings:
        return every
    if len(sent.predictions) == 1:
        return f"{every}: {meanings[0][1]}"
    details = [f"{name} is {meaning}" for name, meaning in dict(meanings).items()]
    return f"{every}: {'; '.join(details)}"


def _all_of(columns: Iterable[str]) -> str:
    """Return columns as a sentence lists them: `id`, `a` and `b`."""
    *first, last = columns
    return f"{', '.join(first)} and {last}" if first else last


def _called(name: str | int) -> str:
    return f"column {name}" if isinstance(name, int) else f"`{name}`"


def _meaning(target: Target, prediction: SentPrediction) -> str:
    if "" not in prediction.columns:
        return "the probability of each class" if target.kind in _SCORES else ""
    if target.kind not in _SCORES or prediction.positive is None:
        return ""
    what = "score" if target.kind == "scores" else "probability"
    return f"the {what} of *{prediction.positive}*"
