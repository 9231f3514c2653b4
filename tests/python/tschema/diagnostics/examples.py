"""The examples of explanations as projects, and the page `diagnostics.md` of all of them.

In: explanations.  Out: files and commands of an example; the text of the page.
"""

from __future__ import annotations

from tschema.diagnostics.explain import Block, Explanation, Kind, explanation, titles

__all__ = ["HEADER", "commands_of", "files_of", "page"]

HEADER = """\
from tschema import Object, declare, dialect, field, function, method, operand, operator, ty


"""
"""What a schema file of an example begins with."""

_GROUPS = {
    "TS00": "Files, imports and bases",
    "TS01": "Types and names",
    "TS02": "Fields and options",
    "TS03": "Functions, enums and documentation",
    "TS04": "The JSON IR",
    "TS05": "Configuration and plugins",
    "TS06": "Blocks and outputs",
    "TS07": "Hand-written code",
    "TS08": "Operators",
    "TS090": "Older versions",
    "TS091": "Imports of existing code",
    "TS095": "Edits by command",
    "TS098": "Releases of tvm-ffi",
    "TS10": "Changes of classes",
    "TS11": "Changes of fields",
    "TS12": "Changes of enums",
    "TS13": "Changes of methods and functions",
    "TS14": "Changes of operators",
    "TS15": "Adoption",
    "TS17": "Merging",
}
_INTRODUCTION = """\
# Diagnostics

Look up an error or a warning of `tschema` by its code, whose meaning never changes.
`tschema explain CODE` shows the same text. In the examples, schema files are in `schema/ir/` of a
package `toy`, and begin with

```python
from tschema import Object, declare, field, function, method, ty
```

A test makes this page from `tschema/diagnostics/explanations/`.
"""


_DEFAULT_PATHS = {"schema/ir/shape.py", "tschema.toml", ""}
_TITLES = {"given": "Given:", "wrong": "Wrong:", "right": "Right:"}


def files_of(found: Explanation, kind: Kind) -> dict[str, str]:
    """Return the files of an example by path; schema files as they are shown."""
    chosen = (block for block in found.blocks if block.kind in ("given", kind))
    return {block.path: block.text for block in chosen if block.path}


def commands_of(found: Explanation, kind: Kind) -> list[str]:
    """Return the commands that show whether an example is right."""
    chosen = (block for block in found.blocks if block.kind in ("given", kind))
    lines = [line for block in chosen if not block.path for line in block.text.splitlines()]
    return [line.removeprefix("$ ") for line in lines] or ["tschema ir"]


def page() -> str:
    """Return the page that explains every code, in Markdown."""
    parts = [_INTRODUCTION.strip()]
    for start, title in _GROUPS.items():
        codes = [code for code in titles() if _group(code) == start]
        parts += [f"## {title}", *(_section(explanation(code)) for code in codes)]
    return "\n\n".join(parts) + "\n"


def _group(code: str) -> str:
    """Return the start of the group of a code: the last one that is not above it."""
    return max(start for start in _GROUPS if start <= code)


def _section(found: Explanation) -> str:
    parts = [f"### {found.code}: {found.title}", found.text]
    for kind, title in _TITLES.items():
        blocks = [block for block in found.blocks if block.kind == kind]
        parts += [title, *map(_fenced, blocks)] if blocks else []
    return "\n\n".join(parts)


def _fenced(block: Block) -> str:
    head = f"`{block.path}`\n\n" if block.path not in _DEFAULT_PATHS else ""
    return f"{head}```{block.language}\n{block.text}```"
