import itertools
import re

import numpy as np
import pandas as pd
import pytest
from claims import claim
from scipy import optimize, stats

from analysis import paths
from analysis.dror2017 import audit as paper_audit
from analysis.published import read_published
from replicability import forensics
from replicability.stats import correlation, partial_conjunction


def dror(number):
    """A table of Dror et al. (2017): its frame, systems, scores and p-values."""
    printed = read_published("dror2017", f"table{number}")
    systems, p = {
        3: (("MIMICK", "Char→Tag"), "p-value"),
        4: (("AE-SCL-SR", "MSDA"), "p-value"),
        5: (("W2V", "GLOVE"), "p-val."),
    }[number]
    return printed, systems, [list(printed[system]) for system in systems], list(printed[p])


TESTED = {3: "wilcoxon", 4: "mcnemar", 5: "steiger"}


def directions(number):
    """Verdicts on the directions of a table of Dror et al. (2017)."""
    printed, systems, scores, texts = dror(number)
    names = list(printed.iloc[:, 0])
    return forensics.direction_column(
        "p", "t", names, texts, *scores, systems, 0.05, TESTED[number]
    )


def disputed(verdicts, verdict):
    """Claims that got a verdict."""
    return [found.claim for found in verdicts if found.verdict == verdict]


def test_the_one_count_of_table_1_that_differs_by_enumeration():
    # A second route: the smallest and the largest p-values that round to each printed one.
    texts = list(read_published("dror2017", "table4")["p-value"])
    printed = read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    published = printed.loc[("AE-SCL-SR-MSDA", "0.05"), "k_fisher"]
    low, high = forensics.printed_pvalues(texts)
    corners = [
        np.where(choice, low, high) for choice in itertools.product([True, False], repeat=12)
    ]
    found = partial_conjunction.k_hat(np.array(corners), 0.05, "fisher")
    verdict = forensics.count(claim(published), texts, 0.05, "fisher")
    assert {verdict.recomputed} == {str(k) for k in found}
    assert int(published) not in found
    assert verdict.verdict == forensics.CONTRADICTED


def test_the_other_readings_of_table_1_by_chi_squared():
    p = np.sort(read_published("dror2017", "table4")["p-value"].astype(float))
    published = read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    row = published.loc[("AE-SCL-SR-MSDA", "0.05")]

    def k(p):
        tails = [stats.combine_pvalues(p[u:])[1] for u in range(len(p))]
        return int((np.maximum.accumulate(tails) <= 0.05).sum())

    assert (k(p), k(p / 2)) == (9, int(row["k_fisher"]))
    assert row["k_fisher"] == row["k_count"]
    assert partial_conjunction.k_hat(p / 2) != int(
        row["k_bonferroni"]
    )  # halving does not fit that one


@pytest.mark.parametrize(("table", "starred"), [(3, 3), (4, 0), (5, 1)])
def test_directions_by_the_pvalues_of_both_sides(table, starred):
    # A second route: two-sided p-values with the observed sign; those above 1/2 for A turn round.
    printed, (a, b), scores, texts = dror(table)
    ahead, values = np.subtract(*np.array(scores, dtype=float)), np.array(texts, dtype=float)
    turned = (partial_conjunction.one_sided(values, ahead) > 0.5) & (values <= 0.05)
    expected = [f"{a} better than {b} on {name} (p <= 0.05)" for name in printed.iloc[:, 0][turned]]
    found = disputed(directions(table), forensics.CONTRADICTED)
    assert [name for name in found if "better than" in name] == expected
    assert printed["mark"][turned].str.contains(r"\*").sum() == starred


@pytest.mark.parametrize("table", [3, 4, 5])
def test_one_sidedness_by_the_sign_of_each_row(table):
    printed, systems, scores, texts = dror(table)
    rows = list(zip(*scores, texts, strict=True))
    wrong = sum((float(p) < 0.5) == (float(b) > float(a)) for a, b, p in rows)
    found = forensics.one_sided(claim("one-sided"), texts, *scores, systems, TESTED[table])
    assert found.recomputed == f"{wrong} of {len(printed)} on the other side of 1/2"
    # Row by row the same, where the test follows the scores.
    judged = disputed(directions(table), forensics.CONTRADICTED)
    assert found.verdict == (forensics.UNCHECKED if table == 3 else forensics.CONTRADICTED)
    assert len(judged) == (7 if table == 3 else wrong)


