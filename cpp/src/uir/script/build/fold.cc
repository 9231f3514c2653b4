// Operations on values that Python knows: numbers, strings, booleans and data types around a text.
#include "./fold.h"

#include <tvm/ffi/dtype.h>

#include <cmath>
#include <optional>
#include <string>

namespace uir::script {

namespace {

using Folded = std::optional<ffi::Any>;

/*! \brief Whether a value is a literal of the text, perhaps with a sign. */
bool IsLiteral(const SyntaxNode* node) {
  const Syntax kind = node->kind == Syntax::kUnary ? (*node)[0]->kind : node->kind;
  switch (kind) {
    case Syntax::kInt:
    case Syntax::kFloat:
    case Syntax::kString:
    case Syntax::kTrue:
    case Syntax::kFalse:
      return true;
    default:
      return false;
  }
}

bool IsInt(const ffi::Any& value) {
  return value.type_index() == kTVMFFIInt || value.type_index() == kTVMFFIBool;
}

bool IsIntOrFloat(const ffi::Any& value) {
  return IsInt(value) || value.type_index() == kTVMFFIFloat;
}

/*! \brief The text of a string or a data type. */
std::optional<std::string> TextOf(const ffi::Any& value) {
  if (const auto text = value.as<ffi::String>()) return std::string(*text);
  if (value.type_index() != kTVMFFIDataType) return std::nullopt;
  return std::string(ffi::DLDataTypeToString(value.cast<DLDataType>()));
}

int64_t IntOf(const ffi::Any& value) { return value.cast<int64_t>(); }

double FloatOf(const ffi::Any& value) {
  return IsInt(value) ? static_cast<double>(IntOf(value)) : value.cast<double>();
}

template <typename T>
Folded Compare(std::string_view symbol, const T& a, const T& b) {
  if (symbol == "==") return ffi::Any(a == b);
  if (symbol == "!=") return ffi::Any(a != b);
  if (symbol == "<") return ffi::Any(a < b);
  if (symbol == "<=") return ffi::Any(a <= b);
  if (symbol == ">") return ffi::Any(a > b);
  if (symbol == ">=") return ffi::Any(a >= b);
  return std::nullopt;
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0))); }

Folded Power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (i == 64 || __builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return ffi::Any(result);
}

/*! \brief Arithmetic that can leave the range of 64 bits. */
Folded FoldSum(std::string_view symbol, int64_t a, int64_t b) {
  int64_t result = 0;
  const bool is_too_large = symbol == "+"   ? __builtin_add_overflow(a, b, &result)
                            : symbol == "-" ? __builtin_sub_overflow(a, b, &result)
                                            : __builtin_mul_overflow(a, b, &result);
  return is_too_large ? std::nullopt : Folded(ffi::Any(result));
}

Folded FoldInts(std::string_view symbol, int64_t a, int64_t b) {
  if (symbol == "+" || symbol == "-" || symbol == "*") return FoldSum(symbol, a, b);
  const bool is_quotient = b != 0 && !(a == INT64_MIN && b == -1);
  if (symbol == "//" && is_quotient) return ffi::Any(FloorDivide(a, b));
  if (symbol == "%" && is_quotient) return ffi::Any(a - FloorDivide(a, b) * b);
  if (symbol == "/" && b != 0) return ffi::Any(static_cast<double>(a) / static_cast<double>(b));
  if (symbol == "**" && b >= 0) return Power(a, b);
  if (symbol == "&") return ffi::Any(a & b);
  if (symbol == "|") return ffi::Any(a | b);
  if (symbol == "^") return ffi::Any(a ^ b);
  if (symbol == ">>" && 0 <= b && b < 64) return ffi::Any(a >> b);
  if (symbol == "<<" && 0 <= b && b < 62) return FoldSum("*", a, int64_t{1} << b);
  return Compare(symbol, a, b);
}

Folded FoldFloats(std::string_view symbol, double a, double b) {
  if (symbol == "+") return ffi::Any(a + b);
  if (symbol == "-") return ffi::Any(a - b);
  if (symbol == "*") return ffi::Any(a * b);
  if (symbol == "/" && b != 0) return ffi::Any(a / b);
  if (symbol == "//" && b != 0) return ffi::Any(std::floor(a / b));
  if (symbol == "**") return ffi::Any(std::pow(a, b));
  return Compare(symbol, a, b);
}

}  // namespace

bool IsFolded(const ffi::Any& value, const SyntaxNode* node) {
  return !IsLiteral(node) && (IsIntOrFloat(value) || TextOf(value).has_value());
}

std::optional<bool> FoldedTruth(const ffi::Any& value, const SyntaxNode* node) {
  if (!IsFolded(value, node)) return std::nullopt;
  return IsIntOrFloat(value) ? FloatOf(value) != 0 : !TextOf(value)->empty();
}

std::optional<ffi::Any> FoldUnary(std::string_view symbol, const ffi::Any& value) {
  if (symbol == "not")
    return ffi::Any(IsIntOrFloat(value) ? FloatOf(value) == 0 : TextOf(value)->empty());
  if (!IsIntOrFloat(value)) return std::nullopt;
  if (symbol == "+") return value;
  if (symbol == "-")
    return IsInt(value) ? FoldSum("-", 0, IntOf(value)) : ffi::Any(-FloatOf(value));
  return symbol == "~" && IsInt(value) ? Folded(ffi::Any(~IntOf(value))) : std::nullopt;
}

std::optional<ffi::Any> FoldBinary(std::string_view symbol, const ffi::Any& a, const ffi::Any& b) {
  if (IsInt(a) && IsInt(b)) return FoldInts(symbol, IntOf(a), IntOf(b));
  if (IsIntOrFloat(a) && IsIntOrFloat(b)) return FoldFloats(symbol, FloatOf(a), FloatOf(b));
  const std::optional<std::string> first = TextOf(a);
  const std::optional<std::string> second = TextOf(b);
  if (!first || !second) return std::nullopt;
  if (symbol == "+") return ffi::Any(ffi::String(*first + *second));
  return symbol == "==" || symbol == "!=" ? Compare(symbol, *first, *second) : std::nullopt;
}

}  // namespace uir::script
