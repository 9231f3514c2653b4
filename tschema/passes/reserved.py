"""Names reserved by a target language or by generated code.

In: a name.  Out: the languages that reserve it.  A language is one line in each table.
"""

from __future__ import annotations

from collections.abc import Mapping


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
        as_mut as_ref borrow borrow_mut builder clone clone_from cmp deref deref_mut drop eq fmt
        from hash into ne new partial_cmp to_owned to_string try_from try_into type_id
        """),
}
"""Members that every class has, or that its own members would hide."""

ENUM_MEMBERS: Mapping[str, frozenset[str]] = {
    "C++": _words(""),
    "Python": _words("""
        as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer mro
        name numerator real to_bytes value
        """),
    "Rust": _words("clone cmp eq fmt from hash into ne partial_cmp try_from try_into"),
}
"""Names that a member of an enum cannot have."""

SCOPE_NAMES: Mapping[str, frozenset[str]] = {
    "C++": _words("ffi std tschema tvm"),
    "Python": _words("bool bytes float int object property str tschema tvm_ffi"),
    "Rust": _words("""
        Box Default Deref Err From Into None Ok Option Result Some String TryFrom TryInto Vec alloc
        core ffi std tschema tvm_ffi
        """),
}
"""Names of packages, types and modules that emitted code refers to."""


MARKER_WORDS = _words("end file")
"""Names that a block cannot have, since markers use them."""

LONGEST_NAME = 80
"""Characters.  The marker of a block has to fit on a line, or a formatter breaks it."""


def languages_of(name: str, tables: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the languages whose table holds a name."""
    return [language for language, names in tables.items() if name in names]
