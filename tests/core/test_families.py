"""Families that share units or have identical systems, and what they are said to show."""

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from scipy import stats

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
        of_pair = found.pvalues[found.systems.index(a), found.systems.index(b)]
        own = table["p_value"].to_numpy()
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
    pvalues = found.pvalues[tuple(map(found.systems.index, ("high", "low")))]
    np.testing.assert_allclose(pvalues, alone["p_value"])
    np.testing.assert_array_equal(claims.flips.z, alone.flips.z)
    with pytest.raises(checks.InputError, match="'wilcoxon' needs a score for each item"):
        all_pairs.compare(declare(table, unit="question", test="wilcoxon"))


def test_a_family_draws_flips_for_all_its_pairs(declare):
    more = {key: value for key, value in SHARED.items() if key != "n_flips"}
    found = all_pairs.compare(declare(**more))
    assert found.flips.sums.shape == (4, 10_000, 3)
    few = all_pairs.compare(declare(**{**SHARED, "n_flips": 20}))
    with pytest.raises(
        checks.InputError, match=r"20 flips, no p-value can be as small as alpha = 0\.01"
    ):
        few.layers(0.01)


def test_scores_whose_denominators_differ_have_no_joint_flips(declare):
    sums = np.array([[[1.0, 2, 2]], [[2, 2, 3]], [[1, 1, 1]]]).repeat(3, axis=1)
    # the sums of F1
    parts = [Several(name, sums, metric="f1", identifiers=np.array(list("abc")))
             for name in ("x", "y")]  # fmt: skip
    with pytest.raises(
        checks.InputError, match="the denominators of f1 differ between A and B; leave"
    ):
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
        "5 of 6 pairs of systems differ significantly on at least one of 3 datasets (Bonferroni in "
        "each pair, Bonferroni over all pairs and directions, simultaneous 95% confidence).",
        "low and low again have the same score on every item and are treated as one system.",
        "Tier 1: high; tier 2: mid; tier 3: low = low again.",
        families.TIERS,
    ]
    said = families.how_to_read(found, 0.05)
    assert "path of several arrows also joins a system to one that is significantly" in said


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
    assert said[0].startswith(
        "1 of 6 pairs of systems differs significantly on at least one of 3 datasets"
    )
    assert said[1:] == [
        "A, C and D do not differ significantly on any dataset.",
        "B, C and D do not differ significantly on any dataset.",
        "Tier 1: A; tier 2: B.",
        families.TIERS,
    ]
    nothing = families.sentences(shown(12), 0.05)
    assert nothing[0].startswith("None of 66 pairs of systems differs significantly on any of")
    assert nothing[1:] == ["No two of the 12 systems differ significantly on any dataset."]


def test_what_is_in_the_way_of_an_order_is_said():
    circle = families.sentences(shown(3, "AB", "BC", "CA"), 0.05)
    assert circle[1:] == [
        "A, B and C form a cycle: each is significantly better than another system in the "
        "cycle, and none ranks first."
    ]
    contested = shown(3, "AB", "BA", "AC", "BC")
    assert families.sentences(contested, 0.05)[1:] == [
        "Tier 1: A, B; tier 2: C.",
        families.TIERS,
        "In this pair, each system is significantly better than the other on at least one "
        "dataset: A and B.",
    ]
    path = shown(3, "AB", "BC")
    read = families.how_to_read(path, 0.05)
    assert "for 1 of 3 pairs joined by such a path, there is no direct evidence." in read


def test_many_systems_are_counted_not_listed():
    better = np.triu(np.ones((20, 20), bool), 1)
    said = families.sentences(pairs_of(better), 0.05)
    assert said[-2:] == ["There are 20 tiers, with A in the first.", families.TIERS]
    some = np.zeros((20, 20), bool)
    some[0, 1] = True
    said = families.sentences(pairs_of(some), 0.05)
    assert said[1] == (
        "A, C, D, E, F, G, H, I, J, K and 9 more systems do not differ significantly on any "
        "dataset."
    )
    # the same set, with B instead of A
    assert said[2] == "Within 1 more set, the systems do not differ significantly on any dataset."


def test_more_sets_than_a_sentence_lists():
    better = np.zeros((12, 12), bool)
    for k in range(0, 12, 2):
        better[k, k + 1] = True  # each of 6 pairs doubles the number of sets
    said = families.sentences(pairs_of(better), 0.05)
    assert said[4] == (
        "Within 61 more sets, the systems do not differ significantly on any dataset."
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"claim": "not_worse", "margin": 0.1},
            "supports only the claim that one system is better, without the key 'mar",
        ),
        ({"procedure": "paper"}, "does not accept the key 'procedure'"),
        ({"groups": {"x": ["qa"]}}, "does not accept the key 'groups'"),
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
        checks.InputError,
        match="high and low were not compared, because every compared pair includes",
    ):
        found.claims("high", "low", 0.05)
    with pytest.raises(checks.InputError, match="a and b are both 'mid'; name two different"):
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
    assert cells.columns.tolist() == ["lower bound (of 9 datasets)", *names]
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


