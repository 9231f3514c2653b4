// Lowering of blocks to plain statements.
//
// One walk replaces the variables of blocks and the accesses of matched buffers, and allocates
// buffers at the beginning of their blocks. A second one moves these allocations to their uses.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>
#include <uir/transform/with_body.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../analysis/allocation_places.h"
#include "../rewrite/matched_region.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsConst(const PrimExpr& expr, int64_t value) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == value;
}

/*! \brief A statement under a condition; empty if the condition is false. */
Stmt Under(const PrimExpr& condition, Stmt stmt, const ffi::Optional<ir::Span>& span) {
  if (IsConst(condition, 1)) return stmt;
  if (IsConst(condition, 0)) return tir::SeqStmt(ffi::Array<Stmt>(), span);
  return tir::IfThenElse(condition, std::move(stmt), std::nullopt, span);
}

class BlockLowerer : public LinearMutator {
 public:
  Stmt Run(const tir::PrimFunc& func) {
    for (const tir::Var& param : func->params) bound_.insert(param.get());
    for (const auto& [param, buffer] : func->buffer_map) BindVariablesOf(buffer);
    return VisitStmt(func->body);
  }

  /*! \brief The buffers that were allocated at the beginning of their blocks. */
  const std::unordered_set<const ffi::Object*>& allocated() const { return allocated_; }

 protected:
  using StmtMutator::VisitDefault;

  Stmt VisitFor(const tir::ForNode* op) override {
    bound_.insert(op->loop_var.get());
    const bool launches = op->kind == tir::ForKind::kThreadBinding && !op->step.has_value() &&
                          op->thread_binding.has_value() && !DependsOnMemory(op->min);
    return launches ? Launched(op) : LinearMutator::VisitFor(op);
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    bound_.insert(op->var.get());
    return LinearMutator::VisitBind(op);
  }

