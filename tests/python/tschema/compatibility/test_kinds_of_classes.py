"""Changes of a class's kind, most of which only code in C++ and types of Rust see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.compatibility import compare
from tschema.frontend import parse_schema
from tschema.ir.model import Schema
from tschema.passes import build_schema

from .changes import HEADER, number, point

X = number("x", default="1")
METHOD = "@method\n    def f(self) -> None: ..."
IMPORTS = HEADER.replace("method, ty", "method, static, ty")


def build(folder: Path, text: str) -> Schema:
    """Return the schema of a file."""
    (folder / "nodes.py").write_text(IMPORTS + text)
    return build_schema("toy", parse_schema(folder, (Path("nodes.py"),), "toy"), {})[0]


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (X, f"ref = None\n    {X}", "TS104", "`toy.Point` has no reference class any more"),
        (
            X, f'ref = "nullable"\n    {X}', "TS104",
            "`toy.Point` has no references that are never null any more",
        ),
        (
            X, f'ref_init = "hand"\n    {X}', "TS104",
            "`toy.Point` has no generated constructor in C++ any more",
        ),
        (
            f'script = "toy.point({{x}})"\n    {X}', f'script = "toy.point(x={{x}})"\n    {X}',
            "TS104", "`toy.Point` cannot be read from its script any more",
        ),
        (f"cow = True\n    {X}", X, "TS104", "`toy.Point` has no `CopyOnWrite` any more"),
        (
            f"default_constructible = True\n    {X}", X, "TS104",
            "`toy.Point` cannot be made without arguments any more",
        ),
        (X, f"register = False\n    {X}", "TS104", "`toy.Point` is not registered any more"),
        (
            X, f"polymorphic = True\n    {X}", "TS106",
            "libraries see `toy.Point` as another type: size 40, was 32",
        ),
        (
            f'default_constructible = True\n    {number("x", cpp_init=chr(34) + "kA" + chr(34))}',
            f'default_constructible = True\n    {number("x", cpp_init=chr(34) + "kB" + chr(34))}',
            "TS116", "field `x` of `toy.Point` is initialized by `kB`, and was by `kA`",
        ),
        (
            METHOD, f"@static\n    {METHOD.replace('self', '')}",
            "TS131", "method `f` of `toy.Point` is called with no object, and was not",
        ),
    ],
)  # fmt: skip
def test_a_class_of_another_kind(
    tmp_path: Path, old: str, new: str, code: str, message: str
) -> None:
    changes = [*compare(build(tmp_path, point(old)), build(tmp_path, point(new)))]
    assert [(one.code, one.message) for one in changes] == [(code, message)]
    assert [*compare(build(tmp_path, point(new)), build(tmp_path, point(new)))] == []
