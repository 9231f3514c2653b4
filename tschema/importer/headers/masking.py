"""Macros in C++ text, recorded and masked, so that a parser without a preprocessor reads the rest.

In: the bytes of a file.  Out: text of the same length for the parser, and the macro calls that were
taken out of it with their arguments.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from tschema.importer.headers.preprocessing import (
    Condition,
    MacroDefinition,
    Range,
    blank,
    preprocess,
)

_CALL = re.compile(rb"\b([A-Z][A-Z0-9_]{2,})[ \t\r\n]*\(|[()]")
_EXPORT_WORD = re.compile(
    rb"\b[A-Z][A-Z0-9_]*_(?:DLL|API|EXPORT|EXPORTS|PUBLIC|INLINE|VISIBLE|HIDDEN|LOCAL|COLD_CODE)\b"
    rb"(?=\s+[A-Za-z_:~\[])"
)
_CLASS_WORD = re.compile(
    rb"\b(?:class|struct)[ \t]+([A-Z][A-Z0-9_]*)[ \t\r\n]+(?!final\b)(?=[A-Za-z_])"
)
_STATIC_INIT = "TVM_FFI_STATIC_INIT_BLOCK"
_INTERESTING = re.compile(
    r"DECLARE_\w*OBJECT_INFO|OBJECT_REF|REGISTER_NODE_TYPE|REGISTER_OBJECT_TYPE"
)


class MacroCall(Struct, frozen=True):
    """A call of a macro at the position of a declaration or a statement."""

    name: str
    args: tuple[str, ...]
    start: int
    end: int


class SourceText(Struct, dict=True):
    """A file as its parser sees it, and the parts that the parser does not see."""

    path: str
    """For messages: relative to the folder that is read, with forward slashes."""
    original: bytes
    masked: bytes
    code: bytes
    """Without comments and the contents of literals, macros included."""
    comments: list[Range]
    conditions: list[Condition]
    definitions: list[MacroDefinition]
    macros: list[MacroCall]
    header: str | None = None
    """As others include it; None for a source file."""

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\n", self.original))]

    @cached_property
    def comment_starts(self) -> list[int]:
        """Where each comment begins."""
        return [comment.start for comment in self.comments]

    def line(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return bisect_right(self._line_starts, offset)

    def slice(self, start: int, end: int) -> str:
        """Return a part of the masked text on one line."""
        return " ".join(self.masked[start:end].decode(errors="replace").split())


def mask(path: str, original: bytes, header: str | None = None) -> SourceText:
    """Return a file with its macros recorded and masked."""
    found = preprocess(original)
    text = found.text
    _blank_bodies(text, found.code)
    code = bytes(found.code)
    for pattern, group in ((_EXPORT_WORD, 0), (_CLASS_WORD, 1)):
        for match in pattern.finditer(code):
            blank(text, *match.span(group))
    macros = []
    for call in _calls(code, original):
        if _is_statement(text, code, call):
            macros.append(call)
            _mask_call(text, code, call)
    return SourceText(
        path,
        original,
        bytes(text),
        code,
        found.comments,
        found.conditions,
        found.definitions,
        macros,
        header,
    )


def _blank_bodies(text: bytearray, code: bytearray) -> None:
    """Blank the bodies of functions that register nothing, which are most of a source file.

    Nothing is done to a text whose braces do not match, as macros may hide some.
    """
    bodies, starts = [], []
    outermost = 0
    for match in _BRACE.finditer(code):
        if match[0] != b"}":
            starts.append(match.end())
            if match[0] != b"{" and not outermost:
                outermost = len(starts)
        elif not starts:
            return
        else:
            start = starts.pop()
            if outermost == len(starts) + 1:
                outermost = 0
                bodies.append((start, match.start()))
    for start, end in bodies if not starts else ():
        if _KEPT_BODY.search(code, start, end) is None:
            blank(text, start, end)
            blank(code, start, end)


_BRACE = re.compile(rb"\)\s*(?:(?:const|noexcept|override|final)\b\s*)*\{|[{}]")
"""A brace; with the parenthesis before it, one that opens the body of a function."""
_KEPT_BODY = re.compile(rb"ObjectDef|OBJECT_INFO|->Visit\(")


def _calls(code: bytes, original: bytes) -> list[MacroCall]:
    """Return the calls of macros in order; one pass over all parentheses keeps this linear."""
    calls = []
    open_ones: list[tuple[str, int, int] | None] = []
    for match in _CALL.finditer(code):
        if match[1]:
            open_ones.append((match[1].decode(), match.start(), match.end()))
        elif match[0] == b"(":
            open_ones.append(None)
        elif open_ones and (call := open_ones.pop()):
            name, start, inside = call
            # The text of large arguments, such as a whole block, is not of use.
            is_block = name == _STATIC_INIT
            args = () if is_block else _arguments(code, original, inside, match.start())
            calls.append(MacroCall(name, args, start, match.end()))
    return sorted(calls, key=lambda call: call.start)


def _arguments(code: bytes, original: bytes, start: int, end: int) -> tuple[str, ...]:
    """Return the arguments of a call, split where the code has commas at the outermost level."""
    if end - start > 2000:
        return ()
    parts, depth, first = [], 0, start
    for offset in range(start, end):
        char = code[offset]
        if char in b"(<[{":
            depth += 1
        elif char in b")>]}":
            depth -= 1
        elif char == 0x2C and depth == 0:
            parts.append((first, offset))
            first = offset + 1
    parts.append((first, end))
    texts = (original[one:other].decode(errors="replace") for one, other in parts)
    return tuple(" ".join(text.split()) for text in texts)


def _is_statement(text: bytearray, code: bytes, call: MacroCall) -> bool:
    """Return whether a call is a whole statement: it begins one, and no operator follows."""
    before = _last_char(text, call.start)
    after = _first_char(code, call.end)
    return (before is None or before in b"{};:") and (after is None or after not in b".<-+=,)?&|*[")


def _last_char(text: bytearray, end: int) -> int | None:
    near = text[max(0, end - _NEAR) : end].rstrip()
    return near[-1] if near else None


def _first_char(code: bytes, start: int) -> int | None:
    near = code[start : start + _NEAR].lstrip()
    return near[0] if near else None


_NEAR = 4096
"""Bytes; how far a neighbour is looked for, so that long stretches of blanks cost no more."""


def _mask_call(text: bytearray, code: bytes, call: MacroCall) -> None:
    if call.name == _STATIC_INIT:
        _mask_static_init(text, code, call)
        return
    blank(text, call.start, call.end)


def _mask_static_init(text: bytearray, code: bytes, call: MacroCall) -> None:
    """Make a function of a static initializer, whose body follows or is the argument."""
    opening = code.index(b"(", call.start)
    text[call.start : call.start + 5] = b"void "
    body = _first_char(code, opening + 1)
    if body == 0x7B:  # TVM_FFI_STATIC_INIT_BLOCK({ ... });
        # The name gives up one character for the parenthesis that closes.
        text[opening - 1 : opening + 1] = b"()"
        text[call.end - 1] = 0x20


def expanded(
    calls: Sequence[MacroCall], definitions: Mapping[str, MacroDefinition]
) -> Iterator[MacroCall]:
    """Yield calls, with those of a project's own macros replaced by the calls in their bodies."""
    for call in calls:
        definition = definitions.get(call.name)
        if definition is None or (_INTERESTING.search(call.name) and call.name.startswith("TVM_")):
            yield call
            continue
        body = definition.body.encode()
        for inner in _calls(body, body):
            args = tuple(_substituted(arg, definition, call) for arg in inner.args)
            yield MacroCall(inner.name, args, call.start, call.end)


def _substituted(text: str, definition: MacroDefinition, call: MacroCall) -> str:
    values = dict(zip(definition.params, call.args, strict=False))

    def value(match: re.Match[str]) -> str:
        name = match[2]
        return f'"{values.get(name, name)}"' if match[1] else values.get(name, name)

    return re.sub(r"\s*##\s*", "", re.sub(r"(?<!#)(#?)\b(\w+)\b", value, text))
