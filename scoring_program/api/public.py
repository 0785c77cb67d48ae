"""The calls of the public API: arrays, tables of scores, folders."""

from __future__ import annotations

import math
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from .. import pipeline
from ..core.errors import OrganizerError, SubmissionError
from ..core.phrases import Phrase
from ..data.source import read_input
from ..reading.reference import FIELD
from ..report.results_json import read_document
from ..report.scores import scores
from ..settings.loading import update
from ..settings.model import Settings
from .reports import Progress, briefly, reporting
from .result import Result

# Hints of types are resolved by the names here, so these are imported whoever asks.
from .types import (
    Frame,
    Interval,
    Keywords,
    Metrics,
    SubmissionKeywords,
    Tests,
    TieRule,
    Unpack,
)

#: Metrics for answers that are floats, whole ones included, where a call names none.
_FOR_FLOATS = (
    {"name": "mae", "function": "mean_absolute_error"},
    {"name": "rmse", "function": "root_mean_squared_error"},
)


# Long because its docstring is the manual.
# Many parameters because they are those that researchers vary, all by name.
@briefly
def compare(
    y_true: Any,
    predictions: Mapping[str, Any] | Frame,
    metrics: Metrics | None = None,
    *,
    groups: Any = None,
    strata: Any = None,
    slices: Mapping[str, Any] | Frame | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    tie_rule: TieRule = "max_t",
    interval: Interval = "percentile",
    baselines: str | Sequence[str] = (),
    reference_entry: str | None = None,
    tests: Tests = (),
    margin: float | None = None,
    prizes: int | None = None,
    costs: Mapping[str, float] | None = None,
    labels: Sequence[Any] | np.ndarray[Any, Any] | str | None = None,
    runs: Literal["all", "best", "last", "mean"] = "mean",
    seeds: Literal["cross", "ignore"] = "cross",
    title: str | None = None,
    language: str = "en",
    workers: int = 2,
    progress: bool | Progress = False,
) -> Result:
    """Compare predictions for the same examples: which entry leads, and which are tied with it.

    Every resample of the paired bootstrap draws the same examples for all entries (Nava-Muñoz,
    Graff and Escalante 2023, section 4).

    Parameters
    ----------
    y_true : array-like of shape (n,), or mapping
        Labels or numbers; lists of labels, or an indicator matrix of shape (n, labels), which lists
        of equally many zeros and ones are, too; a mapping of query to the grades of documents.
        pandas Series are joined by their index, and mappings by their keys. Or the name of a column
        of ``predictions``.
    predictions : mapping of str to array-like, or a data frame
        Entry → predictions of shape (n,), or (n, classes) in the order of ``labels``. The default
        order is that of the sorted labels of ``y_true``. Of rankings, a mapping of query to the
        scores of documents, or to a list of documents, best first. A list of such predictions is
        several runs of one method, such as those of several seeds.
    metrics : str, callable, mapping or a sequence of these, optional
        The name of a scikit-learn scorer ("f1_macro"; a ``neg_…`` scorer shows the positive error)
        or function, such a function, a mapping as in the settings, or a callable
        ``f(y_true, y_pred) -> float`` where higher is better. If lower is better, give a mapping
        with "name", "function" and "greater_is_better"; for whole numbers that are no classes, one
        with "kind": "numbers". The first metric ranks the entries.
        Default: accuracy and macro F1 for classes, MAE and RMSE for numbers.
    groups, strata : array-like of shape (n,), optional
        Groups (documents, patients), which are resampled whole; strata whose sizes the design of
        the test set fixed.
    slices : mapping of str to array-like of shape (n,), or a data frame, optional
        Name → the value of every example, such as its language or topic. Every metric is also
        compared within the examples of each value.
    resamples, seed, confidence, tie_rule, interval, baselines, reference_entry, tests, margin
        As in the settings of the same names.
    prizes : int, optional
        The number of prize places: which entries are surely among the first ones, may be, or surely
        are not (`Result.prizes`).
    costs : mapping of str to float, or Series, optional
        What each entry costs, in any unit: which entries may be the best for their costs
        (`Result.front`).
    labels, title, language, workers
        As in the settings, too. Results depend on the seed, not on the workers.
    runs : {"mean", "best", "last", "all"}, optional
        Which runs compete, where an entry has several: their mean, one of them, or all. With the
        mean, and three runs or more of every entry, the result is about methods, for other seeds.
    seeds : {"cross", "ignore"}, optional
        "ignore": the mean is about these runs alone, however many there are.
    progress : bool or callable
        Whether to show a bar on standard error; or a function that gets what is being done, how
        much of it is done, and the total.

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
    >>> seeds = {"good": [good, good, y_true], "poor": [poor, poor, poor]}
    >>> dh.compare(y_true, seeds, metrics="accuracy")["accuracy"].ranking[0].entry
    'good'
    """
    from ..data import from_arrays, inputs  # late: commands, which platforms compile, need none
    from .arguments import of_settings
    from .several_runs import runs_apart

    y_true, by_name = inputs.apart(y_true, predictions)
    method_of = runs_apart(y_true, by_name)[1]
    has_runs = len({*method_of.values()}) < len(method_of)
    slices = inputs.slices_of(slices)
    if metrics is None and from_arrays.are_floats(y_true):
        metrics = _FOR_FLOATS
    if labels is None and inputs.is_indicator(y_true):
        labels = inputs.classes_of(y_true, None)
    settings = _settings(
        metrics=None if metrics is None else of_settings(metrics),
        group=None if groups is None else from_arrays.GROUP,
        stratify=None if strata is None else from_arrays.STRATUM,
        slices=list(slices),
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        tie_rule=tie_rule,
        interval=interval,
        baselines=_names(baselines),
        reference_entry=reference_entry,
        tests=_names(tests),
        margin=margin,
        prizes=prizes,
        costs=costs,
        title=title,
        language=language,
        labels=None if labels is None else _labels(labels),
        runs=runs if has_runs else None,
        seeds=seeds if has_runs else None,
        layout="teams",
        workers=workers,
    )
    design = {"groups": groups, "strata": strata, "slices": slices}
    hooks = reporting(progress)

    def compared(values_by_name: Mapping[str, Any]) -> Result:
        runs_by_name, methods = runs_apart(y_true, values_by_name)
        competition = from_arrays.competition(
            y_true, runs_by_name, settings, teams=methods, **design
        )
        return Result(
            pipeline.evaluate(competition, settings, hooks),
            again=lambda name, values: compared({**values_by_name, name: values}),
        )

    return compared(by_name)


