"""Recurrent layers: Elman, 1990; Cho et al., 2014; Hochreiter and Schmidhuber, 1997."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .rules import run_scalar
from .tensors import Array, check, tensor, wide

__all__ = ["gru", "lstm", "rnn"]


@np.errstate(all="ignore")
def rnn(
    gates: Array,
    hidden: Array,
    weight: Array,
    lengths: Array | None = None,
    *,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    reverse: bool = False,
) -> tuple[Array, ...]:
    """Return the states `f(gates[t] + hidden @ weight)`, and the last one."""
    check("float", gates=gates, hidden=hidden, weight=weight)
    (function,) = _functions(activations or ("tanh(x)",), 1, clip)

    def step(now: Array, states: list[Array]) -> list[Array]:
        return [function(now[:, 0] + states[0] @ wide(weight))]

    return _run(gates, [hidden], lengths, reverse, step)


@np.errstate(all="ignore")
def gru(
    gates: Array,
    hidden: Array,
    weight: Array,
    bias: Array | None = None,
    lengths: Array | None = None,
    *,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    reset_after: bool = False,
    reverse: bool = False,
) -> tuple[Array, ...]:
    """Return the states of gated recurrent units, and the last one."""
    check("float", gates=gates, hidden=hidden, weight=weight, bias=bias)
    if bias is not None and not reset_after:
        raise ValueError("`bias` needs `reset_after=True`")
    sigmoid, tanh = _functions(activations or ("sigmoid(x)", "tanh(x)"), 2, clip)
    columns = np.split(wide(weight), 3, axis=1)
    summand = np.zeros(1, columns[0].dtype) if bias is None else wide(bias)

    def step(now: Array, states: list[Array]) -> list[Array]:
        (before,) = states
        update = sigmoid(now[:, 0] + before @ columns[0])
        reset = sigmoid(now[:, 1] + before @ columns[1])
        if reset_after:
            product = reset * (before @ columns[2] + summand)
        else:
            product = (reset * before) @ columns[2]
        return [(1 - update) * tanh(now[:, 2] + product) + update * before]

    return _run(gates, [hidden], lengths, reverse, step)


@np.errstate(all="ignore")
def lstm(
    gates: Array,
    hidden: Array,
    cell: Array,
    weight: Array,
    peephole: Array | None = None,
    lengths: Array | None = None,
    *,
    activations: Sequence[str] | None = None,
    clip: float | None = None,
    input_forget: bool = False,
    reverse: bool = False,
) -> tuple[Array, ...]:
    """Return the states of long short-term memory, the last one, and the last memory."""
    check("float", gates=gates, hidden=hidden, cell=cell, weight=weight, peephole=peephole)
    names = activations or ("sigmoid(x)", "tanh(x)", "tanh(x)")
    sigmoid, tanh, _ = _functions(names, 3, clip)
    *_, output = _functions(names, 3, None)
    columns = np.split(wide(weight), 4, axis=1)
    seen = np.zeros((3, 1), columns[0].dtype) if peephole is None else wide(peephole)

    def step(now: Array, states: list[Array]) -> list[Array]:
        before, memory = states
        sums = [now[:, place] + before @ part for place, part in enumerate(columns)]
        opened = sigmoid(sums[0] + seen[0] * memory)
        kept = 1 - opened if input_forget else sigmoid(sums[2] + seen[2] * memory)
        memory = kept * memory + opened * tanh(sums[3])
        return [sigmoid(sums[1] + seen[1] * memory) * output(memory), memory]

    return _run(gates, [hidden, cell], lengths, reverse, step)


def _functions(
    texts: Sequence[str], count: int, clip: float | None
) -> Iterator[Callable[[Array], Array]]:
    """Return activation functions, which limit their arguments to a bound."""
    if len(texts) != count:
        raise ValueError(f"`activations` has {len(texts)} elements, expected {count}")

    def function(text: str) -> Callable[[Array], Array]:
        def activated(x: Array) -> Array:
            bounded = x if clip is None else np.clip(x, -clip, clip)
            return run_scalar(text, {"x": bounded}).astype(x.dtype)

        return activated

    return (function(text) for text in texts)


def _run(
    gates: Array,
    states: list[Array],
    lengths: Array | None,
    reverse: bool,
    step: Callable[[Array, list[Array]], list[Array]],
) -> tuple[Array, ...]:
    """Run a step for each time; a row without a step at a time keeps its states."""
    states = [wide(state) for state in states]
    results = np.zeros((len(gates), *states[0].shape), states[0].dtype)
    for time in reversed(range(len(gates))) if reverse else range(len(gates)):
        has_step = True if lengths is None else (time < lengths)[:, None]
        following = step(wide(gates[time]), states)
        states = [np.where(has_step, *pair) for pair in zip(following, states, strict=True)]
        results[time] = np.where(has_step, states[0], 0)
    return tuple(tensor(one, gates) for one in (results, *states))
