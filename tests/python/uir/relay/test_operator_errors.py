"""Every operand of every operator with a wrong rank, dimension and data type.

A call that is taken gets the type of the reference's result; one that is refused, the error that
`tests/operators` composes of the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import uir
from uir.relay import reference

from ....operators.draws import DTYPES, Draw, Tensor
from ....operators.refusals import refusal
from .operator_cases import DEPTH, NAMES, OPERATORS, arrays, by_name, call_of, draw
from .test_operator_types import shown, type_of

EXAMPLES = 2 * DEPTH
ERRORS = {"TypeError": TypeError, "ValueError": ValueError}


def wrong_ranks(tensor: Tensor) -> Iterator[Tensor]:
    """Yield types with a dimension more at either end, with one less, and without any."""
    shape, dtype = tensor
    yield Tensor((*shape, 2), dtype)
    yield Tensor((2, *shape), dtype)
    if shape:
        yield Tensor(shape[1:], dtype)
        yield Tensor(shape[:-1], dtype)
        yield Tensor((), dtype)


def wrong_dimensions(tensor: Tensor) -> Iterator[Tensor]:
    """Yield types with each dimension one greater, and one less."""
    shape, dtype = tensor
    for axis, dim in enumerate(shape):
        yield Tensor((*shape[:axis], dim + 1, *shape[axis + 1 :]), dtype)
        if dim > 1:
            yield Tensor((*shape[:axis], dim - 1, *shape[axis + 1 :]), dtype)


def wrong_data_types(tensor: Tensor) -> Iterator[Tensor]:
    """Yield all other data types."""
    yield from (Tensor(tensor.shape, dtype) for dtype in DTYPES["any"] if dtype != tensor.dtype)


def changed(call: Draw, change: Any) -> Iterator[Draw]:
    """Yield calls with one operand, or one element of a variadic one, of another type."""
    for place, operand in enumerate(call.operands):
        if isinstance(operand, list):
            others = [
                [*operand[:at], other, *operand[at + 1 :]]
                for at, one in enumerate(operand)
                for other in change(one)
            ]
        else:
            others = [] if operand is None else list(change(operand))
        for other in others:
            operands = [*call.operands[:place], other, *call.operands[place + 1 :]]
            yield Draw(operands, call.attributes)


def check(name: str, call: Draw) -> bool:
    """Make a call and compare its error, or its type; return whether it was refused."""
    expected = refusal(OPERATORS[name], call)
    if expected is None:
        made = call_of(name, *call)
        result = getattr(reference, name)(
            **by_name(name, arrays(OPERATORS[name], call)), **call.attributes
        )
        assert shown(made.checked_type) == type_of(result), call
        return False
    error, message = expected
    with pytest.raises(ERRORS[error]) as raised:
        call_of(name, *call)
    assert str(raised.value) == message, call
    return True


CHANGES = {"rank": wrong_ranks, "dimension": wrong_dimensions, "data type": wrong_data_types}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", NAMES)
def test_wrong_operands(name: str, change: str) -> None:
    random = Random(f"{name} {change}")
    for _ in range(EXAMPLES):
        for call in changed(draw(OPERATORS[name], random), CHANGES[change]):
            check(name, call)


SCRIPTS = [
    (
        'x: relay.Tensor((2, 3), "float32"), y: relay.Tensor((n, 4), "float32")',
        'n = tir.SizeVar("n", "int64")\n    return relay.add(x, y)',
        """
<text>:4:12: error: relay.add: operand `y` of shape (n, 4) does not broadcast to (2, 3)
   4 |     return relay.add(x, y)
     |            ^^^^^^^^^^^^^^^
""",
    ),
    (
        'x: relay.Tensor((2, n), "float32"), y: relay.Tensor((n + 1, 5), "float32")',
        'n = tir.SizeVar("n", "int64")\n    z = relay.exp(x)\n    w = z @ y\n    return w',
        """
<text>:5:9: error: relay.matmul: operand `b`: dimension 0, `k`, is n + 1, expected n, where `k` is \
n in operand `a` (the shape of `b` is (n + 1, 5))
   5 |     w = z @ y
     |         ^^^^^
""",
    ),
    (
        'x: relay.Tensor((2, 3), "int32")',
        "return relay.exp(x)",
        """
<text>:3:12: error: relay.exp: operand `x` has data type `int32`, expected floating-point
   3 |     return relay.exp(x)
     |            ^^^^^^^^^^^^
""",
    ),
    (
        'x: relay.Tensor((2, 3), "float32")',
        "return relay.softmax(relay.exp(x), axis=2)",
        """
<text>:3:12: error: relay.softmax: `axis >= -max(len(s), 1) and axis < max(len(s), 1)` must \
hold, where `s` is (2, 3) and `axis` is 2
   3 |     return relay.softmax(relay.exp(x), axis=2)
     |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
    ),
    (
        'x: relay.Tensor((1, 4, 8), "float32"), w: relay.Tensor((2, 3, 3), "float32")',
        "return relay.conv(\n        x, w\n    )",
        """
<text>:3:12: error: relay.conv: operand `weight`: dimension 1 is 3, expected 4 (the shape of \
`weight` is (2, 3, 3))
   3 |     return relay.conv(
     |            ^^^^^^^^^^^
""",
    ),
]


@pytest.mark.parametrize(("params", "body", "expected"), SCRIPTS)
def test_the_script_is_underlined(params: str, body: str, expected: str) -> None:
    with pytest.raises(uir.script.ScriptError) as raised:
        uir.script.parse_function(f"@relay.function\ndef main({params}):\n    {body}\n")
    assert str(raised.value) == expected.strip("\n")


@pytest.mark.parametrize("name", ["scatter_elements", "scatter_nd"])
def test_truth_values_are_not_added(name: str) -> None:
    x, rows = Tensor((3,), "bool"), Tensor((2, 1) if name == "scatter_nd" else (2,), "int64")
    operands = [x, rows, Tensor((2,), "bool")]
    message = "`reduction` is `add`, which takes numbers: operand `x` has data type `bool`"
    with pytest.raises(TypeError, match=message):
        call_of(name, operands, {"reduction": "add"})
    call_of(name, operands, {})
