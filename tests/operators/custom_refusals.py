"""What operators whose types C++ infers demand of shapes and attributes, in the order of checks.

A function has the parameters of the operator, with types for operands, and raises `Refused`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import Any

from .draws import Shape, Tensor
from .refusals import Match, Refused, axes, one_axis


def _rank(name: str, shape: Shape, expected: int) -> None:
    if len(shape) != expected:
        text = f"operand `{name}` has rank {len(shape)}, expected {expected}"
        raise Refused("TypeError", f"{text} (its shape is {shape})")


def _dimension(name: str, shape: Shape, axis: int, expected: int) -> None:
    if shape[axis] != expected:
        text = f"operand `{name}`: dimension {axis} is {shape[axis]}, expected {expected}"
        raise Refused("TypeError", f"{text} (the shape of `{name}` is {shape})")


def _same_shape(name: str, shape: Shape, expected: Shape) -> None:
    _rank(name, shape, len(expected))
    for axis, dim in enumerate(expected):
        _dimension(name, shape, axis, dim)


def _broadcasts(name: str, shape: Shape, target: Shape) -> None:
    tail = target[len(target) - len(shape) :]
    if len(shape) > len(target) or any(a not in (1, b) for a, b in zip(shape, tail, strict=True)):
        text = f"operand `{name}` of shape {shape} does not broadcast to {target}"
        raise Refused("TypeError", text)


def _length(attribute: str, value: list[Any] | None, expected: int) -> None:
    if value is not None and len(value) != expected:
        text = f"`{attribute}` must have {expected} elements, got {len(value)}"
        raise Refused("ValueError", text)


def _spatial(name: str, shape: Shape) -> int:
    if len(shape) < 3:
        text = f"operand `{name}` has rank {len(shape)}, expected at least 3"
        raise Refused("TypeError", f"{text} for `(n, c, *spatial)` (its shape is {shape})")
    return len(shape) - 2


def _each(attribute: str, value: list[int] | None, count: int, default: int) -> list[int]:
    """Return an element for each place; one alone stands for all."""
    elements = [default] if value is None else value
    if len(elements) == 1:
        return elements * count
    _length(attribute, elements, count)
    return elements


def _window(kernel: Shape, window: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Return the extents of a window, and the padding."""
    _each("strides", window["strides"], len(kernel), 1)
    dilations = _each("dilations", window["dilations"], len(kernel), 1)
    pads = _each("pads", window["pads"], 2 * len(kernel), 0)
    pairs = zip(kernel, dilations, strict=True)
    return [(extent - 1) * step + 1 for extent, step in pairs], pads


def _places(kernel: Shape, spatial: Shape, window: dict[str, Any]) -> None:
    spans, pads = _window(kernel, window)
    if window["auto_pad"].startswith("same"):
        return
    strides = _each("strides", window["strides"], len(kernel), 1)
    for axis, (span, dim) in enumerate(zip(spans, spatial, strict=True)):
        padded = dim + pads[axis] + pads[axis + len(kernel)]
        # With `ceil_mode`, the last place may lack up to a stride minus one elements.
        is_ceil = window.get("ceil_mode", False)
        missing = strides[axis] - 1 if is_ceil else 0
        if span > padded + missing or (is_ceil and dim + pads[axis] < 1):
            text = f"the window spans {span} of {padded} padded elements along axis {axis + 2}"
            raise Refused("ValueError", text)


def _divides(name: str, channels: int, groups: int) -> None:
    if channels % groups:
        text = f"the channels of operand `{name}` do not divide into {groups} groups"
        raise Refused("ValueError", text)


def _bias(bias: Tensor | None, channels: int) -> None:
    if bias is not None:
        _same_shape("bias", bias.shape, (channels,))


