/*!
 * \file math_body.h
 * \brief Builds the body of a mathematical function.
 *
 * In: formulas over the parameters. Out: a function of `tir` on scalars or on vectors.
 *
 * Formulas must not compare vectors of float64: if these are wider than those of the machine,
 * compilers split them into scalars for comparisons.
 */
#ifndef UIR_TARGET_MATH_BODY_H_
#define UIR_TARGET_MATH_BODY_H_

#include <uir/ir/dtype.h>
#include <uir/tir/function.h>
#include <uir/tir/operators.h>

#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

namespace uir::target {

namespace ffi = ::tvm::ffi;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/*! \brief The bits of the fraction of a float32. */
inline constexpr int kFractionBits = 23;
/*! \brief 1.5 * 2**23: a sum with it is rounded to an integer, which its low bits hold. */
inline constexpr double kRounding = 12582912.0;

/*! \brief The body of a function of float32. */
class MathBody {
 public:
  /*! \brief Begin a function whose parameters have names of one letter each. */
  MathBody(std::string_view params, int lanes);

  /*! \brief The first parameter. */
  ir::PrimExpr x() const { return params_[0]; }
  /*! \brief The second parameter. */
  ir::PrimExpr y() const { return params_[1]; }

  /*! \brief Name a value, which is computed once. */
  ir::PrimExpr Let(const char* name, ir::PrimExpr value);
  /*! \brief A number in all lanes. */
  ir::PrimExpr Number(double value) const;
  /*! \brief A float64 in all lanes. */
  ir::PrimExpr Wide(double value) const;
  /*! \brief The bits of a float32 as an int32. */
  ir::PrimExpr Bits(ir::PrimExpr value) const;
  /*! \brief The float32 of such bits. */
  ir::PrimExpr FromBits(ir::PrimExpr bits) const;
  /*! \brief The bits of a float64 as an int64. */
  ir::PrimExpr WideBits(ir::PrimExpr value) const;
  /*! \brief The float64 of such bits. */
  ir::PrimExpr FromWideBits(ir::PrimExpr bits) const;
  /*! \brief An integer as an int64. */
  ir::PrimExpr ToInt64(ir::PrimExpr value) const;
  /*! \brief A number as a float32. */
  ir::PrimExpr ToFloat(ir::PrimExpr value) const;
  /*! \brief A number as a float64. */
  ir::PrimExpr ToDouble(ir::PrimExpr value) const;
  /*! \brief The value of another intrinsic of one operand. */
  ir::PrimExpr Call(const char* name, ir::PrimExpr x) const;
  /*! \brief The value that a condition chooses in each lane; both are computed. */
  ir::PrimExpr Select(ir::PrimExpr condition, ir::PrimExpr a, ir::PrimExpr b) const;
  /*! \brief The value without its sign. */
  ir::PrimExpr Abs(const ir::PrimExpr& value) const;
  /*! \brief A value that is not negative, with the sign of another one. */
  ir::PrimExpr WithSign(const ir::PrimExpr& value, const ir::PrimExpr& sign) const;
  /*! \brief A value, or the argument where that is NaN. */
  ir::PrimExpr UnlessNaN(const ir::PrimExpr& arg, const ir::PrimExpr& value) const;

  /*! \brief End the function, which returns a value. */
  tir::PrimFunc Return(const ir::PrimExpr& value) const;

 private:
  DLDataType TypeOf(DLDataType element) const { return ir::WithLanes(element, lanes_); }

  int lanes_;
  ffi::Array<tir::Var> params_;
  ffi::Array<tir::Stmt> lines_;
};

/*! \brief `a * b + c` in one instruction where the machine has it; numbers are in all lanes. */
ir::PrimExpr MultiplyAdd(const ir::PrimExpr& a, const ir::PrimExpr& b, const ir::PrimExpr& c);
ir::PrimExpr MultiplyAdd(const ir::PrimExpr& a, const ir::PrimExpr& b, double c);
ir::PrimExpr MultiplyAdd(const ir::PrimExpr& a, double b, const ir::PrimExpr& c);
ir::PrimExpr MultiplyAdd(const ir::PrimExpr& a, double b, double c);

/*! \brief The value of a polynomial by Horner's rule; the coefficients begin with the constant. */
ir::PrimExpr Polynomial(const ir::PrimExpr& x, std::initializer_list<double> coefficients);

}  // namespace uir::target

#endif  // UIR_TARGET_MATH_BODY_H_
