"""Comparison of the results of a run with the files on disk.

In: `Made`, the rendered and formatted files of a run. Out: the new and the current contents of the
files. It reads files and does not write.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic, Reporter, SchemaError
from tschema.ir.model import Schema
from tschema.ir.spelling import spelled
from tschema.output import files as output
from tschema.output.lock import lock_for_reading
from tschema.output.ownership import check_owned, find_generated, is_below, is_made_by, is_wanted
from tschema.pipeline import adoption
from tschema.pipeline import in_place as placing
from tschema.pipeline.conflicts import (
    Reconciled,
    follow_moved,
    left_conflicts,
    one_sided,
    reconcile_files,
    typed_edits,
)
from tschema.pipeline.request import Request
from tschema.project.config import InPlaceTarget
from tschema.regions import blocks
from tschema.regions import merge as regions
from tschema.regions.marked_file import MarkedFile


class Made(Struct, frozen=True):
    """The output of a run, before it is compared with the files on disk."""

    sealed: dict[PurePosixPath, MarkedFile]
    """The formatted files that do not stand as they should be."""
    kept: Mapping[PurePosixPath, bytes]
    """The files that stay as they are."""
    found: Mapping[PurePosixPath, bytes]
    """All files on disk."""
    placed: list[placing.Placed]
    remarks: list[Diagnostic]


def read_standing(paths: set[PurePosixPath], request: Request) -> dict[PurePosixPath, bytes]:
    """Return a consistent snapshot of the outputs and the stale files on disk."""
    if not request.root.is_dir():
        # A folder that appears from now on is noticed before the first write.
        return {}
    with lock_for_reading(request.root):
        return output.read_outputs(request.root, [*paths, *_outdated(paths, request)])


def seal_emitted(texts: Iterable[tuple[PurePosixPath, str]]) -> dict[PurePosixPath, MarkedFile]:
    """Put the digests on the markers of formatted files, whose markers are right."""
    try:
        return seal_given(dict(texts))
    except SchemaError as error:
        raise AssertionError(f"a backend emits wrong markers\n{error}") from error


def seal_given(texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, MarkedFile]:
    """Put the digests on the markers of files."""
    return {path: blocks.seal_blocks(str(path), text.encode()) for path, text in texts.items()}


def merge_made(
    schema: Schema, request: Request, made: Made
) -> tuple[regions.Merge, dict[PurePosixPath, bytes]]:
    """Return the new files, and the contents of the old and stale ones."""
    pools = {
        file.path: made.sealed.pop(file.path).joined()
        for one in made.placed
        for file in one.output.pools
    }
    sealed = {path: file.joined() for path, file in made.sealed.items()}
    chosen = _choose(sealed, schema, request)
    kept = _choose(made.kept, schema, request)
    left_out = (made.sealed.keys() | made.kept.keys()) - chosen.keys()
    old = {path: data for path, data in made.found.items() if path not in left_out}
    renamed = _renamed_blocks(schema)
    reconciled = reconcile_files(
        old,
        request.root,
        renamed,
        lambda path, name: path in chosen and name in blocks.scan(str(path), chosen[path]).blocks,
        are_owned=True,
    )
    standing = old | reconciled.files
    moved = follow_moved(reconciled, standing | kept, renamed, {*chosen, *kept})
    standing |= {path: moved[path] for path in moved if path in standing}
    check_owned(chosen, standing)
    if request.adopt:
        standing = regions.adopt(chosen, standing, renamed)
    merged = regions.merge(chosen, standing, renamed, made.sealed)
    merged.files |= {path: moved.get(path, kept[path]) for path in kept}
    _report_conflicts(merged, reconciled, made)
    for one in made.placed:
        old |= _standing_files(one, request)
        filled, warnings = placing.fill(one, pools, adopt=request.adopt)
        merged.files |= filled.files
        merged.edits += filled.edits
        merged.lost += filled.lost
        _report_conflicts(merged, one.reconciled, made)
        made.remarks.extend(warnings)
        made.remarks.extend(one.left.values())
        if request.adopt and one.language == "cpp":
            _take_registrations_out(schema, request, merged, old)
    if merged.lost:
        raise SchemaError(merged.lost)
    return merged, old | kept


def _take_registrations_out(
    schema: Schema, request: Request, merged: regions.Merge, old: dict[PurePosixPath, bytes]
) -> None:
    """Take out what registers adopted classes by hand; blocks are filled in already."""
    target = request.config.cpp
    assert isinstance(target, InPlaceTarget), "its blocks were filled in"
    written = adoption.read_hand_written(request.config, target)
    current = {path: merged.files.get(path, data) for path, data in written.items()}
    changed = adoption.take_registrations_out(current, spelled(schema, "cpp"))
    merged.files |= changed
    if request.out_dir:
        old |= output.read_outputs(request.root, changed)
    else:
        old |= {path: written[path] for path in changed}


def _report_conflicts(merged: regions.Merge, reconciled: Reconciled, made: Made) -> None:
    """Add the conflicts that a merge of git has left in files."""
    merged.edits += typed_edits(reconciled, merged.files)
    merged.conflicts += left_conflicts(reconciled, merged.files)
    made.remarks.extend(one_sided(reconciled))


def _standing_files(placed: placing.Placed, request: Request) -> dict[PurePosixPath, bytes]:
    """Return the files on disk at the paths of the user's files with blocks."""
    if request.out_dir:
        return output.read_outputs(request.root, placed.survey.files)
    return {path: placed.standing[path] for path in placed.survey.files}


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
