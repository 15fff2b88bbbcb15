import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

import replicability as rep
from replicability import cli
from replicability.checks import InputError

SIZES = {"news": 300, "law": 200, "talks": 250, "mail": 150}


def scores(worse=(), by=0.4, changed=0.06, seed=1, sizes=SIZES):
    """Return right or wrong of a base, and of a system that is worse on some datasets."""
    parts = []
    for name, n in sizes.items():
        rng = np.random.default_rng([seed, *name.encode()])
        base = rng.random(n) < 0.7
        new = np.where(rng.random(n) < changed, rng.random(n) < 0.7, base)
        new &= rng.random(n) >= by * (name in worse)
        frame = {"dataset": name, "id": np.arange(n), "v1": base, "v2": new}
        parts.append(pd.DataFrame(frame).astype({"v1": int, "v2": int}))
    return pd.concat(parts, ignore_index=True)


ONE = {"systems": ["v1", "v2"], "instance": "id"}


def gate(frame, **asked):
    return rep.gate(frame, **{**ONE, "margin": 0.08, **asked})


def test_the_three_verdicts():
    same, worse = scores(), scores(worse=["law"])
    found = gate(same)
    assert (found.verdict, found.exit_code, found.regressed) == ("SHIP", 0, [])
    assert str(found).startswith(
        "SHIP: v2 is not worse than v1 by more than 0.08 on any of 4 datasets (95% confidence)."
    )
    found = gate(worse)
    assert (found.verdict, found.exit_code, found.regressed) == ("BLOCK", 1, ["law"])
    assert "v2 is worse than v1 on at least 1 of 4 datasets, namely law (-0." in str(found)
    found = gate(same, margin=0.001)
    assert (found.verdict, found.exit_code) == ("CANNOT TELL", 2)
    said = "if the observed differences are the true ones, collect more items: "
    assert said in str(found)


def test_it_agrees_with_compare():
    frame = scores(worse=["law", "mail"])
    found = gate(frame, block=1, ship="every")
    names = {"a": "v1", "b": "v2", "instance": "id"}
    worse = rep.compare(frame, **names, alternative="greater")
    assert (found.k_worse, found.regressed) == (worse.k, worse.named)
    assert found.table["p_worse"].tolist() == worse.table["p_value"].tolist()
    turned = {"a": "v2", "b": "v1", "instance": "id"}
    within = rep.compare(frame, **turned, claim="not_worse", margin=0.08)
    assert found.table["p_not_worse"].tolist() == within.table["p_value"].tolist()
    np.testing.assert_allclose(found.table["difference"], -worse.table["difference"], atol=1e-15)


def test_guarded_ignored_and_own_margins():
    frame = scores(worse=["law"])
    policy = {"margin": 0.5, "datasets": {"law": {"must_not_regress": True}}}
    assert gate(frame, margin=None, policy=policy).verdict == "BLOCK"
    assert gate(frame, margin=0.5, must_not_regress=["law"]).verdict == "BLOCK"
    assert gate(frame, margin=0.5).verdict == "SHIP"
    ignoring = gate(frame, policy={"datasets": {"law": {"ignore": True}}})
    assert (ignoring.verdict, ignoring.ignored, ignoring.n) == ("SHIP", ("law",), 3)
    own = gate(frame, policy={"datasets": {"law": {"margin": 0.5}}})
    assert own.verdict == "SHIP"
    assert own.table["margin"].tolist() == [0.08, 0.5, 0.08, 0.08]
    group = {"groups": {"spoken": {"datasets": ["law", "talks"], "margin": 0.5}}}
    assert gate(frame, policy=group).table["margin"].tolist() == [0.08, 0.5, 0.5, 0.08]
    both = {**group, "datasets": {"talks": {"margin": 0.1}}}
    assert gate(frame, policy=both).table["margin"].tolist() == [0.08, 0.5, 0.1, 0.08]


def test_a_policy_file_says_the_same_as_keywords(tmp_path):
    frame = scores(worse=["law"])
    asked = {"margin": 0.1, "ship": 3, "block": 2, "alpha": 0.1, "dependence": "independent"}
    file = tmp_path / "gate.yaml"
    file.write_text(yaml.safe_dump(asked))
    by_file = rep.gate(frame, **ONE, policy=file)
    assert by_file.to_dict() == rep.gate(frame, **ONE, **asked).to_dict()
    assert by_file.to_dict() == rep.gate(frame, **ONE, policy=asked).to_dict()
    assert rep.gate(frame, **ONE, policy=file, margin=0.2).table["margin"][0] == 0.2


