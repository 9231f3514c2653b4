// Builds high-level functions: bindings in A-normal form, whose types are inferred at once.
#include <tvm/ffi/error.h>
#include <uir/ir/op.h>
#include <uir/relay/atom.h>
#include <uir/relay/builder.h>

#include <string>
#include <utility>
#include <vector>

namespace uir::relay {

namespace {

/*! \brief Return the mutable node: methods of a builder are declared const, but change it. */
BuilderNode* Writable(const BuilderNode* builder) { return const_cast<BuilderNode*>(builder); }

Var BindIn(const BuilderNode* builder, ir::RelayExpr value, std::string name,
           ffi::Optional<ir::Span> span) {
  if (!value->checked_type.has_value()) {
    TVM_FFI_THROW(ValueError) << "Builder: the type of the value of `" << name
                              << "` is not known: an operand has no type";
  }
  const Var var(std::move(name), value->checked_type, span);
  Writable(builder)->bindings.push_back(Binding(var, std::move(value), std::move(span)));
  return var;
}

/*! \brief Add a source location to a call without one. */
ir::RelayExpr Located(ir::RelayExpr value, const ffi::Optional<ir::Span>& span) {
  const auto* call = value.as<CallNode>();
  if (call == nullptr || call->span.has_value() || !span.has_value()) return value;
  return Call(call->op, call->args, call->attrs, span);
}

std::string NextName(const BuilderNode* builder) {
  return "v" + std::to_string(builder->bindings.size());
}

}  // namespace

Builder builder() { return Builder(); }

Var BuilderNode::Param(ffi::String name, ir::Type type, ffi::Optional<ir::Span> span) const {
  Var param(std::move(name), std::move(type), std::move(span));
  Writable(this)->params.push_back(param);
  return param;
}

Var BuilderNode::Emit(ir::RelayExpr value, ffi::String name, ffi::Optional<ir::Span> span) const {
  const auto bind = [&](const ir::RelayExpr& operand) -> ir::RelayExpr {
    const ir::RelayExpr located = Located(operand, span);
    return BindIn(this, located, NextName(this), located->span);
  };
  value = WithAtoms(std::move(value), bind);
  std::string chosen = name.empty() ? NextName(this) : std::string(name);
  return BindIn(this, Located(std::move(value), span), std::move(chosen), span);
}

Block BuilderNode::MakeBlock(ir::RelayExpr result) const {
  if (!IsAtom(result)) result = Emit(result, "", result->span);
  return Block(bindings, std::move(result));
}

Function BuilderNode::MakeFunc(ir::RelayExpr result, ffi::Optional<ir::DictAttrs> attrs,
                               ffi::Optional<ir::Span> span) const {
  return Function(params, MakeBlock(std::move(result)), std::nullopt, std::move(attrs),
                  std::move(span));
}

}  // namespace uir::relay
