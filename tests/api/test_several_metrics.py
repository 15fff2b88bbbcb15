"""Several metrics, one guarantee: through every door, and what is refused."""

import itertools
import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.api.grid import Grid
from replicability.stats import multiple_testing

EXAMPLES = Path(cli.__file__).with_name("example")
DATASETS = ("news", "law", "talks")


def table(seed=0, n=20, gains=(0.9, 0.9, -0.9), datasets=DATASETS, systems=("ours", "base")):
    """Return scores by f1 and a judge, of which a higher one is better, and wer, a lower one."""
    rng, rows = np.random.default_rng(seed), []
    for dataset, k in itertools.product(datasets, range(n)):
        for place, system in enumerate(systems):
            f1, judge, wer = rng.normal(size=3) * 0.5 + rng.normal() * 0.3
            ahead = (len(systems) - 1 - place) * np.array(gains)
            cells = np.round([f1 + ahead[0], 10 * (judge + ahead[1]), wer - ahead[2]], 6)
            rows.append((dataset, f"i{k}", f"p{k // 2}", system, *cells))
    names = ["dataset", "instance", "passage", "system", "f1", "judge", "wer"]
    return pd.DataFrame(rows, columns=names)


TABLE = table()
COLUMNS = {"dataset": "dataset", "instance": "instance", "system": "system"}
WAYS = {"f1": "higher", "judge": "higher", "wer": "lower"}
FLAGS = ["--metrics", "f1=higher", "judge=higher", "wer=lower"]
ASKED = {
    "names": ({"metrics": ["f1", "judge"]}, ["--metrics", "f1", "judge"]),
    "directions": ({"metrics": WAYS}, FLAGS),
    "shared": ({"metrics": WAYS, "shared": True}, [*FLAGS, "--shared"]),
    "independent": ({"metrics": WAYS, "dependence": "independent"}, [*FLAGS, "--independent"]),
    "positive": ({"metrics": WAYS, "dependence": "positive"}, [*FLAGS, "--positive"]),
    "method": (
        {"metrics": WAYS, "shared": True, "method": "calibrated_simes"},
        [*FLAGS, "--shared", "--method", "calibrated_simes"],
    ),
    "flips": (
        {"metrics": WAYS, "shared": True, "n_flips": 400},
        [*FLAGS, "--shared", "--flips", "400"],
    ),
    "groups": (
        {"metrics": WAYS, "groups": {"written": ["news", "law"]}},
        [*FLAGS, "--group", "written=news,law"],
    ),
    "labels": (
        {"metrics": WAYS, "labels": {"f1": "F1", "ours": "Ours", "law": "Law"}},
        [*FLAGS, "--label", "f1=F1", "--label", "ours=Ours", "--label", "law=Law"],
    ),
    "one direction": (
        {"metrics": WAYS, "alternative": "greater"},
        [*FLAGS, "--alternative", "greater"],
    ),
    "a margin for each": (
        {"metrics": ["f1", "judge"], "claim": "better_by", "margin": {"f1": 0.1, "judge": 1.0}},
        ["--metrics", "f1", "judge", "--claim", "better_by", "--margin=f1=0.1", "--margin=judge=1"],
    ),
    "equivalent": (
        {
            **{"metrics": ["f1", "judge"], "claim": "equivalent", "shared": True},
            "margin": {"f1": 1.5, "judge": 15.0},
        },
        [
            *("--metrics", "f1", "judge", "--claim", "equivalent", "--shared"),
            *("--margin=f1=1.5", "--margin=judge=15"),
        ],
    ),
    "units": ({"metrics": WAYS, "unit": "passage"}, [*FLAGS, "--unit", "passage"]),
    "a metric that is not there": ({"metrics": ["f1", "bleu"]}, ["--metrics", "f1", "bleu"]),
    "one metric": ({"metrics": ["f1"]}, ["--metrics", "f1"]),
    "twice": ({"metrics": ["f1", "f1"]}, ["--metrics", "f1", "f1"]),
    "a margin for all": (
        {"metrics": ["f1", "judge"], "claim": "better_by", "margin": 0.1},
        ["--metrics", "f1", "judge", "--claim", "better_by", "--margin", "0.1"],
    ),
    "the paper's procedure": (
        {"metrics": WAYS, "procedure": "paper"},
        [*FLAGS, "--procedure", "paper"],
    ),
    "flips of unknown units": (
        {"metrics": WAYS, "method": "max_t", "dependence": "dependent"},
        [*FLAGS, "--method", "max_t"],
    ),
    "sums": (
        {"metrics": WAYS, "shared": True, "method": "joint_sum"},
        [*FLAGS, "--shared", "--method", "joint_sum"],
    ),
}  # fmt: skip
"""What is asked -> keywords, and flags; the keys of a study are the keywords."""

