/*!
 * \file tschema/registry.h
 * \brief Registration of types and functions from data tables, over the C ABI.
 *
 * Generated sources define the tables, without template instantiations per field. One library owns
 * a type: registering the same package twice has no effect, and another one with the same keys is
 * recorded as an error and not registered. Functions here do not throw, because an exception in a
 * static initializer ends the process: call `CheckRegistration`.
 */
#ifndef TSCHEMA_REGISTRY_H_
#define TSCHEMA_REGISTRY_H_

#include <tschema/access.h>
#include <tschema/callable.h>
#include <tschema/default_construction.h>
#include <tschema/defaults.h>
#include <tschema/hooks.h>
#include <tschema/registration_error.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <type_traits>

// Nodes have one base class each, so `offsetof` is as exact for them as for a C struct, though
// not standard-layout; the generated sources, which include this header last, assert it.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

namespace tschema {

/*! \name Flags of a field, as tvm-ffi has them. */
/*! \{ */
inline constexpr int64_t kWritable = kTVMFFIFieldFlagBitMaskWritable;
inline constexpr int64_t kHasDefault = kTVMFFIFieldFlagBitMaskHasDefault;
inline constexpr int64_t kDefaultFromFactory = kTVMFFIFieldFlagBitMaskDefaultFromFactory;
inline constexpr int64_t kInitOff = kTVMFFIFieldFlagBitMaskInitOff;
inline constexpr int64_t kKwOnly = kTVMFFIFieldFlagBitMaskKwOnly;
inline constexpr int64_t kReprOff = kTVMFFIFieldFlagBitMaskReprOff;
inline constexpr int64_t kSEqHashDefSimple = kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
inline constexpr int64_t kSEqHashDefPattern = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
/*! \brief Structural and recursive comparison and hashing ignore the field. */
inline constexpr int64_t kIgnored = kTVMFFIFieldFlagBitMaskSEqHashIgnore |
                                    kTVMFFIFieldFlagBitMaskCompareOff |
                                    kTVMFFIFieldFlagBitMaskHashOff;
/*! \} */

/*!
 * \brief Bytes of the pointer to the table of virtual functions.
 *
 * It precedes the header of an object of a polymorphic class. Handles point to the header, and
 * offsets of fields count from there, as in tvm-ffi's own reflection.
 */
inline constexpr int64_t kTablePointer = sizeof(void*);
/*! \brief A flag beside those of structural methods: the class has virtual functions. */
inline constexpr unsigned kPolymorphic = 8;

/*! \brief A field declared by the type itself. */
struct Field {
  const char* name;
  /*! \brief Bytes from the start of the object, header included. */
  int64_t offset;
  const Access* access;
  /*! \brief Flags, combined. */
  int64_t flags;
  /*! \brief The type, as a schema spells it: `Optional[uir.ir.Span]`. */
  const char* type;
  const char* doc;
  /*! \brief The default or its factory; null if there is none. */
  ffi::Any (*make_default)() = nullptr;
};

/*! \brief A type. */
struct Type {
  const char* key;
  /*! \brief The digest of layout, flags, kind and child slots. */
  const char* digest;
  int32_t (*type_index)();
  int32_t size;
  TVMFFISEqHashKind structural_kind;
  bool is_final;
  /*! \brief The number of type indices reserved after the type's own. */
  int32_t child_slots;
  const char* doc;
  Rows<Field> fields;
  Rows<Callable> methods;
  /*! \brief Null for an abstract type, like the two below. */
  const Callable* constructor;
  TVMFFIObjectCreator create;
  ffi::ObjectPtr<ffi::Object> (*copy)(const ffi::Object* self);
  TypeHooks hooks;
  /*! \brief The form in script; null for a type without one. */
  const char* script = nullptr;
};

/*! \brief A type of another library, on which types of the package build. */
struct ExternType {
  /*! \brief As the schema has it. */
  const char* key;
  /*! \brief As the header has it. */
  const char* type_key;
  int32_t (*type_index)();
  int32_t size;
};

/*! \brief The row of a type of another library. */
template <typename Node>
constexpr ExternType Extern(const char* key) {
  return {key, Node::_type_key, &Node::_GetOrAllocRuntimeTypeIndex, sizeof(Node)};
}

/*! \brief The declarations of one schema file. */
struct Unit {
  Rows<Type> types;
  Rows<Callable> functions;
  Rows<ExternType> externs = {};
};

/*! \brief A name or a missing field in files of an older version, for the loaders. */
struct StoredForm {
  /*! \brief The key of the type. */
  const char* type;
  /*! \brief The name in files of the type or the field; null for a field that they lack. */
  const char* name;
  /*! \brief The field that it is now; null for a type key, empty for a field that is removed. */
  const char* field = nullptr;
  /*! \brief The value of a field that files lack; null if it has a name in them. */
  ffi::Any (*make_value)() = nullptr;
};

/*! \brief Everything that a library owns. */
struct Package {
  const char* name;
  /*! \brief The digest of the digests of all its types. */
  const char* digest;
  /*! \brief The version of tvm-ffi whose headers the library was built with. */
  TVMFFIVersion ffi_version;
  Rows<const Unit*> units;
  Rows<StoredForm> stored_forms = {};
};

/*! \brief The version of tvm-ffi whose headers are included. */
inline constexpr TVMFFIVersion kFFIVersion = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR,
                                              TVM_FFI_VERSION_PATCH};