def test_a_lower_score_can_be_better():
    frame = scores(worse=["law"])
    turned = frame.assign(v1=1 - frame["v1"], v2=1 - frame["v2"])
    found = gate(turned, higher_is_better=False)
    expected = gate(frame)
    assert str(found) == str(expected)
    np.testing.assert_allclose(found.table["score_base"], 1 - expected.table["score_base"])


def test_a_mean_is_decided_by_its_interval():
    frame = scores()
    found = gate(frame, ship="overall", margin=0.02, dependence="independent")
    interval = rep.compare(
        frame, a="v2", b="v1", instance="id", dependence="independent", alternative="greater"
    ).overall
    assert (found.verdict == "SHIP") == (interval.at_least > -0.02)
    mean = found.evidence.mean
    assert mean.low == pytest.approx(interval.at_least)
    assert (mean.difference, mean.error) == pytest.approx(
        (interval.difference, interval.standard_error)
    )
    # R: pnorm(0.02 / mean.error - qnorm(0.95))
    assert found.power == pytest.approx(stats.norm.cdf(0.02 / mean.error - 1.6448536))
    assert found.table["items_needed"].isna().all()


def test_what_a_mean_that_cannot_tell_would_need():
    frame = scores()
    found = gate(frame, ship="overall", margin=0.004)
    mean = found.evidence.mean
    assert (found.verdict, found.to_dict()["power"]) == ("CANNOT TELL", found.power)
    expected = (2.4864749 * mean.error / (mean.difference + 0.004)) ** 2  # 1.6449 + .8416
    assert found.times_items == found.to_dict()["times_items"] == pytest.approx(expected)
    said = f"{expected:,.1f} times as many items on every dataset would lead to SHIP with prob"
    assert said in str(found) and "would lead to SHIP with probability" in found.to_markdown()
    worse = gate(scores(worse=SIZES, by=0.02), ship="overall", margin=1e-4)
    assert "no number of items would lead to SHIP" in str(worse)
    assert gate(frame, ship="overall").times_items is None
    assert gate(frame).times_items is None


@pytest.mark.parametrize("seed", range(3))
def test_order_and_container_do_not_matter(seed, tmp_path):
    frame = scores(worse=["law"], seed=seed)
    expected = gate(frame)
    shuffled = frame.sample(frac=1, random_state=seed)
    found = gate(shuffled, datasets=list(SIZES))
    assert set(found.regressed) == set(expected.regressed)
    assert found.verdict == expected.verdict
    for side in ("v1", "v2"):
        kept = frame.rename(columns={side: "score"})[["dataset", "id", "score"]]
        kept.to_csv(tmp_path / f"{side}.csv", index=False)
    of_files = rep.gate(tmp_path / "v1.csv", tmp_path / "v2.csv", instance="id", margin=0.08)
    pd.testing.assert_frame_equal(of_files.table, expected.table)


@pytest.mark.long
def test_releases_in_which_nothing_changed_are_seldom_blocked():
    """Through the public API: systems that differ on a tenth of their items by chance."""
    studies = 200
    blocked = shipped_worse = 0
    sizes = {f"d{j}": 100 for j in range(6)}
    for seed in range(studies):
        blocked += gate(scores(seed=seed, sizes=sizes)).verdict == "BLOCK"
        worse = scores(worse=["d0"], by=0.16, seed=seed, sizes=sizes)  # by .11, above the margin
        shipped_worse += gate(worse).verdict == "SHIP"
    limit = 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)
    assert blocked / studies <= limit
    assert shipped_worse / studies <= limit


def test_what_is_written(tmp_path):
    found = gate(scores(worse=["law"]))
    comment = found.to_markdown()
    assert comment.startswith("### BLOCK: v2 is worse than v1\n")
    assert "**law**" in comment
    assert "<details>" in comment
    assert len(found.flips) == 10
    assert {flip[0] for flip in found.flips} == {"law"}
    assert all(base > new for _, _, base, new in found.flips)
    suite = ElementTree.fromstring(found.to_junit())
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases["verdict"] == ["failure"]
    assert cases["law"] == ["failure"]
    assert suite.get("tests") == "5"
    page = found.report(tmp_path / "page.html").read_text()
    assert "BLOCK: v2 is worse than v1" in page
    assert json.loads(json.dumps(found.to_dict()))["regressed"] == ["law"]
    assert "<table" in found._repr_html_()


def test_names_cannot_break_a_comment():
    frame = scores(worse=["law"]).replace({"dataset": {"law": "a|b <i>\n"}})
    frame["dataset"] = frame["dataset"].str.strip()
    found = gate(frame)
    assert found.to_markdown().replace("\\<i>", "").count("<i>") == 0
    assert ElementTree.fromstring(found.to_junit()) is not None


