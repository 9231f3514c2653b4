"""Functors in Rust: a module of three traits for each dispatch root.

In: a `Family`, and how the module names types.  Out: the view of the module, its statements
ready-made.  What happens to a node is a method's matter, what happens to its fields a free
function's (`walk_add`, `rebuild_add`), which methods call unless they are overridden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from tschema.backends.base import snake_case
from tschema.backends.rust import docs, layout
from tschema.backends.rust.functor_names import (
    closure,
    keeper_of,
    module_name,
    root_stem,
    stems,
    trait_names,
)
from tschema.backends.rust.names import Scope
from tschema.emit.render import Renderer
from tschema.ir.functor_families import Child, Family
from tschema.ir.model import Field, Schema, Type, TypeRef
from tschema.record import record

__all__ = ["functors_text"]

LONGEST_LIST = 60
"""Characters."""


@record
class CaseView:
    """A type's methods and functions."""

    type: str
    key: str
    stem: str
    """What methods and functions are named after."""
    default: str
    """The method of functors that serves the type unless its own one is overridden."""
    serve_doc: str
    call_visit: str
    """How the method of a visitor is called, up to its argument."""
    call_mutate: str
    forwards: bool
    """Whether visitors and mutators treat it as another type."""
    forward_visit: str
    """How the method for that type is called, if any."""
    forward_mutate: str
    visit_doc: str
    visit: tuple[str, ...]
    """Statements."""
    rebuild_doc: str
    rebuild: tuple[str, ...]
    result: str
    """What the mutator's method returns."""
    is_result: bool
    """Whether that is the type itself."""


@record
class KindView:
    """A type by which objects are told apart, and the method for it."""

    type: str
    stem: str
    call_visit: str
    call_mutate: str
    is_variable: bool


@record
class FunctorsView:
    """A module with the functors of one root."""

    sources: str
    key: str
    root: str
    """The root's reference."""
    name: str
    """What the traits are named after."""
    stem: str
    uses: tuple[str, ...]
    visitor_base: str
    """A supertrait and the colon before it, or nothing."""
    mutator_base: str
    keeper: str
    """The trait of mutators that says where replacements are kept, if there is any."""
    keeps: bool
    """Whether it is this family's."""
    cases: tuple[CaseView, ...]
    parts: tuple[CaseView, ...]
    kinds: tuple[KindView, ...]
    """Roots, then parts, the included families' too; the narrower type first."""
    used: tuple[str, ...]
    """Variables that are no parts: what is in the family uses them, but does not bind them."""
    bound: tuple[KindView, ...]
    """Parts that are variables."""
    variables: str
    """The same as text."""


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
    scope.declare(trait_names(family))
    view = _Views(family, scope).view()
    kinds = ("functor", "visitor", "mutator")
    parts = [renderer.render(f"rust/{kind}.rs.jinja", module=view) for kind in kinds]
    return renderer.render("rust/functor_module.rs.jinja", module=view, parts=parts)


