"""`AlterLayout`: channels in blocks between convolutions, and the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, tir, transform
from uir.driver import default_pipeline

from ...support.interpreter import run
from .nests import Array

NUMBERS = np.random.default_rng(0)
Expr = Any
Build = Callable[[Expr], Expr]


def module_of(build: Build, *shape: Any, dtype: str = "float32") -> ir.IRModule:
    """Return a module whose function `main` has one parameter."""
    x = relay.Var("x", relay.Tensor(shape, dtype))
    func = relay.Function([x], relay.Block([], build(x)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def weights(*shape: int, dtype: str = "float32") -> relay.Constant:
    array: Any = NUMBERS.integers(-2, 3, shape).astype(dtype)
    return relay.Constant(array)


def conv(x: Expr, inputs: int, outputs: int, size: int = 3, **attrs: Any) -> Expr:
    """Return a convolution that keeps the size of images, unless it has strides."""
    kernel = weights(outputs, inputs, size, size)
    return relay.conv(x, kernel, pads=[size // 2] * 4, **attrs)


def place(passes: list[transform.Pass]) -> int:
    return [one.pass_info.name for one in passes].index("AlterLayout")


def before_and_after(module: ir.IRModule) -> tuple[ir.IRModule, ir.IRModule]:
    """Return a module as it comes to the pass, and what the pass makes of it."""
    passes = list(default_pipeline(uir.target.Target("c", "x86-64-v3")))
    before = transform.Sequential(passes[: place(passes)])(module)
    after = schedule.AlterLayout()(before)
    assert list(ir.verify(after)) == []
    return before, after


def constant(extent: ir.PrimExpr) -> int:
    assert isinstance(extent, ir.IntImm)
    return int(extent.value)


def allocated(module: ir.IRModule) -> list[tuple[int, ...]]:
    """Return the shapes of the tensors that `main` allocates."""
    main = module.lookup("main")
    buffers = [one.buffer for one in ir.post_order(main, tir.AllocBuffer)]
    return [tuple(map(constant, one.shape)) for one in buffers]


def called(module: ir.IRModule) -> list[str]:
    """Return the names of the functions that `main` calls."""
    calls = ir.post_order(module.lookup("main"), tir.Call)
    return [str(one.op.name_hint) for one in calls if isinstance(one.op, ir.GlobalVar)]


def chain(x: Expr) -> Expr:
    """Return two convolutions with what stands between them in networks."""
    first = relay.relu(conv(x, 3, 64) + weights(64, 1, 1))
    pooled = relay.max_pool(first, [2, 2], strides=[2, 2])
    second = relay.relu(conv(pooled, 64, 64) + weights(64, 1, 1) + pooled)
    return relay.max_pool(conv(second, 64, 32, 1), [3, 8])


def joined(x: Expr) -> Expr:
    """Return convolutions of joined results, as in SqueezeNet and DenseNet."""
    squeezed = relay.relu(conv(x, 8, 16, 1))
    parts = [conv(squeezed, 16, 32, 1), conv(squeezed, 16, 64)]
    both = relay.concatenate(parts, axis=1)
    return relay.avg_pool(conv(relay.relu(both), 96, 16, 1), [6, 17])


def misaligned(x: Expr) -> Expr:
    """Return a concatenation whose second part begins in the middle of 32 channels."""
    parts = [conv(x, 8, 48, 1), conv(x, 8, 48)]
    return relay.avg_pool(conv(relay.concatenate(parts, axis=1), 96, 32, 1), [6, 17])


def cut_short(x: Expr) -> Expr:
    """Return a chain in which something does not go from channel to channel."""
    first = conv(x, 8, 32)
    order = relay.transpose(first, [0, 2, 3, 1])
    pooled = relay.avg_pool(conv(first, 32, 16), [6, 17])
    return relay.sum(order, axis=[3]) + relay.sum(pooled, axis=[1])


def grouped(x: Expr) -> Expr:
    """Return convolutions of which one has groups."""
    first = relay.relu(conv(x, 8, 32))
    second = relay.conv(first, weights(32, 8, 3, 3), pads=[1, 1, 1, 1], groups=4)
    return conv(second, 32, 16)


def odd(x: Expr) -> Expr:
    """Return convolutions of which some have channels that fill no block."""
    return relay.avg_pool(conv(conv(conv(x, 8, 20), 20, 48), 48, 64), [6, 17])


def strided(x: Expr) -> Expr:
    """Return convolutions with strides and dilations."""
    first = relay.relu(conv(x, 8, 32, strides=[2, 2]))
    return relay.relu(conv(conv(first, 32, 32, dilations=[2, 2]), 32, 16))


def reshaped(x: Expr) -> Expr:
    """Return convolutions between which the channels are others."""
    first = relay.relu(conv(x, 8, 64))
    second = conv(relay.reshape(first, [-1, 32, 12, 17]), 32, 16)
    return relay.max_pool(second, [2, 2]) + relay.sum(
        conv(first, 64, 16), axis=[2, 3], keepdims=True
    )


def line(x: Expr) -> Expr:
    """Return convolutions of one dimension."""
    first = relay.relu(relay.conv(x, weights(32, 8, 3), pads=[1, 1]))
    return relay.max_pool(relay.conv(first, weights(48, 32, 5)), [36])


def volume(x: Expr) -> Expr:
    """Return convolutions of three dimensions."""
    first = relay.relu(relay.conv(x, weights(32, 3, 1, 2, 3)))
    return relay.avg_pool(relay.conv(first, weights(16, 32, 2, 1, 1)), [2, 3, 5])


NETWORKS: dict[str, Build] = {
    build.__name__: build
    for build in (
        chain,
        joined,
        misaligned,
        cut_short,
        grouped,
        odd,
        strided,
        reshaped,
        line,
        volume,
    )
}
IMAGES = {"chain": (3, 6, 17), "line": (8, 40), "volume": (3, 3, 4, 7)}


@pytest.mark.parametrize(("isa", "batch"), [("native", 2), ("x86-64-v3", 1), ("generic", 1)])
def test_results_are_the_same(isa: str, batch: int) -> None:
    target = uir.target.Target("c", isa)
    shortened = list(default_pipeline(target))
    del shortened[place(shortened)]
    shapes = {name: (batch, *IMAGES.get(name, (8, 6, 17))) for name in NETWORKS}
    functions = {}
    for name, build in NETWORKS.items():
        (func,) = module_of(build, *shapes[name]).functions.values()
        functions[ir.GlobalVar(name)] = ir.with_attr(func, "global_symbol", name)
    module = ir.IRModule(functions)
    libraries = [uir.build(module, target, passes) for passes in (None, shortened)]
    for name, shape in shapes.items():
        # Small integers: every sum is exact.
        data = NUMBERS.integers(-2, 3, shape).astype(np.float32)
        found, expected = (np.from_dlpack(one[name](data)) for one in libraries)
        np.testing.assert_array_equal(found, expected, name)


def test_the_module_computes_the_same() -> None:
    def small(x: Expr) -> Expr:
        first = relay.relu(conv(x, 2, 16, 1) + weights(16, 1, 1))
        return relay.avg_pool(conv(first, 16, 16), [2, 3])

    data = NUMBERS.integers(-2, 3, (1, 2, 2, 3)).astype(np.float32)
    results: list[Array] = []
    for one in before_and_after(module_of(small, *data.shape)):
        bound = transform.BindConstants()(one)
        main: Any = bound.lookup("main")
        out = np.full((1, 16, 1, 1), np.nan, np.float32)
        run(main, data, out, module=bound)
        results.append(out)
    np.testing.assert_array_equal(results[0], results[1])


def test_tensors_between_convolutions_lie_in_blocks() -> None:
    before, after = before_and_after(module_of(chain, 1, 3, 6, 17))
    assert allocated(before) == [(1, 64, 6, 17), (1, 64, 3, 8), (1, 64, 3, 8), (1, 32, 3, 8)]
    assert allocated(after) == [
        (1, 2, 6, 17, 32),
        (1, 2, 3, 8, 32),
        (1, 2, 3, 8, 32),
        (1, 1, 3, 8, 32),
    ]
    assert all(name.endswith("_blocked") for name in called(after))
    assert set(map(str, after.functions)) == {"main", *called(after)}


def test_joined_tensors_are_still_written_in_place() -> None:
    module = module_of(joined, 1, 8, 6, 17)
    assert (1, 3, 6, 17, 32) in allocated(before_and_after(module)[1])
    lowered = uir.lower(module)
    assert not any("concatenate" in name for name in called(lowered))


def test_parts_that_begin_within_a_block_make_blocks_smaller() -> None:
    after = before_and_after(module_of(misaligned, 1, 8, 6, 17))[1]
    assert (1, 6, 6, 17, 16) in allocated(after)
    assert allocated(after).count((1, 3, 6, 17, 16)) == 2


def test_others_read_one_copy_without_blocks() -> None:
    after = before_and_after(module_of(cut_short, 1, 8, 6, 17))[1]
    assert [name for name in called(after) if "copy" in name] == ["copy_from_blocks"]
    assert allocated(after).count((1, 32, 6, 17)) == 1


def test_a_copy_of_short_sums_is_not_worth_it() -> None:
    def mobile(x: Expr, size: int) -> Expr:
        first = relay.conv(conv(x, 8, 32, 1), weights(32, 1, 3, 3), groups=32)
        return relay.conv(conv(first, 32, 32, size), weights(32, 1, 3, 3), groups=32)

    before, after = before_and_after(module_of(lambda x: mobile(x, 1), 1, 8, 6, 17))
    assert after.same_as(before)
    before, after = before_and_after(module_of(lambda x: mobile(x, 3), 1, 8, 6, 17))
    assert [name for name in called(after) if "copy" in name] == ["copy_from_blocks"]


def test_what_takes_addresses_may_store_to_them() -> None:
    opaque = uir.script.parse("""
