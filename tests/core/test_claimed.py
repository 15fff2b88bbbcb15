"""Claims with a margin, from a comparison to its sentences."""

import itertools
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from replicability.checks import InputError
from replicability.core import claimed, evaluation, findings
from replicability.core.findings import counted, headline
from replicability.core.procedure import LOCAL_TESTS, MOST_DRAWN
from replicability.io.instances import Dataset
from replicability.io.study import Comparison
from replicability.show import view
from replicability.stats import joint, paired

NAMES = ("news", "law", "talks")
WITH_MARGIN = ("better_by", "not_worse", "equivalent")


def comparison(**fields):
    given = {"name": "x", "section": "", "title": "x", "systems": ("A", "B"), "file": "f.csv"}
    columns = {"dataset": "d", "instance": "i", "scores": ["a", "b"]}
    return Comparison(**{**given, "columns": columns, "dependence": "dependent", **fields})


def right_and_wrong(n=300, names=NAMES, seed=2):
    rng, found = np.random.default_rng(seed), []
    for name in names:
        u = rng.random(n)
        identifiers = pa.array([f"{i}" for i in range(n)])
        sides = ((u < 0.8).astype(float), ((u < 0.75) | (u > 0.95)).astype(float))
        found.append(Dataset(name, identifiers, *sides))
    return found


def sums(names=NAMES, n=300, seed=2):
    rng, found = np.random.default_rng(seed), []
    for name in names:
        size = 1 + rng.poisson(9, n)
        sides = (np.column_stack([rng.binomial(size, 0.9), size]).astype(float) for _ in "ab")
        found.append(Dataset(name, pa.array(map(str, range(n))), *sides))
    return found


def found(datasets, alpha=0.05, **fields):
    asked = comparison(**fields)
    table = evaluation.evaluate(asked, datasets)
    return asked, table, findings.find(asked, table, alpha)


# --- sentences ------------------------------------------------------------------------------------


def test_count_names_and_groups_say_the_claim():
    fields = {"claim": "not_worse", "margin": 0.08, "groups": {"written": ["news", "law"]}}
    _, _, finding = found(right_and_wrong(), **fields)
    assert str(finding) == (
        "A is not worse than B by more than 0.08 on all 3 datasets. By group: written both. All "
        "of these statements have simultaneous 95% confidence (closed testing, Bonferroni)."
    )


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("better_by", "A outperforms B by more than 0.001"),
        ("not_worse", "A is not worse than B by more than 0.001"),
        ("equivalent", "A and B differ by less than 0.001"),
    ],
)
@pytest.mark.parametrize("procedure", ["closed", "paper"])
def test_nothing_shown_says_the_claim(claim, said, procedure):
    fields = {"claim": claim, "margin": 0.001, "procedure": procedure}
    _, _, finding = found(right_and_wrong(), **fields)
    assert str(finding).startswith("There is no evidence that ")
    assert said in str(finding)
    assert not finding.shows
    _, _, alone = found(right_and_wrong(names=["news"]), **fields)
    assert str(alone).startswith(f"There is no evidence that {said} on the only dataset (")


def test_points_are_the_unit_of_scores_in_per_cent():
    fields = {"claim": "not_worse", "score": "accuracy (%)"}
    points, table, finding = found(right_and_wrong(), margin=5, **fields)
    _, shares, _ = found(right_and_wrong(), claim="not_worse", margin=0.05)
    assert table["p_value"].tolist() == shares["p_value"].tolist()
    assert "by more than 5 points on" in str(finding)
    assert table["margin"].tolist() == [5] * 3
    assert claimed.claim(replace(points, margin=1)).by == "1 point"


def test_margins_of_datasets():
    own = {"news": 0.05, "law": 0.04, "talks": 0.05}
    _, table, finding = found(right_and_wrong(), claim="not_worse", margin=own)
    assert "by more than the dataset's margin (0.04 to 0.05) on" in str(finding)
    assert table["margin"].tolist() == list(own.values())
    for margin in set(own.values()):
        _, alike, _ = found(right_and_wrong(), claim="not_worse", margin=margin)
        same = table["margin"] == margin
        assert table["p_value"][same].tolist() == alike["p_value"][same].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("claim", WITH_MARGIN)
