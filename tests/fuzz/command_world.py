"""A whole project, through `driver.py`: a schema, files of tschema's own and files of the user's.

Formatters are left out, since they take long and change no guarantee.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from unittest import mock

from hypothesis import strategies as st

from tschema.adoption.plan import make_plan
from tschema.diagnostics.errors import SchemaError
from tschema.emit.format import Formatting
from tschema.pipeline import run as driver
from tschema.project.config import load_config
from tschema.regions.blocks import scan

from .text import PYTHON, user_texts

_CONFIG = """\
package = "toy"
schema = ["schema"]

[python]
dir = "generated"

[rust]
mode = "in_place"
files = ["rust/*.rs"]
sidecar = "rust/side"
"""
_HEAD = '"""Nodes."""\n\nfrom tschema import Object, declare, ty\n'
_CLASS = '''

@declare
class {name}Node(Object):
    """
    {doc}.

    Attributes
    ----------
    x
        A value.
    """

    type_key = "toy.{name}"
    x: ty.{type}
'''


class _AsTheyAre(Formatting):
    """Formats nothing, which takes less time."""

    def start(self, texts: Mapping[PurePosixPath, str]) -> None:
        """Do nothing."""

    def finish(self, texts: Mapping[PurePosixPath, str]) -> Iterator[tuple[PurePosixPath, str]]:
        """Yield the texts."""
        yield from texts.items()


class CommandWorld:
    """A project on disk, with hand-written code."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.root = Path(tempfile.mkdtemp(prefix="tschema-fuzz-"))
        self.regions: dict[str, bytes] = {}
        self.outside = self._outside()

    def _outside(self) -> bytes:
        text = self.draw(st.sampled_from([b"", b"// mine\r\n", b"\xff\x0c\n\n", b"mod x;\n"]))
        return text

    def live(self) -> None:
        """Run, write, change the schema, and run again."""
        try:
            (self.root / "schema").mkdir()
            (self.root / "rust").mkdir()
            (self.root / "tschema.toml").write_text(_CONFIG)
            with mock.patch.object(driver, "Formatting", _AsTheyAre):
                self._write_schema(["A", "B"])
                self._write_rust(["A", "B"])
                self._run()
                for _ in range(self.draw(st.integers(1, 3))):
                    self._write_regions()
                    self._write_schema(["A", "B"])
                    self._run()
                self._remove_class()
        finally:
            shutil.rmtree(self.root)

    def _write_schema(self, names: list[str]) -> None:
        docs, types = st.sampled_from(["One", "Two"]), st.sampled_from(["int64_t", "String"])
        classes = [
            _CLASS.format(name=name, doc=self.draw(docs), type=self.draw(types)) for name in names
        ]
        (self.root / "schema" / "nodes.py").write_text(_HEAD + "".join(classes))

    def _write_rust(self, names: list[str]) -> None:
        blocks = [
            f"// tschema: {name}{part}\n// tschema: end\n"
            for name in names
            for part in ("Node", "")
        ]
        text = "".join(blocks).encode()
        (self.root / "rust" / "nodes.rs").write_bytes(self.outside + text + self.outside)

    def _plan(self) -> driver.Plan:
        request = driver.Request(load_config(self.root / "tschema.toml"))
        return make_plan(request, lambda _stage: None)

    def _run(self) -> None:
        plan = self._plan()
        assert not plan.edits
        driver.apply(plan)
        assert not self._plan().changes
        data = self._python.read_bytes()
        file = scan(str(self._python), data)
        found = {name: file.custom(block) for name, block in file.blocks.items()}
        assert found == {"file": b"", "A": b"", "B": b"", **self.regions}
        rust = (self.root / "rust" / "nodes.rs").read_bytes()
        assert rust.startswith(self.outside)
        assert rust.endswith(self.outside)

    @property
    def _python(self) -> Path:
        return self.root / "generated" / "toy_nodes" / "nodes.py"

    def _write_regions(self) -> None:
        name = self.draw(st.sampled_from(["file", "A", "B"]))
        file = scan(str(self._python), self._python.read_bytes())
        region = file.blocks[name].region
        assert region is not None
        self.regions[name] = self.draw(user_texts(PYTHON, is_literal=True))
        lines = [*file.lines[: region.start], self.regions[name], *file.lines[region.stop :]]
        self._python.write_bytes(b"".join(lines))

    def _remove_class(self) -> None:
        self._write_schema(["A"])
        before = self._python.read_bytes()
        if self.regions.get("B"):
            try:
                self._plan()
            except SchemaError as error:
                assert [one.code for one in error.diagnostics] == ["TS064"]
            else:
                raise AssertionError("a region would be lost")
            assert self._python.read_bytes() == before
        else:
            driver.apply(self._plan())
            assert b"class B" not in self._python.read_bytes()
            assert b"struct B" not in (self.root / "rust" / "nodes.rs").read_bytes()
