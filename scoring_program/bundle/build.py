"""Packs competition.yaml and the files that it names into one zip for a platform.

What the organizer may want to change is no reason to refuse a competition, but advice: who can see
what, which submissions count, how numbers are shown.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import secrets
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import yaml

from ..core.errors import MetricError, OrganizerError, SettingsError, SubmissionError, listed
from ..core.phrases import Phrase, counted
from ..data.competition import Competition, overall_metrics
from ..data.joining.checker_rules import WITHOUT_GOLD, as_document
from ..reading.formats import needs_pyarrow, read_table, suffix
from ..reading.reference import FIELD
from ..report.findings import commitment
from ..scoring.overall import RELATIVE, uncertain_worst_values
from ..settings import loading
from ..settings.model import Settings
from . import codalab, description, frozen, kit, leaks, program
from .archive import pack, tree
from .defaults import DEADHEAT_KEY
from .description import TIME_LIMIT, Description, Item
from .rehearsal import RehearsalResult, misleading_columns, rehearse, unpacked

Files = dict[str, bytes]
#: Gets a line for the organizer.
Log = Callable[[str], None]
#: Share of the platform's time limit that a run plans to use.
_SHARE = 0.5
#: Random bits of a secret seed. With half of them, nobody finds a seed from its hash.
SEED_BITS = 128
#: The leaderboard of a competition whose submissions are collected only.
_ACCEPTED = {
    "title": "Received",
    "key": "received",
    "submission_rule": "Force_Last",
    "columns": [
        {"index": 0, "key": "accepted", "title": "Accepted", "sorting": "desc", "precision": 0}
    ],
}


def build(  # Long because it tells the steps of a bundle in order.
    path: Path,
    *,
    start: date | None = None,
    for_codalab: bool = False,
    wheels: Path | None = None,
    without_gold: bool = False,
    keep_seed: bool = False,
    rehearsed: bool = True,
    log: Log = lambda line: None,
    by_hand: Log | None = None,
) -> bytes:
    """Return the bundle of a competition.yaml, after checks and rehearsals.

    Dates such as "+90 days" count from the day ``start``, or from today. ``without_gold``, the
    platform checks and collects submissions, and nothing that tells the gold is packed. The same
    competition gives the same bytes, unless a seed is drawn because the settings have none.
    ``keep_seed`` writes it to the settings. ``by_hand`` gets, in place of ``log``, what is left to
    do once the bundle is written.

    Raises
    ------
    OrganizerError
        The platform would refuse the bundle, participants could read secrets, the program fails on
        a rehearsal, or packages are missing.
    """
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    competition = description.load(path, start or now.date())
    tasks = competition.document["tasks"]
    for task in tasks if without_gold else ():
        task[DEADHEAT_KEY] = {**competition.own(task), "gold": False}
    problems: list[str] = []
    if collected := [task for task in tasks if not competition.has_gold(task)]:
        problems += _uncollectable(competition, collected)
        competition.document["leaderboards"] = [_ACCEPTED]
    if for_codalab:
        problems += codalab.problems(competition.document)
    competition.refuse(problems)
    for line in (*competition.notes, *_dates(competition, now)):
        log(line)
    image = program.image_of(competition.document)
    extras = () if collected else program.needed_extras(competition)
    languages = {str(competition.all_settings(task).get("language", "en")) for task in tasks}
    contents = program.files(image, wheels, extras, languages)
    packed = pack(contents)
    log(f"Program: {len(packed) / 2**20:.1f} MiB.")
    if not program.holds_bytecode(contents):
        log(
            f"No Python {image.python}, the image's, is on this machine's PATH, so the program is "
            f"packed without the bytecode with which a run starts sooner; put python{image.python} "
            "on the PATH, and build the bundle again."
        )
    members: Files = {"scoring_program.zip": packed}
    document = copy.deepcopy(competition.document)
    document.pop(DEADHEAT_KEY, None)
    document["image"] = _add(members, competition, "image", document["image"])
    document["terms"] = _add(members, competition, "pages/terms", document["terms"])
    for i, page in enumerate(document["pages"]):
        page["file"] = _add(members, competition, f"pages/{i}", page["file"])
    seed = secrets.randbits(SEED_BITS)
    for task in document["tasks"]:
        stated = _frozen(_reference(competition, task, seed), _samples(competition, task))
        _add_archive(members, task, "reference_data", stated)
        for key in ("input_data", "ingestion_program"):
            _add_as_it_is(members, competition, task, key)
        task["scoring_program"] = "scoring_program.zip"
        task.pop(DEADHEAT_KEY, None)
    competition.refuse(_unrankable(competition, document, members))
    for solution in document["solutions"]:
        name = f"solution_{solution['index']}.zip"
        members[name] = _upload(competition.path(solution["path"]))
        solution["path"] = name
    for phase in document["phases"]:
        _add_phase(members, competition, document, phase)
    competition.refuse(leaks.problems(competition, document, members))
    for line in _asked_for(competition, document, members):
        log(line)
    for task in document["tasks"] if collected else ():
        with unpacked(members[task["reference_data"]]) as reference:
            rules = kit.rules_of(reference)
            _, settings = kit.golds_of(reference)
        told = {
            "title": settings.title or document["title"],
            "language": settings.language,
            "rules": as_document(rules),
        }
        text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
        members[task["reference_data"]] = pack({WITHOUT_GOLD: text.encode()})
    if rehearsed:
        _try(competition, document, members, image, log)
    if not collected:
        for line in (*_advice(competition), *_about_seeds(competition, seed, keep_seed)):
            log(line)
    for line in _steps(competition, for_codalab=for_codalab, without_gold=bool(collected)):
        (by_hand or log)(line)
    if for_codalab:
        document, members = codalab.translate(document, members)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=1000)
    return pack({**members, "competition.yaml": text.encode()})


def _uncollectable(competition: Description, collected: Sequence[Item]) -> Iterator[str]:
    """Say which tasks cannot be collected without their gold."""
    if len(collected) < len(competition.document["tasks"]):
        yield (
            f"tasks: task {collected[0]['index']} has 'gold: false' and others have not, but all "
            "share one leaderboard; make a competition of its own of the phases without gold"
        )
    for task in collected:
        if competition.layout(task) != "single":
            yield (
                f"task {task['index']}: without gold, an upload is one submission; set 'layout: "
                "single', or leave 'gold: false' out"
            )
        if reader := competition.all_settings(task).get("reader"):
            yield (
                f"task {task['index']}: without gold, nothing can check an upload that {reader} "
                "reads; leave out 'gold: false' or --without-gold, or collect the submissions "
                "elsewhere"
            )


def flat(path: Path) -> Files:
    """Return a folder's files, with every folder in it packed as an archive.

    Some workers would move the content of a folder to the top; see `rehearsal.unpack`. Files that
    pyarrow reads become CSV.

    Raises
    ------
    OrganizerError
        A folder and an archive, or two files, would have the same name; or a file cannot be read.
    """
    if path.is_file():
        return _without_arrow(tree(path))
    top: Files = {}
    folders: dict[str, Files] = {}
    for name, content in _without_arrow(tree(path)).items():
        folder, slash, inside = name.partition("/")
        members = folders.setdefault(f"{folder}.zip", {}) if slash else top
        members[inside or name] = content
    if twice := sorted(top.keys() & folders):
        raise OrganizerError(
            f"{path}: {twice[0]} exists, and a folder is packed under the same name; rename one"
        )
    return top | {name: pack(members) for name, members in folders.items()}


def _without_arrow(files: Files) -> Files:
    """Return files, with CSV in place of those that pyarrow reads: platforms' images lack it."""
    plain = {name: content for name, content in files.items() if not needs_pyarrow(name)}
    for name in sorted(files.keys() - plain.keys()):
        as_csv = f"{name.removesuffix(suffix(name))}.csv"
        if as_csv in plain:
            raise OrganizerError(f"{name} is packed as CSV, and {as_csv} exists; remove one")
        try:
            table = read_table(files[name], name)
        except SubmissionError as error:
            raise OrganizerError(str(error)) from error
        stream = io.StringIO()
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerows([table.header or (), *zip(*table.columns, strict=True)])
        plain[as_csv] = stream.getvalue().encode()
    return plain


