// Turns the bodies of parallel loops into functions, which threads call.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/captures.h"
#include "../analysis/known_work.h"
#include "../analysis/loop_jumps.h"
#include "../rewrite/binding_renamer.h"
#include "../rewrite/function_names.h"

namespace uir::transform {

namespace {

bool IsParallel(const tir::ForNode* loop) { return loop->kind == tir::ForKind::kParallel; }

bool HasParallelLoop(const tir::Stmt& stmt) {
  bool has_one = false;
  tschema::Walk(stmt, [&](const tir::ForNode* loop) { has_one |= IsParallel(loop); });
  return has_one;
}

tir::For AsSerial(const tir::ForNode* loop) {
  const auto copy = CopyOf<tir::For>(loop);
  Write(copy)->kind = tir::ForKind::kSerial;
  return copy;
}

/*! \brief Makes all parallel loops serial. */
class Serializer : public StmtRewriter {
 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    return StmtRewriter::VisitFor(IsParallel(op) ? AsSerial(op).get() : op);
  }
};

/*! \brief Whether a function can run the iterations of a loop. */
bool IsSeparable(const tir::ForNode* loop, const Captures& captures) {
  static const ir::Op ret = ir::get_op("tir.ret");
  if (loop->step.has_value() || FindLoopJumps(loop->body).has_break) return false;
  bool returns = false;
  tschema::Walk(loop->body, [&](const tir::CallNode* call) { returns |= call->op.same_as(ret); });
  const auto is_one_value = [](const tir::Var& var) {
    return ir::IsHandle(var->dtype) || ir::IsScalar(var->dtype);
  };
  return !returns && std::all_of(captures.vars.begin(), captures.vars.end(), is_one_value);
}

/*! \brief A function that runs a range of iterations, and its arguments for all of them. */
struct LoopFunction {
  tir::PrimFunc func;
  ffi::Array<ir::PrimExpr> args;
};

LoopFunction MakeLoopFunction(const tir::ForNode* loop, const Captures& captures) {
  const DLDataType dtype = loop->loop_var->dtype;
  const tir::Var begin("begin", dtype);
  const tir::Var extent("extent", dtype);
  ffi::Array<tir::Var> params = {begin, extent};
  ffi::Array<ir::PrimExpr> args = {tir::cast(loop->min, dtype), tir::cast(loop->extent, dtype)};
  std::unordered_map<const ffi::Object*, tir::Buffer> first_views;
  ffi::Array<tir::Stmt> stmts;
  for (const tir::Buffer& buffer : captures.buffers) {
    const bool is_first = first_views.emplace(buffer->data.get(), buffer).second;
    if (!is_first) stmts.push_back(tir::DeclBuffer(buffer));
  }
  ffi::Map<tir::Var, tir::Buffer> buffer_map;
  for (const tir::Var& var : captures.vars) {
    args.push_back(var);
    const auto view = first_views.find(var.get());
    if (view == first_views.end()) {
      params.push_back(var);
    } else {
      params.push_back(tir::Var(std::string(var->name) + "_handle", ir::kHandle));
      buffer_map.Set(params.back(), view->second);
    }
  }
  const tir::Stmt body = Serializer().VisitStmt(loop->body);
  stmts.push_back(tir::For(loop->loop_var, begin, extent, tir::ForKind::kSerial, body, std::nullopt,
                           loop->annotations, std::nullopt, loop->span));
  const tir::PrimFunc func(params, FlatSeq(std::move(stmts), loop->span), buffer_map, std::nullopt,
                           std::nullopt, loop->span);
  return {BindingRenamer(Renaming::kAll).Run(func), std::move(args)};
}

/*! \brief Whether a body has a pointer of its own, which may point into any buffer. */
bool BindsPointer(const tir::Stmt& body) {
  bool binds = false;
  tschema::Walk(body, [&](const tir::BindNode* op) { binds |= ir::IsHandle(op->var->dtype); });
  return binds;
}

/*! \brief Lowers the loops of one function in order. */
class ParallelLowerer : public StmtRewriter {
 public:
  ParallelLowerer(const ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions, int64_t min_work)
      : names_(functions), min_work_(min_work) {}

