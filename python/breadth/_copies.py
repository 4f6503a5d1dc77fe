"""What copies and pickles keep of graphs and results whose class a user derived."""

from __future__ import annotations

import copy
from typing import Any


def slots_of(value: Any, base: type = object) -> dict[str, Any]:
    """Return the attributes that an object has in slots: those that its class adds to a base."""
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
    """Return what pickle sets of an object that is made as one of its base: attributes, and slots if there are any."""
    attributes, slots = getattr(value, "__dict__", None), slots_of(value, base)
    return (attributes, slots) if slots else attributes


def copy_attributes(value: Any, twin: Any, base: type, memo: dict[int, Any] | None) -> None:
    """Give another object of the same class what it has beside its base's slots; copies of it with a memo."""
    attributes = getattr(value, "__dict__", {}) | slots_of(value, base)
    if memo is not None:
        memo[id(value)] = twin  # which an attribute may be
        attributes = copy.deepcopy(attributes, memo)
    for name, attribute in attributes.items():
        setattr(twin, name, attribute)
