"""Syntax highlighting of script for terminals and notebooks.

In: text.  Out: the same text with escape sequences, or as HTML.  The keywords are those of Python;
the lexer distinguishes comments, strings, numbers and names.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ..runtime.html import fragment

__all__ = ["as_html", "as_terminal", "tokens"]

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

# A function of a module, or one by itself.
_DEFINITION = re.compile(r"^ *@[\w.]+(?:\(.*\))?\n(?= *def )", re.MULTILINE)
_HEAD = re.compile(r" *@.*\n *def .*\n")

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

_MOST_LINES = 40
"""A longer text has its definitions folded."""


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
    """Return the text as an HTML fragment with its style sheet; long texts have folds."""
    if text.count("\n") < _MOST_LINES:
        return fragment(f"<pre>{_spans(text)}</pre>")
    return fragment("".join(map(_block, _definitions(text))))


def _spans(text: str) -> str:
    return "".join(
        f'<span class="{kind}">{html.escape(part)}</span>' if kind else html.escape(part)
        for kind, part in tokens(text)
    )


def _definitions(text: str) -> Iterator[str]:
    """Split a text before each decorator of a function."""
    begin = 0
    for found in _DEFINITION.finditer(text):
        yield text[begin : found.start()]
        begin = found.start()
    yield text[begin:]


def _block(text: str) -> str:
    """Return a part of a text; the body of a function is folded."""
    head = _HEAD.match(text)
    if head is None:
        return f"<pre>{_spans(text.rstrip())}</pre>" if text.strip() else ""
    body = text[head.end() :].rstrip()
    lines = f' <span class="muted"># {body.count(chr(10)) + 1} lines</span>'
    summary = f"<summary><pre>{_spans(head[0].rstrip())}</pre>{lines}</summary>"
    return f"<details>{summary}<pre>{_spans(body)}</pre></details>"
