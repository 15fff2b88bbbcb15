"""Families that share units or have identical systems, and what they are said to show."""

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replicability as rep
from replicability import checks
from replicability.core import all_pairs, evaluation, findings, procedure, units
from replicability.core.findings import families
from replicability.io import instances
from replicability.io.instances import Several
from replicability.io.study import Comparison, Family
from replicability.stats import closed_testing
from tests.families import ties

SYSTEMS, DATASETS = ("high", "mid", "low", "low again"), ("qa", "nli", "sum")
ACCURACY = {"high": 0.9, "mid": 0.6, "low": 0.3}
COLUMNS = {key: key for key in ("dataset", "instance", "system", "score")}


def scored(n=120, repeats=1, seed=2018):
    """Scores of right and wrong on questions that all datasets share; two systems are identical."""
    rng = np.random.default_rng(seed)
    rows = []
    for system in SYSTEMS[:3]:
        base = rng.random((n, 1)) < ACCURACY[system]
        for dataset in DATASETS:
            flip = rng.random((n, repeats)) < 0.2
            score = np.where(flip, rng.random((n, repeats)) < 0.5, base).astype(float).ravel()
            question = np.repeat(np.arange(n), repeats)
            block = {"instance": np.arange(n * repeats), "question": question, "score": score}
            rows.append(pd.DataFrame(block).assign(dataset=dataset, system=system))
    table = pd.concat(rows, ignore_index=True)
    again = table[table["system"] == "low"].assign(system="low again")
    return pd.concat([table, again], ignore_index=True)


@pytest.fixture
def declare(tmp_path):
    def declare(table=None, kind=Family, **changes):
        path = tmp_path / "scores.parquet"
        instances.write(scored() if table is None else table, path)
        block = {
            "name": "all",
            "section": "",
            "title": "All",
            "systems": () if kind is Family else ("high", "mid"),
            "dependence": "dependent",
            "file": str(path),
            "columns": COLUMNS,
        }
        return kind(**{**block, **changes})

    return declare


SHARED = {"shared": True, "n_flips": 4_000, "seed": 7, "test": "sign_flip"}


@pytest.mark.slow
def test_the_flips_of_a_family_are_those_of_its_comparisons(declare):
    family = declare(**SHARED)
    found = all_pairs.compare(family)
    assert found.method == procedure.JOINT
    for a, b in itertools.permutations(SYSTEMS[:3], 2):
        comparison = declare(kind=Comparison, systems=(a, b), **SHARED)
        table = evaluation.evaluate(comparison)
        claims, alone = found.claims(a, b, 0.05), procedure.closed(comparison, table, 0.05)
        np.testing.assert_array_equal(claims.flips.z, alone.flips.z)
        np.testing.assert_array_equal(claims.flips.shared, alone.flips.shared)
        assert claims.bound() == alone.bound()
        assert claims.named.tolist() == alone.named.tolist()
        assert found.counts(0.05).loc[a, b] == alone.at_least()
        # an interval that contradicts the claim makes the p-value of two systems 1
        own, of_pair = table["p_value"].to_numpy(), found.claims(a, b, 0.05).pvalues
        np.testing.assert_allclose(np.where(own == 1, of_pair, own), of_pair)
        assert (of_pair[own == 1] > 0.9).all()


def test_units_of_a_family_are_those_of_its_comparisons(declare):
    table = scored(repeats=3)
    more = {"unit": "question", **SHARED}
    found = all_pairs.compare(declare(table, **more))
    comparison = declare(table, Comparison, systems=("high", "low"), **more)
    alone = evaluation.evaluate(comparison)
    assert (alone["units"] == 120).all()
    claims = found.claims("high", "low", 0.05)
    np.testing.assert_allclose(claims.pvalues, alone["p_value"])
    np.testing.assert_array_equal(claims.flips.z, alone.flips.z)
    with pytest.raises(checks.InputError, match="'wilcoxon' takes a score of each single instance"):
        all_pairs.compare(declare(table, unit="question", test="wilcoxon"))


def test_a_family_draws_flips_for_all_its_pairs(declare):
    more = {key: value for key, value in SHARED.items() if key != "n_flips"}
    found = all_pairs.compare(declare(**more))
    assert found.flips.sums.shape == (4, 10_000, 3)
    few = all_pairs.compare(declare(**{**SHARED, "n_flips": 20}))
    with pytest.raises(checks.InputError, match=r"20 flips cannot show anything at alpha = 0\.004"):
        few.layers(0.05)


