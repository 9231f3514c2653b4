"""The Makefile recipe: nothing is built twice, and a changed schema builds what depends on it."""

from __future__ import annotations

import pytest

from .conftest import Recipe, copy_recipe

OBJECTS = "build/**/*.o"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    """Build the recipe; make takes no blank in a path."""
    recipe = copy_recipe("make", tmp_path_factory.mktemp("project"))
    build(recipe)
    assert (recipe.root / "build/libtoy.so").is_file()
    return recipe


@pytest.fixture
def project(built: Recipe) -> Recipe:
    """Build the recipe as it is before a test."""
    built.reset()
    build(built)
    return built


def build(recipe: Recipe) -> str:
    return recipe.run("make", "-j2")


def test_second_build_does_nothing(project: Recipe) -> None:
    assert build(project) == "make: Nothing to be done for 'all'.\n"


def test_changed_schema_builds_what_depends_on_it(project: Recipe) -> None:
    project.add_field()
    written = project.written(OBJECTS, lambda: build(project))
    assert written == {"color.o", "is_red.o", "registry.o"}
    assert build(project) == "make: Nothing to be done for 'all'.\n"


def test_touched_schema_compiles_nothing(project: Recipe) -> None:
    (project.root / "schema/color.py").touch()
    assert project.written(OBJECTS, lambda: build(project)) == set()
    assert build(project) == "make: Nothing to be done for 'all'.\n"


def test_new_and_removed_schema_file(project: Recipe) -> None:
    project.add_file()
    assert project.written(OBJECTS, lambda: build(project)) == {"tint.o", "registry.o"}
    (project.root / "schema/tint.py").unlink()
    assert project.written(OBJECTS, lambda: build(project)) == {"registry.o"}
    assert build(project) == "make: Nothing to be done for 'all'.\n"


def test_wrong_schema_stops_the_build_and_says_where(project: Recipe) -> None:
    project.edit("schema/color.py", "ty.uint8_t", "ty.uint9_t")
    assert "schema/color.py:19:10: error" in project.run("make", status=2)
