"""Functions of numbers that relay does not have: compositions of those that it has, in float64."""

from __future__ import annotations

from math import log, pi

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dtype_of, in_type, scalar
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS", "length_of"]


def plus(x: RelayExpr, number: float) -> RelayExpr:
    """Return the sum of a tensor and a number."""
    return relay.add(x, scalar(number, x))


def times(x: RelayExpr, number: float) -> RelayExpr:
    """Return the product of a tensor and a number."""
    return relay.multiply(x, scalar(number, x))


def hypot(node: Node) -> RelayExpr:
    """Return the length of vectors `(self, other)`."""
    return length_of(node.converted("self"), node.converted("other"))


def length_of(x: RelayExpr, y: RelayExpr) -> RelayExpr:
    """Return the length of vectors `(x, y)`; it is infinite if a side is, also beside NaN.

    The float64 error is at most 3 units in the last place; others are rounded from float64.
    """
    dtype = dtype_of(x)
    x, y = (relay.abs(in_type(one, "float64")) for one in (x, y))
    long, zero, one = relay.maximum(x, y), scalar(0, x), scalar(1, x)
    # Quotients neither overflow nor underflow, as squares do.
    ratio = relay.divide(relay.minimum(x, y), relay.where(relay.equal(long, zero), one, long))
    length = relay.multiply(long, relay.sqrt(relay.add(one, relay.multiply(ratio, ratio))))
    either = relay.logical_or(relay.isinf(x), relay.isinf(y))
    return in_type(relay.where(either, scalar(float("inf"), x), length), dtype)


# Coefficients of the Chebyshev series of log(erfc(z) / t) + z * z in 2 * t - 1, t = 2 / (2 + z);
# W. H. Press et al., Numerical Recipes, third edition, section 6.2.2.
ERFC = (
    *(-1.3026537197817094, 6.4196979235649026e-1, 1.9476473204185836e-2, -9.561514786808631e-3),
    *(-9.46595344482036e-4, 3.66839497852761e-4, 4.2523324806907e-5, -2.0278578112534e-5),
    *(-1.624290004647e-6, 1.303655835580e-6, 1.5626441722e-8, -8.5238095915e-8),
    *(6.529054439e-9, 5.059343495e-9, -9.91364156e-10, -2.27365122e-10),
    *(9.6467911e-11, 2.394038e-12, -6.886027e-12, 8.94487e-13),
    *(3.13092e-13, -1.12708e-13, 3.81e-16, 7.106e-15),
    *(-1.523e-15, -9.4e-17, 1.21e-16, -2.8e-17),
)


def erfc(node: Node) -> RelayExpr:
    """Return `1 - erf(x)`, with a relative error of 2e-13 also where it is small."""
    x = in_type(node.converted("self"), "float64")
    z = relay.abs(x)
    t = relay.divide(scalar(2, x), plus(z, 2))
    twice = plus(times(t, 4), -2)
    after, value = scalar(0, x), scalar(0, x)
    for coefficient in reversed(ERFC[1:]):
        rest = plus(relay.subtract(relay.multiply(twice, value), after), coefficient)
        after, value = value, node.bind(rest)
    series = relay.subtract(plus(times(relay.multiply(twice, value), 0.5), ERFC[0] / 2), after)
    exponent = relay.subtract(series, relay.multiply(z, z))
    tail = relay.multiply(t, relay.exp(exponent))
    below = relay.less(x, scalar(0, x))
    return in_type(relay.where(below, relay.subtract(scalar(2, x), tail), tail), node.dtype)


# Lanczos' approximation with g = 7 and nine terms; P. Godfrey.
LANCZOS = (
    *(676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059),
    *(12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7),
)


def log_gamma(node: Node) -> RelayExpr:
    """Return the logarithm of the absolute value of the gamma function.

    The absolute error before rounding is 1e-14 times the greatest of the summands.

    Raises
    ------
    Refused
        For float64, which needs more digits near the zeros of the result.
    """
    if node.dtype == "float64":
        raise Refused("the gamma function of float64")
    x = in_type(node.converted("self"), "float64")
    half = relay.less(x, scalar(0.5, x))
    # The gamma functions of x and 1 - x have a product with a closed form.
    z = node.bind(relay.where(half, relay.negative(x), plus(x, -1)))
    total = scalar(0.99999999999980993, x)
    for place, coefficient in enumerate(LANCZOS, 1):
        term = relay.divide(scalar(coefficient, x), plus(z, place))
        total = relay.add(total, term)
    t = plus(z, len(LANCZOS) - 0.5)
    # The logarithm's factor comes first, so that infinities do not meet.
    power = relay.subtract(relay.multiply(plus(z, 0.5), plus(relay.log(t), -1)), scalar(7, x))
    value = relay.add(plus(power, log(2 * pi) / 2), relay.log(total))
    # Exact also for tiny numbers, of which the nearest integer is 0.
    rest = relay.subtract(x, relay.round(x))
    sine = relay.abs(relay.sin(times(rest, pi)))
    reflected = relay.subtract(relay.log(relay.divide(scalar(pi, x), sine)), value)
    zero = relay.equal(x, scalar(2, x))
    chosen = relay.where(zero, scalar(0, x), relay.where(half, reflected, value))
    infinite = scalar(float("inf"), x)
    return in_type(relay.where(relay.isinf(x), infinite, chosen), node.dtype)


def round_to_decimals(node: Node) -> RelayExpr:
    """Round to a number of decimals, as PyTorch does: by a product or quotient with a power of 10.

    Raises
    ------
    Refused
        For integers, which PyTorch does not round on the CPU.
    """
    x, decimals = node.tensor(), node.get("decimals")
    if "float" not in dtype_of(x):
        raise Refused("integers that are rounded to decimals")
    if not decimals:
        return relay.round(x)
    factor = scalar(10 ** abs(decimals), x)
    if decimals > 0:
        return relay.divide(relay.round(relay.multiply(x, factor)), factor)
    return relay.multiply(relay.round(relay.divide(x, factor)), factor)


def angle_of_number(node: Node) -> RelayExpr:
    """Return pi where elements are negative, 0 elsewhere, and NaN of NaN."""
    x = node.converted("self")
    zero = scalar(0, x)
    angle = relay.where(relay.less(x, zero), scalar(pi, x), zero)
    return relay.where(relay.isnan(x), x, angle)


def randomized_relu(node: Node) -> Outputs:
    """Multiply negative elements by the mean of two slopes, as modules in evaluation do.

    Raises
    ------
    Refused
        In training, whose slopes are random.
    """
    if node.get("training"):
        raise Refused("random numbers")
    slope = (float(node.get("lower")) + float(node.get("upper"))) / 2
    return [relay.leaky_relu(node.tensor(), alpha=slope), node.tensor("noise")]


CONVERTERS: dict[str, Converter] = {
    "angle.default": angle_of_number,
    "erfc.default": erfc,
    "hypot.default": hypot,
    "lgamma.default": log_gamma,
    "round.decimals": round_to_decimals,
    "rrelu_with_noise_functional.default": randomized_relu,
}
