// Lines of C with their indentation.
#include "./c_writer.h"

#include <string_view>

namespace uir::target {

namespace {

constexpr size_t kColumns = 100;

/*! \brief Whether a space is a good place to break a line: after a comma or an operator. */
bool IsGoodBreak(std::string_view line, size_t space) {
  if (space < 2) return false;
  const char before = line[space - 1];
  if (before == ',' || before == ';') return true;
  // Operators have spaces on both sides; the star of a pointer does not.
  return std::string_view("+-*/%&|?:=<>").find(before) != std::string_view::npos &&
         (line[space - 2] == ' ' || line.substr(space - 3, 1) == " ");
}

/*!
 * \brief Where to break a line: at the last of the spaces before the margin that are in the fewest
 * brackets.
 *
 * Spaces in quotes do not count; those in the first half of the line count only if there are no
 * others.
 */
size_t BreakOf(std::string_view line, size_t begin) {
  constexpr size_t kNone = std::string_view::npos;
  constexpr int kBadly = 1000;
  size_t best = kNone;
  int best_cost = 2 * kBadly;
  int depth = 0;
  bool in_quotes = false;
  for (size_t i = begin; i < line.size() && (i < kColumns || best == kNone); ++i) {
    if (line[i] == '\\' && in_quotes) {
      ++i;
    } else if (line[i] == '"') {
      in_quotes = !in_quotes;
    } else if (line[i] == ' ' && !in_quotes) {
      const bool is_late = i > kColumns / 2;
      const int cost = (IsGoodBreak(line, i) && is_late ? 0 : kBadly) + depth;
      if (cost > best_cost) continue;
      best = i;
      best_cost = cost;
    }
    const bool is_code = !in_quotes;
    depth += is_code && std::string_view("({[").find(line[i]) != kNone ? 1 : 0;
    depth -= is_code && std::string_view(")}]").find(line[i]) != kNone ? 1 : 0;
  }
  return best;
}

/*! \brief A line in pieces that fit, if it has spaces to break it at. */
std::string Broken(std::string line, size_t indent) {
  std::string broken;
  while (line.size() > kColumns) {
    const size_t place = BreakOf(line, indent + 4);
    if (place == std::string_view::npos) break;
    broken += line.substr(0, place) + "\n";
    line = std::string(indent + 4, ' ') + line.substr(place + 1);
  }
  return broken + line;
}

}  // namespace

void CWriter::Insert(size_t place, const std::string& text) {
  const size_t indent = text.empty() ? 0 : 2 * static_cast<size_t>(depth_);
  std::string line = std::string(indent, ' ') + text;
  const bool is_code = text.substr(0, 2) != "//" && text.substr(0, 1) != "#";
  if (is_code) line = Broken(std::move(line), indent);
  lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(place), std::move(line));
}

void CWriter::Leave(const std::string& condition, const std::string& value) {
  const std::string line = "if (" + condition + ") return " + value + ";";
  if (line.size() + 2 * static_cast<size_t>(depth_) <= kColumns) return Line(line);
  Open("if (" + condition + ") {");
  Line("return " + value + ";");
  Close();
}

std::string CWriter::Text() const {
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  return text;
}

}  // namespace uir::target
