"""A code base with C++ classes of its own, whose members only partly have a counterpart elsewhere.

The same sources and programs run with headers of tschema's and with headers of the user's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tschema.ir import codec

from ..support.precompiled import cmake_options
from ..support.process import run_python
from ..support.project import ROOT, Project, copy_project, one_at_a_time, write_if_changed
from ..support.schemas import build

pytestmark = pytest.mark.long

REGIONS = {
    "depot/item.h": {
        "file": "#include <acme/base.h>\n",
        "ItemNode": "  const ffi::String& name() const { return name_; }\n"
        "  Grams weight() const { return weight_; }\n",
    },
    "quay/pallet.h": {"file": "#include <acme/packed.h>\n"},
}
ITEM_H = """\
#ifndef DEPOT_ITEM_H_
#define DEPOT_ITEM_H_
#include <acme/base.h>
#include <tschema/layout_of.h>
#include <tschema/release.h>
#include <tschema/structural.h>
#include <tvm/ffi/tvm_ffi.h>
#include <mutex>
#include <string>
#include <vector>
namespace acme {
namespace ffi = ::tvm::ffi;
// tschema: Size
// tschema: end
// tschema: ItemNode
// tschema: end
// tschema: ItemRef
// tschema: end
// tschema: BoxNode
// tschema: end
// tschema: Box
// tschema: end
// tschema: LatchNode
// tschema: end
// tschema: Latch
// tschema: end
// tschema: RackNode
// tschema: end
// tschema: Rack
// tschema: end
int64_t weigh(ffi::Array<ItemRef> items);
ItemRef relabel(ItemRef item);
}  // namespace acme
#endif  // DEPOT_ITEM_H_
"""
PALLET_H = """\
#ifndef QUAY_PALLET_H_
#define QUAY_PALLET_H_
#include <acme/packed.h>
#include <tschema/layout_of.h>
#include <unordered_map>
namespace acme {
namespace storage {
// tschema: CrateNode
// tschema: end
// tschema: Crate
// tschema: end
}  // namespace storage
namespace quay {
storage::Crate pack(ffi::Array<ItemRef> items, int32_t size);
}  // namespace quay
}  // namespace acme
#endif  // QUAY_PALLET_H_
"""
IN_PLACE = """\
[cpp]
mode = "in_place"
files = ["include/**/*.h"]
sidecar = "sidecar"
"""

PRELUDE = """
import copy, pickle
from depot_nodes import Item, Latch, Rack, Size, weigh
from depot_nodes.quay import Crate, pack
from tschema.runtime import (
    deep_copy, layout, load_binary, load_json, save_binary, save_json, structural_equal,
    structural_hash,
)
item = Item("nut", 3)
item.note("old")
item.note("dry")
crate = pack([item, Item("bolt", 4, Size.small)])
assert crate.find("bolt") == 1
"""
FIELDS = """
assert (item.name, item.weight, item.size, item.reads) == ("nut", 3, 5, 0)
assert item.joined() == "old, dry" and item.reads == 1
assert not hasattr(item, "notes")
assert weigh([item, item]) == 6
assert type(crate) is Crate and isinstance(crate, Item) and Crate.__module__ == "quay"
assert (crate.size, crate.weight, crate.lid) == (1, 7, False)
assert crate.gross_weight() == 107
assert crate.last_found().same_as(crate.items[1])
rack = Rack("a")
assert rack.n_slots == 3
rack.n_slots = 6
assert repr(rack) == 'depot.Rack(label="a", n_slots=6)'
assert "notes" not in repr(item) and "index" not in repr(crate)
"""
COMPARED = """
assert structural_equal(item, Item("nut", 3))
assert structural_hash(item) == structural_hash(Item("nut", 3))
assert not structural_equal(item, Item("nut", 4))
other = Crate("crate", 7, crate.items, 1)
assert structural_equal(crate, other) and structural_hash(crate) == structural_hash(other)
assert not structural_equal(crate, Crate("crate", 8, crate.items, 1))
"""
COPIED = """
for made in (deep_copy(crate), copy.deepcopy(crate), copy.copy(crate)):
    assert structural_equal(made, crate) and not made.same_as(crate)
    # What only C++ has is copied as C++ does it: what it refers to is shared.
    assert made.items[0].joined() == "old, dry"
    assert made.last_found().same_as(crate.items[1])
for make in (deep_copy, copy.copy, copy.deepcopy):
    try:
        make(Latch(True))
    except TypeError as error:
        assert "cop" in str(error)
    else:
        raise AssertionError("a latch was copied")
"""
SAVED = """
for made in (
    load_json(save_json(crate)), load_binary(save_binary(crate)), pickle.loads(pickle.dumps(crate))
):
    assert structural_equal(made, crate)
    # What only C++ has is as after construction.
    assert made.items[0].joined() == "" and made.last_found() is None
    assert made.find("bolt") == 1
assert load_json(save_json(Latch(True))).is_open
"""
VISITED = """
from depot_nodes import Box, ItemMutator, ItemVisitor, relabel

class Names(ItemVisitor):
    def __init__(self):
        self.names = []

    def visit_box(self, node, /):
        self.names.append(node.name)
        return super().visit_box(node)

class Rename(ItemMutator):
    def visit_box(self, node, /):
        inner = super().visit_box(node)
        return inner if inner.name == "new" else Box("new", inner.weight, content=inner.content)

