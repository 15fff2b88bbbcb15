"""Checks of the p-values of Tables 2 and 3, of what the text counts in them, and of Table 4."""

from analysis.published import NEEDS_OUTPUTS
from analysis.sogaard2014.audit.printed import PAPER, make_claim
from replicability import forensics


def outputs_not_printed(printed):
    """Record the p-values of Tables 2 and 3, which nothing printed decides.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. One per cell; those with the digits of a neighbour say so.
    """
    return [
        verdict
        for item, table in {"Table 2": printed.tagging, "Table 3": printed.parsing}.items()
        for verdict in forensics.unchecked_table(
            PAPER, item, table, "domain", table.columns[1:], NEEDS_OUTPUTS
        )
    ]


def tagging_counts(printed):
    """Judge how many tagging datasets are significant by some metrics, and which.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. All follow from the p-values of Table 2.
    """
    table, quoted = printed.tagging, printed.quoted
    metrics = list(table.columns[1:])
    by = {"accuracy": ["TA (b)"], "TA or SA": ["TA (b)", "SA (b)", "SA (w)"], "metrics": metrics}
    some = {name: forensics.extreme(table, columns, "smallest") for name, columns in by.items()}
    every = forensics.extreme(table, metrics, "largest")
    found = [
        forensics.count(claim, texts, printed.cutoff, "count")
        for claim, texts in (
            (quoted["3.2"]["POS: significant data sets"], some["accuracy"]),
            (quoted["3.3"]["POS: significant by tagging accuracy"], some["accuracy"]),
            (quoted["3.3"]["POS: significant by TA or SA"], some["TA or SA"]),
            (quoted["3.3"]["POS: significant by any metric"], some["metrics"]),
            (quoted["3.3"]["POS: significant by every metric"], every),
        )
    ]
    for quantity, texts in {
        "significant by tagging accuracy": some["accuracy"],
        "significant by every metric": every,
    }.items():
        section, names = printed.listed(quantity)
        claim = make_claim(section, f"data sets {quantity}", ", ".join(names))
        at = names, list(table["domain"]), texts, printed.cutoff, "each"
        found.append(forensics.marks(claim, *at))
    return found


def tagging_numbers(printed):
    """Judge what else the text says of the taggers, and what it counts.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Wins, a Wilcoxon test, and the numbers of tasks, datasets, taggers and
    metrics.
    """
    quoted, n = printed.quoted, len(printed.tagging)
    significant = quoted["3.2"]["POS: significant data sets"].published.partition("/")[0]
    ahead = [
        quoted["3.2"][f"POS: significant, {tagger} better"] for tagger in ("LAPOS", "STANFORD")
    ]
    return [
        forensics.derived(ahead[0], "difference", [significant, ahead[1].published], exact=True),
        forensics.derived(ahead[1], "difference", [significant, ahead[0].published], exact=True),
        forensics.signed_rank(quoted["3.2"]["POS: Wilcoxon test across data sets"], n),
        *(forensics.value(*checked, trivial=True) for checked in _counted(printed, len(ahead))),
        *_lost(printed),
    ]


def _counted(printed, n_taggers):
    """Count datasets, tasks, taggers and metrics in the tables."""
    quoted, tasks = printed.quoted, len(printed.corpora.columns[3:])
    by_tagging = {name.split()[0] for name in printed.tagging.columns[1:]}
    marked = (printed.corpora["POS"] != "").sum()
    yield quoted["3.1"]["POS data sets"], marked, "The number of data sets with a dot in Table 1."
    yield quoted["3"]["tasks"], tasks, "The number of columns with tasks in Table 1."
    yield quoted["3"]["running examples"], 1 + tasks, "One toy example and the tasks in Table 1."
    yield quoted["3.1"]["POS taggers"], n_taggers, "The two taggers LAPOS and STANFORD."
    yield quoted["3.3"]["POS: metrics"], len(by_tagging), "The number of metrics in Table 2."
    metrics = len(printed.parsing.columns[1:])
    yield quoted["3.3"]["Parsing: metrics"], metrics, "The number of metrics in Table 3."


