"""Rules of declarations, run on arrays, against the references of the same operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uir.relay import reference as relay
from uir.relay.reference.rules import run_compute, run_decompose, run_scalar

RANDOM = np.random.default_rng(7)
MATMUL = "y[*b, m, n] += a[*b, m, k] * b_[*b, k, n]"
NORM = "y[n, c, *s] = (x[n, c, *s] - mean[c]) * rsqrt(variance[c] + epsilon) * scale[c] + bias[c]"
SOFTMAX = (
    "exp(x - max(x, (axis,), keepdims=True)) / sum(exp(x - max(x, (axis,), keepdims=True)), "
    "(axis,), keepdims=True)"
)


def call(name: str, *operands: Any, **attributes: Any) -> Any:
    return getattr(relay, name)(*operands, **attributes)


@pytest.mark.parametrize(
    ("left", "right"),
    [((4, 5), (5, 6)), ((3, 1, 4, 5), (2, 5, 6)), ((4, 5), (2, 3, 5, 6)), ((2, 0, 5), (5, 1))],
)
def test_packs_broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = RANDOM.normal(size=left), RANDOM.normal(size=right)
    assert np.allclose(run_compute(MATMUL, {"a": a, "b_": b}), relay.matmul(a, b))


def test_an_assignment_without_a_reduction() -> None:
    x = RANDOM.normal(size=(2, 3, 4, 5))
    operands = dict(zip(("scale", "bias", "mean", "variance"), RANDOM.random((4, 3)), strict=True))
    expected = relay.batch_norm(x, **operands)
    assert np.allclose(run_compute(NORM, {"x": x, "epsilon": 1e-5, **operands}), expected)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("y[i, j] = x[j, i]", lambda x: x.T),
        ("y[i] max= x[i, j]", lambda x: x.max(axis=1)),
        ("y[i] min= x[i, j]", lambda x: x.min(axis=1)),
        ("y[j] *= x[i, j]", lambda x: x.prod(axis=0)),
        ("y[i, j] = x[i, (j + shifts[0]) % 4]", lambda x: np.roll(x, -1, axis=1)),
    ],
)
def test_computed_indices_and_reductions(rule: str, expected: Any) -> None:
    x = RANDOM.normal(size=(3, 4))
    if "shifts" in rule:
        # An index that is computed takes its extent from another operand.
        rule = rule.replace("= x", "= 0 * x[i, j] + x")
    assert np.allclose(run_compute(rule, {"x": x, "shifts": [1]}), expected(x))


@pytest.mark.parametrize(
    ("rule", "attributes", "expected"),
    [
        ("select(x < 0, alpha * x, x)", {"alpha": 0.1}, [-0.1, 0, 2]),
        ("2 * x if doubled else x", {"doubled": True}, [-2, 0, 4]),
        ("2 * x if doubled else x", {"doubled": False}, [-1, 0, 2]),
        ("cast(x > 0 and not isnan(x), dtype)", {"dtype": "float32"}, [0, 0, 1]),
        ("max(min(x, 1), -x)", {}, [1, 0, 1]),
        ("x ** 2 - x / 2 + -x", {}, [2.5, 0, 1]),
    ],
)
def test_scalars(rule: str, attributes: dict[str, Any], expected: list[float]) -> None:
    x = np.array([-1, 0, 2], np.float32)
    found = run_scalar(rule, {"x": x, **attributes})
    assert found.dtype == np.float32
    assert np.allclose(found, expected)


def test_quotients_of_integers_are_truncated() -> None:
    operands = {"x": np.array([-7, 7]), "y": np.array([2, 2])}
    assert run_scalar("x / y", operands).tolist() == [-3, 3]


@pytest.mark.parametrize("axis", [0, -1])
def test_decompositions(axis: int) -> None:
    x = RANDOM.normal(size=(3, 4)).astype(np.float32)
    found = run_decompose(SOFTMAX, {"x": x, "axis": axis}, call)
    assert np.allclose(found, relay.softmax(x, axis))
    assert found.dtype == np.float32
    assert np.allclose(run_decompose("-x * 2 + x % 3", {"x": x}, call), -x * 2 + x % 3)


def test_what_is_not_an_assignment() -> None:
    with pytest.raises(ValueError, match="`x \\+ 1` is not an assignment"):
        run_compute("x + 1", {})
