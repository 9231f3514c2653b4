/*!
 * \file import_tree.h
 * \brief A module with those that it imports, as one file carries them.
 */
#ifndef UIR_SRC_DRIVER_IMPORT_TREE_H_
#define UIR_SRC_DRIVER_IMPORT_TREE_H_

#include <tvm/ffi/extra/module.h>

#include <string>
#include <vector>

namespace uir::driver {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The modules that a module imports, and those that these import.
 *
 * Modules of kind `c` are linked into one library. The others are bytes in it, which loaders read:
 * `ffi.Module.load_from_bytes.<kind>`. Code of a linked module looks functions of another one up in
 * its imports. Therefore the library imports itself, as a second module.
 */
class ImportTree {
 public:
  /*!
   * \brief Find the imports of a module of kind `c`.
   * \throws ValueError If one of them cannot be written.
   */
  explicit ImportTree(const ffi::ModuleObj* root);

  /*! \brief The imported modules of kind `c`. */
  const std::vector<const ffi::ModuleObj*>& linked() const { return linked_; }

  /*!
   * \brief The content of the symbol `__tvm_ffi__library_bin`: the tree and the bytes of modules.
   * \return Empty if there are no imports.
   */
  std::string LibraryBinary() const;

 private:
  void VisitImports(const ffi::ModuleObj* module, std::vector<uint64_t>* children);
  uint64_t NumberOf(const ffi::ModuleObj* module);

  std::vector<const ffi::ModuleObj*> linked_;
  /*! \brief The other modules, which the tree counts from 1, after the library. */
  std::vector<const ffi::ModuleObj*> carried_;
  /*! \brief The numbers of the modules that each one of the tree imports. */
  std::vector<std::vector<uint64_t>> children_;
};

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_IMPORT_TREE_H_
