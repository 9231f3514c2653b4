// Lays out the constants that contractions multiply by, once for all calls.
#include <tschema/map.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/schedule/passes.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./constant_data.h"
#include "./decisions.h"
#include "./weights.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;
using Functions = ffi::Map<ir::GlobalVar, ir::BaseFunc>;
using Layouts = std::unordered_map<const ffi::Object*, std::vector<WeightLayout>>;

/*! \brief The constants of a function, and the variables that are bound to their addresses. */
class Caller {
 public:
  explicit Caller(tir::PrimFunc func) : func_(std::move(func)) {
    const ffi::Any attribute = func_->GetAttr(kConstants);
    constants_ = attribute.as<ffi::Array<ffi::Tensor>>().value_or(ffi::Array<ffi::Tensor>());
    tschema::Walk(func_->body, [&](const tir::BindNode* bind) {
      if (const auto index = ConstantOf(bind->value)) bound_.emplace(bind->var.get(), *index);
    });
  }

  /*! \brief The constant that a call has for weights; none if it has something else. */
  std::optional<int64_t> ConstantFor(const WeightLayout& layout, const tir::CallNode& call) const {
    const PrimExpr arg = call.args[static_cast<int64_t>(layout.param)];
    std::optional<int64_t> index = ConstantOf(arg);
    const auto found = bound_.find(arg.get());
    if (found != bound_.end()) index = found->second;
    if (!index || *index < 0 || *index >= static_cast<int64_t>(constants_.size())) {
      return std::nullopt;
    }
    return CanPack(constants_[*index], layout) ? index : std::nullopt;
  }

  /*! \brief The function with the weights of its calls in their layouts. */
  tir::PrimFunc WithPacked(const Layouts& layouts) {
    bool is_changed = false;
    const auto pack = [&](const tir::CallNode* call) -> ffi::Optional<PrimExpr> {
      const auto found = layouts.find(call->op.get());
      if (found == layouts.end()) return std::nullopt;
      ffi::Array<PrimExpr> args = call->args;
      for (const WeightLayout& layout : found->second) {
        const auto at = static_cast<int64_t>(layout.param);
        args.Set(at, tir::constant_data(Packed(*ConstantFor(layout, *call), layout)));
      }
      is_changed = true;
      return tir::Call(call->dtype, call->op, std::move(args), call->span);
    };
    const tir::Stmt body = tschema::Map(func_->body, pack);
    if (!is_changed) return func_;
    const tir::PrimFunc made = transform::WithBody(func_, WithoutUnused(body));
    return WithAttributes(made, {{kConstants, constants_}});
  }

 private:
  /*! \brief The index of a constant in a layout. */
  int64_t Packed(int64_t index, const WeightLayout& layout) {
    std::vector<int64_t> key = layout.Shape();
    key.insert(key.begin(), {index, layout.column, layout.bytes});
    for (const SumLoop& loop : layout.sums) key.insert(key.end(), {loop.dimension, loop.step});
    const auto [found, is_new] = packed_.emplace(key, constants_.size());
    if (is_new) constants_.push_back(Pack(constants_[index], layout));
    return found->second;
  }

  /*! \brief Removes the addresses of constants that are unused, and views of them. */
  class AddressRemover : public transform::StmtRewriter {
   public:
    explicit AddressRemover(std::unordered_set<const ffi::Object*> unused)
        : unused_(std::move(unused)) {}

   protected:
    tir::Stmt VisitBind(const tir::BindNode* op) override {
      return unused_.count(op->var.get()) != 0 ? Nothing() : ffi::GetRef<tir::Stmt>(op);
    }
    tir::Stmt VisitDeclBuffer(const tir::DeclBufferNode* op) override {
      return unused_.count(op->buffer->data.get()) != 0 ? Nothing() : ffi::GetRef<tir::Stmt>(op);
    }

   private:
    static tir::Stmt Nothing() { return tir::SeqStmt(ffi::Array<tir::Stmt>()); }

    std::unordered_set<const ffi::Object*> unused_;
  };

