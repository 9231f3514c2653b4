"""Docs of the schema as rustdoc: Markdown, with the sections of Rust docs.

In: numpy-style docs of the JSON IR.  Out: text without comment prefixes.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from tschema.emit.english import article
from tschema.ir.model import Function, Method, Parameter, Type

_COLUMNS = 92
"""Columns of an item of a list, behind `///` in an `impl`."""
_KEPT = re.compile(r"`[^`]*`|(?<= )(?:[-+*#>]+|[0-9]+[.)]) ")
"""Where a line must not end: inside code, and before what begins a list at the start of one."""


def markdown(text: str) -> str:
    """
    Return a doc so that Markdown shows its code as code.

    An indented or `>>>` block would be compiled as Rust by `cargo test`; it is fenced as text.
    """
    blocks = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(_fenced(block) if _is_code(block) else block for block in blocks).strip()


def constructor(type_: Type, refusal: str) -> str:
    """Return the doc of `new`: `refusal` describes the arguments that its owner refuses, if any."""
    summary = f"Construct {article(type_.ref)} `{type_.ref}`, in the library that owns the type."
    if refusal:
        return f"{summary}\n\n# Errors\n\n{refusal}"
    return f"{summary}\n\n# Panics\n\nPanics if that library is not loaded."


def callable(function: Function | Method, params: Sequence[Parameter] | None = None) -> str:
    """Return the doc of a function or a method that takes `params`, by default all of its own."""
    taken = function.params if params is None else params
    listed = [_item(param.name, param.doc) for param in taken if param.doc]
    parts = [
        markdown(function.doc),
        "# Arguments\n\n" + "\n".join(listed) if listed else "",
        f"# Returns\n\n{markdown(function.returns_doc)}" if function.returns_doc else "",
        f"# Errors\n\n{_errors(function)}",
    ]
    return "\n\n".join(part for part in parts if part)


def _errors(function: Function | Method) -> str:
    if not function.raises:
        return "Returns the error that the C++ function raises."
    return "\n".join(_item(one.name, one.doc) for one in function.raises)


def _item(name: str, doc: str) -> str:
    """Return an item of a list, filled as by hand."""
    words = " ".join(f"- `{name}`: {doc}".split())
    kept = _KEPT.sub(_unbroken, words).replace(" \0", "\0")
    return textwrap.fill(
        kept, _COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    ).replace("\0", " ")


def _unbroken(match: re.Match[str]) -> str:
    """Return what stays on the line of the word before it, or in one piece."""
    text = match[0]
    return text.replace(" ", "\0") if text.startswith("`") else f"\0{text}"


def _is_code(block: str) -> bool:
    lines = [line for line in block.split("\n") if line.strip()]
    return bool(lines) and (
        lines[0].lstrip().startswith(">>>") or all(line.startswith("    ") for line in lines)
    )


def _fenced(block: str) -> str:
    return f"```text\n{block.strip(chr(10))}\n```"
