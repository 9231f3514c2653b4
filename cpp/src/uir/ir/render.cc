// Diagnostics as text, with the underlined source or script.
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/source_line.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

/*! \brief The location of a diagnostic or a note. */
struct Place {
  ffi::Optional<Span> span;
  ffi::Optional<ffi::ObjectRef> node;
};

const char* WordOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    default:
      return "note";
  }
}

/*! \brief The span of a node of any type; `ir` does not know all types. */
ffi::Optional<Span> SpanOf(const ffi::ObjectRef& node) {
  ffi::Optional<Span> span;
  const ffi::TypeInfo* info = TVMFFIGetTypeInfo(node->type_index());
  ffi::reflection::ForEachFieldInfo(info, [&](const TVMFFIFieldInfo* field) {
    if (std::string_view(field->name.data, field->name.size) != "span") return;
    if (auto found = ffi::reflection::FieldGetter(field)(node).try_cast<Span>()) span = *found;
  });
  return span;
}

template <typename Entry>
Place PlaceOf(const Entry& entry) {
  ffi::Optional<Span> span = entry->span;
  if (!span.has_value() && entry->node.has_value()) span = SpanOf(entry->node.value());
  return {span, entry->node};
}

/*! \brief The number of characters of a line that a span covers; 0 if its columns are unknown. */
size_t WidthOf(const Span& span, std::string_view line) {
  if (span->column == 0) return 0;
  if (span->end_line > span->line) return line.size();
  return static_cast<size_t>(std::max(1, span->end_column - span->column));
}

class Renderer {
 public:
  explicit Renderer(SourceMap sources) : sources_(std::move(sources)) {}

  std::string Render(const ffi::Array<Diagnostic>& diagnostics) {
    for (size_t i = 0; i < diagnostics.size(); ++i) {
      const Diagnostic diagnostic = diagnostics[i];
      Add(diagnostic);
      const bool goes_on = i + 1 < diagnostics.size() && diagnostic->root.has_value() &&
                           diagnostics[i + 1]->root.same_as(diagnostic->root);
      if (!goes_on) ShowScript(diagnostic->root);
    }
    std::string text = out_.str();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

 private:
  void Add(const Diagnostic& diagnostic) {
    AddEntry(PlaceOf(diagnostic), "", WordOf(diagnostic->severity), diagnostic->message);
    for (const Note& note : diagnostic->notes) AddEntry(PlaceOf(note), "  ", "note", note->message);
    if (!diagnostic->help.empty()) out_ << "  help: " << diagnostic->help << '\n';
  }

  void AddEntry(const Place& place, const char* indent, const char* word,
                const ffi::String& message) {
    out_ << indent;
    if (place.span.has_value()) WritePosition(place.span.value());
    out_ << word << ": " << message << '\n';
    if (place.span.has_value() && ShowSource(place.span.value())) return;
    if (!place.node.has_value()) return;
    nodes_.push_back(place.node.value());
    messages_.push_back(message);
  }

  void WritePosition(const Span& span) {
    out_ << span->source_name->name << ':';
    if (span->line > 0) out_ << span->line << ':';
    if (span->line > 0 && span->column > 0) out_ << span->column << ':';
    out_ << ' ';
  }

  /*! \brief Write the line of a span, underlined; false if the line is unknown. */
  bool ShowSource(const Span& span) {
    const ffi::Optional<ffi::String> found = sources_->Line(span->source_name->name, span->line);
    if (!found.has_value()) return false;
    const std::string line = found.value();
    const auto column = static_cast<size_t>(std::max(span->column - 1, 0));
    out_ << UnderlinedLine(span->line, line, column, WidthOf(span, line)) << '\n';
    return true;
  }

  /*! \brief Write the script of a root with the gathered nodes underlined. */
  void ShowScript(const ffi::Optional<ffi::ObjectRef>& root) {
    if (nodes_.empty()) return;
    const auto underline = ffi::Function::GetGlobal("uir.script.underline");
    if (!underline) {
      for (const ffi::ObjectRef& node : nodes_) out_ << "  at " << describe(node) << '\n';
    } else if (root.has_value()) {
      out_ << (*underline)(root.value(), nodes_, messages_).cast<ffi::String>() << '\n';
    } else {
      for (size_t i = 0; i < nodes_.size(); ++i) {
        const ffi::Array<ffi::ObjectRef> node = {nodes_[i]};
        const ffi::Array<ffi::String> message = {messages_[i]};
        out_ << (*underline)(nodes_[i], node, message).cast<ffi::String>() << '\n';
      }
    }
    nodes_.clear();
    messages_.clear();
  }

  SourceMap sources_;
  std::ostringstream out_;
  ffi::Array<ffi::ObjectRef> nodes_;
  ffi::Array<ffi::String> messages_;
};

}  // namespace

ffi::String render_diagnostics(ffi::Array<Diagnostic> diagnostics,
                               ffi::Optional<SourceMap> source_map) {
  SourceMap sources = source_map.has_value() ? source_map.value() : uir::ir::source_map();
  return Renderer(std::move(sources)).Render(diagnostics);
}

}  // namespace uir::ir
