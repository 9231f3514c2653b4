"""Initializers and constructors of a generated C++ class whose author wrote constructors.

In: the generated lines, the lines found there, and those of the custom region.  Out: the generated
lines, so that a field which the schema gains has a value after every constructor, and each call of
one of the author's constructors still means that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tschema.adoption.inplace.cpp_members import Member, read_class, read_members
from tschema.adoption.inplace.member_comparison import is_field
from tschema.regions.cpp_lexer import Lexeme, lex

_INITIALIZER = re.compile(rb"[ \t]*(?:=[^;]*|\{[^;]*\});(?=[ \t\r]*\n?\Z)")
_END = re.compile(rb";(?=[ \t\r]*\n?\Z)")
_PLAIN = re.compile(r"bool|u?int(?:8|16|32|64)_t|float|double|DLDataType|DLDevice")
_OPENING, _CLOSING = "([{<", ")]}>"


def fit_to_constructors(
    generated: Sequence[bytes], found: Sequence[bytes], region: Sequence[bytes]
) -> tuple[bytes, ...]:
    """
    Return the generated lines of a class as its author's constructors need them.

    Parameters
    ----------
    generated
        The lines that tschema generates above the custom region.
    """
    new, old = read_class(generated), read_class(found)
    if new is None:
        return tuple(generated)
    own = read_members(region)
    standing = {name: one for one in (old.members if old else ()) for name in one.declares}
    theirs = [one for one in own if _constructed(one) == new.name]
    lines = list(generated)
    for member in new.members:
        last = member.stop - 1
        if is_field(member):
            lines[last] = _with_initializer(
                lines[last], member, standing, is_needed=bool(old and theirs)
            )
        elif theirs and _constructed(member) == new.name:
            text = b"".join(lines[member.code : member.stop])
            counts = [len(_types(one)) for one in theirs if _begins_alike(one, member)]
            changed = _with_required(text, max(counts, default=0) + 1)
            if changed != text:
                # The lines keep their number, which the other members count on.
                cut = changed.split(b"\n", member.stop - member.code - 1)
                lines[member.code : member.stop] = [*(one + b"\n" for one in cut[:-1]), cut[-1]]
    return tuple(lines)


def with_deleted_initializers(
    generated: Sequence[bytes], found: Sequence[bytes]
) -> Iterator[tuple[bytes, ...]]:
    """
    Yield the possible earlier lines of a class that lacks generated initializers.

    Parameters
    ----------
    generated
        The lines that tschema generates above the region, initializers included.

    Yields
    ------
    lines
        The found lines, with all initializers put back, and with each one alone.
    """
    new, old = read_class(generated), read_class(found)
    if new is None or old is None:
        return
    wanted = {
        name: match[0]
        for one in new.members
        if is_field(one) and (match := _INITIALIZER.search(generated[one.stop - 1]))
        for name in one.declares
    }
    changed = {
        one.stop - 1: _with_end(found[one.stop - 1], wanted[name])
        for one in old.members
        for name in one.declares
        if name in wanted and not _is_initialized(one)
    }
    for chosen in (changed, *({at: line} for at, line in changed.items() if len(changed) > 1)):
        if chosen:
            yield tuple(chosen.get(at, line) for at, line in enumerate(found))


def _with_end(line: bytes, text: bytes) -> bytes:
    """Return a line with a text for its last semicolon."""
    end = _END.search(line)
    return line[: end.start()] + text + line[end.end() :] if end else line


# -- Fields -------------------------------------------------------------------------------------


def _with_initializer(
    line: bytes, member: Member, standing: Mapping[str, Member], *, is_needed: bool
) -> bytes:
    """Return the line of a field: an earlier field keeps its initializer, or its lack of one."""
    before = next((standing[name] for name in member.declares if name in standing), None)
    has_one = _INITIALIZER.search(line) is not None
    if before is not None and has_one and not _is_initialized(before):
        return _INITIALIZER.sub(b";", line)
    is_plain = any(_PLAIN.fullmatch(token) for token in member.tokens[-3:-2])
    is_empty = before is None or before.tokens[-3:-1] == ("{", "}")
    is_added = is_needed and is_plain and is_empty and not has_one
    return _END.sub(b"{};", line) if is_added else line


def _is_initialized(member: Member) -> bool:
    return "=" in member.tokens or "{" in member.tokens


# -- Constructors -------------------------------------------------------------------------------


def _constructed(member: Member) -> str | None:
    """Return the class that a member constructs; None if it is not a constructor."""
    for name in member.declares:
        head, _, rest = name.partition(" ")
        called = rest.partition("(")[0]
        words = [word for word in member.tokens if word not in ("explicit", "inline", "constexpr")]
        if head == "method" and words[:2] == [called, "("]:
            return called
    return None


def _types(member: Member) -> list[str]:
    """Return the types of the parameters."""
    for name in member.declares:
        if name.startswith("method "):
            inside = name.partition("(")[2].removesuffix(")")
            return [part for part in _split_text(inside) if part]
    return []


def _split_text(text: str) -> Iterator[str]:
    depth = start = 0
    for index, sign in enumerate(text):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if sign == "," and depth == 0:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _begins_alike(one: Member, generated: Member) -> bool:
    """Return whether a generated constructor takes all that one of the author's takes, and more."""
    theirs, ours = _types(one), _types(generated)
    return len(theirs) < len(ours) and ours[: len(theirs)] == theirs


def _with_required(text: bytes, count: int) -> bytes:
    """Return a constructor of which the first parameters have no defaults."""
    found = [one for one in lex(text.decode("latin-1")) if one.kind != "comment"]
    defaults = list(_defaults(found))
    pieces: list[bytes] = []
    done = 0
    for number, start, stop in defaults:
        if number < count:
            pieces.append(text[done:start].rstrip())
            done = stop
    return b"".join([*pieces, text[done:]])


def _defaults(code: Sequence[Lexeme]) -> Iterator[tuple[int, int, int]]:
    """Yield the parameter, the start and the end of each default, as 0-based indices."""
    depth = number = 0
    start: int | None = None
    for one in code:
        depth -= one.text in _CLOSING
        is_end = (depth == 1 and one.text == ",") or (depth == 0 and one.text == ")")
        if is_end and start is not None:
            yield number, start, one.start
            start = None
        if depth == 0 and one.text == ")":
            return
        number += depth == 1 and one.text == ","
        if depth == 1 and one.text == "=":
            start = one.start
        depth += one.text in _OPENING
