"""The workflow for GitHub Actions: its commands pass on fresh code, and fail on code that is out of
date."""

from __future__ import annotations

from pathlib import Path

import yaml

from .conftest import RECIPES, Recipe, copy_recipe


def commands(job: str = "generated-code") -> list[str]:
    workflow = yaml.safe_load((RECIPES / "github-actions/tschema.yml").read_text())
    return [step["run"] for step in workflow["jobs"][job]["steps"] if "run" in step]


def make_project(folder: Path) -> Recipe:
    recipe = copy_recipe("cmake", folder)
    recipe.run("tschema", "gen")
    return recipe


def test_commands_pass_on_fresh_code(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    for command in commands():
        project.run("bash", "-e", "-c", command)
    assert (tmp_path / "build/libtoy.so").is_file()


def test_outdated_code_is_found(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.add_field()
    (check,) = [command for command in commands() if "--check" in command]
    output = project.run("bash", "-e", "-c", check, status=1)
    assert "generated/cpp/include/toy/color.h" in output


def test_breaking_changes_are_found(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    (check,) = [command for command in commands("breaking-changes") if "breaking" in command]
    git = "git -c user.name=Ann -c user.email=ann@example.com"
    begin = f"git init --initial-branch=main && git add . && {git} commit --message=begin"
    project.run("bash", "-e", "-c", f"{begin} && git update-ref refs/remotes/origin/main HEAD")
    check = check.replace("${{ github.base_ref }}", "main")
    project.run("bash", "-e", "-c", check)
    project.add_field()
    assert "title=TS106" in project.run("bash", "-e", "-c", check, status=1)
