"""One more upload that tries to change what is read of others, in sixteen ways."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

Columns = dict[str, list[str]]
#: Makes the hostile file from the gold and a file of another participant.
_Attack = Callable[[Columns, Columns], Columns]


def _copied_gold(gold: Columns, file: Columns) -> Columns:
    return dict(gold)


def _only_a_column(gold: Columns, file: Columns) -> Columns:
    return {"x": ["0"] * len(next(iter(gold.values())))}


def _empty(gold: Columns, file: Columns) -> Columns:
    return {name: [] for name in file}


def _one_row(gold: Columns, file: Columns) -> Columns:
    return {name: cells[:1] for name, cells in file.items()}


def _all_columns_constant(gold: Columns, file: Columns) -> Columns:
    return {name: ["1"] * len(cells) for name, cells in file.items()}


def _columns_in_another_order(gold: Columns, file: Columns) -> Columns:
    return dict(reversed(file.items()))


def _names_swapped(gold: Columns, file: Columns) -> Columns:
    names = list(file)
    return dict(zip([*names[1:], names[0]], file.values(), strict=True))


def _called_like_the_gold(gold: Columns, file: Columns) -> Columns:
    columns = list(file.values())
    return dict(zip(gold, columns, strict=False))


def _gold_under_the_names(gold: Columns, file: Columns) -> Columns:
    return dict(zip(file, gold.values(), strict=False))


def _numbers_as_words(gold: Columns, file: Columns) -> Columns:
    return {name: [f"{cell} %" for cell in cells] for name, cells in file.items()}


def _ids_repeated(gold: Columns, file: Columns) -> Columns:
    return {name: cells * 2 for name, cells in file.items()}


def _row_numbers_everywhere(gold: Columns, file: Columns) -> Columns:
    return {name: [*map(str, range(len(cells)))] for name, cells in file.items()}


def _every_column_an_id(gold: Columns, file: Columns) -> Columns:
    first = next(iter(file.values()))
    return {name: list(first) for name in file}


def _random_words(gold: Columns, file: Columns) -> Columns:
    chance = random.Random(3)
    return {name: [str(chance.random()) for _ in cells] for name, cells in file.items()}


def _shifted(gold: Columns, file: Columns) -> Columns:
    columns = list(file.items())
    return {name: cells[1:] + cells[:1] for name, cells in columns[1:]} | dict(columns[:1])


def _each_gold_column_as_prediction(gold: Columns, file: Columns) -> Columns:
    return {**file, **{f"{name}_pred": cells for name, cells in gold.items()}}


ATTACKS: Mapping[str, _Attack] = {
    attack.__name__.strip("_").replace("_", " "): attack
    for attack in (
        _copied_gold, _only_a_column, _empty, _one_row, _all_columns_constant,
        _columns_in_another_order, _names_swapped, _called_like_the_gold, _gold_under_the_names,
        _numbers_as_words, _ids_repeated, _row_numbers_everywhere, _every_column_an_id,
        _random_words, _shifted, _each_gold_column_as_prediction,
    )
}  # fmt: skip
