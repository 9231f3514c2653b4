"""`AlterLayout`: channels in blocks where heights and widths are symbolic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, tir

from .nests import Array
from .test_alter_layout import (
    NUMBERS,
    Expr,
    before_and_after,
    called,
    constant,
    conv,
    module_of,
    weights,
)


def sizes_of(rank: int) -> list[ir.PrimExpr]:
    """Return variables for the height, the width and the depth."""
    return [tir.SizeVar(name, "int64") for name in "hwd"[:rank]]


def residual(x: Expr) -> Expr:
    """Return a block of ResNet that halves images, and the next one."""
    first = relay.relu(conv(x, 8, 32, strides=[2, 2]) + weights(32, 1, 1))
    main = conv(relay.relu(conv(first, 32, 64, strides=[2, 2])), 64, 64)
    second = relay.relu(main + relay.conv(first, weights(64, 32, 1, 1), strides=[2, 2]))
    return relay.relu(conv(second, 64, 64) + second)


def pooled(x: Expr) -> Expr:
    """Return convolutions, dilated and with uneven padding, around windows of pools."""
    first = relay.max_pool(relay.relu(conv(x, 8, 32)), [3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    second = relay.conv(first, weights(48, 32, 3, 5), pads=[2, 3, 2, 1], dilations=[2, 1])
    return conv(relay.avg_pool(second, [2, 2], pads=[1, 0, 0, 1]), 48, 16, 1)


def depthwise(x: Expr) -> Expr:
    """Return a block of MobileNet behind a convolution."""
    first = relay.relu(conv(x, 8, 32))
    second = relay.conv(first, weights(32, 1, 3, 3), pads=[1] * 4, strides=[2, 2], groups=32)
    return relay.relu(conv(relay.relu(conv(second, 32, 64, 1)), 64, 32))


def short_volume(x: Expr) -> Expr:
    first = relay.relu(relay.conv(x, weights(32, 8, 3, 2, 3), pads=[1] * 6, strides=[2, 1, 2]))
    return relay.conv(first, weights(16, 32, 1, 1, 1))


def short_line(x: Expr) -> Expr:
    return conv_of_lines(relay.relu(conv_of_lines(x, 8, 32, strides=[2])), 32, 48)


def conv_of_lines(x: Expr, inputs: int, outputs: int, **attrs: Any) -> Expr:
    return relay.conv(x, weights(outputs, inputs, 3), pads=[1, 1], **attrs)


def copied(x: Expr) -> Expr:
    """Return a sum over channels that lie in blocks, for others."""
    first = conv(x, 8, 32)
    order = relay.transpose(first, [0, 2, 3, 1])
    return conv(first, 32, 16) + relay.sum(order, axis=[3])


RANKS = {"short_line": 1, "short_volume": 3}
SYMBOLIC = {
    build.__name__: build
    for build in (residual, pooled, depthwise, copied, short_line, short_volume)
}
IMAGES_OF_ANY_SIZE = [(h, w) for h in (1, 2, 3, 7, 14) for w in (1, 2, 5, 8, 13, 29, 40)]


def test_results_are_the_same_for_images_of_any_size() -> None:
    functions = {}
    for name, build in SYMBOLIC.items():
        (func,) = module_of(build, 1, 8, *sizes_of(RANKS.get(name, 2))).functions.values()
        functions[name] = ir.with_attr(func, "global_symbol", name)
    library = uir.build(ir.IRModule({ir.GlobalVar(name): func for name, func in functions.items()}))
    for name in SYMBOLIC:
        reference = ir.IRModule({ir.GlobalVar("main"): functions[name]})
        rank = RANKS.get(name, 2)
        for height, width in IMAGES_OF_ANY_SIZE:
            shape = (1, 8, *(height, width, 5)[:rank])
            data = NUMBERS.integers(-2, 3, shape).astype(np.float32)
            found, expected = np.from_dlpack(library[name](data)), relay.evaluate(reference, data)
            np.testing.assert_array_equal(found, expected, f"{name} {shape}")


@pytest.mark.parametrize("name", ["residual", "pooled"])
def test_tensors_of_images_of_any_size_lie_in_blocks(name: str) -> None:
    symbolic, known = (
        [one.removesuffix("_1") for one in called(before_and_after(module_of(build, *shape))[1])]
        for build, shape in (
            (SYMBOLIC[name], (1, 8, *sizes_of(2))),
            (SYMBOLIC[name], (1, 8, 20, 21)),
        )
    )
    assert sum(one.endswith("_blocked") for one in symbolic) > 1
    assert symbolic == known


def test_what_is_added_behind_a_stride_is_an_epilogue() -> None:
    def build(x: Expr) -> Expr:
        other = relay.max_pool(x, [1, 1], strides=[2, 2])
        return relay.relu(other + conv(x, 8, 8, strides=[2, 2]))

    lowered = uir.lower(module_of(build, 1, 8, *sizes_of(2)))
    lines = [str(line) for trace in schedule.trace_of(lowered).values() for line in trace]
    assert "FuseElementwise: conv: in_reader()" in lines


def test_lines_of_seven_pixels_are_one_group() -> None:
    target = uir.target.Target("c", "x86-64-v4")
    lowered = uir.lower(module_of(residual, 1, 8, *sizes_of(2)), target)
    # The body of its parallel loop is a function.
    func = lowered["conv_blocked_parallel"]
    sums = [one.buffer for one in ir.post_order(func, tir.AllocBuffer) if one.buffer.name == "sums"]
    rows = {constant(one.shape[0]) // 2 for one in sums}
    assert rows == {14, 8, 7, 4, 2, 1}


def test_images_of_any_size_have_the_bits_of_those_of_one() -> None:
    data = NUMBERS.standard_normal((1, 8, 20, 21), np.float32)
    state = NUMBERS.bit_generator.state
    results: list[Array] = []
    for shape in (sizes_of(2), data.shape[2:]):
        NUMBERS.bit_generator.state = state
        library = uir.build(module_of(residual, 1, 8, *shape))
        results.append(np.from_dlpack(library["main"](data)))
    np.testing.assert_array_equal(results[0], results[1])
