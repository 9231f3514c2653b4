/*!
 * \file loop_place.h
 * \brief Finds loops of a function by variable or by name, and replaces them.
 */
#ifndef UIR_SCHEDULE_PRIMITIVE_LOOP_PLACE_H_
#define UIR_SCHEDULE_PRIMITIVE_LOOP_PLACE_H_

#include <tvm/ffi/container/variant.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <functional>
#include <vector>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief A loop as users name it: by its variable, or by the variable's name. */
using LoopName = ffi::Variant<tir::Var, ffi::String>;

/*! \brief A loop, and the loops around it, outermost first. */
struct LoopPlace {
  std::vector<tir::For> outer;
  tir::For loop;
};

/*!
 * \brief The loop of a name.
 * \throws ValueError if there is none, or several.
 */
LoopPlace FindLoop(const tir::PrimFunc& func, const LoopName& name);

/*!
 * \brief The function with a loop replaced by a statement.
 *
 * The nest gets the annotation `scheduled_by_hand`, so that recipes leave it as it is.
 */
tir::PrimFunc WithLoop(tir::PrimFunc func, const tir::For& loop, const tir::Stmt& by);

/*! \brief Run a primitive; its errors name it and have the script with the place underlined. */
tir::PrimFunc RunPrimitive(const char* name, const tir::PrimFunc& func,
                           const std::function<tir::PrimFunc(const tir::PrimFunc&)>& run);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PRIMITIVE_LOOP_PLACE_H_
