"""Pictures of shapes in the reference of operators: a column for each dimension.

In: an operator of the JSON IR, and its function.  Out: lines of text, by which a reader sees which
dimensions of the operands meet, and which ones the result lacks.  Where C++ infers the type, the
docs of the operands and of the result name the dimensions: "Tensor of shape `(n, c, *spatial)`"; or
those of the result have examples, "`(4, 1)` becomes `(3, 4, 5)` by `shape=[3, 4, 5]`".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tschema.ir.model import Function, Operator

_BROADCAST = (("3", "1", "5"), ("", "4", "5"), ("", "", "1"), ("", "", ""))
_RESULT = "result"
_NAMED = re.compile(r"\bshape\s+(?:broadcasts\s+to\s+)?`(?P<shape>\([^`]*\))`|^Scalar\b")
"""A shape in the docs of an operand or a result."""

_EXAMPLE = re.compile(r"`\(([^`]*)\)`\s+becomes\s+`\(([^`]*)\)`\s+by\s+`([^`]*)`")
"""An example in a doc: the shape of an operand, the shape of the result, and the attributes."""

_Row = tuple[str, Sequence[str]]
"""A label, and the text in each column; empty where the shape lacks the dimension."""


def shape_picture(operator: Operator, function: Function) -> str:
    """Return the picture of an operator's shapes; empty where its rule has none to show."""
    names = [one.name + "?" * one.optional for one in operator.operands]
    if operator.relation == "broadcast" and 1 < len(names) <= len(_BROADCAST):
        return _drawn([*zip(names, _BROADCAST, strict=False), (_RESULT, ("3", "4", "5"))])
    if operator.relation == "reduce" and len(names) == 1:
        return _drawn(_reduction(names[0], "keepdims" in operator.attributes))
    examples = list(_examples(names[0], function)) if len(names) == 1 else []
    if examples:
        return _drawn(examples)
    if operator.relation == "custom":
        return _drawn(_rows(names, _documented(operator, function)))
    if operator.relation is None or "->" not in operator.relation:
        return ""
    operands, _, results = operator.relation.partition("->")
    return _drawn(_rows(names, [*_shapes(operands), *_shapes(results)]))


def _reduction(operand: str, keeps: bool) -> Iterable[_Row]:
    yield operand, ("2", "3", "4")
    yield f"{_RESULT}, axis=1", ("2", "", "4")
    if keeps:
        yield f"{_RESULT}, axis=1, keepdims=True", ("2", "1", "4")


def _examples(operand: str, function: Function) -> Iterable[_Row]:
    """Yield the rows of the examples in the docs of the result, from their last dimensions."""
    found = _EXAMPLE.findall(function.returns_doc)
    shapes = [[_split(shape) for shape in shapes] for *shapes, _ in found]
    rank = max((len(shape) for pair in shapes for shape in pair), default=0)
    for (before, after), (*_, attributes) in zip(shapes, found, strict=True):
        for label, shape in ((operand, before), (f"{_RESULT}, {attributes}", after)):
            yield label, [""] * (rank - len(shape)) + [dim.strip() for dim in shape]


def _documented(operator: Operator, function: Function) -> list[list[str]]:
    """Return the shapes that docs give the operands and the result; fewer if one has none."""
    docs = {param.name: param.doc for param in function.params}
    texts = [*(docs[one.name] for one in operator.operands), function.returns_doc]
    found = [_NAMED.search(text) for text in texts]
    return [_shapes(match["shape"] or "()")[0] for match in found if match is not None]


def _rows(names: Sequence[str], shapes: Sequence[Sequence[str]]) -> list[_Row]:
    """Return the rows of shapes; none if one is missing, or no operand has two dimensions."""
    count = len(shapes) - len(names)
    if count < 1 or all(len(shape) < 2 for shape in shapes[: len(names)]):
        return []
    results = [_RESULT] if count == 1 else [f"{_RESULT}[{place}]" for place in range(count)]
    columns = _columns(shapes)
    return [
        (label, [dim if dim in shape else "" for dim in columns])
        for label, shape in zip([*names, *results], shapes, strict=True)
    ]


def _columns(shapes: Sequence[Sequence[str]]) -> list[str]:
    """Order the dimensions as every shape has them, where that can be; else by appearance."""
    left = list(dict.fromkeys(dim for shape in shapes for dim in shape))
    before = {
        dim: {one for shape in shapes if dim in shape for one in shape[: shape.index(dim)]}
        for dim in left
    }
    ordered: list[str] = []
    while left:
        ordered.append(next((dim for dim in left if before[dim] <= {*ordered}), left[0]))
        left.remove(ordered[-1])
    return ordered


def _shapes(text: str) -> list[list[str]]:
    """Return the dimensions of each shape of one side of a pattern: `(n, c), (c)?`."""
    shapes = (shape.strip().rstrip("?.") for shape in _split(text))
    return [[" ".join(dim.split()) for dim in _split(shape[1:-1])] for shape in shapes]


def _split(text: str) -> list[str]:
    """Split at commas outside of parentheses."""
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
