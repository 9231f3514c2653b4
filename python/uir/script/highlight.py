"""Syntax highlighting of script for terminals and notebooks.

In: text.  Out: the same text with escape sequences, or as HTML.  The keywords are those of Python;
the lexer distinguishes comments, strings, numbers and names.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

__all__ = ["STYLE", "as_html", "as_terminal", "tokens"]

_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<string>[rb]?"(?:\\.|[^"\\\n])*"|[rb]?'(?:\\.|[^'\\\n])*')
  | (?P<decorator>@[\w.]+)
  | (?P<number>\b\d[\w.]*(?:(?<=[eE])[+-]?\d+)?)
  | (?P<keyword>\b(?:and|as|assert|class|def|elif|else|for|if|in|lambda|not|or|pass|return|while
        |with|True|False|None)\b)
  | (?P<package>\b(?:ir|tir|te|relay|uir|metadata)\b(?=[.\[]))
  | (?P<definition>(?<=def\ )\w+|(?<=class\ )\w+)
    """,
    re.VERBOSE,
)

_TERMINAL = {
    "comment": "\033[90m",
    "string": "\033[32m",
    "decorator": "\033[35m",
    "number": "\033[36m",
    "keyword": "\033[1;34m",
    "package": "\033[90m",
    "definition": "\033[1m",
}
_RESET = "\033[0m"

STYLE = """\
.uir-script { color: #24292f; background: transparent; line-height: 1.4; overflow-x: auto; }
.uir-script .comment { color: #6e7781; } .uir-script .string { color: #0a6b3d; }
.uir-script .decorator { color: #8250df; } .uir-script .number { color: #0550ae; }
.uir-script .keyword { color: #cf222e; } .uir-script .package { color: #6e7781; }
.uir-script .definition { font-weight: bold; }
@media (prefers-color-scheme: dark) {
  .uir-script { color: #e6edf3; } .uir-script .string { color: #7ee2a8; }
  .uir-script .decorator { color: #d2a8ff; } .uir-script .number { color: #79c0ff; }
  .uir-script .keyword { color: #ff7b72; }
  .uir-script .comment, .uir-script .package { color: #9198a1; }
}
"""
"""The style sheet of `as_html`, for light and dark pages."""


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text with their kinds, which is empty for plain text."""
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() > end:
            yield "", text[end : match.start()]
        yield match.lastgroup or "", match[0]
        end = match.end()
    if end < len(text):
        yield "", text[end:]


def as_terminal(text: str) -> str:
    """Return the text with the escape sequences of terminals."""
    return "".join(
        f"{_TERMINAL[kind]}{part}{_RESET}" if kind else part for kind, part in tokens(text)
    )


def as_html(text: str) -> str:
    """Return the text as an HTML fragment with its style sheet."""
    parts = (
        f'<span class="{kind}">{html.escape(part)}</span>' if kind else html.escape(part)
        for kind, part in tokens(text)
    )
    return f'<style>{STYLE}</style><pre class="uir-script">{"".join(parts)}</pre>'
