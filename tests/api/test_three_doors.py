"""One question through Python, the command line and YAML: one answer, or one refusal."""

# ruff: noqa: E501

import inspect
import itertools
import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.api.reading import Reading
from replicability.cli import flags as flags_
from replicability.cli.parser import parser
from replicability.io import declared, keys
from replicability.io.declared import (
    ASKING,
    KEYS,
    OF_PVALUES,
    READING,
    ComparisonKeys,
    FamilyKeys,
)

RIGHT = [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]
TABLE = pd.DataFrame(
    {
        "dataset": ["news"] * 12 + ["law"] * 12 + ["talks"] * 12,
        "instance": [f"i{k}" for k in range(12)] * 3,
        "ours": RIGHT * 3,
        "base": [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0] * 2 + [1, 0] * 6,
    }
)
LONG = TABLE.melt(["dataset", "instance"], var_name="system", value_name="score")
EXAMPLES = Path(cli.__file__).with_name("example")


@dataclass
class Row:
    """A question at each door, beside two systems and their dependence.

    `data` is a table or the format of an example. `keys` are those of a study, if they are not the
    keywords; None if a study cannot say it. `columns` are its columns.
    """

    keywords: dict
    flags: list
    keys: dict | str | None = "keywords"
    data: pd.DataFrame | str = "wide"
    columns: dict | None = None


