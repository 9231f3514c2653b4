"""The choices of the recipes as data: values of their parameters, and the limits of registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .trace_line import Choice

__all__ = ["PARAMETERS", "Way", "alternatives_of"]

Values = tuple[int, ...]

WHOLE_SUM = 1 << 20
"""A block of sums that splits no sum."""


class Way(NamedTuple):
    """A way of a recipe.

    Attributes
    ----------
    values
        The values to try, by the name of the parameter.
    others
        Ways of the same recipe with the same parameters that may replace it.
    tile
        The vectors that stay in registers, of the numbers of a choice.
    """

    values: Mapping[str, Values]
    others: tuple[str, ...] = ()
    tile: Callable[[Mapping[str, int]], int] = lambda _: 0


def _product_tile(numbers: Mapping[str, int]) -> int:
    return numbers["rows"] * numbers["vectors"]


def _sliding_tile(numbers: Mapping[str, int]) -> int:
    return numbers["lines"] * numbers["vectors"]


_MANY_ROWS = {
    "rows": (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16),
    "vectors": (1, 2, 3, 4, 5, 6),
    "sum_block": (64, 128, 256, 512, 1024, 2048, WHOLE_SUM),
    "row_block": (48, 96, 192, 384),
    "column_block": (256, 512, 1024, 2048),
}
_FEW_ROWS = {
    "rows": (1, 2, 3, 4, 5, 6, 8),
    "vectors": (1, 2, 3, 4, 6, 8, 10, 12, 16),
    "sum_block": (4, 8, 16, 64, 256, 4096, WHOLE_SUM),
}
_IN_PANELS = {"vectors": _FEW_ROWS["vectors"], "rows": _FEW_ROWS["rows"]}

WAYS: Mapping[tuple[str, str], Way] = {
    ("ScheduleContraction", "many_rows"): Way(_MANY_ROWS, ("few_rows",), _product_tile),
    ("ScheduleContraction", "few_rows"): Way(_FEW_ROWS, ("many_rows",), _product_tile),
    ("ScheduleContraction", "few_rows_apart"): Way(_FEW_ROWS, (), _product_tile),
    ("ScheduleContraction", "many_rows_in_panels"): Way(
        _MANY_ROWS, ("few_rows_in_panels",), _product_tile
    ),
    ("ScheduleContraction", "few_rows_in_panels"): Way(
        _IN_PANELS, ("many_rows_in_panels",), _product_tile
    ),
    ("ScheduleWindow", "packed_pixels"): Way(
        {
            "rows": (1, 2, 3, 4, 6, 8, 10, 12, 14),
            "vectors": (1, 2, 3, 4),
            "sum_block": (32, 64, 144, 288, 576, 1152, 4608),
            "column_block": (32, 64, 128, 256, 512),
        },
        (),
        _product_tile,
    ),
    ("ScheduleWindow", "channel_blocks"): Way(
        {
            "rows": (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 28),
            "vectors": (1, 2, 3, 4),
            "sum_block": (288, 576, 1152, 4608, WHOLE_SUM),
        },
        (),
        _product_tile,
    ),
    ("ScheduleWindow", "sliding"): Way(
        {
            "lines": (1, 2, 3, 4, 5, 6, 8),
            "vectors": (1, 2, 3, 4, 6),
            "line_block": (1, 2, 4, 8, 16, 32, 64),
            "column_block": (16, 32, 64, 128, 256, 512),
        },
        (),
        _sliding_tile,
    ),
    ("ScheduleRow", "rows"): Way({"vectors": (1, 2, 4, 8), "column_block": (64, 256, 1024, 4096)}),
    ("ScheduleElementwise", "vectors"): Way({"lanes": (4, 8, 16), "flat": (0, 1)}),
    ("ScheduleElementwise", "padding"): Way({"lanes": (4, 8, 16)}),
}
"""The ways of the recipes. The value in the table of parameters is always one to try."""

PARAMETERS = tuple(sorted({name for way in WAYS.values() for name in way.values}))
"""The names of all parameters that are searched."""


def alternatives_of(recipe: str, choice: Choice) -> dict[str, Way]:
    """Return the ways that may replace one, itself first; none if nothing is known of it."""
    own = WAYS.get((recipe, choice.way))
    if own is None:
        return {}
    return {choice.way: own, **{other: WAYS[recipe, other] for other in own.others}}
