"""C++ spellings of types, names, literals and docs.

In: parts of the JSON IR.  Out: C++ text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set

from tschema.backends.cpp.scope import Scope
from tschema.ir.casing import camel_case, constant_case
from tschema.ir.keywords import MEMBERS, NO_NAMES, escaped
from tschema.ir.kinds import INTEGER_RANGES
from tschema.ir.model import Default, Enum, Field, Method, Namespace, Parameter, Schema, TypeRef

_VALUES = {
    "bool": "bool",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float32": "float",
    "float64": "double",
    "DataType": "DLDataType",
    "Device": "DLDevice",
    "None": "void",
}
_REFERENCES = {
    "Object": "ffi::ObjectRef",
    "Function": "ffi::Function",
    "Tensor": "ffi::Tensor",
    "Shape": "ffi::Shape",
    "Module": "ffi::Module",
}
_INHERITED = frozenset({"header_", "data_"})
"""Members of tvm-ffi's `Object` and `ObjectRef`."""
_LONG_TEXT, _PIECE = 4000, 80
"""Characters from which on a literal is broken, and those of a piece of it."""
_TEMPLATES = {
    "Array": "ffi::Array",
    "Map": "ffi::Map",
    "List": "ffi::List",
    "Dict": "ffi::Dict",
    "Tuple": "ffi::Tuple",
    "Optional": "ffi::Optional",
    "Union": "ffi::Variant",
}
_INCLUDES = {
    "DataType": "tvm/ffi/dtype.h",
    "Device": "tschema/tvm_ffi_compat.h",
    "String": "tvm/ffi/string.h",
    "Bytes": "tvm/ffi/string.h",
    "Any": "tvm/ffi/any.h",
    "Function": "tvm/ffi/function.h",
    "Tensor": "tvm/ffi/container/tensor.h",
    "Shape": "tvm/ffi/container/shape.h",
    "Module": "tvm/ffi/extra/module.h",
    "Optional": "tvm/ffi/optional.h",
    "Array": "tvm/ffi/container/array.h",
    "Map": "tvm/ffi/container/map.h",
    "List": "tvm/ffi/container/list.h",
    "Dict": "tvm/ffi/container/dict.h",
    "Tuple": "tvm/ffi/container/tuple.h",
    "Union": "tvm/ffi/container/variant.h",
}

_STANDARD = {
    **dict.fromkeys(("shared_ptr", "unique_ptr", "weak_ptr"), "memory"),
    **dict.fromkeys(("multimap",), "map"),
    **dict.fromkeys(("multiset",), "set"),
    **dict.fromkeys(("unordered_multimap",), "unordered_map"),
    **dict.fromkeys(("unordered_multiset",), "unordered_set"),
    **dict.fromkeys(("priority_queue",), "queue"),
    **dict.fromkeys(("recursive_mutex", "once_flag", "lock_guard"), "mutex"),
    **dict.fromkeys(("atomic_bool", "atomic_flag"), "atomic"),
    **dict.fromkeys(("size_t", "ptrdiff_t", "byte"), "cstddef"),
    **dict.fromkeys(
        (f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)), "cstdint"
    ),
    **dict.fromkeys(("less", "greater", "equal_to", "hash", "function"), "functional"),
    "type_index": "typeindex",
    "type_info": "typeinfo",
    "basic_string": "string",
    "pair": "utility",
    "exception_ptr": "exception",
}
"""Names of the standard library whose header is not called like them."""

_ESCAPED = re.compile(r'["\\]|\?\?')
"""The printable ASCII characters that a literal must escape."""


def identifier(named: Field | Parameter) -> str:
    """Return how C++ spells a parameter: one of a constructor is called like its field."""
    return escaped(named.name, "C++", MEMBERS if isinstance(named, Field) else NO_NAMES)


def member(field: Field) -> str:
    """Return how C++ spells the member that holds a field."""
    return field.cpp_name or identifier(field)


def free(name: str, taken: Set[str]) -> str:
    """Return a name for a parameter that hides no member, tvm-ffi's neither."""
    while name in taken or name in _INHERITED:
        name += "_"
    return name


def method_name(method: Method) -> str:
    """Return how C++ spells a method."""
    return escaped(camel_case(method.name), "C++", MEMBERS)


