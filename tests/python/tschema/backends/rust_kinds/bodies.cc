// The bodies of the declared methods and functions.
#include <kinds/everything.h>
#include <kinds/sub/more.h>

namespace kinds {

ffi::Dict<ffi::String, int64_t> MapNode::Many(int64_t a, Leaf, ffi::String c, ffi::Array<Leaf> d,
                                              bool e, bool f, bool g) const {
  ffi::Dict<ffi::String, int64_t> result;
  result.Set(c, a + static_cast<int64_t>(d.size()) + e + f + g);
  return result;
}

int64_t MapNode::Len() const { return 4; }

ffi::Any MapNode::AnyResult() const { return ffi::Any(leaf); }
int64_t PatternNode::Join(int64_t Some, ffi::String Err) const { return Some + Err.size(); }
ffi::Array<ffi::String> PatternNode::Names() const { return {Ok}; }
ffi::Optional<ffi::Map<ffi::String, ffi::ObjectRef>> PatternNode::Table() const {
  return std::nullopt;
}

namespace sub {

ffi::Optional<kinds::Leaf> makeLeaf(kinds::Leaf leaf, kinds::Mode mode,
                                    ffi::Array<ffi::Optional<int64_t>>) {
  if (mode == kinds::Mode::kFast) return leaf;
  return std::nullopt;
}

ffi::Any anything(ffi::Any value) { return value; }

void nothing() {}

}  // namespace sub
}  // namespace kinds
