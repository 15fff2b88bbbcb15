import dataclasses

import numpy as np
import pandas as pd
import pytest

from replicability import checks
from replicability.core import all_pairs
from replicability.io import instances, study
from replicability.stats import many_systems, paired, partial_conjunction

COLUMNS = {key: key for key in ("dataset", "instance", "system", "score", "size")}
N, SYSTEMS, DATASETS = 30, ("low", "high", "mid"), ("news", "blogs")
FOUR = (*SYSTEMS, "worst")


def scored(seed=2018, binary=False, systems=SYSTEMS):
    """Return a table of systems on two datasets."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in DATASETS:
        size = np.ones(N, int) if binary else rng.integers(3, 12, N)
        for system, accuracy in zip(systems, (0.6, 0.8, 0.7, 0.5), strict=False):
            block = {"instance": range(N), "score": rng.binomial(size, accuracy), "size": size}
            rows.append(pd.DataFrame(block).assign(dataset=dataset, system=system))
    return pd.concat(rows, ignore_index=True)


TABLE = scored()


@pytest.fixture
def declare(tmp_path):
    """Return a function that stores a table and declares the family of its systems."""

    def declare(table, test, **changes):
        path = tmp_path / "scores.parquet"
        instances.write(table, path)
        block = {
            "name": "all",
            "section": "sentiment",
            "title": "All",
            "systems": (),
            "dependence": "independent",
            "file": str(path),
            "columns": COLUMNS,
            "test": test,
        }
        return study.Family(**{**block, **changes})

    return declare


def of(table, dataset, system):
    chosen = table[(table["dataset"] == dataset) & (table["system"] == system)]
    return chosen["score"].to_numpy(), chosen["size"].to_numpy()


# --- a family ------------------------------------------------------------------------------------


def test_systems_are_ordered_by_their_mean_score(declare):
    found = all_pairs.compare(declare(TABLE, "wilcoxon"))
    assert found.systems == ("high", "mid", "low")
    assert found.datasets == DATASETS
    assert found.scores.shape == (3, 2)
    assert found.pvalues.shape == (3, 3, 2)
    assert found.n_pairs == 6
    for i, system in enumerate(found.systems):
        for j, dataset in enumerate(found.datasets):
            score, size = of(TABLE, dataset, system)
            assert found.scores[i, j] == pytest.approx(score.sum() / size.sum(), rel=1e-14)
    assert (found.pvalues[range(3), range(3)] == 1).all()
    shown = all_pairs.compare(declare(TABLE, "wilcoxon", score="LAS (%)"))
    np.testing.assert_array_equal(shown.scores, 100 * found.scores)


def test_only_the_systems_and_datasets_that_are_named(declare):
    table = scored(systems=FOUR)
    everyone = all_pairs.compare(declare(table, "wilcoxon"))
    assert everyone.systems == ("high", "mid", "low", "worst")
    changes = {"systems": ("worst", "low", "high"), "datasets": ("blogs",)}
    some = all_pairs.compare(declare(table, "wilcoxon", **changes))
    assert some.systems == ("high", "low", "worst")
    assert some.datasets == ("blogs",)
    kept = [0, 2, 3]
    np.testing.assert_array_equal(
        some.pvalues[..., 0], everyone.pvalues[..., 1][np.ix_(kept, kept)]
    )


def _direct(test, a, b, size, options):
    if test == "sign_flip":
        a, b = (np.column_stack([scores, size]) for scores in (a, b))
    else:
        a, b = a / size, b / size
    return paired.run(test, a, b, **options).pvalue


@pytest.mark.parametrize(
    ("test", "options", "binary"),
    [
        ("wilcoxon", {"zero_method": "pratt"}, False),
        ("sign_flip", {}, False),
        ("paired_t", {}, False),
        ("sign_test", {}, False),
        ("mcnemar", {"variant": "mid-p"}, True),
    ],
)
def test_pvalues_of_a_family_against_each_pair(declare, test, options, binary):
    table = scored(binary=binary)
    found = all_pairs.compare(declare(table, test, options=options))
    for i, first in enumerate(found.systems):
        for j, second in enumerate(found.systems):
            for k, dataset in enumerate(found.datasets):
                a, size = of(table, dataset, first)
                b, _ = of(table, dataset, second)
                expected = 1.0 if i == j else _direct(test, a, b, size, options)
                assert found.pvalues[i, j, k] == pytest.approx(expected, rel=1e-12), (first, second)


@pytest.mark.parametrize("test", ["paired_bootstrap", "sign_flip"])
def test_the_seed_decides_the_resamples_of_a_family(declare, test):
    def run(seed, **changes):
        family = declare(TABLE, test, options={"n_resamples": 99}, seed=seed, **changes)
        return all_pairs.compare(family).pvalues

    np.testing.assert_array_equal(run(1), run(1))
    assert (run(1) != run(2)).any()
    np.testing.assert_array_equal(run(1, systems=("high", "mid", "low")), run(1))
    np.testing.assert_array_equal(run(1, datasets=("news",)), run(1)[..., :1])


@pytest.mark.parametrize("test", ["paired_bootstrap", "wilcoxon"])
def test_all_systems_against_one(declare, test):
    table = scored(systems=FOUR)
    everyone = all_pairs.compare(declare(table, test, seed=5))
    found = all_pairs.compare(declare(table, test, seed=5, against="mid"))
    assert (found.systems, found.against, found.test) == (everyone.systems, "mid", test)
    assert (everyone.n_pairs, found.n_pairs) == (12, 6)
    place = found.systems.index("mid")
    compared = np.zeros((4, 4), bool)
    compared[place] = compared[:, place] = True
    np.testing.assert_array_equal(found.pvalues[compared], everyone.pvalues[compared])
    assert (found.pvalues[~compared] == 1).all()
    counted = found.k_hat(0.5, "bonferroni").to_numpy()
    assert (counted[~compared] == 0).all()
    np.testing.assert_array_equal(
        counted[compared], everyone.k_hat(0.5, "bonferroni").to_numpy()[compared]
    )


@pytest.mark.parametrize(
    ("changes", "binary", "test"),
    [
        ({}, False, "mean_difference"),
        ({"columns": {k: v for k, v in COLUMNS.items() if k != "size"}}, True, "mcnemar"),
    ],
)
def test_the_recommended_test_of_a_family(declare, changes, binary, test):
    found = all_pairs.compare(declare(scored(binary=binary), "", **changes))
    assert found.test == test
    expected = all_pairs.compare(declare(scored(binary=binary), test, **changes))
    np.testing.assert_array_equal(found.pvalues, expected.pvalues)


def test_a_bootstrap_family_resamples_each_dataset_by_its_own_child_of_the_seed(declare):
    found = all_pairs.compare(
        declare(TABLE, "paired_bootstrap", options={"n_resamples": 99}, seed=4)
    )
    for k, name in enumerate(DATASETS):
        seed = np.random.SeedSequence(4, spawn_key=tuple(name.encode()))
        parts = [of(TABLE, DATASETS[k], system) for system in found.systems]
        scores = np.stack([score for score, _ in parts])
        expected = many_systems.bootstrap_pvalues(scores, parts[0][1], 99, rng=seed)
        np.testing.assert_array_equal(found.pvalues[..., k], expected)


@pytest.mark.parametrize("method", ["bonferroni", "fisher"])
def test_k_hat_of_each_pair(declare, method):
    found = all_pairs.compare(declare(TABLE, "wilcoxon"))
    for alpha in (0.05, 0.5):
        counted = found.k_hat(alpha, method)
        assert tuple(counted.index) == tuple(counted.columns) == found.systems
        for i, first in enumerate(found.systems):
            for j, second in enumerate(found.systems):
                expected = partial_conjunction.k_hat(found.pvalues[i, j], alpha, method)
                assert counted.loc[first, second] == expected
        assert (np.diagonal(counted) == 0).all()
        assert counted.loc["high", "low"] == 2


@pytest.mark.parametrize(
    ("test", "changes", "message"),
    [
        ("mcnemar", {}, r"scores\.parquet, dataset 'news': Score \d+ of system A is 0\.\d+, but"),
        ("wilcoxon", {"options": {"alternative": "less"}}, "'all' has the option 'alternative'"),
        ("wilcoxon", {"options": {"zero": 1}}, "dataset 'news': The test 'wilcoxon' has no option"),
        ("steiger", {}, "needs gold ratings"),
        (
            "paired_bootstrap",
            {"options": {"n_resample": 9}},
            r"dataset 'news': option 'n_resample' .*did you mean 'n_resamples'\?",
        ),
        ("paired_bootstrap", {"options": {"size": 5}}, "option 'size' is not one of n_resamples"),
        ("wilcoxon", {"systems": ("low", "hi", "mid")}, "system 'hi' is not one of low, high, mid"),
        ("wilcoxon", {"against": "hi"}, r"against 'hi' is not one of .*did you mean 'high'\?"),
        (
            "wilcoxon",
            {"systems": ("low", "mid")},
            r"'all' has 2 systems \(low, mid\), but needs three or",
        ),
    ],
)
def test_bad_families_by_message(declare, test, changes, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        all_pairs.compare(declare(TABLE, test, **changes))
    assert "\n" not in str(caught.value)


def test_scores_that_are_not_whole_name_the_dataset(declare):
    table = TABLE.assign(score=TABLE["score"] / (1 + (TABLE["dataset"] == "blogs")))
    with pytest.raises(
        checks.InputError, match=r"dataset 'blogs': The bootstrap of all pairs .* a score is \d+\.5"
    ):
        all_pairs.compare(declare(table, "paired_bootstrap"))


def test_a_family_of_systems_with_several_runs(declare):
    runs = [scored(seed, binary=True).assign(run=seed) for seed in (1, 2, 3)]
    columns = {key: key for key in COLUMNS if key != "size"} | {"run": "run"}
    table = pd.concat(runs)
    found = all_pairs.compare(declare(table, "", columns=columns))
    assert found.test == "mean_difference"
    sums = table.groupby(["system", "dataset", "instance"])["score"].sum().astype(float)
    for place, dataset in enumerate(found.datasets):
        for i, first in enumerate(found.systems):
            assert found.scores[i, place] == pytest.approx(sums[first, dataset].mean() / 3)
            for j, second in enumerate(found.systems):
                if i != j:
                    true = paired.run(found.test, sums[first, dataset], sums[second, dataset])
                    assert found.pvalues[i, j, place] == pytest.approx(true.pvalue, rel=1e-9)


@pytest.mark.parametrize("method", ["simes", "fisher", "bonferroni", "stouffer"])
@pytest.mark.parametrize("against", ["", "mid"])
def test_counts_of_all_pairs_at_once_are_those_of_each(declare, method, against):
    found = all_pairs.compare(declare(scored(systems=FOUR), "wilcoxon", seed=1, against=against))
    found = dataclasses.replace(found, method=method)
    for alpha in (0.3, 0.05):
        counted = found.counts(alpha)
        for i, j in np.argwhere(found.compared):
            a, b = found.systems[i], found.systems[j]
            assert counted.loc[a, b] == found.claims(a, b, alpha).at_least()
        assert (counted.to_numpy()[~found.compared] == 0).all()
