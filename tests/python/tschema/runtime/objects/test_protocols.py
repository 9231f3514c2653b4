"""Pickle, copy, deepcopy and repr of objects of every type."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi

from tschema.runtime.protocols import field_text, install_protocols
from uir.ir import IntImm
from uir.tir import Add, Let, Var

from ....support.process import run_python
from ....support.project import Project
from .conftest import is_interned, leads_to_function, same

LOAD = """
import pickle, sys
node = pickle.loads(bytes.fromhex(sys.argv[1]))
print(type(node).__module__, type(node).__name__, node)
"""


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_type_is_pickled(node: Any, protocol: int) -> None:
    if leads_to_function(node):
        with pytest.raises(TypeError, match=r"ffi\.Function"):
            pickle.dumps(node, protocol)
        return
    loaded = pickle.loads(pickle.dumps(node, protocol))
    assert same(node, loaded)
    assert node.same_as(loaded) == is_interned(node)


def test_pickles_in_containers() -> None:
    x = Var("x", "int32")
    shared = x + 1
    loaded = pickle.loads(pickle.dumps({"total": [Add(shared, shared)], "x": (x, x)}))
    total = loaded["total"][0]
    assert total.a.same_as(total.b)
    assert total.a.a.name == "x"
    assert loaded["x"][0] is loaded["x"][1]


def test_a_pickle_is_loaded_where_nothing_is_imported() -> None:
    data = pickle.dumps(Var("x", "int32") + 1)
    printed = run_python(LOAD, data.hex())
    assert printed.startswith("uir.tir Add x + 1")


def test_a_pickle_loads_the_packages_of_the_nodes_in_it(
    build_package: Callable[[str], Project],
) -> None:
    toy = build_package("toy")
    from toy_nodes import Clamp  # type: ignore[import-not-found]

    x = Var("x", "int32")
    data = pickle.dumps(x + Clamp(x, 8))
    # The generated classes say that they are those of `toy`, the package that a user imports.
    facade = "import sys, toy_nodes; sys.modules['toy'] = toy_nodes"
    printed = run_python(f"{facade}\n{LOAD}", data.hex(), path=(toy.python,))
    assert "toy.Clamp" in printed


def test_every_type_is_copied(node: Any) -> None:
    copied = copy.copy(node)
    assert type(copied) is type(node)
    assert not copied.same_as(node)
    for field in tvm_ffi.dataclasses.fields(type(node)):
        one, other = getattr(node, field.name), getattr(copied, field.name)
        if isinstance(one, tvm_ffi.Object):
            assert one.same_as(other)
        else:
            assert one == other


def test_every_type_is_copied_deeply(node: Any) -> None:
    if leads_to_function(node):
        with pytest.raises(TypeError, match=r"ffi\.Function"):
            copy.deepcopy(node)
        return
    copied = copy.deepcopy(node)
    assert same(node, copied)
    assert copied.same_as(node) == is_interned(node)


def test_a_deep_copy_shares_what_the_object_shares() -> None:
    x = Var("x", "int32")
    node = Let(x, IntImm("int32", 1), Add(x, x))
    copied = copy.deepcopy(node)
    assert not copied.var.same_as(x)
    assert copied.body.a.same_as(copied.var)
    assert copied.body.b.same_as(copied.var)


def test_a_deep_copy_of_a_container_copies_each_object_once() -> None:
    total = Var("x", "int32") + 1
    one, other = copy.deepcopy([total.a, total.a])
    assert one.same_as(other)
    assert not one.same_as(total.a)


def test_every_type_has_the_text_that_tvm_ffi_gives_it(node: Any) -> None:
    assert field_text(node) == tvm_ffi.core.object_repr(node)


def test_methods_of_a_class_body_are_kept() -> None:
    class Named:
        def __repr__(self) -> str:
            return "named"

    install_protocols(Named)
    assert repr(Named()) == "named"
    assert "__deepcopy__" in vars(Named)
    assert "__replace__" not in vars(Named)