def cpp_type(type_ref: TypeRef, scope: Scope) -> str:
    """Return the C++ type of a field, a parameter or a result, as a scope names it."""
    if type_ref.key is not None:
        return type_ref.key if type_ref.kind == "foreign" else scope.name(type_ref.key)
    if type_ref.kind in _TEMPLATES:
        args = ", ".join(cpp_type(arg, scope) for arg in type_ref.args)
        return f"{_TEMPLATES[type_ref.kind]}<{args}>"
    return _VALUES.get(type_ref.kind) or _REFERENCES.get(type_ref.kind) or f"ffi::{type_ref.kind}"


def tables_prefix(space: Namespace) -> str:
    """Return the prefix of the names of a schema file's tables.

    No two files of a namespace share it, so that their sources compile as one too.
    """
    if space.cpp_namespace is None:
        return f"k{camel_case(space.file)}"
    # Other files of this name may be in the namespace.
    return f"k{''.join(map(camel_case, (*space.name.split('.'), space.file)))}"


def header_path(space: Namespace) -> str:
    """Return the path of a schema file's header, as it is included."""
    return f"{space.name.replace('.', '/')}/{space.file}.h"


def declaring_header(key: str, schema: Schema) -> str:
    """Return the header that declares a class or an enum, as it is included; empty if unknown."""
    extern = schema.extern_header(key)
    return header_path(schema.home(key)) if extern is None else extern


def guard(path: str) -> str:
    """Return the include guard of a header."""
    return path.replace("/", "_").replace(".", "_").upper() + "_"


def cpp_includes(type_ref: TypeRef, schema: Schema) -> Iterator[str]:
    """Yield the headers that a type needs, as written between angle brackets."""
    for nested in type_ref.walk():
        if nested.kind == "foreign":
            yield from _standard_includes(nested)
        elif nested.key is not None:
            yield from filter(None, [declaring_header(nested.key, schema)])
        elif nested.kind in _INCLUDES:
            yield _INCLUDES[nested.kind]
        elif nested.kind.removeprefix("u").startswith("int"):
            yield "cstdint"


def _standard_includes(foreign: TypeRef) -> Iterator[str]:
    """Yield the headers of the standard library that a foreign type names."""
    for name in re.findall(r"\bstd::(\w+)", foreign.key or ""):
        yield _STANDARD.get(name, name)


def is_plain(type_ref: TypeRef) -> bool:
    """Whether copying a value costs nothing, so that `std::move` would only be noise."""
    return type_ref.kind in _VALUES or type_ref.kind == "enum"


def has_unsafe_init(type_ref: TypeRef) -> bool:
    """Whether the type has a constructor that takes `ffi::UnsafeInit`, and should be given it."""
    return (
        type_ref.kind == "node"
        or type_ref.kind in _REFERENCES
        or type_ref.kind in ("Array", "Map", "List", "Dict", "Tuple")
    )


def string_literal(text: str) -> str:
    """Return text as a C++ string literal, or as several that the compiler joins."""
    if len(text) > _LONG_TEXT:
        # clang-format takes quadratic time to break a literal.
        pieces = range(0, len(text), _PIECE)
        return " ".join(string_literal(text[start : start + _PIECE]) for start in pieces)
    if text.isascii() and text.isprintable() and not _ESCAPED.search(text):
        return f'"{text}"'
    escaped = json.dumps(text, ensure_ascii=False)
    # JSON's \u escapes are control characters here; octal ones end after three digits.
    for code in range(32):
        escaped = escaped.replace(f"\\u{code:04x}", f"\\{code:03o}")
    return escaped.replace("\x7f", "\\177").replace("??", '?" "?')


