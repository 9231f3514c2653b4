"""Bugs put into the merging and writing code, one at a time: the fuzzer has to catch each.

    python -m tests.fuzz.bugs          every bug; fails if one is missed
    python -m tests.fuzz.bugs NUMBER   runs the fuzzer with one of them; fails if it is caught

A bug is a change of the text of one module, which is loaded instead of the real one.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
CASES = 1200
"""Cases that the fuzzer gets to find a bug."""


@dataclass(frozen=True)
class Bug:
    """A fault, and the property that has to find it."""

    what: str
    module: str
    before: str
    after: str
    fuzz: str


BUGS = (
    Bug(
        "a digest depends on line ends",
        "marked",
        'return text.replace(b"\\r\\n", b"\\n")',
        "return text",
        "files",
    ),
    Bug(
        "a byte order mark counts as an edit",
        "marked",
        "text = text.removeprefix(BOM)",
        "pass",
        "files",
    ),
    Bug(
        "no edit is noticed",
        "marked",
        "return block.name in self.edited",
        "return False",
        "files",
    ),
    Bug(
        "an edit is noticed in blocks alone, not between them",
        "marked",
        "runs = self.outside() if block.name == FILE_BLOCK else [",
        "runs = [",
        "files",
    ),
    Bug(
        "a block without `end` is accepted",
        "markers",
        "elif self._begin is not None:\n            self._error",
        "elif False:\n            self._error",
        "files",
    ),
    Bug(
        "a file's last line gets a line end",
        "blocks",
        'marker[len(marker.rstrip(b"\\r\\n")) :]',
        'b"\\n"',
        "in_place",
    ),
    Bug(
        "text in a comment of many lines is a marker",
        "literals",
        "    | /\\*.*?\\*/\n",
        "",
        "in_place",
    ),
    Bug(
        "regions get the line ends of the file",
        "regions",
        "line_end), customs[block.name])",
        'line_end), customs[block.name].replace(b"\\n", line_end))',
        "files",
    ),
    Bug(
        "a region without a block is dropped",
        "regions",
        "if (path, name) not in continued",
        "if False",
        "files",
    ),
    Bug(
        "text that moves is nowhere for a moment",
        "regions",
        "interim = {path: files[path] for path, _ in moves}",
        "interim = {}",
        "files",
    ),
    Bug(
        "a file that loses a region drops it before another has it",
        "regions",
        "        if path in interim:\n",
        "        if False:\n",
        "files",
    ),
    Bug(
        "a run that was killed does not heal",
        "regions",
        "and (name, file.custom(block)) not in kept",
        "and True",
        "files",
    ),
    Bug(
        "`renamed_from` is ignored",
        "regions",
        'before = key[0], renamed.get(key[1], "")',
        'before = key[0], ""',
        "files",
    ),
    Bug(
        "a moved class leaves its region behind",
        "regions",
        "homes[path, name] = before[0]",
        "pass",
        "files",
    ),
    Bug(
        "text before a bare `end` is replaced unasked",
        "edits",
        "if block.digest is None and not _content(found) - _content(text):",
        "if block.digest is None:",
        "files",
    ),
    Bug(
        "a changed line is adopted",
        "edits",
        "return added if done == len(wanted) else None",
        "return added",
        "files",
    ),
    Bug(
        "a line behind a block is dropped",
        "inplace",
        "            done = block.end + 1\n",
        "            done = block.end + 2\n",
        "in_place",
    ),
    Bug(
        "generated lines end with LF in a file with CRLF",
        "inplace",
        'b"\\r\\n" if marker.endswith(b"\\r\\n") else b"\\n"',
        'b"\\n"',
        "in_place",
    ),
    Bug(
        "a block in place goes with what is in its region",
        "inplace",
        "[lost_block(file, block)] if file.custom(block) else []",
        "[]",
        "in_place",
    ),
    Bug(
        "a second block is overlooked",
        "inplace",
        "if full not in self.found.homes:\n            self.found",
        "if True:\n            self.found",
        "in_place",
    ),
    Bug(
        "what a person wrote counts as nothing",
        "settled",
        "if path in sealed and sealed[path].joined() == files[path]:",
        "if path in sealed:",
        "command",
    ),
    Bug(
        "a file without hand-written code counts as such for ever",
        "settled",
        'make_key("untouched", str(path), digest)',
        'make_key("untouched", str(path))',
        "command",
    ),
    Bug(
        "a file is removed before its new one is there",
        "output",
        "        os.replace(temporary, place)\n",
        "        place.unlink(missing_ok=True)\n        os.replace(temporary, place)\n",
        "writing",
    ),
    Bug(
        "a concurrent save is replaced",
        "output",
        "if now.get(path) not in (old.get(path), files.get(path)):",
        "if False:",
        "writing",
    ),
    Bug(
        "interim files are written last",
        "output",
        "[*first, *last]",
        "[*last, *first]",
        "writing",
    ),
    Bug(
        "a failure leaves temporary files behind",
        "output",
        "clean_up.callback(_remove, temporary)",
        "pass",
        "writing",
    ),
    Bug(
        "mode bits are lost",
        "output",
        "temporary.chmod(stat.S_IMODE(status.st_mode))",
        "pass",
        "writing",
    ),
    Bug(
        "a link is replaced by a file",
        "output",
        "    place = place.resolve()\n    temporary",
        "    temporary",
        "writing",
    ),
    Bug(
        "a file that does not change is written",
        "output",
        "if old.get(path) != data)",
        "if True)",
        "writing",
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


def run_with(bug: Bug) -> None:
    """Run the fuzzer with a bug in place."""
    text = (ROOT / "tschema" / f"{bug.module}.py").read_text("utf-8")
    assert text.count(bug.before) == 1, (
        f"the text to change is there {text.count(bug.before)} times"
    )
    with TemporaryDirectory(prefix="tschema-bug-") as folder:
        path = Path(folder, f"{bug.module}.py")
        path.write_text(text.replace(bug.before, bug.after), "utf-8")
        sys.meta_path.insert(0, _Finder(f"tschema.{bug.module}", path))
        from .worlds import fuzz

        fuzz(bug.fuzz, CASES, 0, shrinks=False)


def is_caught(number: int) -> bool:
    """Return whether the fuzzer catches a bug; it must fail by an assertion, or an error."""
    command = [sys.executable, "-m", "tests.fuzz.bugs", str(number)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "the text to change is there" in done.stderr or "SyntaxError" in done.stderr:
        raise AssertionError(done.stderr)
    return done.returncode != 0


def main() -> int:
    """Try every bug, or run with one."""
    if len(sys.argv) > 1:
        run_with(BUGS[int(sys.argv[1])])
        return 0
    missed = [bug.what for number, bug in enumerate(BUGS) if not is_caught(number)]
    print("\n".join(f"missed: {what}" for what in missed) or f"caught all {len(BUGS)} bugs")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
