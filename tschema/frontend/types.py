"""Annotations and values, from LibCST expressions to `TypeExpr` and `Value`.

In: an expression.  Out: its shape, with names as written; None for a type that has no meaning.
It resolves no name.
"""

from __future__ import annotations

import libcst as cst

from tschema.declarations import Scalar, TypeExpr, Value
from tschema.frontend.positions import Locator
from tschema.frontend.syntax import TooDeep, check_expression
from tschema.source import Place

__all__ = ["UnsupportedType", "dotted_name", "parse_type", "parse_value", "string_value"]


_ESCAPES = frozenset("\\\r")


class UnsupportedType(Exception):
    """An expression that is no type; carries its place."""

    def __init__(self, place: Place) -> None:
        self.place = place
        super().__init__("not a type")


def dotted_name(node: cst.CSTNode) -> str | None:
    """Return `a.b.c` for a name or an attribute of one, else None."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted_name(node.value)
        return left and f"{left}.{node.attr.value}"
    return None


def string_value(node: cst.SimpleString | cst.ConcatenatedString) -> str | bytes | None:
    """Return the text or the bytes of a literal; None for a formatted string."""
    if isinstance(node, cst.SimpleString) and not (node.prefix or _ESCAPES & {*node.value}):
        # As it stands; unescaping takes most of the time that a docstring costs.
        return node.raw_value
    return node.evaluated_value


def parse_type(node: cst.BaseExpression, locator: Locator) -> TypeExpr:
    """Return the type that an annotation writes.

    Raises
    ------
    UnsupportedType
        The annotation, or a part of it, is no type.
    """
    return _type(node, locator.place(node), locator)


def _type(
    node: cst.BaseExpression, place: Place, locator: Locator, quoted: bool = False
) -> TypeExpr:
    """Return a type; the parts of a quoted one all stand where the quotes do."""
    name = dotted_name(node)
    if name is not None:
        return TypeExpr(name, (), place)
    if isinstance(node, cst.Subscript):
        return _subscript(node, place, locator, quoted)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        sides = (_nested(side, place, locator, quoted) for side in (node.left, node.right))
        return TypeExpr("|", tuple(arg for side in sides for arg in _flat(side)), place)
    if isinstance(node, cst.Ellipsis):
        return TypeExpr("...", (), place)
    if isinstance(node, cst.SimpleString | cst.ConcatenatedString):
        return _quoted(node, place, locator)
    raise UnsupportedType(place)


def _subscript(node: cst.Subscript, place: Place, locator: Locator, quoted: bool) -> TypeExpr:
    name = dotted_name(node.value)
    if name is None:
        raise UnsupportedType(place)
    args = []
    for element in node.slice:
        if not isinstance(element.slice, cst.Index):
            raise UnsupportedType(place)
        args.append(_nested(element.slice.value, place, locator, quoted))
    return TypeExpr(name, tuple(args), place)


def _nested(node: cst.BaseExpression, outer: Place, locator: Locator, quoted: bool) -> TypeExpr:
    return _type(node, outer if quoted else locator.place(node), locator, quoted)


def _flat(side: TypeExpr) -> tuple[TypeExpr, ...]:
    return side.args if side.name == "|" else (side,)


def _quoted(
    node: cst.SimpleString | cst.ConcatenatedString, place: Place, locator: Locator
) -> TypeExpr:
    text = string_value(node)
    if not isinstance(text, str):
        raise UnsupportedType(place)
    try:
        check_expression(text.strip())
        inner = cst.parse_expression(text.strip())
    except (SyntaxError, ValueError, TooDeep, cst.ParserSyntaxError):
        raise UnsupportedType(place) from None
    return _type(inner, place, locator, quoted=True)


def parse_value(node: cst.BaseExpression, locator: Locator) -> Value:
    """Return the value that an expression writes, without evaluating any."""
    place = locator.place(node)
    name = dotted_name(node)
    if name in ("True", "False", "None"):
        return Value("literal", {"True": True, "False": False, "None": None}[name], place)
    if name is not None:
        return Value("name", name, place)
    if isinstance(node, cst.List | cst.ListComp):
        return Value("list", None, place)
    if isinstance(node, cst.Dict | cst.DictComp):
        return Value("dict", None, place)
    try:
        return Value("literal", _literal(node), place)
    except ValueError:
        return Value("other", None, place)


def _literal(node: cst.BaseExpression) -> Scalar:
    """Return the value of a literal; ValueError if it is none."""
    if isinstance(node, cst.Integer):
        return int(node.value, 0)
    if isinstance(node, cst.Float):
        return float(node.value)
    if isinstance(node, cst.SimpleString | cst.ConcatenatedString):
        value = string_value(node)
        if value is not None:
            return value
    if isinstance(node, cst.UnaryOperation):
        return _signed(node)
    raise ValueError("not a literal")


def _signed(node: cst.UnaryOperation) -> Scalar:
    operand = _literal(node.expression)
    if isinstance(operand, bool) or not isinstance(operand, int | float):
        raise ValueError("not a number")
    if isinstance(node.operator, cst.Minus):
        return -operand
    if isinstance(node.operator, cst.Plus):
        return operand
    raise ValueError("not a literal")
