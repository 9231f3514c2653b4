"""Calls of every operator, in script, JSON, the binary form, pickles and copies and back."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from random import Random

import pytest

import uir
from uir import ir
from uir.transform import VerifyWellFormed

from .operator_cases import DEPTH, NAMES, draw_module

EXAMPLES = 4 * DEPTH
# Operators that script writes as Python does.
INFIX = {
    "add": "+", "bitwise_and": "&", "bitwise_not": "~", "bitwise_or": "|", "bitwise_xor": "^",
    "divide": "/", "equal": "==", "greater": ">", "greater_equal": ">=", "left_shift": "<<",
    "less": "<", "less_equal": "<=", "matmul": "@", "mod": "%", "multiply": "*", "negative": "-",
    "not_equal": "!=", "right_shift": ">>", "subtract": "-",
}  # fmt: skip

FORMS: dict[str, Callable[[ir.IRModule], ir.IRModule]] = {
    "script": lambda module: uir.script.parse(uir.script.print(module)),
    "json": lambda module: ir.load_json(ir.save_json(module)),
    "binary": lambda module: ir.load_binary(ir.save_binary(module)),
    "pickle": lambda module: pickle.loads(pickle.dumps(module)),
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_call_is_equal_after_each_round_trip(name: str) -> None:
    random = Random(name)
    for _ in range(EXAMPLES):
        module = VerifyWellFormed()(draw_module(name, random))
        typed = module.lookup("main").ret_type
        for form, run in FORMS.items():
            back = run(module)
            assert ir.structural_equal(back, module), (form, ir.first_mismatch(back, module))
            assert ir.structural_equal(back.lookup("main").ret_type, typed), form
            assert uir.script.print(back) == uir.script.print(module), form


@pytest.mark.parametrize("name", NAMES)
def test_script_names_the_operator_or_its_sign(name: str) -> None:
    text = uir.script.print(draw_module(name, Random(name)))
    if name in INFIX and "truncated=True" not in text:
        pattern = rf"= (\w+ )?{re.escape(INFIX[name])} ?\w+$"
    else:
        pattern = rf" = relay\.{name}\("
    assert re.search(pattern, text, re.MULTILINE), text
