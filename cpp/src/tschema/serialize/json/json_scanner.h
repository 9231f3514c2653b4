/*!
 * \file json_scanner.h
 * \brief Reads the tokens of a JSON text, which need not be terminated, and never beyond its end.
 *
 * Errors are thrown without a place: `offset` is where the reader was.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_JSON_JSON_SCANNER_H_
#define TSCHEMA_SRC_SERIALIZE_JSON_JSON_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tschema {

/*! \brief Scans tokens; every method first skips white space. */
class JSONScanner {
 public:
  static constexpr size_t kLabelPadding = 16;

  explicit JSONScanner(std::string_view text)
      : begin_(text.data()), next_(text.data()), end_(text.data() + text.size()) {}

  /*! \brief The place of an error: the last token if it was complete, else the wrong byte. */
  size_t offset() const { return static_cast<size_t>(token_ - begin_); }

  /*! \brief The position of the scanner, for `Seek`. */
  const char* position() const { return next_; }
  void Seek(const char* position) { next_ = token_ = position; }

  /*! \brief Make the present position the place of errors. */
  void Mark() { token_ = next_; }

  /*! \brief Take exactly these bytes if they come next; no white space is skipped. */
  bool TryLiteral(std::string_view text) {
    if (static_cast<size_t>(end_ - next_) < text.size()) return false;
    if (std::memcmp(next_, text.data(), text.size()) != 0) return false;
    next_ += text.size();
    return true;
  }

  /*!
   * \brief `TryLiteral` of a short text that is followed by `kLabelPadding` bytes.
   * \note Compares words, which is faster than a call for texts of unknown length.
   */
  bool TryLabel(std::string_view text) {
    // One comparison rules out the empty text too, which leaves no word to shift.
    bool is_label = text.size() - 1 < kLabelPadding;
    if (!is_label || static_cast<size_t>(end_ - next_) < kLabelPadding) {
      return TryLiteral(text);
    }
    uint64_t low = Word(next_) ^ Word(text.data());
    uint64_t high = Word(next_ + 8) ^ Word(text.data() + 8);
    size_t bits = text.size() * 8;
    bool is_same = bits > 64 ? (low | high << (128 - bits)) == 0 : low << (64 - bits) == 0;
    if (is_same) next_ += text.size();
    return is_same;
  }

  /*! \brief Take bytes up to the quote that ends a string without escapes; empty if none does. */
  std::string_view TryPlainString();

  /*! \brief Take a punctuation mark if it comes next. */
  bool TryMark(char mark) {
    if (__builtin_expect(next_ < end_ && *next_ == mark, 1)) {
      ++next_;
      return true;
    }
    return TryMarkAfterSpace(mark);
  }

  /*! \throws ValueError if another token comes next. */
  void Expect(char mark) {
    if (__builtin_expect(!TryMark(mark), 0)) FailExpected(mark);
  }

  /*! \brief After a member or an element: true after a comma, false after the closing mark. */
  bool More(char closing) {
    if (TryMark(',')) return true;
    if (TryMark(closing)) return false;
    FailExpected(closing);
  }

  /*!
   * \brief Read a whole number.
   * \throws TypeError if another kind of value comes next, ValueError if it exceeds 64 bits.
   */
  int64_t ReadInteger() {
    // Most are indices: digits, none of them a leading zero, followed by a mark.
    const char* at = next_;
    uint64_t value = 0;
    while (at < end_ && static_cast<uint8_t>(*at - '0') < 10 && at - next_ < 18) {
      value = value * 10 + static_cast<uint8_t>(*at++ - '0');
    }
    bool is_simple = at != next_ && at < end_ && (*at == ',' || *at == '}' || *at == ']') &&
                     (*next_ != '0' || at - next_ == 1);
    if (__builtin_expect(!is_simple, 0)) return ReadAnyInteger();
    token_ = next_;
    next_ = at;
    return static_cast<int64_t>(value);
  }

  /*! \brief Read a number, `NaN`, `Infinity` or `-Infinity`. \throws TypeError, ValueError */
  double ReadFloat();
  /*! \brief Read `true` or `false`. \throws TypeError */
  bool ReadBool();
  /*! \brief Read `null`. \throws TypeError */
  void ReadNull();
  /*!
   * \brief Read a string.
   * \return A view of the text, or of a buffer that the next string overwrites.
   * \throws TypeError if another kind of value comes next, ValueError if it is malformed.
   */
  std::string_view ReadString();
  /*! \brief Pass over a value, which is checked to be JSON, and return its text. */
  std::string_view SkipValue();
  /*! \throws ValueError if anything but white space is left. */
  void ExpectEnd();
  void SkipSpace();

 private:
  /*! \brief Nested values that `SkipValue` passes over. */
  static constexpr size_t kMaxDepth = 256;

  bool AtEnd() const { return next_ == end_; }
  static uint64_t Word(const char* bytes) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
  }
  bool TryMarkAfterSpace(char mark);
  int64_t ReadAnyInteger();
  /*! \brief Take a number as JSON spells it; empty if none comes next. */
  std::string_view TakeNumber();
  void TakeDigits();
  std::string_view ReadEscapedString(const char* content);
  void ReadEscape();
  uint32_t ReadCodePoint();
  uint32_t ReadHex4();
  void SkipScalar();
  /*! \brief Pass over what opens next, down to and including the first value that has no parts. */
  void SkipOne(std::string* open);

  /*! \brief Throw, with the present position as the place. */
  [[noreturn]] void Fail(const std::string& message);
  [[noreturn]] void FailExpected(char mark);
  [[noreturn]] void FailExpectedValue(const char* expected);
  /*! \brief The next token, for messages. */
  std::string Found() const;

  const char* begin_;
  const char* next_;
  const char* end_;
  const char* token_ = begin_;
  std::string buffer_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_JSON_JSON_SCANNER_H_
