import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.dror2017 import size_figures
from analysis.dror2017 import tables as dror_tables
from analysis.methods import type1_error
from analysis.methods.type1_error import MODELS, Case, rejection_rates, rejection_table, verdict
from analysis.studies import read_study
from replicability import checks
from replicability.stats import gold_ratings, paired


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture
def toy(monkeypatch):
    """Register a test whose p-value is exactly uniform, and return its name."""

    def uniform(a, b, *, alternative="greater", power=1.0):
        p = stats.norm.sf((np.sum(a) - np.sum(b)) / np.sqrt(len(a))) ** power
        return paired.Result("toy", 0, p, alternative, 0, None, len(a), "toy")

    entry = dataclasses.replace(paired.TESTS["sign_test"], function=uniform)
    monkeypatch.setitem(paired.TESTS, "toy", entry)
    return "toy"


def draw(model, n=40, n_repetitions=4_000, seed=3):
    return MODELS[model](n, n_repetitions, np.random.default_rng(seed))


# --- models ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_the_null_hypothesis_of_equal_means_is_true(model):
    scores = draw(model)
    means = (scores.a - scores.b).mean(axis=1)
    assert abs(means.mean()) < 4 * means.std() / np.sqrt(means.size)


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"uneven"}))
def test_differences_are_symmetric(model):
    scores = draw(model)
    d = scores.a - scores.b
    wins, losses = np.count_nonzero(d > 0), np.count_nonzero(d < 0)
    assert abs(wins - losses) < 4 * np.sqrt(wins + losses)
    for q in (0.05, 0.3):
        np.testing.assert_allclose(np.quantile(d, q), -np.quantile(d, 1 - q), atol=0.03)


def test_uneven_differences_are_not_symmetric():
    d = np.subtract(draw("uneven").a, draw("uneven").b)
    assert set(np.unique(d)) == {-4, -3, 0, 1}
    np.testing.assert_allclose(np.mean(d > 0), 0.36, atol=0.01)
    np.testing.assert_allclose(np.mean(d < 0), 0.1, atol=0.01)


def test_ranges_and_shares():
    scores = draw("binary")
    assert set(np.unique([scores.a, scores.b])) == {0, 1}
    cells = [np.mean((scores.a == x) & (scores.b == y)) for x in (1, 0) for y in (1, 0)]
    np.testing.assert_allclose(cells, [0.7, 0.1, 0.1, 0.1], atol=0.01)
    scores = draw("counts")
    assert (scores.a >= 0).all() and (scores.a == np.rint(scores.a)).all()
    np.testing.assert_allclose(scores.a.mean(), 9, atol=0.05)
    scores = draw("sentence_accuracies")
    assert ((scores.b >= 0) & (scores.b <= 1)).all()
    assert np.mean(scores.a == scores.b) > 0.3
    d = draw("normal").a - draw("normal").b
    np.testing.assert_allclose([d.mean(), d.std()], [0, 1], atol=0.01)


@pytest.mark.parametrize(("model", "agreement"), [("ratings", 0.6), ("close_ratings", 0.8)])
def test_ratings_agree_equally(model, agreement):
    scores = draw(model)
    r = np.corrcoef([scores.gold.ravel(), scores.a.ravel(), scores.b.ravel()])
    np.testing.assert_allclose(r[np.triu_indices(3, 1)], agreement, atol=0.01)


@pytest.mark.parametrize("model", MODELS)
def test_shapes(model):
    scores = draw(model, 5, 7)
    parts = [scores.a, scores.b] + ([] if scores.gold is None else [scores.gold])
    assert {part.shape for part in parts} == {(7, 5)}


# --- rates ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_test_that_is_exactly_calibrated_is_nominal(toy):
    found = rejection_rates(toy, "normal", 5, 20_000, 1)
    for alpha, rate, error in zip(found.alphas, found.rates, found.standard_errors, strict=True):
        assert abs(rate - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / 20_000)
        assert error == pytest.approx(np.sqrt(rate * (1 - rate) / 20_000))
        assert verdict(rate, alpha, 20_000) == "nominal"


@pytest.mark.slow
def test_a_test_that_is_not_is_found_out(toy):
    # p^2 rejects at .05 with probability sqrt(.05) = .224
    found = rejection_rates(toy, "normal", 5, 5_000, 1, power=2.0)
    np.testing.assert_allclose(found.rates, np.sqrt([0.05, 0.01]), atol=0.02)
    assert verdict(found.rates[0], 0.05, 5_000) == "anti-conservative"
    found = rejection_rates(toy, "normal", 5, 5_000, 1, power=0.5)
    assert verdict(found.rates[0], 0.05, 5_000) == "conservative"


def test_mcnemars_rate_against_enumeration():
    # wins and losses are multinomial with probabilities .1 and .1
    n, total = 50, 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            if paired.mcnemar_pvalues(wins, losses, variant="mid-p") <= 0.05:
                total += stats.multinomial.pmf(
                    [wins, losses, n - wins - losses], n, [0.1, 0.1, 0.8]
                )
    found = rejection_rates("mcnemar", "binary", n, 40_000, 5, variant="mid-p")
    assert abs(found.rates[0] - total) < 4 * found.standard_errors[0]


