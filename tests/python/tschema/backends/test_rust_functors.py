"""Functors in Rust: what is emitted for every shape of a field, and what it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ...support.crate import cargo, compile_owner, write_crate
from ...support.project import ROOT

pytestmark = pytest.mark.long

SHAPES = Path(__file__).parent / "rust_functors" / "shapes.rs"
PLAN = ROOT / "tests" / "packages" / "orchard" / "schema" / "plan.py"
TUB = '''

@declare
class TubNode(TermNode):
    """
    Its fields may be written after construction.

    Attributes
    ----------
    content, others, lid
        What it holds.
    """

    type_key = "orchard.Tub"
    mutable = True
    content: TermNode
    others: ty.Array[TermNode]
    lid: ty.Optional[TermNode] = None


@declare
class BudNode(TermNode):
    """A root below another one."""

    type_key = "orchard.Bud"
    abstract = True
    dispatch = True


@declare
class FlowerNode(BudNode):
    """
    A case of both families.

    Attributes
    ----------
    stem, next
        What it holds.
    """

    type_key = "orchard.Flower"
    final = False
    stem: TermNode
    next: ty.Optional[BudNode] = None


@declare
class RoseNode(FlowerNode):
    """Is served as what it is derived from, in both families."""

    type_key = "orchard.Rose"


@declare
class RootedNode(Object):
    """A root that is a case itself."""

    type_key = "orchard.Rooted"
    dispatch = True
    final = False


@declare
class ShootNode(RootedNode):
    """Is served as what it is derived from."""

    type_key = "orchard.Shoot"
'''
CONFIG = """
package = "orchard"
schema = ["schema"]
ir = "generated/schema.json"

[cpp]
mode = "files"
include = "generated/cpp/include"
source = "generated/cpp/src"

[rust]
mode = "files"
dir = "generated/rust"
"""


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Emit the schema as C++ and Rust into a crate of its own."""
    folder = tmp_path_factory.mktemp("orchard")
    (folder / "schema").mkdir()
    (folder / "schema" / "plan.py").write_text(PLAN.read_text() + TUB)
    (folder / "tschema.toml").write_text(CONFIG)
    command = [sys.executable, "-m", "tschema", "gen"]
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    write_crate(folder, "orchard", SHAPES)
    return folder


@pytest.fixture(scope="module")
def terms(orchard: Path) -> str:
    return (orchard / "generated" / "rust" / "term_functor.rs").read_text()


def test_the_namespace_re_exports_the_traits(orchard: Path) -> None:
    text = (orchard / "generated" / "rust" / "mod.rs").read_text()
    assert "pub mod term_functor;\n" in text
    assert "pub use step_functor::{StepFunctor, StepMutator, StepVisitor};\n" in text


def test_a_method_without_its_own_fields_forwards_to_its_ancestors(terms: str) -> None:
    assert "        self.visit_double_graft(tschema::expect_ref(node));\n" in terms
    assert "        self.mutate_double_graft(node.into())\n" in terms
    assert "pub fn walk_double_graft<V" in terms
    assert "pub fn walk_triple_graft<V" not in terms


def test_uses_are_not_visited_but_replaced(terms: str) -> None:
    walked = terms.partition("pub fn walk_pick<")[2].partition("\n}\n")[0]
    rebuilt = terms.partition("pub fn rebuild_pick<")[2].partition("\n}\n")[0]
    assert "plot" not in walked
    assert "tschema::replaced(TermMutator::replacements(m), node)" in rebuilt


def test_only_one_trait_says_where_replacements_are_kept(orchard: Path, terms: str) -> None:
    steps = (orchard / "generated" / "rust" / "step_functor.rs").read_text()
    assert terms.count("fn replacements(&mut self)") == 1
    assert "fn replacements(&mut self)" not in steps
    assert "pub trait StepMutator: TermMutator {" in steps


def test_a_root_that_is_a_case_has_a_method_besides_dispatch(orchard: Path) -> None:
    text = (orchard / "generated" / "rust" / "rooted_functor.rs").read_text()
    assert "    fn visit_rooted(&mut self, node: &Rooted) -> R {\n" in text
    assert "    fn visit_rooted_itself(&mut self, node: &Rooted) -> R {\n" in text


@pytest.mark.deep
def test_clippy_has_nothing_to_say(orchard: Path) -> None:
    cargo("clippy", "--quiet", "--lib", "--", "--deny", "warnings", folder=orchard)


def test_every_shape_is_visited_and_mutated(orchard: Path) -> None:
    for path in (orchard / "generated" / "cpp" / "src").glob("*_functor.cc"):
        path.unlink()  # The functors of C++ are of no use to those of Rust.
    compile_owner(orchard, "orchard")
    printed = cargo("test", "--quiet", "--test", "shapes", folder=orchard)
    assert "7 passed" in printed
