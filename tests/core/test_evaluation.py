from dataclasses import replace

import comparisons
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from replicability import checks
from replicability.core import cautions, evaluation, recommendation
from replicability.io import pvalues, study
from replicability.io.declared import OF_FOLDS
from replicability.stats import intervals, joint, paired

N = 12
_RNG = np.random.default_rng(2017)
SIZE = _RNG.integers(1, 8, N)
A = _RNG.binomial(SIZE, 0.7)
B = _RNG.binomial(SIZE, 0.6)
GOLD = np.array([1, 3, 2, 5, 4, 6, 8, 7, 9, 11, 10, 12]) / 2
RATED_A = np.array([1, 2, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12.5])
RATED_B = np.array([2, 1, 5, 3, 4, 9, 6, 8, 7, 12, 10, 11.5])
BOTH = {"dataset": "dataset", "instance": "instance", "scores": ["a", "b"]}


def table(dataset="news", **columns):
    frame = pd.DataFrame(columns)
    frame.insert(0, "instance", range(len(frame)))
    frame.insert(0, "dataset", dataset)
    return frame


COUNTS = table(a=A, b=B, size=SIZE)
RIGHT = table(a=A * 2 > SIZE, b=B * 2 > SIZE).astype({"a": int, "b": int})
FIVEFOLD = table(a=np.tile(A, 5), b=np.tile(B, 5), size=np.tile(SIZE, 5))
RATINGS = table(a=RATED_A, b=RATED_B, gold=GOLD)


@pytest.fixture
def declare(tmp_path):
    """Return a function that stores a table and declares the comparison of its systems."""

    def declare(table, test, **changes):
        path = tmp_path / "scores.csv"
        table.to_csv(path, index=False)
        columns = BOTH | {key: key for key in ("size", "gold") if key in table}
        own = {"name": "mine", "section": "sentiment", "file": str(path), "columns": columns}
        return comparisons.declare(**(own | {"test": test} | changes))

    return declare


def sums(scores):
    return np.column_stack([scores, SIZE])


# what a test takes -> a table that has it, and what a direct call is given
GIVEN = {
    "sums": (COUNTS, (sums(A), sums(B))),
    "scores": (COUNTS, (A / SIZE, B / SIZE)),
    "outcomes": (RIGHT, (RIGHT["a"], RIGHT["b"])),
    "ratings": (RATINGS, (RATED_A, RATED_B)),
}
OPTIONS = {
    "wilcoxon": {"zero_method": "pratt"},
    "mcnemar": {"variant": "mid-p"},
    "steiger": {"kind": "pearson"},
    "rating_bootstrap": {"n_resamples": 199},
    "resampled_t": {"test_share": 0.1},
}
# test -> its table, what a direct call takes, its options
CASES = {
    name: (*GIVEN[test.takes], OPTIONS.get(name, {}))
    for name, test in paired.TESTS.items()
    if test.takes in GIVEN and name not in OF_FOLDS  # whose scores are of runs and of folds
}


