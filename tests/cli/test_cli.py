import errno
import itertools
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from comparisons import declare

import replicability
from replicability import cli
from replicability.cli import new
from replicability.core import all_pairs, evaluation, findings, procedure, recommendation
from replicability.io import datasets, delimited, formats, pvalues
from replicability.io.study import read_study
from replicability.stats import joint, local_tests, paired, partial_conjunction

REFERENCE = ["0.168", "0.297", "0.357", "0.019", "0.218", "0.001"]
COMMANDS = (
    *("pvalues", "compare", "family", "against", "gate", "check", "run"),
    *("design", "audit", "new", "tests"),
)
FORMATS = [name for name in formats.NAMES if name != "table"]
BOTH = "--alternative", "two-sided"
TABLE = "language,ours,theirs,p\nArabic,81,80,0.01\nBasque,77,78,0.02\nCzech,88,87,0.5\n"


@pytest.fixture
def run(capsys):
    """Return a function that answers and returns what is printed."""

    def run(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        answered = {"audit": (0, 3), "gate": (0, 1, 2)}  # 3: a number is disputed
        assert status in answered.get(arguments[0], (0,))
        assert all(line.startswith("Read ") for line in printed.err.splitlines())
        return printed.out

    return run


@pytest.fixture
def refused(capsys):
    """Return a function that expects exit status 1 and returns the sentence."""

    def refused(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert (status, printed.out) == (1, "")
        return printed.err

    return refused


@pytest.fixture
def asked(run):
    """Return a function that answers in JSON."""
    return lambda *arguments: json.loads(run(*arguments, "--json"))


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Make an empty folder the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- one p-value for each dataset ----------------------------------------------------------------


def test_the_reference_family(asked):
    # Dror et al. (2017), footnote 13's numbers by hand: 6 * .001 <= .05 < 5 * .019, so that
    # Bonferroni and Holm stop at one; Fisher's p for u = 2 is .040, for u = 3 it is .196.
    answer = asked("pvalues", *REFERENCE)
    (finding,) = answer["findings"]
    assert finding["k_hat"] == {"bonferroni": 1, "fisher": 2, "simes": 1}
    assert finding["count"] == 2
    assert finding["named"] == ["dataset 6"]
    assert [row["adjusted_p_value"] for row in answer["datasets"]][5] == pytest.approx(0.006)


@pytest.mark.parametrize(
    ("flags", "dependence", "declared", "recommended"),
    [
        ([], "dependent", False, "bonferroni"),
        (["--dependent"], "dependent", True, "bonferroni"),
        (["--positive"], "positive", True, "simes"),
        (["--independent"], "independent", True, "fisher_bonferroni"),
    ],
)
def test_the_declared_dependence_chooses(asked, run, flags, dependence, declared, recommended):
    answer = asked("pvalues", *REFERENCE, *flags)
    assert answer["dependence"] == dependence
    assert answer["dependence_declared"] is declared
    assert answer["recommended"] == recommended
    assert (answer["procedure"], answer["method"]) == ("closed", recommended)
    text = run("pvalues", *REFERENCE, *flags)
    title = procedure.TITLES[recommended]
    assert f"(closed testing, {title};" in " ".join(text.split())
    assert ("treated as dependent" in " ".join(text.split())) is not declared


def test_every_level_has_its_finding(asked):
    answer = asked("pvalues", *REFERENCE, "--independent", "--alpha", ".05", "--alpha", ".01")
    assert [finding["alpha"] for finding in answer["findings"]] == [0.05, 0.01]
    assert [finding["k_hat"]["fisher"] for finding in answer["findings"]] == [2, 1]


def test_names_are_used(asked, run):
    names = list("uvwxyz")
    assert asked("pvalues", *REFERENCE, "--names", *names)["findings"][0]["named"] == ["z"]
    assert run("pvalues", *REFERENCE, "--names", *names, "--systems", "ours", "theirs").startswith(
        "ours outperforms theirs on at least 1 of 6 datasets"
    )


def test_a_file_of_any_kind_answers_like_its_numbers(asked, tmp_path):
    table = pd.DataFrame({"set": list("abcdef"), "p": [float(p) for p in REFERENCE]})
    table.to_csv(tmp_path / "t.csv", index=False)
    table.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    table.to_parquet(tmp_path / "t.parquet", index=False)
    typed = asked("pvalues", *REFERENCE, "--names", *"abcdef")
    for name in ("t.csv", "t.tsv", "t.parquet"):
        found = asked("pvalues", tmp_path / name)
        assert found.pop("notes")[1] == (
            "The p-values (column 'p') are treated as one-sided; the null hypothesis is that A is "
            "not better than B."
        ), name
        assert list(found.pop("provenance")["files"]) == [name]
        read = found.pop("read")
        assert (read["source"], read["columns"]) == (name, {"dataset": "set", "p_value": "p"})
        assert found == {key: typed[key] for key in found}, name


def test_columns_are_guessed_where_there_is_no_doubt(asked, refused, write):
    path = write("t.csv", TABLE)
    assert "p-values are small where 'ours' is higher" in refused("pvalues", path)
    answer = asked("pvalues", path, "--sided", "one")
    assert [row["dataset"] for row in answer["datasets"]] == ["Arabic", "Basque", "Czech"]
    assert [row["p_value"] for row in answer["datasets"]] == [0.01, 0.02, 0.5]
    shares = write("s.csv", re.sub(r"(?=\b[78]\d)", ".", TABLE))
    given = (), ("--p-value", "p")
    for found in (asked("pvalues", shares, "--sided", "one", *more) for more in given):
        assert found | {key: answer[key] for key in ("provenance", "read")} == answer
    assert (
        asked("pvalues", shares, "--scores", "ours", "theirs", "--sided", "one")["datasets"][0][
            "p_value"
        ]
        == 0.01
    )
    text = write("n.csv", "language,genus,p\na,x,.1\nb,y,.2\n")
    assert "language, genus hold text" in refused("pvalues", text)
    assert asked("pvalues", text, "--dataset", "genus")["datasets"][1]["dataset"] == "y"
    assert "no column holds text" in refused(
        "pvalues", write("y.csv", "year,p\n2016,.1\n2017,.2\n")
    )
    assert "no column is called p" in refused("pvalues", write("z.csv", "d,a,b\nx,2,3\ny,4,5\n"))


def test_both_directions_are_those_of_the_report(asked, write):
    path = write("t.csv", TABLE)
    flags = "--scores", "ours", "theirs", *BOTH, "--independent"
    answer = asked("pvalues", path, *flags)
    comparison = declare(
        name="t",
        section="",
        title="t",
        systems=("ours", "theirs"),
        dependence="independent",
        file=str(path),
        columns={"dataset": "language", "p_value": "p", "scores": ["ours", "theirs"]},
        sided="unknown",
    )
    expected = findings.find_both(comparison, evaluation.evaluate(comparison), 0.05)
    assert [f["sentence"] for f in answer["findings"]] == [str(finding) for finding in expected]
    both = findings.find(
        replace(comparison, alternative="two-sided"), evaluation.evaluate(comparison), 0.05
    )
    assert (answer["alternative"], answer["sentences"]) == ("two-sided", [str(both)])
    assert [f["alpha"] for f in answer["findings"]] == [0.025, 0.025]
    assert [row["p_value"] for row in answer["datasets"]] == [0.005, 0.99, 0.25]
    assert [row["p_reverse"] for row in answer["datasets"]] == [0.995, 0.01, 0.75]


def test_zeros_need_a_resolution(asked, run, write, capsys):
    for values in (["0.3", "0", "0"], [write("t.csv", "dataset,p\nx,.3\ny,0\nz,0\n")]):
        assert cli.main(["pvalues", *map(str, values)]) == 1
        error = " ".join(capsys.readouterr().err.split())
        assert (
            "p-value 2 of 3 is 0 (2 p-values are 0), which would be infinite evidence; set" in error
        )
        assert "set --resolution to the smallest p-value that the test could report" in error
        answer = asked("pvalues", *values, "--resolution", "1e-5")
        assert [row["p_value"] for row in answer["datasets"]] == [0.3, 1e-5, 1e-5]
        assert not any("are 0" in note for note in answer["notes"])
        answer = asked("pvalues", *values, "--resolution", "0")
        assert [row["p_value"] for row in answer["datasets"]] == [0.3, 0, 0]
        said = "2 of 3 p-values are 0. They are used unchanged, "
        assert any(said in note for note in answer["notes"])


def test_how_the_p_values_are_read_is_said(run, write):
    path = write("t.csv", TABLE)
    text = " ".join(run("pvalues", path, "--scores", "ours", "theirs", "--sided", "one").split())
    assert "as one-sided; the null hypothesis is that ours is not better than theirs." in text
    text = " ".join(run("pvalues", path, "--scores", "ours", "theirs", *BOTH).split())
    assert "(column 'p') are treated as two-sided" in text
    assert "all statements about both directions have simultaneous confidence." in text
    flags = "--scores", "ours", "theirs", *BOTH, "--procedure", "paper"
    text = " ".join(run("pvalues", path, *flags).split())
    said = "the bounds for both directions have simultaneous confidence, and so do the identified"
    assert said in text


def test_json_is_not_rounded_and_has_these_keys(asked):
    answer = asked("pvalues", "0.123456789012345", "0.01")
    assert answer["datasets"][0]["p_value"] == 0.123456789012345
    assert list(answer) == [
        "version", "systems", "alternative", "title", "score", "higher_is_better", "missing",
        "claim", "margin", "dependence", "seed", "options", "labels", "claim_covers", "n_flips",
        "dependence_declared",
        "alpha", "procedure", "method", "recommended", "units", "groups", "test",
        "recommended_test", "turned", "read", "datasets", "sentences", "findings", "overall",
        "over_datasets", "notes", "provenance", "command",
    ]  # fmt: skip
    assert (answer["overall"], answer["alternative"]) == (None, "greater")
    assert answer["sentences"] == [answer["findings"][0]["sentence"]]
    assert list(answer["datasets"][0]) == ["dataset", "p_value", "adjusted_p_value", "named"]
    assert list(answer["findings"][0]) == [
        "systems", "claim", "null", "alpha", "k", "named", "count", "k_hat", "groups", "sentence",
        "if_independent",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["0.1", "1.5"], r"pvalues\[1\] is 1\.5"),
        (["-0.1", "0.5"], r"pvalues\[0\] is -0.1"),
        (["nan", "0.5"], r"pvalues\[0\] is nan"),
        (["0.1", "small"], r"pvalues\[1\] is 'small'"),
        (
            ["0.1", "0.2", "--alpha", "-0.05"],
            "--alpha is -0.05, but alpha must be above 0 and at most 0.5",
        ),
        (["0.1", "0.2", "--alpha", "five"], "alpha is 'five'"),
        (["0.1", "0.2", "--names", "x"], r"--names and the p-values differ in number \(1 and 2\)"),
        (["0.1", "0.2", "--names", "x", "x"], "Two datasets have the name 'x'"),
        (["0.1", "0.2", *BOTH], "one direction only.*Leave --alternative out"),
        (["0.1", "0.2", "--systems", "x", "x"], "Both systems have the name 'x'"),
        (
            ["0.1", "0.2", "--resolution", "2"],
            "resolution is 2, but a resolution must be the smallest",
        ),
    ],
)
def test_a_fault_of_what_is_typed_is_a_sentence(refused, arguments, sentence):
    message = refused("pvalues", *arguments)
    assert re.search(sentence, message)
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "t.csv is empty"),
        ("dataset,p\n", "t.csv has no row"),
        (
            "dataset,p\nx,0.1\ny,1.5\n",
            r"t.csv, line 3, column 'p': the value is '1.5', but a p",
        ),
        ("dataset,p\nx,0.1\nx,0.2\n", "line 3, .*'x'"),
    ],
)
def test_a_fault_of_a_file_is_a_sentence(refused, write, content, sentence):
    assert re.search(sentence, refused("pvalues", write("t.csv", content)))


