"""Pages to test: a pipeline of passes, each of which leaves a text that the test chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import uir
from uir import te
from uir.frontend.onnx import from_onnx
from uir.ir import IRModule
from uir.target import Target
from uir.transform import Explorer, Pass, PassContext, Sequential, module_pass

__all__ = ["Texts", "long_texts", "lowered_page", "model_page", "write_page"]


@dataclass
class Texts:
    """Stands in for the printer: the text is what the last pass left."""

    current: str
    clock: Iterator[int] = field(default_factory=lambda: count(0, 1_000_000))

    def leaves(self, name: str, text: str, opt_level: int = 0) -> Pass:
        """Return a pass after which the module has a text."""

        @module_pass(opt_level=opt_level, name=name)
        def run(module: IRModule, _context: PassContext) -> IRModule:
            self.current = text
            # Another object: the explorer prints no object twice.
            return module.clone()

        return run

    def explorer(self, path: Path, title: str = "Passes") -> Explorer:
        """Return the instrument, with a clock that goes a millisecond each time it is read."""
        return Explorer(
            path, title=title, script=lambda _: self.current, clock=lambda: next(self.clock)
        )


def write_page(path: Path, texts: Sequence[tuple[str, str]], title: str = "Passes") -> Path:
    """Write the page of a sequence of passes: a name and a text for each, the input first."""
    stand_in = Texts(texts[0][1])
    passes = [stand_in.leaves(name, text) for name, text in texts[1:]]
    with PassContext(instruments=[stand_in.explorer(path, title)]):
        Sequential(passes, name="pipeline")(IRModule())
    return path


def lowered_page(path: Path) -> Path:
    """Write the page of the default pipeline on a sum of two vectors."""
    x, y = (te.placeholder((64,), name=name) for name in "xy")
    z = te.compute((64,), lambda i: x[i] + y[i], name="z")
    with PassContext(instruments=[Explorer(path)]):
        uir.lower([x, y, z], Target("c", "x86-64-v3"))
    return path


def long_texts(passes: int, lines: int) -> list[tuple[str, str]]:
    """Return a long text, and what passes make of it that change a few dozen lines each."""
    source = Random(5)
    text = [
        f"    B[i, j] = A[i, j + {source.randrange(99)}] * tir.float32({n})" for n in range(lines)
    ]
    texts = [("input", "\n".join(text))]
    for number in range(passes):
        for _ in range(30):
            place = source.randrange(len(text))
            match source.randrange(3):
                case 0:
                    text[place] = text[place].replace("i, j", "i * 64 + j")
                case 1:
                    text[place] = f"    evaluate({number}, {place})"
                case _:
                    text.insert(place, text[source.randrange(len(text))])
                    del text[source.randrange(len(text))]
        texts.append((f"Pass{number}", "\n".join(text)))
    return texts


def model_page(path: Path) -> Path:
    """Write the page of the default pipeline on a model of ONNX with three named nodes."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="activation"),
        helper.make_node("Softmax", ["b"], ["y"], name="scores"),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 8]) for name in "xy")
    weights = numpy_helper.from_array(np.ones((8, 8), "float32"), "w")
    graph = helper.make_graph(nodes, "model", [x], [y], [weights])
    opset = helper.make_opsetid("", 17)
    with PassContext(instruments=[Explorer(path)]):
        uir.lower(
            from_onnx(helper.make_model(graph, opset_imports=[opset])), Target("c", "x86-64-v3")
        )
    return path
