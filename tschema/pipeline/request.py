"""The request of a run of `gen`.

In: a configuration and options.  Out: the targets, and where their files go.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.diagnostics.errors import Diagnostic
from tschema.project.config import Config, InPlaceTarget, Target


class Request(Struct, frozen=True):
    """A request to generate files."""

    config: Config
    languages: frozenset[str] | None = None
    """The targets to write; all that are configured if None."""
    paths: tuple[Path, ...] = ()
    """Schema files and folders whose outputs are wanted; all if empty."""
    out_dir: Path | None = None
    """The folder that output paths are relative to, instead of the project's root."""
    plugins: tuple[str, ...] = ()
    """Programs that give more files; see `plugin.py`."""
    adopt: bool = False
    """Whether lines added to generated text go to the custom regions."""
    left: Mapping[str, Diagnostic] = {}
    """By dotted name of a data class or an enum, why it stays by hand."""
    texts: Mapping[str, str] = {}
    """Texts of schema files by path, which count instead of those on disk."""

    @property
    def root(self) -> Path:
        """The folder that outputs go to."""
        return self.out_dir.absolute() if self.out_dir else self.config.root

    def targets(self) -> dict[str, Target]:
        """Return the targets to write, by language."""
        targets = self.config.targets()
        wanted = targets.keys() if self.languages is None else self.languages
        return {language: targets[language] for language in targets if language in wanted}

    def folders(self) -> list[PurePosixPath]:
        """Return the folders that the targets name."""
        return [
            value
            for target in self.targets().values()
            for name in target.__struct_fields__
            if isinstance(value := getattr(target, name), PurePosixPath)
        ]

    def searched_folders(self) -> list[PurePosixPath]:
        """Return the folders with files of the user's, as far as patterns name them."""
        folders: list[PurePosixPath] = []
        for target in self.targets().values():
            for pattern in target.files if isinstance(target, InPlaceTarget) else ():
                parts = PurePosixPath(pattern).parts[:-1]
                plain = takewhile(lambda part: not set(part) & set("*?["), parts)
                folders.append(PurePosixPath(*plain))
        return folders

    def wanted(self) -> list[str]:
        """Return the paths, relative to the project's root where they lie below it."""
        return [_relative(path, self.config.root) for path in self.paths]


def _relative(path: Path, root: Path) -> str:
    path = Path(os.path.abspath(path))  # Without `..`, which a subfolder's paths begin with.
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
