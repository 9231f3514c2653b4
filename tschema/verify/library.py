"""Checks that the built library registers the declarations.

In: a schema and a library.  Out: diagnostics.  The library is loaded in a separate process, in case
it crashes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic
from tschema.ir.locate import Locator
from tschema.ir.model import Schema, Type
from tschema.platforms import library_name
from tschema.project.config import Config

_PROBE = "tschema.runtime.probe"


class _Registered(Struct, frozen=True):
    """The registrations of one type by a library."""

    digest: str | None
    owner: str | None
    methods: frozenset[str]
    fields: frozenset[str]


def find_library(config: Config) -> Path | None:
    """Return the library of a project that was built, or None."""
    if config.verify.library is not None:
        return config.root / config.verify.library
    name = library_name(config.package)
    candidates = (config.root / folder / name for folder in ("build/lib", "build"))
    return next((path for path in candidates if path.is_file()), None)


def check_library(schema: Schema, library: Path, locator: Locator) -> Iterator[Diagnostic]:
    """Yield the declarations that a library does not register as declared."""
    answer = _probe(schema, library)
    if isinstance(answer, str):
        help = "build it again, from what `tschema gen` has written"
        yield Diagnostic("TS075", "error", f"library `{library}`: {answer}", help=help)
        return
    types, functions = answer
    if not types and not functions.intersection(_function_keys(schema)):
        yield from _check_foreign(schema, library)
        return
    for space in schema.namespaces:
        for type_ in space.types:
            found = types.get(type_.key)
            if type_.is_registered:
                yield from _check_type(type_, found, library, locator)
            elif type_.options.register == "hand" and _registered(type_):
                yield from _check_by_hand(type_, found, library, locator)
        for function in space.functions:
            if function.key not in functions:
                message = f"`{library.name}` does not register function `{function.key}`"
                yield _fault("TS077", message, locator, function.key)


def _check_foreign(schema: Schema, library: Path) -> Iterator[Diagnostic]:
    """Yield one diagnostic where a library has nothing of a package."""
    has_types = any(type_.is_registered for type_ in schema.types())
    if has_types or _function_keys(schema):
        what = "type" if has_types else "function"
        message = f"`{library.name}` registers no {what} of package `{schema.package}`"
        help = "name the package's own library, or build it again"
        yield Diagnostic("TS076" if has_types else "TS077", "error", message, help=help)


def _function_keys(schema: Schema) -> frozenset[str]:
    return frozenset(one.key for space in schema.namespaces for one in space.functions)


def _check_type(
    type_: Type, found: _Registered | None, library: Path, locator: Locator
) -> Iterator[Diagnostic]:
    key = type_.key
    if found is None or found.digest is None:
        yield _fault("TS076", f"`{library.name}` does not register type `{key}`", locator, key)
        return
    if found.digest != type_.layout.digest:
        message = f"`{library.name}` registers type `{key}` with another layout"
        detail = f" (digest {found.digest}, declared {type_.layout.digest})"
        yield _fault("TS076", message + detail, locator, key)
    if found.owner is not None and os.path.basename(found.owner) != library.name:
        message = f"type `{key}` is registered by `{found.owner}`, not by `{library.name}`"
        yield _fault("TS076", message, locator, key)
    for method in type_.methods:
        if method.name not in found.methods:
            message = f"`{library.name}` does not register method `{method.name}` of `{key}`"
            yield _fault("TS077", message, locator, key, method.name)


def _registered(type_: Type) -> dict[str, str]:
    """Return the members that a class by hand must register, and the kind of each."""
    fields = {one.name: "field" for one in type_.fields}
    return fields | {one.name: "method" for one in type_.methods}


def _check_by_hand(
    type_: Type, found: _Registered | None, library: Path, locator: Locator
) -> Iterator[Diagnostic]:
    """Yield the declarations of a class that the author's code does not register."""
    key = type_.key
    if found is None:
        yield _fault("TS076", f"`{library.name}` does not register type `{key}`", locator, key)
        return
    for name, kind in _registered(type_).items():
        if name not in found.fields | found.methods:
            message = f"`{library.name}` does not register {kind} `{name}` of `{key}`"
            yield _fault("TS076" if kind == "field" else "TS077", message, locator, key, name)


def _fault(
    code: str, message: str, locator: Locator, key: str, member: str | None = None
) -> Diagnostic:
    help = "build the library again, from what `tschema gen` has written"
    return Diagnostic(code, "error", message, locator.span(key, member), help=help)


def _probe(schema: Schema, library: Path) -> tuple[dict[str, _Registered], frozenset[str]] | str:
    """Ask a library for its registrations; return the reason as text if that fails."""
    if len(library.parts) > 1 and not library.is_file():
        return "there is no such file"
    keys = [type_.key for type_ in schema.types() if type_.options.extern is None]
    # Not by its full path alone: a name without a folder is one for the system to find.
    name = os.fspath(library.absolute() if len(library.parts) > 1 else library)
    process = subprocess.run(
        [sys.executable, "-m", _PROBE, name],
        input=json.dumps(keys),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=_environment(),
    )
    if process.returncode < 0:
        return f"loading it ends the process with signal {-process.returncode}"
    if process.returncode:
        last = process.stderr.strip().splitlines()[-1:] or [f"status {process.returncode}"]
        return last[0]
    document = json.loads(process.stdout)
    types = {
        key: _Registered(
            row["digest"], row["owner"], frozenset(row["methods"]), frozenset(row["fields"])
        )
        for key, row in document["types"].items()
    }
    return types, frozenset(document["functions"])


def _environment() -> dict[str, str]:
    """Return an environment in which Python finds this tschema."""
    home = str(Path(__file__).resolve().parents[2])
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
