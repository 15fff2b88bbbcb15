"""One question through Python, the command line and YAML: one answer, or one refusal."""

import json
import re

import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.core import evaluation, findings
from replicability.io.declared import Question
from replicability.io.study import read_study

TABLE = pd.DataFrame(
    {
        "dataset": ["news"] * 12 + ["law"] * 12 + ["talks"] * 12,
        "instance": [f"i{k}" for k in range(12)] * 3,
        "ours": [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1] * 3,
        "base": [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0] * 2 + [1, 0] * 6,
    }
)

ANSWERED = {
    "dependence": ({"dependence": "independent"}, ["--independent"]),
    "dependence_declared": ({"dependence": "dependent"}, ["--dependent"]),
    "shared": ({"shared": True}, ["--shared"]),
    "n_flips": ({"shared": True, "n_flips": 400}, ["--shared", "--flips", "400"]),
    "groups": ({"groups": {"written": ["news", "law"]}}, ["--group", "written=news,law"]),
    "claim": (
        {"claim": "not_worse", "margin": 0.1},
        ["--claim", "not_worse", "--margin", "0.1"],
    ),
    "margin": (
        {"claim": "better_by", "margin": {"news": 0.1, "law": 0.2, "talks": 0.1}},
        ["--claim", "better_by", *(f"--margin={x}" for x in ("news=0.1", "law=0.2", "talks=0.1"))],
    ),
    "alternative": ({"alternative": "greater"}, ["--alternative", "greater"]),
    "test": ({"test": "sign_flip"}, ["--test", "sign_flip"]),
    "options": (
        {"test": "sign_flip", "options": {"n_resamples": 499}},
        ["--test", "sign_flip", "--option", "n_resamples=499"],
    ),
    "procedure": ({"procedure": "paper"}, ["--procedure", "paper"]),
    "method": (
        {"dependence": "independent", "method": "sidak"},
        ["--independent", "--method", "sidak"],
    ),
    "seed": (
        {"test": "sign_flip", "options": {"n_resamples": 99}, "seed": 7},
        ["--test", "sign_flip", "--option", "n_resamples=99", "--seed", "7"],
    ),
}
"""Field of a question -> keywords, which are keys of YAML, too, and flags."""

REFUSED = {
    "shared, but independent": (
        {"shared": True, "dependence": "independent"},
        ["--shared", "--independent"],
    ),
    "flips of nothing": ({"n_flips": 400}, ["--flips", "400"]),
    "a method beside the paper's": (
        {"procedure": "paper", "method": "simes"},
        ["--procedure", "paper", "--method", "simes"],
    ),
    "a claim without a margin": ({"claim": "not_worse"}, ["--claim", "not_worse"]),
    "a test of ratings": ({"test": "steiger"}, ["--test", "steiger"]),
    "an option that there is not": (
        {"test": "sign_flip", "options": {"n_resample": 9}},
        ["--test", "sign_flip", "--option", "n_resample=9"],
    ),
    "a group of no dataset": ({"groups": {"g": ["new"]}}, ["--group", "g=new"]),
    **{
        f"{key} of no kind": ({key: "x"}, [f"--{key}", "x"])
        for key in ("claim", "alternative", "procedure", "test", "method")
    },
}

READ = {
    "match": ({"match": "x"}, ["--match", "x"]),
    "lists": ({"lists": "x"}, ["--lists", "x"]),
    "format": ({"format": "tabel"}, ["--format", "tabel"]),
    "missing": ({"missing": "x"}, ["--missing", "x"]),
}
"""What says how scores are read, with a value that there is not."""

FLAGS = {"flips": "n_flips", "group": "groups", "option": "options"}
"""Flag -> key, where they differ."""


def test_every_field_of_a_question_is_asked():
    assert ANSWERED.keys() == set(Question.__dataclass_fields__)


def spelled(text):
    """Write arguments as keys, and leave out the place that a study adds."""
    text = re.sub(r"the key '(\w+)'", r"<\1>", text)
    text = re.sub(r"--([a-z][\w-]*)", lambda m: f"<{FLAGS.get(m[1], m[1])}>", text)
    text = re.sub(r"\b(\w+)=(?=\s|[.,;])", r"<\1>", text)
    text = re.sub(r"^\S*s\.yaml: comparisons\[0\]: ", "", text)
    return text.partition("comparison 'c': ")[2] or re.sub(r"^\S*(t\.csv|The frame)[:,] ", "", text)


@pytest.fixture
def doors(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "t.csv"
    TABLE.to_csv(path, index=False)

    def python(keywords, flags, data=TABLE):
        try:
            return rep.compare(data, a="ours", b="base", **keywords).sentence
        except rep.InputError as error:
            return spelled(str(error))

    def command(keywords, flags):
        code = cli.main(["compare", str(path), "--systems", "ours", "base", "--json", *flags])
        said = capsys.readouterr()
        if code:
            return spelled(said.err.strip().splitlines()[-1])
        return json.loads(said.out)["sentences"][0]

    def study(keywords, flags):
        columns = {"dataset": "dataset", "instance": "instance", "scores": ["ours", "base"]}
        block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"}
        block |= {"file": str(path), "columns": columns} | keywords
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        (tmp_path / "s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        try:
            (comparison,) = read_study(tmp_path / "s.yaml").comparisons
            return str(findings.find(comparison, evaluation.evaluate(comparison), 0.05))
        except rep.InputError as error:
            return spelled(str(error))

    def file(keywords, flags):
        return python(keywords, flags, str(path))

    def scores(keywords, flags):
        read = rep.Scores.from_frame(TABLE, a="ours", b="base")
        try:
            return rep.compare(read, **keywords).sentence
        except rep.InputError as error:
            return spelled(str(error))

    return python, command, study, file, scores


@pytest.mark.parametrize(("keywords", "flags"), ANSWERED.values(), ids=ANSWERED)
def test_every_door_gives_the_same_answer(doors, keywords, flags):
    answers = [door(keywords, flags) for door in doors]
    assert "<" not in answers[0]
    assert answers == answers[:1] * len(doors)


@pytest.mark.parametrize(("keywords", "flags"), REFUSED.values(), ids=REFUSED)
def test_every_door_refuses_in_the_same_words(doors, keywords, flags):
    answers = [door(keywords, flags) for door in doors]
    assert answers == answers[:1] * len(doors)
    assert "ours" not in answers[0]


@pytest.mark.parametrize(("keywords", "flags"), READ.values(), ids=READ)
def test_every_door_that_reads_refuses_in_the_same_words(doors, keywords, flags):
    answers = [door(keywords, flags) for door in doors[:-1]]
    assert answers == answers[:1] * len(answers)
    assert "is not one of" in answers[0]


def test_a_question_is_checked_when_it_is_asked():
    scores = rep.Scores.from_arrays([1, 0, 1], [0, 0, 1])
    with pytest.raises(rep.InputError, match=r"dependence 'independant' is not .*'independent'"):
        rep.ask(scores, rep.Question(dependence="independant"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'dependance'"):
        rep.Question(dependance="independent")
    assert rep.ask(scores, rep.Question()) == rep.compare(scores)


def test_what_was_read_is_not_read_otherwise():
    read = rep.Scores.from_frame(TABLE, a="ours", b="base")
    with pytest.raises(rep.InputError, match=r"read before, and dataset= says how scores are read"):
        rep.compare(read, dataset="dataset")
    with pytest.raises(rep.InputError, match=r"read before, and both systems are in them"):
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
