"""Demšar's question beside the count, through the doors of a user."""

import html
import json

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli

MATE = [90.73, 90.82, 91.92, 91.68, 96.64, 89.87, 89.89]
REDSHIFT = [90.19, 90.46, 90.90, 90.99, 96.22, 88.99, 89.31]
P = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]


def frame(shift, n_datasets=8, seed=1):
    """Scores of two systems on datasets whose differences vary around a shift."""
    rng = np.random.default_rng(seed)
    rows = []
    for j, centre in enumerate(shift + rng.normal(0, 0.2, n_datasets)):
        base = rng.normal(0, 1, 30)
        ours = base + centre + rng.normal(0, 0.5, 30)
        rows.append(pd.DataFrame({"dataset": f"d{j}", "ours": ours, "base": base}))
    return pd.concat(rows, ignore_index=True)


ASKED = {"a": "ours", "b": "base", "dependence": "independent", "over_datasets": True}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Write a study that starts from the p-values and scores of Table 2 (Mate and Redshift)."""
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame({"domain": list("abcdefg"), "p": P, "Mate": MATE, "Redshift": REDSHIFT})

    def write(**more):
        (table if more else table[["domain", "p"]]).to_csv("t.csv", index=False)
        block = {"name": "c", "systems": ["Mate", "Redshift"], "dependence": "independent"}
        block |= {"file": "t.csv", "columns": {"dataset": "domain", "p_value": "p"}}
        block |= {"over_datasets": True}
        block["columns"] |= more
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        (tmp_path / "s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml")

    return write


def test_the_sentence_and_the_numbers_of_table_2(study):
    result = study(scores=["Mate", "Redshift"]).ask()[0]
    # binom.test(7, 7, alternative="greater"): 0.0078125; p-values are asked in one direction
    assert result.over_datasets.found.wilcoxon == 0.0078125
    said = str(result.over_datasets)
    assert said.startswith(
        "In the population from which these 7 datasets were drawn, Mate scores higher than Redshift"
    )
    assert "one-sided p = 0.0078" in said
    assert "+0.63 (95% interval +0.42 to +0.88)" in said
    assert said in result.notes
    assert result.k < result.n  # which the count cannot say of every dataset


def test_it_is_said_by_every_rendering(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = frame(0.5)
    data.assign(instance=range(len(data))).to_csv("t.csv", index=False)
    result = rep.compare(data, **ASKED)
    said = str(result.over_datasets)
    assert "ours scores higher than base" in said
    assert said in html.unescape(result._repr_html_())
    assert said in html.unescape(result.page())
    code = cli.main(["compare", "t.csv", "--systems", "ours", "base", "--independent",
                     "--over-datasets"])  # fmt: skip
    assert code == 0
    assert said in " ".join(capsys.readouterr().out.split())


def test_a_dictionary_keeps_it():
    result = rep.compare(frame(0.5, 5), **ASKED)
    answer = json.loads(json.dumps(result.to_dict()))
    assert answer["over_datasets"]["centre_interval"]["low"] is None  # five datasets give none
    again = rep.Result.from_dict(answer)
    assert again == result
    assert str(again.over_datasets) == str(result.over_datasets)


def test_it_changes_nothing_else():
    data = frame(0.3)
    with_it = rep.compare(data, **ASKED).to_dict()
    without = rep.compare(data, **ASKED | {"over_datasets": False}).to_dict()
    assert without["over_datasets"] is None
    assert with_it["sentences"] == without["sentences"]
    assert with_it["datasets"] == without["datasets"]
    assert len(with_it["notes"]) == len(without["notes"]) + 1


def test_few_datasets_say_that_nothing_could_be_shown():
    said = str(rep.compare(frame(3.0, 5), **ASKED).over_datasets)
    assert "there is no evidence of a difference" in said
    assert "With 5 datasets, p cannot be below 0.0625, whatever the scores are." in said


def test_the_better_system_may_be_the_second_one():
    swapped = ASKED | {"a": "base", "b": "ours"}
    said = str(rep.compare(frame(0.5), **swapped).over_datasets)
    assert "were drawn, ours scores higher than base" in said
    assert "base minus ours) is -" in said


def test_a_lower_score_may_be_better():
    data = frame(0.5)
    turned = data.assign(ours=-data["ours"], base=-data["base"])
    one = rep.compare(data, **ASKED).over_datasets.found
    other = rep.compare(turned, **ASKED, higher_is_better=False).over_datasets.found
    assert (one.wilcoxon, one.sign_test) == (other.wilcoxon, other.sign_test)
    assert one.centre == pytest.approx(other.centre)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"dependence": None},
            "not declared independent; declare this with dependence='independent'",
        ),
        ({"dependence": "positive"}, "not declared independent"),
        ({"claim": "not_worse", "margin": 0.1}, "but margin= sets a minimum size"),
        (
            {"over_datasets": "yes"},
            "over_datasets= is 'yes', but over_datasets must be true or false",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(more, message):
    with pytest.raises(rep.InputError, match=message):
        rep.compare(frame(0.5), **ASKED | more)


def test_one_dataset_is_no_sample():
    with pytest.raises(rep.InputError, match="there is only one dataset; leave"):
        rep.compare(frame(0.5, 1), **ASKED)


def test_pvalues_without_scores_are_refused(study):
    with pytest.raises(rep.InputError, match="needs a score of each system on every dataset"):
        study().ask()
