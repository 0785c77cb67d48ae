"""The words of the page: one YAML file per language in ``templates/language``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import yaml

from ..core.notes import Note, form, look_up, tell, translated
from ..core.phrases import Phrase
from ..core.templates import templates_folder
from ..reading.formats.kind import ROWS
from .numbers import Numerals

#: The language of the log and of results.json, whatever the language of the page.
OF_THE_LOG = "en"
#: Places of notes that hold the label of a metric.
_LABELS = {"metric", "first_metric"}


@dataclass(frozen=True)
class Language:
    """The strings of one language: templates read ``strings``, and `say` fills in values."""

    code: str
    strings: Mapping[str, Any]
    numerals: Numerals

    def say(self, key: str, /, **values: object) -> str:
        """Return the string at the dotted ``key`` with its ``{places}`` filled in."""
        return str(look_up(self.strings, key)).format_map(values)

    def count(self, key: str, count: int, /, **values: object) -> str:
        """Return the form at ``key`` that a count needs; ``{count}`` is the formatted number."""
        return self.say(
            f"{key}.{form(self.strings, count)}", count=self.numerals.count(count), **values
        )

    def examples(
        self, kind: str, n: int, group: str | None, groups: int | None, *, in_sentence: bool = False
    ) -> str:
        """Return the number of examples of a kind, after that of their groups if these have a name.

        ``group`` is the column of the groups, "document"; of other columns only the page's facts
        tell the number. ``in_sentence`` gives "30 documents (184 sentences)", else a comma
        separates the two.
        """
        words = self.count(f"kinds.{kind}", n)
        named = self.groups_of(kind, group)
        if groups is None or not named:
            return words
        counted = self.count(named, groups)
        return f"{counted} ({words})" if in_sentence else f"{counted}, {words}"

    def kind(self, name: str) -> str:
        """Return a kind of examples that this language has words for: that of rows for others."""
        return name if name in self.strings["kinds"] else ROWS

    def groups_of(self, kind: str, group: str | None) -> str:
        """Return the key of what the groups of a kind are called; empty if they have no name."""
        named = look_up(self.strings, f"kinds.{kind}").get("groups", {})
        return f"kinds.{kind}.groups.{group}" if group in named else ""

    def tell(self, note: Note) -> str:
        """Return a note in this language, with the labels of the metrics that it names."""
        labels = {
            place: self.metric(str(note.values[place])) for place in _LABELS & note.values.keys()
        }
        told = replace(note, values={**note.values, **labels})
        return tell(told, self.strings, self.numerals.plain)

    def reason(self, text: str) -> str:
        """Return a phrase in this language, with the metric's label that its ``label`` is."""
        return translated(self._relabeled(text), self.strings)

    def _relabeled(self, text: str) -> str:
        if not isinstance(text, Phrase):
            return text
        values = {
            place: self._relabeled(value) if isinstance(value, str) else value
            for place, value in text.values.items()
        }
        if "label" in values:
            values["label"] = self.metric(str(values["label"]))
        return Phrase(text.template, **values)

    def metric(self, label: str) -> str:
        """Return the label of a metric; a label that the language file lacks is returned as it is.

        A task, or "public", and the average over classes may precede the metric.
        """
        words = self.strings["metrics"]
        task, colon, own = label.rpartition(": ")
        average, _, averaged = own.partition(" ")
        if averaged and average in words["averages"]:
            metric = words["labels"].get(averaged, averaged)
            own = self.say(f"metrics.averages.{average}", metric=metric)
        else:
            own = words["labels"].get(own, own)
        return f"{words['parts'].get(task, task)}{colon}{own}"

    def listed(self, items: Sequence[str]) -> str:
        """Return "A", "A and B" or "A, B and C"."""
        if len(items) < 2:
            return "".join(items)
        return self.say("list", first=self.joined(items[:-1]), last=items[-1])

    def joined(self, items: Sequence[str]) -> str:
        """Return "A, B, C"."""
        return str(self.strings["comma"]).join(items)


@lru_cache(maxsize=32)
def load(code: str, kind: str = ROWS) -> Language:
    """Read the language file ``code``.yaml, for a competition whose examples are of a ``kind``.

    Its texts call them by their name: {thing}, {things} and, at the beginning, {Thing}, {Things}.
    """
    strings = _read(code)
    names = strings["kinds"].get(kind, strings["kinds"][ROWS])
    words: dict[str, str] = {}
    for place, number in (("thing", "one"), ("things", "other")):
        name = names[number].replace("{count}", "").strip()
        words |= {f"{{{place}}}": name, f"{{{place.title()}}}": name[:1].upper() + name[1:]}
    return Language(code, _named(strings, words), Numerals(**strings["numerals"]))


def _named(texts: Any, words: Mapping[str, str]) -> Any:
    """Return texts, and those within, with the places of ``words`` filled in."""
    if isinstance(texts, Mapping):
        return {key: _named(text, words) for key, text in texts.items()}
    if isinstance(texts, list):
        return [_named(text, words) for text in texts]
    if isinstance(texts, str):
        for place, word in words.items():
            texts = texts.replace(place, word)
    return texts


@lru_cache(maxsize=8)
def _read(code: str) -> Mapping[str, Any]:
    text = (templates_folder() / "language" / f"{code}.yaml").read_text(encoding="utf-8")
    # libyaml's loader is ten times faster; some platforms' PyYAML lacks it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    strings: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 (a SafeLoader)
    return strings
