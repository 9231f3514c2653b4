// Built-in functions of Python: `min`, `max`, `abs` and `int` of numbers and of expressions.
#include <uir/script/forms.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "./builder_state.h"
#include "./fold.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief The arguments, or the elements of the only one. */
std::vector<ffi::Any> ReadValues(Builder* builder, const SyntaxNode* call) {
  std::vector<ffi::Any> values;
  call = Spread(builder, call);
  for (uint32_t i = 1; i < call->size; ++i) {
    if ((*call)[i]->kind == Syntax::kKeyword) builder->Fail((*call)[i], "expected a value");
    values.push_back(builder->Operand((*call)[i]));
  }
  if (values.size() == 1) {
    if (const auto elements = values[0].as<ffi::Array<ffi::Any>>()) {
      values.assign(elements->begin(), elements->end());
    }
  }
  if (values.empty()) builder->Fail(call, "expected a value");
  return values;
}

constexpr char kMin[] = "<";
constexpr char kMax[] = ">";

/*! \brief `min(a, b)`: of numbers a number, of expressions `tir.min`. */
template <const char* kIsBetter, PrimExpr (*kMake)(PrimExpr, PrimExpr, ffi::Optional<ir::Span>)>
ffi::Any ReadExtreme(Builder* builder, const SyntaxNode* call) {
  const std::vector<ffi::Any> values = ReadValues(builder, call);
  ffi::Any best = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    if (const auto is_better = FoldBinary(kIsBetter, values[i], best)) {
      if (is_better->cast<bool>()) best = values[i];
      continue;
    }
    const auto like = [&](const ffi::Any& other) {
      const auto expr = other.as<PrimExpr>();
      return expr ? (*expr)->dtype : kNoType;
    };
    const PrimExpr a = builder->ToExpr(best, call, like(values[i]));
    const PrimExpr b = builder->ToExpr(values[i], call, a->dtype);
    best = builder->At(call, [&] { return kMake(a, b, std::nullopt); });
  }
  return best;
}

ffi::Any ReadAbs(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"x"});
  const SyntaxNode* node = arguments.Required("x");
  const ffi::Any value = builder->Operand(node);
  if (value.type_index() == kTVMFFIInt) return std::llabs(value.cast<int64_t>());
  if (value.type_index() == kTVMFFIFloat) return std::fabs(value.cast<double>());
  const PrimExpr expr = builder->ToExpr(value, node);
  return builder->At(call, [&] {
    return builder->Spanned(tir::call_intrin(expr->dtype, "tir.abs", {expr}), call);
  });
}

/*! \brief `int(x)` of a number, or of a constant. */
ffi::Any ReadIntCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"x"});
  const SyntaxNode* node = arguments.Required("x");
  const ffi::Any value = builder->Operand(node);
  if (value.type_index() == kTVMFFIInt || value.type_index() == kTVMFFIBool) {
    return value.cast<int64_t>();
  }
  if (value.type_index() == kTVMFFIFloat) {
    const double number = std::trunc(value.cast<double>());
    constexpr double kLimit = 9.2e18;
    if (std::fabs(number) < kLimit) return static_cast<int64_t>(number);
  }
  if (const auto* constant = value.as<ir::IntImmNode>()) return constant->value;
  builder->Fail(node, "expected a number", "`tir.int32(x)` converts an expression");
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("min", &ReadExtreme<kMin, &tir::min>);
  RegisterSyntax("max", &ReadExtreme<kMax, &tir::max>);
  RegisterSyntax("abs", &ReadAbs);
  RegisterSyntax("int", &ReadIntCall);
}

}  // namespace

}  // namespace uir::script
