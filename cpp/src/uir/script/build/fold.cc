// Operations on values that Python knows: numbers, strings, booleans and data types around a text.
#include "./fold.h"

#include <tvm/ffi/dtype.h>
#include <uir/ir/scalar_op.h>

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

Folded FoldInts(ir::ScalarOp op, int64_t a, int64_t b) {
  if (op == ir::ScalarOp::kDiv) {
    return b == 0 ? std::nullopt : Folded(static_cast<double>(a) / static_cast<double>(b));
  }
  const std::optional<int64_t> value = ir::Evaluate(op, a, b);
  if (!value) return std::nullopt;
  return ir::IsComparison(op) ? ffi::Any(*value != 0) : ffi::Any(*value);
}

Folded FoldFloats(ir::ScalarOp op, double a, double b) {
  const bool is_defined =
      op != ir::ScalarOp::kFloorMod && !ir::IsBitwise(op) && !(ir::IsDivision(op) && b == 0);
  if (!is_defined) return std::nullopt;
  const double value = ir::Evaluate(op, a, b);
  return ir::IsComparison(op) ? ffi::Any(value != 0) : ffi::Any(value);
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
    return IsInt(value) ? FoldInts(ir::ScalarOp::kSub, 0, IntOf(value)) : ffi::Any(-FloatOf(value));
  return symbol == "~" && IsInt(value) ? Folded(ffi::Any(~IntOf(value))) : std::nullopt;
}

std::optional<ffi::Any> FoldBinary(std::string_view symbol, const ffi::Any& a, const ffi::Any& b) {
  if (IsIntOrFloat(a) && IsIntOrFloat(b)) {
    const std::optional<ir::ScalarOp> op = ir::FindSymbol(symbol);
    if (!op || ir::IsLogical(*op)) return std::nullopt;
    return IsInt(a) && IsInt(b) ? FoldInts(*op, IntOf(a), IntOf(b))
                                : FoldFloats(*op, FloatOf(a), FloatOf(b));
  }
  const std::optional<std::string> first = TextOf(a);
  const std::optional<std::string> second = TextOf(b);
  if (!first || !second) return std::nullopt;
  if (symbol == "+") return ffi::Any(ffi::String(*first + *second));
  if (symbol == "==") return ffi::Any(*first == *second);
  return symbol == "!=" ? Folded(ffi::Any(*first != *second)) : std::nullopt;
}

}  // namespace uir::script
