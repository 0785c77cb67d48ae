"""Competitions whose gold and predictions are canaries, and what no run may ever emit."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.competitions import Folder, read_scores, write_csv

#: Gold labels that occur nowhere else, so that a single trace of them is a leak.
CANARIES = {"a": "quokkagold", "b": "numbatgold", "c": "bilbygold"}
A, B, C = CANARIES.values()

#: Numeric gold and predictions have these fractions.
GOLD_FRACTION = "71935264"
PREDICTED_FRACTION = "48261739"

_LEAK = re.compile("|".join([*CANARIES.values(), GOLD_FRACTION, PREDICTED_FRACTION]))


class Trap(Folder):
    """A competition of labels (or, after `numeric`, of numbers) that watches what is emitted."""

    def __init__(self, root: Path, n: int = 30) -> None:
        super().__init__(root, n)
        self.labels = [CANARIES[label] for label in self.labels]
        self.teams = {
            team: [CANARIES[label] for label in labels] for team, labels in self.teams.items()
        }

    @property
    def res(self) -> Path:
        """INPUT/res."""
        return self.input / "res"

    @property
    def ref(self) -> Path:
        """INPUT/ref."""
        return self.input / "ref"

    def single(self) -> Trap:
        """Write the gold, and one team's predictions as a submission that came alone."""
        self.write("metrics: [accuracy_score]\n")
        self.submit({"id": self.ids, "label": self.teams["One"]})
        return self

    def several(self) -> Trap:
        """Write the gold and every team's predictions."""
        self.write("metrics: [accuracy_score]\n")
        return self

    def numeric(self) -> Trap:
        """Turn the task into one of numbers."""
        self.labels = [f"{5000 + i * i}.{GOLD_FRACTION}" for i in range(len(self.ids))]
        for k, team in enumerate(self.teams):
            self.teams[team] = [
                f"{3000 + (7 + k) * i}.{PREDICTED_FRACTION}" for i in range(len(self.ids))
            ]
        self.several()
        self.settings("metrics: [mean_absolute_error]\n")
        self.submit({"id": self.ids, "label": self.teams["One"]})
        return self

    def submit(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Make a CSV of these columns the only submission."""
        shutil.rmtree(self.res, ignore_errors=True)
        write_csv(self.res / "predictions.csv", columns)

    def upload(self, content: str | bytes, name: str = "predictions.csv") -> None:
        """Make these bytes the only submission."""
        shutil.rmtree(self.res, ignore_errors=True)
        self.put(f"res/{name}", content)

    def put(self, path: str, content: str | bytes) -> Path:
        """Write a file below INPUT."""
        target = self.input / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def csv(self, delimiter: str = ",") -> str:
        """Return a submission's text as it should be."""
        rows = zip(self.ids, self.teams["One"], strict=True)
        return "\n".join(["id,label", *(f"{i},{label}" for i, label in rows), ""]).replace(
            ",", delimiter
        )

    def check_outputs(self, status: int) -> None:
        """Assert what holds after any run: finite scores with status 0, else none.

        Of one upload that cannot be scored, a page says why.
        """
        assert status in (0, 1, 2)
        if status:
            written = {path.name for path in self.output.glob("*")}
            assert written <= ({"detailed_results.html"} if status == 1 else set())
            return
        flat = json.loads((self.output / "scores.json").read_bytes())
        assert flat == read_scores((self.output / "scores.txt").read_text(encoding="utf-8"))
        assert all(map(math.isfinite, flat.values()))
        assert self.results()["metrics"][0]["name"] in flat

    def check_emitted(self, *texts: str) -> None:
        """Assert that neither the texts nor any output file holds a canary."""
        for text in texts:
            assert leaks(text) == []
        for path in self.output.rglob("*"):
            assert leaks(os.fsdecode(path.name)) == []
            if path.is_file():
                assert leaks(path.read_text(encoding="utf-8")) == [], path.name

    def everything(self) -> list[str]:
        """Return the paths of all that lies on disk but OUTPUT."""
        return sorted(
            str(path)
            for path in self.root.rglob("*")
            if path != self.output and self.output not in path.parents
        )


def leaks(text: str) -> list[str]:
    """Return the canaries in a text, with what stands around them."""
    return [text[max(0, found.start() - 60) : found.end() + 20] for found in _LEAK.finditer(text)]
