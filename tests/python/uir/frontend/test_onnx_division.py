"""`Div`, `Mod` and `Pow` of ONNX at the borders of integers, against the reference of `onnx`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import from_onnx
from uir.runtime import as_array

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def model(operator: str, dtype: str, **attributes: Any) -> Any:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    x, y, z = (helper.make_tensor_value_info(name, kind, ["n"]) for name in "xyz")
    node = helper.make_node(operator, ["x", "y"], ["z"], name=f"{operator.lower()}0", **attributes)
    graph = helper.make_graph([node], "main", [x, y], [z])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def pairs(dtype: str) -> list[np.ndarray[Any, Any]]:
    limits = np.iinfo(dtype)
    near = (limits.min, limits.min + 1, limits.max, limits.max - 1, -3, -2, -1, 0, 1, 2, 3, 7)
    numbers = sorted({int(one) for one in near if one >= limits.min})
    found = [(x, y) for x, y in itertools.product(numbers, numbers) if y]
    return [np.array(side, dtype) for side in zip(*found, strict=True)]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_remainders(dtype: str) -> None:
    x, y = pairs(dtype)
    for fmod in (0, 1):
        source = model("Mod", dtype, fmod=fmod)
        library = uir.build(from_onnx(source))
        (wanted,) = ReferenceEvaluator(source).run(None, {"x": x, "y": y})
        np.testing.assert_array_equal(as_array(library.main(x, y)), wanted, strict=True)
        with pytest.raises(ValueError, match="^mod at .*mod0.*: the divisor `y` is 0$"):
            library.main(x, np.zeros_like(x))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_quotients_are_truncated(dtype: str) -> None:
    x, y = pairs(dtype)
    library = uir.build(from_onnx(model("Div", dtype)))
    exact = [
        abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1)
        for a, b in zip(x, y, strict=True)
    ]
    with np.errstate(all="ignore"):
        wanted = np.array(exact, object) % (1 << np.dtype(dtype).itemsize * 8)
    unsigned = wanted.astype(dtype.lstrip("u").replace("int", "uint"))
    np.testing.assert_array_equal(as_array(library.main(x, y)), unsigned.view(dtype), strict=True)
    with pytest.raises(ValueError, match="^divide at .*div0.*: the divisor `y` is 0$"):
        library.main(x, np.zeros_like(x))


def test_floats_with_the_sign_of_the_dividend() -> None:
    numbers = [0.0, -0.0, 0.1, -0.1, 1.0, -1.0, 6.0, -7.5, np.inf, -np.inf, np.nan]
    x, y = (
        np.array(side, "float32") for side in zip(*itertools.product(numbers, numbers), strict=True)
    )
    source = model("Mod", "float32", fmod=1)
    (wanted,) = ReferenceEvaluator(source).run(None, {"x": x, "y": y})
    found = as_array(uir.build(from_onnx(source)).main(x, y))
    np.testing.assert_array_equal(found, wanted)
    zeros = wanted == 0
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_negative_powers(dtype: str) -> None:
    x = np.array([1, 2, -1, 3, 0], dtype)
    library = uir.build(from_onnx(model("Pow", dtype)))
    assert as_array(library.main(x, np.full_like(x, -1))).tolist() == [1, 0, -1, 0, 0]
    assert as_array(library.main(x, np.full_like(x, -2))).tolist() == [1, 0, 1, 0, 0]
