"""Sequences of passes as text: `Simplify, UnrollLoop{auto_max_step=4}, VectorizeLoop(False)`.

In: the text.  Out: passes, or all of its mistakes, each underlined.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from uir_nodes.ir import Diagnostic, SourceMap, SourceName, Span
from uir_nodes.target import Target
from uir_nodes.transform import Pass, PassContext, Sequential

from ..ir import render_diagnostics
from .own_options import with_options
from .pipeline import default_pipeline
from .registry import list_options, list_pass_names, make_pass

__all__ = ["parse_pass_pipeline"]

_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[^\W\d][\w.]*)
    |(?P<value>[-+]?\.?\d[\w.]*(?:(?<=[eE])[-+]\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<mark>[(){}\[\],=:])
    |(?P<other>\S)
    |(?P<end>$))""",
    re.VERBOSE,
)
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_DEFAULT = "default_pipeline"


def parse_pass_pipeline(
    text: str, target: Target | str | None = None, *, source_name: str = "passes"
) -> Sequential:
    """Make the sequence of passes that a text describes.

    The text names passes in order, separated by commas. A pass has its arguments in parentheses and
    its options in braces, as Python writes constants: `UnrollLoop{auto_max_step=4}` sets the option
    `UnrollLoop.auto_max_step` for this pass alone. `default_pipeline` is all passes of
    `default_pipeline(target)`.

    Parameters
    ----------
    text
        The text.
    target
        The machine of `default_pipeline`, or its kind (`"c"`); None for this one.
    source_name
        The name of the text in messages.

    Returns
    -------
    Sequential
        The sequence.

    Raises
    ------
    ValueError
        If the text is malformed, or names an unknown pass or option; the message underlines all
        mistakes and suggests similar names.

    Examples
    --------
    >>> print(parse_pass_pipeline("Simplify, UnrollLoop{auto_max_step=4}"))
    passes (level 0)
    1. Simplify (level 0)
    2. UnrollLoop (level 0)
    """
    parser = _Parser(text, target)
    passes = parser.passes()
    if parser.mistakes:
        raise ValueError(_render(text, source_name, parser.mistakes))
    return Sequential(passes, name="passes")


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Mistake(NamedTuple):
    message: str
    start: int
    end: int
    help: str = ""


class _Malformed(Exception):
    """The end of parsing: a token that cannot follow."""


