"""Bugs put into the merging and writing code, one at a time: the fuzzer has to catch each.

    python -m tests.fuzz.bugs          every bug; fails if one is missed
    python -m tests.fuzz.bugs NUMBER   runs the fuzzer with one; exits with 3 if it is caught

A bug is a change of the text of one module, which is loaded instead of the real one.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
CASES = 1200
"""Cases that the fuzzer gets to find a bug."""
CAUGHT = 3
"""The exit status of a run that catches its bug; any other failure is an error of the test."""


@dataclass(frozen=True)
class Bug:
    """A fault, the property that has to find it, and the change of a module that makes it."""

    what: str
    fuzz: str
    module: str
    before: str = ""
    after: str = ""

    def changes(self, before: str, after: str) -> Bug:
        """Return the bug with its change."""
        return replace(self, before=before, after=after)


BUGS = (
    Bug("a digest depends on line ends", "files", "regions.marked_file").changes(
        'text = text.replace(b"\\r\\n", b"\\n")', "pass"
    ),
    Bug("a byte order mark counts as an edit", "files", "regions.marked_file").changes(
        "text = text.removeprefix(BOM)", "pass"
    ),
    Bug("no edit is noticed", "files", "regions.marked_file").changes(
        "return block.name in self.edited", "return False"
    ),
    Bug(
        "an edit is noticed in blocks alone, not between them", "files", "regions.marked_file"
    ).changes("runs = self.outside()", "runs = list[range]()"),
    Bug("a block without `end` is accepted", "files", "regions.markers").changes(
        "elif self._begin is not None:\n            self._error",
        "elif False:\n            self._error",
    ),
    Bug("a file's last line gets a line end", "in_place", "regions.blocks").changes(
        'marker[len(marker.rstrip(b"\\r\\n")) :]', 'b"\\n"'
    ),
    Bug("text in a comment of many lines is a marker", "in_place", "regions.cpp_lexer").changes(
        'rf"|/\\*(?:.*?\\*/{unclosed})"', '""'
    ),
    Bug("regions get the line ends of the file", "files", "regions.merge").changes(
        "line_end), customs[block.name])",
        'line_end), customs[block.name].replace(b"\\n", line_end))',
    ),
    Bug("a region without a block is dropped", "files", "regions.merge").changes(
        "if (path, name) not in continued", "if False"
    ),
    Bug("text that moves is nowhere for a moment", "files", "regions.merge").changes(
        "interim = {path: files[path] for path, _ in moves}", "interim = {}"
    ),
    Bug(
        "a file that loses a region drops it before another has it", "files", "regions.merge"
    ).changes("        if path in interim:\n", "        if False:\n"),
    Bug("a run that was killed does not heal", "files", "regions.merge").changes(
        "and (name, file.custom(block)) not in kept", "and True"
    ),
    Bug("`renamed_from` is ignored", "files", "regions.merge").changes(
        'before = key[0], renamed.get(key[1], "")', 'before = key[0], ""'
    ),
    Bug("a moved class leaves its region behind", "files", "regions.merge").changes(
        "homes[path, name] = before[0]", "pass"
    ),
    Bug("text before a bare `end` is replaced unasked", "files", "regions.hand_edits").changes(
        "if block.digest is None and not _content(found) - _content(text):",
        "if block.digest is None:",
    ),
    Bug("a changed line is adopted", "files", "regions.hand_edits").changes(
        "return added if done == len(wanted) else None", "return added"
    ),
    Bug("a line behind a block is dropped", "in_place", "adoption.inplace.fill").changes(
        "            done = block.end + 1\n", "            done = block.end + 2\n"
    ),
    Bug(
        "generated lines end with LF in a file with CRLF", "in_place", "adoption.inplace.fill"
    ).changes('b"\\r\\n" if marker.endswith(b"\\r\\n") else b"\\n"', 'b"\\n"'),
    Bug(
        "a block in place is removed with the contents of its region",
        "in_place",
        "adoption.inplace.fill",
    ).changes("[lost_block(file, block)] if file.custom(block) else []", "[]"),
    Bug("a second block is overlooked", "in_place", "adoption.inplace.survey").changes(
        "if full not in self.found.homes:\n            self.found",
        "if True:\n            self.found",
    ),
    Bug("a file is kept whatever it contains", "command", "pipeline.kept_files").changes(
        "== self._store.get(key)", "is not None"
    ),
    Bug("a file is kept for any emitted text", "command", "pipeline.kept_files").changes(
        'make_key("file", str(path), text)', 'make_key("file", str(path))'
    ),
    Bug("a file is removed before its new one is there", "writing", "output.files").changes(
        "        os.replace(temporary_of(place, step.turn), place)\n",
        "        place.unlink(missing_ok=True)\n"
        "        os.replace(temporary_of(place, step.turn), place)\n",
    ),
    Bug("a concurrent save is replaced", "writing", "output.files").changes(
        "if now.get(path) not in (old.get(path), files.get(path)):", "if False:"
    ),
    Bug("interim files are written last", "writing", "output.files").changes(
        "((1, changes.interim), (2, last))", "((2, last), (1, changes.interim))"
    ),
    Bug("a failure leaves temporary files behind", "writing", "output.files").changes(
        "clean_up.callback(remove, temporary)", "pass"
    ),
    Bug("mode bits are lost", "writing", "output.files").changes(
        "temporary.chmod(stat.S_IMODE(status.st_mode))", "pass"
    ),
    Bug("a link is replaced by a file", "writing", "output.files").changes(
        "place = (root / step.path).resolve()\n        os.replace",
        "place = root / step.path\n        os.replace",
    ),
    Bug("a file that does not change is written", "writing", "output.files").changes(
        "if old.get(path) != data)", "if True)"
    ),
)


class _Finder:
    """Finds the module with the bug before the real one is found."""

    def __init__(self, name: str, path: Path) -> None:
        self._name = name
        self._path = path

    def find_spec(
        self,
        name: str,
        _path: Sequence[str] | None = None,
        _target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the module with the bug, if it is the one that is looked for."""
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(name, self._path)


def changed_text(bug: Bug) -> str:
    """Return the text of a bug's module, with the bug."""
    file = ROOT.joinpath("tschema", *bug.module.split(".")).with_suffix(".py")
    text = file.read_text("utf-8")
    count = text.count(bug.before)
    assert count == 1, f"{bug.what}: {count} places in {file} have the text to change"
    return text.replace(bug.before, bug.after)


def run_with(bug: Bug) -> bool:
    """Run the fuzzer with a bug in place; return whether it catches the bug."""
    text = changed_text(bug)
    with TemporaryDirectory(prefix="tschema-bug-") as folder:
        path = Path(folder, "changed.py")
        path.write_text(text, "utf-8")
        sys.meta_path.insert(0, _Finder(f"tschema.{bug.module}", path))
        from .worlds import fuzz

        try:
            fuzz(bug.fuzz, CASES, 0, shrinks=False)
        except Exception:
            traceback.print_exc()
            return True
    return False


def is_caught(number: int) -> bool:
    """Return whether the fuzzer catches a bug."""
    command = [sys.executable, "-m", "tests.fuzz.bugs", str(number)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, CAUGHT), done.stderr
    return done.returncode == CAUGHT


def main() -> int:
    """Try every bug, or run with one."""
    if len(sys.argv) > 1:
        return CAUGHT if run_with(BUGS[int(sys.argv[1])]) else 0
    missed = [bug.what for number, bug in enumerate(BUGS) if not is_caught(number)]
    print("\n".join(f"missed: {what}" for what in missed) or f"caught all {len(BUGS)} bugs")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
