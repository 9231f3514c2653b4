// The lowest common ancestor of the uses of each allocation, in one walk.
#include "./allocation_places.h"

#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "./separated_accesses.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief An occurrence of a statement. */
struct Frame {
  const tir::StmtNode* stmt;
  size_t parent;
  bool is_open;
};

constexpr size_t kNoFrame = SIZE_MAX;

/*! \brief An allocation, and the frames found for it so far. */
struct AllocationPlace {
  tir::Buffer buffer;
  /*! \brief The statement that contains the allocation now, or the allocation itself. */
  size_t origin;
  /*! \brief The lowest common ancestor of its uses so far, and the first one of these. */
  size_t ancestor = kNoFrame;
  size_t first = kNoFrame;
};

/*! \brief A statement that repeats its body. */
struct Loop {
  size_t frame;
  /*! \brief The variable with a different value in each iteration; null if the body may not
   * allocate. */
  const tir::VarNode* var;
};

class AllocationPlacer : public tir::StmtVisitor {
 public:
  AllocationPlacer(const tir::Stmt& body, const std::unordered_set<const ffi::Object*>& buffers)
      : buffers_(buffers), separated_(body, buffers) {}

  AllocationMoves Run(const tir::Stmt& body) {
    VisitStmt(body);
    AllocationMoves moves;
    for (const AllocationPlace& place : places_) {
      moves.moved.insert(place.buffer.get());
      if (place.first == kNoFrame) continue;
      moves.places[FrontOf(place)].push_back(place.buffer);
    }
    return moves;
  }

  void VisitStmt(const tir::Stmt& stmt) override {
    if (stmt.use_count() > 1) {
      const auto [entry, is_new] = shared_.try_emplace(stmt.get());
      if (!is_new) return UseAgain(stmt, entry->second);
      const auto num_used = static_cast<std::ptrdiff_t>(used_.size());
      ++num_shared_;
      Enter(stmt);
      --num_shared_;
      shared_[stmt.get()].assign(used_.begin() + num_used, used_.end());
      return;
    }
    Enter(stmt);
  }