/*!
 * \brief Register a package completely, or record an error.
 * \param package Must live as long as the process.
 */
void Register(const Package& package) noexcept;

/*!
 * \brief Raise the recorded errors.
 * \throws RuntimeError with every recorded error.
 */
void CheckRegistration();

namespace detail {

// Only loaders and copies call this, so that code size matters more than speed. It fails only if
// memory runs out, which ends the process.

template <typename Node>
ffi::ObjectPtr<Node> MakeEmpty() {
  if constexpr (std::is_constructible_v<Node, ffi::UnsafeInit>) {
    return ffi::make_object<Node>(ffi::UnsafeInit{});
  } else {
    return ffi::make_object<Node>();
  }
}

template <typename Node>
[[gnu::cold]] int Create(TVMFFIObjectHandle* result) noexcept {
  *result = ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(MakeEmpty<Node>());
  return 0;
}

template <typename Node>
[[gnu::cold]] ffi::ObjectPtr<ffi::Object> Copy(const ffi::Object* self) noexcept {
  return ffi::make_object<Node>(*static_cast<const Node*>(self));
}

/*! \brief Refuse a class whose virtual functions the schema does not know, or the reverse. */
template <typename Node, unsigned kFlags>
constexpr void CheckVirtual() {
  constexpr bool kIsDeclared = (kFlags & kPolymorphic) != 0;
  static_assert(kIsDeclared || !std::is_polymorphic_v<Node>,
                "the class has virtual functions: write `polymorphic = True` in its declaration");
}

}  // namespace detail

/*!
 * \brief The row of a concrete type.
 * \tparam kFlags The structural methods that the class does not take from the generator, and
 *   `kPolymorphic`.
 */
template <typename Node, unsigned kFlags = 0>
constexpr Type Concrete(const char* digest, const char* doc, Rows<Field> fields,
                        const Callable& constructor, Rows<Callable> methods = {}) {
  detail::CheckVirtual<Node, kFlags>();
  return {Node::_type_key,
          digest,
          &Node::_GetOrAllocRuntimeTypeIndex,
          sizeof(Node),
          Node::_type_s_eq_hash_kind,
          Node::_type_final,
          static_cast<int32_t>(Node::_type_child_slots),
          doc,
          fields,
          methods,
          &constructor,
          &detail::Create<Node>,
          &detail::Copy<Node>,
          detail::HooksOf<Node, kFlags & ~kPolymorphic>()};
}

/*! \brief The row of an abstract type. */
template <typename Node, unsigned kFlags = 0>
constexpr Type Abstract(const char* digest, const char* doc, Rows<Field> fields,
                        Rows<Callable> methods = {}) {
  detail::CheckVirtual<Node, kFlags>();
  return {Node::_type_key,
          digest,
          &Node::_GetOrAllocRuntimeTypeIndex,
          sizeof(Node),
          Node::_type_s_eq_hash_kind,
          Node::_type_final,
          static_cast<int32_t>(Node::_type_child_slots),
          doc,
          fields,
          methods,
          nullptr,
          nullptr,
          nullptr,
          {}};
}

/*! \brief The row of a type with a form in script: `toy.clamp({value}, low={low})`. */
constexpr Type WithScript(Type type, const char* script) {
  type.script = script;
  return type;
}

}  // namespace tschema

#endif  // TSCHEMA_REGISTRY_H_
