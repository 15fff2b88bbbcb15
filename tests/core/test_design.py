"""Designs: what a suite can show, from numbers and from pilots."""

import math
from dataclasses import replace

import numpy as np
import pytest

from replicability.checks import InputError
from replicability.core import design, procedure
from replicability.core import design_wording as wording
from replicability.stats import discrete, joint, power, power_of_counts

ONE_SIDED = {"alternative": "greater"}
TWENTY = design.suite([500] * 20, discordant=0.15, method="fisher", **ONE_SIDED)


def test_the_table_has_the_reference_numbers():
    table = design.table(TWENTY, [0.03], factors=(1, 2, 4)).set_index("factor")
    assert table["instances"].tolist() == ["500", "1,000", "2,000"]
    np.testing.assert_allclose(table["count"], [9.8, 15.3, 19.2], atol=0.1)
    np.testing.assert_allclose(table["bonferroni"], [2.5, 7.9, 18.0], atol=0.1)
    np.testing.assert_allclose(table["k_hat"], [11.7, 16.5, 19.3], atol=0.15)
    assert (table["any"] > 0.99).all()


@pytest.mark.parametrize(
    ("n", "size", "discordant", "names", "atol"),
    [
        # own closed testing of 400 families each, with standard errors of .1 to .2 or less
        (20, 500, 0.15, 3.9, 0.6),
        (20, 1000, 0.15, 13.6, 0.6),
        (20, 2000, 0.15, 19.2, 0.2),
        (57, 246, 0.2, 0.0, 0.03),
        (27, 250, 0.2, 0.09, 0.08),
        (14, 800, 0.2, 5.3, 0.6),
    ],
)
def test_names_are_those_of_the_closed_procedure(n, size, discordant, names, atol):
    planned = design.suite([size] * n, discordant=discordant, method="fisher", **ONE_SIDED)
    assert planned.expected_names(0.03) == pytest.approx(names, abs=atol)


def test_both_directions_halve_the_level():
    both = design.suite([500] * 20, discordant=0.15, method="fisher")
    assert (both.level, TWENTY.level) == (0.025, 0.05)
    half = design.suite([500] * 20, discordant=0.15, method="fisher", alpha=0.025, **ONE_SIDED)
    assert both.law(0.03).mean == half.law(0.03).mean < TWENTY.law(0.03).mean
    margin = {"claim": "not_worse", "margin": 0.1}
    assert design.suite([100], discordant=0.2, **margin).level == 0.05
    assert design.suite([100], discordant=0.2, **margin, alternative="two-sided").level == 0.025
    alike = replace(design.suite([100], discordant=0.2, **margin), claim="equivalent")
    assert replace(alike, alternative="two-sided").level == alike.alpha


def test_the_order_of_the_datasets_does_not_matter():
    sizes, shares = [40, 300, 120, 40], [0.3, 0.2, 0.25, 0.3]
    one = design.suite(sizes, discordant=shares, method="fisher")
    other = design.suite(sizes[::-1], discordant=shares[::-1], method="fisher")
    assert one.law(0.05).mean == other.law(0.05).mean
    np.testing.assert_array_equal(one.named(0.05)[[1, 2]], other.named(0.05)[[2, 1]])


def test_more_instances_and_larger_gains_show_more():
    table = design.table(design.suite([30, 80, 200], discordant=0.3, dependence="dependent"))
    for column in ("count", "bonferroni", "any"):
        cells = table.pivot_table(index="factor", columns="gain", values=column)
        assert (cells.diff()[1:] > 0).all(axis=None)
        assert (cells.diff(axis=1).iloc[:, 1:] > 0).all(axis=None)


@pytest.mark.parametrize(
    ("dependence", "method"),
    [("positive", "simes"), ("dependent", "bonferroni")],
)
def test_the_dependence_chooses_the_method(dependence, method):
    assert design.suite([100], discordant=0.2, dependence=dependence).method == method


