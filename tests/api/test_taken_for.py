"""What inputs are taken for: each row once gave a false statement, or a traceback, without a word.

A row has a table, the keywords of Python, which also become flags, and a part of the refusal. The
same table is passed as a data frame, as a file, and to the command line.
"""
# ruff: noqa: E501

import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.core import evaluation, findings
from replicability.io import headers
from replicability.io.study import read_study

RNG = np.random.default_rng(7)
AB = {"a": "ours", "b": "base"}


def items(n=20, datasets=("xnli", "marc"), **more):
    """Return right-or-wrong scores of both systems on n items of each dataset."""
    frame = pd.DataFrame(
        {"dataset": np.repeat(datasets, n), "instance": [*range(n)] * len(datasets)}
    )
    rng = np.random.default_rng(3)
    for system, share in (("ours", 0.9), ("base", 0.4)):
        frame[system] = (rng.uniform(size=len(frame)) < share).astype(int)
    return frame.assign(**more)


def means(header, names):
    """Return a row of means for each benchmark."""
    base = np.linspace(40, 80, len(names)).round(1)
    return pd.DataFrame({header: list(names), "ours": base + 1.3, "base": base})


def repeats(header):
    """Return scores of 30 repeats of one result, on each of two datasets."""
    frame = pd.DataFrame({"dataset": np.repeat(["x", "y"], 30), header: [*range(30)] * 2})
    return frame.assign(ours=RNG.normal(0.5, 0.1, 60), base=RNG.normal(0.4, 0.1, 60))


def lower(name):
    """Return a table of both systems in which the score is called so in either header."""
    values = items().rename(columns={"ours": f"{name}_ours", "base": f"{name}_base"})
    return values


LEADERBOARD = pd.DataFrame(
    {"model": ["ours", "base"]}
    | {name: [71.5 - k, 70.1 - k] for k, name in enumerate(("arc", "gsm8k", "mmlu", "hellaswag"))}
)
NONE = r"P-values cannot be computed from one number"

SETS = ["Adiac", "Beef", "Car", "Coffee", "Earthquakes", "Fish", "Ham", "Herring", "Lightning", "Meat",
        "Olive Oil", "Plane", "Rock", "Symbols", "Trace", "Wafer", "Wine", "Word Synonyms", "Worms", "Yoga"]  # fmt: skip

