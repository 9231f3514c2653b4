"""Whether two pieces of C++ say the same, however they are laid out and qualified.

In: tokens.  Out: a decision.  It resolves no name: `String`, `ffi::String` and
`::tvm::ffi::String` are taken for one, and the assertions in the generated sources hold them
against each other.
"""

from __future__ import annotations

from collections.abc import Sequence

_SAME = {"int": "int32_t", "unsigned": "uint32_t"}


def say_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two pieces of C++ say the same."""
    first, second = _names(one), _names(other)
    return len(first) == len(second) and all(map(_are_one, first, second))


def _names(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the tokens, the parts of a qualified name in one."""
    found: list[tuple[str, ...]] = []
    is_open = False
    for token in tokens:
        if token == "::" and found and _is_word(found[-1][-1]) and not is_open:
            is_open = True
        elif token == "::":
            is_open = True
            found.append(())
        elif is_open:
            found[-1] = (*found[-1], token)
            is_open = False
        else:
            found.append((_SAME.get(token, token),))
    while found and found[-1] == (";",):
        found.pop()
    return found


def _is_word(text: str) -> bool:
    return text[:1].isalpha() or text[:1] == "_"


def _are_one(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether one name is the other with more qualifiers."""
    count = min(len(one), len(other))
    return count > 0 and one[-count:] == other[-count:]
