"""Layouts, containers and disturbances crossed: the right answer or a refusal, never another."""

import json
import re
import warnings
from pathlib import Path

import pandas as pd
import pytest
import yaml
from scipy import stats

import replicability as rep
from corpus import generated
from replicability import cli

INPUTS = list(generated.inputs())
FEW = INPUTS[::71]
"""Some inputs of every kind, in which layouts and containers take turns."""

REMEDIES = re.compile(
    r"\b(add|call|choose|compare|convert|correct|declare|delete|fill|give|keep|lay|leave|let|make|"
    r"name|part|pass|put|recreate|rename|save|score|set|specify|take|unpack|use|write)\b|"
    r"did you mean"
)
"""Verbs, one of which says what to do, or a list to choose from."""


def answer(table):
    """Return what is compared of a result, whatever the order of the datasets."""
    table = table.sort_values("dataset", ignore_index=True)
    return table[["dataset", "n", "difference", "wins", "losses", "p_value"]]


def same(found, expected):
    """Check that two results agree."""
    pd.testing.assert_frame_equal(answer(found), answer(expected), rtol=1e-12)


def refused(error, pattern):
    """Check that a refusal is what it has to be, in sentences that say what to do."""
    said = str(error)
    assert re.search(pattern, said), said
    assert "\n" not in said and said.endswith((".", "?")), said
    assert REMEDIES.search(said), said


@pytest.fixture(scope="module")
def clean():
    """Return the answers of the clean tables by the kind of scores."""
    return {
        kind: rep.compare(generated.wide(generated.tidy(kind)), **generated.AB).table
        for kind in ("right", "shares", "counts")
    }


def expected(name, kind, rows, clean):
    """Return the answer that an input has to give, None if it is refused."""
    return {
        generated.SAME: lambda: clean[kind],
        generated.LIKE: lambda: rep.compare(generated.wide(rows), **generated.AB).table,
    }.get(name, lambda: None)()


def through_python(name, kind, layout, container, folder, clean):
    """Give an input to `compare`; return what it is given, the outcome and the answer."""
    tables, rows = generated.tables(name, kind, layout)
    outcome = generated.DISTURBANCES[name].of(layout)
    right = expected(outcome, kind, rows, clean)
    given = generated.stored(tables, container, folder)
    if right is None:
        with pytest.raises(rep.InputError) as error:
            rep.compare(*given, **generated.AB)
        refused(error.value, outcome)
    else:
        same(rep.compare(*given, **generated.AB).table, right)
    return given, outcome, right


def test_the_clean_answers_are_right(clean):
    rows = generated.wide(generated.tidy())
    for _, found in clean["right"].iterrows():
        part = rows[rows["dataset"] == found["dataset"]]
        wins = int((part["ours"] > part["base"]).sum())
        losses = int((part["ours"] < part["base"]).sum())
        p = stats.binomtest(wins, wins + losses, alternative="greater").pvalue
        assert (found["n"], found["wins"], found["losses"]) == (len(part), wins, losses)
        assert found["p_value"] == pytest.approx(p)
    for kind, table in clean.items():
        rows = generated.wide(generated.tidy(kind)).groupby("dataset", sort=False)
        means = rows["ours"].mean() - rows["base"].mean()
        assert table["difference"].to_numpy() == pytest.approx(means.to_numpy())


def test_there_are_enough_inputs():
    assert len(INPUTS) > 5_000
    assert {layout for _, _, layout, _ in FEW} == set(generated.LAYOUTS)
    assert {name for name, *_ in FEW} >= {
        name for name in generated.DISTURBANCES if [of for of, *_ in INPUTS].count(name) > 71
    }


COLUMNS = {
    "wide": {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]},
    "long": {"dataset": "dataset", "instance": "instance", "system": "system", "score": "score"},
    "matrix": {"dataset": "dataset", "system": "system"},
    "two": {"instance": "instance", "score": "score"},
    "folder": {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]},
    "folder of long tables": {
        "dataset": "dataset",
        "instance": "instance",
        "system": "system",
        "score": "score",
    },
    "folder of matrices": {"dataset": "dataset", "system": "system"},
    "folders": {"instance": "instance", "score": "score"},
}


def of_study(layout, given):
    """Read files through a study."""
    block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"}
    block["columns"] = COLUMNS[layout]
    if len(given) > 1:
        block |= {"format": "folders", "files": dict(zip("ab", map(str, given), strict=True))}
        block |= {"by": "dataset"} if layout == "two" else {}
    else:
        block["file"] = str(given[0])
    study = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return rep.read_study("s.yaml").ask()["c"].table


@pytest.mark.parametrize("given", FEW, ids=" | ".join)
def test_an_input_through_every_door(given, clean, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name, kind, layout, container = given
    data, outcome, right = through_python(*given, tmp_path, clean)
    if container in generated.MEMORY:
        return
    code = cli.main(["compare", *map(str, data), "--systems", "ours", "base", "--json"])
    said = capsys.readouterr()
    if right is None:
        assert code == 1, said
        refused(" ".join(said.err.split()), outcome)
    else:
        assert code == 0, said
        found = {row["dataset"]: row["p_value"] for row in json.loads(said.out)["datasets"]}
        assert found == pytest.approx(dict(zip(right["dataset"], right["p_value"], strict=True)))
    try:  # roles are declared in a study, so that fewer inputs are refused
        same(of_study(layout, data), clean[kind] if right is None else right)
    except rep.InputError as error:
        assert right is None or generated.DISTURBANCES[name].table is not None, error
        refused(error, r".")


@pytest.mark.long
@pytest.mark.parametrize("name", generated.DISTURBANCES)
def test_every_input(name, clean, tmp_path):
    for place, given in enumerate(of for of in INPUTS if of[0] == name):
        folder = tmp_path / str(place)
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            through_python(*given, folder, clean)


@pytest.mark.parametrize("name", generated.BYTES)
def test_bytes_of_files(name, clean, tmp_path, monkeypatch, capsys):
    outcome, change, containers = generated.BYTES[name]
    for container in containers:
        for layout in generated.LAYOUTS:
            tables, _ = generated.tables("nothing", "right", layout)
            folder = tmp_path / container / layout
            folder.mkdir(parents=True)
            monkeypatch.chdir(folder)
            given = generated.stored(tables, container, folder)
            for path in folder.rglob(f"*.{container}"):
                path.write_bytes(change(path.read_bytes()))
            if outcome == generated.SAME:
                same(rep.compare(*given, **generated.AB).table, clean["right"])
                continue
            with pytest.raises(rep.InputError) as error:
                rep.compare(*given, **generated.AB)
            refused(error.value, outcome)
            assert cli.main(["compare", *map(str, given), "--systems", "ours", "base"]) == 1
            refused(" ".join(capsys.readouterr().err.split()), outcome)
