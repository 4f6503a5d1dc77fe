"""What `breadth options --json` lists, for programs that try options out."""


def words_of(listed, command):
    """The words that each option of a command takes."""
    options = next(one["options"] for one in listed["commands"] if one["name"] == command)
    return {option["name"]: option["words"] for option in options}


def route_options(listed):
    """Options of each route of messages, by its name; of one through monitors, for each way to choose these."""
    monitors = words_of(listed, "graph500")["monitor"]
    routes = {}
    for route in listed["routes"]:
        name = route["name"]
        ways = {f"{name}, {one}": ("--monitor", one) for one in monitors} if route["monitors"] else {name: ()}
        routes |= {way: ("--route", name, *more) for way, more in ways.items()}
    return routes
