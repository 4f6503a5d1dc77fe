"""Checks that every relative link of the Markdown pages in a folder leads to a file in that folder, and that the site's
list (mkdocs.yml) has every page. Building the site checks this, too; here it is checked without building."""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)")


def broken_links(page: Path, root: Path):
    """Yields a line such as `docs/a.md:3: the site has no page b.md` for each broken link of a page."""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if not (page.parent / target).resolve().exists():
                yield f"{page.relative_to(root)}:{number}: the site has no page {target} (tools/site copies its pages)"


def main() -> None:
    """Prints the errors of every page, and exits with a non-zero status if there are any."""
    root = Path(sys.argv[1]).resolve()
    listed = set(re.findall(r"[\w/.-]+\.md", Path("mkdocs.yml").read_text()))
    errors = []
    for page in sorted(root.rglob("*.md")):
        errors += broken_links(page, root)
        if str(page.relative_to(root)) not in listed:
            errors.append(f"{page.relative_to(root)} is not in mkdocs.yml's list of pages")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