@pytest.mark.parametrize(
    "asked, message",
    [
        ({"margin": None}, "No margin is given for the datasets news, law, talks"),
        ({"margin": {"news": 0.1}}, "No margin is given for"),
        ({"margin": {"newz": 0.1}}, "'newz' is not one of.*did you mean 'news'"),
        ({"margin": -1}, "the largest loss in score that you accept from the new system"),
        ({"ship": "all"}, "ship must be every, overall, or a number of datasets"),
        ({"ship": 9}, "requires 9 datasets, but the systems are compared on 4"),
        ({"block": 0}, "block must be a number of datasets"),
        ({"alpha": [0.05, 0.01]}, "has several levels, but a gate uses only one; choose one"),
        ({"must_not_regress": ["laws"]}, "'laws' is not one of"),
        ({"systems": ["v1"]}, "A gate compares two systems, but you named 1"),
        ({"systems": ()}, "you did not say which is the base"),
        ({"a": "v1"}, "A gate takes systems="),
        ({"policy": {"margins": 0.1}}, "unknown key 'margins'.*did you mean 'margin'"),
        ({"policy": {"datasets": {"law": {"ignor": True}}}}, "unknown key 'ignor'"),
        ({"policy": {"datasets": {"lawn": {"ignore": True}}}}, "'lawn' is not one of"),
        ({"policy": {"groups": {"g": {"margin": 0.1}}}}, "the key 'datasets' is missing"),
        ({"policy": 7}, "pass a YAML file, or a dictionary"),
        ({"policy": "nowhere.yaml"}, "nowhere.yaml does not exist"),
        (
            {"policy": {"datasets": {name: {"ignore": True} for name in SIZES}}},
            "ignores every dataset",
        ),
    ],
)
def test_what_is_refused(asked, message):
    with pytest.raises(InputError, match=message):
        gate(scores(), **asked)


def test_groups_that_contradict_each_other():
    groups = {
        "x": {"datasets": ["law"], "margin": 0.1},
        "y": {"datasets": ["law", "news"], "margin": 0.2},
    }
    with pytest.raises(InputError, match="'x' and 'y' give the dataset 'law' different values"):
        gate(scores(), policy={"groups": groups})
    settled = gate(scores(), policy={"groups": groups, "datasets": {"law": {"margin": 0.3}}})
    assert settled.table["margin"].tolist() == [0.2, 0.3, 0.08, 0.08]


# --- the command line ----------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores().to_csv("same.csv", index=False)
    scores(worse=["law"]).to_csv("worse.csv", index=False)


ARGUMENTS = ["--systems", "v1", "v2", "--instance", "id", "--margin", "0.08"]


@pytest.mark.parametrize(
    "arguments, status",
    [
        (["same.csv", *ARGUMENTS], 0),
        (["worse.csv", *ARGUMENTS], 1),
        (["same.csv", *ARGUMENTS[:-1], "0.001"], 2),
        (["none.csv", *ARGUMENTS], 3),
        (["same.csv", *ARGUMENTS[:-2]], 3),
        (["same.csv", *ARGUMENTS, "--policy", "none.yaml"], 3),
    ],
)
def test_the_status_is_the_verdict(files, capsys, arguments, status):
    assert cli.main(["gate", *arguments]) == status
    printed = capsys.readouterr()
    assert bool(printed.out) == (status < 3)
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("arguments", [[], ["same.csv", "--marginn", "1"], ["a", "b", "c"]])
def test_wrong_usage_is_no_verdict(files, arguments):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["gate", *arguments])
    assert stopped.value.code == 3


def test_the_command_answers_as_python(files, capsys, tmp_path):
    places = ["--markdown", "c.md", "--junit", "j.xml", "--html", "p.html"]
    assert cli.main(["gate", "worse.csv", *ARGUMENTS, *places, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    expected = rep.gate("worse.csv", **ONE, margin=0.08)
    assert answer.pop("written").keys() == {"markdown", "junit", "html"}
    assert answer == expected.to_dict()
    assert (tmp_path / "c.md").read_text() == expected.to_markdown()
    assert (tmp_path / "j.xml").read_text() == expected.to_junit()
    assert (tmp_path / "p.html").read_text() == expected.page()


def test_no_input_is_overwritten(files, capsys):
    before = Path("same.csv").read_bytes()
    assert cli.main(["gate", "same.csv", *ARGUMENTS, "--junit", "same.csv"]) == 3
    assert "is one of the inputs" in capsys.readouterr().err
    assert Path("same.csv").read_bytes() == before
