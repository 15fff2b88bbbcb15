from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from analysis import published
from analysis.gorman2019 import figures as gorman_figures
from analysis.gorman2019 import splits
from analysis.gorman2019 import tables as gorman_tables
from replicability.checks import InputError
from replicability.stats import paired, partial_conjunction

NAMES = ["one", "two", "three"]


def words_of(seed, n_splits=3, n_sentences=12, datasets=("A", "B")):
    """Return outcomes with one row per word."""
    rng = np.random.default_rng(seed)
    frames = []
    for dataset in datasets:
        for split in range(n_splits + 1):
            length = rng.integers(1, 6, n_sentences)
            sentence = np.repeat(np.arange(n_sentences), length)
            right = rng.random((len(sentence), 3)) < [0.6, 0.7, 0.9]
            frame = pd.DataFrame(right, columns=NAMES)
            frame.insert(0, "words", 1)
            frame.insert(0, "unknown", rng.random(len(sentence)) < 0.3)
            frame.insert(0, "instance", [f"{dataset}/{split}/{i}" for i in sentence])
            frame.insert(0, "split", split)
            frame.insert(0, "dataset", dataset)
            frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def gathered(words):
    keys = [name for name in words if name != "words"]
    rows = words.groupby(keys, sort=False)["words"].sum().reset_index()
    return rows[words.columns]


def saved(tmp_path, frame, name="splits.parquet"):
    path = tmp_path / name
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_csv(path, index=False)
    return path


def sizes_of(words):
    tested = words.groupby(["dataset", "split"])["words"].sum()
    return pd.DataFrame(
        [
            (*key, part, factor * 10, factor * n)
            for key, n in tested.items()
            for part, factor in (("train", 8), ("dev", 1), ("test", 1))
        ],
        columns=["dataset", "split", "part", "sentences", "tokens"],
    )


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["splits.parquet", "splits.csv"])
def test_outcomes_are_read_as_they_were_written(tmp_path, name):
    words = gathered(words_of(1))
    found = splits.read(saved(tmp_path, words, name))
    assert splits.taggers(found) == NAMES
    pd.testing.assert_frame_equal(
        found.astype({"dataset": str, "instance": str}),
        words.astype({"dataset": str, "instance": str}),
    )


def changed(column, value, row=4):
    def change(frame):
        frame[column] = frame[column].astype(object)
        frame.loc[row, column] = value
        return frame

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="words"), "column 'words' is not one of dataset, split"),
        (
            lambda f: f.drop(columns=NAMES[1:]),
            r"has 1 column besides dataset, .*two or more taggers",
        ),
        (
            lambda f: f.rename(columns={"one": splits.ORACLE}),
            "the name of the ensemble of all taggers",
        ),
        (
            lambda f: f[f["split"] != 0],
            "A has no standard split; give its standard split the number 0",
        ),
        (lambda f: f[f["split"] < 2], "A has 1 random split; add rows for at least two"),
        (lambda f: f[f["split"] < 1], "A has 0 random splits; add rows for at least two"),
        (
            changed("words", 0),
            "splits.csv, line 6: words is '0', but must be a whole number of at least 1",
        ),
        (changed("words", "x"), "line 6: words is 'x'"),
        (changed("split", -1), "line 6: split is '-1', but must be a whole number of at least 0"),
        (changed("split", 1.5), "line 6: split is '1.5'"),
        (changed("instance", ""), "line 6: instance is empty; fill it in"),
        (changed("unknown", "maybe"), "line 6: unknown is 'maybe', but must be true or false"),
        (changed("two", "2"), "line 6: two is '2', but must be true or false; correct it"),
        (changed("two", ""), "line 6: two is '', but must be true or false; correct it"),
    ],
)
def test_outcomes_that_break_a_rule(tmp_path, change, message):
    path = saved(tmp_path, change(words_of(1)), "splits.csv")
    with pytest.raises(InputError, match=message):
        splits.read(path)


def test_an_empty_cell_of_a_parquet_table_is_named(tmp_path):
    path = saved(tmp_path, changed("two", None)(words_of(1)))
    with pytest.raises(
        InputError, match=r"splits.parquet, row 5: two is None, but must be true or false"
    ):
        splits.read(path)