def test_a_missing_file_names_the_nearest(refused, write, monkeypatch):
    path = write("scores.csv", TABLE)
    monkeypatch.chdir(path.parent)
    message = refused("pvalues", "scors.csv")
    assert message == "scors.csv does not exist; did you mean 'scores.csv'?\n"
    assert "column 'q' is not one of" in refused("pvalues", "scores.csv", "--p-value", "q")
    assert "--names is for p-values" in refused("pvalues", "scores.csv", "--names", "x")


@pytest.mark.parametrize(
    "arguments",
    [
        ["pvalues"],
        ["compare"],
        ["pvalues", "0.1", "--dependent", "--independent"],
        ["pvalues", "0.1", "--alhpa", "0.1"],
        ["table"],
    ],
)
def test_wrong_usage_exits_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m replicability" in capsys.readouterr().err


# --- two files of scores -------------------------------------------------------------------------

A = "instance,score\ni1,1\ni2,1\ni3,1\ni4,1\ni5,0\ni6,1\n"
SIZED = A.replace("\n", ",2\n").replace("score,2", "score,size")
B = "instance,score\ni6,0\ni5,0\ni4,1\ni3,0\ni2,0\ni1,0\n"


def test_one_dataset_is_tested_by_identifier(asked, write):
    # by hand: A wins i1, i2, i3, i6 and loses none, so that McNemar's exact p is 1/2 ** 4
    answer = asked("compare", write("a.csv", A), write("b.csv", B), "--test", "mcnemar")
    (row,) = answer["datasets"]
    assert row["p_value"] == 1 / 16
    assert (row["n"], row["wins"], row["ties"], row["losses"]) == (6, 4, 2, 0)
    assert (row["score_a"], row["score_b"]) == pytest.approx((5 / 6, 1 / 6))
    result = paired.mcnemar([1] * 4 + [0, 1], [0, 0, 0, 1, 0, 0])
    interval = result.confidence_interval
    assert (row["difference"], row["low"], row["high"]) == (
        result.effect, interval.low, interval.high,
    )  # fmt: skip
    assert answer["systems"] == ["a", "b"]
    assert (answer["test"], answer["recommended_test"]) == ("mcnemar", "mcnemar")


def test_wins_ties_and_losses_are_shown_where_there_is_room(run, write):
    one, other = (
        "instance,score\n" + rows for rows in ("i1,1\ni2,1\ni3,0\n", "i1,0\ni2,1\ni3,1\n")
    )
    files = write("a.csv", one), write("b.csv", other)
    flags = "--alternative", "greater"
    assert re.search(r"(?m)^all .* 1/1/1 ", run("compare", *files, *flags))
    more = write("a.csv", A), write("b.csv", B)
    assert re.search(r"(?m)^all .* 4/2/0 ", run("compare", *more, *flags))


