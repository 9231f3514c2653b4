/*!
 * \file structural_descriptor.h
 * \brief The description of a type for equality and hash, laid out for speed.
 *
 * In: a `TypeInfo`.  Out: rows without names or types, which the two engines run over.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_DESCRIPTOR_H_
#define TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_DESCRIPTOR_H_

#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tschema {

/*! \brief The rule by which objects of a type are compared. */
enum class NodeRule : uint8_t {
  kTree,
  /*! \brief A tree without variables: the same object is equal to itself. */
  kConstTree,
  /*! \brief Equal only to itself; hashed as a tree. */
  kUnique,
  /*! \brief A variable: paired where it is bound. */
  kVar,
  /*! \brief A tree whose sharing counts. */
  kDag,
  kUnsupported,
};

/*! \brief The source of the parts of an object. */
enum class NodeBody : uint8_t {
  kFields,
  /*! \brief The parts that a hand-written method passes. */
  kMethod,
  /*! \brief The parts that foreign code passes, from a type attribute of tvm-ffi. */
  kForeignMethod,
  /*! \brief None: the class has turned the default method off without a replacement. */
  kMissing,
  /*! \brief Array, List. */
  kSequence,
  /*! \brief Map, Dict. */
  kMapping,
  /*! \brief Shape, Tensor, big integer: their parts are not values. */
  kLeaf,
};

/*! \brief Plain fields that lie in one word of the object, to be compared at once. */
struct WordTest {
  /*! \brief The offset of the word, a multiple of 8. */
  uint32_t offset;
  /*! \brief The content of the word: no floats, one float64, or at least one float32. */
  FieldKind kind;
  /*! \brief The bytes that count. */
  uint64_t mask;
};

/*! \brief A field that is not compared within a word. */
struct Edge {
  uint32_t offset;
  FieldKind kind;
  /*! \brief The region that the field opens, a `TVMFFIDefRegionKind`. */
  uint8_t region;
  const FieldInfo* field;
};

/*! \brief A field as the hash takes it, in the order of declaration. */
struct HashStep {
  enum class Take : uint8_t { kSigned, kUnsigned, kFloat32, kFloat64, kValue, kObject, kForeign };

  /*! \brief The offset of the field, or of its word if it is an integer. */
  uint32_t offset;
  Take take;
  uint8_t region;
  /*! \brief Shifts that bring the bits of an integer to the left end of the word and back. */
  uint8_t shift_left;
  uint8_t shift_right;
  /*! \brief The type index that tvm-ffi gives the value. */
  int32_t type_index;
  const FieldInfo* field;
};

/*! \brief The code of the equality engine for a type. */
enum class EqualShape : uint8_t {
  /*! \brief A tree of at most two words. */
  kLeaf,
  /*! \brief A tree of at most two words, and a few references that bind no variables. */
  kSimple,
  kOther,
};

inline constexpr int kMaxSimpleWords = 2;
inline constexpr int kMaxSimpleEdges = 8;

/*! \brief The description of one type. */
struct alignas(64) StructuralDescriptor {
  // Equality needs only one cache line of the description of most types.
  EqualShape shape = EqualShape::kOther;
  bool has_floats = false;
  uint16_t num_simple_edges = 0;
  uint32_t simple_edges[kMaxSimpleEdges] = {};
  /*! \brief Offsets; without a word that of the type index, which never changes. */
  uint32_t simple_words[kMaxSimpleWords] = {offsetof(TVMFFIObject, type_index),
                                            offsetof(TVMFFIObject, type_index)};
  /*! \brief The bytes that count in `simple_words`; 0 where there is no word. */
  uint64_t simple_masks[kMaxSimpleWords] = {};

  NodeRule rule = NodeRule::kUnsupported;
  NodeBody equal_body = NodeBody::kFields;
  NodeBody hash_body = NodeBody::kFields;
  /*! \brief The hash is that of the fields, neither numbered nor identified by address. */
  bool is_hash_tree = false;
  /*! \brief The same, and no field enters an object. */
  bool is_hash_leaf = false;
  const HashStep* steps_begin = nullptr;
  const HashStep* steps_end = nullptr;
  uint64_t key_hash = 0;

  const TypeInfo* info = nullptr;
  std::vector<WordTest> words;
  std::vector<Edge> edges;
  std::vector<HashStep> steps;
  ffi::Function foreign_equal{nullptr};
  ffi::Function foreign_hash{nullptr};
};

namespace detail {

extern PerType<StructuralDescriptor> structural_descriptors;

const StructuralDescriptor* MakeStructuralDescriptor(int32_t type_index);

}  // namespace detail

/*! \brief The descriptor of a type; lives as long as the process. */
inline const StructuralDescriptor& StructuralDescriptorOf(int32_t type_index) {
  const StructuralDescriptor* descriptor = detail::structural_descriptors.Find(type_index);
  return __builtin_expect(descriptor != nullptr, 1) ? *descriptor
                                                    : *detail::MakeStructuralDescriptor(type_index);
}

/*!
 * \brief Throw a TypeError that names the type.
 * \param action The unsupported action on its objects: "compared", "hashed".
 */
[[noreturn]] void ThrowNotStructural(const TypeInfo& info, const char* action);

/*!
 * \brief Check that a method may mark its objects as variables.
 * \throws TypeError unless the type is declared with `structural = "var"`.
 */
void CheckIsVar(const TypeInfo& info);

/*! \brief The region of a part: a pattern region stays one; none takes the outer region. */
inline TVMFFIDefRegionKind InnerRegion(TVMFFIDefRegionKind outer, uint8_t inner) {
  bool keeps = inner == kTVMFFIDefRegionKindNone || outer == kTVMFFIDefRegionKindPattern;
  return keeps ? outer : static_cast<TVMFFIDefRegionKind>(inner);
}

/*! \brief The region of the fields of an object: a variable in a simple one binds itself only. */
inline TVMFFIDefRegionKind BodyRegion(TVMFFIDefRegionKind region, NodeRule rule) {
  bool is_alone = rule == NodeRule::kVar && region == kTVMFFIDefRegionKindSimple;
  return is_alone ? kTVMFFIDefRegionKindNone : region;
}

inline uint64_t LoadWord(const ffi::Object* object, uint32_t offset) {
  uint64_t word;
  std::memcpy(&word, reinterpret_cast<const char*>(object) + offset, sizeof(word));
  return word;
}

inline const ffi::Object* LoadObject(const ffi::Object* object, uint32_t offset) {
  return *reinterpret_cast<const ffi::Object* const*>(reinterpret_cast<const char*>(object) +
                                                      offset);
}

inline const TVMFFIAny& LoadValue(const ffi::Object* object, uint32_t offset) {
  return *reinterpret_cast<const TVMFFIAny*>(reinterpret_cast<const char*>(object) + offset);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_DESCRIPTOR_H_
