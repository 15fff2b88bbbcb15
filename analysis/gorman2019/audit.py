"""The numbers of Gorman and Bedrick (2019): which follow from what is printed, or from a source.

`verdicts` has them all. The functions behind it judge one kind of number each and return verdicts
of `replicability.forensics`.
"""

from dataclasses import dataclass

import pandas as pd

from analysis.gorman2019 import agreement
from analysis.published import NEEDS_OUTPUTS, read_published
from replicability import forensics

PAPER = "Gorman and Bedrick 2019"

REPORTED = "The paper quotes the value from the tagger's own paper, which we could not obtain."

LICENSED = "The number is the size of the authors' selection from a licensed corpus."

FORM = {"variants": ["mid-p"], "alternatives": ["two-sided"]}
"""The form of McNemar's test that the paper uses."""


@dataclass(frozen=True, eq=False)
class PrintedTables:
    """What the paper prints, as text.

    Attributes
    ----------
    sizes, taggers, trials : DataFrame of str
        Tables 1 to 3.
    quoted : dict of str to dict of str to Claim
        Section -> quantity -> claim of the text.
    """

    sizes: pd.DataFrame
    taggers: pd.DataFrame
    trials: pd.DataFrame
    quoted: dict

    def test_part(self, corpus, unit):
        """Return how many sentences or tokens the test part of a corpus has."""
        rows = self.sizes[self.sizes["part"] == "Test."].set_index("corpus")
        return int(forensics.printed_interval(rows.loc[corpus, unit]).value)


def read_paper():
    """Read what the paper prints.

    Returns PrintedTables. From ``data/published/gorman2019``.
    """
    tables = (_printed(f"table{number}") for number in (1, 2, 3))
    return PrintedTables(*tables, forensics.quoted(PAPER, _printed("text")))


def verdicts():
    """Judge every number of the paper.

    Returns list of Verdict. One per number.
    """
    printed = read_paper()
    found = [
        *accuracies(printed),
        *mcnemar_pvalues(printed),
        *agreement_and_progress(printed),
        *tagger_counts(printed),
        *sizes(printed),
        *not_decided(printed),
    ]
    return found + forensics.remaining(PAPER, _printed("text"), found, NEEDS_OUTPUTS)


def accuracies(printed):
    """Judge the accuracies of Table 2 and their intervals by the sizes of the test parts.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Whether whole numbers of words or sentences give the accuracies, and
    Wilson's limits.
    """
    tokens = printed.test_part("Penn Treebank", "tokens")
    sizes = {
        "PTB token replicated": tokens,
        "PTB sentence": printed.test_part("Penn Treebank", "sentences"),
        "ON token": printed.test_part("OntoNotes", "tokens"),
    }
    found = []
    for column, n in sizes.items():
        of = printed.taggers, "tagger", [column], n
        found += forensics.granularity_table(PAPER, "Table 2", *of)
    for _, row in printed.taggers.iterrows():
        for limit in ("low", "high"):
            name = f"PTB token CI {limit}"
            claim = _claim("Table 2", f"{name} of {row.tagger}", row[name])
            found.append(forensics.wilson(claim, row["PTB token replicated"], tokens, limit))
    return found


def mcnemar_pvalues(printed):
    """Judge what Section 3.2 says of pairs of taggers by all that McNemar's test can give.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. One per pair and corpus, and on how many pairs are not significant.
    """
    quoted, taggers = printed.quoted["3.2"], printed.taggers
    below, tokens = f"<{quoted['alpha'].published}", printed.test_part("OntoNotes", "tokens")
    pairs = {
        corpus: forensics.mcnemar_pairs(
            PAPER,
            "Section 3.2",
            taggers["tagger"] + f" ({corpus})",
            taggers[column],
            n,
            below,
            **FORM,
        )
        for corpus, column, n in (
            ("PTB", "PTB token replicated", printed.test_part("Penn Treebank", "tokens")),
            ("ON", "ON token", tokens),
        )
    }
    single = "p-value of LAPOS (ON) against Stanford (ON)"
    two = taggers.set_index("tagger").loc[["LAPOS", "Stanford"], "ON token"]
    open_pairs = sum(verdict.verdict != forensics.AGREES for verdict in pairs["ON"])
    return [
        *pairs["PTB"],
        *(verdict for verdict in pairs["ON"] if verdict.claim != single),
        forensics.mcnemar(quoted["OntoNotes: LAPOS against Stanford"], *two, tokens, **FORM),
        forensics.value(
            quoted["OntoNotes: comparisons without significance"],
            open_pairs,
            "For all other pairs, the accuracies allow only p-values below 0.05.",
        ),
    ]


