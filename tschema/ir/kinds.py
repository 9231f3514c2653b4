"""Properties of the kinds of types that hold in every language.

In: the kind of a `TypeRef`.  Out: whether it is an object, its range, its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

OBJECT_KINDS: Set[str] = frozenset(
    {"node", "Object", "Function", "Tensor", "Shape", "Module"}
    | {"Array", "Map", "List", "Dict", "Tuple"}
)
"""Kinds whose values are a pointer to an object, of 8 bytes."""

HEADER_SIZE = 24
"""Bytes of the header of an object, which a handle points to."""
TABLE_POINTER = 8
"""Bytes of the pointer to the table of virtual functions.

It precedes the header, which an object's handle points to: offsets count from the header, as those
of reflection do, and the size of the C++ class includes the pointer.
"""

INTEGER_RANGES: Mapping[str, tuple[int, int]] = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2 ** min(bits, 63) - 1) for bits in (8, 16, 32, 64)},
}
"""Least and greatest value by kind; `uint64` ends where the ABI does."""

ARITY: Mapping[str, int] = {"Optional": 1, "Array": 1, "List": 1, "Map": 2, "Dict": 2}
"""Number of arguments of a kind that has a fixed number of them."""
