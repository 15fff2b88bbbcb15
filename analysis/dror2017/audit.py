"""The numbers of Dror et al. (2017): which follow from what is printed, from theory, by simulation.

`verdicts` has them all. The functions behind it judge one kind of number each, in the order of the
paper's items, and return verdicts of `replicability.forensics`; `columns_of` reads what the paper
prints of each comparison.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import studies
from analysis.methods import simulation
from analysis.published import NEEDS_OUTPUTS, read_published
from replicability import forensics
from replicability.core.findings import marks
from replicability.io import delimited
from replicability.io.study import Comparison
from replicability.stats import partial_conjunction

PAPER = "Dror et al. 2017"

NOT_REPEATED = (
    "The claim describes data or systems from other sources, and the paper states it nowhere else."
)

IN_CHOI = "The paper takes the value from Table 1 of Choi et al. (2015), which we could not obtain."

COPIED = "The paper copies the value from {}, whose tables we could not obtain."

SUPPLEMENT = "the second author's script of January 2017"

SIDES = {
    "greater": "one-sided for A",
    "less": "one-sided for B",
    "leader": "one-sided for the system ahead",
    "two-sided": "two-sided",
}
"""Side of a column of p-values -> what a reader calls it."""


@dataclass(frozen=True, eq=False)
class Column:
    """The p-values that the paper prints for one comparison, and the numbers printed next to them.

    Attributes
    ----------
    comparison : study.Comparison
        What is compared, and which columns of the table say so.
    table : DataFrame of str
        The table, as printed.
    """

    comparison: Comparison
    table: pd.DataFrame

    @property
    def item(self):
        """Where it is printed, such as "Table 3"."""
        return f"Table {self.comparison.file.removesuffix('.csv')[-1]}"

    @property
    def datasets(self):
        """Names of the datasets."""
        return list(self.table[self.comparison.columns["dataset"]])

    @property
    def pvalues(self):
        """p-values as printed."""
        return list(self.table[self.comparison.columns["p_value"]])

    @property
    def systems(self):
        """Both systems, as readers know them."""
        return tuple(map(self.comparison.called, self.comparison.systems))

    @property
    def scores(self):
        """Scores of both systems as printed."""
        return [list(self.table[system]) for system in self.comparison.columns["scores"]]


def columns_of(study):
    """Read the columns of p-values that a study's comparisons name.

    `study`: file of the study, such as ``config/paper.yaml``.

    Returns dict of str to Column. Title of the comparison -> its column, in the order of the study.
    """
    comparisons = studies.read_study(study).comparisons
    return {c.title: Column(c, delimited.read_table(c.file)) for c in comparisons}


def verdicts(columns, alphas, examples, n_families, seed):
    """Judge every number, list and direction of the paper.

    `columns` (dict of str to Column): as `columns_of` returns them for the published study.
    `alphas` (sequence of float): levels of the printed marks, the usual one first. `examples` (dict
    of str to sequence of (int, float)): toy example of Section 5 -> its groups of datasets, each a
    size and a correlation. `n_families`: families drawn for a probability without a formula.
    `seed`: source of random numbers.

    Returns list of Verdict. One per number, list or direction.
    """
    found = [
        *counts(columns, alphas[0]),
        *identified(columns, alphas),
        *directions(columns),
        *parsing_pvalues(columns),
        *mcnemar_pvalues(columns),
        *correlation_pvalues(),
        *toy_probabilities(examples, n_families, seed),
        *multiplicity(),
        *outputs_not_printed(columns),
        *settings(columns),
        *cited_numbers(),
        *sizes_by_choi(),
    ]
    for item in ("sections1_to_3", "section6_1", "section6_3_text"):
        found += forensics.remaining(PAPER, _printed(item), found, NOT_REPEATED)
    return found


def counts(columns, alpha):
    """Judge the counts of Table 1, of footnote 13 and of the text of Section 6.3.

    `columns`: as `columns_of` returns them. `alpha`: level where the text names none.

    Returns list of Verdict. All follow from the p-values of Tables 2 to 5.
    """
    pvalues = {title: column.pvalues for title, column in columns.items()}
    text = _printed("section6_3_text")
    modes = {title: printing.mode for title, printing in printings(columns).items()}
    found = forensics.counts_table(PAPER, "Table 1", _printed("table1"), pvalues, modes)
    found += forensics.counts_table(PAPER, "footnote 13", _printed("footnote13"), pvalues, modes)
    found += forensics.quoted_counts(PAPER, text, pvalues, alpha)
    quoted = forensics.quoted(PAPER, text)
    sizes = zip(list(columns)[1:], quoted["Table 1"].values(), strict=True)
    found += [
        forensics.value(claim, len(pvalues[title]), "The number of printed p-values.", trivial=True)
        for title, claim in sizes
    ]
    targets = _printed("table4")["setup"].str[-1].value_counts()
    return [
        *found,
        forensics.value(
            quoted["6.3"]["sentiment: other setups with the same test set"],
            targets.max() - 1,
            "The number of other setups with the same target domain.",
            trivial=True,
        ),
        forensics.count(
            quoted["6.3"]["Mate-SpaCy: domains identified"],
            pvalues["Mate-SpaCy"],
            alpha,
            "bonferroni",
            trivial=True,
        ),
    ]


def identified(columns, alphas):
    """Judge the marks of Tables 3 to 5 and the datasets that Section 6.3 names.

    `columns`: as `columns_of` returns them. `alphas`: levels of the marks.

    Returns list of Verdict. On lists of datasets: do the printed p-values give them by Holm's
    procedure?
    """
    levels = dict(zip(marks.MARKS, alphas, strict=False))
    found = []
    for title, column in columns.items():
        if "mark" in column.table:
            at = column.datasets, column.pvalues, column.table["mark"], levels
            found += forensics.marks_column(PAPER, column.item, title, *at)
    for row in _printed("section6_3").itertuples():
        names, column = row.identified.split(";"), columns[row.comparison]
        claim = _claim("Section 6.3", f"{row.comparison}: datasets identified", ", ".join(names))
        at = column.datasets, column.pvalues, float(row.alpha)
        found.append(forensics.marks(claim, names, *at))
    return found


def directions(columns):
    """Judge "A outperforms B" for the datasets that Section 6.3 names, by the scores beside them.

    `columns`: as `columns_of` returns them.

    Returns list of Verdict. One per dataset. The paper says it of no other dataset: it counts small
    p-values, and calls the number of them error-prone.
    """
    found = []
    for row in _printed("section6_3").itertuples():
        column = columns[row.comparison]
        systems = column.systems
        for name in row.identified.split(";"):
            i = column.datasets.index(name)
            said = f"{systems[0]} outperforms {systems[1]} on {name}"
            scores = (texts[i] for texts in column.scores)
            found.append(
                forensics.direction(
                    _claim("Section 6.3", said, column.pvalues[i]),
                    *scores,
                    systems,
                    column.comparison.test,
                )
            )
    return found


def supplement(columns):
    """Find the vectors of the supplement whose digits are those of a printed column.

    `columns`: as `columns_of` returns them.

    Returns dict of str to list of str. Title of the comparison -> for each dataset the p-value of
    the supplement, "" where it has none. A vector belongs to the only column of which it can be the
    first rows, with digits rounded or cut off.
    """
    vectors = _printed("supplement").groupby("vector", sort=False)["p_value"].agg(list)
    found = {}
    for vector in vectors:
        fits = [
            title
            for title, column in columns.items()
            if len(vector) <= len(column.pvalues)
            and all(
                printed.low <= float(value) <= printed.high
                for value, printed in zip(
                    vector,
                    (forensics.printed_interval(p, None, "either") for p in column.pvalues),
                    strict=False,
                )
            )
        ]
        if len(fits) == 1:
            found[fits[0]] = vector + [""] * (len(columns[fits[0]].pvalues) - len(vector))
    return found


def printings(columns):
    """Infer whether the p-values of each column are rounded or cut off.

    `columns`: as `columns_of` returns them.

    Returns dict of str to Printing. By the digits of the supplement; where there are none, nothing
    is known.
    """
    longer = supplement(columns)
    return {
        title: forensics.infer_printing(
            column.pvalues,
            [
                forensics.printed_interval(more, None, "either") if more else None
                for more in longer.get(title, [""] * len(column.pvalues))
            ],
        )
        for title, column in columns.items()
    }


def readings(columns):
    """Tabulate how each column of p-values is printed, and whom its p-values can be for.

    `columns`: as `columns_of` returns them.

    Returns DataFrame of str. One row per comparison, columns for readers: what `printings` and
    `infer_side` say.
    """
    modes, rows = printings(columns), []
    for title, column in columns.items():
        test, mode = column.comparison.test, modes[title]
        sides = forensics.infer_side(column.pvalues, *column.scores, test)
        possible = sides.loc[sides["possible"], "side"].map(SIDES)
        wrong = sides.set_index("side")["misfits"]
        rows.append(
            {
                "Comparison": title,
                "Digits": {"truncated": "cut off", "either": "not known"}.get(mode.mode, mode.mode),
                "Known cells": mode.cells,
                "fit if rounded": mode.rounded,
                "fit if cut off": mode.truncated,
                "Wrong side of 1/2 if for A": wrong["greater"],
                "if for the system ahead": wrong["leader"],
                "p-values can be": ", ".join(possible),
            }
        )
    return pd.DataFrame(rows)


def both_readings(columns, alphas):
    """Count the datasets again under each reading of the side of the p-values.

    `columns` (dict of str to Column): as `columns_of` returns them. `alphas` (sequence of float):
    levels, for each comparison and direction by itself.

    Returns DataFrame. One row per comparison and level: k-hat of the paper's method for A by the
    printed p-values, and for A and for B if they are one-sided for the system ahead or two-sided,
    from the scores and the largest p-values that are printed so.
    """
    kinds = _printed("table1").set_index("comparison")["dependence"].to_dict()
    modes, rows = printings(columns), []
    for title, column in columns.items():
        method = "fisher" if kinds[title] == "independent" else "bonferroni"
        p = forensics.printed_pvalues(column.pvalues, modes[title].mode)[1]
        a, b = (np.array([float(text) for text in texts]) for texts in column.scores)
        for alpha in alphas:
            row = {"Comparison": title, "alpha": alpha, "Method": method, "n": len(p)}
            row["as printed"] = partial_conjunction.k_hat(p, alpha, method)
            for name, share in (("for the system ahead", 1), ("two-sided", 2)):
                for system, lead in (("A", a > b), ("B", b > a)):
                    one = np.where(lead, p / share, 1 - p / share)
                    row[f"{system}, {name}"] = partial_conjunction.k_hat(one, alpha, method)
            rows.append(row)
    return pd.DataFrame(rows)


def both_systems(column, alpha):
    """Bound on how many datasets the systems of a column differ, and on how many each is better.

    `column` (Column): its p-values and scores. `alpha`: the bounds hold together with confidence 1
    - alpha.

    Returns BothSystems. Read as two-sided and as one-sided for the system ahead, where `infer_side`
    allows it.
    """
    test = column.comparison.test
    sides = forensics.infer_side(column.pvalues, *column.scores, test).set_index("side")
    return forensics.bound_both(
        column.pvalues,
        *column.scores,
        column.systems,
        alpha,
        sided="unknown" if sides["possible"]["leader"] else "two",
        dependence=column.comparison.dependence,
    )


def parsing_pvalues(columns):
    """Judge the p-values of Table 2 by those of the supplement, which have more digits.

    `columns`: as `columns_of` returns them.

    Returns list of Verdict. One per p-value that the supplement has; agreement is trivial.
    """
    modes, longer = printings(columns), supplement(columns)
    found = []
    for title, column in columns.items():
        if column.item != "Table 2" or title not in longer:
            continue
        name = column.comparison.columns["p_value"]
        rows = zip(column.datasets, column.pvalues, longer[title], strict=True)
        for dataset, text, more in rows:
            claim = _claim("Table 2", f"{name} of {dataset}", text)
            found.append(
                forensics.value(
                    claim,
                    forensics.printed_interval(more, None, "either"),
                    f"{more} in {SUPPLEMENT}. {modes[title]}",
                    trivial=True,
                    printing=modes[title].mode,
                )
            )
    return found


def mcnemar_pvalues(columns):
    """Judge the accuracies and p-values of Table 4 by all that McNemar's test can give.

    `columns`: as `columns_of` returns them.

    Returns list of Verdict. Whether 2,000 reviews can give each accuracy, and two of them the
    p-value, by the form of the test that gave the column.
    """
    table, systems, n = _sentiment()
    found = forensics.granularity_table(PAPER, "Table 4", table, "setup", systems, n)
    scores = (table[system] for system in systems)
    longer = supplement(columns)["AE-SCL-SR-MSDA"]
    return found + forensics.mcnemar_column(
        PAPER, "Table 4", table["setup"], table["p-value"], *scores, n, longer=longer
    )


def mcnemar_forms(columns, first=6):
    """Weigh the forms of McNemar's test for Table 4, with the digits of the supplement.

    `columns` (dict of str to Column): as `columns_of` returns them. `first`: number of rows, the
    likeliest.

    Returns DataFrame. As `forensics.infer_mcnemar`, under names for readers.
    """
    table, systems, n = _sentiment()
    scores = (table[system] for system in systems)
    longer = supplement(columns)["AE-SCL-SR-MSDA"]
    found = forensics.infer_mcnemar(table["p-value"], *scores, n, longer=longer).head(first)
    return pd.DataFrame(
        {
            "Form": found["variant"],
            "Side": found["side"].map(SIDES),
            "Digits": found["printing"].replace("truncated", "cut off"),
            f"of {len(table)} p-values": found["possible"],
            "by accident": found["expected"].map("{:.1f}".format),
            "chance of so many": found["chance"].map("{:.2g}".format),
            "weight": found["weight"].map("{:.2g}".format),
        }
    )


def orders_of_table5(alpha):
    """Count the datasets of Table 5 in every order of its rows that makes its p-values possible.

    `alpha`: level, for each direction by itself.

    Returns DataFrame. One row per p-value that can stand beside YP-130, the one set on which GloVe
    is ahead: ``p-value``, and k-hat by Bonferroni for W2V and for GloVe, two-sided. Other rows do
    not matter to counts.
    """
    table, sizes = _printed("table5"), _sizes()["5"]
    at = [list(table[name]) for name in ("p-val.", "W2V", "GLOVE")]
    possible = forensics.possible_places(*at, [sizes[name] for name in table["dataset"]])
    row = list(table["dataset"]).index("YP-130")
    p = forensics.printed_pvalues(at[0], "either")[1] / 2
    rows = {}
    for i in np.flatnonzero(forensics.orders(possible)[:, row]):
        w2v = np.where(np.arange(len(p)) == i, 1 - p, p)
        counts = (partial_conjunction.k_hat(q, alpha, "bonferroni") for q in (w2v, 1 - w2v))
        rows[at[0][i]] = tuple(counts)
    return pd.DataFrame(
        [(text, *counted) for text, counted in rows.items()],
        columns=["p-value of YP-130", "W2V better", "GloVe better"],
    )


def correlation_pvalues():
    """Judge the p-values of Table 5 by all that tests of two correlations can give.

    Returns list of Verdict. One per dataset. The paper prints no numbers of word pairs, and the
    program of Faruqui and Dyer (2014) that it used leaves out pairs with a word without a vector.
    """
    table = _printed("table5")
    at = table["dataset"], table["p-val."], table["W2V"], table["GLOVE"]
    sizes = _sizes()["5"].to_dict()
    return forensics.correlation_column(PAPER, "Table 5", *at, sizes, fewer=True)


def toy_probabilities(examples, n_families, seed):
    """Judge the simulated probabilities of Section 5, exact where there is a formula.

    Returns list of Verdict. One per probability, and one on the number of hypotheses.
    """
    toy = _printed("section5")
    setting = toy.set_index("quantity")["printed"]
    repetitions = int(forensics.printed_interval(setting["repetitions"]).value)
    alpha = float(setting["alpha"])
    found = []
    for example, sizes in examples.items():
        groups = [simulation.Group(*size) for size in sizes]
        large = simulation.distribution(groups, n_families, seed, alpha)
        rows = simulation.overestimation(example, groups, alpha, large, large)
        found += forensics.simulated_table(PAPER, "Section 5", toy, rows, repetitions)
    name = "number of hypotheses"
    family = [
        setting["independent datasets"],
        *[setting["datasets in each correlated group"]] * 2,
    ]
    claim = _claim("Section 5", name, setting[name])
    return [*found, forensics.derived(claim, "sum", family, exact=True)]


def multiplicity():
    """Judge what Section 3.2 says of testing many true null hypotheses.

    Returns list of Verdict. The expected number of incorrect rejections, and the probability of one
    at least.
    """
    printed = _printed("section3_2").set_index("quantity")["printed"]
    tests, level = printed["number of tests"], printed["alpha"]
    expected, some = (
        _claim("Section 3.2", name, printed[name])
        for name in ("expected number of incorrect rejections", "P(V > 0)")
    )
    return [
        forensics.derived(expected, "product", [tests, level], exact=True),
        forensics.value(
            some, forensics.at_least_one(float(level), int(tests)), "1 - (1 - alpha)^N."
        ),
    ]


def outputs_not_printed(columns):
    """Record the cells of Tables 2, 3 and 5 that nothing printed decides.

    `columns`: as `columns_of` returns them.

    Returns list of Verdict. Scores of systems, and p-values of tests on their outputs.
    """
    parsing = [name for name in columns["Mate-SpaCy"].table.columns[1:] if "p-val" not in name]
    numbers = [
        ("Mate-SpaCy", parsing, COPIED.format("Choi et al. (2015)")),
        ("MIMICK-Char→Tag", ["MIMICK", "Char→Tag"], COPIED.format("Pinter et al. (2017)")),
        ("MIMICK-Char→Tag", ["p-value"], NEEDS_OUTPUTS),
        ("W2V-GloVe", ["W2V", "GLOVE"], NEEDS_OUTPUTS),
    ]
    found = []
    for title, names, reason in numbers:
        item, table = columns[title].item, columns[title].table
        label = table.columns[0]
        found += forensics.unchecked_table(PAPER, item, table, label, names, reason)
    return found


def settings(columns):
    """Judge the numbers of tasks, datasets and systems that the text states.

    `columns`: as `columns_of` returns them.

    Returns list of Verdict. Each is counted in a table, or follows from the digits of one.
    """
    early = forensics.quoted(PAPER, _printed("sections1_to_3"))
    about = forensics.quoted(PAPER, _printed("section6_1"))
    return [
        forensics.value(*checked, trivial=True)
        for checked in (
            *_applications(columns, early["1"], about["6"]),
            *_toy_and_questions(early),
            *_size_of_test_sets(about["6.1"]),
            *_table_lengths(columns, about["6.1"]),
        )
    ]


def cited_numbers():
    """Judge the numbers about other people's data by the sources that the paper names.

    Returns list of Verdict. Those that ``data/published/cited`` holds.
    """
    early = forensics.quoted(PAPER, _printed("sections1_to_3"))
    about = forensics.quoted(PAPER, _printed("section6_1"))
    languages = read_published("cited", "conll_languages")
    tasks = " and ".join(languages["source"].unique())
    found = [
        forensics.value(
            early["1"]["languages of CoNLL 2006-2007"],
            languages["language"].nunique(),
            f"The number of languages in {tasks} together.",
        )
    ]
    cited = read_published("cited", "numbers").set_index("quantity")
    for claims in (early["2"], about["6.1"]):
        for row in cited.loc[[name for name in cited.index if name in claims]].itertuples():
            claim = claims[row.Index]
            found.append(forensics.value(claim, float(row.printed), f"{row.source}, {row.place}."))
    return found


def sizes_by_choi():
    """Record the sizes of the parsing data, which the paper takes from another paper's table.

    Returns list of Verdict. One per size.
    """
    about = forensics.quoted(PAPER, _printed("section6_1"))["6.1"]
    sizes = [name for name in about if name.startswith("parsing") and name.endswith("set")]
    return [forensics.unchecked(about[name], IN_CHOI) for name in sizes]


def _applications(columns, early, about):
    """Count the tasks of Table 1, by the dependence of their datasets and in all."""
    rows = _printed("table1")
    tasks = {title: column.comparison.section for title, column in columns.items()}
    kinds = rows["comparison"].map(tasks).groupby(rows["dependence"]).nunique()
    for kind, number in kinds.items():
        claim = about[f"applications with {kind} datasets"]
        yield claim, number, f"The number of tasks in Table 1 with {kind} datasets."
    for claim in (early["applications"], about["applications"]):
        yield claim, kinds.sum(), "The number of tasks in Table 1."


def _toy_and_questions(early):
    """Count the toy examples and the questions that are answered; repeat alpha."""
    examples = _printed("section5")["example"].nunique() - 1
    answers = [
        "Table 1 gives the number of datasets",
        "Section 6.3 and the marks in Tables 3 to 5 identify them",
    ]
    level = _printed("section3_2").set_index("quantity")["printed"]["alpha"]
    yield early["1"]["toy examples"], examples, "The number of examples in Section 5."
    yield early["1"]["questions"], len(answers), f"{'; '.join(answers)}."
    yield early["3.2"]["chance of an incorrect rejection"], float(level), "This is alpha."


def _size_of_test_sets(about):
    """Find the number of reviews from the accuracies."""
    table, systems, _ = _sentiment()
    shares = [share for system in systems for share in table[system]]
    why = f"all {len(shares)} accuracies in Table 4"
    smallest = forensics.smallest_grid(shares, 1e-4)
    yield (
        about["sentiment: test set"],
        smallest,
        f"The smallest number of reviews with which {why} are possible.",
    )


def _table_lengths(columns, about):
    """Count what the tables have: parsers, domains and their pairs, genres, languages, datasets."""
    names = columns["Mate-SpaCy"].table.columns[1:]
    parsers = [name for name in names if not name.startswith("p-val")]
    setups = columns["AE-SCL-SR-MSDA"].table["setup"]
    yield about["parsing: parsers taken"], len(parsers), "The number of parsers in Table 2."
    yield about["sentiment: domains"], setups.str[0].nunique(), "The number of domains in Table 4."
    yield about["sentiment: pairs of domains"], len(setups), "The number of rows in Table 4."
    for quantity, title in {
        "parsing: genres": "Mate-SpaCy",
        "POS: languages taken": "MIMICK-Char→Tag",
        "word similarity: datasets": "W2V-GloVe",
    }.items():
        yield about[quantity], len(columns[title].pvalues), "The number of rows in the table."


def _sentiment():
    """Table 4, its systems, and the number of reviews of a test set."""
    return _printed("table4"), ["AE-SCL-SR", "MSDA"], int(_sizes()["4"].iloc[0])


def _sizes():
    """Table and dataset -> number of items."""
    sizes = _printed("dataset_sizes").set_index(["table", "dataset"])
    return sizes["n"].astype(int)


def _printed(item):
    return read_published("dror2017", item)


def _claim(item, claim, published):
    return forensics.Claim(PAPER, item, claim, published)