def enumerated(a, b, n, difference=None):
    """McNemar p-values by scipy, one number of discordant reviews after the other."""
    right_a, right_b = round(a * n), round(b * n)
    gap = right_a - right_b if difference is None else difference
    for losses in range(max(0, -gap), min(right_b, n - right_a) + 1):
        wins = losses + gap
        d = wins + losses
        if d == 0:
            continue
        for alternative in ("greater", "two-sided"):
            exact = stats.binomtest(wins, d, alternative=alternative).pvalue
            yield exact
            yield exact - stats.binom.pmf(wins, d, 0.5) * (0.5 if alternative == "greater" else 1)
        for correction in (0, 1):
            chi = max(abs(gap) - correction, 0) ** 2 / d
            yield from (stats.chi2.sf(chi, 1), stats.norm.sf(np.sign(gap) * np.sqrt(chi)))


@pytest.mark.long
def test_the_impossible_pvalues_of_table_4_by_enumeration():
    printed, _, scores, texts = dror(4)
    n = int(read_published("dror2017", "dataset_sizes").set_index("dataset").loc["E → K", "n"])
    impossible = []
    for row in printed.itertuples(index=False, name=None):
        setup, a, b, p, _ = row
        inside = forensics.printed_interval(p)
        found = np.array(list(enumerated(float(a), float(b), n)))
        if not ((found >= inside.low) & (found <= inside.high)).any():
            impossible.append(f"p-value of {setup}")
    found = forensics.mcnemar_column("p", "t", printed["setup"], texts, *scores, n)
    assert disputed(found, forensics.IMPOSSIBLE) == impossible
    assert len(impossible) == 2


@pytest.fixture(scope="module")
def table5():
    """Verdicts on the p-values of Table 5 of Dror et al. (2017)."""
    printed, _, scores, texts = dror(5)
    sizes = read_published("dror2017", "dataset_sizes").query("table == '5'")
    sizes = dict(zip(sizes["dataset"], sizes["n"].astype(int), strict=True))
    return forensics.correlation_column("p", "t", printed["dataset"], texts, *scores, sizes)


@pytest.mark.parametrize("dataset", ["WS353-REL", "RW", "MEN"])
def test_the_impossible_pvalues_of_table_5_by_optimisation(table5, dataset):
    # A second route: Steiger's z written out, its largest p-value found by a bounded search.
    row = read_published("dror2017", "table5").set_index("dataset").loc[dataset]
    sizes = read_published("dror2017", "dataset_sizes")
    n = int(sizes.set_index(["table", "dataset"]).loc[("5", dataset), "n"])
    a, b = float(row["W2V"]), float(row["GLOVE"])
    bounds = correlation.possible_r_kh(a, b)

    def two_sided(c):
        mean = (a + b) / 2
        psi = c * (1 - 2 * mean**2) - mean**2 / 2 * (1 - 2 * mean**2 - c**2)
        variance = (2 - 2 * psi / (1 - mean**2) ** 2) / (n - 3)
        return 2 * stats.norm.sf(abs(np.arctanh(a) - np.arctanh(b)) / np.sqrt(variance))

    found = optimize.minimize_scalar(
        lambda c: -two_sided(c), bounds=(bounds.low, bounds.high), method="bounded"
    )
    edges = [two_sided(c) for c in np.linspace(bounds.low, bounds.high, 999)[1:-1]]
    largest = max(-found.fun, *edges)
    assert largest < forensics.printed_interval(row["p-val."]).low
    assert f"p-value of {dataset}" in disputed(table5, forensics.IMPOSSIBLE)
    assert len(disputed(table5, forensics.IMPOSSIBLE)) == 3


def test_the_exchanged_rows_of_table_5_by_trying_every_pair():
    printed = read_published("dror2017", "table5")
    sizes = read_published("dror2017", "dataset_sizes").set_index(["table", "dataset"])["n"]
    intervals = forensics.printed_column(printed["p-val."])
    ranges = [
        forensics.correlation_range(row.W2V, row.GLOVE, int(sizes["5", row.dataset]))
        for row in printed.itertuples()
    ]
    names = list(printed["dataset"])
    for pairs in (
        [("WS353-SIM", "MEN"), ("WS353-REL", "MC-30"), ("RW", "YP-130")],
        [("WS353-SIM", "MEN"), ("WS353-REL", "MC-30")],
    ):
        order = list(range(len(names)))
        for x, y in pairs:
            i, j = names.index(x), names.index(y)
            order[i], order[j] = order[j], order[i]
        fits = all(
            ((table["low"] <= intervals[k].high) & (table["high"] >= intervals[k].low)).any()
            for table, k in zip(ranges, order, strict=True)
        )
        assert fits == (len(pairs) == 3)


