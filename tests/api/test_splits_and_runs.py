"""Splits and runs as what they are: reference values, size, and refusals through every door."""

import itertools
import json
import shlex
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import replicability as rep
from replicability import cli
from replicability.stats import noise, paired, two_samples

SPLITS = {"column": "fold", "kind": "splits", "test_share": 0.1}
FLAGS = {"column": "--repeats", "kind": "--repeats-kind", "test_share": "--test-share"}


def folds(n=10, diff=0.03, names=("news", "law"), seed=1):
    """Return accuracies of two systems on n folds of each dataset."""
    rng = np.random.default_rng(seed)
    rows = [(name, f"fold {k}", rng.normal(0.8, 0.02)) for name in names for k in range(n)]
    table = pd.DataFrame(rows, columns=["dataset", "fold", "base"])
    return table.assign(ours=table["base"] + rng.normal(diff, 0.02, len(table)))


class Doors:
    """A question about a table through Python, the command line and YAML."""

    def __init__(self, capsys):
        self.capsys = capsys

    def frame(self, table, repeats, **asked):
        return rep.compare(table, a="ours", b="base", repeats=repeats, **asked).to_dict()

    def command(self, table, repeats, **asked):
        flags = [f"--{key.replace('_', '-')}={value}" for key, value in asked.items()]
        for key, value in repeats.items():
            values = [f"{x}={y}" for x, y in value.items()] if isinstance(value, dict) else [value]
            flags += [f"{FLAGS.get(key, '--' + key)}={one}" for one in values]
        code = cli.main(["compare", "t.csv", "--json", "--systems", "ours", "base", *flags])
        said = self.capsys.readouterr()
        if code:
            raise rep.InputError(said.err.strip().splitlines()[-1])
        return json.loads(said.out)

    def study(self, table, repeats, **asked):
        columns = {"dataset": "dataset", "scores": ["ours", "base"]}
        columns |= {key: asked.pop(key) for key in ("instance", "size", "run") if key in asked}
        block = {"name": "c", "systems": ["ours", "base"], "file": "t.csv", "columns": columns}
        block |= {"dependence": "dependent", "repeats": repeats, **asked}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()


