"""Objects of every type of the package `zoo`, and their fields as text."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import tvm_ffi

from tschema.runtime import layout

__all__ = ["fields_of", "make_all", "make_containers"]


def make_all(zoo: ModuleType) -> list[Any]:
    """Make an object of every type."""
    leaf = zoo.Leaf(1)
    return [
        leaf,
        zoo.Plain(),
        zoo.Plain(True, -128, 255, -(2**15), 2**16 - 1, -(2**31), 2**32 - 1, -(2**63), 2**63 - 1),
        zoo.Plain(f32=0.1, f64=0.1, dtype="float32x4", order=zoo.Order.LAST, extreme=-(2**31)),
        zoo.Plain(flag=2, i8=True, f32=True, f64=3, device=tvm_ffi.device("cuda:1")),
        zoo.Device("cpu:0"),
        zoo.Values(),
        zoo.Values("a text of some length", b"\0\xff" * 9, [leaf, "x"], leaf),
        zoo.Values("é", b"", {"a": 1}, True),
        zoo.Optionals(),
        zoo.Optionals(True, -1, 1, -1, 1, 0.5, 0.5, "int8", 1, 0, "t", b"b", "s", leaf, [leaf]),
        zoo.Optionals(either=leaf, numbers={"a": 1}),
        make_containers(zoo),
        zoo.Checked([0, 255], {"a": zoo.Order.LAST}, (-128, 2), 255),
        zoo.Slots(leaf, [leaf, leaf], text="t", maybe=255, maybe_order=zoo.Order.SECOND),
    ]


def make_containers(zoo: ModuleType) -> Any:
    """Make an object that holds a container of every kind."""
    leaf = zoo.Leaf(1)
    return zoo.Containers(
        [1, 2],
        ["a", "long enough for the heap"],
        [leaf],
        {"a": leaf},
        [1.5, 2],
        {"k": [1]},
        (1, "a", leaf),
        {"a": [{1: [b"x"]}]},
        [None, 1, "a", leaf],
    )


def fields_of(node: Any) -> list[str]:
    """Return the fields of an object as text."""
    names = [field.name for field in layout(type(node).__tvm_ffi_type_info__.type_key).fields]
    shown = {name: getattr(node, name) for name in names}
    return [f"{name}={value!r}" for name, value in shown.items()]