def test_no_sentence_claims_more_than_was_tested(claim):
    fields = {"claim": claim, "margin": 0.03, "groups": {"written": ["news", "law"]}}
    for datasets, procedure in itertools.product(
        (right_and_wrong(), sums(), right_and_wrong(names=["news"])), ("closed", "paper")
    ):
        own = fields if len(datasets) > 1 else {**fields, "groups": {}}
        asked, table, finding = found(datasets, procedure=procedure, **own)
        said = [
            *findings.sentences(asked, table, [0.05]),
            findings.describe(asked, table),
            findings.caption([asked]),
            headline.title(finding),
            str(headline.bar(finding, None, 1)),
            counted.how_counted(asked, finding),
            str(view.groups([finding])),
            findings.of_group(finding, ["news"]) if len(datasets) > 1 else "",
            headline.both_directions(asked, table, finding)["note"],
        ]
        text = " ".join(said)
        assert "0.03" in text
        for phrase in ("is better than", "not better.", "not shown to outperform"):
            assert phrase not in text
        if claim != "better_by":
            assert "outperforms" not in text


# --- tests ----------------------------------------------------------------------------------------


def test_the_test_carries_the_margin():
    chosen = [
        found(datasets, claim="not_worse", margin=0.05)[1]["test"].iloc[0]
        for datasets in (right_and_wrong(), sums(), sums(n=40))
    ]
    assert chosen == ["exact_unconditional", "mean_difference", "mean_difference"]


def test_pvalues_are_those_of_the_hypothesis():
    datasets = right_and_wrong()
    for claim, (forth, back) in {
        "better_by": (("greater", 0.02), ("less", -0.02)),
        "not_worse": (("greater", -0.02), ("less", 0.02)),
    }.items():
        _, table, _ = found(datasets, claim=claim, margin=0.02)
        for dataset, row in zip(datasets, table.rows.itertuples(), strict=True):
            for (way, margin), p in ((forth, row.p_value), (back, row.p_reverse)):
                expected = paired.exact_unconditional(
                    dataset.a, dataset.b, margin=margin, alternative=way
                )
                interval = expected.confidence_interval
                above, below = interval.low > margin, interval.high < margin
                contradicted = below if way == "greater" else above
                assert p == expected.pvalue
                assert not (contradicted and expected.pvalue < 0.5)


def test_equivalence_has_one_direction():
    datasets = right_and_wrong()
    asked, table, _ = found(datasets, claim="equivalent", margin=0.05)
    assert "p_reverse" not in table
    assert not findings.has_both(asked, table)
    assert findings.other_direction(asked, table, 0.05) == ""
    turned = [replace(d, a=d.b, b=d.a) for d in datasets]
    _, back, _ = found(turned, claim="equivalent", margin=0.05)
    assert back["p_value"].tolist() == table["p_value"].tolist()
    parts = [
        [paired.exact_unconditional(d.a, d.b, margin=m, alternative=way).pvalue for d in datasets]
        for way, m in (("greater", -0.05), ("less", 0.05))
    ]
    assert table["p_value"].tolist() == np.max(parts, axis=0).tolist()


def test_the_plain_claim_is_what_it_was():
    _, table, finding = found(right_and_wrong())
    assert "margin" not in table
    assert table["test"].tolist() == ["mcnemar"] * 3
    assert table.flips is None
    assert finding.claim == claimed.BETTER


# --- shared units ---------------------------------------------------------------------------------


