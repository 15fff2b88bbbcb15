"""Sentiment by number of unlabelled texts, by seed and by part: what is read and laid out."""

import pandas as pd
import pytest

from analysis import paths, published
from analysis.dror2017 import adaptation
from replicability.checks import InputError

NAMES = ("books → dvd", "kitchen → books")
PART = "decoder learnt"
RIGHT = {
    ("all", "LR", "", 1): (70, 60),
    ("all", "mSDA", "", 1): (84, 78),
    ("all", "AE-SCL-SR", "", 1): (80, 70),
    ("few", "mSDA", 500, 1): (72, 66),
    ("few", "AE-SCL-SR", 500, 1): (74, 60),
    ("again", "AE-SCL-SR", "", 2): (78, 74),
    ("parts", PART, "", 1): (81, 67),
}
SIZES = pd.DataFrame({"domain": ["books", "dvd"], "reviews": [7000, 6000]})


def rows(right=RIGHT):
    return pd.DataFrame(
        [
            (variant, name, system, texts, seed, correct, 100)
            for (variant, system, texts, seed), counts in right.items()
            for name, correct in zip(NAMES, counts, strict=True)
        ],
        columns=list(adaptation.COLUMNS),
    )


@pytest.fixture
def counts(tmp_path):
    file = tmp_path / "counts.csv"
    rows().to_csv(file, index=False)
    return adaptation.read_counts(file)


def test_accuracies_stand_beside_the_printed_ones(counts):
    table = adaptation.beside_published(counts).set_index("dataset")
    assert table.index.tolist() == [*NAMES, "mean"]
    assert table.loc[NAMES[0]].tolist() == [70, 84, 80, -4, 78.3, 81.05, 82.9, 2.75]
    assert table.loc[NAMES[1]].tolist() == [60, 78, 70, -8, 70.0, 72.95, 71.8, 2.95]
    assert table.loc["mean", "AE-SCL-SR minus mSDA"] == -6


def test_seeds_have_their_mean_and_range(counts):
    table = adaptation.by_seed(counts).set_index("dataset")
    assert table.columns.tolist() == ["seed 1", "seed 2", "mean", "range", "mSDA"]
    assert table.loc[NAMES[0]].tolist() == [80, 78, 79, 2, 84]
    assert table.loc["mean"].tolist() == [75, 76, 75.5, 1, 81]


def test_fewer_texts_come_first(counts):
    table = adaptation.by_texts(counts, SIZES)
    assert table.to_dict("list") == {
        "texts": [500, 6500],
        "AE-SCL-SR": [67, 75],
        "mSDA": [69, 81],
        "LR": [65, 65],
        "AE-SCL-SR ahead": [1, 0],
        "mSDA ahead": [1, 2],
    }


def test_a_part_is_compared_with_the_whole(counts):
    table = adaptation.by_part(counts).set_index("system")
    assert table.index.tolist() == ["AE-SCL-SR", PART, "mSDA", "LR"]
    assert table.loc[PART].tolist() == [74, -1, -3, 1, 1]
    assert table.loc["LR"].tolist() == [65, -10, -10, -10, 2]


def test_the_curve_says_what_more_text_is_worth(counts):
    (axis,) = adaptation.learning_curve(counts, SIZES).axes
    assert axis.get_title("left").startswith(
        "More text adds 8.0 points to AE-SCL-SR and 12.0 to mSDA\nthick: mean of 2 pairs"
    )
    ticks = [label.get_text() for label in axis.get_xticklabels()]
    assert ticks == ["500", "all\n(6,500)", "printed\nin Table 4"]
    printed = published.read_published("dror2017", "table4").set_index("setup")
    means = printed.loc[["B → D", "K → B"], ["MSDA", "AE-SCL-SR"]].astype(float).mean()
    shown = {text.get_text() for text in axis.texts}
    assert {f"{100 * mean:.1f}" for mean in means} <= shown


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="texts"), "has no column 'texts'"),
        (lambda t: t.assign(correct="many"), r"column 'correct': .*many.*; give whole numbers"),
        (lambda t: t.drop(index=5), "'AE-SCL-SR' in the variant 'all' has 1 rows, but there are 2"),
    ],
)
def test_a_fault_in_the_counts_is_a_sentence(tmp_path, change, message):
    file = tmp_path / "counts.csv"
    change(rows()).to_csv(file, index=False)
    with pytest.raises(InputError, match=message):
        adaptation.read_counts(file)


def test_sizes_are_read(tmp_path):
    file = tmp_path / "texts.csv"
    file.write_text("domain,fdu,hatn,labelled,repeated,reviews\nbooks,9,5,3,1,10\n")
    assert adaptation.read_texts(file).loc[0].tolist() == ["books", 9, 5, 3, 1, 10]
    file.write_text("domain,fdu\nbooks,9\n")
    with pytest.raises(InputError, match="has no column 'hatn'"):
        adaptation.read_texts(file)


# --- the committed counts ------------------------------------------------------------------------


def test_the_variant_of_all_texts_is_what_is_tested():
    counts = adaptation.read_counts("data/outcomes/sentiment_variants.csv")
    table = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "sentiment_reviews.parquet")
    expected = table.groupby(["dataset", "system"])["correct"].agg(["sum", "size"])
    found = counts[counts["variant"] == "all"].set_index(["dataset", "system"])
    assert len(found) == len(expected)
    assert (found["correct"] == expected["sum"].loc[found.index]).all()
    assert (found["reviews"] == expected["size"].loc[found.index]).all()


def test_reviews_that_remain_are_those_that_were_not_left_out():
    table = pd.read_csv(paths.ROOT / "data" / "outcomes" / "sentiment_text.csv")
    assert (table["fdu"] + table["hatn"] - table["labelled"] - table["repeated"]).equals(
        table["reviews"]
    )


def test_the_quoted_mean_is_that_of_its_cells():
    printed = published.read_published("cited", "domain_adaptation")["printed"].astype(float)
    assert len(printed) == 12
    assert round(printed.mean(), 1) == 81.3
