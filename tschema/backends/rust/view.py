"""The views of the Rust templates: ready-made strings, one view for each declaration.

In: the JSON IR.  Out: views.  Knows nothing of templates or files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.backends.base import View, block_name, reference_block
from tschema.backends.rust import docs, layout
from tschema.backends.rust.names import (
    Scope,
    builder_name,
    declared_names,
    identifier,
    named_identifier,
)
from tschema.backends.rust.operators import operator_view
from tschema.emit.english import article
from tschema.ir.casing import snake_case
from tschema.ir.keywords import MEMBERS, SCOPE_NAMES, escaped
from tschema.ir.kinds import HEADER_SIZE, INTEGER_RANGES, TABLE_POINTER
from tschema.ir.model import (
    ROOT_KEY,
    Enum,
    Field,
    Function,
    Method,
    Namespace,
    Parameter,
    Type,
    TypeRef,
)

_OBJECT_REF = "ffi::object::ObjectRef"
_SETTER_ERROR = "Returns the error of the owner, which checks the value."
_GETTER_ERROR = "Returns an error if the owner registers no such field, or one of another type."
_CHECKED = frozenset(INTEGER_RANGES) - {"int64"}
"""Integers that a value of the ABI need not fit into."""
_MANY_ARGUMENTS = 7
"""Arguments that clippy lets a function have."""
_TRAIT_METHODS = frozenset({"as_ref", "borrow", "clone", "cmp", "deref", "eq", "hash", "index"})
"""Methods with `&self` that clippy wants to be a trait's."""


def file_view(space: Namespace, scope: Scope) -> View:
    """Return the view of a schema file, given the scope in which its types have been viewed."""
    calls = callable_views(space, scope)
    own = {name: path for name, path in scope.used.items() if path.startswith(("super", "crate"))}
    foreign = {name: path for name, path in scope.used.items() if name not in own}
    crates = layout.use_lines(foreign)
    if space.types or any(calls.values()):
        crates = tuple(sorted((*crates, "use tvm_ffi as ffi;")))
    return View(
        source=space.source,
        doc=docs.markdown(space.doc) or f"Part of `{space.name}`.",
        crates=crates,
        uses=layout.use_lines(own),
        enums=[enum_view(enum) for enum in space.enums],
        **calls,
    )


def callable_views(space: Namespace, scope: Scope) -> dict[str, list[View]]:
    """Return the views of the functions of a schema file: the plain ones, and the operators."""
    names = {operator.name for operator in space.operators}
    plain = [one for one in space.functions if one.name not in names]
    operators = [one for one in space.functions if one.name in names]
    return {
        "functions": [function_view(one, scope) for one in plain],
        "operators": [operator_view(one, space, scope) for one in operators],
    }


def enum_view(enum: Enum) -> View:
    """Return the view of an enum."""
    members = [
        View(name=member.name, value=member.value, doc=docs.markdown(member.doc))
        for member in enum.members
    ]
    names = [member.name for member in members]
    return View(
        name=enum.name,
        block=block_name(enum.key),
        doc=docs.markdown(enum.doc) or f"The enum `{enum.key}`.",
        members=members,
        implementation=layout.listed(f"tschema::impl_enum!({enum.name}: ", names, ");", 0),
    )


def node_view(type_: Type, scope: Scope) -> View:
    """Return the view of a data struct."""
    base = _base_name(scope.schema.fields(type_))
    # The fields come first: they are the first to import names.
    fields = _fields(type_, scope)
    offsets = [f"{identifier(field)}: {field.offset}" for field in type_.fields]
    sizes = [f"{type_.name}: {_size(type_)}", *offsets]
    return View(
        name=type_.name,
        key=type_.key,
        doc=docs.markdown(type_.doc) or f"The data of {article(type_.key)} `{type_.key}`.",
        # Another library may have classes below its own that are not declared.
        is_final=type_.options.final and type_.options.extern is None,
        base=base,
        base_type=scope.data(type_.parent),
        is_root=type_.parent == ROOT_KEY,
        fields=fields,
        rest=_rest(type_),
        layout=layout.listed("tschema::assert_layout!(", sizes, ");", 0),
        methods=(
            *_setters(type_, scope),
            *(_accessor(field, scope) for field in type_.accessors),
            *(_method(one, type_, scope) for one in type_.methods),
        ),
    )


def _size(type_: Type) -> int:
    """Return the bytes from the header on, which a handle points to."""
    if type_.is_opaque:
        return HEADER_SIZE
    return type_.layout.size - (TABLE_POINTER if type_.options.polymorphic else 0)


def _rest(type_: Type) -> str:
    """Return the rest of another library's class behind its declared fields."""
    if type_.options.extern is None:
        return ""
    end = max((field.offset + field.size for field in type_.members), default=type_.layout.offset)
    n_words = _size(type_) // 8 - -(-end // 8)
    return f"_rest: [u64; {n_words}]" if n_words else ""


