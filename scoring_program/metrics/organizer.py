"""An organizer's own metric: a function in a Python file beside the settings.

Either plain ``f(y_true, y_pred, **params)`` or Kaggle's ``score(solution, submission,
row_id_column_name, **params)`` on data frames. The file may say ``greater_is_better = True`` and
``kind = "labels" | "scores" | "probabilities" | "numbers"``; without a kind, predictions are read
as the gold is.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from scoring_program.errors import SettingsError, nearest
from scoring_program.metrics.metric import Kind

_REFERENCE = re.compile(r"(?P<file>[^:]+\.py):(?P<function>\w+)")
_KAGGLE = ["solution", "submission", "row_id_column_name"]


@dataclass(frozen=True)
class FileFunction:
    """An organizer's function by file and name: loaded again in whatever process calls it."""

    path: str
    name: str
    kaggle: bool

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return getattr(_module(self.path), self.name)(*args, **kwargs)


@dataclass(frozen=True)
class Loaded:
    """What an organizer's file says: the function, its direction if told, its kind, the file's hash."""

    function: Callable[..., Any]
    greater_is_better: bool | None
    kind: Kind
    sha256: str


def is_file(reference: str) -> bool:
    """Return whether a function's name in the settings means a file: ``my_metric.py:score``."""
    return _REFERENCE.fullmatch(reference) is not None


def load(reference: str, folder: Path | None, metric: str) -> Loaded:
    """Load ``file.py:function`` from the settings' folder.

    Raises SettingsError where the file is missing, lies elsewhere, fails to run or lacks the
    function.
    """
    parts = _REFERENCE.fullmatch(reference)
    assert parts is not None
    if folder is None:
        raise SettingsError(f"metric {metric!r}: {reference} needs a settings file to lie beside")
    path = (folder / parts["file"]).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise SettingsError(f"metric {metric!r}: {parts['file']} is not beside the settings")
    if not path.is_file():
        raise SettingsError(f"metric {metric!r}: there is no file {path.name} beside the settings")
    try:
        module = _module(str(path))
    except Exception as error:
        raise SettingsError(
            f"metric {metric!r}: {path.name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    function = getattr(module, parts["function"], None)
    if not callable(function):
        defined = [name for name, value in vars(module).items() if inspect.isfunction(value)]
        raise SettingsError(
            f"metric {metric!r}: {path.name} has no function {parts['function']!r}"
            f"{nearest(parts['function'], defined)}"
        )
    kaggle = list(inspect.signature(function).parameters)[:3] == _KAGGLE
    kind: Kind = getattr(module, "kind", "table" if kaggle else "gold")
    if kind not in get_args(Kind):
        raise SettingsError(
            f"metric {metric!r}: {path.name} says kind = {kind!r}, which is none of "
            "labels, scores, probabilities, numbers"
        )
    better = getattr(module, "greater_is_better", None)
    if better is not None and not isinstance(better, bool):
        raise SettingsError(f"metric {metric!r}: {path.name}: greater_is_better is True or False")
    return Loaded(
        FileFunction(str(path), parts["function"], kaggle),
        better,
        kind,
        hashlib.sha256(path.read_bytes()).hexdigest(),
    )


def _module(path: str) -> Any:
    """Import a file once a process, under a name that nothing else has."""
    name = "photofinish_metric_" + hashlib.sha256(path.encode()).hexdigest()[:16]
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
