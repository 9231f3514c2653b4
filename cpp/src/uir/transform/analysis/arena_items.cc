// The buffers of a function that may move to an arena, with their live ranges.
#include <tschema/stack_guard.h>
#include <tschema/walk.h>
#include <uir/ir/types.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./arena_plan.h"

namespace uir::transform {

namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

/*! \brief Counts statements in program order, the branches of a conditional one after another. A
 * buffer that the body of a loop allocates lives in one step. */
class ItemFinder : public tir::StmtVisitor {
 public:
  ItemFinder(const tir::PrimFunc& func, NumberedCalls* calls) : calls_(calls) {
    for (const tir::Var& param : func->params) bound_.insert(param.get());
    for (const auto& [param, buffer] : func->buffer_map) {
      tschema::Walk(buffer->shape, [this](const tir::VarNode* var) { bound_.insert(var); });
    }
  }

  std::vector<ArenaItem> Run(const tir::Stmt& body) {
    VisitStmt(body);
    std::vector<ArenaItem> used;
    for (ArenaItem& item : items_) {
      if (item.begin <= item.end) used.push_back(std::move(item));
    }
    return used;
  }

  void VisitStmt(const tir::Stmt& stmt) override {
    if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { VisitStmt(stmt); });
    if (stmt.as<tir::SeqStmtNode>() != nullptr) return StmtVisitor::VisitStmt(stmt);
    if (const auto* branch = stmt.as<tir::IfThenElseNode>()) {
      Use(branch->condition);
      VisitStmt(branch->then_case);
      if (branch->else_case.has_value()) VisitStmt(branch->else_case.value());
      return;
    }
    if (const auto* loop = stmt.as<tir::WhileNode>()) return VisitLoop(loop);
    ++position_;
    if (const auto* alloc = stmt.as<tir::AllocBufferNode>()) return Add(alloc->buffer);
    if (stmt.as<tir::BindNode>() != nullptr) return Keep(stmt);
    Use(stmt);
    const auto* evaluate = stmt.as<tir::EvaluateNode>();
    const auto call = evaluate == nullptr ? std::nullopt : evaluate->value.as<tir::Call>();
    if (call && (*call)->op.as<ir::GlobalVarNode>() != nullptr) {
      calls_->emplace_back(position_, *call);
    }
  }

 private:
  /*! \brief Visit a loop: the buffers before it that it uses live in all of its steps. */
  void VisitLoop(const tir::WhileNode* loop) {
    const size_t num_before = items_.size();
    const int64_t begin = ++position_;
    Use(loop->condition);
    VisitStmt(loop->body);
    ++position_;
    for (size_t i = 0; i < num_before; ++i) {
      ArenaItem& item = items_[i];
      if (item.end < begin) continue;
      item.begin = std::min(item.begin, begin);
      item.end = std::max(item.end, position_);
    }
  }

  /*! \brief Note an allocation; its live range begins at its first use. */
  void Add(const tir::Buffer& buffer) {
    Use(buffer->shape);
    if (!IsMovable(buffer)) return;
    places_.emplace(buffer->data.get(), items_.size());
    items_.push_back({buffer, kEnd, -1});
  }

  bool IsMovable(const tir::Buffer& buffer) const {
    const auto* offset = buffer->elem_offset.value().as<ir::IntImmNode>();
    bool is_known = true;
    tschema::Walk(buffer->shape,
                  [&](const tir::VarNode* var) { is_known = is_known && bound_.count(var) != 0; });
    return is_known && buffer->Scope() == "global" && buffer->IsCompact() && offset != nullptr &&
           offset->value == 0 && buffer->data_alignment <= kArenaAlignment;
  }

  void Use(const ffi::ObjectRef& node) {
    tschema::Walk(node, [this](const tir::VarNode* var) {
      const auto found = places_.find(var);
      if (found == places_.end()) return;
      ArenaItem& item = items_[found->second];
      item.begin = std::min(item.begin, position_);
      item.end = std::max(item.end, position_);
    });
  }

  /*! \brief Note a statement that may store addresses. */
  void Keep(const tir::Stmt& stmt) {
    Use(stmt);
    tschema::Walk(stmt, [this](const tir::VarNode* var) {
      const auto found = places_.find(var);
      if (found != places_.end()) items_[found->second].end = kEnd;
    });
  }

  std::unordered_set<const ffi::Object*> bound_;
  std::vector<ArenaItem> items_;
  /*! \brief The indices of buffers among the items, by their data pointers. */
  std::unordered_map<const ffi::Object*, size_t> places_;
  int64_t position_ = 0;
  NumberedCalls* calls_;
};

}  // namespace

std::vector<ArenaItem> FindArenaItems(const tir::PrimFunc& func, NumberedCalls* calls) {
  return ItemFinder(func, calls).Run(func->body);
}

}  // namespace uir::transform
