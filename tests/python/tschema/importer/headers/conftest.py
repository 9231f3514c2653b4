"""C++ texts read as if they stood in a file of a project."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.importer.headers import read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.records import Found, FoundClass


def read(**texts: str) -> Found:
    """Read texts by the stems of their files; `x_cc` is a source file, any other a header."""
    return read_texts([_file(stem, text) for stem, text in texts.items()], "include, src")


def _file(stem: str, text: str) -> CppFile:
    if stem.endswith("_cc"):
        return CppFile(f"src/{stem.removesuffix('_cc')}.cc", text.encode())
    return CppFile(f"include/acme/{stem}.h", text.encode(), f"acme/{stem}.h")


@pytest.fixture
def read_files() -> Callable[..., Found]:
    return read


@pytest.fixture
def read_class() -> Callable[[str], FoundClass]:
    """Read a text that declares one class."""

    def one(text: str) -> FoundClass:
        found = read(ir=text)
        assert len(found.classes) == 1, found
        return found.classes[0]

    return one
