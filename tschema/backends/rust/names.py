"""Rust spellings of methods, functions, and field and parameter types.

In: parts of the JSON IR.  Out: Rust text, and its imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tschema.backends.base import path_between
from tschema.ir.keywords import MEMBERS, NO_NAMES, escaped
from tschema.ir.kinds import OBJECT_KINDS
from tschema.ir.model import ROOT_KEY, Field, Namespace, Parameter, Schema, Type, TypeRef
from tschema.ir.spelling import class_name

_CONTAINERS = frozenset({"Array", "Map", "List", "Dict"})
_LONGEST_TUPLE = 8
"""Elements that `tschema::Tuple` and `tschema::Union` are written for."""

PLAIN = {
    "None": "()",
    "bool": "bool",
    **{
        f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
    },
    "float32": "f32",
    "float64": "f64",
    "DataType": "ffi::DLDataType",
    "Device": "ffi::DLDevice",
    "Object": "ffi::object::ObjectRef",
    **{
        kind: f"ffi::{kind}"
        for kind in ("String", "Bytes", "Any", "Function", "Tensor", "Shape", "Module")
    },
}
_GENERIC = {
    "Array": "ffi::Array",
    "List": "ffi::List",
    "Map": "ffi::Map",
    "Dict": "tschema::Dict",
    "Tuple": "tschema::Tuple",
    "Union": "tschema::Union",
}
_CONVERTED = frozenset(
    {"node", "Object", "Function", "Tensor", "Shape", "Module"}
    | {"String", "Bytes", "Any", "Tuple", "Union"}
)
"""Types whose parameters accept any convertible value."""


def has_odd_style(schema: Schema) -> bool:
    """Return whether some name, which Rust has as the schema spells it, is not in Rust's style."""
    enums = [enum for space in schema.namespaces for enum in space.enums]
    return (
        any(name != name.lower() for space in schema.namespaces for name in _variables(space))
        or any(member.name != member.name.upper() for enum in enums for member in enum.members)
        or any(
            "_" in name or not name[0].isupper()
            for space in schema.namespaces
            for name in declared_names(space)
        )
    )


def _variables(space: Namespace) -> Iterator[str]:
    for type_ in space.types:
        yield from (field.name for field in type_.fields)
        yield from (param.name for method in type_.methods for param in method.params)
    yield from (param.name for function in space.functions for param in function.params)


def module_path(space: Namespace, schema: Schema) -> tuple[str, ...]:
    """Return the path of a schema file's module below the package's root module."""
    return (*schema.inside(space.name), space.file)


def builder_name(type_: Type, taken: Iterable[str]) -> str:
    """Return the name of a type's builder, which no declared name of its namespace is."""
    names = set(taken)
    name = f"{type_.ref}Builder"
    while name in names:
        name = f"{name}Builder"
    return name


def declared_names(space: Namespace) -> set[str]:
    """Return the type names that a schema file's module declares."""
    return {enum.name for enum in space.enums} | {
        name for type_ in space.types for name in (type_.name, type_.ref)
    }


def identifier(named: Field | Parameter) -> str:
    """Return how Rust spells a field or a parameter."""
    return escaped(named.name, "Rust", MEMBERS if isinstance(named, Field) else NO_NAMES)


def named_identifier(named: Field | Parameter) -> str:
    """Return the same for macros that need the name too: `r#match as "match"`."""
    name = identifier(named)
    return name if name == named.name else f'{name} as "{named.name}"'


class Scope:
    """The names that one emitted file can use, and the `use` lines that it needs for them."""

    def __init__(self, schema: Schema, space: Namespace, module: str = "") -> None:
        """
        Take the file that is emitted.

        Parameters
        ----------
        module
            Where the crate has the namespaces; they are named from the file's module if empty.
        """
        self.schema = schema
        self.space = space
        self.module = module
        self.used: dict[str, str] = {}
        """Imported name to the path of its module."""
        self._declared = declared_names(space)

    def declare(self, names: Iterable[str]) -> None:
        """Note names that the file declares besides those of its namespace."""
        self._declared = self._declared | set(names)

    def reference(self, key: str) -> str:
        """Return the reference of a type, or an enum, by key."""
        type_ = self.schema.find_type(key)
        return self.name(key, type_.ref if type_ else class_name(key, "Rust"))

    def data(self, key: str) -> str:
        """Return the data struct of a type, by key."""
        if key == ROOT_KEY:
            return "ffi::Object"
        return self.name(key, self.schema.type(key).name)

    def field(self, type_ref: TypeRef) -> str:
        """Return a type as a field holds it."""
        if type_ref.kind == "Optional" and type_ref.args[0].kind not in OBJECT_KINDS | {"Any"}:
            return f"ffi::Optional<{self.value(type_ref.args[0])}>"
        return self.value(type_ref)

    def value(self, type_ref: TypeRef) -> str:
        """Return a type as an element, a result or an argument has it."""
        if type_ref.key is not None:
            return self.reference(type_ref.key)
        if type_ref.kind in PLAIN:
            return PLAIN[type_ref.kind]
        args = [self.value(arg) for arg in type_ref.args]
        if type_ref.kind == "Optional":
            return args[0] if args[0] == "ffi::Any" else f"Option<{args[0]}>"
        if type_ref.kind in ("Tuple", "Union"):
            return self._of_several(type_ref.kind, args)
        return f"{_GENERIC[type_ref.kind]}<{', '.join(args)}>"

    def parameter(self, type_ref: TypeRef) -> str:
        """Return a type as a parameter takes it."""
        if type_ref.kind in _CONVERTED or self.value(type_ref) == "ffi::Any":
            return f"impl Into<{self.value(type_ref)}>"
        if type_ref.kind in _CONTAINERS:
            return f"impl tschema::IntoFfi<{self.value(type_ref)}>"
        return self.value(type_ref)

    def argument(self, type_ref: TypeRef, name: str) -> str:
        """Return a parameter converted to its type."""
        if type_ref.kind in _CONVERTED or self.value(type_ref) == "ffi::Any":
            return f"{name}.into()"
        return f"{name}.into_ffi()" if type_ref.kind in _CONTAINERS else name

    def _of_several(self, kind: str, args: list[str]) -> str:
        if len(args) > _LONGEST_TUPLE:
            return "ffi::Any" if kind == "Union" else "ffi::Array<ffi::Any>"
        inner = f"{args[0]}," if len(args) == 1 else ", ".join(args)
        return f"{_GENERIC[kind]}<({inner})>"

    def name(self, key: str, name: str) -> str:
        """Return a name of the class with a key, and import it if needed."""
        home = self.schema.home(key)
        if home == self.space:
            return name
        path = self._path(key, home)
        if name in self._declared or self.used.setdefault(name, path) != path:
            return f"{path}::{name}"
        return name

    def _path(self, key: str, home: Namespace) -> str:
        """Return the path of a module that has a key's class, from this one."""
        if not self.schema.is_own(key):
            return home.name.replace(".", "::")
        if self.module and home.name != self.space.name:
            # No type has the name of a module, so that every namespace re-exports all its types.
            return "::".join([self.module, *self.schema.inside(home.name)])
        here, there = module_path(self.space, self.schema), module_path(home, self.schema)
        ups, names = path_between(here[:-1], there)
        return "::".join(["super"] * (ups + 1) + list(names))
