"""High-level functions as script: printed, parsed, and told of their errors."""

from __future__ import annotations

import pytest
import tvm_ffi

import uir
from uir import ir, relay, tir
from uir.relay import Tensor

TWO_LEVELS = """
@uir.script.ir_module
class Module:
    @relay.function
    def relay_add_one(x: relay.Tensor((10,), "float32")) -> relay.Tensor((10,), "float32"):
        b = relay.call_destination_passing(Module.te_add_one, [x], relay.Tensor((10,), "float32"))
        return b

    @tir.prim_func
    def te_add_one(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i] = A[i] + 1.0
""".strip()


def round_trip(value: tvm_ffi.Object) -> str:
    """Return the text of a value, which parses to an equal one."""
    text = uir.script.print(value)
    parsed = uir.script.parse_value(text)
    assert ir.structural_equal(parsed, value), f"{text}\n{ir.first_mismatch(parsed, value)}"
    assert uir.script.print(parsed) == text
    return text


def function(body: str, params: str = 'x: relay.Tensor((2, 3), "float32")') -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"@relay.function\ndef main({params}):\n{lines}"


def test_both_levels_stand_in_one_module() -> None:
    module = uir.script.parse(TWO_LEVELS)
    assert uir.script.print(module) == TWO_LEVELS
    round_trip(module)
    callee = module.get_global_var("te_add_one")
    binding = module.lookup("relay_add_one").body.bindings[0]
    assert binding.value.args[0].same_as(callee)
    assert ir.structural_equal(binding.var.type_annotation, Tensor((10,)))
    assert uir.transform.VerifyWellFormed()(module).same_as(module)


def test_symbolic_dimensions_are_declared_in_the_first_statements() -> None:
    n = tir.SizeVar("n")
    x = relay.Var("x", Tensor((n, n + 1), "float16"))
    text = round_trip(relay.Function([x], relay.Block([], x)))
    assert 'def main(x: relay.Tensor((n, n + 1), "float16"))' in text
    assert '    n = tir.SizeVar("n", "int32")\n    return x' in text


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (1.5, "float32", 'relay.const(1.5, "float32")'),
        (-2, "int64", 'relay.const(-2, "int64")'),
        (True, "bool", 'relay.const(True, "bool")'),
        (0.1, "float16", 'relay.const(0.0999755859375, "float16")'),
        (65504.0, "float16", 'relay.const(65504.0, "float16")'),
        (6e-8, "float16", 'relay.const(5.960464477539063e-08, "float16")'),
        (1e-40, "float32", "relay.const("),
        (3.0, "bfloat16", 'relay.const(3.0, "bfloat16")'),
        ([[1, 2], [3, 4]], "uint8", 'relay.const([[1, 2], [3, 4]], "uint8")'),
        (list(range(17)), "int32", 'relay.Constant(data=metadata["ffi.Tensor"][0])'),
        (float("inf"), "float32", "metadata"),
        ([], "int32", "metadata"),
    ],
)
def test_small_constants_are_inline(value: object, dtype: str, text: str) -> None:
    assert text in round_trip(relay.const(value, dtype))


def test_bindings_tuples_and_items() -> None:
    body = """
pair = (x, relay.const(1, "int32"))
first = pair[0]
nested = ((first,), ())
return nested[0][0]
""".strip()
    func = uir.script.parse_value(function(body))
    assert ir.structural_equal(func.ret_type, Tensor((2, 3)))
    text = round_trip(func)
    assert body.replace("\n", "\n    ") in text


def test_branches_assign_to_one_name() -> None:
    params = 'c: relay.Tensor((), "bool"), x: relay.Tensor((2,), "float32")'
    body = """
if c:
    t = (x, x)
    y = t[0]
else:
    y = x
return y
""".strip()
    func = uir.script.parse_value(function(body, params))
    choice = func.body.bindings[0].value
    assert isinstance(choice, relay.If) and len(choice.true_branch.bindings) == 1
    assert body.replace("\n", "\n    ") in round_trip(func)


