"""Classes that are declared and not emitted: of other libraries, or by hand."""

from __future__ import annotations

from collections.abc import Callable

from tschema.ir.model import Schema

Build = Callable[..., Schema]

TREE = '''
@declare
class AttrsNode(Object):
    """Attributes."""

    type_key = "toy.Attrs"
    final = False


@declare
class DictAttrsNode(AttrsNode):
    """Attributes by name."""

    type_key = "toy.DictAttrs"
    extern = {header}
    size = 32


@declare
class FuncNode(Object):
    """A function."""

    type_key = "toy.Func"
    attrs: DictAttrsNode = field(doc="Its attributes.")


@declare
class MoreAttrsNode(DictAttrsNode):
    """Attributes by name, and one more."""

    type_key = "toy.MoreAttrs"
    more: ty.int64_t = field(doc="One more.")
'''


def test_a_class_by_hand_below_a_declared_one(build: Build) -> None:
    schema = build(nodes=TREE.format(header='"toy/attrs.h"'))
    assert schema.type("toy.DictAttrs").parent == "toy.Attrs"
    assert schema.type("toy.MoreAttrs").layout.offset == 32
    assert schema.type("toy.Func").fields[0].size == 8


def test_a_header_that_is_not_known(build: Build) -> None:
    schema = build(nodes=TREE.format(header="True"))
    assert schema.extern_header("toy.DictAttrs") == ""
    assert schema.extern_header("toy.Attrs") is None
