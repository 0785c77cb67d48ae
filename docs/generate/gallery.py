"""The gallery: made competitions of every kind, scored by the program, and their pages."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scoring_program.commands import compare, score

EXAMPLE = Path(__file__).resolve().parents[2] / "example"
TEAMS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel")


@dataclass(frozen=True)
class Exhibit:
    """One page of the gallery: its competition is written into a folder by ``make``."""

    name: str
    heading: str
    text: str
    make: Callable[[Path], None]
    options: tuple[str, ...] = ()


def rows(path: Path, columns: Mapping[str, Any]) -> None:
    """Write a CSV file from columns of equal length."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def settings(folder: Path, text: str) -> None:
    """Write scoring.yaml."""
    (folder / "ref").mkdir(parents=True, exist_ok=True)
    (folder / "ref" / "scoring.yaml").write_text(text, encoding="utf-8")


def example(folder: Path) -> None:
    """Copy the example."""
    shutil.copytree(EXAMPLE / "input", folder, dirs_exist_ok=True)


def field(folder: Path) -> None:
    """Make one submission of the example, with the other teams as the field."""
    shutil.copytree(EXAMPLE / "input" / "ref", folder / "ref")
    shutil.copytree(EXAMPLE / "input" / "res", folder / "ref" / "submissions")
    (folder / "ref" / "submissions" / "DCCDINFOTEC").replace(folder / "res")


def noisy(rng: np.random.Generator, gold: Any, error: Any, classes: Sequence[str]) -> Any:
    """Return labels of which about a share ``error``, a number or [n], is drawn anew."""
    return np.where(rng.random(len(gold)) < error, rng.choice(classes, len(gold)), gold)


def numbers(folder: Path) -> None:
    """Make a regression of eight teams."""
    rng = np.random.default_rng(1)
    ids = [f"house{i:03d}" for i in range(400)]
    gold = rng.gamma(4, 60, len(ids))
    rows(folder / "ref" / "gold.csv", {"id": ids, "price": gold.round(1)})
    shared = rng.normal(size=len(ids))
    for k, team in enumerate(TEAMS):
        error = (15 + 1.2 * k) * (0.8 * shared + 0.6 * rng.normal(size=len(ids)))
        rows(folder / "res" / f"{team}.csv", {"id": ids, "price": (gold + error).round(1)})
    settings(folder, "title: House prices\n")


def probabilities(folder: Path) -> None:
    """Make three classes with a probability each."""
    rng = np.random.default_rng(2)
    classes = ("cat", "dog", "fox")
    ids = [f"photo{i:03d}" for i in range(300)]
    gold = rng.integers(0, 3, len(ids))
    rows(folder / "ref" / "gold.csv", {"id": ids, "label": [classes[g] for g in gold]})
    for k, team in enumerate(TEAMS[:6]):
        weights = rng.gamma(1, 1, (len(ids), 3))
        weights[np.arange(len(ids)), gold] += 2.2 - 0.25 * k
        shares = weights / weights.sum(axis=1, keepdims=True)
        columns = {name: shares[:, c] for c, name in enumerate(classes)}
        rows(folder / "res" / f"{team}.csv", {"id": ids, **columns})
    settings(
        folder,
        "title: Animals in photos\nmetrics:\n  - log_loss\n  - roc_auc_score: {multi_class: ovr}\n",
    )


def tasks(folder: Path) -> None:
    """Make two tasks, ranked by mean rank."""
    rng = np.random.default_rng(3)
    for task, classes in {"stance": ("favor", "against", "none"), "irony": ("yes", "no")}.items():
        ids = [f"{task}{i:03d}" for i in range(350)]
        gold = rng.choice(classes, len(ids))
        rows(folder / "ref" / f"{task}.csv", {"id": ids, "label": gold})
        for k, team in enumerate(TEAMS[:5]):
            labels = noisy(rng, gold, 0.25 + 0.07 * k, classes)
            rows(folder / "res" / team / f"{task}.csv", {"id": ids, "label": labels})
    settings(folder, "title: Stance and irony\nmetrics:\n  - f1_score: {average: macro}\n")


