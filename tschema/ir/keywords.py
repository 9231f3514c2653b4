"""Names that a target language reserves, or that generated code in it uses itself.

In: a name, and the context of its use.  Out: its spelling in a language.  A language is one
line in each table.
"""

from __future__ import annotations

from collections.abc import Mapping

from tschema.ir.cpp_macros import CPP_MACROS

_CPP_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t
    while xor xor_eq
"""

_PYTHON_KEYWORDS = """
    False None True and as assert async await break class continue def del elif else except finally
    for from global if import in is lambda nonlocal not or pass raise return try while with yield
"""

_RUST_KEYWORDS = """
    Self abstract as async await become box break const continue crate do dyn else enum extern false
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self
    static struct super trait true try type typeof unsafe unsized use virtual where while yield
"""

KEYWORDS: Mapping[str, frozenset[str]] = {
    "C++": frozenset(_CPP_KEYWORDS.split()) | CPP_MACROS,
    "Python": frozenset(_PYTHON_KEYWORDS.split()),
    "Rust": frozenset(_RUST_KEYWORDS.split()),
}
"""Names that a language cannot declare as they are."""

_RUST_PATHS = frozenset({"Self", "crate", "self", "super"})
"""Words that Rust does not take as `r#self` either."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MEMBERS: Mapping[str, frozenset[str]] = {
    "C++": _words("""
        DecRef DecWeakRef data_ GetTypeKey GetTypeKeyHash IncRef IncWeakRef IsInstance PostInit
        RuntimeTypeIndex SEqualReduce SHashReduce TryPromoteWeakPtr TypeIndex2Key VisitAttrs header_
        type_index unique use_count
        """),
    "Python": _words("bytes id_ is_ object property same_as self str"),
    "Rust": _words("""
        Err None Ok Some as_mut as_ref borrow borrow_mut builder clone clone_from cmp deref
        deref_mut drop eq fmt from hash into ne new partial_cmp to_owned to_string try_from try_into
        type_id
        """),
}
"""Members that every class has, or that its own members would hide, and, in Rust, what parameters
of their names would match."""

ENUM_MEMBERS: Mapping[str, frozenset[str]] = {
    "C++": _words(""),
    "Python": _words("""
        as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer mro
        name numerator real to_bytes value
        """),
    "Rust": _words("clone cmp eq fmt from hash into ne partial_cmp try_from try_into"),
}
"""Names that enums have already."""

SCOPE_NAMES: Mapping[str, frozenset[str]] = {
    "C++": _words("ffi std tschema tvm"),
    "Python": _words("MISSING bool bytes float int object property str tschema tvm_ffi"),
    "Rust": _words("""
        Box Default Deref Err From Into None ObjectRef Ok Option Result Some String TryFrom TryInto
        Vec alloc bool char core f32 f64 ffi i128 i16 i32 i64 i8 isize std str tschema tvm_ffi u128
        u16 u32 u64 u8 usize
        """),
}
"""Names of packages, types and modules that generated code refers to."""

NO_NAMES: Mapping[str, frozenset[str]] = {
    **{language: frozenset() for language in KEYWORDS},
    "Rust": _words("Err None Ok Some"),
}
"""Of parameters, which hide no name that generated code uses; in Rust a parameter is a pattern,
where these are the variants of `Option` and `Result`."""


def is_path_name(name: str) -> bool:
    """Return whether a file or a folder can have a name: these are not escaped."""
    return all(name not in KEYWORDS[one] | SCOPE_NAMES[one] for one in KEYWORDS)


def escaped(name: str, language: str, used: Mapping[str, frozenset[str]] = NO_NAMES) -> str:
    """
    Return how a language spells a name that it reserves: `template_`, `r#where`, `crate_`.

    Parameters
    ----------
    language
        `C++`, `Python` or `Rust`.
    used
        The names that generated code uses itself in that context: `MEMBERS`, `ENUM_MEMBERS` or
        `SCOPE_NAMES`.
    """
    if name in KEYWORDS[language]:
        return f"r#{name}" if language == "Rust" and name not in _RUST_PATHS else f"{name}_"
    return f"{name}_" if name in used[language] else name


def attribute_name(name: str) -> str:
    """
    Return the attribute in Python, and the name in a schema, of a member that existing C++ has.

    That is `from_` for `from`, `self_` for `self`, and `dict_` for `__dict__`. Names that begin
    with two underscores are Python's own.
    """
    plain = name.strip("_") if name.startswith("__") else name
    is_reserved = plain != name or plain in KEYWORDS["Python"] or plain in MEMBERS["Python"]
    return f"{plain}_" if is_reserved else name
