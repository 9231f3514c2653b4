"""Three-way merging of the JSON IR, which the next `tschema gen` writes anew.

In: three versions.  Out: one that can be read and states its digest: what merging as text comes to,
where that is JSON, and else our version.
"""

from __future__ import annotations

import msgspec

from tschema.conflicts.text_merge import merge_texts
from tschema.diagnostics.conflict_markers import Style
from tschema.ir.seals import JSON_DIGEST_LINE, digest, json_digest, seal_json


def merge_json(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """
    Merge two versions of a JSON IR.

    Parameters
    ----------
    base
        The version that both come from, if it is known.
    ours, theirs
        The versions.  One that was edited by hand is kept as it is, for `tschema gen` to tell.
    """
    if _is_edited(ours) or theirs == base:
        return ours
    if _is_edited(theirs) or ours == base:
        return theirs
    bare = [_without_digest(one) if one is not None else None for one in (base, ours, theirs)]
    merged = merge_texts(bare[0], bare[1] or b"", bare[2] or b"", Style())
    if merged.n_conflicts or not _is_json(merged.text):
        return ours
    return seal_json(merged.text)


def sealed_side(side: bytes) -> bytes:
    """Return one side of a JSON IR with conflict markers, with the digest of its contents."""
    bare = _without_digest(side)
    return side if bare == side else seal_json(bare)


def _is_edited(data: bytes) -> bool:
    stated = json_digest(data.splitlines(keepends=True)[: JSON_DIGEST_LINE + 1])
    return stated is not None and stated != digest(_without_digest(data))


def _without_digest(data: bytes) -> bytes:
    """Return a JSON IR with LF line ends and without its digest; itself where it has none."""
    lines = data.replace(b"\r\n", b"\n").splitlines(keepends=True)
    if json_digest(lines[: JSON_DIGEST_LINE + 1]) is None:
        return data
    del lines[JSON_DIGEST_LINE]
    return b"".join(lines)


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data)
    except msgspec.DecodeError:
        return False
    return True
