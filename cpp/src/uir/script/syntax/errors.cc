// The errors in a text.
#include "./errors.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/ir/source_line.h>

#include <algorithm>

namespace uir::script {

namespace {

/*! \brief Longer messages are cut off, in bytes. */
constexpr size_t kLongMessage = 2000;
constexpr size_t kBlock = 64;
constexpr char kStopped[] = "reading ended here; there may be more errors";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

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
      count += static_cast<uint32_t>(ir::CountCharacters(text.substr(at, kBlock)));
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
  return blocks_[block] + ir::CountCharacters(text_.substr(block * kBlock, offset % kBlock));
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
  const std::string_view source = source_->text();
  const auto begin = static_cast<uint32_t>(std::min<size_t>(failure.begin, source.size()));
  const Place place = source_->PlaceOf(begin);
  const size_t width = ir::CountCharacters(source.substr(begin, failure.end - begin));
  std::string text = source_->file() + ":" + std::to_string(place.line) + ":" +
                     std::to_string(place.column) + ": error: " + Shortened(failure.message) + "\n";
  text += ir::UnderlinedLine(place.line, source_->LineAt(begin), place.column - 1,
                             std::max<size_t>(width, 1));
  if (!failure.help.empty()) text += "\n  help: " + Shortened(failure.help);
  return text;
}

void ErrorLog::Sort() {
  std::stable_sort(failures_.begin(), failures_.end(),
                   [](const Failure& a, const Failure& b) { return a.begin < b.begin; });
}

ir::Diagnostic ErrorLog::Converted(const Failure& failure, const ir::SourceName& file) const {
  const auto size = static_cast<uint32_t>(source_->text().size());
  const Place begin = source_->PlaceOf(std::min(failure.begin, size));
  const Place end = source_->PlaceOf(std::min(std::max(failure.begin, failure.end), size));
  return ir::Diagnostic(Shortened(failure.message), ir::Severity::kError,
                        ir::Span(file, begin.line, begin.column, end.line, end.column),
                        std::nullopt, std::nullopt, {}, Shortened(failure.help));
}

ffi::Array<ir::Diagnostic> ErrorLog::Diagnostics() {
  Sort();
  const ir::SourceName file{ffi::String(source_->file())};
  ffi::Array<ir::Diagnostic> found;
  for (const Failure& failure : failures_) found.push_back(Converted(failure, file));
  if (is_full()) found.push_back(ir::Diagnostic(kStopped, ir::Severity::kNote));
  return found;
}

void ErrorLog::Check() {
  if (failures_.empty()) return;
  Sort();
  std::string text;
  for (const Failure& failure : failures_) {
    if (!text.empty()) text += "\n";
    text += Render(failure);
  }
  if (is_full()) text += std::string("\nnote: ") + kStopped;
  throw ::tvm::ffi::Error("ScriptError", text, "");
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  for (const std::string& near : ir::NearNames(name, candidates)) {
    if (near != name) return "did you mean `" + near + "`?";
  }
  return "";
}

}  // namespace uir::script
