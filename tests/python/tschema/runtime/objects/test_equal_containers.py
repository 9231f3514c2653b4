"""Equality of numbers and containers is an equivalence, and agrees with the hashes."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from tvm_ffi import Array, Map

from tschema.runtime import structural_equal, structural_hash

NUMBERS = (math.nan, 0.0, -0.0, False, True, 0, 1, 1.0, math.inf)
VALUES: list[Any] = [
    *NUMBERS,
    *(Array([number]) for number in NUMBERS),
    *(Array([Array([number])]) for number in NUMBERS),
    *(Map({"a": number}) for number in NUMBERS),
]


def test_structural_equality_agrees_with_the_hash() -> None:
    for one, other in product(VALUES, VALUES):
        is_equal = structural_equal(one, other)
        assert is_equal == structural_equal(other, one)
        assert not is_equal or structural_hash(one) == structural_hash(other)
    for one, two, three in product(VALUES[:18], repeat=3):
        if structural_equal(one, two) and structural_equal(two, three):
            assert structural_equal(one, three)


def test_nan_and_signs_of_zero() -> None:
    assert structural_equal(Array([math.nan]), Array([math.nan]))
    assert structural_equal(Array([0.0]), Array([-0.0])) == structural_equal(0.0, -0.0)


def test_operators_agree_with_the_hash() -> None:
    for one, other in product(VALUES, VALUES):
        is_equal = one == other
        assert is_equal == (other == one)
        assert not is_equal or hash(one) == hash(other)
