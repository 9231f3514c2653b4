/*!
 * \file constant_data.h
 * \brief The constants of functions that allocate tensors for others.
 */
#ifndef UIR_SCHEDULE_CONSTANT_DATA_H_
#define UIR_SCHEDULE_CONSTANT_DATA_H_

#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>

#include <cstdint>
#include <optional>

namespace uir::schedule {

/*! \brief The attribute of a function with its constants. */
inline constexpr const char* kConstants = "constants";

/*! \brief The index of the constant whose address an expression is. */
inline std::optional<int64_t> ConstantOf(const ir::PrimExpr& expr) {
  static const ir::Op constant_data = ir::get_op("tir.constant_data");
  const auto* call = expr.as<tir::CallNode>();
  if (call == nullptr || !call->op.same_as(constant_data)) return std::nullopt;
  return tir::IntConstOf(call->args[0]);
}

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CONSTANT_DATA_H_