@pytest.fixture(params=["frame", "command", "study"])
def door(request, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def ask(table, repeats, **asked):
        table.to_csv("t.csv", index=False)
        return getattr(Doors(capsys), request.param)(table, repeats, **asked)

    return ask


# d <- c(0.04, 0.01, 0.03, 0.02, 0.05); for (share in c(0.1, 0.5)) {
#   t <- mean(d) / sqrt((1/5 + share / (1 - share)) * var(d)); print(pt(-t, 4), digits = 15) }
@pytest.mark.parametrize(("share", "p"), [(0.1, 0.0136175698441218), (0.5, 0.079151211687729)])
def test_splits_as_in_r(door, share, p):
    difference = np.array([0.04, 0.01, 0.03, 0.02, 0.05])
    table = pd.DataFrame({"dataset": "x", "fold": list("abcde"), "base": 0.5, "ours": 0.5})
    table["ours"] += difference
    answer = door(table, SPLITS | {"test_share": share})
    (row,) = answer["datasets"]
    assert row["p_value"] == pytest.approx(p, rel=1e-9)
    assert row["p_reverse"] == pytest.approx(1 - p, rel=1e-9)
    error = np.sqrt((1 / 5 + share / (1 - share)) * difference.var(ddof=1))
    assert row["standard_error"] == pytest.approx(error)
    assert answer["test"] == "resampled_t"


def test_each_dataset_has_its_own_share(door):
    table = folds()
    answer = door(table, SPLITS | {"test_share": {"news": 0.1, "law": 0.5}})
    for row, share in zip(answer["datasets"], (0.1, 0.5), strict=True):
        alone = door(table[table["dataset"] == row["dataset"]], SPLITS | {"test_share": share})
        assert alone["datasets"][0]["p_value"] == row["p_value"]


REFUSED = {
    "one split": (folds(1), SPLITS, {}, "One split cannot show the variance"),
    "a share of 1": (folds(), SPLITS | {"test_share": 1.0}, {}, "strictly between 0 and 1"),
    "a negative share": (folds(), SPLITS | {"test_share": -0.1}, {}, "strictly between 0 and 1"),
    "no share": (folds(), {"column": "fold", "kind": "splits"}, {}, "needs a test_share"),
    "a share of runs": (
        folds().assign(instance=1),
        SPLITS | {"kind": "runs"},
        {},
        "runs, which does not take a test_share",
    ),
    "a dataset without a share": (
        folds(),
        SPLITS | {"test_share": {"news": 0.1}},
        {},
        "test_share: dataset 'law' is not",
    ),
    "an unknown kind": (folds(), SPLITS | {"kind": "folds"}, {}, "'folds'"),
    "no such column": (folds(), SPLITS | {"column": "cv"}, {}, "'cv'"),
    "a column that does not split": (
        folds().assign(fold="all"),
        SPLITS,
        {},
        "more than once among the splits; give every split of a dataset its own",
    ),
    "another test": (folds(), SPLITS, {"test": "wilcoxon"}, "treats splits as independent"),
    "items beside splits": (folds(), SPLITS, {"instance": "base"}, "each split has only one score"),
    "a system without splits": (
        folds().assign(base=np.nan),
        SPLITS,
        {},
        "base",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_bad_repeats_are_refused_in_one_sentence(door, case):
    table, repeats, asked, message = case
    with pytest.raises(rep.InputError, match=message) as info:
        door(table, repeats, **asked)
    assert "\n" not in str(info.value) and str(info.value).endswith(".")


def test_equal_differences_have_no_variance(door):
    table = folds()
    table["ours"] = table["base"] = np.tile(np.arange(10) / 16, 2)
    table.loc[table["dataset"] == "law", "ours"] += 0.25
    for row in door(table, SPLITS)["datasets"]:
        assert (row["p_value"], row["p_reverse"]) == (1, 1)
        assert "the same on every split" in row["how"]


def test_folds_as_items_are_refused_with_the_right_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folds().to_csv("t.csv", index=False)
    asked = ["compare", "t.csv", "--systems", "ours", "base"]
    assert cli.main([*asked, "--instance", "fold"])
    flags = "--repeats fold --repeats-kind splits --test-share 0.1"
    assert f"declare {flags}, where" in capsys.readouterr().err.replace("\n", " ")
    assert cli.main([*asked, *flags.split()]) == 0
    with pytest.raises(rep.InputError, match=r"declare repeats=\{'column': 'fold', 'kind'"):
        rep.compare(folds(), a="ours", b="base", instance="fold")
    assert "10 splits" in str(rep.compare(folds(), a="ours", b="base", repeats=SPLITS).read)


def test_families_of_splits_agree_with_pairs():
    table = folds().assign(third=lambda t: t["base"] + 0.01 * np.sin(np.arange(20)))
    table["copy"] = table["base"]
    family = rep.all_pairs(table, repeats=SPLITS, systems=["ours", "base", "third", "copy"])
    for a, b in (("ours", "base"), ("third", "ours"), ("base", "copy")):
        pair = rep.compare(table[["dataset", "fold", a, b]], a=a, b=b, repeats=SPLITS)
        i, j = (family.pairs.systems.index(name) for name in (a, b))
        assert family.pairs.pvalues[i, j].tolist() == pair.table["p_value"].tolist()


def test_ten_items_name_none_of_two_hundred_datasets():
    scores = {f"d{k}": (np.linspace(1, 2, 10), np.linspace(0, 1.2, 10)) for k in range(200)}
    result = rep.compare(scores)
    assert not result.named
    (said,) = (note for note in result.notes if "the systems differ on too few items" in note)
    assert "no p-value can be below 0.00098" in said
    assert "Only datasets with at least 13 items on which the systems differ" in said


def test_a_claim_about_averaged_runs_is_limited_to_them(door):
    rng = np.random.default_rng(2)
    table = pd.DataFrame(rng.random((40, 2)), columns=["ours", "base"]).assign(dataset="news")
    table = table.assign(ours=table["ours"] + 1, instance=[f"i{k // 2}" for k in range(40)])
    table["seed"] = [f"s{k % 2}" for k in range(40)]
    answer = door(table, {"column": "seed", "kind": "runs"}, instance="instance")
    assert json.dumps(answer).count("ours outperforms base for these runs on") >= 1


# --- runs ----------------------------------------------------------------------------------------

RUNS = {"column": "seed", "kind": "runs"}


def runs(n=5, m=5, shift=0.3, names=("news", "law"), seed=4):
    """Return one score for each of n runs of `ours` and m of `base` on each dataset."""
    rng = np.random.default_rng(seed)
    rows = [
        (name, system, f"s{k}", rng.normal(mean, 0.1))
        for name in names
        for system, mean, number in (("ours", shift, n), ("base", 0.0, m))
        for k in range(number)
    ]
    return pd.DataFrame(rows, columns=["dataset", "system", "seed", "score"])


LONG = {"dataset": "dataset", "system": "system", "score": "score"}


@pytest.fixture(params=["frame", "command", "study"])
def runs_door(request, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def ask(table, repeats=RUNS, **asked):
        asked = {"claim_covers": "runs"} | asked
        table.to_csv("t.csv", index=False)
        if request.param != "study":
            return getattr(Doors(capsys), request.param)(table, repeats, **asked)
        block = {"name": "c", "systems": ["ours", "base"], "file": "t.csv", "columns": LONG}
        block |= {"dependence": "dependent", "repeats": repeats, **asked}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()

    return ask


def test_five_runs_against_five_cannot_go_below_one_in_252(runs_door):
    answer = runs_door(runs(shift=5.0))
    assert [row["p_value"] for row in answer["datasets"]] == [1 / 252] * 2
    assert [row["floor"] for row in answer["datasets"]] == [1 / 252] * 2
    assert "ours outperforms base for new runs on" in json.dumps(answer)


def test_three_runs_can_name_none_of_three_datasets(runs_door):
    answer = runs_door(runs(3, 3, 5.0, ("x", "y", "z")))
    assert not any(row["named"] for row in answer["datasets"])
    (said,) = (note for note in answer["notes"] if note.startswith("There are too few runs"))
    assert "no p-value can be below 0.05 there" in said
    assert said.endswith("Provide at least 5 runs of each system, or compare fewer datasets.")


# a <- c(1.1, 2.3, 3.2, 4.8, 5.1, 2.2, 3.9, 4.1, 2.8, 3.3, 4.4); b <- a[1:9] * 1.5 - 2
# t.test(a, b, alternative = "greater"); t.test(a, b)$conf.int
def test_many_runs_are_compared_by_welchs_t_as_in_r(runs_door):
    a = np.array([1.1, 2.3, 3.2, 4.8, 5.1, 2.2, 3.9, 4.1, 2.8, 3.3, 4.4])
    b = a[:9] * 1.5 - 2
    table = pd.DataFrame(
        {
            "dataset": "x",
            "system": ["ours"] * 11 + ["base"] * 9,
            "seed": [*range(11), *range(9)],
            "score": [*a, *b],
        }
    )
    (row,) = runs_door(table)["datasets"]
    assert row["p_value"] == pytest.approx(WELCH[0], rel=1e-9)
    assert (row["low"], row["high"]) == pytest.approx(WELCH[1:], rel=1e-9)
    assert "Welch" in row["how"]


WELCH = (0.273766733249336, -1.16382187312390, 2.09412490342693)

BAD_RUNS = {
    "one run": (runs(1), {}, "System A has 1 run, but at least two are needed"),
    "runs of one system": (runs(m=0), {}, "base"),
    "no such column": (runs(), {"repeats": {"column": "epoch", "kind": "runs"}}, "'epoch'"),
    "another test": (runs(), {"test": "wilcoxon"}, "applies to items, but"),
    "items and runs": (
        runs(),
        {"claim_covers": "both"},
        "one score for each run and no item column",
    ),
    "no items": (
        runs(),
        {"claim_covers": "items"},
        "one score for each run and no item column",
    ),
}


@pytest.mark.parametrize("case", BAD_RUNS.values(), ids=BAD_RUNS)
def test_bad_runs_are_refused_in_one_sentence(runs_door, case):
    table, asked, message = case
    with pytest.raises(rep.InputError, match=message) as info:
        runs_door(table, **asked)
    assert "\n" not in str(info.value) and str(info.value).endswith((".", "?"))


def test_constant_runs_show_nothing(runs_door):
    table = runs().assign(score=lambda t: (t["system"] == "ours").astype(float) / 2)
    for row in runs_door(table)["datasets"]:
        assert (row["p_value"], row["p_reverse"]) == (1, 1)


def test_runs_with_items_are_compared_by_their_means():
    rng = np.random.default_rng(3)
    items = runs(4, 6).merge(pd.DataFrame({"instance": [f"i{k}" for k in range(7)]}), how="cross")
    items["score"] += rng.normal(size=len(items))
    means = items.groupby(["dataset", "system", "seed"], as_index=False, sort=False)["score"].mean()
    asked = {"a": "ours", "b": "base", "repeats": RUNS, "claim_covers": "runs"}
    with_items, alone = (rep.compare(table, **asked).table for table in (items, means))
    columns = ["p_value", "p_reverse", "difference", "low", "high"]
    np.testing.assert_allclose(with_items[columns], alone[columns], rtol=1e-9)


def test_a_margin_of_runs_is_a_shift():
    table = runs(shift=1.0)
    asked = {"a": "ours", "b": "base", "repeats": RUNS, "claim_covers": "runs"}
    moved = table.assign(score=table["score"] - 0.25 * (table["system"] == "ours"))
    by = rep.compare(table, claim="better_by", margin=0.25, alternative="greater", **asked)
    assert by.table["p_value"].tolist() == rep.compare(moved, **asked).table["p_value"].tolist()
    lower = rep.compare(table.assign(score=-table["score"]), higher_is_better=False, **asked)
    assert lower.table["p_value"].tolist() == rep.compare(table, **asked).table["p_value"].tolist()


# --- families, whose claims are about new runs ---------------------------------------------------


def of_three(numbers=(5, 6, 7), names=("news", "law", "talks")):
    """Return one score for each run of three systems, each with its own number of runs."""
    rng = np.random.default_rng(8)
    rows = [
        (name, system, k, rng.normal(mean, 0.1))
        for name in names
        for system, mean, n in zip("xyz", (0.0, 0.3, 0.33), numbers, strict=True)
        for k in range(n)
    ]
    return pd.DataFrame(rows, columns=["dataset", "system", "seed", "score"])


def family_at_every_door(table, capsys, **asked):
    """Return the answers of Python, the command line and a study."""
    asked = {"repeats": RUNS, "claim_covers": "runs", "dependence": "dependent"} | asked
    table.to_csv("t.csv", index=False)
    block = {"name": "f", "file": "t.csv", "columns": LONG, **asked}
    content = {"study": "s", "alphas": [0.05], "families": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    flags = ["--repeats", "seed", "--repeats-kind", "runs", "--claim-covers", asked["claim_covers"]]
    flags += ["--against", asked["against"]] if "against" in asked else []
    code = cli.main(["family", "t.csv", "--json", "--dependent", *flags])
    said = capsys.readouterr()
    assert code == 0, said.err
    (found,) = rep.read_study("s.yaml").families
    return [rep.all_pairs(table, **asked).to_dict(), json.loads(said.out), found.to_dict()]


@pytest.mark.parametrize("asked", [{}, {"against": "x"}], ids=["all pairs", "against"])
def test_a_family_over_runs_has_one_answer_at_every_door(tmp_path, monkeypatch, capsys, asked):
    monkeypatch.chdir(tmp_path)
    answers = family_at_every_door(of_three((12, 11, 11)), capsys, **asked)
    doors = {"command", "read", "name", "title", "provenance"}
    python, command, study = (
        json.loads(json.dumps({key: said for key, said in answer.items() if key not in doors}))
        for answer in answers
    )
    assert python == command == study
    assert python["claim_covers"] == "runs"
    assert "differ significantly for new runs on at least one of 3 datasets" in str(python)


@pytest.mark.parametrize("numbers", [(5, 5, 5), (4, 6, 7), (12, 11, 11), (2, 12, 13)])
def test_a_family_over_runs_is_its_pairs(numbers):
    table = of_three(numbers)
    asked = {"repeats": RUNS, "claim_covers": "runs", "dependence": "dependent"}
    pairs = rep.all_pairs(table, **asked).pairs
    for a, b in itertools.permutations("xyz", 2):
        pair = rep.compare(table, a=a, b=b, **asked)
        i, j = map(pairs.systems.index, (a, b))
        np.testing.assert_allclose(pairs.pvalues[i, j], pair.table["p_value"], rtol=1e-9)
        np.testing.assert_array_equal(pairs.floors[i, j], pair.table["floor"])
    lower = rep.all_pairs(table.assign(score=-table["score"]), higher_is_better=False, **asked)
    assert lower.systems == pairs.systems
    np.testing.assert_allclose(lower.pairs.pvalues, pairs.pvalues, rtol=1e-9)


# a <- c(1.1, 2.3, 3.2, 4.8, 5.1, 2.2, 3.9, 4.1, 2.8, 3.3, 4.4); b <- a[1:9] * 1.5 - 2
# pairwise.t.test(c(b, a), factor(rep(1:2, c(9, 11))), pool.sd = FALSE, alternative = "greater")
def test_many_runs_of_a_family_are_compared_by_welchs_t_as_in_r():
    a = np.array([1.1, 2.3, 3.2, 4.8, 5.1, 2.2, 3.9, 4.1, 2.8, 3.3, 4.4])
    found = two_samples.matrix([a, a[:9] * 1.5 - 2, np.full(11, 3.0), np.full(11, 4.0)])
    assert found[0, 1] == pytest.approx(WELCH[0], rel=1e-9)
    assert found[1, 0] == pytest.approx(1 - WELCH[0], rel=1e-9)
    assert found[2, 3] == found[3, 2] == 1  # neither varies between runs
    assert (np.diag(found) == 1).all()
    only = two_samples.matrix([a, a[:9] * 1.5 - 2, a - 1], against=0)
    assert (only[1, 2], only[2, 1], only[0, 1]) == (1, 1, found[0, 1])


def test_means_of_a_family_have_welchs_intervals():
    table = of_three(names=("news",))
    asked = {"repeats": RUNS, "claim_covers": "runs"}
    found = rep.against(table, "x", **asked).summary.set_index("system")
    for system in "yz":
        runs_ = [table["score"][table["system"] == name] for name in (system, "x")]
        own = two_samples.interval(*runs_, 1 - 0.05 / 2)[0]
        assert (found["low"][system], found["high"][system]) == pytest.approx((own.low, own.high))


def test_few_runs_can_name_no_dataset_of_a_family():
    (said,) = rep.all_pairs(of_three((5, 5, 5)), repeats=RUNS, claim_covers="runs").notes
    assert said.startswith("In 3 pairs of systems, there are too few runs: no p-value on any")


def test_a_family_of_averaged_runs_is_about_these_runs():
    rng = np.random.default_rng(2)
    items = of_three((3, 3, 3)).merge(pd.DataFrame({"instance": range(40)}), how="cross")
    items["score"] += rng.normal(scale=0.2, size=len(items))
    found = rep.all_pairs(items, repeats=RUNS, dependence="dependent")
    assert "pairs of systems differ significantly for these runs on" in found.sentence
    again = rep.all_pairs(items, repeats=RUNS, claim_covers="runs", dependence="dependent")
    means = items.groupby(["dataset", "system", "seed"], sort=False, as_index=False)["score"].mean()
    alone = rep.all_pairs(means, repeats=RUNS, claim_covers="runs", dependence="dependent")
    np.testing.assert_allclose(again.pairs.pvalues, alone.pairs.pvalues, rtol=1e-9)


@pytest.mark.parametrize(
    ("table", "asked", "message"),
    [
        (
            of_three((1, 5, 5)),
            {},
            "dataset 'news': System x has 1 run, but at least two are needed",
        ),
        (of_three(), {"claim_covers": "both"}, "compare two systems with claim_covers=.both."),
        (of_three(), {"claim_covers": "items"}, "or ask for a claim about new runs with claim_c"),
        (of_three(), {"test": "wilcoxon"}, "applies to items, but claim_covers='runs'"),
        (of_three().drop(columns="seed").assign(instance="i"), {"repeats": None}, "no column of"),
    ],
)
def test_a_family_refuses_bad_runs_in_one_sentence(table, asked, message):
    with pytest.raises(rep.InputError, match=message) as info:
        rep.all_pairs(table, **{"repeats": RUNS, "claim_covers": "runs"} | asked)
    assert "\n" not in str(info.value) and str(info.value).endswith(".")


# --- time series classification ------------------------------------------------------------------

ARCHIVE = Path(__file__).parents[2] / "../shared/data/archives/tsml_eval_results.tar.xz"


def test_hc2_beats_mr_hydra_on_four_of_112_datasets():
    """Resamples as items gave 32 (Wilcoxon); the test share of a half is an assumption."""
    if not ARCHIVE.exists():
        pytest.skip(f"needs {ARCHIVE.name} in ../shared/data/archives")
    with tarfile.open(ARCHIVE) as archive:
        folder = "results/classification/Univariate"
        read = {
            Path(path.name).name.removesuffix("_accuracy.csv"): pd.read_csv(
                archive.extractfile(path)
            )
            for path in archive
            if path.name.startswith(folder) and path.isfile()
        }
    wide = {name: table.set_index(table.columns[0]) for name, table in read.items()}
    complete = sorted(set.intersection(*(set(table.index) for table in wide.values())))
    assert (len(wide), len(complete)) == (40, 112)
    scores = {
        name: (wide["HC2"].loc[name].to_numpy(), wide["MR-Hydra"].loc[name].to_numpy())
        for name in complete
    }
    asked = {"a": "HC2", "b": "MR-Hydra", "alternative": "greater"}
    splits = {"test": "resampled_t", "options": {"test_share": 0.5}}
    assert rep.compare(scores, **asked, **splits).k == 4
    assert rep.compare(scores, **asked, test="wilcoxon").k == 32


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (folds(), {"repeats": SPLITS}),
        (runs(), {"repeats": RUNS, "claim_covers": "runs"}),
        (runs(), {"run": "seed"}),
    ],
    ids=["splits", "new runs", "averaged runs"],
)
def test_a_result_is_read_back(table, asked):
    if asked.get("run"):
        table = pd.concat([table.assign(instance=f"i{k}") for k in range(3)])
    result = rep.compare(table, a="ours", b="base", **asked)
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_check_says_how_folds_can_be_read():
    found = str(rep.check(folds()))
    assert "repeats={'column': 'fold', 'kind': 'splits', 'test_share': 0.1}" in found


def test_check_does_not_take_seeds_for_splits():
    found = rep.check(folds().rename(columns={"fold": "seed"}))
    assert "rep.compare" not in str(found).partition("cannot run")[0]
    assert "claim_covers='runs'" in str(found)


# --- new items and new runs ----------------------------------------------------------------------


def crossed(n=12, r=3, s=4, names=("news", "law"), column="seed", seed=5):
    """Return scores of `ours` in r runs and of `base` in s on n items of each dataset."""
    rng = np.random.default_rng(seed)
    rows = [
        (name, system, f"i{item}", run, score)
        for name in names
        for system, number, gain in (("ours", r, 1.0), ("base", s, 0.0))
        for run, effect in enumerate(rng.normal(0, 0.1, number))
        for item, score in enumerate(rng.normal(gain + effect, 0.5, n))
    ]
    return pd.DataFrame(rows, columns=["dataset", "system", "instance", column, "score"])


ITEMS = LONG | {"instance": "instance"}
BOTH = {"claim_covers": "both"}


@pytest.fixture(params=["frame", "command", "study"])
def both_door(request, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def ask(table, repeats=RUNS, columns=ITEMS, **asked):
        asked = BOTH | asked
        table.to_csv("t.csv", index=False)
        if request.param == "frame":
            return rep.compare(table, a="ours", b="base", repeats=repeats, **asked).to_dict()
        if request.param == "command":
            given = {FLAGS.get(key, f"--{key}"): value for key, value in (asked | repeats).items()}
            flags = [
                key.replace("_", "-") + (f"={value}" if value is not True else "")
                for key, value in given.items()
            ]
            code = cli.main(["compare", "t.csv", "--json", "--systems", "ours", "base", *flags])
            said = capsys.readouterr()
            if code:
                raise rep.InputError(said.err.strip().splitlines()[-1])
            return json.loads(said.out)
        block = {"name": "c", "systems": ["ours", "base"], "file": "t.csv", "columns": columns}
        block |= {"dependence": "dependent", "repeats": repeats, **asked}
        content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
        Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return rep.read_study("s.yaml").ask()[0].to_dict()

    return ask


def cells(table, name, system):
    of = table[(table["dataset"] == name) & (table["system"] == system)]
    column = next(key for key in ("seed", "rater") if key in table)
    return of.pivot_table("score", "instance", column).to_numpy()


def test_both_is_the_crossed_t_test_of_the_table(both_door):
    table = crossed().sample(frac=1, random_state=2)
    answer = both_door(table)
    for row in answer["datasets"]:
        sides = [cells(table, row["dataset"], system) for system in ("ours", "base")]
        found = paired.crossed_t(*sides)
        assert row["p_value"] == pytest.approx(found.pvalue, rel=1e-9)
        assert row["low"] == pytest.approx(found.confidence_interval.low)
        assert row["standard_error"] == pytest.approx(paired.standard_error(*sides))
        seen = noise.components(*sides)
        assert [row[f"sd_{source}"] for source in noise.SOURCES] == pytest.approx(
            list(seen.sd.values()), rel=1e-6, abs=1e-9
        )
        assert row["within_runs"] == pytest.approx(seen.within, abs=1e-9)
    assert answer["test"] == "crossed_t"
    assert "ours outperforms base for new items and new runs on" in json.dumps(answer)
    (said,) = (note for note in answer["notes"] if note.startswith("Runs account for"))
    assert "3 and 4 runs, the difference there cannot be estimated more precisely than ±" in said
    worst = max(answer["datasets"], key=lambda row: row["sd_runs"] / row["standard_error"])
    items, runs, rest = (worst[f"sd_{source}"] ** 2 for source in noise.SOURCES)
    both = {
        "runs": np.sqrt(items + runs / 2 + rest / 2),
        "items": np.sqrt(items / 2 + runs + rest / 2),
    }
    first, second = sorted(both, key=both.get)
    assert f"many {first} would lower the total standard deviation to {both[first]:.3g}" in said
    assert said.endswith(f"twice as many {second} to {both[second]:.3g}.")


@pytest.mark.parametrize("test", ["hierarchical_flip", "two_way_bootstrap"])
def test_both_by_other_tests(both_door, test):
    answer = both_door(crossed(), test=test)
    assert answer["test"] == test
    assert all(0 < row["p_value"] < 0.2 for row in answer["datasets"])


def test_raters_are_the_same_for_both_systems(both_door):
    table = crossed(r=4, column="rater")
    raters = {"column": "rater", "kind": "raters"}
    answer = both_door(table, raters)
    for row in answer["datasets"]:
        sides = [cells(table, row["dataset"], system) for system in ("ours", "base")]
        found = paired.crossed_t(*sides, paired_runs=True)
        assert row["p_value"] == pytest.approx(found.pvalue, rel=1e-9)
    assert "for new items and new raters" in json.dumps(answer)
    assert "new raters who score new items like the tested ones" in json.dumps(answer["notes"])
    these = both_door(table, raters, claim_covers="items")
    assert "for these raters" in json.dumps(these)
    assert "does not cover other raters" in json.dumps(these["notes"])
    assert "Scores are means over raters" in json.dumps(answer)


def test_no_visible_variance_of_raters_is_not_certainty(both_door):
    """Means of raters differ less than noise alone would make them; the upper limit is above 0."""
    table = crossed(n=12, r=3, s=3, column="rater", names=("news",), seed=1)
    answer = both_door(table, {"column": "rater", "kind": "raters"})
    (row,) = answer["datasets"]
    assert row["sd_runs"] == 0 < row["sd_runs_high"]
    (said,) = (note for note in answer["notes"] if note.startswith("Raters add no detectable"))
    assert f"due to raters could still be up to {row['sd_runs_high']:.3g}" in said
    assert "±" not in said


def test_nested_trials_are_averaged_whatever_their_numbers(both_door):
    table = crossed().sample(frac=0.7, random_state=1)
    complete = table.groupby(["dataset", "instance"])["system"].transform("nunique") == 2
    answer = both_door(table[complete], RUNS | {"nested": True})
    means = table[complete].groupby(["dataset", "system", "instance"], sort=False)["score"].mean()
    expected = rep.compare(means.reset_index(), a="ours", b="base").table.set_index("dataset")
    for row in answer["datasets"]:
        assert row["p_value"] == pytest.approx(expected["p_value"][row["dataset"]])
    assert "for new items and new runs" in json.dumps(answer)
    assert "Each item has its own runs" in str(
        rep.compare(table[complete], a="ours", b="base", repeats=RUNS | {"nested": True}).read
    )


def test_units_and_sizes_enter_as_sums():
    table = crossed(names=("news",)).assign(
        unit=lambda t: "u" + t["instance"].str[1:].astype(int).floordiv(2).astype(str)
    )
    asked = {"a": "ours", "b": "base", "repeats": RUNS, **BOTH}
    by_unit = table.groupby(["dataset", "system", "unit", "seed"], as_index=False)["score"].mean()
    by_unit = by_unit.rename(columns={"unit": "instance"})
    found, expected = rep.compare(table, unit="unit", **asked), rep.compare(by_unit, **asked)
    np.testing.assert_allclose(found.table["p_value"], expected.table["p_value"], rtol=1e-9)
    sized = table.assign(size=2, score=table["score"] * 2).drop(columns="unit")
    same = rep.compare(sized.assign(score=sized["score"].clip(upper=2)), size="size", **asked)
    plain = rep.compare(
        sized.drop(columns="size").assign(score=sized["score"].clip(upper=2) / 2), **asked
    )
    np.testing.assert_allclose(same.table["p_value"], plain.table["p_value"], rtol=1e-9)


def test_lower_is_better_turns_the_runs():
    asked = {"a": "ours", "b": "base", "repeats": RUNS, **BOTH}
    table = crossed()
    lower = rep.compare(table.assign(score=-table["score"]), higher_is_better=False, **asked)
    expected = rep.compare(table, **asked)
    np.testing.assert_allclose(lower.table["p_value"], expected.table["p_value"], rtol=1e-9)
    margin = {"claim": "better_by", "margin": 0.25, "alternative": "greater"}
    moved = table.assign(score=table["score"] - 0.25 * (table["system"] == "ours"))
    np.testing.assert_allclose(
        rep.compare(table, **asked, **margin).table["p_value"],
        rep.compare(moved, **asked).table["p_value"],
    )


BAD_BOTH = {
    "one run": (crossed(r=1), {}, r"The scores of system A have the shape 12 x 1 \(items x runs\)"),
    "a run that an item lacks": (crossed().drop(index=3), {}, "not in every run of ours"),
    "the same, but dropped": (
        crossed().drop(index=3),
        {"missing": "drop"},
        "needs the score of every item in every run",
    ),
    "a test of items": (crossed(), {"test": "wilcoxon"}, "averages over runs, but"),
    "shared items": (crossed(), {"shared": True}, "works by flipping the signs of items, but"),
    "a crossed test of averaged runs": (
        crossed(),
        {"claim_covers": "items", "test": "crossed_t"},
        "is for claims about new items and new runs, based on scores of every item in every run",
    ),
    "raters of one system": (
        crossed(3, 3, 4, column="rater"),
        {"repeats": {"column": "rater", "kind": "raters"}},
        "The systems have different raters",
    ),
    "raters without items": (
        crossed(column="rater"),
        {"repeats": {"column": "rater", "kind": "raters"}, "claim_covers": "runs"},
        "compares only the runs' overall scores, but each rater scores every item",
    ),
    "nested raters": (
        crossed(column="rater"),
        {"repeats": {"column": "rater", "kind": "raters", "nested": True}},
        "'nested', which is allowed only for the kind runs",
    ),
    "runs of one system": (crossed()[lambda t: t["system"] == "ours"], {}, "base"),
}


@pytest.mark.parametrize("case", BAD_BOTH.values(), ids=BAD_BOTH)
def test_bad_runs_of_items_are_refused_in_one_sentence(both_door, case):
    table, asked, message = case
    with pytest.raises(rep.InputError, match=message) as info:
        both_door(table, **asked)
    assert "\n" not in str(info.value) and str(info.value).endswith((".", "?"))


def test_a_claim_about_both_is_read_back():
    result = rep.compare(crossed(), a="ours", b="base", repeats=RUNS, **BOTH)
    assert rep.Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result
    assert "(Banerjee 1960)" in result.method


# --- repeated cross-validation -------------------------------------------------------------------

FOLDS = {"column": "fold", "within": "repeat", "kind": "splits", "test_share": 0.5}


def repeated(r=5, k=2, seed=8):
    """Return scores of two systems on k folds of each of r repeats."""
    table = folds(r * k, seed=seed)
    parts = [(j + 1, f + 1) for j in range(r) for f in range(k)] * 2
    table[["repeat", "fold"]] = parts
    return table


@pytest.mark.parametrize("test", ["", "repeated_k_fold", "cv_5x2_f", "resampled_t"])
def test_repeated_folds_in_any_order(door, test):
    table = repeated()
    answer = door(table.sample(frac=1, random_state=3), FOLDS, **({"test": test} if test else {}))
    assert answer["test"] == (test or "repeated_k_fold")
    for row in answer["datasets"]:
        of = table[table["dataset"] == row["dataset"]]
        found = paired.run(answer["test"], of["ours"], of["base"], test_share=0.5)
        assert row["p_value"] == pytest.approx(found.pvalue, rel=1e-9)


def test_families_of_repeated_folds_agree_with_pairs():
    table = repeated().assign(third=lambda t: t["base"] + 0.01 * np.sin(np.arange(20)))
    for test in ("repeated_k_fold", "cv_5x2_f"):
        asked = {"repeats": FOLDS, "test": test}
        family = rep.all_pairs(table, systems=["ours", "base", "third"], **asked)
        pair = rep.compare(table.drop(columns="base"), a="ours", b="third", **asked)
        i, j = (family.pairs.systems.index(name) for name in ("ours", "third"))
        assert family.pairs.pvalues[i, j].tolist() == pair.table["p_value"].tolist()


BAD_FOLDS = {
    "shares that do not add up": (
        repeated(),
        FOLDS | {"test_share": 0.2},
        {},
        "repeat '1' of 'news' has 2 folds, but a test_share of 0.2 requires 5",
    ),
    "a fold that is missing": (
        repeated().drop(index=3),
        FOLDS,
        {},
        "repeat '2' of 'news' has 1 fold, but a test_share of 0.5 requires 2",
    ),
    "a fold that is there twice": (
        repeated().assign(fold=1),
        FOLDS,
        {},
        "more than once among the splits",
    ),
    "four repeats": (repeated(4), FOLDS, {"test": "cv_5x2_f"}, "the data have 8 folds"),
    "no repeats": (
        repeated().assign(fold=lambda t: t["repeat"] * 10 + t["fold"]),
        {key: FOLDS[key] for key in FOLDS if key != "within"},
        {"test": "cv_5x2_f"},
        "needs the folds of repeated cross-validation;",
    ),
    "within runs": (
        repeated(),
        {"column": "fold", "within": "repeat", "kind": "runs"},
        {},
        "'within', which is allowed only for the kind splits",
    ),
    "no such column": (repeated(), FOLDS | {"within": "round"}, {}, "'round'"),
}


@pytest.mark.parametrize("case", BAD_FOLDS.values(), ids=BAD_FOLDS)
def test_bad_folds_are_refused_in_one_sentence(door, case):
    table, repeats, asked, message = case
    with pytest.raises(rep.InputError, match=message) as info:
        door(table, repeats, **asked)
    assert "\n" not in str(info.value) and str(info.value).endswith((".", "?"))


def test_a_column_that_tells_repeated_items_apart_is_asked_about(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = crossed(column="version").assign(note=np.arange(168), lab="x")
    asked = r"if the column 'version', in which these rows differ, .* or raters, declare"
    with pytest.raises(rep.InputError, match=asked + r" repeats=\{'column': 'version'") as info:
        rep.compare(table, a="ours", b="base")
    assert str(info.value).endswith("or another kind.")
    table.to_csv("t.csv", index=False)
    assert cli.main(["compare", "t.csv", "--systems", "ours", "base"])
    said = capsys.readouterr().err.replace("\n", " ")
    assert "declare --repeats version --repeats-kind runs or another kind" in said
    plain = table.drop(columns="version")
    with pytest.raises(rep.InputError, match="more than once") as info:
        rep.compare(plain, a="ours", b="base")
    assert "differs among them" not in str(info.value)


def _long(table):
    return table.melt(["dataset", "fold"], ["ours", "base"], "model", "score")


RIGHT = {
    "five folds": (folds(5), "fold", "--repeats fold --repeats-kind splits --test-share 0.2"),
    "folds in rows": (
        _long(folds(4)),
        "fold",
        "--repeats fold --repeats-kind splits --test-share 0.25",
    ),
    "runs": (
        _long(folds(5)).rename(columns={"fold": "Run id"}),
        "Run id",
        "--repeats 'Run id' --repeats-kind runs --claim-covers runs",
    ),
    "runs of items": (crossed(), "seed", "--instance item --run seed"),
    "raters": (
        crossed(r=3, s=3, column="rater"),
        "rater",
        "--instance item --repeats rater --repeats-kind raters",
    ),
}


@pytest.mark.parametrize(("table", "column", "right"), RIGHT.values(), ids=RIGHT)
@pytest.mark.parametrize("asked", ["--instance=", "--instance", ""])
def test_the_right_command_runs_as_printed(table, column, right, asked, tmp_path, capsys):
    table = table.rename(columns={"instance": "item"})
    file = tmp_path / "my scores.csv"
    table.to_csv(file, index=False)
    given = {"--instance=": [f"--instance={column}"], "": []}.get(asked, [asked, column])
    code = cli.main(["compare", *given, str(file), "--systems", "ours", "base"])
    said = capsys.readouterr().err
    if not asked and "item" in table:
        assert code and "Try this command instead" not in said
        return
    command = said.strip().splitlines()[-1]
    assert command.startswith("  python -m replicability compare ") and command.endswith(right)
    assert cli.main(shlex.split(command)[3:]) == 0
    capsys.readouterr()
    keywords = {"instance": column} if asked else {}
    with pytest.raises(rep.InputError) as info:
        rep.compare(table, a="ours", b="base", **keywords)
    right_ = {key: value for key, value in info.value.instead.items() if value is not None}
    assert rep.compare(table, a="ours", b="base", **right_).read


UNSURE = {
    "resamples, whose share is not known": (folds(), "resample"),
    "seeds of data sets drawn anew": (folds().assign(item=1, question=2), "seed"),
    "folds of items": (pd.concat([folds()] * 2), "fold"),
}


@pytest.mark.parametrize(("table", "column"), UNSURE.values(), ids=UNSURE)
def test_no_command_is_printed_where_the_kind_is_not_certain(table, column, tmp_path, capsys):
    table.rename(columns={"fold": column}).to_csv(tmp_path / "t.csv", index=False)
    given = ["compare", str(tmp_path / "t.csv"), "--systems", "ours", "base", "--instance", column]
    assert cli.main(given)
    said = capsys.readouterr().err
    assert "identifies repeats" in said and "Try this command instead" not in said


def test_raters_beside_items_are_asked_about(tmp_path):
    table = crossed(column="judge")
    with pytest.raises(rep.InputError, match="scores by the raters in the column 'judge'") as info:
        rep.compare(table, a="ours", b="base", instance="instance")
    assert "'kind': 'raters'" in info.value.spelled("{}=".format)


@pytest.mark.parametrize("name", ["fold", "split", "seed", "epoch", "trial", "rater", "Judge id"])
def test_repeats_as_items_are_refused_with_what_is_right(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = folds().rename(columns={"fold": name})
    table.to_csv("t.csv", index=False)
    kind = "raters" if name in ("rater", "Judge id") else "splits"
    with pytest.raises(rep.InputError, match="are not separate items") as info:
        rep.compare(table, a="ours", b="base", instance=name)
    assert f"repeats={{'column': '{name}', 'kind': '{kind}'" in str(info.value)
    assert cli.main(["compare", "t.csv", "--systems", "ours", "base", "--instance", name])
    said = capsys.readouterr().err.replace("\n", " ")
    assert "are not separate items" in said and f"--repeats-kind {kind}" in said
    columns = {"dataset": "dataset", "instance": name, "scores": ["ours", "base"]}
    block = {"name": "c", "systems": ["ours", "base"], "file": "t.csv", "columns": columns}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block | {"dependence": "dependent"}]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(rep.InputError, match=f"repeats: {{column: {name}, kind: {kind}"):
        rep.read_study("s.yaml").ask()


def test_a_dataset_may_be_called_split():
    table = folds().rename(columns={"dataset": "split", "fold": "instance"})
    assert rep.compare(table, a="ours", b="base", dataset="split").read.n == 2
