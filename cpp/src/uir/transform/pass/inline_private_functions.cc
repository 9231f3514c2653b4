// Inlines private tensor-level functions.
#include <tschema/stack_guard.h>
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#include <uir/ir/op.h>
#include <uir/ir/symbol.h>
#include <uir/tir/atom.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/pass.h>
#include <uir/transform/substitute.h>
#include <uir/transform/with_body.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

/*! \brief The value of a return statement; null for any other statement. */
const ir::PrimExprNode* ReturnedBy(const tir::Stmt& stmt) {
  static const ir::Op ret = ir::get_op("tir.ret");
  const auto* evaluate = stmt.as<tir::EvaluateNode>();
  const auto* call = evaluate == nullptr ? nullptr : evaluate->value.as<tir::CallNode>();
  return call != nullptr && call->op.same_as(ret) ? call->args[0].get() : nullptr;
}

int64_t NumReturns(const tir::Stmt& stmt) {
  static const ir::Op ret = ir::get_op("tir.ret");
  int64_t count = 0;
  tschema::Walk(stmt, [&](const tir::CallNode* call) { count += call->op.same_as(ret); });
  return count;
}

/*! \brief The part of a function that replaces its calls. */
enum class Form {
  kNone,
  /*! \brief The body, for a call that is a statement. */
  kStmt,
  /*! \brief The only expression that it returns. */
  kExpr,
};

/*! \brief Whether the shapes, strides and offsets of the buffers use only parameters as variables.
 */
bool AreBuffersKnown(const tir::PrimFuncNode* func) {
  std::unordered_set<const ffi::Object*> params;
  for (const tir::Var& param : func->params) params.insert(param.get());
  bool are_known = true;
  const auto check = [&](const tir::VarNode* var) { are_known &= params.count(var) != 0; };
  for (const auto& [param, buffer] : func->buffer_map) {
    tschema::Walk(buffer->shape, check);
    tschema::Walk(buffer->strides, check);
    tschema::Walk(buffer->elem_offset, check);
  }
  return are_known;
}

Form FormOf(const ir::BaseFunc& func) {
  const auto* prim = func.as<tir::PrimFuncNode>();
  if (prim == nullptr || ir::IsPublic(prim)) return Form::kNone;
  if (ReturnedBy(prim->body) != nullptr && NumReturns(prim->body) == 1) {
    return prim->buffer_map.empty() ? Form::kExpr : Form::kNone;
  }
  return NumReturns(prim->body) == 0 && AreBuffersKnown(prim) ? Form::kStmt : Form::kNone;
}

/*! \brief Replaces calls of private functions by their bodies or returned expressions. */
class PrivateCallInliner : public LinearMutator {
 public:
  using Bodies = std::unordered_map<const ffi::Object*, std::pair<Form, tir::PrimFunc>>;

  explicit PrivateCallInliner(const Bodies& bodies) : bodies_(bodies) {}

 protected:
  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override {
    const auto* call = op->value.as<tir::CallNode>();
    const auto found = call == nullptr ? bodies_.end() : bodies_.find(call->op.get());
    if (found == bodies_.end() || found->second.first != Form::kStmt ||
        call->args.size() != found->second.second->params.size()) {
      return LinearMutator::VisitEvaluate(op);
    }
    ffi::Array<ir::PrimExpr> args;
    for (const ir::PrimExpr& arg : call->args) args.push_back(VisitPrimExpr(arg));
    // Each copy of the body binds its own variables.
    ForgetResults();
    return InlinedStmt(found->second.second, args);
  }

  ir::PrimExpr VisitCall(const tir::CallNode* op) override {
    const ir::PrimExpr visited = LinearMutator::VisitCall(op);
    const auto* call = visited.as<tir::CallNode>();
    const auto found = bodies_.find(call->op.get());
    if (found == bodies_.end() || found->second.first != Form::kExpr ||
        call->args.size() != found->second.second->params.size()) {
      return visited;
    }
    const ir::PrimExprNode* value = ReturnedBy(found->second.second->body);
    if (value->dtype != call->dtype) return visited;
    return InlinedExpr(found->second.second, ffi::GetRef<ir::PrimExpr>(value), call->args);
  }

 private:
  static tir::Stmt InlinedStmt(const tir::PrimFunc& func, const ffi::Array<ir::PrimExpr>& args) {
    ffi::Array<tir::Stmt> declared;
    for (const auto& [param, buffer] : func->buffer_map) {
      declared.push_back(tir::DeclBuffer(buffer));
    }
    declared.push_back(func->body);
    const tir::Stmt body = RenewBindings(tir::flatten_seq(std::move(declared)));
    ffi::Array<tir::Stmt> stmts;
    Substitution substitution;
    for (size_t i = 0; i < args.size(); ++i) {
      const tir::Var param = func->params[i];
      ir::PrimExpr value = args[i];
      const auto buffer = func->buffer_map.find(param);
      const bool is_buffer = buffer != func->buffer_map.end();
      // The address of a buffer is a variable, not a constant.
      if (!tir::IsAtom(value.get()) || (is_buffer && value.as<tir::VarNode>() == nullptr)) {
        const auto var = CopyOf<tir::Var>(param.get());
        stmts.push_back(tir::Bind(var, std::exchange(value, var)));
      }
      substitution.Set(param, value);
      if (is_buffer) substitution.Set((*buffer).second->data, value);
    }
    stmts.push_back(Substitute(body, substitution));
    return tir::flatten_seq(std::move(stmts));
  }

