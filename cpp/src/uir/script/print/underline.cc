// A text with some of its nodes underlined, and the lines of nodes in a text.
#include <tvm/ffi/error.h>
#include <uir/script/script.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./print.h"

namespace uir::script {

namespace {

/*! \brief A part of a line, and a message about it. */
struct Mark {
  size_t begin;
  size_t end;
  std::string message;
};

/*!
 * \brief Lines of a text with marks below them. A long text is reduced to the lines around the
 * marks and those that open the blocks around them, a long line without marks to its begin.
 */
class Underliner {
 public:
  explicit Underliner(std::string_view text) {
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      starts_.push_back(at);
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  void Add(Extent extent, const std::string& message) {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), extent.begin);
    const size_t line = after - starts_.begin() - 1;
    const size_t length = lines_[line].size();
    const size_t begin = std::min(extent.begin - starts_[line], length);
    const size_t end = std::min(extent.end - starts_[line], length);
    marks_[line].push_back({begin, std::max(end, begin + 1), message});
    AddOpeners(line);
  }

  std::string Render() const {
    std::string out;
    size_t next = 0;
    for (size_t line = 0; line < lines_.size(); ++line) {
      if (!IsShown(line)) continue;
      if (line > next) out += "...\n";
      next = line + 1;
      out += ShownPart(line) + '\n';
      AppendMarks(line, &out);
    }
    if (next < lines_.size()) out += "...\n";
    return out;
  }

 private:
  static constexpr size_t kShort = 60;
  static constexpr size_t kAround = 12;
  /*! \brief The elements of a constant tensor are one line. */
  static constexpr size_t kLongLine = 500;

  /*! \brief Remember the lines above that are less and less indented. */
  void AddOpeners(size_t line) {
    size_t indent = IndentOf(line);
    while (indent > 0 && line-- > 0) {
      if (lines_[line].empty() || IndentOf(line) >= indent) continue;
      indent = IndentOf(line);
      openers_.insert(line);
    }
  }

  size_t IndentOf(size_t line) const {
    return std::min(lines_[line].find_first_not_of(' '), lines_[line].size());
  }

  bool IsShown(size_t line) const {
    if (openers_.count(line) != 0) return true;
    if (lines_.size() <= kShort || marks_.empty()) return lines_.size() <= kShort || line < kShort;
    const auto after = marks_.lower_bound(line < kAround ? 0 : line - kAround);
    return after != marks_.end() && after->first <= line + kAround;
  }

  /*! \brief A line; its begin if it is long and has no mark. */
  std::string ShownPart(size_t line) const {
    const std::string_view text = lines_[line];
    const bool is_cut = text.size() > kLongLine && marks_.count(line) == 0;
    return is_cut ? std::string(text.substr(0, kLongLine)) + " ..." : std::string(text);
  }

  void AppendMarks(size_t line, std::string* out) const {
    const auto found = marks_.find(line);
    if (found == marks_.end()) return;
    for (const Mark& mark : found->second) {
      out->append(mark.begin, ' ');
      out->append(mark.end - mark.begin, '^');
      if (!mark.message.empty()) *out += ' ';
      out->append(mark.message);
      *out += '\n';
    }
  }

  std::vector<std::string_view> lines_;
  std::vector<size_t> starts_;
  std::map<size_t, std::vector<Mark>> marks_;
  std::set<size_t> openers_;
};

/*! \brief Print a value, and find nodes in its text. */
Printed PrintWithPlaces(const ffi::ObjectRef& root, const ffi::Array<ffi::ObjectRef>& nodes,
                        bool meta) {
  std::unordered_set<const ffi::Object*> targets;
  for (const ffi::ObjectRef& node : nodes) targets.insert(node.get());
  return PrintText(root, {meta, true, &targets});
}

/*! \brief The 1-based number of the line with a byte, from the begins of all lines. */
int64_t LineOf(const std::vector<size_t>& starts, size_t at) {
  return std::upper_bound(starts.begin(), starts.end(), at) - starts.begin();
}

}  // namespace

ffi::String underline(ffi::ObjectRef root, ffi::Array<ffi::ObjectRef> nodes,
                      ffi::Array<ffi::String> messages) {
  if (nodes.size() != messages.size()) {
    TVM_FFI_THROW(ValueError) << "underline: `messages` must be as many as `nodes`, which are "
                              << nodes.size() << ", got " << messages.size();
  }
  const Printed printed = PrintWithPlaces(root, nodes, true);
  Underliner underliner(printed.text);
  std::string elsewhere;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto found = printed.extents.find(nodes[i].get());
    if (found != printed.extents.end()) {
      underliner.Add(found->second, std::string(messages[i]));
    } else {
      elsewhere += "note: of a node that does not stand there: " + std::string(messages[i]) + "\n";
    }
  }
  std::string text = underliner.Render() + elsewhere;
  text.pop_back();
  return ffi::String(text);
}

ffi::Array<ffi::Array<int64_t>> line_ranges(ffi::ObjectRef root, ffi::Array<ffi::ObjectRef> nodes,
                                            bool meta) {
  const Printed printed = PrintWithPlaces(root, nodes, meta);
  std::vector<size_t> starts = {0};
  for (size_t at = 0; (at = printed.text.find('\n', at)) != std::string::npos;) {
    starts.push_back(++at);
  }
  ffi::Array<ffi::Array<int64_t>> ranges;
  for (const ffi::ObjectRef& node : nodes) {
    ffi::Array<int64_t> range;
    const auto found = printed.extents.find(node.get());
    if (found != printed.extents.end()) {
      const auto [begin, end] = found->second;
      // The newline after a statement belongs to its last line.
      range = {LineOf(starts, begin), LineOf(starts, std::max(begin + 1, end) - 1)};
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace uir::script
