"""Write lists of the docs from the registries: ``python docs/lists.py``."""

import re
from pathlib import Path

import pandas as pd

from analysis import paths
from analysis.methods import release_rules
from replicability.cli.flags import option
from replicability.core import procedure
from replicability.io.declared import KEYS, OF_GATES, READING, Columns, ComparisonKeys, Files
from replicability.stats import paired
from replicability.stats.local_tests import DEPENDENCE, load


def table(header, rows):
    """Lay out a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def tests():
    """List the tests of one dataset; those below a test take what it takes."""
    rows, before = [], ""
    for name, test in paired.TESTS.items():
        takes = paired.TAKES[test.takes]
        same = takes == before
        rows.append((f"`{name}`", "" if same else takes, test.pvalue, test.margin or "none"))
        before = takes
    return table(("test", "takes", "p-value", "margin"), rows)


def valid(kinds):
    """Say for which datasets a local test is valid."""
    if set(kinds) == set(DEPENDENCE):
        return "dependent in any way"
    return " or ".join("positively dependent" if kind == "positive" else kind for kind in kinds)


def local_tests():
    """List the local tests of closed testing, by what they take."""
    default = {name: f"declared `{kind}`" for kind, name in procedure.LOCAL_TESTS.items()}
    default |= {
        procedure.JOINT: "declared `shared`",
        procedure.DISCRETE: "declared `independent`: "
        f"2 to {procedure.MOST_DRAWN}<!-- most_drawn --> datasets compared by McNemar's exact "
        "test",
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


EXPLAINED = {
    "successes": "formats.md#successes-in-trials",
    "trials": "formats.md#successes-in-trials",
    "human": "choosing.md#what-if-a-judge-is-biased",
    "run": "formats.md#several-runs",
    "repeats": "formats.md#several-runs",
    "format": "formats.md",
    "metric": "formats.md#which-tables-can-i-use",
    "filter": "formats.md#lm-evaluation-harness",
    "items": "formats.md#lists-of-identifiers",
    "unit": "choosing.md#what-is-my-unit-of-analysis",
    "missing": "formats.md#what-is-the-same-for-all-formats",
    "sided": "choosing.md#what-if-i-only-have-p-values",
    "shared": "choosing.md#what-if-datasets-share-units",
    "claim_covers": "choosing.md#what-do-averaged-runs-show",
    "claim": "choosing.md#how-do-i-show-not-worse-or-equivalent",
    "dependence": "reading.md#are-my-datasets-independent",
    "documents": "formats.md#translations",
    "lists": "formats.md#lists-of-identifiers",
    "match": "formats.md#two-folders-of-tables",
    "n_flips": "choosing.md#what-if-datasets-share-units",
    "over_datasets": "choosing.md#can-i-generalise-to-other-datasets",
    "resolution": "reading.md#what-if-a-p-value-is-zero",
    "tokenize": "formats.md#translations",
    "alternative": "choosing.md#one-direction-or-both",
    "procedure": "choosing.md#which-procedure-fits-my-datasets",
    "method": "choosing.md#which-procedure-fits-my-datasets",
    "metrics": "metrics.md",
    "ask_first": "choosing.md#how-do-i-compare-more-than-two-systems",
}
"""Field -> the section of the docs that explains it, so that the list needs a line only."""


def _meaning(name, said):
    """Say what a field means, in one line if a section explains it."""
    meaning = (said.meaning if name not in EXPLAINED else said.help).replace("|", "\\|")
    if name not in EXPLAINED:
        return meaning
    first = re.split(r"(?<=\w[.]) (?=[A-Z`])", meaning, maxsplit=1)[0]
    first = re.sub(r": \w+(?:, \w+)+ or \w+[.]$", ".", first)  # names, which the section lists
    *most, last = (f"`{value}`" for value in said.values or [""])
    return f"{first.rstrip('.')}: {', '.join(most)} or {last}." if most else first


def keys():
    """List the fields that users set, by their names at each door; a page has those of gates."""
    rows = []
    for name, said in KEYS.items():
        if name in OF_GATES:
            continue
        flag = f"`{option(name)}`"
        if name == "dependence":
            flag = ", ".join(f"`--{value}`" for value in said.values)
        elif name == "higher_is_better":
            flag += ", `--lower-is-better`"
        elif name == "sided":
            flag += " of `pvalues`"
        key, same = _key(name), f"`--{name.replace('_', '-')}`"
        linked = f"[{key}](../docs/{EXPLAINED[name]})" if name in EXPLAINED else key
        python = [f"`{name}=`"] * (not key.startswith(f"`{name}`"))
        names = [linked, *python, *[flag] * (flag != same)]
        rows.append((", ".join(names), _meaning(name, said), said.left_out))
    return table(("key", "meaning", "if it is left out"), rows)


def _key(name):
    """Name a field as a study does."""
    if name == "gold":
        return "`columns.gold`, `files.gold`"
    if name in ("a", "b"):
        return "`systems`"
    if name == "alpha":
        return "`alphas`"
    of_columns = name in Columns.types() and name in READING
    places = {"columns": of_columns, "files": name in Files.types()}
    for place, holds in places.items():
        if holds:
            return f"`{place}.{name}`"
    if name in ("against", "ask_first"):
        return f"`{name}` of a family"
    return f"`{name}`" if name in ComparisonKeys.types() else ""


def releases():
    """List how often rules for releases block, by suite and by what got worse."""
    rates = pd.read_csv(paths.ROOT / "data" / "simulations" / "releases.csv")
    rates = rates[rates["discordant"] == 0.1]
    blocked = rates.assign(share=rates["blocked"] / rates["releases"]).pivot_table(
        index=["worse", "suite", "n"], columns="rule", values="share"
    )
    rules = {"worst": "worst verdict", "mean": "mean", "gate": "gate"}
    rules["independent"] = "gate, independent"
    rows = [
        (
            change,
            f"{suite} ({n})",
            *(f"{100 * blocked.loc[change, suite, n][rule]:.1f}%" for rule in rules),
        )
        for change in release_rules.CHANGES
        for suite, n in blocked.loc[change].index
    ]
    return table(("worse", "suite (benchmarks)", *rules.values()), rows)


PAGES = {
    "gate.md": {"rules for releases": releases},
    "choosing.md": {"tests": tests, "local tests": local_tests},
    "../config/README.md": {"keys": keys},
}
"""Page -> its lists, each between two comments of its name, and how they are made."""


def filled(text, lists):
    """Return the text of a page with its lists made again."""
    for name, make in lists.items():
        first, last = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        before, rest = text.split(first)
        text = f"{before}{first}{make()}{last}{rest.split(last)[1]}"
    return text


if __name__ == "__main__":
    for name, lists in PAGES.items():
        page = Path(__file__).parent / name
        page.write_text(filled(page.read_text(encoding="utf-8"), lists), encoding="utf-8")