def test_one_dataset_is_not_counted(run, write):
    files = write("a.csv", A), write("b.csv", B)
    text = run("compare", *files, "--alternative", "greater")
    assert re.search("(?m)^all .* 0.0625$", text)
    assert "Computation of the p-values: exact, with Fay" in text
    assert "There is no evidence that a outperforms b on the only dataset (95% confidence)." in text
    assert "k-hat" not in text
    text = " ".join(run("compare", *files).split())
    assert re.search("all .* 0.0625 1.0000 ", text)
    assert "There is no evidence that a and b differ on the only dataset (both dir" in text
    text = " ".join(run("compare", *files, "--alpha", ".2").split())
    assert (
        "a outperforms b on the only dataset (both directions, simultaneous 80% confidence)."
        in text
    )


def several(table):
    """Repeat a table for three datasets."""
    header, *rows = table.splitlines()
    lines = [f"{name},{row}" for name in ("x", "y", "z") for row in rows]
    return "\n".join([f"dataset,{header}", *lines, ""])


def test_several_datasets_are_counted(asked, write):
    files = write("a.csv", several(A)), write("b.csv", several(B))
    answer = asked("compare", *files, "--independent", "--alpha", ".4")
    assert [row["dataset"] for row in answer["datasets"]] == ["x", "y", "z"]
    assert [row["p_value"] for row in answer["datasets"]] == [1 / 16] * 3
    # each direction has .2: by Holm and Bonferroni 3/16 <= .2, then 2/16 and 1/16
    forth, back = answer["findings"]
    assert (forth["alpha"], back["alpha"]) == (0.2, 0.2)
    assert (forth["k_hat"]["bonferroni"], back["k_hat"]["bonferroni"]) == (3, 0)
    assert (forth["named"], back["named"]) == (["x", "y", "z"], [])
    assert (answer["alternative"], answer["method"]) == ("two-sided", "discrete")
    assert list(answer) == list(asked("pvalues", "0.1"))
    assert set(answer["datasets"][0]) == {
        "dataset", "p_value", "p_reverse", "score_a", "score_b", "n", "how", "test", "floor",
        "difference", "low", "high", "standard_error", "wins", "ties", "losses", "named",
        "named_worse",
    }  # fmt: skip
    by_holm = asked("compare", *files, "--alpha", ".4")["datasets"]
    # Holm by hand: three times 1/16, doubled for the two directions; no p-value of b is below 1/2
    assert [row["adjusted_p_value"] for row in by_holm] == [6 / 16] * 3
    assert [row["adjusted_p_reverse"] for row in by_holm] == [1] * 3
    assert list(answer["overall"]) == [
        "difference", "low", "high", "at_least", "standard_error", "dependence", "ahead", "level",
        "behind", "confidence_level", "lowest", "highest", "caution", "sentence",
    ]  # fmt: skip
    rows = answer["datasets"]
    assert answer["overall"]["difference"] == pytest.approx(rows[0]["difference"])
    assert answer["overall"]["standard_error"] == pytest.approx(
        rows[0]["standard_error"] / math.sqrt(3)
    )
    assert [answer["overall"][key] for key in ("ahead", "level", "behind")] == [3, 0, 0]
    assert answer["overall"]["dependence"] == "independent"


def test_how_much_better_is_said_beside_the_count(run, asked, write):
    """Once for all levels and directions, and only where there are scores of several datasets."""
    files = write("a.csv", several(A)), write("b.csv", several(B))
    shown = run("compare", *files, "--independent", "--alpha", ".2", "--alpha", ".1")
    shown = " ".join(shown.split())
    sentence = asked("compare", *files, "--independent")["overall"]["sentence"]
    assert sentence.startswith("Over all 3 datasets, a is ahead of b by ")
    assert shown.count(sentence) == 1
    assert shown.index(sentence) < shown.index("* and + mark the")
    bounded = asked("compare", *files)["overall"]
    assert bounded["dependence"] == "unknown"
    assert bounded["sentence"].endswith(
        "The interval is valid under any dependence, and therefore wide."
    )
    assert "Over all" not in run("pvalues", "0.1", "0.01")
    assert "On the only" in run("compare", write("c.csv", A), write("d.csv", B))
    scores = write("p.csv", "dataset,p,u,v\nx,.1,1,2\ny,.2,4,2\n")
    read = asked("pvalues", scores, "--scores", "u", "v", "--sided", "one")["overall"]
    assert (read["low"], read["high"], read["standard_error"], read["dependence"]) == (None,) * 4
    assert read["lowest"] == {"dataset": "x", "difference": -1}
    said = ". There is no interval, because an interval requires item scores."
    assert read["sentence"].endswith(said)


def test_the_recommended_test_follows_the_scores(asked, write):
    real = write("r.csv", A.replace(",1\n", ",0.7\n")), write("s.csv", B)
    assert asked("compare", *real)["test"] == "mean_difference"
    sized = [
        write(f"{name}.csv", "instance,score,size\nu,3,4\nv,2,2\nw,5,6\n".replace("5", score))
        for name, score in (("p", "5"), ("q", "1"))
    ]
    answer = asked("compare", *sized, "--size", "size")
    assert answer["test"] == answer["recommended_test"] == "mean_difference"
    assert (
        str(recommendation.recommend("counts"))
        .replace("Use ", "Test: ")
        .replace("mean_difference:", "mean_difference, because")
        in (answer["notes"])
    )
    paper = asked("compare", *sized, "--size", "size", "--test", "paired_bootstrap")
    assert (paper["test"], paper["recommended_test"]) == ("paired_bootstrap", "mean_difference")
    assert any("Section 6.2, dependency parsing" in note for note in paper["notes"])
    fewest = recommendation.few_instances(0.025)  # each direction has half of alpha
    assert any(f"fewer than {fewest} items (3):" in note for note in paper["notes"])
    assert answer["datasets"][0]["score_a"] == pytest.approx(10 / 12)
    assert [answer["datasets"][0][key] for key in ("wins", "ties", "losses")] == [1, 2, 0]
    asked_for = asked("compare", *real, "--test", "sign_flip")
    assert (asked_for["test"], asked_for["recommended_test"]) == ("sign_flip", "mean_difference")
    could, *notes = asked_for["notes"]
    assert could.startswith(
        "With this dataset's number of items and a true gain of 0.2 standard deviations, the "
        "power was"
    )
    assert notes == [
        "Test: sign_flip, as requested; for such scores, the paper uses wilcoxon.",
        "Computation of the p-values: exact (lattice) on 1 dataset.",
        # five instances differ: 1/2 ** 5
        "The systems differ on too few items: no p-value can be below 0.031, but a p-value of at "
        "most 0.025 is needed. Only datasets with at least 6 items on which the systems differ can "
        "be named.",
    ]


def test_ratings_are_compared_with_gold(asked, write):
    a, b, gold = [1, 2, 3, 4, 6, 5], [2, 1, 5, 3, 4, 6], [1, 2, 3, 4, 5, 6]
    files = [
        write(f"{name}.csv", "instance,score\n" + "".join(f"w{i},{s}\n" for i, s in enumerate(x)))
        for name, x in (("a", a), ("b", b), ("gold", gold))
    ]
    answer = asked("compare", *files[:2], "--gold", files[2])
    assert answer["test"] == "correlation_jackknife"
    expected = paired.correlation_jackknife(a, b, gold=gold).pvalue
    assert answer["datasets"][0]["p_value"] == expected
    assert answer["datasets"][0]["wins"] is None