# Long because its docstring is the manual.
# Many parameters because they are those that researchers vary, all by name.
@briefly
def compare_scores(
    scores: Mapping[str, Any] | Frame,
    metrics: str | dict[str, Any] | Sequence[str | dict[str, Any]] | None = None,
    *,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    unit: str | Sequence[str] | None = None,
    system: str | None = None,
    sample: str | None = None,
    missing: Literal["error", "worst", "drop_unit", "judged"] = "error",
    groups: Any = None,
    strata: Any = None,
    folds: Mapping[str, float] | Literal["none"] | None = None,
    human: Mapping[str, Any] | Frame | None = None,
    human_sample: Literal["random"] | None = None,
    slices: str | Sequence[str] | Mapping[str, Any] | Frame | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    tie_rule: TieRule = "max_t",
    interval: Interval = "percentile",
    baselines: str | Sequence[str] = (),
    reference_entry: str | None = None,
    tests: Tests = (),
    margin: float | None = None,
    prizes: int | None = None,
    costs: Mapping[str, float] | str | None = None,
    title: str | None = None,
    language: str = "en",
    workers: int = 2,
    progress: bool | Progress = False,
) -> Result:
    """Compare systems by scores that were made elsewhere, one for each unit; the mean ranks them.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n,), or a DataFrame
        System → its score on every unit, such as a query, patient or question. A DataFrame
        may also be long, like a file: columns that name the unit and the system, and one column for
        each metric. Or each row is a preference: left, right and winner. The index of a pandas
        frame is a column, too, if it has a name.
    metrics : str, mapping or a sequence of these, optional
        "mean_score", "median_score" or "mean_unit_rank"; of a long DataFrame also a column, for its
        mean; or mappings as in the settings. Default: the mean of every column of scores.
    greater_is_better : bool or mapping of str to bool, optional
        Whether a higher score is the better one; for a long DataFrame, also column → bool. Without
        it, the column's name must say so ("dice_score", "MAE"). Nothing is assumed.
    unit, system, sample : str, optional
        Columns of a DataFrame: the units (also several columns), the systems of a long one, and
        what tells several scores of a system on a unit apart, whose mean counts. By default they
        are known by their names; a DataFrame whose columns are not certain is refused.
    missing : {"error", "worst", "drop_unit", "judged"}
        How a missing score counts: as an error, as the worst score of the table, or not at all,
        because its unit is left out for every system, or for this one ("judged").
    groups : array-like of shape (n,), str or two of str, optional
        Groups of units that are resampled whole, one value for each row of ``scores``; or the
        column of a DataFrame that holds them. Of preferences also two columns, such as
        ``["prompt", "judge"]``, which vary independently (Cameron, Gelbach and Miller 2011).
    strata : array-like of shape (n,) or str, optional
        Strata of units whose sizes the design of the test set fixed, one value for each row of
        ``scores``; or the column of a DataFrame that holds them.
    folds : mapping, "none", optional
        Of scores of a cross-validation, one a fold: ``{"repeats": r, "folds": k}``, or
        ``{"splits": J, "test_share": q}`` of random splits. Folds share training data, so their
        scores are not independent (Nadeau and Bengio 2003). "none": the units are independent,
        although a column of a DataFrame is called like folds. Arrays have no names, so without
        this argument they count as independent.
    human : mapping of str to array-like of shape (n,), or a DataFrame, optional
        People's scores of the same systems on some of the units, beside ``scores`` that a judge,
        such as a language model, gave on all: a table of the same form. They are joined by the
        units' names; without names, each unit has a row, nan where people gave no score. The
        judge's means are corrected by how far the two are apart (Angelopoulos et al. 2023).
    human_sample : {"random"}, optional
        How people's units were chosen. It must be stated: only of units that were drawn at random
        does a correction follow.
    slices : str or sequence of str, mapping of str to array-like of shape (n,), optional
        Columns of a DataFrame, or name → one value for each row of ``scores``: every metric is also
        compared within the units of each value.
    resamples, seed, confidence, tie_rule, interval, baselines, reference_entry
        As in `compare`.
    prizes, title, language, workers, progress
        As in `compare`, too.
    tests, margin
        As in `compare`. McNemar's test is for scores of 0 and 1.
    costs : mapping of str to float, Series, or str, optional
        As in `compare`; or the column of a long DataFrame that holds the costs of each system on
        each unit, which are then resampled with the scores.

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
    >>> scores = {"forest": [0.81, 0.84, 0.80, 0.83, 0.82], "tree": [0.74, 0.75, 0.71, 0.76, 0.72]}
    >>> dh.compare_scores(scores, greater_is_better=True).leader
    'forest'
    >>> of_folds = dh.compare_scores(
    ...     scores, greater_is_better=True, folds={"repeats": 1, "folds": 5}
    ... )
    >>> of_folds.leader
    'forest'
    """
    from ..data import from_arrays, inputs

    inputs.refuse_unnamed(scores, "scores")
    columns = inputs.names_of(scores) if inputs.is_frame(scores) else ()
    values_of_slices = inputs.slices_of(slices, columns)
    settings = _settings(
        metrics=metrics if metrics is None or isinstance(metrics, (str, dict)) else list(metrics),
        unit=None if unit is None else _names(unit),
        system=system,
        sample=sample,
        greater_is_better=None if isinstance(greater_is_better, Mapping) else greater_is_better,
        missing=missing,
        group=None if groups is None else from_arrays.GROUP,
        stratify=None if strata is None else from_arrays.STRATUM,
        folds=folds if folds is None or isinstance(folds, str) else dict(folds),
        human_sample=human_sample,
        slices=list(values_of_slices),
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        tie_rule=tie_rule,
        interval=interval,
        baselines=_names(baselines),
        reference_entry=reference_entry,
        tests=_names(tests),
        margin=margin,
        prizes=prizes,
        costs=costs,
        title=title,
        language=language,
        workers=workers,
    )
    if human is None and human_sample is not None:
        raise OrganizerError("human_sample: there are no people's scores; give them as 'human'")
    hooks = reporting(progress)
    design = {"groups": groups, "strata": strata, "slices": values_of_slices}

    def compared(table: Any) -> Result:
        scored, settings_of_table = from_arrays.score_table(
            table, settings, greater_is_better, **design, human=human
        )
        if human is not None:
            scored = from_arrays.with_people(scored, human, settings_of_table)
        again = None
        if isinstance(table, Mapping):
            again = lambda name, values: compared({**table, name: values})  # noqa: E731
        return Result(pipeline.evaluate(scored, settings_of_table, hooks), again=again)

    return compared(scores)