def agreement_and_progress(printed):
    """Judge Krippendorff's alpha of Table 4, and by how much errors were reduced.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. From the printed tags and accuracies.
    """
    quoted = printed.quoted
    first, last = printed.taggers["PTB token replicated"].iloc[[0, -1]]
    tags = _printed("table4").set_index("row").drop("Gold")
    return [
        forensics.value(
            quoted["Table 4"]["Krippendorff's alpha"],
            agreement.alpha(tags),
            "Krippendorff's alpha for the six taggers on seven tokens, with nominal labels.",
        ),
        forensics.derived(quoted["3.4"]["reduction of token errors"], "difference", [last, first]),
    ]


def tagger_counts(printed):
    """Judge how many taggers were tried, ran, and came close to what was reported.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. By the rows of Table 2.
    """
    quoted, taggers = printed.quoted, printed.taggers
    failed, tried = quoted["3.1"]["taggers that did not run"], quoted["2.2"]["taggers"]
    ran = str(len(taggers))
    close = (taggers["PTB token reported"] != taggers["PTB token replicated"]).sum()
    return [
        forensics.value(
            quoted["3.1"]["taggers replicated"],
            len(taggers),
            "The number of rows in Table 2.",
            trivial=True,
        ),
        forensics.derived(failed, "difference", [tried.published, ran], exact=True),
        *(
            forensics.derived(claim, "sum", [ran, failed.published], exact=True)
            for claim in (quoted["Abstract"]["taggers"], tried)
        ),
        forensics.value(
            quoted["3.2"]["taggers with close results"],
            close,
            "The number of rows in Table 2 whose reported and replicated accuracies differ.",
            trivial=True,
        ),
    ]


def sizes(printed):
    """Judge the sizes of the standard split, and the shares of its parts.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Sizes by those that Toutanova et al. (2003) print, shares by the sizes.
    """
    standard = printed.sizes.query("corpus == 'Penn Treebank'")
    parts = list(standard["sentences"])
    found = []
    for i, name in enumerate(("training", "development", "test")):
        claim, whole = (
            printed.quoted["3.2"][f"{name} share"],
            [parts[i], *parts[:i], *parts[i + 1 :]],
        )
        found.append(forensics.derived(claim, "share", whole, exact=True, unit=0.1))
    cited = read_published("cited", "numbers").set_index("quantity")
    for row in standard.itertuples():
        for unit in ("sentences", "tokens"):
            source = cited.loc[f"Penn Treebank {row.part} {unit}"]
            claim = _claim("Table 1", f"{unit} of Penn Treebank {row.part}", getattr(row, unit))
            number = forensics.printed_interval(source["printed"]).value
            found.append(forensics.value(claim, number, f"{source['source']}, {source['place']}."))
    return found


def not_decided(printed):
    """Record the numbers of the tables that nothing printed decides.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Sizes of OntoNotes, counts of a word in it, and what needs outputs.
    """
    notes, counted = printed.sizes.query("corpus == 'OntoNotes'"), printed.quoted["4"]
    tables = [
        ("Table 1", notes, ["corpus", "part"], ["sentences", "tokens"], LICENSED),
        ("Table 2", printed.taggers, "tagger", ["PTB token reported"], REPORTED),
        ("Table 2", printed.taggers, "tagger", ["PTB OOV"], NEEDS_OUTPUTS),
        ("Table 3", printed.trials, ["first", "second"], ["PTB", "ON"], NEEDS_OUTPUTS),
    ]
    return [
        *(verdict for table in tables for verdict in forensics.unchecked_table(PAPER, *table)),
        *(
            forensics.unchecked(
                counted[name], "The number is the frequency of a word in a licensed corpus."
            )
            for name in ("asbestos in one training document", "asbestos in the test set")
        ),
    ]


def _printed(item):
    return read_published("gorman2019", item)


def _claim(item, claim, published):
    return forensics.Claim(PAPER, item, claim, published)
