/*!
 * \file hash_engine.cc
 * \brief The engine of structural hash: the walk over objects.
 */
#include "./hash_engine.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "../support/cycle.h"

namespace tschema {

namespace {

bool IsContainer(const ffi::Object* object) {
  int32_t type_index = object->type_index();
  return type_index == kTVMFFIArray || type_index == kTVMFFIMap || type_index == kTVMFFIList ||
         type_index == kTVMFFIDict;
}

bool IsContainerOrLeaf(const StructuralProgram& program) {
  return program.hash_body == NodeBody::kSequence || program.hash_body == NodeBody::kMapping ||
         program.hash_body == NodeBody::kLeaf;
}

/*! \brief Hash a field that cannot lead to an object. */
inline uint64_t HashPlainField(const ffi::Object* object, const HashStep& step) {
  uint64_t word = LoadWord(object, step.offset);
  switch (step.take) {
    case HashStep::Take::kSigned: {
      auto value = static_cast<int64_t>(word << step.shift_left) >> step.shift_right;
      return CombineHash(step.type_index, value);
    }
    case HashStep::Take::kUnsigned:
      return CombineHash(step.type_index, word << step.shift_left >> step.shift_right);
    case HashStep::Take::kFloat32:
      return HashFloat(step.field->Get<float>(object));
    case HashStep::Take::kFloat64:
      return HashFloat(step.field->Get<double>(object));
    default:
      return HashValue(LoadValue(object, step.offset));
  }
}

inline uint64_t HashLeafFields(const ffi::Object* object, const StructuralProgram& program) {
  uint64_t hash = program.key_hash;
  for (const HashStep* step = program.steps_begin; step != program.steps_end; ++step) {
    hash = CombineHash(hash, HashPlainField(object, *step));
  }
  return hash;
}

void Prefetch(const TVMFFIAny& value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) __builtin_prefetch(value.v_obj);
}

}  // namespace

// By recursion.

uint64_t HashEngine::HashObject(const ffi::Object* object, HashContext context, int depth) {
  const StructuralProgram& program = StructuralProgramOf(object->type_index());
  bool is_simple = program.is_hash_tree && !context.may_repeat && !IsShared(object);
  if (__builtin_expect(!is_simple, 0)) return HashSpecial(object, context, depth);
  return HashFields(object, program, context.region, depth);
}

uint64_t HashEngine::HashFields(const ffi::Object* object, const StructuralProgram& program,
                                Region region, int depth) {
  uint64_t hash = program.key_hash;
  for (const HashStep* step = program.steps_begin; step != program.steps_end; ++step) {
    hash = CombineHash(hash, HashField(object, *step, region, depth));
  }
  return hash;
}

inline uint64_t HashEngine::HashField(const ffi::Object* object, const HashStep& step,
                                      Region region, int depth) {
  HashContext context{InnerRegion(region, step.region), false};
  if (step.take == HashStep::Take::kObject) {
    const ffi::Object* child = LoadObject(object, step.offset);
    if (child == nullptr) return HashNone();
    // Leaves, half of a tree, need no call.
    const StructuralProgram& program = StructuralProgramOf(child->type_index());
    if (program.is_hash_leaf && !IsShared(child)) return HashLeafFields(child, program);
    return Descend(child, context, depth);
  }
  if (step.take == HashStep::Take::kForeign) {
    context.may_repeat = true;
    return HashAny(Retain(step.field->Read(object)), context, depth);
  }
  if (step.take == HashStep::Take::kValue) {
    return HashAny(LoadValue(object, step.offset), context, depth);
  }
  return HashPlainField(object, step);
}

uint64_t HashEngine::HashSpecial(const ffi::Object* object, HashContext context, int depth) {
  HashFrame frame = NewFrame(object, context);
  if (uint64_t known; Recall(frame, &known)) return known;
  switch (frame.program->hash_body) {
    case NodeBody::kFields:
      frame.hash = HashFields(object, *frame.program, frame.inner.region, depth);
      break;
    case NodeBody::kLeaf:
      frame.hash = HashLeaf(object, frame.hash);
      break;
    case NodeBody::kSequence:
      HashElements(&frame, depth);
      break;
    case NodeBody::kForeignMethod:
      frame.hash = CallForeign(frame, depth);
      break;
    default: {
      Child child;
      Open(&frame);
      while (Next(&frame, &child)) {
        Combine(&frame, child.object, Descend(child.object, child.context, depth));
      }
    }
  }
  return Close(frame);
}

