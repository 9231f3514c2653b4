"""A fast layout of generated C++ classes, with the result of clang-format.

In: the text of a block.  Out: the same text with long constructors and methods wrapped, or None if
clang-format is required.  A test compares the two.

It is here for speed: clang-format takes 24 ms to start and lay out one class, and 0.75 s for
29,000 lines.  Without it, a cold run of 500 types takes 1.2 times as long; without `table_rows.py`
too, 1.4 times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

COLUMNS = 100
"""Columns that a line may take; clang-format's style says the same."""
_MOST_LINES = 3
"""Lines that a list fills in a way that is sure."""
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|->|&&|[(\[{<>}\])]|[,;:]')
_OPEN, _CLOSE = "([{<", ")]}>"
_COMMENT = ("*", "//", "/*")
_ASSIGNED_CALL = re.compile(r"    (data_ =) ([\w:<>]+\()(.*)\);")
_RETURN = "    return "


class _Unsure(Exception):
    """Only clang-format can tell how this is laid out."""


def lay_out_class(text: str) -> str | None:
    """
    Lay out the block of a class.

    Parameters
    ----------
    text
        The block, its lines as the templates indent them.

    Returns
    -------
    text
        The block, or None if a part of it is of another kind, or has to be broken elsewhere than
        between arguments, initializers or operands.
    """
    # How wide other characters are is for clang-format to tell.
    if not text.isascii() or not text.startswith("// tschema: ") or "\nclass " not in text:
        return None
    try:
        return "".join(f"{line}\n" for line in _class_lines(text.split("\n")[:-1]))
    except _Unsure:
        return None


def _class_lines(lines: list[str]) -> Iterator[str]:
    rest = iter(lines)
    before = ""
    for line in rest:
        is_code = not line.lstrip().startswith(_COMMENT)
        if is_code and ("\\" in line or '" "' in line):
            # Where literals of more than a line are broken.
            raise _Unsure
        if is_code and line.startswith("  ") and line.endswith(" {"):
            statements = [one.strip() for one in iter(lambda: next(rest, "  }"), "  }")]
            yield from _definition(line[2:-2], statements)
            line = "  }"
        elif is_code and line.startswith("  ") and line.endswith("}"):
            head, statements = _one_line(line[2:-1])
            yield from _definition(head, statements)
        elif line or not before.endswith((":", "{")):
            if len(line) > COLUMNS or (not line and not before):
                raise _Unsure
            yield line
        before = line


def _one_line(text: str) -> tuple[str, list[str]]:
    """Split a definition, given without its last brace, into its head and its body."""
    opening = [at for at, token, depth in _tokens(text) if token == "{" and depth == 0][-1:]
    if not opening or not text[: opening[0]].endswith(" "):
        raise _Unsure
    head, body = text[: opening[0] - 1], text[opening[0] + 1 :].strip()
    return head, [f"{one};" for one in split_at(body.removesuffix(";"), ";")] if body else []


def _definition(head: str, statements: list[str]) -> Iterator[str]:
    """Lay out a constructor or a method."""
    if len(statements) <= 1:
        body = f" {{ {statements[0]} }}" if statements else " {}"
        if len(head) + len(body) <= COLUMNS - 2:
            yield f"  {head}{body}"
            return
    opening = " {" if statements else " {}"
    *lines, last = _head(head, opening)
    yield from lines
    yield f"{last}{opening}"
    for statement in statements:
        yield from _statement(statement)
    if statements:
        yield "  }"


def _head(head: str, opening: str) -> list[str]:
    """Lay out what comes before the body of a definition."""
    if len(head) + len(opening) <= COLUMNS - 2 and opening == " {":
        return [f"  {head}"]
    colons = [at for at, token, depth in _tokens(head) if token == ":" and depth == 0]
    colons = [at for at in colons if head[at - 1 : at + 2] == " : "]
    if len(colons) != 1:
        raise _Unsure
    return [*_signature(head[: colons[0] - 1]), *_initializers(head[colons[0] + 2 :], opening)]


def _signature(text: str) -> list[str]:
    if len(text) <= COLUMNS - 2:
        return [f"  {text}"]
    name, _, params = text.partition("(")
    if not params.endswith(")") or len(params) <= COLUMNS - len("      "):
        raise _Unsure
    return _fill(f"  {name}(", [f"{one}," for one in split_at(params[:-1], ",")], ")")


def _initializers(text: str, opening: str) -> list[str]:
    """Lay out initializers: all on one line, or each one on its own."""
    if len(text) + len(opening) <= COLUMNS - len("      : "):
        return [f"      : {text}"]
    first, *others = split_at(text, ",")
    lines = [f"      : {first}", *(f"        {one}" for one in others)]
    if any(len(line) > COLUMNS - len(opening) for line in lines):
        raise _Unsure
    return [*(f"{line}," for line in lines[:-1]), lines[-1]]


def _statement(text: str) -> list[str]:
    line = f"    {text}"
    if not text.endswith(";"):
        raise _Unsure
    if len(line) <= COLUMNS:
        return [line]
    call = _ASSIGNED_CALL.fullmatch(line)
    if call:
        arguments = [f"{one}," for one in split_at(call[3], ",")]
        below = [f"    {call[1]}", *_fill(f"        {call[2]}", arguments, ");")]
        beside = _fill(f"    {call[1]} {call[2]}", arguments, ");")
        shortest = below if len(below) <= len(beside) else beside
        if len(shortest) > 2 and len(call[3]) <= COLUMNS - len("        );"):
            return [f"    {call[1]} {call[2]}", f"        {call[3]});"]
        return shortest
    if line.startswith(_RETURN):
        return _fill(_RETURN, [f"{one} &&" for one in split_at(text[7:-1], "&&")], ";")
    raise _Unsure


def _fill(start: str, pieces: list[str], end: str) -> list[str]:
    """Fill lines with pieces, aligned behind the start of the first line."""
    *most, last = pieces
    first, *others = [*most, last.rstrip(",& ") + end]
    lines = [start + first]
    for piece in others:
        if len(lines[-1]) + 1 + len(piece) <= COLUMNS:
            lines[-1] += f" {piece}"
        else:
            lines.append(" " * len(start) + piece)
    if len(lines) > _MOST_LINES or any(len(line) > COLUMNS for line in lines):
        raise _Unsure
    return lines


def split_at(text: str, separator: str) -> list[str]:
    """Split a text at separators outside all brackets and strings."""
    places = [at for at, token, depth in _tokens(text) if token == separator and depth == 0]
    starts = [0, *(at + len(separator) for at in places)]
    return [text[start:end].strip() for start, end in zip(starts, [*places, None], strict=True)]


def _tokens(text: str) -> Iterable[tuple[int, str, int]]:
    """Yield the position, the text and the bracket depth of each separator and bracket."""
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        depth -= token in _CLOSE
        yield match.start(), token, depth
        depth += token in _OPEN
