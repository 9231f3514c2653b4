"""Annotations and values, from expressions to `TypeExpr` and `Value`.

In: an expression.  Out: its shape, with names as written; an exception for a type that has no
meaning.  It resolves no name.
"""

from __future__ import annotations

import ast

from tschema.diagnostics.source import Place
from tschema.frontend.places import Locator
from tschema.frontend.syntax import TooDeep, parse_expression
from tschema.ir.declarations import Scalar, TypeExpr, Value


class UnsupportedType(Exception):
    """An expression that is not a type, with its place."""

    def __init__(self, place: Place) -> None:
        self.place = place
        super().__init__("not a type")


def dotted_name(node: ast.expr) -> str | None:
    """Return `a.b.c` for a name or an attribute of one, else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = dotted_name(node.value)
        return left and f"{left}.{node.attr}"
    return None


def parse_type(node: ast.expr, locator: Locator) -> TypeExpr:
    """Return the type that an annotation writes.

    Raises
    ------
    UnsupportedType
        The annotation, or a part of it, is not a type.
    """
    return _type(node, locator.place(node), locator)


def _type(node: ast.expr, place: Place, locator: Locator, quoted: bool = False) -> TypeExpr:
    """Return a type; all parts of a quoted one have the place of the quotes."""
    name = dotted_name(node)
    if name is not None:
        return TypeExpr(name, (), place)
    if isinstance(node, ast.Subscript):
        return _subscript(node, place, locator, quoted)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = (_nested(side, place, locator, quoted) for side in (node.left, node.right))
        return TypeExpr("|", tuple(arg for side in sides for arg in _flat(side)), place)
    if isinstance(node, ast.Constant):
        return _constant(node, place, locator)
    if isinstance(node, ast.Call):
        return _foreign(node, place, locator)
    raise UnsupportedType(place)


def _foreign(node: ast.Call, place: Place, locator: Locator) -> TypeExpr:
    """Return the type that a call of `ty.foreign` writes, the only one that a call can."""
    name = dotted_name(node.func)
    positional = dict(zip(("cpp",), node.args, strict=False))
    by_name = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    n_given = len(positional.keys() | by_name.keys())
    is_whole = n_given == len(node.args) + len(node.keywords)
    if name is None or name.rpartition(".")[2] != "foreign" or not is_whole:
        raise UnsupportedType(place)
    given = {one: parse_value(value, locator) for one, value in (positional | by_name).items()}
    return TypeExpr(name, (), place, given)


def _subscript(node: ast.Subscript, place: Place, locator: Locator, quoted: bool) -> TypeExpr:
    name = dotted_name(node.value)
    if name is None:
        raise UnsupportedType(place)
    elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if any(isinstance(element, ast.Slice) for element in (node.slice, *elements)):
        raise UnsupportedType(place)
    args = (_nested(element, place, locator, quoted) for element in elements or [node.slice])
    return TypeExpr(name, tuple(args), place)


def _nested(node: ast.expr, outer: Place, locator: Locator, quoted: bool) -> TypeExpr:
    return _type(node, outer if quoted else locator.place(node), locator, quoted)


def _flat(side: TypeExpr) -> tuple[TypeExpr, ...]:
    return side.args if side.name == "|" else (side,)


def _constant(node: ast.Constant, place: Place, locator: Locator) -> TypeExpr:
    """Return the type that `None`, `...` or a quoted annotation denotes."""
    if node.value is None or node.value is ...:
        return TypeExpr("None" if node.value is None else "...", (), place)
    if not isinstance(node.value, str):
        raise UnsupportedType(place)
    try:
        inner = parse_expression(node.value.strip())
    except (SyntaxError, ValueError, TooDeep):
        raise UnsupportedType(place) from None
    return _type(inner, place, locator, quoted=True)


def parse_value(node: ast.expr, locator: Locator) -> Value:
    """Return the value that an expression writes, without evaluating any."""
    place = locator.place(node)
    name = dotted_name(node)
    if name is not None:
        return Value("name", name, place)
    if isinstance(node, ast.List | ast.ListComp):
        return Value("list", None, place, _texts(node))
    if isinstance(node, ast.Dict | ast.DictComp):
        return Value("dict", None, place)
    if isinstance(node, ast.Tuple) and not node.elts:
        return Value("empty", None, place)
    if cast := _cast(node):
        return Value("cast", cast, place)
    if isinstance(node, ast.Tuple):
        return Value("other", None, place, _texts(node))
    try:
        return Value("literal", _literal(node), place)
    except ValueError:
        return Value("other", None, place)


def _texts(node: ast.List | ast.ListComp | ast.Tuple) -> tuple[str, ...]:
    """Return the elements of a list or a tuple if all of them are texts, else none."""
    elements = [] if isinstance(node, ast.ListComp) else node.elts
    texts = [one.value for one in elements if isinstance(one, ast.Constant)]
    is_texts = len(texts) == len(elements) and all(isinstance(one, str) for one in texts)
    return tuple(map(str, texts)) if is_texts else ()


def _cast(node: ast.expr) -> str | None:
    """Return what `int(Kind.ROUND)` casts, or None."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    return dotted_name(node.args[0]) if dotted_name(node.func) == "int" else None


def _literal(node: ast.expr) -> Scalar:
    """Return the value of a literal; ValueError if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, Scalar):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return _signed(node)
    raise ValueError("not a literal")


def _signed(node: ast.UnaryOp) -> Scalar:
    operand = _literal(node.operand)
    if isinstance(operand, bool) or not isinstance(operand, int | float):
        raise ValueError("not a number")
    if isinstance(node.op, ast.USub):
        return -operand
    if isinstance(node.op, ast.UAdd):
        return operand
    raise ValueError("not a literal")
