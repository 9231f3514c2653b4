"""The interface of backends: texts by path.

A backend reads the JSON IR and the settings of its target. It knows neither existing files nor
formatters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from tschema.ir.model import Namespace

__all__ = [
    "InPlaceOutput",
    "Language",
    "Need",
    "OutputFile",
    "Places",
    "pool_path",
    "snake_case",
    "source_folders",
    "spell_in_full",
]

Language = Literal["cpp", "python", "rust", "docs", "json"]


class OutputFile(Struct, frozen=True):
    """A file as a backend emits it: unformatted, its custom regions empty, its digests bare."""

    path: PurePosixPath
    """Relative to the project's root."""
    language: Language
    text: str
    """With LF line ends; where it has blocks, their `end` markers carry no digest."""


Places = Mapping[str, PurePosixPath]
"""Where the blocks of a package stand: dotted name of a class, namespace first, to its file."""


class Need(Struct, frozen=True):
    """Something that a block names and its file has to bring in."""

    name: str
    """The name, or the path of the header."""
    statement: str
    """What brings it in: `#include <tvm/ffi/string.h>`, `from .span import Span`."""


class InPlaceOutput(Struct, frozen=True):
    """What a backend emits for files of the user's."""

    pools: tuple[OutputFile, ...]
    """Files of blocks, which are formatted, and whose blocks then go to the user's files."""
    blocks: Mapping[str, PurePosixPath]
    """Dotted name of a class to the pool that has its block."""
    needs: Mapping[str, tuple[Need, ...]]
    """Dotted name of a class to what its file has to bring in."""
    sidecar: tuple[OutputFile, ...]


def pool_path(space: Namespace, language: Language, suffix: str) -> PurePosixPath:
    """Return the path of a pool, at which no file is ever written."""
    folder = PurePosixPath("tschema-blocks", language, *space.name.split("."))
    return folder / f"{space.file}{suffix}"


def source_folders(spaces: Iterable[Namespace]) -> str:
    """Return the folders of schema files, as the head of a generated file names them.

    A schema file that stands in the project's root is named itself: its folder has no name.
    """
    return ", ".join(sorted({space.source.rpartition("/")[0] or space.source for space in spaces}))


_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z0-9])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """Return a name in lower case, its words set apart: `trip_count` for `TripCount`."""
    return _WORD_START.sub("_", name).lower()


_CODE_NAMES = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![\w:])(ffi|tschema)(?=::)""", re.DOTALL
)


def spell_in_full(code: str, ffi: str, tschema: str = "::tschema") -> str:
    """
    Spell the modules of tvm-ffi and tschema in full, for a file that may have no alias for them.

    Parameters
    ----------
    code
        C++ or Rust; comments and strings are left alone.
    ffi
        What stands for `ffi`: `::tvm::ffi`.
    tschema
        What stands for `tschema`.
    """
    full = {"ffi": ffi, "tschema": tschema}
    return _CODE_NAMES.sub(lambda match: full[match[1]] if match[1] else match[0], code)
