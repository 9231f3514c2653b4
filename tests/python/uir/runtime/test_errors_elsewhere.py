"""Errors that came through C++ pickle, copy, and reach the process that waits for a worker."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from tvm_ffi import Array

from uir import ir, script, tir

from ...support.process import run_new_python

WRONG: dict[str, Callable[[], object]] = {
    "ValueError": lambda: ir.IntImm("int8", 1000),
    "TypeError": lambda: tir.Add(tir.Var("x", "int32"), tir.Var("y", "int64")),
    "ScriptError": lambda: script.parse("nonsense ("),
    "IndexError": lambda: Array([1])[5],
}

WORKERS = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from uir import ir, script

def fail(kind):
    if kind == "ValueError":
        ir.IntImm("int8", 1000)
    script.parse("nonsense (")

with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
    for kind in ("ValueError", "ScriptError"):
        try:
            pool.submit(fail, kind).result(10)
        except Exception as error:
            print(type(error).__name__ == kind, "1000" in str(error) or "1:11" in str(error))
"""


@pytest.mark.parametrize("kind", WRONG)
def test_an_error_is_copied_with_its_class_and_message(kind: str) -> None:
    with pytest.raises(Exception) as caught:
        WRONG[kind]()
    error = caught.value
    assert type(error).__name__ == kind
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)


def test_an_error_of_a_worker_arrives() -> None:
    assert run_new_python(WORKERS) == "True True\nTrue True\n"
