/*!
 * \file output.h
 * \brief Bytes that grow at their end and become an ffi::String or ffi::Bytes without being copied.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_OUTPUT_H_
#define TSCHEMA_SRC_SERIALIZE_OUTPUT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The methods whose name starts with `Put` rely on an earlier `Reserve`. */
class Output {
 public:
  /*! \brief Bytes of the longest number, and of a varint. */
  static constexpr size_t kMaxNumber = 32;
  /*! \brief Bytes beyond its end that `PutLabel` may read and write. */
  static constexpr size_t kPadding = 16;

  Output() = default;
  /*! \brief Make a buffer with room before the bytes, for `Prepend`. */
  explicit Output(size_t headroom) {
    Reserve(headroom);
    headroom_ = headroom;
    next_ += headroom;
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { std::free(begin_); }

  size_t size() const { return static_cast<size_t>(next_ - begin_) - headroom_; }
  std::string_view view() const { return {begin_ + headroom_, size()}; }

  /*! \brief Make room for more bytes. */
  void Reserve(size_t count) {
    if (__builtin_expect(static_cast<size_t>(end_ - next_) < count, 0)) Grow(count);
  }

  void Put(char byte) { *next_++ = byte; }

  void Put(const void* data, size_t size) {
    std::memcpy(next_, data, size);
    next_ += size;
  }
  void Put(std::string_view text) { Put(text.data(), text.size()); }

  /*! \brief Put a short text, both sides of which have `kPadding` bytes to spare. */
  void PutLabel(const char* text, size_t size) {
    for (size_t done = 0; done < size; done += kPadding) {
      std::memcpy(next_ + done, text + done, kPadding);
    }
    next_ += size;
  }

  void PutInteger(int64_t value) { next_ = std::to_chars(next_, next_ + kMaxNumber, value).ptr; }

  /*! \brief Seven bits a byte, the lowest first; the last byte has its top bit clear. */
  void PutVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) Put(static_cast<char>(value | 0x80));
    Put(static_cast<char>(value));
  }

  /*! \brief A signed number as a varint, small ones of either sign short. */
  void PutZigzag(int64_t value) {
    PutVarint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }

  void Append(std::string_view text) {
    Reserve(text.size());
    Put(text);
  }

  /*! \brief Put a text before the bytes, which stay in place if the headroom allows. */
  void Prepend(std::string_view text);

  /*! \brief Return the bytes as a string; the buffer is empty afterwards. */
  ffi::String TakeString();
  /*! \brief Return the bytes; the buffer is empty afterwards. */
  ffi::Bytes TakeBytes();

 private:
  /*! \brief An allocation, and the bytes in it. */
  struct Memory {
    char* begin;
    char* bytes;
    size_t size;
  };

  template <typename Base>
  static ffi::Any Adopt(const Memory& memory);

  void Grow(size_t count);
  /*! \brief Release the memory, with a zero after the bytes. */
  Memory Release();

  char* begin_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
  /*! \brief Bytes between `begin_` and the first one of the text. */
  size_t headroom_ = 0;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_OUTPUT_H_
