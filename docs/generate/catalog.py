"""Turns a language file of an early version, ``.yaml`` with keys, into a catalog of gettext.

``python -m docs.generate.catalog fr.yaml en.yaml > fr.po`` takes the file and the English one that
lay beside it: equal keys pair each translation with its English sentence. A sentence that is said
otherwise today, or that the file translates in two ways, stays to be translated.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from scoring_program.core.catalogs import entries
from scoring_program.core.templates import templates_folder

#: The form of a count that meets none of the conditions under ``plurals``.
_REST = "other"
#: A place that writes a number with the signs of the language; once, it looked like any other.
_NUMBER = re.compile(r"\{(\w+):n\}")
#: The contexts of sentences that describe the language and stand under keys of their own.
_NUMERALS, _DIRECTION, _COMMA = "numerals", "direction of writing", "between items"


def catalog(own: Mapping[str, Any], english: Mapping[str, Any]) -> str:
    """Return the text of the catalog; sentences without a translation have an empty one."""
    conditions: Mapping[str, str] = own.get("plurals") or {"one": "n == 1"}
    forms = (*conditions, _REST)
    said = dict(_pairs(english, own, forms))
    signs = own["numerals"]
    number = "1{thousands}234; 12{thousands}345{decimal}6{percent_sign}".format_map(signs)
    known = {_NUMERALS: number, _DIRECTION: own["direction"], _COMMA: own["comma"]}
    choice = "".join(f"{of} ? {place} : " for place, of in enumerate(conditions.values()))
    plurals = f"nplurals={len(forms)}; plural=({choice}{len(conditions)});"
    header = (
        f"Language: {own['code']}\n",
        "Content-Type: text/plain; charset=UTF-8\n",
        f"Plural-Forms: {plurals}\n",
    )
    written = ['msgid ""\nmsgstr ""\n' + "\n".join(map(_quoted, header))]
    for key in filter(None, entries(templates_folder() / "language" / "es.po")):
        context, _, sentence = key.rpartition("\x04")
        one, _, many = sentence.partition("\0")
        found = said.get(_without_numbers(sentence)) or ("",) * (len(forms) if many else 1)
        texts = [_with_numbers(text, sentence) for text in found]
        texts = [known[context]] if context in known else texts
        lines = [f"msgctxt {_quoted(context)}"] if context else []
        lines += [f"msgid {_quoted(one)}"]
        lines += [f"msgid_plural {_quoted(many)}"] if many else []
        numbers = [f"[{place}]" for place in range(len(forms))] if many else [""]
        lines += [f"msgstr{n} {_quoted(text)}" for n, text in zip(numbers, texts, strict=True)]
        written.append("\n".join(lines))
    return "\n\n".join(written) + "\n"


def _pairs(
    english: Any, own: Any, forms: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield each English sentence with its forms in the other language; None if they differ."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for sentence, texts in _equal_keys(english, own, forms):
        found.setdefault(sentence, set()).add(texts)
    for sentence, every in found.items():
        yield sentence, next(iter(every)) if len(every) == 1 else None


def _equal_keys(
    english: Any, own: Any, forms: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(english, str) and isinstance(own, str):
        yield english, (own,)
    elif isinstance(english, Mapping) and isinstance(own, Mapping):
        if {"one", _REST} <= english.keys() and own.keys() >= {*forms}:
            of_forms = tuple(own[form] for form in forms)
            yield f"{english['one']}\0{english[_REST]}", of_forms
        for key in english.keys() & own.keys() - {"one", _REST}:
            # Reasons have the English sentence as the key, and the English file need not say it.
            yield from _equal_keys(english[key] or str(key), own[key], forms)


def _without_numbers(sentence: str) -> str:
    return _NUMBER.sub(r"{\1}", sentence)


def _with_numbers(text: str, sentence: str) -> str:
    """Return a translation whose places write numbers as those of the English sentence do."""
    for name in _NUMBER.findall(sentence):
        text = text.replace(f"{{{name}}}", f"{{{name}:n}}")
    return text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    read = [yaml.safe_load(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(catalog(*read))
