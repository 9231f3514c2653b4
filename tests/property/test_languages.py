"""Random packages compile in three languages, which agree on layouts and on values."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import COUNT, Batch

pytestmark = pytest.mark.long

AGREE = Path(__file__).with_name("agree.py")


@pytest.fixture(scope="session")
def cpp(generated: Batch) -> Batch:
    generated.project.build_cpp("-DCMAKE_BUILD_TYPE=Debug")
    return generated


@pytest.fixture(scope="session")
def rust(generated: Batch) -> Path:
    return generated.project.build_rust()


def test_the_batch_is_worth_its_time(generated: Batch) -> None:
    types = [
        type_ for one in generated.schemas for space in one.namespaces for type_ in space.types
    ]
    assert len(generated.schemas) == COUNT
    assert len(types) >= 5 * COUNT
    assert any(type_.fields and type_.parent != "ffi.Object" for type_ in types)


def test_cpp_compiles_without_warnings(cpp: Batch) -> None:
    for schema in cpp.schemas:
        assert (cpp.project.root / schema.package / "build" / f"lib{schema.package}.so").is_file()


def test_rust_compiles_without_warnings(rust: Path) -> None:
    assert rust.is_file()


def test_languages_agree(cpp: Batch, rust: Path) -> None:
    """Layouts by reflection, and random values through each language; see `agree.py`."""
    names = [schema.package for schema in cpp.schemas]
    output = cpp.project.run(
        sys.executable, "-m", "tests.property.agree", cpp.project.root, rust, *names
    )
    assert f"{len(names)} packages agree" in output