@pytest.mark.parametrize("test", CASES)
def test_each_test_against_a_direct_call(declare, test):
    frame, (a, b), options = CASES[test]
    found = evaluation.evaluate(declare(frame, test, options=options, seed=7)).rows
    assert list(found.columns) == [
        "dataset", "p_value", "p_reverse", "score_a", "score_b", "difference", "low", "high",
        "standard_error", "n", *(["skewness"] if test == "mean_difference" else []), "floor",
        "test", "how", "wins", "ties", "losses",
    ]  # fmt: skip
    assert len(found) == 1
    row = found.iloc[0]

    extra = {"gold": GOLD} if "gold" in frame else {}
    if "rng" in paired.TESTS[test].options:
        extra["rng"] = np.random.SeedSequence(7, spawn_key=tuple(b"news"))
    result = paired.run(test, a, b, **options, **extra)
    assert (row["p_value"], row["n"], row["how"]) == (result.pvalue, N, result.how)
    assert row["test"] == test
    if test == "mean_difference":
        assert row["skewness"] == result.skewness
    differing = N if result.wins is None else result.wins + result.losses
    assert row["floor"] == paired.floor(test, differing, **options) <= row["p_value"]
    reverse = paired.run(test, a, b, **options, **extra, alternative="less")
    assert row["p_reverse"] == reverse.pvalue
    assert row["p_value"] < row["p_reverse"]

    if "gold" in frame:
        correlation = stats.pearsonr if "kind" in options else stats.spearmanr
        expected = [correlation(ratings, GOLD)[0] for ratings in (RATED_A, RATED_B)]
    else:
        n = SIZE.sum() if "size" in frame else N
        expected = [frame["a"].sum() / n, frame["b"].sum() / n]
    np.testing.assert_allclose([row["score_a"], row["score_b"]], expected, rtol=1e-13)
    np.testing.assert_allclose(row["difference"], expected[0] - expected[1], rtol=1e-10)
    assert row["low"] < row["difference"] < row["high"]
    if "size" not in frame or paired.TESTS[test].takes == "sums":
        interval = result.confidence_interval
        assert (row["low"], row["high"]) == (interval.low, interval.high)


@pytest.mark.parametrize("test", CASES)
def test_p_reverse_is_the_p_value_of_the_systems_swapped(declare, test):
    frame, _, options = CASES[test]
    if test == "paired_bootstrap":
        options = {"n_resamples": 99}
    there = evaluation.evaluate(declare(frame, test, options=options, seed=7)).rows
    swapped = {"columns": declare(frame, test).columns | {"scores": ["b", "a"]}}
    back = evaluation.evaluate(declare(frame, test, options=options, seed=7, **swapped)).rows
    turned = ["p_reverse", "p_value", "score_b", "score_a"]
    np.testing.assert_array_equal(
        there[["p_value", "p_reverse", "score_a", "score_b"]].to_numpy(),
        back[turned].to_numpy(),
    )


def test_a_table_with_one_system_per_row_gives_the_same(declare, tmp_path):
    both = declare(COUNTS, "paired_bootstrap")
    found = evaluation.evaluate(both).rows
    long = COUNTS.melt(["dataset", "instance", "size"], ["b", "a"], "system", "score")
    columns = {key: key for key in ("dataset", "instance", "system", "score", "size")}
    changes = {"columns": columns, "systems": ("a", "b")}
    pd.testing.assert_frame_equal(
        evaluation.evaluate(declare(long, "paired_bootstrap", **changes)).rows, found
    )


@pytest.mark.parametrize(
    ("test", "unit"), [("wilcoxon", "accuracy"), ("wilcoxon", "LAS (%)"), ("steiger", "rho (%)")]
)
def test_shares_are_shown_in_per_cent_where_the_unit_says_so(declare, test, unit):
    frame = CASES[test][0]
    shown = evaluation.evaluate(declare(frame, test, score=unit)).rows
    plain = evaluation.evaluate(declare(frame, test)).rows
    factor = 100 if unit.endswith("(%)") else 1
    scores = ["score_a", "score_b", "difference", "low", "high", "standard_error"]
    np.testing.assert_array_equal(shown[scores], factor * plain[scores])
    np.testing.assert_array_equal(shown["p_value"], plain["p_value"])


def test_p_values_of_a_table_are_passed_on(write):
    path = write("p.csv", "dataset,p\none,0.25\ntwo,0.5\n")
    comparison = study.Comparison(
        name="mine", section="sentiment", title="A-B", systems=("A", "B"),
        dependence="independent", file=str(path),
        columns={"dataset": "dataset", "p_value": "p"}, score="accuracy (%)",
    )  # fmt: skip
    found = evaluation.evaluate(comparison).rows
    pd.testing.assert_frame_equal(found, pvalues.read_comparison(comparison))


# --- several datasets, and the seed --------------------------------------------------------------


def several(*names):
    return pd.concat([COUNTS.assign(dataset=name) for name in names], ignore_index=True)


