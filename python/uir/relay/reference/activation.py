"""Activation functions of neural networks, element by element."""

from __future__ import annotations

import numpy as np

from .math import erf
from .tensors import Array, check, tensor, wide

__all__ = ["gelu", "leaky_relu", "relu", "sigmoid", "silu"]

quiet = np.errstate(all="ignore")


@quiet
def sigmoid(x: Array) -> Array:
    """Return `1 / (1 + exp(-x))`."""
    check("float", x=x)
    return tensor(_sigmoid(wide(x)), x)


def relu(x: Array) -> Array:
    """Return `max(x, 0)`."""
    check("number", x=x)
    return tensor(np.maximum(x, x.dtype.type(0)), x)


@quiet
def leaky_relu(x: Array, *, alpha: float = 0.01) -> Array:
    """Return `x` where it is at least 0, else `alpha * x`."""
    check("float", x=x)
    values = wide(x)
    return tensor(np.where(values < 0, values * values.dtype.type(alpha), values), x)


@quiet
def gelu(x: Array, *, approximate: bool = False) -> Array:
    """Return `x` times the cumulative distribution function of the normal distribution."""
    check("float", x=x)
    values = wide(x)
    if approximate:
        inner = np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3))
    else:
        inner = erf(values * values.dtype.type(np.sqrt(0.5)))
    return tensor(0.5 * values * (1 + inner), x)


@quiet
def silu(x: Array) -> Array:
    """Return `x * sigmoid(x)`."""
    check("float", x=x)
    return tensor(wide(x) * _sigmoid(wide(x)), x)


def _sigmoid(x: Array) -> Array:
    return np.asarray(np.reciprocal(1 + np.exp(-x)))
