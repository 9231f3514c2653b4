"""The author's members of a class that is about to get its first block.

In: a block whose `end` marker is bare, around a class written by hand, and the text that tschema
generates for it.  Out: the lines to move to the custom region.  It parses no language: the members
of a class are the lines at the indentation of its first member, with all deeper lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tschema.regions.marked_file import BOM, Block, MarkedFile

_COMMENT = re.compile(rb"//|/\*|#|@|[rR]?\"\"\"")
"""The beginning of a line of a comment, a docstring, a decorator or an attribute."""
_LABEL = re.compile(rb"(?:public|protected|private)\s*:")
_CLOSING = re.compile(rb"[])}:{]|->")
"""The beginning of a line that belongs to the member above it."""
_CLASS = re.compile(rb"\b(?:class|struct|enum)\b")
_MARKER = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?://|#)[ \t]*tschema:")


def own_lines(file: MarkedFile, block: Block, text: bytes) -> list[int] | None:
    """
    Return the lines of the members that the generated text lacks.

    Parameters
    ----------
    block
        A block with a bare `end` marker.
    text
        What tschema generates for it.

    Returns
    -------
    own
        Indices of lines; None where the others have lines, such as docs, that would be lost.
    """
    wanted = {line.strip() for line in text.split(b"\n")}
    runs = file.generated_lines(block)
    indices = [index for run in runs for index in run if not _MARKER.match(file.lines[index])]
    comments = _comments(file.lines, indices)
    outer = _indent(file.lines[block.begin].removeprefix(BOM))
    own: list[int] = []
    for member in _members(file.lines, indices, comments):
        code = [index for index in member if index not in comments]
        if any(file.lines[index].strip() not in wanted for index in code):
            if _CLASS.search(file.lines[code[0]]) and _indent(file.lines[code[0]]) <= outer:
                return None
            is_apart = bool(own) and not file.lines[member[0] - 1].strip()
            own += [member[0] - 1, *member] if is_apart else member
        elif any(file.lines[index].strip() not in wanted for index in member):
            return None
    return own


def _comments(lines: Sequence[bytes], indices: Sequence[int]) -> set[int]:
    """Return the lines of comments and docstrings, and decorators and attributes."""
    found: set[int] = set()
    ending = b""
    for index in indices:
        line = lines[index].strip()
        start = _COMMENT.match(line)
        if ending or start:
            found.add(index)
        rest = line if ending or not start else line[start.end() :]
        if not ending and start and start[0].endswith((b"/*", b'"""')):
            ending = b"*/" if start[0] == b"/*" else b'"""'
        if ending and ending in rest:
            ending = b""
    return found


def _members(
    lines: Sequence[bytes], indices: Sequence[int], comments: set[int]
) -> Iterator[list[int]]:
    """Cut lines into members, each with the comments above it; blank lines are left out."""
    shown = [index for index in indices if lines[index].strip()]
    code = [index for index in shown if index not in comments]
    levels = {_indent(lines[index]) for index in code if not _LABEL.match(lines[index].strip())}
    outer = min(levels, default=0)
    inner = min(levels - {outer}, default=outer)
    member: list[int] = []
    level = -1
    for index in shown:
        line, indent = lines[index].strip(), _indent(lines[index])
        is_closing = _CLOSING.match(line) and indent >= level
        if level >= 0 and indent <= max(level, outer) and not is_closing:
            yield member
            member, level = [], -1
        member.append(index)
        if level < 0 and index not in comments:
            is_apart = indent <= outer and not _CLASS.search(line)
            level = outer if is_apart else inner
    if member:
        yield member


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())
