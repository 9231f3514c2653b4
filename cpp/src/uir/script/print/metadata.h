/*!
 * \file metadata.h
 * \brief Objects without syntax: `metadata["key"][i]`, and the strings that they are made from.
 */
#ifndef UIR_SCRIPT_PRINT_METADATA_H_
#define UIR_SCRIPT_PRINT_METADATA_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>
#include <uir/script/printer.h>

#include <string>
#include <string_view>

namespace uir::script {

/*! \brief Write a reference to an entry, which is added if it is new. */
void PrintMetadata(Printer* printer, ffi::AnyView value);

/*! \brief The line that defines `metadata`; empty if there are no entries. */
std::string MetadataLine(const PrinterState& state);

/*! \brief A value as an entry; None if it has no such form. */
ffi::Optional<ffi::String> SaveMetadata(ffi::AnyView value);

/*!
 * \brief The value of an entry.
 * \throws ValueError, TypeError if the text is malformed.
 */
ffi::Any LoadMetadata(std::string_view key, const ffi::String& text);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_METADATA_H_
