"""What the mean of a leaderboard does not say, on leaderboards of which the answer is known."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from analysis.leaderboards import boards, how_many
from replicability.core.all_pairs import Pairs

TINY = 1e-9


EVEN = (1, 1, 1)
"""Items of the three datasets."""


def board(compared, alpha=0.05, sizes=EVEN):
    return boards.lay_out(compared, alpha, "Toy", sizes)


@pytest.fixture
def compared():
    """Return three systems: A far above C everywhere, B better than A on the last dataset alone."""
    scores = np.array([[90, 90, 60.0], [80, 80, 75.0], [10, 10, 10.0]])
    pvalues = np.ones((3, 3, 3))
    pvalues[0, 2] = pvalues[1, 2] = TINY
    pvalues[0, 1] = [TINY, 0.5, 1]
    pvalues[1, 0] = [1, 0.5, TINY]
    return Pairs(("A", "B", "C"), ("x", "y", "z"), scores, pvalues, method="bonferroni")


def test_leads_of_a_leaderboard_by_hand(compared):
    expected = pd.DataFrame(
        {
            "higher": ["A", "A", "B"],
            "lower": ["B", "C", "C"],
            "lead": [80 - 235 / 3, 70, 235 / 3 - 10],
            "above": [1, 3, 3],
            "below": [1, 0, 0],
        }
    )
    pd.testing.assert_frame_equal(board(compared).leads, expected)


def test_a_board_counts_every_pair_once(compared):
    (row,) = how_many.pairs([board(compared)]).to_dict("records")
    assert (row["higher"], row["lower"], row["both"], row["neither"]) == (2, 0, 1, 0)
    assert row["neighbours"] == "2 of 2"
    assert row["largest lead, no difference"] == "none"
    assert row["all differ from"] == f"{80 - 235 / 3:.1f}"


def test_leads_say_where_nothing_is_shown(compared):
    compared.pvalues[:2, :2] = 1
    (row,) = how_many.pairs([board(compared)]).to_dict("records")
    assert row["neither"] == 1
    assert row["largest lead, no difference"] == f"{80 - 235 / 3:.1f}"
    assert row["all differ from"] == f"{235 / 3 - 10:.1f}"
    assert row["neighbours"] == "1 of 2"


def test_counts_are_joint(compared):
    """p = .004 is small for one pair of three datasets, and not for six ordered pairs together."""
    compared.pvalues[compared.pvalues == TINY] = 0.004
    assert (board(compared).leads[["above", "below"]].max(axis=1) == [0, 0, 0]).all()
    assert compared.counts(0.05).to_numpy().max() == 3


def test_ranks_beside_counts(compared):
    rows = how_many.ranks([board(compared)], 2)
    assert rows["system"].tolist() == ["A", "B"]
    assert rows["mean"].tolist() == [80.0, 78.3]
    assert rows["mean rank"].tolist() == [1.3, 1.7]
    assert rows["beats"].tolist() == [2, 2]
    assert rows["beats on half"].tolist() == [1, 1]
    assert rows["beaten by"].tolist() == [1, 1]


def test_the_same_mean_gives_the_same_rank():
    scores = np.array([[70, 80.0], [80, 70.0], [10, 10.0]])
    pairs = Pairs(("A", "B", "C"), ("x", "y"), scores, np.ones((3, 3, 2)), method="simes")
    assert how_many.ranks([board(pairs, sizes=(1, 1))], 3)["rank"].tolist() == [1, 1, 3]
    assert boards.places([0.3, 0.1 + 0.2, 0.7]).tolist() == [2, 2, 1]


def test_pairs_are_counted_once_in_any_leaderboard():
    rng = np.random.default_rng(18)
    for _ in range(20):
        s, n = rng.integers(3, 9), rng.integers(1, 7)
        scores = np.sort(rng.random((s, 1)), axis=0)[::-1] + rng.normal(0, 0.01, (s, n))
        scores = scores[np.argsort(-scores.mean(axis=1), kind="stable")]
        pvalues = rng.random((s, s, n)) ** 30
        names = tuple(map(str, range(s)))
        pairs = Pairs(names, tuple("abcdefg"[:n]), scores, pvalues, method="fisher")
        found = board(pairs, sizes=rng.integers(1, 99, n))
        (row,) = how_many.pairs([found]).to_dict("records")
        assert sum(row[k] for k in ("higher", "lower", "both", "neither")) == s * (s - 1) // 2
        assert (found.leads["lead"] >= 0).all()


def test_the_dots_of_the_figure_count_every_pair(compared):
    figure = boards.draw_leads([board(compared)] * 2)
    try:
        assert len(figure.axes) == 2
        above, below, neither = figure.axes[0].collections
        assert above.get_sizes().tolist() == [6, 12]  # two leads are about the same
        assert above.get_offsets()[:, 1].tolist() == pytest.approx([1 / 3, 1])
        assert below.get_sizes().tolist() == [6] and below.get_offsets()[0, 1] == -1 / 3
        assert len(neither.get_offsets()) == 0
    finally:
        plt.close(figure)


def test_the_letters_of_the_figure_can_be_read_in_the_column_of_a_page(compared):
    figure = boards.draw_leads([board(compared)] * 4)
    try:
        sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text()]
        points_wide = 72 * figure.get_figwidth()
        assert min(sizes) * 760 / points_wide >= 9
    finally:
        plt.close(figure)


def test_a_leaderboard_weighs_datasets_by_their_items(compared):
    """With all items on z, B has the higher mean, and what is shown turns with it."""
    found = board(compared, sizes=(0, 0, 9))
    assert found.systems == ("B", "A", "C")
    assert found.means.tolist() == [75, 60, 10]
    assert found.counts.to_numpy().tolist() == [[0, 1, 3], [1, 0, 3], [0, 0, 0]]
    assert found.scores.loc["B"].tolist() == [80, 80, 75]