  Stmt VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    const tir::BlockNode* block = op->block.get();
    if (op->iter_values.size() != block->iter_vars.size()) {
      ir::ThrowAt(op, "ValueError",
                  "block `" + std::string(block->name_hint) + "` has " +
                      std::to_string(block->iter_vars.size()) + " iteration variables, got " +
                      std::to_string(op->iter_values.size()) + " values");
    }
    const PrimExpr predicate = VisitPrimExpr(op->predicate);
    ffi::Array<Stmt> stmts;
    for (size_t i = 0; i < op->iter_values.size(); ++i) {
      BindAxis(block->iter_vars[i], VisitPrimExpr(op->iter_values[i]), op, &stmts);
    }
    AddBlock(block, &stmts);
    return Under(predicate, FlatSeq(std::move(stmts), op->span), op->span);
  }

  Stmt VisitBlock(const tir::BlockNode* op) override {
    if (!op->iter_vars.empty()) {
      ir::ThrowAt(op, "ValueError",
                  "block `" + std::string(op->name_hint) +
                      "` is not realized: its iteration variables have no values");
    }
    ffi::Array<Stmt> stmts;
    AddBlock(op, &stmts);
    return FlatSeq(std::move(stmts), op->span);
  }

  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = is_pointer_used_.find(op);
    if (found != is_pointer_used_.end()) found->second = true;
    return LinearMutator::VisitVar(op);
  }

  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    const MatchedRegion* region = FindMatch(op->buffer);
    if (region == nullptr) return LinearMutator::VisitBufferLoad(op);
    return tir::BufferLoad(region->source, region->IndicesOf(VisitParts(op->indices)),
                           VisitPredicate(op->predicate), op->span);
  }

  Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    const MatchedRegion* region = FindMatch(op->buffer);
    if (region == nullptr) return LinearMutator::VisitBufferStore(op);
    return tir::BufferStore(region->source, VisitPrimExpr(op->value),
                            region->IndicesOf(VisitParts(op->indices)),
                            VisitPredicate(op->predicate), op->span);
  }

  /*! \brief An attribute of a matched buffer becomes one of the source buffer. */
  ffi::Any VisitNote(const ffi::Any& node) override {
    const std::optional<tir::Buffer> buffer = node.as<tir::Buffer>();
    const MatchedRegion* region = buffer ? FindMatch(*buffer) : nullptr;
    return region != nullptr ? ffi::Any(region->source) : LinearMutator::VisitNote(node);
  }

 private:
  void BindVariablesOf(const tir::Buffer& buffer) {
    for (const PrimExpr& extent : buffer->shape) bound_.insert(extent.get());
    for (const PrimExpr& stride : buffer->strides) bound_.insert(stride.get());
    bound_.insert(buffer->elem_offset.value().get());
  }

  /*! \brief Replace an axis by its value, or bind it if the value depends on memory. */
  void BindAxis(const tir::IterVar& axis, PrimExpr value, const tir::BlockRealizeNode* at,
                ffi::Array<Stmt>* stmts) {
    bound_.insert(axis->var.get());
    if (value->dtype != axis->var->dtype) {
      ir::ThrowAt(at, "TypeError",
                  "the value of iteration variable `" + std::string(axis->var->name) +
                      "` must be of its data type");
    }
    if (DependsOnMemory(value)) {
      stmts->push_back(tir::Bind(axis->var, std::move(value), at->span));
    } else {
      Replace(axis->var, std::move(value));
    }
  }

  /*! \brief Add the statements of a block whose variables have values. */
  void AddBlock(const tir::BlockNode* block, ffi::Array<Stmt>* stmts) {
    for (const tir::Buffer& buffer : block->alloc_buffers) {
      const tir::Buffer allocated = VisitBuffer(buffer.get());
      allocated_.insert(allocated.get());
      stmts->push_back(tir::AllocBuffer(allocated, {}, block->span));
    }
    for (const tir::MatchBufferRegion& match : block->match_buffers) AddMatch(match.get(), stmts);
    ffi::Array<Stmt> body;
    if (block->init.has_value()) {
      const PrimExpr is_first = IsFirst(block);
      body.push_back(Under(is_first, VisitStmt(block->init.value()), block->init.value()->span));
    }
    body.push_back(VisitStmt(block->body));
    for (const tir::MatchBufferRegion& match : block->match_buffers) AddPointer(match.get(), stmts);
    stmts->push_back(Annotated(block, FlatSeq(std::move(body), block->span)));
  }

  /*! \brief Whether an iteration of a block is the first one of its reduction. */
  PrimExpr IsFirst(const tir::BlockNode* block) {
    PrimExpr result = ir::IntImm(ir::BoolType(), 1);
    for (const tir::IterVar& axis : block->iter_vars) {
      if (axis->iter_type != tir::IterVarType::kCommReduce) continue;
      if (!axis->dom.has_value()) {
        ir::ThrowAt(block, "ValueError",
                    "iteration variable `" + std::string(axis->var->name) +
                        "` of a reduction has no domain, whose start the initialization needs");
      }
      const PrimExpr start = VisitPrimExpr(axis->dom.value()->min);
      const PrimExpr is_start = tir::equal(VisitPrimExpr(axis->var), start);
      result = IsConst(result, 1) ? is_start : tir::logical_and(result, is_start);
    }
    return result;
  }

  /*! \brief The launch of threads for a loop that is bound to threads. */
  Stmt Launched(const tir::ForNode* op) {
    const PrimExpr min = VisitPrimExpr(op->min);
    const PrimExpr extent = VisitPrimExpr(op->extent);
    tir::Var var = op->loop_var;
    if (!IsConst(min, 0)) {
      // Thread indices begin at 0.
      var = tir::Var(op->loop_var->name, op->loop_var->dtype, std::nullopt, op->loop_var->span);
      Replace(op->loop_var, tir::add(min, var));
    }
    const ffi::String tag = op->thread_binding.value()->thread_tag;
    const ir::Range domain(tir::make_const(0, extent->dtype), extent);
    const tir::IterVar axis(var, domain, tir::IterVarType::kThreadIndex, tag);
    return tir::AttrStmt(axis, tir::LaunchKey(tag), extent, VisitStmt(op->body), op->span);
  }

  /*! \brief A body with the pragmas of its block as attributes; schedules use other annotations. */
  Stmt Annotated(const tir::BlockNode* block, Stmt body) {
    for (const auto& [name, value] : block->annotations) {
      if (std::string_view(name.data(), name.size()).substr(0, 7) != "pragma_") continue;
      PrimExpr attribute = AttributeOf(block, name, value);
      body = tir::AttrStmt(nullptr, name, std::move(attribute), std::move(body), block->span);
    }
    return body;
  }

  PrimExpr AttributeOf(const tir::BlockNode* block, const ffi::String& name,
                       const ffi::Any& value) {
    if (const auto expr = value.as<PrimExpr>()) return VisitPrimExpr(*expr);
    if (const auto flag = value.as<bool>()) return ir::IntImm(ir::BoolType(), *flag ? 1 : 0);
    if (const auto number = value.as<int64_t>()) {
      const bool is_short = INT32_MIN <= *number && *number <= INT32_MAX;
      return ir::IntImm(ir::IntType(is_short ? 32 : 64), *number);
    }
    if (const auto number = value.as<double>()) return ir::FloatImm(ir::FloatType(32), *number);
    if (const auto text = value.as<ffi::String>()) return ir::StringImm(*text);
    ir::ThrowAt(
        block, "ValueError",
        "annotation `" + std::string(name) + "` of block `" + std::string(block->name_hint) +
            "` must be an expression, a number or a string, got `" + value.GetTypeKey() + "`");
  }

  // Matched buffers.

  const MatchedRegion* FindMatch(const tir::Buffer& buffer) const {
    const auto found = matches_.find(buffer.get());
    return found == matches_.end() ? nullptr : &found->second;
  }

  ffi::Array<PrimExpr> VisitParts(const ffi::Array<PrimExpr>& parts) {
    return parts.Map([this](const PrimExpr& part) { return VisitPrimExpr(part); });
  }

  ffi::Optional<PrimExpr> VisitPredicate(const ffi::Optional<PrimExpr>& predicate) {
    if (!predicate.has_value()) return predicate;
    return VisitPrimExpr(predicate.value());
  }

  /*! \brief Record the region that a buffer matches, and bind the buffer's variables. */
  void AddMatch(const tir::MatchBufferRegionNode* match, ffi::Array<Stmt>* stmts) {
    const tir::Buffer& target = match->buffer;
    MatchedRegion region = RegionOf(match, stmts);
    if (!matches_.insert_or_assign(target.get(), region).second) ForgetResults();
    const size_t rank = target->shape.size();
    for (size_t axis = 0; axis < target->strides.size(); ++axis) {
      BindPart(match, "stride", target->strides[axis], region.StrideOf(axis, rank));
    }
    const PrimExpr offset = region.Offset();
    const PrimExpr& target_offset = target->elem_offset.value();
    if (target->offset_factor > 1) {
      const PrimExpr factor = tir::make_const(target->offset_factor, offset->dtype);
      CheckMatched(match, "offset modulo `offset_factor`", tir::floormod(offset, factor),
                   tir::make_const(0, offset->dtype));
    }
    const bool has_offset = region.HasOffset();
    if (IsConst(target_offset, 0) && !(has_offset && IsConst(offset, 0))) {
      // The pointer is that of the first element.
      is_pointer_used_[target->data.get()] = false;
      return;
    }
    if (!has_offset) RefuseOffset(match);
    BindPart(match, "offset", target_offset, offset);
    BindPart(match, "data pointer", target->data, region.source->data);
  }

  /*! \brief The region of a match; starts that depend on memory are bound to variables. */
  MatchedRegion RegionOf(const tir::MatchBufferRegionNode* match, ffi::Array<Stmt>* stmts) {
    ffi::Array<PrimExpr> starts;
    ffi::Array<PrimExpr> extents;
    for (const ir::Range& range : match->source->region) {
      PrimExpr start = VisitPrimExpr(range->min);
      if (DependsOnMemory(start)) {
        const tir::Var var(std::string(match->buffer->name) + "_start", start->dtype);
        stmts->push_back(tir::Bind(var, start, match->source->buffer->span));
        start = var;
      }
      starts.push_back(std::move(start));
      extents.push_back(VisitPrimExpr(range->extent));
    }
    CheckMatch(match, extents, VisitParts(match->buffer->shape));
    const tir::Buffer& source = match->source->buffer;
    const MatchedRegion* outer = FindMatch(source);
    if (outer == nullptr) return {UseOf(source), std::move(starts)};
    return {outer->source, outer->IndicesOf(starts)};
  }

  /*! \brief Bind a variable of a matched buffer; check that any other part has the value. */
  void BindPart(const tir::MatchBufferRegionNode* match, const char* property, const PrimExpr& part,
                const PrimExpr& value) {
    const auto* var = part.as<tir::VarNode>();
    if (var == nullptr || bound_.count(var) != 0) {
      return CheckMatched(match, property, VisitPrimExpr(part), value);
    }
    if (part->dtype == value->dtype) return Replace(part, value);
    Replace(part, tir::cast(value, part->dtype));
  }

  /*! \brief Bind the address of the region if the pointer of a matched buffer is used. */
  void AddPointer(const tir::MatchBufferRegionNode* match, ffi::Array<Stmt>* stmts) {
    const auto found = is_pointer_used_.find(match->buffer->data.get());
    if (found == is_pointer_used_.end()) return;
    const MatchedRegion& region = matches_.at(match->buffer.get());
    if (found->second) {
      const PrimExpr address = tir::address_of(tir::BufferLoad(region.source, region.starts));
      stmts->push_back(tir::Bind(match->buffer->data, address, match->buffer->span));
    }
    is_pointer_used_.erase(found);
  }

  /*! \brief The variables with values; a match binds the others. */
  std::unordered_set<const ffi::Object*> bound_;
  std::unordered_set<const ffi::Object*> allocated_;
  std::unordered_map<const ffi::Object*, MatchedRegion> matches_;
  /*! \brief The data pointers of matched buffers that point to the first element of a region. */
  std::unordered_map<const tir::VarNode*, bool> is_pointer_used_;
};

