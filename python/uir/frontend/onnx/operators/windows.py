"""Convolutions and poolings."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, product, rank, scalar
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "check_kernel", "window"]


# The largest step that an index of int32 takes.
LARGEST = 2**31 - 1


def window(node: Node, rank: int) -> dict[str, Any]:
    """Return strides, dilations and padding of a window."""
    auto_pad = node.attribute("auto_pad", "NOTSET").lower()
    pads = node.attribute("pads", None) if auto_pad == "notset" else None
    for name in ("strides", "dilations", "pads"):
        if max(map(abs, node.attribute(name) or ()), default=0) > LARGEST:
            raise Refused(f"`{name}` beyond int32: {list(node.attribute(name))}")
    return {
        "strides": list(node.attribute("strides", [1] * rank)),
        "dilations": list(node.attribute("dilations", [1] * rank)),
        "pads": None if pads is None else list(pads),
        "auto_pad": auto_pad,
    }


def pooling(node: Node) -> dict[str, Any]:
    """Return the window of a pooling."""
    kernel = list(node.attribute("kernel_shape"))
    options = window(node, len(kernel))
    return {"kernel": kernel, "ceil_mode": node.flag("ceil_mode"), **options}


def check_kernel(node: Node, weight: RelayExpr) -> None:
    """Check that the attribute `kernel_shape` is that of a weight of shape (o, c, *kernel).

    Raises
    ------
    Refused
        If it is not.
    """
    stated, found = node.attribute("kernel_shape"), dims(weight)[2:]
    if stated is not None and not is_same_shape(stated, found):
        raise Refused(
            f"`kernel_shape` is {list(stated)}, and the weight has the kernel "
            f"[{', '.join(map(str, found))}]"
        )


def is_same_shape(stated: Sequence[int], found: Sequence[Dim]) -> bool:
    """Return whether numbers are those of a shape, whose symbolic dimensions may be any."""
    return len(stated) == len(found) and all(
        size == dim for size, dim in zip(stated, found, strict=True) if isinstance(dim, int)
    )


def conv(node: Node) -> RelayExpr:
    """Convolve (n, c, ...) with weights (o, c / groups, ...)."""
    data, weight = node.input(0), node.input(1)
    check_kernel(node, weight)
    options = window(node, rank(weight) - 2)
    groups = node.attribute("group", 1)
    if not is_column(data, weight):
        return relay.conv(data, weight, node.optional(2), groups=groups, **options)
    rows = (turned(data), turned(weight), node.optional(2))
    return turned(relay.conv(*rows, groups=groups, **turned_window(options)))


def is_column(data: RelayExpr, weight: RelayExpr) -> bool:
    """Return whether images and windows are columns, which are slow: vectors go along rows."""
    return rank(weight) == 4 and dims(data)[3:] == dims(weight)[3:] == [1] != dims(weight)[2:3]


def turned(x: RelayExpr) -> RelayExpr:
    """Exchange the two axes of images or windows."""
    return relay.transpose(x, [0, 1, 3, 2])


def turned_window(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a window whose two axes are exchanged."""
    pads = options["pads"]
    return {
        **options,
        "strides": options["strides"][::-1],
        "dilations": options["dilations"][::-1],
        "pads": None if pads is None else [pads[at] for at in (1, 0, 3, 2)],
    }


def conv_transpose(node: Node) -> RelayExpr:
    """Return the gradient of a convolution; `output_shape` determines the padding."""
    data, weight = node.input(0), node.input(1)
    check_kernel(node, weight)
    options = window(node, rank(weight) - 2)
    shape: Sequence[int] | None = node.attribute("output_shape")
    if shape is not None:
        options["pads"] = None
    return relay.conv_transpose(
        data,
        weight,
        node.optional(2),
        output_padding=output_padding(node, options),
        output_shape=None if shape is None else list(shape),
        groups=node.attribute("group", 1),
        **options,
    )


def output_padding(node: Node, options: dict[str, Any]) -> list[int]:
    """Return how many elements follow each axis of a transposed convolution.

    Raises
    ------
    Refused
        If there are as many as a stride or a dilation, whichever is greater, or more.
    """
    padding: list[int] = list(node.attribute("output_padding", [0] * len(options["strides"])))
    for added, stride, dilation in zip(
        padding, options["strides"], options["dilations"], strict=False
    ):
        if added >= max(stride, dilation):
            raise Refused(
                f"`output_padding` {added} must be less than the stride {stride} or the dilation "
                f"{dilation}"
            )
    return padding


def max_pool(node: Node) -> Outputs:
    """Return maxima of windows and, on demand, their int64 places in the tensor."""
    x, options = node.input(0), pooling(node)
    if not node.has_output(1):
        return relay.max_pool(x, **options)
    both = node.bind(
        relay.max_pool_with_indices(x, column_major=node.flag("storage_order"), **options)
    )
    return [both[0], both[1]]


def avg_pool(node: Node) -> RelayExpr:
    """Return means of windows, which count padding if `count_include_pad` is set."""
    count_include_pad = node.flag("count_include_pad")
    return relay.avg_pool(node.input(0), count_include_pad=count_include_pad, **pooling(node))


def order_of_norm(node: Node) -> int:
    """Return the exponent of a norm, which is a divisor too."""
    p = int(node.attribute("p", 2))
    if p == 0:
        raise Refused("`p` must not be 0")
    return p


def lp_pool(node: Node) -> RelayExpr:
    """Take the root of the sum of powers, which is the mean times the size of the window."""
    x, p, options = node.input(0), order_of_norm(node), pooling(node)
    powers = relay.power(relay.abs(x), scalar(p, x))
    means = relay.avg_pool(powers, count_include_pad=True, **options)
    total = relay.multiply(means, scalar(prod(options["kernel"]), x))
    return relay.power(total, scalar(1 / p, x))


def global_pool(node: Node) -> RelayExpr:
    """Reduce all spatial axes to length 1, by mean or maximum."""
    x = node.input(0)
    pool = relay.max if node.operator == "GlobalMaxPool" else relay.mean
    return pool(x, list(range(2, rank(x))), keepdims=True)


def global_lp_pool(node: Node) -> RelayExpr:
    """Reduce all spatial axes to length 1, by the norm `p`."""
    x, p = node.input(0), order_of_norm(node)
    powers = relay.power(relay.abs(x), scalar(p, x))
    total = relay.sum(powers, list(range(2, rank(x))), keepdims=True)
    return relay.power(total, scalar(1 / p, x))


def local_response_norm(node: Node) -> RelayExpr:
    """Average squares over neighboring channels: a pooling along the channels."""
    x, size = node.input(0), node.attribute("size")
    shape = dims(x)
    squares = relay.reshape(
        relay.multiply(x, x), [shape[0], 1, shape[1], product(shape[2:])], allowzero=True
    )
    pads = [(size - 1) // 2, 0, size // 2, 0]
    means = relay.avg_pool(squares, kernel=[size, 1], pads=pads, count_include_pad=True)
    scaled = relay.multiply(
        relay.reshape(means, shape, allowzero=True), scalar(node.attribute("alpha", 1e-4), x)
    )
    total = relay.add(scaled, scalar(node.attribute("bias", 1.0), x))
    return relay.divide(x, relay.power(total, scalar(node.attribute("beta", 0.75), x)))


CONVERTERS: dict[str, Converter] = {
    "AveragePool": avg_pool,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "GlobalAveragePool": global_pool,
    "GlobalLpPool": global_lp_pool,
    "GlobalMaxPool": global_pool,
    "LRN": local_response_norm,
    "LpPool": lp_pool,
    "MaxPool": max_pool,
}
