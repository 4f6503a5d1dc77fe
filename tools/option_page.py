#!/usr/bin/env python3
"""Prints docs/options.md, which has every option of the program, from the program's own table.

Usage: tools/option_page.py [PROGRAM] > docs/options.md
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADINGS = {
    "everyday": "Everyday",
    "layout": "Layout: how the graph is stored",
    "search": "Search: directions, levels and buckets",
    "ranks": "Ranks: hubs, replication and messages",
    "paper": "Paper: techniques of papers, kept for comparison",
    "device": "Device: searches on a GPU",
    "machine": "Machine: binding, instructions and memory",
}
OPENING = """# Options

Every option of every command, by group, as `breadth options` lists them. This page is made from the program's own
table: `tools/option_page.py build/release/bin/breadth > docs/options.md`.

```
breadth graph500 --scale 20 --direction push     # on the command line
BREADTH_DIRECTION=push breadth graph500 …        # in the environment
breadth graph500 --config run.toml …             # in a TOML file: direction = "push", or in a table [graph500]
```

The command line overrides a file, a file the environment, the environment a profile (`--profile`), and a profile a
preset (`--preset`). An option that has no effect with the other options is an error if you gave it, and is ignored if a
preset or a profile set it; "no effect" says when that is. On one rank, options that need several ranks are accepted, so
that one command serves any number of ranks, and a line on standard error names them. "from" names a paper and its
sections; [Papers](#papers) has the titles.

The page [Papers](papers.md) lists every technique of each paper, with the values that switch it on and off, the section
that explains it, and its figure.
"""
PAPERS = {
    "Beamer et al. 2012": "S. Beamer, K. Asanović, D. Patterson: Direction-Optimizing Breadth-First Search. SC 2012",
    "Chakaravarthy et al. 2014": "V. T. Chakaravarthy et al.: Scalable Single Source Shortest Path "
    "Algorithms for Massively Parallel Systems. IPDPS 2014",
    "Checconi & Petrini 2014": "F. Checconi, F. Petrini: Traversing Trillions of Edges in "
    "Real-time: Graph Exploration on Large-scale Parallel Machines. IPDPS 2014",
    "Cui et al. 2012": "Z. Cui et al.: Evaluation and Optimization of Breadth-First Search on NUMA Cluster. 2012",
    "Fuentes et al. 2014": "P. Fuentes et al.: Characterizing the Communication Demands of the "
    "Graph500 Benchmark on a Commodity Cluster. 2014",
    "Gan & Zhang 2021": "X. Gan, Y. Zhang: TianheGraph: Customizing Graph Computation for Tianhe "
    "Exascale Supercomputing System. 2021",
    "Graph500": "[Specification 2.0](https://graph500.org/?page_id=12) and [reference, release "
    "3.0](https://github.com/graph500/graph500)",
    "Hoefler et al. 2010": "T. Hoefler, C. Siebert, A. Lumsdaine: Scalable Communication Protocols "
    "for Dynamic Sparse Data Exchange. PPoPP 2010",
    "Meyer & Sanders 2003": "U. Meyer, P. Sanders: Δ-stepping: a parallelizable shortest path "
    "algorithm. Journal of Algorithms 49, 2003",
    "Pan et al. 2018": "Y. Pan, R. Pearce, J. D. Owens: Scalable Breadth-First Search on a GPU Cluster. 2018",
    "Zhang et al. 2020": "Y. Zhang et al.: Optimizing Ordered Graph Algorithms with GraphIt. CGO 2020",
}


def merged(commands):
    """Each option with its commands, once for each different meaning, default and range."""
    rows = {}
    for command in commands:
        for option in command["options"]:
            if option["kind"] == "argument":
                continue
            key = (option["name"], option["meaning"], option["default"], option["range"])
            rows.setdefault(key, (option, []))[1].append(command["name"])
    return list(rows.values())


def cell(text):
    return text.replace("|", "\\|")


def row(option, commands):
    lines = [option["meaning"]]
    default = "has to be given" if option["required"] else f"default: {option['default'] or 'none'}"
    lines.append(f"{option['range']}; {default}")
    if option["was"]:
        lines.append(f"was: `--{option['was']}`, which still works until the next release")
    if option["without_effect"]:
        lines.append("no effect: " + "; ".join(option["without_effect"]))
    if option["excludes"]:
        lines.append("excludes: " + ", ".join(f"`--{name}`" for name in option["excludes"]))
    if option["tuned"]:
        lines.append("tuned: " + ", ".join(option["tuned"]))
    if option["from"]:
        lines.append("from: " + option["from"])
    return f"| `--{option['name']}` | {', '.join(commands)} | {cell('<br>'.join(lines))} |"


def papers(options):
    """The table of papers, each with the options that come from it."""
    parts = ["\n## Papers\n\n| paper | title | options |\n|---|---|---|\n"]
    for paper, title in PAPERS.items():
        names = sorted({f"`--{option['name']}`" for option, _ in options if paper in option["from"]})
        parts.append(f"| {paper} | {title} | {' '.join(names)} |\n")
    return "".join(parts)


def page(table):
    options = merged(table["commands"])
    parts = [OPENING]
    for group, heading in HEADINGS.items():
        parts.append(f"\n## {heading}\n\n| option | commands | what it is |\n|---|---|---|\n")
        parts += [row(option, commands) + "\n" for option, commands in options if option["group"] == group]
    parts.append("\n## Presets\n\n| preset | what it is | sets |\n|---|---|---|\n")
    for preset in table["presets"]:
        values = " ".join(f"`--{name} {value}`" for name, value in preset["sets"].items())
        source = f"<br>from: {preset['from']}" if preset["from"] else ""
        source += f"<br>differs: {preset['differs']}" if preset["differs"] else ""
        parts.append(f"| `{preset['name']}` | {cell(preset['meaning'] + source)} | {values or 'nothing'} |\n")
    parts.append(papers(options))
    return "".join(parts)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/breadth"
    text = subprocess.run([program, "options", "--json"], capture_output=True, text=True, check=True).stdout
    sys.stdout.write(page(json.loads(text)))


if __name__ == "__main__":
    main()
