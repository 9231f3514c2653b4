"""Docs of the schema as rustdoc: Markdown, with the sections of Rust docs.

In: numpy-style docs of the JSON IR.  Out: text without comment prefixes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tschema.emit.english import article
from tschema.ir.model import Function, Method, Parameter, Type


def markdown(text: str) -> str:
    """
    Return a doc so that Markdown shows its code as code.

    An indented or `>>>` block would be compiled as Rust by `cargo test`; it is fenced as text.
    """
    blocks = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(_fenced(block) if _is_code(block) else block for block in blocks).strip()


def constructor(type_: Type, refusal: str) -> str:
    """Return the doc of `new`: `refusal` says what its owner refuses, if anything."""
    summary = f"Construct {article(type_.ref)} `{type_.ref}`, in the library that owns the type."
    if refusal:
        return f"{summary}\n\n# Errors\n\n{refusal}"
    return f"{summary}\n\n# Panics\n\nPanics if that library is not loaded."


def callable(function: Function | Method, params: Sequence[Parameter] | None = None) -> str:
    """Return the doc of a function or a method that takes `params`, by default all of its own."""
    taken = function.params if params is None else params
    listed = [f"- `{param.name}`: {_one_line(param.doc)}" for param in taken if param.doc]
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
    return "\n".join(f"- `{one.name}`: {_one_line(one.doc)}" for one in function.raises)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_code(block: str) -> bool:
    lines = [line for line in block.split("\n") if line.strip()]
    return bool(lines) and (
        lines[0].lstrip().startswith(">>>") or all(line.startswith("    ") for line in lines)
    )


def _fenced(block: str) -> str:
    return f"```text\n{block.strip(chr(10))}\n```"