class _Views:
    """Builds the view of one family's module."""

    def __init__(self, family: Family, scope: Scope) -> None:
        self._family = family
        self._scope = scope
        self._schema: Schema = family.schema
        self._families = tuple(closure(family))
        self._roots = [one.root for one in self._families]
        self._uses = Counter(chain.from_iterable({*stems(one).values()} for one in self._families))
        self._traits: dict[str, str] = {}

    def view(self) -> FunctorsView:
        """Return the view of the module."""
        family = self._family
        cases = tuple(map(self._case, family.cases))
        parts = tuple(map(self._case, family.parts))
        kinds = tuple(self._kinds())
        keeper = keeper_of(family)
        included = [one.root.ref for one in family.included]
        variables = [one for one in family.all_parts() if self._is_variable(one)]
        for kind in ("Visitor", "Mutator"):
            for one in family.included:
                self._import(one, kind)
        if keeper is not None:
            self._import(keeper, "Mutator")
        return FunctorsView(
            sources=", ".join(sorted({self._source(one) for one in family.cases})),
            key=family.root.key,
            root=self._name(family.root),
            name=family.root.ref,
            stem=root_stem(family),
            visitor_base=_bounds(f"{one}Visitor" for one in included),
            mutator_base=_bounds(f"{one}Mutator" for one in included),
            keeper="" if keeper is None else f"{keeper.root.ref}Mutator",
            keeps=keeper is family,
            cases=cases,
            parts=parts,
            kinds=kinds,
            used=tuple(map(self._name, self._used())),
            bound=tuple(map(self._kind, variables)),
            variables=", ".join(f"`{one.key}`" for one in variables),
            uses=layout.use_lines(self._scope.used | self._traits),
        )

    def _source(self, type_: Type) -> str:
        source = self._schema.home(type_.key).source
        return source.rpartition("/")[0] or source

    def _name(self, type_: Type) -> str:
        return self._scope.reference(type_.key)

    def _import(self, family: Family, kind: str) -> str:
        """Return the name of a trait, and import it from the module of another family."""
        name = f"{family.root.ref}{kind}"
        if family is not self._family:
            self._traits[name] = f"super::{module_name(family)}"
        return name

    def _owner(self, type_: Type) -> Family:
        """Return the family whose traits have the method of a case or a part."""
        return next(one for one in self._families if type_ in (*one.cases, *one.parts))

    def _stem(self, type_: Type) -> str:
        return stems(self._owner(type_))[type_.key]

    def _call(self, kind: str, type_: Type, receiver: str) -> str:
        """Return how the method of a case or a part is called, up to its argument."""
        return self._call_of(self._owner(type_), kind, self._stem(type_), receiver)

    def _call_root(self, kind: str, root: Type, receiver: str) -> str:
        """Return how the method of a root that dispatches is called, up to its argument."""
        family = next(one for one in self._families if one.root == root)
        return self._call_of(family, kind, root_stem(family), receiver)

    def _call_of(self, family: Family, kind: str, stem: str, receiver: str) -> str:
        """Name the trait where several have a method of that name."""
        if self._uses[stem] == 1:
            return f"{receiver}.{kind}_{stem}("
        trait = self._import(family, "Visitor" if kind == "visit" else "Mutator")
        return f"{trait}::{kind}_{stem}({receiver}, "

    def _case(self, type_: Type) -> CaseView:
        family = self._family
        forward = family.forwarded(type_)
        children = family.children(type_)
        inherits = forward is not None and children == family.children(forward)
        is_case = type_ in family.cases
        visited = [child for child in children if "visit" in child.roles]
        name = self._name(type_)
        return CaseView(
            type=name,
            key=type_.key,
            stem=self._stem(type_),
            call_visit=self._call("visit", type_, "v"),
            call_mutate=self._call("mutate", type_, "m"),
            default="visit_default" if forward is None else f"visit_{self._stem(forward)}",
            serve_doc=_serve_doc(type_, forward),
            forwards=inherits,
            forward_visit="" if forward is None else self._call("visit", forward, "self"),
            forward_mutate="" if forward is None else self._call("mutate", forward, "self"),
            visit_doc=_visit_doc(visited),
            visit=tuple(self._visit(child, type_) for child in visited),
            rebuild_doc=_rebuild_doc(children),
            rebuild=tuple(self._rebuild(child) for child in children),
            result=self._name(family.root) if is_case else name,
            is_result=not is_case or type_ == family.root,
        )

    # -- The types of objects in values -------------------------------------------------------

    def _kinds(self) -> Iterator[KindView]:
        for root in self._roots:
            yield KindView(
                type=self._name(root),
                stem=snake_case(root.ref),
                call_visit=self._call_root("visit", root, "v"),
                call_mutate=self._call_root("mutate", root, "m"),
                is_variable=False,
            )
        parts = sorted(self._family.all_parts(), key=lambda one: -len(self._schema.ancestry(one)))
        yield from map(self._kind, parts)

    def _used(self) -> list[Type]:
        parts = {part.key for part in self._family.all_parts()}
        passages = map(self._schema.type, sorted(self._family.passages - parts))
        return [one for one in passages if self._is_variable(one)]

    def _kind(self, part: Type) -> KindView:
        return KindView(
            type=self._name(part),
            stem=self._stem(part),
            call_visit=self._call("visit", part, "v"),
            call_mutate=self._call("mutate", part, "m"),
            is_variable=self._is_variable(part),
        )

    def _is_variable(self, type_: Type) -> bool:
        return type_.options.structural == "var"

    def _root_of(self, ref: TypeRef) -> Type | None:
        """Return the root whose dispatch serves the values of a type, if all of them are below."""
        if ref.kind != "node":
            return None
        above = self._schema.ancestry(self._schema.type(str(ref.key)))
        return next((root for root in self._roots if root in above), None)

    def _part_of(self, ref: TypeRef) -> Type | None:
        """Return the part that the values of a type are, if no other part is derived from it."""
        if ref.kind != "node":
            return None
        below = [one for one in self._family.all_parts() if self._is_below(one, str(ref.key))]
        return below[0] if [one.key for one in below] == [ref.key] else None

    def _is_below(self, type_: Type, key: str) -> bool:
        return any(one.key == key for one in self._schema.ancestry(type_))

    def _is_known(self, ref: TypeRef) -> bool:
        return self._root_of(ref) is not None or self._part_of(ref) is not None

    # -- Visitors -----------------------------------------------------------------------------

    def _visit(self, child: Child, type_: Type) -> str:
        """Return the statement that visits a field."""
        ref = child.field.type
        place = f"node.{child.field.name}"
        place = f"{place}.get()" if self._is_mutable(child.field, type_) else place
        inner = ref.args[0] if ref.args else ref
        if "use" not in child.roles and self._is_known(inner):
            if ref.kind == "node":
                return f"{self._visited(ref, f'&{place}')};"
            if ref.kind == "Optional":
                return f"if let Some(node) = &{place} {{ {self._visited(inner, 'node')}; }}"
            if ref.kind == "Array":
                elements = f"tschema::elements(&{place})"
                return f"for node in {elements} {{ {self._visited(inner, 'node')}; }}"
        role = _role(child)
        return f"tschema::visit_value(&{place}, |object| enter(v, object, {role}));"

    def _is_mutable(self, field: Field, type_: Type) -> bool:
        owners = self._schema.ancestry(type_)
        return any(field in one.fields and one.options.mutable for one in owners)

    def _visited(self, ref: TypeRef, node: str) -> str:
        root = self._root_of(ref)
        if root is None:
            part = self._part_of(ref)
            return f"{self._call('visit', part, 'v')}{node})" if part is not None else ""
        cast = node if root.key == ref.key else f"tschema::expect_ref({node})"
        return f"{self._call_root('visit', root, 'v')}{cast})"

    # -- Mutators -----------------------------------------------------------------------------

    def _rebuild(self, child: Child) -> str:
        """Return the statement that makes a field into another one."""
        ref = child.field.type
        place = f"|node| &node.{child.field.name}"
        inner = ref.args[0] if ref.args else ref
        function = {"node": "node", "Optional": "optional", "Array": "array"}.get(ref.kind)
        if function and inner.kind == "node" and "visit" not in child.roles:
            keeper = f"{self._keeper_name()}::replacements(m)"
            put = f"|node: {self._part_name(inner)}| Ok(tschema::replaced({keeper}, node))"
            return f"rewrite.{function}({place}, {put})?;"
        if function and "use" not in child.roles and self._is_known(inner):
            return f"rewrite.{function}({place}, |node| {self._changed(inner)})?;"
        change = f"|object| change(m, object, {_role(child)})"
        return f"rewrite.value({place}, {change})?;"

    def _part_name(self, ref: TypeRef) -> str:
        return self._scope.reference(str(ref.key))

    def _keeper_name(self) -> str:
        keeper = keeper_of(self._family)
        return "" if keeper is None else f"{keeper.root.ref}Mutator"

    def _changed(self, ref: TypeRef) -> str:
        root = self._root_of(ref)
        if root is not None:
            return f"{self._call_root('mutate', root, 'm')}node)"
        part = self._part_of(ref)
        if part is None:
            return ""
        if self._is_variable(part):
            return f"bind_{self._stem(part)}(m, node)"
        return f"{self._call('mutate', part, 'm')}node)"


