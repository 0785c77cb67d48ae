from __future__ import annotations

import re
from dataclasses import Field
from pathlib import Path
from typing import Any

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.settings import loading
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.loading import parse_value
from scoring_program.settings.model import OPTIONS, Settings, as_dict


def loaded(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "scoring.yaml"
    path.write_text(text, encoding="utf-8")
    return loading.load(path)


def test_no_file_and_an_empty_file_are_the_defaults(tmp_path: Path) -> None:
    assert loading.load(None) == Settings() == loaded(tmp_path, "# nothing set\n")


def test_every_form_of_a_metric(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        """
metrics:
  - accuracy_score
  - f1_score: {pos_label: offensive}
  - name: stance_f1
    function: f1_score
    params: {average: macro, labels: [favor, against]}
    greater_is_better: true
    column: stance
  - name: both
    formula: (accuracy_score + f1_score) / 2
""",
    )
    assert found.metrics == (
        MetricSpec("accuracy_score", "accuracy_score"),
        MetricSpec("f1_score", "f1_score", {"pos_label": "offensive"}),
        MetricSpec(
            "stance_f1",
            "f1_score",
            {"average": "macro", "labels": ["favor", "against"]},
            greater_is_better=True,
            column="stance",
        ),
        MetricSpec("both", formula="(accuracy_score + f1_score) / 2"),
    )


def test_words_that_yaml_takes_for_truth_values_stay_labels(tmp_path: Path) -> None:
    assert loaded(tmp_path, "labels: [yes, no, on]").labels == ("yes", "no", "on")
    assert loaded(tmp_path, "strict: true").strict is True


def test_numbers_with_an_exponent_are_numbers_and_labels_stay_text(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path, "margin: 1e-3\nconfidence: 9.5e-1\nlabels: [1e3, 2e5]\ncosts: {A: 7e9, B: 1E3}\n"
    )
    assert (settings.margin, settings.confidence) == (0.001, 0.95)
    assert settings.labels == ("1e3", "2e5")
    assert settings.costs == {"A": 7e9, "B": 1000.0}
    for wrong in ("'1000'", "1e", "e3", "1e400", "1_0e3"):
        with pytest.raises(SettingsError, match="costs: expected a number"):
            loaded(tmp_path, f"costs: {{A: {wrong}}}\n")


def test_integers_stay_integers_among_labels(tmp_path: Path) -> None:
    assert loaded(tmp_path, "labels: [1, 0]").labels == (1, 0)
    assert loaded(tmp_path, "labels: [1, other]").labels == ("1", "other")


#: Settings, the line that is wrong, and what is said of it.
WRONG = [
    ("title: x\nresample: 500\n", 2, "unknown key 'resample'; did you mean 'resamples'"),
    ("seed: 1\nseed: 2\n", 2, "the key 'seed' appears twice"),
    ("metrics:\n  - f1_score: {average: a,\n     average: b}\n", 3, "'average' appears twice"),
    ("resamples: many\n", 1, "expected a whole number of at least 100; found 'many'"),
    ("resamples: true\n", 1, "expected a whole number"),
    (f"resamples: 1{'0' * 400}\n", 1, "expected a whole number of at most 100 digits"),
    (f"time_budget: 1{'0' * 400}\n", 1, "expected a smaller number (seconds)"),
    ("memory: 1.0e+300\n", 1, "expected a smaller number (GiB)"),
    ("confidence: 95\n", 1, "expected a number between 0.5 and 1"),
    ("interval: percentil\n", 1, "did you mean 'percentile'"),
    ("strict: maybe\n", 1, "expected true or false"),
    ("labels: [a]\n", 1, "at least two different labels"),
    ("title: [a\n", 2, "not valid YAML"),
    ("- a\n- b\n", 1, "'key: value'"),
    ("metrics:\n  - f1_score\n  - f1_score: {pos_label: 1}\n", 3, "two metrics are called"),
    ("metrics:\n  - {name: rank, function: f1_score}\n", 2, "key 'rank' of scores.txt"),
    (
        "metrics:\n  - f1_score\n  - {name: f1_score_ci_low, function: f1_score}\n",
        3,
        "key 'f1_score_ci_low' of scores.txt, which is taken",
    ),
    ("metrics:\n  - name: a b\n    function: f1_score\n", 2, "becomes a key in scores.txt"),
    ("metrics:\n  - name: x\n", 2, "needs either 'function:' or 'formula:'"),
    ("metrics:\n  - name: x\n    funktion: y\n", 2, "did you mean 'function'"),
    (
        "metrics:\n  - f1_score: macro\n",
        2,
        "write the parameters of 'f1_score' as {key: value}",
    ),
    ("metrics: []\n", 1, "at least one metric"),
]


@pytest.mark.parametrize(("text", "line", "found"), WRONG)
def test_a_wrong_setting_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, found: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        loaded(tmp_path, text)
    assert f"scoring.yaml, line {line}" in str(caught.value)
    assert found in str(caught.value)


#: What stands beside a wrong part, and may be secret.
SECRET = "Alba Lab"
#: Settings with a wrong part, and how a message shows it.
WRONG_PARTS = [
    (f"costs: {{{SECRET}: 1, B: dear}}", "found 'dear'"),
    (f"costs: {{{SECRET}: 1, B: -1}}", "found -1"),
    (f"baselines: [{SECRET}, [b]]", "found ['b']"),
    (f"yardstick: [[{SECRET}, c], [d]]", "found ['d']"),
    (f"yardstick: [[{SECRET}, 1.5]]", "found 1.5"),
    (f"slices: [{SECRET}, 3]", "found 3"),
    (f"submissions: {{leave_aside: [{SECRET}, {{a: b}}]}}", "found {'a': 'b'}"),
    (f"submissions: {{leave_aside: [{SECRET}], header: 7}}", "for 'header'; found 7"),
    (f"reference: {{file: {SECRET}, cheader: 7}}", "found 'cheader'; did you mean 'header'?"),
    ("limits: {file: 3, files: 0}", "for each limit; found 0"),
    ("folds: {repeats: 3, folds: 0}", "for 'folds'; found 0"),
]


@pytest.mark.parametrize(("text", "shown"), WRONG_PARTS)
def test_of_a_list_or_mapping_a_message_shows_the_wrong_part_alone(
    tmp_path: Path, text: str, shown: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        loaded(tmp_path, text)
    assert shown in str(caught.value)
    assert SECRET not in str(caught.value)


LONG_VALUES = (
    "9" * 400, "-" + "9" * 400, "1.5" + "0" * 400, "x" * 400, f"[{'9' * 400}]",
    f"{{x: {'9' * 400}}}", f"[[{'x, ' * 200}x]]", '"\\u202e' + "x" * 400 + '"',
)  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_message_shows_the_beginning_of_a_long_value(tmp_path: Path, option: Field[Any]) -> None:
    refused = 0
    for value in LONG_VALUES:
        refusal = refusal_of(tmp_path, f"{option.name}: {value}\n")
        if refusal is None:
            continue
        refused += 1
        _, _, value_shown = refusal.partition("; found ")
        assert 0 < len(value_shown.partition("; did you mean")[0]) <= 60, refusal
        assert "\u202e" not in refusal
    assert refused


def refusal_of(folder: Path, text: str) -> str | None:
    try:
        loaded(folder, text)
    except SettingsError as error:
        return str(error)
    return None


def test_numbers_from_python_of_any_length_are_refused(tmp_path: Path) -> None:
    """Python itself writes no number of more than 4,300 digits."""
    for number in (10**5000, -(10**5000), 10**400):
        with pytest.raises(SettingsError, match=r"resamples: expected .*; found -?10000.*…$"):
            loading.update(Settings(), {"resamples": number}, {})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("costs", "[1, 2]"),
        ("costs", "{A: -1}"),
        ("group", "[user]"),
        ("unit", "[query, 1.5]"),
        ("slices", "[language, {a: b}]"),
        ("baselines", "[a, [b]]"),
        ("labels", "[a, a]"),
    ],
)
def test_a_wrong_list_or_mapping_on_the_command_line_is_no_name(key: str, text: str) -> None:
    values = loading.values_of({key: text})
    assert not isinstance(values[key], str)
    with pytest.raises(SettingsError, match=f"{key}: expected"):
        loading.update(Settings(), values, {})