REFUSED = {
    "a metric that is not there": "bleu",
    "one metric": "metrics must be a list of two or more different names",
    "twice": "metrics must be a list of two or more different names",
    "a margin for all": "each metric has its own scale; give a margin for each of f1 and judge",
    "the paper's procedure": "applies to one metric",
    "flips of unknown units": "max_t",
    "sums": "joint_sum",
}


def told(answer):
    """Return what a grid says, without where it was read and what it is called."""
    left_out = ("provenance", "command", "name", "title")
    kept = {key: said for key, said in answer.items() if key not in left_out}
    kept["read"] = {
        metric: {key: said for key, said in of.items() if key != "source"}
        for metric, of in kept["read"].items()
    }
    return json.loads(json.dumps(kept, sort_keys=True))


def doors(keywords, flags, capsys):
    """Return what each door answers: a dictionary, or the words of its refusal."""
    TABLE.to_csv("t.csv", index=False)
    given = {"a": "ours", "b": "base", **keywords}

    def command():
        code = cli.main(["compare", "t.csv", "--systems", "ours", "base", "--json", *flags])
        said = capsys.readouterr()
        if code:
            raise rep.InputError(said.err.strip().splitlines()[-1])
        return json.loads(said.out)

    def study():
        block = {"name": "c", "systems": ["ours", "base"], "dependence": "dependent"}
        block |= {"file": "t.csv", "columns": COLUMNS}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block | keywords]}
        Path("s.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        return rep.read_study("s.yaml").grids["c"].to_dict()

    made = {
        "frame": lambda: rep.compare(TABLE, **given).to_dict(),
        "file": lambda: rep.compare("t.csv", **given).to_dict(),
        "command": command,
        "study": study,
    }
    found = {}
    for name, door in made.items():
        try:
            found[name] = told(door())
        except rep.InputError as error:
            found[name] = str(error)
    return found


@pytest.mark.parametrize("name", ASKED)
def test_every_door_gives_the_same_grid(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = doors(*ASKED[name], capsys)
    if name in REFUSED:
        for door, said in found.items():
            assert isinstance(said, str), door
            assert REFUSED[name] in said, door
    else:
        assert isinstance(found["frame"], dict), found["frame"]
        for door, said in found.items():
            assert said == found["frame"], door


def test_formats_have_metrics_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES / "conllu", "conllu")
    places = {"a": "conllu/ours", "b": "conllu/baseline", "gold": "conllu/gold"}
    given = {"metrics": ["las", "uas", "upos"], "dependence": "independent"}
    found = rep.compare(places["a"], places["b"], gold=places["gold"], format="conllu", **given)
    assert [of["name"] for of in found.metrics] == ["las", "uas", "upos"]
    for metric in given["metrics"]:
        alone = rep.compare(
            places["a"], places["b"], gold=places["gold"], metric=metric, dependence="independent"
        )
        own = found.table.query("metric == @metric")
        np.testing.assert_array_equal(own["difference"], alone.table["difference"])
    block = {"name": "c", "systems": list(found.systems), "format": "conllu", "files": places}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block | given]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    assert told(rep.read_study("s.yaml").grids["c"].to_dict()) == told(found.to_dict())
    flags = ["--gold", places["gold"], "--metrics", *given["metrics"], "--independent", "--json"]
    assert cli.main(["compare", places["a"], places["b"], *flags]) == 0
    assert told(json.loads(capsys.readouterr().out)) == told(found.to_dict())


