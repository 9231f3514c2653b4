"""Words that a target language reserves.

In: a name.  Out: how a language spells it.  A language is one line in the table.
"""

from __future__ import annotations

from collections.abc import Mapping

_CPP_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t
    while xor xor_eq
"""

# Macros of the C and C++ libraries and of compilers, which would replace the name.
_CPP_MACROS = """
    BUFSIZ CHAR_BIT EDOM EILSEQ EOF ERANGE EXIT_FAILURE EXIT_SUCCESS FILENAME_MAX HUGE_VAL INFINITY
    INT16_C INT16_MAX INT16_MIN INT32_C INT32_MAX INT32_MIN INT64_C INT64_MAX INT64_MIN INT8_C
    INT8_MAX INT8_MIN INTPTR_MAX INT_MAX INT_MIN LONG_MAX LONG_MIN NAN NDEBUG NULL PTRDIFF_MAX
    RAND_MAX SEEK_CUR SEEK_END SEEK_SET SIGABRT SIGINT SIGSEGV SIGTERM SIZE_MAX UINT16_C UINT16_MAX
    UINT32_C UINT32_MAX UINT64_C UINT64_MAX UINT8_C UINT8_MAX UINT_MAX assert errno i386 linux major
    makedev minor offsetof setjmp stderr stdin stdout unix va_arg va_copy va_end va_start
"""

_PYTHON_KEYWORDS = """
    False None True and as assert async await break class continue def del elif else except finally
    for from global if import in is lambda nonlocal not or pass raise return try while with yield
"""

_RUST_KEYWORDS = """
    Self abstract as async await become box break const continue crate do dyn else enum extern false
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self
    static struct super trait true try type typeof unsafe unsized use virtual where while yield
"""

KEYWORDS: Mapping[str, frozenset[str]] = {
    "C++": frozenset(f"{_CPP_KEYWORDS} {_CPP_MACROS}".split()),
    "Python": frozenset(_PYTHON_KEYWORDS.split()),
    "Rust": frozenset(_RUST_KEYWORDS.split()),
}
"""Names that a language cannot declare as they are."""

_RUST_PATHS = frozenset({"Self", "crate", "self", "super"})
"""Words that Rust does not take as `r#self` either."""


def escaped(name: str, language: str) -> str:
    """Return how a language spells a name that it reserves: `template_`, `r#where`, `crate_`."""
    if name not in KEYWORDS[language]:
        return name
    return f"r#{name}" if language == "Rust" and name not in _RUST_PATHS else f"{name}_"
