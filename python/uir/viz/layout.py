"""Places of boxes and lines, in layers from top to bottom.

igraph places them: a library in C since 2006, with wheels for all platforms and no dependency that
the system must have. It is under the GPL, so that uir only imports it when a picture is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from .steps import INPUT, Flow

__all__ = ["Places", "places_of"]

Point = tuple[float, float]


class Places(NamedTuple):
    """The centres of boxes and the corners of lines, in columns and layers.

    Attributes
    ----------
    boxes
        A point for each step.
    lines
        The corners of the line of each value, without its ends.
    """

    boxes: Sequence[Point]
    lines: Sequence[Sequence[Point]]


def places_of(flow: Flow) -> Places:
    """Return where the steps and values of a flow are drawn.

    Raises
    ------
    ImportError
        If igraph is not installed.
    """
    try:
        igraph: Any = import_module("igraph")
    except ModuleNotFoundError as error:
        raise ImportError("pictures need the package `igraph`: install `uir[viz]`") from error
    edges = [(value.source, value.target) for value in flow.values]
    drawn = igraph.Graph(len(flow.steps), edges, directed=True)
    layout = drawn.layout_sugiyama(layers=_layers(flow))
    left = min((x for x, _ in layout.coords), default=0.0)
    boxes = _apart([(x - left, y) for x, y in layout.coords])
    lines = [[(x - left, y) for x, y in points] for points in layout.edge_routing]
    return Places(boxes, lines)


def _apart(boxes: Sequence[Point]) -> list[Point]:
    """Move boxes to the right until they do not overlap; igraph leaves some half a column apart."""
    moved = [*boxes]
    ends: dict[float, float] = {}
    for place in sorted(range(len(boxes)), key=lambda one: boxes[one][0]):
        x, y = boxes[place]
        moved[place] = (max(x, ends.get(y, x)), y)
        ends[y] = moved[place][0] + 1
    return moved


def _layers(flow: Flow) -> list[int]:
    """Return the layer of each step: below its operands, and inputs right above their first use."""
    layers = [0] * len(flow.steps)
    for value in sorted(flow.values, key=lambda one: one.target):
        if value.source < value.target:  # Groups may depend on each other.
            layers[value.target] = max(layers[value.target], layers[value.source] + 1)
    first_use: dict[int, int] = {}
    for value in flow.values:
        use = layers[value.target]
        first_use[value.source] = min(first_use.get(value.source, use), use)
    for place, step in enumerate(flow.steps):
        if step.kind == INPUT:
            layers[place] = max(first_use.get(place, 1) - 1, 0)
    return layers