def test_a_text_on_the_command_line_may_look_like_a_list() -> None:
    assert loading.values_of({"title": "[draft]", "host": "{x: y}"}) == {
        "title": "[draft]",
        "host": "{x: y}",
    }


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "scoring.yaml"
    path.write_bytes(b"title: \xff\xfe\n")
    with pytest.raises(SettingsError, match="save it as UTF-8"):
        loading.load(path)


def test_command_line_values_override_and_are_checked() -> None:
    changed = loading.update(Settings(), {"seed": parse_value("7")}, {})
    assert changed.seed == 7
    with pytest.raises(SettingsError, match="option --seed: seed: expected a whole number"):
        loading.update(Settings(), {"seed": -1}, {"seed": "option --seed"})


def test_every_key_that_bears_on_results_is_recorded() -> None:
    recorded = as_dict(Settings(metrics=(MetricSpec("a", "accuracy_score"),)))
    assert recorded["metrics"] == [{"name": "a", "function": "accuracy_score"}]
    machine = {"workers", "backend", "scheduler", "memory", "figures", "yardstick", "interactive",
               "limits"}  # fmt: skip
    assert set(recorded) == {option.name for option in OPTIONS} - machine | {"metrics"}


def test_a_color_scheme_is_one_of_three(tmp_path: Path) -> None:
    assert Settings().color_scheme == "auto"
    assert loaded(tmp_path, "color_scheme: light").color_scheme == "light"
    with pytest.raises(SettingsError, match="color_scheme: expected one of auto, light, dark"):
        loaded(tmp_path, "color_scheme: black")