def test_joint_flips_are_of_differences_less_the_margin():
    datasets = sums()
    fields = {"shared": True, "claim": "not_worse", "margin": 0.02}
    asked, table, finding = found(datasets, **fields)
    d = [s.a[:, 0] - s.b[:, 0] for s in datasets]
    for sign, key in ((1, "flips"), (-1, "flips_reverse")):
        shifted = [x + sign * 0.02 * s.a[:, 1] for x, s in zip(d, datasets, strict=True)]
        expected = [sign * x.sum() / np.sqrt((x * x).sum()) for x in shifted]
        assert getattr(table, key).z[0] == pytest.approx(expected)
    assert finding.claims.method == "joint"
    assert "is not worse than B by more than 0.02" in str(finding)
    forth, back = findings.directions(asked, table)
    for (_, asked_of), key in ((forth, "flips"), (back, "flips_reverse")):
        assert (asked_of.flips.z == getattr(table, key).z).all()
    assert "minus the margin are symmetric" in counted.how_counted(asked, finding)


@pytest.mark.slow
def test_a_larger_margin_counts_more_under_joint_flips():
    datasets = sums(n=150)
    counted = [
        found(datasets, shared=True, claim="not_worse", margin=m)[2].k
        for m in (0.001, 0.01, 0.03, 0.1)
    ]
    assert counted == sorted(counted)
    assert counted[0] < counted[-1] == 3


@pytest.mark.slow
def test_equivalence_under_joint_flips_needs_both_sides():
    datasets = sums()
    fields = {"shared": True, "margin": 0.02}
    _, table, finding = found(datasets, claim="equivalent", **fields)
    not_worse = found(datasets, claim="not_worse", **fields)[1]
    flips = table.flips
    assert table.flips_reverse is None
    np.testing.assert_array_equal(flips.first.z, not_worse.flips.z)
    np.testing.assert_array_equal(flips.second.z, not_worse.flips_reverse.z)
    assert (flips.z[0] <= np.minimum(flips.first.z[0], flips.second.z[0])).all()
    assert finding.claims.method == "joint"
    assert finding.k <= found(datasets, claim="not_worse", **fields)[2].k
    _, _, wide = found(datasets, claim="equivalent", shared=True, margin=0.05)
    assert wide.k == 3
    assert str(wide).startswith("A and B differ by less than 0.05 on all 3 datasets (closed")
    turned = [replace(d, a=d.b, b=d.a) for d in datasets]
    _, back, other = found(turned, claim="equivalent", **fields)
    np.testing.assert_array_equal(back.flips.z, flips.z)
    assert other.k == finding.k
    for method in joint.METHODS:
        assert found(datasets, claim="equivalent", method=method, **fields)[2].k <= finding.k + 1


# --- right-or-wrong datasets that are independent -------------------------------------------------


def test_independent_right_or_wrong_datasets_are_tests_used_draws():
    asked, table, finding = found(right_and_wrong(), dependence="independent")
    flips, back = table.flips, table.flips_reverse
    assert finding.claims.method == "discrete"
    assert "(closed testing, binomial draws" in str(finding)
    assert flips.z.shape == (joint.N_FLIPS, 3)
    np.testing.assert_array_equal(back.z[0], -flips.z[0])
    p = paired.mcnemar_pvalues(*np.transpose([claimed._won(d) for d in right_and_wrong()]))
    np.testing.assert_array_equal(table["p_value"], p)
    assert abs(flips.pvalues - p).max() < 0.02
    assert (
        "All bounds and identified datasets come from one closed testing procedure (binomial draws)"
        in (findings.describe(asked, table))
    )
    order = [2, 0, 1]
    shuffled = [right_and_wrong()[i] for i in order]
    np.testing.assert_array_equal(evaluation.evaluate(asked, shuffled).flips.z, flips.z[:, order])
    other = evaluation.evaluate(replace(asked, seed=1), right_and_wrong()).flips
    assert not np.array_equal(other.z, flips.z)


def test_both_directions_of_draws_are_those_of_the_systems_exchanged():
    datasets = right_and_wrong()
    asked, table, _ = found(datasets, dependence="independent")
    turned = [replace(d, a=d.b, b=d.a) for d in datasets]
    _, exchanged, _ = found(turned, dependence="independent")
    (_, forth), (_, back) = findings.directions(asked, table)
    np.testing.assert_array_equal(back.flips.z, exchanged.flips.z)
    np.testing.assert_array_equal(forth.flips.z, exchanged.flips_reverse.z)
    one, other = findings.find_both(asked, table, 0.05)
    assert {one.claims.method, other.claims.method} == {"discrete"}
    assert other.k == findings.find(asked, exchanged, 0.025).k


