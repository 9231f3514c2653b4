"""Markers around the C++ classes of a code base that has none yet.

In: the author's files, and the schema's declarations in C++.  Out: the files with a block, not
filled in yet, around each class and enum that is defined there.  It adds lines, and changes none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.regions.blocks import BOM, scan_comments
from tschema.regions.cpp_lexer import Lexeme, lex

_BOM_SIGNS = re.compile(r"\A\xef\xbb\xbf")
_LINE_END = re.compile("\n")
_MARKER = re.compile(r"//[ \t]*tschema:")
_SPACE_WORDS = ("inline", "namespace", "::")
_WORDS = ("class", "struct", "enum")


class Definition(Struct, frozen=True):
    """A class or an enum that is defined at the level of a namespace."""

    namespace: str
    """As C++ spells it: `acme::ir`."""
    name: str
    first: int
    """Index of the line on which it begins, with the comment above it."""
    last: int
    """Index of the line on which it ends."""
    is_apart: bool
    """Whether its lines hold nothing else."""


Home = tuple[PurePosixPath, Definition]
"""Where something is defined."""


def find_homes(
    files: Mapping[PurePosixPath, bytes], wanted: Mapping[str, str]
) -> dict[str, list[Home]]:
    """
    Find the definitions of classes and enums.

    Parameters
    ----------
    wanted
        Dotted name of each wanted declaration, namespace first, to its namespace in C++.

    Returns
    -------
    homes
        By dotted name, each definition; names without a definition are missing.
    """
    names = {(space, name.rpartition(".")[2]): name for name, space in wanted.items()}
    short = {name for _, name in names}
    homes: dict[str, list[Home]] = {}
    for path, data in files.items():
        for one in find_definitions(data) if any(name.encode() in data for name in short) else ():
            full = names.get((one.namespace, one.name))
            if full is not None:
                homes.setdefault(full, []).append((path, one))
    return homes


def mark_classes(
    files: Mapping[PurePosixPath, bytes], homes: Mapping[str, Home], short: Sequence[str]
) -> dict[PurePosixPath, bytes]:
    """
    Put markers around the definitions of classes.

    Parameters
    ----------
    homes
        What gets a block, by dotted name.
    short
        The names of all that may have one, without namespaces.

    Returns
    -------
    marked
        The files; those without such a class as they are.
    """
    found: dict[PurePosixPath, dict[Definition, str]] = {}
    for full, (path, one) in homes.items():
        name = one.name if short.count(one.name) == 1 else full
        found.setdefault(path, {})[one] = name
    return {
        path: _with_markers(str(path), data, found[path]) if path in found else data
        for path, data in files.items()
    }


def find_definitions(data: bytes) -> Iterator[Definition]:
    """Yield the classes and enums that a header defines, but not those in others or templates."""
    text = data.decode("latin-1")
    found = list(lex(_BOM_SIGNS.sub("   ", text)))
    code = [one for one in found if one.kind not in ("comment", "directive")]
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    ends = {
        bisect_right(starts, one.stop - 1) - 1: bisect_right(starts, one.start) - 1
        for one in found
        if one.kind == "comment"
        and not _MARKER.match(one.text)
        and not text[text.rfind("\n", 0, one.start) + 1 : one.start].strip()
    }
    for begin, end, spaces in _walk(code):
        yield _definition(text, starts, code[begin : end + 1], spaces, ends)


def _walk(code: Sequence[Lexeme]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield where definitions begin and end, and the namespaces around each."""
    scopes: list[tuple[str, ...]] = []
    begin = index = 0
    while index < len(code):
        text = code[index].text
        if text in (";", "}", "{"):
            words = [one.text for one in code[begin:index]]
            if text == "{" and "namespace" in words:
                scopes.append(tuple(word for word in words if word not in _SPACE_WORDS))
            elif text == "{" and words[:1] == ["extern"]:
                scopes.append(())
            elif text == "{":
                index = _closing(code, index)
                if words[:1] and words[0] in _WORDS and "=" not in words and "(" not in words[1:2]:
                    while index + 1 < len(code) and code[index].text != ";":
                        index += 1
                    yield begin, index, tuple(part for scope in scopes for part in scope)
            elif text == "}" and scopes:
                scopes.pop()
            begin = index + 1
        index += 1


def _closing(code: Sequence[Lexeme], index: int) -> int:
    """Return the index of the brace that closes one."""
    depth = 0
    for at in range(index, len(code)):
        depth += (code[at].text == "{") - (code[at].text == "}")
        if depth == 0:
            return at
    return len(code) - 1


def _definition(
    text: str,
    starts: Sequence[int],
    code: Sequence[Lexeme],
    spaces: tuple[str, ...],
    comments: Mapping[int, int],
) -> Definition:
    """Return a definition, given its tokens, and the last lines of comments with their first."""
    words = [one.text for one in code[: [one.text for one in code].index("{")]]
    head = words[: words.index(":")] if ":" in words else words
    names = [word for word in head if word not in ("final", *_WORDS)]
    first, last = (bisect_right(starts, at) - 1 for at in (code[0].start, code[-1].start))
    before = _BOM_SIGNS.sub("", text[starts[first] : code[0].start]).strip()
    end = text.find("\n", code[-1].stop)
    behind = text[code[-1].stop : end if end >= 0 else len(text)].strip()
    is_apart = not before and (not behind or behind.startswith("//"))
    while first - 1 in comments:
        first = comments[first - 1]
    return Definition("::".join(spaces), names[-1] if names else "", first, last, is_apart)


def _with_markers(path: str, data: bytes, found: Mapping[Definition, str]) -> bytes:
    """Return a file with markers around definitions that are in no block yet."""
    file = scan_comments(path, data)
    taken = [range(block.begin, block.end + 1) for block in file.blocks.values()]
    before: dict[int, bytes] = {}
    after: dict[int, bytes] = {}
    for one, name in found.items():
        if any(one.last in lines for lines in taken):
            continue
        line = file.lines[one.first].removeprefix(BOM)
        indent = line[: len(line) - len(line.lstrip(b" \t"))]
        line_end = b"\r\n" if line.endswith(b"\r\n") else b"\n"
        before[one.first] = indent + b"// tschema: " + name.encode() + line_end
        after[one.last] = indent + b"// tschema: end" + line_end
    pieces: list[bytes] = []
    for index, line in enumerate(file.lines):
        has_end = line.endswith(b"\n") or index not in after
        ended = line if has_end else line + b"\n"
        pieces += [before.get(index, b""), ended, after.get(index, b"")]
    return b"".join(pieces)