def _fields(type_: Type, scope: Scope) -> list[View]:
    """Return the fields in memory order, with the bytes of the members that only C++ has."""
    views, end = [], type_.layout.offset
    hidden = set(type_.unregistered)
    for member in type_.members:
        after = member.offset + member.size
        if member in hidden:
            # Its alignment is that of bytes, so that the gap before it is a part of it.
            declaration = f"_{member.name}: tschema::Opaque<{after - end}>"
            doc = f"Bytes of `{member.cpp_name or member.name}`, which only C++ reads."
            views.append(View(declaration=declaration, doc=doc))
        else:
            spelled = scope.field(member.type)
            if type_.options.mutable or member.mutable:
                spelled = f"tschema::Mutable<{spelled}>"
            declaration = f"pub {identifier(member)}: {spelled}"
            views.append(View(declaration=declaration, doc=docs.markdown(member.doc)))
        end = after
    return views


def _setters(type_: Type, scope: Scope) -> Iterator[View]:
    """Yield what writes the own fields of a mutable type, where no declared method does."""
    declared = {snake_case(method.name) for method in type_.methods}
    for field in type_.fields if type_.options.mutable else ():
        if f"set_{field.name}" in declared:
            continue
        value = scope.argument(field.type, identifier(field))
        yield View(
            doc=f"Write the field `{field.name}`.\n\n# Errors\n\n{_SETTER_ERROR}",
            head=_head(
                f"set_{field.name}",
                ["&self", f"{identifier(field)}: {scope.parameter(field.type)}"],
                "ffi::Result<()>",
                4,
            ),
            body=layout.call("tschema::set_field", ["self", f'"{field.name}"', value], 8),
        )


def _accessor(field: Field, scope: Scope) -> View:
    """Return what reads a field of an opaque type."""
    returns = scope.value(field.type)
    name = escaped(field.name, "Rust", MEMBERS)
    doc = docs.markdown(field.doc) or f"Read the field `{field.name}`."
    return View(
        doc=f"{doc}\n\n# Errors\n\n{_GETTER_ERROR}",
        head=_head(name, ["&self"], f"ffi::Result<{returns}>", 4, *_method_lints(name)),
        body=layout.call(_getter(field.type, returns), ["self", f'"{field.name}"'], 8),
    )


def _getter(type_ref: TypeRef, returns: str) -> str:
    """Return the function that reads a field of a type, spelled `returns`."""
    if returns == "ffi::Any":
        return "tschema::get_field_any"
    if type_ref.kind == "Optional" and type_ref.args[0].kind in _CHECKED:
        return "tschema::get_optional_integer"
    return "tschema::get_integer" if type_ref.kind in _CHECKED else "tschema::get_field"


def _base_name(fields: Sequence[Field]) -> str:
    """Return the name of the field that holds the parent's part: one that no field has."""
    taken = {field.name for field in fields}
    return next(name for name in ("base", "parent", "base_", "parent_") if name not in taken)


def reference_view(type_: Type, scope: Scope) -> View:
    """Return the view of a reference."""
    ancestors = [scope.reference(ancestor.key) for ancestor in scope.schema.ancestry(type_)[:-1]]
    parent, *further = [*reversed(ancestors), _OBJECT_REF]
    note = " Abstract: build one of its kinds." if type_.options.abstract else ""
    head = f"tschema::impl_object_ref!({type_.ref}{': ' if further else ''}"
    return View(
        name=type_.ref,
        block=reference_block(type_),
        doc=f"Managed reference to [`{type_.name}`].{note}",
        parent=parent,
        node=type_.name,
        implementation=layout.listed(head, further, ");", 0).replace(",\n);", "\n);"),
        constructors=_constructors(type_, scope),
        builder=_builder_view(type_, scope),
    )


def _constructors(type_: Type, scope: Scope) -> tuple[View, ...]:
    if not type_.is_constructed:
        return ()
    if not _defaulted(type_, scope):
        return (_new(type_, scope),)
    return _new(type_, scope), _start_building(type_, scope)


def _new(type_: Type, scope: Scope) -> View:
    arguments = scope.schema.arguments(type_)
    refusal = _refusal(type_, scope)
    allows = [] if arguments or refusal else ["clippy::new_without_default"]
    result = "ffi::Result<Self>" if refusal else "Self"
    macro = "tschema::call!" if refusal else "tschema::construct!"
    return View(
        doc=docs.constructor(type_, refusal),
        head=_head("new", _params(arguments, scope), result, 4, *allows),
        body=layout.call(macro, [f'"{type_.key}"', *_arguments(arguments, scope)], 8),
    )


def _start_building(type_: Type, scope: Scope) -> View:
    required = [field for field in scope.schema.arguments(type_) if field.default is None]
    builder = _builder(type_, scope)
    values = [_named_argument(field, scope) for field in required]
    started = layout.listed("tschema::arguments! { ", values, " }", 8 + len(builder) + 2)
    return View(
        doc="Start with the arguments that have no default.",
        head=_head("builder", _params(required, scope), builder, 4),
        body=f"{builder}({started if required else 'tschema::Arguments::new()'})",
    )


