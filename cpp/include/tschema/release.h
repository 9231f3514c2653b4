/*!
 * \file tschema/release.h
 * \brief Non-recursive destruction, for generated destructors.
 *
 * A destructor pushes its uniquely owned children on a thread-local list instead of destroying them
 * recursively; the outermost destructor drains the list. A chain of any length, including
 * containers, is destroyed on a stack of constant depth.
 */
#ifndef TSCHEMA_RELEASE_H_
#define TSCHEMA_RELEASE_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <cstring>

namespace tschema {

namespace detail {

/*! \brief The objects that a thread still has to destroy. */
struct ReleaseList {
  /*! \brief Objects without any other owner, linked through their reference counts, which are
   * unused by now. */
  TVMFFIObject* head;
  /*! \brief References to objects with weak references, in separate links. */
  void* weak_head;
  /*! \brief Whether a destructor further up the stack drains the list. */
  bool is_draining;
};

// `__thread` needs no initialization guard, and this TLS model is a single load.
extern __attribute__((tls_model("initial-exec"))) __thread ReleaseList release_list;

/*! \brief One strong and one weak reference: the state of an object with a single owner. */
inline constexpr uint64_t kSingleOwner = (uint64_t{1} << 32) | 1;

/*! \brief Drain the list, including objects pushed meanwhile. */
void DrainReleaseList();

/*! \brief Take over the reference to an object with weak references. \return Whether it did. */
bool DeferWeaklyHeld(TVMFFIObject* object);

/*! \brief Put an object on the list. \return Whether the caller was its only owner. */
inline bool Defer(TVMFFIObject* object) {
  uint64_t count = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
  if (__builtin_expect(count != kSingleOwner, 0)) {
    return static_cast<uint32_t>(count) == 1 && DeferWeaklyHeld(object);
  }
  object->combined_ref_count = reinterpret_cast<uint64_t>(release_list.head);
  release_list.head = object;
  return true;
}

}  // namespace detail

/*!
 * \brief Take the object out of a reference field, if the field is its only owner.
 * \return Whether it did, and `FinishRelease` must follow.
 */
inline bool ReleaseObject(void* field) {
  TVMFFIObject* object;
  std::memcpy(&object, field, sizeof(object));
  if (object == nullptr || !detail::Defer(object)) return false;
  std::memset(field, 0, sizeof(object));
  return true;
}

/*! \brief The same for a field that is an FFI value. */
inline bool ReleaseValue(void* field) {
  TVMFFIAny value;
  std::memcpy(&value, field, sizeof(value));
  if (value.type_index < kTVMFFIStaticObjectBegin || !detail::Defer(value.v_obj)) return false;
  std::memset(field, 0, sizeof(value));
  return true;
}

/*! \brief End a destructor that has released fields: the outermost one destroys them all. */
inline void FinishRelease() {
  if (!detail::release_list.is_draining) detail::DrainReleaseList();
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
  if ((0u | ... | static_cast<unsigned>(release(fields))) != 0) FinishRelease();
}

/*!
 * \brief Release a value of nested containers without recursion.
 * \param value Set to None.
 */
template <typename Value>
inline void Dispose(Value& value) {
  Release(value);
  value = nullptr;
}

}  // namespace tschema

#endif  // TSCHEMA_RELEASE_H_
