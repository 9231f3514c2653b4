"""`tschema new`: a project that builds; that it does is tested with README's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.cli.main import main
from tschema.cli.outcome import DONE, WRONG_INPUT
from tschema.pipeline import new_project as new


def test_what_is_made_can_be_generated_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "toy"]) == DONE
    monkeypatch.chdir(tmp_path / "toy")
    assert main(["gen", "--lang", "cpp,python"]) == DONE
    assert (tmp_path / "toy" / "generated" / "python" / "toy_nodes" / "shape.py").is_file()


def test_without_the_crates_there_is_no_rust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new, "_crates", lambda _root: {})
    assert main(["new", str(tmp_path / "toy")]) == DONE
    assert not list((tmp_path / "toy").glob("*.rs"))
    assert "rust" not in (tmp_path / "toy" / "tschema.toml").read_text()


@pytest.mark.parametrize("has_uir", [True, False])
def test_tests_use_the_assertions_of_uir_if_it_is_installed(
    has_uir: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new, "_has_uir", lambda: has_uir)
    assert main(["new", str(tmp_path / "toy")]) == DONE
    text = (tmp_path / "toy/tests/test_shape.py").read_text()
    assert ("from uir.testing import assert_structural_equal" in text) == has_uir
    assert ("    assert structural_equal(load_json" in text) == (not has_uir)
    compile(text, "test_shape.py", "exec")


@pytest.mark.parametrize("name", ["Toy", "to-y", "1toy", "_toy", "class", "namespace", "tschema"])
def test_a_name_that_no_package_can_have_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / name)]) == WRONG_INPUT
    assert f"`{name}` is not a valid package name" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


def test_a_folder_with_something_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "mine.txt").write_text("mine")
    assert main(["new", str(tmp_path / "toy")]) == WRONG_INPUT
    assert "is not an empty folder" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "toy").iterdir()] == ["mine.txt"]
