"""Recipes, copied where they can be built, and helpers to see what a build does."""

from __future__ import annotations

import os
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..support.commands import run_command
from ..support.project import write_if_changed

ROOT = Path(__file__).resolve().parents[3]
RECIPES = ROOT / "recipes"


@dataclass(frozen=True)
class Recipe:
    """A project with the build system of a recipe, in a folder of its own."""

    root: Path
    name: str
    project: str

    def reset(self) -> None:
        """Make the sources what they were; those that are the same stay untouched."""
        (self.root / "schema/tint.py").unlink(missing_ok=True)
        for folder in (RECIPES / self.project, RECIPES / self.name):
            for path in folder.rglob("*"):
                if path.is_file():
                    write_if_changed(self.root / path.relative_to(folder), path.read_bytes())

    def run(self, *command: str | Path, status: int = 0) -> str:
        """Run a command in the project; return its output."""
        search = f"{Path(sys.executable).parent}:{sysconfig.get_path('scripts')}"
        environment = {**os.environ, "PATH": f"{search}:{os.environ['PATH']}"}
        for name in ("MAKEFLAGS", "MAKELEVEL", "CARGO_TARGET_DIR"):
            environment.pop(name, None)
        return run_command(command, self.root, environment, status=status)

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace text of a file, which then is newer than all that was built."""
        file = self.root / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def add_field(self) -> None:
        """Give the colour one more field."""
        self.edit(
            "schema/color.py",
            "    red: ty.uint8_t\n",
            "    red: ty.uint8_t\n    green: ty.uint8_t = 0\n",
        )
        self.edit(
            "schema/color.py",
            "to 255.\n",
            "to 255.\n    green\n        Share of green, 0 to 255.\n",
        )

    def add_file(self) -> None:
        """Declare a class in a new schema file."""
        text = (self.root / "schema/color.py").read_text()
        (self.root / "schema/tint.py").write_text(text.replace("Color", "Tint"))

    def times(self, pattern: str) -> dict[str, int]:
        """Return when the files that match a pattern were last written."""
        files = [path for path in self.root.glob(pattern) if path.is_file()]
        return {str(path.relative_to(self.root)): path.stat().st_mtime_ns for path in files}

    def written(self, pattern: str, run: Callable[[], object]) -> set[str]:
        """Return the names of the files that something writes."""
        before = self.times(pattern)
        # Far enough for any file system to tell the times apart.
        time.sleep(0.02)
        run()
        after = self.times(pattern)
        return {Path(path).name for path, when in after.items() if before.get(path) != when}


def copy_recipe(name: str, root: Path, project: str = "shapes") -> Recipe:
    """Copy a project and a recipe into a folder."""
    recipe = Recipe(root, name, project)
    recipe.reset()
    return recipe
