"""What a result shows: in words, as a table, a figure, a page and a paragraph."""

import dataclasses
import inspect
import pickle
import pydoc
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import replicability as rep
from replicability.checks import InputError
from replicability.cli.new import EXAMPLES
from replicability.core.findings import method
from replicability.stats import local_tests, paired


@pytest.fixture(scope="module")
def result():
    return rep.compare(
        EXAMPLES / "wide" / "scores.csv",
        a="ours",
        b="baseline",
        dependence="independent",
        groups={"written": ["news", "letters"]},
        alpha=[0.05, 0.01],
    )


@pytest.fixture(scope="module")
def counted():
    return rep.count({"news": 0.001, "<law>": 0.01, "talks_%": 0.5}, a="ours", b="base")


@pytest.fixture(scope="module")
def family():
    data = pd.read_csv(EXAMPLES / "wide" / "scores.csv")
    return rep.all_pairs(data.assign(third=data["baseline"]), dependence="independent")


def test_it_prints_as_its_sentences(result):
    *lines, amount = str(result).splitlines()
    assert lines == list(map(str, result.findings))
    assert amount == str(result.overall)
    assert result.sentence == lines[0]
    assert "written at least" in lines[0]
    assert len(repr(result)) < 120
    assert repr(result).startswith("<Result: ours against baseline, better on at least ")


def test_its_numbers_agree_with_each_other(result):
    table = result.table
    assert table["dataset"].tolist() == list(result.datasets)
    assert table["dataset"][table["named"]].tolist() == result.named
    assert result.k >= len(result.named)
    assert result.n == len(table)
    assert (table["wins"] + table["ties"] + table["losses"] == table["n"]).all()
    np.testing.assert_allclose(table["difference"], table["score_a"] - table["score_b"], rtol=1e-12)
    assert ((table["low"] <= table["difference"]) & (table["difference"] <= table["high"])).all()
    assert "adjusted_p_value" not in table  # sums have none in closed form
    assert {"named", "named at 0.01"} <= set(table)


def test_a_group_may_be_thought_of_afterwards(result):
    assert result.bounds(result.datasets) == result.k
    assert result.bounds("news") == int("news" in result.named)
    assert result.bounds() == {"written": result.bounds(["news", "letters"])}
    assert rep.bounds(result, {"x": ["news"]}) == {"x": result.bounds(["news"])}


def test_both_directions_take_half_of_alpha_each(result):
    forth, back = result.both()
    assert forth.systems == back.systems[::-1] == result.systems
    assert forth.alpha == back.alpha == result.alpha / 2


@pytest.mark.parametrize("which", ["result", "counted"])
def test_it_pickles_and_does_not_change(which, request):
    found = request.getfixturevalue(which)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.to_markdown() == found.to_markdown()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.findings = ()
    table = found.table
    table["p_value"] = 0.0
    assert again == found


def test_results_differ_where_what_was_found_does(counted):
    assert counted != rep.count({"news": 0.001, "<law>": 0.01, "talks_%": 0.6}, a="ours", b="base")
    assert counted != dataclasses.replace(counted, findings=counted.findings * 2)
    assert counted != "a result"


@pytest.mark.slow
@pytest.mark.parametrize("which", ["result", "counted", "family"])
def test_jupyter_shows_sentence_table_and_figure(which, request):
    found = request.getfixturevalue(which)
    plt.close("all")
    page = found._repr_html_()
    assert page.startswith("<p>")
    tables = [found.view.datasets, found.view.groups] if which != "family" else found.view
    assert page.count("<table") == sum(table is not None for table in tables)
    assert page.count("<img ") == 1
    assert "<law>" not in page
    assert not plt.get_fignums()  # or a notebook would show the figure twice
    assert isinstance(found.figure(), Figure)


@pytest.mark.parametrize("which", ["result", "counted", "family"])
def test_tables_for_papers_are_escaped(which, request):
    found = request.getfixturevalue(which)
    assert found.to_latex().count(r"\toprule") == (2 if which == "family" else 1)
    assert not re.search(r"(?<!\\)%(?!\n)", found.to_latex())
    assert "\\<law>" in found.to_markdown() or which != "counted"


