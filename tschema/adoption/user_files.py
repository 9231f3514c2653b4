"""The extension of a run that writes into files of users: blocks in place, adoption, merges of git.

In: a `Request`.  Out: an extension of `tschema.pipeline.run`, which adds blocks to the emitted
files, and separates conflicts before it merges.  It reads, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import PurePosixPath

from tschema.adoption.classes import (
    read_hand_written,
    take_registrations_out,
    with_classes_by_hand,
)
from tschema.adoption.in_place import Placed, fill, place_blocks
from tschema.backends.base import OutputFile
from tschema.conflicts.conflicted_files import (
    Reconciled,
    follow_moved,
    left_conflicts,
    one_sided,
    reconcile_files,
    typed_edits,
    unmerged_files,
)
from tschema.diagnostics.errors import Diagnostic
from tschema.emit.render import Renderer
from tschema.ir.model import Schema
from tschema.ir.spelling import spelled
from tschema.output import files as output
from tschema.output.ownership import check_owned
from tschema.pipeline.comparison import Compared, Made, Wanted, stop_on_loss, wanted_files
from tschema.pipeline.request import Request
from tschema.project.config import InPlaceTarget
from tschema.regions import blocks
from tschema.regions import merge as regions


class UserFiles:
    """The extension of a run; classes that the request names stay by hand."""

    def __init__(self, request: Request) -> None:
        self.unmerged: Container[PurePosixPath] = unmerged_files(request.root)
        self._request = request
        self._placed: Sequence[Placed] = ()

    def adapt(self, schema: Schema) -> Schema:
        """Return the schema without the classes that the request leaves by hand."""
        return with_classes_by_hand(schema, self._request.left)

    def emit(self, schema: Schema, renderer: Renderer) -> Iterator[Sequence[OutputFile]]:
        """Find the user's files, and return the files to format for their blocks."""
        self._placed = place_blocks(schema, self._request, renderer)
        return (one.emitted() for one in self._placed)

    def compare(self, schema: Schema, made: Made) -> Compared:
        """Fill the user's files in, and merge the files that tschema owns."""
        request = self._request
        pools = {
            file.path: made.sealed.pop(file.path).joined()
            for one in self._placed
            for file in one.output.pools
        }
        wanted = wanted_files(schema, request, made)
        remarks = [*made.remarks]
        merged = _merge_owned(wanted, request, made, remarks)
        old = {**wanted.old}
        for one in self._placed:
            old |= _standing_files(one, request)
            filled, warnings = fill(one, pools, adopt=request.adopt)
            merged.files |= filled.files
            merged.edits += filled.edits
            merged.lost += filled.lost
            _report_conflicts(merged, one.reconciled, remarks)
            remarks += [*warnings, *one.left.values()]
            if request.adopt and one.language == "cpp":
                _take_registrations_out(schema, request, merged, old)
        stop_on_loss(merged)
        return Compared(merged, {**old, **wanted.kept}, remarks)


def _merge_owned(
    wanted: Wanted, request: Request, made: Made, remarks: list[Diagnostic]
) -> regions.Merge:
    """Merge the files that tschema owns, without the conflicts that git has left in them."""
    chosen, kept, renamed = wanted.chosen, wanted.kept, wanted.renamed
    reconciled = reconcile_files(
        wanted.old,
        request.root,
        renamed,
        lambda path, name: path in chosen and name in blocks.scan(str(path), chosen[path]).blocks,
        are_owned=True,
    )
    standing = {**wanted.old, **reconciled.files}
    moved = follow_moved(reconciled, {**standing, **kept}, renamed, {*chosen, *kept})
    standing |= {path: moved[path] for path in moved if path in standing}
    check_owned(chosen, standing)
    if request.adopt:
        standing = regions.adopt(chosen, standing, renamed)
    merged = regions.merge(chosen, standing, renamed, made.sealed)
    merged.files |= {path: moved.get(path, kept[path]) for path in kept}
    _report_conflicts(merged, reconciled, remarks)
    return merged


def _take_registrations_out(
    schema: Schema, request: Request, merged: regions.Merge, old: dict[PurePosixPath, bytes]
) -> None:
    """Take out what registers adopted classes by hand; blocks are filled in already."""
    target = request.config.cpp
    assert isinstance(target, InPlaceTarget), "its blocks were filled in"
    written = read_hand_written(request.config, target)
    current = {path: merged.files.get(path, data) for path, data in written.items()}
    changed = take_registrations_out(current, spelled(schema, "cpp"))
    merged.files |= changed
    if request.out_dir:
        old |= output.read_outputs(request.root, changed)
    else:
        old |= {path: written[path] for path in changed}


def _report_conflicts(
    merged: regions.Merge, reconciled: Reconciled, remarks: list[Diagnostic]
) -> None:
    """Add the conflicts that a merge of git has left in files."""
    merged.edits += typed_edits(reconciled, merged.files)
    merged.conflicts += left_conflicts(reconciled, merged.files)
    remarks += one_sided(reconciled)


def _standing_files(placed: Placed, request: Request) -> dict[PurePosixPath, bytes]:
    """Return the files on disk at the paths of the user's files with blocks."""
    if request.out_dir:
        return output.read_outputs(request.root, placed.survey.files)
    return {path: placed.standing[path] for path in placed.survey.files}
