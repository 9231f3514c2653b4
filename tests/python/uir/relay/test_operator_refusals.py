"""Shapes and attributes that operators refuse, with the whole message."""

from __future__ import annotations

from typing import Any

import pytest

from uir import relay
from uir.ir import Op

from .operator_cases import by_name

AT_LEAST = "the elements of `{}` must be at least {}, got {}"
# The operator, shapes of its operands (None for an absent one, a list for a variadic one),
# attributes, and what it says; what begins with `operand` and a rank or a dimension is a TypeError.
REFUSED: list[tuple[str, list[Any], dict[str, Any], type[Exception], str]] = [
    (
        "add",
        [(2, 3), (4,)],
        {},
        TypeError,
        "operand `y` of shape (4,) does not broadcast to (2, 3)",
    ),
    (
        "matmul",
        [(2, 3), (4, 5)],
        {},
        TypeError,
        "operand `b`: dimension 0, `k`, is 4, expected 3, where `k` is 3 in operand `a` "
        "(the shape of `b` is (4, 5))",
    ),
    (
        "matmul",
        [(3,), (3, 5)],
        {},
        TypeError,
        "operand `a` has rank 1, expected at least 2 for `(*b, m, k)` (its shape is (3,))",
    ),
    (
        "einsum",
        [[(2, 3), (4, 5)]],
        {"equation": "ij,jk"},
        TypeError,
        "operand `tensors[1]`: dimension 0, `j`, is 4, expected 3, where `j` is 3 in operand "
        "`tensors[0]` (the shape of `tensors[1]` is (4, 5))",
    ),
    (
        "einsum",
        [[(2, 3)]],
        {"equation": "...ijk->..."},
        TypeError,
        "operand `tensors[0]` has rank 2, expected at least 3 for `(*rest, i, j, k)` "
        "(its shape is (2, 3))",
    ),
    *(
        (
            "einsum",
            [[(2, 3)]],
            {"equation": equation},
            ValueError,
            f"`equation` is `{equation}`, but {said}",
        )
        for equation, said in {
            "ij,jk": "there are 1 operands",
            "i2": "`2` is neither a letter nor an ellipsis",
            "i..j": "`.` is neither a letter nor an ellipsis",
            "...i...": "a term has two ellipses",
            "ij->k": "no operand has `k` of the result",
            "ij->...": "no operand has `...` of the result",
            "ij->jj": "the result has `j` twice",
            "...ij->ij": "the result lacks the ellipsis of the operands",
        }.items()
    ),
    (
        "pad",
        [(2, 3), None],
        {"before": [1], "after": [1], "axes": [2]},
        ValueError,
        "`axes` must be from -2 to 1 for an operand of shape (2, 3), got 2",
    ),
    (
        "conv_transpose",
        [(1, 2, 3), (2, 4, 1), None],
        {"output_shape": [3], "pads": [0, 0]},
        ValueError,
        "`pads` must be left out where `output_shape` is given",
    ),
    (
        "sum",
        [(2, 3)],
        {"axis": [2]},
        ValueError,
        "`axis` must be from -2 to 1 for an operand of shape (2, 3), got 2",
    ),
    ("sum", [(2, 3)], {"axis": [0, -2]}, ValueError, "`axis` names dimension 0 twice"),
    (
        "reshape",
        [(2, 3)],
        {"shape": [4, -1]},
        ValueError,
        "operand `x` of shape (2, 3) cannot have the shape (4, -1), which has another number of "
        "elements",
    ),
    ("reshape", [(4,)], {"shape": [-1, -1]}, ValueError, "`shape` must have at most one -1"),
    (
        "reshape",
        [(4,)],
        {"shape": [4, 0]},
        ValueError,
        "element 1 of `shape` is 0, which copies a dimension that operand `x` of shape (4,) lacks",
    ),
    (
        "reshape",
        [(4,)],
        {"shape": [-2]},
        ValueError,
        "element 0 of `shape` must be at least -1, got -2",
    ),
    ("transpose", [(2, 3)], {"axes": [0]}, ValueError, "`axes` must have 2 elements, got 1"),
    (
        "squeeze",
        [(2, 3)],
        {"axes": [1]},
        TypeError,
        "operand `x`: dimension 1 is 3, expected 1 (the shape of `x` is (2, 3))",
    ),
    (
        "broadcast_to",
        [(2, 3)],
        {"shape": [3]},
        TypeError,
        "operand `x` of shape (2, 3) does not broadcast to (3,)",
    ),
    ("tile", [(2, 3)], {"repeats": [2]}, ValueError, "`repeats` must have 2 elements, got 1"),
    ("concatenate", [[]], {}, ValueError, "operand `tensors` must not be empty"),
    (
        "concatenate",
        [[(2, 3), (2,)]],
        {},
        TypeError,
        "operand `tensors[1]` has rank 1, expected 2 (its shape is (2,))",
    ),
    (
        "concatenate",
        [[(2, 3), (2, 4)]],
        {},
        TypeError,
        "operand `tensors[1]`: dimension 1 is 4, expected 3 (the shape of `tensors[1]` is (2, 4))",
    ),
    (
        "split",
        [(5,)],
        {},
        ValueError,
        "exactly one of `sizes` and `sections` must be given",
    ),
    (
        "split",
        [(5,)],
        {"sizes": [2, 2]},
        ValueError,
        "`sizes` (2, 2) must add up to dimension 0 of operand `x` of shape (5,)",
    ),
    ("split", [(5,)], {"sections": 0}, ValueError, "`sections` must be from 1 to 65536, got 0"),
    (
        "split",
        [(5,)],
        {"sections": 70000},
        ValueError,
        "`sections` must be from 1 to 65536, got 70000",
    ),
    (
        "strided_slice",
        [(5,)],
        {"begin": [0], "end": [1], "strides": [0]},
        ValueError,
        "element 0 of `strides` is 0",
    ),
    (
        "strided_slice",
        [(5,)],
        {"begin": [0], "end": [1, 2]},
        ValueError,
        "`end` must have 1 elements, got 2",
    ),
    (
        "pad",
        [(2,), None],
        {"before": [-3], "after": [0]},
        ValueError,
        "`before` and `after` remove more than dimension 0 of operand `x` of shape (2,)",
    ),
    (
        "pad",
        [(2,), None],
        {"before": [1], "after": [0], "mode": "mirror"},
        ValueError,
        "`mode` must be one of `constant`, `edge`, `reflect`, `symmetric`, `wrap`, got `mirror`",
    ),
    (
        "pad",
        [(2,), (1,)],
        {"before": [1], "after": [0]},
        TypeError,
        "operand `value` has rank 1, expected 0 (its shape is (1,))",
    ),
    (
        "scatter_elements",
        [(3,), (2,), (3,)],
        {},
        TypeError,
        "operand `updates`: dimension 0 is 3, expected 2 (the shape of `updates` is (3,))",
    ),
    (
        "scatter_nd",
        [(3,), (2, 1), (2,)],
        {"reduction": "sum"},
        ValueError,
        "`reduction` must be one of `none`, `add`, `mul`, `min`, `max`, got `sum`",
    ),
    (
        "gather_nd",
        [(3,), (2, 2)],
        {},
        ValueError,
        "the rows of operand `indices` have 2 elements, but operand `x` has 1 axes for them",
    ),
    (
        "gather_nd",
        [(3, 4), (2, 1)],
        {"batch_dims": 1},
        TypeError,
        "operand `indices`: dimension 0 is 2, expected 3 (the shape of `indices` is (2, 1))",
    ),
    (
        "topk",
        [(3,)],
        {"k": 4},
        ValueError,
        "`k` must be from 0 to dimension 0 of operand `x` of shape (3,), got 4",
    ),
    (
        "conv",
        [(1, 4, 8, 8), (2, 3, 3, 3), None],
        {},
        TypeError,
        "operand `weight`: dimension 1 is 3, expected 4 (the shape of `weight` is (2, 3, 3, 3))",
    ),
    (
        "conv",
        [(1, 4, 8, 8), (2, 4, 9, 3), None],
        {},
        ValueError,
        "the window spans 9 of 8 padded elements along axis 2",
    ),
    (
        "conv",
        [(1, 3, 8), (2, 1, 3), None],
        {"groups": 2},
        ValueError,
        "the channels of operand `data` do not divide into 2 groups",
    ),
    (
        "conv",
        [(1, 3, 8), (2, 3, 3), (3,)],
        {},
        TypeError,
        "operand `bias`: dimension 0 is 3, expected 2 (the shape of `bias` is (3,))",
    ),
    (
        "conv",
        [(1, 3, 8), (2, 3, 3), None],
        {"pads": [1, 1, 1]},
        ValueError,
        "`pads` must have 2 elements, got 3",
    ),
    (
        "conv",
        [(1, 3, 8), (2, 3, 3), None],
        {"strides": [0]},
        ValueError,
        "the elements of `strides` must be at least 1, got 0",
    ),
    (
        "max_pool",
        [(3, 8)],
        {"kernel": [2]},
        TypeError,
        "operand `x` has rank 2, expected at least 3 for `(n, c, *spatial)` (its shape is (3, 8))",
    ),
    (
        "layer_norm",
        [(2, 3), (2,), None],
        {},
        TypeError,
        "operand `scale` of shape (2,) does not broadcast to (3,)",
    ),
    (
        "attention",
        [(1, 3, 2, 4), (1, 2, 2, 4), (1, 2, 2, 4), None],
        {},
        ValueError,
        "the heads of operand `query` of shape (1, 3, 2, 4) must be a multiple of those of "
        "operand `key` of shape (1, 2, 2, 4)",
    ),
    ("resize", [(2, 3)], {}, ValueError, "`sizes` or `scales` must be given"),
    (
        "softmax",
        [(2, 3)],
        {"axis": 2},
        ValueError,
        "`axis >= -max(len(s), 1) and axis < max(len(s), 1)` must hold, where `s` is (2, 3) and "
        "`axis` is 2",
    ),
    (
        "group_norm",
        [(1, 6, 2), None, None],
        {"groups": 4},
        ValueError,
        "`groups >= 1 and c % groups == 0` must hold, where `c` is 6 in operand `x` and `groups` "
        "is 4",
    ),
    (
        "full",
        [()],
        {"shape": [2, -1]},
        ValueError,
        "the dimension `shape` of the result is negative: -1",
    ),
    (
        "broadcast_to",
        [()],
        {"shape": [-1]},
        ValueError,
        "the elements of `shape` must be at least 0, got -1",
    ),
    ("tile", [(2,)], {"repeats": [-2]}, ValueError, AT_LEAST.format("repeats", 0, -2)),
    ("split", [(2,)], {"sizes": [3, -1]}, ValueError, AT_LEAST.format("sizes", 0, -1)),
    ("resize", [(2,)], {"sizes": [-3]}, ValueError, AT_LEAST.format("sizes", 0, -3)),
    (
        "resize",
        [(2,)],
        {"scales": [0.0]},
        ValueError,
        "the elements of `scales` must be above 0, got 0",
    ),
    ("avg_pool", [(1, 2, 8)], {"kernel": [0]}, ValueError, AT_LEAST.format("kernel", 1, 0)),
    (
        "conv_transpose",
        [(1, 2, 3), (2, 4, 1), None],
        {"output_padding": [-1]},
        ValueError,
        AT_LEAST.format("output_padding", 0, -1),
    ),
    (
        "conv_transpose",
        [(1, 2, 3), (2, 4, 1), None],
        {"pads": [2, 2]},
        ValueError,
        "`pads` remove more than dimension 2 of the result, which would be -1",
    ),
    (
        "arange",
        [],
        {"start": 0, "stop": 4, "step": 0, "dtype": "int32"},
        ValueError,
        "`step != 0` must hold, where `step` is 0",
    ),
    (
        "take_along_axis",
        [(2, 3), (3, 3)],
        {"axis": 1},
        TypeError,
        "operand `indices`: dimension 0 is 3, expected at most 2, that of operand `x` (the shape "
        "of `indices` is (3, 3))",
    ),
]


def operand(name: str, shape: Any) -> Any:
    if isinstance(shape, list):
        return [operand(f"{name}{place}", one) for place, one in enumerate(shape)]
    dtype = "int64" if name == "indices" else "float32"
    return None if shape is None else relay.Var(name, relay.Tensor(shape, dtype))


@pytest.mark.parametrize(("name", "shapes", "attributes", "error", "message"), REFUSED)
def test_what_is_refused(
    name: str, shapes: list[Any], attributes: dict[str, Any], error: type[Exception], message: str
) -> None:
    names = [info.name for info in Op.get(f"relay.{name}").arguments]
    operands = [operand(one, shape) for one, shape in zip(names, shapes, strict=True)]
    with pytest.raises(error) as raised:
        getattr(relay, name)(**by_name(name, operands), **attributes)
    assert str(raised.value) == f"relay.{name}: {message}"
