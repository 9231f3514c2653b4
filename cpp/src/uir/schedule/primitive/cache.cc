// A copy of the region of a buffer that an iteration uses.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/domain_touched.h>
#include <uir/ir/dtype.h>
#include <uir/ir/near_names.h>
#include <uir/ir/node_error.h>
#include <uir/schedule/primitive.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/linear_mutator.h>

#include <algorithm>
#include <string>
#include <utility>

#include "./dependence.h"
#include "./loop_place.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;
using BufferName = ffi::Variant<tir::Buffer, ffi::String>;

/*! \brief No more elements than this in one dimension of a copy. */
constexpr int64_t kMostElements = int64_t{1} << 26;

struct Region {
  std::vector<PrimExpr> mins;
  std::vector<int64_t> extents;
};

/*! \brief The buffer of a name, among those that a loop uses. */
tir::Buffer FindBuffer(const tir::For& loop, const Accesses& accesses, const BufferName& name) {
  std::vector<tir::Buffer> found;
  std::vector<std::string> known;
  for (const Access& access : accesses.all) {
    const auto buffer = name.as<tir::Buffer>();
    const bool is_it =
        buffer ? access.buffer.same_as(*buffer) : access.buffer->name == name.get<ffi::String>();
    const auto is_known = [&](const tir::Buffer& one) { return one.same_as(access.buffer); };
    if (is_it && std::none_of(found.begin(), found.end(), is_known)) found.push_back(access.buffer);
    known.emplace_back(access.buffer->name);
  }
  if (found.size() == 1) return found[0];
  const auto buffer = name.as<tir::Buffer>();
  const std::string text(buffer ? (*buffer)->name : name.get<ffi::String>());
  const std::string in = "`" + std::string(loop->loop_var->name) + "`";
  if (found.empty()) {
    ir::ThrowAt(loop, "ValueError",
                in + " does not use a buffer `" + text + "`" + ir::DidYouMean(text, known));
  }
  ir::ThrowAt(loop, "ValueError",
              in + " uses " + std::to_string(found.size()) + " buffers `" + text + "`: pass one");
}

/*! \brief Replaces the uses of a buffer by those of its copy. */
class BufferReplacer : public transform::LinearMutator {
 public:
  BufferReplacer(const tir::Buffer& buffer, const tir::Buffer& copy, const Region& region,
                 const arith::Analyzer& analyzer)
      : buffer_(buffer), copy_(copy), region_(region), analyzer_(analyzer) {}

 protected:
  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    if (!op->buffer.same_as(buffer_)) return LinearMutator::VisitBufferLoad(op);
    return tir::BufferLoad(copy_, Inside(op->indices), op->predicate, op->span);
  }

  tir::Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    if (!op->buffer.same_as(buffer_)) return LinearMutator::VisitBufferStore(op);
    return tir::BufferStore(copy_, VisitPrimExpr(op->value), Inside(op->indices), op->predicate,
                            op->span);
  }

 private:
  ffi::Array<PrimExpr> Inside(const ffi::Array<PrimExpr>& indices) {
    ffi::Array<PrimExpr> made;
    for (size_t i = 0; i < indices.size(); ++i) {
      made.push_back(analyzer_->Simplify(VisitPrimExpr(indices[i]) - region_.mins[i]));
    }
    return made;
  }

  tir::Buffer buffer_;
  tir::Buffer copy_;
  const Region& region_;
  const arith::Analyzer& analyzer_;
};

class Cacher {
 public:
  Cacher(const tir::PrimFunc& func, const LoopPlace& place, const BufferName& name)
      : func_(func), place_(place), accesses_(AccessesOf(place.loop->body)) {
    buffer_ = FindBuffer(place.loop, accesses_, name);
    for (const Access& access : accesses_.all) {
      is_stored_ = is_stored_ || (access.is_store && access.buffer.same_as(buffer_));
    }
    for (const tir::For& outer : place.outer) Bind(outer);
    Bind(place.loop);
    Check();
    SetRegion();
  }