  void VisitPrimExpr(const PrimExpr& expr) override {
    // Uses count once per statement, also those of a shared expression.
    if (!expr.unique() && expr.as<tir::VarNode>() == nullptr) {
      size_t& seen = seen_.try_emplace(expr.get(), kNoFrame).first->second;
      if (std::exchange(seen, stack_.back()) == stack_.back()) return;
    }
    StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitVar(const tir::VarNode* op) override { Touch(op); }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    Touch(op->buffer->data.get());
    StmtVisitor::VisitBufferLoad(op);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Touch(op->buffer->data.get());
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    const tir::Buffer& buffer = op->buffer;
    const bool is_fixed = std::any_of(buffer->shape.begin(), buffer->shape.end(), DependsOnMemory);
    for (const PrimExpr& extent : buffer->shape) VisitPrimExpr(extent);
    for (const PrimExpr& stride : buffer->strides) VisitPrimExpr(stride);
    if (is_fixed || buffers_.count(buffer.get()) == 0) return;
    indices_[buffer->data.get()] = places_.size();
    const size_t parent = frames_[stack_.back()].parent;
    places_.push_back({buffer, parent == kNoFrame ? stack_.back() : parent});
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (const auto* var = op->node.as<tir::VarNode>()) Touch(var);
    if (const auto* buffer = op->node.as<tir::BufferNode>()) Touch(buffer->data.get());
    VisitPrimExpr(op->value);
    const std::optional<tir::IterVar> axis = tir::LaunchedAxis(op);
    if (!axis) return VisitStmt(op->body);
    VisitLoopBody(op->body, IsBlockIndex((*axis)->thread_tag) ? (*axis)->var.get() : nullptr);
  }

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    if (op->step.has_value()) VisitPrimExpr(op->step.value());
    const bool has_own = op->kind == tir::ForKind::kSerial || op->kind == tir::ForKind::kParallel ||
                         op->kind == tir::ForKind::kUnrolled;
    VisitLoopBody(op->body, has_own ? op->loop_var.get() : nullptr);
  }

  void VisitWhile(const tir::WhileNode* op) override {
    VisitPrimExpr(op->condition);
    VisitLoopBody(op->body, nullptr);
  }

 private:
  void Enter(const tir::Stmt& stmt) {
    const size_t parent = stack_.empty() ? kNoFrame : stack_.back();
    stack_.push_back(frames_.size());
    frames_.push_back({stmt.get(), parent, true});
    StmtVisitor::VisitStmt(stmt);
    frames_[stack_.back()].is_open = false;
    stack_.pop_back();
  }

  /*! \brief Note another occurrence of a shared statement. */
  void UseAgain(const tir::Stmt& stmt, const std::vector<const tir::VarNode*>& used) {
    const size_t parent = stack_.empty() ? kNoFrame : stack_.back();
    stack_.push_back(frames_.size());
    frames_.push_back({stmt.get(), parent, true});
    for (const tir::VarNode* data : used) Touch(data);
    frames_[stack_.back()].is_open = false;
    stack_.pop_back();
  }

  /*! \brief Blocks of threads share no memory that is allocated in them. */
  static bool IsBlockIndex(const ffi::String& tag) {
    return std::string_view(tag.data(), tag.size()).substr(0, 9) == "blockIdx.";
  }

  /*!
   * \brief Visit a body that a statement repeats.
   * \param var The variable with a different value in each iteration; null if the body may not
   * allocate.
   */
  void VisitLoopBody(const tir::Stmt& body, const tir::VarNode* var) {
    loops_.push_back({stack_.back(), var});
    VisitStmt(body);
    loops_.pop_back();
  }

  /*! \brief Note a use of memory by the present statement. */
  void Touch(const tir::VarNode* data) {
    const auto found = indices_.find(data);
    if (found == indices_.end()) return;
    if (num_shared_ > 0) used_.push_back(data);
    AllocationPlace& place = places_[found->second];
    // A loop that may carry elements from one iteration to the next counts as the use, the
    // outermost such loop that does not contain the allocation. Outer frames have lower numbers.
    const auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& each) {
      if (each.frame <= place.origin) return false;
      return each.var == nullptr || !separated_.Separates(data, each.var);
    });
    const size_t use = loop == loops_.end() ? stack_.back() : loop->frame;
    if (place.first == kNoFrame) {
      place.first = place.ancestor = use;
      return;
    }
    while (!frames_[place.ancestor].is_open) place.ancestor = frames_[place.ancestor].parent;
    // Both contain the present statement.
    place.ancestor = std::min(place.ancestor, use);
  }

  /*! \brief The statement before which to allocate; in a sequence, the first one with a use. */
  const tir::StmtNode* FrontOf(const AllocationPlace& place) const {
    if (!frames_[place.ancestor].stmt->IsInstance<tir::SeqStmtNode>()) {
      return frames_[place.ancestor].stmt;
    }
    size_t front = place.first;
    while (frames_[front].parent != place.ancestor) front = frames_[front].parent;
    return frames_[front].stmt;
  }

  const std::unordered_set<const ffi::Object*>& buffers_;
  std::vector<AllocationPlace> places_;
  /*! \brief The indices of allocations, by their data pointers. */
  std::unordered_map<const tir::VarNode*, size_t> indices_;
  std::vector<Frame> frames_;
  /*! \brief The frames around the present statement, innermost last. */
  std::vector<size_t> stack_;
  /*! \brief The enclosing frames that repeat their bodies. */
  std::vector<Loop> loops_;
  SeparatedAccesses separated_;
  /*! \brief The memory used so far in the open shared statements, in order. */
  std::vector<const tir::VarNode*> used_;
  int num_shared_ = 0;
  /*! \brief The memory that each shared statement uses. */
  std::unordered_map<const tir::StmtNode*, std::vector<const tir::VarNode*>> shared_;
  /*! \brief The statement in which each expression was visited last. */
  std::unordered_map<const ffi::Object*, size_t> seen_;
};

}  // namespace

AllocationMoves PlaceAllocations(const tir::Stmt& body,
                                 const std::unordered_set<const ffi::Object*>& buffers) {
  return AllocationPlacer(body, buffers).Run(body);
}

}  // namespace uir::transform
