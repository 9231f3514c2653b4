"""Classes of plain values, as `dataclasses` makes them, that cost next to nothing to declare.

In: a class with annotated fields.  Out: the same class with a constructor, `==`, `hash` and `repr`.
A command that takes a quarter of a second cannot spend a sixth of it on compiling methods that most
runs never call: the constructor is compiled when it is first called, and all the rest is shared.
That a frozen record stays as it is, is for the type checker to hold.  To `dataclasses` and pydantic
a record is a dataclass, from the moment that they ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from dataclasses import Field

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda function: function


__all__ = ["MISSING", "field", "members", "record", "replace"]

_T = TypeVar("_T")
_FIELDS = "__record_fields__"
_GETTER = "__record_getter__"

MISSING = object()
"""Stands for the default of a field that has none."""


class _Factory:
    """A default that is made for each object."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, factory: Callable[[], _T]) -> _T:
    """Return the default of a field whose value is made anew for each object."""
    return _Factory(factory)  # type: ignore[return-value]  # `record` takes it away.


@overload
def record(cls: type[_T], /) -> type[_T]: ...
@overload
def record(
    *, frozen: bool = True, eq: bool = True, kw_only: bool = False, hidden: tuple[str, ...] = ()
) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[_T] | None = None,
    /,
    *,
    frozen: bool = True,
    eq: bool = True,
    kw_only: bool = False,
    hidden: tuple[str, ...] = (),
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """
    Make a class of values.

    Parameters
    ----------
    cls
        The class, whose annotations are text: its module imports `annotations` from `__future__`.
    frozen
        Whether the fields keep their values.
    eq
        Whether objects with the same fields are the same value.
    kw_only
        Whether the constructor takes keyword arguments only.
    hidden
        Fields that `repr` leaves out.
    """

    def declare(cls: type[_T]) -> type[_T]:
        fields = _fields(cls)
        setattr(cls, _FIELDS, fields)
        if eq:
            names = tuple(fields)
            setattr(cls, _GETTER, attrgetter(*names) if names else lambda _: ())
        _methods(cls, fields, hidden, kw_only=kw_only, eq=eq, frozen=frozen)
        return cls

    return declare if cls is None else declare(cls)


def members(cls: type) -> Mapping[str, object]:
    """Return the fields of a record with their defaults, `MISSING` for none."""
    return {
        name: MISSING if isinstance(default, _Factory) else default
        for name, default in getattr(cls, _FIELDS).items()
    }


def replace(value: _T, **changes: object) -> _T:
    """Return a record with other values of some fields."""
    cls = type(value)
    values = {name: getattr(value, name) for name in getattr(cls, _FIELDS)}
    return cls(**{**values, **changes})


def _fields(cls: type) -> dict[str, object]:
    """Return the fields with their defaults, those of bases first."""
    fields: dict[str, object] = {}
    for base in reversed(cls.__mro__[1:]):
        fields.update(base.__dict__.get(_FIELDS, {}))
    annotations = vars(cls).get("__annotations__", {})  # `inspect` takes a while.
    for name, annotation in annotations.items():
        if not annotation.startswith("ClassVar"):
            fields[name] = cls.__dict__.get(name, MISSING)
            if isinstance(fields[name], _Factory):
                delattr(cls, name)
    return fields


def _methods(
    cls: type,
    fields: Mapping[str, object],
    hidden: tuple[str, ...],
    *,
    kw_only: bool,
    eq: bool,
    frozen: bool,
) -> None:
    """Give a class what its objects need."""

    def first_init(self: object, *args: object, **kwargs: object) -> None:
        init = _make_init(cls, fields, kw_only=kw_only)
        setattr(cls, "__init__", init)  # noqa: B010  # mypy knows better than to assign it.
        init(self, *args, **kwargs)

    def represent(self: object) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in fields if name not in hidden)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    given: dict[str, object] = {"__init__": first_init, "__repr__": represent}
    if eq:
        given |= {"__eq__": _equal, "__hash__": _hash if frozen else None}
    for name, method in given.items():
        if name not in cls.__dict__ or (name == "__hash__" and cls.__dict__[name] is None):
            setattr(cls, name, method)
    setattr(cls, "__match_args__", () if kw_only else tuple(fields))  # noqa: B010
    setattr(cls, _DATACLASS, _DataclassFields(kw_only))


def _equal(self: object, other: object) -> bool:
    if type(self) is not type(other):
        return False
    get = getattr(type(self), _GETTER)
    return bool(get(self) == get(other))


def _hash(self: object) -> int:
    return hash(getattr(type(self), _GETTER)(self))


def _make_init(cls: type, fields: Mapping[str, object], *, kw_only: bool) -> Callable[..., None]:
    """Compile the constructor."""
    scope: dict[str, object] = {"MISSING": MISSING}
    parameters = ["*"] if kw_only and fields else []
    body = []
    for name, default in fields.items():
        if default is MISSING:
            parameters.append(name)
            body.append(f"self.{name} = {name}")
        elif isinstance(default, _Factory):
            scope[f"make_{name}"] = default.make
            parameters.append(f"{name}=MISSING")
            body.append(f"self.{name} = make_{name}() if {name} is MISSING else {name}")
        else:
            scope[f"default_{name}"] = default
            parameters.append(f"{name}=default_{name}")
            body.append(f"self.{name} = {name}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    text = f"def __init__({', '.join(['self', *parameters])}):\n " + "\n ".join(body or ["pass"])
    exec(text, scope)  # The names of fields of this package's own classes.
    init = scope["__init__"]
    assert callable(init)
    return init


class _DataclassFields:
    """The attributes that `dataclasses` needs, made on first use."""

    def __init__(self, kw_only: bool) -> None:
        self._kw_only = kw_only

    def __get__(self, _instance: object, owner: type) -> dict[str, Field[object]]:
        """Make the class that has this attribute a dataclass too."""
        import dataclasses

        cls = next(one for one in owner.__mro__ if one.__dict__.get(_DATACLASS) is self)
        for name in vars(cls).get("__annotations__", {}):
            default = getattr(cls, _FIELDS).get(name)
            if isinstance(default, _Factory):
                setattr(cls, name, dataclasses.field(default_factory=default.make))
        delattr(cls, _DATACLASS)
        dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=self._kw_only)(cls)
        found: dict[str, Field[object]] = cls.__dict__[_DATACLASS]
        return found


_DATACLASS = "__dataclass_fields__"