def test_sizes_are_checked_against_the_outcomes(tmp_path):
    words = words_of(1)
    outcomes = splits.read(saved(tmp_path, words))
    sizes = sizes_of(words)
    found = splits.read_sizes(saved(tmp_path, sizes, "sizes.csv"), outcomes)
    assert found["tokens"].tolist() == sizes["tokens"].tolist()
    assert splits.ratios(found) == {"A": 1 / 8, "B": 1 / 8}
    sizes.loc[2, "tokens"] += 1
    with pytest.raises(
        InputError, match=r"test set of split 0 of A has .* tokens, but the outcome"
    ):
        splits.read_sizes(saved(tmp_path, sizes, "sizes.csv"), outcomes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f: f.drop(index=3),
            "split 1 of A does not have exactly one row for each of train, dev, test",
        ),
        (
            lambda f: pd.concat([f, f.iloc[:1]]),
            "split 0 of A does not have exactly one row for each of train",
        ),
        (changed("part", "tests"), "part 'tests' is not one of train, dev, test; did you mean"),
        (changed("tokens", "many"), "line 6: tokens is 'many', but must be a whole number"),
    ],
)
def test_sizes_that_break_a_rule(tmp_path, change, message):
    path = saved(tmp_path, change(sizes_of(words_of(1))), "sizes.csv")
    with pytest.raises(InputError, match=message):
        splits.read_sizes(path)


# --- accuracies -----------------------------------------------------------------------------------


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_scores_by_counting_words(seed):
    words = words_of(seed, n_splits=2)
    scored = splits.scores(gathered(words))
    words[splits.ORACLE] = words[NAMES].any(axis=1)
    assert len(scored) == 2 * 3 * 3 * 4
    for row in scored.itertuples():
        own = words[(words["dataset"] == row.dataset) & (words["split"] == row.split)]
        right = own[row.tagger]
        if row.metric == "OOV":
            right = right[own["unknown"]]
        if row.metric == "sentence":
            right = pd.Series(
                [own.loc[i, row.tagger].all() for i in own.groupby("instance").groups.values()]
            )
        assert (row.right, row.n) == (right.sum(), len(right))


def test_scores_stand_in_the_order_of_the_file():
    words = words_of(3, datasets=("Z", "A"))
    scored = splits.scores(words.astype({"dataset": pd.CategoricalDtype(["Z", "A"])}))
    assert scored["dataset"].unique().tolist() == ["Z", "A"]
    assert scored["metric"].unique().tolist() == list(splits.METRICS)
    assert scored["tagger"].unique().tolist() == [*NAMES, splits.ORACLE]


def test_no_accuracy_without_unknown_words():
    words = words_of(3).assign(unknown=False)
    rows = splits.ranges(splits.scores(words)).query("metric == 'OOV'")
    assert rows[["accuracy", "low", "high", "mean"]].isna().all(axis=None)
    assert (rows["splits"] == 0).all()
    assert (
        gorman_tables.standard_split(splits.standard(splits.scores(words)))["OOV"]
        .isin(["0", ""])
        .all()
    )


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, Table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # statsmodels.stats.proportion.proportion_confint(125066, 129654, method="wilson");
        # R: prop.test(125066, 129654, correct = FALSE)$conf.int
        (125066, 129654, 0.963594, 0.965605),
    ],
)
def test_wilson_intervals_of_others(right, n, low, high):
    digits = 6 if n > 1000 else 4
    assert splits.wilson([right], [n]).round(digits).tolist() == [[low, high]]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 500), st.floats(0, 1), st.floats(0.5, 0.999))
def test_wilson_limits_solve_the_score_equation(n, share, level):
    right = round(share * n)
    z = stats.norm.isf((1 - level) / 2)
    for limit in splits.wilson([right], [n], level)[0]:
        assert (right / n - limit) ** 2 == pytest.approx(z**2 * limit * (1 - limit) / n, abs=1e-9)