@pytest.mark.slow
@pytest.mark.parametrize("which", ["result", "counted"])
def test_the_report_is_one_page(which, request, tmp_path):
    found = request.getfixturevalue(which)
    file = found.report(tmp_path / "page.html")
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert all(part in page for part in found.sentence.replace("<law>", "&lt;law&gt;").split("'"))
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.slow
def test_the_page_of_a_frame_says_how_it_is_made_again(tmp_path):
    data = pd.read_csv(EXAMPLES / "wide" / "scores.csv")
    found = rep.compare(data, a="ours", b="baseline", dependence="independent")
    page = pickle.loads(pickle.dumps(found)).report(tmp_path / "page.html").read_text("utf-8")
    assert "in memory" in page
    call = "rep.compare(data, a='ours', b='baseline', dataset='dataset', instance='instance', "
    assert call in page.replace("&#39;", "'")


def test_the_paragraph_says_what_was_chosen(result, counted):
    said = result.method
    for part in ("ours is better than baseline", "McNemar", "exact", "binomial", "0.05 and 0.01",
                 "Marcus", "Goeman", "Dror", rep.__version__, "independent"):  # fmt: skip
        assert part in said, part
    assert "(seed 0)" in said
    assert "seed" not in counted.method
    drawn = rep.compare([1.5, 2, 0.5, 1.25], [1, 1.1, 0.75, 1], test="paired_bootstrap", seed=3)
    assert "(seed 3)" in drawn.method
    assert "Holm" in counted.method
    paper = rep.count([0.01, 0.2], procedure="paper").method
    assert "partial conjunction" in paper
    assert "closed testing" not in paper


def test_every_test_and_local_test_has_a_reference():
    assert set(method.OF_TESTS) >= set(paired.TESTS)
    local = [test.cited for test in local_tests.load().values()]
    for short, full in (*method.OF_TESTS.values(), *local):
        name, year = short.rsplit(" ", 1)
        assert full.startswith(name.split()[0])
        assert f"({year})" in full


def test_the_other_direction_is_named_but_not_claimed_if_it_was_not_asked():
    file = EXAMPLES / "wide" / "scores.csv"
    back = rep.compare(file, a="baseline", b="ours", alternative="greater")
    (note,) = (note for note in back.notes if "ours scores higher on" in note)
    assert "outperforms" not in note
    assert back.findings[0].other is None and back.k_worse == 0 and back.named_worse == []
    assert "named_worse" not in back.table


def test_both_directions_are_asked_at_half_of_alpha_each():
    file = EXAMPLES / "wide" / "scores.csv"
    result = rep.compare(file, a="baseline", b="ours")
    forth, back = result.both()
    assert (forth.alpha, back.alpha) == (0.025, 0.025)
    assert (result.k, result.k_worse) == (forth.k, back.k)
    assert result.named_worse == back.identified_datasets
    assert result.table["named_worse"].tolist() == back.identified.tolist()
    swapped = rep.compare(file, a="ours", b="baseline")
    assert (result.k, result.k_worse) == (swapped.k_worse, swapped.k)
    assert "both directions, simultaneous 95% confidence" in str(result)
    half = rep.compare(file, a="ours", b="baseline", alternative="greater", alpha=0.025)
    assert (half.k, half.named) == (swapped.k, swapped.named)
    adjusted = swapped.table["adjusted_p_value"]
    assert (swapped.table["named"] == (adjusted <= 0.05)).all()


def test_a_direction_that_there_is_not_is_a_sentence():
    with pytest.raises(InputError, match="alternative 'less' is not one of"):
        rep.compare([1, 2], [2, 1], alternative="less")


def test_many_systems_are_counted_alone_and_jointly(family):
    alone, together = family.counts(jointly=False), family.counts()
    assert (together <= alone).all(axis=None)
    assert (
        family.table.set_index(["a", "b"])["jointly"].loc["ours", "third"]
        == together.loc["ours", "third"]
    )
    assert repr(family) == "<Family: 3 systems on 3 datasets (alpha = 0.05)>"
    assert pickle.loads(pickle.dumps(family)).table.equals(family.table)