void HashEngine::HashElements(HashFrame* frame, int depth) {
  constexpr size_t kAhead = 4;
  size_t size = SizeOfSequence(frame->object);
  const TVMFFIAny* elements = ElementsOf(frame->object);
  frame->hash = CombineHash(frame->hash, size);
  for (size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) Prefetch(elements[i + kAhead]);
    if (IsEntered(elements[i])) {
      const ffi::Object* child = ObjectOf(elements[i]);
      Combine(frame, child, Descend(child, frame->inner, depth));
    } else {
      frame->hash = CombineHash(frame->hash, HashValue(elements[i]));
    }
  }
}

// By frames.

uint64_t HashEngine::HashDeeply(const ffi::Object* object, HashContext context) {
  size_t base = frames_.size();
  uint64_t hash;
  if (Enter(object, context, &hash)) return hash;
  while (true) {
    Child child;
    if (Next(&frames_.Top(), &child)) {
      if (Enter(child.object, child.context, &hash)) {
        Combine(&frames_.Top(), child.object, hash);
      }
      continue;
    }
    HashFrame frame = frames_.Pop();
    hash = Close(frame);
    if (frames_.size() == base) return hash;
    Combine(&frames_.Top(), frame.object, hash);
  }
}

bool HashEngine::Enter(const ffi::Object* object, HashContext context, uint64_t* hash) {
  HashFrame frame = NewFrame(object, context);
  if (Recall(frame, hash)) return true;
  NodeBody body = frame.program->hash_body;
  if (body != NodeBody::kLeaf && body != NodeBody::kForeignMethod) {
    Open(&frame);
    RefuseCycle(
        frames_, [](const HashFrame& open) { return open.is_remembered ? open.object : nullptr; },
        "hash");
    frames_.Push(frame);
    return false;
  }
  frame.hash =
      body == NodeBody::kLeaf ? HashLeaf(object, frame.hash) : CallForeign(frame, kMaxRecursion);
  *hash = Close(frame);
  return true;
}

void HashEngine::Open(HashFrame* frame) {
  switch (frame->program->hash_body) {
    case NodeBody::kFields:
      frame->end = frame->program->steps.size();
      break;
    case NodeBody::kSequence:
      frame->end = SizeOfSequence(frame->object);
      frame->hash = CombineHash(frame->hash, frame->end);
      break;
    case NodeBody::kMapping:
      OpenMapping(frame);
      break;
    case NodeBody::kMethod:
      CallMethod(frame);
      break;
    default:
      ThrowNotStructural(*frame->program->info, "hashed");
  }
}

void HashEngine::OpenMapping(HashFrame* frame) {
  const ffi::MapBaseObj* mapping = MappingOf(frame->object);
  frame->hash = CombineHash(frame->hash, mapping->size());
  frame->first_part = frame->cursor = parts_.size();
  for (auto item = mapping->begin(); item != mapping->end(); ++item) {
    uint64_t storage;
    const uint64_t* key_hash = FindKeyHash(RawOf(item->first), &storage);
    if (key_hash == nullptr) {
      frame->is_open = true;
      continue;
    }
    parts_.Push({RawOf(item->second), kTVMFFIDefRegionKindNone, true, *key_hash});
  }
  frame->end = parts_.size();
  if (frame->cursor == frame->end) return;
  HashPart* begin = &parts_[frame->cursor];
  HashPart* end = begin + (frame->end - frame->cursor);
  auto is_before = [](const HashPart& a, const HashPart& b) { return a.key_hash < b.key_hash; };
  std::sort(begin, end, is_before);
  // Of items whose keys have one hash, only the hash counts, and once.
  HashPart* kept = begin;
  for (HashPart* part = begin; part != end;) {
    HashPart* next = std::upper_bound(part, end, *part, is_before);
    *kept = *part;
    kept->has_value = next - part == 1;
    ++kept;
    part = next;
  }
  frame->end = frame->cursor + (kept - begin);
  parts_.Truncate(frame->end);
}

bool HashEngine::Next(HashFrame* frame, Child* child) {
  switch (frame->program->hash_body) {
    case NodeBody::kFields:
      return NextField(frame, child);
    case NodeBody::kSequence:
      return NextElement(frame, child);
    default:
      return NextPart(frame, child);
  }
}

bool HashEngine::NextField(HashFrame* frame, Child* child) {
  while (frame->cursor < frame->end) {
    const HashStep& step = frame->program->steps[frame->cursor++];
    HashContext context{InnerRegion(frame->inner.region, step.region), false};
    TVMFFIAny value;
    switch (step.take) {
      case HashStep::Take::kObject:
        value = ValueOf(LoadObject(frame->object, step.offset));
        break;
      case HashStep::Take::kValue:
        value = LoadValue(frame->object, step.offset);
        break;
      case HashStep::Take::kForeign:
        context.may_repeat = true;
        value = Retain(step.field->Read(frame->object));
        break;
      default:
        frame->hash = CombineHash(frame->hash, HashPlainField(frame->object, step));
        continue;
    }
    if (Take(value, context, frame, child)) return true;
  }
  return false;
}

