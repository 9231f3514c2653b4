"""Functors in Rust: a module of three traits for each dispatch root.

In: a `Family`, and how the module names types.  Out: the view of the module, its statements
ready-made.  A method handles a node; a free function (`walk_add`, `rebuild_add`), the default of
the method, handles its fields.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.backends.base import View, source_folders
from tschema.backends.rust import layout
from tschema.backends.rust.functor_calls import Calls
from tschema.backends.rust.functor_names import keeper_of, root_stem
from tschema.backends.rust.functor_rebuilds import (
    bound_view,
    changed_views,
    rebuild_view,
    result_of,
)
from tschema.backends.rust.functor_walks import kind_views, walk_view
from tschema.backends.rust.names import Scope
from tschema.emit import english
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Family
from tschema.ir.keywords import escaped
from tschema.ir.model import Type

_CASE_ENUM = "Case"
_PARTS = ("functor", "visitor", "walk", "mutator", "rebuild")
"""Templates of the parts of a module, in order."""


def functors_text(family: Family, scope: Scope, renderer: Renderer) -> str:
    """Return the text of a family's module.

    Parameters
    ----------
    scope
        Names types for the module; those of other families are beside it.
    """
    scope.declare((*family.class_names(), _CASE_ENUM))
    view = _view(Calls(family, scope))
    parts = [renderer.render(f"rust/{part}.rs.jinja", module=view) for part in _PARTS]
    return renderer.render("rust/functor_module.rs.jinja", module=view, parts=parts)


def _view(calls: Calls) -> View:
    family = calls.family
    methods = (*family.cases, *family.parts)
    own = [one for one in methods if family.inherited(one) is None]
    variables = family.variables()
    visitors = [calls.import_trait(one, "Visitor") for one in family.included]
    mutators = [calls.import_trait(one, "Mutator") for one in family.included]
    return View(
        sources=source_folders(family.schema.home(one.key) for one in family.cases),
        key=family.root.key,
        # The reference, and what traits and methods are named after.
        root=calls.name(family.root),
        name=family.root.stem,
        stem=root_stem(family),
        case_enum=_case_enum(calls),
        visitor_base=_bounds(visitors),
        mutator_base=_bounds(mutators),
        # The trait of mutators that says where replacements are kept, if there is any.
        keeper=calls.keeper(),
        keeps=keeper_of(family) is family,
        variables=", ".join(f"`{one.key}`" for one in variables),
        # A parameter that is not used begins with an underscore.
        role="role" if variables else "_role",
        cases=[_case(calls, one) for one in family.cases],
        methods=[_method(calls, one) for one in methods],
        walks=[walk_view(calls, one) for one in own],
        rebuilds=[rebuild_view(calls, one) for one in own],
        # Roots, then parts, those of included families too; the narrower type first.
        kinds=list(kind_views(calls)),
        # The same, then variables that the family uses but does not bind.
        changed=list(changed_views(calls)),
        bound=[bound_view(calls, one) for one in variables],
        uses=layout.use_lines(calls.scope.used | calls.traits),
    )


def _case_enum(calls: Calls) -> str:
    names = (_variant(calls, one) for one in calls.family.cases)
    types = map(calls.name, calls.family.cases)
    pairs = zip(names, types, strict=True)
    variants = [name if name == type_ else f"{name}: {type_}" for name, type_ in pairs]
    return layout.listed(f"enum {_CASE_ENUM} {{ ", variants, " }", 4)


def _variant(calls: Calls, type_: Type) -> str:
    return escaped(calls.family.method_name(type_), "Rust")


def _case(calls: Calls, type_: Type) -> View:
    forward = calls.family.forwarded(type_)
    return View(
        name=_variant(calls, type_),
        type=calls.name(type_),
        stem=calls.stem(type_),
        serve_doc=english.serves(type_.key, None if forward is None else forward.key),
        default="visit_default" if forward is None else f"visit_{calls.stem(forward)}",
        # The calls of its methods, given a `node` below the root.
        visit=f"{calls.call('visit', type_, 'v')}tschema::expect_ref(node))",
        mutate=f"{calls.call('mutate', type_, 'm')}tschema::expect(node))",
    )


def _method(calls: Calls, type_: Type) -> View:
    stem = calls.stem(type_)
    visit, mutate = f"walk_{stem}(self, node)", f"rebuild_{stem}(self, node)"
    inherited = calls.family.inherited(type_)
    if inherited is not None:
        visit = f"{calls.call('visit', inherited, 'self')}tschema::expect_ref(node))"
        mutate = f"{calls.call('mutate', inherited, 'self')}node.into())"
    return View(
        what=f"{english.article(type_.key)} `{type_.key}`",
        type=calls.name(type_),
        stem=stem,
        visit=visit,
        mutate=mutate,
        result=result_of(calls, type_),
    )


def _bounds(traits: Iterable[str]) -> str:
    joined = " + ".join(traits)
    return f": {joined}" if joined else ""