@pytest.mark.slow
def test_nothing_is_loaded_before_it_is_asked_for():
    code = (
        "import sys, replicability as r; dir(r); print('numpy' in sys.modules, r.count.__name__, "
        "[m for m in sys.modules if m.startswith(('matplotlib', 'replicability.forensics'))])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "count", "[]"]


def test_the_paragraph_says_what_is_claimed():
    data = pd.read_csv(EXAMPLES / "wide" / "scores.csv")
    said = rep.compare(data, a="ours", b="baseline", claim="not_worse", margin=0.1).method
    assert "ours is not worse than baseline by more than 0.1" in said
    assert "the null hypothesis that ours is worse than baseline by 0.1 or more" in said


def test_the_mean_difference_stands_beside_the_count(result, counted):
    assert result.overall.difference == pytest.approx(result.table["difference"].mean())
    assert counted.overall is None


@pytest.mark.slow
def test_a_suite_is_planned():
    plan = rep.design([100, 200], discordant=0.2, gains=[0.05, 0.1])
    assert str(plan) == "\n".join(plan.sentences)
    assert set(plan.table["gain"]) == {0.05, 0.1}
    page = plan._repr_html_()
    assert (page.count("<table"), page.count("<img ")) == (2, 1)
    assert pickle.loads(pickle.dumps(plan)) == plan
    with pytest.raises(rep.InputError, match="There are 2 sizes for 3 datasets"):
        rep.design([100, 200], datasets=3, sd=1)
    with pytest.raises(rep.InputError, match=r"A gain of -0\.1 contradicts the claim that A"):
        rep.design([100, 200], discordant=0.2, gains=[-0.1])
    with pytest.raises(rep.InputError, match="Give either discordant=, the share"):
        rep.design(100)


def test_a_pilot_lends_its_spread_and_never_its_gain(result):
    plan = rep.design(pilot=result)
    assert plan.suite.sizes == tuple(result.table["n"])
    decided = result.table["wins"] + result.table["losses"]
    expected = (decided + 1) / (result.table["n"] + 2)
    assert plan.suite.spread == pytest.approx(expected.tolist())
    assert (plan.suite.binary, plan.suite.shares) == (True, True)
    assert plan.suite.method == result.findings[0].recommended
    larger = rep.design(1000, datasets=20, pilot=result, dependence="dependent").suite
    assert (larger.sizes, larger.method) == ((1000,) * 20, "bonferroni")
    mean = np.average(plan.suite.spread, weights=plan.suite.sizes)
    assert larger.spread == pytest.approx([mean] * 20)


def test_what_a_pilot_cannot_be(result, counted):
    for given, message in (
        ({"pilot": counted}, "The pilot does not show how much differences vary; use item scores"),
        ({"pilot": result, "sd": 1}, "already shows how much the systems differ; leave out sd="),
        ({"pilot": result, "datasets": 4}, "No sizes are given; pass the number of items in each"),
        ({"pilot": result, "dependence": "loose"}, "'loose' is not one of"),
        ({}, "No sizes are given; pass the number of items in each dataset"),
        (
            {"sizes": result},
            "The first argument is a result, not sizes; pass a result as the pilot: design(pi",
        ),
        (
            {"pilot": "a.csv"},
            "The pilot has the type str, but must be the result of comparing two systems; pass",
        ),
    ):
        with pytest.raises(rep.InputError) as caught:
            rep.design(**given)
        assert message in str(caught.value)


@pytest.mark.parametrize("name", ["all_pairs", "bounds", "compare", "count", "design"])
def test_help_reads_as_that_of_a_function(name):
    function = getattr(rep, name)
    assert name in dir(rep)
    assert "Parameters" in pydoc.render_doc(function)
    assert len(inspect.signature(function).parameters) >= 2


THREE = {"ours": [1] * 12, "base": [0] * 12, "third": [0] * 11 + [1]}


def same_pairs(*found):
    """All families have the same p-values, by name."""
    first, *others = found
    for other in others:
        assert set(other.systems) == set(first.systems)
        order = [other.systems.index(system) for system in first.systems]
        there = other.pairs.pvalues[np.ix_(order, order)]
        np.testing.assert_array_equal(there, first.pairs.pvalues)


def test_a_family_is_read_from_frames_files_and_arrays(tmp_path):
    wide = pd.DataFrame(THREE).assign(instance=range(12))
    long = wide.melt("instance", var_name="system", value_name="score")
    alone = {name: part.drop(columns="system") for name, part in long.groupby("system")}
    for name, part in alone.items():
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    paths_ = {name: tmp_path / f"{name}.csv" for name in THREE}
    listed = list(paths_.values())
    ways = (wide, long, THREE, alone, paths_, listed, tmp_path / "wide.csv")
    same_pairs(*map(rep.all_pairs, ways))
    some = rep.all_pairs({**alone, "more": alone["base"]}, systems=["third", "ours", "more"])
    assert set(some.systems) == {"ours", "third", "more"}


def test_a_family_is_read_from_folders_of_logs(tmp_path):
    for name in ("ours", "baseline", "third"):
        side = "baseline" if name == "third" else name
        shutil.copytree(EXAMPLES / "lm_eval" / side, tmp_path / name)
    found = rep.all_pairs([tmp_path / name for name in ("ours", "baseline", "third")])
    assert found.pairs.identical == (("baseline", "third"),)
    assert "baseline and third have the same score on every item" in str(found)
    pair = rep.compare(tmp_path / "ours", tmp_path / "baseline")
    both = found.between("ours", "baseline", jointly=False)
    np.testing.assert_array_equal(both.pvalues, pair.table["p_value"])
    assert both.at_least() == pair.k
    named = found.named("ours", "baseline", jointly=False)
    assert named == pair.named
    said = f"Procedure: at least {pair.k} of {len(pair.datasets)} datasets at level 0.05; named: "
    assert repr(both) == said + (", ".join(named[:-1]) + f" and {named[-1]}" if named else "none")


def test_a_family_says_its_order_and_draws_it(family):
    assert str(family).splitlines() == family.sentences
    assert family.sentence == family.sentences[0]
    assert "baseline and third have the same score on every item" in str(family)
    plt.close("all")
    assert isinstance(family.layers_figure(), Figure)
    assert not plt.get_fignums()
    nodes = {frozenset(node) for node in family.layers.nodes}
    assert nodes == {frozenset(("ours",)), frozenset(("baseline", "third"))}
    table = family.table.set_index(["a", "b"])
    assert (table["named"].map(len) <= table["jointly"]).all()
    lines = family.to_csv().splitlines()
    assert lines[0] == "A,ours,baseline,third"
    assert len(lines) == 4


def test_a_family_shares_units():
    rng = np.random.default_rng(1)
    parts = [
        pd.DataFrame({"dataset": name, "instance": range(60), "x": rng.random(60) < 0.9,
                      "y": rng.random(60) < 0.5, "z": rng.random(60) < 0.4})
        for name in ("qa", "nli")
    ]  # fmt: skip
    found = rep.all_pairs(pd.concat(parts), systems=["x", "y", "z"], shared=True)
    assert (found.method, found.pairs.flips.sums.shape) == ("joint", (3, 10_000, 2))
    assert "joint sign flips in each pair" in found.sentence
    assert found.counts().loc["x", "y"] == 2


# --- one direction -------------------------------------------------------------------------------


def test_one_direction_has_the_one_sided_interval_of_its_claim():
    # 5 items won, none lost: the two-sided interval includes 0, though p = 1/32
    one = rep.compare([1] * 6, [0] * 5 + [1], alternative="greater")
    row = one.table.iloc[0]
    assert (one.k, row["p_value"]) == (1, 1 / 32)
    assert row["low"] < 0 < row["at_least"]
    assert "(one-sided 95% interval, at least +0.06)" in str(one)
    assert "95% interval [" not in str(one)
    shown = one.view.datasets
    place = shown.headings.index("difference (one-sided 95% interval)")
    assert shown.rows[0][place] == "+0.833 (at least +0.064)"
    assert "difference (95% interval)" not in shown.headings
    assert rep.Result.from_dict(one.to_dict()) == one
    both = rep.compare([1] * 6, [0] * 5 + [1])
    assert "at_least" not in both.table
    assert both.overall.at_least is None
    assert "(95% interval [-0.04, +1.00])" in str(both)


@pytest.mark.parametrize("test", ["", "paired_t", "mean_difference"])
@pytest.mark.parametrize("kind", ["binary", "real"])
def test_what_is_shown_of_the_only_dataset_is_inside_its_interval(kind, test):
    rng, shown, contradicted = np.random.default_rng(7), 0, 0
    for _ in range(40):
        n = int(rng.integers(5, 60))
        a, b = rng.normal([[0.4], [0.0]], 1.0, (2, n))
        if kind == "binary":
            a, b = (a > 0) * 1, (b > 0) * 1
        found = rep.compare(a, b, alternative="greater", test=test or None)
        (row,) = found.table.to_dict("records")
        shown += found.k
        contradicted += found.k and row["low"] <= 0
        assert not found.k or row["at_least"] > 0, row
        assert row["low"] <= row["at_least"] <= row["difference"]
        assert (found.overall.at_least, found.overall.low) == (row["at_least"], row["low"])
    assert shown > contradicted > 0


def test_the_mean_of_one_direction_has_a_one_sided_interval():
    rng = np.random.default_rng(3)
    data = {name: rng.normal([[0.3], [0.0]], 1.0, (2, 40)) for name in ("news", "law", "mail")}
    for dependence in ("independent", "dependent"):
        how = {"dependence": dependence, "alternative": "greater"}
        found = rep.compare(data, **how).overall
        assert found.low < found.at_least < found.difference
        assert "one-sided 95% interval, at least" in str(found)
    equivalent = rep.compare(data, claim="equivalent", margin=1.0)
    assert "at_least" not in equivalent.table  # its claim has two sides
