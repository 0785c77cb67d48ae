"""What is frozen: inputs from the tests' own makers, and the calls that run on them.

Calls are arguments of ``python -m scoring_program``, or a mapping with a function of the API; in
their texts, ``{in}`` is the item's folder of inputs and ``{out}`` that of outputs.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scoring_program.core.catalogs import languages
from tests.api import data
from tests.bundle import made as bundles
from tests.commands import test_organizers_mistakes as organizers
from tests.competitions import EXAMPLE, REPOSITORY
from tests.freeze import pages
from tests.hostile.bad import BAD
from tests.hostile.kinds import HARMLESS, KINDS, Mistakes
from tests.hostile.trap import Trap
from tests.reading import mistakes, more_mistakes, test_mistakes, variants
from tests.report import kinds, made
from tests.simulations.checks import CHECKS

LAYERS = NUMBERS, REFUSALS, LOOKS, PIXELS, SIMULATIONS = (
    "numbers", "refusals", "looks", "pixels", "simulations",
)  # fmt: skip
Call = Sequence[str] | Mapping[str, Any]
Write = Callable[[Path], Sequence[Call]]

_QUICK = ("--resamples", "100", "--workers", "1")
_SCORED = ("{in}", "{out}", *_QUICK)
_AS_TEAMS = (*_SCORED, "--layout", "teams")
_OTHER_SETTINGS = (
    *(f"--tie-rule {rule}" for rule in ("holm", "bonferroni", "fdr_bh", "none", "interval")),
    *(f"--interval {name}" for name in ("standard_error", "bca")),
    "--studentized always", "--reference-entry UMUTeam", "--margin 0.01", "--confidence 0.9",
    "--tests randomization", "--language es", "--language pt",
)  # fmt: skip


@dataclass(frozen=True)
class Item:
    """What is frozen together: ``write`` puts the inputs into a folder and returns the calls."""

    name: str
    layers: Sequence[str]
    write: Write


def items() -> Iterator[Item]:
    """Yield the whole corpus."""
    for name, write in _scored():
        pictures = (PIXELS,) if name.startswith("page: ") else ()
        yield Item(name, (NUMBERS, LOOKS, *pictures), write)
    for name, write in _refused():
        yield Item(name, (REFUSALS,), write)
    for check in CHECKS:
        write = partial(_nothing, {"check": check.number})
        yield Item(f"simulation: {check.number}", (SIMULATIONS,), write)


def _scored() -> Iterator[tuple[str, Write]]:
    """Yield what is scored, what takes longest first."""
    for platform in ("Codabench", "CodaLab"):
        yield f"platform: {platform}", partial(_bundle, platform)
    known = kinds.KINDS.values()
    forms = {name: make for name, make in made.FORMS.items() if make not in known}
    for name, make in {**kinds.KINDS, **forms}.items():
        yield f"page: {name}", partial(_page, make)
    yield from _example()
    for kind in sorted(path.name for path in (REPOSITORY / "templates/new/kinds").iterdir()):
        yield f"new: {kind}", partial(_new, kind)
    yield from _api()
    for name, variant in variants.CASES.items():
        yield f"variant: {name}", partial(_variant, variant)
    for kind, case in KINDS.items():
        for name in HARMLESS:
            changed: Callable[[str], bytes] = HARMLESS[name]
            teams = {"plain": case.good.encode(), "unusual": changed(case.good)}
            files = {f"{team}/{case.file}": content for team, content in teams.items()}
            yield f"harmless: {kind}: {name}", partial(_kind, case, files)
    for name, sent in mistakes.NO_MISTAKES.items():
        yield f"no mistake: {name}", partial(_sent, sent, "labels")


def _refused() -> Iterator[tuple[str, Write]]:
    """Yield what is refused: alone, and among teams in every language of the page."""
    for language in languages():
        yield f"bad uploads of teams, {language}", partial(_bad_teams, language)
        for gold in _GOOD:
            yield f"mistakes of teams: {gold}, {language}", partial(_mistaken, gold, language)
        for kind, case in KINDS.items():
            yield f"kind of teams: {kind}, {language}", partial(_kind_of_teams, case, language)
    for kind, case in KINDS.items():
        for name in case.bad:
            yield f"kind: {kind}: {name}", partial(_kind, case, _upload(case, name))
    for name in _MISTAKES:
        yield f"mistake: {name}", partial(_mistake, name)
    for name, mistake in organizers.MISTAKES.items():
        yield f"organizer: {name}", partial(_organizer, mistake)
    for bad in BAD:
        yield f"bad: {bad.kind}: {bad.name}", partial(_bad, bad.spoil)
    for command in ("score", "check", "audit", "compare", "new", "bundle"):
        yield f"usage: {command}", partial(_nothing, [command, "--help"])
        yield f"usage: {command}: a typo", partial(_nothing, [command, "--debugg"])
    for arguments in ([], ["scor"], ["--version"]):
        yield f"usage: {' '.join(arguments) or 'none'}", partial(_nothing, arguments)


_MISTAKES = {**mistakes.MISTAKES, **more_mistakes.MORE}
#: Two usable uploads beside the unusable ones, by the gold of the mistakes.
_GOOD = {
    "labels": {"p.csv": mistakes.GOOD},
    "long ids": {"p.csv": mistakes.csv(zip(mistakes.LONG_IDS, mistakes.LABELS, strict=True))},
    "numbers": {"p.csv": mistakes.numbers(str)},
    "probabilities": {"p.csv": mistakes.constant("0.2,0.3,0.5", "id,hate,neutral,spam")},
    "tasks": {"stance.csv": mistakes.GOOD, "mood.csv": mistakes.GOOD},
}  # fmt: skip


def _nothing(call: Call, _: Path) -> Sequence[Call]:
    return [call]


def _example() -> Iterator[tuple[str, Write]]:
    score = ("{in}/input", "{out}", "--workers", "1")
    audit = ("audit", "{in}/input", "-o", "{out}")
    yield "example", partial(_copied, "", [(*score, "--verbose")])
    for option in _OTHER_SETTINGS:
        call = (*score, "--resamples", "1000", *option.split())
        yield f"example {option}", partial(_copied, "", [call])
    regraded = (*audit, "--regraded", "{in}/input/res/NLPCIC/predictions.csv")
    plan = (*audit, "--plan", "--entries", "5")
    for name, call in {"audit": audit, "regraded": regraded, "plan": plan}.items():
        for language in languages():
            settings = f"resamples: 1000\nlanguage: {language}\n"
            yield f"example: {name}, {language}", partial(_copied, settings, [call])
    runs = [("{in}/input", f"{{out}}/{seed}", *_QUICK, "--seed", seed) for seed in ("1", "2")]
    compared = [
        ("compare", "{out}/1", "{out}/2", "-o", f"{{out}}/{language}", "--language", language)
        for language in languages()
    ]
    yield "example: compared", partial(_copied, "", [*runs, *compared])


def _copied(settings: str, calls: Sequence[Call], folder: Path) -> Sequence[Call]:
    shutil.copytree(EXAMPLE, folder / "input")
    with (folder / "input/ref/scoring.yaml").open("a", encoding="utf-8") as stream:
        stream.write(settings)
    return calls


def _api() -> Iterator[tuple[str, Write]]:
    """Yield calls of the API with arrays."""
    for make in (data.labels, data.probabilities, data.numbers):
        y_true, predictions = make()
        given: dict[str, Any] = {"y_true": y_true.tolist(), "predictions": _listed(predictions)}
        metrics = {"metrics": "log_loss"} if make is data.probabilities else {}
        call = _called("compare", **given, **metrics, resamples=200)
        yield f"api: {make.__name__}", partial(_nothing, call)
    scores = _listed(data.numbers()[1])
    call = _called("compare_scores", scores=scores, greater_is_better=False)
    yield "api: scores", partial(_nothing, call)


def _listed(arrays: data.Arrays) -> dict[str, Any]:
    return {name: values.tolist() for name, values in arrays.items()}


def _called(name: str, **arguments: Any) -> Mapping[str, Any]:
    return {"name": name, "arguments": {**arguments, "workers": 1}, "output": "{out}"}


def _page(make: Callable[[], Any], folder: Path) -> Sequence[Call]:
    pages.write(make(), folder)
    return [("{in}", "{out}", "--resamples", "500", "--workers", "1")]


def _bundle(platform: str, folder: Path) -> Sequence[Call]:
    described = bundles.example(folder) / "competition.yaml"
    call = ("bundle", "-o", "{out}/bundle.zip", "--start", "2026-01-01", "--competition")
    packed = (*call, f"{{in}}/{described.name}", *(["--codalab"] * (platform == "CodaLab")))
    return [packed, {"platform": platform, "upload": "{in}/example/sample_solution"}]


def _new(kind: str, _: Path) -> Sequence[Call]:
    return [
        ("new", "{out}/made", "--kind", kind),
        ("{out}/made", "{out}/results", *_QUICK),
        ("audit", "{out}/made", "-o", "{out}/audit"),
    ]


def _variant(case: variants.Case, folder: Path) -> Sequence[Call]:
    case.write(folder)
    return [_SCORED]


def _upload(case: Mistakes, name: str) -> Mapping[str, bytes]:
    content, extension = case.bad[name][0], name.partition(".")[2]
    file = f"p.{extension}" if extension else case.file
    return {file: content if isinstance(content, bytes) else content.encode()}


def _kind(
    case: Mistakes, files: Mapping[str, bytes], folder: Path, call: Call = _SCORED
) -> Sequence[Call]:
    gold, settings = {case.gold[0]: case.gold[1].encode()}, f"metrics: [{case.metrics}]"
    variants.case(dict(files), gold=gold, settings=settings).write(folder)
    return [call]


def _kind_of_teams(case: Mistakes, language: str, folder: Path) -> Sequence[Call]:
    files = {f"good {k}/{case.file}": case.good.encode() for k in (1, 2)}
    for name in case.bad:
        team = name.partition(".")[0]
        files |= {f"{team}/{file}": content for file, content in _upload(case, name).items()}
    return _kind(case, files, folder, (*_AS_TEAMS, "--language", language))


def _sent(files: Mapping[str, bytes], gold: str, folder: Path) -> Sequence[Call]:
    test_mistakes.sent(folder, files, gold)
    return [_SCORED]


def _mistake(name: str, folder: Path) -> Sequence[Call]:
    mistake = _MISTAKES[name]
    score = _sent(mistake.files, mistake.gold, folder)
    if mistake.gold == "tasks" or len(mistake.files) > 1:
        return score
    check = ("check", f"{{in}}/res/{next(iter(mistake.files))}", "--ids", "{in}/ref/gold.csv")
    return [*score, check]


def _mistaken(gold: str, language: str, folder: Path) -> Sequence[Call]:
    files = {f"good {k}/{name}": content for k in (1, 2) for name, content in _GOOD[gold].items()}
    for name, mistake in _MISTAKES.items():
        if mistake.gold == gold:
            files |= {f"{name}/{file}": content for file, content in mistake.files.items()}
    _sent(files, gold, folder)
    return [(*_AS_TEAMS, "--language", language)]


def _organizer(mistake: organizers.Mistake, folder: Path) -> Sequence[Call]:
    res, gold = {"p.csv": mistake.res}, dict(mistake.ref)
    variants.case(res, gold=gold, settings=mistake.settings).write(folder)
    return [_SCORED]


def _bad(spoil: Callable[[Trap], object], folder: Path) -> Sequence[Call]:
    spoil(Trap(folder).single())
    return [("{in}/input", *_SCORED[1:])]


def _bad_teams(language: str, folder: Path) -> Sequence[Call]:
    """Put every upload that is refused into the folder of a team."""
    Trap(folder).several()
    plain = _files(folder / "input/ref")
    for number, bad in enumerate(BAD):
        if bad.name == "five thousand empty members":
            continue  # each would be a run
        with tempfile.TemporaryDirectory() as made:
            trap = Trap(Path(made)).single()
            bad.spoil(trap)
            if bad.status != 1 or _files(trap.ref) != plain or _is_special(trap.res):
                continue
            team = "".join(c for c in bad.name if c.isalnum() or c == " ")[:60]
            shutil.copytree(trap.res, folder / f"input/res/{team} {number}")
    return [("{in}/input", *_AS_TEAMS[1:], "--language", language)]


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _is_special(folder: Path) -> bool:
    return not folder.is_dir() or any(
        p.is_symlink() or not (p.is_file() or p.is_dir()) for p in folder.rglob("*")
    )