REFUSED = {
    "a leaderboard, a row for each model": (LEADERBOARD, {}, rf"a leaderboard .*{NONE}"),
    "a leaderboard of benchmarks nobody knows": (LEADERBOARD.set_axis(["model", *"uvwx"], axis=1), {}, rf"only 4 columns of numbers.*{NONE}"),
    **{
        f"a row for each {header}": (means(header, "uvwxyz"), AB, rf"a row for each {header.casefold()}\. .*{NONE}")
        for header in ("task", "benchmark", "language", "domain", "treebank", "test set", "Dataset name")
    },
    "benchmarks as items": (means("instance", ["MMLU", "GSM8K", "ARC-c", "HellaSwag"]), AB, rf"a leaderboard .*{NONE}"),
    **{
        f"{name} in both headers": (lower(name), {"a": f"{name}_ours", "b": f"{name}_base"}, rf"a lower '{name.casefold()}' is better")
        for name in ("wer", "loss", "perplexity", "RMSE", "latency", "toxicity", "FID")
    },
    **{
        f"{header}s as items": (repeats(header), AB | {"instance": header}, rf"'{header}' identifies repeats, such as seeds or folds. Repeats are not separate items")
        for header in ("fold", "seed", "epoch", "resample", "run")
    },
    **{
        f"what {header}s are, first": (repeats(header), AB | {"instance": header}, rf"same items\. For {first}.* For {then}")
        for header, first, then in (("seed", "training runs", "splits"), ("fold", "splits", "training runs"))
    },
    "seeds without items": (repeats("seed"), AB, r"has no column of items, and its column 'seed' identifies repeats"),
    "a second column of datasets": (items(n=30).assign(language=["en", "de", "fr"] * 20).drop(columns="instance"), AB, r"dataset "
    r"'xnli' has 3 different values in the column 'language'. If they are separate datasets, specify"),
    "prompts": (items().assign(prompt=["p", "q"] * 20), AB, r"2 different values in the column 'prompt'"),
    "categories": (items().assign(category=["p", "q"] * 20).drop(columns="dataset"), AB | {"instance": "instance"}, r"read as one dataset, but its column 'category' has 2 different values"),
    "sizes nobody names": (items().assign(size=12), AB, r"has a column 'size' without a role. .* specify the column with .*; otherwise, leave it out with"),
    "gold beside ratings": (items().assign(ours=lambda t: t["ours"] * 1.7, gold=1.5), AB, r"has a column 'gold' without a role. If the ratings .* specify the column with"),
    "identifiers beside a score": (pd.DataFrame({"id": range(30), "score": RNG.uniform(size=30)}), {}, r"has no columns of numbers that may be scores"),
    "epochs beside an accuracy": (pd.DataFrame({"epoch": [1] * 30, "accuracy": RNG.uniform(size=30)}), {}, r"has no columns of numbers that may be scores"),
    "numbers that floats do not tell apart": (items().assign(ours=2**60, base=2**60 + 1), AB, r"are not exact"),
    "a blank dataset": (items(datasets=(" ", "marc")), AB, r"the dataset is empty"),
    **{
        f"truth values {place} {what}": (items().assign(**{side: items()[side].astype(bool), other: values}), AB, rf"the scores of {side} are true and false, but those of {other} include numbers other than 0 and 1")
        for what, values in (("counts", [0, 3, 1, 5] * 10), ("shares", [0.25, 0.5, 1, 0] * 10))
        for place, side, other in (("before", "ours", "base"), ("behind", "base", "ours"))
    },
    "one item": (items(n=1, datasets=("xnli",)), AB, r"there is only one item, so no p-value can be below 0.5"),
    **{
        f"twenty means under the header {header!r}": (means(header, SETS), AB, rf"a row for each {header.strip().casefold()}\. .*{NONE}")
        for header in ("zzz", "Korpus", "ensemble de test", "\u6570\u636e\u96c6", " problem set ")
    },
    **{
        f"a row for each {header!r}": (means(header, "uvwxyz"), AB, rf"a row for each {header.strip().casefold()}\. .*{NONE}")
        for header in ("TASK", " Benchmark ", "Language Code", "dataset_name", "Aufgabe", "langue", "\u4efb\u52a1")
    },
    "the name of no system": (items(), {"a": "", "b": "base"}, r"is '', but the name of a system must be text|is empty|contains an empty name"),
}  # fmt: skip
"""Name -> table, keywords, and what the refusal says."""


def flags(keywords):
    """Write keywords as flags of the command line."""
    systems = [keywords[key] for key in "ab" if key in keywords]
    given = {key: value for key, value in keywords.items() if key not in "ab"}
    told = [text for key, value in given.items() for text in (f"--{key.replace('_', '-')}", value)]
    return [*told, *(["--systems", *systems] if systems else [])]


@pytest.mark.parametrize(("table", "keywords", "said"), REFUSED.values(), ids=REFUSED)
def test_every_door_refuses(table, keywords, said, tmp_path, capsys):
    table.to_csv(tmp_path / "t.csv", index=False)
    for data in (table, pa.Table.from_pandas(table), tmp_path / "t.csv"):
        with pytest.raises(rep.InputError, match=said):
            rep.compare(data, **keywords)
    assert cli.main(["compare", str(tmp_path / "t.csv"), *flags(keywords)]) == 1
    message = " ".join(capsys.readouterr().err.split())
    with pytest.raises(rep.InputError, match=said):
        raise rep.InputError(message)


REMEDIES = {
    "datasets of two columns": ("a second column of datasets", {"dataset": ["dataset", "language"]}, ["--dataset", "dataset", "--dataset", "language"]),
    "prompts left out": ("prompts", {"ignore": ["prompt"]}, ["--ignore", "prompt"]),
    "prompts as datasets": ("prompts", {"dataset": ["dataset", "prompt"]}, ["--dataset", "dataset", "--dataset", "prompt"]),
    "sizes named": ("sizes nobody names", {"size": "size"}, ["--size", "size"]),
    "sizes left out": ("sizes nobody names", {"ignore": ["size"]}, ["--ignore", "size"]),
    "the name suggests that a lower": ("wer in both headers", {"higher_is_better": False}, ["--lower-is-better"]),
    "a higher value is better": ("wer in both headers", {"higher_is_better": True}, ["--higher-is-better"]),
    "rows that are items": ("a row for each task", {"instance": "task"}, ["--instance", "task"]),
}  # fmt: skip
"""Name -> refused row, and the keywords and flags that settle it."""


