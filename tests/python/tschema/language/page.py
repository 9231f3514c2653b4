"""The page `schema-language.md`, made of the vocabulary, its docstrings and its examples.

In: outcomes of the examples.  Out: Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import fill

from tschema.lsp import words

from .examples import LANGUAGES, Example, Outcome

_INTRODUCTION = """\
# The schema language

Look up the words of a schema file, with their generated code. A schema file is a Python file that
tschema parses and never executes. It imports the words below from `tschema`, and other schema
files. [extending.md](../start/extending.md) shows how one package builds on another, and
[operators.md](operators.md) how to declare operators.

A test makes this page from the words of tschema, the docstrings that editors show for them
(`tschema/ty.py`, `tschema/dsl.py`), and examples. Each example is followed by the lines that the
word adds to the emitted code, or the first of them. In the examples the package is `toy` and the
namespace `ir`.

| decorator, function | |
|---|---|
"""
_TYPES = """\
## Types

The types of `ty`. `int`, `float`, `str`, `bool`, `bytes`, `list[T]`, `dict[K, V]`, `tuple[A, B]`
and `T | None` are shorthands for the corresponding ones. A declared class or enum is a type too.
Containers nest.

| type | C++ | Python | Rust | |
|---|---|---|---|---|
"""
_SECTIONS = (
    ("Class options", "class", words.class_options, "Assignments in the body of a class."),
    ("Field options", "field", words.field_options, "Arguments of `field(...)`."),
    (
        "Methods",
        "method",
        words.method_options,
        "Arguments of `@method`, and `@static`.",
    ),
    ("Functions", "function", words.function_options, "Arguments of `@function`."),
    ("Operators", "operator", words.operator_options, "Arguments of `@operator`."),
    ("Operands", "operand", words.operand_options, "Arguments of `operand(...)`."),
    ("Dialects", "dialect", words.dialect_options, "Assignments in the body of a `@dialect`."),
)
_MOST_LINES = 8
"""Lines of a language that are shown of an example."""


def page(examples: Mapping[str, Example], outcomes: Mapping[str, Outcome]) -> str:
    """Return the page."""
    rows = [f"| `{name}` | {text} |" for name, text in words.decorators().items()]
    parts = [_INTRODUCTION + "\n".join(rows), _types(outcomes)]
    for title, kind, options, where in _SECTIONS:
        parts.append(f"## {title}\n\n{where}")
        for name, text in options().items():
            parts += _word(kind, name, text, examples, outcomes)
    return "\n\n".join(parts) + "\n"


def _types(outcomes: Mapping[str, Outcome]) -> str:
    rows = []
    for name, text in words.types().items():
        lines = outcomes[f"type {name}"].lines
        cells = [_member(language, lines[language]) for language in LANGUAGES]
        cells.append(" ".join(text.partition("\n\nParameters")[0].split()))
        escaped = " | ".join(cell.replace("|", "\\|") for cell in cells)
        rows.append(f"| `ty.{name}` | {escaped} |")
    return _TYPES + "\n".join(rows)


_MEMBERS = {
    "cpp": re.compile(r"^\s*(\S.*) value(?:\{\})?;$|^(enum class \w+ : \w+)"),
    "python": re.compile(r"^\s*value: (.*)$|^class \w+\((IntEnum)\)"),
    "rust": re.compile(r"^\s*(?:pub )?_?value: (.*),$|^\s*pub struct \w+\((?:pub )?(\w+)\)"),
}


def _member(language: str, lines: tuple[str, ...]) -> str:
    """Return the type of the field in a language, as its emitted code spells it."""
    for line in lines:
        match = _MEMBERS[language].match(line[1:])
        if match:
            return f"`{match[1] or match[2]}`"
    return ""


def _word(
    kind: str,
    name: str,
    text: str,
    examples: Mapping[str, Example],
    outcomes: Mapping[str, Outcome],
) -> Iterator[str]:
    yield f"### `{name}`\n\n{_filled(text)}"
    for key, example in examples.items():
        if key == f"{kind} {name}" or key.startswith(f"{kind} {name} "):
            shown = example.shown.replace("NAMESPACE", "ir").strip("\n")
            yield f"```python\n{shown}\n```"
            yield from _brought(outcomes[key])


def _filled(text: str) -> str:
    """Return a text in lines of at most 100 characters."""
    paragraphs = (fill(one, 100, break_on_hyphens=False) for one in text.split("\n\n"))
    return "\n\n".join(paragraphs)


def _brought(outcome: Outcome) -> Iterator[str]:
    same = [title for lang, title in LANGUAGES.items() if not outcome.lines[lang]]
    for language, title in LANGUAGES.items():
        if outcome.lines[language]:
            yield f"{title}:\n\n{_fenced(outcome.lines[language], language)}"
    if len(same) == len(LANGUAGES):
        yield "The emitted code stays the same; the JSON IR has the word."
    elif same:
        yield f"The code in {' and '.join(same)} stays the same."


def _fenced(lines: tuple[str, ...], language: str) -> str:
    """Return the first lines that are added; with those that are taken away, if few are added."""
    added = [line[1:] for line in lines if line.startswith("+")]
    if len(added) < len(lines) - len(added):
        return _block("diff", [*lines])
    margin = min(len(line) - len(line.lstrip()) for line in added)
    return _block(language, [line[margin:] for line in added])


def _block(tag: str, lines: list[str]) -> str:
    shown = [*lines[:_MOST_LINES], *(["..."] if len(lines) > _MOST_LINES else [])]
    return f"```{tag}\n" + "\n".join(shown) + "\n```"
