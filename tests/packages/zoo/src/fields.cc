#include <zoo/fields.h>
#include <zoo/self_functor.h>

#include <cstdlib>

namespace zoo {

namespace {

/*! \brief Memory of a tensor on the heap. */
struct HeapMemory {
  void AllocData(DLTensor* tensor) { tensor->data = std::calloc(ffi::GetDataSize(*tensor), 1); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

Leaf Copy(const Leaf& leaf) { return Leaf(leaf->value); }

}  // namespace

Plain rebuild_plain(Plain node) {
  return Plain(node->flag, node->i8, node->u8, node->i16, node->u16, node->i32, node->u32,
               node->i64, node->u64, node->f32, node->f64, node->dtype, node->order, node->extreme,
               node->device);
}

Device rebuild_device(Device node) {
  return Device(DLDevice{node->device.device_type, node->device.device_id});
}

Values rebuild_values(Values node) {
  // Copied byte for byte into strings of this library.
  ffi::String text(node->text.data(), node->text.size());
  ffi::Bytes data(node->data.data(), node->data.size());
  return Values(text, data, node->anything, node->either);
}

Optionals rebuild_optionals(Optionals node) {
  return Optionals(node->flag, node->i8, node->u8, node->i64, node->u64, node->f32, node->f64,
                   node->dtype, node->order, node->extreme, node->text, node->data, node->either,
                   node->leaf, node->leaves, node->numbers);
}

References rebuild_references(References node) {
  return References(node->leaf, node->anything, node->call, node->tensor, node->dims,
                    node->library);
}

Containers rebuild_containers(Containers node) {
  ffi::Array<int64_t> array;
  for (int64_t element : node->array) array.push_back(element);
  ffi::Array<ffi::String> texts;
  for (const ffi::String& element : node->texts) texts.push_back(element);
  ffi::Array<Leaf> leaves;
  for (const Leaf& element : node->leaves) leaves.push_back(Copy(element));
  ffi::Map<ffi::String, Leaf> map;
  for (const auto& [key, value] : node->map) map.Set(key, Copy(value));
  ffi::List<double> list;
  for (double element : node->list) list.push_back(element);
  ffi::Dict<ffi::String, ffi::Any> dict;
  for (const auto& [key, value] : node->dict) dict.Set(key, value);
  ffi::Tuple<int64_t, ffi::String, Leaf> row(node->row.get<0>(), node->row.get<1>(),
                                             Copy(node->row.get<2>()));
  ffi::Map<ffi::String, ffi::Array<ffi::Map<int64_t, ffi::List<ffi::Bytes>>>> nested;
  for (const auto& [key, value] : node->nested) nested.Set(key, value);
  ffi::Array<ffi::Optional<ffi::Variant<int64_t, ffi::String, Leaf>>> mixed;
  for (const auto& element : node->mixed) mixed.push_back(element);
  return Containers(array, texts, leaves, map, list, dict, row, nested, mixed);
}

Checked rebuild_checked(Checked node) {
  ffi::Array<uint8_t> small;
  for (uint8_t element : node->small) small.push_back(element);
  ffi::Map<ffi::String, Order> orders;
  for (const auto& [key, value] : node->orders) orders.Set(key, value);
  ffi::Tuple<int8_t, Order> pair(node->pair.get<0>(), node->pair.get<1>());
  return Checked(small, orders, pair, node->either);
}

Reserved rebuild_reserved(Reserved node) {
  ffi::Optional<Leaf> match;
  if (node->match.has_value()) match = Copy(node->match.value());
  return Reserved(node->template_, match, node->crate, node->NULL_, node->operator_, node->delete_,
                  node->typeof_);
}

Option rebuild_option(Option node) {
  struct Rebuild : SelfMutator {
    Self VisitNone(const NoneNode* op) final { return None(op->unique_); }
    Self Visitdelete(const deleteNode* op) final {
      ffi::Array<Self> parts;
      for (const Self& part : op->clone) parts.push_back(VisitSelf(part));
      return delete_(parts, op->kind == str::kSelf ? str::kSelf : op->kind);
    }
  };
  ffi::Optional<None> none;
  if (node->none.has_value()) none = None(node->none.value()->unique_);
  return Option(Rebuild().VisitSelf(node->new_), none);
}

Reserved replace_operator(Reserved match, ffi::Any operator_) {
  return Reserved(match->template_, match->match, match->crate, match->NULL_, operator_,
                  match->delete_, match->typeof_);
}

ffi::Tuple<int64_t, int64_t> sizes(Values node) {
  return ffi::Tuple<int64_t, int64_t>(static_cast<int64_t>(node->text.size()),
                                      static_cast<int64_t>(node->data.size()));
}

ffi::Tensor make_tensor(ffi::Shape dims, DLDataType dtype) {
  return ffi::Tensor::FromNDAlloc(HeapMemory{}, dims, dtype, DLDevice{kDLCPU, 0});
}

}  // namespace zoo
