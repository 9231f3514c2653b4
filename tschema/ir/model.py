"""The JSON IR: the meaning of a schema, fully resolved, as frozen records.

`generated/schema.json` is one `Schema` in canonical bytes (see `codec.py`), and the only
thing that the backends read.  It knows neither syntax nor any target language, and holds
no source positions: two schemas that mean the same have the same bytes.  The records refer to each
other, so that they share one file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

ROOT_KEY = "ffi.Object"
"""Type key of the root of every hierarchy."""

TypeKind = Literal[
    # Plain values.
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "DataType", "Device",
    # Values of 16 bytes.
    "String", "Bytes", "Any",
    # References of tvm-ffi itself.
    "Object", "Function", "Tensor", "Shape", "Module",
    # Constructors of types; their arguments are in `args`.
    "Optional", "Array", "Map", "List", "Dict", "Tuple", "Union",
    # Declared: `key` holds the type key, or the dotted name of the enum.
    "node", "enum",
    # A member of another type of C++, which `key` spells; no other language sees it.
    "foreign",
    # The result type of a method or a function without a result.
    "None",
]  # fmt: skip


class Model(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all models; members that have their default values are left out of the bytes."""


_Model = TypeVar("_Model", bound=Model)


def changed(model: _Model, **members: object) -> _Model:
    """Return a model with other members: itself, if it has them already."""
    if all(getattr(model, name) == member for name, member in members.items()):
        return model
    return replace(model, **members)


class TypeRef(Model, frozen=True, kw_only=True):
    """The type of a field, a parameter or a result."""

    kind: TypeKind
    key: str | None = None
    """Type key of a `node`, dotted name of an `enum`, text of a `foreign` type; else None."""
    args: tuple[TypeRef, ...] = ()
    """Arguments of `Optional` (1), `Array`, `List` (1), `Map`, `Dict` (2), `Tuple`, `Union` (n)."""

    def __str__(self) -> str:
        """Return the reference as text: `Optional[uir.ir.Span]`."""
        name = self.key or self.kind
        return f"{name}[{', '.join(map(str, self.args))}]" if self.args else name

    @property
    def declared_key(self) -> str | None:
        """The key of a type declared in a schema: a node or an enum."""
        return None if self.kind == "foreign" else self.key

    def walk(self) -> Iterator[TypeRef]:
        """Yield this reference and everything nested in it, outside in."""
        yield self
        for arg in self.args:
            yield from arg.walk()


class Default(Model, frozen=True, kw_only=True):
    """A default value: a literal, or a factory of an empty container."""

    value: bool | int | float | str | UnsetType | None = UNSET
    """The literal; a data type as text, an enum as its member's name, bytes as latin-1."""
    factory: Literal["list", "dict"] | None = None
    """Makes a fresh empty container instead."""
    cast: str | None = None
    """The dotted name of the enum's member that an integer is the value of: `toy.Kind.ROUND`."""
    initializer: bool = False
    """Whether it is the value of the member's initializer, which C++ alone knows."""

    @property
    def enum(self) -> str | None:
        """The dotted name of the enum whose member is cast."""
        return self.cast.rpartition(".")[0] if self.cast is not None else None

    @property
    def literal(self) -> bool | int | float | str | None:
        """The literal; None for a factory too."""
        return None if isinstance(self.value, UnsetType) else self.value


class Field(Model, frozen=True, kw_only=True):
    """A field that a type adds to those of its parent."""

    name: str
    type: TypeRef
    doc: str = ""
    default: Default | None = None
    kw_only: bool = False
    init: bool = True
    structural: Literal["ignore", "def", "def_pattern"] | None = None
    repr: bool = True
    cpp_init: str | None = None
    """Text of the member's initializer in C++."""
    access: Literal["public", "protected", "private"] = "public"
    """That of the member in C++."""
    cpp_name: str | None = None
    """The member in C++, where it is not called like the field."""
    cpp_type: str | None = None
    """An alias of the type, which C++ spells instead."""
    mutable: bool = False
    """Whether C++ may write it in constant objects."""
    renamed_from: tuple[str, ...] = ()
    """The names that it had, which files may hold; the last one first."""
    stored_default: Default | None = None
    """The value in objects of files that lack the field, if that is not its default."""
    offset: int = 0
    """Bytes from the start of the object (its 24-byte header included)."""
    size: int = 0
    """Bytes."""
    align: int = 1
    """Bytes."""

    @property
    def may_be_null(self) -> bool:
        """Whether its reference is null until it is filled in, though its type says otherwise."""
        if self.default is None or self.default.value is not None:
            return False
        return self.type.kind not in ("Optional", "Any", "Union")

    def placed(self, offset: int, size: int, align: int) -> Field:
        """Return the field at a place in memory."""
        return replace(self, offset=offset, size=size, align=align)


