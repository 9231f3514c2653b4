#include <depot/item.h>
#include ITEM_FUNCTOR_H
#include <quay/pallet.h>

#include <string>
#include <utility>

namespace acme {

int64_t ItemNode::Note(ffi::String text) const {
  notes_.emplace_back(text);
  return static_cast<int64_t>(notes_.size());
}

ffi::String ItemNode::Joined() const {
  ++reads;
  std::string text;
  for (const std::string& one : notes_) text += (text.empty() ? "" : ", ") + one;
  return text;
}

namespace {

class Relabel : public ItemMutator {
 protected:
  ItemRef VisitBox(const BoxNode* op) override {
    ItemRef changed = ItemMutator::VisitBox(op);
    Box box(changed->name(), changed->weight(), changed->size,
            tschema::CastNode<BoxNode>(changed.get())->content);
    box->Note("seen by C++");
    return box;
  }
};

}  // namespace

ItemRef relabel(ItemRef item) { return Relabel()(std::move(item)); }

int64_t weigh(ffi::Array<ItemRef> items) {
  int64_t sum = 0;
  for (const ItemRef& item : items) sum += item->weight();
  return sum;
}

namespace storage {

int64_t CrateNode::Find(ffi::String name) const {
  if (index.empty()) {
    for (const ItemRef& item : items) index.emplace(item->name(), index.size());
  }
  auto found = index.find(name);
  if (found == index.end()) return -1;
  last_ = items[found->second];
  return found->second;
}

ffi::Optional<ItemRef> CrateNode::LastFound() const { return last_; }

}  // namespace storage

namespace quay {

storage::Crate pack(ffi::Array<ItemRef> items, int32_t size) {
  static_assert(storage::CrateNode::kIsCounted);
  return storage::Crate("crate", weigh(items), items, size);
}

}  // namespace quay
}  // namespace acme
