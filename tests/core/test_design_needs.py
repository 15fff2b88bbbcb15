"""How many more items, on which datasets, for a claim."""

import math
from dataclasses import replace

import numpy as np
import pytest

from replicability.checks import InputError
from replicability.core import design, design_needs
from replicability.core import design_wording as wording
from replicability.stats import power, power_of_counts

UNEVEN = design.suite([60, 100, 200, 400], discordant=[0.2, 0.3, 0.2, 0.2], method="fisher")


def independently(planned, sizes, gain, reach):
    """Simulate the probability of a target with other draws."""
    planned = replace(planned, sizes=sizes)
    more = {"n_families": 20_000, "seed": 5}
    given = (planned.laws(gain), planned.level, planned.method)
    if isinstance(reach, str):
        return power_of_counts.named(*given, place=planned.names.index(reach), **more)
    return power_of_counts.k_hat(*given, **more).at_least(reach)


@pytest.mark.slow
def test_one_dataset_needs_what_the_power_of_its_test_says():
    found = design_needs.needed(design.suite([100], discordant=0.2), 0.05, 1)
    (n,) = found.everywhere.sizes
    least = next(m for m in range(100, 2000) if power.mcnemar(m, 0.2, 0.05, 0.025) >= 0.8)
    assert power.mcnemar(n, 0.2, 0.05, 0.025) == pytest.approx(found.everywhere.probability)
    assert found.everywhere.probability >= 0.8
    assert least <= n <= least + 10  # the power falls a little at some sizes
    assert found.factor == n / 100
    assert found.table["named"].tolist() == [pytest.approx(n, rel=0.06)]


@pytest.mark.slow
@pytest.mark.parametrize("reach", [1, 2, 4, "1", "4"])
def test_the_probability_holds_with_the_sizes_found(reach):
    found = design_needs.needed(UNEVEN, 0.05, reach)
    for way in (found.everywhere, found.fewest):
        assert way.probability >= 0.8
        # four standard errors of 20,000 families
        assert independently(UNEVEN, way.sizes, 0.05, reach) >= 0.8 - 0.0113
        assert all(now <= then for now, then in zip(UNEVEN.sizes, way.sizes, strict=True))
    fewer = tuple(
        max(n, round(0.9 * m)) for n, m in zip(UNEVEN.sizes, found.everywhere.sizes, strict=True)
    )
    assert found.enough or independently(UNEVEN, fewer, 0.05, reach) < 0.82
    assert sum(found.fewest.sizes) <= sum(found.everywhere.sizes)


def test_items_are_added_where_they_are_fewest_for_the_spread():
    found = design_needs.needed(UNEVEN, 0.05, 4)
    # the second dataset has half more discordant items, and needs half more items
    per_need = np.array(found.fewest.sizes) / np.array(UNEVEN.spread)
    assert per_need[:3] == pytest.approx([per_need[0]] * 3, rel=0.01)
    assert per_need[3] >= per_need[0]
    table = found.table
    assert table.columns.tolist() == [
        *("dataset", "instances", "everywhere", "fewest", "more", "named")
    ]
    assert table["more"].sum() == sum(found.fewest.sizes) - sum(UNEVEN.sizes)


def test_to_name_a_dataset_only_this_one_grows():
    found = design_needs.needed(UNEVEN, 0.05, "2")
    grown = np.array(found.fewest.sizes) > UNEVEN.sizes
    assert grown.tolist() == [False, True, False, False]
    assert "named" not in found.table


def test_each_dataset_alone_is_named_with_its_number():
    numbers = design_needs.named_alone(UNEVEN, 0.05)
    for place, n in enumerate(numbers):
        sizes = [*UNEVEN.sizes]
        sizes[place] = int(n)
        # thresholds from 2,000 families, four standard errors
        chance = independently(UNEVEN, tuple(sizes), 0.05, UNEVEN.names[place])
        assert chance == pytest.approx(0.82, abs=0.04)


