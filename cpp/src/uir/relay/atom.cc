// Conversion to A-normal form: binds operands that are not atoms to variables, from the left.
#include <tschema/stack_guard.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/relay/atom.h>
#include <uir/relay/block.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace uir::relay {

namespace {

using BindFunction = std::function<ir::RelayExpr(const ir::RelayExpr&)>;

/*! \brief Binds the parts of one value, each shared part once. */
class AtomMaker {
 public:
  explicit AtomMaker(const BindFunction& bind) : bind_(bind) {}

  /*! \brief A value whose operands are atoms. */
  ir::RelayExpr WithAtoms(const ir::RelayExpr& value) {
    if (const auto* call = value.as<CallNode>()) {
      ffi::Array<ir::RelayExpr> args = AsAtoms(call->args);
      if (args.same_as(call->args)) return value;
      return Call(call->op, std::move(args), call->attrs, call->span);
    }
    if (const auto* tuple = value.as<TupleNode>()) {
      ffi::Array<ir::RelayExpr> fields = AsAtoms(tuple->fields);
      return fields.same_as(tuple->fields) ? value : Tuple(std::move(fields), tuple->span);
    }
    if (const auto* item = value.as<TupleGetItemNode>()) {
      ir::RelayExpr tuple = AsAtom(item->tuple_value);
      if (tuple.same_as(item->tuple_value)) return value;
      return TupleGetItem(std::move(tuple), item->index, item->span);
    }
    if (const auto* branch = value.as<IfNode>()) {
      ir::RelayExpr condition = AsAtom(branch->condition);
      if (condition.same_as(branch->condition)) return value;
      return If(std::move(condition), branch->true_branch, branch->false_branch, branch->span);
    }
    if (const auto* loop = value.as<WhileNode>()) {
      ir::RelayExpr condition = AsAtom(loop->condition);
      ffi::Array<ir::RelayExpr> initial = AsAtoms(loop->initial);
      if (condition.same_as(loop->condition) && initial.same_as(loop->initial)) return value;
      return While(loop->params, std::move(condition), std::move(initial), loop->body, loop->span);
    }
    return value;
  }

 private:
  /*! \brief An operand as an atom. */
  ir::RelayExpr AsAtom(const ir::RelayExpr& operand) {
    if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { return AsAtom(operand); });
    if (IsAtom(operand)) return operand;
    const auto known = atoms_.find(operand.get());
    if (known != atoms_.end()) return known->second;
    const ir::RelayExpr value = WithAtoms(operand);
    return atoms_.emplace(operand.get(), IsAtom(value) ? value : bind_(value)).first->second;
  }

  /*! \brief The operands as atoms; the same array if nothing changed. */
  ffi::Array<ir::RelayExpr> AsAtoms(const ffi::Array<ir::RelayExpr>& operands) {
    ffi::Array<ir::RelayExpr> atoms = operands;
    if (std::all_of(operands.begin(), operands.end(), &IsAtom)) return atoms;
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      ir::RelayExpr atom = AsAtom(operands[at]);
      if (!atom.same_as(operands[at])) atoms.Set(at, std::move(atom));
    }
    return atoms;
  }

  const BindFunction& bind_;
  /*! \brief The atoms of operands, which the value keeps alive. */
  std::unordered_map<const ffi::Object*, ir::RelayExpr> atoms_;
};

}  // namespace

bool IsAtom(const ir::RelayExpr& expr) {
  if (expr.as<VarNode>() != nullptr || expr.as<ConstantNode>() != nullptr) return true;
  if (const auto* tuple = expr.as<TupleNode>()) {
    return std::all_of(tuple->fields.begin(), tuple->fields.end(), IsAtom);
  }
  return expr.as<ir::OpNode>() != nullptr || expr.as<ir::GlobalVarNode>() != nullptr ||
         expr.as<ir::ExternFuncNode>() != nullptr;
}

ir::RelayExpr WithAtoms(ir::RelayExpr value, const BindFunction& bind) {
  return AtomMaker(bind).WithAtoms(value);
}

}  // namespace uir::relay