CASES = [
    *(("mcnemar", "binary", {"variant": variant}) for variant in paired.VARIANTS),
    ("sign_test", "sentence_accuracies", {}),
    ("paired_t", "sentence_accuracies", {}),
    ("paired_t", "uneven", {}),
    *(
        (test, "ratings", {"kind": kind})
        for test in ("steiger", "williams", "meng")
        for kind in gold_ratings.KINDS
    ),
    ("steiger", "ratings", {"confidence_level": 0.9}),
]


def alone(test, scores, options=()):
    """Return the p-value of each dataset by itself."""
    pvalue = type1_error._greater(test)
    return type1_error.one_by_one(pvalue, test, scores, None, dict(options))


@pytest.mark.slow
@pytest.mark.parametrize(("test", "model", "options"), CASES)
def test_computed_at_once_and_one_by_one_agree(test, model, options):
    scores = draw(model, 12, 60)
    at_once = type1_error._AT_ONCE[test](scores, **options)
    one_by_one = type1_error.one_by_one(type1_error._greater(test), test, scores, None, options)
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-9)


def test_a_refused_dataset_is_not_rejected():
    ones = np.ones((1, 6))
    for scores in (type1_error.Scores(2 * ones, ones), type1_error.Scores(ones, ones)):
        assert type1_error._AT_ONCE["paired_t"](scores).tolist() == [1]
        assert alone("paired_t", scores).tolist() == [1]
    order = np.arange(6.0)[None]
    scores = type1_error.Scores(order, order[:, ::-1], order)
    assert type1_error._AT_ONCE["steiger"](scores).tolist() == [1]
    assert alone("steiger", scores).tolist() == [1]


def test_a_seed_is_used_and_nothing_else_matters():
    options = {"n_resamples": 19}
    first = rejection_rates("rating_bootstrap", "ratings", 10, 60, 1, (0.5, 0.2), **options)
    rejection_rates("paired_t", "normal", 10, 60, 1)
    again = rejection_rates("rating_bootstrap", "ratings", 10, 60, 1, (0.5, 0.2), **options)
    other = rejection_rates("rating_bootstrap", "ratings", 10, 60, 2, (0.5, 0.2), **options)
    assert first == again
    assert first.rates != other.rates


def test_rows_do_not_depend_on_their_order():
    cases = [Case("t", "paired_t", "normal"), Case("exact", "mcnemar", "binary")]
    forward = rejection_table(cases, [10, 20], 500, 4)
    backward = rejection_table(cases[::-1], [20, 10], 500, 4)
    keys = ["title", "n", "alpha"]
    pd.testing.assert_frame_equal(
        forward.sort_values(keys, ignore_index=True), backward.sort_values(keys, ignore_index=True)
    )


def test_variants_see_the_same_datasets():
    rates = {
        variant: rejection_rates("mcnemar", "binary", 40, 2_000, 6, variant=variant).rates
        for variant in paired.VARIANTS
    }
    for at in range(2):
        assert rates["exact"][at] <= rates["mid-p"][at]
        assert rates["corrected"][at] <= rates["asymptotic"][at]


def test_the_first_datasets_do_not_depend_on_how_many_follow(toy):
    n = type1_error.CHUNK_REPETITIONS
    short = rejection_rates(toy, "normal", 4, n, 7).rates[0] * n
    long = rejection_rates(toy, "normal", 4, 2 * n, 7).rates[0] * 2 * n
    assert short <= long <= short + n


def test_verdicts():
    error = np.sqrt(0.05 * 0.95 / 1_000)
    assert verdict(0.05 + 2.9 * error, 0.05, 1_000) == "nominal"
    assert verdict(0.05 + 3.1 * error, 0.05, 1_000) == "anti-conservative"
    assert verdict(0.05 - 3.1 * error, 0.05, 1_000) == "conservative"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"test": "mcnemer"}, r"test 'mcnemer' is not one of .*; did you mean 'mcnemar'\?"),
        ({"model": "binery"}, r"model 'binery' is not one of .*; did you mean 'binary'\?"),
        ({"n": 1}, r"n is 1; pass a whole number of at least 2\."),
        ({"n_repetitions": 0}, r"n_repetitions is 0; pass a whole number of at least 1\."),
        ({"n_repetitions": 10.5}, r"n_repetitions is 10\.5; pass a whole number"),
        (
            {"alphas": (0.05, 5)},
            r"alpha is 5, but a level of significance must be strictly between",
        ),
        ({"varient": "exact"}, r"has no option 'varient'; .*did you mean 'variant'\?"),
        ({"variant": "exakt"}, r"variant 'exakt' is not one of .*; did you mean 'exact'\?"),
        ({"alternative": "less"}, r"rejection_rates sets the option 'alternative' itself"),
        ({"test": "steiger"}, r"'steiger' needs gold ratings, so it .* model 'binary'"),
        ({"model": "ratings"}, r"'mcnemar' takes no gold ratings, so it .* model 'ratings'"),
        ({"model": "normal"}, r"mcnemar needs 0 \(wrong\) or 1 \(right\)"),
    ],
)
def test_bad_input_by_message(change, message):
    given = {"test": "mcnemar", "model": "binary", "n": 10, "n_repetitions": 10, "seed": 1}
    with pytest.raises(checks.InputError, match=message) as caught:
        rejection_rates(**(given | change))
    assert "\n" not in str(caught.value)


