/*!
 * \file equal_engine.cc
 * \brief The engine of structural equality: the walk over pairs of objects.
 */
#include "./equal_engine.h"

#include <tschema/stack_guard.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "../reflection/field_value.h"
#include "./equal_words.h"

namespace tschema {

namespace {

using ffi::reflection::AccessStep;

/*! \brief Fetch an object that is needed soon: many lie on two lines of the cache. */
inline void PrefetchObject(const ffi::Object* object) {
  constexpr int kNearTheEnd = 48;
  __builtin_prefetch(object);
  __builtin_prefetch(reinterpret_cast<const char*>(object) + kNearTheEnd);
}

void PrefetchBothEnds(const TVMFFIAny& value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) PrefetchObject(ObjectOf(value));
}

/*! \brief A field as an edge, plain ones through their getters. */
Edge EdgeOf(const FieldInfo& field) {
  bool is_in_place = field.kind == FieldKind::kObject || field.kind == FieldKind::kAny ||
                     field.kind == FieldKind::kString || field.kind == FieldKind::kBytes;
  return {field.offset, is_in_place ? field.kind : FieldKind::kForeign,
          static_cast<uint8_t>(RegionOf(field)), &field};
}

/*! \brief Whether objects are paired only after their comparison, and not assumed equal before. */
bool IsPaired(NodeRule rule) { return rule == NodeRule::kVar || rule == NodeRule::kDag; }

}  // namespace

bool EqualEngine::Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  Verdict verdict = CompareValues(lhs, rhs);
  if (verdict == Verdict::kEqual) return true;
  if (verdict == Verdict::kDifferent) return Differ(lhs, rhs);
  Pair pair{ObjectOf(lhs), ObjectOf(rhs), region_};
  if (order_ == Order::kDeclared) return CompareInOrder(pair.lhs, pair.rhs, region_, 0);
  // The root does not come again, though its callers share it: a small tree needs no memo.
  const StructuralDescriptor& descriptor = StructuralDescriptorOf(pair.lhs->type_index());
  return descriptor.shape == EqualShape::kOther ? CompareSpecial(pair, descriptor, 0)
                                                : CompareFields(pair, descriptor, 0);
}

// Values and objects.

bool EqualEngine::CompareValue(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Region region,
                               int depth) {
  Verdict verdict = CompareValues(lhs, rhs);
  if (verdict == Verdict::kEqual) return true;
  if (verdict == Verdict::kDifferent) return Differ(lhs, rhs);
  return order_ == Order::kFast ? Descend(ObjectOf(lhs), ObjectOf(rhs), region, depth)
                                : CompareInOrder(ObjectOf(lhs), ObjectOf(rhs), region, depth);
}

inline bool EqualEngine::Descend(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                 int depth) {
  if (__builtin_expect(depth == kMaxUnchecked, 0)) return DescendChecked(lhs, rhs, region);
  return CompareObjects(lhs, rhs, region, depth + 1);
}

bool EqualEngine::DescendChecked(const ffi::Object* lhs, const ffi::Object* rhs, Region region) {
  if (EnoughStack()) return CompareObjects(lhs, rhs, region, 0);
  return RunOnNewStack([&] { return CompareObjects(lhs, rhs, region, 0); });
}

bool EqualEngine::CompareObjects(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                 int depth) {
  while (true) {
    if (lhs->type_index() != rhs->type_index()) return false;
    const StructuralDescriptor& descriptor = StructuralDescriptorOf(lhs->type_index());
    if (__builtin_expect(descriptor.shape == EqualShape::kOther, 0)) {
      return CompareSpecial({lhs, rhs, region}, descriptor, depth);
    }
    if (!EqualSimpleWords(lhs, rhs, descriptor)) return false;
    if (descriptor.shape == EqualShape::kLeaf) return true;
    if (__builtin_expect(IsShared(lhs) || IsShared(rhs), 0) && !equal_pairs_.Unite(lhs, rhs)) {
      return true;
    }
    int last = descriptor.num_simple_edges - 1;
    for (int i = 1; i <= last; ++i) {
      PrefetchObject(LoadObject(lhs, descriptor.simple_edges[i]));
      PrefetchObject(LoadObject(rhs, descriptor.simple_edges[i]));
    }
    for (int i = 0; i < last; ++i) {
      uint32_t offset = descriptor.simple_edges[i];
      if (!CompareChild(LoadObject(lhs, offset), LoadObject(rhs, offset), region, depth))
        return false;
    }
    lhs = LoadObject(lhs, descriptor.simple_edges[last]);
    rhs = LoadObject(rhs, descriptor.simple_edges[last]);
    if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  }
}

inline bool EqualEngine::CompareChild(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                      int depth) {
  if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  if (lhs->type_index() != rhs->type_index()) return false;
  // Leaves, half of a tree, need no call.
  const StructuralDescriptor& descriptor = StructuralDescriptorOf(lhs->type_index());
  if (descriptor.shape == EqualShape::kLeaf) return EqualSimpleWords(lhs, rhs, descriptor);
  return Descend(lhs, rhs, region, depth);
}

