"""A family has the local test, the refusals and the cautions of a comparison of two systems."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from replicability import checks
from replicability.core import all_pairs, dependence
from replicability.io.study import read_study
from replicability.stats import closed_testing, discrete, joint
from replicability.stats.paired import mcnemar_pvalues

SYSTEMS = ["x", "y", "z"]


def answers(gains, n_datasets=8, n=40, seed=0, differing=0.3):
    """Return right-or-wrong answers of systems, each so much better than the first.

    Of all items only this share tells systems apart.
    """
    rng = np.random.default_rng(seed)
    easy = rng.random((n_datasets, n)) < 0.5
    hard = rng.random((n_datasets, n)) < differing
    columns = {}
    for name, gain in gains.items():
        own = rng.random((n_datasets, n)) < 0.5 + gain / differing
        columns[name] = np.where(hard, own, easy).astype(int).ravel()
    ids = {"dataset": np.repeat([f"d{j}" for j in range(n_datasets)], n)}
    return pd.DataFrame({**ids, "instance": [f"i{i}" for i in range(n_datasets * n)], **columns})


# --- the local test ------------------------------------------------------------------------------


def test_each_pair_is_that_of_a_comparison_at_its_level():
    frame = answers({"x": 0.0, "y": 0.08, "z": 0.14}, seed=3)
    family = rep.all_pairs(frame, dependence="independent")
    assert family.method == "discrete"
    joint = family.counts()
    assert joint.to_numpy().max() > 0
    for a, b in itertools.permutations(SYSTEMS, 2):
        both = frame.drop(columns=(set(SYSTEMS) - {a, b}).pop())
        for jointly, level in ((True, 0.05 / 6), (False, 0.05)):
            one = rep.compare(both, a=a, b=b, dependence="independent", alpha=level,
                              alternative="greater")  # fmt: skip
            found = family.between(a, b, jointly=jointly)
            assert family.counts(jointly=jointly).loc[a, b] == found.at_least() == one.k
            assert family.named(a, b, jointly=jointly) == one.named
    rows = family.table.set_index(["a", "b"])
    assert {pair: rows.loc[pair, "jointly"] for pair in rows.index} == {
        pair: joint.loc[pair] for pair in rows.index
    }


def test_with_equal_systems_the_family_is_rarely_wrong():
    wrong = sum(
        (rep.all_pairs(answers(dict.fromkeys(SYSTEMS, 0), seed=seed), dependence="independent")
         .counts().to_numpy() > 0).any()
        for seed in range(60)
    )  # fmt: skip
    assert wrong <= stats.binom.isf(1e-4, 60, 0.05)


def test_it_counts_more_than_fisher_where_few_items_differ():
    counts = {"": 0, "fisher": 0, "fisher_bonferroni": 0}
    for seed in range(6):
        frame = answers({"x": 0.0, "y": 0.1, "z": 0.1}, 12, 40, seed)
        for method in counts:
            family = rep.all_pairs(frame, dependence="independent", method=method or None)
            counts[method] += family.counts().loc[["y", "z"], "x"].sum()
    assert counts[""] > 1.2 * counts["fisher"] > counts["fisher_bonferroni"]


@pytest.mark.long
def test_a_pair_of_ten_systems_counts_most_by_draws():
    rng, level, names = np.random.default_rng(1), 0.05 / 90, [f"d{j}" for j in range(27)]
    counts = {"discrete": 0, "fisher": 0, "fisher_bonferroni": 0}
    for _ in range(40):
        differing = rng.binomial(250, 0.2, 27)
        won = rng.binomial(differing, 0.5 + 0.03 / 0.4)
        draws = discrete.draw(won, differing - won, names=names)
        counts["discrete"] += joint.bound(draws, alpha=level).at_least
        pvalues = mcnemar_pvalues(won, differing - won)
        for method in ("fisher", "fisher_bonferroni"):
            counts[method] += int(closed_testing.bound(pvalues, alpha=level, method=method))
    assert counts["discrete"] > 1.15 * counts["fisher"] > 3 * counts["fisher_bonferroni"]


def test_large_families_are_drawn_only_where_that_is_asked():
    frame = answers({f"s{i:02}": 0.0 for i in range(11)}, 2, 30)
    family = rep.all_pairs(frame, dependence="independent")
    assert family.method == "fisher_bonferroni"
    assert any("'discrete'" in note and "110 ordered pairs" in note for note in family.notes)
    asked = rep.all_pairs(frame, dependence="independent", method="discrete")
    assert asked.method == "discrete"
    assert len(asked.between("s00", "s01").flips.z) == 110 * all_pairs.FLIPS_OF_A_PAIR
    one = rep.all_pairs(frame, dependence="independent", against="s03")
    assert one.method == "discrete"
    assert not any("discrete" in note for note in one.notes)


@pytest.mark.parametrize(
    "declared", [{}, {"dependence": "positive"}, {"dependence": "independent", "test": "wilcoxon"}]
)
def test_draws_need_independent_datasets_and_mcnemars_test(declared):
    family = rep.all_pairs(answers(dict.fromkeys(SYSTEMS, 0)), **declared)
    assert family.method != "discrete"
    with pytest.raises(checks.InputError, match=r"'discrete' "):
        rep.all_pairs(answers(dict.fromkeys(SYSTEMS, 0)), method="discrete", **declared)


# --- dependence ----------------------------------------------------------------------------------


def matched(rho, n=60, systems=SYSTEMS, seed=0):
    """Return a frame of items that are in six datasets, on which each system has its own luck."""
    rng = np.random.default_rng(seed)
    columns = {}
    for system in systems:
        own, other = rng.standard_normal((n, 1)), rng.standard_normal((n, 6))
        columns[system] = (rho**0.5 * own + (1 - rho) ** 0.5 * other > 0).astype(int).T.ravel()
    ids = {"dataset": np.repeat([f"d{j}" for j in range(6)], n)}
    return pd.DataFrame({**ids, "instance": [f"q{i}" for i in range(n)] * 6, **columns})


def refused(data, **declared):
    with pytest.raises(checks.InputError) as caught:
        rep.all_pairs(data, **declared)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_declared_independence_that_a_pair_contradicts_is_refused():
    message = refused(matched(0.6), dependence="independent")
    assert "declared independent" in message
    assert "60 items have the same identifier" in message
    assert any(f"differences between {a!r} and {b!r}" in message
               for a, b in itertools.combinations(SYSTEMS, 2))  # fmt: skip
    assert "shared=" in message
    (note,) = rep.all_pairs(matched(0.6)).notes
    assert "If these are the same items, declare them as shared" in note
    (note,) = rep.all_pairs(matched(0.6), shared=True).notes
    assert dependence.USED in note


def test_independent_items_of_one_name_pass_in_nearly_every_family():
    passed = 0
    for seed in range(25):
        try:
            rep.all_pairs(matched(0, 30, [f"s{i}" for i in range(6)], seed),
                          dependence="independent", test="sign_test")  # fmt: skip
            passed += 1
        except checks.InputError:
            pass
    assert passed >= 24


def test_passages_that_are_not_declared_are_refused():
    rng = np.random.default_rng(1)
    passage = np.repeat(np.arange(60), 6)
    frame = pd.DataFrame(
        {"dataset": [f"d{p // 10}" for p in passage], "passage": passage % 10,
         "instance": [f"i{i}" for i in range(360)]}
        | {s: ((0.5**0.5 * rng.standard_normal(60))[passage]
               + 0.5**0.5 * rng.standard_normal(360) > 0).astype(int) for s in SYSTEMS}
    )  # fmt: skip
    assert "declare unit='passage'" in refused(frame)
    long = frame.melt(["dataset", "passage", "instance"], SYSTEMS, "system", "score")
    assert "'passage'" in refused(long)
    sides = {
        s: long[long["system"] == s].drop(columns="system").reset_index(drop=True) for s in SYSTEMS
    }
    assert "'passage'" in refused(sides)
    assert not any("passage" in note for note in rep.all_pairs(frame, unit="passage").notes)
    note = rep.all_pairs(frame, unit="instance").notes[0]
    assert note.startswith("The unit is declared to be the item, but items with the same")


def test_one_dataset_under_two_names_is_reported_and_no_independent_one():
    frame = answers(dict.fromkeys(SYSTEMS, 0), 3, 60)
    copy = frame[frame["dataset"] == "d1"].assign(dataset="again")
    both = pd.concat([frame, copy.assign(instance=[f"j{i}" for i in range(60)])])
    assert "'d1' and 'again' have the same scores for all systems" in refused(
        both, dependence="independent"
    )
    (note,) = rep.all_pairs(both).notes
    assert note.endswith("are one dataset under 2 names, but are counted as 2 datasets.")


def test_a_study_refuses_the_same(tmp_path):
    matched(0.6).to_csv(tmp_path / "scores.csv", index=False)
    file = tmp_path / "study.yaml"
    file.write_text(
        "study: mine\nalphas: [0.05]\nfamilies:\n  - name: all\n    title: All\n"
        f"    file: {tmp_path / 'scores.csv'}\n    dependence: independent\n"
        "    columns: {dataset: dataset, instance: instance, scores: [x, y, z]}\n"
    )
    (family,) = read_study(file).families
    with pytest.raises(checks.InputError, match="declared independent, but 60 items have the same"):
        all_pairs.compare(family)


def test_of_many_pairs_some_are_measured():
    message = refused(matched(0.6, 60, [f"s{i:02}" for i in range(14)]), dependence="independent")
    assert "declared independent" in message
    assert "'s05'" in refused(
        matched(0.6, 60, [f"s{i:02}" for i in range(6)]), dependence="independent", against="s05"
    )


# --- cautions ------------------------------------------------------------------------------------


def test_pairs_in_which_too_few_items_differ_are_counted():
    frame = answers({"x": 0, "y": 0}, 3, 60, differing=0.6)
    alike = frame["x"].to_numpy().copy()
    alike[:3] = 1 - alike[:3]  # one item of the three that differ could show at most 1/8
    family = rep.all_pairs(frame.assign(z=alike))
    (note,) = [note for note in family.notes if "differ on too few items" in note]
    assert note.startswith("In 1 pair of systems,")
    assert "0.0028" in note  # .05 over 6 ordered pairs and 3 datasets


def test_few_items_for_the_bootstrap():
    family = rep.all_pairs(answers(dict.fromkeys(SYSTEMS, 0)), test="paired_bootstrap",
                           options={"n_resamples": 999})  # fmt: skip
    assert any(note.startswith("8 of 8 datasets have fewer than") for note in family.notes)
