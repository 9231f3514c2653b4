"""The recipes that put a compiled network into a wheel, a program in C++ and one in Rust."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from uir import relay

from ..support.precompiled import cmake_options
from .conftest import RECIPES, ROOT, Recipe, copy_recipe

REFUSED = "ValueError: predict: dimension 1 of `x` must be 64, got 10"


@pytest.fixture(scope="module")
def network() -> ModuleType:
    spec = spec_from_file_location("network", RECIPES / "network" / "network.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def lines(network: ModuleType) -> list[str]:
    """What the programs in C++ and Rust print, by the interpreter of relay."""
    pixels = (np.arange(128) % 7 / 7).astype("float32").reshape(2, 64)
    digits = relay.evaluate(network.classifier()["predict"], pixels).argmax(1)
    return [*(f"image {i}: digit {digit}" for i, digit in enumerate(digits)), REFUSED]


def more_hidden_numbers(recipe: Recipe, program: str = "network.py") -> None:
    recipe.edit(program, "(64, 32), ", "(64, 48), ")
    recipe.edit(program, "(32, 10), ", "(48, 10), ")


def test_a_wheel_is_built_with_all_that_its_program_imports() -> None:
    """An environment of its own has what `pyproject.toml` requires, and nothing else."""
    settings = (RECIPES / "wheel" / "pyproject.toml").read_text()
    names = re.findall(r'"([^"]+)"', settings.partition("\nrequires = ")[2].partition("\n")[0])
    program = (RECIPES / "network" / "network.py").read_text()
    imports = set(re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE))
    assert imports - set(sys.stdlib_module_names) == {"numpy", "uir"}
    assert "uir[numpy]" in names


def test_a_target_of_cmake(lines: list[str], tmp_path: Path) -> None:
    """It runs where it stands; the wheel, which finds the program in the same way, beside it."""
    recipes = tmp_path / "all recipes"
    shutil.copytree(RECIPES, recipes)
    recipe = Recipe(recipes / "cmake-library", "cmake-library", "network")
    options = [*cmake_options(), f"-DPython_EXECUTABLE={sys.executable}"]
    recipe.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", *options)
    recipe.run("cmake", "--build", "build")
    assert recipe.run("build/main").splitlines() == lines
    assert "no work to do" in recipe.run("cmake", "--build", "build")
    more_hidden_numbers(recipe, "../network/network.py")
    shown = recipe.run("cmake", "--build", "build")
    assert "Generating libnetwork.so" in shown and "Building" not in shown
    assert recipe.run("build/main").splitlines()[2:] == [REFUSED]
    found = [
        (recipes / name / "CMakeLists.txt").read_text().partition("find_file(")[2].partition(")")[0]
        for name in ("cmake-library", "wheel")
    ]
    assert found[0] == found[1]


def test_a_crate(lines: list[str]) -> None:
    """It lies two folders below the checkout, where its `Cargo.toml` finds the crate of tvm-ffi."""
    recipe = copy_recipe("cargo-library", ROOT / "build" / "cargo-library-recipe", "network")
    shutil.copyfile(ROOT / "Cargo.lock", recipe.root / "Cargo.lock")
    cargo = ["cargo", "run", "--offline", "--target-dir", str(ROOT / "build" / "cargo")]
    assert recipe.run(*cargo).splitlines()[-3:] == lines
    assert "Compiling" not in recipe.run(*cargo)
    more_hidden_numbers(recipe)
    shown = recipe.run(*cargo)
    assert "Compiling digits" in shown and shown.splitlines()[-1] == REFUSED


PROGRAM = """
import importlib.util, json, sys
import numpy as np
import digits
pixels = np.load("pixels.npy")
guesses = digits.classify(pixels)
assert all(type(one) is digits.Guess for one in guesses)
print(json.dumps({
    "probabilities": digits.predict(pixels).tolist(),
    "guesses": [[one.digit, one.probability] for one in guesses],
    "certain": [one.certain(0.5) for one in (digits.Guess(3, 0.5), digits.Guess(4, 0.25))],
    "uir": importlib.util.find_spec("uir") is not None,
    "place": digits.__file__,
}))
try:
    digits.classify(pixels[:, :10])
except ValueError as error:
    print(error)
"""


def installed_without_uir(wheel: Path, folder: Path) -> Path:
    """Install a wheel into an environment whose other packages are tvm-ffi, and NumPy."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--disable-pip-version-check", wheel], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in ("tvm_ffi", "apache_tvm_ffi-*", "typing_extensions*", "numpy", "numpy.libs"):
        for path in Path(sysconfig.get_path("purelib")).glob(name):
            (packages / path.name).symlink_to(path)
    return python


@pytest.mark.long
def test_a_wheel_for_every_python(network: ModuleType, tmp_path: Path) -> None:
    """It is built where it stands, beside the recipe of the network."""
    shutil.copytree(RECIPES, tmp_path / "all recipes")
    recipe = Recipe(tmp_path / "all recipes/wheel", "wheel", "network")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    recipe.run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", ".")
    (made,) = (recipe.root / "dist").iterdir()
    recipe.run("auditwheel", "repair", "--exclude", "libtvm_ffi.so", made)
    (wheel,) = (recipe.root / "wheelhouse").iterdir()
    tags = wheel.stem.split("-")[2:]
    assert tags[:2] == ["py3", "none"] and tags[2].startswith("manylinux_")
    python = installed_without_uir(wheel, tmp_path / "environment")

    pixels = np.random.default_rng(1).random((5, 64), "float32")
    np.save(tmp_path / "pixels.npy", pixels)
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found, refused = done.stdout.splitlines()
    shown = json.loads(found)
    expected = relay.evaluate(network.classifier()["predict"], pixels)
    np.testing.assert_allclose(shown["probabilities"], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal([digit for digit, _ in shown["guesses"]], expected.argmax(1))
    np.testing.assert_allclose([p for _, p in shown["guesses"]], expected.max(1), rtol=1e-5)
    assert shown["certain"] == [True, False] and not shown["uir"]
    assert Path(shown["place"]).is_relative_to(tmp_path)
    assert "dimension 1 of `x` must be 64, got 10" in refused
