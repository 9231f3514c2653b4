"""Classes that are declared and not emitted: of other libraries, or by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.diagnostics.errors import SchemaError
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


def test_a_class_of_unknown_layout_has_accessors_and_no_fields(build: Build) -> None:
    nodes = TREE.replace("    size = 32\n", "    values: ty.Any = field(doc='All.')\n")
    nodes = nodes.partition("@declare\nclass MoreAttrsNode")[0].format(header='"toy/attrs.h"')
    type_ = build(nodes=nodes).type("toy.DictAttrs")
    assert type_.is_opaque
    assert (type_.fields, type_.init, type_.layout.size) == ((), (), 0)
    assert [(field.name, field.offset) for field in type_.accessors] == [("values", 0)]


def test_a_class_below_one_of_unknown_layout_has_none_either(build: Build) -> None:
    nodes = TREE.format(header="True").replace("    size = 32\n", "")
    with pytest.raises(
        SchemaError, match="derives from `DictAttrsNode`, whose layout is not known"
    ):
        build(nodes=nodes)
    below = nodes.replace('"toy.MoreAttrs"\n', '"toy.MoreAttrs"\n    extern = True\n')
    assert build(nodes=below).type("toy.MoreAttrs").is_opaque


def test_a_header_that_is_not_known(build: Build) -> None:
    schema = build(nodes=TREE.format(header="True"))
    assert schema.extern_header("toy.DictAttrs") == ""
    assert schema.extern_header("toy.Attrs") is None