def cpp_default(default: Default, type_ref: TypeRef, scope: Scope) -> str:
    """Return a default as a C++ expression that converts to the type."""
    value = default.value
    if default.factory is not None:
        return f"{cpp_type(made_container(default.factory, type_ref), scope)}()"
    if value is None:
        return _null(type_ref, scope)
    if type_ref.kind == "Optional":
        return cpp_default(default, type_ref.args[0], scope)
    if type_ref.kind == "enum":
        assert type_ref.key is not None
        return f"{scope.name(type_ref.key)}::{constant_case(str(value))}"
    if type_ref.kind == "DataType":
        return f"ffi::StringToDLDataType({string_literal(str(value))})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if default.cast is not None and isinstance(value, int):
        enum, _, member = default.cast.rpartition(".")
        spelled = _taken_by(value, type_ref) if type_ref.kind == "Union" else _VALUES[type_ref.kind]
        return f"static_cast<{spelled}>({scope.name(enum)}::{constant_case(member)})"
    if isinstance(value, int):
        literal = _int_literal(value)
        return f"{_taken_by(value, type_ref)}{{{literal}}}" if type_ref.kind == "Union" else literal
    if type_ref.kind == "Bytes":
        return f"ffi::Bytes({_bytes_literal(str(value))}, {len(str(value))})"
    if isinstance(value, str):
        length = f", {len(value.encode())}" if "\0" in value else ""
        return f"ffi::String({string_literal(value)}{length})"
    return repr(value)


def _null(type_ref: TypeRef, scope: Scope) -> str:
    if type_ref.kind == "Optional":
        return "std::nullopt"
    return empty(type_ref, scope) if has_unsafe_init(type_ref) else "nullptr"


def empty(type_ref: TypeRef, scope: Scope) -> str:
    """Return a value of a type that holds nothing yet."""
    value = "(ffi::UnsafeInit{})" if has_unsafe_init(type_ref) else "{}"
    return f"{cpp_type(type_ref, scope)}{value}"


def _bytes_literal(text: str) -> str:
    """Return bytes, given as latin-1 text, as a C++ string literal."""
    escaped = string_literal(text)
    for code in range(0x80, 0x100):
        escaped = escaped.replace(chr(code), f"\\{code:03o}")
    return escaped


def made_container(factory: str, type_ref: TypeRef) -> TypeRef:
    """Return the container that a default factory makes: the first alternative that it suits."""
    kinds = ("Array", "List") if factory == "list" else ("Map", "Dict")
    if type_ref.kind not in ("Optional", "Union"):
        return type_ref
    made = (made_container(factory, arg) for arg in type_ref.args)
    return next((one for one in made if one.kind in kinds), type_ref)


def _taken_by(value: int, union: TypeRef) -> str:
    """Return the first type of a union that an integer fits in."""
    for arg in union.args:
        low, high = INTEGER_RANGES.get(arg.kind, (0, -1))
        if low <= value <= high:
            return _VALUES[arg.kind]
    return "int64_t"


def _int_literal(value: int) -> str:
    if value == -(2**63):
        return "INT64_MIN"
    return str(value) if -(2**31) <= value < 2**31 else f"INT64_C({value})"


def type_text(type_ref: TypeRef) -> str:
    """Return a type as the tables spell it, quoted: `"Optional[uir.ir.Span]"`."""
    return string_literal(_type_text(type_ref))


def _type_text(type_ref: TypeRef) -> str:
    name = type_ref.key or type_ref.kind
    if type_ref.kind == "enum":
        name = f"enum {name}"
    return f"{name}[{', '.join(map(_type_text, type_ref.args))}]" if type_ref.args else name


def doxygen(doc: str, *commands: str) -> str:
    r"""Return documentation as the text of a Doxygen comment.

    Parameters
    ----------
    doc
        The text; its first paragraph is the brief description.
    commands
        Further commands, such as `\sa IntImm`, one to a line.
    """
    brief, _, rest = doc.strip().partition("\n\n")
    paragraphs = [f"\\brief {brief}"] if brief else []
    paragraphs += [rest.strip()] if rest else []
    if commands:
        tail = "\n".join(commands)
        if rest or not paragraphs:
            paragraphs.append(tail)
        else:
            paragraphs[0] += "\n" + tail
    return "\n\n".join(paragraphs)


def members_test(enum: Enum) -> str:
    """Return a C++ expression that tells whether `value` is a member of an enum."""
    values = sorted({member.value for member in enum.members})
    low, high = values[0], values[-1]
    if high - low + 1 == len(values):
        return f"{low} <= value && value <= {high}"
    return " || ".join(f"value == {value}" for value in values)
