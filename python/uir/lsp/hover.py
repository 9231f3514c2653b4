"""The types that an editor shows of names, operators and expressions.

In: the names of a text and its program.  Out: Markdown.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module

from tschema.diagnostics.source import Span
from uir_nodes.ir import BaseExpr, PrimExpr, RelayExpr
from uir_nodes.tir import Buffer, SizeVar

from .. import script
from .known_names import split_path
from .names import Names, Word, holds
from .program import Program, Variable
from .scopes import Definition

__all__ = ["hover", "signature_of", "summary_of"]

_LONG = 100
"""Longer texts of expressions are not shown, in characters."""


def hover(names: Names, program: Program, line: int, column: int) -> str | None:
    """Return what to show at a position, 1-based; None if there is nothing."""
    word = names.at(line, column)
    function = names.function_at(line)
    if function is not None:
        program = program.function(function.span)
    if word is not None and word.definition is not None:
        return _definition(word.definition, program)
    texts = [_operator(word, names) if word is not None else None]
    texts.append(_expression(program, line, column))
    return "\n\n".join(filter(None, texts)) or None


def _definition(definition: Definition, program: Program) -> str | None:
    if definition.kind in ("module", "function"):
        return _code(_head(definition))
    text = _variable(definition, program)
    return _code(text) if text is not None else None


def _head(definition: Definition) -> str:
    """Return the lines from `def` to the colon before the suite."""
    span = definition.extent
    lines = [span.file.line(number) for number in range(definition.span.line, span.end_line + 1)]
    ends = (count for count, one in enumerate(lines, 1) if one.split("#")[0].rstrip().endswith(":"))
    return inspect.cleandoc("\n".join(lines[: next(ends, 1)])).rstrip(":")


def _variable(definition: Definition, program: Program) -> str | None:
    """Return `name: type` of the variable, the buffer or the tensor that a definition binds."""
    known = program.variables.get(definition.name, ())
    here = [node for span, node in known if span and _starts(span) == _starts(definition.span)]
    near = [node for span, node in known if span and span.line == definition.span.line]
    nodes = here or near or [node for _, node in known]
    types = {type_text(node) for node in nodes}
    return f"{definition.name}: {types.pop()}" if len(types) == 1 else None


def _starts(span: Span) -> tuple[int, int]:
    return span.line, span.column


def type_text(node: Variable | BaseExpr) -> str:
    """Return the type of a variable, a buffer or an expression, as script annotates it."""
    if isinstance(node, Buffer):
        # The line that declares it, between its shape and its name.
        return script.print(node).splitlines()[-2].partition(" = ")[2]
    if isinstance(node, SizeVar):
        return f'tir.SizeVar("{node.dtype}")'
    annotation = getattr(node, "type_annotation", None)
    if annotation is None and isinstance(node, RelayExpr):
        annotation = node.checked_type
    if annotation is None and isinstance(node, PrimExpr):
        return f"tir.{node.dtype}"
    return str(annotation) if annotation is not None else "of an unknown type"


def _operator(word: Word, names: Names) -> str | None:
    """Return the signature and the documentation of an operator, or of another name of script."""
    split = split_path(names, word.path)
    if split is None:
        return None
    package, name = split
    found = getattr(import_module(f"uir.{package}"), name, None)
    if not callable(found):
        return None
    head = _code(f"{package}.{name}{signature_of(found)}")
    return f"{head}\n\n{summary_of(found)}"


def summary_of(found: object) -> str:
    """Return the first line of the documentation of a function; empty without one."""
    return (inspect.getdoc(found) or "").partition("\n")[0]


class _Annotation(str):
    """An annotation as a signature shows it, without quotes."""

    __repr__ = str.__str__


def signature_of(found: Callable[..., object]) -> str:
    """Return the parameters and the result of a function; empty if Python does not know them."""
    try:
        signature = inspect.signature(found)
    except ValueError:
        return ""
    params = [
        one if one.annotation is one.empty else one.replace(annotation=_Annotation(one.annotation))
        for one in signature.parameters.values()
    ]
    result = signature.return_annotation
    if isinstance(result, str):
        result = _Annotation(result)
    return str(signature.replace(parameters=params, return_annotation=result))


def _expression(program: Program, line: int, column: int) -> str | None:
    """Return the innermost expression at a position with its type."""
    for span, node in program.expressions:
        if holds(span, line, column):
            text = str(node)
            return _code(f"{text}: {type_text(node)}") if len(text) < _LONG else None
    return None


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
