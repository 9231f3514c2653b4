"""Classes of loaded types, made at run time like generated ones.

In: declarations whose types are registered.  Out: a module for each namespace, with classes that
have annotations, docs and an `__init__` of their own.  A class that is bound already is used
unchanged.  No text of a schema is executed: names are checked, and everything else is in variables.
"""

from __future__ import annotations

import keyword
import sys
import types
from collections.abc import Callable, Iterable
from enum import IntEnum
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import tvm_ffi
from tvm_ffi import core

from tschema.runtime import enums
from tschema.runtime.annotations import given_type, read_type
from tschema.runtime.classes import c_class
from tschema.runtime.declarations import (
    ROOT_KEY,
    Default,
    EnumDecl,
    FieldDecl,
    FunctionDecl,
    NamespaceDecl,
    SchemaDecl,
    TypeDecl,
    TypeRef,
)
from tschema.runtime.reserved_names import class_name, member_name

__all__ = ["make_modules"]


def make_modules(schema: SchemaDecl, path: Path) -> ModuleType:
    """Make the modules of a package.

    Parameters
    ----------
    schema
        The declarations; their types are registered.
    path
        The file they come from.

    Returns
    -------
    module
        The package's module; those of nested namespaces are attributes of it.
    """
    maker = _Maker(schema)
    maker.make_classes()
    package = _Package(schema.package, path)
    for space in schema.namespaces:
        package.add(space, maker.declared)
    package.install()
    return package.module


class _Package:
    """The modules of one package."""

    def __init__(self, name: str, path: Path) -> None:
        self.module = ModuleType(name, f"Types of the package `{name}`, declared in {path}.")
        self.module.__file__ = str(path)
        self._modules = {name: self.module}

    def add(self, space: NamespaceDecl, declared: dict[str, type]) -> None:
        """Add the classes of one schema file."""
        module = self._module(space.name)
        keys = [enum.key for enum in space.enums] + [decl.key for decl in space.types]
        names: dict[str, object] = {
            class_name(key.rpartition(".")[2]): declared[key] for key in keys
        }
        names.update((one.name, _make_function(one, declared)) for one in space.functions)
        vars(module).update(names)
        vars(module)["__all__"] = sorted({*vars(module).get("__all__", ()), *names})

    def _module(self, name: str) -> ModuleType:
        if name not in self._modules:
            parent, _, last = name.rpartition(".")
            module = ModuleType(name, f"Types of the namespace `{name}`.")
            module.__file__ = self.module.__file__
            # Another root of type keys is a package of its own, and an attribute of this one.
            setattr(self._module(parent) if parent else self.module, last, module)
            self._modules[name] = module
        return self._modules[name]

    def install(self) -> None:
        """Let `import` find the modules, unless there are others of the package's name."""
        roots = [name for name in self._modules if "." not in name]
        for root in roots:
            if root in sys.modules or _can_be_imported(root):
                continue
            below = {
                name: one for name, one in self._modules.items() if name.startswith(f"{root}.")
            }
            if below:
                self._modules[root].__path__ = []
            sys.modules.update({root: self._modules[root], **below})


