"""Library files that were replaced or damaged, or are something else."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from uir.driver import compile_c, find_compiler
from uir.runtime import Module, export_library, load_module

from ...support.c_texts import add_module, fake_compiler
from ...support.process import run_new_python, run_python

CC = shutil.which("cc")


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two libraries of the same functions: `add(0, 0)` gives 100 and 200."""
    folder = tmp_path_factory.mktemp("versions")
    paths = [folder / f"{constant}.so" for constant in (100, 200)]
    for path in paths:
        export_library(compile_c(add_module(int(path.stem))), path)
    return paths


def sums(*modules: Module) -> list[int]:
    return [module.add(0, 0) for module in modules]


def test_a_replaced_file_gives_the_new_code(versions: list[Path], tmp_path: Path) -> None:
    """Writers such as `export_library` rename a new file, and what is loaded stays as it was."""
    library = tmp_path / "lib.so"
    loaded = []
    for version in (*versions, *versions):
        shutil.copy(version, tmp_path / "new")
        (tmp_path / "new").replace(library)
        loaded.append(load_module(library))
    assert sums(*loaded) == [100, 200, 100, 200]
    assert load_module(library) is not loaded[1] and load_module(library).same_as(loaded[3])


def test_a_file_that_was_loaded_and_released_is_read_again(
    versions: list[Path], tmp_path: Path
) -> None:
    """Though the loader may keep the mapping of a library whose last module is gone."""
    library = tmp_path / "lib.so"
    for version in (*versions, *versions):
        shutil.copy(version, tmp_path / "new")
        (tmp_path / "new").replace(library)
        module = load_module(library)
        assert module.add(0, 0) == int(version.stem)
        del module
        gc.collect()


def test_a_link_that_names_another_file(versions: list[Path], tmp_path: Path) -> None:
    library, link = tmp_path / "lib.so", tmp_path / "link.so"
    loaded = []
    for version in versions:
        link.unlink(missing_ok=True)
        link.symlink_to(version)
        loaded.append(load_module(link))
    assert sums(*loaded) == [100, 200]
    os.link(versions[0], library)
    assert sums(load_module(library), load_module(link)) == [100, 200]


WRITE_OVER = """
import os, sys
from pathlib import Path
from uir.runtime import load_module
library = Path(sys.argv[1]) / "lib.so"
for version in 2 * [Path(path) for path in sys.argv[2:]]:
    library.write_bytes(version.read_bytes())
    print(load_module(library).add(0, 0), flush=True)
os._exit(0)
"""


def test_a_file_that_is_written_over_gives_the_new_code(
    versions: list[Path], tmp_path: Path
) -> None:
    """The new content comes at once, and has the size of the old one.

    What was loaded before is damaged: at its end, the process would run whatever is now where that
    library's functions were.
    """
    assert len({path.stat().st_size for path in versions}) == 1
    assert run_new_python(WRITE_OVER, tmp_path, *versions).split() == ["100", "200"] * 2


def test_the_same_file_gives_the_same_module(versions: list[Path], tmp_path: Path) -> None:
    library = tmp_path / "lib.so"
    shutil.copy(versions[0], library)
    module = load_module(library)
    for spelling in (tmp_path / "x" / ".." / "lib.so", tmp_path / "." / "lib.so"):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert load_module(spelling).same_as(module)


LOAD_ALL = """
import sys
from pathlib import Path
from uir.runtime import load_module
for path in sorted(Path(sys.argv[1]).iterdir(), key=lambda path: int(path.stem)):
    try:
        load_module(path)
    except RuntimeError as error:
        print(error)
assert sys.argv[1] not in open("/proc/self/maps").read()
"""


