/*!
 * \file hash_engine.h
 * \brief The engine of structural hash.
 *
 * In: a value. Out: the hash of tvm-ffi's `StructuralHash`. tvm-ffi memoizes the hash of every
 * object; this engine memoizes only shared objects, because others are visited once. It recurses at
 * any depth, on new stack segments where one runs out.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_
#define TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_

#include <tschema/pointer_map.h>
#include <tschema/structural.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../support/cycle.h"
#include "./structural_descriptor.h"
#include "./value.h"

namespace tschema {

class HashEngine {
 public:
  explicit HashEngine(TVMFFIDefRegionKind region) : region_(region) {}
  HashEngine(const HashEngine&) = delete;
  HashEngine& operator=(const HashEngine&) = delete;

  uint64_t Hash(const TVMFFIAny& value) { return HashAny(value, {region_, false}, 0); }

 private:
  using Region = TVMFFIDefRegionKind;

  /*! \brief How an object is reached. */
  struct Context {
    Region region;
    /*! \brief Whether it may come again with one reference to it, because a container is shared. */
    bool may_repeat;
  };
  /*! \brief An object whose parts are being hashed. */
  struct Frame {
    const ffi::Object* object;
    const StructuralDescriptor* descriptor;
    /*! \brief The hash of the parts so far. */
    uint64_t hash;
    /*! \brief The context of its parts. */
    Context inner;
    /*! \brief Whether the object may come again. */
    bool is_remembered;
    /*! \brief Whether a mapping left out a key that may have a hash later: here or in an element.
     */
    bool is_open;
    /*! \brief The number of objects remembered when the hash was begun. */
    size_t epoch;
  };
  /*! \brief The hash of a shared container. */
  struct ContainerHash {
    uint64_t hash;
    /*! \brief The hash is valid while this number of objects is remembered; always if `kClosed`. */
    size_t epoch;
  };
  /*! \brief An item of a map. */
  struct Item {
    uint64_t key_hash;
    TVMFFIAny value;
  };
  class PartSink;

  /*! \brief The levels of recursion between two checks of the stack. */
  static constexpr int kMaxUnchecked = 128;
  static constexpr size_t kClosed = SIZE_MAX;

  uint64_t HashAny(const TVMFFIAny& value, Context context, int depth);
  uint64_t Descend(const ffi::Object* object, Context context, int depth);
  [[gnu::noinline]] uint64_t DescendChecked(const ffi::Object* object, Context context);
  uint64_t HashObject(const ffi::Object* object, Context context, int depth);
  [[gnu::noinline]] uint64_t HashSpecial(const ffi::Object* object, Context context, int depth);
  void HashBody(Frame* frame, int depth);
  [[gnu::always_inline]] uint64_t HashFields(const ffi::Object* object,
                                             const StructuralDescriptor& descriptor, Region region,
                                             int depth);
  uint64_t HashField(const ffi::Object* object, const HashStep& step, Region region, int depth);
  void HashElements(Frame* frame, int depth);
  void HashItems(Frame* frame, int depth);
  size_t PushItems(Frame* frame);

  Frame NewFrame(const ffi::Object* object, Context context) const;
  bool Recall(const Frame& frame, uint64_t* hash);
  void Combine(const TVMFFIAny& value, Context context, int depth, Frame* frame);
  uint64_t Close(const Frame& frame, Region region);
  /*! \brief The hash of a key, or null if it has none (yet). */
  const uint64_t* FindKeyHash(const TVMFFIAny& key, uint64_t* storage) const;

  // Hand-written methods, and foreign code.
  void CallMethod(Frame* frame, int depth);
  void CallForeign(Frame* frame, int depth);

  /*! \brief Keep a value alive, so that no other object takes its address. */
  TVMFFIAny Retain(ffi::Any value);

  Region region_;
  PointerMap<uint64_t> hashes_;
  PointerMap<ContainerHash> container_hashes_;
  /*! \brief Shared objects that are being hashed. */
  Stack<const ffi::Object*> open_;
  /*! \brief The items of the maps that are being hashed. */
  Stack<Item> items_;
  /*! \brief Temporary values, kept alive so that no other object takes their addresses. */
  std::vector<ffi::Any> retained_;
  /*! \brief Whether the container that was closed or recalled last is open. */
  bool last_is_open_ = false;
  uint32_t num_vars_ = 0;
  uint32_t num_dag_nodes_ = 0;
  ffi::Function foreign_callback_{nullptr};
  Region foreign_region_ = kTVMFFIDefRegionKindNone;
  int foreign_depth_ = 0;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_HASH_ENGINE_H_
