"""`tschema fix`: what each kind of help changes, and that all else stays."""

from __future__ import annotations

import json

import pytest

from tschema.adoption.in_place import missing_lines
from tschema.diagnostics.explain import explanations, titles
from tschema.editing.fix import fix_project
from tschema.project.config import load_config

from ..conftest import SCHEMA, Project, replace
from ..diagnostics.test_explain import write_example
from .dialect import DIALECT

FIXABLE = frozenset(
    {"TS006", "TS012", "TS017", "TS018", "TS026", "TS027", "TS029", "TS036", "TS069", "TS080"}
    | {"TS084", "TS087"}
)
"""Codes whose example has a fix."""


def fixed(project: Project, *arguments: str, status: int = 0) -> str:
    """Return the schema file after a run."""
    done = project.run("fix", *arguments)
    assert done.status == status, done.err
    return project.schema.read_text()


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("x: ty.int64_t", "x: ty.int46_t"),
        ("text: ty.String", "text: ty.Strin"),
        ("text: ty.String", "text: String"),
        ('    type_key = "toy.ir.Point"\n', '    type_key = "toy.ri.Point"\n'),
        ("type_key = ", "typ_key = "),
        ("    text\n        What", "    txt\n        What"),
        ("(Object):", "(Objet):"),
        ("@declare\nclass LabelNode", "@declar\nclass LabelNode"),
        ("@declare\nclass LabelNode", "class LabelNode"),
        ("import Object, declare, ty", "import Object, declare"),
        ("import Object, declare, ty", "import declare, ty"),
        ("import Object, declare, ty", "import Object, declar, ty"),
    ],
)
def test_a_misspelt_or_missing_word(project: Project, good: str, bad: str) -> None:
    replace(project.schema, good, bad)
    expected = "text: ty.String" if bad == "text: String" else good
    assert fixed(project) == SCHEMA.replace(good, expected)


def test_a_keyword_of_a_field(project: Project) -> None:
    good = 'text: ty.String = field(default="", kw_only=True)'
    replace(project.schema, "declare, ty", "declare, field, ty")
    replace(project.schema, "text: ty.String", good.replace("kw_only", "kw_onyl"))
    assert good in fixed(project)


def test_the_first_import_of_all(project: Project) -> None:
    replace(project.schema, "\nfrom tschema import Object, declare, ty\n", "")
    # Each missing word is an error of its own, and later ones join the line of the first.
    assert fixed(project) == SCHEMA


def test_an_import_of_a_declared_class(project: Project) -> None:
    other = project.schema.with_name("other.py")
    other.write_text('"""More."""\n\nfrom tschema import declare\n\n\n' + CHILD)
    fixed(project)
    assert other.read_text().startswith(
        '"""More."""\n\nfrom schema.ir.shape import PointNode\nfrom tschema import declare\n'
    )


CHILD = '''\
@declare
class SpotNode(PointNode):
    """A spot."""

    type_key = "toy.ir.Spot"
'''


def test_documentation_that_is_missing(project: Project) -> None:
    project.schema.write_text(BARE)
    assert fixed(project) == DOCUMENTED
    assert project.run("gen").err == ""


BARE = '''\
from tschema import Object, declare, function, method, ty


@declare
class IndexedPointNode(Object):  # Bare.
    type_key = "toy.ir.IndexedPoint"
    x: ty.int64_t
    max_value: ty.int64_t  # At most.

    @method
    def moved_by(self, dx: ty.int64_t) -> ty.int64_t: ...


@declare
class LabelNode(Object):
    """A label."""

    type_key = "toy.ir.Label"
    text: ty.String


@function
def make_label(text: ty.String) -> LabelNode:
    ...
'''

DOCUMENTED = '''\
from tschema import Object, declare, function, method, ty


@declare
class IndexedPointNode(Object):  # Bare.
    """An indexed point.

    Attributes
    ----------
    x
        The x.
    max_value
        The max value.
    """

    type_key = "toy.ir.IndexedPoint"
    x: ty.int64_t
    max_value: ty.int64_t  # At most.

    @method
    def moved_by(self, dx: ty.int64_t) -> ty.int64_t:
        """Moved by."""
        ...


@declare
class LabelNode(Object):
    """A label.

    Attributes
    ----------
    text
        The text.
    """

    type_key = "toy.ir.Label"
    text: ty.String


@function
def make_label(text: ty.String) -> LabelNode:
    """Make label."""
    ...
'''


def test_a_field_that_binds_moves_before_its_uses(project: Project) -> None:
    uses = "    # What uses it.\n    body: ty.Object = field(doc='Body.')\n"
    binds = "    # Bound here.\n    var: PointNode = field(structural='def', doc='Variable.')\n"
    replace(project.schema, "declare, ty", "declare, field, ty")
    replace(project.schema, "    text: ty.String\n", uses + binds)
    replace(project.schema, "    Attributes\n    ----------\n    text\n        What it says.\n", "")
    assert binds + uses in fixed(project)


def test_bytes_that_do_not_change_are_those_that_were_there(project: Project) -> None:
    crlf = b"\xef\xbb\xbf" + SCHEMA.replace("\n", "\r\n").encode()
    project.schema.write_bytes(crlf.replace(b"ty.int64_t", b"ty.int46_t"))
    fixed(project)
    assert project.schema.read_bytes() == crlf