def test_systems_better_than_one_are_counted_somewhere_and_on_half():
    """Bonferroni over both directions of each pair and Holm's steps in it, by enumeration."""
    rng, n, alpha = np.random.default_rng(3), 5, 0.05
    for s in (3, 4, 7):
        names = tuple("ABCDEFG"[:s])
        for base in names:
            pvalues = rng.random((s, s, n)) ** rng.integers(1, 12, (s, s, 1))
            pvalues[range(s), range(s)] = 1  # as `Pairs` has it
            column = pvalues[:, names.index(base)]
            level = alpha / (2 * (s - 1))
            k = [_holm(row, level) for name, row in zip(names, column, strict=True) if name != base]
            some, half = (sum(count >= least for count in k) for least in (1, 3))
            found = all_pairs.Pairs(names, tuple("abcde"), np.zeros((s, n)), pvalues, against=base)
            said = findings.of_all_pairs(found, alpha)[1]
            verb = "are" if some > 1 else "is"
            assert said.startswith(
                f"{some or 'None'} of {s - 1} systems {verb} significantly better than {base}"
            )
            assert (f"and {half} on at least half of the datasets" in said) == (half > 0)
            assert ("but none on at least half of the datasets" in said) == (some > 0 and half == 0)


def test_numbers_of_better_systems_do_not_depend_on_order_or_other_columns():
    rng = np.random.default_rng(2)
    table = pd.DataFrame({"dataset": ["d"] * 40 + ["e"] * 40, "base": rng.integers(0, 2, 80)})
    table = table.assign(best=1, copy=table["base"], worst=0)
    first = rep.all_pairs(table, against="base").sentences
    mixed = table.sample(frac=1, random_state=1)[["worst", "dataset", "copy", "base", "best"]]
    again = rep.all_pairs(mixed.assign(note="x"), ignore=["note"], against="base").sentences
    count = "1 of 3 systems is significantly better than base on at least one of 2 datasets"
    assert any(said.startswith(count) for said in first)
    assert {s for s in first if s.startswith("Of")} == {s for s in again if s.startswith("Of")}
    down = rep.all_pairs(table, against="base", higher_is_better=False).sentences
    assert any(said.startswith(count) for said in down)
    alike = rep.all_pairs(table.assign(best=table["base"], worst=table["base"]), against="base")
    none = "None of 3 systems is significantly better than base on at least one of 2 datasets."
    assert none in alike.sentences


def _holm(row, level):
    """Count Holm's rejections."""
    for done, p in enumerate(sorted(row)):
        if (len(row) - done) * p > level:
            return done
    return len(row)


def test_systems_compared_with_one_are_called_better_or_worse():
    rng = np.random.default_rng(1)
    rows = {"dataset": ["d"] * 40 + ["e"] * 40, "base": rng.integers(0, 2, 80)}
    table = pd.DataFrame(rows | {"best": 1, "worst": 0, "same": rng.integers(0, 2, 80)})
    said = rep.all_pairs(table, against="base").sentences
    assert list(said[1:]) == [
        "1 of 3 systems is significantly better than base on at least one of 2 datasets, and 1 on "
        "at least half of the datasets.",
        "best is significantly better than base on at least one of 2 datasets.",
        "base is significantly better than worst on at least one of 2 datasets.",
        "same does not differ significantly from base on either dataset.",
    ]
    more = rep.all_pairs(table.assign(top=[1] * 79 + [0]), against="base").sentences
    assert (
        "best and top are each significantly better than base on at least one of 2 datasets."
        in more
    )
    assert "layer" not in " ".join([*said, *more]).lower()


# --- what could have been shown ------------------------------------------------------------------


def right_or_wrong(n, seed=1):
    """Return right-or-wrong scores of three equal systems on three datasets of these sizes."""
    rng = np.random.default_rng(seed)
    parts = [pd.DataFrame(rng.integers(0, 2, (size, 3)), columns=[*"xyz"]) for size in n]
    return pd.concat(parts, keys=("news", "law", "talks"), names=["dataset"]).reset_index("dataset")


def test_what_could_have_been_shown_of_a_typical_pair_against_a_simulation():
    """Exact binomial p-values of drawn items, and Bonferroni's k-hat at alpha over 6 pairs."""
    sizes = (3000, 2000, 900)
    frame = right_or_wrong(sizes)
    found = rep.all_pairs(frame, dependence="independent")
    shares = [
        np.median([(part[a] != part[b]).mean() for a, b in itertools.combinations("xyz", 2)])
        for _, part in frame.groupby("dataset", sort=False)
    ]
    expected, rng = {}, np.random.default_rng(2)
    for gain in (0.03, 0.01, 0.05):
        differ = rng.binomial(sizes, shares, (4000, 3))
        won = rng.binomial(differ, (1 + gain / np.array(shares)) / 2)
        p = np.sort(stats.binom.sf(won - 1, differ, 0.5), axis=1)
        # k-hat is the largest k so that for each u up to k the u-th p-value is small enough
        small = p <= 0.05 / 6 / np.array([3, 2, 1])
        expected[gain] = int(np.ceil(np.cumprod(small, axis=1).sum(axis=1).mean() - 0.05))
    said = found.possible
    assert "a true gain of 3 points on every dataset" in said
    assert f"at most {expected[0.03]} of 3 datasets" in said
    assert f"{expected[0.01]} with 1 point, {expected[0.05]} with 5 points" in said
    assert expected[0.01] < expected[0.03] < expected[0.05]


def test_what_could_have_been_shown_is_on_the_page_and_in_the_record():
    found = rep.all_pairs(right_or_wrong((50, 50, 50)))
    assert "simultaneous lower bound for a typical pair was about 0 of 3 datasets" in found.possible
    assert found.possible in html.fromstring(found.page()).text_content()
    assert found.to_dict()["possible"] == found.possible


def test_where_every_pair_differs_nothing_more_could_have_been_shown():
    frame = right_or_wrong((300,) * 3).assign(x=1, z=0)
    assert rep.all_pairs(frame).possible == ""
    real = right_or_wrong((300,) * 3)
    real[[*"xyz"]] += np.random.default_rng(1).normal(size=(900, 3))
    assert "0.1 standard deviations" in rep.all_pairs(real).possible
