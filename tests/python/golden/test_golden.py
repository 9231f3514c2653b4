"""The packages of `tests/golden` are generated into exactly the files that stand beside them.

`atlas` has each row and rule of the schema language, and classes as existing C++ code has them;
`harbor` extends it as another package does, and declares operators. `make golden`
(`TSCHEMA_GOLDEN=1`) rewrites the files; read the difference as code.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from msgspec.structs import fields

from tschema.ir import codec
from tschema.ir.model import Field, Namespace, Options, Schema, TypeKind

from ..support.generated import generate
from ..support.project import ROOT

GOLDEN = ROOT / "tests" / "golden"
PACKAGES = ("atlas", "harbor")
UPDATE = os.environ.get("TSCHEMA_GOLDEN") == "1"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Generate both packages; `harbor` finds the JSON IR in an installed `atlas`."""
    root = tmp_path_factory.mktemp("golden")
    folders = {"atlas": generate(GOLDEN / "atlas", root / "atlas")}
    installed = root / "installed" / "atlas"
    (installed / "schema").mkdir(parents=True)
    (installed / "__init__.py").touch()
    shutil.copy(folders["atlas"] / "schema.json", installed / "schema")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(installed.parent))
        yield {**folders, "harbor": generate(GOLDEN / "harbor", root / "harbor")}


def read_files(folder: Path) -> dict[str, str]:
    """Return the files below a folder, without byte code and the JSON IR.

    `tests/schema/pass` and `generated/schema.json` have its form.
    """
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(paths)
        if path.suffix not in (".pyc", ".json")
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_output_is_what_is_checked_in(package: str, generated: dict[str, Path]) -> None:
    made = read_files(generated[package])
    expected = GOLDEN / package / "generated"
    if UPDATE:
        shutil.rmtree(expected, ignore_errors=True)
        ignored = shutil.ignore_patterns("schema.json")
        shutil.copytree(generated[package], expected, ignore=ignored)
    checked_in = read_files(expected)
    assert sorted(made) == sorted(checked_in)
    for name, text in made.items():
        assert text == checked_in[name], name


@pytest.mark.parametrize("package", PACKAGES)
def test_the_json_ir_holds_everything(package: str, generated: dict[str, Path]) -> None:
    data = (generated[package] / "schema.json").read_bytes()
    assert codec.encode(codec.decode(data)) == data


@pytest.fixture(scope="module")
def atlas(generated: dict[str, Path]) -> Schema:
    return codec.load(generated["atlas"] / "schema.json")


def test_every_kind_of_type_is_a_field(atlas: Schema) -> None:
    declared = (field for one in atlas.types() for field in one.members)
    kinds = {nested.kind for field in declared for nested in field.type.walk()}
    assert kinds == {*get_args(TypeKind)} - {"None"}


def test_every_option_is_used(atlas: Schema) -> None:
    given = [one.options for one in atlas.types()]
    defaults = Options()
    names = {field.name for field in fields(Options)}
    assert {
        name for name in names for one in given if getattr(one, name) != getattr(defaults, name)
    } == names
    kinds = get_args(get_type_hints(Options)["structural"])
    assert {one.structural for one in given} == {None, *get_args(kinds[0])}


def test_every_property_of_a_field_is_used(atlas: Schema) -> None:
    declared = [field for one in atlas.types() for field in one.members]
    used = _used(declared, Field(name="", type=declared[0].type))
    assert used >= {"doc", "default", "kw_only", "init", "structural", "repr"}
    assert used >= {"access", "cpp_name", "cpp_type", "mutable"}
    assert {field.structural for field in declared} == {None, "ignore", "def", "def_pattern"}


def test_every_part_of_a_namespace_is_used(atlas: Schema) -> None:
    used = _used(atlas.namespaces, Namespace(name="", file="", source=""))
    assert used >= {"doc", "enums", "types", "functions"}
    types = [one for space in atlas.namespaces for one in space.types]
    assert any(one.restated for one in types)
    assert any(one.methods for one in types)
    assert any(one.layout.padded for one in types)
    assert any(one.see_also for one in types)


def _used(models: Iterable[Field | Namespace], plain: Field | Namespace) -> set[str]:
    """Return the attributes that some model has set to something else than the default."""
    return {
        field.name
        for field in fields(plain)
        if any(getattr(model, field.name) != getattr(plain, field.name) for model in models)
    }
