/*!
 * \file json_scanner.cc
 * \brief The tokens of JSON (RFC 8259), and the three numbers that tvm-ffi and Python add.
 */
#include "./json_scanner.h"

#include <tschema/utf8.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "../load_error.h"

namespace tschema {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/*! \brief A digit of a number in base 16, or 16. */
uint32_t HexDigit(char c) {
  if (IsDigit(c)) return static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<uint32_t>(c - 'A' + 10);
  return 16;
}

bool IsWhole(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

void JSONScanner::SkipSpace() {
  while (next_ < end_ && IsSpace(*next_)) ++next_;
}

bool JSONScanner::TryMarkAfterSpace(char mark) {
  SkipSpace();
  if (AtEnd() || *next_ != mark) return false;
  ++next_;
  return true;
}

void JSONScanner::ExpectEnd() {
  SkipSpace();
  if (!AtEnd()) Fail("expected the end of the text, found " + Found());
}

// Numbers.

void JSONScanner::TakeDigits() {
  if (AtEnd() || !IsDigit(*next_)) Fail("expected a digit, found " + Found());
  while (next_ < end_ && IsDigit(*next_)) ++next_;
}

std::string_view JSONScanner::TakeNumber() {
  const char* start = next_;
  if (AtEnd() || (*next_ != '-' && !IsDigit(*next_))) return {};
  if (*next_ == '-') ++next_;
  bool is_zero = next_ < end_ && *next_ == '0';
  if (is_zero) {
    ++next_;
  } else {
    TakeDigits();
  }
  if (is_zero && next_ < end_ && IsDigit(*next_)) Fail("a number starts with a zero");
  if (next_ < end_ && *next_ == '.') {
    ++next_;
    TakeDigits();
  }
  if (next_ < end_ && (*next_ == 'e' || *next_ == 'E')) {
    ++next_;
    if (next_ < end_ && (*next_ == '+' || *next_ == '-')) ++next_;
    TakeDigits();
  }
  return {start, static_cast<size_t>(next_ - start)};
}

int64_t JSONScanner::ReadAnyInteger() {
  SkipSpace();
  token_ = next_;
  std::string_view number = TakeNumber();
  if (number.empty()) FailExpectedValue("an integer");
  if (!IsWhole(number)) FailType("expected an integer, found `" + std::string(number) + "`");
  int64_t value = 0;
  std::from_chars_result parsed =
      std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec != std::errc()) {
    FailValue("the integer `" + std::string(number) + "` does not fit into 64 bits");
  }
  return value;
}

double JSONScanner::ReadFloat() {
  SkipSpace();
  token_ = next_;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (TryLiteral("NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (TryLiteral("Infinity")) return kInfinity;
  if (TryLiteral("-Infinity")) return -kInfinity;
  std::string_view number = TakeNumber();
  if (number.empty()) FailExpectedValue("a number");
  double value = 0;
  std::from_chars_result parsed =
      std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec == std::errc()) return value;
  // The C library rounds too small a number; too large a one is an error.
  value = std::strtod(std::string(number).c_str(), nullptr);
  if (std::isfinite(value)) return value;
  FailValue("the number `" + std::string(number) + "` is out of the range of `float64`");
}

bool JSONScanner::ReadBool() {
  SkipSpace();
  token_ = next_;
  if (TryLiteral("true")) return true;
  if (TryLiteral("false")) return false;
  FailExpectedValue("`true` or `false`");
}

void JSONScanner::ReadNull() {
  SkipSpace();
  token_ = next_;
  if (!TryLiteral("null")) FailExpectedValue("`null`");
}

// Strings.

std::string_view JSONScanner::TryPlainString() {
  const void* found = std::memchr(next_, '"', static_cast<size_t>(end_ - next_));
  if (found == nullptr) return {};
  const char* quote = static_cast<const char*>(found);
  std::string_view content(next_, static_cast<size_t>(quote - next_));
  next_ = quote + 1;
  return content;
}

std::string_view JSONScanner::ReadString() {
  SkipSpace();
  token_ = next_;
  if (AtEnd() || *next_ != '"') FailExpectedValue("a string");
  const char* content = ++next_;
  while (next_ < end_) {
    auto byte = static_cast<uint8_t>(*next_);
    if (byte == '"') return {content, static_cast<size_t>(next_++ - content)};
    if (byte == '\\') return ReadEscapedString(content);
    if (byte < 0x20) Fail("a string holds a control character, which must be escaped");
    size_t length =
        byte < 0x80 ? 1 : Utf8SequenceLength({next_, static_cast<size_t>(end_ - next_)});
    if (length == 0) Fail("a string is not UTF-8");
    next_ += length;
  }
  Fail("a string has no end");
}

std::string_view JSONScanner::ReadEscapedString(const char* content) {
  buffer_.assign(content, next_);
  while (next_ < end_) {
    auto byte = static_cast<uint8_t>(*next_);
    if (byte == '"') {
      ++next_;
      return buffer_;
    }
    if (byte == '\\') {
      ReadEscape();
      continue;
    }
    if (byte < 0x20) Fail("a string holds a control character, which must be escaped");
    size_t length = Utf8SequenceLength({next_, static_cast<size_t>(end_ - next_)});
    if (length == 0) Fail("a string is not UTF-8");
    buffer_.append(next_, length);
    next_ += length;
  }
  Fail("a string has no end");
}

void JSONScanner::ReadEscape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  ++next_;
  if (AtEnd()) Fail("a string has no end");
  if (*next_ == 'u') {
    AppendUtf8(ReadCodePoint(), &buffer_);
    return;
  }
  size_t letter = kLetters.find(*next_);
  if (letter == std::string_view::npos) Fail("there is no such escape in a string");
  buffer_.push_back(kMeanings[letter]);
  ++next_;
}

uint32_t JSONScanner::ReadCodePoint() {
  uint32_t unit = ReadHex4();
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || !TryLiteral("\\")) Fail("a surrogate has no partner");
  uint32_t second = next_ < end_ && *next_ == 'u' ? ReadHex4() : 0;
  if (second < 0xDC00 || second > 0xDFFF) Fail("a surrogate has no partner");
  return 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
}

