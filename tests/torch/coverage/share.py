"""How many nodes of the graphs of `torch.compile` the backend `uir` takes."""

from __future__ import annotations

import importlib
from typing import Any

import torch

from uir.frontend.torch.dynamo.backend import boxed, decompositions
from uir.frontend.torch.dynamo.partition import describe_attributes, is_free
from uir.frontend.torch.dynamo.supported_nodes import SupportedNodes

from .case import Case, Inputs

__all__ = ["share_of_nodes"]


def share_of_nodes(case: Case, inputs: Inputs) -> list[int]:
    """Return how many nodes the backend compiles, and how many compute something.

    The graphs run eagerly, so that no C is compiled.
    """
    count = [0, 0]

    def counting(module: Any, _: Any) -> Any:
        describe_attributes(module)
        supported = SupportedNodes(module).nodes
        calls = [node for node in module.graph.nodes if node.op == "call_function"]
        computing = [node for node in calls if not is_free(node)]
        count[0] += sum(node in supported for node in computing)
        count[1] += len(computing)
        return boxed(module)

    common = importlib.import_module("torch._dynamo.backends.common")
    backend = common.aot_autograd(
        fw_compiler=counting, inference_compiler=counting, decompositions=decompositions()
    )
    torch._dynamo.reset()
    case.call(torch.compile(case.model, backend=backend, dynamic=True), inputs)
    return count
