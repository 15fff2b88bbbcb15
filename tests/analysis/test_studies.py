"""What a study may ask of the compendium, and the names that it cannot have there."""

import pytest

from analysis.studies import host, read_study
from replicability.checks import InputError
from replicability.io import study

STUDY = """study: mine
alphas: [0.05]
comparisons:
  - {name: ours, section: sentiment, title: Ours, systems: [A, B], dependence: independent,
     file: p.csv, columns: {dataset: set, p_value: p}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        *(
            ("name: ours", f"name: {name}", f"every study has a table or figure called '{name}'")
            for name in (
                "counts",
                "both_directions",
                "families",
                "audit",
                "all_pairs_x",
                "table2_x",
            )
        ),
        *(
            ("study: mine", f"study: {name}", f"results/{name} is already used for something else")
            for name in ("raw", "outcomes", "splits", "simulations", "lab", "book")
        ),
        ("section: sentiment", "section: sentiments", "did you mean 'sentiment'"),
        ("alphas: [0.05]", "alphas: [0.05]\ntest_size: {}", "did you mean 'test_sizes'"),
    ],
)
def test_the_compendium_refuses_what_the_library_does_not_know(write, old, new, message):
    assert old in STUDY
    assert read_study(write("mine.yaml", STUDY)).comparisons[0].section == "sentiment"
    file = write("mine.yaml", STUDY.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_study(file)
    if "test_size" not in new:
        assert study.read_study(file).alphas == (0.05,)


def test_a_notebook_is_asked_for_by_its_key():
    asked = read_study("config/paper.yaml").notebooks
    assert asked
    assert set(asked) <= set(host().parameters)
    with pytest.raises(InputError, match="unknown key"):
        study.read_study("config/paper.yaml")
