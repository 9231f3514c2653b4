"""Renamed blocks, guessed from three versions of a file.

In: the versions.  Out: new names with old ones.  A merge driver needs it, which runs before the
declarations are merged, where `renamed_from` tells for certain; what is not found leaves a conflict
that the next `tschema gen` resolves.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from tschema.regions.blocks import FILE_BLOCK, MarkedFile

_LEAST_SIMILAR = 0.7
"""Share of equal lines from which a block with another name is a renamed one."""


def guess_renamed(base: MarkedFile, ours: MarkedFile, theirs: MarkedFile) -> dict[str, str]:
    """
    Return the blocks that one side, or both in the same way, renamed.

    Parameters
    ----------
    base, ours, theirs
        The versions.

    Returns
    -------
    renamed
        New name of a block to its old one.
    """
    successors: dict[str, set[str]] = {}
    for side in (ours, theirs):
        for new, old in _renamed_in(base, side).items():
            successors.setdefault(old, set()).add(new)
    return {new: old for old, (new, *others) in successors.items() if not others}


def _renamed_in(base: MarkedFile, side: MarkedFile) -> dict[str, str]:
    """Return the blocks of one side that continue one of another name."""
    gone = [name for name in base.blocks if name not in side.blocks]
    renamed: dict[str, str] = {}
    for name in side.blocks:
        if name in base.blocks or name == FILE_BLOCK:
            continue
        ratios = {old: _similarity(base, old, side, name) for old in gone}
        best = max(ratios, key=lambda old: ratios[old], default=None)
        if best is not None and ratios[best] >= _LEAST_SIMILAR:
            gone.remove(best)
            renamed[name] = best
    return renamed


def _similarity(base: MarkedFile, old: str, side: MarkedFile, new: str) -> float:
    """Return 1 for blocks with the same hand-written text, else the share of equal lines."""
    before, after = base.blocks[old], side.blocks[new]
    if old.endswith("Node") != new.endswith("Node"):
        return 0.0
    if base.custom(before) and base.custom(before) == side.custom(after):
        return 1.0
    text = base.generated(before).replace(_stem(old), _stem(new))
    return SequenceMatcher(
        None, text.split(b"\n"), side.generated(after).split(b"\n"), autojunk=False
    ).ratio()


def _stem(name: str) -> bytes:
    return name.rpartition(".")[2].removesuffix("Node").encode()
