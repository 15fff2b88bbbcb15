import itertools
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from analysis import agreement, audit, checks, correlation, data, paths, replicability


def claim(published, text="c", item="t"):
    return audit.Claim("p", item, text, published)


@pytest.fixture(scope="module")
def verdicts():
    """The committed table of verdicts."""
    return data.read_table(paths.ROOT / "tables" / "audit.csv")


def claims(table, verdict, item, contains=""):
    """Claims of an item of Dror et al. (2017) that got a verdict."""
    chosen = (table["paper"] == "Dror et al. 2017") & (table["item"] == item)
    chosen &= (table["verdict"] == verdict) & table["claim"].str.contains(contains, regex=False)
    return list(table["claim"][chosen])


# --- printed numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "low", "value", "high"),
    [
        ("0.0099", 0.00985, 0.0099, 0.00995),
        ("1.12e-08", 1.115e-08, 1.12e-08, 1.125e-08),
        ("1,000", 999.5, 1000, 1000.5),
        ("2e-5", 1.5e-5, 2e-5, 2.5e-5),
        ("0.0", 0, 0, 0.05),
        ("12", 11.5, 12, 12.5),
        (".9646", 0.96455, 0.9646, 0.96465),
        ("9.75%", 0.09745, 0.0975, 0.09755),
        ("14e-2", 0.135, 0.14, 0.145),
        ("~0.12%", 0.00115, 0.0012, 0.00125),
        ("<0.001", 0, 0.001, 0.001),
        (">1/2", 0.5, 0.5, np.inf),
        ("1/6", 1 / 6.5, 1 / 6, 1 / 5.5),
    ],
)
def test_printed_interval(text, low, value, high):
    found = audit.printed_interval(text)
    assert (found.low, found.value, found.high) == pytest.approx((low, value, high), rel=1e-8)


def test_one_half_is_not_above_one_half():
    assert 0.5 not in audit.printed_interval(">1/2")
    assert 0.51 in audit.printed_interval(">1/2")


def test_a_printed_zero_is_as_small_as_the_finest_digit_of_its_column():
    low, high = audit.printed_pvalues(["0", "0.0420", "1.5e-7", "<0.001"])
    np.testing.assert_allclose(low, [0, 0.04195, 1.45e-7, 0])
    np.testing.assert_allclose(high, [0.5e-8, 0.04205, 1.55e-7, 0.001])


def test_shown():
    assert [audit.shown(text) for text in ("14e-2", "28e3", "1.12e-08", "<0.001")] == [
        "14%",
        "28k",
        "1.12e-08",
        "<0.001",
    ]


# --- counts and marks ---------------------------------------------------------------------------


@given(
    values=st.lists(st.integers(1, 99), min_size=1, max_size=4),
    estimator=st.sampled_from(["count", *replicability.METHODS]),
    shift=st.lists(st.floats(-0.5, 0.5), min_size=4, max_size=4),
)
def test_no_pvalues_that_round_to_the_printed_ones_leave_the_range(values, estimator, shift):
    texts = [f"0.{value:02d}" for value in values]
    inside = [(value + s) / 100 for value, s in zip(values, shift, strict=False)]
    k = (
        replicability.k_count(inside)
        if estimator == "count"
        else replicability.k_hat(inside, 0.05, estimator)
    )
    assert audit.count(claim(str(k)), texts, 0.05, estimator).verdict != audit.CONTRADICTED


@pytest.mark.parametrize(
    ("published", "verdict"),
    [("1", audit.REPRODUCED), ("2", audit.CONTRADICTED), ("0", audit.CONTRADICTED)],
)
def test_a_count_that_follows_or_does_not(published, verdict):
    found = audit.count(claim(published), ["0.001", "0.30"], 0.05, "bonferroni")
    assert found.verdict == verdict
    assert found.recomputed == "1"


def test_a_count_within_rounding():
    found = audit.count(claim("0"), ["0.05"], 0.05, "count")
    assert found.verdict == audit.WITHIN_ROUNDING
    assert found.recomputed == "1 (0 to 1 with rounding)"


