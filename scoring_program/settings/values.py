"""The values of settings that offer a choice: value → what it means.

The statistical methods are in `core.methods`.
"""

from ..reading.formats import FORMATS

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
    "last": "the run that was sent last, or else the one whose name sorts last",
    "mean": "all runs: a team's score is the mean over them",
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
    "worst": "it gets the worst score of the task, or on a platform the worst that the metric has",
}
#: How to treat a file in a platform's bulk download that is not an archive.
BARE_FILES = {
    "refuse": "unusable, as on the platform",
    "accept": "a submission like any other",
}
#: How to treat a missing prediction.
MISSING = {
    "error": "the submission is unusable",
    "wrong": "a wrong answer (classification only)",
    "worst": "the worst score that the table holds (tables of scores only)",
    "drop_unit": "the unit is left out for every entry (tables of scores only)",
    "judged": "an entry's mean is that of the units on which it was scored (tables of scores only)",
}
#: How to treat a prediction whose id is not in the test set.
EXTRA_IDS = {
    "error": "the submission is unusable",
    "ignore": "it is passed over and counted",
}
#: The values of ``missing`` that are for tables of scores only.
FOR_SCORES = ("worst", "drop_unit", "judged")
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
FIGURES = {
    "pdf": "for LaTeX",
    "png": "for slides and messages",
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
