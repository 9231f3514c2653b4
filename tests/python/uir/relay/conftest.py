"""A package of operators that are only data."""

from __future__ import annotations

from types import ModuleType

import pytest

from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config
from tschema.runtime import load_types

from ...support.project import ROOT, copy_project, one_at_a_time


@pytest.fixture(scope="session")
def loom() -> ModuleType:
    """Generate the JSON IR of the package `loom`, and load it; nothing is compiled."""
    with one_at_a_time("loom"):
        project = copy_project(ROOT / "tests" / "packages" / "loom", "loom")
        config = load_config(project.root / "tschema.toml")
        apply(make_plan(Request(config), lambda _stage: None))
    module: ModuleType = load_types(project.root / "generated" / "schema.json")
    return module