def _conv(data: Tensor, weight: Tensor, bias: Tensor | None, groups: int, **window: Any) -> None:
    _spatial("data", data.shape)
    _rank("weight", weight.shape, len(data.shape))
    _divides("data", data.shape[1], groups)
    _divides("weight", weight.shape[0], groups)
    _dimension("weight", weight.shape, 1, data.shape[1] // groups)
    _bias(bias, weight.shape[0])
    _places(weight.shape[2:], data.shape[2:], window)


def _integer_conv(
    data: Tensor, rows: Tensor, kernel: list[int], groups: int, **window: Any
) -> None:
    spatial = _spatial("data", data.shape)
    _rank("rows", rows.shape, 2)
    _length("kernel", kernel, spatial)
    _divides("data", data.shape[1], groups)
    _divides("rows", rows.shape[0], groups)
    _dimension("rows", rows.shape, 1, data.shape[1] // groups * prod(kernel))
    _places(tuple(kernel), data.shape[2:], {**window, "pads": None, "auto_pad": "notset"})


def _conv_transpose(
    data: Tensor, weight: Tensor, bias: Tensor | None, groups: int, **window: Any
) -> None:
    spatial = _spatial("data", data.shape)
    _rank("weight", weight.shape, len(data.shape))
    _divides("data", data.shape[1], groups)
    _dimension("weight", weight.shape, 0, data.shape[1])
    _bias(bias, weight.shape[1] * groups)
    _window(weight.shape[2:], window)
    _length("output_padding", window["output_padding"], spatial)
    _length("output_shape", window["output_shape"], spatial)


def _pool(x: Tensor, kernel: list[int], **window: Any) -> None:
    extents = _each("kernel", kernel, _spatial("x", x.shape), 1)
    _places(tuple(extents), x.shape[2:], window)


def _take(x: Tensor, indices: Tensor, axis: int | None, **_: Any) -> None:
    if axis is not None:
        one_axis(axis, x.shape)


def _rows(indices: Shape, most: int) -> int:
    if not indices:
        raise Refused("TypeError", "operand `indices` must have rank 1 or more")
    if indices[-1] > most:
        text = f"the rows of operand `indices` have {indices[-1]} elements, but operand `x` has "
        raise Refused("ValueError", f"{text}{most} axes for them")
    return indices[-1]


def _gather_nd(x: Tensor, indices: Tensor, batch_dims: int) -> None:
    most = min(len(x.shape), max(len(indices.shape) - 1, 0))
    if not 0 <= batch_dims <= most:
        raise Refused("ValueError", f"`batch_dims` must be from 0 to {most}, got {batch_dims}")
    _rows(indices.shape, len(x.shape) - batch_dims)
    for axis in range(batch_dims):
        _dimension("indices", indices.shape, axis, x.shape[axis])


def _reduction(reduction: str, x: Tensor) -> None:
    if reduction != "none" and x.dtype == "bool":
        text = "which takes numbers: operand `x` has data type `bool`"
        raise Refused("TypeError", f"`reduction` is `{reduction}`, {text}")


def _scatter_nd(x: Tensor, indices: Tensor, updates: Tensor, reduction: str) -> None:
    _reduction(reduction, x)
    depth = _rows(indices.shape, len(x.shape))
    _same_shape("updates", updates.shape, indices.shape[:-1] + x.shape[depth:])


def _take_along_axis(x: Tensor, indices: Tensor, axis: int) -> None:
    at = one_axis(axis, x.shape)
    _rank("indices", indices.shape, len(x.shape))
    for other, (found, most) in enumerate(zip(indices.shape, x.shape, strict=True)):
        if other != at and found > most:
            raise Refused(
                "TypeError",
                f"operand `indices`: dimension {other} is {found}, expected at most {most}, that "
                f"of operand `x` (the shape of `indices` is {indices.shape})",
            )


def _scatter_elements(
    x: Tensor, indices: Tensor, updates: Tensor, axis: int, reduction: str
) -> None:
    _reduction(reduction, x)
    _take_along_axis(x, indices, axis)
    _same_shape("updates", updates.shape, indices.shape)


def _resize(
    x: Tensor, sizes: list[int] | None, scales: list[float] | None, axes_: Any, **_: Any
) -> None:
    count = len(axes(axes_, x.shape, "axes"))
    _length("sizes", sizes, count)
    _length("scales", scales, count)


def _has_element(name: str, shape: Shape, axis: int) -> None:
    if shape[axis] < 1:
        text = f"operand `{name}`: dimension {axis} must have elements"
        raise Refused("ValueError", f"{text} (the shape of `{name}` is {shape})")


def _index(x: Tensor, axis: int | None, **_: Any) -> None:
    for at in axes(None if axis is None else [axis], x.shape, "axis"):
        _has_element("x", x.shape, at)


def _layer_norm(x: Tensor, scale: Tensor | None, bias: Tensor | None, axis: int, **_: Any) -> None:
    tail = x.shape[one_axis(axis, x.shape) :]
    for name, operand in (("scale", scale), ("bias", bias)):
        if operand is not None:
            _broadcasts(name, operand.shape, tail)


def _topk(x: Tensor, k: int, axis: int, **_: Any) -> None:
    at = one_axis(axis, x.shape)
    if not 0 <= k <= x.shape[at]:
        text = f"`k` must be from 0 to dimension {at} of operand `x` of shape {x.shape}, got {k}"
        raise Refused("ValueError", text)


def _reshape(x: Tensor, shape: list[int], **_: Any) -> None:
    total = known = 1
    for dim in x.shape:
        total *= dim
    for dim in shape:
        known *= 1 if dim == -1 else dim
    if total % known if -1 in shape else total != known:
        text = f"operand `x` of shape {x.shape} cannot have the shape {tuple(shape)}, which has "
        raise Refused("ValueError", f"{text}another number of elements")


def _transpose(x: Tensor, axes_: list[int] | None) -> None:
    _length("axes", axes(axes_, x.shape, "axes"), len(x.shape))


def _squeeze(x: Tensor, axes_: list[int] | None) -> None:
    found = axes(axes_, x.shape, "axes")
    for axis in found if axes_ is not None else []:
        _dimension("x", x.shape, axis, 1)


def _expand_dims(x: Tensor, axes_: list[int]) -> None:
    axes(axes_, (1,) * (len(x.shape) + len(axes_)), "axes")


def _concatenate(tensors: list[Tensor], axis: int) -> None:
    first = tensors[0].shape
    at = one_axis(axis, first)
    for place, tensor in enumerate(tensors):
        _rank(f"tensors[{place}]", tensor.shape, len(first))
        for other in range(len(first)):
            if other != at:
                _dimension(f"tensors[{place}]", tensor.shape, other, first[other])


def _split(x: Tensor, sizes: list[int] | None, axis: int, **_: Any) -> None:
    at = one_axis(axis, x.shape)
    if sizes is not None and sum(sizes) != x.shape[at]:
        text = f"`sizes` {tuple(sizes)} must add up to dimension {at} of operand `x` of shape "
        raise Refused("ValueError", f"{text}{x.shape}")


def _strided_slice(
    x: Tensor, begin: list[int], end: list[int], axes_: list[int] | None, strides: Any
) -> None:
    found = axes(axes_, x.shape, "axes")
    count = min(len(found), len(begin)) if axes_ is None else len(found)
    for attribute, value in (("begin", begin), ("end", end), ("strides", strides)):
        _length(attribute, value, count)


def _pad(
    x: Tensor, value: Tensor | None, before: list[int], after: list[int], axes_: Any, **_: Any
) -> None:
    if value is not None:
        _rank("value", value.shape, 0)
    count = len(axes(axes_, x.shape, "axes"))
    _length("before", before, count)
    _length("after", after, count)


def _einsum(tensors: list[Tensor], equation: str) -> None:
    match = Match({})
    for place, term in enumerate(equation.replace(" ", "").split("->")[0].split(",")):
        dims = ["*rest" if name == "..." else name for name in re.findall(r"\.\.\.|\w", term)]
        match.operand(f"({', '.join(dims)})", f"tensors[{place}]", tensors[place].shape)


def _attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **_: Any) -> None:
    for name, operand in (("query", query), ("key", key), ("value", value)):
        _rank(name, operand.shape, 4)
    for axis in (0, 3):
        _dimension("key", key.shape, axis, query.shape[axis])
    for axis in (0, 1, 2):
        _dimension("value", value.shape, axis, key.shape[axis])
    if query.shape[1] % key.shape[1]:
        raise Refused(
            "ValueError",
            f"the heads of operand `query` of shape {query.shape} must be a multiple of those of "
            f"operand `key` of shape {key.shape}",
        )
    if mask is not None:
        if mask.dtype not in ("bool", query.dtype):
            found = f"operand `mask` has data type `{mask.dtype}`"
            raise Refused("TypeError", f"{found}, expected `bool` or `{query.dtype}`")
        _broadcasts("mask", mask.shape, (*query.shape[:3], key.shape[2]))


def _recurrent(
    gates: Tensor, hidden: Tensor, num_gates: int, expected: dict[str, tuple[Tensor | None, Shape]]
) -> None:
    """Check operands, each with the shape that it must have."""
    _rank("gates", gates.shape, 4)
    _dimension("gates", gates.shape, 2, num_gates)
    _same_shape("hidden", hidden.shape, (gates.shape[1], gates.shape[3]))
    for name, (operand, shape) in expected.items():
        if operand is not None:
            _same_shape(name, operand.shape, shape)


def _rnn(
    gates: Tensor, hidden: Tensor, weight: Tensor, lengths: Tensor | None, **_: Any
) -> None:  # fmt: skip
    _, rows, _, features = (*gates.shape, 0, 0, 0, 0)[:4]
    expected = {"weight": (weight, (features, features)), "lengths": (lengths, (rows,))}
    _recurrent(gates, hidden, 1, expected)


def _gru(
    gates: Tensor,
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    lengths: Tensor | None,
    reset_after: bool,
    **_: Any,
) -> None:
    _, rows, _, features = (*gates.shape, 0, 0, 0, 0)[:4]
    expected = {
        "weight": (weight, (features, 3 * features)),
        "bias": (bias, (features,)),
        "lengths": (lengths, (rows,)),
    }
    _recurrent(gates, hidden, 3, expected)
    if bias is not None and not reset_after:
        text = "operand `bias` needs `reset_after=True`; add it to `gates`"
        raise Refused("ValueError", text)


def _lstm(
    gates: Tensor,
    hidden: Tensor,
    cell: Tensor,
    weight: Tensor,
    peephole: Tensor | None,
    lengths: Tensor | None,
    **_: Any,
) -> None:
    _, rows, _, features = (*gates.shape, 0, 0, 0, 0)[:4]
    expected = {
        "cell": (cell, (rows, features)),
        "weight": (weight, (features, 4 * features)),
        "peephole": (peephole, (3, features)),
        "lengths": (lengths, (rows,)),
    }
    _recurrent(gates, hidden, 4, expected)


def _non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    iou_threshold: Tensor,
    score_threshold: Tensor | None,
    max_output: int,
    **_: Any,
) -> None:
    _rank("boxes", boxes.shape, 3)
    _rank("scores", scores.shape, 3)
    _dimension("boxes", boxes.shape, 2, 4)
    _dimension("scores", scores.shape, 0, boxes.shape[0])
    _dimension("scores", scores.shape, 2, boxes.shape[1])
    for name, operand in (("iou_threshold", iou_threshold), ("score_threshold", score_threshold)):
        if operand is not None:
            _rank(name, operand.shape, 0)
    if max_output < 0:
        raise Refused("ValueError", f"`max_output` must not be negative, got {max_output}")


