#include "networkx/results.hpp"

#include <concepts>
#include <vector>

namespace breadth::python {

namespace {
constexpr std::size_t nodes_ahead = 16;
constexpr std::size_t between_signals = std::size_t{1} << 12;

PyObject* node(const nb::list& nodes, std::int32_t index) {
  PyObject* const found = PyList_GetItem(nodes.ptr(), index);  // borrowed
  if (found == nullptr) throw nb::python_error();
  return found;
}

nb::object check(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

/// Calls body(i, node) for each node of `order`, with the node's object prefetched.
template <class Body>
void for_each_node(const nb::list& nodes, std::span<const std::int32_t> order, Body&& body) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + nodes_ahead < order.size()) __builtin_prefetch(node(nodes, order[i + nodes_ahead]));
    if (i % between_signals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    body(i, node(nodes, order[i]));
  }
}

void set(const nb::dict& dict, PyObject* key, PyObject* value) {
  if (PyDict_SetItem(dict.ptr(), key, value) != 0) throw nb::python_error();
}

nb::object number(std::int64_t value) { return check(PyLong_FromLongLong(value)); }
nb::object number(double value) { return check(PyFloat_FromDouble(value)); }

/// Pauses Python's garbage collector while many lists are made, none of which is garbage. It would examine every dict
/// of the graph again and again, which takes ten times as long as making the lists.
class CollectorPaused {
 public:
  CollectorPaused() : was_enabled_(PyGC_Disable() != 0) {}
  ~CollectorPaused() {
    if (was_enabled_) PyGC_Enable();
  }
  CollectorPaused(const CollectorPaused&) = delete;
  CollectorPaused& operator=(const CollectorPaused&) = delete;

 private:
  bool was_enabled_;
};

/// Sets an item of a list that has no item there yet.
void put(PyObject* list, Py_ssize_t place, PyObject* borrowed) {
  Py_IncRef(borrowed);
  PyList_SetItem(list, place, borrowed);
}
}  // namespace

nb::list names_of(const nb::list& nodes, std::span<const std::int32_t> indices) {
  nb::object names = check(PyList_New(static_cast<Py_ssize_t>(indices.size())));
  for_each_node(nodes, indices,
                [&](std::size_t i, PyObject* name) { put(names.ptr(), static_cast<Py_ssize_t>(i), name); });
  return nb::borrow<nb::list>(names);
}

nb::dict level_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> begins) {
  nb::dict levels;
  nb::object level = number(std::int64_t{0});
  std::size_t depth = 0;
  for_each_node(nodes, order, [&](std::size_t i, PyObject* name) {
    if (static_cast<std::int64_t>(i) == begins[depth + 1]) level = number(static_cast<std::int64_t>(++depth));
    set(levels, name, level.ptr());
  });
  return levels;
}

template <class Value>
nb::dict number_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const Value> numbers,
                     std::size_t sources) {
  nb::dict found;
  const nb::object zero = number(std::int64_t{0});
  for_each_node(nodes, order, [&](std::size_t i, PyObject* name) {
    set(found, name, i < sources ? zero.ptr() : number(numbers[i]).ptr());
  });
  return found;
}
template nb::dict number_dict(const nb::list&, std::span<const std::int32_t>, std::span<const std::int64_t>,
                              std::size_t);
template nb::dict number_dict(const nb::list&, std::span<const std::int32_t>, std::span<const double>, std::size_t);

nb::dict path_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int32_t> parents,
                   bool backwards) {
  const CollectorPaused paused;
  nb::dict paths;
  std::vector<PyObject*> of_node(nodes.size());  // borrowed from the dict
  for_each_node(nodes, order, [&](std::size_t i, PyObject* name) {
    PyObject* const before = parents[i] < 0 ? nullptr : of_node[static_cast<std::size_t>(parents[i])];
    const Py_ssize_t length = before == nullptr ? 0 : PyList_Size(before);
    const nb::object path = check(PyList_New(length + 1));
    for (Py_ssize_t j = 0; j < length; ++j) put(path.ptr(), backwards ? j + 1 : j, PyList_GetItem(before, j));
    put(path.ptr(), backwards ? 0 : length, name);
    set(paths, name, path.ptr());
    of_node[static_cast<std::size_t>(order[i])] = path.ptr();
  });
  return paths;
}

nb::dict list_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> starts,
                   std::span<const std::int32_t> lists) {
  const CollectorPaused paused;
  nb::dict found;
  for_each_node(nodes, order, [&](std::size_t i, PyObject* name) {
    const auto begin = static_cast<std::size_t>(starts[i]);
    const auto count = static_cast<std::size_t>(starts[i + 1]) - begin;
    const nb::object list = check(PyList_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t j = 0; j < count; ++j) {
      put(list.ptr(), static_cast<Py_ssize_t>(j), node(nodes, lists[begin + j]));
    }
    set(found, name, list.ptr());
  });
  return found;
}

}  // namespace breadth::python
