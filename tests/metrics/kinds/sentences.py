"""Sentences with entities, in brackets, and the tags that four systems gave them."""

from __future__ import annotations

import random
import re

#: English and Spanish news; nested brackets do not occur, neighbors of one type do.
SENTENCES = (
    "[PER Ana Torres] moved from [LOC Bilbao] to [LOC Oslo] in May .",
    "The [ORG European Central Bank] raised its rates again .",
    "[LOC France] beat [LOC Croatia] 4 - 2 in the final .",
    "No one was hurt .",
    "The strike at [ORG Renfe] ends on Friday , said [PER Óscar Puente] .",
    "[PER Marie Curie] [PER Pierre Curie] , 1903",
    "The [MISC Nobel Prize] went to [PER Annie Ernaux] of [LOC France] .",
    "El precio del aceite subió en [LOC Jaén] y en [LOC Córdoba] .",
    "[ORG Athletic Club] ganó la [MISC Copa del Rey] en [LOC Sevilla] .",
    "[ORG Reuters]",
    "Rain is expected in the north .",
    "According to [ORG Le Monde] , [PER Macron] will visit [LOC New Caledonia] .",
    "The [MISC English] version of the [MISC Treaty of Lisbon] differs .",
    "[ORG UNESCO] [LOC Paris]",
    "[PER J. K. Rowling] sold the rights to [ORG Warner Bros.] in 1999 .",
    "Trains between [LOC Vienna] and [LOC Graz] run every hour .",
    "[LOC San Sebastián] , 4 mar ( [ORG EFE] ) .",
    "She speaks [MISC Basque] , [MISC Spanish] and [MISC German] .",
    "[ORG Bayern Munich] [ORG Real Madrid] 1 - 2",
    "The mayor of [LOC Santiago de Compostela] , [PER Goretti Sanmartín] , agreed .",
    "Shares of [ORG Volkswagen] fell by 3 percent .",
    "[PER Kafka] was born in [LOC Prague] , then part of [LOC Austria-Hungary] .",
    "El [ORG Tribunal Supremo] rechazó el recurso de [ORG Iberdrola] .",
    "It was the third defeat in a row .",
    "The [ORG University of Cape Town] opened in 1829 .",
    "[PER Clara Campoamor] , [PER Victoria Kent]",
)
_TYPES = ("LOC", "MISC", "ORG", "PER")
_ENTITY = re.compile(r"\[(\w+) ([^\]]+)\]")
Spans = tuple[tuple[int, int, str], ...]


def parse(sentence: str) -> tuple[list[str], Spans]:
    """Return the tokens and the entities of a sentence: first token, token after, type."""
    tokens: list[str] = []
    spans = []
    place = 0
    for found in _ENTITY.finditer(sentence):
        tokens += sentence[place : found.start()].split()
        start = len(tokens)
        tokens += found[2].split()
        spans.append((start, len(tokens), found[1]))
        place = found.end()
    tokens += sentence[place:].split()
    return tokens, tuple(spans)


def tagged(size: int, spans: Spans, scheme: str) -> tuple[str, ...]:
    """Return the tags of a sentence in IO, IOB1, BIO or BIOES."""
    tags = ["O"] * size
    for start, end, kind in sorted(spans):
        beside = start > 0 and tags[start - 1][2:] == kind
        begins = scheme in ("BIO", "BIOES") or (scheme == "IOB1" and beside)
        tags[start:end] = [f"I-{kind}"] * (end - start)
        tags[start] = f"{'B' if begins else 'I'}-{kind}"
        if scheme == "BIOES":
            tags[end - 1] = f"{'S' if end - start == 1 else 'E'}-{kind}"
    return tuple(tags)


def system(seed: int, errors: float) -> list[Spans]:
    """Return the entities that a system finds: some missed, cut, confused or made up."""
    rng = random.Random(seed)
    found = []
    for sentence in SENTENCES:
        tokens, spans = parse(sentence)
        taken: set[int] = set()
        kept = []
        for start, end, kind in spans:
            chance = rng.random() / errors
            if chance < 0.25:
                continue
            if chance < 0.45:
                start, end = (start + 1, end) if end - start > 1 else (max(0, start - 1), end)
            elif chance < 0.7:
                kind = rng.choice(_TYPES)
            if not taken & {*range(start, end)}:
                taken |= {*range(start, end)}
                kept.append((start, end, kind))
        extra = rng.randrange(len(tokens))
        if rng.random() < errors / 2 and extra not in taken:
            kept.append((extra, extra + 1, rng.choice(_TYPES)))
        found.append(tuple(sorted(kept)))
    return found


GOLD = [parse(sentence)[1] for sentence in SENTENCES]
SIZES = [len(parse(sentence)[0]) for sentence in SENTENCES]
#: The entities that every system finds; the last copies the first.
FOUND = [system(1, 0.3), system(2, 0.6), system(3, 0.9), system(1, 0.3)]


def in_scheme(of_sentences: list[Spans], scheme: str) -> list[tuple[str, ...]]:
    """Return the tags of all sentences."""
    return [tagged(size, spans, scheme) for size, spans in zip(SIZES, of_sentences, strict=True)]
