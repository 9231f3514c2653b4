// Elements: infix operators and functions of tir on expressions, and arithmetic on numbers.
#include "./element_formula.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/binary_math.h>
#include <uir/tir/buffer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>
#include <uir/tir/scalar_op.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

using ir::Formula;
using ir::PrimExpr;

bool IsExpr(const ffi::Any& value) { return value.as<ir::PrimExprNode>() != nullptr; }

/*! \brief A plain number; `nullopt` for an expression or another attribute. */
std::optional<double> RealConstant(const ffi::Any& value) {
  const int32_t type = value.type_index();
  const bool is_number = type == ffi::TypeIndex::kTVMFFIInt ||
                         type == ffi::TypeIndex::kTVMFFIFloat ||
                         type == ffi::TypeIndex::kTVMFFIBool;
  return is_number ? std::optional<double>(value.cast<double>()) : std::nullopt;
}

/*! \brief The data type of the first expression; `float32` if all are numbers. */
DLDataType TypeAmong(const std::vector<ffi::Any>& values) {
  for (const ffi::Any& value : values) {
    if (const auto* expr = value.as<ir::PrimExprNode>()) return expr->dtype;
  }
  return ir::FloatType(32);
}

/*! \brief An operand as an expression; a number takes the data type of the other operand. */
PrimExpr Beside(const ffi::Any& value, const ffi::Any& other) {
  if (const auto expr = value.as<PrimExpr>()) return *expr;
  const auto* like = other.as<ir::PrimExprNode>();
  return NumberIn(value, like == nullptr ? ir::FloatType(32) : like->dtype);
}

/*! \brief Whether duplicating an expression costs nothing. */
bool IsSimple(const PrimExpr& expr) {
  if (const auto* cast = expr.as<tir::CastNode>()) return IsSimple(cast->value);
  return expr.as<tir::VarNode>() != nullptr || expr.as<tir::ProducerLoadNode>() != nullptr ||
         expr.as<ir::IntImmNode>() != nullptr || expr.as<ir::FloatImmNode>() != nullptr;
}

bool IsNumberConstant(const PrimExpr& expr) {
  const auto* real = expr.as<ir::FloatImmNode>();
  return real != nullptr && !std::isnan(real->value);
}

/*! \brief Python's `x % y`: the remainder has the sign of the divisor. */
PrimExpr FloorRemainder(const PrimExpr& a, const PrimExpr& b) {
  if (!ir::IsFloat(a->dtype)) return tir::floormod(a, b);
  const PrimExpr zero = tir::make_const(0.0, a->dtype);
  return WithVariable(b, [&](const PrimExpr& y) {
    return WithVariable(tir::fmod(a, y), [&](const PrimExpr& rest) {
      const PrimExpr differs = tir::not_equal(tir::less(rest, zero), tir::less(y, zero));
      return tir::select(tir::logical_and(tir::not_equal(rest, zero), differs), tir::add(rest, y),
                         rest);
    });
  });
}

/*! \brief The integer nearest to a quotient; ties round down. */
PrimExpr RoundDown(const PrimExpr& quotient) {
  return WithVariable(quotient, [](const PrimExpr& x) {
    return WithVariable(tir::floor(x), [&](const PrimExpr& down) {
      const PrimExpr is_below = tir::less(tir::make_const(0.5, x->dtype), tir::sub(x, down));
      return tir::select(is_below, tir::add(down, tir::make_const(1.0, x->dtype)), down);
    });
  });
}

/*!
 * \brief Python's `x // y`, as `(x - mod(x, y)) / y` with the exact remainder.
 *
 * `floor(x / y)` rounds the quotient first: for 1.0 and 0.1 it is 10, but `x // y` is 9.
 */
PrimExpr FloorQuotient(const PrimExpr& a, const PrimExpr& b) {
  if (!ir::IsFloat(a->dtype)) return tir::floordiv(a, b);
  const PrimExpr zero = tir::make_const(0.0, a->dtype);
  return WithVariable(a, [&](const PrimExpr& x) {
    return WithVariable(b, [&](const PrimExpr& y) {
      return WithVariable(tir::fmod(x, y), [&](const PrimExpr& rest) {
        const PrimExpr plain = tir::div(x, y);
        const PrimExpr differs = tir::not_equal(tir::less(rest, zero), tir::less(y, zero));
        const PrimExpr is_above = tir::logical_and(tir::not_equal(rest, zero), differs);
        const PrimExpr cut = tir::div(tir::sub(x, rest), y);
        const PrimExpr one = tir::make_const(1.0, a->dtype);
        const PrimExpr quotient = tir::select(is_above, tir::sub(cut, one), cut);
        return WithVariable(quotient, [&](const PrimExpr& found) {
          const PrimExpr is_zero = tir::equal(found, zero);
          const PrimExpr whole = tir::select(is_zero, tir::copysign(zero, plain), RoundDown(found));
          return tir::select(tir::equal(y, zero), plain, whole);
        });
      });
    });
  });
}

