"""Tables of preferences, from the file to the verdict."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scoring_program import OrganizerError, compare_scores
from scoring_program.bundle.kit import rules_of
from scoring_program.core.errors import ReferenceDataError
from tests.data.test_kinds import Case
from tests.metrics.test_preferences import battles, frame
from tests.sweeps import swept

NAMES = np.array(["ant", "bee", "cat", "dog", "elk", "fox", "gnu"])


def table(n: int = 300, systems: int = len(NAMES)) -> pd.DataFrame:
    found = frame(battles(n=n, systems=systems))
    found["left"], found["right"] = NAMES[found.left], NAMES[found.right]
    found["judge"] = [f"j{k % 25}" for k in range(n)]
    found["prompt"] = [f"p{k // 3}" for k in range(n)]
    return found


def case(tmp_path: Path, given: pd.DataFrame, settings: str = "") -> Case:
    ref = {"scoring.yaml": settings} if settings else {}
    return Case(tmp_path, ref, {"votes.csv": given.to_csv(index=False)})


def test_a_table_is_compared_at_the_first_try(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = case(tmp_path, table())
    (made.input / "ref").mkdir()
    assert made.run() == 0
    assert "Layout: 300 preferences between 7 systems" in capsys.readouterr().out
    document = json.loads((made.output / "results.json").read_text())
    assert [metric["name"] for metric in document["metrics"]] == ["win_rate", "bradley_terry"]
    assert document["n"] == 300
    assert document["settings"]["group"] == "prompt"
    verdict = document["metrics"][0]["verdict"]
    assert verdict["confidence"] == 0.95
    assert "ant" in verdict["possible_winners"]
    assert "gnu" not in verdict["possible_winners"]
    assert "preferences" in made.page()


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    found = []
    for name, given in (("a", table()), ("b", table().sample(frac=1, random_state=1))):
        made = case(tmp_path / name, given, "group: judge\n")
        assert made.run() == 0
        found.append(made.scores())
    assert found[0] == found[1]


def test_python_gives_the_same_numbers(tmp_path: Path) -> None:
    made = case(tmp_path, table(), "group: judge\n")
    assert made.run() == 0
    given = table()
    result = compare_scores(given, groups=given.judge, resamples=100)
    row = result["bradley_terry"].ranking[0]
    found = made.scores()
    assert row.score == pytest.approx(found["bradley_terry"], abs=1e-9)
    assert row.low == pytest.approx(found["bradley_terry_ci_low"], abs=1e-9)
    only = compare_scores(given, "win_rate", resamples=100)
    assert [only.leader, *only.tied] == list(only.possible_winners)


def test_conversations_of_the_arena_are_left_out(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "hi"}]
    rows = table()[["left", "right", "winner"]].set_axis(["model_a", "model_b", "winner"], axis=1)
    records = [{**row, "conversation_a": said} for row in rows.to_dict("records")]
    made = Case(tmp_path, {}, {"arena.json": json.dumps(records)})
    (made.input / "ref").mkdir()
    assert made.run() == 0
    assert json.loads((made.output / "results.json").read_text())["n"] == 300


def test_names_of_the_arena_are_known() -> None:
    lines = "a,b,model_a\nb,a,model_a\na,b,tie (bothbad)\nb,c,tie\nc,a,c\na,c,a\n"
    given = pd.read_csv(io.StringIO("model_a,model_b,winner\n" + 20 * lines))
    result = compare_scores(given, resamples=100)
    scores = {row.entry: row.score for row in result["win_rate"].ranking}
    assert scores == pytest.approx({"a": 0.5, "b": 0.5, "c": 0.5})


def test_without_a_connected_graph_there_are_only_win_rates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = table()
    given = given[(given.left != "ant") & (given.right != "ant")]
    best = pd.DataFrame({"left": "ant", "right": NAMES[1:], "winner": "left"})
    alone = pd.concat([given, best, best]).assign(prompt="")[["left", "right", "winner"]]
    made = case(tmp_path / "a", alone, "title: votes\n")
    assert made.run() == 0
    printed = capsys.readouterr()
    assert "there are no Bradley-Terry strengths" in printed.out
    assert "Warning (amber)" in printed.out + printed.err
    document = json.loads((made.output / "results.json").read_text())
    assert [metric["name"] for metric in document["metrics"]] == ["win_rate"]
    assert case(tmp_path / "b", alone, "metrics: [bradley_terry]\n").run() == 2
    assert "votes.csv: there are no Bradley-Terry strengths" in capsys.readouterr().err


def test_resamples_without_strengths_are_counted() -> None:
    given = table(n=16, systems=3)[["left", "right", "winner"]]
    result = compare_scores(given, "bradley_terry", resamples=100)
    warnings = result.to_dict()["warnings"]
    assert any(one["code"] == "undefined_resamples" for one in warnings)


def test_who_meets_nobody_on_a_resample_takes_no_wins_from_the_others() -> None:
    lines = ["ant,bee,left\n"] * 120 + ["ant,bee,right\n"] * 80 + ["cat,ant,left\n"] * 3
    given = pd.read_csv(io.StringIO("".join(["left,right,winner\n", *lines])))
    result = compare_scores(given, "win_rate", resamples=1000)
    assert [row.entry for row in result.ranking] == ["cat", "bee", "ant"]
    assert result.leader == "cat"
    assert any(one["code"] == "undefined_resamples" for one in result.to_dict()["warnings"])


#: Tables that have more than one reading, and what the message says of each.
DOUBTFUL = {
    "left,right,winner\n.5,.7,right\n.6,.5,left\n": "'left' and 'right' hold numbers",
    "left,right,winner,votes\na,b,a,1\nb,a,b,90\n": "'votes' may say how often",
    "model_a,model_b,left,right,winner\na,b,hi,ho,a\n": "may all name systems",
    "left,right,winner,Winner\na,b,a,b\n": "several columns are called left, right, winner",
    "left,right,winner,winner_2\nx,y,x,tie\ny,x,y,right\n": "'winner_2' may both say who won",
    "left,right,winner\nright,x,right\n": "right may be a system or an outcome",
    "left,right,winner\ntie,x,tie\n": "tie may be a system or an outcome",
    "left,right,winner\nA,B,A\nB,A,A\n": "A and B may be systems or the sides of a line",
    "left,right,winner\nB,A,a\nA,B,B\n": "line 2: the winner is 'a', neither 'B' nor 'A'",
}


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_table_that_may_mean_something_else_stops(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Case(tmp_path, {"scoring.yaml": "seed: 1\n"}, {"votes.csv": text})
    assert made.run() == 2
    assert DOUBTFUL[text] in capsys.readouterr().err


@pytest.mark.parametrize("direction", [True, False, {"left": True}])
def test_preferences_have_no_direction(direction: bool | dict[str, bool]) -> None:
    with pytest.raises(OrganizerError, match="preferences have no direction"):
        compare_scores(table(), greater_is_better=direction)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("missing: drop_unit", "line 2: missing: votes.csv holds preferences"),
        ("extra_ids: ignore", "line 2: extra_ids: votes.csv holds preferences"),
        ("labels: any", "line 2: labels: votes.csv holds preferences"),
        ("runs: best", "line 2: runs: votes.csv holds preferences"),
        ("layout: teams", "line 2: layout: votes.csv holds preferences"),
        ("overall: mean", "line 2: overall: votes.csv holds preferences"),
        ("reference: {header: true}", "line 2: reference: votes.csv holds preferences"),
        ("group: winner", "line 2: group: the column 'winner' says who was compared"),
        ("slices: [left]", "line 2: slices: the column 'left' says who was compared"),
        ("group: crowd", "line 2: group: votes.csv has no column 'crowd'"),
    ],
)
def test_settings_without_effect_are_refused(
    tmp_path: Path, setting: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = case(tmp_path, table(), f"seed: 1\n{setting}\n")
    assert made.run() == 2
    assert message in capsys.readouterr().err


def test_prompts_and_judges_are_crossed(tmp_path: Path) -> None:
    made = case(tmp_path, table(), "group: [prompt, judge]\n")
    assert made.run() == 0
    document = json.loads((made.output / "results.json").read_text())
    assert document["settings"]["group"] == ["prompt", "judge"]
    assert document["signature"]["group"] == "prompt × judge"
    assert "Two kinds of groups cross (prompt × judge)" in made.page()
    result = compare_scores(table(), groups=["prompt", "judge"], resamples=100)
    row, found = result["win_rate"].ranking[0], made.scores()
    assert row.low == pytest.approx(found["win_rate_ci_low"], abs=1e-9)
    assert not [one for one in result.warnings if one.code == "few_groups"]


@pytest.mark.parametrize("judges", [5, 8])
def test_a_few_judges_who_agree_name_the_best(judges: int) -> None:
    """The t distribution allows for them: a pair lies with all judges, if not with ten."""
    rng = np.random.default_rng(judges)
    left = rng.integers(4, size=800)
    right = (left + rng.integers(1, 4, size=800)) % 4
    ahead = 1.5 * ((left == 0).astype(int) - (right == 0))
    winner = np.where(rng.random(800) < 1 / (1 + np.exp(-ahead)), "left", "right")
    votes = pd.DataFrame({"left": NAMES[left], "right": NAMES[right], "winner": winner})
    votes["prompt"] = [f"p{line % 80}" for line in range(800)]
    votes["judge"] = [f"j{line % judges}" for line in rng.permutation(800)]
    found = compare_scores(votes, groups=["prompt", "judge"], resamples=400)
    assert found.possible_winners == ("ant",)
    assert found.record["confidence"] == 0.95


@pytest.mark.parametrize(("judges", "level"), [(3, "red"), (4, None)])
def test_crossed_groups_are_few_below_four(judges: int, level: str | None) -> None:
    rows = table()
    rows["judge"] = [f"j{line % judges}" for line in range(len(rows))]
    found = compare_scores(rows, groups=["prompt", "judge"], resamples=400)
    levels = {one.level for one in found.warnings if one.code == "few_groups"}
    assert levels == ({level} - {None})
    record = found.to_dict()["metrics"][0]
    assert record["studentized"] == {"reason": None, "pairs": 0}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "group: [prompt, prompt]",
            "line 1: group: expected a column, or a list of two different ones",
        ),
        ("group: [a, b, c]", "line 1: group: expected a column, or a list of two different ones"),
        ("group: [prompt, crowd]", "line 1: group: votes.csv has no column 'crowd'"),
        ("group: [prompt, judge]\nstratify: judge", "line 2: stratify: there are no stratify"),
        ("group: [prompt, judge]\nslices: [judge]", "line 2: slices: there are no slices"),
        ("group: [prompt, judge]\ntests: randomization", "line 2: tests: there are no tests"),
    ],
)
def test_crossed_groups_are_refused_where_they_have_no_meaning(
    tmp_path: Path, settings: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert case(tmp_path, table(), f"{settings}\n").run() == 2
    assert message in capsys.readouterr().err


def test_other_data_have_no_crossed_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{k},{'ab'[k % 2]},{k % 5},{k % 7}" for k in range(60)]
    gold = "\n".join(["id,label,user,site", *rows])
    sent = "id,label\n" + "".join(f"{k},a\n" for k in range(60))
    ref = {"gold.csv": gold, "scoring.yaml": "group: [user, site]\nmetrics: [accuracy_score]\n"}
    assert Case(tmp_path, ref, {"a.csv": sent, "b.csv": sent}).run() == 2
    said = "scoring.yaml, line 1: group: two columns are for preferences, and gold.csv holds none"
    assert said in capsys.readouterr().err


def test_an_empty_frame_holds_none() -> None:
    with pytest.raises(ReferenceDataError, match="there are no preferences"):
        compare_scores(table()[:0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("left,right,winner", "left,right,result", "line 1: the columns 'left' and 'right' name"),
        ("left,right,winner", "left,other,winner", "line 1: there are columns 'left' and 'winner'"),
        ("a,b,left", "a,b,c", "line 2: the winner is 'c', neither 'a' nor 'b'"),
        ("a,b,left", "a,a,left", "line 2: 'a' is on both sides"),
        ("a,b,left", ",b,left", "line 2: a system has no name"),
        ("a,b,left", "a,b,", "line 2: the winner is '', neither 'a' nor 'b'"),
    ],
)
def test_wrong_lines_are_named(
    tmp_path: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "left,right,winner\na,b,left\nb,a,left\na,b,tie\nb,a,right\n"
    made = Case(tmp_path, {"scoring.yaml": "seed: 1\n"}, {"votes.csv": text.replace(old, new, 1)})
    assert made.run() == 2
    assert message in capsys.readouterr().err


def test_other_metrics_and_other_tables_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = case(tmp_path, table(), "metrics: [mean_score]\n")
    assert made.run() == 2
    assert "mean_score scores no preferences" in capsys.readouterr().err
    with pytest.raises(OrganizerError, match="win_rate"):
        compare_scores({"a": [1.0, 2.0], "b": [2.0, 1.0]}, "win_rate", greater_is_better=True)


def test_several_tables_are_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = table().to_csv(index=False)
    made = Case(tmp_path, {"scoring.yaml": "seed: 1\n"}, {"may.csv": text, "june.csv": text})
    assert made.run() == 2
    assert "or join tables of scores, or of preferences, into one" in capsys.readouterr().err


def test_a_bundle_refuses_them_by_name(tmp_path: Path) -> None:
    made = case(tmp_path, table(), "metrics: [win_rate]\n")
    with pytest.raises(ReferenceDataError, match="preferences need no platform"):
        rules_of(made.input / "ref")
    (made.input / "ref" / "gold.mat").write_bytes(b"")
    with pytest.raises(ReferenceDataError, match=r"among gold\.mat: .*save .* as CSV; logs"):
        rules_of(made.input / "ref")


@pytest.mark.parametrize("name", ["votes.csv", "gold.csv"])
@pytest.mark.parametrize("settings", ["seed: 1\n", "metrics: [bradley_terry]\n"])
def test_preferences_among_the_correct_answers_are_sent_to_res(
    tmp_path: Path, name: str, settings: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table().to_csv(index=False)
    one = Case(tmp_path / "one", {"scoring.yaml": settings, name: text}, {})
    both = Case(tmp_path / "two", {"a.csv": text, "b.csv": text}, {"c.csv": text})
    for made, file in ((one, name), (both, "a.csv")):
        assert made.run() == 2
        said = capsys.readouterr().err
        assert f"{file}: these are preferences between two systems" in said
        assert "move the file from ref/ to res/, and join several into one" in said
        assert "gold.csv with" not in said


def test_a_winner_may_be_what_is_predicted(tmp_path: Path) -> None:
    gold = table().assign(id=range(300))[["id", "left", "right", "winner"]]
    upload = gold[["id", "winner"]].to_csv(index=False)
    settings = "metrics: [{name: acc, function: accuracy_score, column: winner}]\n"
    ref = {"scoring.yaml": settings, "gold.csv": gold.to_csv(index=False)}
    made = Case(tmp_path, ref, {"a.csv": upload, "b.csv": upload})
    assert made.run() == 0


@pytest.mark.parametrize("times", swept([2, 3]))
@pytest.mark.parametrize(
    "columns", [["left", "right", "winner"], ["prompt", "left", "winner", "right"]]
)
def test_a_table_that_was_pasted_several_times_is_refused(
    tmp_path: Path, times: int, columns: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = table()[columns]
    assert case(tmp_path / "once", whole).run() == 0
    pasted = pd.concat([whole] * times)
    for name, given in (("pasted", pasted), ("mixed", pasted.sample(frac=1, random_state=1))):
        assert case(tmp_path / name, given).run() == 2
        said = capsys.readouterr().err
        assert f"votes.csv: {300 * times - len(whole.drop_duplicates())} of {300 * times}" in said
        assert f"Every line is there {times} times" in said
    assert "line 302 repeats line 2" not in said  # mixed
    numbered = pasted.assign(id=range(300 * times))
    assert case(tmp_path / "numbered", numbered).run() == 0
    with pytest.raises(OrganizerError, match="as if the table had been pasted"):
        compare_scores(pasted, resamples=100)


def test_a_short_table_pasted_twice_is_refused_and_a_made_up_one_is_not() -> None:
    few = table(n=8, systems=3).drop(columns="prompt")
    with pytest.raises(OrganizerError, match="8 of 16 lines repeat another one"):
        compare_scores(pd.concat([few, few]), resamples=100)
    lines = few[["left", "right", "winner"]].iloc[:6]
    assert compare_scores(pd.concat([lines] * 20), resamples=100)


def test_a_judge_may_vote_the_same_twice() -> None:
    given = table()
    again = pd.concat([given, given.iloc[:40]])
    assert compare_scores(again, resamples=100)
    assert compare_scores(again.assign(judge_id=again.judge), resamples=100)


def test_a_line_with_an_id_is_there_once() -> None:
    given = table().assign(vote_id=[f"v{k}" for k in range(300)])
    again = pd.concat([given, given.iloc[[4, 9]]])
    with pytest.raises(OrganizerError) as caught:
        compare_scores(again, resamples=100)
    assert "2 of 302 lines repeat another one" in str(caught.value)
    assert "row 301 repeats row 5" in str(caught.value)
    assert "'vote_id' says that they are one preference" in str(caught.value)
