"""`call_destination_passing`: `f(args..., outs...)` with fresh outputs, which it returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir, relay, tir
from uir.relay import Tensor
from uir.transform import InferType, VerifyWellFormed

N, M = tir.SizeVar("n", "int64"), tir.SizeVar("m", "int64")
EXTERN = ir.ExternFunc("test.destination_passing.extern")
MAIN, CALLEE = ir.GlobalVar("main"), ir.GlobalVar("callee")


def module_of(callee: ir.RelayExpr, shape: Any, outputs: Any, calls: int = 1) -> ir.IRModule:
    """Return a module whose `main` calls a function with its parameter, and returns all results."""
    rb = relay.builder()
    x = rb.param("x", Tensor(shape))
    made = [
        rb.emit(relay.call_destination_passing(callee, [x], outputs), f"y{place}")
        for place in range(calls)
    ]
    return ir.IRModule({MAIN: rb.make_func(made[0] if calls == 1 else relay.Tuple(made))})


@pytest.fixture
def calls() -> Iterator[list[list[np.ndarray]]]:
    """Register a function that fills its outputs; return the arguments of its calls."""
    seen: list[list[np.ndarray]] = []

    def extern(*tensors: tvm_ffi.Tensor) -> None:
        arrays = [np.from_dlpack(tensor) for tensor in tensors]
        seen.append(arrays)
        for place, output in enumerate(arrays[1:]):
            output[...] = arrays[0].sum() + place

    tvm_ffi.register_global_func(EXTERN.global_symbol, extern)
    yield seen
    tvm_ffi.registry.remove_global_func(EXTERN.global_symbol)


def test_one_output_comes_after_the_arguments_and_is_returned(calls: list[list[Any]]) -> None:
    x = np.ones((2, 3), "float32")
    result = relay.evaluate(module_of(EXTERN, (2, 3), Tensor((4,))), x)
    assert [array.shape for array in calls[0]] == [(2, 3), (4,)]
    assert isinstance(result, np.ndarray)
    assert result.tolist() == [6, 6, 6, 6]
    assert np.shares_memory(result, calls[0][1])


def test_several_outputs_are_a_tuple(calls: list[list[Any]]) -> None:
    outputs = [Tensor((2,)), Tensor((), "int64")]
    module = module_of(EXTERN, (2,), outputs)
    assert ir.structural_equal(module.lookup("main").ret_type, ir.TupleType(outputs))
    first, second = relay.evaluate(module, np.ones(2, "float32"))
    assert (first.tolist(), second.tolist(), str(second.dtype)) == ([2, 2], 3, "int64")


def test_outputs_are_fresh_and_never_alias(calls: list[list[Any]]) -> None:
    x = np.ones(3, "float32")
    module = module_of(EXTERN, (3,), [Tensor((3,)), Tensor((3,))], calls=2)
    (a, b), (c, d) = relay.evaluate(module, x)
    arrays = [x, a, b, c, d]
    for place, one in enumerate(arrays):
        assert not any(np.shares_memory(one, other) for other in arrays[place + 1 :])
    assert len(calls) == 2
    assert x.tolist() == [1, 1, 1]


def test_no_output_is_an_error() -> None:
    with pytest.raises(ValueError, match="there must be an output"):
        relay.call_destination_passing(EXTERN, [], [])


def test_symbolic_dimensions_bind_from_the_arguments(calls: list[list[Any]]) -> None:
    module = module_of(EXTERN, (N, M), [Tensor((M, N)), Tensor((tir.mul(N, 2),))])
    module = VerifyWellFormed()(InferType()(module))
    first, second = relay.evaluate(module, np.ones((3, 5), "float32"))
    assert (first.shape, second.shape) == ((5, 3), (6,))


def test_a_dimension_that_nothing_binds_is_refused() -> None:
    with pytest.raises(ValueError) as raised:
        VerifyWellFormed()(module_of(EXTERN, (N,), Tensor((tir.add(M, 1),))))
    text = str(raised.value)
    assert "the output has the dimension `m`, which nothing before binds" in text


def transpose() -> tir.PrimFunc:
    """Return a function of buffers of shape (n, 16) and (16, n)."""
    n = tir.SizeVar("n", "int64")
    with tir.builder() as ib:
        a, b = ib.buffer_param("A", (n, 16)), ib.buffer_param("B", (16, n))
        with ib.for_range(n, name="i") as i, ib.for_range(16, name="j") as j:
            b[j, i] = a[i, j]
    return ib.prim_func("callee")


@pytest.mark.parametrize(
    ("shape", "outputs", "message"),
    [
        ((4, 16), Tensor((16, 4)), None),
        ((N, 16), Tensor((16, N)), None),
        ((4, 16), Tensor((16, 5)), "`callee`: parameter `B`: dimension 1 is 5, expected 4 for `n`"),
        (
            (4, 15),
            Tensor((16, 4)),
            "`callee`: parameter `A`: dimension 1 is 15, expected 16 for `16`",
        ),
        ((N, 16), Tensor((16,)), "parameter `B` has shape (16,), expected (16, n)"),
        (
            (4, 16),
            Tensor((16, 4), "int8"),
            "parameter `B` has data type `int8`, expected `float32`",
        ),
        (
            (4, 16),
            [Tensor((16, 4))] * 2,
            "`callee` has 2 parameters, got 1 arguments and 2 outputs",
        ),
    ],
)
def test_parameters_of_a_prim_func_are_compared(
    shape: Any, outputs: Any, message: str | None
) -> None:
    main = module_of(CALLEE, shape, outputs).lookup("main")
    module = ir.IRModule({MAIN: main, CALLEE: transpose()})
    if message is None:
        assert InferType()(module).same_as(module)
        return
    with pytest.raises(TypeError) as raised:
        InferType()(module)
    lines = str(raised.value).splitlines()
    assert message in lines[0], lines
    assert any("^^^" in line for line in lines)


def test_an_output_that_may_differ_is_assumed() -> None:
    before = module_of(CALLEE, (N, 16), Tensor((16, M))).lookup("main")
    main = InferType()(ir.IRModule({MAIN: before, CALLEE: transpose()})).lookup("main")
    (assumed,) = main.attrs.dict["shape_assumptions"]
    assert ir.structural_equal(assumed, tir.equal(N, M))


def test_an_extern_func_stands_in_a_module() -> None:
    main = module_of(EXTERN, (2,), Tensor((2,))).lookup("main")
    module = ir.IRModule({ir.GlobalVar("sink"): EXTERN, MAIN: main})
    text = uir.script.print(module)
    assert ir.structural_equal(uir.script.parse(text), module), text
    assert InferType()(VerifyWellFormed()(module)).same_as(module)
