"""Three-way merging of text, as git does it.

In: three versions of a text, as bytes.  Out: the merged text, in which conflicts are marked.  The
algorithm is git's own (`git merge-file`); without git, and for what git takes for binary, a text
that both sides changed is one conflict.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tschema.diagnostics.conflict_markers import Style

_MOST_CONFLICTS = 127
"""The highest status of `git merge-file` that counts conflicts; one above is a failure."""


class MergedText(Struct, frozen=True):
    """What merging has come to."""

    text: bytes
    n_conflicts: int = 0


def merge_texts(base: bytes | None, ours: bytes, theirs: bytes, style: Style) -> MergedText:
    """
    Merge two versions of a text.

    Parameters
    ----------
    base
        The version that both come from; None if it is not known, which keeps what either has.

    Returns
    -------
    merged
        The text, and how many conflicts it has.
    """
    if ours == theirs or theirs == base:
        return MergedText(ours)
    if ours == base:
        return MergedText(theirs)
    style = _distinct(style, (ours, base or b"", theirs))
    return _merge_with_git(base or b"", ours, theirs, style) or _one_conflict(
        base, ours, theirs, style
    )


def _distinct(style: Style, texts: tuple[bytes, ...]) -> Style:
    """Return a style whose markers look like no line of some texts."""
    size = style.size
    while any(re.search(rb"^([<|=>])\1{%d}(?!\1)" % (size - 1), text, re.M) for text in texts):
        size += 1
    return replace(style, size=size)


def _merge_with_git(base: bytes, ours: bytes, theirs: bytes, style: Style) -> MergedText | None:
    """Merge with git; return None where it is missing, or fails."""
    import subprocess  # For a text that both sides changed.
    import tempfile

    command = ["git", "-c", "merge.conflictStyle=merge", "merge-file", "-p", "-q"]
    command += ["--diff3"] if style.has_base else []
    command.append(f"--marker-size={style.size}")
    for label in (style.ours, style.base, style.theirs):
        command += ["-L", os.fsdecode(label)]
    # Git runs merge drivers with variables that name its folder relative to another one.
    variables = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    with tempfile.TemporaryDirectory(prefix="tschema-") as folder:
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            Path(folder, name).write_bytes(text)
        try:
            done = subprocess.run(
                [*command, "ours", "base", "theirs"],
                cwd=folder,
                env=variables,
                capture_output=True,
                check=False,
            )
        except OSError:
            return None
    if not 0 <= done.returncode <= _MOST_CONFLICTS:
        return None
    return MergedText(done.stdout, done.returncode)


def _one_conflict(base: bytes | None, ours: bytes, theirs: bytes, style: Style) -> MergedText:
    """Return both versions as one conflict."""
    line_end = b"\r\n" if b"\r\n" in ours else b"\n"

    def marker(character: bytes, label: bytes) -> bytes:
        return character * style.size + (b" " + label if label else b"") + line_end

    pieces = [marker(b"<", style.ours), _ended(ours, line_end)]
    if style.has_base:
        pieces += [marker(b"|", style.base), _ended(base or b"", line_end)]
    pieces += [marker(b"=", b""), _ended(theirs, line_end), marker(b">", style.theirs)]
    return MergedText(b"".join(pieces), 1)


def _ended(text: bytes, line_end: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + line_end