def test_the_one_count_of_table_1_that_differs_by_enumeration():
    # A second route: the smallest and the largest p-values that round to each printed one.
    texts = list(data.read_published("dror2017", "table4")["p-value"])
    printed = data.read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    published = printed.loc[("AE-SCL-SR-MSDA", "0.05"), "k_fisher"]
    low, high = audit.printed_pvalues(texts)
    corners = [
        np.where(choice, low, high) for choice in itertools.product([True, False], repeat=12)
    ]
    found = replicability.k_hat(np.array(corners), 0.05, "fisher")
    verdict = audit.count(claim(published), texts, 0.05, "fisher")
    assert {verdict.recomputed} == {str(k) for k in found}
    assert int(published) not in found
    assert verdict.verdict == audit.CONTRADICTED


def test_marks():
    datasets, texts = ["p", "q", "r"], ["0.001", "0.025", "0.5"]
    judge = lambda names: audit.marks(claim(""), names, datasets, texts, 0.05).verdict  # noqa: E731
    assert judge(["p", "q"]) == audit.REPRODUCED
    assert judge(["p"]) == audit.WITHIN_ROUNDING
    assert judge(["p", "r"]) == audit.CONTRADICTED
    assert judge([]) == audit.CONTRADICTED


def test_marks_columns_are_judged_once_per_mark_in_use():
    levels = {"*": 0.05, "+": 0.01}
    found = audit.marks_column("p", "t", "A-B", ["p", "q"], ["0.001", "0.9"], ["*", ""], levels)
    assert [verdict.claim for verdict in found] == ["A-B: datasets marked *"]
    assert found[0].verdict == audit.REPRODUCED


@pytest.mark.parametrize(
    ("published", "probability", "verdict"),
    [
        ("0.050", 0.05, audit.WITHIN_MONTE_CARLO_ERROR),
        ("0.070", 0.05, audit.WITHIN_MONTE_CARLO_ERROR),
        ("0.021", 0.05, audit.CONTRADICTED),
        ("0.001", 0.0012, audit.WITHIN_MONTE_CARLO_ERROR),
    ],
)
def test_monte_carlo(published, probability, verdict):
    assert audit.monte_carlo(claim(published), probability, 1000).verdict == verdict


def test_monte_carlo_says_how_far():
    found = audit.monte_carlo(claim("0.021"), 0.05, 1000)
    # (0.021 - 0.05) / sqrt(0.05 * 0.95 / 1000) = -4.2
    assert "1,000 repetitions have a standard error of 0.0069" in found.sentence
    assert "-4.2 of them away" in found.sentence
    assert "simulated" in audit.monte_carlo(claim("0.02"), 0.05, 10, standard_error=0.1).sentence


def test_value():
    assert audit.value(claim("0.994"), 0.99408, "why").verdict == audit.REPRODUCED
    assert audit.value(claim("0.994"), 0.9931, "why").verdict == audit.CONTRADICTED


def test_simulated_table_prefers_the_exact_probability():
    printed = pd.DataFrame(
        {
            "example": ["x", "x"],
            "quantity": ["P(k_count > k)", "P(k_fisher > k)"],
            "printed": ["0.5", "0.2"],
        }
    )
    rows = pd.DataFrame(
        {
            "example": ["x", "x"],
            "estimator": ["count", "fisher"],
            "exact": [0.5, np.nan],
            "large": [0.9, 0.2],
            "large_error": [0.01, 0.01],
            "large_above_one": [0.1, 0.1],
        }
    )
    count, fisher = audit.simulated_table("p", "s", printed, rows, 1000)
    assert (count.recomputed, fisher.recomputed) == ("0.5000", "0.2000")
    assert "exact" in count.sentence
    assert "simulated" in fisher.sentence


def test_totals_have_every_verdict():
    verdicts = audit.table([audit.value(claim("1"), 1, "why")])
    assert audit.totals(verdicts).to_dict("list") == {
        "verdict": list(audit.VERDICTS),
        "numbers": [1, 0, 0, 0, 0, 0],
    }


