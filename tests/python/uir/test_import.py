"""What `import uir` does not import: what few programs need, and what takes long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from uir import ir, tir

LATER = [
    "difflib",
    "tschema.cli.main",
    "tschema.runtime.loading",
    "tschema.runtime.type_layout",
    "uir.relay.interpreter",
    "uir.relay.reference",
    "uir.relay",
    "uir.schedule",
    "uir.script",
    "uir.target",
    "uir.transform",
    "uir.transform.instrument.explorer_page",
    "uir_nodes.te",
    "uir_nodes.tir",
]


def test_what_is_imported_later() -> None:
    program = "import sys, uir; print(*sys.modules, sep='\\n')"
    imported = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert "uir.ir" in imported
    assert [name for name in LATER if name in imported] == []


def test_what_is_imported_later_is_there() -> None:
    program = (
        "from tschema.runtime import layout, load_types;"
        "from uir.transform import Explorer;"
        "print(layout.__name__, load_types.__name__, Explorer.__name__)"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed.split() == ["layout", "load_types", "Explorer"]


def test_objects_of_a_loaded_graph_have_their_classes() -> None:
    # tvm-ffi makes a class of its own for an object whose type has none, and keeps it.
    i = tir.Var("i", "int32")
    loop = tir.For(i, i, i, tir.ForKind.SERIAL, tir.Evaluate(i))
    program = (
        "import sys, uir; loop = uir.ir.load_json(sys.argv[1]); print(loop);"
        "assert isinstance(loop, uir.tir.For) and loop.kind is uir.tir.ForKind.SERIAL"
    )
    command = [sys.executable, "-c", program, ir.save_json(loop)]
    assert subprocess.check_output(command, text=True) == f"{loop}\n"


def test_what_the_parser_makes_has_its_class() -> None:
    program = (
        "from uir import script; relu = script.parse(sys.argv[1]).lookup('f').body.result;"
        "from uir import relay; assert isinstance(relu, relay.Var)"
    )
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def f(x: relay.Tensor((2,), "float32")):
        return x
"""
    subprocess.check_call([sys.executable, "-c", f"import sys; {program}", text])


def test_the_library_of_another_package_finds_all_classes(tmp_path: Path) -> None:
    (tmp_path / "libtoy.so").write_text("no library")
    program = """
import sys
from pathlib import Path
import uir
from tschema.runtime.loader import open_library
try:
    open_library(Path(sys.argv[1]), "toy", digest="")
except ImportError:
    print("uir_nodes.tir" in sys.modules)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "libtoy.so")]
    assert subprocess.check_output(command, text=True) == "True\n"


def test_types_are_bound_on_request() -> None:
    program = (
        "import uir; from tschema.runtime import bind_types; from tvm_ffi import get_global_func;"
        "bind_types(); value = get_global_func('uir.tir.Var')('x', 'int32', None, None);"
        "print(type(value) is uir.tir.Var)"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed == "True\n"
