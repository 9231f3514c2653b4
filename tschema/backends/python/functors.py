"""Functors in Python: a module of three classes for each dispatch root.

In: a `Family`, and where the module of a type is.  Out: the view of the module, its statements
ready-made.  Locals of generated methods have prefixes, so that they cannot clash with fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tschema.backends.base import View, mutate_doc, source_folders, visit_doc
from tschema.backends.python.names import Imports, quoted
from tschema.emit import english
from tschema.emit.render import Renderer
from tschema.ir.casing import snake_case
from tschema.ir.functor_families import Child, Family
from tschema.ir.model import Field, Type, TypeRef

ModuleOf = Callable[[str], str]
"""Returns the module of a type, given its key, as the emitted module imports it."""

_TAKEN = frozenset(
    {"Any", "ClassVar", "Functor", "Mapping", "Mutator", "Object", "TYPE_CHECKING", "TypeVar"}
    | {"Visitor", "overload"}
)
"""Names that the emitted module imports."""

_NARROWER_OVERLOAD = "  # type: ignore[override]"
_NARROWER_VISIT = "  # pyright: ignore[reportIncompatibleMethodOverride]"


def module_name(family: Family) -> str:
    """Return the stem of the module; no schema file has it, as it begins with an underscore."""
    return f"_{snake_case(family.root.stem)}_functor"


def functors_text(family: Family, module_of: ModuleOf, renderer: Renderer) -> str:
    """Return the text of a family's module.

    Parameters
    ----------
    module_of
        Finds the modules of types; those of other families' functors are beside this one.
    """
    view = _Views(family, module_of).view()
    kinds = ("functor", "visitor", "mutator")
    parts = [renderer.render(f"python/{kind}.py.jinja", module=view) for kind in kinds]
    return renderer.render("python/functor_module.py.jinja", module=view, parts=parts)


class _Views:
    """Builds the view of one family's module."""

    def __init__(self, family: Family, module_of: ModuleOf) -> None:
        self._family = family
        self._module_of = module_of
        self._runtime = Imports()
        self._typing = Imports()

    def view(self) -> View:
        """Return the view of the module."""
        family = self._family
        included = [one.root for one in reversed(family.included)]
        visited = (*family.cases, *family.parts)
        views = {one.key: self._case(one) for one in visited}
        variables = family.variables()
        return View(
            namespace=family.namespace,
            sources=source_folders(family.schema.home(one.key) for one in visited),
            root=family.root.stem,
            key=family.root.key,
            exports=quoted(family.class_names()),
            visitor_bases=self._bases("None", "Visitor"),
            mutator_bases=self._bases("Any", "Mutator"),
            mutated=list(self._mutated_roots([*included, family.root])),
            # `visit` is narrower than that of an included family.
            visit_comment=_NARROWER_VISIT if included else "",
            cases=[views[case.key] for case in family.cases],
            parts=[views[part.key] for part in family.parts],
            # Of both, those for which visitors and mutators have methods of their own.
            methods=[views[one.key] for one in visited if family.inherited(one) is None],
            variables=", ".join(f"`{one.key}`" for one in variables),
            variable_set=f"{{{', '.join(self._name(one, self._runtime) for one in variables)}}}",
            **self._imports(),
        )

    def _mutated_roots(self, roots: list[Type]) -> Iterator[View]:
        """Yield the overloads; the first one is narrower than that of an included family."""
        for index, root in enumerate(roots):
            comment = _NARROWER_OVERLOAD if len(roots) > 1 and index == 0 else ""
            yield View(type=self._name(root, self._typing), comment=comment)

    def _bases(self, result: str, kind: str) -> str:
        """Return the bases of the visitor or the mutator, and import those of other families."""
        family = self._family
        inherited = [f"{one.root.stem}{kind}" for one in reversed(family.included)]
        for one, name in zip(reversed(family.included), inherited, strict=True):
            self._runtime.add(f".{module_name(one)}", name)
        return ", ".join([f"{family.root.stem}Functor[{result}]", *(inherited or [kind])])

    def _imports(self) -> dict[str, tuple[str, ...]]:
        self._typing.add("collections.abc", "Mapping")
        self._typing.add("tvm_ffi", "Object")
        bases = ("Functor",) if self._family.included else ("Functor", "Mutator", "Visitor")
        for name in bases:
            self._runtime.add("tschema.runtime", name)
        for name in ("TYPE_CHECKING", "Any", "ClassVar", "TypeVar", "overload"):
            self._runtime.add("typing", name)
        return {"imports": self._runtime.lines(), "typing_imports": self._typing.lines()}

    def _name(self, type_: Type, imports: Imports) -> str:
        """Return the name of a type in the module, and import the type."""
        name = self._family.method_name(type_)
        name = type_.ref if name == type_.stem else name
        alias = f"{name}_" if name in _TAKEN else name
        spelled = type_.ref if alias == type_.ref else f"{type_.ref} as {alias}"
        imports.add(self._module_of(type_.key), spelled)
        return alias

    def _case(self, type_: Type) -> View:
        family = self._family
        forward = family.forwarded(type_)
        children = family.children(type_)
        name = self._name(type_, self._runtime)
        visited = [child for child in children if "visit" in child.roles]
        is_case = type_ in family.cases
        return View(
            method=self._method(type_),
            type=name,
            key=type_.key,
            # The method that serves the type unless it is overridden.
            default="visit_default" if forward is None else self._method(forward),
            serve_doc=english.serves(type_.key, None if forward is None else forward.key),
            visit_doc=visit_doc(children),
            visit=[line for child in visited for line in self._visit(child)],
            mutate_doc=mutate_doc(children),
            mutate=list(self._mutate(type_, name, children)),
            # The result type of the mutator's method.
            result=self._name(family.root, self._typing) if is_case else "Any",
        )

    def _method(self, type_: Type) -> str:
        return f"visit_{snake_case(self._family.method_name(type_))}"

    def _visit(self, child: Child) -> Iterator[str]:
        """Yield the statements that visit a field."""
        field = child.field
        value = f"node.{field.name}"
        match field.type.kind:
            case "node":
                yield f"self.visit({value})"
            case "Array" | "List" if self._is_plain(field.type.args[0], child):
                yield f"self.visit_array({value})"
            case "Optional" if field.type.args[0].kind == "node":
                yield f"if (own_{field.name} := {value}) is not None:"
                yield f"    self.visit(own_{field.name})"
            case _:
                yield f"self.visit_value({value})"

    def _is_plain(self, ref: TypeRef, child: Child) -> bool:
        """Return whether every value of a type is a node that is visited."""
        return ref.kind == "node" and self._family.roles(ref, binds=child.binds) == {"visit"}

    # -- Mutators -------------------------------------------------------------------------------

    def _mutate(self, type_: Type, name: str, children: tuple[Child, ...]) -> Iterator[str]:
        """Yield the statements that mutate a node of a type."""
        if not children:
            yield "return node"
            return
        fields = [child.field.name for child in children]
        for child in children:
            yield self._new(child)
        same = " and ".join(f"new_{field} is old_{field}" for field in fields)
        yield f"if {same}:"
        yield "    return node"
        yield f"return {self._construction(type_, name, fields)}"

    def _new(self, child: Child) -> str:
        """Return the statement that says what becomes of a field."""
        ref, name = child.field.type, child.field.name
        roots = {self._family.root.key, *(family.root.key for family in self._family.included)}
        annotation = "" if ref.key in roots else ": Any"
        return f"new_{name}{annotation} = {self._mutated(ref, child)}"

    def _mutated(self, ref: TypeRef, child: Child) -> str:
        """Return the expression of a field's new value, which notes the old value."""
        old = f"old_{child.field.name}"
        read = f"{old} := node.{child.field.name}"
        if ref.kind == "node":
            return f"{self._function(ref, child)}({read})"
        if ref.kind == "Optional" and ref.args[0].kind == "node":
            return f"None if ({read}) is None else {self._function(ref.args[0], child)}({old})"
        if any(arg.kind != "node" for arg in ref.args) or ref.kind in ("Tuple", "Union"):
            return f"self.visit_value({read})"
        functions = [self._function(arg, child) for arg in ref.args]
        if ref.kind in ("Map", "Dict"):
            return f"self.visit_map(({read}), {', '.join(functions)})"
        if functions == ["self.visit"]:
            return f"self.visit_array({read})"
        return f"self.visit_array(({read}), {functions[0]})"

    def _function(self, ref: TypeRef, child: Child) -> str:
        """Return the method that mutates the values of a type."""
        roles = self._family.roles(ref, binds=child.binds)
        if "use" in roles:
            return "self.replaced"
        is_part = ref.key not in self._family.members
        is_bound = is_part and self._family.schema.type(str(ref.key)).is_variable
        return "self.bound" if is_bound else "self.visit"

    def _construction(self, type_: Type, name: str, changed: list[str]) -> str:
        """Return the expression that constructs a node with changes.

        An object of an open type may be one of a class derived from it, and a field that is set
        after construction would be lost: these are copied by their class.
        """
        schema = self._family.schema
        arguments = schema.arguments(type_)
        set_later = [
            one for one in schema.fields(type_) if not one.init and one.default is not None
        ]
        if not type_.options.final or set_later or {*changed} - {*type_.init}:
            changes = ", ".join(f"{field}=new_{field}" for field in changed)
            return f"self.rebuilt(node, {changes})"
        return f"{name}({', '.join(_argument(one, changed) for one in arguments)})"


def _argument(field: Field, changed: list[str]) -> str:
    value = f"new_{field.name}" if field.name in changed else f"node.{field.name}"
    return f"{field.name}={value}" if field.kw_only else value
