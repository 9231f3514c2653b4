/*!
 * \file needed_facts.h
 * \brief Which of an analyzer's facts a conclusion rests on.
 */
#ifndef UIR_ARITH_NEEDED_FACTS_H_
#define UIR_ARITH_NEEDED_FACTS_H_

#include <tvm/ffi/container/array.h>
#include <uir/ir/expr.h>

#include <functional>

#include "./constraint_set.h"

namespace uir::arith {

/*!
 * \brief The facts without one of which a conclusion about an expression is not drawn.
 *
 * They are found by leaving facts out: first all of them, then one after the other, as delta
 * debugging does (Zeller and Hildebrandt, 2002).
 * \param known All facts.
 * \param expr The expression.
 * \param holds Whether the conclusion is drawn from a set of facts.
 * \return Conditions that are true by these facts; those that cannot be written are missing.
 */
ffi::Array<ir::PrimExpr> NeededFacts(const ConstraintSet& known, const ir::PrimExpr& expr,
                                     const std::function<bool(const ConstraintSet&)>& holds);

}  // namespace uir::arith

#endif  // UIR_ARITH_NEEDED_FACTS_H_
