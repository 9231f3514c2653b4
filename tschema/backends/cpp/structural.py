"""The structural methods of a data class, and its destructor.

In: a type of the JSON IR and the schema around it.  Out: views of `VisitAttrs`, `SEqualReduce` and
`SHashReduce`, with inherited fields first, and the names of the fields that the destructor
releases.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.ir.model import Field, Schema, Type, TypeRef

_LOCALS = frozenset({"equal", "hash_reduce", "other", "v"})
"""Parameters of the methods, which hide fields of the same name."""
METHOD_OPTIONS = {
    "VisitAttrs": "default_visit_attrs",
    "SEqualReduce": "default_sequal_reduce",
    "SHashReduce": "default_shash_reduce",
}
"""Methods to the options that turn them off."""
_EQUAL = {"def": "equal.DefEqual", "def_pattern": "equal.DefPatternEqual", None: "equal"}
_HASH = {
    "def": "hash_reduce.DefHash",
    "def_pattern": "hash_reduce.DefPatternHash",
    None: "hash_reduce",
}
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
    schema
        The JSON IR.
    parent
        The parent's data class; its methods see the private fields that the class inherits.
    """
    above = parent if _has_private(schema.ancestry(type_)[:-1]) else ""
    fields = type_.fields if above else schema.fields(type_)
    compared = [field for field in fields if field.structural != "ignore"]
    is_variable = type_.options.structural == "var" and not type_.options.abstract
    views = {
        "VisitAttrs": _visit_attrs(fields, above),
        "SEqualReduce": _equal_reduce(type_.name, compared, is_variable, above),
        "SHashReduce": _hash_reduce(compared, is_variable, above),
    }
    return tuple(views[name] for name in emitted_methods(type_, schema))


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
    """Return the headers that a class needs for what is written out in it."""
    found = {"tschema/release.h"} if released(type_) else set[str]()
    may_be_written = bool(custom_methods(type_))
    return found | (
        {"tschema/structural.h"} if may_be_written or emitted_methods(type_, schema) else set()
    )


def _can_hold_nodes(type_ref: TypeRef) -> bool:
    return type_ref.kind in _CHAIN_LINKS or any(map(_can_hold_nodes, type_ref.args))


def _visit_attrs(fields: Sequence[Field], above: str) -> View:
    visits = [f"{above}::VisitAttrs(v)"] if above else []
    visits += (f"v->Visit({names.string_literal(one.name)}, &{_own(one)})" for one in fields)
    parameter = "tschema::AttrVisitor* v" if visits else "tschema::AttrVisitor*"
    return View(signature=f"void VisitAttrs({parameter})", statements=tuple(visits))


def _equal_reduce(node: str, fields: Sequence[Field], is_variable: bool, above: str) -> View:
    parts = [f"{above}::SEqualReduce(other, equal)"] if above else []
    parts += [
        f"{_EQUAL[one.structural]}({_own(one)}, other->{names.member(one)})" for one in fields
    ]
    parts += ["equal.FreeVarEqualImpl(this, other)"] if is_variable else []
    parameters = f"const {node}* other, tschema::SEqualReducer equal"
    if not parts:
        parameters = f"const {node}*, tschema::SEqualReducer"
    statement = f"return {' && '.join(parts) or 'true'}"
    return View(signature=f"bool SEqualReduce({parameters}) const", statements=(statement,))


def _hash_reduce(fields: Sequence[Field], is_variable: bool, above: str) -> View:
    statements = [f"{above}::SHashReduce(hash_reduce)"] if above else []
    statements += [f"{_HASH[one.structural]}({_own(one)})" for one in fields]
    statements += ["hash_reduce.FreeVarHashImpl(this)"] if is_variable else []
    parameter = "tschema::SHashReducer hash_reduce" if statements else "tschema::SHashReducer"
    return View(signature=f"void SHashReduce({parameter}) const", statements=tuple(statements))


def _own(field: Field) -> str:
    """Return how a method names a field of its object."""
    name = names.member(field)
    return f"this->{name}" if name in _LOCALS else name
