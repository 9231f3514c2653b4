"""The project that an import writes to: one that is there, or one that is made for it.

In: a configuration, or the keys that were found.  Out: a `Project`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Reporter, schema_error
from tschema.frontend.files import read_files
from tschema.importer.records import FoundClass
from tschema.ir.model import ROOT_KEY
from tschema.passes.cpp_namespaces import mapped_namespace
from tschema.project.config import Config
from tschema.regions.blocks import BOM


class Project(Struct, frozen=True):
    """The properties of the project that an import writes to."""

    config: Config
    schema: PurePosixPath
    """The schema's folder, relative to the root."""
    files: Mapping[PurePosixPath, str]
    """The schema files that are there, relative to the root."""
    new_config: str | None = None
    """The text of the configuration, where it is to be written."""

    def encode(self, path: PurePosixPath, text: str) -> bytes:
        """Return the bytes of a schema file; a byte order mark that is there stays."""
        place = self.config.root / path
        has_mark = path in self.files and place.read_bytes().startswith(BOM)
        return (BOM if has_mark else b"") + text.encode()

    def root_of(self, path: PurePosixPath) -> PurePosixPath:
        """Return the schema root that contains a file."""
        return next(root for root in self.config.schema if root in (path, *path.parents))

    def cpp_namespace(self, key: str) -> str:
        """Return the namespace of C++ that a type key has unless its class says otherwise."""
        return mapped_namespace(key.rpartition(".")[0], self.config.cpp_namespaces)


def project_of(config: Config, out: PurePosixPath | None) -> Project:
    """
    Return the project of a configuration.

    Parameters
    ----------
    out
        The schema folder to write to, relative to its root; the first one if None.

    Raises
    ------
    SchemaError
        The folder is not one that the configuration names.
    """
    folder = config.schema[0] if out is None else out
    if folder not in config.schema or (config.root / folder).is_file():
        message = f"`{folder}` is not a schema folder of `{config.file.name}`"
        raise schema_error("TS092", message, help="add it to `schema`, or leave out `--out`")
    return Project(config, folder, _texts(config.root, config.schema))


def new_project(
    root: Path, package: str, found: Iterable[FoundClass], out: PurePosixPath
) -> Project:
    """
    Return a project for classes that no configuration is there for.

    Parameters
    ----------
    package
        Its name, unless all keys begin with another one.
    found
        The classes that it declares.
    """
    classes = list(found)
    firsts = _firsts(one.key or "" for one in classes)
    name = next(iter(firsts)) if len(firsts) == 1 else package
    config = Config(
        root=root,
        file=root / "tschema.toml",
        package=name,
        schema=(out,),
        imports=(),
        ir=PurePosixPath("generated/schema.json"),
        roots=tuple(sorted(firsts - {name})),
        ignore=("TS036",),
        cpp_namespaces=_namespaces(classes),
    )
    return Project(config, out, _texts(root, [out]), _config_text(config))


def _namespaces(classes: Iterable[FoundClass]) -> dict[str, str]:
    """Return the prefixes of keys that C++ spells otherwise: as most of their classes do."""
    spaces: dict[str, list[str]] = {}
    for one in classes:
        if one.cpp_namespace and one.key is not None and "." in one.key:
            spaces.setdefault(one.key.rpartition(".")[0], []).append(one.cpp_namespace)
    found: dict[str, str] = {}
    for space in sorted(spaces, key=lambda space: (space.count("."), space)):
        names = spaces[space]
        most = max(sorted(set(names)), key=names.count)
        if mapped_namespace(space, found) != most:
            found[space] = most
    return found


def _config_text(config: Config) -> str:
    lines = [f'package = "{config.package}"']
    if config.roots:
        lines.append(f"roots = [{', '.join(map(_quoted, config.roots))}]")
    lines += [f'schema = ["{config.schema[0]}"]', f'ir = "{config.ir}"']
    lines += ["# Imported classes may have no documentation.", 'ignore = ["TS036"]', ""]
    if config.cpp_namespaces:
        pairs = config.cpp_namespaces.items()
        lines += ["[cpp.namespaces]", *(f'"{prefix}" = "{name}"' for prefix, name in pairs), ""]
    return "\n".join(lines)


def _quoted(name: str) -> str:
    return f'"{name}"'


def check_roots(project: Project, keys: Iterable[str]) -> None:
    """Refuse keys whose first part the project does not name.

    Raises
    ------
    SchemaError
        Some do.
    """
    config = project.config
    missing = sorted(_firsts(keys) - {config.package, *config.roots})
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        all_roots = ", ".join(map(_quoted, sorted({*config.roots, *missing})))
        message = f"keys begin with {listed}, which is neither the package nor one of `roots`"
        help = f"write `roots = [{all_roots}]` in {config.file.name}, or choose keys by `--key`"
        raise schema_error("TS092", message, help=help)


def _firsts(keys: Iterable[str]) -> set[str]:
    """Return the first parts of keys, without that of tvm-ffi's own, which none declares.

    A key that is nothing but its first part can be declared by none either.
    """
    return {key.partition(".")[0] for key in keys if "." in key} - {ROOT_KEY.partition(".")[0]}


def _texts(root: Path, folders: Iterable[PurePosixPath]) -> dict[PurePosixPath, str]:
    """Return the schema files that are there, without byte order marks."""
    reporter = Reporter()
    there = [folder for folder in folders if (root / folder).exists()]
    files = read_files(root, there, "", reporter)
    reporter.stop_on_error()
    return {PurePosixPath(file.source.path): file.source.text for file in files}
