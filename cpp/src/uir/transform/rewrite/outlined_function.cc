// Functions of bindings: operands become parameters, and dimensions those of the parameters.
#include "./outlined_function.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/attrs.h>
#include <uir/ir/tensor_type.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./assumptions.h"
#include "./instantiator.h"

namespace uir::transform {

namespace {

/*! \brief Whether a constant stays inside the function, because it has one element. */
bool IsScalar(const relay::ConstantNode* constant) { return constant->data.numel() == 1; }

/*! \brief Finds the values from outside that bindings use, in the order of their first use. */
class OperandFinder : private relay::RelayExprVisitor {
 public:
  std::vector<ir::RelayExpr> Run(const std::vector<relay::Binding>& bindings) {
    for (const relay::Binding& binding : bindings) {
      VisitRelayExpr(binding->value);
      known_.insert(binding->var.get());
    }
    return std::move(found_);
  }

 private:
  void VisitVar(const relay::VarNode* op) override { Add(op); }
  void VisitConstant(const relay::ConstantNode* op) override {
    if (!IsScalar(op)) Add(op);
  }
  void VisitOp(const ir::OpNode*) override {}
  void Add(const ir::RelayExprNode* op) {
    if (known_.insert(op).second) found_.push_back(ffi::GetRef<ir::RelayExpr>(op));
  }

  std::vector<ir::RelayExpr> found_;
  std::unordered_set<const ffi::Object*> known_;
};

/*! \brief The value of a parameter's dimension that follows from other types. */
struct DimensionValue {
  ir::PrimExpr var;
  ir::PrimExpr value;
};

/*! \brief Copies bindings, with parameters for their operands. */
class BindingCopier : public Instantiator {
 public:
  explicit BindingCopier(const Dimensions& bound) { dimensions() = bound; }

  relay::Function Run(const std::vector<relay::Binding>& bindings,
                      const std::vector<ir::RelayExpr>& operands) {
    ffi::Array<relay::Var> params;
    for (const ir::RelayExpr& operand : operands) params.push_back(Param(operand, params.size()));
    for (const relay::Binding& binding : bindings) RewriteBinding(binding);
    const relay::Block body(ffi::Array<relay::Binding>(emitted().begin(), emitted().end()),
                            UseOf(bindings.back()->var));
    const ir::DictAttrs attrs({{"primitive", true}});
    const relay::Binding& last = bindings.back();
    return WithAssumptionsOfCalls(
        relay::Function(params, body, std::nullopt, attrs,
                        last->span.has_value() ? last->span : last->value->span));
  }

  /*! \brief A variable whose value follows from the types of the copies, not from the operands. */
  const std::optional<DimensionValue>& definition() const { return definition_; }

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    Instantiator::RewriteBinding(binding);
    const ffi::Optional<ir::Type> wanted = dimensions().In(binding->value->checked_type);
    if (!definition_ && wanted.has_value()) {
      FindDefinition(emitted().back()->var->type_annotation.value(), wanted.value());
    }
  }

  ir::RelayExpr VisitConstant(const relay::ConstantNode* op) override {
    const auto found = constants_.find(op);
    return found == constants_.end() ? ffi::GetRef<ir::RelayExpr>(op) : found->second;
  }

 private:
  relay::Var Param(const ir::RelayExpr& operand, size_t index) {
    const ffi::Optional<ir::Type> type = dimensions().In(operand->checked_type);
    if (const auto var = operand.as<relay::Var>()) {
      relay::Var param((*var)->name, type, (*var)->span);
      Replace(*var, param);
      return param;
    }
    relay::Var param("c" + std::to_string(index), type, operand->span);
    constants_.emplace(operand.get(), param);
    return param;
  }

  /*!
   * \brief Compare the type of a copy with the one that the original has in its function.
   *
   * There, the lines of a convolution may be `(h - 1) // 4 + 1`, which is a dimension of another
   * operand too: `d1` of the copy. By the lines `d0` of the data, they are `(d0 - 1) // 2 + 1`.
   */
  void FindDefinition(const ir::Type& found, const ir::Type& wanted) {
    const auto* tensor = found.as<ir::TensorTypeNode>();
    const auto* wanted_tensor = wanted.as<ir::TensorTypeNode>();
    if (tensor == nullptr || wanted_tensor == nullptr) return;
    for (size_t i = 0; i < tensor->shape.size() && !definition_; ++i) {
      const ir::PrimExpr& value = tensor->shape[static_cast<int64_t>(i)];
      const ir::PrimExpr& var = wanted_tensor->shape[static_cast<int64_t>(i)];
      if (dimensions().MayDefine(var, value)) definition_ = DimensionValue{var, value};
    }
  }

