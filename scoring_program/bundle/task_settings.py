"""The settings that a bundle packs: those of a task, and what they leave open."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.errors import SettingsError
from ..report.signature import commitment
from ..settings import loading
from ..settings.model import Settings
from . import phases
from .description import TIME_LIMIT, Description

#: Share of the platform's time limit that a run plans to use.
_SHARE = 0.5
#: Random bits of a secret seed. With half of them, nobody finds a seed from its hash.
_SEED_BITS = 128


def secret_seed() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(_SEED_BITS)


def packed(competition: Description, task: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return a task's settings, with the secret ``seed`` where they have none and need one.

    Raises
    ------
    SettingsError
        Participants are to see scores only, and could upload several submissions as one, whose
        comparison shows everything.
    """
    settings = _decided(competition, task)
    if settings["participants"] != "score":
        return settings
    if settings["layout"] != "single":
        raise SettingsError(
            f"Task {task['index']}: 'participants: score' is about single submissions, and under "
            f"'layout: {settings['layout']}' an upload may hold several, of which everything is "
            "shown; set 'layout: single' or, if only organizers upload, 'participants: full' in "
            "the task's settings"
        )
    settings.setdefault("seed", seed)
    return settings


def _decided(competition: Description, task: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task's settings and what they leave open, decided for a platform.

    The task's settings override those of the reference data. If neither sets a layout, an upload
    is one submission: otherwise a participant could send several and be scored by the best. Who
    uploads one submission is a participant, and sees the scores only.
    """
    layout = competition.layout(task)
    defaults: dict[str, Any] = {
        "layout": layout,
        "time_budget": _SHARE * _time_limit(competition, task),
        "color_scheme": "light",  # like the platforms' own pages
        "participants": "score" if layout == "single" else Settings().participants,
    }
    if others := phases.other_tasks(competition, task):
        defaults["other_tasks"] = others
    decided = {**defaults, **competition.all_settings(task)}
    decided.pop("figures", None)  # a bundle does not carry what converts them
    return decided


def about_seeds(competition: Description, drawn: int) -> Iterator[str]:
    """Say where the secret seed is that was drawn, and which seeds are none."""
    for task in competition.document["tasks"]:
        settings, where = _decided(competition, task), f"Seed of task {task['index']}:"
        if settings["participants"] != "score":
            continue
        if "seed" not in settings:
            yield (
                f"{where} a secret one was drawn, of which participants see the SHA-256 "
                f"{commitment(drawn)}. To use it in reports and later bundles, copy 'seed' from "
                f"{loading.FILE_NAME} in reference_data_{task['index']}.zip to your settings."
            )
        elif settings["seed"] < 2 ** (_SEED_BITS // 2):
            yield (
                f"{where} {settings['seed']} is so small that participants can find it "
                "from its SHA-256, which they see; leave it out, and a secret one is drawn."
            )


def _time_limit(competition: Description, task: Mapping[str, Any]) -> float:
    limits = (
        phase.get("execution_time_limit") or TIME_LIMIT
        for phase in competition.phases
        if task["index"] in phase["tasks"]
    )
    return float(min(limits, default=TIME_LIMIT))