@pytest.mark.long
@pytest.mark.parametrize("origin", FORMATS)
def test_files_of_every_format_answer_like_the_study(asked, run, checkout, origin):
    run("new", "mine", "--from", origin)
    (comparison,) = read_study("config/mine.yaml").comparisons
    folder = checkout / "data" / "mine"
    arguments = [folder / "ours", folder / "baseline", "--format", origin]
    if formats.get(origin).needs_gold:
        arguments += ["--gold", folder / "gold"]
    if origin == "folders":
        arguments += ["--score", "right"]
    if origin == "ids":
        arguments += ["--items", folder / "items"]
    answer = asked("compare", *arguments, "--test", comparison.test)
    expected = evaluation.evaluate(comparison)
    assert [row["dataset"] for row in answer["datasets"]] == expected["dataset"].tolist()
    assert [row["p_value"] for row in answer["datasets"]] == expected["p_value"].tolist()
    (kind,) = {recommendation.kind_of_dataset(dataset) for dataset in formats.read(comparison)}
    assert answer["recommended_test"] == recommendation.recommend(kind).test
    assert answer["systems"] == ["ours", "baseline"]


def test_a_pair_of_files_is_one_dataset_with_a_folder_of_them(asked):
    ours, theirs = (new.EXAMPLES / "folders" / name for name in ("ours", "baseline"))
    flags = "--format", "folders", "--score", "right", "--test", "sign_flip"
    (single,) = asked("compare", ours / "news.csv", theirs / "news.csv", *flags)["datasets"]
    among = asked("compare", ours, theirs, *flags)["datasets"]
    assert [row["dataset"] for row in among] == ["letters", "news", "recipes"]
    assert (single["dataset"], single["p_value"]) == ("news", among[1]["p_value"])


def test_columns_have_the_names_that_are_passed(asked, write):
    usual = "dataset,instance,score,size\nx,u,3,4\nx,v,2,2\ny,u,5,6\ny,v,1,2\n"
    other = usual.replace("dataset,instance,score,size", "set,id,right,words")
    less = [table.replace("3", "1") for table in (usual, other)]
    named = "--size", "size"
    expected = asked("compare", write("a.csv", usual), write("b.csv", less[0]), *named)
    flags = "--dataset", "set", "--instance", "id", "--score", "right", "--size", "words"
    found = asked("compare", write("c.csv", other), write("d.csv", less[1]), *flags)
    assert found["datasets"] == expected["datasets"]


def test_only_columns_that_matter_are_read(asked, refused, write, monkeypatch):
    read, columns = [], delimited.columns

    def noted(file, headers, **more):
        read.append(headers)
        return columns(file, headers, **more)

    monkeypatch.setattr(delimited, "columns", noted)
    table = "instance,score,note,Task\nu,3,x,t\nv,2,y,t\nw,5,z,t\n"
    files = write("a.csv", table), write("b.csv", table.replace("3", "1"))
    asked("compare", *files)
    blocks, wanted = {"note"}, {"instance", "score", "Task"}  # a note could name datasets
    assert [set(headers) for headers in read[:4]] == [blocks, wanted] * 2
    twice = write("c.csv", table.replace("Task", "note"))
    assert "2 columns are called 'note'" in refused("compare", twice, files[1])


def test_the_filter_of_logs_is_chosen(asked, refused, tmp_path):
    for system, values in (("a", (1, 1, 1)), ("b", (0, 1, 0))):
        lines = [
            json.dumps({"doc_id": number, "filter": name, "acc": float(value == (name == "x"))})
            for name in ("x", "y")
            for number, value in enumerate(values)
        ]
        (tmp_path / system).mkdir()
        (tmp_path / system / "samples_t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = "compare", tmp_path / "a", tmp_path / "b", "--format", "lm_eval"
    said = refused(*arguments)
    assert "has the filters x, y; choose one with --filter 'x' or --filter 'y'." in said
    for name, difference in (("x", 2 / 3), ("y", -2 / 3)):
        (row,) = asked(*arguments, "--filter", name)["datasets"]
        assert row["difference"] == pytest.approx(difference)


def test_the_format_is_guessed_where_there_is_no_doubt():
    examples = new.EXAMPLES
    assert formats.guess(examples / "scores" / "ours.csv") == "table"
    assert formats.guess(examples / "folders" / "ours") == "folders"
    assert formats.guess(examples / "conllu" / "ours" / "news.conllu") == "conllu"


def test_the_format_of_logs_and_segments_is_guessed(tmp_path, write):
    log = tmp_path / "model" / "deep" / "samples_arc_2024-10-02T14-31-55.123456.jsonl"
    log.parent.mkdir(parents=True)
    log.touch()
    for path in (log, log.parent, tmp_path / "model"):
        assert formats.guess(path) == "lm_eval"
    assert formats.guess(write("s.txt", "BLEU|nrefs:1 = 53.7 83/60\n")) == "segments"
    assert formats.guess(write("t.csv", "a = 1\n")) == "table"
    (tmp_path / "signed").mkdir()
    write("signed/wmt.txt", "chrF2|nrefs:1 = 53.7\n")
    assert formats.guess(tmp_path / "signed") == "segments"
    assert formats.guess(new.EXAMPLES / "conllu" / "ours") == "conllu"
    assert formats.guess(tmp_path / "missing") == "table"


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("m/Llama-3.1-8B.csv", "m/Llama-3.2-3B.csv", ("Llama-3.1-8B", "Llama-3.2-3B")),
        ("Mistral-v0.3", "Mistral-v0.2", ("Mistral-v0.3", "Mistral-v0.2")),
        ("x/news.csv", "y/news.tsv", ("x", "y")),
        ("x/out/news.csv", "y/out/news.csv", ("x", "y")),
        ("news.csv", "news.tsv", ("news.csv", "news.tsv")),
        ("ours.1.PARQUET", "ours.2.parquet", ("ours.1", "ours.2")),
        ("m.1/samples_x_2024-10-02T14-31-55.1.jsonl", "m.2/samples_x_2024-10-02T14-31-55.2.jsonl",
         ("m.1", "m.2")),
    ],
)  # fmt: skip
def test_systems_are_named_after_what_tells_their_files_apart(a, b, names, tmp_path):
    assert datasets.names_of(tmp_path / a, tmp_path / b) == names
    assert datasets.names_of(tmp_path / b, tmp_path / a) == names[::-1]


def test_a_folder_with_a_dot_keeps_its_name(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).mkdir()
    assert datasets.names_of(tmp_path / "a.csv", tmp_path / "b.csv") == ("a.csv", "b.csv")


def test_which_file_is_which_system_is_said_where_it_cannot_be_seen(run, write):
    files = write("run1.csv", A), write("run2.csv", B)
    assert "is read from" not in run("compare", *files)
    text = " ".join(run("compare", *files, "--systems", "ours", "theirs").split())
    assert f"ours is read from {files[0]}. theirs is read from {files[1]}." in text


def test_one_file_by_two_names_is_refused(refused, write, tmp_path):
    path = write("a.csv", A)
    (tmp_path / "b.csv").symlink_to(path)
    assert "Both systems are read from" in refused("compare", path, tmp_path / "b.csv")


