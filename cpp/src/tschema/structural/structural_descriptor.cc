/*!
 * \file structural_descriptor.cc
 * \brief Makes the descriptors of types for equality and hash.
 */
#include "./structural_descriptor.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/endian.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "../reflection/attrs.h"
#include "../reflection/field_value.h"

namespace tschema {

namespace detail {

PerType<StructuralDescriptor> structural_descriptors;

}  // namespace detail

namespace {

constexpr uint32_t kWordSize = sizeof(uint64_t);

/*! \brief Bytes of a plain field; 0 if the field is not plain. */
uint32_t PlainSize(const FieldInfo& field) {
  return IsPlain(field.kind) ? static_cast<uint32_t>(field.reflected->size) : 0;
}

/*! \brief Whether the field lies in one word, which lies in the object. */
bool IsInWord(const FieldInfo& field, const TypeInfo& info) {
  uint32_t size = PlainSize(field);
  uint32_t start = field.offset % kWordSize;
  uint32_t end_of_word = field.offset - start + kWordSize;
  return size != 0 && start + size <= kWordSize && end_of_word <= static_cast<uint32_t>(info.size);
}

/*! \brief The bytes of a field within its word, set. */
uint64_t MaskOf(const FieldInfo& field) {
  std::array<unsigned char, kWordSize> bytes{};
  for (uint32_t i = 0; i < PlainSize(field); ++i) {
    bytes[field.offset % kWordSize + i] = 0xFF;
  }
  uint64_t mask;
  std::memcpy(&mask, bytes.data(), sizeof(mask));
  return mask;
}

bool IsFloat(FieldKind kind) { return kind == FieldKind::kFloat32 || kind == FieldKind::kFloat64; }

void AddWord(const FieldInfo& field, StructuralDescriptor* descriptor) {
  uint32_t offset = field.offset - field.offset % kWordSize;
  descriptor->has_floats |= IsFloat(field.kind);
  for (WordTest& word : descriptor->words) {
    // A float has a separate word, because different bits may both be NaN.
    if (word.offset != offset || IsFloat(word.kind) || IsFloat(field.kind)) continue;
    word.mask |= MaskOf(field);
    return;
  }
  descriptor->words.push_back({offset, field.kind, MaskOf(field)});
}

int32_t TypeIndexOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool:
      return kTVMFFIBool;
    case FieldKind::kFloat32:
    case FieldKind::kFloat64:
      return kTVMFFIFloat;
    case FieldKind::kDataType:
      return kTVMFFIDataType;
    case FieldKind::kDevice:
      return kTVMFFIDevice;
    default:
      return kTVMFFIInt;
  }
}

bool IsSigned(FieldKind kind) {
  return kind == FieldKind::kInt8 || kind == FieldKind::kInt16 || kind == FieldKind::kInt32 ||
         kind == FieldKind::kInt64 || kind == FieldKind::kEnum;
}

HashStep::Take TakeOf(const FieldInfo& field, const TypeInfo& info) {
  using Take = HashStep::Take;
  if (field.kind == FieldKind::kObject) return Take::kObject;
  if (field.kind == FieldKind::kString || field.kind == FieldKind::kBytes ||
      field.kind == FieldKind::kAny) {
    return Take::kValue;
  }
  if (!IsInWord(field, info)) return Take::kForeign;
  if (field.kind == FieldKind::kFloat32) return Take::kFloat32;
  if (field.kind == FieldKind::kFloat64) return Take::kFloat64;
  return IsSigned(field.kind) ? Take::kSigned : Take::kUnsigned;
}

HashStep StepOf(const FieldInfo& field, const TypeInfo& info) {
  static_assert(TVM_FFI_LITTLE_ENDIAN, "shifts select the bytes of a field");
  HashStep step{};
  step.offset = field.offset;
  step.take = TakeOf(field, info);
  step.region = static_cast<uint8_t>(RegionOf(field));
  step.type_index = TypeIndexOf(field.kind);
  step.field = &field;
  if (step.take != HashStep::Take::kSigned && step.take != HashStep::Take::kUnsigned) return step;
  uint32_t size = PlainSize(field);
  uint32_t start = field.offset % kWordSize;
  step.offset -= start;
  step.shift_left = static_cast<uint8_t>((kWordSize - start - size) * 8);
  step.shift_right = static_cast<uint8_t>((kWordSize - size) * 8);
  return step;
}

void AddField(const FieldInfo& field, const TypeInfo& info, StructuralDescriptor* descriptor) {
  if (field.ignored) return;
  descriptor->steps.push_back(StepOf(field, info));
  if (IsInWord(field, info)) return AddWord(field, descriptor);
  FieldKind kind = PlainSize(field) == 0 ? field.kind : FieldKind::kForeign;
  descriptor->edges.push_back({field.offset, kind, static_cast<uint8_t>(RegionOf(field)), &field});
}

/*! \brief Whether hashing a field may lead to another object. */
bool EntersObject(const HashStep& step) {
  if (step.take != HashStep::Take::kValue) {
    return step.take == HashStep::Take::kObject || step.take == HashStep::Take::kForeign;
  }
  return step.field->kind == FieldKind::kAny;
}

/*! \brief The rule and the body of the types of tvm-ffi. */
bool SetBuiltin(int32_t type_index, StructuralDescriptor* descriptor) {
  switch (type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      descriptor->equal_body = descriptor->hash_body = NodeBody::kSequence;
      break;
    case kTVMFFIMap:
    case kTVMFFIDict:
      descriptor->equal_body = descriptor->hash_body = NodeBody::kMapping;
      break;
    case kTVMFFIShape:
    case kTVMFFITensor:
    case kTVMFFIBigInt:
      descriptor->equal_body = descriptor->hash_body = NodeBody::kLeaf;
      break;
    default:
      return false;
  }
  descriptor->rule = NodeRule::kTree;
  return true;
}

