"""Plain files of rows: a column of ids, then the predictions of one target, and nothing else.

Such a file leaves nothing to choose, so its header says where each prediction stands. That the
cells below are ids and predictions is shown by whoever reads all of them. Any other file is left to
the rule for rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .facts import label_of
from .prediction_columns import classes_in_name
from .statements import BY_POSITION, PROBABILITIES, SCORES, Need, Stated
from .usual_names import is_nameless, plain_name

#: One number of each row says how likely one of so many classes is.
_TWO = 2


@dataclass(frozen=True)
class PlainFiles:
    """What is asked of plain files: predictions of one target.

    ``kind`` is what ``needs`` take, and ``labels`` are those of the task, none of numbers. Columns
    with the names of ``gold_columns``, in the form of `plain_name`, may be copies of these.
    """

    kind: str
    labels: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    stated: Stated = field(default_factory=Stated)
    gold_columns: frozenset[str] = frozenset()

    def columns(self, header: Sequence[str]) -> tuple[int, ...] | None:
        """Return where predictions stand behind the ids, from 0, by their header.

        There is one, or one for each label in the order of the labels. None if a file may mean
        something else.
        """
        names = [*header[1:]]
        is_clear = len({*map(str.casefold, header)}) == len(header)
        if not is_clear or any(map(is_nameless, header)) or not self._is_as_stated(header):
            return None
        if len(names) == 1:
            return (0,) if self._may_be_alone(names[0]) else None
        if self.kind not in (SCORES, PROBABILITIES) or sorted(names) != sorted(self.labels):
            return None
        # Of the scores of two classes, those of the positive one count alone.
        if self.kind == SCORES and len(names) == _TWO and self.needs:
            return None
        return tuple(map(names.index, self.labels))

    def _is_as_stated(self, header: Sequence[str]) -> bool:
        """Whether columns that the settings state stand where those of a plain file do."""
        stated = self.stated
        if stated.join == BY_POSITION or stated.submissions_header is False or stated.classes:
            return False
        predictions = [stated.prediction, *stated.target_predictions.values()]
        names = [name for name in predictions if name is not None]
        return all(name == header[0] for name in stated.submissions_id) and all(
            isinstance(name, str) and name in header[1:] for name in names
        )

    def _may_be_alone(self, name: str) -> bool:
        """Whether the only column holds the prediction: it has no other meaning by its name."""
        if plain_name(name) in self.gold_columns:
            return False
        if self.kind not in (SCORES, PROBABILITIES):
            return True
        classes = classes_in_name(name, {*map(label_of, self.labels)})
        return len(self.labels) <= _TWO and not classes
