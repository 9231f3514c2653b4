"""The view of a class of another library that C++ sees as accessors: no header has it.

In: an opaque type of the JSON IR, and the scope of its class.  Out: a view.
"""

from __future__ import annotations

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.ir.model import Field, Type

_NOTE = "Another library has its members, which are read by name."


def accessor_class_view(type_: Type, scope: Scope) -> View:
    """Return the view of the data class: a function for each field, and no member."""
    see_also = (f"\\sa {name}" for name in type_.see_also)
    return View(
        name=type_.name,
        base=scope.data(type_.parent),
        key=type_.key,
        doc=names.doxygen("\n\n".join(filter(None, (type_.doc, _NOTE))), *see_also),
        accessors=[_accessor(field, scope) for field in type_.accessors],
    )


def _accessor(field: Field, scope: Scope) -> View:
    type_ = names.cpp_type(field.type, scope)
    arguments = f"{names.string_literal(field.name)}, {names.type_text(field.type)}"
    return View(
        doc=names.doxygen(field.doc),
        returns=type_,
        name=names.member(field),
        value=f"tschema::ReadField<{type_}>(this, {arguments})",
    )
