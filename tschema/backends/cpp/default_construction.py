"""Classes that C++ constructs without arguments and then fills in.

In: a type of the JSON IR and all its fields.  Out: ready-made C++ text: members' initializers, the
constructor, what fills in a new object, and what makes the value of an initializer.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.backends.cpp import names
from tschema.backends.cpp.access import pointer_to
from tschema.backends.cpp.rows import forwarded
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Field, Schema, Type

_OBJECT_NAMES = ("node", "object", "made", "result")


def initializer(field: Field, scope: Scope, *, is_nullable: bool) -> str:
    """
    Return what follows the member's name in its declaration.

    Parameters
    ----------
    is_nullable
        Whether the member's class makes a null reference by itself.
    """
    if field.cpp_init is not None:
        return field.cpp_init if field.cpp_init.startswith("{") else f" = {field.cpp_init}"
    default = field.default
    if default is None or default.initializer or default.factory is not None:
        return ""
    if default.value is None:
        needs_none = is_nullable or not names.has_unsafe_init(field.type)
        return "" if needs_none else "{ffi::UnsafeInit{}}"
    if default.value == "" and field.type.kind in ("String", "Bytes"):
        return ""
    return f" = {names.cpp_default(default, field.type, scope)}"


def constructor(type_: Type, scope: Scope, fields: Sequence[Field]) -> str:
    """
    Return the constructor without arguments.

    Parameters
    ----------
    fields
        All fields of the type.
    """
    restated = {one.name for one in type_.restated if one.default is not None}
    statements = [
        f"this->{names.member(one)} = {names.cpp_default(one.default, one.type, scope)};"
        for one in fields
        if one.name in restated and one.default is not None and not one.default.initializer
    ]
    body = f"{{ {' '.join(statements)} }}" if statements else "= default;"
    return f"{type_.name}() {body}"


def filling(arguments: Sequence[Field], node: str, *, calls_post_init: bool) -> tuple[str, ...]:
    """Return the statements that make an object of arguments and put it into a reference."""
    taken = {names.identifier(one) for one in arguments}
    made = next(name for name in _OBJECT_NAMES if name not in taken)
    return (
        f"auto {made} = ffi::make_object<{node}>()",
        *(f"{made}->{names.member(one)} = {forwarded(one)}" for one in arguments),
        *([f"{made}->PostInit()"] if calls_post_init else []),
        f"data_ = std::move({made})",
    )


def call(node: str, arguments: Sequence[Field], schema: Schema) -> str:
    """Return the function that the row of the constructor calls."""
    members = (
        f"tschema::{'Nullable' if is_filled_later else ''}Member<{pointer_to(one, node)}>"
        for one in arguments
        for is_filled_later in [one.may_be_null and not schema.is_nullable(one.type)]
    )
    return f"&tschema::Fill<{', '.join([node, *members])}>"


def thunk(node: str, field: Field, suffix: str = "") -> str:
    """Return what makes the value of a member's initializer; `Factory` for what makes that."""
    return f"&tschema::Initializer{suffix}<{node}, {pointer_to(field, node)}>"
