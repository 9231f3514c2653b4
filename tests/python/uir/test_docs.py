"""What the pages of the documentation show is run, and prints what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from uir import transform

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "-- end of a block --"


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((DOCS / page).read_text())


def run_blocks(page: str, folder: Path) -> list[str]:
    """Run the Python of a page as one program; return what each block prints."""
    programs = [text for language, text in blocks(page) if language == "python"]
    program = f"print({MARK!r})\n".join(["from __future__ import annotations\n", *programs])
    # Decorators read the source of what they decorate.
    source = folder / "page.py"
    source.write_text(program)
    done = subprocess.run([sys.executable, source], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(f"{MARK}\n")[1:]


NAMES = (
    "arith",
    "build",
    "extern",
    "notebooks",
    "objects",
    "passes",
    "relay",
    "schedule",
    "semantics",
    "target-c",
)
PAGES = [*(f"compiler/{name}.md" for name in NAMES), "models/onnx.md"]


@pytest.mark.parametrize("page", PAGES)
def test_python_prints_what_the_page_shows(page: str, tmp_path: Path) -> None:
    printed = iter(run_blocks(page, tmp_path))
    output = ""
    compared = 0
    for language, text in blocks(page):
        if language == "python":
            output = next(printed)
        elif language == "text":
            compared += 1
            assert output.rstrip() == text.rstrip()
    assert compared


def test_the_table_of_passes_is_the_default_pipeline() -> None:
    table = (
        (DOCS / "compiler" / "build.md")
        .read_text()
        .split("| stage | pass | does |\n")[1]
        .split("\n\n")[0]
    )
    listed = re.findall(r"^\| [\w ]+ \| `(\w+)` \| .+ \|$", table, re.MULTILINE)
    names = [one.pass_info.name for one in transform.default_pipeline("c")]
    assert listed == names, "build.md lists the passes of the default pipeline in order"
    assert len(set(names)) <= 40


TESTED = {
    "bindings/functors.md": ("uir/tir/functor_test.cc", "uir/tir/mutator_test.cc"),
    "bindings/loaded-types.md": ("tschema/dynamic/load_types_test.cc", "load_types.rs"),
    "bindings/serialization.md": ("tschema/serialize/json/json_test.cc", "engines.rs"),
    "compiler/arith.md": ("uir/arith/analyzer_test.cc", "explanations.rs"),
    "compiler/build.md": ("uir/driver/build_test.cc", "driver.rs"),
    "compiler/building.md": ("uir/tir/builder_test.cc", "passes.rs"),
    "compiler/passes.md": ("uir/transform/infra/pass_test.cc", "passes.rs"),
    "compiler/schedule.md": ("uir/schedule/schedule_test.cc", "schedule.rs"),
    "compiler/script.md": ("uir/script/script_test.cc", "display.rs"),
    "compiler/target-c.md": ("uir/target/emit_c_test.cc", "target.rs"),
}
"""The tests with the C++ and Rust of a page; documentation tests of Rust run other pages."""


@pytest.mark.parametrize("page", TESTED)
def test_other_languages_are_part_of_tests(page: str) -> None:
    languages = {".cc": "cpp", ".rs": "rust"}
    folders = {".cc": "cpp", ".rs": "rust/interop/tests/all"}
    files = [ROOT / "tests" / folders[Path(name).suffix] / name for name in TESTED[page]]
    tested = "\n".join(file.read_text() for file in files)
    expected = {languages[file.suffix] for file in files}
    shown = [(language, text) for language, text in blocks(page) if language in expected]
    assert {language for language, _ in shown} == expected
    lines = [line for _, text in shown for line in text.splitlines()]
    assert [line for line in lines if line not in tested] == []


def test_cpp_is_part_of_a_test() -> None:
    shown = [text for language, text in blocks("compiler/relay.md") if language == "cpp"]
    tested = (ROOT / "tests/cpp/uir/relay/example_test.cc").read_text()
    assert len(shown) == 2
    assert [text for text in shown if text not in tested] == []


REGISTERED = "import uir.transform as t; print(*t.list_pass_names(), '/', *t.list_options())"


def test_the_page_lists_every_pass_and_option() -> None:
    """The names are those of a fresh process, as other tests register some of their own."""
    command = [sys.executable, "-c", REGISTERED]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    passes, options = (names.split() for names in printed.split("/"))
    assert "Simplify" in passes
    text = (DOCS / "compiler" / "passes.md").read_text()
    assert [name for name in [*passes, *options] if f"`{name}" not in text] == []
