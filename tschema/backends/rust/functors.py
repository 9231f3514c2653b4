"""Functors in Rust: a module of three traits for each dispatch root.

In: a `Family`, and how the module names types.  Out: the view of the module, its statements
ready-made.  A method handles a node; a free function (`walk_add`, `rebuild_add`), the default of
the method, handles its fields.
"""

from __future__ import annotations

from collections.abc import Iterable

from tschema.backends.rust import layout
from tschema.backends.rust.functor_calls import Calls, is_variable
from tschema.backends.rust.functor_names import keeper_of, root_stem, trait_names
from tschema.backends.rust.functor_rebuilds import (
    bound_view,
    changed_views,
    rebuild_view,
    result_of,
)
from tschema.backends.rust.functor_view import CaseView, FunctorsView, MethodView
from tschema.backends.rust.functor_walks import kind_views, walk_view
from tschema.backends.rust.names import Scope
from tschema.emit import english
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Family
from tschema.ir.model import Type

__all__ = ["functors_text"]

CASE_ENUM = "Case"
PARTS = ("functor", "visitor", "walk", "mutator", "rebuild")
"""Templates of the parts of a module, in order."""


def functors_text(family: Family, scope: Scope, renderer: Renderer) -> str:
    """Return the text of a family's module.

    Parameters
    ----------
    family
        The family.
    scope
        Names types for the module; those of other families stand beside it.
    renderer
        Renders the templates.
    """
    scope.declare((*trait_names(family), CASE_ENUM))
    view = _view(Calls(family, scope))
    parts = [renderer.render(f"rust/{part}.rs.jinja", module=view) for part in PARTS]
    return renderer.render("rust/functor_module.rs.jinja", module=view, parts=parts)


def _view(calls: Calls) -> FunctorsView:
    family = calls.family
    methods = (*family.cases, *family.parts)
    own = [one for one in methods if _inherited(family, one) is None]
    variables = [one for one in family.all_parts() if is_variable(one)]
    visitors = [calls.import_trait(one, "Visitor") for one in family.included]
    mutators = [calls.import_trait(one, "Mutator") for one in family.included]
    return FunctorsView(
        sources=", ".join(sorted({_source(family, one) for one in family.cases})),
        key=family.root.key,
        root=calls.name(family.root),
        name=family.root.ref,
        stem=root_stem(family),
        case_enum=_case_enum(calls),
        visitor_base=_bounds(visitors),
        mutator_base=_bounds(mutators),
        keeper=calls.keeper(),
        keeps=keeper_of(family) is family,
        variables=", ".join(f"`{one.key}`" for one in variables),
        role="role" if variables else "_role",
        cases=tuple(_case(calls, one) for one in family.cases),
        methods=tuple(_method(calls, one) for one in methods),
        walks=tuple(walk_view(calls, one) for one in own),
        rebuilds=tuple(rebuild_view(calls, one) for one in own),
        kinds=tuple(kind_views(calls)),
        changed=tuple(changed_views(calls)),
        bound=tuple(bound_view(calls, one) for one in variables),
        uses=layout.use_lines(calls.scope.used | calls.traits),
    )


def _source(family: Family, type_: Type) -> str:
    source = family.schema.home(type_.key).source
    return source.rpartition("/")[0] or source


def _case_enum(calls: Calls) -> str:
    names = map(calls.family.method_name, calls.family.cases)
    types = map(calls.name, calls.family.cases)
    pairs = zip(names, types, strict=True)
    variants = [name if name == type_ else f"{name}: {type_}" for name, type_ in pairs]
    return layout.listed(f"enum {CASE_ENUM} {{ ", variants, " }", 4)


def _case(calls: Calls, type_: Type) -> CaseView:
    forward = calls.family.forwarded(type_)
    return CaseView(
        name=calls.family.method_name(type_),
        type=calls.name(type_),
        stem=calls.stem(type_),
        serve_doc=english.serves(type_.key, None if forward is None else forward.key),
        default="visit_default" if forward is None else f"visit_{calls.stem(forward)}",
        visit=f"{calls.call('visit', type_, 'v')}tschema::expect_ref(node))",
        mutate=f"{calls.call('mutate', type_, 'm')}tschema::expect(node))",
    )


def _method(calls: Calls, type_: Type) -> MethodView:
    stem = calls.stem(type_)
    visit, mutate = f"walk_{stem}(self, node)", f"rebuild_{stem}(self, node)"
    inherited = _inherited(calls.family, type_)
    if inherited is not None:
        visit = f"{calls.call('visit', inherited, 'self')}tschema::expect_ref(node))"
        mutate = f"{calls.call('mutate', inherited, 'self')}node.into())"
    return MethodView(
        what=f"{english.article(type_.key)} `{type_.key}`",
        type=calls.name(type_),
        stem=stem,
        visit=visit,
        mutate=mutate,
        result=result_of(calls, type_),
    )


def _inherited(family: Family, type_: Type) -> Type | None:
    """Return the type that visitors and mutators treat another one as, if it adds no child."""
    forward = family.forwarded(type_)
    if forward is None or family.children(type_) != family.children(forward):
        return None
    return forward


def _bounds(traits: Iterable[str]) -> str:
    joined = " + ".join(traits)
    return f": {joined}" if joined else ""
