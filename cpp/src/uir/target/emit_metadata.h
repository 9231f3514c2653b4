/*!
 * \file emit_metadata.h
 * \brief The parameters and results of a compiled function, for callers without uir.
 */
#ifndef UIR_TARGET_EMIT_METADATA_H_
#define UIR_TARGET_EMIT_METADATA_H_

#include <string>

#include "./signature.h"

namespace uir::target {

/*!
 * \brief Emit the function that returns the metadata of an entry as text in JSON.
 *
 * tvm-ffi finds it by its name: `module.get_function_metadata(symbol)`.
 *
 * \param symbol The name of the entry in tvm-ffi.
 * \param num_outputs The number of last parameters that the entry allocates and returns.
 */
std::string MetadataEntry(ModuleContext* context, const Signature& signature,
                          const std::string& symbol, size_t num_outputs);

}  // namespace uir::target

#endif  // UIR_TARGET_EMIT_METADATA_H_