def test_bad_input_by_message():
    with pytest.raises(
        checks.InputError, match=r"'n\.s\.' is not a printed number such as 0\.0979"
    ):
        audit.printed_interval("n.s.")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: audit.count(claim("x"), ["0.1"], 0.05, "count"), "'x' is not a printed whole"),
        (lambda: audit.marks(claim(""), ["q"], ["p"], ["0.1"], 0.05), "t: dataset 'q' is not one"),
        (lambda: audit.granularity(claim("0.5"), 0), "n is 0, but a number of items"),
        (lambda: audit.granularity(claim("80.5"), 9), "'80.5' is no share of items"),
        (lambda: audit.mcnemar(claim("0.1"), "0.123", "0.5", 10), "gives 0.123"),
        (lambda: audit.derived(claim("1"), "sums", ["1"]), "did you mean 'sum'?"),
        (lambda: audit.wilson(claim("1"), "0.5", 9, "up"), "limit 'up' is not one of low, high"),
        (lambda: audit.signed_rank(claim("0.1"), 40), "n is 40; the check takes 1 to 25"),
        (lambda: audit.either_of_two(0.05, 1.0), "rho is 1.0"),
        (lambda: audit.predictive_value(0, 0.05, 0.5), "r is 0, but a ratio"),
        (lambda: audit.judge(claim("1"), "1", "fine", "."), "verdict 'fine' is not one of"),
        (lambda: audit.printed_pvalues([]), "A column of p-values is empty"),
        (lambda: audit.monte_carlo(claim("0.1"), 1.2, 9), "but a p-value is a number in"),
    ],
)
def test_more_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=re.escape(message)):
        call()


def test_marks_by_each_test():
    found = audit.marks(
        claim("p, q"), ["p", "q"], ["p", "q", "r"], ["0.04", "0.03", "0.2"], 0.05, "each"
    )
    assert found.verdict == audit.REPRODUCED


def test_a_contradicted_count_names_the_readings_that_give_it():
    found = audit.count(claim("2"), ["0.001", "0.08"], 0.05, "count", {"the cell beside": "2"})
    assert (
        "2 is given by p-values that were halved; the level 0.1; the cell of the cell beside"
        in (found.sentence)
    )


# --- direction ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("0.7", "0.6", audit.REPRODUCED),
        ("0.6", "0.7", audit.CONTRADICTED),
        ("0.6", "0.6", audit.WITHIN_ROUNDING),
    ],
)
def test_direction(a, b, verdict):
    assert audit.direction(claim("0.01"), a, b, ("A", "B")).verdict == verdict


def test_direction_column_judges_small_pvalues_only():
    found = audit.direction_column(
        "p", "t", "xyz", ["0.01", "0.5", "<0.001"], "221", "112", "AB", 0.05
    )
    assert [v.claim for v in found] == [
        "A better than B on x (p <= 0.05)",
        "A better than B on z (p <= 0.05)",
    ]
    assert [v.verdict for v in found] == [audit.REPRODUCED, audit.CONTRADICTED]


@pytest.mark.parametrize(
    ("p", "verdict", "words"),
    [
        (["0.1", "0.9"], audit.REPRODUCED, ""),
        (["0.1", "0.2"], audit.CONTRADICTED, "the smaller of both"),
        (["0.8", "0.2"], audit.CONTRADICTED, "two-sided p-values"),
    ],
)
def test_one_sided(p, verdict, words):
    found = audit.one_sided(claim("one-sided"), p, ["2", "1"], ["1", "2"], ("A", "B"))
    assert found.verdict == verdict
    assert words in found.sentence


def test_one_sided_pvalues_of_a_test_pass():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(30, 25))
    p = stats.ttest_1samp(scores, 0, axis=1, alternative="greater").pvalue
    a = [f"{mean:.9f}" for mean in scores.mean(axis=1)]
    found = audit.one_sided(claim("one-sided"), [f"{x:.6f}" for x in p], a, ["0"] * 30, ("A", "B"))
    assert found.verdict == audit.REPRODUCED


# --- arithmetic and probabilities ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("published", "operation", "texts", "exact", "verdict"),
    [
        ("0.0128", "difference", ["0.9774", "0.9646"], False, audit.REPRODUCED),
        ("0.0129", "difference", ["0.9774", "0.9646"], False, audit.WITHIN_ROUNDING),
        ("0.0131", "difference", ["0.9774", "0.9646"], False, audit.CONTRADICTED),
        ("6", "difference", ["9", "3"], True, audit.REPRODUCED),
        ("5", "difference", ["9", "3"], True, audit.CONTRADICTED),
        ("33.3%", "share", ["1", "1", "1"], True, audit.REPRODUCED),
        ("2.5", "mean", ["2", "3"], True, audit.REPRODUCED),
        ("20", "ratio", ["0.05", "0.0025"], True, audit.REPRODUCED),
        ("12", "product", ["4", "3"], True, audit.REPRODUCED),
    ],
)
def test_derived(published, operation, texts, exact, verdict):
    assert audit.derived(claim(published), operation, texts, exact=exact).verdict == verdict