def test_independent_datasets_get_the_method_of_a_comparison():
    other = procedure.LOCAL_TESTS["independent"]
    assert design.suite([100] * 4, discordant=0.2).method == "discrete"
    assert design.suite([100] * 4, sd=0.2).method == other
    assert design.suite([100] * 4, discordant=0.2, design_effect=2).method == other
    margin = {"claim": "not_worse", "margin": 0.1}
    assert design.suite([100] * 4, discordant=0.2, **margin).method == other
    assert design.suite([100] * 200, discordant=0.2).method == other


@pytest.mark.slow
def test_draws_are_planned_near_what_they_show():
    # the procedure of a comparison itself, 60 families: standard errors of about .2
    planned = design.suite([250] * 8, discordant=0.2)
    laws, families = planned.laws(0.06), 60
    wins, losses = laws.outcomes(families, np.random.SeedSequence(3))
    drawn = [discrete.draw(*both, 2000) for both in zip(wins, losses, strict=True)]
    count = np.mean([joint.bound(flips, alpha=0.025).at_least for flips in drawn])
    names = np.mean([joint.named(flips, 0.025).sum() for flips in drawn])
    assert planned.law(0.06).mean == pytest.approx(count, abs=0.7)
    assert planned.expected_names(0.06) == pytest.approx(names, abs=0.9)


def test_a_design_effect_is_that_of_fewer_items_as_normal():
    clustered = design.suite([1000, 300], discordant=0.2, design_effect=[4, 2])
    assert clustered.independent.tolist() == [250, 150]
    scores = design.suite([250, 150], sd=np.sqrt(0.2 - 0.05**2))
    np.testing.assert_allclose(clustered.laws(0.05).power(0.025), scores.laws(0.05).power(0.025))
    plain = design.suite([1000, 300], discordant=0.2, design_effect=1)
    assert plain.design_effect == ()
    assert plain.law(0.05).mean > clustered.law(0.05).mean


def independently(planned, gain, k, n_families=20_000):
    """Simulate the probability that k-hat is at least k, with other draws."""
    law = power_of_counts.k_hat(
        planned.laws(gain), planned.level, planned.method, n_families=n_families, seed=11
    )
    return law.at_least(k)


@pytest.mark.slow
def test_least_gains_reach_their_power_as_printed():
    found = design.least_gains(TWENTY).set_index("shown")["gain"]
    assert found.index.tolist() == [1, 10, 20]
    assert found.is_monotonic_increasing
    for k, gain in found.items():
        as_printed = float(design.points(gain).split()[0]) / 100
        assert as_printed == pytest.approx(gain)
        # four standard errors of 20,000 families
        assert independently(TWENTY, as_printed, k) >= 0.8 - 0.0113
        assert TWENTY.law(gain - 0.001).at_least(k) < 0.8 + 0.02


def test_least_gains_of_other_scores_have_three_digits():
    planned = design.suite([50] * 4, sd=7.3, dependence="dependent")
    for k, gain in design.least_gains(planned).itertuples(index=False):
        assert float(design.points(gain, shares=False)) == gain
        assert planned.law(gain).at_least(k) >= 0.8
        assert planned.law(0.99 * gain).at_least(k) < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["not_worse", "equivalent"])
