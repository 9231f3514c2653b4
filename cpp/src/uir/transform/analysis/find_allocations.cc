// Live ranges of the allocations of a function.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "./storage_plan.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief The number of elements of an allocation; 0 if it is not constant.
 */
int64_t NumBufferElements(const tir::Buffer& buffer) {
  int64_t product = 1;
  int64_t last = 0;
  for (size_t axis = 0; axis < buffer->shape.size(); ++axis) {
    const auto* extent = buffer->shape[axis].as<ir::IntImmNode>();
    if (extent == nullptr || extent->value <= 0) return 0;
    if (product > INT64_MAX / 64 / extent->value) return 0;
    product *= extent->value;
    if (buffer->strides.empty()) continue;
    const auto* stride = buffer->strides[axis].as<ir::IntImmNode>();
    if (stride == nullptr || stride->value < 0) return 0;
    last += (extent->value - 1) * stride->value;
  }
  return buffer->strides.empty() ? product : last + 1;
}

/*! \brief The number of elements of a compact buffer, as an expression. */
PrimExpr SymbolicElements(const tir::Buffer& buffer) {
  PrimExpr product = buffer->shape[0];
  for (size_t axis = 1; axis < buffer->shape.size(); ++axis) {
    product = tir::mul(product, buffer->shape[axis]);
  }
  return product;
}

/*! \brief Whether a buffer has vectors as elements, which compilers keep in registers. */
bool AreRegisters(const tir::Buffer& buffer) {
  return ir::LanesOf(buffer->dtype) > 1 && buffer->Scope() == "local";
}

