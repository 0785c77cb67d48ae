"""The calls of the public API: arrays, tables of scores, folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import pipeline
from ..alignment import from_arrays
from ..report import saved_results
from ..settings.loading import update
from ..settings.model import Settings
from .metric_arguments import Metrics, of_settings
from .result import Result

#: Metrics for answers that are floats, whole ones included, where a call names none.
_FOR_FLOATS = (
    {"name": "mae", "function": "mean_absolute_error"},
    {"name": "rmse", "function": "root_mean_squared_error"},
)


# Long because its docstring is the manual.
# Many parameters because they are those that researchers vary, all by name.
def compare(
    y_true: Any,
    predictions: Mapping[str, Any],
    metrics: Metrics | None = None,
    *,
    groups: Any = None,
    strata: Any = None,
    slices: Mapping[str, Any] | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    tie_rule: str = "max_t",
    interval: str = "percentile",
    baselines: str | Sequence[str] = (),
    reference_entry: str | None = None,
    labels: Sequence[Any] | np.ndarray[Any, Any] | None = None,
    workers: int = 2,
) -> Result:
    """Compare predictions for the same examples: which entry leads, and which are tied with it.

    Every resample of the paired bootstrap draws the same examples for all entries (Nava-Muñoz,
    Graff and Escalante 2023, section 4).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels or numbers. pandas Series are joined by their index.
    predictions : mapping of str to array-like
        Entry → predictions of shape (n,), or (n, classes) in the order of ``labels``. The default
        order is that of the sorted labels of ``y_true``.
    metrics : str, callable, mapping or a sequence of these, optional
        The name of a scikit-learn scorer ("f1_macro"; a ``neg_…`` scorer shows the positive error)
        or function, such a function, a mapping as in the settings, or a callable
        ``f(y_true, y_pred) -> float`` where higher is better. If lower is better, give a mapping
        with "name", "function" and "greater_is_better". The first metric ranks the entries.
        Default: accuracy and macro F1 for classes, MAE and RMSE for numbers.
    groups, strata : array-like of shape (n,), optional
        Groups (documents, patients), which are resampled whole; strata whose sizes the design of
        the test set fixed.
    slices : mapping of str to array-like of shape (n,), optional
        Name → the value of every example, such as its language or topic. Every metric is also
        compared within the examples of each value.
    resamples, seed, confidence, tie_rule, interval, baselines, reference_entry, labels, workers
        As in the settings of the same names. Results depend on the seed, not on the workers.

    Returns
    -------
    Result
        Metric → ranking, differences, pairs; with the page and every output.

    Raises
    ------
    SubmissionError
        Predictions do not fit: wrong length, unknown labels, missing values.
    OrganizerError
        ``y_true``, a metric or another argument is wrong.

    Examples
    --------
    >>> import deadheat as dh
    >>> y_true = [0, 1] * 50
    >>> good, poor = y_true[:90] + [0] * 10, [0] * 100
    >>> result = dh.compare(y_true, {"good": good, "poor": poor}, metrics="accuracy")
    >>> result.leader, result.tied
    ('good', ())
    >>> result["accuracy"].ranking[0].score
    0.95
    """
    if metrics is None and np.asarray(y_true).dtype.kind == "f":
        metrics = _FOR_FLOATS
    settings = _settings(
        metrics=None if metrics is None else of_settings(metrics),
        group=None if groups is None else from_arrays.GROUP,
        stratify=None if strata is None else from_arrays.STRATUM,
        slices=list(map(str, slices or ())),
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        tie_rule=tie_rule,
        interval=interval,
        baselines=_names(baselines),
        reference_entry=reference_entry,
        labels=None if labels is None else _labels(labels),
        layout="teams",
        workers=workers,
    )
    competition = from_arrays.competition(
        y_true, predictions, settings, groups=groups, strata=strata, slices=slices
    )
    return Result(pipeline.evaluate(competition, settings))


# Long because its docstring is the manual.
# Many parameters because they are those that researchers vary, all by name.
def compare_scores(
    scores: Any,
    metrics: str | dict[str, Any] | Sequence[str | dict[str, Any]] | None = None,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    missing: str = "error",
    groups: Any = None,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    tie_rule: str = "max_t",
    interval: str = "percentile",
    baselines: str | Sequence[str] = (),
    workers: int = 2,
) -> Result:
    """Compare systems by scores that were made elsewhere, one for each unit; the mean ranks them.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n,), or a DataFrame
        System → its score on every unit, such as a fold, query, patient or question. A DataFrame
        may also be long, like a file: columns that name the unit and the system, and one column for
        each metric.
    metrics : str, mapping or a sequence of these, optional
        "mean_score", "median_score" or "mean_unit_rank"; of a long DataFrame also a column, for its
        mean; or mappings as in the settings. Default: the mean of every column of scores.
    greater_is_better : bool or mapping of str to bool, optional
        Whether a higher score is the better one; for a long DataFrame, also column → bool. Without
        it, the column's name must say so ("dice_score", "MAE").
    missing : {"error", "worst", "drop_unit"}
        How a missing score counts: as an error, as the worst score of the table, or not at all,
        because its unit is left out for every system.
    groups : array-like of shape (n,), optional
        Groups of units that are resampled whole, one value for each row of ``scores``.
    resamples, seed, confidence, tie_rule, interval, baselines, workers
        As in `compare`.

    Returns
    -------
    Result
        With the metric "mean_score", or one for each of ``metrics`` or columns.

    Raises
    ------
    OrganizerError
        Columns differ in length or hold values that are not finite numbers, or an argument is
        wrong.

    Examples
    --------
    >>> import deadheat as dh
    >>> folds = {"forest": [0.81, 0.84, 0.80, 0.83, 0.82], "tree": [0.74, 0.75, 0.71, 0.76, 0.72]}
    >>> dh.compare_scores(folds, greater_is_better=True).leader
    'forest'
    """
    settings = _settings(
        metrics=metrics if metrics is None or isinstance(metrics, (str, dict)) else list(metrics),
        missing=missing,
        group=None if groups is None else from_arrays.GROUP,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        tie_rule=tie_rule,
        interval=interval,
        baselines=_names(baselines),
        workers=workers,
    )
    competition = from_arrays.score_table(scores, settings, greater_is_better, groups=groups)
    return Result(pipeline.evaluate(competition, settings))


def score(
    input: str | Path,
    output: str | Path | None = None,
    *,
    hooks: pipeline.Hooks | None = None,
    **settings: Any,
) -> Result:
    """Score a competition's folders as ``deadheat score INPUT OUTPUT`` does.

    Parameters
    ----------
    input : path
        Folder with ``ref/`` (reference data, scoring.yaml) and ``res/`` (submissions).
    output : path, optional
        Folder for the outputs, which are written all together; None writes nothing.
    hooks : Hooks, optional
        Functions that the run reports to.
    **settings
        Keys of scoring.yaml; they override the file.

    Returns
    -------
    Result
        The analysis; `Result.unusable` names the submissions that could not be scored.

    Raises
    ------
    SubmissionError
        The single submission is unusable, or fewer than two submissions of the teams are usable.
    OrganizerError
        Reference data or settings are wrong.
    """
    if "metrics" in settings:
        settings["metrics"] = of_settings(settings["metrics"])
    hooks = hooks or pipeline.Hooks()
    places = {key: hooks.place_of(key) for key in settings}
    evaluation, _ = pipeline.run(
        # Absolute, because a metric's file may change the working directory.
        Path(input).absolute(),
        None if output is None else Path(output).absolute(),
        lambda loaded: update(loaded, settings, places),
        hooks,
    )
    return Result(evaluation)


def read_results(path: str | Path) -> Result:
    """Read the results.json of an earlier run; ``path`` is the file or the run's folder.

    Raises
    ------
    OrganizerError
        The file cannot be read, or is not a results.json of this version.
    """
    return Result(content=saved_results.read(Path(path)))


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _labels(given: Sequence[Any] | np.ndarray[Any, Any]) -> list[Any]:
    """Return labels as the settings write them: 0.0 and 1.0 as whole numbers."""
    values = np.asarray(given).tolist()
    return [int(item) if isinstance(item, float) and item == int(item) else item for item in values]


def _settings(**given: Any) -> Settings:
    """Return the default settings with the given arguments; None keeps a default."""
    values = {key: value for key, value in given.items() if value is not None}
    return update(Settings(), values, dict.fromkeys(values, "argument"))
