"""The audit of a published table, in Python and as a command."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replicability as rep
from replicability import cli, forensics
from replicability.cli.new import EXAMPLES
from replicability.stats import paired

TABLE = EXAMPLES / "audit" / "table.csv"
SCORES = ["ours", "baseline"]


def table(**columns):
    n = len(next(iter(columns.values())))
    return pd.DataFrame({"dataset": [f"d{i}" for i in range(n)]} | columns)


def verdicts(found):
    return dict(found.to_frame()[["claim", "verdict"]].to_numpy())


def test_the_example_by_hand():
    # 0.7895 * 500 = 394.75; mail: baseline is ahead by 0.012, so that .041 is for it; 2 are <= .05
    found = rep.audit(TABLE, scores=SCORES, items=500, stars="stars", claimed=2, sided="one")
    said = verdicts(found)
    assert {claim for claim, verdict in said.items() if verdict == forensics.IMPOSSIBLE} == {
        "ours on chat"
    }
    assert said["ours better than baseline on mail (p <= 0.05)"] == forensics.CONTRADICTED
    assert said["number of datasets with p <= 0.05"] == forensics.AGREES
    assert said["datasets marked as significant at 0.05"] == forensics.AGREES
    assert len(found.disputed) == 2
    # Bonferroni at .05/3: news, at most .00345, and not mail, which is read as 1 - .041
    assert (found.supports.k, found.supports.named) == (1, ["news"])
    assert found.supports.table["p_value"].round(5).tolist() == [0.00345, 0.95905, 0.21005]
    assert "The p-values support: ours outperforms baseline on at least 1 of 3" in str(found)


def test_p_values_of_unknown_sides_support_no_more_than_either_kind():
    given = {"ours": ["0.9", "0.8", "0.7"], "base": ["0.8", "0.9", "0.7"], "p": ["0.010"] * 3}
    found = {
        sided: rep.audit(table(**given), scores=["ours", "base"], sided=sided)
        for sided in ("one", "two", "unknown")
    }
    values = {sided: f.supports.table["p_value"].tolist() for sided, f in found.items()}
    assert values["one"] == pytest.approx([0.0105, 1 - 0.0095, 0.0105])
    assert values["two"] == pytest.approx([0.00525, 1 - 0.00475, 1 - 0.00475])
    assert values["unknown"] == pytest.approx([0.0105, 1 - 0.00475, 1 - 0.00475])
    assert "base scores higher on d1" in str(found["unknown"])
    ranks = rep.audit(table(**given), scores=["ours", "base"], sided="one", test="wilcoxon")
    assert ranks.supports.table["p_value"].tolist() == pytest.approx([0.0105] * 3)


@given(st.data())
def test_a_table_that_was_computed_is_never_disputed(data):
    n = data.draw(st.integers(5, 60))
    seed = data.draw(st.integers(0, 2**32 - 1))
    digits = data.draw(st.integers(2, 5))
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(data.draw(st.integers(1, 5))):
        a, b = rng.integers(0, 2, (2, n))
        p = paired.mcnemar(a, b, alternative="greater").pvalue
        rows.append([f"{100 * a.mean():.{digits}f}", f"{100 * b.mean():.{digits}f}", p])
    small = sum(p <= 0.05 for *_, p in rows)
    a, b, p = zip(*rows, strict=True)
    printed = table(a=a, b=b, p=[f"{x:.{digits}f}" for x in p])
    found = rep.audit(
        printed, scores=["a", "b"], items=n, sided="one", test="mcnemar", claimed=small
    )
    fails = [v for v in found.disputed if v.kind != forensics.DIRECTION]
    assert fails == []
    exact = rep.count(dict(zip(printed["dataset"], p, strict=True)))
    assert found.supports.k <= exact.k  # at the largest values that round to what is printed


def test_zeros_are_below_what_is_printed_and_above_what_the_test_reports():
    given = table(p=["0.000", "0.0012", "0.4"])
    plain = rep.audit(given, sided="one")
    assert verdicts(plain) == {"p-value on d0": forensics.UNCHECKED}
    assert plain.supports.table["p_value"][0] == pytest.approx(0.00005)
    known = rep.audit(given, sided="one", resolution=1e-3)
    assert verdicts(known) == {"p-value on d0": forensics.IMPOSSIBLE}
    assert known.supports.table["p_value"].min() == 0.001


def test_stars_alone_are_p_values_at_their_level():
    given = table(ours=[0.9, 0.7], base=[0.8, 0.8], stars=["*", "*"], n=[10, 10])
    asked = {"scores": ["ours", "base"], "stars": "stars", "sided": "one", "claimed": 1}
    found = rep.audit(given, **asked, items="n")
    assert found.supports.table["p_value"].tolist() == [0.05, 1]
    assert verdicts(found) == {
        "ours better than base on d0 (marked)": forensics.AGREES,
        "ours better than base on d1 (marked)": forensics.CONTRADICTED,
        **{f"{s} on d{i}": forensics.UNCHECKED for i in (0, 1) for s in ("ours", "base")},
        "number of datasets with p <= 0.05": forensics.CONTRADICTED,
    }
    tested = verdicts(rep.audit(given, **asked, items="n", test="mcnemar"))
    assert tested["McNemar's p-value on d0"] == forensics.IMPOSSIBLE  # 1 of 10 more is p >= .125


def test_without_scores_p_values_of_unknown_sides_support_nothing():
    found = rep.audit(table(p=["0.001"]), claimed=1)
    assert found.supports is None
    assert "The p-values support a claim about one system only if they are one-sided." in str(found)


@pytest.mark.parametrize(
    ("columns", "asked", "message"),
    [
        ({"p": ["0.1", "none"]}, {}, r"column 'p', d1: 'none' is not a printed number"),
        ({"p": ["0.1", "1.2"]}, {}, r"column 'p', d1: '1.2' is not a p-value"),
        ({"p": ["0.1", "-0.2"]}, {}, r"column 'p', d1: '-0.2' is not a p-value"),
        ({"p": ["0.1"], "p-value": ["0.2"]}, {}, r"2 columns of p-values \(p, p-value\); choose"),
        (
            {"p": ["0,001"]},
            {},
            r"column 'p', d0: '0,001' has a comma .* write decimals with a point",
        ),
        ({"p": ["0.1"]}, {"scores": 3}, r"scores=3 is not a list of names"),
        ({"p": ["0.1"]}, {"p_value": "q"}, r"no column 'q'.* with p_value="),
        ({"p": ["0.1"]}, {"dataset": "datasets"}, r"no column 'datasets'; did you mean 'dataset'"),
        ({"p": ["0.1"]}, {"scores": "p"}, r"scores='p' is a single string; pass a list"),
        ({"p": ["0.1"]}, {"items": 9}, r"items= is the number of items behind .* with scores="),
        (
            {"a": [1]},
            {},
            r"contains nothing that can be checked; specify the p-values with p_value=",
        ),
        ({"p": ["0.1"]}, {"sided": "both"}, r"sided 'both' is not one of one, two, unknown"),
        ({"p": ["0.1"]}, {"test": "macnemar"}, r"did you mean 'mcnemar'"),
        ({"p": ["0.1"]}, {"dependence": "none"}, r"dependence 'none' is not one of"),
        ({"p": ["0.1"]}, {"alpha": 5}, r"alpha= is 5"),
        ({"p": ["0.1"]}, {"resolution": 2}, r"resolution= is 2"),
        ({"p": ["0.1"]}, {"claimed": -1}, r"claimed is -1"),
        ({"a": ["1"], "b": ["200"]}, {"scores": ["a", "b"], "items": 9}, r"not shares of items"),
        ({"a": ["1"], "b": ["0"], "n": ["x1"]}, {"scores": ["a", "b"], "items": "n"}, r"'x1' is"),
        ({"a": ["1"], "b": ["0"], "n": ["0"]}, {"scores": ["a", "b"], "items": "n"}, r"whole num"),
    ],
)
def test_bad_input_by_message(columns, asked, message):
    with pytest.raises(rep.InputError, match=message) as caught:
        rep.audit(table(**columns), **asked)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "message"),
    [(["x", "x"], "'x' occurs in two rows"), (["x", ""], "a row has no dataset name")],
)
def test_every_dataset_has_a_row_and_a_name(names, message):
    with pytest.raises(rep.InputError, match=message):
        rep.audit(pd.DataFrame({"dataset": names, "p": ["0.1", "0.2"]}))


def test_an_unknown_keyword_names_the_nearest():
    with pytest.raises(TypeError, match="did you mean 'stars'"):
        rep.audit(TABLE, star="stars")


def test_the_command_gives_the_dictionary_and_tells_disputes_by_its_exit_status(capsys):
    asked = ["audit", str(TABLE), "--scores", *SCORES]
    assert cli.main([*asked, "--json"]) == 0
    found = rep.audit(TABLE, scores=SCORES)
    assert json.loads(capsys.readouterr().out) == cli.answers.plain(found.to_dict())
    assert cli.main([*asked, "--sided", "one"]) == 3
    assert "contradicted" in capsys.readouterr().out
    assert cli.main([*asked, "--items", "500", "--claimed", "2"]) == 3
    capsys.readouterr()
    assert cli.main([*asked, "--items", "none"]) == 1
    assert "no column 'none'. Specify the right column with --items." in capsys.readouterr().err


def test_a_frame_is_read_and_not_changed():
    frame = pd.read_csv(TABLE)
    before = frame.copy()
    of_frame = rep.audit(frame, scores=SCORES, items=500)
    assert [v.verdict for v in of_frame.verdicts] == [
        v.verdict for v in rep.audit(TABLE, scores=SCORES, items=500).verdicts
    ]
    pd.testing.assert_frame_equal(frame, before)


def test_accuracies_alone_bound_the_count():
    table = {
        "dataset": ["math", "code"],
        "ours": ["90", "55"],
        "base": ["50", "54"],
        "n": [200, 90],
    }
    found = rep.audit(pd.DataFrame(table), scores=["ours", "base"], items="n")
    assert found.between == tuple(found.to_dict()["between"])
    p = forensics.accuracy_pvalues(["90%", "55%"], ["50%", "54%"], [200, 90])
    ks = [rep.count(list(p[end])).k for end in ("largest", "smallest")]
    assert list(found.between) == ks == [1, 2]
    assert (
        "better on at least 1 of 2 datasets. The paired outputs could raise this bound to 2."
        in str(found)
    )
    printed = pd.DataFrame(table).assign(p=["0.001", "0.9"])
    assert rep.audit(printed, scores=["ours", "base"], items="n").between is None
