/*!
 * \file json_text.cc
 * \brief Strings, numbers and bytes as JSON spells them.
 */
#include "./json_text.h"

#include <tschema/utf8.h>
#include <tvm/ffi/extra/base64.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tschema {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool IsPlainChar(char c) {
  auto byte = static_cast<uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/*! \brief The letter after the backslash, or 0 if the character has no short escape. */
char ShortEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

/*! \brief Put a character below 0x80 that must be escaped. */
void PutEscape(char c, Output* output) {
  char letter = ShortEscape(c);
  if (letter != 0) {
    output->Put('\\');
    output->Put(letter);
    return;
  }
  output->Put("\\u00");
  output->Put(kHexDigits[c >> 4]);
  output->Put(kHexDigits[c & 15]);
}

}  // namespace

bool AppendJSONString(std::string_view text, Output* output) {
  constexpr size_t kLongestEscape = 6;
  output->Reserve(text.size() * kLongestEscape + 2);
  output->Put('"');
  size_t done = 0;
  while (done < text.size()) {
    size_t begin = done;
    while (done < text.size() && IsPlainChar(text[done])) ++done;
    output->Put(text.substr(begin, done - begin));
    if (done == text.size()) break;
    size_t length = Utf8SequenceLength(text.substr(done));
    if (length == 0) return false;
    if (length == 1) {
      PutEscape(text[done], output);
    } else {
      output->Put(text.substr(done, length));
    }
    done += length;
  }
  output->Put('"');
  return true;
}

void PutJSONFloat(double value, Output* output) {
  if (std::isnan(value)) return output->Put("NaN");
  if (std::isinf(value)) return output->Put(value < 0 ? "-Infinity" : "Infinity");
  std::array<char, Output::kMaxNumber> buffer;
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string_view digits(buffer.data(), end - buffer.data());
  output->Put(digits);
  if (digits.find_first_of(".e") == std::string_view::npos) output->Put(".0");
}

std::string EncodeBase64(std::string_view bytes) {
  return ffi::Base64Encode(TVMFFIByteArray{bytes.data(), bytes.size()});
}

bool DecodeBase64(std::string_view text, ffi::Bytes* bytes) {
  // tvm-ffi's decoder takes any four bytes for a group.
  size_t num_digits = std::min(text.find_first_not_of(kBase64), text.size());
  std::string_view padding = text.substr(num_digits);
  bool is_padded = padding.empty() || padding == "=" || padding == "==";
  if (!is_padded || text.size() % 4 != 0) return false;
  *bytes = ffi::Base64Decode(TVMFFIByteArray{text.data(), text.size()});
  return true;
}

}  // namespace tschema
