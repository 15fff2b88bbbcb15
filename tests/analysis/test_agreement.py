from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import published
from analysis.gorman2019 import agreement, splits
from analysis.gorman2019 import figures as gorman_figures
from analysis.gorman2019 import tables as gorman_tables
from replicability.checks import InputError
from replicability.show import tables

TAGS = pd.DataFrame(
    {
        "dataset": ["A"] * 6 + ["B"] * 2,
        "instance": ["d/1"] * 2 + ["d/2"] + ["e/1"] * 3 + ["x"] * 2,
        "position": [0, 2, 1, 0, 0, 2, 1, 2],
        "words": [2, 1, 1, 1, 1, 1, 1, 1],
        "word": np.array([None] * 6 + ["Silver", "lining"], dtype=object),
        "gold": np.array([None, "VBZ", "NN", None, None, "NN", "JJ", "NN"], dtype=object),
        "finite": [False, True, False, False, False, False, False, False],
        "one": ["NN", "VBZ", "NN", "DT", "NN", "NN", "NNP", "VBG"],
        "two": ["NN", "NNS", "NNP", "DT", "NN", "JJ", "NNP", "NN"],
        "three": ["NN", "VBZ", "NN", "DT", "NN", "VB", "JJ", "VBG"],
    }
)
OUTCOMES = pd.DataFrame(
    {
        "dataset": ["A"] * 7 + ["B"] * 2,
        "split": [0] * 6 + [1] + [0] * 2,
        "instance": ["d/1", "d/1", "d/2", "e/1", "e/2", "f/1", "f/1", "x", "y"],
        "unknown": False,
        "words": [1, 2, 1, 3, 1, 6, 6, 2, 9],
    }
)

matrices = st.integers(2, 5).flatmap(
    lambda coders: st.lists(
        st.lists(st.integers(0, 3), min_size=coders, max_size=coders), min_size=1, max_size=8
    ).map(lambda rows: np.array(rows).T)
)


def by_counting(codes):
    """Alpha from pairs of values counted in whole numbers (Krippendorff 2011, Section C)."""
    coders, words = codes.shape
    counts = Counter(codes.ravel().tolist())
    n = coders * words
    alike = sum(v * (v - 1) for v in counts.values())
    if len(counts) == 1:
        return None
    within = sum(v * (v - 1) for word in codes.T for v in Counter(word.tolist()).values())
    observed = 1 - Fraction(within, words * coders * (coders - 1))
    return 1 - observed / (1 - Fraction(alike, n * (n - 1)))


@settings(max_examples=80, deadline=None)
@given(matrices)
def test_alpha_by_counting_pairs(codes):
    expected = by_counting(codes)
    found = agreement.alpha(codes)
    assert np.isnan(found) if expected is None else found == pytest.approx(float(expected))


@settings(max_examples=40, deadline=None)
@given(matrices, st.integers(0, 2**32))
def test_neither_the_order_of_coders_and_words_nor_the_names_of_tags_matter(codes, seed):
    rng = np.random.default_rng(seed)
    shuffled = codes[rng.permutation(len(codes))][:, rng.permutation(codes.shape[1])]
    renamed = np.array(["nan", "NN", "?", "VB"])[shuffled]
    assert agreement.alpha(renamed) == pytest.approx(agreement.alpha(codes), nan_ok=True)


def test_alpha_of_the_published_example():
    # R, with m the 6 x 7 matrix of tags:
    # w <- apply(m, 2, function(x) sum(choose(table(x), 2)))
    # 1 - (1 - sum(w) / (7 * choose(6, 2))) / (1 - sum(choose(table(m), 2)) / choose(42, 2))
    printed = published.read_published("gorman2019", "table4").set_index("row")
    text = published.read_published("gorman2019", "text").set_index("quantity")["printed"]
    coders = printed.drop(index="Gold")
    assert coders.shape == (6, 7)
    found = agreement.alpha(coders)
    assert found == pytest.approx(0.52135177, abs=1e-8)
    assert round(found, 3) == float(text["Krippendorff's alpha"])
    assert found == pytest.approx(float(by_counting(coders.to_numpy())))
    assert round(agreement.alpha(printed), 3) == 0.519


