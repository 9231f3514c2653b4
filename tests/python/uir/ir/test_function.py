"""Functions and their attributes."""

from __future__ import annotations

from typing import Any

from uir.ir import BaseFunc, DictAttrs, ExternFunc, with_attr
from uir.tir import Evaluate, PrimFunc, Var

from ..support import I32, refuses


def test_attributes_are_never_none() -> None:
    for func in (ExternFunc("f"), PrimFunc([], Evaluate(I32)), ExternFunc("f", attrs=None)):
        assert isinstance(func.attrs, DictAttrs)
        assert dict(func.attrs.dict.items()) == {}


def test_an_extern_function_has_a_symbol() -> None:
    with refuses(ValueError, "ExternFunc: `global_symbol` must not be empty"):
        ExternFunc("")


def test_get_attr() -> None:
    func = ExternFunc("f", DictAttrs({"level": 3, "node": I32}))
    assert func.get_attr("level") == 3
    assert func.get_attr("node").same_as(I32)
    assert func.get_attr("missing") is None


def test_with_attr_leaves_the_function_as_it_is() -> None:
    param = Var("n", "int64")
    functions: list[Any] = [ExternFunc("f"), PrimFunc([param], Evaluate(I32))]
    for func in functions:
        changed = with_attr(func, "global_symbol", "main")
        assert type(changed) is type(func)
        assert isinstance(changed, BaseFunc)
        assert func.get_attr("global_symbol") is None
        assert changed.get_attr("global_symbol") == "main"
        replaced = with_attr(changed, "global_symbol", "other")
        assert changed.get_attr("global_symbol") == "main"
        assert replaced.get_attr("global_symbol") == "other"
        assert with_attr(replaced, "global_symbol", None).get_attr("global_symbol") is None
    assert changed.params[0].same_as(param)


def test_removing_an_attribute_that_is_not_there() -> None:
    assert with_attr(ExternFunc("f"), "missing", None).get_attr("missing") is None


def test_the_class_has_them_too() -> None:
    func = ExternFunc("f").with_attr("level", 3)
    assert isinstance(func, ExternFunc)
    assert func.get_attr("level") == 3
    assert func.without_attr("level").get_attr("level") is None
    several = func.with_attrs({"level": None, "global_symbol": "main"})
    assert several.attrs is not None
    assert dict(several.attrs.items()) == {"global_symbol": "main"}


def test_attributes_are_a_mapping() -> None:
    attrs = DictAttrs({"level": 3, "name": "f"})
    assert (attrs["level"], attrs.get("name"), attrs.get("other", 1)) == (3, "f", 1)
    assert sorted(attrs) == sorted(attrs.keys()) == ["level", "name"]
    assert ("level" in attrs, "other" in attrs, len(attrs)) == (True, False, 2)
    assert dict(attrs) == {"level": 3, "name": "f"}
    assert set(attrs.values()) == {3, "f"}
