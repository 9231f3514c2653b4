"""`tschema import` of a library that tschema made: uir's own types come back."""

from __future__ import annotations

import json
from pathlib import Path

from ..conftest import Project

ROOT = Path(__file__).resolve().parents[4]
LIBRARY = ROOT / "build" / "lib" / "libuir.so"


def layouts(document: str) -> dict[str, tuple[str, int, list[tuple[str, int, int]]]]:
    """Return parent, size and fields with places of each type of a JSON IR."""
    return {
        one["key"]: (
            one["parent"],
            one["layout"]["size"],
            [(field["name"], field["offset"], field["size"]) for field in one.get("fields", ())],
        )
        for space in json.loads(document)["namespaces"]
        for one in space.get("types", ())
    }


def test_the_types_of_a_library_have_the_layouts_that_were_declared(project: Project) -> None:
    for path in (project.schema, project.root / "tschema.toml"):
        path.unlink()
    done = project.run("import", "--registry", str(LIBRARY))
    assert (done.status, done.err) == (0, "")
    assert " 0 described, 0 not; " in done.out
    assert "0 different" in done.out
    found = layouts(project.run("ir").out)
    declared = layouts((ROOT / "generated" / "schema.json").read_text())
    # This one is registered by hand.
    assert found.pop("uir.arith.State") == ("ffi.Object", 24, [])
    assert found == declared
    assert "from schema.ir.ir import" in (project.root / "schema/tir/tir.py").read_text()
