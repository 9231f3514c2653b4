// What is wrong with a text.
#include "./errors.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>

#include <algorithm>

namespace uir::script {

namespace {

/*! \brief Longer lines show only the part around the error, in characters. */
constexpr size_t kLongLine = 200;
constexpr size_t kShownBefore = 60;
/*! \brief Longer messages are cut off, in bytes. */
constexpr size_t kLongMessage = 2000;
constexpr size_t kBlock = 64;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

size_t CountCharacters(std::string_view text) {
  return text.size() - std::count_if(text.begin(), text.end(), &IsContinuation);
}

/*! \brief The offset `count` characters after `at`. */
size_t Skip(std::string_view text, size_t at, size_t count) {
  for (; count > 0 && at < text.size(); --count) {
    do {
      ++at;
    } while (at < text.size() && IsContinuation(text[at]));
  }
  return at;
}

std::string Shortened(const std::string& message) {
  if (message.size() <= kLongMessage) return message;
  size_t end = kLongMessage;
  while (IsContinuation(message[end])) --end;
  return message.substr(0, end) + "...";
}

}  // namespace

SourceText::SourceText(std::string_view text, std::string file, int64_t first_line)
    : text_(text), file_(std::move(file)), first_line_(first_line) {
  if (std::any_of(text.begin(), text.end(), &IsContinuation)) {
    uint32_t count = 0;
    for (size_t at = 0; at <= text.size(); at += kBlock) {
      blocks_.push_back(count);
      count += static_cast<uint32_t>(CountCharacters(text.substr(at, kBlock)));
    }
  }
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

size_t SourceText::IndexOf(uint32_t offset) const {
  // Mostly the line is that of the last question, or the next one.
  for (size_t i = last_; i < last_ + 2 && i < starts_.size(); ++i) {
    if (starts_[i] <= offset && (i + 1 == starts_.size() || offset < starts_[i + 1])) {
      return last_ = i;
    }
  }
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return last_ = static_cast<size_t>(after - starts_.begin()) - 1;
}

size_t SourceText::CharactersBefore(uint32_t offset) const {
  if (blocks_.empty()) return offset;
  const size_t block = offset / kBlock;
  return blocks_[block] + CountCharacters(text_.substr(block * kBlock, offset % kBlock));
}

Place SourceText::PlaceOf(uint32_t offset) const {
  const size_t index = IndexOf(offset);
  const size_t column = CharactersBefore(offset) - CharactersBefore(starts_[index]);
  return {static_cast<int32_t>(first_line_ + static_cast<int64_t>(index)),
          static_cast<int32_t>(column) + 1};
}

std::string_view SourceText::LineAt(uint32_t offset) const {
  const uint32_t start = starts_[IndexOf(offset)];
  std::string_view line = text_.substr(start, text_.find('\n', start) - start);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void ErrorLog::Add(const Failure& failure) {
  if (!failure.is_silent) failures_.push_back(failure);
}

std::string ErrorLog::Render(const Failure& failure) const {
  const auto size = static_cast<uint32_t>(source_->text().size());
  const Place place = source_->PlaceOf(std::min(failure.begin, size));
  const std::string number = std::to_string(place.line);
  const size_t margin = std::max<size_t>(number.size(), 4);
  std::string text = source_->file() + ":" + number + ":" + std::to_string(place.column) +
                     ": error: " + Shortened(failure.message) + "\n";
  text += std::string(margin - number.size(), ' ') + number;
  text += RenderLine(failure, place, margin);
  if (!failure.help.empty()) text += "\n  help: " + Shortened(failure.help);
  return text;
}

/*! \brief The line of an error, or the part around it, with the carets below. */
std::string ErrorLog::RenderLine(const Failure& failure, const Place& place, size_t margin) const {
  const std::string_view source = source_->text();
  const size_t begin = std::min<size_t>(failure.begin, source.size());
  std::string_view line = source_->LineAt(static_cast<uint32_t>(begin));
  size_t column = place.column - 1;
  std::string_view before;
  std::string_view behind;
  if (CountCharacters(line) > kLongLine) {
    const size_t dropped = column > kShownBefore ? column - kShownBefore : 0;
    line.remove_prefix(Skip(line, 0, dropped));
    column -= dropped;
    before = dropped > 0 ? "..." : "";
    const size_t shown = Skip(line, 0, kLongLine);
    behind = shown < line.size() ? "..." : "";
    line = line.substr(0, shown);
  }
  const size_t length = CountCharacters(line);
  column = std::min(column, length);
  const size_t wanted = CountCharacters(source.substr(begin, failure.end - begin));
  const size_t width = std::max<size_t>(1, std::min(wanted, length - column));
  std::string text = " | ";
  text.append(before).append(line).append(behind).append("\n");
  text.append(margin, ' ').append(" | ");
  return text.append(before.size() + column, ' ').append(width, '^');
}

void ErrorLog::Check() {
  if (failures_.empty()) return;
  std::stable_sort(failures_.begin(), failures_.end(),
                   [](const Failure& a, const Failure& b) { return a.begin < b.begin; });
  std::string text;
  for (const Failure& failure : failures_) {
    if (!text.empty()) text += "\n";
    text += Render(failure);
  }
  if (is_full()) text += "\nnote: reading ended here; there may be more errors";
  throw ::tvm::ffi::Error("ScriptError", text, "");
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  for (const std::string& near : ir::NearNames(name, candidates)) {
    if (near != name) return "did you mean `" + near + "`?";
  }
  return "";
}

}  // namespace uir::script
