/*!
 * \file release.cc
 * \brief Destroys objects to a fixed depth, and keeps a list of deeper ones.
 */
#include <tschema/release.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/object.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

namespace tschema {

namespace ffi = ::tvm::ffi;

namespace detail {

__attribute__((tls_model("initial-exec"))) __thread ReleaseList release_list;

namespace {

struct Link {
  TVMFFIObject* object;
  Link* next;
};

/*! \brief The count of an object without strong references, as tvm-ffi leaves it. */
constexpr uint64_t kNoStrongOwner = uint64_t{1} << 32;

/*! \brief Objects that are destroyed one inside the other, some 200 bytes of stack each. */
constexpr int32_t kMaxDepth = 64;

void ReleaseElements(TVMFFIObject* sequence) {
  constexpr int64_t kAhead = 4;
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(reinterpret_cast<ffi::Object*>(sequence) + 1);
  auto* elements = static_cast<TVMFFIAny*>(cell->data);
  for (int64_t index = 0; index < cell->size; ++index) {
    if (index + kAhead < cell->size) PrefetchField(elements[index + kAhead]);
    ReleaseValue(elements + index);
  }
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
  if (__builtin_expect(object->type_index < kTVMFFIDynObjectBegin, 0)) ReleaseContents(object);
  if (object->deleter != nullptr) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

void DropReference(ReleaseList& list) {
  auto* link = static_cast<Link*>(list.references);
  list.references = link->next;
  ffi::detail::ObjectUnsafe::DecRefObjectHandle(link->object);
  delete link;
}

}  // namespace

bool DeferReference(TVMFFIObject* object) {
  auto* link = new (std::nothrow) Link;
  if (link == nullptr) return false;
  *link = {object, static_cast<Link*>(release_list.references)};
  release_list.references = link;
  return true;
}

void DestroyOwned(TVMFFIObject* object) {
  ReleaseList& list = release_list;
  if (__builtin_expect(list.depth == kMaxDepth, 0)) {
    object->combined_ref_count = reinterpret_cast<uint64_t>(list.head);
    list.head = object;
    return;
  }
  ++list.depth;
  Destroy(object);
  --list.depth;
}

void DrainReleaseList() {
  ReleaseList& list = release_list;
  ++list.depth;
  while (true) {
    while (TVMFFIObject* object = list.head) {
      list.head = reinterpret_cast<TVMFFIObject*>(object->combined_ref_count);
      __builtin_prefetch(list.head);
      Destroy(object);
    }
    if (list.references == nullptr) break;
    DropReference(list);
  }
  --list.depth;
}

namespace {

using Deleter = void (*)(void* self, int flags);

/*! \brief Room for those of each layout of a container in each library that makes containers. */
constexpr size_t kMaxDeleters = 32;

/*! \brief The deleters that containers had when they were made; null where none is known yet. */
std::atomic<Deleter> known_deleters[kMaxDeleters];

/*! \brief Delete a container whose contents go to the list. */
template <size_t kPlace>
void DeleteContainer(void* self, int flags) {
  bool is_destroyed = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0;
  if (is_destroyed) ReleaseContents(static_cast<TVMFFIObject*>(self));
  known_deleters[kPlace].load(std::memory_order_acquire)(self, flags);
  if (is_destroyed) FinishRelease();
}

template <size_t... kPlaces>
constexpr std::array<Deleter, kMaxDeleters> DeletersAt(std::index_sequence<kPlaces...>) {
  return {&DeleteContainer<kPlaces>...};
}

constexpr std::array<Deleter, kMaxDeleters> kContainerDeleters =
    DeletersAt(std::make_index_sequence<kMaxDeleters>());

bool IsContainer(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList || type_index == kTVMFFIMap ||
         type_index == kTVMFFIDict;
}

}  // namespace
}  // namespace detail

void DestroyIteratively(const ffi::Object* container) {
  TVMFFIObject* header = ffi::detail::ObjectUnsafe::GetHeader(container);
  if (!detail::IsContainer(header->type_index)) return;
  // Each library has its own deleters, copies of the same code.
  for (size_t place = 0; place < detail::kMaxDeleters; ++place) {
    std::atomic<detail::Deleter>& slot = detail::known_deleters[place];
    detail::Deleter known = slot.load(std::memory_order_acquire);
    if (header->deleter == detail::kContainerDeleters[place]) return;
    bool is_ours = known == header->deleter;
    if (known == nullptr) {
      is_ours = slot.compare_exchange_strong(known, header->deleter) || known == header->deleter;
    }
    if (!is_ours) continue;
    header->deleter = detail::kContainerDeleters[place];
    return;
  }
}

}  // namespace tschema
