/*!
 * \file json_text.cc
 * \brief Strings, numbers and bytes as JSON spells them.
 */
#include "./json_text.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "./utf8.h"

namespace tschema {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 64;

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

/*! \brief Put a character below 0x80 that may not stand as it is. */
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

std::array<uint8_t, 256> MakeBase64Digits() {
  std::array<uint8_t, 256> digits;
  digits.fill(kNoDigit);
  for (size_t digit = 0; digit < kBase64.size(); ++digit) {
    digits[static_cast<uint8_t>(kBase64[digit])] = static_cast<uint8_t>(digit);
  }
  return digits;
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
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t begin = 0; begin < bytes.size(); begin += 3) {
    std::string_view group = bytes.substr(begin, 3);
    uint32_t bits = 0;
    for (size_t index = 0; index < 3; ++index) {
      bits = bits << 8 | (index < group.size() ? static_cast<uint8_t>(group[index]) : 0);
    }
    for (size_t index = 0; index < 4; ++index) {
      text += index <= group.size() ? kBase64[bits >> (18 - 6 * index) & 63] : '=';
    }
  }
  return text;
}

bool DecodeBase64(std::string_view text, std::string* bytes) {
  static const std::array<uint8_t, 256> kDigits = MakeBase64Digits();
  if (text.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  size_t digits = text.size() - padding;
  bytes->reserve(bytes->size() + text.size() / 4 * 3);
  uint32_t bits = 0;
  for (size_t index = 0; index < digits; ++index) {
    uint8_t digit = kDigits[static_cast<uint8_t>(text[index])];
    if (digit == kNoDigit) return false;
    bits = bits << 6 | digit;
    // Whole bytes are there after the second, third and fourth digit of a group.
    size_t place = index % 4;
    if (place != 0) bytes->push_back(static_cast<char>(bits >> (6 - 2 * place)));
  }
  return true;
}

}  // namespace tschema
