"""The views of the Python templates: ready-made strings, one view for each declaration.

In: the JSON IR.  Out: frozen views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec import Struct

from tschema.backends.base import source_folders
from tschema.backends.python import names
from tschema.backends.python.names import Imports
from tschema.emit.english import article
from tschema.ir.model import (
    ROOT_KEY,
    Enum,
    Field,
    Function,
    Method,
    Namespace,
    Parameter,
    Schema,
    Type,
)

__all__ = [
    "ApiView",
    "ApiViews",
    "ClassView",
    "EnumView",
    "FileView",
    "FileViews",
    "api_view",
    "declared_names",
    "relative_module",
]


class MemberView(Struct, frozen=True):
    """An enum's member."""

    name: str
    value: int
    doc: str


class EnumView(Struct, frozen=True):
    """An enum class."""

    name: str
    module: str
    doc: str
    members: tuple[MemberView, ...]


class MethodView(Struct, frozen=True):
    """A method or a function."""

    name: str
    params: str
    returns: str
    doc: str


class InitView(Struct, frozen=True):
    """A generated `__init__`."""

    params: str
    arguments: str
    match_args: str


class ClassView(Struct, frozen=True):
    """A wrapper class."""

    name: str
    key: str
    parent: str
    module: str
    doc: str
    fields: tuple[str, ...]
    init: InitView | None
    enums: str
    """Further arguments of the decorator."""
    methods: tuple[MethodView, ...]


class FileView(Struct, frozen=True):
    """A module of wrapper classes."""

    source: str
    doc: str
    imports: tuple[str, ...]
    typing_imports: tuple[str, ...]
    enums: tuple[EnumView, ...]
    exports: str
    """The sorted names, quoted."""
    names: tuple[str, ...]


class ApiView(Struct, frozen=True):
    """A namespace's `_ffi_api` module."""

    namespace: str
    sources: str
    typing_imports: tuple[str, ...]
    functions: tuple[MethodView, ...]
    root: str
    """Relative import of the generated package: `..`."""


def api_view(spaces: tuple[Namespace, ...], schema: Schema) -> ApiView:
    """Return the view of the `_ffi_api` of a namespace, given all files of it."""
    return ApiViews(spaces, schema).view()


def declared_names(space: Namespace) -> tuple[str, ...]:
    """Return the names that the module of a schema file exports, as linters sort them."""
    declared = {type_.ref for type_ in space.types} | {enum.name for enum in space.enums}
    return names.sorted_names(declared)


def _document(doc: str, **sections: tuple[tuple[str, str], ...]) -> str:
    """Return a numpy docstring: the text, then sections of named items."""
    parts = [doc.strip()]
    for title, items in sections.items():
        lines = [title.replace("_", " "), "-" * len(title)]
        for name, text in items:
            lines.append(name)
            lines += [f"    {line}".rstrip() for line in text.strip().split("\n") if text.strip()]
        if items:
            parts.append("\n".join(lines))
    return "\n\n".join(part for part in parts if part)


def relative_module(home: Namespace, space: Namespace) -> str:
    """Return the module of `home` as the module of `space` imports it."""
    if home.name == space.name:
        return f".{home.file}"
    ups = "." * len(space.name.split("."))
    inner = ".".join(home.name.split(".")[1:])
    return f"{ups}{inner}.{home.file}" if inner else f"{ups}{home.file}"


