/*!
 * \file tschema/tvm_ffi_compat.h
 * \brief Differences between the supported releases of tvm-ffi: 0.1.12 to 0.1.15.
 *
 * Features are found by the headers that came with them. `TVM_FFI_VERSION_PATCH` does not name the
 * release: 0.1.13.post3 and 0.1.14.post0 both say 14, and 0.1.14.post1 says 15.
 */
#ifndef TSCHEMA_TVM_FFI_COMPAT_H_
#define TSCHEMA_TVM_FFI_COMPAT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// 0.1.13: hooks of structural visits, `IntEnumObj`, and `Optional` of plain values laid out as
// `Any`.
#if __has_include(<tvm/ffi/extra/structural_visit.h>)
#define TSCHEMA_FFI_HAS_VISIT 1
#include <tvm/ffi/device.h>
#else
#define TSCHEMA_FFI_HAS_VISIT 0
#include <tvm/ffi/container/tensor.h>  // device.h, before 0.1.13.
#endif

// 0.1.14: hooks of structural mutation.
#if __has_include(<tvm/ffi/extra/structural_mutate.h>)
#define TSCHEMA_FFI_HAS_MUTATE 1
#else
#define TSCHEMA_FFI_HAS_MUTATE 0
#endif

// 0.1.14: integers of any size.
#if __has_include(<tvm/ffi/big_int.h>)
#define TSCHEMA_FFI_HAS_BIG_INT 1
#else
#define TSCHEMA_FFI_HAS_BIG_INT 0
#endif

// 0.1.15: the namespace `ffi::detail`, before `ffi::details`.
#if __has_include(<tvm/ffi/base_detail.h>)
#include <tvm/ffi/base_detail.h>
#else
#include <tvm/ffi/base_details.h>
namespace tvm {
namespace ffi {
namespace detail = details;  // NOLINT(misc-unused-alias-decls)
}  // namespace ffi
}  // namespace tvm
#endif

namespace tschema {

namespace ffi = ::tvm::ffi;

#if !TSCHEMA_FFI_HAS_BIG_INT
/*! \name Constants of 0.1.14 under their names there. */
/*! \{ */
/*! \brief No value of older releases has this index. */
inline constexpr int32_t kTVMFFIBigInt = 78;
inline constexpr auto kTVMFFIFieldFlagBitMaskSEqHashDefPattern =
    kTVMFFIFieldFlagBitMaskSEqHashDefRecursive;
inline constexpr auto kTVMFFIFieldFlagBitMaskSEqHashDefSimple =
    kTVMFFIFieldFlagBitMaskSEqHashDefNonRecursive;
inline constexpr auto kTVMFFIDefRegionKindPattern = kTVMFFIDefRegionKindRecursive;
inline constexpr auto kTVMFFIDefRegionKindSimple = kTVMFFIDefRegionKindNonRecursive;
/*! \} */
#endif

#if !TSCHEMA_FFI_HAS_VISIT
/*! \brief A constant of 0.1.13: no value of older releases has this index. */
inline constexpr int32_t kTVMFFIVisitInterrupt = 77;
#endif

/*! \name Type attributes of tvm-ffi; 0.1.15 has typed keys with these names. */
/*! \{ */
inline constexpr const char* kDataToJsonAttr = "__data_to_json__";
inline constexpr const char* kDataFromJsonAttr = "__data_from_json__";
inline constexpr const char* kSEqualAttr = "__s_equal__";
inline constexpr const char* kSHashAttr = "__s_hash__";
/*! \} */

/*!
 * \brief Releases of tvm-ffi whose headers inline the same code: libraries that were built for one
 *   run with the others.
 *
 * 0.1.13 changed the layout of `Optional` of plain values, 0.1.15 how `Map` calls the hash function
 * of a type of keys.
 */
struct FfiGroup {
  const char* releases;
  /*! \brief The patch versions that `TVMFFIGetVersion` returns in them, inclusive. */
  uint32_t first_patch;
  uint32_t last_patch;
};

/*! \note `tschema/ffi_groups.py` has the same groups. */
inline constexpr FfiGroup kFfiGroups[] = {
    {"0.1.12", 12, 12},
    {"0.1.13.post2 to 0.1.14.post1", 14, 15},
    {"0.1.15", 16, 16},
};

/*! \brief The group of a version, null for an unknown one. */
inline const FfiGroup* FfiGroupOf(const TVMFFIVersion& version) {
  if (version.major != 0 || version.minor != 1) return nullptr;
  for (const FfiGroup& group : kFfiGroups) {
    if (group.first_patch <= version.patch && version.patch <= group.last_patch) return &group;
  }
  return nullptr;
}

/*! \brief Whether a library that was built for a version runs with another one. */
inline bool IsCompatible(const TVMFFIVersion& built, const TVMFFIVersion& loaded) {
  const FfiGroup* group = FfiGroupOf(built);
  if (group != nullptr) return group == FfiGroupOf(loaded);
  return built.major == loaded.major && built.minor == loaded.minor && built.patch == loaded.patch;
}

namespace detail {

/*! \brief Whether a value has the type `T`, without conversion. */
template <typename T>
bool IsExactly(ffi::AnyView value) {
  if constexpr (std::is_same_v<T, ffi::Any>) {
    return true;
  } else {
    const TVMFFIAny raw = value.CopyToTVMFFIAny();
    return ffi::TypeTraits<T>::CheckAnyStrict(&raw);
  }
}

/*! \brief Whether `T` is an `Optional` that is laid out as `std::optional`, as 0.1.12 has it. */
template <typename T>
inline constexpr bool kIsStdOptional = false;
#if !TSCHEMA_FFI_HAS_VISIT
template <typename T>
inline constexpr bool kIsStdOptional<ffi::Optional<T>> =
    !ffi::use_ptr_based_optional_v<T> && !std::is_same_v<T, ffi::String> &&
    !std::is_same_v<T, ffi::Bytes>;
#endif

/*! \brief A shallow copy of a Map or Dict. */
template <typename Map>
ffi::ObjectPtr<ffi::Object> CopyOfMap(const Map* map) {
#if TSCHEMA_FFI_HAS_MUTATE
  return Map::ShallowCopy(map);
#else
  struct Copier : Map {  // Its base's function is protected.
    static auto Run(Map* map) { return Map::template CopyFrom<Map>(map); }
  };
  return Copier::Run(const_cast<Map*>(map));
#endif
}

/*! \brief Memory of an object, to be freed as tvm-ffi frees its own. */
inline void* AllocateObject(size_t size) {
#if TSCHEMA_FFI_HAS_VISIT
  return ffi::detail::AlignedAlloc(size, alignof(TVMFFIObject));
#else
  return ffi::detail::AlignedAlloc<alignof(TVMFFIObject)>(size);
#endif
}

}  // namespace detail

}  // namespace tschema

#endif  // TSCHEMA_TVM_FFI_COMPAT_H_