def test_systems_the_wrong_way_round_get_a_hint(run, write):
    better, worse = write("a.csv", several(A)), write("b.csv", several(B))
    claimed = "--alternative", "greater"
    text = " ".join(run("compare", worse, better, *claimed).split())
    assert (
        "a scores higher on 3 of 3 datasets, but only the claim that b is better was tested" in text
    )
    assert "the alternative 'two-sided' to test both directions." in text
    assert "higher score" not in run("compare", better, worse, *claimed)
    assert "higher score" not in run("compare", worse, better)
    text = " ".join(run("compare", write("x.csv", B), write("y.csv", A), *claimed).split())
    assert "y scores higher than x, but only the claim that x is better was tested" in text


def tasks(*scores):
    """Write a table of three tasks whose items have identifiers of their own."""
    rows = (f"{'xyz'[i % 3]},i{i},{score}" for i, score in enumerate(scores))
    return "\n".join(["Task Name,instance,score", *rows, ""])


UNIQUE = tasks(1, 1, 1, 1, 0, 1, 1, 1, 1), tasks(0, 1, 0, 1, 0, 0, 1, 0, 0)


def test_datasets_of_a_column_that_is_not_named_are_not_pooled(asked, refused, write):
    files = write("a.csv", UNIQUE[0]), write("b.csv", UNIQUE[1])
    message = refused("compare", *files)
    assert "a.csv is read as one dataset, but its column 'Task Name' has 3 different" in message
    assert "specify it with --dataset 'Task Name', or declare that there is one" in message
    assert len(asked("compare", *files, "--dataset", "Task Name")["datasets"]) == 3
    assert len(asked("compare", *files, "--one-dataset")["datasets"]) == 1
    assert "use only one of them" in refused("compare", *files, "--one-dataset", "--dataset", "x")


@pytest.mark.parametrize(
    "header", ["lang", "SPLIT", "dataset_name", "benchmark", "config", "test-set", "category"]
)
def test_headers_that_tell_datasets_apart(refused, write, header):
    tables = [table.replace("Task Name", header) for table in UNIQUE]
    message = refused("compare", write("a.csv", tables[0]), write("b.csv", tables[1]))
    assert f"its column {header!r} has 3" in message


@pytest.mark.parametrize("header", ["source_length", "remark", "length"])
def test_other_columns_are_of_no_consequence(asked, write, header):
    tables = [table.replace("Task Name", header) for table in UNIQUE]
    found = asked("compare", write("a.csv", tables[0]), write("b.csv", tables[1]))
    assert len(found["datasets"]) == 1


def test_a_misspelt_column_of_datasets_is_refused(refused, asked, write):
    files = write("a.csv", several(A)), write("b.csv", several(B))
    assert "did you mean 'dataset'" in refused("compare", *files, "--dataset", "datset")
    upper = [write(f"{p.stem}2.csv", p.read_text().replace("dataset", "DataSet")) for p in files]
    assert len(asked("compare", *upper)["datasets"]) == 3
    message = refused("compare", files[0], write("c.csv", B))
    assert "c.csv has none; add the column, or use --one-dataset to declare that" in message


def test_only_the_datasets_that_are_named(asked, refused, write, tmp_path):
    broken = several(A).replace("x,i1,1", "x,i1,none").replace("y,i2,1\n", "")
    files = write("a.csv", broken), write("b.csv", several(B))
    assert "line 2: the score is 'none'" in refused("compare", *files)
    expected = asked("compare", write("c.csv", several(A)), files[1])["datasets"]
    found = asked("compare", *files, "--datasets", "z")["datasets"]
    assert [row["dataset"] for row in found] == ["z"]
    assert found[0]["p_value"] == expected[2]["p_value"]
    assert "'i2' of 'y' is missing for a" in refused("compare", *files, "--datasets", "y", "z")
    assert "dataset 'w' is not one of x, y, z" in refused("compare", *files, "--datasets", "w")
    ours, theirs = (new.EXAMPLES / "folders" / name for name in ("ours", "baseline"))
    flags = "--score", "right", "--datasets", "news", "letters"
    found = asked("compare", ours, theirs, *flags)["datasets"]
    assert [row["dataset"] for row in found] == ["letters", "news"]
    lone = write("lone.csv", "id,right\n1,1\n2,0\n").rename(tmp_path / "news.csv").parent
    assert "select the datasets with --datasets news." in refused(
        "compare", lone, theirs, "--format", "folders"
    )


def test_scores_are_no_identifiers_and_no_errors(refused, write):
    files = write("a.csv", A.replace("score", "PPL")), write("b.csv", B.replace("score", "PPL"))
    message = refused("compare", *files, "--score", "PPL")
    assert "a lower 'PPL' is better" in message
    assert "declare this with --lower-is-better, or, if a higher one is better, write" in message

    assert "both the items and the scores" in refused("compare", *files, "--score", "instance")


def test_right_and_wrong_beside_per_cent_are_refused(refused, write):
    message = refused("compare", write("a.csv", A.replace(",1\n", ",100\n")), write("b.csv", B))
    assert "The scores of b lie in [0, 1], but those of a reach 100; score both" in message
    assert message.startswith(str(write("a.csv", A)))


def test_two_instances_are_too_few_for_the_bootstrap(run, write):
    files = [
        write(f"{n}.csv", f"instance,score,size\nu,{s},3\nv,{s},3\n")
        for n, s in (("a", 3), ("b", 2))
    ]
    text = " ".join(run("compare", *files, "--size", "size", "--test", "paired_bootstrap").split())
    assert " <0.0001 " in text
    fewest = recommendation.few_instances(0.025)  # each direction has half of alpha
    assert f"are fewer than {fewest} items (2): the bootstrap's p-values may be too small" in text
    assert "smaller than the smallest possible p-value of a sign-flip test (2 items)" in text
    assert "Use the test mean_difference instead." in text


def test_zeros_that_are_typed_stay_zeros(run):
    assert re.search(r"dataset 1 +0 +0 ", run("pvalues", "0", "0.3", "--resolution", "0"))


@pytest.mark.parametrize(
    ("origin", "flags", "sentence"),
    [
        (
            "conllu",
            ["--metric", "clas"],
            "metric 'clas'",
        ),
        ("labels", ["--metric", "f1"], "metric 'f1' is not one of accuracy"),
        (
            "folders",
            ["--metric", "las"],
            "outputs, but only in the formats conllu, helm, inspect_ai, la",
        ),
        (
            "folders",
            ["--gold", "x"],
            r"The format 'folders' holds scores and needs no gold files; leave out --gold\. If",
        ),
        (
            "segments",
            ["--one-dataset"],
            "--one-dataset reads a table as one dataset, but only in",
        ),
        (
            "lm_eval",
            ["--dataset", "task"],
            "--dataset names the column of datasets, but only in the format table, not in",
        ),
        ("spans", ["--size", "words"], "--size names the column of denominators"),
    ],
)
def test_an_option_that_a_format_does_not_have_is_refused(refused, origin, flags, sentence):
    folder = new.EXAMPLES / origin
    gold = ["--gold", folder / "gold"] if formats.get(origin).needs_gold else []
    arguments = [folder / "ours", folder / "baseline", "--format", origin, *gold, *flags]
    assert re.search(sentence, refused("compare", *arguments))


