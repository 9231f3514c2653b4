"""Damaged models of ONNX: each is imported and lowered, or refused in the documented way.

In: seeds.  Out: a line for each seed, `SEED OUTCOME`, and the text of what must not happen.
`python -m tests.python.uir.frontend.onnx_mutants FIRST END KIND` checks a range of seeds; `bases`
are the models of `onnx_bases`, `suite` those of ONNX's own tests, `microsoft` calls of operators of
onnxruntime.  A line begins before its mutant is tried, so that the last line names a mutant that
ends the process.
"""

from __future__ import annotations

import resource
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from onnx import numpy_helper

import uir
from uir.frontend.errors import InternalError, UnsupportedModelError
from uir.frontend.onnx import from_onnx

from .microsoft_attention_cases import ATTENTION
from .microsoft_cases import CALLS
from .onnx_bases import bases
from .onnx_suite import cases, model_of

Models = Mapping[str, onnx.ModelProto]

INTEGERS = [
    0,
    1,
    -1,
    2,
    3,
    5,
    -2,
    7,
    16,
    100,
    -100,
    2**31 - 1,
    -(2**31),
    2**40,
    2**63 - 1,
    -(2**63),
]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e30, -1e30, 1e-40, float("inf"), -float("inf"), float("nan")]
TEXTS = [
    "",
    "x",
    "y",
    "none",
    "?",
    "a b",
    "SAME_LOWER",
    "VALID",
    "NOTSET",
    "linear",
    "cubic",
    "\x7f",
    "é",
]

SECONDS = 20
"""How long a mutant may take; those that are slow take a second."""
MEMORY = 6 << 30
"""How many bytes of addresses a process may have beyond its own."""


def nested(message: Message) -> Iterator[Message]:
    """Yield a message and those in it."""
    yield message
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for one in value if is_repeated(field) else [value]:
                yield from nested(one)


def is_repeated(field: Any) -> bool:
    return bool(field.is_repeated)


def names_of(model: onnx.ModelProto) -> list[str]:
    """Return the names of values and operators."""
    nodes = [one for one in nested(model) if isinstance(one, onnx.NodeProto)]
    found = {name for node in nodes for name in (*node.input, *node.output, node.op_type)}
    return sorted(found - {""})


def scalar(random: Random, field: Any, before: Any, names: list[str]) -> Any:
    """Return another value of a field that is no message."""
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return damaged_bytes(random, before or b"")
        return random.choice(names if random.random() < 0.7 else TEXTS)
    if kind in (FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE):
        return random.choice(FLOATS)
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return random.choice([value.number for value in field.enum_type.values])
    number = random.choice([*INTEGERS, (before or 0) + 1, (before or 0) - 1, random.randrange(30)])
    bits = 32 if kind in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32) else 64
    unsigned = kind in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64)
    number %= 1 << bits
    return number if unsigned or number < 1 << (bits - 1) else number - (1 << bits)


def damaged_bytes(random: Random, data: bytes) -> bytes:
    """Return bytes with one changed, or fewer or more of them."""
    choice = random.randrange(4)
    if choice == 0 or not data:
        return data + struct.pack("<q", random.choice(INTEGERS))
    place = random.randrange(len(data))
    if choice == 1:
        return data[:place]
    return data[:place] + bytes([random.choice([0, 1, 127, 128, 255])]) + data[place + 1 :]


def change_repeated(random: Random, message: Message, field: Any, names: list[str]) -> None:
    """Remove, repeat, swap, add or change elements of a field."""
    values = getattr(message, field.name)
    is_message = field.type == FieldDescriptor.TYPE_MESSAGE
    choice, count = random.randrange(5), len(values)
    if choice == 0 and count:
        del values[random.randrange(count)]
    elif choice == 1 and count > 1:
        a, b = random.sample(range(count), 2)
        copies = [
            type(one).FromString(one.SerializeToString()) if is_message else one for one in values
        ]
        copies[a], copies[b] = copies[b], copies[a]
        del values[:]
        values.extend(copies)
    elif choice == 2 and count:
        values.append(values[random.randrange(count)])
    elif choice == 3 or not count:
        values.add() if is_message else values.append(scalar(random, field, None, names))
    elif not is_message:
        place = random.randrange(count)
        values[place] = scalar(random, field, values[place], names)
    else:
        del values[random.randrange(count) :]


