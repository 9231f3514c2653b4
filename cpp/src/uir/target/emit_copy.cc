// Loops that copy neighbouring elements.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>

#include <optional>
#include <unordered_map>

#include "./c_types.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

using ir::PrimExpr;

/*! \brief The fewest elements of a known number that a call copies. */
constexpr int64_t kFewestCopied = 16;

/*! \brief A loop over elements: its variable, and the values that its body binds. */
struct Counter {
  const tir::VarNode* var;
  std::unordered_map<const tir::VarNode*, PrimExpr> values = {};

  /*! \brief Whether the value of an expression may differ between iterations. */
  bool Changes(const PrimExpr& expr) const {
    bool changes = false;
    tschema::Walk(expr, [&](const tir::VarNode* used) {
      changes = changes || used == var || values.count(used) != 0;
    });
    return changes;
  }

  /*! \brief The number that an index adds to the variable, the same in all iterations. */
  std::optional<PrimExpr> AddedBy(const PrimExpr& index) const {
    if (index.get() == var) return tir::make_const(0, index->dtype);
    const auto bound = values.find(index.as<tir::VarNode>());
    if (bound != values.end()) return AddedBy(bound->second);
    const auto* sum = index.as<tir::AddNode>();
    if (sum == nullptr) return std::nullopt;
    const bool is_first = Changes(sum->a);
    const PrimExpr& rest = is_first ? sum->b : sum->a;
    if (Changes(rest)) return std::nullopt;
    const std::optional<PrimExpr> added = AddedBy(is_first ? sum->a : sum->b);
    if (!added) return std::nullopt;
    return tir::add(*added, rest);
  }
};

bool HasCall(const PrimExpr& expr) {
  bool has_call = false;
  tschema::Walk(expr, [&](const tir::CallNode*) { has_call = true; });
  return has_call;
}

/*! \brief The store of a loop's body, after values that it binds; none after a call, which may have
 * an effect. */
std::optional<tir::BufferStore> StoreOf(const tir::Stmt& body, Counter* counter) {
  const auto* sequence = body.as<tir::SeqStmtNode>();
  if (sequence == nullptr) return body.as<tir::BufferStore>();
  for (size_t i = 0; i + 1 < sequence->seq.size(); ++i) {
    const auto* bind = sequence->seq[i].as<tir::BindNode>();
    if (bind == nullptr || HasCall(bind->value)) return std::nullopt;
    counter->values.emplace(bind->var.get(), bind->value);
  }
  return sequence->seq[sequence->seq.size() - 1].as<tir::BufferStore>();
}

bool Reads(const PrimExpr& expr, const tir::Buffer& buffer) {
  bool reads = false;
  tschema::Walk(expr, [&](const tir::BufferLoadNode* load) {
    reads = reads || load->buffer->data.same_as(buffer->data);
  });
  return reads;
}

}  // namespace

/*! \brief Whether the memory of two buffers may overlap: one is in another, or the function does
 * not promise that its parameters are apart. */
bool StatementEmitter::MayOverlap(const tir::Buffer& one, const tir::Buffer& other) const {
  if (one->data.same_as(other->data)) return true;
  const auto is_inside = [&](const tir::Buffer& buffer) {
    return state_.placements.count(buffer->data.get()) != 0;
  };
  return is_inside(one) || is_inside(other) || !signature_->HasNoAliases();
}

/*! \brief Emit a loop that copies neighbouring elements as a call of `memcpy`; false if it does
 * another thing. */
bool StatementEmitter::EmitCopy(const tir::ForNode* op) {
  const auto* known = op->extent.as<ir::IntImmNode>();
  const bool is_plain = op->kind == tir::ForKind::kSerial && !op->step.has_value();
  if (!is_plain || context_->checks_bounds()) return false;
  if (known != nullptr && known->value < kFewestCopied) return false;
  Counter counter{op->loop_var.get()};
  const std::optional<tir::BufferStore> store = StoreOf(op->body, &counter);
  if (!store || (*store)->predicate.has_value() || (*store)->indices.size() != 1) return false;
  const auto* load = (*store)->value.as<tir::BufferLoadNode>();
  if (load == nullptr || load->predicate.has_value() || load->indices.size() != 1) return false;
  const tir::Buffer& to = (*store)->buffer;
  if (!ir::IsScalar(load->dtype) || to->dtype != load->buffer->dtype) return false;
  if (MayOverlap(to, load->buffer)) return false;
  const std::optional<PrimExpr> written = counter.AddedBy((*store)->indices[0]);
  const std::optional<PrimExpr> read = counter.AddedBy(load->indices[0]);
  if (!written || !read || Reads(*written, to) || Reads(*read, to)) return false;
  const auto address = [&](const tir::Buffer& buffer, const PrimExpr& first) {
    return "&" + memory().ElementOf(buffer, scalars().EmitExact(first), op).code;
  };
  const std::string target = address(to, tir::add(*written, op->min));
  const std::string source = address(load->buffer, tir::add(*read, op->min));
  const int bytes = BytesOf(load->dtype);
  const auto copy = [&](const std::string& size) {
    writer_->Line("__builtin_memcpy(" + target + ", " + source + ", " + size + ");");
  };
  if (known != nullptr) {
    copy(std::to_string(known->value * bytes));
    return true;
  }
  const std::string count =
      scalars().Keep("count", ir::IntType(64), scalars().EmitExact(op->extent).code);
  writer_->Open("if (" + count + " > 0) {");
  copy("(size_t)" + count + " * " + std::to_string(bytes));
  writer_->Close();
  return true;
}

}  // namespace uir::target
