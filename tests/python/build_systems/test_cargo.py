"""The recipe for Cargo: the build script generates when an input changed, and at no other time."""

from __future__ import annotations

import shutil

import pytest

from .conftest import ROOT, Recipe, copy_recipe

GENERATED = "generated/rust/**/*.rs"


@pytest.fixture(scope="module")
def built() -> Recipe:
    """Build the recipe two folders below the checkout, where its `Cargo.toml` finds the crates."""
    recipe = copy_recipe("cargo", ROOT / "build" / "cargo-recipe")
    shutil.copyfile(ROOT / "Cargo.lock", recipe.root / "Cargo.lock")
    build(recipe)
    return recipe


@pytest.fixture
def project(built: Recipe) -> Recipe:
    """Build the recipe as it is before a test."""
    built.reset()
    build(built)
    return built


def run_cargo(recipe: Recipe, status: int = 0) -> str:
    target = ROOT / "build" / "cargo"
    options = ["--offline", "--target-dir", str(target), "--color", "never"]
    return recipe.run("cargo", "build", *options, status=status)


def build(recipe: Recipe) -> list[str]:
    """Build; return what is compiled."""
    lines = run_cargo(recipe).splitlines()
    return [line.split()[1] for line in lines if line.split()[0] == "Compiling"]


def test_second_build_does_nothing(project: Recipe) -> None:
    assert build(project) == []


def test_changed_schema_builds_what_depends_on_it(project: Recipe) -> None:
    project.add_field()
    compiled: list[str] = []
    written = project.written(GENERATED, lambda: compiled.extend(build(project)))
    assert written == {"color.rs", "mod.rs"}
    assert compiled == ["shapes"]
    assert "green" in (project.root / "generated/rust/color.rs").read_text()
    assert build(project) == []


def test_new_schema_file(project: Recipe) -> None:
    project.add_file()
    written = project.written(GENERATED, lambda: build(project))
    assert written == {"tint.rs", "mod.rs"}
    assert build(project) == []


def test_wrong_schema_stops_the_build_and_says_where(project: Recipe) -> None:
    project.edit("schema/color.py", "ty.uint8_t", "ty.uint9_t")
    assert "schema/color.py:19:10: error" in run_cargo(project, status=101)
