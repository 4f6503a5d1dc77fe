"""The options of the program, as `breadth options --json` lists them, and random values for the options.

Nothing here has to change for a new option, because values are drawn from the words and numbers of its declaration.
"""

import json
import math
import re
import subprocess

COMMANDS = {"bfs": 10, "sssp": 8, "components": 3, "graph500": 3}  # by relative frequency
# Options that are not drawn, because the case sets them: the graph, the search on it, the output, the threads.
DECIDED = {
    *("graph", "source", "target", "directed", "input", "output", "json", "config", "profile", "threads"),
    *("max-depth", "max-distance"),
}
# Narrower ranges where the whole range would take long, end a run that is right, or waste memory.
NARROWED = {
    "scale": (1, 9),
    "edgefactor": (1, 24),
    "keys": (1, 6),
    "calibrate": (0, 0.1),
    "coalescing": (1, 1 << 14),
    "watchdog": (3600, 1e6),
}


def lines_of_groups(random, ranks):
    return "".join(f"{random.randrange(ranks)}\n" for _ in range(ranks))


def lines_of_topology(random, ranks):
    return "".join(" ".join(str(random.randrange(3)) for _ in range(4)) + "\n" for _ in range(ranks))


FILES = {"groups": lines_of_groups, "topology": lines_of_topology}  # by option, how its file is drawn
FOLDERS = {"edge-folder"}  # options that name a folder; they get the case's own


class Catalogue:
    """The options of each command that is run, by name."""

    def __init__(self, listed):
        self.commands = {
            command["name"]: {option["name"]: option for option in command["options"]}
            for command in listed["commands"]
            if command["name"] in COMMANDS
        }

    @classmethod
    def of_program(cls, program, environment):
        words = [program, "options", "--json"]
        found = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=120)
        if found.returncode != 0:
            raise SystemExit(f"soak: {' '.join(words)} ended with {found.returncode}: {found.stderr.strip()}")
        return cls(json.loads(found.stdout))

    def shares(self):
        """The commands with their relative frequencies."""
        return [(command, COMMANDS[command]) for command in self.commands]

    def drawn(self, command):
        """The names of the options that are drawn for a command."""
        return [name for name, option in self.commands[command].items() if can_draw(name, option)]

    def not_drawn(self):
        """Options that cannot be drawn, because their declarations have neither words nor numbers."""
        return sorted(
            {
                f"{command} --{name}"
                for command, options in self.commands.items()
                for name, option in options.items()
                if name not in DECIDED and not can_draw(name, option)
            }
        )

    def draw_value(self, random, command, name):
        """Draws a value as a text. If the value is a file, Case.write writes its content."""
        option = self.commands[command][name]
        if name in FILES:
            return f"{name}.txt"
        if name in FOLDERS:
            return "."
        numbers = option.get("numbers")
        words = option["words"]
        if numbers and (not words or random.random() < 0.5):
            return draw_number(random, *NARROWED.get(name, (numbers["least"], numbers["most"])), numbers["whole"])
        return random.choice(words)

    def draw_options(self, random, command):
        """Draws some options with values, by name."""
        names = self.drawn(command)
        count = 0 if random.random() < 0.15 else min(len(names), 1 + int(random.triangular(0, 8, 1)))
        chosen = random.sample(names, count)
        if "preset" in names and "preset" not in chosen and random.random() < 0.4:
            chosen.append("preset")
        return {name: self.draw_value(random, command, name) for name in chosen}


def can_draw(name, option):
    if name in DECIDED or option["kind"] == "argument":
        return False
    return bool(option["words"] or option.get("numbers") or name in FILES or name in FOLDERS)


def draw_number(random, least, most, whole):
    """Draws a number: often an end of the range or close to its lower end, else any, small ones more often."""
    chance = random.random()
    if chance < 0.15:
        value = least
    elif chance < 0.22:
        value = most
    elif chance < 0.6:
        value = min(most, least + random.randint(0, 9) * (1 if whole else random.choice([1, 0.1])))
    else:
        value = min(most, least + math.expm1(random.uniform(0, math.log1p(most - least))))
    return str(int(value)) if whole else f"{value:.6g}"


def named_options(message):
    """The options that a message names, as `--name` or as a variable BREADTH_NAME."""
    names = set(re.findall(r"--([a-z0-9]+(?:-[a-z0-9]+)*)", message))
    return names | {name.lower().replace("_", "-") for name in re.findall(r"BREADTH_([A-Z0-9_]+)", message)}
