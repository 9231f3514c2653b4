/*!
 * \file math_function.h
 * \brief The intrinsics of float32 that emitted code computes itself.
 *
 * Each one is a formula of `tir`, which becomes one function of C for each number of lanes.
 */
#ifndef UIR_TARGET_MATH_FUNCTION_H_
#define UIR_TARGET_MATH_FUNCTION_H_

#include <uir/target/math.h>

#include <string_view>

#include "./math_body.h"

namespace uir::target {

/*! \brief An intrinsic, and its formula. */
struct MathFunction {
  /*! \brief The name of the operator without `tir.`. */
  const char* name;
  /*! \brief The names of the parameters, of one letter each. */
  const char* params;
  /*! \brief The greatest error in units in the last place. */
  double max_ulp;
  ir::PrimExpr (*formula)(MathBody*);
};

/*! \brief The function of an intrinsic, or null. */
const MathFunction* FindMathFunction(std::string_view name);

/*! \brief Make the function for vectors of so many lanes, or for scalars. */
tir::PrimFunc MakeMathFunction(const MathFunction& function, int lanes);

// Exponentials and what is made of them (math_exponential.cc).
ir::PrimExpr Exp(MathBody* body);
ir::PrimExpr Exp2(MathBody* body);
ir::PrimExpr Exp10(MathBody* body);
ir::PrimExpr Sigmoid(MathBody* body);
ir::PrimExpr Tanh(MathBody* body);
ir::PrimExpr Erf(MathBody* body);

// Logarithms (math_logarithm.cc).
ir::PrimExpr Log(MathBody* body);
ir::PrimExpr Log2(MathBody* body);
ir::PrimExpr Log10(MathBody* body);
ir::PrimExpr Log1p(MathBody* body);

}  // namespace uir::target

#endif  // UIR_TARGET_MATH_FUNCTION_H_
