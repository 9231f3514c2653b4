"""The writer, on a real disk: kills, failures, links, modes, and people who save meanwhile."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path, PurePosixPath

from hypothesis import strategies as st

from tschema.incremental.stamp import JOURNAL
from tschema.output.files import OutputError, compare, finish_interrupted, read_outputs, write

from .killing import Killed, killed_at

Files = dict[PurePosixPath, bytes]

_PATHS = [PurePosixPath(name) for name in ("a.h", "b.h", "d/c.h", "d/e/f.h", "g/h.h")]
_contents = st.sampled_from([b"", b"one\n", b"two\n", b"\x00" * 70_000])


class WritingWorld:
    """Files before and after a run, and a folder that has them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.old: Files = draw(st.dictionaries(st.sampled_from(_PATHS), _contents))
        self.new: Files = draw(st.dictionaries(st.sampled_from(_PATHS), _contents))
        self.changes = compare(self.new, self.old)
        interim = [path for path in self.changes.written if draw(st.integers(0, 3)) == 0]
        self.interim = dict.fromkeys(interim, b"interim\n")
        self.changes = compare(self.new, self.old, self.interim)
        self.links = {path for path in self.old if draw(st.integers(0, 3)) == 0}
        self.modes = {path: draw(st.sampled_from([0o644, 0o600, 0o755])) for path in self.old}

    def live(self) -> None:
        """Write, in one of the ways that a run can end."""
        root = Path(tempfile.mkdtemp(prefix="tschema-fuzz-", dir=_memory_folder()))
        try:
            self._make(root)
            end = self.draw(
                st.sampled_from([self.run, self.run_killed, self.run_failing, self.run_disturbed])
            )
            end(root)
        finally:
            shutil.rmtree(root)

    def _make(self, root: Path) -> None:
        for path, data in self.old.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if path in self.links:
                real = root / "real" / path.name
                real.parent.mkdir(exist_ok=True)
                place.symlink_to(os.path.relpath(real, place.parent))
            place.write_bytes(data)
            place.chmod(self.modes[path])
            os.utime(place, ns=(1, 1))

    def _write(self, root: Path) -> None:
        write(root, self.new, self.changes, self.old)

    def _state(self, root: Path) -> Files:
        return read_outputs(root, _PATHS)

    def _check_done(self, root: Path) -> None:
        assert self._state(root) == self.new
        self._check_clean(root)
        for path in self.old.keys() & self.new.keys():
            place = root / path
            assert place.is_symlink() == (path in self.links)
            assert place.stat().st_mode & 0o777 == self.modes[path]
            assert (place.stat().st_mtime_ns == 1) == (path not in self.changes.written)

    def _check_clean(self, root: Path) -> None:
        names = [path for path in root.rglob("*") if path.name.startswith(".")]
        assert not names, f"left behind: {names}"
        empty = [path for path in root.rglob("*") if path.is_dir() and not any(path.iterdir())]
        assert not empty, f"left behind: {empty}"

    def run(self, root: Path) -> None:
        """Run to the end."""
        self._write(root)
        self._check_done(root)

    def run_killed(self, root: Path) -> None:
        """Die at some operation; every file is whole, and the next run heals."""
        last = self.draw(st.integers(1, 40))
        died = False
        with killed_at(last):
            try:
                self._write(root)
            except Killed:
                died = True
        if not died:
            self._check_done(root)
            return
        state = self._state(root)
        for path in _PATHS:
            whole = [self.old.get(path), self.new.get(path), self.interim.get(path, b"?")]
            assert state.get(path) in whole, f"{path} is in pieces"
        self._check_order(state)
        write(root, self.new, compare(self.new, state), state)
        assert self._state(root) == self.new
        if compare(self.new, state):
            folders = {(root / path).resolve().parent for path in self.changes.written}
            left = [path for folder in folders for path in folder.glob(".*")]
            assert not left or not compare(self.new, state).written, f"left behind: {left}"

    def _check_order(self, state: Files) -> None:
        """Interim files are written before all others, and removals come last."""
        begun = [
            path
            for path in self.changes.written
            if state.get(path) == self.new[path] and path not in self.interim
        ]
        untouched = [path for path in self.interim if state.get(path) == self.old.get(path)]
        assert not begun or not [path for path in untouched if self.new[path] != self.old.get(path)]
        gone = [path for path in self.changes.removed if path not in state]
        assert not gone or all(state.get(path) == self.new[path] for path in self.changes.written)

    def run_failing(self, root: Path) -> None:
        """Fail at some operation: a clear error, nothing changed before the renames, no litter."""
        last = self.draw(st.integers(1, 40))
        failure = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with killed_at(last, failure) as counter:
            try:
                self._write(root)
            except OutputError as error:
                assert "No space left on device" in str(error)
        if (root / JOURNAL).exists():
            # All may be in place, where the journal could not be removed.
            finish_interrupted(root)
            assert not (root / JOURNAL).exists()
            self._check_done(root)
            return
        hidden = [path for path in root.rglob(".*") if path.is_file()]
        assert not hidden or counter.failed == "unlink", f"left behind: {hidden}"
        state = self._state(root)
        for path in _PATHS:
            whole = [self.old.get(path), self.new.get(path), self.interim.get(path, b"?")]
            assert state.get(path) in whole, f"{path} is in pieces"

    def run_disturbed(self, root: Path) -> None:
        """A file that is saved after it was read keeps the saved contents."""
        path = self.draw(st.sampled_from(_PATHS))
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"saved meanwhile\n")
        is_ours = path in self.old or path in self.new
        try:
            self._write(root)
        except OutputError as error:
            assert is_ours
            assert "has changed while tschema ran" in str(error)
            state = self._state(root)
            assert {**self.old, path: b"saved meanwhile\n"} == state
        else:
            assert not is_ours
        assert place.read_bytes() == b"saved meanwhile\n"


def _memory_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
