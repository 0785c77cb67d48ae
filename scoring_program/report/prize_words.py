"""Who takes a prize, in sentences: from the record alone, whether evidence or results.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.phrases import Language, gettext_noop

#: A sentence lists up to this many teams; of more, the first few and how many there are.
_NAMES_IN_FULL = 5
_NAMES_OF_MANY = 3
#: Small numbers of places in words.
_IN_WORDS = {
    2: gettext_noop("two"), 3: gettext_noop("three"), 4: gettext_noop("four"),
    5: gettext_noop("five"), 6: gettext_noop("six"), 7: gettext_noop("seven"),
    8: gettext_noop("eight"), 9: gettext_noop("nine"), 10: gettext_noop("ten"),
}  # fmt: skip


@dataclass(frozen=True)
class PrizeWords:
    """The names of the teams by what is settled of the first K ``places``, best first.

    A team is ``sure`` of one of the places, ``open`` if it may take one, and otherwise ``out``.
    ``first_open`` says whether several teams may be the best. Lists are complete where ``in_full``.
    """

    language: Language
    places: int
    sure: Sequence[str]
    open: Sequence[str]
    out: Sequence[str]
    first_open: bool
    in_full: bool = False

    @property
    def settled(self) -> bool:
        """Whether it is known which teams take the places."""
        return not self.open

    def sentences(self) -> Iterator[str]:
        """Yield who is sure of a place, who may take one, and who is out."""
        if not (self.open or self.out):
            if len(self.sure) == 2:
                yield self.language.say(
                    "Both teams are among the first {places}.", places=self._number(self.places)
                )
                return
            yield self.language.say(
                "All {teams} teams are among the first {places}.",
                teams=self._number(len(self.sure)),
                places=self._number(self.places),
            )
            return
        if self.sure:
            yield self._sure()
        if self.settled and self.first_open:
            yield self.language.say("Which of them is first is not settled.")
        if self.open:
            yield self._open()
        if self.out and not (self.settled and self.places > 1):
            yield self._out()

    def counts(self) -> str:
        """Return the same in numbers, where there is no room for names."""
        say = self.language.say
        sure = len(self.sure)
        open = len(self.open)
        if self.settled:
            return say(
                "It is settled who takes the first place.",
                "It is settled who takes the first {count:n} places.",
                count=self.places,
            )
        return say(
            "{open} teams may take the first place.",
            "Among the first {count:n}: {sure} sure, {open} possible.",
            count=self.places,
            sure=self._number(sure),
            open=self._number(open),
        )

    def _sure(self) -> str:
        """Name those who are sure of a place: all places are theirs, or the others are open."""
        if self.settled:
            return self.language.say(
                "{teams} takes the first place.",
                "{teams} take the first {places} places.",
                count=self.places,
                teams=self.listed(self.sure),
                places=self._in_words(self.places),
            )
        return self.language.say(
            "{teams} is among the first {places}.",
            "{teams} are among the first {places}.",
            count=len(self.sure),
            teams=self.listed(self.sure),
            places=self._number(self.places),
        )

    def _open(self) -> str:
        """Name those who may take the places that nobody is sure of."""
        left = self.places - len(self.sure)
        if self.sure:
            return self.language.say(
                "{teams} may take the other place.",
                "{teams} may take the other {places} places.",
                count=left,
                teams=self.listed(self.open),
                places=self._in_words(left),
            )
        if not self.out:
            return self.language.say(
                "Any of the {teams} teams may take the first place.",
                "Any of the {teams} teams may be among the first {places}.",
                count=left,
                teams=self._number(len(self.open)),
                places=self._number(left),
            )
        return self.language.say(
            "{teams} may each take the first place.",
            "{teams} may take the first {places} places.",
            count=left,
            teams=self.listed(self.open),
            places=self._in_words(left),
        )

    def _out(self) -> str:
        """Name the last team that is out, or count those that are."""
        if len(self.out) == 1:
            return self.language.say(
                "{team} does not take it.",
                "{team} is not among the first {places}.",
                count=self.places,
                team=self.out[0],
                places=self._number(self.places),
            )
        return self.language.say(
            "The other {teams} do not take it.",
            "The other {teams} are not among the first {places}.",
            count=self.places,
            teams=self._number(len(self.out)),
            places=self._number(self.places),
        )

    def listed(self, names: Sequence[str]) -> str:
        """Return names as a sentence lists them."""
        if self.in_full or len(names) <= _NAMES_IN_FULL:
            return self.language.listed(list(names))
        return self.language.say(
            "{first} and {count} more teams",
            first=self.language.joined(list(names[:_NAMES_OF_MANY])),
            count=self._number(len(names) - _NAMES_OF_MANY),
        )

    def _number(self, number: int) -> str:
        return self.language.numerals.count(number)

    def _in_words(self, number: int) -> str:
        if number in _IN_WORDS:
            return self.language.say(_IN_WORDS[number])
        return self._number(number)


def unknown(language: Language, places: int, reason: str, rule: str) -> str:
    """Say why nothing is settled of the first places; ``rule`` is what the tie rule is called."""
    if reason in ("rule", "runs", "few"):
        return language.say(
            "The tie rule “{rule}” does not say who takes the first place; max-T does.",
            "The tie rule “{rule}” does not say who takes the first {count:n} places; max-T does.",
            count=places,
            rule=rule,
        )
    if reason == "mean_rank":
        return language.say(
            "By a mean rank, nothing is settled of the first place.",
            "By a mean rank, nothing is settled of the first {count:n} places.",
            count=places,
        )
    return language.say(
        "Nothing is settled of the first place: a serious caution comes first.",
        "Nothing is settled of the first {count:n} places: a serious caution comes first.",
        count=places,
    )
