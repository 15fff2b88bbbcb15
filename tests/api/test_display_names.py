"""Labels: what systems, datasets and groups are called, at every door and in every output."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli

RIGHT = [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]
TABLE = pd.DataFrame(
    {
        "dataset": ["news"] * 12 + ["law"] * 12 + ["talks"] * 12,
        "instance": [f"i{k}" for k in range(36)],
        "ours": RIGHT * 3,
        "base": [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0] * 2 + [1, 0] * 6,
    }
)
LABELS = {"ours": "Großes Modell (7B)", "news": "Nachrichten | été", "written": "Schrift & Ton"}
ASKED = {
    "a": "ours",
    "b": "base",
    "dependence": "independent",
    "test": "sign_flip",
    "options": {"n_resamples": 200},
    "groups": {"written": ["news", "law"]},
}


@pytest.fixture(scope="module")
def both():
    return rep.compare(TABLE, **ASKED), rep.compare(TABLE, **ASKED, labels=LABELS)


def test_numbers_are_those_without_labels(both):
    plain, called = both
    columns = [name for name in plain.table if name != "dataset"]
    pd.testing.assert_frame_equal(plain.table[columns], called.table[columns])
    assert (plain.k, plain.k_worse) == (called.k, called.k_worse)
    assert called.datasets == (LABELS["news"], "law", "talks")
    assert called.systems == (LABELS["ours"], "base")
    assert called.title == f"{LABELS['ours']}-base"
    assert called.bounds() == {LABELS["written"]: plain.bounds()["written"]}


def test_every_output_has_the_labels(both, tmp_path):
    _, called = both
    page = called.report(tmp_path / "page.html").read_text(encoding="utf-8")
    texts = [str(called), called.to_markdown(), called._repr_html_(), called.summary().to_string()]
    for text in (*texts, page):
        assert "Großes Modell (7B)" in text
        assert "été" in text
    assert "Schrift &amp; Ton" in page
    drawn = [text.get_text() for text in called.figure().findobj() if hasattr(text, "get_text")]
    assert any("Nachrichten" in text for text in drawn)


def test_json_keeps_the_names_of_the_data_beside_them(both):
    _, called = both
    answer = json.loads(json.dumps(called.to_dict()))
    assert answer["labels"] == LABELS
    assert answer["systems"][0] == LABELS["ours"]
    assert rep.Result.from_dict(answer) == called


def test_a_margin_and_shared_units_follow(both):
    asked = {"claim": "not_worse", "margin": {"news": 0.3, "law": 0.2, "talks": 0.1}}
    given = {key: ASKED[key] for key in ("a", "b", "groups")}
    shared = {"shared": {"rows": ["news", "law"]}, "n_flips": 200}
    for more in (asked, shared):
        table = TABLE.assign(instance=TABLE.groupby("dataset").cumcount().astype(str))
        plain = rep.compare(table, **given, **more)
        called = rep.compare(table, **given, **more, labels=LABELS)
        assert called.table["p_value"].tolist() == plain.table["p_value"].tolist()
        assert "news" not in str(called)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"nws": "N"}, r"labels=: the name 'nws' is not one of .*did you mean 'news'"),
        ({"news": "law"}, r"labels=: 2 datasets would have the label 'law'; give each a different"),
        ({"ours": "base"}, r"labels=: 2 systems would have the label 'base'"),
        ({"news": "N", "law": "N"}, r"labels=: 2 datasets would have the label 'N'"),
        ({"news": ""}, r"labels"),
        ({}, r"labels"),
        ("news", r"labels"),
        ({"news": 3}, r"labels"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, message):
    with pytest.raises(rep.InputError, match=message):
        rep.compare(TABLE, **ASKED, labels=labels)


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Return a function that writes a study of two comparisons."""
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("items.csv", index=False)
    pvalues = "kind,p,large,small\nnews,0.001,91.2,88.0\nweb,0.6,80.3,80.6\n"
    (tmp_path / "p.csv").write_text(pvalues, encoding="utf-8")
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    read = {"dataset": "kind", "p_value": "p", "scores": ["large", "small"]}

    def write(own=None, **keys):
        items = {"name": "items", "systems": ["ours", "base"], "dependence": "independent"}
        items |= {"file": "items.csv", "columns": columns}
        printed = {"name": "printed", "systems": ["large", "small"], "dependence": "independent"}
        printed |= {"file": "p.csv", "columns": read, **({"labels": own} if own else {})}
        content = {"study": "called", "alphas": [0.05], "comparisons": [items, printed]} | keys
        (tmp_path / "called.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("called.yaml")

    return write


def test_a_study_says_labels_once_for_all_its_comparisons(study):
    found = study({"news": "Zeitung"}, labels={"news": "N", "ours": "O", "large": "L"}).ask()
    assert found["items"].datasets[0] == "N"
    assert found["printed"].datasets[0] == "Zeitung"
    assert [one.title for one in found] == ["O-base", "L-small"]
    table = found.tables()["printed"]
    assert [*table.columns][:3] == ["kind", "L", "small"]
    assert table["kind"].tolist() == ["Zeitung", "web"]
    shown = found.tables()._repr_html_()
    assert shown.index("<p>O-base</p>") < shown.index("<p>L-small</p>")
    assert "L outperforms" in found.sentences()


def test_labels_of_a_study_for_what_no_comparison_has_are_refused(study):
    with pytest.raises(rep.InputError, match=r"labels: the name 'wob' is not one of .*'web'"):
        study(labels={"wob": "W"}).ask()


def test_the_page_of_a_study_has_the_labels(study, tmp_path):
    asked = study(labels={"news": "Nachrichten", "ours": "Unseres"})
    page = asked.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Unseres" in page
    assert "Nachrichten" in page


def test_labels_are_checked_when_a_study_is_read_if_it_names_its_datasets(study):
    web = {"datasets": ["news", "web"], "name": "printed", "systems": ["large", "small"]}
    web |= {"file": "p.csv", "columns": {"dataset": "kind", "p_value": "p"}}
    alone = [web | {"dependence": "independent"}]
    assert study(labels={"web": "W", "large": "L"}, comparisons=alone)
    for place in ({"labels": {"wob": "W"}}, {"comparisons": [alone[0] | {"labels": {"wob": "W"}}]}):
        with pytest.raises(rep.InputError, match=r"yaml: labels: the name 'wob' .*mean 'web'\?"):
            study(**{"comparisons": alone} | place)


def test_one_section_refuses_labels_that_no_section_has(study):
    columns = {"dataset": "kind", "p_value": "p"}
    printed = {"name": "printed", "systems": ["large", "small"], "dependence": "independent"}
    printed |= {"file": "p.csv", "columns": columns, "section": "one"}
    items = {"name": "items", "systems": ["ours", "base"], "dependence": "independent"}
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
    items |= {"file": "items.csv", "columns": columns, "section": "two"}

    def one(labels, **change):
        asked = study(labels=labels, comparisons=[printed, items | change])
        return asked.section("one").ask()

    assert one({"law": "Recht", "web": "Netz"})["printed"].datasets == ("news", "Netz")
    with pytest.raises(rep.InputError, match=r"labels: the name 'lwa' .*did you mean 'law'\?"):
        one({"lwa": "Recht"})
    # the other section may have it, as long as nobody can read that
    assert one({"lwa": "Recht"}, file="later.csv")


# --- three or more systems -----------------------------------------------------------------------

THREE = TABLE.assign(old=[0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0] * 3)
OF_THREE = LABELS | {"old": "Altes <System>"}
del OF_THREE["written"]
DECLARED = {"dependence": "independent", "options": {"n_resamples": 200}, "test": "sign_flip"}


@pytest.fixture(
    scope="module",
    params=[{}, DECLARED, {"dependence": "independent"}, {"against": "base"}, {"shared": True}],
    ids=["plain", "drawn p-values", "draws", "against", "shared"],
)
def families(request):
    table = THREE.assign(instance=THREE.groupby("dataset").cumcount().astype(str))
    asked = request.param
    if asked.get("dependence"):
        table = THREE
    return rep.all_pairs(table, **asked), rep.all_pairs(table, **asked, labels=OF_THREE)


def test_a_family_has_the_numbers_that_it_has_without_labels(families):
    plain, called = families
    assert called.systems == tuple(OF_THREE.get(name, name) for name in plain.systems)
    numbers = ["ahead", "at_least", "jointly"]
    pd.testing.assert_frame_equal(plain.table[numbers], called.table[numbers])
    named = [OF_THREE.get(name, name) for name in plain.named("ours", "base")]
    assert called.named(LABELS["ours"], "base") == named
    assert called.method == plain.method


def test_every_output_of_a_family_has_the_labels(families, tmp_path):
    _, called = families
    page = called.report(tmp_path / "family.html").read_text(encoding="utf-8")
    texts = [called.to_markdown(), called._repr_html_(), called.to_csv(), called.to_latex()]
    texts += [called.matrix().to_string(), called.summary.to_string(), page]
    for text in texts:
        assert "Großes Modell (7B)" in text
    drawn = [called.figure(), *([] if called.pairs.against else [called.layers_figure()])]
    for figure in drawn:
        words = " ".join(t.get_text() for t in figure.findobj() if hasattr(t, "get_text"))
        assert "Altes <System>" in words.replace("\n", " ")
    assert "<System>" not in page
    assert called.cells()["datasets"][0] == LABELS["news"]


def test_json_of_a_family_keeps_the_names_of_the_data(families):
    _, called = families
    answer = json.loads(json.dumps(called.to_dict()))
    assert answer["labels"] == OF_THREE
    assert answer["systems"] == [*called.systems]
    assert set(answer["read"]["systems"]) >= {"ours", "old"}


def test_notes_on_datasets_have_the_labels():
    rng = np.random.default_rng(3)
    scores = {name: [*rng.integers(0, 2, 40)] * 2 for name in ("ours", "base", "old")}
    items = {"dataset": ["news"] * 40 + ["law"] * 40, "instance": [*map(str, range(80))]}
    same = pd.DataFrame(items | scores)
    for asked in (
        rep.all_pairs,
        lambda table, **more: rep.compare(table, a="ours", b="base", **more),
    ):
        notes = " ".join(asked(same, labels={"news": "law 1", "law": "news 1"}).notes)
        assert "'law 1' and 'news 1' have the same scores" in notes
    short = THREE.melt(["dataset", "instance"], var_name="system", value_name="score").iloc[1:]
    found = rep.all_pairs(short, missing="drop", labels=OF_THREE).notes
    assert "1 of 12 on 'Nachrichten | été' (1 for Großes Modell (7B))" in " ".join(found)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"nws": "N"}, r"the name 'nws' is not one of .*did you mean 'news'"),
        ({"ours": "old"}, r"2 systems would have the label 'old'"),
        ({"news": "law"}, r"2 datasets would have the label 'law'"),
    ],
)
def test_labels_of_families_and_gates_that_do_not_fit_are_refused(labels, message):
    with pytest.raises(rep.InputError, match=f"labels=: {message}"):
        rep.all_pairs(THREE, labels=labels)
    with pytest.raises(rep.InputError, match=f"labels=: {message}"):
        rep.gate(THREE, systems=["old", "ours"], margin=0.1, labels=labels)