def test_a_library_that_is_cut_off(versions: list[Path], tmp_path: Path) -> None:
    """Wherever it ends: the system would map it, and the process end by SIGBUS."""
    content = versions[0].read_bytes()
    sizes = [0, 1, 4, 20, 63, 64, 65, *range(500, len(content), 1500), len(content) - 1]
    for size in sizes:
        (tmp_path / f"{size}.so").write_bytes(content[:size])
    reasons = [line.partition("`: ")[2] for line in run_python(LOAD_ALL, tmp_path).splitlines()]
    assert reasons[:2] == ["the file is empty", "it is not a shared library"]
    assert reasons[2:] == [
        f"the file is cut off after {size} bytes: it was not written or copied to the end"
        for size in sizes[2:]
    ]


def test_a_library_whose_end_is_empty(versions: list[Path], tmp_path: Path) -> None:
    """Such files are left by systems that lost power, with their size alone."""
    content = versions[0].read_bytes()
    library = tmp_path / "1.so"
    library.write_bytes(content[: len(content) // 2].ljust(len(content), b"\0"))
    assert "it has no compiled functions" in run_python(LOAD_ALL, tmp_path)


def refusal(path: Path) -> str:
    with pytest.raises(RuntimeError, match="^cannot load `") as caught:
        load_module(path)
    return str(caught.value).partition("`: ")[2]


def test_files_of_other_kinds(versions: list[Path], tmp_path: Path) -> None:
    for name in ("object.o", "archive.tar"):
        export_library(compile_c(add_module(100)), tmp_path / name)
    os.mkfifo(tmp_path / "pipe.so")
    (tmp_path / "text.so").write_text("no library")
    content = bytearray(versions[0].read_bytes())
    content[18:20] = (183 if content[18] == 62 else 62).to_bytes(2, "little")
    (tmp_path / "machine.so").write_bytes(content)
    subprocess.run(
        [*find_compiler(), "-shared", "-xc", "/dev/null", "-o", tmp_path / "none.so"], check=True
    )
    assert refusal(tmp_path / "none") == "No such file or directory"
    assert refusal(tmp_path) == "it is a folder"
    assert refusal(tmp_path / "pipe.so") == "it is not a regular file"
    assert refusal(tmp_path / "text.so") == "it is not a shared library"
    assert refusal(tmp_path / "archive.tar") == "it is not a shared library"
    assert refusal(tmp_path / "object.o") == "it is an object to link, not a shared library"
    assert refusal(tmp_path / "machine.so").startswith("it is for processors of kind ")
    assert refusal(tmp_path / "none.so").startswith("it has no compiled functions")


def test_a_library_that_needs_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text(
        "int no_such(void); int __tvm_ffi_main(void) {return no_such();}"
    )
    subprocess.run(
        [*find_compiler(), "-shared", "-fPIC", "-Wl,-z,now", "lib.c", "-o", "lib.so"],
        cwd=tmp_path,
        check=True,
    )
    assert refusal(tmp_path / "lib.so").endswith("undefined symbol: no_such")


def test_any_name_will_do(versions: list[Path], tmp_path: Path) -> None:
    """A library is known by its content: with a version, without an ending, in a folder `a.b`."""
    for name in ("lib.so.1", "lib", "a.b/lib"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        shutil.copy(versions[1], path)
        assert load_module(path).add(1, 1) == 202


def test_a_compiler_that_leaves_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk or a killed wrapper leaves part of a file, and the exit status 0."""
    cut = 'head -c 5000 "$out" > cut; mv cut "$out"'
    find = 'out=; for word; do [ "$before" = -o ] && out=$word; before=$word; done'
    compiler = fake_compiler(tmp_path, f'{CC} "$@" || exit 1; {find}; {cut}')
    module = compile_c(add_module(300))
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("UIR_CC", str(compiler))
    for make in (
        lambda: compile_c(add_module(300)),
        lambda: export_library(module, tmp_path / "lib.so"),
    ):
        with pytest.raises(
            RuntimeError, match="^the C compiler wrote a damaged object: the file is"
        ):
            make()
    assert not (tmp_path / "lib.so").exists()
