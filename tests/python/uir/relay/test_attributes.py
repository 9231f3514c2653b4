"""Attributes as users of NumPy write them: one number for a list, pairs of widths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import uir
from uir import ir, relay
from uir.relay import Tensor

X = relay.Var("x", Tensor((2, 3)))
IMAGE = relay.Var("image", Tensor((1, 2, 6, 6)))
WEIGHT = relay.Var("weight", Tensor((4, 2, 3, 3)))


@pytest.mark.parametrize(
    ("one", "list_", "text"),
    [
        (lambda: relay.sum(X, 1), lambda: relay.sum(X, [1]), "relay.sum(x, 1)"),
        (lambda: relay.max(X, axis=-1), lambda: relay.max(X, [-1]), "relay.max(x, axis=-1)"),
        (lambda: relay.reshape(X, 6), lambda: relay.reshape(X, [6]), "relay.reshape(x, 6)"),
        (
            lambda: relay.expand_dims(X, 0),
            lambda: relay.expand_dims(X, [0]),
            "relay.expand_dims(x, 0)",
        ),
    ],
)
def test_one_number_is_a_list_of_one(
    one: Callable[[], ir.RelayExpr], list_: Callable[[], ir.RelayExpr], text: str
) -> None:
    assert ir.structural_equal(one(), list_())
    source = f"@relay.function\ndef main(x: relay.Tensor((2, 3))):\n    return {text}"
    assert ir.structural_equal(uir.script.parse_function(source).body.result.attrs, list_().attrs)


def test_one_number_stands_for_all_axes_of_a_window() -> None:
    pooled = relay.max_pool(IMAGE, 2, strides=2, pads=1)
    every = relay.max_pool(IMAGE, [2, 2], strides=[2, 2], pads=[1, 1, 1, 1])
    assert ir.structural_equal(pooled.checked_type, every.checked_type)
    folded = relay.conv(IMAGE, WEIGHT, strides=2, pads=1, dilations=1)
    assert ir.structural_equal(folded.checked_type, Tensor((1, 4, 3, 3)))
    image = np.arange(72, dtype="float32").reshape(1, 2, 6, 6)
    for call in (pooled, every):
        found = relay.evaluate(relay.Function([IMAGE], relay.Block([], call)), image)
        np.testing.assert_array_equal(
            found, relay.reference.max_pool(image, [2, 2], strides=[2, 2], pads=[1, 1, 1, 1])
        )
    with pytest.raises(ValueError, match="kernel"):
        relay.max_pool(IMAGE, [2, 2, 2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: relay.transpose(X, 1, 0), "relay.transpose: too many arguments: `span` must be"),
        (lambda: relay.sum(X, True), "`axis` must be"),
        (lambda: relay.sum(X, "x"), "`axis` must be"),
        (lambda: relay.full(0.0, (2, 2)), r'constant of it, `uir.relay.const\(0.0, "float32"\)`'),
        (lambda: relay.take(X, 1), r'constant of it, `uir.relay.const\(1, "int64"\)`'),
        (lambda: relay.add(X, np.ones(3, "float32")), "a tensor is not an operand: make a const"),
        (lambda: relay.exp(np.ones(3, "float32")), "a tensor is not an operand: make a constant"),
        (lambda: relay.pad(X, (1, 1)), "`after` is missing: give `before` and `after`, or a pair"),
    ],
)
def test_errors_say_what_to_write(make: Callable[[], ir.RelayExpr], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


def test_widths_of_padding_are_pairs_or_two_lists() -> None:
    pairs = relay.pad(X, ((1, 1), (0, 2)), mode="edge")
    assert ir.structural_equal(pairs, relay.pad(X, (1, 0), (1, 2), "edge"))