def test_scores_whose_denominators_differ_have_no_joint_flips(declare):
    sums = np.array([[[1.0, 2, 2]], [[2, 2, 3]], [[1, 1, 1]]]).repeat(3, axis=1)
    # the sums of F1
    parts = [Several(name, sums, metric="f1", identifiers=np.array(list("abc")))
             for name in ("x", "y")]  # fmt: skip
    with pytest.raises(checks.InputError, match="the denominators of A and B differ; leave"):
        units.several_flips(parts, True, 0, 100)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(ties(), st.sampled_from(["fisher", "bonferroni", "simes"]))
def test_the_count_of_a_pair_is_the_bound_of_all_datasets(drawn, method):
    pvalues, alpha = drawn
    n = pvalues.shape[1]
    matrix = np.ones((3, 3, n))
    matrix[0, 1], matrix[1, 2], matrix[2, 0] = pvalues[0], pvalues[-1], pvalues[len(pvalues) // 2]
    names = tuple(f"d{i}" for i in range(n))
    pairs = all_pairs.Pairs(tuple("ABC"), names, np.zeros((3, n)), matrix, method=method)
    counted = pairs.counts(alpha)
    for a, b in itertools.permutations("ABC", 2):
        claims = pairs.claims(a, b, alpha)
        assert counted.loc[a, b] == claims.at_least()
        assert claims.at_least() >= claims.named.sum()
        whole = closed_testing.bound(claims.pvalues, np.ones(n, bool), alpha, method)
        assert counted.loc[a, b] == whole


def test_counts_of_several_levels_at_once(declare):
    found, again = (all_pairs.compare(declare(**SHARED)) for _ in range(2))
    levels = [0.05, 0.01, 0.05 / 12]
    found.count(levels)
    for level in levels:
        pd.testing.assert_frame_equal(found.counts(level), again.counts(level))
    assert (found.counts(0.05) >= found.counts(0.05 / 12)).all(axis=None)


def test_identical_systems_are_one(declare):
    found = all_pairs.compare(declare())
    assert found.identical == (("low", "low again"),)
    layers = found.layers(0.05)
    assert layers.rows == [[("high",)], [("mid",)], [("low", "low again")]]
    assert found.ties(0.05) == []
    assert families.sentences(found, 0.05) == [
        "Of 6 pairs of systems 5 are decided on at least one of 3 datasets, jointly (Bonferroni in "
        "each pair, Bonferroni over all pairs and directions, 95% confidence).",
        "low and low again have the same score on every instance, and count as one system.",
        "Layers, from the top: high; mid; low = low again.",
    ]
    assert "what a path of several arrows joins is shown directly" in families.how_to_read(
        found, 0.05
    )


def test_identical_systems_stand_in_a_plane_as_one(declare):
    found = all_pairs.compare(declare())
    assert found.distinct == {"high": 0, "mid": 1, "low (2 systems)": 2}
    counted = found.counts(0.05)
    merged = found.merged(counted)
    assert merged.index.tolist() == merged.columns.tolist() == list(found.distinct)
    assert (merged.to_numpy() == counted.to_numpy()[:3, :3]).all()
    assert findings.plane(found, 0.05).iloc[:, 0].tolist() == list(found.distinct)
    called = dataclasses.replace(
        found, systems=("high", "mid", "low", "baseline"), identical=(("low", "baseline"),)
    )
    assert list(called.distinct) == ["high", "mid", "baseline (2 systems)"]


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (
            [[0, 1], [0, 0]],
            "1 of 1 pair of systems differs on some dataset",
        ),
        (
            [[0, 0, 2], [0, 0, 0], [1, 1, 0]],
            "2 of 3 pairs of systems differ on some dataset",
        ),
    ],
)
def test_pairs_that_differ(counted, said):
    assert findings.told_apart(pd.DataFrame(counted)) == said


def pairs_of(better, systems=None, n=3):
    """p-values of a family in which some systems are shown better, each on one dataset."""
    s = len(better)
    pvalues = np.ones((s, s, n))
    for k, (i, j) in enumerate(np.argwhere(better)):
        pvalues[i, j, k % n] = 1e-9
    names = systems or tuple("ABCDEFGHIJKLMNOPQRST"[:s])
    return all_pairs.Pairs(names, tuple(f"d{i}" for i in range(n)), np.zeros((s, n)), pvalues)


def shown(s, *arrows):
    better = np.zeros((s, s), bool)
    for a, b in arrows:
        better[ord(a) - 65, ord(b) - 65] = True
    return pairs_of(better)


def test_ties_are_said():
    said = families.sentences(shown(4, "AB"), 0.05)
    assert said[0].startswith("Of 6 pairs of systems 1 is decided on at least one of 3 datasets")
    assert said[1:] == [
        "A, C and D cannot be told apart on any dataset.",
        "B, C and D cannot be told apart on any dataset.",
        "Layers, from the top: A; B.",
    ]
    nothing = families.sentences(shown(12), 0.05)
    assert "none is decided" in nothing[0]
    assert nothing[1:] == ["All 12 systems cannot be told apart on any dataset."]