class Restatement(Model, frozen=True, kw_only=True):
    """The changes that a type makes to a field of an ancestor: never its type, flags or place."""

    name: str
    doc: str = ""
    default: Default | None = None
    kw_only: bool = False
    init: bool = True


class Parameter(Model, frozen=True, kw_only=True):
    """A parameter of a method or a function."""

    name: str
    type: TypeRef
    doc: str = ""
    default: Default | None = None
    kw_only: bool = False
    """Whether Python takes the argument by name only; so it is for operators alone."""
    number: bool = False
    """Whether a caller may pass a plain number, which becomes a constant."""


class Raised(Model, frozen=True, kw_only=True):
    """An error that a method or a function raises: its kind, and on which condition."""

    name: str
    doc: str = ""


class Method(Model, frozen=True, kw_only=True):
    """A method: declared here, its one body written in C++."""

    name: str
    doc: str = ""
    params: tuple[Parameter, ...] = ()
    returns: TypeRef
    returns_doc: str = ""
    raises: tuple[Raised, ...] = ()
    static: bool = False
    """Whether it is called without an object."""
    cpp: str | None = None
    """The C++ callable that is registered, which is written by hand; None to declare a member."""


class Function(Model, frozen=True, kw_only=True):
    """A free function with a global name, its one body written in C++."""

    name: str
    key: str
    """The global name: package, namespace and name, dotted."""
    doc: str = ""
    params: tuple[Parameter, ...] = ()
    returns: TypeRef
    returns_doc: str = ""
    raises: tuple[Raised, ...] = ()
    api: bool = False
    """Whether the documented Python function is emitted."""
    makes_pass: bool = False
    """Whether it makes a pass, which the registry lists."""

    @property
    def pass_name(self) -> str:
        """The registered name of the pass that it makes: `Simplify`, `toy.Simplify`."""
        package = self.key.partition(".")[0]
        return self.name if package == "uir" else f"{package}.{self.name}"


class Operand(Model, frozen=True, kw_only=True):
    """An operand of an operator; its type and doc are those of the function's parameter."""

    name: str
    dtype: str = "any"
    """A type variable, a class of data types, a data type, or `T: float`."""
    optional: bool = False
    variadic: bool = False


class TraitValue(Model, frozen=True, kw_only=True):
    """The value that an operator gives a trait of its dialect."""

    name: str
    value: bool | int | str
    """That of the member for an enum."""


class StoredArgument(Model, frozen=True, kw_only=True):
    """The value of an argument of a call where a file has another form of the call."""

    stored: int | None = None
    """Position among the stored arguments; None for a constant."""
    constant: bool | int | float | str | None = None
    """The constant; None for an operand that is absent."""


class StoredCall(Model, frozen=True, kw_only=True):
    """A form in which files of older versions hold calls of an operator."""

    name: str
    """The operator's name in the registry of that version."""
    num_arguments: int | None = None
    """How many arguments a stored call has; None if its arguments are those of now."""
    arguments: tuple[StoredArgument, ...] = ()
    """The arguments of now."""


class Operator(Model, frozen=True, kw_only=True):
    """What programs call by name; the function of the same name has signature and docs."""

    name: str
    """That of its function."""
    key: str | None = None
    """The name in the registry; None for one that makes a node of its own."""
    operands: tuple[Operand, ...] = ()
    attributes: tuple[str, ...] = ()
    """The function's other parameters except the location."""
    attrs: str | None = None
    """Type key of the node that holds the attributes."""
    builds: str | None = None
    """Type key of the node that it makes."""
    custom: bool = False
    """Whether the body of its C++ function is written by hand."""
    kind: str | None = None
    effect: str = "pure"
    relation: str | None = None
    """A named rule, or a pattern in canonical text."""
    require: str | None = None
    result: str | None = None
    """A type variable, a data type, or the attribute that holds it."""
    scalar: str | None = None
    compute: str | None = None
    decompose: str | None = None
    onnx: str | None = None
    torch: str | None = None
    since: str | None = None
    traits: tuple[TraitValue, ...] = ()
    """Each of the dialect's traits, in its order."""
    stored_calls: tuple[StoredCall, ...] = ()
    """The forms in which files of older versions hold its calls."""

    @property
    def rules(self) -> dict[str, str]:
        """The rules that the registry keeps as text, by name."""
        names = (
            "kind", "effect", "relation", "require", "result", "scalar", "compute", "decompose",
            "onnx", "torch", "since",
        )  # fmt: skip
        return {name: text for name in names if (text := getattr(self, name)) is not None}


