"""The page of passes and their options.

In: the registries of uir, the declarations of options.  Out: Markdown with an anchor for each pass
and option.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from uir import schedule, transform

from .addresses import ROOT
from .cells import cell, row_anchor

__all__ = ["options_by_pass", "passes_page"]

HEAD = """# Passes and options

Look up a pass by its name, and the options that a context sets.
[Passes](../docs/compiler/passes.md) is the guide.

"""


class Option(NamedTuple):
    """An option of a pass: its name, and its type, default and meaning as text."""

    name: str
    type_name: str
    default: str
    meaning: str


def passes_page() -> str:
    """Return the page of the passes of uir, each with its options."""
    options = options_by_pass()
    passes = [_pass_part(name, options.pop(name, [])) for name in transform.list_pass_names()]
    shared = [f"### {name}\n\n{_options_table(rows)}" for name, rows in options.items()]
    return "".join([HEAD, *passes, "## Options of several passes\n\n", *shared])


def options_by_pass() -> dict[str, list[Option]]:
    """Return the declared options, by the first part of their names."""
    registered = transform.list_options()
    found: dict[str, list[Option]] = {}
    for name, default, meaning in _declared_options():
        option = Option(name, registered[name], default, meaning)
        found.setdefault(name.partition(".")[0], []).append(option)
    return found


def _declared_options() -> Iterator[tuple[str, str, str]]:
    """Yield the name, the default and the meaning of each option that the schema declares."""
    schema = json.loads((ROOT / "generated/schema.json").read_text())
    for node in (one for part in schema["namespaces"] for one in part.get("types", ())):
        if node["parent"] == "uir.transform.PassOptions":
            of_pass = node["ref"].removesuffix("Options")
            for one in node["fields"]:
                default = json.dumps(one["default"].get("value", []))
                yield f"{of_pass}.{one['name']}", default, one["doc"]


def _pass_part(name: str, options: list[Option]) -> str:
    """Return the part of a pass; nothing for one that is registered by others."""
    module = next((one for one in (transform, schedule) if hasattr(one, name)), None)
    if module is None:
        return ""
    reference = f"::: {module.__name__}.{name}\n    options:\n"
    shown = "      show_root_heading: false\n      show_root_toc_entry: false\n\n"
    return f"## {name}\n\n{reference}{shown}{_options_table(options)}"


def _options_table(options: list[Option]) -> str:
    if not options:
        return ""
    rows = (
        f"| {row_anchor(one.name)}`{one.name}` | `{one.type_name}` | `{one.default}` "
        f"| {cell(one.meaning)} |\n"
        for one in options
    )
    return f"| option | type | default | meaning |\n|---|---|---|---|\n{''.join(rows)}\n"
