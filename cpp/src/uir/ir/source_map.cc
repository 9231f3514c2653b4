// The source texts of nodes.
#include <uir/ir/source_map.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace uir::ir {

namespace {

/*! \brief Guards all maps, because threads that parse share one. */
std::mutex& Mutex() {
  static std::mutex mutex;
  return mutex;
}

/*! \brief The offset of a line; `nullopt` if the text has fewer lines. */
std::optional<size_t> StartOfLine(std::string_view text, int64_t number) {
  size_t start = 0;
  for (; number > 1; --number) {
    const size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return std::nullopt;
    start = end + 1;
  }
  return start;
}

}  // namespace

void SourceMapNode::Add(ffi::String name, ffi::String text) const {
  const std::lock_guard<std::mutex> lock(Mutex());
  // Methods are declared const, but change the map.
  const_cast<SourceMapNode*>(this)->sources.Set(std::move(name), std::move(text));
}

ffi::Optional<ffi::String> SourceMapNode::Line(ffi::String name, int64_t number) const {
  ffi::String source;
  {
    const std::lock_guard<std::mutex> lock(Mutex());
    const auto found = sources.find(name);
    if (found == sources.end()) return std::nullopt;
    source = (*found).second;
  }
  const std::string_view text(source.data(), source.size());
  const std::optional<size_t> start = number < 1 ? std::nullopt : StartOfLine(text, number);
  if (!start) return std::nullopt;
  std::string_view line = text.substr(*start, text.find('\n', *start) - *start);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return ffi::String(line.data(), line.size());
}

SourceMap source_map() {
  // Never destroyed, because objects outlive static objects.
  static const SourceMap* const map = new SourceMap();
  return *map;
}

}  // namespace uir::ir
