"""A perceptron of three layers, of 784, 256 and 10 units: `mlp.b1` and `mlp.b64`, by its batch.

Its weights are constants of our function. NumPy computes each layer in place, in an array that
exists.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from uir import ir, relay

from .case import Case, compiled

UNITS = (784, 256, 10)
BATCHES = (1, 64)


def measure(case: Case) -> None:
    """Print the rows of this family."""
    weights = random_weights(np.random.default_rng(0))
    work = sum(ins * outs for ins, outs in pairwise(UNITS))
    for batch in BATCHES:
        name = f"mlp.b{batch}"
        shapes = [(batch, UNITS[0]), (batch, UNITS[-1])]
        ours = compiled(perceptron(batch, weights), entry="main_into")
        sides = ours, numpy_perceptron(batch, weights)
        case.report(name, case.times(name, *sides, shapes, batch * work))


def random_weights(numbers: np.random.Generator) -> list[Any]:
    """Return a matrix and a bias for each layer."""
    return [
        numbers.standard_normal(shape, np.float32)
        for ins, outs in pairwise(UNITS)
        for shape in ((ins, outs), (outs,))
    ]


def perceptron(batch: int, weights: list[Any]) -> relay.Function:
    """Return our function of the inputs."""
    x: Any = relay.Var("x", relay.Tensor((batch, UNITS[0]), "float32"))
    value = x
    for layer in range(0, len(weights), 2):
        matrix, bias = (relay.Constant(one) for one in weights[layer : layer + 2])
        value = relay.add(relay.matmul(value, matrix), bias)
        if layer + 2 < len(weights):
            value = relay.relu(value)
    program = relay.Function([x], relay.Block([], value))
    return ir.with_attr(program, "global_symbol", "main")


def numpy_perceptron(batch: int, weights: list[Any]) -> Callable[..., Any]:
    """Return NumPy's function of the inputs and the outputs."""
    matrix, bias, last_matrix, last_bias = weights
    hidden = np.empty((batch, UNITS[1]), np.float32)

    def run(x: Any, out: Any) -> None:
        np.matmul(x, matrix, out=hidden)
        np.add(hidden, bias, out=hidden)
        np.maximum(hidden, 0, out=hidden)
        np.matmul(hidden, last_matrix, out=out)
        np.add(out, last_bias, out=out)

    return run
