"""What competition.yaml may hold: every key that Codabench reads, and the type of its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from uuid import UUID

from ..core.errors import nearest
from ..settings.metric_spec import LONGEST_KEY

#: Key, of a task and at the top, whose content is for this program only.
DEADHEAT_KEY = "deadheat"
#: The versions of Python for which a bundle can carry everything.
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


@dataclass(frozen=True)
class ValueKind:
    """A kind of single value: its name, a test for it, and the longest text allowed."""

    name: str
    fits: Callable[[object], bool]
    longest: int | None = None


@dataclass(frozen=True)
class Items:
    """A list of values of one shape; it holds at least one unless it ``may_be_empty``."""

    of: ValueKind | Keys
    may_be_empty: bool = False


@dataclass(frozen=True)
class Keys:
    """A mapping: required and optional keys, and the shapes of their values."""

    required: Mapping[str, ValueKind | Items] = field(default_factory=dict)
    optional: Mapping[str, ValueKind | Items | Keys] = field(default_factory=dict)


def misfits(value: object, shape: ValueKind | Items | Keys, place: str = "") -> Iterator[str]:
    """Say which values inside ``value`` are missing or do not fit ``shape``.

    A key without a value (null) counts as missing.
    """
    if isinstance(shape, Keys):
        yield from _of_mapping(value, shape, place)
    elif isinstance(shape, ValueKind):
        if not shape.fits(value):
            yield f"{place}expected {shape.name}; found {_shown(value)}{_hint(value, shape)}"
        elif shape.longest is not None and len(str(value)) > shape.longest:
            length = len(str(value))
            yield f"{place}{length} characters, but the platform stores at most {shape.longest}"
    elif not isinstance(value, list):
        yield f"{place}expected a list, one line '- …' per item; found {_shown(value)}"
    elif not value and not shape.may_be_empty:
        yield f"{place}expected at least one item"
    else:
        for i, item in enumerate(value):
            yield from misfits(item, shape.of, f"{place.removesuffix(': ')}[{i}]: ")


def _of_mapping(value: object, shape: Keys, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}expected lines of the form 'key: value'; found {_shown(value)}"
        return
    known = {**shape.required, **shape.optional}
    for key, inner in shape.required.items():
        if _blank(value.get(key)):
            said = f"; expected {inner.name}" if isinstance(inner, ValueKind) else ""
            yield f"{place}{key}: is missing{said}"
    for key, item in value.items():
        if key not in known:
            yield f"{place}unknown key {_shown(key)}{nearest(str(key), known)}"
        elif item is not None and not (_blank(item) and key in shape.required):
            yield from misfits(item, known[key], f"{place}{key}: ")


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    text = str(value) if isinstance(value, date) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _hint(value: object, shape: ValueKind) -> str:
    plain = isinstance(value, (bool, int, float, date))
    texts = (TEXT.name, PATH.name, PYTHON.name)
    return "; put it in quotes" if plain and shape.name in texts else ""


#: A date in competition.yaml that depends on the day on which the competition starts.
_DAYS = re.compile(r"\+(\d{1,4}) days?")


def moment(value: object, first: date = date.min) -> datetime | None:
    """Return a date or a time of competition.yaml in UTC, the time zone of both platforms.

    ``+90 days`` counts from the day ``first``. None if ``value`` is neither a date nor a time.
    """
    if isinstance(value, str):
        if days := _DAYS.fullmatch(value):
            return datetime.combine(first, time()) + timedelta(days=int(days[1]))
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        return (value.astimezone(timezone.utc) if value.tzinfo else value).replace(tzinfo=None)
    return datetime.combine(value, time()) if isinstance(value, date) else None


def _whole(name: str) -> ValueKind:
    # The platform stores 31 bits.
    return ValueKind(name, lambda value: type(value) is int and 0 <= value < 2**31)


def _one_of(*words: str) -> ValueKind:
    listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return ValueKind(listed, lambda value: isinstance(value, str) and value in words)


def _text(name: str, longest: int | None = None) -> ValueKind:
    return ValueKind(name, lambda value: isinstance(value, str) and bool(value.strip()), longest)


def _up_to(longest: int) -> ValueKind:
    return _text("a text", longest)


#: What the platform accepts as an email address: no display name, no quotes, a domain with a dot.
_ADDRESS = re.compile(
    r"""[-!#$%&'*+/=?^_`{}|~\w]+ (\.[-!#$%&'*+/=?^_`{}|~\w]+)*
        @ ([a-z0-9] ([a-z0-9-]{0,61} [a-z0-9])? \.)+ [a-z] [a-z-]{0,61} [a-z]""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def _is_address(value: object) -> bool:
    return isinstance(value, str) and _ADDRESS.fullmatch(value.strip()) is not None


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


_QUESTION_KEYS = {"key", "type", "title", "selection", "is_required", "is_on_leaderboard"}


def _are_questions(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(question, dict)
        and question.keys() == _QUESTION_KEYS
        and question["key"] == key
        and question["type"] in ("checkbox", "text", "select")
        for key, question in value.items()
    )


TEXT = _text("a text")
PATH = _text("the path of a file or folder")
NAME = _up_to(256)
FLAG = ValueKind("true or false", lambda value: isinstance(value, bool))
INDEX = _whole("a whole number")
#: 0 stands for the platform's default, or for no limit.
NUMBER = _whole("a whole number, at least 0")
DATE = ValueKind("a date such as 2026-01-31, or +90 days", lambda value: moment(value) is not None)
MAPPING = ValueKind("lines of the form 'key: value'", lambda value: isinstance(value, dict))
INDEXES = Items(INDEX)
PYTHON = _one_of(*PYTHONS)

_COLUMN = Keys(
    {
        "index": INDEX,
        "key": _up_to(LONGEST_KEY),
        "title": _up_to(36),
        "sorting": _one_of("asc", "desc"),
        "precision": _whole("the number of decimals"),
    },
    {
        "hidden": FLAG,
        "computation": _one_of("avg", "sum", "min", "max"),
        "computation_indexes": INDEXES,
    },
)
_LEADERBOARD = Keys(
    {"key": _up_to(36), "title": _up_to(64), "columns": Items(_COLUMN)},
    {
        "submission_rule": _one_of(
            "Add", "Add_And_Delete", "Add_And_Delete_Multiple",
            "Force_Last", "Force_Latest_Multiple", "Force_Best",
        ),
        "hidden": FLAG,
    },
)  # fmt: skip
_PHASE = Keys(
    {"index": INDEX, "name": NAME, "start": DATE, "tasks": INDEXES},
    {
        "description": TEXT,
        "end": DATE,
        "max_submissions": NUMBER,
        "max_submissions_per_day": NUMBER,
        "execution_time_limit": NUMBER,
        "auto_migrate_to_this_phase": FLAG,
        "hide_output": FLAG,
        "hide_prediction_output": FLAG,
        "hide_score_output": FLAG,
        "accepts_only_result_submissions": FLAG,
        "starting_kit": PATH,
        "public_data": PATH,
    },
)
_TASK = Keys(
    {"index": INDEX, "name": NAME, "scoring_program": TEXT, "reference_data": PATH},
    {
        "description": TEXT,
        "input_data": PATH,
        "ingestion_program": PATH,
        "ingestion_only_during_scoring": FLAG,
        DEADHEAT_KEY: Keys(
            optional={"field": PATH, "rehearsal": PATH, "settings": MAPPING, "gold": FLAG}
        ),
    },
)
_SOLUTION = Keys(
    {"index": INDEX, "tasks": INDEXES, "path": PATH}, {"name": NAME, "description": TEXT}
)
COMPETITION = Keys(
    {
        "version": INDEX,
        # The platform stores it after "USER - competition_bundle - " in 255 characters. The user's
        # name may take 50 of them. A longer title fails only after everything else is done.
        "title": _up_to(255 - 50 - len(" - competition_bundle - ")),
        "image": PATH,
        "terms": PATH,
        "docker_image": TEXT,
        "enable_detailed_results": FLAG,
        "pages": Items(Keys({"title": _up_to(255), "file": PATH})),
        "tasks": Items(_TASK),
        "phases": Items(_PHASE),
        "leaderboards": Items(_LEADERBOARD),
    },
    {
        "description": TEXT,
        DEADHEAT_KEY: Keys({"python": PYTHON, "image_holds": _one_of("nothing")}),
        "solutions": Items(_SOLUTION, may_be_empty=True),
        "registration_auto_approve": FLAG,
        "show_detailed_results_in_submission_panel": FLAG,
        "show_detailed_results_in_leaderboard": FLAG,
        "auto_run_submissions": FLAG,
        "can_participants_make_submissions_public": FLAG,
        "make_programs_available": FLAG,
        "make_input_data_available": FLAG,
        "forum_enabled": FLAG,
        "competition_type": _one_of("competition", "benchmark"),
        "contact_email": ValueKind("an address such as name@example.org", _is_address, 256),
        "reward": NAME,
        "queue": ValueKind("the queue's Vhost, a UUID", _is_uuid),
        "fact_sheet": ValueKind(
            f"questions by their keys, each with {', '.join(sorted(_QUESTION_KEYS))}",
            _are_questions,
        ),
    },
)
