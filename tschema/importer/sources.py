"""The sources of an import: registries, headers, or both.

In: names of packages, paths of libraries and of headers.  Out: `Sources`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tschema.diagnostics.errors import schema_error
from tschema.importer.invalid_classes import drop_invalid
from tschema.importer.records import Found
from tschema.importer.registry import ask_registry, is_library, read_registry
from tschema.ir.key_roots import first_parts, is_fitting

if TYPE_CHECKING:
    from tschema.importer.differences import Difference


class Sources(Struct, frozen=True):
    """The found classes, and the keys of the wanted ones."""

    found: Found
    wanted: frozenset[str]
    """Keys of the classes to declare."""
    differences: tuple[Difference, ...]
    """The facts on which a registry and the headers disagree."""
    name: str
    """The name of a package that would hold all of this."""
    written: frozenset[str] = frozenset()
    """Keys of the classes that the headers declare."""
    foreign: tuple[str, ...] = ()
    """Keys that were left out, as they are those of another library."""


def find_all(
    registries: Sequence[str],
    headers: Sequence[Path],
    python: str | None,
    prefixes: Sequence[str],
) -> Sources:
    """
    Read registries and headers.

    Parameters
    ----------
    registries
        Names of packages, and paths of shared libraries.
    python
        The interpreter that has the packages; the running one if None.
    prefixes
        The dotted prefixes of wanted keys; without one, all keys are wanted except those that
        tvm-ffi itself registers.

    Raises
    ------
    SchemaError
        A source cannot be read, has no class that is wanted, or a wanted class that no schema can
        say.
    """
    keys: set[str] = set()
    with ThreadPoolExecutor(1) as other:
        # A process of its own tells the registry, while this one reads the headers.
        asked = other.submit(ask_registry, registries, python) if registries else None
        written = _read(headers) if headers else None
        registry = asked.result() if asked is not None else None
    told = None
    if registry is not None:
        told = read_registry(registry, f"the registry of {', '.join(registries)}")
        keys.update(one.key for one in registry.types if one.own and one.parent is not None)
    if written is not None:
        known = {one.key for one in told.classes} if told is not None else set()
        keys.update(one.key for one in written.classes if one.key and one.key not in known)
    found, differences = _together(told, written)
    wanted = frozenset(key for key in keys if _has_prefix(key, prefixes))
    if not wanted:
        what = f"no type key of {found.source} begins with {', '.join(map(repr, prefixes))}"
        if not prefixes:
            what = f"{found.source} has no type of its own"
        raise schema_error("TS093", what, help="name the prefix of type keys that are there")
    found = drop_invalid(found, wanted, Path.cwd())
    told_of = tuple(one for one in differences if _has_prefix(one.key, prefixes))
    name = _package(sorted(wanted)) if headers else _name(registries[-1])
    headed = {one.key for one in written.classes if one.key} if written is not None else ()
    return Sources(found, wanted, told_of, name, frozenset(headed))


def without_other_libraries(sources: Sources, roots: Container[str]) -> Sources:
    """
    Leave out the keys that a library's dependencies register.

    Parameters
    ----------
    sources
        The found classes. Without headers, all of them count as the library's own.
    roots
        The first parts of the keys that the project declares.
    """
    if not sources.written:
        return sources
    foreign = {
        key for key in sources.wanted - sources.written if key.partition(".")[0] not in roots
    }
    differences = tuple(one for one in sources.differences if one.key not in foreign)
    return replace(
        sources,
        wanted=sources.wanted - foreign,
        differences=differences,
        foreign=tuple(sorted(foreign)),
    )


def _root(headers: Sequence[Path]) -> Path | None:
    """Return the folder that messages name headers from: the current one, if all are below it."""
    here = Path.cwd()
    return here if all(path.resolve().is_relative_to(here) for path in headers) else None


def _read(headers: Sequence[Path]) -> Found:
    from tschema.importer.headers import read_headers  # Takes long to import.

    return read_headers(headers, _root(headers))


def _together(
    registry: Found | None, headers: Found | None
) -> tuple[Found, tuple[Difference, ...]]:
    """Return what both tell, or the one that there is."""
    if registry is None or headers is None:
        return registry or headers or Found(source="nothing"), ()
    from tschema.importer.combine import combine  # Takes long to import.

    return combine(registry, headers)


def _has_prefix(key: str, prefixes: Sequence[str]) -> bool:
    return not prefixes or any(f"{key}.".startswith(f"{one.rstrip('.')}.") for one in prefixes)


def _name(source: str) -> str:
    """Return the name of a package or a library."""
    stem = Path(source).name.partition(".")[0] if is_library(source) else source
    return stem.removeprefix("lib").replace("-", "_").partition(".")[0].lower()


def _package(keys: Sequence[str]) -> str:
    """Return the first part of keys that names the package best."""
    firsts = first_parts(keys)
    return firsts[0] if is_fitting(firsts[0], keys) else "schema"
