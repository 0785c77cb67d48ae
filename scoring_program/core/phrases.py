"""Sentences that people read: English in the code, translated by the catalogs of gettext.

Where a language is at hand, `Language.say` writes a sentence in it. Elsewhere a `Phrase` says it.
It is the English text, which the log, results.json and the checker of a starting kit show, and it
remembers what it is made of, so that a page can say it in another language. All numbers of the
page, the tables and the log become text by `Numerals`. This module needs only the standard library,
because the starting kit contains it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from gettext import NullTranslations
from typing import Any

from .digits import significant
from .legible import legible

#: Printed where there is no number.
MISSING = "–"
_MINUS = "−"


def exact_decimals(values: Iterable[float]) -> int:
    """Return the fewest decimals that print every value exactly; of small ones more than ten."""
    numbers = list(values)
    largest = max(map(abs, numbers), default=0.0)
    small = 1.0 if largest == 0 else min(1.0, 1e6 * largest)
    most = 10 - math.floor(math.log10(small))
    for decimals in range(most):
        if all(_is_printed(number, decimals, small) for number in numbers):
            return decimals
    return most


def _is_printed(number: float, decimals: int, small: float) -> bool:
    """Return whether so many decimals print a number exactly, among numbers of this size."""
    return abs(round(number, decimals) - number) < 1e-10 * max(small, abs(number))


@dataclass(frozen=True)
class Numerals:
    """Number formats of one language.

    ``decimal`` and ``thousands`` are signs in a number, and ``percent_sign`` is what follows one.
    Whole parts of fewer digits than ``grouped_from`` are written without ``thousands``.
    """

    decimal: str = "."
    thousands: str = ","
    percent_sign: str = "%"
    grouped_from: int = 4

    @classmethod
    def of_sample(cls, sample: str) -> Numerals:
        """Return the formats of a language that writes "1,234; 12,345.6%" as this ``sample``."""
        short, _, long = sample.partition("; ")
        return cls(
            decimal=long[6],
            thousands=long[2],
            percent_sign=long[8:],
            grouped_from=4 if len(short) > 4 else 5,
        )

    @cached_property
    def _signs(self) -> Mapping[int, str]:
        """What stands for the signs of Python's numbers."""
        return {ord(","): self.thousands, ord("."): self.decimal}

    def fixed(self, value: float, decimals: int, *, signed: bool = False) -> str:
        """Return ``value`` with ``decimals``, a true minus sign, and a plus sign if ``signed``."""
        if isinstance(value, int) and decimals == 0:
            digits = f"{abs(value):,}"  # of any size, to the last digit
        elif not math.isfinite(value):
            return MISSING
        else:
            digits = f"{significant(abs(value)):,.{decimals}f}"
        whole = digits.partition(".")[0].replace(",", "")
        if len(whole) < self.grouped_from:
            digits = digits.replace(",", "")
        text = digits.translate(self._signs)
        if not digits.strip("0,."):
            return text
        plus = "+" if signed else ""
        return (_MINUS if value < 0 else plus) + text

    def count(self, value: int) -> str:
        """Return a whole number with separated thousands."""
        return self.fixed(value, 0)

    def interval(self, low: float, high: float, decimals: int) -> str:
        """Return "[low, high]", or a dash where there is no interval."""
        if not (math.isfinite(low) and math.isfinite(high)):
            return MISSING
        separator = ", " if self.decimal == "." else "; "
        return f"[{self.fixed(low, decimals)}{separator}{self.fixed(high, decimals)}]"

    def ranks(self, low: int, high: int | None) -> str:
        """Return a range of ranks: "2", "1–5" or, without an end, "≥ 2"."""
        if high is None:
            return f"≥ {self.count(low)}"
        return self.count(low) if low == high else f"{self.count(low)}–{self.count(high)}"

    def p(self, value: float) -> str:
        """Return a p-value: three decimals, four below .01, never less than .0001."""
        if not math.isfinite(value):
            return MISSING
        if value <= 0.0001:
            return f"≤\N{NO-BREAK SPACE}0{self.decimal}0001"
        return self.fixed(value, 3 if value >= 0.01 else 4)

    def level(self, value: float) -> str:
        """Return a level that p-values are compared with, such as ".05" or "0,05"."""
        text = self.fixed(value, max(2, exact_decimals([value])))
        return text.removeprefix("0") if self.decimal == "." else text

    def percent(self, share: float) -> str:
        """Return a share as a whole percentage; only 0 and 1 themselves become 0% and 100%."""
        if not math.isfinite(share):
            return MISSING
        if 0 < share <= 0.005:  # half a percent would be rounded to none
            return f"<1{self.percent_sign}"
        if 0.995 <= share < 1:
            return f">99{self.percent_sign}"
        return f"{self.fixed(100 * share, 0)}{self.percent_sign}"

    def percents(self, low: float, high: float) -> str:
        """Return a range of percentages: "5–10%"."""
        return f"{self.plain(low)}–{self.plain(high)}{self.percent_sign}"

    def plain(self, value: float) -> str:
        """Return a constant, such as a bound, with as many decimals as it needs."""
        return self.fixed(value, exact_decimals([value])) if math.isfinite(value) else MISSING

    def exact_percent(self, share: float) -> str:
        """Return a setting such as a confidence of .95 as "95%"."""
        return f"{self.plain(round(100 * share, 6))}{self.percent_sign}"