def test_a_number_that_was_cut_off_is_said_to_be():
    assert "cut off" in audit.value(claim("1.9%"), 0.0199, "why").sentence
    assert "cut off" not in audit.value(claim("1.8%"), 0.0199, "why").sentence
    assert "cut off" not in audit.value(claim(">1/2"), 0.5, "why").sentence


def test_a_contradicted_estimate_names_the_event_that_fits():
    found = audit.monte_carlo(claim("0.963"), 0.994, 1000, readings={"x": 0.9629, "y": 0.5})
    assert found.verdict == audit.CONTRADICTED
    assert found.sentence.endswith("Another reading: x has probability 0.9629, which fits.")


@given(st.floats(-0.999, 0.999), st.floats(0.001, 0.5))
def test_either_of_two_lies_between_one_test_and_two_independent_ones(rho, level):
    found = audit.either_of_two(level, rho)
    assert level - 1e-9 <= found <= audit.at_least_one(level, 2) + 1e-9


def test_either_of_two_by_the_bivariate_normal_distribution():
    c = stats.norm.isf(0.025)
    normal = stats.multivariate_normal(cov=[[1, 0.6], [0.6, 1]])
    inside = normal.cdf([c, c], lower_limit=[-c, -c])
    assert audit.either_of_two(0.05, 0.6) == pytest.approx(1 - inside, abs=1e-6)


def test_predictive_value_by_counting_findings():
    # 1000 null relations and 100 true ones: 50 of these are found, and 10 false ones.
    assert audit.predictive_value(0.1, 0.01, 0.5) == pytest.approx(50 / 60)


def test_agreement_by_the_matrix_of_coincidences():
    example = data.read_published("gorman2019", "table4").set_index("row").drop("Gold")
    labels = sorted(set(example.to_numpy().ravel()))
    matrix = np.zeros((len(labels), len(labels)))
    for name in example:
        for x, y in itertools.permutations(example[name], 2):
            matrix[labels.index(x), labels.index(y)] += 1 / (len(example) - 1)
    total, margins = matrix.sum(), matrix.sum(axis=0)
    expected = (total**2 - margins @ margins) / (total - 1)
    alpha = 1 - (total - np.trace(matrix)) / expected
    assert agreement.alpha(example) == pytest.approx(alpha)


# --- what a test can give -----------------------------------------------------------------------


def test_correlation_range_contains_every_test_of_ratings():
    rng = np.random.default_rng(3)
    for _ in range(50):
        gold, a, b = rng.normal(size=(3, 30))
        a, b = a + gold, b + 0.5 * gold
        r = correlation.from_ratings(gold, a, b)
        ranges = audit.correlation_range(f"{r.r_jk:.4f}", f"{r.r_jh:.4f}", 30)
        for row in ranges.itertuples():
            p = audit.CORRELATION_TESTS[row.test](
                r.r_jk, r.r_jh, r.r_kh, 30, alternative=row.alternative
            ).pvalue
            assert row.low - 1e-9 <= p <= row.high + 1e-3


def test_mcnemar_range_contains_every_test_of_outputs():
    rng = np.random.default_rng(4)
    for _ in range(30):
        a, b = rng.random((2, 60)) < [[0.8], [0.7]]
        wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
        p = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        printed = f"{p:.4f}" if p >= 1e-4 else f"{p:.2e}"
        found = audit.mcnemar(claim(printed), f"{a.mean():.4f}", f"{b.mean():.4f}", 60)
        assert found.verdict == audit.UNCHECKED
        assert "exact two-sided" in found.sentence


def test_mcnemar_where_the_accuracies_leave_no_choice():
    form = {"variants": ["exact"], "alternatives": ["two-sided"]}
    found = audit.mcnemar(claim("<0.05"), "0.990", "0.950", 1000, **form)
    assert found.verdict == audit.REPRODUCED
    largest = stats.binomtest(50, 60).pvalue  # all 10 and 50 errors on different items
    ranges = audit.mcnemar_range("0.990", "0.950", 1000, **form)
    assert ranges["p_value"].max() == pytest.approx(largest)


