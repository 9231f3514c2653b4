"""Options that are fields of a declared class: names, types, defaults and values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config
from tschema.runtime import load_types
from uir.transform import (
    Pass,
    PassContext,
    PassOptions,
    UnrollLoopOptions,
    get_option,
    list_options,
    options_of,
    register_option,
)

from ..support import refuses

PAGE = Path(__file__).resolve().parents[4] / "docs/compiler/passes.md"
ROW = re.compile(r"^\| `(\w+\.\w+)` \| `?([^`|]+)`? \| `?([^`|]+)`? \|", re.MULTILINE)

SCHEMA = '''
"""Options of a package without C++."""

from tschema import declare, ty
from uir.schema.transform.config import PassOptionsNode


@declare
class TileOptionsNode(PassOptionsNode):
    """Options of `Tile`."""

    type_key = "@package@.loops.TileOptions"
    factor: ty.uint8_t = 4
    names: ty.Array[ty.String] = ()
    scale: ty.float64 = 0.5
    label: ty.Optional[ty.String] = None
    limit: ty.int64_t
'''


def loaded(root: Path, package: str) -> Any:
    """Return the class of options of a loaded package."""
    (root / "schema/loops").mkdir(parents=True)
    (root / "schema/loops/tile.py").write_text(SCHEMA.replace("@package@", package))
    config = f'package = "{package}"\nschema = ["schema"]\nimports = ["uir"]\nir = "schema.json"\n'
    (root / "tschema.toml").write_text(config)
    apply(make_plan(Request(load_config(root / "tschema.toml")), lambda _stage: None))
    return load_types(root / "schema.json").loops.TileOptions


def test_the_page_lists_what_is_declared() -> None:
    rows = ROW.findall(PAGE.read_text())
    declared = {name: type_ for name, type_ in list_options().items() if name.count(".") == 1}
    declared = {name: type_ for name, type_ in declared.items() if name[0].isupper()}
    assert {name: type_ for name, type_, _ in rows} == declared
    for name, _, default in rows:
        assert str(get_option(PassContext(), name)).lower() == default


def test_options_are_read_as_their_class() -> None:
    context = PassContext(config={"UnrollLoop.auto_max_step": 3, "UnrollLoop.explicit_unroll": 0})
    options = options_of(context, UnrollLoopOptions)
    assert isinstance(options, UnrollLoopOptions)
    assert (options.auto_max_step, options.auto_max_depth) == (3, 8)
    assert options.explicit_unroll is False
    assert options_of(PassContext(), UnrollLoopOptions).explicit_unroll is True


def test_an_option_that_is_not_set_has_its_declared_default() -> None:
    assert get_option(PassContext(), "UnrollLoop.auto_max_depth") == 8
    assert get_option(PassContext(), "UnrollLoop.auto_max_depth", 5) == 8


def test_unknown_names_and_wrong_types_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no option `UnrollLoop\.max_step`; there are .*`UnrollL"):
        PassContext(config={"UnrollLoop.max_step": 3})
    message = "option `UnrollLoop.auto_max_step` must be of type `int`, got `float`"
    with refuses(TypeError, f"PassContext: {message}"):
        PassContext(config={"UnrollLoop.auto_max_step": 1.5})


def test_a_declared_option_is_not_registered_again() -> None:
    message = r"is registered already, at `uir\.transform\.UnrollLoopOptions`; the second one is at"
    with pytest.raises(ValueError, match=rf"^option `UnrollLoop\.auto_max_step` {message} .*\.py:"):
        register_option("UnrollLoop.auto_max_step", int)


def test_only_concrete_classes_of_options_are_read() -> None:
    for type_ in (Pass, PassOptions):
        with pytest.raises(TypeError, match="is not a type of options, a subclass of"):
            options_of(PassContext(), type_)  # type: ignore[type-var]


def test_a_package_declares_options_without_cpp(tmp_path: Path) -> None:
    tile = loaded(tmp_path, "tiled")
    listed = list_options()
    assert {name: listed[name] for name in listed if name.startswith("tiled.")} == {
        "tiled.Tile.factor": "int",
        "tiled.Tile.names": "Array[String]",
        "tiled.Tile.scale": "float",
        "tiled.Tile.label": "Optional[String]",
        "tiled.Tile.limit": "int",
    }
    config = {"tiled.Tile.names": ["i", "j"], "tiled.Tile.scale": 2, "tiled.Tile.limit": 9}
    options = options_of(PassContext(config=config), tile)
    assert (options.factor, list(options.names), options.scale) == (4, ["i", "j"], 2.0)
    assert (options.label, options.limit) == (None, 9)


def test_what_the_class_refuses_the_context_refuses(tmp_path: Path) -> None:
    tile = loaded(tmp_path, "checked")
    for config, error, message in (
        ({"factor": 256}, ValueError, "256"),
        ({"names": [1]}, TypeError, r"option `checked\.Tile\.names` must be of type `Array"),
        ({"factor": 2}, ValueError, r"option `checked\.Tile\.limit` has no default and must be"),
    ):
        given = {f"checked.Tile.{name}": value for name, value in config.items()}
        if "256" in message:
            given["checked.Tile.limit"] = 1
        with pytest.raises(error, match=message):
            PassContext(config=given)
    with pytest.raises(ValueError, match="has no default and must be set"):
        options_of(PassContext(), tile)
