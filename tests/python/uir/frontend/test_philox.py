"""Philox of operators of relay, and that in NumPy, by the answers of its authors."""

from __future__ import annotations

from typing import Any

import pytest

from uir import relay
from uir.frontend.philox import philox
from uir.frontend.tensors import number

from . import philox_numpy

# Random123's own answers: counters, keys and words.
ANSWERS = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


@pytest.mark.parametrize(("counter", "key", "answer"), ANSWERS)
def test_known_answers(counter: list[int], key: list[int], answer: list[int]) -> None:
    words = philox(
        [number(one, "uint32") for one in counter],
        [number(one, "uint32") for one in key],
        lambda expr: expr,
    )
    assert [int(one) for one in philox_numpy.philox(counter, key)] == answer
    builder = relay.builder()
    found: Any = relay.evaluate(builder.make_func(relay.Tuple(words)))
    assert [int(one) for one in found] == answer
