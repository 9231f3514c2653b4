// Loops that copy neighbouring elements.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/transform/substitute.h>

#include <optional>
#include <utility>

#include "./c_types.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

using ir::PrimExpr;

/*! \brief The fewest elements of a known number that a call copies. */
constexpr int64_t kFewestCopied = 16;

/*! \brief Whether an expression uses a variable. */
bool Uses(const PrimExpr& expr, const tir::VarNode* var) {
  bool uses = false;
  tschema::Walk(expr, [&](const tir::VarNode* used) { uses = uses || used == var; });
  return uses;
}

/*! \brief The number that an index adds to a variable, on which it does not depend. */
std::optional<PrimExpr> AddedTo(const tir::VarNode* var, const PrimExpr& index) {
  if (index.get() == var) return tir::make_const(0, index->dtype);
  const auto* sum = index.as<tir::AddNode>();
  if (sum == nullptr) return std::nullopt;
  const bool is_first = Uses(sum->a, var);
  const PrimExpr& rest = is_first ? sum->b : sum->a;
  if (Uses(rest, var)) return std::nullopt;
  const std::optional<PrimExpr> added = AddedTo(var, is_first ? sum->a : sum->b);
  if (!added) return std::nullopt;
  return tir::add(*added, rest);
}

/*! \brief The store of a loop's body, whose indices have the values of the variables before it. */
std::optional<tir::BufferStore> StoreOf(tir::Stmt body) {
  transform::Substitution values;
  if (const auto* sequence = body.as<tir::SeqStmtNode>()) {
    for (size_t i = 0; i + 1 < sequence->seq.size(); ++i) {
      const auto* bind = sequence->seq[i].as<tir::BindNode>();
      if (bind == nullptr) return std::nullopt;
      values.Set(bind->var, transform::Substitute(bind->value, values));
    }
    body = sequence->seq[sequence->seq.size() - 1];
  }
  if (!body.as<tir::BufferStoreNode>()) return std::nullopt;
  return transform::Substitute(body, values).as<tir::BufferStore>();
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
  const std::optional<tir::BufferStore> store = StoreOf(op->body);
  if (!store || (*store)->predicate.has_value() || (*store)->indices.size() != 1) return false;
  const auto* load = (*store)->value.as<tir::BufferLoadNode>();
  if (load == nullptr || load->predicate.has_value() || load->indices.size() != 1) return false;
  const tir::Buffer& to = (*store)->buffer;
  if (!ir::IsScalar(load->dtype) || to->dtype != load->buffer->dtype) return false;
  if (MayOverlap(to, load->buffer)) return false;
  const std::optional<PrimExpr> written = AddedTo(op->loop_var.get(), (*store)->indices[0]);
  const std::optional<PrimExpr> read = AddedTo(op->loop_var.get(), load->indices[0]);
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
