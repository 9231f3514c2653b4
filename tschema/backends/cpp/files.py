"""The view of a schema file: what its header includes and declares.

In: a namespace of the JSON IR and the schema around it.  Out: a `FileView`.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.backends.cpp import names
from tschema.backends.cpp.rows import function_view
from tschema.backends.cpp.structural import structural_includes
from tschema.backends.cpp.types import TypeViews
from tschema.backends.cpp.view import EnumView, FileView, MemberView, UnitView
from tschema.ir.model import ROOT_KEY, Enum, Namespace, Schema, TypeRef

__all__ = ["enum_view", "file_view", "unit_view"]


def file_view(space: Namespace, schema: Schema) -> FileView:
    """Return the view of one schema file."""
    path = f"{space.name.replace('.', '/')}/{space.file}"
    return FileView(
        source=space.source,
        header=f"{path}.h",
        guard=f"{path}.h".replace("/", "_").replace(".", "_").upper() + "_",
        namespace=space.name.replace(".", "::"),
        unit=f"k{names.camel_case(space.file)}Unit",
        includes=_includes(space, schema),
        enums=tuple(enum_view(enum) for enum in space.enums),
        types=tuple(type_.ref for type_ in space.types),
        functions=tuple(function_view(function, schema) for function in space.functions),
    )


def unit_view(space: Namespace) -> UnitView:
    """Return what the registry names of one schema file."""
    return UnitView(
        source=space.source,
        namespace=space.name.replace(".", "::"),
        unit=f"k{names.camel_case(space.file)}Unit",
    )


def _includes(space: Namespace, schema: Schema) -> tuple[str, ...]:
    """Return the headers of a file, but for its own."""
    own = f"{space.name.replace('.', '/')}/{space.file}.h"
    arguments = [field for type_ in space.types for field in schema.arguments(type_)]
    found = {"utility"} if any(not names.is_plain(field.type) for field in arguments) else set()
    if space.enums:
        found |= {"cstdint", "tschema/enum.h"}
    for type_ in space.types:
        found |= {"tvm/ffi/memory.h", "tvm/ffi/object.h", *structural_includes(type_)}
        if type_.parent != ROOT_KEY:
            home = schema.home(type_.parent)
            found.add(f"{home.name.replace('.', '/')}/{home.file}.h")
        if TypeViews(type_, schema).calls_post_init():
            found.add("tschema/post_init.h")
    for type_ref in _type_refs(space, schema):
        found.update(names.cpp_includes(type_ref, schema))
    if space.functions and not any(include.startswith("tvm/ffi/") for include in found):
        found.add("tvm/ffi/any.h")
    return tuple(sorted(found - {own}))


def _type_refs(space: Namespace, schema: Schema) -> Iterable[TypeRef]:
    for type_ in space.types:
        yield from (field.type for field in schema.fields(type_))
        for method in type_.methods:
            yield from (method.returns, *(param.type for param in method.params))
    for function in space.functions:
        yield from (function.returns, *(param.type for param in function.params))


def enum_view(enum: Enum) -> EnumView:
    """Return the view of an enum."""
    return EnumView(
        name=enum.name,
        qualified=enum.key.replace(".", "::"),
        doc=names.doxygen(enum.doc),
        members=tuple(
            MemberView(
                doc=names.doxygen(member.doc),
                declaration=f"{names.enum_constant(member.name)} = {member.value}",
            )
            for member in enum.members
        ),
        contains=names.members_test(enum),
    )
