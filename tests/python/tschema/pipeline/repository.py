"""A small project in a repository of git, with two branches to merge."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..conftest import Project, replace

PYTHON = "generated/python/toy_nodes/ir/shape.py"
BASE_REGION = "    one = 1\n    two = 2\n    three = 3\n    four = 4\n"


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git with an author of its own."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True)


@dataclass
class Repository:
    """A project in a repository, all of it generated and committed."""

    project: Project

    @property
    def output(self) -> Path:
        """The Python file that is generated."""
        return self.project.root / PYTHON

    def git(self, *arguments: str) -> str:
        """Run git, which must succeed; return what it prints."""
        done = git(self.project.root, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def merge(self, *arguments: str) -> int:
        """Merge the branch `theirs` into `ours`; return the status of git."""
        self.git("checkout", "ours")
        return git(self.project.root, "merge", *(arguments or ("--no-edit",)), "theirs").returncode

    def remove_and_write(self) -> int:
        """Merge a branch that writes in the region of `Label` into one that removes the class."""
        schema = self.project.schema

        def remove() -> None:
            text = schema.read_text()
            schema.write_text(text[: text.index("\n\n@declare\nclass LabelNode")])

        def write() -> None:
            text = self.output.read_text()
            at = text.rindex("    # tschema: custom-end")
            self.output.write_text(f"{text[:at]}    mine = 1\n{text[at:]}")

        self.branch("ours", remove)
        self.branch("theirs", write)
        return self.merge()

    def commit(self, name: str) -> None:
        """Generate, and commit everything."""
        assert self.project.run("gen").status == 0
        self.git("add", "--all")
        self.git("commit", "--message", name)

    def branch(self, name: str, change: Callable[[], None]) -> None:
        """Make a branch with a change."""
        self.git("checkout", "-b", name, "main")
        change()
        self.commit(name)

    def edit(self, before: str, after: str) -> None:
        """Change hand-written code."""
        replace(self.output, before, after)


def begin(project: Project) -> Repository:
    """Commit a project with hand-written code in one class."""
    repository = Repository(project)
    repository.git("init", "--initial-branch=main")
    (project.root / ".gitignore").write_text(".tschema_cache/\n")
    assert project.run("gen").status == 0
    text = repository.output.read_text()
    begin_marker = "    # tschema: custom-begin\n"
    head, marker, tail = text.partition(begin_marker)
    repository.output.write_text(head + marker + BASE_REGION + tail)
    repository.commit("main")
    return repository
