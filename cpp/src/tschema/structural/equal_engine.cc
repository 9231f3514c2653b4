/*!
 * \file equal_engine.cc
 * \brief The engine of structural equality: the walk over pairs of objects.
 */
#include "./equal_engine.h"

#include <tvm/ffi/error.h>

#include <utility>

#include "./equal_words.h"

namespace tschema {

namespace {

/*! \brief Fetch an object that is needed soon: many lie on two lines of the cache. */
inline void PrefetchObject(const ffi::Object* object) {
  constexpr int kNearTheEnd = 48;
  __builtin_prefetch(object);
  __builtin_prefetch(reinterpret_cast<const char*>(object) + kNearTheEnd);
}

void Prefetch(const TVMFFIAny& value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) PrefetchObject(ObjectOf(value));
}

}  // namespace

const ffi::Any& PairedKey(const ffi::Any& key, const PointerMap<const ffi::Object*>& paired,
                          ffi::Any* storage) {
  if (!IsEntered(RawOf(key))) return key;
  const ffi::Object* const* found = paired.Find(ObjectOf(RawOf(key)));
  if (found == nullptr) return key;
  TVMFFIAny raw = ValueOf(*found);
  *storage = ffi::AnyView::CopyFromTVMFFIAny(raw);
  return *storage;
}

bool EqualEngine::Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  Pair pair;
  Verdict verdict = Judge(lhs, rhs, &pair);
  if (verdict != Verdict::kObjects) return verdict == Verdict::kEqual;
  pair.region = region_;
  if (order_ == Order::kDeclared) return CompareDeeply(pair);
  // The root does not come again, though its callers share it: a small tree needs no memo.
  const StructuralProgram& program = StructuralProgramOf(pair.lhs->type_index());
  return program.shape == EqualShape::kOther ? CompareSpecial(pair, program, 0)
                                             : CompareFields(pair, program, 0);
}

// By recursion.

bool EqualEngine::CompareObjects(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                 int depth) {
  while (true) {
    if (lhs->type_index() != rhs->type_index()) return false;
    const StructuralProgram& program = StructuralProgramOf(lhs->type_index());
    if (__builtin_expect(program.shape == EqualShape::kOther, 0)) {
      return CompareSpecial({lhs, rhs, region}, program, depth);
    }
    if (!EqualSimpleWords(lhs, rhs, program)) return false;
    if (program.shape == EqualShape::kLeaf) return true;
    if (__builtin_expect(IsShared(lhs) || IsShared(rhs), 0) && !equal_pairs_.Unite(lhs, rhs)) {
      return true;
    }
    int last = program.num_simple_edges - 1;
    for (int i = 1; i <= last; ++i) {
      PrefetchObject(LoadObject(lhs, program.simple_edges[i]));
      PrefetchObject(LoadObject(rhs, program.simple_edges[i]));
    }
    for (int i = 0; i < last; ++i) {
      uint32_t offset = program.simple_edges[i];
      if (!CompareChild(LoadObject(lhs, offset), LoadObject(rhs, offset), region, depth)) {
        return false;
      }
    }
    lhs = LoadObject(lhs, program.simple_edges[last]);
    rhs = LoadObject(rhs, program.simple_edges[last]);
    if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  }
}

inline bool EqualEngine::CompareChild(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                      int depth) {
  if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  if (lhs->type_index() != rhs->type_index()) return false;
  // Leaves, half of a tree, need no call.
  const StructuralProgram& program = StructuralProgramOf(lhs->type_index());
  if (program.shape == EqualShape::kLeaf) return EqualSimpleWords(lhs, rhs, program);
  return Descend(lhs, rhs, region, depth);
}

bool EqualEngine::CompareSpecial(const Pair& pair, const StructuralProgram& program, int depth) {
  Verdict verdict = CheckRule(pair, program);
  if (verdict != Verdict::kObjects) return verdict == Verdict::kEqual;
  Pair body{pair.lhs, pair.rhs, BodyRegion(pair.region, program.rule)};
  bool is_equal;
  switch (program.equal_body) {
    case NodeBody::kFields:
      is_equal = CompareFields(body, program, depth);
      break;
    case NodeBody::kSequence:
      is_equal = CompareSequences(body, depth);
      break;
    case NodeBody::kLeaf:
      is_equal = EqualLeaves(body.lhs, body.rhs);
      break;
    case NodeBody::kForeignMethod:
      is_equal = CallForeign(body, program, depth);
      break;
    default:
      is_equal = CompareInFrame(body, program, depth);
  }
  return is_equal && Bind(pair, program.rule);
}