# --- what it says ---------------------------------------------------------------------------------


def test_bonferroni_names_what_holm_names_over_all_cells():
    found = rep.compare(TABLE, a="ours", b="base", metrics=WAYS)
    assert found.method == "bonferroni"
    for side, column in zip(found.sides, ("p_value", "p_reverse"), strict=True):
        named = multiple_testing.identify(found.table[column], 0.025).reshape(3, 3)
        np.testing.assert_array_equal(side.named, named)
        assert side.every() == named.all(axis=1).sum()
        assert side.some() == named.any(axis=1).sum()
        assert [side.by(metric) for metric in WAYS] == named.sum(axis=0).tolist()
        assert side.rows(2) == (named.sum(axis=1) >= 2).sum()
        assert side.cells(["news", "law"], ["f1", "wer"]) == named[:2, [0, 2]].sum()


def test_one_metric_is_that_of_its_own_comparison():
    found = rep.compare(TABLE, a="ours", b="base", metrics=WAYS, shared=True)
    for metric, way in WAYS.items():
        alone = rep.compare(
            *(TABLE,), a="ours", b="base", score=metric, shared=True,
            higher_is_better=way == "higher",
        )  # fmt: skip
        own = found.table.query("metric == @metric").reset_index(drop=True)
        for column in ("difference", "low", "high", "p_value", "p_reverse", "n"):
            np.testing.assert_array_equal(own[column], alone.table[column])


def test_metrics_that_contradict_each_other():
    found = rep.compare(TABLE, a="ours", b="base", metrics=WAYS, shared=True)
    assert found.contradicting == list(DATASETS)
    assert (found.better.every(), found.better.some()) == (0, 3)
    assert found.better.every(metrics=["f1", "judge"]) == 3
    assert (found.worse.by("wer"), found.worse.by("f1")) == (3, 0)
    assert "Metrics contradict each other on all 3 datasets" in str(found)
    turned = rep.compare(TABLE, a="base", b="ours", metrics=WAYS, shared=True)
    np.testing.assert_array_equal(turned.better.steps, found.worse.steps)


def test_a_metric_of_the_other_direction_is_turned():
    both = TABLE.assign(loss=-TABLE["f1"])
    found = rep.compare(
        *(both,), a="ours", b="base", metrics={"f1": "higher", "loss": "lower"}, shared=True
    )
    wide = found.table.pivot_table("difference", "dataset", "metric")
    np.testing.assert_allclose(wide["f1"], wide["loss"])
    np.testing.assert_array_equal(found.better.steps[:, 0], found.better.steps[:, 1])
    assert not found.contradicting


def test_order_of_datasets_and_rows_has_no_part():
    found = rep.compare(TABLE, a="ours", b="base", metrics=WAYS, shared=True)
    mixed = TABLE.sample(frac=1, random_state=1)
    other = rep.compare(mixed, a="ours", b="base", metrics=WAYS, shared=True)
    rows = [other.datasets.index(name) for name in found.datasets]
    np.testing.assert_array_equal(other.better.steps[rows], found.better.steps)


def test_joint_flips_name_no_less_than_bonferroni_where_metrics_are_alike():
    copies = TABLE.assign(**{f"f{k}": TABLE["f1"] + k / 1e6 for k in range(6)})
    metrics = [f"f{k}" for k in range(6)]
    asked = {"a": "ours", "b": "base", "metrics": metrics, "alternative": "greater"}
    flips = rep.compare(copies, shared=True, **asked).table["adjusted_p_value"]
    bonferroni = rep.compare(copies, method="bonferroni", shared=True, **asked)
    assert (flips <= bonferroni.table["adjusted_p_value"] + 1e-3).all()