class Trait(Model, frozen=True, kw_only=True):
    """A fact that operators of a dialect state."""

    name: str
    type: TypeRef
    doc: str = ""
    default: bool | int | str | None = None
    """None if each operator states it."""


class Dialect(Model, frozen=True, kw_only=True):
    """The properties that the operators of a namespace share."""

    name: str
    doc: str = ""
    operand: str
    """Type key of operands and results."""
    make: str
    """Global name of the function that makes a call."""
    number: str | None = None
    """Global name of the function that makes a constant of a plain number."""
    attributes: str | None = None
    """Type key of the parent of nodes of attributes; None if they are trailing arguments."""
    span: str | None = None
    """Type key of source locations."""
    prefix: str
    """The prefix of the operators' names."""
    shapes: bool = False
    """Whether each operator has a relation."""
    tests: str | None = None
    """Pattern of the files that test each of its operators, relative to the project's root."""
    traits: tuple[Trait, ...] = ()


class EnumMember(Model, frozen=True, kw_only=True):
    """A named value of an enum."""

    name: str
    value: int
    """Fits in 32 bits, signed."""
    doc: str = ""


class Enum(Model, frozen=True, kw_only=True):
    """An integer enum; it has no type key, its values travel as integers."""

    name: str
    key: str
    """Package, namespace and name, dotted: the public Python path."""
    doc: str = ""
    members: tuple[EnumMember, ...] = ()


class Options(Model, frozen=True, kw_only=True):
    """Class options, as resolved: inherited options are filled in."""

    abstract: bool = False
    final: bool = False
    mutable: bool = False
    dispatch: bool = False
    post_init: bool = False
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None = "tree"
    default_visit_attrs: bool = True
    default_sequal_reduce: bool = True
    default_shash_reduce: bool = True
    renamed_from: str | None = None
    """The class name that it had last: its block and its custom region move along."""
    reserve: int = 0
    """Child slots kept free for classes of other packages."""
    cpp_namespace: str | None = None
    """That of the class in C++, where it is not that of its file."""
    cpp_base: str | None = None
    """A class of C++ between the parent and this one, which adds no data."""
    ref_name: str | None = None
    """The reference class in C++ and Rust, where it is not the last part of the key."""
    default_constructible: bool = False
    """Whether C++ makes objects without arguments and fills them in, by members' initializers."""
    polymorphic: bool = False
    """Whether it has virtual functions, so that a table pointer precedes the header."""
    ref: Literal["default", "nullable", "hand"] | None = "default"
    """The reference class: never null, maybe null, written by hand, or none."""
    ref_init: Literal["fields", "hand"] | None = "fields"
    """The reference's constructor: one that takes the fields, those written by hand, or none."""
    cow: bool = False
    """Whether the reference has `CopyOnWrite`."""
    register: bool | Literal["hand"] = True
    """Whether its type key is registered with its fields; if not, only C++ knows the class. By
    `"hand"` the author's own code registers it."""
    script: str | None = None
    """The form in script: `toy.clamp({value}, low={low})`."""
    extern: str | None = None
    """The header that has a class of another library, or by hand, for which nothing is emitted;
    empty where it is not known."""


class Layout(Model, frozen=True, kw_only=True):
    """Where a type's objects and its type index lie; the same in every language."""

    size: int
    """Bytes, header included, and the table pointer of a polymorphic type; a multiple of 8."""
    offset: int
    """Bytes; where the type's own fields start, a multiple of 8."""
    depth: int
    """Steps from the root, which has depth 0."""
    child_slots: int
    """Type indices reserved behind the type's own one."""
    padded: bool
    """Whether the ancestors leave tail padding that a narrow first field would slip into."""
    digest: str = ""
    """Of layout, flags, structural kind and child slots: 16 hexadecimal digits."""


