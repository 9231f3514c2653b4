"""The oldest glibc that a shared library of Linux works with, as its version table says."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

__all__ = ["glibc_floor"]

_VERSIONS_NEEDED = 0x6FFFFFFE  # SHT_GNU_verneed of the ELF specification of the LSB.
_SECTION = struct.Struct("<IIQQQQIIQQ")


def glibc_floor(library: Path) -> str | None:
    """
    Return the newest version of glibc that a library has symbols of.

    Parameters
    ----------
    library
        The file of the library.

    Returns
    -------
    version
        Such as `2.17`; None for a library that needs no glibc, or is not a 64-bit ELF file.
    """
    content = library.read_bytes()
    if content[:6] != b"\x7fELF\x02\x01":
        return None
    names = (name for name in _needed_versions(content) if name.startswith("GLIBC_"))
    versions = [name.removeprefix("GLIBC_") for name in names]
    numbers = [one for one in versions if one.replace(".", "").isdigit()]
    return max(numbers, key=lambda one: tuple(map(int, one.split("."))), default=None)


def _needed_versions(content: bytes) -> Iterator[str]:
    (table,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    sections = [_SECTION.unpack_from(content, table + size * index) for index in range(count)]
    for _, kind, _, _, offset, _, strings, files, _, _ in sections:
        if kind == _VERSIONS_NEEDED:
            yield from _names(content, offset, files, sections[strings][4])


def _names(content: bytes, offset: int, files: int, strings: int) -> Iterator[str]:
    """Yield the versions that each needed file must have: a list of lists."""
    for _ in range(files):
        _, versions, _, first, following = struct.unpack_from("<HHIII", content, offset)
        entry = offset + first
        for _ in range(versions):
            _, _, _, name, after = struct.unpack_from("<IHHII", content, entry)
            yield content[strings + name : content.index(b"\0", strings + name)].decode()
            entry += after
        offset += following
