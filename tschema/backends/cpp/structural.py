"""The structural methods of a data class, and its destructor.

In: a type of the JSON IR and all its fields.  Out: views of `VisitAttrs`, `SEqualReduce` and
`SHashReduce`, with inherited fields first, and the names of the fields that the destructor
releases.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.ir.model import Field, Type, TypeRef

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


def structural_methods(type_: Type, fields: Sequence[Field]) -> tuple[View, ...]:
    """
    Return the methods that a class has, unless an option turns them off.

    Parameters
    ----------
    type_
        The type; an abstract one is visited only.
    fields
        All its fields, the parents' first.
    """
    compared = [field for field in fields if field.structural != "ignore"]
    is_variable = type_.options.structural == "var"
    views = {
        "VisitAttrs": _visit_attrs(fields),
        "SEqualReduce": _equal_reduce(type_.name, compared, is_variable),
        "SHashReduce": _hash_reduce(compared, is_variable),
    }
    return tuple(views[name] for name in emitted_methods(type_))


def emitted_methods(type_: Type) -> tuple[str, ...]:
    """Return the names of the methods that are emitted for a class."""
    options = type_.options
    is_compared = not options.abstract and options.structural not in _BY_IDENTITY
    emitted = METHOD_OPTIONS if is_compared else ("VisitAttrs",)
    return tuple(name for name in emitted if getattr(options, METHOD_OPTIONS[name]))


def custom_methods(type_: Type) -> str:
    """Return the flags of the methods that a class does not take from the generator, or none."""
    custom = (name for name, option in METHOD_OPTIONS.items() if not getattr(type_.options, option))
    return " | ".join(f"tschema::kCustom{name}" for name in custom)


def released(type_: Type) -> tuple[str, ...]:
    """Return the fields of a class's own through which a chain of nodes can go on."""
    return tuple(names.identifier(field) for field in type_.fields if _can_hold_nodes(field.type))


def structural_includes(type_: Type) -> set[str]:
    """Return the headers that a class needs for what is written out in it."""
    found = {"tschema/release.h"} if released(type_) else set[str]()
    may_be_written = bool(custom_methods(type_))
    return found | ({"tschema/structural.h"} if may_be_written or emitted_methods(type_) else set())


def _can_hold_nodes(type_ref: TypeRef) -> bool:
    return type_ref.kind in _CHAIN_LINKS or any(map(_can_hold_nodes, type_ref.args))


def _visit_attrs(fields: Sequence[Field]) -> View:
    visits = (f"v->Visit({names.string_literal(one.name)}, &{_own(one)})" for one in fields)
    parameter = "tschema::AttrVisitor* v" if fields else "tschema::AttrVisitor*"
    return View(signature=f"void VisitAttrs({parameter})", statements=tuple(visits))


def _equal_reduce(node: str, fields: Sequence[Field], is_variable: bool) -> View:
    parts = [
        f"{_EQUAL[one.structural]}({_own(one)}, other->{names.identifier(one)})" for one in fields
    ]
    parts += ["equal.FreeVarEqualImpl(this, other)"] if is_variable else []
    parameters = f"const {node}* other, tschema::SEqualReducer equal"
    if not parts:
        parameters = f"const {node}*, tschema::SEqualReducer"
    statement = f"return {' && '.join(parts) or 'true'}"
    return View(signature=f"bool SEqualReduce({parameters}) const", statements=(statement,))


def _hash_reduce(fields: Sequence[Field], is_variable: bool) -> View:
    statements = [f"{_HASH[one.structural]}({_own(one)})" for one in fields]
    statements += ["hash_reduce.FreeVarHashImpl(this)"] if is_variable else []
    parameter = "tschema::SHashReducer hash_reduce" if statements else "tschema::SHashReducer"
    return View(signature=f"void SHashReduce({parameter}) const", statements=tuple(statements))


def _own(field: Field) -> str:
    """Return how a method names a field of its object."""
    name = names.identifier(field)
    return f"this->{name}" if name in _LOCALS else name
