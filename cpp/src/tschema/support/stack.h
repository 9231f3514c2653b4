/*!
 * \file stack.h
 * \brief A stack that grows on the heap: what engines use where recursion would overflow.
 */
#ifndef TSCHEMA_SRC_SUPPORT_STACK_H_
#define TSCHEMA_SRC_SUPPORT_STACK_H_

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace tschema {

/*! \brief The depth to which an engine recurses before it uses a `Stack`. */
inline constexpr int kMaxRecursion = 128;

/*!
 * \brief Frames of plain data; the first push allocates.
 *
 * A reference to a frame holds until the next push.
 *
 * \tparam Frame A trivially copyable type.
 */
template <typename Frame>
class Stack {
  static_assert(std::is_trivially_copyable_v<Frame> && std::is_trivially_destructible_v<Frame>);
  static_assert(alignof(Frame) <= alignof(std::max_align_t));

 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() { std::free(begin_); }

  bool empty() const { return top_ == begin_; }
  size_t size() const { return static_cast<size_t>(top_ - begin_); }

  /*! \brief Whether the next push moves the frames; never of an empty stack. */
  bool IsFull() const { return top_ == end_ && top_ != begin_; }

  /*! \brief Make room, so that the next `count` pushes neither check nor move anything. */
  void Reserve(size_t count) {
    if (static_cast<size_t>(end_ - top_) < count) Grow(count);
  }

  void Push(const Frame& frame) {
    Reserve(1);
    *top_++ = frame;
  }

  /*! \pre The stack is not empty. */
  Frame& Top() { return top_[-1]; }
  const Frame& Top() const { return top_[-1]; }

  /*! \pre The stack is not empty. */
  Frame Pop() { return *--top_; }

  /*! \brief Counted from the bottom. \pre `index` is below the size. */
  Frame& operator[](size_t index) { return begin_[index]; }
  const Frame& operator[](size_t index) const { return begin_[index]; }

  /*! \brief Drop the frames above. \pre `size` is at most the present size. */
  void Truncate(size_t size) { top_ = begin_ + size; }

 private:
  void Grow(size_t count) {
    size_t used = size();
    size_t capacity = static_cast<size_t>(end_ - begin_) * 2;
    if (capacity < used + count) capacity = used + count;
    if (capacity < kFirstCapacity) capacity = kFirstCapacity;
    void* memory = std::realloc(static_cast<void*>(begin_), capacity * sizeof(Frame));
    if (memory == nullptr) throw std::bad_alloc();
    begin_ = static_cast<Frame*>(memory);
    top_ = begin_ + used;
    end_ = begin_ + capacity;
  }

  static constexpr size_t kFirstCapacity = 64;

  Frame* begin_ = nullptr;
  Frame* top_ = nullptr;
  Frame* end_ = nullptr;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_STACK_H_
