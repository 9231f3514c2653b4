"""Operators that are defined by others, where neither relay nor ONNX has a definition.

A definition is the text of a graph whose inputs are those of the node. It may have loops, which the
importer converts like those of a model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import onnx
import onnx.parser

from ..errors import Refused
from ..tensors import dims, dims_of_rank
from .node import Node
from .operators.recurrent import DIRECTIONS
from .quantized_tensors import scale_of

__all__ = ["DEFINITIONS"]

Definition: TypeAlias = Callable[[Node], onnx.GraphProto]

# The names of the inputs; those that are left out have no name in the nodes.
LSTM_INPUTS = (
    *("x", "w", "r", "b", "lengths", "h", "c", "p"),
    *("w_scale", "w_zero", "r_scale", "r_zero"),
)

# The activation functions that take no parameters, as operators.
ACTIVATIONS = {
    "relu": "Relu",
    "sigmoid": "Sigmoid",
    "softplus": "Softplus",
    "softsign": "Softsign",
    "tanh": "Tanh",
}

# The product of all inputs is taken before the loop. Each step quantizes its state by the range of
# all rows of the batch.
DIRECTION = """
    w_{d} = Gather (w, at_{d})
    w_scale_{d} = Gather (w_scale, at_{d})
    r_{d} = Gather (r, at_{d})
    r_scale_{d} = Gather (r_scale, at_{d})
    {zeros}
    products_{d} = com.microsoft.MatMulIntegerToFloat (q, w_{d}, s, w_scale_{d}, z, {w_zero})
    {bias}
    h_{d} = Gather (h, at_{d})
    c_{d} = Gather (c, at_{d})
    last_h_{d}, last_c_{d}, every_{d} = Scan <num_scan_inputs = 1, {order} body = step_{d}
        (float before, float memory, float gates) => (float after, float kept, float out) {{
            qh, sh, zh = DynamicQuantizeLinear (before)
            sums = com.microsoft.MatMulIntegerToFloat (qh, r_{d}, sh, r_scale_{d}, zh, {r_zero})
            whole = Add (gates, sums)
            gi, go, gf, gc = Split <axis = -1> (whole)
            {input} {forget} {candidate}
            passed = Mul (f, memory)
            new = Mul (i, n)
            kept = Add (passed, new)
            {output}
            shown = {show} (kept)
            after = Mul (o, shown)
            out = Identity (after)
        }}> (h_{d}, c_{d}, gates_{d})
    y_{d} = Unsqueeze (every_{d}, second)
    yh_{d} = Unsqueeze (last_h_{d}, first)
    yc_{d} = Unsqueeze (last_c_{d}, first)
