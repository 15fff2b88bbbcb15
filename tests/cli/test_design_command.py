"""The command `design`."""

import html
import json
import re

import pandas as pd
import pytest

import replicability as rep
from replicability import cli
from replicability.core import design as designs
from replicability.stats.power_of_means import mean_difference_error

TWENTY = ("--datasets", "20", "--items", "500", "--discordant", "0.15")
FISHER = ("--method", "fisher", "--alternative", "greater")


@pytest.fixture
def run(capsys):
    def ask(*arguments):
        assert cli.main(["design", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return ask


@pytest.fixture
def refused(capsys):
    def ask(*arguments):
        assert cli.main(["design", *map(str, arguments)]) == 1
        return capsys.readouterr().err.strip()

    return ask


@pytest.mark.slow
def test_the_reference_suite(run):
    answer = json.loads(run(*TWENTY, *FISHER, "--gain", "0.03", "--json"))
    planned = next(row for row in answer["table"] if row["factor"] == 1)
    assert planned["count"] == pytest.approx(9.8, abs=0.1)
    assert planned["bonferroni"] == pytest.approx(2.5, abs=0.1)
    assert planned["k_hat"] == pytest.approx(11.7, abs=0.1)
    assert planned["names"] == pytest.approx(3.9, abs=0.6)
    assert (answer["datasets"], answer["method"], answer["least_wins"]) == (20, "fisher", 5)
    assert answer["small_sets"] is None
    assert answer["needed"] is None


@pytest.mark.long
def test_both_directions_are_planned_by_default(run):
    given = (*TWENTY, "--gain", "0.03", "--json")
    both, one = json.loads(run(*given)), json.loads(run(*given, "--alternative", "greater"))
    assert (both["alternative"], both["level"]) == ("two-sided", 0.025)
    assert (one["alternative"], one["level"]) == ("greater", 0.05)
    assert both["table"][0]["count"] < one["table"][0]["count"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--claim", "not_worse", "--margin", "0.02"), "A is not worse than B by more than 2 po"),
        (("--claim", "equivalent", "--margin", "0.05"), "A and B differ by less than 5 points."),
        (("--claim", "better_by", "--margin", "0.01"), "A outperforms B by more than 1 point."),
    ],
)
def test_a_claim_with_a_margin_is_planned(run, asked, said):
    answer = json.loads(run(*TWENTY, *asked, "--json"))
    assert said in answer["sentences"][0]
    assert answer["alternative"] == "greater"
    assert answer["margin"] == [float(asked[-1])] * 20


@pytest.mark.slow
def test_a_target_is_reached_by_more_items(run):
    asked = ("--items", "60,100,200", "--discordant", "0.2", *FISHER, "--gain", "0.05")
    answer = json.loads(run(*asked, "--reach", "3", "--power", "0.7", "--json"))
    plan = rep.design(
        [60, 100, 200],
        discordant=0.2,
        method="fisher",
        alternative="greater",
        gains=[0.05],
        reach=3,
        power=0.7,
    )
    assert answer["needed"]["datasets"] == plan.needed.to_dict("records")
    assert answer["sentences"] == plan.sentences
    assert answer["least_gains"] == designs.least_gains(plan.suite, 0.7).to_dict("records")
    assert answer["needed"]["fewest"]["probability"] >= 0.7
    text = run(*asked, "--reach", "3", "--power", "0.7")
    assert "To reach 70%, every dataset needs" in " ".join(text.split())
    assert f"{plan.needed['fewest'][0]:,.0f}" in text


@pytest.mark.slow
def test_datasets_that_are_alike_have_one_row_of_needs(run):
    text = run(*TWENTY, *FISHER, "--gain", "0.03", "--reach", "15")
    assert "each of 20" in text


def test_a_design_effect_divides_the_items(run):
    asked = ("--items", "400,600", "--discordant", "0.2", "--gain", "0.05", "--json")
    effect = json.loads(run(*asked, "--design-effect", "2,3"))
    assert effect["design_effect"] == [2, 3]
    assert effect["table"][1]["count"] < json.loads(run(*asked))["table"][1]["count"]
    assert any("divided by the design effect" in note for note in effect["notes"])


@pytest.mark.slow
def test_text_and_json_say_the_same(run):
    text = run(*TWENTY, "--gain", "0.03")
    answer = json.loads(run(*TWENTY, "--gain", "0.03", "--json"))
    flowing = " ".join(text.split())
    assert all(sentence in flowing for sentence in (*answer["sentences"], *answer["notes"]))
    for row in answer["table"]:
        line = next(line for line in text.splitlines() if line.startswith(row["instances"]))
        assert f"{row['k_hat']:.1f}" in line.split()
        assert f"{row['count']:.1f}" in line.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "sizes"),
    [
        (("--items", "100,100,250"), [100, 100, 250]),
        (("--items", "40:400", "--datasets", "4"), [40, 160, 280, 400]),
        (("--items", "300", "--datasets", "2"), [300, 300]),
        (("--items", "300"), [300]),
    ],
)
def test_sizes_are_written_in_three_ways(run, items, sizes):
    answer = json.loads(run(*items, "--discordant", "0.3", "--gain", "0.1", "--json"))
    assert answer["sizes"] == sizes