def test_mcnemar_pairs():
    found = audit.mcnemar_pairs("p", "s", "abc", ["0.99", "0.95", "0.94"], 100, "<0.05")
    assert [v.claim for v in found] == [
        "p-value of a against b",
        "p-value of a against c",
        "p-value of b against c",
    ]


@given(k=st.integers(0, 40), n=st.integers(1, 40), digits=st.integers(1, 4))
def test_granularity_by_fractions(k, n, digits):
    share = f"{k / 40:.{digits}f}"
    half = Fraction(1, 2 * 10**digits)
    inside = [i for i in range(n + 1) if abs(Fraction(i, n) - Fraction(share)) <= half]
    found = audit.granularity(claim(share), n).verdict
    assert found == (audit.UNCHECKED if inside else audit.IMPOSSIBLE)


def test_wilson_by_scipy():
    expected = stats.binomtest(1601, 2000).proportion_ci(method="wilson")
    assert audit.wilson_limits(1601 / 2000, 2000) == pytest.approx((expected.low, expected.high))
    assert audit.wilson(claim("0.7825"), "0.8005", 2000, "low").verdict != audit.IMPOSSIBLE


def test_signed_rank_by_scipy():
    scores = np.array([1, -2, 3, 4, -5, 6, 7, 8, -9, 10.0])
    for method in ("exact", "asymptotic"):
        p = stats.wilcoxon(scores, method=method).pvalue
        assert audit.signed_rank(claim(f"{p:.4f}"), 10).verdict == audit.REPRODUCED
    assert audit.signed_rank(claim("0.1400"), 10).verdict == audit.IMPOSSIBLE


def test_exchanges():
    assert audit.exchanges(np.eye(3)) == [[]]
    assert audit.exchanges([[False, False], [True, True]]) == []
    # Rows 0 and 1 go wrong; only 2 and 3 can take their values and give theirs.
    possible = np.ones((4, 4), dtype=bool)
    possible[:2, :2] = False
    assert audit.exchanges(possible) == [[(0, 2), (1, 3)], [(0, 3), (1, 2)]]


# --- texts and tables ---------------------------------------------------------------------------


def test_quoted_counts_and_what_remains():
    printed = pd.DataFrame(
        [
            ("6", "A-B: k_count", "", "2", "estimate"),
            ("6", "A-B: k_count - k_bonferroni", "", "1", "difference"),
            ("6", "A-B: (k_count - k_bonferroni) / datasets", "", "1/3", "difference"),
            ("6", "A-B: datasets", "", "3", "count"),
            ("6", "level", "", "0.05", "setting"),
            ("6", "reviews", "~", "2e3", "count"),
        ],
        columns=["section", "quantity", "relation", "printed", "kind"],
    )
    found = audit.quoted_counts("p", printed, {"A-B": ["0.001", "0.04", "0.3"]}, 0.05)
    assert [v.verdict for v in found] == [audit.REPRODUCED] * 4
    (left,) = audit.remaining("p", printed, found, "why")
    assert (left.item, left.claim, left.published) == ("Section 6", "reviews", "~2k")
    assert (left.verdict, left.sentence) == (audit.UNCHECKED, "why")


def test_equal_neighbours_are_said_to_be():
    printed = pd.DataFrame({"d": ["x", "y", "z"], "p": ["0.1234", "0.1234", "<0.001"]})
    found = audit.unchecked_table("p", "t", printed, "d", ["p"], "Why.")
    assert [v.sentence for v in found] == [
        "Why. Another reading: a copy of y, which has the same digits.",
        "Why. Another reading: a copy of x, which has the same digits.",
        "Why.",
    ]


def test_extreme():
    printed = pd.DataFrame({"a": ["0.2", "<0.001"], "b": ["0.03", "0.4"]})
    assert audit.extreme(printed, ["a", "b"], "largest") == ["0.2", "0.4"]


