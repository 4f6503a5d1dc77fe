// Arrays of numbers of any type that belong to Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace breadth::python {

/// The numbers of a contiguous array, read as Value: int64 for labels, any type for weights. The array must outlive the
/// column. Unsigned numbers of 64 bits must be below 2^63.
template <class Value>
class Column {
 public:
  using Number = Value;

  Column() = default;
  template <class Element>
  explicit Column(std::span<const Element> elements)
      : data_(elements.data()), size_(elements.size()), copy_(copy<Element>) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_there() const noexcept { return copy_ != nullptr; }
  /// The numbers themselves if the array has the type Value, else nullptr.
  [[nodiscard]] const Value* values() const noexcept {
    return copy_ == copy<Value> ? static_cast<const Value*>(data_) : nullptr;
  }
  /// Copies elements first, first + 1, …
  void read(std::size_t first, std::span<Value> values) const { copy_(data_, first, values); }

 private:
  template <class Element>
  static void copy(const void* data, std::size_t first, std::span<Value> values) {
    const auto* elements = static_cast<const Element*>(data) + first;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(elements[i]);
  }

  const void* data_ = nullptr;
  std::size_t size_ = 0;
  void (*copy_)(const void*, std::size_t, std::span<Value>) = nullptr;
};
using IntegerColumn = Column<std::int64_t>;
using FloatColumn = Column<float>;
/// Weights that do not fit into 32 bits, if there are any.
using WideColumn = std::variant<std::monostate, Column<double>, Column<std::int64_t>>;

}  // namespace breadth::python
