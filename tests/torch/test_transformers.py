"""Models of transformers, from configurations and with random weights: all outputs equal eager.

One library of each model runs two sizes of batch and sequence, or of batch and image; the arguments
are the default ones: two-dimensional masks, and caches as outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch
import transformers
from torch.utils._pytree import tree_leaves
from transformers.exporters.exporter_dynamo import register_cache_pytrees_for_model

from uir.frontend.torch import as_torch_function, from_exported_program

Inputs = dict[str, torch.Tensor]

TEXT = {
    "vocab_size": 99,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
BIDIRECTIONAL = TEXT | {"max_position_embeddings": 64}
# No token of the inputs is among those that a configuration gives a meaning by default.
CAUSAL = BIDIRECTIONAL | {"bos_token_id": 97, "eos_token_id": 98, "pad_token_id": None}
GROUPED = CAUSAL | {"num_key_value_heads": 2}
VISION = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "image_size": 32,
    "patch_size": 8,
}
RESNET = {
    "model_type": "resnet",
    "embedding_size": 8,
    "hidden_sizes": [8, 16],
    "depths": [1, 1],
    "out_features": ["stage2"],
}
ENCODER_DECODER = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
}


class Case(NamedTuple):
    """A class of models, its configuration, and what makes inputs of a size."""

    model: str
    config: dict[str, Any]
    inputs: Callable[[int, int], Inputs]


def tokens(batch: int, length: int) -> torch.Tensor:
    return torch.randint(4, 96, (batch, length))


def text(batch: int, length: int) -> Inputs:
    """Return sentences, the first of which is shorter and padded at its end."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, length // 2 :] = 0
    return {"input_ids": tokens(batch, length), "attention_mask": mask}