@briefly
def score(
    input: str | Path,
    output: str | Path | None = None,
    *,
    hooks: pipeline.Hooks | None = None,
    progress: bool | Progress = False,
    **settings: Unpack[Keywords],
) -> Result:
    """Score a competition's folders as ``deadheat score INPUT OUTPUT`` does.

    Parameters
    ----------
    input : path
        Folder with ``ref/`` (reference data, scoring.yaml) and ``res/`` (submissions).
    output : path, optional
        Folder for the outputs, which are written all together; None writes nothing.
    hooks : Hooks, optional
        Functions that the run reports to, in place of the logger "deadheat" and of ``progress``.
    progress : bool or callable
        As in `compare`.
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
    overrides = _in_settings(settings)
    hooks = hooks or reporting(progress)
    places = {key: hooks.place_of(key) for key in overrides}
    evaluation, report = pipeline.run(
        # Absolute, because a metric's file may change the working directory.
        Path(input).absolute(),
        None if output is None else Path(output).absolute(),
        lambda loaded: update(loaded, overrides, places),
        hooks,
    )
    return Result(evaluation, report=report)


@briefly
def score_submission(
    reference: str | Path,
    submission: str | Path,
    field: str | Path | None = None,
    **settings: Unpack[SubmissionKeywords],
) -> dict[str, float]:
    """Score one upload, for platforms that call a Python function, such as EvalAI.

    Parameters
    ----------
    reference : path
        The gold: a file, or a folder as INPUT/ref, which may hold scoring.yaml, or a zip of either.
    submission : path
        The upload: a file, a zip or a folder. Links in a folder are refused; one that is named
        here is followed, because the caller named it.
    field : path, optional
        A folder with the submissions that it is compared with, as in INPUT/ref/submissions.
    **settings
        Keys of scoring.yaml; they override the file.

    Returns
    -------
    dict
        The keys of scores.txt, all finite, and ``<metric>_standard_error`` of each metric that has
        a standard error on the resamples.

    Raises
    ------
    SubmissionError
        The upload cannot be scored; the text is for its author.
    OrganizerError
        Reference data, field or settings are wrong.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as name:
        folder = Path(name)
        _put(Path(reference), folder / "ref", trusted=True)
        _put(Path(submission), folder / "res")
        if field is not None:
            for name in (FIELD, f"{FIELD}.zip"):
                if (folder / "ref" / name).exists():
                    raise OrganizerError(
                        f"field: the reference holds {name!r} too; leave one of them out"
                    )
            _put(Path(field), folder / "ref" / FIELD)
        competition, loaded = read_input(folder, lambda stated: _adjusted(stated, settings))
        findings = pipeline.evaluate(competition, loaded).findings
    flat = scores(findings)
    for evidence in findings.evidence:
        subject = evidence.number_of.get(findings.names[findings.focus or 0])
        if subject is not None and math.isfinite(error := evidence.standard_error(subject)):
            flat[f"{evidence.metric.name}_standard_error"] = error
    return flat


