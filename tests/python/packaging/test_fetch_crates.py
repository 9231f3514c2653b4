"""`scripts/fetch_tvm_ffi_rust.py` unpacks the crates of a source distribution."""

from __future__ import annotations

import runpy
import tarfile
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts/fetch_tvm_ffi_rust.py"


def test_another_release_has_no_crates_that_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda _name: "0.1.14.post1")
    monkeypatch.setattr("sys.argv", [str(SCRIPT), str(tmp_path / "crates")])
    with pytest.raises(SystemExit, match=r"Rust needs .* 0\.1\.14\.post1 is installed"):
        runpy.run_path(str(SCRIPT), run_name="__main__")


@pytest.mark.parametrize("has_filters", [True, False])
def test_crates_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_filters: bool
) -> None:
    """Python 3.10 and 3.11 had no filters of archives before their later patch releases."""
    for name in ("release-1/rust/a.rs", "release-1/src/b.cc"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("//\n")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "release-1", "release-1")
    if not has_filters:
        extract = tarfile.TarFile.extractall

        def extract_without(self: Any, path: Path, members: Any = None) -> None:
            extract(self, path, members)

        monkeypatch.delattr(tarfile, "data_filter", raising=False)
        monkeypatch.setattr(tarfile.TarFile, "extractall", extract_without)
    unpacked = runpy.run_path(str(SCRIPT))["_unpack_crates"](
        tmp_path / "a.tar.gz", tmp_path / "out"
    )
    assert unpacked == tmp_path / "out/release-1/rust"
    assert [path.name for path in tmp_path.glob("out/*/*/*")] == ["a.rs"]
