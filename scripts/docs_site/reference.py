"""The pages that are made for the site: of registries, commands and the Python API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, isfunction

from .commands import commands_page
from .passes import passes_page
from .registry import registry_page
from .rust import rust_page

__all__ = ["API", "reference_pages", "with_anchors"]

API = (
    *(f"uir.{name}" for name in ("arith", "driver", "ir", "relay", "runtime", "schedule")),
    "uir.quantization",
    *(f"uir.{name}" for name in ("script", "target", "te", "testing", "tir", "transform")),
    "uir.tuning",
    "uir.viz",
    "uir.frontend.onnx",
    "uir.frontend.torch",
    "tschema",
    "tschema.ty",
    "tschema.runtime",
    "tschema.testing",
)
"""The modules whose names users import."""

_SHOWN = """\
    options:
      show_root_heading: true
      show_root_toc_entry: true
      show_root_full_path: false
"""
_CODE = re.compile(r"^### (TS\d+)", re.MULTILINE)


def reference_pages() -> dict[str, str]:
    """Return the Markdown of each page, by the path that gives its address."""
    return {
        "reference/passes.md": passes_page(),
        "reference/registry.md": registry_page(),
        "reference/commands.md": commands_page(),
        "reference/rust.md": rust_page(),
        **{f"reference/python/{name}.md": api_page(name) for name in API},
    }


def api_page(module: str) -> str:
    """Return the page of the names that a module exports."""
    hidden = (f"::: {name}\n{_SHOWN}\n" for name in _hidden_by_modules(module))
    return f"# `{module}`\n\n::: {module}\n\n{''.join(hidden)}"


def _hidden_by_modules(module: str) -> Iterator[str]:
    """Yield the full names of functions and classes that have the names of their modules.

    mkdocstrings, which imports nothing, takes these names for those of the modules.
    """
    exported = import_module(module)
    for name in exported.__all__:
        value = getattr(exported, name)
        if (isfunction(value) or isclass(value)) and value.__module__.endswith(f".{name}"):
            yield f"{value.__module__}.{name}"


def with_anchors(diagnostics: str) -> str:
    """Return the page of diagnostics with an anchor for each, its code alone."""
    return _CODE.sub(r'<a id="\1"></a>\n\n### \1', diagnostics)