def test_published_intervals_are_wilson_intervals():
    printed = published.read_published("gorman2019", "table2")
    n = int(published.read_published("gorman2019", "table1").iloc[2]["tokens"].replace(",", ""))
    for accuracy, *limits in zip(
        *(
            printed[f"PTB token {name}"].astype(float)
            for name in ("replicated", "CI low", "CI high")
        ),
        strict=True,
    ):
        possible = np.arange(np.ceil((accuracy - 5e-5) * n), (accuracy + 5e-5) * n, dtype=int)
        found = splits.wilson(possible[[0, -1]], [n, n])
        for ends, limit in zip(found.T, limits, strict=True):
            assert ends[0] - 5e-5 <= limit <= ends[1] + 5e-5


def test_what_wilson_refuses():
    with pytest.raises(InputError, match=r"right\[1\] is 3, but there are only 2 units"):
        splits.wilson([1, 3], [2, 2])
    with pytest.raises(InputError, match="confidence_level is 95, but a level of"):
        splits.wilson([1], [2], confidence_level=95)


def test_ranges_by_hand():
    scored = pd.DataFrame(
        {
            "dataset": "A",
            "split": range(5),
            "metric": "token",
            "tagger": "one",
            "right": [80, 60, 72, 88, 90],
            "n": 100,
            "accuracy": [0.8, 0.6, 0.72, 0.88, 0.9],
        }
    )
    (row,) = splits.ranges(scored).to_dict("records")  # Wilson: (0.7112, 0.8666)
    assert (row["below"], row["within"], row["above"], row["splits"]) == (1, 1, 2, 4)
    assert (row["smallest"], row["largest"]) == (0.6, 0.9)
    assert row["mean"] == pytest.approx(0.775)


def test_how_many_splits_are_expected_within():
    rng = np.random.default_rng(1)
    one, other = rng.binomial(5000, 0.9, (2, 2000))
    low, high = splits.wilson(one, np.full(2000, 5000)).T
    share = np.mean((low <= other / 5000) & (other / 5000 <= high))
    assert share == pytest.approx(splits.expected_within(0.95), abs=0.02)


def test_the_part_of_unknown_words_by_hand():
    rows = [
        ("A", split, metric, "one", right, n, right / n)
        for split, metric, right, n in (
            (0, "token", 86, 100), (0, "OOV", 10, 20),
            (1, "token", 92, 100), (1, "OOV", 5, 10),
            (2, "token", 98, 100), (2, "OOV", 10, 10),
        )
    ]  # fmt: skip
    names = ["dataset", "split", "metric", "tagger", "right", "n", "accuracy"]
    (row,) = splits.unknown_words(pd.DataFrame(rows, columns=names)).to_dict("records")
    # known .95, unknown .5: with 10% of unknown words .95 - .1 * .45 = .905 instead of .86
    expected = {
        "unknown_standard": 0.2, "unknown_mean": 0.1, "unknown_smallest": 0.1,
        "unknown_largest": 0.1, "difference": 0.09, "by_unknown": 0.045,
    }  # fmt: skip
    for name, value in expected.items():
        assert row[name] == pytest.approx(value)


def test_rankings_by_hand():
    accuracy = {0: [0.7, 0.8, 0.9], 1: [0.7, 0.8, 0.9], 2: [0.8, 0.7, 0.9], 3: [0.9, 0.8, 0.7]}
    rows = [
        ("A", split, metric, name, value)
        for split, values in accuracy.items()
        for metric in ("token", "sentence")
        for name, value in zip(NAMES, values if metric == "token" else values[::-1], strict=True)
    ]
    scored = pd.DataFrame(rows, columns=["dataset", "split", "metric", "tagger", "accuracy"])
    token, sentence = splits.rankings(scored).to_dict("records")
    assert token["ranking"] == ("three", "two", "one")
    assert sentence["ranking"] == ("one", "two", "three")
    assert token["as_tokens"] and not sentence["as_tokens"]
    assert (token["same_order"], token["same_best"], token["splits"]) == (1, 2, 3)


