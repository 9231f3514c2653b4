"""C++ texts read as if they stood in a file of a project."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.importer.headers import read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.records import Found, FoundClass


def read(**texts: str) -> Found:
    """Read texts by the stems of their files; `x_cc` is a source file, any other a header."""
    files = [
        CppFile(
            f"src/{stem.removesuffix('_cc')}.cc"
            if stem.endswith("_cc")
            else f"include/acme/{stem}.h",
            text.encode(),
        )
        for stem, text in texts.items()
    ]
    return read_texts(files, "include, src")


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
