// Literals of Python.
#include "./literals.h"

#include <charconv>
#include <cstdint>

namespace uir::script {

namespace {

/*! \brief Bytes of the code point that starts at a position; 0 if it is malformed. */
size_t LengthAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  uint32_t code = first & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(at + i) & 0x3F);
  }
  const uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool is_surrogate = 0xD800 <= code && code <= 0xDFFF;
  return code < least || code > 0x10FFFF || is_surrogate ? 0 : length;
}

void AppendHex(std::string* out, unsigned char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out += "\\x";
  out->push_back(kDigits[c >> 4]);
  out->push_back(kDigits[c & 15]);
}

void AppendEscaped(std::string* out, char c) {
  switch (c) {
    case '\\':
      *out += "\\\\";
      return;
    case '"':
      *out += "\\\"";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\t':
      *out += "\\t";
      return;
    case '\r':
      *out += "\\r";
      return;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return AppendHex(out, c);
      out->push_back(c);
  }
}

}  // namespace

bool IsUTF8(Text text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = LengthAt(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void AppendQuoted(std::string* out, Text text) {
  out->push_back('"');
  for (const char c : text) AppendEscaped(out, c);
  out->push_back('"');
}

void AppendBytes(std::string* out, Text bytes) {
  *out += "b\"";
  for (const char c : bytes) {
    static_cast<unsigned char>(c) < 0x80 ? AppendEscaped(out, c) : AppendHex(out, c);
  }
  out->push_back('"');
}

void AppendFloat(std::string* out, double value) {
  char digits[40];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), value);
  const std::string_view text(digits, end.ptr - digits);
  out->append(text);
  if (text.find_first_of(".e") == text.npos) *out += ".0";
}

void AppendUTF8(std::string* out, unsigned code) {
  if (code < 0x80) return out->push_back(static_cast<char>(code));
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3F)));
  };
  if (code < 0x800) {
    out->push_back(static_cast<char>(0xC0 | code >> 6));
  } else if (code < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | code >> 12));
    tail(6);
  } else {
    out->push_back(static_cast<char>(0xF0 | code >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

}  // namespace uir::script
