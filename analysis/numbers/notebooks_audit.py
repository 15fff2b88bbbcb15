"""Numbers of notebooks/audit.ipynb."""

import numpy as np

from analysis import published as papers
from analysis.dror2017 import audit as dror_audit
from analysis.dror2017 import authors_code
from analysis.numbers.committed import amount, printed, table, verdict
from analysis.sogaard2014 import free_choice, many_metrics
from replicability import forensics
from replicability.stats import paired, partial_conjunction


def two_sided_mid_p(lead, discordant):
    """Return McNemar's two-sided mid-p value to six digits."""
    wins = (discordant + lead) // 2
    p = paired.mcnemar_pvalues(wins, wins - lead, variant="mid-p", alternative="two-sided")
    return round(p, 6)


def _same_counts(programs):
    """Return the share of rows on which we agree with both programs, and which give ten."""
    same = programs["Holm: same names"] == "yes"
    for name in ("Bonferroni", "Fisher"):
        for by in BY[:2]:
            same &= programs[f"{name}, {by}"] == programs[f"{name}, ours"]
    row = programs.set_index(["Comparison", "alpha"]).loc[("AE-SCL-SR-MSDA", 0.05)]
    return same.mean(), [row[f"Fisher, {by}"] == 10 for by in BY[:2]]


BY = ("Python", "R", "ours")
"""Who counts, as `authors_code.agreement` names them."""


