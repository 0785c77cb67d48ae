"""Own metrics: a function in a Python file beside the settings, or of an installed package.

The function is either plain, ``f(y_true, y_pred, **params)``, or Kaggle's ``score(solution,
submission, row_id_column_name, **params)`` on data frames. The file may state ``greater_is_better =
True`` and ``kind = "labels" | "scores" | "probabilities" | "numbers" | "text"``. Without a kind,
predictions are read as the gold is. A parameter ``sample_weight`` has its meaning in scikit-learn:
a row of weight w counts as w rows. The function is then called on far fewer rows.

A package adds a metric by an entry point of the group ``deadheat.metrics``, whose name is what the
settings write, and whose value is a plain function:

    [project.entry-points."deadheat.metrics"]
    hit_rate = "my_package.metrics:hit_rate"

Attributes of the function state facts about the metric. All of them are optional:

    hit_rate.greater_is_better = True  # else the settings must say so
    hit_rate.kind = "labels"           # "scores", "probabilities" or "numbers"; else as the gold is
    hit_rate.label = "hit rate"        # the short name for people; else the settings' name
    hit_rate.ideal, hit_rate.low, hit_rate.high = 1.0, 0.0, 1.0  # the best value and the bounds

A name of the registry cannot be taken. Entry points are looked up only for a metric that the
registry does not know; `core.entry_points` says where.
"""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import inspect
import math
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from ..core import entry_points
from ..core.errors import SettingsError, Stopped, nearest, outline
from . import kaggle_metric_utilities
from .kaggle_metric_utilities import ParticipantVisibleError
from .metric import STATED_KINDS, Kind

_REFERENCE = re.compile(r"(?P<file>[^:]+\.py):(?P<function>\w+)")
_KAGGLES_OWN = "kaggle_metric_utilities"
#: The parameter of Kaggle's metrics that names the column of the ids.
ROW_ID = "row_id_column_name"
_KAGGLE = ("solution", "submission", ROW_ID)


@dataclass(frozen=True)
class FileFunction:
    """An organizer's function by file and name. Every process that calls it loads it again."""

    path: str
    name: str
    parameters: tuple[str, ...]
    sha256: str  # of the file
    of_folders: bool = False  # whether it is a reader that gets whole folders

    @property
    def kaggle(self) -> bool:
        """Whether it has the signature of Kaggle's metrics."""
        return self.parameters[: len(_KAGGLE)] == _KAGGLE

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function.

        Raises ParticipantVisibleError if it fails because the submission lacks a column of the
        solution. Other errors of the function are passed on.
        """
        function = getattr(_module(self.path, self.sha256), self.name)
        # Read before the call, which may remove columns.
        columns_of_frames = [list(frame.columns) for frame in args[:2]] if self.kaggle else []
        try:
            return function(*args, **kwargs)
        except (KeyError, AttributeError) as error:
            # A column that the error names, if the solution has it and the submission has not.
            solution, submission = columns_of_frames or ([], [])
            lacking = (name for name in solution if name not in submission)
            if wanted := next((name for name in lacking if repr(name) in str(error)), None):
                listed = ", ".join(map(repr, submission))
                raise ParticipantVisibleError(
                    f"the submission has no column {wanted!r}; its columns are {listed}"
                ) from error
            raise


@dataclass(frozen=True)
class OwnFunction:
    """An organizer's or a package's function, with facts about it and its origin."""

    call: Callable[..., Any]
    greater_is_better: bool | None  # None if only the settings can say
    kind: Kind
    origin: str  # the file's hash, or the package and its version
    label: str | None = None
    ideal: float | None = None
    low: float = -math.inf
    high: float = math.inf
    silent: bool = True  # whether what it prints is dropped


def is_file(reference: str) -> bool:
    """Return whether a function's name in the settings names a file: ``my_metric.py:score``."""
    return _REFERENCE.fullmatch(reference) is not None


def file_of(reference: str) -> str | None:
    """Return the name of the file in which a function's name says it is; None if in none."""
    parts = _REFERENCE.fullmatch(reference)
    return None if parts is None else parts["file"]


def load(reference: str, folder: Path | None, metric: str) -> OwnFunction:
    """Load a metric's ``file.py:function`` from the folder of the settings; see `file_function`."""
    function, module = file_function(reference, folder, f"metric {metric!r}")
    default = "table" if function.kaggle else "gold"
    kind, better = facts(module, metric, Path(function.path).name, default)
    return OwnFunction(function, better, kind, f"sha256 {function.sha256[:12]}")


def file_function(reference: str, folder: Path | None, user: str) -> tuple[FileFunction, Any]:
    """Load ``file.py:function`` from the folder of the settings, and return it and its module.

    Messages begin with ``user``, which needs the function. Raises SettingsError if the file is
    missing, lies elsewhere, fails to run or lacks the function.
    """
    parts = _REFERENCE.fullmatch(reference)
    if parts is None:
        raise SettingsError(
            f"{user}: expected a file and its function, such as my_file.py:function; found "
            f"{reference!r}"
        )
    if folder is None:
        raise SettingsError(
            f"{user}: {reference} must lie next to a settings file, but there is none"
        )
    path = (folder / parts["file"]).resolve()
    if path.parent != folder.resolve():
        raise SettingsError(f"{user}: {parts['file']} must be in the folder of the settings")
    if not path.is_file():
        raise SettingsError(f"{user}: the folder of the settings has no file {path.name}")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    try:
        module = _module(str(path), sha256)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, Stopped)):
            raise
        raise SettingsError(
            f"{user}: {path.name} cannot be loaded: {outline(error, str(path))}; "
            "--debug shows all of it"
        ) from error
    function = getattr(module, parts["function"], None)
    if not callable(function):
        defined = [name for name, value in vars(module).items() if inspect.isfunction(value)]
        raise SettingsError(
            f"{user}: {path.name} has no function {parts['function']!r}"
            f"{nearest(parts['function'], defined)}"
        )
    try:
        parameters = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"{user}: the parameters of {reference} are unknown; wrap it in "
            f"'def {parts['function']}(y_true, y_pred):'"
        ) from error
    return FileFunction(str(path), parts["function"], parameters, sha256), module