def _can_be_imported(name: str) -> bool:
    """Return whether there is a module; a folder that only happens to have the name is none."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None


class _Maker:
    """Makes the classes of a package."""

    def __init__(self, schema: SchemaDecl) -> None:
        self._schema = schema
        self.declared: dict[str, type] = {}
        """Classes of types and enums, by type key and dotted name."""

    def make_classes(self) -> None:
        """Make all classes: first they all exist, so that annotations can name any of them."""
        for space in (*self._schema.imported, *self._schema.namespaces):
            for enum in space.enums:
                self.declared[enum.key] = _bound_enum(space, enum) or _make_enum(enum)
        for space in self._schema.imported:
            for decl in space.types:
                self.declared[decl.key] = _bound_class(decl.key) or tvm_ffi.Object
        made = [decl for decl in self._schema.types if not self._take_bound(decl)]
        for decl in made:
            self.declared[decl.key] = self._make_class(decl)
        for decl in made:
            self._fill_in(decl)

    def _take_bound(self, decl: TypeDecl) -> bool:
        bound = _bound_class(decl.key)
        if bound is not None:
            self.declared[decl.key] = bound
        return bound is not None

    def _make_class(self, decl: TypeDecl) -> type:
        parent = tvm_ffi.Object if decl.parent == ROOT_KEY else self.declared[decl.parent]
        module = decl.key.rpartition(".")[0]
        name = class_name(decl.ref)
        body = {"__doc__": _class_doc(decl), "__module__": module, "__qualname__": name}
        return types.new_class(name, (parent,), exec_body=lambda names: names.update(body))

    def _fill_in(self, decl: TypeDecl) -> None:
        """Give a class its fields and its `__init__`, and bind it to the registered type."""
        cls = self.declared[decl.key]
        cls.__annotations__ = {
            field.name: read_type(field.type, self.declared) for field in decl.fields
        }
        if not decl.is_abstract:
            setattr(cls, "__init__", self._make_init(decl))  # noqa: B010 - not an override
            names = tuple(field.name for field in decl.arguments if not field.kw_only)
            setattr(cls, "__match_args__", names)  # noqa: B010
        c_class(decl.key, enums=self._enum_fields(decl))(cls)

    def _enum_fields(self, decl: TypeDecl) -> dict[str, type[IntEnum]]:
        """Return the fields that read back as members of an enum."""
        fields: dict[str, type[IntEnum]] = {}
        for field in decl.fields:
            inner = field.type.args[0] if field.type.kind == "Optional" else field.type
            if inner.kind == "enum":
                fields[field.name] = self.declared[inner.key]
        return fields

    def _make_init(self, decl: TypeDecl) -> Callable[..., None]:
        """Make the generator's `__init__`: one call of the type's constructor."""
        init = _compile_init(decl)
        init.__qualname__ = f"{class_name(decl.ref)}.__init__"
        init.__module__ = decl.key.rpartition(".")[0]
        init.__annotations__ = {
            **{field.name: self._given(field) for field in decl.arguments},
            "return": None,
        }
        defaults = [(one, self._default(one)) for one in decl.arguments if one.default is not None]
        init.__defaults__ = tuple(value for one, value in defaults if not one.kw_only) or None
        init.__kwdefaults__ = {one.name: value for one, value in defaults if one.kw_only} or None
        return init

    def _given(self, field: FieldDecl) -> Any:
        annotation = given_type(field.type, self.declared)
        makes_dict = field.default is not None and field.default.factory == "dict"
        return annotation | None if makes_dict else annotation

    def _default(self, field: FieldDecl) -> Any:
        return _default_value(field, self.declared)


def _literal(default: Default, type_ref: TypeRef, declared: dict[str, type]) -> Any:
    if type_ref.kind == "Optional" and default.value is not None:
        return _literal(default, type_ref.args[0], declared)
    if type_ref.kind == "enum":
        return getattr(declared[type_ref.key], member_name(str(default.value)))
    if type_ref.kind == "Bytes" and isinstance(default.value, str):
        return default.value.encode("latin-1")
    return default.value


def _compile_init(decl: TypeDecl) -> types.FunctionType:
    """Compile `def __init__(self, a, b=None, *, c)`; the defaults are filled in afterwards."""
    names = [field.name for field in decl.arguments]
    for name in names:
        if not name.isidentifier() or keyword.iskeyword(name) or name == "self":
            raise ValueError(f"`{decl.key}` has a field of the name `{name}`")
    construct = _free_name("construct", names)
    params = ["self", *(_parameter(field) for field in decl.arguments if not field.kw_only)]
    if any(field.kw_only for field in decl.arguments):
        params += ["*", *(_parameter(field) for field in decl.arguments if field.kw_only)]
    given = ", ".join([construct, *map(_argument, decl.arguments)])
    text = f"def __init__({', '.join(params)}):\n    self.__init_handle_by_constructor__({given})\n"
    names_of_code: dict[str, Any] = {construct: tvm_ffi.get_global_func(decl.key)}
    exec(compile(text, f"<{decl.key}>", "exec"), names_of_code)
    init: types.FunctionType = names_of_code["__init__"]
    return init


def _make_function(decl: FunctionDecl, declared: dict[str, type]) -> Callable[..., Any]:
    """Make the function that the generator would write: one call of the global function."""
    params = [_parameter(one) for one in decl.params if not one.kw_only]
    if any(one.kw_only for one in decl.params):
        params += ["*", *(_parameter(one) for one in decl.params if one.kw_only)]
    names = [one.name for one in decl.params]
    for name in (decl.name, *names):
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"`{decl.key}` has the name `{name}`")
    call = _free_name("call", [decl.name, *names])
    text = f"def {decl.name}({', '.join(params)}):\n    return {call}({', '.join(names)})\n"
    names_of_code: dict[str, Any] = {call: tvm_ffi.get_global_func(decl.key)}
    exec(compile(text, f"<{decl.key}>", "exec"), names_of_code)
    function: types.FunctionType = names_of_code[decl.name]
    function.__doc__, function.__module__ = decl.doc, decl.key.rpartition(".")[0]
    defaulted = [one for one in decl.params if one.default is not None]
    values = {one.name: _default_value(one, declared) for one in defaulted}
    positional = [values[one.name] for one in defaulted if not one.kw_only]
    function.__defaults__ = tuple(positional) or None
    function.__kwdefaults__ = {
        one.name: values[one.name] for one in defaulted if one.kw_only
    } or None
    return function


def _default_value(field: FieldDecl, declared: dict[str, type]) -> Any:
    """Return the Python value of a default; `()` and None for fresh containers."""
    assert field.default is not None
    if field.default.factory is not None:
        return () if field.default.factory == "list" else None
    return _literal(field.default, field.type, declared)


def _parameter(field: FieldDecl) -> str:
    return field.name if field.default is None else f"{field.name}=None"


def _argument(field: FieldDecl) -> str:
    if field.default is not None and field.default.factory == "dict":
        return f"{{}} if {field.name} is None else {field.name}"
    return field.name


def _free_name(name: str, taken: Iterable[str]) -> str:
    used = frozenset(taken)
    while name in used:
        name = f"_{name}"
    return name


def _class_doc(decl: TypeDecl) -> str:
    """Return the numpy docstring that the generator would write."""
    parts = [decl.doc.strip() or f"A `{decl.key}`."]
    see_also = [(name, "") for name in decl.see_also if name != decl.ref]
    attributes = [(field.name, field.doc) for field in decl.fields]
    for title, items in (("See Also", see_also), ("Attributes", attributes)):
        lines = [title, "-" * len(title)]
        for name, doc in items:
            lines.append(name)
            lines += [f"    {line}".rstrip() for line in doc.strip().split("\n") if doc.strip()]
        parts += ["\n".join(lines)] if items else []
    return "\n\n".join(parts)


def _make_enum(decl: EnumDecl) -> type[IntEnum]:
    module = decl.key.rpartition(".")[0]
    make: Any = enums.IntEnum
    members = [(member_name(name), value) for name, value in decl.members]
    made: type[IntEnum] = make(class_name(decl.name), members, module=module)
    made.__doc__ = decl.doc
    return made


def _bound_class(key: str) -> type | None:
    """Return the class that generated code has bound to a type, if any."""
    bound = core._lookup_or_register_type_info_from_type_key(key).type_cls
    return bound if bound is not None and "__ffi_is_dataclass__" in bound.__dict__ else None


def _bound_enum(space: NamespaceDecl, decl: EnumDecl) -> type[IntEnum] | None:
    """Return the class of an enum that generated code has loaded, if any."""
    package, _, rest = space.name.partition(".")
    generated = ".".join(filter(None, [f"{package}_nodes", rest, space.file]))
    for name in (generated, space.name):
        found = getattr(sys.modules.get(name), class_name(decl.name), None)
        if isinstance(found, type) and issubclass(found, IntEnum):
            return found
    return None
