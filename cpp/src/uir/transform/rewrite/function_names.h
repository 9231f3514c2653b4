/*!
 * \file function_names.h
 * \brief Names for new functions of a module.
 */
#ifndef UIR_TRANSFORM_REWRITE_FUNCTION_NAMES_H_
#define UIR_TRANSFORM_REWRITE_FUNCTION_NAMES_H_

#include <uir/ir/module.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace uir::transform {

/*! \brief Unused names of functions. */
class FunctionNames {
 public:
  /*! \param functions The functions whose names are in use. */
  explicit FunctionNames(const tvm::ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions) {
    for (const auto& [var, func] : functions) taken_.insert(var->name_hint);
  }

  /*! \brief A new name with a prefix: `relu`, then `relu_1`. */
  std::string New(const std::string& prefix) {
    int& count = counts_[prefix];
    std::string name = count == 0 ? prefix : prefix + "_" + std::to_string(count);
    while (!taken_.insert(name).second) name = prefix + "_" + std::to_string(++count);
    ++count;
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_FUNCTION_NAMES_H_
