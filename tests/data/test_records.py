"""Records: an organizer's reader, and metrics of what it makes, by sums or by items."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score, mean_pinball_loss

from scoring_program import score
from scoring_program.bundle import kit
from scoring_program.bundle.build import build
from scoring_program.commands import check, new
from scoring_program.core.errors import OrganizerError
from tests.data.test_kinds import Case
from tests.docs.blocks import PAGES, blocks

READER = '''
import json, os


class ParticipantVisibleError(Exception):
    line = None


def read(path):
    """A unit a line: its id, and numbers."""
    print("printed for nobody")
    found = {}
    for number, line in enumerate(open(path), 1):
        name, *cells = line.split()
        if name == "leave":
            os._exit(0)
        if name == "memory":
            bytearray(10**11)
        if name == "odd":
            error = ParticipantVisibleError("the unit 'odd' is odd")
            error.line = number
            raise error
        found[name] = {"numbers": [int(cell) for cell in cells], "source": name[:2]}
    return found


def counts(gold, prediction):
    one, other = set(gold["numbers"]), set(prediction["numbers"])
    return [len(one & other), len(one), len(other)]


def f1(sums):
    return 2 * sums[0] / (sums[1] + sums[2])


def item(gold, prediction):
    return {"counts": counts(gold, prediction)}


def f1_of_items(items, counts):
    sums = [0, 0, 0]
    for own, times in zip(items, counts):
        sums = [total + int(times) * more for total, more in zip(sums, own["counts"])]
    return f1(sums)
'''
SUMS = "{name: f1, statistics: own.py:counts, function: own.py:f1, greater_is_better: true}"
ITEMS = (
    "{name: items, statistics: own.py:item, function: own.py:f1_of_items, sums: false, "
    "greater_is_better: true}"
)


def lines(right: float, seed: int) -> str:
    """Return the numbers of 60 units in another order, of which a share is right."""
    gold, rng = np.random.default_rng(0), np.random.default_rng(seed)
    rows = []
    for i in range(60):
        numbers = gold.choice(30, 5, replace=False)
        kept = [n if rng.random() < right else 30 + n for n in numbers]
        rows.append(f"u{i:02d} {' '.join(map(str, kept))}")
    return "\n".join(rows if seed == 0 else rows[::-1]) + "\n"


GOLD, NORTH, SOUTH = lines(1, 0), lines(0.8, 1), lines(0.6, 2)


def case(root: Path, settings: str, res: dict[str, str] | None = None) -> Case:
    ref = {"gold.txt": GOLD, "own.py": READER, "scoring.yaml": f"reader: own.py:read\n{settings}"}
    return Case(root, ref, res or {"north.txt": NORTH, "south.txt": SOUTH})


def results(found: Case) -> dict[str, dict[str, object]]:
    document = json.loads((found.output / "results.json").read_text())
    return {metric["name"]: metric for metric in document["metrics"]}


def test_items_score_as_their_sums(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = case(tmp_path, f"metrics: [{SUMS}, {ITEMS}]\n")
    assert found.run() == 0
    assert "2 entries on 60 units." in (printed := capsys.readouterr().out)
    assert "printed for nobody" not in printed
    by_name = results(found)
    for key in ("entries", "pairs"):
        one, other = (json.dumps(by_name[name][key]) for name in ("f1", "items"))
        assert one == other
    pairs = zip(GOLD.split(), " ".join(NORTH.splitlines()[::-1]).split(), strict=True)
    right = np.mean([one == other for one, other in pairs if not one.startswith("u")])
    assert found.scores()["items.north"] == pytest.approx(right, abs=1e-9)


@pytest.mark.usefixtures("reads_here")
def test_items_that_a_function_changes_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each example counts once on the whole test set, so only a resample shows it."""
    changing = '        own["counts"] = [int(times) * more for more in own["counts"]]\n'
    found = case(tmp_path, f"metrics: [{ITEMS}]\n")
    end = "    return f1(sums)\n"
    (found.input / "ref" / "own.py").write_text(READER.replace(end, changing + end))
    assert found.run() == 2
    assert "own.py:f1_of_items changes the items" in capsys.readouterr().err


