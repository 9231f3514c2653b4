"""The view of a schema file: the includes and declarations of its header.

In: a namespace of the JSON IR and the schema around it.  Out: a view.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tschema.backends.base import View, block_name
from tschema.backends.cpp import names, operators
from tschema.backends.cpp.access import HEADER, friends, has_foreign, layout_view
from tschema.backends.cpp.constructors import Constructors
from tschema.backends.cpp.deep_construction import sets_members
from tschema.backends.cpp.rows import function_view
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.structural import structural_includes
from tschema.ir.casing import constant_case
from tschema.ir.model import ROOT_KEY, Enum, Namespace, Schema, Type, TypeRef, type_refs
from tschema.ir.spelling import cpp_home, cpp_namespace


def file_view(space: Namespace, schema: Schema) -> View:
    """Return the view of one schema file."""
    scope = Scope.of_file(space, schema)
    calls = operators.calls(space, scope)
    functions = [function_view(one, scope, calls.get(one.name)) for one in space.functions]
    operators_view = operators.operators_view(space, schema)
    return View(
        source=space.source,
        guard=names.guard(names.header_path(space)),
        namespace=scope.namespace,
        forward=_forward(space, schema),
        tables=names.tables_prefix(space),
        function_table=f"{names.tables_prefix(space)}Functions",
        unit=unit_name(space),
        includes=_includes(space, schema),
        enums=[enum_view(enum, space) for enum in space.enums],
        types=[type_.ref for type_ in space.types if type_.options.extern is None],
        has_classes=any(
            type_.options.extern is None or type_.has_accessor_class for type_ in space.types
        ),
        registered=[type_.ref for type_ in space.types if type_.is_registered],
        externs=[_extern_row(type_, scope) for type_ in space.types if _is_foreign(type_, schema)],
        table_includes=_table_includes(space, schema),
        layouts=[view for one in space.types if (view := layout_view(one, schema))],
        functions=functions,
        declarations=[*functions, *operators_view.type_rules],
        operators=operators_view,
    )


def unit_name(space: Namespace) -> str:
    """Return the name of a schema file in the registry, within its namespace."""
    return f"{names.tables_prefix(space)}Unit"


def _forward(space: Namespace, schema: Schema) -> list[tuple[str, list[str]]]:
    """Return the references of other namespaces that methods mention before they are complete."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    own = {type_.key: type_ for type_ in space.types if type_.options.cpp_namespace}
    for type_ in space.types:
        home = cpp_home(type_.key, schema)
        refs = (ref for method in type_.methods for ref in type_refs(method))
        for key in {nested.key for ref in refs for nested in ref.walk()}:
            if key in own and cpp_home(key, schema) != home:
                groups[cpp_home(key, schema)].add(own[key].ref)
    return [(namespace, sorted(groups[namespace])) for namespace in sorted(groups)]


def _table_includes(space: Namespace, schema: Schema) -> list[str]:
    """Return the headers that only the tables of some types need."""
    needs = {"deep_construction": sets_members, "foreign_members": has_foreign}
    return [
        f"tschema/{header}.h"
        for header, needs_it in needs.items()
        if any(needs_it(type_, schema) for type_ in space.types)
    ]


def _is_foreign(type_: Type, schema: Schema) -> bool:
    """Whether another library has to have registered the type: not so below a class of this one."""
    is_by_hand = any(one.options.extern is None for one in schema.ancestry(type_))
    return is_checked(type_) and type_.options.register and not is_by_hand


def is_checked(type_: Type) -> bool:
    """Return whether C++ sees a class of another library, whose header is known."""
    return bool(type_.options.extern) and not type_.is_opaque


def _extern_row(type_: Type, scope: Scope) -> str:
    return f"tschema::Extern<{scope.data(type_.key)}>({names.string_literal(type_.key)})"


def _includes(space: Namespace, schema: Schema) -> list[str]:
    """Return the headers that a file includes, without its own."""
    found = {"cstdint", "tschema/enum.h"} if space.enums else set[str]()
    refs = [ref for function in space.functions for ref in type_refs(function)]
    for type_ in space.types:
        if type_.has_accessor_class:
            found |= {"tschema/opaque.h", "tvm/ffi/object.h"}
            refs += accessor_refs(type_)
            continue
        if type_.options.extern is not None:
            # Fields of an opaque class's type bring its header in.
            found.update([type_.options.extern] if is_checked(type_) else [])
            continue
        found |= class_includes(type_, schema)
        refs += mentioned(type_, schema)
    for type_ref in refs:
        found.update(names.cpp_includes(type_ref, schema))
    if operators.custom_rules(space, schema):
        found.add(operators.TYPE_RULE_HEADER)
    if space.functions and not any(include.startswith("tvm/ffi/") for include in found):
        found.add("tvm/ffi/any.h")
    return sorted(found - {names.header_path(space)})


def class_includes(type_: Type, schema: Schema) -> set[str]:
    """Return the headers that a data class needs besides those of the types that it mentions."""
    found = {"tvm/ffi/memory.h", "tvm/ffi/object.h", *structural_includes(type_, schema)}
    if type_.options.cow and type_.options.ref == "nullable":
        found.add("tvm/ffi/error.h")
    if type_.options.default_constructible and not type_.options.abstract:
        found.add("utility")
    if any(not names.is_plain(field.type) for field in schema.arguments(type_)):
        found.add("utility")
    if friends(type_, schema):
        found.add(HEADER)
    if Constructors(type_, schema, Scope.of_class(type_, schema)).calls_post_init():
        found.add("tschema/post_init.h")
    return found


def mentioned(type_: Type, schema: Schema) -> Iterator[TypeRef]:
    """Yield the types that a data class mentions, its parent's first."""
    if type_.parent != ROOT_KEY:
        yield TypeRef(kind="node", key=type_.parent)
    yield from (field.type for field in (*schema.fields(type_), *type_.unregistered))
    yield from (type_ref for method in type_.methods for type_ref in type_refs(method))


def accessor_refs(type_: Type) -> Iterator[TypeRef]:
    """Yield the types that a class of accessors mentions, its parent's first."""
    if type_.parent != ROOT_KEY:
        yield TypeRef(kind="node", key=type_.parent)
    yield from (field.type for field in type_.accessors)


def enum_view(enum: Enum, space: Namespace) -> View:
    """Return the view of an enum."""
    return View(
        name=enum.name,
        block=block_name(enum.key),
        qualified=f"{cpp_namespace(space)}::{enum.name}",
        doc=names.doxygen(enum.doc),
        members=[
            View(
                doc=names.doxygen(member.doc),
                declaration=f"{constant_case(member.name)} = {member.value}",
            )
            for member in enum.members
        ],
        contains=names.members_test(enum),
    )