def numbers():  # noqa: PLR0915
    """Return what the fields of the document may name."""
    found = table("audit")
    mid_p = two_sided_mid_p
    disputed = forensics.disputed(found)
    doubtful = found[found["verdict"] == forensics.DEPENDS]
    columns = dror_audit.columns_of("config/paper.yaml")
    more, modes = dror_audit.supplement(columns), dror_audit.printings(columns)
    programs = authors_code.agreement(columns, [0.05, 0.01])
    share_of_programs, programs_give_ten = _same_counts(programs)
    prints = [papers.read_published("dror2017", f"table{i}") for i in (2, 3, 4, 5)]
    cells_on_arxiv = 3 * len(papers.read_published("dror2017", "table1"))
    cells_on_arxiv += sum(t.drop(columns="mark", errors="ignore").iloc[:, 1:].size for t in prints)
    vectors = papers.read_published("dror2017", "supplement")["vector"].unique()
    parsing_pvalues = printed("dror2017", "table2").set_index("domain")["p-val (Mate,Redshift)"]
    k_hats = found[found["item"].isin(["Table 1", "footnote 13"])].query(
        "claim.str.contains('k-hat')"
    )
    counts_listed, counts_that_follow = len(k_hats), (k_hats["verdict"] == "agrees").sum()
    stated = found.query("kind == 'direction' and claim.str.startswith('MIMICK')")
    stated_otherwise = stated[stated["verdict"] != "agrees"]
    scores = printed("dror2017", "table3").set_index("language")
    gap = scores["MIMICK"] - scores["Char→Tag"]
    small = scores["p-value"] <= 0.05
    sentiment = printed("dror2017", "table4").set_index("setup")
    table4 = papers.read_published("dror2017", "table4")
    forms = forensics.infer_mcnemar(
        *(table4[c] for c in ("p-value", "AE-SCL-SR", "MSDA")), 2000, longer=more["AE-SCL-SR-MSDA"]
    )
    best = forms.iloc[0]
    other_forms = forms[(forms[["variant", "side"]] != best[["variant", "side"]]).any(axis=1)]
    other_forms = (other_forms["chance"] < 0.05).tolist()
    no_form_gives_it = verdict("p-value of B → K", "readings").endswith("0.026856: impossible")
    sentiment_doubts = doubtful[doubtful["item"] == "Table 4"]
    one_sided = dror_audit.both_readings(columns, [0.05, 0.01]).set_index(["Comparison", "alpha"])
    orders = dror_audit.orders_of_table5(0.05)
    w2v, glove = orders["W2V better"], orders["GloVe better"]
    arrangements = amount(verdict("p-value of MEN", "sentence").split("possible (in")[1])
    toy = table("section5_toy_examples").set_index(["example", "estimator"])
    exact = toy["exact"]["independent"]
    published = toy["published"]
    far = verdict("dependent datasets: P(k_count > k)", "sentence")
    dror5 = printed("dror2017", "section5").set_index("quantity")["printed"]
    tagging = printed("sogaard2014", "table2").set_index("domain").astype(str)
    tagging_p = tagging.apply(lambda column: column.str.lstrip("<").astype(float))
    rows = [("WSJ", "Weblogs"), ("Twitter", "WSJ")]
    recalled = papers.read_published("sogaard2014", "text").set_index(["section", "quantity"])[
        "printed"
    ]
    full = found[
        (found["paper"] == "Søgaard et al. 2014")
        & (found["item"] == "Table 4")
        & found["claim"].str.endswith(" of 100%")
    ].set_index("claim")
    ner = {
        d: free_choice.scores([pair]).set_index("metric")["p_value"]
        for pair in free_choice.read("data/outcomes/ner.parquet", ["florian", "chieu"], "NER")
        for d in [pair.dataset]
    }
    of_text = ["macro-F1", *free_choice.TYPES]
    toy2014 = papers.read_published("sogaard2014", "section3_toy_examples").set_index(
        ["section", "quantity"]
    )["printed"]
    four = (
        papers.read_published("sogaard2014", "section4")
        .query("section == '4'")
        .set_index("quantity")["printed"]
    )
    noise_share = forensics.printed_interval(toy2014["3.3", "noise of the distorted copy"]).value
    taggers = printed("gorman2019", "table2")
    parts = printed("gorman2019", "table1").query("corpus == 'Penn Treebank' and part == 'Test.'")
    gorman = printed("gorman2019", "text").set_index(["section", "quantity"])["printed"]
    verdicts = forensics.VERDICTS
    printed_interval = forensics.printed_interval
    k_hat = partial_conjunction.k_hat
    read_published = papers.read_published
    noise_correlation = many_metrics.noise_correlation
    at_least_one = forensics.at_least_one
    either_of_two = forensics.either_of_two
    cut_off = many_metrics.cut_off
    positive_predictive_value = many_metrics.positive_predictive_value
    fisher_as_printed = amount(
        verdict("AE-SCL-SR-MSDA, alpha = 0.05: k-hat by Fisher", "published")
    )
    small_sentiment_pvalues = (
        sum(sentiment["p-value"] <= 0.05)
        if k_hat(sentiment["p-value"] / 2, 0.05, "fisher") == 10
        else None
    )
    small_but_behind = (small & (gap < 0)).sum()
    four_are_close = set(gap.index[small & (gap < 0) & (gap > -0.5)]) == {
        "Hindi",
        "Greek",
        "English",
        "Indonesian",
    }
    magnitudes_of_men = (
        np.log10(
            float(verdict("p-value of MEN", "published")) / amount(verdict("p-value of MEN"), -1)
        )
        // 1
    )
    exchanges_for_men = amount(verdict("p-value of MEN", "sentence").split("Another reading:")[1])
    most_pairs = {
        name: amount(verdict(f"p-value of {name}", "readings").split("at most")[1])
        for name in ("WS353-REL", "RW", "MEN")
    }
    set_sizes = printed("dror2017", "dataset_sizes").query("table == 5").set_index("dataset")["n"]
    pos_by_any_metric = printed_interval(recalled["3.3", "POS: significant by any metric"]).value
    one_count_differs = disputed["claim"].str.startswith("POS:").sum()
    newsgroups_las = float(
        printed("sogaard2014", "table3").set_index("domain")["LAS"]["Newsgroups"]
    )
    ner_rates_in_text = (
        found["claim"].str.startswith("NER:") & found["published"].eq("~0.15")
    ).sum()
    ner_open = (
        found["claim"].str.startswith("NER:") & found["verdict"].eq("cannot be checked")
    ).sum()
    only_first_rate_has_a_reading = min(
        part[of_text].min() for part in ner.values()
    ) < 0.015 and not any(
        abs(s * part[of_text].min() - 0.02) < 0.005 for part in ner.values() for s in (1, 2)
    )
    disputed_rates = (
        disputed["paper"].eq("Søgaard et al. 2014")
        & disputed["claim"].str.contains("P(p <", regex=False)
    ).sum()
    largest_cut_off = cut_off(
        float(four["R"]), float(four["beta"]), float(four["PPV at the proposed cut-off"])
    )
    exact_share = 1 - positive_predictive_value(float(four["R"]), 0.05, float(four["beta"]))
    whole_sentences = found[found["claim"].str.startswith("PTB sentence of")]["verdict"]
    whole_sentences = whole_sentences != "impossible"
    sentence_decimals = (
        read_published("gorman2019", "table2")["PTB sentence"].str.partition(".")[2].str.len().max()
    )
    return locals()
