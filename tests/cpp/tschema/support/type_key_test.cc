// Types by their keys: a key that no type has leaves no error behind.
#include <gtest/gtest.h>
#include <tschema/type_key.h>
#include <tvm/ffi/error.h>

#include "../../error_of.h"

namespace {

namespace ffi = ::tvm::ffi;

TEST(TypeKey, Known) {
  EXPECT_EQ(tschema::FindTypeIndex("ffi.Object"), kTVMFFIObject);
  EXPECT_EQ(tschema::RequireTypeIndex("ffi.Array"), kTVMFFIArray);
}

TEST(TypeKey, AMissingKeyLeavesNoPendingError) {
  EXPECT_EQ(tschema::FindTypeIndex("nowhere.Nothing"), std::nullopt);
  TVMFFIObjectHandle pending = nullptr;
  TVMFFIErrorMoveFromRaised(&pending);
  EXPECT_EQ(pending, nullptr);
}

TEST(TypeKey, RequiredAndMissing) {
  EXPECT_EQ(ErrorOf([] { tschema::RequireTypeIndex("nowhere.Nothing"); }),
            "ValueError: there is no type `nowhere.Nothing`; is its library loaded?");
}

}  // namespace
