"""Messages about organizers' honest mistakes: status 2, the place, what was found, the remedy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scoring_program.commands import score
from tests.competitions import Folder, write_csv
from tests.reading.mistakes import GOOD, IDS, LABELS, LONG_IDS, NUMBERS, ROWS, csv
from tests.reading.variants import archive, case

ACCURACY = "metrics: [accuracy_score]\n"
OWN = "metrics: [{name: mine, function: metric.py:score, greater_is_better: true}]\n"
SCORES = csv(zip(IDS, NUMBERS, strict=True), "id,score")
_ALMOST = ("settings.yaml", "config.yaml", "scoring.yml", "scoring.json", "Scoring.yaml.txt")


@dataclass(frozen=True)
class Mistake:
    """Settings and reference data, and the parts of the message."""

    settings: str
    says: tuple[str, ...]
    ref: Mapping[str, bytes] = field(default_factory=lambda: {"gold.csv": GOOD})
    res: bytes = GOOD


def setting(line: str, *says: str) -> Mistake:
    return Mistake(f"{ACCURACY}{line}\n", ("scoring.yaml, line 2", *says))


def metric(entry: str, *says: str, where: str = "scoring.yaml, line 2") -> Mistake:
    return Mistake(f"metrics:\n  - {entry}\n", (where, *says))


def gold(content: bytes, *says: str, settings: str = ACCURACY) -> Mistake:
    return Mistake(settings, ("gold.csv", *says), {"gold.csv": content})


def own(code: str, *says: str) -> Mistake:
    files = {"gold.csv": GOOD, "metric.py": code.encode()}
    return Mistake(OWN, ("metric 'mine'", "metric.py", *says), files)


MISTAKES: Mapping[str, Mistake] = {
    # settings
    "a key": Mistake("metrcs: [f1_score]\n", ("line 1", "'metrcs'; did you mean 'metrics'?")),
    "a tab": Mistake("metrics:\n\t- f1_score\n", ("line 2", "indent with spaces, not with tabs")),
    "no space after a colon": Mistake(
        "metrics:[accuracy_score]\n", ("line 1", "'key: value', with a space after the colon")
    ),
    "a colon in a title": Mistake(
        "title: Task A: stance\n", ("line 1", "write a text that holds ': ' in quotes")
    ),
    "indentation": metric("f1_score:\n    average: macro", "as 'f1_score: {average: macro}'"),
    "a percentage of confidence": setting("confidence: 95", "between 0.5 and 1; found 95"),
    "a number in words": setting("resamples: many", "a whole number", "found 'many'"),
    "a unit of time": setting("time_budget: 10 minutes", "(seconds)", "found '10 minutes'"),
    "a tie rule": setting("tie_rule: maxt", "found 'maxt'; did you mean 'max_t'?"),
    "a language": setting("language: de", "expected one of en, es, pt; found 'de'"),
    "a ranking metric": setting("rank_by: f1", "no metric 'f1' among accuracy_score"),
    "a column of ids": setting("id_column: tweet", "no column 'tweet' among 'id', 'label'"),
    "a column in capitals": setting("id_column: ID", "no column 'ID'; did you mean 'id'?"),
    "a column of groups": setting("group: user", "gold.csv has no column 'user' among 'id'"),
    "a column of slices": setting("slices: [lang]", "gold.csv has no column 'lang' among 'id'"),
    "too few labels": setting("labels: [hate, spam]", "a label that is not listed; list every"),
    # metrics
    "a metric": metric("acuracy_score", "did you mean 'accuracy_score'?"),
    "a metric in capitals": metric("F1", "no function 'F1'; did you mean 'f1'?"),
    "an average before another name": metric("macro_f1", "write 'f1_score: {average: macro}'"),
    "an average before a name": metric("micro-precision", "'precision_score: {average: micro}'"),
    "a parameter": metric("f1_score: {averge: macro}", "'averge'; did you mean 'average'?"),
    "a value": metric("f1_score: {average: marco}", "'marco'", "did you mean 'macro'?"),
    "a formula": Mistake(
        "metrics:\n  - accuracy_score\n  - {name: c, formula: (f + 1) / 2}\n",
        ("scoring.yaml, line 3", "names 'f'", "of these settings (accuracy_score)"),
    ),
    "a formula of nothing": Mistake(
        "metrics: [{name: c, formula: f + 1, greater_is_better: true}]\n",
        ("scoring.yaml, line 1", "names 'f'", "these settings; add it to 'metrics', with 'show:"),
    ),
    "two classes of three": Mistake(
        "metrics: [f1_score]\n", ("metric 'f1_score'", "the task has 3", "macro, micro or")
    ),
    "a column of a metric": Mistake(
        "metrics: [{name: a, function: accuracy_score, column: mood}]\n",
        ("metric 'a'", "gold.csv has no target column 'mood' among 'id', 'label'"),
    ),
    "numbers of labels": gold(
        GOOD, "line 2", "'label' does not hold", settings="metrics: [mean_absolute_error]\n"
    ),
    # their own metric
    "no file": Mistake(OWN, ("scoring.yaml, line 1", "metric 'mine'", "no file metric.py")),
    "no function": own("def scores(a, b): return 1.0\n", "did you mean 'scores'?"),
    "no colon": own("def score(a, b)\n  return 1\n", "line 1 (expected ':')"),
    "no module": own("import torchmetricsx\n", "line 1 (the module 'torchmetricsx' is not inst"),
    "printed": own("def score(a, b):\n  print(1)\n", "it returned nothing; end it with 'return'"),
    "three arguments": own("def score(a, b, c): return 1.0\n", "called with y_true, y_pred and"),
    "several numbers": own("def score(a, b): return {'f1': 1}\n", "one number", "returned dict"),
    # reference data
    "an id twice": gold(GOOD + b"tw001,spam\n", "line 26: the id was already on line 2"),
    "rounded ids": gold(
        csv([(f"{float(key):.2E}", label) for key, label in zip(LONG_IDS, LABELS, strict=True)]),
        "line 3", "a spreadsheet has rounded the ids; write them as text",
    ),
    "another delimiter below the header": gold(
        b"id,label\n" + csv(ROWS, "", ";"), "line 2: 1 cell found", "delimiter of the first line"
    ),
    "a label too few": gold(GOOD + b"tw025,\n", "line 26: column 'label' is empty; give every"),
    "inputs for labels": gold(
        csv([(key, f"text number {k}") for k, key in enumerate(IDS)], "id,text"),
        "column 'text' holds 24 different texts in 24 rows",
        "name a metric of texts, such as string_match or bleu",
    ),
    "texts without a metric of texts": gold(
        csv([(key, f"text number {k}") for k, key in enumerate(IDS)]),
        "column 'label' holds 24 different texts in 24 rows",
        "such as string_match", "setting 'labels'",
    ),
    "texts in lines": Mistake(
        "", ("gold.txt: line 1: no delimiter (comma", "separator: whitespace"),
        {"gold.txt": "".join(f"{letter} is a letter\n" for letter in "abcdefghijkl").encode()},
    ),
    "spaces between two columns": gold(
        csv(ROWS, "id label", " "), "line 1: no delimiter (comma, semicolon, tab or |) was recogn",
        "'reference: {columns: [id, label], separator: whitespace, comment: \"#\"}'",
    ),
    "texts in lines, some twice": Mistake(
        "", ("gold.txt: column 'label' holds 23 different texts in 24 rows", "bleu"),
        {"gold.txt": "".join(f"Text number {max(k, 1)}\n" for k in range(24)).encode()},
    ),
    "tokens without tags": Mistake(
        "metrics: [entity_f1]\n",
        ("gold.conll: found 60 different words for 60 tokens", "add the tag of each token"),
        {"gold.conll": "".join(f"word{k}\n" for k in range(60)).encode()},
    ),
    "a spreadsheet": Mistake(
        ACCURACY, ("no reference data among gold.xlsx", "save the sheet as CSV"),
        {"gold.xlsx": archive({"xl/workbook.xml": b""})},
    ),
    "a copy": Mistake(
        ACCURACY, ("gold.csv and gold_backup.csv hold the same ids", "remove gold_backup.csv"),
        {"gold.csv": GOOD, "gold_backup.csv": GOOD},
    ),
    # more settings
    "a fraction of resamples": setting("resamples: 1e4", "a whole number", "found '1e4'"),
    "a key twice": Mistake(
        f"{ACCURACY}seed: 1\nseed: 2\n", ("line 3", "the key 'seed' appears twice; keep one")
    ),
    "a list of settings": Mistake(
        "- accuracy_score\n", ("line 1", "'key: value', with a space after the colon")
    ),
    "an open quote": Mistake(
        f'title: "abc\n{ACCURACY}', ("scoring.yaml, line 3", "not valid YAML", "check indentation")
    ),
    "an open bracket": Mistake(
        "metrics: [accuracy_score\nseed: 1\n", ("line 2", "expected ',' or ']'", "indentation")
    ),
    "no metric after the colon": Mistake(
        "metrics:\n", ("line 1", "write a metric as 'f1_score', as 'f1_score: {average: macro}'")
    ),
    "a metric twice": Mistake(
        "metrics: [accuracy_score, accuracy_score]\n",
        ("line 1", "two metrics are called 'accuracy_score'; give one of them another name"),
    ),
    "one label": setting("labels: [hate]", "two different labels, or any; found ['hate']"),
    "strata that are ids": setting("stratify: id", "'id' differs in every row, like ids; name a"),
    "wrong numbers": Mistake(
        "metrics: [mean_absolute_error]\nmissing: wrong\n",
        ("line 2", "'wrong' is for predicted labels", "needs numbers; use 'error'"),
        {"gold.csv": SCORES}, SCORES,
    ),
    "one group": Mistake(
        f"{ACCURACY}group: user\n",
        ("scoring.yaml, line 2: group: the column 'user' holds only one value; choose a column",),
        {"gold.csv": csv([(key, f"{label},u1") for key, label in ROWS], "id,label,user")},
    ),
    # more metrics
    "a label of a metric": metric(
        "f1_score: {average: macro, labels: [hate, spm]}",
        "metric 'f1_score': the reference data hold nothing of its label 'spm'",
        "list all labels in the setting 'labels'", where="",
    ),
    "half a formula": Mistake(
        "metrics:\n  - accuracy_score\n  - {name: c, formula: accuracy_score /}\n",
        ("scoring.yaml, line 3", "metric 'c'", "'accuracy_score /' is not arithmetic"),
    ),
    "a formula of itself": metric(
        "{name: c, formula: c + 1, greater_is_better: true}", "'c' is defined by itself: c → c"
    ),
    "no direction": Mistake(
        "metrics: [{name: mine, function: metric.py:score}]\n",
        ("line 1", "is better, with greater_is_better: true or false"),
        {"gold.csv": GOOD, "metric.py": b"def score(a, b): return 1.0\n"},
    ),
    "a metric elsewhere": Mistake(
        "metrics: [{name: mine, function: '../metric.py:score', greater_is_better: true}]\n",
        ("line 1", "../metric.py must be in the folder of the settings"),
    ),
    "a text for a score": own("def score(a, b): return '0.5'\n", "one number", "returned str"),
    "no tries": metric("pass_at_k: {k: 0}", "k=0 cannot be used", "a whole number of 1 or more"),
    "no such task": Mistake(
        "metrics: [{name: a, function: accuracy_score, task: [mod]}]\n",
        ("line 1", "there is no task 'mod' among mood, stance; did you mean 'mood'?"),
        {"stance.csv": GOOD, "mood.csv": csv([(f"m{key}", label) for key, label in ROWS])},
    ),
    # more reference data
    "a row too long": gold(GOOD + b"tw025,hate,x\n", "line 26: 3 cells found, 2 expected"),
    "an empty id": gold(GOOD + b",hate\n", "line 26: the id is empty; fill it in"),
    "a usage": gold(
        csv([(key, f"{label},Pub") for key, label in ROWS], "id,label,Usage"),
        "line 2: the column 'Usage' must hold Public, Private or Ignored",
    ),
    "all rows ignored": gold(
        csv([(key, f"{label},Ignored") for key, label in ROWS], "id,label,Usage"),
        "'Usage' ignores every row; score at least one",
    ),
    "a negative weight": gold(
        csv([(key, f"{label},-1") for key, label in ROWS], "id,label,w"),
        "line 2: column 'w' does not hold a weight; write a finite number of 0 or more",
        settings="metrics: [{accuracy_score: {sample_weight: w}}]\n",
    ),
    "half a file": Mistake(
        ACCURACY, ("gold.json: line 1: this is not valid JSON", "expected a list of records"),
        {"gold.json": b'[{"id": 1, "label": "a"'},
    ),
    # the settings file
    **{
        name: Mistake(
            "", ("the settings must be in scoring.yaml", f"rename {name}"),
            {"gold.csv": GOOD, name: ACCURACY.encode()},
        )
        for name in _ALMOST
    },
    "settings in a folder": Mistake(
        "", ("the settings must be in ref/scoring.yaml; move conf/scoring.yaml there",),
        {"gold.csv": GOOD, "conf/scoring.yaml": ACCURACY.encode()},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_message(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mistake = MISTAKES[name]
    files = case({"p.csv": mistake.res}, gold=dict(mistake.ref), settings=mistake.settings)
    folder = files.write(tmp_path / "input")
    assert score.main([str(folder), str(tmp_path / "output")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("Fix these files of the competition (organizer):\n")
    for part in mistake.says:
        assert part in message
    assert not (tmp_path / "output" / "scores.txt").exists()


@pytest.mark.parametrize(
    ("layout", "teams", "says"),
    [
        ("wide", ("One", "Two"), "holds 2 data files; if they are submissions, write 'layout: te"),
        ("teams", ("One",), "there is one submission, .* score it alone with 'layout: single'"),
    ],
)
def test_layouts_that_the_files_do_not_have(
    layout: str,
    teams: tuple[str, ...],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path, teams=teams).write(f"{ACCURACY}layout: {layout}\n")
    assert folder.run() == 2
    assert re.search(says, capsys.readouterr().err)


def test_a_copy_of_the_gold_is_no_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path).write(ACCURACY)
    gold = (folder.input / "ref" / "gold.csv").read_bytes()
    (folder.input / "res" / "gold.csv").write_bytes(gold)
    assert folder.run() == 2
    message = capsys.readouterr().err
    assert "res: 'gold.csv' is a copy of the reference data, gold.csv; remove it or, if" in message
    folder.settings(f"{ACCURACY}baselines: [gold]\nresamples: 100\n")
    assert folder.run() == 0
    (folder.input / "res" / "gold.csv").rename(folder.input / "res" / "Perfect.csv")
    folder.settings(f"{ACCURACY}resamples: 100\n")
    assert folder.run() == 0
    assert folder.results()["metrics"][0]["leader"] == "Perfect"
    own = folder.input / "res" / "Perfect.csv"
    truth = folder.input / "res" / "C" / "True.csv"  # beside what C predicts, as in its own folder
    truth.parent.mkdir()
    own.rename(truth)
    assert folder.run() == 2
    assert "res: 'C/True.csv' is a copy of the reference data" in capsys.readouterr().err


def test_a_copy_of_the_gold_is_no_prediction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A harness writes its outputs beside the correct answers."""
    folder = Folder(tmp_path).write(ACCURACY)
    own = [*folder.labels[1:], folder.labels[0]]
    folder.team("C", {"id": folder.ids, "label": folder.labels, "model_output": own})
    assert folder.run() == 0
    said = capsys.readouterr().err
    assert "2 columns may hold the prediction of 'label': 'label', 'model_output'" in said
    folder.settings(f"{ACCURACY}resamples: 100\n")
    for columns in ({"label": own}, {"label": folder.labels}):  # as the message says
        folder.team("C", {"id": folder.ids, **columns})
        assert folder.run() == 0
        assert "Not scored" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        (ACCURACY, 2),
        ("metrics: [{name: first, function: accuracy_score, column: label}]\n", 0),
    ],
)
@pytest.mark.parametrize("kind", ["predicted", "copied", "of one team"])
def test_another_column_that_submissions_predict_is_asked_about(
    settings: str, status: int, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column that they copy from the gold, such as a year, is no prediction."""
    folder = Folder(tmp_path).write(settings)
    years = [str(2000 + i % 7) for i in range(len(folder.ids))]
    columns = {"id": folder.ids, "label": folder.labels, "label2": years}
    write_csv(folder.input / "ref" / "gold.csv", columns)
    for team, labels in folder.teams.items():
        if kind != "of one team" or team == "One":
            second = [f"{y}.0" for y in years] if kind == "copied" else [*reversed(years)]
            folder.team(team, {"id": folder.ids, "label": labels, "label2": second})
    expected = status if kind == "predicted" else 0
    assert folder.run("--resamples", "100") == expected
    message = capsys.readouterr().err
    says = "Which column of gold.csv holds the answers of accuracy_score?"
    assert (says in message) == (expected == 2)


@pytest.mark.parametrize(
    ("prizes", "more", "says"),
    [
        (3, "", "Only 3 teams can win, so all of them are sure of one of the first 3 places."),
        (5, "baselines: [One]\n", "Only 2 teams can win, so all of them are sure of one of the "),
        (1, "baselines: [One, Two]\n", "Only 1 team can win, so it is sure of one of the first 1"),
        (2, "", None),
    ],
)
def test_as_many_prizes_as_teams_are_cautioned_about(
    prizes: int, more: str, says: str | None, tmp_path: Path
) -> None:
    folder = Folder(tmp_path).write(f"{ACCURACY}prizes: {prizes}\n{more}")
    assert folder.run("--resamples", "400") == 0
    results = folder.results()
    cautions = [one["message"] for one in results["warnings"] if one["code"] == "prizes_for_all"]
    assert len(cautions) == (says is not None)
    found = results["metrics"][0]["prizes"]
    assert found["places"] == prizes
    if says is None:
        return
    assert cautions[0].startswith(says)
    teams = [entry["entry"] for entry in results["metrics"][0]["entries"] if not entry["baseline"]]
    if len(teams) == 1:  # without a rival there is no confidence
        assert (found["sure"], found["reason"]) == (None, "alone")
    else:
        assert (found["sure"], found["open"], found["out"]) == (teams, [], [])


@pytest.mark.parametrize(
    ("metric", "margin", "status"),
    [("accuracy", 2, 2), ("accuracy", 1, 2), ("accuracy", 0.02, 0), ("matthews_corrcoef", 1.5, 0)],
)
def test_a_margin_is_smaller_than_the_range_of_the_metric(
    metric: str, margin: float, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path).write(f"metrics: [{metric}]\nmargin: {margin}\n")
    assert folder.run("--resamples", "100") == status
    says = f"line 2: margin: found {margin}, but {metric} lies between 0 and 1, so every entry"
    assert (says in capsys.readouterr().err) == (status == 2)


def test_a_single_submission_does_not_wait_for_as_many_teams_as_prizes(tmp_path: Path) -> None:
    folder = case(
        {"p.csv": GOOD}, gold={"gold.csv": GOOD}, settings=f"{ACCURACY}prizes: 3\n"
    ).write(tmp_path / "input")
    assert score.main([str(folder), str(tmp_path / "output"), "--resamples", "100"]) == 0


@pytest.mark.parametrize("given", ["train.csv", "test.csv"])
def test_what_participants_were_given_may_lie_beside_the_gold(given: str, tmp_path: Path) -> None:
    files = case({"p.csv": GOOD}, gold={"gold.csv": GOOD, given: csv([("x", "hate")])})
    folder = files.write(tmp_path / "input")
    assert score.main([str(folder), str(tmp_path / "output"), "--resamples", "100"]) == 0


def test_one_block_names_the_scores_of_all_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As for comments that may be toxic in six ways: names choose no score."""
    folder = Folder(tmp_path)
    targets = ("toxic", "obscene", "threat", "insult")
    gold = {
        name: [int(i % 10 < 3 + place) for i in range(80)] for place, name in enumerate(targets)
    }
    ids = [f"c{i}" for i in range(80)]
    write_csv(folder.input / "ref" / "gold.csv", {"id": ids, **gold})
    for number, team in enumerate(("north", "south", "west")):
        sent = {
            name: [
                0.1 + 0.01 * ((7 * i + number) % 31) + 0.3 * label for i, label in enumerate(labels)
            ]
            for name, labels in gold.items()
        }
        write_csv(folder.input / "res" / f"{team}.csv", {"id": ids, **sent})
    metric = "- {{name: auc_{0}, function: roc_auc, column: {0}}}\n"
    metrics = "metrics:\n" + "".join(map(metric.format, targets))
    folder.settings(metrics)
    assert folder.run() == 2
    asked = capsys.readouterr().err
    (block,) = [line for line in asked.splitlines() if line.startswith("  submissions: ")]
    folder.settings(f"{metrics}{block.strip()}\n")
    assert folder.run() == 0
