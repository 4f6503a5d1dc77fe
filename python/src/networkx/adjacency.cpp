#include "networkx/adjacency.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace breadth::python {

namespace {
constexpr std::size_t entries_per_block = 64;
constexpr std::size_t rows_ahead = 8;
constexpr const char* while_read = "while it was read";
constexpr std::size_t rows_between_signals = std::size_t{1} << 14;

enum class Part : std::uint8_t { keys, values };

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

PyObject* item(const nb::list& list, std::size_t i) {
  return PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(i));  // borrowed
}

/// Prefetches the entries of a dict, which are not stored in the dict object. The fifth word of a dict points to them
/// in every CPython so far. In another version the prefetch has no effect, because any address may be prefetched.
void prefetch_entries(PyObject* dict) {
  constexpr std::size_t line = 64;
  const auto* const entries = *(reinterpret_cast<std::byte* const*>(dict) + 4);
  __builtin_prefetch(entries);
  __builtin_prefetch(entries + line);
}

/// Calls block(objects) with the keys or values of all dicts, one after the other. The objects are prefetched, because
/// each is somewhere else in memory, and waiting for one after the other would take nearly all of the time. They are
/// borrowed: a block that may run Python code must hold references first.
template <class Block>
void for_each_block(const nb::list& rows, Part part, Block&& block) {
  std::array<PyObject*, entries_per_block> objects;
  std::size_t count = 0;
  const std::size_t row_count = rows.size();
  for (std::size_t i = 0; i < row_count; ++i) {
    if (i + 2 * rows_ahead < row_count) __builtin_prefetch(item(rows, i + 2 * rows_ahead));
    if (i + rows_ahead < row_count) prefetch_entries(item(rows, i + rows_ahead));
    if (i % rows_between_signals == 0) check_signals();
    Py_ssize_t place = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    while (PyDict_Next(item(rows, i), &place, &key, &value) != 0) {
      objects[count] = part == Part::keys ? key : value;
      __builtin_prefetch(objects[count]);
      if (++count < entries_per_block) continue;
      block(std::span<PyObject* const>(objects));
      count = 0;
    }
  }
  block(std::span<PyObject* const>(objects).first(count));
}

/// Holds references to borrowed objects while Python code may run.
class Held {
 public:
  explicit Held(std::span<PyObject* const> objects) : objects_(objects) {
    for (PyObject* const object : objects_) Py_IncRef(object);
  }
  ~Held() {
    for (PyObject* const object : objects_) Py_DecRef(object);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  std::span<PyObject* const> objects_;
};

/// Collects the heads of a graph's edges.
class Heads {
 public:
  explicit Heads(std::size_t count) : heads_(count) {}
  void add(std::int64_t index) {
    if (index < 0 || next_ == heads_.size()) raise_changed(while_read);
    heads_[next_++] = static_cast<std::int32_t>(index);
  }
  void start_again() { next_ = 0; }
  [[nodiscard]] Buffer<std::int32_t> finish() {
    if (next_ != heads_.size()) raise_changed(while_read);
    return std::move(heads_);
  }

 private:
  Buffer<std::int32_t> heads_;
  std::size_t next_ = 0;
};

/// Reads rows of ints. Returns whether all neighbours are ints. Runs no Python code.
bool read_integers(const nb::list& rows, const NodeIndices& nodes, Heads& heads) {
  bool all = true;
  for_each_block(rows, Part::keys, [&](std::span<PyObject* const> keys) {
    for (PyObject* const key : keys) {
      all = all && PyLong_CheckExact(key);
      if (!all) return;
      int overflow = 0;
      const std::int64_t integer = PyLong_AsLongLongAndOverflow(key, &overflow);
      const std::uint64_t place = static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(nodes.first);
      heads.add(overflow == 0 && place < nodes.indices.size() ? nodes.indices[place] : -1);
    }
  });
  return all;
}

void read_any(const nb::list& rows, const nb::object& by_node, Heads& heads) {
  for_each_block(rows, Part::keys, [&](std::span<PyObject* const> keys) {
    const Held held(keys);
    for (PyObject* const key : keys) {
      PyObject* const index = PyDict_GetItemWithError(by_node.ptr(), key);
      if (index == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
      heads.add(index == nullptr ? -1 : PyLong_AsLongLong(index));
    }
  });
}

std::string name_of_type(PyObject* object) {
  return nb::cast<std::string>(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object))).attr("__name__"));
}

const char* name_of_kind(const Number& number) { return number.index() == 0 ? "int" : "float"; }

bool lighter(const Number& a, const Number& b) {
  if (a.index() != b.index()) throw Unsuitable{mixed_kinds(name_of_kind(a), name_of_kind(b))};
  if (a.index() == 0) return std::get<std::int64_t>(a) < std::get<std::int64_t>(b);
  const double mine = std::get<double>(a);
  return mine < std::get<double>(b) || mine != mine;  // NaN stays, to be refused later
}

/// Collects weights of one type.
class WeightColumn {
 public:
  explicit WeightColumn(std::size_t count) : count_(count) {}

