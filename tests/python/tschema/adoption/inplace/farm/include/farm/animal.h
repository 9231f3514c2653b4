/*
 * The animals of the farm.  Written by hand, but for the blocks:
// tschema: Nothing
 * is how one would begin.
 */
#pragma once

#include <tschema/enum.h>
#include <tschema/release.h>
#include <tschema/structural.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <utility>

namespace farm {

/*! \brief Litres of a bucket. */
constexpr double  kBucket = 10;   // our own style stays

// tschema: Mood
// tschema: end

// tschema: AnimalNode
// tschema: custom-begin
  bool HasName() const { return !name.empty(); }
// tschema: custom-end
// tschema: end

// tschema: Animal
// tschema: end

// tschema: CowNode
// tschema: custom-begin
	int64_t Buckets() const { return static_cast<int64_t>(litres / kBucket); }
// tschema: custom-end
// tschema: end

// tschema: Cow
// tschema: end

}  // namespace farm