def test_the_first_toy_example_by_closed_forms_and_by_simulation():
    printed = read_published("dror2017", "section5").set_index(["example", "quantity"])["printed"]
    count, bonferroni, fisher = (
        float(printed["independent", f"P(k_{name} > k)"])
        for name in ("count", "bonferroni", "fisher")
    )
    for value, level in ((count, 0.05), (bonferroni, 0.05 / 100)):
        error = np.sqrt(stats.binom.sf(0, 100, level) * stats.binom.cdf(0, 100, level) / 1000)
        assert abs(value - stats.binom.sf(0, 100, level)) > 4 * error
    assert count == pytest.approx(stats.binom.sf(1, 100, 0.05), abs=0.0005)  # P(k-hat > 1)
    # k-hat Bonferroni > 1: two p-values, at or below alpha / 100 and alpha / 99.
    assert (
        stats.binom.sf(1, 100, 0.0005) < bonferroni + 0.0005 < 4 * stats.binom.sf(1, 100, 1 / 1980)
    )
    # Fisher's by another generator and scipy's combination of p-values.
    p = np.sort(np.random.default_rng(5).random((40_000, 100)), axis=1)
    above = [(stats.combine_pvalues(p[:, u:], axis=1)[1] <= 0.05).astype(int) for u in (0, 1)]
    none, one = above[0].mean(), (above[0] & above[1]).mean()
    assert abs(fisher - none) > 4 * np.sqrt(none / 1000)
    assert abs(fisher - one) < 2 * np.sqrt(one / 1000)


def test_the_smallest_test_set_of_the_printed_accuracies():
    _, _, scores, _ = dror(4)
    claimed = forensics.quoted("p", read_published("dror2017", "section6_1"))["6.1"]
    right = np.array(scores, dtype=float).ravel()

    def grid(n):
        return (np.abs(np.rint(right * n) / n - right) <= 0.00005 + 1e-12).all()

    found = [n for n in range(1, 4000) if grid(n)]
    assert [str(n) for n in found] == [claimed["sentiment: test set"].published]


def test_the_prose_on_counts_and_directions(prose):
    texts = dror(4)[3]
    k = partial_conjunction.k_hat([float(p) for p in texts], 0.05, "fisher")
    assert f"the printed p-values of the sentiment setups give {k} datasets at level 0.05" in prose
    printed, _, scores, texts = dror(3)
    gap = pd.Series(np.subtract(*np.array(scores, dtype=float)), printed["language"]).round(2)
    small = printed["p-value"].astype(float).to_numpy() <= 0.05
    behind = gap[small & (gap.to_numpy() < 0)]
    assert (len(behind), small.sum()) == (7, 11)
    assert "seven of the eleven languages that Table 3 counts for MIMICK belong to" in prose
    near = behind[behind > -0.5].sort_values(ascending=False)
    assert f"less than half a point apart ({', '.join(near.index)})" in prose
    far = behind[["Tamil", "Basque"]]
    assert f"on Tamil and Basque, with {-far['Tamil']} and {-far['Basque']} points" in prose
    assert len(disputed(directions(4), forensics.CONTRADICTED)) == 2
    assert "YP-130 and two pairs of domains in Table 4 are on the other side" in prose


def test_the_prose_on_what_tests_can_give(prose, table5):
    printed, _, scores, texts = dror(4)
    impossible = [
        (float(text), float(found.recomputed.split()[0]))
        for text, found in zip(
            texts,
            forensics.mcnemar_column("p", "t", printed["setup"], texts, *scores, 2000),
            strict=True,
        )
        if found.verdict == forensics.IMPOSSIBLE
    ]
    assert [round(abs(x - y), 4) for x, y in impossible] == [0.0001] * 2
    assert (
        "two cannot come from the printed accuracies by any form of the test, each by one" in prose
    )
    assert forensics.mcnemar_forms(texts, *scores, 2000)["possible"].max() < len(texts) - 2
    assert "no single form gives all of the other ten" in prose
    (men,) = [found for found in table5 if found.claim == "p-value of MEN"]
    ratio = float(men.published) / float(men.recomputed.split()[2])
    assert int(np.log10(ratio)) == 6
    assert "for MEN by six orders of magnitude" in prose
    assert all("3 exchanges of two rows" in f.sentence for f in table5 if f.verdict == "impossible")
    assert "Three exchanges of two rows each make every p-value of the column possible" in prose


