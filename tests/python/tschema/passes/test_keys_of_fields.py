"""Fields of classes by hand whose registered names no schema file can spell."""

from __future__ import annotations

import pytest

from ..conftest import Project

SCHEMA = '''\
"""Spans."""

from tschema import Object, declare, field, ty


@declare
class SpanNode(Object):
    """
    A span.

    Attributes
    ----------
    from_
        Where it begins.
    class_
        What it is.
    dict_
        What else there is.
    _y
        A private one.
    unique
        Whether there is no other.
    self_
        A member of that name.
    """

    type_key = "toy.ir.Span"
    register = "hand"
    from_: ty.int64_t = field(key="from")
    class_: ty.int64_t = field(key="class", cpp_name="class_")
    dict_: ty.Map[ty.String, ty.Any] = field(key="__dict__", cpp_name="dict")
    _y: ty.int64_t
    unique: ty.bool
    self_: ty.bool = field(key="self", cpp_name="self_")
'''


def test_python_spells_them_with_an_underscore(project: Project) -> None:
    project.schema.write_text(SCHEMA)
    done = project.run("gen")
    assert (done.status, done.err) == (0, ""), done.err
    text = project.output.read_text()
    for line in ("    from_: int\n", "    class_: int\n", "    _y: int\n", "Where it begins."):
        assert line in text
    assert "    dict_: Map[str, Any]\n" in text
    ir = project.run("ir").out
    assert '"name": "from"' in ir
    assert '"name": "__dict__"' in ir
    assert '"cpp_name": "unique"' in ir
    assert '"cpp_name": "self_"' in ir


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('key="from"', 'key="begin"', "field `from_` cannot be registered as `begin`"),
        ('    register = "hand"\n', "", "field `from_` has a `key`, and generated code registers"),
        ('"from"', "1", "option `key` of field `from_` cannot be 1"),
    ],
)
def test_what_has_no_key(project: Project, before: str, after: str, reason: str) -> None:
    project.schema.write_text(SCHEMA.replace(before, after, 1))
    refused = project.run("gen")
    assert refused.status == 2
    assert f"error[TS026]: {reason}" in refused.err


def test_a_class_that_is_generated_has_no_underscores(project: Project) -> None:
    text = SCHEMA.replace('    from_: ty.int64_t = field(key="from")\n', "")
    for line in SCHEMA.splitlines():
        if "dict_" in line or "What else" in line or "self_" in line or "A member of" in line:
            text = text.replace(f"{line}\n", "")
    text = text.replace('field(key="class", cpp_name="class_")', "field()")
    text = text.replace("    from_\n        Where it begins.\n", "")
    project.schema.write_text(text)
    assert project.run("gen").status == 0
    project.schema.write_text(text.replace('    register = "hand"\n', ""))
    refused = project.run("gen")
    assert refused.status == 2
    assert "error[TS021]: field `_y` begins with an underscore" in refused.err
