/*!
 * \file release.cc
 * \brief Destroys objects to a fixed depth, and keeps a list of what is deeper.
 */
#include <tschema/release.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/object.h>

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

/*! \brief The layouts of tvm-ffi's containers, each with a deleter of its own. */
enum class Layout : size_t { kArray, kList, kSmallMap, kDenseMap };
constexpr size_t kNumLayouts = 4;

/*! \brief The deleters that tvm-ffi gives to containers that this library makes. */
struct OwnDeleters {
  OwnDeleters() {
    constexpr int kMoreThanSmall = 64;
    ffi::Map<int, int> map{{0, 0}};
    of[static_cast<size_t>(Layout::kArray)] = DeleterOf(ffi::Array<int>{0});
    of[static_cast<size_t>(Layout::kList)] = DeleterOf(ffi::List<int>{0});
    of[static_cast<size_t>(Layout::kSmallMap)] = DeleterOf(map);
    for (int key = 1; key < kMoreThanSmall; ++key) map.Set(key, 0);
    of[static_cast<size_t>(Layout::kDenseMap)] = DeleterOf(map);
  }

  static Deleter DeleterOf(const ffi::ObjectRef& container) {
    return ffi::detail::ObjectUnsafe::GetHeader(container.get())->deleter;
  }

  Deleter of[kNumLayouts];
};

const OwnDeleters own_deleters;

/*! \brief Delete a container whose contents go to the list. */
template <size_t kLayout>
void DeleteContainer(void* self, int flags) {
  bool is_destroyed = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0;
  if (is_destroyed) ReleaseContents(static_cast<TVMFFIObject*>(self));
  own_deleters.of[kLayout](self, flags);
  if (is_destroyed) FinishRelease();
}

constexpr Deleter kContainerDeleters[kNumLayouts] = {&DeleteContainer<0>, &DeleteContainer<1>,
                                                     &DeleteContainer<2>, &DeleteContainer<3>};

}  // namespace
}  // namespace detail

void DestroyIteratively(const ffi::Object* container) {
  TVMFFIObject* header = ffi::detail::ObjectUnsafe::GetHeader(container);
  for (size_t layout = 0; layout < detail::kNumLayouts; ++layout) {
    if (header->deleter != detail::own_deleters.of[layout]) continue;
    header->deleter = detail::kContainerDeleters[layout];
    return;
  }
}

}  // namespace tschema
