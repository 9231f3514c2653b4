// Identifiers of C for the variables of a function.
#include "./names.h"

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
      "auto",      "break",  "case",   "char",     "const",    "continue", "default",  "do",
      "double",    "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
      "inline",    "int",    "long",   "register", "restrict", "return",   "short",    "signed",
      "sizeof",    "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
      "volatile",  "while",  "bool",   "true",     "false",    "asm",      "typeof",   "linux",
      "unix",      "i386",   "free",   "main",     "NULL",     "INFINITY", "NAN",      "INT32_MIN",
      "INT64_MIN", "isnan",  "isinf",  "isfinite", "result",   "self",     "args",     "num_args",
      "outputs"};
  return *words;
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

std::string Identifier(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) name += IsLetter(c) || IsDigit(c) ? c : '_';
  // Names that begin with underscores belong to the compiler.
  if (name.empty() || IsDigit(name[0]) || name[0] == '_') name.insert(0, "v");
  return name;
}

std::string Names::Take(std::string_view wanted) {
  const std::string name = Identifier(wanted);
  // A number alone might make a reserved name of another one: `min_float`, `min_float32`.
  const std::string separator = IsDigit(name.back()) || IsReserved(name) ? "_" : "";
  std::string free = name;
  for (int i = 1; IsReserved(free) || taken_.count(free) != 0; ++i) {
    free = name + separator + std::to_string(i);
  }
  taken_.insert(free);
  order_.push_back(free);
  return free;
}

void Names::Close() {
  for (; order_.size() > starts_.back(); order_.pop_back()) taken_.erase(order_.back());
  starts_.pop_back();
}

}  // namespace uir::target
