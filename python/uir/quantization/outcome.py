"""Quantized models, measured beside the exact ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import onnx

from .checks import Named
from .differences import Difference, difference
from .graph import Graph
from .layers import Left
from .report import LayerRow, OutputRow, Report
from .runner import Runner

__all__ = [
    "Outcome",
    "Quantized",
    "check_any",
    "float_outputs",
    "measured",
    "run_both",
    "too_large",
]


class Quantized(NamedTuple):
    """A quantized model.

    Attributes
    ----------
    model
        The model.
    report
        The errors of its layers, and the layers that stay in float32.
    """

    model: onnx.ModelProto
    report: Report


class Candidate(Named, Protocol):
    """A layer that may be quantized."""

    @property
    def output(self) -> str:
        """Its result."""
        ...


class Outcome(NamedTuple):
    """The layers, and why some of them stay in float32.

    Attributes
    ----------
    layers, left
        The layers, and the products that cannot be layers.
    alone
        The errors of layers that alone are quantized, by name.
    reasons
        Why layers stay in float32, by name.
    """

    layers: Sequence[Candidate]
    left: Sequence[Left]
    alone: Mapping[str, Difference]
    reasons: Mapping[str, str]


def too_large(alone: Mapping[str, Difference], max_error: float) -> dict[str, str]:
    """Return the reasons of layers whose errors exceed the largest one."""
    return {
        name: f"its error {error.relative:.2g} exceeds {max_error:g}"
        for name, error in alone.items()
        if error.relative > max_error
    }


def check_any(outcome: Outcome) -> None:
    """Reject a model without a layer to quantize.

    Raises
    ------
    ValueError
        If all layers stay in float32; the message has the reasons.
    """
    if any(one.name not in outcome.reasons for one in outcome.layers):
        return
    reasons = {**outcome.reasons, **{one.name: one.reason for one in outcome.left}}
    named: list[Named] = [*outcome.layers, *outcome.left]
    lines = [f"\n  {one.operator} `{one.name}`: {reasons[one.name]}" for one in named]
    end = ":" if lines else ": it has no product with constant weights"
    raise ValueError(f"quantize: no layer of the model can be quantized{end}{''.join(lines)}")


def measured(
    graph: Graph,
    outcome: Outcome,
    title: str,
    exact: Runner | None,
    result: onnx.ModelProto,
    max_error: float,
) -> Quantized:
    """Return a quantized model with the errors of its layers and results.

    Parameters
    ----------
    graph
        The graph.
    outcome
        Its layers, and why some of them stay in float32.
    title
        How the model is quantized.
    exact
        Runs the model with the results of layers and of the model; None without calls.
    result
        The quantized model.
    max_error
        The largest relative error of a layer.
    """
    outputs = float_outputs(graph) if exact else []
    values = list(dict.fromkeys([*(one.output for one in outcome.layers), *outputs]))
    errors: dict[str, Difference] = {}
    if exact:
        other = Runner(result, values, exact.calls)
        errors = dict(
            zip(values, run_both(exact, other, [(one, one) for one in values]), strict=True)
        )
    places = {name: place for place, name in enumerate(graph.names)}
    rows = sorted(rows_of(outcome, errors), key=lambda row: places[row.name])
    ends = tuple(OutputRow(name, errors[name]) for name in outputs)
    calls = len(exact.calls) if exact else 0
    return Quantized(result, Report(title, tuple(rows), ends, calls, max_error))


def rows_of(outcome: Outcome, errors: Mapping[str, Difference]) -> Iterator[LayerRow]:
    """Yield the rows of layers, with the errors of their results in the quantized model."""
    for one in outcome.layers:
        alone, in_model = outcome.alone.get(one.name), errors.get(one.output)
        yield LayerRow(one.name, one.operator, alone, in_model, outcome.reasons.get(one.name, ""))
    for other in outcome.left:
        yield LayerRow(other.name, other.operator, None, None, other.reason)


def run_both(exact: Runner, other: Runner, pairs: Sequence[tuple[str, str]]) -> list[Difference]:
    """Return the differences of pairs of values of two models, over all calls."""
    found = [Difference()] * len(pairs)
    for expected, result in zip(exact(), other(), strict=True):
        found = [
            sums + difference(expected[one], result[two])
            for sums, (one, two) in zip(found, pairs, strict=True)
        ]
    return found


def float_outputs(graph: Graph) -> list[str]:
    """Return the results of a model that are of float32 and that a node makes."""
    return [name for name in graph.outputs if name in graph.makers and graph.is_float(name)]
