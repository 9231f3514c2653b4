"""Operators that work element by element, compiled, on the values at the ends of each data type.

One library has a function for each operator and data type, of any number of elements: none, one,
two, primes on both sides of a vector, and all combinations of the values.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

import uir
from uir import ir, relay, tir

from ....operators.domain import is_defined
from ....operators.draws import DTYPES
from ...support.tolerance import same_values
from .lowered import expected_of
from .operator_cases import DEPTH, OPERATORS, make

ATTRIBUTES: dict[str, list[dict[str, Any]]] = {
    "cast": [
        {"dtype": dtype}
        for dtype in ("float64", "float16", "int8", "uint16", "int32", "uint32", "int64", "bool")
    ],
    "gelu": [{"approximate": False}, {"approximate": True}],
    "isinf": [{"detect_negative": False}, {"detect_negative": True}],
    "leaky_relu": [{"alpha": 0.25}],
    "mod": [{"truncated": False}, {"truncated": True}],
}
NAMES = [name for name, one in OPERATORS.items() if one.relation in ("same", "broadcast")]
COUNTS = (0, 1, 2, 7, 31)
CANCELLING = ("gelu",)
"""Sums of numbers of both signs: their error is measured against the greater ones."""
SMALL = (0, 1, 2, 3, 7, -1, -2, -7)


def values(dtype: str) -> np.ndarray[Any, Any]:
    """Return numbers of a data type: small ones, and those at its ends."""
    if dtype == "bool":
        return np.array([False, True])
    kind: Any = np.dtype(dtype)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        ends = (limits.min, limits.min + 1, limits.max - 1, limits.max)
        return np.array(
            sorted({number for number in (*SMALL, *ends) if number >= limits.min}), kind
        )
    ends = np.finfo(kind)
    positive = [0, ends.smallest_subnormal, ends.tiny, 0.5, 1, 1.5, 2.5, 20, ends.max, np.inf]
    return np.array([*positive, *(-number for number in positive), np.nan], kind)


class Call(NamedTuple):
    """A call of an operator on vectors."""

    symbol: str
    name: str
    dtypes: list[str]
    attributes: dict[str, Any]

    def function(self) -> relay.Function:
        size, declared = tir.SizeVar("n", "int64"), OPERATORS[self.name]
        params = [
            relay.Var(operand.name, relay.Tensor((size,), dtype))
            for operand, dtype in zip(declared.operands, self.dtypes, strict=True)
        ]
        y = make(declared, params, self.attributes)
        attrs = ir.DictAttrs({"global_symbol": self.symbol})
        return relay.Function(params, relay.Block([], y), None, attrs)

    def operands(self) -> list[np.ndarray[Any, Any]]:
        """Return all combinations of values of which the result is defined."""
        rows = list(itertools.product(*map(values, self.dtypes)))
        columns = zip(zip(*rows, strict=True), self.dtypes, strict=True)
        arrays = [np.array(column, dtype) for column, dtype in columns]
        kept = np.broadcast_to(is_defined(self.name, arrays), arrays[0].shape)
        return [array[kept] for array in arrays]


def calls() -> list[Call]:
    """Return calls of all operators; of a few data types unless the run is deep."""
    made = []
    for place, name in enumerate(NAMES):
        operands = OPERATORS[name].operands
        accepted = DTYPES[
            next(one.accepted for one in operands if one.accepted != "bool" or name != "where")
        ]
        if DEPTH == 1:
            kept = {"float32", "int32", "bool", accepted[place % len(accepted)]}
            accepted = [dtype for dtype in accepted if dtype in kept]
        for dtype in accepted:
            dtypes = [
                one.accepted if not one.variable and name == "where" else dtype for one in operands
            ]
            for number, attributes in enumerate(ATTRIBUTES.get(name, [{}])):
                made.append(Call(f"{name}_{dtype}_{number}", name, dtypes, attributes))
    return made


def test_values_at_the_ends_of_their_types() -> None:
    made = calls()
    functions = {ir.GlobalVar(call.symbol): call.function() for call in made}
    library = uir.build(ir.IRModule(functions))
    for call in made:
        operands = call.operands()
        for count in (*COUNTS, len(operands[0])):
            given = [array[:count] for array in operands]
            with np.errstate(all="ignore"):
                expected = expected_of(call.name, given, call.attributes)
            found = np.from_dlpack(library[call.symbol](*given))
            same_values(found, expected, call, relative=call.name not in CANCELLING)


def test_vectors_that_are_not_compact() -> None:
    """The entries copy them: every other element, from behind, and columns of a table."""
    made = [call for call in calls() if call.name in ("add", "exp", "where", "cast")]
    functions = {ir.GlobalVar(call.symbol): call.function() for call in made}
    library = uir.build(ir.IRModule(functions))
    views = [lambda a: a[::2], lambda a: a[::-1], lambda a: np.stack([a, a], 1)[:, 1]]
    for call in made:
        for view in views:
            given = [view(array) for array in call.operands()]
            with np.errstate(all="ignore"):
                expected = expected_of(call.name, given, call.attributes)
            found = np.from_dlpack(library[call.symbol](*given))
            same_values(found, expected, call, relative=call.name not in CANCELLING)


def test_formulas_of_16_bits_are_rounded_once() -> None:
    """All numbers of `float16`, in which `exp(-x)` may be infinite and 1 + erf(x) cancels."""
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    made = [
        Call(f"{name}_{place}", name, ["float16"], attributes)
        for name in ("sigmoid", "silu", "gelu", "leaky_relu", "rsqrt")
        for place, attributes in enumerate(ATTRIBUTES.get(name, [{}]))
    ]
    functions = {ir.GlobalVar(call.symbol): call.function() for call in made}
    library = uir.build(ir.IRModule(functions))
    for call in made:
        with np.errstate(all="ignore"):
            expected = expected_of(call.name, [x], call.attributes)
        found = np.from_dlpack(library[call.symbol](x))
        same_values(found, expected, call, relative=True)
