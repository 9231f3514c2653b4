"""Random schemas, as the text of schema files.

Out: hypothesis strategies.  Every schema that is drawn is a right one: it uses names that other
code uses, docs that need escaping, and all field types, options and kinds of defaults.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tschema.ir.keywords import MEMBERS, SCOPE_NAMES

__all__ = ["Package", "packages"]

_FIELD_NAMES = """
    value name tag base parent node args data index kind schema size items keys get set list dict
    map len id hash repr init callable arguments build build_ error result x camelCase with_1 a1
    field fields row type_name i8 u64 f32 call obj object_ref body rest e key any Upper
    ffi_ self_ cls kwargs handle shape tensor module string none_ is_known test
    ok err deref_ index_ begin size_ data_ other begin_ end move get_ first second count version
    template match clone new unique where
"""
_CLASS_NAMES = """
    Alpha Beta Gamma Delta Array Map List Dict Tuple Any Function Tensor Shape Device Module Bytes
    Optional Union Error Iterator Sequence Mapping Callable Type Field Builder Node Root Leaf Data
    Arguments Result_ DataType Enum IntEnum Variant Slot Parameter Unit Package X T Http2Server
    Self Option Some NULL
"""
_MEMBERS = """
    RED GREEN BLUE A B FIRST LAST UNKNOWN MAX_VALUE NONE_ TWO_WORDS X1 lower Mixed Self name EOF
"""
_FUNCTIONS = "run make find_all compute helper value2 toText f g camelCase get_it delete where"
_METHODS = ("run", "visit", "twice", "new", "post_init", "match")
_DOC_PARTS = (
    "A plain sentence.", "*/", "/*", "//", '"""', "'", "\\", "\\n", "{{ x }}", "{% raw %}", "??/",
    "é日本🦒", "`code`", "<b>", "[link]", "# no heading", "a\nb", "a\n\nb", "    indented", "-1",
    "@param", "%s", "$x", "tschema: end", "tschema: custom-begin", "trailing\\", "R\"(",
)  # fmt: skip
_TEXTS = (
    "",
    "a",
    "seven..",
    "nine....!",
    "\0",
    "q\"'\\",
    "é日本🦒",
    "??/",
    "a\nb\tc",
    "*/",
    "{{}}",
)
_PLAIN_BOUNDS = {
    **{f"int{bits}_t": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": (0, 2**bits - 1) for bits in (8, 16, 32)},
    "uint64_t": (0, 2**63 - 1),
}
_DTYPES = ("int32", "float32x4", "bool", "uint8", "bfloat16")
_RESERVED = MEMBERS["Python"] | SCOPE_NAMES["Python"]
"""Names that Python's members and functions cannot have."""


def _names(text: str) -> list[str]:
    return [name for name in text.split() if name not in _RESERVED and not keyword.iskeyword(name)]


@dataclass(frozen=True)
class Package:
    """A random package."""

    name: str
    files: Mapping[str, str]
    """Text by path below the folder `schema`."""


@dataclass
class _Class:
    """A class that later ones may extend or name."""

    name: str
    ref: str
    module: str
    is_final: bool = False
    is_abstract: bool = False
    fields: list[str] = field(default_factory=list)
    """Own and inherited ones."""
    plain: dict[str, str] = field(default_factory=dict)
    """Annotations of the integer fields, which children may restate."""


@dataclass
class _Enum:
    name: str
    module: str
    members: list[str]


@dataclass
class _Scope:
    """What has been declared so far in a package."""

    package: str
    classes: list[_Class] = field(default_factory=list)
    enums: list[_Enum] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)


def packages(name: str) -> st.SearchStrategy[Package]:
    """Return a strategy of packages of a name."""
    return st.composite(_draw_package)(name)


Draw = Callable[[st.SearchStrategy], object]


