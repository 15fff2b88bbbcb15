import itertools

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from analysis.methods import simulation
from analysis.methods.shards import (
    at_scale,
    merge,
    read_frequencies,
    read_settings,
    write_frequencies,
)
from analysis.methods.simulation import CHUNK_FAMILIES, Group
from replicability import checks
from replicability.io.text import load_yaml
from replicability.stats import partial_conjunction

NULL = [Group(100)]
MIXED = [Group(34), Group(33, 0.2), Group(33, 0.5)]
SMALL = [Group(3), Group(4, 0.3), Group(2, 0.1, 1.5)]
ESTIMATORS = tuple(partial_conjunction.ESTIMATORS)
SETTINGS = {
    "name": "mine",
    "n_families": 3 * CHUNK_FAMILIES,
    "n_shards": 2,
    "seed": 7,
    "alpha": 0.05,
    "estimators": ["count", "fisher"],
    "examples": {"null": [[5, 0.0]], "better": [[2, 0.3, 1.5], [3]]},
}


def test_pvalues_are_uniform_where_the_null_hypothesis_is_true():
    families = simulation.simulate([Group(3, 0.4)], 20_000, 1)
    for column in families.pvalues.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4


def test_correlation_and_effect_are_those_asked_for():
    groups = [Group(2, 0.5, effect=1.0), Group(2)]
    families = simulation.simulate(groups, 200_000, 2)
    z = stats.norm.isf(families.pvalues)
    np.testing.assert_allclose(z.mean(axis=0), [1, 1, 0, 0], atol=0.01)
    np.testing.assert_allclose(
        np.corrcoef(z.T),
        [[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        atol=0.01,
    )
    np.testing.assert_array_equal(families.is_effect, [True, True, False, False])


def test_a_seed_is_used_and_gives_the_same_families():
    first = simulation.distribution(MIXED, 5_000, 7).frequencies
    again = simulation.distribution(MIXED, 5_000, 7).frequencies
    other = simulation.distribution(MIXED, 5_000, 8).frequencies
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    assert any((first[name] != other[name]).any() for name in first)


def test_the_first_families_do_not_depend_on_how_many_follow():
    n = CHUNK_FAMILIES
    short = simulation.distribution(NULL, n, 7, methods=["count"]).frequencies["count"]
    long = simulation.distribution(NULL, 2 * n, 7, methods=["count"]).frequencies["count"]
    assert np.all(long >= short)


def test_exact_count_without_correlation_is_binomial():
    # R: format(dbinom(0:3, 100, .05), digits = 11)
    expected = [0.0059205292203, 0.0311606801070, 0.0811817718578, 0.1395756779309]
    np.testing.assert_allclose(simulation.exact_count(NULL, 0.05)[:4], expected, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("j", [0, 1, 7])
def test_exact_count_against_another_route(rho, j):
    # the common variable as a uniform quantile instead of a normal density
    def given(q):
        z = (stats.norm.isf(0.05) - np.sqrt(rho) * stats.norm.ppf(q)) / np.sqrt(1 - rho)
        return stats.binom(20, stats.norm.sf(z)).pmf(j)

    expected = integrate.quad(given, 0, 1, epsabs=1e-11, limit=500)[0]
    assert simulation.exact_count([Group(20, rho)], 0.05)[j] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("groups", [NULL, MIXED, [Group(4, 0.3, effect=2), Group(5)]])
def test_exact_count_is_a_distribution_that_simulation_agrees_with(groups):
    n_families = 40_000
    exact = simulation.exact_count(groups, 0.05)
    assert exact.sum() == pytest.approx(1, abs=1e-9)
    found = simulation.distribution(groups, n_families, 3, methods=["count"])
    share = found.frequencies["count"] / n_families
    error = np.sqrt(exact * (1 - exact) / n_families) + 1e-4
    assert np.all(np.abs(share - exact) < 5 * error)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("groups", [NULL, MIXED])
def test_exact_overestimation_against_simulation(groups, estimator):
    exact = simulation.exact_overestimation(groups, 0.05, estimator)
    if np.isnan(exact):
        assert groups is MIXED
        return
    found = simulation.distribution(groups, 20_000, 9, 0.05, [estimator])
    error = np.sqrt(exact * (1 - exact) / found.n_families)
    assert abs(found.overestimated(estimator) - exact) < 4.5 * error


def test_overestimation_counts_from_the_true_number():
    found = simulation.distribution([Group(3, effect=50), Group(2)], 1_000, 1)
    assert found.k == 3
    above = found.frequencies["count"][4:].sum() / 1_000
    assert found.overestimated("count") == above
    assert (
        found.overestimated("count", by_more_than=1) == found.frequencies["count"][5:].sum() / 1_000
    )
    assert found.standard_error("count") == pytest.approx(np.sqrt(above * (1 - above) / 1_000))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Group(0), "size of a group is 0; pass a whole number of at least 1"),
        (lambda: Group(2.5), "size of a group is 2.5"),
        (lambda: Group(2, 1.0), r"correlation of a group is 1.0, but must be in \[0, 1\)"),
        (lambda: Group(2, -0.1), "correlation of a group is -0.1"),
        (lambda: Group(2, 0.1, float("nan")), "effect of a group is nan"),
        (lambda: simulation.simulate([], 10, 1), "groups is empty"),
        (lambda: simulation.simulate(NULL, 0, 1), "n_families is 0"),
        (lambda: simulation.distribution(NULL, -1, 1), "n_families is -1"),
        (
            lambda: simulation.distribution(NULL, 10, 1, methods=["fish"]),
            "did you mean 'fisher'",
        ),
        (lambda: simulation.exact_count(NULL, 0), "alpha is 0"),
        (
            lambda: simulation.exact_overestimation([Group(2, effect=1)], 0.05, "count"),
            "A group has an effect, but the exact probability assumes true nulls",
        ),
    ],
)
def test_bad_input_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()


