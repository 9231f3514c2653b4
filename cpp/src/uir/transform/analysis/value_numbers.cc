// Numbers for the values of expressions.
#include "./value_numbers.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>

#include <cstring>
#include <utility>

namespace uir::transform {

namespace {

constexpr int32_t kNoList = -1;
constexpr Place kNowhere = {kNoList, 0};

}  // namespace

int32_t ValueNumbers::VisitPrimExpr(const ir::PrimExpr& expr) {
  if (const int32_t* known = values.Find(expr.get())) return *known;
  const int32_t value = PrimExprFunctor::VisitPrimExpr(expr);
  values.Insert(expr.get(), value);
  return value;
}

void ValueNumbers::Bind(const tir::VarNode* var, bool is_local) {
  const auto [entry, added] = variables_.Insert(var, {num_bindings_ + 1, is_local});
  ++num_bindings_;
  // Values of variables that are bound inside an expression get no number.
  if (added || is_local) return;
  // Values computed from the previous binding are stale.
  *entry = {num_bindings_, is_local};
  values.Clear();
}

void ValueNumbers::BindAgain(const tir::VarNode* var) {
  const auto [entry, added] = variables_.Insert(var, {num_bindings_ + 1, true});
  num_bindings_ += added ? 1 : 0;
  entry->is_local = true;
  const int32_t* leaf = values.Find(var);
  if (leaf == nullptr) return;
  entries[*leaf].is_kept = false;
  has_unkept_leaf_ = true;
}

void ValueNumbers::Use(const ir::PrimExpr& expr, Place place) {
  ++memory_state_;
  AddUse(VisitPrimExpr(expr), place, true);
}

int32_t ValueNumbers::NewList(Place outer) {
  const auto list = static_cast<int32_t>(lists_.size());
  if (outer.list < 0) {
    lists_.push_back({outer, 0, list});
    return list;
  }
  // Jump pointers of a skew-binary random-access stack (Myers, "An applicative random-access
  // stack", 1983): level ancestors take O(log depth).
  const List& around = lists_[outer.list];
  const List& far = lists_[around.jump];
  const bool is_even = around.depth - far.depth == far.depth - lists_[far.jump].depth;
  lists_.push_back({outer, around.depth + 1, is_even ? far.jump : outer.list});
  return list;
}

int32_t ValueNumbers::AncestorAt(int32_t list, int32_t depth) const {
  while (lists_[list].depth > depth) {
    const int32_t jump = lists_[list].jump;
    list = lists_[jump].depth >= depth ? jump : lists_[list].outer.list;
  }
  return list;
}

Place ValueNumbers::Meet(Place a, Place b) const {
  if (a.list < 0) return b;
  if (b.list < 0) return a;
  if (lists_[a.list].depth > lists_[b.list].depth) std::swap(a, b);
  if (lists_[a.list].depth < lists_[b.list].depth) {
    b = lists_[AncestorAt(b.list, lists_[a.list].depth + 1)].outer;
  }
  int32_t x = a.list;
  int32_t y = b.list;
  if (x != y) {
    while (lists_[x].outer.list != lists_[y].outer.list) {
      const bool is_far = lists_[x].jump != lists_[y].jump;
      x = is_far ? lists_[x].jump : lists_[x].outer.list;
      y = is_far ? lists_[y].jump : lists_[y].outer.list;
    }
    a = lists_[x].outer;
    b = lists_[y].outer;
  }
  return {a.list, a.position < b.position ? a.position : b.position};
}

void ValueNumbers::AddUse(int32_t value, Place place, bool is_sure) {
  ValueEntry& entry = entries[value];
  const Place met = Meet(entry.place, place);
  const auto is_met = [&](Place at) { return at.list == met.list && at.position == met.position; };
  entry.is_sure = (entry.is_sure && is_met(entry.place)) || (is_sure && is_met(place));
  entry.place = met;
  ++entry.count;
}

/*! \brief Clear `is_kept` of values with an operand that may not be kept. */
void ValueNumbers::ForgetUnkept() {
  for (ValueEntry& entry : entries) {
    for (int32_t i = 0; i < entry.num_uses; ++i) {
      entry.is_kept &= entries[uses[entry.first_use + i].value].is_kept;
    }
  }
}

void ValueNumbers::Settle() {
  if (has_unkept_leaf_) ForgetUnkept();
  // Operands have lower numbers than the value, so that all uses of a value are known in this
  // order.
  for (int32_t value = static_cast<int32_t>(entries.size()) - 1; value >= 0; --value) {
    const ValueEntry entry = entries[value];
    // Conditions and loads are computed at each use.
    const bool is_repeated = entry.count > 1 && (IsCondition(entry.expr) || !entry.is_kept);
    for (int32_t i = 0; i < entry.num_uses; ++i) {
      const ValueUse use = uses[entry.first_use + i];
      AddUse(use.value, entry.place, entry.is_sure && !use.is_lazy);
      if (is_repeated) AddUse(use.value, entry.place, false);
    }
  }
}

uint64_t ValueNumbers::HashOf(const Key& key) {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15u;
  uint64_t hash = static_cast<uint64_t>(key.type_index) << 32;
  hash ^= static_cast<uint64_t>(key.dtype.bits) << 16 ^ key.dtype.code ^ key.dtype.lanes << 8;
  for (const int64_t word : key.words) {
    hash = (hash ^ static_cast<uint64_t>(word)) * kMix;
    hash ^= hash >> 29;
  }
  return hash;
}

int32_t& ValueNumbers::SlotOf(const Key& key) {
  const size_t mask = slots_.size() - 1;
  size_t slot = HashOf(key) & mask;
  while (slots_[slot] != 0 && !(keys_[slots_[slot] - 1] == key)) slot = (slot + 1) & mask;
  return slots_[slot];
}

void ValueNumbers::Number(const Key& key, int32_t value) {
  keys_.resize(entries.size());
  keys_[value] = key;
  if (static_cast<size_t>(++num_numbered_) * 2 <= slots_.size()) {
    SlotOf(key) = value + 1;
    return;
  }
  constexpr size_t kFirstCapacity = 64;
  std::vector<int32_t> old(slots_.empty() ? kFirstCapacity : slots_.size() * 2);
  old.swap(slots_);
  for (const int32_t known : old) {
    if (known != 0) SlotOf(keys_[known - 1]) = known;
  }
  SlotOf(key) = value + 1;
}

int32_t ValueNumbers::Add(const ir::PrimExprNode* op, const ValueUse* parts, size_t num_parts) {
  const auto first = static_cast<int32_t>(uses.size());
  uses.insert(uses.end(), parts, parts + num_parts);
  entries.push_back(
      {op, first, static_cast<int32_t>(num_parts), 0, kNowhere, false, false, false, kNoList});
  return static_cast<int32_t>(entries.size()) - 1;
}

int32_t ValueNumbers::Leaf(const ir::PrimExprNode* op, int64_t word, bool is_local) {
  const Key key = {op->type_index(), op->dtype, {word, 0, 0}};
  const int32_t known = slots_.empty() ? 0 : SlotOf(key);
  if (known != 0) return known - 1;
  const int32_t value = Add(op, nullptr, 0);
  // For a leaf, `is_kept` means that a value with this operand may leave its expression.
  entries[value].is_kept = !is_local;
  Number(key, value);
  return value;
}

int32_t ValueNumbers::Compound(const ir::PrimExprNode* op, std::initializer_list<ValueUse> parts) {
  Key key = {op->type_index(), op->dtype, {-1, -1, -1}};
  int place = 0;
  bool is_kept = true;
  for (const ValueUse& part : parts) {
    key.words[place++] = part.value;
    is_kept &= entries[part.value].is_kept;
  }
  return Keyed(op, key, parts, is_kept);
}

int32_t ValueNumbers::Keyed(const ir::PrimExprNode* op, const Key& key,
                            std::initializer_list<ValueUse> parts, bool is_kept) {
  const int32_t known = slots_.empty() ? 0 : SlotOf(key);
  if (known != 0) {
    has_equal_choices |= op->IsInstance<tir::SelectNode>() || op->IsInstance<tir::CallNode>();
    return known - 1;
  }
  const int32_t value = Add(op, parts.begin(), parts.size());
  entries[value].is_kept = is_kept;
  for (const ValueUse& part : parts) {
    if (entries[part.value].is_partial) LimitTo(entries[part.value].total_in, value);
  }
  Number(key, value);
  return value;
}

void ValueNumbers::LimitTo(int32_t list, int32_t value) {
  ValueEntry& entry = entries[value];
  const bool was_partial = std::exchange(entry.is_partial, true);
  if (was_partial && entry.total_in == kNoList) return;
  // The lists hold the same expression, so that one lies in the other.
  const bool is_inner =
      !was_partial || list == kNoList || lists_[list].depth > lists_[entry.total_in].depth;
  if (is_inner) entry.total_in = list;
}

std::vector<int32_t> ValueNumbers::EnterLoop(const ir::PrimExpr& extent, int32_t body) {
  std::vector<int32_t> found;
  std::vector<ir::PrimExpr> rest = {extent};
  while (!rest.empty()) {
    const ir::PrimExpr factor = std::move(rest.back());
    rest.pop_back();
    if (const auto* product = factor.as<tir::MulNode>()) {
      rest.push_back(product->a);
      rest.push_back(product->b);
    }
    const int32_t value = VisitPrimExpr(factor);
    // A list around the loop, in which it is not 0 either, has more places.
    if (nonzero_in_.emplace(value, body).second) found.push_back(value);
  }
  return found;
}

void ValueNumbers::LeaveLoop(const std::vector<int32_t>& factors) {
  for (const int32_t factor : factors) nonzero_in_.erase(factor);
}

bool ValueNumbers::IsComputable(const ValueEntry& entry) const {
  if (entry.is_sure || !entry.is_partial) return true;
  if (entry.total_in == kNoList) return false;
  const int32_t depth = lists_[entry.total_in].depth;
  const int32_t list = entry.place.list;
  return lists_[list].depth >= depth && AncestorAt(list, depth) == entry.total_in;
}

int32_t ValueNumbers::Opaque(const ir::PrimExprNode* op, std::initializer_list<ValueUse> parts) {
  return Add(op, parts.begin(), parts.size());
}

int32_t ValueNumbers::OpaqueOf(const ir::PrimExprNode* op, size_t first_part) {
  const int32_t value = Add(op, parts_.data() + first_part, parts_.size() - first_part);
  parts_.resize(first_part);
  return value;
}

void ValueNumbers::AddParts(const ffi::Array<ir::PrimExpr>& exprs) {
  for (const ir::PrimExpr& expr : exprs) {
    const int32_t value = VisitPrimExpr(expr);
    parts_.push_back({value, false});
  }
}

int32_t ValueNumbers::VisitDefault(const ir::PrimExprNode* op) { return Opaque(op, {}); }

int32_t ValueNumbers::VisitIntImm(const ir::IntImmNode* op) { return Leaf(op, op->value, false); }

int32_t ValueNumbers::VisitFloatImm(const ir::FloatImmNode* op) {
  int64_t bits = 0;
  std::memcpy(&bits, &op->value, sizeof(bits));
  return Leaf(op, bits, false);
}

int32_t ValueNumbers::VisitVar(const tir::VarNode* op) {
  const Variable* found = variables_.Find(op);
  if (found == nullptr) {
    Bind(op, false);
    return Leaf(op, num_bindings_, false);
  }
  return Leaf(op, found->number, found->is_local);
}

int32_t ValueNumbers::VisitSizeVar(const tir::SizeVarNode* op) { return VisitVar(op); }

int32_t ValueNumbers::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const int32_t a = VisitPrimExpr(op->a);
  const int32_t b = VisitPrimExpr(op->b);
  const auto num_known = static_cast<int32_t>(entries.size());
  const int32_t value = Compound(op, {{a, false}, {b, false}});
  if (value < num_known || !IsPartial(op)) return value;
  const auto nonzero = nonzero_in_.find(b);
  LimitTo(nonzero == nonzero_in_.end() ? kNoList : nonzero->second, value);
  return value;
}

