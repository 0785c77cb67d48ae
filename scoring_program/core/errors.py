"""The errors that users see, in two families, and a collector for all problems of a file.

`commands.boundary` turns errors into a message and an exit status.
"""

from __future__ import annotations

import difflib
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath

from .cells import grouped
from .legible import visible, with_code_points
from .phrases import EXAMPLES_SHOWN, Phrase, Value, counted, gettext_noop, joined, verbatim
from .version import __version__

#: The number of examples of a problem that every row has, and the fewest rows that make it one.
ENOUGH = 2
SEVERAL = 4
#: The share of letters that two words have in common if one may be meant by the other.
_CLOSE = 0.51


#: What stands above the reason why an upload fails, in the log and on its page.
NOT_SCORED = gettext_noop("The submission cannot be scored:")


class DeadheatError(Exception):
    """Base of all errors with a message for users; ``exit_status`` is what the command returns."""

    exit_status = 3

    @property
    def reason(self) -> Phrase:
        """The message; unlike str(error), it can be written in other languages."""
        return verbatim(self.args[0])


class OrganizerError(DeadheatError, ValueError):
    """The reference data, the settings or the usage are wrong; the organizer has to fix them."""

    exit_status = 2


class SettingsError(OrganizerError):
    """A setting is unknown, has the wrong type or does not apply."""


class ArgumentError(OrganizerError, TypeError):
    """A call in Python has an argument that does not exist."""


class ReferenceDataError(OrganizerError):
    """The reference data are missing, ambiguous or malformed."""


class MetricError(OrganizerError):
    """A metric cannot be computed as the settings ask for it; a phrase, or one with ``values``."""

    def __init__(self, sentence: str, **values: Value) -> None:
        super().__init__(Phrase(sentence, context="", **values) if values else sentence)


class SubmissionError(DeadheatError, ValueError):
    """A submission is unusable; the message is for the participant, who has to fix it.

    ``place`` is the file, with the names of its team and task. ``defect`` holds no name, so it can
    be shown even if teams are anonymous. It is a phrase, or a sentence with ``values``.
    """

    exit_status = 1

    def __init__(self, sentence: str, place: str = "", /, **values: Value) -> None:
        defect = (
            sentence if isinstance(sentence, Phrase) else Phrase(sentence, context="", **values)
        )
        text = Phrase("{place}: {defect}", place=place, defect=defect) if place else defect
        super().__init__(text)
        self.defect = defect
        self.place = place


class InternalError(DeadheatError):
    """An unexpected error while one upload was handled: nobody's but this program's.

    Its number stands for the type and the place, so all reports of one bug have the same number.
    """

    sentence = gettext_noop(
        "internal error {number} ({place}): this is a bug in Deadheat {version}, not an error in "
        "the file; organizers: please report the number"
    )


@dataclass(frozen=True)
class LeftOut:
    """An upload that is not compared, and the reason in words for its author (several lines)."""

    name: str
    reason: Phrase

    @property
    def named(self) -> Phrase:
        """The reason after the name, for the terminal."""
        return Phrase("[{name}] {reason}", name=self.name, reason=self.reason)


def by_reason(left: Iterable[LeftOut]) -> dict[Phrase, tuple[str, ...]]:
    """Return reason → the names of the uploads that were left aside for it."""
    names = grouped((item.reason, item.name) for item in left)
    return {reason: tuple(uploads) for reason, uploads in names.items()}


class Stopped(BaseException):
    """SIGTERM asked the run to end; only commands catch this."""