  tir::PrimFunc Run(const std::string& name, const tir::PrimFunc& func) {
    name_ = name + "_parallel";
    isa_ = func->GetAttr("isa");
    const tir::PrimFunc before = ConvertSSA(func);
    has_no_aliases_ = tir::HasNoAliases(func.get()) && !BindsPointer(before->body);
    return WithBody(before, VisitStmt(before->body));
  }

  const std::vector<std::pair<ir::GlobalVar, ir::BaseFunc>>& made() const { return made_; }

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    if (!IsParallel(op)) return StmtRewriter::VisitFor(op);
    const Captures captures = FindCaptures(op);
    if (KnownWork(ffi::GetRef<tir::For>(op)) < min_work_ || !IsSeparable(op, captures)) {
      return StmtRewriter::VisitFor(AsSerial(op).get());
    }
    LoopFunction function = MakeLoopFunction(op, captures);
    const ir::GlobalVar var(names_.New(name_));
    ir::BaseFunc made = ir::with_attr(std::move(function.func), "isa", isa_);
    if (has_no_aliases_) made = ir::with_attr(std::move(made), tir::kNoAlias, true);
    made_.emplace_back(var, std::move(made));
    const tir::Call call(ir::kVoid, var, std::move(function.args), op->span);
    const tir::Evaluate run(tir::parallel_for(call, op->span), op->span);
    const ffi::Optional<ir::PrimExpr> is_short = IsShort(op);
    if (!is_short.has_value()) return run;
    return tir::IfThenElse(is_short.value(), tir::Evaluate(call, op->span), run, op->span);
  }

 private:
  /*! \brief The condition, at run time, that a loop has too little work; None without a check. */
  ffi::Optional<ir::PrimExpr> IsShort(const tir::ForNode* loop) const {
    const int64_t iteration = KnownWork(loop->body);
    if (iteration != INT64_MAX) {
      const int64_t few = FewIterations(loop, iteration);
      if (few <= 1) return std::nullopt;
      return tir::less(loop->extent, tir::make_const(few, loop->extent->dtype));
    }
    const ffi::Optional<ir::PrimExpr> work = SymbolicWork(ffi::GetRef<tir::For>(loop));
    if (!work.has_value()) return std::nullopt;
    return tir::less(work.value(), tir::make_const(min_work_, ir::IntType(64)));
  }

  /*!
   * \brief The number of iterations with enough work; 0 if the extent is constant or has calls.
   * \param work The work of an iteration.
   */
  int64_t FewIterations(const tir::ForNode* loop, int64_t work) const {
    bool is_plain = loop->extent.as<ir::IntImmNode>() == nullptr && loop->extent->dtype.bits >= 32;
    tschema::Walk(loop->extent, [&](const tir::CallNode*) { is_plain = false; });
    return is_plain ? std::min<int64_t>(min_work_ / (work + 1), INT32_MAX) : 0;
  }

  FunctionNames names_;
  int64_t min_work_;
  std::string name_;
  /*! \brief The instruction set of the function, if any. */
  ffi::Any isa_;
  /*! \brief Whether all buffers of the function lie apart, as those of its loops do then. */
  bool has_no_aliases_ = false;
  std::vector<std::pair<ir::GlobalVar, ir::BaseFunc>> made_;
};

ir::IRModule LowerLoops(ir::IRModule module, const PassContext& context) {
  const int64_t min_work = OptionsOf<LowerParallelOptions>(context)->min_work;
  ParallelLowerer lowerer(module->functions, min_work);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto before = func.as<tir::PrimFunc>();
    if (!before || !HasParallelLoop((*before)->body)) continue;
    functions.Set(var, lowerer.Run(std::string(var->name_hint), *before));
    is_changed = true;
  }
  if (!is_changed) return module;
  for (const auto& [var, func] : lowerer.made()) functions.Set(var, func);
  return ir::IRModule(std::move(functions), module->attrs);
}

}  // namespace

Pass LowerParallel() { return MakeModulePass(LowerLoops, 0, "LowerParallel"); }

}  // namespace uir::transform