@pytest.mark.parametrize(
    ("fields", "method"),
    [
        ({"dependence": "positive"}, "simes"),
        ({"dependence": "dependent"}, "bonferroni"),
        ({"dependence": "independent", "method": "fisher"}, "fisher"),
        ({"dependence": "independent", "options": {"variant": "mid-p"}}, None),
        ({"dependence": "independent", "test": "sign_flip"}, None),
        ({"dependence": "independent", "claim": "not_worse", "margin": 0.1}, None),
    ],
)
def test_other_comparisons_draw_nothing(fields, method):
    if "options" in fields:
        fields = {**fields, "test": "mcnemar"}
    _, table, finding = found(right_and_wrong(), **fields)
    assert table.flips is None
    assert finding.claims.method == (method or LOCAL_TESTS["independent"])


def test_draws_are_of_two_datasets_or_more_and_for_no_paper_pair():
    alone = found(right_and_wrong(names=["news"]), dependence="independent")[1]
    assert alone.flips is None
    many = right_and_wrong(8, [f"d{i}" for i in range(MOST_DRAWN + 1)])
    assert found(many, dependence="independent")[1].flips is None
    pair = found(right_and_wrong(), dependence="independent", procedure="paper")
    assert pair[1].flips is None


@pytest.mark.parametrize(
    "fields", [{"test": "sign_flip"}, {"test": "mcnemar", "options": {"variant": "corrected"}}]
)
def test_draws_that_cannot_be_made_are_a_sentence(fields):
    with pytest.raises(InputError, match="'discrete' needs right-or-wrong scores"):
        found(right_and_wrong(), dependence="independent", method="discrete", **fields)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"margin": 1}, "dataset 'news': margin: 1 seems to be in points, .* write 0.01"),
        ({"margin": 2.5}, "seems to be in points, .* write 0.025"),
        ({"margin": 100, "score": "accuracy (%)"}, "100 points span the whole scale"),
        ({"margin": -0.01}, "must be above 0 for every claim"),
        ({"margin": None}, "'not_worse' needs a margin"),
        ({"margin": {"news": 0.1}}, "has no value for law and talks"),
        (
            {"margin": {"news": 0.1, "law": 0.1, "talk": 0.1}},
            "margin: dataset 'talk' is not one of .*did you mean 'talks'",
        ),
        ({"margin": {"news": 0.1, "law": 0.1, "talks": 0}}, "margin is 0, but"),
        (
            {"margin": 0.1, "test": "mcnemar"},
            "'mcnemar' does not support a margin: .* use exact_unconditional",
        ),
        (
            {"margin": 0.1, "test": "sign_test"},
            "'sign_test' does not support a margin: .* use sign_flip",
        ),
        ({"margin": 0.1, "test": "wilcoxon"}, "wilcoxon assumes differences that are symmetric"),
        (
            {"margin": 0.1, "test": "tango", "options": {"margin": 0.2}},
            "'margin', but the key 'claim' and the key 'margin' set it",
        ),
        ({"margin": 0.1, "claim": "better"}, "the claim 'better' takes no margin"),
    ],
)
def test_margins_that_do_not_fit(fields, message):
    with pytest.raises(InputError, match=message):
        found(right_and_wrong(), **{"claim": "not_worse", **fields})


def test_pvalues_that_are_read_carry_no_margin():
    read = comparison(columns={"dataset": "d", "p_value": "p"}, claim="not_worse", margin=0.01)
    with pytest.raises(InputError, match="cannot be converted into a p-value for a margin"):
        evaluation.evaluate(read)


def test_a_margin_of_one_is_no_mistake_where_scores_are_points():
    datasets = [replace(d, a=100 * d.a, b=100 * d.b) for d in right_and_wrong()]
    _, table, _ = found(datasets, claim="not_worse", margin=1, test="sign_flip")
    assert (table["p_value"] < 1).all()
