/*!
 * \file tschema/structural.h
 * \brief The arguments of structural methods of nodes: a visitor, and two reducers.
 *
 * Every generated class has the three methods; write your own in a custom region:
 *
 * \code
 *   bool SEqualReduce(const GlobalVarNode* other, tschema::SEqualReducer equal) const {
 *     return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
 *   }
 *   void SHashReduce(tschema::SHashReducer hash_reduce) const {
 *     hash_reduce(name_hint);
 *     hash_reduce.FreeVarHashImpl(this);
 *   }
 * \endcode
 *
 * The reducers call the running engine, which is this library's or tvm-ffi's.
 */
#ifndef TSCHEMA_STRUCTURAL_H_
#define TSCHEMA_STRUCTURAL_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tschema {

namespace ffi = ::tvm::ffi;

namespace detail {

template <typename T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                 std::is_same_v<T, DLDataType> || std::is_same_v<T, DLDevice>;

/*! \brief A plain value as an FFI value. */
template <typename T>
TVMFFIAny PlainValue(const T& value) {
  TVMFFIAny raw{};
  if constexpr (std::is_same_v<T, bool>) {
    raw.type_index = kTVMFFIBool;
    raw.v_int64 = value;
  } else if constexpr (std::is_floating_point_v<T>) {
    raw.type_index = kTVMFFIFloat;
    raw.v_float64 = value;
  } else if constexpr (std::is_same_v<T, DLDataType>) {
    raw.type_index = kTVMFFIDataType;
    raw.v_dtype = value;
  } else if constexpr (std::is_same_v<T, DLDevice>) {
    raw.type_index = kTVMFFIDevice;
    raw.v_device = value;
  } else {
    raw.type_index = kTVMFFIInt;
    raw.v_int64 = static_cast<int64_t>(value);
  }
  return raw;
}

/*!
 * \brief A field's value as a non-owning FFI value.
 *
 * References are one pointer; all other values that can refer to an object are FFI values.
 */
template <typename T>
TVMFFIAny RawValue(const T& value) {
  if constexpr (kIsPlain<T>) {
    return PlainValue(value);
  } else if constexpr (kIsStdOptional<T>) {
    return value.has_value() ? PlainValue(*value) : TVMFFIAny{};
  } else if constexpr (sizeof(T) == sizeof(TVMFFIObject*)) {
    TVMFFIAny raw{};
    std::memcpy(&raw.v_obj, static_cast<const void*>(&value), sizeof(raw.v_obj));
    raw.type_index = raw.v_obj == nullptr ? kTVMFFINone : raw.v_obj->type_index;
    return raw;
  } else {
    static_assert(sizeof(T) == sizeof(TVMFFIAny), "not a type that a field can have");
    TVMFFIAny raw;
    std::memcpy(&raw, static_cast<const void*>(&value), sizeof(raw));
    return raw;
  }
}

/*! \brief The engine of a `SEqualReducer`. */
class EqualSink {
 public:
  /*!
   * \brief Compare two values.
   * \param where The address of the left value, which determines the field's name.
   */
  virtual bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, TVMFFIDefRegionKind region,
                       const void* where) = 0;
  /*! \throws TypeError if the object's type is not a `var`. */
  virtual bool MarkFreeVar(const ffi::Object* lhs, const ffi::Object* rhs) = 0;

 protected:
  ~EqualSink() = default;
};

/*! \brief The engine of a `SHashReducer`. */
class HashSink {
 public:
  /*! \brief Combine the hash of a value. */
  virtual void Combine(const TVMFFIAny& value, TVMFFIDefRegionKind region, const void* where) = 0;
  /*! \throws TypeError if the object's type is not a `var`. */
  virtual void MarkFreeVar(const ffi::Object* self) = 0;

 protected:
  ~HashSink() = default;
};

}  // namespace detail

/*!
 * \brief Receives the fields of a node, by name, from its `VisitAttrs`.
 *
 * A visitor may read and write through the pointers.  A written value must be of the field's type:
 * references, unions and optional values are passed without their exact type.
 */
class AttrVisitor {
 public:
  virtual ~AttrVisitor() = default;

  virtual void Visit(const char* key, bool* value) = 0;
  virtual void Visit(const char* key, int8_t* value) = 0;
  virtual void Visit(const char* key, int16_t* value) = 0;
  /*! \brief An int32_t, or the value of an enum. */
  virtual void Visit(const char* key, int32_t* value) = 0;
  virtual void Visit(const char* key, int64_t* value) = 0;
  virtual void Visit(const char* key, uint8_t* value) = 0;
  virtual void Visit(const char* key, uint16_t* value) = 0;
  virtual void Visit(const char* key, uint32_t* value) = 0;
  virtual void Visit(const char* key, uint64_t* value) = 0;
  virtual void Visit(const char* key, float* value) = 0;
  virtual void Visit(const char* key, double* value) = 0;
  virtual void Visit(const char* key, DLDataType* value) = 0;
  virtual void Visit(const char* key, DLDevice* value) = 0;
  virtual void Visit(const char* key, ffi::String* value) = 0;
  virtual void Visit(const char* key, ffi::Bytes* value) = 0;
  /*! \brief An `Any`, a union, or an optional value that is not an object. */
  virtual void Visit(const char* key, ffi::Any* value) = 0;
  /*! \brief A reference of any type; null for an empty optional. */
  virtual void Visit(const char* key, ffi::ObjectRef* value) = 0;

