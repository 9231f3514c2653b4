"""Write `docs/models/differences.md`: `python -m tests.differences`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec

from . import sides
from .case import Case
from .cases import CASES
from .page import PAGE, page, results_on_page

RUNS: dict[str, tuple[str, Callable[[Iterable[Case]], sides.Results]]] = {
    "NumPy": ("numpy", sides.numpy_results),
    "PyTorch": ("torch", sides.torch_results),
    "onnxruntime": ("onnxruntime", sides.onnxruntime_results),
    "reference": ("onnx", sides.onnx_reference_results),
    "relay": ("uir", sides.relay_results),
    "from ONNX": ("onnx", sides.imported_from_onnx),
    "from PyTorch": ("torch", sides.imported_from_torch),
}


def main() -> None:
    """Write the page."""
    old = PAGE.read_text()
    before = results_on_page(old)
    results = {
        side: run(CASES) if find_spec(library) else before[side]
        for side, (library, run) in RUNS.items()
    }
    PAGE.write_text(page(old, results))


if __name__ == "__main__":
    main()