def _add(members: Files, competition: Description, name: str, source: str) -> str:
    name += competition.path(source).suffix
    members[name] = competition.path(source).read_bytes()
    return name


def _upload(path: Path) -> bytes:
    """Return a file or folder as participants upload it; an archive is uploaded unchanged."""
    if path.suffix.lower() != ".zip":
        return pack(flat(path))
    if not zipfile.is_zipfile(path):
        raise OrganizerError(f"{path}: is not a zip archive; pack it again")
    return path.read_bytes()


def _add_archive(members: Files, item: dict[str, Any], key: str, content: Files) -> None:
    """Pack what a task or phase names under ``key``, and set the key to the archive's name."""
    name = f"{key}_{item['index']}.zip"
    item[key] = name
    members[name] = pack(content)


def _add_as_it_is(members: Files, competition: Description, item: dict[str, Any], key: str) -> None:
    """Add files that this program does not read; an archive is not packed again."""
    if key in item:
        path = competition.path(item[key])
        _add_archive(members, item, key, tree(path))
        if path.suffix.lower() == ".zip":
            members[item[key]] = path.read_bytes()


def _add_phase(
    members: Files, competition: Description, document: Item, phase: dict[str, Any]
) -> None:
    for key in phase.keys() & {"start", "end"}:
        # As text, because Codabench drops the time of day from anything else.
        phase[key] = str(phase[key])
    _add_as_it_is(members, competition, phase, "public_data")
    if "starting_kit" in phase:
        (index,) = phase["tasks"]
        task = next(task for task in document["tasks"] if task["index"] == index)
        with unpacked(members[task["reference_data"]]) as reference:
            content = kit.files(reference) | tree(competition.path(phase["starting_kit"]))
        _add_archive(members, phase, "starting_kit", content)


