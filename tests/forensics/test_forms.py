"""Inference of printing, form and side from whole columns."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.published import read_published
from replicability import forensics
from replicability.checks import InputError
from replicability.forensics import forms, printed
from replicability.stats import paired

TABLE4 = read_published("dror2017", "table4")
COLUMN = [list(TABLE4[name]) for name in ("p-value", "AE-SCL-SR", "MSDA")]


# R 4.3: 2 * pbinom(116, 287, .5) - dbinom(116, 287, .5), and with (131, 306), (127, 261) (130 wins
# against 131 are 0.9507535 with 131 of 261), (191, 396)
@pytest.mark.parametrize(
    ("lead", "discordant", "pvalue"),
    [(55, 287, 0.001154308), (44, 306, 0.011908132), (1, 261, 0.9507535), (14, 396, 0.4823271)],
)
def test_values_of_two_sided_mid_p(lead, discordant, pvalue):
    wins = (discordant + lead) // 2
    found = paired.mcnemar_pvalues(
        wins, discordant - wins, variant="mid-p", alternative="two-sided"
    )
    assert found == pytest.approx(pvalue, abs=6e-9 if pvalue < 0.1 else 6e-8)


def test_table_4_is_two_sided_mid_p_cut_off():
    first = forensics.infer_mcnemar(*COLUMN, 2000).iloc[0]
    assert (first["variant"], first["side"], first["printing"]) == (
        "mid-p",
        "two-sided",
        "truncated",
    )
    assert first["possible"] == 10
    assert first["weight"] > forms.DECIDED


def test_six_digits_fit_one_form_only():
    two = [cells[1:3] for cells in COLUMN]
    found = forensics.infer_mcnemar(*two, 2000, longer=["0.001154", "0.011908"])
    assert found["possible"].tolist()[:2] == [2, 1]  # truncated; rounded .001154 would be .0012
    assert (found["possible"][2:] == 0).all()
    assert found["chance"][0] == pytest.approx(8.2e-5, rel=0.05)


def test_the_form_of_simulated_columns_is_recovered():
    rng = np.random.default_rng(31)
    right = decided = 0
    variants, sides, modes = paired.VARIANTS, ("greater", "two-sided"), ("rounded", "truncated")
    for variant, side, mode in itertools.product(variants, sides, modes):
        wins, losses = rng.integers(100, 220, 12), rng.integers(80, 200, 12)
        p = paired.mcnemar_pvalues(wins, losses, variant=variant, alternative=side)
        digits = np.rint(p * 1e4) if mode == "rounded" else np.floor(p * 1e4)
        texts = [f"{d / 1e4:.4f}" for d in digits]
        scores = [f"{(1400 + w - loss) / 2000:.4f}" for w, loss in zip(wins, losses, strict=True)]
        found = forensics.infer_mcnemar(texts, scores, ["0.7000"] * 12, 2000).iloc[0]
        if found["weight"] >= forms.DECIDED:
            decided += 1
            right += (found["variant"], found["side"], found["printing"]) == (variant, side, mode)
    assert decided >= 10
    assert right >= decided - 1


def test_a_column_of_noise_decides_nothing():
    rng = np.random.default_rng(7)
    texts = [f"{p:.4f}" for p in rng.uniform(0.0001, 0.02, 12)]
    found = forensics.infer_mcnemar(texts, *COLUMN[1:], 2000)
    assert found["chance"].min() > 0.001


def test_weights_are_a_distribution_and_ignore_what_is_open():
    texts = ["0.0", "<0.05", "0.5"]
    found = forms.weigh_forms(texts, {"a": [[0.0], [0.01], None], "b": [[1e-9], [0.02], None]})
    assert found["weight"].tolist() == pytest.approx([0.25] * 4)
    assert found["expected"].tolist() == [3] * 4


@given(
    st.lists(st.floats(1e-4, 0.999), min_size=1, max_size=6),
    st.sampled_from(["rounded", "truncated"]),
)
def test_the_true_form_gives_every_cell(pvalues, mode):
    scale = np.array(pvalues) * 1e4
    digits = np.rint(scale) if mode == "rounded" else np.floor(scale)
    texts = [f"{d / 1e4:.4f}" for d in digits]
    found = forms.weigh_forms(texts, {"true": [[p] for p in pvalues]})
    row = found[found["printing"] == mode].iloc[0]
    assert row["possible"] == len(pvalues)
    assert 0 <= row["chance"] <= 1


def test_correlations_of_table_5_are_not_one_sided_for_w2v():
    table = read_published("dror2017", "table5")
    sizes = read_published("dror2017", "dataset_sizes").query("table == '5'")
    at = table["p-val."], table["W2V"], table["GLOVE"], sizes["n"].astype(int)
    found = forensics.infer_correlation(*map(list, at)).set_index(["test", "side"])
    assert found["possible"]["Steiger"].to_dict() == {
        "greater": 8,
        "less": 1,
        "leader": 9,
        "two-sided": 9,
    }
    assert found["orders"]["Steiger"].to_dict() == {
        "greater": False,
        "less": False,
        "leader": True,
        "two-sided": True,
    }


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_orders_are_all_permutations(flat):
    n = round(len(flat) ** 0.5)
    possible = np.array(flat).reshape(n, n)
    expected = np.zeros((n, n), bool)
    for order in itertools.permutations(range(n)):
        if possible[range(n), order].all():
            expected[range(n), order] = True
    assert (forms.orders(possible) == expected).all()


def test_a_side_follows_scores_only_if_the_test_does():
    texts, a, b = ["0.0001", "0.02"], ["81.55", "85.0"], ["84.97", "84.0"]
    by_scores = forms.infer_side(texts, a, b, "paired_t").set_index("side")["possible"]
    by_ranks = forms.infer_side(texts, a, b, "wilcoxon").set_index("side")["possible"]
    assert by_scores.to_dict() == {
        "greater": False,
        "less": False,
        "leader": True,
        "two-sided": True,
    }
    assert by_ranks.all()


def test_table_4_is_for_neither_system():
    found = forms.infer_side(*COLUMN, "mcnemar").set_index("side")
    assert found.index[found["possible"]].tolist() == ["two-sided"]
    assert found["misfits"].to_dict() == {"greater": 2, "less": 10, "leader": 1, "two-sided": 0}


def test_scores_that_tie_before_rounding_are_no_misfits():
    assert forms.infer_side(["0.9"], ["0.85"], ["0.85"], "mcnemar")["possible"].all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: forms.weigh_forms(["0.1"], {}), "attained is empty"),
        (lambda: forms.weigh_forms(["0.1"], {"a": []}), "0 entries for 1 printed p-values"),
        (lambda: forms.weigh_forms(["0.1"], {"a": [[0.1]]}, misprint=0), "misprint is 0"),
        (lambda: forms.orders([[True, False]]), "has shape"),
        (lambda: forms.infer_side(["0.1"], ["1"], ["2"], "tossing"), "tossing"),
        (lambda: printed.infer_printing(["0.1"], []), "1 printed numbers but 0 values"),
        (lambda: printed.printed_interval("0.1", printing="guessed"), "guessed"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("text", "mode", "low", "high"),
    [
        ("0.0046", "rounded", 0.00455, 0.00465),
        ("0.0046", "truncated", 0.0046, 0.0047),
        ("0.0046", "either", 0.00455, 0.0047),
        ("-1.5", "truncated", -1.6, -1.5),
        ("21.7%", "truncated", 0.217, 0.218),
        ("0", "truncated", 0, 1),
        ("<0.001", "truncated", 0, 0.001),
    ],
)
def test_intervals_of_each_printing(text, mode, low, high):
    found = forensics.printed_interval(text, printing=mode)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-8)


@given(st.floats(1e-6, 1e6), st.integers(0, 6))
def test_a_number_lies_where_its_digits_say(number, digits):
    unit = 10.0**-digits
    cut = np.floor(number / unit + 1e-12) * unit
    assert number <= printed.printed_interval(f"{cut:.{digits}f}", printing="truncated").high * (
        1 + 1e-9
    )
    assert number in printed.printed_interval(f"{number:.{digits}f}", printing="either")


def test_each_column_of_the_supplement_has_its_own_printing():
    table = read_published("dror2017", "table2")
    more = {
        "p-val (Mate,Redshift)": "0.09792 0.16621 0.00466 0.03761 0.09696 0.09121 0.08233",
        "p-val (Mate,SpaCy)": "0.00013 0.00011 0.0 0.0 0.00017 0.00087 0.0",
    }
    modes = {
        column: forensics.infer_printing(
            list(table[column]), [forensics.printed_interval(v, None, "either") for v in v.split()]
        )
        for column, v in more.items()
    }
    cut, rounded = modes.values()
    assert (cut.mode, cut.rounded, cut.truncated) == ("truncated", 5, 7)
    assert (rounded.mode, rounded.rounded, rounded.truncated) == ("rounded", 7, 5)
    assert str(cut).startswith("The numbers were truncated, which fits 7 of the 7 cells with known")
    open_ = forensics.infer_printing(["0.25"], [0.2512])
    assert open_.mode == "either"
    assert str(open_) == (
        "The cells with known values (1) do not show whether the numbers were rounded or truncated."
    )
