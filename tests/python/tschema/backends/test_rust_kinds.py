"""Every field type, emitted as Rust: formatted, without warnings, and right at its limits.

The schema beside this file is emitted as C++ and Rust; the C++ is compiled as the owner of the
types, and a Rust test constructs, reads and calls through it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.backends import load_backend
from tschema.emit.render import Renderer
from tschema.ir.spelling import spelled
from tschema.pipeline.run import build_schema
from tschema.project.config import Config, load_config

from ...support.crate import cargo, compile_owner, run, write_crate
from ...support.project import ROOT

pytestmark = pytest.mark.long

KINDS = Path(__file__).parent / "rust_kinds"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Emit the schema as C++ and Rust into a crate of its own."""
    folder = tmp_path_factory.mktemp("kinds")
    config = load_config(KINDS / "tschema.toml")
    write_all(folder, config)
    write_crate(folder, "kinds", KINDS / "limits.rs")
    return folder


def write_all(folder: Path, config: Config) -> None:
    schema, _ = build_schema(config)
    for language, target in config.targets().items():
        for file in load_backend(language)(spelled(schema, language), target, Renderer()):
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")


@pytest.fixture(scope="module")
def owner(project: Path) -> Path:
    """Compile the library that owns the types."""
    return compile_owner(project, "kinds", [KINDS / "bodies.cc"])


def test_rustfmt_leaves_emitted_text_alone(project: Path) -> None:
    config = str(ROOT / "rustfmt.toml")
    run("rustfmt", "--check", "--config-path", config, "generated/rust/mod.rs", folder=project)


def test_clippy_has_nothing_to_say(project: Path) -> None:
    cargo("clippy", "--quiet", "--lib", "--", "--deny", "warnings", folder=project)


@pytest.mark.usefixtures("owner")
def test_values_at_their_limits_pass_through_the_owner(project: Path) -> None:
    printed = cargo("test", "--quiet", "--test", "limits", folder=project)
    assert "5 passed" in printed
