// Puts the body of a function of mathematics together.
#include "./math_body.h"

#include <uir/ir/types.h>
#include <uir/tir/call.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <iterator>
#include <utility>

namespace uir::target {

using ir::PrimExpr;

namespace {

constexpr int32_t kMagnitude = 0x7FFFFFFF;

}  // namespace

MathBody::MathBody(std::string_view params, int lanes) : lanes_(lanes) {
  for (const char param : params) {
    params_.push_back(tir::Var(std::string(1, param), TypeOf(ir::FloatType(32))));
  }
}

PrimExpr MathBody::Let(const char* name, PrimExpr value) {
  const tir::Var var(name, value->dtype);
  lines_.push_back(tir::Bind(var, std::move(value)));
  return var;
}

PrimExpr MathBody::Number(double value) const {
  return tir::make_const(value, TypeOf(ir::FloatType(32)));
}

PrimExpr MathBody::Wide(double value) const {
  return tir::make_const(value, TypeOf(ir::FloatType(64)));
}

PrimExpr MathBody::Bits(PrimExpr value) const {
  return tir::reinterpret(std::move(value), TypeOf(ir::IntType(32)));
}

PrimExpr MathBody::FromBits(PrimExpr bits) const {
  return tir::reinterpret(std::move(bits), TypeOf(ir::FloatType(32)));
}

PrimExpr MathBody::WideBits(PrimExpr value) const {
  return tir::reinterpret(std::move(value), TypeOf(ir::IntType(64)));
}

PrimExpr MathBody::FromWideBits(PrimExpr bits) const {
  return tir::reinterpret(std::move(bits), TypeOf(ir::FloatType(64)));
}

PrimExpr MathBody::ToInt64(PrimExpr value) const {
  return tir::cast(std::move(value), TypeOf(ir::IntType(64)));
}

PrimExpr MathBody::ToFloat(PrimExpr value) const {
  return tir::cast(std::move(value), TypeOf(ir::FloatType(32)));
}

PrimExpr MathBody::ToDouble(PrimExpr value) const {
  return tir::cast(std::move(value), TypeOf(ir::FloatType(64)));
}

PrimExpr MathBody::Call(const char* name, PrimExpr x) const {
  const DLDataType dtype = x->dtype;
  return tir::call_intrin(dtype, std::string("tir.") + name, {std::move(x)});
}

PrimExpr MathBody::Select(PrimExpr condition, PrimExpr a, PrimExpr b) const {
  return tir::select(std::move(condition), std::move(a), std::move(b));
}

PrimExpr MathBody::Abs(const PrimExpr& value) const { return FromBits(Bits(value) & kMagnitude); }

PrimExpr MathBody::WithSign(const PrimExpr& value, const PrimExpr& sign) const {
  return FromBits(Bits(value) | (Bits(sign) & ~kMagnitude));
}

PrimExpr MathBody::UnlessNaN(const PrimExpr& arg, const PrimExpr& value) const {
  return Select(tir::isnan(arg), arg, value);
}

tir::PrimFunc MathBody::Return(const PrimExpr& value) const {
  ffi::Array<tir::Stmt> lines = lines_;
  lines.push_back(tir::Evaluate(tir::ret(value)));
  return tir::PrimFunc(params_, tir::flatten_seq(std::move(lines)), {}, ir::PrimType(value->dtype));
}

PrimExpr MultiplyAdd(const PrimExpr& a, const PrimExpr& b, const PrimExpr& c) {
  return tir::multiply_add(a, b, c);
}

PrimExpr MultiplyAdd(const PrimExpr& a, const PrimExpr& b, double c) {
  return MultiplyAdd(a, b, tir::make_const(c, a->dtype));
}

PrimExpr MultiplyAdd(const PrimExpr& a, double b, const PrimExpr& c) {
  return MultiplyAdd(a, tir::make_const(b, a->dtype), c);
}

PrimExpr MultiplyAdd(const PrimExpr& a, double b, double c) {
  return MultiplyAdd(a, b, tir::make_const(c, a->dtype));
}

PrimExpr Polynomial(const PrimExpr& x, std::initializer_list<double> coefficients) {
  auto coefficient = std::rbegin(coefficients);
  PrimExpr value = tir::make_const(*coefficient, x->dtype);
  while (++coefficient != std::rend(coefficients)) value = MultiplyAdd(value, x, *coefficient);
  return value;
}

}  // namespace uir::target
