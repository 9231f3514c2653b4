"""The part of imported packages that a schema builds on."""

from __future__ import annotations

from msgspec.structs import replace

from tschema.ir.model import TypeRef
from tschema.passes.closure import used_imports

from .schemas import node


def test_what_is_used_in_turn_is_taken_and_nothing_else(build) -> None:
    other = build(node("A") + node("B", "x: ANode") + node("C"))
    space = build(node("D", "x: ty.Object")).namespaces[0]
    assert used_imports([space], {"toy": other}) == ()
    (type_,) = space.types
    field = replace(type_.fields[0], type=TypeRef(kind="node", key="toy.B"))
    using = replace(space, types=(replace(type_, fields=(field,)),))
    (found,) = used_imports([using], {"toy": other})
    assert [one.key for one in found.namespaces[0].types] == ["toy.A", "toy.B"]
