"""The changes of a branch that break users, for code lenses.

In: projects.  Out: counts by declaration, since the commit at which the branch began.  git and the
older schema are read on a thread, once for each commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tschema.compatibility import compare, diagnose
from tschema.compatibility.against import load_against
from tschema.diagnostics.errors import SchemaError
from tschema.ir.locate import Locator
from tschema.ir.model import Schema
from tschema.lsp.project import Project
from tschema.project.config import Config
from tschema.project.git import git

_TRUNKS = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""The branches from which others begin, the first that exists counts."""


class BreakingChanges:
    """Counts breaking changes of projects."""

    def __init__(self) -> None:
        """Know no project yet."""
        self._older: dict[Path, Future[Schema | None]] = {}
        self._thread = ThreadPoolExecutor(1, "tschema-git")
        self._counted: dict[Path, tuple[Schema, Mapping[str, int]]] = {}

    def look(self, project: Project) -> None:
        """Begin to read the schema at which a project's branch began."""
        self._older[project.config.root] = self._thread.submit(base_schema, project.config)

    def counts(self, project: Project) -> Mapping[str, int]:
        """Return the number of breaking changes of each declaration, by key, as far as known."""
        root = project.config.root
        older = self._older.get(root)
        schema = project.good.schema if project.good else None
        if older is None or schema is None or not older.done():
            return {}
        base = older.result()
        known = self._counted.get(root)
        if known is None or known[0] is not schema:
            known = schema, _count(base, schema, project.config) if base else {}
            self._counted[root] = known
        return known[1]


def base_schema(config: Config) -> Schema | None:
    """Return the schema at the commit where a branch began; None where there is none."""
    for trunk in _TRUNKS:
        found = git(config.root, "merge-base", "HEAD", trunk)
        if found is not None:
            try:
                return load_against(found.decode().strip(), config)
            except SchemaError:
                return None
    return None


def _count(older: Schema, newer: Schema, config: Config) -> Mapping[str, int]:
    """Return how many reported changes each declaration has."""
    locator = Locator(config.root, newer)
    reported = (
        change.key
        for change in compare(older, newer)
        if any(diagnose([change], config.breaking, locator))
    )
    return Counter(reported)
