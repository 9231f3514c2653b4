/*!
 * \file parameters.h
 * \brief The parameters of recipes: the rows of parameters.json, which is compiled into the
 * library.
 */
#ifndef UIR_SCHEDULE_PARAMETERS_H_
#define UIR_SCHEDULE_PARAMETERS_H_

#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief What chooses a row. A row with `*` in the place of one of these fits all its values. */
struct ParameterKey {
  const char* recipe;
  /*! \brief The instruction set, as `ResolveInstructionSet` returns it. */
  std::string isa;
  DLDataType dtype;
  /*! \brief The class of shapes, a word of the recipe. */
  const char* shape;
};

/*!
 * \brief The instruction set of a name: for `native`, the best that the processor has.
 * \throws ValueError if there is none of this name.
 */
std::string ResolveInstructionSet(const ffi::String& isa);

/*! \brief The elements of a vector in a register, at least 1. */
int VectorLanes(const std::string& isa, DLDataType dtype);

/*! \brief The number `name` of the first row that fits; the table has one for every key. */
int64_t Parameter(const ParameterKey& key, const char* name);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PARAMETERS_H_
