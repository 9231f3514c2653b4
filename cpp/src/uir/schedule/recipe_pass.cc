// Passes that schedule the nests of functions, and record their choices.
#include <tvm/ffi/cast.h>
#include <uir/ir/node_error.h>
#include <uir/schedule/options.h>
#include <uir/tir/no_alias.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>

#include <utility>

#include "./classify.h"
#include "./parameters.h"

namespace uir::schedule {

namespace {

class NestScheduler : public transform::StmtRewriter {
 public:
  NestScheduler(const Recipe& recipe, const ParameterTable& table, Decisions* decisions)
      : recipe_(recipe), table_(table), decisions_(decisions) {}

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const auto loop = ffi::GetRef<tir::For>(op);
    if (MayHaveNestsInside(loop)) return StmtRewriter::VisitFor(op);
    const std::optional<BlockKind> kind = NotedKind(loop);
    const std::optional<LoopNest> nest = kind ? MatchLoopNest(loop) : std::nullopt;
    if (!nest || (nest->epilogue && !recipe_.takes_epilogues)) return loop;
    const auto choose = [&] { return recipe_.choose(*nest, *kind, table_); };
    const std::optional<Choices> choices = decisions_->For(NameOf(*nest), choose);
    if (!choices) return loop;
    return Applied(*nest, *choices, loop);
  }

 private:
  tir::Stmt Applied(const LoopNest& nest, const Choices& choices, const tir::For& loop) const {
    std::optional<tir::Stmt> made = recipe_.apply(nest, choices);
    if (made) return *std::move(made);
    const std::string line = PrintTraceLine({recipe_.name, NameOf(nest), choices});
    ir::ThrowAt(loop, "ValueError", "the trace's line `" + line + "` does not fit this nest");
  }

  const Recipe& recipe_;
  const ParameterTable& table_;
  Decisions* decisions_;
};

}  // namespace

std::string InstructionSetOf(const tir::PrimFunc& func, const std::string& by_default) {
  const auto isa = func->GetAttr("isa").as<ffi::String>();
  return isa ? ResolveInstructionSet(*isa) : by_default;
}

tir::PrimFunc ScheduleNests(tir::PrimFunc func, const Recipe& recipe, const std::string& isa,
                            const TunedRows& tuned) {
  if (!tir::HasNoAliases(func.get())) return func;
  const ParameterTable table(InstructionSetOf(func, isa), tuned);
  Decisions decisions(recipe.name, func);
  tir::Stmt body = NestScheduler(recipe, table, &decisions)(func->body);
  return decisions.Finish(std::move(func), std::move(body));
}

transform::Pass MakeRecipePass(Recipe recipe, const ffi::String& isa) {
  const char* name = recipe.name;
  auto run = [recipe = std::move(recipe), isa = ResolveInstructionSet(isa)](
                 tir::PrimFunc func, const ir::IRModule&, const transform::PassContext& context) {
    const auto options = transform::OptionsOf<ScheduleOptions>(context);
    return ScheduleNests(std::move(func), recipe, isa, options->rows);
  };
  return transform::MakePrimFuncPass(run, 0, name);
}

}  // namespace uir::schedule