def test_tables_come_first_and_totals_by_item():
    made = [
        audit.unchecked(claim("1", item=i), "Why.") for i in ("Section 2", "Table 10", "Table 2")
    ]
    table = audit.table(made)
    assert list(table["item"]) == ["Table 2", "Table 10", "Section 2"]
    counts = audit.totals_by(table, "paper", "item")
    assert list(counts["total"]) == [1, 1, 1]
    assert list(counts[audit.UNCHECKED]) == [1, 1, 1]
    assert audit.disputed(table).empty
    assert "p, Table 2, c: printed 1 (cannot be checked)." in audit.listing(table)


# --- the published numbers, by a second route ---------------------------------------------------


def test_every_number_of_the_tables_has_a_verdict(verdicts):
    printed = {
        ("Dror et al. 2017", "dror2017"): (
            ["domain", "language", "setup", "dataset", "mark"],
            range(1, 6),
        ),
        ("Søgaard et al. 2014", "sogaard2014"): (
            ["domain", "corpus", "POS", "Dep.", "NER", "N"],
            range(1, 5),
        ),
        ("Gorman and Bedrick 2019", "gorman2019"): (
            ["corpus", "part", "tagger", "first", "second"],
            range(1, 4),
        ),
    }
    names = ["comparison", "alpha", "dependence"]
    for (paper, folder), (labels, numbers) in printed.items():
        for number in numbers:
            table = data.read_published(folder, f"table{number}")
            cells = table.drop(columns=[*labels, *names], errors="ignore").to_numpy().ravel()
            wanted = pd.Series([audit.shown(cell) for cell in cells if cell]).value_counts()
            at = (verdicts["paper"] == paper) & (verdicts["item"] == f"Table {number}")
            found = verdicts["published"][at].value_counts().reindex(wanted.index, fill_value=0)
            assert (found >= wanted).all(), (paper, number, wanted[found < wanted])


def test_every_figure_of_the_texts_has_a_verdict(verdicts):
    for paper, folder, items in (
        ("Dror et al. 2017", "dror2017", ("sections1_to_3", "section6_1", "section6_3_text")),
        ("Søgaard et al. 2014", "sogaard2014", ("text", "section4", "section3_toy_examples")),
        ("Gorman and Bedrick 2019", "gorman2019", ("text",)),
    ):
        of = verdicts[verdicts["paper"] == paper]
        judged = set(zip(of["item"], of["claim"], of["published"], strict=True))
        for item in items:
            printed = data.read_published(folder, item)
            kinds = printed.set_index(["section", "quantity"])["kind"]
            for section, claims_ in audit.quoted(paper, printed).items():
                for quantity, made in claims_.items():
                    key = (made.item, made.claim, made.published)
                    assert kinds[section, quantity] == "setting" or key in judged, key


def test_every_contradiction_has_a_second_route_in_this_file(verdicts):
    # Each of these is recomputed below, or above (Table 1); a new one needs a test of its own.
    expected = {
        ("Dror et al. 2017", "Table 1"): 1,
        ("Dror et al. 2017", "Table 3"): 8,
        ("Dror et al. 2017", "Table 4"): 3,
        ("Dror et al. 2017", "Table 5"): 5,
        ("Dror et al. 2017", "Section 5"): 3,
        ("Søgaard et al. 2014", "Section 1"): 1,
        ("Søgaard et al. 2014", "Section 3.3"): 4,
    }
    assert audit.disputed(verdicts).groupby(["paper", "item"]).size().to_dict() == expected


def test_the_other_readings_of_table_1_by_chi_squared():
    p = np.sort(data.read_published("dror2017", "table4")["p-value"].astype(float))
    published = data.read_published("dror2017", "table1").set_index(["comparison", "alpha"])
    row = published.loc[("AE-SCL-SR-MSDA", "0.05")]

    def k(p):
        tails = [stats.combine_pvalues(p[u:])[1] for u in range(len(p))]
        return int((np.maximum.accumulate(tails) <= 0.05).sum())

    assert (k(p), k(p / 2)) == (9, int(row["k_fisher"]))
    assert row["k_fisher"] == row["k_count"]
    assert replicability.k_hat(p / 2) != int(row["k_bonferroni"])  # halving does not fit that one


