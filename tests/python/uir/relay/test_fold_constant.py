"""FoldConstant: what depends on constants alone becomes constants, computed by compiled code."""

from __future__ import annotations

import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform
from uir.driver import find_compiler
from uir.relay import Tensor

from ....differential.programs.relay_programs import random_program
from ...support.c_texts import fake_compiler
from ...support.depth import DEPTH

CC = find_compiler()[0]
FOLD = transform.Sequential(
    [transform.ToANormalForm(), transform.InferType(), transform.FoldConstant()]
)
TYPE = Tensor((2, 3), "float32")
X = relay.Var("x", TYPE)
N = uir.tir.SizeVar("n")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that gets a line whenever the compiler runs, with an empty cache."""
    log = tmp_path / "runs"
    log.touch()
    compiler = fake_compiler(tmp_path, f'echo run >> {log}; exec {CC} "$@"')
    monkeypatch.setenv("UIR_CC", str(compiler))
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    return log


def count(runs: Path) -> int:
    return len(runs.read_text().splitlines())


def const(*shape: int, dtype: str = "float32", seed: int = 0) -> relay.Constant:
    """Return a constant of random elements."""
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return relay.const(random.integers(0, 2, shape).astype(bool))
    scale = random.normal(size=shape) * 9
    return relay.const(scale.astype(dtype))


def module_of(result: ir.RelayExpr) -> ir.IRModule:
    """Return a module with a function `f0` of `x`, whose result may be nested."""
    return ir.IRModule({ir.GlobalVar("f0"): relay.Function([X], relay.Block([], result))})


def prepared(module: ir.IRModule) -> ir.IRModule:
    return transform.InferType()(transform.ToANormalForm()(module))


def function(module: ir.IRModule, name: str = "f0") -> relay.Function:
    found = module.lookup(name)
    assert isinstance(found, relay.Function)
    return found


def values(func: relay.Function) -> list[ir.RelayExpr]:
    return [binding.value for binding in func.body.bindings]


def operator(value: ir.RelayExpr) -> str:
    is_call = isinstance(value, relay.Call) and isinstance(value.op, ir.Op)
    return str(value.op.name) if is_call else ""


def elements(expr: ir.RelayExpr) -> np.ndarray[Any, Any]:
    assert isinstance(expr, relay.Constant)
    return np.from_dlpack(expr.data)


def take(x: Any, *indices: int) -> ir.RelayExpr:
    return relay.take(x, relay.const(np.array(indices, "int64")), axis=0)


CASES: dict[str, ir.RelayExpr] = {
    "floats": const(4, 5) + const(5, seed=1),
    "a contraction": const(4, 5) @ const(5, 6, seed=1),
    "integers": relay.mod(const(7, dtype="int32"), relay.const(3, "int32")),
    "bytes": relay.bitwise_and(
        relay.cast(const(9, dtype="int32"), dtype="uint8"), relay.const(12, "uint8")
    ),
    "truth values": relay.logical_or(const(6, dtype="bool"), relay.less(const(6), 0.0)),
    "half precision": relay.exp(relay.cast(const(5) * 0.1, dtype="float16")),
    "scalars": relay.exp(relay.const(2.0)) * relay.const(3.0),
    "shapes": relay.concatenate([relay.reshape(const(2, 6), shape=[4, 3]), const(1, 3)], 0),
    "attributes": relay.transpose(const(2, 3, 4), axes=[2, 0, 1]),
    "a reduction": relay.sum(const(3, 4), axis=[0], keepdims=True),
    "rows": relay.softmax(const(3, 4)),
    "creation": relay.arange(0, 12, 3, dtype="int64"),
    "an item of a tuple": relay.TupleGetItem(relay.split(const(6, 2), sections=3), 1),
    "no elements": relay.exp(const(0, 3)),
    "an element in range": take(const(4, 2), 3, -1),
}


def test_values_become_constants_with_one_run_of_the_compiler(runs: Path) -> None:
    constants = [relay.Function([], relay.Block([], value)) for value in CASES.values()]
    functions = {ir.GlobalVar(f"f{place}"): func for place, func in enumerate(constants)}
    before = transform.InferType()(ir.IRModule(functions))
    after = FOLD(before)
    assert count(runs) == 1
    assert ir.verify(after) == []
    for place, name in enumerate(CASES):
        func = function(after, f"f{place}")
        assert list(func.body.bindings) == [], name
        expected: Any = relay.evaluate(before, name=f"f{place}")
        found = elements(func.body.result)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape), name
        tolerance = 1e-3 if found.dtype == np.float16 else 1e-5
        np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=name)
    assert FOLD(after).same_as(after)
    assert count(runs) == 1


def test_other_constants_of_the_same_types_are_compiled_once(runs: Path) -> None:
    for seed in (1, 2):
        constant = const(8, 3, seed=seed)
        folded = function(FOLD(module_of(relay.exp(constant)))).body.result
        np.testing.assert_allclose(elements(folded), np.exp(elements(constant)), 1e-5)
    assert count(runs) == 1


LEAST = np.float32(1e-45)
"""The least number above zero, which is denormal."""
SPECIAL = np.array([0, -0.0, 1, -3, np.inf, -np.inf, np.nan, LEAST, 3e38, 1 / 3], "float32")
EXACT: dict[str, tuple[Any, tuple[int, ...], tuple[int, ...]]] = {
    "sums": (np.add, (10, 1), (10,)),
    "differences": (np.subtract, (10,), (10, 1)),
    "products": (np.multiply, (2, 5, 1, 10), (2, 1, 10, 1)),
    "quotients": (np.divide, (10, 10, 1), (1, 10)),
    "of one shape": (np.multiply, (3, 4, 5), (3, 4, 5)),
    "of a number on the left": (np.subtract, (), (2, 3)),
    "of a number on the right": (np.divide, (2, 3), (1, 1)),
    "of rows": (np.add, (4, 1, 3), (4, 2, 3)),
    "without elements": (np.multiply, (0, 3), (3,)),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_operators_start_no_compiler(name: str, runs: Path) -> None:
    function_of_numpy, *shapes = EXACT[name]
    x, y = (np.resize(SPECIAL, shape).astype("float32") for shape in shapes)
    of_relay = getattr(relay, function_of_numpy.__name__)
    func = function(FOLD(module_of(of_relay(relay.const(x), relay.const(y)))))
    assert list(func.body.bindings) == []
    with np.errstate(all="ignore"):
        expected = function_of_numpy(x, y)
    np.testing.assert_array_equal(elements(func.body.result), expected)
    is_number = ~np.isnan(expected)
    signs = (np.signbit(one)[is_number] for one in (elements(func.body.result), expected))
    np.testing.assert_array_equal(*signs)
    assert count(runs) == 0


def test_chains_of_exact_operators_start_no_compiler(runs: Path) -> None:
    variance, weights = relay.const(np.abs(elements(const(4)))), const(4, 3, 2, seed=1)
    factors = relay.reshape(1.0 / relay.sqrt(variance + 1e-5), shape=[4, 1, 1])
    func = function(FOLD(module_of(relay.transpose(-(weights * factors), axes=[2, 0, -2]))))
    assert list(func.body.bindings) == []
    root = np.sqrt(elements(variance) + np.float32(1e-5))
    products = -(elements(weights) * (np.float32(1) / root).reshape(4, 1, 1))
    np.testing.assert_array_equal(elements(func.body.result), products.transpose(2, 0, 1))
    assert count(runs) == 0


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "int32", "float64"])
def test_transposed_constants_start_no_compiler(dtype: str, runs: Path) -> None:
    x = const(3, 4, 5, dtype=dtype)
    func = function(FOLD(module_of(relay.transpose(x))))
    np.testing.assert_array_equal(elements(func.body.result), elements(x).T)
    assert count(runs) == 0


def test_compiled_values_take_exact_ones_and_give_them(runs: Path) -> None:
    x, y = const(4, 3), const(3, seed=1)
    value = relay.sqrt(relay.exp((x + y) * 0.1)) * y
    func = function(FOLD(module_of(X @ relay.reshape(value, shape=[3, 4]))))
    (product,) = values(func)
    assert isinstance(product, relay.Call)
    exact = np.exp((elements(x) + elements(y)) * np.float32(0.1))
    expected = (np.sqrt(exact) * elements(y)).reshape(3, 4)
    np.testing.assert_allclose(elements(product.args[1]), expected, 1e-5)
    assert count(runs) == 1


def test_programs_without_constant_values_start_no_compiler(runs: Path) -> None:
    plain = prepared(module_of(relay.exp(X) * 2.0 @ const(3, 3)))
    assert FOLD(plain).same_as(plain)
    assert count(runs) == 0


def test_views_of_constants_share_their_memory(runs: Path) -> None:
    constant = const(2, 3)
    squeezed = relay.squeeze(relay.expand_dims(constant, axes=[0]), axes=[0])
    view = relay.reshape(squeezed, shape=[3, 2])
    func = function(FOLD(module_of(X @ view)))
    (product,) = values(func)
    assert isinstance(product, relay.Call)
    found = elements(product.args[1])
    np.testing.assert_array_equal(found, elements(constant).reshape(3, 2))
    assert found.__array_interface__["data"] == elements(constant).__array_interface__["data"]
    assert count(runs) == 0


def test_only_what_other_values_need_stays() -> None:
    rb = relay.builder()
    x = rb.param("x", TYPE)
    a = rb.emit(relay.exp(const(3)), "a")
    b = rb.emit(a * 2.0, "b")
    rb.emit(relay.exp(b), "unused")
    pair = rb.emit(relay.Tuple([a, rb.emit(relay.negative(b), "c")]), "pair")
    y = rb.emit(x + rb.emit(relay.TupleGetItem(pair, 1), "item"), "y")
    module = ir.IRModule({ir.GlobalVar("f0"): rb.make_func(relay.Tuple([y, pair]))})
    after = FOLD(module)
    func = function(after)
    assert [binding.var.name for binding in func.body.bindings] == ["pair", "y"]
    kept, total = values(func)
    assert isinstance(kept, relay.Tuple) and isinstance(total, relay.Call)
    exp = np.exp(elements(const(3)))
    np.testing.assert_allclose(elements(kept.fields[0]), exp, 1e-6)
    np.testing.assert_allclose(elements(total.args[1]), -2 * exp, 1e-6)
    assert FOLD(after).same_as(after)


def test_a_tuple_that_an_operator_makes_stays_a_tuple() -> None:
    whole = relay.split(const(6, 2), sections=2)
    func = function(FOLD(module_of(relay.Tuple([whole, X]))))
    (parts,) = values(func)
    assert isinstance(parts, relay.Tuple)
    for part, expected in zip(parts.fields, np.split(elements(const(6, 2)), 2), strict=True):
        np.testing.assert_array_equal(elements(part), expected)


def branch(value: ir.RelayExpr) -> relay.Block:
    return relay.Block([], value)


def test_both_branches_and_the_condition() -> None:
    flag = relay.less(relay.sum(X), 0.0)
    alike = relay.broadcast_to(relay.sin(const(3)), shape=[2, 3])
    inner = relay.If(flag, branch(X + relay.exp(const(3))), branch(alike))
    outer = relay.If(relay.less(relay.const(1.0), 2.0), branch(inner), branch(X))
    after = FOLD(module_of(outer))
    assert FOLD(after).same_as(after)
    after = transform.SimplifyExpr()(after)
    (choice,) = [value for value in values(function(after)) if isinstance(value, relay.If)]
    (total,) = (binding.value for binding in choice.true_branch.bindings)
    assert isinstance(total, relay.Call)
    np.testing.assert_allclose(elements(total.args[1]), np.exp(elements(const(3))), 1e-6)
    assert list(choice.false_branch.bindings) == []
    expected = np.broadcast_to(np.sin(elements(const(3))), (2, 3))
    np.testing.assert_allclose(elements(choice.false_branch.result), expected, 1e-5)


def with_limits(max_bytes: int, max_growth: int) -> transform.PassContext:
    config = {"FoldConstant.max_bytes": max_bytes, "FoldConstant.max_growth": max_growth}
    return transform.PassContext(config=config)


def test_large_values_of_small_constants_stay() -> None:
    huge = relay.broadcast_to(relay.exp(const(3)), shape=[100_000, 2, 3])
    zeros = relay.full(relay.const(0.0), shape=[1000, 1000])
    sums = relay.sum(zeros, axis=[0]) + relay.sum(zeros + relay.sum(X), axis=[0])
    func = function(FOLD(module_of(relay.Tuple([X + huge, sums]))))
    first, *_ = values(func)
    assert isinstance(first, relay.Call) and operator(first) == "relay.broadcast_to"
    np.testing.assert_allclose(elements(first.args[0]), np.exp(elements(const(3))), 1e-6)
    assert "relay.full" in map(operator, values(func))


@pytest.mark.parametrize(
    ("value", "limits", "is_folded"),
    [
        (relay.concatenate([const(4), const(4, seed=1)], 0), (0, 1), True),
        (relay.concatenate([const(4), const(4, seed=1), const(1)], 0), (0, 1), True),
        (relay.broadcast_to(const(4), shape=[2, 4]), (0, 1), False),
        (relay.broadcast_to(const(4), shape=[2, 4]), (0, 2), True),
        (relay.broadcast_to(const(4), shape=[2, 4]), (32, 1), True),
        (relay.broadcast_to(const(4), shape=[2, 4]), (31, 1), False),
        (relay.concatenate([relay.exp(const(4)), relay.exp(const(4, seed=1))], 0), (0, 1), True),
    ],
)  # fmt: skip
def test_limits(value: ir.RelayExpr, limits: tuple[int, int], is_folded: bool) -> None:
    with with_limits(*limits):
        result = function(FOLD(module_of(value))).body.result
    assert isinstance(result, relay.Constant) == is_folded


def sines(*shape: int) -> ir.RelayExpr:
    return relay.sin(relay.broadcast_to(const(shape[-1]), shape=list(shape)))


def masks(*shape: int) -> ir.RelayExpr:
    rows = relay.arange(0, shape[0], 1, dtype="int32")
    columns = relay.arange(0, shape[1], 1, dtype="int32")
    return relay.cast(relay.less(relay.expand_dims(rows, axes=[1]), columns), dtype="float32")


@pytest.mark.parametrize(
    ("value", "max_bytes", "is_folded"),
    [
        # Four operations for each byte of a float: the limit is four times as large.
        (sines(8, 4), 32, True),
        (sines(8, 4), 31, False),
        (relay.sin(sines(8, 4)), 16, True),
        # The sines are few; each is copied eight times.
        (relay.broadcast_to(relay.sin(const(4)), shape=[8, 4]), 127, False),
        (relay.broadcast_to(relay.sin(const(4)), shape=[8, 4]), 128, True),
        # A mask takes two operations for four bytes.
        (masks(8, 8), 255, False),
        (masks(8, 8), 256, True),
        # The ones that are summed are as many times larger as a value may be that is not kept.
        (relay.sum(relay.full(relay.const(1.0), shape=[16, 8]), axis=[0]), 32, True),
        (relay.sum(relay.full(relay.const(1.0), shape=[16, 8]), axis=[0]), 31, False),
        # 64 products and 64 sums for each element.
        (const(8, 64) @ const(64, 2), 2, True),
        (const(8, 64) @ const(64, 2), 1, False),
    ],
)  # fmt: skip
def test_costly_values_may_be_larger(value: ir.RelayExpr, max_bytes: int, is_folded: bool) -> None:
    with with_limits(max_bytes, 0):
        result = function(FOLD(module_of(value))).body.result
    assert isinstance(result, relay.Constant) == is_folded


def test_limits_must_not_be_negative() -> None:
    message = "`FoldConstant.max_growth` must not be negative, got -1"
    with pytest.raises(ValueError, match=message), with_limits(0, -1):
        FOLD(module_of(X))


def test_what_depends_on_dimensions_calls_or_effects_stays() -> None:
    x = relay.Var("x", Tensor((N, 3), "float32"))
    extern = relay.call_destination_passing(ir.ExternFunc("f"), [const(3)], Tensor((3,), "float32"))
    rows = relay.broadcast_to(const(3), shape=[N, 3])
    func = relay.Function([x], relay.Block([], relay.Tuple([extern, rows, x])))
    before = prepared(ir.IRModule({ir.GlobalVar("f0"): func}))
    assert FOLD(before).same_as(before)


def test_a_program_that_fails_still_fails_only_where_it_did() -> None:
    flag = relay.less(relay.sum(X), 0.0)
    outside = relay.If(flag, branch(take(const(4, 3), 7)), branch(relay.exp(const(1, 3))))
    before = prepared(module_of(outside))
    assert FOLD(before).same_as(before)


def test_errors_of_the_compiler_are_located(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UIR_CC", str(fake_compiler(tmp_path, "echo too hot; exit 3")))
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(RuntimeError) as caught:
        FOLD(module_of(X + relay.exp(const(3))))
    message = str(caught.value)
    assert message.startswith("in pass `FoldConstant`: constant values, of which this is the first")
    assert "failed with status 3" in message and "too hot" in message
    assert "relay.exp(" in message and "^^^" in message


def test_the_pipeline_computes_constants_before_it_makes_kernels() -> None:
    weights = const(3, 8)
    func = function(module_of(X @ relay.transpose(relay.transpose(weights) * 2.0)))
    func = ir.with_attr(func, "global_symbol", "main")
    module = ir.IRModule({ir.GlobalVar("main"): func})
    lowered = uir.lower(module)
    assert len(lowered.functions) == 2
    constant: Any
    (constant,) = lowered.get_attr("constants")
    np.testing.assert_array_equal(np.from_dlpack(constant), elements(weights) * 2)
    with transform.PassContext(disabled_pass=["FoldConstant"]):
        assert len(uir.lower(module).functions) > 2
    x = np.arange(6, dtype="float32").reshape(2, 3)
    found: Any = np.from_dlpack(uir.build(module).main(x))
    np.testing.assert_allclose(found, x @ elements(weights) * 2, 1e-5)


def test_random_programs_keep_their_values() -> None:
    changed = 0
    for seed in range(8 * DEPTH):
        program = random_program(Random(seed), smooth=True)
        before = transform.ToANormalForm()(program.module)
        after = transform.FoldConstant()(before)
        changed += not after.same_as(before)
        assert ir.verify(after) == [], seed
        assert transform.InferType()(after).same_as(after), seed
        assert FOLD(after).same_as(after), seed
        for arguments in program.arguments:
            with np.errstate(all="ignore"):
                found: Any = relay.evaluate(after, *arguments, name="main")
                expected: Any = relay.evaluate(before, *arguments, name="main")
            for one, wanted in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, wanted, 1e-6, 1e-6, err_msg=f"seed {seed}")
    assert changed


@pytest.mark.parametrize("isa", ["native", "generic", "x86-64", "x86-64-v4", "aarch64"])
def test_pipelines_for_other_machines_do_without(isa: str) -> None:
    pipeline = transform.default_pipeline(uir.target.Target("c", isa))
    names = [one.pass_info.name for one in pipeline]
    machine = platform.machine().replace("_", "-")
    assert ("FoldConstant" in names) == (isa in ("native", "generic") or isa.startswith(machine))


def test_threads_fold_at_once(runs: Path) -> None:
    modules = [module_of(X @ relay.exp(const(3, 8, seed=seed))) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        folded = list(pool.map(FOLD, modules))
    for seed, after in enumerate(folded):
        (product,) = values(function(after))
        assert isinstance(product, relay.Call)
        expected = np.exp(elements(const(3, 8, seed=seed)))
        np.testing.assert_allclose(elements(product.args[1]), expected, 1e-5)
    assert count(runs) >= 1


def test_values_of_equal_layers_have_one_function(runs: Path, tmp_path: Path) -> None:
    """The C does not grow with the number of layers, whose weights differ by their elements."""
    result: Any = X
    for layer in range(40):
        weight, factor = const(3, 3, seed=layer), const(3, seed=layer + 50)
        result = relay.matmul(result, relay.multiply(weight, relay.exp(factor)))
    folded = FOLD(module_of(result))["f0"]
    assert [one.value.op.name for one in folded.body.bindings] == ["relay.matmul"] * 40
    assert count(runs) == 1
    (text,) = (path.read_text() for path in (tmp_path / "cache").rglob("module.c"))
    assert "__tvm_ffi_fold0(" in text
    assert "__tvm_ffi_fold1" not in text
    weight, factor = const(3, 3, seed=7), const(3, seed=57)
    expected = np.from_dlpack(weight.data) * np.exp(np.from_dlpack(factor.data))
    found = np.from_dlpack(folded.body.bindings[7].value.args[1].data)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