class AllocationFinder : public tir::StmtVisitor {
 public:
  std::vector<Allocation> Run(const tir::Stmt& body) {
    VisitArena(body);
    std::vector<Allocation> used;
    for (Allocation& allocation : allocations_) {
      if (allocation.end >= 0 && allocation.bytes > 0) used.push_back(std::move(allocation));
    }
    std::stable_sort(used.begin(), used.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return used;
  }

  void VisitPrimExpr(const PrimExpr& expr) override {
    // Uses count once per statement, also those of a shared expression.
    if (!expr.unique() && expr.as<tir::VarNode>() == nullptr) {
      const int64_t state = now_ * 4 + (is_kept_ ? 2 : 0) + (is_address_ ? 1 : 0);
      int64_t& seen = seen_[expr.get()];
      if (std::exchange(seen, state + 1) == state + 1) return;
    }
    StmtVisitor::VisitPrimExpr(expr);
  }

  void VisitStmt(const tir::Stmt& stmt) override {
    if (stmt.use_count() <= 1) return StmtVisitor::VisitStmt(stmt);
    const auto [entry, is_new] = shared_.try_emplace(stmt.get());
    SharedStmt& shared = entry->second;
    if (!is_new) return UseAgain(shared);
    const size_t num_used = used_.size();
    shared.first_allocation = allocations_.size();
    StmtVisitor::VisitStmt(stmt);
    shared.last_allocation = allocations_.size();
    const auto first_used = used_.begin() + static_cast<std::ptrdiff_t>(num_used);
    std::sort(first_used, used_.end());
    used_.erase(std::unique(first_used, used_.end()), used_.end());
    shared.used.assign(used_.begin() + static_cast<std::ptrdiff_t>(num_used), used_.end());
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitVar(const tir::VarNode* op) override {
    Touch(op);
    if (is_kept_) Pin(op);
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    Touch(op->buffer->data.get());
    // The kept value may be the buffer's address.
    if (is_kept_ && is_address_) Pin(op->buffer->data.get());
    StmtVisitor::VisitBufferLoad(op);
  }

  void VisitCall(const tir::CallNode* op) override {
    const bool outer = std::exchange(is_address_, ir::IsHandle(op->dtype));
    StmtVisitor::VisitCall(op);
    is_address_ = outer;
  }

  void VisitLet(const tir::LetNode* op) override {
    VisitKept(op->value);
    VisitPrimExpr(op->body);
  }

  void VisitBind(const tir::BindNode* op) override {
    inner_vars_.insert(op->var.get());
    VisitKept(op->value);
  }

  void VisitAssertStmt(const tir::AssertStmtNode* op) override {
    // An assertion may check a size.
    is_checked_ = true;
    StmtVisitor::VisitAssertStmt(op);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Touch(op->buffer->data.get());
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    for (const PrimExpr& extent : op->buffer->shape) VisitPrimExpr(extent);
    Add(op->buffer, lists_.size(), op->annotations.empty());
  }

  void VisitDeclBuffer(const tir::DeclBufferNode*) override {}

  void VisitSeqStmt(const tir::SeqStmtNode* op) override {
    lists_.push_back({nullptr, 0, op == arena_, {}});
    for (const tir::Stmt& stmt : op->seq) {
      lists_.back().stmt = stmt.get();
      lists_.back().begin = ++now_;
      VisitStmt(stmt);
      EndStmt();
    }
    lists_.pop_back();
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    VisitPrimExpr(op->value);
    if (const std::optional<tir::Var> var = op->node.as<tir::Var>()) Pin(var->get());
    if (const auto launch = op->node.as<tir::IterVar>()) inner_vars_.insert((*launch)->var.get());
    tir::LaunchedAxis(op) ? VisitArena(op->body) : VisitStmt(op->body);
  }

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    if (op->step.has_value()) VisitPrimExpr(op->step.value());
    inner_vars_.insert(op->loop_var.get());
    const bool is_serial = op->kind == tir::ForKind::kSerial || op->kind == tir::ForKind::kUnrolled;
    is_serial ? VisitStmt(op->body) : VisitArena(op->body);
  }

  void VisitBlock(const tir::BlockNode* op) override {
    for (const tir::IterVar& axis : op->iter_vars) VisitIterVar(axis.get());
    for (const tir::MatchBufferRegion& match : op->match_buffers) {
      Touch(match->source->buffer->data.get());
      VisitMatchBufferRegion(match.get());
    }
    if (op->init.has_value()) VisitArena(op->init.value());
    // The body's sequence must hold all uses of the block's buffers.
    const bool is_plain = op->match_buffers.empty() && !op->init.has_value() &&
                          op->body.as<tir::SeqStmtNode>() != nullptr;
    ffi::Array<tir::Buffer> buffers;
    for (const tir::Buffer& buffer : op->alloc_buffers) {
      for (const PrimExpr& extent : buffer->shape) VisitPrimExpr(extent);
      if (is_plain && !IsInRegions(op, buffer)) buffers.push_back(buffer);
    }
    VisitArena(op->body, buffers);
  }

 private:
  /*! \brief A sequence that the visitor is in. */
  struct List {
    const tir::StmtNode* stmt;
    int64_t begin;
    bool is_arena;
    /*! \brief The allocations of the sequence that its present statement uses. */
    std::vector<size_t> touched;
  };

  /*! \brief The index of an allocation, and the number of sequences around it. */
  struct Place {
    size_t index;
    size_t depth;
  };

  /*! \brief The memory uses of a statement that occurs more than once. */
  struct SharedStmt {
    /*! \brief The memory that it uses. */
    std::vector<const tir::VarNode*> used;
    /*! \brief The half-open range of its allocations. */
    size_t first_allocation = 0;
    size_t last_allocation = 0;
  };

  /*! \brief Note another occurrence; the statement's allocations then have several live ranges. */
  void UseAgain(const SharedStmt& shared) {
    for (const tir::VarNode* data : shared.used) Touch(data);
    for (size_t i = shared.first_allocation; i < shared.last_allocation; ++i) {
      allocations_[i].bytes = 0;
    }
  }

  static bool IsInRegions(const tir::BlockNode* block, const tir::Buffer& buffer) {
    const auto is_of = [&](const tir::BufferRegion& region) {
      return region->buffer->data.same_as(buffer->data);
    };
    return std::any_of(block->reads.begin(), block->reads.end(), is_of) ||
           std::any_of(block->writes.begin(), block->writes.end(), is_of);
  }

  /*! \brief Note an allocation in the sequence at nesting level `depth`, counted from 1. */
  void Add(const tir::Buffer& buffer, size_t depth, bool is_plain) {
    const auto* offset = buffer->elem_offset.value().as<ir::IntImmNode>();
    const bool is_movable =
        is_plain && depth > 0 && offset != nullptr && offset->value == 0 && !AreRegisters(buffer);
    const bool is_outermost = depth <= lists_.size() && depth > 0 && lists_.back().is_arena;
    int64_t bytes = is_movable ? NumBufferElements(buffer) * ElementBytes(buffer) : 0;
    ffi::Optional<PrimExpr> elements;
    const bool begins_arena = is_outermost || depth > lists_.size();
    if (is_movable && bytes == 0 && begins_arena && IsKnownOutside(buffer)) {
      bytes = ElementBytes(buffer);
      elements = SymbolicElements(buffer);
    }
    places_[buffer->data.get()] = {allocations_.size(), depth};
    allocations_.push_back({buffer, arena_, is_outermost, bytes, buffer->Scope(), elements});
  }

  /*! \brief Whether the extents of a buffer can be computed at the beginning of the arena. */
  bool IsKnownOutside(const tir::Buffer& buffer) const {
    if (is_checked_ || !buffer->strides.empty()) return false;
    bool has_var = false;
    const auto is_known = [&](const PrimExpr& extent) {
      return !DependsOnMemory(extent) && tschema::Walk(extent, [&](const ir::PrimExprNode* node) {
        const bool is_op = node->IsInstance<tir::BinaryOpNode>();
        if (node->IsInstance<tir::LetNode>() || inner_vars_.count(node) != 0) {
          return tschema::kInterrupt;
        }
        has_var |= node->IsInstance<tir::VarNode>();
        const auto* call = ffi::AnyView(node).as<tir::CallNode>();
        const bool may_fail = is_op ? IsPartial(static_cast<const tir::BinaryOpNode*>(node))
                                    : call != nullptr && IsPartial(call);
        return may_fail ? tschema::kInterrupt : tschema::kAdvance;
      });
    };
    return std::all_of(buffer->shape.begin(), buffer->shape.end(), is_known) && has_var;
  }

  /*! \brief Visit a body that one thread runs, with the buffers that a block allocates for it. */
  void VisitArena(const tir::Stmt& body, const ffi::Array<tir::Buffer>& buffers = {}) {
    const tir::StmtNode* outer = std::exchange(arena_, body.get());
    auto outer_vars = std::exchange(inner_vars_, {});
    const bool was_checked = std::exchange(is_checked_, false);
    for (const tir::Buffer& buffer : buffers) {
      Add(buffer, lists_.size() + 1, true);
      allocations_.back().is_of_block = allocations_.back().is_outermost = true;
    }
    VisitStmt(body);
    is_checked_ = was_checked;
    inner_vars_ = std::move(outer_vars);
    arena_ = outer;
  }

  void VisitKept(const PrimExpr& value) {
    const bool outer = std::exchange(is_kept_, true);
    const bool was_address = std::exchange(is_address_, false);
    VisitPrimExpr(value);
    is_kept_ = outer;
    is_address_ = was_address;
  }

  /*! \brief Note a use of memory by the present statement. */
  void Touch(const tir::VarNode* data) {
    const auto place = places_.find(data);
    if (place == places_.end() || place->second.depth == 0) return;
    used_.push_back(data);
    Allocation& allocation = allocations_[place->second.index];
    List& list = lists_[place->second.depth - 1];
    if (allocation.last_begin == list.begin) return;
    allocation.last_begin = list.begin;
    if (allocation.first == nullptr) {
      allocation.first = list.stmt;
      allocation.begin = list.begin;
    }
    allocation.last = list.stmt;
    list.touched.push_back(place->second.index);
  }

  /*! \brief Do not move an allocation, because its address escapes. */
  void Pin(const tir::VarNode* data) {
    const auto place = places_.find(data);
    if (place != places_.end()) allocations_[place->second.index].bytes = 0;
  }

  void EndStmt() {
    ++now_;
    for (const size_t index : lists_.back().touched) allocations_[index].end = now_;
    lists_.back().touched.clear();
  }

  std::vector<Allocation> allocations_;
  std::unordered_map<const tir::VarNode*, Place> places_;
  std::vector<List> lists_;
  std::unordered_map<const tir::StmtNode*, SharedStmt> shared_;
  /*! \brief The memory that the visited statements use, with duplicates. */
  std::vector<const tir::VarNode*> used_;
  const tir::StmtNode* arena_ = nullptr;
  int64_t now_ = 0;
  /*! \brief The variables that are bound in the present arena. */
  std::unordered_set<const ffi::Object*> inner_vars_;
  /*! \brief Whether the visited part of the arena has an assertion. */
  bool is_checked_ = false;
  /*! \brief For shared expressions, the statement and the flags of the last visit. */
  std::unordered_map<const ffi::Object*, int64_t> seen_;
  /*! \brief Whether the present expression is part of a value that is bound to a variable. */
  bool is_kept_ = false;
  /*! \brief Whether the present expression is an argument of a call that returns an address. */
  bool is_address_ = false;
};

}  // namespace

int64_t ElementBytes(const tir::Buffer& buffer) {
  return (static_cast<int64_t>(buffer->dtype.bits) * ir::LanesOf(buffer->dtype) + 7) / 8;
}

std::vector<Allocation> FindAllocations(const tir::Stmt& body) {
  return AllocationFinder().Run(body);
}

}  // namespace uir::transform
