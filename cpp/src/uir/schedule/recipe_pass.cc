// Passes that schedule the nests of functions, and write down what they chose.
#include <tvm/ffi/cast.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>

#include <utility>

#include "./classify.h"
#include "./parameters.h"

namespace uir::schedule {

namespace {

constexpr const char* kTrace = "schedule_trace";

class NestScheduler : public transform::StmtRewriter {
 public:
  NestScheduler(const Recipe& recipe, std::string name) : recipe_(recipe), name_(std::move(name)) {}

  ffi::Array<ffi::String> trace;

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const auto loop = ffi::GetRef<tir::For>(op);
    const std::optional<BlockKind> kind = NotedKind(loop);
    const std::optional<LoopNest> nest = kind ? MatchLoopNest(loop) : std::nullopt;
    if (!nest) return loop;
    const std::optional<Scheduled> made = recipe_(*nest, *kind);
    if (!made) return loop;
    trace.push_back(name_ + ": " + NameOf(*nest) + ": " + made->trace);
    return made->stmt;
  }

 private:
  const Recipe& recipe_;
  std::string name_;
};

tir::PrimFunc WithTrace(const tir::PrimFunc& func, tir::Stmt body,
                        const ffi::Array<ffi::String>& lines) {
  ffi::Map<ffi::String, ffi::Any> attrs = func->attrs.value()->dict;
  ffi::Array<ffi::String> trace;
  if (const auto found = attrs.find(kTrace); found != attrs.end()) {
    if (const auto before = (*found).second.as<ffi::Array<ffi::String>>()) trace = *before;
  }
  for (const ffi::String& line : lines) trace.push_back(line);
  attrs.Set(kTrace, trace);
  return tir::PrimFunc(func->params, std::move(body), func->buffer_map, func->ret_type,
                       ir::DictAttrs(std::move(attrs)), func->span);
}

/*! \brief Whether the buffers of a function do not overlap. */
bool HasNoAliases(const tir::PrimFunc& func) {
  if (!func->attrs.has_value()) return false;
  const auto found = func->attrs.value()->dict.find("tir.noalias");
  if (found == func->attrs.value()->dict.end()) return false;
  return (*found).second.as<bool>().value_or(false);
}

/*! \brief The instruction set that a function is for. */
std::string InstructionSetOf(const tir::PrimFunc& func, const std::string& by_default) {
  const auto isa = func->GetAttr("isa").as<ffi::String>();
  return isa ? ResolveInstructionSet(*isa) : by_default;
}

}  // namespace

tir::PrimFunc ScheduleNests(tir::PrimFunc func, const Recipe& recipe, const char* name) {
  if (!HasNoAliases(func)) return func;
  NestScheduler scheduler(recipe, name);
  tir::Stmt body = scheduler(func->body);
  return scheduler.trace.empty() ? func : WithTrace(func, std::move(body), scheduler.trace);
}

transform::Pass MakeRecipePass(IsaRecipe recipe, const ffi::String& isa, const char* name) {
  auto run = [recipe = std::move(recipe), isa = ResolveInstructionSet(isa), name](
                 tir::PrimFunc func, const ir::IRModule&, const transform::PassContext&) {
    const std::string machine = InstructionSetOf(func, isa);
    const Recipe of_machine = [&](const LoopNest& nest, BlockKind kind) {
      return recipe(nest, kind, machine);
    };
    return ScheduleNests(std::move(func), of_machine, name);
  };
  return transform::MakePrimFuncPass(run, 0, name);
}

}  // namespace uir::schedule
