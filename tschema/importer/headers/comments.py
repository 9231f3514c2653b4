"""Documentation in comments: Doxygen's, and plain comments above a declaration.

In: a source text and the place of a declaration.  Out: its documentation as plain text, with that
of parameters and of the result apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from textwrap import dedent

from msgspec import Struct, field

from tschema.importer.headers.masking import SourceText
from tschema.importer.headers.preprocessing import Range

_COMMAND = re.compile(r"(?<![\w\\@])[\\@](\w+)(?:\[[^\]\n]*\])?[ \t]*")
_INLINE = {"p", "c", "a", "e", "em", "b", "ref", "link", "endlink"}
_NO_DOC = re.compile(r"NOLINT|clang-format|TODO|FIXME|^[-=*#/ ]*$|tschema:")


class Doc(Struct):
    """What comments say of a declaration."""

    text: str = ""
    params: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def doc_of(source: SourceText, start: int, end: int) -> Doc:
    """Return the documentation of the declaration between two offsets: above it, or behind it."""
    above = _above(source, start)
    return parse_doc(above or _behind(source, end))


def _above(source: SourceText, start: int) -> str:
    idx = bisect_left(source.comment_starts, start) - 1
    if idx < 0 or not _starts_line(source, source.comments[idx]):
        return ""
    comment = source.comments[idx]
    between = source.original[comment.end : start]
    written = _written(source, comment)
    if comment.end > start or re.search(rb"[;(){}]", between) or written[3:4] == "<":
        return ""
    if source.masked[comment.end : start].strip():
        return ""
    if not _is_doxygen(written) and between.count(b"\n") > 1:
        return ""
    if written.startswith("/*"):
        return _without_markers(written)
    return _without_markers("\n".join(_lines_above(source, idx)))


def _lines_above(source: SourceText, idx: int) -> list[str]:
    """Return the line comments on neighbouring lines that end with this one."""
    lines = [_written(source, source.comments[idx])]
    mark = _mark(lines[0])
    while idx > 0:
        before, here = source.comments[idx - 1], source.comments[idx]
        between = source.original[before.end : here.start]
        written = _written(source, before)
        if between.strip() or between.count(b"\n") != 1 or _mark(written) != mark:
            break
        if not _starts_line(source, before):
            break
        lines.append(written)
        idx -= 1
    return lines[::-1]


def _behind(source: SourceText, end: int) -> str:
    idx = bisect_left(source.comment_starts, end)
    if idx == len(source.comments):
        return ""
    comment = source.comments[idx]
    if source.original[end : comment.start].strip(b" \t;,"):
        return ""
    lines = [_written(source, comment)]
    for following in source.comments[idx + 1 :]:
        written = _written(source, following)
        between = source.original[comment.end : following.start]
        if between.strip() or between.count(b"\n") != 1 or written[:4] not in ("///<", "//!<"):
            break
        lines.append(written)
        comment = following
    return _without_markers("\n".join(lines))


def _starts_line(source: SourceText, comment: Range) -> bool:
    line_start = source.original.rfind(b"\n", 0, comment.start) + 1
    return not source.original[line_start : comment.start].strip()


def _written(source: SourceText, comment: Range) -> str:
    written = source.original[comment.start : comment.end].decode(errors="replace")
    return written.replace("\r", "")


def _mark(written: str) -> str:
    return next((mark for mark in ("///", "//!", "//") if written.startswith(mark)), "/*")


def _is_doxygen(written: str) -> bool:
    return written[:3] in ("/*!", "/**", "///", "//!")


def _without_markers(written: str) -> str:
    """Return the text of comments without their markers; plain ones give an empty text."""
    if written.startswith("/*"):
        body = re.sub(r"\A/\*[*!]?<?|\*+/\Z", "", written)
        return re.sub(r"(?m)^[ \t]*\*(?!\*)[ \t]?", "", body)
    lines = [re.sub(r"\A//[/!]?<?[ \t]?", "", line) for line in written.split("\n")]
    if not _is_doxygen(written):
        lines = [line for line in lines if not _NO_DOC.search(line)]
    return "\n".join(lines)


def parse_doc(text: str) -> Doc:
    """Return what Doxygen text says: its brief, parameters, result and the rest."""
    doc = Doc()
    pieces: list[str] = []
    for command, argument in _sections(text):
        if command in ("param", "tparam"):
            name, _, rest = argument.partition(" ")
            if command == "param":
                doc.params[name.strip()] = _paragraphs(rest)
        elif command in ("return", "returns", "result"):
            doc.returns = _paragraphs(argument)
        elif command in ("note", "warning", "sa", "see"):
            word = {"sa": "See also", "see": "See also"}.get(command, command.capitalize())
            pieces.append(f"{word}: {_paragraphs(argument)}")
        elif command == "code":
            # `\code{.cpp}` names the language.
            pieces.append(dedent(re.sub(r"\A\{[^}]*\}", "", argument)).strip())
        elif command not in ("file", "author", "date", "ingroup", "defgroup", "addtogroup", "cond"):
            pieces.append(_paragraphs(argument))
    doc.text = "\n\n".join(piece for piece in pieces if piece)
    return doc


def _sections(text: str) -> list[tuple[str, str]]:
    """Return each command of a comment and its text."""
    sections = [("", "")]
    last = 0
    for match in _COMMAND.finditer(text):
        command = match[1]
        sections[-1] = (sections[-1][0], sections[-1][1] + text[last : match.start()])
        last = match.end()
        if command not in _INLINE:
            sections.append((command, ""))
    sections[-1] = (sections[-1][0], sections[-1][1] + text[last:])
    return sections


def _paragraphs(text: str) -> str:
    """Return text with the lines of each paragraph joined."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return "\n\n".join(_joined(paragraph) for paragraph in paragraphs)


def _joined(paragraph: str) -> str:
    lines: list[str] = []
    for line in paragraph.splitlines():
        words = " ".join(line.split())
        is_item = re.match(r"[-*+] |\d+[.)] ", words) is not None
        if lines and words and not is_item:
            lines[-1] = f"{lines[-1]} {words}"
        elif words:
            lines.append(words)
    return "\n".join(lines)