def test_a_table_of_nothing():
    with pytest.raises(checks.InputError, match="nothing to tabulate; pass at least one case"):
        rejection_table([], [10], 10, 1)


# --- table and figure -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    cases = [
        Case("t", "paired_t", "normal"),
        Case("exact", "mcnemar", "binary", {"variant": "exact"}),
        Case("t", "paired_t", "sentence_accuracies"),
        Case("sign", "sign_test", "normal"),
    ]
    few = rejection_table(cases[:1], [10, 1000], 100, 1)
    return pd.concat([rejection_table(cases[1:], [10, 100], 1000, 1), few], ignore_index=True)


def test_the_table_has_a_row_for_each_test_and_level(rows):
    table = dror_tables.rejection_rates(rows)
    assert list(table.columns) == [
        "scores", "test", "alpha", "repetitions", "n = 10", "n = 100", "n = 1,000",
    ]  # fmt: skip
    assert table["scores"].tolist() == sorted(table["scores"], key=list(table["scores"]).index)
    assert len(table) == 8
    exact = rows[(rows["title"] == "exact") & (rows["n"] == 10) & (rows["alpha"] == 0.05)].iloc[0]
    assert exact["verdict"] == "conservative"
    cell = table[(table["test"] == "exact") & (table["alpha"] == "0.05")].iloc[0]
    assert cell["n = 10"] == f"{exact['rate']:.4f} ± {exact['standard_error']:.4f} −"
    assert cell["n = 1,000"] == ""


def test_the_figure_has_a_row_for_each_case_below_its_question(rows):
    figure = size_figures.rejection_rates(rows)
    figure.canvas.draw()
    names = figure.axes[0].get_yticklabels()
    assert [name.get_text() for name in names] == [
        "exact (binary)", "t (sentence accuracies)", "sign (normal)", "t (normal)",
    ]  # fmt: skip
    said = [text.get_text() for text in figure.axes[0].texts]
    assert said[-2:] == ["Right or wrong", "Symmetric differences"]
    assert len(said) == 6
    assert said[0].startswith("too rarely: ")
    (axis,) = figure.axes
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[-3:] == ["n = 10", "n = 100", "n = 1,000"]
    for line in axis.lines:
        assert np.all(np.asarray(line.get_xdata(), dtype=float) > 0)
    boxes = [text.get_window_extent() for text in [*axis.texts, *names]]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])
    assert not figure.legends[0].get_window_extent().overlaps(axis.xaxis.get_tightbbox())


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ("nominal nominal nominal nominal", "keeps its level"),
        ("anti-conservative nominal nominal nominal", "too often: n = 10"),
        ("conservative anti-conservative nominal nominal", "too often: n = 1,000"),
        ("conservative nominal nominal conservative", "too rarely: every n"),
    ],
)
def test_a_test_has_one_verdict(verdicts, said):
    part = pd.DataFrame({"n": [10, 1000, 10, 1000], "verdict": verdicts.split()})
    assert size_figures.verdict(part)[0] == said
    often = "anti-conservative" in verdicts
    assert size_figures.headline([part, part.iloc[:0]], 0.05) == (
        f"At α = 0.05, {2 - often} of 2 tests never reject too often; {int(often)} do for some "
        "number of items"
    )


# --- study ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("n_repetitions:", "n_repetition:", r"'n_repetition' in test_sizes; did you mean"),
        ("[10, 30", "[2, 30", r"test_sizes.sample_sizes\[0\] is 2, but a number of items"),
        ("n_repetitions: 10000", "n_repetitions: 0", r"is 0, but the number must be"),
        ("n_resamples: 199", "n_resamples: 1.5", r"is 1.5, but the number of resamples must be"),
    ],
)
def test_bad_settings_of_a_study_by_message(write, old, new, message):
    text = (paths.CONFIG / "paper.yaml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(checks.InputError, match=message):
        read_study(write("study.yaml", text.replace(old, new)))


def test_a_study_without_the_mapping_has_no_settings(write):
    text = (paths.CONFIG / "paper.yaml").read_text(encoding="utf-8")
    start, end = text.index("test_sizes:"), text.index("comparisons:")
    study = read_study(write("study.yaml", text[:start] + text[end:]))
    assert "test_sizes" not in study.notebooks
