"""The ways of an object through the languages, and what it means that it came back unchanged."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import tvm_ffi

from ..support.project import Project

Travel = Callable[[Any], Any]


@pytest.fixture(scope="session")
def rust(zoo_rust: Path) -> tvm_ffi.Module:
    """Load the Rust library, which checks that libzoo is the one it was generated for."""
    library = tvm_ffi.load_module(str(zoo_rust))
    library.init()
    return library


@pytest.fixture(params=["cpp-rust", "rust-cpp"])
def travel(request: pytest.FixtureRequest, zoo: Project, rust: tvm_ffi.Module) -> Travel:
    """Return a function that has an object rebuilt by C++ and by Rust, in either order."""
    from zoo_nodes import _ffi_api

    sides = {"cpp": _ffi_api, "rust": rust}

    def rebuild(node: Any) -> Any:
        name = f"rebuild_{type(node).__name__.lower()}"
        for side in request.param.split("-"):
            rebuilt = getattr(sides[side], name)(node)
            assert type(rebuilt) is type(node)
            assert not rebuilt.same_as(node)
            node = rebuilt
        return node

    return rebuild


def assert_same(found: Any, expected: Any) -> None:
    """Compare values as a user sees them: types, bits of numbers, elements, identity of objects."""
    if isinstance(expected, float):
        assert isinstance(found, float)
        assert struct.pack("<d", found) == struct.pack("<d", expected)
    elif isinstance(expected, (Sequence, tvm_ffi.Array, tvm_ffi.List)) and not isinstance(
        expected, (str, bytes)
    ):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, (Mapping, tvm_ffi.Map, tvm_ffi.Dict)):
        assert sorted(found.keys()) == sorted(expected.keys())
        for key, value in expected.items():
            assert_same(found[key], value)
    elif isinstance(expected, tvm_ffi.Object) and type(expected).__name__ == "Leaf":
        assert (type(found), found.value) == (type(expected), expected.value)
    elif isinstance(expected, tvm_ffi.Object):
        assert found.same_as(expected)
    else:
        # tvm-ffi has a `str` and a `bytes` of its own, which are Python's by inheritance.
        assert isinstance(found, type(expected))
        assert isinstance(found, bool) == isinstance(expected, bool)
        assert found == expected