  tir::Stmt Run(const ffi::String& scope) {
    ffi::Array<PrimExpr> shape;
    for (const int64_t extent : region_.extents) shape.push_back(Const(extent));
    const tir::Buffer copy = tir::decl_buffer(shape, buffer_->dtype, buffer_->name + "_cache",
                                              std::nullopt, std::nullopt, std::nullopt, scope);
    const tir::For& loop = place_.loop;
    ffi::Array<tir::Stmt> parts = {tir::AllocBuffer(copy), CopyLoops(copy, true)};
    parts.push_back(BufferReplacer(buffer_, copy, region_, analyzer_).VisitStmt(loop->body));
    if (is_stored_) parts.push_back(CopyLoops(copy, false));
    return tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, tir::flatten_seq(parts),
                    loop->thread_binding, loop->annotations, loop->step, loop->span);
  }

 private:
  void Bind(const tir::For& loop) {
    analyzer_->Bind(loop->loop_var, ir::Range(loop->min, loop->extent));
  }

  std::string Name() const { return "`" + std::string(buffer_->name) + "`"; }
  PrimExpr Const(int64_t value) const {
    return tir::make_const(value,
                           buffer_->shape.empty() ? ir::IntType(32) : buffer_->shape[0]->dtype);
  }

  /*! \brief Check that no other access may reach the elements while they are copied. */
  void Check() const {
    if (accesses_.opaque) {
      ir::ThrowAt(*accesses_.opaque, "ValueError",
                  Name() + " cannot be cached here: this may reach its elements");
    }
    if (accesses_.defined.count(buffer_.get()) != 0) {
      ir::ThrowAt(place_.loop, "ValueError", Name() + " is a buffer of this loop's own already");
    }
    for (const Access& access : accesses_.all) {
      CheckAlias(access);
      const bool is_own = access.buffer.same_as(buffer_);
      for (const PrimExpr& index : access.indices) {
        if (is_own && !ir::IsScalar(index->dtype)) {
          ir::ThrowAt(access.node, "ValueError", Name() + " is accessed by vectors here");
        }
      }
    }
    if (is_stored_) CheckSerial();
  }

  /*! \brief Check that an access to another buffer is not one to this one. */
  void CheckAlias(const Access& access) const {
    if (access.buffer.same_as(buffer_)) return;
    const bool may_share = access.buffer->data.same_as(buffer_->data) ||
                           (!tir::HasNoAliases(func_.get()) &&
                            accesses_.allocated.count(access.buffer->data.get()) == 0);
    if (!may_share || !(is_stored_ || access.is_store)) return;
    ir::ThrowAt(access.node, "ValueError",
                Name() + " cannot be cached here: `" + std::string(access.buffer->name) +
                    "` may share its memory");
  }

  /*! \brief Elements that an iteration does not store are copied back too, so that no other
   * iteration may store them at the same time. */
  void CheckSerial() const {
    std::vector<tir::For> loops = place_.outer;
    loops.push_back(place_.loop);
    for (const tir::For& loop : loops) {
      if (loop->kind == tir::ForKind::kSerial || loop->kind == tir::ForKind::kUnrolled) continue;
      ir::ThrowAt(loop, "ValueError",
                  Name() + " is stored to, and cannot be cached in the loop `" +
                      std::string(loop->loop_var->name) +
                      "`, which is not serial; annotate that afterwards");
    }
  }

  void SetRegion() {
    const auto sets = arith::domain_touched(place_.loop->body, buffer_, true, true, analyzer_);
    for (size_t i = 0; i < sets.size(); ++i) {
      const arith::IntSet& set = sets[i];
      if (!set->min_value.has_value() || !set->max_value.has_value()) RefuseUnbounded(i);
      const PrimExpr min = analyzer_->Simplify(set->min_value.value());
      const PrimExpr extent = analyzer_->Simplify(set->max_value.value() - min + 1);
      const int64_t most = analyzer_->ConstIntBound(extent)->max_value;
      if (most >= kMostElements) RefuseUnbounded(i);
      region_.mins.push_back(min);
      region_.extents.push_back(std::max<int64_t>(most, 1));
    }
  }

  [[noreturn]] void RefuseUnbounded(size_t dimension) const {
    const auto is_it = [&](const Access& one) { return one.buffer.same_as(buffer_); };
    const auto access = std::find_if(accesses_.all.begin(), accesses_.all.end(), is_it);
    ir::ThrowAt(access->node, "ValueError",
                "dimension " + std::to_string(dimension) + " of the region of " + Name() +
                    " that an iteration of `" + std::string(place_.loop->loop_var->name) +
                    "` uses is not bounded by a number");
  }

  /*! \brief Loops that copy the region, as far as it lies in the buffer, one way or the other. */
  tir::Stmt CopyLoops(const tir::Buffer& copy, bool is_in) const {
    std::vector<tir::Var> vars;
    ffi::Array<PrimExpr> inside, outside;
    for (size_t i = 0; i < region_.extents.size(); ++i) {
      vars.emplace_back(buffer_->name + (is_in ? "_load_" : "_store_") + std::to_string(i),
                        region_.mins[i]->dtype);
      inside.push_back(vars[i]);
      outside.push_back(region_.mins[i] + vars[i]);
    }
    tir::Stmt stmt = is_in ? tir::BufferStore(copy, tir::BufferLoad(buffer_, outside), inside)
                           : tir::BufferStore(buffer_, tir::BufferLoad(copy, inside), outside);
    if (const auto condition = InBounds(outside, vars)) stmt = tir::IfThenElse(*condition, stmt);
    for (size_t i = vars.size(); i-- > 0;) {
      const DLDataType dtype = vars[i]->dtype;
      stmt = tir::For(vars[i], tir::make_const(0, dtype),
                      tir::make_const(region_.extents[i], dtype), tir::ForKind::kSerial, stmt);
    }
    return stmt;
  }

  /*! \brief Where the indices lie in the buffer, if that is not proved for all. */
  std::optional<PrimExpr> InBounds(const ffi::Array<PrimExpr>& indices,
                                   const std::vector<tir::Var>& vars) const {
    std::optional<PrimExpr> all;
    const auto require = [&](const PrimExpr& condition) {
      if (analyzer_->CanProve(condition)) return;
      const PrimExpr marked = tir::likely(condition);
      all = all ? tir::logical_and(*all, marked) : marked;
    };
    for (size_t i = 0; i < vars.size(); ++i) {
      const DLDataType dtype = vars[i]->dtype;
      analyzer_->Bind(vars[i], ir::Range(tir::make_const(0, dtype),
                                         tir::make_const(region_.extents[i], dtype)));
      require(indices[i] >= 0);
      require(indices[i] < buffer_->shape[i]);
    }
    return all;
  }

  const tir::PrimFunc& func_;
  const LoopPlace& place_;
  Accesses accesses_;
  tir::Buffer buffer_{ffi::UnsafeInit{}};
  bool is_stored_ = false;
  arith::Analyzer analyzer_;
  Region region_;
};

}  // namespace

tir::PrimFunc cache(tir::PrimFunc func, BufferName buffer, LoopName at_loop, ffi::String scope) {
  return RunPrimitive("schedule.cache", func, [&](const tir::PrimFunc& one) {
    const LoopPlace place = FindLoop(one, at_loop);
    return WithLoop(one, place.loop, Cacher(one, place, buffer).Run(scope));
  });
}

}  // namespace uir::schedule
