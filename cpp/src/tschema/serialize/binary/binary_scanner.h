/*!
 * \file binary_scanner.h
 * \brief Reads numbers and bytes of a binary file, and never beyond its end.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_SCANNER_H_
#define TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "../load_error.h"

namespace tschema {

/*! \brief Every method throws a ValueError, without a place, where the bytes end too early. */
class BinaryScanner {
 public:
  explicit BinaryScanner(std::string_view data)
      : begin_(data.data()), next_(data.data()), end_(data.data() + data.size()) {}

  size_t offset() const { return static_cast<size_t>(next_ - begin_); }
  size_t remaining() const { return static_cast<size_t>(end_ - next_); }
  bool AtEnd() const { return next_ == end_; }

  std::string_view ReadBytes(size_t count) {
    if (remaining() < count) FailEnd();
    std::string_view bytes(next_, count);
    next_ += count;
    return bytes;
  }

  template <typename T>
  T Read() {
    T value;
    std::memcpy(&value, ReadBytes(sizeof(T)).data(), sizeof(T));
    return value;
  }

  uint64_t ReadVarint() {
    if (__builtin_expect(next_ == end_, 0)) FailEnd();
    auto first = static_cast<uint8_t>(*next_++);
    return __builtin_expect(first < 0x80, 1) ? first : ReadLongVarint(first);
  }

  int64_t ReadZigzag() {
    uint64_t bits = ReadVarint();
    return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
  }

  /*! \brief Read a number of items, each of which takes at least `min_size` bytes. */
  size_t ReadCount(size_t min_size) {
    uint64_t count = ReadVarint();
    if (count > remaining() / min_size) FailEnd();
    return static_cast<size_t>(count);
  }

 private:
  uint64_t ReadLongVarint(uint64_t value) {
    constexpr int kBits = 64;
    value &= 0x7F;
    for (int shift = 7; shift < kBits; shift += 7) {
      uint64_t byte = Read<uint8_t>();
      uint64_t bits = byte & 0x7F;
      if (shift + 7 > kBits && bits >> (kBits - shift) != 0) break;
      value |= bits << shift;
      if (byte < 0x80) return value;
    }
    FailValue("a number does not fit into 64 bits");
  }

  [[noreturn]] void FailEnd() {
    FailValue("the data end too early: more is announced than there is");
  }

  const char* begin_;
  const char* next_;
  const char* end_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_SCANNER_H_
