"""Types of operators whose operands have symbolic dimensions."""

from __future__ import annotations

from typing import Any

import pytest

from uir import relay, tir
from uir.ir import Op

from .operator_cases import by_name

N, M = tir.SizeVar("n", "int64"), tir.SizeVar("m", "int64")

# The operator, shapes of its operands, attributes, and the shape of the result.
CASES: list[tuple[str, list[Any], dict[str, Any], Any]] = [
    ("add", [(N, 1), (4,)], {}, (N, 4)),
    ("matmul", [(N, 3, 4), (4, M)], {}, (N, 3, M)),
    ("sum", [(N, 4)], {"axis": [1], "keepdims": True}, (N, 1)),
    ("reshape", [(N, 4, 4)], {"shape": [0, -1]}, (N, 16)),
    ("reshape", [(N, 6)], {"shape": [N, 2, -1]}, (N, 2, 3)),
    ("reshape", [(N, 6)], {"shape": [-1]}, (tir.mul(N, 6),)),
    ("reshape", [(tir.mul(N, 4), 6)], {"shape": [-1, 24]}, (N, 24)),
    ("transpose", [(N, 4, M)], {"axes": [2, 0, 1]}, (M, N, 4)),
    ("squeeze", [(N, 1)], {}, (N,)),
    ("tile", [(N, 4)], {"repeats": [2, M]}, (tir.mul(N, 2), tir.mul(M, 4))),
    ("concatenate", [[(N, 4), (M, 4), (3, 4)]], {}, (tir.add(tir.add(N, M), 3), 4)),
    ("strided_slice", [(N, 4)], {"begin": [0], "end": [2**40], "axes": [1]}, (N, 4)),
    ("strided_slice", [(N,)], {"begin": [0], "end": [2**40]}, (N,)),
    ("strided_slice", [(N,)], {"begin": [2], "end": [2**40]}, (tir.max(tir.sub(N, 2), 0),)),
    ("pad", [(N,), None], {"before": [1], "after": [2]}, (tir.add(N, 3),)),
    ("take", [(N, 4), (M, 2)], {}, (M, 2, 4)),
    ("take", [(N, 4), (M,)], {"axis": 1}, (N, M)),
    ("gather_nd", [(N, M, 4), (7, 2)], {}, (7, 4)),
    ("full", [()], {"shape": [N, 2]}, (N, 2)),
    ("arange", [], {"start": 0, "stop": N, "dtype": "int64"}, (N,)),
    (
        "conv",
        [(N, 3, 224, 224), (64, 3, 7, 7), None],
        {"strides": [2, 2], "pads": [3, 3, 3, 3]},
        (N, 64, 112, 112),
    ),
    ("max_pool", [(N, 8, 9)], {"kernel": [2], "strides": [2], "ceil_mode": True}, (N, 8, 5)),
    ("layer_norm", [(N, M, 8), (8,), (8,)], {}, (N, M, 8)),
    ("softmax", [(N, M)], {}, (N, M)),
    ("attention", [(N, 8, M, 4), (N, 2, M, 4), (N, 2, M, 6), None], {}, (N, 8, M, 6)),
    ("resize", [(N, 3, 8)], {"scales": [1.5], "axes": [2]}, (N, 3, 12)),
]


def operand(name: str, shape: Any) -> Any:
    if isinstance(shape, list):
        return [operand(f"{name}{place}", one) for place, one in enumerate(shape)]
    dtype = "int64" if name == "indices" else "float32"
    return None if shape is None else relay.Var(name, relay.Tensor(shape, dtype))


@pytest.mark.parametrize(("name", "shapes", "attributes", "expected"), CASES)
def test_the_shape(name: str, shapes: list[Any], attributes: dict[str, Any], expected: Any) -> None:
    names = [info.name for info in Op.get(f"relay.{name}").arguments]
    operands = [operand(one, shape) for one, shape in zip(names, shapes, strict=True)]
    call = getattr(relay, name)(**by_name(name, operands), **attributes)
    assert str(call.checked_type.shape) == str(relay.Tensor(expected, "float32").shape)
