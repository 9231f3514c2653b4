"""The views of the Python templates: ready-made strings, one view for each declaration.

In: the JSON IR.  Out: views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec.structs import replace

from tschema.backends.base import View, block_name, source_folders
from tschema.backends.python import names
from tschema.backends.python.names import Imports
from tschema.emit.english import article
from tschema.ir.keywords import attribute_name
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
    TypeRef,
    named_keys,
)
from tschema.ir.spelling import class_name


def declared_names(space: Namespace) -> tuple[str, ...]:
    """Return the names that the module of a schema file exports, as linters sort them."""
    declared = {type_.ref for type_ in space.types} | {enum.name for enum in space.enums}
    declared |= {function.name for function in space.functions if function.api}
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


def enum_view(enum: Enum) -> View:
    """Return the view of an enum."""
    return View(name=enum.name, block=block_name(enum.key), doc=enum.doc, members=enum.members)


def relative_module(home: Namespace, space: Namespace, schema: Schema) -> str:
    """Return the module of `home` as the module of `space` imports it."""
    if home.name == space.name:
        return f".{home.file}"
    ups = "." * (len(schema.inside(space.name)) + 1)
    inner = ".".join(schema.inside(home.name))
    return f"{ups}{inner}.{home.file}" if inner else f"{ups}{home.file}"


class FileViews:
    """Builds the views of one module."""

    def __init__(self, space: Namespace, schema: Schema) -> None:
        self.space = space
        self.schema = schema
        self.attributes = _attributes((space,))
        self.declared = frozenset(declared_names(space))
        mentioned = {
            class_name(nested.key, "Python")
            for type_ in space.types
            for field in schema.fields(type_)
            for nested in field.type.walk()
            if nested.key is not None
        }
        for function in space.functions:
            keys = named_keys(function) if function.api else ()
            mentioned.update(class_name(key, "Python") for key in keys)
        taken = self.declared | frozenset(mentioned)
        self.runtime = Imports(taken)
        self.typing = Imports(taken)

    def view(self) -> View:
        """Return the view of the module, whose classes have been viewed."""
        types = self.space.types
        if not all(type_.is_by_hand for type_ in types):
            self.runtime.add("tschema.runtime", "c_class")
        if any(type_.is_by_hand for type_ in types):
            self.runtime.add("tschema.runtime", "extern_class")
        has_functions = any(function.api for function in self.space.functions)
        if has_functions or any(type_.is_constructed for type_ in types):
            self.runtime.add(".", "_ffi_api")
        elif types:
            self.runtime.add(".", "_ffi_api as _ffi_api")
        if self.space.enums:
            self.runtime.add("tschema.runtime", "IntEnum")
        for module, imported in self.runtime.names.items():
            if module in self.typing.names:
                self.typing.names[module] -= imported
        if self.typing.names or any(type_.methods for type_ in types):
            self.runtime.add("typing", "TYPE_CHECKING")
        return View(
            source=self.space.source,
            doc=self.space.doc or f"Nodes of `{self.space.source}`.",
            imports=self.runtime.lines(),
            typing_imports=self.typing.lines(),
            exports=names.quoted(self.declared),
        )

    def apart(self) -> FileViews:
        """Return views of the same module that import nothing yet."""
        views = copy(self)
        views.runtime, views.typing = Imports(self.runtime.taken), Imports(self.typing.taken)
        return views

    def spell(self, key: str, imports: Imports) -> str:
        """Return the class with a key as this module names it, and import it if needed."""
        name = class_name(key, "Python")
        home = self.schema.home(key)
        if home is self.space:
            return name
        if not self.schema.is_own(home.name):
            imports.add(home.name, name)
        else:
            imports.add(relative_module(home, self.space, self.schema), name)
        return name

    def _in_annotation(self, key: str) -> str:
        return self.spell(key, self.typing)

    def _at_runtime(self, key: str) -> str:
        return self.spell(key, self.runtime)

    def class_view(self, type_: Type) -> View:
        """Return the view of a class."""
        if type_.parent == ROOT_KEY:
            parent = self.runtime.library("Object")
        else:
            parent = self._at_runtime(type_.parent)
        shown = (*type_.fields, *type_.accessors)
        attributes = tuple((attribute_name(one.name), one.doc) for one in shown)
        see_also = tuple((name, "") for name in type_.see_also if name != type_.ref)
        return View(
            name=type_.ref,
            block=block_name(type_.key),
            key=type_.key,
            parent=parent,
            module=self.space.name,
            doc=_document(
                type_.doc or f"{article(type_.key).capitalize()} `{type_.key}`.",
                See_Also=see_also,
                Attributes=attributes,
            ),
            fields=[self._field(field) for field in shown],
            init=self._init(type_) if type_.is_constructed else None,
            decorator="extern_class" if type_.is_by_hand else "c_class",
            # Further arguments of the decorator.
            enums=self._enums(type_),
            methods=[self._method(method) for method in type_.methods],
        )

    def _field(self, field: Field) -> str:
        annotation = names.read_type(field.type, self._in_annotation, self.typing)
        return f"{attribute_name(field.name)}: {annotation}"

    def _enums(self, type_: Type) -> str:
        """Return the argument that names the enum of each field that has one."""
        pairs = []
        for field in (*type_.fields, *type_.accessors):
            inner = field.type.args[0] if field.type.kind == "Optional" else field.type
            if inner.kind == "enum" and inner.key is not None:
                pairs.append(f'"{attribute_name(field.name)}": {self._at_runtime(inner.key)}')
        return f", enums={{{', '.join(pairs)}}}" if pairs else ""

    def _init(self, type_: Type) -> View:
        fields = self.schema.arguments(type_)
        params = ["self", *self._params(fields)]
        arguments = [f"_ffi_api.{type_.ref}", *map(_argument, fields)]
        match_args = [f'"{field.name}"' for field in fields if not field.kw_only]
        tail = "," if len(match_args) == 1 else ""
        return View(
            params=", ".join(params),
            arguments=", ".join(arguments),
            match_args=f"({', '.join(match_args)}{tail})",
        )

    def _params(self, fields: Sequence[Field | Parameter]) -> list[str]:
        """Return parameters, those that are passed by name behind a star."""
        positional = [self._param(field) for field in fields if not field.kw_only]
        by_name = [self._param(field) for field in fields if field.kw_only]
        return [*positional, *(["*", *by_name] if by_name else [])]

    def _param(self, field: Field | Parameter) -> str:
        spell = _or_number(field, self._in_annotation)
        text = f"{field.name}: {names.given_type(field.type, spell, self.typing)}"
        if field.default is None:
            return text
        if field.default.initializer:
            self.runtime.add("tschema.runtime", "MISSING")
            return f"{text} = MISSING"
        if field.default.factory == "dict":
            text += " | None"
        return f"{text} = {names.default_text(field.default, field.type, self._at_runtime)}"

    def function_views(self) -> list[View]:
        """Return the views of the documented functions."""
        return [self._function(one) for one in self.space.functions if one.api]

    def _function(self, function: Function) -> View:
        arguments = ", ".join(map(_argument, function.params))
        call = f"_ffi_api.{function.name}({arguments})"
        if function.returns.kind == "enum":
            call = f"{names.read_type(function.returns, self._at_runtime, self.runtime)}({call})"
        return View(
            name=function.name,
            params=", ".join(self._params(_with_lists_of_one(function, self.attributes))),
            returns=names.read_type(function.returns, self._in_annotation, self.typing),
            doc=_callable_doc(function),
            body=call if function.returns.kind == "None" else f"return {call}",
        )

    def _method(self, method: Method) -> View:
        receiver = [] if method.static else ["self"]
        params = [*receiver, *map(self._param, method.params)]
        return View(
            name=method.name,
            is_static=method.static,
            params=", ".join(params),
            returns=names.read_type(method.returns, self._in_annotation, self.typing),
            doc=_callable_doc(method),
        )


Attributes = frozenset[tuple[str, str]]
"""The attributes of operators: names of the operator and of the attribute."""


def _attributes(spaces: Sequence[Namespace]) -> Attributes:
    operators = (operator for space in spaces for operator in space.operators)
    return frozenset((one.name, attribute) for one in operators for attribute in one.attributes)


def _with_lists_of_one(function: Function, attributes: Attributes) -> list[Parameter]:
    """Return the parameters; an attribute that is a list of integers also takes one alone."""
    return [
        replace(param, type=_or_element(param.type))
        if (function.name, param.name) in attributes
        else param
        for param in function.params
    ]


def _or_element(ref: TypeRef) -> TypeRef:
    if ref.kind == "Optional":
        return replace(ref, args=(_or_element(ref.args[0]),))
    if ref.kind != "Array":
        return ref
    choices = ref.args[0].args if ref.args[0].kind == "Union" else ref.args
    if not any(choice.kind == "int64" for choice in choices):
        return ref
    return TypeRef(kind="Union", args=(ref, *choices))


def _or_number(param: Field | Parameter, spell: names.SpellDeclared) -> names.SpellDeclared:
    """Return what spells the type of a parameter that also takes a plain number."""
    if isinstance(param, Field) or not param.number:
        return spell
    return lambda key: f"{spell(key)} | float"


def _argument(field: Field | Parameter) -> str:
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
        self.attributes = _attributes(spaces)
        stubs = {type_.ref for space in spaces for type_ in space.types}
        stubs |= {function.name for space in spaces for function in space.functions}
        self.imports = Imports(frozenset(stubs))

    def view(self) -> View:
        """Return the view of the module."""
        functions = []
        for space in self.spaces:
            concrete = (type_ for type_ in space.types if type_.is_constructed)
            functions += [self._constructor(type_) for type_ in concrete]
            functions += [self._function(function, space.file) for function in space.functions]
        namespace = self.spaces[0].name
        return View(
            namespace=namespace,
            sources=source_folders(self.spaces),
            typing_imports=self.imports.lines(),
            functions=sorted(functions, key=lambda view: view.name),
            renamed=self._renamed(),
            # The import of the generated package: `..`.
            root="." * (len(self.schema.inside(namespace)) + 1),
        )

    def spell(self, key: str) -> str:
        """Return a class as the stubs name it: through its module."""
        home = self.schema.home(key)
        name = class_name(key, "Python")
        if not self.schema.is_own(home.name):
            parent, _, last = home.name.rpartition(".")
            if not parent:
                self.imports.add(home.name, "")
                return f"{home.name}.{name}"
            alias = f"_{home.name.replace('.', '_')}"
            self.imports.add(parent, f"{last} as {alias}")
            return f"{alias}.{name}"
        module, _, file = relative_module(home, self.spaces[0], self.schema).rpartition(".")
        alias = "_".join(["", *self.schema.inside(home.name), home.file])
        is_ancestor = not module.strip(".")
        self.imports.add(f"{module}." if is_ancestor else module, f"{file} as {alias}")
        return f"{alias}.{name}"

    def _params(self, params: Sequence[Field | Parameter]) -> str:
        """Return positional parameters: only the last ones can be left out."""
        required = max((at for at, one in enumerate(params, 1) if one.default is None), default=0)
        texts = []
        for at, one in enumerate(params, 1):
            spell = _or_number(one, self.spell)
            text = f"{one.name}: {names.given_type(one.type, spell, self.imports)}"
            texts.append(text if at <= required else f"{text} = ...")
        return ", ".join([*texts, "/"] if params else [])

    def _renamed(self) -> dict[str, str]:
        """Return the constructors that the library has under a name that Python reserves."""
        concrete = (one for space in self.spaces for one in space.types if one.is_constructed)
        names = {one.ref: block_name(one.key) for one in concrete}
        return {name: other for name, other in names.items() if name != other}

    def _constructor(self, type_: Type) -> View:
        return View(
            name=type_.ref,
            params=self._params(self.schema.arguments(type_)),
            returns=self.spell(type_.key),
            doc=f"Construct {article(type_.key)} `{type_.key}`.",
        )

    def _function(self, function: Function, file: str) -> View:
        documented = f"See `{file}.{function.name}`."
        return View(
            name=function.name,
            params=self._params(_with_lists_of_one(function, self.attributes)),
            returns=names.read_type(function.returns, self.spell, self.imports),
            doc=documented if function.api else _callable_doc(function),
        )
