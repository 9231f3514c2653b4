// The regions of buffers that a block reads and writes, from the accesses in its body.
#include <tschema/structural_equal.h>
#include <uir/arith/access_region.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/int_set.h>
#include <uir/arith/region.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./access_visitor.h"
#include "./const_fold.h"
#include "./memo_table.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;
using ir::Range;
using tir::Buffer;
using tir::BufferRegion;
using Region = ffi::Array<Range>;

/*! \brief The properties of an index that its region depends on. */
struct IndexParts {
  /*! \brief Whether it depends on a value in memory. */
  bool is_data = false;
  /*! \brief Whether it contains variables that are bound to values. */
  bool has_values = false;
  /*! \brief The variables in it that range over a domain. */
  std::vector<tir::Var> vars;
};

/*! \brief The values and domains of the variables that the body of a block binds. */
struct BoundVars {
  std::unordered_map<const tir::VarNode*, Range> ranges;
  std::unordered_map<const tir::VarNode*, PrimExpr> values;
  /*! \brief Variables whose values are read from memory. */
  std::unordered_set<const tir::VarNode*> data;
};

/*! \brief Finds the variables of an index that have a range, and those of their ranges. */
class IndexReader : public tir::PrimExprVisitor {
 public:
  explicit IndexReader(const BoundVars& bound) : bound_(bound) {}

  IndexParts Read(const PrimExpr& expr) {
    VisitPrimExpr(expr);
    return std::move(parts_);
  }

  void VisitPrimExpr(const PrimExpr& expr) override {
    const bool is_known = expr.use_count() > 1 && !seen_.insert(expr.get()).second;
    if (!is_known) PrimExprVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitVar(const tir::VarNode* op) override {
    if (bound_.data.count(op) != 0) parts_.is_data = true;
    const auto value = bound_.values.find(op);
    if (value != bound_.values.end()) {
      parts_.has_values = true;
      return VisitPrimExpr(value->second);
    }
    const auto range = bound_.ranges.find(op);
    if (range == bound_.ranges.end()) return;
    parts_.vars.push_back(ffi::GetRef<tir::Var>(op));
    VisitPrimExpr(range->second->min);
    VisitPrimExpr(range->second->extent);
  }
  void VisitBufferLoad(const tir::BufferLoadNode*) override { parts_.is_data = true; }
  void VisitLet(const tir::LetNode*) override { parts_.is_data = true; }

 private:
  const BoundVars& bound_;
  std::unordered_set<const ffi::Object*> seen_;
  IndexParts parts_;
};

/*! \brief Replaces variables by the values that they are bound to. */
class ValueMutator : public tir::PrimExprMutator {
 public:
  explicit ValueMutator(const BoundVars& bound) : bound_(bound) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (const PrimExpr* known = memo_.Find(expr)) return *known;
    const PrimExpr result = PrimExprMutator::VisitPrimExpr(expr);
    memo_.Add(expr, result);
    return result;
  }

  Range VisitParts(const Range& range) {
    return Range(VisitPrimExpr(range->min), VisitPrimExpr(range->extent));
  }

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto value = bound_.values.find(op);
    return value == bound_.values.end() ? ffi::GetRef<PrimExpr>(op) : VisitPrimExpr(value->second);
  }

 private:
  const BoundVars& bound_;
  MemoTable<PrimExpr> memo_;
};

/*! \brief The regions of buffers, in the order of the first access. */
class RegionList {
 public:
  /*! \brief Add a region. A previous region of the same buffer grows to contain it. */
  void Add(const Buffer& buffer, const Region& region, const Analyzer& analyzer) {
    const auto [place, is_new] = places_.try_emplace(buffer.get(), regions_.size());
    if (is_new) {
      regions_.emplace_back(buffer, region);
      return;
    }
    Region& known = regions_[place->second].second;
    for (size_t i = 0; i < known.size(); ++i) {
      if (IsSame(known[i], region[i])) continue;
      known.Set(i, Both(known[i], region[i], buffer->shape[i], analyzer));
    }
  }

  bool Has(const Buffer& buffer) const { return places_.count(buffer.get()) != 0; }

  /*! \brief The regions, without those of the buffers of another list. */
  ffi::Array<BufferRegion> Without(const RegionList& other) const {
    ffi::Array<BufferRegion> result;
    for (const auto& [buffer, region] : regions_) {
      if (!other.Has(buffer)) result.push_back(BufferRegion(buffer, region));
    }
    return result;
  }

  static Range Whole(const PrimExpr& extent) { return Range(MakeInt(extent->dtype, 0), extent); }