/*! \brief Moves allocations. */
class AllocationMover : public StmtRewriter {
 public:
  explicit AllocationMover(AllocationMoves moves) : moves_(std::move(moves)) {}

  Stmt VisitStmt(Stmt stmt) override {
    const auto found = moves_.places.find(stmt.get());
    if (found == moves_.places.end()) return LinearMutator::VisitStmt(std::move(stmt));
    ffi::Array<Stmt> stmts;
    for (const tir::Buffer& buffer : found->second) stmts.push_back(tir::AllocBuffer(buffer));
    const ffi::Optional<ir::Span> span = stmt->span;
    moves_.places.erase(found);
    stmts.push_back(LinearMutator::VisitStmt(std::move(stmt)));
    return FlatSeq(std::move(stmts), span);
  }

 protected:
  Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    if (moves_.moved.count(op->buffer.get()) == 0) return LinearMutator::VisitAllocBuffer(op);
    return tir::SeqStmt(ffi::Array<Stmt>(), op->span);
  }

 private:
  AllocationMoves moves_;
};

Stmt LoweredBody(const tir::PrimFunc& func) {
  BlockLowerer lowerer;
  Stmt body = lowerer.Run(func);
  if (lowerer.allocated().empty()) return body;
  return AllocationMover(PlaceAllocations(body, lowerer.allocated())).VisitStmt(body);
}

}  // namespace

Pass LowerBlocks() {
  auto run = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    Stmt body = LoweredBody(func);
    return WithBody(std::move(func), std::move(body));
  };
  return MakePrimFuncPass(run, 0, "LowerBlocks");
}

}  // namespace uir::transform
