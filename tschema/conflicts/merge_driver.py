"""The merge driver: what `git merge`, `rebase`, `cherry-pick` and `stash` do with generated files.

In: three versions of a file.  Out: one.  git merges files in any order, so the declarations need
not be merged yet, and nothing can be generated here.  Generated text that one side changed is taken
from it; where both changed it, merging as text gives the best guess of the next output of `tschema
gen`.  Custom regions are merged as text.  A file without blocks is merged as git does it.
"""

from __future__ import annotations

from tschema.conflicts.file_merge import Rules, Versions, merge_files
from tschema.conflicts.json_merge import merge_json
from tschema.conflicts.text_merge import MergedText, merge_texts
from tschema.diagnostics.conflict_markers import Style
from tschema.diagnostics.errors import SchemaError
from tschema.ir.seals import JSON_DIGEST_LINE, json_digest
from tschema.regions.blocks import FILE_BLOCK, MarkedFile, scan


def merge_versions(
    path: str, base: bytes | None, ours: bytes, theirs: bytes, style: Style
) -> MergedText:
    """
    Merge two versions of a file.

    Parameters
    ----------
    path
        The file; its suffix tells the language.
    base
        The version that both come from; None if each side added the file.

    Returns
    -------
    merged
        The file, and how many conflicts are marked in it.
    """
    if path.endswith(".json") and _is_ir(ours) and _is_ir(theirs):
        return MergedText(merge_json(base, ours, theirs))
    if b"tschema:" not in ours or b"tschema:" not in theirs:
        return merge_texts(base, ours, theirs, style)
    try:
        return _merge_blocks(path, base, ours, theirs, style)
    except SchemaError:
        # A version with wrong markers is for `tschema gen` to tell, and merged as any other text.
        return merge_texts(base, ours, theirs, style)


def _merge_blocks(
    path: str, base: bytes | None, ours: bytes, theirs: bytes, style: Style
) -> MergedText:
    from tschema.conflicts.renames import guess_renamed  # For files with blocks alone.

    versions = Versions(_scan_base(path, base), scan(path, ours), scan(path, theirs))
    renamed = guess_renamed(versions.base, versions.ours, versions.theirs)
    is_owned = FILE_BLOCK in versions.ours.blocks
    merged = merge_files(versions, Rules(style, is_owned, renamed, removed="mark"))
    return MergedText(merged.data, len(merged.conflicts))


def _scan_base(path: str, base: bytes | None) -> MarkedFile:
    try:
        return scan(path, base or b"")
    except SchemaError:  # That of a criss-cross merge may have conflicts itself.
        return scan(path, b"")


def _is_ir(data: bytes) -> bool:
    lines = data.split(b"\n", JSON_DIGEST_LINE + 1)[: JSON_DIGEST_LINE + 1]
    return json_digest([line + b"\n" for line in lines]) is not None
