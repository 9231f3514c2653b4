/*!
 * \file linear_form.h
 * \brief How an index depends on a variable.
 */
#ifndef UIR_SCHEDULE_LINEAR_FORM_H_
#define UIR_SCHEDULE_LINEAR_FORM_H_

#include <uir/tir/var.h>

#include <cstdint>
#include <optional>

namespace uir::schedule {

/*! \brief The sum `factor * var + start`, of which `start` does not use the variable. */
struct LinearForm {
  int64_t factor;
  ir::PrimExpr start;
};

/*! \brief The form of an index in a variable; none if it has no constant factor. */
std::optional<LinearForm> LinearIn(const ir::PrimExpr& index, const tir::Var& var);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LINEAR_FORM_H_