  std::unordered_map<const ffi::Object*, ir::RelayExpr> constants_;
  std::optional<DimensionValue> definition_;
};

/*! \brief Make a function from bindings; bound dimensions become those of its parameters. */
relay::Function FunctionOf(const std::vector<relay::Binding>& bindings,
                           const std::vector<ir::RelayExpr>& operands, Dimensions* dimensions) {
  for (;;) {
    BindingCopier copier(*dimensions);
    relay::Function func = copier.Run(bindings, operands);
    if (!copier.definition()) return func;
    dimensions->Define(copier.definition()->var, copier.definition()->value);
  }
}

/*!
 * \brief The type of a result: dimensions that are not known to be those of its caller's type
 * become variables, which the result binds.
 */
ir::Type OutlinedResultType(const ir::Type& inferred, const ir::Type& wanted) {
  if (const auto* tuple = inferred.as<ir::TupleTypeNode>()) {
    ffi::Array<ir::Type> fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      fields.push_back(
          OutlinedResultType(tuple->fields[at], wanted.as<ir::TupleTypeNode>()->fields[at]));
    }
    return ir::TupleType(std::move(fields));
  }
  const ir::TensorType found = inferred.as<ir::TensorType>().value();
  ffi::Array<ir::PrimExpr> shape = wanted.as<ir::TensorType>().value()->shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const ir::PrimExpr& dimension = shape[at];
    const bool is_simple =
        dimension.as<tir::VarNode>() != nullptr || dimension.as<ir::IntImmNode>() != nullptr;
    if (is_simple || tschema::StructuralEqual(found->shape[at], dimension)) continue;
    shape.Set(at, tir::SizeVar("r" + std::to_string(i), dimension->dtype));
  }
  return ir::TensorType(std::move(shape), found->dtype);
}

/*! \brief Whether a dimension of a type is a variable. */
bool HasDimension(const ir::Type& type, const tir::VarNode* var) {
  const auto* tensor = type.as<ir::TensorTypeNode>();
  if (tensor == nullptr) return false;
  return std::any_of(tensor->shape.begin(), tensor->shape.end(),
                     [&](const ir::PrimExpr& dimension) { return dimension.get() == var; });
}

/*! \brief The first variable with a dimension. */
std::optional<relay::Var> FindBinder(const ffi::Array<relay::Var>& scope, const tir::VarNode* var) {
  for (const relay::Var& param : scope) {
    if (HasDimension(param->checked_type.value(), var)) return param;
  }
  return std::nullopt;
}

/*! \brief A variable of the scope that binds a variable of the attributes. */
std::optional<relay::Var> BinderOf(const ffi::Optional<ir::Attrs>& attrs,
                                   const ffi::Array<relay::Var>& scope) {
  std::optional<relay::Var> found;
  if (!attrs.has_value()) return found;
  tschema::Walk(attrs.value(), [&](const tir::VarNode* var) {
    if (!found) found = FindBinder(scope, var);
  });
  return found;
}

}  // namespace

OutlinedFunction Outline(const std::vector<relay::Binding>& bindings) {
  std::vector<ir::RelayExpr> operands = OperandFinder().Run(bindings);
  Dimensions dimensions;
  for (const ir::RelayExpr& operand : operands) dimensions.BindNew(operand->checked_type.value());
  for (const ir::RelayExpr& operand : operands) {
    dimensions.BindNewCompounds(operand->checked_type.value());
  }
  return {FunctionOf(bindings, operands, &dimensions), std::move(operands)};
}

OutlinedFunction OutlineCall(const relay::Call& call, const ffi::Array<relay::Var>& scope) {
  const ir::Type result = call->checked_type.value();
  const std::vector<relay::Binding> bindings = {
      relay::Binding(relay::Var("y", result, call->span), call, call->span)};
  std::vector<ir::RelayExpr> operands = OperandFinder().Run(bindings);
  Dimensions dimensions;
  const auto bind = [&dimensions](const ir::Type& type) {
    dimensions.BindNew(type);
    dimensions.BindNewCompounds(type);
  };
  for (const ir::RelayExpr& operand : operands) bind(operand->checked_type.value());
  bind(result);
  while (const auto binder = BinderOf(dimensions.In(call->attrs), scope)) {
    operands.push_back(*binder);
    bind((*binder)->checked_type.value());
  }
  const relay::Function func = FunctionOf(bindings, operands, &dimensions);
  const ffi::Optional<ir::Type> wanted = dimensions.In(ffi::Optional<ir::Type>(result));
  const ir::Type type = OutlinedResultType(func->ret_type.value(), wanted.value());
  return {relay::Function(func->params, func->body, type, func->attrs, func->span),
          std::move(operands)};
}

bool BindsDimensions(const relay::Function& func) {
  Dimensions bound;
  for (const relay::Var& param : func->params) {
    bound.Bind(param->type_annotation.value(), param->type_annotation.value());
  }
  bool binds = true;
  const auto check = [&](const ffi::ObjectRef& part) {
    tschema::Walk(part, [&](const tir::VarNode* var) { binds = binds && bound.Has(var); });
  };
  const auto check_type = [&](const ir::Type& type) {
    const auto* tensor = type.as<ir::TensorTypeNode>();
    if (tensor == nullptr) return check(type);
    for (const ir::PrimExpr& dimension : tensor->shape) {
      if (dimension.as<ir::IntImmNode>() == nullptr) check(dimension);
    }
  };
  for (const relay::Var& param : func->params) check_type(param->type_annotation.value());
  for (const relay::Binding& binding : func->body->bindings) {
    check_type(binding->var->type_annotation.value());
    const auto* call = binding->value.as<relay::CallNode>();
    if (call != nullptr && call->attrs.has_value()) check(call->attrs.value());
  }
  return binds;
}

}  // namespace uir::transform
