// Accesses of buffers that are out of bounds in some iteration, for `uir::ir::verify`.
//
// In: a well-formed function. Out: an error for each index that is linear in the loops around it
// and reaches a place outside of its dimension. An access that a condition or a jump may keep from
// running is not looked at, so that every error is one of a program that runs.
#include <tschema/tvm_ffi_compat.h>
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/ir/verifier.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::arith {

namespace ffi = ::tvm::ffi;

namespace {

using ir::PrimExpr;

/*! \brief A constant plus multiples of variables. */
struct LinearSum {
  int64_t base = 0;
  std::unordered_map<const tir::VarNode*, int64_t> factors;

  /*! \brief Add `factor * other`; false if a number is out of range. */
  bool Add(const LinearSum& other, int64_t factor) {
    if (!AddTo(&base, other.base, factor)) return false;
    for (const auto& [var, own] : other.factors) {
      if (!AddTo(&factors[var], own, factor)) return false;
      if (factors[var] == 0) factors.erase(var);
    }
    return true;
  }

 private:
  static bool AddTo(int64_t* sum, int64_t value, int64_t factor) {
    int64_t product = 0;
    return !__builtin_mul_overflow(value, factor, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
  }
};

/*! \brief The values of a variable: from a least one to a greatest one, both of which it has. */
struct Values {
  LinearSum least;
  LinearSum greatest;
};

/*! \brief Checks the accesses of a function. */
class BoundsChecker : public tir::StmtVisitor {
 public:
  struct Problem {
    const ffi::Object* node;
    std::string message;
  };

  const std::vector<Problem>& problems() const { return problems_; }

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (IsNew(expr)) StmtVisitor::VisitPrimExpr(expr);
  }
  void VisitStmt(const tir::Stmt& stmt) override {
    if (IsNew(stmt)) StmtVisitor::VisitStmt(stmt);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    if (!op->predicate.has_value()) CheckIndices(op, op->buffer, op->indices);
    StmtVisitor::VisitBufferLoad(op);
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    if (!op->predicate.has_value()) CheckIndices(op, op->buffer, op->indices);
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    const size_t before = problems_.size();
    const bool had_jump = std::exchange(has_jump_, false);
    std::optional<Values> values =
        op->step.has_value() ? std::nullopt : ValuesOf(op->min, op->extent);
    if (values) {
      Within(op->loop_var.get(), *std::move(values), op->body);
    } else {
      Guarded([&] { VisitStmt(op->body); });
    }
    if (std::exchange(has_jump_, had_jump)) problems_.resize(before);
  }
  void VisitWhile(const tir::WhileNode* op) override {
    VisitPrimExpr(op->condition);
    const bool had_jump = has_jump_;
    Guarded([&] { VisitStmt(op->body); });
    has_jump_ = had_jump;
  }
  void VisitBreak(const tir::BreakNode*) override { has_jump_ = true; }
  void VisitContinue(const tir::ContinueNode*) override { has_jump_ = true; }

  void VisitBind(const tir::BindNode* op) override {
    VisitPrimExpr(op->value);
    Define(op->var.get(), op->value);
  }
  void VisitIfThenElse(const tir::IfThenElseNode* op) override {
    VisitPrimExpr(op->condition);
    Guarded([&] {
      VisitStmt(op->then_case);
      if (op->else_case.has_value()) VisitStmt(op->else_case.value());
    });
  }
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    const ffi::Array<tir::IterVar>& axes = op->block->iter_vars;
    for (size_t i = 0; i < std::min(axes.size(), op->iter_values.size()); ++i) {
      const auto at = static_cast<int64_t>(i);
      Define(axes[at]->var.get(), op->iter_values[at]);
    }
    if (tir::IntConstOf(op->predicate) == 1) return VisitStmt(op->block);
    Guarded([&] { VisitStmt(op->block); });
  }
  void VisitBlock(const tir::BlockNode* op) override {
    if (op->init.has_value()) Guarded([&] { VisitStmt(op->init.value()); });
    VisitStmt(op->body);
  }

  void VisitSelect(const tir::SelectNode* op) override {
    VisitPrimExpr(op->condition);
    Guarded([&] {
      VisitPrimExpr(op->true_value);
      VisitPrimExpr(op->false_value);
    });
  }
  void VisitLogicalOp(const tir::LogicalOpNode* op) override {
    VisitPrimExpr(op->a);
    Guarded([&] { VisitPrimExpr(op->b); });
  }
  void VisitReduce(const tir::ReduceNode*) override {}
  // The address after the last element is valid too, and intrinsics choose among their arguments.
  void VisitCall(const tir::CallNode* op) override {
    Guarded([&] { StmtVisitor::VisitCall(op); });
  }

 private:
  /*! \brief Whether this is the first visit of a node, as far as several others hold it. */
  bool IsNew(const ffi::ObjectRef& node) {
    return node.use_count() <= 1 || seen_.insert(node.get()).second;
  }

  template <typename Visit>
  void Guarded(Visit visit) {
    ++num_guards_;
    visit();
    --num_guards_;
  }

  void Within(const tir::VarNode* var, Values values, const tir::Stmt& body) {
    values_.insert_or_assign(var, std::move(values));
    VisitStmt(body);
    values_.erase(var);
  }

  void Define(const tir::VarNode* var, const PrimExpr& value) {
    std::optional<LinearSum> sum = ir::IsInteger(value->dtype) ? SumOf(value, 0) : std::nullopt;
    if (sum) definitions_.insert_or_assign(var, *std::move(sum));
  }

  /*! \brief The values of a loop's variable, if the loop surely runs and depends on no other. */
  std::optional<Values> ValuesOf(const PrimExpr& min, const PrimExpr& extent) const {
    const std::optional<int64_t> count = tir::IntConstOf(extent);
    if (count && *count < 1) return std::nullopt;
    const std::optional<LinearSum> first = SumOf(min, 0), length = SumOf(extent, 0);
    if (!first || !length || !IsFixed(*first) || !IsFixed(*length)) return std::nullopt;
    Values values{*first, *first};
    if (!values.greatest.Add(*length, 1) || !values.greatest.Add({1, {}}, -1)) return std::nullopt;
    return values;
  }

  /*! \brief Whether a sum is the same in all iterations. */
  bool IsFixed(const LinearSum& sum) const {
    return std::none_of(sum.factors.begin(), sum.factors.end(),
                        [&](const auto& term) { return values_.count(term.first) != 0; });
  }

  std::optional<LinearSum> SumOf(const PrimExpr& expr, int depth) const {
    constexpr int kMostDepth = 32;
    if (depth > kMostDepth || !ir::IsScalar(expr->dtype)) return std::nullopt;
    if (const auto* constant = expr.as<ir::IntImmNode>()) return LinearSum{constant->value, {}};
    if (const auto* var = expr.as<tir::VarNode>()) {
      const auto definition = definitions_.find(var);
      return definition == definitions_.end() ? LinearSum{0, {{var, 1}}} : definition->second;
    }
    if (const auto* add = expr.as<tir::AddNode>()) return Combined(add->a, add->b, 1, depth);
    if (const auto* sub = expr.as<tir::SubNode>()) return Combined(sub->a, sub->b, -1, depth);
    const auto* mul = expr.as<tir::MulNode>();
    const std::optional<int64_t> factor = mul == nullptr ? std::nullopt : tir::IntConstOf(mul->b);
    const std::optional<LinearSum> scaled = factor ? SumOf(mul->a, depth + 1) : std::nullopt;
    LinearSum product;
    if (!scaled || !product.Add(*scaled, *factor)) return std::nullopt;
    return product;
  }

  /*! \brief `a + factor * b`. */
  std::optional<LinearSum> Combined(const PrimExpr& a, const PrimExpr& b, int64_t factor,
                                    int depth) const {
    std::optional<LinearSum> sum = SumOf(a, depth + 1);
    const std::optional<LinearSum> other = sum ? SumOf(b, depth + 1) : std::nullopt;
    if (!other || !sum->Add(*other, factor)) return std::nullopt;
    return sum;
  }

  /*! \brief The greatest value that a sum has, or the least one. */
  std::optional<LinearSum> ExtremeOf(const LinearSum& sum, bool is_greatest) const {
    LinearSum extreme{sum.base, {}};
    for (const auto& [var, factor] : sum.factors) {
      const auto found = values_.find(var);
      const bool takes_greatest = (factor > 0) == is_greatest;
      const LinearSum own = found == values_.end() ? LinearSum{0, {{var, 1}}}
                            : takes_greatest       ? found->second.greatest
                                                   : found->second.least;
      if (!extreme.Add(own, factor)) return std::nullopt;
    }
    return extreme;
  }

  void CheckIndices(const ffi::Object* node, const tir::Buffer& buffer,
                    const ffi::Array<PrimExpr>& indices) {
    if (num_guards_ > 0 || indices.size() != buffer->shape.size()) return;
    for (size_t i = 0; i < indices.size(); ++i) {
      CheckIndex(node, buffer, i, indices[static_cast<int64_t>(i)]);
    }
  }

  void CheckIndex(const ffi::Object* node, const tir::Buffer& buffer, size_t dimension,
                  const PrimExpr& index) {
    const PrimExpr& extent = buffer->shape[static_cast<int64_t>(dimension)];
    const std::optional<LinearSum> sum = SumOf(index, 0), size = SumOf(extent, 0);
    if (!sum || !size) return;
    const std::optional<LinearSum> least = ExtremeOf(*sum, false);
    if (least && least->factors.empty() && least->base < 0) {
      return Report(node, buffer, dimension, index, "is " + std::to_string(least->base));
    }
    std::optional<LinearSum> beyond = ExtremeOf(*sum, true);
    if (!beyond || !beyond->Add(*size, -1) || !beyond->factors.empty() || beyond->base < 0) return;
    const std::string place = size->factors.empty()
                                  ? std::to_string(beyond->base + size->base)
                                  : "the extent plus " + std::to_string(beyond->base);
    Report(node, buffer, dimension, index, "is up to " + place);
  }

  void Report(const ffi::Object* node, const tir::Buffer& buffer, size_t dimension,
              const PrimExpr& index, const std::string& place) {
    const PrimExpr& extent = buffer->shape[static_cast<int64_t>(dimension)];
    problems_.push_back({node, "index " + std::to_string(dimension) + " of buffer `" +
                                   std::string(buffer->name) + "`, `" + ir::ScriptText(index) +
                                   "`, " + place + ", which is out of bounds: the extent is `" +
                                   ir::ScriptText(extent) + "`"});
  }

  std::unordered_map<const tir::VarNode*, Values> values_;
  std::unordered_map<const tir::VarNode*, LinearSum> definitions_;
  std::unordered_set<const ffi::Object*> seen_;
  std::vector<Problem> problems_;
  /*! \brief How many conditions around the present place may keep it from running. */
  int num_guards_ = 0;
  /*! \brief Whether the innermost loop may be left early. */
  bool has_jump_ = false;
};

void CheckBounds(const ir::BaseFunc& func, ir::Verifier* verifier) {
  BoundsChecker checker;
  checker.VisitStmt(func.as<tir::PrimFuncNode>()->body);
  for (const auto& problem : checker.problems()) {
    verifier->Report(problem.node, problem.message);
  }
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddFunctionChecker("uir.tir.PrimFunc", &CheckBounds, 1); }

}  // namespace

}  // namespace uir::arith
