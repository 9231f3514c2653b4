"""Compiled convolutions on one thread, against onnxruntime.

Prints `conv2d.3x3`, the four convolutions of ResNet-50 with windows of 3 x 3 and stride 1, one call
of each, in milliseconds, and `conv2d.depthwise` and `conv_transpose.4x4s2`, one convolution each.
`conv2d.symbolic` is the same four convolutions, of images whose height and width are symbolic,
against ours of images of a fixed size; `conv2d.chain.symbolic` four convolutions in a row, of which
two have strides, with their biases and activations, for the first three of these shapes.
Lines that begin with `#` have the ratio of each one, and of windows of other shapes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from onnx_peer import Call, run_in_one_thread, times
from report import interleaved, report


def convolution(
    channels: int,
    spatial: tuple[int, ...],
    outputs: int,
    kernel: int,
    stride: int = 1,
    groups: int = 1,
) -> Call:
    """Return a convolution of one image with padding that keeps its size at stride 1."""
    rank = len(spatial)
    window = (kernel,) * rank
    attributes = {"strides": [stride] * rank, "pads": [kernel // 2] * 2 * rank}
    weights = (outputs, channels // groups, *window)
    return Call("conv", "Conv", (1, channels, *spatial), window, weights, attributes, groups)


def transposed(channels: int, size: int, outputs: int, kernel: int, pad: int) -> Call:
    """Return a transposed convolution of one image with stride 2."""
    weights = (channels, outputs, kernel, kernel)
    attributes = {"strides": [2, 2], "pads": [pad] * 4}
    data = (1, channels, size, size)
    return Call("conv_transpose", "ConvTranspose", data, weights[2:], weights, attributes)


RESNET = (
    convolution(64, (56, 56), 64, 3),
    convolution(128, (28, 28), 128, 3),
    convolution(256, (14, 14), 256, 3),
    convolution(512, (7, 7), 512, 3),
)
ROWS = {
    "conv2d.depthwise": convolution(128, (56, 56), 128, 3, groups=128),
    "conv_transpose.4x4s2": transposed(64, 28, 32, 4, 1),
}
OTHERS = {
    "3x3 stride 2": convolution(128, (56, 56), 128, 3, stride=2),
    "1x1": convolution(256, (56, 56), 64, 1),
    "1x1 of small images": convolution(2048, (7, 7), 512, 1),
    "1x1 stride 2": convolution(256, (56, 56), 512, 1, stride=2),
    "7x7 stride 2": convolution(3, (224, 224), 64, 7, stride=2),
    "32 groups": convolution(128, (56, 56), 128, 3, groups=32),
    "1-D": convolution(64, (1000,), 64, 3),
    "3-D": convolution(16, (16, 16, 16), 32, 3),
    "depthwise stride 2": convolution(128, (56, 56), 128, 3, stride=2, groups=128),
    "depthwise of small images": convolution(512, (14, 14), 512, 3, groups=512),
    "depthwise 7x7": convolution(192, (28, 28), 192, 7, groups=192),
    "transposed 2x2": transposed(128, 28, 64, 2, 0),
    "transposed 3x3": transposed(64, 28, 64, 3, 1),
}


ROUNDS = 15
# Multiplications of a timing, as of a convolution against the peer.
WORK = 1 << 28


def chain(channels: int) -> Callable[[Any], Any]:
    """Return what makes four convolutions of a value, of which two have strides."""
    import numpy as np

    from uir import relay

    numbers = np.random.default_rng(0)
    shape = (channels, channels, 3, 3)
    weights = [numbers.standard_normal(shape, np.float32) * 0.04 for _ in range(4)]
    biases = [numbers.standard_normal((channels, 1, 1), np.float32) for _ in range(4)]

    def build(x: Any) -> Any:
        for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            strides = [1 + i % 2] * 2
            y = relay.conv(x, relay.const(weight), pads=[1, 1, 1, 1], strides=strides)
            x = relay.relu(relay.add(y, relay.const(bias)))
        return x

    return build


def alone(call: Call) -> Callable[[Any], Any]:
    """Return what makes one convolution of a value."""
    import numpy as np

    from uir import relay

    weights = np.random.default_rng(0).standard_normal(call.weights, np.float32)
    attributes = {"groups": call.groups, **call.attributes}
    return lambda x: relay.conv(x, relay.const(weights), **attributes)


def symbolic_times(build: Callable[[Any], Any], shape: tuple[int, ...]) -> tuple[float, float]:
    """Return the milliseconds for images of any size, and of a fixed one; both compute the same."""
    import numpy as np
    import tvm_ffi

    import uir
    from uir import ir, relay, tir

    def function(dims: tuple[Any, ...]) -> Any:
        x = relay.Var("x", relay.Tensor(dims, "float32"))
        func = ir.with_attr(relay.Function([x], relay.Block([], build(x))), "global_symbol", "main")
        return uir.build(ir.IRModule({ir.GlobalVar("main"): func}))

    sizes = [tir.SizeVar(f"d{i}", "int64") for i in range(len(shape) - 2)]
    libraries = [function((*shape[:2], *sizes)), function(shape)]
    data = np.random.default_rng(1).standard_normal(shape, np.float32)
    found, expected = (np.from_dlpack(one["main"](data)) for one in libraries)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
    args = [tvm_ffi.from_dlpack(one) for one in (data, np.empty_like(expected))]
    calls = max(WORK // (expected.size * shape[1] * 9), 1)
    symbolic, fixed = (one["main_into"] for one in libraries)
    nanoseconds = interleaved(
        lambda: symbolic(*args), lambda: fixed(*args), rounds=ROUNDS, calls=calls
    )
    return nanoseconds[0] / 1e6, nanoseconds[1] / 1e6


def report_symbolic(name: str, cases: dict[str, tuple[Callable[[Any], Any], Any]]) -> None:
    """Print the sum of cases with symbolic heights and widths, and the ratio of each."""
    found = {case: symbolic_times(*arguments) for case, arguments in cases.items()}
    for case, (symbolic, fixed) in found.items():
        print(f"# symbolic {case}: {fixed / symbolic:.3f}", file=sys.stderr)
    report(name, sum(one for one, _ in found.values()), sum(one for _, one in found.values()), "ms")


def measure_symbolic() -> None:
    """Print the figures for images of any height and width, against those of a fixed size."""
    shapes = [call.data for call in RESNET]
    alone_cases = {
        f"3x3, {call.data[1]} x {call.data[2:]}": (alone(call), call.data) for call in RESNET
    }
    chains = {f"chain, {shape[1]} x {shape[2:]}": (chain(shape[1]), shape) for shape in shapes[:3]}
    report_symbolic("conv2d.symbolic", alone_cases)
    report_symbolic("conv2d.chain.symbolic", chains)
    for name, call in {**ROWS, **OTHERS}.items():
        if call.relay != "conv":
            continue
        symbolic, fixed = symbolic_times(alone(call), call.data)
        print(f"# symbolic {name}: {fixed / symbolic:.3f}", file=sys.stderr)


def measure() -> None:
    """Print the figures."""
    measure_symbolic()
    found = [times(call) for call in RESNET]
    for call, (own, other) in zip(RESNET, found, strict=True):
        print(f"# 3x3, {call.data[1]} x {call.data[2:]}: {other / own:.3f}", file=sys.stderr)
    report("conv2d.3x3", sum(own for own, _ in found), sum(other for _, other in found), "ms")
    for name, call in ROWS.items():
        report(name, *times(call), "ms")
    for name, call in OTHERS.items():
        own, other = times(call)
        print(f"# {name}: {other / own:.3f}", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure()
    else:
        run_in_one_thread(__file__)
