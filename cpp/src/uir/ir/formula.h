/*!
 * \file formula.h
 * \brief Formulas: the expressions in declarations and rules, parsed once, evaluated in a domain.
 *
 * They have Python's syntax. One parser reads the formulas of operators (`relay`), those of rewrite
 * rules (`arith`, `transform`), and conditions; who reads a formula gives names and calls their
 * meaning.
 */
#ifndef UIR_SRC_IR_FORMULA_H_
#define UIR_SRC_IR_FORMULA_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/ir/scalar_op.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uir::ir {

namespace ffi = ::tvm::ffi;

/*! \brief The kind of an expression; the comments list its parts. */
enum class FormulaKind : uint8_t {
  kInteger,
  /*! \brief `True` or `False`, an integer. */
  kBoolean,
  kFloat,
  kName,
  /*! \brief A `ScalarOp` on one part. */
  kUnary,
  /*! \brief A `ScalarOp` on two parts. */
  kBinary,
  /*! \brief Value, condition, other value: `a if c else b`. */
  kConditional,
  /*! \brief A function of the parts, by name. */
  kCall,
  /*! \brief The list and the index, or the tensor and its indices. */
  kIndex,
  /*! \brief `*b` among indices: any number of them. */
  kPack,
  kList,
  /*! \brief A named argument of a call: its value. */
  kKeyword,
};

struct Formula {
  FormulaKind kind = FormulaKind::kInteger;
  ScalarOp op = ScalarOp::kAdd;
  int64_t integer = 0;
  double real = 0;
  /*! \brief The index of a name in the table that the parser filled. */
  int slot = 0;
  std::string name;
  std::vector<Formula> parts;
};

/*!
 * \brief Parse an expression in Python's syntax.
 *
 * `a > b` becomes `b < a`, and `a / b` and `a ** b` calls of `divide` and `power`.
 * \param text The text.
 * \param names The names so far; new ones are added.
 * \throws ValueError if it does not parse.
 */
Formula ParseFormula(std::string_view text, std::vector<std::string>* names);

/*! \brief The text of an expression, for messages. */
std::string ToText(const Formula& formula);

/*! \brief The value of an integer, a boolean or a constant expression; else `nullopt`. */
std::optional<int64_t> IntegerOf(const ffi::Any& value);

/*!
 * \brief The result of an operation on two integers.
 * \throws ValueError for a division by zero, and for a result outside the range of int64.
 */
int64_t ComputeIntegers(ScalarOp op, int64_t a, int64_t b);

/*! \brief The result of an operation on two floating-point numbers; comparisons give a boolean. */
ffi::Any ComputeReals(ScalarOp op, double a, double b);

/*!
 * \brief Evaluates formulas in a domain: of numbers, and the other values that a subclass adds.
 *
 * Operations on numbers are computed here.  As in Python, `and`, `or` and `if` evaluate a part only
 * if a number does not make it superfluous.
 */
class FormulaEvaluator {
 public:
  virtual ~FormulaEvaluator() = default;

  /*! \throws ValueError for a division by zero, and for a part that the domain does not have. */
  ffi::Any Run(const Formula& formula);

 protected:
  virtual ffi::Any RunName(const Formula& name) = 0;
  virtual ffi::Any RunCall(const Formula& call) = 0;
  virtual ffi::Any RunIndex(const Formula& formula) = 0;
  /*! \brief The values of the parts, as an array. */
  virtual ffi::Any RunList(const Formula& list);
  /*! \brief The value of an operation on values that are not both numbers; `b` may be absent. */
  virtual ffi::Any Apply(const Formula& formula, const ffi::Any& a, const ffi::Any& b) = 0;
  /*! \brief The value of `a if c else b` for a condition that is neither true nor false. */
  virtual ffi::Any Choose(const Formula& formula, const ffi::Any& condition) = 0;
  /*! \brief The value of a part of an operation. */
  virtual ffi::Any RunPart(const Formula& part) { return Run(part); }
  /*! \brief The value as an integer, if operations on it are computed. */
  virtual std::optional<int64_t> AsInteger(const ffi::Any& value) const { return IntegerOf(value); }
  /*! \brief Whether a condition holds, if that is known; None does not. */
  virtual std::optional<bool> TruthOf(const ffi::Any& value) const;

  /*! \brief Whether a number is other than 0; `nullopt` for another value. */
  std::optional<bool> IsNonZero(const ffi::Any& value) const;
  /*! \brief The value of an operation, which `Apply` computes for other values than numbers. */
  ffi::Any Compute(const Formula& formula, const ffi::Any& a, const ffi::Any& b);

 private:
  ffi::Any RunUnary(const Formula& formula);
  ffi::Any RunJunction(const Formula& formula);
  ffi::Any RunConditional(const Formula& formula);
  /*! \brief The value as a number; `nullopt` for another value. */
  std::optional<double> AsReal(const ffi::Any& value) const;
};

}  // namespace uir::ir

#endif  // UIR_SRC_IR_FORMULA_H_
