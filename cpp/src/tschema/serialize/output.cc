/*!
 * \file output.cc
 * \brief Growth of a buffer, and the string that takes its memory over.
 */
#include "./output.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/memory.h>

#include <utility>

namespace tschema {
namespace {

/*! \brief A string, or bytes, that `realloc` has made. */
template <typename Base>
class Adopted : public Base {
 public:
  Adopted(char* memory, const char* bytes, size_t count) : memory_(memory) {
    this->data = bytes;
    this->size = count;
  }
  ~Adopted() { std::free(memory_); }

 private:
  char* memory_;
};

}  // namespace

template <typename Base>
ffi::Any Output::Adopt(const Memory& memory) {
  ffi::ObjectPtr<Base> adopted =
      ffi::make_object<Adopted<Base>>(memory.begin, memory.bytes, memory.size);
  TVMFFIAny raw{};
  raw.type_index = static_cast<int32_t>(Base::_type_index);
  raw.v_obj = ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(adopted));
  return ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
}

void Output::Grow(size_t count) {
  constexpr size_t kFirstCapacity = 4096;
  auto used = static_cast<size_t>(next_ - begin_);
  size_t capacity = static_cast<size_t>(end_ - begin_) * 2;
  if (capacity < used + count) capacity = used + count;
  if (capacity < kFirstCapacity) capacity = kFirstCapacity;
  void* memory = std::realloc(begin_, capacity);
  if (memory == nullptr) throw std::bad_alloc();
  begin_ = static_cast<char*>(memory);
  next_ = begin_ + used;
  end_ = begin_ + capacity;
}

void Output::Prepend(std::string_view text) {
  // Short bytes move, so that small texts waste no memory.
  constexpr size_t kShort = 1 << 16;
  const bool is_short = size() < kShort;
  const size_t room = is_short || text.size() > headroom_ ? text.size() : headroom_;
  Reserve(text.size());
  if (room != headroom_) {
    std::memmove(begin_ + room, begin_ + headroom_, size());
    next_ = next_ - headroom_ + room;
  }
  headroom_ = room - text.size();
  std::memcpy(begin_ + headroom_, text.data(), text.size());
}

Output::Memory Output::Release() {
  Append(std::string_view("", 1));
  auto capacity = static_cast<size_t>(next_ - begin_);
  void* shrunk = std::realloc(begin_, capacity);
  char* memory = shrunk == nullptr ? begin_ : static_cast<char*>(shrunk);
  begin_ = next_ = end_ = nullptr;
  const size_t skipped = std::exchange(headroom_, 0);
  return {memory, memory + skipped, capacity - skipped - 1};
}

ffi::String Output::TakeString() {
  return Adopt<ffi::detail::StringObj>(Release()).cast<ffi::String>();
}

ffi::Bytes Output::TakeBytes() {
  return Adopt<ffi::detail::BytesObj>(Release()).cast<ffi::Bytes>();
}

}  // namespace tschema
