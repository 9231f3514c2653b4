"""Quantization of weights alone, to 4 or 8 bits in blocks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import onnx
from onnx import helper

from ..frontend.onnx.model import Model
from ..frontend.onnx.operators import is_own
from ..frontend.tensors import Array
from .calls import calls_of
from .checks import check_choice, check_kept, check_max_error
from .differences import Difference, difference
from .graph import Graph, Names, attribute, read_graph
from .layers import Left
from .outcome import Outcome, Quantized, check_any, float_outputs, measured, too_large
from .packing import DOMAIN, packed_node
from .rewriting import with_nodes, without_unread
from .rounding import Blocks, gptq, to_nearest
from .runner import Runner

__all__ = ["WEIGHT_METHODS", "quantize_weights"]

WEIGHT_METHODS = ("nearest", "gptq")
BITS = (4, 8)
LEAST_BLOCK = 16


class Product(NamedTuple):
    """A product with a constant matrix.

    Attributes
    ----------
    name, operator, node
        The node, and its place.
    data, output
        Its first operand, and its result.
    weight
        The matrix, of shape `(k, n)`.
    """

    name: str
    operator: str
    node: int
    data: str
    output: str
    weight: Array


def quantize_weights(
    model: Model,
    *,
    bits: int = 4,
    block: int = 32,
    method: str = "nearest",
    arrays: Mapping[str, Array] | None = None,
    keep: Collection[str] = (),
    max_error: float = 0.3,
) -> Quantized:
    """Store the weights of products in a few bits, as `MatMulNBits` of the domain `com.microsoft`.

    Each block of weights along the sum has a scale and a zero point. Products with a constant
    matrix (`MatMul`, `Gemm`) are replaced; activations stay in float32.

    Parameters
    ----------
    model
        A model, its bytes, or the path of its file.
    bits
        The bits of a weight: 4 or 8.
    block
        The number of weights of a block: a power of two from 16 on.
    method
        `nearest` rounds each weight; `gptq` corrects later weights for the errors of earlier ones
        (Frantar and others 2022, https://arxiv.org/abs/2210.17323), and needs `arrays`.
    arrays
        The inputs of calls by name, as `quantize` takes them. With them, errors are those of the
        results of layers, else those of weights.
    keep
        The names of layers that stay in float32.
    max_error
        The largest relative error of a layer.

    Returns
    -------
    quantized
        The model, and a report with the errors of all layers.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the model is damaged, an array does not fit its inputs or is not finite, a name or a
        method is not known, a number is out of range, GPTQ lacks data, or no layer can be
        quantized.
    UnsupportedModelError
        If uir does not support a node of the model, and there are arrays.
    """
    check_settings(bits, block, method, arrays)
    check_max_error(max_error)
    graph = read_graph(model)
    products, left = products_of(graph)
    check_kept(keep, [*products, *left])
    calls = [] if arrays is None else calls_of(graph.model.graph, arrays)
    exact = None
    if calls:
        outputs = [*(one.output for one in products), *float_outputs(graph)]
        exact = Runner(graph.model, [*(one.data for one in products), *outputs], calls)
    reasons = {one.name: "kept" for one in products if one.name in keep}
    tried = [one for one in products if one.name not in reasons]
    hessians = hessians_of(exact, tried) if exact else {}
    round_weight = partial(rounded, bits=bits, block=block, method=method)
    found = {one.name: round_weight(one, hessians.get(one.data)) for one in tried}
    alone = {one.name: error_of(one, found[one.name], hessians.get(one.data)) for one in tried}
    reasons |= too_large(alone, max_error)
    outcome = Outcome(products, left, alone, reasons)
    check_any(outcome)
    result = packed_model(graph, [one for one in tried if one.name not in reasons], found, bits)
    title = f"int{bits} weights in blocks of {block}, {method}"
    return measured(graph, outcome, title, exact, result, max_error)


def check_settings(bits: int, block: int, method: str, arrays: Mapping[str, Array] | None) -> None:
    """Reject numbers out of range, and methods that are not known or lack data."""
    check_choice("method", method, WEIGHT_METHODS)
    if bits not in BITS:
        raise ValueError(f"quantize: weights must have 4 or 8 bits, got {bits}")
    if block < LEAST_BLOCK or block & (block - 1):
        raise ValueError(f"quantize: blocks must be a power of two from 16 on, got {block}")
    if method == "gptq" and arrays is None:
        raise ValueError("quantize: the method `gptq` needs calibration data")


def products_of(graph: Graph) -> tuple[list[Product], list[Left]]:
    """Return the products that can be `MatMulNBits`, and those that cannot."""
    products: list[Product] = []
    left: list[Left] = []
    for place, node in enumerate(graph.nodes):
        if not is_own(node.domain) or node.op_type not in ("Gemm", "MatMul"):
            continue
        name, reason = graph.names[place], why_left(graph, node)
        if reason:
            left.append(Left(name, node.op_type, reason))
            continue
        weight = graph.weights(node, 1)
        assert weight is not None
        matrix = weight.T if attribute(node, "transB", 0) else weight
        products.append(Product(name, node.op_type, place, node.input[0], node.output[0], matrix))
    return products, left


def why_left(graph: Graph, node: onnx.NodeProto) -> str:
    """Return why a product cannot be `MatMulNBits`; nothing if it can."""
    weight = graph.weights(node, 1)
    if weight is None:
        return "the second operand must be a constant of float32"
    if node.input[0] in graph.constants:
        return "the first operand is a constant"
    if weight.ndim != 2 or weight.size == 0:
        return f"the weights have shape {weight.shape}"
    if not np.isfinite(weight).all():
        return "the weights are not finite"
    factors = [attribute(node, name, 1.0) for name in ("alpha", "beta")]
    if attribute(node, "transA", 0) or factors != [1.0, 1.0]:
        return "it has `transA`, `alpha` or `beta`"
    found = graph.types.get(node.input[0])
    is_vector = found is not None and found.HasField("shape") and len(found.shape.dim) == 1
    return "the first operand is a vector" if is_vector else ""


def hessians_of(exact: Runner, products: Sequence[Product]) -> dict[str, Array]:
    """Return the sums of `outer(x, x)` over the rows of the operands of products, by name."""
    found: dict[str, Array] = {}
    for run in exact():
        for name in {one.data for one in products}:
            rows = run[name].reshape(-1, run[name].shape[-1]).astype(np.float64)
            found[name] = found.get(name, 0.0) + rows.T @ rows
    return found


def rounded(
    product: Product, hessian: Array | None, *, bits: int, block: int, method: str
) -> Blocks:
    """Return the integers of the matrix of a product.

    Raises
    ------
    ValueError
        If GPTQ gets operands that are not finite.
    """
    if method != "gptq" or hessian is None:
        return to_nearest(product.weight, bits, block)
    if not np.isfinite(hessian).all():
        raise ValueError(f"quantize: `{product.data}` has elements that are not finite")
    return gptq(product.weight, hessian, bits, block)


def error_of(product: Product, blocks: Blocks, hessian: Array | None) -> Difference:
    """Return the error of the result of a product, or of its matrix without a Hessian.

    The sum of squares of `x @ w` over all rows `x` is that of `w * (hessian @ w)`.
    """
    exact, found = product.weight.astype(np.float64), blocks.values().astype(np.float64)
    if hessian is None:
        return difference(exact, found)
    sums = ((exact, exact), (exact - found, exact - found), (found, found), (exact, found))
    return Difference(*(max(float(np.sum(a * (hessian @ b))), 0.0) for a, b in sums))


def packed_model(
    graph: Graph, products: Sequence[Product], blocks: Mapping[str, Blocks], bits: int
) -> onnx.ModelProto:
    """Return the model with `MatMulNBits` for products; a bias is added after it."""
    names = Names(graph)
    replaced = {one.node: one for one in products}
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []
    for place, node in enumerate(graph.nodes):
        if place not in replaced:
            nodes.append(node)
            continue
        one = replaced[place]
        has_bias = len(node.input) > 2 and node.input[2] != ""
        result = names.fresh(f"{one.output}_product") if has_bias else one.output
        own = [names.fresh(f"{node.input[1]}_{part}") for part in ("bits", "scales", "zeros")]
        packed, values = packed_node(node.name, one.data, result, blocks[one.name], bits, own)
        nodes.append(packed)
        constants += values
        if has_bias:
            nodes.append(helper.make_node("Add", [result, node.input[2]], [one.output]))
    model = without_unread(with_nodes(graph.model, nodes, constants))
    if all(one.domain != DOMAIN for one in model.opset_import):
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    return model
