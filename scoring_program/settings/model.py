"""The organizer's settings as one frozen `Settings`: every key with its default, check and help.

The command line has the same keys as options (`OPTIONS`), and the documentation lists them. The
tables of choices, value → what it means, come first; the statistical methods are in `core.methods`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from ..core.catalogs import languages
from ..core.folds import Folds
from ..core.methods import INTERVALS, STUDENTIZED, TESTS, TIE_RULES
from ..reading.formats import FORMATS
from ..reading.formats.kind import AS_FOUND, FileDescription
from ..reading.limits import DEFAULT, Limits
from . import checks
from .checks import (
    Check,
    MetricSpec,
    address,
    any_of,
    between,
    day,
    each,
    flag,
    one_of,
    optional,
    text,
    whole,
)

#: How the submissions are laid out.
LAYOUTS = {
    "auto": "recognized from the content of INPUT/res",
    "single": "one submission",
    "teams": "a folder, archive or file for each team",
    "wide": "one table with one column per team, of predictions (next to the gold) or scores",
    "long": "one table with one line per unit and team, and one column of scores per metric",
}
#: Formats of the submissions' files.
FILE_FORMATS = {
    "auto": "recognized from content and extension",
    **{name: ", ".join(item.extensions) for name, item in FORMATS.items()},
    "parquet": "folders of .parquet parts, also of the reference data, read by the workers",
}
#: Which runs of a team with several compete.
RUNS = {
    "all": "every run is an entry",
    "best": "the run with the best score",
    "last": "the run that was sent last, or that has the last number or date in its name",
    "mean": "all runs: a team's score is the mean over them",
}
#: What the mean over a team's runs stands for.
SEEDS = {
    "cross": "the method, for other seeds too, where every competing team has at least 3 runs",
    "ignore": "these runs on other examples",
}
#: How several tasks are combined; any other text is a formula over their metrics.
OVERALL = {
    "mean_rank": "mean of the ranks in the tasks",
    "mean": "mean of the tasks' scores",
    "mean_standardized": "mean of (score − median of the entries) / their spread (MAD)",
}
#: How to treat an entry that is missing from a task.
MISSING_TASK = {
    "drop": "it has no overall place",
    "worst": "it gets the worst value that the metric has; a mean rank of metrics without one puts "
    "it behind all who took part",
}
#: How to treat a file in a platform's bulk download that is not an archive.
BARE_FILES = {"refuse": "unusable, as on the platform", "accept": "a submission like any other"}
#: How to treat a missing prediction.
MISSING = {
    "error": "the submission is unusable",
    "wrong": "a wrong answer (classification only)",
    "worst": "the worst score that the table holds (tables of scores only)",
    "drop_unit": "the unit is left out for every entry (tables of scores only)",
    "judged": "an entry's mean is that of the units on which it was scored (tables of scores only)",
}
#: How to treat a prediction whose id is not in the test set.
EXTRA_IDS = {"error": "the submission is unusable", "ignore": "it is passed over and counted"}
#: The values of ``missing`` that are for tables of scores only.
FOR_SCORES = ("worst", "drop_unit", "judged")
#: How people's units must have been chosen: any other choice may favor a system.
RANDOM = "random"
#: How the units that people scored were chosen.
HUMAN_SAMPLES = {RANDOM: "drawn at random from all units"}
#: What runs the workers.
BACKENDS = {
    "auto": "threads for short runs, processes for long ones, loky for metrics in Python",
    "threads": "threads of this process",
    "processes": "forked processes of this machine; threads on macOS and Windows",
    "loky": "new processes of this machine",
    "dask": "an existing cluster of dask.distributed",
    "ray": "an existing cluster of ray",
}
#: Colors of the page.
COLOR_SCHEMES = {
    "auto": "light or dark, like the reader's device",
    "light": "light for everybody",
    "dark": "dark for everybody",
}
#: How much of the page is printed.
PRINT = {
    "short": "what a screen shows at first: what is folded away stays away",
    "full": "everything, the sections for statisticians included",
}
#: Formats of the figures beside SVG.
FIGURES = {"pdf": "for LaTeX", "png": "for slides and messages"}
#: The limits of uploads: the key within ``limits`` → the key of its own.
LIMITS = {
    "file": "largest_file",
    "upload": "largest_upload",
    "files": "most_files",
    "ratio": "most_ratio",
    "nested": "most_nested",
}
#: What the outputs tell the participant whose single submission was scored.
PARTICIPANTS = {
    "full": "everything: p-values, differences, the field's scores, seed and hashes",
    "score": "the scores with their intervals, the rank and the tie with the leader, rounded",
}
#: How the scores are rounded that participants see.
PRECISION = {
    "digits": "four decimals, or four significant digits where scores may exceed 1",
    "standard_error": "to 1, 2 or 5 units of a decimal place, at least the standard error",
}


#: The check of a value, and what stands for it in the help text ("SECONDS").
_OfValue = tuple[Check, str]


def _setting(
    default: Any, kind: _OfValue, text: str, choices: Mapping[str, str] | None = None
) -> Any:
    """Return the field of a key, which is also an option of the command line.

    ``choices`` maps each possible value to its meaning; there are none if the values cannot be
    listed.
    """
    check, metavar = kind
    return checks.checked_by(check, default, help=text, metavar=metavar, choices=choices or {})


def _optional(kind: _OfValue, text: str) -> Any:
    return _setting(None, (optional(kind[0]), kind[1]), text)


def _list(kind: _OfValue, text: str) -> Any:
    return _setting((), (each(kind[0]), kind[1]), text)


def _number(default: int, least: int, text: str) -> Any:
    return _setting(default, (whole(least), "N"), text)


def _flag(text: str) -> Any:
    return _setting(False, (flag, "true|false"), text)


def _choice(default: str, choices: Mapping[str, str], metavar: str, text: str) -> Any:
    return _setting(default, (one_of(choices), metavar), text, choices)


@dataclass(frozen=True)
class Settings:
    """The organizer's decisions; every field is a key of ``scoring.yaml`` with its default."""

    title: str = _setting("", (text, "TEXT"), "title of the competition, shown on the page")
    date: str = _setting("", (day, "DATE"), "date of the results, for the page and its citation")
    host: str = _setting(
        "", (text, "TEXT"), "who hosts the competition, for the page and its citation"
    )
    url: str = _setting(
        "", (address, "URL"), "address of the competition, for the page and its citation"
    )
    page_url: str = _setting(
        "",
        (address, "URL"),
        "address where the page will be published with the folder 'figures'; with 'figures: png', "
        "links to it show the card as a picture",
    )
    metrics: tuple[MetricSpec, ...] = field(default=())
    rank_by: str | None = _optional(
        (text, "METRIC"), "metric that ranks the entries; if not set, the first of 'metrics'"
    )
    resamples: int = _number(10_000, 100, "number of bootstrap resamples")
    seed: int = _number(
        0, 0, "seed of the random numbers; the same inputs and seed give the same outputs"
    )
    confidence: float = _setting(
        0.95,
        (between(0.5, 1), "LEVEL"),
        "confidence level of intervals; tests use the significance level 1 − confidence",
    )
    interval: str = _choice("percentile", INTERVALS, "METHOD", "confidence interval of each score")
    tie_rule: str = _choice(
        "max_t", TIE_RULES, "RULE", "rule that decides who is tied with the leader"
    )
    studentized: str = _choice(
        "auto",
        STUDENTIZED,
        "WHEN",
        "when the draws of max-T tests are divided by each resample's own standard error",
    )
    group: str | tuple[str, ...] | None = _optional(
        (checks.groups, "COLUMN"),
        "column of the reference data that holds groups (documents, users), resampled whole; of "
        "preferences also two, such as [prompt, judge], whose groups are drawn independently",
    )
    stratify: str | None = _optional(
        (text, "COLUMN"),
        "column whose strata keep their sizes in every resample; use it only if the design of the "
        "test set fixed these sizes, because otherwise the intervals become too short",
    )
    slices: tuple[str, ...] = _list(
        (text, "COLUMNS"),
        "columns of the reference data whose values name slices of the test set, such as language "
        "or topic; every metric is also compared within each of them",
    )
    layout: str = _choice("auto", LAYOUTS, "LAYOUT", "how the submissions are laid out")
    format: str = _setting(
        "auto",
        (checks.file_format(FILE_FORMATS), "FORMAT"),
        "format of the submissions' files",
        FILE_FORMATS,
    )
    reference: FileDescription | None = _optional(
        (partial(checks.description, gold=True), "{KEY: …}"),
        "how the files of the reference data are to be read: columns, separator, header, "
        "skip_lines, comment, format",
    )
    submissions: FileDescription | None = _optional(
        (checks.description, "{KEY: …}"),
        "the same for the submissions' files, and for a table of all systems",
    )
    name_pattern: str | None = _optional(
        (checks.name_pattern, "PATTERN"),
        "pattern of the names of files or folders, such as {team}_run{run}",
    )
    phase: int | None = _optional(
        (whole(0), "N"), "phase whose uploads compete, if a bulk download holds several phases"
    )
    other_tasks: tuple[str, ...] = _list(
        (text, "NAMES"),
        "names of files or folders of predictions for other tasks, which the same upload may hold",
    )
    bare_files: str = _choice(
        "refuse",
        BARE_FILES,
        "POLICY",
        "how to treat a file in a bulk download that is not an archive",
    )
    runs: str = _choice("all", RUNS, "RUNS", "which runs of a team compete")
    seeds: str = _choice(
        "cross", SEEDS, "WHETHER", "whether means over runs are about methods or submissions"
    )
    missing: str = _choice("error", MISSING, "POLICY", "how to treat a missing prediction")
    overall: str | None = _optional(
        (text, "METHOD"),
        "how several tasks are combined: mean_rank, mean, mean_standardized, or a formula over "
        "their metrics; if not set, the mean if they share one bounded metric, else mean_rank",
    )
    missing_task: str = _choice(
        "drop", MISSING_TASK, "POLICY", "how to treat an entry that is missing from a task"
    )
    labels: tuple[str | int, ...] | str | None = _setting(
        None,
        (checks.labels, "LABELS"),
        "list of the labels allowed in predictions; if not set, the labels of the gold; any: open "
        "answers, of which one that is no label of the gold is wrong, not refused",
    )
    extra_ids: str = _choice(
        "error", EXTRA_IDS, "POLICY", "how to treat a prediction whose id is not in the test set"
    )
    reader: str | None = _optional(
        (text, "FILE:FUNCTION"),
        "function of your own that reads gold and submissions, such as my_reader.py:read; it maps "
        "each unit's id to any object",
    )
    kit_reader: bool = _flag(
        "pack the reader's file into the starting kit, so that its checker can read submissions; "
        "participants see the file"
    )
    id_column: str | None = _optional(
        (text, "COLUMN"), "column that identifies an example; if not set, recognized by its name"
    )
    unit: tuple[str, ...] | None = _optional(
        (each(text), "COLUMNS"),
        "column of a table of scores that names the units (cases, queries, folds), or several that "
        "do so together; if not set, recognized by their names",
    )
    system: str | None = _optional(
        (text, "COLUMN"),
        "column of a long table of scores that names the systems; if not set, recognized by its "
        "name",
    )
    sample: str | None = _optional(
        (text, "COLUMN"),
        "column of a long table of scores that tells several scores of a system on a unit apart "
        "(annotators, seeds), whose mean counts; if not set, recognized by its name",
    )
    folds: Folds | str | None = _optional(
        (checks.folds, "{KEY: …}"),
        "how the units of a table of scores came about if they are folds of a cross-validation: "
        "{repeats: r, folds: k}, {splits: J, test_share: q}, or none if they are independent; if "
        "not set, folds get no confidence",
    )
    human: str | None = _optional(
        (text, "FILE"),
        "table in ref/ of people's scores of some units, beside a judge's scores of all in res/",
    )
    human_sample: str | None = _setting(
        None,
        (optional(one_of(HUMAN_SAMPLES)), "SAMPLE"),
        "how the units that people scored were chosen; it must be stated beside 'human'",
        HUMAN_SAMPLES,
    )
    greater_is_better: bool | None = _optional(
        (flag, "true|false"),
        "whether a higher score is better in a table of scores whose columns' names do not say it",
    )
    baselines: tuple[str, ...] = _list(
        (checks.entry_name, "NAMES"), "entries that are shown and tested but cannot win"
    )
    reference_entry: str | None = _optional(
        (checks.entry_name, "NAME"),
        "entry that all others are compared with; if not set, the leader",
    )
    yardstick: tuple[tuple[str, str], ...] = _list(
        (checks.pair_of_entries, "PAIRS"),
        "pairs of 'baselines' that you know to be alike; the audit shows how many errors each pair "
        "shares, beside the pairs of teams",
    )
    margin: float | None = _optional(
        (between(0, float("inf")), "SIZE"),
        "largest distance from the best that makes no difference in practice, in the units of the "
        "ranking metric; a mean rank over tasks has no distances",
    )
    prizes: int | None = _optional(
        (whole(1), "K"),
        "prize places: say of every team whether it is surely among the first K, may be, or "
        "surely is not",
    )
    costs: Mapping[str, float] | str | None = _optional(
        (checks.costs, "{TEAM: COST, …}"),
        "what each team's system costs, in any unit: say of every team whether it may be the best "
        "for its cost; or the column of a long table of scores that holds the costs on each unit",
    )
    tests: tuple[str, ...] = _setting(
        (),
        (any_of(TESTS), "TESTS"),
        "further tests of every entry against the leader or the reference entry",
        TESTS,
    )
    anonymize: bool = _flag("call the entries Team 1, Team 2, … in every output")
    participants: str = _choice(
        "full",
        PARTICIPANTS,
        "VIEW",
        "what the outputs tell the participant whose single submission is scored",
    )
    precision: str = _choice(
        "digits", PRECISION, "PRECISION", "how to round what 'participants: score' shows"
    )
    language: str = _choice(
        "en", dict.fromkeys(languages(), ""), "LANGUAGE", "language of the page and the tables"
    )
    color_scheme: str = _choice("auto", COLOR_SCHEMES, "SCHEME", "colors of the page")
    print: str = _choice("short", PRINT, "LENGTH", "how much of the page is printed")
    interactive: bool = _flag(
        "whether the page holds one script, by which readers compare any two entries, search and "
        "sort; bundles leave it out"
    )
    figures: tuple[str, ...] = _setting(
        (),
        (any_of(FIGURES), "FORMATS"),
        "formats in which every figure is written beside SVG; this needs deadheat[figures]",
        FIGURES,
    )
    strict: bool = _flag("stop if the submission of any team is unusable")
    time_budget: float | None = _optional(
        (between(0, float("inf"), " (seconds)"), "SECONDS"),
        "time limit of a run; to keep it, the run draws fewer resamples, but at least 20",
    )
    memory: float = _setting(
        2.0,
        (between(0.1, float("inf"), " (GiB)"), "GIB"),
        "memory that resampling and inference may use, in GiB",
    )
    workers: int = _number(2, 1, "number of workers that score resamples")
    backend: str = _choice("auto", BACKENDS, "BACKEND", "what runs the workers")
    scheduler: str | None = _optional((text, "ADDRESS"), "address of the scheduler of dask or ray")
    limits: Mapping[str, int] | None = _optional(
        (checks.limits(LIMITS), "{KEY: N}"),
        "limits of uploads in one key: file and upload in megabytes, files, ratio, nested; the "
        "keys of single limits below mean the same",
    )
    largest_file: int | None = _optional(
        (whole(1), "MB"),
        "largest size of a file of predictions, in megabytes; by default it follows the size of "
        "the test set",
    )
    largest_upload: int | None = _optional(
        (whole(1), "MB"),
        "largest size of the predictions that an archive unpacks to, in megabytes; by default ten "
        "times that of a file",
    )
    most_files: int = _number(DEFAULT.most_files, 1, "largest number of files in an upload")
    most_ratio: int = _number(
        DEFAULT.most_ratio,
        1,
        "largest unpacked size of an archive, as a multiple of its packed size",
    )
    most_nested: int = _number(DEFAULT.most_nested, 1, "largest depth of archives inside archives")
    lines: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def listed_labels(self) -> tuple[str | int, ...] | None:
        """The labels that the settings list; None if they do not."""
        return self.labels if isinstance(self.labels, tuple) else None

    def limits_of(self, examples: int | None = None, classes: int = 0) -> Limits:
        """Return the limits of uploads for a test set: those that are set, and those it needs."""
        set_here = {item.name: getattr(self, item.name) for item in fields(Limits)}
        following = Limits.of_test_set(examples, classes, set_here["largest_file"])
        return replace(following, **{name: n for name, n in set_here.items() if n is not None})

    def shows_scores_only(self, form: str) -> bool:
        """Return whether the readers of a run are participants who may see its scores only.

        ``form`` is that of the competition. Who scores all teams is an organizer.
        """
        return self.participants == "score" and form != "teams"

    def described(self, *, gold: bool = False) -> FileDescription:
        """Return how the files of submissions, or those of the ``gold``, are to be read."""
        if gold:
            return self.reference or AS_FOUND
        return replace(self.submissions or AS_FOUND, format=self.format)

    @property
    def left_aside(self) -> tuple[str, ...]:
        """Names of files and folders of an upload that are no predictions for these tasks."""
        return (*self.other_tasks, *self.described().leave_aside)

    @property
    def design_columns(self) -> tuple[tuple[str, str], ...]:
        """The columns of the reference data that are about units, each with the key that names it.

        They are the groups, the strata and the slices.
        """
        named = [("group", column) for column in self.group_columns]
        named += [("stratify", column) for column in (self.stratify,) if column is not None]
        named += [("slices", column) for column in self.slices]
        return tuple(named)

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The columns of groups: none, one, or two that are crossed."""
        if self.group is None:
            return ()
        return (self.group,) if isinstance(self.group, str) else self.group

    @property
    def group_name(self) -> str | None:
        """What the outputs call the groups: "prompt", or "prompt × judge"."""
        return " × ".join(self.group_columns) or None

    @property
    def table_columns(self) -> tuple[tuple[str, str], ...]:
        """The columns with a role in a table of scores, each with the key that names it."""
        named: list[tuple[str, str | None]] = [("unit", column) for column in self.unit or ()]
        named += [("system", self.system), ("sample", self.sample)]
        return tuple((key, column) for key, column in named if column is not None)

    def where(self, key: str) -> str:
        """Return where ``key`` was set ("scoring.yaml, line 4: group"), for messages."""
        return f"{self.lines.get(key, 'settings')}: {key}"


#: Every setting with a single value, in the order of the fields; see `_setting` for the metadata.
OPTIONS = tuple(option for option in fields(Settings) if "check" in option.metadata)

#: Settings that change only how the work is done, what is written or what the audit shows beside
#: the results.
_NOT_OF_RESULTS = (
    "workers",
    "backend",
    "scheduler",
    "memory",
    "figures",
    "yardstick",
    "interactive",
    "limits",  # which become keys of their own
)


def as_dict(settings: Settings) -> dict[str, Any]:
    """Return every setting that affects the results, as results.json records it."""
    values = {
        option.name: getattr(settings, option.name)
        for option in OPTIONS
        if option.name not in _NOT_OF_RESULTS
    }
    for key in ("reference", "submissions"):
        if values[key] is not None:
            statements = vars(values[key]).items()
            values[key] = {
                name: statement
                for name, statement in statements
                if statement != getattr(AS_FOUND, name)
            }
    if isinstance(settings.folds, Folds):
        values["folds"] = dict(settings.folds.stated)
    if settings.anonymize and isinstance(settings.costs, Mapping):
        values["costs"] = sorted(settings.costs.values())  # the teams' names are secret
    values["metrics"] = [checks.as_dict(spec) for spec in settings.metrics]
    return values
