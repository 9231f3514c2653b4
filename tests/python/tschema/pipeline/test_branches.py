"""Random pairs of branches, through real merges, rebases and cherry-picks of git."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tschema.cli.main import main

from .branches import (
    Branches,
    Model,
    Snapshot,
    merge_lines,
    merge_models,
    regions_of,
    snapshot,
    with_regions,
)
from .branches_in_place import InPlaceBranches, emptied

CODE = re.compile(r"error\[(TS\d+)\]")


pytestmark = pytest.mark.usefixtures("unformatted")


class Merged:
    """What both branches and their base have, and what has to come of it."""

    def __init__(self, branches: Branches, base: Snapshot, ours: Snapshot, theirs: Snapshot):
        self.branches = branches
        self.base, self.ours, self.theirs = base.regions, ours.regions, theirs.regions
        kept = base.lines() & ours.lines() & theirs.lines()
        added = (ours.lines() | theirs.lines()) - base.lines()
        self.lines = kept | added

    def region(self, key: tuple[str, str]) -> bytes | None:
        """Return what a custom region has to hold; None where it is in conflict."""
        base, ours, theirs = (one.get(key) for one in (self.base, self.ours, self.theirs))
        if ours is None or theirs is None:
            return ours or theirs or b""
        if ours == theirs or theirs == base:
            return ours
        if ours == base:
            return theirs
        return merge_lines(base or b"", ours, theirs, self.branches.scratch)

    def check_lines(self) -> None:
        """Check that every line is somewhere."""
        texts = [path.read_bytes() for path in self.branches.outputs()]
        there = {line + b"\n" for text in texts for line in text.split(b"\n")}
        assert self.lines - there == set()

    def check_regions(self, found: Snapshot) -> bool:
        """Check each custom region; return whether one is in conflict."""
        is_conflicted = False
        for key, text in found.regions.items():
            wanted = self.region(key)
            if wanted is None:
                is_conflicted = True
                assert b"\n=====" in text, key
                for side in (self.ours, self.theirs):
                    assert set(side[key].split(b"\n")) - set(
                        self.base.get(key, b"").split(b"\n")
                    ) <= set(text.split(b"\n"))
            else:
                assert text == wanted, (key, text, wanted)
        return is_conflicted


def check_fresh(root: Path, fresh: Path, config: str) -> None:
    """Check that the outputs are those of a new project, but for the custom regions."""
    shutil.copytree(root / "schema", fresh / "schema")
    (fresh / "tschema.toml").write_text(config)
    assert main(["gen", "--config", str(fresh / "tschema.toml")]) == 0
    made = {path.relative_to(fresh): path for path in (fresh / "generated").rglob("*.*")}
    there = {path.relative_to(root): path for path in (root / "generated").rglob("*.*")}
    assert made.keys() == there.keys()
    for name, path in made.items():
        data = there[name].read_bytes()
        assert with_regions(path.read_bytes(), regions_of(data)) == data, name


def check_pair(folder: Path, seed: int, *, has_driver: bool) -> str:
    """Merge two branches; return how it ended."""
    branches = Branches(folder, seed, has_driver=has_driver)
    base = branches.begin()
    before = snapshot(branches.root)
    ours = branches.live(base, "ours", 0)
    mine = snapshot(branches.root)
    theirs = branches.live(base, "theirs", 1)
    merged = Merged(branches, before, mine, snapshot(branches.root))
    is_clean = branches.join()
    status, said = branches.run("gen")
    codes = set(CODE.findall(said))
    if status == 2 and codes != {"TS064"}:
        # A conflict in the declarations, or what git merged of them makes no sense.
        keeps = branches.random.random() < 0.5
        merge_models(base, ours, theirs, keeps_removed=keeps).write(branches.root / "schema")
        status, said = branches.run("gen")
        codes = set(CODE.findall(said))
    merged.check_lines()
    if status == 2:
        assert codes == {"TS064"}, said
        check_told(branches, merged, said, (ours, theirs))
        return "told"
    found = snapshot(branches.root)
    assert merged.check_regions(found) == (status == 1), said
    assert codes == ({"TS170"} if status else set()), said
    check_fresh(branches.root, folder / "fresh", branches.config)
    files = {path: path.read_bytes() for path in branches.root.rglob("generated/**/*.*")}
    assert branches.run("gen", "--check")[0] == status
    assert branches.run("gen")[0] == status
    assert {path: path.read_bytes() for path in branches.root.rglob("generated/**/*.*")} == files
    return "conflict" if status else "clean" if is_clean else "resolved"


def check_told(branches: Branches, merged: Merged, said: str, models: tuple[Model, Model]) -> None:
    """Check what is gone: a class that the other side renamed, or whose region it changed.

    Or a file whose last classes the sides removed together, with text behind its imports.
    """
    final = snapshot(branches.root).regions
    classes = [one for model in models for one in model.classes().values()]
    renamed = {str(one.number) for one in classes if one.before}
    keys = merged.base.keys() | merged.ours.keys() | merged.theirs.keys()
    lost = [
        key
        for key in keys - final.keys()
        for one in (merged.ours.get(key), merged.theirs.get(key))
        if one and (one != merged.base.get(key) or key[1].removesuffix("Node") in renamed)
    ]
    schema = branches.root / "schema"
    lost += [
        (path, name)
        for (path, name), text in final.items()
        if name == "file" and text and not (schema / f"{Path(path).stem}.py").exists()
    ]
    assert lost, said


@pytest.mark.parametrize("seed", range(25))
def test_branches(tmp_path: Path, seed: int) -> None:
    check_pair(tmp_path, seed, has_driver=seed % 2 == 0)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(25, 225))
def test_many_branches(tmp_path: Path, seed: int) -> None:
    check_pair(tmp_path / "text", seed, has_driver=False)
    check_pair(tmp_path / "driver", seed, has_driver=True)


def check_in_place(folder: Path, seed: int, *, has_driver: bool) -> str:
    """Merge two branches of a project that is written in place; return how it ended."""
    branches = InPlaceBranches(folder, seed, has_driver=has_driver)
    base = branches.begin()
    before, around = snapshot(branches.root), branches.around()
    ours = branches.live(base, "ours", 0)
    mine, ours_around = snapshot(branches.root), branches.around()
    theirs = branches.live(base, "theirs", 1)
    merged = Merged(branches, before, mine, snapshot(branches.root))
    theirs_around = branches.around()
    branches.join()
    status, said = branches.run("gen")
    codes = set(CODE.findall(said))
    if status == 2 and not codes <= {"TS064", "TS068"}:
        keeps = branches.random.random() < 0.5
        merge_models(base, ours, theirs, keeps_removed=keeps).write(branches.root / "schema")
        status, said = branches.run("gen")
        codes = set(CODE.findall(said))
    merged.check_lines()
    kept = around & ours_around & theirs_around
    assert kept | ((ours_around | theirs_around) - around) <= branches.all_lines()
    if status == 2:
        assert codes <= {"TS064", "TS068"}, said
        return "told"
    assert merged.check_regions(snapshot(branches.root)) == (status == 1), said
    files = {path: path.read_bytes() for path in branches.outputs()}
    assert branches.run("gen")[0] == status
    assert {path: path.read_bytes() for path in branches.outputs()} == files
    if status == 0:
        for path in branches.files():
            path.write_bytes(emptied(path.read_bytes()))
        assert branches.run("gen", "--discard")[0] == 0
        assert {path: path.read_bytes() for path in branches.outputs()} == files
    is_marked = any(b"\n>>>>>" in text for text in files.values())
    return "conflict" if status else "marked" if is_marked else "clean"


@pytest.mark.parametrize("seed", range(4))
def test_branches_in_place(tmp_path: Path, seed: int) -> None:
    check_in_place(tmp_path, seed, has_driver=seed % 2 == 0)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4, 40))
def test_many_branches_in_place(tmp_path: Path, seed: int) -> None:
    check_in_place(tmp_path / "text", seed, has_driver=False)
    check_in_place(tmp_path / "driver", seed, has_driver=True)
