// Finds constant values in one walk over the bindings; those that other values use are results.
#include "./constant_values.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/tir/var.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "./constant_work.h"
#include "./views.h"

namespace uir::transform {

namespace {

int64_t BytesOfConstant(const relay::ConstantNode* constant) {
  return static_cast<int64_t>(ffi::GetDataSize(*constant->data.GetDLTensorPtr()));
}

/*! \brief Whether a value is a call of an operator with a deterministic result. */
bool IsPureOperator(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  return call != nullptr && call->op.as<ir::OpNode>() != nullptr && IsPure(value);
}

/*! \brief How many times `max_bytes` a value may take that only other constant values read. */
constexpr int64_t kMostTemporary = 16;

class ConstantFinder : private relay::RelayExprVisitor {
 public:
  explicit ConstantFinder(const ConstantLimits& limits) : limits_(limits) {}

  ConstantValues Run(const std::vector<relay::Function>& functions) {
    for (const relay::Function& func : functions) VisitBlock(func->body.get());
    for (const ffi::Object* var : kept_) values_.vars.erase(var);
    return std::move(values_);
  }

 private:
  void VisitBinding(const relay::BindingNode* binding) override {
    if (!IsConstant(binding->value)) return VisitRelayExpr(binding->value);
    values_.vars.insert(binding->var.get());
    values_.bindings.push_back(ffi::GetRef<relay::Binding>(binding));
    bindings_.emplace(binding->var.get(), binding);
    sources_.emplace(binding->var.get(), LeastSources(binding->value));
    if (auto tensor = TensorOf(binding->value)) {
      values_.known.emplace(binding->var.get(), *std::move(tensor));
    }
  }

  /*! \brief A use by a value that is not constant. */
  void VisitVar(const relay::VarNode* op) override {
    const auto found = bindings_.find(op);
    if (found == bindings_.end() || !needed_.insert(op).second) return;
    const relay::BindingNode* binding = found->second;
    if (binding->value.as<relay::TupleNode>() != nullptr) {
      values_.needed_tuples.insert(op);
    } else if (IsWorthItsBytes(binding->value)) {
      return values_.results.push_back(binding->var);
    } else {
      kept_.insert(op);
    }
    VisitRelayExpr(binding->value);
  }
  void VisitConstant(const relay::ConstantNode*) override {}

  bool IsConstant(const ir::RelayExpr& value) const {
    if (value.as<relay::TupleNode>() != nullptr) return IsConstantAtom(value);
    if (const auto* item = value.as<relay::TupleGetItemNode>()) {
      // Nested tuples are rare, and are not folded.
      const bool is_tensor = value->checked_type.has_value() &&
                             value->checked_type.value().as<ir::TensorTypeNode>() != nullptr;
      return is_tensor && IsConstantAtom(item->tuple_value);
    }
    if (!IsPureOperator(value) || !value->checked_type.has_value()) return false;
    const auto* call = value.as<relay::CallNode>();
    const auto is_atom = [this](const ir::RelayExpr& arg) { return IsConstantAtom(arg); };
    return std::all_of(call->args.begin(), call->args.end(), is_atom) && HasConstantAttrs(call) &&
           MayCompute(value);
  }

  bool IsConstantAtom(const ir::RelayExpr& atom) const {
    if (atom.as<relay::ConstantNode>() != nullptr) return true;
    if (atom.as<relay::VarNode>() != nullptr) return bindings_.count(atom.get()) != 0;
    const auto* tuple = atom.as<relay::TupleNode>();
    const auto is_atom = [this](const ir::RelayExpr& field) { return IsConstantAtom(field); };
    return tuple != nullptr && std::all_of(tuple->fields.begin(), tuple->fields.end(), is_atom);
  }

  static bool HasConstantAttrs(const relay::CallNode* call) {
    bool is_constant = true;
    if (call->attrs.has_value()) {
      tschema::Walk(call->attrs.value(), [&](const tir::VarNode*) { is_constant = false; });
    }
    return is_constant;
  }

  /*! \brief Whether a compiler may compute a value, to read it once or to keep it. */
  bool MayCompute(const ir::RelayExpr& value) const {
    const std::optional<int64_t> bytes = BytesOf(value->checked_type.value());
    int64_t limit = 0;
    if (__builtin_mul_overflow(limits_.max_bytes, kMostTemporary, &limit)) limit = INT64_MAX;
    return bytes && (*bytes <= limit || IsWorthItsBytes(value));
  }

  bool IsWorthItsBytes(const ir::RelayExpr& value) const {
    const int64_t bytes = BytesOf(value->checked_type.value()).value();
    const auto is_small = [&](int64_t sources) {
      int64_t limit = 0;
      return __builtin_mul_overflow(sources, limits_.max_growth, &limit) || bytes <= limit;
    };
    if (bytes <= limits_.max_bytes || is_small(LeastSources(value))) return true;
    const Sources all = AllSources(value);
    // A value may be as many times larger as it takes operations for each of its bytes.
    const double limit =
        static_cast<double>(limits_.max_bytes) * all.work / static_cast<double>(bytes);
    return is_small(all.bytes) || static_cast<double>(bytes) <= limit;
  }

