/*!
 * \file child_mutator.cc
 * \brief Mutates nodes: returns the same node, perhaps changed in place, or a changed copy.
 */
#include <tschema/copy.h>
#include <tschema/functor.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>

#include "./walked_type.h"

namespace tschema {

namespace {

using detail::ReferencePlace;
using detail::ReferenceSlot;
using ffi::detail::ObjectUnsafe;

/*! \brief A reference that takes over a count. */
ffi::ObjectRef OwnedRef(TVMFFIObject* object) {
  return ffi::ObjectRef(ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(object));
}

/*! \brief A new reference to an object. */
ffi::ObjectRef NewRef(const ffi::Object* object) { return ffi::GetRef<ffi::ObjectRef>(object); }

/*! \brief Release the pointer of a reference without a decrement of its count. */
TVMFFIObject* Disown(ffi::ObjectRef reference) {
  return ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(
      ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(std::move(reference)));
}

/*! \brief An element of a sequence, which others may replace, or move when the sequence grows. */
TVMFFIAny* ElementAt(const ffi::ObjectRef& sequence, size_t index) {
  return const_cast<TVMFFIAny*>(ElementsOf(sequence.get())) + index;
}

/*! \brief The object that a field holds, or null. */
ffi::ObjectRef ReadReference(const FieldInfo& field, const ffi::Object* node) {
  if (field.kind == FieldKind::kObject) return AsRef(&field.Get<TVMFFIObject*>(node));
  if (field.kind == FieldKind::kForeign) {
    return field.Read(node).as<ffi::ObjectRef>().value_or(ffi::ObjectRef());
  }
  const auto& value = field.Get<TVMFFIAny>(node);
  return IsEntered(value) ? AsRef(&value.v_obj) : ffi::ObjectRef();
}

/*! \brief The type of the elements of a container's type; null where it is not known. */
const TypeExpr* ElementType(const TypeExpr* type, size_t place) {
  using Kind = TypeExpr::Kind;
  if (type == nullptr) return nullptr;
  switch (type->kind) {
    case Kind::kOptional:
      return ElementType(&type->arguments[0], place);
    case Kind::kArray:
    case Kind::kList:
      return &type->arguments[0];
    case Kind::kMap:
    case Kind::kDict:
      return &type->arguments[place];
    default:
      return nullptr;
  }
}

}  // namespace

/*! \brief The place of a value. */
struct detail::ReferencePlace {
  const TypeInfo* owner;
  const detail::WalkedField* field;
  /*! \brief The type that the place accepts; null if it is not known. */
  const TypeExpr* type;

  ReferencePlace Element(size_t place) const { return {owner, field, ElementType(type, place)}; }

  void Check(const ffi::ObjectRef& value) const {
    if (type == nullptr || type->Accepts(ffi::AnyView(value))) return;
    TVM_FFI_THROW(TypeError) << "`" << owner->key << "`: field `" << field->field->name
                             << "` takes " << type->text << ", not "
                             << (value.defined() ? value->GetTypeKey() : "None");
  }
};

/*! \brief The memory that holds a reference: a pointer, or an FFI value that is an object. */
class detail::ReferenceSlot {
 public:
  explicit ReferenceSlot(TVMFFIObject** pointer) : pointer_(pointer) {}
  explicit ReferenceSlot(TVMFFIAny* value) : pointer_(&value->v_obj), value_(value) {}

  /*! \brief The slot of a field; without an object if it holds none. */
  static ReferenceSlot OfField(const FieldInfo& field, ffi::Object* node) {
    if (field.kind == FieldKind::kObject) return ReferenceSlot(&field.Get<TVMFFIObject*>(node));
    auto* value = &field.Get<TVMFFIAny>(node);
    return IsEntered(*value) ? ReferenceSlot(value) : ReferenceSlot();
  }

  TVMFFIObject* object() const { return pointer_ == nullptr ? nullptr : *pointer_; }

  /*! \brief Store the object of a reference, without a release of the previous object. */
  void Overwrite(ffi::ObjectRef reference) const {
    *pointer_ = Disown(std::move(reference));
    if (value_ == nullptr) return;
    value_->type_index = *pointer_ == nullptr ? kTVMFFINone : (*pointer_)->type_index;
  }

