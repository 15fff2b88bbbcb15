"""Studies from Python: sections, results of several comparisons, families, and files."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability.core import findings
from replicability.stats import joint

SCORES = "dataset,instance,ours,base,other\n" + "".join(
    f"{dataset},{dataset}{item},{int(item < ours)},{int(item < base)},{int(item % 3 == 0)}\n"
    for dataset, ours, base in [("news", 36, 22), ("law", 34, 25), ("talks", 30, 28)]
    for item in range(40)
)
PVALUES = "dataset,p,a,b\nx,0.001,3,1\ny,0.02,2,1\nz,0.25,1,4\n"
ITEMS = {"dataset": "dataset", "instance": "instance"}
STUDY = {
    "study": "mine",
    "alphas": [0.05, 0.01],
    "comparisons": [
        {
            "name": "ours_base",
            "section": "first",
            "systems": ["ours", "base"],
            "dependence": "independent",
            "file": "scores.csv",
            "columns": {**ITEMS, "scores": ["ours", "base"]},
            "groups": {"written": ["news", "law"]},
        },
        {
            "name": "printed",
            "section": "second",
            "systems": ["A", "B"],
            "dependence": "independent",
            "file": "pvalues.csv",
            "sided": "unknown",
            "procedure": "paper",
            "columns": {"dataset": "dataset", "p_value": "p", "scores": ["a", "b"]},
        },
    ],
    "families": [
        {
            "name": "all",
            "section": "first",
            "dependence": "independent",
            "file": "scores.csv",
            "columns": {**ITEMS, "scores": ["ours", "base", "other"]},
            "systems": ["ours", "base", "other"],
        }
    ],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "pvalues.csv").write_text(PVALUES)
    return tmp_path


def written(folder, **changes):
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump({**STUDY, **changes}))
    return rep.read_study("study.yaml")


@pytest.fixture
def study(folder):
    return written(folder)


def test_a_study_has_sections_and_nothing_is_asked_before_it_is(study):
    assert study.sections == ["first", "second"]
    assert repr(study) == "<Study: mine, 2 comparisons, 1 family>"
    assert repr(study.section("first")) == "<Section: first, 1 comparison, 1 family>"
    assert study.section("second").families[:].declared == ()


def test_a_comparison_of_a_study_is_what_compare_finds(study, folder):
    (found,) = study.section("first").ask()
    groups = {"written": ["news", "law"]}
    alone = rep.compare(
        pd.read_csv("scores.csv"), a="ours", b="base", dependence="independent", groups=groups,
        alpha=[0.05, 0.01], ignore=["other"],
    )  # fmt: skip
    pd.testing.assert_frame_equal(found.table, alone.table)
    assert str(found) == str(alone)
    assert (found.name, found.title) == ("ours_base", "ours-base")
    assert found.bounds() == alone.bounds()


def test_results_are_found_by_name_and_place_and_print_their_sentences(study):
    results = study.ask()
    assert len(results) == 2
    assert results.names == ["ours_base", "printed"] == [result.name for result in results]
    assert results["printed"] is results[1]
    assert results.alphas == (0.05, 0.01)
    said = [str(finding) for result in results for finding in result.findings]
    assert str(results).split("\n\n") == said
    assert results.sentences(0.05).split("\n\n") == said[::2]
    assert repr(results) == "<Results: ours_base, printed>"
    assert all(f"<p>{sentence[:20]}" in results._repr_html_() for sentence in said)
    assert results.describe().count("\n") == 1
    again = pickle.loads(pickle.dumps(results))
    assert (str(again), again["printed"]) == (str(results), results["printed"])
    assert results.amounts().startswith("Over all 3 datasets, ours is ahead of base by ")


def test_levels_can_be_given(folder):
    written(folder)
    assert rep.read_study("study.yaml", alpha=0.1).ask().alphas == (0.1,)
    assert rep.read_study("study.yaml", alpha="[0.1, 0.02]").alphas == (0.1, 0.02)
    assert rep.read_study("study.yaml", alpha=[0.02, 0.01]).families[0].alpha == 0.02


def test_tables_of_several_comparisons(study):
    results = study.ask()
    assert list(results["printed"].table["p_value"]) == [0.001, 0.02, 0.25]
    assert results.leads().to_numpy().tolist() == [["ours-base", 3, 0, 0], ["A-B", 2, 0, 1]]
    assert list(results.leads()) == ["comparison", "A ahead", "equal", "B ahead"]
    assert list(results.groups()["group"]) == ["written"] * 2  # for A and for B
    assert list(results.groups())[-2:] == ["at least, α = 0.05", "at least, α = 0.01"]
    both = results.both_directions()
    assert list(both["alpha"]) == [0.025] * 4
    assert both.caption == "Both directions, tested simultaneously at alpha = 0.05."


def test_counts_are_of_the_directions_that_are_asked(study):
    results = study.ask()
    rows = results.counts()
    assert rows["comparison"].tolist() == [
        "ours-base", "ours-base (base better)", "ours-base", "ours-base (base better)", "A-B", "A-B"
    ]  # fmt: skip
    assert results.counts(both=False)["comparison"].tolist() == ["ours-base"] * 2 + ["A-B"] * 2
    both = results.counts(both=True)
    assert both["comparison"].tolist() == [
        "ours-base: ours better", "ours-base: base better", "A-B: A better", "A-B: B better"
    ]  # fmt: skip
    assert set(both["alpha"]) == {0.025}
    more = results.counts(["count", "stouffer"], both=False)
    assert {"k_count", "k_stouffer"} < set(more)
    for result, row in zip(results, more.iloc[::2].itertuples(), strict=True):
        found = findings.find(result.comparison, result.evaluated, 0.05, ["count", "stouffer"])
        assert (row.k_count, row.k_stouffer) == (found.counts["count"], found.counts["stouffer"])


def test_the_table_of_a_section_stands_as_it_was_printed(study):
    table = study.section("second").ask().table()
    assert table.astype(str).to_numpy().tolist() == [
        ["x", "3", "1", "0.001", "*+"], ["y", "2", "1", "0.02", "*"], ["z", "1", "4", "0.25", ""]
    ]  # fmt: skip
    assert "Holm" in table.caption
    assert "<th>dataset</th>" in table._repr_html_()


def test_figures_have_the_names_of_their_comparisons(study, folder, capsys):
    results = study.ask()
    assert list(results.evidence()) == results.names
    forests = results.forests()
    assert list(forests) == ["ours_base"]
    assert rep.save(forests, folder, "forest") is forests
    assert {file.name for file in (folder / "figures").iterdir()} == {
        "forest_ours_base.png", "forest_ours_base.svg"
    }  # fmt: skip
    forests._ipython_display_()
    none = study.section("second").ask().forests()
    none._ipython_display_()
    assert capsys.readouterr().out.count("Figure") == 1
    assert not none
    with pytest.raises(rep.InputError, match="Intervals need item scores"):
        results["printed"].forest()


def test_dependence_is_measured_where_units_are_shared(study):
    results = study.ask()
    assert results.dependence().startswith("No shared units are declared")
    differences = np.array([[1.0, 1, np.nan], [1, 1, 0], [-1, -1, 1], [1, 1, 1]])
    flipped = replace(results[0].evaluated, flips=joint.flip(differences, 2000))
    said = replace(results, results=(replace(results[0], evaluated=flipped),)).dependence()
    assert said.startswith("ours-base: 3 of 3 pairs of datasets share units. The")


def test_families_are_what_all_pairs_finds(study):
    (family,) = study.families
    assert family is study.families["all"] is study.families[0]
    frame = pd.read_csv("scores.csv")
    alone = rep.all_pairs(frame, dependence="independent")
    assert family.sentences == alone.sentences
    assert family.matrix().equals(alone.matrix())
    assert family.headline() == alone.headline(systems=family.systems)
    rows = study.families.table()
    assert rows["claims"].tolist() == ["one by one", "jointly"] * 2
    family.figure(jointly=False, systems=family.systems[:2], order="hand")


@pytest.mark.parametrize("against", [None, "base"])
def test_a_family_is_saved_as_its_matrix_and_what_is_behind(folder, against):
    frame = pd.read_csv("scores.csv").assign(same=lambda rows: rows["other"])
    family = rep.all_pairs(frame, dependence="independent", against=against)
    contents = []
    for run in ("one", "two"):
        table = rep.save(family, folder / run, "pairs")
        contents.append(
            {f.name: f.read_bytes() for f in sorted((folder / run / "tables").iterdir())}
        )
    assert contents[0] == contents[1]
    assert set(contents[0]) == {
        f"pairs.{ending}" for ending in ("csv", "md", "tex", "html", "json")
    }
    assert table.equals(family.matrix())
    behind = json.loads(contents[0]["pairs.json"])
    assert behind == family.cells()
    assert behind["systems"][-1] == "other (2 systems)"
    assert behind["datasets"] == ["news", "law", "talks"]
    for i, a in enumerate(family.pairs.distinct.values()):
        for j, b in enumerate(family.pairs.distinct.values()):
            names = family.systems[a], family.systems[b]
            if not family.pairs.compared[a, b]:
                assert behind["pvalues"][i][j] == behind["named"][i][j] == []
                continue
            assert behind["pvalues"][i][j] == pytest.approx(family.pairs.pvalues[a, b], rel=0.051)
            alone, jointly = (family.named(*names, jointly=both) for both in (False, True))
            assert behind["named"][i][j] == [
                (d in alone) + (d in jointly) for d in behind["datasets"]
            ]


def test_a_table_is_saved_with_its_caption_and_its_full_numbers(folder):
    full = pd.DataFrame({"k": [1.23456]})
    table = rep.Table(full.round(1), "Its caption.", full)
    assert rep.save(table, folder, "t").caption == "Its caption."
    assert (folder / "tables/t.csv").read_text() == "k\n1.23456\n"
    assert "1.2" in (folder / "tables/t.md").read_text()
    assert rep.save(table, folder, "t", "Another.").caption == "Another."
    assert "Another." in (folder / "tables/t.tex").read_text()
    assert type(table[table["k"] > 1]) is pd.DataFrame
    assert rep.save("No groups.", folder, "none") == "No groups."
    assert not (folder / "tables/none.csv").exists()


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda s: s.section("frist"), "mine: section 'frist' is not one of first, second"),
        (lambda s: s.ask()["prined"], "comparison 'prined' is not one of ours_base, printed"),
        (lambda s: s.families["al"], "family 'al' is not one of all"),
        (lambda s: s.ask().sentences(0.2), r"alpha=0.2 is not one of the study's levels"),
        (lambda s: s.families[0].figure(systems=["our"]), "system 'our' is not one of ours, "),
        (lambda s: rep.save(3, "out", "x"), "An object of type int cannot be saved; pass a table"),
        (lambda s: rep.save(s.ask().table(), "out", "a/b"), "'a/b' is not a valid file name"),
        (lambda s: rep.save(s.ask().table(), "out", ""), "'' is not a valid file name"),
        (lambda s: rep.save(s.ask().table(), "scores.csv", "x"), "could not be written"),
        (lambda s: rep.read_study("study.yaml", alpha=[]), r"alpha= is \[\], but alpha must be"),
        (lambda s: rep.read_study("study.yaml", alpha=2), "alpha"),
        (lambda s: rep.read_study("study.yaml", alpha="[0.1"), r"alpha= is '\[0.1', but alpha"),
        (lambda s: rep.read_study("stduy.yaml"), "stduy.yaml"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused(study, ask, said):
    with pytest.raises(rep.InputError, match=said):
        ask(study)


def test_any_group_has_a_bound_afterwards(study):
    ours, printed = study.ask()
    assert ours.about(["law", "news"]) == (
        "Group law and news: ours outperforms base on both datasets (with the same guarantee)."
    )
    assert ours.about("talks") == (
        "Group talks: there is no evidence that ours outperforms base on the only dataset (with "
        "the same guarantee)."
    )
    assert printed.about(["z", "x"]) == (
        "Group z and x: A outperforms B on at least 1 of 2 datasets (closed testing, Fisher; with "
        "a separate guarantee)."
    )
    with pytest.raises(rep.InputError, match="dataset 'w' is not one of x, y, z"):
        printed.about(["w"])
    many = replace(printed.findings[0], of_groups=None)
    assert findings.of_group(many, ["x"]).startswith("Bounds of groups are not available")


def test_the_page_of_a_study_is_one_file(study, folder):
    page = study.report("out/page.html", command="make page").read_text()
    assert "<!doctype html>" in page.lower()[:100]
    assert all(title in page for title in ("ours-base", "A-B", "make page"))
    part = study.section("second").report("out/part.html").read_text()
    assert "Fisher" in part


def test_a_result_has_a_table_as_people_read_it(study):
    result = study.ask()["ours_base"]
    table = result.summary()
    assert table["difference (95% interval)"].str.contains(" to ").all()
    assert table.full.equals(result.table)
    assert table.caption.endswith("The 95% confidence applies to each interval alone.")


def test_a_study_without_comparisons_has_families_only(folder):
    without = {key: value for key, value in STUDY.items() if key != "comparisons"}
    (folder / "families.yaml").write_text(yaml.safe_dump(without))
    families = rep.read_study("families.yaml")
    assert (len(families.ask()), str(families.ask()), len(families.families)) == (0, "", 1)
    assert families.ask().counts().empty
    assert families.ask()._repr_html_() == ""
    assert families.ask().both_directions().empty
    with pytest.raises(rep.InputError, match="no comparisons of two systems; use the tables"):
        families.ask().table()
    (folder / "empty.yaml").write_text("study: mine\nalphas: [0.05]\n")
    with pytest.raises(rep.InputError, match=r"empty.yaml does not say what to compare"):
        rep.read_study("empty.yaml")