class FileViews:
    """Builds the views of one module."""

    def __init__(self, space: Namespace, schema: Schema) -> None:
        self.space = space
        self.schema = schema
        declared = {type_.ref for type_ in space.types} | {enum.name for enum in space.enums}
        self.declared = frozenset(declared)
        mentioned = {
            nested.key.rpartition(".")[2]
            for type_ in space.types
            for field in schema.fields(type_)
            for nested in field.type.walk()
            if nested.key is not None
        }
        taken = self.declared | frozenset(mentioned)
        self.runtime = Imports(taken)
        self.typing = Imports(taken)

    def view(self) -> FileView:
        """Return the view of the module, whose classes have been viewed."""
        enums = tuple(self.enum(enum) for enum in self.space.enums)
        types = self.space.types
        if types:
            self.runtime.add("tschema.runtime", "c_class")
        if any(not type_.options.abstract for type_ in types):
            self.runtime.add(".", "_ffi_api")
        elif types:
            self.runtime.add(".", "_ffi_api as _ffi_api")
        if enums:
            self.runtime.add("enum", "IntEnum")
        for module, imported in self.runtime.names.items():
            if module in self.typing.names:
                self.typing.names[module] -= imported
        if self.typing.names or any(type_.methods for type_ in types):
            self.runtime.add("typing", "TYPE_CHECKING")
        return FileView(
            source=self.space.source,
            doc=self.space.doc or f"Nodes of `{self.space.source}`.",
            imports=self.runtime.lines(),
            typing_imports=self.typing.lines(),
            enums=enums,
            exports=names.quoted(self.declared),
            names=names.sorted_names(self.declared),
        )

    def apart(self) -> FileViews:
        """Return views of the same module that import nothing yet."""
        views = copy(self)
        views.runtime, views.typing = Imports(self.runtime.taken), Imports(self.typing.taken)
        return views

    def spell(self, key: str, imports: Imports) -> str:
        """Return the class with a key as this module names it, and import it if needed."""
        name = key.rpartition(".")[2]
        home = self.schema.home(key)
        if home is self.space:
            return name
        if home.name.partition(".")[0] != self.schema.package:
            imports.add(home.name, name)
        else:
            imports.add(relative_module(home, self.space), name)
        return name

    def _in_annotation(self, key: str) -> str:
        return self.spell(key, self.typing)

    def _at_runtime(self, key: str) -> str:
        return self.spell(key, self.runtime)

    def enum(self, enum: Enum) -> EnumView:
        """Return the view of an enum."""
        members = tuple(
            MemberView(member.name, member.value, member.doc) for member in enum.members
        )
        return EnumView(enum.name, self.space.name, enum.doc, members)

    def class_view(self, type_: Type) -> ClassView:
        """Return the view of a class."""
        if type_.parent == ROOT_KEY:
            parent = self.runtime.library("Object")
        else:
            parent = self._at_runtime(type_.parent)
        attributes = tuple((field.name, field.doc) for field in type_.fields)
        see_also = tuple((name, "") for name in type_.see_also if name != type_.ref)
        return ClassView(
            name=type_.ref,
            key=type_.key,
            parent=parent,
            module=self.space.name,
            doc=_document(
                type_.doc or f"{article(type_.key).capitalize()} `{type_.key}`.",
                See_Also=see_also,
                Attributes=attributes,
            ),
            fields=tuple(map(self._field, type_.fields)),
            init=None if type_.options.abstract else self._init(type_),
            enums=self._enums(type_),
            methods=tuple(map(self._method, type_.methods)),
        )

    def _field(self, field: Field) -> str:
        annotation = names.read_type(field.type, self._in_annotation, self.typing)
        return f"{field.name}: {annotation}"

    def _enums(self, type_: Type) -> str:
        """Return the argument that names the enum of each field that has one."""
        pairs = []
        for field in type_.fields:
            inner = field.type.args[0] if field.type.kind == "Optional" else field.type
            if inner.kind == "enum" and inner.key is not None:
                pairs.append(f'"{field.name}": {self._at_runtime(inner.key)}')
        return f", enums={{{', '.join(pairs)}}}" if pairs else ""

    def _init(self, type_: Type) -> InitView:
        fields = self.schema.arguments(type_)
        positional = [self._param(field) for field in fields if not field.kw_only]
        by_name = [self._param(field) for field in fields if field.kw_only]
        params = ["self", *positional, *(["*", *by_name] if by_name else [])]
        arguments = [f"_ffi_api.{type_.ref}", *map(_argument, fields)]
        match_args = [f'"{field.name}"' for field in fields if not field.kw_only]
        tail = "," if len(match_args) == 1 else ""
        return InitView(", ".join(params), ", ".join(arguments), f"({', '.join(match_args)}{tail})")

    def _param(self, field: Field | Parameter) -> str:
        text = f"{field.name}: {names.given_type(field.type, self._in_annotation, self.typing)}"
        if field.default is None:
            return text
        if field.default.factory == "dict":
            text += " | None"
        return f"{text} = {names.default_text(field.default, field.type, self._at_runtime)}"

    def _method(self, method: Method) -> MethodView:
        params = ["self", *map(self._param, method.params)]
        return MethodView(
            name=method.name,
            params=", ".join(params),
            returns=names.read_type(method.returns, self._in_annotation, self.typing),
            doc=_callable_doc(method),
        )


