// Literals of Python.
#include "./literals.h"

#include <tschema/utf8.h>

#include <charconv>
#include <cstdint>

namespace uir::script {

namespace {

void AppendHex(std::string* out, unsigned char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out += "\\x";
  out->push_back(kDigits[c >> 4]);
  out->push_back(kDigits[c & 15]);
}

void AppendEscaped(std::string* out, char c) {
  constexpr std::string_view kValues = "\\\"\n\t\r";
  constexpr std::string_view kCodes = "\\\"ntr";
  const size_t known = kValues.find(c);
  if (known != kValues.npos) {
    out->push_back('\\');
    return out->push_back(kCodes[known]);
  }
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return AppendHex(out, c);
  out->push_back(c);
}

}  // namespace

bool IsUTF8(Text text) {
  for (size_t at = 0; at < text.size();) {
    const bool is_ascii = (text[at] & 0x80) == 0;
    const size_t length = is_ascii ? 1 : tschema::Utf8SequenceLength(text.substr(at));
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

}  // namespace uir::script