def test_directions_by_the_pvalues_of_both_sides(verdicts):
    # A second route: two-sided p-values with the observed sign; those above 1/2 for A turn round.
    for table, a, b, p in (
        ("3", "MIMICK", "Char→Tag", "p-value"),
        ("4", "AE-SCL-SR", "MSDA", "p-value"),
        ("5", "W2V", "GLOVE", "p-val."),
    ):
        printed = data.read_published("dror2017", f"table{table}")
        scores = printed[[a, b]].astype(float)
        values = printed[p].astype(float)
        signed = replicability.one_sided(values, scores[a] - scores[b])
        turned = printed.iloc[:, 0][(signed > 0.5) & (values <= 0.05)]
        expected = [f"{a} better than {b} on {name} (p <= 0.05)" for name in turned]
        found = claims(verdicts, audit.CONTRADICTED, f"Table {table}", "better than")
        assert found == expected
        marked = printed["mark"][(signed > 0.5) & (values <= 0.05)].str.contains(r"\*").sum()
        assert marked == {"3": 3, "4": 0, "5": 1}[table]


def test_one_sidedness_by_the_sign_of_each_row(verdicts):
    for table, a, b, p in (
        ("3", "MIMICK", "Char→Tag", "p-value"),
        ("4", "AE-SCL-SR", "MSDA", "p-value"),
        ("5", "W2V", "GLOVE", "p-val."),
    ):
        printed = data.read_published("dror2017", f"table{table}")
        wrong = sum(
            (float(row[p]) < 0.5) == (float(row[b]) > float(row[a]))
            for _, row in printed.iterrows()
        )
        (found,) = verdicts["recomputed"][
            (verdicts["item"] == f"Table {table}") & verdicts["claim"].str.contains("Equation 1")
        ]
        assert found.startswith(f"{wrong} of {len(printed)} ")


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


def test_the_impossible_pvalues_of_table_4_by_enumeration(verdicts):
    printed = data.read_published("dror2017", "table4")
    n = int(data.read_published("dror2017", "dataset_sizes").set_index("dataset").loc["E → K", "n"])
    impossible = []
    for row in printed.itertuples(index=False, name=None):
        setup, a, b, p, _ = row
        inside = audit.printed_interval(p)
        found = np.array(list(enumerated(float(a), float(b), n)))
        if not ((found >= inside.low) & (found <= inside.high)).any():
            impossible.append(f"p-value of {setup}")
    assert claims(verdicts, audit.IMPOSSIBLE, "Table 4") == impossible
    assert len(impossible) == 2


@pytest.mark.parametrize("dataset", ["WS353-REL", "RW", "MEN"])
def test_the_impossible_pvalues_of_table_5_by_optimisation(verdicts, dataset):
    # A second route: Steiger's z written out, its largest p-value found by a bounded search.
    row = data.read_published("dror2017", "table5").set_index("dataset").loc[dataset]
    sizes = data.read_published("dror2017", "dataset_sizes")
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
    assert largest < audit.printed_interval(row["p-val."]).low
    assert f"p-value of {dataset}" in claims(verdicts, audit.IMPOSSIBLE, "Table 5")
    assert len(claims(verdicts, audit.IMPOSSIBLE, "Table 5")) == 3


