"""Lookup of the schema of an installed package.

In: the package's name.  Out: the path of its JSON IR.  The package is not imported, so that its
code does not run.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from tschema.diagnostics.errors import Diagnostic, SchemaError, schema_error
from tschema.diagnostics.source import Span
from tschema.project.config import Config, load_config


def find_imports(config: Config) -> dict[str, Path]:
    """
    Find the JSON IR of each package that a project imports.

    Raises
    ------
    SchemaError
        A package is not installed, or ships no schema; all are reported, where they are named.
    """
    found: dict[str, Path] = {}
    faults: list[Diagnostic] = []
    for package in config.imports:
        try:
            found[package] = find_schema(package)
        except SchemaError as error:
            span = _named_at(config, package)
            faults += (replace(one, span=one.span or span) for one in error.diagnostics)
    if faults:
        raise SchemaError(faults)
    return found


def _named_at(config: Config, package: str) -> Span:
    """Return where a configuration names a package to import."""
    key = config.locate("imports")
    for number, line in enumerate(key.file.text.split("\n")[key.line - 1 :], key.line):
        for quote in "\"'":
            if (column := line.find(f"{quote}{package}{quote}")) >= 0:
                return Span(key.file, number, column + 1, number, column + len(package) + 3)
        if line.rstrip().endswith("]"):
            break
    return key


def find_schema(package: str) -> Path:
    """
    Find the JSON IR that a package ships.

    Parameters
    ----------
    package
        Name of a package that this Python can import.

    Returns
    -------
    path
        `schema/schema.json` in the package's folder; or, where the package is a checkout, the
        `ir` file of the project it belongs to.

    Raises
    ------
    SchemaError
        The package is not installed, or ships no schema.
    """
    folders = _package_folders(package)
    if not folders:
        message = f"imported package `{package}` is not installed"
        raise schema_error("TS054", message, f"pip install {package}")
    for folder in folders:
        shipped = folder / "schema" / "schema.json"
        if shipped.is_file():
            return shipped
    for folder in folders:
        found = _checkout_schema(package, folder)
        if found:
            return found
    raise schema_error(
        "TS054",
        f"imported package `{package}` ships no schema",
        f"looked for `schema/schema.json` in {' and '.join(f'`{folder}`' for folder in folders)}",
    )


def _package_folders(package: str) -> list[Path]:
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = PathFinder.find_spec(package)
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]


def _checkout_schema(package: str, folder: Path) -> Path | None:
    """Return the JSON IR of the project that a package's folder lies in."""
    for parent in folder.resolve().parents:
        path = parent / "tschema.toml"
        if path.is_file():
            config = load_config(path)
            schema = config.root / config.ir
            return schema if config.package == package and schema.is_file() else None
    return None
