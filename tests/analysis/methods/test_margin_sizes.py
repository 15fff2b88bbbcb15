"""Models with a known difference, and the table of sizes and powers."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths
from analysis.dror2017 import tables
from analysis.methods import margin_sizes
from analysis.methods.margin_sizes import MODELS, Case, table
from analysis.methods.type1_error import Scores
from replicability.checks import InputError
from replicability.io.declared import OF_BOTH, OF_FOLDS, OF_JUDGED
from replicability.stats import metrics, paired


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("gain", [-1, 0, 1, 2])
def test_models_have_the_difference_that_they_are_asked_for(name, gain):
    gain *= MODELS[name].margin
    scores = MODELS[name].draw(40_000, 2, gain, np.random.default_rng(5))
    for row in range(2):
        a, b = scores.a[row], scores.b[row]
        if name == "similarities":
            spearman = [stats.spearmanr(scores.gold[row], side).statistic for side in (a, b)]
            found = spearman[0] - spearman[1]
        else:
            metric = metrics.METRICS["f1"] if name == "entities" else None
            found = paired.difference(a, b, metric=metric).effect
        assert found == pytest.approx(gain, abs=0.025)


def test_answers_differ_on_a_fifth():
    scores = margin_sizes.answers(20_000, 1, 0.1, np.random.default_rng(1))
    assert (scores.a > scores.b).mean() == pytest.approx(0.15, abs=0.01)
    assert (scores.a < scores.b).mean() == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("claim", ["not_worse", "better_by", "equivalent"])
def test_tango_at_once_is_tango_one_by_one(claim):
    case = Case("Tango", "tango", "answers", claim=claim)
    slow = Case("Tango", "tango", "answers", {"confidence_level": 0.95}, claim)
    for gain in (0, 1):
        at_once, one_by_one = (margin_sizes._pvalues(c, 40, 30, 7, gain) for c in (case, slow))
        assert at_once == pytest.approx(one_by_one, rel=1e-12)


@pytest.fixture(scope="module")
def committed():
    return pd.read_csv(paths.ROOT / "data" / "simulations" / "margins.csv")


def test_every_test_with_a_margin_is_measured_for_every_claim(committed):
    carrying = {name for name, test in paired.TESTS.items() if test.margin}
    # of splits, runs and judges sizes are in repeats.csv, crossed.csv and judged.csv there
    carrying -= {"resampled_t", *OF_FOLDS, *OF_BOTH, OF_JUDGED}
    for claim in ("not_worse", "better_by", "equivalent"):
        measured = {case.test for case in margin_sizes.every(claim)}
        assert measured == carrying
        rows = committed[committed["claim"] == claim]
        assert rows.groupby("n")["test"].apply(set).to_dict() == {30: carrying, 100: carrying}
    assert (committed["n_repetitions"] >= 2000).all()


@pytest.mark.long
def test_the_committed_rows_are_those_of_the_simulation(committed):
    for case in margin_sizes.every("not_worse")[:1] + margin_sizes.every("equivalent")[:1]:
        here = (committed["test"] == case.test) & (committed["claim"] == case.claim)
        found = table([case], [30, 100], 10_000, 2017)
        pd.testing.assert_frame_equal(found, committed[here].reset_index(drop=True))
    for case in (c for claim in ("not_worse", "better_by") for c in margin_sizes.every(claim)):
        keys = {"title": case.title, "claim": case.claim, "model": case.model, "n": 30}
        here = (committed[list(keys)] == pd.Series(keys)).all(axis=1)
        (row,) = committed[here].to_dict("records")
        (again,) = table([case], [30], 60, 99).to_dict("records")
        for name in ("size", "power"):
            error = np.sqrt(row[name] * (1 - row[name]) / 60)
            assert abs(again[name] - row[name]) < 4.5 * error


def test_where_all_differences_are_the_same_nothing_is_claimed(monkeypatch):
    same = margin_sizes.Model(lambda n, r, gain, rng: Scores(np.ones((r, n)), np.ones((r, n))), 0.1)
    monkeypatch.setitem(MODELS, "answers", same)
    row = table([Case("t", "paired_t", "answers")], [10], 5, 1).iloc[0]
    assert (row["size"], row["power"]) == (0, 0)


@pytest.mark.slow
def test_size_is_below_power_and_both_have_errors():
    cases = [Case("t", "paired_t", "numbers"), Case("Tango", "tango", "answers", claim="better_by")]
    found = table(cases, [40, 80], 200, 3)
    assert list(found["n"]) == [40, 80, 40, 80]
    assert (found["size"] < found["power"]).all()
    expected = np.sqrt(found["power"] * (1 - found["power"]) / 200)
    assert found["power_error"].to_numpy() == pytest.approx(expected.to_numpy())


def test_the_other_cells_have_no_part():
    case = Case("sign-flip", "sign_flip", "answers", options={"n_resamples": 50})
    alone = table([case], [30], 20, 3)
    beside = table([Case("t", "paired_t", "numbers"), case], [20, 30], 20, 3)
    row = beside[(beside["test"] == "sign_flip") & (beside["n"] == 30)].reset_index(drop=True)
    assert row.equals(alone)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("t", "paired_t", "number"), "did you mean 'numbers'"),
        (("t", "paired_t", "numbers", {}, "better"), "claim 'better' is not one of"),
        (("McNemar", "mcnemar", "answers"), "use exact_unconditional"),
        (("t", "paired", "numbers"), "'paired'"),
    ],
)
def test_cases_that_cannot_be(given, message):
    with pytest.raises(InputError, match=message):
        Case(*given)


def test_nothing_to_tabulate():
    with pytest.raises(InputError, match="nothing to tabulate"):
        table([], [30], 10, 1)
    with pytest.raises(InputError, match="at least 2"):
        table([Case("t", "paired_t", "numbers")], [1], 10, 1)


def test_the_table_has_sizes_marked_and_powers():
    cases = [Case("Tango", "tango", "answers", claim=claim) for claim in ("not_worse", "better_by")]
    rows = table(cases, [30, 100], 1000, 3)
    shown = tables.margin_sizes(rows)
    assert list(shown["claim"]) == ["not worse", "better by"]
    marks = {"nominal": "", "anti-conservative": " +", "conservative": " −"}
    for row in rows.to_dict("records"):
        (line,) = shown.index[shown["claim"] == row["claim"].replace("_", " ")]
        size, power = (shown.loc[line, f"{name}, n = {row['n']}"] for name in ("size", "power"))
        assert size.startswith(f"{row['size']:.4f} ± ")
        assert size.endswith(f"{row['size_error']:.4f}{marks[row['verdict']]}")
        assert power == f"{row['power']:.4f} ± {row['power_error']:.4f}"