@dataclass
class Problems:
    """Collects every problem of one file, so that all of them are reported together."""

    file: str
    rows: int = 0  # of the file; 0 if unknown
    examples: dict[Phrase, dict[str, Phrase]] = field(default_factory=dict)
    alike: dict[Phrase, Counter[str]] = field(default_factory=dict)
    counts: dict[Phrase, int] = field(default_factory=dict)
    remedies: dict[Phrase, Phrase] = field(default_factory=dict)
    without_row: set[Phrase] = field(default_factory=set)

    def add(
        self,
        kind: Phrase,
        detail: str | Callable[[], Phrase],
        remedy: Phrase | None = None,
        *,
        like: str = "",
        has_row: bool = True,
        hint: Callable[[], Phrase | None] | None = None,
        **values: Value | Callable[[], Value],
    ) -> None:
        """Count a problem under its kind and keep the first ``EXAMPLES_SHOWN`` as examples.

        Of problems with the same ``like``, such as one unknown label, the first is the example.

        The kind is a noun for `counted`, such as ``Phrase("unknown label", "unknown labels")``. The
        detail is a phrase, or a sentence with ``values``. Every row may have the problem, so a
        detail, or a value, may be a function, which is called only if the example is shown. The
        remedy of a kind is told once, below all problems; a ``hint`` stands behind its own example.
        ``has_row`` is False for what no row holds.
        """
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if remedy is not None:
            self.remedies[kind] = remedy
        if not has_row:
            self.without_row.add(kind)
        examples = self.examples.setdefault(kind, {})
        key = like or str(self.counts[kind])
        if key not in examples and len(examples) < EXAMPLES_SHOWN:
            sentence = detail() if callable(detail) else detail
            fillings = {name: item() if callable(item) else item for name, item in values.items()}
            if isinstance(sentence, Phrase):
                text = sentence
            else:
                text = Phrase(sentence, context="", **fillings)
            advice = hint() if hint is not None else None
            examples[key] = joined([text, advice], "; ") if advice else text
        if key in examples:
            self.alike.setdefault(kind, Counter())[key] += 1

    def raise_if_any(self, remedy: Phrase) -> None:
        """Raise one `SubmissionError` that lists every kind of problem, examples and the remedy."""
        if not self.counts:
            return
        lines: list[Phrase] = []
        for kind, count in self.counts.items():
            enough = self.rows > 0 and count >= max(self.rows, SEVERAL)
            everywhere = enough and kind not in self.without_row
            keys = list(self.examples[kind])[: ENOUGH if everywhere else EXAMPLES_SHOWN]
            problem = counted(count, kind)
            if everywhere:
                problem = Phrase("{problem}, on every row", problem=problem)
            lines.append(Phrase("{file}: {problem}", file=self.file, problem=problem))
            for key in keys:
                detail = self.examples[kind][key]
                more = self.alike[kind][key] - 1
                lines.append(
                    Phrase("  - {detail} (and {more} more like it)", detail=detail, more=more)
                    if more
                    else Phrase("  - {detail}", detail=detail)
                )
            told = sum(self.alike[kind][key] for key in keys)
            if count > told:
                lines.append(Phrase("  - … and {more} more", more=count - told))
        raise SubmissionError(joined([*lines, *dict.fromkeys([*self.remedies.values(), remedy])]))


def internal(error: BaseException, version: str) -> DeadheatError:
    """Return an error with a message that explains an unexpected error."""
    return DeadheatError(
        f"Internal error ({outline(error)}): this is a bug in Deadheat {version}, not an error in "
        "the input."
    )


def internal_of_upload(error: Exception) -> InternalError:
    """Return the error of one upload that stands for an unexpected error.

    Raises
    ------
    Exception
        The error itself, if it is no fault of the program in handling this upload: one with a
        message of its own, the machine's, or memory that the run lacks.
    """
    if isinstance(error, InternalError):
        return error
    if isinstance(error, (DeadheatError, OSError, MemoryError, ImportError)):
        raise error
    place = outline(error)
    number = zlib.crc32(f"{__version__} {place}".encode()) % 100_000
    values = {"number": f"{number:05}", "place": place, "version": __version__}
    return InternalError(Phrase(InternalError.sentence, **values))


def outline(error: BaseException, file: str | None = None) -> str:
    """Return an exception's type and place: "ValueError in my_metric.py, line 12".

    Its text is left out, because it comes from other code and may hold a gold value; only a module
    that is not installed is named. ``file`` selects the innermost place within that file; if there
    is none, no line of the file has run.
    """
    where = _place(error, file)
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{where} (the module {quoted(error.name)} is not installed)"
    return where


def _place(error: BaseException, file: str | None) -> str:
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename is not None:
        reason = f" ({error.msg})" if error.filename == file else ""  # says nothing about data
        return f"{kind} in {PurePath(error.filename).name}, line {error.lineno}{reason}"
    places = list(traceback.extract_tb(error.__traceback__))
    if not places:
        return kind
    if file is None:
        place = places[-1]
    elif inside := [place for place in places if place.filename == file]:
        place = inside[-1]
    else:
        return f"{kind} before the first line of {PurePath(file).name}"
    return f"{kind} in {PurePath(place.filename).name}, line {place.lineno}"


def listed(names: Iterable[object], most: int = EXAMPLES_SHOWN) -> Phrase:
    """Return at most ``most`` names, separated by commas, and the number of the others."""
    texts = list(map(str, names))
    more = len(texts) - most
    first = ", ".join(texts[:most])
    if more <= 0:
        return verbatim(first)
    return Phrase("{first}, … and {more} more", first=first, more=more)


def quoted(text: str) -> str:
    """Return a text in quotes, cut to 40 characters, with all of them visible.

    Of a word with letters of two scripts, which look alike, it shows the code points.
    """
    return visible(repr(with_code_points(text if len(text) <= 40 else text[:39] + "…")))


def nearest(word: str, vocabulary: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest known word, or an empty string.

    If none is close, it is the first one that begins with the word: "f1" means f1_score.
    """
    words = {name.casefold(): name for name in vocabulary}
    folded = word.casefold()
    matches = difflib.get_close_matches(folded, words, n=1, cutoff=_CLOSE)
    if not matches and folded:
        matches = [name for name in words if name.startswith(folded)]
    return f"; did you mean {words[matches[0]]!r}?" if matches else ""


def cut(text: str, most: int) -> str:
    """Return at most ``most`` characters of a text, and the number of the others."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"