def test_what_has_no_fix_is_left_and_told(project: Project) -> None:
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    replace(project.schema, "text: ty.String", "text: Nothing")
    done = project.run("fix")
    assert done.status == 2
    assert "error[TS012]: unknown type `Nothing`" in done.err
    assert "tschema: 1 left without a fix" in done.err
    assert done.out.endswith("fixed 1 diagnostic in 1 file\n")
    assert "x: ty.int64_t" in project.schema.read_text()


def test_only_some_files(project: Project) -> None:
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    other = project.schema.with_name("other.py")
    text = project.schema.read_text().replace("Point", "Spot").replace("Label", "Mark")
    other.write_text(text)
    project.run("fix", "schema/ir/other.py")
    assert "int46_t" not in other.read_text()
    assert "int46_t" in project.schema.read_text()


def test_a_diff_and_a_dry_run_write_nothing(project: Project) -> None:
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    shown = project.run("fix", "--diff")
    assert shown.status == 1
    assert "-    x: ty.int46_t\n+    x: ty.int64_t\n" in shown.out
    listed = project.run("fix", "--dry-run")
    assert (listed.status, listed.out) == (0, "would write schema/ir/shape.py\n")
    assert "int46_t" in project.schema.read_text()


def test_nothing_to_fix(project: Project) -> None:
    done = project.run("fix")
    assert (done.status, done.out, done.err) == (0, "nothing to fix\n", "")
    assert project.run("fix", "--diff").out == ""


def test_programs_read_the_fixes(project: Project) -> None:
    replace(project.schema, "x: ty.int64_t", "x: ty.int46_t")
    (one,) = json.loads(project.run("gen", "--format", "json").out)["diagnostics"]
    (edit,) = one["fix"]["edits"]
    assert (edit["text"], edit["span"]["line"], edit["span"]["column"]) == ("ty.int64_t", 18, 8)
    log = json.loads(project.run("gen", "--format", "sarif").out)
    (fix,) = log["runs"][0]["results"][0]["fixes"]
    assert fix["description"]["text"] == "did you mean `ty.int64_t`?"
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "schema/ir/shape.py"
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"] == {"text": "ty.int64_t"}
    assert replacement["deletedRegion"] == {
        "startLine": 18,
        "startColumn": 8,
        "endLine": 18,
        "endColumn": 18,
    }


@pytest.mark.parametrize("code", sorted(titles()))
def test_each_example_that_has_a_fix_is_mended_by_it(project: Project, code: str) -> None:
    write_example(project, explanations()[code], "Wrong")
    if not (project.root / "tschema.toml").is_file():
        return
    try:
        done = fix_project(load_config(project.root / "tschema.toml"), missing_lines)
    except Exception as error:  # Of an example about the configuration.
        assert code not in FIXABLE or "TS05" in str(error), error
        return
    assert (code in {one.code for one in done.fixed}) == (code in FIXABLE)


def test_rules_of_operators_and_options_of_dialects(project: Project) -> None:
    project.schema.write_text(OPERATORS.replace("quadruple(x)", "quadrupel(x)"))
    assert fixed(project) == OPERATORS
    project.schema.write_text(OPERATORS.replace("twice(value)", "twice(valeu)"))
    assert fixed(project) == OPERATORS
    project.schema.write_text(OPERATORS.replace("operand = ExprNode", "operant = ExprNode"))
    assert "operand = ExprNode" in fixed(project)


OPERATORS = f'''{DIALECT}

@operator(kind="elementwise")
def twice(value: ExprNode = operand()) -> ExprNode:
    """Twice."""
    ...


@operator(kind="elementwise", decompose="twice(twice(value))")
def quadruple(value: ExprNode = operand()) -> ExprNode:
    """Four times."""
    ...


@operator(kind="elementwise", decompose="quadruple(x) + quadruple(x)")
def eightfold(x: ExprNode = operand()) -> ExprNode:
    """Eight times."""
    ...
'''


def test_the_configuration_is_left_to_people(project: Project) -> None:
    """A wrong configuration says nothing about which files are the project's."""
    replace(project.root / "tschema.toml", "schema = ", "schemas = ")
    refused = project.run("fix")
    assert refused.status == 2
    assert "did you mean `schema`?" in refused.err


IN_PLACE = """\
package = "toy"
schema = ["schema"]

[cpp]
mode = "in_place"
files = ["cpp/*.h"]
sidecar = "cpp/_tschema"
"""


def test_includes_that_blocks_in_the_users_files_need(project: Project) -> None:
    (project.root / "tschema.toml").write_text(IN_PLACE)
    header = project.root / "cpp" / "shape.h"
    header.parent.mkdir()
    blocks = "".join(
        f"// tschema: {name}\n// tschema: end\n" for name in ("PointNode", "Pont", "LabelNode")
    )
    head = "// Mine.\n#pragma once\n\n#include <vector>\n"
    header.write_text(f"{head}\nnamespace toy::ir {{\n{blocks}}}\n")
    fixed(project)
    text = header.read_text()
    assert "// tschema: Point\n" in text
    assert text.startswith(head + "#include <")
    _before, _, after = text.partition("\nnamespace toy::ir {\n")
    assert "#include" not in after
    assert project.run("fix").out == "nothing to fix\n"
    assert project.run("gen").err == ""
