"""Check for truncated shared libraries, whose loading would end the process.

In: a path. Out: a message if the file is truncated. The system maps the segments in the file's
program headers (ELF, System V ABI, "Program Loading"), and access to a page past the end of the
file is a SIGBUS. Only ELF is checked, because other systems check themselves.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

__all__ = ["explain_truncation"]

_MAGIC: Final = b"\x7fELF\x02\x01"
"""ELF of 64 bits, little-endian."""
_HEAD_SIZE: Final = 4096
_PROGRAM_HEADERS_AT: Final = 0x20
_PROGRAM_HEADER_SIZES_AT: Final = 0x36
_LOADED: Final = 1


def explain_truncation(path: Path) -> str | None:
    """Return the reason that a library must not be loaded.

    Parameters
    ----------
    path
        The library, any file.

    Returns
    -------
    reason
        A message with a remedy; None if the file is complete.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEAD_SIZE)
    if not head.startswith(_MAGIC):
        return None  # The system's loader reports the error.
    try:
        end = _end_of_mapping(head)
    except struct.error:
        end = size + 1
    if end <= size:
        return None
    return (
        f"{path} is cut off after {size} bytes, so that its build or copy did not finish: "
        "build it again, or install the package again"
    )


def _end_of_mapping(head: bytes) -> int:
    """Return how many bytes of the file are mapped at least."""
    (start,) = struct.unpack_from("<Q", head, _PROGRAM_HEADERS_AT)
    entry_size, count = struct.unpack_from("<HH", head, _PROGRAM_HEADER_SIZES_AT)
    end = 0
    for index in range(count):
        kind, _, offset, _, _, file_size = struct.unpack_from(
            "<IIQQQQ", head, start + index * entry_size
        )
        if kind == _LOADED:
            end = max(end, offset + file_size)
    return end
