"""Compile time and size of registrations: our tables against ObjectDef chains.

Both sides register the same 100 types of four fields, with their constructors, over the same
generated header, at -O2.  Prints `compile.registration` (seconds) and `compile.size` (bytes of
the object files).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tvm_ffi.libinfo
from report import report

TYPES = 100
ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = """\
package = "bench"
schema = ["schema"]
ir = "schema.json"

[cpp]
mode = "files"
include = "include"
source = "src"
"""
NODE = '''

@declare
class Thing{index}Node(Object):
    """
    A thing.

    Attributes
    ----------
    name
        What it is called.
    value
        What it is worth.
    parts
        What it is made of.
    extra
        What else there is.
    """

    type_key = "bench.Thing{index}"
    name: ty.String
    value: ty.int64_t
    parts: ty.Array[ty.Object]
    extra: ty.Any
'''
CHAIN = """\
  refl::ObjectDef<Thing{index}Node>("A node.")
      .def(refl::init<ffi::String, int64_t, ffi::Array<ffi::ObjectRef>, ffi::Any>())
      .def_ro("name", &Thing{index}Node::name)
      .def_ro("value", &Thing{index}Node::value)
      .def_ro("parts", &Thing{index}Node::parts)
      .def_ro("extra", &Thing{index}Node::extra);
"""


def main() -> None:
    """Generate both sides, compile both, print both lines."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _generate(root)
        (root / "peer.cc").write_text(_peer_source())
        ours = _compile(root, [*root.glob("src/*.cc")])
        peer = _compile(root, [root / "peer.cc"])
    report("compile.registration", ours[0], peer[0], "s")
    report("compile.size", ours[1], peer[1], "bytes")


def _generate(root: Path) -> None:
    (root / "schema").mkdir()
    nodes = "".join(NODE.format(index=index) for index in range(TYPES))
    text = f'"""Nodes."""\n\nfrom tschema import Object, declare, ty\n{nodes}'
    (root / "schema" / "nodes.py").write_text(text)
    (root / "tschema.toml").write_text(CONFIG)
    command = [sys.executable, "-m", "tschema", "gen", "--config", root / "tschema.toml"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _peer_source() -> str:
    chains = "".join(CHAIN.format(index=index) for index in range(TYPES))
    return (
        "#include <bench/nodes.h>\n#include <tvm/ffi/reflection/registry.h>\n"
        "namespace bench {\nTVM_FFI_STATIC_INIT_BLOCK() {\n"
        f"  namespace refl = ::tvm::ffi::reflection;\n{chains}}}\n}}  // namespace bench\n"
    )


def _compile(root: Path, sources: list[Path]) -> tuple[float, float]:
    """Return seconds and bytes."""
    folders = [root / "include", ROOT / "cpp/include", *tvm_ffi.libinfo.include_paths()]
    includes = [f"-I{folder}" for folder in folders]
    seconds, size = 0.0, 0
    for source in sources:
        output = source.with_suffix(".o")
        command = ["g++", "-std=c++17", "-O2", "-fPIC", *includes, "-c", source, "-o", output]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        seconds += time.perf_counter() - start
        size += output.stat().st_size
    return seconds, float(size)


if __name__ == "__main__":
    main()
