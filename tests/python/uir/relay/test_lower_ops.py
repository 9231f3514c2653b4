"""`LowerOps`: every operator, run as loops, computes what its reference does."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import uir
from tschema.runtime import post_order
from uir import ir, relay, te, tir, transform

from ....differential.programs.entries import run_main
from ....differential.programs.relay_programs import random_program
from .lowered import agree, expected_of, lower, run_call, run_lowered
from .operator_cases import (
    DEPTH,
    NAMES,
    OPERATORS,
    case,
    variables,
)
from .test_operator_symbols import Symbols, fits

EXAMPLES = 6 * DEPTH
# Of these every bit is that of the reference, for all numbers.
EXACT = [
    "abs", "add", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "cast", "ceil", "clip",
    "divide", "equal", "floor", "floor_divide", "greater", "greater_equal", "isinf", "isnan",
    "less", "less_equal", "maximum", "minimum", "mod", "multiply", "negative", "not_equal", "relu",
    "round", "sign", "subtract", "where", "max", "min", "argmax", "argmin", "concatenate",
    "max_pool", "max_pool_with_indices", "nonzero", "pad", "split", "strided_slice", "tile", "topk",
    "transpose",
]  # fmt: skip
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, -1.5, 2.5, 1e-3, -7.0]


@pytest.mark.parametrize("name", NAMES)
def test_loops_compute_what_references_do(name: str) -> None:
    random = Random(name)
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        found = run_call(name, variables(OPERATORS[name], operands), operands, attributes)
        agree(found, expected_of(name, operands, attributes), (operands, attributes))


# Attention with heads that are not constant stays whole.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "attention"])
def test_loops_of_symbolic_dimensions_do_too(name: str) -> None:
    random, declared = Random(name), OPERATORS[name]
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        if not fits(name, attributes):
            continue
        symbols = Symbols(random)
        symbolic = [
            symbols.operand(name, one, info)
            for one, info in zip(operands, declared.operands, strict=True)
        ]
        params = variables(declared, symbolic)
        found = run_call(name, params, operands, attributes, dimensions=symbols.values)
        agree(found, expected_of(name, operands, attributes), (operands, attributes))


def specials(array: Any, random: np.random.Generator) -> Any:
    """Return an array of the same type with NaN, infinities, zeros and negative numbers."""
    if array is None or (not isinstance(array, list) and array.dtype.kind == "b"):
        return array
    if isinstance(array, list):
        return [specials(one, random) for one in array]
    if array.dtype.kind == "f":
        return random.choice(SPECIAL, array.shape).astype(array.dtype)
    limits = np.iinfo(array.dtype)
    ends = [limits.min, limits.max, limits.min + 1, 1, 3]
    return np.array([ends[i] for i in random.integers(0, 5, array.size)], array.dtype).reshape(
        array.shape
    )


@pytest.mark.parametrize("name", EXACT)
def test_no_bit_differs_from_the_reference(name: str) -> None:
    random = Random(name)
    generator = np.random.default_rng(len(name))
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        varied = [specials(one, generator) for one in operands]
        if name in ("divide", "floor_divide", "mod") and varied[1].dtype.kind != "f":
            varied[1] = np.where(varied[1] == 0, 1, varied[1]).astype(varied[1].dtype)
        found = run_call(name, variables(OPERATORS[name], varied), varied, attributes)
        expected = expected_of(name, varied, attributes)
        results = expected if isinstance(expected, tuple) else (expected,)
        for one, wanted in zip(found if results is expected else (found,), results, strict=True):
            assert (one.shape, one.dtype) == (wanted.shape, wanted.dtype)
            np.testing.assert_array_equal(one, wanted, str((varied, attributes)))


def param(name: str, *shape: Any, dtype: str = "float32") -> relay.Var:
    return relay.Var(name, relay.Tensor(shape, dtype))


def module_of_values(params: list[relay.Var], *values: ir.RelayExpr) -> ir.IRModule:
    """Return a module whose `main` returns a tuple of values."""
    body = relay.Block([], relay.Tuple(list(values)))
    return ir.IRModule({ir.GlobalVar("main"): relay.Function(params, body)})


def names_of(module: ir.IRModule) -> list[str]:
    return sorted(var.name_hint for var in module.functions)


def test_equal_calls_share_a_function() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    x, y, z = param("x", n, 4), param("y", m, 4), param("z", n, 4, dtype="float64")
    calls = [relay.exp(x), relay.exp(y), relay.exp(z), relay.sum(x, 0), relay.sum(x, 1)]
    lowered = lower(module_of_values([x, y, z], *calls, relay.sum(y, 1), x + 1.0, y + 2.0, y + 1.0))
    assert names_of(lowered) == ["add", "add_1", "exp", "exp_1", "main", "sum", "sum_1"]


def test_names_of_functions_that_are_there_stay() -> None:
    x = param("x", 4)
    module = module_of_values([x], relay.exp(x))
    y = param("y", 4)
    other = relay.Function([y], relay.Block([], y), None, ir.DictAttrs({"global_symbol": "exp"}))
    lowered = lower(ir.IRModule({**module.functions, ir.GlobalVar("exp"): other}))
    assert names_of(lowered) == ["exp", "exp_1", "main"]


def test_a_dimension_that_nothing_binds_becomes_a_variable() -> None:
    n = tir.SizeVar("n", "int64")
    x = param("x", n, 12)
    rows = relay.reshape(x, [tir.mul(n, 4), 3])
    lowered = lower(module_of_values([x], relay.exp(rows)))
    (func,) = (func for var, func in lowered.functions.items() if var.name_hint == "exp")
    assert [str(dim) for dim in func.buffer_map[func.params[0]].shape] == ["d0", "3"]
    given = np.ones((2, 12), "float32")
    np.testing.assert_allclose(run_lowered(lowered, given)[0], np.exp(given.reshape(8, 3)), 1e-6)


def test_operators_without_a_lowering_are_one_error(loom: ModuleType) -> None:
    # The next test gives it one.
    x = param("x", tir.SizeVar("n"), 3)
    values = [*[loom.stretch(x, times=times) for times in (2, 3)], relay.exp(x)]
    with pytest.raises(ValueError) as raised:
        lower(module_of_values([x], *values))
    text = str(raised.value)
    assert "an operator has no lowering: `loom.stretch`" in text
    assert text.count("^ `loom.stretch` has no lowering") == 2
    assert "loom.stretch(x, times=3" in text


def stretched(call: relay.Call, x: te.Tensor) -> te.Tensor:
    shape = [tir.mul(x.shape[0], call.attrs.times), *x.shape[1:]]
    return te.compute(shape, lambda i, j: x[tir.floormod(i, x.shape[0]), j] + 1.0)


def test_a_lowering_may_be_a_function_of_python(loom: ModuleType) -> None:
    made = [stretched]

    @transform.register_lowering("loom.stretch")
    def lower_stretch(call: relay.Call, x: te.Tensor) -> Any:
        return made[0](call, x)

    x = param("x", tir.SizeVar("n"), 3)
    module = module_of_values([x], loom.stretch(relay.exp(x), times=2))
    given = np.arange(12, dtype="float32").reshape(4, 3)
    (found,) = run_lowered(lower(module), given)
    np.testing.assert_allclose(found, np.tile(np.exp(given), (2, 1)) + 1, 1e-6)
    with pytest.raises(ValueError, match="`loom.stretch` has a registered lowering"):
        transform.register_lowering("loom.stretch")(lower_stretch)
    made[0] = lambda call, x: te.compute(x.shape, lambda i, j: tir.add(i, j))
    message = "must return a tensor of `float32` and rank 2, got one of `int32` and rank 2"
    with pytest.raises(TypeError, match=f"the lowering of `loom.stretch` {message}"):
        lower(module)
    made[0] = lambda call, x: [x, x]
    with pytest.raises(TypeError, match="`loom.stretch` must return 1 tensors, got 2"):
        lower(module)


def test_operators_of_others_need_only_a_declaration(loom: ModuleType) -> None:
    n = tir.SizeVar("n")
    x, y = param("x", n, 4), param("y", n, 4)
    values = [loom.soften(x, 2.0), loom.weave(x, y), loom.dye(x, y), loom.hem(x, 2.0, y)]
    module = module_of_values([x, y], *values)
    given = [np.arange(12, dtype="float32").reshape(3, 4) - 5, np.full((3, 4), 0.5, "float32")]
    expected = relay.evaluate(module, *given)
    for one, wanted in zip(run_lowered(lower(module), *given), expected, strict=True):
        np.testing.assert_allclose(one, wanted, 1e-6)


def test_images_are_resized_in_every_way() -> None:
    random = Random("resize")
    coordinates = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric"]
    coordinates += ["align_corners", "tf_crop_and_resize"]
    for place in range(36 * DEPTH):
        operands, attributes = case("resize", random)
        count = len(attributes["axes"])
        attributes |= {
            "coordinate_transformation_mode": coordinates[place % 6],
            "nearest_mode": random.choice(["round_prefer_ceil", "floor", "ceil"]),
            "exclude_outside": random.random() < 0.5,
            "antialias": random.random() < 0.5,
            "extrapolation_value": 3.0,
            "roi": [0.2] * count + [1.4] * count,
        }
        found = run_call("resize", variables(OPERATORS["resize"], operands), operands, attributes)
        if operands[0].dtype.kind == "f":
            agree(found, expected_of("resize", operands, attributes), (operands, attributes))
            continue
        # Numbers between two integers may round to either, because weights are rounded too.
        exact = expected_of("resize", [operands[0].astype("float64")], attributes)
        limits = np.iinfo(found.dtype)
        exact = np.clip(exact, limits.min, limits.max)
        assert found.shape == exact.shape, (operands, attributes)
        np.testing.assert_array_less(np.abs(found - exact), 0.5 + 1e-5, str((operands, attributes)))


PREPARE = [transform.Inline(), transform.DecomposeOps(), transform.EliminateCommonSubexpr()]


@pytest.mark.parametrize("fuses", [False, True])
def test_random_programs_keep_their_values(fuses: bool) -> None:
    changed = 0
    for seed in range(6 * DEPTH):
        program = random_program(Random(seed), length=12, smooth=True)
        passes = [*PREPARE, transform.FuseOps()] if fuses else PREPARE
        module = transform.Sequential(passes)(program.module)
        lowered = lower(transform.DeadCodeElimination(["main"])(module))
        changed += any(var.name_hint.startswith("fused_") for var in lowered.functions)
        for arguments in program.arguments:
            with np.errstate(all="ignore"):
                expected = relay.evaluate(program.module, *arguments, name="main")
            found = run_lowered(lowered, *arguments)
            for one, wanted in zip(found, expected, strict=True):
                assert (one.shape, one.dtype) == (wanted.shape, wanted.dtype)
                np.testing.assert_allclose(one, wanted, 1e-9, 1e-9, err_msg=f"seed {seed}")
    assert (changed > 0) == fuses


def test_buffers_have_the_names_of_operators() -> None:
    x = param("x", 2, 3)
    lowered = lower(module_of_values([x], relay.transpose(x), *relay.split(x, axis=1, sections=2)))
    buffers = {
        var.name_hint: [func.buffer_map[one].name for one in func.params]
        for var, func in lowered.functions.items()
        if isinstance(func, tir.PrimFunc)
    }
    assert buffers["transpose"] == ["x", "transpose"]
    assert buffers["split"] == ["x", "split", "split"]


def lines_of(module: ir.IRModule) -> dict[str, int]:
    """Return where the operators of the tensor-level functions are called."""
    funcs = {v.name_hint: f for v, f in module.functions.items() if isinstance(f, tir.PrimFunc)}
    return {name: func.span.line for name, func in funcs.items() if func.span is not None}


def test_functions_stand_where_the_operators_are_called() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4,), "float32")):
        y = relay.exp(x)
        return relay.softmax(y)
"""
    module = transform.ToANormalForm()(uir.script.parse(text.lstrip()))
    assert lines_of(lower(module)) == {"exp": 5, "softmax": 6}
    with transform.PassContext(config={"DecomposeOps.row": True}):
        parts = transform.Sequential([transform.DecomposeOps(), transform.FuseOps()])(module)
    fused = {"exp": 5, "max": 6, "fused_subtract_exp": 6, "sum": 6, "divide": 6}
    assert lines_of(lower(parts)) == fused