def bootstrap(declare, table, seed):
    return evaluation.evaluate(
        declare(table, "paired_bootstrap", options={"n_resamples": 999}, seed=seed)
    ).rows


def test_datasets_come_in_the_order_of_the_file_and_may_be_interleaved(declare):
    blocks = several("b", "a", "c")
    found = evaluation.evaluate(declare(blocks, "wilcoxon")).rows
    assert found["dataset"].tolist() == ["b", "a", "c"]
    mixed = blocks.sort_values("instance", kind="stable")
    pd.testing.assert_frame_equal(evaluation.evaluate(declare(mixed, "wilcoxon")).rows, found)
    chosen = evaluation.evaluate(declare(blocks, "wilcoxon", datasets=("c", "b"))).rows
    assert chosen["dataset"].tolist() == ["b", "c"]


def test_the_seed_decides_the_resamples(declare):
    first = bootstrap(declare, COUNTS, 1)
    pd.testing.assert_frame_equal(first, bootstrap(declare, COUNTS, 1))
    seeds = [bootstrap(declare, COUNTS, seed)["p_value"][0] for seed in range(1, 6)]
    assert len(set(seeds)) > 1
    assert first["how"][0].startswith("Monte Carlo with 999 resamples")
    exact = evaluation.evaluate(declare(COUNTS, "paired_bootstrap"))["p_value"][0]
    error = np.sqrt(exact * (1 - exact) / 999)
    np.testing.assert_allclose(seeds, exact, atol=5 * error)


def test_each_dataset_has_its_own_resamples(declare):
    found = bootstrap(declare, several("a", "b", "c", "d"), 1)
    assert len(set(found["p_value"])) > 1  # of equal datasets
    turned = bootstrap(declare, several("d", "c"), 1)  # whatever else is there, in any order
    assert turned["p_value"].tolist() == found["p_value"][[3, 2]].tolist()


# --- the recommended test, the interval and the scale --------------------------------------------


@pytest.mark.parametrize(
    ("frame", "test"),
    [
        (RIGHT, "mcnemar"),
        (COUNTS, "mean_difference"),
        (FIVEFOLD, "mean_difference"),
        (RATINGS, "correlation_jackknife"),
        (table(a=A / SIZE, b=B / SIZE), "mean_difference"),
        (pd.concat([RIGHT, table("blogs", a=A / SIZE, b=B / SIZE)]), "mean_difference"),
    ],
)
def test_the_recommended_test_is_used_and_named(declare, frame, test):
    found = evaluation.evaluate(declare(frame, "")).rows
    assert set(found["test"]) == {test}
    pd.testing.assert_frame_equal(found, evaluation.evaluate(declare(frame, test)).rows)


def test_the_interval_is_that_of_the_scores_of_the_dataset(declare):
    # leave-one-out by hand: the jackknife's error, and the skewness of what is left out
    row = evaluation.evaluate(declare(COUNTS, "wilcoxon")).rows.iloc[0]
    every = np.arange(N)
    left_out = np.array([(A - B)[every != i].sum() / SIZE[every != i].sum() for i in range(N)])
    error = np.sqrt((N - 1) / N * ((left_out - left_out.mean()) ** 2).sum())
    off_mode = N - np.unique(left_out.round(12), return_counts=True)[1].max()
    below, above = intervals.mean_distances(stats.skew(-left_out), N, off_mode)
    effect = (A - B).sum() / SIZE.sum()
    expected = effect - error * below, effect + error * above
    np.testing.assert_allclose(row[["low", "high"]].astype(float), expected)
    np.testing.assert_allclose(row["standard_error"], error)


@pytest.mark.parametrize("test", ["sign_flip", "mcnemar", "steiger"])
def test_the_standard_error_is_the_jackknife_s_or_of_ratings_that_of_the_interval(declare, test):
    row = evaluation.evaluate(declare(CASES[test][0], test)).rows.iloc[0]
    if test == "steiger":
        expected = (row["high"] - row["low"]) / 2 / stats.norm.ppf(0.975)
    else:
        expected = paired.difference(*GIVEN[paired.TESTS[test].takes][1]).standard_error
    assert row["standard_error"] == pytest.approx(expected, rel=1e-12)