def _builder_view(type_: Type, scope: Scope) -> View | None:
    defaulted = _defaulted(type_, scope) if type_.is_constructed else ()
    if not defaulted:
        return None
    result = f"Result<{type_.ref}>" if _refusal(type_, scope) else type_.ref
    what = f"{article(type_.ref)} [`{type_.ref}`]"
    return View(
        head=f'pub {_builder(type_, scope)} -> {result}: "{type_.key}"',
        doc=f"Constructs {what}; unset fields take their defaults.",
        setters=tuple(_setter_view(field, scope) for field in defaulted),
    )


def _setter_view(field: Field, scope: Scope) -> View:
    """Return a setter; one of an optional field whose default is None takes the value itself."""
    is_filled = field.default is not None and field.default.literal is None
    type_ref = field.type.args[0] if field.type.kind == "Optional" and is_filled else field.type
    setter = "build_" if field.name == "build" else identifier(field)
    spelled = setter if setter == field.name else f'{setter} as "{field.name}"'
    value = scope.argument(type_ref, setter)
    return View(
        declaration=f"{spelled}: {scope.parameter(type_ref)} => {value},",
        doc=docs.markdown(field.doc),
    )


def _builder(type_: Type, scope: Scope) -> str:
    spaces = (space for space in scope.schema.namespaces if space.name == type_.namespace)
    return builder_name(type_, {name for space in spaces for name in declared_names(space)})


def _defaulted(type_: Type, scope: Scope) -> tuple[Field, ...]:
    return tuple(field for field in scope.schema.arguments(type_) if field.default is not None)


_REFUSALS = {
    "post_init": "Returns the error of the type's `PostInit`, which checks the arguments.",
    "enum": "Returns a `ValueError` if a value is not a member of its enum.",
    "uint64": "Returns an error if an integer is above `i64::MAX`.",
    None: "",
}


def _refusal(type_: Type, scope: Scope) -> str:
    """Say what makes the constructor refuse its arguments; empty if nothing can."""
    return _REFUSALS[scope.schema.refusal(type_)]


def _method(method: Method, type_: Type, scope: Scope) -> View:
    name = escaped(snake_case(method.name), "Rust", MEMBERS)
    returns = scope.value(method.returns)
    if method.static:
        args = [f'"{type_.key}.{method.name}"', *_arguments(method.params, scope)]
        head = _head(name, _params(method.params, scope), f"ffi::Result<{returns}>", 4)
        return _calling(method, head, "call_static_method", returns, args, 8)
    args = ["self", f'"{type_.key}.{method.name}"', *_arguments(method.params, scope)]
    params = ["&self", *_params(method.params, scope)]
    head = _head(name, params, f"ffi::Result<{returns}>", 4, *_method_lints(name))
    return _calling(method, head, "call_method", returns, args, 8)


def _method_lints(name: str) -> Iterator[str]:
    """Yield what clippy says of methods of this name."""
    if name in _TRAIT_METHODS:
        yield "clippy::should_implement_trait"
    if name == "len":
        yield "clippy::len_without_is_empty"


def function_view(function: Function, scope: Scope) -> View:
    """Return the view of a free function."""
    returns, params = scope.value(function.returns), _params(function.params, scope)
    args = [f'"{function.key}"', *_arguments(function.params, scope)]
    name = escaped(snake_case(function.name), "Rust", SCOPE_NAMES)
    head = _head(name, params, f"ffi::Result<{returns}>", 0)
    return _calling(function, head, "call", returns, args, 4)


def _calling(
    function: Function | Method, head: str, macro: str, returns: str, args: list[str], indent: int
) -> View:
    """Return the view of a function whose body is the call of a macro."""
    macro = f"tschema::{macro}_any!" if returns == "ffi::Any" else f"tschema::{macro}!"
    return View(doc=docs.callable(function), head=head, body=layout.call(macro, args, indent))


def _head(name: str, params: Sequence[str], returns: str, indent: int, *allows: str) -> str:
    """Return a signature below the attributes that let it be what clippy warns of."""
    many = ["clippy::too_many_arguments"] if len(params) > _MANY_ARGUMENTS else []
    attributes = "".join(f"#[allow({lint})]\n" for lint in [*allows, *many])
    return attributes + layout.signature(f"pub fn {name}", params, returns, indent)


def _params(params: Sequence[Field | Parameter], scope: Scope) -> list[str]:
    return [f"{identifier(param)}: {scope.parameter(param.type)}" for param in params]


def _arguments(params: Sequence[Field | Parameter], scope: Scope) -> list[str]:
    return [scope.argument(param.type, identifier(param)) for param in params]


def _named_argument(field: Field, scope: Scope) -> str:
    """Return an argument as `tschema::arguments!` takes it."""
    value = scope.argument(field.type, identifier(field))
    return field.name if value == field.name else f"{named_identifier(field)}: {value}"