 private:
  ReferenceSlot() = default;

  TVMFFIObject** pointer_ = nullptr;
  TVMFFIAny* value_ = nullptr;
};

ffi::ObjectRef ChildMutator::MutateChildren(const ffi::Object* node) {
  const detail::WalkedType& walk = family().WalkOf(node);
  if (walk.fields.empty()) return NewRef(node);
  if (held_ != node || !node->unique()) return MutateShared(walk, node);
  auto* owned = const_cast<ffi::Object*>(node);
  if (MutateOwned(walk, owned)) {
    is_touched_ = true;
    if (walk.info->hooks.post_init != nullptr) walk.info->hooks.post_init(owned);
  }
  return NewRef(node);
}

bool ChildMutator::MutateOwned(const detail::WalkedType& walk, ffi::Object* node) {
  bool is_changed = false;
  for (const detail::WalkedField& field : walk.fields) {
    if (field.field->kind == FieldKind::kForeign) continue;
    ReferencePlace place{walk.info, &field, field.field->type};
    is_changed |= MutateSlot(place, ReferenceSlot::OfField(*field.field, node));
  }
  return is_changed;
}

/*! \brief Mutate the value in a slot of a uniquely owned node. \return Whether it changed. */
bool ChildMutator::MutateSlot(const ReferencePlace& place, ReferenceSlot slot) {
  TVMFFIObject* old = slot.object();
  if (old == nullptr) return false;
  // The slot lends its count to the reference, so that a unique owner is recognized. It keeps the
  // address, so that methods may read the nodes above theirs.
  struct Lent {
    ~Lent() {
      if (!is_back) slot.Overwrite(ffi::ObjectRef());
    }
    ReferenceSlot& slot;
    bool is_back;
  } lent{slot, false};
  bool was_touched = is_touched_;
  is_touched_ = false;
  ffi::ObjectRef result = MutateValue(place, OwnedRef(old));
  bool is_changed = is_touched_ || result.get() != reinterpret_cast<const ffi::Object*>(old);
  is_touched_ = was_touched || is_changed;
  slot.Overwrite(std::move(result));
  lent.is_back = true;
  return is_changed;
}

ffi::ObjectRef ChildMutator::MutateShared(const detail::WalkedType& walk, const ffi::Object* node) {
  ffi::ObjectRef copy;
  for (const detail::WalkedField& field : walk.fields) {
    ffi::ObjectRef value = ReadReference(*field.field, node);
    if (!value.defined()) continue;
    const ffi::Object* old = value.get();
    const bool is_made = field.field->kind == FieldKind::kForeign;  // By a getter, perhaps.
    ffi::ObjectRef kept = is_made ? value : ffi::ObjectRef();
    ReferencePlace place{walk.info, &field, field.field->type};
    ffi::ObjectRef result = MutateValue(place, std::move(value));
    if (result.get() == old) continue;
    if (!copy.defined()) copy = ffi::ObjectRef(ShallowCopy(node));
    auto* target = const_cast<ffi::Object*>(copy.get());
    if (field.field->kind == FieldKind::kForeign) {
      field.field->Write(target, result);
    } else {
      ReferenceSlot slot = ReferenceSlot::OfField(*field.field, target);
      ffi::ObjectRef dropped = OwnedRef(slot.object());
      slot.Overwrite(std::move(result));
    }
  }
  if (!copy.defined()) return NewRef(node);
  if (walk.info->hooks.post_init != nullptr) {
    walk.info->hooks.post_init(const_cast<ffi::Object*>(copy.get()));
  }
  return copy;
}

ffi::ObjectRef ChildMutator::MutateValue(const ReferencePlace& place, ffi::ObjectRef value) {
  const ffi::Object* old = value.get();
  const Family& known = family();
  int root = known.RootOf(old);
  if (known.HasMethods(root)) {
    ffi::ObjectRef result = MutateMember(root, std::move(value));
    if (result.get() != old) place.Check(result);
    return result;
  }
  if (!EnoughStack()) return RunOnNewStack([&] { return MutateValue(place, std::move(value)); });
  if (IsSequence(old->type_index())) return MutateSequence(place, std::move(value));
  if (IsMapping(old->type_index())) return MutateMap(place, std::move(value));
  ffi::ObjectRef result =
      root >= 0 ? MutateHeld(std::move(value)) : MutateObject(place, std::move(value));
  if (result.get() != old) place.Check(result);
  return result;
}

ffi::ObjectRef ChildMutator::MutateObject(const ReferencePlace& place, ffi::ObjectRef value) {
  const TypeInfo& info = TypeInfoOf(value.get());
  bool is_part = family().IsPart(value.get());
  if (StandsForItself(info) && !place.field->binds) {
    auto found = replaced_.find(value.get());
    return found == replaced_.end() ? value : found->second.second;
  }
  if (is_part) return MutatePartHeld(std::move(value));
  if (place.field->is_known || info.structural_kind == kTVMFFISEqHashKindUnsupported) return value;
  return MutateHeld(std::move(value));
}

ffi::ObjectRef ChildMutator::MutateHeld(ffi::ObjectRef value) {
  HeldNode held(this, value.get());
  return MutateChildren(value.get());
}

ffi::ObjectRef ChildMutator::MutatePartHeld(ffi::ObjectRef part) {
  HeldNode held(this, part.get());
  ffi::ObjectRef result = MutatePart(part.get());
  if (StandsForItself(TypeInfoOf(part.get()))) Replace(part, result);
  return result;
}

void ChildMutator::Replace(const ffi::ObjectRef& part, ffi::ObjectRef by) {
  if (part.same_as(by)) {
    replaced_.erase(part.get());
  } else {
    replaced_.insert_or_assign(part.get(), std::make_pair(part, std::move(by)));
  }
}

ffi::ObjectRef ChildMutator::MutateSequence(const ReferencePlace& place, ffi::ObjectRef sequence) {
  const ReferencePlace element = place.Element(0);
  const bool is_owned = sequence.unique();
  ffi::ObjectRef target = sequence;
  if (is_owned) sequence = ffi::ObjectRef();
  for (size_t index = 0; index < SizeOfSequence(target.get()); ++index) {
    TVMFFIAny* value = ElementAt(target, index);
    if (!IsEntered(*value)) continue;
    if (is_owned) {
      MutateSlot(element, ReferenceSlot(value));
      continue;
    }
    const auto* old = reinterpret_cast<const ffi::Object*>(value->v_obj);
    ffi::ObjectRef result = MutateValue(element, NewRef(old));
    if (result.get() == old) continue;
    if (target.same_as(sequence)) target = ffi::ObjectRef(ShallowCopy(sequence.get()));
    ReferenceSlot slot(ElementAt(target, index));
    ffi::ObjectRef dropped = OwnedRef(slot.object());
    slot.Overwrite(std::move(result));
  }
  return target;
}

ffi::ObjectRef ChildMutator::MutateMap(const ReferencePlace& place, ffi::ObjectRef map) {
  const ReferencePlace places[] = {place.Element(0), place.Element(1)};
  bool is_changed = false;
  auto mutate = [&](const ReferencePlace& at, const ffi::Any& old) -> ffi::Any {
    const TVMFFIAny& value = RawOf(old);
    if (!IsEntered(value)) return old;
    ffi::ObjectRef result = MutateValue(at, AsRef(&value.v_obj));
    is_changed |= result.get() != reinterpret_cast<const ffi::Object*>(value.v_obj);
    return result;
  };
  ffi::Map<ffi::Any, ffi::Any> result;
  ffi::Dict<ffi::Any, ffi::Any> dict;
  const bool is_map = map->type_index() == kTVMFFIMap;
  for (const auto& [key, item] : *MappingOf(map.get())) {
    ffi::Any new_key = mutate(places[0], key);
    ffi::Any new_item = mutate(places[1], item);
    if (is_map) {
      result.Set(std::move(new_key), std::move(new_item));
    } else {
      dict.Set(std::move(new_key), std::move(new_item));
    }
  }
  if (!is_changed) return map;
  if (is_map) return result;
  return dict;
}

}  // namespace tschema
