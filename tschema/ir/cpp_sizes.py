"""Sizes of types of the C++ standard library.

They are those of the Itanium C++ ABI with libstdc++ on 64-bit machines; emitted C++ asserts every
one that it relies on.  Each is a size and an alignment, in bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

Sizes = Mapping[str, tuple[int, int]]

_POINTER = (8, 8)

CLASS_SIZES: Sizes = {
    "std::any": (16, 8),
    "std::atomic_bool": (1, 1),
    "std::atomic_flag": (1, 1),
    "std::byte": (1, 1),
    "std::condition_variable": (48, 8),
    "std::condition_variable_any": (64, 8),
    "std::exception_ptr": _POINTER,
    "std::filesystem::path": (40, 8),
    "std::mt19937": (5000, 8),
    "std::mutex": (40, 8),
    "std::once_flag": (4, 4),
    "std::ostringstream": (376, 8),
    "std::recursive_mutex": (40, 8),
    "std::shared_mutex": (56, 8),
    "std::string": (32, 8),
    "std::string_view": (16, 8),
    "std::stringstream": (392, 8),
    "std::thread": _POINTER,
    "std::thread::id": _POINTER,
    "std::timed_mutex": (40, 8),
    "std::type_index": _POINTER,
    "std::chrono::hours": _POINTER,
    "std::chrono::microseconds": _POINTER,
    "std::chrono::milliseconds": _POINTER,
    "std::chrono::minutes": _POINTER,
    "std::chrono::nanoseconds": _POINTER,
    "std::chrono::seconds": _POINTER,
    "std::chrono::high_resolution_clock::time_point": _POINTER,
    "std::chrono::steady_clock::time_point": _POINTER,
    "std::chrono::system_clock::time_point": _POINTER,
    # An instance that is unlike its template.
    "std::vector<bool>": (40, 8),
}

TEMPLATE_SIZES: Sizes = {
    "std::basic_string": (32, 8),
    "std::deque": (80, 8),
    "std::forward_list": _POINTER,
    "std::function": (32, 8),
    "std::future": (16, 8),
    "std::list": (24, 8),
    "std::map": (48, 8),
    "std::multimap": (48, 8),
    "std::multiset": (48, 8),
    "std::priority_queue": (32, 8),
    "std::promise": (24, 8),
    "std::queue": (80, 8),
    "std::set": (48, 8),
    "std::shared_ptr": (16, 8),
    "std::stack": (80, 8),
    "std::unordered_map": (56, 8),
    "std::unordered_multimap": (56, 8),
    "std::unordered_multiset": (56, 8),
    "std::unordered_set": (56, 8),
    "std::vector": (24, 8),
    "std::weak_ptr": (16, 8),
}
"""Class templates whose size does not depend on their elements, with the default allocator, order
and hash function."""
