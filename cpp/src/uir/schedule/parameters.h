/*!
 * \file parameters.h
 * \brief The parameters of recipes: the rows of parameters.json, which is compiled into the
 * library.
 */
#ifndef UIR_SCHEDULE_PARAMETERS_H_
#define UIR_SCHEDULE_PARAMETERS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <utility>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief The key of a row. A row with `*` for one of these matches all its values. */
struct ParameterKey {
  const char* recipe;
  DLDataType dtype;
  /*! \brief The class of shapes, a word of the recipe. */
  const char* shape;
};

/*!
 * \brief The instruction set of a name: for `native`, the best that the processor has.
 * \throws ValueError if there is no instruction set of this name.
 */
std::string ResolveInstructionSet(const ffi::String& isa);

/*! \brief The elements of a vector in a register, at least 1. */
int VectorLanes(const std::string& isa, DLDataType dtype);

/*! \brief Rows of users, which come before those of the library. */
using TunedRows = ffi::Array<ffi::Map<ffi::String, ffi::Any>>;

/*!
 * \brief Check rows of users.
 * \param rows The rows.
 * \param source Where they are from, in messages.
 * \throws ValueError if a row has no recipe, an unknown key or instruction set, or a wrong value.
 */
void CheckRows(const TunedRows& rows, const std::string& source);

/*! \brief The rows that hold for an instruction set. */
class ParameterTable {
 public:
  /*! \throws ValueError if there is no such instruction set. */
  explicit ParameterTable(const ffi::String& isa, TunedRows tuned = {})
      : isa_(ResolveInstructionSet(isa)), tuned_(std::move(tuned)) {}

  /*! \brief The instruction set, as `ResolveInstructionSet` returns it. */
  const std::string& isa() const { return isa_; }
  int Lanes(DLDataType dtype) const { return VectorLanes(isa_, dtype); }
  /*! \brief The number `name` of the first row that fits and has it; the table has one for every
   * key. */
  int64_t Get(const ParameterKey& key, const char* name) const;

 private:
  std::string isa_;
  TunedRows tuned_;
};

/*!
 * \brief Check a number that a user gives for a parameter, in a row or in a trace.
 * \throws ValueError if it is out of the parameter's range.
 */
void CheckParameter(const std::string& name, int64_t value);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PARAMETERS_H_
