"""`uir quantize`: the models and the reports that it writes, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from uir.commands import main

from ..quantization.networks import perceptron, reference, rows


@pytest.fixture
def model(tmp_path: Path) -> Path:
    onnx.save(perceptron(), tmp_path / "model.onnx")
    np.savez(tmp_path / "data.npz", x=rows())
    return tmp_path / "model.onnx"


def test_a_model_becomes_one_of_8_bits(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, page, data = (model.with_name(name) for name in ("q.onnx", "q.html", "data.npz"))
    command = ["quantize", str(model), "-o", str(output), "--calibrate", str(data)]
    assert main([*command, "--keep", "up", "--report", str(page), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["quantized"], one["reason"]) for one in found["layers"]] == [
        ("up", False, "kept"),
        ("down", True, ""),
    ]
    x = {"x": rows()}
    (exact,), (result,) = reference(perceptron(), x), reference(onnx.load(output), x)
    relative = np.linalg.norm(result - exact) / np.linalg.norm(exact)
    (described,) = found["outputs"]
    assert described["in_model"]["relative_error"] == pytest.approx(relative, rel=0.02)
    text = page.read_text()
    assert text.count("<circle") == 3 and "Gemm down: " in text and "<td>float32: kept</td>" in text


def test_a_summary_counts_quantized_products(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, data = model.with_name("q.onnx"), model.with_name("data.npz")
    quantize = ["quantize", str(model), "-o", str(output), "--calibrate", str(data)]
    assert main([*quantize, "--max-error", "10"]) == 0
    capsys.readouterr()
    command = ["compile", str(output), "-o", str(output.with_suffix(".so"))]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["quantized_products"] == {"in 8 bits": 2}
    assert main(command) == 0
    assert "quantized products  2 in 8 bits\n" in capsys.readouterr().out


def test_a_table_has_the_errors_of_weights(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["quantize", str(model), "-o", str(model.with_name("w.onnx")), "--weights", "int4"]
    assert main([*command, "--block", "16"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["layer", "operator", "alone", "cosine"]
    assert [line.split()[:2] for line in lines[1:3]] == [["up", "MatMul"], ["down", "Gemm"]]
    assert lines[-1] == (
        "int4 weights in blocks of 16, nearest: 2 of 2 layers quantized, errors of the weights"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "give --calibrate FILE.npz, or --weights int4"),
        ("--weights int4 --method percentile", "--method percentile is for models without"),
        ("--calibrate data.npz --method gptq", "--method gptq is for models with --weights"),
        ("--calibrate data.npz --block 32", "--block is for models with --weights"),
        ("--weights int8 --activations int8", "--activations is for models without --weights"),
        ("--calibrate data.npz --percentile 9", "--percentile needs --method percentile"),
        ("--calibrate none.npz", "none.npz"),
        ("--calibrate model.onnx", "`model.onnx`: "),
        ("--calibrate one.npy", "`one.npy`: expected a file .npz, with the inputs by name"),
        ("--calibrate nan.npz", "`x` has NaN or infinity in call 0"),
        ("--calibrate narrow.npz", "`x` must have shape (n, 40), also with an axis of calls "),
        ("--calibrate other.npz", "the model has no input `y`; it has `x`"),
        ("--weights int4 --keep dwn", "there is no layer `dwn`; there are `up`, `down`; did you"),
    ],
)
def test_mistakes_end_with_status_1_and_write_nothing(
    arguments: str,
    message: str,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(model.parent)
    np.save("one.npy", rows())
    np.savez("nan.npz", x=rows() * np.float32(np.nan))
    np.savez("narrow.npz", x=rows()[:, :39])
    np.savez("other.npz", y=rows())
    assert main(["quantize", "model.onnx", "-o", "q.onnx", *arguments.split()]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("error: ") and message in said.err and said.out == ""
    assert not Path("q.onnx").exists()


def test_a_missing_package_says_how_to_install_it(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [one for one in sys.modules if one.startswith("uir.quantization")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnx", None)
    command = ["quantize", str(model), "-o", str(model.with_name("q.onnx")), "--weights", "int4"]
    assert main(command) == 1
    assert capsys.readouterr().err == (
        "error: models of ONNX need the package `onnx`: install `uir[onnx]`\n"
    )