@pytest.mark.usefixtures("reads_here")
def test_readers_make_groups_and_tasks_meet_policies(tmp_path: Path) -> None:
    more = {"north.txt": NORTH, "south.txt": SOUTH + "extra 1 2\n"}
    settings = f"metrics: [{SUMS}]\ngroup: source\nextra_ids: ignore\n"
    found = case(tmp_path, settings, more)
    assert found.run() == 0
    assert "1 row whose id is not in the test set was passed over" in found.page()
    assert "6 groups" in found.page()


BAD = {
    "odd": (GOLD.replace("u07", "odd"), "line 8: the unit 'odd' is odd"),
    "leaving": (GOLD.replace("u07", "leave"), "cannot read it (SystemExit in own.py, line 16)"),
    "large": (GOLD.replace("u07", "memory"), "takes more memory to read than the limit of"),
    "texts": (GOLD.replace(" ", " x", 1), "reader cannot read it (ValueError in own.py"),
    "lacking": (GOLD.replace("u07", "u77"), "unit 'u07' is missing"),
    "beyond": (GOLD.replace("u07", "u77"), "id 'u77' is not in the test set"),
    "empty": ("", "the file is empty"),
}


def test_bad_submissions_harm_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    teams = {f"{name}.txt": content for name, (content, _) in BAD.items()}
    teams |= {"north.txt": NORTH, "south.txt": SOUTH}
    assert case(tmp_path, f"metrics: [{SUMS}]\n", teams).run() == 0
    document = json.loads((tmp_path / "output/results.json").read_text())
    reasons = {bad["entry"]: bad["reason"] for bad in document["unusable"]}
    assert reasons.keys() == BAD.keys()
    for name, (_, said) in BAD.items():
        assert said in reasons[name]
        assert "invalid literal" not in reasons[name]  # an exception's text may quote the gold
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("", "no metric is known for what a reader of your own makes"),
        (
            "metrics: [accuracy_score]\n",
            "only functions of your own can score what the setting 'reader'",
        ),
        (f"metrics: [{SUMS}]\nmissing: wrong\n", "'wrong' is for predicted labels"),
        (f"metrics: [{SUMS.replace('statistics: own.py:counts, ', '')}]\n", "'statistics:"),
        (f"metrics: [{ITEMS.replace('statistics: own.py:item, ', '')}]\n", "goes with 'statistics"),
    ],
)
def test_what_a_reader_needs(
    tmp_path: Path, settings: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert case(tmp_path, settings).run() == 2
    assert said in capsys.readouterr().err


def test_a_reader_that_is_missing_is_the_organizers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = case(tmp_path, f"metrics: [{SUMS}]\n")
    path = found.input / "ref/scoring.yaml"
    path.write_text(path.read_text().replace("own.py:read", "own.py:reed"))
    assert found.run() == 2
    assert "own.py has no function 'reed'; did you mean 'read'?" in capsys.readouterr().err
    path.write_text(path.read_text().replace("own.py:reed", "own"))
    assert found.run() == 2
    assert "expected a file and its function" in capsys.readouterr().err


def test_no_number_of_workers_changes_the_scores(tmp_path: Path) -> None:
    found = case(tmp_path, f"metrics: [{ITEMS}]\n")
    one, two = (
        score(found.input, resamples=200, workers=workers, backend="loky")["items"].ranking
        for workers in (1, 2)
    )
    assert one == two


def test_the_kit_of_records_holds_the_ids_alone(tmp_path: Path) -> None:
    found = case(tmp_path, f"metrics: [{SUMS}]\n")
    assert {*kit.files(found.input / "ref")} == {"test_ids.csv"}


def written_kit(found: Case) -> Path:
    folder = found.input.parent / "kit"
    folder.mkdir()
    for name, content in kit.files(found.input / "ref").items():
        (folder / name).write_bytes(content)
    return folder


def checked(folder: Path, predictions: str) -> tuple[int, str]:
    """Run a kit's checker without installed packages; return its status and what it prints."""
    command = [sys.executable, "-I", "-S", "check.pyz", predictions]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_kit_with_the_reader_checks(tmp_path: Path) -> None:
    found = case(tmp_path, f"metrics: [{SUMS}]\nkit_reader: true\n")
    folder = written_kit(found)
    assert {path.name for path in folder.iterdir()} == {"test_ids.csv", "check.pyz", "own.py"}
    (folder / "north.txt").write_text(NORTH)
    (folder / "odd.txt").write_text(NORTH.replace("u07", "odd"))
    status, said = checked(folder, "north.txt")
    assert (status, "holds a prediction for each of 60 units" in said) == (0, True)
    status, said = checked(folder, "odd.txt")
    assert (status, "line 53: the unit 'odd' is odd" in said) == (1, True)
    (folder / "own.py").unlink()
    status, said = checked(folder, "north.txt")
    assert (status, "own.py: this file reads the submissions" in said) == (2, True)


FOLDERS = """
from pathlib import Path


class ParticipantVisibleError(Exception):
    pass


def read(folder):
    found = {}
    for file in Path(folder).glob("*/*.ann"):
        cells = file.read_text().split()
        if not cells:
            raise ParticipantVisibleError(f"{file.name} is empty")
        found[file.stem] = cells
    return found


def counts(gold, prediction):
    return gold == prediction, 1


def share(sums):
    return sums[0] / sums[1]
"""


def folders(root: Path, **more: str) -> Case:
    """Return a competition of folders, of a document and its annotation for each unit."""
    settings = (
        "reader: own.py:read\nkit_reader: true\nmetrics: [{name: share, statistics: own.py:counts, "
        "function: own.py:share, greater_is_better: true}]\n"
    )
    ref = {"own.py": FOLDERS, "scoring.yaml": settings, "lexicon.csv": "word,tag\na,b\n"}
    res: dict[str, str] = {}
    for place in range(30):
        ref[f"gold/docs/d{place}.ann"] = f"T{place % 5}"
        ref[f"gold/docs/d{place}.txt"] = "the text"
        res[f"north/docs/d{place}.ann"] = f"T{place % 5}" if place % 6 else "none"
        res[f"south/upload/docs/d{place}.ann"] = f"T{place % 5}" if place % 3 else "none"
    return Case(root, ref, {**res, **more})


@pytest.mark.usefixtures("reads_here")
def test_folders_are_submissions(tmp_path: Path) -> None:
    more = {"west/docs/d0.ann": "T0", "east/docs/d0.ann": "", "east.md/README": ""}
    found = folders(tmp_path, **more)
    with zipfile.ZipFile(found.input / "res/zipped.zip", "w") as archive:
        for path in (found.input / "res/north").rglob("*.ann"):
            archive.write(path, f"docs/{path.name}")
    (found.input / "res/broken.zip").write_text("no archive")
    assert found.run() == 0
    scores = found.scores()
    assert [scores[f"share.{name}"] for name in ("north", "south", "zipped")] == pytest.approx(
        [25 / 30, 20 / 30, 25 / 30]
    )
    document = json.loads((found.output / "results.json").read_text())
    reasons = {bad["entry"]: bad["reason"] for bad in document["unusable"]}
    assert "unit 'd1' is missing" in reasons["west"]
    assert "d0.ann is empty" in reasons["east"]
    assert "not a readable zip archive" in reasons["broken"]


@pytest.mark.usefixtures("reads_here")
def test_a_folder_alone_is_one_submission(tmp_path: Path) -> None:
    found = folders(tmp_path)
    res, field = found.input / "res", found.input / "ref/submissions"
    res.rename(field)
    (field / "south").rename(res)  # a wrapping folder is left out
    assert found.run() == 0
    assert found.scores()["rank"] == 2
    assert found.scores()["n_teams"] == 2
    rules = kit.rules_of(found.input / "ref")
    assert rules.whole == ("docs",)
    folder = written_kit(found)
    (res / "upload").rename(folder / "upload")
    status, said = checked(folder, "upload")
    assert (status, "each of 30 units" in said) == (0, True)
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        assert len(archive.namelist()) == 30
    # Only the settings are known, not that the gold is a folder.
    ids, settings = folder / "test_ids.csv", found.input / "ref/scoring.yaml"
    options = [folder / "upload", "--ids", ids, "--settings", settings]
    assert check.main(list(map(str, options))) == 0


def code_of(file: str, named: str = "own-reader") -> dict[str, Any]:
    """Return the names that a file of a how-to defines."""
    page = blocks(f"docs/how-to/{named}.md")
    names: dict[str, Any] = {}
    exec(next(block for block in page if block.file == file).text, names)
    return names


def test_parses_agree_with_the_scorer_of_universal_dependencies(tmp_path: Path) -> None:
    """The how-to's labeled attachment score, where all words are those of the gold."""
    udeval = pytest.importorskip("udtools.udeval")
    rng = np.random.default_rng(4)
    for file, errors in (("gold", 0.0), ("parsed", 0.3)):
        words, lines = np.random.default_rng(5), []
        for sentence in range(60):
            lines.append(f"# sent_id = s{sentence}")
            for word in range(1, int(words.integers(4, 12))):
                head = int(words.integers(1, word)) if word > 1 else 0
                relation = words.choice(["nsubj", "obj:extra", "det"]) if head else "root"
                if head and rng.random() < errors:
                    head, relation = int(rng.integers(1, word)), "obj"
                cells = [word, f"w{word}", "_", "NOUN", "_", "_", head, relation, "_", "_"]
                lines.append("\t".join(map(str, cells)))
            lines.append("")
        (tmp_path / file).write_text("\n".join(lines) + "\n")
    own = code_of("parses/ref/parses.py")
    gold, parsed = (own["read"](tmp_path / file) for file in ("gold", "parsed"))
    sums = np.sum([own["counts"](gold[key], parsed[key]) for key in gold], axis=0)
    loaded = []
    for file in ("gold", "parsed"):
        with (tmp_path / file).open(encoding="utf-8") as opened:
            loaded.append(udeval.load_conllu(opened, file, {}))
    assert own["las"](sums) == pytest.approx(udeval.evaluate(*loaded)["LAS"].f1, abs=1e-12)


def test_boxes_agree_with_pycocotools() -> None:
    """The how-to's average precision, on resamples that hold some images twice and others never."""
    pytest.importorskip("pycocotools")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    own = code_of("boxes/ref/boxes.py")
    rng = np.random.default_rng(3)
    golds, founds = [], []
    for _ in range(30):
        boxes = rng.uniform([0, 0, 20, 20], [80, 80, 60, 60], (rng.integers(1, 6), 4))
        golds.append(boxes.tolist())
        shifted = np.vstack([boxes + rng.normal(0, 6, boxes.shape), boxes[:1] + 40])
        founds.append(np.column_stack([shifted, rng.random(len(shifted))]).tolist())
    items = [own["matches"](*pair) for pair in zip(golds, founds, strict=True)]
    for counts in (np.ones(30, int), *rng.multinomial(30, [1 / 30] * 30, 3)):
        drawn = np.repeat(np.arange(30), counts)
        truth, results = COCO(), []
        truth.dataset = {"images": [], "categories": [{"id": 1}], "annotations": [], "info": {}}
        for image, i in enumerate(drawn.tolist()):
            truth.dataset["images"].append({"id": image})
            for box in golds[i]:
                number = len(truth.dataset["annotations"]) + 1
                truth.dataset["annotations"].append(
                    {"id": number, "image_id": image, "category_id": 1, "bbox": box,
                     "area": box[2] * box[3], "iscrowd": 0}
                )  # fmt: skip
            results += [
                {"image_id": image, "category_id": 1, "bbox": box[:4], "score": box[4]}
                for box in founds[i]
            ]
        truth.createIndex()
        official = COCOeval(truth, truth.loadRes(results), "bbox")
        official.evaluate()
        official.accumulate()
        official.summarize()
        assert own["average_precision"](items, counts) == pytest.approx(
            official.stats[1], abs=1e-12
        )


def test_files_of_coco_agree_with_pycocotools(tmp_path: Path) -> None:
    """Images without boxes, equal scores, and categories that are wrong."""
    pytest.importorskip("pycocotools")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    rng = np.random.default_rng(4)
    boxes = rng.uniform([0, 0, 20, 20], [80, 80, 60, 60], (60, 4)).round(2)
    gold = {
        "images": [{"id": image} for image in range(21)],
        "categories": [{"id": category} for category in (3, 5, 8)],
        "annotations": [
            {"id": number + 1, "image_id": number % 20, "category_id": int(rng.choice([3, 5])),
             "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            for number, box in enumerate(boxes.tolist())
        ],
    }  # fmt: skip
    results = [
        {"image_id": one["image_id"], "score": round(rng.random(), 1),
         "category_id": one["category_id"] if rng.random() < 0.8 else 8,
         "bbox": (one["bbox"] + rng.normal(0, 5, 4)).round(2).tolist()}
        for one in gold["annotations"]
        if one["image_id"] != 7
    ]  # fmt: skip
    for name, held in (("gold", gold), ("found", results)):
        (tmp_path / f"{name}.json").write_text(json.dumps(held))
    own = code_of("coco/ref/coco.py", "readers/boxes")
    own["read"].__globals__["__file__"] = str(tmp_path / "coco.py")
    truth, found = (own["read"](tmp_path / f"{name}.json") for name in ("gold", "found"))
    items = [own["matches"](truth[image], found[image]) for image in truth]
    coco = COCO(str(tmp_path / "gold.json"))
    official = COCOeval(coco, coco.loadRes(str(tmp_path / "found.json")), "bbox")
    official.evaluate()
    official.accumulate()
    official.summarize()
    score = own["mean_average_precision"](items, np.ones(21, int))
    assert 0.2 < score < 0.9
    assert score == pytest.approx(official.stats[1], abs=1e-12)


def test_readers_take_forty_lines() -> None:
    of_formats = [page for page in PAGES if page.startswith("docs/how-to/readers/")]
    assert len(of_formats) == 8
    for page in ("docs/how-to/own-reader.md", *of_formats):
        for block in blocks(page):
            if block.language == "python" and "/ref/" in block.file:
                assert block.text.count("\n") <= 40, block.file


def sums_of(
    folder: Path, named: str, files: str, counted: str = "counts"
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Return what a file of the page about a format defines, and the sums of its two teams."""
    page = [block for block in blocks(f"docs/how-to/readers/{named}.md") if block.file]
    own = code_of(files, f"readers/{named}")
    read = {}
    for block in page:
        path = Path(block.file or "")
        if path.parts[0] == Path(files).parts[0] and path.suffix not in (".py", ".yaml"):
            (folder / path.name).write_text(block.text)
            read[path.stem] = own["read"](folder / path.name)
    gold = read.pop(next(name for name in read if name in ("gold", "truth")))
    return own, {
        team: np.sum([own[counted](gold[unit], sent[unit]) for unit in gold], axis=0).tolist()
        for team, sent in read.items()
    }


def test_interval_scores_are_twice_the_quantile_losses(tmp_path: Path) -> None:
    own, sums = sums_of(tmp_path, "forecasts", "hub/ref/hub.py", "wis")
    seen = [120, 140, 30, 25]
    quantiles = {0.1: [100, 110, 20, 18], 0.5: [118, 130, 28, 27], 0.9: [135, 150, 36, 34]}
    losses = [mean_pinball_loss(seen, at, alpha=p) for p, at in quantiles.items()]
    assert own["mean"](sums["north"]) == pytest.approx(2 * np.mean(losses), abs=1e-12)


def test_corrections_agree_with_errant(tmp_path: Path) -> None:
    """TP, FP, FN and F0.5 that errant_compare 3.0.0 prints for the how-to's files."""
    own, sums = sums_of(tmp_path, "corrections", "gec/ref/m2.py")
    assert sums == {"north": [3, 0, 1], "south": [2, 2, 2]}
    assert {team: own["f_half"](of) for team, of in sums.items()} == {
        "north": pytest.approx(0.9375), "south": pytest.approx(0.5)
    }  # fmt: skip


def test_coreference_agrees_with_the_reference_scorer(tmp_path: Path) -> None:
    """The quotients of MUC, B3 and CEAFe that scorer.pl 8.01 prints for the how-to's files."""
    own, sums = sums_of(tmp_path, "coreference", "coref/ref/coref.py")
    ceaf = 3.52380952380952
    assert sums["north"] == pytest.approx([4, 5, 8, 9, ceaf, 4, 4, 5, 7.5, 9, ceaf, 4])
    assert sums["south"] == pytest.approx(
        [2, 5, 13 / 3, 9, 2.1, 4, 2, 4, 25 / 6, 8, 2.1, 4]
    )  # fmt: skip
    assert own["conll"](np.array(sums["north"])) == pytest.approx(
        (0.8 + 0.8602 + 0.8809) / 3, abs=1e-4
    )
    assert own["conll"]([0] * 12) == 0


def test_annotations_of_brat_agree_with_sklearn(tmp_path: Path) -> None:
    own = code_of("brat/ref/brat.py", "readers/brat")
    texts = {
        "gold": "T1\tDrug 0 3\tabc\nT2\tDose 4 5\tx\nR1\tOf Arg1:T2 Arg2:T1\t\n#1\tNote T1\thm\n",
        "sent": "T7\tDose 4 5\tx\nT9\tDrug 0 2\tab\nR3\tOf Arg1:T7 Arg2:T9\t\n",
    }
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.ann").write_text(text)
    gold, sent = (own["read"](tmp_path / name)["d"] for name in texts)
    every = sorted(gold[0] | sent[0])
    marks = [[one in side[0] for one in every] for side in (gold, sent)]
    assert own["f1"](own["entities"](gold, sent)) == f1_score(*marks)
    assert own["relations"](gold, sent) == (0, 1, 1)


def test_graphs_agree_with_smatch(tmp_path: Path) -> None:
    smatch = pytest.importorskip("smatch")
    own = code_of("amr/ref/amr.py", "readers/amr")
    gold = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
    sent = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02))"
    for name, graph in (("gold", gold), ("sent", sent)):
        (tmp_path / name).write_text(f"# ::id a\n# ::snt x\n{graph}\n\n# ::id b\n{gold}\n")
    one, other = (own["read"](tmp_path / name) for name in ("gold", "sent"))
    sums = np.sum([own["counts"](one[unit], other[unit]) for unit in one], axis=0)
    smatch.match_triple_dict.clear()  # the library keeps what it matched last
    with (tmp_path / "sent").open() as first, (tmp_path / "gold").open() as second:
        (official,) = smatch.score_amr_pairs(first, second)
    assert own["f1"](sums) == pytest.approx(official[2], abs=1e-12)


def test_parses_agree_with_conll18(tmp_path: Path) -> None:
    udeval = pytest.importorskip("udtools.udeval")
    own, rng = code_of("ud/ref/ud.py", "readers/parses"), np.random.default_rng(2)
    sentences = []
    for number in range(40):
        n = int(rng.integers(3, 9))
        heads = [0, *(int(rng.integers(1, place)) for place in range(2, n + 1))]
        relations = rng.choice(["nsubj", "obj:x", "det", "case", "aux"], n)
        sentences.append((number, heads, relations))
    for file, errors in (("gold", 0.0), ("sent", 0.2)):
        rows, words = [], np.random.default_rng(3)
        for number, heads, relations in sentences:
            rows.append(f"# sent_id = {number}")
            for place, (head, relation) in enumerate(zip(heads, relations, strict=True), 1):
                feature = words.choice(["Number=Sing", "Own=Yes|Number=Plur", "_"])
                wrong = rng.random(4) < errors
                relation = ("det" if wrong[0] else relation) if head else "root"
                head = 1 if head and wrong[1] and place > 1 else head
                tag = "X" if wrong[2] else "NOUN"
                cells = [place, f"w{place}", "_", tag, "_", "_" if wrong[3] else feature, head]
                rows.append("\t".join(map(str, [*cells, relation, "_", "_"])))
            rows.append("")
        (tmp_path / file).write_text("\n".join(rows) + "\n")
    gold, sent = (own["read"](tmp_path / file) for file in ("gold", "sent"))
    sums = np.sum([own["counts"](gold[key], sent[key]) for key in gold], axis=0)
    loaded = []
    for file in ("gold", "sent"):
        with (tmp_path / file).open(encoding="utf-8") as opened:
            loaded.append(udeval.load_conllu(opened, file, {}))
    official = udeval.evaluate(*loaded)
    assert 0.2 < official["MLAS"].f1 < 0.8
    for name, places in {"uas": (0, 2), "las": (1, 2), "mlas": (3, 4)}.items():
        assert own["share"](sums, *places) == pytest.approx(official[name.upper()].f1, abs=1e-12)
    assert own["counts"](gold["0"], sent["1"])[:2] == (0, 0)


def test_masks_agree_with_their_definitions() -> None:
    own, rng = code_of("masks/ref/masks.py"), np.random.default_rng(1)
    for _ in range(5):
        marks = rng.choice(["0", "1"], (2, 64), p=[0.8, 0.2]).tolist()
        assert own["dice"](*marks)[0] == pytest.approx(
            f1_score(*(np.array(side) == "1" for side in marks)), abs=1e-12
        )
        points = [[divmod(i, 8) for i in range(64) if side[i] == "1"] for side in marks]
        nearest = [
            min(np.hypot(a - c, b - d) for c, d in other)
            for one, other in (points, points[::-1])
            for a, b in one
        ]
        assert own["hausdorff"](*marks)[0] == pytest.approx(max(nearest), abs=1e-12)
    assert own["hausdorff"](marks[0], ["0"] * 64) == (np.hypot(8, 8), 1)


@pytest.mark.usefixtures("reads_here")
def test_a_sample_may_hold_some_files_of_the_gold(tmp_path: Path) -> None:
    given = {name: content for name, content in new.files("record").items()
             if not name.startswith(("ref/", "res/", "sample_solution/"))}  # fmt: skip
    found = folders(tmp_path)
    for name, content in given.items():
        path = found.input / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.replace(b"overlap", b"share"))
    sample = found.input / "sample_solution/docs"
    sample.mkdir(parents=True)
    for place in range(30):
        (sample / f"d{place}.ann").write_text("T0" if place < 10 else "T9")
    description = found.input / "competition.yaml"
    assert build(description, rehearsed=False)
    for path in (found.input / "ref/gold/docs").iterdir():
        (sample / path.name).write_bytes(path.read_bytes())
    with pytest.raises(OrganizerError, match="60 of 60 files of the gold of task 0"):
        build(description, rehearsed=False)
