/*!
 * \file json_file.h
 * \brief Files of JSON that users name.
 */
#ifndef UIR_SCHEDULE_JSON_FILE_H_
#define UIR_SCHEDULE_JSON_FILE_H_

#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/string.h>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Read a file.
 * \throws ValueError if it cannot be read, or is not JSON.
 */
ffi::json::Value ReadJson(const ffi::String& path);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_JSON_FILE_H_
