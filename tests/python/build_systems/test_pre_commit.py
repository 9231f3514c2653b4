"""The hooks for pre-commit: what stops a commit, and what does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from .conftest import ROOT, Recipe, copy_recipe

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}


@pytest.fixture
def project(tmp_path: Path) -> Recipe:
    """Make a git repository whose generated code is fresh."""
    recipe = copy_recipe("pre-commit", tmp_path)
    recipe.run("tschema", "gen")
    recipe.run("git", "init", "--quiet")
    recipe.run("git", "add", ".")
    return recipe


def run_hook(recipe: Recipe, name: str, *, status: int = 0) -> bool:
    """Run a hook as pre-commit does; return whether the commit goes on."""
    recipe.run(*HOOKS[name]["entry"].split(), status=status)
    return status == 0 and recipe.run("git", "diff", "--name-only") == ""


def test_recipe_names_the_hooks() -> None:
    recipe = (ROOT / "recipes/pre-commit/.pre-commit-config.yaml").read_text()
    (repository,) = yaml.safe_load(recipe)["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == list(HOOKS)


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_hook_runs_for_every_file_that_matters(hook: dict[str, str], project: Recipe) -> None:
    names = project.run("git", "ls-files").splitlines()
    assert [name for name in names if not re.search(hook["files"], name)] == [
        ".pre-commit-config.yaml",
        "generated/python/toy_nodes/py.typed",
    ]
    assert hook["language"] == "system" and not hook["pass_filenames"]


@pytest.mark.parametrize("name", HOOKS)
def test_fresh_code_is_committed(name: str, project: Recipe) -> None:
    before = project.times("generated/**/*")
    assert run_hook(project, name)
    assert project.times("generated/**/*") == before


def test_outdated_code_is_generated_and_stops_the_commit_once(project: Recipe) -> None:
    project.add_field()
    project.run("git", "add", "schema")
    assert not run_hook(project, "tschema-check", status=1)
    assert not run_hook(project, "tschema-gen")
    project.run("git", "add", ".")
    assert run_hook(project, "tschema-gen")
    assert run_hook(project, "tschema-check")


def test_hand_edit_stops_the_commit(project: Recipe) -> None:
    project.edit("generated/cpp/include/toy/color.h", "uint8_t red", "uint16_t red")
    project.run("git", "add", ".")
    assert not run_hook(project, "tschema-gen", status=1)
    assert not run_hook(project, "tschema-check", status=1)
