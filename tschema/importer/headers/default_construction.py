"""Which data classes can be made without arguments, and which tvm-ffi can make at all.

In: a program and its data classes.  Out: `default_constructible` and `abstract` of each.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from tschema.importer.headers.program import Program
from tschema.importer.records import FoundClass, FoundField
from tschema.ir.model import TypeRef


def note_construction(
    program: Program, classes: Sequence[FoundClass], with_init: Container[str]
) -> None:
    """Fill in whether each class has a default constructor, and whether tvm-ffi can make it.

    Parameters
    ----------
    with_init
        Full names of those that register a constructor.
    """
    by_key = {found.key: found for found in classes}
    known: dict[str | None, bool] = {"ffi.Object": True, "ffi.Enum": True}
    for found in classes:
        line = [found]
        while line[-1].parent not in known and line[-1].parent in by_key and len(line) < 64:
            line.append(by_key[line[-1].parent])
        for one in reversed(line):
            is_parent = known.get(one.parent, False)
            one.default_constructible = is_parent and _has_default_constructor(program, one, by_key)
            known[one.key] = one.default_constructible
    for found in classes:
        full = full_name(found)
        is_made = found.default_constructible or full in with_init or _is_unsafe(program, full)
        found.abstract = not is_made if found.registered else None


def full_name(found: FoundClass) -> str:
    """Return the full name of a data class."""
    return f"{found.cpp_namespace}::{found.name}" if found.cpp_namespace else str(found.name)


def _is_unsafe(program: Program, full: str) -> bool:
    """Return whether a class has the constructor by which tvm-ffi makes objects to be filled."""
    functions = program.body(full).functions if full in program.classes else []
    return any(
        len(one.params) == 1 and one.params[0].type.endswith("UnsafeInit") for one in functions
    )


def _has_default_constructor(
    program: Program, found: FoundClass, by_key: Mapping[str | None, FoundClass]
) -> bool:
    full = full_name(found)
    if full not in program.classes:
        return False
    body = program.body(full)
    functions = body.functions
    if any(one.name == found.name for one in body.templates) and not any(
        one.name == found.name and not one.params for one in functions
    ):
        return False
    declared = [one for one in functions if one.name == found.name]
    without = [one for one in declared if all(param.default for param in one.params)]
    if declared and (not without or without[0].is_deleted):
        return False
    if any(function.is_pure for function in functions):
        return False
    return all(_starts_by_itself(field, by_key) for field in found.fields)


def _starts_by_itself(field: FoundField, by_key: Mapping[str | None, FoundClass]) -> bool:
    """Return whether a member needs no argument of a constructor."""
    if field.cpp_init is not None or field.type is None:
        return True
    return _has_empty_value(field.type, by_key)


def _has_empty_value(ref: TypeRef, by_key: Mapping[str | None, FoundClass]) -> bool:
    if ref.kind == "Union":
        return False
    if ref.kind != "node":
        return not (ref.key or "").endswith("&")
    found = by_key.get(ref.key)
    return found is None or found.reference is None or found.reference.nullable