def kaggle(folder: Path) -> None:
    """Make a Kaggle-style folder with public and private rows."""
    rng = np.random.default_rng(4)
    ids = [str(i) for i in range(900)]
    gold = rng.choice(("0", "1"), len(ids))
    usage = rng.choice(("Public", "Private"), len(ids), p=(0.3, 0.7))
    rows(folder / "ref" / "solution.csv", {"id": ids, "label": gold, "Usage": usage})
    for k, team in enumerate(TEAMS):
        labels = noisy(rng, gold, 0.3 + 0.015 * k, ("0", "1"))
        rows(folder / "res" / f"{team}.csv", {"id": ids, "label": labels})
    settings(folder, "title: Public and private leaderboard\nmetrics: [accuracy_score]\n")


def folds(folder: Path) -> None:
    """Make one table with a score per query and system."""
    rng = np.random.default_rng(5)
    easy = rng.beta(4, 3, 120)
    columns = {
        team: np.clip(easy + rng.normal(0.05 - 0.02 * k, 0.08, 120), 0, 1).round(3)
        for k, team in enumerate(TEAMS[:5])
    }
    rows(folder / "res" / "scores.csv", {"query": [f"q{i}" for i in range(120)], **columns})
    settings(
        folder,
        "title: Retrieval systems on 120 queries\n"
        "metrics:\n  - name: average_precision\n    function: mean_score\n"
        "    greater_is_better: true\n",
    )


def many(folder: Path) -> None:
    """Make a large field."""
    rng = np.random.default_rng(6)
    ids = [f"question{i:03d}" for i in range(500)]
    difficulty = rng.random(len(ids))
    gold = rng.choice(("A", "B", "C", "D"), len(ids))
    wrong = np.where(gold == "A", "B", "A")
    rows(folder / "ref" / "gold.csv", {"id": ids, "label": gold})
    for k in range(120):
        right = 0.7 * difficulty + 0.3 * rng.random(len(ids)) < 0.75 - 0.004 * k
        labels = np.where(right, gold, wrong)
        rows(folder / "res" / f"agent{k + 1:03d}.csv", {"id": ids, "label": labels})
    settings(folder, "title: A field of 120 agents\nmetrics: [accuracy_score]\n")


def groups(folder: Path) -> None:
    """Make a competition with patients as groups, a baseline, and the page in Spanish."""
    rng = np.random.default_rng(7)
    patients = np.repeat(np.arange(60), 12)
    ids = [f"visita{i:03d}" for i in range(len(patients))]
    gold = rng.choice(("sano", "enfermo"), len(ids), p=(0.6, 0.4))
    hard = np.repeat(rng.beta(2, 5, 60), 12)
    rows(folder / "ref" / "gold.csv", {"id": ids, "label": gold, "paciente": patients})
    for k, team in enumerate(("Línea base", *TEAMS[:5])):
        error = hard + (0.25 if k == 0 else 0.03 * k)
        labels = noisy(rng, gold, error, ("sano", "enfermo"))
        rows(folder / "res" / f"{team}.csv", {"id": ids, "label": labels})
    settings(
        folder,
        "title: Diagnóstico por visita\nlanguage: es\ngroup: paciente\nbaselines: [Línea base]\n"
        "metrics:\n  - f1_score: {pos_label: enfermo}\n",
    )


def slices(folder: Path) -> None:
    """Make reviews in three languages, in one of which another team is ahead."""
    rng = np.random.default_rng(8)
    languages = rng.choice(("English", "French", "Basque"), 1500, p=(0.55, 0.33, 0.12))
    ids = [f"review{i:04d}" for i in range(len(languages))]
    gold = rng.choice(("good", "bad"), len(ids))
    rows(folder / "ref" / "gold.csv", {"id": ids, "label": gold, "language": languages})
    for k, team in enumerate(TEAMS[:6]):
        basque = 0.7 if k == 0 else 0.25 + 0.03 * k
        error = np.where(languages == "Basque", basque, 0.2 + 0.08 * k)
        labels = noisy(rng, gold, error, ("good", "bad"))
        rows(folder / "res" / f"{team}.csv", {"id": ids, "label": labels})
    settings(
        folder,
        "title: Reviews in three languages\nslices: [language]\nmetrics: [accuracy_score]\n",
    )