def change_field(random: Random, message: Message, names: list[str]) -> None:
    """Change a field of a message, more often one that is set."""
    present = [field for field, _ in message.ListFields()]
    field = random.choice(
        present if present and random.random() < 0.9 else list(message.DESCRIPTOR.fields)
    )
    if is_repeated(field):
        change_repeated(random, message, field, names)
    elif random.random() < 0.1:
        message.ClearField(field.name)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        getattr(message, field.name).SetInParent()
    else:
        before = getattr(message, field.name)
        setattr(message, field.name, scalar(random, field, before, names))


def change_tensor(random: Random, tensor: onnx.TensorProto) -> None:
    """Give a tensor other elements, another shape or data type, with the bytes to it."""
    try:
        array = numpy_helper.to_array(tensor)
    except Exception:
        return
    choice = random.randrange(4)
    if choice == 0:
        array = array.astype(
            random.choice(["float32", "int64", "int32", "bool", "float16", "uint8"])
        )
    elif choice == 1:
        array = array.reshape(random.choice([(1, *array.shape), (-1,), array.shape[::-1]]))
    elif choice == 2:
        array = array.reshape(-1)[: random.randrange(array.size + 1)]
    elif array.size and array.dtype.kind in "if":
        array = array.copy()
        choices = INTEGERS if array.dtype.kind == "i" else FLOATS
        value = random.choice(
            [one for one in choices if abs(one) < 100 or array.dtype.itemsize == 8]
        )
        array.reshape(-1)[random.randrange(array.size)] = value
    tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def mutant(seed: int, models: Models) -> tuple[str, bytes]:
    """Return the name of a base and the bytes of a damaged copy."""
    random = Random(seed)
    name = random.choice(list(models))
    model = onnx.ModelProto()
    model.CopyFrom(models[name])
    names = names_of(model)
    for _ in range(random.choice([1, 1, 1, 2, 2, 4])):
        parts = list(nested(model))
        # A kind of message first: most messages are dimensions and attributes.
        kind = random.choice(sorted({type(one).__name__ for one in parts}))
        part = random.choice([one for one in parts if type(one).__name__ == kind])
        if isinstance(part, onnx.TensorProto) and random.random() < 0.8:
            change_tensor(random, part)
        else:
            change_field(random, part, names)
    data = model.SerializeToString()
    return name, damaged_bytes(random, data) if random.random() < 0.03 else data


def fault(data: bytes) -> str:
    """Import and lower a model; return its outcome, or `FAULT` and what it is."""
    try:
        module = from_onnx(data)
    except InternalError as error:
        return f"FAULT {error}"
    except UnsupportedModelError as error:
        text = str(error)
        named = all(one.node and one.operator and one.reason for one in error.nodes)
        return "unsupported" if text.startswith("from_onnx: ") and named else f"FAULT {text}"
    except ValueError as error:
        return "refused" if str(error).startswith("from_onnx: ") else f"FAULT {error!r}"
    except Exception as error:
        return f"FAULT import: {error!r}"
    try:
        uir.lower(module)
    except Exception as error:
        return f"FAULT lower: {error!r}"
    return "lowered"


def main(first: int, end: int, models: Models) -> None:
    """Check the mutants of seeds, and print a line about each."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    warnings.simplefilter("ignore")  # A cast of NaN is fine.
    for seed in range(first, end):
        print(seed, end=" ", flush=True)
        signal.alarm(SECONDS)
        name, data = mutant(seed, models)
        print(name, fault(data).replace("\n", " | "), flush=True)
        signal.alarm(0)


def suite_models() -> Models:
    """Return the models of ONNX's tests, each also with inputs but the first one as constants."""
    models = {}
    for case in cases("node"):
        models[case.name] = model = model_of(case)
        if case.data_sets is not None:
            models[f"{case.name}+known"] = with_known(model, case.data_sets[0][0])
    return models


def with_known(model: onnx.ModelProto, values: Sequence[Any]) -> onnx.ModelProto:
    """Return a model whose inputs but the first one are initializers, if they are tensors."""
    known = onnx.ModelProto()
    known.CopyFrom(model)
    for info, value in list(zip(model.graph.input, values, strict=False))[1:]:
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            known.graph.initializer.append(numpy_helper.from_array(value, info.name))
        elif isinstance(value, onnx.TensorProto):
            known.graph.initializer.append(value)
            known.graph.initializer[-1].name = info.name
    return known


def microsoft_models() -> Models:
    """Return the models of one call of an operator of onnxruntime, which no checker knows."""
    return {one.name: one.model for one in (*CALLS, *ATTENTION)}


KINDS: dict[str, Callable[[], Models]] = {
    "bases": bases,
    "microsoft": microsoft_models,
    "suite": suite_models,
}

if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), KINDS[sys.argv[3]]())
