"""Errors of rounding explain what they may make of results, and nothing else."""

from __future__ import annotations

import numpy as np

from uir import relay

from .comparison import explained
from .evaluation import evaluate

Array = np.ndarray


def function_of(x: Array, *makers: object) -> relay.Function:
    """Return a function of one tensor that makes calls of each other."""
    value = param = relay.Var("x", relay.Tensor(x.shape, str(x.dtype)))
    bindings = []
    for place, make in enumerate(makers):
        call = make(value)  # type: ignore[operator]
        value = relay.Var(f"v{place}", call.checked_type)
        bindings.append(relay.Binding(value, call))
        if not hasattr(call.checked_type, "shape"):
            part = relay.TupleGetItem(value, 1)
            value = relay.Var(f"p{place}", part.checked_type)
            bindings.append(relay.Binding(value, part))
    return relay.Function([param], relay.Block(bindings, value))


def is_explained(function: relay.Function, x: Array, found: Array) -> bool:
    return explained(function, [x], [found], evaluate(function, [x]))


def test_the_sum_of_a_log_softmax_is_rounded() -> None:
    x = np.array([20, 7.4, -30], "float32")
    function = function_of(x, relay.log_softmax)
    (expected,) = evaluate(function, [x])
    assert -1e-5 < expected[0] < -1e-6
    unit = np.float32(2.0**-23)
    assert is_explained(function, x, expected - np.array([unit, 0, 0], "float32"))
    assert not is_explained(function, x, expected - np.array([64 * unit, 0, 0], "float32"))
    one = function_of(x[:1], relay.log_softmax)
    assert not is_explained(one, x[:1], np.array([unit]))


def test_the_sign_of_a_zero_stays_open_behind_gelu() -> None:
    x = np.tile(np.array([-0.0, 0.0], "float32"), 100)
    function = function_of(x, relay.relu, lambda y: relay.gelu(y, approximate=True))
    assert is_explained(function, x, -np.zeros_like(x))
    assert is_explained(function, x, np.zeros_like(x))


def test_elements_that_are_open_have_each_order() -> None:
    x = np.full((1, 3, 8), 1.0)
    x[0, 1] = np.linspace(1, 2, 8)
    huge = relay.const(np.array([1.0, 1.7e308, 1.0]))
    small, zero = relay.const(np.full(3, 1e-3)), relay.const(np.zeros(3))

    def normalized(y: relay.Var) -> relay.Call:
        return relay.batch_norm(y, huge, zero, zero, small)

    def places(y: relay.Var) -> relay.Call:
        return relay.max_pool_with_indices(y, kernel=2, strides=2)

    function = function_of(x, normalized, places)
    (expected,) = evaluate(function, [x])
    for found in (expected, expected + (expected % 2 == 0), expected - (expected % 2 == 1)):
        assert is_explained(function, x, found)


def test_the_scale_of_a_norm_multiplies_the_error_of_a_subnormal_number() -> None:
    least, scale = np.float32(2.0**-149), np.float32(-(2.0**32))
    given = [np.array([one], "float32") for one in (scale, -0.0, -least, 0.1454)]

    def normalized(x: relay.Var) -> relay.Call:
        return relay.batch_norm(x, *map(relay.const, given))

    x = np.zeros((1, 1, 2), "float32")
    function = function_of(x, normalized)
    # (x - mean) / sqrt(variance) is 2.6 times the least number, and is rounded to 3 times that.
    found = np.full_like(x, 3 * least * scale)
    assert is_explained(function, x, found)
    assert not is_explained(function, x, 100 * found)