EXHIBITS = (
    Exhibit(
        "example",
        "Ten teams, three metrics",
        "MeOffendEs 2021, subtask 3: the example of this repository. An organizer sees this page.",
        example,
    ),
    Exhibit(
        "submission",
        "One submission and its field",
        "The same competition as a participant sees it on Codabench: one submission, compared with "
        "a field that the organizer packed.",
        field,
    ),
    Exhibit(
        "numbers",
        "Numbers",
        "A regression with eight teams. No metric is set, so the page shows MAE and RMSE.",
        numbers,
    ),
    Exhibit(
        "probabilities",
        "Probabilities of three classes",
        "One column per class, scored by log loss and ROC AUC.",
        probabilities,
    ),
    Exhibit("tasks", "Several tasks", "Two tasks and the mean rank over both.", tasks),
    Exhibit(
        "kaggle",
        "Public and private leaderboard",
        "A Kaggle-style folder with a column `Usage`. The page says which moves of the shake-up "
        "are within the statistical ties.",
        kaggle,
    ),
    Exhibit(
        "scores",
        "A table of scores",
        "Five retrieval systems with one score per query, compared by their mean.",
        folds,
    ),
    Exhibit("many", "A large field", "120 agents on 500 questions: all 7,140 pairs.", many),
    Exhibit(
        "slices",
        "Slices of the test set",
        "Reviews in three languages. In one of them, the overall leader is not the best.",
        slices,
    ),
    Exhibit(
        "groups",
        "Groups, a baseline, and Spanish",
        "Visits of 60 patients. Whole patients are resampled, and the baseline cannot win.",
        groups,
    ),
)
#: Figures to show: that of an exhibit, and what is said of it.
FIGURES = (
    ("example", "card", "The card of a competition, for links and messages."),
    ("example", "photo_finish_page", "How far behind the best every entry may truly be."),
    ("example", "intervals", "Scores with their intervals, and who may be the best."),
    ("example", "rank_ranges", "The places that each entry could hold on a much larger test set."),
    ("example", "trade_off", "The trade-off of two metrics."),
    ("tasks", "tasks", "Tasks side by side."),
    ("slices", "slices_1", "Slices of the test set side by side."),
    ("kaggle", "shake_up", "The shake-up, with the scores on both leaderboards."),
)
_TAKEN = "Every run writes its figures into a folder, each with its title, legend and source."
_COMPARED = ("numbers", "probabilities", "kaggle")


@functools.cache
def pages() -> Mapping[str, str]:
    """Return the page of every exhibit and the figures: path in the site → HTML or SVG."""
    made = {}
    with tempfile.TemporaryDirectory() as work:
        root = Path(work)
        for exhibit in EXHIBITS:
            exhibit.make(root / exhibit.name / "input")
            output = root / exhibit.name / "output"
            _run(score, [str(output.with_name("input")), str(output), *exhibit.options])
            made[f"gallery/{exhibit.name}.html"] = _page(output)
        for name, figure, _ in FIGURES:
            path = root / name / "output" / "figures" / f"{figure}.svg"
            made[f"gallery/{name}_{figure}.svg"] = path.read_text(encoding="utf-8")
        results = [str(root / name / "output" / "results.json") for name in _COMPARED]
        _run(compare, [*results, "-o", str(root / "compared")])
        (page,) = (root / "compared").glob("*.html")
        made["gallery/compared.html"] = page.read_text(encoding="utf-8")
    return made


def overview() -> str:
    """Return the gallery's sections in Markdown."""
    shown = [(item.name, item.heading, item.text) for item in EXHIBITS]
    compared = "Three of the competitions above, written by `deadheat compare`."
    shown.append(("compared", "Competitions compared", compared))
    pages_shown = "\n\n".join(
        f"## {heading}\n\n{text} [Open the page](gallery/{name}.html).\n\n"
        f'<iframe class="result" src="gallery/{name}.html" title="{heading}" loading="lazy">'
        "</iframe>"
        for name, heading, text in shown
    )
    figures_shown = "\n\n".join(
        f"{text}\n\n![{text}](gallery/{name}_{figure}.svg)" for name, figure, text in FIGURES
    )
    return f"{pages_shown}\n\n## Figures to take away\n\n{_TAKEN}\n\n{figures_shown}"


def _run(command: Any, arguments: list[str]) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = command.main(arguments)
    if status:
        raise RuntimeError(f"{arguments}: exit status {status}\n{printed.getvalue()}")


def _page(output: Path) -> str:
    return (output / "detailed_results.html").read_text(encoding="utf-8")