def test_shares_beside_per_cent_are_refused(declare):
    mixed = table(a=A / SIZE, b=100 * B / SIZE)
    with pytest.raises(
        checks.InputError, match=r"dataset 'news': The scores of A lie in \[0, 1\],"
    ):
        evaluation.evaluate(declare(mixed, "wilcoxon"))
    for fine in (table(a=100 * A / SIZE, b=100 * B / SIZE), table(a=RIGHT["a"], b=5 * RIGHT["b"])):
        evaluation.evaluate(declare(fine, "wilcoxon"))


def test_right_and_wrong_beside_0_and_100_are_refused(declare):
    for factor in (50, 100):
        mixed = RIGHT.assign(b=factor * RIGHT["b"])
        with pytest.raises(checks.InputError, match=rf"scores\.csv, .* those of B reach {factor};"):
            evaluation.evaluate(declare(mixed, ""))


def test_scales_are_compared_over_all_datasets(declare):
    """In each dataset one system has a single value, which says nothing."""
    zeros = np.zeros(N)
    apart = pd.concat([table(a=RIGHT["a"], b=zeros), table("web", a=zeros, b=100 * RIGHT["b"])])
    with pytest.raises(checks.InputError, match=r"scores\.csv: The scores of A lie in \[0, 1\]"):
        evaluation.evaluate(declare(apart, ""))
    turned = table(a=A / SIZE, b=-B / SIZE)
    with pytest.raises(
        checks.InputError, match=r"scores\.csv: .* never positive .* the same metric and sign"
    ):
        evaluation.evaluate(declare(turned, ""))


def test_shares_beside_counts_of_one_size_are_refused(declare):
    mixed = table(a=A / SIZE, b=B, size=SIZE)
    with pytest.raises(checks.InputError, match=r"are shares in .* are whole numbers up to"):
        evaluation.evaluate(declare(mixed, ""))


@pytest.mark.parametrize("change", [{"score": "WER (%)"}, {"metric": "ppl"}])
def test_scores_of_which_less_is_better_are_refused(declare, change):
    with pytest.raises(
        checks.InputError,
        match=r"scores\.csv: the name suggests that a lower .* higher_is_better: false",
    ):
        evaluation.evaluate(declare(RIGHT, "", **change))


def test_too_few_instances_are_said(declare):
    constant = table(a=[3, 3], b=[2, 2], size=[3, 3])
    assert evaluation.evaluate(declare(constant, ""))["test"].tolist() == ["mean_difference"]
    found = evaluation.evaluate(declare(constant, "paired_bootstrap"))
    assert found["p_value"].tolist() == [0]
    few, below = cautions.cautions(found)
    assert few.startswith("There are fewer than 50 items (2): the bootstrap's p-values may be too")
    assert below.startswith(
        "The bootstrap's p-value is smaller than the smallest possible p-value of a sign-flip test "
        "(2 items), because"
    )
    assert few.endswith("Use the test mean_difference instead.")
    few, _ = cautions.cautions(found.assign(n=6, units=2))
    assert few.startswith("There are fewer than 50 units (2):")
    few, *_ = cautions.cautions(found.assign(n=600, filled=40.0))
    assert few.startswith("There are fewer than 50 non-empty items (40):")
    half, _ = cautions.cautions(found, 0.025)
    fewest = recommendation.few_instances(0.025)
    assert half.startswith(f"There are fewer than {fewest} items (2):")
    flipped = evaluation.evaluate(declare(constant, "sign_flip"))
    assert flipped["p_value"].tolist() == [0.25]
    unbeaten, floored = cautions.cautions(flipped)
    assert unbeaten.startswith("One system never loses (2 items).")
    assert floored.startswith("The systems differ on too few items: no p-value can be below 0.25,")
    assert "at least 5 items" in floored
    assert len(cautions.cautions(evaluation.evaluate(declare(COUNTS, "paired_bootstrap")))) == 1
    assert cautions.cautions(evaluation.evaluate(declare(FIVEFOLD, "paired_bootstrap"))) == []