class _Parser:
    """Reads passes token by token, and collects mistakes in names, arguments and options."""

    def __init__(self, text: str, target: Target | str | None) -> None:
        self.mistakes: list[_Mistake] = []
        self._text, self._target = text, target
        self._tokens = [_token(found) for found in _TOKEN.finditer(text)]
        self._place = 0

    def passes(self) -> list[Pass]:
        """Return the passes, as far as the text has no mistakes."""
        found: list[Pass] = []
        try:
            while self._next.kind != "end":
                found += self._pass()
                if self._next.kind != "end":
                    self._take(",", "`,` or the end")
        except _Malformed:
            pass
        return found

    @property
    def _next(self) -> _Token:
        return self._tokens[min(self._place, len(self._tokens) - 1)]

    def _pass(self) -> list[Pass]:
        name = self._next
        if name.kind != "name":
            raise self._unexpected("the name of a pass")
        self._place += 1
        arguments = self._arguments() if self._next.text == "(" else []
        options = self._options(name.text) if self._next.text == "{" else {}
        if name.text == _DEFAULT and not arguments:
            made = default_pipeline(self._target)
        else:
            made = self._made(name, arguments)
        return [with_options(one, options) for one in made] if options else made

    def _made(self, name: _Token, arguments: list[Any]) -> list[Pass]:
        if name.text not in list_pass_names():
            self._mistake(name, f"there is no pass `{name.text}`", list_pass_names())
            return []
        made = self._checked(name, partial(make_pass, name.text, *arguments))
        return [made] if made else []

    def _arguments(self) -> list[Any]:
        self._place += 1
        found = []
        while self._next.text != ")":
            found.append(self._value())
            if self._next.text != ")":
                self._take(",", "`,` or `)`")
        self._place += 1
        return found

    def _options(self, pass_name: str) -> dict[str, Any]:
        self._place += 1
        found: dict[str, Any] = {}
        while self._next.text != "}":
            name = self._next
            if name.kind != "name":
                raise self._unexpected("the name of an option or `}`")
            self._place += 1
            self._take("=", "`=`")
            start = self._next
            value = self._value()
            full_name = self._option(pass_name, name)
            if full_name and self._checked(start, partial(PassContext, config={full_name: value})):
                found[full_name] = value
            if self._next.text != "}":
                self._take(",", "`,` or `}`")
        self._place += 1
        return found

    def _option(self, pass_name: str, name: _Token) -> str | None:
        """Return the full name of an option: `auto_max_step` of `UnrollLoop`, `Schedule.rows`."""
        known = list(list_options())
        for full_name in (f"{pass_name}.{name.text}", name.text):
            if full_name in known:
                return full_name
        if pass_name == _DEFAULT:
            self._mistake(name, f"there is no option `{name.text}`", known)
        elif pass_name in list_pass_names():
            prefix = f"{pass_name}."
            own = [one.removeprefix(prefix) for one in known if one.startswith(prefix)]
            self._mistake(name, f"pass `{pass_name}` has no option `{name.text}`", own)
        return None

    def _value(self) -> Any:
        first, open_marks = self._next, list[str]()
        while open_marks or self._next.text not in (",", ")", "}", "]"):
            token = self._next
            if token.kind in ("end", "other"):
                raise self._unexpected(f"`{open_marks[-1]}`" if open_marks else "a value")
            self._place += 1
            if token.text in _CLOSING:
                open_marks.append(_CLOSING[token.text])
            elif open_marks and token.text == open_marks[-1]:
                open_marks.pop()
        if self._next is first:
            raise self._unexpected("a value")
        text = self._text[first.start : self._tokens[self._place - 1].end]
        try:
            return ast.literal_eval(text)
        except (SyntaxError, ValueError):
            message = f"expected a number, a string, a list, True or False, found `{text}`"
            self.mistakes.append(_Mistake(message, first.start, first.start + len(text)))
            raise _Malformed from None

    def _checked(self, token: _Token, make: Callable[[], Any]) -> Any:
        """Return the result of a function; an error is a mistake at the token."""
        try:
            return make()
        except (TypeError, ValueError) as error:
            self.mistakes.append(_Mistake(str(error), token.start, token.end))
            return None

    def _take(self, text: str, expected: str) -> None:
        if self._next.text != text:
            raise self._unexpected(expected)
        self._place += 1

    def _unexpected(self, expected: str) -> _Malformed:
        token = self._next
        found = "the end" if token.kind == "end" else f"`{token.text}`"
        message = f"expected {expected}, found {found}"
        self.mistakes.append(_Mistake(message, token.start, token.end))
        return _Malformed()

    def _mistake(self, token: _Token, message: str, known: Iterable[str]) -> None:
        # Imported on use, to keep `import uir` fast.
        from tschema.command_line import nearest

        hint = nearest(token.text, known)
        names = ", ".join(f"`{one}`" for one in known) or "none"
        help_text = "" if hint else f"there are {names}"
        self.mistakes.append(_Mistake(f"{message}{hint}", token.start, token.end, help_text))


def _token(found: re.Match[str]) -> _Token:
    kind = found.lastgroup or ""
    return _Token(kind, found[kind], found.start(kind), found.end(kind))


def _render(text: str, source_name: str, mistakes: list[_Mistake]) -> str:
    sources = SourceMap()
    sources.add(source_name, text)
    diagnostics = [
        Diagnostic(one.message, span=_span(text, source_name, one), help=one.help)
        for one in sorted(mistakes, key=lambda one: one.start)
    ]
    return render_diagnostics(diagnostics, sources)


def _span(text: str, source_name: str, mistake: _Mistake) -> Span:
    before = text[: mistake.start]
    line, column = before.count("\n") + 1, mistake.start - before.rfind("\n")
    width = max(mistake.end - mistake.start, 1)
    return Span(SourceName(source_name), line, column, line, column + width)
