// Identifiers of C for the variables of a function.
#include "./names.h"

#include <algorithm>

#include "./c_types.h"
#include "./intrinsics.h"
#include "./prelude.h"

namespace uir::target {

namespace {

bool IsDigit(char c) { return '0' <= c && c <= '9'; }

bool IsLetter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }

/*! \brief Words of C, and names of its headers that emitted code may use. */
const std::unordered_set<std::string_view>& Words() {
  static const auto* const words = new std::unordered_set<std::string_view>{
      "auto",     "break",  "case",     "char",     "const",    "continue", "default",  "do",
      "double",   "else",   "enum",     "extern",   "float",    "for",      "goto",     "if",
      "inline",   "int",    "long",     "register", "restrict", "return",   "short",    "signed",
      "sizeof",   "static", "struct",   "switch",   "typedef",  "union",    "unsigned", "void",
      "volatile", "while",  "bool",     "true",     "false",    "asm",      "typeof",   "linux",
      "unix",     "i386",   "free",     "main",     "isnan",    "isinf",    "isfinite", "result",
      "self",     "args",   "num_args", "outputs"};
  return *words;
}

/*! \brief Macros of the headers, in small letters, and words of C23. */
const std::unordered_set<std::string_view>& Macros() {
  static const auto* const macros = new std::unordered_set<std::string_view>{
      "alignas",        "alignof",      "alloca",         "assert",        "constexpr",
      "errno",          "fpclassify",   "iscanonical",    "iseqsig",       "isgreater",
      "isgreaterequal", "isless",       "islessequal",    "islessgreater", "isnormal",
      "issignaling",    "issubnormal",  "isunordered",    "iszero",        "math_errhandling",
      "nullptr",        "offsetof",     "sched_priority", "sigmask",       "signbit",
      "static_assert",  "stderr",       "stdin",          "stdout",        "strdupa",
      "strndupa",       "thread_local", "typeof_unqual",  "unreachable",   "be16toh",
      "be32toh",        "be64toh",      "htobe16",        "htobe32",       "htobe64",
      "htole16",        "htole32",      "htole64",        "le16toh",       "le32toh",
      "le64toh"};
  return *macros;
}

/*!
 * \brief Whether a name may be a macro, a type or a constant of the headers or of the text:
 * `INT32_MAX`, `M_PIf`, `SYS_exit`, `DLTensor`, `kInt`.
 */
bool IsOfHeaders(std::string_view name) {
  if (Macros().count(name) != 0) return true;
  for (const char* prefix : {"M_", "SYS_", "bit_", "signature_", "si_", "sa_", "sigev_", "pthread_",
                             "va_", "L_", "P_", "DL", "TVMFFI"}) {
    if (name.rfind(prefix, 0) == 0) return true;
  }
  const bool is_constant = name.size() > 1 && name[0] == 'k' && 'A' <= name[1] && name[1] <= 'Z';
  const bool has_small =
      std::any_of(name.begin(), name.end(), [](char c) { return 'a' <= c && c <= 'z'; });
  return is_constant || (name.size() > 2 && !has_small);
}

/*! \brief Whether a name is that of an intrinsic for a data type: `exp_float32x8`, or of the
 * function that calls it, `call_exp_float32x8`. */
bool IsInstance(std::string_view name) {
  constexpr std::string_view kCall = "call_";
  if (name.substr(0, kCall.size()) == kCall) return IsInstance(name.substr(kCall.size()));
  const size_t end = name.rfind('_');
  return end != name.npos && IsTypeSuffix(name.substr(end + 1)) &&
         (FindIntrinsic(name.substr(0, end), true) != nullptr ||
          IsLibraryFunction(name.substr(0, end)));
}

bool IsReserved(std::string_view name) {
  // Functions of the module end with an underscore, types of C with `_t`.
  return Words().count(name) != 0 || IsTypeSuffix(name) || IsLibraryFunction(name) ||
         IsHelperName(name) || IsInstance(name) || name.back() == '_' ||
         (name.size() > 2 && name.substr(name.size() - 2) == "_t");
}

}  // namespace

bool IsIdentifier(std::string_view text) {
  return !text.empty() && !IsDigit(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLetter(c) || IsDigit(c); });
}

std::string Identifier(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) name += IsLetter(c) || IsDigit(c) ? c : '_';
  // Names that begin with underscores belong to the compiler.
  if (name.empty() || IsDigit(name[0]) || name[0] == '_') name.insert(0, "v");
  return name;
}

std::string Names::Take(std::string_view wanted) {
  const std::string identifier = Identifier(wanted);
  const std::string name = IsOfHeaders(identifier) ? "v_" + identifier : identifier;
  // A number without a separator might give a reserved name: `min_float`, `min_float32`.
  const std::string separator = IsDigit(name.back()) || IsReserved(name) ? "_" : "";
  std::string free = name;
  const int known = next_.count(name) != 0 ? next_[name] : 0;
  int number = known;
  if (number != 0) free = name + separator + std::to_string(number);
  while (IsReserved(free) || taken_.count(free) != 0) {
    free = name + separator + std::to_string(++number);
  }
  next_[name] = number + 1;
  taken_.insert(free);
  order_.push_back({free, name, known});
  return free;
}

void Names::Close() {
  for (; order_.size() > starts_.back(); order_.pop_back()) {
    const Taken& last = order_.back();
    taken_.erase(last.name);
    next_[last.base] = last.next_before;
  }
  starts_.pop_back();
}

}  // namespace uir::target
