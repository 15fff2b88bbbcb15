"""The numbers of Søgaard et al. (2014): which follow from what is printed, or from theory.

`verdicts` has them all. The functions behind it judge one kind of number each and return verdicts
of `replicability.audit`. The outputs of the named-entity taggers are the only ones that are public;
`named_entities` reads them.
"""

from dataclasses import dataclass

import pandas as pd

from analysis.sogaard2014 import free_choice, many_metrics
from replicability import audit
from replicability.io.published import read_published

PAPER = "Søgaard et al. 2014"

NER_OUTCOMES = "data/outcomes/ner.parquet"
"""Public outputs of the named-entity taggers, scored."""

NEEDS_OUTPUTS = "It needs the outputs of the systems, which the paper does not print."

STRICT = 0.01
"""The other level at which the toy examples count small p-values."""


@dataclass(frozen=True, eq=False)
class Printed:
    """What the paper prints, as text.

    Attributes
    ----------
    corpora, tagging, parsing, shares : DataFrame of str
        Tables 1 to 4.
    named : DataFrame of str
        The datasets that the text names, by what is said of them.
    quoted, toy, section4 : dict of str to dict of str to Claim
        Section -> quantity -> claim: of the text, of the toy examples, of Section 4.
    """

    corpora: pd.DataFrame
    tagging: pd.DataFrame
    parsing: pd.DataFrame
    shares: pd.DataFrame
    named: pd.DataFrame
    quoted: dict
    toy: dict
    section4: dict

    @property
    def cutoff(self):
        """The cut-off in use, 0.05."""
        return float(self.quoted["1"]["cut-off in use"].published)

    def listed(self, quantity):
        """Return the place where datasets are named for something, and their names."""
        row = self.named.loc[quantity]
        return f"Section {row.section}", row.datasets.split(";")


def read_paper():
    """Read what the paper prints.

    Returns
    -------
    Printed
        From ``data/published/sogaard2014``.
    """
    texts = ("text", "section3_toy_examples", "section4")
    return Printed(
        *(_printed(f"table{number}") for number in (1, 2, 3, 4)),
        _printed("named_datasets").set_index("quantity"),
        *(audit.quoted(PAPER, _printed(text)) for text in texts),
    )


def verdicts():
    """Judge every number and list of the paper.

    Returns
    -------
    list of Verdict
        One per number or list.
    """
    printed = read_paper()
    found = [
        *outputs_not_printed(printed),
        *tagging_counts(printed),
        *tagging_numbers(printed),
        *sizes(printed),
        *shares_of_samples(printed),
        *parsing_lists(printed),
        *named_entities(printed),
        *toy_probabilities(printed),
        *predictive_values(printed),
        audit.unchecked(
            printed.quoted["5"]["chance of the same effect on held-out data"],
            "It is quoted from a table of Berg-Kirkpatrick et al. (2012).",
        ),
    ]
    reason = "It describes systems, runs or figures whose outputs the paper does not print."
    for item in ("text", "section3_toy_examples", "section4"):
        found += audit.remaining(PAPER, _printed(item), found, reason)
    return found


def outputs_not_printed(printed):
    """Record the p-values of Tables 2 and 3, which nothing printed decides.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        One per cell; those with the digits of a neighbour say so.
    """
    return [
        verdict
        for item, table in {"Table 2": printed.tagging, "Table 3": printed.parsing}.items()
        for verdict in audit.unchecked_table(
            PAPER, item, table, "domain", table.columns[1:], NEEDS_OUTPUTS
        )
    ]