WIDE = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
ROWS_OF_SYSTEMS = {
    "dataset": "dataset",
    "instance": "instance",
    "system": "system",
    "score": "score",
}
COUNTS = LONG.assign(score=LONG["score"] * 3, size=4)
RATED = TABLE.assign(
    people=np.arange(36.0) % 7,
    ours=np.arange(36.0) % 7 + np.sin(np.arange(36)),
    base=np.cos(np.arange(36) * 5),
)
RUNS = pd.concat([LONG.assign(seed=1), LONG.assign(seed=2, score=1 - LONG["score"])])
MANY = pd.concat([LONG.assign(instance=LONG["instance"] + f"/{k}") for k in range(5)])
JUDGED = MANY.assign(people=(MANY["score"] + np.arange(360) % 3 // 2) % 2)
JUDGED.loc[JUDGED["instance"].str[1:].str.len() > 3, "people"] = np.nan
JUDGED.loc[JUDGED["instance"].str.endswith("/4"), "people"] = np.nan
SPLITS = {"column": "fold", "kind": "splits", "test_share": 0.1}
OF_SPLITS = ["--repeats", "fold", "--repeats-kind", "splits", "--test-share", "0.1"]
FOLDS = LONG.assign(score=LONG["score"] / 2 + np.arange(72) % 5 / 50, fold=LONG["instance"])
FOLDS = FOLDS.drop(columns="instance")
HALVES = FOLDS.assign(
    fold=np.arange(72) % 2, half=lambda t: t["dataset"] + (np.arange(72) % 12 // 2).astype(str)
)
SPARE = TABLE.assign(size=3)
PASSAGES = TABLE.assign(passage=[f"p{k // 2}" for k in range(36)])
TRIED = LONG.groupby(["dataset", "system"], as_index=False, sort=False)["score"].agg(
    right="sum", tried="size"
)
OF_TRIALS = Row(
    {"successes": "right", "trials": "tried"},
    ["--successes", "right", "--trials", "tried"],
    {},
    TRIED,
    {"dataset": "dataset", "system": "system", "successes": "right", "trials": "tried"},
)
LACKING = LONG.drop(index=[3, 50])
PARTED = TABLE.rename(columns={"dataset": "task"})
LANGUAGES = PARTED.assign(lang=["en", "de"] * 18)
UNLIKE = TABLE.assign(instance=[f"i{k}" for k in range(36)])
ITEMS = {key: value for key, value in WIDE.items() if key != "dataset"}

ASKED = {
    "dependence": Row({"dependence": "independent"}, ["--independent"]),
    "shared": Row({"shared": True}, ["--shared"]),
    "n_flips": Row({"shared": True, "n_flips": 400}, ["--shared", "--flips", "400"]),
    "groups": Row({"groups": {"written": ["news", "law"]}}, ["--group", "written=news,law"]),
    "over_datasets": Row(
        {"over_datasets": True, "dependence": "independent"}, ["--over-datasets", "--independent"]
    ),
    "claim_covers": Row(
        {"claim_covers": "runs", "repeats": {"column": "seed", "kind": "runs"}},
        ["--claim-covers", "runs", "--repeats", "seed", "--repeats-kind", "runs"],
        "keywords",
        RUNS,
        ROWS_OF_SYSTEMS,
    ),
    "claim": Row(
        {"claim": "not_worse", "margin": 0.1}, ["--claim", "not_worse", "--margin", "0.1"]
    ),
    "labels": Row(
        {"labels": {"ours": "Ours, 7B", "news": "Nachrichten"}},
        ["--label", "ours=Ours, 7B", "--label=news=Nachrichten"],
    ),
    "margin": Row(
        {"claim": "better_by", "margin": {"news": 0.1, "law": 0.2, "talks": 0.1}},
        ["--claim", "better_by", *(f"--margin={x}" for x in ("news=0.1", "law=0.2", "talks=0.1"))],
    ),
    "alternative": Row({"alternative": "greater"}, ["--alternative", "greater"]),
    "test": Row({"test": "sign_flip"}, ["--test", "sign_flip"]),
    "options": Row(
        {"test": "sign_flip", "options": {"n_resamples": 499}},
        ["--test", "sign_flip", "--option", "n_resamples=499"],
    ),
    "procedure": Row({"procedure": "paper"}, ["--procedure", "paper"]),
    "method": Row({"method": "joint_sum", "shared": True}, ["--method", "joint_sum", "--shared"]),
    "seed": Row(
        {"test": "sign_flip", "options": {"n_resamples": 99}, "seed": 7},
        ["--test", "sign_flip", "--option", "n_resamples=99", "--seed", "7"],
    ),
}
"""Field of a question -> how it is asked."""


def of_format(name, keywords, flags, *more):
    """Return a row on the example of a format, with a folder for each system, and for more."""
    more = {key: f"{name}/{key}" for key in more}
    places = {"a": f"{name}/ours", "b": f"{name}/baseline", **more}
    keys = {"format": name, "files": places, **keywords}
    flags = [*flags, "--format", name]
    flags += itertools.chain.from_iterable((f"--{key}", place) for key, place in more.items())
    return Row({**keywords, "format": name, **more}, flags, keys, name)


READ = {
    "a": Row({"a": "base", "b": "ours"}, ["--systems", "base", "ours"], {"systems": ["base", "ours"]}, "wide", WIDE | {"scores": ["base", "ours"]}),
    "dataset": Row({"dataset": "task"}, ["--dataset", "task"], {}, PARTED, WIDE | {"dataset": "task"}),
    "instance": Row({"instance": "id"}, ["--instance", "id"], {}, TABLE.rename(columns={"instance": "id"}), WIDE | {"instance": "id"}),
    "system": Row({"system": "llm"}, ["--system", "llm"], {}, LONG.rename(columns={"system": "llm"}), ROWS_OF_SYSTEMS | {"system": "llm"}),
    "score": Row({"score": "right"}, ["--score", "right"], {}, LONG.rename(columns={"score": "right"}), ROWS_OF_SYSTEMS | {"score": "right"}),
    "size": Row({"size": "size"}, ["--size", "size"], {}, COUNTS, ROWS_OF_SYSTEMS | {"size": "size"}),
    "gold": Row({"gold": "people"}, ["--gold", "people"], {}, RATED, WIDE | {"gold": "people"}),
    "human": Row({"human": "people"}, ["--human", "people"], {}, JUDGED, ROWS_OF_SYSTEMS | {"human": "people"}),
    "run": Row({"run": "seed"}, ["--run", "seed"], {}, RUNS, ROWS_OF_SYSTEMS | {"run": "seed"}),
    "repeats": Row({"repeats": SPLITS}, OF_SPLITS, {"repeats": SPLITS}, FOLDS, {key: name for key, name in ROWS_OF_SYSTEMS.items() if key != "instance"}),
    "repeats with a share for each dataset": Row({"repeats": SPLITS | {"test_share": {"news": 0.1, "law": 0.5, "talks": 0.2}}}, [*OF_SPLITS[:-2], *(f"--test-share={x}" for x in ("news=0.1", "law=0.5", "talks=0.2"))], {"repeats": SPLITS | {"test_share": {"news": 0.1, "law": 0.5, "talks": 0.2}}}, FOLDS, {key: name for key, name in ROWS_OF_SYSTEMS.items() if key != "instance"}),
    "nested trials": Row({"repeats": {"column": "seed", "kind": "runs", "nested": True}, "claim_covers": "both"}, ["--repeats", "seed", "--repeats-kind", "runs", "--nested", "--claim-covers", "both"], "keywords", RUNS, ROWS_OF_SYSTEMS),
    "raters": Row({"repeats": {"column": "seed", "kind": "raters"}, "claim_covers": "both"}, ["--repeats", "seed", "--repeats-kind", "raters", "--claim-covers", "both"], "keywords", RUNS, ROWS_OF_SYSTEMS),
    "folds within repeats": Row({"repeats": SPLITS | {"within": "half", "test_share": 0.5}}, [*OF_SPLITS[:-1], "0.5", "--within", "half"], {"repeats": SPLITS | {"within": "half", "test_share": 0.5}}, HALVES, {key: name for key, name in ROWS_OF_SYSTEMS.items() if key != "instance"}),
    "runs among repeats": Row({"repeats": {"column": "seed", "kind": "runs"}}, ["--repeats", "seed", "--repeats-kind", "runs"], {"repeats": {"column": "seed", "kind": "runs"}}, RUNS, ROWS_OF_SYSTEMS),
    "successes": OF_TRIALS,
    "a margin of successes in trials": replace(OF_TRIALS, keywords=OF_TRIALS.keywords | {"claim": "not_worse", "margin": 0.1}, flags=[*OF_TRIALS.flags, "--claim", "not_worse", "--margin", "0.1"], keys={"claim": "not_worse", "margin": 0.1}),
    "trials": OF_TRIALS,
    "several columns of datasets": Row({"dataset": ["task", "lang"]}, ["--dataset", "task", "--dataset", "lang"], {}, LANGUAGES, WIDE | {"dataset": ["task", "lang"]}),
    "several columns of datasets in rows": Row({"dataset": ["task", "lang"]}, ["--dataset", "task", "--dataset", "lang"], {}, LANGUAGES.melt(["task", "lang", "instance"], var_name="system", value_name="score"), ROWS_OF_SYSTEMS | {"dataset": ["task", "lang"]}),
    "a list of one column": Row({"dataset": ["task"]}, ["--dataset", "task"], {}, PARTED, WIDE | {"dataset": ["task"]}),
    "ignore": Row({"ignore": ["size"]}, ["--ignore", "size"], "keywords", SPARE),
    "ignore in rows": Row({"ignore": "size"}, ["--ignore", "size"], "keywords", COUNTS, ROWS_OF_SYSTEMS),
    "one_dataset": Row({"one_dataset": True}, ["--one-dataset"], "keywords", TABLE.head(12), ITEMS),
    "one dataset, whatever the columns": Row({"one_dataset": True}, ["--one-dataset"], "keywords", UNLIKE, ITEMS),
    "one dataset in rows": Row({"one_dataset": True}, ["--one-dataset"], "keywords", UNLIKE.melt(["dataset", "instance"], var_name="system", value_name="score"), {key: value for key, value in ROWS_OF_SYSTEMS.items() if key != "dataset"}),
    "documents": of_format("translations", {}, [], "gold", "documents"),
    "datasets": Row({"datasets": ["news", "law"]}, ["--datasets", "news", "law"]),
    "format": of_format("conllu", {}, [], "gold"),
    "metric": of_format("labels", {"metric": "accuracy"}, ["--metric", "accuracy"], "gold"),
    "filter": of_format("helm", {"filter": "test"}, ["--filter", "test"]),
    "tokenize": of_format("translations", {"metric": "bleu", "tokenize": "char"}, ["--metric", "bleu", "--tokenize", "char"], "gold"),
    "by": Row({"by": "task"}, ["--by", "task"], {"by": "task"}, PARTED, {"instance": "instance", "scores": ["ours", "base"]}),
    "match": of_format("labels", {"match": "place"}, ["--match", "place"], "gold"),
    "items": of_format("ids", {"items": "ids/items"}, ["--items", "ids/items"]),
    "lists": of_format("ids", {"items": "ids/items", "lists": "wrong"}, ["--items", "ids/items", "--lists", "wrong"]),
    "unit": Row({"unit": "passage"}, ["--unit", "passage"], {"unit": "passage"}, PASSAGES),
    "higher_is_better": Row({"higher_is_better": False}, ["--lower-is-better"]),
    "missing": Row({"missing": "drop"}, ["--missing", "drop"], "keywords", LACKING, ROWS_OF_SYSTEMS),
}  # fmt: skip
"""Keyword that says how scores are read -> how it is said."""


ASKED_OF_PVALUES = {
    "resolution": ({"resolution": 0.01}, ["--resolution", "0.01"]),
    "sided": ({"sided": "unknown"}, ["--sided", "unknown"]),
}
"""What is said of p-values."""


def told(result):
    """Return what a result says, without where it was read and who asked."""
    said = {key: said for key, said in result.items() if key not in ("provenance", "command")}
    said["read"] = {key: value for key, value in said["read"].items() if key != "source"}
    return json.loads(json.dumps(said, sort_keys=True))


def spelled(text):
    """Write arguments as keys, and leave out the place that a study adds."""
    text = re.sub(r"columns: \{(\w+): ([^}]*)\}", r"<\1> \2", text)
    words = r"'?(?:independent|dependent|positive)\b'?"
    text = re.sub(rf"--{words}|dependence(?:=|: ){words}", "<dependence>", text)
    text = re.sub(r"the key '(\w+)'", r"<\1>", text)
    text = re.sub(
        r"--([a-z][\w-]*)", lambda m: f"<{FLAGS.get(m[1], m[1].replace('-', '_'))}>", text
    )
    text = re.sub(r"\b(\w+)=(?=\s|[.,;])", r"<\1>", text)
    text = re.sub(r"\b(\w+)=(?=\w)", r"<\1> ", text)
    text = re.sub(r"^\S*s\.yaml: comparisons\[0\](\.columns|\.files)?: ", "", text)
    text = re.sub(
        r"^\S*s\.yaml: comparisons\[0\]\.(?:(?:columns|files)\.)?(\w+)(?:[.]?(\S+))? ",
        lambda m: f"In <{m[1]}>, {m[2]} " if m[2] else f"<{m[1]}> ",
        text,
    )
    text = re.sub(r"^\S*s\.yaml: (.*) in comparisons\[0\]\.(\w+)\.$", r"\1 in <\2>.", text)
    return text.partition("comparison 'c': ")[2] or re.sub(r"^\S*(t\.csv|The frame)[:,] ", "", text)


FLAGS = {key.flag: name for name, key in KEYS.items() if key.flag}
"""Flag -> field, where they differ."""


class Doors:
    """The doors, each of which answers with what is found, or with a refusal."""

    def __init__(self, row, capsys):
        self.row, self.capsys = row, capsys
        self.table = TABLE if isinstance(row.data, str) and row.data == "wide" else row.data
        self.paths = ["t.csv"]
        if isinstance(self.table, str):
            shutil.copytree(EXAMPLES / row.data, row.data)
            self.paths = [f"{row.data}/ours", f"{row.data}/baseline"]
            for path in Path("translations/ours").glob("*"):
                Path("translations/documents").mkdir(exist_ok=True)
                text = "".join(f"d{k // 2}\n" for k in range(12))
                Path("translations/documents", path.name).write_text(text, encoding="utf-8")
            for path in Path("ids").rglob("*.json") if "lists" in row.keywords else ():
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace("resolved", "unresolved"), encoding="utf-8")
        else:
            self.table.to_csv("t.csv", index=False)
        names = ("ours", "base" if len(self.paths) == 1 else "baseline")
        self.systems = dict(zip("ab", names, strict=True))
        self.given = {**self.systems, "dependence": "dependent", **row.keywords}

    def all(self):
        """Return the answer of each door that there is for the data."""
        doors = [self.file, self.scores, self.command]
        doors += [self.frame] if not isinstance(self.table, str) else []
        doors += [self.study] if self.row.keys is not None else []
        return {door.__name__: self.answer(door) for door in doors}

    def answer(self, door):
        """Return what a door says."""
        try:
            return told(door())
        except rep.InputError as error:
            return spelled(str(error))

    def frame(self):
        return rep.compare(self.table, **self.given).to_dict()

    def file(self):
        return rep.compare(*self.paths, **self.given).to_dict()

    def scores(self):
        reading = {key: value for key, value in self.given.items() if key in READING}
        asking = {key: value for key, value in self.given.items() if key not in READING}
        if isinstance(self.table, str):
            read = rep.Scores.read(*self.paths, **reading)
        else:
            read = rep.Scores.from_frame(self.table, **reading)
        return rep.compare(read, **asking).to_dict()

    def command(self):
        flags = self.row.flags
        flags = flags if "--systems" in flags else [*flags, "--systems", *self.systems.values()]
        declared = {"--independent", "--positive", "--dependent"} & {*flags}
        flags = flags if declared else [*flags, "--dependent"]
        code = cli.main(["compare", *self.paths, "--json", *flags])
        said = self.capsys.readouterr()
        if code:
            raise rep.InputError(said.err.strip().splitlines()[-1])
        return json.loads(said.out)

    def study(self):
        keys = self.row.keywords if self.row.keys == "keywords" else self.row.keys
        block = {"name": "c", "systems": [*self.systems.values()], "dependence": "dependent"}
        if len(self.paths) == 1:
            block |= {"file": "t.csv", "columns": self.row.columns or WIDE}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block | keys]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()


@pytest.fixture
def doors(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda row: Doors(row, capsys)


def test_every_field_has_a_row():
    assert ASKED.keys() == set(ASKING)
    assert READ.keys() | {"b"} >= set(READING)
    assert ASKED_OF_PVALUES.keys() == set(OF_PVALUES)


LONG_ROWS = ("documents", "tokenize")


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=name, marks=[pytest.mark.long] if name in LONG_ROWS else [])
        for name, row in (ASKED | READ).items()
    ],
)
def test_every_door_gives_the_same_result(doors, row):
    answers = doors(row).all()
    assert isinstance(answers["file"], dict), answers["file"]
    for door, answer in answers.items():
        assert answer == answers["file"], door


