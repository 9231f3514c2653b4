"""`uir targets` and `uir cache`: the machine, the options of targets, and the compiled objects."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator, Mapping
from typing import Any

from uir_nodes.target import Target

from ..driver import cache_folder, cache_size, clear_cache, find_compiler
from .cpu_features import NEEDED, SHOWN, instruction_sets, machine_features
from .json_output import add_json, print_json
from .table import rows_text, size_text

__all__ = ["add_cache", "add_targets"]


def add_targets(commands: Any) -> None:
    """Add the command `targets`."""
    parser = commands.add_parser(
        "targets",
        help="print the machine, and the options of targets with their defaults",
        description="Print the machine and its C compiler, and the options of targets.",
    )
    add_json(parser)
    parser.set_defaults(run=run_targets)


def run_targets(options: argparse.Namespace) -> None:
    """Print the machine, and each option of a target.

    Raises
    ------
    RuntimeError
        If there is no C compiler.
    """
    machine: dict[str, str] = {
        "machine": platform.machine(),
        "compiler": " ".join(find_compiler()),
    }
    features = machine_features()
    missing = None if features is None else instruction_sets(features)
    fields = getattr(Target, "__tvm_ffi_type_info__").fields  # noqa: B009
    found = [
        {"name": str(one.name), "default": str(one.c_default), "doc": " ".join(one.doc.split())}
        for one in fields
    ]
    if options.json:
        shown = None if features is None else [one for one in SHOWN if one in features]
        sets = {"features": shown, "instruction_sets": missing}
        print_json({**machine, **sets, "options": found})
        return
    print(rows_text([*machine.items(), *feature_rows(features, missing)]))
    for one in found:
        default = f"`{one['default']}`" if one["default"] else "empty"
        print(f"\n{one['name']}: {default} by default\n  {one['doc']}")


def feature_rows(
    features: frozenset[str] | None, missing: Mapping[str, list[str] | None] | None
) -> Iterator[tuple[str, str]]:
    """Yield the rows about the processor: its features, and whether it runs instruction sets."""
    if features is None or missing is None:
        yield "features", "not known: the system does not list them"
        return
    yield "features", ", ".join(one for one in SHOWN if one in features) or "none"
    yield "native", "all of them that the C compiler knows"
    for name, lacked in missing.items():
        if lacked is None:
            yield name, "for other machines"
            continue
        uses = ", ".join(NEEDED[name]) or "no features"
        yield name, f"lacks {', '.join(lacked)}" if lacked else f"runs here, uses {uses}"


def add_cache(commands: Any) -> None:
    """Add the command `cache`."""
    parser = commands.add_parser(
        "cache",
        help="print the folder or the size of the compiled objects, or remove them",
        description="Print the folder or the size of the cache of compiled objects, or clear it.",
    )
    parser.add_argument("action", choices=["path", "size", "clear"])
    add_json(parser)
    parser.set_defaults(run=run_cache)


def run_cache(options: argparse.Namespace) -> None:
    """Print the folder, print the size, or remove all objects.

    Raises
    ------
    RuntimeError
        If there is no home folder, or an object cannot be removed.
    """
    folder = cache_folder()
    if folder is None:
        raise RuntimeError("there is no home folder; set `UIR_CACHE_DIR`")
    size = cache_size()
    if options.action == "clear":
        clear_cache()
    if options.json:
        name = "removed_bytes" if options.action == "clear" else "size_bytes"
        print_json({"folder": str(folder), name: size})
    elif options.action != "clear":
        print(folder if options.action == "path" else size_text(size))
