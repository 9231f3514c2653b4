"""Passes by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uir.ir import IRModule
from uir.transform import Pass, list_pass_names, make_pass, register_pass

from ..support import refuses
from .passes import recorded


def test_a_pass_is_made_by_its_name() -> None:
    one = recorded([], "one")
    assert register_pass("test_registry.One", one).same_as(one)
    assert make_pass("test_registry.One").same_as(one)


def test_a_factory_takes_arguments() -> None:
    @register_pass("test_registry.Named")
    def named(name: str, level: int = 0) -> Pass:
        return recorded([], name, level)

    assert make_pass("test_registry.Named", "a", 3).pass_info.opt_level == 3
    assert named("b").pass_info.name == "b"


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    register_pass("test_registry.Known", recorded([], "known"))
    with pytest.raises(
        ValueError,
        match=r"^there is no pass `qqq`; there are .*`test_registry\.Known`",
    ):
        make_pass("qqq")
    assert "test_registry.Known" in list_pass_names()


def test_a_second_registration_names_both_places() -> None:
    register_pass("test_registry.Twice", recorded([], "twice"))
    place = re.escape(str(Path(__file__)))
    with pytest.raises(
        ValueError,
        match=rf"^pass `test_registry\.Twice` is registered already, at {place}:\d+; "
        rf"the second one is at {place}:\d+$",
    ):
        register_pass("test_registry.Twice", recorded([], "twice"))


def test_a_factory_that_makes_no_pass() -> None:
    register_pass("test_registry.None", lambda: IRModule())  # type: ignore[arg-type, return-value]
    with refuses(
        TypeError,
        "the function registered as pass `test_registry.None` must return a `uir.transform.Pass`, "
        "got `uir.ir.IRModule`",
    ):
        make_pass("test_registry.None")


def test_a_factory_that_raises() -> None:
    class FactoryError(Exception):
        pass

    def fail() -> Pass:
        raise FactoryError("odd")

    register_pass("test_registry.Fail", fail)
    with pytest.raises(FactoryError, match="^odd$"):
        make_pass("test_registry.Fail")
