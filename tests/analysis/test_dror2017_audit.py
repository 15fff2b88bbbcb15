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
from replicability.checks import enumerated
from replicability.stats import correlation, partial_conjunction

COLUMNS = paper_audit.columns_of("config/paper.yaml")


def dror(number):
    """A table of Dror et al. (2017): its frame, systems, scores and p-values."""
    printed = read_published("dror2017", f"table{number}")
    systems, p = {
        3: (("MIMICK", "Char→Tag"), "p-value"),
        4: (("AE-SCL-SR", "MSDA"), "p-value"),
        5: (("W2V", "GLOVE"), "p-val."),
    }[number]
    return printed, systems, [list(printed[system]) for system in systems], list(printed[p])


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


def test_stated_directions_by_the_scores():
    # The languages that Section 6.3 names, by the sign of the difference.
    named = read_published("dror2017", "section6_3").set_index("comparison")["identified"]
    printed, (a, b), _, _ = dror(3)
    lower = printed[printed[a].astype(float) < printed[b].astype(float)]["language"]
    expected = [
        f"{a} outperforms {b} on {name}"
        for name in named["MIMICK-Char→Tag"].split(";")
        if name in set(lower)
    ]
    found = paper_audit.directions(COLUMNS)
    assert len(found) == sum(len(names.split(";")) for names in named) == 14
    assert disputed(found, forensics.DEPENDS) == expected
    assert [name.rpartition(" ")[2] for name in expected] == ["Tamil", "Basque", "Indonesian"]
    assert disputed(found, forensics.CONTRADICTED) == []


@pytest.mark.long
def test_the_doubtful_pvalues_of_table_4_by_enumeration():
    printed, _, scores, texts = dror(4)
    n, doubtful = 2000, []
    for setup, a, b, p, _ in printed.itertuples(index=False, name=None):
        gap, low = round((float(a) - float(b)) * n), float(p)
        high = low + 10.0 ** -len(p.partition(".")[2]) if "e" not in p else low + 1e-7
        gives = False
        for d in range(abs(gap), n, 2):
            less = (d - abs(gap)) // 2
            mid = 2 * stats.binom.cdf(less, d, 0.5) - stats.binom.pmf(less, d, 0.5)
            gives |= low <= mid < high
        if not gives:
            doubtful.append(f"p-value of {setup}")
    found = forensics.mcnemar_column("p", "t", printed["setup"], texts, *scores, n)
    assert disputed(found, forensics.DEPENDS) == doubtful
    assert len(doubtful) == 2


@pytest.fixture(scope="module")
def table5():
    """Verdicts on the p-values of Table 5 of Dror et al. (2017)."""
    printed, _, scores, texts = dror(5)
    sizes = read_published("dror2017", "dataset_sizes").query("table == '5'")
    sizes = dict(zip(sizes["dataset"], sizes["n"].astype(int), strict=True))
    at = "p", "t", printed["dataset"], texts, *scores, sizes
    return forensics.correlation_column(*at, fewer=True)


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
    assert f"p-value of {dataset}" in disputed(table5, forensics.DEPENDS)
    assert len(disputed(table5, forensics.DEPENDS)) == 3
    assert not disputed(table5, forensics.IMPOSSIBLE)
    (verdict,) = [v for v in table5 if v.claim == f"p-value of {dataset}"]
    assert verdict.readings.startswith(f"on all {n:,} items: impossible; on at most ")


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
    assert f"Fisher's bound for AE-SCL-SR at level 0.05. We find {k}, but Table 1" in prose
    printed, _, scores, texts = dror(3)
    gap = pd.Series(np.subtract(*np.array(scores, dtype=float)), printed["language"]).round(2)
    small = printed["p-value"].astype(float).to_numpy() <= 0.05
    behind = gap[small & (gap.to_numpy() < 0)]
    assert (len(behind), small.sum()) == (7, 11)
    assert (
        "Seven of the eleven p-values of at most .05 in Table 3 belong to languages on which"
        in prose
    )
    near = behind[behind > -0.5].sort_values(ascending=False)
    assert (
        f"On {enumerated(near.index)}, the two taggers' accuracies differ by less than half a point"
        in prose
    )
    far = behind[["Tamil", "Basque"]]
    assert f"On Tamil and Basque, the gaps are {-far['Tamil']} and {-far['Basque']} points" in prose


def test_the_prose_on_what_tests_can_give(prose, table5):
    texts, scores = dror(4)[3], np.array(dror(4)[2], dtype=float)
    p, ahead = np.array(texts, dtype=float), scores[0] > scores[1]
    one_sided = np.where(ahead, p / 2, 1 - p / 2)
    wide, strict = (partial_conjunction.k_hat(one_sided, level) for level in (0.05, 0.01))
    plain = [partial_conjunction.k_hat(p, level) for level in (0.05, 0.01)]
    assert (wide, strict, *plain) == (10, 5, 6, 2)
    said = f"from {plain[0]} to {wide} of 12 at level 0.05, and from {plain[1]} to {strict} at 0.01"
    assert said in prose
    assert "reproduces 10 of the 12 p-values" in prose
    assert "this many p-values match by chance is 4 in 100,000" in prose
    (men,) = [found for found in table5 if found.claim == "p-value of MEN"]
    ratio = float(men.published) / float(men.recomputed.split()[2])
    assert int(np.log10(ratio)) == 6
    assert "For MEN, the p-value is six orders of magnitude too large" in prose
    assert all(
        "exchanging 3 pairs of rows" in f.sentence for f in table5 if f.verdict == forensics.DEPENDS
    )
    assert "Swapping three pairs of rows makes every p-value in the column possible" in prose
    assert "W2V is better on at least 5 or 6 datasets, depending on the order of the rows" in prose


