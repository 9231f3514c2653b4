"""Comments that someone typed into a generated C++ class.

In: the generated lines, and the lines found there.  Out: the latter without the comments that are
not generated.  Code needs no such look: a member of other tokens is another member.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from tschema.adoption.inplace.cpp_members import comment_words
from tschema.regions.cpp_lexer import Lexeme, lex

_MARKER = re.compile(r"//[ \t]*tschema:")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


def without_typed_comments(generated: Sequence[bytes], found: Sequence[bytes]) -> tuple[bytes, ...]:
    """
    Return lines without the comments that the generated ones lack.

    Parameters
    ----------
    generated
        The lines that tschema generates.
    found
        The lines found there, in the author's layout.

    Returns
    -------
    lines
        A line that held nothing but such a comment is left out.
    """
    known = {_words(run) for run in _runs(_text(generated))}
    text = _text(found)
    typed = [one for run in _runs(text) for one in _unknown(run, known)]
    if not typed:
        return tuple(found)
    kept = "".join(_without(text, typed)).encode("latin-1")
    return tuple(line for line in re.split(rb"(?<=\n)", kept) if line)


def _text(lines: Sequence[bytes]) -> str:
    return b"".join(lines).decode("latin-1")


def _runs(text: str) -> Iterator[list[Lexeme]]:
    """Yield groups of comments, with no code and no blank line between them."""
    run: list[Lexeme] = []
    end = 0
    for one in lex(text):
        is_comment = one.kind == "comment" and not _MARKER.match(one.text)
        is_behind = bool(text[text.rfind("\n", 0, one.start) + 1 : one.start].strip())
        if run and (not is_comment or is_behind or _BLANK_LINE.search(text, end, one.start)):
            yield run
            run = []
        if is_comment:
            run.append(one)
            end = one.stop
            if is_behind:
                yield run
                run = []
    if run:
        yield run


def _words(run: Sequence[Lexeme]) -> tuple[str, ...]:
    return comment_words("\n".join(one.text for one in run))


def _unknown(run: Sequence[Lexeme], known: Collection[tuple[str, ...]]) -> list[Lexeme]:
    """Return the comments of a run around the longest part of it that is generated."""
    for length in range(len(run), 0, -1):
        for start in range(len(run) - length + 1):
            if _words(run[start : start + length]) in known:
                return [*run[:start], *run[start + length :]]
    return list(run)


def _without(text: str, comments: Sequence[Lexeme]) -> Iterator[str]:
    """Yield the parts of a text around comments, and around the lines that hold one alone."""
    done = 0
    for one in comments:
        line, end = text.rfind("\n", 0, one.start) + 1, text.find("\n", one.stop)
        end = end if end >= 0 else len(text)
        start, stop = one.start, one.stop
        is_last = not text[stop:end].strip()
        if is_last and not text[line:start].strip():
            start, stop = line, min(end + 1, len(text))
            stop += _blank_line_below(text, line, stop)
        elif is_last:
            start = len(text[:start].rstrip(" \t"))
        else:
            stop = end - len(text[stop:end].lstrip(" \t"))
        yield text[done : max(start, done)]
        done = max(stop, done)
    yield text[done:]


def _blank_line_below(text: str, start: int, stop: int) -> int:
    """Return the length of a blank line that parts lines from what follows them alone."""
    above = text[:start].rstrip(" \t\r\n")
    is_first = above.endswith((":", "{")) or not above or text[:start].endswith("\n\n")
    end = text.find("\n", stop) + 1
    return end - stop if is_first and end and not text[stop:end].strip() else 0
