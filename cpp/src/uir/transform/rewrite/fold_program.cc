/*!
 * \file fold_program.cc
 * \brief Functions that compute constant values, one for each set of dependent values.
 */
#include "./fold_program.h"

#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/ir/types.h>
#include <uir/relay/block.h>
#include <uir/transform/binding_rewriter.h>

#include <map>
#include <utility>

namespace uir::transform {

namespace {

using Bindings = std::vector<relay::Binding>;

/*!
 * \brief Makes a function from bindings, with the constants as parameters.
 *
 * Constants of one element stay in the body, because they make the compiled code faster.
 */
class FunctionMaker : public BindingRewriter {
 public:
  explicit FunctionMaker(const ConstantValues& values) : known_(values.known) {}

  relay::Function Make(const Bindings& bindings, const std::vector<relay::Var>& results) {
    for (const relay::Binding& binding : bindings) RewriteBinding(binding);
    ffi::Array<ir::RelayExpr> fields;
    for (const relay::Var& var : results) fields.push_back(UseOf(var));
    const relay::Block body(ffi::Array<relay::Binding>(emitted().begin(), emitted().end()),
                            relay::Tuple(std::move(fields)));
    return relay::Function(params_, body);
  }

  std::vector<ffi::Tensor> TakeArguments() { return std::move(arguments_); }

 protected:
  ir::RelayExpr VisitVar(const relay::VarNode* op) override {
    const auto found = known_.find(op);
    return found == known_.end() ? BindingRewriter::VisitVar(op) : Argument(op, found->second);
  }
  ir::RelayExpr VisitConstant(const relay::ConstantNode* op) override {
    return Argument(op, op->data);
  }

 private:
  /*! \brief The parameter for the tensor of a variable or constant; a constant if it has one
   * element. */
  ir::RelayExpr Argument(const ir::RelayExprNode* node, const ffi::Tensor& tensor) {
    const relay::Constant constant(tensor, node->span);
    if (tensor.numel() == 1) return constant;
    const auto [found, is_new] = places_.emplace(node, params_.size());
    if (is_new) {
      params_.push_back(relay::Var("c" + std::to_string(params_.size()),
                                   constant->checked_type.value(), node->span));
      arguments_.push_back(tensor);
    }
    return params_[static_cast<int64_t>(found->second)];
  }

  const std::unordered_map<const ffi::Object*, ffi::Tensor>& known_;
  ffi::Array<relay::Var> params_;
  std::vector<ffi::Tensor> arguments_;
  /*! \brief The indices of the parameters, by variable or constant. */
  std::unordered_map<const ffi::Object*, size_t> places_;
};

/*! \brief Disjoint sets of bindings that share values; each binding has a parent in its set. */
class Groups {
 public:
  explicit Groups(const Bindings& bindings) : bindings_(bindings) {
    for (size_t i = 0; i < bindings.size(); ++i) {
      parents_.push_back(i);
      places_.emplace(bindings[i]->var.get(), i);
      tschema::Walk(bindings[i]->value, [&](const relay::VarNode* var) {
        const auto found = places_.find(var);
        if (found != places_.end()) parents_[Root(found->second)] = Root(i);
      });
    }
  }

  /*! \brief The bindings of each set, in order. */
  std::vector<Bindings> Collect() {
    std::map<size_t, size_t> order;
    std::vector<Bindings> groups;
    for (size_t i = 0; i < bindings_.size(); ++i) {
      const auto [found, is_new] = order.emplace(Root(i), groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].push_back(bindings_[i]);
    }
    return groups;
  }

 private:
  size_t Root(size_t place) {
    for (; parents_[place] != place; place = parents_[place]) {
      parents_[place] = parents_[parents_[place]];
    }
    return place;
  }

  const Bindings& bindings_;
  std::vector<size_t> parents_;
  std::unordered_map<const ffi::Object*, size_t> places_;
};

/*! \brief The functions of a module, by their hashes; equal functions share a symbol. */
class Symbols {
 public:
  std::string SymbolOf(const relay::Function& func) {
    auto& candidates = known_[tschema::StructuralHash(func)];
    for (const auto& [other, symbol] : candidates) {
      if (tschema::StructuralEqual(func, other)) return symbol;
    }
    const std::string symbol = "fold" + std::to_string(functions_.size());
    candidates.emplace_back(func, symbol);
    // Only the entry that returns tensors is called; compiling entries takes the longest.
    const ir::BaseFunc with_symbol = ir::with_attr(func, ir::kGlobalSymbol, ffi::String(symbol));
    functions_.Set(ir::GlobalVar(symbol), ir::with_attr(with_symbol, "has_into_entry", false));
    return symbol;
  }

  ir::IRModule module() const {
    return ir::IRModule(functions_, ir::DictAttrs({{"runs_once", true}}));
  }

 private:
  std::unordered_map<uint64_t, std::vector<std::pair<relay::Function, std::string>>> known_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions_;
};

/*! \brief Add the elements from the result of a call. */
void AddElements(const FoldCall& call, const ffi::Any& returned, Elements* elements) {
  const auto tensor = returned.as<ffi::Tensor>();
  const auto tensors =
      tensor ? ffi::Array<ffi::Tensor>{*tensor} : returned.cast<ffi::Array<ffi::Tensor>>();
  int64_t next = 0;
  for (const relay::Var& var : call.results) {
    const auto* tuple = var->checked_type.value().as<ir::TupleTypeNode>();
    if (tuple == nullptr) {
      elements->emplace(var.get(), tensors[next++]);
      continue;
    }
    ffi::Array<ffi::Tensor> fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) fields.push_back(tensors[next++]);
    elements->emplace(var.get(), std::move(fields));
  }
}

}  // namespace

FoldProgram MakeFoldProgram(const ConstantValues& values, const Bindings& bindings) {
  std::unordered_map<const ffi::Object*, bool> is_result;
  for (const relay::Var& var : values.results) is_result[var.get()] = true;
  FoldProgram program;
  Symbols symbols;
  for (const Bindings& group : Groups(bindings).Collect()) {
    FoldCall call;
    for (const relay::Binding& binding : group) {
      if (is_result.count(binding->var.get()) != 0) call.results.push_back(binding->var);
    }
    FunctionMaker maker(values);
    call.symbol = symbols.SymbolOf(maker.Make(group, call.results));
    call.arguments = maker.TakeArguments();
    program.calls.push_back(std::move(call));
  }
  program.module = symbols.module();
  return program;
}

Elements RunFoldProgram(const FoldProgram& program, const ffi::Module& compiled) {
  Elements elements;
  for (const FoldCall& call : program.calls) {
    const std::vector<ffi::AnyView> arguments(call.arguments.begin(), call.arguments.end());
    ffi::Any returned;
    compiled->GetFunction(call.symbol)
        .value()
        .CallPacked(arguments.data(), static_cast<int32_t>(arguments.size()), &returned);
    AddElements(call, returned, &elements);
  }
  return elements;
}

}  // namespace uir::transform