def test_reductions_by_hand():
    words = pd.DataFrame(
        {
            "dataset": "A",
            "split": 0,
            "instance": list("abcd"),
            "unknown": False,
            "words": [6, 1, 2, 1],
            "one": [True, False, False, True],
            "two": [True, True, True, False],
            "three": [True, True, False, False],
        }
    )
    (row,) = splits.reductions(splits.scores(words)).to_dict("records")
    assert (row["first"], row["last"], row["best"]) == ("one", "three", "two")
    for name, value in {
        "error_first": 0.3, "error_last": 0.3, "reduction": 0, "oracle": 0, "below_oracle": 0.1
    }.items():  # fmt: skip
        assert row[name] == pytest.approx(value, abs=1e-12)


# --- comparisons ----------------------------------------------------------------------------------


def mid_p(wins, losses):
    """Two-sided mid-p value by summation in whole numbers (Fagerland et al. 2013, Equation 4)."""
    n, few = wins + losses, min(wins, losses)
    if wins == losses:
        return float(1 - Fraction(comb(n, wins), 2 ** (n + 1)))
    tail = sum(comb(n, k) for k in range(few + 1))
    return float(2 * Fraction(tail, 2**n) - Fraction(comb(n, few), 2**n))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_pairs_are_compared_word_by_word(seed):
    words = words_of(seed, n_splits=2)
    compared = splits.compare(gathered(words))
    pairs = list(zip(compared["first"], compared["second"], strict=True))
    assert pairs[:3] == [("one", "two"), ("one", "three"), ("two", "three")]
    assert compared["adjacent"].tolist()[:3] == [True, False, True]
    for row in compared.itertuples():
        own = words[(words["dataset"] == row.dataset) & (words["split"] == row.split)]
        first, second = own[row.first].astype(int), own[row.second].astype(int)
        wins, losses = (second > first).sum(), (second < first).sum()
        assert (row.only_second, row.only_first) == (wins, losses)
        assert row.p_value == pytest.approx(mid_p(wins, losses) if wins + losses else 1)
        one_sided = paired.mcnemar(second, first, variant="mid-p")
        assert row.p_second == pytest.approx(one_sided.pvalue)
        assert row.difference == pytest.approx(one_sided.effect)
        sums = (second - first).groupby(own["instance"]).sum()
        if wins + losses:
            assert row.design_effect == pytest.approx((sums**2).sum() / (wins + losses))
            z = abs(sums.sum()) / np.sqrt((sums**2).sum())
            assert row.p_sentences == pytest.approx(2 * stats.norm.sf(z))


def test_an_example_of_fagerland_lydersen_and_laake():
    # Bentur et al. (2009), 1 against 7; R: 2 * pbinom(1, 8, .5) - dbinom(1, 8, .5) = 0.0390625
    words = words_of(0, n_splits=0, n_sentences=21, datasets=("A",)).groupby("instance").head(1)
    words = words.assign(one=[True] + [False] * 7 + [True] * 13, two=[False] + [True] * 20)
    row = splits.compare(words).iloc[0]
    assert (row["only_first"], row["only_second"]) == (1, 7)
    assert round(row["p_value"], 4) == 0.0391


def test_words_that_err_together_have_a_design_effect():
    words = words_of(0, n_splits=0, n_sentences=30, datasets=("A",))
    same = words.assign(two=words["one"], three=words.groupby("instance")["one"].transform("any"))
    compared = splits.compare(same.assign(one=~same["three"]))
    opposite = compared[(compared["first"] == "one") & (compared["second"] == "three")].iloc[0]
    length = words.groupby("instance").size()
    assert opposite["design_effect"] == pytest.approx((length**2).sum() / length.sum())
    agreeing = splits.compare(same.assign(three=same["one"]))
    assert agreeing["design_effect"].isna().all()
    assert (agreeing["p_sentences"] == 1).all()


def test_the_test_of_sentences_approximates_the_sign_flip_test():
    words = words_of(4, n_splits=0, n_sentences=150, datasets=("A",))
    row = splits.compare(words).iloc[0]
    sums = words.groupby("instance")[["one", "two"]].sum().to_numpy(float)
    exact = paired.sign_flip(sums[:, 1], sums[:, 0], alternative="two-sided").pvalue
    assert row["p_sentences"] == pytest.approx(exact, rel=0.3)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.05, 0.2, 0.5]))
