"""Write the lists of ``choosing.md`` from the registries: ``python docs/lists.py``."""

from pathlib import Path

from replicability.core import procedure
from replicability.stats import paired, partial_conjunction
from replicability.stats.local_tests import DEPENDENCE, load

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


def valid(kinds):
    """Say for which datasets a local test is valid."""
    if set(kinds) == set(DEPENDENCE):
        return "anything"
    return " or ".join("positively dependent" if kind == "positive" else kind for kind in kinds)


def local_tests():
    """List the local tests of closed testing, by what they take."""
    default = {name: f"declared `{kind}`" for kind, name in procedure.LOCAL_TESTS.items()}
    default |= {
        procedure.JOINT: "said to be `shared`",
        procedure.DISCRETE: "declared `independent`, "
        f"2 to {procedure.MOST_DRAWN} datasets that McNemar's exact test compares",
    }
    rows = [
        (
            test.title,
            f"`{name}`",
            test.assumes or valid(test.valid_under),
            default.get(name, ""),
            test.strong,
            test.weak,
        )
        for name, test in load().items()
    ]
    header = ("local test", "`method`", "valid if the datasets are", "default if they are")
    return table((*header, "strong if", "weak if"), rows)


LISTS = {"tests": tests, "estimators": estimators, "local tests": local_tests}
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
