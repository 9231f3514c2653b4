"""Layout queries: offsets of fields, for compilers that emit field accesses.

In: a type key. Out: offsets, sizes, kinds and the range of subtype indices in the running process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import tvm_ffi

from tschema.runtime.loader import load_runtime

__all__ = ["FieldKind", "FieldLayout", "TypeLayout", "layout"]

FieldKind = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "enum", "dtype", "device", "string", "bytes", "any", "object", "foreign",
]  # fmt: skip


@dataclass(frozen=True)
class FieldLayout:
    """A field.

    Attributes
    ----------
    name
        Its name.
    offset
        Bytes from the start of the object, whose header is 24 bytes long.
    size, align
        Bytes.
    kind
        The representation: an `enum` is an int32_t, a `dtype` a DLDataType, a `device` a DLDevice;
        `string`, `bytes` and `any` are a TVMFFIAny, an `object` is a pointer to one or null. The
        representation of a `foreign` field is unknown.
    type
        The type as a schema spells it: `Optional[uir.ir.Span]`, `enum uir.tir.ForKind`.
    structural
        Its role in structural equality: `ignore`, `def`, `def_pattern`; None to compare it.
    mutable
        Whether it may be written after construction.
    init
        Whether the constructor takes it.
    kw_only
        Whether Python takes it by name only.
    has_default
        Whether the argument is optional.
    """

    name: str
    offset: int
    size: int
    align: int
    kind: FieldKind
    type: str
    structural: Literal["ignore", "def", "def_pattern"] | None
    mutable: bool
    init: bool
    kw_only: bool
    has_default: bool


@dataclass(frozen=True)
class TypeLayout:
    """A type.

    Attributes
    ----------
    key
        Its type key.
    size, align
        Bytes of an object, header included.
    depth
        Steps from `ffi.Object`.
    type_index
        The index in the header of its objects: an int32_t, 8 bytes from the start. Other processes
        may have other indices.
    last_child
        Type indices above `type_index` up to this one belong to subtypes. A subtype can also have
        another index: without a match, compare the ancestors.
    is_abstract
        Whether only subtypes have objects.
    structural
        The kind of structural equality; None if unsupported.
    fields
        Inherited ones included, the parents' first.
    """

    key: str
    size: int
    align: int
    depth: int
    type_index: int
    last_child: int
    is_abstract: bool
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None
    fields: tuple[FieldLayout, ...]

    def field(self, name: str) -> FieldLayout:
        """Return a field by its name.

        Raises
        ------
        KeyError
            If there is no such field.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"`{self.key}` has no field `{name}`")


def layout(key: str) -> TypeLayout:
    """Describe the layout of a registered type.

    Parameters
    ----------
    key
        Its type key, such as `uir.tir.For`; the library that owns it is loaded.

    Returns
    -------
    layout
        The figures of the running process.

    Raises
    ------
    ValueError
        If the type is not registered.

    Examples
    --------
    >>> layout("uir.tir.For").field("extent").offset  # doctest: +SKIP
    48
    """
    load_runtime()
    facts = _plain(tvm_ffi.get_global_func("tschema.type_layout")(key))
    facts["fields"] = tuple(FieldLayout(**_plain(field)) for field in facts["fields"])
    return TypeLayout(**facts)


def _plain(facts: Any) -> dict[str, Any]:
    """Return a map of tvm-ffi with Python's own texts."""
    items = dict(facts).items()
    return {str(name): str(value) if isinstance(value, str) else value for name, value in items}