class Type(Model, frozen=True, kw_only=True):
    """A declared node."""

    name: str
    """Data class: `IntImmNode`."""
    key: str
    """Type key: `uir.ir.IntImm`."""
    ref: str
    """Reference class: `IntImm`, the last part of the key, unless `ref_name` says otherwise."""
    parent: str
    """Type key of the parent; `ffi.Object` for a root."""
    doc: str = ""
    see_also: tuple[str, ...] = ()
    options: Options
    fields: tuple[Field, ...] = ()
    """The type's own fields, in source order."""
    unregistered: tuple[Field, ...] = ()
    """Members that only C++ has: reflection and the other languages leave them out."""
    accessors: tuple[Field, ...] = ()
    """The fields of an opaque type, which are read through the registry."""
    restated: tuple[Restatement, ...] = ()
    init: tuple[str, ...] = ()
    """Names of the constructor's arguments, in order, inherited ones included."""
    methods: tuple[Method, ...] = ()
    former_keys: tuple[str, ...] = ()
    """The type keys that it had, which files may hold; the last one first."""
    removed_fields: tuple[str, ...] = ()
    """Names of fields that it has no more; loaders skip them in files."""
    layout: Layout

    @property
    def stem(self) -> str:
        """The last part of the key, which is in the names made of it: `AddFunctor`, `VisitAdd`."""
        return self.key.rpartition(".")[2]

    @property
    def members(self) -> tuple[Field, ...]:
        """The type's own fields and unregistered members, in memory order."""
        if not self.unregistered:
            return self.fields
        return tuple(sorted((*self.fields, *self.unregistered), key=lambda one: one.offset))

    @property
    def namespace(self) -> str:
        """Dotted namespace: `uir.ir`."""
        return self.key.rpartition(".")[0]

    @property
    def is_registered(self) -> bool:
        """Whether generated code registers it."""
        return self.options.register is True and self.options.extern is None

    @property
    def is_by_hand(self) -> bool:
        """Whether hand-written code, or another library, makes and registers it."""
        return self.options.register == "hand" or self.options.extern is not None

    @property
    def is_opaque(self) -> bool:
        """Whether it is a class of other code whose layout is not known."""
        return self.options.extern is not None and self.layout.size == 0

    @property
    def has_accessor_class(self) -> bool:
        """Whether C++ sees it as a class of accessors, which is emitted: no header has its own."""
        return self.is_opaque and not self.options.extern

    @property
    def is_constructed(self) -> bool:
        """Whether the package's library has a constructor of it for all languages."""
        return self.is_registered and not self.options.abstract

    @property
    def is_variable(self) -> bool:
        """Whether its objects are variables: bound in one place, used in others."""
        return self.options.structural == "var"


class Namespace(Model, frozen=True, kw_only=True):
    """One schema file's part of a namespace."""

    name: str
    """Dotted, package first: `uir.ir`."""
    file: str
    """Stem of the files that are emitted: `expr`."""
    doc: str = ""
    source: str
    """The schema file, relative to the project's root, with forward slashes."""
    cpp_namespace: str | None = None
    """As C++ spells it, `acme::ir`, where that is not its name."""
    enums: tuple[Enum, ...] = ()
    types: tuple[Type, ...] = ()
    """In source order; a parent precedes its children."""
    functions: tuple[Function, ...] = ()
    """Those of operators too."""
    dialect: Dialect | None = None
    """The dialect of the namespace, which one of its files declares."""
    operators: tuple[Operator, ...] = ()


class Import(Model, frozen=True, kw_only=True):
    """The declarations of another package that this schema builds on, and no others."""

    package: str
    namespaces: tuple[Namespace, ...] = ()


