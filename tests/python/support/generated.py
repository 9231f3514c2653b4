"""The generated code of a package of the tests, in a folder apart from its schema."""

from __future__ import annotations

from pathlib import Path

from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config


def generate(package: Path, root: Path) -> Path:
    """Generate the package in a folder below a root; return the folder with the output."""
    config = load_config(package / "tschema.toml")
    apply(make_plan(Request(config, out_dir=root), lambda _stage: None))
    return root / "generated"