# --- what is refused -----------------------------------------------------------------------------


def test_a_fault_of_the_scores_names_file_and_dataset(declare):
    frame = pd.concat([RIGHT, RIGHT.assign(dataset="blogs", b=2)])
    with pytest.raises(
        checks.InputError, match=r"scores\.csv, dataset 'blogs': Score 0 of system B is 2, but"
    ):
        evaluation.evaluate(declare(frame, "mcnemar"))
    with pytest.raises(checks.InputError, match=r"scores\.csv: there is only one item, so no"):
        evaluation.evaluate(declare(COUNTS[:1], "paired_bootstrap"))


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        ("wilcoxon", {"zero_metod": "pratt"}, "dataset 'news': .*did you mean 'zero_method'"),
        ("wilcoxon", {"zero_method": "prat"}, "did you mean 'pratt'"),
        ("paired_bootstrap", {"n_resamples": 0}, "n_resamples is 0"),
        ("sign_flip", {"alternative": "two-sided"}, "'alternative'"),
        ("sign_flip", {"rng": 3}, "has the option 'rng', but the key 'seed' controls"),
        ("steiger", {"gold": [1, 2, 3]}, "has the option 'gold', but the key 'gold'"),
        ("steiger", {}, "needs gold ratings"),
        ("wilcoxn", {}, "'wilcoxn' .*'wilcoxon'"),
    ],
)
def test_bad_options_by_message(declare, test, options, message):
    with pytest.raises(checks.InputError, match=message) as caught:
        evaluation.evaluate(declare(COUNTS, test, options=options))
    assert "\n" not in str(caught.value)