def test_three_systems_by_three_datasets_and_two_metrics():
    """All pairs at one level, against all sets of cells of each pair."""
    scores = table(3, 30, (0.4, 0.2, 0), systems=("x", "y", "z"))
    alpha = 0.05 / 3
    for a, b in itertools.combinations("xyz", 2):
        found = rep.compare(scores, a=a, b=b, metrics=["f1", "judge"], alpha=alpha)
        for side, column in zip(found.sides, ("p_value", "p_reverse"), strict=True):
            p = found.table[column].to_numpy()
            sets = [
                set(chosen)
                for size in range(7)
                for chosen in itertools.combinations(range(6), size)
            ]
            rejected = [bool(s) and min(p[j] for j in s) * len(s) <= alpha / 2 for s in sets]
            open_ = [s for s, by_itself in zip(sets, rejected, strict=True) if not by_itself]
            possible = [s for s in sets if any(t >= s for t in open_)]
            rows = [{2 * i, 2 * i + 1} for i in range(3)]
            every = min(sum(not row & true for row in rows) for true in possible)
            some = min(sum(not row <= true for row in rows) for true in possible)
            assert (side.every(), side.some()) == (every, some)
            for j, metric in enumerate(("f1", "judge")):
                column_ = [2 * i + j for i in range(3)]
                assert side.by(metric) == min(
                    sum(cell not in true for cell in column_) for true in possible
                )


def test_a_round_through_json_keeps_the_bounds_of_every_block():
    found = rep.compare(
        TABLE, a="ours", b="base", metrics=WAYS, dependence="positive", alpha=[0.05, 0.2]
    )
    again = Grid.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    assert again.better.rows(2, ["news", "law"]) == found.better.rows(2, ["news", "law"])
    assert again.at(0.2).sentences == found.at(0.2).sentences
    with pytest.raises(rep.InputError, match="lacks the key 'findings'"):
        Grid.from_dict({"metrics": [], "systems": ["a", "b"]})


def test_nothing_to_find():
    same = table(5, gains=(0, 0, 0))
    found = rep.compare(same, a="ours", b="base", metrics=WAYS, shared=True)
    assert str(found).startswith("There is no evidence that ours and base differ on any of the 3 ")
    assert found.headline == "No metric shows a difference between ours and base"


def test_every_rendering_shows_the_marks(tmp_path):
    found = rep.compare(TABLE, a="ours", b="base", metrics=WAYS, shared=True)
    for text in (found.to_markdown(), found.to_latex(), found.page(), found._repr_html_()):
        assert text.count("▲") == 7
        assert text.count("▼") == 4
    found.report(tmp_path / "page.html")
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")
    cells = [p for p in found.figure().axes[0].patches if p.get_width() == 1]
    assert len(cells) == 9