def test_alpha_of_krippendorffs_example_of_nominal_data():
    ben, gerry = "aabbdcccedda", "babbbcccedd" + "d"  # Krippendorff (2011), Section B: .692
    assert round(agreement.alpha([list(ben), list(gerry)]), 3) == 0.692


def test_alpha_at_its_limits():
    assert agreement.alpha([["NN", "VB"], ["NN", "VB"]]) == 1
    assert agreement.alpha([["NN"], ["VB"], ["NN"]]) == 0
    assert agreement.alpha([["NN", "VB"], ["VB", "NN"]]) < 0
    assert np.isnan(agreement.alpha([["NN", "NN"], ["NN", "NN"]]))


@pytest.mark.parametrize("codes", [["NN", "VB"], [["NN", "VB"]], [[], []]])
def test_alpha_needs_coders_and_words(codes):
    with pytest.raises(InputError, match="pass one row for each of two or more coders"):
        agreement.alpha(codes)


@pytest.mark.parametrize("name", ["tags.parquet", "tags.csv"])
def test_tags_are_read_in_the_order_of_the_words(tmp_path, name):
    path = tmp_path / name
    mixed = TAGS.iloc[[1, 0, 2, 3, 5, 4, 7, 6]]
    mixed.to_parquet(path, index=False) if path.suffix == ".parquet" else mixed.to_csv(
        path, index=False
    )
    found = agreement.read(path)
    assert agreement.coders(found) == ["one", "two", "three"]
    assert found.fillna("").to_numpy().tolist() == TAGS.fillna("").to_numpy().tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="gold"), "column 'gold' is not one of dataset, instance"),
        (lambda f: f.drop(columns=["two", "three"]), "has 1 column"),
        (lambda f: f.assign(two=""), "tags.csv, line 2: two is empty; fill it in"),
        (lambda f: f.assign(position=-1), "line 2: position is '-1', but must be a whole number"),
        (
            lambda f: f.assign(words=0),
            "line 2: words is '0', but must be a whole number of at least 1",
        ),
        (lambda f: f.assign(finite="so"), "line 2: finite is 'so'"),
        (
            lambda f: f.assign(position=0),
            "d/1 of A has words at position 0 on which taggers differ",
        ),
        (lambda f: f.assign(gold=""), "d/1 of A has no gold tag at position 2; fill it in"),
        (lambda f: f.assign(words=2), "d/1 of A does not have exactly one word at position 2 of 4"),
        (
            lambda f: f.drop(index=6),
            "x of B does not have exactly one word at position 2 of 1; number its words",
        ),
        (
            lambda f: pd.concat([f, f.iloc[[2]]]),
            "d/2 of A does not have exactly one word at position 1 of 2",
        ),
    ],
)
def test_tags_that_break_a_rule(tmp_path, change, message):
    path = tmp_path / "tags.csv"
    change(TAGS).to_csv(path, index=False)
    with pytest.raises(InputError, match=message):
        agreement.read(path)


def test_sentences_by_hand():
    found = agreement.sentences(TAGS)
    assert found["instance"].tolist() == ["d/1", "d/2", "e/1", "x"]
    assert found["words"].tolist() == [3, 1, 3, 2]
    assert found["disagreed"].tolist() == [1, 1, 1, 2]
    assert found["verbless"].tolist() == [False, True, True, True]
    for row, (_, part) in zip(
        found.itertuples(), TAGS.groupby(["dataset", "instance"]), strict=True
    ):
        codes = part[["one", "two", "three"]].to_numpy().repeat(part["words"], axis=0).T
        assert row.alpha == pytest.approx(float(by_counting(codes)))


def test_sentences_left_out_are_unanimous():
    first, second = agreement.coverage(agreement.sentences(TAGS), OUTCOMES).to_dict("records")
    assert first == {
        "dataset": "A", "sentences": 5, "unanimous": 2, "single": 1, "disagreement": 3,
        "words": 7, "disagreed": 3, "all_words": 14,
    }  # fmt: skip
    assert (second["sentences"], second["unanimous"], second["single"]) == (2, 1, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f[f["instance"] != "x"], "x of B has 2 tagged words, but is not there in"),
        (
            lambda f: f.assign(words=2),
            "d/1 of A has 3 tagged words, but has 4 words in the test",
        ),
    ],
)
def test_tags_and_outcomes_belong_together(change, message):
    with pytest.raises(InputError, match=message):
        agreement.coverage(agreement.sentences(TAGS), change(OUTCOMES))


