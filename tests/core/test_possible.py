"""What could have been found where nothing was."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from comparisons import declare

from replicability.core import design, evaluation, findings
from replicability.core.findings import could_have_found, possible
from replicability.core.tested import Tested
from replicability.io.instances import Dataset
from replicability.stats import power, power_of_counts
from replicability.stats.power_of_margins import Margins, interval

COLUMNS = {"instance": "i", "dataset": "d", "scores": ["a", "b"]}
ASKED = declare(section="", file="f.csv", columns=COLUMNS)


def outcomes(name, n, wins, losses):
    """Make outcomes with so many wins of A and of B."""
    a, b = np.zeros(n), np.zeros(n)
    a[:wins], b[wins : wins + losses] = 1, 1
    return Dataset(name, pa.array([str(i) for i in range(n)]), a, b)


def twenty(n=500, wins=38, losses=37):
    """Evaluate twenty datasets with 15% discordant items, which show nothing."""
    datasets = [outcomes(f"d{i}", n, wins, losses) for i in range(20)]
    asked = replace(ASKED, test="mcnemar")
    return asked, evaluation.evaluate(asked, datasets), datasets


def test_the_sentence_of_the_reference():
    asked, table, _ = twenty()
    assert could_have_found(asked, table) == (
        "With these sizes and a true gain of 3 points on every dataset, the expected lower "
        "bound was at most 2 of 20 datasets (1 with 1 point, 10 with 5 points)."
    )


def test_it_follows_from_the_law_of_the_counts():
    asked, table, _ = twenty()
    for gain, said in ((0.03, 2), (0.01, 1), (0.05, 10)):
        law = power_of_counts.k_hat(power.Outcomes([500] * 20, 76 / 502, gain), 0.025)
        assert math.ceil(law.mean - possible.SHOWN) == said
    fisher = replace(asked, dependence="independent", method="fisher")
    assert " at most 11 of 20 datasets" in could_have_found(fisher, table)
    one_sided = replace(asked, alternative="greater")
    assert " at most 3 of 20 datasets" in could_have_found(one_sided, table)


def test_the_observed_difference_is_not_used():
    """Wins and losses may change as long as nothing is shown: only their sum counts."""
    said = {could_have_found(*twenty(wins=wins, losses=75 - wins)[:2]) for wins in (30, 38, 42)}
    assert len(said) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("wins", "losses"), [(38, 37), (10, 3), (0, 0), (3, 0)])
def test_the_spread_is_the_share_of_discordant_items(wins, losses):
    asked, table, _ = twenty(wins=wins, losses=losses)
    planned = design.observed(asked, table)
    np.testing.assert_allclose(planned.spread, (wins + losses + 1) / 502)
    assert could_have_found(asked, table)


def test_per_cent_and_shares_say_the_same():
    asked, table, datasets = twenty()
    percent = replace(asked, score="accuracy (%)")
    assert could_have_found(percent, evaluation.evaluate(percent, datasets)) == could_have_found(
        asked, table
    )


def test_small_datasets_could_show_nothing():
    asked, table, _ = twenty(n=20, wins=2, losses=2)
    assert could_have_found(asked, table).startswith(
        "With these sizes and a true gain of 3 points on every dataset, the expected "
        "lower bound was about 0 of 20 datasets (0 with 1 point, "
    )


def test_a_bound_of_all_datasets_is_left_out():
    asked, table, _ = twenty(n=20_000, wins=1500, losses=1500)
    assert could_have_found(asked, table) == (
        "With these sizes and a true gain of 1 point on every dataset, the expected lower bound "
        "was at most 18 of 20 datasets."
    )
    asked, table, _ = twenty(n=60_000, wins=4500, losses=4500)
    assert could_have_found(asked, table) == ""


def test_one_dataset_has_a_probability():
    asked = replace(ASKED, test="mcnemar")
    table = evaluation.evaluate(asked, [outcomes("d", 500, 38, 37)])
    chance = power.mcnemar(500, 76 / 502, 0.03, 0.025)
    assert could_have_found(asked, table).startswith(
        "With this dataset's number of items and a true gain of 3 points, the power was about "
        f"{chance:.0%} ("
    )


def test_other_scores_are_spoken_of_in_standard_deviations():
    rng = np.random.default_rng(3)
    rows = pa.array([str(i) for i in range(80)])
    datasets = [Dataset(f"d{i}", rows, *(7 * rng.normal(size=(2, 80)))) for i in range(6)]
    table = evaluation.evaluate(replace(ASKED, test="sign_flip"), datasets)
    said = could_have_found(replace(ASKED, test="sign_flip"), table)
    assert said.startswith(
        "With these sizes and a true gain of 0.2 standard deviations on every dataset, "
    )


def test_nothing_is_said_where_something_is_found():
    assert could_have_found(*twenty(wins=60, losses=15)[:2]) == ""


def test_nothing_is_said_of_p_values_alone():
    table = Tested(pd.DataFrame({"dataset": ["x", "y"], "p_value": [0.5, 0.6]}))
    assert could_have_found(ASKED, table) == ""


def test_nothing_is_said_of_correlations():
    rng = np.random.default_rng(3)
    rows = pa.array([str(i) for i in range(50)])
    gold = rng.normal(size=50)
    a, b = gold + rng.normal(size=(2, 50))
    asked = replace(ASKED, columns=ASKED.columns | {"gold": "g"}, test="steiger")
    table = evaluation.evaluate(asked, [Dataset("d", rows, a, b, gold=gold)])
    if (table["p_value"] > 0.05).all():
        assert could_have_found(asked, table) == ""
    assert could_have_found(asked, table.assign(p_value=0.5)) == ""


def test_nothing_is_said_where_there_is_no_spread():
    asked, table, _ = twenty()
    same = table.assign(test="sign_flip", standard_error=0.0)
    assert could_have_found(asked, same) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("not_worse", "two equally good systems"),
        ("better_by", "a true gain of twice the margin"),
        ("equivalent", "two equally good systems"),
    ],
)
def test_a_margin_is_what_is_between_the_truth_and_the_claim(claim, truth):
    _, _, datasets = twenty(wins=30, losses=45)
    asked = replace(ASKED, test="tango", claim=claim, margin=0.02)
    table = evaluation.evaluate(asked, datasets)
    gain = 0.04 if claim == "better_by" else 0.0
    truth_ = power.Outcomes([500] * 20, 76 / 502, gain)
    mean = power_of_counts.k_hat(Margins(truth_, *interval(claim, 0.02))).mean
    assert mean < 19
    most = math.ceil(mean - possible.SHOWN)
    could = f"the expected lower bound was at most {most} of 20 datasets."
    none = "the expected lower bound was about 0 of 20 datasets."
    assert could_have_found(asked, table) == (
        f"With these sizes and {truth} on every dataset, {could if most else none}"
    )


def test_every_dataset_may_have_its_margin():
    _, _, datasets = twenty(wins=30, losses=45)
    own = {f"d{i}": 0.02 if i else 0.04 for i in range(20)}
    mixed = replace(ASKED, test="tango", claim="not_worse", margin=own)
    truth = power.Outcomes([500] * 20, 76 / 502, 0.0)
    mean = power_of_counts.k_hat(Margins(truth, [-0.04] + [-0.02] * 19, np.inf)).mean
    said = could_have_found(mixed, evaluation.evaluate(mixed, datasets))
    assert f" at most {math.ceil(mean - possible.SHOWN)} of 20 datasets" in said


def test_points_of_a_margin_are_points():
    _, _, datasets = twenty(wins=30, losses=45)
    shares = replace(ASKED, test="tango", claim="not_worse", margin=0.02)
    points = replace(shares, score="accuracy (%)", margin=2)
    said = [could_have_found(c, evaluation.evaluate(c, datasets)) for c in (shares, points)]
    assert said[0] == said[1] != ""


@pytest.mark.slow
def test_shared_units_are_said_to_lower_what_could_be_shown():
    asked = replace(ASKED, test="sign_flip", shared=True, n_flips=200)
    table = evaluation.evaluate(asked, twenty(n=60, wins=5, losses=5)[2])
    said = could_have_found(asked, table)
    assert said.endswith(possible.SHARED)
    planned = replace(design.observed(asked, table), method="joint", spread=(1.0,) * 20)
    most = math.ceil(planned.law(0.2).mean - possible.SHOWN)
    assert (
        "a true gain of 0.2 standard deviations on every dataset, the expected lower bound" in said
    )
    assert f" {most} of 20 datasets" in said


def test_sentences_end_with_what_could_have_been_found():
    asked, table, _ = twenty()
    said = findings.sentences(asked, table, [0.05, 0.01])
    assert said[2:] == findings.asides(asked, table, 0.05) == [could_have_found(asked, table)]
    shown = twenty(wins=60, losses=15)[:2]
    assert len(findings.sentences(*shown, [0.05, 0.01])) == 2


@pytest.mark.parametrize("test", ["mcnemar", "exact_unconditional", "tango", "sign_flip"])
def test_a_comparison_is_the_suite_of_a_pilot(test):
    asked = replace(ASKED, test=test)
    datasets = [outcomes("x", 200, 30, 10), outcomes("y", 80, 3, 9)]
    seen = design.observed(asked, evaluation.evaluate(asked, datasets))
    assert (seen.names, seen.sizes) == (("x", "y"), (200, 80))
    if test == "sign_flip":
        assert not seen.binary
        differences = [dataset.a - dataset.b for dataset in datasets]
        expected = [np.std(difference, ddof=1) for difference in differences]
        assert seen.spread == pytest.approx(expected)
    else:
        assert seen.binary
        assert seen.spread == pytest.approx((41 / 202, 13 / 82))