  static ir::PrimExpr InlinedExpr(const tir::PrimFunc& func, const ir::PrimExpr& value,
                                  const ffi::Array<ir::PrimExpr>& args) {
    Substitution substitution;
    std::vector<std::pair<tir::Var, ir::PrimExpr>> bindings;
    for (size_t i = 0; i < args.size(); ++i) {
      const tir::Var param = func->params[i];
      if (tir::IsAtom(args[i].get())) {
        substitution.Set(param, args[i]);
        continue;
      }
      bindings.emplace_back(CopyOf<tir::Var>(param.get()), args[i]);
      substitution.Set(param, bindings.back().first);
    }
    ir::PrimExpr result = Substitute(RenewBindings(value), substitution);
    for (size_t i = bindings.size(); i > 0; --i) {
      result = tir::Let(bindings[i - 1].first, bindings[i - 1].second, std::move(result));
    }
    return result;
  }

  const Bodies& bodies_;
};

/*! \brief Visits the functions of a module, callees first. */
class PrivateFunctionInliner {
 public:
  explicit PrivateFunctionInliner(const ir::IRModule& module) : module_(module) {}

  ir::IRModule Run() {
    for (const auto& [var, func] : module_->functions) {
      if (func.as<tir::PrimFuncNode>() != nullptr) Visit(var);
    }
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
    bool is_changed = false;
    for (const auto& [var, func] : module_->functions) {
      const auto done = done_.find(var.get());
      const ir::BaseFunc result = done == done_.end() ? func : ir::BaseFunc(done->second);
      is_changed |= !result.same_as(func);
      functions.Set(var, result);
    }
    if (!is_changed) return module_;
    return ir::IRModule(WithoutInlined(functions), module_->attrs);
  }

 private:
  void Visit(const ir::GlobalVar& var) {
    if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { Visit(var); });
    if (done_.count(var.get()) != 0) return;
    const tir::PrimFunc func = module_->functions.at(var).as<tir::PrimFunc>().value();
    positions_.emplace(var.get(), static_cast<int64_t>(path_.size()));
    path_.push_back(var.get());
    tschema::Walk(func->body, [&](const tir::CallNode* call) {
      const std::optional<ir::GlobalVar> callee = call->op.as<ir::GlobalVar>();
      if (callee) VisitCallee(*callee);
    });
    path_.pop_back();
    positions_.erase(var.get());
    const tir::PrimFunc inlined = WithBody(func, PrivateCallInliner(bodies_)(func->body));
    done_.emplace(var.get(), inlined);
    const Form form = recursive_.count(var.get()) != 0 ? Form::kNone : FormOf(inlined);
    if (form != Form::kNone) bodies_.emplace(var.get(), std::make_pair(form, inlined));
  }

  void VisitCallee(const ir::GlobalVar& callee) {
    const auto found = module_->functions.find(callee);
    if (found == module_->functions.end()) return;
    if ((*found).second.as<tir::PrimFuncNode>() == nullptr) return;
    const auto above = positions_.find(callee.get());
    if (above != positions_.end()) {
      recursive_.insert(path_.begin() + above->second, path_.end());
      return;
    }
    Visit(callee);
  }

  /*! \brief Remove private functions that have lost all calls. */
  ffi::Map<ir::GlobalVar, ir::BaseFunc> WithoutInlined(
      const ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions) const {
    std::unordered_set<const ffi::Object*> called_before;
    std::unordered_set<const ffi::Object*> called;
    for (const auto& [var, func] : module_->functions) {
      tschema::Walk(func, [&](const ir::GlobalVar& used) { called_before.insert(used.get()); });
    }
    for (const auto& [var, func] : functions) {
      tschema::Walk(func, [&](const ir::GlobalVar& used) { called.insert(used.get()); });
    }
    ffi::Map<ir::GlobalVar, ir::BaseFunc> kept;
    for (const auto& [var, func] : functions) {
      const bool was_inlined = bodies_.count(var.get()) != 0 && called_before.count(var.get()) != 0;
      if (!was_inlined || called.count(var.get()) != 0) kept.Set(var, func);
    }
    return kept;
  }

  ir::IRModule module_;
  std::unordered_map<const ffi::Object*, tir::PrimFunc> done_;
  PrivateCallInliner::Bodies bodies_;
  std::unordered_set<const ffi::Object*> recursive_;
  /*! \brief The path of the search, each function called by the previous one. */
  std::vector<const ffi::Object*> path_;
  std::unordered_map<const ffi::Object*, int64_t> positions_;
};

}  // namespace

Pass InlinePrivateFunctions() {
  auto run = [](ir::IRModule module, const PassContext&) {
    return PrivateFunctionInliner(module).Run();
  };
  return MakeModulePass(run, 0, "InlinePrivateFunctions");
}

}  // namespace uir::transform
