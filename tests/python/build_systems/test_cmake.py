"""`tschema_generate()`: nothing is built twice, and a changed schema builds what depends on it."""

from __future__ import annotations

import pytest

from tschema.project.cmake import cmake_args

from ..support.precompiled import cmake_options
from .conftest import Recipe, copy_recipe

pytestmark = pytest.mark.long

GENERATORS = ["Ninja", pytest.param("Unix Makefiles", marks=pytest.mark.deep)]
OBJECTS = "build/**/*.o"
COLOR = {"color.cc.o", "is_red.cc.o", "registry.cc.o"}


@pytest.fixture(scope="module", params=GENERATORS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    """Build the recipe, in a folder with a blank in its name."""
    recipe = copy_recipe("cmake", tmp_path_factory.mktemp("a project"))
    options = [*cmake_options(), *cmake_args()]
    recipe.run("cmake", "-S", ".", "-B", "build", "-G", request.param, *options)
    build(recipe)
    assert (recipe.root / "build/libtoy.so").is_file()
    return recipe


@pytest.fixture
def project(built: Recipe) -> Recipe:
    """Build the recipe as it is before a test."""
    built.reset()
    built.run("tschema", "gen", "--discard")
    build(built)
    return built


def build(recipe: Recipe) -> str:
    return recipe.run("cmake", "--build", "build", "--parallel", "2")


def test_second_build_does_nothing(project: Recipe) -> None:
    outputs: list[str] = []
    assert project.written("build/**/*.[os]*", lambda: outputs.append(build(project))) == set()
    assert "Generating" not in outputs[0] and "Building" not in outputs[0]


def test_changed_schema_builds_what_depends_on_it(project: Recipe) -> None:
    project.add_field()
    assert project.written(OBJECTS, lambda: build(project)) == COLOR
    assert project.written(OBJECTS, lambda: build(project)) == set()
    assert "Generating" not in build(project)


def test_touched_schema_compiles_nothing(project: Recipe) -> None:
    (project.root / "schema/color.py").touch()
    outputs: list[str] = []
    assert project.written(OBJECTS, lambda: outputs.append(build(project))) == set()
    assert "Generating" in outputs[0]
    assert "Generating" not in build(project)


def test_new_and_removed_schema_file(project: Recipe) -> None:
    project.add_file()
    assert project.written(OBJECTS, lambda: build(project)) == {"tint.cc.o", "registry.cc.o"}
    (project.root / "schema/tint.py").unlink()
    assert project.written(OBJECTS, lambda: build(project)) == {"registry.cc.o"}
    assert project.written(OBJECTS, lambda: build(project)) == set()


def test_wrong_schema_stops_the_build_and_says_where(project: Recipe) -> None:
    project.edit("schema/color.py", "ty.uint8_t", "ty.uint9_t")
    assert "schema/color.py:19:10: error" in fail(project)
    project.edit("schema/color.py", "ty.uint9_t", "ty.uint8_t")
    assert project.written(OBJECTS, lambda: build(project)) == set()


def test_hand_edit_stops_the_build(project: Recipe) -> None:
    project.edit("generated/cpp/include/toy/color.h", "uint8_t red", "uint16_t red")
    assert "uint16_t red" in fail(project)


def test_missing_generated_file_comes_back(project: Recipe) -> None:
    header = project.root / "generated/cpp/include/toy/color.h"
    header.unlink()
    build(project)
    assert header.is_file()


def test_clean_leaves_the_custom_regions(project: Recipe) -> None:
    header = "generated/cpp/include/toy/color.h"
    project.edit(header, "// tschema: custom-begin\n", "// tschema: custom-begin\n// Mine.\n")
    build(project)
    project.run("cmake", "--build", "build", "--target", "clean")
    assert "// Mine." in (project.root / header).read_text()
    build(project)
    assert "// Mine." in (project.root / header).read_text()


def test_missing_body_stops_the_build_and_names_verify(project: Recipe) -> None:
    """`verify` names it; with its body the library is linked."""
    key = 'type_key = "toy.Color"\n'
    project.edit("schema/color.py", key, key + "    post_init = True\n")
    printed = fail(project)
    assert "toy::ColorNode::PostInit()" in printed
    assert f"tschema verify --config {project.root}/tschema.toml" in printed
    assert "PostInit" in project.run("tschema", "verify", status=1)
    body = "void toy::ColorNode::PostInit() {}\n"
    project.edit("src/is_red.cc", "\nbool", f"\n{body}\nbool")
    assert "tschema verify" not in build(project)


def fail(recipe: Recipe) -> str:
    """Build, which must fail."""
    status = 2 if (recipe.root / "build/Makefile").is_file() else 1
    return recipe.run("cmake", "--build", "build", status=status)
