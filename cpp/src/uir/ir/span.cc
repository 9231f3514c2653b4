// Checks of the positions of spans.
#include <tvm/ffi/error.h>
#include <uir/ir/span.h>

namespace uir::ir {

void SpanNode::PostInit() {
  if (line < 0 || column < 0 || end_line < 0 || end_column < 0) {
    TVM_FFI_THROW(ValueError) << "Span: lines and columns count from 1, with 0 for unknown, got "
                              << line << ":" << column << " to " << end_line << ":" << end_column;
  }
  const bool has_end = end_line != 0 && line != 0;
  const bool same_line = has_end && end_line == line && end_column != 0;
  if ((has_end && end_line < line) || (same_line && end_column < column)) {
    TVM_FFI_THROW(ValueError) << "Span: the end " << end_line << ":" << end_column
                              << " comes before the start " << line << ":" << column;
  }
}

}  // namespace uir::ir
