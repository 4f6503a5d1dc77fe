"""Moments and durations of numpy and pandas as Python objects: equal ones become equal objects, whatever their unit."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._blocks import as_list, kinds_of

_NUMPY = (np.datetime64, np.timedelta64)
_DAYS = ("D", "W", "M", "Y")
_MONTHS = ("M", "Y")
# The unit of a moment that datetime cannot hold is the first of these units that holds it exactly.
_UNITS = ("D", "s", "ms", "us", "ns", "ps", "fs", "as", "h", "m", "W", "M", "Y")


def _unit(dtype: np.dtype[Any]) -> str:
    return str(np.datetime_data(dtype)[0])


def _in_unit(array: npt.NDArray[Any], unit: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return moments in a unit, and which of them it holds exactly: numpy rounds, and wraps what is out of range."""
    dtype = np.dtype(f"{array.dtype.kind}8[{unit}]")
    try:
        other = array.astype(dtype)
        return other, other.astype(array.dtype).view(np.int64) == array.view(np.int64)
    except OverflowError:  # a day has more attoseconds than 64 bits count: both units have only the epoch in common
        return np.zeros(len(array), dtype=dtype), array.view(np.int64) == 0


def _in_own_units(array: npt.NDArray[Any]) -> list[Any]:
    """Return moments as numpy objects. Equal moments get one unit: numpy may overflow when it compares units."""
    if _unit(array.dtype) == "generic":
        return list(array)
    months = array.dtype.kind == "m" and _unit(array.dtype) in _MONTHS  # a month has no fixed number of days
    objects = list(array)
    places = np.arange(len(array))
    for unit in _MONTHS if months else _UNITS:
        other, exact = _in_unit(array[places], unit)
        for place, moment in zip(places[exact].tolist(), other[exact], strict=True):
            objects[place] = moment
        places = places[~exact]
        if not places.size:
            break
    return objects


def _objects_of_moments(array: npt.NDArray[Any], days: bool) -> list[Any]:
    """Return moments as datetimes, or as dates if `days` is true and the unit is no finer, and None for NaT."""
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    unit = _unit(array.dtype)
    if unit == "generic" or (array.dtype.kind == "m" and unit in _MONTHS):
        return _in_own_units(array)
    unit = "D" if array.dtype.kind == "M" and days and unit in _DAYS else "us"
    plain, exact = _in_unit(array, unit)
    if array.dtype.kind == "M":
        least, most = (np.datetime64(end).astype(plain.dtype) for end in (datetime.datetime.min, datetime.datetime.max))
        exact &= (plain >= least) & (plain <= most)
    objects: list[Any] = plain.tolist()
    others = np.flatnonzero(~exact & ~np.isnat(array))
    for place, moment in zip(others.tolist(), _in_own_units(array[others]), strict=True):
        objects[place] = moment
    return objects


def _moment_of(label: Any) -> Any:
    """Return a moment or duration of numpy or pandas as numpy's, None for other labels and for NaT."""
    moment = getattr(label, "asm8", label)  # pandas has its value as numpy's there
    if not isinstance(moment, _NUMPY) or getattr(label, "tzinfo", None) is not None:
        return None
    return None if np.isnat(moment) else moment


def _moments_among(objects: npt.NDArray[Any] | list[Any]) -> dict[np.dtype[Any], dict[int, Any]]:
    """Return the moments of numpy and pandas among some objects, by type and position."""
    found: dict[np.dtype[Any], dict[int, Any]] = {}
    if not isinstance(objects, list) and objects.dtype.kind != "O":
        return found
    if any(issubclass(kind, _NUMPY) or hasattr(kind, "asm8") for kind in kinds_of(objects)):
        for place, label in enumerate(objects):
            moment = label if type(label) in _NUMPY else _moment_of(label)
            if moment is not None:
                found.setdefault(moment.dtype, {})[place] = moment
    return found


def as_objects(*columns: npt.NDArray[Any] | list[Any]) -> list[list[Any]]:
    """Return the elements of some columns as Python objects, equal moments as equal objects.

    Moments become datetimes and durations become timedeltas if these hold them exactly, else numpy objects. If no
    column has a unit finer than days, moments become dates, which in Python differ from datetimes.
    """
    moments = [_moments_among(column) for column in columns]
    types = {dtype for found in moments for dtype in found}
    types |= {column.dtype for column in columns if not isinstance(column, list)}
    days = all(_unit(dtype) in _DAYS for dtype in types if dtype.kind == "M")
    return [_objects(column, found, days) for column, found in zip(columns, moments, strict=True)]


def _objects(
    column: npt.NDArray[Any] | list[Any], moments: dict[np.dtype[Any], dict[int, Any]], days: bool
) -> list[Any]:
    if not isinstance(column, list) and column.dtype.kind in "mM":
        return _objects_of_moments(column, days)
    objects: list[Any] = column if isinstance(column, list) else as_list(column)
    for dtype, found in moments.items():
        objects = list(objects)
        plain = _objects_of_moments(np.array(list(found.values()), dtype=dtype), days)
        for place, moment in zip(found, plain, strict=True):
            # A moment of pandas equals its datetime, and has its hash, if there is one: it may stay.
            if isinstance(moment, _NUMPY) or (isinstance(objects[place], _NUMPY) and moment is not None):
                objects[place] = moment
    return objects


def forms(array: npt.NDArray[Any]) -> Iterator[list[Any]]:
    """Yield the elements as objects in each form that a graph's labels may have: a day is a date or a datetime."""
    if array.dtype.kind not in "mM":
        yield as_objects(array)[0]
        return
    yield _objects_of_moments(array, days=True)
    if array.dtype.kind == "M" and _unit(array.dtype) != "generic":
        yield _objects_of_moments(array, days=False)
        day, exact = _in_unit(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")), "D")
        dates = _objects_of_moments(day, days=True)
        yield [date if same else None for date, same in zip(dates, exact.tolist(), strict=True)]


def forms_of_one(label: Any) -> list[Any]:
    """Return the forms that a moment of numpy or pandas may have as a label, none for other objects."""
    moment = _moment_of(label)
    return [] if moment is None else [one for (one,) in forms(np.array([moment]))]


def plain_label(label: Any) -> Any:
    """Return a numpy scalar as a Python object, any other label as it is."""
    if isinstance(label, _NUMPY):
        return as_objects(np.array([label]))[0][0]
    return label.item() if isinstance(label, np.generic) else label


def as_one_type(objects: Sequence[Any]) -> npt.NDArray[Any] | None:
    """Return moments that datetime cannot hold all as a numpy array, None if no unit holds all of them exactly."""
    if not any(isinstance(label, _NUMPY) for label in objects):
        return None
    kind = "m" if isinstance(objects[0], np.timedelta64 | datetime.timedelta) else "M"
    wanted = list(objects)
    for unit in ("D", "s", "ms", "us", "ns"):
        try:
            array = np.array(wanted, dtype=f"{kind}8[{unit}]")
        except (TypeError, ValueError, OverflowError):
            continue
        if all(map(_is_same, as_objects(array)[0], wanted)):
            return array
    return None


def _is_same(moment: Any, other: Any) -> bool:
    """Whether moments have the same type and are equal: numpy may overflow when it compares different units."""
    return getattr(moment, "dtype", None) == getattr(other, "dtype", None) and bool(moment == other)
