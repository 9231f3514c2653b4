/*!
 * \file tschema/release.h
 * \brief Non-recursive destruction, for generated destructors.
 *
 * A destructor destroys its uniquely owned children directly, without atomic operations, up to a
 * fixed depth. Below that depth it pushes them on a thread-local list, which the outermost
 * destructor drains. A chain of any length, including containers, is destroyed on a stack of
 * bounded depth.
 *
 * The destructors of tvm-ffi's containers recurse. Mark a container that may be deeply nested with
 * `DestroyIteratively` when you construct it, as the loaders, deep copy and map do.
 */
#ifndef TSCHEMA_RELEASE_H_
#define TSCHEMA_RELEASE_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tschema {

namespace detail {

/*! \brief The objects that a thread still has to destroy. */
struct ReleaseList {
  /*! \brief Objects without any other owner, linked through their reference counts, which are
   * unused by now. */
  TVMFFIObject* head;
  /*! \brief References to be released, in separate links. */
  void* references;
  /*! \brief The number of objects that are being destroyed; the outermost one empties the list. */
  int32_t depth;
};

// `__thread` needs no initialization guard, and this TLS model is a single load.
extern __attribute__((tls_model("initial-exec"))) __thread ReleaseList release_list;

/*! \brief One strong and one weak reference: the state of an object with a single owner. */
inline constexpr uint64_t kSingleOwner = (uint64_t{1} << 32) | 1;

/*! \brief Destroy an object that has a single owner, at once or by way of the list. */
void DestroyOwned(TVMFFIObject* object);

/*! \brief Destroy the objects on the list until it is empty; their destructors may add to it. */
void DrainReleaseList();

/*! \brief Put a reference on the list, to be released later. \return Whether there was memory. */
bool DeferReference(TVMFFIObject* object);

/*!
 * \brief Empty a field that is the only owner of its object, and destroy the object.
 * \param size Bytes of the field.
 * \return Whether it did.
 */
inline bool ReleaseOwned(TVMFFIObject* object, void* field, size_t size) {
  uint64_t count = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
  if (__builtin_expect(count == kSingleOwner, 1)) {
    std::memset(field, 0, size);
    DestroyOwned(object);
    return true;
  }
  if (static_cast<uint32_t>(count) != 1 || !DeferReference(object)) return false;
  std::memset(field, 0, size);
  return true;
}

/*! \brief Fetch an object that is destroyed soon: many lie on two lines of the cache. */
inline void PrefetchObject(const void* object) {
  constexpr int kNearTheEnd = 48;
  __builtin_prefetch(object);
  __builtin_prefetch(static_cast<const char*>(object) + kNearTheEnd);
}

/*! \brief Fetch the object in a field of any kind. */
template <typename Field>
inline void PrefetchField(const Field& field) {
  const void* object;
  constexpr size_t kOffset = sizeof(Field) == sizeof(TVMFFIAny) ? offsetof(TVMFFIAny, v_obj) : 0;
  std::memcpy(&object, reinterpret_cast<const char*>(&field) + kOffset, sizeof(object));
  PrefetchObject(object);
}

}  // namespace detail

/*!
 * \brief Take the object out of a reference field, if the field is its only owner.
 * \return Whether it did, and `FinishRelease` must follow.
 */
inline bool ReleaseObject(void* field) {
  TVMFFIObject* object;
  std::memcpy(&object, field, sizeof(object));
  return object != nullptr && detail::ReleaseOwned(object, field, sizeof(object));
}

/*! \brief The same for a field that is an FFI value. */
inline bool ReleaseValue(void* field) {
  TVMFFIAny value;
  std::memcpy(&value, field, sizeof(value));
  return value.type_index >= kTVMFFIStaticObjectBegin &&
         detail::ReleaseOwned(value.v_obj, field, sizeof(value));
}

/*! \brief End a destructor that has released fields: the outermost one empties the list. */
inline void FinishRelease() {
  const detail::ReleaseList& list = detail::release_list;
  bool has_more = list.head != nullptr || list.references != nullptr;
  if (list.depth == 0 && has_more) detail::DrainReleaseList();
}

/*!
 * \brief Release the fields of a node in its destructor, without recursion.
 * \param fields References, optional references, containers: 8 bytes; values: 16 bytes.
 */
template <typename... Fields>
inline void Release(Fields&... fields) {
  static_assert(
      ((sizeof(Fields) == sizeof(TVMFFIObject*) || sizeof(Fields) == sizeof(TVMFFIAny)) && ...),
      "a field that holds objects is a pointer or an FFI value");
  auto release = [](auto& field) {
    if constexpr (sizeof(field) == sizeof(TVMFFIAny)) {
      return ReleaseValue(static_cast<void*>(&field));
    } else {
      return ReleaseObject(static_cast<void*>(&field));
    }
  };
  // The others are fetched while the first is destroyed.
  if constexpr (sizeof...(fields) > 1) (detail::PrefetchField(fields), ...);
  if ((0u | ... | static_cast<unsigned>(release(fields))) != 0) FinishRelease();
}

/*!
 * \brief Have an Array, List, Map or Dict destroyed without recursion when its last owner drops it,
 * also in other libraries.
 * \param container Just made and seen by one thread only; other objects are left as they are.
 */
void DestroyIteratively(const ::tvm::ffi::Object* container);

/*! \brief The same of a reference, which is handed on. */
template <typename Container>
inline Container DestroyedIteratively(Container container) {
  DestroyIteratively(container.get());
  return container;
}

/*!
 * \brief Give a value up without recursion, where it can be containers in containers.
 * \param value Set to None; what only it owned is destroyed.
 */
template <typename Value>
inline void Dispose(Value& value) {
  Release(value);
  value = nullptr;
}

}  // namespace tschema

#endif  // TSCHEMA_RELEASE_H_