def tagging_counts(printed):
    """Judge how many tagging datasets are significant by some metrics, and which.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        All follow from the p-values of Table 2.
    """
    table, quoted = printed.tagging, printed.quoted
    metrics = list(table.columns[1:])
    by = {"accuracy": ["TA (b)"], "TA or SA": ["TA (b)", "SA (b)", "SA (w)"], "metrics": metrics}
    some = {name: audit.extreme(table, columns, "smallest") for name, columns in by.items()}
    every = audit.extreme(table, metrics, "largest")
    found = [
        audit.count(claim, texts, printed.cutoff, "count")
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
        claim = _claim(section, f"data sets {quantity}", ", ".join(names))
        at = names, list(table["domain"]), texts, printed.cutoff, "each"
        found.append(audit.marks(claim, *at))
    return found


def tagging_numbers(printed):
    """Judge what else the text says of the taggers, and what it counts.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        Wins, a Wilcoxon test, and the numbers of tasks, datasets, taggers and metrics.
    """
    quoted, n = printed.quoted, len(printed.tagging)
    significant = quoted["3.2"]["POS: significant data sets"].published.partition("/")[0]
    ahead = [
        quoted["3.2"][f"POS: significant, {tagger} better"] for tagger in ("LAPOS", "STANFORD")
    ]
    return [
        audit.derived(ahead[0], "difference", [significant, ahead[1].published], exact=True),
        audit.derived(ahead[1], "difference", [significant, ahead[0].published], exact=True),
        audit.signed_rank(quoted["3.2"]["POS: Wilcoxon test across data sets"], n),
        *(audit.value(*checked) for checked in _counted(printed, len(ahead))),
        *_lost(printed),
    ]


def _counted(printed, n_taggers):
    """Count datasets, tasks, taggers and metrics in the tables."""
    quoted, tasks = printed.quoted, len(printed.corpora.columns[3:])
    by_tagging = {name.split()[0] for name in printed.tagging.columns[1:]}
    marked = (printed.corpora["POS"] != "").sum()
    yield quoted["3.1"]["POS data sets"], marked, "Data sets with a dot in Table 1."
    yield quoted["3"]["tasks"], tasks, "Columns of Table 1."
    yield quoted["3"]["running examples"], 1 + tasks, "A toy example and the tasks of Table 1."
    yield quoted["3.1"]["POS taggers"], n_taggers, "LAPOS and STANFORD."
    yield quoted["3.3"]["POS: metrics"], len(by_tagging), "Metrics of Table 2."
    yield quoted["3.3"]["Parsing: metrics"], len(printed.parsing.columns[1:]), "Metrics of Table 3."


def _lost(printed):
    """Judge how many tagging datasets lose significance, and one count whose metric is open."""
    quoted, n = printed.quoted, len(printed.tagging)
    losing = len(printed.listed("significance lost as the sample grows")[1])
    sentence = f"Section 3.4 names {losing} of the {n} data sets."
    for claim in (
        quoted["1"]["POS comparisons that lose significance with more data"],
        quoted["3.4"]["POS: data sets that lose significance"],
    ):
        yield audit.value(claim, losing / n, sentence)
    yield audit.reread(
        audit.unchecked(
            quoted["3.5"]["POS: significant on full length"], "The metric is not named."
        ),
        "four data sets of Table 2 have p < 0.05 by tagging or sentence-level accuracy.",
    )


def sizes(printed):
    """Judge the sizes of Table 1: those of the named-entity data, which are public.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        One per row.
    """
    corpora = printed.corpora
    of = free_choice.outcomes(NER_OUTCOMES).query("system == 'florian'").groupby("dataset")["words"]
    words, lines = of.sum(), of.sum() + of.size()
    news = audit.shown(corpora.set_index("domain").loc["News", "words"])
    why = f"The words of eng.testb of CoNLL 2003; eng.testa has {words['eng.testa']:,}."
    return [
        *audit.unchecked_table(
            PAPER,
            "Table 1",
            corpora.query("NER == ''"),
            "domain",
            ["words"],
            "Sizes of data sets of other sources, rounded to thousands.",
        ),
        audit.reread(
            audit.value(_claim("Table 1", "words of News", news), words["eng.testb"], why),
            f"the lines of eng.testb, {lines['eng.testb']:,} with the empty ones; or its words "
            "rounded to ten thousands.",
        ),
    ]


def shares_of_samples(printed):
    """Judge Table 4, shares of significant results among samples, and what the text says of it.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        Shares of all sentences by the p-values of Table 3, the others by the number of samples.
    """
    shares, quoted = printed.shares, printed.quoted["3.4"]
    draws = int(quoted["Parsing: draws"].published)
    at = shares.iloc[:-1], "N", shares.columns[1:], draws
    found = audit.granularity_table(PAPER, "Table 4", *at)
    tested = _by_short_name(printed.parsing)
    for column, share in shares.iloc[-1, 1:].items():
        domain, metric = column.split()
        claim = _claim("Table 4", f"{column} of 100%", audit.shown(share))
        p = tested.loc[domain, metric]
        found.append(audit.repeated_test(claim, p, printed.cutoff, draws))
    emails = audit.printed_interval(shares["Emails LAS"].iloc[0]).value
    why = "The Emails column of Table 4 by LAS, smallest sample."
    found.append(audit.value(quoted["Parsing: Emails, small samples"], emails, why))
    return [*found, _gained(printed)]


def _gained(printed):
    """Judge how many parsing datasets gain significance: Table 4 lacks one of them."""
    ends = printed.shares.filter(like=" LAS").iloc[[0, -1]].map(audit.printed_interval)
    n, of = ends.shape[1], len(printed.parsing)
    rising = sum(last.value > first.value for first, last in ends.T.to_numpy())
    return audit.judge(
        printed.quoted["3.4"]["Parsing: data sets that gain significance by LAS"],
        f"{rising} to {rising + of - n} of {of}",
        audit.UNCHECKED,
        f"In Table 4 the share rises from the smallest to the full sample on {rising} of {n} data "
        "sets: possible. Answers is left out.",
    )


def parsing_lists(printed):
    """Judge which parsing datasets are said to be significant, or not, or like another.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        On lists of datasets, by the p-values of Table 3.
    """
    pvalues = _by_short_name(printed.parsing)["LAS"]
    at = list(pvalues.index), list(pvalues), printed.cutoff
    found = []
    for quantity, said in (
        ("not significant on the full data", False),
        ("significant on the full data", True),
    ):
        section, names = printed.listed(quantity)
        claim = _claim(section, f"Parsing: data sets {quantity}", ", ".join(names))
        found.append(audit.listed(claim, names, *at, significant=said))
    section, names = printed.listed("like Emails")
    claim = _claim(section, "Parsing: data sets like Emails", ", ".join(names))
    why = ", ".join(f"{pvalues[name]} of {name}" for name in ("Emails", *names))
    why = f"p by LAS in Table 3: {why}. In what they are like Emails is not said."
    return [*found, audit.judge(claim, "", audit.UNCHECKED, why, audit.LIST)]


def ner_scores():
    """Score and test the named-entity taggers on both parts of the public data.

    Returns
    -------
    dict of str to DataFrame
        Part -> as `free_choice.scores` returns it, by metric.
    """
    pairs = free_choice.read(NER_OUTCOMES, ["florian", "chieu"], "NER")
    return {
        pair.dataset: free_choice.scores([pair]).set_index("metric")
        for pair in pairs
        if pair.dataset.startswith("eng.")
    }


def ner_f1():
    """Put the F1 of the named-entity taggers on the test set beside the published one.

    Returns
    -------
    DataFrame of str
        One row per tagger, columns for readers.
    """
    cited = read_published("cited", "numbers").set_index("quantity")["printed"]
    found = ner_scores()["eng.testb"]
    return pd.DataFrame(
        {
            "Tagger": title,
            "F1 here": f"{100 * found.loc['F1', side]:.2f}",
            "F1 of the shared task": cited[f"F1 of {system} on eng.testb"],
            "Mean F1 of the types here": f"{100 * found.loc['macro-F1', side]:.2f}",
        }
        for title, system, side in (("FLORIAN", "florian", "a"), ("CHIEU-NG", "chieu", "b"))
    )


def named_entities(printed):
    """Judge the p-values of the named-entity taggers by their public outputs.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        None can be checked, for what was done is not printed; sentences give the nearest p-values.
    """
    quoted, parts = printed.quoted, ner_scores()
    p = {part: found["p_value"] for part, found in parts.items()}
    how = (
        "Paired bootstrap over the sentences of the public outputs, one-sided, twice as large "
        "two-sided: "
    )
    not_said = "Which part of the data, which side and how many resamples were used is not printed."
    both = "; ".join(
        f"{of['F1']:.4f} by F1 over all types and {of['macro-F1']:.4f} by macro-F1 on {part}"
        for part, of in p.items()
    )
    macro = _on_each({part: of["macro-F1"] for part, of in p.items()})
    free = _on_each({part: of[["macro-F1", *free_choice.TYPES]].min() for part, of in p.items()})
    found = [
        audit.reread(
            audit.judge(claim, macro, audit.UNCHECKED, f"{how}{both}. {not_said}"),
            "F1 over all types, a micro-average, on eng.testb.",
        )
        for claim in (
            quoted["3.2"]["NER: FLORIAN against CHIEU-NG"],
            quoted["3.3"]["NER: p by macro-f1"],
        )
    ]
    claim = quoted["3.3"]["NER: p with a free choice of metric"]
    why = f"{how}the smallest p of macro-F1 and F1 of each type is {free}. {not_said}"
    return [*found, audit.judge(claim, free, audit.UNCHECKED, why)]


def toy_probabilities(printed):
    """Judge the rates of small p-values in the toy examples of Section 3 by theory.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        Rates of one metric, of several, of a covariate and of a distorted copy.
    """
    metric, covariate = printed.toy["3.3"], printed.toy["3.5"]
    draws, usual = int(metric["repetitions"].published), printed.cutoff
    found = []
    for level in (STRICT, usual):
        below = f"P(p < {level})"
        either, any_of_four = (audit.at_least_one(level, n) for n in (2, 4))
        found += [
            audit.monte_carlo(metric[f"one metric: {below}"], level, draws),
            audit.value(metric[f"independent metrics: {below}"], either, "1 - (1 - alpha)^2."),
            audit.monte_carlo(covariate[f"covariate: {below}"], either, draws),
            audit.monte_carlo(covariate[f"metric and covariate: {below}"], any_of_four, draws),
        ]
    noise = audit.printed_interval(metric["noise of the distorted copy"].published).value
    copied = audit.either_of_two(usual, many_metrics.noise_correlation(noise))
    readings = {"the choice of two independent metrics": audit.at_least_one(usual, 2)}
    claim = metric["metric or distorted copy: P(p < 0.05)"]
    rate = covariate["metric and covariate: P(p < 0.05)"].published
    return [
        *found,
        audit.monte_carlo(claim, copied, draws, readings=readings),
        audit.value(
            covariate["metric and covariate: cases that appear different"],
            audit.printed_interval(rate).value,
            f"The rate is {rate}.",
        ),
    ]


def predictive_values(printed):
    """Judge the numbers of Section 4, of the abstract and of Section 1 by the formula.

    Parameters
    ----------
    printed : Printed
        As `read_paper` returns it.

    Returns
    -------
    list of Verdict
        The positive predictive value at several levels, its parts, the cut-off it allows, and the
        share of false findings.
    """
    ppv, usual = printed.section4["4"], printed.cutoff
    r, beta = (audit.printed_interval(ppv[name].published).value for name in ("R", "beta"))
    proposed = float(ppv["proposed cut-off"].published)
    formula = f"(1 - beta) R / (R - beta R + alpha) with R = {r}, beta = {beta}."
    levels = {
        "PPV at alpha = 0.05": usual,
        "PPV at alpha = 0.05: quotient": usual,
        "PPV at alpha = 0.01": STRICT,
        "PPV at the proposed cut-off": proposed,
    }
    positive = r + (1 - r) * usual
    return [
        *(
            audit.value(ppv[name], audit.positive_predictive_value(r, level, beta), formula)
            for name, level in levels.items()
        ),
        audit.value(ppv["positive results"], positive, "R + (1 - R) alpha."),
        audit.value(ppv["approaches to test"], 1 / positive, "1 / (R + (1 - R) alpha)."),
        audit.value(ppv["PPV at alpha = 0.05: numerator"], (1 - beta) * r, formula),
        audit.value(ppv["PPV at alpha = 0.05: denominator"], r - beta * r + usual, formula),
        *_cut_offs(printed, r, beta, proposed),
        *_false_findings(printed, r, beta, proposed),
    ]


def _cut_offs(printed, r, beta, proposed):
    """Judge the proposed cut-off wherever it is printed: up to which does the PPV hold?"""
    quoted, ppv = printed.quoted, printed.section4["4"]
    target = audit.printed_interval(ppv["PPV at the proposed cut-off"].published).value
    limit = (1 - beta) * r * (1 / target - 1)
    allowed = audit.Interval(0.0, min(proposed, limit), limit)
    why = f"PPV is at least {target} up to alpha"
    for claim in (
        quoted["Abstract"]["cut-off"],
        quoted["1"]["proposed cut-off"],
        ppv["proposed cut-off"],
        quoted["1"]["proposed cut-off in the list of contributions"],
    ):
        yield audit.value(claim, allowed, f"{why} = {limit:.5f}.")


def _false_findings(printed, r, beta, proposed):
    """Judge the shares of false findings at both cut-offs, and the tests that fit in between."""
    quoted, usual = printed.quoted, printed.cutoff
    false = 1 - audit.positive_predictive_value(r, proposed, beta)
    for claim in (
        quoted["Abstract"]["risk of a false positive result"],
        quoted["1"]["chance of a false finding"],
    ):
        yield audit.value(claim, false, "1 - PPV at the proposed cut-off.")
    ratio = audit.printed_interval(printed.section4["4"]["R"].published)
    ends = (
        1 - audit.positive_predictive_value(x, usual, beta)
        for x in (ratio.high, ratio.value, ratio.low)
    )
    yield audit.value(
        quoted["1"]["false findings with p < 0.05"],
        audit.Interval(*ends),
        f"1 - PPV at 0.05: one half for R = {r}, as Section 4 says, and more for any smaller R "
        "that rounds to it.",
    )
    family = [str(usual), str(proposed)]
    yield audit.derived(quoted["1"]["family of hypotheses"], "ratio", family, exact=True)


def _by_short_name(parsing):
    """Table 3 by the names of the domains that Table 4 uses."""
    return parsing.set_index(parsing["domain"].replace("Newsgroups", "Newsgrs"))


def _on_each(numbers):
    return ", ".join(f"{number:.4f} on {part}" for part, number in numbers.items())


def _printed(item):
    return read_published("sogaard2014", item)


def _claim(item, claim, published):
    return audit.Claim(PAPER, item, claim, published)
