"""The languages have the same strings, and every string is used."""

from __future__ import annotations

import ast
import html
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.core import templates
from scoring_program.core.notes import Note, form
from scoring_program.core.templates import languages, templates_folder
from scoring_program.inference.analysis import Caution
from scoring_program.metrics.kinds.multilabel import VARIANTS
from scoring_program.metrics.registry import REGISTRY
from scoring_program.report import language
from scoring_program.report.results_json import results_json
from scoring_program.settings.model import OPTIONS
from tests.competitions import REPOSITORY
from tests.report import made

ENGLISH = language.load("en")
#: What a language file says of the language itself.
GRAMMAR = ("code", "direction", "numerals", "plurals", "comma")
#: Sections of a language file that are no texts of the page. `test_reasons` looks at the reasons.
APART = (*GRAMMAR, "reasons")
#: Unlike those of any language here.
NUMERALS = 'numerals: {decimal: ",", thousands: ".", percent_sign: "\N{NARROW NO-BREAK SPACE}%"}'
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


def expected(strings: Any) -> dict[str, set[str]]:
    """Return the keys that a language file must have, and the places of each text.

    A text with several forms has those of the language, each with the places of its English form,
    or else of the English plural.
    """
    english = {key: places(text) for key, text in of_pages(ENGLISH.strings).items()}
    found = {}
    for key, named in english.items():
        path, _, last = key.rpartition(".")
        if last != "one" or f"{path}.other" not in english:
            found[key] = named
            continue
        for name in strings["plurals"]:
            found[f"{path}.{name}"] = named if name == "one" else english[f"{path}.other"]
    return found


def of_pages(strings: Any) -> dict[str, str]:
    """Return the texts of a language file that are written for the page."""
    return dict(leaves({key: value for key, value in strings.items() if key not in APART}))


@pytest.mark.parametrize("code", OTHERS)
def test_languages_have_the_same_keys_and_places(code: str) -> None:
    strings = language.load(code).strings
    for key in GRAMMAR:
        assert strings.keys() >= {key}
    wanted, found = expected(strings), of_pages(strings)
    assert set(wanted) - set(found) == set(), "missing"
    assert set(found) - set(wanted) == set(), "extra"
    for key, named in wanted.items():
        assert isinstance(found[key], str), key
        assert places(found[key]) == named, key


@pytest.mark.parametrize("code", OTHERS)
def test_languages_are_translated(code: str) -> None:
    # Names of methods, units and formats are the same everywhere.
    same = re.compile(
        r"^[\W\d]*$|Bonferroni|Holm|Benjamini|max-T|BCa|^p,|^\{|δ|p < |ideal|"
        r"^(F-beta|Jaccard|chrF|pass@k|[A-Z]+|no)$"
    )
    english, other = of_pages(ENGLISH.strings), of_pages(language.load(code).strings)
    untouched = [
        key for key, text in english.items() if other.get(key) == text and not same.search(text)
    ]
    assert not untouched


def test_forms_of_texts_follow_the_language() -> None:
    # As files of gettext say it for Polish, French and English.
    polish = {
        "one": "n == 1",
        "few": "n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20)",
    }
    counts = (0, 1, 2, 5, 12, 22, 25)
    assert [form({"plurals": polish}, count) for count in counts] == [
        "other", "one", "few", "other", "other", "few", "other",
    ]  # fmt: skip
    assert [form({"plurals": {"one": "n < 2"}}, count) for count in (0, 1, 2)] == [
        "one", "one", "other",
    ]  # fmt: skip
    assert [form({"plurals": {}}, count) for count in (1, 2)] == ["other", "other"]