def test_the_count_never_exceeds_k_hat(seed, alpha):
    compared = splits.compare(words_of(seed, n_splits=5, n_sentences=25))
    counted = splits.count(compared, alpha)
    assert (counted["ahead_bonferroni"] <= counted["ahead"]).all()
    assert (counted["ahead_bonferroni"] <= counted["k_ahead"]).all()
    assert (counted["behind_bonferroni"] <= counted["k_behind"]).all()
    assert (counted["ahead"] + counted["behind"] <= counted["splits"]).all()
    assert (counted["splits"] == 5).all()


def test_counts_by_hand():
    p = np.array([1e-4, 0.012, 0.02, 0.04, 0.9])
    ahead = np.array([1, 1, 1, -1, 1])
    one_sided = np.where(ahead > 0, p / 2, 1 - p / 2)
    compared = pd.DataFrame(
        {
            "dataset": "A", "split": range(6), "first": "one", "second": "two", "adjacent": True,
            "difference": [0.3, *(0.1 * ahead)], "p_value": [0.5, *p],
            "p_second": [0.25, *one_sided], "p_first": [0.75, *(1 - one_sided)],
            "p_sentences": [0.5, *(2 * p).clip(max=1)], "design_effect": 1.0,
        }
    )  # fmt: skip
    (row,) = splits.count(compared, 0.05).to_dict("records")
    assert (row["ahead"], row["ahead_bonferroni"], row["behind"]) == (4, 1, 1)
    # Holm at .025: 5e-5 <= .025/5 and .006 <= .025/4, but .01 > .025/3
    assert (row["k_ahead"], row["k_behind"]) == (2, 0)
    assert row["k_ahead"] == partial_conjunction.k_hat(one_sided, 0.025)
    assert (row["ahead_sentences"], row["behind_sentences"]) == (1, 0)
    (row,) = splits.count(compared, 0.5).to_dict("records")
    assert (row["ahead_bonferroni"], row["ahead_sentences"], row["behind_sentences"]) == (3, 3, 1)
    assert (row["behind_bonferroni"], row["k_behind"]) == (1, 1)
    (row,) = splits.separated(compared, [0.05]).to_dict("records")
    assert (row["pairs"], row["significant"], row["identified"]) == (1, 0, 0)
    assert row["not_significant"] == [("one", "two", 0.5)]


def test_a_dataset_without_sizes_is_named():
    compared = splits.compare(words_of(1))
    with pytest.raises(InputError, match="sizes: dataset 'B' is not one of A"):
        splits.summarise(compared, 0.05, {"A": 0.1})


def test_the_summary_has_both_kinds_of_splits():
    compared = splits.compare(words_of(1))
    summary = splits.summarise(compared, 0.05, {"A": 0.125, "B": 0.125})
    assert len(summary) == 6
    row = summary.iloc[0]
    once = compared.iloc[0]
    assert (row["standard"], row["p_standard"]) == (once["difference"], once["p_value"])
    own = compared[(compared["dataset"] == "A") & (compared["split"] > 0)]
    own = own[(own["first"] == "one") & (own["second"] == "two")]
    assert row["mean"] == pytest.approx(own["difference"].mean())
    d = own["difference"]
    t = d.mean() / np.sqrt((1 / len(d) + 0.125) * d.var())
    assert row["p_mean"] == pytest.approx(2 * stats.t.sf(abs(t), len(d) - 1), rel=1e-9)


def test_the_published_comparison_that_was_not_significant():
    """LAPOS and Stanford on OntoNotes, p = .1366: some discordant counts give that p-value."""
    printed = published.read_published("gorman2019", "text").set_index("quantity")["printed"]
    wanted = float(printed["OntoNotes: LAPOS against Stanford"])
    gap = round((0.9714 - 0.9709) * 98_277)
    discordant = optimize.brentq(lambda n: 2 * stats.norm.sf(gap / np.sqrt(n)) - wanted, gap, 10**5)
    wins = round((discordant + gap) / 2)
    found = paired.mcnemar_pvalues(wins, wins - gap, variant="mid-p", alternative="two-sided")
    assert found == pytest.approx(wanted, abs=2e-3)


# --- tables and figures ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    words = words_of(5, n_splits=4, n_sentences=40)
    scored, compared = splits.scores(words), splits.compare(words)
    return words, scored, compared


