"""The views of a declared type: its two classes, and its rows in the registration tables.

In: a type of the JSON IR and the schema around it.  Out: a view, of which `node` is the data
class and `ref` the reference class.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from tschema.backends.base import View
from tschema.backends.cpp import deep_construction, default_construction, names
from tschema.backends.cpp.access import base_facts, friends, has_foreign, member_facts, offset_of
from tschema.backends.cpp.constructors import Constructors
from tschema.backends.cpp.opaque import accessor_class_view
from tschema.backends.cpp.references import reference_view
from tschema.backends.cpp.rows import (
    callable_view,
    declaration,
    default_thunk,
    function_doc,
    method_call,
    method_head,
    row,
    signature,
)
from tschema.backends.cpp.scope import Scope
from tschema.backends.cpp.structural import custom_methods, structural_methods
from tschema.ir.kinds import TABLE_POINTER
from tschema.ir.model import (
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
        scope
            That of the classes, their own namespace by default; the tables are in that of the
            schema file.
        """
        self.type = type_
        self.schema = schema
        self.scope = scope or Scope.of_class(type_, schema)
        self.table_scope = Scope.of_file(schema.home(type_.key), schema)
        self.table_name = self.table_scope.data(type_.key)
        self.construction = Constructors(type_, schema, self.scope)
        self.arguments = self.construction.arguments

    def view(self) -> View:
        """Return all of them."""
        if self.type.has_accessor_class:
            return View(node=accessor_class_view(self.type, self.scope), ref=self._reference())
        return View(
            forward=self._forward(),
            node=self._node(),
            ref=self._reference(),
            fields=[self._field_row(one) for one in self.type.fields if self.type.is_registered],
            methods_variable=f"k{self.type.ref}Methods",
            constructor=self._constructor() if self.type.is_constructed else None,
            setter=deep_construction.setter(self.type, self.schema, self.table_scope),
            assertions=self._assertions(),
            row=self._row() if self.type.is_registered else "",
        )

    def _parent_reference(self) -> str:
        ancestors = reversed(self.schema.ancestry(self.type)[:-1])
        nearest = next((one for one in ancestors if one.options.ref is not None), None)
        if nearest is None:
            return "ffi::ObjectRef"
        return self.scope.name(nearest.key)

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
            base=self.construction.base,
            key=self.type.key,
            doc=names.doxygen(self.type.doc, *(f"\\sa {name}" for name in self.type.see_also)),
            access=self.type.members[0].access if self.type.members else "public",
            members=self._members(),
            constructor=self.construction.constructor(),
            unsafe_constructor=self.construction.unsafe_constructor(),
            abstract=options.abstract,
            destructor=self.construction.destructor(),
            structural=structural_methods(self.type, self.schema, parent),
            friends=friends(self.type, self.schema),
            declares_post_init=options.post_init,
            methods=[self._method(method) for method in self.type.methods],
            constants=self._constants(),
            info_macro=f"TVM_FFI_DECLARE_OBJECT_INFO{final}"
            f"({names.string_literal(self.type.key)}, {self.type.name}, {parent})",
        )

    def _members(self) -> list[View]:
        """Return the members, in memory order, with the labels of access between them."""
        members: list[View] = []
        access = self.type.members[0].access if self.type.members else "public"
        for field in self.type.members:
            label = "" if field.access == access else field.access
            members.append(self._member(field, label))
            access = field.access
        if access != "public":
            members.append(View(label="public", doc="", declaration=""))
        return members

    def _member(self, field: Field, label: str) -> View:
        is_first = field is self.type.members[0]
        align = "alignas(8) " if is_first and self.type.layout.padded and field.align < 8 else ""
        mutable = "mutable " if field.mutable else ""
        spelled = declaration(field, self.scope, names.member(field))
        return View(
            label=label,
            doc=names.doxygen(field.doc),
            declaration=f"{align}{mutable}{spelled}{self._initializer(field)}",
        )

    def _initializer(self, field: Field) -> str:
        """Return what follows the name of a member in its declaration."""
        default_constructible = self.type.options.default_constructible
        is_nullable = self.schema.is_nullable(field.type)
        if field in self.type.unregistered and field.default is None and field.cpp_init is None:
            if default_constructible and names.has_unsafe_init(field.type) and not is_nullable:
                return "{ffi::UnsafeInit{}}"
            return "{}" if names.is_plain(field.type) or field.type.kind == "foreign" else ""
        # Constructors that its author wrote, in place, know no field that a declaration gains.
        is_in_place = not self.scope.namespace
        has_others = (self.type.is_by_hand or is_in_place) and field.default is not None
        if default_constructible or has_others or field.cpp_init is not None:
            return default_construction.initializer(field, self.scope, is_nullable=is_nullable)
        if not field.init and field.default is not None and field.default.literal is not None:
            return f" = {self._default(field.default, field.type)}"
        return "{}" if not field.init and names.is_plain(field.type) else ""

    def _constants(self) -> tuple[str, ...]:
        options = self.type.options
        constants = []
        parent, own_parent = self.construction.parent, self.construction.own_parent
        inherited = own_parent.options.structural if own_parent else None
        # A parent of another library may state a kind of its own.
        if options.structural != inherited or own_parent is not parent:
            kind = f"kTVMFFISEqHashKind{_KINDS[options.structural]}"
            constants.append(f"TVMFFISEqHashKind _type_s_eq_hash_kind = {kind}")
        if options.mutable:
            constants.append("bool _type_mutable = true")
        if not options.final:
            constants.append(f"uint32_t _type_child_slots = {self.type.layout.child_slots}")
        return tuple(constants)

    def _method(self, method: Method) -> View:
        name = names.method_name(method)
        self_ref = TypeRef(kind="node", key=self.type.key)
        receiver = () if method.static else (Parameter(name="self", type=self_ref),)
        static = "static " if method.static else ""
        arguments = signature(method.params, self.scope)
        head = method_head(method, self.scope, name, arguments)
        return callable_view(
            f"k{self.type.ref}{name}Parameters",
            (*receiver, *(self._seen_parameter(param) for param in method.params)),
            self.table_scope,
            names.string_literal(method.name),
            method_call(method, f"&{self.table_name}::{name}"),
            names.type_text(self.schema.seen_type(method.returns)),
            names.string_literal(method.doc),
            *(["true"] if method.static else []),
            doc=function_doc(method),
            declaration="" if method.cpp else f"{static}{head}",
        )

    def _seen_parameter(self, param: Parameter) -> Parameter:
        seen = self.schema.seen_type(param.type)
        return param if seen is param.type else replace(param, type=seen)

    # -- The reference class ----------------------------------------------------------------

    def _reference(self) -> View:
        lineage = self.schema.ancestry(self.type)
        return reference_view(
            self.type,
            self._parent_reference(),
            self.scope,
            tuple(map(self._with_spelled_default, self.arguments)),
            calls_post_init=any(one.options.post_init for one in lineage),
        )

    def _with_spelled_default(self, field: Field) -> Field:
        """Return a field with the text of a default that its own text does not have."""
        if field.cpp_init is not None:
            return field
        if field.may_be_null and self.schema.is_nullable(field.type):
            return replace(field, cpp_init=f"{names.cpp_type(field.type, self.scope)}()")
        if field.default is not None and field.default.initializer:
            for owner in self.schema.ancestry(self.type):
                if owner.options.extern is not None and field.name in {
                    one.name for one in owner.fields
                }:
                    made = f"{self.scope.data(owner.key)}().{names.member(field)}"
                    return replace(field, cpp_init=made)
        return field

    # -- The tables -------------------------------------------------------------------------

    def _field_row(self, field: Field) -> str:
        options = self.type.options
        is_initialized = field.default is not None and field.default.initializer
        if is_initialized and options.abstract and options.polymorphic:
            # No object may exist that shows the value; the constructors of subclasses know it.
            field = replace(field, default=None)
        # A member that is null until it is filled in is read and written as an optional one.
        is_filled_later = field.may_be_null and not self.schema.is_nullable(field.type)
        accessed = TypeRef(kind="Optional", args=(field.type,)) if is_filled_later else field.type
        offset = offset_of(field, self.table_name)
        before = " - tschema::kTablePointer" if self.type.options.polymorphic else ""
        thunk = default_thunk(field.default, field.type, self.table_scope, "Factory")
        if field.default is not None and field.default.initializer:
            thunk = default_construction.thunk(self.table_name, field, "Factory")
        return row(
            names.string_literal(field.name),
            f"{offset}{before}",
            f"&tschema::kAccess<{names.cpp_type(accessed, self.table_scope)}>",
            self._flags(field),
            names.type_text(self.schema.seen_field(field).type),
            names.string_literal(field.doc),
            thunk,
        )

    def _flags(self, field: Field) -> str:
        flags = list(_FLAGS[field.structural])
        flags += ["Writable"] if self.type.options.mutable else []
        flags += [] if field.repr else ["ReprOff"]
        flags += [] if field.init else ["InitOff"]
        flags += ["KwOnly"] if field.kw_only else []
        flags += ["HasDefault"] if field.default is not None else []
        if field.default is not None and (field.default.factory or field.default.initializer):
            flags.append("DefaultFromFactory")
        return " | ".join(f"tschema::k{flag}" for flag in flags) or "0"

    def _constructor(self) -> View:
        types = [names.cpp_type(field.type, self.table_scope) for field in self.arguments]
        key = names.string_literal(self.type.key)
        call = f"&tschema::New<{', '.join([self.table_name, *types])}>"
        variable = f"k{self.type.ref}Arguments"
        if deep_construction.sets_members(self.type, self.schema):
            call = deep_construction.call(self.type, self.table_scope)
        thunks: dict[str, str] = {}
        if self.type.options.default_constructible:
            call = default_construction.call(self.table_name, self.arguments, self.schema)
            thunks = {
                field.name: default_construction.thunk(self.table_name, field)
                for field in self.arguments
                if field.default is not None and field.default.initializer
            }
        arguments = tuple(map(self.schema.seen_field, self.arguments))
        return callable_view(variable, arguments, self.table_scope, key, call, key, thunks=thunks)

    def _assertions(self) -> tuple[str, ...]:
        if self.type.is_opaque:
            return ()  # Its header may not be known, and nothing of it is.
        name = self.table_name
        before = TABLE_POINTER if self.type.options.polymorphic else 0
        is_polymorphic = [f"std::is_polymorphic_v<{name}>"] if before else []
        base = base_facts(self.type, self.table_scope)
        public = tuple(one for one in self.type.members if one.access == "public")
        return (
            *is_polymorphic,
            *self._reference_assertions(),
            *base,
            f"sizeof({name}) == {self.type.layout.size}",
            *(
                f"{offset_of(field, name)} == {field.offset + before}"
                for field in (public if self.type.is_by_hand else self.type.members)
            ),
            *(
                text
                for field in public
                for text in member_facts(
                    field, name, self.table_scope, is_by_hand=self.type.is_by_hand
                )
            ),
        )

    def _reference_assertions(self) -> Iterator[str]:
        """Yield the conditions on the reference class of another library."""
        options = self.type.options
        if options.extern is not None and options.ref in ("default", "nullable"):
            sign = "" if options.ref == "nullable" else "!"
            yield f"{sign}{self.table_scope.name(self.type.key)}::_type_is_nullable"

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
        flags = "" if self.type.options.abstract else custom_methods(self.type)
        if self.type.options.polymorphic:
            flags = " | ".join(filter(None, [flags, "tschema::kPolymorphic"]))
        arguments += [flags] if flags else []
        kind = "Abstract" if self.type.options.abstract else "Concrete"
        if kind == "Concrete" and has_foreign(self.type, self.schema):
            kind = "ConcreteWithForeign"
        row = f"tschema::{kind}<{', '.join(arguments)}>({', '.join(cells)})"
        if self.type.options.script:
            row = f"tschema::WithScript({row}, {names.string_literal(self.type.options.script)})"
        return row
