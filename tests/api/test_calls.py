"""Frames, arrays and files give what the command line and a study give, to the last bit."""

import copy
import json
import string

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import yaml

import replicability as rep
from replicability import checks
from replicability.cli import main
from replicability.cli.new import EXAMPLES
from replicability.core import evaluation, findings
from replicability.io.study import read_study

NUMBERS = ("score_a", "score_b", "difference", "low", "high", "p_value", "p_reverse", "n")


class Stream:
    """A frame of which nothing is known but its Arrow stream."""

    def __init__(self, frame):
        self._table = frame
        if isinstance(frame, pd.DataFrame):
            self._table = pa.Table.from_pandas(frame, preserve_index=False)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class Interchanged:
    """A frame of which nothing is known but the interchange protocol."""

    def __init__(self, frame):
        self._table = pa.Table.from_pandas(frame, preserve_index=False)

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self._table.__dataframe__(nan_as_null, allow_copy)


def as_views(frame):
    """Store text as polars does, names of datasets as categories of it."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for place, name in enumerate(table.column_names):
        column = table[name]
        if name == "dataset":
            codes = column.combine_chunks().dictionary_encode()
            words = codes.dictionary.cast(pa.string_view())
            table = table.set_column(
                place, name, pa.DictionaryArray.from_arrays(codes.indices, words)
            )
        elif not pa.types.is_integer(column.type):
            table = table.set_column(place, name, column.cast(pa.string_view()))
    return table


LIBRARIES = {
    "pandas": lambda frame: frame,
    "nullable": lambda frame: frame.convert_dtypes(),
    "categories": lambda frame: frame.astype({"dataset": "category"}),
    "objects": lambda frame: frame.astype(object),
    "index": lambda frame: frame.set_index(["dataset", "instance"]),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame),
    "stream": Stream,
    "interchange": Interchanged,
    "views": lambda frame: Stream(as_views(frame)),
}


@pytest.fixture(scope="module")
def sides():
    return {name: pd.read_csv(EXAMPLES / "scores" / f"{name}.csv") for name in ("ours", "baseline")}


@pytest.fixture(scope="module")
def wide():
    return pd.read_csv(EXAMPLES / "wide" / "scores.csv")


def long_of(wide):
    keys = [name for name in wide if name not in ("ours", "baseline")]
    return wide.melt(keys, ["ours", "baseline"], var_name="system", value_name="score")


def rows(table):
    """Return what is compared with the command line, and with a study."""
    names = [name for name in NUMBERS if name in table]
    return [tuple(row[name] for name in ("dataset", *names)) for row in table.to_dict("records")]


@pytest.fixture
def told(capsys):
    """Return what the command line answers about the scores of two files."""

    def told(*options):
        files = [str(EXAMPLES / "scores" / f"{name}.csv") for name in ("ours", "baseline")]
        assert not main(["compare", *files, "--json", *options])
        return json.loads(capsys.readouterr().out)

    return told


def same(result, answer):
    """Check that a result is what the command line answered, and survives as a dictionary."""
    command = answer.pop("command")
    assert set(command) == {"notes", "written"}
    expected = result.to_dict()
    if not expected["provenance"]["files"]:  # scores in memory have no files
        answer.pop("provenance"), expected.pop("provenance")
        answer.pop("read"), expected.pop("read")
    assert answer == expected
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result


OPTIONS = {
    "as it is": ({}, ()),
    "independent": ({"dependence": "independent"}, ("--independent",)),
    "one direction": ({"alternative": "greater"}, ("--alternative", "greater")),
    "the paper": ({"procedure": "paper"}, ("--procedure", "paper")),
    "a group": ({"groups": {"two": ["news", "letters"]}}, ("--group", "two=news,letters")),
    "levels": ({"alpha": [0.05, 0.01]}, ("--alpha", "0.05", "--alpha", "0.01")),
    "drawn": (
        {"test": "paired_bootstrap", "seed": 7},
        ("--test", "paired_bootstrap", "--seed", "7"),
    ),
    "some": ({"datasets": ["news", "recipes"]}, ("--datasets", "news", "recipes")),
    "a method": (
        {"dependence": "independent", "method": "stouffer"},
        ("--independent", "--method", "stouffer"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("given", "options"), OPTIONS.values(), ids=OPTIONS)
def test_two_files_give_what_the_command_line_says(given, options, told):
    files = [EXAMPLES / "scores" / f"{name}.csv" for name in ("ours", "baseline")]
    result = rep.compare(*files, **given)
    assert result.systems == ("ours", "baseline")
    same(result, told(*options))


@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES)
def test_two_frames_of_any_library_give_what_the_command_line_says(library, sides, told):
    ours, baseline = (LIBRARIES[library](frame.copy()) for frame in sides.values())
    same(rep.compare(ours, baseline, a="ours", b="baseline", dependence="independent"),
         told("--independent"))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES)
def test_wide_and_long_frames_give_the_same(library, wide):
    change = LIBRARIES[library]
    expected = rep.compare(EXAMPLES / "wide" / "scores.csv", a="ours", b="baseline")
    for frame in (wide, long_of(wide), long_of(wide).sample(frac=1, random_state=0)):
        found = rep.compare(change(frame.copy()), a="ours", b="baseline").table
        found = found.set_index("dataset").loc[list(expected.datasets)].reset_index()
        pd.testing.assert_frame_equal(found, expected.table, check_exact=True)


def test_arrays_give_what_frames_give(wide):
    parts = dict(iter(wide.groupby("dataset", sort=False)))
    pairs = {name: (part["ours"], part["baseline"].tolist()) for name, part in parts.items()}
    expected = rep.compare(wide, a="ours", b="baseline").table
    beside = ({name: pair[place] for name, pair in pairs.items()} for place in (0, 1))
    for data in ((pairs,), tuple(beside)):
        found = rep.compare(*data, a="ours", b="baseline").table
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    one = rep.compare(*pairs["news"], a="ours", b="baseline").table
    assert rows(one)[0][1:] == rows(expected)[0][1:]


def placed(name, folder):
    """Read the example of a format as a study, from where it lies."""
    text = (EXAMPLES / name / "study.yaml").read_text(encoding="utf-8")
    text = string.Template(text).substitute(study="mine")
    block = yaml.safe_load(text.replace("data/mine", str(EXAMPLES / name)))["comparisons"][0]
    block["score"] = "score"  # shares stay shares
    file = folder / "mine.yaml"
    content = {"study": "mine", "alphas": [0.05, 0.01], "comparisons": [block]}
    file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return read_study(file).comparisons[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["conllu", "folders", "labels", "lm_eval", "long", "segments", "spans", "wide"]
)
def test_files_of_every_format_give_what_a_study_gives(name, tmp_path):
    block = placed(name, tmp_path)
    files = [block.files["a"], block.files["b"]] if block.files else [block.file]
    given = {key: value for key, value in block.columns.items() if key != "scores"}
    given |= {"gold": block.files["gold"]} if "gold" in block.files else {}
    more = {"metric": block.metric} if block.metric else {}
    more |= {"format": block.format} if block.files else {}
    a, b = block.systems
    options = {"test": block.test, "options": block.options, "dependence": block.dependence}
    result = rep.compare(*files, a=a, b=b, alpha=[0.05, 0.01], **given, **more, **options)
    table = evaluation.evaluate(block)
    assert rows(result.table) == rows(table.rows)
    assert list(map(str, result.findings)) == [
        str(findings.find(block, table, alpha)) for alpha in (0.05, 0.01)
    ]


def test_units_and_what_is_shared_reach_the_comparison(tmp_path):
    rng = np.random.default_rng(0)
    n = 40
    frame = pd.DataFrame(
        {
            "dataset": np.repeat(["x", "y"], n),
            "instance": np.tile(np.arange(n), 2),
            "passage": np.tile(np.arange(n) // 2, 2),
            "ours": rng.integers(0, 2, 2 * n) | rng.integers(0, 2, 2 * n),
            "base": rng.integers(0, 2, 2 * n),
        }
    )
    file = tmp_path / "scores.csv"
    frame.to_csv(file, index=False)
    given = {"a": "ours", "b": "base", "unit": "passage", "shared": True}
    result = rep.compare(frame, **given)
    assert {"units", "design_effect"} <= set(result.table)
    assert result.findings[0].claims.method == "joint"
    assert rows(result.table) == rows(rep.compare(file, **given).table)
    assert "passage" in result.method
    assert "Vesely" in result.method


def test_the_roles_of_columns_can_be_named(wide):
    other = wide.rename(columns={"dataset": "task", "instance": "item"})
    expected = rep.compare(wide, a="ours", b="baseline").table
    found = rep.compare(other, a="ours", b="baseline", dataset="task", instance="item").table
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    short = long_of(other).rename(columns={"system": "model", "score": "Right"})
    found = rep.compare(
        short, dataset="task", instance="item", system="model", score="right"
    )  # the two systems in the order in which they stand there
    pd.testing.assert_frame_equal(found.table, expected, check_exact=True)


def test_two_systems_need_no_names(wide):
    assert rep.compare(wide).systems == ("ours", "baseline")
    assert rep.compare(long_of(wide), a="baseline").systems == ("baseline", "ours")
    assert rep.compare([1, 1, 0], [0, 1, 0]).systems == ("A", "B")


def test_sizes_make_scores_shares():
    data = pd.read_csv(EXAMPLES / "long" / "scores.csv")
    result = rep.compare(data, a="ours", score="right", size="words")
    sums = data[data["system"] == "ours"].groupby("dataset", sort=False)[["right", "words"]].sum()
    assert result.table["score_a"].tolist() == (sums["right"] / sums["words"]).tolist()


def test_rows_are_instances_where_none_are_named(wide):
    found = rep.compare(wide.drop(columns="instance"), a="ours", b="baseline").table
    expected = rep.compare(wide, a="ours", b="baseline").table
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_inputs_stay_as_they_are(wide, sides):
    frames = [wide.copy(), long_of(wide), sides["ours"].copy(), sides["baseline"].copy()]
    kept = copy.deepcopy(frames)
    for frame in frames[:2]:
        rep.compare(frame, a="ours", b="baseline")
    rep.compare(*frames[2:], groups={"one": ["news"]})
    for frame, before in zip(frames, kept, strict=True):
        pd.testing.assert_frame_equal(frame, before, check_exact=True)
    scores = np.array([1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    rep.compare(*scores)
    assert [side.tolist() for side in scores] == [[1, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize("values", [np.array, list, pd.Series, tuple])
def test_p_values_give_what_the_command_line_says(values, capsys):
    numbers = [0.001, 0.02, 0.4]
    main(["pvalues", *map(str, numbers), "--independent", "--json"])
    answer = json.loads(capsys.readouterr().out)
    result = rep.count(values(numbers), dependence="independent")
    assert str(result) == answer["findings"][0]["sentence"]
    adjusted = [row.get("adjusted_p_value") for row in answer["datasets"]]
    assert adjusted == [None] * 3 and "adjusted_p_value" not in result.table
    assert result.datasets == tuple(row["dataset"] for row in answer["datasets"])


def test_p_values_have_names():
    by_name = {"news": 0.001, "law": 0.02}
    expected = rep.count([0.001, 0.02], ["news", "law"])
    assert rep.count(by_name) == expected == rep.count(pd.Series(by_name))


def test_zeros_are_raised_to_the_resolution_or_taken_at_their_word():
    values = np.array([0.0] + [0.9] * 56)
    kept = values.copy()
    resolved = rep.count(values, resolution=1 / 1001)  # 57 / 1001 is above .05
    assert "any of the 57 datasets" in str(resolved)
    assert resolved.table["p_value"].min() == 1 / 1001
    zeros = rep.count(values, resolution=0)
    assert "at least 1 of 57" in str(zeros)
    assert zeros.table["p_value"].min() == 0
    assert (values == kept).all()
    assert rep.count([0.2, 0.3], resolution=0.25).table["p_value"].tolist() == [0.25, 0.3]


def test_all_pairs_take_a_frame_with_a_column_for_each_system(wide):
    third = wide.assign(third=wide["baseline"])
    found = rep.all_pairs(third)
    long = third.melt(["dataset", "instance"], var_name="system", value_name="score")
    other = rep.all_pairs(long)
    pd.testing.assert_frame_equal(found.table, other.table)
    pair = rep.compare(wide, a="ours", b="baseline")
    at = [found.systems.index(name) for name in ("ours", "baseline")]
    assert found.pairs.pvalues[*at].tolist() == pair.table["p_value"].tolist()
    row = found.table.set_index(["a", "b"]).loc["ours", "baseline"]
    assert row["at_least"] == pair.k
    assert str(found).startswith("None of 3 pairs of systems ")
    alone = rep.all_pairs(third, against="third")
    assert str(alone).startswith("1 of 2 pairs of systems differs ")
    assert len(alone.table) == 4


@pytest.mark.slow
def test_translations_have_documents_a_tokenizer_and_a_signature(tmp_path):
    folder = EXAMPLES / "translations"
    for path in (folder / "ours").iterdir():
        (tmp_path / path.name).write_text("".join(f"d{i // 4}\n" for i in range(12)))
    given = {"gold": str(folder / "gold"), "documents": str(tmp_path), "metric": "bleu"}
    ours, baseline = folder / "ours", folder / "baseline"
    result = rep.compare(ours, baseline, **given, tokenize={"news": "intl"})
    assert result.table["units"].tolist() == [3, 3, 3]
    assert "|tok:intl|" in result.table["metric"][1] and "|tok:13a|" in result.table["metric"][0]
    assert "The unit of analysis is the document (3 units in each dataset)" in result.method
    assert "Scores were computed by sacrebleu (Post 2018): BLEU|nrefs:2|" in result.method
    assert "Post (2018), WMT" in result.method
    with pytest.raises(checks.InputError, match=r"^documents= names the document of each seg"):
        rep.compare(pd.DataFrame({"instance": [1], "a": [1], "b": [0]}), documents="x")
    with pytest.raises(
        checks.InputError, match=r"^tokenize= chooses BLEU's tokenizer, but only in"
    ):
        tmp = {"format": "segments", "tokenize": "13a"}
        segments = EXAMPLES / "segments"
        rep.compare(segments / "ours", segments / "baseline", **tmp)


@pytest.mark.slow
def test_runs_of_a_system_are_averaged_and_their_spread_is_told():
    rng = np.random.default_rng(4)
    rows = [
        {"dataset": f"d{d}", "instance": i, "system": system, "seed": seed, "score": score}
        for d in range(3)
        for i in range(40)
        for system, lead in (("ours", 0.8), ("base", 0.0))
        for seed, score in enumerate(rng.normal(lead, 1, 3))
    ]
    data = pd.DataFrame(rows)
    result = rep.compare(data, a="ours", b="base", run="seed")
    averaged = data.groupby(["dataset", "instance", "system"], as_index=False)["score"].mean()
    once = rep.compare(averaged, a="ours", b="base", test=result.table["test"].iloc[0])
    columns = ["n", "difference", "standard_error", "p_value"]
    for column in columns:
        assert result.table[column].tolist() == pytest.approx(once.table[column].tolist())
    assert result.table["runs_a"].tolist() == [3] * 3
    of_runs = data.query("system == 'ours'").groupby(["dataset", "seed"])["score"].mean()
    expected = of_runs.groupby("dataset").std()
    assert result.table["spread_a"].tolist() == pytest.approx(expected.tolist())
    (note,) = [note for note in result.notes if note.startswith("Scores are means over runs")]
    assert note in result.method
    assert "does not cover runs with other seeds" in note
    with pytest.raises(rep.InputError, match=r"occur .* of ours"):
        rep.compare(data.drop(columns="seed"), a="ours", b="base")
    wide = data.pivot_table("score", ["dataset", "instance", "seed"], "system").reset_index()
    beside = rep.compare(wide, a="ours", b="base", run="seed")
    assert beside.table.equals(result.table)
    assert beside.read.to_dict()["runs"] == [[3, 3], [3, 3]]
    family = rep.all_pairs(wide.assign(third=0.0), systems=["ours", "base", "third"], run="seed")
    assert family.to_dict()["systems"] == ["ours", "third", "base"]
    right = wide.assign(ours=wide["ours"] > 0, base=(wide["base"] > 0).astype(int))
    mixed = rep.compare(right, a="ours", b="base", run="seed")
    same = rep.compare(right.assign(ours=1 * right["ours"]), a="ours", b="base", run="seed")
    assert mixed.table.equals(same.table)
    with pytest.raises(
        rep.InputError, match=r"several rows on .*; specify the column that identifies the items"
    ):
        rep.compare(wide.drop(columns="instance"), a="ours", b="base", run="seed")
    with pytest.raises(rep.InputError, match="names the runs of an item, but ratings have no runs"):
        rep.compare(wide, a="ours", b="base", run="seed", gold="base", metric="correlation")


def test_p_values_are_counted_from_a_column_that_is_named():
    table = pd.DataFrame({"dataset": ["x", "y"], "p": [0.01, 0.2]})
    assert str(rep.count(table, p_value="p")) == str(rep.count({"x": 0.01, "y": 0.2}))


def test_the_example_is_complete_pairs_and_a_copy_of_its_own():
    frame = rep.example()
    assert list(frame.columns) == ["dataset", "instance", "ours", "baseline"]
    assert not frame.duplicated(["dataset", "instance"]).any()
    assert set(frame["ours"]) | set(frame["baseline"]) == {0, 1}
    frame["ours"] = 0
    assert rep.example()["ours"].sum() > 0