def facts(source: object, metric: str, place: str, default: Kind) -> tuple[Kind, bool | None]:
    """Return the kind and the direction that attributes of a module or function state.

    Raises SettingsError if an attribute has an invalid value. ``place`` names the source.
    """
    kind: Kind = getattr(source, "kind", default)
    check_kind(kind, metric, f"{place} says kind = {kind!r}", ("gold", "table"))
    better = getattr(source, "greater_is_better", None)
    if better is not None and not isinstance(better, bool):
        raise SettingsError(f"metric {metric!r}: {place}: greater_is_better must be True or False")
    return kind, better


def check_kind(kind: object, metric: str, statement: str, more: tuple[str, ...] = ()) -> None:
    """Raise SettingsError if a kind of prediction is none that exists; ``statement`` says where."""
    if kind not in (*STATED_KINDS, *more):
        raise SettingsError(
            f"metric {metric!r}: {statement}, which is not one of {', '.join(STATED_KINDS)}"
        )


def _module(path: str, sha256: str) -> Any:
    """Import a file once per process, under a unique name.

    Raises SettingsError if the file has changed since it was checked.
    """
    name = "deadheat_metric_" + hashlib.sha256(f"{path} {sha256}".encode()).hexdigest()[:16]
    if name not in sys.modules:
        text = Path(path).read_bytes()
        if hashlib.sha256(text).hexdigest() != sha256:
            raise SettingsError(f"{Path(path).name} was changed during the run; run it again")
        # An import would write compiled code into the reference data.
        module = ModuleType(name)
        module.__file__ = path
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _imported}
        sys.modules[name] = module
        try:
            with silenced(output=True):
                exec(compile(text, path, "exec"), module.__dict__)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _imported(name: str, *context: Any, **keywords: Any) -> Any:
    """Import a module for an organizer's file; Kaggle's own is here where it is not installed."""
    try:
        return builtins.__import__(name, *context, **keywords)
    except ModuleNotFoundError:
        if name == _KAGGLES_OWN:
            return kaggle_metric_utilities
        raise


class _Shared:
    """A change to the process that lasts from the start of the first call to the end of the last.

    Output streams and warning filters belong to the process. If every thread replaced and restored
    them itself, threads would restore each other's streams, which may be closed.
    """

    def __init__(self, change: Callable[[], AbstractContextManager[None]]) -> None:
        self._change = change
        self._lock = threading.Lock()
        self._inside = 0
        self._ending = contextlib.ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._ending.enter_context(self._change())
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._ending.close()


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _without_output() -> Iterator[None]:
    with (
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        yield


@contextlib.contextmanager
def _without_exit() -> Iterator[None]:
    """Let ``os._exit`` raise: it would end the run as a success, without scores.

    So does the function in the module of the system that `os` takes it from. A process that the
    code forks ends by it, as it should.
    """
    leave = os._exit
    process = os.getpid()
    modules = (os, sys.modules[os.name])

    def exit_or_raise(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise SystemExit(status)

    for module in modules:
        vars(module)["_exit"] = exit_or_raise
    try:
        yield
    finally:
        for module in modules:
            vars(module)["_exit"] = leave


_WARNINGS = _Shared(_without_warnings)
_OUTPUT = _Shared(_without_output)
_EXIT = _Shared(_without_exit)


@contextlib.contextmanager
def silenced(*, output: bool) -> Iterator[None]:
    """Ignore the warnings of a metric's code and, with ``output``, drop what it prints.

    Then ``os._exit`` raises SystemExit, too, so that the code cannot end the run.

    On some platforms participants read the log, so an organizer's file and an installed package
    must not print to it. A function that is given in Python may print, because dropping output also
    drops that of other threads.
    """
    with contextlib.ExitStack() as stack:
        for change in (_WARNINGS, _OUTPUT, _EXIT) if output else (_WARNINGS,):
            stack.enter_context(change)
        yield


GROUP = "deadheat.metrics"


def installed_function(function: str, metric: str) -> OwnFunction | None:
    """Return the function that an installed package provides under a name; None if there is none.

    Raises SettingsError if it cannot be loaded or one of its attributes is invalid.
    """
    loaded = entry_points.load(GROUP, function, f"metric {metric!r}")
    if loaded is None:
        return None
    call, origin = loaded
    kind, better = facts(call, metric, origin, default="gold")
    return OwnFunction(
        call,
        better,
        kind,
        origin,
        label=getattr(call, "label", None),
        ideal=getattr(call, "ideal", None),
        low=getattr(call, "low", -math.inf),
        high=getattr(call, "high", math.inf),
    )


def installed_names() -> list[str]:
    """Return the names of the metrics that installed packages provide."""
    return entry_points.names(GROUP)
