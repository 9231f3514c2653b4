/*!
 * \file uir/script/syntax/device.h
 * \brief Devices as text, alike with every release of tvm-ffi: 0.1.12 reads none.
 */
#ifndef UIR_SCRIPT_SYNTAX_DEVICE_H_
#define UIR_SCRIPT_SYNTAX_DEVICE_H_

#include <dlpack/dlpack.h>

#include <optional>
#include <string>
#include <string_view>

namespace uir::script {

/*! \brief `cuda:0`, or `99:0` of a type without a name. */
std::string DeviceText(DLDevice device);

/*! \brief The device of `cuda:0`, `cuda` or `99:0`; none for another text. */
std::optional<DLDevice> DeviceOf(std::string_view text);

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_DEVICE_H_