class Schema(Model, frozen=True, kw_only=True, dict=True):
    """A package's schema: the root of the JSON IR."""

    version: Literal[1]
    package: str
    roots: tuple[str, ...] = ()
    """First parts of namespaces besides the package."""
    imports: tuple[Import, ...] = ()
    namespaces: tuple[Namespace, ...] = ()
    """Sorted so that a file comes after those whose declarations it uses."""

    @cached_property
    def _types(self) -> dict[str, Type]:
        return {type_.key: type_ for space in self.all_namespaces() for type_ in space.types}

    @cached_property
    def _lines(self) -> dict[str, tuple[Type, ...]]:
        """The ancestries of parents that were asked for, by key."""
        return {}

    @cached_property
    def _enums(self) -> dict[str, Enum]:
        return {enum.key: enum for space in self.all_namespaces() for enum in space.enums}

    @cached_property
    def _homes(self) -> dict[str, Namespace]:
        homes = {type_.key: space for space in self.all_namespaces() for type_ in space.types}
        homes.update((enum.key, space) for space in self.all_namespaces() for enum in space.enums)
        return homes

    @cached_property
    def _functions(self) -> dict[str, tuple[Namespace, Function]]:
        return {one.key: (space, one) for space in self.all_namespaces() for one in space.functions}

    @cached_property
    def _dialects(self) -> dict[str, Dialect]:
        return {one.name: one.dialect for one in self.namespaces if one.dialect is not None}

    @cached_property
    def digest(self) -> str:
        """Digest of the package's own types, on which its compiled library has to agree."""
        known = (type_ for type_ in self.types() if type_.options.register)
        lines = (f"{type_.key} {type_.layout.digest}\n" for type_ in known)
        return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()[:16]

    def mapped(self, change: Callable[[Namespace], Namespace]) -> Schema:
        """Return the schema with each namespace changed, imported ones too."""
        imports = tuple(
            changed(one, namespaces=tuple(map(change, one.namespaces))) for one in self.imports
        )
        return changed(self, namespaces=tuple(map(change, self.namespaces)), imports=imports)

    def all_namespaces(self) -> Iterator[Namespace]:
        """Yield imported namespaces, then the package's own."""
        for imported in self.imports:
            yield from imported.namespaces
        yield from self.namespaces

    @cached_property
    def _own_externs(self) -> frozenset[str]:
        """The classes of other libraries that the package declares, whose keys are not its own."""
        return frozenset(one.key for one in self.types() if one.options.extern is not None)

    def is_own(self, name: str) -> bool:
        """Whether a dotted name, of a declaration or a namespace, is one of the package's own."""
        first = name.partition(".")[0]
        return first == self.package or first in self.roots or name in self._own_externs

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the parts of an own namespace below the package; a root is such a part itself."""
        first, *others = name.split(".")
        return tuple(others) if first == self.package else (first, *others)

    def types(self) -> Iterator[Type]:
        """Yield the package's own types."""
        for space in self.namespaces:
            yield from space.types

    def type(self, key: str) -> Type:
        """Return the type with a key; KeyError if there is none."""
        return self._types[key]

    def find_type(self, key: str) -> Type | None:
        """Return the type with a key, or None."""
        return self._types.get(key)

    def find_home(self, key: str) -> Namespace | None:
        """Return the namespace that declares a type, an enum or a function, or None."""
        home = self._homes.get(key)
        if home is None and key in self._functions:
            home = self._functions[key][0]
        return home

    def enum(self, key: str) -> Enum:
        """Return the enum with a dotted name; KeyError if there is none."""
        return self._enums[key]

    def home(self, key: str) -> Namespace:
        """Return the namespace that declares a type or an enum; KeyError if there is none."""
        return self._homes[key]

    def extern_header(self, key: str) -> str | None:
        """Return the header of a class for which nothing is emitted: empty if it is not known."""
        found = self._types.get(key)
        return None if found is None or found.has_accessor_class else found.options.extern

    def function(self, key: str) -> Function:
        """Return the function with a global name; KeyError if there is none."""
        return self._functions[key][1]

    def function_home(self, key: str) -> Namespace:
        """Return the namespace that declares a function; KeyError if there is none."""
        return self._functions[key][0]

    def dialect(self, namespace: str) -> Dialect | None:
        """Return the dialect of one of the package's own namespaces, if it has one."""
        return self._dialects.get(namespace)

    def ancestry(self, type_: Type) -> tuple[Type, ...]:
        """Return the type's ancestors from the root down, then the type itself."""
        above = self._lines.get(type_.parent)
        if above is None:
            chain = [type_]
            while chain[-1].parent != ROOT_KEY:
                chain.append(self.type(chain[-1].parent))
            above = self._lines[type_.parent] = tuple(reversed(chain[1:]))
        return (*above, type_)

    def fields(self, type_: Type) -> tuple[Field, ...]:
        """Return all fields of a type in memory order, as its restatements leave them."""
        fields: dict[str, Field] = {}
        for ancestor in self.ancestry(type_):
            fields.update((field.name, field) for field in ancestor.fields)
            for restated in ancestor.restated:
                fields[restated.name] = replace(fields[restated.name], **asdict(restated))
        return tuple(fields.values())

    def arguments(self, type_: Type) -> tuple[Field, ...]:
        """Return the fields that the constructor takes, in the order of its arguments."""
        by_name = {field.name: field for field in self.fields(type_)}
        return tuple(by_name[name] for name in type_.init)

    @cached_property
    def _maybe_null(self) -> frozenset[str]:
        """The types whose C++ references may be null, as far as the schema tells."""
        found = (type_ for space in self.all_namespaces() for type_ in space.types)
        return frozenset(type_.key for type_ in found if type_.options.ref in ("nullable", "hand"))

    @cached_property
    def _unregistered_types(self) -> frozenset[str]:
        found = (type_ for space in self.all_namespaces() for type_ in space.types)
        return frozenset(type_.key for type_ in found if not type_.options.register)

    def is_nullable(self, ref: TypeRef) -> bool:
        """Whether a type is a class whose reference is null where C++ makes it by itself."""
        return ref.kind == "node" and self.type(str(ref.key)).options.ref == "nullable"

    def seen_type(self, ref: TypeRef) -> TypeRef:
        """Return a type as Python, Rust and the registry see it.

        A reference that may be null is optional there, and an object whose type is not registered
        is any object.
        """
        if not self._maybe_null and not self._unregistered_types:
            return ref
        if ref.kind == "node":
            seen = TypeRef(kind="Object") if ref.key in self._unregistered_types else ref
            return TypeRef(kind="Optional", args=(seen,)) if ref.key in self._maybe_null else seen
        args = tuple(map(self.seen_type, ref.args))
        if ref.kind in ("Optional", "Union"):
            args = tuple(arg.args[0] if arg.kind == "Optional" else arg for arg in args)
        return changed(ref, args=args)

    def seen_field(self, field: Field) -> Field:
        """Return a field as Python, Rust and the registry see it."""
        seen = self.seen_type(field.type)
        if field.may_be_null and seen.kind != "Optional":
            seen = TypeRef(kind="Optional", args=(seen,))
        return changed(field, type=seen)

    def refusal(self, type_: Type) -> Literal["post_init", "enum", "uint64"] | None:
        """Return why a constructor may refuse arguments of the right types; None if it cannot.

        A statically typed language hands over every other value as it is; an enum's member and
        an unsigned integer beyond 63 bits are known to the owner alone.
        """
        if any(ancestor.options.post_init for ancestor in self.ancestry(type_)):
            return "post_init"
        kinds = {ref.kind for field in self.arguments(type_) for ref in field.type.walk()}
        if "enum" in kinds:
            return "enum"
        return "uint64" if "uint64" in kinds else None


