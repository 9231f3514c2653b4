"""Models of transformers under `torch.compile` equal eager at two sizes, and no node is eager."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch
import transformers
from torch import nn

from uir.frontend.torch.dynamo import report

TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
TEXT = {"vocab_size": 99, "bos_token_id": 97, "eos_token_id": 98, "use_cache": False}
GPT2 = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}

Case = tuple[type[nn.Module], Callable[[], object], Callable[[int], torch.Tensor]]


def tokens(length: int) -> torch.Tensor:
    return torch.randint(4, 96, (2, length))


def images(count: int) -> torch.Tensor:
    return torch.randn(count, 3, 32, 32)


MODELS: dict[str, Case] = {
    "bert": (
        transformers.BertModel,
        lambda: transformers.BertConfig(vocab_size=99, **TINY),
        tokens,
    ),
    "gpt2": (transformers.GPT2Model, lambda: transformers.GPT2Config(**TEXT, **GPT2), tokens),
    "llama": (
        transformers.LlamaForCausalLM,
        lambda: transformers.LlamaConfig(**TEXT, **TINY),
        tokens,
    ),
    "vit": (
        transformers.ViTModel,
        lambda: transformers.ViTConfig(image_size=32, patch_size=8, **TINY),
        images,
    ),
    "t5": (
        transformers.T5EncoderModel,
        lambda: transformers.T5Config(vocab_size=99, **T5),
        tokens,
    ),
}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    torch.manual_seed(0)
    torch._dynamo.reset()
    monkeypatch.setattr(report, "WARNED", set())
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("name", MODELS)
@torch.no_grad()
def test_models_equal_eager(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(report.LOGGER, "warning", warned.append)
    model_class, config, inputs = MODELS[name]
    model = model_class(config()).eval()
    compiled = torch.compile(model, backend="uir", dynamic=True)
    for size in (5, 9):
        x = inputs(size)
        torch.testing.assert_close(compiled(x)[0], model(x)[0], rtol=1e-4, atol=1e-5)
    for parameter in model.parameters():
        parameter.data.mul_(1.5)
    torch.testing.assert_close(compiled(x)[0], model(x)[0], rtol=1e-3, atol=1e-4)
    assert not warned
