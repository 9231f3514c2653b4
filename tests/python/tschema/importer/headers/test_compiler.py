"""The C++ of a whole compiler: TVM's headers and sources, against what its libraries register."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tschema.importer.combine import combine
from tschema.importer.headers import read_headers
from tschema.importer.records import Found
from tschema.importer.registry import ask_registry, read_registry

ROOT = Path(__file__).resolve().parents[5]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
DEFINITION = re.compile(r"#\s*define(?:[^\n]*\\\n)*[^\n]*")
DECLARED = re.compile(r"\bTVM_FFI_DECLARE_OBJECT_INFO\w*\(\s*(\w+|\"[^\"]*\")")
REGISTERED = re.compile(r"\.def_r[ow]\(\s*\"([^\"]*)\"")


def bench(name: str) -> ModuleType:
    """Return a module of the benchmarks."""
    path = ROOT / "tests" / "bench" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(*folders: Path) -> Iterator[str]:
    """Yield all C++ without comments and definitions of macros."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in (".h", ".cc"):
                text = COMMENT.sub(" ", path.read_text("utf-8", "replace"))
                yield DEFINITION.sub(" ", text)


def search_counts(*folders: Path) -> tuple[set[str], int]:
    """Return type keys and the number of registrations that a search for the calls finds."""
    keys: set[str] = set()
    count = 0
    for text in texts(*folders):
        keys.update(match.strip('"') for match in DECLARED.findall(text) if match[0] == '"')
        count += len(REGISTERED.findall(text))
    return keys, count


def registrations(found: Found) -> int:
    """Return the number of registrations that were attached to classes."""
    own = sum(field.registered for one in found.classes for field in one.fields)
    inherited = sum(
        note.startswith("the registration of the inherited")
        for one in found.classes
        for note in one.omitted
    )
    return own + inherited


@pytest.mark.deep
def test_every_class_and_registration_is_found() -> None:
    peer = bench("peer_headers").peer_headers()
    start = time.process_time()
    found = read_headers(peer.headers)
    assert time.process_time() - start < 15
    keys, count = search_counts(*peer.headers)
    ours = {one.key for one in found.classes}
    assert len(keys) > 480
    assert keys - ours == set()
    # A template registers its members once, and each of its heirs has them; two classes below
    # others have no declaration of their own.
    assert count > 950
    assert registrations(found) >= count
    assert len(found.unsaid) == 2


@pytest.mark.deep
def test_headers_and_registry_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = bench("peer_headers").peer_headers()
    monkeypatch.setenv("LD_LIBRARY_PATH", peer.search_path)
    registry = read_registry(ask_registry([str(peer.library)], str(peer.python)), "libtvm.so")
    found = read_headers(peer.headers)
    merged, differences = combine(registry, found)
    told = [one for one in differences if one.fact != "class"]
    # Its class has several bases, and the field is one of the second.
    assert [(one.key, one.member) for one in told] == [("expr_functor.PyExprMutator", "builder_")]
    both = {one.key for one in registry.classes} & {one.key for one in found.classes}
    assert len(both) > 450
    laid_out = [one for one in merged.classes if one.key in both and one.size is not None]
    assert len(laid_out) > 450


@pytest.mark.deep
def test_headers_in_the_wheel_of_tvm_agree_with_its_registry() -> None:
    """The wheel has the headers and sources of the runtime."""
    python = bench("peer_tvm").peer_python()
    where = "import tvm; print(tvm.__path__[0])"
    done = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True)
    package = Path(done.stdout.strip().splitlines()[-1])
    registry = read_registry(ask_registry(["tvm"], str(python)), "the registry of tvm")
    found = read_headers([package / "include", package / "src"])
    keys, _ = search_counts(package / "include", package / "src")
    assert keys <= {one.key for one in found.classes}
    _, differences = combine(registry, found)
    assert [one.message for one in differences if one.fact != "class"] == []
    both = {one.key for one in registry.classes} & {one.key for one in found.classes}
    assert len(both) > 15