bool EqualEngine::CompareInOrder(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                 int depth) {
  if (!EnoughStack()) return RunOnNewStack([&] { return CompareInOrder(lhs, rhs, region, depth); });
  return CompareSpecial({lhs, rhs, region}, StructuralDescriptorOf(lhs->type_index()), depth);
}

bool EqualEngine::CompareSpecial(const Pair& pair, const StructuralDescriptor& descriptor,
                                 int depth) {
  Verdict verdict = CheckRule(pair, descriptor);
  if (verdict == Verdict::kEqual) return true;
  if (verdict == Verdict::kDifferent) return Differ(ValueOf(pair.lhs), ValueOf(pair.rhs));
  bool is_open = IsPaired(descriptor.rule) && IsShared(pair.lhs);
  if (is_open) PushOpen(pair.lhs, "compare", &open_);
  bool is_equal = CompareBody({pair.lhs, pair.rhs, BodyRegion(pair.region, descriptor.rule)},
                              descriptor, depth);
  if (is_open) open_.Pop();
  return is_equal && Bind(pair, descriptor.rule);
}

bool EqualEngine::CompareBody(const Pair& body, const StructuralDescriptor& descriptor, int depth) {
  switch (descriptor.equal_body) {
    case NodeBody::kFields:
      return order_ == Order::kFast ? CompareFields(body, descriptor, depth)
                                    : CompareFieldsInOrder(body, descriptor, depth);
    case NodeBody::kSequence:
      return CompareSequences(body, depth);
    case NodeBody::kMapping:
      return CompareMappings(body, depth);
    case NodeBody::kLeaf:
      return EqualLeaves(body.lhs, body.rhs) || Differ(ValueOf(body.lhs), ValueOf(body.rhs));
    case NodeBody::kMethod:
      return CallMethod(body, descriptor, depth);
    case NodeBody::kForeignMethod:
      return CallForeign(body, descriptor, depth);
    case NodeBody::kMissing:
      break;
  }
  ThrowNotStructural(*descriptor.info, "compared");
}

// Parts.

bool EqualEngine::CompareFields(const Pair& pair, const StructuralDescriptor& descriptor,
                                int depth) {
  if (!EqualWords(pair.lhs, pair.rhs, descriptor)) return false;
  return std::all_of(descriptor.edges.begin(), descriptor.edges.end(),
                     [&](const Edge& edge) { return CompareEdge(pair, edge, depth); });
}

bool EqualEngine::CompareFieldsInOrder(const Pair& pair, const StructuralDescriptor& descriptor,
                                       int depth) {
  for (const FieldInfo& field : descriptor.info->fields) {
    if (field.ignored || CompareEdge(pair, EdgeOf(field), depth)) continue;
    return DifferBelow([&]() -> MismatchStep { return {StepTo(field), StepTo(field)}; });
  }
  return true;
}

bool EqualEngine::CompareEdge(const Pair& pair, const Edge& edge, int depth) {
  Region region = InnerRegion(pair.region, edge.region);
  if (edge.kind == FieldKind::kObject) {
    const ffi::Object* lhs = LoadObject(pair.lhs, edge.offset);
    const ffi::Object* rhs = LoadObject(pair.rhs, edge.offset);
    if (order_ == Order::kFast) return CompareChild(lhs, rhs, region, depth);
    return CompareValue(ValueOf(lhs), ValueOf(rhs), region, depth);
  }
  if (edge.kind != FieldKind::kForeign) {
    return CompareValue(LoadValue(pair.lhs, edge.offset), LoadValue(pair.rhs, edge.offset), region,
                        depth);
  }
  ffi::Any lhs = edge.field->Read(pair.lhs);
  ffi::Any rhs = edge.field->Read(pair.rhs);
  if (CompareValues(RawOf(lhs), RawOf(rhs)) == Verdict::kEqual) return true;
  Retain(lhs);
  Retain(rhs);
  return CompareValue(RawOf(lhs), RawOf(rhs), region, depth);
}

bool EqualEngine::CompareSequences(const Pair& pair, int depth) {
  // Far enough ahead for memory to answer, near enough to stay in the cache.
  constexpr size_t kAhead = 4;
  size_t size = SizeOfSequence(pair.lhs);
  if (size != SizeOfSequence(pair.rhs)) {
    if (order_ == Order::kFast) return false;
    size = std::min(size, SizeOfSequence(pair.rhs));
  }
  const TVMFFIAny* lhs = ElementsOf(pair.lhs);
  const TVMFFIAny* rhs = ElementsOf(pair.rhs);
  for (size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) {
      PrefetchBothEnds(lhs[i + kAhead]);
      PrefetchBothEnds(rhs[i + kAhead]);
    }
    if (CompareValue(lhs[i], rhs[i], pair.region, depth)) continue;
    return DifferBelow([i]() -> MismatchStep {
      AccessStep item = AccessStep::ArrayItem(static_cast<int64_t>(i));
      return {item, item};
    });
  }
  return DifferInSize(pair, size);
}

