"""`relay.evaluate` on small functions: blocks, branches, tuples, calls between functions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import tvm_ffi

from uir import relay, tir
from uir.ir import ExternFunc, GlobalVar, IRModule

F32 = "float32"
VECTOR = relay.Tensor((3,), F32)


def vector(*elements: float) -> np.ndarray:
    return np.array(elements, F32)


def bound(value, name: str = "y"):
    """Return a variable and its binding to a value."""
    var = relay.Var(name, value.checked_type)
    return var, relay.Binding(var, value)


def test_bindings_in_order() -> None:
    x = relay.Var("x", VECTOR)
    y, first = bound(relay.exp(x))
    z, second = bound(relay.add(y, y), "z")
    function = relay.Function([x], relay.Block([first, second], z))
    found = relay.evaluate(function, vector(0, 1, 2))
    assert found.dtype == F32
    assert np.allclose(found, 2 * np.exp([0, 1, 2]))


def test_nested_calls_and_numbers() -> None:
    x = relay.Var("x", VECTOR)
    function = relay.Function([x], relay.Block([], relay.maximum(relay.multiply(x, 2), 1)))
    assert relay.evaluate(function, vector(-1, 1, 3)).tolist() == [1, 2, 6]


def test_a_symbolic_dimension_of_a_reshape_may_be_0() -> None:
    n = tir.SizeVar("n")
    x = relay.Var("x", relay.Tensor((3, n), F32))
    for shape in ([n, 3], [-1, n]):
        function = relay.Function([x], relay.Block([], relay.reshape(x, shape)))
        assert relay.evaluate(function, np.ones((3, 0), F32)).shape in ((0, 3), (3, 0))


@pytest.mark.parametrize(("condition", "expected"), [(True, [1, 2, 3]), (False, [-1, -2, -3])])
def test_both_arms_of_if(condition: bool, expected: list[float]) -> None:
    flag, x = relay.Var("flag", relay.Tensor((), "bool")), relay.Var("x", VECTOR)
    arms = relay.Block([], x), relay.Block([], relay.negative(x))
    chosen = relay.If(flag, *arms)
    function = relay.Function([flag, x], relay.Block([], chosen), VECTOR)
    assert relay.evaluate(function, np.array(condition), vector(1, 2, 3)).tolist() == expected


def test_tuples() -> None:
    x = relay.Var("x", VECTOR)
    parts, first = bound(relay.split(x, [1, 2]), "parts")
    swapped = relay.Tuple([relay.TupleGetItem(parts, 1), relay.TupleGetItem(parts, 0)])
    function = relay.Function([x], relay.Block([first], swapped))
    last, front = relay.evaluate(function, vector(1, 2, 3))
    assert (last.tolist(), front.tolist()) == ([2, 3], [1])


def test_optional_and_variadic_operands() -> None:
    x = relay.Var("x", VECTOR)
    joined = relay.concatenate([x, relay.pad(x, [0], [1])])
    function = relay.Function([x], relay.Block([], joined))
    assert relay.evaluate(function, vector(1, 2, 3)).tolist() == [1, 2, 3, 1, 2, 3, 0]


def test_symbolic_dimensions_bind_from_arguments() -> None:
    n = tir.SizeVar("n", "int64")
    x = relay.Var("x", relay.Tensor((n, 4), F32))
    y = relay.Var("y", relay.Tensor((n,), F32))
    flat = relay.reshape(x, shape=[tir.mul(n, 2), 2])
    function = relay.Function([x, y], relay.Block([], flat))
    ones = np.ones((3, 4), F32)
    assert relay.evaluate(function, ones, vector(1, 2, 3)).shape == (6, 2)
    with pytest.raises(TypeError) as raised:
        relay.evaluate(function, ones, vector(1, 2))
    assert str(raised.value) == "evaluate: argument `y` has shape (2,), its type says (3,)"


def module_of_two() -> IRModule:
    x, y = relay.Var("x", VECTOR), relay.Var("y", VECTOR)
    double = relay.Function([x], relay.Block([], relay.add(x, x)))
    callee = GlobalVar("double")
    twice = relay.Call(callee, [relay.Call(callee, [y])])
    main = relay.Function([y], relay.Block([], twice), VECTOR)
    return IRModule({callee: double, GlobalVar("main"): main})


def test_calls_between_functions() -> None:
    module = module_of_two()
    assert relay.evaluate(module, vector(1, 2, 3)).tolist() == [4, 8, 12]
    assert relay.evaluate(module, vector(1, 2, 3), name="double").tolist() == [2, 4, 6]
    with pytest.raises(ValueError) as raised:
        relay.evaluate(module, vector(1, 2, 3), name="triple")
    message = "evaluate: no relay function `triple` in the module, which has `double`, `main`"
    assert str(raised.value) == message


def test_constants() -> None:
    x = relay.Var("x", VECTOR)
    function = relay.Function([x], relay.Block([], relay.add(x, relay.const(vector(1, 2, 3)))))
    assert relay.evaluate(function, tvm_ffi.from_dlpack(vector(1, 1, 1))).tolist() == [2, 3, 4]


def test_an_extern_function_that_is_registered() -> None:
    @tvm_ffi.register_global_func("test.evaluate.double", override=True)
    def double(source: tvm_ffi.Tensor, target: tvm_ffi.Tensor) -> None:
        np.from_dlpack(target)[:] = 2 * np.from_dlpack(source)

    x = relay.Var("x", VECTOR)
    callee = ExternFunc("test.evaluate.double")
    call = relay.call_destination_passing(callee, [x], [VECTOR])
    function = relay.Function([x], relay.Block([], call))
    assert relay.evaluate(function, vector(1, 2, 3)).tolist() == [2, 4, 6]
    missing = relay.call_destination_passing(ExternFunc("test.missing"), [x], [VECTOR])
    with pytest.raises(TypeError) as raised:
        relay.evaluate(relay.Function([x], relay.Block([], missing)), vector(1, 2, 3))
    message = "evaluate: `test.missing` is not a registered global function; build it"
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "evaluate: expected 1 arguments, got 0"),
        ([np.zeros(3)], "evaluate: argument `x` has data type `float64`, its type says `float32`"),
        ([np.zeros(2, F32)], "evaluate: argument `x` has shape (2,), its type says (3,)"),
        ([()], "evaluate: argument `x` must be a tensor, got `tuple`"),
    ],
)
def test_wrong_arguments(args: list[object], message: str) -> None:
    x = relay.Var("x", VECTOR)
    with pytest.raises(TypeError) as raised:
        relay.evaluate(relay.Function([x], relay.Block([], x)), *args)
    assert str(raised.value) == message


def test_uir_does_not_import_the_interpreter() -> None:
    program = "import sys, uir; print(uir.relay.evaluate.__name__, *sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert printed[0] == "evaluate"
    assert not {"uir.relay.interpreter", "uir.relay.reference"} & set(printed)
