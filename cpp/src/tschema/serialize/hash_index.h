/*!
 * \file hash_index.h
 * \brief Hash tables that number strings and plain values by first use.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_HASH_INDEX_H_
#define TSCHEMA_SRC_SERIALIZE_HASH_INDEX_H_

#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace tschema {

/*! \brief Index of an external table: open addressing with linear probing, at most half full. */
class HashIndex {
 public:
  /*!
   * \brief Return the position of the entry that `is_same` accepts, or insert `next`.
   * \param hash The hash of the value.
   * \param next The position at which the caller will put the value if it is new.
   * \param is_same Takes a position.
   */
  template <typename IsSame>
  uint32_t FindOrAdd(uint64_t hash, uint32_t next, IsSame is_same) {
    if ((size_ + 1) * 2 > entries_.size()) Grow();
    // Multiplicative hashing by the golden ratio (Knuth, TAOCP vol. 3, 6.4): the upper half of the
    // product depends on all bits.
    uint32_t mixed = static_cast<uint32_t>((hash * 0x9E3779B97F4A7C15ULL) >> 32);
    size_t mask = entries_.size() - 1;
    size_t place = mixed & mask;
    for (; entries_[place].position != kFree; place = (place + 1) & mask) {
      const Entry& entry = entries_[place];
      if (entry.hash == mixed && is_same(entry.position)) return entry.position;
    }
    entries_[place] = {mixed, next};
    ++size_;
    return next;
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr size_t kFirstCapacity = 64;

  struct Entry {
    uint32_t hash = 0;
    uint32_t position = kFree;
  };

  void Grow() {
    std::vector<Entry> old(entries_.empty() ? kFirstCapacity : entries_.size() * 2);
    old.swap(entries_);
    size_t mask = entries_.size() - 1;
    for (const Entry& entry : old) {
      if (entry.position == kFree) continue;
      size_t place = entry.hash & mask;
      while (entries_[place].position != kFree) place = (place + 1) & mask;
      entries_[place] = entry;
    }
  }

  std::vector<Entry> entries_;
  size_t size_ = 0;
};

/*! \brief Numbers texts by first use; keeps views, so the texts must outlive it. */
class TextTable {
 public:
  uint32_t IdOf(std::string_view text) {
    uint32_t next = static_cast<uint32_t>(texts_.size());
    uint32_t id = index_.FindOrAdd(std::hash<std::string_view>()(text), next,
                                   [&](uint32_t known) { return texts_[known] == text; });
    if (id == next) texts_.push_back(text);
    return id;
  }
  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  HashIndex index_;
  std::vector<std::string_view> texts_;
};

/*! \brief Numbers plain values in the order of first use, by their bits. */
class PlainTable {
 public:
  uint32_t IdOf(const TVMFFIAny& value) {
    uint64_t bits = value.v_uint64;
    uint32_t next = static_cast<uint32_t>(values_.size());
    uint32_t id = index_.FindOrAdd(
        bits * 64 + static_cast<uint64_t>(value.type_index), next,
        [&](uint32_t known) { return values_[known] == std::make_pair(value.type_index, bits); });
    if (id == next) values_.emplace_back(value.type_index, bits);
    return id;
  }
  size_t size() const { return values_.size(); }
  uint64_t BitsOf(uint32_t id) const { return values_[id].second; }

 private:
  HashIndex index_;
  std::vector<std::pair<int32_t, uint64_t>> values_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_HASH_INDEX_H_