"""

LAYER = """layer ({inputs}) => (float y, float y_h, float y_c)
    <int64[1] first = {{0}}, int64[1] second = {{1}}, {constants}> {{
    q, s, z = DynamicQuantizeLinear (x)
    rows = Shape <start = 1, end = 2> (x)
    shape = Concat <axis = 0> (count, rows, features)
    {states}
    {peepholes}
    {directions}
    y = Concat <axis = 1> ({y})
    y_h = Concat <axis = 0> ({yh})
    y_c = Concat <axis = 0> ({yc})
}}"""


def dynamic_quantize_lstm(node: Node) -> onnx.GraphProto:
    """Return an LSTM whose products are those of integers of 8 bits.

    Data and states are quantized by the range of a whole matrix, as onnxruntime does in one thread;
    with several threads it may take a range for some rows of a batch.

    Raises
    ------
    Refused
        If sequences have lengths, a scale is 0, infinite or NaN, or an attribute is not supported
        or contradicts the weights.
    """
    if node.optional(4) is not None:
        raise Refused("lengths of sequences")
    for place in (8, 10):
        scale_of(node, place)
    name = node.attribute("direction", "forward")
    if name not in DIRECTIONS:
        raise Refused(f"direction `{name}`")
    reverse = DIRECTIONS[name]
    check_weights(node, len(reverse))
    activations = activations_of(node, len(reverse))
    directions = [
        direction(node, place, is_reverse, activations[3 * place : 3 * place + 3])
        for place, is_reverse in enumerate(reverse)
    ]
    places = range(len(reverse))
    missing = [one for at, one in enumerate(LSTM_INPUTS) if node.optional(at) is None]
    text = LAYER.format(
        inputs=", ".join(
            f"float no_{one}" if one in missing else f"float {one}" for one in LSTM_INPUTS
        ),
        states="\n".join(f"{one} = ConstantOfShape (shape)" for one in "hc" if one in missing),
        constants=", ".join(
            [
                f"int64[1] count = {{{len(reverse)}}}",
                f"int64[1] features = {{{dims(node.input(2))[1]}}}",
                *(f"int64 at_{d} = {{{d}}}" for d in places),
                *limits(node),
            ]
        ),
        peepholes="" if node.optional(7) is None else "pi, po, pf = Split <axis = -1> (p)",
        directions="".join(directions),
        **{kind: ", ".join(f"{kind}_{d}" for d in places) for kind in ("y", "yh", "yc")},
    )
    return onnx.parser.parse_graph(text)


def check_weights(node: Node, directions: int) -> None:
    """Check that the weights have a matrix for each direction, with a column for each gate."""
    for place in (1, 2):
        found, _, columns = dims_of_rank(node.input(place), 3)
        if found != directions:
            raise Refused(f"weights of {found} directions, which must be {directions}")
        features = dims(node.input(2))[1]
        if columns != 4 * features:
            raise Refused(f"weights of {columns} columns for {features} states")
    stated = node.attribute("hidden_size", features)
    if stated != features:
        raise Refused(f"hidden_size {stated} of {features} states")


def activations_of(node: Node, directions: int) -> list[str]:
    """Return the operators of the activation functions, three for each direction."""
    names = node.attribute("activations") or ["Sigmoid", "Tanh", "Tanh"] * directions
    texts = [one.decode(errors="replace") if isinstance(one, bytes) else one for one in names]
    if len(texts) != 3 * directions:
        raise Refused(f"{len(texts)} activations, expected {3 * directions}")
    for text in texts:
        if text.lower() not in ACTIVATIONS:
            raise Refused(f"activation `{text}`")
    return [ACTIVATIONS[text.lower()] for text in texts]


def limits(node: Node) -> list[str]:
    """Return the constants that bound the gates, if `clip` is given."""
    clip = node.attribute("clip")
    if clip is None:
        return []
    if not clip > 0:
        raise Refused(f"clip {clip}, which must be positive")
    return [f"float low = {{{-clip}}}", f"float high = {{{clip}}}"]


def direction(node: Node, place: int, is_reverse: bool, activations: list[str]) -> str:
    """Return the nodes of one direction."""
    of_gates, of_candidate, of_memory = activations
    zeros = {name: node.optional(at) is not None for name, at in (("w_zero", 9), ("r_zero", 11))}
    is_clipped = node.attribute("clip") is not None

    def gate(name: str, function: str, before: str, memory: str) -> str:
        """Return the nodes of a gate; `memory` is the one that its peephole sees."""
        lines, value = [], before
        if memory and node.optional(7) is not None:
            lines += [
                f"p_{name} = Gather (p{name}, at_{place})",
                f"seen_{name} = Mul (p_{name}, {memory})",
                f"with_{name} = Add ({value}, seen_{name})",
            ]
            value = f"with_{name}"
        if is_clipped:
            lines += [f"up_{name} = Max ({value}, low)", f"in_{name} = Min (up_{name}, high)"]
            value = f"in_{name}"
        return "\n".join([*lines, f"{name} = {function} ({value})"])

    forget = gate("f", of_gates, "gf", "memory")
    if node.flag("input_forget"):
        forget = "one = Constant <value_float = 1.0> ()\nf = Sub (one, i)"
    return DIRECTION.format(
        d=place,
        zeros="\n".join(
            f"{name}_{place} = Gather ({name}, at_{place})" for name, has in zeros.items() if has
        ),
        w_zero=f"w_zero_{place}" if zeros["w_zero"] else '""',
        r_zero=f"r_zero_{place}" if zeros["r_zero"] else '""',
        bias=bias(node, place),
        order="scan_input_directions = [1], scan_output_directions = [1]," if is_reverse else "",
        input=gate("i", of_gates, "gi", "memory"),
        forget=forget,
        candidate=gate("n", of_candidate, "gc", ""),
        output=gate("o", of_gates, "go", "kept"),
        show=of_memory,
    )


def bias(node: Node, place: int) -> str:
    """Return the nodes that add both biases to the products of the inputs."""
    if node.optional(3) is None:
        return f"gates_{place} = Identity (products_{place})"
    return "\n".join(
        [
            f"b_{place} = Gather (b, at_{place})",
            f"bw_{place}, br_{place} = Split <axis = 0> (b_{place})",
            f"bias_{place} = Add (bw_{place}, br_{place})",
            f"gates_{place} = Add (products_{place}, bias_{place})",
        ]
    )


# By domain and operator.
DEFINITIONS: dict[tuple[str, str], Definition] = {
    ("com.microsoft", "DynamicQuantizeLSTM"): dynamic_quantize_lstm,
}
