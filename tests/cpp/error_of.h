/*!
 * \file error_of.h
 * \brief What an error says, for tests that compare the whole message.
 */
#ifndef TSCHEMA_TESTS_ERROR_OF_H_
#define TSCHEMA_TESTS_ERROR_OF_H_

#include <tvm/ffi/error.h>

#include <string>

/*! \brief Kind and message of the error that a call throws; empty if it throws none. */
template <typename Call>
std::string ErrorOf(Call call) {
  try {
    call();
  } catch (const ::tvm::ffi::Error& error) {
    return std::string(error.kind()) + ": " + std::string(error.message());
  }
  return "";
}

#endif  // TSCHEMA_TESTS_ERROR_OF_H_
