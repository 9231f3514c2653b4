// Checks the index of each dimension, before buffers are flattened: `Target.checks`.
#include <tvm/ffi/cast.h>
#include <uir/tir/buffer.h>
#include <uir/tir/function.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/check_passes.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <optional>
#include <string>
#include <utility>

#include "../rewrite/index_checks.h"

namespace uir::transform {

namespace {

using tir::Stmt;

/*! \brief Adds the checks of each statement before it. */
class IndexChecker : public AnalyzingMutator {
 public:
  IndexChecker(std::string function, const tir::PrimFunc& func)
      : AnalyzingMutator(arith::Analyzer()), function_(std::move(function)) {
    for (const auto& [param, buffer] : func->buffer_map) Note(buffer);
  }

  Stmt VisitStmt(Stmt stmt) override {
    if (const auto* alloc = stmt.as<tir::AllocBufferNode>()) Note(alloc->buffer);
    if (const auto* decl = stmt.as<tir::DeclBufferNode>()) Note(decl->buffer);
    ffi::Array<Stmt> checks = IndexChecksOf(stmt, function_, buffers_, analyzer());
    if (const auto* loop = stmt.as<tir::WhileNode>(); loop != nullptr && !checks.empty()) {
      return CheckedWhile(loop, std::move(checks));
    }
    Stmt result = AnalyzingMutator::VisitStmt(stmt);
    if (checks.empty()) return result;
    checks.push_back(std::move(result));
    return FlatSeq(std::move(checks), stmt->span);
  }

 protected:
  Stmt VisitFor(const tir::ForNode* op) override {
    const ffi::Array<Stmt> before = std::exchange(next_iteration_, {});
    Stmt result = AnalyzingMutator::VisitFor(op);
    next_iteration_ = before;
    return result;
  }
  Stmt VisitWhile(const tir::WhileNode* op) override { return WhileBehind(op, {}); }
  Stmt VisitContinue(const tir::ContinueNode* op) override {
    ffi::Array<Stmt> stmts = next_iteration_;
    stmts.push_back(ffi::GetRef<Stmt>(op));
    return FlatSeq(std::move(stmts), op->span);
  }
  // Jumps check the condition of their loop, so results for statements with one are not shared.
  int64_t StmtContext() const override {
    return next_iteration_.empty() ? AnalyzingMutator::StmtContext() : -++num_contexts_;
  }

 private:
  /*! \brief Note the buffer of a data pointer: the first one, which allocates the data. */
  void Note(const tir::Buffer& buffer) { buffers_.emplace(buffer->data.get(), buffer); }

  /*! \brief A loop with checks of its condition before the loop and at the end of its body. */
  Stmt CheckedWhile(const tir::WhileNode* op, ffi::Array<Stmt> checks) {
    const Stmt result = WhileBehind(op, checks);
    const auto* loop = result.as<tir::WhileNode>();
    ffi::Array<Stmt> body = {loop->body};
    body.insert(body.end(), checks.begin(), checks.end());
    checks.push_back(tir::While(loop->condition, FlatSeq(std::move(body), op->span), op->span));
    return FlatSeq(std::move(checks), op->span);
  }

  Stmt WhileBehind(const tir::WhileNode* op, ffi::Array<Stmt> checks) {
    const ffi::Array<Stmt> before = std::exchange(next_iteration_, std::move(checks));
    Stmt result = AnalyzingMutator::VisitWhile(op);
    next_iteration_ = before;
    return result;
  }

  std::string function_;
  BufferOfData buffers_;
  /*! \brief The checks of the loop's condition, to run before its next iteration. */
  ffi::Array<Stmt> next_iteration_;
  mutable int64_t num_contexts_ = 0;
};

}  // namespace

Pass CheckIndices() {
  auto run = [](const ir::IRModule& module, const PassContext&) {
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
    for (const auto& [var, func] : module->functions) {
      const std::optional<tir::PrimFunc> before = func.as<tir::PrimFunc>();
      if (!before) continue;
      Stmt body = IndexChecker(std::string(var->name_hint), *before).VisitStmt((*before)->body);
      if (!body.same_as((*before)->body)) functions.Set(var, WithBody(*before, std::move(body)));
    }
    if (functions.same_as(module->functions)) return module;
    return ir::IRModule(std::move(functions), module->attrs);
  };
  return MakeModulePass(run, 0, "CheckIndices", {"RemoveAssume"});
}

}  // namespace uir::transform
