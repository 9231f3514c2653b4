"""Variances, and normalizations of batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from uir_nodes.ir import RelayExpr

from .... import relay
from ...tensors import count, dims, dtype_of, in_type, rank, scalar, widened
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]


class Statistics(NamedTuple):
    """Means and variances, of which axes are kept, and the elements less the means.

    `rest` is the rounding error of the means, which remains in these. Deviations may be as small.
    """

    mean: RelayExpr
    variance: RelayExpr
    centered: RelayExpr
    rest: RelayExpr

    @staticmethod
    def of(node: Node, x: RelayExpr, axes: Sequence[int]) -> Statistics:
        """Return the statistics of elements along axes, with variances over all of them."""
        mean = node.bind(relay.mean(x, axes, keepdims=True))
        centered = node.bind(relay.subtract(x, mean))
        rest = node.bind(relay.mean(centered, axes, keepdims=True))
        exact = node.bind(relay.subtract(centered, rest))
        variance = relay.mean(relay.multiply(exact, exact), axes, keepdims=True)
        return Statistics(mean, node.bind(variance), centered, rest)


def corrected(x: RelayExpr, axes: Sequence[int], less: float) -> RelayExpr:
    """Return the factor by which a mean of squares becomes one over fewer elements."""
    number = count(x, axes, dtype_of(x))
    rest = relay.maximum(relay.subtract(number, scalar(less, x)), scalar(0, x))
    return relay.divide(number, rest)


def correction(node: Node) -> float:
    """Return the correction of the number of elements: by default that of Bessel."""
    given = node.get("correction" if node.get("unbiased") is None else "unbiased")
    return 1 if given is None else float(given)


def variance_and_mean(node: Node) -> list[RelayExpr]:
    """Return variances and means along axes, without them unless `keepdim` is set."""
    x = widened(node.tensor())
    axes = node.axes() or list(range(rank(x)))
    found, less = Statistics.of(node, x, axes), correction(node)
    mean, variance = found.mean, found.variance
    if less:
        variance = relay.multiply(variance, corrected(x, axes, less))
    results = [variance, mean]
    if not node.get("keepdim") and axes:
        results = [relay.squeeze(one, axes) for one in results]
    return [in_type(one, dtype_of(node.tensor())) for one in results]


def variance(node: Node) -> RelayExpr:
    """Return variances along axes, by default with the correction of Bessel."""
    return variance_and_mean(node)[0]


def standard_deviation(node: Node) -> RelayExpr:
    """Return the roots of the variances along axes."""
    return relay.sqrt(variance(node))


def normalized(node: Node, x: RelayExpr, mean: RelayExpr, variance: RelayExpr) -> RelayExpr:
    """Normalize channels by means and variances, then scale and shift them if need be."""
    wide = dtype_of(mean)
    scale, bias = (
        relay.full(scalar(default, mean), dims(mean)) if given is None else in_type(given, wide)
        for given, default in ((node.optional("weight"), 1), (node.optional("bias"), 0))
    )
    y = relay.batch_norm(in_type(x, wide), scale, bias, mean, variance, epsilon=node.get("eps"))
    return in_type(y, dtype_of(node.tensor("input")))


def batch_norm(node: Node) -> Outputs:
    """Normalize by running statistics."""
    running = (node.tensor("running_mean"), node.tensor("running_var"))
    return [normalized(node, node.tensor("input"), *running), None, None]


def batch_statistics(node: Node) -> Statistics:
    """Return the statistics of channels, of shape `(c,)`."""
    x = widened(node.tensor("input"))
    axes = [axis for axis in range(rank(x)) if axis != 1]
    found = Statistics.of(node, x, axes)
    mean, variance, rest = (
        relay.squeeze(one, axes) for one in (found.mean, found.variance, found.rest)
    )
    return Statistics(mean, variance, found.centered, rest)


def batch_norm_of_batch(node: Node) -> list[RelayExpr]:
    """Normalize by the statistics of the batch; return means and reciprocal deviations too."""
    found = batch_statistics(node)
    deviations = relay.rsqrt(relay.add(found.variance, scalar(node.get("eps"), found.variance)))
    y = normalized(node, found.centered, found.rest, found.variance)
    results = [y, found.mean, deviations]
    # PyTorch may name a narrower data type for statistics than it computes them in.
    return [in_type(one, dtype) for one, dtype in zip(results, node.dtypes, strict=False)]


def batch_norm_functional(node: Node) -> Outputs:
    """Normalize a batch, and return new running statistics too."""
    running = [node.tensor("running_mean"), node.tensor("running_var")]
    if not node.get("training"):
        return [normalized(node, node.tensor("input"), *running), None, None, *running]
    x, momentum = node.tensor("input"), node.get("momentum")
    axes = [axis for axis in range(rank(x)) if axis != 1]
    results = batch_norm_of_batch(node)
    found = batch_statistics(node)
    unbiased = relay.multiply(found.variance, corrected(widened(x), axes, 1))
    new = [
        relay.add(
            relay.multiply(old, scalar(1 - momentum, old)),
            relay.multiply(in_type(one, dtype_of(old)), scalar(momentum, old)),
        )
        for old, one in zip(running, (found.mean, unbiased), strict=True)
    ]
    return [*results, *new]


CONVERTERS: dict[str, Converter] = {
    "_native_batch_norm_legit.no_stats": batch_norm_of_batch,
    "_native_batch_norm_legit_functional.default": batch_norm_functional,
    "_native_batch_norm_legit_no_training.default": batch_norm,
    "std.correction": standard_deviation,
    "var.correction": variance,
    "var.dim": variance,
    "var_mean.correction": variance_and_mean,
    "var_mean.dim": variance_and_mean,
}
