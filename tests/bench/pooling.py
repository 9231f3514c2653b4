"""Compiled pooling on one thread, against onnxruntime.

Prints `maxpool.3x3s2`, `maxpool.2x2s2`, `maxpool.3x3`, `avgpool.3x3s2`, `avgpool.3x3` and
`globalavgpool` of one image, in milliseconds.
"""

from __future__ import annotations

import sys

from onnx_peer import Call, run_in_one_thread, times
from report import report


def pooling(
    relay: str, onnx: str, shape: tuple[int, int, int], kernel: int, stride: int, pad: int
) -> Call:
    """Return the pooling of an image of a shape (channels, lines, columns)."""
    attributes = {"strides": [stride] * 2, "pads": [pad] * 4}
    return Call(relay, onnx, (1, *shape), (kernel, kernel), attributes=attributes)


ROWS = {
    "maxpool.3x3s2": pooling("max_pool", "MaxPool", (64, 112, 112), 3, 2, 1),
    "maxpool.2x2s2": pooling("max_pool", "MaxPool", (64, 112, 112), 2, 2, 0),
    "maxpool.3x3": pooling("max_pool", "MaxPool", (192, 28, 28), 3, 1, 1),
    "avgpool.3x3s2": pooling("avg_pool", "AveragePool", (64, 112, 112), 3, 2, 1),
    "avgpool.3x3": pooling("avg_pool", "AveragePool", (192, 28, 28), 3, 1, 1),
    "globalavgpool": pooling("avg_pool", "AveragePool", (2048, 7, 7), 7, 1, 0),
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        for name, call in ROWS.items():
            report(name, *times(call), "ms")
    else:
        run_in_one_thread(__file__)
