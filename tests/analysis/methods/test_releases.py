"""What the chapter on release gates shows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

from analysis.methods import release_rules, releases

FILE = "data/simulations/releases.csv"


@pytest.fixture(scope="module")
def rates():
    return releases.errors_of(FILE)


def test_wrong_is_a_block_of_an_unchanged_release_and_a_miss_of_another(rates):
    cell = rates.query("suite == 'BBH' and discordant == 0.05 and rule == 'worst'")
    wrong = cell.set_index("worse")["wrong"]
    assert wrong["nothing"] == pytest.approx(2015 / 4000)
    assert wrong["one by 5 points"] == pytest.approx(1 - 0.99425)
    table = releases.ranges(rates).set_index("got worse")
    assert table.loc["nothing", "worst verdict"] == "15.9 to 86.7%"
    assert table.loc["nothing", "gate"] == table.loc["nothing", "Bonferroni"] == "0.7 to 3.8%"


def test_margin_and_items_ship_the_wanted_share():
    errors = np.sqrt(0.1 / np.array([100, 400, 900]))
    margin = releases.margin_needed(errors)
    ships = stats.norm.cdf(margin / errors - stats.norm.ppf(0.95)).prod()
    assert ships == pytest.approx(releases.WANTED)


def test_so_many_items_ship_the_wanted_share_in_the_simulation(rates):
    needs = releases.needs(rates).set_index(["suite", "items changed"])
    items = int(needs.loc[("MMLU-Pro (14)", "5%"), "items needed"].replace(",", ""))
    table = release_rules.table({"MMLU-Pro": [items] * 14}, 2_000, 1)
    cell = table.query("discordant == 0.05 and worse == 'nothing' and rule == 'gate'").iloc[0]
    assert cell["shipped"] / cell["releases"] == pytest.approx(releases.WANTED, abs=0.04)


def test_the_figure_has_a_panel_for_each_change_and_its_finding_as_title(rates):
    figure = releases.figure(rates)
    panels = figure.axes
    assert len(panels) == len(release_rules.CHANGES) == len(releases.TITLES)
    assert "16% to 87%" in figure.get_suptitle()
    assert "at most 3.8%" in figure.get_suptitle()
    for axis, change in zip(panels, release_rules.CHANGES, strict=True):
        drawn = np.sort(np.concatenate([c.get_offsets()[:, 0] for c in axis.collections]))
        expected = np.sort(rates.loc[rates["worse"] == change, "wrong"])
        np.testing.assert_allclose(drawn, expected)
    assert [t.get_text() for t in panels[0].get_yticklabels()] == list(releases.RULES.values())
    plt.close(figure)