def test_the_help_names_every_format(capsys):
    with pytest.raises(SystemExit):
        cli.main(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert f"{', '.join(formats.NAMES[:-1])} or {formats.NAMES[-1]}" in text


@pytest.mark.parametrize("name", ["pvalues", "compare"])
def test_the_help_names_every_method(name, capsys):
    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    *others, last = local_tests.NAMES
    assert f"{', '.join(others)} or {last}. (default" in text
    assert ("--shared" in text) is (name == "compare")


@pytest.mark.parametrize(
    ("a", "b", "flags", "sentence"),
    [
        (
            A,
            B.replace("i3", "j3"),
            [],
            "a.csv: item 'j3' is missing for a, which has 'i3' instead",
        ),
        (
            A + "i7,1\ni8,1\n",
            B,
            [],
            "b.csv: items 'i7', 'i8' are missing for b; score both",
        ),
        (A, B + "i7,1\n", [], "a.csv: item 'i7' is missing for a; score both systems on the same"),
        (A + "i1,0\n", B, [], "a.csv: 'i1' occurs"),
        (A, B.replace("i5,0", "i5,no"), [], "b.csv, line 3: the score is 'no'"),
        (
            A,
            B.replace("score", "right"),
            [],
            r"b\.csv has no column 'score', which is needed for both systems; specify it with",
        ),
        (A.replace("1\n", "2\n"), B, ["--test", "mcnemar"], r"mcnemar needs 0 \(wrong\) or 1"),
        (A, B, ["--test", "macnemar"], "did you mean 'mcnemar'"),
        (A, B, ["--test", "steiger"], "needs gold ratings"),
        (A, B, ["--alpha", "-0.05"], "alpha is -0.05"),
        (A, B, ["--format", "labels"], "The format 'labels' holds outputs, which must be compared"),
        (A, B, ["--format", "conll"], "format 'conll' is not one of .*did you mean 'conllu'"),
        (A, B, ["--format", "segments", "--gold", "g"], "The format 'segments' holds scores and"),
        (A, B, ["--seed", "-1"], "--seed is -1, but a seed must be a whole number of at least 0"),
        (
            A,
            B,
            ["--filter", "x"],
            "--filter chooses .*, but only in the formats helm and lm_eval, not in 'table';",
        ),
        (
            A,
            B,
            ["--test", "meng"],
            "needs gold ratings; name them with --gold, or choose",
        ),
        (A, B, ["--metric", "las"], "the metric 'las' compares predictions with gold labels"),
        (A, "", [], "b.csv is empty"),
        (SIZED, A, ["--size", "size"], "b.csv: column 'size' is not one of instance, score."),
        (SIZED, SIZED.replace("i6,1,2", "i6,1,3"), ["--size", "size"], "has the size 2 for a and"),
        (SIZED, SIZED, [], "has a column 'size' without a role. If each score counts a"),
    ],
)
def test_a_fault_of_scores_is_a_sentence(refused, write, monkeypatch, a, b, flags, sentence):
    monkeypatch.chdir(write("a.csv", a).parent)
    write("b.csv", b)
    message = refused("compare", "a.csv", "b.csv", *flags)
    assert re.search(sentence, message)
    assert message.count("\n") == 1
    assert "table.csv" not in message


def test_a_limit_that_is_not_finite_is_null_in_json(asked, write):
    rows = "dataset,instance,score\nx,u,0.{0}\ny,u,0.1\ny,v,0.2\ny,w,0.{0}\n"
    files = (write(f"{name}.csv", rows.format(digit)) for name, digit in ("a5", "b4"))
    row, _ = asked("compare", *files, "--test", "sign_flip")["datasets"]
    assert (row["low"], row["high"]) == (None, None)


def test_one_file_for_both_systems_is_refused(refused, write):
    path = write("a.csv", A)
    assert "Both systems are read from" in refused("compare", path, path)


# --- groups, units and the procedure -------------------------------------------------------------


def test_groups_are_bounded_by_the_same_procedure(asked, run):
    # by hand, Bonferroni: 6 * .001 <= .05 < 5 * .019, so that only dataset 6 is shown
    flags = "--group", "last two = dataset 5, dataset 6", "--group", "first=dataset 1"
    (finding,) = asked("pvalues", *REFERENCE, *flags)["findings"]
    assert finding["groups"] == [
        {"group": "last two", "datasets": ["dataset 5", "dataset 6"], "at_least": 1,
         "search_could_give": 1},
        {"group": "first", "datasets": ["dataset 1"], "at_least": 0, "search_could_give": 0},
    ]  # fmt: skip
    assert "By group: last two at least 1 of 2. All" in finding["sentence"]
    text = run("pvalues", *REFERENCE, *flags)
    assert re.search(r"^last two +at least 1 of 2 +dataset 5 and dataset 6$", text, re.MULTILINE)
    assert re.search(r"^first +at least 0 of 1 +dataset 1$", text, re.MULTILINE)


def test_a_search_that_was_cut_short_is_said(run, monkeypatch):
    monkeypatch.setattr(procedure.Procedure, "bound", lambda self, group=None: joint.Bound(1, 2))
    text = run("pvalues", *REFERENCE, "--group", "g=dataset 1,dataset 2,dataset 3")
    assert "at least 1 of 3 (a complete search would give at most 2)" in text


def test_a_name_with_a_comma_stands_in_quotes(asked):
    names = "--names", "Paris, Texas", "Rome", "x=y", "u", "v", "w"
    group = '--group=cities="Paris, Texas",Rome,x=y'
    (finding,) = asked("pvalues", *REFERENCE[::-1], group, *names)["findings"]
    (bounded,) = finding["groups"]
    assert (bounded["datasets"], bounded["at_least"]) == (["Paris, Texas", "Rome", "x=y"], 1)


def test_groups_in_both_directions_have_half_of_alpha_each(asked, run, write):
    flags = "--scores", "ours", "theirs", *BOTH, "--group", "g=Arabic,Basque"
    path = write("t.csv", TABLE.replace(",0.02", ",0.01"))
    answer = asked("pvalues", path, *flags)
    assert [f["groups"][0]["at_least"] for f in answer["findings"]] == [1, 1]
    assert [f["alpha"] for f in answer["findings"]] == [0.025, 0.025]
    text = run("pvalues", path, *flags)
    assert "ours better at 0.05  theirs better at 0.05" in text  # the level that they share
    assert "both directions, simultaneous 95% confidence" in " ".join(text.split())


def test_what_an_assumption_would_give_is_said_beside_the_sentence(asked, run):
    even = ["0.168", "0.297", "0.057", "0.019", "0.018", "0.001"]
    (finding,) = asked("pvalues", *even)["findings"]
    assert finding["if_independent"].endswith("k-hat would be 2 of 6.")
    shown = " ".join(run("pvalues", *even).partition("\n\n")[0].split())
    assert shown == f"{finding['sentence']} {finding['if_independent']}"
    assert asked("pvalues", *even, "--independent")["findings"][0]["if_independent"] == ""


def test_who_declares_more_is_not_told_less(asked):
    few = ["0.0002", "0.0005", "0.6", "0.75", "0.9", "0.97", "0.99", "0.8", "0.95", "0.7"]
    for flag in ("--independent", "--positive", "--dependent"):
        (finding,) = asked("pvalues", *few, flag)["findings"]
        assert finding["count"] == 2
        assert finding["named"] == ["dataset 1", "dataset 2"]


def test_the_procedure_of_the_paper_is_two_statements(asked):
    answer = asked("pvalues", *REFERENCE, "--independent", "--procedure", "paper")
    assert (answer["procedure"], answer["method"]) == ("paper", None)
    assert answer["recommended"] == "fisher"
    assert (
        "Holm's procedure identifies dataset 6, with a separate guarantee"
        in (answer["findings"][0]["sentence"])
    )
    assert "k-hat is therefore computed with Fisher's method" in answer["notes"][0]


@pytest.mark.parametrize("method", procedure.LOCAL_TESTS.values())
def test_the_method_that_is_asked_for_is_taken(asked, method):
    answer = asked("pvalues", *REFERENCE, "--independent", "--method", method)
    assert (answer["recommended"], answer["method"]) == (method, method)
    (finding,) = answer["findings"]
    assert finding["k_hat"][method] == partial_conjunction.k_hat(
        [float(p) for p in REFERENCE], 0.05, method
    )


def test_many_datasets_keep_the_pair_and_say_so(asked, refused, monkeypatch):
    monkeypatch.setattr(procedure, "MOST_SUMS", 5)
    answer = asked("pvalues", *REFERENCE, "--independent")
    assert (answer["procedure"], answer["method"]) == ("paper", None)
    assert "sums would take too long for more than 5 datasets" in answer["notes"][1]
    assert asked("pvalues", *REFERENCE)["procedure"] == "closed"
    message = refused("pvalues", *REFERENCE, "--independent", "--group", "g=dataset 1")
    assert "This method cannot bound groups of more than 5 datasets; set --method" in message


def prompts(shift, n=12):
    """Write a table of questions that are asked with three seeds, in two datasets."""
    rows = [
        f"{dataset},{q}-{seed},{q},{(q * seed + shift * (q % 4 > 0)) % 3 / 2}"
        for dataset in ("x", "y")
        for q in range(n)
        for seed in range(3)
    ]
    return "\n".join(["dataset,instance,question,score", *rows, ""])


def test_units_are_those_of_a_study(asked, run, write):
    files = write("a.csv", prompts(2)), write("b.csv", prompts(0))
    flags = "--unit", "Question", "--shared", "--group", "g=x,y"
    answer = asked("compare", *files, *flags)
    sides = [
        pd.read_csv(file).rename(columns={"score": side})
        for file, side in zip(files, "AB", strict=True)
    ]
    table = sides[0].merge(sides[1], on=["dataset", "instance", "question"])
    table.to_csv(files[0].with_name("both.csv"), index=False)
    comparison = declare(
        name="t",
        section="",
        title="t",
        file=str(files[0].with_name("both.csv")),
        unit="question",
        shared=True,
        columns={"dataset": "dataset", "instance": "instance", "scores": ["A", "B"]},
    )
    expected = evaluation.evaluate(comparison)
    for key in ("p_value", "n", "units", "design_effect"):
        assert [row[key] for row in answer["datasets"]] == expected[key].tolist()
    assert (answer["method"], answer["recommended"]) == ("joint", "joint")
    assert answer["units"] == {"unit": "question", "shared": True}
    claims = findings.find(comparison, expected, 0.05).claims
    assert answer["findings"][0]["k_hat"]["joint"] == claims.at_least()
    assert answer["findings"][0]["groups"][0]["at_least"] == claims.at_least(["x", "y"])
    text = " ".join(run("compare", *files, *flags).split())
    assert "The datasets share units, so their dependence is measured" in text
    assert "range from 1.00 to 1.00 (10,000 joint sign flips)" in text
    assert "Joint sign flips" in text
    only = asked("compare", *files, "--unit", "question", "--datasets", "x")
    assert only["datasets"][0]["p_value"] == expected["p_value"][0]
    text = run("compare", *files, "--unit", "question", "--datasets", "x")
    assert re.search(r"Omitted .*: .*design effect", text)


def test_some_datasets_share_units(asked, write):
    tables = [prompts(shift) + prompts(shift).replace("\ny", "\nz").partition("\nz")[2].join(
        ["z", ""]) for shift in (2, 0)]  # fmt: skip
    files = [write(f"{name}.csv", table) for name, table in zip("ab", tables, strict=True)]
    answer = asked("compare", *files, "--shared", "questions=x,y", "--shared", "others=z")
    assert answer["units"]["shared"] == {"questions": ["x", "y"], "others": ["z"]}
    assert answer["method"] == "joint"


def test_the_column_of_the_instances_is_no_unit(asked, write):
    files = write("a.csv", prompts(2)), write("b.csv", prompts(0))
    assert asked("compare", *files, "--unit", "instance") == asked("compare", *files)


def test_a_unit_may_have_the_name_of_another_column_of_the_answer(asked, write):
    tables = [prompts(shift).replace("question", "gold") for shift in (2, 0)]
    files = [write(f"{name}.csv", table) for name, table in zip("ab", tables, strict=True)]
    answer = asked("compare", *files, "--unit", "gold")
    assert [row["units"] for row in answer["datasets"]] == [12, 12]


def test_all_differences_zero_show_nothing_and_one_unit_is_half(asked, write):
    files = write("a.csv", prompts(2)), write("b.csv", prompts(2))
    answer = asked("compare", *files, "--unit", "question", "--shared")
    assert [row["design_effect"] for row in answer["datasets"]] == [None, None]
    assert answer["findings"][0]["k_hat"]["joint"] == 0
    assert not any("correlations" in note for note in answer["notes"])
    files = [write(f"{n}.csv", prompts(s).replace(",1,", ",0,")) for n, s in (("a", 2), ("b", 0))]
    files = [write(f.name, re.sub(r"(\d-\d),\d+,", r"\1,0,", f.read_text())) for f in files]
    answer = asked("compare", *files, "--unit", "question")
    assert [row["units"] for row in answer["datasets"]] == [1, 1]
    assert [row["p_value"] for row in answer["datasets"]] == [0.5, 0.5]


# --- help ----------------------------------------------------------------------------------------


def shown_examples(text):
    """Return the commands that a help text shows, with what it says they print."""
    shown = text.partition("examples:")[2].partition("\nkeys of --json")[0]
    blocks = re.split(r"^\$ ", shown, flags=re.MULTILINE)[1:]
    for block in blocks:
        line, _, output = block.replace("\\\n", " ").partition("\n")
        yield shlex.split(line)[3:], " ".join(output.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "run"])
