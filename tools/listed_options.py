"""Reads the list of `breadth options --json`, for scripts that try options."""


def options_of(listed, command):
    """The options of a command."""
    return next(one["options"] for one in listed["commands"] if one["name"] == command)


def words_of(listed, command):
    """The words that each option of a command accepts, by the option's name."""
    return {option["name"]: option["words"] for option in options_of(listed, command)}


def defaults_of(listed, command):
    """The default of each option of a command, by the option's name."""
    return {option["name"]: option["default"] for option in options_of(listed, command)}


def route_options(listed):
    """The options of each route of messages, by its name. A route through monitors has an entry for each --monitor."""
    monitors = words_of(listed, "graph500")["monitor"]
    routes = {}
    for route in listed["routes"]:
        name = route["name"]
        ways = {f"{name}, {one}": ("--monitor", one) for one in monitors} if route["monitors"] else {name: ()}
        routes |= {way: ("--route", name, *more) for way, more in ways.items()}
    return routes