def type_refs(declared: Type | Method | Function) -> Iterator[TypeRef]:
    """Yield the types of a declaration's own fields, parameters, results and cast defaults."""
    if isinstance(declared, Type):
        yield from (field.type for field in (*declared.fields, *declared.unregistered))
        yield from _cast_enums((*declared.fields, *declared.unregistered, *declared.restated))
        for method in declared.methods:
            yield from type_refs(method)
    else:
        yield from (*(param.type for param in declared.params), declared.returns)
        yield from _cast_enums(declared.params)


def _cast_enums(declared: Iterable[Field | Restatement | Parameter]) -> Iterator[TypeRef]:
    """Yield the enums whose members defaults are casts of."""
    for one in declared:
        if one.default is not None and one.default.enum is not None:
            yield TypeRef(kind="enum", key=one.default.enum)


def named_keys(declared: Type | Method | Function | Dialect) -> Iterator[str]:
    """Yield the keys that a declaration names: its parent's, and those in its types."""
    if isinstance(declared, Dialect):
        keys = (declared.operand, declared.attributes, declared.span)
        yield from (key for key in keys if key is not None)
        return
    if isinstance(declared, Type) and declared.parent != ROOT_KEY:
        yield declared.parent
    for ref in type_refs(declared):
        yield from (one.key for one in ref.walk() if one.key and one.kind != "foreign")
