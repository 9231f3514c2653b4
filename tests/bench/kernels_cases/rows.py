"""Functions of rows: `softmax` and `layer_norm` of 1024 rows of 1024 elements.

NumPy writes to arrays that exist, and reads and writes each as seldom as it can.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uir import relay

from .case import Case, from_relay

ROWS, COLUMNS = 1024, 1024
EPSILON = 1e-5


def measure(case: Case) -> None:
    """Print the rows of this family."""
    if case.suffix:
        return
    shape, work = (ROWS, COLUMNS), ROWS * COLUMNS
    ours: Any = from_relay(relay.softmax, shape)
    case.report("softmax", case.times("softmax", ours, softmax, [shape] * 2, work))
    shapes = [shape, (COLUMNS,), (COLUMNS,), shape]
    ours = from_relay(lambda *args: relay.layer_norm(*args, epsilon=EPSILON), *shapes[:-1])
    case.report("layer_norm", case.times("layer_norm", ours, layer_norm, shapes, work))


def softmax(x: Any, out: Any) -> None:
    """Write the softmax of each row."""
    np.subtract(x, x.max(axis=1, keepdims=True), out=out)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)


def layer_norm(x: Any, scale: Any, bias: Any, out: Any) -> None:
    """Write each row less its mean, divided by its deviation, times `scale`, plus `bias`."""
    np.subtract(x, x.mean(axis=1, keepdims=True), out=out)
    variance = np.einsum("ij,ij->i", out, out)[:, None] / np.float32(COLUMNS)
    out *= 1 / np.sqrt(variance + np.float32(EPSILON))
    out *= scale
    out += bias