def test_what_is_in_the_way_of_an_order_is_said():
    circle = families.sentences(shown(3, "AB", "BC", "CA"), 0.05)
    assert circle[1:] == [
        "A, B and C are on a circle: each is shown better than another of them, and none comes "
        "first."
    ]
    contested = shown(3, "AB", "BA", "AC", "BC")
    assert families.sentences(contested, 0.05)[1:] == [
        "Layers, from the top: A, B; C.",
        "A and B: each of the two is shown better than the other, on different datasets.",
    ]
    path = shown(3, "AB", "BC")
    read = families.how_to_read(path, 0.05)
    assert "of 3 pairs that a path joins, 1 is not shown directly." in read


def test_many_systems_are_counted_not_listed():
    better = np.triu(np.ones((20, 20), bool), 1)
    said = families.sentences(pairs_of(better), 0.05)
    assert said[-1] == "There are 20 layers, with A at the top."
    some = np.zeros((20, 20), bool)
    some[0, 1] = True
    said = families.sentences(pairs_of(some), 0.05)
    assert said[1] == (
        "A, C, D, E, F, G, H, I, J, K and 9 more systems cannot be told apart on any dataset."
    )


def test_more_sets_than_a_sentence_lists():
    better = np.zeros((12, 12), bool)
    for k in range(0, 12, 2):
        better[k, k + 1] = True  # each of 6 pairs doubles the number of sets
    said = families.sentences(pairs_of(better), 0.05)
    assert said[4] == "Nor can the systems of 61 more such sets."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"claim": "not_worse", "margin": 0.1},
            "a family asks who is better, without the key 'mar",
        ),
        ({"procedure": "paper"}, "the key 'procedure' has no meaning for a family"),
        ({"groups": {"x": ["qa"]}}, "the key 'groups' has no meaning for a family"),
        ({"method": "fisher"}, "The method 'fisher'"),
        ({"shared": {"x": ["qa", "nil"]}}, r"shared 'x': dataset 'nil' is not .*mean 'nli'\?"),
    ],
)
def test_families_are_refused_with_a_sentence(declare, changes, message):
    with pytest.raises(checks.InputError, match=message):
        all_pairs.compare(declare(**changes))


def test_pairs_that_were_not_compared_are_refused(declare):
    found = all_pairs.compare(declare(against="mid"))
    assert found.claims("mid", "low", 0.05).at_least() == 3
    with pytest.raises(
        checks.InputError, match="high and low were not compared, as all are compare"
    ):
        found.claims("high", "low", 0.05)
    with pytest.raises(checks.InputError, match="a and b are both 'mid'; name two systems"):
        found.claims("mid", "mid", 0.05)
    with pytest.raises(checks.InputError, match=r"system 'hihg' is not one of .*mean 'high'\?"):
        found.claims("hihg", "low", 0.05)
    assert found.compared.sum() == found.n_pairs
    assert found.ties(0.05) == []
    assert found.layers(0.05).arrows


@pytest.mark.parametrize("against", ["", "B"])
def test_a_plane_has_the_counts_one_by_one_and_jointly(against):
    names, rng = tuple("ABC"), np.random.default_rng(7)
    pvalues = rng.random((3, 3, 9)) ** 4
    drawn = all_pairs.Pairs(names, tuple("abcdefghi"), np.zeros((3, 9)), pvalues, against=against)
    cells = findings.plane(drawn, 0.05)
    assert cells.columns.tolist() == ["better on at least, of 9", *names]
    assert cells.iloc[:, 0].tolist() == list(names)
    for (i, a), (j, b) in itertools.product(enumerate(names), repeat=2):
        wanted = ""
        if drawn.compared[i, j]:
            alone, jointly = (
                drawn.claims(a, b, level).at_least() for level in (0.05, 0.05 / drawn.n_pairs)
            )
            wanted = f"{alone} ({jointly})"
        assert cells[b][i] == wanted
    assert any("(" in cell for cell in cells["B"])


def test_systems_compared_with_one_are_called_better_or_worse():
    rng = np.random.default_rng(1)
    rows = {"dataset": ["d"] * 40 + ["e"] * 40, "base": rng.integers(0, 2, 80)}
    table = pd.DataFrame(rows | {"best": 1, "worst": 0, "same": rng.integers(0, 2, 80)})
    said = rep.all_pairs(table, against="base").sentences
    assert list(said[1:]) == [
        "best is better than base on at least one of 2 datasets.",
        "base is better than worst on at least one of 2 datasets.",
        "No significant difference from base: same.",
    ]
    more = rep.all_pairs(table.assign(top=[1] * 79 + [0]), against="base").sentences
    assert "best and top are each better than base on at least one of 2 datasets." in more
    assert "layer" not in " ".join([*said, *more]).lower()
