// Decomposes operators, binding by binding.
#include "./decomposer.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/diagnostics.h>
#include <uir/transform/binding_rewriter.h>

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "../../relay/operator_rule.h"

namespace uir::transform {

namespace {

/*!
 * \brief Whether decomposition would round each part of an operator to 16 bits.
 *
 * A formula of elements is computed in `float32` and rounded once.
 */
bool RoundsParts(const ir::Op& op, const relay::CallNode* call) {
  const auto type = call->checked_type.as<ir::TensorType>();
  if (!type) return false;
  const DLDataType dtype = (*type)->dtype;
  return ir::IsFloat(dtype) && dtype.bits == 16 && ir::op_attr(op, "scalar") != nullptr;
}

class Decomposer : public BindingRewriter {
 public:
  explicit Decomposer(Decompositions* decompositions) : decompositions_(decompositions) {}

 protected:
  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    return Decomposed(BindingRewriter::VisitCall(op));
  }

 private:
  /*! \brief The replacement of a value; its parts are bound before it. */
  ir::RelayExpr Decomposed(const ir::RelayExpr& value) {
    const auto* call = value.as<relay::CallNode>();
    const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
    if (!op || active_.count(op->get()) != 0 || RoundsParts(*op, call)) return value;
    const FormulaSteps* parts = decompositions_->Find(*op);
    if (parts == nullptr) return value;
    active_.insert(op->get());
    const ir::RelayExpr result = Made(*parts, *op, call);
    active_.erase(op->get());
    // A declaration returns a call of the operator itself if it has no decomposition here.
    const auto* made = result.as<relay::CallNode>();
    return made != nullptr && made->op.same_as(*op) ? value : result;
  }

  ir::RelayExpr Made(const FormulaSteps& parts, const ir::Op& op, const relay::CallNode* call) {
    std::vector<ffi::Any> values;
    for (size_t slot = 0; slot < parts.names.size(); ++slot) {
      const bool is_step = parts.steps.count(static_cast<int>(slot)) != 0;
      values.push_back(is_step ? ffi::Any() : ValueOf(parts.names[slot], op, call));
    }
    const std::string name = op->name;
    const auto bind = [this](const ir::RelayExpr& part) -> ir::RelayExpr {
      ir::RelayExpr simple = Decomposed(part);
      return EmitNew(std::move(simple), "v" + std::to_string(emitted().size()));
    };
    FormulaBuilder builder(name.substr(0, name.rfind('.')), &values, bind, &parts, call->span);
    const ffi::Any result = builder.Run(parts.result);
    // An array of results becomes a tuple, whose parts are bound already.
    if (const auto fields = result.as<ffi::Array<ir::RelayExpr>>()) return relay::Tuple(*fields);
    return Decomposed(result.cast<ir::RelayExpr>());
  }

  /*! \brief An operand or an attribute of a call; None for an absent operand. */
  static ffi::Any ValueOf(const std::string& name, const ir::Op& op, const relay::CallNode* call) {
    const ir::OperatorRow* row = ir::FindOperatorRow(op);
    const int32_t place = ir::FindOperand(*row, name);
    if (place >= 0) {
      const bool is_absent = row->operands[place].is_optional && relay::IsAbsent(call->args[place]);
      return is_absent ? ffi::Any() : ffi::Any(call->args[place]);
    }
    return relay::AttributeOf(call, name);
  }

  Decompositions* decompositions_;
  /*! \brief The operators that are being decomposed. */
  std::unordered_set<const ffi::Object*> active_;
};

}  // namespace

const FormulaSteps* Decompositions::Find(const ir::Op& op) {
  const auto [known, is_new] = known_.emplace(op.get(), nullptr);
  if (!is_new) return known->second.get();
  const std::optional<ffi::String> text = ir::op_attr(op, "decompose").as<ffi::String>();
  if (!text || keeps_(op)) return nullptr;
  known->second = std::make_unique<FormulaSteps>(ParseSteps(std::string(*text)));
  return known->second.get();
}

relay::Function Decompose(const relay::Function& func, Decompositions* decompositions) {
  return Decomposer(decompositions).Run(func);
}

}  // namespace uir::transform
