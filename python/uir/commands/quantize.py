"""`uir quantize`: from a model of ONNX to one that computes with integers, or has small weights."""

from __future__ import annotations

import argparse
import math
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .json_output import add_json, print_json
from .programs import check_file, import_onnx, positive, whole_file

if TYPE_CHECKING:
    from ..quantization import Quantized

__all__ = ["add_quantize"]

METHODS = ("min-max", "percentile", "nearest", "gptq")
OF_WEIGHTS = METHODS[2:]
BITS = {"int4": 4, "int8": 8}


def add_quantize(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "quantize",
        help="quantize a model of ONNX",
        description="Quantize a model of ONNX, and print the error of each layer. Layers with "
        "large errors stay in float32.",
    )
    parser.add_argument("program", type=Path, help="a model: a file .onnx")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="the quantized model: a file .onnx"
    )
    parser.add_argument(
        "--calibrate",
        type=Path,
        metavar="FILE.npz",
        help="the inputs of calls by name; without --weights, the model computes with 8 bits",
    )
    parser.add_argument(
        "--weights", choices=[*BITS], help="store only the weights of products, in blocks"
    )
    parser.add_argument(
        "--block", type=positive, metavar="N", help="how many weights share a scale; by default 32"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="ranges of calls: min-max (the default) or percentile; weights: nearest (the default) "
        "or gptq, which needs --calibrate",
    )
    parser.add_argument(
        "--percentile",
        type=float,
        metavar="P",
        help="how many percent of the values a range of percentile has; by default 99.99",
    )
    parser.add_argument(
        "--activations",
        choices=["uint8", "int8"],
        help="the type of values between layers; by default uint8",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="NAME",
        help="a layer that stays in float32",
    )
    parser.add_argument(
        "--max-error",
        type=error_bound,
        metavar="E",
        help="the largest relative error of a layer; by default 0.1, for weights 0.3",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE.html", help="write the errors as a page with a picture"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Quantize a model, write it, and print the report."""
    if options.output.suffix != ".onnx":
        raise ValueError(f"`{options.output}`: expected a file .onnx")
    check_options(options)
    with import_onnx():
        from ..quantization import write_page
    model, report = weights_of(options) if options.weights else layers_of(options)
    with whole_file(options.output) as part:
        part.write_bytes(model.SerializeToString())
    if options.report:
        write_page(report, options.report)
    if options.json:
        print_json({**report.to_dict(), "output": str(options.output)})
        return
    print(report)


def check_options(options: argparse.Namespace) -> None:
    """Reject options of the other kind of quantization.

    Raises
    ------
    ValueError
        If there is one, or neither kind is chosen.
    """
    if not options.weights and not options.calibrate:
        raise ValueError("quantize: give --calibrate FILE.npz, or --weights int4")
    is_of_weights = options.method in OF_WEIGHTS
    if options.method and is_of_weights != bool(options.weights):
        raise ValueError(
            f"quantize: --method {options.method} is for models "
            f"{'with' if is_of_weights else 'without'} --weights"
        )
    others = ("activations", "percentile") if options.weights else ("block",)
    for name in others:
        if getattr(options, name) is not None:
            kind = "without" if options.weights else "with"
            raise ValueError(f"quantize: --{name} is for models {kind} --weights")
    if options.percentile is not None and options.method != "percentile":
        raise ValueError("quantize: --percentile needs --method percentile")


def layers_of(options: argparse.Namespace) -> Quantized:
    """Return the model whose layers compute with integers."""
    from ..quantization import quantize

    given = {
        "method": options.method,
        "percent": options.percentile,
        "activations": options.activations,
        "max_error": options.max_error,
    }
    arrays = arrays_of(options.calibrate)
    return quantize(options.program, arrays, keep=options.keep, **stated(given))


def weights_of(options: argparse.Namespace) -> Quantized:
    """Return the model whose weights have a few bits."""
    from ..quantization import quantize_weights

    given = {
        "bits": BITS[options.weights],
        "block": options.block,
        "method": options.method,
        "max_error": options.max_error,
        "arrays": arrays_of(options.calibrate) if options.calibrate else None,
    }
    return quantize_weights(options.program, keep=options.keep, **stated(given))


def stated(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that are given; the others have their defaults."""
    return {name: value for name, value in given.items() if value is not None}


def arrays_of(path: Path) -> dict[str, Any]:
    """Return the arrays of a file .npz, which needs no pickle.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not such a file, or an array has objects.
    """
    import numpy as np

    check_file(path)
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.lib.npyio.NpzFile):
            with found:
                return {name: found[name] for name in found.files}
    except (EOFError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"`{path}`: {error}") from error
    raise ValueError(f"`{path}`: expected a file .npz, with the inputs by name")


def error_bound(text: str) -> float:
    """Return a number from 0 on; `ArgumentTypeError` refuses other texts."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not found >= 0:
        raise argparse.ArgumentTypeError(f"expected a number from 0 on, got `{text}`")
    return found
