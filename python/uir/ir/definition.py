"""Definitions in Python files that are parsed as script: their source and enclosing scope.

In: the decorated definition and its frame. Out: the result of `uir.script.parse` on the source,
which is not executed, and on the sources of the macros that it calls.
"""

from __future__ import annotations

import inspect
import linecache
import re
import textwrap
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING

import tvm_ffi

if TYPE_CHECKING:
    from typing import Any

__all__ = ["Macro", "is_in_class", "read_definition"]

_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType)
_BUILTINS = {
    function.__name__: function for function in (sum, divmod, round, int, float, bool, str)
}
_DOTTED_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Macro:
    """A function of Python whose calls in script are replaced by its statements.

    Parameters
    ----------
    function
        The function, which is never executed.

    Raises
    ------
    OSError
        If the source is not available, as for input at a prompt.
    """

    def __init__(self, function: FunctionType) -> None:
        self.name = function.__name__
        self.source = textwrap.dedent("".join(_source_lines(function)))
        self._function = function

    def __call__(self, *_arguments: object, **_options: object) -> None:
        """Refuse a call outside of script.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError(f"the macro `{self.name}` is called in script only")

    def names(self) -> dict[str, Any]:
        """Return the values of the names that the macro does not bind, as far as they exist."""
        known = inspect.getclosurevars(self._function)
        return {**known.globals, **known.nonlocals}

    def text(self, name: str) -> str:
        """Return the source with another name of the macro."""
        head = rf"^def\s+{re.escape(self.name)}\b"
        return re.sub(head, f"def {name}", self.source, count=1, flags=re.MULTILINE)


def is_in_class(function: FunctionType) -> bool:
    """Return whether a function is in the body of a class, which is parsed as a whole."""
    outer = function.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


def read_definition(definition: FunctionType | type, frame: FrameType) -> object:
    """Read the source of a function or a class.

    Parameters
    ----------
    definition
        The decorated function or class.
    frame
        The frame of the decorator, in which free names of the source are looked up.

    Returns
    -------
    value
        The parsed node.

    Raises
    ------
    OSError
        If the source is not available, as for input at a prompt.
    ScriptError
        If the source is malformed.
    """
    if isinstance(definition, FunctionType):
        file, line = definition.__code__.co_filename, definition.__code__.co_firstlineno
        lines = _source_lines(definition)
    else:
        file, line = frame.f_code.co_filename, frame.f_lineno
        lines = _block(linecache.getlines(file, frame.f_globals), line, definition)
    scope = {**frame.f_globals, **frame.f_locals}
    # Macros come after the definition, so that its lines keep their numbers.
    text = _with_macros("".join(lines), scope)
    parse = tvm_ffi.get_global_func("uir.script.parse")
    return parse(text, file, line, _resolver(scope), _aliases(text, scope))


def _source_lines(function: FunctionType) -> list[str]:
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    return _block(lines, code.co_firstlineno, function)


def _block(lines: list[str], line: int, definition: FunctionType | type) -> list[str]:
    """Return the lines of a definition that starts at a 1-based line."""
    if not lines:
        parse = "parse_function" if isinstance(definition, FunctionType) else "parse"
        raise OSError(
            f"the source of `{definition.__qualname__}` is not known, as for `python -c` and input "
            f"at a prompt: write it to a file, or give its text to `uir.script.{parse}`"
        )
    return inspect.getblock(lines[line - 1 :])


def _with_macros(text: str, scope: dict[str, object]) -> str:
    """Add the sources of the macros that a text names, and what these know to the scope."""
    parts = [text]
    indent = text[: len(text) - len(text.lstrip())]
    added: set[str] = set()
    for part in parts:
        for name in sorted(set(_DOTTED_NAME.findall(part)) - added):
            macro = scope.get(name)
            if not isinstance(macro, Macro):
                continue
            added.add(name)
            parts.append(textwrap.indent(macro.text(name), indent))
            _add_names(macro, scope)
    return "\n\n".join(parts)


def _add_names(macro: Macro, scope: dict[str, object]) -> None:
    for name, value in macro.names().items():
        known = scope.setdefault(name, value)
        is_plain = isinstance(value, (bool, int, float, str)) and type(known) is type(value)
        is_same = known == value if is_plain else known is value
        if not is_same and _is_value(value):
            raise ValueError(
                f"`{name}` is not the same in the macro `{macro.name}` and in the function that "
                "calls it: pass it as an argument"
            )


def _aliases(text: str, scope: Mapping[str, object]) -> dict[str, str]:
    """Return the full names of the names in a text: `{"T": "uir.tir", "e": "uir.tir.exp"}`."""
    aliases = {}
    for path in set(_DOTTED_NAME.findall(text)):
        root, *attributes = path.split(".")
        value = scope.get(root)
        for place in range(len(attributes) + 1):
            if known := _public_path(value):
                rest = attributes[place:] if place else []
                aliases[path if place else root] = ".".join([known, *rest])
                break
            if place < len(attributes):
                value = getattr(value, attributes[place], None)
    return aliases


def _public_path(value: object) -> str | None:
    """Return the name of a module, a node class or a function of a package, as script writes it."""
    if isinstance(value, ModuleType):
        package, *rest = value.__name__.split(".")
        is_known = package == "uir" or package.endswith("_nodes")
        return ".".join([package.removesuffix("_nodes"), *rest]) if is_known else None
    if isinstance(value, type):
        info = vars(value).get("__tvm_ffi_type_info__")
        return None if info is None else str(info.type_key)
    if not isinstance(value, FunctionType):
        return None
    package, *rest = value.__module__.split(".")
    if package not in ("uir", "uir_nodes") or not rest:
        return None
    return f"uir.{rest[0]}.{value.__name__}"


def _resolver(scope: Mapping[str, object]) -> Callable[[str], object]:
    """Return a function that looks up names in the scope of a decorator."""

    def resolve(path: str) -> object:
        root, *attributes = path.split(".")
        value = scope.get(root, _BUILTINS.get(root))
        for attribute in attributes:
            value = getattr(value, attribute, None)
        is_helper = isinstance(value, _FUNCTIONS) or any(value is x for x in _BUILTINS.values())
        if callable(value) and is_helper:
            return _helper(value)
        return value if _is_value(value) else None

    return resolve


def _helper(function: Callable[..., Any]) -> Callable[[object, object], object]:
    """Return a function that script calls with positional and named arguments."""

    def call(positional: Any, named: Any) -> Any:
        return function(*positional, **{str(name): value for name, value in named.items()})

    return call


def _is_value(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_value, value))
    if isinstance(value, dict):
        return all(isinstance(key, (str, int)) and _is_value(entry) for key, entry in value.items())
    if isinstance(value, (type, ModuleType, tvm_ffi.Function)):
        return False
    return isinstance(value, (bool, int, float, str, tvm_ffi.Object, tvm_ffi.dtype))
