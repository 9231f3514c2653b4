"""How C++ makes and destroys the objects of a data class.

In: a type of the JSON IR, the schema and the scope of the text.  Out: constructors and the
destructor, as text.
"""

from __future__ import annotations

from tschema.backends.cpp import default_construction, names
from tschema.backends.cpp.rows import declaration, forwarded
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.structural import is_deep, released
from tschema.ir.model import ROOT_KEY, Field, Schema, Type


class Constructors:
    """Writes the constructors of one type."""

    def __init__(self, type_: Type, schema: Schema, scope: Scope) -> None:
        self.type = type_
        self.schema = schema
        self.scope = scope
        self.parent = None if type_.parent == ROOT_KEY else schema.type(type_.parent)
        is_extern = self.parent is not None and self.parent.is_by_hand
        self.own_parent = None if is_extern else self.parent
        """The parent, unless it is a class of another library, which makes it without arguments."""
        self.base = type_.options.cpp_base or scope.data(type_.parent)
        """The base class in C++: the parent's data class, or one between the two."""
        self.arguments = schema.arguments(type_)
        self.taken = {field.name for field in self.arguments}
        members = {names.member(field) for field in schema.fields(type_)}
        self.params: dict[str, str] = {}
        """The names of parameters by field: a parameter must not hide a member (`-Wshadow`)."""
        for field in self.arguments:
            used = members.union(self.params.values())
            self.params[field.name] = names.free(f"{names.identifier(field)}_", used)
        self.tag = names.free("tag", members)

    def constructor(self) -> str:
        """Return the constructor that takes the fields, or the one without arguments."""
        if self.type.options.default_constructible:
            fields = self.schema.fields(self.type)
            return default_construction.constructor(self.type, self.scope, fields)
        params = ", ".join(
            declaration(field, self.scope, self.params[field.name]) for field in self.arguments
        )
        initializers = [*self._base_initializer(), *self._member_initializers()]
        explicit = "explicit " if len(self.arguments) == 1 else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        statements = self._assignments()
        statements += ["tschema::PostInit(this);"] if self.calls_post_init() else []
        body = f" {' '.join(statements)} " if statements else ""
        head = f"{explicit}{self.type.name}({params})"
        if is_deep(self.type, self.schema):
            # Inlined, each constructor would hold those of all ancestors.
            head = f"[[gnu::noinline]] {head}"
        return f"{head}{initializer} {{{body}}}"

    def _handed_on(self, field: Field) -> str:
        return forwarded(field, self.params[field.name])

    def calls_post_init(self) -> bool:
        """Whether this constructor ends the construction of a checked object."""
        if self.type.options.abstract:
            return False
        for ancestor in reversed(self.schema.ancestry(self.type)):
            if ancestor.options.post_init:
                return True
            if ancestor is not self.type and not ancestor.options.abstract:
                return False  # Its constructor has called it already.
        return False

    def destructor(self) -> str:
        """Return the destructor; empty if the class needs none of its own."""
        fields = ", ".join(released(self.type))
        is_below_virtual = self.parent is not None and self.parent.options.polymorphic
        is_virtual = self.type.options.polymorphic and not is_below_virtual
        if not fields and not is_virtual:
            return ""
        head = f"{'virtual ' if is_virtual else ''}~{self.type.name}()"
        if not fields:
            return f"{head} = default;"
        override = " override" if is_below_virtual else ""
        return f"{head}{override} {{ tschema::Release({fields}); }}"

    def _base_initializer(self) -> list[str]:
        if self.own_parent is None:
            return []
        fields = {field.name: field for field in self.schema.fields(self.type)}
        args = [
            self._handed_on(fields[name]) if name in self.taken else self._filler(fields[name])
            for name in self.own_parent.init
        ]
        return [f"{self.base}({', '.join(args)})"]

    def _filler(self, field: Field) -> str:
        """Return the value of a field that the constructor does not take."""
        if field.default is not None:
            return names.cpp_default(field.default, field.type, self.scope)
        return names.empty(field.type, self.scope)

    def _member_initializers(self) -> list[str]:
        initializers = []
        for field in self.type.members:
            if field.name in self.taken:
                initializers.append(f"{names.member(field)}({self._handed_on(field)})")
            elif (
                names.has_unsafe_init(field.type)
                and field.default is None
                and field.cpp_init is None
            ):
                initializers.append(f"{names.member(field)}(ffi::UnsafeInit{{}})")
        return initializers

    def _assignments(self) -> list[str]:
        """Return statements that set inherited fields which the parent's constructor cannot."""
        if self.parent is None:
            return []
        inherited = {field.name: field for field in self.schema.fields(self.parent)}
        statements = []
        passed = self.own_parent.init if self.own_parent is not None else ()
        for field in self.schema.fields(self.type):
            if field.name not in inherited or field.name in passed:
                continue
            if field.name in self.taken:
                statements.append(f"this->{names.member(field)} = {self._handed_on(field)};")
            elif field.default not in (None, inherited[field.name].default):
                value = names.cpp_default(field.default, field.type, self.scope)
                statements.append(f"this->{names.member(field)} = {value};")
        return statements

    def unsafe_constructor(self) -> str:
        """Return the constructor that leaves fields empty; empty if there is none."""
        if self.type.options.default_constructible:
            return ""
        tag = self.tag
        initializers = [f"{self.base}({tag})"] if self.own_parent is not None else []
        for field in self.type.members:
            if names.has_unsafe_init(field.type):
                initializers.append(f"{names.member(field)}({tag})")
            elif field.type.kind == "Union":
                empty = names.empty(field.type.args[0], self.scope)
                initializers.append(f"{names.member(field)}({empty})")
        param = f" {tag}" if any(text.endswith(f"({tag})") for text in initializers) else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        return f"explicit {self.type.name}(ffi::UnsafeInit{param}){initializer} {{}}"