def _draw_package(draw: Draw, name: str) -> Package:
    scope = _Scope(name)
    # A namespace is left behind when the next one begins: they do not import each other.
    folders = draw(st.permutations(["", "ir/", "tir/", "far/away/"]))
    places = sorted(draw(st.lists(st.integers(0, 3), min_size=2, max_size=3)))
    files: dict[str, str] = {}
    for at, place in enumerate(places):
        path = f"{folders[place]}file{at}.py"
        files[path] = _draw_file(draw, scope, path)
    return Package(name, files)


def _draw_file(draw: Draw, scope: _Scope, path: str) -> str:
    module = "schema." + path.removesuffix(".py").replace("/", ".")
    namespace = ".".join([scope.package, *path.split("/")[:-1]])
    file = _File(draw, scope, module, namespace)
    parts = [file.draw_enum() for _ in range(draw(st.integers(0, 2)))]
    parts += [file.draw_class() for _ in range(draw(st.integers(1, 5)))]
    parts += [file.rebuild(one) for one in scope.classes if one.module == module]
    parts += [file.draw_function() for _ in range(draw(st.integers(0, 2)))]
    imports = "".join(
        f"from {where} import {name}\n" for name, where in sorted(file.imports.items())
    )
    head = "from tschema import Object, declare, field, function, method, ty\n"
    return f"{file.doc()}\n\n{imports}{head}\n\n" + "\n\n".join(parts)


