// Lowerings of cumulative sums and products along an axis.
#include <uir/ir/dtype.h>
#include <uir/relay/cumulative.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

#include "../../relay/shape_rule.h"
#include "./loops.h"

namespace uir::transform {

namespace {

PrimExpr Combined(bool is_sum, const PrimExpr& a, const PrimExpr& b) {
  return is_sum ? tir::add(a, b) : tir::mul(a, b);
}

template <typename AttrsNode, bool kIsSum>
Values LowerScan(const OperatorCall& call) {
  const Value& x = call.operand(0);
  const auto* attrs = relay::AttrsOf<AttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, x.shape());
  const PrimExpr extent = x.shape()[static_cast<int64_t>(axis)];
  const DLDataType wide = WideType(x.dtype());
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    const tir::Buffer total = LocalScalar(builder, "total", wide);
    const auto add = [&](const Indices& at) {
      const PrimExpr element = tir::cast(x.At(at), wide);
      StoreScalar(builder, total, Combined(kIsSum, Load(total), element));
    };
    InLoops(builder, WithoutIndex(x.shape(), axis), [&](const Indices& outer) {
      StoreScalar(builder, total, tir::cast(IndexIn(kIsSum ? 0 : 1, ir::IntType(32)), wide));
      builder->For("place", extent, [&](const tir::Var& place) {
        const PrimExpr last = tir::sub(extent, IndexIn(1, extent->dtype));
        const PrimExpr index = attrs->reverse ? tir::sub(last, place) : PrimExpr(place);
        Indices at = Between(outer, 0, axis);
        at.push_back(index);
        for (size_t i = axis; i < outer.size(); ++i) at.push_back(outer[static_cast<int64_t>(i)]);
        if (!attrs->exclusive) add(at);
        (*builder)->Store(outputs[0], at, tir::cast(Load(total), x.dtype()));
        if (attrs->exclusive) add(at);
      });
    });
  });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterLowering("relay.cumsum", &LowerScan<relay::CumsumAttrsNode, true>);
  RegisterLowering("relay.cumprod", &LowerScan<relay::CumprodAttrsNode, false>);
}

}  // namespace

}  // namespace uir::transform