@pytest.mark.slow
def test_scores_state_the_error_of_their_power(run):
    text = " ".join(run("--datasets", "5", "--items", "300", "--sd", "0.4").split())
    symmetric, skewed = mean_difference_error(300, 0.05 / 2 / 5)
    assert f"approximation is {symmetric:g} for symmetric and {skewed:g} for strongly" in text
    few = " ".join(run("--datasets", "5", "--items", "10", "--sd", "0.4").split())
    assert "The error of this approximation is not known for fewer than 20 items" in few


@pytest.fixture
def files(tmp_path):
    rows = [(d, f"{d}{i}", int(i % 5 > 0), int(i % 3 > 0)) for d in "xyz" for i in range(60)]
    table = pd.DataFrame(rows, columns=["dataset", "instance", "a", "b"])
    for side in "ab":
        part = table[["dataset", "instance", side]].rename(columns={side: "score"})
        part.to_csv(tmp_path / f"{side}.csv", index=False)
    return tmp_path / "a.csv", tmp_path / "b.csv"


@pytest.mark.slow
def test_a_pilot_of_two_files(run, files):
    answer = json.loads(run("--pilot", *files, "--gain", "0.1", "--json"))
    assert answer["sizes"] == [60, 60, 60]
    discordant = sum((i % 5 > 0) != (i % 3 > 0) for i in range(60))
    assert answer["discordant"] == pytest.approx([(discordant + 1) / 62] * 3)
    assert [row["dataset"] for row in answer["pilot"]] == list("xyz")
    assert "plan with the smallest gain that matters" in answer["notes"][-1]
    named = json.loads(run("--pilot", *files, "--gain", "0.1", "--reach", "y", "--json"))
    assert [row["dataset"] for row in named["needed"]["datasets"]] == list("xyz")
    assert [row["more"] > 0 for row in named["needed"]["datasets"]] == [False, True, False]


@pytest.mark.slow
def test_a_pilot_lends_its_spread_to_other_sizes(run, files):
    answer = json.loads(
        run("--pilot", *files, "--items", "500", "--datasets", "4", "--gain", "0.1", "--json")
    )
    assert answer["sizes"] == [500] * 4
    assert len(set(answer["discordant"])) == 1


