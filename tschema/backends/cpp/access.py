"""Members that are not public, and foreign ones: how the tables outside of the class see them.

In: a type of the JSON IR, and how its data class is named.  Out: the friend of the class that knows
the offsets, its definition, and what is asserted of each member.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View, spell_in_full
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Field, Schema, Type

HEADER = "tschema/layout_of.h"
"""Declares the friend."""


def layout_of(type_: Type, data: str) -> str:
    """Return the friend of a data class; empty if all its members are public."""
    return f"tschema::LayoutOf<{data}>" if _hidden(type_) else ""


def offset_of(field: Field, type_: Type, data: str) -> str:
    """Return the offset of a member, as a table names it."""
    if field.access == "public":
        return f"offsetof({data}, {names.member(field)})"
    return f"{layout_of(type_, data)}::{names.member(field)}"


def layout_view(type_: Type, schema: Schema) -> View | None:
    """Return the definition of a class's friend, which stands in no namespace; None without one."""
    members = _hidden(type_)
    if not members:
        return None
    scope = Scope(schema, "")
    data = scope.data(type_.key).removeprefix("::")
    facts = (one for field in members for one in member_facts(field, data, scope))
    return View(
        friend=layout_of(type_, data),
        offsets=[
            f"int64_t {names.member(field)} = offsetof({data}, {names.member(field)})"
            for field in members
        ],
        assertions=[spell_in_full(fact, "::tvm::ffi") for fact in facts],
    )


def member_facts(field: Field, data: str, scope: Scope) -> Iterator[str]:
    """Yield what is asserted of a member's type: the size of a foreign one, what an alias is."""
    qualified = f"{data}::{names.member(field)}"
    if field.type.kind == "foreign":
        yield f"sizeof({qualified}) == {field.size}"
    if field.cpp_type is not None:
        meant = names.cpp_type(field.type, scope)
        yield f"std::is_same_v<decltype({qualified}), {meant}>"


def has_foreign(type_: Type, schema: Schema) -> bool:
    """Return whether a type or an ancestor has a member that only C++ knows how to copy."""
    members = (member for one in schema.ancestry(type_) for member in one.unregistered)
    return any(member.type.kind == "foreign" for member in members)


def _hidden(type_: Type) -> list[Field]:
    return [field for field in type_.members if field.access != "public"]