int32_t ValueNumbers::VisitCmpOp(const tir::CmpOpNode* op) {
  const int32_t a = VisitPrimExpr(op->a);
  return Compound(op, {{a, false}, {VisitPrimExpr(op->b), false}});
}

int32_t ValueNumbers::VisitLogicalOp(const tir::LogicalOpNode* op) {
  const int32_t a = VisitPrimExpr(op->a);
  return Compound(op, {{a, false}, {VisitPrimExpr(op->b), true}});
}

int32_t ValueNumbers::VisitNot(const tir::NotNode* op) {
  return Compound(op, {{VisitPrimExpr(op->a), false}});
}

int32_t ValueNumbers::VisitCast(const tir::CastNode* op) {
  return Compound(op, {{VisitPrimExpr(op->value), false}});
}

int32_t ValueNumbers::VisitSelect(const tir::SelectNode* op) {
  const int32_t condition = VisitPrimExpr(op->condition);
  const int32_t true_value = VisitPrimExpr(op->true_value);
  const int32_t false_value = VisitPrimExpr(op->false_value);
  return Compound(op, {{condition, false}, {true_value, false}, {false_value, false}});
}

int32_t ValueNumbers::VisitLet(const tir::LetNode* op) {
  const int32_t value = VisitPrimExpr(op->value);
  Bind(op->var.get(), true);
  return Opaque(op, {{value, false}, {VisitPrimExpr(op->body), false}});
}

