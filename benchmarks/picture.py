#!/usr/bin/env python3
"""Draws the README's picture: GTEPS beside other programs by scale, from the first table of results/bfs.md.

Usage: benchmarks/picture.py > docs/gteps.svg
"""

import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results/bfs.md"
# The programs of the table that are drawn, with their names in the legend.
PROGRAMS = {
    "breadth, 1 rank x 2 threads": "Breadth",
    "GAP bfs, relabelled by degree, huge pages": "GAP, vertices by degree",
    "GAP bfs, 2 threads": "GAP",
}
WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 44, 48
BAR = 34

STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.small { font-size: 12px; fill: #59636e; }
.line { stroke: #d1d9e0; }
.c0 { fill: #0969da; } .c1 { fill: #8c959f; } .c2 { fill: #c9d1d9; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .small { fill: #9198a1; } .line { stroke: #3d444d; }
  .c0 { fill: #4493f8; } .c1 { fill: #7d8590; } .c2 { fill: #484f58; }
}
</style>"""


def first_table(text):
    """GTEPS by scale and program."""
    figures = {}
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:3] == ["scale", "program", "GTEPS"]:
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and cells[0].isdigit() and cells[1] in PROGRAMS:
            figures.setdefault(int(cells[0]), {})[cells[1]] = float(cells[2])
    if not figures:
        sys.exit(f"{RESULTS}: there is no table of scales, programs and GTEPS")
    return figures


def picture(figures):
    top = max(max(of_scale.values()) for of_scale in figures.values())
    step = 5
    highest = step * (int(top / step) + 1)
    height = HEIGHT - TOP - BOTTOM

    def y_of(value):
        return TOP + height * (1 - value / highest)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="GTEPS of breadth-first search by scale, Breadth beside GAP">',
        STYLE,
    ]
    for value in range(0, highest + 1, step):
        y = y_of(value)
        parts.append(f'<line class="line" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="small" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
    x = LEFT
    for i, name in enumerate(PROGRAMS.values()):
        parts.append(f'<rect class="c{i}" x="{x}" y="14" width="12" height="12" rx="2"/>')
        parts.append(f'<text x="{x + 18}" y="25">{name}</text>')
        x += 40 + 8 * len(name)
    group = (WIDTH - LEFT - RIGHT) / len(figures)
    for k, (scale, of_scale) in enumerate(sorted(figures.items())):
        first = LEFT + group * k + (group - BAR * len(PROGRAMS)) / 2
        for i, program in enumerate(PROGRAMS):
            if program not in of_scale:
                continue
            value, x = of_scale[program], first + BAR * i
            y = y_of(value)
            parts.append(
                f'<rect class="c{i}" x="{x + 2:.1f}" y="{y:.1f}" width="{BAR - 4}" '
                f'height="{TOP + height - y:.1f}" rx="2"/>'
            )
            middle = x + BAR / 2
            parts.append(
                f'<text class="small" x="{middle:.1f}" y="{y - 5:.1f}" text-anchor="middle">{value:.3g}</text>'
            )
        middle = LEFT + group * (k + 0.5)
        parts.append(f'<text x="{middle:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">scale {scale}</text>')
    parts.append(
        f'<text class="small" x="{LEFT}" y="{HEIGHT - 8}">billion traversed edges a second (GTEPS), harmonic mean, '
        "every search validated, two cores</text>"
    )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(picture(first_table(RESULTS.read_text())))
