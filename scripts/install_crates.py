"""Copy the crates that generated Rust stands on into a package, as a Cargo workspace of its own.

In: the root of a checkout or a source distribution, with the crates of tvm-ffi in
`build/tvm-ffi-rust`. Out: below the destination, `tschema`, `tvm-ffi-rust`, and a `Cargo.toml`
with the settings that `tschema` inherits, whose paths are those of the destination. Without the
crates of tvm-ffi, as in a clone that was not set up, it copies nothing and says so.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

_TVM_FFI = Path("build/tvm-ffi-rust")
_INHERITED = ("workspace.package", "workspace.dependencies", "workspace.lints.clippy")
_NEEDED = ("stacker", "tvm-ffi")
_HEADER = '[workspace]\nmembers = ["tschema"]\nexclude = ["tvm-ffi-rust"]\nresolver = "2"\n'


def main() -> None:
    """Copy the crates of `ROOT` to `DESTINATION`, as the arguments say."""
    root, destination = Path(sys.argv[1]), Path(sys.argv[2])
    if not (root / _TVM_FFI / "tvm-ffi").is_dir():
        print(f"no Rust crates in {root / _TVM_FFI}: `make setup` fetches them", file=sys.stderr)
        return
    skip = shutil.ignore_patterns("target", ".cargo", "Cargo.lock")
    for source, name in ((root / "rust/tschema", "tschema"), (root / _TVM_FFI, _TVM_FFI.name)):
        shutil.copytree(source, destination / name, ignore=skip, dirs_exist_ok=True)
    text = workspace((root / "Cargo.toml").read_text(encoding="utf-8"))
    (destination / "Cargo.toml").write_text(text, encoding="utf-8")


def workspace(text: str) -> str:
    """Return the workspace of the copied crates.

    Parameters
    ----------
    text
        The `Cargo.toml` of the repository.

    Returns
    -------
    text
        What `tschema` inherits of it.
    """
    tables = dict(re.findall(r"^\[([\w.]+)\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL))
    needed = re.compile(rf"^(?:{'|'.join(_NEEDED)}) = .*\n", re.MULTILINE)
    dependencies = "".join(needed.findall(tables["workspace.dependencies"]))
    tables["workspace.dependencies"] = dependencies.replace(str(_TVM_FFI), _TVM_FFI.name)
    parts = [f"[{name}]\n{tables[name].strip()}\n" for name in _INHERITED]
    return "\n".join([_HEADER, *parts])


if __name__ == "__main__":
    main()