def _in_settings(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings from Python as scoring.yaml holds them."""
    values = {key: _python_value(value) for key, value in arguments.items()}
    if "metrics" in values:
        from .arguments import of_settings

        values["metrics"] = of_settings(arguments["metrics"])
    return values


def _python_value(value: Any) -> Any:
    """Return a number of NumPy as one of Python, also in a mapping; a Series is a mapping."""
    if isinstance(value, np.generic):
        return value.item()
    is_series = getattr(value, "ndim", 0) == 1 and hasattr(value, "to_dict")
    pairs = value.to_dict() if is_series else value
    if not isinstance(pairs, Mapping):
        return value
    return {_python_value(key): _python_value(inside) for key, inside in pairs.items()}


def _adjusted(stated: Settings, arguments: Mapping[str, Any]) -> Settings:
    """Return the settings with those given in Python, for one submission."""
    arguments = _in_settings({"layout": "single", **arguments})
    return update(stated, arguments, dict.fromkeys(arguments, "argument"))


def _put(source: Path, folder: Path, *, trusted: bool = False) -> None:
    """Copy a file into a new folder, or the content of a folder or of the ``trusted`` zip.

    Links in a folder that is not trusted stay links, which the reader refuses: followed, one to the
    gold would be a perfect submission. A link that the caller names is the platform's own; Hugging
    Face's cache consists of them.
    """
    try:
        if source.is_dir():
            if not trusted:
                _refuse_devices(source)
            shutil.copytree(source, folder, symlinks=not trusted)
        elif not source.is_file():
            raise OrganizerError(f"{source}: there is no such file or folder")
        elif trusted and zipfile.is_zipfile(source):
            with zipfile.ZipFile(source) as archive:
                archive.extractall(folder)
        else:
            folder.mkdir()
            shutil.copy(source, folder)
    except OSError as error:
        raise OrganizerError(f"{source}: cannot be copied: {error}") from error


def _refuse_devices(folder: Path) -> None:
    """Raise SubmissionError for what is neither a file nor a folder, such as a pipe."""
    for path in sorted(folder.rglob("*")):
        if not (path.is_symlink() or path.is_dir() or path.is_file()):
            defect = Phrase("this is neither a file nor a folder; send a file")
            raise SubmissionError(defect, str(path.relative_to(folder)))


@briefly
def read_results(path: str | Path) -> Result:
    """Read the results.json of an earlier run; ``path`` is the file or the run's folder.

    Raises
    ------
    OrganizerError
        The file cannot be read, or is not a results.json of this version.
    """
    return Result(content=read_document(Path(path)))


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _labels(labels: Sequence[Any] | np.ndarray[Any, Any] | str) -> list[Any] | str:
    """Return labels as the settings write them: 0.0 and 1.0 as whole numbers."""
    if isinstance(labels, str):
        return labels
    from ..data import from_arrays

    values: list[Any] = []
    for label in from_arrays.as_array(labels, "labels").tolist():
        is_whole = isinstance(label, float) and label.is_integer()
        values.append(int(label) if is_whole else label)
    return values


def _settings(**arguments: Any) -> Settings:
    """Return the default settings with the given arguments; None keeps a default."""
    values = {key: _python_value(value) for key, value in arguments.items() if value is not None}
    return update(Settings(), values, dict.fromkeys(values, "argument"))