#: A name or an excerpt as it is, a number, a phrase, or a list of these.
Value = str | int | float | tuple["Value", ...]
#: How many items of a list are written; the number of the others follows.
EXAMPLES_SHOWN = 10
#: Places of phrases that hold the label of a metric, which each language has.
_LABELS = frozenset({"label", "metric", "first_metric"})


class Phrase(str):
    """An English text that remembers the sentence that it was made of, and the values in it.

    ``sentence`` is the key of the translations; it has places in braces, as in `str.format`. If
    there is a plural, ``many``, the value ``count`` chooses. A place such as ``{count:n}`` is a
    number in the numerals of the language, and ``{share:p}`` is a number of percent with its sign;
    other places give numbers as they are. A value that is a
    phrase is written in the same language. ``context`` tells equal sentences apart that have
    different translations.
    """

    __slots__ = ("context", "many", "sentence", "values")
    sentence: str
    many: str
    context: str
    values: Mapping[str, Value]

    def __new__(
        cls, sentence: str, many: str = "", /, *, context: str = "", **values: Value
    ) -> Phrase:
        """Fill in the sentence. Without a ``count``, one with a plural is about one."""
        if many:
            values.setdefault("count", 1)
        phrase = super().__new__(cls, ENGLISH.say(sentence, many, context=context, **values))
        phrase.sentence = sentence
        phrase.many = many
        phrase.context = context
        phrase.values = values
        return phrase

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Return what makes the phrase again, for pickle: worker processes send their errors."""
        return _remade, (self.sentence, self.many, self.context, dict(self.values))

    def with_values(self, **values: Value) -> Phrase:
        """Return the phrase with some of its values replaced."""
        return _remade(self.sentence, self.many, self.context, {**self.values, **values})

    def renamed(self, names: Mapping[str, str]) -> Phrase:
        """Return the phrase with other names: each value that is one of ``names`` is replaced."""

        def other(value: Value) -> Value:
            if isinstance(value, Phrase):
                return value.renamed(names)
            if isinstance(value, tuple):
                return tuple(map(other, value))
            return names.get(value, value) if isinstance(value, str) else value

        return self.with_values(**{place: other(value) for place, value in self.values.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return what the phrase is made of, for JSON; phrases within are mappings, too."""

        def plain(value: Value) -> Any:
            if isinstance(value, Phrase):
                return value.to_dict()
            return [plain(item) for item in value] if isinstance(value, tuple) else value

        values = {place: plain(value) for place, value in self.values.items()}
        return {
            "sentence": self.sentence,
            "many": self.many,
            "context": self.context,
            "values": values,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Phrase:
        """Return the phrase that `to_dict` has written; KeyError where that lacks something."""

        def value_of(plain: Any) -> Value:
            if isinstance(plain, Mapping):
                return cls.from_dict(plain)
            return tuple(map(value_of, plain)) if isinstance(plain, list) else plain

        values = {place: value_of(plain) for place, plain in record["values"].items()}
        return _remade(record["sentence"], record["many"], record["context"], values)

    def is_made_of(self, sentence: str) -> bool:
        """Whether this phrase, or one of the phrases in it, is made of a sentence."""
        parts = (part for part in self.values.values() if isinstance(part, Phrase))
        return self.sentence == sentence or any(part.is_made_of(sentence) for part in parts)


def _remade(sentence: str, many: str, context: str, values: dict[str, Value]) -> Phrase:
    return Phrase(sentence, many, context=context, **values)


def verbatim(text: str) -> Phrase:
    """Return a text that is the same in every language, or that others wrote."""
    return text if isinstance(text, Phrase) else Phrase("{text}", text=text)


def joined(parts: Iterable[str], between: str = "\n") -> Phrase:
    """Return texts one after the other, by default one a line."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Phrase(between.join(f"{{{name}}}" for name in values), **values)


def counted(number: int, noun: Phrase) -> Phrase:
    """Return "1 row" or "2 rows" for the noun ``Phrase("row", "rows")``."""
    return Phrase("{count} {noun}", count=number, noun=noun.with_values(count=number))


def gettext_noop(sentence: str, *, context: str = "") -> str:
    """Return a sentence of a table as it is: catalogs translate it, and `Language.say` says it."""
    return sentence


def ngettext_noop(singular: str, many: str) -> tuple[str, str]:
    """Return a sentence of a table with its plural: ``say(*pair, count=2)``."""
    return singular, many


@dataclass(frozen=True)
class Things:
    """What an example of one kind of data is called, in English: "3 queries"."""

    heading: str
    counted: tuple[str, str]
    groups: Mapping[str, Things] = field(default_factory=dict)  # by their column


_DOCUMENTS = Things(
    gettext_noop("Documents"), ngettext_noop("{count:n} document", "{count:n} documents")
)
_EXAMPLES = Things(
    gettext_noop("Examples"), ngettext_noop("{count:n} example", "{count:n} examples")
)
_UNITS = Things(gettext_noop("Units"), ngettext_noop("{count:n} unit", "{count:n} units"))
#: Kind of examples → what they are called. Others are called as rows are.
THINGS = {
    "rows": Things(
        gettext_noop("Test examples"), ngettext_noop("{count:n} example", "{count:n} examples")
    ),
    "units": _UNITS,
    "battles": Things(
        gettext_noop("Preferences"), ngettext_noop("{count:n} preference", "{count:n} preferences")
    ),
    "samples": _EXAMPLES,
    "resolved": Things(
        gettext_noop("Instances"), ngettext_noop("{count:n} instance", "{count:n} instances")
    ),
    "tags": Things(
        gettext_noop("Sentences"),
        ngettext_noop("{count:n} sentence", "{count:n} sentences"),
        {"document": _DOCUMENTS},
    ),
    "spans": _DOCUMENTS,
    "text": Things(
        gettext_noop("Segments"), ngettext_noop("{count:n} segment", "{count:n} segments")
    ),
    "label_sets": _EXAMPLES,
    "record": _UNITS,
    "ranking": Things(
        gettext_noop("Queries"), ngettext_noop("{count:n} query", "{count:n} queries")
    ),
}


@dataclass(frozen=True)
class Language:
    """Writes sentences in one language, about examples of one kind.

    Sentences call the examples {thing}, {things} and, at the beginning, {Thing}, {Things}.
    """

    code: str = "en"
    catalog: NullTranslations = field(default_factory=NullTranslations)
    kind: str = "rows"

    def say(self, sentence: str, many: str = "", /, *, context: str = "", **values: Any) -> str:
        """Return a phrase, or an English sentence with these values, in the language.

        What the catalog lacks stays English.
        """
        if isinstance(sentence, Phrase):
            phrase = sentence
            values = {}
            for place, value in phrase.values.items():
                values[place] = self._labeled(value) if place in _LABELS else value
            return self.say(phrase.sentence, phrase.many, context=phrase.context, **values)
        translated = self._translated(sentence, many, context, values)
        if "{" not in translated:
            return translated
        places = {place: _Written(value, self._written) for place, value in values.items()}
        return translated.format_map({**self._things, **places})

    def _labeled(self, value: Value) -> Value:
        """Return the label of a metric, or those of several, in the language."""
        if isinstance(value, tuple):
            return tuple(map(self._labeled, value))
        return self.metric(str(value))

    def _translated(
        self, singular: str, many: str, context: str, values: Mapping[str, Value]
    ) -> str:
        if not singular:
            return ""  # gettext would return the catalog's header
        if many:
            count: Any = values["count"]
            if context:
                return self.catalog.npgettext(context, singular, many, int(count))
            return self.catalog.ngettext(singular, many, int(count))
        return (
            self.catalog.pgettext(context, singular) if context else self.catalog.gettext(singular)
        )

    def _written(self, value: Value, form: str) -> str:
        """Return a value in the language; of a long list only the first items."""
        if isinstance(value, str):
            return self.say(value) if isinstance(value, Phrase) else legible(value)
        if isinstance(value, tuple):
            first = self.joined([self._written(item, form) for item in value[:EXAMPLES_SHOWN]])
            more = len(value) - EXAMPLES_SHOWN
            if more <= 0:
                return first
            return self.say("{first}, … and {count:n} more", first=first, count=more)
        if form == "p":
            return f"{self.numerals.plain(value)}{self.numerals.percent_sign}"
        return self.numerals.plain(value) if form == "n" else format(value, form)

    @cached_property
    def numerals(self) -> Numerals:
        """The signs of numbers, as the catalog writes one."""
        return Numerals.of_sample(self.say("1,234; 12,345.6%", context="numerals"))

    @cached_property
    def direction(self) -> str:
        """Where a line begins: "ltr" or "rtl"."""
        return self.say("ltr", context="direction of writing")

    @cached_property
    def _things(self) -> Mapping[str, str]:
        """The names of the examples: place in a sentence → one or many of them."""
        singular, many = THINGS[self.known(self.kind)].counted
        things: dict[str, str] = {}
        for place, number in (("thing", 1), ("things", 100)):
            name = self.catalog.ngettext(singular, many, number).replace("{count:n}", "").strip()
            things |= {place: name, place.title(): name[:1].upper() + name[1:]}
        return things

    def known(self, kind: str) -> str:
        """Return a kind of examples that has a name of its own: that of rows for others."""
        return kind if kind in THINGS else "rows"

    def examples(
        self,
        kind: str,
        n: int,
        group: str | None = None,
        groups: int | None = None,
        *,
        in_sentence: bool = False,
    ) -> str:
        """Return the number of examples of a kind, after that of their groups if these have a name.

        ``group`` is the column of the groups, "document"; of other columns only the page's facts
        tell the number. ``in_sentence`` gives "30 documents (184 sentences)", else a comma
        separates the two.
        """
        things = THINGS[self.known(kind)]
        words = self.say(*things.counted, count=n)
        named = things.groups.get(group or "")
        if groups is None or named is None:
            return words
        number = self.say(*named.counted, count=groups)
        return f"{number} ({words})" if in_sentence else f"{number}, {words}"

    def metric(self, label: str) -> str:
        """Return the label of a metric; a label that the catalog lacks is returned as it is.

        An average over classes may precede the metric, and "on" a task or the public rows follow.
        """
        measure, on, task = label.partition(" on ")
        average, _, averaged = measure.partition(" ")
        of_classes = _AVERAGES.get(average) if averaged else None
        if of_classes:
            measure = self.say(of_classes, metric=self._label(averaged))
        else:
            measure = self._label(measure)
        if task == "the public rows":
            return self.say("{metric} on the public rows", metric=measure)
        return self.say("{metric} on {task}", metric=measure, task=task) if on else measure

    def _label(self, label: str) -> str:
        return legible(self.catalog.pgettext("metric", label)) if label else label

    def listed(self, items: Sequence[str]) -> str:
        """Return "A", "A and B" or "A, B and C"."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} and {last}", first=self.joined(items[:-1]), last=items[-1])

    def joined(self, items: Sequence[str]) -> str:
        """Return "A, B, C"."""
        return self.say(", ", context="between items").join(items)


#: How an average over classes precedes a metric.
_AVERAGES = {
    "macro": gettext_noop("macro {metric}"),
    "micro": gettext_noop("micro {metric}"),
    "weighted": gettext_noop("weighted {metric}"),
    "samples": gettext_noop("samples {metric}"),
}


class _Written:
    """A value at its place in a sentence, which asks for it with a format such as ``n``."""

    __slots__ = ("value", "write")

    def __init__(self, value: Value, write: Callable[[Value, str], str]) -> None:
        self.value = value
        self.write = write

    def __format__(self, form: str) -> str:
        return self.write(self.value, form)


#: The language of the code, of the log and of results.json.
ENGLISH = Language()
