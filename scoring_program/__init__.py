"""Deadheat scores a competition's submissions and says which of them may be the best.

``compare`` compares predictions in arrays, ``compare_scores`` scores per unit, ``score`` scores
the folders of a competition, ``score_submission`` one upload, ``read_results`` reads the results of
an earlier run, ``announce`` writes what to show and send. Heavy modules are imported when they are
used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .core.errors import DeadheatError, OrganizerError, SubmissionError
from .core.version import __version__

if TYPE_CHECKING:
    from .announcing.materials import announce
    from .api.public import compare, compare_scores, read_results, score, score_submission
    from .api.result import MetricResult, Result
    from .pipeline import Hooks

__all__ = [
    "DeadheatError",
    "Hooks",
    "MetricResult",
    "OrganizerError",
    "Result",
    "SubmissionError",
    "__version__",
    "announce",
    "compare",
    "compare_scores",
    "read_results",
    "score",
    "score_submission",
]

_MODULES = {
    "Hooks": ".pipeline",
    "MetricResult": ".api.result",
    "Result": ".api.result",
    "announce": ".announcing.materials",
    "compare": ".api.public",
    "compare_scores": ".api.public",
    "read_results": ".api.public",
    "score": ".api.public",
    "score_submission": ".api.public",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        from .core.meanings import of_functions

        meant = "" if name.startswith("_") else of_functions(name, __all__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}")
    return getattr(import_module(_MODULES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