  /*! \brief A lower bound of the bytes of the constants that a value is computed from. */
  int64_t LeastSources(const ir::RelayExpr& value) const {
    int64_t of_vars = 0;
    int64_t of_constants = 0;
    std::unordered_set<const ffi::Object*> counted;
    ForEachOperand(value, [&](const ir::RelayExprNode* operand) {
      const auto* constant = ffi::GetRef<ir::RelayExpr>(operand).as<relay::ConstantNode>();
      if (constant == nullptr) {
        of_vars = std::max(of_vars, sources_.at(operand));
      } else if (counted.insert(operand).second) {
        of_constants += BytesOfConstant(constant);
      }
    });
    return std::max(of_vars, of_constants);
  }

  /*! \brief All that a value is computed from. */
  struct Sources {
    /*! \brief The bytes of the constants. */
    int64_t bytes = 0;
    /*! \brief An estimate of the operations. */
    double work = 0;
  };

  Sources AllSources(const ir::RelayExpr& value) const {
    Sources sources;
    std::unordered_set<const ffi::Object*> counted;
    std::vector<ir::RelayExpr> open = {value};
    while (!open.empty()) {
      const ir::RelayExpr next = std::move(open.back());
      open.pop_back();
      sources.work += WorkOfValue(next);
      ForEachOperand(next, [&](const ir::RelayExprNode* operand) {
        if (!counted.insert(operand).second) return;
        const auto expr = ffi::GetRef<ir::RelayExpr>(operand);
        const auto* constant = expr.as<relay::ConstantNode>();
        if (constant != nullptr) {
          sources.bytes += BytesOfConstant(constant);
        } else {
          open.push_back(bindings_.at(operand)->value);
        }
      });
    }
    return sources;
  }

  /*! \brief Call a function with each variable and constant that a constant value uses. */
  template <typename Callable>
  static void ForEachOperand(const ir::RelayExpr& value, const Callable& use) {
    tschema::Walk(value, [&](const relay::VarNode* var) { use(var); });
    tschema::Walk(value, [&](const relay::ConstantNode* constant) { use(constant); });
  }

  /*! \brief The elements of a value that needs no computation. */
  std::optional<ffi::Tensor> TensorOf(const ir::RelayExpr& value) const {
    if (const auto* constant = value.as<relay::ConstantNode>()) return constant->data;
    if (value.as<relay::VarNode>() != nullptr) {
      const auto found = values_.known.find(value.get());
      if (found == values_.known.end()) return std::nullopt;
      return found->second;
    }
    if (const auto* item = value.as<relay::TupleGetItemNode>()) {
      const auto* tuple = TupleOf(item->tuple_value);
      return tuple == nullptr ? std::nullopt : TensorOf(tuple->fields[item->index]);
    }
    const relay::CallNode* view = ViewCallOf(value);
    const std::optional<ffi::Tensor> viewed =
        view == nullptr ? std::nullopt : TensorOf(view->args[0]);
    if (!viewed) return std::nullopt;
    return ViewOf(*viewed, value->checked_type.value().as<ir::TensorTypeNode>());
  }

  /*! \brief The tuple that is the value or bound to the variable; null for any other value. */
  const relay::TupleNode* TupleOf(const ir::RelayExpr& value) const {
    const auto found = bindings_.find(value.get());
    return found == bindings_.end() ? value.as<relay::TupleNode>()
                                    : found->second->value.as<relay::TupleNode>();
  }

  ConstantLimits limits_;
  ConstantValues values_;
  std::unordered_map<const ffi::Object*, const relay::BindingNode*> bindings_;
  /*! \brief Lower bounds of the bytes of the constants that values are computed from. */
  std::unordered_map<const ffi::Object*, int64_t> sources_;
  std::unordered_set<const ffi::Object*> needed_;
  /*! \brief Needed values whose constants would be too large. */
  std::unordered_set<const ffi::Object*> kept_;
};

}  // namespace

ConstantValues FindConstantValues(const std::vector<relay::Function>& functions,
                                  const ConstantLimits& limits) {
  return ConstantFinder(limits).Run(functions);
}

std::vector<relay::Binding> BindingsToCompute(const ConstantValues& values) {
  std::unordered_set<const ffi::Object*> needed;
  for (const relay::Var& var : values.results) needed.insert(var.get());
  std::vector<relay::Binding> bindings;
  for (size_t i = values.bindings.size(); i-- > 0;) {
    const relay::Binding& binding = values.bindings[i];
    const bool is_known = values.known.count(binding->var.get()) != 0;
    if (is_known || needed.count(binding->var.get()) == 0) continue;
    bindings.push_back(binding);
    tschema::Walk(binding->value, [&](const relay::VarNode* var) { needed.insert(var); });
  }
  std::reverse(bindings.begin(), bindings.end());
  return bindings;
}

}  // namespace uir::transform
