/*!
 * \file hash_engine.h
 * \brief The engine of structural hash.
 *
 * In: a value. Out: the hash of tvm-ffi's `StructuralHash`. tvm-ffi memoizes the hash of every
 * object; this engine memoizes only shared objects, because others are visited once. It recurses to
 * a fixed depth and then uses an explicit stack.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_
#define TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_

#include <tschema/structural.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../support/pointer_map.h"
#include "../support/stack.h"
#include "./structural_program.h"
#include "./value.h"

namespace tschema {

/*! \brief How an object is reached. */
struct HashContext {
  TVMFFIDefRegionKind region;
  /*! \brief Whether it may come again though there is one reference to it: a container is shared.
   */
  bool may_repeat;
};

/*! \brief A part that a hand-written method passes, or an item of a map. */
struct HashPart {
  TVMFFIAny value;
  TVMFFIDefRegionKind region;
  /*! \brief False for items whose keys have the same hash, so that no order is theirs. */
  bool has_value;
  /*! \brief Of an item: the hash of its key. */
  uint64_t key_hash;
};

/*! \brief An object whose parts are being hashed, with the progress. */
struct HashFrame {
  const ffi::Object* object;
  const StructuralProgram* program;
  /*! \brief Of what has been hashed so far. */
  uint64_t hash;
  /*! \brief How the object is reached. */
  HashContext outer;
  /*! \brief How its parts are. */
  HashContext inner;
  bool is_remembered;
  /*! \brief Whether a mapping left out a key that may have a hash later: here or in an element. */
  bool is_open;
  /*! \brief The number of objects remembered when the hash was begun. */
  size_t epoch;
  size_t cursor;
  size_t end;
  size_t first_part;
};

class HashEngine {
 public:
  explicit HashEngine(TVMFFIDefRegionKind region) : region_(region) {}
  HashEngine(const HashEngine&) = delete;
  HashEngine& operator=(const HashEngine&) = delete;

  uint64_t Hash(const TVMFFIAny& value) { return HashAny(value, {region_, false}, 0); }

 private:
  using Region = TVMFFIDefRegionKind;

  /*! \brief The hash of a shared container. */
  struct ContainerHash {
    uint64_t hash;
    /*! \brief It holds as long as so many objects are remembered; always if `kClosed`. */
    size_t epoch;
  };
  struct Child {
    const ffi::Object* object;
    HashContext context;
  };
  class PartRecorder;

  static constexpr size_t kClosed = SIZE_MAX;

  // By recursion.
  uint64_t HashAny(const TVMFFIAny& value, HashContext context, int depth);
  uint64_t Descend(const ffi::Object* object, HashContext context, int depth);
  uint64_t HashObject(const ffi::Object* object, HashContext context, int depth);
  uint64_t HashSpecial(const ffi::Object* object, HashContext context, int depth);
  uint64_t HashFields(const ffi::Object* object, const StructuralProgram& program, Region region,
                      int depth);
  uint64_t HashField(const ffi::Object* object, const HashStep& step, Region region, int depth);
  void HashElements(HashFrame* frame, int depth);

  // By frames.
  uint64_t HashDeeply(const ffi::Object* object, HashContext context);
  bool Enter(const ffi::Object* object, HashContext context, uint64_t* hash);
  void Open(HashFrame* frame);
  void OpenMapping(HashFrame* frame);
  bool Next(HashFrame* frame, Child* child);
  bool NextField(HashFrame* frame, Child* child);
  bool NextElement(HashFrame* frame, Child* child);
  bool NextPart(HashFrame* frame, Child* child);
  bool Take(const TVMFFIAny& value, HashContext context, HashFrame* frame, Child* child);

  // Both.
  HashFrame NewFrame(const ffi::Object* object, HashContext context) const;
  bool Recall(const HashFrame& frame, uint64_t* hash);
  void Combine(HashFrame* frame, const ffi::Object* child, uint64_t hash);
  uint64_t Close(const HashFrame& frame);
  /*! \brief The hash of a key, or null if it has none (yet). */
  const uint64_t* FindKeyHash(const TVMFFIAny& key, uint64_t* storage) const;

  // Methods that people wrote, and foreign code.
  void CallMethod(HashFrame* frame);
  uint64_t CallForeign(const HashFrame& frame, int depth);

  /*! \brief Keep a value alive, so that no other object takes its address. */
  TVMFFIAny Retain(ffi::Any value);

  Region region_;
  PointerMap<uint64_t> hashes_;
  PointerMap<ContainerHash> container_hashes_;
  Stack<HashFrame> frames_;
  Stack<HashPart> parts_;
  /*! \brief What no object keeps alive, so that no other object takes its address. */
  std::vector<ffi::Any> retained_;
  /*! \brief Whether the container that was closed or recalled last is open. */
  bool last_is_open_ = false;
  uint32_t num_vars_ = 0;
  uint32_t num_dag_nodes_ = 0;
  ffi::Function foreign_callback_{nullptr};
  Region foreign_region_ = kTVMFFIDefRegionKindNone;
  int foreign_depth_ = 0;
};

inline uint64_t HashEngine::HashAny(const TVMFFIAny& value, HashContext context, int depth) {
  return IsEntered(value) ? Descend(ObjectOf(value), context, depth) : HashValue(value);
}

inline uint64_t HashEngine::Descend(const ffi::Object* object, HashContext context, int depth) {
  if (__builtin_expect(depth >= kMaxRecursion, 0)) return HashDeeply(object, context);
  return HashObject(object, context, depth + 1);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_
