"""The versions, settings and data behind a result, and what the run noted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..language import Language
from ..view import Fact, MetricView
from .section import Section


@dataclass(frozen=True)
class SignatureList:
    """The items of the signature, and the run's notes."""

    caption: str
    items: tuple[Fact, ...]
    notes: tuple[str, ...]


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the signature."""
    result, language = views[0].result, views[0].language
    more = "secret" if result.scores_only else "all_settings"
    content = SignatureList(
        caption=f"{language.say('signature.caption')} {language.say(f'signature.{more}')}",
        items=tuple(Fact(_label(language, key), value) for key, value in result.signature.items()),
        notes=tuple(map(language.tell, result.notes)),
    )
    yield Section("signature", language.say("signature.heading"), content, "signature.html.j2")


def _label(language: Language, key: str) -> str:
    """Return what an item of the signature is called; names of packages stay as they are.

    Where there are several tasks, their names stand in brackets at the end.
    """
    item, bracket, task = key.partition(" (")
    label = language.strings["signature"]["labels"].get(item, item)
    for kind, start in (("metric", "metric "), ("sha256", "sha256 of ")):
        if label.startswith(start):
            label = language.say(f"signature.{kind}", name=label.removeprefix(start))
    return f"{label}{bracket}{task}"
