// The memo of type inference: answers are found by addresses, then by attributes.
#include "./type_memo.h"

#include <uir/ir/tensor_type.h>
#include <uir/relay/infer.h>

#include <utility>

namespace uir::relay {

namespace {

// The golden ratio spreads addresses over the upper bits (Knuth, TAOCP vol. 3, 6.4).
constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15ULL;

uint64_t Mix(uint64_t hash, const void* address) {
  return ((hash << 7 | hash >> 57) ^ reinterpret_cast<uintptr_t>(address)) * kGoldenRatio;
}

bool AreEqual(const ffi::Optional<ir::Attrs>& a, const ffi::Optional<ir::Attrs>& b) {
  return a.same_as(b) || tschema::StructuralEqual(a, b);
}

}  // namespace

TypeQuestion::TypeQuestion(const CallNode* call) {
  const auto* args = static_cast<const ffi::ArrayObj*>(call->args.get());
  const size_t count = args->size();
  if (count > kMaxOperands || !call->op->IsInstance<ir::OpNode>()) return;
  for (size_t i = 0; i < count; ++i) {
    const auto* operand = args->begin()[i].as<ir::RelayExprNode>();
    if (operand->IsInstance<VarNode>()) {
      if (!operand->checked_type.has_value()) return;
      types_[i] = operand->checked_type.value().get();
      if (!types_[i]->IsInstance<ir::TensorTypeNode>()) return;
      hash_ = Mix(hash_, types_[i]);
    } else if (!IsAbsent(operand)) {
      return;
    }
  }
  op_ = static_cast<const ir::OpNode*>(call->op.get());
  count_ = count;
  hash_ = Mix(hash_ + count, op_);
}

const TypedResult* TypeMemo::Find(const TypeQuestion& question,
                                  const ffi::Optional<ir::Attrs>& attrs) const {
  if (places_.empty()) return nullptr;
  for (uint32_t at = places_[PlaceOf(question)]; at != kNone; at = entries_[at].next) {
    if (AreEqual(entries_[at].attrs, attrs)) return &entries_[at].result;
  }
  return nullptr;
}

ir::Type TypeMemo::Add(const TypeQuestion& question, const ffi::Optional<ir::Attrs>& attrs,
                       TypedResult result) {
  // A type with a location is not shared.
  if (!result.type->span.has_value()) result.type = *types_.insert(result.type).first;
  if ((num_questions_ + 1) * 2 > places_.size()) Grow();
  uint32_t* place = &places_[PlaceOf(question)];
  int num_answers = 0;
  for (uint32_t at = *place; at != kNone; at = entries_[at].next) ++num_answers;
  if (num_answers == kMaxAnswers) return result.type;
  if (num_answers == 0) {
    ++num_questions_;
    for (const ir::TypeNode* type : question.types()) {
      if (type != nullptr) operands_.push_back(ffi::GetRef<ir::Type>(type));
    }
  }
  entries_.push_back({question, attrs, std::move(result), *place});
  *place = static_cast<uint32_t>(entries_.size() - 1);
  return entries_.back().result.type;
}

size_t TypeMemo::PlaceOf(const TypeQuestion& question) const {
  const size_t mask = places_.size() - 1;
  size_t place = (question.hash() >> 32) & mask;
  while (places_[place] != kNone && !(entries_[places_[place]].question == question)) {
    place = (place + 1) & mask;
  }
  return place;
}

void TypeMemo::Grow() {
  constexpr size_t kFirstCapacity = 64;
  std::vector<uint32_t> old(places_.empty() ? kFirstCapacity : places_.size() * 2, kNone);
  old.swap(places_);
  for (const uint32_t first : old) {
    if (first != kNone) places_[PlaceOf(entries_[first].question)] = first;
  }
}

}  // namespace uir::relay
