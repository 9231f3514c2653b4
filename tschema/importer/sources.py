"""What an import is made from.

In: names of packages and paths of libraries.  Out: `Sources`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import schema_error
from tschema.importer.records import Found
from tschema.importer.registry import ask_registry, is_library, read_registry


class Sources(Struct, frozen=True):
    """What was found, and what of it is wanted."""

    found: Found
    wanted: frozenset[str]
    """Keys of the classes to declare."""
    name: str
    """What a package of all this would be called."""


def find_all(registries: Sequence[str], python: str | None, prefixes: Sequence[str]) -> Sources:
    """
    Read registries.

    Parameters
    ----------
    registries
        Names of packages, and paths of shared libraries.
    python
        The interpreter that has the packages; the running one if None.
    prefixes
        The dotted prefixes of wanted keys; all keys are wanted if there is none, but for those
        that tvm-ffi itself registers.

    Raises
    ------
    SchemaError
        A source cannot be read, or has no class that is wanted.
    """
    registry = ask_registry(registries, python)
    found = read_registry(registry, f"the registry of {', '.join(registries)}")
    keys = [one.key for one in registry.types if one.own and one.parent is not None]
    wanted = frozenset(key for key in keys if _has_prefix(key, prefixes))
    if not wanted:
        what = f"no type key of {found.source} begins with {', '.join(map(repr, prefixes))}"
        if not prefixes:
            what = f"{found.source} has no type of its own"
        raise schema_error("TS093", what, help="name the prefix of type keys that are there")
    return Sources(found, wanted, _name(registries[-1]))


def _has_prefix(key: str, prefixes: Sequence[str]) -> bool:
    return not prefixes or any(f"{key}.".startswith(f"{one.rstrip('.')}.") for one in prefixes)


def _name(source: str) -> str:
    """Return what a package or a library is called."""
    stem = Path(source).name.partition(".")[0] if is_library(source) else source
    return stem.removeprefix("lib").replace("-", "_").partition(".")[0].lower()
