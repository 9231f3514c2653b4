"""Random pairs of branches of a project whose C++ and Rust are written in place.

What stands around the blocks is the user's: each line of it is unique, and none may go.
"""

from __future__ import annotations

import re
from pathlib import Path

from .branches import CONFIG, Branches, Model

LANGUAGES = {
    language: f'[{language}]\nmode = "in_place"\nfiles = ["{language}/*{suffix}"]\n'
    f'sidecar = "{language}/side"\n'
    for language, suffix in (("cpp", ".h"), ("rust", ".rs"))
}
_BLOCK = re.compile(rb"// tschema: (\w+)\n(?:(?!// tschema: end).*\n)*?// tschema: end[^\n]*\n")
_INSIDE = re.compile(
    rb"(// tschema: \w+\n)((?:(?!// tschema: end).*\n)*?)(// tschema: end)[^\n]*\n"
)
_REGION = re.compile(
    rb"[ ]*// tschema: custom-begin\n(?:.*\n)*?[ ]*// tschema: custom-end\n"
)  # fmt: skip


class InPlaceBranches(Branches):
    """Two branches of a project that is written in place."""

    def choose_config(self) -> str:
        """Return the configuration of one language."""
        self.language = self.random.choice(sorted(LANGUAGES))
        return CONFIG + LANGUAGES[self.language]

    def files(self) -> list[Path]:
        """Return the files of the user's."""
        return sorted([*self.root.glob("cpp/*.h"), *self.root.glob("rust/*.rs")])

    def prepare(self, model: Model) -> None:
        """Write what people write besides the declarations: a block for each class, and text."""
        for folder, suffix in (("cpp", ".h"), ("rust", ".rs")):
            if folder != self.language:
                continue
            (self.root / folder).mkdir(exist_ok=True)
            there = [path for path in self.files() if path.suffix == suffix]
            if not there:
                there = [self.root / folder / f"{name}{suffix}" for name in ("one", "two")]
                # Where a macro may open a namespace, blocks may stand anywhere.
                first = b"TOY_NAMESPACE_BEGIN\n" if folder == "cpp" else b""
                for path in there:
                    path.write_bytes(first + b"".join(self.line() for _ in range(4)))
            texts = b"".join(path.read_bytes() for path in there)
            for one in model.classes().values():
                names = {one.name, one.before or one.name}
                if not any(f"tschema: {name}\n".encode() in texts for name in names):
                    self.add_block(self.random.choice(there), one.name)
        for path in self.files():
            if self.random.random() < 0.5:
                self.edit_around(path)

    def line(self) -> bytes:
        """Return a line of the user's."""
        return f"// mine {self.number()}\n".encode()

    def gaps(self, data: bytes) -> list[int]:
        """Return the offsets of the lines outside of blocks."""
        inside = [match.span() for match in _BLOCK.finditer(data)]
        starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        return [at for at in starts if not any(begin < at < end for begin, end in inside)]

    def add_block(self, path: Path, name: str) -> None:
        """Add empty blocks for a class."""
        data = path.read_bytes()
        at = self.random.choice(self.gaps(data))
        blocks = "".join(f"// tschema: {one}\n// tschema: end\n\n" for one in (f"{name}Node", name))
        text = self.line() if self.random.random() < 0.3 else b""
        path.write_bytes(data[:at] + text + b"\n" + blocks.encode() + data[at:])

    def edit_around(self, path: Path) -> None:
        """Add a line outside of blocks."""
        data = path.read_bytes()
        at = self.random.choice(self.gaps(data))
        path.write_bytes(data[:at] + self.line() + data[at:])

    def outputs(self) -> list[Path]:
        """Return the files with custom regions."""
        return [*self.files(), *sorted(self.root.rglob("*/side/**/*.*"))]

    def all_lines(self) -> set[bytes]:
        """Return the lines of the user's files."""
        return {line for path in self.files() for line in path.read_bytes().split(b"\n")}

    def around(self) -> set[bytes]:
        """Return the lines outside of blocks."""
        texts = [_BLOCK.sub(b"", path.read_bytes()) for path in self.files()]
        return {line for text in texts for line in text.split(b"\n")}


def emptied(data: bytes) -> bytes:
    """Return a file with its custom regions alone in its blocks, as people would write them."""

    def bare(match: re.Match[bytes]) -> bytes:
        region = _REGION.search(match[2])
        return match[1] + (region[0] if region else b"") + match[3] + b"\n"

    return _INSIDE.sub(bare, data)
