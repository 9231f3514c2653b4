"""The project to build: a configured one, or schema files alone.

In: the arguments.  Out: a `Config` with a C++ target.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from tschema.diagnostics.errors import SchemaError, schema_error
from tschema.project.config import Config, CppTarget, InPlaceTarget, find_config, load_config
from tschema.project.folders import schema_files

MADE_UP = CppTarget("files", PurePosixPath("include"), PurePosixPath("src"))
"""Where C++ goes that the project has no place for: in the folder that is built in alone."""


def choose_project(
    config_path: Path | None, schema: Path | None, package: str | None, output: Path | None
) -> Config:
    """
    Return the project to build.

    Parameters
    ----------
    config_path
        The configuration that was named.
    schema
        The folder or file of declarations that was named; None for those of the project.
    package
        The package that was named.
    output
        The library to make; its name tells the package of schema files without a configuration.

    Returns
    -------
    config
        The project that was named, or that the schema belongs to; else one made up for the schema.

    Raises
    ------
    SchemaError
        There is no project and no schema, or the C++ is written in place.
    """
    if config_path is not None or schema is None:
        return _with_cpp(load_config(config_path or find_config(Path.cwd())))
    nearest = _project_of(schema)
    if nearest is not None and package in (None, nearest.package):
        return _with_cpp(nearest)
    return bare_project(schema, package or _package_of(output))


def bare_project(schema: Path, package: str) -> Config:
    """
    Make a project of schema files alone.

    Parameters
    ----------
    schema
        A folder or a file of declarations.
    package
        First part of every type key.

    Returns
    -------
    config
        Its root is the folder that the schema lies in; the packages whose schema is imported are
        those that the files name.

    Raises
    ------
    SchemaError
        There is no such file.
    """
    path = schema.absolute()
    if not path.exists():
        raise schema_error("TS055", f"no schema file of `{package}` at `{schema}`")
    return Config(
        root=path.parent,
        file=path.parent / "tschema.toml",
        package=package,
        schema=(PurePosixPath(path.name),),
        imports=tuple(sorted({*_imported_packages(path)} - {package})),
        ir=PurePosixPath("schema.json"),
        cpp=MADE_UP,
    )


def _with_cpp(config: Config) -> Config:
    if isinstance(config.cpp, InPlaceTarget):
        raise schema_error(
            "TS052",
            f"`{config.file.name}` has the C++ written in place, into files of the project's own",
            "build them with the project's build system",
        )
    return config if config.cpp else replace(config, cpp=MADE_UP)


def _project_of(schema: Path) -> Config | None:
    """Return the nearest project that has a file or folder among its declarations."""
    try:
        config = load_config(find_config(schema.absolute().parent))
    except SchemaError as error:
        if [one.code for one in error.diagnostics] == ["TS050"]:
            return None
        raise
    path = schema.resolve()
    folders = [(config.root / folder).resolve() for folder in config.schema]
    return config if any(path.is_relative_to(folder) for folder in folders) else None


def _package_of(output: Path | None) -> str:
    """Return `foo` for `libfoo.so`."""
    match = re.fullmatch(r"lib([A-Za-z_]\w*)\.\w+", output.name if output else "")
    if match is None:
        raise schema_error(
            "TS052",
            "the package of the declarations is not known",
            "write a `tschema.toml`, name it with `--package`, or have the library's name tell it: "
            "`-o libtoy.so`",
        )
    return match[1]


def _imported_packages(schema: Path) -> Iterator[str]:
    """Yield the packages of `from uir.schema.ir.expr import ...`; nothing is executed."""
    for path in schema_files(schema):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue  # The parser of declarations says where.
        for node in ast.walk(tree):
            package, _, rest = (getattr(node, "module", None) or "").partition(".")
            if isinstance(node, ast.ImportFrom) and rest.partition(".")[0] == "schema":
                yield package