def padded_before(batch: int, length: int) -> Inputs:
    """Return sentences, the first of which is shorter and padded at its start, as to generate."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, : length // 2] = 0
    return {"input_ids": tokens(batch, length), "attention_mask": mask}


def translated(batch: int, length: int) -> Inputs:
    return text(batch, length) | {"decoder_input_ids": tokens(batch, length - 2)}


def image(batch: int, length: int) -> Inputs:
    return {"pixel_values": torch.randn(batch, 3, 32, 32)}


def images_of_any_size(batch: int, length: int) -> Inputs:
    return {"pixel_values": torch.randn(batch, 3, 48 + length, 40)}


def captioned(batch: int, length: int) -> Inputs:
    return text(batch, length) | image(batch, length)


def speech(batch: int, length: int) -> Inputs:
    features = torch.randn(batch, 16, 40)
    return {"input_features": features, "decoder_input_ids": tokens(batch, length)}


CASES = {
    "bert": Case("BertModel", BIDIRECTIONAL, text),
    "clip": Case(
        "CLIPModel",
        {
            "text_config": BIDIRECTIONAL | {"projection_dim": 16, "eos_token_id": 98},
            "vision_config": VISION | {"projection_dim": 16},
            "projection_dim": 16,
        },
        captioned,
    ),
    "convnext": Case(
        "ConvNextForImageClassification",
        {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 2, 1]},
        images_of_any_size,
    ),
    "detr": Case(
        "DetrForObjectDetection",
        ENCODER_DECODER
        | {
            "use_timm_backbone": False,
            "backbone": None,
            "num_queries": 5,
            "backbone_config": RESNET,
        },
        images_of_any_size,
    ),
    "distilbert": Case(
        "DistilBertModel",
        {"vocab_size": 99, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64},
        text,
    ),
    "gemma": Case("GemmaForCausalLM", GROUPED | {"head_dim": 8}, padded_before),
    "gpt2": Case(
        "GPT2LMHeadModel",
        {"vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
        | {"bos_token_id": 97, "eos_token_id": 98},
        padded_before,
    ),
    "llama": Case("LlamaForCausalLM", GROUPED, padded_before),
    "mistral": Case("MistralForCausalLM", GROUPED | {"sliding_window": 6}, padded_before),
    "opt": Case(
        "OPTForCausalLM",
        {name: value for name, value in CAUSAL.items() if name != "intermediate_size"}
        | {"ffn_dim": 64, "word_embed_proj_dim": 32, "pad_token_id": 1},
        padded_before,
    ),
    "phi": Case("PhiForCausalLM", CAUSAL, padded_before),
    "qwen2": Case("Qwen2ForCausalLM", GROUPED, padded_before),
    "roberta": Case("RobertaModel", BIDIRECTIONAL, text),
    "swin": Case(
        "SwinForImageClassification",
        {
            "image_size": 32,
            "embed_dim": 16,
            "depths": [2, 2],
            "num_heads": [2, 4],
            "window_size": 4,
        },
        image,
    ),
    "t5": Case(
        "T5ForConditionalGeneration",
        {"vocab_size": 99, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4},
        translated,
    ),
    "vit": Case("ViTForImageClassification", VISION, image),
    "whisper": Case(
        "WhisperForConditionalGeneration",
        ENCODER_DECODER
        | {"vocab_size": 99, "num_mel_bins": 16, "max_source_positions": 20}
        | {"max_target_positions": 32, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
        | {"decoder_start_token_id": 3, "begin_suppress_tokens": None, "suppress_tokens": None},
        speech,
    ),
}


def made(case: Case) -> torch.nn.Module:
    """Return a model whose weights are so large that masks, places and biases count."""
    torch.manual_seed(0)
    model_class = getattr(transformers, case.model)
    model = model_class(model_class.config_class(**case.config)).eval()
    register_cache_pytrees_for_model(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def dynamic(case: Case, name: str, tensor: torch.Tensor) -> dict[int, Any]:
    """Return the dimensions that vary."""
    axes = [0]
    if not tensor.is_floating_point():
        axes.append(1)
    elif case.inputs is images_of_any_size:
        axes += [2, 3]
    return dict.fromkeys(axes, torch.export.Dim.DYNAMIC)


def tensors_of(outputs: Any) -> list[torch.Tensor]:
    """Return the tensors of outputs; caches that slide also count tokens."""
    return [one for one in tree_leaves(outputs) if isinstance(one, torch.Tensor)]


@pytest.mark.parametrize("name", CASES)
def test_a_model(name: str) -> None:
    case = CASES[name]
    model, given = made(case), case.inputs(3, 8)
    shapes = {key: dynamic(case, key, tensor) for key, tensor in given.items()}
    program = torch.export.export(model, (), given, dynamic_shapes=shapes)
    module = from_exported_program(program)
    names = list(module["main"].attrs["input_names"])
    function = as_torch_function(module)
    for inputs in (given, case.inputs(2, 13)):
        with torch.no_grad():
            expected = model(**inputs)
        result = function(*(inputs[key] for key in names))
        assert type(result) is type(expected) and result.keys() == expected.keys()
        found, wanted = (tensors_of(one) for one in (result, expected))
        assert [one.dtype for one in found] == [one.dtype for one in wanted]
        for one, other in zip(found, wanted, strict=True):
            assert other.isfinite().all()
            scale = other.abs().max().item()
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5 * scale)


def test_a_token_behind_a_cache() -> None:
    model, varies = made(CASES["llama"]), torch.export.Dim.DYNAMIC

    def step(batch: int, past: int) -> dict[str, Any]:
        cache = transformers.DynamicCache()
        for layer in range(2):
            cache.update(*torch.randn(2, batch, 2, past, 8), layer)
        mask = torch.ones(batch, past + 1, dtype=torch.int64)
        return {"input_ids": tokens(batch, 1), "attention_mask": mask, "cache": cache}

    shapes = {"input_ids": {0: varies}, "attention_mask": {0: varies, 1: varies}}
    shapes["cache"] = [{0: varies, 2: varies}] * 4
    program = torch.export.export(model, (), step(2, 6), dynamic_shapes=shapes)
    function = as_torch_function(from_exported_program(program))
    for inputs in (step(2, 6), step(3, 9)):
        result = function(*tree_leaves(inputs))
        assert result.past_key_values.get_seq_length() == inputs["attention_mask"].shape[1]
        results = tensors_of(result)
        with torch.no_grad():
            wanted = tensors_of(model(**inputs))
        assert results[-1].shape[2] == inputs["attention_mask"].shape[1]
        for one, other in zip(results, wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


def test_padding_counts() -> None:
    # What the masks of the cases hide would change the outputs.
    for name in ("bert", "llama", "t5"):
        model, inputs = made(CASES[name]), CASES[name].inputs(3, 8)
        with torch.no_grad():
            first = tree_leaves(model(**inputs))[0]
            inputs["attention_mask"] = torch.ones_like(inputs["attention_mask"])
            other = tree_leaves(model(**inputs))[0]
        assert (first - other).abs().max() > 0.01
