"""Pictures of shapes in the reference of operators: a column for each dimension.

In: an operator of the JSON IR.  Out: lines of text, by which a reader sees which dimensions of the
operands meet, and which ones the result lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tschema.ir.model import Operator

_BROADCAST = (("3", "1", "5"), ("", "4", "5"), ("", "", "1"), ("", "", ""))
_RESULT = "result"

_Row = tuple[str, Sequence[str]]
"""A label, and the text in each column; empty where the shape lacks the dimension."""


def shape_picture(operator: Operator) -> str:
    """Return the picture of an operator's shapes; empty where its rule has none to show."""
    names = [one.name + "?" * one.optional for one in operator.operands]
    if operator.relation == "broadcast" and 1 < len(names) <= len(_BROADCAST):
        return _drawn([*zip(names, _BROADCAST, strict=False), (_RESULT, ("3", "4", "5"))])
    if operator.relation == "reduce" and len(names) == 1:
        return _drawn(_reduction(names[0], "keepdims" in operator.attributes))
    if operator.relation is None or "->" not in operator.relation:
        return ""
    return _drawn(_pattern(operator.relation, names))


def _reduction(operand: str, keeps: bool) -> Iterable[_Row]:
    yield operand, ("2", "3", "4")
    yield f"{_RESULT}, axis=1", ("2", "", "4")
    if keeps:
        yield f"{_RESULT}, axis=1, keepdims=True", ("2", "1", "4")


def _pattern(relation: str, names: Sequence[str]) -> list[_Row]:
    """Return the rows of a shape pattern; none if no operand has two dimensions."""
    operands, _, results = relation.partition("->")
    shapes = [*_shapes(operands), *_shapes(results)]
    if len(shapes) != len(names) + 1 or all(len(shape) < 2 for shape in shapes[:-1]):
        return []
    columns = list(dict.fromkeys(dim for shape in shapes for dim in shape))
    labels = [*names, _RESULT]
    return [
        (label, [dim if dim in shape else "" for dim in columns])
        for label, shape in zip(labels, shapes, strict=True)
    ]


def _shapes(text: str) -> list[list[str]]:
    """Return the dimensions of each shape of one side of a pattern: `(n, c), (c)?`."""
    shapes = (shape.strip().rstrip("?.") for shape in _split(text))
    return [[dim.strip() for dim in _split(shape[1:-1])] for shape in shapes]


def _split(text: str) -> list[str]:
    """Split at commas that stand outside of parentheses."""
    parts, depth = [""], 0
    for sign in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part.strip()]


def _drawn(rows: Iterable[_Row]) -> str:
    lines = [[label, *cells] for label, cells in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
