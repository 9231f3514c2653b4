/*!
 * \file problems.h
 * \brief All that keeps a module from being emitted, with its places.
 */
#ifndef UIR_TARGET_PROBLEMS_H_
#define UIR_TARGET_PROBLEMS_H_

#include <tvm/ffi/container/array.h>
#include <uir/ir/diagnostics.h>

#include <set>
#include <string>
#include <utility>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*! \brief Collects problems; each is reported once for each node. */
class Problems {
 public:
  /*! \brief Note a problem with a node of `root`, a function or module. */
  void Report(const ffi::Object* root, const ffi::Object* node, std::string message);

  /*! \brief Raise all problems as one error. \throws ValueError if there are any. */
  void Raise() const;

 private:
  ffi::Array<ir::Diagnostic> found_;
  std::set<std::pair<const ffi::Object*, std::string>> known_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_PROBLEMS_H_
