"""`LowerOps`: every operator, run as loops, computes what its reference does."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, relay, tir
from uir.relay import reference

from .lowered import lower, run_lowered
from .operator_cases import (
    DEPTH,
    NAMES,
    OPERATORS,
    by_name,
    case,
    make,
    module_of,
    variables,
)
from .test_operator_symbols import Symbols, fits

EXAMPLES = 6 * DEPTH
# Operators that have no lowering.
MISSING = {
    "concatenate", "conv", "conv_transpose", "cumprod", "cumsum", "einsum", "gather_nd", "max_pool",
    "max_pool_with_indices", "avg_pool", "pad", "resize", "scatter_elements", "scatter_nd", "split",
    "strided_slice", "take", "take_along_axis", "topk",
}  # fmt: skip
LOWERED = [name for name in NAMES if name not in MISSING]
# Of these every bit is that of the reference, for all numbers.
EXACT = [
    "abs", "add", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "cast", "ceil", "clip",
    "divide", "equal", "floor", "greater", "greater_equal", "isinf", "isnan", "less", "less_equal",
    "maximum", "minimum", "mod", "multiply", "negative", "not_equal", "relu", "round", "sign",
    "subtract", "where", "max", "min", "argmax", "argmin",
]  # fmt: skip
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, -1.5, 2.5, 1e-3, -7.0]


def flat(operands: list[Any]) -> list[Any]:
    """Return the arrays of a call, in the order of its parameters."""
    listed = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    return [one for one in listed if one is not None]


def run_call(
    name: str, params: list[Any], operands: list[Any], attributes: Any, **options: Any
) -> Any:
    """Run a call of an operator on parameters as loops."""
    module = module_of(params, make(OPERATORS[name], params, attributes))
    return run_lowered(lower(module), *flat(operands), **options)


def expected_of(name: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
    """Return what the reference computes."""
    return getattr(reference, name)(**by_name(name, operands), **attributes)


def agree(found: Any, expected: Any, context: Any) -> None:
    """Compare results: floating-point numbers up to the rounding of a few operations."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for one, wanted in zip(found, expected, strict=True):
            agree(one, wanted, context)
        return
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), context
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, str(context))
        return
    precision = 16 * np.finfo(np.float32 if expected.itemsize > 2 else np.float16).eps
    np.testing.assert_allclose(found, expected, precision, precision, err_msg=str(context))


@pytest.mark.parametrize("name", LOWERED)
def test_loops_compute_what_references_do(name: str) -> None:
    random = Random(name)
    for _ in range(EXAMPLES):
        operands, attributes = case(name, random)
        found = run_call(name, variables(OPERATORS[name], operands), operands, attributes)
        agree(found, expected_of(name, operands, attributes), (operands, attributes))


# Attention with heads that are not constant stays whole.
@pytest.mark.parametrize("name", sorted({*LOWERED} - {"attention"}))
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
    if array is None or array.dtype.kind == "b":
        return array
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
        if name == "cast" and operands[0].dtype.kind == "f":
            continue
        varied = [specials(one, generator) for one in operands]
        if name in ("divide", "mod") and varied[1].dtype.kind != "f":
            varied[1] = np.where(varied[1] == 0, 1, varied[1]).astype(varied[1].dtype)
        found = run_call(name, variables(OPERATORS[name], varied), varied, attributes)
        expected = expected_of(name, varied, attributes)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_array_equal(found, expected, str((varied, attributes)))


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


def test_operators_without_a_lowering_are_one_error() -> None:
    x = param("x", 4)
    values = [relay.resize(x, sizes=[2]), relay.exp(x), relay.topk(x, 2)[0], relay.topk(x, 2)[1]]
    with pytest.raises(ValueError) as raised:
        lower(module_of_values([x], *values))
    text = str(raised.value)
    assert "operators have no lowering: `relay.resize`, `relay.topk`" in text
    assert text.count("`relay.topk` has no lowering") == 4
    assert "relay.resize(x, sizes=[2])" in text


def test_branches_are_lowered() -> None:
    x, holds = param("x", 3), relay.Var("holds", relay.Tensor((), "bool"))
    branches = [relay.Block([], relay.exp(x)), relay.Block([], relay.negative(x))]
    module = module_of_values([x, holds], relay.If(holds, *branches))
    lowered = lower(module)
    given = np.arange(3, dtype="float32")
    (found,) = run_lowered(lowered, given, np.array(False))
    np.testing.assert_array_equal(found, -given)
