/*!
 * \file uir/tir/launch.h
 * \brief The attributes that launch threads.
 */
#ifndef UIR_TIR_LAUNCH_H_
#define UIR_TIR_LAUNCH_H_

#include <tvm/ffi/string.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <string_view>

namespace uir::tir {

/*! \brief The key of the attribute that launches threads of a name, such as `threadIdx.x`. */
inline const char* LaunchKey(const tvm::ffi::String& thread_tag) {
  const std::string_view tag(thread_tag.data(), thread_tag.size());
  return tag.substr(0, 7) == "vthread" ? "virtual_thread" : "thread_extent";
}

/*! \brief The thread index of a launch; `nullopt` for any other statement. */
inline std::optional<IterVar> LaunchedAxis(const AttrStmtNode* op) {
  const bool launches = op->attr_key == "thread_extent" || op->attr_key == "virtual_thread";
  return launches ? op->node.as<IterVar>() : std::nullopt;
}

}  // namespace uir::tir

#endif  // UIR_TIR_LAUNCH_H_
