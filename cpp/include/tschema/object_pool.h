/*!
 * \file tschema/object_pool.h
 * \brief Objects that are made together, in blocks of memory that they share.
 *
 * \code
 *   tschema::ObjectPool pool;
 *   auto var = pool.Make<relay::Var>(name, type, span);
 * \endcode
 *
 * A pass that makes thousands of nodes spends a third of its time in `malloc` and `free`. A pool
 * takes a block for many of them. Each object is destroyed when its last reference goes, as any
 * other; the block is freed with its last object, also after the pool and from any thread. One
 * object keeps a block of at most 4 KiB alive, so use a pool for nodes that live about as long as
 * each other.
 */
#ifndef TSCHEMA_OBJECT_POOL_H_
#define TSCHEMA_OBJECT_POOL_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace tschema {

namespace ffi = ::tvm::ffi;

namespace detail {

/*! \brief The head of a block; a pointer to it precedes each object in the block. */
struct PoolBlock {
  /*! \brief The objects in the block, and `kOpen` while the pool takes more from it. */
  std::atomic<int64_t> owners;

  static constexpr int64_t kOpen = int64_t{1} << 40;

  /*! \brief Remove owners of a block, and free it if none remain. */
  void Release(int64_t count) {
    if (owners.fetch_sub(count, std::memory_order_acq_rel) == count) std::free(this);
  }

  static void ReleaseObject(void* object) { static_cast<PoolBlock**>(object)[-1]->Release(1); }
};

}  // namespace detail

class ObjectPool : public ffi::detail::ObjAllocatorBase<ObjectPool> {
 public:
  ObjectPool() = default;
  ObjectPool(const ObjectPool&) = delete;
  ObjectPool& operator=(const ObjectPool&) = delete;
  ~ObjectPool() { Close(); }

  /*! \brief Make a node, from all fields of its constructor. */
  template <typename Ref, typename... Fields>
  Ref Make(Fields&&... fields) {
    using Node = typename Ref::ContainerType;
    return ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<Ref>(
        make_object<Node>(std::forward<Fields>(fields)...));
  }

  /*! \brief A copy of an array, to be written in place. */
  template <typename T>
  ffi::Array<T> Copy(const ffi::Array<T>& array);

  /*! \brief How `make_object` makes an object, and how that is deleted. */
  template <typename T>
  class Handler {
   public:
    template <typename... Args>
    static T* New(ObjectPool* pool, Args&&... args) {
      static_assert(alignof(T) <= alignof(void*));
      return Construct<T>(pool->Take(sizeof(T)), std::forward<Args>(args)...);
    }
    static ffi::FObjectDeleter Deleter() { return &Delete<T>; }
  };

  /*! \brief The same for `make_inplace_array`. */
  template <typename T, typename Element>
  class ArrayHandler {
   public:
    template <typename... Args>
    static T* New(ObjectPool* pool, size_t size, Args&&... args) {
      static_assert(alignof(T) <= alignof(void*) && sizeof(T) % alignof(Element) == 0);
      return Construct<T>(pool->Take(sizeof(T) + sizeof(Element) * size),
                          std::forward<Args>(args)...);
    }
    static ffi::FObjectDeleter Deleter() { return &Delete<T>; }
  };

 private:
  static constexpr size_t kFirstSize = 512;
  static constexpr size_t kMaxSize = 4096;

  /*! \brief Run a constructor; the room of an object whose constructor throws is lost. */
  template <typename T, typename... Args>
  static T* Construct(void* room, Args&&... args) {
    struct Guard {
      void* room;
      ~Guard() {
        if (room != nullptr) detail::PoolBlock::ReleaseObject(room);
      }
    } guard{room};
    T* object = new (room) T(std::forward<Args>(args)...);
    guard.room = nullptr;
    return object;
  }

  template <typename T>
  static void Delete(void* self, int flags) {
    T* object =
        ffi::detail::ObjectUnsafe::RawObjectPtrFromUnowned<T>(static_cast<TVMFFIObject*>(self));
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) object->T::~T();
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) {
      detail::PoolBlock::ReleaseObject(object);
    }
  }

  void* Take(size_t size) {
    constexpr size_t kUnit = sizeof(void*);
    const size_t needed = kUnit + (size + kUnit - 1) / kUnit * kUnit;
    if (needed > left_) Open(needed);
    auto* room = reinterpret_cast<detail::PoolBlock**>(next_);
    next_ += needed;
    left_ -= needed;
    ++taken_;
    *room = block_;
    return room + 1;
  }

  void Open(size_t needed) {
    Close();
    const size_t size = needed > size_ ? needed : size_;
    if (size_ < kMaxSize) size_ *= 2;
    void* memory = std::malloc(sizeof(detail::PoolBlock) + size);
    if (memory == nullptr) throw std::bad_alloc();
    block_ = new (memory) detail::PoolBlock{{detail::PoolBlock::kOpen}};
    next_ = static_cast<char*>(memory) + sizeof(detail::PoolBlock);
    left_ = size;
  }

  void Close() {
    if (block_ != nullptr) block_->Release(detail::PoolBlock::kOpen - taken_);
    block_ = nullptr;
    left_ = 0;
    taken_ = 0;
  }

  detail::PoolBlock* block_ = nullptr;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t size_ = kFirstSize;
  /*! \brief The objects that were made in the block. */
  int64_t taken_ = 0;
};

template <typename T>
ffi::Array<T> ObjectPool::Copy(const ffi::Array<T>& array) {
  const auto* from = static_cast<const ffi::ArrayObj*>(array.get());
  ffi::ObjectPtr<ffi::ArrayObj> to = make_inplace_array<ffi::ArrayObj, ffi::Any>(from->size());
  // The cell follows the header of the object, and the elements follow the cell (c_api.h).
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(static_cast<ffi::Object*>(to.get()) + 1);
  auto* elements = reinterpret_cast<ffi::Any*>(to.get() + 1);
  cell->data = elements;
  cell->capacity = static_cast<int64_t>(from->size());
  for (const ffi::Any& element : *from) new (elements + cell->size++) ffi::Any(element);
  return ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<ffi::Array<T>>(std::move(to));
}

}  // namespace tschema

#endif  // TSCHEMA_OBJECT_POOL_H_