def test_a_group_stores_what_is_read_as_a_whole() -> None:
    x = param("x", 8, 16)
    y = relay.softmax(relay.tanh(x) * 2.0)
    prepare = [transform.ToANormalForm(), transform.FuseOps()]
    lowered = lower(transform.Sequential(prepare)(module_of_values([x], y)))
    assert names_of(lowered) == ["fused_tanh_multiply_softmax", "main"]
    (func,) = (one for one in lowered.functions.values() if isinstance(one, tir.PrimFunc))
    allocated = [one.buffer.name for one in post_order(func.body, tir.AllocBuffer)]
    assert sorted(allocated) == ["exp", "max", "multiply", "sum"]


def test_nested_calls_and_calls_without_types_are_refused() -> None:
    x = param("x", 4)
    nested = module_of_values([x], relay.exp(relay.tanh(x)))
    with pytest.raises(ValueError, match="the operand has no binding: run `ToANormalForm` first"):
        transform.LowerOps()(nested)
    callee = ir.GlobalVar("callee")
    y = relay.Var("y")
    bound = relay.Block([relay.Binding(y, relay.Call(callee, [x]))], relay.exp(y))
    identity = relay.Function([x], relay.Block([], x))
    module = ir.IRModule({callee: identity, ir.GlobalVar("main"): relay.Function([x], bound)})
    with pytest.raises(ValueError, match="the call has no type: run `InferType` first"):
        transform.LowerOps()(module)