  /*! \brief The range of a set; the whole dimension if the set has no ends. */
  static Range RangeOf(const IntSet& set, const PrimExpr& extent, const Analyzer& analyzer) {
    if (!set->min_value.has_value() || !set->max_value.has_value()) return Whole(extent);
    const PrimExpr min = analyzer->Simplify(set->min_value.value());
    const PrimExpr size = set->max_value.value() - min + MakeInt(min->dtype, 1);
    return Range(min, analyzer->Simplify(size));
  }

 private:
  static bool IsSame(const Range& a, const Range& b) {
    return a.same_as(b) || (tschema::StructuralEqual(a->min, b->min) &&
                            tschema::StructuralEqual(a->extent, b->extent));
  }

  static Range Both(const Range& a, const Range& b, const PrimExpr& extent,
                    const Analyzer& analyzer) {
    if (a->min->dtype != b->min->dtype) return Whole(extent);
    return RangeOf(union_sets({set_of_range(a), set_of_range(b)}, analyzer), extent, analyzer);
  }

  std::vector<std::pair<Buffer, Region>> regions_;
  std::unordered_map<const tir::BufferNode*, size_t> places_;
};

class AccessFinder : public AccessVisitor {
 public:
  explicit AccessFinder(const ffi::Map<tir::Var, Buffer>& buffers) : buffers_(buffers) {}

  void Run(const tir::BlockNode* block) {
    for (const Buffer& buffer : block->alloc_buffers) own_.insert(buffer->data.get());
    for (const tir::MatchBufferRegion& match : block->match_buffers) {
      matches_.emplace(match->buffer.get(), match->source);
    }
    for (const tir::IterVar& axis : block->iter_vars) {
      if (axis->dom.has_value()) analyzer_->Bind(axis->var, axis->dom.value());
    }
    if (block->init.has_value()) VisitStmt(block->init.value());
    VisitStmt(block->body);
  }

  ffi::Array<ffi::Array<BufferRegion>> Regions(bool has_init) const {
    return {reads_.Without(has_init ? writes_ : RegionList()), writes_.Without(RegionList())};
  }

