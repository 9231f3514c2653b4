"""Headers and registries that mean harm, or are broken: a located error and the right status."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..conftest import Project, Result

CLASS = """
class {name} : public {base} {{
 public:
  int64_t size;
  TVM_FFI_DECLARE_OBJECT_INFO("{key}", {name}, {base});
}};
"""


def write_header(path: Path, *classes: tuple[str, str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = (CLASS.format(name=name, base=base, key=key) for name, base, key in classes)
    path.write_text(f"#include <tvm/ffi/object.h>\nnamespace toy {{{''.join(texts)}}}\n")


def refused(project: Project, *arguments: str) -> Result:
    """Run an import that must be refused, and that must write nothing."""
    before = written(project)
    result = project.run("import", *arguments)
    assert result.status == 2, result.err
    assert "Traceback" not in result.err
    assert written(project) == before
    return result


def written(project: Project) -> list[Path]:
    """Return all files around a project, without the byte code of packages that were imported."""
    paths = project.root.parent.rglob("*")
    return sorted(path for path in paths if "__pycache__" not in path.parts)


OBJECT = "tvm::ffi::Object"


@pytest.mark.parametrize(
    "key",
    [
        "toy.../../evil.A",
        "../../evil.A",
        "toy/../../../evil.A",
        "{folder}/evil.A",
        "toy.{folder}/evil.A",
        "toy..A",
        ".toy.A",
        "toy.A b",
        "toy.1.A",
    ],
)
def test_a_key_that_is_no_name_writes_nothing(project: Project, key: str, tmp_path: Path) -> None:
    key = key.format(folder=tmp_path.parent)
    write_header(project.root / "cpp/a.h", ("ANode", OBJECT, key), ("BNode", OBJECT, "toy.ir.B"))
    result = refused(project, "--headers", "cpp")
    assert f"cpp/a.h:3:1: error[TS091]: type key `{key}` is not names joined by dots" in result.err
    # The others can be chosen, and what the key is the parent of is left out with them.
    result = project.run("import", "--headers", "cpp", "--key", "toy.ir.B")
    assert result.status == 0, result.err
    assert [path.name for path in (project.root / "schema").rglob("a.py")] == ["a.py"]
    assert not [*tmp_path.parent.rglob("evil*")]


def test_a_class_that_is_its_own_base(project: Project) -> None:
    write_header(
        project.root / "cpp/a.h",
        ("ANode", "ANode", "toy.A"),
        ("BNode", "CNode", "toy.B"),
        ("CNode", "BNode", "toy.C"),
        ("DNode", "ANode", "toy.ir.D"),
    )
    result = refused(project, "--headers", "cpp")
    assert "cpp/a.h:3:1: error[TS091]: class `toy.A` is its own base\n" in result.err
    assert "error[TS091]: class `toy.B` is its own base, through `toy.C`\n" in result.err
    result = project.run("import", "--headers", "cpp", "--key", "toy.ir")
    assert result.status == 0, result.err
    assert "its parent `toy.A` is not declared" in result.out


def test_a_namespace_too_long_for_a_folder(project: Project) -> None:
    write_header(project.root / "cpp/a.h", ("ANode", OBJECT, f"toy.{'x' * 300}.A"))
    result = refused(project, "--headers", "cpp")
    assert "...` of its type key has 300 characters, more than 80" in result.err


def test_a_pipe_and_a_device_are_not_read(project: Project) -> None:
    write_header(project.root / "cpp/a.h", ("ANode", OBJECT, "toy.A"))
    os.mkfifo(project.root / "cpp/pipe.h")
    for name in ("cpp", "cpp/pipe.h"):
        assert "`cpp/pipe.h` is neither a regular file" in refused(project, "--headers", name).err
    assert "`/dev/zero` is neither" in refused(project, "--headers", "/dev/zero").err


def test_a_name_that_is_not_utf_8(project: Project) -> None:
    name = os.fsdecode(b"\xff.h")
    write_header(project.root / "cpp" / name, ("ANode", OBJECT, "toy.A"))
    for given in ("cpp", f"cpp/{name}"):
        result = refused(project, "--headers", given)
        assert "error[TS091]: the name of `cpp/\\udcff.h` is not UTF-8" in result.err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import sys; sys.exit()", "SystemExit"),
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("import os; os._exit(0)", "ended with status 0 and did not list its types"),
        ("import os; os.close(1)", "OSError: [Errno 9] Bad file descriptor"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        (
            "import atexit; atexit.register(print, '{\"tvm_ffi\": 1')",
            "ended with status 0 and did not list its types",
        ),
    ],
)
def test_a_package_that_ends_the_interpreter(project: Project, text: str, reason: str) -> None:
    (project.root / "loud.py").write_text(text)
    result = refused(project, "--registry", "loud")
    assert "error[TS091]: cannot read the registry of `loud`: " in result.err
    assert reason in result.err
