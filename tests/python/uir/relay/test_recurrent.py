"""Compiled recurrent layers against the reference: sizes, activations, and rows of few steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir.relay import reference

Array = np.ndarray[Any, Any]

RNG = np.random.default_rng(3)
GATES = {"rnn": 1, "gru": 3, "lstm": 4}
STATES = {"rnn": ["hidden"], "gru": ["hidden"], "lstm": ["hidden", "cell"]}
TOLERANCE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13}
OPTIONS: dict[str, list[tuple[list[str], dict[str, Any]]]] = {
    "rnn": [
        ([], {}),
        (["lengths"], {"reverse": True}),
        ([], {"activations": ["max(x, 0)"], "clip": 0.5}),
    ],
    "gru": [
        ([], {}),
        (["bias"], {"reset_after": True}),
        (["bias", "lengths"], {"reset_after": True, "reverse": True, "clip": 0.25}),
        (["lengths"], {"activations": ["x / (1 + abs(x))", "select(x < 0, 0.1 * x, x)"]}),
    ],
    "lstm": [
        ([], {}),
        (["peephole", "lengths"], {"reverse": True}),
        (["peephole"], {"input_forget": True, "clip": 0.25}),
        ([], {"activations": ["max(min(0.2 * x + 0.5, 1), 0)", "tanh(x)", "2 * tanh(0.5 * x)"]}),
    ],
}
CASES = [(name, place) for name, options in OPTIONS.items() for place in range(len(options))]
DTYPES = ["float16", "float32", "float64"]
FUNCTION = """
    @relay.function
    def {name}_{place}_{dtype}_{features}({parameters}):
        t = tir.SizeVar("t", "int64")
        n = tir.SizeVar("n", "int64")
        return relay.{name}({arguments})
"""


def shapes(name: str, features: Any, times: Any = "t", rows: Any = "n") -> dict[str, str]:
    """Return the shapes of all operands of a layer, as they stand in script."""
    gates = GATES[name]
    return {
        "gates": f"({times}, {rows}, {gates}, {features})",
        **dict.fromkeys(STATES[name], f"({rows}, {features})"),
        "weight": f"({features}, {gates * features})",
        "bias": f"({features},)",
        "peephole": f"(3, {features})",
        "lengths": f"({rows},)",
    }


def operands_of(name: str, place: int) -> list[str]:
    return ["gates", *STATES[name], "weight", *OPTIONS[name][place][0]]


def function(name: str, place: int, dtype: str, features: int) -> str:
    types, operands = shapes(name, features), operands_of(name, place)
    parameters = [
        f'{one}: relay.Tensor({types[one]}, "{"int32" if one == "lengths" else dtype}")'
        for one in operands
    ]
    named = [f"{one}={one}" for one in OPTIONS[name][place][0]]
    attributes = [f"{key}={value!r}" for key, value in OPTIONS[name][place][1].items()]
    return FUNCTION.format(
        name=name,
        place=place,
        dtype=dtype,
        features=features,
        parameters=", ".join(parameters),
        arguments=", ".join(["gates", *STATES[name], "weight", *named, *attributes]),
    )


SIZES = [*[(dtype, 5) for dtype in DTYPES], ("float32", 1), ("float32", 24)]


@pytest.fixture(scope="module")
def library() -> Any:
    functions = [function(*case, *size) for case in CASES for size in SIZES]
    return uir.build(uir.script.parse("@ir_module\nclass Layers:" + "".join(functions)))


@pytest.mark.parametrize(("name", "place"), CASES)
@pytest.mark.parametrize(("dtype", "features"), SIZES)
def test_compiled_layers_compute_as_the_reference(
    library: Any, name: str, place: int, dtype: str, features: int
) -> None:
    for times, rows in [(0, 1), (1, 1), (5, 1), (6, 3), (2, 17)]:
        types = shapes(name, features, times, rows)
        operands: dict[str, Array] = {
            one: RNG.standard_normal(eval(types[one])).astype(dtype)
            for one in operands_of(name, place)
        }
        if "lengths" in operands:
            operands["lengths"] = RNG.integers(-1, times + 2, rows, dtype=np.int32)
        results = library[f"{name}_{place}_{dtype}_{features}"](*operands.values())
        expected = getattr(reference, name)(**operands, **OPTIONS[name][place][1])
        for found, wanted in zip(results, expected, strict=True):
            assert found.shape == wanted.shape
            bound = TOLERANCE[dtype] * 8
            np.testing.assert_allclose(np.from_dlpack(found), wanted, rtol=bound, atol=bound)


def test_rows_have_more_steps_than_int64_counts() -> None:
    gates, hidden, weight = (RNG.standard_normal(one) for one in [(2, 3, 1, 4), (3, 4), (4, 4)])
    lengths = np.array([2**64 - 1, 1, 2**63], "uint64")
    layer = uir.build(
        uir.script.parse_function("""
    @relay.function
    def main(g: relay.Tensor((2, 3, 1, 4), "float64"), h: relay.Tensor((3, 4), "float64"),
             w: relay.Tensor((4, 4), "float64"), n: relay.Tensor((3,), "uint64")):
        return relay.rnn(g, h, w, lengths=n)
    """)
    )["main"]
    results = layer(gates, hidden, weight, lengths)
    expected = reference.rnn(gates, hidden, weight, lengths=lengths)
    for found, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.from_dlpack(found), wanted, rtol=1e-12)


def test_a_layer_is_its_equation() -> None:
    """Two steps, written out."""
    gates, hidden, weight = (RNG.standard_normal(one) for one in [(2, 1, 1, 3), (1, 3), (3, 3)])
    first = np.tanh(gates[0, :, 0] + hidden @ weight)
    second = np.tanh(gates[1, :, 0] + first @ weight)
    states, last = reference.rnn(gates, hidden, weight)
    np.testing.assert_allclose(states, [first, second])
    np.testing.assert_allclose(last, second)
