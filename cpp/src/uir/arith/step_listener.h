/*!
 * \file step_listener.h
 * \brief The interface by which a simplification reports its steps.
 *
 * Only applied steps are reported, not failed attempts, so that the simplification does the same
 * work without a listener.
 */
#ifndef UIR_ARITH_STEP_LISTENER_H_
#define UIR_ARITH_STEP_LISTENER_H_

#include <uir/ir/expr.h>

#include <optional>

#include "./pattern_match.h"
#include "./rewrite_rule.h"

namespace uir::arith {

/*! \brief A rule that is about to be applied. */
struct Firing {
  const RewriteRule& rule;
  const Shape& shape;
  const Match& match;
  /*! \brief The type of the result. */
  DLDataType dtype;
};

/*! \brief Receives the steps of a simplification; each `Begin` has its `End`. */
class StepListener {
 public:
  /*! \brief A rule matches, and its result is made next. */
  virtual void BeginRule(const Firing& firing) = 0;
  /*! \brief The result is made, or cannot be. */
  virtual void EndRule(const std::optional<ir::PrimExpr>& result) = 0;
  /*! \brief A part of a rule's result is made next. */
  virtual void BeginPart(const PatternNode* part, int place) = 0;
  virtual void EndPart(const PatternNode* part, const std::optional<ir::PrimExpr>& result) = 0;
  /*! \brief Two operands of a chain, which form a part of `chain`, are simplified together next. */
  virtual void BeginMeeting(const ir::PrimExpr& chain, int place) = 0;
  /*! \brief The result of both operands; None if no rule applies. */
  virtual void EndMeeting(const std::optional<ir::PrimExpr>& result) = 0;
  /*! \brief The present node becomes its canonical sum. */
  virtual void OnSum(const ir::PrimExpr& sum) = 0;

 protected:
  ~StepListener() = default;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_STEP_LISTENER_H_