@uir.script.ir_module
class Module:
    @tir.prim_func(private=True)
    def opaque(x: tir.Buffer((1, 32, 6, 17), "float32"), y: tir.Buffer((1, 32, 6, 17), "float32")):
        tir.func_attr({"tir.noalias": True})
        tir.evaluate(tir.call_extern("copy_pixels", x.data, y.data, dtype="int32"))
""")
    ((var, func),) = opaque.functions.items()

    def build(x: Expr) -> Expr:
        kind = relay.Tensor((1, 32, 6, 17), "float32")
        first = relay.relu(conv(conv(x, 8, 32), 32, 32))
        second = relay.call_destination_passing(var, [first], kind)
        return relay.avg_pool(conv(second, 32, 32) + first, [6, 17])

    module = module_of(build, 1, 8, 6, 17)
    module = ir.IRModule({**dict(module.functions.items()), var: func})
    before, after = before_and_after(module)
    assert after.same_as(before)


def test_what_no_convolution_is_connected_to_stays() -> None:
    def elementwise(x: Expr) -> Expr:
        return relay.max_pool(relay.max_pool(x, [3, 3]), [2, 2])

    before, after = before_and_after(module_of(elementwise, 1, 32, 6, 17))
    assert after.same_as(before)


def test_weights_that_are_no_constants_stay() -> None:
    params = [
        relay.Var("x", relay.Tensor((1, 32, 8, 8), "float32")),
        relay.Var("w", relay.Tensor((32, 32, 3, 3), "float32")),
    ]
    x, w = params
    inner = relay.conv(x, w, pads=[1, 1, 1, 1])
    func = relay.Function(params, relay.Block([], relay.conv(inner, w, pads=[1, 1, 1, 1])))
    func = ir.with_attr(func, "global_symbol", "main")
    before, after = before_and_after(ir.IRModule({ir.GlobalVar("main"): func}))
    assert after.same_as(before)


def test_blocks_have_two_vectors_of_float64() -> None:
    def build(x: Expr) -> Expr:
        return relay.avg_pool(relay.conv(x, weights(16, 4, 1, 1, dtype="float64")), [5, 5])

    module = module_of(build, 1, 4, 5, 5, dtype="float64")
    after = before_and_after(module)[1]
    assert allocated(after) == [(1, 1, 5, 5, 16)]
    passes = list(default_pipeline(uir.target.Target("c")))
    del passes[place(passes)]
    data = NUMBERS.integers(-2, 3, (1, 4, 5, 5)).astype(np.float64)
    found, expected = (uir.build(module, pipeline=one)["main"](data) for one in (None, passes))
    np.testing.assert_array_equal(np.from_dlpack(found), np.from_dlpack(expected))


def test_a_library_takes_batches_of_any_size() -> None:
    n = tir.SizeVar("n", "int64")
    module = module_of(chain, n, 3, 6, 17)
    library = uir.build(module)
    assert all("blocked" in name for name in called(uir.lower(module)))
    data = NUMBERS.integers(-2, 3, (5, 3, 6, 17)).astype(np.float32)
    whole: Array = np.from_dlpack(library["main"](data))
    for i in range(len(data)):
        one = np.from_dlpack(library["main"](data[i : i + 1].copy()))
        np.testing.assert_array_equal(one[0], whole[i])


def test_copies_of_symbolic_batches() -> None:
    module = module_of(cut_short, tir.SizeVar("n", "int64"), 8, 6, 17)
    library = uir.build(module)
    data = NUMBERS.integers(-2, 3, (3, 8, 6, 17)).astype(np.float32)
    whole: Array = np.from_dlpack(library["main"](data))
    fixed = uir.build(module_of(cut_short, 3, 8, 6, 17))
    assert whole.shape == np.from_dlpack(fixed["main"](data)).shape


def test_pixels_are_read_in_place() -> None:
    lowered = uir.lower(module_of(chain, 1, 3, 6, 17), uir.target.Target("c", "x86-64-v4"))
    lines = [line for trace in schedule.trace_of(lowered).values() for line in trace]
    assert not any("packed_pixels(" in line for line in lines)
    assert sum("channel_blocks(" in line for line in lines) == 3
    names = [str(one.buffer.name) for one in ir.post_order(lowered, tir.AllocBuffer)]
    assert not any("packed" in name for name in names)


def wide(x: Expr) -> Expr:
    """Return convolutions of which one has so many terms that its sums are added in parts."""
    first = relay.max_pool(relay.relu(conv(x, 3, 64)), [2, 2], strides=[2, 2])
    return relay.max_pool(conv(relay.relu(conv(first, 64, 64, 9) + first), 64, 32, 1), [3, 8])


@pytest.mark.parametrize(
    ("build", "sum_block"), [(chain, 1), (chain, 288), (chain, 576), (wide, None)]
)
def test_sums_of_some_channels_at_a_time_are_added(build: Build, sum_block: int | None) -> None:
    def rows(terms: int) -> dict[str, Any]:
        key = {"recipe": "window", "isa": "*", "dtype": "*", "shape": "channel_blocks"}
        return {**key, "rows": 6, "vectors": 2, "sum_block": terms, "parallel_work": 1 << 40}

    module = module_of(build, 1, 3, 6, 17)
    # Small integers: every sum is exact.
    data = NUMBERS.integers(-2, 3, (1, 3, 6, 17)).astype(np.float32)
    parts = uir.build(module, tuned=None if sum_block is None else [rows(sum_block)])["main"](data)
    whole = uir.build(module, tuned=[rows(1 << 20)])["main"](data)
    np.testing.assert_array_equal(np.from_dlpack(parts), np.from_dlpack(whole))


def test_vectors_of_weights_stay_in_the_registers_of_avx2() -> None:
    def kept(isa: str) -> int:
        target = uir.target.Target("c", isa)
        text = uir.target.emit_c(uir.lower(module_of(chain, 1, 3, 6, 17), target), target)
        return text.count("= keep_float32x8(load_float32x8(")

    assert kept("x86-64-v3") > 0
    assert kept("x86-64-v4") == kept("aarch64") == 0
