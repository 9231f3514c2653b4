/*!
 * \file release.cc
 * \brief Drains the list of objects to destroy.
 */
#include <tschema/release.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/object.h>

#include <new>

namespace tschema {
namespace detail {

namespace ffi = ::tvm::ffi;

__attribute__((tls_model("initial-exec"))) __thread ReleaseList release_list;

namespace {

struct WeakLink {
  TVMFFIObject* object;
  WeakLink* next;
};

/*! \brief The count of an object without strong references, as tvm-ffi leaves it. */
constexpr uint64_t kNoStrongOwner = uint64_t{1} << 32;

void ReleaseElements(TVMFFIObject* sequence) {
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(reinterpret_cast<ffi::Object*>(sequence) + 1);
  auto* elements = static_cast<TVMFFIAny*>(cell->data);
  for (int64_t index = 0; index < cell->size; ++index) ReleaseValue(elements + index);
}

void ReleaseEntries(TVMFFIObject* object) {
  auto* map = static_cast<ffi::MapBaseObj*>(reinterpret_cast<ffi::Object*>(object));
  for (auto& [key, value] : *map) {
    ReleaseValue(&key);
    ReleaseValue(&value);
  }
}

/*! \brief Clear a container before its destruction, because its destructor would recurse. */
void ReleaseContents(TVMFFIObject* object) {
  switch (object->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return ReleaseElements(object);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return ReleaseEntries(object);
    default:
      return;
  }
}

void Destroy(TVMFFIObject* object) {
  object->combined_ref_count = kNoStrongOwner;
  ReleaseContents(object);
  if (object->deleter != nullptr) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

void DropWeaklyHeld(ReleaseList& list) {
  auto* link = static_cast<WeakLink*>(list.weak_head);
  list.weak_head = link->next;
  ffi::detail::ObjectUnsafe::DecRefObjectHandle(link->object);
  delete link;
}

}  // namespace

bool DeferWeaklyHeld(TVMFFIObject* object) {
  auto* link = new (std::nothrow) WeakLink;
  if (link == nullptr) return false;
  *link = {object, static_cast<WeakLink*>(release_list.weak_head)};
  release_list.weak_head = link;
  return true;
}

void DrainReleaseList() {
  ReleaseList& list = release_list;
  list.is_draining = true;
  while (true) {
    while (TVMFFIObject* object = list.head) {
      list.head = reinterpret_cast<TVMFFIObject*>(object->combined_ref_count);
      __builtin_prefetch(list.head);
      Destroy(object);
    }
    if (list.weak_head == nullptr) break;
    DropWeaklyHeld(list);
  }
  list.is_draining = false;
}

}  // namespace detail
}  // namespace tschema
