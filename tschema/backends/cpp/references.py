"""The view of a reference class, of whichever kind.

In: a type of the JSON IR and the schema around it.  Out: a view of ready-made text, or None.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tschema.backends.base import View, reference_block
from tschema.backends.cpp import default_construction, names
from tschema.backends.cpp.rows import forwarded, signature
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Field, Type

_COPY_ON_WRITE = "Return the object to write to: a copy of it, if others refer to it too."


def has_block(type_: Type) -> bool:
    """Return whether the reference class of a type is in a header of the package's."""
    is_emitted = type_.options.extern is None or type_.has_accessor_class
    return type_.options.ref is not None and is_emitted


def reference_view(
    type_: Type,
    parent: str,
    scope: Scope,
    arguments: Sequence[Field],
    *,
    calls_post_init: bool,
) -> View:
    """
    Return the view of a reference class.

    Parameters
    ----------
    parent
        The parent's reference class, as it is spelled there.
    arguments
        The arguments of the constructor.
    calls_post_init
        Whether the construction of an object ends in its `PostInit`.
    """
    constructor = _constructor(type_, scope, arguments)
    statements: tuple[str, ...] = ()
    if constructor and type_.options.default_constructible:
        statements = default_construction.filling(
            arguments, type_.name, calls_post_init=calls_post_init
        )
    elif constructor:
        values = ", ".join(map(forwarded, arguments))
        statements = (f"data_ = ffi::make_object<{type_.name}>({values})",)
    return View(
        name=type_.ref,
        block=reference_block(type_),
        parent=parent,
        node=type_.name,
        doc=names.doxygen(f"Managed reference to {type_.name}.", f"\\sa {type_.name}"),
        is_by_hand=type_.options.ref == "hand",
        constructor=constructor,
        statements=statements,
        macro="NULLABLE" if type_.options.ref == "nullable" else "NOTNULLABLE",
        copy_on_write=names.doxygen(_COPY_ON_WRITE) if type_.options.cow else "",
        may_be_null=type_.options.ref == "nullable",
    )


def _constructor(type_: Type, scope: Scope, arguments: Sequence[Field]) -> str:
    """Return the signature of the constructor that takes the fields; empty if there is none."""
    options = type_.options
    if options.abstract or options.ref_init != "fields" or type_.has_accessor_class:
        return ""
    if options.ref == "nullable":
        if not arguments:
            return ""  # Without arguments it makes a null reference.
        if all(one.default is not None for one in arguments):
            arguments = (replace(arguments[0], default=None), *arguments[1:])
    n_required = sum(1 for field in arguments if field.default is None)
    explicit = "explicit " if arguments and n_required <= 1 else ""
    return f"{explicit}{type_.ref}({signature(arguments, scope)})"