def test_a_family_of_trials_has_labels():
    counts = pd.DataFrame({"task": ["lift", "push"] * 3, "system": [*"aabbcc"]})
    counts = counts.assign(right=[19, 18, 9, 8, 3, 4], tried=20)
    read = {"dataset": "task", "system": "system", "successes": "right", "trials": "tried"}
    labels = {"a": "Arm A", "push": "Schieben"}
    found = rep.all_pairs(counts, **read, labels=labels)
    assert found.systems == ("Arm A", "b", "c")
    assert found.pairs.datasets == ("lift", "Schieben")


def test_the_command_and_a_study_give_a_family_its_labels(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    THREE.to_csv("three.csv", index=False)
    python = rep.all_pairs("three.csv", systems=["ours", "base", "old"], labels=OF_THREE)
    flags = [word for pair in OF_THREE.items() for word in ("--label", "=".join(pair))]
    command = ["family", "three.csv", "--systems", "ours", "base", "old", *flags]
    assert cli.main(command) == 0
    assert "Altes <System>" in capsys.readouterr().out
    assert cli.main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == OF_THREE
    assert cli.main([*command[:-1], "lod=Altes", "--json"]) == 1
    assert "the name 'lod' is not one of" in capsys.readouterr().err
    columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base", "old"]}
    block = {"name": "all", "dependence": "dependent", "file": "three.csv", "columns": columns}

    def study(own=None, **of_study):
        families = [block | ({"labels": own} if own else {})]
        content = {"study": "three", "alphas": [0.05], "families": families, **of_study}
        (tmp_path / "three.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("three.yaml")

    for found in (study(OF_THREE), study({"old": OF_THREE["old"]}, labels=OF_THREE | {"old": "O"})):
        assert str(found.families["all"]) == str(python)
        page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
        assert "Großes Modell (7B)" in page
    for labels in ({"own": {"lod": "O"}}, {"labels": {"lod": "O"}}):
        with pytest.raises(rep.InputError, match=r"labels'?: the name 'lod' .* mean 'old'\?"):
            study(**labels).families["all"]


# --- gates ---------------------------------------------------------------------------------------

GATED = {"systems": ["ours", "old"], "margin": 0.02, "dependence": "independent"}
POLICY = {"datasets": {"news": {"must_not_regress": True}, "talks": {"ignore": True}}}


@pytest.fixture(scope="module")
def gates():
    labels = OF_THREE | {"talks": "Vorträge"}
    plain = rep.gate(THREE, **GATED, policy=POLICY)
    return plain, rep.gate(THREE, **GATED, policy=POLICY | {"labels": labels})


def test_a_gate_decides_the_same_with_labels(gates):
    plain, called = gates
    assert (called.verdict, called.k_worse) == (plain.verdict, plain.k_worse) == ("BLOCK", 2)
    assert called.systems == (LABELS["ours"], "Altes <System>")
    assert called.regressed == [OF_THREE.get(name, name) for name in plain.regressed]
    assert called.policy.guarded == (LABELS["news"],) and called.ignored == ("Vorträge",)
    assert [flip[1:] for flip in called.flips] == [flip[1:] for flip in plain.flips]
    columns = [name for name in plain.table if name != "dataset"]
    pd.testing.assert_frame_equal(plain.table[columns], called.table[columns])


def test_every_output_of_a_gate_has_the_labels(gates, tmp_path):
    _, called = gates
    page = called.report(tmp_path / "gate.html").read_text(encoding="utf-8")
    for text in (str(called), called.to_markdown(), called.to_junit(), called._repr_html_(), page):
        assert "Nachrichten" in text and "Großes Modell (7B)" in text
    assert "The policy ignores Vorträge." in str(called)
    answer = json.loads(json.dumps(called.to_dict()))
    assert answer["labels"]["old"] == "Altes <System>"
    assert answer["read"]["systems"] == ["old", "ours"]


def test_the_command_gives_a_gate_its_labels(gates, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    THREE.to_csv("three.csv", index=False)
    command = ["gate", "three.csv", "--systems", "ours", "old", "--margin", "0.02"]
    assert cli.main([*command, "--label", "law=Recht", "--label", "old=v2"]) == 1
    said = capsys.readouterr().out
    assert "v2 is worse than ours" in said and "Recht" in said
    assert cli.main([*command, "--label", "lwa=Recht"]) == 3
    assert "--label: the name 'lwa'" in capsys.readouterr().err
