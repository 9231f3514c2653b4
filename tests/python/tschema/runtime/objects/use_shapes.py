"""Uses the functors of the package `orchard` on its types, which are declared only.

Run by `test_shapes.py` in a process of its own; the argument is the folder of its generated code.
"""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from types import ModuleType

from tschema.runtime import Mutator, Visitor, load_types, structural_equal

generated = Path(sys.argv[1])
orchard = load_types(generated / "schema.json")
# The generated functors import their types from the module beside them.
package = ModuleType("orchard_nodes")
package.__path__ = [str(generated / "python" / "orchard_nodes")]
sys.modules |= {"orchard_nodes": package, "orchard_nodes.plan": orchard}

from orchard_nodes._step_functor import StepMutator, StepVisitor  # type: ignore # noqa: E402
from orchard_nodes._term_functor import TermMutator, TermVisitor  # type: ignore # noqa: E402

x, y = orchard.Name("x"), orchard.Name("y")
graft = orchard.TripleGraft(x, y)
plot = orchard.Plot([x])
label = orchard.Label(x)
type(label).checked.set(label, y)
pick = orchard.Pick(
    plot, [x], {"a": y}, {x: graft}, [[x], []], (y, 3), x, [orchard.Span(x, y)], x, label, [x]
)
other = orchard.Pick(plot, [], {}, {}, [], (y, 3), "text", [], None)


def names(visitor: type, node: object) -> str:
    """Return the names that a visitor meets."""
    found = []

    class Names(visitor):  # type: ignore
        def visit_name(self, node):  # type: ignore
            found.append(node.hint)

    Names().visit(node)
    return "".join(found)


def renamed(mutator: type, node: object) -> object:
    """Return a node with `x` in the place of `y`."""

    class Rename(mutator):  # type: ignore
        def visit_name(self, node):  # type: ignore
            return x if node.same_as(y) else node

    return Rename().visit(node)


# Every shape of a field, in declared order; the use of the plot, `anything` is not entered.
assert names(TermVisitor, pick) == "xyxxyxyxxyxyx"
assert names(TermVisitor, other) == "y"
step = orchard.Plant(plot, [orchard.Plot([y])], y, [orchard.Harvest(pick, note=y)])
assert names(StepVisitor, step) == "xyy" + names(TermVisitor, pick)

for mutator in (TermMutator, StepMutator):
    assert mutator().visit(pick) is pick
    assert renamed(mutator, x) is x
    after = renamed(mutator, pick)
    assert names(TermVisitor, after) == names(TermVisitor, pick).replace("y", "x")
    assert after.plot.same_as(plot)
    assert after.anything.same_as(x)
    assert type(after.by_term[x]) is orchard.TripleGraft
    assert after.maybe.checked.same_as(x)
    assert after.several.same_as(pick.several) and not after.by_name.same_as(pick.by_name)

before = orchard.Plant(orchard.Plot([y]), [plot], x, [])
use = orchard.Harvest(orchard.Pick(before.plot, [], {}, {}, [], (x, 3), "", [], None), note=y)
before = orchard.Plant(before.plot, [plot], x, [use])
after = renamed(StepMutator, before)
assert after.plot.rows[0].same_as(x)
assert after.others.same_as(before.others)
assert after.body[0].term.plot.same_as(after.plot)
assert after.body[0].note.same_as(y)

# The bases of generated functors go through all of it by reflection.
assert Mutator().visit(pick) is pick


class Hints(Visitor):
    """Collects names without any generated method."""

    def __init__(self) -> None:
        """Begin with none."""
        self.hints: list[str] = []


@Hints.register("orchard.Name")
def note_hint(self: Hints, node: object) -> None:
    """Note a name."""
    self.hints.append(node.hint)  # type: ignore


hints = Hints()
hints.visit(other)
assert hints.hints == ["x", "y"]  # The row of the plot, which only a family knows for a variable.

for copied in (copy.deepcopy(pick), pickle.loads(pickle.dumps(pick))):
    assert structural_equal(copied, pick, map_free_vars=True)
    assert repr(copied) == repr(pick)
