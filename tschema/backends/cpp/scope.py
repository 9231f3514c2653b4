"""How a piece of C++ text names the declarations of a schema.

In: the JSON IR, as C++ spells it, and the namespace around the text.  Out: names, as short as they
can be there.
"""

from __future__ import annotations

from tschema.ir.keywords import SCOPE_NAMES, escaped
from tschema.ir.model import ROOT_KEY, Namespace, Schema, Type
from tschema.ir.spelling import class_name, cpp_home, cpp_namespace

_BASES = ("Object", "ObjectRef")
"""The base classes of tvm-ffi's."""


class Scope:
    """The place of a text, from which classes, enums and functions are named."""

    def __init__(self, schema: Schema, namespace: str) -> None:
        """
        Take a place.

        Parameters
        ----------
        namespace
            The namespace as C++ spells it, `uir::ir`; every name is spelled in full if empty.
        """
        self.schema = schema
        self.namespace = namespace

    @staticmethod
    def of_file(space: Namespace, schema: Schema) -> Scope:
        """Return the scope of the declarations of a schema file."""
        return Scope(schema, cpp_namespace(space))

    @staticmethod
    def of_class(type_: Type, schema: Schema) -> Scope:
        """Return the scope of the two classes of a type."""
        return Scope(schema, cpp_home(type_.key, schema))

    def name(self, key: str) -> str:
        """Return the reference class, the enum or the function with a dotted name."""
        return self._qualified(cpp_home(key, self.schema), self._short(key), key)

    def data(self, key: str) -> str:
        """Return the data class of a type; that of all objects for the root."""
        if key == ROOT_KEY:
            return "ffi::Object"
        return self._qualified(cpp_home(key, self.schema), self.schema.type(key).name, key)

    def _short(self, key: str) -> str:
        type_ = self.schema.find_type(key)
        return type_.ref if type_ else class_name(key, "C++")

    def _qualified(self, home: str, name: str, key: str) -> str:
        if home == self.namespace:
            # In a class, the name of a base class of tvm-ffi's hides one of the namespace.
            return f"::{home}::{name}" if name in _BASES else name
        package, _, rest = home.partition("::")
        is_mapped = home != key.rpartition(".")[0].replace(".", "::")
        if is_mapped or package != self.namespace.partition("::")[0]:
            # Namespaces of a code base of its own may hide each other's names.
            return f"::{home}::{name}"
        return f"{rest}::{name}" if rest else f"{package}::{name}"


def function_name(name: str) -> str:
    """Return how C++ spells a free function."""
    return escaped(name, "C++", SCOPE_NAMES)
