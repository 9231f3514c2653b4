"""What each pass gets: schema text, taken as far as the pass before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from msgspec import Struct, field

from tschema.diagnostics.errors import Reporter
from tschema.frontend import parse_schema
from tschema.ir.declarations import Declarations
from tschema.passes.resolve import resolve
from tschema.passes.resolved import Node, ResolvedPackage
from tschema.passes.symbols import Symbols, collect_symbols

from ..frontend.conftest import HEADER, build, build_folder

__all__ = ["Stages", "build", "build_folder", "stages"]


class Stages(Struct):
    """A package `toy` between the passes, and what they reported."""

    declarations: Declarations
    reporter: Reporter = field(default_factory=Reporter)

    def symbols(self) -> Symbols:
        """Return the symbol table."""
        return collect_symbols("toy", self.declarations.files, {}, self.reporter)

    def resolved(self) -> ResolvedPackage:
        """Return the package with all names resolved."""
        return resolve(self.symbols(), self.reporter)

    def node(self, name: str) -> Node:
        """Return a resolved class."""
        return next(node for node in self.resolved().nodes() if node.name == name)

    def codes(self) -> list[str]:
        """Return the codes of the reports."""
        return [one.code for one in (*self.declarations.diagnostics, *self.reporter.diagnostics)]

    def resolved_codes(self) -> list[str]:
        """Return the codes of the reports after all names are resolved."""
        self.resolved()
        return self.codes()


@pytest.fixture
def stages(tmp_path: Path) -> Callable[..., Stages]:
    """Return a function that parses files of the package, by path without suffix."""

    def parse(body: str = "", **files: str) -> Stages:
        texts = {"nodes": body, **files} if body else files
        for name, text in texts.items():
            path = tmp_path / "schema" / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(HEADER + text)
        return Stages(parse_schema(tmp_path, [PurePosixPath("schema")], "toy"))

    return parse
