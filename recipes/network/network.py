"""Compile a small network and write it to a file: `python network.py FILE [ISA]`.

FILE ends in `.so`, a library to load or to link with, or in `.o`, an object that becomes part of
another library. ISA says which processors it is for; `x86-64`, the default, is all of this kind.
"""

from __future__ import annotations

import sys

import numpy as np

import uir
from uir import ir, relay, runtime, target, tir


def classifier() -> uir.IRModule:
    """Return a module whose function `predict` gives the probabilities of ten classes."""
    draws = np.random.default_rng(0)
    # In your network these are what was learned.
    weights = draws.standard_normal((64, 32), "float32"), draws.standard_normal((32, 10), "float32")
    body = relay.builder()
    x = body.param("x", relay.Tensor((tir.SizeVar("n"), 64), "float32"))
    hidden = body.emit(relay.relu(x @ relay.Constant(weights[0])))
    scores = body.emit(hidden @ relay.Constant(weights[1]))
    # What has this attribute is a function of the library.
    predict = ir.with_attr(body.make_func(relay.softmax(scores)), "global_symbol", "predict")
    return uir.IRModule({ir.GlobalVar("predict"): predict})


def main(path: str, isa: str = "x86-64") -> None:
    """Write the library."""
    runtime.export_library(uir.build(classifier(), target.Target("c", isa)), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
