/*!
 * \file c_module.h
 * \brief Modules of kind `c`: a C text and the library that it was compiled to.
 */
#ifndef UIR_SRC_DRIVER_C_MODULE_H_
#define UIR_SRC_DRIVER_C_MODULE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include "./extern_source.h"
#include "./object_file.h"

namespace uir::driver {

/*! \brief A compiled module that can be written to files. */
class CModuleObj : public ffi::ModuleObj {
 public:
  /*!
   * \brief Compile a text and load it, unless it is for another machine.
   * \param source The text.
   * \param externs The sources of functions that it calls.
   * \param globals The global functions of this process that it calls.
   * \throws RuntimeError If the compiler fails, or the library cannot be loaded.
   */
  explicit CModuleObj(CSource source, std::vector<ExternSource> externs = {},
                      std::vector<std::string> globals = {});

  const char* kind() const final { return "c"; }
  int GetPropertyMask() const final;
  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final;
  ffi::Optional<ffi::String> GetFunctionMetadata(const ffi::String& name) final;

  /*! \brief Import a module, whose functions this one can call. */
  void ImportModule(const ffi::Module& other) final;
  void ClearImports() final;

  /*!
   * \brief Write the module and those that it imports.
   *
   * \param file_name The file, which is replaced as a whole.
   * \param format One of `GetWriteFormats`; if empty, the ending of `file_name`.
   * \throws ValueError If the format is another one, an imported module cannot be written, C text
   *   would not be the whole module, or the program calls functions of this process.
   * \throws RuntimeError If the compiler fails or the file cannot be written.
   */
  void WriteToFile(const ffi::String& file_name, const ffi::String& format) const final;
  ffi::Array<ffi::String> GetWriteFormats() const final;
  ffi::String InspectSource(const ffi::String& format) const final;

 private:
  void CheckGlobals() const;
  CSource LinkedSource() const;
  std::string Archive(const CSource& linked) const;
  std::string Content(const std::string& format) const;

  CSource source_;
  std::vector<ExternSource> externs_;
  /*! \brief The global functions that the text calls, which only this process has. */
  std::vector<std::string> globals_;
  /*! \brief The loaded library; none if it is for another machine. */
  ffi::Optional<ffi::Module> library_;
};

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_C_MODULE_H_
