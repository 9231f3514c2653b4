"""The command `make coverage`: records of models, and the page that it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._pytree import register_pytree_node
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from .coverage import measurement
from .coverage.case import Case, Inputs, exported, image_case
from .coverage.measurement import compare, measured
from .coverage.page import page
from .coverage.records import added, records
from .coverage.tiny_configs import candidates


class OfOneTensor(nn.Module):
    def __init__(self, function: Callable[[torch.Tensor], object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


def of_function(function: Callable[[torch.Tensor], object]) -> Callable[[str], Case]:
    return lambda _: image_case(OfOneTensor(function), (3, 4))


def test_a_model_that_is_equal() -> None:
    record = measured(lambda _: image_case(nn.Linear(4, 2), (3, 4)), "linear")
    assert (record["state"], record["sizes"], record["kind"]) == ("equal", 2, "vision")
    assert record["share"][0] == record["share"][1] > 0
    assert len(record["times"]) == 2 and min(record["times"]) > 0


def test_a_program_of_one_size_is_compared_once() -> None:
    case = image_case(nn.Linear(4, 2), (3, 4))._replace(
        export=lambda model, inputs: torch.export.export(model, tuple(inputs.values()))
    )
    record = measured(lambda _: case, "fixed")
    assert (record["state"], record["sizes"]) == ("equal", 1)


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x + self.count


def test_a_program_that_changes_a_buffer_begins_with_the_same_one() -> None:
    record = measured(lambda _: image_case(Counter(), (3, 4)), "counter", "compare")
    assert (record["state"], record["sizes"]) == ("equal", 2), record


class Box:
    def __init__(self, inner: torch.Tensor) -> None:
        self.inner = inner


def test_outputs_of_a_class_that_the_export_makes_known_are_compared() -> None:
    def export(model: nn.Module, inputs: Inputs) -> Any:
        register_pytree_node(
            Box,
            lambda box: ([box.inner], None),
            lambda children, _: Box(*children),
            serialized_type_name="tests.torch.Box",
        )
        return exported(model, inputs)

    case = image_case(OfOneTensor(lambda x: Box(x + 1)), (3, 4))._replace(export=export)
    record = measured(lambda _: case, "boxed", "compare")
    assert (record["state"], record["sizes"]) == ("equal", 2)
    assert "times" not in record


@pytest.mark.parametrize(
    ("function", "state"),
    [
        (lambda x: x.relu(), "imported"),
        (lambda x: x + torch.rand(4), "refused"),
        (lambda x: x if x.sum() > 0 else -x, "not exported"),
        (lambda x: x.reshape(7), "not made"),
    ],
)
def test_states(function: Callable[[torch.Tensor], object], state: str) -> None:
    record = measured(of_function(function), "one", until="import")
    assert record["state"] == state
    if state == "refused":
        assert record["reasons"] == [["rand", "random numbers"]]


def of_equal_scores(x: torch.Tensor) -> torch.Tensor:
    return x.gather(1, (x * 0).topk(1, 1)[1])


def test_a_choice_between_equal_scores_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(of_function(of_equal_scores), "ties", "compare")["state"] == "equal"
    monkeypatch.setattr(measurement, "as_torch_function", lambda _: lambda x: x[:, -1:])
    assert measured(of_function(of_equal_scores), "ties", "compare")["state"] == "undetermined"
    record = measured(of_function(lambda x: x.topk(1, 1)[0]), "greatest", "compare")
    assert record["state"] == "wrong"


def test_differences_are_relative_to_the_greatest_element() -> None:
    wanted = torch.tensor([1e3, 1.0, float("nan")])
    compare([wanted + 0.5], [wanted])
    with pytest.raises(AssertionError, match="close"):
        compare([wanted + 3], [wanted])


def test_the_last_record_counts(tmp_path: Path) -> None:
    path = tmp_path / "new" / "records"
    assert records(path) == {}
    for state in ("imported", "equal"):
        added({"suite": "timm", "name": "a", "state": state}, path)
    assert records(path)["timm", "a"]["state"] == "equal"


def test_the_page() -> None:
    found = {
        ("timm", "a"): {"state": "equal", "kind": "vision", "times": [4, 2], "share": [9, 10]},
        ("timm", "b"): {"state": "refused", "kind": "vision", "reasons": [["rand", "a | b"]]},
        ("timm", "c"): {"state": "imported", "kind": "vision"},
        ("timm", "d"): {"state": "not made", "error": "RuntimeError"},
        ("timm", "e"): {"state": "not exported", "kind": "vision"},
    }
    text = page(found, {"timm": 9}, "The versions are 1.")
    assert "5 of the 9 models have been tried so far. The versions are 1." in text
    assert "| timm | 9 | 4 | 3 | 2 | 1 | 0 | 50 % |" in text
    assert "| 1 | `rand` | a \\| b |" in text
    assert "takes 2.00 times as long" in text and "takes 90.0 % of the nodes" in text
    assert "Refused: `b`." in text and "Not exported by PyTorch: `e`." in text


@pytest.mark.parametrize(("name", "heads"), [("deepseek_v2", 4), ("mistral", 2)])
def test_only_latent_attention_keeps_as_many_heads_of_keys_as_of_queries(
    name: str, heads: int
) -> None:
    config = next(candidates(CONFIG_MAPPING[name]))
    assert (config.num_attention_heads, config.num_key_value_heads) == (4, heads)


def test_all_keys_are_chosen_where_scores_may_be_equal() -> None:
    config = next(candidates(CONFIG_MAPPING["deepseek_v32"]))
    assert config.index_topk == CONFIG_MAPPING["deepseek_v32"]().index_topk > 100
    assert config.num_experts_per_tok == 2


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("bamba", {"full_attention", "linear_attention"}),
        ("jamba", {"full_attention", "linear_attention"}),
        ("kimi_linear", {"full_attention", "linear_attention"}),
        ("gemma3_text", {"full_attention", "sliding_attention"}),
    ],
)
def test_each_kind_of_layer_is_there(name: str, kinds: set[str]) -> None:
    config = next(candidates(CONFIG_MAPPING[name]))
    assert set(config.layer_types) == kinds
    assert len(config.layer_types) == config.num_hidden_layers == 2


def test_inner_configurations_keep_what_the_outer_one_says() -> None:
    wanted = CONFIG_MAPPING["rt_detr"]().backbone_config.out_features
    config = next(candidates(CONFIG_MAPPING["rt_detr"]))
    assert config.backbone_config.out_features == wanted == ["stage2", "stage3", "stage4"]


@pytest.mark.parametrize(("name", "experts"), [("dots1", 4), ("dots3_note_text", 4)])
def test_experts_are_few(name: str, experts: int) -> None:
    assert next(candidates(CONFIG_MAPPING[name])).n_routed_experts == experts
