"""Types of every operator on symbolic dimensions, against its types on their values.

A call that an operator takes is made again with `n`, `n * 2` or `n + 1` where a dimension was a
number.  It must be taken too, the shape of its result must have the values of the first, and what
was assumed must hold.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from uir import ir, tir
from uir.relay.dimensions import Dimensions
from uir.transform import InferType

from .operator_cases import (
    DEPTH,
    NAMES,
    OPERATORS,
    Tensor,
    call_of,
    draw,
    make,
    module_of,
    variables,
)

EXAMPLES = 30 * DEPTH
# What a type cannot be told without: the last dimension of `indices` is the depth of the result.
NUMBERS = {("gather_nd", "indices"): -1, ("scatter_nd", "indices"): -1}


class Symbols:
    """Expressions for numbers: of one number there is one variable."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.variables: dict[int, tir.SizeVar] = {}
        self.values = Dimensions()

    def variable(self, value: int) -> tir.SizeVar:
        if value not in self.variables:
            self.variables[value] = tir.SizeVar(f"n{value}", "int64")
            self.values.match([value], [self.variables[value]], "a dimension")
        return self.variables[value]

    def dimension(self, value: int) -> Any:
        """Return an expression for a dimension; 1 broadcasts, so that it stays a number."""
        choice = self._random.randrange(4)
        if value < 2 or choice == 0:
            return value
        if choice == 1 and value % 2 == 0:
            return tir.mul(self.variable(value // 2), 2)
        if choice == 2:
            return tir.add(self.variable(value - 1), 1)
        return self.variable(value)

    def operand(self, name: str, operand: Any, info: Any) -> Any:
        if operand is None:
            return None
        if isinstance(operand, list):
            return [self.operand(name, one, info) for one in operand]
        shape = [self.dimension(dim) for dim in operand.shape]
        if (kept := NUMBERS.get((name, info.name))) is not None:
            shape[kept] = operand.shape[kept]
        return Tensor(shape, operand.dtype)


def shapes_of(found: ir.Type, values: Dimensions) -> list[Any]:
    """Return the numbers and the data type of each result."""
    fields = found.fields if isinstance(found, ir.TupleType) else [found]
    return [([values.value(dim) for dim in one.shape], str(one.dtype)) for one in fields]


def fits(name: str, attributes: dict[str, Any]) -> bool:
    """Return whether attributes say something about dimensions that are not numbers."""
    scales = attributes.get("scales", [])
    return name != "resize" or all(scale == int(scale) for scale in scales)


@pytest.mark.parametrize("name", NAMES)
def test_the_type_has_the_values_of_numbers(name: str) -> None:
    random, declared = Random(name), OPERATORS[name]
    for _ in range(EXAMPLES):
        operands, attributes = draw(declared, random)
        if not fits(name, attributes):
            continue
        expected = shapes_of(call_of(name, operands, attributes).checked_type, Dimensions())
        symbols = Symbols(random)
        symbolic = [
            symbols.operand(name, one, info)
            for one, info in zip(operands, declared.operands, strict=True)
        ]
        params = variables(declared, symbolic)
        module = module_of(params, make(declared, params, attributes))
        func = InferType()(module).lookup("main")
        assert shapes_of(func.ret_type, symbols.values) == expected, (symbolic, attributes)
        assumed = func.attrs.dict.get("shape_assumptions", []) if func.attrs is not None else []
        for condition in assumed:
            assert symbols.values.holds(condition), symbols.values.explain(condition)
