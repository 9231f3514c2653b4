/*!
 * \file hash_engine.cc
 * \brief The engine of structural hash: the walk over objects.
 */
#include "./hash_engine.h"

#include <tschema/stack_guard.h>
#include <tschema/tvm_ffi_compat.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace tschema {

namespace {

bool IsContainer(const ffi::Object* object) {
  int32_t type_index = object->type_index();
  return type_index == kTVMFFIArray || type_index == kTVMFFIMap || type_index == kTVMFFIList ||
         type_index == kTVMFFIDict;
}

bool IsContainerOrLeaf(const StructuralDescriptor& descriptor) {
  return descriptor.hash_body == NodeBody::kSequence ||
         descriptor.hash_body == NodeBody::kMapping || descriptor.hash_body == NodeBody::kLeaf;
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

inline uint64_t HashLeafFields(const ffi::Object* object, const StructuralDescriptor& descriptor) {
  uint64_t hash = descriptor.key_hash;
  for (const HashStep* step = descriptor.steps_begin; step != descriptor.steps_end; ++step) {
    hash = CombineHash(hash, HashPlainField(object, *step));
  }
  return hash;
}

void PrefetchHeader(const TVMFFIAny& value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) __builtin_prefetch(value.v_obj);
}

}  // namespace

// Values and objects.

uint64_t HashEngine::HashAny(const TVMFFIAny& value, Context context, int depth) {
  return IsEntered(value) ? Descend(ObjectOf(value), context, depth) : HashValue(value);
}

inline uint64_t HashEngine::Descend(const ffi::Object* object, Context context, int depth) {
  if (__builtin_expect(depth == kMaxUnchecked, 0)) return DescendChecked(object, context);
  return HashObject(object, context, depth + 1);
}

uint64_t HashEngine::DescendChecked(const ffi::Object* object, Context context) {
  if (EnoughStack()) return HashObject(object, context, 0);
  return RunOnNewStack([&] { return HashObject(object, context, 0); });
}

uint64_t HashEngine::HashObject(const ffi::Object* object, Context context, int depth) {
  const StructuralDescriptor& descriptor = StructuralDescriptorOf(object->type_index());
  bool is_simple = descriptor.is_hash_tree && !context.may_repeat && !IsShared(object);
  if (__builtin_expect(!is_simple, 0)) return HashSpecial(object, context, depth);
  return HashFields(object, descriptor, context.region, depth);
}

uint64_t HashEngine::HashSpecial(const ffi::Object* object, Context context, int depth) {
  Frame frame = NewFrame(object, context);
  if (uint64_t known; Recall(frame, &known)) return known;
  if (frame.is_remembered) PushOpen(object, "hash", &open_);
  HashBody(&frame, depth);
  if (frame.is_remembered) open_.Pop();
  return Close(frame, context.region);
}

void HashEngine::HashBody(Frame* frame, int depth) {
  switch (frame->descriptor->hash_body) {
    case NodeBody::kFields:
      frame->hash = HashFields(frame->object, *frame->descriptor, frame->inner.region, depth);
      return;
    case NodeBody::kLeaf:
      frame->hash = HashLeaf(frame->object, frame->hash);
      return;
    case NodeBody::kSequence:
      return HashElements(frame, depth);
    case NodeBody::kMapping:
      return HashItems(frame, depth);
    case NodeBody::kMethod:
      return CallMethod(frame, depth);
    case NodeBody::kForeignMethod:
      return CallForeign(frame, depth);
    case NodeBody::kMissing:
      ThrowNotStructural(*frame->descriptor->info, "hashed");
  }
}

// Parts.

inline uint64_t HashEngine::HashFields(const ffi::Object* object,
                                       const StructuralDescriptor& descriptor, Region region,
                                       int depth) {
  uint64_t hash = descriptor.key_hash;
  for (const HashStep* step = descriptor.steps_begin; step != descriptor.steps_end; ++step) {
    hash = CombineHash(hash, HashField(object, *step, region, depth));
  }
  return hash;
}

