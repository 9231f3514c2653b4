"""Operators, and the registry of their attributes."""

from __future__ import annotations

import uuid

import pytest

from uir.ir import AttrFieldInfo, Op, get_op, list_op_names, op_attr, register_op, set_op_attr
from uir.tir import CallEffectKind, effect_kind

from ..support import refuses


@pytest.fixture
def op() -> Op:
    """Register an operator of a new name."""
    return register_op(Op(f"tests.{uuid.uuid4().hex}", "First."))


def test_operators_of_the_dialects_are_there() -> None:
    names = list(list_op_names())
    assert names == sorted(set(names))
    assert {"tir.exp", "tir.call_packed", "tir.shift_left"} <= set(names)
    exp = get_op("tir.exp")
    assert (exp.name, exp.num_inputs, exp.description) == ("tir.exp", 1, "Power of e.")
    assert get_op("tir.exp").same_as(exp)


def test_an_unknown_operator() -> None:
    with refuses(ValueError, "there is no operator `tir.nonsense`"):
        get_op("tir.nonsense")


def test_a_second_operator_of_a_name_is_refused(op: Op) -> None:
    with refuses(
        ValueError,
        f'operator `{op.name}` is registered already, as "First."; the second one is "Second."',
    ):
        register_op(Op(op.name, "Second."))
    assert get_op(op.name).same_as(op)


def test_attributes_are_given_once(op: Op) -> None:
    assert op_attr(op, "TCost") is None
    set_op_attr(op, "TCost", 7)
    assert op_attr(op, "TCost") == 7
    with refuses(ValueError, f"operator `{op.name}` has the attribute `TCost` already"):
        set_op_attr(op, "TCost", 8)
    with refuses(ValueError, f"attribute `TNone` of operator `{op.name}` must not be None"):
        set_op_attr(op, "TNone", None)
    assert op_attr(op, "TCost") == 7


def test_only_registered_operators_have_attributes() -> None:
    stranger = Op("tir.exp")
    with refuses(ValueError, "operator `tir.exp` is not registered"):
        set_op_attr(stranger, "TCost", 7)
    assert op_attr(stranger, "TCallEffectKind") is None


def test_effects() -> None:
    assert effect_kind(get_op("tir.exp")) is CallEffectKind.PURE
    assert effect_kind(get_op("tir.vload")) is CallEffectKind.READ_STATE
    assert effect_kind(get_op("tir.likely")) is CallEffectKind.EXPR_ANNOTATION
    assert effect_kind(Op("tests.unknown")) is CallEffectKind.UPDATE_STATE


def test_what_an_operator_is_made_of() -> None:
    with refuses(ValueError, "Op: `name` must not be empty"):
        Op("")
    for num_inputs in (-2, 2):
        with refuses(
            ValueError,
            "Op: `num_inputs` of `f` must be -1 or the number of `arguments`, which is 1, "
            f"got {num_inputs}",
        ):
            Op("f", "", [AttrFieldInfo("x")], num_inputs)
    assert Op("f", "", [AttrFieldInfo("x")], 1).arguments[0].name == "x"
    assert Op("f", num_inputs=3).num_inputs == 3