box = Box("outer", 1, content=Box("inner", 2))
names = Names()
names.visit(box)
assert names.names == ["outer", "inner"]
renamed = Rename().visit(box)
assert (renamed.name, renamed.content.name, renamed.content.weight) == ("new", "new", 2)
assert relabel(box).content.joined() == "seen by C++" and box.content.joined() == ""
"""
LAYOUTS = """
places = {field.name: field.offset for field in layout("quay.Crate").fields}
assert places == {"name": 24, "weight": 40, "size": 48, "reads": 56, "items": 88, "lid": 180}
assert layout("quay.Crate").size == 184
"""
IN_RUST = """
import sys, tvm_ffi
rust = tvm_ffi.load_module(sys.argv[1])
rust.init()
assert item.joined() and rust.read(item) == "nut 3 5 1"
assert rust.read_crate(crate) == "crate false 2 1"
made = rust.make("pin")
assert (made.name, made.size, made.joined()) == ("pin", 5, "made by Rust")
from depot_nodes import Box
assert rust.names(Box("outer", 1, content=Box("inner", 2))) == "outer inner"
assert rust.make_latch(True).is_open
assert (rust.make_rack(8).n_slots, rust.make_rack(8).label) == (8, "by Rust")
assert rust.pack_twice(item).size == 5
"""


def fill_regions(project: Project) -> None:
    """Write what a user writes into the custom regions of the headers."""
    for name, regions in REGIONS.items():
        path = project.root / "generated" / "cpp" / "include" / name
        text = path.read_text()
        for block, lines in regions.items():
            begin = text.index("custom-begin\n", text.index(f"// tschema: {block}\n")) + 13
            if not text[begin:].startswith(lines):
                text = text[:begin] + lines + text[begin:]
        write_if_changed(path, text.encode())


def put_in_place(project: Project) -> None:
    """Give the project headers of its own."""
    config = project.root / "tschema.toml"
    head, _, rest = config.read_text().partition("[cpp]\n")
    config.write_text(
        head + IN_PLACE + "\n[cpp.namespaces]" + rest.partition("[cpp.namespaces]")[2]
    )
    for name, text in (("depot/item.h", ITEM_H), ("quay/pallet.h", PALLET_H)):
        path = project.root / "include" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(scope="module", params=["files", "in_place"])
def depot(request: pytest.FixtureRequest) -> Iterator[Project]:
    """Generate and build the package, in either mode."""
    name = "depot" if request.param == "files" else "depot_in_place"
    with one_at_a_time(name):
        project = copy_project(ROOT / "tests" / "packages" / "depot", name)
        if request.param == "files":
            project.generate()
            fill_regions(project)
        else:
            put_in_place(project)
            project.generate()
            header = project.root / "include" / "depot" / "item.h"
            region = REGIONS["depot/item.h"]["ItemNode"]
            text = header.read_text()
            begin = text.index("// tschema: custom-begin\n", text.index("class ItemNode")) + 25
            header.write_text(text[:begin] + region + text[begin:])
        project.run("tschema", "gen", "--check")
        project.build_cpp(*cmake_options())
        # What is written by hand, and what the library registers.
        project.run("tschema", "verify")
        yield project


@pytest.mark.parametrize(
    "program", [FIELDS, COMPARED, COPIED, SAVED, VISITED, LAYOUTS],
    ids=["fields", "compared", "copied", "saved", "visited", "layouts"],
)  # fmt: skip
def test_python_works_on_classes_of_the_code_base(depot: Project, program: str) -> None:
    run_python(PRELUDE + program, path=(depot.python,))


def test_rust_works_on_classes_of_the_code_base(depot: Project) -> None:
    if depot.root.name == "depot":
        run_python(PRELUDE + IN_RUST, depot.build_rust(), path=(depot.python,))


def test_types_with_members_of_cpp_need_a_library(depot: Project, tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_bytes((depot.root / "generated" / "schema.json").read_bytes())
    says = run_python(
        "import sys\n"
        "from tschema.runtime import load_types\n"
        "try:\n    load_types(sys.argv[1])\n"
        "except TypeError as error:\n    print(error)\n",
        schema,
    )
    assert "type `depot.Latch` needs members `guard`, which only C++ has" in says
    assert (
        "type `quay.Crate` needs methods `find`, `gross_weight`, `last_found`, "
        "members `notes` of `depot.Item`, `index`, `is_sorted`, `last`, `stamp`, which only C++ has"
        in says
    )


def test_loaded_types_do_not_extend_classes_with_members_of_cpp(
    depot: Project, tmp_path: Path
) -> None:
    body = (
        "from depot.schema.item import ItemNode\n\n"
        '@declare\nclass RopeNode(ItemNode):\n    """A rope."""\n    type_key = "yard.Rope"\n'
    )
    depots = codec.load(depot.root / "generated" / "schema.json")
    schema = build(tmp_path, {"rope.py": body}, "yard", {"depot": depots})
    (tmp_path / "yard.json").write_bytes(codec.encode(schema))
    program = (
        "import sys\n"
        "import depot_nodes\n"
        "from tschema.runtime import load_types\n"
        "try:\n    load_types(sys.argv[1])\n"
        "except TypeError as error:\n    print(error)\n"
    )
    says = run_python(program, tmp_path / "yard.json", path=(depot.python,))
    assert "type `yard.Rope` needs members `notes` of `depot.Item`, which only C++ has" in says


def test_types_of_a_loaded_library_are_found_under_their_roots(depot: Project) -> None:
    program = (
        "import sys\n"
        "from tschema.runtime import load_types\n"
        "depot = load_types(sys.argv[1], library=sys.argv[2])\n"
        "import quay\n"
        "assert quay.Crate is depot.quay.Crate\n"
        "assert quay.Crate('a', 3, [depot.Item('nut', 3)]).size == 5\n"
    )
    library = next((depot.root / "build").glob("libdepot.*"))
    run_python(program, depot.root / "generated" / "schema.json", library)