  /*! \brief Pass on any other field by its representation in memory. */
  template <typename T>
  void Visit(const char* key, T* value) {
    if constexpr (std::is_enum_v<T>) {
      static_assert(sizeof(T) == sizeof(int32_t), "an enum of a schema is an int32_t");
      Visit(key, reinterpret_cast<int32_t*>(value));
    } else if constexpr (detail::kIsStdOptional<T>) {
      ffi::Any boxed(*value);
      Visit(key, &boxed);
      *value = boxed.cast<T>();
    } else if constexpr (sizeof(T) == sizeof(TVMFFIObject*)) {
      Visit(key, reinterpret_cast<ffi::ObjectRef*>(value));
    } else {
      static_assert(sizeof(T) == sizeof(TVMFFIAny), "not a type that a field can have");
      Visit(key, reinterpret_cast<ffi::Any*>(value));
    }
  }
};

/*!
 * \brief Compares parts of two nodes for their `SEqualReduce`.
 *
 * A method may combine the parts in any way; a difference that it passes over does not count.  The
 * engine keeps temporary arguments alive.
 */
class SEqualReducer {
 public:
  explicit SEqualReducer(detail::EqualSink* sink) : sink_(sink) {}

  /*! \brief Compare two parts. */
  template <typename T>
  bool operator()(const T& lhs, const T& rhs) const {
    return Compare(lhs, rhs, kTVMFFIDefRegionKindNone);
  }

  /*! \brief Compare two parts, and pair the variables in them. */
  template <typename T>
  bool DefEqual(const T& lhs, const T& rhs) const {
    return Compare(lhs, rhs, kTVMFFIDefRegionKindSimple);
  }

  /*! \brief Compare two parts, and pair the variables in them and in what these refer to. */
  template <typename T>
  bool DefPatternEqual(const T& lhs, const T& rhs) const {
    return Compare(lhs, rhs, kTVMFFIDefRegionKindPattern);
  }

  /*!
   * \brief State that the nodes are variables, which the engine pairs after the method.
   * \return True.
   * \throws TypeError unless the type is declared with `structural = "var"`.
   */
  bool FreeVarEqualImpl(const ffi::Object* lhs, const ffi::Object* rhs) const {
    return sink_->MarkFreeVar(lhs, rhs);
  }

 private:
  template <typename T>
  bool Compare(const T& lhs, const T& rhs, TVMFFIDefRegionKind region) const {
    TVMFFIAny raw_lhs = detail::RawValue(lhs);
    TVMFFIAny raw_rhs = detail::RawValue(rhs);
    if constexpr (detail::kIsPlain<T>) {
      if (raw_lhs.v_uint64 == raw_rhs.v_uint64) return true;
    }
    return sink_->Compare(raw_lhs, raw_rhs, region, &lhs);
  }

  detail::EqualSink* sink_;
};

/*!
 * \brief Hashes parts of a node for its `SHashReduce`.
 *
 * The node's hash is that of its type key, combined with the hashes of the parts in the order of
 * the calls, as in the generated method.
 */
class SHashReducer {
 public:
  explicit SHashReducer(detail::HashSink* sink) : sink_(sink) {}

  /*! \brief Hash a part. */
  template <typename T>
  void operator()(const T& value) const {
    sink_->Combine(detail::RawValue(value), kTVMFFIDefRegionKindNone, &value);
  }

  /*! \brief Hash a part, and number the variables in it. */
  template <typename T>
  void DefHash(const T& value) const {
    sink_->Combine(detail::RawValue(value), kTVMFFIDefRegionKindSimple, &value);
  }

  /*! \brief Hash a part, and number the variables in it and in what these refer to. */
  template <typename T>
  void DefPatternHash(const T& value) const {
    sink_->Combine(detail::RawValue(value), kTVMFFIDefRegionKindPattern, &value);
  }

  /*!
   * \brief State that the node is a variable, whose number the engine adds after the method.
   * \throws TypeError unless the type is declared with `structural = "var"`.
   */
  void FreeVarHashImpl(const ffi::Object* self) const { sink_->MarkFreeVar(self); }

 private:
  detail::HashSink* sink_;
};

}  // namespace tschema

#endif  // TSCHEMA_STRUCTURAL_H_
