"""The view of a functor family: its classes, and the method of each type.

In: a `Family`, and how the page links.  Out: views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from tschema.backends.base import View
from tschema.backends.docs.markdown import code
from tschema.backends.docs.names import References
from tschema.ir.casing import snake_case
from tschema.ir.functor_families import Family
from tschema.ir.model import Type

_KINDS = ("Functor", "Visitor", "Mutator")


def functors_view(family: Family, refs: References) -> View:
    """Return the view of a family on the page of its namespace."""
    root = family.root.stem
    names = [f"{root}{kind}" for kind in _KINDS]
    path = family.namespace.replace(".", "/")
    module = snake_case(root) + "_functor"
    listed = ", ".join(names)
    return View(
        anchor=f"family-{root}",
        root=root,
        root_link=refs.link(family.root.key),
        classes=", ".join(map(code, names)),
        header=code(f"#include <{path}/{module}.h>"),
        python=code(f"from {family.namespace} import {listed}"),
        rust=code(f"use {family.namespace.replace('.', '::')}::{{{listed}}};"),
        included=" and ".join(
            f"[{one.root.ref}](#family-{one.root.ref})" for one in family.included
        ),
        cases=[_method_view(family, one, refs) for one in family.cases],
        parts=[_method_view(family, one, refs) for one in family.parts],
    )


def _method_view(family: Family, type_: Type, refs: References) -> View:
    name = family.method_name(type_)
    return View(
        type=refs.link(type_.key),
        cpp=code(f"Visit{name}"),
        # In Python and Rust; mutators in Rust say `mutate` for `visit`.
        others=code(f"visit_{snake_case(name)}"),
    )
