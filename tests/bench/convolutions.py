"""Compiled convolutions on one thread, against onnxruntime.

Prints `conv2d.3x3`, the four convolutions of ResNet-50 with windows of 3 x 3 and stride 1, one call
of each, in milliseconds, and `conv2d.depthwise` and `conv_transpose.4x4s2`, one convolution each.
Lines that begin with `#` have the ratio of each one, and of windows of other shapes.
"""

from __future__ import annotations

import sys

from onnx_peer import Call, run_in_one_thread, times
from report import report


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


def measure() -> None:
    """Print the figures."""
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
