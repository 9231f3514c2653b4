"""Every operator, built into one library, computes what its reference does."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import uir
from uir import ir, relay

from .lowered import agree, expected_of, flat
from .operator_cases import (
    DEPTH,
    NAMES,
    OPERATORS,
    case,
    make,
    variables,
)
from .test_operator_symbols import Symbols, fits

WHOLE = ("attention",)
"""With heads that are not constant it stays whole."""


class Call:
    """A call of an operator as a public function; every other one is of symbolic dimensions."""

    def __init__(self, name: str, place: int) -> None:
        random, declared = Random(f"{name} {place}"), OPERATORS[name]
        self.name = f"{name}_{place}"
        operands, attributes = case(name, random)
        self.args = flat(operands)
        self.expected = expected_of(name, operands, attributes)
        types: list[Any] = operands
        sizes: list[relay.Var] = []
        if (place + NAMES.index(name)) % 2 and name not in WHOLE and fits(name, attributes):
            symbols = Symbols(random)
            infos = zip(operands, declared.operands, strict=True)
            types = [symbols.operand(name, one, info) for one, info in infos]
            # The dimensions of these bind what the others only compute with.
            bound = symbols.variables.items()
            sizes = [relay.Var(f"n{size}", relay.Tensor((dim,), "int8")) for size, dim in bound]
            self.args = [*(np.zeros(size, "int8") for size, _ in bound), *self.args]
        params = variables(declared, types)
        y = make(declared, params, attributes)
        attrs = ir.DictAttrs({"global_symbol": self.name})
        self.func = relay.Function([*sizes, *flat(params)], relay.Block([], y), None, attrs)

    def run(self, module: Any) -> Any:
        found = module[self.name](*self.args)
        if not isinstance(self.expected, tuple):
            return np.from_dlpack(found)
        # An entry returns the only tensor of a tuple without the tuple.
        fields = [found] if len(self.expected) == 1 else found
        return tuple(np.from_dlpack(one) for one in fields)


def test_every_operator_in_one_library() -> None:
    calls = [Call(name, place) for name in NAMES for place in range(DEPTH)]
    module = uir.build(ir.IRModule({ir.GlobalVar(call.name): call.func for call in calls}))
    for call in calls:
        agree(call.run(module), call.expected, (call.name, call.args))
