"""The attributes that copies and pickles of graphs and results keep, if users derive classes of them."""

from __future__ import annotations

import copy
from typing import Any


def slots_of(value: Any, base: type = object) -> dict[str, Any]:
    """Return the attributes in slots that the class of an object adds to a base class."""
    found: dict[str, Any] = {}
    for kind in type(value).__mro__:
        own = () if issubclass(base, kind) else vars(kind).get("__slots__", ())
        for slot in [own] if isinstance(own, str) else own:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{kind.__name__.lstrip('_')}{slot}" if private else slot
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def state_of(value: Any, base: type) -> Any:
    """Return the state that pickle restores on top of the base class: attributes, with slots if there are any."""
    attributes, slots = getattr(value, "__dict__", None), slots_of(value, base)
    return (attributes, slots) if slots else attributes


def copy_attributes(value: Any, twin: Any, base: type, memo: dict[int, Any] | None) -> None:
    """Set on `twin` the attributes that `value` has besides its base's slots; deep copies of them if memo is given."""
    attributes = getattr(value, "__dict__", {}) | slots_of(value, base)
    if memo is not None:
        memo[id(value)] = twin  # an attribute may refer to value itself
        attributes = copy.deepcopy(attributes, memo)
    for name, attribute in attributes.items():
        setattr(twin, name, attribute)