def test_the_tables_show_what_was_found(found):
    words, scored, compared = found
    sizes = gorman_tables.split_sizes(
        sizes_of(words), published.read_published("gorman2019", "table1")
    )
    assert sizes["from"].tolist() == ["paper"] * 6 + ["here"] * 6
    assert sizes["part"].tolist() == ["train", "dev", "test"] * 4
    table = gorman_tables.standard_split(splits.standard(scored))
    assert table["tagger"].tolist() == ["number", *NAMES, splits.ORACLE] * 2
    own = words[(words["dataset"] == "A") & (words["split"] == 0)]
    assert table.loc[0, ["token", "OOV", "sentence"]].tolist() == [
        str(len(own)), str(own["unknown"].sum()), "40"
    ]  # fmt: skip
    assert table.loc[1, "token"] == f"{own['one'].mean():.4f}"
    pairs = gorman_tables.split_pairs(splits.summarise(compared, 0.05, {"A": 0.125, "B": 0.125}))
    assert pairs["comparison"].tolist()[:2] == ["one vs. two", "one vs. three"]
    assert pairs["splits"].unique().tolist() == ["4"]
    effects = gorman_tables.design_effects(splits.count(compared, 0.05))
    assert effects["comparison"].tolist() == pairs["comparison"].tolist()
    progress = gorman_tables.reductions(splits.reductions(scored), ("1.28e-2", "1.16e-2"))
    assert progress.loc[0, ["reduction", "best below oracle"]].tolist() == ["1.28", "1.16"]
    ranges = gorman_tables.split_ranges(splits.ranges(scored))
    assert len(ranges) == 2 * 3 * 4
    unknown = gorman_tables.unknown_words(splits.unknown_words(scored))
    assert unknown["tagger"].tolist() == NAMES * 2
    orders = gorman_tables.rankings(splits.rankings(scored))
    assert orders.loc[0, "as by tokens"] == "yes"
    differ = gorman_tables.separated(splits.separated(compared, [0.05, 0.01]))
    assert differ["α"].tolist() == ["0.05", "0.01"] * 2


def test_the_figures_show_every_tagger_split_and_pair(found):
    _, scored, compared = found
    token = scored[scored["metric"] == "token"]
    figure = gorman_figures.split_accuracies(splits.ranges(token), token, 0.95)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        *NAMES,
        splits.ORACLE,
    ]
    points = [line for line in figure.axes[0].lines if line.get_marker() == "|"]
    assert max(len(line.get_xdata()) for line in points) == 4 * 4
    figure = gorman_figures.split_differences(compared, 0.05)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "one vs. two", "two vs. three"
    ]  # fmt: skip
    assert len(figure.axes) == 2


def test_the_figure_of_accuracies_says_where_the_standard_split_is_harder():
    part = pd.DataFrame(
        {"accuracy": [0.90, 0.91, 0.93], "smallest": [0.91, 0.91, 0.92], "splits": 20, "n": 9_091}
    )
    assert gorman_figures.harder_than_random("A", part) == (
        "A: on the standard test set (n = 9,091),\n"
        "1 of 3 systems score lower\n"
        "than on all 20 random splits"
    )


def test_the_figure_of_differences_says_where_the_split_decides():
    p_values = {"all": [0.01, 0.025], "some": [0.025, 0.0251], "none": [0.03, 0.04]}
    rows = [
        {"first": "a", "second": pair, "split": split, "p_value": p}
        for pair, of_pair in p_values.items()
        for split, p in enumerate([0.9, *of_pair])
    ]
    assert gorman_figures.decided_by_split("A", pd.DataFrame(rows), 0.05) == (
        "A: 1 of 3 pairs significant\non only some of k = 2 random splits"
    )


def test_the_committed_outcomes_and_sizes_are_of_one_run():
    outcomes = splits.read("data/outcomes/splits.parquet")
    sizes = splits.read_sizes("data/outcomes/splits_sizes.csv", outcomes)
    whole = sizes.groupby(["dataset", "split"], observed=True)[["sentences", "tokens"]].sum()
    for _, part in whole.groupby(level="dataset", observed=True):
        assert (part == part.iloc[0]).all(axis=None)
