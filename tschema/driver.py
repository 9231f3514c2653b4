"""The whole flow of the command, from a configuration to files.

In: a `Request`.  Out: a `Plan` of what the files are to be, which `apply` writes.  Each stage takes
values and gives values; the driver alone knows them all, and it neither prints nor exits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath

from tschema import blocks, codec, output, packages, passes, regions
from tschema.backends import load_backend
from tschema.backends.base import OutputFile
from tschema.config import Config, Target
from tschema.errors import Diagnostic, Reporter, SchemaError
from tschema.format import format_texts
from tschema.frontend import parse_schema
from tschema.model import Schema
from tschema.ownership import find_generated, header_sources, is_below
from tschema.render import Renderer

__all__ = ["Plan", "Progress", "Request", "apply", "build_schema", "make_plan"]

Progress = Callable[[str], None]
"""Told of each stage as it begins."""


@dataclass(frozen=True)
class Request:
    """What is to be generated."""

    config: Config
    languages: frozenset[str] | None = None
    """The targets to write; all that are configured if None."""
    paths: tuple[Path, ...] = ()
    """Schema files and folders whose outputs are wanted; all if empty."""
    out_dir: Path | None = None
    """The folder that output paths are relative to, instead of the project's root."""

    @property
    def root(self) -> Path:
        """The folder that outputs go to."""
        return self.out_dir.absolute() if self.out_dir else self.config.root

    def targets(self) -> dict[str, Target]:
        """Return the targets to write, by language."""
        targets = self.config.targets()
        wanted = targets.keys() if self.languages is None else self.languages
        return {language: targets[language] for language in targets if language in wanted}


@dataclass(frozen=True)
class Plan:
    """What a run makes of the files on disk; nothing is written yet."""

    root: Path
    files: Mapping[PurePosixPath, bytes]
    """What is to be there."""
    old: Mapping[PurePosixPath, bytes]
    """What is there, of `files` and of outdated ones."""
    changes: output.Changes
    edits: tuple[regions.HandEdit, ...]
    """Hand edits of generated text, which `apply` throws away."""
    warnings: tuple[Diagnostic, ...]


def make_plan(request: Request, progress: Progress) -> Plan:
    """
    Work out everything that a run writes.

    Parameters
    ----------
    request
        What is to be generated.
    progress
        Told of each stage.

    Returns
    -------
    plan
        The files, and what changes.

    Raises
    ------
    SchemaError
        The schema, or a file to be written, is wrong.
    FormatError
        A formatter is missing or failed.
    OutputError
        A file that is there cannot be read.
    """
    progress("reading the schema")
    schema, warnings = build_schema(request.config)
    progress("rendering")
    emitted = _emit(schema, request)
    progress("formatting")
    sealed = _seal(format_texts({file.path: file.text for file in emitted}, request.config.root))
    progress("comparing")
    chosen = _choose(sealed, schema, request)
    old = output.read_outputs(request.root, [*chosen, *_outdated(sealed, request)])
    _check_owned(chosen, old)
    merged = regions.merge(chosen, old, _renamed_blocks(schema))
    if merged.lost:
        raise SchemaError(merged.lost)
    changes = output.compare(merged.files, old)
    return Plan(request.root, merged.files, old, changes, tuple(merged.edits), warnings)


def apply(plan: Plan) -> None:
    """
    Write what a plan changes, and nothing else.

    Parameters
    ----------
    plan
        The plan; its hand edits are thrown away.

    Raises
    ------
    OutputError
        A file cannot be written, or lies outside the root.
    """
    if plan.changes:
        output.write(plan.root, plan.files, plan.changes)


def build_schema(config: Config) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """
    Read a project's declarations.

    Parameters
    ----------
    config
        The project.

    Returns
    -------
    schema
        The JSON IR.
    warnings
        What is worth a remark.

    Raises
    ------
    SchemaError
        The declarations are wrong; every fault is reported.
    """
    imports = {package: _read_import(package) for package in config.imports}
    declarations = parse_schema(config.root, config.schema, config.package)
    return passes.build_schema(config.package, declarations, imports)