def _reference(competition: Description, task: Item, seed: int) -> Files:
    """Return a task's reference data with the field and the settings."""
    reference = flat(competition.reference(task))
    if (rivals := competition.own(task).get("field")) and competition.has_gold(task):
        reference[f"{FIELD}.zip"] = pack(flat(competition.path(rivals)))
    text = yaml.safe_dump(_settings(competition, task, seed), sort_keys=False, allow_unicode=True)
    reference[loading.FILE_NAME] = text.encode()
    return reference


def _asked_for(competition: Description, document: Item, members: Files) -> Iterator[str]:
    """Say what participants are asked to send for each task."""
    for task, packed in zip(document["tasks"], competition.document["tasks"], strict=True):
        if competition.layout(packed) != "single":
            continue
        with unpacked(members[task["reference_data"]]) as reference:
            for columns in frozen.asked_for(kit.tasks_of(reference)):
                yield f"Participants send for task {task['index']}: {columns}"


def _samples(competition: Description, task: Item) -> list[bytes]:
    """Return the submissions beside a task: its solutions and its rehearsal."""
    paths = [
        solution["path"]
        for solution in competition.document["solutions"]
        if task["index"] in solution["tasks"]
    ]
    if rehearsal := competition.own(task).get("rehearsal"):
        paths.append(rehearsal)
    return [_upload(competition.path(path)) for path in paths]


def _frozen(reference: Files, samples: Sequence[bytes]) -> Files:
    """Return reference data whose settings state what files mean; the organizer's stay as they are.

    Raises
    ------
    OrganizerError
        What the gold means is an open question.
    """
    stated = frozen.stated_settings(pack(reference), samples)
    settings = yaml.safe_load(reference[loading.FILE_NAME])
    text = yaml.safe_dump({**settings, **stated}, sort_keys=False, allow_unicode=True)
    return {**reference, loading.FILE_NAME: text.encode()}


def _settings(competition: Description, task: Item, seed: int) -> dict[str, Any]:
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


def _decided(competition: Description, task: Item) -> dict[str, Any]:
    """Return a task's settings and what they leave open, decided for a platform.

    The task's settings override those of the reference data. If neither sets a layout, an upload
    is one submission: otherwise a participant could send several and be scored by the best. Who
    uploads one submission is a participant, and sees the scores only.
    """
    layout = competition.layout(task)
    limits = (
        phase.get("execution_time_limit") or TIME_LIMIT
        for phase in competition.phases
        if task["index"] in phase["tasks"]
    )
    defaults: dict[str, Any] = {
        "layout": layout,
        "time_budget": _SHARE * min(limits, default=TIME_LIMIT),
        "color_scheme": "light",  # like the platforms' own pages
        "participants": "score" if layout == "single" else Settings().participants,
    }
    decided = {**defaults, **competition.all_settings(task)}
    decided.pop("figures", None)  # a bundle does not carry what converts them
    if decided.get("format") == "arrow":
        del decided["format"]  # what it reads is packed as CSV
    decided.pop("interactive", None)  # pages of a platform hold no script
    return decided