using Function = std::function<ffi::Any(const std::vector<ffi::Any>&)>;

/*! \brief A function of two operands of one data type. */
template <typename Run>
Function OfTwo(Run run) {
  return [run](const std::vector<ffi::Any>& values) -> ffi::Any {
    return run(Beside(values[0], values[1]), Beside(values[1], values[0]));
  };
}

ffi::Any Divide(const std::vector<ffi::Any>& values) {
  const auto x = RealConstant(values[0]);
  const auto y = RealConstant(values[1]);
  if (x && y) return *x / *y;
  const PrimExpr a = Beside(values[0], values[1]);
  const PrimExpr b = Beside(values[1], values[0]);
  return ir::IsFloat(a->dtype) || ir::IsFloat(b->dtype) ? tir::div(a, b) : tir::truncdiv(a, b);
}

ffi::Any Select(const std::vector<ffi::Any>& values) {
  const DLDataType dtype = TypeAmong({values[1], values[2]});
  const auto branch = [&](const ffi::Any& value) {
    return IsExpr(value) ? value.cast<PrimExpr>() : NumberIn(value, dtype);
  };
  return tir::select(NumberIn(values[0], ir::BoolType()), branch(values[1]), branch(values[2]));
}

PrimExpr TruncatedRemainder(const PrimExpr& a, const PrimExpr& b) {
  return ir::IsFloat(a->dtype) ? tir::fmod(a, b) : tir::truncmod(a, b);
}

/*! \brief The functions that differ from the function of tir with the same name. */
Function FindFunction(const std::string& name) {
  if (name == "max") return OfTwo(MaxOrNan);
  if (name == "min") return OfTwo(MinOrNan);
  if (name == "fmod") return OfTwo(TruncatedRemainder);
  if (name == "divide") return Divide;
  if (name == "select") return Select;
  if (name == "is_given") {
    return [](const std::vector<ffi::Any>& values) -> ffi::Any { return values[0] != nullptr; };
  }
  if (name == "cast") {
    return [](const std::vector<ffi::Any>& values) -> ffi::Any {
      const auto dtype = values[1].cast<DLDataType>();
      if (!IsExpr(values[0])) return NumberIn(values[0], dtype);
      return tir::cast(values[0].cast<PrimExpr>(), dtype);
    };
  }
  return nullptr;
}

/*! \brief Call a function of tir; numbers take the data type of the other arguments. */
ffi::Any CallTir(const std::string& name, const std::vector<ffi::Any>& values) {
  const auto function = ffi::Function::GetGlobal("uir.tir." + name);
  if (!function) {
    TVM_FFI_THROW(ValueError) << "a rule calls `" << name << "`, which `uir.tir` does not have";
  }
  const DLDataType dtype = TypeAmong(values);
  std::vector<ffi::AnyView> arguments;
  std::vector<PrimExpr> exprs;
  exprs.reserve(values.size());
  for (const ffi::Any& value : values) {
    exprs.push_back(IsExpr(value) ? value.cast<PrimExpr>() : NumberIn(value, dtype));
    arguments.emplace_back(exprs.back());
  }
  ffi::Any result;
  function->CallPacked(arguments.data(), static_cast<int32_t>(arguments.size()), &result);
  return result;
}

}  // namespace

int CountOfName(const Formula& formula, std::string_view name) {
  int count = formula.kind == ir::FormulaKind::kName && formula.name == name ? 1 : 0;
  for (const Formula& part : formula.parts) count += CountOfName(part, name);
  return count;
}

PrimExpr WithVariable(const PrimExpr& value, const std::function<PrimExpr(const PrimExpr&)>& body) {
  if (IsSimple(value)) return body(value);
  const tir::Var var("value", value->dtype);
  return tir::Let(var, value, body(var));
}

