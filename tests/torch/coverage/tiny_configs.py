"""Configurations of transformers, shrunk: two narrow layers and a small vocabulary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["VOCABULARY", "candidates"]

VOCABULARY = 99
LAYERS, WIDTH, INNER, HEADS, HEAD, EXPERTS, IMAGE, PATCH = 2, 32, 64, 4, 8, 4, 32, 8

# The first pattern that matches a whole name gives the number in place of the default.
NUMBERS: tuple[tuple[str, Callable[[int], int]], ...] = (
    (r".*vocab_size", lambda old: min(old, VOCABULARY)),
    (r".*(num_key_value_heads|n_head_kv|num_kv_heads)", lambda old: min(old, 2)),
    (r"(qk_|v_|nope_|rope_)?.*head_dim|d_kv|d_head|.*_head_dim", lambda old: min(old, HEAD)),
    (r".*lora_rank", lambda old: min(old, 16)),
    (r"(num|n)_(local|routed)?_?experts", lambda old: min(old, EXPERTS)),
    # Keys whose scores are 0 are equal, and PyTorch chooses any of them: all keys are chosen.
    (r"index_topk", lambda old: old),
    (r".*(experts_per_tok|top_?k)", lambda old: min(old, 2)),
    (r"(n|num)_group|topk_group", lambda _: 1),
    (r".*(num|n)_?(attention_|self_attention_)?heads?|.*attention_heads", lambda _: HEADS),
    (r".*(layers|n_layer|num_blocks|depth)", lambda old: min(old, LAYERS)),
    (r".*(intermediate_size|ffn_dim|d_ff|n_inner|ffn_hidden_size|mlp_dim)", lambda _: INNER),
    (r".*(hidden_size|d_model|n_embd|embed_dim|projection_dim|hidden_dim)", lambda _: WIDTH),
    (r"dim|d_embed|embedding_size|word_embed_proj_dim|.*proj_dim", lambda _: WIDTH),
    (r"image_size", lambda _: IMAGE),
    (r"patch_size", lambda old: PATCH if old > PATCH else old),
    (r".*_token_(id|index)", lambda old: old if old < VOCABULARY else VOCABULARY - 1),
    (r"(attn|expert)_layer_offset", lambda old: min(old, LAYERS - 1)),
    (r"num_queries|two_stage_num_proposals", lambda old: min(old, 16)),
)
# Attributes that are None by default, though a model needs them: layers that attend, and experts.
MISSING: dict[str, Any] = {
    "attn_layer_indices": [LAYERS - 1],
    "n_routed_experts": EXPERTS,
    "n_shared_experts": 1,
    "num_experts_per_tok": 2,
}
# How many frequencies of a rotary embedding belong to time, height and width.
SECTIONS = "mrope_section"
# The changes that keep a model's own proportions.
FEW = tuple(NUMBERS[place] for place in (0, 4, 5, 6, 7, 9, 15, 17))


def candidates(config_class: Any) -> Iterator[Any]:
    """Yield configurations of a class, the smallest one first.

    The second one keeps the default widths, and the third changes the default one in place, as
    classes whose constructors check lists of layers need it.
    """
    for rules in (NUMBERS, FEW):
        try:
            yield config_class(**changes(config_class(), rules))
        except Exception:  # Configurations check themselves, each in its own way.
            continue
    config = config_class()
    for name, value in changes(config, NUMBERS).items():
        with suppress(Exception):  # It may follow from other attributes, or be checked alone.
            setattr(config, name, value)
    yield config


def changes(config: Any, rules: Any) -> dict[str, Any]:
    """Return the attributes of a configuration that become smaller."""
    found: dict[str, Any] = {}
    for name, value in given(config).items():
        if hasattr(value, "to_dict") and hasattr(value, "model_type"):
            found[name] = inner(value, rules)
        elif isinstance(value, int) and not isinstance(value, bool) and value > 0:
            found |= changed_number(name, value, rules)
        elif isinstance(value, (list, tuple)) and rules is NUMBERS:
            found |= changed_list(name, list(value))
        elif value is None and name in MISSING:
            found[name] = MISSING[name]
        elif isinstance(value, dict) and "rope_type" in value and rules is NUMBERS:
            found[name] = value | {SECTIONS: [HEAD // 2 - 2, 1, 1]}
    if "kv_lora_rank" in given(config) and "num_attention_heads" in found:
        # Latent attention has as many heads of keys and values.
        found["num_key_value_heads"] = found["num_attention_heads"]
    if "num_hidden_layers" in found:
        found |= kinds_of_layers(config)
    return found


def inner(config: Any, rules: Any) -> Any:
    """Return an inner configuration with changes, or as it is if it does not take them."""
    for some in (rules, FEW):
        try:
            return type(config)(**(unusual(config) | changes(config, some)))
        except Exception:  # As above.
            continue
    return config


def unusual(config: Any) -> dict[str, Any]:
    """Return the attributes of an inner configuration that are not the default ones."""
    default = given(type(config)())
    values = given(config)
    found = {name: values[name] for name in default if values.get(name) != default[name]}
    # The stages that a backbone returns are a property.
    return found | (
        {"out_features": config.out_features} if hasattr(config, "out_features") else {}
    )


def kinds_of_layers(config: Any) -> dict[str, Any]:
    """Return how many layers there are, and the kind of each: all kinds are there."""
    lists = {
        name: value
        for name, value in given(config).items()
        if re.fullmatch(r"layers?(_block)?_types?|mlp_layer_types", name)
        and isinstance(value, list)
        and len(value) == config.num_hidden_layers
    }
    count = max([LAYERS, *(len(set(kinds)) for kinds in lists.values())])
    found: dict[str, Any] = {"num_hidden_layers": min(count, config.num_hidden_layers)}
    for name, kinds in lists.items():
        distinct = list(dict.fromkeys(kinds))
        found[name] = (distinct + kinds[len(kinds) - count :])[: found["num_hidden_layers"]]
    return found


def given(config: Any) -> dict[str, Any]:
    """Return the attributes that a configuration is made of, without those that follow from them.

    A class that is no dataclass does not tell them apart.
    """
    values: dict[str, Any] = vars(config)
    if not is_dataclass(config):
        return values
    return {one.name: values[one.name] for one in fields(config) if one.name in values}


def changed_number(name: str, value: int, rules: Any) -> dict[str, int]:
    """Return the new value of an attribute, if a rule changes it."""
    for pattern, change in rules:
        if re.fullmatch(pattern, name):
            return {name: change(value)} if change(value) != value else {}
    return {}


def changed_list(name: str, values: list[Any]) -> dict[str, Any]:
    """Return new depths or widths of stages."""
    if not values or not all(isinstance(one, int) and one > 0 for one in values):
        return {}
    if re.fullmatch(r"depths?|.*layers|num_blocks|encoder_depths", name):
        return {name: [min(one, 2 if place == 2 else 1) for place, one in enumerate(values)]}
    if re.fullmatch(r".*(hidden_sizes|embed_dims?|block_dims|num_channels|widths|channels)", name):
        return {name: [one * 16 // min(values) for one in values]}
    return {}
