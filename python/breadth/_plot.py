"""Plots of the levels of searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._optional import library

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {"push": "tab:blue", "pull": "tab:orange"}


def plot_levels(
    records: list[dict[str, Any]], step: str, claimed: str, ax: Axes | None, leaves: dict[str, Any] | None = None
) -> Axes:
    """Draw for each level how many vertices it found, by its direction, and how many edges it examined.

    step: the word for a level. claimed: the word for what it does to vertices. leaves: the record of a pass after the
    last level, if there was one.
    """
    pyplot = library("matplotlib.pyplot", "plot()")
    axes: Axes = pyplot.figure().add_subplot() if ax is None else ax
    for direction, colour in _COLOURS.items():
        numbers = [i for i, level in enumerate(records) if level["direction"] == direction]
        if numbers:
            heights = [records[i]["claimed"] for i in numbers]
            axes.bar(numbers, heights, color=colour, label=f"vertices {claimed}, {direction}")
    seconds = sum(level["seconds"] for level in records)
    if leaves:
        seconds += leaves["seconds"]
        axes.bar([len(records)], [leaves["claimed"]], color="tab:green", label=f"vertices {claimed}, of one edge")
    edges = [level["edges_examined"] for level in records]
    axes.plot(range(len(edges)), edges, color="black", marker=".", label="edges examined")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(step)
    axes.set_title(f"{1e3 * seconds:.3g} ms in {len(records)} {step}s")
    axes.legend()
    return axes
