"""Options of passes: registered ones only, of their types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uir.ir import IntImm
from uir.transform import PassContext, get_option, list_options, register_option

from ..support import refuses

register_option("test_options.flag", bool)
register_option("test_options.count", int)
register_option("test_options.scale", float)
register_option("test_options.label", str)
register_option("test_options.limit", IntImm)


def test_values_of_the_registered_types() -> None:
    limit = IntImm("int32", 3)
    config = {
        "test_options.flag": True,
        "test_options.count": 3,
        "test_options.scale": 0.5,
        "test_options.label": "x",
        "test_options.limit": limit,
    }
    context = PassContext(config=config)
    assert {name: context.config[name] for name in config} == config
    assert limit.same_as(context.config["test_options.limit"])


def test_integers_become_booleans() -> None:
    context = PassContext(config={"test_options.flag": 3})
    assert context.config["test_options.flag"] is True


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        ValueError,
        match=r"^PassContext: there is no option `test_options\.counts`; there are .*"
        r"`test_options\.count`, `test_options\.flag`",
    ):
        PassContext(config={"test_options.counts": 3})


@pytest.mark.parametrize(
    ("name", "value", "type_name", "found"),
    [
        ("flag", "yes", "bool", "str"),
        ("count", 1.5, "int", "float"),
        ("scale", "x", "float", "str"),
        ("label", 1, "str", "int"),
        ("limit", 1, "uir.ir.IntImm", "int"),
    ],
)
def test_another_type_is_refused(name: str, value: object, type_name: str, found: str) -> None:
    message = f"option `test_options.{name}` must be of type `{type_name}`, got `{found}`"
    with refuses(TypeError, f"PassContext: {message}"):
        PassContext(config={f"test_options.{name}": value})


def test_what_is_set_later_is_checked_when_the_context_is_entered() -> None:
    context = PassContext()
    context.config = {"test_options.unknown": 1}  # type: ignore[assignment]
    before = PassContext.current()
    with pytest.raises(ValueError, match=r"no option `test_options\.unknown`"), context:
        pass
    assert PassContext.current().same_as(before)


def test_an_option_is_read_by_its_name() -> None:
    context = PassContext(config={"test_options.count": 3})
    assert get_option(context, "test_options.count", 5) == 3
    assert get_option(PassContext(), "test_options.count", 5) == 5
    assert get_option(PassContext(), "test_options.count") is None
    with pytest.raises(ValueError, match=r"no option `test_options\.counts`"):
        get_option(context, "test_options.counts")


def test_options_are_listed() -> None:
    listed = list_options()
    assert listed["test_options.count"] == "int"
    assert listed["test_options.limit"] == "uir.ir.IntImm"


def test_a_second_registration_names_both_places() -> None:
    place = re.escape(str(Path(__file__)))
    with pytest.raises(
        ValueError,
        match=rf"^option `test_options\.flag` is registered already, at {place}:\d+; "
        rf"the second one is at {place}:\d+$",
    ):
        register_option("test_options.flag", bool)


def test_options_are_of_plain_types_or_objects() -> None:
    message = "option `test_options.x` must be of bool, int, float, str or a class of objects"
    with refuses(TypeError, f"{message}, got `list`"):
        register_option("test_options.x", list)
