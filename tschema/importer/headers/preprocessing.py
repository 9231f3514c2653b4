"""Comments, strings and directives of C++ text, which must be known before parsing.

In: the bytes of a file.  Out: the same number of bytes, in which comments, directives and the
branches that no compiler takes are blank, so that every offset stays true.  It knows no macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from tschema.regions.cpp_lexer import NOISE, Branch

_BOM = b"\xef\xbb\xbf"
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w*)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_GUARD_NAME = re.compile(rb"_H(?:H|PP|XX)?_*$")
_SPACES = re.compile(rb"(?:\\\r?\n|\s)+")
_BLANKS = bytes(code if code in b"\r\n\t" else 0x20 for code in range(256))


class Range(Struct, frozen=True):
    """Bytes of a text, from `start` up to `end`."""

    start: int
    end: int


class Condition(Struct, frozen=True):
    """Text that a compiler sees under a condition only."""

    start: int
    end: int
    text: str
    """The directive: `#ifdef ACME_USE_CUDA`."""


class MacroDefinition(Struct, frozen=True):
    """A macro with parameters that the text defines."""

    name: str
    params: tuple[str, ...]
    body: str


class PreprocessedText(Struct):
    """A text without the parts that no parser should see."""

    text: bytearray
    """Comments, directives and branches that are not taken are blank."""
    code: bytearray
    """Literals are blank too."""
    comments: list[Range]
    conditions: list[Condition]
    definitions: list[MacroDefinition]


def blank(text: bytearray, start: int, end: int) -> None:
    """Fill a part of a text with blanks; lines stay."""
    text[start:end] = text[start:end].translate(_BLANKS)


def preprocess(original: bytes) -> PreprocessedText:
    """Return a text with comments, directives and dead branches blank."""
    text, code = bytearray(original), bytearray(original)
    if original.startswith(_BOM):
        blank(text, 0, len(_BOM))
        blank(code, 0, len(_BOM))
    comments = []
    for match in NOISE.finditer(original):
        start, end = match.span()
        if original[start] == 0x2F:
            comments.append(Range(start, end))
            blank(text, start, end)
        blank(code, start, end)
    result = PreprocessedText(text, code, comments, [], [])
    _take_branches(result)
    return result


def on_one_line(code: bytes) -> str | None:
    """
    Return code on one line and without its comments; literals stay as they are.

    Parameters
    ----------
    code
        A part of a text that begins and ends outside of comments and literals.

    Returns
    -------
    line
        The code; None if directives are in it, whose meaning a compiler alone knows.
    """
    bare = NOISE.sub(lambda noise: b" " if noise[0][:1] == b"/" else noise[0], code)
    if _DIRECTIVE.search(NOISE.sub(b"0", bare)):
        return None
    pieces: list[bytes] = []
    done = 0
    for literal in NOISE.finditer(bare):
        pieces += [_SPACES.sub(b" ", bare[done : literal.start()]), literal[0]]
        done = literal.end()
    pieces.append(_SPACES.sub(b" ", bare[done:]))
    return b"".join(pieces).decode(errors="replace").strip()


class _OpenBranch(Struct):
    """The branch of a conditional that is being read."""

    directive: str
    start: int
    branch: Branch
    is_plain: bool
    """Whether every compiler takes it: an include guard, `__cplusplus`."""


def _take_branches(result: PreprocessedText) -> None:
    """Blank directives and the branches that are not taken: all but the first, or `#if 0`."""
    directives = [*_DIRECTIVE.finditer(result.code)]
    stack: list[_OpenBranch] = []
    for idx, match in enumerate(directives):
        word = match[1]
        if word in (b"if", b"ifdef", b"ifndef"):
            guarded = _next_definition(directives, idx)
            stack.append(_opened(result, match, guarded))
        elif word in (b"elif", b"else", b"endif") and stack:
            branch = stack.pop()
            _close(result, branch, match.start())
            if word != b"endif":
                stack.append(_following(result, branch, match))
        elif word == b"define" and all(one.branch.is_taken for one in stack):
            result.definitions += _definition(bytes(result.text[match.start(2) : match.end(2)]))
    for match in directives:
        blank(result.text, *match.span())
        blank(result.code, *match.span())


def _next_definition(directives: list[re.Match[bytes]], idx: int) -> bytes:
    """Return the name that the directive behind this one defines."""
    following = directives[idx + 1] if idx + 1 < len(directives) else None
    words = following[2].split() if following and following[1] == b"define" else []
    return words[0] if words else b""


def _opened(result: PreprocessedText, match: re.Match[bytes], guarded: bytes) -> _OpenBranch:
    condition = match[2].strip()
    is_guard = match[1] == b"ifndef" and (
        condition == guarded or _GUARD_NAME.search(condition) is not None
    )
    is_plain = is_guard or condition in (b"__cplusplus", b"defined(__cplusplus)", b"1")
    branch = Branch.of(condition.decode(errors="replace"))
    return _OpenBranch(_shown(result, match), match.end(), branch, is_plain)


def _following(
    result: PreprocessedText, before: _OpenBranch, match: re.Match[bytes]
) -> _OpenBranch:
    branch = Branch.of(match[2].decode(errors="replace"), before.branch)
    directive = f"{before.directive} ... {_shown(result, match)}"
    return _OpenBranch(directive, match.end(), branch, False)


def _shown(result: PreprocessedText, match: re.Match[bytes]) -> str:
    return " ".join(result.text[match.start() : match.end()].decode(errors="replace").split())


def _close(result: PreprocessedText, open_branch: _OpenBranch, end: int) -> None:
    start = open_branch.start
    if not open_branch.branch.is_taken:
        blank(result.text, start, end)
        blank(result.code, start, end)
    elif not open_branch.is_plain:
        result.conditions.append(Condition(start, end, open_branch.directive))


def _definition(rest: bytes) -> Iterator[MacroDefinition]:
    match = re.match(rb"[ \t]+(\w+)\(([^()]*)\)", rest)
    if match:
        params = tuple(param.strip() for param in match[2].decode().split(","))
        body = rest[match.end() :].replace(b"\\\n", b" ").replace(b"\\\r\n", b" ")
        yield MacroDefinition(match[1].decode(), params, body.decode(errors="replace"))
