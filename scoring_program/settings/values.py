"""Settings that name one way of working: name → what it means.

Those of the statistical methods are in `core.methods`.
"""

from ..reading.formats import FORMATS

#: How the submissions are laid out.
LAYOUTS = {
    "auto": "recognized by what INPUT/res holds",
    "single": "one submission",
    "teams": "a folder, archive or file for each team",
    "wide": "one table with the gold and one column per team",
}
#: Formats of the submissions' files.
FILE_FORMATS = {
    "auto": "recognized by content and extension",
    **{name: ", ".join(item.extensions) for name, item in FORMATS.items()},
}
#: Which runs of a team with several compete.
RUNS = {
    "all": "every run is an entry",
    "best": "the run with the best score",
    "last": "the run that was sent last, or whose name sorts last",
}
#: What a file in a platform's bulk download is that is no archive.
BARE_FILES = {
    "refuse": "unusable, as it was on the platform",
    "accept": "a submission like others",
}
#: What a missing prediction is.
MISSING = {
    "error": "the submission is unusable",
    "wrong": "a wrong answer (classification only)",
}
#: What runs the workers; all but the first three are joblib's backends.
BACKENDS = {
    "auto": "threads for short runs, else processes; loky for metrics in Python",
    "threads": "threads of this process",
    "processes": "forked processes of this machine",
    "loky": "new processes of this machine, by joblib",
    "dask": "an existing cluster of dask.distributed",
    "ray": "an existing cluster of ray",
}
#: Colors of the page.
COLOR_SCHEMES = {
    "auto": "light or dark, as the reader's device asks",
    "light": "light for everybody",
    "dark": "dark for everybody",
}
