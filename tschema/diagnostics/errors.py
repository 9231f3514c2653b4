"""Diagnostics: their codes, collection and rendering as text.

In: a code, a message and places.  Out: `Diagnostic` values, and `SchemaError`, which carries all
those of a stage.  It neither prints nor sets the exit status.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field

from tschema.command_line import CONTROLS
from tschema.diagnostics.fixes import Fix, make_fix
from tschema.diagnostics.helps import Help
from tschema.diagnostics.source import Place, Span

_MOST_ALIKE, _SHOWN_OF_MANY = 8, 3
"""Warnings of one code that are all shown, and how many are where there are more."""
_LONGEST_TEXT, _LONGEST_LINE = 600, 160
"""Characters that are shown of a message, and of a line of a source."""
Severity = Literal["error", "warning"]


class Note(Struct, frozen=True):
    """A remark on a diagnostic, at another place."""

    message: str
    span: Span | None = None


class Diagnostic(Struct, frozen=True):
    """One error or warning."""

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    help: str | None = None

    @property
    def fix(self) -> Fix | None:
        """The edit that the help describes, if a program can make it."""
        if self.span is None or not isinstance(self.help, Help):
            return None
        return make_fix(self.help.change, self.span)


class SchemaError(Exception):
    """The input is wrong; carries every diagnostic of the stage that found it."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(diagnostic) for diagnostic in self.diagnostics))


class Reporter(Struct):
    """Collects diagnostics; places become spans only here."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def error(
        self,
        code: str,
        message: str,
        place: Place | Span | None,
        *,
        notes: Iterable[tuple[str, Place | None]] = (),
        help: str | None = None,
    ) -> None:
        """Record an error."""
        placed_notes = tuple(Note(text, _span(note_place)) for text, note_place in notes)
        self.diagnostics.append(
            Diagnostic(code, "error", message, _span(place), placed_notes, help)
        )

    def warning(
        self, code: str, message: str, place: Place | Span, help: str | None = None
    ) -> None:
        """Record a warning."""
        self.diagnostics.append(Diagnostic(code, "warning", message, _span(place), help=help))

    def sorted(self, severity: Severity) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of a severity in the order of their places."""
        chosen = {item: None for item in self.diagnostics if item.severity == severity}
        return tuple(sorted(chosen, key=_sort_key))

    def stop_on_error(self) -> None:
        """Raise SchemaError with every error, if there is one.

        Raises
        ------
        SchemaError
            Some error was recorded.
        """
        errors = self.sorted("error")
        if errors:
            raise SchemaError(errors)


def schema_error(code: str, message: str, help: str | None = None) -> SchemaError:
    """Return one error without a place, to be raised."""
    return SchemaError([Diagnostic(code, "error", message, help=help)])


def grouped(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics for a person, who reads errors: of many equal warnings the first ones."""
    diagnostics = list(diagnostics)
    counts = Counter(one.code for one in diagnostics if one.severity == "warning")
    many = {code: count for code, count in counts.items() if count > _MOST_ALIKE}
    seen: Counter[str] = Counter()
    shown: list[Diagnostic] = []
    for one in diagnostics:
        if one.severity == "warning" and one.code in many:
            seen[one.code] += 1
            if seen[one.code] > _SHOWN_OF_MANY:
                continue
        shown.append(one)
    for code, count in many.items():
        message = f"{count - _SHOWN_OF_MANY} more warnings of this kind"
        help = "`--format json` lists them all"
        shown.append(Diagnostic(code, "warning", message, help=help))
    return sorted(shown, key=lambda one: one.severity == "error")


def message_with_help(diagnostic: Diagnostic) -> str:
    """Return the message, the notes without a place and the help, for tools that show places."""
    lines = [diagnostic.message, *(note.message for note in diagnostic.notes if not note.span)]
    return "\n".join([*lines, f"help: {diagnostic.help}"] if diagnostic.help else lines)


def render(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as text: message, source line with caret, notes and help."""
    head = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    lines = [_cut(f"{diagnostic.span}: {head}" if diagnostic.span else head)]
    if diagnostic.span and diagnostic.span.file.text:
        lines += _excerpt(diagnostic.span)
    for note in diagnostic.notes:
        at = f"{note.span}: " if note.span else ""
        lines.append(f"  note: {at}{note.message}")
    if diagnostic.help:
        # It may hold lines to paste, each of which is cut by itself.
        first, *others = map(_cut, diagnostic.help.split("\n"))
        lines += [f"  help: {first}", *others]
    return "\n".join(lines).translate(CONTROLS)


def _cut(text: str) -> str:
    """Return a text without the middle of a very long one."""
    half = _LONGEST_TEXT // 2
    return text if len(text) <= _LONGEST_TEXT else f"{text[:half]} ... {text[-half:]}"


def _excerpt(span: Span) -> list[str]:
    line = span.file.line(span.line)
    first, last = 0, len(line)
    if last > _LONGEST_LINE:
        first = max(0, span.column - 1 - _LONGEST_LINE // 4)
        last = first + _LONGEST_LINE
    end = min(span.end_column if span.end_line == span.line else len(line) + 1, last + 1)
    before, marked = line[first : span.column - 1], line[span.column - 1 : end - 1]
    indent = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    dots = "..." if first else ""
    carets = " " * len(dots) + indent + "^" * max(1, sum(map(_columns, marked)))
    shown = f"{dots}{line[first:last]}{'...' if last < len(line) else ''}"
    return [f"{span.line:>5} | {shown}".rstrip(), f"      | {carets}"]


def _columns(char: str) -> int:
    """Return how many columns of a terminal a character takes, a control as its code."""
    if ord(char) in CONTROLS:
        return len(CONTROLS[ord(char)])
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _span(place: Place | Span | None) -> Span | None:
    return place.span() if isinstance(place, Place) else place


def _sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.span
    if span is None:
        return ("", 0, 0, diagnostic.code, diagnostic.message)
    return (span.file.path, span.line, span.column, diagnostic.code, diagnostic.message)
