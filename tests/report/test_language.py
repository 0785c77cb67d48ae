"""The languages have the same strings, and every string is used."""

from __future__ import annotations

import ast
import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.core.notes import Note
from scoring_program.core.templates import languages
from scoring_program.inference.analysis import Caution
from scoring_program.metrics.kinds.multilabel import VARIANTS
from scoring_program.metrics.registry import REGISTRY
from scoring_program.report import language
from scoring_program.settings.model import OPTIONS
from tests.competitions import REPOSITORY
from tests.report import made

ENGLISH = language.load("en")
OTHERS = [code for code in languages() if code != "en"]


def leaves(strings: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(strings, dict):
        for key, value in strings.items():
            yield from leaves(value, f"{path}.{key}".strip("."))
    elif isinstance(strings, list):
        for index, value in enumerate(strings):
            yield f"{path}[{index}]", value
    else:
        yield path, strings


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("code", OTHERS)
def test_languages_have_the_same_keys_and_places(code: str) -> None:
    english, other = dict(leaves(ENGLISH.strings)), dict(leaves(language.load(code).strings))
    assert set(english) - set(other) == set(), "missing"
    assert set(other) - set(english) == set(), "extra"
    for key, text in english.items():
        assert places(other[key]) == places(text), key
        assert isinstance(other[key], str), key


@pytest.mark.parametrize("code", OTHERS)
def test_languages_are_translated(code: str) -> None:
    # Names of methods, units and formats are the same everywhere.
    same = re.compile(
        r"^[\W\d]*$|Bonferroni|Holm|Benjamini|max-T|BCa|^p,|^\{|^ltr$|δ|p < |ideal|"
        r"^(F-beta|Jaccard|chrF|pass@k|[A-Z]+)$"
    )
    english, other = dict(leaves(ENGLISH.strings)), dict(leaves(language.load(code).strings))
    untouched = [
        key for key, text in english.items() if other[key] == text and not same.search(text)
    ]
    assert not untouched


def test_the_setting_offers_the_languages_there_are() -> None:
    option = next(option for option in OPTIONS if option.name == "language")
    for code in languages():
        assert option.check(code) == code


def test_every_string_is_used() -> None:
    sources = [*REPOSITORY.glob("scoring_program/**/*.py"), *REPOSITORY.glob("templates/*.j2")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    # Keys named after a rule, a correction, a code or a form are put together when they are used.
    together = {"numerals", "rules", "corrections", "cautions", "intervals", "method", "runs"}
    for key, _ in leaves(ENGLISH.strings):
        section, *rest = re.sub(r"\[\d+\]$", "", key).split(".")
        if rest and section not in together | {"status", "verdict", "paper"}:
            word = rest[0].removesuffix("_competing")
            assert re.search(rf"\b{word}\b", text), key


def noted() -> Iterator[tuple[str, set[str]]]:
    """Yield the key of every note that the program takes, and the places that it has values for."""
    for path in REPOSITORY.glob("scoring_program/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Note"), [key, *values]):
                    section = ""
                case ast.Call(ast.Name("Caution"), [_, key, _, *values]):
                    section = "cautions."
                case _:
                    continue
            tables = [value for value in values if isinstance(value, ast.Dict)]
            if len(tables) == len(values):
                given = {
                    ast.literal_eval(place) for table in tables for place in table.keys if place
                }
                for found in ast.walk(key):
                    if isinstance(found, ast.Constant) and isinstance(found.value, str):
                        yield f"{section}{found.value}", given


def test_every_note_has_its_text_and_values_for_its_places() -> None:
    texts = dict(leaves(ENGLISH.strings))
    keys = {key for key, _ in noted()}
    of_the_page = {f"cautions.{name}" for name in ("heading", "caption", "nobody", "red", "amber")}
    for section in ("notes", "cautions", "formats"):
        texts_there = {f"{section}.{name}" for name in ENGLISH.strings[section]}
        assert texts_there - of_the_page <= keys, "unused"
    for key, given in noted():
        if key in texts:
            assert places(texts[key]) == given, key
        else:
            assert {"count"} | places(texts[f"{key}.other"]) == given, key
            assert places(texts[f"{key}.one"]) <= given, key


def test_notes() -> None:
    told = ENGLISH.tell(Note("notes.gold_emptied", {"count": 1}))
    assert told.endswith(": 1 row of empty cells was left out.")
    files = tuple(f"{{count}} {number}" for number in range(12))
    found = Note("notes.left_aside", {"files": files})
    told = ENGLISH.tell(Note("notes.of_files", {"note": found, "found": 1, "files": 2000}))
    assert told.startswith("Not read, because they hold no predictions: {count} 0, {count} 1, ")
    assert told.endswith("{count} 9, … and 2 more. (1 of 2,000 files)")
    assert "y 2 más" in language.load("es").tell(found)


@pytest.mark.parametrize("form", made.FORMS)
@pytest.mark.parametrize("code", OTHERS)
def test_every_form_exists_in_every_language(form: str, code: str) -> None:
    report = render.build(made.with_settings(made.FORMS[form](), language=code))
    assert f'<html lang="{code}"' in render.page(report)


def test_lists() -> None:
    assert ENGLISH.listed([]) == ""
    assert ENGLISH.listed(["A"]) == "A"
    assert ENGLISH.listed(["A", "B"]) == "A and B"
    assert ENGLISH.listed(["A", "B", "C"]) == "A, B and C"
    assert language.load("es").listed(["A", "B", "C"]) == "A, B y C"


def test_a_value_is_never_a_template() -> None:
    assert "{0}{leader}" in ENGLISH.say("consequence.alone", leader="{0}{leader}", examples="5")


@pytest.mark.parametrize("code", languages())
def test_every_metric_has_a_label_in_every_language(code: str) -> None:
    labels = language.load(code).strings["metrics"]["labels"]
    # Acronyms and formulas are the same everywhere.
    in_words = {
        row.label for row in (*REGISTRY.values(), *VARIANTS) if re.search("[a-z]{3}", row.label)
    }
    assert in_words <= set(labels)


def test_labels_of_metrics() -> None:
    spanish = language.load("es")
    assert spanish.metric("precision") == "precisión"
    assert spanish.metric("macro F1") == "F1 macro"
    assert spanish.metric("public: weighted recall") == "pública: exhaustividad ponderada"
    assert spanish.metric("stance: mean rank") == "stance: lugar medio"
    assert spanish.metric("our own: measure") == "our own: measure"
    for row in REGISTRY.values():
        assert ENGLISH.metric(f"macro {row.label}") == f"macro {row.label}"


def test_cautions_name_the_entries_in_every_language() -> None:
    reference, others = "submission", ("alfa", "línea base")
    values: dict[str, Any] = {"reference": reference, "entries": others, "limit": 10, "fewest": 3}
    pairs = (Note("list", {"first": reference, "last": others[0]}),)
    cautions = (
        Caution("red", "few_disagreements", 3, values),
        Caution("amber", "identical_predictions", 1, {"count": 1, "pairs": pairs}),
    )
    page = made.field()
    names = tuple(reference if i == page.focus else name for i, name in enumerate(page.names))
    first, second = (replace(analysis, names=names) for analysis in page.analyses)
    analyses = replace(first, cautions=cautions), replace(second, cautions=())
    page = replace(page, names=names, analyses=analyses)
    few, same = made.content(render.build(page), "cautions")
    assert few.message.startswith("F1: submission and alfa, línea base differ on fewer than 10 ")
    assert same.message == "F1: 1 pair of entries has identical predictions: submission and alfa."
    report = render.build(made.with_settings(page, language="es"))
    few, same = made.content(report, "cautions")
    assert few.message.startswith("F1: envío y alfa, línea base difieren en menos de 10 ")
    assert same.message == "F1: 1 par de participantes tiene predicciones idénticas: envío y alfa."


@pytest.mark.parametrize("form", ["spanish", "errors", "single_in_spanish"])
def test_what_is_english_on_a_spanish_page_is_marked(form: str) -> None:
    report = render.build(made.FORMS[form]())
    page = render.page(report)
    body = page[page.index("<body>") :]
    said = html.unescape(re.sub(r'<(\w+) lang="en">.*?</\1>', "", body, flags=re.S))
    spanish = dict(leaves(language.load("es").strings))
    for key, text in leaves(ENGLISH.strings):
        longest = max(re.split(r"\{\w+\}", text), key=len).strip()
        if len(longest) > 8 and longest not in spanish[key]:
            assert longest not in said, key
    marked = Counter(re.findall(r'<(\w+) lang="en">', body))
    reasons = made.content(report, "unusable") or ()
    sources = made.content(report, "method").sources
    assert marked == Counter(dd=len(reasons), li=len(sources), code=len(report.metrics))
    if form == "spanish":
        assert "1 fila de celdas vacías" in said
        assert "Formato: 5 con una etiqueta por línea." in said
        assert "menos de 20: los intervalos" in said
        assert '<dd lang="en">predictions.csv: 1 duplicate id</dd>' in body
        assert "va en inglés" in said
    english = render.page(render.build(made.teams()))
    assert english.count('lang="en"') == 1