def _bounds(traits: Iterable[str]) -> str:
    joined = " + ".join(traits)
    return f": {joined}" if joined else ""


def _role(child: Child) -> str:
    return f"tschema::Role::{'Binding' if child.binds else 'Use'}"


def _serve_doc(type_: Type, forward: Type | None) -> str:
    default = "" if forward is None else f", by default as `{forward.key}`"
    return f"Serve {docs.article(type_.ref)} `{type_.key}`{default}."


def _visit_doc(children: list[Child]) -> str:
    if not children:
        return "Do nothing: there is nothing in the node to visit."
    return f"Visit {_listed([child.field.name for child in children])}."


def _rebuild_doc(children: tuple[Child, ...]) -> str:
    mutated = [child.field.name for child in children if "visit" in child.roles]
    replaced = [child.field.name for child in children if "visit" not in child.roles]
    parts = [f"Mutate {_listed(mutated)}"] if mutated else []
    if replaced:
        verb = "put in" if parts else "Put in"
        parts.append(f"{verb} what became of {_listed(replaced)}")
    return f"{'; '.join(parts)}." if parts else "Return the node: there is nothing in it to change."


def _listed(names: list[str]) -> str:
    """Return names as text that fits on a line: `a`, `b` and `c`."""
    *most, last = (f"`{name}`" for name in names)
    text = f"{', '.join(most)} and {last}" if most else last
    return text if len(text) <= LONGEST_LIST else f"`{names[0]}` and {len(most)} other fields"