def test_what_was_read_is_said_of_every_metric(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    table = TABLE.assign(judge=-TABLE["judge"], spare=0)
    ways = {"f1": "higher", "judge": "lower", "wer": "lower"}
    found = rep.compare(table, a="ours", b="base", metrics=ways, shared=True)
    assert {metric: read["columns"]["score"] for metric, read in found.read.items()} == {
        metric: metric for metric in ways
    }
    text = found.page()
    assert text.count("Items are matched by the column &#39;instance&#39;.") == 1
    for metric, way in ways.items():
        said = f"{metric}: The score (column &#39;{metric}&#39;) is a number from "
        said += f"{table[metric].min():g} to {table[metric].max():g}; {way} is better"
        assert said in text
    assert text.count("The columns &#39;passage&#39; and &#39;spare&#39; are not used.") == 1

    table.to_csv("t.csv", index=False)
    block = {
        **{"name": "c", "systems": ["ours", "base"], "metrics": ways, "dependence": "dependent"},
        **{"file": "t.csv", "columns": COLUMNS, "shared": True},
    }
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    assert cli.main(["run", "s.yaml", "--into", "out"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert words.count("Items are matched by the column 'instance'.") == 1
    assert all(f"{metric}: The score (column {metric!r}) is a number" in words for metric in ways)


def test_a_study_reports_its_grids(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)
    block = {
        **{"name": "c", "systems": ["ours", "base"], "metrics": WAYS, "dependence": "dependent"},
        **{"file": "t.csv", "columns": COLUMNS, "shared": True},
    }
    plain = {**block, "name": "d", "columns": COLUMNS | {"score": "f1"}}
    del plain["metrics"]
    content = {"study": "s", "alphas": [0.05], "comparisons": [block, plain]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    study = rep.read_study("s.yaml")
    assert study.ask().names == ["d"]
    made = {path.name for path in study.write("out")}
    assert {"c_cells.csv", "c_metrics.md", "c.svg", "report.html"} <= made
    page = Path("out/report/report.html").read_text(encoding="utf-8")
    assert "Metrics disagree about ours and base on all 3 datasets" in page


# --- what is refused ------------------------------------------------------------------------------


def compared(scores, **keywords):
    return rep.compare(scores, **{"a": "ours", "b": "base", "metrics": WAYS, **keywords})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: compared(TABLE.assign(f1=TABLE["f1"].where(TABLE["dataset"] != "law"))),
            "Metric 'f1': The frame, row 40 .*the score is nan",
        ),
        (
            lambda: compared(TABLE.assign(judge=TABLE["judge"].where(TABLE["system"] != "base"))),
            "Metric 'judge': The frame, row 1 .*the score is nan",
        ),
        (
            lambda: compared(
                TABLE.assign(f1=TABLE["f1"].where(TABLE["instance"] != "i3")), missing="drop"
            ),
            "on the dataset 'news', the metric 'judge' has scores for 1 item without a score by "
            "'f1', such as i3; all metrics need the same items",
        ),
        (lambda: compared(TABLE, score="f1"), "and score= both specify the scores"),
        (lambda: compared(TABLE, margin=0.1, claim="better_by"), "each metric has its own scale"),
        (lambda: compared(TABLE, over_datasets=True), "applies to one metric"),
        (
            lambda: compared(TABLE, metrics={"f1": "up", "wer": "lower"}),
            "'up' is not one of higher",
        ),
        (lambda: compared(TABLE, labels={"f1": "wer"}), "would have the label 'wer'"),
        (
            lambda: compared(TABLE, metrics=["f1", "wer"]),
            "are better, such as {'wer': 'lower'} or, on the command line, wer=lower",
        ),
        (lambda: compared(TABLE, groups={"g": ["nowhere"]}), "nowhere"),
        (lambda: compared(TABLE, method="simes"), "metrics of the same output may contradict"),
        (lambda: compared(TABLE).at(0.2), "alpha=0.2 is not one of the levels that were tested"),
        (lambda: compared(TABLE, alternative="greater").worse, "Only the claim that A is better"),
        (lambda: compared(TABLE).better.by("bleu"), "bleu"),
        (
            lambda: rep.compare(
                *(rep.Scores.from_dict({"x": ([1, 0], [0, 1])}),), metrics=["f1", "wer"]
            ),
            "The scores were read with one metric only",
        ),
        (
            lambda: compared(
                TABLE.pivot_table("f1", ["dataset", "instance"], "system").reset_index()
            ),
            "Metric 'f1': The frame: column 'f1' is not one of",
        ),
    ],
)
def test_a_mistake_is_named(make, message):
    with pytest.raises(rep.InputError, match=message):
        make()


def test_a_name_that_says_loss_needs_a_direction():
    lossy = TABLE.rename(columns={"wer": "loss"})
    with pytest.raises(rep.InputError, match="loss"):
        compared(lossy, metrics=["f1", "loss"])
