"""Write the lists of ``choosing.md`` from the registries: ``python docs/lists.py``."""

from pathlib import Path

from replicability.stats import paired, partial_conjunction

PAGE = Path(__file__).with_name("choosing.md")
"""The page that holds the lists, each between two comments of its name."""


def table(header, rows):
    """Lay out a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def tests():
    """List the tests of one dataset."""
    rows = [
        (f"`{name}`", paired.TAKES[test.takes], test.metrics, test.pvalue, test.margin or "none")
        for name, test in paired.TESTS.items()
    ]
    return table(("test", "takes", "compares", "p-value", "margin"), rows)


def estimators():
    """List the estimators of the number of datasets."""
    rows = [
        (f"`{name}`", entry.title, " or ".join(entry.valid_under) or "no guarantee")
        for name, entry in partial_conjunction.ESTIMATORS.items()
    ]
    return table(("method", "estimator", "valid for datasets that are"), rows)


LISTS = {"tests": tests, "estimators": estimators}
"""Name of a list -> how it is made."""


def filled(text):
    """Return the text of the page with its lists made anew."""
    for name, make in LISTS.items():
        first, last = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        before, rest = text.split(first)
        text = f"{before}{first}{make()}{last}{rest.split(last)[1]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