@pytest.mark.parametrize(("row", "more", "options"), REMEDIES.values(), ids=REMEDIES)
def test_the_remedy_that_is_named_settles_it(row, more, options, tmp_path, capsys):
    table, keywords, _ = REFUSED[row]
    table.to_csv(tmp_path / "t.csv", index=False)
    result = rep.compare(table, **keywords, **more)
    assert cli.main(["compare", str(tmp_path / "t.csv"), *options, *flags(keywords), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["sentences"][0] == result.sentence
    assert [row["dataset"] for row in answer["datasets"]] == list(result.table["dataset"])


def test_a_class_label_called_gold_changes_nothing():
    labelled = rep.compare(items().assign(gold=[0, 1] * 20), **AB)
    assert str(labelled) == str(rep.compare(items(), **AB))


@pytest.mark.parametrize("name", ["gold", "label", "fold", "size"])
def test_a_column_of_numbers_is_no_system(name):
    frame = items().assign(best=1)
    assert rep.all_pairs(frame).systems == rep.all_pairs(frame.assign(**{name: 1}), **(
        {"ignore": [name]} if name == "size" else {}
    )).systems  # fmt: skip


# --- which way is better -------------------------------------------------------------------------


def test_a_lower_score_is_better_where_it_is_declared():
    frame = items()
    errors = frame.assign(ours=1 - frame["ours"], base=1 - frame["base"])
    right, wrong = rep.compare(frame, **AB), rep.compare(errors, **AB, higher_is_better=False)
    assert wrong.sentence == right.sentence
    columns = ["difference", "p_value", "wins", "losses", "named"]
    pd.testing.assert_frame_equal(wrong.table[columns], right.table[columns])
    np.testing.assert_allclose(wrong.table["score_a"], 1 - right.table["score_a"])
    assert any("lower" in note and "better" in note for note in wrong.notes)
    assert not any("lower score" in note for note in right.notes)
    labels = [result.figure().axes[0].get_xlabel() for result in (right, wrong)]
    assert labels == ["ours − base: score", "base − ours: score (lower is better)"]


def test_both_directions_swap_where_the_direction_does():
    frame = items()
    down = rep.compare(frame, **AB, higher_is_better=False)
    swapped = rep.compare(frame, a="base", b="ours")
    assert (down.table["p_value"] == swapped.table["p_value"]).all()
    assert (down.table["difference"] == swapped.table["difference"]).all()


def test_a_margin_is_one_in_the_better_direction():
    frame = pd.DataFrame({"ours": RNG.normal(1, 1, 200), "base": RNG.normal(2, 1, 200)})
    given = {"claim": "better_by", "margin": 0.5, "higher_is_better": False}
    assert rep.compare(frame, **AB, **given).k == 1
    assert rep.compare(frame, a="base", b="ours", **given).k == 0


def test_a_family_knows_which_way_is_better():
    frame = items().assign(best=1)
    up, down = rep.all_pairs(frame), rep.all_pairs(frame, higher_is_better=False)
    assert up.counts().loc["best", "base"] == down.counts().loc["base", "best"] > 0


def test_pairs_that_were_not_compared_have_no_count():
    family = rep.all_pairs(items().assign(best=1, worst=0), against="base")
    counts = family.counts()
    assert counts.loc["best", "worst"] is pd.NA and counts.loc["base", "best"] == 0
    assert family.to_csv().splitlines()[1].split(",")[2] == ""
    assert "dot: not compared" in " ".join(family.figure().axes[0].get_xlabel().split())
    assert rep.all_pairs(items().assign(best=1)).counts().notna().all(axis=None)


def test_the_direction_stands_in_a_study(tmp_path):
    items().assign(best=1).to_csv(tmp_path / "s.csv", index=False)
    (tmp_path / "s.yaml").write_text(
        "study: s\nalphas: [0.05]\ncomparisons:\n- name: c\n  systems: [ours, base]\n"
        "  dependence: dependent\n  file: s.csv\n  score: WER\n  higher_is_better: false\n"
        "  columns: {dataset: dataset, instance: instance, scores: [ours, base]}\n"
    )
    text = (tmp_path / "s.yaml").read_text().replace("file: s.csv", f"file: {tmp_path / 's.csv'}")
    (tmp_path / "s.yaml").write_text(text)
    (comparison,) = read_study(tmp_path / "s.yaml").comparisons
    table = evaluation.evaluate(comparison).rows
    expected = rep.compare(items(), **AB, higher_is_better=False).table
    np.testing.assert_array_equal(table["p_value"], expected["p_value"])


# --- p-values that contradict the scores ---------------------------------------------------------

PVALUES = "dataset,p,a,b\nw,.001,80,70\nx,.002,80,70\ny,.003,70,80\nz,.004,70,80\n"
SIDES = {
    "": None,
    "one": "a outperforms b on all 4 datasets",
    "two": "a outperforms b on at least 2 of 4 datasets, namely w and x",
}


@pytest.mark.parametrize("named", [True, False], ids=["named", "not named"])
@pytest.mark.parametrize(
    ("sided", "sentence"), SIDES.items(), ids=[k or "nobody says" for k in SIDES]
)
def test_p_values_name_no_dataset_against_its_scores_unless_declared(
    sided, sentence, named, tmp_path, capsys
):
    (tmp_path / "p.csv").write_text(PVALUES)
    flags_ = ["--sided", sided] if sided else []
    flags_ += ["--scores", "a", "b"] if named else ["--systems", "a", "b"]
    code = cli.main(["pvalues", str(tmp_path / "p.csv"), *flags_])
    said = capsys.readouterr()
    scores = ", scores: [a, b]" if named or sided == "two" else ""
    key = f"\n  sided: {sided}" if sided else ""
    (tmp_path / "s.yaml").write_text(
        "study: s\nalphas: [0.05]\ncomparisons:\n- name: c\n  systems: [a, b]\n  dependence: dependent\n"
        f"  file: {tmp_path / 'p.csv'}{key}\n  columns: {{dataset: dataset, p_value: p{scores}}}\n"
    )
    (comparison,) = read_study(tmp_path / "s.yaml").comparisons
    if sentence is None:
        refusal = (
            r"on 'y', the p-value 0\.003 would mean that a is better, but b has the better score"
        )
        with pytest.raises(rep.InputError, match=refusal):
            evaluation.evaluate(comparison)
        assert (
            code == 1
            and "declare --sided 'two'; if they are one-sided, declare --sided 'one'" in said.err
        )
    else:
        found = findings.find(comparison, evaluation.evaluate(comparison), 0.05)
        assert code == 0 and said.out.startswith(sentence)
        assert str(found).startswith(sentence)


# --- arrays and series ---------------------------------------------------------------------------


def test_datasets_of_two_dictionaries_are_matched_by_their_names():
    a, b = RNG.uniform(size=(2, 9)), RNG.uniform(size=(2, 9))
    found = rep.compare({"x": a[0], "y": a[1]}, {"y": b[1], "x": b[0]})
    assert found == rep.compare({"x": (a[0], b[0]), "y": (a[1], b[1])})
    swapped = rep.compare({"x": a[0], "y": a[1]}, {"x": b[1], "y": b[0]})
    assert not swapped.table["difference"].equals(found.table["difference"])


def test_series_are_matched_by_their_index():
    a = pd.Series(RNG.normal(size=30))
    b = a + RNG.normal(0.3, 1, 30)
    shuffled = b.sample(frac=1, random_state=1)
    assert str(rep.compare(a, shuffled)) == str(rep.compare(a, b))
    assert str(rep.compare({"d": (a, shuffled)})) == str(rep.compare({"d": (a, b)}))


@pytest.mark.parametrize(
    ("b", "said"),
    [
        (pd.Series([0, 1, 1], index=[3, 4, 5]), r"is in the index of only one series"),
        (pd.Series([0, 1, 1], index=[0, 0, 1]), r"'0' occurs more than once"),
        (pd.Series([0, 1, 1], index=pd.MultiIndex.from_tuples([(0, 0), (0, 1), (1, 0)])), r"an index with 2 levels"),
        (np.ma.masked_equal([1, -9, 1], -9), r"position 1 \(counting from 0\) is masked"),
    ],
)  # fmt: skip
def test_series_that_cannot_be_matched_are_refused(b, said):
    with pytest.raises(rep.InputError, match=said):
        rep.compare(pd.Series([1, 1, 0]), b)


@pytest.mark.parametrize("digits", [1, 2, 17])
def test_one_set_of_scores_in_two_precisions_is_level(digits):
    scores = RNG.uniform(size=300).round(digits)
    row = rep.compare(scores.astype(np.float32), scores).table.iloc[0]
    assert (row["wins"], row["losses"], row["p_value"]) == (0, 0, 1)


def test_a_precision_changes_no_other_scores():
    a, b = RNG.uniform(size=(2, 40)).round(3)
    single = rep.compare(a.astype(np.float32), b.astype(np.float32)).table
    pd.testing.assert_frame_equal(single, rep.compare(a, b).table)


def test_dictionaries_are_rows():
    assert str(rep.compare(items().to_dict("records"), **AB)) == str(rep.compare(items(), **AB))


def test_blanks_and_unicode_forms_are_no_other_names():
    plain = items(datasets=("é", "marc")).assign(unit=["p", "q"] * 20)
    odd = plain.replace({"dataset": {"é": " e\u0301 "}, "unit": {"p": "p"}})
    odd.loc[::4, "unit"] = "p "
    given = AB | {"unit": "unit"}
    pd.testing.assert_frame_equal(
        rep.compare(odd, **given).table, rep.compare(plain, **given).table
    )


# --- a file for each system ----------------------------------------------------------------------


@pytest.fixture
def three(tmp_path):
    """Write scores of two systems with sizes, and ratings, and return the paths by name."""

    def write(**faults):
        rows = pd.DataFrame({"dataset": ["x"] * 12 + ["y"] * 12, "instance": [*range(12)] * 2})
        paths = {}
        for name in ("a", "b", "gold"):
            table = rows.assign(score=RNG.integers(0, 9, 24).astype(object))
            if name != "gold":
                table["size"] = 10
            for header, value in faults.get(name, {}).items():
                table.loc[20, header] = value
            paths[name] = tmp_path / f"{name}.csv"
            table.to_csv(paths[name], index=False)
        return paths

    return write


def test_sizes_that_differ_between_files_are_refused(three):
    for gold in ({}, {"gold": True}):
        paths = three(b={"size": 11})
        given = {"gold": paths["gold"]} if gold else {}
        said = r"item '8' of 'y' has the size 10 for a .*11 for b"
        with pytest.raises(rep.InputError, match=said):
            rep.compare(paths["a"], paths["b"], size="size", **given)


@pytest.mark.parametrize("chosen", [{}, {"datasets": ["y"]}])
def test_a_faulty_cell_is_named_by_its_row_in_the_file(three, chosen):
    paths = three(b={"score": "many"})
    with pytest.raises(rep.InputError, match=r"b\.csv, line 22: the score is 'many'"):
        rep.compare(paths["a"], paths["b"], ignore=["size"], **chosen)


# --- calls ---------------------------------------------------------------------------------------

CALLS = {
    "p-values in two dimensions": (lambda: rep.count(np.ones((2, 3))), r"have the shape \(2, 3\); pass a one-dimensional sequence"),
    "p-values as text": (lambda: rep.count(["0.0_1"]), r"text that contains an underscore"),
    "names of named p-values": (lambda: rep.count({"a": 0.1}, ["x"]), r"The keys of the dictionary already name the datasets"),
    "a system twice": (lambda: rep.all_pairs(items().assign(best=1), systems=["ours", "ours", "best"]), r"'ours' is listed twice"),
    "a margin as text": (lambda: rep.compare(items(), **AB, claim="better_by", margin="0.1"), r"margin= is '0\.1', but a margin must be a number"),
    "a list of scores": (lambda: rep.compare(items(), **AB, score=["x", "y"]), r"score= is \['x', 'y'\], but a column must be named by its header"),
    "one system in two forms": (lambda: rep.compare(items(), a="ours", b="ours "), r"not one of ours, base|the name 'ours'"),
    "a device": (lambda: rep.compare("/dev/zero"), r"is a pipe or a device, which cannot be read twice"),
    "a device beside a file": (lambda: rep.compare("/dev/zero", "x.csv"), r"is a pipe or a device|does not exist"),
    "a long path": (lambda: rep.compare("a" * 5000), r"cannot be read \(File name too long\)"),
    "half an item": (lambda: rep.design(1.5, datasets=3, discordant=0.2), r"whole number"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "said"), CALLS.values(), ids=CALLS)
def test_a_faulty_call_ends_in_a_sentence(call, said):
    with pytest.raises(rep.InputError, match=said):
        call()


def test_check_says_why_a_path_cannot_be_read():
    for path in ("a" * 5000, "/dev/zero"):
        assert re.search(r"cannot be read|is a pipe or a device", str(rep.check(path)))


def test_names_of_systems_in_rows_have_one_form():
    rows = items().melt(["dataset", "instance"], var_name="system", value_name="score")
    rows["system"] = rows["system"].replace({"ours": "\u00e9", "base": "b"})
    odd = rows.copy()
    odd.loc[::3, "system"] = " " + odd["system"].str.replace("\u00e9", "e\u0301") + " "
    assert str(rep.compare(odd)) == str(rep.compare(rows))
    wide = items().rename(columns={"ours": "e\u0301"})
    assert rep.compare(wide, a="\u00e9", b="base").k == rep.compare(items(), **AB).k


def test_bounds_are_of_a_result():
    with pytest.raises(TypeError, match=r"takes a Result, not an object of type int"):
        rep.bounds(5, "a")


# --- files that are not what they seem -----------------------------------------------------------


@pytest.fixture
def lists(tmp_path):
    def write(a, b='{"resolved": ["x", "y"], "total": 9}'):
        (tmp_path / "a.json").write_text(a, encoding="utf-8")
        (tmp_path / "b.json").write_text(b, encoding="utf-8")
        return rep.compare(tmp_path / "a.json", tmp_path / "b.json", format="ids").table.iloc[0]

    return write


LISTS = {
    "too many items": ('{"resolved": ["x"], "total": 100000000000}', r"at most 10,000,000 can be read"),
    "right and wrong": ('{"resolved": ["x"], "unresolved": ["x"], "total": 9}', r"lists 'x' as both right and wrong"),
    "a key twice": ('{"resolved": ["x"], "resolved": ["y"], "total": 9}', r"the key 'resolved' twice"),
    "blanks": ('{"resolved": ["x", "x "], "total": 9}', r"'x' is listed a second time"),
    "right and wrong in another form": ('{"resolved": ["x "], "unresolved": ["x"], "total": 9}', r"lists 'x' as both right and wrong"),
    "other items": ('{"resolved": ["x"], "unresolved": ["a", "b", "c", "d", "e", "f", "g", "h"], "total": 9}', r"has 9 items, but the lists name 10"),
    "capitals": ('{"resolved": ["X"], "total": 9}', r"have 'X' and 'x', which may be the same item; .* set items= to a file"),
    "a truth value": ('{"resolved": [true], "total": 9}', r"entry 1 is True, but the identifier"),
    "a header": ("instance_id\nx\ny\n", r"line 1 is 'instance_id', which is a header"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "said"), LISTS.values(), ids=LISTS)
def test_faulty_lists_are_refused(lists, content, said):
    with pytest.raises(rep.InputError, match=said):
        lists(content)


def test_identifiers_of_lists_have_one_form(lists):
    row = lists(
        '{"resolved": ["\\u00e9", "y "], "total": 9}', '{"resolved": ["e\\u0301"], "total": 9}'
    )
    assert (row["n"], row["wins"], row["losses"]) == (9, 1, 0)


def workbook(path, cells):
    """Write a workbook with numbers in some cells of its only sheet."""
    rows = "".join(f'<row r="{r}"><c r="{c}{r}"><v>1</v></c></row>' for c, r in cells)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
        )
    return path


def test_a_stray_cell_does_not_fill_the_memory(tmp_path):
    path = workbook(tmp_path / "s.xlsx", [("A", 1), ("XFD", 1048576)])
    with pytest.raises(
        rep.InputError, match=r"extends to column XFD and row 1,048,576, which makes"
    ):
        rep.compare(path)


def test_an_archive_does_not_grow_beyond_bounds(tmp_path):
    for side in "ab":
        with zipfile.ZipFile(tmp_path / f"{side}.eval", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", b" " * (2**28 + 1))
    with pytest.raises(rep.InputError, match=r"At most .* and 268,435,456 per member"):
        rep.compare(tmp_path / "a.eval", tmp_path / "b.eval")


def test_the_words_of_headers_have_one_meaning():
    assert not headers.TELLING & headers.REPEATS
    assert not headers.of_repeats(["ours", "runner", "threshold", "training"])
    assert headers.of_repeats(["Fold", "seed_id", "random_seed", "run no"]) != []
    assert headers.benchmarks(["ARC-c", "MMLU (5-shot)", "GSM8K 8-shot", "q17"]) == ["ARC-c", "MMLU (5-shot)", "GSM8K 8-shot"]  # fmt: skip


# --- successes in trials -------------------------------------------------------------------------

TRIALS = pd.DataFrame(
    {
        "task": ["pick", "place", "push"],
        "n_ours": [50, 50, 50],
        "successes_ours": [40, 30, 20],
        "n_base": [50, 50, 50],
        "successes_base": [20, 28, 10],
    }
)
BELOW = pd.DataFrame(
    {"task": ["pick", "pick"], "system": ["ours", "base"], "n": [50, 50], "successes": [40, 20]}
)
WIDE_TRIALS = {"a": "successes_ours", "b": "successes_base"}


@pytest.mark.parametrize(
    ("frame", "given", "remedy"),
    [
        (TRIALS, {}, "with instance="),
        (TRIALS, WIDE_TRIALS, "with instance="),
        (TRIALS, WIDE_TRIALS | {"instance": "task"}, "rename the column 'task'"),
        (BELOW, {}, "with instance="),
        (BELOW, {"dataset": "task", "score": "successes", "size": "n"}, "with instance="),
        (BELOW, {"instance": "task", "score": "successes", "size": "n"}, "rename the column"),
    ],
)
def test_successes_in_trials_are_no_items(frame, given, remedy):
    with pytest.raises(rep.InputError, match="seems to count successes in trials") as found:
        rep.compare(frame, **given)
    said = found.value.spelled("{}=".format)
    assert remedy in said
    if frame is BELOW:
        assert "with successes='successes' trials='n'" in said
    else:
        named = "successes=['successes_ours', 'successes_base'] trials=['n_ours', 'n_base']"
        assert named in said


def test_successes_of_items_are_read():
    items = pd.DataFrame(
        {"task_id": [f"HumanEval/{n}" for n in range(20)], "ours": [1] * 20, "base": [0, 1] * 10}
    )
    table = items.assign(passed=3, n=5)
    found = rep.compare(table, a="ours", b="base", instance="task_id")
    assert found.table["n"].tolist() == [20]


@pytest.mark.parametrize("kind", ["comparisons", "families"])
def test_a_study_assigns_what_parts_the_rows_of_its_datasets(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    rows = [
        ("d", f"i{k}", "en" if k % 2 else "de", k % 3 > 0, k % 5 > 1, k % 7 > 2) for k in range(40)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "instance", "language", "a", "b", "c"])
    table.to_csv("s.csv", index=False)
    systems = ["a", "b"] if kind == "comparisons" else ["a", "b", "c"]
    block = {"name": "c", "systems": systems, "dependence": "dependent", "file": "s.csv"}
    block["columns"] = {"dataset": "dataset", "instance": "instance", "scores": systems}

    def read(**more):
        content = {"study": "s", "alphas": [0.05], kind: [block | more]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        study = rep.read_study("s.yaml")
        return study.ask()["c"] if kind == "comparisons" else next(iter(study.families))

    with pytest.raises(
        rep.InputError, match=r"has 2 different values in the column 'language'"
    ) as e:
        read().to_dict()
    assert "columns: {dataset: [dataset, language]}" in str(e.value)
    assert "ignore: [language]" in str(e.value)
    assert read(ignore=["language"]).to_dict()