def _with_axes(function: Callable[..., None]) -> Callable[..., None]:
    """Pass the attribute `axes` as `axes_`, beside the function of that name."""

    def check(*operands: Any, axes: Any, **attributes: Any) -> None:
        function(*operands, axes_=axes, **attributes)

    return check


CUSTOM: dict[str, Callable[..., None]] = {
    "argmax": _index,
    "argmin": _index,
    "attention": _attention,
    "avg_pool": _pool,
    "broadcast_to": lambda x, shape: _broadcasts("x", x.shape, tuple(shape)),
    "concatenate": _concatenate,
    "conv": _conv,
    "conv_transpose": _conv_transpose,
    "einsum": _einsum,
    "expand_dims": _with_axes(_expand_dims),
    "gather_nd": _gather_nd,
    "gru": _gru,
    "integer_conv": _integer_conv,
    "layer_norm": _layer_norm,
    "layer_norm_with_statistics": _layer_norm,
    "lstm": _lstm,
    "max_pool": _pool,
    "max_pool_with_indices": _pool,
    "non_max_suppression": _non_max_suppression,
    "nonzero": lambda x: None,
    "pad": _with_axes(_pad),
    "reshape": _reshape,
    "resize": _with_axes(_resize),
    "rms_norm": lambda x, scale, axis, **_: _layer_norm(x, scale, None, axis),
    "rnn": _rnn,
    "scatter_elements": _scatter_elements,
    "scatter_nd": _scatter_nd,
    "shape_of": lambda x, start, end: None,
    "split": _split,
    "squeeze": _with_axes(_squeeze),
    "strided_slice": _with_axes(_strided_slice),
    "take": _take,
    "take_along_axis": _take_along_axis,
    "tile": lambda x, repeats: _length("repeats", repeats, len(x.shape)),
    "topk": _topk,
    "transpose": _with_axes(_transpose),
}