def test_a_pilot_that_is_a_study(run, files, tmp_path):
    study = "study: s\nalphas: [0.05]\ncomparisons:\n"
    for name in ("one", "two"):
        study += (
            f"  - {{name: {name}, title: t, systems: [a, b], dependence: dependent, "
            f"file: {tmp_path}/wide.csv, columns: {{dataset: dataset, instance: instance, "
            "scores: [a, b]}}\n"
        )
    a, b = map(pd.read_csv, files)
    a.rename(columns={"score": "a"}).assign(b=b["score"]).to_csv(tmp_path / "wide.csv", index=False)
    (tmp_path / "s.yaml").write_text(study)
    found = json.loads(run("--pilot", tmp_path / "s.yaml", "two", "--gain", "0.1", "--json"))
    direct = json.loads(run("--pilot", *files, "--gain", "0.1", "--json"))
    assert found["dependence"] == direct["dependence"] == "dependent"
    assert found["table"] == direct["table"]
    assert cli.main(["design", "--pilot", str(tmp_path / "s.yaml")]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_figure_is_written(run, tmp_path, ending):
    file = tmp_path / f"design.{ending}"
    run("--datasets", "3", "--items", "50", "--discordant", "0.3", "--figure", file)
    assert file.stat().st_size > 5000


@pytest.mark.long
def test_the_page_says_what_the_answer_says(run, tmp_path):
    file = tmp_path / "design.html"
    asked = ("--datasets", "12", "--items", "40:400", "--discordant", "0.3", "--html", file)
    asked = (*asked, "--reach", "9", "--gain", "0.05,0.1,0.2")
    answer = json.loads(run(*asked, "--json"))
    page = file.read_text(encoding="utf-8")
    body = html.unescape(page)
    for sentence in (*answer["sentences"], *answer["notes"]):
        assert f"<p>{sentence}</p>" in body
    for row in answer["table"]:
        columns = ("k_hat", "names", "bonferroni", "count")
        cells = [f"{row[column]:.1f}" for column in columns]
        assert "".join(f'<td class="number">{cell}</td>' for cell in cells) in page
    assert page.count("<svg") == 1
    assert page.count("<table>") == 3
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    before = file.read_bytes()
    run(*asked)
    assert file.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "The number of items per dataset is missing; set it with --items"),
        (("--items", "500"), "Give either --discordant, the share of items that only one"),
        ((*TWENTY, "--sd", "1"), "Give either --discordant"),
        ((*TWENTY, "--gain", "0.2"), "gain[0] is 0.2, but it cannot exceed the share of"),
        ((*TWENTY, "--gain", "3"), "gain[0] is 3, but it cannot exceed the share of"),
        ((*TWENTY, "--gain=-0.03"), "A gain of -0.03 contradicts the claim that A is better"),
        ((*TWENTY, "--gain", "nan"), "A gain of nan contradicts the claim"),
        ((*TWENTY, "--gain", "3"), "0.03 for 3 points, or increase discordant"),
        (("--items", "9", "--discordant", "-0.1"), "discordant[0] is -0.1, but the share"),
        (("--items", "9", "--sd", "-1"), "sd[0] is -1, but the standard deviation"),
        ((*TWENTY, "--gain", "3 points"), "--gain is '3 points'; write a number"),
        ((*TWENTY, "--alpha", "5"), "--alpha is 5.0, but alpha must be above 0 and at most 0.5"),
        ((*TWENTY, "--dependence", "weak"), "dependence 'weak' is not one of independent"),
        ((*TWENTY, "--method", "holm"), "method 'holm' is not one of bonferroni"),
        ((*TWENTY, "--dependence", "dependent", "--method", "fisher"), "is valid for datasets"),
        ((*TWENTY, "--alternative", "less"), "alternative 'less' is not one of two-sided, greater"),
        ((*TWENTY, "--claim", "not_worse"), "needs a margin; set --margin in the unit"),
        ((*TWENTY, "--margin", "0.1"), "--margin is 0.1, but the claim 'better' takes no margin"),
        ((*TWENTY, "--claim", "better_by", "--margin", "3 points"), "--margin is '3 points'"),
        ((*TWENTY, "--design-effect", "-1"), "--design-effect is -1, but a design effect is a"),
        ((*TWENTY, "--design-effect", "1,2"), "--design-effect has 2 numbers for 20 datasets"),
        (
            (*TWENTY, "--reach", "21"),
            "--reach is 21; pass the k-hat that you want (1 to 20)",
        ),
        ((*TWENTY, "--reach", "news"), "reach: dataset 'news' is not one of 1, 2, 3"),
        ((*TWENTY, "--power", "1.5"), "power is 1.5, but a level of confidence must be strictly"),
        ((*TWENTY, "--figure", "design.txt"), "use a file name that ends in .png, .svg or .pdf"),
        ((*TWENTY, "--html", "/proc/none/x.html"), "could not be written"),
        ((*TWENTY, "--figure", "/no/such/folder/x.png"), "could not be written"),
        (("--items", "0", "--discordant", "0.1"), "--items is 0; pass a whole number of at least"),
        (("--items", "10.5", "--discordant", "0.1"), "--items is 10.5; pass a whole number"),
        (("--items", "many", "--discordant", "0.1"), "--items is 'many'; write a number"),
        (
            ("--items", "40:400", "--discordant", "0.1"),
            "write a range as smallest:largest, such as 40:400",
        ),
        (("--items", "500", "--discordant", "15"), "write, for example, 0.15 for 15%"),
        (
            ("--items", "5,6", "--datasets", "3", "--sd", "1"),
            "--items gives 2 sizes, but --datasets",
        ),
        (("--items", "5", "--datasets", "0", "--sd", "1"), "--datasets is 0; pass a whole number"),
        (("--items", "5", "--datasets", "nan", "--sd", "1"), "--datasets is nan; pass a whole"),
        (("--items", "5", "--datasets", "1e9", "--sd", "1"), "but must be at most 1,000"),
        (("--pilot", "none.yaml"), "none.yaml"),
        (("--pilot", "a.csv"), "--pilot takes a study, such as study.yaml, or two files"),
    ],
)
def test_what_is_refused(refused, arguments, message):
    assert message in refused(*arguments)


def test_a_spread_beside_a_pilot(refused, files):
    said = refused("--pilot", *files, "--sd", "1")
    message = "already shows how much the systems differ; leave out --sd, or leave out the pilot."
    assert message in said


def test_datasets_have_no_meaning_beside_the_sizes_of_a_pilot(refused, files):
    assert "--datasets has no effect" in refused("--pilot", *files, "--datasets", "4")
