"""Functors of classes whose blocks stand in files of the user's: modules of the sidecar."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FARM = Path(__file__).parent / "farm"
ABSTRACT = "    abstract = True\n"


def test_the_sidecar_has_the_functors(tmp_path: Path) -> None:
    farm = tmp_path / "farm"
    shutil.copytree(FARM, farm)
    declared = farm / "schema" / "animal.py"
    text = declared.read_text()
    declared.write_text(text.replace(ABSTRACT, f"{ABSTRACT}    dispatch = True\n", 1))
    command = [sys.executable, "-m", "tschema", "gen", "--lang", "python"]
    process = subprocess.run(command, cwd=farm, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    made = (farm / "python" / "farm" / "_tschema" / "_animal_functor.py").read_text()
    assert "from ..animal import Cow\n" in made
    assert "class AnimalVisitor(AnimalFunctor[None], Visitor):" in made
    assert "        self.visit_array(node.calves)\n" in made