def test_branches_are_lowered() -> None:
    x, holds = param("x", 3), relay.Var("holds", relay.Tensor((), "bool"))
    branches = [relay.Block([], relay.exp(x)), relay.Block([], relay.negative(x))]
    module = module_of_values([x, holds], relay.If(holds, *branches))
    lowered = lower(module)
    given = np.arange(3, dtype="float32")
    (found,) = run_lowered(lowered, given, np.array(False))
    np.testing.assert_array_equal(found, -given)


def weight(*shape: int) -> relay.Constant:
    data = np.random.default_rng(sum(shape)).normal(size=shape).astype("float32")
    return relay.Constant(tvm_ffi.from_dlpack(0.3 * data))


def encoder(n: tir.SizeVar) -> relay.Function:
    """Return a layer of a transformer's encoder."""
    rb = relay.builder()
    x = rb.param("x", relay.Tensor((n, 5, 8)))
    heads = [relay.reshape(relay.matmul(x, weight(8, 8)), [n, 5, 2, 4]) for _ in range(3)]
    query, key, value = (relay.transpose(one, [0, 2, 1, 3]) for one in heads)
    mixed = relay.transpose(relay.attention(query, key, value), [0, 2, 1, 3])
    h = relay.layer_norm(x + relay.reshape(mixed, [n, 5, 8]) @ weight(8, 8), weight(8), weight(8))
    y = relay.gelu(h @ weight(8, 16) + weight(16)) @ weight(16, 8) + weight(8)
    return rb.make_func(relay.layer_norm(h + y), PUBLIC)