# --- simulations at scale ------------------------------------------------------------------------


@pytest.fixture
def settings(write):
    """Return a function that reads settings with some keys changed, or left out if None."""

    def settings(**changes):
        content = {key: v for key, v in (SETTINGS | changes).items() if v is not None}
        return read_settings(write("mine.yaml", yaml.safe_dump(content, sort_keys=False)))

    return settings


def same(first, second):
    """Whether two simulations have the same families and frequencies."""
    return (first.n_families, first.k, first.frequencies.keys()) == (
        second.n_families,
        second.k,
        second.frequencies.keys(),
    ) and all((first.frequencies[n] == second.frequencies[n]).all() for n in first.frequencies)


@pytest.mark.parametrize("n_shards", [1, 2, 3, 5])
def test_any_number_of_shards_gives_the_same_frequencies(n_shards):
    n_families = 4 * CHUNK_FAMILIES + 17
    whole = simulation.distribution(SMALL, n_families, 7, 0.05, ESTIMATORS)
    shards = [
        simulation.distribution(
            SMALL, n_families, 7, 0.05, ESTIMATORS, shard=shard, n_shards=n_shards
        )
        for shard in range(n_shards)
    ]
    assert whole.n_families == n_families
    assert same(simulation.pool(shards), whole)
    assert same(simulation.pool(reversed(shards)), whole)


def test_a_chunk_of_families_has_its_child_of_the_seed():
    child = np.random.SeedSequence(7).spawn(3)[2]
    pvalues = simulation.simulate(SMALL, CHUNK_FAMILIES, child).pvalues
    found = simulation.distribution(SMALL, 3 * CHUNK_FAMILIES, 7, shard=2, n_shards=3)
    expected = np.bincount((pvalues <= 0.05).sum(axis=1), minlength=10)
    np.testing.assert_array_equal(found.frequencies["count"], expected)


@given(st.integers(1, 10**9), st.integers(1, 1000))
def test_shards_share_out_every_chunk_once(n_families, n_shards):
    n_chunks = -(-n_families // CHUNK_FAMILIES)
    n_shards = min(n_shards, n_chunks)
    ranges = [simulation.shard_chunks(n_families, s, n_shards) for s in range(n_shards)]
    assert ranges[0].start == 0
    assert ranges[-1].stop == n_chunks
    assert all(a.stop == b.start for a, b in itertools.pairwise(ranges))
    assert max(map(len, ranges)) - min(map(len, ranges)) <= 1 <= min(map(len, ranges))


def test_frequencies_survive_their_file(tmp_path):
    found = simulation.distribution(SMALL, 1_000, 7, 0.05, ESTIMATORS)
    write_frequencies(found, tmp_path / "new" / "f.csv")
    assert same(read_frequencies(tmp_path / "new" / "f.csv", SMALL), found)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["f.csv"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("families", "number"),
        ("count,0,", "count,1,"),
        ("count,0,", "count,0,-"),
        ("count,0,", "count,0,1"),
        ("count,0,", "count,0,x"),
        ("fisher,9,0", ""),
    ],
)
def test_a_damaged_file_of_frequencies_is_refused(tmp_path, old, new):
    path = tmp_path / "f.csv"
    write_frequencies(simulation.distribution(SMALL, 1_000, 7), path)
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(checks.InputError, match=r"f.csv does not have the frequencies .* delete"):
        read_frequencies(path, SMALL)


