"""Tagged tokens: which keys hold lists of tags and of tokens, and whether words are tags."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ..usual_names import TAG_NAMES, TOKEN_NAMES
from .roles_by_name import DataField

#: Keys of JSON's records that hold lists.
TAGS = DataField("tags", TAG_NAMES)
TOKENS = DataField("tokens", TOKEN_NAMES)
#: From so many different words per square root of the tokens on, they are no tags: texts have more,
#: a rich tagset has fewer.
_MANY = 5
#: So many lines of tags make a file unmistakable.
_ENOUGH = 3


def are_tokens(words: Sequence[str], tag: re.Pattern[str]) -> bool:
    """Whether words in the place of tags are tokens: far more of them differ than tags do.

    None of them is a ``tag`` of an entity.
    """
    different = {*words}
    if len(different) <= _MANY * math.sqrt(len(words)):
        return False
    return not any(map(tag.fullmatch, different))


def have_tokens_beside(tags: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether there are tokens beside tags: not only their numbers, or the same words again."""
    has_words = any(token and not token.isdigit() for token in tokens)
    return has_words and [*tokens] != [*tags]


def are_tagged(tags: Sequence[str], lines: int, tag: re.Pattern[str]) -> bool:
    """Whether the ``tags``, the last of several cells each, stand on all of the ``lines``.

    Every one is the ``tag`` of an entity, or of none.
    """
    return len(tags) == lines >= _ENOUGH and all(map(tag.fullmatch, tags))


def name_entities(tags: Sequence[str], outside: str) -> bool:
    """Whether so many tags are not ``outside`` of all entities that it is no accident."""
    return sum(tag != outside for tag in tags) >= _ENOUGH
