"""Members of C++ types that the schema language does not have: `ty.foreign("std::vector<int>")`.

In: the written type.  Out: the type with its size and alignment, or the reason that it is invalid.
C++ asserts all of the sizes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from tschema.ir.cpp_sizes import CLASS_SIZES, TEMPLATE_SIZES
from tschema.ir.declarations import TypeExpr, Value
from tschema.ir.model import TypeRef

ARGUMENTS = ("cpp", "size", "align")
"""What `ty.foreign(...)` takes, its first one by position."""

_WORDS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("bool", "char", "signed char", "unsigned char"), (1, 1)),
    **dict.fromkeys(("int8_t", "uint8_t", "std::int8_t", "std::uint8_t"), (1, 1)),
    **dict.fromkeys(("short", "unsigned short", "int16_t", "uint16_t"), (2, 2)),
    **dict.fromkeys(("int", "unsigned", "unsigned int", "float", "int32_t", "uint32_t"), (4, 4)),
    **dict.fromkeys(("long", "unsigned long", "long long", "unsigned long long"), (8, 8)),
    **dict.fromkeys(("double", "int64_t", "uint64_t", "size_t", "std::size_t"), (8, 8)),
    **dict.fromkeys(("intptr_t", "uintptr_t", "ptrdiff_t", "std::ptrdiff_t"), (8, 8)),
    **dict.fromkeys(("std::int64_t", "std::uint64_t"), (8, 8)),
    **CLASS_SIZES,
}
_POINTERS = ("std::unique_ptr",)
_CALL = re.compile(r"(?P<name>[\w:]+)\s*<(?P<args>.*)>")
_LARGEST = 1 << 20
"""Bytes."""


class BadForeign(Exception):
    """A type of C++ that cannot be a member: why, and what would do."""

    def __init__(self, reason: str, help: str | None = None) -> None:
        self.reason = reason
        self.help = help
        super().__init__(reason)


class Foreign(Struct, frozen=True):
    """A member's type, with its size and alignment in memory."""

    ref: TypeRef
    size: int
    """Bytes."""
    align: int
    """Bytes."""


def read_foreign(written: TypeExpr) -> Foreign:
    """
    Return the type that `ty.foreign(...)` writes.

    Raises
    ------
    BadForeign
        It lacks an argument, or has a wrong one.
    """
    given = written.given or {}
    for name in given:
        if name not in ARGUMENTS:
            raise BadForeign(f"has no argument `{name}`", "it takes a type of C++, size and align")
    cpp = given.get("cpp")
    if cpp is None or not isinstance(cpp.value, str) or not cpp.value.strip():
        raise BadForeign("needs the text of a type", 'write `ty.foreign("std::vector<int>")`')
    spelling = " ".join(cpp.value.split())
    if not _is_type(spelling):
        raise BadForeign(f"cannot be `{spelling}`", "write a type, and give arrays a name in C++")
    known = size_of(spelling)
    size, align = _figure(given.get("size"), "size"), _figure(given.get("align"), "align")
    if size is None and align is None and known is None:
        message = f"needs `size` and `align`: those of `{spelling}` are unknown"
        raise BadForeign(message, "write what `sizeof` and `alignof` are in C++, in bytes")
    known_size, known_align = known or (None, None)
    size, align = size or known_size, align or known_align or 8
    if size is None:
        raise BadForeign(f"needs the `size` of `{spelling}`", "write what `sizeof` is, in bytes")
    if align not in (1, 2, 4, 8):
        raise BadForeign(f"cannot have the alignment {align}", "objects are aligned to 8 bytes")
    if size % align or size > _LARGEST:
        help = f"a size is a multiple of the alignment, {align} bytes"
        raise BadForeign(f"cannot have the size {size}", help)
    return Foreign(TypeRef(kind="foreign", key=spelling), size, align)


def _figure(value: Value | None, name: str) -> int | None:
    if value is None:
        return None
    if value.kind != "literal" or isinstance(value.value, bool) or not isinstance(value.value, int):
        raise BadForeign(f"cannot have the {name} {value}", "write a number of bytes")
    if value.value < 1:
        raise BadForeign(f"cannot have the {name} {value.value}", "write a number of bytes above 0")
    return value.value


def _is_type(spelling: str) -> bool:
    """Return whether a text can precede the name of a member, and its brackets match."""
    depth = 0
    for character in spelling:
        depth += (character in "<(") - (character in ">)")
        if depth < 0 or character in ";{}=\\\"'#" or ord(character) < 32:
            return False
    is_array = spelling.endswith("]")
    return depth == 0 and not is_array and (spelling[0].isalpha() or spelling[0] in ":_")


def size_of(spelling: str) -> tuple[int, int] | None:
    """Return size and alignment of a well-known type of C++, in bytes; None for any other."""
    spelling = spelling.removeprefix("const ").strip()
    if spelling.endswith("*"):
        return 8, 8
    if spelling in _WORDS:
        return _WORDS[spelling]
    match = _CALL.fullmatch(spelling)
    if match is None:
        return None
    name, args = match["name"], _arguments(match["args"])
    if name in TEMPLATE_SIZES:
        return TEMPLATE_SIZES[name]
    if name in _POINTERS and len(args) == 1:
        return 8, 8
    return _composed(name, args)


def _composed(name: str, args: list[str]) -> tuple[int, int] | None:
    """Return the size of a template that holds values of its arguments' types."""
    if name == "std::array" and len(args) == 2 and args[1].isdigit():
        element = size_of(args[0])
        return element and (element[0] * int(args[1]), element[1])
    held = [size_of(arg) for arg in args]
    if name == "std::atomic" and len(held) == 1 and held[0] in ((1, 1), (2, 2), (4, 4), (8, 8)):
        return held[0]
    if name == "std::optional" and len(held) == 1:
        held.append((1, 1))
    elif name != "std::pair" or len(held) != 2:
        return None
    end, align = 0, 1
    for one in held:
        if one is None:
            return None
        end = -(-end // one[1]) * one[1] + one[0]
        align = max(align, one[1])
    return -(-end // align) * align, align


def _arguments(text: str) -> list[str]:
    """Split the arguments of a template at the commas outside of brackets."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
