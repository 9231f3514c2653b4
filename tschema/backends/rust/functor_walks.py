"""The functions with which Rust's visitors visit the fields of a node, and objects in them.

In: a family, and how its module calls methods.  Out: views, their statements ready-made.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View, visit_doc
from tschema.backends.rust.functor_calls import Calls, role
from tschema.backends.rust.names import identifier
from tschema.ir.functor_families import Child
from tschema.ir.model import Field, Type, TypeRef

_DOWNCAST = "tschema::downcast_ref"


def walk_view(calls: Calls, type_: Type) -> View:
    """Return the view of the function that visits the fields of a type."""
    visited = [one for one in calls.family.children(type_) if "visit" in one.roles]
    return View(
        doc=visit_doc(visited),
        type=calls.name(type_),
        stem=calls.stem(type_),
        visitor="v" if visited else "_v",
        node="node" if visited else "_node",
        lines=[_visit(calls, child, type_) for child in visited],
    )


def _visit(calls: Calls, child: Child, type_: Type) -> str:
    """Return the statement that visits a field."""
    ref = child.field.type
    place = f"node.{identifier(child.field)}"
    place = f"{place}.get()" if _is_mutable(calls, child.field, type_) else place
    inner = ref.args[0] if ref.args else ref
    if "use" not in child.roles and calls.is_known(inner):
        if ref.kind == "node":
            return f"{_visited(calls, ref, f'&{place}')};"
        if ref.kind == "Optional":
            return f"if let Some(node) = &{place} {{ {_visited(calls, inner, 'node')}; }}"
        if ref.kind == "Array":
            elements = f"tschema::elements(&{place})"
            return f"for node in {elements} {{ {_visited(calls, inner, 'node')}; }}"
    return f"tschema::visit_value(&{place}, |object| enter(v, object, {role(child)}));"


def _is_mutable(calls: Calls, field: Field, type_: Type) -> bool:
    owners = calls.family.schema.ancestry(type_)
    return any(field in one.fields and (one.options.mutable or field.mutable) for one in owners)


def _visited(calls: Calls, ref: TypeRef, node: str) -> str:
    root = calls.root_of(ref)
    if root is None:
        part = calls.part_of(ref)
        return f"{calls.call('visit', part, 'v')}{node})" if part is not None else ""
    cast = node if root.key == ref.key else f"tschema::expect_ref({node})"
    return f"{calls.call_root('visit', root, 'v')}{cast})"


def kind_views(calls: Calls) -> Iterator[View]:
    """Yield the types by which visited objects are told apart."""
    kinds = [(one, _DOWNCAST, calls.call_root("visit", one, "v")) for one in calls.roots]
    for part in calls.sorted_parts():
        cast = "role.bound" if part.is_variable else _DOWNCAST
        kinds.append((part, cast, calls.call("visit", part, "v")))
    for index, (type_, cast, call) in enumerate(kinds):
        condition = f"if let Some(node) = {cast}::<{calls.name(type_)}>(object) {{"
        yield View(condition=f"}} else {condition}" if index else condition, visit=f"{call}node)")
