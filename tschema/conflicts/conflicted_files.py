"""Conflicts of a merge in the files that a run finds, which are separated before anything else.

In: the files on disk.  Out: the same without conflicts in generated text, and with conflicts in
custom regions only where both sides changed the same lines; and after generation, diagnostics of
those that are left.  It asks git for versions, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from tschema.conflicts.file_merge import MergedFile
from tschema.conflicts.moves import Left, follow_moves, removed_with_file, with_region
from tschema.conflicts.reconcile import Conflicted, Stages, reconcile
from tschema.diagnostics.conflict_markers import Hunk, Style, find_hunks, may_have_hunks
from tschema.diagnostics.errors import Diagnostic, Reporter, SchemaError
from tschema.output.ownership import header_sources
from tschema.project.git import LEFT, is_merging, unmerged_versions
from tschema.regions.blocks import scan, scan_comments
from tschema.regions.hand_edits import HandEdit, typed_lines
from tschema.regions.marked_file import MarkedFile

_Files = Mapping[PurePosixPath, bytes]


class Reconciled(Struct):
    """Files without conflicts in generated text."""

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    """The files that had some, as they are to be generated into."""
    found: dict[PurePosixPath, bytes] = field(default_factory=dict)
    """The same as on disk."""
    merged: dict[PurePosixPath, MergedFile] = field(default_factory=dict)
    versions: dict[PurePosixPath, Stages] = field(default_factory=dict)
    """What git merged, where it is known."""

    def add(self, file: Conflicted, merged: MergedFile | None) -> None:
        """Note a file and its merged form; None for a file without remaining conflicts."""
        path = PurePosixPath(file.path)
        if file.stages:
            self.versions[path] = file.stages
        if merged is not None:
            self.merged[path] = merged
            self.files[path], self.found[path] = merged.data, file.data


def reconcile_files(
    files: _Files,
    root: Path,
    renamed: Mapping[str, str],
    is_wanted: Callable[[PurePosixPath, str], bool],
    *,
    are_owned: bool,
) -> Reconciled:
    """
    Resolve the conflicts in generated text.

    Parameters
    ----------
    files
        The files on disk, by path.
    root
        The folder that the paths are relative to.
    is_wanted
        Tells whether the schema still has the class of a block, by file and name.
    are_owned
        Whether the files are tschema's own, and not the user's with blocks in them.

    Returns
    -------
    reconciled
        The files that had conflicts.

    Raises
    ------
    SchemaError
        The sides of a conflict cannot be told apart.
    """
    ours = {path: data for path, data in files.items() if are_owned or b"tschema:" in data}
    marked = [path for path, data in ours.items() if may_have_hunks(data)]
    result = Reconciled()
    if not marked and not is_merging(str(root)):
        return result
    versions = _versions(root, marked)
    reporter = Reporter()
    for path in sorted({*marked, *versions}.intersection(ours)):
        stages = _stages(versions[path], ours[path]) if path in versions else None
        scanner = scan if are_owned else scan_comments
        conflicted = Conflicted(str(path), ours[path], stages, are_owned, scanner)
        try:
            merged = reconcile(conflicted, renamed)
        except SchemaError as error:
            reporter.diagnostics += error.diagnostics
            continue
        if merged is not None:
            _drop_removed(path, merged, is_wanted)
        result.add(conflicted, merged)
    reporter.stop_on_error()
    if are_owned:
        result.versions |= _removed_files(versions, files, root)
    return result


def _removed_files(
    versions: Mapping[PurePosixPath, Mapping[int, bytes]], files: _Files, root: Path
) -> dict[PurePosixPath, Stages]:
    """Return the generated files that are gone from the disk, and that one side changed."""
    return {
        path: _stages(known, b"")
        for path, known in versions.items()
        if 1 in known
        and (2 in known) != (3 in known)
        and path not in files
        and header_sources(known[1])
        and not (root / path).exists()
    }


def unmerged_files(root: Path) -> frozenset[PurePosixPath]:
    """Return the files that git could not merge, which an earlier run cannot have finished."""
    return frozenset(unmerged_versions(root)) if is_merging(str(root)) else frozenset()


def _drop_removed(
    path: PurePosixPath, merged: MergedFile, is_wanted: Callable[[PurePosixPath, str], bool]
) -> None:
    """Empty the custom regions that one side removed with the class, and the other left alone."""
    for one in merged.removed[:]:
        if is_wanted(path, one.name):
            merged.removed.remove(one)
        elif one.base == one.changed:
            merged.removed.remove(one)
            merged.data = with_region(scan(str(path), merged.data), one.name, b"")


def _versions(
    root: Path, marked: Collection[PurePosixPath]
) -> dict[PurePosixPath, dict[int, bytes]]:
    """Return the versions of unmerged files, and of those that were added with their markers."""
    found = unmerged_versions(root)
    if not found.keys() >= set(marked):
        added = unmerged_versions(root, are_added=True)
        found |= {path: added[path] for path in added if path in marked and path not in found}
    return found


def _stages(versions: Mapping[int, bytes], data: bytes) -> Stages:
    """Return versions with the line ends of the file on disk, which git may have changed."""
    first = data[: data.find(b"\n") + 1]
    has_crlf = first.endswith(b"\r\n")

    def version(stage: int) -> bytes | None:
        text = versions.get(stage)
        if text is None or not has_crlf or b"\r\n" in text:
            return text
        return text.replace(b"\n", b"\r\n")

    return Stages(version(1), version(2), version(3), version(LEFT))


def follow_moved(
    reconciled: Reconciled,
    standing: _Files,
    renamed: Mapping[str, str],
    wanted: Container[PurePosixPath],
) -> dict[PurePosixPath, bytes]:
    """
    Return the files to which classes were moved on one side, with the edits of the other.

    Parameters
    ----------
    reconciled
        The files that had conflicts; told of those that have now.
    standing
        All files, without conflicts in generated text.
    wanted
        The files that the schema still wants.
    """
    left = [Left(path, one) for path, file in reconciled.merged.items() for one in file.removed]
    for path, stages in reconciled.versions.items():
        is_removed = stages.ours is None or stages.theirs is None
        found = standing.get(path) or stages.ours or stages.theirs
        if is_removed and found and path not in wanted and path.suffix != ".json":
            removed = removed_with_file(str(path), stages.base or b"", found)
            left += [Left(path, one) for one in removed]
    changed = follow_moves(standing, left, renamed, Style()) if left else {}
    for path in changed:
        reconciled.merged.setdefault(path, MergedFile())
        reconciled.found.setdefault(path, standing[path])
    return changed


def typed_edits(reconciled: Reconciled, files: _Files) -> Iterator[HandEdit]:
    """
    Yield what people typed in generated text while they resolved a conflict.

    Parameters
    ----------
    files
        Their new text: lines that it has too are not edits.
    """
    for path, merged in reconciled.merged.items():
        stages = reconciled.versions.get(path)
        if stages is None or not merged.generated:
            continue
        texts = (stages.base, stages.ours, stages.theirs, files.get(path))
        known = {line.strip() for text in texts for line in (text or b"").split(b"\n")}
        if typed := merged.generated - known:
            yield typed_lines(str(path), reconciled.found[path], typed)


def one_sided(reconciled: Reconciled) -> Iterator[Diagnostic]:
    """Yield a warning for each custom region that has one side alone, while git waits for both."""
    for path, merged in sorted(reconciled.merged.items()):
        file = scan(str(path), merged.data) if merged.unmerged else None
        for name in merged.unmerged if file else ():
            block = file.blocks.get(name) if file else None
            if file and block and block.region is not None:
                yield Diagnostic(
                    "TS170",
                    "warning",
                    f"the custom region of block `{name}` is that of one side of the merge alone",
                    file.span(block.region.start - 1),
                    help=f"`git checkout --merge -- {path}` shows both; `git add` keeps this one",
                )


def left_conflicts(reconciled: Reconciled, files: _Files) -> Iterator[Diagnostic]:
    """Yield the conflicts in custom regions, with their places once the files are written."""
    for path in sorted(reconciled.merged):
        if path in files and path.suffix != ".json":
            yield from _conflicts(scan(str(path), files[path]))


def _conflicts(file: MarkedFile) -> Iterator[Diagnostic]:
    for block in file.blocks.values():
        if block.region is None:
            continue
        index = block.region.start
        for piece in find_hunks(file.custom(block)):
            if isinstance(piece, Hunk):
                yield Diagnostic(
                    "TS170",
                    "error",
                    f"both sides of the merge changed the custom region of block `{block.name}`",
                    file.span(index),
                    help="edit the text to combine both sides, remove the markers, and run "
                    "`tschema gen` again",
                )
            index += len(piece.raw) if isinstance(piece, Hunk) else 1