class _File:
    """Draws the declarations of one file."""

    def __init__(self, draw: Draw, scope: _Scope, module: str, namespace: str) -> None:
        self.draw = draw
        self.scope = scope
        self.module = module
        self.namespace = namespace
        self.imports: dict[str, str] = {}

    def doc(self) -> str:
        """Draw documentation, as a literal."""
        parts = self.draw(st.lists(st.sampled_from(_DOC_PARTS), min_size=1, max_size=3))
        return repr(" ".join(["Something.", *parts]))

    def fresh(self, names: str) -> str:
        """Draw a name that nothing in the package has."""
        free = [
            name
            for name in _names(names)
            if not {name, name.lower(), f"{name}Node"} & self.scope.taken
        ]
        name = self.draw(st.sampled_from(free))
        self.scope.taken |= {name, name.lower(), f"{name}Node"}
        return name

    def use(self, declared: _Class | _Enum) -> str:
        """Name a class, and import it if another file declares it."""
        if declared.module != self.module:
            self.imports[declared.name] = declared.module
        return declared.name

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    # -- Enums and types ----------------------------------------------------------------------

    def draw_enum(self) -> str:
        name = self.fresh(_CLASS_NAMES)
        members = self.draw(
            st.lists(st.sampled_from(_names(_MEMBERS)), min_size=1, max_size=5, unique=True)
        )
        numbers = st.integers(-(2**31), 2**31 - 1) | st.integers(0, 5)
        values = self.draw(
            st.lists(numbers, min_size=len(members), max_size=len(members), unique=True)
        )
        self.scope.enums.append(_Enum(name, self.module, members))
        lines = [f"    {member} = {value}" for member, value in zip(members, values, strict=True)]
        return "\n".join(
            ["@declare", f"class {name}(ty.IntEnum):", f"    {self.doc()}", *lines, ""]
        )

    def draw_type(self, depth: int = 0) -> str:
        """Draw an annotation."""
        constructed = ["Optional", "Array", "Map", "List", "Dict", "Tuple", "Union"]
        weights = (
            ["plain"] * 6 + ["value"] * 3 + ["declared"] * 3 + (constructed if depth < 3 else [])
        )
        kind = self.draw(st.sampled_from(weights))
        if kind == "plain":
            names = [*_PLAIN_BOUNDS, "bool", "float32", "float64", "DataType", "Device"]
            return f"ty.{self.draw(st.sampled_from(names))}"
        if kind == "value":
            return f"ty.{self.draw(st.sampled_from(['String', 'Bytes', 'Any', 'Object', 'Shape']))}"
        if kind == "declared":
            return self._declared_type()
        return self._constructed(kind, depth + 1)

    def _declared_type(self) -> str:
        known = [*self.scope.enums, *(one for one in self.scope.classes if not one.is_abstract)]
        return self.use(self.draw(st.sampled_from(known))) if known else "ty.int64_t"

    def _constructed(self, kind: str, depth: int) -> str:
        if kind == "Union":
            return f"ty.Union[{', '.join(self._alternatives())}]"
        if kind in ("Map", "Dict"):
            key = self.draw(st.sampled_from(["ty.String", "ty.int64_t", "ty.uint8_t", "ty.Bytes"]))
            return f"ty.{kind}[{key}, {self.draw_type(depth)}]"
        count = self.draw(st.integers(1, 3)) if kind == "Tuple" else 1
        args = [self.draw_type(depth) for _ in range(count)]
        if kind == "Optional" and args[0].startswith(("ty.Optional", "ty.Any")):
            return args[0]
        return f"ty.{kind}[{', '.join(args)}]"

    def _alternatives(self) -> list[str]:
        """Draw types that differ in any value."""
        integer = self.draw(st.sampled_from([*_PLAIN_BOUNDS]))
        pool = [f"ty.{integer}", "ty.String", "ty.Bytes", "ty.Array[ty.String]", "ty.DataType"]
        nodes = [one for one in self.scope.classes if not one.is_abstract and one.is_final]
        if nodes:
            pool.append(self.use(self.draw(st.sampled_from(nodes))))
        return self.draw(st.lists(st.sampled_from(pool), min_size=2, max_size=4, unique=True))

    def draw_default(self, annotation: str) -> str | None:
        """Draw a default of a type, as text; None if the type has none that is tried here."""
        if annotation.startswith("ty.Optional["):
            inner = annotation.removeprefix("ty.Optional[").removesuffix("]")
            made = self.draw_default(inner) if self.chance(50) else "default=None"
            return made if made and "factory" not in made else "default=None"
        if annotation.startswith(("ty.Array[", "ty.List[")):
            return "default_factory=list"
        if annotation.startswith(("ty.Map[", "ty.Dict[")):
            return "default_factory=dict"
        literal = self._literal(annotation)
        return None if literal is None else f"default={literal}"

    def _literal(self, annotation: str) -> str | None:
        name = annotation.removeprefix("ty.")
        if name in _PLAIN_BOUNDS:
            low, high = _PLAIN_BOUNDS[name]
            return str(self.draw(st.sampled_from([low, high, max(low, -1), 7])))
        for one in self.scope.enums:
            if one.name == annotation:
                return f"{annotation}.{self.draw(st.sampled_from(one.members))}"
        choices: dict[str, Sequence[object]] = {
            "bool": (False, True),
            "float32": (0.0, -0.5, 3, 2.0**-149),
            "float64": (0.0, 1e300, 0.1, -3),
            "DataType": _DTYPES,
            "String": _TEXTS,
            "Bytes": (b"", b"a", bytes(range(256)), b"\0", b"nine....!"),
            "Any": (None, 3, "text", 0.5, True),
        }
        return repr(self.draw(st.sampled_from(choices[name]))) if name in choices else None

    # -- Classes ------------------------------------------------------------------------------

    def draw_class(self) -> str:
        ref = self.fresh(_CLASS_NAMES)
        open_ones = [one for one in self.scope.classes if not one.is_final]
        parent = self.draw(st.sampled_from([None, *open_ones]))
        cls = _Class(f"{ref}Node", ref, self.module)
        options = self._options(cls)
        lines = [
            "@declare",
            f"class {cls.name}({self.use(parent) if parent else 'Object'}):",
            f"    {self.doc()}",
            f'    type_key = "{self.namespace}.{ref}"',
            *(f"    {name} = {value!r}" for name, value in options.items()),
        ]
        if parent is not None:
            cls.fields, cls.plain = list(parent.fields), dict(parent.plain)
            lines += self._restatements(cls)
        lines += self._fields(cls, options)
        lines += self._methods(cls)
        self.scope.classes.append(cls)
        return "\n".join([*lines, ""])

    def _options(self, cls: _Class) -> dict[str, object]:
        options: dict[str, object] = {}
        if self.chance(20):
            options["abstract"] = cls.is_abstract = True
        elif self.chance(30):
            options["final"] = cls.is_final = True
        else:
            options["final"] = False
        for name in ("mutable", "dispatch", "post_init"):
            if self.chance(25):
                options[name] = True
        if not cls.is_final and self.chance(20):
            options["reserve"] = self.draw(st.integers(1, 3))
        if self.chance(40):
            kinds = ["tree", "dag", "var", "const_tree", "unique", None]
            options["structural"] = self.draw(st.sampled_from(kinds))
        return options

    def _restatements(self, cls: _Class) -> list[str]:
        lines = []
        for name, annotation in cls.plain.items():
            if self.chance(25):
                settings = [self.draw_default(annotation) or ""]
                settings += ["init=False"] if self.chance(30) else []
                settings += ["kw_only=True"] if self.chance(30) else []
                lines.append(f"    {name}: {annotation} = field({', '.join(settings)})")
        return lines

    def _fields(self, cls: _Class, options: Mapping[str, object]) -> list[str]:
        lines = []
        for _ in range(self.draw(st.integers(0, 5))):
            free = [name for name in _names(_FIELD_NAMES) if _is_free(name, cls, self.scope)]
            name = self.draw(st.sampled_from(free))
            annotation = self.draw_type()
            cls.fields.append(name)
            if annotation.removeprefix("ty.") in _PLAIN_BOUNDS:
                cls.plain[name] = annotation
            lines.append(f"    {name}: {annotation} = {self._settings(annotation)}")
        return lines

    def _settings(self, annotation: str) -> str:
        settings = [f"doc={self.doc()}"]
        default = self.draw_default(annotation) if self.chance(50) else None
        if default is not None:
            settings.append(default)
            settings += ["init=False"] if self.chance(15) else []
        for setting in ("kw_only=True", "repr=False", 'structural="ignore"'):
            settings += [setting] if self.chance(20) else []
        return f"field({', '.join(settings)})"

    def _methods(self, cls: _Class) -> list[str]:
        lines = []
        for name in self.draw(st.lists(st.sampled_from(_METHODS), max_size=2)):
            if name in cls.fields or f"    def {name}" in "".join(lines):
                continue
            if any(name in one.fields for one in self.scope.classes):
                continue
            cls.fields.append(name)
            lines += [
                "    @method",
                f"    {self._signature(name, 'self')}",
                f"        {self.doc()}",
            ]
        return lines

    # -- Functions ----------------------------------------------------------------------------

    def rebuild(self, cls: _Class) -> str:
        """Declare the function that takes an object apart and constructs its like."""
        if cls.is_abstract:
            return f"# {cls.name} is abstract.\n"
        name = f"rebuild_{cls.ref.lower()}"
        return (
            f"@function\ndef {name}(node: {cls.name}) -> {cls.name}:\n"
            '    """Read every field and construct the like."""\n'
        )

    def draw_function(self) -> str:
        name = self.fresh(_FUNCTIONS)
        return f"@function\n{self._signature(name)}\n    {self.doc()}\n"

    def _signature(self, name: str, *first: str) -> str:
        """Draw a signature: the result is of the last parameter's type."""
        params, last = list(first), "None"
        for at in range(self.draw(st.integers(0, 3))):
            last = self.draw_type(depth=2)
            params.append(f"p{at}: {last}")
        default = self.draw_default(last) if params and self.chance(40) else None
        if default is not None and "factory" not in default:
            params[-1] += f" = {default.removeprefix('default=')}"
        return f"def {name}({', '.join(params)}) -> {last}:"


def _is_free(name: str, cls: _Class, scope: _Scope) -> bool:
    """Return whether a name collides neither with a member nor with what C++ would look up."""
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    members = {one.lower().replace("_", "") for one in cls.fields}
    types = {one.ref for one in scope.classes} | {one.name for one in scope.enums}
    return name.lower().replace("_", "") not in members and not {name, camel} & (types | {cls.ref})
