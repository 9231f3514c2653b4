// Output of nodes to streams.
#include <uir/script/script.h>
#include <uir/script/stream.h>

namespace uir {

namespace {

/*! \brief Write script, with free variables declared if it is a module or a function. */
std::ostream& WriteScript(std::ostream& out, const tvm::ffi::ObjectRef& node) {
  const bool declarations =
      node->IsInstance<ir::IRModuleNode>() || node->IsInstance<ir::BaseFuncNode>();
  const tvm::ffi::String text = script::print(node, true, declarations);
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

namespace ir {

std::ostream& operator<<(std::ostream& out, const IRModule& module) {
  return WriteScript(out, module);
}

std::ostream& operator<<(std::ostream& out, const BaseExpr& expr) { return WriteScript(out, expr); }

std::ostream& operator<<(std::ostream& out, const Range& range) { return WriteScript(out, range); }

std::ostream& operator<<(std::ostream& out, const Type& type) { return WriteScript(out, type); }

}  // namespace ir

namespace tir {

std::ostream& operator<<(std::ostream& out, const Stmt& stmt) { return WriteScript(out, stmt); }

std::ostream& operator<<(std::ostream& out, const BufferRegion& region) {
  return WriteScript(out, region);
}

}  // namespace tir

}  // namespace uir
