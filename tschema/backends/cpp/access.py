"""What only C++ knows of a class: members that are not public, foreign ones, a base between.

In: a type of the JSON IR, and how its data class is named.  Out: the friend of the class that knows
the offsets, its definition, and the assertions of each member.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View, spell_in_full
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Field, Schema, Type

HEADER = "tschema/layout_of.h"
"""Declares the friend."""


def friends(type_: Type, schema: Schema) -> tuple[str, ...]:
    """Return the friends of a data class; none if it has public members only."""
    found = []
    if _hidden(type_) or _filled(type_, schema):
        found.append(f"struct {layout_of(type_.name)}")
    if _filled(type_, schema) and type_.options.ref_init == "fields":
        found.append(f"class {type_.ref}")
    return tuple(found)


def layout_of(data: str) -> str:
    """Return the friend of a data class that knows where its members are."""
    return f"tschema::LayoutOf<{data}>"


def pointer_to(field: Field, data: str) -> str:
    """Return the pointer to a member, inherited or not, as a table names it."""
    if field.access == "public":
        return f"&{data}::{names.member(field)}"
    return f"{layout_of(data)}::{_pointer(field)}"


def offset_of(field: Field, data: str) -> str:
    """Return the offset of a member, as a table names it."""
    if field.access == "public":
        return f"offsetof({data}, {names.member(field)})"
    return f"{layout_of(data)}::{names.member(field)}"


def layout_view(type_: Type, schema: Schema) -> View | None:
    """Return the definition of a class's friend, which is in no namespace; None without one."""
    members, filled = _hidden(type_), _filled(type_, schema)
    if type_.is_by_hand or (not members and not filled):
        return None
    scope = Scope(schema, "")
    data = scope.data(type_.key).removeprefix("::")
    facts = (one for field in members for one in member_facts(field, data, scope))
    return View(
        friend=layout_of(data),
        constants=[
            *(
                f"int64_t {names.member(field)} = offsetof({data}, {names.member(field)})"
                for field in members
            ),
            *(f"auto {_pointer(field)} = &{data}::{names.member(field)}" for field in filled),
        ],
        assertions=[spell_in_full(fact, "::tvm::ffi") for fact in facts],
    )


def member_facts(
    field: Field, data: str, scope: Scope, *, is_by_hand: bool = False
) -> Iterator[str]:
    """Yield assertions of a member's type: a foreign type's size, the target of an alias."""
    qualified = f"{data}::{names.member(field)}"
    if field.type.kind == "foreign":
        yield f"sizeof({qualified}) == {field.size}"
    if field.cpp_type is not None:
        meant = names.cpp_type(field.type, scope)
        if any(one.kind == "node" for one in field.type.walk()):
            # It may be of a second reference class, which is as large.
            yield f"sizeof({qualified}) == sizeof({meant})"
        else:
            same = f"std::is_same_v<decltype({qualified}), {meant}>"
            if is_by_hand and field.type.kind.removeprefix("u").startswith("int"):
                # The author's code may register an enum as an integer.
                is_enum = f"std::is_enum_v<decltype({qualified})>"
                same += f" || ({is_enum} && sizeof({qualified}) == sizeof({meant}))"
            yield same


def has_foreign(type_: Type, schema: Schema) -> bool:
    """Return whether a type or an ancestor has a member that only C++ knows how to copy."""
    members = (member for one in schema.ancestry(type_) for member in one.unregistered)
    return any(member.type.kind == "foreign" for member in members)


def base_facts(type_: Type, scope: Scope) -> Iterator[str]:
    """Yield the assertions of a class between a data class and its parent's: it has no data."""
    base = type_.options.cpp_base
    if base is None:
        return
    yield f"std::is_base_of_v<{scope.data(type_.parent)}, {base}>"
    pointer = f" + (std::is_polymorphic_v<{base}> ? tschema::kTablePointer : 0)"
    yield f"sizeof({base}) == {type_.layout.offset}{pointer if type_.options.polymorphic else ''}"


def _pointer(field: Field) -> str:
    """Return the constant that points to a member."""
    return f"pointer_to_{names.member(field)}"


def _filled(type_: Type, schema: Schema) -> list[Field]:
    """Return the members that are not public and are filled in, inherited ones included."""
    if not type_.options.default_constructible:
        return []
    return [field for field in schema.arguments(type_) if field.access != "public"]


def _hidden(type_: Type) -> list[Field]:
    return [field for field in type_.members if field.access != "public"]