def test_settings_run_what_they_say(settings):
    found = settings()
    assert found.examples == {"null": (Group(5),), "better": (Group(2, 0.3, 1.5), Group(3))}
    whole = simulation.distribution(
        found.examples["better"], 3 * CHUNK_FAMILIES, 7, 0.05, ["count", "fisher"]
    )
    assert same(simulation.pool(found.run("better", shard) for shard in range(2)), whole)


def test_merging_takes_every_shard_once(settings, tmp_path):
    asked = settings()
    shards = [tmp_path / f"{shard}.csv" for shard in range(2)]
    for shard, path in enumerate(shards):
        write_frequencies(asked.run("null", shard), path)
    whole = simulation.distribution([Group(5)], 3 * CHUNK_FAMILIES, 7, 0.05, ["count", "fisher"])
    assert same(merge(asked, "null", shards), whole)
    with pytest.raises(
        checks.InputError, match="have 4,096 families, but the settings ask for 12,288"
    ):
        merge(asked, "null", shards[:1])
    with pytest.raises(checks.InputError, match="'nul' is not one of null, better"):
        merge(asked, "nul", shards)


def test_the_table_at_scale(settings):
    asked = settings()
    found = {
        name: simulation.distribution(groups, asked.n_families, 7, 0.05, asked.estimators)
        for name, groups in asked.examples.items()
    }
    table = at_scale(asked, found).set_index(["example", "estimator"])
    row = table.loc["null", "count"]
    assert row["exact"] == pytest.approx(1 - 0.95**5)
    assert row["above"] == found["null"].frequencies["count"][1:].sum() / asked.n_families
    error = np.sqrt(row["exact"] * (1 - row["exact"]) / asked.n_families)
    assert row["deviation"] == pytest.approx((row["above"] - row["exact"]) / error)
    assert (table.loc["null", "deviation"].abs() < 4).all()
    assert table.loc["better", ["exact", "deviation"]].isna().all(axis=None)
    assert (table.loc["better"]["above"] == found["better"].overestimated("count")).any()


def test_the_committed_settings_are_the_examples_of_the_paper():
    settings = read_settings("config/simulations.yaml")
    toy = load_yaml("config/paper.yaml")["toy_simulations"]
    for example in ("independent", "dependent"):
        assert settings.examples[example] == tuple(Group(*group) for group in toy[example])
    assert (settings.seed, settings.alpha) == (toy["seed"], toy["alpha"])
    assert settings.n_families == 100_000_000


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Mine"}, "mine.yaml: name is 'Mine'; use lower-case letters"),
        ({"n_families": 0}, "mine.yaml: n_families is 0"),
        ({"n_families": 1e6}, "n_families is 1000000.0; pass a whole number"),
        ({"n_shards": 4}, "n_shards is 4, but 12,288 families make 3 chunks .* pass at most 3"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": None}, "mine.yaml: the key 'seed' is missing"),
        ({"sed": 1}, "mine.yaml: key 'sed' is not one of .* did you mean 'seed'"),
        ({"alpha": 5}, "alpha is 5"),
        ({"estimators": []}, r"estimators is \[\]; list each estimator once"),
        ({"estimators": ["count", "count"]}, "list each estimator once"),
        ({"estimators": ["fish"]}, "did you mean 'fisher'"),
        ({"examples": {}}, r"examples is \{\}; map names to groups"),
        ({"examples": {"A": [[5]]}}, "the example 'A' has an invalid name"),
        ({"examples": {"a": [5]}}, r"the example 'a' is \[5\]; list its groups as"),
        ({"examples": {"a": [[5, "x"]]}}, "list its groups as"),
        ({"examples": {"a": [[5, 1.0]]}}, "correlation of a group is 1.0"),
    ],
)
def test_bad_settings_by_message(settings, changes, message):
    with pytest.raises(checks.InputError, match=message):
        settings(**changes)


def test_settings_that_are_no_mapping(write):
    with pytest.raises(checks.InputError, match="is not a mapping; give it the keys name"):
        read_settings(write("mine.yaml", "- 1\n"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulation.distribution(NULL, 10, 1, shard=1), "shard is 1, but .* from 0 to 0"),
        (lambda: simulation.distribution(NULL, 10, 1, shard=-1), "shard is -1"),
        (lambda: simulation.distribution(NULL, 10, 1, n_shards=0), "n_shards is 0"),
        (
            lambda: simulation.distribution(NULL, 10, 1, n_shards=2),
            "n_shards is 2, but 10 families",
        ),
        (lambda: simulation.pool([]), "parts is empty"),
        (
            lambda: simulation.pool(
                simulation.distribution(groups, 10, 1) for groups in (NULL, SMALL)
            ),
            "The simulations differ",
        ),
    ],
)
def test_bad_parts_by_message(call, message):
    with pytest.raises(checks.InputError, match=message):
        call()
