"""The structural methods of a data class, and its destructor.

In: a type of the JSON IR and the schema around it.  Out: views of `VisitAttrs`, `SEqualReduce` and
`SHashReduce`, with inherited fields first, and the names of the fields that the destructor
releases.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.ir.model import Field, Schema, Type, TypeRef

METHOD_OPTIONS = {
    "VisitAttrs": "default_visit_attrs",
    "SEqualReduce": "default_sequal_reduce",
    "SHashReduce": "default_shash_reduce",
}
"""Methods to the options that turn them off."""
_EQUAL = {"def": ".DefEqual", "def_pattern": ".DefPatternEqual", None: ""}
_HASH = {"def": ".DefHash", "def_pattern": ".DefPatternHash", None: ""}
_DEEP = 16
"""Classes on the way from the root, above which a class is deep."""
_BY_IDENTITY = ("unique", None)
"""Kinds whose objects are compared by identity, or not at all."""
_CHAIN_LINKS = frozenset({"node", "Object", "Function", "Any"})
"""Kinds of values that other nodes can hang on."""


def structural_methods(type_: Type, schema: Schema, parent: str) -> tuple[View, ...]:
    """
    Return the methods that a class has, unless an option turns them off.

    Parameters
    ----------
    type_
        The type; an abstract one is visited only, unless it has private fields.
    parent
        The parent's data class; its methods see the private fields that the class inherits.
    """
    is_above = _has_private(schema.ancestry(type_)[:-1]) or _is_chained(type_, schema)
    above = parent if is_above else ""
    fields = type_.fields if above else schema.fields(type_)
    compared = [field for field in fields if field.structural != "ignore"]
    # A parameter must not hide a member (`-Wshadow`).
    taken = {names.member(field) for field in schema.fields(type_)}
    is_variable = type_.options.structural == "var" and not type_.options.abstract
    views = {
        "VisitAttrs": _visit_attrs(fields, above, taken),
        "SEqualReduce": _equal_reduce(type_.name, compared, is_variable, above, taken),
        "SHashReduce": _hash_reduce(compared, is_variable, above, taken),
    }
    return tuple(views[name] for name in emitted_methods(type_, schema))


def _is_chained(type_: Type, schema: Schema) -> bool:
    """Return whether the methods call those of the parent, which a deep class does.

    To name all inherited fields in each class grows with the square of the depth.
    """
    if not is_deep(type_, schema) or type_.restated:
        return False
    parent = schema.type(type_.parent)
    is_variable = parent.options.structural == "var"
    return not is_variable and emitted_methods(type_, schema) == emitted_methods(parent, schema)


def is_deep(type_: Type, schema: Schema) -> bool:
    """Return whether a class has so many ancestors that its code must not repeat theirs."""
    return len(schema.ancestry(type_)) > _DEEP


def _has_private(lineage: Sequence[Type]) -> bool:
    return any(field.access == "private" for type_ in lineage for field in type_.fields)


def emitted_methods(type_: Type, schema: Schema) -> tuple[str, ...]:
    """Return the names of the methods that are emitted for a class."""
    options = type_.options
    is_compared = not options.abstract and options.structural not in _BY_IDENTITY
    if not options.final and _has_private(schema.ancestry(type_)):
        is_compared = True  # Those of its children call them.
    emitted = METHOD_OPTIONS if is_compared else ("VisitAttrs",)
    return tuple(name for name in emitted if getattr(options, METHOD_OPTIONS[name]))


def custom_methods(type_: Type) -> str:
    """Return the flags of the methods that a class does not take from the generator, or none."""
    custom = (name for name, option in METHOD_OPTIONS.items() if not getattr(type_.options, option))
    return " | ".join(f"tschema::kCustom{name}" for name in custom)


def released(type_: Type) -> tuple[str, ...]:
    """Return the fields of a class's own through which a chain of nodes can go on."""
    return tuple(names.member(field) for field in type_.members if _can_hold_nodes(field.type))


def structural_includes(type_: Type, schema: Schema) -> set[str]:
    """Return the headers that a class needs for the methods written out in it."""
    found = {"tschema/release.h"} if released(type_) else set[str]()
    may_be_written = bool(custom_methods(type_))
    return found | (
        {"tschema/structural.h"} if may_be_written or emitted_methods(type_, schema) else set()
    )


def _can_hold_nodes(type_ref: TypeRef) -> bool:
    return type_ref.kind in _CHAIN_LINKS or any(map(_can_hold_nodes, type_ref.args))


def _visit_attrs(fields: Sequence[Field], above: str, taken: Set[str]) -> View:
    visitor = names.free("v", taken)
    visits = [f"{above}::VisitAttrs({visitor})"] if above else []
    visits += (
        f"{visitor}->Visit({names.string_literal(one.name)}, &{names.member(one)})"
        for one in fields
    )
    parameter = f"tschema::AttrVisitor* {visitor}" if visits else "tschema::AttrVisitor*"
    return View(signature=f"void VisitAttrs({parameter})", statements=tuple(visits))


def _equal_reduce(
    node: str, fields: Sequence[Field], is_variable: bool, above: str, taken: Set[str]
) -> View:
    other, equal = names.free("other", taken), names.free("equal", taken)
    parts = [f"{above}::SEqualReduce({other}, {equal})"] if above else []
    parts += [
        f"{equal}{_EQUAL[one.structural]}({names.member(one)}, {other}->{names.member(one)})"
        for one in fields
    ]
    parts += [f"{equal}.FreeVarEqualImpl(this, {other})"] if is_variable else []
    parameters = f"const {node}* {other}, tschema::SEqualReducer {equal}"
    if not parts:
        parameters = f"const {node}*, tschema::SEqualReducer"
    statement = f"return {' && '.join(parts) or 'true'}"
    return View(signature=f"bool SEqualReduce({parameters}) const", statements=(statement,))


def _hash_reduce(fields: Sequence[Field], is_variable: bool, above: str, taken: Set[str]) -> View:
    reduce = names.free("hash_reduce", taken)
    statements = [f"{above}::SHashReduce({reduce})"] if above else []
    statements += [f"{reduce}{_HASH[one.structural]}({names.member(one)})" for one in fields]
    statements += [f"{reduce}.FreeVarHashImpl(this)"] if is_variable else []
    parameter = f"tschema::SHashReducer {reduce}" if statements else "tschema::SHashReducer"
    return View(signature=f"void SHashReduce({parameter}) const", statements=tuple(statements))
