"""Where the user's code has a node of a program."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

__all__ = ["source_of"]

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
    entries = list(ENTRY.finditer(node.meta.get("stack_trace") or ""))
    folder = str(Path(importlib.import_module("torch").__file__ or "").parent)
    own = [one for one in entries if not one["file"].startswith(folder)] or entries
    if not own:
        return ""
    last = own[-1]
    modules = [path for path, _ in (node.meta.get("nn_module_stack") or {}).values() if path]
    inside = f", in `{modules[-1]}`" if modules else ""
    return f"{last['file']}:{last['line']}{inside}: `{last['text'].strip()}`"
