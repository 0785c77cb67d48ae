"""Small competitions on disk: what tests of the whole program start from."""

from __future__ import annotations

import csv
import functools
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring_program.commands.score import main
from scoring_program.core.phrases import ENGLISH, Phrase

if TYPE_CHECKING:
    import jsonschema

REPOSITORY = Path(__file__).resolve().parents[1]
EXAMPLE = REPOSITORY / "example" / "input"


def copied(folder: Path) -> Path:
    """Copy the repository as a clone has it into a folder and return the copy."""
    left_out = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "output")
    return Path(shutil.copytree(REPOSITORY, folder / "clone", ignore=left_out))


def write_csv(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns of equal length below a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def told(notes: Iterable[Phrase]) -> list[str]:
    """Return notes as the log tells them."""
    return list(map(ENGLISH.say, notes))


#: What most tests ask depends on no number of resamples. The default takes a fifth of a run longer.
FEW = ("--resamples", "1000")


class Folder:
    """A competition folder with labels a, b, c; every part can be overwritten before it is run."""

    def __init__(
        self, root: Path, n: int = 60, teams: Sequence[str] = ("One", "Two", "Three")
    ) -> None:
        self.root = root
        self.input = root / "input"
        self.output = root / "output"
        rng = np.random.default_rng(7)
        self.ids = [f"x{i:03d}" for i in range(n)]
        self.labels = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]).tolist()
        self.teams = {}
        for k, team in enumerate(teams):
            noise = rng.choice(["a", "b", "c"], n)
            wrong = rng.random(n) < 0.15 + 0.1 * k
            self.teams[team] = np.where(wrong, noise, self.labels).tolist()

    def write(self, settings: str | None = None) -> Folder:
        """Write gold, one folder a team and, if given, the settings."""
        write_csv(self.input / "ref" / "gold.csv", {"id": self.ids, "label": self.labels})
        for team, labels in self.teams.items():
            self.team(team, {"id": self.ids, "label": labels})
        if settings is not None:
            self.settings(settings)
        return self

    def team(self, team: str, columns: Mapping[str, Sequence[Any]]) -> Path:
        """Write one team's predictions and return the file."""
        path = self.input / "res" / team / "predictions.csv"
        write_csv(path, columns)
        return path

    def settings(self, text: str) -> None:
        """Write scoring.yaml."""
        path = self.input / "ref" / "scoring.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *options: str) -> int:
        """Run the program and return its exit status; unless resamples are stated, draw `FEW`."""
        few = () if "--resamples" in options or self._settings_state_resamples() else FEW
        return main([str(self.input), str(self.output), *options, *few])

    def _settings_state_resamples(self) -> bool:
        path = self.input / "ref" / "scoring.yaml"
        return path.is_file() and b"resamples" in path.read_bytes()

    def results(self) -> dict[str, Any]:
        """Return results.json of the last run, which its schema describes."""
        document = json.loads((self.output / "results.json").read_text(encoding="utf-8"))
        _results_schema().validate(document)
        return document

    def scores(self) -> dict[str, float]:
        """Return scores.txt as CodaLab reads it."""
        return read_scores((self.output / "scores.txt").read_text(encoding="utf-8"))


@functools.cache
def _results_schema() -> jsonschema.protocols.Validator:
    """Return what validates results.json; a test of its own checks the schema itself."""
    import jsonschema  # here, because what counts bad inputs needs no more than the program

    schema = REPOSITORY / "templates" / "schemas" / "results.json"
    return jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))


def read_scores(text: str) -> dict[str, float]:
    """Read scores.txt as CodaLab 1.5 does: split each line on the colon, call float."""
    pairs = [line.split(":") for line in text.splitlines()]
    return {key: float(value) for key, value in pairs}


def numeric(folder: Folder) -> None:
    """Turn labels into numbers."""
    value = {"a": 0.31, "b": 1.07, "c": 2.9}
    write_csv(
        folder.input / "ref" / "gold.csv",
        {"id": folder.ids, "y": [value[label] + i / 997 for i, label in enumerate(folder.labels)]},
    )
    for team, labels in folder.teams.items():
        folder.team(team, {"id": folder.ids, "y": [value[label] for label in labels]})