bool HashEngine::NextElement(HashFrame* frame, Child* child) {
  const TVMFFIAny* elements = ElementsOf(frame->object);
  while (frame->cursor < frame->end) {
    if (Take(elements[frame->cursor++], frame->inner, frame, child)) return true;
  }
  return false;
}

bool HashEngine::NextPart(HashFrame* frame, Child* child) {
  bool is_mapping = frame->program->hash_body == NodeBody::kMapping;
  while (frame->cursor < frame->end) {
    const HashPart& part = parts_[frame->cursor++];
    if (is_mapping) frame->hash = CombineHash(frame->hash, part.key_hash);
    if (!part.has_value) continue;
    HashContext context = frame->inner;
    context.region = InnerRegion(context.region, part.region);
    if (Take(part.value, context, frame, child)) return true;
  }
  parts_.Truncate(frame->first_part);
  return false;
}

/*! \brief Combine a value into the frame, unless it is an object that is to be hashed first. */
bool HashEngine::Take(const TVMFFIAny& value, HashContext context, HashFrame* frame, Child* child) {
  if (!IsEntered(value)) {
    frame->hash = CombineHash(frame->hash, HashValue(value));
    return false;
  }
  *child = {ObjectOf(value), context};
  return true;
}

// Both.

HashFrame HashEngine::NewFrame(const ffi::Object* object, HashContext context) const {
  const StructuralProgram& program = StructuralProgramOf(object->type_index());
  if (program.rule == NodeRule::kUnsupported) ThrowNotStructural(*program.info, "hashed");
  bool is_remembered = context.may_repeat || IsShared(object);
  HashFrame frame{};
  frame.object = object;
  frame.program = &program;
  frame.hash = program.key_hash;
  frame.outer = context;
  frame.inner = {BodyRegion(context.region, program.rule), false};
  // The elements of a shared container, and what a method hands over, may come again.
  if (IsContainerOrLeaf(program)) frame.inner.may_repeat = is_remembered;
  if (program.hash_body == NodeBody::kMethod) frame.inner.may_repeat = true;
  frame.is_remembered = is_remembered;
  frame.epoch = hashes_.size();
  return frame;
}

bool HashEngine::Recall(const HashFrame& frame, uint64_t* hash) {
  if (!frame.is_remembered) return false;
  if (!IsContainerOrLeaf(*frame.program)) {
    const uint64_t* known = hashes_.Find(frame.object);
    if (known != nullptr) *hash = *known;
    return known != nullptr;
  }
  const ContainerHash* known = container_hashes_.Find(frame.object);
  if (known == nullptr || (known->epoch != kClosed && known->epoch != hashes_.size())) return false;
  *hash = known->hash;
  last_is_open_ = known->epoch != kClosed;
  return true;
}

void HashEngine::Combine(HashFrame* frame, const ffi::Object* child, uint64_t hash) {
  frame->hash = CombineHash(frame->hash, hash);
  if (IsContainer(child)) frame->is_open |= last_is_open_;
}

uint64_t HashEngine::Close(const HashFrame& frame) {
  if (IsContainerOrLeaf(*frame.program)) {
    last_is_open_ = frame.is_open;
    if (frame.is_remembered) {
      container_hashes_.Set(frame.object, {frame.hash, frame.is_open ? frame.epoch : kClosed});
    }
    return frame.hash;
  }
  uint64_t hash = frame.hash;
  if (frame.program->rule == NodeRule::kVar) {
    bool is_bound = frame.outer.region != kTVMFFIDefRegionKindNone;
    hash =
        is_bound ? CombineHash(hash, num_vars_++) : std::hash<const ffi::Object*>()(frame.object);
  }
  if (frame.program->rule == NodeRule::kDag) hash = CombineHash(hash, num_dag_nodes_++);
  if (frame.is_remembered) hashes_.Set(frame.object, hash);
  return hash;
}

const uint64_t* HashEngine::FindKeyHash(const TVMFFIAny& key, uint64_t* storage) const {
  if (IsEntered(key) && key.type_index != kTVMFFIBigInt) return hashes_.Find(ObjectOf(key));
  *storage = HashKey(key);
  return storage;
}

TVMFFIAny HashEngine::Retain(ffi::Any value) {
  retained_.push_back(std::move(value));
  return RawOf(retained_.back());
}

}  // namespace tschema
