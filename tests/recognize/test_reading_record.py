"""The record: what people see of a Reading, what is frozen, and what is kept with its reasons."""

from __future__ import annotations

import json

import yaml

from scoring_program.recognize.reading_record import Decision, Reading
from scoring_program.recognize.rows_rule import Recognition
from scoring_program.recognize.statements import Need

from .columns import (
    BINARY,
    COLORS,
    IDS,
    PRICES,
    SPLIT,
    TEXTS,
    WORDS,
    cut,
    noisy,
    recognized,
    scores,
)  # fmt: skip

ACCURACY = Need("accuracy_score", "labels")
AUC = Need("roc_auc_score", "scores", positive="yes")
GOLD = {"id": IDS, "text": TEXTS, "Usage": SPLIT, "label": WORDS}
SCORES = scores(WORDS, "yes")


def reading(outcome: Recognition) -> Reading:
    assert outcome.reading is not None
    return outcome.reading


def competition() -> Reading:
    guess = cut(SCORES, "yes", "no")
    files = [{"id": IDS, "pred": guess, "prob": SCORES} for _ in range(3)]
    files[0]["note"] = TEXTS[::-1]
    return reading(recognized(GOLD, files, ACCURACY, AUC))


def test_the_log_says_every_column_in_a_few_lines() -> None:
    assert competition().lines() == [
        "Read: gold.csv: key id, answers label (no, yes), split Usage; not read: text.",
        "3 submissions joined by id; predictions in pred, prob. Not read: note (1 file).",
    ]


def test_names_of_one_file_alone_may_tell_whose_it_is() -> None:
    assert competition().without_rare_names().lines() == [
        "Read: gold.csv: key id, answers label (no, yes), split Usage; not read: text.",
        "3 submissions joined by id; predictions in pred, prob.",
    ]
    files = [{"id": IDS, f"pred{number}": noisy(COLORS, number)} for number in range(3)]
    rare = reading(recognized({"id": IDS, "label": COLORS}, files, ACCURACY)).without_rare_names()
    assert len(rare.lines()) == 1


def test_many_headers_take_five_lines() -> None:
    files = [{"id": IDS, f"pred{number}": noisy(COLORS, number)} for number in range(8)]
    lines = reading(recognized({"id": IDS, "label": COLORS}, files, ACCURACY)).lines()
    assert len(lines) == 5
    assert lines[-1] == "5 more submissions, of which other columns are read."


def test_the_frozen_form_is_that_of_scoring_yaml() -> None:
    frozen = competition().frozen()
    assert yaml.safe_load(yaml.safe_dump(frozen)) == frozen
    assert frozen == {
        "reference": {
            "file": "gold.csv",
            "columns": {"id": "id", "answer": "label"},
            "header": True,
        },
        "submissions": {
            "columns": {"id": "id", "prediction": "pred", "roc_auc_score": "prob"},
            "header": True,
            "join": "key",
        },
    }


def test_the_record_says_how_and_why() -> None:
    record = competition().record()
    assert json.loads(json.dumps(record)) == record
    assert record["reference"]["columns"] == [
        {
            "metrics": ["accuracy_score", "roc_auc_score"],
            "value": "label",
            "how": "proven",
            "why": "no other column of the reference data fits the submissions",
            "holds": "label",
        }
    ]
    of_scores = record["submissions"][0]["columns"][1]
    assert of_scores["value"] == "prob"
    assert of_scores["why"] == "the labels beside it are this number, cut at a threshold"
    assert record["reference"]["not_read"] == {"text": 1}


def test_where_participants_read_no_value_of_the_gold_is_shown() -> None:
    lines = competition().lines(participants_read=True)
    assert lines[0].startswith("Read: gold.csv: key id, answers label (labels), split Usage")
    secret = {"id": IDS, "stance": ["hush1", "hush2"] * 20, "kind": ["hush3", "hush4"] * 20}
    file = {"id": IDS, "p": ["hush1"] * 40}
    question = recognized(secret, [file], ACCURACY, participants_read=True).questions[0]
    assert question.options
    assert "hush" not in "\n".join(question.lines())
    spoiled = {"id": IDS, "price": ["hush", *PRICES[1:]], "cost": ["hush", *PRICES[:0:-1]]}
    error = Need("mean_absolute_error", "numbers")
    outcome = recognized(spoiled, [{"id": IDS, "p": PRICES}], error, participants_read=True)
    assert "hush" not in "\n".join(outcome.questions[0].lines())
    headless = {"hush": ["shy"] * 40}
    outcome = recognized(headless, [headless], ACCURACY, participants_read=True)
    assert "hush" not in "\n".join(outcome.questions[0].lines())


def test_what_a_name_decided_is_said_with_its_rivals() -> None:
    gold = {"id": IDS, "label": COLORS, "kind": noisy(COLORS, 4)}
    record = reading(recognized(gold, [{"id": IDS, "p": noisy(COLORS)}], ACCURACY))
    ((decision, metrics),) = record.doubtful
    assert isinstance(decision, Decision)
    assert metrics == ("accuracy_score",)
    assert (decision.value, decision.rivals) == ("label", ("kind",))


def test_without_uploads_it_says_what_to_send() -> None:
    gold = {"id": IDS, "label": BINARY}
    sent = reading(recognized(gold, [], Need("roc_auc_score", "scores"))).frozen()["submissions"]
    assert sent["columns"] == {"id": "id", "prediction": "score"}
    loss = Need("log_loss", "probabilities")
    sent = reading(recognized({"id": IDS, "label": COLORS}, [], loss)).frozen()["submissions"]
    assert sent["columns"]["prediction"] == {"blue": "blue", "green": "green", "red": "red"}
