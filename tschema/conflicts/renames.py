"""Renamed blocks, guessed from three versions of a file.

In: the versions.  Out: new names with old ones.  A merge driver needs it, which runs before the
declarations are merged, where `renamed_from` tells for certain; a rename that is not found leaves a
conflict that the next `tschema gen` resolves.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from tschema.regions.blocks import FILE_BLOCK, MarkedFile

_LEAST_SIMILAR = 0.9
"""Share of equal lines from which a block with another name is a renamed one."""


def guess_renamed(base: MarkedFile, ours: MarkedFile, theirs: MarkedFile) -> dict[str, str]:
    """
    Return the blocks that one side, or both in the same way, renamed.

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
    before, after = _classes(base), _classes(side)
    gone = {stem: blocks for stem, blocks in before.items() if stem not in after}
    renamed: dict[str, str] = {}
    for stem in [stem for stem in after if stem not in before]:
        ratios = {old: _similarity(base, gone[old], side, after[stem]) for old in gone}
        best = max(ratios, key=lambda old: ratios[old], default="")
        if best and ratios[best] >= _LEAST_SIMILAR:
            old_blocks = gone.pop(best)
            renamed |= {
                new: old for kind, new in after[stem].items() if (old := old_blocks.get(kind))
            }
    return renamed


def _classes(file: MarkedFile) -> dict[str, dict[str, str]]:
    """Return the blocks of each class, by kind: that of its data, and that of its reference."""
    classes: dict[str, dict[str, str]] = {}
    for name in file.blocks:
        if name != FILE_BLOCK:
            stem = name.removesuffix("Node")
            classes.setdefault(stem, {})[name.removeprefix(stem)] = name
    return classes


def _similarity(
    base: MarkedFile, old: Mapping[str, str], side: MarkedFile, new: Mapping[str, str]
) -> float:
    """Return how likely a class has another name: hand-written lines tell more than generated."""
    if not old.keys() & new.keys():
        return 0.0
    written, kept = _written(base, old), _written(side, new)
    if written:
        return float(2 * len(written & kept) >= len(written))
    texts = (_generated(base, old), _generated(side, new))
    return SequenceMatcher(None, *texts, autojunk=False).ratio()


def _written(file: MarkedFile, blocks: Mapping[str, str]) -> set[bytes]:
    """Return the lines of the custom regions of a class."""
    text = b"\n".join(file.custom(file.blocks[name]) for name in blocks.values())
    return {line.strip() for line in text.split(b"\n") if line.strip()}


def _generated(file: MarkedFile, blocks: Mapping[str, str]) -> list[bytes]:
    """Return the generated lines of a class, without its name."""
    texts = b"".join(file.generated(file.blocks[blocks[kind]]) for kind in sorted(blocks))
    stem = min(blocks.values(), key=len).rpartition(".")[2].removesuffix("Node")
    return texts.replace(stem.encode(), b"").split(b"\n")
