"""Operators, and the registry of their attributes."""

from __future__ import annotations

import inspect
import re
import uuid

import pytest

from uir.ir import (
    AttrFieldInfo,
    Op,
    get_op,
    has_op,
    list_op_names,
    op_attr,
    register_op,
    set_op_attr,
)
from uir.tir import CallEffectKind, effect_kind

from ..support import X, refuses


@pytest.fixture
def op() -> Op:
    """Register an operator of a new name."""
    return register_op(Op(f"tests.{uuid.uuid4().hex}", "First."))


def test_operators_of_the_dialects_are_there() -> None:
    names = list(list_op_names())
    assert names == sorted(set(names))
    assert {"tir.exp", "tir.call_packed", "tir.shift_left"} <= set(names)
    exp = get_op("tir.exp")
    assert (exp.name, exp.num_inputs) == ("tir.exp", 1)
    assert exp.description == "Return e raised to the power of `x`."
    assert get_op("tir.exp").same_as(exp)


def test_an_unknown_operator() -> None:
    with refuses(ValueError, "there is no operator `tir.nonsense`"):
        get_op("tir.nonsense")


def line_here() -> str:
    """Return the place of the caller."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return f"{__file__}:{frame.f_back.f_lineno}"


def test_an_operator_with_a_name_nearly_so() -> None:
    with refuses(
        ValueError, "there is no operator `tir.shift_letf`; did you mean `tir.shift_left`?"
    ):
        Op.get("tir.shift_letf")
    with pytest.raises(ValueError, match=r"no operator `sqrtt`; did you mean .*`tir.sqrt`"):
        Op.get("sqrtt")


def test_the_class_answers_too(op: Op) -> None:
    assert Op.get(op.name).same_as(op)
    assert list(Op.list()) == list(list_op_names())
    assert has_op(op.name)
    assert not has_op("tests.nothing")


def test_a_second_operator_of_a_name_is_refused_with_both_places() -> None:
    name = f"tests.{uuid.uuid4().hex}"
    first, here = register_op(Op(name, "First.")), line_here()
    with pytest.raises(ValueError) as error:
        Op(name, "Second.").register()
    assert str(error.value) == (
        f'operator `{name}` is registered already at {here}, as "First."; '
        f'the second one at {__file__}:{int(here.rpartition(":")[2]) + 2} is "Second."'
    )
    assert get_op(name).same_as(first)


def test_an_operator_of_cpp_has_a_place_too() -> None:
    with pytest.raises(ValueError, match=r"already at \S*cpp/src/uir/relay/function\.cc:\d+, as"):
        register_op(Op("relay.call_destination_passing", "Second."))
    with pytest.raises(ValueError, match=r"already at schema/tir/math\.py, as"):
        register_op(Op("tir.exp", "Second."))


def test_attributes_are_given_once(op: Op) -> None:
    assert op_attr(op, "TCost") is None
    set_op_attr(op, "TCost", 7)
    assert op_attr(op, "TCost") == 7
    with pytest.raises(ValueError) as error:
        op.set_attr("TCost", 8)
    places = [int(line) for line in re.findall(re.escape(__file__) + r":(\d+)", str(error.value))]
    assert f"operator `{op.name}` has the attribute `TCost` already: first at" in str(error.value)
    assert places[1] - places[0] == 3
    with refuses(ValueError, f"attribute `TNone` of operator `{op.name}` must not be None"):
        set_op_attr(op, "TNone", None)
    assert op_attr(op, "TCost") == 7


def test_attribute_maps(op: Op) -> None:
    op.set_attr("TTests", "a").set_attr("TOther", X)
    assert op.get_attr("TTests") == "a"
    assert sorted(op.attrs) == ["TOther", "TTests"]
    assert op.attrs["TOther"].same_as(X)
    assert Op.attr_map("TTests")[op] == "a"
    assert len(Op.attr_map("TNothing")) == 0
    effects = Op.attr_map("TCallEffectKind")
    assert effects[get_op("tir.exp")] == CallEffectKind.PURE


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