  tir::Stmt WithoutUnused(const tir::Stmt& body) const {
    std::unordered_set<const ffi::Object*> unused;
    for (const auto& [var, index] : bound_) unused.insert(var);
    tschema::Walk(body, [&](const tir::CallNode* call) {
      for (const PrimExpr& arg : call->args) unused.erase(arg.get());
    });
    tschema::Walk(body,
                  [&](const tir::BufferLoadNode* load) { unused.erase(load->buffer->data.get()); });
    tschema::Walk(body, [&](const tir::BindNode* bind) { unused.erase(bind->value.get()); });
    return AddressRemover(std::move(unused))(body);
  }

  tir::PrimFunc func_;
  ffi::Array<ffi::Tensor> constants_;
  std::unordered_map<const ffi::Object*, int64_t> bound_;
  std::map<std::vector<int64_t>, int64_t> packed_;
};

/*! \brief The functions of the module that a function calls, and those that it names otherwise. */
class NamedFunctions {
 public:
  explicit NamedFunctions(const ir::BaseFunc& func) {
    Walk(func);
    while (!waiting_.empty()) {
      const ffi::Array<PrimExpr> args = waiting_.back()->args;
      waiting_.pop_back();
      Walk(args);
    }
  }

  std::vector<const tir::CallNode*> calls;
  std::unordered_set<const ffi::Object*> others;

 private:
  void Walk(const ffi::ObjectRef& root) {
    tschema::Walk(root, [&](const ffi::Object* node) {
      if (node->IsInstance<ir::GlobalVarNode>()) others.insert(node);
      if (!node->IsInstance<tir::CallNode>()) return tschema::kAdvance;
      const auto* call = static_cast<const tir::CallNode*>(node);
      if (call->op.as<ir::GlobalVarNode>() == nullptr) return tschema::kAdvance;
      if (seen_.insert(call).second) {
        calls.push_back(call);
        waiting_.push_back(call);
      }
      return tschema::kSkip;
    });
  }

  std::unordered_set<const ffi::Object*> seen_;
  std::vector<const tir::CallNode*> waiting_;
};

/*! \brief The weights of private functions, all of whose calls are with constants for them. */
Layouts FindLayouts(const Functions& functions) {
  Layouts layouts;
  for (const auto& [var, func] : functions) {
    const auto prim = func.as<tir::PrimFunc>();
    if (!prim || func->GetAttr("global_symbol") != nullptr) continue;
    std::vector<WeightLayout> found = FindWeights(*prim);
    if (!found.empty()) layouts.emplace(var.get(), std::move(found));
  }
  for (const auto& [var, func] : functions) {
    const NamedFunctions named(func);
    // A function that is named without a call may be called with any arguments.
    for (const ffi::Object* other : named.others) layouts.erase(other);
    const auto prim = func.as<tir::PrimFunc>();
    if (!prim) continue;
    const Caller caller(*prim);
    for (const tir::CallNode* call : named.calls) {
      const auto found = layouts.find(call->op.get());
      if (found == layouts.end()) continue;
      auto& all = found->second;
      const auto is_variable = [&](const WeightLayout& layout) {
        return !caller.ConstantFor(layout, *call);
      };
      all.erase(std::remove_if(all.begin(), all.end(), is_variable), all.end());
    }
  }
  for (auto one = layouts.begin(); one != layouts.end();) {
    one = one->second.empty() ? layouts.erase(one) : std::next(one);
  }
  return layouts;
}

ir::IRModule PackModule(const ir::IRModule& module) {
  const Layouts layouts = FindLayouts(module->functions);
  Functions functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    auto prim = func.as<tir::PrimFunc>();
    if (!prim) continue;
    tir::PrimFunc changed = Caller(*prim).WithPacked(layouts);
    if (const auto found = layouts.find(var.get()); found != layouts.end()) {
      for (const WeightLayout& layout : found->second) changed = WithLayout(changed, layout);
    }
    if (changed.same_as(*prim)) continue;
    functions.Set(var, changed);
    is_changed = true;
  }
  return is_changed ? ir::IRModule(std::move(functions), module->attrs) : module;
}

}  // namespace

transform::Pass PackWeights() {
  auto run = [](const ir::IRModule& module, const transform::PassContext&) {
    return PackModule(module);
  };
  return transform::MakeModulePass(run, 0, "PackWeights");
}

}  // namespace uir::schedule