NodeRule RuleOf(TVMFFISEqHashKind kind) {
  switch (kind) {
    case kTVMFFISEqHashKindTreeNode:
      return NodeRule::kTree;
    case kTVMFFISEqHashKindFreeVar:
      return NodeRule::kVar;
    case kTVMFFISEqHashKindDAGNode:
      return NodeRule::kDag;
    case kTVMFFISEqHashKindConstTreeNode:
      return NodeRule::kConstTree;
    case kTVMFFISEqHashKindUniqueInstance:
      return NodeRule::kUnique;
    default:
      return NodeRule::kUnsupported;
  }
}

ffi::Function ForeignMethod(int32_t type_index, const char* attr) {
  ffi::Any method = GetTypeAttr(type_index, attr);
  return method == nullptr ? ffi::Function(nullptr) : method.cast<ffi::Function>();
}

/*! \brief The source of the parts: the fields, a method, foreign code or none. */
NodeBody BodyOf(bool has_method, bool is_custom, const ffi::Function& foreign) {
  if (has_method) return NodeBody::kMethod;
  if (is_custom) return NodeBody::kMissing;
  return foreign != nullptr ? NodeBody::kForeignMethod : NodeBody::kFields;
}

void SetBodies(const TypeInfo& info, StructuralDescriptor* descriptor) {
  const TypeHooks& hooks = info.hooks;
  descriptor->foreign_equal = ForeignMethod(info.type_index, kSEqualAttr);
  descriptor->equal_body = BodyOf(hooks.equal != nullptr, (hooks.custom & kCustomSEqualReduce) != 0,
                                  descriptor->foreign_equal);
  descriptor->foreign_hash = ForeignMethod(info.type_index, kSHashAttr);
  descriptor->hash_body = BodyOf(hooks.hash != nullptr, (hooks.custom & kCustomSHashReduce) != 0,
                                 descriptor->foreign_hash);
}

void SetRows(const TypeInfo& info, StructuralDescriptor* descriptor) {
  for (const FieldInfo& field : info.fields) AddField(field, info, descriptor);
  descriptor->steps_begin = descriptor->steps.data();
  descriptor->steps_end = descriptor->steps_begin + descriptor->steps.size();
}

bool IsSimpleEdge(const Edge& edge) {
  return edge.kind == FieldKind::kObject && edge.region == kTVMFFIDefRegionKindNone;
}

void SetShape(StructuralDescriptor* descriptor) {
  const std::vector<Edge>& edges = descriptor->edges;
  bool is_simple = descriptor->rule == NodeRule::kTree &&
                   descriptor->equal_body == NodeBody::kFields &&
                   descriptor->words.size() <= kMaxSimpleWords && edges.size() <= kMaxSimpleEdges &&
                   std::all_of(edges.begin(), edges.end(), IsSimpleEdge);
  if (!is_simple) return;
  descriptor->shape = edges.empty() ? EqualShape::kLeaf : EqualShape::kSimple;
  descriptor->num_simple_edges = static_cast<uint16_t>(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) descriptor->simple_edges[i] = edges[i].offset;
  for (size_t i = 0; i < descriptor->words.size(); ++i) {
    descriptor->simple_words[i] = descriptor->words[i].offset;
    descriptor->simple_masks[i] = descriptor->words[i].mask;
  }
}

void SetHashShape(StructuralDescriptor* descriptor) {
  NodeRule rule = descriptor->rule;
  bool is_tree =
      rule == NodeRule::kTree || rule == NodeRule::kConstTree || rule == NodeRule::kUnique;
  descriptor->is_hash_tree = is_tree && descriptor->hash_body == NodeBody::kFields;
  descriptor->is_hash_leaf =
      descriptor->is_hash_tree &&
      std::none_of(descriptor->steps.begin(), descriptor->steps.end(), EntersObject);
}

std::unique_ptr<StructuralDescriptor> BuildDescriptor(int32_t type_index) {
  const TypeInfo& info = TypeInfoOf(type_index);
  auto descriptor = std::make_unique<StructuralDescriptor>();
  descriptor->info = &info;
  descriptor->key_hash = info.key_hash;
  if (SetBuiltin(type_index, descriptor.get())) return descriptor;
  descriptor->rule = RuleOf(info.structural_kind);
  SetBodies(info, descriptor.get());
  SetRows(info, descriptor.get());
  SetShape(descriptor.get());
  SetHashShape(descriptor.get());
  return descriptor;
}

}  // namespace

namespace detail {

const StructuralDescriptor* MakeStructuralDescriptor(int32_t type_index) {
  static std::mutex mutex;
  std::unique_ptr<StructuralDescriptor> built = BuildDescriptor(type_index);
  std::lock_guard<std::mutex> lock(mutex);
  if (const StructuralDescriptor* known = structural_descriptors.Find(type_index)) return known;
  structural_descriptors.Set(type_index, built.get());
  return built.release();
}

}  // namespace detail

void ThrowNotStructural(const TypeInfo& info, const char* action) {
  TVM_FFI_THROW(TypeError) << "objects of type `" << info.key << "` cannot be " << action
                           << ": the type has no structural behaviour";
}

void CheckIsVar(const TypeInfo& info) {
  if (info.structural_kind == kTVMFFISEqHashKindFreeVar) return;
  TVM_FFI_THROW(TypeError) << "a structural method of type `" << info.key
                           << "` marks a free variable, but the type is not declared with "
                           << "`structural = \"var\"`";
}

}  // namespace tschema
