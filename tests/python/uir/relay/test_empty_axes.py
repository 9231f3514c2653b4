"""The place of an element of an axis that has none: errors name the axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir

from ..support import refuses

PLACES: dict[str, Any] = {
    "greatest": lambda x: relay.argmax(x, 1),
    "least": lambda x: relay.argmin(x, 1, keepdims=True),
    "of_all": lambda x: relay.argmax(x),
}


def function_of(name: str, columns: int | tir.SizeVar) -> relay.Function:
    x = relay.Var("x", relay.Tensor((2, columns), "float32"))
    func = relay.Function([x], relay.Block([], PLACES[name](x)))
    return ir.with_attr(func, "global_symbol", name)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


@pytest.mark.parametrize("name", PLACES)
def test_a_fixed_axis_without_elements_is_named(name: str) -> None:
    message = r"`x`: dimension 1 must have elements \(the shape of `x` is \(2, 0\)\)$"
    with pytest.raises(ValueError, match=message):
        function_of(name, 0)


def test_a_symbolic_axis_without_elements_is_named() -> None:
    functions = {
        ir.GlobalVar(name): function_of(name, tir.SizeVar("columns", "int32")) for name in PLACES
    }
    library = uir.build(ir.IRModule(functions))
    for name in PLACES:
        assert np.from_dlpack(library[name](zeros(2, 1))).size
        message = f"{name}: `1 <= columns` must hold: `columns` is 0, dimension 1 of `x`"
        with refuses(ValueError, message):
            library[name](zeros(2, 0))


def test_another_axis_may_be_empty() -> None:
    rows = tir.SizeVar("rows", "int32")
    x = relay.Var("x", relay.Tensor((rows, 2), "float32"))
    library = uir.build(relay.Function([x], relay.Block([], relay.argmax(x, 1))))
    assert np.from_dlpack(library["main"](zeros(0, 2))).shape == (0,)
