"""Functors of classes whose blocks stand in files of the user's: modules of the sidecar."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from ....support.crate import cargo
from ....support.project import ROOT
from .test_adoption import MANIFEST

FARM = Path(__file__).parent / "farm"


def farm_with_functors(folder: Path, language: str) -> Path:
    """Generate a copy of the farm, whose animals are dispatched."""
    farm = folder / "farm"
    shutil.copytree(FARM, farm)
    command = [sys.executable, "-m", "tschema", "gen", "--lang", language]
    process = subprocess.run(command, cwd=farm, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return farm


def test_the_sidecar_has_the_functors(tmp_path: Path) -> None:
    farm = farm_with_functors(tmp_path, "python")
    made = (farm / "python" / "farm" / "_tschema" / "_animal_functor.py").read_text()
    assert "from ..animal import Cow\n" in made
    assert "class AnimalVisitor(AnimalFunctor[None], Visitor):" in made
    assert "        self.visit_array(node.calves)\n" in made


def test_the_sidecar_has_those_in_rust(tmp_path: Path) -> None:
    farm = farm_with_functors(tmp_path, "rust")
    made = (farm / "rust" / "src" / "sidecar" / "animal_functor.rs").read_text()
    assert "use super::super::animal::{Animal, Cow};\n" in made
    assert "pub trait AnimalMutator {" in made
    folder = (farm / "rust" / "src" / "sidecar" / "mod.rs").read_text()
    assert "pub use animal_functor::{AnimalFunctor, AnimalMutator, AnimalVisitor};\n" in folder
    (farm / "rust" / "Cargo.toml").write_text(MANIFEST)
    shutil.copyfile(ROOT / "Cargo.lock", farm / "rust" / "Cargo.lock")
    cargo("clippy", "--quiet", "--lib", "--", "--deny", "warnings", folder=farm / "rust")
