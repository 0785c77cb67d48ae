"""The catalogs translate every sentence, into all forms, and nothing else."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from gettext import GNUTranslations
from pathlib import Path

import pytest
import yaml

from scoring_program.core import catalogs
from scoring_program.core.catalogs import compiled, entries, languages, load
from scoring_program.core.errors import OrganizerError
from scoring_program.core.phrases import Phrase, counted
from scoring_program.core.templates import templates_folder
from tests.competitions import REPOSITORY
from tests.words import Sentence, sentences

OTHERS = [code for code in languages() if code != "en"]
FOLDER = templates_folder() / "language"
#: Names of methods, units and formats, which are the same in every language.
_SAME = re.compile(
    r"^[\W\d]*$|Bonferroni|Holm|Benjamini|max-T|BCa|^p,|^\{[\w:]+\}\W*(\{[\w:]+\}\W*)*$|δ|p < "
    r"|ideal|^(F-beta|Jaccard|chrF|pass@k|Pearson's r|[A-Z]+|no|ltr|micro \{metric\})$"
)
#: Words of English that no other language here has.
_ENGLISH = re.compile(
    r"\b(the|is|are|of|not|found|expected|write|send|with|and|row|line|column|files?|it|there"
    r"|labels|predictions|read|save|give)\b",
    re.IGNORECASE,
)


def has_words(key: str) -> bool:
    context, _, sentence = key.rpartition("\x04")
    return Sentence(sentence).has_words and context != "numerals"


def places(text: str) -> set[str]:
    """Return what a text has places for. A translation may name the examples elsewhere, or not."""
    return set(re.findall(r"\{([\w:]+)\}", text)) - {"thing", "things", "Thing", "Things"}


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_is_translated_and_no_other(code: str) -> None:
    found = entries(FOLDER / f"{code}.po")
    # An acronym that a catalog lacks is the same in its language.
    wanted = {
        sentence.key
        for sentence in sentences()
        if sentence.context != "metric" or re.search("[a-z]{3}", sentence.one)
    }
    assert wanted - found.keys() == set(), "missing"
    said = {item.key for item in sentences()}
    assert {key for key in found if key and has_words(key)} - said == set(), "obsolete"


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_every_form_and_the_same_places(code: str) -> None:
    found = entries(FOLDER / f"{code}.po")
    forms = int(re.findall(r"nplurals=(\d+)", found[""][0])[0])
    for key, texts in found.items():
        one, _, many = key.rpartition("\x04")[2].partition("\0")
        assert len(texts) == (forms if many else 1), key
        for number, text in enumerate(texts if key else ()):
            allowed = [places(many or one)]
            if many and number == 0:  # the form for one, which may leave out the number
                allowed += [places(one), places(one) - {"count", "count:n"}]
            assert places(text) in allowed, key


def test_sentences_leave_the_writing_of_numbers_to_the_language() -> None:
    """A sign of percent or of thousands in a sentence would be that of English everywhere."""
    for sentence in sentences():
        for text in (sentence.one, sentence.many):
            assert not re.search(r"[\w}]%|\d,\d{3}|:,", text), text


@pytest.mark.parametrize("code", OTHERS)
def test_translations_are_not_english(code: str) -> None:
    for key, texts in entries(FOLDER / f"{code}.po").items():
        context, _, sentence = key.rpartition("\x04")
        if not key or context in {"numerals", "between items"}:
            continue
        english = sentence.split("\0")
        if not any(map(_SAME.search, english)):
            words = re.findall(r"[^\W\d_]+", re.sub(r"\{[\w:]+\}", "", english[0]))
            same_word = context == "metric" or len(words) == 1
            assert same_word or not {*texts} & {*english}, key
        for text in texts:
            prose = re.sub(r"\{[\w:]+\}|'[^']*'|\(.*?\)|--\w+|numpy\.\w+|git lfs pull", "", text)
            assert len(_ENGLISH.findall(prose)) < 3, key


def test_forms_follow_the_language(tmp_path: Path) -> None:
    # The rule of Polish, as gettext's manual gives it.
    (tmp_path / "pl.po").write_text(
        'msgid ""\nmsgstr ""\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=3; plural=(n==1 ? 0 '
        ': n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"\n\n'
        '# A comment\nmsgid "{count} file"\nmsgid_plural "{count} files"\n'
        'msgstr[0] "{count} plik"\nmsgstr[1] "{count} "\n"pliki"\nmsgstr[2] "{count} \\"plików\\""'
        '\n\nmsgctxt "verb"\nmsgid "file"\nmsgstr "zapisz"\n\nmsgid "empty"\nmsgstr ""\n',
        encoding="utf-8",
    )
    catalog = GNUTranslations(io.BytesIO(compiled(entries(tmp_path / "pl.po"))))
    found = [catalog.ngettext("{count} file", "{count} files", n) for n in (1, 2, 5, 12, 22)]
    assert [text.removeprefix("{count} ") for text in found] == [
        "plik", "pliki", '"plików"', '"plików"', "pliki",
    ]  # fmt: skip
    assert catalog.pgettext("verb", "file") == "zapisz"
    assert (catalog.gettext("file"), catalog.gettext("empty")) == ("file", "empty")


@pytest.mark.parametrize("line", ["msgid 'a'", '"a"', 'msgid "a', 'msgid "a\\q"', "a"])
def test_a_malformed_catalog_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "xx.po").write_text(f"# a\n\n{line}\n", encoding="utf-8")
    with pytest.raises(OrganizerError, match=r"^xx\.po, line 3: "):
        entries(tmp_path / "xx.po")


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalog_is_all_that_a_language_needs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDER, tmp_path / "language")
    text = (FOLDER / f"{code}.po").read_text(encoding="utf-8")
    text = re.sub(
        '(msgctxt "numerals"\nmsgid .*\nmsgstr) .*',
        '\\1 "1.234; 12.345,6\N{NO-BREAK SPACE}%"',
        text,
    )
    text = re.sub('(msgctxt "between items"\nmsgid .*\nmsgstr) .*', r'\1 "، "', text)
    (tmp_path / "language" / "xx.po").write_text(text, encoding="utf-8")
    monkeypatch.setattr(catalogs, "templates_folder", lambda: tmp_path)
    assert languages() == ("en", "es", "pt", "xx")
    found = load("xx")
    assert found.joined("AB") == "A، B"
    assert found.numerals.fixed(1234.5, 2) == "1.234,50"
    assert found.numerals.percent(0.5) == "50\N{NO-BREAK SPACE}%"


def test_sentences_are_what_gettext_knows() -> None:
    assert Sentence("file", "files", "noun").key == "noun\x04file\0files"
    assert Sentence("line", "lines") in sentences()
    assert Sentence("accuracy", "", "metric") in sentences()


def test_what_a_catalog_lacks_stays_english() -> None:
    new = Phrase("{place}: {what} is new", place=Phrase("line", "lines"), what="{a}")
    assert load("es").say(new) == "línea: {a} is new"
    assert load("es").say(counted(2, Phrase("new thing", "new things"))) == "2 new things"


def test_a_language_file_of_an_early_version_becomes_a_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal sentences keep their translation; others, and ambiguous ones, are said in English."""
    english = {
        "list": "{first} and {last}",
        "kinds": {"rows": {"one": "{count} example", "other": "{count} examples"}},
        "contents": {"heading": "Contents", "again": "Tables"},
        "gone": {"tables": "Tables", "old": "What nobody says today"},
        "reasons": {"a gzip archive": None},
    }  # fmt: skip
    own = {
        "code": "cs",
        "direction": "ltr",
        "numerals": {"decimal": ",", "thousands": ".", "percent_sign": " %"},
        "plurals": {"one": "n == 1", "few": "n >= 2 && n <= 4"},
        "comma": ", ",
        "list": "{first} a {last}",
        "kinds": {
            "rows": {
                "one": "{count} příklad",
                "few": "{count} příklady",
                "other": "{count} příkladů",
            }
        },
        "contents": {"heading": "Obsah", "again": "Tabulky"},
        "gone": {"tables": "Přehledy", "old": "Co dnes nikdo neříká"},
        "reasons": {"a gzip archive": 'archiv "gzip"'},
    }
    for name, document in (("en", english), ("cs", own)):
        written = yaml.safe_dump(document, allow_unicode=True)
        (tmp_path / f"{name}.yaml").write_text(written, encoding="utf-8")
    command = [sys.executable, "-m", "docs.generate.catalog"]
    files = [str(tmp_path / name) for name in ("cs.yaml", "en.yaml")]
    done = subprocess.run([*command, *files], cwd=REPOSITORY, capture_output=True, check=True)
    (tmp_path / "language").mkdir()
    (tmp_path / "language" / "cs.po").write_bytes(done.stdout)
    assert "Co dnes nikdo neříká" not in done.stdout.decode()
    monkeypatch.setattr(catalogs, "templates_folder", lambda: tmp_path)
    language = load("cs")
    assert language.say("Contents") == "Obsah"
    assert language.say("Tables") == "Tables"
    assert language.say("{first} and {last}", first="a", last="b") == "a a b"
    counts = [
        language.say("{count:n} example", "{count:n} examples", count=n) for n in (1, 3, 5000)
    ]
    assert counts == ["1 příklad", "3 příklady", "5.000 příkladů"]
    assert language.say(Phrase("a gzip archive")) == 'archiv "gzip"'
    assert language.say("Reference data") == "Reference data"
