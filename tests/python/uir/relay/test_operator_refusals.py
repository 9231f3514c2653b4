"""Shapes and attributes that operators refuse, with the whole message."""

from __future__ import annotations

from typing import Any

import pytest

from uir import relay
from uir.ir import Op

from .operator_cases import by_name

AT_LEAST = "the elements of `{}` must be at least {}, got {}"
Refused = tuple["Call", type[Exception], str]


class Call:
    """A call by the shapes of its operands: None for an absent one, a list for a variadic one."""

    def __init__(self, name: str, /, *shapes: Any, **attributes: Any) -> None:
        self.name, self.shapes, self.attributes = name, shapes, attributes

    def raises(self, error: type[Exception], message: str) -> Refused:
        """Return a row of the table."""
        return self, error, message


REFUSED: list[Refused] = [
    Call("add", (2, 3), (4,)).raises(
        TypeError, "operand `y` of shape (4,) does not broadcast to (2, 3)"
    ),
    Call("matmul", (2, 3), (4, 5)).raises(
        TypeError,
        "operand `b`: dimension 0, `k`, is 4, expected 3, where `k` is 3 in operand `a` "
        "(the shape of `b` is (4, 5))",
    ),
    Call("matmul", (3,), (3, 5)).raises(
        TypeError,
        "operand `a` has rank 1, expected at least 2 for `(*b, m, k)` (its shape is (3,))",
    ),
    Call("einsum", [(2, 3), (4, 5)], equation="ij,jk").raises(
        TypeError,
        "operand `tensors[1]`: dimension 0, `j`, is 4, expected 3, where `j` is 3 in operand "
        "`tensors[0]` (the shape of `tensors[1]` is (4, 5))",
    ),
    Call("einsum", [(2, 3)], equation="...ijk->...").raises(
        TypeError,
        "operand `tensors[0]` has rank 2, expected at least 3 for `(*rest, i, j, k)` "
        "(its shape is (2, 3))",
    ),
    *(
        Call("einsum", [(2, 3)], equation=equation).raises(
            ValueError, f"`equation` is `{equation}`, but {said}"
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
    Call("pad", (2, 3), None, before=[1], after=[1], axes=[2]).raises(
        ValueError, "`axes` must be from -2 to 1 for an operand of shape (2, 3), got 2"
    ),
    Call("conv_transpose", (1, 2, 3), (2, 4, 1), None, output_shape=[3], pads=[0, 0]).raises(
        ValueError, "`pads` must be left out where `output_shape` is given"
    ),
    Call("sum", (2, 3), axis=[2]).raises(
        ValueError, "`axis` must be from -2 to 1 for an operand of shape (2, 3), got 2"
    ),
    Call("sum", (2, 3), axis=[0, -2]).raises(ValueError, "`axis` names dimension 0 twice"),
    Call("reshape", (2, 3), shape=[4, -1]).raises(
        ValueError,
        "operand `x` of shape (2, 3) cannot have the shape (4, -1), which has another number of "
        "elements",
    ),
    Call("reshape", (4,), shape=[-1, -1]).raises(ValueError, "`shape` must have at most one -1"),
    Call("reshape", (4,), shape=[4, 0]).raises(
        ValueError,
        "element 1 of `shape` is 0, which copies a dimension that operand `x` of shape (4,) lacks",
    ),
    Call("reshape", (4,), shape=[-2]).raises(
        ValueError, "element 0 of `shape` must be at least -1, got -2"
    ),
    Call("transpose", (2, 3), axes=[0]).raises(ValueError, "`axes` must have 2 elements, got 1"),
    Call("squeeze", (2, 3), axes=[1]).raises(
        TypeError, "operand `x`: dimension 1 is 3, expected 1 (the shape of `x` is (2, 3))"
    ),
    Call("broadcast_to", (2, 3), shape=[3]).raises(
        TypeError, "operand `x` of shape (2, 3) does not broadcast to (3,)"
    ),
    Call("tile", (2, 3), repeats=[2]).raises(ValueError, "`repeats` must have 2 elements, got 1"),
    Call("concatenate", []).raises(ValueError, "operand `tensors` must not be empty"),
    Call("concatenate", [(2, 3), (2,)]).raises(
        TypeError, "operand `tensors[1]` has rank 1, expected 2 (its shape is (2,))"
    ),
    Call("concatenate", [(2, 3), (2, 4)]).raises(
        TypeError,
        "operand `tensors[1]`: dimension 1 is 4, expected 3 (the shape of `tensors[1]` is (2, 4))",
    ),
    Call("split", (5,)).raises(ValueError, "exactly one of `sizes` and `sections` must be given"),
    Call("split", (5,), sizes=[2, 2]).raises(
        ValueError, "`sizes` (2, 2) must add up to dimension 0 of operand `x` of shape (5,)"
    ),
    Call("split", (5,), sections=0).raises(ValueError, "`sections` must be from 1 to 65536, got 0"),
    Call("split", (5,), sections=70000).raises(
        ValueError, "`sections` must be from 1 to 65536, got 70000"
    ),
    Call("strided_slice", (5,), begin=[0], end=[1], strides=[0]).raises(
        ValueError, "element 0 of `strides` is 0"
    ),
    Call("strided_slice", (5,), begin=[0], end=[1, 2]).raises(
        ValueError, "`end` must have 1 elements, got 2"
    ),
    Call("pad", (2,), None, before=[-3], after=[0]).raises(
        ValueError, "`before` and `after` remove more than dimension 0 of operand `x` of shape (2,)"
    ),
    Call("pad", (2,), None, before=[1], after=[0], mode="mirror").raises(
        ValueError,
        "`mode` must be one of `constant`, `edge`, `reflect`, `symmetric`, `wrap`, got `mirror`",
    ),
    Call("pad", (2,), (1,), before=[1], after=[0]).raises(
        TypeError, "operand `value` has rank 1, expected 0 (its shape is (1,))"
    ),
    Call("scatter_elements", (3,), (2,), (3,)).raises(
        TypeError,
        "operand `updates`: dimension 0 is 3, expected 2 (the shape of `updates` is (3,))",
    ),
    Call("scatter_nd", (3,), (2, 1), (2,), reduction="sum").raises(
        ValueError, "`reduction` must be one of `none`, `add`, `mul`, `min`, `max`, got `sum`"
    ),
    Call("gather_nd", (3,), (2, 2)).raises(
        ValueError,
        "the rows of operand `indices` have 2 elements, but operand `x` has 1 axes for them",
    ),
    Call("gather_nd", (3, 4), (2, 1), batch_dims=1).raises(
        TypeError,
        "operand `indices`: dimension 0 is 2, expected 3 (the shape of `indices` is (2, 1))",
    ),
    Call("topk", (3,), k=4).raises(
        ValueError, "`k` must be from 0 to dimension 0 of operand `x` of shape (3,), got 4"
    ),
    Call("non_max_suppression", (1, 5, 3), (1, 2, 5), (), None, max_output=3).raises(
        TypeError,
        "operand `boxes`: dimension 2 is 3, expected 4 (the shape of `boxes` is (1, 5, 3))",
    ),
    Call("non_max_suppression", (1, 5, 4), (1, 2, 6), (), None, max_output=3).raises(
        TypeError,
        "operand `scores`: dimension 2 is 6, expected 5 (the shape of `scores` is (1, 2, 6))",
    ),
    Call("non_max_suppression", (1, 5, 4), (1, 2, 5), (1,), None, max_output=3).raises(
        TypeError, "operand `iou_threshold` has rank 1, expected 0 (its shape is (1,))"
    ),
    Call("non_max_suppression", (1, 5, 4), (1, 2, 5), (), None, max_output=-1).raises(
        ValueError, "`max_output` must not be negative, got -1"
    ),
    Call("conv", (1, 4, 8, 8), (2, 3, 3, 3), None).raises(
        TypeError,
        "operand `weight`: dimension 1 is 3, expected 4 (the shape of `weight` is (2, 3, 3, 3))",
    ),
    Call("conv", (1, 4, 8, 8), (2, 4, 9, 3), None).raises(
        ValueError, "the window spans 9 of 8 padded elements along axis 2"
    ),
    Call("conv", (1, 3, 8), (2, 1, 3), None, groups=2).raises(
        ValueError, "the channels of operand `data` do not divide into 2 groups"
    ),
    Call("conv", (1, 3, 8), (2, 3, 3), (3,)).raises(
        TypeError, "operand `bias`: dimension 0 is 3, expected 2 (the shape of `bias` is (3,))"
    ),
    Call("conv", (1, 3, 8), (2, 3, 3), None, pads=[1, 1, 1]).raises(
        ValueError, "`pads` must have 2 elements, got 3"
    ),
    Call("conv", (1, 3, 8), (2, 3, 3), None, strides=[0]).raises(
        ValueError, "the elements of `strides` must be at least 1, got 0"
    ),
    Call("max_pool", (3, 8), kernel=[2]).raises(
        TypeError,
        "operand `x` has rank 2, expected at least 3 for `(n, c, *spatial)` (its shape is (3, 8))",
    ),
    Call("layer_norm", (2, 3), (2,), None).raises(
        TypeError, "operand `scale` of shape (2,) does not broadcast to (3,)"
    ),
    Call("attention", (1, 3, 2, 4), (1, 2, 2, 4), (1, 2, 2, 4), None).raises(
        ValueError,
        "the heads of operand `query` of shape (1, 3, 2, 4) must be a multiple of those of "
        "operand `key` of shape (1, 2, 2, 4)",
    ),
    Call("rnn", (5, 2, 1, 3), (2, 4), (3, 3), None).raises(
        TypeError,
        "operand `hidden`: dimension 1 is 4, expected 3 (the shape of `hidden` is (2, 4))",
    ),
    Call("rnn", (5, 2, 1, 3), (2, 3), (3, 3), None, activations=["y + 1"]).raises(
        ValueError, "each of `activations` must be an expression of `x`, got `y + 1`"
    ),
    Call("gru", (5, 2, 3, 3), (2, 3), (3, 9), (3,), None).raises(
        ValueError, "operand `bias` needs `reset_after=True`; add it to `gates`"
    ),
    Call("lstm", (5, 2, 4, 3), (2, 3), (2, 3), (3, 12), None, None, activations=["tanh(x)"]).raises(
        ValueError, "`activations` must have 3 elements, got 1"
    ),
    Call("resize", (2, 3)).raises(ValueError, "`sizes` or `scales` must be given"),
    Call("softmax", (2, 3), axis=2).raises(
        ValueError,
        "`axis >= -max(len(s), 1) and axis < max(len(s), 1)` must hold, where `s` is (2, 3) and "
        "`axis` is 2",
    ),
    Call("group_norm", (1, 6, 2), None, None, groups=4).raises(
        ValueError,
        "`groups >= 1 and c % groups == 0` must hold, where `c` is 6 in operand `x` and `groups` "
        "is 4",
    ),
    Call("full", (), shape=[2, -1]).raises(
        ValueError, "the dimension `shape` of the result is negative: -1"
    ),
    Call("broadcast_to", (), shape=[-1]).raises(
        ValueError, "the elements of `shape` must be at least 0, got -1"
    ),
    Call("tile", (2,), repeats=[-2]).raises(ValueError, AT_LEAST.format("repeats", 0, -2)),
    Call("split", (2,), sizes=[3, -1]).raises(ValueError, AT_LEAST.format("sizes", 0, -1)),
    Call("resize", (2,), sizes=[-3]).raises(ValueError, AT_LEAST.format("sizes", 0, -3)),
    Call("resize", (2,), scales=[0.0]).raises(
        ValueError, "the elements of `scales` must be above 0, got 0"
    ),
    Call("avg_pool", (1, 2, 8), kernel=[0]).raises(ValueError, AT_LEAST.format("kernel", 1, 0)),
    Call("conv_transpose", (1, 2, 3), (2, 4, 1), None, output_padding=[-1]).raises(
        ValueError, AT_LEAST.format("output_padding", 0, -1)
    ),
    Call("conv_transpose", (1, 2, 3), (2, 4, 1), None, pads=[2, 2]).raises(
        ValueError, "`pads` remove more than dimension 2 of the result, which would be -1"
    ),
    Call("arange", start=0, stop=4, step=0, dtype="int32").raises(
        ValueError, "`step != 0` must hold, where `step` is 0"
    ),
    Call("take_along_axis", (2, 3), (3, 3), axis=1).raises(
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


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_is_refused(call: Call, error: type[Exception], message: str) -> None:
    names = [info.name for info in Op.get(f"relay.{call.name}").arguments]
    operands = [operand(one, shape) for one, shape in zip(names, call.shapes, strict=True)]
    with pytest.raises(error) as raised:
        getattr(relay, call.name)(**by_name(call.name, operands), **call.attributes)
    assert str(raised.value) == f"relay.{call.name}: {message}"
