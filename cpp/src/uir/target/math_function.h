/*!
 * \file math_function.h
 * \brief The float32 intrinsics that emitted code computes without libm.
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

/*! \brief Make the function for vectors of `lanes` lanes, or for scalars. */
tir::PrimFunc MakeMathFunction(const MathFunction& function, int lanes);

/*! \brief `2**n * (1 + f)`, the parts of a number, with `1 + f` from sqrt(1/2) to sqrt(2). */
struct Parts {
  /*! \brief The exponent, an int32. */
  ir::PrimExpr n;
  /*! \brief A float32. */
  ir::PrimExpr f;
};

/*! \brief Split a positive number, which may be subnormal (math_logarithm.cc). */
Parts SplitAny(MathBody* body, const ir::PrimExpr& x);

// Exponentials, and functions built from them (math_exponential.cc).
ir::PrimExpr Exp(MathBody* body);
ir::PrimExpr Exp2(MathBody* body);
ir::PrimExpr Exp10(MathBody* body);
ir::PrimExpr Expm1(MathBody* body);
ir::PrimExpr Sigmoid(MathBody* body);
ir::PrimExpr Tanh(MathBody* body);
ir::PrimExpr Erf(MathBody* body);

ir::PrimExpr Sinh(MathBody* body);
ir::PrimExpr Cosh(MathBody* body);

// Logarithms, and functions built from them (math_logarithm.cc).
ir::PrimExpr Log(MathBody* body);
ir::PrimExpr Log2(MathBody* body);
ir::PrimExpr Log10(MathBody* body);
ir::PrimExpr Log1p(MathBody* body);
ir::PrimExpr Asinh(MathBody* body);
ir::PrimExpr Acosh(MathBody* body);
ir::PrimExpr Atanh(MathBody* body);

// Powers (math_power.cc).
ir::PrimExpr Pow(MathBody* body);

// Functions of angles (math_trigonometry.cc).
ir::PrimExpr Sin(MathBody* body);
ir::PrimExpr Cos(MathBody* body);
ir::PrimExpr Tan(MathBody* body);
ir::PrimExpr Asin(MathBody* body);
ir::PrimExpr Acos(MathBody* body);
ir::PrimExpr Atan(MathBody* body);
ir::PrimExpr Atan2(MathBody* body);

}  // namespace uir::target

#endif  // UIR_TARGET_MATH_FUNCTION_H_