@pytest.mark.parametrize("code", languages())
def test_a_language_file_is_all_that_a_language_needs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "templates"
    shutil.copytree(templates_folder(), folder)
    text = (folder / "language" / f"{code}.yaml").read_text(encoding="utf-8")
    text = re.sub("(?m)^code: .*$", "code: xx", text)
    text = re.sub("(?m)^numerals: .*$", NUMERALS, text)
    text = re.sub("(?m)^comma: .*$", 'comma: "، "', text)
    (folder / "language" / "xx.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(templates, "templates_folder", lambda: folder)
    monkeypatch.setattr(language, "templates_folder", lambda: folder)
    assert "xx" in languages()
    page = render.page(render.build(made.with_settings(made.teams(), language="xx")))
    assert '<html lang="xx"' in page
    assert ">0,7154<" in page
    assert ">95\N{NARROW NO-BREAK SPACE}%<" in page
    assert language.load("xx").joined("AB") == "A، B"


def test_the_setting_offers_the_languages_there_are() -> None:
    option = next(option for option in OPTIONS if option.name == "language")
    for code in languages():
        assert option.check(code) == code


def test_every_string_is_used() -> None:
    sources = [*REPOSITORY.glob("scoring_program/**/*.py"), *REPOSITORY.glob("templates/*.j2")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    # Keys named after a rule, a correction, a code or a form are put together when they are used.
    together = {"numerals", "rules", "corrections", "cautions", "intervals", "method", "runs"}
    for key in of_pages(ENGLISH.strings):
        section, *rest = re.sub(r"\[\d+\]$", "", key).split(".")
        if rest and section not in together | {"status", "verdict", "paper"}:
            word = rest[0]
            for suffix in ("_beaten", "_competing", "_only_ranks"):
                word = word.removesuffix(suffix)
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


@pytest.mark.parametrize("name", made.FORMS)
@pytest.mark.parametrize("code", OTHERS)
def test_every_form_exists_in_every_language(name: str, code: str) -> None:
    report = render.build(made.with_settings(made.FORMS[name](), language=code))
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


@pytest.mark.parametrize("name", ["spanish", "errors", "single_in_spanish"])
@pytest.mark.parametrize("code", OTHERS)
def test_what_is_english_on_another_page_is_marked(name: str, code: str) -> None:
    report = render.build(made.with_settings(made.FORMS[name](), language=code))
    page = render.page(report)
    body = page[page.index("<body>") :]
    said = html.unescape(re.sub(r'<(\w+) lang="en">.*?</\1>', "", body, flags=re.S))
    translated = " ".join(of_pages(language.load(code).strings).values())
    for key, text in of_pages(ENGLISH.strings).items():
        longest = max(re.split(r"\{\w+\}", text), key=len).strip()
        if len(longest) > 8 and longest not in translated:
            assert longest not in said, key
    marked = Counter(re.findall(r'<(\w+) lang="en">', body))
    sources = made.content(report, "method").sources
    assert marked == Counter(li=len(sources), code=len(report.metrics))


def test_a_spanish_page_says_its_notes_in_spanish() -> None:
    page = html.unescape(render.page(render.build(made.spanish())))
    assert "1 fila de celdas vacías" in page
    assert "Formato: 5 con una etiqueta por línea." in page
    assert "menos de 20: los intervalos" in page
    assert "<dd>predictions.csv: 1 identificador repetido</dd>" in page
    assert "las mismas razones en inglés" in page
    english = render.page(render.build(made.teams()))
    assert english.count('lang="en"') == 1


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("kind", ["ranking", "text", "spans", "resolved"])
def test_a_page_calls_examples_by_the_name_of_their_kind(code: str, kind: str) -> None:
    """With 60 of them, the page also warns and plans."""
    found = made.result(n=60, kind=kind, metrics=2, settings={"language": code})
    report = render.build(found)
    page = re.sub("<style>.*?</style>", "", render.page(report), flags=re.DOTALL)
    names = [language.load(code).strings["kinds"][name]["other"] for name in (kind, "rows")]
    own, of_rows = (name.replace("{count}", "").strip() for name in names)
    assert len(re.findall(rf"\b{own}\b", page)) >= 10
    assert not re.findall(rf"\b{of_rows.removesuffix('s')}s?\b", page, flags=re.IGNORECASE)


@pytest.mark.parametrize("code", languages())
def test_no_text_calls_all_kinds_of_examples_alike(code: str) -> None:
    strings = language.load(code, "ranking").strings
    of_rows = strings["kinds"]["rows"]["one"].replace("{count}", "").strip()
    for key, text in of_pages(strings).items():
        # Competitions side by side may have examples of several kinds.
        if not key.startswith(("kinds.", "counted.", "competitiveness.")):
            said = re.sub(r"\{\w+\}", "", text)
            assert not re.search(rf"(?<!for )(?<!por )\b{of_rows}s?\b", said, re.IGNORECASE), key


def test_warnings_call_examples_by_the_name_of_their_kind() -> None:
    (caution,) = json.loads(results_json(made.result(n=60, kind="ranking"), ""))["warnings"]
    assert caution["message"].startswith("Only 60 queries, fewer than 100: ")


@pytest.mark.parametrize("code", languages())
def test_words_that_the_style_sheet_writes_have_no_quotes(code: str) -> None:
    """A phone shows them before numbers that have lost the headings of their columns."""
    strings = language.load(code).strings
    for word in (strings["ranking"]["rank_range"], strings["differences"]["difference"]):
        assert not set(word) & set('"\\')
