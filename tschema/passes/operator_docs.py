"""The docs that an operator's declaration implies: its operands, its result, its errors.

In: a function and its operator.  Out: the function, in which each doc that the declaration leaves
out follows from the data types and the relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tschema.ir.model import Function, Operand, Operator, Raised

_CLASSES = {
    "float": "floating-point",
    "int": "an integer",
    "number": "a number",
    "bool": "a boolean",
}
_ANY_SHAPE = re.compile(r"\(\*\w+\)")
"""The pattern of an operand of any shape."""


def documented(function: Function, operator: Operator) -> Function:
    """Return the function of an operator with complete docs."""
    classes = dict(_classes(operator.operands))
    params = tuple(
        replace(param, doc=f"Operand{classes[param.name]}.")
        if param.name in classes and not param.doc
        else param
        for param in function.params
    )
    return replace(
        function,
        params=params,
        returns_doc=function.returns_doc or _result(operator),
        raises=function.raises or tuple(_errors(operator)),
    )


def _classes(operands: tuple[Operand, ...]) -> Iterator[tuple[str, str]]:
    """Yield what follows the word operand, by name: `, floating-point`."""
    variables: dict[str, str] = {}
    for operand in operands:
        variable, _, own = operand.dtype.rpartition(": ")
        name = own or operand.dtype
        if variable:
            variables[variable] = own
        name = variables.get(name, name)
        described = _CLASSES.get(name, f"of data type `{name}`")
        yield operand.name, f", {described}" if name != "any" else ""


def _result(operator: Operator) -> str:
    words = [part for part in (_shape(operator), _data_type(operator)) if part]
    return f"The result, {' and '.join(words)}." if words else ""


def _shape(operator: Operator) -> str:
    relation = operator.relation
    if relation in (None, "custom", "reduce") or not operator.operands:
        return ""
    if relation == "broadcast":
        return "of the operands' common shape"
    if relation == "same":
        return f"of the shape of `{operator.operands[0].name}`"
    return f"of shape `{str(relation).partition(' -> ')[2]}`"


def _data_type(operator: Operator) -> str:
    result, operands = operator.result, operator.operands
    if result in operator.attributes:
        return f"of the data type `{result}`"
    of_variable = [one for one in operands if one.dtype.partition(":")[0] == result]
    if result is not None and not of_variable:
        return f"of data type `{result}`"
    first = (of_variable or list(operands))[:1]
    if not first:
        return ""
    variable = first[0].dtype.partition(":")[0]
    sharing = [one for one in operands if one.dtype.partition(":")[0] == variable]
    is_shared = len(sharing) > 1 and variable[:1].isupper()
    return "of the operands' data type" if is_shared else f"of the data type of `{first[0].name}`"


def _errors(operator: Operator) -> Iterator[Raised]:
    refused: dict[str, list[str]] = {}
    for name, text in _classes(operator.operands):
        if text:
            refused.setdefault(text.removeprefix(", "), []).append(f"`{name}`")
    for what, names in refused.items():
        yield Raised(name="TypeError", doc=f"If {' or '.join(names)} is not {what}.")
    if operator.relation is not None and "->" in operator.relation:
        shapes = operator.relation.partition(" -> ")[0]
        if not _ANY_SHAPE.fullmatch(shapes):
            yield Raised(name="TypeError", doc=f"If the operands are not of shapes `{shapes}`.")
    if operator.require is not None:
        yield Raised(name="ValueError", doc=f"If `{operator.require}` does not hold.")