def test_untyped_variables_and_calls_of_functions() -> None:
    x, y, z = relay.Var("x", Tensor((2,))), relay.Var("y"), relay.Var("z", Tensor((2,)))
    callee = ir.GlobalVar("callee")
    bindings = [
        relay.Binding(y, relay.Call(callee, [x])),
        relay.Binding(z, relay.Call(callee, [y])),
    ]
    func = relay.Function([x], relay.Block(bindings, z))
    identity = relay.Function([x], relay.Block([], x))
    text = round_trip(ir.IRModule({ir.GlobalVar("main"): func, callee: identity}))
    assert "y = Module.callee(x)" in text
    assert 'z: relay.Tensor((2,), "float32") = Module.callee(y)' in text


def test_attributes_names_and_privacy() -> None:
    x = relay.Var("x", Tensor(()))
    func = relay.Function([x], relay.Block([], x))
    assert "@relay.function(private=True)" in round_trip(ir.IRModule({ir.GlobalVar("main"): func}))
    public = ir.with_attr(ir.with_attr(func, "global_symbol", "f"), "primitive", True)
    text = round_trip(public)
    assert (
        text.startswith("@relay.function\ndef f(")
        and 'relay.func_attr({"primitive": True})' in text
    )


def test_variables_with_the_same_name_stay_apart() -> None:
    x, y = relay.Var("x", Tensor((2,))), relay.Var("x", ir.TupleType([Tensor((2,))]))
    func = relay.Function([x], relay.Block([relay.Binding(y, relay.Tuple([x]))], y))
    assert "x_1 = (x,)" in round_trip(func)


