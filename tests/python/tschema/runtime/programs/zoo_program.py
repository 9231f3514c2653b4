"""A program over the types of the package `zoo`, the same whether they are loaded or compiled.

In: a `schema.json` as the argument.  Out: lines that tell what was made, read, written, refused.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable
from typing import Any

import tvm_ffi
from zoo_objects import fields_of, make_all, make_containers

from tschema.runtime import layout, load_types

zoo = load_types(sys.argv[1])
LEAF = zoo.Leaf(1)
ECHO = tvm_ffi.convert(lambda value: value)


def show(name: str, action: Callable[[], Any]) -> None:
    """Print what an action comes to; an error by its kind and its last line."""
    try:
        print(name, "->", action())
    except Exception as error:
        print(name, "->", type(error).__name__, str(error).strip().splitlines()[-1])


def refusals() -> None:
    """Give every field what it cannot hold, in the constructor and in its setter."""
    odd = [None, True, -1, 3, 256, 2**31, 2**40, 2**63, 10**30, 1.5, "text", "int32", b"bytes"]
    odd += [[], [1], [256], [None], ["a"], [LEAF], (1, 2), (1, "a", LEAF), {}, {"a": 1}, {"a": 9}]
    odd += [{1: LEAF}, LEAF, zoo.Device("cpu:0"), tvm_ffi.Shape((1,)), tvm_ffi.List([1, 2])]
    odd += [ECHO]
    required: dict[str, dict[str, Any]] = {
        "Leaf": {"value": 1},
        "Device": {"device": "cpu:0"},
        "Plain": {},
        "Values": {},
        "Optionals": {},
        "Checked": {"small": [], "orders": {}, "pair": (1, 2), "either": 1},
        "Slots": {"leaf": LEAF, "leaves": []},
        "Containers": {
            name: getattr(make_containers(zoo), name)
            for name in inspect.signature(zoo.Containers).parameters
        },
    }
    for name, arguments in required.items():
        cls = getattr(zoo, name)
        for field in inspect.signature(cls).parameters:
            for value in odd:
                given = {**arguments, field: value}
                show(f"{name}.{field} {value!r}", lambda: fields_of(cls(**given)))  # noqa: B023
    for field in inspect.signature(zoo.Slots).parameters:
        for value in odd:
            show(f"set {field} {value!r}", lambda: assign(field, value))  # noqa: B023


def assign(field: str, value: Any) -> str:
    """Write a field; say what it is after that."""
    node = zoo.Slots(LEAF, [])
    before = repr(node)
    try:
        setattr(node, field, value)
    except Exception:
        assert repr(node) == before
        raise
    return repr(getattr(node, field))


def calls() -> None:
    """Call constructors with too few, too many and named arguments."""
    make = tvm_ffi.get_global_func("zoo.Slots")
    show("no arguments", lambda: make())
    show("one argument", lambda: make(LEAF))
    show("defaults", lambda: make(LEAF, []))
    show("too many", lambda: make(*([LEAF] * 30)))
    keywords = tvm_ffi.core.KWARGS
    show("named", lambda: make(LEAF, keywords, "leaves", [LEAF], "u8", 7))
    show("twice", lambda: make(LEAF, keywords, "leaf", LEAF))
    show("unknown", lambda: make(LEAF, keywords, "leafs", LEAF))
    show("signature", lambda: list(inspect.signature(zoo.Slots).parameters))
    show("match", lambda: zoo.Slots.__match_args__)
    show("not mutable", lambda: setattr(LEAF, "value", 2))
    show("python arguments", lambda: zoo.Leaf(1, 2))


def facts() -> None:
    """Print layouts, which indices of types leave alone."""
    for name in ("Leaf", "Plain", "Values", "Optionals", "References", "Containers", "Slots"):
        found = layout(f"zoo.{name}")
        print(name, found.size, found.last_child - found.type_index, found.structural)
        print(*found.fields, sep="\n")
        info = getattr(zoo, name).__tvm_ffi_type_info__
        for field in info.fields:
            print(field.name, field.ty, field.c_default, field.c_init, field.frozen, field.doc)
        print(getattr(zoo, name).__doc__)


for made in make_all(zoo):
    print(type(made).__name__, type(made).__module__, *fields_of(made), sep="\n  ")
    copied = copy.copy(made)
    assert not copied.same_as(made)
    assert fields_of(copied) == fields_of(made)
    print(made)
    assert tvm_ffi.structural_equal(copied, made), made
    print(tvm_ffi.structural_hash(made))
refusals()
calls()
facts()
