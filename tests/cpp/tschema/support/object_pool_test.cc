/*!
 * \file object_pool_test.cc
 * \brief Objects of a pool: they outlive it, alone or in other threads, and die one by one.
 */
#include <gtest/gtest.h>
#include <tschema/object_pool.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace ffi = ::tvm::ffi;

std::atomic<int> num_nodes{0};

/*! \brief A node of some bytes, that refuses a negative number. */
template <size_t kBytes>
class NodeOf : public ffi::Object {
 public:
  int64_t number;
  std::array<char, kBytes> bytes{};

  explicit NodeOf(int64_t number) : number(number) {
    if (number < 0) TVM_FFI_THROW(ValueError) << "negative";
    ++num_nodes;
  }
  NodeOf(const NodeOf&) = delete;
  NodeOf& operator=(const NodeOf&) = delete;
  ~NodeOf() { --num_nodes; }

  static constexpr const char* kKey =
      kBytes < 100 ? "test.object_pool.Small" : "test.object_pool.Large";
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(kKey, NodeOf, ffi::Object);
};

using Small = NodeOf<8>;
using Large = NodeOf<10'000>;

template <typename Node>
ffi::ObjectPtr<Node> MakeNode(tschema::ObjectPool* pool, int64_t number) {
  return pool->make_object<Node>(number);
}

TEST(ObjectPool, ObjectsDieOneByOneAndOutliveThePool) {
  auto pool = std::make_unique<tschema::ObjectPool>();
  std::vector<ffi::ObjectPtr<Small>> nodes;
  for (int64_t i = 0; i < 1000; ++i) nodes.push_back(MakeNode<Small>(pool.get(), i));
  EXPECT_EQ(num_nodes, 1000);
  for (size_t i = 0; i < 1000; i += 2) nodes[i].reset();
  EXPECT_EQ(num_nodes, 500);
  pool.reset();
  for (size_t i = 1; i < 1000; i += 2) EXPECT_EQ(nodes[i]->number, static_cast<int64_t>(i));
  nodes.clear();
  EXPECT_EQ(num_nodes, 0);
}

TEST(ObjectPool, ABlockHoldsAnObjectOfAnySize) {
  tschema::ObjectPool pool;
  const auto first = MakeNode<Small>(&pool, 1);
  const auto large = MakeNode<Large>(&pool, 2);
  const auto last = MakeNode<Small>(&pool, 3);
  large->bytes.fill('x');
  EXPECT_EQ(first->number + large->number + last->number, 6);
}

TEST(ObjectPool, AConstructorThatThrowsLeavesThePoolUsable) {
  tschema::ObjectPool pool;
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_THROW(MakeNode<Small>(&pool, -1), ffi::Error);
    EXPECT_EQ(MakeNode<Small>(&pool, i)->number, i);
  }
  EXPECT_EQ(num_nodes, 0);
}

TEST(ObjectPool, AWeakReferenceOutlivesTheObjectAndThePool) {
  ffi::WeakObjectPtr<Small> weak;
  {
    tschema::ObjectPool pool;
    const ffi::ObjectPtr<Small> node = MakeNode<Small>(&pool, 7);
    weak = ffi::WeakObjectPtr<Small>(node);
    EXPECT_EQ(weak.lock()->number, 7);
  }
  EXPECT_EQ(num_nodes, 0);
  EXPECT_TRUE(weak.expired());
}

TEST(ObjectPool, ACopiedArrayIsWrittenInPlace) {
  tschema::ObjectPool pool;
  const ffi::Array<ffi::Any> array = {1, 2, 3};
  ffi::Array<ffi::Any> copy = pool.Copy(array);
  const ffi::Object* object = copy.get();
  copy.Set(1, 20);
  EXPECT_EQ(copy.get(), object);
  EXPECT_EQ(copy[1].cast<int>(), 20);
  EXPECT_EQ(array[1].cast<int>(), 2);
  copy.push_back(4);
  EXPECT_EQ(copy.size(), 4);
  EXPECT_EQ(copy[3].cast<int>(), 4);
  EXPECT_TRUE(pool.Copy(ffi::Array<ffi::Any>()).empty());
}

TEST(ObjectPool, OtherThreadsMayDropTheObjects) {
  constexpr size_t kThreads = 4;
  std::array<std::vector<ffi::ObjectPtr<Small>>, kThreads> shares;
  {
    tschema::ObjectPool pool;
    for (int64_t i = 0; i < 4000; ++i) {
      shares[static_cast<size_t>(i) % kThreads].push_back(MakeNode<Small>(&pool, i));
    }
  }
  std::vector<std::thread> threads;
  for (auto& share : shares) threads.emplace_back([&share] { share.clear(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_nodes, 0);
}

}  // namespace