bool EqualEngine::CompareFields(const Pair& pair, const StructuralProgram& program, int depth) {
  if (!EqualWords(pair.lhs, pair.rhs, program)) return false;
  for (const Edge& edge : program.edges) {
    Pair part;
    Verdict verdict = JudgeEdge(pair.lhs, pair.rhs, edge, &part);
    if (verdict == Verdict::kEqual) continue;
    if (verdict == Verdict::kDifferent) return false;
    if (!CompareChild(part.lhs, part.rhs, InnerRegion(pair.region, edge.region), depth))
      return false;
  }
  return true;
}

bool EqualEngine::CompareSequences(const Pair& pair, int depth) {
  // Far enough ahead for memory to answer, near enough to stay in the cache.
  constexpr size_t kAhead = 4;
  size_t size = SizeOfSequence(pair.lhs);
  if (size != SizeOfSequence(pair.rhs)) return false;
  const TVMFFIAny* lhs = ElementsOf(pair.lhs);
  const TVMFFIAny* rhs = ElementsOf(pair.rhs);
  for (size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) {
      Prefetch(lhs[i + kAhead]);
      Prefetch(rhs[i + kAhead]);
    }
    Verdict verdict = CompareValues(lhs[i], rhs[i]);
    if (verdict == Verdict::kEqual) continue;
    if (verdict == Verdict::kDifferent) return false;
    if (!Descend(ObjectOf(lhs[i]), ObjectOf(rhs[i]), pair.region, depth)) return false;
  }
  return true;
}

bool EqualEngine::CompareInFrame(const Pair& pair, const StructuralProgram& program, int depth) {
  EqualFrame frame = NewFrame(pair, program, pair.region);
  if (!Open(&frame)) return false;
  Pair part;
  while (true) {
    Progress progress = Next(&frame, &part);
    if (progress != Progress::kPair) return progress == Progress::kDone;
    if (!Descend(part.lhs, part.rhs, part.region, depth)) return false;
  }
}

// Both.

Verdict EqualEngine::CheckRule(const Pair& pair, const StructuralProgram& program) {
  switch (program.rule) {
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
      ThrowNotStructural(*program.info, "compared");
  }
  bool may_come_again = IsShared(pair.lhs) || IsShared(pair.rhs);
  bool is_known = may_come_again && !equal_pairs_.Unite(pair.lhs, pair.rhs);
  return is_known ? Verdict::kEqual : Verdict::kObjects;
}

bool EqualEngine::Bind(const Pair& pair, NodeRule rule) {
  if (rule != NodeRule::kVar && rule != NodeRule::kDag) return true;
  bool is_free = rule == NodeRule::kVar && pair.region == kTVMFFIDefRegionKindNone;
  if (is_free && pair.lhs != pair.rhs) {
    different_lhs_ = ValueOf(pair.lhs);
    different_rhs_ = ValueOf(pair.rhs);
    return false;
  }
  lhs_to_rhs_.Set(pair.lhs, pair.rhs);
  rhs_to_lhs_.Set(pair.rhs, pair.lhs);
  return true;
}

Verdict EqualEngine::Judge(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Pair* pair) {
  Verdict verdict = CompareValues(lhs, rhs);
  if (verdict == Verdict::kObjects) {
    pair->lhs = ObjectOf(lhs);
    pair->rhs = ObjectOf(rhs);
  } else if (verdict == Verdict::kDifferent) {
    different_lhs_ = lhs;
    different_rhs_ = rhs;
  }
  return verdict;
}

Verdict EqualEngine::JudgeEdge(const ffi::Object* lhs, const ffi::Object* rhs, const Edge& edge,
                               Pair* pair) {
  if (edge.kind == FieldKind::kObject) {
    return Judge(ValueOf(LoadObject(lhs, edge.offset)), ValueOf(LoadObject(rhs, edge.offset)),
                 pair);
  }
  if (edge.kind != FieldKind::kForeign) {
    return Judge(LoadValue(lhs, edge.offset), LoadValue(rhs, edge.offset), pair);
  }
  ffi::Any left = edge.field->Read(lhs);
  ffi::Any right = edge.field->Read(rhs);
  Verdict verdict = Judge(RawOf(left), RawOf(right), pair);
  if (verdict != Verdict::kEqual) {
    Retain(std::move(left));
    Retain(std::move(right));
  }
  return verdict;
}

}  // namespace tschema
