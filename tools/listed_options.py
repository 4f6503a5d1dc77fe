"""Reads the list of `breadth options --json`, for scripts that try options."""


def words_of(listed, command):
    """The words that each option of a command accepts, by the option's name."""
    options = next(one["options"] for one in listed["commands"] if one["name"] == command)
    return {option["name"]: option["words"] for option in options}


def route_options(listed):
    """The options of each route of messages, by its name. A route through monitors has an entry for each --monitor."""
    monitors = words_of(listed, "graph500")["monitor"]
    routes = {}
    for route in listed["routes"]:
        name = route["name"]
        ways = {f"{name}, {one}": ("--monitor", one) for one in monitors} if route["monitors"] else {name: ()}
        routes |= {way: ("--route", name, *more) for way, more in ways.items()}
    return routes
