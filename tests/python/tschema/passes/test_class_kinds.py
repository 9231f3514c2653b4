"""Classes of other kinds than the plain one, up to the limits of their options."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.ir.model import Default, Schema

from .schemas import node

Build = Callable[..., Schema]
EXTERN = ('extern = "other/thing.h"', "size = 32")
NUMBER = 'x: ty.int64_t = field(doc="A number.")'
FILLED = "default_constructible = True"


@pytest.mark.parametrize(
    "classes",
    [
        node("A", *EXTERN, NUMBER),
        node("A", 'extern = "a/b.h"', "size = 24"),
        node("A", "reserve = 65535"),
        node("A", 'renamed_from = "ANode"'),
        node("A", "cow = True", 'register = "hand"', "final = False"),
        node("A", *EXTERN, "final = False", NUMBER) + node("B", FILLED, base="ANode"),
        node("A", "final = False", NUMBER.replace("doc", 'init=False, cpp_init="1", doc'))
        + node("B", FILLED, base="ANode"),
        node("A", "final = False", FILLED) + node("B", FILLED, base="ANode"),
        node("A", "register = False", "final = False")
        + node("B", "register = False", base="ANode"),
    ],
)
def test_a_class_at_a_limit_is_accepted(build: Build, classes: str) -> None:
    build(classes)


@pytest.mark.parametrize(
    ("classes", "problem"),
    [
        (
            node("A", *EXTERN, "final = False") + node("B", *EXTERN, NUMBER, base="ANode"),
            "`BNode` has a `size` of 32 bytes, and fields up to byte 40",
        ),
        (node("A", 'extern = "a/b.h"', "size = 16"), "option `size` cannot be 16"),
        (node("A", "reserve = 65536"), "option `reserve` cannot be 65536"),
        (
            node("A", 'ref = "hand"', 'ref_init = "hand"'),
            "`ANode` gives `ref_init`, but its reference class is written by hand",
        ),
        (
            node("A", 'ref = "hand"', "cow = True"),
            "`ANode` gives `cow`, but its reference class is written by hand",
        ),
    ],
)
def test_a_class_beyond_a_limit_is_refused(build: Build, classes: str, problem: str) -> None:
    with pytest.raises(SchemaError) as raised:
        build(classes)
    assert problem in [one.message for one in raised.value.diagnostics]


def test_only_the_first_filled_class_makes_arguments_of_another_library_optional(
    build: Build,
) -> None:
    chain = node("A", *EXTERN, "final = False", NUMBER)
    chain += node("B", FILLED, "final = False", base="ANode") + node("C", base="BNode")
    schema = build(chain)
    (restated,) = schema.type("toy.B").restated
    assert (restated.name, restated.default) == ("x", Default(initializer=True))
    assert schema.type("toy.C").restated == ()
