"""What the C++ templates see: ready-made strings, one view for each declaration.

In: the JSON IR.  Out: frozen views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tschema.backends.cpp import names
from tschema.model import (
    ROOT_KEY,
    Default,
    Enum,
    Field,
    Function,
    Method,
    Namespace,
    Parameter,
    Schema,
    Type,
    TypeRef,
)

__all__ = [
    "EnumView",
    "FileView",
    "FunctionView",
    "NodeView",
    "RowView",
    "TypeView",
    "file_view",
]

_FLAGS = {
    "ignore": ("Ignored",),
    "def": ("SEqHashDefSimple",),
    "def_pattern": ("SEqHashDefPattern",),
    None: (),
}
_KINDS = {
    "tree": "TreeNode",
    "dag": "DAGNode",
    "var": "FreeVar",
    "const_tree": "ConstTreeNode",
    "unique": "UniqueInstance",
    None: "Unsupported",
}


@dataclass(frozen=True)
class MemberView:
    """A data member."""

    doc: str
    declaration: str


@dataclass(frozen=True)
class RowView:
    """A row of a table: a field, a parameter."""

    cells: str


@dataclass(frozen=True)
class FunctionView:
    """A method or a function: its declaration and its row."""

    doc: str
    declaration: str
    variable: str
    name: str
    call: str
    parameters: tuple[RowView, ...]
    result: str
    brief: str


@dataclass(frozen=True)
class EnumView:
    """An enum."""

    name: str
    qualified: str
    doc: str
    members: tuple[MemberView, ...]
    contains: str


@dataclass(frozen=True)
class NodeView:
    """A data class."""

    name: str
    parent: str
    key: str
    doc: str
    members: tuple[MemberView, ...]
    constructor: str
    unsafe_constructor: str
    abstract: bool
    declares_post_init: bool
    methods: tuple[FunctionView, ...]
    constants: tuple[str, ...]
    info_macro: str


@dataclass(frozen=True)
class ReferenceView:
    """A reference class."""

    name: str
    parent: str
    node: str
    doc: str
    constructor: str
    """Signature with defaults; empty for an abstract type."""
    arguments: str


@dataclass(frozen=True)
class TypeView:
    """A declared type: both of its classes, and its rows in the tables."""

    forward: tuple[str, ...]
    node: NodeView
    ref: ReferenceView
    fields: tuple[RowView, ...]
    constructor: FunctionView | None
    assertions: tuple[str, ...]
    row: str


@dataclass(frozen=True)
class FileView:
    """A header and its source."""

    source: str
    header: str
    guard: str
    namespace: str
    unit: str
    includes: tuple[str, ...]
    enums: tuple[EnumView, ...]
    types: tuple[TypeView, ...]
    functions: tuple[FunctionView, ...]


def file_view(space: Namespace, schema: Schema) -> FileView:
    """Return the view of one schema file."""
    path = f"{space.name.replace('.', '/')}/{space.file}"
    return FileView(
        source=space.source,
        header=f"{path}.h",
        guard=f"{path}.h".replace("/", "_").replace(".", "_").upper() + "_",
        namespace=space.name.replace(".", "::"),
        unit=f"k{names.camel_case(space.file)}Unit",
        includes=_includes(space, schema),
        enums=tuple(_enum_view(enum) for enum in space.enums),
        types=tuple(_TypeViews(type_, schema).view() for type_ in space.types),
        functions=tuple(_function_view(function, schema) for function in space.functions),
    )


def _includes(space: Namespace, schema: Schema) -> tuple[str, ...]:
    """Return the headers of a file, but for its own."""
    own = f"{space.name.replace('.', '/')}/{space.file}.h"
    found = {"utility"} if space.types else set()
    if space.enums:
        found |= {"cstdint", "tschema/enum.h"}
    for type_ in space.types:
        found |= {"tvm/ffi/memory.h", "tvm/ffi/object.h"}
        if type_.parent != ROOT_KEY:
            home = schema.home(type_.parent)
            found.add(f"{home.name.replace('.', '/')}/{home.file}.h")
        if _TypeViews(type_, schema).calls_post_init():
            found.add("tschema/post_init.h")
    for type_ref in _type_refs(space, schema):
        found.update(names.cpp_includes(type_ref, schema))
    return tuple(sorted(found - {own}))


def _type_refs(space: Namespace, schema: Schema) -> Iterable[TypeRef]:
    for type_ in space.types:
        yield from (field.type for field in schema.fields(type_))
        for method in type_.methods:
            yield from (method.returns, *(param.type for param in method.params))
    for function in space.functions:
        yield from (function.returns, *(param.type for param in function.params))


def _enum_view(enum: Enum) -> EnumView:
    return EnumView(
        name=enum.name,
        qualified=enum.key.replace(".", "::"),
        doc=names.doxygen(enum.doc),
        members=tuple(
            MemberView(
                doc=names.doxygen(member.doc),
                declaration=f"{names.enum_constant(member.name)} = {member.value}",
            )
            for member in enum.members
        ),
        contains=names.members_test(enum),
    )


def _declaration(field: Field | Parameter, namespace: str) -> str:
    return f"{names.cpp_type(field.type, namespace)} {field.name}"


def _forwarded(field: Field | Parameter) -> str:
    return field.name if names.is_plain(field.type) else f"std::move({field.name})"


def _signature(params: Iterable[Field | Parameter], namespace: str, schema: Schema) -> str:
    """Return parameters with the defaults that C++ can have: the last ones."""
    texts: list[str] = []
    may_have_default = True
    for param in reversed(tuple(params)):
        may_have_default = may_have_default and param.default is not None
        text = _declaration(param, namespace)
        if may_have_default and param.default is not None:
            default = names.cpp_default(param.default, param.type, namespace, schema)
            text += f" = {default}"
        texts.append(text)
    return ", ".join(reversed(texts))


def _default_thunk(
    default: Default | None, type_ref: TypeRef, namespace: str, schema: Schema, factory: str
) -> str:
    """Return the cell of a row that makes a default; `factory` is the suffix for containers."""
    if default is None:
        return ""
    if default.factory is not None:
        container = names.made_container(default.factory, type_ref).kind
        return f"&tschema::{container}Factory" if factory else f"&tschema::Empty{container}"
    if default.value is None:
        return "&tschema::None"
    value = names.cpp_default(default, type_ref, namespace, schema)
    if isinstance(default.value, int) and not isinstance(default.value, bool):
        value = f"int64_t{{{value}}}"
    return f"[]() -> ffi::Any {{ return {value}; }}"


def _row(*cells: str) -> RowView:
    return RowView(", ".join(cell for cell in cells if cell))


def _parameter_row(param: Field | Parameter, namespace: str, schema: Schema) -> RowView:
    return _row(
        names.string_literal(param.name),
        names.type_text(param.type),
        _default_thunk(param.default, param.type, namespace, schema, factory=""),
    )


def _function_doc(function: Function | Method) -> str:
    commands = [
        f"\\param {param.name} {param.doc}".replace("\n", " ")
        for param in function.params
        if param.doc
    ]
    if function.returns_doc:
        commands.append(f"\\return {function.returns_doc}".replace("\n", " "))
    return names.doxygen(function.doc, *commands)


def _function_view(function: Function, schema: Schema) -> FunctionView:
    namespace = function.key.rpartition(".")[0]
    returns = names.cpp_type(function.returns, namespace)
    return FunctionView(
        doc=_function_doc(function),
        declaration=f"{returns} {function.name}({_signature(function.params, namespace, schema)})",
        variable=f"k{names.camel_case(function.name)}Parameters",
        name=names.string_literal(function.key),
        call=f"&tschema::Invoke<&{function.name}>",
        parameters=tuple(_parameter_row(param, namespace, schema) for param in function.params),
        result=names.type_text(function.returns),
        brief=names.string_literal(function.doc),
    )


class _TypeViews:
    """Builds the views of one type."""

    def __init__(self, type_: Type, schema: Schema) -> None:
        self.type = type_
        self.schema = schema
        self.namespace = type_.namespace
        self.is_root = type_.parent == ROOT_KEY
        self.arguments = schema.arguments(type_)

    def view(self) -> TypeView:
        return TypeView(
            forward=self._forward(),
            node=self._node(),
            ref=self._reference(),
            fields=tuple(map(self._field_row, self.type.fields)),
            constructor=None if self.type.options.abstract else self._constructor(),
            assertions=self._assertions(),
            row=self._row(),
        )

    def _parent(self, of_reference: bool) -> str:
        if self.is_root:
            return "ffi::ObjectRef" if of_reference else "ffi::Object"
        parent = self.schema.type(self.type.parent)
        name = parent.ref if of_reference else parent.name
        return names.qualify(f"{parent.namespace}.{name}", self.namespace)

    def _forward(self) -> tuple[str, ...]:
        """Return the references that methods mention before they are complete."""
        mentioned = {
            nested.key
            for method in self.type.methods
            for type_ref in (method.returns, *(param.type for param in method.params))
            for nested in type_ref.walk()
        }
        order = [type_.key for type_ in self.schema.home(self.type.key).types]
        later = order[order.index(self.type.key) :]
        return tuple(key.rpartition(".")[2] for key in later if key in mentioned)

    # -- The data class ---------------------------------------------------------------------

    def _node(self) -> NodeView:
        options = self.type.options
        final = "_FINAL" if options.final else ""
        parent = self._parent(of_reference=False)
        return NodeView(
            name=self.type.name,
            parent=parent,
            key=self.type.key,
            doc=names.doxygen(self.type.doc, *(f"\\sa {name}" for name in self.type.see_also)),
            members=tuple(map(self._member, self.type.fields)),
            constructor=self._node_constructor(),
            unsafe_constructor=self._unsafe_constructor(),
            abstract=options.abstract,
            declares_post_init=options.post_init,
            methods=tuple(map(self._method, self.type.methods)),
            constants=self._constants(),
            info_macro=f"TVM_FFI_DECLARE_OBJECT_INFO{final}"
            f"({names.string_literal(self.type.key)}, {self.type.name}, {parent})",
        )

    def _member(self, field: Field) -> MemberView:
        is_first = field is self.type.fields[0]
        align = "alignas(8) " if is_first and self.type.layout.padded and field.align < 8 else ""
        initializer = ""
        if not field.init and field.default is not None and field.default.value is not None:
            default = names.cpp_default(field.default, field.type, self.namespace, self.schema)
            initializer = f" = {default}"
        elif not field.init and names.is_plain(field.type):
            initializer = "{}"
        return MemberView(
            doc=names.doxygen(field.doc),
            declaration=f"{align}{_declaration(field, self.namespace)}{initializer}",
        )

    def _node_constructor(self) -> str:
        params = ", ".join(_declaration(field, self.namespace) for field in self.arguments)
        initializers = [*self._base_initializer(), *self._member_initializers()]
        explicit = "explicit " if len(self.arguments) == 1 else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        body = " tschema::PostInit(this); " if self.calls_post_init() else ""
        return f"{explicit}{self.type.name}({params}){initializer} {{{body}}}"

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

    def _base_initializer(self) -> list[str]:
        if self.is_root:
            return []
        parent = self.schema.type(self.type.parent)
        taken = {field.name for field in self.arguments}
        fields = {field.name: field for field in self.schema.fields(self.type)}
        args = [
            _forwarded(fields[name]) if name in taken else self._filler(fields[name])
            for name in parent.init
        ]
        return [f"{self._parent(of_reference=False)}({', '.join(args)})"]

    def _filler(self, field: Field) -> str:
        """Return the value of a field that the constructor does not take."""
        if field.default is not None:
            return names.cpp_default(field.default, field.type, self.namespace, self.schema)
        spelled = names.cpp_type(field.type, self.namespace)
        if names.has_unsafe_init(field.type):
            return f"{spelled}(ffi::UnsafeInit{{}})"
        return f"{spelled}{{}}"

    def _member_initializers(self) -> list[str]:
        taken = {field.name for field in self.arguments}
        initializers = []
        for field in self.type.fields:
            if field.name in taken:
                initializers.append(f"{field.name}({_forwarded(field)})")
            elif names.has_unsafe_init(field.type) and field.default is None:
                initializers.append(f"{field.name}(ffi::UnsafeInit{{}})")
        return initializers

    def _unsafe_constructor(self) -> str:
        initializers = [] if self.is_root else [f"{self._parent(of_reference=False)}(tag)"]
        for field in self.type.fields:
            if names.has_unsafe_init(field.type):
                initializers.append(f"{field.name}(tag)")
            elif field.type.kind == "Union":
                initializers.append(f"{field.name}({self._first_alternative(field.type)})")
        tag = " tag" if any("(tag)" in text for text in initializers) else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        return f"explicit {self.type.name}(ffi::UnsafeInit{tag}){initializer} {{}}"

    def _first_alternative(self, union: TypeRef) -> str:
        first = union.args[0]
        spelled = names.cpp_type(first, self.namespace)
        return f"{spelled}(ffi::UnsafeInit{{}})" if names.has_unsafe_init(first) else f"{spelled}{{}}"

    def _constants(self) -> tuple[str, ...]:
        options = self.type.options
        constants = []
        inherited = None if self.is_root else self.schema.type(self.type.parent).options.structural
        if options.structural != inherited:
            kind = f"kTVMFFISEqHashKind{_KINDS[options.structural]}"
            constants.append(f"TVMFFISEqHashKind _type_s_eq_hash_kind = {kind}")
        if options.mutable:
            constants.append("bool _type_mutable = true")
        if not options.final:
            constants.append(f"uint32_t _type_child_slots = {self.type.layout.child_slots}")
        return tuple(constants)

    def _method(self, method: Method) -> FunctionView:
        name = names.camel_case(method.name)
        returns = names.cpp_type(method.returns, self.namespace)
        signature = _signature(method.params, self.namespace, self.schema)
        self_ref = TypeRef(kind="node", key=self.type.key)
        parameters = (Parameter(name="self", type=self_ref), *method.params)
        return FunctionView(
            doc=_function_doc(method),
            declaration=f"{returns} {name}({signature}) const",
            variable=f"k{self.type.ref}{name}Parameters",
            name=names.string_literal(method.name),
            call=f"&tschema::Invoke<&{self.type.name}::{name}>",
            parameters=tuple(
                _parameter_row(param, self.namespace, self.schema) for param in parameters
            ),
            result=names.type_text(method.returns),
            brief=names.string_literal(method.doc),
        )

    # -- The reference class ----------------------------------------------------------------

    def _reference(self) -> ReferenceView:
        required = [field for field in self.arguments if field.default is None]
        may_take_one = len(self.arguments) >= 1 and len(required) <= 1
        explicit = "explicit " if may_take_one else ""
        signature = _signature(self.arguments, self.namespace, self.schema)
        return ReferenceView(
            name=self.type.ref,
            parent=self._parent(of_reference=True),
            node=self.type.name,
            doc=names.doxygen(
                f"Managed reference to {self.type.name}.", f"\\sa {self.type.name}"
            ),
            constructor=""
            if self.type.options.abstract
            else f"{explicit}{self.type.ref}({signature})",
            arguments=", ".join(map(_forwarded, self.arguments)),
        )

    # -- The tables -------------------------------------------------------------------------

    def _field_row(self, field: Field) -> RowView:
        spelled = names.cpp_type(field.type, self.namespace)
        return _row(
            names.string_literal(field.name),
            f"offsetof({self.type.name}, {field.name})",
            f"&tschema::kAccess<{spelled}>",
            self._flags(field),
            names.type_text(field.type),
            names.string_literal(field.doc),
            _default_thunk(field.default, field.type, self.namespace, self.schema, "Factory"),
        )

    def _flags(self, field: Field) -> str:
        flags = list(_FLAGS[field.structural])
        flags += ["Writable"] if self.type.options.mutable else []
        flags += [] if field.repr else ["ReprOff"]
        flags += [] if field.init else ["InitOff"]
        flags += ["KwOnly"] if field.kw_only else []
        flags += ["HasDefault"] if field.default is not None else []
        if field.default is not None and field.default.factory is not None:
            flags.append("DefaultFromFactory")
        return " | ".join(f"tschema::k{flag}" for flag in flags) or "0"

    def _constructor(self) -> FunctionView:
        types = [names.cpp_type(field.type, self.namespace) for field in self.arguments]
        return FunctionView(
            doc="",
            declaration="",
            variable=f"k{self.type.ref}Arguments",
            name=names.string_literal(self.type.key),
            call=f"&tschema::New<{', '.join([self.type.name, *types])}>",
            parameters=tuple(
                _parameter_row(field, self.namespace, self.schema) for field in self.arguments
            ),
            result=names.string_literal(self.type.key),
            brief="",
        )

    def _assertions(self) -> tuple[str, ...]:
        name = self.type.name
        return (
            f"sizeof({name}) == {self.type.layout.size}",
            *(f"offsetof({name}, {field.name}) == {field.offset}" for field in self.type.fields),
        )

    def _row(self) -> str:
        ref = self.type.ref
        cells = [
            names.string_literal(self.type.layout.digest),
            names.string_literal(self.type.doc),
            f"k{ref}Fields" if self.type.fields else "{}",
        ]
        if not self.type.options.abstract:
            cells.append(f"k{ref}Constructor")
        if self.type.methods:
            cells.append(f"k{ref}Methods")
        kind = "Abstract" if self.type.options.abstract else "Concrete"
        return f"tschema::{kind}<{self.type.name}>({', '.join(cells)})"