def _about_seeds(competition: Description, drawn: int, keep: bool) -> Iterator[str]:
    """Say where the seed is that was drawn, which is kept where it may be, and which is none."""
    for task in competition.document["tasks"]:
        settings = _decided(competition, task)
        where = f"Seed of task {task['index']}:"
        if settings["participants"] != "score":
            continue
        if "seed" not in settings:
            path = competition.path(task["reference_data"]) / loading.FILE_NAME
            drawn_seed = (
                f"{where} one was drawn, of which pages show the SHA-256 {commitment(drawn)}. "
            )
            if keep and _kept(path, drawn):
                yield (
                    f"{drawn_seed}It was written to {path}, so that reports and later bundles use "
                    "it."
                )
            else:
                yield (
                    f"{drawn_seed}To use it in reports and later bundles, copy 'seed' from "
                    f"{loading.FILE_NAME} in reference_data_{task['index']}.zip to your settings."
                )
        elif settings["seed"] < 2 ** (SEED_BITS // 2):
            yield (
                f"{where} {settings['seed']} is so small that participants can find it "
                "from its SHA-256, which they see; leave it out, and one is drawn."
            )


def _kept(path: Path, seed: int) -> bool:
    """Add the seed to a settings file; return whether it may have such a line, and can."""
    text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
    ends = not text or text.endswith("\n")
    line = f"{'' if ends else chr(10)}seed: {seed}  # by deadheat bundle\n"
    try:
        if yaml.safe_load(text + line) != {**(yaml.safe_load(text) or {}), "seed": seed}:
            return False
        with path.open("a", encoding="utf-8") as stream:
            stream.write(line)
    except (yaml.YAMLError, OSError):
        return False
    return True


def _unrankable(competition: Description, document: Item, members: Files) -> Iterator[str]:
    """Say which tasks rank single submissions by what takes several to compute."""
    for task, described in zip(document["tasks"], competition.document["tasks"], strict=True):
        if competition.layout(described) != "single":
            continue
        with unpacked(members[task["reference_data"]]) as reference:
            golds, settings = kit.golds_of(reference)
            if len(golds) < 2:
                continue
            ranking = overall_metrics(golds, settings)[0].function
        alone = f"task {task['index']}: a submission is scored alone on the platform, and"
        if ranking in RELATIVE:
            yield (
                f"{alone} {ranking!r} over its reference files ({listed(p.name for p in golds)}) "
                "compares it with others; set 'overall' to 'mean', which needs metrics of one "
                "direction, or to a formula"
            )
        if settings.missing_task == "worst":
            scored = Competition("single", golds, overall=overall_metrics(golds, settings))
            try:  # metrics that have no worst value for a submission that lacks tasks
                for problem in uncertain_worst_values(scored):
                    yield f"task {task['index']}: {problem}"
            except (MetricError, OrganizerError) as error:
                yield f"task {task['index']}: {error}"


def _try(
    competition: Description, document: Item, members: Files, image: program.Image, log: Log
) -> None:
    """Run the packed program on every rehearsal; compare its scores with the leaderboard."""
    tried: list[RehearsalResult] = []
    untried = []
    if not image.runs_here:
        log(
            f"Tried with this machine's own Python and packages: those carried are for Linux and "
            f"Python {image.python}."
        )
    for task, described in zip(document["tasks"], competition.document["tasks"], strict=True):
        # Of a task with an ingestion program, solutions may be code, which predicts nothing here.
        takes_code = "ingestion_program" in task
        submissions = {}
        for number, solution in enumerate(document["solutions"]):
            if task["index"] in solution["tasks"] and not takes_code:
                path = competition.document["solutions"][number]["path"]
                submissions[path] = members[solution["path"]]
        if rehearsal := competition.own(described).get("rehearsal"):
            submissions[rehearsal] = _upload(competition.path(rehearsal))
        if not submissions:
            untried.append(task["index"])
            named = (
                "its submissions may be code, so name predictions, as the ingestion program "
                "leaves them,"
                if takes_code
                else "name a submission that works"
            )
            log(
                f"Task {task['index']} and the leaderboard's columns were not tried: {named} under "
                f"'{DEADHEAT_KEY}: rehearsal' of the task; it is not packed."
            )
        for name, submission in submissions.items():
            place = f"Task {task['index']} tried on {name}"
            leave_out = "" if image.runs_here else program.CARRIED
            try:
                done = _rehearsed(members, task, submission, leave_out)
            except OrganizerError as error:
                raise OrganizerError(f"{place}: {error}") from error
            tried.append(done)
            log(f"{place}: {len(done.scores)} scores.")
            if done.unusable:
                unusable = Phrase("unusable submission", "unusable submissions")
                log(f"{place}: {counted(len(done.unusable), unusable)}:")
            for line in done.unusable:
                log(line)
    if not untried:
        timed = any("ingestion_program" in task for task in document["tasks"])
        competition.refuse(misleading_columns(document["leaderboards"], tried, timed=timed))


def _rehearsed(members: Files, task: Item, submission: bytes, leave_out: str) -> RehearsalResult:
    try:
        packed = members["scoring_program.zip"], members[task["reference_data"]], submission
        return rehearse(*packed, leave_out)
    except OrganizerError as error:
        if "exactly one predictions file" not in str(error):
            raise
        raise OrganizerError(
            f"{error}\nIf these are several teams' submissions, add 'layout: teams' to the task's "
            "settings."
        ) from error


# Advice -------------------------------------------------------------------------------------------


#: Codabench's rules for the leaderboard, and the setting 'runs' that counts the same submissions in
#: a report of all of them. Under the other rules, participants choose.
_RUNS = {"Force_Best": "best", "Force_Last": "last", "Force_Latest_Multiple": "all"}
#: Where Codabench takes bundles, and what explains the later steps on each platform.
_UPLOAD = "https://www.codabench.org/competitions/upload/"
_DOCS = "https://docs.codabench.org/latest/Organizers/Running_a_benchmark"
_OF_CODALAB = "https://github.com/codalab/codalab-competitions/wiki/User_Running-a-Competition"
#: Layouts of uploads that hold every system once, so that no runs are to be chosen.
_TABLES = ("wide", "long")
#: Keys of scores that are whole numbers, up to the first dot.
_WHOLE = {"rank", "tied_with_leader", "n_tied_with_leader", "n_teams", "n_examples"}


def _advice(competition: Description) -> Iterator[str]:
    """Yield advice on a competition that can be uploaded."""
    if not competition.document["enable_detailed_results"]:
        yield (
            "enable_detailed_results: is false, so the platform shows the scores and nobody sees "
            "the page; set it to true if participants are to see it."
        )
    reports = [
        task for task in competition.document["tasks"] if competition.layout(task) != "single"
    ]
    for phase in competition.phases:
        if any(task["index"] in phase["tasks"] for task in reports):
            yield _not_private(competition, phase)
    yield from _which_runs(competition, reports)
    for board in competition.document["leaderboards"]:
        for column in board["columns"]:
            if column["key"].partition(".")[0] in _WHOLE and column["precision"]:
                yield (
                    f"leaderboards: {column['key']!r} is a whole number, but its precision is "
                    f"{column['precision']}; set it to 0, and the platform shows 1.0, the shortest "
                    "form it has."
                )


def _dates(competition: Description, now: datetime) -> Iterator[str]:
    """Say when each phase takes place."""
    for phase in competition.phases:
        name = repr(phase["name"])
        end = phase.get("end")
        until = f" to {end:%Y-%m-%d %H:%M}" if end else ", without an end"
        over = "; it has already ended" if end and end <= now else ""
        yield f"Phase {name}: {phase['start']:%Y-%m-%d %H:%M}{until} (UTC){over}."


def _not_private(competition: Description, phase: Item) -> str:
    alone = len(competition.phases) == 1
    # The platform shows the first one in every phase.
    board = competition.document["leaderboards"][0]
    hidden = {"'hide_output: true' in the phase": phase.get("hide_output")}
    if alone:
        hidden["'hidden: true' in the leaderboard"] = board.get("hidden")
        hidden["'registration_auto_approve: false'"] = not competition.document.get(
            "registration_auto_approve"
        )
    remedy = (
        "Never publish this competition."
        if alone
        else "Move it to a separate competition that is never published, or make the report on "
        "your own machine with 'deadheat score'."
    )
    missing = [place for place, is_hidden in hidden.items() if not is_hidden]
    return (
        f"The phase {phase['name']!r} scores all submissions at once and is not private: once the "
        "competition is published, anyone can open the page of any submission to any phase, and "
        f"participants can upload to this one. {remedy}"
        + (f" To hide what can be hidden, set {listed(missing)}." if missing else "")
    )


def _which_runs(competition: Description, reports: list[dict[str, Any]]) -> Iterator[str]:
    """Say where the report of all submissions would not count the leaderboard's submissions."""
    rule = competition.document["leaderboards"][0].get("submission_rule", "Add")
    agreeing = _RUNS.get(rule)
    if agreeing is None:
        yield (
            f"Under the leaderboard's submission_rule {rule}, participants choose which submission "
            "counts, and no value of the setting 'runs' follows their choice. Force_Best "
            "corresponds to 'runs: best', Force_Last to 'runs: last'."
        )
        return
    for task in competition.document["tasks"]:
        if competition.layout(task) in _TABLES:
            continue
        runs = competition.all_settings(task).get("runs", "all" if task in reports else agreeing)
        if runs != agreeing:
            yield (
                f"Task {task['index']}: 'runs: {runs}' does not count the same submissions as the "
                f"leaderboard, whose submission_rule is {rule}; 'runs: {agreeing}' does."
            )
    if not reports:
        yield (
            "For the report of all submissions, put the platform's bulk download into res/ on your "
            f"own machine; 'deadheat score INPUT OUTPUT --runs {agreeing}' counts the submissions "
            "that the leaderboard shows."
        )


def _steps(competition: Description, *, for_codalab: bool, without_gold: bool) -> Iterator[str]:
    """Say what is public, and what the organizer still does by hand, in order."""
    alone = any(competition.layout(task) == "single" for task in competition.document["tasks"])
    public = alone and not for_codalab
    if public and not without_gold:
        yield (
            "Public: once this competition is published, anybody can download its reference data "
            "from Codabench without an account: the gold, the packed field and the seed. For a "
            "final phase with prizes, build it with --without-gold: uploads are checked and "
            "collected, and you score them with 'deadheat score' on your own machine."
        )
    site = "your CodaLab's page 'My Competitions'" if for_codalab else _UPLOAD
    yield "What is left to do by hand:"
    steps = [
        (f"Upload the bundle: {site}", ""),
        ("Look at the dates of the phases, which are in UTC", ""),
    ]
    if without_gold:  # the texts must be true where nothing is scored, and no program knows them
        texts = [page["file"] for page in competition.document["pages"]]
        texts += [f"the description of the phase {phase['name']!r}" for phase in competition.phases]
        told = (
            "Tell participants when the scores come, because the platform shows none. If a text "
            f"promises them, change it and build again: {', '.join(texts)}"
        )
        steps.insert(0, (told, ""))
    if alone:
        publish = "Submit the sample as a participant would, and publish the competition"
        # Of each participant the leaderboard without gold keeps the last submission, the final one.
        how = " with 'deadheat score INPUT OUTPUT --runs last'" if without_gold else ""
        download = f"After the deadline, download all submissions, and make the report{how}"
        steps += [(publish, "Competition-Management-&-List"), (download, "Competition-Detail-Page")]
        if not without_gold:
            delete = "Delete the reference data when the competition is over"
            steps.append((delete, "Resource-Management"))
    else:
        steps.append(("Never publish it. Upload the bulk download of all submissions", ""))
    if for_codalab:
        steps = [*((text, "") for text, _ in steps), (f"How: {_OF_CODALAB}", "")]
    for number, (text, page) in enumerate(steps, start=1):
        yield f"  {number}. {text}{f': {_DOCS}/{page}/' if page else ''}"
