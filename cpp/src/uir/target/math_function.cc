// The float32 intrinsics that emitted code computes without libm.
#include "./math_function.h"

#include <tvm/ffi/error.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace uir::target {

namespace {

// tests/python/uir/target/test_math.py tries all arguments of functions of one, and random ones of
// the others, with an instruction for products and sums and without.
constexpr MathFunction kFunctions[] = {
    {"acos", "x", 1.3, Acos},   {"acosh", "x", 2.3, Acosh},     {"asin", "x", 2.5, Asin},
    {"asinh", "x", 1.6, Asinh}, {"atan", "x", 1.8, Atan},       {"atan2", "xy", 0.6, Atan2},
    {"atanh", "x", 1.9, Atanh}, {"cos", "x", 1.7, Cos},         {"cosh", "x", 1.1, Cosh},
    {"erf", "x", 1.5, Erf},     {"exp", "x", 1.1, Exp},         {"exp10", "x", 1.3, Exp10},
    {"exp2", "x", 1.2, Exp2},   {"expm1", "x", 1.7, Expm1},     {"log", "x", 1.0, Log},
    {"log10", "x", 1.0, Log10}, {"log1p", "x", 1.5, Log1p},     {"log2", "x", 1.2, Log2},
    {"pow", "xy", 0.6, Pow},    {"sigmoid", "x", 1.1, Sigmoid}, {"sin", "x", 1.7, Sin},
    {"sinh", "x", 1.1, Sinh},   {"tan", "x", 0.6, Tan},         {"tanh", "x", 1.5, Tanh},
};

}  // namespace

const MathFunction* FindMathFunction(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const MathFunction& function) { return name == function.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

tir::PrimFunc MakeMathFunction(const MathFunction& function, int lanes) {
  MathBody body(function.params, lanes);
  return body.Return(function.formula(&body));
}

tir::PrimFunc math_function(ffi::String name, int64_t lanes) {
  const MathFunction* function = FindMathFunction(std::string(name));
  if (function == nullptr) {
    std::string names;
    for (const MathFunction& known : kFunctions) {
      names += std::string(names.empty() ? "`" : ", `") + known.name + "`";
    }
    TVM_FFI_THROW(ValueError) << "`name` must be one of " << names << ", got `" << name << "`";
  }
  if (lanes < 1 || lanes > std::numeric_limits<int16_t>::max()) {
    TVM_FFI_THROW(ValueError) << "`lanes` must be from 1 to " << std::numeric_limits<int16_t>::max()
                              << ", got " << lanes;
  }
  return MakeMathFunction(*function, static_cast<int>(lanes));
}

ffi::Map<ffi::String, double> math_errors() {
  ffi::Map<ffi::String, double> errors;
  for (const MathFunction& function : kFunctions) errors.Set(function.name, function.max_ulp);
  return errors;
}

}  // namespace uir::target
