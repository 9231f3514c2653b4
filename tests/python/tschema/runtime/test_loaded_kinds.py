"""Classes of every kind that need no code are loaded like others; the rest is refused by name."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from .conftest import make_schema
from .test_loaded_refusals import refused

LOADED = '''
from tschema import Object, declare, ty


@declare
class Level(ty.IntEnum):
    """A level."""

    LOW = 0
    HIGH = 1


@declare
class SpanNode(Object):
    """A place."""

    type_key = "small.Span"
    ref = "nullable"
    line: ty.int64_t


@declare
class HiddenNode(Object):
    """C++ alone knows it."""

    type_key = "small.Hidden"
    register = False


@declare
class ConfigNode(Object):
    """Settings."""

    type_key = "small.Config"
    default_constructible = True
    mutable = True
    level: Level
    name: ty.String
    limit: ty.int32_t = 7
    tags: ty.Array[SpanNode]
    span: SpanNode
    other: HiddenNode


@declare
class UseNode(Object):
    """It may lack its place."""

    type_key = "small.Use"
    cow = True
    ref_init = None
    span: SpanNode = None
'''
USE = """
import sys
from tschema.runtime import deep_copy, load_json, load_types, save_json, structural_equal
small = load_types(sys.argv[1])
assert not hasattr(small, "Hidden")
config = small.Config()
assert (config.level, config.name, config.limit) == (small.Level.LOW, "", 7)
assert (list(config.tags), config.span, config.other) == ([], None, None)
config.span = small.Span(3)
config.other = config.span
assert small.Use().span is None and small.Use(config.span).span.line == 3
full = small.Config(span=small.Span(1), tags=[small.Span(2), None])
for one in (config, full, small.Use()):
    assert structural_equal(load_json(save_json(one)), one)
    assert structural_equal(deep_copy(one), one)
try:
    config.span = full
except TypeError as error:
    print(error)
print(small.Config.__init__.__annotations__["span"])
"""
REFUSED = '''
from tschema import Object, declare, field, method, static, ty


@declare
class ExprNode(Object):
    """A class of another library."""

    type_key = "vendor.Expr"
    extern = "vendor/expr.h"
    size = 72


@declare
class RunsNode(Object):
    """It has virtual functions."""

    type_key = "small.Runs"
    polymorphic = True


@declare
class ConfigNode(Object):
    """Settings."""

    type_key = "small.Config"
    default_constructible = True
    limit: ty.int32_t = field(cpp_init="kLimit")

    @static
    @method
    def parse(text: ty.String) -> ty.int64_t:
        """Parse a text."""
        ...
'''


def test_what_needs_no_code_is_loaded(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", LOADED)
    assert run_python(USE, schema).splitlines() == [
        "the field cannot hold `small.Config`",
        "typing.Optional[small.Span]",
    ]


def test_the_rest_is_refused_by_name(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", REFUSED)
    kind, _, *lines = refused(schema)
    assert kind == "TypeError"
    assert lines == [
        "type `vendor.Expr` needs `vendor/expr.h` of another library",
        "type `small.Runs` needs virtual functions",
        "type `small.Config` needs methods `parse`, the initializer of `limit`",
    ]
