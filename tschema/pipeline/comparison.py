"""Comparison of the results of a run with the files on disk.

In: `Made`, the rendered and formatted files of a run. Out: the new and the current contents of the
files. It reads files and does not write.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.conflict_markers import may_have_hunks
from tschema.diagnostics.errors import Diagnostic, Reporter, SchemaError
from tschema.ir.model import Schema
from tschema.output import files as output
from tschema.output.lock import lock_for_reading
from tschema.output.ownership import check_owned, find_generated, is_below, is_made_by, is_wanted
from tschema.pipeline.request import Request
from tschema.regions import blocks
from tschema.regions import merge as regions
from tschema.regions.marked_file import MarkedFile


class Made(Struct, frozen=True):
    """The output of a run, before it is compared with the files on disk."""

    sealed: dict[PurePosixPath, MarkedFile]
    """The formatted files that are out of date on disk."""
    kept: Mapping[PurePosixPath, bytes]
    """The files that stay as they are."""
    found: Mapping[PurePosixPath, bytes]
    """All files on disk."""
    remarks: tuple[Diagnostic, ...]
    """Warnings of plugins."""


def read_standing(paths: set[PurePosixPath], request: Request) -> dict[PurePosixPath, bytes]:
    """Return a consistent snapshot of the outputs and the stale files on disk."""
    if not request.root.is_dir():
        # A folder that appears from now on is noticed before the first write.
        return {}
    with lock_for_reading(request.root):
        return output.read_outputs(request.root, [*paths, *_outdated(paths, request)])


def seal_emitted(texts: Iterable[tuple[PurePosixPath, str]]) -> dict[PurePosixPath, MarkedFile]:
    """Put the digests on the markers of formatted files; wrong markers are an AssertionError."""
    try:
        return seal_given(dict(texts))
    except SchemaError as error:
        raise AssertionError(f"a backend emits wrong markers\n{error}") from error


def seal_given(texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, MarkedFile]:
    """Put the digests on the markers of files."""
    return {path: blocks.seal_blocks(str(path), text.encode()) for path, text in texts.items()}


class Wanted(Struct, frozen=True):
    """The files that are made from the schema files that a request names."""

    chosen: Mapping[PurePosixPath, bytes]
    """The files to merge with those on disk."""
    kept: Mapping[PurePosixPath, bytes]
    """The files that stay as they are."""
    old: Mapping[PurePosixPath, bytes]
    """The contents on disk, of chosen and stale files."""
    renamed: Mapping[str, str]
    """The new names of blocks with their old ones."""


class Compared(Struct, frozen=True):
    """The output of a run, and the files that it replaces."""

    merged: regions.Merge
    """The new files."""
    old: Mapping[PurePosixPath, bytes]
    """The contents on disk, of these and of stale files."""
    remarks: Sequence[Diagnostic]


class ConflictsFound(Exception):
    """A file on disk has conflict markers of git, which take a merge of three versions."""


def merge_made(schema: Schema, request: Request, made: Made) -> Compared:
    """
    Give the new files the custom regions of the old ones.

    Raises
    ------
    SchemaError
        A file of another origin is at an output path, or a custom region has no block.
    ConflictsFound
        A file on disk has conflict markers.
    """
    wanted = wanted_files(schema, request, made)
    if any(map(may_have_hunks, wanted.old.values())):
        raise ConflictsFound
    check_owned(wanted.chosen, wanted.old)
    merged = regions.merge(wanted.chosen, wanted.old, wanted.renamed, made.sealed)
    merged.files |= wanted.kept
    stop_on_loss(merged)
    return Compared(merged, {**wanted.old, **wanted.kept}, made.remarks)


def wanted_files(schema: Schema, request: Request, made: Made) -> Wanted:
    """Choose the files that a request names."""
    sealed = {path: file.joined() for path, file in made.sealed.items()}
    chosen = _choose(sealed, schema, request)
    kept = _choose(made.kept, schema, request)
    left_out = (made.sealed.keys() | made.kept.keys()) - chosen.keys()
    old = {path: data for path, data in made.found.items() if path not in left_out}
    return Wanted(chosen, kept, old, _renamed_blocks(schema))


def stop_on_loss(merged: regions.Merge) -> None:
    """Raise an error for the custom regions that have no block any more."""
    if merged.lost:
        raise SchemaError(merged.lost)


def _choose(
    files: Mapping[PurePosixPath, bytes], schema: Schema, request: Request
) -> dict[PurePosixPath, bytes]:
    """Return the files that are made from the schema files that the request names."""
    if not request.paths:
        return dict(files)
    known = [space.source for space in schema.namespaces]
    wanted = request.wanted()
    reporter = Reporter()
    for path in wanted:
        if not any(is_below(source, path) for source in known):
            reporter.error("TS055", f"no schema file of `{schema.package}` at `{path}`", None)
    reporter.stop_on_error()
    return {path: data for path, data in files.items() if is_wanted(data, wanted)}


def _outdated(files: Container[PurePosixPath], request: Request) -> list[PurePosixPath]:
    """Return the generated files in the targets' folders that nothing makes any more."""
    found = find_generated(request.root, request.folders(), files)
    wanted = request.wanted()
    return [
        path
        for path, head in found.items()
        if is_made_by(request.config, head) and (not wanted or is_wanted(head, wanted))
    ]


def _renamed_blocks(schema: Schema) -> dict[str, str]:
    """Return the new names of blocks with their old ones, for classes with `renamed_from`."""
    renamed: dict[str, str] = {}
    for namespace in schema.namespaces:
        for type_ in namespace.types:
            if type_.options.renamed_from:
                renamed[type_.name] = type_.options.renamed_from
                renamed[type_.ref] = type_.options.renamed_from.removesuffix("Node")
    return renamed
