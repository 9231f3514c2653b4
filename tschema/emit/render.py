"""Template name and views in, text out: the only user of jinja2.

Views are ready-made values of the backends.  Schema text is data: it reaches a template as a
value, never as template source.  The filters are about layout alone; they keep a doc from
ending its comment or its string, and from looking like a marker of `regions.py`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)

from tschema.project import folders

_T = TypeVar("_T")


_COLUMNS = 100
"""Columns that a line of emitted text may take."""
_LONGEST_LINE = 1000
"""Characters of a doc's line above which it is broken before the formatter sees it."""

_ODD_CHARACTERS = dict.fromkeys(
    [
        *range(0x00, 0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0),
        # Line and paragraph separators, and marks that reorder text on screen.
        0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A),
        *range(0xD800, 0xE000), 0xFEFF,
    ],
    "\ufffd",
)  # fmt: skip
"""Characters that no compiler should meet in a comment."""


class Renderer:
    """Render the templates of the target languages; a subclass may know texts of earlier runs."""

    def __init__(self, folder: Path | None = None) -> None:
        """Open the templates of a folder with `<lang>/*.jinja`; tschema's own if None."""
        self._environment = Environment(
            loader=FileSystemLoader(folder or templates_folder()),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
            auto_reload=False,
            cache_size=-1,
            bytecode_cache=_bytecode_cache(),
        )
        self._environment.filters.update(
            line_comment=line_comment, block_comment=block_comment, docstring=docstring
        )

    def render(self, template: str, /, **views: object) -> str:
        """
        Render one template.

        Parameters
        ----------
        template
            Name of the template, relative to the folder: `cpp/header.h.jinja`.
        views
            The values that the template names.

        Returns
        -------
        text
            The rendered text, with LF line ends.
        """
        return self._environment.get_template(template).render(views)

    def remembered(self, kind: str, sources: Iterable[str], make: Callable[[], str]) -> str:
        """
        Return the text of a file that is made from some schema files alone.

        Parameters
        ----------
        kind
            The kind of the text, and the settings that it depends on.
        make
            Renders the text, where no earlier run has.
        """
        return make()

    def part(self, kind: str, key: str, make: Callable[[], _T]) -> _T:
        """
        Return the result of `make` for one type, and those that it names or descends from.

        Parameters
        ----------
        kind
            The kind of the result, and everything else that it depends on.
        key
            The key of the type.
        make
            Makes it, of what JSON can hold, where no earlier run has.
        """
        return make()


def _bytecode_cache() -> BytecodeCache | None:
    """Return where compiled templates are kept: a folder of this user alone, as they are code."""
    try:
        return FileSystemBytecodeCache(pattern="tschema-%s.cache")
    except (RuntimeError, OSError):
        return None


def templates_folder() -> Path:
    """Return the folder of tschema's own templates."""
    return Path(folders.templates_folder()).resolve()


def line_comment(text: str, prefix: str = "//") -> str:
    """
    Lay a doc out as line comments.

    Parameters
    ----------
    text
        The doc; its blank lines stay, as a bare prefix.
    prefix
        What starts each line: `//`, `///`, `//!` or `#`.

    Returns
    -------
    comment
        The lines, joined with LF, without a last line end; empty for an empty doc.
    """
    return "\n".join(_prefixed(line, prefix) for line in _lines(text))


def block_comment(text: str, opening: str = "/*!") -> str:
    r"""
    Lay a doc out as a C++ block comment, on one line where it fits.

    Parameters
    ----------
    text
        The doc, with the commands of Doxygen in place: `\brief The value.`.
    opening
        What starts the comment.

    Returns
    -------
    comment
        The comment, without a last line end; empty for an empty doc.
    """
    lines = [_outside_comment(part) for line in _lines(text) for part in _broken(line)]
    if not lines:
        return ""
    if len(lines) == 1 and len(lines[0]) + len(opening) + len("    */") <= _COLUMNS:
        return f"{opening} {lines[0]} */"
    body = (f" * {line}".rstrip() for line in lines)
    return "\n".join([opening, *body, " */"])


def _broken(line: str) -> list[str]:
    """Break a very long line at its blanks: clang-format takes time by the square of its length."""
    if len(line) <= _LONGEST_LINE:
        return [line]
    return textwrap.wrap(line, _COLUMNS - 10, break_long_words=False, break_on_hyphens=False)


def docstring(text: str) -> str:
    r'''
    Lay a doc out as a Python docstring, quotes included.

    Parameters
    ----------
    text
        The doc.

    Returns
    -------
    literal
        A string literal whose value is the doc: raw where it has a backslash and may be raw.
        On one line where it fits (`"""The value."""`), else with the quotes on a last line of
        their own.  Its lines are not indented: indent it with jinja's `indent`.
    '''
    lines = _lines(text)
    body = "\n".join(lines)
    prefix = ""
    if '"""' in body or body.endswith(('"', "\\")) or _has_marker(lines):
        body = _escaped(body)
    elif "\\" in body:
        prefix = "r"
    tail = "\n" if len(lines) > 1 or len(body) > _COLUMNS - len('        """"""') else ""
    return f'{prefix}"""{body}{tail}"""'


def _lines(text: str) -> list[str]:
    """Split a doc into lines: no trailing blanks, no blank first or last line."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n").translate(_ODD_CHARACTERS)
    lines = [line.rstrip() for line in unified.expandtabs(4).split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def _prefixed(line: str, prefix: str) -> str:
    if re.match(r"\s*tschema(?::|-unit$)", line):
        line = line.replace("tschema", "tschema ", 1)
    # A backslash that ends a `//` comment would continue it on the next line.
    return f"{prefix} {line}.".rstrip() if line.endswith("\\") else f"{prefix} {line}".rstrip()


def _outside_comment(line: str) -> str:
    """Keep a line from ending its comment, and from what C++ warns of: `/*`, a trigraph."""
    return line.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /")


def _has_marker(lines: list[str]) -> bool:
    return any(re.match(r"\s*#\s*tschema(?::|-unit$)", line) for line in lines)


def _escaped(body: str) -> str:
    """Escape a doc for a plain literal."""
    body = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if _ends_bare_quote(body):
        body = body[:-1] + '\\"'
    lines = body.split("\n")
    return "\n".join(
        line.replace("#", "\\x23", 1) if _has_marker([line]) else line for line in lines
    )


def _ends_bare_quote(body: str) -> bool:
    """Whether the last character is a quote that no backslash escapes."""
    before = body[:-1]
    return body.endswith('"') and (len(before) - len(before.rstrip("\\"))) % 2 == 0
