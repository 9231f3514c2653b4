"""Classes with many ancestors, whose constructors over the ABI set the members one by one.

In: a type of the JSON IR and the schema around it.  Out: the function that sets its members, which
calls that of an ancestor, and the function that the row of the constructor calls.
"""

from __future__ import annotations

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.structural import is_deep
from tschema.ir.model import Field, Schema, Type


def setter(type_: Type, schema: Schema, scope: Scope) -> View | None:
    """
    Return the function that sets the members of an object from arguments.

    A constructor that hands all inherited members on costs a C++ compiler the square of the depth;
    the function sets only those that the nearest constructed ancestor lacks.

    Parameters
    ----------
    scope
        That of the tables.

    Returns
    -------
    View or None
        None for a class of few ancestors, and for one whose constructor does more than to set
        each member to its argument.
    """
    if not sets_members(type_, schema):
        return None
    lineage = schema.ancestry(type_)[:-1]
    above = next((one for one in reversed(lineage) if one.is_constructed), None)
    inherited: tuple[str, ...] = ()
    statements = []
    if above is not None and _is_above(above, type_, schema):
        inherited = above.init
        statements.append(f"{_name(above)}(node, arguments);")
    arguments = schema.arguments(type_)[len(inherited) :]
    statements += [
        f"node->{names.member(field)} = "
        f"arguments.Get<{names.cpp_type(field.type, scope)}>({index});"
        for index, field in enumerate(arguments, len(inherited))
    ]
    return View(name=_name(type_), node=scope.data(type_.key), statements=statements)


def sets_members(type_: Type, schema: Schema) -> bool:
    """Return whether a deep class is nothing but members, each with an argument of its own."""
    lineage = schema.ancestry(type_)
    return (
        type_.is_constructed
        and is_deep(type_, schema)
        and all(map(_has_plain_members, lineage))
        and len(type_.init) == len(schema.fields(type_))
    )


def call(type_: Type, scope: Scope) -> str:
    """Return the function that the row of the constructor of such a class calls."""
    return f"&tschema::SetMembers<{scope.data(type_.key)}, &{_name(type_)}>"


def _name(type_: Type) -> str:
    return f"SetMembersOf{type_.ref}"


def _is_above(above: Type, type_: Type, schema: Schema) -> bool:
    """Return whether the function of an ancestor is in the same file and fits the arguments."""
    return (
        sets_members(above, schema)
        and schema.home(above.key) is schema.home(type_.key)
        and type_.init[: len(above.init)] == above.init
    )


def _has_plain_members(type_: Type) -> bool:
    options = type_.options
    return not (
        options.post_init
        or options.default_constructible
        or options.cpp_base
        or options.extern is not None
        or type_.unregistered
        or type_.restated
    ) and all(map(_is_plain, type_.fields))


def _is_plain(field: Field) -> bool:
    return field.access == "public" and field.cpp_init is None and field.cpp_type is None