bool EqualEngine::CompareMappings(const Pair& pair, int depth) {
  const ffi::MapBaseObj* lhs = MappingOf(pair.lhs);
  const ffi::MapBaseObj* rhs = MappingOf(pair.rhs);
  if (order_ == Order::kFast && lhs->size() != rhs->size()) return false;
  ffi::Any storage;
  for (const auto& [key, value] : *lhs) {
    const ffi::Any& other_key = PairedKey(key, lhs_to_rhs_, &storage);
    auto found = rhs->find(other_key);
    bool is_missing = found == rhs->end();
    if (!is_missing && CompareValue(RawOf(value), RawOf(found->second), pair.region, depth))
      continue;
    return DifferBelow([&]() -> MismatchStep {
      AccessStep other =
          is_missing ? AccessStep::MapItemMissing(other_key) : AccessStep::MapItem(other_key);
      return {AccessStep::MapItem(key), other};
    });
  }
  if (lhs->size() == rhs->size()) return true;
  // The right mapping has everything that the left one has, and more.
  auto item = rhs->begin();
  while (lhs->find(PairedKey(item->first, rhs_to_lhs_, &storage)) != lhs->end()) ++item;
  return DifferBelow([&]() -> MismatchStep {
    return {AccessStep::MapItemMissing(PairedKey(item->first, rhs_to_lhs_, &storage)),
            AccessStep::MapItem(item->first)};
  });
}

const ffi::Any& EqualEngine::PairedKey(const ffi::Any& key,
                                       const PointerMap<const ffi::Object*>& paired,
                                       ffi::Any* storage) {
  if (!IsEntered(RawOf(key))) return key;
  const ffi::Object* const* found = paired.Find(ObjectOf(RawOf(key)));
  if (found == nullptr) return key;
  TVMFFIAny raw = ValueOf(*found);
  *storage = ffi::AnyView::CopyFromTVMFFIAny(raw);
  return *storage;
}

// Rules.

Verdict EqualEngine::CheckRule(const Pair& pair, const StructuralDescriptor& descriptor) {
  switch (descriptor.rule) {
    case NodeRule::kTree:
      break;
    case NodeRule::kConstTree:
      if (pair.lhs == pair.rhs) return Verdict::kEqual;
      break;
    case NodeRule::kUnique:
      return pair.lhs == pair.rhs ? Verdict::kEqual : Verdict::kDifferent;
    case NodeRule::kVar:
    case NodeRule::kDag: {
      const ffi::Object* const* bound = lhs_to_rhs_.Find(pair.lhs);
      if (bound != nullptr) return *bound == pair.rhs ? Verdict::kEqual : Verdict::kDifferent;
      return rhs_to_lhs_.Contains(pair.rhs) ? Verdict::kDifferent : Verdict::kObjects;
    }
    case NodeRule::kUnsupported:
      ThrowNotStructural(*descriptor.info, "compared");
  }
  bool may_come_again = IsShared(pair.lhs) || IsShared(pair.rhs);
  bool is_known = may_come_again && !equal_pairs_.Unite(pair.lhs, pair.rhs);
  return is_known ? Verdict::kEqual : Verdict::kObjects;
}

bool EqualEngine::Bind(const Pair& pair, NodeRule rule) {
  if (!IsPaired(rule)) return true;
  bool is_free = rule == NodeRule::kVar && pair.region == kTVMFFIDefRegionKindNone;
  if (is_free && pair.lhs != pair.rhs) return Differ(ValueOf(pair.lhs), ValueOf(pair.rhs));
  lhs_to_rhs_.Set(pair.lhs, pair.rhs);
  rhs_to_lhs_.Set(pair.rhs, pair.lhs);
  return true;
}

// The way to the first difference.

bool EqualEngine::Differ(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  different_lhs_ = lhs;
  different_rhs_ = rhs;
  return false;
}

template <typename MakeStep>
bool EqualEngine::DifferBelow(MakeStep make_step) {
  if (order_ == Order::kDeclared) steps_.push_back(make_step());
  return false;
}

/*! \brief Compare the sizes of sequences whose first `size` elements are equal. */
bool EqualEngine::DifferInSize(const Pair& pair, size_t size) {
  size_t lhs_size = SizeOfSequence(pair.lhs);
  if (lhs_size == SizeOfSequence(pair.rhs)) return true;
  return DifferBelow([&]() -> MismatchStep {
    AccessStep item = AccessStep::ArrayItem(static_cast<int64_t>(size));
    AccessStep missing = AccessStep::ArrayItemMissing(static_cast<int64_t>(size));
    return lhs_size > size ? MismatchStep{item, missing} : MismatchStep{missing, item};
  });
}

MismatchPath EqualEngine::Path() const {
  return {steps_, ffi::AnyView::CopyFromTVMFFIAny(different_lhs_),
          ffi::AnyView::CopyFromTVMFFIAny(different_rhs_)};
}

}  // namespace tschema
