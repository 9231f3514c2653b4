"""The passes in order."""

from __future__ import annotations

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.passes import build_schema

from .schemas import node


def test_a_schema_has_everything_filled_in(build) -> None:
    schema = build(node("A", "final = False", "x: int") + node("B", "y: int = 1", base="ANode"))
    b = schema.type("toy.B")
    assert (b.parent, b.init, b.options.final) == ("toy.A", ("x", "y"), True)
    assert (b.layout.depth, b.layout.child_slots, len(b.layout.digest)) == (2, 0, 16)
    assert schema.type("toy.A").layout.child_slots == 1


def test_every_error_is_told_at_once(stages) -> None:
    made = stages(node("A", "x: Missing", "abstrakt = True") + node("B", "y: int = None"))
    with pytest.raises(SchemaError) as raised:
        build_schema("toy", made.declarations, {})
    assert {one.code for one in raised.value.diagnostics} == {"TS012", "TS029", "TS025"}