 protected:
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    own_.insert(op->buffer->data.get());
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    Access(&reads_, op->buffer, RegionOf(op->indices));
    AccessVisitor::VisitBufferLoad(op);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Access(&writes_, op->buffer, RegionOf(op->indices));
    AccessVisitor::VisitBufferStore(op);
  }

  /*! \brief An address that a call takes. */
  void VisitVar(const tir::VarNode* op) override {
    const auto buffer = buffers_.find(ffi::GetRef<tir::Var>(op));
    if (buffer != buffers_.end()) AccessAll((*buffer).second, kRead | kWrite);
  }

  void VisitCall(const tir::CallNode* op) override {
    const auto* callee = op->op.as<ir::OpNode>();
    const bool is_address = callee != nullptr && callee->name == "tir.access_ptr";
    if (!is_address) return AccessVisitor::VisitCall(op);
    const auto var = op->args[0].as<tir::Var>();
    const std::optional<int64_t> mask = IntConstOf(op->args[3]);
    const auto buffer = var ? buffers_.find(*var) : buffers_.end();
    if (buffer != buffers_.end()) AccessAll((*buffer).second, mask.value_or(kRead | kWrite));
    VisitPrimExpr(op->args[1]);
    VisitPrimExpr(op->args[2]);
  }

  void Define(const tir::Var& var, const Range& range) override {
    bound_.values.erase(var.get());
    bound_.ranges.insert_or_assign(var.get(), range);
    const bool is_data = IndexOf(range->min).is_data || IndexOf(range->extent).is_data;
    if (is_data) bound_.data.insert(var.get());
  }

  /*! \brief Bind a variable of the body to its value. */
  void Define(const tir::Var& var, const PrimExpr& value) override {
    const bool is_index = ir::IsInteger(var->dtype) && ir::IsScalar(var->dtype);
    if (!is_index || IndexOf(value).is_data) {
      bound_.data.insert(var.get());
    } else {
      bound_.values.insert_or_assign(var.get(), value);
    }
  }

  void Assume(const PrimExpr& condition) override {
    IndexParts parts = IndexOf(condition);
    const bool is_used = !parts.is_data && !parts.vars.empty();
    if (is_used) conditions_.push_back({condition, std::move(parts.vars)});
  }

  void InScope(const std::function<void()>& visit) override {
    const auto num_conditions = static_cast<std::ptrdiff_t>(conditions_.size());
    visit();
    conditions_.erase(conditions_.begin() + num_conditions, conditions_.end());
  }

  /*! \brief A nested block accesses the regions that it declares, for the values of its axes. */
  void VisitBlock(const tir::BlockNode* op) override {
    for (const BufferRegion& region : op->reads) Access(&reads_, region->buffer, region->region);
    for (const BufferRegion& region : op->writes) Access(&writes_, region->buffer, region->region);
  }

 private:
  static constexpr int64_t kRead = 1;
  static constexpr int64_t kWrite = 2;

  /*! \brief An access that happens only where a condition holds. */
  struct Condition {
    PrimExpr condition;
    std::vector<tir::Var> vars;
  };

  IndexParts IndexOf(const PrimExpr& expr) const { return IndexReader(bound_).Read(expr); }

  /*! \brief The elements of an access; a vector covers all between its lanes. */
  Region RegionOf(const ffi::Array<PrimExpr>& indices) const {
    Region region;
    for (const PrimExpr& index : indices) {
      if (ir::IsScalar(index->dtype)) {
        region.push_back(Range(index, MakeInt(index->dtype, 1)));
        continue;
      }
      const IntSet lanes = set_of_vector(index);
      if (!lanes->min_value.has_value() || !lanes->max_value.has_value()) return {};
      region.push_back(RegionList::RangeOf(lanes, lanes->max_value.value(), analyzer_));
    }
    return region;
  }

  void Access(RegionList* list, const Buffer& buffer, const Region& region) {
    if (own_.count(buffer->data.get()) != 0) return;
    const auto match = matches_.find(buffer.get());
    if (match != matches_.end()) {
      return Access(list, match->second->buffer, match->second->region);
    }
    Region covered;
    for (size_t i = 0; i < buffer->shape.size(); ++i) {
      const bool is_known = region.size() == buffer->shape.size();
      covered.push_back(is_known ? Covered(region[i], buffer->shape[i])
                                 : RegionList::Whole(buffer->shape[i]));
    }
    list->Add(buffer, covered, analyzer_);
  }

  void AccessAll(const Buffer& buffer, int64_t mask) {
    if ((mask & kRead) != 0) Access(&reads_, buffer, {});
    if ((mask & kWrite) != 0) Access(&writes_, buffer, {});
  }

  /*! \brief The range of one dimension, over all values of the variables of the body. */
  Range Covered(const Range& range, const PrimExpr& extent) {
    IndexParts parts = IndexOf(range->min);
    const IndexParts size = IndexOf(range->extent);
    if (parts.is_data || size.is_data) return RegionList::Whole(extent);
    parts.vars.insert(parts.vars.end(), size.vars.begin(), size.vars.end());
    ValueMutator values(bound_);
    const bool has_values = parts.has_values || size.has_values;
    const Range index = has_values ? values.VisitParts(range) : range;
    if (parts.vars.empty()) return index;
    ffi::Map<tir::Var, Range> domains;
    PrimExpr predicate = ir::IntImm(ir::BoolType(), 1);
    const auto add = [&](const std::vector<tir::Var>& vars) {
      for (const tir::Var& var : vars) {
        domains.Set(var, values.VisitParts(bound_.ranges.at(var.get())));
      }
    };
    add(parts.vars);
    for (const Condition& condition : conditions_) {
      const bool is_about = Shares(condition.vars, domains);
      if (!is_about) continue;
      predicate = tir::And(predicate, values.VisitPrimExpr(condition.condition));
      add(condition.vars);
    }
    const ffi::Array<IntSet> sets =
        estimate_region_upper_bound({index}, domains, predicate, analyzer_);
    return RegionList::RangeOf(sets[0], extent, analyzer_);
  }

  static bool Shares(const std::vector<tir::Var>& vars, const ffi::Map<tir::Var, Range>& domains) {
    for (const tir::Var& var : vars) {
      if (domains.count(var) != 0) return true;
    }
    return false;
  }

  const ffi::Map<tir::Var, Buffer>& buffers_;
  Analyzer analyzer_;
  RegionList reads_;
  RegionList writes_;
  BoundVars bound_;
  std::vector<Condition> conditions_;
  /*! \brief The addresses of the buffers that the block allocates. */
  std::unordered_set<const tir::VarNode*> own_;
  std::unordered_map<const tir::BufferNode*, BufferRegion> matches_;
};

}  // namespace

ffi::Array<ffi::Array<BufferRegion>> detect_access_regions(
    tir::Block block, ffi::Optional<ffi::Map<tir::Var, Buffer>> buffers) {
  const ffi::Map<tir::Var, Buffer> addresses = buffers.value_or({});
  AccessFinder finder(addresses);
  finder.Run(block.get());
  return finder.Regions(block->init.has_value());
}

}  // namespace uir::arith