int32_t ValueNumbers::VisitCall(const tir::CallNode* op) {
  static const ir::Op if_then_else = ir::get_op("tir.if_then_else");
  if (op->op.same_as(if_then_else)) return NumberChoice(op);
  const size_t first = parts_.size();
  AddParts(op->args);
  const auto* callee = op->op.as<ir::OpNode>();
  const bool is_pure = callee != nullptr && tir::effect_kind(ffi::GetRef<ir::Op>(callee)) <=
                                                tir::CallEffectKind::kReadState;
  if (!is_pure) ++memory_state_;
  return OpaqueOf(op, first);
}

/*! \brief Number a choice, which is not moved, because it guards the loads of its branches. */
int32_t ValueNumbers::NumberChoice(const tir::CallNode* op) {
  const int32_t condition = VisitPrimExpr(op->args[0]);
  const int32_t true_value = VisitPrimExpr(op->args[1]);
  const int32_t false_value = VisitPrimExpr(op->args[2]);
  const Key key = {op->type_index(), op->dtype, {condition, true_value, false_value}};
  return Keyed(op, key, {{condition, false}, {true_value, true}, {false_value, true}}, false);
}

int32_t ValueNumbers::VisitBufferLoad(const tir::BufferLoadNode* op) {
  if (op->indices.size() == 1 && !op->predicate.has_value()) {
    const int32_t index = VisitPrimExpr(op->indices[0]);
    const auto buffer = reinterpret_cast<int64_t>(op->buffer.get());
    const Key key = {op->type_index(), op->dtype, {index, buffer, memory_state_}};
    return Keyed(op, key, {{index, false}}, false);
  }
  const size_t first = parts_.size();
  AddParts(op->indices);
  if (op->predicate.has_value()) {
    const int32_t predicate = VisitPrimExpr(op->predicate.value());
    parts_.push_back({predicate, false});
  }
  return OpaqueOf(op, first);
}

int32_t ValueNumbers::VisitProducerLoad(const tir::ProducerLoadNode* op) {
  const size_t first = parts_.size();
  AddParts(op->indices);
  return OpaqueOf(op, first);
}

int32_t ValueNumbers::VisitRamp(const tir::RampNode* op) {
  const int32_t base = VisitPrimExpr(op->base);
  return Opaque(op, {{base, false}, {VisitPrimExpr(op->stride), false}});
}

int32_t ValueNumbers::VisitBroadcast(const tir::BroadcastNode* op) {
  return Opaque(op, {{VisitPrimExpr(op->value), false}});
}

int32_t ValueNumbers::VisitShuffle(const tir::ShuffleNode* op) {
  const size_t first = parts_.size();
  AddParts(op->vectors);
  return OpaqueOf(op, first);
}

}  // namespace uir::transform
