"""The functions with which Rust's mutators mutate the fields of a node, and objects in them.

In: a family, and how its module calls methods.  Out: views, their statements ready-made.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.backends.base import View, mutate_doc
from tschema.backends.rust.functor_calls import Calls, role
from tschema.backends.rust.names import identifier
from tschema.ir.functor_families import Child
from tschema.ir.model import Type, TypeRef


def rebuild_view(calls: Calls, type_: Type) -> View:
    """Return the view of the function that mutates the fields of a type."""
    children = calls.family.children(type_)
    result = result_of(calls, type_)
    is_result = result == calls.name(type_)
    lines = ["Ok(node)" if is_result else "Ok(node.into())"]
    if children:
        lines = ["let mut rewrite = tschema::Rewrite::new(node);"]
        lines += (_mutate(calls, child) for child in children)
        lines += ["rewrite.finish()" if is_result else "rewrite.finish().map(Into::into)"]
    return View(
        doc=mutate_doc(children),
        type=calls.name(type_),
        stem=calls.stem(type_),
        mutator="m" if children else "_m",
        result=result,
        lines=lines,
    )


def _mutate(calls: Calls, child: Child) -> str:
    """Return the statement that makes a field into another one."""
    ref = child.field.type
    place = f"|node| &node.{identifier(child.field)}"
    inner = ref.args[0] if ref.args else ref
    function = {"node": "node", "Optional": "optional", "Array": "array"}.get(ref.kind)
    if function and inner.kind == "node" and "visit" not in child.roles:
        variable = calls.scope.reference(str(inner.key))
        put = f"|node: {variable}| Ok(tschema::replaced({calls.keeper()}::replacements(m), node))"
        return f"rewrite.{function}({place}, {put})?;"
    if function and "use" not in child.roles and calls.is_known(inner):
        return f"rewrite.{function}({place}, |node| {_mutated(calls, inner)})?;"
    change = f"|object| change(m, object, {role(child)})"
    return f"rewrite.value({place}, {change})?;"


def _mutated(calls: Calls, ref: TypeRef) -> str:
    root = calls.root_of(ref)
    if root is not None:
        return f"{calls.call_root('mutate', root, 'm')}node)"
    part = calls.part_of(ref)
    if part is None:
        return ""
    if part.is_variable:
        return f"bind_{calls.stem(part)}(m, node)"
    return f"{calls.call('mutate', part, 'm')}node)"


def changed_views(calls: Calls) -> Iterator[View]:
    """Yield the types by which mutated objects are told apart."""
    for root in calls.roots:
        yield _changed(calls, root, _arm(calls.call_root("mutate", root, "m")))
    for part in calls.sorted_parts():
        if part.is_variable:
            binds = _arm(f"bind_{calls.stem(part)}(m, ", "if role == tschema::Role::Binding ")
            yield _changed(calls, part, binds, _replaced_arm(calls))
        else:
            yield _changed(calls, part, _arm(calls.call("mutate", part, "m")))
    for variable in _used(calls):
        yield _changed(calls, variable, _replaced_arm(calls))


def _changed(calls: Calls, type_: Type, *arms: str) -> View:
    """Return what becomes of an object of a type."""
    return View(type=calls.name(type_), arms=arms)


def _replaced_arm(calls: Calls) -> str:
    keeper = f"{calls.keeper()}::replacements(m)"
    return f"Ok(node) => return Ok(tschema::replaced({keeper}, node).into()),"


def bound_view(calls: Calls, part: Type) -> View:
    """Return the view of the function that mutates a variable where it is bound."""
    call = f"{calls.call('mutate', part, 'm')}node.clone())"
    return View(type=calls.name(part), stem=calls.stem(part), mutate_copy=call)


def _used(calls: Calls) -> list[Type]:
    """Return the variables that are not parts."""
    parts = {part.key for part in calls.family.all_parts()}
    passages = map(calls.family.schema.type, sorted(calls.family.passages - parts))
    return [one for one in passages if one.is_variable]


def result_of(calls: Calls, type_: Type) -> str:
    """Return the result type of the mutator's method for a type: the root, or the part."""
    return calls.name(calls.family.root if type_ in calls.family.cases else type_)


def _arm(call: str, condition: str = "") -> str:
    return f"Ok(node) {condition}=> return {call}node).map(Into::into),"
