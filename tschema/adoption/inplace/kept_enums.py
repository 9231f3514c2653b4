"""Whether a C++ enum that was found is the generated one.

In: lines.  Out: a decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.regions.cpp_lexer import lex_code

_TYPES = {"int": "int32_t", "std::int32_t": "int32_t"}


def is_same_enum(generated: Sequence[bytes], found: Sequence[bytes]) -> bool:
    """Return whether both are one enum: its name, its type, its members and their values."""
    one = _read(generated)
    return one is not None and one == _read(found)


def is_enum(generated: Sequence[bytes]) -> bool:
    """Return whether generated lines are those of an enum."""
    return _read(generated) is not None


def _read(lines: Sequence[bytes]) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    """Return the name of an enum, its type, and its members with their values."""
    tokens = [one.text for one in lex_code(b"".join(lines).decode("latin-1"))]
    if tokens[:2] not in (["enum", "class"], ["enum", "struct"]) or "{" not in tokens:
        return None
    opening = tokens.index("{")
    closing = tokens.index("}") if "}" in tokens else len(tokens)
    head = tokens[2:opening]
    underlying = "".join(head[head.index(":") + 1 :]) if ":" in head else "int"
    name = head[head.index(":") - 1] if ":" in head else head[-1]
    members = tuple(_members(tokens[opening + 1 : closing]))
    return name, _TYPES.get(underlying, underlying), members


def _members(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each member with its value, which is one more than that of the member before."""
    value = "-1"
    for part in " ".join(tokens).split(","):
        name, _, stated = part.strip().partition("=")
        if name:
            counted = str(int(value) + 1) if value.lstrip("-").isdecimal() else f"{value} + 1"
            value = stated.replace(" ", "") or counted
            yield name.strip(), value
