"""Every shape of a field, walked and rewritten by generated functors on loaded types."""

from __future__ import annotations

from pathlib import Path

from ....support.generated import generate
from ....support.process import run_python
from ....support.project import ROOT


def test_functors_take_every_shape_of_a_field(tmp_path: Path) -> None:
    program = (Path(__file__).parent / "use_shapes.py").read_text()
    run_python(program, generate(ROOT / "tests" / "packages" / "orchard", tmp_path))