def test_datasets_that_are_alike_need_the_same():
    planned = design.suite([100, 300, 100], discordant=0.2, method="fisher")
    numbers = design_needs.named_alone(planned, 0.05)
    assert numbers[0] == numbers[2] != numbers[1]


def test_enough_is_said_and_nothing_added():
    found = design_needs.needed(UNEVEN, 0.2, 1)
    assert found.enough
    assert found.everywhere == found.fewest == found.now
    assert found.factor == 1
    assert wording.needs(found).endswith("; no more items are needed.")


@pytest.mark.parametrize(
    "planned",
    [
        UNEVEN,
        design.suite([50, 60], sd=1, claim="better_by", margin=0.1),
        design.suite([50, 60], discordant=0.2, claim="equivalent", margin=0.1),
    ],
)
def test_no_number_of_items_shows_what_is_false(planned):
    gain = {"better": 0.0, "better_by": 0.1, "equivalent": 0.1}[planned.claim]
    found = design_needs.needed(planned, gain, 2)
    assert found.everywhere is found.fewest is None
    assert math.isnan(found.factor)
    assert found.table[["everywhere", "fewest", "more"]].isna().all(axis=None)
    assert wording.needs(found).endswith("; no number of items up to 1,000,000 is enough.")


def test_a_gain_too_small_for_a_million_items():
    planned = design.suite([400_000, 400_000], sd=1, dependence="dependent")
    found = design_needs.needed(planned, 1e-4, 2)
    assert found.everywhere is None


@pytest.mark.parametrize("claim", ["better_by", "not_worse", "equivalent"])
def test_claims_with_a_margin_have_needs(claim):
    planned = design.suite([200] * 3, sd=0.5, claim=claim, margin=0.05, dependence="dependent")
    gain = design.gains_of(planned)[0]
    found = design_needs.needed(planned, gain, 3)
    assert replace(planned, sizes=found.everywhere.sizes).law(gain).at_least(3) >= 0.8
    smaller = tuple(n - 10 for n in found.everywhere.sizes)
    assert replace(planned, sizes=smaller).law(gain).at_least(3) < 0.8


def test_notes_warn_of_adding_items_until_a_test_rejects():
    table = design.table(UNEVEN, [0.05], factors=(1,))
    short, enough = (design_needs.needed(UNEVEN, gain, 4) for gain in (0.05, 0.2))
    warning = "Fix the number of items before you test"
    assert sum(note.startswith(warning) for note in wording.notes(UNEVEN, table, (), short)) == 1
    assert enough.enough
    for needed in (enough, None):
        notes = wording.notes(UNEVEN, table, (), needed)
        assert not any(note.startswith(warning) for note in notes)


def test_the_sentence_has_the_numbers():
    found = design_needs.needed(UNEVEN, 0.05, 4)
    said = wording.needs(found)
    more = sum(found.fewest.sizes) - sum(UNEVEN.sizes)
    assert "With a true gain of 5 points, k-hat is at least 4 of 4 with a probability of" in said
    assert f"It is cheaper to add {more:,} items to " in said
    assert f"2 (to {found.fewest.sizes[1]:,})" in said
    named = wording.needs(design_needs.needed(UNEVEN, 0.05, "1"))
    assert "dataset '1' is named with a probability of" in named


@pytest.mark.parametrize(
    ("reach", "share", "message"),
    [
        (5, 0.8, "'reach' is 5; pass the k-hat that you want (1 to 4)"),
        (0, 0.8, "'reach' is 0; pass the k-hat that you want"),
        (1.0, 0.8, "'reach' is 1.0; pass the k-hat that you want"),
        ("news", 0.8, "reach: dataset 'news' is not one of 1, 2, 3, 4"),
        (1, 1, "power is 1, but a level of confidence must be strictly between"),
    ],
)
def test_what_a_target_cannot_be(reach, share, message):
    with pytest.raises(InputError) as caught:
        design_needs.needed(UNEVEN, 0.05, reach, share)
    assert message in str(caught.value)