def test_the_prose_on_probabilities(prose, verdicts):
    toy = pd.read_csv(paths.ROOT / "tables" / "section5_toy_examples.csv").set_index(
        ["example", "estimator"]
    )
    exact = [toy.loc[("independent", name), "exact"] for name in ("count", "bonferroni", "fisher")]
    first, second, third = (f"{p:.3f}" for p in exact)
    assert (
        f"as probabilities of $\\hat k > k$, but the correct values are {first}, "
        f"{second} and {third}" in prose
    )
    sentence = verdicts[0].set_index("claim").loc["dependent datasets: P(k_count > k)", "sentence"]
    pattern = r"value is (\d\.\d) st.* probability (0\.\d+)\. P\("
    far, chance = re.search(pattern, sentence).groups()
    said = f"is {far} standard errors too low, which happens in {float(chance):.1%} of simulations"
    assert said in prose
    two = f"{forensics.at_least_one(0.05, 2):.4f}"
    assert f"Two independent metrics would give a rate of {two}" in prose
    assert (
        f"a distorted copy gives {forensics.either_of_two(0.05, 1.01**-0.5):.1%} or about" in prose
    )
    limit = 0.5 * 0.1 * (1 / 0.95 - 1)
    assert (
        f"At any cut-off up to {limit:.5f}, including the proposed one, the share of significant "
        "findings that are true is at least 0.95" in prose
    )


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
            {"setup": "E → K"},
            "MSDA",
            "0.7",
            lambda: paper_audit.mcnemar_pvalues(paper_audit.columns_of("config/paper.yaml")),
            "p-value of E → K",
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
    assert after[claimed] in against | {forensics.DEPENDS}
    assert after[claimed] != before[claimed]


def test_columns_are_what_the_study_names():
    column = COLUMNS["W2V-GloVe"]
    table = read_published("dror2017", "table5")
    assert column.item == "Table 5"
    assert column.datasets == list(table["dataset"])
    assert column.pvalues == list(table["p-val."])
    assert column.scores == [list(table["W2V"]), list(table["GLOVE"])]


def test_the_supplement_belongs_to_three_columns():
    found = paper_audit.supplement(COLUMNS)
    assert {title: sum(map(bool, more)) for title, more in found.items()} == {
        "Mate-Redshift": 7,
        "Mate-SpaCy": 7,
        "AE-SCL-SR-MSDA": 3,
    }
    modes = paper_audit.printings(COLUMNS)
    assert [modes[title].mode for title in COLUMNS] == [
        *("rounded", "truncated", "either", "truncated", "either")
    ]


def test_a_printed_p_value_that_is_not_in_the_supplement_is_contradicted(altered):
    found = {v.claim: v for v in paper_audit.parsing_pvalues(COLUMNS)}
    assert len(found) == 14
    assert {v.grade for v in found.values()} == {forensics.TRIVIAL}
    claim_ = found["p-val (Mate,Redshift) of MZ"]
    assert claim_.published == "0.0046"
    assert claim_.sentence.startswith("0.00466 in the second author's script of January 2017. ")
    as_rounded = forensics.value(claim("0.0046"), 0.00466, "So.", printing="rounded")
    assert as_rounded.verdict == forensics.CONTRADICTED


def test_readings_of_each_column():
    table = paper_audit.readings(COLUMNS).set_index("Comparison")
    assert table.loc["AE-SCL-SR-MSDA", "p-values can be"] == "two-sided"
    assert "one-sided for A" not in table.loc["W2V-GloVe", "p-values can be"].split(", ")
    assert "one-sided for A" in table.loc["MIMICK-Char→Tag", "p-values can be"].split(", ")
    forms = paper_audit.mcnemar_forms(COLUMNS)
    assert forms.iloc[0].tolist()[:4] == ["mid-p", "two-sided", "cut off", 10]
    counts = paper_audit.both_readings(COLUMNS, [0.05]).set_index("Comparison")
    assert counts.loc["AE-SCL-SR-MSDA", ["as printed", "A, two-sided"]].tolist() == [6, 10]
    assert counts.loc["MIMICK-Char→Tag", ["A, two-sided", "B, two-sided"]].tolist() == [4, 4]


def test_w2v_in_every_order_of_the_rows_by_drawing_orders():
    printed, _, scores, texts = dror(5)
    sizes = read_published("dror2017", "dataset_sizes").query("table == '5'")["n"].astype(int)
    possible = forensics.possible_places(texts, *scores, list(sizes))
    yp, p = list(printed["dataset"]).index("YP-130"), forensics.printed_pvalues(texts)[1]
    rng, counted, seen = np.random.default_rng(5), set(), 0
    weights = np.where(possible, 1 / possible.sum(axis=1, keepdims=True), 0)
    while seen < 200:
        order, free = np.full(12, -1), np.ones(12, bool)
        for i in np.argsort(possible.sum(axis=1)):  # the value with the fewest places first
            chance = weights[i] * free
            if not chance.any():
                break
            order[i] = rng.choice(12, p=chance / chance.sum())
            free[order[i]] = False
        else:
            seen += 1
            one_sided = np.where(order == yp, 1 - p / 2, p / 2)
            counted.add(partial_conjunction.k_hat(one_sided, 0.05, "bonferroni"))
    table = paper_audit.orders_of_table5(0.05)
    assert counted == {5, 6} == set(table["W2V better"])
    assert (table["W2V better"] + table["GloVe better"] == 6).all()
