/*!
 * \file tschema/pointer_map.h
 * \brief A hash map from addresses of objects to small values, for the memo tables of engines.
 */
#ifndef TSCHEMA_POINTER_MAP_H_
#define TSCHEMA_POINTER_MAP_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace tschema {

/*!
 * \brief Open addressing with linear probing, at most half full, without removal of single entries.
 *
 * Nothing is allocated before the first insertion.  A pointer to a value holds until the next
 * insertion.
 *
 * \tparam Value A small, trivially copyable type.
 */
template <typename Value>
class PointerMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /*! \brief The value of a key, or null. */
  const Value* Find(const void* key) const {
    if (size_ == 0) return nullptr;
    const Entry& entry = entries_[Probe(key)];
    return entry.key == nullptr ? nullptr : &entry.value;
  }
  Value* Find(const void* key) {
    return const_cast<Value*>(static_cast<const PointerMap*>(this)->Find(key));
  }
  bool Contains(const void* key) const { return Find(key) != nullptr; }

  /*!
   * \brief Insert unless the key is there.
   * \param key Not null.
   * \return The key's value, old or new, and whether it is new.
   */
  std::pair<Value*, bool> Insert(const void* key, Value value) {
    if ((size_ + 1) * 2 > entries_.size()) Grow();
    Entry& entry = entries_[Probe(key)];
    if (entry.key != nullptr) return {&entry.value, false};
    entry = {key, value};
    ++size_;
    return {&entry.value, true};
  }

  /*! \brief Insert or replace. */
  void Set(const void* key, Value value) { *Insert(key, value).first = value; }

  /*! \brief Forget everything and keep the memory. */
  void Clear() {
    if (size_ == 0) return;
    entries_.assign(entries_.size(), Entry{});
    size_ = 0;
  }

 private:
  struct Entry {
    const void* key = nullptr;
    Value value{};
  };

  static constexpr size_t kFirstCapacity = 64;

  /*! \brief The place of the key, or the free place where it belongs. */
  size_t Probe(const void* key) const {
    // The golden ratio spreads addresses, which are multiples of 16, over the upper bits.
    size_t index = (reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15ULL) >> shift_;
    size_t mask = entries_.size() - 1;
    while (entries_[index].key != nullptr && entries_[index].key != key) index = (index + 1) & mask;
    return index;
  }

  void Grow() {
    size_t capacity = entries_.empty() ? kFirstCapacity : entries_.size() * 2;
    std::vector<Entry> old(capacity);
    old.swap(entries_);
    shift_ = 64 - __builtin_ctzll(capacity);
    for (const Entry& entry : old) {
      if (entry.key != nullptr) entries_[Probe(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;
  size_t size_ = 0;
  /*! \brief 64 less the binary logarithm of the capacity. */
  int shift_ = 64;
};

}  // namespace tschema

#endif  // TSCHEMA_POINTER_MAP_H_