uint32_t JSONScanner::ReadHex4() {
  ++next_;
  uint32_t value = 0;
  for (int digits = 0; digits < 4; ++digits, ++next_) {
    uint32_t digit = AtEnd() ? 16 : HexDigit(*next_);
    if (digit == 16) Fail("`\\u` must be followed by four hexadecimal digits");
    value = value * 16 + digit;
  }
  return value;
}

// Skipped values.

std::string_view JSONScanner::SkipValue() {
  SkipSpace();
  const char* start = next_;
  // The closing marks of the open arrays and objects, instead of recursion.
  std::string open;
  do {
    SkipOne(&open);
    while (!open.empty() && TryMark(open.back())) open.pop_back();
    if (open.empty()) break;
    Expect(',');
  } while (true);
  return {start, static_cast<size_t>(next_ - start)};
}

void JSONScanner::SkipOne(std::string* open) {
  while (true) {
    if (!open->empty() && open->back() == '}') {
      ReadString();
      Expect(':');
    }
    bool is_object = TryMark('{');
    if (!is_object && !TryMark('[')) return SkipScalar();
    char closing = is_object ? '}' : ']';
    if (TryMark(closing)) return;
    if (open->size() == kMaxDepth) Fail("values are nested too deeply");
    open->push_back(closing);
  }
}

void JSONScanner::SkipScalar() {
  SkipSpace();
  token_ = next_;
  if (AtEnd()) FailExpectedValue("a value");
  switch (*next_) {
    case '"':
      ReadString();
      return;
    case 't':
    case 'f':
      ReadBool();
      return;
    case 'n':
      return ReadNull();
    default:
      bool is_number = std::string_view("-0123456789NI").find(*next_) != std::string_view::npos;
      if (!is_number) FailExpectedValue("a value");
      ReadFloat();
  }
}

// Errors.

void JSONScanner::Fail(const std::string& message) {
  token_ = next_;
  FailValue(message);
}

void JSONScanner::FailExpected(char mark) {
  SkipSpace();
  Fail(std::string("expected `") + mark + "`, found " + Found());
}

void JSONScanner::FailExpectedValue(const char* expected) {
  std::string message = std::string("expected ") + expected + ", found " + Found();
  bool is_value = next_ < end_ &&
                  std::string_view("\"{[tfnNI-0123456789").find(*next_) != std::string_view::npos;
  if (is_value) FailType(message);
  FailValue(message);
}

std::string JSONScanner::Found() const {
  if (AtEnd()) return "the end of the text";
  auto byte = static_cast<uint8_t>(*next_);
  if (byte > 0x20 && byte < 0x7F) return std::string("`") + *next_ + "`";
  return "byte " + std::to_string(byte);
}

}  // namespace tschema
