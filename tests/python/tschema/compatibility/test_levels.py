"""Levels of changes that C++ shows and a program over loaded types cannot; and which are proved."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tschema.compatibility import RULES
from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config
from tschema.project.cxx_toolchain import cxx_args

from .changes import BALL, HEADER, ROWS, SHAPE, X, enum, number, point
from .test_changes import CONFIG, compiles


def test_a_wider_field_is_not_read_as_the_narrower_type(tmp_path: Path) -> None:
    old, new = point(number("x", "int32_t")), point(X)
    narrow = "auto read = [](const PointNode* p) -> const int32_t* { return &p->x; }; (void)read;"
    assert compiles(tmp_path / "old", old, narrow)
    assert not compiles(tmp_path / "new", new, narrow)
    assert "source" in RULES["TS113"].breaks


def test_a_class_in_another_file_is_not_included(tmp_path: Path) -> None:
    assert compiles(tmp_path / "old", point(X) + SHAPE, "Shape shape; (void)shape;")
    new = tmp_path / "new"
    (new / "schema").mkdir(parents=True)
    (new / "schema" / "nodes.py").write_text(HEADER + point(X))
    (new / "schema" / "shapes.py").write_text(HEADER + SHAPE)
    (new / "tschema.toml").write_text(CONFIG)
    apply(make_plan(Request(load_config(new / "tschema.toml")), lambda _stage: None))

    def includes(name: str) -> bool:
        code = f"#include <toy/{name}.h>\nvoid Use(const toy::ShapeNode* shape);\n"
        command = ["c++", "-fsyntax-only", "-x", "c++", "-", f"-I{new / 'include'}", *cxx_args()]
        return subprocess.run(command, input=code, text=True, capture_output=True).returncode == 0

    assert includes("shapes")
    assert not includes("nodes")
    assert set(RULES["TS103"].breaks) == {"source"}


def test_another_number_of_a_member_is_compiled_in(tmp_path: Path) -> None:
    old, new = enum(RED=0, BLUE=1) + BALL, enum(BLUE=0, RED=1) + BALL
    number_of_red = "static_assert(static_cast<int>(Color::kRed) == 0);"
    assert compiles(tmp_path / "old", old, number_of_red)
    assert not compiles(tmp_path / "new", new, number_of_red)
    assert "binary" in RULES["TS122"].breaks


def test_each_level_of_each_rule_is_proved() -> None:
    proved = {
        (code, level)
        for row in ROWS
        for code in row.code.split()
        for level, proof in (
            ("source", row.source or row.cpp),
            ("data", row.save),
            ("binary", row.binary),
        )
        if proof
    }
    here = {
        ("TS113", "source"),
        ("TS103", "source"),
        ("TS122", "binary"),
    }
    wanted = {(code, level) for code, rule in RULES.items() for level in rule.breaks}
    # What is left needs compiled libraries of both versions, or files of three.
    left = {
        ("TS100", "binary"),
        ("TS101", "binary"),
        ("TS101", "data"),
        ("TS115", "data"),
        ("TS122", "data"),
        ("TS130", "binary"),
        ("TS131", "binary"),
        ("TS143", "source"),
        ("TS143", "data"),
    }
    assert wanted - proved - here == left