def test_the_exchanged_rows_of_table_5_by_trying_every_pair():
    printed = data.read_published("dror2017", "table5")
    sizes = data.read_published("dror2017", "dataset_sizes").set_index(["table", "dataset"])["n"]
    intervals = audit.printed_column(printed["p-val."])
    ranges = [
        audit.correlation_range(row.W2V, row.GLOVE, int(sizes["5", row.dataset]))
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
    printed = data.read_published("dror2017", "section5").set_index(["example", "quantity"])[
        "printed"
    ]
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


def test_nine_of_ten_by_hand():
    printed = data.read_published("sogaard2014", "table2").set_index("domain")
    numbers = printed.apply(lambda column: column.str.lstrip("<").astype(float))
    assert (numbers.min(axis=1) < 0.05).sum() == 8
    assert (numbers.min(axis=1) < 0.1).sum() == 9


def test_two_independent_metrics_by_inclusion_and_exclusion():
    printed = audit.quoted("p", data.read_published("sogaard2014", "section3_toy_examples"))["3.3"]
    chance = 0.01 + 0.01 - 0.01 * 0.01
    text = printed["independent metrics: P(p < 0.01)"].published
    assert f"{chance:.1%}" != text
    assert f"{np.floor(1000 * chance) / 1000:.1%}" == text


def test_a_distorted_copy_by_simulated_t_tests():
    printed = audit.quoted("p", data.read_published("sogaard2014", "section3_toy_examples"))["3.3"]
    published = audit.printed_interval(
        printed["metric or distorted copy: P(p < 0.05)"].published
    ).value
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 20_000, 100))

    def rate(noisy_x, noisy_y):
        p = np.minimum(
            stats.ttest_ind(x, y, axis=1).pvalue, stats.ttest_ind(noisy_x, noisy_y, axis=1).pvalue
        )
        return (p < 0.05).mean()

    def noise(scale):
        return [part + rng.normal(scale=scale, size=part.shape) for part in (x, y)]

    def replaced():
        drawn = rng.normal(size=(2, *x.shape))
        return [
            np.where(rng.random(x.shape) < 0.1, new, old)
            for new, old in zip(drawn, (x, y), strict=True)
        ]

    small = rate(*noise(0.1))
    assert small == pytest.approx(audit.either_of_two(0.05, 1.01**-0.5), abs=0.005)
    # Noise of a tenth of the variance, and a tenth of the values drawn anew.
    for found in (small, rate(*noise(0.1**0.5)), rate(*replaced())):
        assert stats.binomtest(round(1000 * published), 1000, found).pvalue < audit.UNUSUAL
    assert stats.binomtest(round(1000 * published), 1000, 0.0975).pvalue > 0.5


def test_the_named_entity_taggers_by_drawing_sentences():
    table = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "ner.parquet")
    table = table[table["dataset"] == "eng.testb"]
    types = ["loc", "misc", "org", "per"]
    counts = [f"{kind}_{count}" for kind in types for count in ("correct", "guessed", "gold")]
    sides = [table.loc[table["system"] == name, counts].to_numpy() for name in ("florian", "chieu")]
    both = np.hstack(sides).astype(float)
    drawn = np.random.default_rng(7).integers(len(both), size=(1500, len(both)))
    totals = np.stack([both[rows].sum(axis=0) for rows in drawn]).reshape(-1, 2, 4, 3)
    observed = both.sum(axis=0).reshape(1, 2, 4, 3)

    def lead(totals):
        correct, guessed, gold = np.moveaxis(totals, -1, 0)
        by_type = 2 * correct / (guessed + gold)
        overall = 2 * correct.sum(axis=-1) / (guessed + gold).sum(axis=-1)
        scores = np.concatenate([overall[..., None], by_type.mean(-1)[..., None], by_type], axis=-1)
        return scores[:, 0] - scores[:, 1]

    p = (lead(totals) >= 2 * lead(observed)).mean(axis=0)
    assert p[0] == pytest.approx(0.15, abs=0.03)
    assert p.min() > 0.1  # not .02


def test_false_findings_by_counting():
    ppv = audit.quoted("p", data.read_published("sogaard2014", "section4"))["4"]
    r, beta = (audit.printed_interval(ppv[name].published).value for name in ("R", "beta"))
    null = 1000
    found, false = (1 - beta) * r * null, 0.05 * null
    assert false / (found + false) == pytest.approx(0.5)
    claim_ = audit.quoted("p", data.read_published("sogaard2014", "text"))["1"]
    assert claim_["false findings with p < 0.05"].published == ">1/2"


# --- the documentation --------------------------------------------------------------------------


def test_the_worked_example_runs(tmp_path, monkeypatch, capsys):
    text = (paths.ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (csv,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.csv").write_text(csv, encoding="utf-8")
    scope = {}
    exec(code.replace('"mine.csv"', repr(str(tmp_path / "mine.csv"))), scope)
    result = scope["result"].set_index("claim")["verdict"]
    assert result["datasets with p <= .05"] == audit.REPRODUCED
    assert result["k-hat"] == audit.CONTRADICTED
    assert result["ours better than baseline on mail (p <= 0.05)"] == audit.CONTRADICTED
    assert result["chat: accuracy"] == audit.IMPOSSIBLE
    assert audit.disputed(scope["result"]).shape[0] == 3
    assert "39" in scope["result"].set_index("claim").loc["p-value on news", "sentence"]
    for name in re.findall(r"`(\w+)`", text.partition("## Which check")[2].partition("## What")[0]):
        assert hasattr(audit, name), name
