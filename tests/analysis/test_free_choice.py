"""Choices of metric, sample and length on outputs of real systems."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import published
from analysis.sogaard2014 import figures as sogaard_figures
from analysis.sogaard2014 import free_choice
from analysis.sogaard2014 import tables as sogaard_tables
from replicability.checks import InputError
from replicability.io.text import existing
from replicability.stats import paired, partial_conjunction

WORDS = "data/outcomes/parsing.parquet"
SYSTEMS = ["TurkuNLP", "UDPipe-Future"]


@pytest.fixture(scope="module")
def taggers():
    return free_choice.read(WORDS, SYSTEMS, "POS")


@pytest.fixture(scope="module")
def entities():
    return free_choice.read("data/outcomes/ner.parquet", ["florian", "chieu"], "NER")


@pytest.fixture(scope="module")
def three(taggers):
    """Three domains, with all results of one task."""
    pairs = [taggers[i] for i in (4, 10, 11)]
    full = free_choice.scores(pairs)
    sizes = free_choice.by_size(pairs, 500, 2, 30, 1)
    lengths = free_choice.by_length(pairs, [10, 20, 30], 30)
    return pairs, full, sizes, lengths


# --- reading


def test_metrics_are_those_of_the_counts(taggers):
    table = pd.read_parquet(existing(WORDS))
    rows = table[(table["dataset"] == "EWT email") & (table["system"] == "TurkuNLP")]
    found = free_choice.scores([taggers[1]]).set_index("metric")["a"]
    assert found["TA"] == pytest.approx(rows["upos"].sum() / rows["words"].sum())
    assert found["UA"] == pytest.approx(rows["unknown_upos"].sum() / rows["unknown"].sum())
    assert found["SA"] == pytest.approx((rows["upos"] / rows["words"]).mean())


def test_the_two_systems_have_their_published_f1(entities):
    found = free_choice.scores(entities).set_index(["dataset", "metric"])
    test = found.loc["eng.testb"]
    assert f"{100 * test.loc['F1', 'a']:.2f}" == "88.76"  # Tjong Kim Sang and De Meulder 2003
    assert f"{100 * test.loc['F1', 'b']:.2f}" == "88.31"
    assert test.loc["macro-F1", "a"] == pytest.approx(test.loc[list(free_choice.TYPES), "a"].mean())
    assert test.loc["untyped F1", "a"] > test.loc["F1", "a"]
    assert f"{test.loc['F1', 'p_value']:.2f}" == "0.15"  # Søgaard et al. 2014, Section 3.2


def test_resampling_agrees(entities):
    pair = entities[1].only("F1", "MISC")
    for found, p in zip(
        free_choice.resampled(pair, 2000, 1), free_choice.scores([pair])["p_value"], strict=True
    ):
        assert found.pvalue == pytest.approx(p, abs=4 * found.standard_error)


@pytest.mark.parametrize(
    ("systems", "task", "message"),
    [
        (["TurkuNLP", "UDPipe"], "POS", "system 'UDPipe'.*did you mean 'UDPipe-Future'"),
        (["TurkuNLP"], "POS", "name two different systems"),
        (["TurkuNLP", "TurkuNLP"], "POS", "name two different systems"),
        (["ArmParser", "TurkuNLP"], "POS", "are scored on different sentences of"),
        (SYSTEMS, "Tagging", "task 'Tagging'"),
        (SYSTEMS, "NER", "column 'loc_correct'"),
    ],
)
def test_what_cannot_be_compared_is_refused(systems, task, message):
    with pytest.raises(InputError, match=message):
        free_choice.read(WORDS, systems, task)


def test_another_table_is_refused():
    with pytest.raises(InputError, match="column 'system'"):
        free_choice.read("data/outcomes/word_similarity.parquet", SYSTEMS, "POS")


# --- samples


def test_growing_samples_are_nested_and_hold_so_many_words(taggers):
    samples, sizes = free_choice.growing(taggers[0], 1000, np.random.default_rng(0))
    assert sizes.tolist() == [1000, 2000, 3000, 4000, 5000, 5333]
    words = samples @ taggers[0].words
    assert (words <= sizes).all()
    assert (words > sizes - taggers[0].words.max()).all()
    assert (samples[:-1] <= samples[1:]).all()
    assert samples[-1].all()


def test_subsamples_are_drawn_without_replacement(taggers):
    samples = free_choice.subsamples(taggers[0], 0.25, 50, np.random.default_rng(0))
    assert (samples.sum(axis=1) == round(len(taggers[0]) / 4)).all()
    assert samples.mean(axis=0).std() < 0.1
    assert len(np.unique(samples, axis=0)) == 50


def test_small_samples_are_left_out(taggers):
    bio = taggers[6]
    found = free_choice.by_length([bio], [5, 10, 40], 30)
    assert found["sentences"].min() >= 30
    assert found["length"].max() == bio.words.max()
    everything = found[found["length"] == bio.words.max()]
    expected = free_choice.scores([bio])["p_value"]
    assert everything["p_value"].tolist() == pytest.approx(expected.tolist(), rel=1e-6)


def test_the_same_seed_gives_the_same_results(taggers):
    pairs = [taggers[6].only("TA"), taggers[5].only("TA")]
    one, two = (free_choice.by_size(pairs, 200, 2, 5, 3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    shares = [free_choice.positive_shares(pairs, [0.5, 1.0], 20, 0.05, 5, s) for s in (1, 1, 2)]
    pd.testing.assert_frame_equal(shares[0], shares[1])
    assert not shares[0].equals(shares[2])


def test_shares_of_all_sentences_are_the_results_themselves(taggers):
    found = free_choice.positive_shares(taggers[:3], [1.0], 100, 0.05, 2, 1)
    p = free_choice.scores(taggers[:3])["p_value"]
    assert found["positive"].tolist() == (p <= 0.05).astype(float).tolist()
    with pytest.raises(InputError, match=r"share is 1\.5"):
        free_choice.positive_shares(taggers[:1], [1.5], 10, 0.05, 2, 1)


def test_exchanged_outputs_are_calibrated_and_a_choice_is_not(taggers):
    null = free_choice.swapped(taggers[0], [0.5, 1.0], 300, 5)
    assert null.shape == (300, 3, 2)
    alone = (null[:, 0, -1] <= 0.05).mean()
    assert stats.binomtest(round(300 * alone), 300, 0.05).pvalue > 0.001
    assert (null.reshape(300, -1).min(axis=1) <= 0.05).mean() > 0.1


def test_wilcoxon_over_sentences_is_scipy(taggers):
    a, b = (side["SA"][:, 0, 0] for side in (taggers[4].a, taggers[4].b))
    differ = np.abs(a - b) > 1e-12
    expected = stats.wilcoxon(a[differ], b[differ], method="asymptotic", correction=False).pvalue
    assert free_choice.sentence_wilcoxon(taggers[4]) == pytest.approx(expected, abs=0.01)


# --- counting


def path(*pvalues):
    sizes = np.arange(1, len(pvalues) + 1) * 500
    return pd.DataFrame({"dataset": "d", "metric": "m", "size": sizes, "p_value": pvalues})


@pytest.mark.parametrize(
    ("pvalues", "above", "expected"),
    [
        ((0.2, 0.04, 0.06), 0, (True, False, True, False)),
        ((0.2, 0.06, 0.01), 0, (True, True, False, True)),
        ((0.01, 0.2, 0.3), 500, (False, False, False, False)),
        ((0.01, 0.02, 0.03), 0, (True, True, False, False)),
    ],
)
def test_where_significance_comes_and_goes(pvalues, above, expected):
    (row,) = free_choice.turns(path(*pvalues), "size", 0.05, above).to_dict("records")
    assert (row["ever"], row["finally"], row["lost"], row["gained"]) == expected


def test_runs_are_averaged_and_what_is_not_defined_is_left_out():
    two = pd.concat([path(0.1, 0.2), path(0.3, np.nan)]).assign(run=0)
    found = free_choice.averaged(two, "size")
    assert found["p_value"].tolist() == pytest.approx([0.2, 0.2])
    assert free_choice.averaged(path(np.nan), "size").empty


def test_a_family_counts_with_two_sided_pvalues():
    found = free_choice.family(path(0.004, 0.02, 0.03, 0.4, np.nan), 0.05)
    assert found == {"tests": 4, "small": 3, "smallest": 0.004, "k_hat": 1}
    assert partial_conjunction.k_hat([0.008, 0.04, 0.06, 0.8], 0.05) == 1
    assert free_choice.family(path(0.04), 0.05)["k_hat"] == 0  # 0.08 two-sided
    with pytest.raises(InputError, match="no test with a p-value"):
        free_choice.family(path(np.nan), 0.05)


def test_families_are_made_of_the_right_tests(three):
    _, full, sizes, lengths = three
    found = free_choice.families(full, sizes, lengths, 0.05).set_index(["dataset", "choice"])
    assert found.index.unique("choice").tolist() == ["metric", "size", "length", "any"]
    for dataset in full["dataset"].unique():
        first = sizes[(sizes["dataset"] == dataset) & (sizes["run"] == 0)]
        short = lengths[lengths["dataset"] == dataset]
        assert found.loc[(dataset, "metric"), "tests"] == 3
        assert found.loc[(dataset, "size"), "tests"] == (first["metric"] == "TA").sum()
        assert found.loc[(dataset, "any"), "tests"] == len(first) + len(short) - 3
        assert (found.loc[dataset, "k_hat"] <= found.loc[dataset, "small"]).all()


def test_counts_of_the_text(three):
    _, full, sizes, lengths = three
    summary = free_choice.summary(full, sizes, lengths, 0.05, 500)
    ours = summary.set_index("quantity")["ours"]
    wide = full.assign(small=full["p_value"] <= 0.05).groupby("dataset")["small"]
    assert ours["significant by any metric"] == f"{wide.any().sum()}/3"
    assert ours["significant by every metric"] == f"{wide.all().sum()}/3"
    text = published.read_published("sogaard2014", "text")
    beside = free_choice.beside_published({"POS": summary}, text)
    printed = beside.set_index("quantity")["published"]
    assert printed["significant by TA"] == "3/10"
    assert printed["significant at some length by TA"] == "8/10"
    assert printed["significant by UA"] == ""


def test_every_printed_count_is_in_the_text():
    text = published.read_published("sogaard2014", "text").set_index(["section", "quantity"])
    assert all(key in text.index for key in free_choice.PRINTED.values())


def test_both_directions_are_counted(taggers):
    full = free_choice.scores([pair.only("TA") for pair in taggers])
    (row,) = free_choice.across(full, 0.05).to_dict("records")
    ahead = full["difference"] > 0
    one_sided = np.where(ahead, full["p_value"], 1 - full["p_value"])
    assert row["a_small"] == (one_sided <= 0.05).sum()
    assert row["a_bonferroni"] == partial_conjunction.k_hat(one_sided, 0.05)
    assert row["b_fisher"] == partial_conjunction.k_hat(1 - one_sided, 0.05, "fisher")
    assert len(row["b_named"]) == row["b_bonferroni"]
    expected = paired.wilcoxon(full["a"], full["b"], alternative="two-sided").pvalue
    assert row["wilcoxon"] == expected


# --- tables and figures


def test_tables_are_text(three, entities):
    pairs, full, sizes, lengths = three
    made = [
        sogaard_tables.directed(full),
        sogaard_tables.positive_shares(
            free_choice.positive_shares(pairs, [0.2, 1.0], 5, 0.05, 30, 1)
        ),
        sogaard_tables.evaluation_data(free_choice.evaluation_data([*pairs, entities[0]], ["POS"])),
        sogaard_tables.choice_families({"POS": free_choice.families(full, sizes, lengths, 0.05)}),
        sogaard_tables.domain_counts(free_choice.across(full, 0.05), SYSTEMS),
        sogaard_tables.ner_metrics(free_choice.scores(entities[:1]), {}),
    ]
    for table in made:
        assert all(isinstance(cell, str) for cell in table.to_numpy().ravel())
    assert made[0].loc[1, "TA"].endswith(" −")
    voyage = made[1].set_index(["dataset", "metric"]).loc[("GUM voyage", "TA")]
    assert voyage.tolist() == ["116", "", "100%"]  # 23 sentences are too few
    assert made[2].iloc[-1].tolist() == ["eng.testa", "POS", "3,250", "51,362", "", "216"]


def test_figures_have_a_panel_for_each_dataset_or_metric(three):
    full = three[1]
    assert len(sogaard_figures.accuracies(full, SYSTEMS).axes) == 3
    null = np.random.default_rng(0).random((50, 3))
    families = {"one": null[:, :1], "three": null}
    assert len(sogaard_figures.smallest_pvalues(families, 0.05).axes) == 2


def test_a_path_has_a_mark_for_each_sample():
    rows = [
        ("x", "TA", 0, 10, 0.01, 1), ("x", "TA", 1, 10, 0.01, -1), ("x", "TA", 0, 20, 0.2, 1),
        ("x", "TA", 1, 20, 0.05, 1), ("x", "UA", 0, 20, 0.01, 1), ("y", "TA", 0, 10, 0.01, 1),
    ]  # fmt: skip
    found = pd.DataFrame(
        rows, columns=["dataset", "metric", "run", "size", "p_value", "difference"]
    )
    (axis,) = sogaard_figures.pvalue_paths(found, "size", 0.05, "t", SYSTEMS).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["x"]  # y does not grow
    marks = [(line.get_marker(), line.get_xdata()[0]) for line in axis.lines[1:]]
    assert marks == [("^", 10), ("v", 10), ("^", 20)]
    assert "small datasets left out: 1" in axis.get_xlabel()


def test_who_is_ahead_on_all_sentences_and_in_smaller_samples_alone():
    rows = [
        ("x", "TA", 1, 0.01, 1), ("x", "TA", 2, 0.01, -1), ("y", "TA", 1, 0.04, 1),
        ("y", "TA", 2, 0.2, 1), ("z", "TA", 1, np.nan, 1), ("z", "TA", 2, 0.05, 1),
        ("y", "UA", 2, 0.001, -1),
    ]  # fmt: skip
    found = pd.DataFrame(rows, columns=["dataset", "metric", "size", "p_value", "difference"])
    assert sogaard_figures.turned(found, "size", 0.05, ("A", "B")) == (
        "By TA, A is significantly ahead on 1 of 3 datasets, B on 1; in smaller samples alone, A "
        "on 2, B on none"
    )


def test_smallest_pvalues_without_a_difference_are_those_of_the_exchanged_outputs(taggers):
    pairs, sizes = taggers[:2], [0.5, 1.0]
    choices = free_choice.null_choices(pairs, sizes, 20, 5)
    assert list(choices) == [
        "no choice: TA, all sentences",
        "choice of metric: TA, UA or SA",
        "choice of sample: 2 sizes",
        "choice of both",
    ]
    assert [found.shape for found in choices.values()] == [(40, 1), (40, 3), (40, 2), (40, 6)]
    first, second = np.random.SeedSequence(5).spawn(2)
    drawn = [
        free_choice.swapped(p, sizes, 20, s) for p, s in zip(pairs, (first, second), strict=True)
    ]
    together = np.concatenate(drawn)
    np.testing.assert_array_equal(choices["choice of sample: 2 sizes"], together[:, 0])
    defined = ~np.isnan(together[:, :, -1])
    metrics = choices["choice of metric: TA, UA or SA"]
    np.testing.assert_array_equal(metrics[defined], together[:, :, -1][defined])
    assert (metrics[~defined] == 1).all()


def test_tagging_has_wilcoxon_beside_the_bootstrap(taggers):
    full = free_choice.scores(taggers[:2])
    table = sogaard_tables.tagging(full, [0.25, 1e-5])
    assert list(table) == ["dataset", "TA (b)", "UA (b)", "SA (b)", "SA (w)"]
    assert table["SA (w)"].tolist() == ["0.2500", "1.0e-05"]
    assert table["TA (b)"].tolist() == sogaard_tables.directed(full)["TA"].tolist()


def test_any_choice_counts_the_datasets_on_which_something_is_found():
    one = pd.DataFrame(
        {"choice": ["size", "any", "size", "any"], "small": [0, 2, 1, 3], "k_hat": [0, 0, 0, 2]}
    )
    two = one.assign(small=0, k_hat=0)
    table = sogaard_tables.any_choice({"T": one, "P": two})
    assert table.to_numpy().tolist() == [
        ["T", "size", 1, 0], ["T", "any", 2, 1], ["P", "size", 0, 0], ["P", "any", 0, 0]
    ]  # fmt: skip
    assert list(table)[2:] == ["datasets with some p ≤ α", "datasets with k̂ > 0"]
