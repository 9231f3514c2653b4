/*!
 * \file short_vector.h
 * \brief A vector with inline storage for a few elements.
 */
#ifndef UIR_ARITH_SHORT_VECTOR_H_
#define UIR_ARITH_SHORT_VECTOR_H_

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace uir::arith {

/*!
 * \brief A `std::vector` without an allocation for up to `kFew` elements.
 *
 * A move of the vector moves the elements, so these should be cheap to move, and must not throw.
 */
template <typename T, size_t kFew>
class ShortVector {
 public:
  ShortVector() = default;
  ShortVector(const ShortVector& other) { Append(other.begin(), other.end()); }
  ShortVector(ShortVector&& other) noexcept { Take(&other); }
  ~ShortVector() { Release(); }

  ShortVector& operator=(const ShortVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  ShortVector& operator=(ShortVector&& other) noexcept {
    if (this == &other) return *this;
    Release();
    Take(&other);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

  void reserve(size_t capacity) {
    if (capacity > capacity_) Grow(capacity);
  }
  void push_back(T value) {
    if (size_ == capacity_) Grow(capacity_ * 2);
    ::new (data_ + size_) T(std::move(value));
    ++size_;
  }
  /*! \brief Replace all elements by others, which are not in the vector. */
  void assign(const T* first, const T* last) {
    clear();
    Append(first, last);
  }
  void clear() {
    std::destroy(begin(), end());
    size_ = 0;
  }
  void erase(T* place) { erase(place, place + 1); }
  void erase(T* first, T* last) {
    T* const rest = std::move(last, end(), first);
    std::destroy(rest, end());
    size_ = static_cast<size_t>(rest - data_);
  }

 private:
  T* Own() { return reinterpret_cast<T*>(own_); }

  void Append(const T* first, const T* last) {
    reserve(size_ + static_cast<size_t>(last - first));
    std::uninitialized_copy(first, last, end());
    size_ += static_cast<size_t>(last - first);
  }

  void Grow(size_t capacity) {
    T* const grown = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(begin(), end(), grown);
    const size_t size = size_;
    Release();
    data_ = grown;
    size_ = size;
    capacity_ = capacity;
  }

  /*! \brief Destroy the elements, and free memory of the heap. */
  void Release() {
    clear();
    if (data_ != Own()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = Own();
    capacity_ = kFew;
  }

  /*! \brief Take the elements of another vector into this one, which is empty. */
  void Take(ShortVector* other) {
    if (other->data_ == other->Own()) {
      std::uninitialized_move(other->begin(), other->end(), data_);
      size_ = other->size_;
      other->clear();
      return;
    }
    data_ = std::exchange(other->data_, other->Own());
    size_ = std::exchange(other->size_, 0);
    capacity_ = std::exchange(other->capacity_, kFew);
  }

  alignas(T) std::byte own_[kFew * sizeof(T)];
  T* data_ = Own();
  size_t size_ = 0;
  size_t capacity_ = kFew;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_SHORT_VECTOR_H_
