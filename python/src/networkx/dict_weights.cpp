#include "networkx/dict_weights.hpp"

#include <limits>

namespace breadth::python {

namespace {
constexpr const char* since_conversion = "after it was converted";
}  // namespace

nb::object DictRows::row(std::int32_t node) const {
  PyObject* const name = PyList_GetItem(nodes.ptr(), node);
  PyObject* const found = PyDict_GetItemWithError(adjacency.ptr(), name);  // both borrowed
  if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (found == nullptr) raise_changed(since_conversion);
  nb::object row = nb::borrow(found);
  if (!PyDict_CheckExact(row.ptr())) throw Unsuitable{"the neighbours of a node are not in a plain dict"};
  if (static_cast<std::size_t>(PyDict_Size(row.ptr())) != rows.row(node).size()) raise_changed(since_conversion);
  return row;
}

std::optional<bool> begins_with_float(const DictRows& dicts, const WeightReader& reader, std::int32_t node) {
  const nb::object row = dicts.row(node);
  Py_ssize_t place = 0;
  PyObject* edge = nullptr;
  if (PyDict_Next(row.ptr(), &place, nullptr, &edge) == 0) return std::nullopt;
  const nb::object held = nb::borrow(edge);
  return std::holds_alternative<double>(reader.weight_of(edge));
}

template <class Value>
std::span<const Value> DictWeights<Value>::operator()(std::int32_t node) {
  constexpr std::size_t between_signals = std::size_t{1} << 10;
  if (++rows_read_ % between_signals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  const nb::object row = dicts_->row(node);
  row_.clear();
  Py_ssize_t place = 0;
  PyObject* edge = nullptr;
  while (PyDict_Next(row.ptr(), &place, nullptr, &edge) != 0) {
    const nb::object held = nb::borrow(edge);
    const Number number = reader_->weight_of(edge);
    if (!std::holds_alternative<Value>(number)) throw Unsuitable{mixed_kinds("int", "float")};
    const Value weight = std::get<Value>(number);
    if (!(weight >= 0) || weight > std::numeric_limits<Value>::max()) {
      throw Unsuitable{"a weight is negative, infinite or NaN"};
    }
    row_.push_back(weight);
  }
  if (row_.size() != dicts_->rows.row(node).size()) raise_changed(since_conversion);
  return row_;
}

template class DictWeights<std::int64_t>;
template class DictWeights<double>;

}  // namespace breadth::python