def test_help_shows_two_examples_and_what_they_print(name, capsys, run, checkout, monkeypatch):
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--help"])
    assert stop.value.code == 0
    if name != "new":  # which writes
        monkeypatch.chdir(new.EXAMPLES.parents[2])
    examples = list(shown_examples(capsys.readouterr().out))
    assert len(examples) == 2
    for arguments, output in examples:
        printed = " ".join(run(*arguments).replace("\\\n", "").split())
        assert output, arguments
        if output.endswith(" ..."):
            assert printed.startswith(output.removesuffix(" ...")), arguments
        else:
            assert printed == output, arguments


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_loads_nothing_heavy(arguments):
    code = (
        "import sys, replicability; from replicability import cli\n"
        f"try: {f'cli.main({arguments})' if arguments else 'pass'}\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'pandas', 'scipy', 'pyarrow', 'matplotlib'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_the_library_names_its_parts_and_loads_them_when_asked():
    code = (
        "import sys, replicability as library\n"
        "before = sorted(name for name in sys.modules if name.startswith('replicability.'))\n"
        "parts = [getattr(library, name) for name in library.__all__]\n"
        "print(before, set(library.__all__) <= set(dir(library)), hasattr(library, 'part'))\n"
        "print(*(part.__name__ for part in parts))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    answer, parts = found.stdout.splitlines()
    assert answer == "[] True False"
    folders = {path.parent.name for path in new.EXAMPLES.parents[1].glob("*/__init__.py")}
    layers = folders | {"checks"}
    calls = set(replicability.__all__) - layers
    assert set(parts.split()) == {f"replicability.{name}" for name in layers} | calls


def process(*arguments, **options):
    """Run the command line as a process of its own."""
    call = [sys.executable, "-m", "replicability", *arguments]
    return subprocess.run(call, text=True, check=False, **options)


@pytest.mark.slow
def test_the_module_runs_and_says_its_version():
    found = process("--version", capture_output=True)
    assert (found.returncode, found.stdout) == (0, f"replicability {replicability.__version__}\n")
    failed = process("pvalues", "2", "1", capture_output=True)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.startswith("pvalues[0] is 2.0")


# --- where nothing can be printed ----------------------------------------------------------------

PRINTING = [
    ["--help"],
    ["--version"],
    *([name, "--help"] for name in COMMANDS),
    ["pvalues", "0.1", "0.2"],
    ["pvalues", "0.1", "0.2", "--json"],
    ["tests"],
]


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_full_disk_is_no_success(arguments, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        found = process(*arguments, stdout=full, stderr=-1, env=environment)
    sentence = "The result could not be printed: No space left on device.\n"
    assert (found.returncode, found.stderr) == (1, sentence)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_no_standard_output_is_no_success(arguments):
    found = process(*arguments, stderr=-1, preexec_fn=lambda: os.close(1))
    sentence = "The result could not be printed: standard output is closed.\n"
    assert (found.returncode, found.stderr) == (1, sentence)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows has no such signal")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_pipe_that_nobody_reads_ends_it(arguments):
    read, write = os.pipe()
    os.close(read)
    found = process(*arguments, stdout=write, stderr=-1)
    os.close(write)
    assert (found.returncode, found.stderr) == (-signal.SIGPIPE, "")


def test_no_room_for_what_is_stored_while_it_is_read(refused, monkeypatch):
    def refuse():
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuse)
    monkeypatch.setattr("replicability.cli.reading._read_pipe", lambda *_: b"0.1\n0.2\n")
    message = refused("pvalues", "-")
    assert message.startswith("A temporary copy of standard input could not be written (No sp")
    assert message.endswith(
        "No space left on device); set TMPDIR to a folder with enough free space.\n"
    )


# --- options that take several values ------------------------------------------------------------


def test_alpha_takes_one_level_wherever_it_stands(asked):
    after = asked("pvalues", *REFERENCE, "--alpha", ".2", "--alpha", ".01")
    assert [finding["alpha"] for finding in after["findings"]] == [0.2, 0.01]
    assert asked("pvalues", "--alpha", ".2", "--alpha", ".01", *REFERENCE) == after
    assert asked("pvalues", "--alpha", ".2", *REFERENCE, "--alpha", ".01") == after


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pvalues", "0.1", "--alpha", ".05", ".01"], "arguments: .01; --alpha takes one level, so "
         "write --alpha 0.05 --alpha 0.01 for two levels, and write all p-values together"),
        (["compare", "a", "b", "--alpha", ".05", ".01"], "arguments: .01; --alpha takes one level"),
        (["pvalues", "0.1", "--alpha", ".05", "0.2", "0.3"], "0.2 0.3; --alpha takes one level"),
        (["pvalues", "0.1", "--alhpa", ".01"], "--alhpa .01; did you mean '--alpha'?\n"),
        (["pvalues", "--names", "x", "0.1"], "P; write them before --names, which takes all"),
        (["compare", "--datasets", "x", "a", "b"], "A.csv; write them before --datasets, which"),
        (["compare", *BOTH], "required: A.csv\n"),
        (["compare", "--shared", "a"], "A.csv; write them before --shared, which takes what"),
        (["compare", "a", "--score", "f1", "--score=bleu"], "--score: given twice; give one value"),
        (["family", "a", "--systems", "x", "y", "--systems", "z"],
         "--systems: given twice; write all values after one --systems"),
    ],
)  # fmt: skip
def test_wrong_usage_ends_in_a_sentence(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


# --- the tests -----------------------------------------------------------------------------------


def test_every_test_is_listed_and_the_recommended_ones_say_why(asked):
    listed = {about["test"]: about for about in asked("tests")["tests"]}
    assert set(listed) == set(paired.TESTS)
    for kind in recommendation.SCORE_KINDS:
        advice = recommendation.recommend(kind)
        assert kind in listed[advice.test]["scores"]
        assert listed[advice.test]["use"] == advice.why
        assert listed[advice.test]["assumes"] == advice.assumes


# --- a new study ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("origin", new.examples())
def test_each_example_is_a_study_that_can_be_evaluated(run, checkout, origin):
    text = run("new", "mine", "--from", origin)
    assert "replicability run config/mine.yaml" in text
    study = read_study("config/mine.yaml")
    assert study.name == "mine"
    assert len(study.comparisons + study.families) == 1
    if study.families:
        pairs = all_pairs.compare(study.families[0])
        assert pairs.counts(study.alphas[0] / pairs.n_pairs).to_numpy().max() > 0
        return
    (comparison,) = study.comparisons
    pvalues.check_comparison(comparison)
    table = evaluation.evaluate(comparison)
    assert 3 <= len(table) <= 6
    assert table["p_value"].between(0, 1).all()
    finding = findings.find(comparison, table, study.alphas[0])
    assert finding.counts[finding.recommended] > 0
    written = {p.relative_to(checkout).as_posix() for p in checkout.rglob("*") if p.is_file()}
    assert written == set(re.findall(r"^  (\S+)$", text, re.MULTILINE))


@pytest.mark.parametrize("origin", new.examples())
def test_every_key_of_an_example_has_a_comment(origin):
    lines = (new.EXAMPLES / origin / "study.yaml").read_text(encoding="utf-8").splitlines()
    for before, line in itertools.pairwise(lines):
        if re.match(r"(  - |    )?\w+:", line):
            assert before.lstrip().startswith("#"), line


def test_there_is_an_example_of_every_format():
    assert set(new.examples()) == {"pvalues", "wide", "long", "matrix", "family", *FORMATS}


def test_nothing_is_overwritten(run, refused, checkout):
    run("new", "mine")
    before = (checkout / "config" / "mine.yaml").read_text(encoding="utf-8")
    assert "config/mine.yaml already exists" in refused("new", "mine", "--from", "pvalues")
    assert (checkout / "config" / "mine.yaml").read_text(encoding="utf-8") == before
    (checkout / "data" / "other").mkdir()
    assert "data/other already exists" in refused("new", "other")
    assert not (checkout / "config" / "other.yaml").exists()


@pytest.mark.parametrize("name", ["paper", "open"])
def test_the_studies_of_the_repository_are_left_alone(refused, name):
    assert f"config/{name}.yaml already exists" in refused("new", name)


@pytest.mark.parametrize(
    ("name", "proposed"), [("My Study", "my_study"), ("2017", "study_2017"), ("../x", "x")]
)
def test_a_name_that_no_study_has_is_refused(refused, checkout, name, proposed):
    assert f"try '{proposed}'." in refused("new", name)
    assert not list(checkout.iterdir())


def test_an_unknown_format_names_the_nearest(refused, checkout):
    assert "did you mean 'conllu'?" in refused("new", "mine", "--from", "conll")
