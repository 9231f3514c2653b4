"""Dispatch by the type of a node, the base of generated functors.

In: classes with a method for each type, named in a table.  Out: `visit`, which calls the method for
a node.  The method for a type is looked up once for each class, and cached in a dictionary of the
class:

1. the function that `register` added for the type, or the method of the class for it;
2. the same for its ancestors, nearest first, which handles types of other packages and declared
   types;
3. `visit_default`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from tvm_ffi import Object

__all__ = ["Functor", "type_key_of"]

_PREFIX: Final = "visit_"
_SIMILAR: Final = 0.8
"""Ratio of the letters that two names share, from which on one is taken for a slip in the other."""
_R = TypeVar("_R")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Functor(Generic[_R]):
    """Calls the method for the type of a node.

    Generated subclasses have a method for each type: `visit_` and the type's name in snake case
    (`visit_int_imm` for `IntImm`). Override the methods that matter.
    """

    _cases: ClassVar[Mapping[type[Object], str]] = {}
    """The types that the class itself has methods for, and the names of the methods."""
    _registered: ClassVar[dict[type[Object] | str, Callable[..., Any]]] = {}
    _methods: dict[type, Callable[..., _R]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the table of a class's methods.

        Raises
        ------
        TypeError
            If the class has a method that is called for no type, and whose name is close to one.
        """
        super().__init_subclass__(**kwargs)
        if "_cases" not in cls.__dict__:
            _refuse_misspelt(cls)
        cls._registered = {}
        cls._methods = _Methods(cls)

    @classmethod
    def register(cls, node_type: type[Object] | str) -> Callable[[_Function], _Function]:
        """Register a function for a type without a method, such as one of another package.

        Parameters
        ----------
        node_type
            The class, or its type key.  It also handles subtypes without a nearer method.

        Returns
        -------
        decorator
            Takes the function, which is called like a method: `function(self, node)`.

        Examples
        --------
        >>> @Printer.register("toy.Clamp")
        ... def print_clamp(self: Printer, node: toy.Clamp) -> str:
        ...     return f"clamp({self.visit(node.value)})"
        """

        def decorate(function: _Function) -> _Function:
            cls._registered[node_type] = function
            for functor in _with_subclasses(cls):
                functor._methods.clear()
            return function

        return decorate

    def visit(self, node: Object, /) -> _R:
        """Call the method for the type of a node; return its result.

        Raises
        ------
        RecursionError
            If nodes are nested more deeply than Python's stack allows.  `tschema.runtime.walk` and
            `tschema.runtime.post_order` have no such limit.
        """
        return self._methods[type(node)](self, node)

    def visit_default(self, node: Object, /) -> _R:
        """Handle a node whose type has no method.

        Raises
        ------
        NotImplementedError
            Always; override it to do something else.
        """
        raise NotImplementedError(
            f"`{type(self).__name__}` has no method for `{type_key_of(type(node))}`, "
            "and does not override `visit_default`"
        )


def _refuse_misspelt(cls: type) -> None:
    """Refuse a `visit_` method that nothing overrides, and that almost has another one's name."""
    own = [name for name in cls.__dict__ if name.startswith(_PREFIX)]
    inherited = {name for base in cls.__mro__[1:] for name in vars(base)}
    unknown = [name for name in own if name not in inherited]
    stems = [name.removeprefix(_PREFIX) for name in inherited if name.startswith(_PREFIX)]
    if not unknown or stems == ["default"]:
        return  # A class of types of its own has no names to mistake.
    from difflib import get_close_matches  # Slow to import, and rarely used.

    for name in unknown:
        written = name.removeprefix(_PREFIX)
        swapped = [stem for stem in stems if sorted(stem) == sorted(written)]
        for stem in swapped[:1] or get_close_matches(written, stems, n=1, cutoff=_SIMILAR):
            raise TypeError(
                f"`{cls.__name__}.{name}` is never called: there is no type of that name; "
                f"did you mean `{_PREFIX}{stem}`?"
            )


class _Methods(dict[type, Callable[..., Any]]):
    """The functions of a functor class, by type, found on demand."""

    def __init__(self, owner: type[Functor[Any]]) -> None:
        super().__init__()
        self._owner = owner

    def __missing__(self, node_type: type) -> Callable[..., Any]:
        function = self[node_type] = _find(self._owner, node_type)
        return function


def _find(owner: type[Functor[Any]], node_type: type) -> Callable[..., Any]:
    for ancestor in node_type.__mro__:
        for functor in owner.__mro__:
            function = _own_function(functor, ancestor, owner)
            if function is not None:
                return function
    return owner.visit_default if issubclass(node_type, Object) else _refuse


def _own_function(
    functor: type, node_type: type, owner: type[Functor[Any]]
) -> Callable[..., Any] | None:
    """Return one functor class's own function for a type; `owner` may override a method."""
    registered: Mapping[type | str | None, Callable[..., Any]]
    registered = functor.__dict__.get("_registered", {})
    function = registered.get(node_type) or registered.get(type_key_of(node_type))
    if function is not None:
        return function
    name = functor.__dict__.get("_cases", {}).get(node_type)
    return None if name is None else getattr(owner, name)


def type_key_of(node_type: type) -> str | None:
    """Return the type key that a class itself is bound to; None if it is not."""
    info = node_type.__dict__.get("__tvm_ffi_type_info__")
    return None if info is None else str(info.type_key)


def _refuse(self: object, node: object, /) -> Any:
    message = f"`{type(self).__name__}.visit` takes a node, not a `{type(node).__name__}`"
    raise TypeError(message)


def _with_subclasses(cls: type[Functor[Any]]) -> Iterator[type[Functor[Any]]]:
    yield cls
    for subclass in cls.__subclasses__():
        yield from _with_subclasses(subclass)
