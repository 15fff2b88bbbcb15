"""Labels: what systems, datasets and groups are called, at every door and in every output."""

import json

import pandas as pd
import pytest
import yaml

import replicability as rep

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
        ({"news": "law"}, r"labels=: 2 datasets would be called 'law'; give each a label"),
        ({"ours": "base"}, r"labels=: 2 systems would be called 'base'"),
        ({"news": "N", "law": "N"}, r"labels=: 2 datasets would be called 'N'"),
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