def test_least_margins_of_equal_systems(claim):
    planned = design.suite([300] * 4, discordant=0.2, claim=claim, margin=0.1, method="fisher")
    found = design.least_gains(planned)
    assert found.columns.tolist() == ["shown", "margin"]
    for k, margin in found.itertuples(index=False):
        narrow = design.claiming(planned, claim, margin)
        assert independently(narrow, 0.0, k) >= 0.8 - 0.0113
        assert design.claiming(planned, claim, margin - 0.002).law(0.0).at_least(k) < 0.8 + 0.02
    assert wording.least(planned).startswith("The smallest margin that gives")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "gains", "said"),
    [
        ("better_by", (0.04,), "With 4 datasets of 300 items and a true gain of 4 points on each"),
        ("not_worse", (0.0,), "and two equally good systems on each, the expected k-hat is"),
        ("equivalent", (0.0,), "and two equally good systems on each, the expected k-hat is"),
    ],
)
def test_a_claim_has_its_planned_truth(claim, gains, said):
    planned = design.suite([300] * 4, discordant=0.2, claim=claim, margin=0.02)
    assert design.gains_of(planned) == gains
    first, second, *_ = wording.sentences(planned)
    assert first.startswith("The claim is that A ")
    assert "2 points" in first
    assert said in second
    assert design.table(planned)["gain"].unique().tolist() == list(gains)


def test_claims_have_the_power_of_their_hypotheses():
    numbers = {"sd": 0.4, "dependence": "dependent", **ONE_SIDED}
    better = design.suite([300] * 4, **numbers)
    better_by = design.suite([300] * 4, **numbers, claim="better_by", margin=0.03)
    not_worse = design.suite([300] * 4, **numbers, claim="not_worse", margin=[0.05] * 4)
    equivalent = design.suite([300] * 4, **numbers, claim="equivalent", margin=0.05)
    assert better_by.law(0.08).mean == pytest.approx(better.law(0.05).mean, abs=1e-3)
    assert not_worse.law(0.0).mean == pytest.approx(better.law(0.05).mean, abs=1e-3)
    assert equivalent.law(0.0).mean < not_worse.law(0.0).mean
    assert better_by.law(0.03).at_least(1) == pytest.approx(1 - (1 - 0.05 / 4) ** 4, abs=1e-3)


def test_small_sets_kept_merged_and_dropped_are_three_suites():
    dependent = {"dependence": "dependent", **ONE_SIDED}
    planned = design.suite([10, 10, 10, 10, 400, 500], discordant=0.2, **dependent)
    rows = design.small_sets(planned, 0.1).set_index("suite")
    assert rows["datasets"].to_dict() == {"kept": 6, "merged": 3, "dropped": 2}
    merged = power_of_counts.k_hat(power.Outcomes([400, 500, 40], 0.2, 0.1)).mean
    assert rows.loc["merged", "k_hat"] == pytest.approx(merged)
    assert wording.small_sets(planned, 0.1).startswith("Merge the 4 small datasets")


def test_small_sets_that_show_as_much_are_kept():
    planned = design.suite([90, 90, 90, 200], discordant=0.5, dependence="dependent")
    assert wording.small_sets(planned, 0.35).startswith("Keep the 3 small datasets")


def test_sets_that_can_never_be_named_are_dropped():
    planned = design.suite([4] * 40 + [400, 450, 500], discordant=0.2, dependence="dependent")
    said = wording.small_sets(planned, 0.05)
    assert said.startswith(("Drop the 40 small datasets", "Merge the 40 small datasets"))


def test_without_small_sets_there_is_nothing_to_merge():
    assert design.small_sets(TWENTY, 0.03) is None
    assert wording.small_sets(TWENTY, 0.03).startswith("There are no small datasets")


def test_the_floor_of_the_reference_in_words():
    planned = design.suite([40] * 20, discordant=0.3, dependence="dependent", **ONE_SIDED)
    assert wording.floor(planned) == (
        "With 40 items, the first of the 20 datasets to be named needs at least 9 wins and no "
        "losses."
    )
    assert "needs at least 10 wins" in wording.floor(replace(planned, alternative="two-sided"))
    assert wording.floor(TWENTY).startswith("With 500 items, a dataset needs at least 5 wins")
    assert wording.floor(design.claiming(planned, "not_worse", 0.01)) == ""


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([8] * 20, "No dataset has that many items, so none can be named."),
        ([8, *[100] * 19], "1 dataset has fewer items, so it cannot be named first."),
        ([8, 7, *[100] * 18], "2 datasets have fewer items, so they cannot be named first."),
    ],
)
def test_the_floor_says_which_datasets_cannot_pass_it(sizes, said):
    planned = design.suite(sizes, discordant=0.5, dependence="dependent", **ONE_SIDED)
    assert said in wording.floor(planned)


