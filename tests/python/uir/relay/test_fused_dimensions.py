"""`FuseOps`: dimensions such as `(h - 1) // 2 + 1` have names in the functions of groups."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.relay import Tensor

from .test_fuse_ops import PREPARE, fuse, ops, outputs

IMAGES = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((1, 4, h, w), "float32"),
        k: relay.Tensor((4, 4, 3, 3), "float32"),
        b: relay.Tensor((4, 1, 1), "float32"),
    ):
        h = tir.SizeVar("h", "int64")
        w = tir.SizeVar("w", "int64")
        {}
"""
HALVED = "relay.conv({}, k, strides=[2, 2], pads=[1, 1, 1, 1])"


def of_images(*lines: str) -> ir.IRModule:
    """Return a module of a function of images of any size."""
    return PREPARE(uir.script.parse(IMAGES.format("\n        ".join(lines))))


def kernels_of(module: ir.IRModule) -> list[relay.Function]:
    """Return the functions that `main` calls, in order."""
    values = [binding.value for binding in module.lookup("main").body.bindings]
    return [module.functions[one.op] for one in values if isinstance(one.op, ir.GlobalVar)]


def agrees(after: ir.IRModule, before: ir.IRModule, *sizes: tuple[int, int]) -> None:
    """Check that two modules compute the same for images of some sizes."""
    draw = np.random.default_rng(0)
    for size in sizes:
        shapes = ((1, 4, *size), (4, 4, 3, 3), (4, 1, 1))
        values = [draw.random(shape, "float32") for shape in shapes]
        np.testing.assert_array_equal(outputs(after, values), outputs(before, values))


def test_what_stands_behind_a_stride_is_fused() -> None:
    lines = [f"y{i} = relay.relu({HALVED.format(x)} + b)" for i, x in enumerate(("x", "y0", "y1"))]
    before = of_images(*lines, "return y2")
    after = fuse(before)
    assert ops(after.lookup("main").body) == " ".join(
        ["fused_conv_add_relu", "fused_conv_add_relu_1", "fused_conv_add_relu_2"]
    )
    first, *others = kernels_of(after)
    assert all(ir.structural_equal(other, first) for other in others)
    deduplicated = transform.DeduplicateFunctions()(after)
    assert len(deduplicated.functions) == 2
    agrees(deduplicated, before, (1, 1), (9, 14), (16, 3))


@pytest.mark.parametrize("skipped_first", [False, True])
def test_dimensions_of_another_operand_are_those_of_the_result(skipped_first: bool) -> None:
    total = "s + c" if skipped_first else "c + s"
    before = of_images(
        f"y = {HALVED.format('x')}",
        "m = relay.max_pool(y, [3, 3], pads=[1, 1, 1, 1])",
        "s = relay.max_pool(m, [1, 1], strides=[2, 2])",
        f"c = {HALVED.format('y')}",
        f"return relay.relu({total}) + relay.exp(s)",
    )
    after = fuse(before)
    assert "fused_conv_" in ops(after.lookup("main").body)
    kernel = kernels_of(after)[-1]
    # Windows of 3 fit into two elements of padding and one more; no dimensions must be equal.
    assumed = kernel.attrs.get("shape_assumptions", [])
    assert assumed and all(isinstance(one, tir.LE) for one in assumed)
    shapes = {str(one.name): one.type_annotation.shape for one in kernel.params}
    height = shapes["y"][2]
    assert isinstance(height, tir.SizeVar) and not isinstance(shapes["s"][2], tir.SizeVar)
    assert ir.structural_equal(shapes["s"][2], tir.floordiv(height - 1, 2) + 1)
    agrees(after, before, (1, 1), (9, 14), (16, 3))


def joined(first: ir.PrimExpr, second: ir.PrimExpr, size: tir.SizeVar) -> ir.IRModule:
    """Return a module of a function that joins tensors of two sizes."""
    sizes = {"x": first, "y": second, "z": size}
    params = [relay.Var(name, Tensor((one, 3))) for name, one in sizes.items()]
    x, y, z = params
    rb = relay.builder()
    both = rb.emit(relay.concatenate([rb.emit(relay.exp(x)), rb.emit(relay.tanh(y))]))
    outs = [rb.emit(relay.sin(both)), rb.emit(relay.cumsum(z, axis=0))]
    main = relay.Function(params, rb.make_block(relay.Tuple(outs)))
    return PREPARE(ir.IRModule({ir.GlobalVar("main"): main}))


def test_only_what_is_proved_equal_has_one_name() -> None:
    size = tir.SizeVar("size", "int64")
    twice = size + size
    for other, are_equal in ((size * 2, True), (size * 3, False)):
        after = fuse(joined(twice, other, size))
        (kernel,) = kernels_of(after)
        one, two = (param.type_annotation.shape[0] for param in kernel.params)
        assert isinstance(one, tir.SizeVar) and isinstance(two, tir.SizeVar)
        assert one.same_as(two) == are_equal


def test_a_dimension_of_several_variables_has_a_name() -> None:
    before = of_images(
        "y = relay.cumsum(relay.reshape(x, shape=[4 * h * w]), axis=0)",
        "return relay.tanh(relay.exp(y))",
    )
    after = fuse(before)
    (kernel,) = kernels_of(after)
    (size,) = kernel.params[0].type_annotation.shape
    assert isinstance(size, tir.SizeVar)
    agrees(after, before, (2, 3))