def small_cnn(n: tir.SizeVar) -> relay.Function:
    """Return a convolution, a pooling and a dense layer."""
    rb = relay.builder()
    x = rb.param("x", relay.Tensor((n, 1, 6, 6)))
    y = relay.relu(relay.conv(x, weight(3, 1, 3, 3), weight(3), pads=[1, 1, 1, 1]))
    y = relay.batch_norm(y, weight(3), weight(3), weight(3), relay.abs(weight(3)))
    y = relay.reshape(relay.max_pool(y, [2, 2], strides=[2, 2]), [0, -1])
    return rb.make_func(relay.softmax(y @ weight(27, 4) + weight(4)), PUBLIC)


PUBLIC = ir.DictAttrs({"global_symbol": "main"})


@pytest.mark.parametrize("fuses", [False, True])
@pytest.mark.parametrize(("make_func", "shape"), [(encoder, (2, 5, 8)), (small_cnn, (2, 1, 6, 6))])
def test_networks_run_from_their_entries(make_func: Any, shape: Any, fuses: bool) -> None:
    module = ir.IRModule({ir.GlobalVar("main"): make_func(tir.SizeVar("n", "int64"))})
    prepared = transform.ToANormalForm()(module)
    lowered = lower(transform.FuseOps()(prepared) if fuses else prepared)
    finish = [transform.LowerEntry(), transform.BindConstants(), transform.VerifyWellFormed()]
    given = np.random.default_rng(1).normal(size=shape).astype("float32")
    expected = relay.evaluate(module, given)
    (found,) = run_main(transform.Sequential(finish)(lowered), [expected], given)
    np.testing.assert_allclose(found, expected, 1e-5, 1e-5)


def test_attributes_use_dimensions_of_other_parameters() -> None:
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    x, y = relay.Var("x", relay.Tensor((n, 3))), relay.Var("y", relay.Tensor((m, 30)))
    size = relay.cast(relay.squeeze(relay.arange(n * m, n * m + 1), [0]), "float32")
    parts = [
        relay.arange(n, n + m),
        relay.strided_slice(y, [n + 1], [n + 3], axes=[1]),
        relay.add(x, size),
    ]
    func = relay.Function([x, y], relay.Block([], relay.Tuple(parts)), None, PUBLIC)
    given = [np.ones((4, 3), "float32"), np.arange(150, dtype="float32").reshape(5, 30)]
    for found, expected in zip(
        uir.build(func)["main"](*given), relay.evaluate(func, *given), strict=True
    ):
        np.testing.assert_array_equal(np.from_dlpack(found), expected)
