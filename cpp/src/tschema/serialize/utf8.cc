/*!
 * \file utf8.cc
 * \brief The table of well-formed byte sequences of the Unicode Standard, 3.9, D92.
 */
#include <tschema/utf8.h>

namespace tschema {
namespace {

bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/*! \brief The range of the second byte, which the first one narrows; empty if that is wrong. */
struct SecondByte {
  uint8_t low;
  uint8_t high;
};

SecondByte SecondByteAfter(uint8_t first) {
  switch (first) {
    case 0xE0:
      return {0xA0, 0xBF};
    case 0xED:
      return {0x80, 0x9F};
    case 0xF0:
      return {0x90, 0xBF};
    case 0xF4:
      return {0x80, 0x8F};
    default:
      return {0x80, 0xBF};
  }
}

size_t LengthAfter(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

}  // namespace

size_t Utf8SequenceLength(std::string_view text) {
  auto byte = [text](size_t index) { return static_cast<uint8_t>(text[index]); };
  size_t length = text.empty() ? 0 : LengthAfter(byte(0));
  if (length < 2) return length;
  if (text.size() < length) return 0;
  SecondByte second = SecondByteAfter(byte(0));
  if (byte(1) < second.low || byte(1) > second.high) return 0;
  for (size_t index = 2; index < length; ++index) {
    if (!IsContinuation(byte(index))) return 0;
  }
  return length;
}

void AppendUtf8(uint32_t code_point, std::string* text) {
  auto add = [text](uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  auto add_continuation = [&](uint32_t bits) { add(0x80 | (bits & 0x3F)); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | (code_point >> 6));
    add_continuation(code_point);
  } else if (code_point < 0x10000) {
    add(0xE0 | (code_point >> 12));
    add_continuation(code_point >> 6);
    add_continuation(code_point);
  } else {
    add(0xF0 | (code_point >> 18));
    add_continuation(code_point >> 12);
    add_continuation(code_point >> 6);
    add_continuation(code_point);
  }
}

}  // namespace tschema