def _read_import(package: str) -> Schema:
    path = packages.find_schema(package)
    return codec.decode(path.read_bytes(), str(path))


def _emit(schema: Schema, request: Request) -> list[OutputFile]:
    """Run the backends; the JSON IR is an output like any other."""
    renderer = Renderer()
    files = [OutputFile(request.config.ir, "json", codec.encode(schema).decode())]
    for language, target in request.targets().items():
        files += load_backend(language)(schema, target, renderer)
    if len({file.path for file in files}) < len(files):
        raise AssertionError("two outputs have one path")
    return files


def _seal(texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, bytes]:
    try:
        return {path: blocks.seal(str(path), text.encode()) for path, text in texts.items()}
    except SchemaError as error:
        raise AssertionError(f"a backend emits wrong markers\n{error}") from error


def _choose(
    files: Mapping[PurePosixPath, bytes], schema: Schema, request: Request
) -> dict[PurePosixPath, bytes]:
    """Return the files that are made from the schema files that the request names."""
    if not request.paths:
        return dict(files)
    known = [space.source for space in schema.namespaces]
    wanted = [_relative(path, request.config.root) for path in request.paths]
    reporter = Reporter()
    for path in wanted:
        if not any(is_below(source, path) for source in known):
            reporter.error("TS055", f"no schema file of `{schema.package}` at `{path}`", None)
    reporter.stop_on_error()
    return {path: data for path, data in files.items() if _is_wanted(data, wanted)}


def _is_wanted(data: bytes, wanted: list[str]) -> bool:
    sources = header_sources(data)
    return not sources or any(
        is_below(source, path) or is_below(path, source) for source in sources for path in wanted
    )


def _relative(path: Path, root: Path) -> str:
    path = path.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _outdated(files: Mapping[PurePosixPath, bytes], request: Request) -> list[PurePosixPath]:
    """Return the generated files in the targets' folders that nothing makes any more."""
    found = find_generated(request.root, _folders(request))
    wanted = [_relative(path, request.config.root) for path in request.paths]
    return [
        path
        for path, head in found.items()
        if path not in files
        and _is_ours(header_sources(head), request.config)
        and (not wanted or _is_wanted(head, wanted))
    ]


def _folders(request: Request) -> list[PurePosixPath]:
    return [
        value
        for target in request.targets().values()
        for field in fields(target)
        if isinstance(value := getattr(target, field.name), PurePosixPath)
    ]


def _is_ours(sources: tuple[str, ...], config: Config) -> bool:
    """Return whether no other project can have generated a file."""
    return all(
        any(is_below(source, str(schema)) for schema in config.schema)
        or not (config.root / source).exists()
        for source in sources
    )


def _check_owned(files: Mapping[PurePosixPath, bytes], old: Mapping[PurePosixPath, bytes]) -> None:
    """Refuse to replace files that somebody else has written."""
    reporter = Reporter()
    for path, data in files.items():
        if path in old and old[path].strip() and _is_foreign(old[path], data):
            reporter.error(
                "TS066",
                f"`{path}` was not generated by tschema, and would be overwritten",
                None,
                help="move it away, or change the output paths in the configuration",
            )
    reporter.stop_on_error()


def _is_foreign(old: bytes, new: bytes) -> bool:
    """Return whether an old file lacks what tells the new one as tschema's."""
    if header_sources(new):
        return not header_sources(old)
    return new.startswith(b"{") and not (b'"version"' in old and b'"package"' in old)


def _renamed_blocks(schema: Schema) -> dict[str, str]:
    """Return the new names of blocks with their old ones, for classes with `renamed_from`."""
    renamed: dict[str, str] = {}
    for namespace in schema.namespaces:
        for type_ in namespace.types:
            if type_.options.renamed_from:
                renamed[type_.name] = type_.options.renamed_from
                renamed[type_.ref] = type_.options.renamed_from.removesuffix("Node")
    return renamed
