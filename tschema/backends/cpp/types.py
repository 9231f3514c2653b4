"""The views of a declared type: its two classes, and its rows in the registration tables.

In: a type of the JSON IR and the schema around it.  Out: a view, of which `node` is the data
class and `ref` the reference class.
"""

from __future__ import annotations

from tschema.backends.base import View, block_name
from tschema.backends.cpp import names
from tschema.backends.cpp.rows import (
    callable_view,
    declaration,
    default_thunk,
    forwarded,
    function_doc,
    row,
    signature,
)
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.structural import custom_methods, released, structural_methods
from tschema.ir.model import (
    ROOT_KEY,
    Default,
    Field,
    Method,
    Parameter,
    Schema,
    Type,
    TypeRef,
    type_refs,
)
from tschema.ir.spelling import cpp_home

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


class TypeViews:
    """Builds the views of one type."""

    def __init__(self, type_: Type, schema: Schema, scope: Scope | None = None) -> None:
        """
        Begin with a type.

        Parameters
        ----------
        type_
            The type.
        schema
            The JSON IR.
        scope
            That of the classes, their own namespace by default; the tables stand in that of the
            schema file.
        """
        self.type = type_
        self.schema = schema
        self.scope = scope or Scope.of_class(type_, schema)
        self.table_scope = Scope.of_file(schema.home(type_.key), schema)
        self.table_name = self.table_scope.data(type_.key)
        self.parent = None if type_.parent == ROOT_KEY else schema.type(type_.parent)
        self.arguments = schema.arguments(type_)
        self.taken = {field.name for field in self.arguments}

    def view(self) -> View:
        """Return all of them."""
        return View(
            forward=self._forward(),
            node=self._node(),
            ref=self._reference(),
            fields=[self._field_row(field) for field in self.type.fields],
            constructor=None if self.type.options.abstract else self._constructor(),
            assertions=self._assertions(),
            row=self._row(),
        )

    def _parent_reference(self) -> str:
        if self.parent is None:
            return "ffi::ObjectRef"
        return self.scope.name(self.parent.key)

    def _default(self, default: Default, type_ref: TypeRef) -> str:
        return names.cpp_default(default, type_ref, self.scope)

    def _forward(self) -> tuple[str, ...]:
        """Return the references that methods mention before they are complete."""
        mentioned = {
            nested.key
            for method in self.type.methods
            for type_ref in type_refs(method)
            for nested in type_ref.walk()
        }
        order = [type_.key for type_ in self.schema.home(self.type.key).types]
        later = [key for key in order[order.index(self.type.key) :] if key in mentioned]
        home = cpp_home(self.type.key, self.schema)
        return tuple(
            self.schema.type(key).ref for key in later if cpp_home(key, self.schema) == home
        )

    # -- The data class ---------------------------------------------------------------------

    def _node(self) -> View:
        options = self.type.options
        final = "_FINAL" if options.final else ""
        parent = self.scope.data(self.type.parent)
        return View(
            name=self.type.name,
            parent=parent,
            key=self.type.key,
            doc=names.doxygen(self.type.doc, *(f"\\sa {name}" for name in self.type.see_also)),
            members=[self._member(field) for field in self.type.fields],
            constructor=self._node_constructor(),
            unsafe_constructor=self._unsafe_constructor(),
            abstract=options.abstract,
            released=", ".join(released(self.type)),
            structural=structural_methods(self.type, self.schema.fields(self.type)),
            declares_post_init=options.post_init,
            methods=[self._method(method) for method in self.type.methods],
            constants=self._constants(),
            info_macro=f"TVM_FFI_DECLARE_OBJECT_INFO{final}"
            f"({names.string_literal(self.type.key)}, {self.type.name}, {parent})",
        )

    def _member(self, field: Field) -> View:
        is_first = field is self.type.fields[0]
        align = "alignas(8) " if is_first and self.type.layout.padded and field.align < 8 else ""
        initializer = ""
        if not field.init and field.default is not None and field.default.literal is not None:
            initializer = f" = {self._default(field.default, field.type)}"
        elif not field.init and names.is_plain(field.type):
            initializer = "{}"
        return View(
            doc=names.doxygen(field.doc),
            declaration=f"{align}{declaration(field, self.scope)}{initializer}",
        )

    def _node_constructor(self) -> str:
        params = ", ".join(declaration(field, self.scope) for field in self.arguments)
        initializers = [*self._base_initializer(), *self._member_initializers()]
        explicit = "explicit " if len(self.arguments) == 1 else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        statements = self._assignments()
        statements += ["tschema::PostInit(this);"] if self.calls_post_init() else []
        body = f" {' '.join(statements)} " if statements else ""
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
        if self.parent is None:
            return []
        fields = {field.name: field for field in self.schema.fields(self.type)}
        args = [
            forwarded(fields[name]) if name in self.taken else self._filler(fields[name])
            for name in self.parent.init
        ]
        return [f"{self.scope.data(self.type.parent)}({', '.join(args)})"]

    def _filler(self, field: Field) -> str:
        """Return the value of a field that the constructor does not take."""
        if field.default is not None:
            return self._default(field.default, field.type)
        return self._empty(field.type)

    def _empty(self, type_ref: TypeRef) -> str:
        spelled = names.cpp_type(type_ref, self.scope)
        unsafe = names.has_unsafe_init(type_ref)
        return f"{spelled}(ffi::UnsafeInit{{}})" if unsafe else f"{spelled}{{}}"

    def _member_initializers(self) -> list[str]:
        initializers = []
        for field in self.type.fields:
            if field.name in self.taken:
                initializers.append(f"{names.identifier(field)}({forwarded(field)})")
            elif names.has_unsafe_init(field.type) and field.default is None:
                initializers.append(f"{names.identifier(field)}(ffi::UnsafeInit{{}})")
        return initializers

    def _assignments(self) -> list[str]:
        """Return statements that set inherited fields which the parent's constructor cannot."""
        if self.parent is None:
            return []
        inherited = {field.name: field for field in self.schema.fields(self.parent)}
        statements = []
        for field in self.schema.fields(self.type):
            if field.name not in inherited or field.name in self.parent.init:
                continue
            if field.name in self.taken:
                statements.append(f"this->{names.identifier(field)} = {forwarded(field)};")
            elif field.default not in (None, inherited[field.name].default):
                value = self._default(field.default, field.type)
                statements.append(f"this->{names.identifier(field)} = {value};")
        return statements

    def _unsafe_constructor(self) -> str:
        initializers = [f"{self.scope.data(self.type.parent)}(tag)"] if self.parent else []
        for field in self.type.fields:
            if names.has_unsafe_init(field.type):
                initializers.append(f"{names.identifier(field)}(tag)")
            elif field.type.kind == "Union":
                empty = self._empty(field.type.args[0])
                initializers.append(f"{names.identifier(field)}({empty})")
        tag = " tag" if any("(tag)" in text for text in initializers) else ""
        initializer = f" : {', '.join(initializers)}" if initializers else ""
        return f"explicit {self.type.name}(ffi::UnsafeInit{tag}){initializer} {{}}"

    def _constants(self) -> tuple[str, ...]:
        options = self.type.options
        constants = []
        inherited = self.parent.options.structural if self.parent else None
        if options.structural != inherited:
            kind = f"kTVMFFISEqHashKind{_KINDS[options.structural]}"
            constants.append(f"TVMFFISEqHashKind _type_s_eq_hash_kind = {kind}")
        if options.mutable:
            constants.append("bool _type_mutable = true")
        if not options.final:
            constants.append(f"uint32_t _type_child_slots = {self.type.layout.child_slots}")
        return tuple(constants)

    def _method(self, method: Method) -> View:
        name = names.method_name(method)
        returns = names.cpp_type(method.returns, self.scope)
        self_ref = TypeRef(kind="node", key=self.type.key)
        return callable_view(
            f"k{self.type.ref}{name}Parameters",
            (Parameter(name="self", type=self_ref), *method.params),
            self.table_scope,
            names.string_literal(method.name),
            f"&tschema::Invoke<&{self.table_name}::{name}>",
            names.type_text(method.returns),
            names.string_literal(method.doc),
            doc=function_doc(method),
            declaration=f"{returns} {name}({signature(method.params, self.scope)}) const",
        )

    # -- The reference class ----------------------------------------------------------------

    def _reference(self) -> View:
        required = [field for field in self.arguments if field.default is None]
        may_take_one = len(self.arguments) >= 1 and len(required) <= 1
        explicit = "explicit " if may_take_one else ""
        arguments = signature(self.arguments, self.scope)
        return View(
            name=self.type.ref,
            block=block_name(self.type.key),
            parent=self._parent_reference(),
            node=self.type.name,
            doc=names.doxygen(f"Managed reference to {self.type.name}.", f"\\sa {self.type.name}"),
            constructor=""
            if self.type.options.abstract
            else f"{explicit}{self.type.ref}({arguments})",
            arguments=", ".join(map(forwarded, self.arguments)),
        )

    # -- The tables -------------------------------------------------------------------------

    def _field_row(self, field: Field) -> str:
        spelled = names.cpp_type(field.type, self.table_scope)
        return row(
            names.string_literal(field.name),
            f"offsetof({self.table_name}, {names.identifier(field)})",
            f"&tschema::kAccess<{spelled}>",
            self._flags(field),
            names.type_text(field.type),
            names.string_literal(field.doc),
            default_thunk(field.default, field.type, self.table_scope, "Factory"),
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

    def _constructor(self) -> View:
        types = [names.cpp_type(field.type, self.table_scope) for field in self.arguments]
        key = names.string_literal(self.type.key)
        call = f"&tschema::New<{', '.join([self.table_name, *types])}>"
        variable = f"k{self.type.ref}Arguments"
        return callable_view(variable, self.arguments, self.table_scope, key, call, key)

    def _assertions(self) -> tuple[str, ...]:
        name = self.table_name
        return (
            f"sizeof({name}) == {self.type.layout.size}",
            *(
                f"offsetof({name}, {names.identifier(field)}) == {field.offset}"
                for field in self.type.fields
            ),
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
        arguments = [self.table_name]
        if not self.type.options.abstract:
            arguments += filter(None, [custom_methods(self.type)])
        kind = "Abstract" if self.type.options.abstract else "Concrete"
        return f"tschema::{kind}<{', '.join(arguments)}>({', '.join(cells)})"
