/*!
 * \file output.cc
 * \brief Growth of a buffer, and the string that takes its memory over.
 */
#include "./output.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>

#include <utility>

namespace tschema {
namespace {

/*! \brief A string, or bytes, that `realloc` has made. */
template <typename Base>
class Adopted : public Base {
 public:
  Adopted(char* bytes, size_t count) {
    this->data = bytes;
    this->size = count;
  }
  ~Adopted() { std::free(const_cast<char*>(this->data)); }
};

template <typename Base>
ffi::Any Adopt(char* bytes, size_t count) {
  ffi::ObjectPtr<Base> adopted = ffi::make_object<Adopted<Base>>(bytes, count);
  TVMFFIAny raw{};
  raw.type_index = static_cast<int32_t>(Base::_type_index);
  raw.v_obj = ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(adopted));
  return ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
}

}  // namespace

void Output::Grow(size_t count) {
  constexpr size_t kFirstCapacity = 4096;
  size_t used = size();
  size_t capacity = static_cast<size_t>(end_ - begin_) * 2;
  if (capacity < used + count) capacity = used + count;
  if (capacity < kFirstCapacity) capacity = kFirstCapacity;
  void* memory = std::realloc(begin_, capacity);
  if (memory == nullptr) throw std::bad_alloc();
  begin_ = static_cast<char*>(memory);
  next_ = begin_ + used;
  end_ = begin_ + capacity;
}

char* Output::Release() {
  Append(std::string_view("", 1));
  void* shrunk = std::realloc(begin_, size());
  char* bytes = shrunk == nullptr ? begin_ : static_cast<char*>(shrunk);
  begin_ = next_ = end_ = nullptr;
  return bytes;
}

ffi::String Output::TakeString() {
  size_t count = size();
  return Adopt<ffi::detail::StringObj>(Release(), count).cast<ffi::String>();
}

ffi::Bytes Output::TakeBytes() {
  size_t count = size();
  return Adopt<ffi::detail::BytesObj>(Release(), count).cast<ffi::Bytes>();
}

}  // namespace tschema
