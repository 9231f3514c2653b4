"""Random calls of each operator of relay, from its declaration: shapes, data types, attributes.

In: a declaration.  Out: what a call takes, without arrays.  Operators whose relation is a name need
nothing more; the others have a function in `MAKERS` that draws shapes and attributes that fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import Any, NamedTuple

from .declarations import Operand, Operator

DTYPES = {
    "float": ["float16", "float32", "float64"],
    "int": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    "bool": ["bool"],
}
DTYPES["number"] = [*DTYPES["float"], *DTYPES["int"]]
DTYPES["any"] = [*DTYPES["number"], *DTYPES["bool"]]

Shape = tuple[int, ...]
# A shape for each operand: None for an absent one, a list for a variadic one.
Shapes = list[Any]
# Draws the shapes of the operands of a call, and its attributes.
Maker = Callable[[Random], tuple[Shapes, dict[str, Any]]]


class ShapeRandom(Random):
    """Random numbers for draws whose shapes come from elsewhere, such as from a graph."""

    def shape(self, rank: int | None, least: int) -> Shape:
        """Return a shape of a rank, None for any; `least` is the least dimension that is safe."""
        raise NotImplementedError


class Tensor(NamedTuple):
    """The type of an operand."""

    shape: Shape
    dtype: str


class Draw(NamedTuple):
    """A call that an operator takes: for each operand a type, None or a list; the attributes."""

    operands: list[Any]
    attributes: dict[str, Any]


def draw(operator: Operator, random: Random) -> Draw:
    """Draw a call of an operator."""
    shapes, attributes = draw_shapes(operator, random)
    dtypes: dict[str, str] = {}
    operands = [
        _tensors(shape, operand, dtypes, random)
        for shape, operand in zip(shapes, operator.operands, strict=True)
    ]
    return Draw(operands, attributes)


def variations(operator: Operator, random: Random) -> dict[str, Any]:
    """Draw values for attributes that do not decide shapes, each in half of the draws."""
    drawn: dict[str, Any] = {}
    for attribute in operator.attributes:
        if attribute.name in KEPT or random.random() < 0.5:
            continue
        if attribute.name in CHOICES:
            drawn[attribute.name] = random.choice(CHOICES[attribute.name])
        elif attribute.type == {"kind": "bool"}:
            drawn[attribute.name] = random.random() < 0.5
    return drawn


KEPT = ("allowzero", "ceil_mode", "keepdims")
"""Truth values that decide shapes: who draws shapes draws them."""
CHOICES: dict[str, tuple[Any, ...]] = {
    "coordinate_transformation_mode": (
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric", "align_corners"
    ),
    "cubic_coeff_a": (-0.75, -0.5),
    "epsilon": (1e-5, 1e-3, 0.25),
    "momentum": (0.9, 0.5),
    "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
    "reduction": ("none", "add", "mul", "max", "min"),
}  # fmt: skip
"""What attributes may be that are neither truth values nor about shapes."""


def shape(random: Random, rank: int | None = None, least: int = 1) -> Shape:
    """Draw a shape, with no dimension of 0 unless `least` is 0."""
    if isinstance(random, ShapeRandom):
        return random.shape(rank, least)
    count = random.randint(0, 4) if rank is None else rank
    return tuple(random.randint(least, 4) for _ in range(count))


def image(random: Random, drawn: Shape) -> Shape:
    """Return the shape of images, batch and channels first: one of a graph, else what was drawn."""
    if isinstance(random, ShapeRandom):
        return random.shape(len(drawn), 1)
    return drawn


def broadcastable(whole: Shape, random: Random) -> Shape:
    """Draw a shape that broadcasts to another one."""
    kept = whole[random.randint(0, len(whole)) :]
    return tuple(random.choice((1, dim)) for dim in kept)


def axis_of(rank: int, random: Random) -> int:
    """Draw an axis, from either end."""
    return random.randint(-rank, rank - 1)


def draw_shapes(operator: Operator, random: Random) -> tuple[Shapes, dict[str, Any]]:
    """Draw the shapes of the operands of a call, and its attributes."""
    name = operator.name
    if name in MAKERS:
        return MAKERS[name](random)
    whole = shape(random, least=0 if random.random() < 0.2 else 1)
    if operator.relation == "same":
        return [whole for _ in operator.operands], ATTRIBUTES.get(name, lambda _: {})(random)
    if operator.relation == "broadcast":
        attributes = ATTRIBUTES.get(name, lambda _: {})(random)
        shapes = [
            None if operand.optional and random.random() < 0.3 else broadcastable(whole, random)
            for operand in operator.operands
        ]
        return shapes, attributes
    assert operator.relation == "reduce", f"`{name}` needs a function in `MAKERS`"
    keepdims = random.random() < 0.5
    axes = random.sample(range(len(whole)), random.randint(0, len(whole)))
    return [whole], {"axis": None if random.random() < 0.2 else axes, "keepdims": keepdims}


def _tensors(drawn: Any, operand: Operand, dtypes: dict[str, str], random: Random) -> Any:
    """Return the type of an operand, or one for each element of a variadic one."""
    if drawn is None:
        return None
    if isinstance(drawn, list):
        return [_tensors(one, operand, dtypes, random) for one in drawn]
    return Tensor(drawn, _dtype(operand, dtypes, random))


def _dtype(operand: Operand, dtypes: dict[str, str], random: Random) -> str:
    if operand.variable in dtypes:
        return dtypes[operand.variable]
    accepted = DTYPES.get(operand.accepted, [operand.accepted])
    # What no declaration says: a mask is `bool`, or of the data type of the query.
    chosen = random.choice(["bool", dtypes["T"]] if operand.name == "mask" else accepted)
    if operand.variable:
        dtypes[operand.variable] = chosen
    return chosen


def _flag(name: str) -> Callable[[Random], dict[str, Any]]:
    return lambda random: {name: random.random() < 0.5}


ATTRIBUTES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "cast": lambda random: {"dtype": random.choice(DTYPES["any"])},
    "gelu": _flag("approximate"),
    "isinf": _flag("detect_negative"),
    "leaky_relu": lambda random: {"alpha": random.random()},
    "mod": _flag("truncated"),
}


def _reshape(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    dims: list[int] = list(random.sample(x, len(x)))
    if dims:
        dims[random.randrange(len(dims))] = -1
    if random.random() < 0.5:
        dims.insert(random.randint(0, len(dims)), 1)
    return [x], {"shape": dims}


def _transpose(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    axes = random.sample(range(-len(x), 0), len(x))
    return [x], {"axes": None if random.random() < 0.3 else axes}


def _squeeze(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    ones = [axis for axis, dim in enumerate(x) if dim == 1]
    return [x], {"axes": None if random.random() < 0.3 else ones[: random.randint(0, len(ones))]}


def _expand_dims(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, count = shape(random), random.randint(1, 3)
    return [x], {"axes": random.sample(range(len(x) + count), count)}


def _broadcast_to(random: Random) -> tuple[Shapes, dict[str, Any]]:
    whole = shape(random)
    return [broadcastable(whole, random)], {"shape": list(whole)}


def _tile(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    return [x], {"repeats": [random.randint(0, 3) for _ in x]}


def _concatenate(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 4))
    axis = axis_of(len(x), random)
    parts = []
    for _ in range(random.randint(1, 3)):
        part = list(x)
        part[axis] = random.randint(0, 3)
        parts.append(tuple(part))
    return [parts], {"axis": axis}


def _split(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 4))
    axis = axis_of(len(x), random)
    if random.random() < 0.5:
        return [x], {"sections": random.randint(1, 3), "axis": axis}
    first = random.randint(0, x[axis])
    return [x], {"sizes": [first, x[axis] - first], "axis": axis}


def _strided_slice(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    axes = random.sample(range(len(x)), random.randint(0, len(x)))
    bounds = [-(2**40), *range(-6, 7), 2**40]
    return [x], {
        "begin": [random.choice(bounds) for _ in axes],
        "end": [random.choice(bounds) for _ in axes],
        "axes": axes,
        "strides": [random.choice((-3, -1, 1, 2)) for _ in axes],
    }


def _pad(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random)
    mode = random.choice(("constant", "edge", "reflect", "symmetric", "wrap"))
    value = () if mode == "constant" and random.random() < 0.5 else None
    axes = None if random.random() < 0.5 else random.sample(range(len(x)), min(len(x), 2))
    widths = [[random.randint(0, 3) for _ in (x if axes is None else axes)] for _ in range(2)]
    return [x, value], {"before": widths[0], "after": widths[1], "mode": mode, "axes": axes}


def _take(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 3))
    axis = None if random.random() < 0.2 else axis_of(len(x), random)
    mode = random.choice(("raise", "clip", "wrap"))
    return [x, shape(random, random.randint(0, 2))], {"axis": axis, "mode": mode}


def _along_axis(random: Random) -> tuple[Shape, Shape, int]:
    x = shape(random, random.randint(1, 3))
    return x, tuple(random.randint(min(dim, 1), dim) for dim in x), axis_of(len(x), random)


def _take_along_axis(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, indices, axis = _along_axis(random)
    return [x, indices], {"axis": axis}


def _scatter_elements(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, indices, axis = _along_axis(random)
    return [x, indices, indices], {"axis": axis, "reduction": "none"}


def _gather_nd(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 4))
    batch = random.randint(0, len(x) - 1)
    depth = random.randint(1, len(x) - batch)
    rows = shape(random, random.randint(0, 2))
    return [x, (*x[:batch], *rows, depth)], {"batch_dims": batch}


def _scatter_nd(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 4))
    depth, rows = random.randint(1, len(x)), shape(random, random.randint(0, 2))
    return [x, (*rows, depth), (*rows, *x[depth:])], {"reduction": "none"}


def _along(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 4))
    return [x], {"axis": axis_of(len(x), random)}


def _index(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, keepdims = shape(random), random.random() < 0.5
    axis = axis_of(len(x), random) if x and random.random() < 0.8 else None
    return [x], {"axis": axis, "keepdims": keepdims}


def _topk(random: Random) -> tuple[Shapes, dict[str, Any]]:
    shapes, attributes = _along(random)
    k = random.randint(0, shapes[0][attributes["axis"]])
    return shapes, {**attributes, "k": k, "largest": random.random() < 0.5}


def _matmul(random: Random) -> tuple[Shapes, dict[str, Any]]:
    batch = shape(random, random.randint(0, 2))
    m, k, n = shape(random, 3)
    return [(*broadcastable(batch, random), m, k), (*broadcastable(batch, random), k, n)], {}


def _einsum(random: Random) -> tuple[Shapes, dict[str, Any]]:
    sizes = dict(zip("ijK", shape(random, 3), strict=True))
    rest = shape(random, random.randint(0, 2)) if random.random() < 0.5 else None
    terms, shapes = [], []
    for _ in range(random.randint(1, 3)):
        term = random.choices([*sizes], k=random.randint(0, 3))
        dims = [sizes[letter] for letter in term]
        if rest is not None:
            at = random.randint(0, len(term))
            dims[at:at] = broadcastable(rest, random)
            term.insert(at, "...")
        terms.append("".join(term))
        shapes.append(tuple(dims))
    letters = sorted({*"".join(terms)} - {"."})
    result = [*random.sample(letters, random.randint(0, len(letters)))]
    if rest is not None:
        result.insert(random.randint(0, len(result)), "...")
    arrow = "" if random.random() < 0.3 else f" -> {''.join(result)}"
    return [shapes], {"equation": ", ".join(terms) + arrow}


def _shape_of(random: Random) -> tuple[Shapes, dict[str, Any]]:
    end = random.choice((None, random.randint(-5, 5)))
    return [shape(random)], {"start": random.randint(-5, 5), "end": end}


def _window(rank: int, random: Random) -> dict[str, Any]:
    auto_pad = random.choice(("notset", "notset", "same_upper", "same_lower", "valid"))
    pads = [random.randint(0, 1) for _ in range(2 * rank)]
    return {
        "strides": [random.randint(1, 3) for _ in range(rank)],
        "pads": pads if auto_pad == "notset" else None,
        "auto_pad": auto_pad,
        "dilations": [random.randint(1, 2) for _ in range(rank)],
    }


def _conv(random: Random) -> tuple[Shapes, dict[str, Any]]:
    rank, groups = random.randint(1, 3), random.randint(1, 2)
    n, c, o = random.randint(1, 2), groups * random.randint(1, 2), groups * random.randint(1, 2)
    data = image(random, (n, c, *(random.randint(5, 7) for _ in range(rank))))
    if data[1] != c:
        groups = random.choice([one for one in range(1, data[1] + 1) if data[1] % one == 0])
        c, o = data[1], groups * random.randint(1, 2)
    weight = (o, c // groups, *(random.randint(1, 3) for _ in range(rank)))
    bias = (o,) if random.random() < 0.5 else None
    return [data, weight, bias], {**_window(rank, random), "groups": groups}


def _integer_conv(random: Random) -> tuple[Shapes, dict[str, Any]]:
    (data, weight, _), drawn = _conv(random)
    kernel = list(weight[2:])
    window = {name: drawn[name] for name in ("strides", "dilations", "groups")}
    return [data, (weight[0], weight[1] * prod(kernel))], {"kernel": kernel, **window}


def _conv_transpose(random: Random) -> tuple[Shapes, dict[str, Any]]:
    rank, groups = random.randint(1, 2), random.randint(1, 2)
    c, o = groups * random.randint(1, 2), random.randint(1, 2)
    data = image(random, (1, c, *(random.randint(3, 5) for _ in range(rank))))
    if data[1] != c:
        groups = random.choice([one for one in range(1, data[1] + 1) if data[1] % one == 0])
        c = data[1]
    weight = (c, o, *(random.randint(1, 3) for _ in range(rank)))
    bias = (o * groups,) if random.random() < 0.5 else None
    extra: dict[str, Any] = {"output_padding": [random.randint(0, 1) for _ in range(rank)]}
    if random.random() < 0.3:
        extra |= {"output_shape": [random.randint(3, 9) for _ in range(rank)], "pads": None}
    return [data, weight, bias], {**_window(rank, random), **extra, "groups": groups}


def _pool(random: Random) -> tuple[Shapes, dict[str, Any]]:
    rank = random.randint(1, 3)
    data = image(random, (1, 2, *(random.randint(5, 7) for _ in range(rank))))
    kernel = [random.randint(1, 3) for _ in range(rank)]
    return [data], {
        "kernel": kernel, **_window(rank, random), "ceil_mode": random.random() < 0.5
    }  # fmt: skip


def _pool_with_indices(random: Random) -> tuple[Shapes, dict[str, Any]]:
    shapes, attributes = _pool(random)
    return shapes, {**attributes, "column_major": random.random() < 0.5}


def _batch_norm(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(2, 4))
    return [x, *[(x[1],)] * 4], {}


def _group_norm(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = image(random, (2, 4, *shape(random, random.randint(0, 2))))
    groups = random.choice((1, 2, 4)) if x[1] == 4 else random.choice((1, x[1]))
    return [x, (x[1],), random.choice(((x[1],), None))], {"groups": groups}


def _last_axes(random: Random) -> tuple[Shape, Shape | None, int]:
    x = shape(random, random.randint(1, 4))
    axis = axis_of(len(x), random)
    scale = broadcastable(x[axis:], random)
    return x, random.choice((scale, None)), axis


def _layer_norm(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, scale, axis = _last_axes(random)
    return [x, scale, scale], {"axis": axis}


def _rms_norm(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x, scale, axis = _last_axes(random)
    return [x, scale], {"axis": axis}


def _attention(random: Random) -> tuple[Shapes, dict[str, Any]]:
    n, heads, q, k, d, e = (random.randint(1, 3) for _ in range(6))
    query = image(random, (n, heads * random.randint(1, 2), q, d))
    if isinstance(random, ShapeRandom):
        n, heads, q, d = query
    mask = random.choice(((*query[:3], k), (q, 1), (k,), None))
    operands: Shapes = [query, (n, heads, k, d), (n, heads, k, e), mask]
    return operands, {
        "causal": random.random() < 0.5,
        "scale": random.choice((None, 0.5)),
        "softcap": random.choice((0.0, 2.0)),
    }


def _recurrent(gates: int, states: int, others: Sequence[str]) -> Maker:
    """Return what draws the shapes of a recurrent layer: `others` are its optional operands."""

    def draw_layer(random: Random) -> tuple[Shapes, dict[str, Any]]:
        times, rows, features = random.randint(0, 4), random.randint(1, 3), random.randint(1, 5)
        every: dict[str, Shape] = {
            "peephole": (3, features), "bias": (features,), "lengths": (rows,)
        }  # fmt: skip
        operands: Shapes = [(times, rows, gates, features), *[(rows, features)] * states]
        operands.append((features, gates * features))
        operands += [every[name] if random.random() < 0.5 else None for name in others]
        return operands, {"clip": random.choice((None, 0.5)), "reverse": random.random() < 0.5}

    return draw_layer


def _gru(random: Random) -> tuple[Shapes, dict[str, Any]]:
    operands, attributes = _recurrent(3, 1, ["bias", "lengths"])(random)
    return operands, {**attributes, "reset_after": operands[3] is not None}


def _tree_leaves(random: Random) -> tuple[Shapes, dict[str, Any]]:
    rows, features, trees, nodes = (random.randint(least, 9) for least in (0, 1, 0, 1))
    optional = [(nodes,) if random.random() < 0.5 else None for _ in range(2)]
    operands = [(rows, features), (trees,), (nodes,), (nodes,), (nodes, 2), *optional]
    return operands, {"depth": random.randint(0, 4)}


def _matmul_n_bits(random: Random) -> tuple[Shapes, dict[str, Any]]:
    panels, blocks, words = (random.randint(1, 3) for _ in range(3))
    scales = (panels, blocks, 16)
    zeros = scales if random.random() < 0.5 else None
    operands = [shape(random, random.randint(1, 3)), (panels, blocks, words, 16), scales, zeros]
    attributes = {"bits": random.choice((2, 4, 8)), "columns": random.randint(0, 16 * panels)}
    return operands, attributes


def _non_max_suppression(random: Random) -> tuple[Shapes, dict[str, Any]]:
    images, classes, boxes = (random.randint(least, 5) for least in (1, 0, 0))
    threshold = () if random.random() < 0.5 else None
    operands = [(images, boxes, 4), (images, classes, boxes), (), threshold]
    return operands, {"max_output": random.randint(0, 4)}


def _resize(random: Random) -> tuple[Shapes, dict[str, Any]]:
    x = shape(random, random.randint(1, 3))
    axes = random.sample(range(len(x)), random.randint(1, len(x)))
    attributes: dict[str, Any] = {
        "axes": axes, "mode": random.choice(("nearest", "linear", "cubic"))
    }  # fmt: skip
    if random.random() < 0.5:
        return [x], {**attributes, "sizes": [random.randint(1, 5) for _ in axes]}
    return [x], {**attributes, "scales": [random.choice((0.5, 1.0, 1.5, 2.0)) for _ in axes]}


def _arange(random: Random) -> tuple[Shapes, dict[str, Any]]:
    start, stop = random.randint(-5, 5), random.randint(-5, 5)
    step = random.choice((-3, -1, 1, 2))
    return [], {"start": start, "stop": stop, "step": step, "dtype": random.choice(DTYPES["float"])}


MAKERS: dict[str, Maker] = {
    "arange": _arange,
    "argmax": _index,
    "argmin": _index,
    "attention": _attention,
    "avg_pool": _pool,
    "batch_norm": _batch_norm,
    "batch_norm_training": _batch_norm,
    "broadcast_to": _broadcast_to,
    "concatenate": _concatenate,
    "conv": _conv,
    "conv_transpose": _conv_transpose,
    "cumprod": _along,
    "cumsum": _along,
    "einsum": _einsum,
    "expand_dims": _expand_dims,
    "full": lambda random: ([()], {"shape": list(shape(random))}),
    "gather_nd": _gather_nd,
    "group_norm": _group_norm,
    "gru": _gru,
    "integer_conv": _integer_conv,
    "integer_matmul": _matmul,
    "layer_norm": _layer_norm,
    "layer_norm_with_statistics": _layer_norm,
    "log_softmax": _along,
    "lstm": _recurrent(4, 2, ["peephole", "lengths"]),
    "matmul": _matmul,
    "matmul_n_bits": _matmul_n_bits,
    "max_pool": _pool,
    "max_pool_with_indices": _pool_with_indices,
    "non_max_suppression": _non_max_suppression,
    "nonzero": lambda random: ([shape(random)], {}),
    "pad": _pad,
    "reshape": _reshape,
    "resize": _resize,
    "rms_norm": _rms_norm,
    "rnn": _recurrent(1, 1, ["lengths"]),
    "scatter_elements": _scatter_elements,
    "scatter_nd": _scatter_nd,
    "shape_of": _shape_of,
    "softmax": _along,
    "split": _split,
    "squeeze": _squeeze,
    "strided_slice": _strided_slice,
    "take": _take,
    "take_along_axis": _take_along_axis,
    "tile": _tile,
    "topk": _topk,
    "transpose": _transpose,
    "tree_leaves": _tree_leaves,
}
