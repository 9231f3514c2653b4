// Whether the functions of mathematics that a function calls are inlined.
#include "./math_calls.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/expr.h>

#include <string_view>

#include "./constant_power.h"
#include "./math_function.h"

namespace uir::target {

namespace {

/*! \brief The least number of calls that are not inlined. */
constexpr int kManyCalls = 8;

bool IsVectorMath(const tir::CallNode* op) {
  constexpr std::string_view kDialect = "tir.";
  const auto* callee = op->op.as<ir::OpNode>();
  if (callee == nullptr || ir::IsScalar(op->dtype)) return false;
  const std::string_view name(callee->name.data(), callee->name.size());
  if (name == "tir.pow" && ConstantPower(op).has_value()) return false;
  return name.substr(0, kDialect.size()) == kDialect &&
         FindMathFunction(name.substr(kDialect.size())) != nullptr;
}

}  // namespace

bool CallsMathOutOfLine(const tir::PrimFuncNode* func) {
  int num_calls = 0;
  tschema::Walk(func->body, [&](const tir::CallNode* op) { num_calls += IsVectorMath(op); });
  return num_calls >= kManyCalls;
}

}  // namespace uir::target
