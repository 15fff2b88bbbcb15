"""Plans in Python: targets, and the claim of a pilot."""

import numpy as np
import pytest

import replicability as rep
from replicability.cli.new import EXAMPLES


@pytest.fixture(scope="module")
def pilot():
    scores = EXAMPLES / "wide" / "scores.csv"
    return rep.compare(scores, a="ours", b="baseline", claim="not_worse", margin=0.1)


def test_a_plan_says_how_many_items_a_target_takes():
    plan = rep.design([100, 200], discordant=0.2, gains=[0.05], reach=2, power=0.7)
    assert plan.needed["instances"].tolist() == [100, 200]
    assert (plan.needed["fewest"] >= plan.needed["instances"]).all()
    assert plan.sentences[-1].startswith("With a true gain of 5 points, k-hat is at least 2 of 2")
    assert any("We assume independent datasets" in note for note in plan.notes)
    with pytest.raises(rep.InputError, match="This plan has no target; pass reach="):
        _ = rep.design([100, 200], discordant=0.2).needed
    with pytest.raises(
        rep.InputError, match=r"reach= is 3; pass the k-hat that you want \(1 to 2\)"
    ):
        rep.design([100, 200], discordant=0.2, reach=3)


@pytest.mark.parametrize("key", ["discordant", "design_effect", "margin", "gains"])
@pytest.mark.parametrize("value", ["x", {}, [["a"], ["b"]], [0.1, [0.2, 0.3]]])
def test_what_is_no_number_is_refused_with_a_sentence(key, value):
    given = {"discordant": 0.2, "claim": "not_worse", "margin": 0.1, key: value}
    with pytest.raises(rep.InputError, match=f"{key}= is .*, which is neither a number nor a"):
        rep.design([100, 200], **given)


def test_margins_of_each_dataset_may_be_an_array():
    given = {"discordant": 0.2, "claim": "not_worse"}
    found = [rep.design([100, 200], margin=m, **given) for m in ([0.1, 0.2], np.array([0.1, 0.2]))]
    assert found[0].sentences == found[1].sentences


def test_a_plan_has_the_claim_of_its_pilot(pilot):
    plan = rep.design(pilot=pilot)
    assert (plan.suite.claim, plan.suite.alternative) == ("not_worse", "greater")
    assert plan.suite.margin == (0.1,) * 3
    assert plan.gains == (0.0,)
    assert plan.suite.names == pilot.datasets
    other = rep.design(pilot=pilot, claim="better", alternative="greater", reach="letters")
    assert (other.suite.claim, other.suite.margin) == ("better", ())
    assert other.needed.set_index("dataset").loc["news", "more"] == 0
    for given, message in (
        (
            {"claim": "better", "margin": 0.1},
            "margin= is 0.1, but the claim 'better' takes no margin",
        ),
        (
            {"design_effect": 2},
            "leave out design_effect=. If the units of analysis are clusters of items, "
            "compare the pilot's systems with unit=",
        ),
        ({"alternative": "less"}, "alternative 'less' is not one of"),
    ):
        with pytest.raises(rep.InputError) as caught:
            rep.design(pilot=pilot, **given)
        assert message in str(caught.value)
