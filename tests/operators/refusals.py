"""What an operator of relay says of a call: None if it takes it, else the error and its text.

In: a declaration, and a call as types and attributes.  The texts follow from the declaration, by
the words of DESCRIBED below; what the relation `custom` demands stands in `custom_refusals`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .declarations import Operand, Operator
from .draws import DTYPES, Draw, Shape, Tensor

WORDS = {
    "float": "floating-point",
    "int": "an integer type",
    "number": "a number type",
}


class Refused(Exception):
    """A call is refused: `kind` is the class of the error, `text` its message."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text


class Named(NamedTuple):
    """An operand that is there, or an element of a variadic one, by the name that messages use."""

    name: str
    operand: Operand
    tensor: Tensor


def refusal(operator: Operator, call: Draw) -> tuple[str, str] | None:
    """Return the class and the message of the error for a call; None if it is taken."""
    from .custom_refusals import CUSTOM

    named = _named(operator, call)
    try:
        if operator.relation == "custom":
            check_data_types(named)
            CUSTOM[operator.name](*call.operands, **_with_defaults(operator, call.attributes))
        else:
            _check_shapes(operator, named, _with_defaults(operator, call.attributes))
            check_data_types(named)
    except Refused as error:
        return error.kind, f"relay.{operator.name}: {error.text}"
    return None


def _with_defaults(operator: Operator, attributes: dict[str, Any]) -> dict[str, Any]:
    defaults = {one.name: one.default for one in operator.attributes if one.name not in attributes}
    return {**defaults, **attributes}


def _named(operator: Operator, call: Draw) -> list[Named]:
    named: list[Named] = []
    for operand, value in zip(operator.operands, call.operands, strict=True):
        if isinstance(value, list):
            named += [Named(f"{operand.name}[{i}]", operand, one) for i, one in enumerate(value)]
        elif value is not None:
            named.append(Named(operand.name, operand, value))
    return named


def check_data_types(named: list[Named]) -> None:
    """Refuse data types outside of a class, and those that differ under one variable."""
    bound: dict[str, tuple[str, str]] = {}
    for name, operand, tensor in named:
        found = f"operand `{name}` has data type `{tensor.dtype}`, expected "
        if tensor.dtype not in DTYPES.get(operand.accepted, [operand.accepted]):
            accepted = WORDS.get(operand.accepted, f"`{operand.accepted}`")
            raise Refused("TypeError", found + accepted)
        if not operand.variable:
            continue
        dtype, first = bound.setdefault(operand.variable, (tensor.dtype, name))
        if dtype != tensor.dtype:
            raise Refused("TypeError", f"{found}`{dtype}`, that of operand `{first}`")


def _check_shapes(operator: Operator, named: list[Named], attributes: dict[str, Any]) -> None:
    if operator.relation == "same":
        first = named[0]
        for name, _, tensor in named[1:]:
            if tensor.shape != first.tensor.shape:
                raise Refused(
                    "TypeError",
                    f"operand `{name}` has shape {tensor.shape}, expected {first.tensor.shape}, "
                    f"the shape of `{first.name}`",
                )
    elif operator.relation == "broadcast":
        whole = named[0].tensor.shape
        for name, _, tensor in named[1:]:
            whole = broadcast(name, tensor.shape, whole)
    elif operator.relation == "reduce":
        axis = attributes["axis"]
        axes([axis] if isinstance(axis, int) else axis, named[0].tensor.shape, "axis")
    else:
        _match_pattern(operator, named, attributes)


def broadcast(name: str, shape: Shape, whole: Shape) -> Shape:
    """Return the shape that two shapes broadcast to, as NumPy's rule has it."""
    rank = max(len(shape), len(whole))
    padded = [(1,) * (rank - len(one)) + one for one in (whole, shape)]
    if any(a != b and 1 not in (a, b) for a, b in zip(*padded, strict=True)):
        text = f"operand `{name}` of shape {shape} does not broadcast to {whole}"
        raise Refused("TypeError", text)
    return tuple(b if a == 1 else a for a, b in zip(*padded, strict=True))


def axes(given: list[int] | None, shape: Shape, attribute: str) -> list[int]:
    """Return axes counted from the front; None stands for all."""
    found: list[int] = []
    for one in range(len(shape)) if given is None else given:
        at = one_axis(one, shape, attribute)
        if at in found:
            raise Refused("ValueError", f"`{attribute}` names dimension {at} twice")
        found.append(at)
    return found


def one_axis(axis: int, shape: Shape, attribute: str = "axis") -> int:
    """Return an axis counted from the front."""
    rank = len(shape)
    if not -rank <= axis < rank:
        raise Refused(
            "ValueError",
            f"`{attribute}` must be from {-rank} to {rank - 1} for an operand of shape {shape}, "
            f"got {axis}",
        )
    return axis % rank


class Match:
    """What the names of a pattern stand for, and the operands that say so."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        self.values: dict[str, Any] = {}
        self.owners: dict[str, str] = {}
        self.attributes = attributes

    def operand(self, pattern: str, name: str, shape: Shape) -> None:
        dims = [dim.strip() for dim in pattern.rstrip("?.").strip("()").split(",") if dim.strip()]
        packs = [dim for dim in dims if dim.startswith("*")]
        fixed = len(dims) - len(packs)
        if len(shape) < fixed or (not packs and len(shape) != fixed):
            least = "at least " if packs else ""
            text = f"operand `{name}` has rank {len(shape)}, expected {least}{fixed}"
            raise Refused("TypeError", f"{text} for `{pattern}` (its shape is {shape})")
        at = 0
        for dim in dims:
            if dim.startswith("*"):
                packed = shape[at : at + len(shape) - fixed]
                known = self.values.get(dim[1:])
                self.values[dim[1:]] = packed if known is None else broadcast(name, packed, known)
                at += len(packed)
            else:
                self._dimension(dim, name, shape, at)
                at += 1

    def _dimension(self, dim: str, name: str, shape: Shape, at: int) -> None:
        if dim.isidentifier() and dim not in self.values:
            self.values[dim], self.owners[dim] = shape[at], name
            return
        expected = eval(dim, {}, dict(self.values))
        if expected == shape[at]:
            return
        used = [one for one in self.values if one in re.findall(r"[^\W\d]\w*", dim)]
        texts = [f"`{one}` is {self.values[one]} in operand `{self.owners[one]}`" for one in used]
        where = f", where {' and '.join(texts)}" if texts else ""
        raise Refused(
            "TypeError",
            f"operand `{name}`: dimension {at}, `{dim}`, is {shape[at]}, expected {expected}"
            f"{where} (the shape of `{name}` is {shape})",
        )

    def require(self, condition: str) -> None:
        scope = {**self.attributes, **self.values}
        if eval(condition, {"len": len}, scope):
            return
        words = re.findall(r"[a-z_]\w*", condition)
        texts = []
        for one in [*self.values, *self.attributes]:
            if one in words:
                owner = f" in operand `{self.owners[one]}`" if one in self.owners else ""
                texts.append(f"`{one}` is {scope[one]}{owner}")
        raise Refused("ValueError", f"`{condition}` must hold, where {' and '.join(texts)}")


def _match_pattern(operator: Operator, named: list[Named], attributes: dict[str, Any]) -> None:
    patterns = re.findall(r"\([^()]*\)[?.]*", operator.relation.split("->")[0])
    by_name = {one.name: one.tensor.shape for one in named}
    match = Match(attributes)
    for operand, pattern in zip(operator.operands, patterns, strict=True):
        if operand.name in by_name:
            match.operand(pattern, operand.name, by_name[operand.name])
    if operator.require:
        match.require(operator.require)