def test_two_sided_pvalues_are_turned_by_the_sign_of_the_scores(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("d,p,a,b\nx,0.04,2,1\ny,0.04,1,2\nz,0.5,1,1\n", encoding="utf-8")
    columns = {"dataset": "d", "p_value": "p", "scores": ["a", "b"]}
    block = study.Comparison(
        name="c",
        section="your_comparison",
        title="A-B",
        systems=("A", "B"),
        dependence="dependent",
        file=str(path),
        columns=columns,
        sided="two",
    )
    table = evaluation.evaluate(block).rows
    assert table["p_value"].tolist() == pytest.approx([0.02, 0.98, 0.75])
    assert table["p_reverse"].tolist() == pytest.approx([0.98, 0.02, 0.75])
    assert "p_reverse" not in evaluation.evaluate(replace(block, sided="one"))


# --- units


PROMPTS = "set,row,ours,theirs,question\n" + "".join(
    f"{dataset},{question}-{prompt},{ours},{theirs},{question}\n"
    for dataset in ("one", "two")
    for question, (ours, theirs) in enumerate([(1, 0)] * 10 + [(0, 1)] * 3 + [(1, 1)] * 4)
    for prompt in range(3)
)


def of_prompts(write, **more):
    columns = {"dataset": "set", "instance": "row", "scores": ["ours", "theirs"]}
    return study.Comparison(
        name="mine",
        section="your_comparison",
        title="ours-theirs",
        systems=("ours", "theirs"),
        dependence="dependent",
        unit_declared=True,  # also where it is the row
        **{"file": str(write("prompts.csv", PROMPTS)), "columns": columns} | more,
    )


def test_three_prompts_for_a_question_are_one_unit(write):
    rows = evaluation.evaluate(of_prompts(write)).rows
    questions = evaluation.evaluate(of_prompts(write, unit="question")).rows
    assert questions["units"].tolist() == [17, 17]
    assert questions["n"].tolist() == rows["n"].tolist() == [51, 51]
    assert questions["difference"].to_numpy() == pytest.approx(rows["difference"].to_numpy())
    # Without prompts: 10 questions won, 3 lost and 4 tied.
    once = np.repeat([1, -1, 0], [10, 3, 4])
    expected = paired.mean_difference(once, np.zeros(17)).pvalue
    assert questions["p_value"].to_numpy() == pytest.approx(expected)
    flipped = evaluation.evaluate(of_prompts(write, unit="question", test="sign_flip")).rows
    assert flipped["p_value"].to_numpy() == pytest.approx(stats.binom.sf(9, 13, 0.5))
    assert (rows["p_value"] < questions["p_value"] / 10).all()
    assert questions["design_effect"].to_numpy() == pytest.approx(3 * 50 / 48)
    assert set(questions["test"]) == {"mean_difference"}


def test_a_test_of_single_instances_takes_no_larger_units(write):
    message = "the test 'mcnemar' needs a score for each item, but item scores are summed within"
    with pytest.raises(checks.InputError, match=message):
        evaluation.evaluate(of_prompts(write, unit="question", test="mcnemar"))


def test_shared_units_bring_their_joint_flips(write):
    table = evaluation.evaluate(of_prompts(write, unit="question", shared=True, seed=5))
    flips = table.flips
    assert flips.shared.tolist() == [[17, 17], [17, 17]]
    assert np.allclose(flips.z[:, 0], flips.z[:, 1])  # the same questions and answers
    again = evaluation.evaluate(of_prompts(write, unit="question", shared=True, seed=5))
    np.testing.assert_array_equal(again.flips.z, flips.z)
    assert evaluation.evaluate(of_prompts(write, unit="question")).flips is None
    few = evaluation.evaluate(of_prompts(write, unit="question", shared=True, seed=5, n_flips=300))
    assert (len(flips.z), len(few.flips.z)) == (joint.N_FLIPS, 300)


def test_units_that_nobody_shares_are_a_sentence(write):
    with pytest.raises(checks.InputError, match=r"prompts\.csv: .*'three' is not one of one, two"):
        evaluation.evaluate(of_prompts(write, shared={"questions": ["one", "three"]}))


# --- several runs of a system --------------------------------------------------------------------

OF_RUNS = {"dataset": "set", "instance": "id", "system": "model", "score": "right", "run": "seed"}


def seeds(rng, n=24, runs=(3, 5), sets=("news", "mail")):
    """Return one row for each instance, system and run, in any order."""
    rows = [
        (name, f"i{i}", model, seed, int(rng.random() < 0.4 + 0.2 * (model == "ours")))
        for name in sets
        for i in range(n)
        for model, r in zip(("ours", "theirs"), runs, strict=True)
        for seed in range(r)
    ]
    frame = pd.DataFrame(rows, columns=["set", "id", "model", "seed", "right"])
    return frame.sample(frac=1, random_state=1)


def of_runs(write, frame, name="runs.csv", **more):
    return study.Comparison(
        name="mine",
        section="your_comparison",
        title="ours-theirs",
        systems=("ours", "theirs"),
        dependence="independent",
        file=str(write(name, frame.to_csv(index=False))),
        **{"columns": OF_RUNS} | more,
    )


def test_runs_are_averaged_within_the_instance(write):
    frame = seeds(np.random.default_rng(1))
    found = evaluation.evaluate(of_runs(write, frame)).rows.set_index("dataset")
    for name, part in frame.groupby("set"):
        total = part.groupby(["model", "id"])["right"].sum()
        # 5 k_a - 3 k_b, in whole numbers: the same test of the same hypothesis
        whole = paired.mean_difference(5.0 * total["ours"], 3.0 * total["theirs"])
        row = found.loc[name]
        assert (row["n"], row["test"]) == (24, "mean_difference")
        assert row["p_value"] == pytest.approx(whole.pvalue, rel=1e-12)
        runs = part.groupby(["model", "seed"])["right"].mean()
        assert row["score_a"] == pytest.approx(runs["ours"].mean())
        assert row["spread_a"] == pytest.approx(runs["ours"].std(ddof=1))
        assert row["spread_b"] == pytest.approx(runs["theirs"].std(ddof=1))
        assert (row["runs_a"], row["runs_b"]) == (3, 5)


def test_the_order_of_rows_and_names_of_runs_play_no_part(write):
    frame = seeds(np.random.default_rng(2)).assign(right=lambda t: t["right"] / 10 + 0.1)
    first = evaluation.evaluate(of_runs(write, frame.sort_values(["set", "id"]))).rows
    turned = frame.sort_values(["set", "id", "seed"], ascending=[True, True, False])
    turned["seed"] = turned["seed"].map("seed-{}".format)
    pd.testing.assert_frame_equal(evaluation.evaluate(of_runs(write, turned)).rows, first)


def test_copies_of_a_run_are_no_evidence(write):
    once = seeds(np.random.default_rng(3), runs=(1, 1))
    thrice = pd.concat([once.assign(seed=seed) for seed in range(3)])
    test = {"test": "sign_flip"}
    one, three = (evaluation.evaluate(of_runs(write, t, **test)).rows for t in (once, thrice))
    names = ["p_value", "p_reverse", "score_a", "score_b", "low", "high", "n"]
    np.testing.assert_allclose(one[names], three[names], rtol=1e-12)
    assert three["spread_a"].tolist() == [0, 0]
    assert one["spread_a"].isna().all()


def test_runs_keep_the_sizes_of_instances(write):
    frame = seeds(np.random.default_rng(4), runs=(2, 1), sets=("news",))
    frame["words"] = 1 + frame["id"].str[1:].astype(int) % 7
    frame["right"] = (frame["right"] * frame["words"] // 2).astype(int)
    columns = OF_RUNS | {"size": "words"}
    (row,) = evaluation.evaluate(of_runs(write, frame, columns=columns)).rows.to_dict("records")
    ours = frame[frame["model"] == "ours"]
    by_seed = ours.groupby("seed")[["right", "words"]].sum()
    shares = by_seed["right"] / by_seed["words"]
    assert row["score_a"] == pytest.approx(shares.mean())
    assert row["spread_a"] == pytest.approx(shares.std(ddof=1))


def test_spreads_are_in_the_unit_of_the_scores_and_said(write):
    frame = seeds(np.random.default_rng(5), runs=(3, 1))
    plain, cent = (
        evaluation.evaluate(of_runs(write, frame, score=s)) for s in ("right", "right (%)")
    )
    np.testing.assert_allclose(cent["spread_a"], 100 * plain["spread_a"])
    (said,) = cautions.cautions(plain)
    assert said.startswith(
        "Scores are means over runs: 3 runs of A (largest standard deviation of a"
    )
    assert ") and 1 run of B. The claim is about" in said
    assert "does not cover runs with other seeds" in said


def test_units_and_runs_go_together(write):
    frame = seeds(np.random.default_rng(6), runs=(3, 2))
    frame["passage"] = frame["id"].str[1:].astype(int) // 2
    found = evaluation.evaluate(of_runs(write, frame, unit="passage")).rows
    assert found["units"].tolist() == [12, 12]
    assert found["runs_a"].tolist() == [3, 3]


def test_the_bootstrap_counts_the_sentences_that_hold_a_span(tmp_path):
    def written(name, right):
        lines = [f"w{k}\t{'B-ART' if k < 30 and right(k) else 'O'}\n" for k in range(200)]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        return tmp_path / name

    gold, a = written("gold.txt", lambda k: True), written("a.txt", lambda k: k % 9)
    b = written("b.txt", lambda k: k % 3)
    keywords = {"gold": gold, "format": "spans", "match": "place", "test": "paired_bootstrap"}
    result = rep.compare(a, b, **keywords)
    assert (result.table["n"].item(), result.table["filled"].item()) == (200, 30)
    said = "non-empty items (30): the bootstrap's p-values may be too small"
    assert any(said in note for note in rep.Result.from_dict(result.to_dict()).notes)
    whole = rep.compare(a, b, gold=gold, format="spans", match="place", test="sign_flip")
    assert "filled" not in whole.table
