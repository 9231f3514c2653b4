"""Types of C++ that are members alone: their sizes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tschema.passes.foreign import size_of

from .schemas import node

KNOWN = (
    "bool", "char", "short", "int", "unsigned", "long", "long long", "float", "double", "size_t",
    "int8_t", "uint16_t", "int32_t", "uint64_t", "std::size_t", "std::byte", "const char*",
    "std::string", "std::string_view", "std::mutex", "std::recursive_mutex", "std::shared_mutex",
    "std::condition_variable", "std::once_flag", "std::atomic_flag", "std::atomic_bool",
    "std::thread", "std::thread::id", "std::type_index", "std::exception_ptr", "std::any",
    "std::vector<int>", "std::vector<std::pair<int, double>>", "std::deque<int>", "std::list<int>",
    "std::forward_list<int>", "std::stack<int>", "std::queue<int>", "std::priority_queue<int>",
    "std::map<int, std::string>", "std::multimap<int, int>", "std::set<int>", "std::multiset<int>",
    "std::unordered_map<std::string, std::vector<int>>", "std::unordered_set<int>",
    "std::unordered_multimap<int, int>", "std::unordered_multiset<int>",
    "std::function<void(int, std::string)>", "std::shared_ptr<int>", "std::weak_ptr<int>",
    "std::unique_ptr<int>", "std::basic_string<char>", "std::array<int, 3>",
    "std::array<std::string, 2>", "std::atomic<int>", "std::atomic<bool>", "std::optional<int>",
    "std::optional<std::string>", "std::pair<char, double>", "std::pair<std::string, bool>",
    "const int", "std::atomic<char>",
)  # fmt: skip
HEADERS = (
    "any", "array", "atomic", "condition_variable", "cstddef", "cstdint", "deque", "exception",
    "forward_list", "functional", "list", "map", "memory", "mutex", "optional", "queue", "set",
    "shared_mutex", "stack", "string", "string_view", "thread", "typeindex", "unordered_map",
    "unordered_set", "utility", "vector",
)  # fmt: skip


def test_the_sizes_of_well_known_types_are_those_of_the_compiler(tmp_path: Path) -> None:
    lines = [f"#include <{header}>" for header in HEADERS]
    lines.append("template <typename T, int kSize, int kAlign> void Check() {")
    lines.append("static_assert(sizeof(T) == kSize && alignof(T) == kAlign); }")
    lines.append("void All() {")
    for spelling in KNOWN:
        known = size_of(spelling)
        assert known is not None, spelling
        lines.append(f"Check<{spelling}, {known[0]}, {known[1]}>();")
    source = tmp_path / "sizes.cc"
    source.write_text("\n".join([*lines, "}\n"]))
    command = ["c++", "-std=c++17", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "spelling",
    ["acme::Table", "std::optional<acme::Table>", "std::array<acme::Table, 3>",
     "std::array<int, N>", "std::pair<int>", "std::atomic<std::string>",
     "std::variant<int, bool>", "vector<int>"],
)  # fmt: skip
def test_the_sizes_of_other_types_are_unknown(spelling: str) -> None:
    assert size_of(spelling) is None


@pytest.mark.parametrize(
    "given",
    ['"acme::T", size=1048576, align=8', '"acme::T", size=1, align=1', '"acme::F<void()>", size=8'],
)
def test_a_member_has_the_size_that_is_written(stages, given: str) -> None:
    assert stages(node("A", f"x: ty.foreign({given})")).resolved_codes() == []


@pytest.mark.parametrize(
    "given",
    [
        '"acme::T", size=1048584, align=8', '"acme::T", size=0, align=1',
        '"acme::T", size=True, align=1', '"acme::T", size=16, align=16', '"f)(", size=8',
        '"std::string", align=0', '"  "', '"4T", size=8',
    ],
)  # fmt: skip
def test_other_members_are_refused(stages, given: str) -> None:
    assert stages(node("A", f"x: ty.foreign({given})")).resolved_codes() == ["TS037"]