def test_a_variable_that_is_bound_twice_is_declared() -> None:
    x, y = relay.Var("x", Tensor((2,))), relay.Var("y", Tensor((2,)))
    binding = relay.Binding(y, relay.TupleGetItem(relay.Tuple([x]), 0))
    round_trip(relay.Function([x], relay.Block([binding, binding], y)))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return z", "<text>:3:12: error: unknown name `z`"),
        ("y = x", "must end with `return`"),
        ("return x\ny = x", "nothing may follow `return`"),
        ("y = (x,)\nreturn y[1]", "`index` must be below 1"),
        ("return lambda a: a", "`lambda` is not supported"),
        ("return x if x else x", "a conditional expression is not supported"),
        ("while x:\n    y = x\nreturn x", "bindings, `if`, `for` and `return` only"),
        (
            "for i in range(3):\n    y = x\nreturn x",
            "a loop of `relay` is `for x, y in relay.loop(",
        ),
        ("for a in relay.loop(x, x):\n    y = x\nreturn x", "expected a list of initial values"),
        ("for a, b in relay.loop(x, [x]):\n    y = x\nreturn x", "a name for each of 1 initial"),
        ("for a in relay.loop(x, [x]):\n    return x\nreturn x", "must end with the assignment"),
        ("for a in relay.loop(x, [x]):\n    y = (x, a)\nreturn y", "`condition` must be a tensor"),
        ("if x:\n    y = x\nreturn x", "must have an `else`"),
        ("if x:\n    y = x\nelse:\n    z = x\nreturn x", "both branches must assign to the same"),
        ("if x:\n    y = x\nelse:\n    y = x\nreturn y", "`condition` must be a tensor of shape"),
        ('y: relay.Tensor((2, 4), "float32") = x\nreturn y', "dimension 1 is 3, expected 4"),
        ("return 1.0", "the data type of a number is not known here"),
        ('return relay.const([[1], [1, 2]], "int8")', "must have the same lengths"),
    ],
)
def test_errors_are_underlined(body: str, message: str) -> None:
    with pytest.raises(uir.script.ScriptError) as caught:
        uir.script.parse_value(function(body))
    assert message in str(caught.value), str(caught.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(uir.script.ScriptError) as caught:
        uir.script.parse_value(function("a = u\nb = (x, v)\nc = x[0, 0, 0]\nd = (a, c)\nreturn w"))
    messages = [line for line in str(caught.value).splitlines() if "error:" in line]
    assert len(messages) == 4, str(caught.value)


def test_functions_are_written_in_python_files() -> None:
    @relay.function
    def swap(x: relay.Tensor((2,), "float32"), y: relay.Tensor((3,), "int32")):  # type: ignore
        return (y, x)

    assert isinstance(swap, relay.Function)
    assert ir.structural_equal(swap.ret_type, ir.TupleType([Tensor((3,), "int32"), Tensor((2,))]))


def test_verification_knows_bindings() -> None:
    x, y = relay.Var("x", Tensor((2,))), relay.Var("y", Tensor((2,)))
    wrong = relay.Var("wrong", Tensor((3,)))
    item = relay.TupleGetItem(relay.Tuple([x]), 0)
    bindings = [relay.Binding(y, item), relay.Binding(y, item), relay.Binding(wrong, item)]
    func = relay.Function([x], relay.Block(bindings, relay.Var("free")))
    with pytest.raises(ValueError) as caught:
        uir.transform.VerifyWellFormed()(ir.IRModule({ir.GlobalVar("main"): func}))
    for part in (
        "it has 3 problems",
        "`y` is bound twice",
        "`wrong` has the type",
        "`free` is used",
    ):
        assert part in str(caught.value)


def test_tensor_operators_are_refused_in_tir() -> None:
    with pytest.raises(uir.script.ScriptError, match="`@` is an operator of `relay` only"):
        uir.script.parse_value('x = tir.Var("x", "int32")\nx @ x')


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("return x % x", "return relay.mod(x, x)"),
        ("return x // x", "return relay.floor_divide(x, x)"),
        ("return x ** 2.0", "return relay.power(x, 2.0)"),
        ("return -x ** x", "return -relay.power(x, x)"),
        ("return x[0:1]", "return relay.strided_slice(x, [0], [1], axes=[0])"),
        ("return x[:, 1:]", "return relay.strided_slice(x, [1], [3], axes=[1])"),
        (
            "return x[0, ::2]",
            "return relay.squeeze("
            "relay.strided_slice(x, [0, 0], [1, 3], axes=[0, 1], strides=[1, 2]), axes=[0])",
        ),
        (
            "return x[-1]",
            "return relay.squeeze(relay.strided_slice(x, [-1], [2], axes=[0]), axes=[0])",
        ),
        ("return x[:, :]", "return x"),
        ("return x[::-1]", "return relay.strided_slice(x, [-1], [-3], axes=[0], strides=[-1])"),
        ("return x[None]", "return relay.expand_dims(x, axes=[0])"),
        (
            "b = x < 1.0\nreturn not b and (b or b)",
            "b = x < 1.0\nreturn relay.logical_and(relay.logical_not(b), relay.logical_or(b, b))",
        ),
        ("a, b = (x, x)\nreturn a", "a_b = (x, x)\na = a_b[0]\nb = a_b[1]\nreturn a"),
        (
            "a, b = relay.topk(x, 2)\nreturn b",
            "a_b = relay.topk(x, 2)\na = a_b[0]\nb = a_b[1]\nreturn b",
        ),
        ("y = x\ny += 1.0\nreturn y", "y = x\ny_1 = y + 1.0\nreturn y_1"),
    ],
)
def test_python_and_numpy_write_it_so(written: str, canonical: str) -> None:
    parsed = uir.script.parse_value(function(written))
    assert ir.structural_equal(parsed, uir.script.parse_value(function(canonical)))
    round_trip(parsed)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return x[0, 0, 0]", "too many indices: the tensor has rank 2"),
        ("return x[::0]", "the step of a slice must be an integer other than 0"),
        ("return x[True]", "an index must be an integer, an expression of dimensions or a slice"),
        ("a, b = x\nreturn a", "expected a tuple of 2 values to assign to so many names"),
        ("a, b = (x, x, x)\nreturn a", "expected a tuple of 2 values to assign to so many names"),
        ('return relay.sum(x, "a")', "argument `axis` must be"),
    ],
)
def test_errors_of_indices_and_targets(body: str, message: str) -> None:
    with pytest.raises(uir.script.ScriptError, match=message):
        uir.script.parse_value(function(body))