def test_kinds_by_hand():
    agreed = agreement.sentences(TAGS)
    found = agreement.kinds(agreed, TAGS, [0.3], ["NNP"])
    assert found["sentences"].sum() == 4
    row = found[(found["dataset"] == "A") & np.isinf(found["above"])].iloc[0]
    assert (row["to"], row["sentences"], row["proper"]) == (0.3, 1, 1)  # d/2, NN or NNP
    row = found[(found["dataset"] == "A") & np.isinf(found["to"])].iloc[0]
    assert (row["words"], row["verbless"], row["proper"]) == (3, 0.5, 0)
    assert found.query("dataset == 'B'")["proper"].tolist() == [0.5]


def test_the_lowest_are_chosen_by_length_too():
    agreed = agreement.sentences(TAGS)
    assert agreement.lowest(agreed, 1)["instance"].tolist() == ["d/2", "x"]
    assert agreement.lowest(agreed, 1, least=3)["instance"].tolist() == ["e/1"]
    assert agreement.lowest(agreed, 9, most=2)["instance"].tolist() == ["d/2", "x"]
    with pytest.raises(InputError, match="n is 0; pass a whole number of at least 1"):
        agreement.lowest(agreed, 0)


def test_confusions_by_hand():
    found = agreement.confusions(TAGS)
    rows = {(r.dataset, r.one, r.other): r for r in found.itertuples()}
    assert set(rows) == {
        ("A", "NNS", "VBZ"), ("A", "NN", "NNP"), ("A", "JJ", "NN"), ("A", "NN", "VB"),
        ("A", "JJ", "VB"), ("B", "JJ", "NNP"), ("B", "NN", "VBG"),
    }  # fmt: skip
    assert all(row.words == 1 for row in rows.values())
    assert rows["A", "NNS", "VBZ"].share == pytest.approx(1 / 3)
    assert (rows["A", "NNS", "VBZ"].is_one, rows["A", "NNS", "VBZ"].is_other) == (0, 1)
    assert (rows["A", "JJ", "VB"].is_one, rows["A", "JJ", "VB"].is_other) == (0, 0)


def test_documents_by_hand():
    found = agreement.documents(agreement.sentences(TAGS), OUTCOMES)
    assert found.to_dict("list") == {
        "dataset": ["A"] * 3 + ["B"],
        "document": ["d", "e", "f", ""],
        "sentences": [2, 2, 1, 2],
        "words": [4, 4, 6, 11],
        "share": [0.5, 0.25, 0, 2 / 11],
    }


def test_the_table_has_the_form_of_table_4():
    chosen = agreement.lowest(agreement.sentences(TAGS), 1, least=2)
    table = gorman_tables.tagged(TAGS, chosen)
    assert list(table) == ["dataset", "sentence", "α", "coder", "1", "2", "3"]
    assert table["coder"].tolist() == [
        "Gold", "one", "two", "three", "words", "Gold", "one", "two", "three"
    ]  # fmt: skip
    assert table.loc[4, ["dataset", "sentence", "1", "2", "3"]].tolist() == [
        "B", "x", "Silver", "lining", ""
    ]  # fmt: skip
    shown = gorman_tables.tagged(TAGS, agreement.sentences(TAGS).head(1))
    assert shown[["1", "2", "3"]].to_numpy().tolist() == [["·", tag, "·"] for tag in (
        "VBZ", "VBZ", "NNS", "VBZ"
    )]  # fmt: skip
    listed = gorman_tables.lowest_sentences(TAGS, chosen)
    assert listed["words"].tolist() == ["", "Silver lining"]
    assert listed.loc[1, ["sentence", "Gold", "one"]].tolist() == ["x", "JJ NN", "NNP VBG"]


def test_a_tag_with_a_bar_stays_in_its_cell(tmp_path):
    shown = tables.save(pd.DataFrame({"tags": ["VBG|NN"]}), tmp_path, "t", "Caption.")
    assert r"| VBG\|NN |" in (tmp_path / "tables" / "t.md").read_text(encoding="utf-8")
    assert shown.loc[0, "tags"] == "VBG|NN"


