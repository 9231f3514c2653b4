"""One high-level function for both compilers: 500 layers of ten bindings.

Neither compiler is imported here: `ops` has the operators of `uir.relay` on one side and those of
`tvm.relax.op` on the other. The second product of a layer is the first one again, which is what
common subexpression elimination finds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["BINDINGS", "DTYPE", "LAYERS", "SHAPES", "build"]

LAYERS, BINDINGS = 500, 5000
SHAPES = {"x": (64, 128), "w": (128, 128), "b": (128,)}
DTYPE = "float32"

Emit = Callable[[Any], Any]


def build(ops: Any, emit: Emit, x: Any, w: Any, b: Any, count: int = LAYERS) -> Any:
    """Build the bindings of the function from Python.

    Parameters
    ----------
    ops
        The operators.
    emit
        Binds a value, and returns the variable.
    x, w, b
        The parameters.
    count
        How many layers.

    Returns
    -------
    Any
        The result.
    """
    for _ in range(count):
        x = layer(ops, emit, x, w, b)
    return x


def layer(ops: Any, emit: Emit, x: Any, w: Any, b: Any) -> Any:
    """Build one layer."""
    active = emit(ops.relu(emit(ops.add(emit(ops.matmul(x, w)), b))))
    bent = emit(ops.tanh(emit(ops.multiply(active, x))))
    again = emit(ops.multiply(active, x))
    turned = emit(ops.reshape(emit(ops.transpose(bent, axes=[1, 0])), shape=SHAPES["x"]))
    return emit(ops.add(turned, emit(ops.softmax(again, axis=-1))))
