"""git, which tschema asks for revisions, for unfinished merges and for settings.

In: a folder, and arguments.  Out: what git prints.  It writes nothing, and a machine without git
is one without a repository.  It imports nothing slow: a run that changes nothing imports it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path, PurePosixPath

_MERGE_STATE = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "AUTO_MERGE",
    "rebase-merge",
    "rebase-apply",
)
"""What git's folder has while a merge, a rebase or a stash waits for its conflicts."""

LEFT = 0
"""The number of the version that git left in the working tree."""


def git(folder: Path, *arguments: str, given: bytes | None = None) -> bytes | None:
    """
    Return what git prints, or None where it fails or is missing.

    Parameters
    ----------
    arguments
        Those of the command line.
    """
    import subprocess  # A run that changes nothing needs none.

    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, input=given, capture_output=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def is_merging(folder: str) -> bool:
    """Return whether git may be in the middle of a merge; it is not asked, which takes longer."""
    if "GIT_DIR" in os.environ or "GIT_INDEX_FILE" in os.environ:
        return True
    found = _git_folder(os.path.abspath(folder))
    return found is not None and any(
        os.path.lexists(os.path.join(found, name)) for name in _MERGE_STATE
    )


def _git_folder(folder: str) -> str | None:
    """Return git's folder of a working tree; that of a second one is named in a file."""
    while True:
        place = os.path.join(folder, ".git")
        if os.path.isdir(place):
            return place
        if os.path.isfile(place):
            with open(place, encoding="utf-8", errors="replace") as stream:
                named = stream.read().removeprefix("gitdir:").strip()
            return os.path.join(folder, named)
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def unmerged_versions(
    folder: Path, *, are_added: bool = False
) -> dict[PurePosixPath, dict[int, bytes]]:
    """
    Return the versions of files that git could not merge.

    Parameters
    ----------
    folder
        The folder that they lie below, and are relative to.
    are_added
        Whether files that were added since are wanted, of which git keeps the versions for a while.

    Returns
    -------
    versions
        For each file 1 (the base), 2 (ours) and 3 (theirs), as far as there is one, and `LEFT`,
        what git wrote with its markers, if it remembers.
    """
    option = "--resolve-undo" if are_added else "--unmerged"
    listed = git(folder, "ls-files", "-z", option)
    entries = [_entry(line) for line in (listed or b"").split(b"\0") if line]
    found: dict[PurePosixPath, dict[int, bytes]] = {}
    texts = _read_objects(folder, [name for name, _, _ in entries])
    for (_, stage, path), text in zip(entries, texts, strict=False):
        if text is not None:
            found.setdefault(path, {})[stage] = text
    names = [b"AUTO_MERGE:./" + os.fsencode(path) for path in found]
    left = _read_objects(folder, names) if not are_added else iter(())
    for path, text in zip(list(found), left, strict=False):
        if text is not None:
            found[path][LEFT] = text
    return found


def _entry(line: bytes) -> tuple[bytes, int, PurePosixPath]:
    """Return the object, the stage and the path of a line of `git ls-files`."""
    from pathlib import PurePosixPath

    words, _, path = line.partition(b"\t")
    _mode, name, stage = words.split()
    return name, int(stage), PurePosixPath(os.fsdecode(path))


def _read_objects(folder: Path, names: Iterable[bytes]) -> Iterator[bytes | None]:
    """Yield the contents of objects; None for one that is not there."""
    asked = b"".join(name + b"\n" for name in names if b"\n" not in name)
    rest = (git(folder, "cat-file", "--batch", given=asked) if asked else None) or b""
    while rest:
        head, _, rest = rest.partition(b"\n")
        if not head.endswith((b" missing", b" ambiguous")):
            size = int(head.split()[-1])
            yield rest[:size]
            rest = rest[size + 1 :]
        else:
            yield None
