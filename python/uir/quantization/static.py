"""Quantization to 8 bits: ranges of calibration data, and the choice of layers by their errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..frontend.onnx.model import Model
from ..frontend.tensors import Array
from .calls import calls_of
from .checks import check_choice, check_kept, check_max_error
from .differences import Difference
from .graph import Graph, read_graph
from .layers import Layer, layers_of
from .outcome import Outcome, Quantized, check_any, float_outputs, measured, run_both, too_large
from .plan import read_by, without_lone
from .ranges import METHODS, Range, Runs, min_max, percentile
from .rewriting import quantized_model, with_twins
from .runner import Runner
from .scheme import Scheme, of_range

__all__ = ["ACTIVATIONS", "quantize"]

ACTIVATIONS = ("uint8", "int8")


def quantize(
    model: Model,
    arrays: Mapping[str, Array],
    *,
    method: str = "min-max",
    percent: float = 99.99,
    activations: str = "uint8",
    keep: Collection[str] = (),
    max_error: float = 0.1,
) -> Quantized:
    """Quantize a model to 8 bits, in the form of `QuantizeLinear` and `DequantizeLinear`.

    Products (`Conv`, `Gemm`, `MatMul`), and sums, concatenations and averages between them, compute
    with integers. Weights have a scale for each channel, and integers of int8 without a zero point.
    uir runs the model on calibration data, and compares each layer with its quantized twin: layers
    with large errors stay in float32.

    Parameters
    ----------
    model
        A model, its bytes, or the path of its file.
    arrays
        The inputs of calls by name: an array of one call, or of several with an axis before the
        others.
    method
        How ranges are found: `min-max`, or `percentile`, which leaves out the largest values.
    percent
        The percentage of values in the range of `percentile`.
    activations
        The data type of values between layers: `uint8` or `int8`.
    keep
        The names of layers that stay in float32.
    max_error
        The largest relative error of a layer: the norm of the error of its result, if this layer
        alone is quantized, divided by that of its result.

    Returns
    -------
    quantized
        The model, and a report with the errors of all layers.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the model is damaged, an array does not fit its inputs or is not finite, a name, a method
        or a type is not known, a number is out of range, or no layer can be quantized.
    UnsupportedModelError
        If uir does not support a node of the model.
    """
    settings = Settings(method, percent, activations, frozenset(keep), max_error)
    check_settings(settings)
    graph = read_graph(model)
    layers, left = layers_of(graph)
    check_kept(keep, [*layers, *left])
    calls = calls_of(graph.model.graph, arrays)
    results = [*(layer.output for layer in layers), *float_outputs(graph)]
    exact = Runner(graph.model, [*sources(graph, layers), *results], calls)
    choice = chosen(graph, layers, exact, settings)
    outcome = Outcome(layers, left, choice.alone, choice.reasons)
    check_any(outcome)
    result = quantized_model(graph, choice.layers, choice.schemes)
    title = f"int8 weights, {activations} activations, {method_text(settings)}"
    return measured(graph, outcome, title, exact, result, max_error)


class Settings(NamedTuple):
    """The settings of `quantize`."""

    method: str
    percent: float
    activations: str
    keep: frozenset[str]
    max_error: float


class Choice(NamedTuple):
    """The layers to quantize.

    Attributes
    ----------
    layers
        The layers.
    schemes
        The schemes of the values that layers read.
    alone
        The errors of layers, by name.
    reasons
        Why the others stay in float32, by name.
    """

    layers: list[Layer]
    schemes: dict[str, Scheme]
    alone: dict[str, Difference]
    reasons: dict[str, str]


def chosen(graph: Graph, layers: Sequence[Layer], exact: Runner, settings: Settings) -> Choice:
    """Choose the layers whose errors are small enough."""
    values = sources(graph, layers)
    ranges = ranges_of(exact, values, settings)
    schemes = {
        name: of_range(*ends, settings.activations)
        for name, ends in ranges.items()
        if np.isfinite(ends).all()
    }
    reasons = {layer.name: "kept" for layer in layers if layer.name in settings.keep}
    for layer in layers:
        infinite = [name for name in read_by(graph, layer) if name not in schemes]
        if infinite and layer.name not in reasons:
            reasons[layer.name] = f"`{infinite[0]}` has elements that are not finite"
    tried = [layer for layer in layers if layer.name not in reasons]
    alone = errors_alone(graph, tried, schemes, exact)
    reasons |= too_large(alone, settings.max_error)
    good = [layer for layer in tried if layer.name not in reasons]
    found = without_lone(graph, good)
    lone = "it is not between quantized layers"
    reasons |= {layer.name: lone for layer in good if layer not in found}
    return Choice(found, schemes, alone, reasons)


def errors_alone(
    graph: Graph, layers: Sequence[Layer], schemes: Mapping[str, Scheme], exact: Runner
) -> dict[str, Difference]:
    """Return the error of each layer if it alone is quantized, by name."""
    if not layers:
        return {}
    model, results = with_twins(graph, layers, schemes)
    pairs = [(layer.output, result) for layer, result in zip(layers, results, strict=True)]
    found = run_both(exact, Runner(model, results, exact.calls), pairs)
    return {layer.name: error for layer, error in zip(layers, found, strict=True)}


def sources(graph: Graph, layers: Sequence[Layer]) -> list[str]:
    """Return the values whose schemes layers need."""
    return list(dict.fromkeys(name for layer in layers for name in read_by(graph, layer)))


def ranges_of(runs: Runs, values: Sequence[str], settings: Settings) -> dict[str, Range]:
    """Return the ranges of values by the method of the settings."""
    if settings.method == "percentile":
        return percentile(runs, values, settings.percent)
    return min_max(runs, values)


def method_text(settings: Settings) -> str:
    """Return the method with its percentage."""
    is_cut = settings.method == "percentile"
    return f"percentile {settings.percent:g}" if is_cut else settings.method


def check_settings(settings: Settings) -> None:
    """Reject methods and types that are not known, and numbers out of range."""
    check_choice("method", settings.method, METHODS)
    check_choice("data type of activations", settings.activations, ACTIVATIONS)
    if not 0 < settings.percent <= 100:
        raise ValueError(
            f"quantize: the percentage must be above 0 and up to 100, got {settings.percent}"
        )
    check_max_error(settings.max_error)