def test_a_gain_that_cannot_be_shown_is_said():
    said = wording.least(design.suite([8] * 20, discordant=0.5, dependence="dependent"))
    assert said.startswith("No gain is large enough for significance on at least 1 of 20 datasets")


def test_every_sentence_is_there_for_one_dataset():
    planned = design.suite([200], discordant=0.2)
    said = wording.sentences(planned)
    chance = power.mcnemar(200, 0.2, 0.03, 0.025)
    assert f"the power is about {chance:.0%} (alpha" in said[0]
    assert "the only dataset needs at least 6 wins and no losses to be significant" in said[1]
    assert "points on the dataset" in said[2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: design.suite([100]), "Give either the key 'discordant'"),
        (lambda: design.suite([100], discordant=0.2, sd=1), "Give either the key 'discordant'"),
        (lambda: design.suite([], discordant=0.2), "pass one number for each dataset"),
        (lambda: design.suite([0], discordant=0.2), "a dataset needs at least one item"),
        (lambda: design.suite([10, 20, 30], discordant=[0.1, 0.2]), "has 2 numbers for 3 datasets"),
        (lambda: design.suite([10], discordant=20), "write, for example, 0.15 for 15%"),
        (lambda: design.suite([10], sd=0), "the standard deviation of differences must be above 0"),
        (lambda: design.suite([10], discordant=0.2, alpha=1), "alpha is 1"),
        (lambda: design.suite([10], discordant=0.2, dependence="loose"), "loose"),
        (
            lambda: design.suite([10], discordant=0.2, method="joint"),
            "The method 'joint'",
        ),
        (lambda: design.suite([10], discordant=0.2, alternative="less"), "alternative 'less' is"),
        (lambda: design.suite([10], discordant=0.2, claim="best"), "claim 'best' is not one of"),
        (lambda: design.suite([10], discordant=0.2, margin=0.1), "but the claim 'better' takes no"),
        (lambda: design.suite([10], discordant=0.2, claim="not_worse"), "needs a margin; set the"),
        (
            lambda: design.suite([10], discordant=0.2, claim="not_worse", margin=1.5),
            "The margin is 1.5, but a margin in accuracy",
        ),
        (
            lambda: design.suite([9, 9, 9], sd=1, claim="not_worse", margin=[1, 2]),
            "'margin' has 2 numbers for 3 datasets",
        ),
        (lambda: design.suite([10], discordant=0.2, design_effect=0), "is a positive factor"),
        (
            lambda: design.asked_gains(
                design.suite([99], discordant=0.2, claim="better_by", margin=0.02), [0.01]
            ),
            "A gain of 0.01 contradicts the claim that A is better by more than the margin",
        ),
        (
            lambda: design.asked_gains(
                design.suite([99], discordant=0.2, claim="equivalent", margin=0.02), [0.03]
            ),
            "which requires a gain of -0.02 to 0.02",
        ),
        (
            lambda: design.suite([10], discordant=0.2, dependence="dependent", method="fisher"),
            "The method 'fisher'",
        ),
        (
            lambda: design.suite([10] * 1001, discordant=0.2),
            "There are 1,001 datasets, but a plan can have at mo",
        ),
        (lambda: design.table(TWENTY, [0.2]), "it cannot exceed the share of"),
    ],
)
def test_what_a_plan_refuses(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_points_are_written_as_people_do():
    assert [design.points(gain) for gain in (0.01, 0.025, 0.1)] == [
        "1 point",
        "2.5 points",
        "10 points",
    ]
    assert design.points(1.2345, shares=False) == "1.23"
    assert math.isnan(float(design.points(math.nan, shares=False)))
