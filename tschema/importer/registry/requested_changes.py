"""The changes of a registry that a schema asks for, if its generated code registers the classes.

In: a change, and the schema.  Out: whether the newer library registers it as declared.
A class that its own code registers asks for nothing.
"""

from __future__ import annotations

import json

from tschema.importer.registry.compare import Change
from tschema.ir.model import Field, Schema, Type

_OF_DEFAULTS = {"has_default", "default_from_factory"}
_OF_IGNORED = {"compare_off", "hash_off"}


def is_requested(change: Change, schema: Schema) -> bool:
    """
    Return whether a schema asks for a change.

    Generated code registers a default where the declaration has one, or an initializer; `Optional`
    of nullable references; a creator of each class; and no copies of an abstract one.

    Parameters
    ----------
    change
        A difference between the registrations of two builds.
    schema
        The declarations of the newer build.
    """
    type_ = schema.find_type(change.key) if change.key is not None else None
    if type_ is None or not type_.is_registered:
        return False
    field = next((one for one in type_.fields if one.name == change.member), None)
    match change.fact:
        case "creator":
            return change.after is True
        case "hook":
            return type_.options.abstract and change.member == "__ffi_shallow_copy__"
        case "type":
            return _is_optional_now(change, type_)
        case "default":
            return change.before is None and field is not None and _begins_by_itself(field)
        case "set of flags":
            return field is not None and _flags_requested(change, field)
    return False


def _begins_by_itself(field: Field) -> bool:
    """Return whether constructors need not be given a field."""
    return field.default is not None or field.cpp_init is not None


def _flags_requested(change: Change, field: Field) -> bool:
    before, after = (_flags(one) for one in (change.before, change.after))
    asked = _OF_DEFAULTS if _begins_by_itself(field) else set()
    ignored = _OF_IGNORED if field.structural == "ignore" else set()
    return before <= after and after - before <= asked | ignored


def _flags(shown: object) -> set[str]:
    return {one for one in str(shown).split(", ") if one != "empty"}


def _is_optional_now(change: Change, type_: Type) -> bool:
    """Return whether two types of a declared member differ in `Optional` alone."""
    names = {one.name for one in type_.fields} | {one.name for one in type_.methods}
    if change.member not in names:
        return False
    try:
        before, after = (json.loads(str(one)) for one in (change.before, change.after))
    except ValueError:
        return False
    return _without_optional(before) == _without_optional(after)


def _without_optional(type_: object) -> object:
    if isinstance(type_, dict) and type_.get("type") == "Optional":
        return _without_optional(type_["args"][0])
    if isinstance(type_, dict):
        return {name: _without_optional(one) for name, one in type_.items()}
    return [_without_optional(one) for one in type_] if isinstance(type_, list) else type_
