/*!
 * \file copy.cc
 * \brief Copies of objects: each object is copied before the objects below it.
 */
#include <tschema/copy.h>
#include <tschema/pointer_map.h>
#include <tschema/release.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <deque>
#include <utility>

#include "../reflection/attrs.h"
#include "../reflection/children.h"
#include "../support/global_function.h"
#include "../support/stack.h"

namespace tschema {
namespace {

template <typename Sequence>
ffi::ObjectPtr<ffi::Object> CopySequence(const ffi::Object* object) {
  auto* sequence = static_cast<const Sequence*>(object);
  auto size = static_cast<int64_t>(sequence->size());
  ffi::ObjectPtr<Sequence> copy = Sequence::CreateRepeated(size, ffi::Any());
  for (int64_t index = 0; index < size; ++index) {
    copy->SetItem(index, sequence->begin()[index]);
  }
  return copy;
}

/*! \brief An object of a type of other libraries, copied by the function that they registered. */
[[gnu::noinline]] ffi::ObjectPtr<ffi::Object> CopyByFunction(const ffi::Object* object) {
  ffi::Any function = GetTypeAttr(object->type_index(), "__ffi_shallow_copy__");
  if (function == nullptr) {
    TVM_FFI_THROW(TypeError) << "objects of type `" << object->GetTypeKey() << "` cannot be copied";
  }
  auto copy = function.cast<ffi::Function>()(object).cast<ffi::ObjectRef>();
  return ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(std::move(copy));
}

using ObjectPtr = ffi::ObjectPtr<ffi::Object>;

/*! \brief A shallow copy of an object that is neither a container nor built in. */
inline ObjectPtr CopyOfNode(const ffi::Object* object, const TypeInfo& info) {
  return __builtin_expect(info.copy != nullptr, 1) ? info.copy(object) : CopyByFunction(object);
}

/*!
 * \brief Copies a graph: each object first, and its children later.
 *
 * A copy on the stack still refers to the children of its original.
 */
class DeepCopier {
 public:
  ffi::Any Run(ffi::AnyView value) {
    const ffi::Object* object = ObjectIn(value.CopyToTVMFFIAny());
    if (object == nullptr) return value;
    root_ = ffi::ObjectRef(CopyOf(object, 0));
    while (!stack_.empty()) {
      Pair pair = stack_.Pop();
      CopyChildren(pair.original, pair.copy);
    }
    for (const ForeignValue& one : foreign_) one.field->Write(one.copy, one.value);
    return std::move(root_);
  }

  /*! \brief Releases the remaining objects after an exception, without recursion. */
  ~DeepCopier() { Dispose(root_); }

 private:
  struct Pair {
    const ffi::Object* original;
    ffi::Object* copy;
  };

  /*! \brief A value to be set when its copy is complete, because setters check containers. */
  struct ForeignValue {
    const FieldInfo* field;
    ffi::Object* copy;
    ffi::Any value;
  };

  /*!
   * \brief The copy of an object, new or known.
   * \param holders The number of known references; an object with others is remembered.
   */
  ObjectPtr CopyOf(const ffi::Object* object, uint64_t holders) {
    if (object->use_count() == holders) return NewCopyOf(object);
    if (ffi::Object* const* known = copies_.Find(object)) return Hold(*known);
    ObjectPtr copy = NewCopyOf(object);
    copies_.Set(object, copy.get());
    return copy;
  }

  static ObjectPtr Hold(ffi::Object* object) {
    return ffi::detail::ObjectUnsafe::ObjectPtrFromUnowned<ffi::Object>(object);
  }

  /*! \brief A shallow copy whose children are to be copied; a sequence is empty so far. */
  ObjectPtr NewCopyOf(const ffi::Object* object) {
    int32_t type_index = object->type_index();
    ObjectPtr copy;
    if (__builtin_expect(type_index >= kTVMFFIDynObjectBegin, 1)) {
      const TypeInfo& info = TypeInfoOf(type_index);
      if (IsOneOfItsKind(info)) return Original(object);
      copy = CopyOfNode(object, info);
      if (info.edges.empty()) return copy;
    } else if (type_index == kTVMFFIArray) {
      copy = ffi::ArrayObj::CreateRepeated(SizeOfSequence(object), ffi::Any());
    } else if (type_index == kTVMFFIList) {
      copy = ffi::ListObj::CreateRepeated(SizeOfSequence(object), ffi::Any());
    } else if (type_index == kTVMFFIMap) {
      copy = CopyWithKeys(static_cast<const ffi::MapObj*>(object));
    } else if (type_index == kTVMFFIDict) {
      ffi::Dict<ffi::Any, ffi::Any> empty;
      copy = ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(std::move(empty));
    } else if (type_index == kTVMFFIShape || type_index == kTVMFFIBigInt ||
               type_index == kTVMFFITensor) {
      return Original(object);  // A tensor as well: copies of constants share their elements.
    } else {
      return ShallowCopy(object);
    }
    if (type_index < kTVMFFIDynObjectBegin) DestroyIteratively(copy.get());
    stack_.Push({object, copy.get()});
    return copy;
  }