def test_a_language_is_one_there_is_a_file_for(tmp_path: Path) -> None:
    assert loaded(tmp_path, "language: es").language == "es"
    with pytest.raises(SettingsError, match="language: expected one of en, es"):
        loaded(tmp_path, "language: klingon")


def test_the_date_may_be_what_yaml_takes_for_a_date(tmp_path: Path) -> None:
    assert loaded(tmp_path, "date: 2021-09-21").date == "2021-09-21"
    assert loaded(tmp_path, "date: September 2021").date == "September 2021"
    with pytest.raises(SettingsError, match="date: expected text"):
        loaded(tmp_path, "date: 7")


def test_the_url_is_an_address_in_the_web(tmp_path: Path) -> None:
    assert loaded(tmp_path, "url: https://example.org/a?b=1").url == "https://example.org/a?b=1"
    with pytest.raises(SettingsError, match="url: expected an address"):
        loaded(tmp_path, "url: javascript:alert(1)")


def test_paper_is_short_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert Settings().print == "short"
    assert loaded(tmp_path, "print: full").print == "full"
    with pytest.raises(SettingsError, match="print: expected one of short, full"):
        loaded(tmp_path, "print: long")


def test_figures_are_formats_beside_svg(tmp_path: Path) -> None:
    assert Settings().figures == ()
    assert loaded(tmp_path, "figures: [pdf, png]").figures == ("pdf", "png")
    assert loaded(tmp_path, "figures: png,pdf").figures == ("png", "pdf")
    with pytest.raises(SettingsError, match="figures: expected one of pdf, png"):
        loaded(tmp_path, "figures: svg")


def test_the_limits_of_uploads_may_be_one_key(tmp_path: Path) -> None:
    one = loaded(tmp_path, "limits: {file: 3, upload: 9, files: 7, ratio: 20, nested: 2}")
    five = "largest_file: 3\nlargest_upload: 9\nmost_files: 7\nmost_ratio: 20\nmost_nested: 2"
    assert one == loaded(tmp_path, five)
    assert one.limits_of(100) == loaded(tmp_path, five).limits_of(100)
    assert one.limits_of().most_files == 7
    assert loaded(tmp_path, "limits: null") == loaded(tmp_path, "limits: {}") == Settings()
    assert as_dict(one)["most_nested"] == 2
    later = loading.update(one, loading.values_of({"limits": "{files: 8}"}), {})
    assert (later.most_files, later.largest_file) == (8, 3)


WRONG_LIMITS = [
    ("limits: 5\n", "line 1: limits: expected a mapping with keys among file, upload, files"),
    ("limits: {fille: 5}\n", "did you mean 'file'"),
    ("limits: {file: 0}\n", "expected a whole number of at least 1 for each limit"),
    ("most_files: 3\nlimits: {files: 3}\n", "line 2: limits: 'files' is the key 'most_files'"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_LIMITS)
def test_wrong_limits_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        loaded(tmp_path, text)


def test_a_merged_setting_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="line 3: resamples: expected"):
        loaded(tmp_path, "language: en\n<<:\n  resamples: few\n")


#: Keys of other programs, and what is meant by them.
OTHER_KEYS = [
    ("bootstrap", "'resamples'?"),
    ("n_resamples", "'resamples'?"),
    ("alpha", "'confidence', which is 1 − alpha?"),
    ("metric", "'metrics'?"),
    ("timeout", "'time_budget'?"),
    ("delimiter", "'submissions', such as {separator: ';'}?"),
]


@pytest.mark.parametrize(("key", "meant"), OTHER_KEYS)
def test_a_key_of_another_program_is_answered_by_its_meaning(
    tmp_path: Path, key: str, meant: str
) -> None:
    with pytest.raises(
        SettingsError, match=re.escape(f"unknown key {key!r}; did you mean {meant}")
    ):
        loaded(tmp_path, f"{key}: 1\n")
