// Conversion to static single assignment form.
#include <uir/transform/convert_ssa.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/pass.h>

#include <unordered_set>
#include <utility>

#include "../rewrite/binding_renamer.h"

namespace uir::transform {

namespace {

/*! \brief Copies shared statements. */
class StmtUnsharer : public tir::StmtMutator {
 public:
  static constexpr size_t kMostCopies = 65536;

  bool is_done() const { return kept_.size() <= kMostCopies; }

  tir::Stmt VisitStmt(tir::Stmt stmt) override {
    if (!is_done()) return stmt;
    if (!seen_.insert(stmt.get()).second) {
      stmt = CopyOf<tir::Stmt>(stmt.get());
      seen_.insert(stmt.get());
      kept_.push_back(stmt);
    }
    return StmtMutator::VisitStmt(std::move(stmt));
  }

  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override { return expr; }

 private:
  std::unordered_set<const ffi::Object*> seen_;
  /*! \brief The copies, kept alive so that no other statement gets their address. */
  std::vector<tir::Stmt> kept_;
};

}  // namespace

ir::IRModule ConvertSSA(ir::IRModule module) {
  BindingRenamer renamer(Renaming::kRepeated);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const std::optional<tir::PrimFunc> before = func.as<tir::PrimFunc>();
    const ir::BaseFunc after = before ? ir::BaseFunc(renamer.Run(*before)) : func;
    is_changed |= !after.same_as(func);
    functions.Set(var, after);
  }
  return is_changed ? ir::IRModule(std::move(functions), module->attrs) : module;
}

tir::PrimFunc ConvertSSA(tir::PrimFunc func) {
  return BindingRenamer(Renaming::kRepeated).Run(std::move(func));
}

tir::Stmt RenewBindings(tir::Stmt stmt) {
  return BindingRenamer(Renaming::kAll).VisitStmt(std::move(stmt));
}

ir::PrimExpr RenewBindings(ir::PrimExpr expr) {
  return BindingRenamer(Renaming::kAll).VisitPrimExpr(std::move(expr));
}

std::optional<tir::Stmt> UnshareStmts(tir::Stmt stmt) {
  StmtUnsharer unsharer;
  tir::Stmt result = unsharer(std::move(stmt));
  return unsharer.is_done() ? std::optional<tir::Stmt>(std::move(result)) : std::nullopt;
}

Pass ConvertSSA() {
  auto run = [](ir::IRModule module, const PassContext&) { return ConvertSSA(std::move(module)); };
  return MakeModulePass(run, 0, "ConvertSSA");
}

}  // namespace uir::transform