# --- refusals ------------------------------------------------------------------------------------

REFUSED = {
    "shared, but independent": Row(
        {"shared": True, "dependence": "independent"}, ["--shared", "--independent"]
    ),
    "a population of dependent datasets": Row({"over_datasets": True}, ["--over-datasets"]),
    "a population and a margin": Row(
        {"over_datasets": True, "dependence": "independent", "claim": "not_worse", "margin": 0.1},
        ["--over-datasets", "--independent", "--claim", "not_worse", "--margin", "0.1"],
    ),
    "a population of one dataset": Row({"over_datasets": True, "dependence": "independent"}, ["--over-datasets", "--independent"], "keywords", TABLE.head(12)),
    "flips of nothing": Row({"n_flips": 400}, ["--flips", "400"]),
    "a method beside the paper's": Row(
        {"procedure": "paper", "method": "simes"}, ["--procedure", "paper", "--method", "simes"]
    ),
    "a claim without a margin": Row({"claim": "not_worse"}, ["--claim", "not_worse"]),
    "a margin of nothing": Row({"margin": 0.1}, ["--margin", "0.1"]),
    "the direction of what has none": Row({"claim": "equivalent", "margin": 0.1, "alternative": "greater"}, ["--claim", "equivalent", "--margin", "0.1", "--alternative", "greater"]),
    "a test of ratings": Row({"test": "steiger"}, ["--test", "steiger"]),
    "an option that there is not": Row(
        {"test": "sign_flip", "options": {"n_resample": 9}},
        ["--test", "sign_flip", "--option", "n_resample=9"],
    ),
    "a group of no dataset": Row({"groups": {"g": ["new"]}}, ["--group", "g=new"]),
    "a metric of a table": Row({"metric": "las"}, ["--metric", "las"]),
    "a filter of a table": Row({"filter": "x"}, ["--filter", "x"]),
    "a tokenizer of a table": Row({"tokenize": "zh"}, ["--tokenize", "zh"]),
    "places of a table": Row({"match": "place"}, ["--match", "place"]),
    "a column of logs that is ignored": of_format("lm_eval", {"ignore": ["x"]}, ["--ignore", "x"]),
    "a column that is ignored and is not there": Row({"ignore": ["x"]}, ["--ignore", "x"]),
    "a column that is ignored and has a role": Row({"ignore": ["dataset"], "dataset": "dataset"}, ["--ignore", "dataset", "--dataset", "dataset"], {"ignore": "dataset"}),
    "one dataset of several": Row({"one_dataset": True, "dataset": "dataset"}, ["--one-dataset", "--dataset", "dataset"], {"one_dataset": True}),
    "items of a table": Row({"items": 3}, ["--items", "3"]),
    "lists of a table": Row({"lists": "wrong"}, ["--lists", "wrong"]),
    "a metric that there is not": of_format("conllu", {"metric": "lass"}, ["--metric", "lass"], "gold"),
    "a test of successes in trials": replace(OF_TRIALS, keywords=OF_TRIALS.keywords | {"test": "mcnemar"}, flags=[*OF_TRIALS.flags, "--test", "mcnemar"], keys={"test": "mcnemar"}),
    "runs in a column of logs": Row(
        {"run": "seed", "format": "lm_eval"},
        ["--run", "seed", "--format", "lm_eval"],
        of_format("lm_eval", {}, []).keys | {"columns": {"run": "seed"}},
        "lm_eval",
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_every_door_refuses_in_the_same_words(doors, row):
    answers = doors(row).all()
    assert isinstance(answers["file"], str)
    assert answers == dict.fromkeys(answers, answers["file"])


VALUES = (
    *("x", "independant", "", -1, 0, 5, 10**7, -0.5, 0.5, 1.5, 1.0, True, False, []),
    *(["x"], ["x", "x"], [1.5], [["x"]], {}, {"g": []}, {"g": ["x", "x"]}, {"g": "x"}),
    *({"": ["x"]}, {"g": 1.5}, {"g": True}, {"n_resamples": 0}),
)
"""Values of each kind, of which every field refuses some."""


def wrong(name):
    """Return values that break the rule of a field, with what is said, each once."""
    found = {}
    for value in VALUES:
        try:
            keys.given({name: value})
        except rep.InputError as error:
            said = spelled(error.spelled("{}=".format))
            found.setdefault(said.replace(repr(value), type(value).__name__), (value, said))
    return list(found.values())


def written(name, value):
    """Return the option of a value; None if it cannot be written."""
    if isinstance(value, bool | dict) or value != value:
        return None
    if KEYS[name].again or name in (
        "dependence",
        "higher_is_better",
        "one_dataset",
        "over_datasets",
        "repeats",
        "a",
        "b",
    ):
        return None
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(one, str | int | float) for one in values):
        return None
    if isinstance(value, list) != (name == "datasets") or str(values[0]).startswith("-"):
        return None
    read = flags_.READ.get(name, flags_.number if name in flags_.NUMBERS else str)(str(values[0]))
    if name != "datasets" and read != value:
        return None
    if name == "datasets":
        return [flags_.option(name), *values] if all(isinstance(x, str) for x in values) else None
    return [f"{flags_.option(name)}={value}"]


@pytest.mark.parametrize("name", [*ASKING, *READING])
def test_every_door_refuses_what_breaks_a_rule(doors, name):
    faults = wrong(name)
    assert len(faults) > 1
    for value, said in faults:
        option = written(name, value)
        row = Row({name: value}, option or [])
        if name in declared.Columns.types() and name != "gold":
            row.keys, row.columns = {}, WIDE | {name: value}
        elif name in ("gold", "documents"):
            row.keys = {"format": "translations", "files": {"a": "a", "b": "b", name: value}}
        elif name not in ComparisonKeys.types():
            row.keys = None
        every = doors(row)
        assert every.answer(every.frame) == every.answer(every.file) == said
        assert "<" in said or "is not one of" in said
        if row.keys is not None:
            assert every.answer(every.study) == said
        if option:
            assert every.answer(every.command) == said


@pytest.mark.parametrize("name", [*ASKING, *READING, "alpha"])
def test_no_object_ends_in_a_traceback(name):
    for value in (object(), TABLE, TABLE["ours"], np.array([[1.5]]), b"x", len, {1.5: len}, 1j):
        with pytest.raises(rep.InputError, match=r"^[^\n]{1,700}$"):
            rep.compare(TABLE, **{"a": "ours", "b": "base", "test": "sign_flip", name: value})


@pytest.mark.parametrize("value", ["x", 0, 1.0, -0.05, [], [0.05, 0.05], [0.05, "x"], True, None])
def test_a_level_is_refused_in_the_same_words(doors, value):
    with pytest.raises(rep.InputError) as python:
        rep.compare(TABLE, a="ours", b="base", alpha=value)
    said = str(python.value)
    assert said.startswith(("alpha= is ", "In alpha=, "))
    with pytest.raises(rep.InputError) as counted:
        rep.count([0.1], alpha=value)
    assert str(counted.value) == said
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        every = doors(Row({}, ["--alpha", str(value)]))
        assert every.answer(every.command) == spelled(said)


# --- the model, the signatures, the flags and the keys -------------------------------------------


def test_signatures_name_the_fields():
    asked = [*inspect.signature(rep.compare).parameters][2:]
    assert {*asked} == {*READING, *ASKING, "alpha", "metrics"}
    assert {*Reading.__annotations__} == {*READING}
    pairs = {*inspect.signature(rep.all_pairs).parameters} - {"data", "systems"}
    left_out = {"a", "b", *declared.OF_PAIRS}
    assert pairs == {*READING, *ASKING, "alpha", "against", "ask_first"} - left_out
    counted = {*inspect.signature(rep.count).parameters} - {"pvalues", "names"}
    more = {"a", "b", "alpha", "dataset", "p_value", "scores", "higher_is_better"}
    assert counted <= {*more, *ASKING, *OF_PVALUES} and {*OF_PVALUES} <= counted
    assert {*inspect.signature(rep.Question).parameters} == {*ASKING, "dependence_declared"}


@pytest.mark.parametrize("function", [rep.compare, rep.all_pairs, rep.count, rep.ask])
def test_every_keyword_is_described(function):
    for name in inspect.signature(function).parameters:
        described = re.search(rf"^ *(\w+, )*{name}(, \w+)* : ", function.__doc__, re.MULTILINE)
        assert described, name
        if name in KEYS and name not in ("alpha",):
            text = " ".join(function.__doc__.split())
            assert KEYS[name].meaning in text
    assert "{keywords}" not in function.__doc__


def test_every_field_has_its_option():
    commands = parser()._subparsers._group_actions[0].choices
    for command, names in {
        "compare": (*ASKING, *READING[2:]),
        "pvalues": ("dependence", "alternative", "groups", "procedure", "method", *OF_PVALUES),
    }.items():
        actions = {}
        for action in commands[command]._actions:
            actions.setdefault(action.dest, []).append(action)
        for name in names:
            assert name in actions, name
            said = " ".join(action.help for action in actions[name])
            assert (KEYS[name].help.replace("`", "").replace("%", "%%") in said) or (
                name in ("dependence", "higher_is_better")
            )


def test_every_field_is_a_key_of_a_study():
    internal = {"rows", "named", "unused"}
    internal |= {"unit_declared", "dependence_declared", "labels_of_study"}
    fields = {*declared.Comparison.__dataclass_fields__} - internal
    assert {*ComparisonKeys.types()} == fields
    assert {*FamilyKeys.types()} == fields - {*declared.OF_PAIRS} | {"against", "ask_first"}
    roles = {*declared.Layout.__dataclass_fields__}
    placed = {"a", "b", *declared.Columns.types(), *declared.Files.types()}
    assert roles - placed == {"ignore", "one_dataset"} & fields


def test_an_unknown_keyword_option_or_key_names_the_nearest(doors, capsys):
    with pytest.raises(TypeError, match=r"^compare\(\) has no argument 'metricc'; .*'metric'\?$"):
        rep.compare(TABLE, metricc="las")
    with pytest.raises(
        TypeError, match=r"^Scores.from_frame\(\) has no .*'instances'; .*'instance'"
    ):
        rep.Scores.from_frame(TABLE, instances="instance")
    with pytest.raises(TypeError, match="unexpected keyword argument 'dependance'"):
        rep.Question(dependance="independent")
    every = doors(Row({}, [], {"metricc": "las"}))
    assert "unknown key 'metricc' in comparisons[0]; did you mean 'metric'?" in every.answer(
        every.study
    )
    with pytest.raises(SystemExit):
        cli.main(["compare", "t.csv", "--metricc", "las"])
    said = r"unrecognized arguments: --metricc( las)?; did you mean '--metric'\?"  # 3.14: no value
    assert re.search(said, capsys.readouterr().err)


# --- p-values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASKED_OF_PVALUES)
def test_p_values_are_read_alike(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame({"dataset": ["x", "y", "z"], "p": [0.001, 0.02, 0.6]})
    table.to_csv("p.csv", index=False)
    keywords, flags = ASKED_OF_PVALUES[name]
    assert cli.main(["pvalues", "p.csv", "--dependent", "--json", *flags]) == 0
    command = told(json.loads(capsys.readouterr().out))
    columns = {"dataset": "dataset", "p_value": "p"}
    block = {"name": "c", "systems": ["A", "B"], "dependence": "dependent", "file": "p.csv"}
    block |= {"columns": columns, flags[0].removeprefix("--"): yaml.safe_load(flags[1])}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    study = told(rep.read_study("s.yaml").ask()[0].to_dict())
    assert study == command
    if keywords is not None:
        python = rep.count(table["p"], table["dataset"], dependence="dependent", **keywords)
        for result in (told(python.to_dict()), study):
            result["read"].pop("columns")
        assert told(python.to_dict())["findings"] == study["findings"]


@pytest.mark.parametrize("name", OF_PVALUES)
@pytest.mark.parametrize("value", ["x", 1, -1, 2.5])
def test_what_is_said_of_p_values_is_refused_in_the_same_words(
    name, value, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rep.InputError) as error:
        keys.checked(name, value if name == "resolution" else str(value))
    said = error.value
    assert cli.main(["pvalues", "0.1", f"--{name}={value}"]) == 1
    assert capsys.readouterr().err.strip() == said.spelled(flags_.option)
    if name == "resolution":
        with pytest.raises(rep.InputError, match=f"^{re.escape(said.spelled('{}='.format))}$"):
            rep.count([0.1], resolution=value)


@pytest.mark.parametrize("resolution", [None, 0, 0.01])
def test_a_p_value_of_0_is_taken_alike(resolution, doors, capsys):
    table = pd.DataFrame({"dataset": ["x", "y", "z"], "p": [0.03, 0.0, 0.6]})
    table.to_csv("p.csv", index=False)
    said = {} if resolution is None else {"resolution": resolution}
    block = {"name": "c", "systems": ["A", "B"], "dependence": "dependent", "file": "p.csv", **said}
    block["columns"] = {"dataset": "dataset", "p_value": "p"}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    flags = [f"--{key}={value}" for key, value in said.items()]
    code = cli.main(["pvalues", "p.csv", "--dependent", "--json", *flags])
    shown = capsys.readouterr()
    if resolution is None:
        assert code == 1 and "p.csv: p-value 2 of 3 is 0, " in shown.err
        with pytest.raises(rep.InputError, match=r"p.csv: p-value 2 .* set the key 'resolution'"):
            rep.read_study("s.yaml").ask()
        with pytest.raises(rep.InputError, match=r"^p-value 2 of 3 is 0, .* set resolution= "):
            rep.count(table["p"], table["dataset"])
        return
    study = told(rep.read_study("s.yaml").ask()[0].to_dict())
    assert study == told(json.loads(shown.out))
    python = rep.count(table["p"], table["dataset"], dependence="dependent", resolution=resolution)
    assert told(python.to_dict())["findings"] == study["findings"]
    page = rep.read_study("s.yaml").report("s.html").read_text(encoding="utf-8")
    assert f"resolution: {resolution}" in page


BESIDE = pd.DataFrame(
    {"dataset": ["x", "y", "z"], "p": [0.001, 0.02, 0.6], "ours": [9.0, 1, 5], "base": [1.0, 9, 5]}
)
FIT = BESIDE.assign(ours=[9.0, 9, 5], base=[1.0, 1, 5])
LOSSES = BESIDE.rename(columns={"ours": "wer_x", "base": "wer_y"})
OURS = {"a": "ours", "b": "base"}
SCORED = {"scores": ("ours", "base")}
OF_PVALUES_BESIDE = {
    "nobody names the scores": (BESIDE, {}, "p-values are small where 'ours' is higher"),
    "nobody knows the side": (BESIDE, {"sided": "unknown"}, "p-values are small where 'ours' is higher"),
    "one-sided": (BESIDE, {"sided": "one"}, ["x", "y"]),
    "two-sided without scores": (BESIDE, {"sided": "two"}, "specify"),
    "scores": (BESIDE, SCORED, "on 'y', the p-value 0.02 would mean that ours is better"),
    "scores, two-sided": (BESIDE, SCORED | {"sided": "two"}, ["x"]),
    "scores, one-sided": (BESIDE, SCORED | {"sided": "one"}, ["x", "y"]),
    "scores, unknown": (BESIDE, SCORED | {"sided": "unknown"}, ["x", "y"]),
    "scores called as the systems": (BESIDE, OURS, "on 'y', the p-value 0.02 would mean that ours is better"),
    "the systems the other way round": (FIT, {"a": "base", "b": "ours"}, "on 'x', the p-value 0.001 would mean that base"),
    "scores called as the systems fit": (FIT, OURS, ["x", "y"]),
    "scores that fit": (FIT, {}, ["x", "y"]),
    "both directions": (BESIDE, SCORED | {"alternative": "two-sided"}, ["x"]),
    "both directions, two-sided": (BESIDE, SCORED | {"alternative": "two-sided", "sided": "two"}, ["x"]),
    "both directions, one-sided": (FIT, SCORED | {"alternative": "two-sided", "sided": "one"}, "test one direction only"),
    "both directions without scores": (FIT[["dataset", "p"]], {"alternative": "two-sided"}, "test one direction only"),
    "one direction": (BESIDE, SCORED | {"alternative": "greater", "sided": "two"}, ["x"]),
    "losses": (LOSSES, {"scores": ("wer_x", "wer_y"), "sided": "two"}, "a lower 'wer' is better"),
    "losses, declared": (LOSSES, {"scores": ("wer_x", "wer_y"), "sided": "two", "higher_is_better": False}, ["y"]),
    "called two-sided": (FIT.rename(columns={"p": "p (two-sided)"}), SCORED, "holds two-sided p-values"),
    "called two-sided, and declared": (FIT.rename(columns={"p": "p (two-sided)"}), SCORED | {"sided": "two"}, ["x", "y"]),
    "lines without a name": (FIT[["p"]], {}, ["dataset 1", "dataset 2"]),
    "statistics are no scores": (BESIDE.rename(columns={"ours": "t", "base": "df"}), {}, ["x", "y"]),
    "sizes are no scores": (BESIDE.rename(columns={"base": "n"}), {}, ["x", "y"]),
}  # fmt: skip
"""p-values beside scores, what is said of them, and the datasets that are named, or the refusal."""


@pytest.mark.parametrize(
    ("table", "keywords", "expected"), OF_PVALUES_BESIDE.values(), ids=OF_PVALUES_BESIDE
)
def test_p_values_beside_scores_are_read_alike(
    table, keywords, expected, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    table.to_csv("t.csv", index=False)
    given = {"dependence": "dependent", **keywords}
    systems = [*given.get("scores", ())] or [given.get("a", "A"), given.get("b", "B")]
    p_value = table.columns[int("dataset" in table)]

    def study():
        columns = {"p_value": str(p_value)} | ({"dataset": "dataset"} if "dataset" in table else {})
        columns |= {"scores": [*given["scores"]]} if "scores" in given else {}
        said = ("sided", "alternative", "dependence", "higher_is_better")
        block = {"name": "c", "systems": systems, "file": "t.csv", "columns": columns}
        block |= {key: given[key] for key in said if key in given}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()

    def command():
        flags = ["--systems", *systems] if "a" in given else []
        flags += ["--lower-is-better"] if "higher_is_better" in given else []
        flags += ["--scores", *given["scores"]] if "scores" in given else []
        flags += [f"--{key}={given[key]}" for key in ("sided", "alternative") if key in given]
        code = cli.main(["pvalues", "t.csv", "--json", "--dependent", *flags])
        said = capsys.readouterr()
        if code:
            raise rep.InputError(said.err.strip())
        return json.loads(said.out)

    doors = {
        "frame": lambda: rep.count(table, **given).to_dict(),
        "rows": lambda: rep.count(table.to_dict("records"), **given).to_dict(),
        "file": lambda: rep.count("t.csv", **given).to_dict(),
        "command": command,
        "study": study if "dataset" in table else command,
    }
    if isinstance(expected, str):
        for door in doors.values():
            with pytest.raises(rep.InputError, match=expected):
                door()
        return
    found = {name: told(door()) for name, door in doors.items()}
    assert found["command"]["systems"] == systems
    assert [row["dataset"] for row in found["file"]["datasets"] if row["named"]] == expected
    assert found == dict.fromkeys(found, found["file"])


def test_scores_beside_p_values_in_arrays_are_read_alike():
    values, ours, base = BESIDE["p"], BESIDE["ours"], BESIDE["base"]
    asked = r"on 'y', .* declare sided='two'; if they are one-sided, declare sided='one'"
    with pytest.raises(rep.InputError, match=asked):
        rep.count(values, BESIDE["dataset"], scores=(ours, base))
    for sided in ("one", "two", "unknown"):
        arrays = rep.count(
            values, BESIDE["dataset"], a="ours", b="base", scores=(ours, base), sided=sided
        )
        table = rep.count(BESIDE, a="ours", b="base", sided=sided)
        assert told(arrays.to_dict())["findings"] == told(table.to_dict())["findings"]
    both = rep.count(values, scores=(ours, base), alternative="two-sided")
    assert str(both).startswith("A outperforms B on at least 1 of 3 datasets, namely dataset 1 (")
    with pytest.raises(
        rep.InputError,
        match=r"scores= needs two sequences of the same length as the p-values \(1\)",
    ):
        rep.count([0.1], scores=([1], [1, 2]))
    with pytest.raises(rep.InputError, match="dataset= names a column of a table"):
        rep.count([0.1], dataset="x")
    with pytest.raises(rep.InputError, match="specify the column of dataset names with dataset="):
        rep.count(BESIDE, ["x", "y", "z"])


# --- scores and questions that are kept ----------------------------------------------------------


def test_a_question_is_checked_when_it_is_asked():
    scores = rep.Scores.from_arrays([1, 0, 1], [0, 0, 1])
    with pytest.raises(rep.InputError, match=r"dependence 'independant' is not .*'independent'"):
        rep.ask(scores, rep.Question(dependence="independant"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'dependance'"):
        rep.Question(dependance="independent")
    assert rep.ask(scores, rep.Question()) == rep.compare(scores)


def test_what_was_read_is_not_read_otherwise():
    read = rep.Scores.from_frame(TABLE, a="ours", b="base")
    with pytest.raises(
        rep.InputError, match=r"were read before, but dataset= sets how scores are read"
    ):
        rep.compare(read, dataset="dataset")
    with pytest.raises(rep.InputError, match=r"first argument holds the scores of both systems"):
        rep.compare(read, TABLE)


def test_every_way_to_scores_gives_the_same(tmp_path):
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    long = TABLE.melt(["dataset", "instance"], var_name="system", value_name="score")
    sides = [TABLE.rename(columns={s: "score"})[["dataset", "instance", "score"]]
             for s in ("ours", "base")]  # fmt: skip
    parts = {name: (part["ours"], part["base"]) for name, part in TABLE.groupby("dataset")}
    ways = [
        rep.Scores.from_frame(TABLE, a="ours", b="base"),
        rep.Scores.from_frame(long.sample(frac=1, random_state=1), a="ours", b="base"),
        rep.Scores.from_frame(*sides, a="ours", b="base"),
        rep.Scores.read(tmp_path / "t.csv", a="ours", b="base"),
        rep.Scores.from_dict(parts, systems=("ours", "base")),
    ]
    tables = [rep.compare(way).table.sort_values("dataset", ignore_index=True) for way in ways]
    for table in tables[1:]:
        pd.testing.assert_frame_equal(table, tables[0])
    one = rep.Scores.from_arrays([1, 0, 1], [0, 0, 1])
    assert one.sizes == {next(iter(one.sizes)): 3}
    assert one == rep.Scores.from_arrays([1, 0, 1], [0, 0, 1])
    assert one != rep.Scores.from_arrays([1, 0, 0], [0, 0, 1])
