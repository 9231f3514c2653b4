// The operators of `tir` that are one operator or one function in C.
#include "./intrinsics.h"

#include <algorithm>
#include <iterator>

namespace uir::target {

namespace {

using Kind = IntrinsicKind;

constexpr Intrinsic kIntrinsics[] = {
    {"shift_left", Kind::kInfix, "<<", Binding::kShift},
    {"shift_right", Kind::kInfix, ">>", Binding::kShift},
    {"bitwise_and", Kind::kInfix, "&", Binding::kBitAnd},
    {"bitwise_or", Kind::kInfix, "|", Binding::kBitOr},
    {"bitwise_xor", Kind::kInfix, "^", Binding::kBitXor},
    {"abs", Kind::kLibrary, "fabs"},
    {"acos", Kind::kLibrary, "acos"},
    {"acosh", Kind::kLibrary, "acosh"},
    {"asin", Kind::kLibrary, "asin"},
    {"asinh", Kind::kLibrary, "asinh"},
    {"atan", Kind::kLibrary, "atan"},
    {"atan2", Kind::kLibrary, "atan2"},
    {"atanh", Kind::kLibrary, "atanh"},
    {"ceil", Kind::kLibrary, "ceil"},
    {"copysign", Kind::kLibrary, "copysign"},
    {"cos", Kind::kLibrary, "cos"},
    {"cosh", Kind::kLibrary, "cosh"},
    {"erf", Kind::kLibrary, "erf"},
    {"exp", Kind::kLibrary, "exp"},
    {"exp2", Kind::kLibrary, "exp2"},
    {"expm1", Kind::kLibrary, "expm1"},
    {"floor", Kind::kLibrary, "floor"},
    {"fma", Kind::kLibrary, "fma"},
    {"fmod", Kind::kLibrary, "fmod"},
    {"hypot", Kind::kLibrary, "hypot"},
    {"log", Kind::kLibrary, "log"},
    {"log10", Kind::kLibrary, "log10"},
    {"log1p", Kind::kLibrary, "log1p"},
    {"log2", Kind::kLibrary, "log2"},
    {"nearbyint", Kind::kLibrary, "nearbyint"},
    {"nextafter", Kind::kLibrary, "nextafter"},
    {"pow", Kind::kLibrary, "pow"},
    // Both round ties to even; `round` of C does not.
    {"round", Kind::kLibrary, "nearbyint"},
    {"sin", Kind::kLibrary, "sin"},
    {"sinh", Kind::kLibrary, "sinh"},
    {"sqrt", Kind::kLibrary, "sqrt"},
    {"tan", Kind::kLibrary, "tan"},
    {"tanh", Kind::kLibrary, "tanh"},
    {"trunc", Kind::kLibrary, "trunc"},
    {"isfinite", Kind::kPredicate, "isfinite"},
    {"isinf", Kind::kPredicate, "isinf"},
    {"isnan", Kind::kPredicate, "isnan"},
    {"exp10", Kind::kFloatHelper, "exp10"},
    {"multiply_add", Kind::kFloatHelper, "multiply_add"},
    {"rsqrt", Kind::kFloatHelper, "rsqrt"},
    {"sigmoid", Kind::kFloatHelper, "sigmoid"},
    {"abs", Kind::kIntHelper, "abs"},
    {"clz", Kind::kIntHelper, "clz"},
    {"dot4", Kind::kIntHelper, "dot4"},
    {"popcount", Kind::kIntHelper, "popcount"},
    {"pow", Kind::kIntHelper, "pow"},
};

bool TakesFloat(Kind kind) {
  return kind == Kind::kLibrary || kind == Kind::kPredicate || kind == Kind::kFloatHelper;
}

}  // namespace

const Intrinsic* FindIntrinsic(std::string_view name, bool is_float) {
  const auto* found =
      std::find_if(std::begin(kIntrinsics), std::end(kIntrinsics), [&](const Intrinsic& intrinsic) {
        return name == intrinsic.name && TakesFloat(intrinsic.kind) == is_float;
      });
  return found == std::end(kIntrinsics) ? nullptr : found;
}

bool IsLibraryFunction(std::string_view name) {
  return std::any_of(
      std::begin(kIntrinsics), std::end(kIntrinsics), [&](const Intrinsic& intrinsic) {
        const std::string_view in_c = intrinsic.in_c;
        const bool begins = TakesFloat(intrinsic.kind) && name.substr(0, in_c.size()) == in_c;
        return begins && (name.size() == in_c.size() || name.substr(in_c.size()) == "f");
      });
}

}  // namespace uir::target
