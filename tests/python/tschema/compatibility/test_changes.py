"""Every change has its code, and programs and files that show that it breaks what is said."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from tschema.compatibility import RULES, compare
from tschema.frontend import parse_schema
from tschema.ir import codec
from tschema.ir.model import Schema
from tschema.passes import build_schema
from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config
from tschema.project.cxx_toolchain import cxx_args

from ...support.process import run_python
from ...support.project import ROOT
from .changes import HEADER, KEPT, ROWS, Row

UIR = ROOT / "generated" / "schema.json"
CONFIG = """
package = "toy"
schema = ["schema"]

[cpp]
include = "include"
source = "source"
"""
PRELUDE = """
import pickle
import sys
from tschema.runtime import load_types
from uir import ir
"""
SAY = """
try:
    exec(sys.argv[2], {"toy": load_types(sys.argv[1])})
    print("works")
except Exception as error:
    print(type(error).__name__, error)
"""
SAVE = """
toy = load_types(sys.argv[1])
*setup, last = sys.argv[2].splitlines()
names = {"toy": toy}
exec("\\n".join(setup), names)
value = eval(last, names)
saved = (ir.save_json(value).encode(), ir.save_binary(value), pickle.dumps(value))
open(sys.argv[3], "wb").write(pickle.dumps(saved))
"""
LOAD = """
toy = load_types(sys.argv[1])
text, binary, pickled = pickle.load(open(sys.argv[2], "rb"))
loads = [
    lambda: ir.load_json(text.decode()),
    lambda: ir.load_binary(binary),
    lambda: pickle.loads(pickled),
]
for load in loads:
    try:
        loaded = load()
        print("works" if eval(sys.argv[3]) else loaded)
    except Exception as error:
        print(type(error).__name__, error)
"""
BOTH = """
load_types(sys.argv[1])
try:
    load_types(sys.argv[2])
    print("works")
except Exception as error:
    print(type(error).__name__, error)
"""


@dataclass(frozen=True)
class Side:
    """A version of the declarations: as a value, and as the file of its JSON IR."""

    schema: Schema
    file: Path


def side(folder: Path, text: str) -> Side:
    """Return the JSON IR of declarations."""
    path = folder / "schema" / "nodes.py"
    path.parent.mkdir(parents=True)
    path.write_text(text if text.startswith('"""') else HEADER + text)
    imports = {"uir": codec.load(UIR)} if "from uir" in text else {}
    declared = parse_schema(folder, [PurePosixPath("schema")], "toy")
    schema = build_schema("toy", declared, imports)[0]
    (folder / "schema.json").write_bytes(codec.encode(schema))
    return Side(schema, folder / "schema.json")


@pytest.fixture
def sides(tmp_path: Path, row: Row) -> tuple[Side, Side]:
    """Return the old and the new version of a row."""
    return side(tmp_path / "old", row.old), side(tmp_path / "new", row.new)


def says(program: str, *arguments: str | Path) -> str:
    """Return what a program prints."""
    return run_python(PRELUDE + program, *arguments).strip()


def compiles(folder: Path, text: str, statement: str) -> bool:
    """Return whether C++ that calls functions of declarations compiles."""
    side(folder, text)
    (folder / "tschema.toml").write_text(CONFIG)
    apply(make_plan(Request(load_config(folder / "tschema.toml")), lambda _stage: None))
    code = f"#include <toy/nodes.h>\nvoid Use() {{ using namespace toy; {statement} }}\n"
    include = folder / "include"
    command = ["c++", "-fsyntax-only", "-x", "c++", "-", f"-I{include}", *cxx_args()]
    return subprocess.run(command, input=code, text=True, capture_output=True).returncode == 0


def identity(row: Row) -> str:
    """Return the name of a test."""
    return row.name.replace(" ", "-")


@pytest.mark.parametrize("row", ROWS, ids=identity)
def test_the_change_has_its_code_and_no_other(row: Row, sides: tuple[Side, Side]) -> None:
    found = list(compare(sides[0].schema, sides[1].schema))
    codes = {change.code for change in found} - {"TS106"}
    assert codes == set(row.code.split()) - {"TS106"}
    assert set(row.code.split()) <= {change.code for change in found}
    levels = {level for change in found for level in change.levels()}
    proved = {"data": row.save, "source": row.source or row.cpp, "binary": row.binary}
    assert {level for level, proof in proved.items() if proof} <= levels
    assert not (row.loads and "data" in levels)


@pytest.mark.parametrize("row", [row for row in ROWS if row.source], ids=identity)
def test_programs_no_longer_work(row: Row, sides: tuple[Side, Side]) -> None:
    old, new = sides
    assert says(SAY, old.file, row.source) == "works"
    assert says(SAY, new.file, row.source) != "works"


@pytest.mark.parametrize("row", [row for row in ROWS if row.save], ids=identity)
def test_files_are_rejected(row: Row, sides: tuple[Side, Side], tmp_path: Path) -> None:
    old, new = sides
    says(SAVE, old.file, row.save, tmp_path / "saved")
    assert says(LOAD, old.file, tmp_path / "saved", "True").split() == ["works"] * 3
    errors = says(LOAD, new.file, tmp_path / "saved", "True").splitlines()
    assert len(errors) == 3
    for error in errors:
        assert error.startswith(("ValueError", "TypeError"))
        assert "`toy." in error


@pytest.mark.parametrize("row", [row for row in (*ROWS, *KEPT) if row.loads], ids=identity)
def test_files_load(row: Row, sides: tuple[Side, Side], tmp_path: Path) -> None:
    old, new = sides
    says(SAVE, old.file, row.loads, tmp_path / "saved")
    loaded = says(LOAD, new.file, tmp_path / "saved", row.holds or "True")
    assert loaded.splitlines() == ["works"] * 3


@pytest.mark.parametrize("row", [row for row in ROWS if row.binary], ids=identity)
def test_libraries_are_refused(row: Row, sides: tuple[Side, Side]) -> None:
    old, new = sides
    assert says(BOTH, old.file, old.file) == "works"
    assert "toy." in says(BOTH, old.file, new.file)


@pytest.mark.parametrize("row", [row for row in ROWS if row.cpp], ids=identity)
def test_cpp_no_longer_compiles(row: Row, tmp_path: Path) -> None:
    assert compiles(tmp_path / "old", row.old, row.cpp)
    assert not compiles(tmp_path / "new", row.new, row.cpp)


@pytest.mark.parametrize("row", KEPT, ids=identity)
def test_what_is_kept_works(row: Row, sides: tuple[Side, Side], tmp_path: Path) -> None:
    old, new = sides
    assert {change.code for change in compare(old.schema, new.schema)} == set(row.code.split())
    if row.source:
        assert says(SAY, new.file, row.source) == "works"
    if row.cpp:
        assert compiles(tmp_path / "cpp", row.new, row.cpp)


def test_nothing_breaks_between_equal_versions() -> None:
    schema = codec.load(UIR)
    assert list(compare(schema, schema)) == []


def test_every_rule_has_a_row() -> None:
    # `TS103` and `TS143` need several files: their examples in the docs are tests too.
    shown = {code for row in ROWS for code in row.code.split()}
    assert shown | {"TS103", "TS113", "TS143"} == set(RULES)