  /*! \brief Whether objects of the type are unique, so that a copy keeps the originals. */
  static bool IsOneOfItsKind(const TypeInfo& info) {
    if (info.structural_kind == kTVMFFISEqHashKindUniqueInstance) {
      // Types of other libraries, such as TVM's operators, cannot declare that they are interned.
      return IsInterned(info.type_index) || GetTypeAttr(info.type_index, kDigestAttr) == nullptr;
    }
    return info.copy == nullptr && ffi::detail::IsObjectInstance<ffi::EnumObj>(info.type_index);
  }

  static ObjectPtr Original(const ffi::Object* object) {
    return Hold(const_cast<ffi::Object*>(object));
  }

  /*! \brief Copy a map with copies of its keys, because a map finds its keys by address. */
  ObjectPtr CopyWithKeys(const ffi::MapObj* map) {
    bool has_object_key = false;
    for (const auto& entry : *map) {
      if (ObjectIn(RawOf(entry.first)) != nullptr) has_object_key = true;
    }
    if (!has_object_key) return detail::CopyOfMap(map);
    if (++key_depth_ > kMaxKeyDepth) {
      TVM_FFI_THROW(ValueError) << "cannot copy maps that are keys of maps on more than "
                                << kMaxKeyDepth << " levels";
    }
    ffi::Map<ffi::Any, ffi::Any> copy;
    for (const auto& [key, value] : *map) copy.Set(Copied(key, 1), value);
    --key_depth_;
    return ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(std::move(copy));
  }

  ffi::Any Copied(const ffi::Any& value, uint64_t holders) {
    const ffi::Object* object = ObjectIn(RawOf(value));
    return object == nullptr ? value : ffi::Any(ffi::ObjectRef(CopyOf(object, holders)));
  }

  void CopyChildren(const ffi::Object* original, ffi::Object* copy) {
    int32_t type_index = copy->type_index();
    if (__builtin_expect(type_index >= kTVMFFIDynObjectBegin, 1)) {
      for (const FieldInfo& field : TypeInfoOf(type_index).edges) CopyField(field, copy);
    } else if (IsSequence(type_index)) {
      CopyElements(original, copy);
    } else if (type_index == kTVMFFIMap) {
      for (auto& entry : *MutableMappingOf(copy)) entry.second = Copied(entry.second, 2);
    } else {
      ffi::Dict<ffi::Any, ffi::Any> dict(Hold(copy));
      for (const auto& [key, value] : *MappingOf(original))
        dict.Set(Copied(key, 1), Copied(value, 1));
    }
  }

  void CopyElements(const ffi::Object* original, ffi::Object* copy) {
    auto* from = reinterpret_cast<const ffi::Any*>(ElementsOf(original));
    ffi::Any* to = MutableElementsOf(copy);
    size_t size = SizeOfSequence(copy);
    for (size_t index = 0; index < size; ++index) to[index] = Copied(from[index], 1);
  }

  /*! \brief Replace the value of a field, which the original object and the copy both hold. */
  void CopyField(const FieldInfo& field, ffi::Object* copy) {
    if (field.kind == FieldKind::kObject) {
      auto& reference = field.Get<ffi::ObjectRef>(copy);
      const ffi::Object* child = reference.get();
      if (child == nullptr || IsHeapBytes(child->type_index())) return;
      reference = ffi::ObjectRef(CopyOf(child, 2));
    } else if (field.kind == FieldKind::kAny) {
      auto& value = field.Get<ffi::Any>(copy);
      value = Copied(value, 2);
    } else {
      kept_.push_back(field.Read(copy));
      foreign_.push_back({&field, copy, Copied(kept_.back(), 0)});
    }
  }

  static constexpr int kMaxKeyDepth = 1000;

  ffi::Any root_;
  Stack<Pair> stack_;
  /*! \brief Copies of objects with several references; the whole copy holds them. */
  PointerMap<ffi::Object*> copies_;
  /*! \brief Values that getters of foreign fields returned. */
  std::deque<ffi::Any> kept_;
  std::deque<ForeignValue> foreign_;
  int key_depth_ = 0;
};

}  // namespace

ffi::ObjectPtr<ffi::Object> ShallowCopy(const ffi::Object* object) {
  int32_t type_index = object->type_index();
  if (__builtin_expect(type_index >= kTVMFFIDynObjectBegin, 1)) {
    return CopyOfNode(object, TypeInfoOf(type_index));
  }
  switch (type_index) {
    case kTVMFFIArray:
      return CopySequence<ffi::ArrayObj>(object);
    case kTVMFFIList:
      return CopySequence<ffi::ListObj>(object);
    case kTVMFFIMap:
      return detail::CopyOfMap(static_cast<const ffi::MapObj*>(object));
    case kTVMFFIDict:
      return detail::CopyOfMap(static_cast<const ffi::DictObj*>(object));
    default:
      return CopyByFunction(object);
  }
}

namespace detail {

ffi::Any RunDeepCopy(ffi::AnyView value) { return DeepCopier().Run(value); }

}  // namespace detail

namespace {

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.deep_copy", ffi::Function::FromTyped(&detail::RunDeepCopy));
}

}  // namespace
}  // namespace tschema
