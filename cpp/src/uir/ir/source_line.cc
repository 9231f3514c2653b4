// A source line with carets below, cut if long.
#include <uir/ir/source_line.h>

#include <algorithm>

namespace uir::ir {

namespace {

/*! \brief The maximal number of characters of a line that is shown as a whole. */
constexpr size_t kLongLine = 200;
constexpr size_t kShownBefore = 60;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/*! \brief The offset after the first `characters` of a text, in bytes. */
size_t OffsetOf(std::string_view text, size_t characters) {
  size_t at = 0;
  for (; characters > 0 && at < text.size(); --characters) {
    do {
      ++at;
    } while (at < text.size() && IsContinuation(text[at]));
  }
  return at;
}

/*! \brief Blanks as wide as a text, with its tabs. */
std::string BlanksLike(std::string_view text) {
  std::string blanks;
  for (const char c : text) {
    if (!IsContinuation(c)) blanks += c == '\t' ? '\t' : ' ';
  }
  return blanks;
}

}  // namespace

size_t CountCharacters(std::string_view text) {
  return text.size() - std::count_if(text.begin(), text.end(), &IsContinuation);
}

std::string UnderlinedLine(int64_t number, std::string_view line, size_t column, size_t width) {
  std::string_view before;
  std::string_view behind;
  if (CountCharacters(line) > kLongLine) {
    const size_t dropped = column > kShownBefore ? column - kShownBefore : 0;
    line.remove_prefix(OffsetOf(line, dropped));
    column -= dropped;
    before = dropped > 0 ? "..." : "";
    const size_t shown = OffsetOf(line, kLongLine);
    behind = shown < line.size() ? "..." : "";
    line = line.substr(0, shown);
  }
  const std::string digits = std::to_string(number);
  const size_t margin = std::max<size_t>(digits.size(), 4);
  std::string text = std::string(margin - digits.size(), ' ') + digits + " | ";
  text.append(before).append(line).append(behind);
  if (width == 0) return text;
  const std::string_view left = line.substr(0, OffsetOf(line, column));
  const size_t rest = CountCharacters(line) - CountCharacters(left);
  text.append("\n").append(margin, ' ').append(" | ").append(before.size(), ' ');
  text.append(BlanksLike(left)).append(std::max<size_t>(1, std::min(width, rest)), '^');
  return text;
}

}  // namespace uir::ir
