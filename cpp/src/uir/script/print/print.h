/*!
 * \file print.h
 * \brief A value's text, and the places of some of its nodes.
 */
#ifndef UIR_SCRIPT_PRINT_PRINT_H_
#define UIR_SCRIPT_PRINT_PRINT_H_

#include <tvm/ffi/any.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "./printer_state.h"

namespace uir::script {

/*! \brief Which parts a text has. */
struct PrintOptions {
  bool meta = true;
  bool declarations = true;
  /*! \brief Nodes whose places are wanted; may be null. */
  const std::unordered_set<const ffi::Object*>* targets = nullptr;
};

/*! \brief A text, and the places of nodes in it. */
struct Printed {
  std::string text;
  std::unordered_map<const ffi::Object*, Extent> extents;
};

/*! \brief Print a value. */
Printed PrintText(ffi::AnyView value, const PrintOptions& options);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_PRINT_H_