inline uint64_t HashEngine::HashField(const ffi::Object* object, const HashStep& step,
                                      Region region, int depth) {
  Context context{InnerRegion(region, step.region), false};
  if (step.take == HashStep::Take::kObject) {
    const ffi::Object* child = LoadObject(object, step.offset);
    if (child == nullptr) return HashNone();
    // Leaves, half of a tree, need no call.
    const StructuralDescriptor& descriptor = StructuralDescriptorOf(child->type_index());
    if (descriptor.is_hash_leaf && !IsShared(child)) return HashLeafFields(child, descriptor);
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

void HashEngine::HashElements(Frame* frame, int depth) {
  constexpr size_t kAhead = 4;
  size_t size = SizeOfSequence(frame->object);
  const TVMFFIAny* elements = ElementsOf(frame->object);
  frame->hash = CombineHash(frame->hash, size);
  for (size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) PrefetchHeader(elements[i + kAhead]);
    Combine(elements[i], frame->inner, depth, frame);
  }
}

void HashEngine::HashItems(Frame* frame, int depth) {
  frame->hash = CombineHash(frame->hash, MappingOf(frame->object)->size());
  size_t first = PushItems(frame);
  for (size_t i = first; i < items_.size();) {
    Item item = items_[i];
    size_t next = i + 1;
    while (next < items_.size() && items_[next].key_hash == item.key_hash) ++next;
    frame->hash = CombineHash(frame->hash, item.key_hash);
    // Items whose keys have the same hash have no order: use only this hash, once.
    if (next - i == 1) Combine(item.value, frame->inner, depth, frame);
    i = next;
  }
  items_.Truncate(first);
}

/*! \brief Push the items in the order of the hashes of their keys. \return The first position. */
size_t HashEngine::PushItems(Frame* frame) {
  size_t first = items_.size();
  for (const auto& [key, value] : *MappingOf(frame->object)) {
    uint64_t storage;
    if (const uint64_t* key_hash = FindKeyHash(RawOf(key), &storage)) {
      items_.Push({*key_hash, RawOf(value)});
    } else {
      frame->is_open = true;
    }
  }
  if (items_.size() == first) return first;
  std::sort(&items_[first], &items_.Top() + 1,
            [](const Item& a, const Item& b) { return a.key_hash < b.key_hash; });
  return first;
}

void HashEngine::Combine(const TVMFFIAny& value, Context context, int depth, Frame* frame) {
  frame->hash = CombineHash(frame->hash, HashAny(value, context, depth));
  if (IsEntered(value) && IsContainer(ObjectOf(value))) frame->is_open |= last_is_open_;
}

const uint64_t* HashEngine::FindKeyHash(const TVMFFIAny& key, uint64_t* storage) const {
  if (IsEntered(key) && key.type_index != kTVMFFIBigInt) return hashes_.Find(ObjectOf(key));
  *storage = HashKey(key);
  return storage;
}

// Shared objects.

HashEngine::Frame HashEngine::NewFrame(const ffi::Object* object, Context context) const {
  const StructuralDescriptor& descriptor = StructuralDescriptorOf(object->type_index());
  if (descriptor.rule == NodeRule::kUnsupported) ThrowNotStructural(*descriptor.info, "hashed");
  bool is_remembered = context.may_repeat || IsShared(object);
  Frame frame{};
  frame.object = object;
  frame.descriptor = &descriptor;
  frame.hash = descriptor.key_hash;
  frame.inner = {BodyRegion(context.region, descriptor.rule), false};
  // The elements of a shared container, and the parts that a method passes, may come again.
  if (IsContainerOrLeaf(descriptor)) frame.inner.may_repeat = is_remembered;
  if (descriptor.hash_body == NodeBody::kMethod) frame.inner.may_repeat = true;
  frame.is_remembered = is_remembered;
  frame.epoch = hashes_.size();
  return frame;
}

bool HashEngine::Recall(const Frame& frame, uint64_t* hash) {
  if (!frame.is_remembered) return false;
  if (!IsContainerOrLeaf(*frame.descriptor)) {
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

uint64_t HashEngine::Close(const Frame& frame, Region region) {
  if (IsContainerOrLeaf(*frame.descriptor)) {
    last_is_open_ = frame.is_open;
    if (frame.is_remembered) {
      container_hashes_.Set(frame.object, {frame.hash, frame.is_open ? frame.epoch : kClosed});
    }
    return frame.hash;
  }
  uint64_t hash = frame.hash;
  if (frame.descriptor->rule == NodeRule::kVar) {
    bool is_bound = region != kTVMFFIDefRegionKindNone;
    hash =
        is_bound ? CombineHash(hash, num_vars_++) : std::hash<const ffi::Object*>()(frame.object);
  }
  if (frame.descriptor->rule == NodeRule::kDag) hash = CombineHash(hash, num_dag_nodes_++);
  if (frame.is_remembered) hashes_.Set(frame.object, hash);
  return hash;
}

TVMFFIAny HashEngine::Retain(ffi::Any value) {
  retained_.push_back(std::move(value));
  return RawOf(retained_.back());
}

}  // namespace tschema