def test_tables_and_figure_of_the_agreement():
    agreed = agreement.sentences(TAGS)
    table = gorman_tables.disagreement(agreement.coverage(agreed, OUTCOMES))
    assert table["with disagreement"].tolist() == ["3 (60.0%)", "1 (50.0%)"]
    kinds = gorman_tables.agreement_kinds(agreement.kinds(agreed, TAGS, [0.3, 0.8], ["NNP"]))
    assert kinds["agreement"].tolist() == ["α ≤ 0.3", "0.3 to 0.8", "α ≤ 0.3"]
    assert len(gorman_tables.confusions(agreement.confusions(TAGS), 2)) == 4
    figure = gorman_figures.sentence_agreement(agreed)
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.get_title(loc="left")]
    assert [title.partition(":")[0] for title in titles] == ["A", "B"]
    assert titles[0].endswith("in all 3 sentences with disagreement")


def test_sentences_of_lowest_agreement_are_described():
    rows = {"alpha": np.linspace(0.2, 0.9, 20), "words": [3, 5, *[20] * 18]}
    assert gorman_figures.lowest_tenth("A", pd.DataFrame(rows)) == (
        "A: median of 4 words in the tenth with the lowest agreement,\n"
        "20 in all 20 sentences with disagreement"
    )


def test_few_sentences_stand_below_the_axis_of_agreement():
    alpha = np.r_[0.0, np.linspace(0.75, 0.95, 999)]
    agreed = pd.DataFrame(
        {"dataset": "A", "alpha": alpha, "words": 9, "verbless": [True, *[False] * 999]}
    )
    figure = gorman_figures.sentence_agreement(agreed)
    points = figure.axes[0]
    assert points.get_ylim()[0] == pytest.approx(0.7, abs=0.01)
    assert figure.get_supylabel().endswith("(drawn at the edge: 1 below 0.7)")
    assert min(line.get_ydata().min() for line in points.lines) == pytest.approx(0.7)


def test_committed_tags_and_committed_outcomes_are_of_one_run():
    outcomes = splits.read("data/outcomes/splits.parquet")
    tags = agreement.read("data/outcomes/splits_tags.parquet")
    names = agreement.coders(tags)
    assert names == splits.taggers(outcomes)
    agreement.coverage(agreement.sentences(tags), outcomes)
    once = outcomes[outcomes["split"] == splits.STANDARD].astype({"dataset": str, "instance": str})
    keys = ["dataset", "instance"]
    expected = once[names].mul(once["words"], axis=0).groupby([once[key] for key in keys]).sum()
    by_sentence = [tags[key] for key in keys]
    right = tags[names].eq(tags["gold"], axis=0).groupby(by_sentence).sum()
    agreed = tags["words"].where(tags["position"] == 0, 0).groupby(by_sentence).sum()
    beyond = expected.loc[right.index] - right
    assert beyond.eq(beyond[names[0]], axis=0).all(axis=None)
    assert beyond[names[0]].between(0, agreed).all()


def test_no_layer_of_a_corpus_can_be_read_off_the_committed_tags():
    tags = agreement.read("data/outcomes/splits_tags.parquet")
    found = agreement.sentences(tags)
    assert (tags["position"] == 0).eq(tags["gold"].isna()).all()
    assert tags["word"].notna().sum() == 11
    assert not tags["word"].str.contains(r"\s", na=False).any()
    assert found.loc[found["disagreed"] == found["words"], "words"].tolist() == [1]


def test_the_published_example_is_counted_with_and_without_the_gold_tags():
    printed = pd.DataFrame(
        [["Gold", "NN", "NN"], ["one", "NN", "NNS"], ["two", "NN", "NNS"]],
        columns=["row", "1", "2"],
    )
    table = agreement.example(printed, ".5")
    assert table["coders"].tolist() == ["as printed", "six taggers", "taggers and gold"]
    assert table["alpha"].tolist() == [
        ".5", 1.0, round(agreement.alpha([["NN", "NN"], ["NN", "NNS"], ["NN", "NNS"]]), 4)
    ]  # fmt: skip
