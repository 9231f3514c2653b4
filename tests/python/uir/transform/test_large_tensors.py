"""Tensors of more elements than 32 bits count, whose dimensions are all narrow."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import uir
from uir import ir, relay, script
from uir.relay import Tensor

Operator = Callable[[relay.Var], ir.RelayExpr]
OPERATORS: dict[str, Operator] = {
    "exp": relay.exp,
    "transpose": relay.transpose,
    "sum": lambda x: relay.sum(x, [1]),
    "sum of all": lambda x: relay.sum(x),
    "softmax": relay.softmax,
    "argmax": lambda x: relay.argmax(relay.reshape(x, [70000 * 70000]), axis=0),
    "pad": lambda x: relay.pad(x, [0, 1], [0, 1]),
    "slice": lambda x: relay.strided_slice(x, [1, 1], [69999, 69999], strides=[2, 2]),
    "concatenate": lambda x: relay.concatenate([x, x], axis=1),
}
WINDOWS: dict[str, Operator] = {
    "max_pool": lambda x: relay.max_pool(x, kernel=[2, 2], strides=[2, 2], ceil_mode=True),
    "places": lambda x: relay.max_pool_with_indices(x, kernel=[1, 2], strides=[8, 8])[1],
    "avg_pool": lambda x: relay.avg_pool(x, kernel=[2, 2], pads=[1, 1, 1, 1]),
}
WRAPPED = str(70000 * 70000 % 2**32)
"""What 32 bits leave of the number of elements."""


def lowered(operator: Operator, *shape: int) -> str:
    """Return the text of a compiled function of one tensor."""
    builder = relay.builder()
    x = builder.param("x", Tensor(shape, "float32"))
    func = builder.make_func(builder.emit(operator(x))).with_attr("global_symbol", "main")
    return script.print(uir.lower(ir.IRModule({ir.GlobalVar("main"): func})))


@pytest.mark.parametrize("name", OPERATORS)
def test_offsets_of_large_tensors_have_64_bits(name: str) -> None:
    text = lowered(OPERATORS[name], 70000, 70000)
    assert "4900000000" in text
    assert WRAPPED not in text


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_over_lines_of_the_greatest_length(name: str) -> None:
    text = lowered(WINDOWS[name], 1, 2, 8, 2**31 - 1)
    assert str(2 * 8 * (2**31 - 1)) in text
    assert not re.search(r"\(\((-|0,)", text)


def test_loops_that_32_bits_do_not_count_are_not_merged() -> None:
    text = """
@tir.prim_func
def main(A: tir.Buffer((70000, 70000), "int8"), B: tir.Buffer((70000, 70000), "int8")):
    for i, j in tir.grid(70000, 70000):
        B[i, j] = A[i, j] + tir.int8(1)
"""
    printed = script.print(uir.lower(script.parse_function(text)))
    assert "4900000000" in printed
    assert WRAPPED not in printed
