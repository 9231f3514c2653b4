"""Files that need no formatting and no merging: those that a run has made of the same text.

In: emitted texts, and what stands on disk.  Out: the files whose bytes a run with the same text has
left behind; merging those with themselves changes nothing.  It believes digests of all
the bytes, and no times.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.cache import Store, make_key

__all__ = ["find_new", "find_settled", "note_settled"]


def find_new(texts: Mapping[PurePosixPath, str], store: Store) -> dict[PurePosixPath, str]:
    """
    Return the texts that no earlier run has made a file of.

    Parameters
    ----------
    texts
        The text of each file, as the backends emit it.
    store
        What earlier runs have noted.
    """
    return {path: text for path, text in texts.items() if store.get(_key(path, text)) is None}


def find_settled(
    texts: Mapping[PurePosixPath, str], old: Mapping[PurePosixPath, bytes], store: Store
) -> dict[PurePosixPath, bytes]:
    """
    Return the files that are as they should be.

    Parameters
    ----------
    texts
        The text of each file, as the backends emit it.
    old
        The bytes of those that exist.
    store
        What earlier runs have noted.
    """
    return {
        path: old[path]
        for path, text in texts.items()
        if path in old and store.get(_key(path, text)) == make_key(old[path])
    }


def note_settled(
    texts: Mapping[PurePosixPath, str], files: Mapping[PurePosixPath, bytes], store: Store
) -> None:
    """
    Note what a run has made of texts.

    Parameters
    ----------
    texts
        The text of each file, as the backends emit it.
    files
        The bytes of each file, now on disk.
    store
        Takes the notes.
    """
    for path, text in texts.items():
        if path in files:
            store.put(_key(path, text), make_key(files[path]))


def _key(path: PurePosixPath, text: str) -> bytes:
    return make_key("settled", str(path), text)
