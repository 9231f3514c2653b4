/*!
 * \file import_tree.cc
 * \brief Finds the imports of a module, and writes them as tvm-ffi reads them.
 */
#include "./import_tree.h"

#include <tvm/ffi/error.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace uir::driver {

namespace {

/*! \brief The kind of the library itself in a tree. */
constexpr const char* kLibrary = "_lib";

/*! \brief Writes numbers with their lowest byte first, and sequences after their length. */
class BinaryWriter {
 public:
  void Number(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
  }
  void Text(std::string_view text) {
    Number(text.size());
    bytes_ += text;
  }
  void Numbers(const std::vector<uint64_t>& values) {
    Number(values.size());
    for (const uint64_t value : values) Number(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

bool IsC(const ffi::ModuleObj* module) { return std::string_view(module->kind()) == "c"; }

std::string Shown(const ffi::ModuleObj* module) {
  return "a module of kind `" + std::string(module->kind()) + "`";
}

void CheckCarried(const ffi::ModuleObj* module) {
  const bool is_library = std::string_view(module->kind()) == "library";
  if ((module->GetPropertyMask() & ffi::Module::kBinarySerializable) != 0 && !is_library) return;
  TVM_FFI_THROW(ValueError) << "a library cannot carry " << Shown(module) << ", which is imported: "
                            << (is_library ? "it was loaded from a file; import the module that "
                                             "the file was written from, or load it beside"
                                           : "it cannot be saved to bytes");
}

}  // namespace

ImportTree::ImportTree(const ffi::ModuleObj* root) : children_(1) {
  linked_.push_back(root);
  for (size_t i = 0; i < linked_.size(); ++i) {
    std::vector<uint64_t> children;
    VisitImports(linked_[i], &children);
    for (const uint64_t child : children) {
      std::vector<uint64_t>& known = children_[0];
      if (std::find(known.begin(), known.end(), child) == known.end()) known.push_back(child);
    }
  }
  linked_.erase(linked_.begin());
}

/*! \brief Record the imports of a module. */
void ImportTree::VisitImports(const ffi::ModuleObj* module, std::vector<uint64_t>* children) {
  for (const ffi::Any& any : module->imports()) {
    const auto* import = any.cast<const ffi::ModuleObj*>();
    if (!IsC(import)) {
      children->push_back(NumberOf(import));
    } else if (!IsC(module)) {
      TVM_FFI_THROW(ValueError) << "a library cannot carry " << Shown(module)
                                << " that imports one of kind `c`: import that one by the library";
    } else if (std::find(linked_.begin(), linked_.end(), import) == linked_.end()) {
      linked_.push_back(import);
    }
  }
}

uint64_t ImportTree::NumberOf(const ffi::ModuleObj* module) {
  const auto known = std::find(carried_.begin(), carried_.end(), module);
  if (known != carried_.end()) return static_cast<uint64_t>(known - carried_.begin()) + 1;
  CheckCarried(module);
  carried_.push_back(module);
  children_.emplace_back();
  const uint64_t number = carried_.size();
  std::vector<uint64_t> children;
  VisitImports(module, &children);
  children_[number] = std::move(children);
  return number;
}

std::string ImportTree::LibraryBinary() const {
  if (carried_.empty() && linked_.empty()) return "";
  std::vector<std::vector<uint64_t>> tree = children_;
  if (!linked_.empty()) {
    // The code of the library looks functions up in the imports of the last module of this kind.
    const uint64_t all_functions = tree.size();
    tree.emplace_back();
    tree.push_back(children_[0]);
    tree.back().push_back(all_functions);
    tree[0].push_back(all_functions + 1);
  }
  std::vector<uint64_t> starts = {0};
  std::vector<uint64_t> all;
  for (const std::vector<uint64_t>& children : tree) {
    all.insert(all.end(), children.begin(), children.end());
    starts.push_back(all.size());
  }
  BinaryWriter content;
  content.Numbers(starts);
  content.Numbers(all);
  content.Text(kLibrary);
  for (const ffi::ModuleObj* module : carried_) {
    const ffi::Bytes bytes = module->SaveToBytes();
    content.Text(module->kind());
    content.Text({bytes.data(), bytes.size()});
  }
  for (size_t i = 1 + carried_.size(); i < tree.size(); ++i) content.Text(kLibrary);
  BinaryWriter sized;
  sized.Text(content.bytes());
  return sized.bytes();
}

}  // namespace uir::driver