def _argument(field: Field) -> str:
    if field.default is not None and field.default.factory == "dict":
        return f"{{}} if {field.name} is None else {field.name}"
    return field.name


def _callable_doc(function: Function | Method) -> str:
    parameters = tuple((param.name, param.doc) for param in function.params if param.doc)
    returns = (("result", function.returns_doc),) if function.returns_doc else ()
    raises = tuple((one.name, one.doc) for one in function.raises)
    return _document(function.doc, Parameters=parameters, Returns=returns, Raises=raises)


class ApiViews:
    """Builds the stubs of one namespace; classes are named through their modules."""

    def __init__(self, spaces: tuple[Namespace, ...], schema: Schema) -> None:
        self.spaces = spaces
        self.schema = schema
        stubs = {type_.ref for space in spaces for type_ in space.types}
        stubs |= {function.name for space in spaces for function in space.functions}
        self.imports = Imports(frozenset(stubs))

    def view(self) -> ApiView:
        """Return the view of the module."""
        functions = [
            self._constructor(type_)
            for space in self.spaces
            for type_ in space.types
            if not type_.options.abstract
        ]
        functions += [
            self._function(function) for space in self.spaces for function in space.functions
        ]
        namespace = self.spaces[0].name
        return ApiView(
            namespace=namespace,
            sources=source_folders(self.spaces),
            typing_imports=self.imports.lines(),
            functions=tuple(sorted(functions, key=lambda view: view.name)),
            root="." * len(namespace.split(".")),
        )

    def spell(self, key: str) -> str:
        """Return a class as the stubs name it: through its module."""
        home = self.schema.home(key)
        name = key.rpartition(".")[2]
        package, *inner = home.name.split(".")
        alias = "_".join(["", *inner, home.file])
        if package != self.schema.package:
            self.imports.add(home.name.rpartition(".")[0] or home.name, _aliased(home.name))
            return f"_{home.name.replace('.', '_')}.{name}"
        module, _, file = relative_module(home, self.spaces[0]).rpartition(".")
        is_ancestor = not module.strip(".")
        self.imports.add(f"{module}." if is_ancestor else module, f"{file} as {alias}")
        return f"{alias}.{name}"

    def _params(self, params: Sequence[Field | Parameter]) -> list[str]:
        """Return positional parameters: only the last ones can be left out."""
        required = max((at for at, one in enumerate(params, 1) if one.default is None), default=0)
        spelled = [names.given_type(one.type, self.spell, self.imports) for one in params]
        return [
            f"{one.name}: {text}{' = ...' if at > required else ''}"
            for at, (one, text) in enumerate(zip(params, spelled, strict=True), 1)
        ]

    def _constructor(self, type_: Type) -> MethodView:
        params = self._params(self.schema.arguments(type_))
        return MethodView(
            name=type_.ref,
            params=", ".join([*params, "/"] if params else []),
            returns=self.spell(type_.key),
            doc=f"Construct {article(type_.key)} `{type_.key}`.",
        )

    def _function(self, function: Function) -> MethodView:
        params = self._params(function.params)
        return MethodView(
            name=function.name,
            params=", ".join([*params, "/"] if params else []),
            returns=names.read_type(function.returns, self.spell, self.imports),
            doc=_callable_doc(function),
        )


def _aliased(namespace: str) -> str:
    """Return how a foreign public module is imported: `ir as _uir_ir`."""
    return f"{namespace.rpartition('.')[2]} as _{namespace.replace('.', '_')}"
