// The common part of the sources of the module _engine.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "traverse/level_statistics.hpp"
#include "workers.hpp"

namespace breadth::python {

namespace nb = nanobind;

template <class Value>
using Array = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;

/// The records of a search's levels, converted to Python objects only on access.
struct SearchLog {
  std::uint64_t reached;
  double seconds;
  std::vector<LevelStatistics> levels;
  LeafPass leaves = {};
};

/// A numpy array that takes over the memory of `values`.
template <class Container>
nb::object to_numpy(Container values) {
  using Value = std::remove_pointer_t<decltype(values.data())>;
  const std::size_t size = values.size();
  auto owner = std::make_unique<Container>(std::move(values));
  Value* const data = owner->data();
  const nb::capsule capsule(owner.get(), [](void* memory) noexcept { delete static_cast<Container*>(memory); });
  owner.release();
  nb::object array = nb::cast(Array<Value>(data, {size}, capsule));
  // nanobind calls such integers long long, a type that numpy keeps apart from its int64, which is long.
  if constexpr (std::is_same_v<Value, std::int64_t>) return array.attr("view")("int64");
  if constexpr (std::is_same_v<Value, std::uint64_t>) return array.attr("view")("uint64");
  return array;
}

/// The array of a variant, as a numpy array.
template <class Variant>
nb::object any_to_numpy(Variant arrays) {
  return std::visit([](auto& array) { return to_numpy(std::move(array)); }, arrays);
}

/// A numpy array that is only read.
template <class Value>
using Input = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> elements(const Input<Value>& array) {
  return {array.data(), array.size()};
}

/// An array of any type that is only read.
using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Element>
std::span<const Element> elements(const AnyArray& array) {
  return {static_cast<const Element*>(array.data()), array.size()};
}

/// The engine's labels of these vertices.
inline std::vector<Label> labels_of(const std::vector<std::int64_t>& indices) {
  std::vector<Label> labels;
  for (const std::int64_t index : indices) labels.push_back(Label{index});
  return labels;
}

/// Calls body(elements) with the weights in their own type.
template <class Body>
auto with_weights(const AnyArray& array, Body&& body) {
  const nb::dlpack::dtype type = array.dtype();
  if (type == nb::dtype<float>()) return body(elements<float>(array));
  if (type == nb::dtype<double>()) return body(elements<double>(array));
  if (type == nb::dtype<std::int64_t>()) return body(elements<std::int64_t>(array));
  if (type == nb::dtype<std::uint64_t>()) return body(elements<std::uint64_t>(array));
  fail<UsageError>("weights are numbers of 32 or 64 bits");
}

/// Calls work() without Python's lock. If signals stop the work, throws Python's error.
template <class Work>
auto without_lock(Work&& work) {
  try {
    const WithoutLock released;
    return work();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

void bind_graph(nb::module_& module);
void bind_memory(nb::module_& module);
void bind_networkx(nb::module_& module);
void bind_output(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_sources(nb::module_& module);

}  // namespace breadth::python