  void add(const Number& number) {
    if (next_ == 0) begin(number);
    if (next_ == count_) raise_changed(while_read);
    if (number.index() != kind_) throw Unsuitable{mixed_kinds("int", "float")};
    if (kind_ == 0) {
      integers_[next_++] = std::get<std::int64_t>(number);
    } else {
      reals_[next_++] = std::get<double>(number);
    }
  }
  [[nodiscard]] nb::object finish() {
    if (next_ != count_) raise_changed(while_read);
    return kind_ == 0 ? nb::cast(to_numpy(std::move(integers_))) : nb::cast(to_numpy(std::move(reals_)));
  }

 private:
  void begin(const Number& number) {
    kind_ = number.index();
    if (kind_ == 0) integers_ = Buffer<std::int64_t>(count_);
    if (kind_ == 1) reals_ = Buffer<double>(count_);
  }

  std::size_t count_;
  std::size_t next_ = 0;
  std::size_t kind_ = 0;
  Buffer<std::int64_t> integers_;
  Buffer<double> reals_;
};
}  // namespace

void raise_changed(const char* when) {
  PyErr_Format(PyExc_RuntimeError, "the graph changed %s", when);
  throw nb::python_error();
}

std::string mixed_kinds(const std::string& one, const std::string& other) {
  const auto& [first, second] = std::minmax(one, other);
  const std::string kinds = first == second ? first : first + ", " + second;
  return "weights have the types " + kinds + "; they must be all int or all float";
}

std::optional<IntegerNodes> integer_nodes(const nb::list& nodes) {
  const std::size_t count = nodes.size();
  if (count == 0) return std::nullopt;
  std::vector<std::int64_t> integers(count);
  for (std::size_t i = 0; i < count; ++i) {
    int overflow = 0;
    if (!PyLong_CheckExact(item(nodes, i))) return std::nullopt;
    integers[i] = PyLong_AsLongLongAndOverflow(item(nodes, i), &overflow);
    if (overflow != 0) return std::nullopt;
  }
  const auto [lowest, highest] = std::minmax_element(integers.begin(), integers.end());
  IntegerNodes found{.first = *lowest};
  const std::uint64_t span = static_cast<std::uint64_t>(*highest) - static_cast<std::uint64_t>(*lowest);
  constexpr std::size_t emptiest = 8;  // most entries per node
  if (span > emptiest * count + 1024) return std::nullopt;
  found.indices = Buffer<std::int32_t>(span + 1);
  std::fill(found.indices.begin(), found.indices.end(), -1);
  for (std::size_t i = 0; i < count; ++i) {
    found.indices[static_cast<std::size_t>(integers[i] - found.first)] = static_cast<std::int32_t>(i);
  }
  return found;
}

std::optional<Rows> read_rows(const nb::list& rows, const NodeIndices& nodes) {
  const std::size_t count = rows.size();
  Buffer<std::int64_t> starts(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + rows_ahead < count) __builtin_prefetch(item(rows, i + rows_ahead));
    if (!PyDict_CheckExact(item(rows, i))) return std::nullopt;
    starts[i + 1] = starts[i] + PyDict_Size(item(rows, i));
  }
  Heads heads(static_cast<std::size_t>(starts[count]));
  if (nodes.indices.empty() || !read_integers(rows, nodes, heads)) {
    if (nodes.by_node.is_none()) return std::nullopt;
    heads.start_again();
    read_any(rows, nodes.by_node, heads);
  }
  return Rows(std::move(starts), heads.finish());
}

Number WeightReader::of_attributes(PyObject* attributes) const {
  if (!PyDict_CheckExact(attributes)) throw Unsuitable{"the attributes of an edge are not a plain dict"};
  PyObject* const weight = PyDict_GetItemWithError(attributes, attribute_.ptr());  // borrowed
  if (weight == nullptr) {
    if (PyErr_Occurred() == nullptr) return std::int64_t{1};
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();
    throw Unsuitable{"the attribute's name is not hashable"};
  }
  if (PyFloat_CheckExact(weight)) return PyFloat_AsDouble(weight);
  if (!PyLong_CheckExact(weight)) throw Unsuitable{mixed_kinds(name_of_type(weight), name_of_type(weight))};
  int overflow = 0;
  const std::int64_t integer = PyLong_AsLongLongAndOverflow(weight, &overflow);
  if (overflow != 0) throw Unsuitable{"a weight is beyond 64 bits"};
  return integer;
}

Number WeightReader::weight_of(PyObject* edge) const {
  if (!parallel_) return of_attributes(edge);
  if (!PyDict_CheckExact(edge)) throw Unsuitable{"parallel edges are not in a plain dict"};
  const nb::list all = nb::steal<nb::list>(PyDict_Values(edge));
  if (all.size() == 0) throw Unsuitable{"a dict of parallel edges is empty"};
  Number lightest = of_attributes(item(all, 0));
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Number other = of_attributes(item(all, i));
    if (lighter(other, lightest)) lightest = other;
  }
  return lightest;
}

nb::object read_weights(const nb::list& rows, const WeightReader& reader) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!PyDict_CheckExact(item(rows, i))) throw Unsuitable{"the neighbours of a node are not in a plain dict"};
    count += static_cast<std::size_t>(PyDict_Size(item(rows, i)));
  }
  WeightColumn weights(count);
  for_each_block(rows, Part::values, [&](std::span<PyObject* const> edges) {
    const Held held(edges);
    for (PyObject* const edge : edges) prefetch_entries(edge);
    for (PyObject* const edge : edges) weights.add(reader.weight_of(edge));
  });
  return weights.finish();
}

}  // namespace breadth::python