def test_the_prose_on_probabilities(prose, verdicts):
    toy = pd.read_csv(paths.ROOT / "tables" / "section5_toy_examples.csv").set_index(
        ["example", "estimator"]
    )
    exact = [toy.loc[("independent", name), "exact"] for name in ("count", "bonferroni", "fisher")]
    first, second, third = (f"{p:.3f}" for p in exact)
    assert f"the exact values are {first}, {second} and {third}" in prose
    sentence = verdicts[0].set_index("claim").loc["dependent datasets: P(k_count > k)", "sentence"]
    pattern = r"value is -(\d\.\d) of .* probability (0\.\d+)\. P\(.*\) has probability (0\.\d+),"
    far, chance, other = re.search(pattern, sentence).groups()
    said = f"lies {far} standard errors away, which happens in {float(chance):.1%} of such"
    assert said in prose
    assert f"there $P(\\hat k > k + 1)$ is {float(other):.2f}" in prose
    assert f"{forensics.at_least_one(0.01, 2):.2%} cut off instead of rounded" in prose
    assert f"independent metrics give ({forensics.at_least_one(0.05, 2):.4f} in theory)" in prose
    assert f"gives {forensics.either_of_two(0.05, 1.01**-0.5):.1%}; even if a tenth" in prose
    assert f"leaves a correlation of {1.01**-0.5:.3f}" in prose
    limit = 0.5 * 0.1 * (1 / 0.95 - 1)
    assert f"Any cut-off up to {limit:.5f} keeps it at 0.95" in prose


COLUMNS = paper_audit.columns_of("config/paper.yaml")


@pytest.mark.parametrize(
    ("item", "where", "column", "printed", "check", "claimed"),
    [
        (
            "table1",
            {"comparison": "Mate-Redshift", "alpha": "0.05"},
            "k_fisher",
            "6",
            lambda: paper_audit.counts(COLUMNS, 0.05),
            "Mate-Redshift, alpha = 0.05: k-hat by Fisher",
        ),
        (
            "section6_3",
            {"comparison": "Mate-Redshift"},
            "identified",
            "NW",
            lambda: paper_audit.identified(COLUMNS, [0.05, 0.01]),
            "Mate-Redshift: datasets identified",
        ),
        (
            "table4",
            {"setup": "B → D"},
            "p-value",
            "0.9",
            paper_audit.mcnemar_pvalues,
            "p-value of B → D",
        ),
        (
            "table5",
            {"dataset": "SimLex999"},
            "p-val.",
            "0.9",
            paper_audit.correlation_pvalues,
            "p-value of SimLex999",
        ),
        ("section3_2", {"quantity": "P(V > 0)"}, "printed", "0.95", None, "P(V > 0)"),
        (
            "section6_1",
            {"quantity": "sentiment: domains"},
            "printed",
            "5",
            lambda: paper_audit.settings(COLUMNS),
            "sentiment: domains",
        ),
        (
            "sections1_to_3",
            {"quantity": "languages of CoNLL 2006-2007"},
            "printed",
            "20",
            paper_audit.cited_numbers,
            "languages of CoNLL 2006-2007",
        ),
    ],
)
def test_another_printed_number_gets_another_verdict(
    altered, item, where, column, printed, check, claimed
):
    check = check or paper_audit.multiplicity
    before = {found.claim: found.verdict for found in check()}
    altered(paper_audit, item, where, column, printed)
    after = {found.claim: found.verdict for found in check()}
    against = {forensics.CONTRADICTED, forensics.IMPOSSIBLE}
    assert before[claimed] not in against
    assert after[claimed] in against


def test_columns_are_what_the_study_names():
    column = COLUMNS["W2V-GloVe"]
    table = read_published("dror2017", "table5")
    assert column.item == "Table 5"
    assert column.datasets == list(table["dataset"])
    assert column.pvalues == list(table["p-val."])
    assert column.scores == [list(table["W2V"]), list(table["GLOVE"])]


def test_forms_of_mcnemars_test_side_by_side():
    _, _, scores, texts = dror(4)
    counted = forensics.mcnemar_forms(texts, *scores, 2000)
    table = paper_audit.mcnemar_forms().set_index("Form")
    for row in counted.itertuples():
        assert table.loc[row.variant, paper_audit.ALTERNATIVES[row.alternative]] == row.possible
    assert table.size == len(counted)


def test_one_sidedness_has_a_verdict_for_each_column():
    found = paper_audit.one_sidedness(COLUMNS)
    assert [v.claim for v in found] == list(COLUMNS)
    assert [v.recomputed.split()[2] for v in found] == [
        str(len(c.pvalues)) for c in COLUMNS.values()
    ]
