"""Where the user's code has a node of a program."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from uir_nodes.ir import SourceName, Span

__all__ = ["source_of", "span_of"]

# An entry of a trace, as Python prints it: the file, the line, and the text of the line.
ENTRY = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in .*\n +(?P<text>.*)')


def source_of(node: Any) -> str:
    """Return the line of the user's code that made a node, and the module that it is in.

    Parameters
    ----------
    node
        A node of the program.

    Returns
    -------
    str
        As in "model.py:12, in `layers.0`: `y = x.nonzero()`"; empty if the program does not have
        it. Lines of PyTorch itself are left out, unless there are no others.
    """
    found = own_entries(node) or entries_of(node)
    if not found:
        return ""
    last = found[-1]
    modules = [path for path, _ in (node.meta.get("nn_module_stack") or {}).values() if path]
    inside = f", in `{modules[-1]}`" if modules else ""
    return f"{last['file']}:{last['line']}{inside}: `{last['text'].strip()}`"


def span_of(node: Any) -> Span:
    """Return the line of the user's code that made a node.

    Parameters
    ----------
    node
        A node of the program.

    Returns
    -------
    Span
        The file and the 1-based line. The name of the node and line 0 if only PyTorch's own code,
        such as that of `nn.Sequential`, or none is known.
    """
    own = own_entries(node)
    if not own:
        return Span(SourceName(node.name), 0, 0)
    line = int(own[-1]["line"])
    return Span(SourceName(own[-1]["file"]), line, 0, line)


def entries_of(node: Any) -> list[re.Match[str]]:
    """Return the entries of the trace of a node, the innermost last."""
    return list(ENTRY.finditer(node.meta.get("stack_trace") or ""))


def own_entries(node: Any) -> list[re.Match[str]]:
    """Return the entries of the trace that are not in PyTorch."""
    folder = str(Path(importlib.import_module("torch").__file__ or "").parent)
    return [one for one in entries_of(node) if not one["file"].startswith(folder)]
