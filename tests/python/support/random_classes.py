"""Random classes on tvm-ffi as authors write them: headers and sources that compile.

Out: hypothesis strategies.  A drawn unit is a header with one to three classes in a namespace of
its own, and perhaps a source that registers them.  Members, initializers, constructors, comments,
registrations, macros and namespaces take any of the forms in which libraries write them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

__all__ = ["Unit", "units"]

_SUFFIXES = ("h", "h", "hpp", "hh", "cuh", "inl")
_NAMES = (
    "Point",
    "Ring",
    "Call",
    "List",
    "Scope",
    "Type",
    "Op",
    "Var",
    "Block",
    "IRModule",
    "X2",
    "None",
    "Some",
    "Box",
    "Error",
    "Module",
    "Self",
    "Tensor",
    "object",
)
_MEMBERS = (
    "x", "value", "_y", "name_hint", "args", "kind", "index", "class_", "isOpen", "data",
    "type_index_", "key", "id", "span", "self", "other", "n", "size", "from", "lambda", "def",
    "None", "__dict__", "__len__", "_is_pure", "in", "same_as", "str", "type", "hash", "unique",
    "data_",
)  # fmt: skip
_WORDS = (
    "What it is.", "Its größe, in m².", "See class X { };", "a // b /* c", "TVM_FFI_DECLARE", "x",
    "\\param none \\return 1", "Two  spaces", "100%", "It's \"so\"", "tschema", "@brief twice",
)  # fmt: skip
_PLAIN = {
    "int64_t": ("0", "-3", "1LL << 40", "INT64_MAX"),
    "int": ("0", "7", "'a'", "0x1F"),
    "uint8_t": ("0", "255"),
    "int32_t": ("0", "-1"),
    "double": ("0", "0.5", "1e-3", "-2.0"),
    "float": ("0.25f", "1"),
    "bool": ("true", "false"),
    "size_t": ("0", "12"),
}
_FFI = {
    "String": ('"a, b"', '"{;}"', '""'),
    "Array<int64_t>": ("{1, 2}", "{}"),
    "Array<ObjectRef>": (),
    "Map<String, Any>": (),
    "Map<String, Array<int64_t>>": (),
    "Optional<String>": ("std::nullopt",),
    "Optional<Array<double>>": ("std::nullopt",),
    "Variant<int64_t, String>": ("int64_t(4)",),
    "Any": ("nullptr", "1"),
    "ObjectRef": (),
    "Function": ("nullptr",),
    "Optional<Function>": (),
}
_FOREIGN = ("std::vector<int>", "std::string", "std::pair<int, double>", "const char*", "DLDevice")
_KINDS = ("TreeNode", "FreeVar", "DAGNode", "UniqueInstance", "ConstTreeNode", "Unsupported")


@dataclass(frozen=True)
class Unit:
    """A header, and the source that goes with it if it has one."""

    header: str
    suffix: str
    source: str


@dataclass
class _Class:
    """A class that was drawn, for those that come after it."""

    name: str
    data: str
    final: bool
    mutable: bool
    nullable: bool = False
    """Whether it has a reference class that may be null, which is made of nothing."""
    slots: int = 0
    chain: str = ""
    """The statement that registers it."""
    members: list[str] = field(default_factory=list)


class _Writer:
    """Draws one unit."""

    def __init__(self, draw: Any, number: int) -> None:
        self.draw = draw
        self.number = number
        self.classes: list[_Class] = []
        self.alias = self.pick("ffi::", "tvm::ffi::", "::tvm::ffi::", "tf::", "")
        self.refl = self.pick("refl", "refl", "reflection_", "tvm::ffi::reflection")
        self.indent = self.pick("  ", "  ", "    ", "\t")

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def unit(self) -> Unit:
        """Draw the files."""
        texts = [self.one_class() for _ in range(self.pick(1, 1, 2, 3))]
        body = "\n".join(texts)
        in_source = self.chance(40)
        opening, closing = self.namespaces()
        alias = {
            "ffi::": "namespace ffi = tvm::ffi;\n",
            "tf::": "namespace tf = ::tvm::ffi;\n",
            "": "using namespace tvm::ffi;\n",
        }.get(self.alias, "")
        includes = ["<tvm/ffi/tvm_ffi.h>", "<string>", "<vector>", "<utility>"]
        head = "#pragma once\n" + "".join(f"#include {one}\n" for one in includes)
        block = self.registration_block()
        macros = self.macros()
        header = f"{head}{macros}{opening}{alias}{body}"
        source = ""
        if in_source:
            path = f"rnd/u{self.number}.{{suffix}}"
            source = f"#include <{path}>\n{opening}{block}{closing}"
        else:
            header += block
        header += closing
        suffix = self.pick(*_SUFFIXES)
        if self.chance(10):
            header = header.replace("\n", "\r\n")
        elif self.chance(10):
            header = header.rstrip("\n")
        return Unit(header, suffix, source.replace("{suffix}", suffix))

    def namespaces(self) -> tuple[str, str]:
        inner = f"u{self.number}"
        if self.chance(50):
            return f"namespace rnd::{inner} {{\n", f"}}  // namespace rnd::{inner}\n"
        return f"namespace rnd {{\nnamespace {inner} {{\n", "}\n}\n"

    def macros(self) -> str:
        name = f"RND{self.number}"
        return (
            f"#define {name}_NODE(Key, Data, Parent) \\\n"
            "  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(Key, Data, Parent)\n"
            f"#define {name}_REF(Ref, Parent, Data) \\\n"
            "  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Ref, Parent, Data)\n"
        )

    # Classes

    def one_class(self) -> str:
        """Draw a class with its reference class."""
        used = {one.name for one in self.classes}
        name = self.pick(*(one for one in _NAMES if one not in used))
        parents = [one for one in self.classes if not one.final]
        parent = self.pick(*parents, None, None) if parents else None
        data = name + self.pick("Node", "Obj")
        own = _Class(
            name, data, self.chance(50), self.chance(40) or bool(parent and parent.mutable)
        )
        base = parent.data if parent else f"{self.alias}Object"
        if parent:
            own.mutable = parent.mutable
        fields, rows = self.members(own, parent)
        lines = ["public:", *fields]
        lines += self.constructors(own, rows)
        lines += self.constants(own, parent)
        chain = self.chain(own, rows)
        if self.chance(35):
            lines += ["static void RegisterReflection() {", *self._refl_alias(), f"  {chain}", "}"]
            own.chain = f"{own.data}::RegisterReflection();"
        else:
            own.chain = chain
        key = f"rnd.u{self.number}.{name}"
        info = self.info(own, key, base)
        if self.chance(20):
            lines[1:1] = info
        else:
            lines += info
        if self.chance(30):
            lines += self.hidden()
        self.classes.append(own)
        return self.doc() + self.braces(own, base, lines) + self.reference(own, parent)

    def braces(self, own: _Class, base: str, lines: list[str]) -> str:
        word = self.pick("class", "class", "struct")
        final = " final" if own.final and self.chance(25) else ""
        opening = self.pick(" {\n", " {\n", "\n{\n")
        closing = self.pick("};\n", "};\n", f"}};  // {word} {own.data}\n")
        if word == "struct" and self.chance(50):
            lines = lines[1:]
        text = "".join(
            f" {line}\n" if line.endswith(":") else f"{self.indent}{line}\n" if line else "\n"
            for line in lines
        )
        access = "public " if word == "class" or self.chance(60) else ""
        return f"{word} {own.data}{final} : {access}{base}{opening}{text}{closing}"

    def doc(self) -> str:
        words = self.pick(*_WORDS)
        safe = words.replace("/*", "").replace("*/", "")
        return self.pick(
            "", "", f"/*! \\brief {safe} */\n", f"/// {words}\n", f"// {words}\n",
            f"/*!\n * \\brief {safe}\n *\n * {safe}\n */\n", f"/** {safe} */\n",
            f"//! {words}\n\n",
        )  # fmt: skip

    def members(
        self, own: _Class, parent: _Class | None
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Draw members: the lines, and type and name of those that a chain may register."""
        lines, rows = [], []
        taken = set(parent.members) if parent else set()
        for _ in range(self.draw(st.integers(0, 5))):
            free = [name for name in _MEMBERS if not {name, f"{name}2"} & taken]
            name = self.pick(*free)
            taken.add(name)
            taken.add(f"{name}2")
            new, row = self.member(name)
            lines += new
            rows += row
        own.members = sorted(taken)
        return lines, rows

    def member(self, name: str) -> tuple[list[str], list[tuple[str, str]]]:
        form = self.pick("plain", "plain", "ffi", "ffi", "ffi", "ref", "foreign", "odd", "between")
        if form == "foreign":
            return [*self.doc().splitlines(), f"{self.pick(*_FOREIGN)} {name}{{}};"], []
        if form == "odd":
            odd = (
                f"int {name}[3] = {{1, 2, 3}};", f"bool {name} : 1;", f"mutable int {name} = 0;",
                f"static constexpr int {name} = 4;", f"std::vector<std::pair<int, int>> {name};",
            )  # fmt: skip
            return [self.pick(*odd)], []
        if form == "between":
            return self.between(name), []
        if form == "plain":
            type_ = self.pick(*_PLAIN)
            values = _PLAIN[type_]
        else:
            type_, values = self.pick(*_FFI.items())
            nullable = [one.name for one in self.classes if one.nullable]
            if form == "ref" and nullable:
                ref = self.pick(*nullable)
                type_, values = self.pick(ref, f"Array<{ref}>", f"Optional<{ref}>"), ()
            type_ = self.spelled(type_)
        if form == "plain" and self.chance(12):
            return [f"{type_} {name}, {name}2 = 1;"], [(type_, name), (type_, f"{name}2")]
        value = self.pick(*values) if values else ""
        start = self.pick("", "", f"{{{value}}}", f" = {value or '{}'}")
        before, behind = self.doc().splitlines(), ""
        if not before:
            behind = self.pick(
                "", "", "  ///< Its words.", "  // words", "  /*!< \\brief Words. */"
            )
        if type_ == "uint8_t" or type_ == "float" or "'" in start or "Variant" in type_:
            start = start if "{" not in start or "Variant" not in type_ else ""
        if "Variant" in type_ and not start:
            start = " = int64_t(0)"
        return [*before, f"{type_} {name}{start};{behind}"], [(type_, name)]

    def spelled(self, type_: str) -> str:
        """Return a type with the namespace that this unit writes before each name of tvm-ffi."""
        own = {one.name for one in self.classes}
        for word in (
            "String",
            "Array",
            "Map",
            "Optional",
            "Variant",
            "Any",
            "ObjectRef",
            "Function",
        ):
            type_ = _prefixed(type_, word, self.alias) if word not in own else type_
        return type_

    def between(self, name: str) -> list[str]:
        forms = (
            [f"int Get_{name}() const {{ return 1; }}"],
            [f"using T_{name} = int64_t;"],
            [f"enum class E_{name} {{ kA, kB = 3 }};"],
            [f"struct S_{name} {{ int a; }};"],
            [f"std::string Text_{name}() const {{", '  std::string text = "class X {";',
             "  return text + \"};\";", "}"],
            ["", "// A comment alone.", ""],
            ["template <typename T>", f"T As_{name}(T value) const {{ return value; }}"],
            [f"friend class Friend_{name};"],
        )  # fmt: skip
        return list(self.pick(*forms))

    def constructors(self, own: _Class, rows: list[tuple[str, str]]) -> list[str]:
        data = own.data
        form = self.pick("none", "none", "default", "all", "all", "unsafe", "nocopy", "template")
        made = {
            "none": [],
            "default": [f"{data}() = default;"],
            "unsafe": [f"{data}() {{}}", f"explicit {data}({self.alias}UnsafeInit) {{}}"],
            "nocopy": [f"{data}() = default;", f"{data}(const {data}&) = delete;"],
            "template": [
                f"{data}() = default;",
                "template <typename T>",
                f"explicit {data}(T*) {{}}",
            ],
        }
        if form != "all" or not rows:
            return made.get(form, [])
        parameters = ", ".join(f"{type_} {name}" for type_, name in rows)
        values = ", ".join(f"{name}(std::move({name}))" for _, name in rows)
        return [f"{data}() = default;", f"{data}({parameters})", f"    : {values} {{}}"]

    def constants(self, own: _Class, parent: _Class | None) -> list[str]:
        lines = []
        const = self.pick("constexpr bool", "constexpr const bool")
        if own.mutable:
            lines.append(f"static {const} _type_mutable = true;")
        if not own.final and (parent.slots if parent else self.chance(40)):
            own.slots = parent.slots // 4 if parent else 32
            lines.append(f"static constexpr uint32_t _type_child_slots = {own.slots};")
        if not parent and self.chance(35):
            kind = f"kTVMFFISEqHashKind{self.pick(*_KINDS)}"
            lines.append(f"static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = {kind};")
        if not own.final and self.chance(20):
            lines.append(f"virtual ~{own.data}() = default;")
        return lines

    def info(self, own: _Class, key: str, base: str) -> list[str]:
        final = "_FINAL" if own.final else ""
        name = f"TVM_FFI_DECLARE_OBJECT_INFO{final}"
        form = self.pick("line", "line", "line", "comment", "lines", "key", "macro")
        if form == "comment":
            return [f'{name}("{key}",  // its key', f"    {own.data} /* itself */, {base});"]
        if form == "lines":
            return [f"{name}(", f'    "{key}",', f"    {own.data},", f"    {base});"]
        if form == "key" and not own.final:
            declared = f'static constexpr const char* _type_key = "{key}";'
            return [
                declared,
                f"TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY({own.data}, {base});",
            ]
        if form == "macro" and own.final:
            return [f'RND{self.number}_NODE("{key}", {own.data}, {base});']
        return [f'{name}("{key}", {own.data}, {base});']

    def hidden(self) -> list[str]:
        access = self.pick("private:", "protected:")
        return [
            access,
            self.pick("int hidden_ = 0;", "std::vector<int> cache_;", "void Hide_() {}"),
        ]

    # Registrations

    def _refl_alias(self) -> list[str]:
        if self.refl.startswith("tvm::"):
            return []
        return [f"  namespace {self.refl} = tvm::ffi::reflection;"]

    def chain(self, own: _Class, rows: list[tuple[str, str]]) -> str:
        """Draw the statements that register a class."""
        refl, data = self.refl, own.data
        calls = [self.registration(own, *row) for row in rows if self.chance(85)]
        if self.chance(40):
            calls.append(self.method(own, len(calls)))
        option = self.pick("", "", f"{refl}::init(false)")
        if self.chance(20):
            statements = "".join(f"\n    def{call};" for call in calls)
            return f"auto def = {refl}::ObjectDef<{data}>({option});{statements}\n    (void)def;"
        joint = self.pick("", "\n        ", "\n      // next\n      ")
        return (
            f"{refl}::ObjectDef<{data}>({option})" + "".join(f"{joint}{one}" for one in calls) + ";"
        )

    def registration(self, own: _Class, type_: str, name: str) -> str:
        way = self.pick("def_rw", "def_ro") if own.mutable else "def_ro"
        plain = name.strip("_") or name
        # tvm-ffi refuses two fields of one name.
        registered = self.pick(name, name, name, name if plain in own.members else plain)
        extras = self.draw(st.lists(st.sampled_from(self.extras(type_)), max_size=2, unique=True))
        words = ", ".join([f'"{registered}"', f"&{own.data}::{name}", *extras])
        return f".{way}({words})"

    def extras(self, type_: str) -> list[str]:
        refl = self.refl
        known = ['"Its words."', f"{refl}::repr(false)", f"{refl}::kw_only(true)"]
        known += [f"{refl}::AttachFieldFlag::SEqHashIgnore()"]
        plain = {"int64_t": "int64_t(3)", "int": "4", "bool": "true", "double": "0.5"}
        if type_ in plain:
            known.append(f"{refl}::default_value({plain[type_]})")
        if type_.endswith("String"):
            known.append(f'{refl}::default_value({type_}("a, b"))')
        return known

    def method(self, own: _Class, number: int) -> str:
        data = own.data
        forms = (
            f'.def("m{number}", [](const {data}* self) {{ return int64_t(1); }})',
            f'.def("m{number}", [](const {data}* self, int64_t a) -> int64_t {{ return a; }})',
            f'.def_static("m{number}", [](int64_t a, {self.alias}String b) {{ return a; }})',
        )
        return self.pick(*forms)

    def registration_block(self) -> str:
        lines = []
        for at, one in enumerate(self.classes):
            several = one.chain.startswith("auto def")
            lines.append(f"{{ {one.chain} }}" if several and at else one.chain)
        body = "".join(f"  {line}\n" for line in lines)
        alias = "".join(f"{line}\n" for line in self._refl_alias())
        return f"TVM_FFI_STATIC_INIT_BLOCK() {{\n{alias}{body}}}\n"

    # References

    def reference(self, own: _Class, parent: _Class | None) -> str:
        """Draw the reference class, or none."""
        base = parent.name if parent and parent.nullable else f"{self.alias}ObjectRef"
        word = self.pick("class", "struct")
        form = self.pick("none", "nullable", "nullable", "not", "hand", "macro", "cow")
        info = f"{own.name}, {base}, {own.data}"
        body = {
            "nullable": f"TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE({info});",
            "not": f"TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE({info});",
            "macro": f"RND{self.number}_REF({info});",
            "cow": f"TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE({info});",
            "hand": f"explicit {own.name}({self.alias}ObjectPtr<{own.data}> n) : {base}(n) {{}}\n"
            f"  explicit {own.name}({self.alias}UnsafeInit tag) : {base}(tag) {{}}\n"
            f"  {own.name}() = default;\n  using ContainerType = {own.data};",
        }
        if form == "none":
            return ""
        own.nullable = form != "not"
        return f"{self.doc()}{word} {own.name} : public {base} {{\n public:\n  {body[form]}\n}};\n"


def _prefixed(type_: str, word: str, prefix: str) -> str:
    parts = type_.split(word)
    joined = parts[0]
    for before, part in pairwise(parts):
        whole = not before[-1:].isalnum() and not part[:1].isalnum()
        joined += (prefix if whole else "") + word + part
    return joined


@st.composite
def units(draw: Any, number: int) -> Unit:
    """Draw a header of classes in the namespace `rnd::u<number>`, with its source."""
    return _Writer(draw, number).unit()
