"""Calls of `DynamicQuantizeLSTM` of the domain `com.microsoft`, and what they compute, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .microsoft_cases import Call, call, floats, integers, sigmoid
from .onnx_calls import Array

FEATURES = 4


def product(x: Array, weight: Array, scale: Any, zero: Any) -> Any:
    """Return a product whose first factor is quantized by the range of all its elements."""
    low, high = min(x.min(), np.float32(0)), max(x.max(), np.float32(0))
    step = (high - low) / np.float32(255) if high > low else np.float32(1)
    start = np.clip(np.round(-low / step), 0, 255).astype(np.int64)
    rounded = np.clip(np.round(x / step) + start, 0, 255).astype(np.int64)
    sums = (rounded - start) @ (weight.astype(np.int64) - np.int64(zero))
    return sums.astype(np.float32) * (step * scale)


def layer(
    x: Array,
    w: Array,
    r: Array,
    ws: Array,
    rs: Array,
    wz: Array,
    rz: Array,
    b: Array | None = None,
    h: Array | None = None,
    c: Array | None = None,
    p: Array | None = None,
    backwards: tuple[bool, ...] = (False,),
    clip: float = np.inf,
    candidate: Callable[[Array], Array] = np.tanh,
    is_coupled: bool = False,
) -> tuple[Array, Array, Array]:
    """Return the states of all steps, the last ones, and the last memories."""
    times, rows, _ = x.shape
    every = np.zeros((times, len(backwards), rows, FEATURES), np.float32)
    zeros = np.zeros((len(backwards), rows, FEATURES), np.float32)
    last, memories = (zeros if one is None else one for one in (h, c))
    last, memories = last.copy(), memories.copy()
    for at, is_backwards in enumerate(backwards):
        flat = x.reshape(times * rows, -1)
        given = product(flat, w[at], ws[at], wz[at]).reshape(times, rows, -1)
        if b is not None:
            given = given + (b[at, : 4 * FEATURES] + b[at, 4 * FEATURES :])
        peepholes = np.zeros((3, FEATURES)) if p is None else p[at].reshape(3, -1)
        for time in range(times)[:: -1 if is_backwards else 1]:
            sums = given[time] + product(last[at], r[at], rs[at], rz[at])
            i, o, f, n = np.split(sums, 4, -1)
            before = memories[at].copy()
            i = sigmoid(np.clip(i + peepholes[0] * before, -clip, clip))
            f = sigmoid(np.clip(f + peepholes[2] * before, -clip, clip))
            f = 1 - i if is_coupled else f
            memories[at] = f * before + i * candidate(np.clip(n, -clip, clip))
            o = sigmoid(np.clip(o + peepholes[1] * memories[at], -clip, clip))
            last[at] = every[time, at] = o * np.tanh(memories[at])
    return every, last, memories


def weights(directions: int, dtype: str, per_column: bool = False) -> dict[str, Array]:
    """Return the weights of data of 3 features, with their scales and zero points."""
    columns = 4 * FEATURES
    shape = (directions, columns) if per_column else (directions,)
    zero = 0 if dtype == "int8" else 119
    return {
        "w": integers((directions, 3, columns), dtype),
        "r": integers((directions, FEATURES, columns), dtype),
        **{name: (np.abs(floats(*shape)) + 1).astype(np.float32) / 256 for name in ("ws", "rs")},
        **{name: np.full(shape, zero, dtype) for name in ("wz", "rz")},
    }


def states(directions: int, rows: int = 1) -> dict[str, Array]:
    """Return initial states and memories."""
    return {name: floats(directions, rows, FEATURES) for name in ("h", "c")}


def lstm(
    inputs: str,
    operands: dict[str, Array],
    constants: dict[str, Any],
    name: str,
    reference: dict[str, Any] | None = None,
    **attributes: Any,
) -> Call:
    """Return a call; `reference` has the arguments of the reference for the attributes."""
    return call(
        f"DynamicQuantizeLSTM {inputs} ws wz rs rz",
        operands,
        constants,
        partial(layer, **(reference or {})),
        outputs="y last memory",
        name=name,
        hidden_size=FEATURES,
        **attributes,
    )


LSTMS = [
    lstm("x w r _ _ _ _ _", {"x": floats(5, 1, 3)}, weights(1, "int8"), "plain"),
    lstm(
        "x w r b _ h c _",
        {"x": floats(4, 1, 3), **states(2)},
        {**weights(2, "uint8"), "b": floats(2, 8 * FEATURES)},
        "both",
        {"backwards": (False, True)},
        direction="bidirectional",
    ),
    lstm(
        "x w r _ _ _ _ p",
        {"x": floats(3, 1, 3)},
        {**weights(1, "int8", per_column=True), "p": floats(1, 3 * FEATURES)},
        "peepholes",
        {"backwards": (True,), "clip": 0.7},
        direction="reverse",
        clip=0.7,
    ),
    lstm(
        "x w r _ _ h c _",
        {"x": floats(3, 1, 3), **states(1)},
        weights(1, "int8"),
        "activations",
        {"candidate": lambda x: np.maximum(x, 0), "is_coupled": True},
        activations=["Sigmoid", "Relu", "Tanh"],
        input_forget=1,
    ),
]

# onnxruntime takes the range of some rows where threads share a batch.
OF_BATCHES = [
    lstm(
        "x w r _ _ h c _",
        {"x": floats(4, 3, 3), **states(1, 3)},
        weights(1, "int8"),
        "batch",
    )
]