def _lost(printed):
    """Judge how many tagging datasets lose significance, and one count whose metric is open."""
    quoted, n = printed.quoted, len(printed.tagging)
    losing = len(printed.listed("significance lost as the sample grows")[1])
    sentence = f"Section 3.4 names {losing} of the {n} data sets."
    for claim in (
        quoted["1"]["POS comparisons that lose significance with more data"],
        quoted["3.4"]["POS: data sets that lose significance"],
    ):
        yield forensics.value(claim, losing / n, sentence, trivial=True)
    yield forensics.reread(
        forensics.unchecked(
            quoted["3.5"]["POS: significant on full length"], "The paper does not name the metric."
        ),
        "four data sets in Table 2 have p < 0.05 by tagging or sentence-level accuracy.",
    )


def shares_of_samples(printed):
    """Judge Table 4, shares of significant results among samples, and what the text says of it.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. Shares of all sentences by the p-values of Table 3, the others by the
    number of samples.
    """
    shares, quoted = printed.shares, printed.quoted["3.4"]
    draws = int(quoted["Parsing: draws"].published)
    at = shares.iloc[:-1], "N", shares.columns[1:], draws
    found = forensics.granularity_table(PAPER, "Table 4", *at)
    tested = _by_short_name(printed.parsing)
    for column, share in shares.iloc[-1, 1:].items():
        domain, metric = column.split()
        claim = make_claim("Table 4", f"{column} of 100%", forensics.shown(share))
        p = tested.loc[domain, metric]
        found.append(forensics.repeated_test(claim, p, printed.cutoff, draws))
    emails = forensics.printed_interval(shares["Emails LAS"].iloc[0]).value
    why = "The cell of Table 4 for Emails, LAS and the smallest sample."
    found.append(
        forensics.value(quoted["Parsing: Emails, small samples"], emails, why, trivial=True)
    )
    return [*found, _gained(printed)]


def _gained(printed):
    """Judge how many parsing datasets gain significance: Table 4 lacks one of them."""
    ends = printed.shares.filter(like=" LAS").iloc[[0, -1]].map(forensics.printed_interval)
    n, of = ends.shape[1], len(printed.parsing)
    rising = sum(last.value > first.value for first, last in ends.T.to_numpy())
    return forensics.judge(
        printed.quoted["3.4"]["Parsing: data sets that gain significance by LAS"],
        f"{rising} to {rising + of - n} of {of}",
        forensics.UNCHECKED,
        f"In Table 4, the share of significant samples rises from the smallest to the full sample "
        f"on {rising} of {n} data sets. Table 4 omits the data set Answers, so the claim "
        "may still be true.",
    )


def parsing_lists(printed):
    """Judge which parsing datasets are said to be significant, or not, or like another.

    `printed`: as `read_paper` returns it.

    Returns list of Verdict. On lists of datasets, by the p-values of Table 3.
    """
    pvalues = _by_short_name(printed.parsing)["LAS"]
    at = list(pvalues.index), list(pvalues), printed.cutoff
    found = []
    for quantity, said in (
        ("not significant on the full data", False),
        ("significant on the full data", True),
    ):
        section, names = printed.listed(quantity)
        claim = make_claim(section, f"Parsing: data sets {quantity}", ", ".join(names))
        found.append(forensics.listed(claim, names, *at, significant=said))
    section, names = printed.listed("like Emails")
    claim = make_claim(section, "Parsing: data sets like Emails", ", ".join(names))
    why = ", ".join(f"{pvalues[name]} on {name}" for name in ("Emails", *names))
    why = (
        f"p-values by LAS in Table 3: {why}. The paper does not say how other data sets resemble "
        "Emails."
    )
    return [*found, forensics.judge(claim, "", forensics.UNCHECKED, why, forensics.LIST)]


def _by_short_name(parsing):
    """Table 3 by the names of the domains that Table 4 uses."""
    return parsing.set_index(parsing["domain"].replace("Newsgroups", "Newsgrs"))