PrimExpr MaxOrNan(const PrimExpr& a, const PrimExpr& b) {
  if (ir::IsBool(a->dtype)) return tir::logical_or(a, b);
  // `max(a, b)` is `a > b ? a : b`, which is NaN if `b` is.
  if (!ir::IsFloat(a->dtype) || IsNumberConstant(a)) return tir::max(a, b);
  if (IsNumberConstant(b)) return tir::max(b, a);
  return WithVariable(
      a, [&](const PrimExpr& x) { return tir::select(tir::isnan(x), x, tir::max(x, b)); });
}

PrimExpr MinOrNan(const PrimExpr& a, const PrimExpr& b) {
  if (ir::IsBool(a->dtype)) return tir::logical_and(a, b);
  if (!ir::IsFloat(a->dtype) || IsNumberConstant(a)) return tir::min(a, b);
  if (IsNumberConstant(b)) return tir::min(b, a);
  return WithVariable(
      a, [&](const PrimExpr& x) { return tir::select(tir::isnan(x), x, tir::min(x, b)); });
}

PrimExpr NumberIn(const ffi::Any& number, DLDataType dtype) {
  if (const auto expr = number.as<PrimExpr>()) return *expr;
  if (ir::IsFloat(dtype)) return tir::make_const(number.cast<double>(), dtype);
  if (ir::IsBool(dtype)) return tir::make_const(number.cast<double>() != 0, dtype);
  const auto integer = ir::IntegerOf(number);
  if (!integer) return tir::make_const(number);
  if (dtype.code == kDLUInt && *integer < 0) {
    const auto bits = dtype.bits >= 63 ? 63 : dtype.bits;
    if (dtype.bits < 64) return tir::make_const(*integer + (int64_t{1} << bits), dtype);
    return tir::cast(tir::make_const(*integer, ir::IntType(64)), dtype);
  }
  return tir::make_const(*integer, dtype);
}

PrimExpr ElementFormula::Element(const Formula& formula, DLDataType dtype) {
  return tir::cast(NumberIn(Run(formula), dtype), dtype);
}

std::optional<int64_t> ElementFormula::AsInteger(const ffi::Any& value) const {
  return IsExpr(value) ? std::nullopt : ir::IntegerOf(value);
}

ffi::Any ElementFormula::RunIndex(const Formula& formula) {
  const auto list = Run(formula.parts[0]).cast<ffi::Array<ffi::Any>>();
  const int64_t index = AsInteger(Run(formula.parts[1])).value();
  return list[index < 0 ? index + static_cast<int64_t>(list.size()) : index];
}

ffi::Any ElementFormula::RunList(const Formula& list) {
  TVM_FFI_THROW(ValueError) << "`" << ir::ToText(list) << "` is not an element";
  TVM_FFI_UNREACHABLE();
}

ffi::Any ElementFormula::Apply(const Formula& formula, const ffi::Any& a, const ffi::Any& b) {
  if (formula.parts.size() == 1)
    return tir::Apply(formula.op, a.cast<PrimExpr>(), a.cast<PrimExpr>());
  const ffi::Any second = ir::IsDivision(formula.op) ? Divisor(formula.parts[1], b) : b;
  const PrimExpr x = Beside(a, second);
  const PrimExpr y = Beside(second, a);
  if (formula.op == ir::ScalarOp::kFloorDiv) return FloorQuotient(x, y);
  return formula.op == ir::ScalarOp::kFloorMod ? FloorRemainder(x, y)
                                               : tir::Apply(formula.op, x, y);
}

ffi::Any ElementFormula::Choose(const Formula& formula, const ffi::Any& condition) {
  return Select({condition, Run(formula.parts[0]), Run(formula.parts[2])});
}

ffi::Any ElementFormula::Divisor(const Formula& formula, ffi::Any value) {
  const auto divisor = value.as<PrimExpr>();
  const bool is_checked =
      divisor && ir::IsInteger((*divisor)->dtype) && tir::IntConstOf(*divisor).value_or(0) == 0;
  return is_checked ? ffi::Any(CheckDivisor(formula, *divisor)) : value;
}

ffi::Any ElementFormula::RunCall(const Formula& formula) {
  const bool divides = formula.name == "divide" || formula.name == "fmod";
  std::vector<ffi::Any> values;
  for (const Formula& part : formula.parts) {
    const bool is_divisor = divides && values.size() == 1;
    values.push_back(is_divisor ? Divisor(part, Run(part)) : Run(part));
  }
  const Function function = FindFunction(formula.name);
  if (function) return function(values);
  return CallTir(formula.name == "power" ? "pow" : formula.name, values);
}

}  // namespace uir::transform
